"""The types of the language as Python annotations. What may be none is `… | Any`: the compiler has checked it."""

from __future__ import annotations

from aeronef.dsl import ir
from aeronef.dsl import types as t


def plain(kind: t.Type) -> str:
    """Of a value that an expression gives."""
    match kind:
        case t.Bool():
            return "bool"
        case t.Optional(of):
            return f"{plain(of)} | Any"
        case t.Nothing():
            return "Any"
        case t.SetOf(of):
            return f"tuple[{plain(of)}, ...]"
        case t.ListOf(of):
            return f"Sequence[{plain(of)}]"
        case t.Owned():
            return "Owned"
        case t.Tray():
            return "list[int]"
        case t.ZoneOf(_, _, slot):
            return "int | Any" if slot else f"list[{'Owned' if kind.owned else 'int'}]"
        case _:
            return "int"


def parameter(kind: t.Type) -> str:
    """Of a value of an action: several of something come as a tuple."""
    return f"tuple[{plain(kind.of)}, ...]" if isinstance(kind, t.ListOf) else plain(kind)


def member(place: ir.Zone | ir.Variable) -> str:
    """Of what a position holds: a list for each `each:`."""
    if isinstance(place, ir.Zone):
        inner = "int | Any" if place.slot else f"list[{'Owned' if place.owned else 'int'}]"
    else:
        inner = plain(place.type)
    for _ in place.each:
        inner = f"list[{inner}]"
    return inner


def size_of(kind: t.Type) -> int:
    """How many values a type has, where that does not depend on the game at hand."""
    match kind:
        case t.Bool():
            return 2
        case t.Int(low, high):
            return high - low + 1
        case t.Enum(_, values):
            return len(values)
        case _:
            raise AssertionError(kind)
