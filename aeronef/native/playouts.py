"""Random games in C, by any number of threads: what `simulate.playouts` gives, and the very same."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from aeronef.native.pieces import each, pieces, row_of
from aeronef.runtime.measures import Observed, shape
from aeronef.runtime.simulate import FaultInGame, Playouts

if TYPE_CHECKING:
    from aeronef.native.game import NativeGame


def playouts(game: NativeGame, n: int, seed: int, first: int, measures: bool, threads: int) -> Playouts:
    """Games first … first + n - 1 of a seed. Raises FaultInGame, of the first in which the rules break."""
    columns: dict[str, Any] = {
        "returns": np.zeros((n, game.players)), "ranking": np.zeros((n, game.seats), np.int16),
        "winners": np.zeros((n, game.seats), bool), "lengths": np.zeros(n, np.int32), "cut": np.zeros(n, bool),
        "endless": np.zeros(n, bool), "phases": np.zeros(n, np.int16),
    }  # fmt: skip
    measured = game.library.layout.measures if measures else []
    observed = [Observed(np.zeros(size, np.int64), np.zeros(size, np.int64)) for size in _shapes(game, measured, n)]
    library, arrays = game.library, list(columns.values())
    numbers, totals = [one.number for one in observed], [one.total for one in observed]

    def play(piece: tuple[int, int]) -> None:
        at, many = piece
        broken = library.Buffer()
        given = [row_of(array, at) for array in arrays]
        tables = [_table(numbers, at), _table(totals, at)] if library.layout.measures else []
        ended = library.long["playouts"](seed % 2**64, first + at, many, *given, broken, *tables)
        if ended < 0:
            raise MemoryError
        if ended < many:
            fault = library.fault(broken)
            raise FaultInGame(str(fault), fault.place, seed, first + at + ended) from fault

    each(play, pieces(n, threads), threads)
    numbers_of_phases = np.asarray(library.layout.phases, np.int16)
    if (numbers_of_phases != np.arange(len(numbers_of_phases))).any():
        columns["phases"] = numbers_of_phases[columns["phases"]]
    return Playouts(**columns, measures=dict(zip(measured, observed, strict=True)))


def _shapes(game: NativeGame, measured: Sequence[str], n: int) -> list[tuple[int, ...]]:
    known = {measure.name: measure for measure in game.variant.measures}
    return [(n, *shape(known[name], game.seats)) for name in measured]


def _table(arrays: Sequence[Any], row: int) -> Any:
    """The rows of several arrays; nothing of none."""
    return (ctypes.c_void_p * len(arrays))(*(row_of(array, row) for array in arrays)) if arrays else None
