"""Boards (`boards.py`) in C: tests of many parts by a mask, of one by its bit; and how a value is read, and put in its
place."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.boards import Board, Boards, Joined, Part, Tree, groups, negated
from aeronef.dsl.emit.expressions import Spelt, wrapped

if TYPE_CHECKING:
    from aeronef.dsl.emit.c.expressions import Lowering

OR, AND, COMPARE, SUM, PRODUCT, ATOM = 1, 2, 3, 4, 5, 7


class Masks:
    def __init__(self, lowering: Lowering, boards: Boards) -> None:
        self.lowering, self.boards = lowering, boards

    def said(self, node: ir.Expr, there: bool = True) -> Spelt | None:
        """A test (that it does not hold, if not `there`), or a number, that asks of boards only; None of another."""
        tree = self.boards.test(node)
        if tree is not None:
            return self._test(tree if there else negated(tree), {})
        parts = self.boards.counted(node)
        return self._number(parts) if parts is not None else None

    def asks(self, node: ir.Expr) -> bool:
        return self.boards.test(node) is not None

    def read(self, node: ir.Read) -> Spelt:
        """The value of a part."""
        board = self.boards.known[node.name]
        return value_of(board, self._name(board), self.place(node))

    def put(self, node: ir.Read, value: ir.Expr, text: str) -> str:
        """The statement that puts a value in its place."""
        board = self.boards.known[node.name]
        known = board.row(value.value) if isinstance(value, ir.Const) and not board.truth else None
        row = row_of(board, text, t.may_be_none(value.type)) if known is None else str(known)
        return put_in(board, self._name(board), self.place(node), row)

    def place(self, node: ir.Read) -> Spelt:
        """Which of all parts of a board, counted from 0."""
        board = self.boards.known[node.name]
        kinds = self.lowering.each_of[node.name]
        digits = [
            self.lowering.counted(self.lowering.value(index), kind)
            for index, kind in zip(node.index, kinds, strict=True)
        ]
        return flat(digits, board.sizes)

    def listed(self, part: Part, last: int) -> str:
        """The places of all parts that are as this one says, among those that differ in the last directions only: a bit
        for each."""
        sizes, first = part.board.sizes[-last:], len(part.rests) - last
        rests = (*part.rests[:first], *(None,) * last)
        parts = [
            replace(part, rests=rests, offsets=(*part.offsets[:first], *digits))
            for digits in itertools.product(*map(range, sizes))
        ]
        text = self._bits(parts, {})
        return text if part.there else f"({text}) ^ {_hex(2 ** len(parts) - 1)}"

    # ------------------------------------------------------------------------------ tests

    def _test(self, tree: Tree, rows: dict[str, str]) -> Spelt:
        """`rows` are those of values that were worked out already."""
        if not isinstance(tree, Joined):
            assert isinstance(tree, Part)
            return self._mask([tree], "and", rows)
        found = [self._mask(group, tree.op, rows) for group in groups(tree.tests)]
        found += [self._test(test, rows) for test in tree.tests if isinstance(test, Joined)]
        if len(found) == 1:
            return found[0]
        own, other, sign = (AND, OR, " && ") if tree.op == "and" else (OR, AND, " || ")
        return sign.join(wrapped(one, ATOM if one[1] == other else own) for one in found), own

    def _mask(self, parts: list[Part], op: str, rows: dict[str, str]) -> Spelt:
        """Whether all of these parts, or one of them, are as they say, which is the same of each."""
        there = parts[0].there
        if len({part.place for part in parts}) == 1:
            return f"({self._bits(parts, rows)}) {'!=' if there else '=='} 0", COMPARE
        if there == (op == "and"):
            mask = _hex(_mask_of(parts))
            return f"({self._bits(parts, rows)}) {'==' if there else '!='} {mask}", COMPARE
        return f"({self._bits(parts, rows)}) {'!=' if there else '=='} 0", COMPARE

    def _number(self, parts: list[Part]) -> Spelt:
        rows: dict[str, str] = {}
        found = []
        for group in groups(tuple(parts)):
            text = f"size_of({self._bits(group, rows)})"
            found.append(text if group[0].there else f"{len(group)} - {text}")
        return " + ".join(found), ATOM if len(found) == 1 and parts[0].there else SUM

    def _bits(self, parts: list[Part], rows: dict[str, str]) -> str:
        """The row of a value, of these parts only."""
        first = min(parts, key=lambda part: part.place)
        row, mask = self._row(first, rows), _hex(_mask_of(parts))
        if not any(rest is not None for rest in first.rests):
            return f"{row} & {mask}"
        return f"{row} >> {wrapped(self._place(first), ATOM)} & {mask}"

    def _place(self, part: Part) -> Spelt:
        digits: list[Spelt] = []
        for rest, offset in zip(part.rests, part.offsets, strict=True):
            if rest is None:
                digits.append((str(offset), ATOM))
            elif offset == 0:
                digits.append(self.lowering.value(rest))
            else:
                text = self.lowering.spell(rest, SUM)
                digits.append((f"{text} {'+' if offset > 0 else '-'} {abs(offset)}", SUM))
        return flat(digits, part.board.sizes)

    def _row(self, part: Part, rows: dict[str, str]) -> str:
        board, value = part.board, part.value
        name = self._name(board)
        if board.truth:
            return name
        if isinstance(value, ir.Const):
            return f"{name}[{board.row(value.value)}]"
        key = f"{board.name} {part.group[2]}"
        if key not in rows:
            brief = isinstance(value, ir.Read) and self.lowering.fields.all[value.name].form == "scalar"
            text = self.lowering.spell(value) if brief else self.lowering.plain(value)
            rows[key] = row_of(board, text, t.may_be_none(value.type))
        return f"{name}[{rows[key]}]"

    def _name(self, board: Board) -> str:
        return f"at->{self.lowering.names.fields[board.name]}"


# ------------------------------------------------------------------------------------------ one part


def value_of(board: Board, name: str, place: Spelt) -> Spelt:
    """What a part of a board holds."""
    if board.truth:
        return f"({name} >> {wrapped(place, ATOM)} & 1) != 0", COMPARE
    return f"board_value({name}, {board.many}, {board.low}, {place[0]})", ATOM


def put_in(board: Board, name: str, place: Spelt, row: str) -> str:
    """The statement that puts a value in its place: by its row, of a plain bool by itself."""
    if board.truth:
        return f"board_mark(&{name}, {row}, {place[0]});"
    return f"board_put({name}, {board.rows}, {row}, {place[0]});"


def row_of(board: Board, value: str, may_be_none: bool) -> str:
    """The row of a value that has one; it is written twice if it may be none."""
    if board.truth:
        return value
    row = value
    if board.low != 0:
        row = f"{f'({value})' if ' ' in value else value} {'-' if board.low > 0 else '+'} {abs(board.low)}"
    return f"{value} == NONE ? {board.many} : {row}" if may_be_none else row


def flat(digits: list[Spelt], sizes: tuple[int, ...]) -> Spelt:
    """The place of a part among all, from its places in each direction."""
    known, terms = 0, list[Spelt]()
    for i, digit in enumerate(digits):
        stride = math.prod(sizes[i + 1 :])
        if digit[0].isdecimal():
            known += int(digit[0]) * stride
        else:
            terms.append(digit if stride == 1 else (f"{wrapped(digit, PRODUCT)} * {stride}", PRODUCT))
    if known or not terms:
        terms.append((str(known), ATOM))
    return terms[0] if len(terms) == 1 else (" + ".join(wrapped(term, SUM) for term in terms), SUM)


def _mask_of(parts: list[Part]) -> int:
    """A bit for each part, from the first of them on; of places that are known from the board's first on."""
    first = min(part.place for part in parts) if any(rest is not None for rest in parts[0].rests) else 0
    return sum(1 << place for place in {part.place - first for part in parts})


def _hex(mask: int) -> str:
    return "1" if mask == 1 else f"{mask:#x}" if mask < 2**32 else f"UINT64_C({mask:#x})"
