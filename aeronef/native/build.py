"""A C text as a loaded library, compiled once for each compiler and kept."""

from __future__ import annotations

import ctypes
import hashlib
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from aeronef import cache
from aeronef.native.compiler import Compiler, candidates, find_compiler
from aeronef.runtime.errors import AeronefError

if TYPE_CHECKING:
    import subprocess

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
MOST_SAID = 40  # lines of a compiler's complaint


class BuildFailed(AeronefError):
    """The compiler did not take a text; `said` is what it said."""

    def __init__(self, message: str, said: str) -> None:
        super().__init__(message)
        self.said = said


def load(text: str, name: str, *, sanitized: bool = False, compiler: Compiler | None = None) -> ctypes.CDLL:
    """The library of a C text: as build, and loaded. While one of its functions runs, other threads can.

    Raises NoCompiler, BuildFailed; BadInput where nothing can be kept.
    """
    path = build(text, name, sanitized=sanitized, compiler=compiler)
    try:
        return ctypes.CDLL(os.fspath(path))
    except OSError as error:
        raise BuildFailed(f"the system does not load what was built of {name}: {error}", str(error)) from None


def find(told: str, name: str, *, sanitized: bool = False, compiler: Compiler | None = None) -> Path | None:
    """Where the library lies that was built of what `told` stands for, if it was kept."""
    for one in (compiler,) if compiler is not None else candidates():
        for found in cache.find(_key(told, name, one.flags(sanitized), one), SUFFIX):
            return found
    return None


def build(
    text: str, name: str, *, sanitized: bool = False, compiler: Compiler | None = None, told: str | None = None
) -> Path:
    """Where the library of a C text lies: what was kept, or one built now. With `told` it is kept under what that
    says, and not under the text, which `find` needs not know.

    `name` is what compilers and sanitizers call the text (`NAME.c`). With `sanitized` it checks itself for undefined
    behaviour (AddressSanitizer, UndefinedBehaviorSanitizer); `sanitizer_environment` says how to load such a one. The
    compiler is the one that `find_compiler` finds.

    Raises NoCompiler, BuildFailed; BadInput where nothing can be kept.
    """
    compiler = compiler or find_compiler()
    flags = compiler.flags(sanitized)
    key = _key(text if told is None else told, name, flags, compiler)
    found = next(cache.find(key, SUFFIX), None)
    if found is not None:
        return found
    with cache.draft() as folder:
        source, built = f"{name}.c", folder / f"{name}{SUFFIX}"
        (folder / source).write_text(text, encoding="utf-8", newline="\n")
        _compile([*compiler.command, *flags, "-o", built.name, source], folder, name)
        return cache.keep(key, built, SUFFIX)


def _compile(command: list[str], folder: Path, name: str) -> None:
    import subprocess

    # Run in the folder by relative names: no path gets into a library, and all that is left behind goes with it.
    private = {"ZIG_LOCAL_CACHE_DIR": os.fspath(folder), "TMPDIR": os.fspath(folder)}
    try:
        running = subprocess.Popen(
            command, cwd=folder, env=os.environ | private, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise BuildFailed(f"cannot run the C compiler `{command[0]}`: {error.strerror}", str(error)) from None
    try:
        output, _ = running.communicate()
    except BaseException:
        _kill(running)
        raise
    if running.returncode != 0:
        said = "\n".join(output.strip().splitlines()[:MOST_SAID])
        raise BuildFailed(f"the C compiler `{command[0]}` does not compile {name}.c: {said}", said)


def _kill(running: subprocess.Popen[str]) -> None:
    """Ends a compiler with all that it has started, so that nothing is written any more."""
    if sys.platform == "win32":
        running.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
    running.communicate()


def _key(text: str, name: str, flags: tuple[str, ...], compiler: Compiler) -> str:
    machine = os.environ.get("PROCESSOR_ARCHITECTURE", "") if sys.platform == "win32" else os.uname().machine
    told = (text, name, *flags, *compiler.command, compiler.version, sys.platform, machine)
    return f"{name}-{hashlib.sha256(chr(0).join(told).encode()).hexdigest()[:32]}"
