"""Expressions of the IR in Python's spelling. A printer: what they mean was settled before."""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.folds import along
from aeronef.dsl.emit.names import INSIDE, MEMBERS, MODULE, Locals, Names
from aeronef.dsl.emit.short import Short
from aeronef.dsl.emit.unroll import Known
from aeronef.dsl.emit.writer import tuple_of
from aeronef.dsl.plan.ends import Ends
from aeronef.dsl.printer import spell as spell_words
from aeronef.dsl.walk import nodes
from aeronef.dsl.ways import BACK, END

PRECEDENCE = {"or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "in": 4, "not in": 4,
              "+": 7, "-": 7, "*": 8, "//": 8, "%": 8}  # fmt: skip
TERNARY, OR, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, ATOM = 0, 1, 2, 3, 4, 7, 8, 9, 10
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}

FEW = 6

Spelt = tuple[str, int]  # the text, and how strongly it holds together


class Speller:
    """Knows how the names of one game are spelt in its module, and spells expressions with them."""

    def __init__(self, game: ir.Game) -> None:
        self.game = game
        self.known = Known(game)
        self.ends = Ends(game)
        self.each = {place.name: place.each for place in places(game)}
        self.keys = {table.name: table.each for table in game.tables}
        self.attributes = {(card.name, name): kind for card in game.cards for name, kind in card.attributes}
        self.members = Names(MEMBERS | {f"invariant_{i}" for i in range(len(game.invariants))})
        self.constants = Names(MODULE)
        self.partial = partial_types(game)
        held = {place.name for place in places(game)}
        for name in (*(o.name for o in game.options), *(o.name for o in game.overlays)):
            self.members.of(("option", name), f"option_{name}" if name in held else name)
        for place in places(game):
            self.members.of(("place", place.name), place.name)
        for define in game.defines:
            self.members.of(("define", define.name), define.name)
        self.fixed = {d.name: d for d in game.defines if not d.params and constant(d.body)}
        for name in self.partial:
            self.members.of(("every", name), f"every_{capitals(name).lower()}")
            self.members.of(("place in", name), f"{capitals(name).lower()}_place")
        self._name_constants()
        self.local = Locals(MODULE | INSIDE | set(self.constants.given.values()))
        self.apart: dict[tuple[str, tuple[int, ...]], str] = {}  # parts of places that have a name just now
        self.short = Short(game, self._without_loops)

    def _name_constants(self) -> None:
        game, constants = self.game, self.constants
        words = {word for values in self.enums().values() for word in values}
        for name, values in self.enums().items():
            for value in values:
                once = sum(value in others for others in self.enums().values()) == 1
                constants.of(("value", name, value), capitals(value if once else f"{name}_{value}"))
        for name in (*self.enums(), *(c.name for c in game.cards)):
            constants.of(("type", name), name[:1].upper() + name[1:])
        attributes = [n for c in game.cards for n, _ in c.attributes]
        for card in game.cards:
            constants.of(("table", card.name), f"{capitals(card.name)}_TABLE")
            for name, _ in card.attributes:
                wish = name if attributes.count(name) == 1 else f"{card.name}_{name}"
                constants.of(("attribute", card.name, name), f"{capitals(wish)}_OF")
        for facts in game.tables:
            constants.of(("facts", facts.name), capitals(facts.name))
        for dice in game.dice:
            constants.of(("dice", dice.name), capitals(dice.name))
        everything = {n.of for n in nodes((game.defines, game.phases, *parts(game))) if isinstance(n, ir.Everything)}
        for name in sorted(everything - {"players", "seats"} - self.partial.keys()):
            constants.of(("every", name), f"EVERY_{capitals(name)}")
        for of, label in self.named_cards():
            wish = label
            if label in words or sum(label in (kind.label for kind in card.kinds) for card in game.cards) > 1:
                wish = f"{of}_{label}"
            constants.of(("card", of, label), capitals(wish))
        for phase in (*(p.name for p in game.phases), END, BACK):
            constants.of(("phase", phase), f"PHASE_{capitals(phase)}")

    def named_cards(self) -> list[tuple[str, str]]:
        """The cards that the rules name by their labels, with their types, in deck order."""
        rules = (self.game.zones, self.game.defines, self.game.phases, *parts(self.game))
        found = {(n.of, n.label) for n in nodes(rules) if isinstance(n, ir.Labelled)}
        return [(card.name, kind.label) for card in self.game.cards for kind in card.kinds
                if (card.name, kind.label) in found]  # fmt: skip

    def enums(self) -> dict[str, tuple[str, ...]]:
        """The spec's enumerations, and those of its options."""
        found = dict(self.game.enums)
        for option in self.game.options:
            if isinstance(option.type, t.Enum):
                found.setdefault(option.name, option.type.values)
        return found

    def _without_loops(self, node: ir.Expr) -> str:
        """How an expression is written that needs no loop; else nothing."""
        folds = [inner for inner in nodes(node) if isinstance(inner, ir.Aggregate)]
        return self.spell(node) if all(along(fold, self) is not None for fold in folds) else ""

    # ------------------------------------------------------------------------------ names

    def place(self, name: str) -> str:
        return self.members["place", name]

    def switches(self, option: ir.Option) -> bool:
        """Whether this is an optional rule that is on or off."""
        return any(overlay.name == option.name for overlay in self.game.overlays)

    def called(self, name: str) -> str:
        """A place's name in states and views."""
        return next((v.called for v in self.game.variables if v.name == name and v.called), name)

    def option(self, name: str) -> str:
        return f"self.{self.members['option', name]}"

    def every(self, of: str) -> str:
        """All values of something finite, ascending."""
        if of in ("players", "seats"):
            return f"self.{of}"
        return f"self.{self.members['every', of]}" if of in self.partial else self.constants["every", of]

    def attribute(self, of: ir.Expr, name: str) -> str:
        kind = of.type.card if isinstance(of.type, t.ZoneOf) else t.strip(of.type)
        assert isinstance(kind, t.Card)
        return self.constants["attribute", kind.name, name]

    def constant(self, value: int | bool | None, kind: t.Type) -> str:
        inner = t.strip(kind)
        if isinstance(inner, t.Enum) and value is not None:
            return self.constants["value", inner.name, inner.values[int(value)]]
        return str(value)

    # ------------------------------------------------------------------------------ expressions

    def spell(self, node: ir.Expr, around: int = TERNARY) -> str:
        """The expression, in brackets if it holds together less strongly than what is around it needs."""
        return wrapped(self.spelt(node), around)

    def spelt(self, node: ir.Expr) -> Spelt:
        match node:
            case ir.Const(value, kind):
                negative = isinstance(value, int) and value < 0
                return self.constant(value, kind), UNARY if negative else ATOM
            case ir.Local(name):
                return self.local(name), ATOM
            case ir.Option(name):
                return self.option(name), ATOM
            case ir.Everything(of):
                return self.every(of), ATOM
            case ir.Labelled(of, label):
                return self.constants["card", of, label], ATOM
            case ir.Read():
                return self.read(node), ATOM
            case ir.Attribute(of, name) if isinstance(t.strip(of.type), t.Owned):
                if t.may_be_none(of.type):
                    return f"{name}_of({self.spell(of)})", ATOM
                return f"{self.spell(of, ATOM)}.{name}", ATOM
            case ir.Lookup(name, keys):
                digits = [self._index(key, kind)[0] for key, kind in zip(keys, self.keys[name], strict=True)]
                return self.constants["facts", name] + "".join(f"[{digit}]" for digit in digits), ATOM
            case ir.Attribute(of, name):
                return f"{self.attribute(of, name)}[{self.spell(of)}]", ATOM
            case ir.Unary("not", of):
                return self._negated(of)
            case ir.Unary(_, ir.Unary("-", of)):
                return self.spelt(of)
            case ir.Unary(_, of):
                return f"-{self.spell(of, ATOM)}", UNARY
            case ir.Binary():
                return self._binary(node)
            case ir.Choice(test, then, other):
                return f"{self.spell(then, OR)} if {self.spell(test, OR)} else {self.spell(other)}", TERNARY
            case ir.Call(name, ()) if name in self.fixed:
                return f"self.{self.members['define', name]}", ATOM
            case ir.Call(name, args) if (body := self.short.of(node)) is not None:
                return self.spelt(body)
            case ir.Call(name, args):
                return f"self.{self.members['define', name]}({', '.join(self.spell(a) for a in args)})", ATOM
            case ir.Builtin(name, args):
                return self._at_end(node) or self._builtin(name, args)
            case ir.Collection(kind, items):
                return self._collection(kind, items)
            case ir.Aggregate():
                return along(node, self) or self._at_end(node) or (self._aggregate(node), ATOM)
            case ir.Watched(point, of, unlike=before) if before is not None:
                return f"self.altering({point}, {self.spell(before)}, {self.spell(of)})", ATOM
            case ir.Watched(point, of, True) if self.game.points[point].kind == "shown":
                return f"self.witness({point}, {self.spell(of)})", ATOM
            case ir.Watched(point, of, sides):
                return f"self.{'watch' if sides else 'reach'}({point}, {self.spell(of)})", ATOM
            case _:
                assert_never(node)

    def read(self, node: ir.Read, index: list[Spelt] | None = None) -> str:
        """A variable or zone, or the part or row of it at `index` (spelt already; else the node's own)."""
        if self.apart and index is None and (name := self.apart.get((node.name, fixed(node) or ()))):
            return name
        text = f"self.{self.place(node.name)}"
        for i, kind in enumerate(self.each[node.name] if index is None else self.each[node.name][: len(index)]):
            digit = self._index(node.index[i], kind) if index is None else self.digit(index[i], kind)
            text += f"[{digit[0]}]"
        return text

    def _index(self, node: ir.Expr, kind: t.Type) -> Spelt:
        """An index counted from 0: of `4 - i` among 1..3, `3 - i`."""
        if isinstance(kind, t.Int) and kind.low and isinstance(node, ir.Binary) and node.op in ("+", "-"):
            left, right = node.left, node.right
            if isinstance(left, ir.Const):
                start = int(left.value or 0) - kind.low
                return self.spelt(
                    ir.Binary(node.op, ir.Const(start, left.type, left.span), right, node.type, node.span)
                )
            if isinstance(right, ir.Const):
                step = int(right.value or 0) * (1 if node.op == "+" else -1) - kind.low
                return self.digit(self.spelt(left), t.Int(-step, 0))
        return self.digit(self.spelt(node), kind)

    def digit(self, value: Spelt, kind: t.Type) -> Spelt:
        """The place of a value among all of its type, counted from 0."""
        if not isinstance(kind, t.Int) or kind.low == 0:
            return value
        text, _ = value
        if text.lstrip("-").isdecimal():
            return str(int(text) - kind.low), ATOM
        return f"{wrapped(value, SUM)} {'-' if kind.low > 0 else '+'} {abs(kind.low)}", SUM

    def _binary(self, node: ir.Binary) -> Spelt:
        op, left, right = node.op, node.left, node.right
        if op == "otherwise":
            return self._otherwise(node, left, right)
        if found := self._slot_size(op, left, right):
            return found
        if op in ("==", "!="):
            return self._equal(op, left, right)
        if op in ("in", "not in"):
            return self._member(op, left, right)
        own = PRECEDENCE[op]
        if op in ("and", "or"):
            return f"{self._side(op, left)} {op} {self._side(op, right, right=True)}", own
        # Whole numbers: a + (b + c) needs no brackets.
        tight = own + (op != "+" or not (isinstance(right, ir.Binary) and right.op in ("+", "-")))
        return f"{self.spell(left, own + (own == COMPARE))} {op} {self.spell(right, tight)}", own

    def _otherwise(self, node: ir.Binary, left: ir.Expr, right: ir.Expr) -> Spelt:
        if found := self._at_end(left, right):
            return found
        if isinstance(left, ir.Aggregate) and left.kind in ("min", "max") and self.ends.most(left) is None:
            return self._best(left, right), ATOM
        if isinstance(left, ir.Binary) and left.op == "otherwise" and not self.game.points:  # the first that there is
            rest = ir.Binary("otherwise", left.right, right, node.type, node.span)
            return self._otherwise(node, left.left, rest)
        if isinstance(right, ir.Const) and right.value == 0 and isinstance(t.strip(left.type), t.Int):
            return f"{self.spell(left, OR)} or 0", OR
        if not self.game.points and (there := self._there(left)) is not None:
            return f"{self.spell(left, OR)} if {there} is not None else {self.spell(right)}", TERNARY
        return f"otherwise({self.spell(left)}, {self.spell(right)})", ATOM

    def _there(self, node: ir.Expr) -> str | None:
        """What is not None where a value is there: a look at the state that costs little; None where it is more."""
        match node:
            case ir.Local():
                return self.spell(node)
            case ir.Read(_, index) if all(isinstance(i, ir.Local | ir.Const) for i in index):
                return self.spell(node)
            case ir.Attribute(of, name) if isinstance(kind := t.strip(of.type), t.Card) or (
                isinstance(kind := of.type, t.ZoneOf) and kind.slot and not kind.owned
            ):
                card = kind if isinstance(kind, t.Card) else kind.card
                always = not t.may_be_none(self.attributes[card.name, name])
                return self._there(of) if always else None
            case _:
                return None

    def _slot_size(self, op: str, left: ir.Expr, right: ir.Expr) -> Spelt | None:
        """Whether a place for one card is taken, as a comparison of its size."""
        sized = isinstance(left, ir.Builtin) and left.name == "size"
        if not (sized and isinstance(right, ir.Const) and isinstance(left, ir.Builtin)):
            return None
        kind = left.args[0].type
        if not (isinstance(kind, t.ZoneOf) and kind.slot):
            return None
        if (op, right.value) in ((">", 0), (">=", 1), ("==", 1), ("!=", 0)):
            return f"{self.spell(left.args[0], COMPARE + 1)} is not None", COMPARE
        if (op, right.value) in (("==", 0), ("<", 1), ("<=", 0), ("!=", 1)):
            return f"{self.spell(left.args[0], COMPARE + 1)} is None", COMPARE
        return None

    def _equal(self, op: str, left: ir.Expr, right: ir.Expr) -> Spelt:
        if isinstance(left, ir.Const) and not isinstance(right, ir.Const):
            left, right = right, left
        if isinstance(right, ir.Const) and (right.value is None or isinstance(right.value, bool)):
            if right.value is not None and isinstance(left.type, t.Bool):  # x == true
                return self.spelt(left) if right.value == (op == "==") else self._negated(left)
            word = "is" if op == "==" else "is not"
            return f"{self.spell(left, COMPARE + 1)} {word} {right.value}", COMPARE
        return f"{self.spell(left, COMPARE + 1)} {op} {self.spell(right, COMPARE + 1)}", COMPARE

    def _member(self, op: str, left: ir.Expr, right: ir.Expr) -> Spelt:
        if isinstance(right.type, t.ZoneOf) and right.type.slot:
            word = "==" if op == "in" else "!="
            return f"{self.spell(left, COMPARE + 1)} {word} {self.spell(right, COMPARE + 1)}", COMPARE
        if isinstance(right, ir.Builtin) and right.name == "range" and op == "in":
            low, high = (self.spell(end, COMPARE + 1) for end in right.args)
            return f"{low} <= {self.spell(left, COMPARE + 1)} <= {high}", COMPARE
        if isinstance(right, ir.Collection) and 1 < len(right.items) <= FEW:  # quicker than making a set of them
            return f"{self.spell(left, COMPARE + 1)} {op} {tuple_of([self.spell(i) for i in right.items])}", COMPARE
        return f"{self.spell(left, COMPARE + 1)} {op} {self.unordered(right, COMPARE + 1)}", COMPARE

    def _negated(self, of: ir.Expr) -> Spelt:
        match of:
            case ir.Binary(op, left, right, kind, span) if op in OPPOSITE:
                opposite = ir.Binary(OPPOSITE[op], left, right, kind, span)  # type: ignore[arg-type]
                text, strength = self._binary(opposite)
                return text, strength
            case ir.Unary("not", inner):
                return self.spelt(inner)
            case ir.Call() if (body := self.short.of(of)) is not None:
                return self._negated(body)
            case ir.Builtin("odd" | "even" as name, args, kind, span):
                return self._builtin("even" if name == "odd" else "odd", args)
            case _:
                return f"not {self.spell(of, NOT)}", NOT

    def _side(self, op: str, node: ir.Expr, right: bool = False) -> str:
        """A side of `and` or `or`; the two are never mixed without brackets."""
        if isinstance(node, ir.Binary) and node.op in ("and", "or"):
            return self.spell(node, PRECEDENCE[op] + right if node.op == op else ATOM)
        return self.spell(node, PRECEDENCE[op])

    def _builtin(self, name: str, args: tuple[ir.Expr, ...]) -> Spelt:
        of = [self.spell(a) for a in args]
        match name:
            case "size":
                return f"len({self.unordered(args[0])})", ATOM
            case "odd" | "even":
                return f"{self.spell(args[0], PRODUCT)} % 2 == {int(name == 'odd')}", COMPARE
            case "clamp":
                return f"min(max({of[0]}, {of[1]}), {of[2]})", ATOM
            case "first" if best := self._foremost(args[0]):
                return best
            case "first" | "last":
                return f"{name}_of({of[0]})", ATOM
            case "abs" | "min" | "max":
                return f"{name}({', '.join(of)})", ATOM
            case "range":
                high = args[1]
                end = str(int(high.value or 0) + 1) if isinstance(high, ir.Const) else f"{self.spell(high, SUM)} + 1"
                return f"range({of[0]}, {end})", ATOM
            case _:
                return f"self.{name}({', '.join(of)})", ATOM

    def _at_end(self, node: ir.Expr, otherwise: ir.Expr | None = None) -> Spelt | None:
        """What lies at an end of a zone, which is kept in deck order (if it is empty: `otherwise`, or None)."""
        end, table = self.ends.card(node), ""
        if found := self.ends.most(node):
            end, name = found
            table = self.attribute(end.zone, name)
        if end is None:
            return None
        zone = self.spell(end.zone)
        if not all(isinstance(i, ir.Local | ir.Const) for i in end.zone.index):
            card = f"{'last' if end.last else 'first'}_of({zone})"
            return (f"{table}[{card}]" if table else card, ATOM) if otherwise is None else None
        card = f"{zone}[{-1 if end.last else 0}]"
        value = f"{table}[{card}]" if table else card
        return f"{value} if {zone} else {self.spell(otherwise) if otherwise is not None else None}", TERNARY

    def _foremost(self, node: ir.Expr) -> Spelt | None:
        """The first by a key, without sorting; None of anything else."""
        if not (isinstance(node, ir.Aggregate) and node.kind == "list" and itself(node)) or self.game.points:
            return None
        over, name = node.over, self.local(node.over.name)
        key, down = over.key, over.down
        if isinstance(key, ir.Choice) and not self.uses(key.test, over.name):  # the same for all: decided once
            ways = [dataclasses.replace(node, over=dataclasses.replace(over, key=k)) for k in (key.then, key.other)]
            then, other = (ir.Builtin("first", (way,), node.type, node.span) for way in ways)
            return self.spelt(ir.Choice(key.test, then, other, node.type, node.span))
        while isinstance(key, ir.Unary) and key.op == "-":  # of the least -n the greatest n
            key, down = key.of, not down
        if key is None:
            return None
        source = self.items(over.source)
        if over.test is not None:
            source = f"[{name} for {name} in {self.items(over.source, OR)} if {self.spell(over.test, OR)}]"
        return f"{'max' if down else 'min'}({source}, key={self.key(name, key)}, default=None)", ATOM

    def key(self, name: str, key: ir.Expr) -> str:
        """What gives the key of a value that is gone through."""
        match key:
            case ir.Attribute(ir.Local(local), attribute) if (
                self.local(local) == name and isinstance(t.strip(key.of.type), t.Card) and not self.game.points
            ):
                return f"{self.attribute(key.of, attribute)}.__getitem__"
            case _:
                return f"lambda {name}: {self.spell(key)}"

    def _collection(self, kind: str, items: tuple[ir.Expr, ...]) -> Spelt:
        if kind == "set" and all(isinstance(i, ir.Const) for i in items):
            known = {i.value: i for i in items if isinstance(i, ir.Const) and i.value is not None}
            items = tuple(known[value] for value in sorted(known))
            return tuple_of([self.spell(i) for i in items]) if items else "()", ATOM
        inner = ", ".join(self.spell(i) for i in items)
        if kind == "list":
            return f"[{inner}]", ATOM
        if len(items) < 2:
            return (f"({inner},)" if items else "()"), ATOM
        return f"tuple(sorted({{{inner}}}))", ATOM

    # ------------------------------------------------------------------------------ gathers

    def items(self, node: ir.Expr, around: int = TERNARY) -> str:
        """A collection as something to go through; `around` is OR behind the `in` of a comprehension."""
        if isinstance(node.type, t.ZoneOf) and node.type.slot:
            return f"held({self.spell(node)})"
        return self.spell(node, around)

    def unordered(self, node: ir.Expr, around: int = TERNARY) -> str:
        """A collection as something whose order does not show."""
        if isinstance(node, ir.Aggregate) and node.kind == "set":
            return self._unsorted(node)
        if isinstance(node, ir.Collection) and node.kind == "set" and len(node.items) > 1:
            return f"{{{', '.join(self.spell(i) for i in node.items)}}}"
        return self.items(node, around)

    def source(self, over: ir.Gather, around: int = TERNARY) -> tuple[str, ir.Expr | None]:
        """What is gone through, in its order, and the test that is left for it."""
        if over.key is None:
            return self.items(over.source, around), over.test
        name = self.local(over.name)
        inner = self.items(over.source)
        if over.test is not None:
            inner = f"[{name} for {name} in {self.items(over.source, OR)} if {self.spell(over.test, OR)}]"
        down = ", reverse=True" if over.down else ""
        return f"sorted({inner}, key={self.key(name, over.key)}{down})", None

    def comprehension(self, body: str, over: ir.Gather, ordered: bool) -> str:
        """`body for … in … if …`; a key is left out where the order does not show."""
        source, test = self.source(over, OR) if ordered else (self.unordered(over.source, OR), over.test)
        condition = f" if {self.spell(test, OR)}" if test is not None else ""
        return f"{body} for {self.local(over.name)} in {source}{condition}"

    def _aggregate(self, node: ir.Aggregate) -> str:
        over, body, kind = node.over, node.body, node.kind
        name = self.local(over.name)
        match kind:
            case "count":
                if over.test is None:
                    return f"len({self.unordered(over.source)})"
                return f"len([{self.comprehension(name, over, ordered=False)}])"
            case "any" if isinstance(body, ir.Const) and over.test is not None:
                return f"any({self.spell(over.test)} for {name} in {self.unordered(over.source, OR)})"
            case "any" | "all" | "sum":
                if itself(node) and over.test is None:
                    return f"{kind}({self.unordered(over.source)})"
                inner = self.comprehension(self.spell(body), over, ordered=False)
                return f"sum([{inner}])" if kind == "sum" else f"{kind}({inner})"
            case "min" | "max":
                return self._best(node, None)
            case "list":
                if itself(node) and (over.test is None or over.key is not None):
                    source, _ = self.source(over)
                    return source if over.key is not None else f"list({source})"
                return f"[{self.comprehension(self.spell(body), over, ordered=True)}]"
            case "set":
                return self._set(node)

    def _best(self, node: ir.Aggregate, otherwise: ir.Expr | None) -> str:
        """The least or the greatest; of none: `otherwise`, or None."""
        over, body = node.over, node.body
        default = ""
        if isinstance(node.type, t.Optional):
            default = f", default={self.spell(otherwise) if otherwise is not None else None}"
        if itself(node) and over.test is None:
            return f"{node.kind}({self.unordered(over.source)}{default})"
        inner = self.comprehension(self.spell(body), over, ordered=False)
        return f"{node.kind}([{inner}]{default})"

    def _set(self, node: ir.Aggregate) -> str:
        over = node.over
        if itself(node) and self.ascends(over.source):
            if over.test is None:
                return f"tuple({self.items(over.source)})"
            return f"tuple([{self.comprehension(self.local(over.name), over, ordered=False)}])"
        return f"tuple(sorted({self._unsorted(node)}))"

    def _unsorted(self, node: ir.Aggregate) -> str:
        over = node.over
        if itself(node) and over.test is None:
            return f"set({self.unordered(over.source)})"
        return f"{{{self.comprehension(self.spell(node.body), over, ordered=False)}}}"

    def ascends(self, node: ir.Expr) -> bool:
        """Whether a collection is ascending without repeats, as far as its shape tells."""
        match node:
            case ir.Everything() | ir.Builtin("range"):
                return True
            case ir.Collection("list", items):
                values = [i.value for i in items if isinstance(i, ir.Const) and i.value is not None]
                return len(values) == len(items) and all(a < b for a, b in itertools.pairwise(values))
            case ir.Aggregate("list", ir.Local(name), over):
                return name == over.name and over.key is None and self.ascends(over.source)
            case ir.Choice(_, then, other):
                return self.ascends(then) and self.ascends(other)
            case _:
                return isinstance(node.type, t.SetOf)

    def uses(self, node: object, name: str) -> bool:
        return any(isinstance(n, ir.Local) and n.name == name for n in nodes(node))


