"""How things are measured: CPU time, the median of several runs, and rows of a table.

A machine's speed changes from run to run, and within one. So contestants take turns; compare figures of one run only.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

ROUNDS = 5
TURN_S = 0.2  # about what a contestant has each time


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median CPU time of one call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def row(*cells: object, first: int = 34) -> None:
    print("".join(f"{cell:>16}" if i else f"{cell:<{first}}" for i, cell in enumerate(cells)))


@dataclass(slots=True)
class Contestant:
    """One way to play a game. `play` plays so many games and gives the number of their steps."""

    name: str
    play: Callable[[int], int]
    games: int = 1  # each time
    speeds: list[tuple[float, float]] = field(default_factory=list)  # games and steps a second

    def turn(self) -> float:
        """Plays once; gives the seconds that it took."""
        start = time.process_time()
        steps = self.play(self.games)
        spent = max(time.process_time() - start, 1e-9)
        self.speeds.append((self.games / spent, steps / spent))
        return spent

    @property
    def games_per_s(self) -> float:
        return statistics.median(games for games, _ in self.speeds)

    @property
    def steps_per_s(self) -> float:
        return statistics.median(steps for _, steps in self.speeds)


def contest(contestants: list[Contestant], rounds: int = ROUNDS) -> None:
    """Lets all play in turn, each as many games as fit its turn."""
    for one in contestants:
        while (spent := one.turn()) < TURN_S / 4:
            one.games = max(2 * one.games, int(one.games * min(TURN_S / spent, 100) / 2))
        one.games = max(1, int(one.games * TURN_S / spent))
        one.speeds.clear()
    for _ in range(rounds):
        for one in contestants:
            one.turn()
