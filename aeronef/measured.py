"""What the measures of many games came to: exact sums, whatever the order and the number of processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aeronef.intervals import Interval, of_ratio, wilson
from aeronef.runtime.description import Cards, Domain, Measure, Seat, Words
from aeronef.runtime.game import Game
from aeronef.runtime.measures import Observed


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

    def add(self, n: int, s: int) -> None:
        self.games += 1
        self.number += n
        self.total += s
        self.numbers += n * n
        self.crossed += n * s
        self.squares += s * s
        self.most_often = max(self.most_often, n)
        self.fewest = s if self.fewest is None else min(self.fewest, s)
        self.most = s if self.most is None else max(self.most, s)

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
            places = found.number.nonzero()
            numbers, totals = found.number[places].tolist(), found.total[places].tolist()
            keys = zip(*(axis.tolist() for axis in places), strict=True)
            for (_, *key), n, s in zip(keys, numbers, totals, strict=True):
                sums.setdefault(tuple(key), _Sums()).add(n, s)

    def results(self, games: int) -> list[Result]:
        return [
            Result(m, [sums.row(key, m.form, games) for key, sums in sorted(self.sums[m.name].items())])
            for m in self.measures
        ]
