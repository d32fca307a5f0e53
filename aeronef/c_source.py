"""A game as C: what the runtime numbers, handed to the emitter that knows nothing of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.compiler import Compilation
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.module import emit_c
from aeronef.dsl.emit.c.numbering import Datum, Numbered, Numbering
from aeronef.dsl.emit.expressions import places
from aeronef.dsl.settle import settle
from aeronef.runtime.description import Action, Cards, Domain, Maybe, SetOf, Words
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game


def c_source(run: Compilation, game: Game) -> str:
    """The C file of a game, whose spec was compiled in `run`.

    Raises BadInput where the game needs what the native back end does not know.
    """
    settled = settle(run, game.options, game.players, measured=True)
    told = json.dumps(layout(game, settled), ensure_ascii=True, separators=(",", ":"))
    try:
        return emit_c(settled, Path(run.file).name, numbering(game, settled), told)
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


# ------------------------------------------------------------------------------------------ positions


def layout(game: Game, settled: ir.Game) -> dict[str, Any]:
    """How the numbers of a dump are those of the game's positions: for each phase of the settled game its number in the
    whole, with what its row is of; and in the dump's order each zone and variable, with its parts by their indices.
    `map` has for each number in the settled game the one that the whole game has for it, where they differ.
    """
    names = [phase.name for phase in game.variant.phases]
    entries = {phase.name: phase.entries for phase in game.variant.phases}
    phases = []
    for phase in settled.phases:
        name = phase.called or phase.name
        of = t.element(phase.sequence.entries.type) if phase.sequence is not None else None
        row = None if of is None else _map(settled, of, entries[name])
        phases.append({"number": names.index(name), "row": row})
    known = {place.name: place for place in game.variant.places}
    found = []
    for part in places(settled):
        place = known[getattr(part, "called", "") or part.name]
        kind = part.type if isinstance(part, ir.Variable) else part.face if part.face is not None else part.holding
        domain = getattr(place, "domain", None) or getattr(place, "faces", None) or getattr(place, "cards", None)
        data: dict[str, Any] = {"name": place.name, "map": _map(settled, kind, domain)}
        data["parts"] = list(_parts(part.each, place.each, game.seats))
        if isinstance(part, ir.Zone) and part.owned:
            data["kinds"] = next(len(card.kinds) for card in settled.cards if card.name == part.card)
        found.append(data)
    return {"phases": phases, "places": found, "measures": [measure.name for measure in settled.measures]}


def _map(settled: ir.Game, kind: t.Type, domain: Domain | None) -> list[int] | None:
    """For the number of each value in the settled game its number in the whole game; None where they are the same."""
    while isinstance(domain, Maybe | SetOf):
        domain = domain.of
    inner = t.strip(kind)
    match inner.of if isinstance(inner, t.SetOf) else inner:
        case t.Enum(_, words) if isinstance(domain, Words):
            found = [domain.words.index(word) for word in words]
        case t.Card(name) | t.Owned(t.Card(name)) if isinstance(domain, Cards):
            kinds = next(card.kinds for card in settled.cards if card.name == name)
            found = [domain.labels.index(kind.label) for kind in kinds]
        case _:
            return None
    return None if found == list(range(len(found))) else found


def _parts(kinds: tuple[t.Type, ...], domains: tuple[Domain, ...], seats: int) -> Iterator[list[int]]:
    """The indices of each part in nested lists; of an enumeration that has fewer words in the settled game of those."""
    if not kinds:
        yield []
        return
    kind, domain = kinds[0], domains[0]
    for i in range(domain.size(seats)):
        if isinstance(kind, t.Enum) and isinstance(domain, Words) and domain.words[i] not in kind.values:
            continue
        for rest in _parts(kinds[1:], domains[1:], seats):
            yield [i, *rest]
