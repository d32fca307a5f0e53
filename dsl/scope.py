"""What names mean: everything a spec declares, and the locals of the place where a text stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report, Span
from aeronef.dsl.syntax import keywords
from aeronef.dsl.types import Bool, Card, Enum, Int, Seat, Type

AGGREGATES = ("count", "sum", "any", "all", "min", "max")
BUILTINS = {"size": 1, "odd": 1, "even": 1, "abs": 1, "left": 1, "right": 1, "clockwise": 1, "automaton": 1, "clamp": 3}
ENDS = ("first", "last")  # builtins only where brackets follow, and no definition has the name: they are no WORDS
WORDS = {"me", "viewer", "owner", "players", "seats", "options", "everyone", "nobody", "seat", "bool", *BUILTINS,
         *AGGREGATES}  # fmt: skip


def reserved(name: str) -> bool:
    """Whether a name is a word of the language."""
    return name in WORDS or name in keywords()


@dataclass(slots=True)
class Place:
    """A variable, zone or table as its users see it: how it is indexed, what is there."""

    each: tuple[Type, ...]
    type: Type


@dataclass(slots=True)
class World:
    """All declared names. `declared` says what each is and where; `broken` are those whose declaration has a mistake,
    which was reported: whoever uses them is told nothing more."""

    report: Report
    players: tuple[int, int] = (1, 1)
    most_automata: int = 0
    declared: dict[str, tuple[str, Span]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    options: dict[str, ir.OptionDecl] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    numbers: dict[str, Int] = field(default_factory=dict)
    cards: dict[str, ir.CardType] = field(default_factory=dict)
    dice: dict[str, ir.DiceType] = field(default_factory=dict)
    tables: dict[str, Place] = field(default_factory=dict)
    facts: dict[str, ir.Table] = field(default_factory=dict)  # the tables that have no mistake
    places: dict[str, Place] = field(default_factory=dict)
    defines: dict[str, ir.Define] = field(default_factory=dict)
    phases: dict[str, Span] = field(default_factory=dict)
    decided: dict[str, str] = field(default_factory=dict)  # variables that are not none once a phase has ended
    settled: frozenset[str] = frozenset()  # those of them that are decided where the text at hand stands
    used: set[str] = field(default_factory=set)  # the types that are named somewhere

    @property
    def most_seats(self) -> int:
        return self.players[1] + self.most_automata

    def named_type(self, name: str) -> Type | None:
        if name == "bool":
            return Bool()
        if name == "seat":
            return Seat()
        if name in self.cards:
            return Card(name)
        return self.enums.get(name) or self.numbers.get(name)

    def type_names(self) -> Iterator[str]:
        yield from ("bool", "seat", "count", *self.enums, *self.numbers, *self.cards)

    def apart(self, option: str) -> bool:
        """Whether a variable has the name of an option too: alone the name is then the variable's."""
        return self.declared[option][0] == "variable"

    def words_of(self, name: str) -> Enum | None:
        """The enumeration of this name: a type, or an option that is one of several words."""
        option = self.options.get(name)
        return option.type if option is not None and isinstance(option.type, Enum) else self.enums.get(name)

    def enum_values(self, word: str) -> list[Enum]:
        found = [self.words_of(name) for name in (*self.enums, *self.options)]
        return [enum for enum in found if enum is not None and word in enum.values]

    def attributes(self, card: Card) -> dict[str, Type]:
        return dict(self.cards[card.name].attributes)

    def names(self) -> list[str]:
        """Every name that an expression could use."""
        enums = [self.words_of(name) for name in (*self.enums, *self.options)]
        words = [word for enum in enums if enum is not None for word in enum.values]
        dice = [name for name, (what, _) in self.declared.items() if what == "kind of dice"]
        return [*(name for name in self.declared if name not in dice), *words, "players", "seats"]
