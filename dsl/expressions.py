"""Trees to typed expressions: names are resolved, intervals computed, and every independent mistake is reported.

`Checker.check` gives the typed node, or None after reporting why there is none. A value that may be none has a
type with `?` and cannot be used as one without it until a test has told: `x != none and …`, the body of
`if x != none:`, the body of a gather's `where`. What such tests tell is kept as `facts`: the spelling of each
expression that is known not to be none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span, nearest
from aeronef.dsl.printer import spell
from aeronef.dsl.scope import World
from aeronef.dsl.syntax import Parsed

Child = Tree[Token] | Token
Facts = frozenset[str]

AGGREGATES = ("count", "sum", "any", "all", "min", "max")
BUILTINS = {"size": 1, "odd": 1, "even": 1, "abs": 1, "left": 1, "right": 1, "clockwise": 1, "automaton": 1, "clamp": 3}
ORDER = ("<", "<=", ">", ">=")
BOOL = t.Bool()
MOST_LIST = 10_000


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
                if not isinstance(other.type, t.Optional | t.Nothing | t.ZoneOf):
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
            return frozenset()


class Checker:
    """Types the trees of one string. `locals` maps the names of the place to their types."""

    def __init__(self, world: World, parsed: Parsed, locals_: Mapping[str, t.Type]) -> None:
        self.world = world
        self.parsed = parsed
        self.locals = dict(locals_)

    # ------------------------------------------------------------------------------ reporting

    def span(self, node: Child) -> Span:
        return self.parsed.span(node)

    def wrong(self, code: str, node: Child | Span, message: str, hint: str = "") -> None:
        span = node if isinstance(node, Span) else self.span(node)
        self.world.report.add(code, span, message, hint)

    # ------------------------------------------------------------------------------ entry points

    def of_type(self, tree: Child, wanted: t.Type, facts: Facts = frozenset(), what: str = "") -> ir.Expr | None:
        """The expression, if its type fits `wanted` (its interval is not looked at)."""
        node = self.check(tree, facts, wanted)
        return None if node is None else self.coerce(node, wanted, tree, what)

    def coerce(self, node: ir.Expr, wanted: t.Type, tree: Child, what: str = "") -> ir.Expr | None:
        if t.strip(wanted) == t.Seat() and isinstance(node, ir.Const) and isinstance(node.type, t.Int):
            if 0 <= cast(int, node.value) < self.world.players[0]:
                return ir.Const(node.value, t.Seat(), node.span)
            low = self.world.players[0]
            self.wrong(
                "AE502", tree, f"there is not always a seat {node.value}", f"seats count from 0, here to {low - 1}"
            )
            return None
        if isinstance(node, ir.Collection) and isinstance(wanted, t.SetOf | t.ListOf) and not node.items:
            return ir.Collection(node.kind, (), wanted, node.span)
        if t.fits(node.type, wanted):
            return node
        hint = ""
        if isinstance(node.type, t.Optional) and t.fits(node.type.of, wanted):
            self.undecided(node, tree)
            return None
        if isinstance(node.type, t.ZoneOf) and node.type.slot and t.fits(node.type.card, wanted):
            self.undecided(node, tree)
            return None
        if isinstance(node.type, t.Count):
            self.wrong(
                "AE506", tree, f"`{spell(node)}` is a count, and no rule may read a count", "give it a range instead"
            )
            return None
        prefix = f"{what} must be" if what else "this must be"
        self.wrong("AE501", tree, f"{prefix} {_an(wanted)}, and this is {_an(node.type)}", hint)
        return None

    def undecided(self, node: ir.Expr, tree: Child) -> None:
        name = spell(node)
        hint = f"test it first (`{name} != none and …`), or say what counts instead: `({name} otherwise …)`"
        self.wrong("AE503", tree, f"`{name}` may be none here", hint)

    def sure(self, node: ir.Expr | None, tree: Child) -> ir.Expr | None:
        """The node, if it is not perhaps none and no count."""
        if node is None:
            return None
        if isinstance(node.type, t.Optional):
            self.undecided(node, tree)
            return None
        if isinstance(node.type, t.Count):
            self.wrong(
                "AE506", tree, f"`{spell(node)}` is a count, and no rule may read a count", "give it a range instead"
            )
            return None
        return node

    # ------------------------------------------------------------------------------ the tree

    def check(self, tree: Child, facts: Facts = frozenset(), hint: t.Type | None = None) -> ir.Expr | None:
        if isinstance(tree, Token):
            raise AssertionError(f"a token where an expression belongs: {tree!r}")
        data, children = str(tree.data), tree.children
        method = getattr(self, f"_{data}", None)
        if method is not None:
            return cast("ir.Expr | None", method(tree, children, facts, hint))
        if data in ("expression", "gathering") and len(children) == 1:
            return self.check(children[0], facts, hint)
        if data in ("where", "where_by", "by", "each"):
            self.wrong("AE301", tree, "`where`, `by` and `for` stand in a gathering", "as in `[p in players where …]`")
            return None
        raise AssertionError(f"no rule for {data}")

    def _narrow(self, node: ir.Expr, facts: Facts) -> ir.Expr:
        """The same node without its `?`, where the facts say that it is not none."""
        kind = node.type
        if isinstance(node, ir.Read) and isinstance(kind, t.ZoneOf) and kind.slot and spell(node) in facts:
            return ir.Read(node.name, node.index, kind.card, node.span)
        if isinstance(kind, t.Optional) and spell(node) in facts:
            match node:
                case ir.Read(name, index):
                    return ir.Read(name, index, kind.of, node.span)
                case ir.Local(name):
                    return ir.Local(name, kind.of, node.span)
                case ir.Attribute(of, name):
                    return ir.Attribute(of, name, kind.of, node.span)
                case _:
                    return node
        return node

    def _number(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        value = int(str(children[0]))
        return ir.Const(value, t.Int(value, value), self.span(tree))

    def _true(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return ir.Const(True, BOOL, self.span(tree))

    def _false(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return ir.Const(False, BOOL, self.span(tree))

    def _none(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return ir.Const(None, t.Nothing(), self.span(tree))

    def _name(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        name, span, world = str(children[0]), self.span(tree), self.world
        if name in self.locals:
            return self._narrow(ir.Local(name, self.locals[name], span), facts)
        wanted = t.strip(hint) if hint is not None else None
        if isinstance(wanted, t.Enum) and name in wanted.values:
            return ir.Const(wanted.values.index(name), wanted, span)
        if name in world.options:
            return ir.Option(name, world.options[name].type, span)
        if name in world.places:
            place = world.places[name]
            if place.each:
                asked = "".join(f"[{kind}]" for kind in place.each)
                self.wrong(
                    "AE504", tree, f"there is one `{name}` for each {_each(place.each)}", f"say which: `{name}{asked}`"
                )
                return None
            return self._narrow(ir.Read(name, (), place.type, span), facts)
        if name in world.headers:
            define = world.define(name)
            if define is None:
                return None
            if define.params:
                needs = ", ".join(f"{kind} {n}" for n, kind in define.params)
                self.wrong("AE505", tree, f"`{name}` needs its values in brackets", f"it is `{name}({needs})`")
                return None
            return self._narrow(ir.Call(name, (), define.body.type, span), facts)
        everything = self._everything(name)
        if everything is not None:
            return ir.Everything(name, everything, span)
        enums = world.enum_values(name)
        if len(enums) == 1:
            return ir.Const(enums[0].values.index(name), enums[0], span)
        if enums:
            says = " or ".join(f"`{e.name}.{name}`" for e in enums)
            self.wrong("AE402", tree, f"`{name}` could be of {len(enums)} types here", f"write {says}")
            return None
        if name in ("viewer", "owner", "me"):
            where = {
                "viewer": "`seen` and `told`",
                "owner": "the `seen` of what there is for each seat",
                "me": "phases",
            }
            self.wrong("AE401", tree, f"`{name}` means something only in {where[name]}")
            return None
        self.wrong("AE401", tree, f"unknown name `{name}`", nearest(name, [*world.words(), *self.locals]))
        return None

    def _everything(self, name: str) -> t.Type | None:
        world = self.world
        if name == "players":
            return t.ListOf(t.Seat(), world.players[1])
        if name == "seats":
            return t.ListOf(t.Seat(), world.most_seats)
        if name in world.enums:
            return t.ListOf(world.enums[name], len(world.enums[name].values))
        if name in world.numbers:
            number = world.numbers[name]
            return t.ListOf(number, number.high - number.low + 1)
        if name in world.cards:
            return t.ListOf(t.Card(name), len(world.cards[name].kinds))
        return None

    def _index(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        indices: list[Child] = []
        base: Child = tree
        while isinstance(base, Tree) and base.data == "index":
            indices.insert(0, base.children[1])
            base = base.children[0]
        if not (isinstance(base, Tree) and base.data == "name"):
            self.wrong("AE504", base, "only variables and zones have parts to choose with [ ]")
            return None
        name = str(base.children[0])
        place = self.world.places.get(name)
        if place is None or name in self.locals:
            if self._name(base, base.children, facts, None) is not None:
                self.wrong("AE504", base, f"`{name}` has no parts to choose with [ ]")
            return None
        if len(indices) != len(place.each):
            asked = "".join(f"[{kind}]" for kind in place.each) or "no index"
            self.wrong(
                "AE504", tree, f"`{name}` takes {len(place.each) or 'no'} index, and {len(indices)} stand here", asked
            )
            return None
        index: list[ir.Expr] = []
        for child, wanted in zip(indices, place.each, strict=True):
            node = self.of_type(child, wanted, facts, "this index")
            if node is not None and not t.within(node.type, wanted):
                self.wrong(
                    "AE502", child, f"this index can be {node.type}, and `{name}` has parts {wanted}", "test it first"
                )
                node = None
            if node is not None:
                index.append(node)
        if len(index) != len(indices):
            return None
        return self._narrow(ir.Read(name, tuple(index), place.type, self.span(tree)), facts)

    def _attribute(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        base, name = children[0], str(children[1])
        if isinstance(base, Tree) and base.data == "name" and (word := str(base.children[0])) in self.world.enums:
            enum = self.world.enums[word]
            if name in enum.values:
                return ir.Const(enum.values.index(name), enum, self.span(tree))
            self.wrong("AE401", children[1], f"`{word}` has no value `{name}`", nearest(name, enum.values))
            return None
        of = self.check(base, facts)
        if of is None:
            return None
        kind = of.type
        maybe = isinstance(kind, t.Optional) or (isinstance(kind, t.ZoneOf) and kind.slot)
        inner = kind.card if isinstance(kind, t.ZoneOf) and kind.slot else t.strip(kind)
        if not isinstance(inner, t.Card):
            self.wrong("AE501", base, f"only cards have attributes, and this is {_an(kind)}")
            return None
        known = self.world.attributes(inner)
        if name not in known:
            self.wrong("AE401", children[1], f"a {inner} has no attribute `{name}`", nearest(name, known))
            return None
        found = known[name]
        if maybe and not isinstance(found, t.Optional):
            found = t.Optional(cast(t.Plain, found))
        return self._narrow(ir.Attribute(of, name, found, self.span(tree)), facts)

    def _negate(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        of = self.of_type(children[-1], BOOL, facts)
        return None if of is None else ir.Unary("not", of, BOOL, self.span(tree))

    def _negative(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        of = self._int(children[-1], facts)
        if of is None:
            return None
        kind = cast(t.Int, of.type)
        span = self.span(tree)
        if isinstance(of, ir.Const):
            return ir.Const(-cast(int, of.value), t.Int(-kind.high, -kind.low), span)
        return ir.Unary("-", of, t.Int(-kind.high, -kind.low), span)

    def _both(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        left = self.of_type(children[0], BOOL, facts)
        known = facts | facts_if(left, True) if left is not None else facts
        right = self.of_type(children[1], BOOL, known)
        if left is None or right is None:
            return None
        return ir.Binary("and", left, right, BOOL, self.span(tree))

    def _either(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        left = self.of_type(children[0], BOOL, facts)
        known = facts | facts_if(left, False) if left is not None else facts
        right = self.of_type(children[1], BOOL, known)
        if left is None or right is None:
            return None
        return ir.Binary("or", left, right, BOOL, self.span(tree))

    def _choice(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        then_tree, test_tree, other_tree = children
        test = self.of_type(test_tree, BOOL, facts)
        yes = facts | facts_if(test, True) if test is not None else facts
        no = facts | facts_if(test, False) if test is not None else facts
        then = self.check(then_tree, yes, hint)
        other = self.check(other_tree, no, hint)
        if test is None or then is None or other is None:
            return None
        kind = t.join(then.type, other.type)
        if kind is None:
            self.wrong(
                "AE501", tree, f"one value is {_an(then.type)}, the other {_an(other.type)}", "both must be of one type"
            )
            return None
        return ir.Choice(test, then, other, kind, self.span(tree))

    def _compare(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        left_tree, op, right_tree = children[0], str(children[1]), children[2]
        if self._bare(left_tree) and not self._bare(right_tree):
            right = self.check(right_tree, facts)
            left = self.check(left_tree, facts, right.type if right is not None else None)
        else:
            left = self.check(left_tree, facts)
            right = self.check(right_tree, facts, left.type if left is not None else None)
        if left is None or right is None:
            return None
        span = self.span(tree)
        if op in ORDER:
            low, high = self.sure(left, left_tree), self.sure(right, right_tree)
            if low is None or high is None:
                return None
            if not (isinstance(low.type, t.Int) and isinstance(high.type, t.Int)):
                self.wrong("AE501", tree, f"`{op}` compares numbers; these are {_an(low.type)} and {_an(high.type)}")
                return None
            return ir.Binary(cast(Literal["<", "<=", ">", ">="], op), low, high, BOOL, span)
        pair = self._alike(left, left_tree, right, right_tree)
        if pair is None:
            return None
        return ir.Binary(cast(Literal["==", "!="], op), *pair, BOOL, span)

    def _alike(
        self, left: ir.Expr, left_tree: Child, right: ir.Expr, right_tree: Child
    ) -> tuple[ir.Expr, ir.Expr] | None:
        for one, tree in ((left, left_tree), (right, right_tree)):
            if isinstance(one.type, t.Count):
                self.sure(one, tree)
                return None
        if t.strip(left.type) == t.Seat() and isinstance(right.type, t.Int):
            coerced = self.coerce(right, t.Seat(), right_tree)
            return None if coerced is None else (left, coerced)
        if t.strip(right.type) == t.Seat() and isinstance(left.type, t.Int):
            coerced = self.coerce(left, t.Seat(), left_tree)
            return None if coerced is None else (coerced, right)
        if t.join(left.type, right.type) is None:
            self.wrong(
                "AE501",
                right_tree,
                f"{_an(left.type)} is never equal to {_an(right.type)}",
                "both sides must be of one type",
            )
            return None
        return left, right

    def _bare(self, tree: Child) -> bool:
        return isinstance(tree, Tree) and tree.data == "name" and bool(self.world.enum_values(str(tree.children[0])))

    def _member(
        self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None, op: str = "in"
    ) -> ir.Expr | None:
        source = self.check(children[-1], facts)
        if source is None:
            return None
        inner = t.element(source.type)
        if inner is None:
            self.wrong("AE501", children[-1], f"`in` looks into a collection, and this is {_an(source.type)}")
            return None
        left = self.of_type(children[0], inner, facts)
        if left is None:
            return None
        return ir.Binary(cast(Literal["in", "not in"], op), left, source, BOOL, self.span(tree))

    def _not_member(
        self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None
    ) -> ir.Expr | None:
        return self._member(tree, children, facts, hint, "not in")

    def _otherwise(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        left = self.check(children[0], facts, hint)
        if left is None:
            return None
        kind = t.Optional(left.type.card) if isinstance(left.type, t.ZoneOf) and left.type.slot else left.type
        if not isinstance(kind, t.Optional):
            self.wrong("AE501", children[0], f"`{spell(left)}` is never none, so `otherwise` has nothing to do")
            return None
        right = self.check(children[1], facts, kind.of)
        if right is None:
            return None
        found = t.join(kind.of, right.type)
        if found is None:
            self.wrong("AE501", children[1], f"this must be {_an(kind.of)}, and is {_an(right.type)}")
            return None
        return ir.Binary("otherwise", left, right, found, self.span(tree))

    # ------------------------------------------------------------------------------ numbers

    def _int(self, tree: Child, facts: Facts) -> ir.Expr | None:
        node = self.check(tree, facts)
        node = self.sure(node, tree)
        if node is None:
            return None
        if not isinstance(node.type, t.Int):
            self.wrong("AE501", tree, f"this must be a number, and is {_an(node.type)}")
            return None
        return node

    def _arithmetic(self, tree: Tree[Token], children: list[Child], facts: Facts, op: str) -> ir.Expr | None:
        left, right = self._int(children[0], facts), self._int(children[-1], facts)
        if left is None or right is None:
            return None
        a, b = cast(t.Int, left.type), cast(t.Int, right.type)
        if op in ("//", "%"):
            if b.low <= 0 <= b.high:
                self.wrong("AE502", children[-1], f"this divides by {b}, which can be 0")
                return None
            if op == "%":
                kind = t.Int(0, b.high - 1) if b.low > 0 else t.Int(b.low + 1, 0)
            else:
                ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
                ends += [x // y for x in (a.low, a.high) for y in (-1, 1) if b.low <= y <= b.high]
                kind = t.Int(min(ends), max(ends))
        elif op == "+":
            kind = t.Int(a.low + b.low, a.high + b.high)
        elif op == "-":
            kind = t.Int(a.low - b.high, a.high - b.low)
        else:
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            kind = t.Int(min(ends), max(ends))
        if max(abs(kind.low), abs(kind.high)) > 2**40:
            self.wrong("AE502", tree, "this number can be larger than any rule needs (2^40)")
            return None
        return ir.Binary(cast(Literal["+", "-", "*", "//", "%"], op), left, right, kind, self.span(tree))

    def _add(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._arithmetic(tree, children, facts, "+")

    def _subtract(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._arithmetic(tree, children, facts, "-")

    def _multiply(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._arithmetic(tree, children, facts, "*")

    def _divide(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._arithmetic(tree, children, facts, "//")

    def _modulo(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._arithmetic(tree, children, facts, "%")

    def _extent(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        low, high = self._int(children[0], facts), self._int(children[1], facts)
        if low is None or high is None:
            return None
        a, b = cast(t.Int, low.type), cast(t.Int, high.type)
        longest = max(0, b.high - a.low + 1)
        if longest > MOST_LIST:
            self.wrong("AE502", tree, f"this range can hold {longest:,} numbers", f"at most {MOST_LIST:,}")
            return None
        kind = t.ListOf(t.Int(a.low, max(a.low, b.high)), longest)
        return ir.Builtin("range", (low, high), kind, self.span(tree))

    # ------------------------------------------------------------------------------ calls and collections

    def gather(self, tree: Child, facts: Facts = frozenset()) -> tuple[ir.Gather, Facts] | None:
        """`name in source where … by …`, with what its test tells about its items."""
        test_tree = key_tree = None
        down = False
        base: Child = tree
        if isinstance(tree, Tree) and tree.data in ("where", "where_by", "by"):
            parts = [c for c in tree.children if not isinstance(c, Token)]
            down = any(isinstance(c, Token) and c.type == "DOWN" for c in tree.children)
            base = parts[0]
            test_tree = parts[1] if tree.data != "by" else None
            key_tree = parts[-1] if tree.data != "where" else None
        if not (isinstance(base, Tree) and base.data == "member"):
            self.wrong("AE301", base, "this must say what is gathered, from where", "as in `p in players where …`")
            return None
        head = base.children[0]
        if not (isinstance(head, Tree) and head.data == "name"):
            self.wrong("AE301", head, "a new name must stand here", "as in `p in players`")
            return None
        name = str(head.children[0])
        clear = self.fresh(name, head)
        source = self.check(base.children[1], facts)
        if source is None or not clear:
            return None
        item = t.element(source.type)
        if item is None:
            self.wrong("AE501", base.children[1], f"this must be a collection, and is {_an(source.type)}")
            return None
        outer = self.locals
        self.locals = {**outer, name: item}
        known = frozenset(f for f in facts if f != name)
        test = key = None
        try:
            if test_tree is not None:
                test = self.of_type(test_tree, BOOL, known)
                if test is None:
                    return None
                known |= facts_if(test, True)
            if key_tree is not None:
                key = self._int(key_tree, known)
                if key is None:
                    return None
        finally:
            self.locals = outer
        return ir.Gather(name, source, test, key, down, item, self.span(tree)), known

    def fresh(self, name: str, tree: Child) -> bool:
        """Whether a new local may have this name: it must not hide another."""
        world = self.world
        taken = name in self.locals or name in ("players", "seats", "me", "viewer", "owner")
        if taken or name in world.declared or world.enum_values(name):
            self.wrong("AE403", tree, f"`{name}` already means something here", "choose another name")
            return False
        return True

    def _gathers(self, tree: Child) -> bool:
        if not isinstance(tree, Tree):
            return False
        if tree.data in ("where", "where_by", "by"):
            return True
        if tree.data != "member" or not isinstance(tree.children[0], Tree) or tree.children[0].data != "name":
            return False
        word = str(tree.children[0].children[0])
        return word not in self.locals and word not in self.world.declared and not self.world.enum_values(word)

    def _aggregate(self, kind: str, tree: Tree[Token], argument: Child, facts: Facts) -> ir.Expr | None:
        span = self.span(tree)
        body_tree: Child | None = None
        over_tree = argument
        if isinstance(argument, Tree) and argument.data == "each":
            body_tree, over_tree = argument.children
        found = self.gather(over_tree, facts)
        if found is None:
            return None
        over, known = found
        outer = self.locals
        self.locals = {**outer, over.name: over.item}
        try:
            if body_tree is None:
                body: ir.Expr | None = ir.Local(over.name, over.item, over.span)
                if kind == "any" and over.test is not None:
                    body = ir.Const(True, BOOL, over.span)
                elif kind in ("any", "all"):
                    self.wrong(
                        "AE301", argument, f"`{kind}` asks something of each", f"as in `{kind}(… for p in players)`"
                    )
                    return None
            else:
                body = self.check(body_tree, known)
        finally:
            self.locals = outer
        if body is None:
            return None
        at = body_tree if body_tree is not None else argument
        length = t.most(over.source.type)
        if kind in ("any", "all"):
            body = self.coerce(body, BOOL, at)
            return None if body is None else ir.Aggregate(cast(Literal["any", "all"], kind), body, over, BOOL, span)
        if kind == "count":
            if body_tree is not None:
                self.wrong("AE301", tree, "`count` counts what is gathered", "as in `count(p in players where …)`")
                return None
            return ir.Aggregate("count", body, over, t.Int(0, length), span)
        body = self.sure(body, at)
        if body is None:
            return None
        if kind in ("sum", "min", "max"):
            if not isinstance(body.type, t.Int):
                self.wrong("AE501", at, f"`{kind}` takes numbers, and this is {_an(body.type)}")
                return None
            if kind == "sum":
                total = t.Int(min(0, body.type.low * length), max(0, body.type.high * length))
                return ir.Aggregate("sum", body, over, total, span)
            surely = isinstance(over.source, ir.Everything) and over.test is None
            best: t.Type = body.type if surely else t.Optional(body.type)
            return ir.Aggregate(cast(Literal["min", "max"], kind), body, over, best, span)
        if kind == "set":
            if not isinstance(body.type, t.Bool | t.Int | t.Enum | t.Seat | t.Card):
                self.wrong("AE501", at, f"a set holds plain values, and this is {_an(body.type)}")
                return None
            return ir.Aggregate("set", body, over, t.SetOf(body.type, length), span)
        return ir.Aggregate("list", body, over, t.ListOf(body.type, length), span)

    def _call(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        name, args = str(children[0]), children[1:]
        word = children[0]
        if name in AGGREGATES and len(args) == 1 and (
            self._gathers(args[0]) or (isinstance(args[0], Tree) and args[0].data == "each")
        ):  # fmt: skip
            return self._aggregate(name, tree, args[0], facts)
        if name in ("min", "max") and len(args) >= 2:
            nodes = [self._int(a, facts) for a in args]
            if any(n is None for n in nodes):
                return None
            kinds = [cast(t.Int, n.type) for n in nodes if n is not None]
            pick = min if name == "min" else max
            kind = t.Int(pick(k.low for k in kinds), pick(k.high for k in kinds))
            return ir.Builtin(name, tuple(n for n in nodes if n is not None), kind, self.span(tree))
        if name in AGGREGATES:
            self.wrong("AE505", tree, f"`{name}` works on what is gathered", f"as in `{name}({_example(name)})`")
            return None
        if name in BUILTINS:
            return self._builtin(tree, name, args, facts)
        if name in self.world.headers:
            return self._defined(tree, name, args, facts)
        known = [*BUILTINS, *AGGREGATES, *self.world.headers]
        if name in self.world.places or name in self.locals:
            self.wrong(
                "AE505", word, f"`{name}` is not called with brackets", f"parts are chosen with [ ]: `{name}[…]`"
            )
        else:
            self.wrong("AE401", word, f"unknown function `{name}`", nearest(name, known))
        return None

    def _builtin(self, tree: Tree[Token], name: str, args: list[Child], facts: Facts) -> ir.Expr | None:
        span = self.span(tree)
        if len(args) != BUILTINS[name]:
            needs = BUILTINS[name]
            self.wrong("AE505", tree, f"`{name}` takes {needs} value{'s' * (needs > 1)}, and {len(args)} stand here")
            return None
        if name == "size":
            node = self.check(args[0], facts)
            if node is None:
                return None
            if t.element(node.type) is None:
                self.wrong("AE501", args[0], f"`size` counts a collection, and this is {_an(node.type)}")
                return None
            low = 0
            if isinstance(node, ir.Everything):
                low = {"players": self.world.players[0], "seats": self.world.players[0]}.get(node.of, t.most(node.type))
            return ir.Builtin("size", (node,), t.Int(low, t.most(node.type)), span)
        if name in ("left", "right", "automaton", "clockwise"):
            node = self.of_type(args[0], t.Seat(), facts)
            if node is None:
                return None
            kind: t.Type = {
                "automaton": BOOL, "clockwise": t.ListOf(t.Seat(), self.world.players[1]),
            }.get(name, t.Seat())  # fmt: skip
            return ir.Builtin(name, (node,), kind, span)
        nodes = [self._int(a, facts) for a in args]
        if any(n is None for n in nodes):
            return None
        sure = tuple(n for n in nodes if n is not None)
        kinds = [cast(t.Int, n.type) for n in sure]
        if name in ("odd", "even"):
            return ir.Builtin(name, sure, BOOL, span)
        if name == "abs":
            low = 0 if kinds[0].low <= 0 <= kinds[0].high else min(abs(kinds[0].low), abs(kinds[0].high))
            return ir.Builtin(name, sure, t.Int(low, max(abs(kinds[0].low), abs(kinds[0].high))), span)
        value, low_kind, high_kind = kinds
        if low_kind.high > high_kind.low:
            self.wrong("AE502", tree, "the lower end of `clamp` can lie above the upper one", "clamp(value, low, high)")
            return None
        clamped = t.Int(
            min(max(value.low, low_kind.low), high_kind.high), max(min(value.high, high_kind.high), low_kind.low)
        )
        return ir.Builtin(name, sure, clamped, span)

    def _defined(self, tree: Tree[Token], name: str, args: list[Child], facts: Facts) -> ir.Expr | None:
        define = self.world.define(name)
        if define is None:
            for a in args:
                if not self._gathers(a):
                    self.check(a, facts)
            return None
        if len(args) != len(define.params):
            needs = ", ".join(f"{kind} {n}" for n, kind in define.params)
            message = f"`{name}` takes {len(define.params)} value{'s' * (len(define.params) != 1)}, and {len(args)} stand here"
            self.wrong("AE505", tree, message, f"it is `{name}({needs})`")
            return None
        nodes: list[ir.Expr] = []
        for arg, (param, wanted) in zip(args, define.params, strict=True):
            node = self.of_type(arg, wanted, facts, f"`{param}`")
            if node is not None and not t.within(node.type, wanted):
                self.wrong("AE502", arg, f"this can be {node.type}, and `{param}` is {wanted}")
                node = None
            if node is not None:
                nodes.append(node)
        if len(nodes) != len(args):
            return None
        return self._narrow(ir.Call(name, tuple(nodes), define.body.type, self.span(tree)), facts)

    def _list(
        self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None, kind: str = "list"
    ) -> ir.Expr | None:
        if len(children) == 1 and (
            self._gathers(children[0]) or (isinstance(children[0], Tree) and children[0].data == "each")
        ):
            return self._aggregate(kind, tree, children[0], facts)
        wanted = t.element(hint) if hint is not None else None
        nodes = [self.sure(self.check(c, facts, wanted), c) for c in children]
        if any(n is None for n in nodes):
            return None
        items = tuple(n for n in nodes if n is not None)
        inner: t.Type | None = items[0].type
        for node, child in zip(items[1:], children[1:], strict=True):
            joined = t.join(cast(t.Type, inner), node.type)
            if joined is None:
                self.wrong("AE501", child, f"the first is {_an(cast(t.Type, inner))}, and this is {_an(node.type)}")
                return None
            inner = joined
        assert inner is not None
        if kind == "set":
            if not isinstance(inner, t.Bool | t.Int | t.Enum | t.Seat | t.Card):
                self.wrong("AE501", tree, f"a set holds plain values, and these are {_an(inner)}")
                return None
            return ir.Collection("set", items, t.SetOf(inner, len(items)), self.span(tree))
        return ir.Collection("list", items, t.ListOf(inner, len(items)), self.span(tree))

    def _set(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._list(tree, children, facts, hint, "set")


def _example(name: str) -> str:
    return "p in players where …" if name == "count" else "… for p in players"


def _each(each: Iterable[t.Type]) -> str:
    return " and ".join(str(kind) for kind in each)


def _an(kind: t.Type) -> str:
    match kind:
        case t.Bool():
            return "a yes or no (bool)"
        case t.Int():
            return f"a number ({kind})"
        case t.Count():
            return "a count"
        case t.Seat():
            return "a seat"
        case t.Optional(of):
            return f"{_an(of)} or none"
        case t.Nothing():
            return "`none`"
        case t.ListOf(of) | t.SetOf(of):
            return f"a {'list' if isinstance(kind, t.ListOf) else 'set'} of {of}"
        case t.ZoneOf(card):
            return f"a zone of {card}"
        case _:
            return f"a {kind}"


describe = _an
