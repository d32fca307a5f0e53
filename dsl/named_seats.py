"""Where the rules of a game name a seat: what they say of it need not hold of the others.

A seat is named by a constant (`from: 0`, `me == 0`, an option that is set to a seat), by a table that has not the same
for every seat or gives seats, by turns in the order of their numbers (`turns: players`), and by the first or
last of all. Seats that are named among others, by how they compare (`first([p in players by …])`), are not looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.walk import nodes

Place = tuple[str, Span]  # the element, as findings name it, and where in the spec


def named_seats(game: ir.Game, start: bool = True) -> tuple[Place, ...]:
    """Every place where a seat is named, in the order of the spec's sections; `start`: those too that only say what
    variables and zones start with, and in which order seats have turns. The options of the game should be settled
    (`specialise`): one that is a seat and is not counts as one. What is only measured, or only an invariant, changes
    nothing in play and is left out."""
    return tuple(dict.fromkeys(_places(game, start)))


def _places(game: ir.Game, start: bool) -> Iterator[Place]:
    for table in game.tables:
        if _of_one_seat(table):
            yield f"tables.{table.name}", table.span
    for zone in game.zones:
        yield from _in(f"zones.{zone.name}", ((start and zone.starts) or (), zone.seen, zone.refill or ()))
    for variable in game.variables:
        yield from _in(f"vars.{variable.name}", ((start and variable.starts) or (), variable.seen))
    for define in game.defines:
        yield from _in(f"define.{define.name}", define.body)
    for phase in game.phases:
        element = f"phases.{phase.name}"
        if start or phase.kind != "turns":
            yield from _order(phase)
        yield from _in(element, (
            phase.effects, phase.until or (), phase.asks or (), phase.unasked, phase.then, phase.sequence or (),
        ))  # fmt: skip
        for action in phase.actions:
            yield from _in(f"{element}.{'outcomes' if phase.kind == 'chance' else 'actions'}.{action.key}", action)
    yield from _in("result", game.result)


def openings(game: ir.Game) -> tuple[str, ...]:
    """The phases of turns whose order names a seat: with whom they begin, or seats by their numbers."""
    return tuple(p.called or p.name for p in game.phases if p.kind == "turns" and any(_order(p)))


def _order(phase: ir.Phase) -> Iterator[Place]:
    """Where the order in which seats act in a phase names one."""
    if phase.kind == "turns" and phase.over is not None and _by_numbers(phase.over):
        yield f"phases.{phase.name}", phase.over.span
    yield from _in(f"phases.{phase.name}", (phase.over or (), phase.start or ()))


def _in(element: str, part: Any) -> Iterator[Place]:
    """The places inside a part of an element."""
    for node in nodes(part):
        match node:
            case ir.Const(value, kind) if value is not None and t.strip(kind) == t.Seat():
                yield element, node.span
            case ir.Option(_, kind) if t.strip(kind) == t.Seat():
                yield element, node.span
            case ir.Builtin("first" | "last", (of,)) if _everybody(of):
                yield element, node.span


def _by_numbers(over: ir.Expr) -> bool:
    """Whether turns are of all seats, or of those for which a test holds, in the order of their numbers."""
    match over:
        case ir.Aggregate("list", ir.Local(name), ir.Gather(bound, source, _, None)):
            return name == bound and _everybody(source)
        case _:
            return _everybody(over)


def _everybody(node: ir.Expr) -> bool:
    """Whether it is all seats or all players, in the order of their numbers."""
    match node:
        case ir.Everything("players" | "seats"):
            return True
        case ir.Aggregate("list", ir.Local(name), ir.Gather(bound, source, None, None)):
            return name == bound and _everybody(source)
        case _:
            return False


def _of_one_seat(table: ir.Table) -> bool:
    """Whether a table has other values for one seat than for another, or has seats as its values."""
    kind = table.type.of if isinstance(table.type, t.SetOf) else t.strip(table.type)
    if kind == t.Seat() and any(value not in (None, ()) for value in table.values):
        return True
    if t.Seat() not in table.each:
        return False
    axes = [index for index, each in enumerate(table.each) if each == t.Seat()]
    found: dict[tuple[int, ...], set[Any]] = {}
    for keys, value in zip(product(*map(range, table.sizes)), table.values, strict=True):
        others = tuple(key for index, key in enumerate(keys) if index not in axes)
        found.setdefault(others, set()).add(value)
    return any(len(values) > 1 for values in found.values())
