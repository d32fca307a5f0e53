"""Does a seat learn what it should not? All pairs of histories of a small game, pairs of worlds of a large one."""

from __future__ import annotations

import json
from typing import Any

from aeronef.deep.subject import Subject
from aeronef.deep.verdicts import Finding, Play, Verdict, counted, played
from aeronef.runtime.channels import Leak, Secrecy
from aeronef.runtime.leaks import leaks
from aeronef.runtime.worlds import worlds

SHOWN = 80  # characters of what a seat gets
HINT = "everything that a seat gets must follow from what `seen:` and `told:` let it know"


def secrets(subject: Subject) -> Verdict:
    """AE713: two plays that a seat may not tell apart, and what it gets differs."""
    game, effort = subject.game, subject.effort
    if game.players == 1:
        return Verdict("secrets", subject.setting, "proved", "there is nobody to keep a secret from")
    histories = leaks(game, effort.states // HISTORY, None, subject.seconds(0.4))
    found = list(histories.leaks)
    looked_at = {"histories": histories.histories}
    because = counted(histories.histories, "histories")
    if not histories.whole:
        pairs = worlds(game, effort.pairs, effort.seed, subject.seconds(0.5))
        found += pairs.leaks
        looked_at["pairs of worlds"] = pairs.pairs
        because += f"; {counted(pairs.pairs, 'pairs of worlds')}, seed {effort.seed}"
    findings = tuple(_finding(subject, leak, histories) for leak in _shortest(found))
    if findings:
        return Verdict("secrets", subject.setting, "found", because, looked_at, findings)
    if histories.whole:
        return Verdict("secrets", subject.setting, "proved", f"all {because}", looked_at)
    return Verdict("secrets", subject.setting, "not found", because, looked_at)


HISTORY = 4  # states that are explored in the time of one history


def _shortest(found: list[Leak]) -> list[Leak]:
    """Of each element the one with the shortest play."""
    best: dict[str, Leak] = {}
    for leak in found:
        known = best.setdefault(leak.element, leak)
        if len(leak.plays[1]) < len(known.plays[1]):
            best[leak.element] = leak
    return list(best.values())


def _finding(subject: Subject, leak: Leak, histories: Secrecy) -> Finding:
    """Each play as it is told: the two are the same for the seat as far as it may know."""
    shortest = leak in histories.leaks
    message = (
        f"seat {leak.viewer} learns what it should not by {leak.channel} (after {leak.step}, in `{leak.phase}`):"
        f" {_short(leak.one)} in one play and {_short(leak.other)} in another that is the same for all it may know"
    )
    plays: list[Play] = [
        played(subject.game, list(actions), f"what seat {leak.viewer} may not tell from the other ({k})", shortest)
        for k, actions in enumerate(leak.plays, 1)
    ]
    return Finding("AE713", leak.element, message, HINT, tuple(plays))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
