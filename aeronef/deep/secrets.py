"""Does a seat learn what it should not? All pairs of histories of a small game, pairs of worlds of a large one."""

from __future__ import annotations

from aeronef.deep.subject import Subject
from aeronef.deep.verdicts import ALL, Finding, Play, Verdict, apart, counted
from aeronef.dsl import ir
from aeronef.runtime.channels import Leak, Secrecy
from aeronef.runtime.leaks import leaks
from aeronef.runtime.worlds import worlds

HINT = "everything that a seat gets must follow from what `seen:` and `told:` let it know"


def secrets(subject: Subject) -> Verdict:
    """AE713: two plays that a seat may not tell apart, and what it gets differs."""
    game, effort = subject.game, subject.effort
    if public(subject):
        return Verdict("secrets", subject.setting, "proved", "everybody sees and hears everything", complete=ALONE)
    if game.players == 1:
        return Verdict("secrets", subject.setting, "proved", "there is nobody to keep a secret from", complete=ALONE)
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
    complete = ALONE if histories.whole else ()
    if findings:
        return Verdict("secrets", subject.setting, "found", because, looked_at, findings, (), complete)
    if histories.whole:
        return Verdict("secrets", subject.setting, "proved", f"all {because}", looked_at, complete=complete)
    return Verdict("secrets", subject.setting, "not found", because, looked_at)


def public(subject: Subject) -> bool:
    """Whether nothing is hidden: everything is seen and told, and nobody chooses unseen."""
    rules = subject.rules
    tests = [place.seen.test for place in rules.zones]
    tests += [place.seen.test for place in rules.variables]
    tests += [p.told.test for phase in rules.phases for action in phase.actions for p in action.params]
    together = any(phase.kind == "together" for phase in rules.phases)
    return not together and all(isinstance(test, ir.Const) and test.value is True for test in tests)


ALONE = ("AE713",)
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
    plays_among = ALL if leak in histories.leaks else ""
    one, other = apart(leak.one, leak.other)
    message = (
        f"seat {leak.viewer} learns what it should not by {leak.channel} (after {leak.step}, in `{leak.phase}`):"
        f" {one} in one play and {other} in another that is the same for all it may know"
    )
    plays: list[Play] = [
        subject.play(list(actions), f"what seat {leak.viewer} may not tell from the other ({k})", plays_among)
        for k, actions in enumerate(leak.plays, 1)
    ]
    return Finding("AE713", leak.element, message, HINT, tuple(plays))
