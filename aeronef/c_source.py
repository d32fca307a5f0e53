"""A game as C: the ids that the runtime numbers, handed to the emitter that knows nothing of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aeronef.dsl.compiler import Compilation
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.module import emit_c
from aeronef.dsl.emit.c.numbering import Datum, Numbered, Numbering
from aeronef.dsl.settle import settle
from aeronef.runtime.description import Action
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game


def c_source(run: Compilation, game: Game) -> str:
    """The C file of a game, whose spec was compiled in `run`.

    Raises BadInput where the game needs what the native back end does not know.
    """
    settled = settle(run, game.options, game.players)
    try:
        return emit_c(settled, Path(run.file).name, numbering(game))
    except NotYet as error:
        raise BadInput(f"{game.name}: {error}") from None


def numbering(game: Game) -> Numbering:
    """The ids of a game's actions and outcomes, as `Game` numbers them."""
    return Numbering(_numbered(game.variant.actions, game.seats), _numbered(game.variant.outcomes, game.seats))


def _numbered(actions: tuple[Action, ...], seats: int) -> tuple[Numbered, ...]:
    found: list[Numbered] = []
    first = 0
    for action in actions:
        domains = tuple(tuple(_datum(d.data(value)) for value in d.values(seats)) for d in action.params)
        found.append(Numbered(action.key, first, domains))
        first += found[-1].many
    return tuple(found)


def _datum(value: Any) -> Datum:
    return tuple(_datum(item) for item in value) if isinstance(value, list) else value
