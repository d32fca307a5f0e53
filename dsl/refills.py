"""What chance is to draw from is filled where it is empty (`refill:`), as effects."""

from __future__ import annotations

from functools import partial

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.walk import reads, rewritten


def refills(game: ir.Game, phase: ir.Phase) -> tuple[ir.Effect, ...]:
    """What happens as it is chance's turn, before anything is drawn."""
    zones, found = {zone.name: zone for zone in game.zones if zone.refill is not None}, []
    for p in (p for action in phase.actions for p in action.params if p.kind == "card"):
        if body := _filled(p.source, zones):
            drawn = {read.name for read in reads(p.source)}
            by = dict.fromkeys(clause for name, zone in zones.items() if name in drawn for clause in zone.by)
            found.append(ir.Effect(body, tuple(by), "", p.span))
    return tuple(found)


def _filled(source: ir.Expr | None, zones: dict[str, ir.Zone]) -> tuple[ir.Stmt, ...]:
    """Fills what is drawn from: a zone, or one or another."""
    match source:
        case ir.Choice(test, then, other):
            filled, instead = _filled(then, zones), _filled(other, zones)
            if filled:
                return (ir.If(((test, filled),), instead, source.span),)
            test = ir.Unary("not", test, t.Bool(), test.span)
            return (ir.If(((test, instead),), (), source.span),) if instead else ()
        case ir.Read(name, index) if name in zones:
            zone = zones[name]
            seat = index[zone.each.index(t.Seat())] if t.Seat() in zone.each else None
            pile = rewritten(zone.refill, partial(_of_owner, seat))
            size = ir.Builtin("size", (source,), t.Int(0, max(1, t.most(source.type))), source.span)
            empty = ir.Binary("==", size, ir.Const(0, t.Int(0, 0), source.span), t.Bool(), source.span)
            return (ir.If(((empty, (ir.Move(None, pile, source, zone.span),)),), (), zone.span),)
        case _:
            return ()


def _of_owner(seat: ir.Expr | None, node: object) -> ir.Expr | None:
    """The seat that a zone's part is of, for the `owner` of its declaration."""
    return seat if isinstance(node, ir.Local) and node.name == "owner" else None
