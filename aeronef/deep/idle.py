"""Is every rule of use? What never happens, never changes, is never shown, or makes no difference."""

from __future__ import annotations

import time
from pathlib import Path

from aeronef.deep.subject import Effort
from aeronef.deep.use import Use, unused
from aeronef.deep.verdicts import Answer, Finding, Setting, Verdict, counted
from aeronef.dsl.compiler import Compilation
from aeronef.files import read_text
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.scenario import Document, read

TOGETHER = Setting(0, {}, "all games together")
GAMES = 10  # of `games` one in so many is played again, counting
CODES = {"exercised": "AE716", "changed": "AE717", "shown": "AE720", "difference": "AE719"}
PLAYED = ("AE716", "AE717", "AE720")
HINTS = {
    "exercised": "is there a test that never holds? Else write a scenario in which it happens",
    "changed": "give it a value that can be another one, or make it a constant",
    "shown": "show it when there is something to see, or leave the promise out",
    "difference": "let the rules ask for it, or leave it out",
}


def idle(
    run: Compilation, variant: Variant, path: Path, settings: list[Setting], effort: Effort, seconds: float | None
) -> list[Verdict]:
    """AE716, AE717, AE719 and AE720, over all settings (of the whole game) and the scenarios beside the spec. Nothing
    is asked where no game can start; where the time ended before everything was tried, only what surely makes no
    difference is told.

    Raises BadInput where the scenarios cannot be read.
    """
    began = time.perf_counter()
    choices = [(one.players, one.options) for one in settings if not one.small and _starts(variant, one)]
    if not choices:
        return []
    beside = path.with_name(f"{path.stem}.scenarios.yaml")
    documents: list[Document] = [read(read_text(beside), str(beside))] if beside.is_file() else []
    games = effort.games // GAMES + 1
    found = unused(run, documents, choices, games, effort.states // 4, effort.seed, seconds)
    late = not found.proved and seconds is not None and time.perf_counter() - began > seconds
    looked_at = {"scenarios": found.scenarios, "random games": found.games, "states": found.states}
    because = "; ".join(counted(number, what) for what, number in looked_at.items() if number)
    findings = tuple(
        Finding(CODES[f.kind], f.element, f"`{f.element}`: {f.words}{_proof(found, f.kind)}", HINTS[f.kind])
        for f in found.findings
        if f.kind == "difference" or not late
    )
    if late and len(findings) < len(found.findings):
        because += "; the time ended before everything was tried"
    answer: Answer = "found" if findings else "not found" if found.findings else "proved"
    met = {CODES[f.kind] for f in found.findings}
    complete = tuple(code for code in PLAYED if found.proved or code not in met)  # what happened is of use, for certain
    return [Verdict("use", TOGETHER, answer, because, looked_at, findings, (), complete)]


def _starts(variant: Variant, one: Setting) -> bool:
    try:
        Game(variant, one.players, one.options).start()
    except RuleFault:
        return False
    return True


def _proof(found: Use, kind: str) -> str:
    """Of what is missing: whether it cannot be, or was not met."""
    if kind == "difference":
        return ""
    return " (all states were looked at)" if found.proved else " (in all that was looked at)"
