"""A game seen from another chair: positions and actions with the seats of the players relabelled, and how two compare.

A `Turn` moves every player so many chairs on; the seats of automata stay. Whatever belongs to a seat goes with it
(parts of `each: seat`, seats and sets of seats among the values, owners of cards), and what is kept in an order of its
own is put back into it.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from aeronef.runtime.description import Domain, Maybe, Seat, SetOf, Several, Tray, Variable, Zone
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, Aside, Owned, Position
from aeronef.runtime.views import Place, entries_in, layout, part


class Turn:
    """The players of a game, each moved `by` chairs on."""

    def __init__(self, game: Game, by: int) -> None:
        self.game, self.by = game, by
        self.seats = [(s + by) % game.players if s < game.players else s for s in range(game.seats)]

    def seat(self, seat: int) -> int:
        """The new number of a seat; nobody and chance stay."""
        return self.seats[seat] if seat >= 0 else seat

    def value(self, domain: Domain, value: Any) -> Any:
        """A value of a domain, with the seats in it relabelled."""
        match domain:
            case Seat():
                return self.seats[value]
            case Maybe(of):
                return None if value is None else self.value(of, value)
            case SetOf(of) | Several(of) if _has_seats(of):
                return tuple(sorted(self.value(of, item) for item in value))
            case _:
                return value

    def position(self, position: Position) -> Position:
        """The position, relabelled; a new one."""
        new = position.copy()
        for place in self.game.variant.places:
            setattr(new, place.member, self._parts(place, place.each, getattr(position, place.member)))
        phases = self.game.variant.phases
        entries = phases[position.phase].entries if position.phase < len(phases) else None
        if entries is not None:
            new.row = [self.value(entries, value) for value in position.row]
        new.actor, new.me = self.seat(position.actor), self.seat(position.me)
        new.queue = [self.seats[seat] for seat in position.queue]
        new.back = tuple(self._aside(aside) for aside in position.back)
        return new

    def _aside(self, aside: Aside) -> Aside:
        phase, me, queue, began, guest = aside
        return phase, self.seat(me), tuple(self.seats[seat] for seat in queue), began, self.seat(guest)

    def _parts(self, place: Place, each: tuple[Domain, ...], value: Any) -> Any:
        if each:
            inner = [self._parts(place, each[1:], one) for one in value]
            if isinstance(each[0], Seat):
                moved = inner[:]
                for seat, one in enumerate(inner):
                    moved[self.seats[seat]] = one
                return moved
            return inner
        if isinstance(place, Variable):
            return self.value(place.domain, value)
        if isinstance(place, Zone) and place.owned:
            entries = [Owned(self.seats[entry.owner], entry.card) for entry in value]
            return sorted(entries) if place.form == "unordered" else entries
        return value[:] if isinstance(value, list) else value

    def action(self, action: int, chance: bool) -> int:
        """The number of an action (of chance: of an outcome), relabelled."""
        return self._outcomes[action] if chance else self._actions[action]

    @cached_property
    def _actions(self) -> list[int]:
        return self._moved(self.game.variant.actions, self.game.position_class.decisions)

    @cached_property
    def _outcomes(self) -> list[int]:
        return self._moved(self.game.variant.outcomes, self.game.position_class.chances)

    def _moved(self, described: Any, numbered: list[tuple[int, tuple[Any, ...]]]) -> list[int]:
        if not any(_has_seats(domain) for one in described for domain in one.params):
            return list(range(len(numbered)))
        number = {of: action for action, of in enumerate(numbered)}
        return [number[kind, self.values(described[kind], values)] for kind, values in numbered]

    def values(self, described: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The values of an action, relabelled."""
        return tuple(self.value(domain, value) for domain, value in zip(described.params, values, strict=True))


def _has_seats(domain: Domain) -> bool:
    return isinstance(domain, Seat) or (isinstance(domain, Maybe | SetOf | Several) and _has_seats(domain.of))


# ------------------------------------------------------------------------------------------ comparing


class Unlike(NamedTuple):
    """What differs between two positions: in words, with the element that holds it ("" where that is none), and both
    values."""

    what: str
    element: str
    one: Any
    other: Any


def unlike(game: Game, one: Position, other: Position) -> Unlike | None:
    """What first differs between two positions, if anything: the phase, who is to act, what is held.

    In which order seats choose together makes no difference (AE603), nor that in which chance comes to them.
    """
    if one.phase != other.phase or one.cut != other.cut:
        return Unlike("which phase it is", "", game.phase_name(one), game.phase_name(other))
    mine, yours = _turn(game, one), _turn(game, other)
    if mine != yours and _in_any_order(game, one.phase, one.me):
        mine, yours = (("any of", asked(position)) for position in (one, other))
    if mine != yours:
        return Unlike("whose turn it is", "", mine, yours)
    if one.back != other.back:
        mine, yours = ([_waiting_phases(game, aside) for aside in position.back] for position in (one, other))
        if mine != yours:
            return Unlike("who goes on after a detour", "", mine, yours)
    if one.row != other.row:
        return Unlike("what is still to be answered", "", one.row, other.row)
    return held(game, one, other)


def held(game: Game, one: Position, other: Position) -> Unlike | None:
    """The first part of what two positions hold that differs, as data."""
    for place in game.variant.places:
        if getattr(one, place.member) != getattr(other, place.member):
            break
    else:
        return None
    for found, name, laid in layout(game):
        if found is place:
            mine, yours = ([_data(place, part(p, place, one_.where)) for one_ in laid] for p in (one, other))
            if mine != yours:
                alone = laid[0].seat is None
                return Unlike(f"`{name}`", element_of(place), mine[0] if alone else mine, yours[0] if alone else yours)
    raise AssertionError(f"`{place.name}` differs and looks the same")


def element_of(place: Place) -> str:
    """A variable or a zone, as findings name it."""
    return f"{'vars' if isinstance(place, Variable) else 'zones'}.{place.name}"


def _data(place: Place, value: Any) -> Any:
    if isinstance(place, Variable):
        return place.domain.data(value)
    if isinstance(place, Tray):
        return [place.faces.data(face) for face in value]
    if place.owned:
        return [[entry.owner, place.cards.data(entry.card)] for entry in value]
    return [place.cards.data(card) for card in entries_in(value)]


def _in_any_order(game: Game, phase: int, me: int) -> bool:
    """Whether it makes no difference in which order a phase comes to its seats: they choose together, or chance acts
    for each."""
    if phase >= len(game.variant.phases):
        return False
    kind = game.variant.phases[phase].kind
    return kind == "together" or (kind == "chance" and me >= 0)


def _turn(game: Game, position: Position) -> Any:
    """Whose turn it is: who acts and who is still to come."""
    if _in_any_order(game, position.phase, position.me):
        return "any of", sorted({position.me, *position.queue})
    return "chance" if position.actor == CHANCE else position.actor, position.me, list(position.queue)


def _waiting_phases(game: Game, aside: Aside) -> Any:
    phase, me, queue, _, guest = aside
    return phase, sorted({me, *queue}) if _in_any_order(game, phase, me) else (me, queue), guest


def asked(position: Position) -> list[int]:
    """The seat whose turn it is, and those that are still to come, less those that would not be asked as it stands."""
    return [seat for seat in sorted({position.me, *position.queue}) if seat == position.me or _is_asked(position, seat)]


def _is_asked(position: Position, seat: int) -> bool:
    alone = position.copy()
    alone.queue = [seat]
    try:
        return alone.following[alone.phase](alone) is None and alone.me == seat
    except RuleFault:  # which play will show
        return True
