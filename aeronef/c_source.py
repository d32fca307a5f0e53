"""A game as C: what the runtime numbers, handed to the emitter that knows nothing of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aeronef.c_layout import layout
from aeronef.c_observing import observing
from aeronef.dsl import ir
from aeronef.dsl.compiler import Compilation
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.module import emit_c
from aeronef.dsl.emit.c.numbering import Datum, Numbered, Numbering
from aeronef.dsl.settle import settle
from aeronef.runtime.description import Action, Domain
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game


def c_source(run: Compilation, game: Game) -> str:
    """The C file of a game, whose spec was compiled in `run`.

    Raises BadInput where the game needs what the native back end does not know.
    """
    settled = settle(run, game.options, game.players, measured=True)
    told = json.dumps(layout(game, settled), ensure_ascii=True, separators=(",", ":"))
    try:
        return emit_c(settled, Path(run.file).name, numbering(game, settled), observing(game, settled), told)
    except NotYet as error:
        raise BadInput(f"{game.name}: {error}") from None


def numbering(game: Game, settled: ir.Game) -> Numbering:
    """The ids of a game's actions and outcomes, as `Game` numbers them, and the places of what it measures."""
    known = {measure.name: measure for measure in game.variant.measures}
    keys = {m.name: known[m.name].keys if m.name in known else () for m in settled.measures}
    measures = tuple(Numbered(name, 0, _places(domains, game.seats)) for name, domains in keys.items())
    return Numbering(
        _numbered(game.variant.actions, game.seats), _numbered(game.variant.outcomes, game.seats), measures
    )


def _numbered(actions: tuple[Action, ...], seats: int) -> tuple[Numbered, ...]:
    found: list[Numbered] = []
    first = 0
    for action in actions:
        found.append(Numbered(action.key, first, _domains(action.params, seats)))
        first += found[-1].many
    return tuple(found)


def _domains(domains: tuple[Domain, ...], seats: int) -> tuple[tuple[Datum, ...], ...]:
    return tuple(tuple(_datum(domain.data(value)) for value in domain.values(seats)) for domain in domains)


def _places(domains: tuple[Domain, ...], seats: int) -> tuple[tuple[Datum, ...], ...]:
    """What has each place, of words and cards of other games too."""
    return tuple(tuple(_datum(d.data(d.valued(place))) for place in range(d.size(seats))) for d in domains)


def _datum(value: Any) -> Datum:
    return tuple(_datum(item) for item in value) if isinstance(value, list) else value
