"""Games in both back ends, played side by side by the same steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from aeronef.runtime.endless import Watch, choices
from aeronef.runtime.errors import AeronefError
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick
from aeronef.runtime.state import State
from tests.emit.c.native import Load

SEED = 20261130

# The shipped variants (choices together and in a row, detours, dice, overlays), and of the others those with what C
# lays out otherwise: piles and sets of cards, cards with owners, orders, slots, cards that only some games have.
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "balloon": (3, {"mode": "advanced"}),
    "celestia": (3, {"spyglass": True}),
    "flying_saucer": (3, {"asymmetric": True}),
    "montgolfiere_race": (3, {"baron": True, "squadron": "open"}),
    "crazy_eights": (3, {}),
    "goofspiel": (3, {}),
    "leduc_poker": (2, {}),
    "liars_dice": (2, {}),
    "phantom_ttt": (2, {}),
    "pig": (2, {}),
    "ferry": (3, {"calm": True}),
    "ladder": (3, {"calm": True}),
    "magpies": (3, {}),
    "salvage": (3, {"current": True}),
    "tidewall": (3, {}),
    "tolls": (3, {}),
}


def both(native: Load, name: str) -> tuple[Game, Game]:
    players, options = GAMES[name]
    return native(name, players, **options)


def walk(one: Game, other: Game, number: int, most: int = 10_000) -> Iterator[tuple[State, State]]:
    """A random game in both: the states before each step (the same objects), and at the end. A game that goes round for
    ever is left."""
    print(f"seed {SEED}, game {number}")
    rng, watch, watched = Rng.stream(SEED, number), Watch(one), Watch(other)
    a, b = one.new_initial_state(), other.new_initial_state()
    while True:
        yield a, b
        if a.is_terminal() or len(a.moves) == most:
            return
        action, several = pick(a.position, rng)
        caught = watch.look(a.position, several)
        assert watched.look(b.position, several) == caught
        if caught is not None:
            return
        a.apply_action(action)
        b.apply_action(action)


def at_times(one: Game, other: Game, number: int, times: int, most: int = 10_000) -> list[tuple[State, State]]:
    """Some states of a random game, with their pasts: of its beginning, of its end, and of between."""
    found = [(a.clone(), b.clone()) for a, b in walk(one, other, number, most)]
    gap = max(1, len(found) // times)
    return [*found[::gap], found[-1]]


def offered(state: State) -> Any:
    return choices(state.position)


def outcome(do: Callable[[], Any]) -> Any:
    """What comes of it, or the error: its kind, its words, its reasons."""
    try:
        return do()
    except AeronefError as error:
        return type(error), str(error), getattr(error, "reasons", None), getattr(error, "place", None)
