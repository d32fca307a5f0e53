"""States and views as data (their shape: docs/formats). A view is derived from the visibility predicates alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from aeronef.runtime.description import Seat, Tray, Variable, Zone
from aeronef.runtime.kernel import CHANCE, TERMINAL, Owned, Position

if TYPE_CHECKING:
    from aeronef.runtime.game import Game

Data = dict[str, Any]
Place = Zone | Tray | Variable


def state_data(game: Game, position: Position) -> Data:
    """The whole state."""
    return _data(game, position, None)


def view_data(game: Game, position: Position, viewer: int) -> Data:
    """The state as the viewer may know it: `{"hidden": k}` for cards, "?" for a variable that it may not see."""
    return _data(game, position, viewer)


@dataclass(frozen=True, slots=True)
class Laid:
    """One part of an element: where it lies in the position's nested lists, and the seat that it belongs to."""

    place: Place
    where: tuple[int, ...]
    seat: int | None


def layout(game: Game) -> list[tuple[Place, str, list[Laid]]]:
    """Every element's entries in data with their parts, worked out once for a game."""
    if game.laid is None:
        game.laid = [
            (place, name, [Laid(place, path(place, values, seat), seat) for seat in _owners(game, place)])
            for place in game.variant.places
            for name, values in names(place)
        ]
    return game.laid


def parts(game: Game) -> Iterator[Laid]:
    """Every part of every element."""
    for _, _, laid in layout(game):
        yield from laid


def _owners(game: Game, place: Place) -> list[int | None]:
    return list(range(game.seats)) if by_seat(place) else [None]


def _data(game: Game, position: Position, viewer: int | None) -> Data:
    actor: int | str | None = position.actor
    if position.actor in (CHANCE, TERMINAL):
        actor = "chance" if position.actor == CHANCE else None
    variables: Data = {}
    zones: Data = {}
    for place, name, laid in layout(game):
        entries = [_entry(position, entry, viewer) for entry in laid]
        target = variables if isinstance(place, Variable) else zones
        target[name] = entries[0] if laid[0].seat is None else entries
    return {"phase": game.phase_name(position), "actor": actor, "vars": variables, "zones": zones}


def names(place: Place) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The names of an element in data, with its values of the types other than seat: `board_a1` for `board[a1]`."""
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
            found.append(domain.at(value))
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
    inner = whole = getattr(position, place.member)
    for index in where[:-1]:
        inner = inner[index]
    inner[where[-1]] = value
    setattr(position, place.member, whole)  # so that a position which is kept elsewhere too hears of it


def by_seat(place: Place) -> bool:
    return any(isinstance(domain, Seat) for domain in place.each)


def sees(position: Position, place: Place, viewer: int, owner: int | None) -> bool:
    """Whether the viewer may see the element (or the owner's part of it), by its predicate."""
    if owner is None:
        return bool(place.sees(position, viewer))
    return bool(place.sees(position, viewer, owner))


def _entry(position: Position, laid: Laid, viewer: int | None) -> Any:
    place = laid.place
    value = getattr(position, place.member)
    for index in laid.where:
        value = value[index]
    open_ = viewer is None or sees(position, place, viewer, laid.seat)
    if isinstance(place, Variable):
        return place.domain.data(value) if open_ else "?"
    entries = entries_in(value)
    if not open_:
        return {"hidden": len(entries)}
    if isinstance(place, Tray):
        return [place.faces.data(face) for face in entries]
    labels = place.cards.labels
    if place.owned:
        return [[entry.owner, labels[entry.card]] for entry in entries]
    return [labels[card] for card in entries]


def entries_in(value: Any) -> list[Any]:
    """What lies in a zone's part, of a slot too: cards, or cards with their owners."""
    if value is None:
        return []
    return [value] if isinstance(value, int) else list(value)


def cards_in(value: Any) -> list[int]:
    """The cards of a zone's part, whoever owns them."""
    return [entry.card if isinstance(entry, Owned) else entry for entry in entries_in(value)]


def flat(value: Any, depth: int) -> list[Any]:
    """The parts of nested lists."""
    if depth == 0:
        return [value]
    return value if depth == 1 else [part for inner in value for part in flat(inner, depth - 1)]


def lying(position: Position, zone: Zone) -> list[int]:
    """The cards of all parts of a zone."""
    return [card for part_ in flat(getattr(position, zone.member), len(zone.each)) for card in cards_in(part_)]


def as_frozen(game: Game, frozen: Position, now: Position, seat: int) -> Position:
    """What a seat may know while it and others choose together: the picture of the phase's beginning, with what is
    the seat's own as it is now."""
    mixed = frozen.copy()
    mixed.phase, mixed.actor = now.phase, now.actor
    for laid in parts(game):
        if laid.seat == seat:
            value = part(now, laid.place, laid.where)
            put_part(mixed, laid.place, laid.where, value[:] if isinstance(value, list) else value)
    return mixed
