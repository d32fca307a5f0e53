"""What many games came to: wins with their intervals, lengths, how games ended, what was measured."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from aeronef.intervals import wilson
from aeronef.measured import MeasureTally, Result
from aeronef.runtime.game import Game
from aeronef.runtime.simulate import Playouts

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SeatResult:
    """`wins`: alone; `shared`: first with others; `interval`: of the share of games won alone, 95 % (Wilson);
    `mean_return` of a player, None of an automaton."""

    seat: int
    automaton: bool
    wins: int
    interval: tuple[float, float]
    shared: int
    mean_return: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """`ended`: how many games had one winner, a shared win, no player among the winners, were cut at their longest
    length, or were cut because they could not end (`endless`); `cut`: by the phase in which they reached that length,
    how many and the number of the first; `endless`: the number of the first that could not end."""

    games: int
    steps: int
    seats: list[SeatResult]
    ended: dict[str, int]
    lengths: dict[str, float]
    cut: dict[str, tuple[int, int]]
    endless: int | None
    measures: list[Result]

    def data(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "seats": [
                {
                    "seat": s.seat, "automaton": s.automaton, "wins": s.wins, "interval_95": list(s.interval),
                    "shared_wins": s.shared, "mean_return": s.mean_return,
                }
                for s in self.seats
            ],
            "ended": self.ended,
            "steps": self.lengths,
            "cut": {phase: {"games": n, "first": first} for phase, (n, first) in self.cut.items()},
            "measures": {result.measure.name: result.data() for result in self.measures},
        }  # fmt: skip


class Tally:
    """Adds games up as they come in, in order, in pieces of any size. What it keeps grows with the number of different
    lengths and returns, not with that of games."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.games = 0
        self.alone = [0] * game.seats
        self.shared = [0] * game.seats
        self.returns: list[Counter[float]] = [Counter() for _ in range(game.players)]  # how often each value was
        self.lengths: Counter[int] = Counter()
        self.ended = {"one_winner": 0, "shared_win": 0, "no_player_won": 0, "cut": 0, "endless": 0}
        self.cut: Counter[int] = Counter()
        self.first_cut: dict[int, int] = {}
        self.first_endless: int | None = None
        self.measures = MeasureTally(game)

    def add(self, results: Playouts) -> None:
        self.measures.add(results.measures)
        columns = (results.winners, results.cut, results.endless)
        winners, cut, endless = (column.astype(bool, copy=False) for column in columns)
        self._add_wins(winners, ~(cut | endless))
        self._add_cut(cut & ~endless, endless, results.phases)
        self.lengths.update(_counted(results.lengths))
        for player, column in enumerate(results.returns.T):
            self.returns[player].update(_counted(column))
        self.games += len(results.lengths)

    def _add_wins(self, winners: NDArray[Any], whole: NDArray[Any]) -> None:
        """`whole`: which games were not cut."""
        first = winners.sum(axis=1)
        for seat, won in enumerate(winners.T):
            alone = _number(won & (first == 1))
            self.alone[seat] += alone
            self.shared[seat] += _number(won) - alone
        player = whole & winners[:, : self.game.players].any(axis=1)
        self.ended["one_winner"] += _number(player & (first == 1))
        self.ended["shared_win"] += _number(player & (first > 1))
        self.ended["no_player_won"] += _number(whole) - _number(player)

    def _add_cut(self, cut: NDArray[Any], endless: NDArray[Any], phases: NDArray[Any]) -> None:
        """`cut`: which were at their longest length."""
        self.ended["endless"] += _number(endless)
        if self.first_endless is None and endless.any():
            self.first_endless = self.games + int(endless.argmax())
        self.ended["cut"] += _number(cut)
        found = _counted(phases[cut])
        self.cut.update(found)
        for phase in found.keys() - self.first_cut.keys():
            self.first_cut[phase] = self.games + int((cut & (phases == phase)).argmax())

    def summary(self) -> Summary:
        n = self.games
        steps = sum(length * often for length, often in self.lengths.items())
        phases = self.game.variant.phases
        seats = [
            SeatResult(
                seat, seat >= self.game.players, self.alone[seat], wilson(self.alone[seat], n), self.shared[seat],
                _sum(self.returns[seat]) / n if seat < self.game.players else None,
            )
            for seat in range(self.game.seats)
        ]  # fmt: skip
        lengths = {
            "mean": steps / n,
            "min": min(self.lengths),
            "median": _median(self.lengths),
            "max": max(self.lengths),
        }
        cut = {phases[p].name: (self.cut[p], self.first_cut[p]) for p in sorted(self.cut)}
        return Summary(n, steps, seats, dict(self.ended), lengths, cut, self.first_endless, self.measures.results(n))


def _number(column: NDArray[Any]) -> int:
    """How many are true."""
    return int(column.sum())


def _counted(column: NDArray[Any]) -> dict[Any, int]:
    """How often each value is there."""
    import numpy as np

    values, often = np.unique(column, return_counts=True)
    return dict(zip(values.tolist(), often.tolist(), strict=True))


def _sum(values: Counter[float]) -> float:
    """The float that is nearest to the sum: as `fsum` gives it, in whatever order they come."""
    return float(sum(Fraction(value) * often for value, often in values.items()))


def _median(values: Counter[int]) -> float:
    """As `statistics.median` of all of them. Raises IndexError where there are none."""
    ordered = sorted(values)
    below = list(accumulate(values[value] for value in ordered))
    half = below[-1] // 2
    high = ordered[bisect_right(below, half)]
    if below[-1] % 2:
        return high
    return (ordered[bisect_right(below, half - 1)] + high) / 2
