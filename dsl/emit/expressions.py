"""Expressions of the IR in Python's spelling. A printer: what they mean was settled before."""

from __future__ import annotations

from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.names import KERNEL, MODULE, Names, local
from aeronef.dsl.walk import nodes

PRECEDENCE = {"or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "in": 4, "not in": 4, "+": 7, "-": 7,
              "*": 8, "//": 8, "%": 8}  # fmt: skip
TERNARY, NOT, COMPARE, UNARY, ATOM = 0, 3, 4, 9, 10


class Speller:
    """Knows how the names of one game are spelt in its module."""

    def __init__(self, game: ir.Game) -> None:
        self.game = game
        self.members = Names(KERNEL | MODULE)
        self.constants = Names(MODULE)
        for option in game.options:
            self.members.of(("option", option.name), option.name)
        for place in (*game.zones, *game.variables):
            self.members.of(("place", place.name), place.name)
        for define in game.defines:
            self.members.of(("define", define.name), define.name)
        for name, values in self.enums().items():
            for value in values:
                once = sum(value in others for others in self.enums().values()) == 1
                wish = value.upper() if once else f"{name}_{value}".upper()
                self.constants.of(("value", name, value), wish)
        attributes = [n for c in game.cards for n, _ in c.attributes]
        for card in game.cards:
            for name, _ in card.attributes:
                wish = f"{name}_of" if attributes.count(name) == 1 else f"{card.name}_{name}_of"
                self.constants.of(("attribute", card.name, name), wish.upper())

    def enums(self) -> dict[str, tuple[str, ...]]:
        """The spec's enumerations, and those of its options."""
        found = dict(self.game.enums)
        for option in self.game.options:
            if isinstance(option.type, t.Enum):
                found.setdefault(option.name, option.type.values)
        return found

    # ------------------------------------------------------------------------------ names

    def place(self, name: str) -> str:
        return self.members.of(("place", name), name)

    def define(self, name: str) -> str:
        return self.members.of(("define", name), name)

    def option(self, name: str) -> str:
        return self.members.of(("option", name), name)

    def value(self, enum: str, value: str) -> str:
        return self.constants.of(("value", enum, value), value.upper())

    def attribute(self, card: str, name: str) -> str:
        return self.constants.of(("attribute", card, name), f"{name}_of".upper())

    # ------------------------------------------------------------------------------ expressions

    def spell(self, node: ir.Expr, around: int = TERNARY) -> str:
        text, strength = self._spell(node)
        return f"({text})" if strength < around else text

    def _spell(self, node: ir.Expr) -> tuple[str, int]:
        match node:
            case ir.Const(value, kind):
                if isinstance(kind, t.Enum) and value is not None:
                    return self.value(kind.name, kind.values[value]), ATOM
                return str(value), UNARY if isinstance(value, int) and value < 0 else ATOM
            case ir.Local(name):
                return local(name), ATOM
            case ir.Option(name):
                return f"self.{self.option(name)}", ATOM
            case ir.Everything(of):
                return self._everything(of, node.type), ATOM
            case ir.Read():
                return self.read(node), ATOM
            case ir.Attribute(of, name):
                return f"{self.attribute(self.card(of.type), name)}[{self.spell(of)}]", ATOM
            case ir.Unary("not", of):
                return f"not {self.spell(of, NOT)}", NOT
            case ir.Unary(_, of):
                return f"-{self.spell(of, UNARY + 1)}", UNARY
            case ir.Binary():
                return self._binary(node)
            case ir.Choice(test, then, other):
                return f"{self.spell(then, 1)} if {self.spell(test, 1)} else {self.spell(other)}", TERNARY
            case ir.Call(name, args):
                return f"self.{self.define(name)}({', '.join(self.spell(a) for a in args)})", ATOM
            case ir.Builtin(name, args):
                return self._builtin(name, args)
            case ir.Collection(kind, items):
                inner = ", ".join(self.spell(i) for i in items)
                if kind == "list":
                    return f"[{inner}]", ATOM
                return (f"tuple(sorted({{{inner}}}))" if items else "()"), ATOM
            case ir.Aggregate():
                return self._aggregate(node), ATOM
            case _:
                assert_never(node)

    @staticmethod
    def card(kind: t.Type) -> str:
        if isinstance(kind, t.ZoneOf):
            return kind.card.name
        inner = t.strip(kind)
        assert isinstance(inner, t.Card)
        return inner.name

    def _everything(self, of: str, kind: t.Type) -> str:
        if of in ("players", "seats"):
            return f"self.{of}"
        inner = t.element(kind)
        if isinstance(inner, t.Int):
            return f"range({inner.low}, {inner.high + 1})"
        return f"range({t.most(kind)})"

    def read(self, node: ir.Read) -> str:
        each = next(p.each for p in (*self.game.zones, *self.game.variables) if p.name == node.name)
        text = f"self.{self.place(node.name)}"
        for index, kind in zip(node.index, each, strict=True):
            inside = self.spell(index)
            if isinstance(kind, t.Int) and kind.low:
                if isinstance(index, ir.Const):
                    inside = str(int(index.value or 0) - kind.low)
                else:
                    inside = f"{self.spell(index, 7)} {'-' if kind.low > 0 else '+'} {abs(kind.low)}"
            text += f"[{inside}]"
        return text

    def _binary(self, node: ir.Binary) -> tuple[str, int]:
        op, left, right = node.op, node.left, node.right
        if op == "otherwise":
            return f"otherwise({self.spell(left)}, {self.spell(right)})", ATOM
        own = PRECEDENCE[op]
        if op in ("==", "!=") and isinstance(right, ir.Const) and right.value is None:
            return f"{self.spell(left, own + 1)} {'is' if op == '==' else 'is not'} None", own
        if op in ("in", "not in") and isinstance(right.type, t.ZoneOf) and right.type.slot:
            return f"{self.spell(left, own + 1)} {'==' if op == 'in' else '!='} {self.spell(right, own + 1)}", own
        if op in ("and", "or"):  # mixed `and` and `or` always in parentheses
            parts = [self._side(op, left), self._side(op, right, right=True)]
            return f" {op} ".join(parts), own
        return f"{self.spell(left, own + (own == COMPARE))} {op} {self.spell(right, own + 1)}", own

    def _side(self, op: str, node: ir.Expr, right: bool = False) -> str:
        own = PRECEDENCE[op]
        if isinstance(node, ir.Binary) and node.op in ("and", "or"):
            return self.spell(node, own + right if node.op == op else ATOM)
        return self.spell(node, own)

    def _builtin(self, name: str, args: tuple[ir.Expr, ...]) -> tuple[str, int]:
        of = [self.spell(a) for a in args]
        match name:
            case "size":
                kind = args[0].type
                if isinstance(kind, t.ZoneOf) and kind.slot:
                    return f"len(held({of[0]}))", ATOM
                return f"len({of[0]})", ATOM
            case "odd" | "even":
                return f"{self.spell(args[0], 8)} % 2 == {int(name == 'odd')}", COMPARE
            case "clamp":
                return f"min(max({of[0]}, {of[1]}), {of[2]})", ATOM
            case "abs" | "min" | "max":
                return f"{name}({', '.join(of)})", ATOM
            case "range":
                high = args[1]
                if isinstance(high, ir.Const):
                    return f"range({of[0]}, {int(high.value or 0) + 1})", ATOM
                return f"range({of[0]}, {self.spell(high, 7)} + 1)", ATOM
            case _:
                return f"self.{name}({', '.join(of)})", ATOM

    # ------------------------------------------------------------------------------ gathers

    def items(self, node: ir.Expr) -> str:
        """A collection as something to go through."""
        text = self.spell(node)
        return f"held({text})" if isinstance(node.type, t.ZoneOf) and node.type.slot else text

    def source(self, over: ir.Gather) -> tuple[str, ir.Expr | None]:
        """What a comprehension goes through, and the test that is left for it."""
        if over.key is None:
            return self.items(over.source), over.test
        name = local(over.name)
        inner = self.items(over.source)
        if over.test is not None:
            inner = f"[{name} for {name} in {inner} if {self.spell(over.test, 1)}]"
        down = ", reverse=True" if over.down else ""
        return f"sorted({inner}, key=lambda {name}: {self.spell(over.key)}{down})", None

    def _aggregate(self, node: ir.Aggregate) -> str:
        over, body = node.over, node.body
        name = local(over.name)
        source, test = self.source(over)
        itself = isinstance(body, ir.Local) and body.name == over.name
        condition = f" if {self.spell(test, 1)}" if test is not None else ""
        comprehension = f"{self.spell(body)} for {name} in {source}{condition}"
        match node.kind:
            case "count":
                return f"len([{name} for {name} in {source}{condition}])" if test is not None else f"len({source})"
            case "any" if isinstance(body, ir.Const) and test is not None:
                return f"any({self.spell(test)} for {name} in {source})"
            case "any" | "all" | "sum":
                return f"{node.kind}({comprehension})"
            case "min" | "max":
                if isinstance(node.type, t.Optional):
                    return f"{node.kind}(({comprehension}), default=None)"
                return f"{node.kind}({comprehension})"
            case "list":
                if itself and test is None:
                    return source if source.startswith("sorted(") else f"list({source})"
                return f"[{comprehension}]"
            case "set":
                return f"tuple(sorted({{{comprehension}}}))"

    def uses(self, node: object, name: str) -> bool:
        return any(isinstance(n, ir.Local) and n.name == name for n in nodes(node))
