"""The C library of one game as Python calls it."""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import c_bool, c_char_p, c_double, c_int, c_int16, c_int32, c_int64, c_size_t, c_uint64
from pathlib import Path
from typing import Any

from aeronef.native.build import BuildFailed
from aeronef.native.layout import Layout
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game

BROKEN = -100
MOST_SAID = 300

AT = ctypes.c_void_p
Declared = dict[str, tuple[Any, tuple[Any, ...] | None]]  # what a function gives, and what it is given

# Where nothing is declared, ctypes takes its own arrays and small numbers as they are: three times as quick.
QUICK: Declared = {
    "position_size": (c_size_t, ()), "ids_most": (c_int, ()), "dump_most": (c_int, ()), "shown": (c_int, ()),
    "layout": (c_char_p, ()), "observe": (None, (AT, AT, c_int, AT)), "fault": (c_char_p, (AT, AT, c_size_t)),
    "head": (None, None), "dump": (c_int, None), "restore": (c_bool, None), "start": (c_int, None),
    "legal": (c_int, None), "outcomes": (c_int, None), "apply": (c_int, None), "ranking": (None, None),
    "returns": (None, None), "same": (c_bool, None),
}  # fmt: skip
LONG: Declared = {
    "playouts": (c_int64, (c_uint64, c_uint64, c_int64, *[AT] * 8)),
    "batch": (c_int64, (c_int64, c_uint64, *[AT] * 8)),
    "batch_observe": (None, (c_int64, c_int, *[AT] * 3)),
    "batch_results": (None, (c_int64, *[AT] * 4)),
}


class Scratch(threading.local):
    """Where the library writes lists, of each thread its own."""

    def __init__(self, ids: int, numbers: int, game: Game) -> None:
        self.ids = (c_int32 * ids)()
        self.weights = (c_int64 * ids)()
        self.numbers = (c_int32 * numbers)()
        self.ranks = (c_int16 * game.seats)()
        self.worth = (c_double * game.players)()


class Library:
    """`quick` and `long` have its functions: while a long one runs, other threads do too; a quick one keeps the lock,
    which costs less than letting it go. `layout` tells what the numbers of a position mean."""

    def __init__(self, path: Path, game: Game) -> None:
        self.quick = _declared(path, QUICK, ctypes.PyDLL)
        self.layout = Layout(game, self.quick["layout"]().decode())
        self.long = _declared(path, LONG, ctypes.CDLL)
        if self.layout.measures:
            self.long["playouts"].argtypes += (AT, AT)
        self.size = self.quick["position_size"]()  # in bytes; of many positions each lies right behind the last
        self.Buffer = c_uint64 * -(-self.size // 8)  # a position; of this type, so that it lies where C wants it
        self.shown: int = self.quick["shown"]()
        self.scratch = Scratch(self.quick["ids_most"](), self.quick["dump_most"](), game)
        self.source = game.variant.source

    def copied(self, position: bytes) -> Any:
        """A position out of an array of many, by itself."""
        return self.Buffer.from_buffer_copy(position.ljust(ctypes.sizeof(self.Buffer), b"\0"))

    def fault(self, at: Any) -> RuleFault:
        """How the rules broke, as the readable back end says it."""
        text = ctypes.create_string_buffer(MOST_SAID)
        place = self.quick["fault"](at, text, MOST_SAID).decode()
        return RuleFault(text.value.decode(), place)


def _declared(path: Path, declared: Declared, kind: type[ctypes.CDLL]) -> dict[str, Any]:
    try:
        library = kind(os.fspath(path))
    except OSError as error:
        raise BuildFailed(f"the system does not load what was built: {error}", str(error)) from None
    found = {}
    for name, (gives, given) in declared.items():
        function = getattr(library, f"aeronef_{name}")
        function.restype, function.argtypes = gives, given
        found[name] = function
    return found
