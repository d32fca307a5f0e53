"""The command line as a user types it, in a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from aeronef.cli import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


Cli = Callable[..., Result]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """Runs one command line in this process, from an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Result:
        capsys.readouterr()
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return call


def command(*words: object) -> list[str]:
    """The same as a process."""
    return [sys.executable, "-m", "aeronef", *map(str, words)]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


@pytest.fixture
def process(tmp_path: Path) -> Cli:
    """Runs one command line in a process of its own, from an empty folder."""

    def call(*words: object) -> Result:
        done = subprocess.run(
            command(*words),
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return call
