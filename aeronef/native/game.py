"""A game whose steps are made in C: the same game as in Python, to the last id, chance and random game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aeronef.kept import compiler_stamp
from aeronef.native.build import build, find
from aeronef.native.library import Library
from aeronef.native.position import native_class, started
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game

if TYPE_CHECKING:
    from aeronef.dsl.compiler import Compilation
    from aeronef.native.batch import Batch
    from aeronef.native.compiler import Compiler
    from aeronef.runtime.simulate import Playouts


class NativeGame(Game):
    """As Game, whose positions are C structs. `identity` is what tells the spec (with all its files, and as it was
    compiled) from others; `compilation` compiles it, which is not needed where a library of it is kept; the C
    `compiler` is the one that `find_compiler` finds.

    Raises as Game; NoCompiler, BuildFailed; BadInput where the game needs what the native back end does not know.
    """

    def __init__(
        self, variant: Variant, players: int | None, options: Mapping[str, Any], identity: str,
        compilation: Callable[[], Compilation], compiler: Compiler | None = None,
    ) -> None:  # fmt: skip
        super().__init__(variant, players, options)
        self.library = Library(self._built(identity, compilation, compiler), self)
        self.position_class = native_class(self.position_class, self.library)

    def _built(self, identity: str, compilation: Callable[[], Compilation], compiler: Compiler | None) -> Path:
        told = "\0".join((identity, str(self.players), repr(sorted(self.options.items())), compiler_stamp()))
        found = find(told, self.name, compiler=compiler)
        if found is not None:
            return found
        from aeronef.c_source import c_source
        from aeronef.dsl import printer

        run = compilation()
        assert run.game is not None
        if printer.digest(run.game) != self.spec_digest:
            raise BadInput(
                f"the code of `{self.name}` is not of its spec as it is now: load it again (a shipped variant: aeronef "
                f"compile {self.name})"
            )
        return build(c_source(run, self), self.name, told=told, compiler=compiler)

    # ------------------------------------------------------------------------------ positions

    @cached_property
    def _start(self) -> Any:
        return started(self.position_class, self.library)

    def start(self) -> Any:
        return self._start.copy()

    @property
    def measuring(self) -> Game:
        """Itself: `playouts` measures in C, and steps that are made one by one observe nothing."""
        return self

    def __deepcopy__(self, memo: object) -> NativeGame:
        """Itself: a library is loaded once, and nothing of a game ever changes."""
        return self

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, backend='native')"

    # ------------------------------------------------------------------------------ many games at once

    def playouts(self, n: int, seed: int = 0, first: int = 0, measures: bool = True, threads: int = 1) -> Playouts:
        """As Game.playouts, all in C: the same games, whatever the number of threads."""
        from aeronef.native.playouts import playouts

        n, seed, first, threads = index(n), index(seed), index(first), index(threads)
        if n < 0 or first < 0:
            raise BadInput(f"games are counted from 0: there are no {n} games from game {first} on")
        return playouts(self, n, seed, first, measures, threads)

    def batch(self, n: int, seed: int = 0, first: int = 0, threads: int = 1) -> Batch:
        """n games of a seed side by side, from number `first` on, each at its first decision. Needs NumPy."""
        from aeronef.native.batch import Batch

        return Batch(self, index(n), index(seed), index(first), index(threads))
