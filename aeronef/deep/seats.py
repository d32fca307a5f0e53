"""Are the seats alike? With all seats moved on by some, everything must come out moved on by as many."""

from __future__ import annotations

from aeronef.deep.subject import Subject
from aeronef.deep.verdicts import Finding, Verdict, counted, short
from aeronef.dsl.named_seats import Place, named_seats, openings
from aeronef.runtime.symmetry import Asymmetry, symmetry


def seats(subject: Subject) -> Verdict:
    """AE718: something that is settled by the number of a seat, where the rules name none but for who begins."""
    named = _elements(named_seats(subject.rules, start=False))
    first = _elements(named_seats(subject.rules))
    if subject.game.players == 1:
        return Verdict("seats", subject.setting, "proved", "there is one seat only")
    if named:
        return Verdict("seats", subject.setting, "not found", f"not asked: the rules name seats at {_some(named)}")
    effort = subject.effort
    found = symmetry(subject.game, effort.games, effort.seed, subject.seconds(0.5), None, not first,
                     openings(subject.rules))  # fmt: skip
    because, looked_at = counted(found.positions, "positions"), {"positions": found.positions}
    if first:
        because += f"; not who begins, which the rules say of single seats at {_some(first)}"
    best: dict[str, Asymmetry] = {}
    for one in found.asymmetries:
        best.setdefault(one.element, one)
    findings = tuple(_finding(subject, one) for one in best.values())
    return Verdict("seats", subject.setting, "found" if findings else "not found", because, looked_at, findings)


def _elements(places: tuple[Place, ...]) -> list[str]:
    return list(dict.fromkeys(element for element, _ in places))


def _some(elements: list[str]) -> str:
    return ", ".join(elements[:3]) + (f" and {len(elements) - 3} more" if len(elements) > 3 else "")


def _finding(subject: Subject, one: Asymmetry) -> Finding:
    message = (
        f"seats are not treated alike (after {one.step}, in `{one.phase}`): with everybody {one.rotation} seat"
        f"{'s' if one.rotation > 1 else ''} further on, {one.what} is {short(one.other)} instead of {short(one.one)}"
    )
    hint = "something is settled by the number of a seat: say which of several it is, as from whose left"
    play = subject.play(list(one.play), "seats that are not treated alike", "")
    return Finding("AE718", one.element, message, hint, (play,))
