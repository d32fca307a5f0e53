"""Trees to typed expressions: names are resolved, intervals computed, and every independent mistake is reported.

`Checker.check` gives the typed node, or None after reporting why there is none. A local or declared name whose own
declaration has a mistake gives None without a word. A value that may be none has a type with `?` and cannot be used
as one without it until a test has told: `x != none and …`, the body of `if x != none:`, the body of a gather's
`where`. What such tests tell is kept as `facts`: the spelling of each expression that is known not to be none, and
the bounds of numbers that were compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from lark import Token, Tree

from aeronef.dsl import ir, ranges
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span, nearest
from aeronef.dsl.facts import NOTHING, Facts, bounded, facts_if, without
from aeronef.dsl.printer import spell
from aeronef.dsl.scope import AGGREGATES, BUILTINS, ENDS, World, reserved
from aeronef.dsl.spoken import being, describe
from aeronef.dsl.syntax import Parsed

Child = Tree[Token] | Token
Locals = Mapping[str, t.Type | None]  # None: its declaration has a mistake
LOST = ""  # among the locals: there should be another one, whose name was not understood

ORDER = ("<", "<=", ">", ">=")
BOOL = t.Bool()
MOST_LIST = 10_000
LARGEST = 2**40
NAME = r"[A-Za-z_][A-Za-z_0-9]*"
COUNTED = t.Int(0, 2**32 - 1)  # a count, where it may be read: room is left to reckon with it
HABITS = {
    "yes": "write `true`", "no": "write `false`", "on": "write `true`", "off": "write `false`", "True": "write `true`",
    "False": "write `false`", "None": "write `none`", "null": "write `none`", "nil": "write `none`",
    "everyone": "it stands alone; in a test, write `true`", "nobody": "it stands alone; in a test, write `false`",
    "len": "write `size(…)`", "length": "write `size(…)`", "range": "write `1..9`",
    "random": "chance decides in a phase of its own", "viewer": "it is known in `seen:` and `told:`",
    "me": "it is known where a seat acts, or is ranked", "options": "it is followed by a name: `options.NAME`",
    "owner": "it is known in the `seen:` and `starts:` of what there is for each seat",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gathered:
    """`node` is None after a mistake; the name is still known, so that what uses it can be checked."""

    node: ir.Gather | None
    name: str
    item: t.Type | None
    facts: Facts


class Checker:
    """Types the trees of one string. `locals` maps the names of the place to their types. `counting` says that counts
    are numbers here, as they are to nobody but those who measure."""

    def __init__(self, world: World, parsed: Parsed, locals_: Locals, counting: bool = False) -> None:
        self.world = world
        self.parsed = parsed
        self.locals = dict(locals_)
        self.counting = counting

    # ------------------------------------------------------------------------------ reporting

    def span(self, node: Child) -> Span:
        return self.parsed.span(node)

    def wrong(self, code: str, node: Child, message: str, hint: str = "") -> None:
        self.world.report.add(code, self.span(node), message, hint)

    # ------------------------------------------------------------------------------ entry points

    def of_type(self, tree: Child, wanted: t.Type, facts: Facts = NOTHING, what: str = "") -> ir.Expr | None:
        """The expression, if its type fits `wanted` (its interval is not looked at)."""
        node = self.check(tree, facts, wanted)
        return None if node is None else self.coerce(node, wanted, tree, what)

    def coerce(self, node: ir.Expr, wanted: t.Type, tree: Child, what: str = "") -> ir.Expr | None:
        if t.strip(wanted) == t.Seat() and isinstance(node, ir.Const) and isinstance(node.type, t.Int):
            low = self.world.players[0]
            if 0 <= cast(int, node.value) < low:
                return ir.Const(node.value, t.Seat(), node.span)
            hint = f"seats count from 0; as few as {low} play, so only 0 to {low - 1} are always there"
            self.wrong("AE502", tree, f"there is not always a seat {node.value}", hint)
            return None
        if t.fits(node.type, wanted):
            return node
        if isinstance(node.type, t.Count) or (
            t.may_be_none(node.type) and t.fits(t.element(node.type) or t.strip(node.type), wanted)
        ):
            return self.sure(node, tree)
        hint = "write `true` or `false`" if wanted == BOOL and isinstance(node, ir.Const) else ""
        if isinstance(node.type, t.Owned) and t.fits(node.type.card, wanted):
            hint = f"name its card: `{spell(node)}.card`"
        self.wrong(
            "AE501", tree, f"{what or 'this'} must be {describe(wanted)}, and this is {describe(node.type)}", hint
        )
        return None

    def sure(self, node: ir.Expr | None, tree: Child) -> ir.Expr | None:
        """The node, if it is not perhaps none, and no count."""
        if node is None:
            return None
        if t.may_be_none(node.type):
            name = spell(node)
            hint = f"say what counts instead: `({name} otherwise …)`"
            if isinstance(node, ir.Local | ir.Option | ir.Read | ir.Lookup | ir.Attribute | ir.Call | ir.Builtin):
                hint = f"test it first (`{name} != none and …`), or {hint}"
            decides = self.world.decided.get(node.name) if isinstance(node, ir.Read) else None
            why = f": `{decides}` has yet to decide it" if decides is not None else ""
            self.wrong("AE503", tree, f"`{name}` may be none here{why}", hint)
            return None
        if isinstance(node.type, t.Count):
            hint = "give it a range instead of `count`"
            self.wrong("AE506", tree, f"`{spell(node)}` is a count, which no rule may read", hint)
            return None
        return node

    def plain(self, node: ir.Expr | None, tree: Child, what: str) -> ir.Expr | None:
        """The node, if it is surely a single value."""
        node = self.sure(node, tree)
        if node is not None and not isinstance(node.type, t.Plain):
            self.wrong("AE501", tree, f"{what}, and this is {describe(node.type)}")
            return None
        return node

    def no_owner(self, node: ir.Expr | None, tree: Child) -> ir.Expr | None:
        """The node, if it is no card with its owner: no set holds these."""
        if node is not None and isinstance(node.type, t.Owned):
            message = f"a set holds single values, and this is {describe(node.type)}"
            self.wrong("AE501", tree, message, "make a list of it, with [ ]")
            return None
        return node

    def card_or_none(self, node: ir.Expr, tree: Child) -> ir.Expr | None:
        """A zone as a value: one for a single card is that card, or none."""
        if isinstance(node, ir.Read) and isinstance(node.type, t.ZoneOf) and node.type.slot:
            return ir.Read(node.name, node.index, t.Optional(node.type.card), node.span)
        hint = f"name one of its {'dice' if isinstance(node.type, t.Tray) else 'cards'}, or its size"
        self.wrong("AE604", tree, f"{describe(node.type)} needs no second name", hint)
        return None

    def number(self, tree: Child, facts: Facts) -> ir.Expr | None:
        node = self.sure(self.check(tree, facts), tree)
        if node is not None and not isinstance(node.type, t.Int):
            seat = node.type == t.Seat()
            hint = "seats are not counted with: `left(…)` is the next one clockwise" if seat else ""
            self.wrong("AE501", tree, f"this must be a number, and is {describe(node.type)}", hint)
            return None
        return node

    # ------------------------------------------------------------------------------ the tree

    def check(self, tree: Child, facts: Facts = NOTHING, hint: t.Type | None = None) -> ir.Expr | None:
        """The typed node. `hint` is the type that is asked for: it says whose value a word is."""
        assert isinstance(tree, Tree), tree
        data, children = str(tree.data), tree.children
        method = getattr(self, f"_{data}", None)
        if method is not None:
            return cast("ir.Expr | None", method(tree, children, facts, hint))
        assert data in ("where", "where_by", "by", "each"), data
        self.wrong("AE301", tree, "this gathers, and a single value stands here", "put it into [ ], { } or `count(…)`")
        return None

    def _narrow(self, node: ir.Expr, facts: Facts) -> ir.Expr:
        """The same node without its `?`, where the facts say that it is not none, and as a smaller range where they
        say that it lies there."""
        kind: t.Type = node.type
        if t.may_be_none(node.type) and (spell(node) in facts or self._settled(node)):
            kind = node.type.card if isinstance(node.type, t.ZoneOf) else t.strip(node.type)
        if isinstance(kind, t.Int):
            kind = bounded(node, kind, facts)
        if kind == node.type:
            return node
        match node:
            case ir.Read(name, index):
                return ir.Read(name, index, kind, node.span)
            case ir.Lookup(name, keys):
                return ir.Lookup(name, keys, kind, node.span)
            case ir.Local(name):
                return ir.Local(name, kind, node.span)
            case ir.Option(name):
                return ir.Option(name, kind, node.span, node.apart)
            case ir.Attribute(of, name):
                return ir.Attribute(of, name, kind, node.span)
            case ir.Call(name, args):
                return ir.Call(name, args, kind, node.span)
            case ir.Builtin(name, args):
                return ir.Builtin(name, args, kind, node.span)
            case _:
                return node

    def _settled(self, node: ir.Expr) -> bool:
        return isinstance(node, ir.Read) and node.name in self.world.settled

    def _number(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        text = str(children[0])
        if text != str(int(text)):
            self.wrong("AE301", tree, f"`{text}` does not fit here", "a number does not start with 0")
            return None
        return ir.Const(int(text), t.Int(int(text), int(text)), self.span(tree))

    def _true(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return ir.Const(True, BOOL, self.span(tree))

    def _false(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return ir.Const(False, BOOL, self.span(tree))

    def _none(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return ir.Const(None, t.Nothing(), self.span(tree))

    def _name(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        name, span, world = str(children[0]), self.span(tree), self.world
        if name in self.locals:
            kind = self.locals[name]
            return None if kind is None else self._narrow(ir.Local(name, kind, span), facts)
        if name in world.broken:
            return None
        wanted = t.strip(hint) if hint is not None else None
        if isinstance(wanted, t.Enum) and name in wanted.values:
            return self._of_enum(name, wanted, span)
        if name in world.options and not world.apart(name):
            return self._option(name, span, facts)
        if name in world.places or name in world.tables:
            place = world.places.get(name) or world.tables[name]
            if place.each:
                asked = "".join(f"[{kind}]" for kind in place.each)
                each = " and ".join(str(kind) for kind in place.each)
                self.wrong("AE504", tree, f"there is one `{name}` for each {each}", f"say which: `{name}{asked}`")
                return None
            return self._narrow(ir.Read(name, (), self._held(place.type), span), facts)
        if name in world.defines:
            return self._defined(tree, name, [], facts)
        everything = self._everything(name)
        if everything is not None:
            world.used.add(name)
            return ir.Everything(name, everything, span)
        enums = world.enum_values(name)
        if len(enums) == 1:
            return self._of_enum(name, enums[0], span)
        if enums:
            says = " or ".join(f"`{e.name}.{name}`" for e in enums)
            self.wrong("AE402", tree, f"`{name}` could be of {len(enums)} types here", f"write {says}")
        elif name in world.declared:
            self._useless(name, tree)
        elif name in AGGREGATES or name in BUILTINS or name in ENDS:
            self.wrong("AE505", tree, f"`{name}` needs its values in brackets", f"as in `{name}(…)`")
        elif reserved(name) or name in HABITS:
            self.wrong("AE401", tree, f"`{name}` means nothing here", HABITS.get(name, "it is a word of the language"))
        elif LOST not in self.locals:
            self.wrong("AE401", tree, f"unknown name `{name}`", nearest(name, [*world.names(), *self.locals]))
        return None

    def _of_enum(self, word: str, enum: t.Enum, span: Span) -> ir.Const:
        return ir.Const(enum.values.index(word), enum, span, word in self.world.declared)

    def _option(self, name: str, span: Span, facts: Facts) -> ir.Expr:
        world = self.world
        return self._narrow(ir.Option(name, world.options[name].type, span, world.apart(name)), facts)

    def _useless(self, name: str, tree: Child) -> None:
        """A declared name that has no value at this place."""
        what, _ = self.world.declared[name]
        if what == "kind of dice":
            self.wrong("AE401", tree, f"`{name}` is a kind of dice", f"dice are rolled: `roll(f from 2 of {name})`")
        elif what == "table":
            hint = "the tables come after the automata: write its values out"
            self.wrong("AE605", tree, f"the table `{name}` is not known where the seats are counted", hint)
        else:
            hint = "only options and the number of players are"
            if name in self.world.options:
                hint = f"the option is `options.{name}`"
            self.wrong("AE605", tree, f"the {what} `{name}` is not known before the game starts", hint)

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
        name = str(base.children[0]) if isinstance(base, Tree) and base.data == "name" else ""
        place = self.world.places.get(name) or self.world.tables.get(name) if name not in self.locals else None
        if place is None:
            if not name or (name not in self.world.broken and self._part_of_nothing(name, cast("Tree[Token]", base))):
                what = f"`{name}` has no parts" if name else "only variables, zones and tables have parts"
                self.wrong("AE504", base, f"{what} to choose with [ ]")
            for child in indices:
                self.check(child, facts)
            return None
        if len(indices) != len(place.each):
            asked = "".join(f"[{kind}]" for kind in place.each)
            stand = f"{len(indices)} stand{'s' * (len(indices) == 1)} here"
            number = f"has {len(place.each)} ind{'ex' if len(place.each) == 1 else 'ices'}, and {stand}"
            message = f"`{name}` {number if asked else 'is one alone, without parts to choose'}"
            self.wrong("AE504", tree, message, f"write `{name}{asked}`")
            return None
        index: list[ir.Expr] = []
        for child, wanted in zip(indices, place.each, strict=True):
            node = self.of_type(child, wanted, facts, "this index")
            if node is not None and not t.within(node.type, wanted):
                self.wrong(
                    "AE502", child, f"this index {being(node.type)}, and `{name}` has parts {wanted}", _inside(wanted)
                )
            elif node is not None:
                index.append(node)
        if len(index) != len(indices):
            return None
        one = ir.Lookup if name in self.world.tables else ir.Read
        return self._narrow(one(name, tuple(index), self._held(place.type), self.span(tree)), facts)

    def _held(self, kind: t.Type) -> t.Type:
        """The type of what a place holds, as it is read here."""
        return COUNTED if self.counting and isinstance(kind, t.Count) else kind

    def _part_of_nothing(self, name: str, base: Tree[Token]) -> bool:
        """Whether a name has a value, only none with parts; what is wrong with the name itself is reported."""
        return self._name(base, base.children, NOTHING, None) is not None

    def _attribute(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        base, name = children[0], str(children[1])
        word = str(base.children[0]) if isinstance(base, Tree) and base.data == "name" else ""
        if word == "options":
            return self._named_option(tree, children[1], facts)
        enum = self.world.words_of(word) if word not in self.locals else None
        if enum is not None and name in enum.values:
            self.world.used.add(word)
            return self._of_enum(name, enum, self.span(tree))
        if enum is not None and word not in self.world.places:
            self.world.used.add(word)
            self.wrong("AE401", children[1], f"`{word}` has no value `{name}`", nearest(name, enum.values))
            return None
        if word in self.world.cards and word not in self.locals:
            return self._labelled(tree, word, children[1])
        of = self.check(base, facts)
        if of is None:
            return None
        inner = t.strip(of.type)
        if isinstance(inner, t.ZoneOf) and inner.slot:
            inner = inner.card
        if isinstance(inner, t.Owned):
            if name == "owner":
                return self._part(of, name, t.Seat(), tree, facts)
            of = self._part(of, "card", inner.card, tree, facts)
            if name == "card":
                return of
            inner = inner.card
        if not isinstance(inner, t.Card):
            hint_ = (
                f"name one of its entries: `g in {spell(of)}`" if isinstance(inner, t.ZoneOf) and inner.owned else ""
            )
            self.wrong("AE501", base, f"only cards have attributes, and this is {describe(of.type)}", hint_)
            return None
        known = self.world.attributes(inner)
        if name not in known:
            self.wrong("AE401", children[1], f"a {inner} has no attribute `{name}`", nearest(name, known))
            return None
        kind = known[name]
        if isinstance(of, ir.Labelled):
            kind = self._printed(of, name, kind)
        return self._part(of, name, kind, tree, facts)

    def _labelled(self, tree: Tree[Token], name: str, label: Child) -> ir.Expr | None:
        """The card of a type with a label: `Card.jack`."""
        self.world.used.add(name)
        labels = [kind.label for kind in self.world.cards[name].kinds]
        if str(label) in labels:
            return ir.Labelled(name, str(label), t.Card(name), self.span(tree))
        if name not in self.world.broken:
            hint = nearest(str(label), [text for text in labels if re.fullmatch(NAME, text)])
            if any(re.match(rf"{label}\b", text) for text in labels):
                hint = f"only a label of one word can be written so: as in `c in {name} where …`"
            self.wrong("AE401", label, f"no {name} is labelled `{label}`", hint)
        return None

    def _printed(self, card: ir.Labelled, name: str, kind: t.Type) -> t.Type:
        """The type of an attribute of one known card, which has it or not; of a number it is this one."""
        declared = self.world.cards[card.of]
        row = next(row for row in declared.kinds if row.label == card.label)
        value = row.attributes[[n for n, _ in declared.attributes].index(name)]
        inner = t.strip(kind)
        if value is None:
            return kind
        return t.Int(value, value) if isinstance(inner, t.Int) else inner

    def _part(self, of: ir.Expr, name: str, kind: t.Type, tree: Child, facts: Facts) -> ir.Expr:
        """An attribute: of what may be none, it may be none too."""
        if t.may_be_none(of.type) and not isinstance(kind, t.Optional):
            kind = t.Optional(cast(t.Plain, kind))
        return self._narrow(ir.Attribute(of, name, kind, self.span(tree)), facts)

    def _named_option(self, tree: Tree[Token], name: Child, facts: Facts) -> ir.Expr | None:
        """`options.name`, which is the option even where a variable has its name."""
        if str(name) in self.world.options:
            return self._option(str(name), self.span(tree), facts)
        if str(name) not in self.world.broken:
            hint = nearest(str(name), self.world.options)
            self.wrong("AE401", name, f"there is no option `{name}`", hint)
        return None

    # ------------------------------------------------------------------------------ tests

    def _negate(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        of = self.of_type(children[-1], BOOL, facts)
        return None if of is None else ir.Unary("not", of, BOOL, self.span(tree))

    def _both(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._joined("and", tree, children, facts)

    def _either(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._joined("or", tree, children, facts)

    def _joined(
        self, op: Literal["and", "or"], tree: Tree[Token], children: list[Child], facts: Facts
    ) -> ir.Expr | None:
        left = self.of_type(children[0], BOOL, facts)
        known = facts | facts_if(left, op == "and") if left is not None else facts
        right = self.of_type(children[1], BOOL, known)
        if left is None or right is None:
            return None
        return ir.Binary(op, left, right, BOOL, self.span(tree))

    def _choice(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        then_tree, test_tree, other_tree = children
        test = self.of_type(test_tree, BOOL, facts)
        yes = facts | facts_if(test, True) if test is not None else facts
        no = facts | facts_if(test, False) if test is not None else facts
        then = self.check(then_tree, yes, hint)
        other = self.check(other_tree, no, hint or (then.type if then is not None else None))
        if test is None or then is None or other is None:
            return None
        kinds = then.type, other.type
        then, other = self._seated(then, kinds[1], then_tree), self._seated(other, kinds[0], other_tree)
        if then is None or other is None:
            return None
        kind = t.join(then.type, other.type)
        if kind is None:
            message = f"one value is {describe(then.type)}, the other {describe(other.type)}"
            self.wrong("AE501", tree, message, "both must be of one type")
            return None
        return ir.Choice(test, then, other, kind, self.span(tree))

    def _compare(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        left_tree, op, right_tree = children[0], str(children[1]), children[2]
        first, second = (left_tree, right_tree)
        if self._word(left_tree) > self._word(right_tree):
            first, second = second, first
        one = self.check(first, facts)
        if one is None and isinstance(second, Tree) and second.data == "name":
            return None  # it may be a word of the other side's type
        other = self.check(second, facts, one.type if one is not None else None)
        if one is None or other is None:
            return None
        left, right = (one, other) if first is left_tree else (other, one)
        span = self.span(tree)
        if op in ORDER:
            low, high = self.sure(left, left_tree), self.sure(right, right_tree)
            if low is None or high is None:
                return None
            if not (isinstance(low.type, t.Int) and isinstance(high.type, t.Int)):
                message = f"`{op}` compares numbers; these are {describe(low.type)} and {describe(high.type)}"
                self.wrong("AE501", tree, message)
                return None
            return ir.Binary(cast(Literal["<", "<=", ">", ">="], op), low, high, BOOL, span)
        pair = self._alike(left, left_tree, right, right_tree)
        if pair is None:
            return None
        return ir.Binary(cast(Literal["==", "!="], op), *pair, BOOL, span)

    def _alike(
        self, left: ir.Expr, left_tree: Child, right: ir.Expr, right_tree: Child
    ) -> tuple[ir.Expr, ir.Expr] | None:
        """Both sides of `==` or `!=`, if they can be compared."""
        sides = ((left, left_tree, right), (right, right_tree, left))
        for one, tree, other in sides:
            if isinstance(one.type, t.Count):
                self.sure(one, tree)
                return None
            if isinstance(one.type, t.ListOf | t.Tray) or (isinstance(one.type, t.ZoneOf) and not one.type.slot):
                hint = "compare sizes, or ask something of each (`all(… for … in …)`)"
                self.wrong("AE501", tree, f"{describe(one.type)} is not compared as a whole", hint)
                return None
            if isinstance(one.type, t.Nothing) and not t.may_be_none(other.type) and one.type != other.type:
                at = left_tree if one is right else right_tree
                self.wrong("AE501", at, f"`{spell(other)}` is never none here", "leave the test out")
                return None
        one_, other_ = self._seated(left, right.type, left_tree), self._seated(right, left.type, right_tree)
        if one_ is None or other_ is None:
            return None
        if t.join(one_.type, other_.type) is None:
            message = f"{describe(one_.type)} is never equal to {describe(other_.type)}"
            entry = next((side for side in (one_, other_) if isinstance(t.strip(side.type), t.Owned)), None)
            hint = f"name its card: `{spell(entry)}.card`" if entry is not None else "both sides must be of one type"
            self.wrong("AE501", right_tree, message, hint)
            return None
        return one_, other_

    def _word(self, tree: Child) -> int:
        """Whether this is a word of an enumeration, and the other side says of which: 2 if it can be nothing else, 1
        if something else has the name."""
        name = str(tree.children[0]) if isinstance(tree, Tree) and tree.data == "name" else ""
        if not name or name in self.locals or not self.world.enum_values(name):
            return 0
        return 1 if name in self.world.declared else 2

    def _member(
        self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None, negated: bool = False
    ) -> ir.Expr | None:
        among, left, looked = children[-1], None, False
        if (
            isinstance(among, Tree)
            and among.data in ("list", "set")
            and any(self._word(c) == 1 for c in among.children)
        ):
            left, looked = self.check(children[0], facts), True  # its type tells the words from what has their names
        source = self.check(among, facts, t.ListOf(t.strip(left.type), 0) if left is not None else None)
        if source is None:
            if not looked:
                self.check(children[0], facts)
            return None
        inner = t.element(source.type)
        if inner is None:
            self.wrong("AE501", children[-1], f"`in` looks into a collection, and this is {describe(source.type)}")
            return None
        if isinstance(inner, t.Owned):
            if not looked:
                left = self.check(children[0], facts, inner.card)
                looked = True
            if left is None:
                return None
            if t.strip(left.type) == inner.card:
                hint_ = f"as in `{spell(left)} in [g.card for g in {spell(source)}]`"
                self.wrong("AE501", tree, f"this is {describe(left.type)}, and there lie cards with owners", hint_)
                return None
        if not looked:
            left = self.check(children[0], facts, inner)
        left = self.coerce(left, inner, children[0]) if left is not None else None
        return None if left is None else ir.Binary("not in" if negated else "in", left, source, BOOL, self.span(tree))

    def _not_member(
        self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None
    ) -> ir.Expr | None:
        return self._member(tree, children, facts, hint, negated=True)

    def _otherwise(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        left = self.check(children[0], facts, hint)
        if left is None:
            self.check(children[1], facts, hint)
            return None
        if not t.may_be_none(left.type):
            self.wrong("AE501", children[0], f"`{spell(left)}` is never none here, so `otherwise` has nothing to do")
            return None
        kind = t.element(left.type) or t.strip(left.type)
        right = self.check(children[1], facts, kind)
        right = self._seated(right, kind, children[1]) if right is not None else None
        if right is None:
            return None
        found = t.join(kind, right.type)
        if found is None:
            self.wrong("AE501", children[1], f"this must be {describe(kind)}, and is {describe(right.type)}")
            return None
        return ir.Binary("otherwise", left, right, found, self.span(tree))

    # ------------------------------------------------------------------------------ numbers

    def _negative(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        of = self.number(children[-1], facts)
        if of is None:
            return None
        kind = cast(t.Int, of.type)
        span = self.span(tree)
        if isinstance(of, ir.Const):
            return ir.Const(-cast(int, of.value), t.Int(-kind.high, -kind.low), span)
        return ir.Unary("-", of, t.Int(-kind.high, -kind.low), span)

    def _arithmetic(self, tree: Tree[Token], children: list[Child], facts: Facts, op: str) -> ir.Expr | None:
        left, right = self.number(children[0], facts), self.number(children[-1], facts)
        if left is None or right is None:
            return None
        a, b = cast(t.Int, left.type), cast(t.Int, right.type)
        if op in ("//", "%") and b.low <= 0 <= b.high:
            self.wrong("AE502", children[-1], f"this divides by {b}, which can be 0", "as in `max(…, 1)`")
            return None
        kind = ranges.arithmetic(op, a, b)
        if not self._reasonable(kind, tree):
            return None
        return ir.Binary(cast(Literal["+", "-", "*", "//", "%"], op), left, right, kind, self.span(tree))

    def _reasonable(self, kind: t.Int, tree: Child) -> bool:
        if max(abs(kind.low), abs(kind.high)) <= LARGEST:
            return True
        self.wrong("AE502", tree, "this number can be larger than any rule needs (2^40)")
        return False

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
        low, high = self.number(children[0], facts), self.number(children[1], facts)
        if low is None or high is None:
            return None
        a, b = cast(t.Int, low.type), cast(t.Int, high.type)
        length = b.high - a.low + 1
        if length < 1:
            self.wrong(
                "AE502",
                tree,
                "this range ends before it starts",
                f"as in `{b.low}..{a.low}`" if (a.low, b.low) == (a.high, b.high) else "",
            )
            return None
        if length > MOST_LIST:
            self.wrong("AE502", tree, f"this range can hold {length:,} numbers", f"at most {MOST_LIST:,}")
            return None
        return ir.Builtin("range", (low, high), t.ListOf(t.Int(a.low, b.high), length), self.span(tree))

    # ------------------------------------------------------------------------------ gathers

    def gathers(self, tree: Child) -> bool:
        """Whether a tree reads `name in …`, with what may follow."""
        if not isinstance(tree, Tree):
            return False
        if tree.data in ("where", "where_by", "by", "each"):
            return True
        head = tree.children[0] if tree.data == "member" else None
        return isinstance(head, Tree) and head.data == "name"

    def gather(self, tree: Child, facts: Facts = NOTHING) -> Gathered:
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
            return Gathered(None, "", None, facts)
        head = base.children[0]
        if not (isinstance(head, Tree) and head.data == "name"):
            self.wrong("AE301", head, "a new name must stand here", "as in `p in players`")
            return Gathered(None, "", None, facts)
        name = str(head.children[0])
        clear = self.fresh(name, head)
        source = self.check(base.children[1], facts)
        item = t.element(source.type) if source is not None else None
        if source is not None and item is None:
            self.wrong("AE501", base.children[1], f"this must be a collection, and is {describe(source.type)}")
        known = without(facts, [name])
        test = key = None
        with_item = self._with(name, item if clear else None)
        if test_tree is not None:
            test = with_item.of_type(test_tree, BOOL, known)
            known |= facts_if(test, True) if test is not None else NOTHING
        if key_tree is not None:
            key = with_item.number(key_tree, known)
        node = None
        done = (test is None) == (test_tree is None) and (key is None) == (key_tree is None)
        if clear and source is not None and item is not None and done:
            node = ir.Gather(name, source, test, key, down, item, self.span(tree))
        return Gathered(node, name, item if clear else None, known)

    def _with(self, name: str, kind: t.Type | None) -> Checker:
        """A checker for where one more local is known."""
        locals_ = {**self.locals, name: kind} if name else self.locals
        return Checker(self.world, self.parsed, locals_, self.counting)

    def fresh(self, name: str, tree: Child) -> bool:
        """Whether a new local may have this name: it must not hide another."""
        world = self.world
        if reserved(name):
            self.wrong("AE403", tree, f"`{name}` is a word of the language", "choose another name")
        elif name in self.locals or name in world.declared or world.enum_values(name):
            self.wrong("AE403", tree, f"`{name}` already means something here", "choose another name")
        else:
            return True
        return False

    def _aggregate(self, kind: str, tree: Tree[Token], argument: Child, facts: Facts) -> ir.Expr | None:
        """count, sum, any, all, min, max, and lists and sets of what is gathered."""
        over_tree, body_tree = argument, None
        if isinstance(argument, Tree) and argument.data == "each":
            body_tree, over_tree = argument.children
        found = self.gather(over_tree, facts)
        over, inner = found.node, self._with(found.name, found.item)
        if body_tree is not None:
            body = inner.check(body_tree, found.facts)
        elif kind == "any" and over is not None and over.test is not None:
            body = ir.Const(True, BOOL, over.span)
        elif kind in ("any", "all"):
            body = None
            if over is not None:
                hint = f"as in `{kind}(… for {over.name} in …)`"
                self.wrong("AE301", argument, f"`{kind}` asks something of each", hint)
        else:
            body = ir.Local(over.name, over.item, over.span) if over is not None else None
        at = body_tree if body_tree is not None else argument
        if kind in ("any", "all"):
            body = inner.coerce(body, BOOL, at) if body is not None else None
        elif kind in ("sum", "min", "max"):
            body = inner.plain(body, at, f"`{kind}` takes numbers")
            if body is not None and not isinstance(body.type, t.Int):
                self.wrong("AE501", at, f"`{kind}` takes numbers, and this is {describe(body.type)}")
                body = None
        elif kind != "count":
            body = inner.plain(body, at, f"a {kind} holds single values")
            body = inner.no_owner(body, at) if kind == "set" else body
        elif body_tree is not None:
            self.wrong("AE301", tree, "`count` counts what is gathered", "as in `count(p in players where …)`")
            return None
        if over is None or body is None:
            return None
        result = self._aggregated(kind, over, body)
        if isinstance(result, t.Int) and not self._reasonable(result, tree):
            return None
        return ir.Aggregate(
            cast(Literal["count", "sum", "any", "all", "min", "max", "list", "set"], kind),
            body,
            over,
            result,
            self.span(tree),
        )

    @staticmethod
    def _aggregated(kind: str, over: ir.Gather, body: ir.Expr) -> t.Type:
        length = t.most(over.source.type)
        match kind, body.type:
            case "count", _:
                return t.Int(0, length)
            case "sum", t.Int() as number:
                return ranges.summed(number, length)
            case (("min" | "max"), t.Int() as number):
                surely = isinstance(over.source, ir.Everything) and over.test is None
                return number if surely else t.Optional(number)
            case "set", item:
                return t.SetOf(cast(t.Plain, item), length)
            case "list", item:
                return t.ListOf(item, length)
            case _:
                return BOOL

    # ------------------------------------------------------------------------------ calls and collections

    def _call(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        name, args = str(children[0]), children[1:]
        world = self.world
        if name in AGGREGATES and len(args) == 1 and self.gathers(args[0]):
            return self._aggregate(name, tree, args[0], facts)
        if name in ("min", "max") and len(args) >= 2:
            numbers = [self.number(a, facts) for a in args]
            sure = tuple(n for n in numbers if n is not None)
            if len(sure) != len(numbers):
                return None
            kind = ranges.extreme(name, [cast(t.Int, n.type) for n in sure])
            return ir.Builtin(name, sure, kind, self.span(tree))
        if name in AGGREGATES:
            example = "p in players where …" if name == "count" else "… for p in players"
            self.wrong("AE505", tree, f"`{name}` works on what is gathered", f"as in `{name}({example})`")
            return None
        if name in BUILTINS:
            return self._builtin(tree, name, args, facts)
        if name in world.defines and name not in self.locals:
            return self._defined(tree, name, args, facts)
        mine = world.declared[name][0] if name in world.declared else "definition" if name in world.broken else ""
        if name in ENDS and mine != "definition":
            return self._end(tree, name, args, facts)
        for arg in args:
            if not self.gathers(arg):
                self.check(arg, facts)
        if name in world.broken:
            return None
        if name in self.locals or name in world.declared:
            parts = name in world.tables or (name in world.places and world.places[name].each)
            hint_ = f"parts are chosen with [ ]: `{name}[…]`" if parts else ""
            self.wrong("AE505", children[0], f"`{name}` takes no values in brackets", hint_)
        else:
            defines = [n for n, (what, _) in world.declared.items() if what == "definition"]
            known = [*BUILTINS, *ENDS, *AGGREGATES, *defines]
            self.wrong("AE401", children[0], f"unknown function `{name}`", HABITS.get(name) or nearest(name, known))
        return None

    def _counted(self, tree: Tree[Token], name: str, args: list[Child], needs: int) -> bool:
        """Whether a builtin has as many values as it needs."""
        if len(args) == needs:
            return True
        self.wrong("AE505", tree, f"`{name}` takes {needs} value{'s' * (needs > 1)}, and {len(args)} stand here")
        return False

    def _end(self, tree: Tree[Token], name: str, args: list[Child], facts: Facts) -> ir.Expr | None:
        """The first or last of what has an order; none where it is empty."""
        if not self._counted(tree, name, args, 1):
            return None
        if self.gathers(args[0]):
            self.wrong("AE301", args[0], f"`{name}` looks into a list", f"put it into [ ]: `{name}([…])`")
            return None
        node = self.check(args[0], facts)
        if node is None:
            return None
        kind, inner = node.type, t.element(node.type)
        ordered = isinstance(kind, t.ListOf) or (isinstance(kind, t.ZoneOf | t.Tray) and kind.ordered)
        if not ordered or not isinstance(inner, t.Plain):
            hint = f"put it in order: `{name}([c in {spell(node)} by …])`" if inner is not None else ""
            if isinstance(kind, t.ZoneOf):
                hint = "it is that one card, or none" if kind.slot else f"give it `order: kept`, or {hint}"
            elif isinstance(kind, t.Tray):
                hint = f"give it `order: kept`, or put it in order: `{name}([f in {spell(node)} by …])`"
            self.wrong("AE501", args[0], f"`{name}` needs what has an order, and this is {describe(kind)}", hint)
            return None
        kind = inner if _filled(node) else t.Optional(inner)
        return self._narrow(ir.Builtin(name, (node,), kind, self.span(tree)), facts)

    def _builtin(self, tree: Tree[Token], name: str, args: list[Child], facts: Facts) -> ir.Expr | None:
        span = self.span(tree)
        if name in ("left", "right"):
            if len(args) not in (1, 2):
                message = f"`{name}` takes a seat, and perhaps a number, and {len(args)} stand here"
                self.wrong("AE505", tree, message)
                return None
        elif not self._counted(tree, name, args, BUILTINS[name]):
            return None
        if name == "size":
            return self._size(tree, args[0], facts)
        if name in ("left", "right", "automaton", "clockwise"):
            node = self.of_type(args[0], t.Seat(), facts)
            further = [self.number(arg, facts) for arg in args[1:]]
            steps = tuple(step for step in further if step is not None)
            if node is None or len(steps) != len(further):
                return None
            around = t.ListOf(t.Seat(), self.world.players[1])
            kind: t.Type = BOOL if name == "automaton" else around if name == "clockwise" else t.Seat()
            return ir.Builtin(name, (node, *steps), kind, span)
        numbers = [self.number(a, facts) for a in args]
        sure = tuple(n for n in numbers if n is not None)
        if len(sure) != len(numbers):
            return None
        if name in ("odd", "even"):
            return ir.Builtin(name, sure, BOOL, span)
        value, *ends = [cast(t.Int, n.type) for n in sure]
        if name == "abs":
            return ir.Builtin(name, sure, ranges.absolute(value), span)
        least, greatest = ends
        if least.high > greatest.low:
            hint = "as in `clamp(value, low, high)`"
            self.wrong("AE502", tree, "the lower end of `clamp` can lie above the upper one", hint)
            return None
        return ir.Builtin(name, sure, ranges.clamped(value, least, greatest), span)

    def _size(self, tree: Tree[Token], arg: Child, facts: Facts) -> ir.Expr | None:
        if self.gathers(arg):
            self.wrong("AE301", arg, "`size` counts a collection", "what is gathered is counted by `count(…)`")
            return None
        node = self.check(arg)  # without facts: a zone for one card stays a zone
        if node is None:
            return None
        if t.element(node.type) is None:
            self.wrong("AE501", arg, f"`size` counts a collection, and this is {describe(node.type)}")
            return None
        low, high = 0, t.most(node.type)
        if isinstance(node, ir.Everything):
            low = self.world.players[0] if node.of in ("players", "seats") else high
        return ir.Builtin("size", (node,), t.Int(low, high), self.span(tree))

    def _defined(self, tree: Tree[Token], name: str, args: list[Child], facts: Facts) -> ir.Expr | None:
        define = self.world.defines[name]
        if len(args) != len(define.params):
            needs = ", ".join(f"{kind} {n}" for n, kind in define.params)
            count = f"{len(define.params)} value{'s' * (len(define.params) != 1)}"
            message = f"`{name}` takes {count}, and {len(args) or 'none'} stand{'s' * (len(args) < 2)} here"
            self.wrong("AE505", tree, message, f"it is `{name}({needs})`" if define.params else f"it is `{name}`")
            return None
        nodes: list[ir.Expr] = []
        for arg, (param, wanted) in zip(args, define.params, strict=True):
            node = self.of_type(arg, wanted, facts, f"`{param}`")
            if node is not None and not t.within(node.type, wanted):
                self.wrong("AE502", arg, f"this {being(node.type)}, and `{param}` is {wanted}", _inside(wanted))
            elif node is not None:
                nodes.append(node)
        if len(nodes) != len(args):
            return None
        return self._narrow(ir.Call(name, tuple(nodes), define.body.type, self.span(tree)), facts)

    def _list(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._collection("list", tree, children, facts, hint)

    def _set(self, tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None) -> ir.Expr | None:
        return self._collection("set", tree, children, facts, hint)

    def _collection(
        self, kind: Literal["list", "set"], tree: Tree[Token], children: list[Child], facts: Facts, hint: t.Type | None
    ) -> ir.Expr | None:
        if len(children) == 1 and self.gathers(children[0]):
            return self._aggregate(kind, tree, children[0], facts)
        wanted = t.element(hint) if hint is not None else None
        if not children:
            if not isinstance(wanted, t.Plain):
                other = f"this must be {describe(hint)}, and is an empty {kind}" if hint is not None else ""
                self.wrong("AE501", tree, other or f"nothing tells of what this is a {kind}")
                return None
            return ir.Collection(
                kind, (), t.SetOf(wanted, 0) if kind == "set" else t.ListOf(wanted, 0), self.span(tree)
            )
        nodes = [self.plain(self.check(c, facts, wanted), c, f"a {kind} holds single values") for c in children]
        if kind == "set":
            nodes = [self.no_owner(node, child) for node, child in zip(nodes, children, strict=True)]
        inner: t.Type | None = wanted if wanted == t.Seat() else None
        items: list[ir.Expr] = []
        for node, child in zip(nodes, children, strict=True):
            node = self._seated(node, inner, child) if node is not None else None
            if node is None:
                continue
            joined = t.join(inner, node.type) if inner is not None else node.type
            if joined is None and inner is not None:
                self.wrong("AE501", child, f"the first is {describe(inner)}, and this is {describe(node.type)}")
                return None
            inner = joined
            items.append(node)
        if len(items) != len(children) or not isinstance(inner, t.Plain):
            return None
        of = t.SetOf(inner, len(items)) if kind == "set" else t.ListOf(inner, len(items))
        return ir.Collection(kind, tuple(items), of, self.span(tree))

    def _seated(self, node: ir.Expr, other: t.Type | None, tree: Child) -> ir.Expr | None:
        """A number where the other value is a seat is a seat."""
        if other is not None and t.strip(other) == t.Seat() and isinstance(node.type, t.Int):
            return self.coerce(node, t.Seat(), tree)
        return node


def _filled(node: ir.Expr) -> bool:
    """Whether a collection surely holds something."""
    match node:
        case ir.Everything() | ir.Builtin("clockwise"):
            return True
        case ir.Collection(_, items):
            return bool(items)
        case ir.Aggregate("list" | "set", _, over):
            return over.test is None and _filled(over.source)
        case _:
            return False


def _inside(wanted: t.Type) -> str:
    """How a value is brought inside a range."""
    kind = t.strip(wanted)
    return f"as in `clamp(…, {kind.low}, {kind.high})`" if isinstance(kind, t.Int) else ""
