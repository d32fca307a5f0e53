"""Random games in C: the same for any number of threads, and for whatever is a whole number."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from aeronef.runtime.errors import BadInput
from aeronef.runtime.simulate import Playouts
from tests.emit.c.native import Load
from tests.emit.c.test_same import alike
from tests.native.twins import SEED, both


@pytest.mark.parametrize("name", ["montgolfiere_race", "pig", "celestia"])
@pytest.mark.parametrize("n", [1, 7, 500])
def test_threads_change_nothing(native: Load, name: str, n: int) -> None:
    _, other = both(native, name)
    alone = other.playouts(n, SEED, 3)
    for threads in (1, 2, 5, np.int64(3), n + 1):
        alike(alone, other.playouts(n, SEED, 3, threads=threads))  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "seed", "first"), [
    (20, -1, 0), (20, -(2**63), 0), (20, 2**64 - 1, 0), (20, 2**64 + 5, 0), (20, 2**200 + 7, 0), (20, 5, 2**40),
    (20, 5, 2**64 + 3), (np.int64(20), 5, 0), (np.uint8(20), np.int64(5), np.int32(4)), (20, np.uint8(200), 0),
    (20, np.int64(-3), np.int64(1)), (20, np.uint64(2**64 - 1), 0), (0, 5, 0), (0, -5, 9), (1, 5, 0),
])  # fmt: skip
def test_whatever_is_a_whole_number_is_a_seed(native: Load, n: Any, seed: Any, first: Any) -> None:
    """Of any size and kind. No games are no games, and not an error."""
    one, other = both(native, "pig")
    expected = one.playouts(int(n), int(seed), int(first))
    for threads in (1, 2):
        found = other.playouts(n, seed, first, threads=threads)
        alike(expected, found)
        assert len(found.lengths) == n
    alike(expected, one.playouts(n, seed, first))


def test_without_measures_nothing_is_measured_and_the_games_are_the_same(native: Load) -> None:
    one, other = both(native, "montgolfiere_race")
    found = other.playouts(30, SEED, measures=False)
    alike(one.playouts(30, SEED, measures=False), found)
    assert found.measures == {}
    with_measures = other.playouts(30, SEED)
    assert list(with_measures.measures) == one.measures != []
    for column in ("returns", "ranking", "winners", "lengths", "cut", "endless", "phases"):
        assert (getattr(found, column) == getattr(with_measures, column)).all()


@pytest.mark.parametrize(("asked", "said"), [
    ({"n": -1}, "from 0"), ({"n": 3, "first": -1}, "from 0"), ({"n": 3, "threads": 0}, "one thread at least"),
    ({"n": 3, "threads": -2}, "one thread at least"), ({"n": 0, "threads": 0}, "one thread at least"),
])  # fmt: skip
def test_what_no_games_can_be_is_refused(native: Load, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        both(native, "pig")[1].playouts(**asked)


@pytest.mark.parametrize(
    "asked", [{"n": 2.5}, {"n": 2, "seed": 1.5}, {"n": 2, "first": 0.5}, {"n": "2"}, {"seed": None}]
)
def test_what_is_no_whole_number_is_refused(native: Load, asked: dict[str, Any]) -> None:
    for game in both(native, "pig"):
        with pytest.raises(TypeError):
            game.playouts(**({"n": 2} | asked))


def test_one_game_is_played_by_several_at_once(native: Load) -> None:
    """States and random games of one library, from threads of Python that know nothing of each other."""
    one, other = both(native, "crazy_eights")
    expected = [one.playouts(10, seed) for seed in range(4)]
    found: dict[int, tuple[Playouts, str]] = {}

    def play(seed: int) -> None:
        state = other.new_initial_state()
        for step in range(60):
            legal = state.legal_actions()
            state.apply_action(legal[(seed * 7 + step) % len(legal)])
        found[seed] = other.playouts(10, seed), state.serialize()

    players = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    for seed in range(4):
        alike(expected[seed], found[seed][0])
        state = one.new_initial_state()
        for step in range(60):
            legal = state.legal_actions()
            state.apply_action(legal[(seed * 7 + step) % len(legal)])
        assert found[seed][1] == state.serialize()
