"""What many games come to is what adding them up one by one gives, to the last digit, whatever the pieces in which they
come; and it takes no more room for many than for few."""

from __future__ import annotations

import gc
import json
import random
import statistics
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from math import fsum
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from aeronef.intervals import of_ratio, wilson
from aeronef.measured import MeasureTally, Result, Row
from aeronef.runtime.description import Measure
from aeronef.runtime.game import Game
from aeronef.runtime.measures import Observed, shape
from aeronef.runtime.simulate import Playouts
from aeronef.summary import SeatResult, Summary, Tally
from tests.emit.test_meaning import game_of
from tests.games.specs import ROOT
from tests.language.cases import FOLDER

SPEC = (FOLDER / "right" / "measures.yaml").read_text(encoding="utf-8")


@cache
def game(players: int, automaton: bool) -> Game:
    """One with measures of each form, without keys and with one and two."""
    return game_of(SPEC, players, dog=automaton, wet=True)


# ------------------------------------------------------------------------------------------ one by one


def one_by_one(game: Game, games: Playouts) -> Summary:
    """The same, game by game, in plain Python."""
    n = len(games.lengths)
    ended = dict.fromkeys(("one_winner", "shared_win", "no_player_won", "cut", "endless"), 0)
    alone, shared, endless = [0] * game.seats, [0] * game.seats, None
    cut: dict[int, list[int]] = {}
    for k in range(n):
        first = [seat for seat in range(game.seats) if games.winners[k, seat]]
        for seat in first:
            (alone if len(first) == 1 else shared)[seat] += 1
        if games.endless[k]:
            ended["endless"] += 1
            endless = k if endless is None else endless
        elif games.cut[k]:
            ended["cut"] += 1
            cut.setdefault(int(games.phases[k]), []).append(k)
        elif not any(seat < game.players for seat in first):
            ended["no_player_won"] += 1
        else:
            ended["one_winner" if len(first) == 1 else "shared_win"] += 1
    lengths = games.lengths.tolist()
    steps = {"mean": sum(lengths) / n, "min": min(lengths), "median": statistics.median(lengths), "max": max(lengths)}
    seats = []
    for seat in range(game.seats):
        mean = fsum(games.returns[:, seat].tolist()) / n if seat < game.players else None
        seats.append(SeatResult(seat, seat >= game.players, alone[seat], wilson(alone[seat], n), shared[seat], mean))
    where = {game.variant.phases[phase].name: (len(cut[phase]), cut[phase][0]) for phase in sorted(cut)}
    return Summary(n, sum(lengths), seats, ended, steps, where, endless, list(measured(game, games)))


def measured(game: Game, games: Playouts) -> Iterator[Result]:
    for measure in game.variant.measures:
        seen: dict[tuple[int, ...], list[tuple[int, int]]] = {} if measure.keys else {(): []}
        if measure.name in games.measures:
            found = games.measures[measure.name]
            for place in np.ndindex(*found.number.shape):
                if found.number[place]:
                    seen.setdefault(place[1:], []).append((int(found.number[place]), int(found.total[place])))
        yield Result(measure, [row(measure, key, seen[key], len(games.lengths)) for key in sorted(seen)])


def row(measure: Measure, key: tuple[int, ...], seen: list[tuple[int, int]], games: int) -> Row:
    """Of what was observed n times, with the sum s, in each of some games."""
    number, total = sum(n for n, _ in seen), sum(s for _, s in seen)
    squares = sum(s * s for _, s in seen)
    sums = [s for _, s in seen]
    if measure.form == "count":
        sums += [0] * (games - len(seen))
        interval = of_ratio(games, games, total, games, total, squares)
        interval = interval and (max(0.0, interval[0]), interval[1])
        return Row(key, number, total / games, total / games, interval, min(sums), max(sums) if seen else 0)
    if not seen:
        return Row(key, 0, 0.0, None, None, None, None)
    once = all(n == 1 for n, _ in seen)
    if measure.form == "bool" and once:
        interval = wilson(total, number)
    else:
        interval = of_ratio(len(seen), number, total, sum(n * n for n, _ in seen), sum(n * s for n, s in seen), squares)
    if measure.form == "bool" and interval is not None:
        interval = max(0.0, interval[0]), min(1.0, interval[1])
    ends = (min(sums), max(sums)) if measure.form == "number" and once else (None, None)
    return Row(key, number, number / games, total / number, interval, *ends)


# ------------------------------------------------------------------------------------------ any games

MOST = 2**63 - 1
RETURNS: list[Callable[[random.Random], float]] = [
    lambda r: r.choice((0.0, 1.0)),
    lambda r: r.choice((-1.0, -0.0, 0.0, 1 / 3, 0.5, 1.0)),
    lambda r: float(r.randrange(-200, 200)),
    lambda r: r.choice((1e16, -1e16, 1.0, 1e-16, 0.1)),  # what is added up in floats loses the small ones
    lambda r: r.uniform(-1, 1) * 2.0 ** r.randrange(-1070, 900),
]


def sizes(r: random.Random, n: int) -> Iterator[int]:
    """The sizes of pieces, some of them empty."""
    most = r.choice((1, 3, n, n))
    while n:
        size = r.choice((0, r.randint(0, min(most, n)), min(most, n)))
        n -= size
        yield size
    yield 0


def numbers(r: random.Random, n: int, most: int) -> NDArray[Any]:
    """Whole numbers from 0 to most: some all of a kind, some of any size, some often 0."""
    kind = r.choice((1, most, 0))
    often = r.random()
    drawn = [r.randint(0, kind or 2 ** r.randrange(1 + most.bit_length()) - 1) * (r.random() < often) for _ in range(n)]
    return np.array(drawn, dtype=np.int64)


