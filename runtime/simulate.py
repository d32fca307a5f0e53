"""Random games, as fast as the readable back end goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL, Position
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import final_ranking, final_returns

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Playouts:
    """Arrays with one row a game: `returns` (players), `ranking` (seats), `lengths` (steps), `cut`."""

    returns: NDArray[Any]
    ranking: NDArray[Any]
    lengths: NDArray[Any]
    cut: NDArray[Any]


def play_out(position: Position, rng: Rng) -> None:
    """Plays to the end: chance by its weights, each decision uniform over the legal actions (ascending ids)."""
    while position.actor != TERMINAL:
        if position.actor == CHANCE:
            outcomes = position.outcomes()
            point = rng.below(sum([weight for _, weight in outcomes]))
            for outcome, weight in outcomes:
                point -= weight
                if point < 0:
                    position.apply(outcome)
                    break
        else:
            legal = position.legal()
            position.apply(legal[rng.below(len(legal))])


def playouts(game: Game, n: int, seed: int = 0, first: int = 0) -> Playouts:
    """Games first … first + n - 1 of a seed. Raises RuleFault where the rules break in one of them."""
    import numpy as np

    returns = np.zeros((n, game.players))
    ranking = np.zeros((n, game.seats), dtype=np.int16)
    lengths = np.zeros(n, dtype=np.int32)
    cut = np.zeros(n, dtype=bool)
    for k in range(n):
        position = game.start()
        play_out(position, Rng.stream(seed, first + k))
        lengths[k] = position.steps
        cut[k] = position.cut
        ranking[k] = final_ranking(game, position)
        if not position.cut:
            returns[k] = final_returns(game, position)
    return Playouts(returns, ranking, lengths, cut)
