"""Games as C, compiled with the system's compiler and called by ctypes."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.emit.c.native import Native, Spec, c_of, game_of

STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC")

Load = Callable[..., tuple[Any, Native]]


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """A game by its spec, players and options, in Python and in C."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("native")
    built: dict[str, Native] = {}

    def load(spec: Spec, players: int | None = None, **options: Any) -> tuple[Any, Native]:
        game = game_of(spec, players, options)
        text = c_of(spec, game)
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        if key not in built:
            file = folder / f"{key}.c"
            file.write_text(text, encoding="utf-8")
            library = file.with_suffix(".so")
            subprocess.run([compiler, *STRICT, "-o", library, file], check=True)
            built[key] = Native(ctypes.CDLL(str(library)), game)
        return game, built[key]

    return load


@pytest.fixture
def sanitized(tmp_path: Path) -> Callable[[str, str], None]:
    """Runs `main` of a C file that has the game's text in it, under the sanitizers; anything they find fails."""

    def run(text: str, main: str) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if compiler is None:
            pytest.skip("there is no C compiler")
        file, program = tmp_path / "game.c", tmp_path / "game"
        file.write_text(text + main, encoding="utf-8")
        flags = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-g", "-fno-sanitize-recover=all",
                 "-fsanitize=address,undefined")  # fmt: skip
        made = subprocess.run([compiler, *flags, "-o", program, file], capture_output=True, text=True)
        if made.returncode and "sanitiz" in made.stderr.lower() + "asan" * ("asan" in made.stderr):
            pytest.skip("the compiler has no sanitizers")
        assert made.returncode == 0, made.stderr
        done = subprocess.run([program], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]

    return run
