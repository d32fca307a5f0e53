"""What tests tell: the spelling of each expression that is known not to be none, and what numbers lie between."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.printer import spell


class Bounds(NamedTuple):
    """A number lies within these; None where it may be anything."""

    of: str
    low: int | None = None
    high: int | None = None


Facts = frozenset[str | Bounds]
NOTHING: Facts = frozenset()
UNLIKE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def facts_if(node: ir.Expr, holds: bool) -> Facts:
    """What is known once `node` turned out true (or false)."""
    found = _not_none_if(node, holds)
    if isinstance(node, ir.Binary) and node.op in UNLIKE:
        op = node.op if holds else UNLIKE[node.op]
        inner = t.element(node.right.type) or node.right.type
        if isinstance(node.left.type, t.Int) and isinstance(inner, t.Int):
            found |= _bounds(node.left, node.left.type, op, inner)
            if op in TURNED:
                found |= _bounds(node.right, inner, TURNED[op], node.left.type)
    return found


def _bounds(node: ir.Expr, kind: t.Int, op: str, other: t.Int) -> Facts:
    """What a comparison tells of its one side, which is of `kind`."""
    if not isinstance(node, ir.Local | ir.Read | ir.Attribute | ir.Call):
        return NOTHING
    text = spell(node)
    match op:
        case "<" | "<=":
            return frozenset({Bounds(text, high=other.high - (op == "<"))})
        case ">" | ">=":
            return frozenset({Bounds(text, low=other.low + (op == ">"))})
        case "==" | "in":
            return frozenset({Bounds(text, other.low, other.high)})
        case "!=" if other.low == other.high == kind.low:
            return frozenset({Bounds(text, low=kind.low + 1)})
        case "!=" if other.low == other.high == kind.high:
            return frozenset({Bounds(text, high=kind.high - 1)})
        case _:
            return NOTHING


def bounded(node: ir.Expr, kind: t.Int, facts: Facts) -> t.Int:
    """The numbers that an expression can be, for what is known of it."""
    if not any(isinstance(fact, Bounds) for fact in facts):
        return kind
    known = [fact for fact in facts if isinstance(fact, Bounds) and fact.of == spell(node)]
    low = max((fact.low for fact in known if fact.low is not None), default=kind.low)
    high = min((fact.high for fact in known if fact.high is not None), default=kind.high)
    low, high = max(low, kind.low), min(high, kind.high)
    return t.Int(low, high) if low <= high else kind  # what cannot be is not looked at closer


def _not_none_if(node: ir.Expr, holds: bool) -> Facts:
    match node:
        case ir.Binary("!=", left, ir.Const(None)) if holds:
            return frozenset({spell(left)})
        case ir.Binary("==", left, ir.Const(None)) if not holds:
            return frozenset({spell(left)})
        case ir.Binary("==", left, right) if holds:
            found: set[str] = set()
            for one, other in ((left, right), (right, left)):
                if not isinstance(other.type, t.Optional | t.Nothing | t.ZoneOf) and not isinstance(one, ir.Const):
                    found.add(spell(one))
                    while isinstance(one, ir.Attribute):
                        one = one.of
                        found.add(spell(one))
            return frozenset(found)
        case ir.Binary("and", left, right) if holds:
            return facts_if(left, True) | facts_if(right, True)
        case ir.Binary("or", left, right) if not holds:
            return facts_if(left, False) | facts_if(right, False)
        case ir.Unary("not", of):
            return facts_if(of, not holds)
        case _:
            return NOTHING


def without(facts: Facts, names: Iterable[str]) -> Facts:
    """The facts that have to do with none of the names."""
    gone = set(names)
    return frozenset(fact for fact in facts if gone.isdisjoint(_words(fact if isinstance(fact, str) else fact.of)))


@functools.lru_cache(maxsize=10_000)
def _words(fact: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", fact))
