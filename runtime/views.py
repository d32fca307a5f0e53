"""States and views as data (their shape: docs/formats). A view is derived from the visibility predicates alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from aeronef.runtime.description import Domain, Seat, Variable, Zone
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL, Position

Data = dict[str, Any]
Place = Zone | Variable


def state_data(game: Game, position: Position) -> Data:
    """The whole state."""
    return _data(game, position, None)


def view_data(game: Game, position: Position, viewer: int) -> Data:
    """The state as the viewer may know it: `{"hidden": k}` for cards, "?" for a variable that it may not see."""
    return _data(game, position, viewer)


def _data(game: Game, position: Position, viewer: int | None) -> Data:
    actor: int | str | None = position.actor
    if position.actor in (CHANCE, TERMINAL):
        actor = "chance" if position.actor == CHANCE else None
    variables: Data = {}
    for variable in game.variant.variables:
        for name, value in shown(game, position, variable, viewer):
            variables[name] = value
    zones: Data = {}
    for zone in game.variant.zones:
        for name, value in shown(game, position, zone, viewer):
            zones[name] = value
    return {"phase": game.phase_name(position), "actor": actor, "vars": variables, "zones": zones}


def names(place: Place) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The names of an element in data, each with its values of the types other than seat: `board_a1` for `board[a1]`."""
    others = [domain for domain in place.each if not isinstance(domain, Seat)]
    for values in product(*(domain.values(0) for domain in others)):
        labels = [str(domain.label(value)) for domain, value in zip(others, values, strict=True)]
        yield "_".join([place.name, *labels]), values


def path(place: Place, values: tuple[Any, ...], seat: int | None) -> tuple[int, ...]:
    """Where the part for these values (and this seat) lies in the position's nested lists."""
    rest = iter(values)
    found = []
    for domain in place.each:
        if isinstance(domain, Seat):
            assert seat is not None
            found.append(seat)
        else:
            value = next(rest)
            found.append(domain.values(0).index(value))
    return tuple(found)


def part(position: Position, place: Place, where: tuple[int, ...]) -> Any:
    value = getattr(position, place.member)
    for index in where:
        value = value[index]
    return value


def put_part(position: Position, place: Place, where: tuple[int, ...], value: Any) -> None:
    if not where:
        setattr(position, place.member, value)
        return
    inner = getattr(position, place.member)
    for index in where[:-1]:
        inner = inner[index]
    inner[where[-1]] = value


def by_seat(place: Place) -> bool:
    return any(isinstance(domain, Seat) for domain in place.each)


def sees(position: Position, place: Place, viewer: int, owner: int | None) -> bool:
    """Whether the viewer may see the element (or the owner's part of it), by its predicate."""
    if owner is None:
        return bool(place.sees(position, viewer))
    return bool(place.sees(position, viewer, owner))


def shown(game: Game, position: Position, place: Place, viewer: int | None) -> Iterator[tuple[str, Any]]:
    """The entries of an element in the state (viewer None) or in a view."""
    for name, values in names(place):
        if by_seat(place):
            yield name, [_entry(position, place, values, viewer, seat) for seat in range(game.seats)]
        else:
            yield name, _entry(position, place, values, viewer, None)


def _entry(position: Position, place: Place, values: tuple[Any, ...], viewer: int | None, owner: int | None) -> Any:
    value = part(position, place, path(place, values, owner))
    open_ = viewer is None or sees(position, place, viewer, owner)
    if isinstance(place, Variable):
        return place.domain.data(value) if open_ else "?"
    cards = cards_in(value)
    return [place.cards.data(card) for card in cards] if open_ else {"hidden": len(cards)}


def cards_in(value: Any) -> list[int]:
    """The cards of a zone's part, of a slot too."""
    if value is None:
        return []
    return [value] if isinstance(value, int) else list(value)


def as_frozen(game: Game, frozen: Position, now: Position, seat: int) -> Position:
    """What a seat may know while it and others choose together: the picture of the phase's beginning, with what is
    the seat's own as it is now."""
    mixed = frozen.copy()
    mixed.phase, mixed.actor = now.phase, now.actor
    for place in (*game.variant.zones, *game.variant.variables):
        if by_seat(place):
            for _, values in names(place):
                where = path(place, values, seat)
                value = part(now, place, where)
                put_part(mixed, place, where, value[:] if isinstance(value, list) else value)
    return mixed


def domain_of(place: Place) -> Domain:
    return place.cards if isinstance(place, Zone) else place.domain
