"""`aeronef check --deep`: what exploring and playing the games of a spec says of its rules."""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console

from aeronef.commands.check import accepted_data, show_accepted
from aeronef.commands.common import parse_options
from aeronef.deep.examine import Compiled, Examined, examine
from aeronef.deep.settings import setting
from aeronef.deep.subject import Effort, Saved
from aeronef.deep.verdicts import Answer, Finding, Setting, Verdict, counted
from aeronef.dsl.diagnostics import SpecError
from aeronef.files import shown, write_whole
from aeronef.loading import is_path, spec_path
from aeronef.play_check import check_file
from aeronef.progress import progress
from aeronef.render import counted as said_of
from aeronef.render import diagnostic_text, output, printable, report_data, say, show_report
from aeronef.runtime.errors import BadInput

ANSWERS: tuple[Answer, ...] = ("found", "not found", "proved")
STEPS, ACCEPTED_STEPS = 60, 24  # of a play that are shown in the text, at most; of one that shows what is accepted
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Call:
    """The command line."""

    spec: str
    players: int | None
    options: list[str]
    small: bool
    states: int | None
    games: int | None
    seed: int | None
    seconds: float | None
    jobs: int | None
    resume: Path | None
    page: Path | None
    as_json: bool


def examine_spec(call: Call) -> int:
    """Raises BadInput where there is no such spec, player or option; OSError where a file cannot be read."""
    path = spec_path(call.spec) if is_path(call.spec) else shown(spec_path(call.spec))
    usual = Effort()
    effort = Effort(
        usual.states if call.states is None else call.states, usual.games if call.games is None else call.games,
        usual.pairs, usual.seed if call.seed is None else call.seed,
        usual.seconds if call.seconds is None else call.seconds,
    )  # fmt: skip
    began = time.time()
    try:
        report = check_file(path)
        report.stop_on_errors()
        for file in (call.page, call.resume):
            if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
                raise BadInput(
                    f"cannot write `{file}`: {'it is a folder' if file.is_dir() else 'there is no such folder'}"
                )
        wanted = _wanted(call, path)
        saved = _saved(call, wanted)
        jobs = call.jobs or os.cpu_count() or 1
        with progress("looking at games") as bar:
            found = examine(path, wanted, effort, 1 if saved else jobs, report, bar.reach, saved, began)
    except SpecError as error:
        report = error.report
        if call.as_json:
            data = {"spec": str(path), "ok": False, "diagnostics": report_data(report, path.parent)}
            print(json.dumps(data, indent=2, ensure_ascii=False))
        else:
            show_report(report, path.parent, output())
            say(f"{path} does not compile: {said_of(report)}", console=output())
        return 1
    if call.page is not None:
        from aeronef.deep.page import page

        write_whole(call.page, page(path, found))
    if call.as_json:
        print(json.dumps(_data(path, found), indent=2, ensure_ascii=False))
    else:
        _show(path, found)
    return 1 if report.diagnostics else 0


def _wanted(call: Call, path: Path) -> list[Setting] | None:
    """The one game that is asked for, if one is."""
    if call.players is None and not call.options and not call.small:
        return None
    compiled = Compiled.of(path, call.small)
    if call.small and not compiled.run.has_small:
        raise BadInput(f"`{path}` has no `small:`")
    players = compiled.variant.players[0] if call.players is None else call.players
    return [setting(compiled.variant, players, parse_options(call.options), call.small)]


def _saved(call: Call, wanted: list[Setting] | None) -> Saved | None:
    if call.resume is None:
        return None
    if wanted is None:
        raise BadInput("--resume keeps the states of one game: say which with --players, -o or --small")
    return Saved(call.resume)


# ------------------------------------------------------------------------------------------ as text


def _show(path: Path, found: Examined) -> None:
    out = output()
    say(f"{path}: {counted(len(found.settings), 'games')} looked at", console=out)
    for one in found.settings:
        say(f"  {one.label}", console=out)
    say("", console=out)
    for question, group in groupby(sorted(found.verdicts, key=_order(found)), lambda v: v.question):
        _show_question(question, list(group), out)
    for diagnostic in found.report.in_order():
        out.print(diagnostic_text(diagnostic, found.report, path.parent), soft_wrap=True, end="")
        _show_plays(_of(found, diagnostic.code, diagnostic.element, False), out)
    for a in found.report.accepted:
        show_accepted(a, out)
        _show_plays(_of(found, a.code, a.element, True), out)
    status = f"{said_of(found.report)}" if found.report.diagnostics else "nothing to report"
    say(f"{path}: {status}", console=out)


def _order(found: Examined) -> Any:
    questions = list(dict.fromkeys(v.question for v in found.verdicts))
    return lambda verdict: questions.index(verdict.question)


