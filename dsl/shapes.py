"""What a piece of IR means, as plain tuples: equal shapes mean the same, whatever the names inside.

Places in the file, citations and computed intervals are left out. A local is known by where it is bound; a name that
the spec declares is translated first (`Names`), so that two games compare under a renaming. The sides of `and`, `==`,
`+` and their like have no order, and `a > b` is `b < a`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.printer import gather as spell_gather
from aeronef.dsl.printer import goto as spell_goto
from aeronef.dsl.printer import spell as spell_plainly

Shape = Any  # nested tuples of words, numbers and bools
Names = dict[tuple[str, str], str]  # (sort, name here) to the name there
Env = Mapping[str, Shape]
EITHER_WAY = ("and", "or", "==", "!=", "+", "*")
TURNED = {">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Line:
    """A statement, or the head of one: what it means, how it reads, and the heads that it stands under."""

    shape: Shape
    text: str
    under: tuple[str, ...]
    span: Span


class Shapes:
    """Shapes of one game's IR, its names translated by `names` (which may grow)."""

    def __init__(self, names: Names | None = None) -> None:
        self.names: Names = {} if names is None else names

    def name(self, sort: str, name: str) -> str:
        return self.names.get((sort, name), name)

    def type_name(self, name: str) -> str:
        """Of an enumeration, numbers or cards; the words of an option go by its name."""
        return self.names.get(("type", name)) or self.name("option", name)

    def word(self, kind: t.Enum, word: str) -> Shape:
        return ("word", self.type_name(kind.name), self.name(f"word {self.type_name(kind.name)}", word))

    def type(self, kind: t.Type) -> Shape:
        match kind:
            case t.Int(low, high):
                return ("int", low, high)
            case t.Enum(name) | t.Card(name):
                return ("named", self.type_name(name))
            case t.Optional(of) | t.ListOf(of) | t.SetOf(of):
                return (type(kind).__name__, self.type(of))
            case t.ZoneOf(card):
                return ("zone", self.type(card), kind.owned)
            case t.Tray(dice):
                return ("tray", self.name("dice", dice))
            case t.Owned(card):
                return ("owned", self.type(card))
            case t.Bool() | t.Count() | t.Seat() | t.Nothing():
                return (type(kind).__name__,)
            case _:
                assert_never(kind)

    def value(self, value: int | bool | None, kind: t.Type) -> Shape:
        inner = t.strip(kind)
        if isinstance(inner, t.Enum) and value is not None:
            return self.word(inner, inner.values[value])
        return (type(value).__name__, value)

    # ------------------------------------------------------------------------------ expressions

    def of(self, node: Any, env: Env | None = None, depth: int = 0) -> Shape:
        """The shape of an expression, or None of none; `env` has that of its locals, `depth` counts what is bound."""
        env = env or {}
        match node:
            case None:
                return None
            case ir.Const(value, kind):
                return self.value(value, kind)
            case ir.Local(name):
                return env.get(name, ("local", name))
            case ir.Option(name):
                return ("option", self.name("option", name))
            case ir.Everything(of):
                return ("all", self.type_name(of))
            case ir.Labelled(of, label):
                return ("card", self.type_name(of), self.name(f"label {self.type_name(of)}", label))
            case ir.Read(name, index):
                return ("read", self.name("place", name), *(self.of(i, env, depth) for i in index))
            case ir.Attribute(of, name):
                return ("attribute", self.of(of, env, depth), self.attribute(of.type, name))
            case ir.Call(name, args):
                return ("call", self.name("define", name), *(self.of(a, env, depth) for a in args))
            case ir.Binary(op, left, right) if op in EITHER_WAY:
                sides = [self.of(side, env, depth) for side in _chain(op, node)]
                return (op, *sorted(sides, key=repr))
            case ir.Binary(op, left, right):
                one, other = self.of(left, env, depth), self.of(right, env, depth)
                return (TURNED[op], other, one) if op in TURNED else (op, one, other)
            case ir.Collection("set", items):
                return ("set", *sorted({self.of(i, env, depth) for i in items}, key=repr))
            case ir.Aggregate():
                node = readable(node)
                over, inner = self.gather(node.over, env, depth)
                return (node.kind, self.of(node.body, inner, depth + 1), over)
            case ir.Gather():
                return self.gather(node, env, depth)[0]
            case ir.Watched(_, watched):
                return self.of(watched, env, depth)
            case _:
                return self._plain(node, env, depth)

    def _plain(self, node: Any, env: Env, depth: int) -> Shape:
        """Of what has no names of its own: its kind and what is in it."""
        if isinstance(node, tuple):
            return tuple(self.of(item, env, depth) for item in node)
        if isinstance(node, t.Type):
            return self.type(node)
        if not dataclasses.is_dataclass(node):
            return (type(node).__name__, node)
        fields = [f.name for f in dataclasses.fields(node) if f.name not in ("type", "span")]
        return (type(node).__name__, *(self.of(getattr(node, name), env, depth) for name in fields))

    def attribute(self, kind: t.Type, name: str) -> str:
        card = kind.card if isinstance(kind, t.ZoneOf) else t.strip(kind)
        return self.name(f"attribute {self.type_name(str(card))}", name)

    def gather(self, over: ir.Gather, env: Env, depth: int) -> tuple[Shape, Env]:
        """A gather, and what its name means inside."""
        inner = {**env, over.name: ("bound", depth)}
        source, test, key = self.of(over.source, env, depth), over.test, over.key
        shape = ("gather", source, self.of(test, inner, depth + 1), self.of(key, inner, depth + 1), over.down)
        return shape, inner

    # ------------------------------------------------------------------------------ effects

    def lines(
        self, body: Iterable[ir.Stmt], env: Env, lets: Mapping[str, str], depth: int = 0, under: tuple[str, ...] = ()
    ) -> Iterator[Line]:
        """Every statement as a line of its own. `lets` translates what they name."""
        for node in body:
            level = len(under)
            match node:
                case ir.Let(name, value, span):
                    shape = ("let", level, lets.get(name, name), self.of(value, env, depth))
                    yield Line(shape, f"let {name} = {spell(value)}", under, span)
                    env = {**env, name: ("let", lets.get(name, name))}
                case ir.If(branches, other, span):
                    for i, (test, then) in enumerate(branches):
                        word = "elif" if i else "if"
                        head = f"{word} {spell(test)}:"
                        yield Line((word, level, self.of(test, env, depth)), head, under, test.span)
                        yield from self.lines(then, env, lets, depth, (*under, head))
                    if other:
                        yield Line(("else", level), "else:", under, span)
                        yield from self.lines(other, env, lets, depth, (*under, "else:"))
                case ir.For(over, inner, span):
                    shape, within = self.gather(over, env, depth)
                    head = f"for {spell_gather(readable(over))}:"
                    yield Line(("for", level, shape), head, under, span)
                    yield from self.lines(inner, within, lets, depth + 1, (*under, head))
                case ir.Assign(target, value, _, span):
                    shape = ("assign", level, self.of(target, env, depth), self.of(value, env, depth))
                    yield Line(shape, _assignment(target, value), under, span)
                case ir.Step(target, by, span):
                    shape = ("step", level, self.of(target, env, depth), self.of(by, env, depth))
                    yield Line(shape, f"{spell(target)} += {spell(by)}", under, span)
                case ir.Move(card, source, target, span):
                    what = spell(card) if card is not None else "all"
                    shape = ("move", level, *(self.of(part, env, depth) for part in (card, source, target)))
                    yield Line(shape, f"move {what} from {spell(source)} to {spell(target)}", under, span)
                case ir.Add(faces, target, span):
                    shape = ("add", level, self.of(faces, env, depth), self.of(target, env, depth))
                    yield Line(shape, f"add {spell(faces)} to {spell(target)}", under, span)
                case ir.Remove(shown, source, span):
                    what = spell(shown) if shown is not None else "all"
                    shape = ("remove", level, self.of(shown, env, depth), self.of(source, env, depth))
                    yield Line(shape, f"remove {what} from {spell(source)}", under, span)
                case ir.Mark():
                    pass
                case _:
                    assert_never(node)


