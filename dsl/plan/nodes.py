"""What the functions of a game do, between the IR and the text of a language: structured statements, in which it is
settled who acts, what is worked out before anything moves, what is checked and how it fails, and what a function gives.

Expressions are those of the IR, and so are the statements of which nothing is to be decided (`let`, `+=` of a count,
marks). How a place is laid out, and what a language can say in one expression, is the printer's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span

ABSENT, TAKEN, RANGE, FULL, NO_DIE = "absent", "taken", "range", "full", "no die"


@dataclass(frozen=True, slots=True)
class Fail:
    """A way in which the rules can break, and where; of a number or a zone of dice, what it had to be within."""

    kind: str
    span: Span | None
    low: int = 0
    high: int = 0


# A seat that the position tells: whom the step is about, the first of the queue (popped: which leaves it), the next
# player round the table, what the function is given first, whose detour this is.
Whose = Literal["nobody", "mine", "head", "popped", "next", "first", "visitor"]


@dataclass(frozen=True, slots=True)
class Player:
    """The first player clockwise from a seat, which may be an automaton's."""

    seat: ir.Expr


Seat = ir.Expr | Player | Whose
Standing = Literal["queue", "row", "no row", "queue, no row"]  # whether seats or entries are still to come
Test = ir.Expr | Standing
End = Literal["source", "target"]
How = Literal["all", "one", "each", "first", "last"]

# ------------------------------------------------------------------------------------------ values


@dataclass(frozen=True, slots=True)
class Known:
    """`me`, or what the row of the phase asks for first, under its name."""

    name: str
    value: Literal["mine", "visitor", "entry"]


@dataclass(frozen=True, slots=True)
class Temp:
    """The index at a place of the zone where a move starts or ends, worked out before anything moves."""

    of: End
    place: int


@dataclass(frozen=True, slots=True)
class Settle:
    temp: Temp
    value: ir.Expr
    kind: t.Type


@dataclass(frozen=True, slots=True)
class Assign:
    """`fail` where the value may be out of range, which is none of them."""

    target: ir.Read
    value: ir.Expr
    fail: Fail | None


# ------------------------------------------------------------------------------------------ moves


@dataclass(frozen=True, slots=True)
class Place:
    """A zone, or the part of it at indices that no move changes."""

    zone: ir.Read
    index: tuple[ir.Expr | Temp, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Cards out of a zone into another.

    all: what is there, in its order. one, each: `card`, or all that it holds, listed before. first, last: of the row
    that they leave. `owner` is put to a card, or (`bare`) the owner that it was kept with is left behind. `lacks`: it
    is not there; `taken`: a place for one card has one. `sure`: it was chosen from there, so that it is there.
    """

    how: How
    card: ir.Expr | None
    source: Place
    target: Place
    owner: ir.Expr | Temp | None
    bare: bool
    lacks: Fail
    taken: Fail
    sure: bool = False

    @property
    def within(self) -> bool:
        """Whether both are parts of one zone: they may be the same."""
        return self.source.zone.name == self.target.zone.name


@dataclass(frozen=True, slots=True)
class Dice:
    """The same of dice, by their faces. Out of nothing they come, and into nothing they go. `full`: with more of them
    than a place holds."""

    how: How
    faces: ir.Expr | None
    source: Place | None
    target: Place | None
    lacks: Fail
    full: Fail


# ------------------------------------------------------------------------------------------ who is to act


@dataclass(frozen=True, slots=True)
class Queue:
    """All of these seats are to act, in their order, or ascending and each once. `asked`: the phase whose function of
    this name gives them too, after what it `knows`."""

    seats: ir.Expr
    ascending: bool
    asked: str = ""
    knows: tuple[Known, ...] = ()


@dataclass(frozen=True, slots=True)
class Reopen:
    """All of these seats are to act (again), clockwise from the left; `itself`: whoever acted too, as the last.
    `asked` as of a queue."""

    seats: ir.Expr
    asked: str
    itself: bool


@dataclass(frozen=True, slots=True)
class Row:
    """What the seat is to choose for, where the test holds."""

    entries: ir.Expr
    test: ir.Expr | None


@dataclass(frozen=True, slots=True)
class Drop:
    """The first of a row is done with."""

    of: Literal["queue", "row"]


@dataclass(frozen=True, slots=True)
class Turn:
    """From here on the step is about this seat; `named`: which is `me`."""

    seat: Seat
    named: bool


# ------------------------------------------------------------------------------------------ what holds statements


@dataclass(frozen=True, slots=True)
class Rule:
    """Statements under one citation."""

    by: tuple[str, ...]
    says: str
    body: Body


@dataclass(frozen=True, slots=True)
class If:
    branches: tuple[tuple[Test, Body], ...]
    other: Body


@dataclass(frozen=True, slots=True)
class While:
    test: Test
    body: Body


@dataclass(frozen=True, slots=True)
class For:
    """`listed`: the body changes what the gather looks at, which is therefore gone through before."""

    over: ir.Gather
    body: Body
    listed: bool


@dataclass(frozen=True, slots=True)
class Round:
    """For each player as `me`, clockwise from the one that the function is given."""

    body: Body


# ------------------------------------------------------------------------------------------ how a function ends


@dataclass(frozen=True, slots=True)
class Wait:
    """Somebody is to act: a seat, which the step is about, or (None) chance."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Go:
    """To another phase. As a detour this one is set aside, for a guest (None: for who acts); as an end of the phase
    nobody is left to act."""

    way: ir.Goto
    how: Literal["then", "detour", "end"] = "then"
    guest: ir.Expr | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """On to another function of a phase."""

    phase: str
    verb: Verb
    first: Seat | None = None


@dataclass(frozen=True, slots=True)
class Stay:
    """The phase asks who is next."""


@dataclass(frozen=True, slots=True)
class Return:
    """A value, or several."""

    value: ir.Expr | tuple[ir.Expr, ...]


@dataclass(frozen=True, slots=True)
class Seats:
    """These, as what a function gives."""

    of: ir.Expr


Acting = Queue | Reopen | Row | Drop | Turn
Ending = Wait | Go | Run | Stay | Return | Seats
Holding = Rule | If | While | For | Round
Stmt = ir.Let | ir.Step | ir.Mark | Known | Settle | Assign | Move | Dice | Acting | Holding | Ending
Body = tuple[Stmt, ...]
Verb = Literal["enter", "asked", "next", "ask", "do"]

# ------------------------------------------------------------------------------------------ functions


@dataclass(frozen=True, slots=True)
class Function:
    """Of a phase: `enter` as it begins, `asked` (who is to act), `next` after an action, `ask` (the next to be asked);
    `do` of an action. `by` are clauses that none of its statements cites."""

    verb: Verb
    phase: ir.Phase
    action: ir.Action | None
    says: str
    by: tuple[str, ...]
    body: Body

    @property
    def first(self) -> bool:
        """Whether it is given a seat to begin with."""
        return self.verb == "ask" and self.phase.start is not None


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an action as it is chosen, and what can be asked as soon as it is known."""

    param: ir.Parameter
    when: ir.Expr | None


@dataclass(frozen=True, slots=True)
class Offer:
    """The choices of an action: all values in their order, where `first` holds."""

    action: ir.Action
    first: ir.Expr | None
    values: tuple[Value, ...]
