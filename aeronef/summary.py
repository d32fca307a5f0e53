"""What many games came to: wins with their intervals, lengths, how games ended, what was measured."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import fsum
from statistics import median
from typing import Any

from aeronef.intervals import wilson
from aeronef.measured import MeasureTally, Result
from aeronef.runtime.game import Game
from aeronef.runtime.simulate import Playouts


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
    """Adds games up as they come in, in order."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.alone = [0] * game.seats
        self.shared = [0] * game.seats
        self.returns: list[list[float]] = [[] for _ in range(game.players)]
        self.lengths: list[int] = []
        self.ended = {"one_winner": 0, "shared_win": 0, "no_player_won": 0, "cut": 0, "endless": 0}
        self.cut: Counter[int] = Counter()
        self.first_cut: dict[int, int] = {}
        self.first_endless: int | None = None
        self.measures = MeasureTally(game)

    def add(self, results: Playouts) -> None:
        self.measures.add(results.measures)
        number = len(self.lengths)
        columns = (results.winners, results.cut, results.endless, results.phases)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for k, (winners, cut, endless, phase) in enumerate(rows, start=number):
            first = [seat for seat, won in enumerate(winners) if won]
            for seat in first:
                (self.alone if len(first) == 1 else self.shared)[seat] += 1
            if endless:
                self.ended["endless"] += 1
                self.first_endless = k if self.first_endless is None else self.first_endless
            elif cut:
                self.ended["cut"] += 1
                self.cut[phase] += 1
                self.first_cut.setdefault(phase, k)
            elif not any(seat < self.game.players for seat in first):
                self.ended["no_player_won"] += 1
            else:
                self.ended["one_winner" if len(first) == 1 else "shared_win"] += 1
        self.lengths += results.lengths.tolist()
        for player, column in enumerate(results.returns.T.tolist()):
            self.returns[player] += column

    def summary(self) -> Summary:
        n = len(self.lengths)
        steps = sum(self.lengths)
        phases = self.game.variant.phases
        seats = [
            SeatResult(
                seat, seat >= self.game.players, self.alone[seat], wilson(self.alone[seat], n), self.shared[seat],
                fsum(self.returns[seat]) / n if seat < self.game.players else None,
            )
            for seat in range(self.game.seats)
        ]  # fmt: skip
        lengths = {
            "mean": steps / n,
            "min": min(self.lengths),
            "median": median(self.lengths),
            "max": max(self.lengths),
        }
        cut = {phases[p].name: (self.cut[p], self.first_cut[p]) for p in sorted(self.cut)}
        return Summary(n, steps, seats, dict(self.ended), lengths, cut, self.first_endless, self.measures.results(n))
