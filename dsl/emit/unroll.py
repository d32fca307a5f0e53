"""Folds over a few values that are known beforehand, written out: of `all(cell[1][c] == p for c in 1..3)`,
`cell[1][1] == p and cell[1][2] == p and cell[1][3] == p`.

IR to IR, for the Python target: what it means stays the same, and in which order it is worked out, but no generator is
started for it. What has many terms keeps its fold, which reads better then.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, TypeVar

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.chains import chain, common_first
from aeronef.dsl.walk import locals_in, nodes, rewritten

MOST_TERMS = 24  # in one chain, the folds inside it included
MOST_NODES = 160
MOST_VALUES = 9

Part = TypeVar("Part")


def written_out(game: ir.Game) -> ir.Game:
    """The game with such folds written out in its rules. An instrumented game stays as it is: what is counted is then
    what the spec says."""
    if game.points:
        return game
    known = Known(game)

    def of(part: Part) -> Part:
        return common_first(known.of(part), game)

    return dataclasses.replace(
        game,
        defines=of(game.defines),
        zones=tuple(dataclasses.replace(zone, seen=of(zone.seen)) for zone in game.zones),
        variables=tuple(dataclasses.replace(variable, seen=of(variable.seen)) for variable in game.variables),
        phases=of(game.phases),
        result=of(game.result),
        invariants=of(game.invariants),
    )


def players_of(game: ir.Game) -> int | None:
    """How many seats there are, where that is the same in every game."""
    low, high = game.players
    return low if low == high and game.automata is None else None


class Known:
    """What is the same in every game of a spec."""

    def __init__(self, game: ir.Game) -> None:
        self.seats = players_of(game)
        self.partial = {kind.name for kind in game.cards} | {name for name, _, _ in game.words_only}

    def of(self, part: Part) -> Part:
        found: Part = rewritten(part, self._changed)
        return found

    def _changed(self, node: Any) -> ir.Expr | None:
        match node:
            case ir.Aggregate():
                inside = dataclasses.replace(node, body=self.of(node.body), over=self.of(node.over))
                return self._chain(inside) or inside
            case ir.Binary("and" | "or" as op, left, ir.Aggregate("any" | "all") as right, kind):
                return chain(op, [self.of(left), self.of(right)], kind)
            case ir.Builtin("size", (ir.Everything("players" | "seats"),)) if self.seats is not None:
                return ir.Const(self.seats, t.Int(self.seats, self.seats), node.span)
        return None

    def _chain(self, node: ir.Aggregate) -> ir.Expr | None:
        """The fold term by term; None where it stays."""
        over, body = node.over, node.body
        values = self.values(over.source)
        if not values or node.kind in ("count", "list", "set") or _hidden(over.name, (over.test, body)):
            return None
        if _sought(node):
            return None
        if node.kind in ("any", "all"):
            terms = [_term(node.kind, over, body, value) for value in values]
            op: Literal["and", "or", "+"] = "or" if node.kind == "any" else "and"
        elif over.test is not None or isinstance(body, ir.Local):
            return None
        else:
            terms = [with_value(body, over.name, value) for value in values]
            op = "+"
        if sum(map(_terms, terms)) > MOST_TERMS or sum(len(list(nodes(term))) for term in terms) > MOST_NODES:
            return None
        if node.kind in ("min", "max"):
            return ir.Builtin(node.kind, tuple(terms), node.type, node.span) if len(terms) > 1 else terms[0]
        return chain(op, terms, node.type)

    def values(self, source: ir.Expr) -> list[ir.Const]:
        """What a collection holds, in order, where that is the same in every game and not much."""
        kind = t.element(source.type)
        match source:
            case ir.Everything("players" | "seats"):
                numbers = range(self.seats or 0)
            case ir.Everything(of) if of not in self.partial and isinstance(kind, t.Enum):
                numbers = range(len(kind.values))
            case ir.Everything(of) if of not in self.partial and isinstance(kind, t.Int):
                numbers = range(kind.low, kind.high + 1)
            case ir.Builtin("range", (ir.Const(low), ir.Const(high))) if low is not None and high is not None:
                numbers = range(low, high + 1)
            case ir.Collection("list", items):
                known = [item for item in items if isinstance(item, ir.Const) and item.value is not None]
                return known if len(known) == len(items) <= MOST_VALUES else []
            case _:
                return []
        if len(numbers) > MOST_VALUES:
            return []
        return [
            ir.Const(number, t.Int(number, number) if isinstance(kind, t.Int) else kind or t.Nothing(), source.span)
            for number in numbers
        ]


def _sought(node: ir.Aggregate) -> bool:
    """Whether it is asked if something is in a row: `folds.py` says so, in less."""
    over, body = node.over, node.body
    if not isinstance(over.source, ir.Everything) or over.test is not None or not isinstance(body, ir.Binary):
        return False
    if body.op != ("==" if node.kind == "any" else "!="):
        return False
    for row, value in ((body.left, body.right), (body.right, body.left)):
        if isinstance(row, ir.Read) and row.index and over.name not in locals_in((value, *row.index[:-1])):
            last = row.index[-1]
            return isinstance(last, ir.Local) and last.name == over.name
    return False


def _term(kind: Literal["any", "all"], over: ir.Gather, body: ir.Expr, value: ir.Const) -> ir.Expr:
    """What a value has to fulfil: of those that pass the test one, or all of them."""
    of = with_value(body, over.name, value)
    if over.test is None:
        return of
    test = with_value(over.test, over.name, value)
    if kind == "all":
        return ir.Binary("or", ir.Unary("not", test, t.Bool(), test.span), of, t.Bool(), of.span)
    if isinstance(body, ir.Const) and body.value is True:
        return test
    return ir.Binary("and", test, of, t.Bool(), of.span)


def with_value(node: ir.Expr, name: str, value: ir.Const) -> ir.Expr:
    """An expression with a value for its local, and with what then is a sum of two constants worked out."""

    def change(inner: Any) -> Any:
        match inner:
            case ir.Local(local) if local == name:
                return value
            case ir.Binary("+" | "-" | "*", left, right) if name in locals_in(inner):
                one, other = with_value(left, name, value), with_value(right, name, value)
                made = dataclasses.replace(inner, left=one, right=other)
                return _sum(made, one, other) or made
        return None

    found: ir.Expr = rewritten(node, change)
    return found


def _sum(node: ir.Binary, left: ir.Expr, right: ir.Expr) -> ir.Const | None:
    if not (isinstance(left, ir.Const) and isinstance(right, ir.Const)):
        return None
    one, other = int(left.value or 0), int(right.value or 0)
    total = one + other if node.op == "+" else one - other if node.op == "-" else one * other
    return ir.Const(total, t.Int(total, total), node.span)


def _hidden(name: str, parts: object) -> bool:
    """Whether something inside has the same name."""
    return any(isinstance(node, ir.Gather) and node.name == name for node in nodes(parts))


def _terms(node: ir.Expr) -> int:
    """How many sides a test has."""
    if isinstance(node, ir.Binary) and node.op in ("and", "or"):
        return _terms(node.left) + _terms(node.right)
    return 1
