"""The games of `benchmarks/` that were written by hand are the games that ours are compared with: game k of a seed is
the same game. They are measured, so they must be right."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aeronef
from aeronef.native.compiler import NoCompiler, find_compiler, sanitizer_environment
from aeronef.runtime.game import Game
from aeronef.runtime.simulate import Playouts
from benchmarks import c_by_hand, python_by_hand

ROOT = Path(__file__).parent.parent.parent
PLAYED: dict[str, tuple[str, dict[str, Any]]] = {
    "tic_tac_toe": ("tic_tac_toe", {}), "leduc_poker": ("leduc_poker", {}), "kuhn_poker": ("kuhn_poker", {}),
    "goofspiel": ("goofspiel", {"cards": 13, "prizes": "random"}), "goofspiel_descending": ("goofspiel", {"cards": 13}),
}  # fmt: skip
SEED, GAMES = 20, 1000

games = pytest.mark.parametrize("name", python_by_hand.GAMES)
ways = pytest.mark.parametrize("way", c_by_hand.WAYS)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is built here is kept for this module, and not among what the user keeps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AERONEF_CACHE", str(tmp_path_factory.mktemp("kept")))
        yield


@cache
def game(name: str) -> Game:
    spec, options = PLAYED[name]
    return aeronef.load(ROOT / "examples" / f"{spec}.yaml", 2, **options)


@cache
def ours(name: str) -> Playouts:
    return game(name).playouts(GAMES, seed=SEED)


def there_is_c() -> bool:
    try:
        find_compiler()
    except NoCompiler:
        return False
    return True


def compiler_or_skip() -> None:
    if not there_is_c():
        pytest.skip("no C compiler here")


@ways
@games
def test_games_in_c_are_ours(name: str, way: str) -> None:
    compiler_or_skip()
    by_hand = c_by_hand.ByHand(name, way)
    returns, lengths = by_hand.playouts(GAMES, SEED)
    assert np.array_equal(returns, ours(name).returns)
    assert np.array_equal(lengths, ours(name).lengths)
    late, _ = by_hand.playouts(10, SEED, first=GAMES - 10)
    assert np.array_equal(late, returns[-10:])


@ways
@games
def test_games_in_c_have_no_undefined_behaviour(name: str, way: str) -> None:
    compiler_or_skip()
    environment = sanitizer_environment(find_compiler())
    if environment is None:
        pytest.skip("this compiler has no sanitizers that Python can load")
    code = (
        "import json; from benchmarks.c_by_hand import ByHand; "
        f"returns, _ = ByHand({name!r}, {way!r}, sanitized=True).playouts({GAMES}, {SEED}); "
        "print(json.dumps(returns.tolist()))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == ours(name).returns.tolist()


@games
def test_games_in_python_are_ours(name: str) -> None:
    played = python_by_hand.playouts(name, GAMES, SEED)
    assert [list(returns) for returns, _ in played] == ours(name).returns.tolist()
    assert [steps for _, steps in played] == ours(name).lengths.tolist()


@games
def test_other_random_numbers_make_games_of_the_same_kind(name: str) -> None:
    """What is measured with Python's own generator is as long, within five standard errors."""
    theirs = np.array([steps for _, steps in python_by_hand.other_playouts(name, GAMES)])
    lengths = ours(name).lengths
    error = np.sqrt((theirs.var() + lengths.var()) / GAMES)
    assert abs(theirs.mean() - lengths.mean()) <= 5 * error


@pytest.mark.parametrize("name", PLAYED)
def test_whatever_is_measured_plays_whole_games(name: str) -> None:
    """Each way to play a game makes more steps in twenty games than in ten, and of a length that the game can have."""
    pytest.importorskip("pyspiel")
    from benchmarks import side_by_side

    longest = game(name).max_game_length()
    random.seed(SEED)
    found = side_by_side.contestants(name, with_c=there_is_c())
    assert len({one.name for one in found}) == len(found) >= 6
    for one in found:
        ten, twenty = one.play(10), one.play(20)
        assert 10 <= ten < twenty <= 20 * longest, one.name
