"""AE709: turns, ways and choices that depend on what not everybody (or not the actor) may see.

Who acts, how often, and which phase follows, is seen by all: what decides it must be too. What a seat may do, it sees:
what decides that must be seen by the seat; of choices in a row also what they would do, for that tells which can be.
How many cards a zone holds is public. The check goes by `seen:` and `told:` alone, so it can be wrong where the rules
make public what these hide; then accept the finding and say why.
"""

from __future__ import annotations

from typing import Any

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.printer import spell
from aeronef.dsl.walk import Looks, looked_at, looks, nodes, own_part


def check_secrets(game: ir.Game, report: Report) -> None:
    places: dict[str, ir.Zone | ir.Variable] = {z.name: z for z in game.zones}
    places |= {v.name: v for v in game.variables}
    defines = {d.name: d for d in game.defines}
    known: Looks = {}

    def look(part: Any, element: str, what: str, actor: bool) -> None:
        for read, mine in looks(part, frozenset({"me"} if actor else ()), defines, known):
            place = places[read.name]
            if _shown(place, read, mine):
                continue
            whose = "the seat itself may not see" if actor else "not everybody may see"
            message = f"{what} tells `{spell(read)}`, which {whose}"
            hint = "let it depend on what is seen, or ask everybody alike (a `pass()` for those who cannot)"
            report.add("AE709", read.span, message, hint, element=element)

    def tell(part: ir.Expr | None, action: ir.Action, element: str, what: str) -> None:
        untold = _untold(action)
        for node in nodes(part):
            if isinstance(node, ir.Local) and node.name in untold:
                untold.remove(node.name)
                hint = f"tell everybody of `{node.name}`, or let it depend on what is told"
                message = f"{what} tells `{node.name}`, of which not everybody hears"
                report.add("AE709", node.span, message, hint, element=element)

    for phase in game.phases:
        element = f"phases.{phase.name}"
        for part in (phase.over, phase.start, phase.asks):
            look(part, element, "who is asked", actor=False)
        if phase.sequence is not None:
            look(phase.sequence.entries, element, "how many choices follow", actor=False)
        if phase.kind != "together":  # what seats do apart ends for each by its own choices
            look(phase.until, element, "how long it goes on", actor=False)
        look(
            tuple(test for test, _ in phase.then.branches if test is not None),
            element,
            "which phase follows",
            actor=False,
        )
        for action in phase.actions:
            inner = f"{element}.{'outcomes' if phase.kind == 'chance' else 'actions'}.{action.key}"
            look((action.visits or (), action.then or ()), inner, "which phase follows", actor=False)
            look(action.guest, inner, "who acts next", actor=False)
            ways = [*(action.visits.branches if action.visits else ()), *(action.then.branches if action.then else ())]
            for test, _ in ways:
                tell(test, action, inner, "which phase follows")
            tell(action.guest, action, inner, "who acts next")
            if phase.kind == "chance":
                continue
            parts = tuple((p.source, p.size, p.test) for p in action.params)
            look((action.when, *parts), inner, "what can be done", actor=True)
            if phase.sequence is not None:  # what a choice would do tells whether the rest can be completed
                seen = tuple(part for effect in action.effects for part in looked_at(effect.body))
                look(seen, inner, "what can be done", actor=True)


def _untold(action: ir.Action) -> set[str]:
    """The values of an action of which not everybody surely hears."""
    tests = {p.name: p.told.test for p in action.params if p.kind != "given"}
    return {name for name, test in tests.items() if not (isinstance(test, ir.Const) and test.value is True)}


def _shown(place: ir.Zone | ir.Variable, read: ir.Read, mine: frozenset[str]) -> bool:
    """Whether everybody (or, of its own part, the actor) surely sees what is read."""
    test = place.seen.test
    if isinstance(test, ir.Const):
        return test.value is True
    return own_part(read, place.each, mine) and _owner_sees(test)


def _owner_sees(test: ir.Expr) -> bool:
    match test:
        case ir.Binary("==", ir.Local("viewer"), ir.Local("owner")) | ir.Binary(
            "==", ir.Local("owner"), ir.Local("viewer")
        ):
            return True
        case ir.Binary("or", left, right):
            return _owner_sees(left) or _owner_sees(right)
        case _:
            return False