class BeforeSpeller(Speller):
    """Spells what is known before a game starts, for functions of `players` and `options`: there is no position yet."""

    def __init__(self, game: ir.Game, speller: Speller, seats: str) -> None:
        self.game, self.known, self.each, self.keys = game, speller.known, speller.each, speller.keys
        self.ends = speller.ends
        self.members, self.constants, self.local = speller.members, speller.constants, speller.local
        self.attributes = speller.attributes
        self.partial, self.fixed, self.apart, self.short = speller.partial, speller.fixed, {}, speller.short
        self.seats = seats

    def option(self, name: str) -> str:
        return f'options["{name}"]'

    def verdict(self, test: ir.Expr) -> str:
        """A test for a function of bool: an option by itself is of the type that all options have together."""
        text = self.spell(test)
        return f"bool({text})" if _may_be_option(test) else text

    def every(self, of: str) -> str:
        if of in ("players", "seats"):
            return "players" if of == "players" else f"range({self.seats})"
        return super().every(of)

    def _builtin(self, name: str, args: tuple[ir.Expr, ...]) -> Spelt:
        seat = self.spelt(args[0])
        match name:
            case "size" if isinstance(args[0], ir.Everything) and args[0].of == "seats":
                return self.seats, ATOM
            case "left" | "right":
                steps = self.spell(args[1], PRODUCT) if len(args) > 1 else "1"
                return f"({wrapped(seat, SUM)} {'+' if name == 'left' else '-'} {steps}) % {self.seats}", PRODUCT
            case "automaton":
                return f"{wrapped(seat, COMPARE + 1)} >= len(players)", COMPARE
            case "clockwise":
                return f"[*range({seat[0]}, len(players)), *range(min({seat[0]}, len(players)))]", ATOM
            case _:
                return super()._builtin(name, args)


