"""A game in both back ends, its C built as users build it, but strictly; and kept for as long as the tests run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from aeronef.c_source import c_source
from aeronef.dsl import ir
from aeronef.dsl.compiler import Compilation, compile_file
from aeronef.dsl.settle import settle
from aeronef.loading import execute, python_of
from aeronef.native.compiler import Compiler, find_compiler
from aeronef.native.game import NativeGame
from aeronef.runtime.game import Game
from tests.games import specs
from tests.games.specs import ROOT, SPECS

Spec = str | Path  # one of the project by its name, or a file
Load = Callable[..., tuple[Game, NativeGame]]  # what the fixture `native` gives


def _path(spec: Spec) -> Path:
    return spec if isinstance(spec, Path) else SPECS[spec]


@cache
def compilation(spec: Spec) -> Compilation:
    return compile_file(spec, ROOT / "variants") if isinstance(spec, Path) else specs.compilation(spec)


@cache
def variant(spec: Spec) -> Any:
    run = compilation(spec)
    assert run.game is not None
    return execute(python_of(run, _path(spec)), run.game.name)


@cache
def strict() -> Compiler:
    """Without the time that the best code takes, and nothing that the compiler warns of."""
    return dataclasses.replace(find_compiler(), hard=("-O1", "-Werror"))


def game_of(spec: Spec, players: int | None = None, options: dict[str, Any] | None = None) -> Game:
    return Game(variant(spec), players, options)


def native_of(spec: Spec, players: int | None = None, options: dict[str, Any] | None = None) -> NativeGame:
    run = compilation(spec)
    assert run.game is not None
    text = _path(spec).read_text(encoding="utf-8")
    return NativeGame(variant(spec), players, options or {}, text, lambda: run, strict())


def c_of(spec: Spec, game: Game) -> str:
    return c_source(compilation(spec), game)


def settled_of(spec: Spec, game: Game) -> ir.Game:
    return settle(compilation(spec), game.options, game.players)
