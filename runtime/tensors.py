"""Views and information states as arrays of float32, for learning.

An observation is, for each part of the state: 1 if it is seen; then of a variable its value (one-hot where it has at
most WIDE values, else scaled to 0…1), of a zone its size and how many of each card it holds, as parts of what there
can be (of one that keeps owners, of each seat's cards; of dice, how many show each face); of an ordered zone also the
place of each card or die from its end. An information state is the current observation followed by, for each step so
far, the observation before it and what was heard.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from aeronef.runtime.description import Count, Domain, Int, SetOf, Tray, Variable, Zone
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import Owned, Position
from aeronef.runtime.views import Laid, Place, entries_in, lying, part, parts, sees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aeronef.runtime.state import State

WIDE = 64
MOST = 4_000_000


def observation(state: State, player: int) -> NDArray[Any]:
    """The player's view as an array of `observation_size(game)` numbers."""
    began = state.frozen_at()
    if began is not None:
        found: NDArray[Any] | None = state.position.numbers_for(player, state.trail[began])
        if found is not None:
            return found
    return _observed(state.game, state._known(player), player)


@lru_cache(maxsize=64)
def observation_size(game: Game) -> int:
    return _heads(game) + sum(cell.width for cell in cells(game))


def whole(state: State) -> NDArray[Any]:
    """The whole state, hidden or not: an array like an observation, of one who sees everything."""
    return _observed(state.game, state.position, None)


@lru_cache(maxsize=64)
def observation_bounds(game: Game) -> NDArray[Any]:
    """The most that each number of an observation can be; the least is 0. A count has no bound, for it has no range."""
    heads = np.ones(_heads(game), dtype=np.float32)
    start = game.start()
    found = np.concatenate([heads, *(_bounds(game, start, laid) for laid in parts(game))])
    found.setflags(write=False)
    return found


def information_state(state: State, player: int) -> NDArray[Any]:
    """All that the player knows, as an array of `information_state_size(game)` numbers."""
    return fill(np.empty(information_state_size(state.game), dtype=np.float32), state, Past(player))


def fill(found: NDArray[Any], state: State, past: Past) -> NDArray[Any]:
    """The same for the player of a `Past`, in an array that is there. Who asks for many keeps both between them."""
    now, rows = observation_size(state.game), past.rows(state)
    end = now + len(rows) * step_size(state.game)
    found[:now] = observation(state, past.player)
    if rows:
        np.concatenate(rows, out=found[now:end])
    found[end:] = 0
    return found


class Past:
    """What each step so far was to a player, as arrays. Of the state that was asked about last it is remembered: a
    state that has the same beginning costs only what is new."""

    def __init__(self, player: int) -> None:
        self.player = player
        self._steps: list[tuple[Position, tuple[int, int]]] = []
        self._rows: list[NDArray[Any]] = []

    def rows(self, state: State) -> list[NDArray[Any]]:
        """For each step of a state the observation before it and what was heard of it: `step_size(game)` numbers."""
        for k, before in enumerate(zip(state.trail, state.moves, strict=True)):
            if k < len(self._steps):
                position, move = self._steps[k]
                if position is before[0] and move == before[1]:
                    continue
                del self._steps[k:], self._rows[k:]
            known = _observed(state.game, state._known(self.player, k), self.player)
            self._rows.append(np.concatenate((known, _heard(state, self.player, k))))
            self._steps.append(before)
        return self._rows[: len(state.moves)]


@lru_cache(maxsize=64)
def step_size(game: Game) -> int:
    """How many numbers tell of one step."""
    return observation_size(game) + _heard_width(game)


def information_state_size(game: Game) -> int:
    """How many numbers an information state has. Raises BadInput where they would be more than MOST."""
    size = observation_size(game) + game.max_game_length() * step_size(game)
    if size > MOST:
        raise BadInput(
            f"an information state of {game.name} would have {size:,} numbers; use observations, or the string"
        )
    return size


# ------------------------------------------------------------------------------------------ parts


def _heads(game: Game) -> int:
    return len(game.variant.phases) + 1 + game.seats + 1