def places(game: ir.Game) -> tuple[ir.Zone | ir.Variable, ...]:
    return (*game.zones, *game.variables)


def parts(game: ir.Game) -> tuple[object, ...]:
    """What a game says outside definitions and phases."""
    return (
        game.automata, game.longest, tuple(o.requires for o in game.options), tuple(v.starts for v in game.variables),
        tuple(p.seen for p in places(game)), game.result, game.invariants, game.measures,
        tuple(a.when for a in game.accepts), *(_not_whole(z) for z in game.zones),
    )  # fmt: skip


def _may_be_option(test: ir.Expr) -> bool:
    match test:
        case ir.Option():
            return True
        case ir.Binary("and" | "or", left, right) | ir.Choice(_, left, right):
            return _may_be_option(left) or _may_be_option(right)
    return False


def partial_types(game: ir.Game) -> dict[str, bool]:
    """The enumerations and card types of which not every game has all values, and whether what is missing stands at
    the end, whatever overlays are on: then a value's number is its place among those that are there."""
    tests: dict[str, list[ir.Only]] = {
        card.name: [kind.only for kind in card.kinds]
        for card in game.cards
        if any(k.only is not None for k in card.kinds)
    }
    for name, values in game.enums:
        only = {word: test for enum, word, test in game.words_only if enum == name}
        if only:
            tests[name] = [only.get(value) for value in values]
    found = {}
    for name, row in tests.items():
        tail = list(itertools.dropwhile(lambda test: test is None, row))
        found[name] = all(test is not None and spell_words(test) == spell_words(tail[0]) for test in tail if tail[0])
    return found


def constant(node: ir.Expr) -> bool:
    """Whether an expression is a value written out."""
    return isinstance(node, ir.Const) or (isinstance(node, ir.Collection) and all(map(constant, node.items)))


def fixed(node: ir.Read) -> tuple[int, ...] | None:
    """Which part of a place is looked at, by constants only; None where that is not so."""
    values = [part.value for part in node.index if isinstance(part, ir.Const)]
    return tuple(int(value or 0) for value in values) if values and len(values) == len(node.index) else None


def capitals(name: str) -> str:
    """As a constant is written: `SeaWall` becomes SEA_WALL."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


def itself(node: ir.Aggregate) -> bool:
    """Whether an aggregate is over the items themselves."""
    return isinstance(node.body, ir.Local) and node.body.name == node.over.name


def _not_whole(zone: ir.Zone) -> tuple[object, ...]:
    """What the start of a zone looks at, besides the deck that it comes from."""
    over = zone.starts
    if over is None:
        return ()
    return (None if isinstance(over.source, ir.Everything) else over.source, over.test, over.key)


def wrapped(spelt: Spelt, around: int) -> str:
    text, strength = spelt
    return f"({text})" if strength < around else text
