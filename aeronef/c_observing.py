"""Where the numbers of an observation stand, as the C file of a game needs it: the runtime's cells in the words of the
settled game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aeronef.c_layout import number_map, part_paths, valued_by
from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.observe import Cells, Observing
from aeronef.dsl.emit.expressions import places
from aeronef.runtime import tensors
from aeronef.runtime.description import Count, Int, SetOf, Tray, Variable
from aeronef.runtime.game import Game
from aeronef.runtime.tensors import Cell


def observing(game: Game, settled: ir.Game) -> Observing:
    """Where everything stands in the observations of a game."""
    names = [phase.name for phase in game.variant.phases]
    phases = tuple(names.index(phase.called or phase.name) for phase in settled.phases)
    known = {place.name: place for place in game.variant.places}
    at = {(cell.laid.place.name, cell.laid.where): cell for cell in tensors.cells(game)}
    found = []
    for part in places(settled):
        place = known[getattr(part, "called", "") or part.name]
        here = [at[place.name, tuple(path)] for path in part_paths(part.each, place.each, game.seats)]
        found.append(_cells(game, settled, part, here))
    return Observing(tensors.observation_size(game), (*phases, len(names)), len(names) + 1, tuple(found))


def _cells(game: Game, settled: ir.Game, part: ir.Zone | ir.Variable, here: list[Cell]) -> Cells:
    place, at = here[0].laid.place, tuple(cell.at for cell in here)
    if isinstance(part, ir.Zone) and not isinstance(place, Tray | Variable) and not part.dice:
        labels, copies = len(place.cards.labels), tensors.copies(place)
        numbers = number_map(settled, part.holding, place.cards) or list(range(_kinds(settled, part.card)))
        owners = range(game.seats) if part.owned else range(1)
        things = tuple(owner * labels + card for owner in owners for card in numbers)
        measures = tuple(copies[thing % labels] or 1 for thing in things)
        return Cells("cards", at, here[0].room, things, many=labels * len(owners), measures=measures)
    if isinstance(place, Tray):
        assert isinstance(part, ir.Zone)
        assert part.face is not None
        low, faces = _places(settled, part.face, place.faces, game.seats, here[0].values)
        return Cells(
            "dice", at, place.holds, faces, low, many=len(here[0].values), measures=(place.holds,) * len(faces)
        )
    assert isinstance(place, Variable)
    assert isinstance(part, ir.Variable)
    values, domain = here[0].values, place.domain
    match domain:
        case Count():
            return Cells("count", at, game.max_game_length())
        case SetOf(of):
            assert isinstance(part.type, t.SetOf)
            low, places_ = _places(settled, part.type.of, of, game.seats, values)
            return Cells("set", at, 1, places_, low)
        case _ if values:
            low, places_ = _places(settled, part.type, domain, game.seats, values)
            return Cells("value", at, 1, places_, low, values.index(None) if None in values else 0)
        case Int():
            return Cells("scaled", at, max(1, domain.high - domain.low), low=domain.low)
        case _:
            numbers = number_map(settled, part.type, domain) or []
            return Cells("scaled", at, max(1, domain.many(game.seats)), tuple(numbers))


def _places(
    settled: ir.Game, kind: t.Type, domain: Any, seats: int, values: list[Any]
) -> tuple[int, tuple[int, ...]]:  # fmt: skip
    """The lowest number of a type's values, and for each from there on its place among those that are told apart."""
    low, high = _bounds(settled, kind, seats)
    read: Callable[[int], Any] = valued_by(number_map(settled, kind, domain), domain)
    found = [read(number) for number in range(low, high + 1)]
    return low, tuple(values.index(value) if value in values else 0 for value in found)


def _bounds(settled: ir.Game, kind: t.Type, seats: int) -> tuple[int, int]:
    match t.strip(kind):
        case t.Int(low, high):
            return low, high
        case t.Bool():
            return 0, 1
        case t.Enum(_, words):
            return 0, len(words) - 1
        case t.Seat():
            return 0, seats - 1
        case t.Card(name):
            return 0, _kinds(settled, name) - 1
        case _:
            return 0, 0


def _kinds(settled: ir.Game, card: str) -> int:
    return next(len(known.kinds) for known in settled.cards if known.name == card)
