"""The C compiler of this machine: found, and known by what it is, so that a library is never taken for another's."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from aeronef.runtime.errors import BadInput

USUAL = ("cc", "gcc", "clang")
ENOUGH_S = 60  # for a compiler to say its version

COMMON = ("-std=c11", "-Wall", "-Wextra", "-fPIC", "-shared")
FAST = ("-O3",)
SANITIZED = ("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
# Zig compiles for the very machine where nobody says otherwise; a cache may be shared by several.
OF_ZIG = ("-mcpu=baseline",)


class NoCompiler(BadInput):
    """There is no C compiler, or the one that was named is none."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler: the `command` that runs it, what tells this `version` of it from others, and how `hard` it is to
    try."""

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


def candidates() -> Iterator[Compiler]:
    """The compilers among which `find_compiler` finds one, in its order, as far as they are there. Nobody has tried
    whether they work, which takes a process: so a library that one of them has built is found without it."""
    yield from _candidates(os.environ.get("CC", ""), os.environ.get("PATH", ""))


def _candidates(named: str, path: str) -> Iterator[Compiler]:
    if named.strip():
        try:
            program, *rest = shlex.split(named)
        except ValueError:  # a quotation without an end
            return
        if where := _program(program, path):
            yield Compiler((where, *rest), _version((where, *rest), path))
        return
    for name in USUAL:
        if where := _program(name, path):
            yield Compiler((where,), _version((where,), path))
    if importlib.util.find_spec("ziglang") is not None:
        from importlib.metadata import version  # slow to load, and rarely needed

        yield Compiler((sys.executable, "-m", "ziglang", "cc"), f"zig {version('ziglang')}", True)


@cache
def _found(named: str, path: str) -> Compiler:
    """For each `CC` and each `PATH` they are tried once."""
    for compiler in _candidates(named, path):
        if compiler.zig or _works(compiler.command):
            return compiler
    if named.strip():
        raise NoCompiler(f"CC is `{named}`, which is no C compiler that runs here (the Python back end works without)")
    raise NoCompiler(
        "the native back end needs a C compiler, and there is none: install gcc or clang, or "
        "`pip install 'aeronef[native]'` (the Python back end works without)"
    )


def _program(name: str, path: str) -> str | None:
    where = shutil.which(name, path=path)
    return where and os.path.abspath(where)  # it is run from another folder


def _version(command: tuple[str, ...], path: str) -> str:
    """What tells a compiler from an older or a changed one: the sizes and times of the programs in its command, as
    whoever wraps a compiler names it there."""
    told = []
    for word in command:
        with suppress(OSError):
            if where := _program(word, path):
                stat = os.stat(where)
                told.append(f"{os.path.realpath(where)} {stat.st_size} {stat.st_mtime_ns}")
    return "\n".join(told)


def _works(command: tuple[str, ...]) -> bool:
    """Whether a compiler says its version, which the stand-in for one that was not installed does not."""
    import subprocess

    try:
        asked = subprocess.run([*command, "--version"], capture_output=True, timeout=ENOUGH_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0 and bool(asked.stdout)


def sanitizer_environment(compiler: Compiler) -> dict[str, str] | None:
    """What a Python process must have in its environment to load libraries built with sanitizers: their runtime comes
    before everything else. None where this compiler has none that Python can be started with.
    """
    if compiler.zig or not sys.platform.startswith("linux"):
        return None
    import subprocess

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
