"""How a compiled variant describes itself: the tables at the end of a generated file, and what their values mean.

A *domain* is a finite set of values. Inside a position a value is a bool, a number, an index (of a word, a card),
a tuple (of a set), or None; outside it is a label (in actions) or JSON data (in states and views).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, TypeVar

from aeronef.runtime.kernel import Position

Test = Callable[[dict[str, Any]], bool]  # over the options of a game, overlays among them
Totals = dict[str, tuple[int, ...]]  # by types of cards, how many there are of each card


class Domain:
    """Base of the domains. `seats` is the number of seats of the game at hand."""

    def values(self, seats: int) -> list[Any]:
        """Every value, ascending: its place in this list is its part of an action's id."""
        raise NotImplementedError

    def at(self, value: Any) -> int:
        """Where a position keeps what it has for this value."""
        return self.values(0).index(value)

    def size(self, seats: int) -> int:
        """How many places there are for values: of a type that not every game has whole, those of all games."""
        return len(self.values(seats))

    def many(self, seats: int) -> int:
        """How many values there are in the game at hand."""
        return len(self.values(seats))

    def valued(self, place: int) -> Any:
        """The value that has a place."""
        return place

    def under(self, options: dict[str, Any]) -> Domain:
        """The domain in a game with these options."""
        return self

    def counting(self, totals: Totals) -> Domain:
        """The domain in a game in which so many cards lie."""
        return self

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
            like = isinstance(found, bool) == isinstance(data, bool) and not isinstance(data, float)
            if found == data and like:
                return value
        raise ValueError(f"`{data}` is not one of {self}")

    def spoken(self, seats: int) -> str:
        """What its values are in the game at hand."""
        return str(self)

    def __str__(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True, slots=True)
class Bool(Domain):
    def values(self, seats: int) -> list[Any]:
        return [False, True]

    def valued(self, place: int) -> Any:
        return bool(place)

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

    def size(self, seats: int) -> int:
        return self.many(seats)

    def many(self, seats: int) -> int:
        return self.high - self.low + 1

    def valued(self, place: int) -> Any:
        return self.low + place

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

    def spoken(self, seats: int) -> str:
        return f"a seat (0 to {seats - 1})" if seats > 1 else "a seat (0)"

    def __str__(self) -> str:
        return "a seat"


@dataclass(frozen=True)
class Words(Domain):
    """An enumeration: a value is the index of its word. `only` says of words that not every game has which has them."""

    name: str
    words: tuple[str, ...]
    only: dict[int, Test] = field(default_factory=dict, compare=False)
    gone: frozenset[int] = frozenset()

    def values(self, seats: int) -> list[Any]:
        return [i for i in range(len(self.words)) if i not in self.gone]

    def size(self, seats: int) -> int:
        return len(self.words)

    def at(self, value: Any) -> int:
        return int(value)

    def under(self, options: dict[str, Any]) -> Domain:
        gone = frozenset(i for i, test in self.only.items() if not test(options))
        return replace(self, gone=gone) if self.only else self

    def data(self, value: Any) -> Any:
        return self.words[value]

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(self.words[i] for i in self.values(0))})"


@dataclass(frozen=True, eq=False)
class Cards(Domain):
    """A type of cards: a value is the index of its label in deck order. `copies` of each make a deck; `totals` are in
    the game at hand, where that is known."""

    name: str
    labels: tuple[str, ...]
    copies: tuple[int, ...]
    only: dict[int, Test] = field(default_factory=dict, compare=False)
    gone: frozenset[int] = frozenset()
    totals: tuple[int, ...] = ()

    @cached_property
    def deck(self) -> tuple[int, ...]:
        return tuple(card for card in self.values(0) for _ in range(self.copies[card]))

    @cached_property
    def index(self) -> dict[str, int]:
        return {self.labels[card]: card for card in self.values(0)}

    def values(self, seats: int) -> list[Any]:
        return [card for card in range(len(self.labels)) if card not in self.gone]

    def size(self, seats: int) -> int:
        return len(self.labels)

    def at(self, value: Any) -> int:
        return int(value)

    def under(self, options: dict[str, Any]) -> Cards:
        gone = frozenset(i for i, test in self.only.items() if not test(options))
        return replace(self, gone=gone) if self.only else self

    def counting(self, totals: Totals) -> Cards:
        return replace(self, totals=totals[self.name]) if self.name in totals else self

    def most(self, card: int, seats: int) -> int:
        """How many of a card there can be; what is not counted: a deck for each seat."""
        return self.totals[card] if self.totals else self.copies[card] * seats

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
    """Something, or None; in data None is null, or the word that stands for it (of an option)."""

    of: Domain
    word: str | None = None

    def values(self, seats: int) -> list[Any]:
        return [None, *self.of.values(seats)]

    def many(self, seats: int) -> int:
        return 1 + self.of.many(seats)

    def under(self, options: dict[str, Any]) -> Domain:
        return replace(self, of=self.of.under(options))

    def counting(self, totals: Totals) -> Domain:
        return replace(self, of=self.of.counting(totals))

    def data(self, value: Any) -> Any:
        return self.word if value is None else self.of.data(value)

    def parse(self, data: Any, seats: int) -> Any:
        return None if data == self.word else self.of.parse(data, seats)

    def spoken(self, seats: int) -> str:
        return str(self) if self.word is None else f"{self.word}, or {self.of.spoken(seats)}"

    def __str__(self) -> str:
        return f"{self.of}, or null" if self.word is None else f"{self.word}, or {self.of}"


