"""How a compiled variant describes itself: the tables at the end of a generated file, and what their values mean.

A *domain* is a finite set of values. Inside a position a value is a bool, a number, an index (of a word, a card),
a tuple (of a set), or None; outside it is a label (in actions) or JSON data (in states and views).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, TypeVar


class Domain:
    """Base of the domains. `seats` is the number of seats of the game at hand."""

    def values(self, seats: int) -> list[Any]:
        """Every value, ascending: its place in this list is its part of an action's id."""
        raise NotImplementedError

    def label(self, value: Any) -> str:
        """As it stands in an action's label."""
        return str(self.data(value))

    def data(self, value: Any) -> Any:
        """As it stands in a state or view (JSON)."""
        return value

    def parse(self, data: Any, seats: int) -> Any:
        """The value that `data` stands for. Raises ValueError."""
        for value in self.values(seats):
            found = self.data(value)
            if found == data and isinstance(found, bool) == isinstance(data, bool):
                return value
        raise ValueError(f"`{data}` is not one of {self}")

    def __str__(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True, slots=True)
class Bool(Domain):
    def values(self, seats: int) -> list[Any]:
        return [False, True]

    def label(self, value: Any) -> str:
        return "true" if value else "false"

    def __str__(self) -> str:
        return "true or false"


@dataclass(frozen=True, slots=True)
class Int(Domain):
    low: int
    high: int

    def values(self, seats: int) -> list[Any]:
        return list(range(self.low, self.high + 1))

    def parse(self, data: Any, seats: int) -> Any:
        if isinstance(data, int) and not isinstance(data, bool) and self.low <= data <= self.high:
            return data
        raise ValueError(f"`{data}` is not within {self}")

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Count(Domain):
    """A number that only goes up, or starts again."""

    def parse(self, data: Any, seats: int) -> Any:
        if isinstance(data, int) and not isinstance(data, bool) and data >= 0:
            return data
        raise ValueError(f"`{data}` is no count")

    def __str__(self) -> str:
        return "a count"


@dataclass(frozen=True, slots=True)
class Seat(Domain):
    def values(self, seats: int) -> list[Any]:
        return list(range(seats))

    def __str__(self) -> str:
        return "a seat"


@dataclass(frozen=True)
class Words(Domain):
    """An enumeration: a value is the index of its word."""

    name: str
    words: tuple[str, ...]

    def values(self, seats: int) -> list[Any]:
        return list(range(len(self.words)))

    def data(self, value: Any) -> Any:
        return self.words[value]

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(self.words)})"


@dataclass(frozen=True, eq=False)
class Cards(Domain):
    """A type of cards: a value is the index of its label in deck order. `copies` of each make a deck."""

    name: str
    labels: tuple[str, ...]
    copies: tuple[int, ...]

    @cached_property
    def deck(self) -> tuple[int, ...]:
        return tuple(card for card, copies in enumerate(self.copies) for _ in range(copies))

    @cached_property
    def index(self) -> dict[str, int]:
        return {label: card for card, label in enumerate(self.labels)}

    def values(self, seats: int) -> list[Any]:
        return list(range(len(self.labels)))

    def data(self, value: Any) -> Any:
        return self.labels[value]

    def parse(self, data: Any, seats: int) -> Any:
        if isinstance(data, str) and data in self.index:
            return self.index[data]
        raise ValueError(f"there is no card `{data}`")

    def __str__(self) -> str:
        return f"a {self.name}"


@dataclass(frozen=True, slots=True)
class Maybe(Domain):
    of: Domain

    def values(self, seats: int) -> list[Any]:
        return [None, *self.of.values(seats)]

    def data(self, value: Any) -> Any:
        return None if value is None else self.of.data(value)

    def parse(self, data: Any, seats: int) -> Any:
        return None if data is None else self.of.parse(data, seats)

    def __str__(self) -> str:
        return f"{self.of}, or null"


@dataclass(frozen=True, slots=True)
class SetOf(Domain):
    """A value is an ascending tuple without repeats."""

    of: Domain

    def data(self, value: Any) -> Any:
        return [self.of.data(v) for v in value]

    def parse(self, data: Any, seats: int) -> Any:
        if not isinstance(data, list):
            raise ValueError(f"`{data}` is no list")
        return tuple(sorted({self.of.parse(d, seats) for d in data}))

    def __str__(self) -> str:
        return f"a list of {self.of}"


