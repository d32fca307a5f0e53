"""Games as C, built and kept for one run of the tests."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aeronef.native.compiler import NoCompiler, find_compiler
from aeronef.native.game import NativeGame
from aeronef.runtime.game import Game
from tests.emit.c.native import Spec, game_of, native_of

Load = Callable[..., tuple[Game, NativeGame]]


@pytest.fixture(scope="session")
def native(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """A game by its spec, players and options, in Python and in C."""
    try:
        find_compiler()
    except NoCompiler:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("native")

    def load(spec: Spec, players: int | None = None, **options: Any) -> tuple[Game, NativeGame]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AERONEF_CACHE", str(folder))
            return game_of(spec, players, options), native_of(spec, players, options)

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
