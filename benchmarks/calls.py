"""What one call from Python into C costs, by ctypes and by cffi, and what it costs to load a kept library."""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
from collections.abc import Callable

from aeronef.native.build import build
from aeronef.native.compiler import NoCompiler
from benchmarks.measuring import row, seconds

TEXT = """
#include <stdint.h>
int32_t nothing(void);
int32_t step(int32_t *position, int32_t action);
int32_t nothing(void) { return 1; }
int32_t step(int32_t *position, int32_t action) { return position[action & 15] += action; }
"""
CALLS = 100_000
LOADING = {
    "ctypes": "import ctypes; ctypes.CDLL({path!r}).step",
    "cffi": "import cffi; f = cffi.FFI(); f.cdef('int step(int *, int);'); f.dlopen({path!r}).step",
}


def main() -> None:
    try:
        path = str(build(TEXT, "calls"))
    except NoCompiler as error:
        print(f"(without C: {error})")
        return
    row("one call, ns", "nothing()", "step(at, 3)")
    lost = _each(lambda: None)
    for name, opened in (("ctypes, others may run", ctypes.CDLL), ("ctypes, keeping the lock", ctypes.PyDLL)):
        library = opened(path)
        library.step.argtypes = [ctypes.c_void_p, ctypes.c_int32]
        at = ctypes.addressof(kept := (ctypes.c_int32 * 16)())
        nothing, step = library.nothing, library.step
        row(name, f"{_each(nothing) - lost:.0f}", f"{_each(lambda step=step, at=at: step(at, 3)) - lost:.0f}")  # type: ignore[misc]
        assert any(kept)
    with_cffi = importlib.util.find_spec("cffi") is not None
    if with_cffi:
        import cffi

        ffi = cffi.FFI()
        ffi.cdef("int nothing(void); int step(int *position, int action);")
        theirs = ffi.dlopen(path)
        nothing, step, held = theirs.nothing, theirs.step, ffi.new("int[16]")
        row("cffi (ABI)", f"{_each(nothing) - lost:.0f}", f"{_each(lambda: step(held, 3)) - lost:.0f}")
    print()
    row("loading, in a new process", "ms")
    bare = seconds_of_child("pass")
    for name in ("ctypes", "cffi") if with_cffi else ("ctypes",):
        row(name, f"{(seconds_of_child(LOADING[name].format(path=path)) - bare) * 1e3:.1f}")
    print()


def _each(call: Callable[[], object]) -> float:
    def many() -> None:
        for _ in range(CALLS):
            call()

    return seconds(many) / CALLS * 1e9


def seconds_of_child(code: str) -> float:
    """The CPU time of a process that runs it."""
    timed = f"import time; start = time.process_time(); {code}; print(time.process_time() - start)"
    runs = [
        float(subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    return sorted(runs)[len(runs) // 2]
