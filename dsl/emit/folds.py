"""Folds along a whole row of a place, by what Python has for lists: of `count(p in players where folded[p])`,
`self.folded.count(True)`; of `all(points[q] <= points[p] for q in players)`, `max(self.points) <= self.points[p]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.walk import locals_in

if TYPE_CHECKING:
    from aeronef.dsl.emit.expressions import Speller, Spelt

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
# A test of each value that holds for all, or for any, where it holds of the extreme.
EXTREME = {("all", "<"): "max", ("all", "<="): "max", ("any", "<"): "min", ("any", "<="): "min",
           ("all", ">"): "min", ("all", ">="): "min", ("any", ">"): "max", ("any", ">="): "max"}  # fmt: skip
ATOM, COMPARE, NOT = 10, 4, 3


def along(node: ir.Aggregate, speller: Speller) -> Spelt | None:
    """The fold of a row, with how strongly it holds together; None where it is of something else."""
    over, body, kind = node.over, node.body, node.kind
    if speller.game.points:
        return None
    if kind in ("sum", "min", "max"):
        row = _row(body, over, speller) if over.test is None and isinstance(body.type, t.Int) else ""
        return (f"{kind}({row})", ATOM) if row else None
    if kind == "count":
        return _counted(over.test, over, speller) if over.test is not None else None
    if kind in ("any", "all"):
        test = body if over.test is None else over.test if isinstance(body, ir.Const) and kind == "any" else None
        return _tested(kind, test, over, speller) if test is not None else None
    return None


def _row(node: ir.Expr, over: ir.Gather, speller: Speller) -> str:
    """The row that a value is of, if all of it is gone through; else ""."""
    if not (isinstance(node, ir.Read) and node.index):
        return ""
    *before, last = node.index
    if not isinstance(last, ir.Local) or last.name != over.name or over.name in locals_in(tuple(before)):
        return ""
    kind = speller.each[node.name][-1]
    match over.source:
        case ir.Everything("seats"):
            whole = isinstance(kind, t.Seat)
        case ir.Everything("players"):
            whole = isinstance(kind, t.Seat) and speller.game.automata is None
        case ir.Everything(of):
            whole = of not in speller.partial and t.element(over.source.type) == kind
        case _:
            whole = False
    return speller.read(node, [speller.spelt(index) for index in before]) if whole else ""


def _counted(test: ir.Expr, over: ir.Gather, speller: Speller) -> Spelt | None:
    match test:
        case ir.Read(_, _, t.Bool()) if row := _row(test, over, speller):
            return f"{row}.count(True)", ATOM
        case ir.Unary("not", ir.Read(_, _, t.Bool()) as read) if row := _row(read, over, speller):
            return f"{row}.count(False)", ATOM
        case ir.Binary("==", left, right):
            for one, other in ((left, right), (right, left)):
                if _same(one, other, over) and (row := _row(one, over, speller)):
                    return f"{row}.count({speller.spell(other)})", ATOM
    return None


def _tested(kind: str, test: ir.Expr, over: ir.Gather, speller: Speller) -> Spelt | None:
    match test:
        case ir.Read(_, _, t.Bool()) if row := _row(test, over, speller):
            return f"{kind}({row})", ATOM
        case ir.Unary("not", ir.Read(_, _, t.Bool()) as read) if row := _row(read, over, speller):
            return f"not {'any' if kind == 'all' else 'all'}({row})", NOT
        case ir.Binary("==" | "!=" as op, left, right) if (op == "==") == (kind == "any"):
            for one, other in ((left, right), (right, left)):
                if _same(one, other, over) and (row := _row(one, over, speller)):
                    return f"{speller.spell(other, COMPARE + 1)} {'in' if op == '==' else 'not in'} {row}", COMPARE
        case ir.Binary("<" | "<=" | ">" | ">=" as op, left, right):
            for one, other, how in ((left, right, op), (right, left, FLIPPED[op])):
                if _same(one, other, over) and (row := _row(one, over, speller)):
                    return f"{EXTREME[kind, how]}({row}) {how} {speller.spell(other, COMPARE + 1)}", COMPARE
    return None


def _same(one: ir.Expr, other: ir.Expr, over: ir.Gather) -> bool:
    """Whether a row of plain values is compared with what is the same for all of them."""
    plain = isinstance(t.strip(one.type), t.Int | t.Seat | t.Enum)
    return plain and over.name not in locals_in(other)
