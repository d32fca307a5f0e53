"""The typed intermediate form: the contract between the front and everything after it.

Small, immutable, every node with its type and its place. Names are resolved, definitions are known and do not
recur, intervals are computed. Emitters, lints and checks read this and nothing else. `printer.py` prints it,
`verifier.py` says what must hold of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from aeronef.dsl.diagnostics import Span
from aeronef.dsl.types import Card, Enum, Int, Tray, Type, ZoneOf

# ------------------------------------------------------------------------------------------ expressions


@dataclass(frozen=True, slots=True)
class Const:
    """A bool, a whole number, the index of an enum's value, or None. `apart` where something else has the name of this
    value of an enum, so that it is spelt `Shape.round`."""

    value: int | bool | None
    type: Type
    span: Span
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Local:
    """`me`, `viewer`, `owner`, a parameter, a loop's variable, a `let`."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Option:
    """`apart` where a variable has its name too, so that it is spelt `options.name`."""

    name: str
    type: Type
    span: Span
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Everything:
    """All values of something finite: `players`, `seats`, an enum, a card type, in their order."""

    of: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Labelled:
    """The card of a type with this label: `Card.jack`."""

    of: str
    label: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Read:
    """A variable or a zone of the state, with one index for each `each:`."""

    name: str
    index: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Lookup:
    """A value of a table, with one key for each `each:`. Tables are no part of the state."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Attribute:
    """`card.name`, or `owner` and `card` of a card with its owner; of no card it is none."""

    of: Expr
    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    op: Literal["not", "-"]
    of: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    op: Literal["+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in", "otherwise"]
    left: Expr
    right: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Choice:
    """`then if test else other`."""

    test: Expr
    then: Expr
    other: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """Of a definition of the spec."""

    name: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Builtin:
    """size, odd, left, right, clockwise, clamp, abs, automaton, first, last, and min and max of several values."""

    name: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Gather:
    """`name in source where test by key (down)`. The order of the source, or of the key; ties keep the source's."""

    name: str
    source: Expr
    test: Expr | None
    key: Expr | None
    down: bool
    item: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Aggregate:
    """count, sum, any, all, min, max (of none: none), list, set: over what a gather gives."""

    kind: Literal["count", "sum", "any", "all", "min", "max", "list", "set"]
    body: Expr
    over: Gather
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Collection:
    """A list or a set written out."""

    kind: Literal["list", "set"]
    items: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Watched:
    """Of an instrumented game (`instrument.py`): the value of `of`, and a point that counts that it was worked out.
    With `sides` it is a test, which counts at `point` where it holds and at the next where it does not; with `unlike`
    it counts at `point` where its value is another than that of `unlike`, and at the next where it is the same."""

    point: int
    of: Expr
    sides: bool
    type: Type
    span: Span
    unlike: Expr | None = None


Expr = (
    Const | Local | Option | Everything | Labelled | Read | Lookup | Attribute | Unary | Binary | Choice | Call
    | Builtin | Aggregate | Collection | Watched
)  # fmt: skip

# ------------------------------------------------------------------------------------------ effects


@dataclass(frozen=True, slots=True)
class Assign:
    """`target := value`; `guarded` where the value may be out of the target's range, so that it is checked in play."""

    target: Read
    value: Expr
    guarded: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Step:
    """`target += by`, of a `count`."""

    target: Read
    by: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Move:
    """One card, or each of a collection of cards, or (`card` None) all, from a zone to another; dice by their faces.

    Out of a zone that keeps owners, `card` is a card with its owner.
    """

    card: Expr | None
    source: Read
    target: Read
    span: Span


@dataclass(frozen=True, slots=True)
class Add:
    """A die that shows a face, or dice that show these faces, to a zone of dice."""

    faces: Expr
    target: Read
    span: Span


@dataclass(frozen=True, slots=True)
class Remove:
    """A die that shows a face, or dice that show these faces, or (`faces` None) all, from a zone of dice."""

    faces: Expr | None
    source: Read
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    other: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class For:
    over: Gather
    body: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Let:
    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Mark:
    """Of an instrumented game: a point that counts that this was reached. It changes nothing."""

    point: int
    span: Span


Stmt = Assign | Step | Move | Add | Remove | If | For | Let | Mark


@dataclass(frozen=True, slots=True)
class Effect:
    """Statements under one citation."""

    body: tuple[Stmt, ...]
    by: tuple[str, ...]
    says: str
    span: Span


# ------------------------------------------------------------------------------------------ declarations

Only = (
    Expr | None
)  # of what not every game of a variant has: the test over overlays that tells. None: it is always there


@dataclass(frozen=True, slots=True)
class Overlay:
    """An optional rule: what it adds and changes is there where `when` holds, a test over options and players.
    Expressions ask for it as for an option that is true or false."""

    name: str
    when: Expr
    by: tuple[str, ...]
    says: str
    span: Span


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    kind: str
    says: str
    span: Span
    why: str = ""