@dataclass(frozen=True, slots=True)
class Several(Domain):
    """At most `most` of something, ascending, with as many repeats as there are copies (of a roll: `most`)."""

    of: Domain
    most: int
    joiner: str = " + "

    def values(self, seats: int) -> list[Any]:
        copies = self.of.copies if isinstance(self.of, Cards) else None
        found = []
        for size in range(self.most + 1):
            for chosen in combinations_with_replacement(self.of.values(seats), size):
                if copies is None or all(chosen.count(c) <= copies[c] * seats for c in set(chosen)):
                    found.append(chosen)
        return found

    def label(self, value: Any) -> str:
        return self.joiner.join(self.of.label(v) for v in value)

    def data(self, value: Any) -> Any:
        return [self.of.data(v) for v in value]


SEAT = Seat()
BOOL = Bool()
COUNT = Count()
Method = Callable[..., Any]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Option:
    """`domain` has its values, `tries` those that tests try."""

    name: str
    domain: Domain
    default: Any
    tries: tuple[Any, ...]
    says: str = ""
    member: str = ""


@dataclass(frozen=True)
class Zone:
    """`member` is the position's name for it. `form`: unordered, ordered, or slot (at most one card).
    `sees(position, viewer[, owner])` derives the views."""

    name: str
    member: str
    each: tuple[Domain, ...]
    cards: Cards
    form: str
    sees: Method


@dataclass(frozen=True)
class Variable:
    name: str
    member: str
    each: tuple[Domain, ...]
    domain: Domain
    sees: Method


@dataclass(frozen=True)
class Action:
    """Of seats, or an outcome of chance: its name and the domains of its values. `id_name` is the position's name for
    its first id, `index_names` those for the tables of the values that are sets."""

    name: str
    id_name: str
    params: tuple[Domain, ...] = ()
    index_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Phase:
    """`does[name](position, *values)` applies an action; `told[name](position, viewer, *values)` says for each value
    whether the viewer hears it; `why[name](position, *values)` gives the tests of its legality."""

    name: str
    kind: str
    enter: Method
    next: Method | None = None
    legal: Method | None = None
    chance: Method | None = None
    does: dict[str, Method] = field(default_factory=dict)
    told: dict[str, Method] = field(default_factory=dict)
    why: dict[str, Method] = field(default_factory=dict)


@dataclass(frozen=True)
class Accept:
    """A finding of play that the spec accepts at an element: always, or where `when(players, options)` holds."""

    code: str
    at: str
    when: Method | None = None


@dataclass(frozen=True)
class Variant:
    """A whole compiled variant. `requires(players, options)` names what the options at hand do not fulfil."""

    name: str
    says: str
    spec: str
    source: str
    players: range
    options: tuple[Option, ...]
    seats: Method
    longest: Method
    requires: Method
    position: type[Any]
    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    actions: tuple[Action, ...]
    outcomes: tuple[Action, ...]
    phases: tuple[Phase, ...]
    invariants: tuple[tuple[str, Method], ...] = ()
    accepts: tuple[Accept, ...] = ()
    clauses: dict[str, str] = field(default_factory=dict)

    @property
    def places(self) -> list[Zone | Variable]:
        """Everything that the state holds: variables, then zones."""
        return [*self.variables, *self.zones]

    @property
    def has_lost(self) -> bool:
        """Whether the rules say when all lose."""
        return hasattr(self.position, "lost")

    @property
    def has_returns(self) -> bool:
        """Whether the rules say what each player gets, rather than who wins."""
        return hasattr(self.position, "returns")

    def members(self, values: dict[str, Any]) -> dict[str, Any]:
        """The options as the positions' class names them."""
        return {option.member: values[option.name] for option in self.options}


def attribute(values: Iterable[Value | None]) -> dict[int | None, Value | Any]:
    """Of each card in deck order; no card has none."""
    return {None: None, **dict(enumerate(values))}
