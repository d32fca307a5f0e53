"""Games written by hand in C (`c/`), each in two ways: through an interface, and as one loop."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aeronef.native.build import load

FOLDER = Path(__file__).parent / "c"
WAYS = ("through_interface", "fused")


def text(file: str) -> str:
    """A C file with what it includes of ours, as one."""
    return re.sub(r'#include "(.+)"', lambda line: text(line[1]), (FOLDER / file).read_text(encoding="utf-8"))


class ByHand:
    """A game in one of its ways. Game k of seed s is the game that our playouts play."""

    def __init__(self, name: str, way: str, sanitized: bool = False) -> None:
        self.play = getattr(load(text(f"{name}.c"), name, sanitized=sanitized), way)
        self.play.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
        self.play.restype = None

    def playouts(self, n: int, seed: int = 0, first: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
        """What the players get and how many steps there are, of games first … first + n - 1."""
        returns = np.zeros((n, 2), dtype=np.int32)
        lengths = np.zeros(n, dtype=np.int32)
        self.play(seed, first, n, returns.ctypes.data, lengths.ctypes.data)
        return returns, lengths

    def lengths(self, n: int, first: int) -> NDArray[Any]:
        return self.playouts(n, seed=1, first=first)[1]
