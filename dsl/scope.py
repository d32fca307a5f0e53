"""What names mean: everything a spec declares, and the locals of the place where a text stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report, Span
from aeronef.dsl.types import Bool, Card, Enum, Int, Seat, Type


@dataclass(slots=True)
class Place:
    """A variable or zone as its users see it: how it is indexed, what is there."""

    each: tuple[Type, ...]
    type: Type
    is_zone: bool
    span: Span


@dataclass(slots=True)
class World:
    """All declared names. `define(name)` types a definition on its first use."""

    report: Report
    players: tuple[int, int] = (1, 1)
    most_automata: int = 0
    options: dict[str, ir.OptionDecl] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    numbers: dict[str, Int] = field(default_factory=dict)
    cards: dict[str, ir.CardType] = field(default_factory=dict)
    dice: dict[str, ir.DiceType] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    headers: dict[str, Span] = field(default_factory=dict)
    phases: dict[str, Span] = field(default_factory=dict)
    define: Callable[[str], ir.Define | None] = lambda name: None
    declared: dict[str, Span] = field(default_factory=dict)

    @property
    def most_seats(self) -> int:
        return self.players[1] + self.most_automata

    def named_type(self, name: str) -> Type | None:
        if name == "bool":
            return Bool()
        if name == "seat":
            return Seat()
        if name in self.enums:
            return self.enums[name]
        if name in self.numbers:
            return self.numbers[name]
        if name in self.cards:
            return Card(name)
        return None

    def type_names(self) -> Iterator[str]:
        yield from ("bool", "seat", "count")
        yield from self.enums
        yield from self.numbers
        yield from self.cards

    def enum_values(self, word: str) -> list[Enum]:
        return [e for e in self.enums.values() if word in e.values]

    def attributes(self, card: Card) -> dict[str, Type]:
        return dict(self.cards[card.name].attributes)

    def copies(self, card: str) -> int:
        """How many cards of a type there can be, with a deck for each seat."""
        return sum(kind.copies for kind in self.cards[card].kinds) * self.most_seats

    def words(self) -> list[str]:
        """Every name that an expression could use."""
        found = [*self.options, *self.places, *self.headers, *self.enums, *self.numbers, *self.cards]
        for enum in self.enums.values():
            found += enum.values
        return [*found, "players", "seats"]
