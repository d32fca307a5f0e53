"""Which numbers an expression can be, from those that its parts can be."""

from __future__ import annotations

from collections.abc import Sequence

from aeronef.dsl.types import Int


def arithmetic(op: str, a: Int, b: Int) -> Int:
    """Of `+`, `-`, `*`, `//` and `%`. Raises ZeroDivisionError where a division can be by 0."""
    if op == "+":
        return Int(a.low + b.low, a.high + b.high)
    if op == "-":
        return Int(a.low - b.high, a.high - b.low)
    if op in ("//", "%") and b.low <= 0 <= b.high:
        raise ZeroDivisionError
    if op == "%":
        return Int(0, b.high - 1) if b.low > 0 else Int(b.low + 1, 0)
    ends = [x * y if op == "*" else x // y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Int(min(ends), max(ends))


def extreme(name: str, kinds: Sequence[Int]) -> Int:
    """Of `min` and `max` of several numbers."""
    pick = min if name == "min" else max
    return Int(pick(k.low for k in kinds), pick(k.high for k in kinds))


def absolute(value: Int) -> Int:
    low = 0 if value.low <= 0 <= value.high else min(abs(value.low), abs(value.high))
    return Int(low, max(abs(value.low), abs(value.high)))


def clamped(value: Int, least: Int, greatest: Int) -> Int:
    return Int(min(max(value.low, least.low), greatest.low), min(max(value.high, least.high), greatest.high))


def summed(each: Int, most: int) -> Int:
    """The sum of up to so many numbers."""
    return Int(min(0, each.low * most), max(0, each.high * most))
