"""What must hold of every IR, whatever pass made it. Tests verify after each pass; a fault here is a compiler bug."""

from __future__ import annotations

from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.walk import called, children


class Unsound(AssertionError):
    """The IR breaks one of its own rules: a fault of the compiler, not of the spec."""


def verify(game: ir.Game) -> None:
    """Raises Unsound unless every name is resolved, every type is right, definitions form no circle."""
    places = {z.name: z.each for z in game.zones} | {v.name: v.each for v in game.variables}
    defines = {d.name: d for d in game.defines}
    options = {o.name for o in game.options}
    phases = {p.name for p in game.phases} | {"end"}

    def fail(node: Any, why: str) -> None:
        raise Unsound(f"{getattr(node, 'span', '')}: {type(node).__name__}: {why}")

    def walk(node: Any, scope: frozenset[str]) -> None:
        match node:
            case ir.Local(name) if name not in scope:
                fail(node, f"`{name}` is not in scope ({', '.join(sorted(scope))})")
            case ir.Option(name) if name not in options:
                fail(node, f"no option `{name}`")
            case ir.Read(name, index):
                if name not in places or len(index) != len(places[name]):
                    fail(node, f"`{name}` has another shape")
            case ir.Call(name, args):
                if name not in defines or len(args) != len(defines[name].params):
                    fail(node, f"no such definition `{name}`")
                if node.type != defines[name].body.type and not isinstance(defines[name].body.type, t.Optional):
                    fail(node, "its type is not that of its definition")
            case ir.Binary("and" | "or", left, right) if not (left.type == right.type == t.Bool()):
                fail(node, "only yes-or-no values are joined")
            case ir.Binary("+" | "-" | "*" | "//" | "%" | "<" | "<=" | ">" | ">=", left, right):
                if not (isinstance(left.type, t.Int) and isinstance(right.type, t.Int)):
                    fail(node, "numbers are needed")
            case ir.Assign(target, value, guarded):
                if not t.fits(value.type, target.type) and not isinstance(target.type, t.Count):
                    fail(node, f"{value.type} into {target.type}")
                if not guarded and not t.within(value.type, target.type) and not isinstance(target.type, t.Count):
                    fail(node, f"{value.type} into {target.type}, unguarded")
            case ir.Goto(branches):
                if not branches or branches[-1][0] is not None or any(n not in phases for _, n in branches):
                    fail(node, "no way on")
            case _:
                pass
        if isinstance(node, ir.Aggregate):
            walk(node.over, scope)
            walk(node.body, scope | {node.over.name})
            return
        if isinstance(node, ir.Gather):
            walk(node.source, scope)
            for part in (node.test, node.key):
                if part is not None:
                    walk(part, scope | {node.name})
            return
        if isinstance(node, ir.For):
            walk(node.over, scope)
            body(node.body, scope | {node.over.name})
            return
        if isinstance(node, ir.If):
            for test, then in node.branches:
                walk(test, scope)
                body(then, scope)
            body(node.other, scope)
            return
        if isinstance(node, ir.Effect):
            body(node.body, scope)
            return
        for child in children(node):
            walk(child, scope)

    def body(statements: tuple[ir.Stmt, ...], scope: frozenset[str]) -> None:
        for statement in statements:
            walk(statement, scope)
            if isinstance(statement, ir.Let):
                scope |= {statement.name}

    none: frozenset[str] = frozenset()
    viewer = frozenset({"viewer", "owner"})
    for zone in game.zones:
        if zone.starts is not None:
            walk(zone.starts, frozenset({"owner"}))
        walk(zone.seen, viewer)
    for variable in game.variables:
        walk(variable.starts, frozenset({"owner"}))
        walk(variable.seen, viewer)
    for define in game.defines:
        walk(define.body, frozenset(n for n, _ in define.params))
    _no_circle(defines)
    for phase in game.phases:
        me = frozenset({"me"})
        walk(phase.effects, none)
        for part, scope in (
            (phase.over, none),
            (phase.start, none),
            (phase.until, me),
            (phase.asks, me),
            (phase.unasked, me),
        ):
            if part is not None:
                walk(part, scope)
        for action in phase.actions:
            scope = me
            for p in action.params:
                for source in (p.source, p.size):
                    if source is not None:
                        walk(source, scope)
                scope |= {p.name}
                if p.test is not None:
                    walk(p.test, scope)
            for p in action.params:
                walk(p.told, scope | {"viewer"})
            if action.when is not None:
                walk(action.when, scope)
            walk(action.effects, scope)
        walk(phase.then, none)
    for key in game.result.rank:
        walk(key, frozenset({"me"}))
    if game.result.returns is not None:
        walk(game.result.returns, frozenset({"me"}))
    if game.result.lost is not None:
        walk(game.result.lost, none)
    for invariant in game.invariants:
        walk(invariant.test, none)


def _no_circle(defines: dict[str, ir.Define]) -> None:
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise Unsound(f"definitions in a circle: {' '.join((*above, name))}")
        if name not in done:
            for other in called(defines[name].body):
                visit(other, (*above, name))
            done.add(name)

    for name in defines:
        visit(name, ())
