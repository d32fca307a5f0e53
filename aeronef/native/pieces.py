"""Rows of arrays that C works on, piece by piece, by any number of threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, overload

from aeronef.runtime.errors import BadInput

MOST_A_PIECE = 10_000  # so that an interrupt is heard soon
PIECES_A_THREAD = 16
Piece = TypeVar("Piece")
Done = TypeVar("Done")


@overload
def row_of(array: None, row: int) -> None: ...
@overload
def row_of(array: Any, row: int) -> int: ...
def row_of(array: Any, row: int) -> int | None:
    """Where a row of an array lies; of no array nowhere."""
    return None if array is None else int(array.ctypes.data + row * array.strides[0])


def pieces(n: int, threads: int) -> list[tuple[int, int]]:
    """n games as pieces in a row: the first of each, and how many. Raises BadInput where nobody would play them."""
    if threads < 1:
        raise BadInput(f"games are played by one thread at least, not {threads}")
    many = 1 if threads == 1 else PIECES_A_THREAD * threads
    size = max(1, min(MOST_A_PIECE, -(-n // many)))
    return [(at, min(size, n - at)) for at in range(0, n, size)]


def each(do: Callable[[Piece], Done], parts: Sequence[Piece], threads: int) -> list[Done]:
    """What is done of each part, in order; the error of the first in which there is one, after which no more begin.
    Each thread takes the next part when it is free: to hand each part over would cost more than short ones do."""
    if threads == 1 or len(parts) < 2:
        return [do(part) for part in parts]
    left, done, errors = deque(enumerate(parts)), dict[int, Done](), dict[int, BaseException]()

    def work() -> None:
        while left:
            try:
                place, part = left.popleft()
            except IndexError:  # another took the last
                return
            try:
                done[place] = do(part)
            except BaseException as error:
                errors[place] = error
            if errors:
                return

    with ThreadPoolExecutor(min(threads, len(parts))) as pool:
        try:
            for worker in [pool.submit(work) for _ in range(min(threads, len(parts)))]:
                worker.result()
        except BaseException as error:  # an interrupt: no part begins any more
            errors[-1] = error
    if errors:
        raise errors[min(errors)]
    return [done[place] for place in range(len(parts))]
