"""From the effects of the IR to the statements of a plan."""

from __future__ import annotations

from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.hoist import asked_once, hoisted
from aeronef.dsl.printer import spell
from aeronef.dsl.walk import called, changed, locals_in, nodes, reads


class Statements:
    def __init__(self, game: ir.Game) -> None:
        self.game, self.overlays = game, {overlay.name for overlay in game.overlays}
        self.defines = {d.name: d for d in game.defines}
        named = (ir.Local, ir.Gather, ir.Let, ir.Parameter)
        self.names = {node.name for node in nodes(game) if isinstance(node, named)}
        places: tuple[ir.Zone | ir.Variable, ...] = (*game.zones, *game.variables)
        self.each = {place.name: place.each for place in places}

    def effects(self, effects: tuple[ir.Effect, ...]) -> plan.Body:
        return tuple(plan.Rule(effect.by, effect.says, self.body(effect.body)) for effect in effects)

    def returned(self, value: ir.Expr | tuple[ir.Expr, ...], scope: dict[str, t.Type]) -> plan.Body:
        """`return value`, after what it would work out more than once; what an overlay decides is decided first.
        `scope` are the locals around it."""
        match value:
            case ir.Choice(ir.Option(name) as test, then, other) if name in self.overlays:
                return (plan.If(((test, self.returned(then, scope)),), ()), *self.returned(other, scope))
        lets, value = hoisted(value, scope, self.game)
        return (*lets, plan.Return(value))

    def body(self, body: tuple[ir.Stmt, ...]) -> plan.Body:
        """The statements, without each `let` that nothing uses."""
        found: plan.Body = ()
        for node in reversed(body):
            if not isinstance(node, ir.Let) or node.name in locals_in(found):
                found = (*self.statement(node), *found)
        return found

    def statement(self, node: ir.Stmt) -> plan.Body:
        match node:
            case ir.Let() | ir.Step() | ir.Mark():
                return (node,)
            case ir.Assign(target, value, guarded, span):
                kind = t.strip(target.type)
                checked = guarded and isinstance(kind, t.Int)
                fail = plan.Fail(plan.RANGE, span, kind.low, kind.high) if checked else None  # type: ignore[union-attr]
                return (plan.Assign(target, value, fail),)
            case ir.Move(card, source, target):
                return self._move(node, card, source, target)
            case ir.Add(faces, target):
                return self._move(node, faces, None, target)
            case ir.Remove(faces, source):
                return self._move(node, faces, source, None)
            case ir.If(branches, other):
                lets, branches = asked_once(branches, self.names, self.game)
                return (
                    *lets,
                    plan.If(tuple((test, self.body(then)) for test, then in branches), self.body(other)),
                )
            case ir.For(over, body):
                return (plan.For(over, self.body(body), bool(self._seen(over) & changed(body))),)
            case _:
                assert_never(node)

    def _seen(self, node: object) -> set[str]:
        """The variables and zones that a piece of IR looks at, through definitions too."""
        found = {r.name for r in reads(node)}
        for name in called(node):
            found |= self._seen(self.defines[name].body)
        return found

    # ------------------------------------------------------------------------------ moves

    def _move(
        self, node: ir.Move | ir.Add | ir.Remove, what: ir.Expr | None, source: ir.Read | None, target: ir.Read | None
    ) -> plan.Body:
        """Which card, and where from and to, is settled before anything moves."""
        change = {zone.name for zone in (source, target) if zone is not None}
        settled: list[plan.Settle] = []
        start = self._place(source, "source", change, settled) if source is not None else None
        end = self._place(target, "target", change, settled) if target is not None else None
        how, span = _how(what, source), node.span
        tray = (source or target).type  # type: ignore[union-attr]
        if isinstance(tray, t.Tray):
            most = target.type.most if target is not None and isinstance(target.type, t.Tray) else 0
            fails = plan.Fail(plan.NO_DIE, span), plan.Fail(plan.FULL, span, 0, most)
            return (*settled, plan.Dice(how, what, start, end, *fails))
        assert start is not None
        assert end is not None
        bare = is_owned(start.zone) and not is_owned(end.zone)
        owner = None
        if is_owned(end.zone) and not is_owned(start.zone):
            owner = start.index[self.each[start.zone.name].index(t.Seat())]
        fails = plan.Fail(plan.ABSENT, span), plan.Fail(plan.TAKEN, span)
        return (*settled, plan.Move(how, what, start, end, owner, bare, *fails))

    def _place(self, zone: ir.Read, end: plan.End, change: set[str], settled: list[plan.Settle]) -> plan.Place:
        """A zone; each index that looks at what moves is settled."""
        index: list[ir.Expr | plan.Temp] = []
        for i, (node, kind) in enumerate(zip(zone.index, self.each[zone.name], strict=True)):
            if self._seen(node) & change:
                settled.append(plan.Settle(plan.Temp(end, i), node, kind))
                index.append(settled[-1].temp)
            else:
                index.append(node)
        return plan.Place(zone, tuple(index))


def _how(what: ir.Expr | None, source: ir.Read | None) -> plan.How:
    if what is None:
        return "all"
    match what:
        case ir.Builtin("first" | "last" as end, (row,)) if source is not None and spell(row) == spell(source):
            return "first" if end == "first" else "last"
    return "one" if t.element(what.type) is None else "each"


def is_slot(zone: ir.Read) -> bool:
    return isinstance(zone.type, t.ZoneOf) and zone.type.slot


def is_owned(zone: ir.Read) -> bool:
    return isinstance(zone.type, t.ZoneOf) and zone.type.owned
