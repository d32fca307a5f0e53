"""The types of the rule language. Integers carry their interval, collections the most they can hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bool:
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class Int:
    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Count:
    """Goes up, or starts again; read by no rule (a round number)."""

    def __str__(self) -> str:
        return "count"


@dataclass(frozen=True, slots=True)
class Enum:
    name: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Seat:
    def __str__(self) -> str:
        return "seat"


@dataclass(frozen=True, slots=True)
class Card:
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Owned:
    """A card and the seat that it came from: an entry of a zone with `owners: kept`."""

    card: Card

    def __str__(self) -> str:
        return f"owned {self.card}"


@dataclass(frozen=True, slots=True)
class Optional:
    of: Plain

    def __str__(self) -> str:
        return f"{self.of}?"


@dataclass(frozen=True, slots=True)
class Nothing:
    """The type of `none` alone."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class ListOf:
    of: Type
    most: int

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True, slots=True)
class SetOf:
    """No value twice; in ascending order wherever its order shows."""

    of: Plain
    most: int

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class ZoneOf:
    """A place for cards. As a collection it gives its cards (one that is `owned`: with their owners); one that holds a
    single card is that card, or none."""

    card: Card
    most: int
    slot: bool
    ordered: bool = False
    owned: bool = False

    def __str__(self) -> str:
        return f"zone of {Owned(self.card) if self.owned else self.card}"


@dataclass(frozen=True, slots=True)
class Tray:
    """A place for at most so many dice of one kind. As a collection it gives the faces that they show."""

    dice: str
    face: Int | Enum
    most: int
    ordered: bool = False

    def __str__(self) -> str:
        return f"zone of {self.dice}"


Plain = Bool | Int | Enum | Seat | Card | Owned
Type = Bool | Int | Count | Enum | Seat | Card | Owned | Optional | Nothing | ListOf | SetOf | ZoneOf | Tray


def element(kind: Type) -> Type | None:
    """What a collection holds; None where it is no collection."""
    match kind:
        case ListOf(of) | SetOf(of):
            return of
        case ZoneOf(card):
            return Owned(card) if kind.owned else card
        case Tray(_, face):
            return face
        case _:
            return None


def most(kind: Type) -> int:
    return kind.most if isinstance(kind, ListOf | SetOf | ZoneOf | Tray) else 0


def count(kind: Type) -> int:
    """How many values a bool, a range or an enumeration has."""
    match kind:
        case Bool():
            return 2
        case Int(low, high):
            return high - low + 1
        case Enum(_, values):
            return len(values)
        case _:
            raise AssertionError(kind)


def strip(kind: Type) -> Type:
    return kind.of if isinstance(kind, Optional) else kind


def may_be_none(kind: Type) -> bool:
    return isinstance(kind, Optional) or (isinstance(kind, ZoneOf) and kind.slot)


def fits(value: Type, wanted: Type) -> bool:
    """Whether a value may stand where `wanted` is asked. Intervals are another question: see `within`."""
    match wanted, value:
        case Optional(_), Nothing():
            return True
        case Optional(inner), Optional(of):
            return fits(of, inner)
        case Optional(inner), ZoneOf(card, _, True):
            return fits(card, inner)
        case Optional(inner), _:
            return fits(value, inner)
        case Int(), Int():
            return True
        case ListOf(of), ListOf(other):
            return fits(other, of)
        case SetOf(of), SetOf(other):
            return fits(other, of)
        case _:
            return value == wanted


def within(value: Type, wanted: Type) -> bool:
    """Whether every value of an integer type lies in the wanted interval."""
    inner, outer = strip(value), strip(wanted)
    if isinstance(inner, Int) and isinstance(outer, Int):
        return outer.low <= inner.low and inner.high <= outer.high
    if isinstance(value, SetOf | ListOf) and isinstance(wanted, SetOf | ListOf):
        return within(value.of, wanted.of)
    return True


def join(a: Type, b: Type) -> Type | None:
    """The type of a value that is one of the two; None where they have nothing in common."""
    match a, b:
        case Nothing(), Nothing():
            return a
        case Nothing(), (Bool() | Int() | Enum() | Seat() | Card() | Owned()):
            return Optional(b)
        case ((Bool() | Int() | Enum() | Seat() | Card() | Owned()), Nothing()):
            return Optional(a)
        case (Optional(), Nothing()) | (Nothing(), Optional()):
            return a if isinstance(a, Optional) else b
        case ZoneOf(card, _, True), _:
            return join(Optional(card), b)
        case _, ZoneOf(card, _, True):
            return join(a, Optional(card))
        case (Optional(), _) | (_, Optional()):
            inner = join(strip(a), strip(b))
            return Optional(inner) if isinstance(inner, Plain) else None
        case Int(l1, h1), Int(l2, h2):
            return Int(min(l1, l2), max(h1, h2))
        case ListOf(x, m), ListOf(y, n):
            inner = join(x, y)
            return ListOf(inner, max(m, n)) if inner else None
        case SetOf(x, m), SetOf(y, n):
            inner = join(x, y)
            return SetOf(inner, max(m, n)) if isinstance(inner, Plain) else None
        case ZoneOf(x, m, False), ZoneOf(y, n, False) if (x, a.owned) == (y, b.owned):
            return ZoneOf(x, max(m, n), False, a.ordered and b.ordered, a.owned)
        case Tray(x, face, m), Tray(y, _, n) if x == y:
            return Tray(x, face, max(m, n), a.ordered and b.ordered)
        case _:
            return a if a == b else None