def observed(r: random.Random, measure: Measure, seats: int, n: int) -> Observed:
    size = (n, *shape(measure, seats))
    number = numbers(r, int(np.prod(size)), r.choice((1, 5, 10**5, MOST))).reshape(size)
    if measure.form == "count":
        return Observed(number, number.copy())
    if measure.form == "bool":
        return Observed(number, np.minimum(number, numbers(r, number.size, r.choice((1, MOST))).reshape(size)))
    total = numbers(r, number.size, r.choice((1, 30, 10**8, MOST))).reshape(size)
    total *= np.array([r.choice((-1, 1)) for _ in range(number.size)], dtype=np.int64).reshape(size)
    if r.random() < 0.3:
        total[number != 0] -= 1  # as low as a number can be
    return Observed(number, np.where(number == 0, 0, total))


def any_games(r: random.Random, game: Game, n: int) -> Playouts:
    def bools(*size: int) -> NDArray[Any]:
        often = r.choice((0.0, 0.1, 0.5, 1.0))
        return np.array([r.random() < often for _ in range(int(np.prod(size)))], dtype=bool).reshape(size)

    draw, longest = r.choice(RETURNS), r.choice((1, 9, 10**3, 2**31 - 1))
    returns = np.array([draw(r) for _ in range(n * game.players)]).reshape(n, game.players)
    lengths = np.array([r.randint(0, longest) for _ in range(n)], dtype=np.int32)
    phases = np.array([r.randrange(len(game.variant.phases)) for _ in range(n)], dtype=np.int16)
    ranking = np.ones((n, game.seats), dtype=np.int16)
    measures = {m.name: observed(r, m, game.seats, n) for m in game.variant.measures if r.random() < 0.9}
    return Playouts(returns, ranking, bools(n, game.seats), lengths, bools(n), bools(n), phases, measures)


def piece(games: Playouts, part: slice, order: Any) -> Playouts:
    """Some of the games; the arrays may lie otherwise in memory."""
    return chosen(games, lambda column: np.array(column[part], order=order))


def chosen(games: Playouts, of: Callable[[NDArray[Any]], NDArray[Any]]) -> Playouts:
    """The games whose rows `of` gives, of each array."""
    measures = {name: Observed(of(found.number), of(found.total)) for name, found in games.measures.items()}
    return Playouts(
        of(games.returns), of(games.ranking), of(games.winners), of(games.lengths), of(games.cut), of(games.endless),
        of(games.phases), measures,
    )  # fmt: skip


def added(game: Game, games: Playouts, parts: list[int], order: Any = "C") -> Summary:
    tally, first = Tally(game), 0
    for size in parts:
        tally.add(piece(games, slice(first, first + size), order))
        first += size
    assert first == len(games.lengths)
    return tally.summary()


def same(one: Summary, other: Summary) -> bool:
    """To the last digit, and of the same types: numbers of Python, which JSON knows."""
    assert one.data() == other.data()
    assert json.dumps(one.data()) == json.dumps(other.data())
    return one == other and repr(one) == repr(other)


@pytest.mark.parametrize("automaton", [False, True])
@pytest.mark.parametrize("players", [2, 3])
def test_games_in_any_pieces_come_to_what_they_come_to_one_by_one(players: int, automaton: bool) -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    r, played = random.Random(seed), game(players, automaton)
    for _ in range(25):
        games = any_games(r, played, n := r.choice((1, 2, 3, 10, 40, 41)))
        expected = one_by_one(played, games)
        assert same(added(played, games, [n]), expected)
        assert same(added(played, games, [1] * n), expected)
        assert same(added(played, games, list(sizes(r, n)), r.choice("CF")), expected)


def test_many_games_at_once_come_to_what_they_come_to_one_by_one() -> None:
    """So many that a piece is more than what is added up at a time."""
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    r, played = random.Random(seed), game(2, True)
    few = any_games(r, played, 400)
    twice = np.array([r.randrange(400) for _ in range(30_000)])
    games = chosen(few, lambda column: column[twice])
    expected = one_by_one(played, games)
    assert same(added(played, games, [30_000]), expected)
    assert same(added(played, games, [0, 7, 12_345, 0, 17_648], "F"), expected)


@pytest.mark.parametrize("value", [MOST, -MOST - 1, 3 * 10**9, -(2**31), 2**24, 11_863_283, 11_863_284])
def test_large_numbers_do_not_run_over(value: int) -> None:
    """Neither those whose squares do, nor those whose squares do only together."""
    played, games = game(2, False), 70_000
    once, tally = np.ones(games, dtype=np.int64), MeasureTally(played)
    tally.add({"rounds": Observed(once, once * value)})
    (found,) = next(result.rows for result in tally.results(games) if result.measure.name == "rounds")
    assert found == Row((), games, 1.0, float(value), (float(value), float(value)), value, value)


def test_without_games_there_is_nothing_to_tell() -> None:
    played = game(2, False)
    none = any_games(random.Random(1), played, 0)
    with pytest.raises(ZeroDivisionError):
        added(played, none, [0, 0])


# ------------------------------------------------------------------------------------------ room


def test_many_games_take_no_more_room_than_few() -> None:
    played = game(2, True)
    games = any_games(random.Random(7), played, 500)
    tally = Tally(played)
    tally.add(games)
    tracemalloc.start()
    try:
        for _ in range(40):
            tally.add(games)
        gc.collect()  # and with it the room that Python holds ready for tuples
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert tally.summary().games == 20_500
    assert grown < 40_000, f"{grown} bytes for 20,000 games more"


def test_numpy_is_loaded_only_where_games_are_added_up() -> None:
    code = "import sys, aeronef.cli, aeronef.commands.run, aeronef.summary; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
