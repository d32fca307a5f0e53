"""What two pieces of IR have in common, and one that is both: for the games of a spec under different overlays.

The games are brought to the same types first (a word is the same number everywhere). Two pieces are alike where they
mean the same, whatever was written around them; `both` is then one with the wider of their types.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.switches import On
from aeronef.dsl.walk import nodes, rewritten

ALIKE = ("span", "type", "item", "guarded", "size_most", "by", "says", "words", "when_words", "citations",
         "apart")  # fmt: skip


# ------------------------------------------------------------------------------------------ the same types for all


def aligned(games: Sequence[ir.Game]) -> list[ir.Game]:
    """The games with the words of all of them in each enumeration, so that a word is the same number everywhere."""
    words: dict[str, list[str]] = {}
    for game in games:
        for name, values in game.enums:
            words[name] = merged([words.get(name, []), values])
    enums = {name: t.Enum(name, tuple(values)) for name, values in words.items()}

    spelt = {_word(node) for game in games for node in nodes(_whole(game)) if getattr(node, "apart", False)}

    def apart(node: ir.Const | ir.Option) -> bool:
        return _word(node) in spelt

    def index(value: Any, old: t.Enum) -> Any:
        return value if value is None else enums[old.name].values.index(old.values[value])

    def change(node: Any) -> Any:
        if isinstance(node, t.Enum):
            return enums.get(node.name, node)
        if isinstance(node, ir.Const):
            old = t.strip(node.type)
            if isinstance(old, t.Enum) and old.name in enums:
                kind = rewritten(node.type, change)
                return dataclasses.replace(
                    node, value=index(node.value, old), type=kind, apart=node.apart or apart(node)
                )
            return dataclasses.replace(node, apart=True) if apart(node) else None
        if isinstance(node, ir.Option):
            return dataclasses.replace(node, apart=True) if apart(node) else None
        if isinstance(node, ir.DiceType) and isinstance(face := node.face, t.Enum) and face.name in enums:
            weights = dict(zip(face.values, node.weights, strict=True))
            wider = enums[face.name]
            return dataclasses.replace(node, face=wider, weights=tuple(weights.get(word, 0) for word in wider.values))
        if isinstance(node, ir.CardType):
            kinds = [t.strip(kind) for _, kind in node.attributes]
            rows = tuple(
                dataclasses.replace(row, attributes=tuple(
                    index(value, kind) if isinstance(kind, t.Enum) else value
                    for value, kind in zip(row.attributes, kinds, strict=True)
                ))
                for row in node.kinds
            )  # fmt: skip
            attributes = tuple((name, rewritten(kind, change)) for name, kind in node.attributes)
            return dataclasses.replace(node, attributes=attributes, kinds=rows)
        return None

    whole = tuple((name, enum.values) for name, enum in enums.items())
    return [dataclasses.replace(rewritten(game, change), enums=whole) for game in games]


def _word(node: ir.Const | ir.Option) -> Any:
    """What may have to be told apart from something of the same name."""
    if isinstance(node, ir.Option):
        return node.name
    kind = t.strip(node.type)
    return (kind.name, kind.values[int(node.value)]) if isinstance(kind, t.Enum) and node.value is not None else None


def _whole(game: ir.Game) -> tuple[Any, ...]:
    """All of a game that holds expressions."""
    return game.options, game.zones, game.variables, game.defines, game.phases, game.result, game.invariants, (
        game.automata or (), game.longest, game.accepts, game.measures)  # fmt: skip


def merged(lists: Iterable[Sequence[str]]) -> list[str]:
    """All names of several lists, each after what it comes after in its own."""
    found: list[str] = []
    for names in lists:
        at = 0
        for name in names:
            if name in found:
                at = found.index(name) + 1
            else:
                found.insert(at, name)
                at += 1
    return found


# ------------------------------------------------------------------------------------------ what is the same


def meaning(node: Any) -> Any:
    """What two pieces of IR have in common that mean the same."""
    if isinstance(node, tuple):
        return tuple(meaning(item) for item in node)
    if isinstance(node, ir.Const):
        return ("Const", repr(node.value), str(t.strip(node.type)) if isinstance(t.strip(node.type), t.Enum) else "")
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        skipped = ("span",) if isinstance(node, ir.Step) else ALIKE  # the `by` of a step is its number
        values = [getattr(node, f.name) for f in dataclasses.fields(node) if f.name not in skipped]
        range_ = (str(node.target.type),) if isinstance(node, ir.Assign) else ()  # what is stored is checked against it
        return (type(node).__name__, *(meaning(value) for value in values), *range_)
    return node


def both(a: Any, b: Any) -> Any:
    """Two pieces of IR that mean the same as one: with the wider of their types."""
    if isinstance(a, tuple):
        return tuple(both(x, y) for x, y in zip(a, b, strict=True)) if len(a) == len(b) else a
    if not dataclasses.is_dataclass(a) or isinstance(a, Span | type):
        return a
    changes: dict[str, Any] = {}
    for f in dataclasses.fields(a):
        one, other = getattr(a, f.name), getattr(b, f.name)
        if one is other or f.name == "span":
            continue
        if f.name in ("type", "item"):
            changes[f.name] = wider(one, other)
        elif f.name in ("guarded", "apart"):
            changes[f.name] = one or other
        elif f.name == "size_most":
            changes[f.name] = max(one, other)
        elif f.name == "by" and isinstance(one, tuple):
            changes[f.name] = tuple(dict.fromkeys((*one, *other)))
        elif f.name == "citations":
            continue
        else:
            changes[f.name] = both(one, other)
    return dataclasses.replace(a, **changes) if changes else a


def all_of(values: Sequence[Any]) -> Any:
    """As `both`, of several."""
    found, *others = values
    for other in others:
        found = both(found, other)
    return found


def words_of(variants: Mapping[On, Any], field: str = "words") -> str:
    """How something reads that is not always the same."""
    words = dict.fromkeys(getattr(v, field) for v in variants.values())
    return " / ".join(word for word in words if word)


def wider(a: t.Type, b: t.Type) -> t.Type:
    match a, b:
        case t.ZoneOf(), t.ZoneOf():
            return dataclasses.replace(a, most=max(a.most, b.most))
        case _:
            return t.join(a, b) or a


def joined(kinds: Iterable[t.Type]) -> t.Type:
    found, *others = kinds
    for kind in others:
        found = wider(found, kind)
    return found
