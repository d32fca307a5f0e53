"""How the numbers in C of a game's positions are meant: the game is settled there, and can have fewer phases, words and
cards than the game with all its options, by which positions are numbered in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.interface import HEAD
from aeronef.dsl.emit.expressions import places
from aeronef.runtime.description import BOOL, Cards, Domain, Maybe, SetOf, Words
from aeronef.runtime.game import Game


def layout(game: Game, settled: ir.Game) -> dict[str, Any]:
    """How the numbers of a dump are those of the game's positions: what stands first in it; for each phase of the
    settled game its number in the whole, with what its row is of; and in the dump's order each zone and variable, with
    its parts by their indices. `map` has for each number in the settled game the one that the whole game has for it,
    where they differ.
    """
    names = [phase.name for phase in game.variant.phases]
    entries = {phase.name: phase.entries for phase in game.variant.phases}
    phases = []
    for phase in settled.phases:
        name = phase.called or phase.name
        of = t.element(phase.sequence.entries.type) if phase.sequence is not None else None
        row = None if of is None else number_map(settled, of, entries[name])
        phases.append({"number": names.index(name), "row": row})
    known = {place.name: place for place in game.variant.places}
    found = []
    for part in places(settled):
        place = known[getattr(part, "called", "") or part.name]
        kind = part.type if isinstance(part, ir.Variable) else part.face if part.face is not None else part.holding
        domain = getattr(place, "domain", None) or getattr(place, "faces", None) or getattr(place, "cards", None)
        data: dict[str, Any] = {"name": place.name, "map": number_map(settled, kind, domain)}
        data["parts"] = list(part_paths(part.each, place.each, game.seats))
        if isinstance(part, ir.Zone) and part.owned:
            data["kinds"] = next(len(card.kinds) for card in settled.cards if card.name == part.card)
        found.append(data)
    measures = [measure.name for measure in settled.measures]
    return {"head": HEAD, "phases": phases, "places": found, "measures": measures}


def number_map(settled: ir.Game, kind: t.Type, domain: Domain | None) -> list[int] | None:
    """For the number of each value in the settled game its number in the whole game; None where they are the same."""
    while isinstance(domain, Maybe | SetOf):
        domain = domain.of
    inner = t.strip(kind)
    match inner.of if isinstance(inner, t.SetOf) else inner:
        case t.Enum(_, words) if isinstance(domain, Words):
            found = [domain.words.index(word) for word in words]
        case t.Card(name) | t.Owned(t.Card(name)) | t.ZoneOf(t.Card(name)) if isinstance(domain, Cards):
            kinds = next(card.kinds for card in settled.cards if card.name == name)
            found = [domain.labels.index(kind.label) for kind in kinds]
        case _:
            return None
    return None if found == list(range(len(found))) else found


def part_paths(kinds: tuple[t.Type, ...], domains: tuple[Domain, ...], seats: int) -> Iterator[list[int]]:
    """The indices of each part in nested lists; of an enumeration that has fewer words in the settled game of those."""
    if not kinds:
        yield []
        return
    kind, domain = kinds[0], domains[0]
    for i in range(domain.size(seats)):
        if isinstance(kind, t.Enum) and isinstance(domain, Words) and domain.words[i] not in kind.values:
            continue
        for rest in part_paths(kinds[1:], domains[1:], seats):
            yield [i, *rest]


def valued_by(numbers: list[int] | None, domain: Any) -> Callable[[int], Any]:
    """From a number in the settled game (none apart) to the value that positions have for it."""
    inner = domain.of if isinstance(domain, Maybe) else domain

    def read(number: int) -> Any:
        if numbers is not None:
            return numbers[number]
        return bool(number) if inner == BOOL else number

    return read
