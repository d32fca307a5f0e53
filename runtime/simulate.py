"""Random games, as fast as the readable back end goes. Game k of seed s is the same game everywhere."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any

from aeronef.runtime.endless import Endless, Watch, stop, stopped
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL, Position
from aeronef.runtime.measures import Observed, collecting
from aeronef.runtime.rng import Rng, streams
from aeronef.runtime.state import final_result

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Playouts:
    """Arrays with one row a game: `returns` (players), `ranking` and `winners` (seats), `lengths` (steps), `cut`,
    `endless` (of those cut the ones that could not end, whatever their length) and `phases` (the number of the phase in
    which the game ended or was cut). `measures` has what the spec measures, by name (`measures.Observed`).

    `winners` are the seats that rank first; nobody's where all lost, or the game was cut.
    """

    returns: NDArray[Any]
    ranking: NDArray[Any]
    winners: NDArray[Any]
    lengths: NDArray[Any]
    cut: NDArray[Any]
    endless: NDArray[Any]
    phases: NDArray[Any]
    measures: dict[str, Observed] = field(default_factory=dict)


class FaultInGame(RuleFault):
    """The rules broke in game `number` of `seed`, at step `step`, in phase `phase`."""

    def __init__(self, message: str, place: str, seed: int, number: int) -> None:
        super().__init__(message)
        self.place = place
        self.seed = seed
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        # Processes hand it on.
        return FaultInGame, (str(self), self.place, self.seed, self.number)


def choose(position: Position, rng: Rng) -> int:
    """The step of a random game: chance by its weights, a decision uniform over the legal actions (ascending ids).

    Raises RuleFault where there is nothing to choose.
    """
    return pick(position, rng)[0]


def pick(position: Position, rng: Rng, offered: list[Any] | None = None) -> tuple[int, int]:
    """As choose, with the number of actions or outcomes that there were to choose from. `offered` are these, where the
    caller knows them (`endless.choices`)."""
    if position.actor == CHANCE:
        outcomes = position.outcomes() if offered is None else offered
        total = sum([weight for _, weight in outcomes])
        if total == 0:
            raise RuleFault("chance is to act, and nothing can happen", position.source)
        point = rng.below(total)
        for outcome, weight in outcomes:
            point -= weight
            if point < 0:
                return outcome, len(outcomes)
    legal = position.legal() if offered is None else offered
    if not legal:
        raise RuleFault(f"seat {position.actor} is to act, and no action is legal", position.source)
    return legal[rng.below(len(legal))], len(legal)


def play_out(game: Game, position: Position, rng: Rng) -> Endless | None:
    """Plays to the end. A game that is caught in a round without an end is cut there, and the round given."""
    watch: Watch | None = None
    forced = False
    while position.actor != TERMINAL:
        action, choices = pick(position, rng)
        if forced or choices == 1:  # elsewhere there is nothing to see
            forced = choices == 1
            watch = watch or Watch(game)
            found = watch.look(position, choices)
            if found is not None:
                stop(position)
                return found
        position.apply(action)
    return None


def play_game(game: Game, seed: int, number: int) -> Position:
    """The end of game `number` of a seed. Raises RuleFault where the rules break."""
    position = game.start()
    play_out(game, position, Rng.stream(seed, number))
    return position


def why_endless(game: Game, seed: int, number: int) -> Endless | None:
    """The round in which game `number` of a seed is caught, if it is."""
    return play_out(game, game.start(), Rng.stream(seed, number))


def why_cut(game: Game, position: Position) -> str:
    """Why a game was stopped at its longest length, in words."""
    return f"it reached {game.max_game_length()} steps (the spec's `longest`), in phase {game.phase_name(position)}"


Play = Callable[[Game, int, int], Position]


def playouts(
    game: Game, n: int, seed: int = 0, first: int = 0, play: Play = play_game, measures: bool = True
) -> Playouts:
    """Games first … first + n - 1 of a seed. `play` gives the end of one of them (and may record it, say): of the game
    that it is handed, whose positions keep what is measured. Without `measures` nothing is.

    Raises FaultInGame where the rules break in one of them.
    """
    import numpy as np

    drawing = streams(seed, first, n) if play is play_game else repeat(None)
    played = game.measuring if measures else game
    measured, collect = collecting(game, n if measures else None)
    rows, ranking, returns = array("i"), array("h"), array("d")
    for k, rng in zip(range(n), drawing, strict=False):
        try:
            if rng is None:
                position = play(played, seed, first + k)
            else:
                position = played.start()
                play_out(played, position, rng)
            ranks, worth, lost = final_result(game, position)
            rows.extend((position.steps, position.cut, stopped(position), position.phase, lost))
            ranking.extend(ranks)
            returns.extend(worth)
            if measured:
                collect(k, position)
        except RuleFault as fault:
            raise FaultInGame(str(fault), fault.place, seed, first + k) from fault
    lengths, cut, endless, phases, lost_by_all = np.array(rows, dtype=np.int32).reshape(n, 5).T
    place = np.array(ranking, dtype=np.int16).reshape(n, game.seats)
    got = np.array(returns, dtype=float).reshape(n, game.players)
    won = (place == 1) & ~(lost_by_all | cut).astype(bool)[:, None]
    ends = (lengths.copy(), cut.astype(bool), endless.astype(bool), phases.astype(np.int16))
    return Playouts(got, place, won, *ends, measured)


def has_lost(game: Game, position: Any) -> bool:
    """Whether the rules say that all lose."""
    return bool(game.variant.has_lost and position.lost())
