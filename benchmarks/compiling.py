"""From a spec to a game."""

from __future__ import annotations

from aeronef.dsl.compiler import compile_file
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, library, shipped, spec_path
from benchmarks.measuring import row, seconds


def main() -> None:
    for name in shipped():
        compiling(name)
        print()


def compiling(name: str) -> None:
    row("compiling", "", "ms")
    path = spec_path(name)
    run = compile_file(path, library())
    assert run.game is not None
    game = run.game
    text = emit_python(game, path.name)
    row(f"{name}: spec to IR, with findings", "", f"{seconds(lambda: compile_file(path, library())) * 1e3:,.1f}")
    row(f"{name}: IR to Python", "", f"{seconds(lambda: emit_python(game, path.name)) * 1e3:,.1f}")
    row(f"{name}: Python to game", "", f"{seconds(lambda: execute(text, name)) * 1e3:,.1f}")
