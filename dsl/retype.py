"""A game in which something was changed, with the types that then follow.

Where a number was changed, what is worked out from it lies in another range. Declared types stay; the types of
expressions, of names, of definitions and of an action's values follow, and an assignment whose value may leave its
target's range is checked in play. What was known of a value from a test stays known, though the test may be another
one now: so every number that is assigned is checked.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, TypeVar, cast

from aeronef.dsl import ir, ranges
from aeronef.dsl import types as t
from aeronef.dsl.walk import Rewriter, by_use, with_types

Known = dict[str, tuple[t.Type, t.Type]]  # a name's type, before and after
Node = TypeVar("Node")
SKIPPED = ("options", "clauses", "citations", "invariants", "accepts", "measures", "cards", "dice", "tables", "enums",
           "numbers", "words_only", "players", "overlays")  # fmt: skip
LONGEST_LIST = 10_000
MOST_CHOSEN = {"some": 8, "roll": 10}


class Unfit(ValueError):
    """With the change this is no game: a number lies where none may lie."""


def retyped(before: ir.Game, after: ir.Game) -> ir.Game:
    """The changed game, typed anew. Raises Unfit."""
    return _Retyper(before, after).game()


class _Retyper(Rewriter[Known]):
    apart = ("type", "item", "span", "each", "face")

    def __init__(self, before: ir.Game, after: ir.Game) -> None:
        self.whole = after
        self.before: dict[str, t.Type] = {d.name: d.body.type for d in before.defines}
        self.after: dict[str, t.Type] = {}

    def game(self) -> ir.Game:
        whole = self.whole
        in_order = by_use(whole.defines)
        assert not isinstance(in_order, str)
        bodies: dict[str, ir.Expr] = {}
        for define in in_order:
            bodies[define.name] = self.walk(define.body, {})
            self.after[define.name] = bodies[define.name].type
        changed = {
            f.name: self.walk(getattr(whole, f.name), {})
            for f in dataclasses.fields(whole)
            if f.name not in SKIPPED and f.name != "defines"
        }
        defines = tuple(dataclasses.replace(d, body=bodies[d.name]) for d in whole.defines)
        invariants = self.walk(whole.invariants, {})
        return dataclasses.replace(whole, **changed, defines=defines, invariants=invariants)

    # ------------------------------------------------------------------------------ the walk

    def walk(self, node: Any, known: Known) -> Any:
        match node:
            case ir.Local(name, kind):
                return dataclasses.replace(node, type=told_anew(kind, *known[name])) if name in known else node
            case ir.Call(name, _, kind):
                node = self.inside(node, known)
                before, after = self.before[name], self.after[name]
                return node if before == after else dataclasses.replace(node, type=told_anew(kind, before, after))
            case ir.Aggregate():
                return self._aggregate(node, known)
            case ir.Gather():
                return self._gather(node, known)[0]
            case ir.Effect(body):
                return dataclasses.replace(node, body=self.body(body, known))
            case ir.Choice() | ir.Unary() | ir.Binary() | ir.Builtin() | ir.Collection():
                return self._expression(node, self.inside(node, known))
            case ir.Phase():
                return self._phase(node)
            case ir.Action():
                return self._action(node, known)
            case _:
                return self.rest(node, known)

    # ------------------------------------------------------------------------------ expressions

    def _expression(self, before: ir.Expr, node: ir.Expr) -> ir.Expr:
        """The node with its own type. It is worked out only where something inside was changed: what a checked spec
        says of its types may be more than the parts tell."""
        kind = given(node)
        if kind is None or (node is before and not self._is_new(node, kind)):
            return node
        return cast(ir.Expr, dataclasses.replace(cast(Any, node), type=kind))

    @staticmethod
    def _is_new(node: ir.Expr, kind: t.Type) -> bool:
        """Whether a node itself was changed: what it gives does not lie within its type."""
        return not (t.fits(kind, node.type) and t.within(kind, node.type))

    def _gather(self, node: ir.Gather, known: Known) -> tuple[ir.Gather, Known]:
        source = self.walk(node.source, known)
        item = t.element(source.type) or node.item
        inner = with_types(known, node.name, node.item, item)
        test, key = self.walk(node.test, inner), self.walk(node.key, inner)
        return dataclasses.replace(node, source=source, test=test, key=key, item=item), inner

    def _aggregate(self, node: ir.Aggregate, known: Known) -> ir.Aggregate:
        over, inner = self._gather(node.over, known)
        body: ir.Expr = self.walk(node.body, inner)
        length, kind = t.most(over.source.type), node.type
        if body.type == node.body.type and length == t.most(node.over.source.type):
            return dataclasses.replace(node, body=body, over=over)
        match node.kind, kind, body.type:
            case "count", _, _:
                kind = t.Int(0, length)
            case "sum", _, t.Int() as number:
                kind = ranges.summed(number, length)
            case (("min" | "max"), _, t.Int() as number):
                kind = t.Optional(number) if isinstance(kind, t.Optional) else number
            case "list", _, item:
                kind = t.ListOf(item, length)
            case "set", _, item:
                kind = t.SetOf(cast(t.Plain, item), length)
        return dataclasses.replace(node, body=body, over=over, type=kind)

    # ------------------------------------------------------------------------------ effects

    def body(self, statements: tuple[ir.Stmt, ...], known: Known) -> tuple[ir.Stmt, ...]:
        made: list[ir.Stmt] = []
        for node in statements:
            match node:
                case ir.Let(name, value):
                    new = self.walk(value, known)
                    known = with_types(known, name, value.type, new.type)
                    made.append(dataclasses.replace(node, value=new))
                case ir.If(branches, other):
                    ways = tuple((self.walk(test, known), self.body(then, known)) for test, then in branches)
                    made.append(dataclasses.replace(node, branches=ways, other=self.body(other, known)))
                case ir.For(over, inner):
                    around, within = self._gather(over, known)
                    made.append(dataclasses.replace(node, over=around, body=self.body(inner, within)))
                case ir.Assign():
                    made.append(self._assign(self.inside(node, known)))
                case _:
                    made.append(self.walk(node, known))
        return tuple(made)

    @staticmethod
    def _assign(node: ir.Assign) -> ir.Assign:
        inner, outer = t.strip(node.value.type), t.strip(node.target.type)
        if not isinstance(outer, t.Int) or not isinstance(inner, t.Int):
            return node
        if inner.high < outer.low or outer.high < inner.low:
            raise Unfit(f"{inner} into {outer}")
        return dataclasses.replace(node, guarded=not isinstance(node.value, ir.Const))

    # ------------------------------------------------------------------------------ phases

    def _phase(self, node: ir.Phase) -> ir.Phase:
        phase = self.inside(dataclasses.replace(node, actions=()), {})
        known: Known = {}
        if node.sequence is not None and phase.sequence is not None:
            before, after = (t.element(s.entries.type) for s in (node.sequence, phase.sequence))
            assert before is not None
            assert after is not None
            known = with_types(known, node.sequence.name, before, after)
        return dataclasses.replace(phase, actions=tuple(self._action(action, known) for action in node.actions))

    def _action(self, node: ir.Action, known: Known) -> ir.Action:
        params: list[ir.Parameter] = []
        for p in node.params:
            source, size = self.walk(p.source, known), self.walk(p.size, known)
            kind, most = p.type, p.size_most
            if size is not None and size.type != p.size.type:  # type: ignore[union-attr]
                most = cast(t.Int, size.type).high
                if cast(t.Int, size.type).low < 0 or not 1 <= most <= MOST_CHOSEN[p.kind]:
                    raise Unfit(f"{size.type} cards or dice")
            if isinstance(kind, t.ListOf):
                kind = t.ListOf(kind.of, most) if p.kind in MOST_CHOSEN else kind
            if p.source is not None and source.type != p.source.type:
                inner = t.element(source.type) or t.Nothing()
                kind = source.type if p.kind == "given" else t.ListOf(inner, most) if p.kind == "some" else inner
            known = with_types(known, p.name, p.type, kind)
            test = self.walk(p.test, known)
            made = dataclasses.replace(p, source=source, size=size, size_most=most, test=test, type=kind)
            params.append(made)
        told = tuple(dataclasses.replace(p, told=self.walk(p.told, known)) for p in params)
        rest = {name: self.walk(getattr(node, name), known) for name in ("when", "effects", "visits", "guest", "then")}
        return dataclasses.replace(node, params=told, **rest)


# ------------------------------------------------------------------------------------------ types


def given(node: ir.Expr) -> t.Type | None:
    """The type that a node has by its parts; None where it is not worked out from them. Raises Unfit."""
    match node:
        case ir.Unary("-", of) if isinstance(of.type, t.Int):
            return t.Int(-of.type.high, -of.type.low)
        case ir.Binary("+" | "-" | "*" | "//" | "%" as op, left, right):
            a, b = _numbers((left, right))
            try:
                return ranges.arithmetic(op, a, b)
            except ZeroDivisionError:
                raise Unfit("a division by what can be 0") from None
        case ir.Binary("otherwise", left, right):
            return _joined(t.element(left.type) or t.strip(left.type), right.type)
        case ir.Choice(_, then, other):
            return _joined(then.type, other.type)
        case ir.Builtin("min" | "max" as name, args):
            return ranges.extreme(name, _numbers(args))
        case ir.Builtin("abs", args):
            return ranges.absolute(*_numbers(args))
        case ir.Builtin("clamp", args):
            value, least, greatest = _numbers(args)
            if least.high > greatest.low:
                raise Unfit("the lower end of `clamp` can lie above the upper one")
            return ranges.clamped(value, least, greatest)
        case ir.Builtin("range", args):
            low, high = _numbers(args)
            length = high.high - low.low + 1
            if not 1 <= length <= LONGEST_LIST:
                raise Unfit(f"a range of {length} numbers")
            return t.ListOf(t.Int(low.low, high.high), length)
        case ir.Builtin("first" | "last", (of,)):
            item = t.element(of.type)
            return told_anew(node.type, t.strip(node.type), item) if item is not None else None
        case ir.Builtin("size", (ir.Everything(),)):
            return None
        case ir.Builtin("size", (of,)):
            return t.Int(0, t.most(of.type)) if t.most(of.type) else None
        case ir.Collection(kind, items) if items and isinstance(node.type, t.ListOf | t.SetOf):
            item = items[0].type
            for other in items[1:]:
                item = _joined(item, other.type)
            if not isinstance(item, t.Int):
                return None
            return t.SetOf(item, len(items)) if kind == "set" else t.ListOf(item, len(items))
        case _:
            return None


def told_anew(kind: t.Type, before: t.Type, after: t.Type) -> t.Type:
    """The type of a look at what was `before` and is `after`: as declared, or as much narrower as it was."""
    if kind == before:
        return after
    inner, was, now = t.strip(kind), t.strip(before), t.strip(after)
    if isinstance(inner, t.Int) and isinstance(was, t.Int) and isinstance(now, t.Int):
        low = now.low if inner.low == was.low else max(inner.low, now.low)
        high = now.high if inner.high == was.high else min(inner.high, now.high)
        now = t.Int(low, high) if low <= high else now
    return t.Optional(now) if isinstance(kind, t.Optional) and isinstance(now, t.Plain) else now


def _numbers(nodes: Sequence[ir.Expr]) -> list[t.Int]:
    kinds = [node.type for node in nodes]
    if not all(isinstance(kind, t.Int) for kind in kinds):
        raise Unfit("what may be none is no number")
    return cast("list[t.Int]", kinds)


def _joined(a: t.Type, b: t.Type) -> t.Type:
    kind = t.join(a, b)
    if kind is None:
        raise Unfit(f"{a} and {b} have nothing in common")
    return kind
