"""A game by its shipped name (already compiled) or by the path of its spec (compiled now)."""

from __future__ import annotations

import importlib
import linecache
import os
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game

if TYPE_CHECKING:
    from aeronef.dsl.compiler import Compilation
    from aeronef.native.game import NativeGame


def shipped() -> list[str]:
    """The names of the variants that come with Aeronef."""
    names = [name.removesuffix(".yaml") for name in os.listdir(library()) if name.endswith(".yaml")]
    return sorted(name for name in names if "." not in name)


BACKENDS = ("python", "native")


def load(spec: str | Path, players: int | None = None, *, backend: str = "python", **options: Any) -> Game:
    """The game of a shipped variant, or of the spec at a path, for so many players (default: the fewest).

    With `backend="native"` its steps are made in C (`native.game.NativeGame`), which is compiled now or was kept.

    Raises BadInput where there is no such variant, option, value or back end; SpecError where a spec does not compile.
    Native: BadInput where there is no C compiler, or the game needs what that back end does not know.
    """
    if backend not in BACKENDS:
        raise BadInput(f"there is no back end `{backend}` (there is: {', '.join(BACKENDS)})")
    if backend == "python":
        return Game(load_variant(spec), players, options)
    return load_native(spec, players, options)


def load_native(
    spec: str | Path, players: int | None, options: Mapping[str, Any], module: tuple[str, str] | None = None
) -> NativeGame:
    """As load, with its steps made in C. `module` is what the spec at a path compiled to (`module_of`), where the
    caller knows it."""
    from aeronef.native.game import NativeGame

    path = spec_path(str(spec))
    if is_path(str(spec)):
        name, text = module or module_of(path)
        variant = execute(text, name)
    else:
        variant = load_variant(spec)
        text = Path(str(sys.modules[variant.position.__module__].__file__)).read_text(encoding="utf-8")
    return NativeGame(variant, players, options, text, lambda: compiled(path))


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
        path = library() / f"{spec}.yaml"
    if not path.is_file():
        names = ", ".join(shipped())
        raise BadInput(
            f"there is no file `{spec}`" if is_path(spec) else f"there is no variant `{spec}` (there is: {names})"
        )
    return path


def library() -> Path:
    """The folder of the shipped specs, which others can extend."""
    return Path(__file__).parent / "variants"


def variant_of(path: Path) -> Variant:
    """Compiles a spec and loads the result, as a shipped variant is loaded. Raises BadInput, SpecError."""
    name, text = module_of(path)
    return execute(text, name)


def module_of(path: Path) -> tuple[str, str]:
    """The name of a spec's game, and the text of its module: compiled now, or kept. Raises BadInput, SpecError."""
    from aeronef import kept

    try:
        found = kept.find(path, library())
    except OSError as error:
        raise BadInput(f"cannot read `{path}`: {error.strerror or error}") from None
    if found is not None:
        return found
    run = compiled(path)
    assert run.game is not None
    name, text = run.game.name, python_of(run, path)
    kept.keep(path, library(), run, name, text)
    return name, text


def compiled(path: Path) -> Compilation:
    """A spec, compiled. Raises BadInput, SpecError."""
    from aeronef.dsl.compiler import compile_file

    try:
        return compile_file(path, library())
    except OSError as error:
        raise BadInput(f"cannot read `{path}`: {error.strerror or error}") from None


def python_of(run: Compilation, path: Path) -> str:
    """What was compiled, as a Python module's text."""
    from aeronef.dsl.emit.python import emit_python

    assert run.game is not None
    return emit_python(run.game, path.name)


def execute(text: str, name: str) -> Variant:
    """Loads the text of a compiled variant. Its lines show in tracebacks."""
    file = f"<compiled {name}>"
    module = types.ModuleType(f"aeronef_compiled_{name}_{abs(hash(text)):x}")
    sys.modules[module.__name__] = module
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), module.__dict__)
    variant: Variant = module.VARIANT
    return variant
