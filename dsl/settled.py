"""What is left to do when it is settled which overlays are on: words that are not there, and names in states."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.walk import nodes


def is_const(node: Any, value: int | bool | None) -> bool:
    """Whether a node is this constant; false is not 0."""
    return isinstance(node, ir.Const) and node.value == value and type(node.value) is type(value)


def without_words(game: ir.Game) -> ir.Game:
    """Words that are not there go, so that the others are numbered without them; of words that always are, nothing is
    said any more. A word that something still speaks of stays."""
    spoken = {(n.type.name, n.type.values[n.value]) for n in nodes((game.defines, game.phases, game.variables,
              game.zones, game.result, game.invariants)) if isinstance(n, ir.Const) and isinstance(n.type, t.Enum)
              and n.value is not None}  # fmt: skip
    gone = {(name, word) for name, word, only in game.words_only if is_const(only, False)} - spoken
    left = tuple(row for row in game.words_only if row[:2] not in gone and not is_const(row[2], True))
    game = dataclasses.replace(game, words_only=left)
    if not gone:
        return game
    places = {name: [i for i, word in enumerate(words) if (name, word) not in gone] for name, words in game.enums}

    def moved(value: int | bool | None, attribute: tuple[str, t.Type]) -> int | bool | None:
        inner = t.strip(attribute[1])
        known = isinstance(inner, t.Enum) and inner.name in places and value is not None
        return places[inner.name].index(int(value)) if known else value  # type: ignore[union-attr, arg-type]

    def rewritten(node: Any) -> Any:
        match node:
            case ir.Const(value, t.Enum(name)) if name in places and value is not None:
                return dataclasses.replace(node, value=places[name].index(int(value)), type=rewritten(node.type))
            case t.Enum(name, words) if name in places:
                return t.Enum(name, tuple(words[i] for i in places[name]))
            case t.ListOf(t.Enum() as of) | t.SetOf(t.Enum() as of):
                inner = rewritten(of)
                return dataclasses.replace(node, of=inner, most=min(node.most, len(inner.values)))
            case ir.CardType(_, attributes):
                kinds = tuple(
                    dataclasses.replace(k, attributes=tuple(map(moved, k.attributes, attributes))) for k in node.kinds
                )
                return dataclasses.replace(node, kinds=kinds, attributes=copied(attributes, rewritten))
            case ir.DiceType(_, t.Enum(name), weights) if name in places:
                return dataclasses.replace(
                    node, face=rewritten(node.face), weights=tuple(weights[i] for i in places[name])
                )
            case _:
                return copied(node, rewritten)

    enums = tuple((name, tuple(words[i] for i in places[name])) for name, words in game.enums)
    made: ir.Game = copied(game, rewritten)
    return dataclasses.replace(made, enums=enums)


def called_as_seen(game: ir.Game) -> ir.Game:
    """Zones, variables and phases have the names that states show, where these have become free."""
    for sort in ("place", "phase"):
        things: tuple[Any, ...] = game.variables if sort == "place" else game.phases
        shown = [thing.called or thing.name for thing in things]
        names = {thing.name: thing.called for thing in things if thing.called and shown.count(thing.called) == 1}
        if names:
            game = _renamed(game, sort, names)
    return game


def _renamed(game: ir.Game, sort: str, names: dict[str, str]) -> ir.Game:
    def rewritten(node: Any) -> Any:
        match node:
            case ir.Read(name) if sort == "place" and name in names:
                return dataclasses.replace(copied(node, rewritten), name=names[name])
            case ir.Variable(name) if sort == "place" and name in names:
                return dataclasses.replace(copied(node, rewritten), name=names[name], called="")
            case ir.Phase(name) if sort == "phase" and name in names:
                return dataclasses.replace(copied(node, rewritten), name=names[name], called="")
            case ir.Goto(branches) if sort == "phase":
                return dataclasses.replace(node, branches=tuple((test, names.get(n, n)) for test, n in branches))
            case _:
                return copied(node, rewritten)

    made: ir.Game = copied(game, rewritten)
    return made


def copied(node: Any, rewritten: Callable[[Any], Any]) -> Any:
    """A node with what is in it rewritten; anything that is no node as it is."""
    if isinstance(node, tuple):
        return tuple(map(rewritten, node))
    if isinstance(node, Span) or not dataclasses.is_dataclass(node) or isinstance(node, type):
        return node
    return dataclasses.replace(node, **{f.name: rewritten(getattr(node, f.name)) for f in dataclasses.fields(node)})
