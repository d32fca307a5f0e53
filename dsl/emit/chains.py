"""Chains of tests. Alternatives that share a test ask it once: of `a and b or a and c or d`, `a and (b or c) or d`.

IR to IR, for the Python target. What is asked first is then what most alternatives need: of the eight lines of a board
of three by three, three cells tell as a rule that none is full.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal, TypeVar

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.printer import spell
from aeronef.dsl.walk import rewritten

FEWEST = 4  # fewer alternatives stay as the spec has them

Part = TypeVar("Part")
Tests = tuple[ir.Expr, ...]


def sides(node: ir.Expr, op: str) -> list[ir.Expr]:
    """The sides of a chain of `and`, of `or`, or of `+`, in order."""
    if isinstance(node, ir.Binary) and node.op == op:
        return [*sides(node.left, op), *sides(node.right, op)]
    return [node]


def chain(op: Literal["and", "or", "+"], terms: list[ir.Expr], kind: t.Type) -> ir.Expr:
    """The terms, and theirs where they are such chains themselves, as one."""
    first, *others = [side for term in terms for side in sides(term, op)]
    for other in others:
        first = ir.Binary(op, first, other, kind, first.span)
    return first


def common_first(part: Part, game: ir.Game) -> Part:
    """A piece of IR in which no long chain of alternatives asks a test twice, where these can be asked in any order."""
    each = {variable.name: variable.each for variable in game.variables}

    def changed(node: Any) -> ir.Expr | None:
        if not isinstance(node, ir.Binary) or node.op != "or":
            return None
        alternatives = [tuple(sides(side, "and")) for side in sides(node, "or")]
        if len(alternatives) < FEWEST or not all(_anywhere(test) for tests in alternatives for test in tests):
            return None
        return _joined(alternatives)

    def _anywhere(test: ir.Expr) -> bool:
        """Whether a test means something wherever it stands: no other one before it has to guard it."""
        match test:
            case ir.Const() | ir.Local():
                return True
            case ir.Read(name, index):
                return name in each and all(map(_there, index, each[name]))
            case ir.Binary("==" | "!=", left, right):
                return _anywhere(left) and _anywhere(right)
            case ir.Unary("not", of):
                return _anywhere(of)
        return False

    def _there(index: ir.Expr, kind: t.Type) -> bool:
        if not isinstance(index, ir.Const) or index.value is None:
            return False
        match kind:
            case t.Int(low, high):
                return low <= index.value <= high
            case t.Seat():
                return index.value < game.players[0]
        return False

    found: Part = rewritten(part, changed)
    return found


def _joined(alternatives: list[Tests]) -> ir.Expr:
    """All tests of an alternative, or all of another."""
    counts = Counter(spelt for tests in alternatives for spelt in dict.fromkeys(map(spell, tests)))
    spelt, often = counts.most_common(1)[0]
    if often == 1:
        return chain("or", [chain("and", list(tests), t.Bool()) for tests in alternatives], t.Bool())
    common = next(test for tests in alternatives for test in tests if spell(test) == spelt)
    inside, apart = list[Tests](), list[Tests]()
    for tests in alternatives:
        others = tuple(test for test in tests if spell(test) != spelt)
        (apart if len(others) == len(tests) else inside).append(others)
    # Where one needs no more than the test, it is all that those with it need.
    group = chain("and", [common, _joined(inside)], t.Bool()) if all(inside) else common
    return chain("or", [group, _joined(apart)], t.Bool()) if apart else group
