"""A compiled C file as Python sees it, and a position of the readable back end as the same numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from aeronef.c_source import c_source
from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.compiler import Compilation, compile_file
from aeronef.dsl.settle import settle
from aeronef.loading import load_variant
from aeronef.runtime.description import Cards, Maybe, Variable, Words
from aeronef.runtime.game import Game
from tests.games.specs import ROOT, SPECS

LONG, BYTES = ctypes.c_int64, ctypes.c_char_p
NONE = -(2**31)


Spec = str | Path  # one of the project by its name, or a file


def _path(spec: Spec) -> Path:
    return spec if isinstance(spec, Path) else SPECS[spec]


@cache
def compilation(spec: Spec) -> Compilation:
    return compile_file(_path(spec), ROOT / "variants")


@cache
def variant(spec: Spec) -> Any:
    return load_variant(_path(spec))


def game_of(spec: Spec, players: int | None = None, options: dict[str, Any] | None = None) -> Game:
    return Game(variant(spec), players, options)


def c_of(spec: Spec, game: Game) -> str:
    return c_source(compilation(spec), game)


def settled_of(spec: Spec, game: Game) -> ir.Game:
    return settle(compilation(spec), game.options, game.players)


def _at(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.c_void_p)


class Native:
    """One game's library. A position is a buffer."""

    def __init__(self, library: ctypes.CDLL, game: Game) -> None:
        self.lib, self.game = library, game
        self.lib.aeronef_position_size.restype = ctypes.c_size_t
        self.lib.aeronef_playouts.restype = LONG
        self.lib.aeronef_fault.restype = BYTES
        self.size = self.lib.aeronef_position_size()
        most = self.lib.aeronef_ids_most()
        self.ids, self.weights = np.zeros(most, np.int32), np.zeros(most, np.int64)
        self.numbers = np.zeros(self.lib.aeronef_dump_most(), np.int32)

    def start(self) -> Any:
        at = ctypes.create_string_buffer(self.size)
        self.lib.aeronef_start(at)
        return at

    def actor(self, at: Any) -> int:
        return int(self.lib.aeronef_actor(at))

    def legal(self, at: Any) -> list[int]:
        n = self.lib.aeronef_legal(at, _at(self.ids))
        found: list[int] = self.ids[:n].tolist()
        return found

    def outcomes(self, at: Any) -> list[tuple[int, int]]:
        n = self.lib.aeronef_outcomes(at, _at(self.ids), _at(self.weights))
        return list(zip(self.ids[:n].tolist(), self.weights[:n].tolist(), strict=True))

    def apply(self, at: Any, action: int) -> int:
        return int(self.lib.aeronef_apply(at, action))

    def fault(self, at: Any) -> str:
        """As `RuleFault` says it."""
        text = ctypes.create_string_buffer(200)
        place = self.lib.aeronef_fault(at, text, ctypes.c_size_t(200))
        return f"{place.decode()}: {text.value.decode()}"

    def dump(self, at: Any) -> list[int | None]:
        n = self.lib.aeronef_dump(at, _at(self.numbers))
        return [None if number == NONE else number for number in self.numbers[:n].tolist()]

    def ranking(self, at: Any) -> list[int]:
        found = np.zeros(self.game.seats, np.int16)
        self.lib.aeronef_ranking(at, _at(found))
        ranks: list[int] = found.tolist()
        return ranks

    def returns(self, at: Any) -> list[float]:
        found = np.zeros(self.game.players)
        self.lib.aeronef_returns(at, _at(found))
        worth: list[float] = found.tolist()
        return worth

    def playouts(self, n: int, seed: int, first: int = 0) -> dict[str, Any]:
        found = {
            "returns": np.zeros((n, self.game.players)), "ranking": np.zeros((n, self.game.seats), np.int16),
            "lengths": np.zeros(n, np.int32), "cut": np.zeros(n, bool), "endless": np.zeros(n, bool),
            "phases": np.zeros(n, np.int16),
        }  # fmt: skip
        broken = ctypes.create_string_buffer(self.size)
        ended = self.lib.aeronef_playouts(
            ctypes.c_uint64(seed & 2**64 - 1), ctypes.c_uint64(first), LONG(n), *map(_at, found.values()), broken
        )
        return {**found, "ended": ended, "fault": self.fault(broken) if 0 <= ended < n else ""}


class Reader:
    """Reads a position of the readable back end as the numbers that `aeronef_dump` gives, in the words of a settled
    game: its phases, cards and words can be fewer than those of the game with all options."""

    def __init__(self, game: Game, settled: ir.Game) -> None:
        self.game, self.settled = game, settled
        called = [p.called or p.name for p in settled.phases]
        self.phases = {
            i: called.index(phase.name) for i, phase in enumerate(game.variant.phases) if phase.name in called
        }
        self.places = {place.name: place for place in game.variant.places}

    def numbers(self, position: Any) -> list[int | None]:
        phase = self.phases.get(position.phase, len(self.settled.phases))
        found: list[int | None] = [phase, position.actor, position.me, position.steps, int(position.cut)]
        found += [len(position.queue), *position.queue]
        parts: list[Any] = [*self.settled.zones, *self.settled.variables]
        for part in parts:
            place = self.places[getattr(part, "called", "") or part.name]
            domains = list(place.each)
            kinds = list(part.each)
            for value in _parts(getattr(position, place.member), kinds, domains):
                found += self._numbers(value, part, place)
        return found

    def _numbers(self, value: Any, part: Any, place: Any) -> Iterator[int | None]:
        if isinstance(place, Variable):
            if isinstance(part.type, t.SetOf):
                yield len(value)
                for item in value:
                    yield self.number(item, part.type.of, getattr(place.domain, "of", None))
            else:
                yield self.number(value, part.type, place.domain)
        elif part.dice:
            yield len(value)
            for face in value:
                yield self.number(face, part.face, place.faces)
        elif part.owned:
            kinds = next(len(card.kinds) for card in self.settled.cards if card.name == part.card)
            yield len(value)
            for owner, card in value:
                yield owner * kinds + (self.number(card, t.Card(part.card), place.cards) or 0)
        elif part.slot:
            yield self.number(value, t.Card(part.card), place.cards)
        else:
            yield len(value)
            for card in value:
                yield self.number(card, t.Card(part.card), place.cards)

    def number(self, value: Any, kind: t.Type, domain: Any) -> int | None:
        if value is None:
            return None
        inner = domain.of if isinstance(domain, Maybe) else domain
        match t.strip(kind):
            case t.Enum(_, words) if isinstance(inner, Words):
                return words.index(inner.words[value])
            case t.Card(name) if isinstance(inner, Cards):
                kinds = next(card.kinds for card in self.settled.cards if card.name == name)
                return [k.label for k in kinds].index(inner.labels[value])
        return int(value)


def _parts(value: Any, kinds: list[t.Type], domains: list[Any]) -> Iterator[Any]:
    """Part by part; of an enumeration that has fewer words in this game only those parts."""
    if not kinds:
        yield value
        return
    kind, domain = kinds[0], domains[0]
    for i, part in enumerate(value):
        if isinstance(kind, t.Enum) and isinstance(domain, Words) and domain.words[i] not in kind.values:
            continue
        yield from _parts(part, kinds[1:], domains[1:])
