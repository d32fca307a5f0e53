"""Places that an expression looks at part by part, again and again: their parts get names first.

`(cell_1_1, cell_1_2), (cell_2_1, cell_2_2) = self.cell` is read once; `cell_1_1 == p` then costs a third of
`self.cell[0][0] == p`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.annotations import size_of
from aeronef.dsl.emit.expressions import Speller, fixed, places
from aeronef.dsl.emit.lines import WIDTH
from aeronef.dsl.emit.names import INSIDE, MODULE, Names
from aeronef.dsl.emit.writer import Writer
from aeronef.dsl.walk import nodes, reads

MOST = 16  # parts of one place
OFTEN = 2  # looks at each, on average


@contextmanager
def taken_apart(speller: Speller, write: Writer, node: object, often: int = OFTEN) -> Iterator[None]:
    """While the expression is spelt, the parts that it often looks at have names, which are given before it."""
    counts = Counter(read.name for read in reads(node) if fixed(read) is not None)
    for place in places(speller.game):
        if counts[place.name] and (sizes := _sizes(place)) and counts[place.name] >= often * _many(sizes):
            taken = {n.name for n in nodes(speller.game) if isinstance(n, ir.Local | ir.Gather | ir.Let | ir.Parameter)}
            names = Names(MODULE | INSIDE | taken | set(speller.constants.given.values()))
            rows = [_called(kind) for kind in place.each]
            for part in product(*rows):
                values = tuple(value for value, _ in part)
                wish = "_".join([speller.place(place.name), *(word for _, word in part)])
                speller.apart[place.name, values] = names.of(values, wish)
            line = f"{_targets(speller, place, ())} = self.{speller.place(place.name)}"
            if 4 * write.depth + len(line) <= WIDTH:
                write.line(line)
            else:  # names that take several lines to give help nobody
                for part in product(*rows):
                    del speller.apart[place.name, tuple(value for value, _ in part)]
    try:
        yield
    finally:
        speller.apart.clear()


def _sizes(place: ir.Zone | ir.Variable) -> list[int]:
    """How many parts there are in each direction; [] where that depends on the players, or they are many."""
    if any(isinstance(kind, t.Seat) for kind in place.each):
        return []
    sizes = [size_of(kind) for kind in place.each]
    return sizes if 1 < _many(sizes) <= MOST else []


def _many(sizes: list[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total


def _called(kind: t.Type) -> list[tuple[int, str]]:
    """The values of a key, each with its word."""
    match kind:
        case t.Enum(_, words):
            return list(enumerate(words))
        case t.Int(low, high):
            return [(number, str(number).replace("-", "minus_")) for number in range(low, high + 1)]
        case _:
            return [(0, "false"), (1, "true")]


def _targets(speller: Speller, place: ir.Zone | ir.Variable, before: tuple[int, ...]) -> str:
    """What the place is unpacked to, in brackets for each direction but the first."""
    if len(before) == len(place.each):
        return speller.apart[place.name, before]
    inner = ", ".join(_targets(speller, place, (*before, value)) for value, _ in _called(place.each[len(before)]))
    if len(before) == 0:
        return inner if size_of(place.each[0]) > 1 else f"({inner},)"
    return f"({inner})" if size_of(place.each[len(before)]) > 1 else f"({inner},)"
