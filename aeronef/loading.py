"""A game by its shipped name (already compiled) or by the path of its spec (compiled now)."""

from __future__ import annotations

import importlib
import linecache
import sys
import types
from importlib import resources
from pathlib import Path
from typing import Any

from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game


def shipped() -> list[str]:
    """The names of the variants that come with Aeronef."""
    folder = resources.files("aeronef.variants")
    names = [entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml")]
    return sorted(name for name in names if "." not in name)


def load(spec: str | Path, players: int | None = None, **options: Any) -> Game:
    """The game of a shipped variant, or of the spec at a path, for so many players (default: the fewest).

    Raises BadInput where there is no such variant, option or value; SpecError where a spec does not compile.
    """
    return Game(load_variant(spec), players, options)


def load_variant(spec: str | Path) -> Variant:
    """The compiled variant of a shipped name or of a path."""
    name = str(spec)
    if is_path(name):
        return variant_of(Path(name))
    if name not in shipped():
        raise BadInput(
            f"there is no variant `{name}` (there is: {', '.join(shipped())}; a spec of your own is named by its path)"
        )
    module = importlib.import_module(f"aeronef.generated.{name}")
    variant: Variant = module.VARIANT
    return variant


def is_path(name: str) -> bool:
    return name.endswith((".yaml", ".yml")) or "/" in name or "\\" in name


def spec_path(spec: str) -> Path:
    """The file of a spec, shipped or not. Raises BadInput where there is none."""
    if is_path(spec):
        path = Path(spec)
    else:
        path = Path(str(resources.files("aeronef.variants").joinpath(f"{spec}.yaml")))
    if not path.is_file():
        names = ", ".join(shipped())
        raise BadInput(
            f"there is no file `{spec}`" if is_path(spec) else f"there is no variant `{spec}` (there is: {names})"
        )
    return path


def library() -> Path:
    """The folder of the shipped specs, which others can extend."""
    return Path(str(resources.files("aeronef.variants")))


def variant_of(path: Path) -> Variant:
    """Compiles a spec and loads the result, as a shipped variant is loaded. Raises BadInput, SpecError."""
    name, text = compiled(path)
    return execute(text, name)


def compiled(path: Path) -> tuple[str, str]:
    """The name of a spec's game, and its compiled text. Raises BadInput, SpecError."""
    from aeronef.dsl.compiler import compile_file
    from aeronef.dsl.emit.python import emit_python

    try:
        run = compile_file(path, library())
    except OSError as error:
        raise BadInput(f"cannot read `{path}`: {error.strerror or error}") from None
    assert run.game is not None
    return run.game.name, emit_python(run.game, path.name)


def execute(text: str, name: str) -> Variant:
    """Loads the text of a compiled variant. Its lines show in tracebacks."""
    file = f"<compiled {name}>"
    module = types.ModuleType(f"aeronef_compiled_{name}_{abs(hash(text)):x}")
    sys.modules[module.__name__] = module
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), module.__dict__)
    variant: Variant = module.VARIANT
    return variant
