"""What tests tell: the spelling of each expression that is known not to be none."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.printer import spell

Facts = frozenset[str]
NOTHING: Facts = frozenset()


def facts_if(node: ir.Expr, holds: bool) -> Facts:
    """What is known not to be none once `node` turned out true (or false)."""
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
    return frozenset(fact for fact in facts if gone.isdisjoint(_words(fact)))


@functools.lru_cache(maxsize=10_000)
def _words(fact: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", fact))
