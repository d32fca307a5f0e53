"""Every spec of the project: shipped, of the examples, made up for tests, and what `aeronef new` writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from aeronef.dsl import ir
from aeronef.dsl.compiler import Compilation, compile_text
from aeronef.dsl.diagnostics import SpecError
from aeronef.dsl.emit.python import emit_python

ROOT = Path(__file__).parents[2]
FOLDERS = ("variants", "examples", "tests/games")
TEMPLATE = ROOT / "aeronef" / "templates" / "new.yaml"

SPECS: dict[str, Path] = {
    path.stem: path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.yaml")) if "." not in path.stem
}
if TEMPLATE.is_file():
    SPECS["made_by_new"] = TEMPLATE


def text_of(name: str) -> str:
    text = SPECS[name].read_text(encoding="utf-8")
    return text.replace("NAME", name) if SPECS[name] == TEMPLATE else text


def compiled(text: str, file: str = "spec.yaml", folder: Path | None = None) -> ir.Game:
    """The IR of a spec's text. Raises AssertionError with every mistake in it."""
    try:
        game = compile_text(file, text.encode(), folder, ROOT / "variants").game
    except SpecError as error:
        raise AssertionError("\n".join(f"{d.span}: {d.message} ({d.hint})" for d in error.report.errors)) from None
    assert game is not None
    return game


@cache
def compilation(name: str) -> Compilation:
    """A spec of the project as compiled: once in each process, whoever asks."""
    path = SPECS[name]
    return compile_text(path.name, text_of(name).encode(), path.parent, ROOT / "variants")


def emitted(name: str) -> str:
    """The module that the emitter gives for a spec of the project."""
    game = compilation(name).game
    assert game is not None
    return emit_python(game, SPECS[name].name)
