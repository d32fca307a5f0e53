"""The value of an expression that depends on options, players and seats alone: what is known before a game starts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "in": lambda left, right: left in right, "not in": lambda left, right: left not in right,
}  # fmt: skip
PATIENCE = 200_000


class TooMuch(Exception):
    """It would take too long to work this out."""


class Given:
    """A number of players and the options' values; `patience` is how many expressions may still be evaluated."""

    def __init__(self, game: ir.Game, players: int, options: Mapping[str, Any], patience: int = PATIENCE) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.patience = patience
        self.seats = players
        if game.automata is not None:
            self.seats += int(evaluate(game.automata, self, {}))


def gathered(over: ir.Gather, given: Given, local: Mapping[str, Any]) -> list[Any]:
    """What a gather gives, in its order."""
    items = [
        item for item in evaluate(over.source, given, local)
        if over.test is None or evaluate(over.test, given, {**local, over.name: item})
    ]  # fmt: skip
    if over.key is not None:
        key = over.key
        items.sort(key=lambda item: evaluate(key, given, {**local, over.name: item}) * (-1 if over.down else 1))
    return items


def evaluate(node: ir.Expr, given: Given, local: Mapping[str, Any]) -> Any:
    """The value of a node. Raises TooMuch."""
    given.patience -= 1
    if given.patience < 0:
        raise TooMuch
    match node:
        case ir.Const(value):
            return value
        case ir.Local(name):
            return local[name]
        case ir.Option(name):
            return given.options[name]
        case ir.Everything(of):
            return _everything(of, node.type, given)
        case ir.Labelled(of, label):
            kinds = next(card.kinds for card in given.game.cards if card.name == of)
            return next(i for i, kind in enumerate(kinds) if kind.label == label)
        case ir.Lookup(name, keys):
            return _looked_up(name, [evaluate(key, given, local) for key in keys], given)
        case ir.Attribute(of, name):
            card = evaluate(of, given, local)
            kind = of.type if isinstance(of.type, t.Card) else t.strip(of.type)
            if card is None or not isinstance(kind, t.Card):
                return None
            declared = next(c for c in given.game.cards if c.name == kind.name)
            return declared.kinds[card].attributes[[n for n, _ in declared.attributes].index(name)]
        case ir.Unary(op, of):
            value = evaluate(of, given, local)
            return not value if op == "not" else -value
        case ir.Binary():
            return _binary(node, given, local)
        case ir.Choice(test, then, other):
            return evaluate(then if evaluate(test, given, local) else other, given, local)
        case ir.Builtin(name, args):
            return _builtin(name, [evaluate(a, given, local) for a in args], given)
        case ir.Collection(kind, items):
            values = [evaluate(i, given, local) for i in items]
            return sorted(set(values)) if kind == "set" else values
        case ir.Aggregate(kind, body, over):
            values = [evaluate(body, given, {**local, over.name: item}) for item in gathered(over, given, local)]
            return _aggregate(kind, values)
        case ir.Read(name) | ir.Call(name):
            raise AssertionError(f"`{name}` is not known before the game")


def _looked_up(name: str, keys: list[Any], given: Given) -> Any:
    table = next(table for table in given.game.tables if table.name == name)
    place = 0
    for key, kind, size in zip(keys, table.each, table.sizes, strict=True):
        place = place * size + int(key) - (kind.low if isinstance(kind, t.Int) else 0)
    return table.values[place]


def _everything(of: str, kind: t.Type, given: Given) -> Iterator[int] | range:
    inner = t.element(kind)
    if of == "players":
        return range(given.players)
    if of == "seats":
        return range(given.seats)
    if isinstance(inner, t.Int):
        return range(inner.low, inner.high + 1)
    return range(t.most(kind))


def _binary(node: ir.Binary, given: Given, local: Mapping[str, Any]) -> Any:
    left = evaluate(node.left, given, local)
    if node.op == "and":
        return left and evaluate(node.right, given, local)
    if node.op == "or":
        return left or evaluate(node.right, given, local)
    if node.op == "otherwise":
        return evaluate(node.right, given, local) if left is None else left
    right = evaluate(node.right, given, local)
    return OPERATORS[node.op](left, right)


def _builtin(name: str, args: list[Any], given: Given) -> Any:
    match name:
        case "size":
            return len(args[0])
        case "odd" | "even":
            return args[0] % 2 == (name == "odd")
        case "abs":
            return abs(args[0])
        case "min" | "max":
            return (min if name == "min" else max)(args)
        case "clamp":
            return min(max(args[0], args[1]), args[2])
        case "range":
            return range(args[0], args[1] + 1)
        case "left":
            return (args[0] + (args[1] if len(args) > 1 else 1)) % given.seats
        case "right":
            return (args[0] - (args[1] if len(args) > 1 else 1)) % given.seats
        case "automaton":
            return args[0] >= given.players
        case "first" | "last":
            items = list(args[0])
            return items[0 if name == "first" else -1] if items else None
        case "clockwise":
            return [*range(args[0], given.players), *range(min(args[0], given.players))]
        case _:
            raise AssertionError(name)


def _aggregate(kind: str, values: list[Any]) -> Any:
    match kind:
        case "count":
            return len(values)
        case "sum":
            return sum(values)
        case "any" | "all":
            return any(values) if kind == "any" else all(values)
        case "min" | "max":
            return (min if kind == "min" else max)(values, default=None)
        case "set":
            return sorted(set(values))
        case _:
            return values
