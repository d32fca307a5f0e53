"""What the measures of many games came to: exact sums, whatever the order and the number of processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from aeronef.intervals import Interval, of_ratio, wilson
from aeronef.runtime.description import Cards, Domain, Measure, Seat, Words
from aeronef.runtime.game import Game
from aeronef.runtime.measures import Observed

AT_A_TIME, LEAST_ROWS = 1 << 16, 256  # how much of an array is added up at once: what fits near the processor
MOST = 2**63 - 1  # of int64


@dataclass(frozen=True, slots=True)
class Row:
    """Of a measure, or of one key of it: how many observations, and what they say. `mean` is that of all observations
    (of a bool a share), or, of what is only counted, how many a game; `interval` is its 95 % interval. `fewest` and
    `most` are of one game, and None where a game can have several values. What cannot be told is None."""

    key: tuple[int, ...]
    observations: int
    a_game: float
    mean: float | None
    interval: Interval | None
    fewest: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """Of a measure a row for each key that was observed at all; without keys, one row."""

    measure: Measure
    rows: list[Row]

    def heads(self) -> list[str]:
        """What each key is: its type where that has a name, or the name that the spec gives it."""
        called = zip(self.measure.keys, self.measure.called, strict=True)
        return [_head(domain, name) for domain, name in called]

    def labels(self, row: Row, players: int) -> list[str]:
        """The keys of a row as people read them."""
        found = []
        for domain, place in zip(self.measure.keys, row.key, strict=True):
            automaton = isinstance(domain, Seat) and place >= players
            found.append(domain.label(domain.valued(place)) + " (automaton)" * automaton)
        return found

    def data(self) -> dict[str, Any]:
        """As JSON data."""
        form = {"form": self.measure.form}
        if not self.measure.keys:
            (row,) = self.rows
            return form | self._data(row) | {"fewest": row.fewest, "most": row.most}
        keys = self.measure.keys
        rows = [
            {"key": [domain.data(domain.valued(place)) for domain, place in zip(keys, row.key, strict=True)]}
            | self._data(row)
            for row in self.rows
        ]
        return form | {"keys": self.heads(), "rows": rows}

    def _data(self, row: Row) -> dict[str, Any]:
        mean = {} if self.measure.form == "count" else {"mean": row.mean}
        interval = None if row.interval is None else list(row.interval)
        return {"observations": row.observations, "a_game": row.a_game, **mean, "interval_95": interval}


def _head(domain: Domain, name: str) -> str:
    if isinstance(domain, Seat):
        return "seat"
    return domain.name if isinstance(domain, Words | Cards) else name


class _Sums:
    """Over the games in which something was observed n times, with the sum s."""

    __slots__ = ("crossed", "fewest", "games", "most", "most_often", "number", "numbers", "squares", "total")

    def __init__(self) -> None:
        self.games = self.number = self.total = self.numbers = self.crossed = self.squares = self.most_often = 0
        self.fewest: int | None = None
        self.most: int | None = None

    def add(
        self, games: int, number: int, total: int, numbers: int, crossed: int, squares: int, most_often: int,
        fewest: int, most: int,
    ) -> None:  # fmt: skip
        """More games: how many, the sums of n, s, n², n·s and s², the most that n is, the least and most that s is."""
        self.games += games
        self.number += number
        self.total += total
        self.numbers += numbers
        self.crossed += crossed
        self.squares += squares
        self.most_often = max(self.most_often, most_often)
        self.fewest = fewest if self.fewest is None else min(self.fewest, fewest)
        self.most = most if self.most is None else max(self.most, most)

    def row(self, key: tuple[int, ...], form: str, games: int) -> Row:
        if form == "count":  # of every game, seen in it or not
            interval = of_ratio(games, games, self.total, games, self.total, self.squares)
            fewest = 0 if self.games < games else self.fewest
            mean = self.total / games
            low_high = None if interval is None else (max(0.0, interval[0]), interval[1])
            return Row(key, self.number, mean, mean, low_high, fewest, self.most or 0)
        if not self.number:
            return Row(key, 0, 0.0, None, None, None, None)
        if form == "bool" and self.most_often == 1:
            interval = wilson(self.total, self.number)
        else:
            interval = of_ratio(self.games, self.number, self.total, self.numbers, self.crossed, self.squares)
        if form == "bool" and interval is not None:
            interval = max(0.0, interval[0]), min(1.0, interval[1])
        ends = (self.fewest, self.most) if form == "number" and self.most_often == 1 else (None, None)
        return Row(key, self.number, self.number / games, self.total / self.number, interval, *ends)


class MeasureTally:
    """Adds up what is measured as games come in."""

    def __init__(self, game: Game) -> None:
        self.measures = game.variant.measures
        self.sums: dict[str, dict[tuple[int, ...], _Sums]] = {m.name: {} for m in self.measures}
        for measure in self.measures:
            if not measure.keys:
                self.sums[measure.name][()] = _Sums()

    def add(self, measures: dict[str, Observed]) -> None:
        for name, found in measures.items():
            sums = self.sums[name]
            for key, summed in _summed(found):
                sums.setdefault(key, _Sums()).add(*summed)

    def results(self, games: int) -> list[Result]:
        return [
            Result(m, [sums.row(key, m.form, games) for key, sums in sorted(self.sums[m.name].items())])
            for m in self.measures
        ]


def _summed(found: Observed) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """What `_Sums.add` takes, of each key that was observed; several times where there are many games."""
    import numpy as np

    _, *axes = found.number.shape
    places = prod(axes)
    rows = max(LEAST_ROWS, AT_A_TIME // max(1, places))
    for first in range(0, len(found.number) if places else 0, rows):
        # Key by key, and of each only the games in which it was observed.
        n, s = (
            array[first : first + rows].reshape(-1, places).T.ravel().astype(np.int64, copy=False)
            for array in (found.number, found.total)
        )
        seen = np.flatnonzero(n)
        ends = np.searchsorted(seen, np.arange(places + 1) * (len(n) // places))
        games = np.diff(ends)
        keys = np.flatnonzero(games)
        if not len(keys):
            continue
        n, s, starts = n[seen], s[seen], ends[keys]
        largest = max(int(n.max()), -int(n.min()), int(s.max()), -int(s.min()))
        if largest * largest * rows > MOST:
            n, s = n.astype(object), s.astype(object)  # numbers of Python, which do not run over
        add, low, high = np.add.reduceat, np.minimum.reduceat, np.maximum.reduceat
        sums = [add(column, starts) for column in (n, s, n * n, n * s, s * s)]
        columns = [games[keys], *sums, high(n, starts), low(s, starts), high(s, starts)]
        where = zip(*(axis.tolist() for axis in np.unravel_index(keys, (1, *axes))), strict=True)
        for (_, *key), *summed in zip(where, *(column.tolist() for column in columns), strict=True):
            yield tuple(key), summed