@dataclass(frozen=True, slots=True)
class OptionDecl:
    """`low` to `high` are its values, as numbers; `default` and `tries` are among them. With a `word` its type is
    optional, and the word is none."""

    name: str
    type: Type
    low: int
    high: int
    default: int | bool | None
    tries: tuple[int | bool | None, ...]
    requires: Expr | None
    says: str
    by: tuple[str, ...]
    span: Span
    word: str = ""


@dataclass(frozen=True, slots=True)
class CardKind:
    label: str
    attributes: tuple[int | bool | None, ...]
    copies: int
    span: Span
    only: Only = None


@dataclass(frozen=True, slots=True)
class CardType:
    name: str
    attributes: tuple[tuple[str, Type], ...]
    kinds: tuple[CardKind, ...]
    by: tuple[str, ...]
    span: Span
    says: str = ""


@dataclass(frozen=True, slots=True)
class DiceType:
    """Dice with the values of an enum on their faces, each so many times."""

    name: str
    face: Type
    weights: tuple[int, ...]
    by: tuple[str, ...]
    span: Span
    says: str = ""


Fact = int | bool | None | tuple[int | bool, ...]  # as a constant, or (of a set) several, ascending


@dataclass(frozen=True, slots=True)
class Table:
    """A constant for each combination of keys: `values` in their order, the last key fastest; `sizes` are how many keys
    each `each:` has."""

    name: str
    each: tuple[Type, ...]
    sizes: tuple[int, ...]
    type: Type
    values: tuple[Fact, ...]
    by: tuple[str, ...]
    says: str
    span: Span


@dataclass(frozen=True, slots=True)
class Visible:
    """Who sees it: a test over `viewer`, and `owner` where there is one for each seat."""

    test: Expr
    words: str


@dataclass(frozen=True, slots=True)
class Zone:
    """What lies there at the start: the cards of `starts`, or as many of each as the table `stock` says for the part,
    whosever it is. One of dice has no `card`: `dice` is their kind, `holds` how many there can be."""

    name: str
    each: tuple[Type, ...]
    card: str
    ordered: bool
    slot: bool
    starts: Gather | None
    seen: Visible
    by: tuple[str, ...]
    says: str
    span: Span
    owned: bool = False  # whether each card is kept with the seat that it came from
    only: Only = None
    refill: Read | None = None  # whose cards come here when chance is to draw and there is none
    stock: str = ""
    dice: str = ""
    face: Type | None = None
    holds: int = 0

    @property
    def holding(self) -> Type:
        """What it is the place of."""
        if isinstance(self.face, Int | Enum):
            return Tray(self.dice, self.face, self.holds, self.ordered)
        return ZoneOf(Card(self.card), 0, self.slot, self.ordered, self.owned)


@dataclass(frozen=True, slots=True)
class Variable:
    """`called` is its name in states and views, where that is another one. Once the phase `decided` has ended it is
    never none."""

    name: str
    each: tuple[Type, ...]
    type: Type
    starts: Expr
    seen: Visible
    by: tuple[str, ...]
    says: str
    span: Span
    called: str = ""
    only: Only = None
    decided: str = ""


