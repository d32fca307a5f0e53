"""What a position takes, in C and in Python, and whether random games in C leave anything behind."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import Any

from aeronef.loading import load_native, shipped
from aeronef.native.game import NativeGame
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from benchmarks.measuring import row
from benchmarks.side_by_side import GAMES, in_c

BATCH = 10_000
MANY = {"small": 1_000_000, "large": 100_000}


def main() -> None:
    row("bytes of a position, half-way", "players", "in C", "in Python", "numbers in it")
    subjects = [(name, load_native(name, many, {})) for name in shipped() for many in (2, 4, 6)]
    for name, game in [*subjects, *((name, in_c(name)) for name in GAMES)]:
        position = _half_way(Game(game.variant, game.players, game.options))
        row(name, game.players, game.library.quick["position_size"](), _size(position), _numbers(position))
    print()
    row("random games in C", "games", "resident, KB", "more at the end", "at most")
    for name in GAMES:
        _grows(name, in_c(name), MANY["small"])
    for name in shipped():
        _grows(name, load_native(name, 4, {}), MANY["large"])
    print()


def _half_way(game: Game) -> Any:
    position, rng = game.start(), Rng.stream(1, 0)
    for _ in range(int(game.playouts(1, seed=1).lengths[0]) // 2):
        position.apply(choose(position, rng))
    return position


def _parts(position: Any) -> list[Any]:
    names = dict.fromkeys(name for kind in type(position).__mro__ for name in getattr(kind, "__slots__", ()))
    return [getattr(position, name) for name in names]


def _size(position: Any) -> int:
    """With all that it refers to, small numbers left out, of which there is one each."""
    seen: set[int] = set()

    def size(value: Any) -> int:
        if id(value) in seen or value is None or isinstance(value, int):
            return 0
        seen.add(id(value))
        return sys.getsizeof(value) + sum(map(size, value))

    return sys.getsizeof(position) + sum(map(size, _parts(position)))


def _numbers(position: Any) -> int:
    def many(value: Any) -> int:
        return sum(map(many, value)) if isinstance(value, list | tuple) else 1

    return sum(map(many, _parts(position)))


def _grows(name: str, game: NativeGame, n: int) -> None:
    """Plays n games, after some to begin with; what is resident before and after."""
    game.playouts(BATCH, seed=2)
    before = _resident()
    for first in range(0, n, BATCH):
        game.playouts(BATCH, seed=1, first=first)
    row(name, n, f"{before:,}", f"{_resident() - before:,}", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:,}")


def _resident() -> int:
    """KB; 0 where the system does not tell."""
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024 if told.exists() else 0
