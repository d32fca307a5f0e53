"""Values of which only some is known, and what is known of them along one way through the rules.

A number is `base + low … base + high`, where a base stands for a number that nobody knows yet, within bounds. What a
test asks of it splits the way in two: `Choices` remembers which side was taken, and `every` goes all ways, one after
the other, each from the beginning. On each of them the bounds are narrower, and that is all that a test can leave
behind. So whatever is not modelled is a number, or a thing, of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

X = TypeVar("X")
Range = tuple[int, int]
Name = int | str | tuple[str, int]  # of a thing: a fresh number, `me`, or a seat by its number


class Impossible(Exception):
    """Nothing can happen this way: a test does not hold, or the rules stop with a fault."""


class TooManyWays(Exception):
    """There are more ways than are looked at."""


@dataclass(frozen=True, slots=True)
class Num:
    """A number, a bool (0 or 1) or the index of a word: from `base + low` to `base + high`."""

    base: int | None
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Thing:
    """A seat, a card, a card with its owner: what has the same name is the same; what has not may be."""

    name: Name


@dataclass(frozen=True, slots=True)
class Many:
    """A list, a set, or what lies in a zone."""

    size: Num


Value = Num | Thing | Many | None  # None is none


def num(value: int) -> Num:
    return Num(None, value, value)


ZERO = num(0)


class Choices:
    """The sides taken on one way, in order: `pick` takes those of the script, and after them always the first."""

    def __init__(self, script: list[tuple[int, int]]) -> None:
        self.taken = script
        self.at = 0

    def pick(self, sides: int) -> int:
        if self.at == len(self.taken):
            self.taken.append((0, sides))
        self.at += 1
        return self.taken[self.at - 1][0]

    def following(self) -> list[tuple[int, int]] | None:
        """The script of the next way; None where this was the last."""
        script = self.taken[: self.at]
        while script and script[-1][0] + 1 == script[-1][1]:
            script.pop()
        return [*script[:-1], (script[-1][0] + 1, script[-1][1])] if script else None


class Budget:
    """How many ways may still be gone."""

    def __init__(self, ways: int) -> None:
        self.ways = ways

    def spend(self) -> None:
        self.ways -= 1
        if self.ways < 0:
            raise TooManyWays


def every(go: Callable[[Choices], X], most: int, whole: Budget) -> list[X]:
    """What comes of each way that is possible. Raises TooManyWays."""
    found: list[X] = []
    own = Budget(most)
    script: list[tuple[int, int]] | None = []
    while script is not None:
        own.spend()
        whole.spend()
        choices = Choices(script)
        with suppress(Impossible):
            found.append(go(choices))
        script = choices.following()
    return found


class Facts:
    """What is known of numbers: the bounds of each base, and of the differences of two. What is known of things: which
    cannot be the same. `copy` for another way to go on from here."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.bounds: dict[int, Range] = {}
        self.gaps: dict[tuple[int, int], Range] = {}  # of the first base above the second
        self.named = 0

    def copy(self, choices: Choices) -> Facts:
        new = Facts(choices)
        new.bounds, new.gaps, new.named = dict(self.bounds), dict(self.gaps), self.named
        return new

    def fresh(self) -> int:
        self.named += 1
        return self.named

    def number(self, low: int, high: int) -> Num:
        """One of which only its range is known."""
        if low > high:
            raise Impossible
        if low == high:
            return num(low)
        base = self.fresh()
        self.bounds[base] = (low, high)
        return Num(base, 0, 0)

    def thing(self) -> Thing:
        return Thing(self.fresh())

    def range(self, a: Num) -> Range:
        if a.base is None:
            return a.low, a.high
        low, high = self.bounds[a.base]
        return low + a.low, high + a.high

    def known(self, a: Num) -> int | None:
        low, high = self.range(a)
        return low if low == high else None

    def gap(self, a: Num, b: Num) -> Range:
        """The least and the most that `a` can be above `b`."""
        if a.base == b.base:
            return a.low - b.high, a.high - b.low
        (a_low, a_high), (b_low, b_high) = self.range(a), self.range(b)
        low, high = a_low - b_high, a_high - b_low
        if a.base is not None and b.base is not None and (a.base, b.base) in self.gaps:
            between = self.gaps[a.base, b.base]
            low = max(low, between[0] + a.low - b.high)
            high = min(high, between[1] + a.high - b.low)
        return low, high

    def narrow(self, a: Num, b: Num, low: int, high: int) -> None:
        """From here on `a` is `low` to `high` above `b`. Raises Impossible where it cannot be."""
        was = self.gap(a, b)
        low, high = max(low, was[0]), min(high, was[1])
        if low > high:
            raise Impossible
        if a.base == b.base:
            return
        (a_low, a_high), (b_low, b_high) = self.range(a), self.range(b)
        if a.base is not None:
            self._bound(a.base, b_low + low - a.high, b_high + high - a.low)
        if b.base is not None:
            self._bound(b.base, a_low - high - b.high, a_high - low - b.low)
        if a.base is not None and b.base is not None:
            between = (low - a.high + b.low, high - a.low + b.high)
            old = self.gaps.get((a.base, b.base), between)
            between = max(between[0], old[0]), min(between[1], old[1])
            self.gaps[a.base, b.base] = between
            self.gaps[b.base, a.base] = -between[1], -between[0]

    def _bound(self, base: int, low: int, high: int) -> None:
        was = self.bounds[base]
        low, high = max(low, was[0]), min(high, was[1])
        if low > high:
            raise Impossible
        self.bounds[base] = low, high

    def within(self, a: Num, low: int, high: int) -> None:
        """From here on `a` lies there. Raises Impossible where it cannot."""
        self.narrow(a, ZERO, low, high)

    def at_most(self, a: Num, b: Num, by: int = 0) -> bool:
        """Whether `a` is at most `by` above `b`: both ways, where it is not known."""
        low, high = self.gap(a, b)
        if high <= by or low > by:
            return high <= by
        if self.choices.pick(2) == 0:
            self.narrow(a, b, low, by)
            return True
        self.narrow(a, b, by + 1, high)
        return False

    def sign(self, a: Num, b: Num) -> int:
        """Whether `a` is below (-1), above (1) or equal to `b`: all ways that are possible."""
        low, high = self.gap(a, b)
        sides = [s for s, there in ((0, low <= 0 <= high), (-1, low < 0), (1, high > 0)) if there]
        side = sides[self.choices.pick(len(sides))] if len(sides) > 1 else sides[0]
        self.narrow(a, b, *((0, 0) if side == 0 else (low, -1) if side < 0 else (1, high)))
        return side

    def plus(self, a: Num, b: Num) -> Num:
        """The sum, told from the base of the one that is less known."""
        (a_low, a_high), (b_low, b_high) = self.range(a), self.range(b)
        if a_high - a_low < b_high - b_low:
            return Num(b.base, a_low + b.low, a_high + b.high)
        return Num(a.base, a.low + b_low, a.high + b_high)

    def minus(self, a: Num, b: Num) -> Num:
        if a.base == b.base or a.base is None:
            return Num(None, *self.gap(a, b))
        low, high = self.range(b)
        return Num(a.base, a.low - high, a.high - low)
