"""C files of games, run by themselves under sanitizers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


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