def _assignment(target: ir.Read, value: ir.Expr) -> str:
    match value:
        case ir.Binary("+" | "-" as op, left, right) if spell(left) == spell(target):
            return f"{spell(target)} {op}= {spell(right)}"
        case _:
            return f"{spell(target)} := {spell(value)}"


def _chain(op: str, node: ir.Binary) -> Iterator[ir.Expr]:
    """The sides of a chain of one operator; comparisons have no chains."""
    for side in (node.left, node.right):
        if isinstance(side, ir.Binary) and side.op == op and op not in ("==", "!="):
            yield from _chain(op, side)
        else:
            yield side


# ------------------------------------------------------------------------------------------ how it reads


def readable(node: Any) -> Any:
    """The same, as a person writes it: `any(true for p in a where b)` is `any(b for p in a)`."""
    if isinstance(node, tuple):
        return tuple(readable(item) for item in node)
    if isinstance(node, Span) or not dataclasses.is_dataclass(node) or isinstance(node, type):
        return node
    if isinstance(node, ir.Aggregate) and node.kind == "any" and node.over.test is not None and is_true(node.body):
        node = dataclasses.replace(node, body=node.over.test, over=dataclasses.replace(node.over, test=None))
    changed = {f.name: readable(getattr(node, f.name)) for f in dataclasses.fields(node) if f.name != "type"}
    return dataclasses.replace(node, **changed)


def spell(node: ir.Expr) -> str:
    return spell_plainly(readable(node))


def spell_ways(then: ir.Goto) -> str:
    return spell_goto(readable(then))


def spell_those(node: ir.Expr) -> str:
    """Seats, as a phase names them: no brackets around `p in players where …`."""
    match node:
        case ir.Aggregate("list", ir.Local(name), over) if name == over.name:
            return spell_gather(readable(over))
        case ir.Collection(_, ()):
            return "nobody"
        case _:
            return spell(node)


def is_true(node: ir.Expr) -> bool:
    return isinstance(node, ir.Const) and node.value is True