def _show_question(question: str, verdicts: list[Verdict], out: Console) -> None:
    heading = f"{question:<10}"
    for answer in ANSWERS:
        those = [v for v in verdicts if v.answer == answer]
        if those:
            say(printable(f"{heading}{answer:<10} {_said(answer, those)}"), console=out)
            heading = " " * 10
    notes: dict[str, list[tuple[str, Setting]]] = {}
    for verdict in verdicts:
        for note in verdict.notes:  # what is the same but for its numbers is told once
            text = "\n".join(note)
            notes.setdefault(NUMBER.sub("", text), []).append((text, verdict.setting))
    for alike in notes.values():
        settings = [one for _, one in alike]
        where = "" if len(settings) == len(verdicts) else f" ({_labels(settings)})"
        for k, line in enumerate(_with_ranges([told for told, _ in alike]).split("\n")):
            say(printable(f"{' ' * 12}{line}{where if k == 0 else ''}"), console=out)


def _with_ranges(texts: list[str]) -> str:
    """Texts that differ in their numbers as one: `at most 22 to 66`."""
    numbers = [[int(number) for number in NUMBER.findall(text)] for text in texts]
    ranges = iter([(min(column), max(column)) for column in zip(*numbers, strict=True)])

    def spelt(match: re.Match[str]) -> str:
        low, high = next(ranges)
        return str(low) if low == high else f"{low} to {high}"

    return NUMBER.sub(spelt, texts[0])


def _said(answer: Answer, verdicts: list[Verdict]) -> str:
    """One line for all settings with the same answer."""
    if answer == "found":
        met: dict[tuple[str, str, bool], list[Setting]] = {}
        for verdict in verdicts:
            for f in verdict.findings:
                met.setdefault((f.code, f.element, f.accepted is not None), []).append(verdict.setting)
        return "; ".join(
            f"{code} at {element}{', accepted' if accepted else ''} ({_labels(settings)})"
            for (code, element, accepted), settings in met.items()
        )
    if answer == "proved":
        reasons: dict[str, list[Setting]] = {}
        for verdict in verdicts:
            reasons.setdefault(verdict.because, []).append(verdict.setting)
        return "; ".join(f"{why} ({_labels(settings)})" for why, settings in reasons.items())
    numbers: Counter[str] = Counter()
    for verdict in verdicts:
        numbers.update(verdict.looked_at)
    parts = [counted(number, what) for what, number in numbers.items() if number]
    where = _labels([v.setting for v in verdicts])
    return f"in {' and '.join(parts)} of {where}" if parts else f"{verdicts[0].because} ({where})"


def _labels(settings: list[Setting]) -> str:
    names = list(dict.fromkeys(one.label for one in settings))
    return "; ".join(names) if len(names) <= 3 else counted(len(names), "games")


def _of(found: Examined, code: str, element: str, accepted: bool) -> list[tuple[Setting, Finding]]:
    """What was found there, by its shortest play, rather of the whole game than of the small one."""
    every = [
        (v.setting.small, length > STEPS, length, v.setting, f)
        for v in found.verdicts
        for f in v.findings
        for length in [sum(len(play.steps) for play in f.plays)]
        if (f.code, f.element, f.accepted is not None) == (code, element, accepted)
    ]
    return [min(every, key=lambda one: (one[1] and not one[0], *one[:3]))[3:]] if every else []


def _show_plays(findings: Iterable[tuple[Setting, Finding]], out: Console) -> None:
    for one, finding in findings:
        if finding.by:
            say(printable(f"        by: {', '.join(finding.by)}"), console=out)
        for k, play in enumerate(finding.plays):
            steps = counted(len(play.steps), "steps")
            title = f"and the other play, {steps}" if k else f"{play.title} that shows it, {steps} ({one.label})"
            say(f"        {title}:", console=out)
            if finding.accepted is not None and len(play.steps) > ACCEPTED_STEPS:
                say("          (a long one: --json and --report have it)", console=out)
                continue
            for line in play.lines(STEPS):
                say(printable(f"          {line}"), console=out)
    if any(f.plays for _, f in findings):
        say("", console=out)


# ------------------------------------------------------------------------------------------ as data


def _data(path: Path, found: Examined) -> dict[str, Any]:
    return {
        "spec": str(path),
        "ok": not found.report.diagnostics,
        "effort": {
            "states": found.effort.states, "games": found.effort.games, "pairs": found.effort.pairs,
            "seed": found.effort.seed, "seconds": found.effort.seconds,
        },
        "settings": [_setting_data(one) for one in found.settings],
        "verdicts": [
            {
                "question": v.question, "setting": v.setting.label, "answer": v.answer, "because": v.because,
                "looked_at": v.looked_at, "notes": ["\n".join(note) for note in v.notes],
                "findings": [_finding_data(f) for f in v.findings],
            }
            for v in found.verdicts
        ],
        "diagnostics": report_data(found.report, path.parent),
        "accepted": accepted_data(found.report),
    }  # fmt: skip


def _setting_data(one: Setting) -> dict[str, Any]:
    return {"label": one.label, "players": one.players, "options": one.options, "small": one.small}


def _finding_data(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code, "element": finding.element, "message": finding.message, "hint": finding.hint,
        "accepted": finding.accepted, "by": list(finding.by), "plays": [play.data() for play in finding.plays],
    }  # fmt: skip
