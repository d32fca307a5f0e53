"""What is known of a game without asking anybody: what its players can get, and whether anything is hidden in it.

Everything said here is sure. Small games are explored whole; of others only that is said which their spec tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from aeronef.runtime.endings import endings
from aeronef.runtime.explore import Limits, Space, explore
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL, Position
from aeronef.runtime.state import final_returns

SMALL = 20_000  # states: what is explored in a second or two
LONG = 100  # steps: games that can be longer are seldom so small, and not worth as much looking


@dataclass(frozen=True, slots=True)
class Worth:
    """No player gets less than `low` or more than `high`; `total` is what all get together, where that is always the
    same and known. `exact`: some player of some game gets `low`, and some `high`."""

    low: float
    high: float
    total: float | None
    exact: bool


@lru_cache(maxsize=64)
def worth(game: Game, states: int | None = None) -> Worth:
    """What the players of a game can get. A game with no more than so many states (default: SMALL, a tenth where it may
    be LONG) is explored whole; of a larger one it is told what the ranges of its variables say, and nothing of the
    total."""
    results: list[list[float]] = []
    if states is None:
        states = SMALL if game.max_game_length() <= LONG else SMALL // 10

    def judge(_: int, position: Position) -> str | None:
        if position.actor == TERMINAL:
            results.append(final_returns(game, position))
        return None

    space = explore(game, Limits(states=states), judge=judge)
    if space.whole and results:
        if _may_be_cut(space):
            results.append([0.0] * game.players)
        every = [value for result in results for value in result]
        first = sum(results[0])
        same = all(abs(sum(result) - first) < 1e-9 for result in results)
        return Worth(min(every), max(every), round(first, 9) if same else None, True)
    low, high = game.variant.worth
    return Worth(float(min(low, 0)), float(max(high, 0)), None, False)  # a game that is cut gives 0 to all


def _may_be_cut(space: Space) -> bool:
    longest = endings(space).longest
    return longest is None or longest > space.game.max_game_length()


def all_is_open(game: Game) -> bool:
    """Whether everybody sees everything at any time: nothing that the state holds is hidden from anybody, nothing of a
    step is kept from anybody, and no two choose at once."""
    variant = game.variant
    everyone = getattr(variant.position, "everyone", None)  # it is there only where something is seen by everyone
    return all(place.sees is everyone for place in variant.places) and not any(
        phase.kind == "together" or phase.told for phase in variant.phases
    )
