"""Alternatives that share a test ask it once: of `a and b or a and c or d`, `a and (b or c) or d`.

IR to IR, for the Python target. What is asked first is what most alternatives need: of the eight lines of a board of
three by three, three cells tell as a rule that none is full.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.unroll import chain, sides
from aeronef.dsl.printer import spell
from aeronef.dsl.walk import rewritten

FEWEST = 4  # fewer stay as the spec has them

Part = TypeVar("Part")
Tests = tuple[ir.Expr, ...]


def asked_once(part: Part) -> Part:
    """A piece of IR in which no long chain of alternatives asks a test twice."""
    found: Part = rewritten(part, _changed)
    return found


def _changed(node: Any) -> ir.Expr | None:
    if not isinstance(node, ir.Binary) or node.op != "or":
        return None
    alternatives = [tuple(sides(side, "and")) for side in sides(node, "or")]
    if len(alternatives) < FEWEST or _common(alternatives) is None:
        return None
    return asked_once(_joined(alternatives))


def _common(alternatives: list[Tests]) -> str | None:
    """The test that most alternatives need, if several do."""
    counts = Counter(spelt for tests in alternatives for spelt in dict.fromkeys(map(spell, tests)))
    spelt, often = counts.most_common(1)[0]
    return spelt if often > 1 else None


def _joined(alternatives: list[Tests]) -> ir.Expr:
    """All of an alternative, or all of another."""
    spelt = _common(alternatives)
    if spelt is None:
        return chain("or", [chain("and", list(tests), t.Bool()) for tests in alternatives], t.Bool())
    common = next(test for tests in alternatives for test in tests if spell(test) == spelt)
    inside = [
        tuple(test for test in tests if spell(test) != spelt) for tests in alternatives if spelt in map(spell, tests)
    ]
    apart = [tests for tests in alternatives if spelt not in map(spell, tests)]
    # Where one needs no more than the test, it is all that those with it need.
    group = chain("and", [common, _joined(inside)], t.Bool()) if all(inside) else common
    return chain("or", [group, _joined(apart)], t.Bool()) if apart else group
