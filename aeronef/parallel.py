"""Random games of one variant, in chunks: in this process, or in several with the same result."""

from __future__ import annotations

import io
import multiprocessing
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from aeronef.commands.common import Source, variant_of
from aeronef.runtime.errors import AeronefError
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import Position
from aeronef.runtime.simulate import Playouts, playouts

MOST_A_CHUNK = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played. `recorded` asks for transcripts, `full` for full ones."""

    source: Source
    players: int
    options: dict[str, Any]
    games: int
    seed: int
    recorded: bool = False
    full: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games in a row, and their transcripts (or nothing)."""

    results: Playouts
    transcripts: str


def play(plan: Plan, game: Game, jobs: int) -> Iterator[Chunk]:
    """All games of a plan, in order, whatever the number of processes.

    Raises FaultInGame, of the first game in which the rules break.
    """
    size = max(1, min(MOST_A_CHUNK, plan.games // (4 * jobs)))
    pieces = [(first, min(size, plan.games - first)) for first in range(0, plan.games, size)]
    if jobs == 1 or len(pieces) == 1:
        for first, n in pieces:
            yield play_chunk(plan, game, first, n)
        return
    yield from _in_processes(plan, pieces, min(jobs, len(pieces)))


def play_chunk(plan: Plan, game: Game, first: int, n: int) -> Chunk:
    if not plan.recorded:
        return Chunk(playouts(game, n, plan.seed, first), "")
    from aeronef.runtime.transcript import record

    written = io.StringIO()

    def recording(game: Game, seed: int, number: int) -> Position:
        return record(game, seed, number, written.write, plan.full)

    return Chunk(playouts(game, n, plan.seed, first, recording), written.getvalue())


# ------------------------------------------------------------------------------------------ processes


def _in_processes(plan: Plan, pieces: list[tuple[int, int]], jobs: int) -> Iterator[Chunk]:
    # Spawned, not forked: the progress bar has a thread, and a fork of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, context, _begin, (plan,))
    waiting: deque[Future[Chunk]] = deque()
    ahead = iter(pieces)
    try:
        for piece in ahead:
            waiting.append(executor.submit(_work, *piece))
            if len(waiting) >= 4 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        executor.shutdown()
    except BrokenProcessPool:
        raise AeronefError("a process that played games was stopped from outside (too little memory?)") from None
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()


_plan: Plan
_game: Game


def _begin(plan: Plan) -> None:
    """In each process, once."""
    global _plan, _game
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process says that it was interrupted
    _plan, _game = plan, Game(variant_of(plan.source), plan.players, plan.options)


def _work(first: int, n: int) -> Chunk:
    return play_chunk(_plan, _game, first, n)
