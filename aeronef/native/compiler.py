"""The C compiler of this machine: found, and known by what it is, so that a library is never taken for another's."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aeronef.runtime.errors import BadInput

USUAL = ("cc", "gcc", "clang")
ENOUGH_S = 60  # for a compiler to say its version

COMMON = ("-std=c11", "-Wall", "-Wextra", "-fPIC", "-shared")
FAST = ("-O2",)
SANITIZED = ("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
# Zig compiles for the very machine where nobody says otherwise; a cache may be shared by several.
OF_ZIG = ("-mcpu=baseline",)


class NoCompiler(BadInput):
    """There is no C compiler, or the one that was named is none."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler: the `command` that runs it, its `version` as it says it itself, and how `hard` it is to try."""

    command: tuple[str, ...]
    version: str
    zig: bool = False
    hard: tuple[str, ...] = FAST

    def flags(self, sanitized: bool = False) -> tuple[str, ...]:
        """What a library is built with."""
        return (*COMMON, *(SANITIZED if sanitized else self.hard), *(OF_ZIG if self.zig else ()))


def find_compiler() -> Compiler:
    """The compiler that `CC` names; else the system's (cc, gcc, clang); else that of the package `ziglang`.

    Raises NoCompiler where there is none, or where `CC` names something that does not run.
    """
    return _found(os.environ.get("CC", ""), os.environ.get("PATH", ""))


@cache
def _found(named: str, path: str) -> Compiler:
    """For each `CC` and each `PATH` it is asked once."""
    if named.strip():
        return _named(named, path)
    for name in USUAL:
        where = _program(name, path)
        version = where and _version((where,))
        if where and version:
            return Compiler((where,), version)
    if importlib.util.find_spec("ziglang") is not None:
        return Compiler((sys.executable, "-m", "ziglang", "cc"), f"zig {importlib.metadata.version('ziglang')}", True)
    raise NoCompiler(
        "the native back end needs a C compiler, and there is none: install gcc or clang, or "
        "`pip install 'aeronef[native]'` (the Python back end works without)"
    )


def _named(named: str, path: str) -> Compiler:
    program, *rest = shlex.split(named)
    where = _program(program, path)
    version = where and _version((where, *rest))
    if not where or not version:
        raise NoCompiler(f"CC is `{named}`, which is no C compiler that runs here (the Python back end works without)")
    return Compiler((where, *rest), version)


def _program(name: str, path: str) -> str | None:
    where = shutil.which(name, path=path)
    return where and os.path.abspath(where)  # it is run from another folder


def _version(command: tuple[str, ...]) -> str | None:
    """What a compiler says that it is. None of something that is there and does not work, as the stand-in for a
    compiler that was not installed."""
    try:
        asked = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, errors="replace", timeout=ENOUGH_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return asked.stdout if asked.returncode == 0 else None


def sanitizer_environment(compiler: Compiler) -> dict[str, str] | None:
    """What a Python process must have in its environment to load libraries built with sanitizers: their runtime comes
    before everything else. None where this compiler has none that Python can be started with.
    """
    if compiler.zig or not sys.platform.startswith("linux"):
        return None
    for name in ("libasan.so", "libclang_rt.asan.so", f"libclang_rt.asan-{os.uname().machine}.so"):
        asked = subprocess.run(
            [*compiler.command, f"-print-file-name={name}"], capture_output=True, text=True, check=False
        )
        where = Path(asked.stdout.strip())
        if asked.returncode == 0 and where.is_absolute() and where.exists():
            # Python itself frees little at its end: what it leaves is not ours.
            return {
                "LD_PRELOAD": os.fspath(where),
                "ASAN_OPTIONS": "detect_leaks=0",
                "UBSAN_OPTIONS": "print_stacktrace=1",
            }
    return None