def _observed(game: Game, known: Position, player: int | None) -> NDArray[Any]:
    found: NDArray[Any] | None = known.numbers_for(player)
    if found is not None:
        return found
    found = np.zeros(observation_size(game), dtype=np.float32)
    found[known.phase] = 1
    at = len(game.variant.phases) + 1
    found[at + (known.actor if known.actor >= 0 else game.seats)] = 1
    for cell in cells(game):
        _fill(game, known, cell, player, found[cell.at : cell.at + cell.width])
    return found


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of the state in an observation: where its numbers are, and what does not change from one to the next: how
    many cards there is room for in its zone, or the values that are told apart (none of a number that is scaled)."""

    laid: Laid
    at: int
    width: int
    room: int
    values: list[Any]


@lru_cache(maxsize=64)
def cells(game: Game) -> list[Cell]:
    found, at = [], _heads(game)
    for laid in parts(game):
        place, width = laid.place, _width(game, laid)
        room = _room(game, place) if isinstance(place, Zone) else 0
        found.append(Cell(laid, at, width, room, _told_apart(game, place)))
        at += width
    return found


def _told_apart(game: Game, place: Place) -> list[Any]:
    """The values of a variable, or the faces of dice, that have a number each."""
    domain: Domain
    if isinstance(place, Zone):
        return []
    domain = place.faces if isinstance(place, Tray) else place.domain
    if isinstance(domain, SetOf):
        return domain.of.values(game.seats)
    scaled = isinstance(domain, Count) or (isinstance(place, Variable) and domain.many(game.seats) > WIDE)
    return [] if scaled else domain.values(game.seats)


def _width(game: Game, laid: Laid) -> int:
    place = laid.place
    if isinstance(place, Zone):
        return 2 + _lying(game, place) * (2 if place.form == "ordered" else 1)
    if isinstance(place, Tray):
        return 2 + len(place.faces.values(game.seats)) * (2 if place.form == "ordered" else 1)
    domain = place.domain
    if isinstance(domain, SetOf):
        return 1 + len(domain.of.values(game.seats))
    apart = _told_apart(game, place)
    return 1 + len(apart) if apart else 3


def _lying(game: Game, zone: Zone) -> int:
    """How many different things can lie in a zone: cards, or cards of each seat."""
    return len(zone.cards.labels) * (game.seats if zone.owned else 1)


def _bounds(game: Game, start: Position, laid: Laid) -> NDArray[Any]:
    """Where no decks were counted, more of a card can lie in a zone than its part in them is measured by."""
    place = laid.place
    most = np.ones(_width(game, laid), dtype=np.float32)
    if isinstance(place, Variable) and isinstance(place.domain, Count):
        most[1] = np.inf
    elif isinstance(place, Zone):
        there = Counter(
            card for z in game.variant.zones if z.cards.name == place.cards.name for card in lying(start, z)
        )
        most[1] = max(1, there.total() / _room(game, place))
        for which in range(_lying(game, place)):
            card = which % len(place.cards.labels)
            most[2 + which] = max(1, there[card] / max(1, copies(place)[card]))
    return most


def _room(game: Game, zone: Zone) -> int:
    return max(1, sum(zone.cards.most(card, game.seats) for card in zone.cards.values(0)))


def copies(zone: Zone) -> tuple[int, ...]:
    return zone.cards.totals or zone.cards.copies


def _fill(game: Game, known: Position, cell: Cell, player: int | None, out: NDArray[Any]) -> None:
    laid = cell.laid
    place, value = laid.place, part(known, laid.place, laid.where)
    open_ = player is None or sees(known, place, player, laid.seat)
    out[0] = open_
    if isinstance(place, Zone):
        entries = entries_in(value)
        out[1] = len(entries) / cell.room
        if open_:
            labels = len(place.cards.labels)
            lie = [e.owner * labels + e.card if isinstance(e, Owned) else e for e in entries]
            for which, number in Counter(lie).items():  # one division: a sum of parts could come to more than 1
                out[2 + which] = number / copies(place)[which % labels]
            if place.form == "ordered":
                for i, which in enumerate(lie):
                    out[2 + _lying(game, place) + which] = 1 / (len(entries) - i)
    elif isinstance(place, Tray):
        out[1] = len(value) / place.holds
        faces = cell.values
        lie = [faces.index(face) for face in value] if open_ else []
        for which, number in Counter(lie).items():
            out[2 + which] = number / place.holds
        if place.form == "ordered":
            for i, which in enumerate(lie):
                out[2 + len(faces) + which] = 1 / (len(value) - i)
    elif open_:
        _fill_value(game, place.domain, cell.values, value, out)


def _fill_value(game: Game, domain: Domain, values: list[Any], value: Any, out: NDArray[Any]) -> None:
    if isinstance(domain, SetOf):
        for one in value:
            out[1 + values.index(one)] = 1
    elif isinstance(domain, Count):
        out[1] = value / game.max_game_length()
    elif values:
        out[1 + values.index(value)] = 1
    elif value is not None:
        low, high = (domain.low, domain.high) if isinstance(domain, Int) else (0, domain.many(game.seats))
        out[1] = (value - low) / max(1, high - low)
        out[2] = 1


# ------------------------------------------------------------------------------------------ what was heard


@lru_cache(maxsize=64)
def _kinds(game: Game) -> dict[tuple[bool, str], int]:
    """A number for each name that is heard: actions that share theirs are not told apart."""
    found: dict[tuple[bool, str], int] = {}
    for chance, actions in ((False, game.variant.actions), (True, game.variant.outcomes)):
        for action in actions:
            found.setdefault((chance, action.name), len(found))
    return found


def _arity(game: Game) -> int:
    return max((len(a.params) for a in (*game.variant.actions, *game.variant.outcomes)), default=0)


def _heard_width(game: Game) -> int:
    return 1 + game.seats + 1 + len(_kinds(game)) + 2 * _arity(game)


def _heard(state: State, player: int, step: int) -> NDArray[Any]:
    """That there was a step, by whom, of which kind, and each of its values that the player is told (1, and where in
    its range). Of others' steps in a choice together only that there was one: the views tell the rest later."""
    game = state.game
    found = np.zeros(_heard_width(game), dtype=np.float32)
    actor, action = state.moves[step]
    before = state.trail[step]
    found[0] = 1
    found[1 + (actor if actor >= 0 else game.seats)] = 1
    together = game.variant.phases[before.phase].kind == "together"
    if together and actor != player:
        return found
    kind, values = (before.chances if actor < 0 else before.decisions)[action]
    at = 2 + game.seats
    described = (game.variant.outcomes if actor < 0 else game.variant.actions)[kind]
    found[at + _kinds(game)[actor < 0, described.name]] = 1
    at += len(_kinds(game))
    told = game.variant.phases[before.phase].told.get(described.key)
    hears = told(before, player, *values) if told is not None and actor != player else [True] * len(values)
    for i, (domain, value) in enumerate(zip(described.params, values, strict=True)):
        if hears[i]:
            every = domain.values(game.seats)
            found[at + 2 * i] = 1
            found[at + 2 * i + 1] = every.index(value) / max(1, len(every) - 1)
    return found