@dataclass(frozen=True, slots=True)
class SetOf(Domain):
    """A value is an ascending tuple without repeats."""

    of: Domain

    def under(self, options: dict[str, Any]) -> Domain:
        return SetOf(self.of.under(options))

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

    def under(self, options: dict[str, Any]) -> Domain:
        return Several(self.of.under(options), self.most, self.joiner)

    def counting(self, totals: Totals) -> Domain:
        return Several(self.of.counting(totals), self.most, self.joiner)

    def values(self, seats: int) -> list[Any]:
        cards = self.of if isinstance(self.of, Cards) else None
        found = []
        for size in range(self.most + 1):
            for chosen in combinations_with_replacement(self.of.values(seats), size):
                if cards is None or all(chosen.count(c) <= cards.most(c, seats) for c in set(chosen)):
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
Named = TypeVar("Named", "Zone", "Tray", "Variable", "Action", "Measure", "Moment")


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
    `sees(position, viewer[, owner])` derives the views. `owned`: cards lie there with their owners (`kernel.Owned`).
    `stocked`: not decks lie there at the start, but as many of each card as the rules say. `once`: the rules never lay
    two equal cards there."""

    name: str
    member: str
    each: tuple[Domain, ...]
    cards: Cards
    form: str
    sees: Method
    owned: bool = False
    only: Test | None = None
    stocked: bool = False
    once: bool = False


@dataclass(frozen=True)
class Tray:
    """A zone of dice. Of each that lies there a position keeps the face that it shows; there are `holds` at most.
    `form`: unordered or ordered."""

    name: str
    member: str
    each: tuple[Domain, ...]
    faces: Domain
    holds: int
    form: str
    sees: Method
    only: Test | None = None


@dataclass(frozen=True)
class Variable:
    name: str
    member: str
    each: tuple[Domain, ...]
    domain: Domain
    sees: Method
    only: Test | None = None


@dataclass(frozen=True)
class Action:
    """Of seats, or an outcome of chance: its name in labels and the domains of its values. `id_name` is the position's
    name for its first id, `index_names` those for the tables of the values that are sets. `key` is its own name (by
    default its name in labels, which several may share)."""

    name: str
    id_name: str
    params: tuple[Domain, ...] = ()
    index_names: tuple[str, ...] = ()
    key: str = ""
    only: Test | None = None

    def __post_init__(self) -> None:
        if not self.key:
            object.__setattr__(self, "key", self.name)

    @property
    def title(self) -> str:
        """As a spec names it: `play`, or `play as open`."""
        return self.name if self.name == self.key else f"{self.name} as {self.key}"


@dataclass(frozen=True)
class Phase:
    """`does[key](position, *values)` applies an action; `told[key](position, viewer, *values)` says for each value
    whether the viewer hears it; `why[key](position, *values)` gives the tests of its legality. `hosts` are the phases
    of which one is set aside while this one is played; `settled` are the variables that are never none then. Of a
    sequence `entries` has the values that are answered, and `rest(position)` gives its words, and what tells whether it
    can be completed."""

    name: str
    kind: str
    enter: Method
    next: Method | None = None
    legal: Method | None = None
    chance: Method | None = None
    does: dict[str, Method] = field(default_factory=dict)
    told: dict[str, Method] = field(default_factory=dict)
    why: dict[str, Method] = field(default_factory=dict)
    only: Test | None = None
    hosts: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    entries: Domain | None = None
    rest: Method | None = None


@dataclass(frozen=True)
class Accept:
    """A finding of play that the spec accepts at an element: always, or where `when(players, options)` holds."""

    code: str
    at: str
    when: Method | None = None


@dataclass(frozen=True)
class Moment:
    """When something is observed: as the game ends (`phase` is ""), as a phase begins, or before an action (by its
    `key`) does anything. `observe(position, *values)` gives each observation: the places of its keys, and its value."""

    phase: str
    action: str
    observe: Method
    only: Test | None = None


@dataclass(frozen=True)
class Measure:
    """What random games report. `form` is what is measured: count (only how often), number, or bool; `keys` are the
    domains of its keys, `called` their names."""

    name: str
    form: str
    moments: tuple[Moment, ...]
    keys: tuple[Domain, ...] = ()
    called: tuple[str, ...] = ()
    says: str = ""
    only: Test | None = None


@dataclass(frozen=True)
class Variant:
    """A whole compiled variant. `requires(players, options)` names what the options at hand do not fulfil.

    `overlays(players, options)` says which optional rules are on: they stand among the options then, and `switches`
    has the positions' names for them. Whatever not every game has says `only` with which options it is there;
    `partial` are the types of which that is so, with the positions' names for the list of their values and for the
    place of each in it. `worth` is the least and the most that a player can get.
    """

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
    overlays: Method = lambda players, options: {}
    switches: dict[str, str] = field(default_factory=dict)
    partial: tuple[tuple[Domain, str, str], ...] = ()
    invariants: tuple[tuple[Any, ...], ...] = ()
    measures: tuple[Measure, ...] = ()
    accepts: tuple[Accept, ...] = ()
    clauses: dict[str, str] = field(default_factory=dict)
    trays: tuple[Tray, ...] = ()
    worth: tuple[int, int] = (0, 1)

    @property
    def places(self) -> list[Zone | Tray | Variable]:
        """Everything that the state holds: variables, then zones, of cards first."""
        return [*self.variables, *self.zones, *self.trays]

    @cached_property
    def has_lost(self) -> bool:
        """Whether the rules say when all lose."""
        return hasattr(self.position, "lost")

    @cached_property
    def has_returns(self) -> bool:
        """Whether the rules say what each player gets, rather than who wins."""
        return hasattr(self.position, "returns")

    @cached_property
    def has_rank(self) -> bool:
        """Whether the rules say how the seats rank: else those rank higher who get more."""
        return self.position.rank is not Position.rank

    @cached_property
    def has_parts(self) -> bool:
        """Whether what the rules say that each player gets is divided by something."""
        return hasattr(self.position, "parts")

    def members(self, values: dict[str, Any]) -> dict[str, Any]:
        """The options, and what depends on them alone, as the positions' class names them."""
        found = {option.member: values[option.name] for option in self.options}
        found |= {member: values[name] for name, member in self.switches.items()}
        for domain, every, place in self.partial:
            there = domain.under(values).values(0)
            found |= {every: there, place: {value: i for i, value in enumerate(there)}}
        return found

    def under(self, values: dict[str, Any]) -> Variant:
        """The variant in a game with these options, overlays among them: without what that game has not."""
        if not self.switches:
            return self
        cards = {id(zone.cards): zone.cards.under(values) for zone in self.zones}

        def kept(rows: tuple[Named, ...]) -> list[Named]:
            return [row for row in rows if row.only is None or row.only(values)]

        def within(domains: tuple[Domain, ...]) -> tuple[Domain, ...]:
            return tuple(domain.under(values) for domain in domains)

        return replace(
            self,
            zones=tuple(replace(z, each=within(z.each), cards=cards[id(z.cards)]) for z in kept(self.zones)),
            trays=tuple(replace(z, each=within(z.each), faces=z.faces.under(values)) for z in kept(self.trays)),
            variables=tuple(
                replace(v, each=within(v.each), domain=v.domain.under(values)) for v in kept(self.variables)
            ),
            actions=tuple(replace(a, params=within(a.params)) for a in kept(self.actions)),
            outcomes=tuple(replace(a, params=within(a.params)) for a in kept(self.outcomes)),
            phases=tuple(p if p.entries is None else replace(p, entries=p.entries.under(values)) for p in self.phases),
            measures=tuple(
                replace(m, keys=within(m.keys), moments=tuple(kept(m.moments))) for m in kept(self.measures)
            ),
            invariants=tuple(row[:2] for row in self.invariants if len(row) < 3 or row[2](values)),
        )

    def counting(self, totals: Totals) -> Variant:
        """The variant in a game in which so many cards lie."""
        cards = {id(zone.cards): zone.cards.counting(totals) for zone in self.zones}

        def within(actions: tuple[Action, ...]) -> tuple[Action, ...]:
            return tuple(replace(a, params=tuple(domain.counting(totals) for domain in a.params)) for a in actions)

        zones = tuple(replace(zone, cards=cards[id(zone.cards)]) for zone in self.zones)
        return replace(self, zones=zones, actions=within(self.actions), outcomes=within(self.outcomes))


def attribute(values: Iterable[Value | None]) -> dict[int | None, Value | Any]:
    """Of each card in deck order; no card has none."""
    return {None: None, **dict(enumerate(values))}
