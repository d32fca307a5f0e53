"""Random games in C by several threads, against the same by one: how many times as soon they are done.

By the clock this says something only while as many cores are free: each figure is the best of many runs, in which all
take turns, and what else the machine does makes it worse. By CPU time it is what there would be on free cores: what
one thread spends, over what several spend, of which the main thread's part is done alone, and the rest at once.
"""

from __future__ import annotations

import os
import statistics
import time

from aeronef.loading import load_native, shipped
from aeronef.native.game import NativeGame
from benchmarks.measuring import row
from benchmarks.side_by_side import GAMES, in_c

RUNS = 15
RUN_S = 0.3  # about what one thread takes for a run


def main() -> None:
    most = max(2, os.cpu_count() or 1)
    row(f"{most} threads, times as one thread", "games", "one, games/s", "by the clock", "by CPU time")
    games = {name: in_c(name) for name in GAMES}
    games |= {name: load_native(name, 4, {}) for name in shipped()}
    for name, game in games.items():
        n = _enough(game)
        runs = [(_spent(game, n, 1), _spent(game, n, most)) for _ in range(RUNS)]
        one, several = (min(run[i][0] for run in runs) for i in range(2))
        by_cpu = [alone[1] / (main + (spent - main) / most) for alone, (_, spent, main) in runs]
        row(name, n, f"{n / one:,.0f}", f"{one / several:.2f}", f"{statistics.median(by_cpu):.2f}")
    print()


def _spent(game: NativeGame, n: int, threads: int) -> tuple[float, float, float]:
    """Seconds by the clock, of CPU time, and of those the main thread's."""
    before = time.perf_counter(), time.process_time(), time.thread_time()
    game.playouts(n, seed=1, measures=False, threads=threads)
    after = time.perf_counter(), time.process_time(), time.thread_time()
    clock, spent, main = (later - earlier for earlier, later in zip(before, after, strict=True))
    return clock, spent, main


def _enough(game: NativeGame) -> int:
    n = 1000
    while (spent := _spent(game, n, 1)[1]) < RUN_S / 4:
        n *= 2
    return int(n * RUN_S / spent)