@dataclass(frozen=True, slots=True)
class Define:
    name: str
    params: tuple[tuple[str, Type], ...]
    body: Expr
    by: tuple[str, ...]
    words: str
    span: Span
    says: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """Of an action or an outcome.

    `kind` given: the value of `source`, fixed. one: a value of the collection `source`. some: a set of `size`
    cards of the zone `source`. Of outcomes: card: a card of the zone, each copy as likely; uniform: a value of
    the collection; roll: `size` dice of the dice type named `dice`.
    """

    name: str
    kind: Literal["given", "one", "some", "card", "uniform", "roll"]
    source: Expr | None
    size: Expr | None
    size_most: int
    test: Expr | None
    dice: str
    type: Type
    told: Visible
    words: str
    span: Span


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a seat can do, or (in a chance phase) that can befall it. `when` must hold for it to be legal.

    `name` stands in labels, and several actions may share it; `key` is the element's name, the only one in its phase.
    With `visits` the phase is set aside for a detour, of the seat `guest` (None: of who acts); with `then` the phase is
    over. After one that `reopens` the turns, all are asked again, or all others.
    """

    name: str
    key: str
    params: tuple[Parameter, ...]
    when: Expr | None
    when_words: str
    effects: tuple[Effect, ...]
    visits: Goto | None
    guest: Expr | None
    then: Goto | None
    reopens: Literal["", "all", "others"]
    by: tuple[str, ...]
    says: str
    span: Span
    only: Only = None

    @property
    def title(self) -> str:
        """As a spec names it: `play`, or `play as open`."""
        return self.name if self.name == self.key else f"{self.name} as {self.key}"


@dataclass(frozen=True, slots=True)
class Goto:
    """Where the game goes on, or what an action visits: the first branch whose test holds (the last has none)."""

    branches: tuple[tuple[Expr | None, str], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Sequence:
    """One choice for each of `entries`, a list, in its order; in the actions `name` is the entry that is answered."""

    name: str
    entries: Expr
    words: str
    span: Span


@dataclass(frozen=True, slots=True)
class Phase:
    """`kind` automatic: effects only. together: the seats of `over` choose, unseen. turns: one after the other;
    with `start`, round and round clockwise `until`; with `sequence`, several choices in a row, each legal only while
    the rest can be completed. chance: outcomes, for each seat of `over`, or once. `settled` are the variables that are
    decided whenever it is played."""

    name: str
    kind: Literal["automatic", "together", "turns", "chance"]
    effects: tuple[Effect, ...]
    over: Expr | None
    start: Expr | None
    until: Expr | None
    asks: Expr | None
    unasked: tuple[Effect, ...]
    actions: tuple[Action, ...]
    then: Goto
    by: tuple[str, ...]
    says: str
    span: Span
    called: str = ""
    only: Only = None
    settled: tuple[str, ...] = ()
    sequence: Sequence | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """`rank`: keys for each seat, higher is better, the first most. `lost`: all lose. `returns`: of each player, as so
    many of `parts` (without: whole numbers)."""

    rank: tuple[Expr, ...]
    lost: Expr | None
    returns: Expr | None
    by: tuple[str, ...]
    span: Span
    parts: Expr | None = None


@dataclass(frozen=True, slots=True)
class Invariant:
    name: str
    test: Expr
    by: tuple[str, ...]
    words: str
    span: Span
    only: Only = None


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is measured, and what then: as the game ends (`phase` is ""), as a phase begins, or (`action`, by
    its element's name) before an action or outcome of the phase does anything. `over` are the keys, each gathered where
    the ones before are known; without a `value` what is observed is only counted."""

    phase: str
    action: str
    over: tuple[Gather, ...]
    value: Expr | None
    span: Span
    only: Only = None

    @property
    def name(self) -> str:
        """As a spec names it."""
        return f"{self.phase}.{self.action}" if self.action else self.phase or "end"


@dataclass(frozen=True, slots=True)
class Measure:
    """What random games report. `each` are the types of its keys, wide enough for every moment."""

    name: str
    form: Literal["count", "number", "bool"]
    each: tuple[Type, ...]
    moments: tuple[Moment, ...]
    by: tuple[str, ...]
    says: str
    span: Span
    only: Only = None


@dataclass(frozen=True, slots=True)
class Accept:
    """`when` (of a finding of play) says under which options and players the finding is accepted."""

    code: str
    at: str
    why: str
    when: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Point:
    """What an instrumented game counts, by its number among all. `element` as findings name it; `by` are its clauses,
    or those of what it is part of; `cites` those that are exercised where it is. `side` is that of a test.

    Only a game that is instrumented `closely` has those of kind `change` and `shown`. A `change` is an assignment to
    `part`, its side "true" that the value is another one. A `shown` is a reason for which `part` is seen, or told, its
    side "true" that it was the first to hold while somebody looked at something."""

    kind: Literal["phase", "action", "outcome", "effect", "loop", "test", "definition", "result", "card", "players",
                  "option", "overlay", "declared", "change", "shown"]  # fmt: skip
    element: str
    words: str
    by: tuple[str, ...]
    cites: tuple[str, ...]
    span: Span
    side: Literal["", "true", "false"] = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class Game:
    name: str
    says: str
    players: tuple[int, int]
    automata: Expr | None
    longest: Expr
    by: tuple[str, ...]
    clauses: tuple[Clause, ...]
    options: tuple[OptionDecl, ...]
    enums: tuple[tuple[str, tuple[str, ...]], ...]
    numbers: tuple[tuple[str, int, int], ...]
    cards: tuple[CardType, ...]
    dice: tuple[DiceType, ...]
    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    defines: tuple[Define, ...]
    phases: tuple[Phase, ...]
    result: Result
    invariants: tuple[Invariant, ...]
    accepts: tuple[Accept, ...]
    span: Span
    citations: tuple[tuple[str, str, Span], ...] = field(default=())  # (clause id, element, place), in order
    overlays: tuple[Overlay, ...] = ()
    words_only: tuple[tuple[str, str, Only], ...] = ()  # (enum, word, where it is there)
    tables: tuple[Table, ...] = field(default=())
    measures: tuple[Measure, ...] = ()
    points: tuple[Point, ...] = ()  # of an instrumented game
