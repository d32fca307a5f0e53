"""Work in pieces: in this process, or in several with the same result. Random games of one variant are such work."""

from __future__ import annotations

import io
import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from aeronef.commands.common import Source, game_of
from aeronef.runtime.errors import AeronefError
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import Position
from aeronef.runtime.simulate import Playouts, playouts
from aeronef.status import ENDING

MOST_A_CHUNK = 50
MOST_IN_C = 10_000  # of each thread

Piece = tuple[int, int]  # the number of the first game, and how many
Part = TypeVar("Part")
Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played, by which back end. `recorded` asks for transcripts, `full` for full ones."""

    source: Source
    players: int
    options: dict[str, Any]
    games: int
    seed: int
    recorded: bool = False
    full: bool = False
    backend: str = "python"


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games in a row, and their transcripts (or nothing)."""

    results: Playouts
    transcripts: str


def play(plan: Plan, game: Game, jobs: int) -> Generator[Chunk, None, None]:
    """All games of a plan, in order, whatever the number of processes (of threads, where the games are played in C).

    Raises FaultInGame, of the first game in which the rules break. To be closed where it is not played to its end.
    """
    if plan.backend == "native" and not plan.recorded:
        for first in range(0, plan.games, MOST_IN_C * jobs):
            n = min(MOST_IN_C * jobs, plan.games - first)
            yield Chunk(game.playouts(n, plan.seed, first, threads=jobs), "")
        return
    size = max(1, min(MOST_A_CHUNK, plan.games // (4 * jobs)))
    pieces = [(first, min(size, plan.games - first)) for first in range(0, plan.games, size)]
    if jobs == 1 or len(pieces) == 1:
        for first, n in pieces:
            yield play_chunk(plan, game, first, n)
        return
    yield from in_processes(partial(_player, plan), pieces, min(jobs, len(pieces)))


def play_chunk(plan: Plan, game: Game, first: int, n: int) -> Chunk:
    if not plan.recorded:
        return Chunk(game.playouts(n, plan.seed, first), "")
    from aeronef.runtime.transcript import record

    written = io.StringIO()

    def recording(game: Game, seed: int, number: int) -> Position:
        return record(game, seed, number, written.write, plan.full)

    if plan.backend == "native":  # measured in C, and played once more step by step
        results = game.playouts(n, plan.seed, first)
        for number in range(first, first + n):
            recording(game, plan.seed, number)
        return Chunk(results, written.getvalue())
    return Chunk(playouts(game, n, plan.seed, first, recording), written.getvalue())


# ------------------------------------------------------------------------------------------ processes


def _player(plan: Plan) -> Callable[[Piece], Chunk]:
    game = game_of(plan.source, plan.players, plan.options, plan.backend)
    return lambda piece: play_chunk(plan, game, *piece)


def in_processes(
    begin: Callable[[], Callable[[Part], Done]], pieces: Sequence[Part], jobs: int
) -> Generator[Done, None, None]:
    """What is made of each piece, in order. Process w does every piece whose number is w modulo `jobs`, and hands it
    over through a pipe of its own; `begin` (which is pickled) gives what it does.

    Raises AeronefError where a process raises one, or is stopped from outside. To be closed where it is not used to its
    end.
    """
    # Spawned, not forked: the progress bar has a thread, and a fork of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    processes: list[BaseProcess] = []
    readers: list[Connection] = []
    try:
        with _deaf():
            for w in range(jobs):
                reader, writer = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(begin, pieces[w::jobs], writer), daemon=True)
                process.start()
                writer.close()
                processes.append(process)
                readers.append(reader)
        for number in range(len(pieces)):
            try:
                found = readers[number % jobs].recv()
            except EOFError:
                raise AeronefError("a process that played games was stopped from outside (is memory short?)") from None
            if isinstance(found, Exception):
                raise found
            yield found
    finally:
        for started in processes:
            started.terminate()
        for started in processes:
            started.join()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that start now do not hear an interrupt: this one does, and ends them. Other signals that end this one
    wait until all have started."""
    waiting: list[int] = []
    held = [number for number in ENDING if callable(signal.getsignal(number))]
    before = {number: signal.signal(number, lambda heard, _: waiting.append(heard)) for number in held}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for heard in waiting:
            signal.raise_signal(heard)


def _work(begin: Callable[[], Callable[[Part], Done]], pieces: Sequence[Part], writer: Connection) -> None:
    """What such a process does: sends what it made of its pieces, or the error that stopped it."""
    with suppress(BrokenPipeError):
        try:
            do = begin()
            for piece in pieces:
                writer.send(do(piece))
        except AeronefError as error:
            writer.send(error)
