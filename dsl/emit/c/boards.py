"""Variables that are kept as boards, and what the rules ask of many of their parts at once.

A board has for each value (none last) a bit for each part, so that a test of many parts, as `all(cell[r][c] != none for
c in Column)`, is one mask. It pays for variables of few values and not too few parts, of which the rules ask that, and
whose values they hardly ever look at otherwise. IR only: how it is said in C is in `masks.py`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.expressions import places
from aeronef.dsl.evaluate import PATIENCE, Given, TooMuch, evaluate
from aeronef.dsl.printer import spell
from aeronef.dsl.walk import children, nodes

LEAST_PARTS, MOST_PARTS = 8, 64
MOST_ROWS = 4
LEAST_TOGETHER = 3  # parts in a test that has to be quicker than without
LEAST_ASKED = 8  # parts in all such tests, as often as these are made
MOST_ASKED = 512  # parts in one test
MOST_MASKS = 24  # in one test

Op = Literal["and", "or"]
Around = Mapping[str, Any]
Bounds = Callable[[t.Type], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Board:
    """Its values are `many` from `low` on, and, if `none`, none; a plain bool's only row is that of true. `sizes` is
    how many parts there are in each direction, `lows` what the first of them stands for."""

    name: str
    low: int
    many: int
    none: bool
    truth: bool
    sizes: tuple[int, ...]
    lows: tuple[int, ...]

    @property
    def rows(self) -> int:
        return 1 if self.truth else self.many + self.none

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(math.prod(self.sizes[i + 1 :]) for i in range(len(self.sizes)))

    def row(self, value: int | None) -> int | None:
        """The row of a value that it can have; None for another."""
        if value is None:
            return self.many if self.none else None
        return value - self.low if self.low <= value < self.low + self.many else None


@dataclass(frozen=True, slots=True)
class Part:
    """Whether a part of a board has a value, or (not `there`) has not. In each direction its place is an offset, from
    what is only known in play, if there is such (`rests`)."""

    board: Board
    rests: tuple[ir.Expr | None, ...]
    offsets: tuple[int, ...]
    value: ir.Expr
    there: bool

    @property
    def place(self) -> int:
        return sum(stride * offset for stride, offset in zip(self.board.strides, self.offsets, strict=True))

    @property
    def group(self) -> tuple[str, tuple[str, ...], str, bool]:
        """What is the same for parts that one mask can ask about."""
        rests = tuple(spell(rest) if rest is not None else "" for rest in self.rests)
        return self.board.name, rests, spell(self.value), self.there


@dataclass(frozen=True, slots=True)
class Joined:
    op: Op
    tests: tuple[Tree, ...]


Tree = Part | Joined | bool


def groups(parts: tuple[Tree, ...]) -> list[list[Part]]:
    """The parts among some tests, those together that one mask can ask about."""
    found: dict[object, list[Part]] = {}
    for part in parts:
        if isinstance(part, Part):
            found.setdefault(part.group, []).append(part)
    return list(found.values())


def negated(tree: Tree) -> Tree:
    match tree:
        case Part():
            return replace(tree, there=not tree.there)
        case Joined(op, tests):
            return Joined("or" if op == "and" else "and", tuple(map(negated, tests)))
        case _:
            return not tree


def joined(op: Op, tests: list[Tree]) -> Tree:
    """All, or one, of these tests; a constant where that is known."""
    flat: list[Tree] = []
    for test in tests:
        for one in test.tests if isinstance(test, Joined) and test.op == op else (test,):
            if one is (op == "or"):
                return one
            if not isinstance(one, bool):
                flat.append(one)
    return Joined(op, tuple(flat)) if len(flat) > 1 else flat[0] if flat else op == "and"


def parts_of(tree: Tree) -> Iterator[Part]:
    if isinstance(tree, Part):
        yield tree
    elif isinstance(tree, Joined):
        for test in tree.tests:
            yield from parts_of(test)


def masks(tree: Tree) -> int:
    """How many masks it takes to ask."""
    if isinstance(tree, Joined):
        return len(groups(tree.tests)) + sum(masks(test) for test in tree.tests if isinstance(test, Joined))
    return 1


def _many(source: ir.Expr) -> int:
    return max(t.most(source.type), 1)


class Unasked(Exception):
    """Something that is no test of parts of boards."""


class Boards:
    """`known` are the variables of a settled game that are kept as boards, by name."""

    def __init__(self, game: ir.Game, players: int, bounds: Bounds) -> None:
        self.game, self.players, self.bounds = game, players, bounds
        self.given = Given(game, players, {})
        self.left = 0  # how many parts may still be asked about
        self.known = {v.name: board for v in game.variables if (board := self._possible(v)) is not None}
        while self.known != (paying := self._paying()):  # without the one a test that asks of it is none of the other
            self.known = paying

    def _possible(self, variable: ir.Variable) -> Board | None:
        kind = t.strip(variable.type)
        if not variable.each or not isinstance(kind, t.Bool | t.Int | t.Enum | t.Seat):
            return None
        (low, high), none = self.bounds(kind), t.may_be_none(variable.type)
        ends = [self.bounds(key) for key in variable.each]
        sizes = tuple(last - first + 1 for first, last in ends)
        truth = isinstance(kind, t.Bool) and not none
        board = Board(variable.name, low, high - low + 1, none, truth, sizes, tuple(first for first, _ in ends))
        fits = LEAST_PARTS <= math.prod(sizes) <= MOST_PARTS and board.rows <= MOST_ROWS
        return board if fits else None

    # ------------------------------------------------------------------------------ which it pays for

    @property
    def _rules(self) -> tuple[Any, ...]:
        game = self.game
        seen = tuple(place.seen for place in places(game))
        return game.defines, game.phases, game.result, tuple(z.refill for z in game.zones), game.measures, seen

    def _paying(self) -> dict[str, Board]:
        """Of which variables the rules ask many parts at once, more often than they look what a part holds, for which
        several rows have to be looked at."""
        masked, read = Counter[str](), Counter[str]()

        def look(node: Any, times: int) -> None:
            match node:
                case ir.Action(params=params):
                    inside = times
                    for p in params:
                        look(p.source, inside)
                        inside *= _many(p.source) if p.kind == "one" and p.source is not None else 1
                        look(p.test, inside)
                    for child in children(replace(node, params=())):
                        look(child, times)
                case ir.Assign(target, value):
                    look((target.index, value), times)
                case ir.Aggregate() | ir.Binary() if parts := self._parts(node):
                    if len(parts) >= LEAST_TOGETHER:
                        masked.update({name: n * times for name, n in Counter(p.board.name for p in parts).items()})
                    for first, *_ in groups(tuple(parts)):
                        look((first.value, *(rest for rest in first.rests if rest is not None)), times)
                case ir.Aggregate(_, body, over) | ir.For(over, body):
                    look(over.source, times)
                    look((over.test, over.key, body), times * _many(over.source))
                case ir.Read(name) if name in self.known:
                    read[name] += times * self.known[name].rows
                    look(node.index, times)
                case _ if node is not None:
                    for child in children(node):
                        look(child, times)

        if self.known:
            look(self._rules, 1)
        return {name: board for name, board in self.known.items() if masked[name] >= max(LEAST_ASKED, read[name])}

    def _parts(self, node: ir.Expr) -> list[Part] | None:
        """What parts of boards are asked about, if that is all that is."""
        tree = self.test(node)
        return list(parts_of(tree)) if tree is not None else self.counted(node)

    # ------------------------------------------------------------------------------ what is asked

    def test(self, node: ir.Expr) -> Tree | None:
        """What a test asks of parts of boards; None where it asks of something else, or what is known, or too much."""
        if not self.known or not isinstance(node.type, t.Bool):
            return None
        self.left = MOST_ASKED
        try:
            tree = self._tree(node, {})
        except Unasked:
            return None
        return None if isinstance(tree, bool) or masks(tree) > MOST_MASKS else tree

    def counted(self, node: ir.Expr) -> list[Part] | None:
        """Of which parts of boards a number is how many are as they say; None where it is another."""
        if not self.known or not isinstance(node, ir.Aggregate):
            return None
        self.left = MOST_ASKED
        try:
            parts = self._counted(node, {})
        except Unasked:
            return None
        apart = {(part.group, part.place) for part in parts}
        return parts if 0 < len(apart) == len(parts) and len(groups(tuple(parts))) <= MOST_MASKS else None

    def _tree(self, node: ir.Expr, around: Around) -> Tree:
        """A test, with these values for what is around it. Raises Unasked."""
        match node:
            case ir.Binary("and" | "or" as op, left, right):
                first = self._tree(left, around)
                return first if first is (op == "or") else joined(op, [first, self._tree(right, around)])
            case ir.Unary("not", of):
                return negated(self._tree(of, around))
            case ir.Read(name, index, t.Bool()) if name in self.known:
                return self._part(name, index, ir.Const(True, node.type, node.span), True, around)
            case ir.Binary("==" | "!=" as op, left, right):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, ir.Read) and one.name in self.known:
                        return self._part(one.name, one.index, other, op == "==", around)
            case ir.Binary("in" | "not in" as op, ir.Read(name, index), ir.Collection(_, items)) if name in self.known:
                tree = joined("or", [self._part(name, index, item, True, around) for item in items])
                return tree if op == "in" else negated(tree)
            case ir.Aggregate("any" | "all" as kind, body, over):
                return joined("or" if kind == "any" else "and", list(self._each(kind, body, over, around)))
        value = self._value(node, around)
        if value is None:
            raise Unasked
        return bool(value)

    def _each(self, kind: Literal["any", "all"], body: ir.Expr, over: ir.Gather, around: Around) -> Iterator[Tree]:
        for inside in self._items(over, around):
            test: Tree = True if over.test is None else self._tree(over.test, inside)
            if test is False:
                yield kind == "all"
                continue
            of = self._tree(body, inside)
            yield joined("and", [test, of]) if kind == "any" else joined("or", [negated(test), of])

    def _counted(self, node: ir.Expr, around: Around) -> list[Part]:
        match node:
            case ir.Aggregate("count", _, over) if over.test is not None:
                tests = [self._tree(over.test, inside) for inside in self._items(over, around)]
                if any(test is True or isinstance(test, Joined) for test in tests):
                    raise Unasked
                return [test for test in tests if isinstance(test, Part)]
            case ir.Aggregate("sum", body, over) if over.test is None:
                return [part for inside in self._items(over, around) for part in self._counted(body, inside)]
        raise Unasked

    def _items(self, over: ir.Gather, around: Around) -> Iterator[dict[str, Any]]:
        """What is known inside, for each item of a collection that is known."""
        source = over.source
        if isinstance(source, ir.Everything):
            low, high = (0, self.players - 1) if source.of == "players" else self.bounds(over.item)
            items: Any = range(low, high + 1)
        else:
            items = self._value(source, around)
        if items is None:
            raise Unasked
        for item in items:
            self.left -= 1
            if self.left < 0:
                raise Unasked
            yield {**around, over.name: item}

    def _part(self, name: str, index: tuple[ir.Expr, ...], value: ir.Expr, there: bool, around: Around) -> Tree:
        """Whether a part has a value. Raises Unasked where it is not told by a row."""
        self.left -= 1
        board = self.known[name]
        if self._is_known(value, around):
            known = self._value(value, around)
            if board.row(known) is None:
                return not there
            value = ir.Const(known, value.type, value.span)
        elif self._names(value) & around.keys() or not self._in_rows(value.type, board):
            raise Unasked
        if board.truth:  # only of true there is a row
            if not isinstance(value, ir.Const):
                raise Unasked
            value, there = replace(value, value=True), there == bool(value.value)
        ends = [self._end(part, around) for part in index]
        offsets = tuple(offset - low for (_, offset), low in zip(ends, board.lows, strict=True))
        return Part(board, tuple(rest for rest, _ in ends), offsets, value, there)

    def _in_rows(self, kind: t.Type, board: Board) -> bool:
        """Whether every value of a type has a row."""
        if not isinstance(t.strip(kind), t.Bool | t.Int | t.Enum | t.Seat) or (t.may_be_none(kind) and not board.none):
            return False
        low, high = self.bounds(kind)
        return board.low <= low and high < board.low + board.many

    def _end(self, node: ir.Expr, around: Around) -> tuple[ir.Expr | None, int]:
        """An index as what is only known in play, and what is added to it."""
        if self._is_known(node, around):
            value = self._value(node, around)
            if value is None:
                raise Unasked
            return None, int(value)
        match node:
            case ir.Binary("+" | "-" as op, left, right) if self._is_known(right, around):
                rest, offset = self._end(left, around)
                more = int(self._value(right, around))
                return rest, offset + (more if op == "+" else -more)
            case ir.Binary("+", left, right) if self._is_known(left, around):
                rest, offset = self._end(right, around)
                return rest, offset + int(self._value(left, around))
        if self._names(node) & around.keys():
            raise Unasked
        return node, 0

    # ------------------------------------------------------------------------------ what is known

    @staticmethod
    def _names(node: ir.Expr) -> set[str]:
        return {n.name for n in nodes(node) if isinstance(n, ir.Local | ir.Gather)}

    def _is_known(self, node: ir.Expr, around: Around) -> bool:
        """Whether a value depends on nothing but what is around it."""
        inside = list(nodes(node))
        bound = {n.name for n in inside if isinstance(n, ir.Gather)}
        return not any(isinstance(n, ir.Read | ir.Call | ir.Watched | ir.Option) for n in inside) and all(
            n.name in around or n.name in bound for n in inside if isinstance(n, ir.Local)
        )

    def _value(self, node: ir.Expr, around: Around) -> Any:
        """The value of what is known; None of what is not, and of none."""
        if not self._is_known(node, around):
            return None
        self.given.patience = PATIENCE
        try:
            return evaluate(node, self.given, around)
        except (KeyError, TooMuch):  # of a name that something else inside has too
            return None
