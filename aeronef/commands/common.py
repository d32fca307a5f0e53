"""What several commands do: read options, load variants, say what is wrong with a spec."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aeronef.loading import execute, is_path, load_native, load_variant, module_of, shipped, spec_path
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game


class Failed(Exception):
    """What was checked is wrong, and that has been said: exit status 1."""


@dataclass(frozen=True, slots=True)
class Source:
    """A variant as other processes can load it: a shipped name, or the text that the spec at `path` was compiled to."""

    name: str
    text: str | None = None
    path: str | None = None

    def variant(self) -> Variant:
        return load_variant(self.name) if self.text is None else execute(self.text, self.name)


def source_of(spec: str) -> Source:
    """Raises BadInput where there is no such variant; Failed, having said why, where a spec does not compile."""
    if is_path(spec):
        path = spec_path(spec)
        with said_on_stderr(path):
            return _compiled(path)
    if spec not in shipped():
        if Path(f"{spec}.yaml").is_file():
            raise BadInput(f"there is no variant `{spec}`; did you mean the file `{spec}.yaml`?")
        there = ", ".join(shipped())
        raise BadInput(f"there is no variant `{spec}` (there is: {there}; a spec of your own is named by its path)")
    return Source(spec)


def _compiled(path: Path) -> Source:
    return Source(*module_of(path), str(path))


def game_of(source: Source, players: int | None, options: Mapping[str, Any], backend: str) -> Game:
    """The game, by a back end. Raises BadInput."""
    if backend == "native":
        if source.path is not None and source.text is not None:
            return load_native(source.path, players, options, (source.name, source.text))
        variant_of(source)  # which says so where it was not compiled yet
        return load_native(source.name, players, options)
    return Game(variant_of(source), players, options)


def variant_of(source: Source) -> Variant:
    """Raises BadInput where a shipped variant was not compiled yet."""
    try:
        return source.variant()
    except ModuleNotFoundError as error:
        if error.name != f"aeronef.generated.{source.name}":
            raise
        raise BadInput(f"the variant `{source.name}` is not compiled yet: aeronef compile {source.name}") from None


@contextmanager
def said_on_stderr(path: Path) -> Iterator[None]:
    """Within it, a spec that does not compile is said on stderr, and Failed raised."""
    try:
        yield
    except Exception as error:
        # Only what compiles has the compiler loaded: a shipped variant runs without it.
        diagnostics = sys.modules.get("aeronef.dsl.diagnostics")
        if diagnostics is None or not isinstance(error, diagnostics.SpecError):
            raise
        from aeronef.render import counted, errors, say, show_report

        show_report(error.report, path.parent, errors())
        say(f"{path} does not compile: {counted(error.report)}", console=errors())
        raise Failed from None


def parse_options(given: list[str]) -> dict[str, Any]:
    """`NAME=VALUE`, each name once. Raises BadInput."""
    options: dict[str, Any] = {}
    for text in given:
        name, sign, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not sign or not name:
            raise BadInput(f"an option is given as NAME=VALUE, not `{text}`")
        if name in options:
            raise BadInput(f"the option {name} is given twice")
        options[name] = value
    return options


def option_text(value: Any) -> str:
    """An option's value as the command line takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def options_text(options: dict[str, Any]) -> str:
    return " ".join(f"{name}={option_text(value)}" for name, value in options.items())


def find_source(name: str, spec: str | None, folder: Path) -> Source:
    """The variant that a file names: the spec given, else a shipped one, else NAME.yaml beside the file or here.

    Raises BadInput, Failed.
    """
    if spec is not None:
        return source_of(spec)
    if name in shipped():
        return Source(name)
    # The name comes out of a file: it may not lead to another folder.
    if name.isidentifier():
        for path in (folder / f"{name}.yaml", Path(f"{name}.yaml")):
            if path.is_file():
                with said_on_stderr(path):
                    return _compiled(path)
    raise BadInput(
        f"there is no variant `{name}`, shipped or as `{name}.yaml` beside the file (--spec PATH says where it is)"
    )
