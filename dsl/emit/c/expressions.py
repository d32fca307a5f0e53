"""Expressions of the IR in C: an expression as text, and before it the statements that it needs.

Everything that is decided on the way from the IR to C is decided here and in `fields.py`: what becomes a loop with a
temporary, that the right side of `and`, `or`, `otherwise` and of a choice is worked out only where it counts, that none
is a number that nothing else is, that `//` and `%` are Python's, that sets are bits and lists are arrays with their
length. Expressions have no effects and always end; so what is worked out before one may be worked out in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.fields import Fields
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.masks import Masks
from aeronef.dsl.emit.c.names import FILE, CNames
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.expressions import OPPOSITE, Spelt, places, wrapped
from aeronef.dsl.emit.lines import Lines
from aeronef.dsl.plan.ends import End, Ends
from aeronef.dsl.walk import nodes

TERNARY, OR, AND, COMPARE, SUM, PRODUCT, UNARY, ATOM = range(8)
STRENGTH = {"==": COMPARE, "!=": COMPARE, "<": COMPARE, "<=": COMPARE, ">": COMPARE, ">=": COMPARE, "+": SUM,
            "-": SUM, "*": PRODUCT}  # fmt: skip
MOST_LISTED = 10_000
MOST_BRIEF = 8
MOST_ASKED = 12
MOST_AT_ONCE = 16


class Lowering:
    """`temporaries` tells how often each name was asked for in the function at hand."""

    def __init__(self, game: ir.Game, fields: Fields, names: CNames, writer: Writer) -> None:
        self.game, self.fields, self.names, self.writer = game, fields, names, writer
        self.sets = fields.sets
        self.defines = {d.name: d for d in game.defines}
        self.each_of = {place.name: place.each for place in places(game)}
        self.tables = {table.name: table for table in game.tables}
        self.ends = Ends(game)
        self.masks = Masks(self, fields.boards)
        self.temporaries: Counter[str] = Counter()
        self.list_most = fields.list_most  # also of what is listed on the way
        self.file = FILE | set(names.given.given.values())
        named = (n for n in nodes((game.defines, game.phases, game.result)) if hasattr(n, "name"))
        self.locals = {n.name for n in named if isinstance(n, ir.Local | ir.Gather | ir.Let | ir.Parameter)}

    # ------------------------------------------------------------------------------ names

    def fresh(self, wish: str) -> str:
        """A name that this function does not have yet."""
        while True:
            self.temporaries[wish] += 1
            number = self.temporaries[wish]
            name = f"{wish}{number}" if number > 1 else wish
            if name not in self.locals and name not in self.file:
                return name

    def ctype(self, kind: t.Type) -> str:
        match kind:
            case t.Bool():
                return "bool"
            case t.SetOf():
                return "Set"
            case t.ListOf():
                return "List"
            case _:
                return "int"

    def constant(self, value: int | bool | None, kind: t.Type) -> str:
        inner = t.strip(kind)
        if value is None:
            return "NONE"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(inner, t.Enum):
            return self.names["value", inner.name, inner.values[value]]
        return str(value)

    def uses(self, node: object, name: str) -> bool:
        return any(isinstance(n, ir.Local) and n.name == name for n in nodes(node))

    # ------------------------------------------------------------------------------ values

    def spell(self, node: ir.Expr, around: int = TERNARY) -> str:
        """The expression, in brackets if it holds together less strongly than what is around it needs."""
        return wrapped(self.value(node), around)

    def value(self, node: ir.Expr) -> Spelt:
        """A number, bool or set; what it needs is written before."""
        if isinstance(node.type, t.ListOf):
            return self.list_of(node), ATOM
        if (said := self.masks.said(node)) is not None:
            return said
        match node:
            case ir.Const(value, kind):
                text = self.constant(value, kind)
                return text, UNARY if text.startswith("-") else ATOM
            case ir.Local(name):
                return self.names.local(name), ATOM
            case ir.Labelled(of, label):
                return self.names["card", of, label], ATOM
            case ir.Read(name) if self.fields.all[name].form == "board":
                return self.masks.read(node)
            case ir.Read():
                return self.read(node), ATOM
            case ir.Lookup(name, keys):
                table = self.tables[name]
                digits = "".join(f"[{self.digit(k, kind)}]" for k, kind in zip(keys, table.each, strict=True))
                return self.names["facts", name] + digits, ATOM
            case ir.Attribute(of, name):
                return self._attribute(of, name)
            case ir.Unary("not", of):
                return self._negated(of)
            case ir.Unary(_, of):
                return f"-{self.spell(of, ATOM)}", UNARY
            case ir.Binary():
                return self._binary(node)
            case ir.Choice(test, then, other):
                return self._choice(test, then, other, node.type)
            case ir.Call(name, args):
                define = self.defines[name]
                if isinstance(define.body, ir.Const):
                    return self.value(define.body)
                given = "".join(f", {self.spell(a)}" for a in args)
                return f"{self.names['define', name]}(at{given})", ATOM
            case ir.Builtin(name, args):
                end = self.ends.card(node)
                return self._at_end(end) if end is not None else self._builtin(name, args)
            case ir.Collection("set", items):
                return self.sets.of([self.spell(item) for item in items]), ATOM
            case ir.Aggregate():
                return self._most(node) or self._aggregate(node)
            case ir.Watched():
                raise NotYet("games that count what is exercised", line=node.span.line)
            case ir.Option(name):
                raise AssertionError(f"the option {name} is settled")
            case _:
                raise AssertionError(f"a {node.type} is gone through, and never a value")

    def read(self, node: ir.Read) -> str:
        """A variable or zone, or a part of it."""
        kinds = self.each_of[node.name]
        return f"at->{self.names.fields[node.name]}" + "".join(
            f"[{self.digit(index, kind)}]" for index, kind in zip(node.index, kinds, strict=True)
        )

    def digit(self, node: ir.Expr, kind: t.Type) -> str:
        """The place of a value among all of its type, counted from 0."""
        return self.counted(self.value(node), kind)[0]

    def counted(self, value: Spelt, kind: t.Type) -> Spelt:
        low = kind.low if isinstance(kind, t.Int) else 0
        if not low:
            return value
        text, _ = value
        if text.lstrip("-").isdecimal():
            return str(int(text) - low), ATOM
        return f"{wrapped(value, SUM)} {'-' if low > 0 else '+'} {abs(low)}", SUM

    def _attribute(self, of: ir.Expr, name: str) -> Spelt:
        kind = of.type.card if isinstance(of.type, t.ZoneOf) else t.strip(of.type)
        if isinstance(kind, t.Owned):
            entry = self.plain(of)
            part = f"{entry} {'/' if name == 'owner' else '%'} {self.names['kinds', kind.card.name]}"
            return (f"{entry} == NONE ? NONE : {part}", TERNARY) if t.may_be_none(of.type) else (part, PRODUCT)
        assert isinstance(kind, t.Card)
        card = self.spell(of)
        if t.may_be_none(of.type) or isinstance(of.type, t.Nothing):
            return f"{self.names['attribute or none', kind.name, name]}({card})", ATOM
        return f"{self.names['attribute', kind.name, name]}[{card}]", ATOM

    # ------------------------------------------------------------------------------ what is worked out only sometimes

    def aside(self, node: ir.Expr) -> tuple[Lines, Spelt]:
        """A value, and the statements that it needs, at the depth where the writer is."""
        with self.writer.aside() as lines:
            value = self.value(node)
        return lines, value

    def _choice(self, test: ir.Expr, then: ir.Expr, other: ir.Expr, kind: t.Type) -> Spelt:
        asked = self.spell(test, OR)
        (before, yes), (after, no) = self.aside(then), self.aside(other)
        if not before and not after:
            return f"{asked} ? {wrapped(yes, OR)} : {wrapped(no, TERNARY)}", TERNARY
        name, write = self.fresh("chosen"), self.writer
        write.line(f"{self.ctype(kind)} {name};")
        for head, lines, (text, _) in ((f"if ({asked})", before, yes), ("else", after, no)):
            with write.block(head):
                write.put(lines, 1)
                write.line(f"{name} = {text};")
        return name, ATOM

    def _joined(self, op: str, left: ir.Expr, right: ir.Expr) -> Spelt:
        """`and`, `or`: the two never stand inside each other without brackets."""
        own, other = (AND, OR) if op == "and" else (OR, AND)
        one = self._side(self.value(left), own, other)
        lines, two = self.aside(right)
        if not lines:
            return f"{one} {'&&' if op == 'and' else '||'} {self._side(two, own, other)}", own
        name, write = self.fresh("both" if op == "and" else "either"), self.writer
        write.line(f"bool {name} = {one};")
        with write.block(f"if ({name if op == 'and' else '!' + name})"):
            write.put(lines, 1)
            write.line(f"{name} = {two[0]};")
        return name, ATOM

    @staticmethod
    def _side(spelt: Spelt, own: int, other: int) -> str:
        return wrapped(spelt, ATOM if spelt[1] == other else own)

    def _otherwise(self, left: ir.Expr, right: ir.Expr) -> Spelt:
        value = self.spell(left)
        if not t.may_be_none(left.type) and not isinstance(left.type, t.Nothing):
            return value, TERNARY
        lines, (fallback, _) = self.aside(right)
        if isinstance(right, ir.Const | ir.Local):
            return f"otherwise({value}, {fallback})", ATOM
        name, write = self.fresh("value"), self.writer
        write.line(f"int {name} = {value};")
        with write.block(f"if ({name} == NONE)"):
            write.put(lines, 1)
            write.line(f"{name} = {fallback};")
        return name, ATOM

    # ------------------------------------------------------------------------------ operators

    def _binary(self, node: ir.Binary) -> Spelt:
        op, left, right = node.op, node.left, node.right
        match op:
            case "and" | "or":
                return self._joined(op, left, right)
            case "otherwise":
                return self._otherwise(left, right)
            case "in" | "not in":
                return self._member(op == "in", left, right)
            case "//" | "%":
                return self._divided(op, left, right)
            case "==" | "!=":
                return self._slot_size(op, left, right) or self._equal(op, left, right)
        if found := self._slot_size(op, left, right):
            return found
        own = STRENGTH[op]
        tight = own + (own == COMPARE or op == "-")
        return f"{self.spell(left, own + (own == COMPARE))} {op} {self.spell(right, tight)}", own

    def _slot_size(self, op: str, left: ir.Expr, right: ir.Expr) -> Spelt | None:
        """Whether a place for one card is taken, as a comparison of its size."""
        if not (isinstance(left, ir.Builtin) and left.name == "size" and isinstance(right, ir.Const)):
            return None
        kind = left.args[0].type
        if not (isinstance(kind, t.ZoneOf) and kind.slot):
            return self._few(op, left.args[0], int(right.value or 0))
        taken = {(">", 0): "!=", (">=", 1): "!=", ("==", 1): "!=", ("!=", 0): "!=", ("==", 0): "==", ("<", 1): "==",
                 ("<=", 0): "==", ("!=", 1): "=="}.get((op, int(right.value or 0)))  # fmt: skip
        return (f"{self.spell(left.args[0], SUM)} {taken} NONE", COMPARE) if taken else None

    def _few(self, op: str, of: ir.Expr, number: int) -> Spelt | None:
        """How many bits there are, against 0 or 1, without counting them."""
        if not (isinstance(of, ir.Read) and self.fields.all[of.name].form in ("bits", "set")):
            return None
        op, number = {"<": ("<=", number - 1), ">=": (">", number - 1)}.get(op, (op, number))
        sign = {"==": "==", "<=": "==", "!=": "!=", ">": "!="}[op]
        if number == 0:
            return f"{self.read(of)} {sign} 0", COMPARE
        if number == 1 and op in ("<=", ">"):
            bits = self.read(of)
            return f"({bits} & ({bits} - 1)) {sign} 0", COMPARE
        return None

    def _equal(self, op: str, left: ir.Expr, right: ir.Expr) -> Spelt:
        if isinstance(left, ir.Const) and not isinstance(right, ir.Const):
            left, right = right, left
        if isinstance(right, ir.Const) and isinstance(right.value, bool) and isinstance(left.type, t.Bool):
            return self.value(left) if right.value == (op == "==") else self._negated(left)
        one, other = self.spell(left, SUM), self.spell(right, SUM)
        if one == other:  # as options settle it: `k == (hands otherwise k)`
            return "true" if op == "==" else "false", ATOM
        if isinstance(left.type, t.SetOf) and not self.sets.one:
            return f"{'' if op == '==' else '!'}set_same({one}, {other})", UNARY
        return f"{one} {op} {other}", COMPARE

    def _divided(self, op: str, left: ir.Expr, right: ir.Expr) -> Spelt:
        low, least = self.fields.bounds(left.type)[0], self.fields.bounds(right.type)[0]
        if low >= 0 and least > 0:
            sign = "/" if op == "//" else "%"
            return f"{self.spell(left, PRODUCT)} {sign} {self.spell(right, UNARY)}", PRODUCT
        # A divisor can only be 0 where a test keeps everybody out that options have settled: that is never reached.
        name = "floor_div" if op == "//" else "floor_mod"
        return f"{name}({self.spell(left)}, {self.spell(right)})", ATOM

    def _negated(self, of: ir.Expr) -> Spelt:
        if (said := self.masks.said(of, there=False)) is not None:
            return said
        match of:
            case ir.Binary(op, left, right, kind, span) if op in OPPOSITE:
                return self._binary(ir.Binary(OPPOSITE[op], left, right, kind, span))  # type: ignore[arg-type]
            case ir.Unary("not", inner):
                return self.value(inner)
            case ir.Builtin("odd" | "even" as name, args):
                return self._builtin("even" if name == "odd" else "odd", args)
            case _:
                return f"!{self.spell(of, ATOM)}", UNARY

    def _member(self, there: bool, left: ir.Expr, right: ir.Expr) -> Spelt:
        negative = "" if there else "!"
        if isinstance(right.type, t.ZoneOf) and right.type.slot:
            return f"{self.spell(left, SUM)} {'==' if there else '!='} {self.spell(right, SUM)}", COMPARE
        if isinstance(right, ir.Builtin) and right.name == "range":
            value = self.plain(left)
            low, high = (self.spell(end, SUM) for end in right.args)
            if there:
                return f"{low} <= {value} && {value} <= {high}", AND
            return f"{value} < {low} || {high} < {value}", OR
        if isinstance(right, ir.Collection) and right.items and all(isinstance(i, ir.Const) for i in right.items):
            value, sign, joint = self.plain(left), *(("==", " || ") if there else ("!=", " && "))
            tests = [f"{value} {sign} {self.spell(item, SUM)}" for item in right.items]
            return joint.join(tests), COMPARE if len(tests) == 1 else OR if there else AND
        if isinstance(right, ir.Read) and isinstance(right.type, t.ZoneOf):
            zone = self.read(right)
            match self.fields.all[right.name].form:
                case "pile":
                    card = self.plain(left)
                    one = f"{zone}.of[{card}]"
                    if t.may_be_none(left.type):
                        return f"{card} {'!=' if there else '=='} NONE {'&&' if there else '||'} " \
                               f"{one} {'>' if there else '=='} 0", AND if there else OR  # fmt: skip
                    return f"{one} {'>' if there else '=='} 0", COMPARE
                case "bits":
                    return f"{negative}has({zone}, {self.spell(left)})", UNARY
        if isinstance(right, ir.Everything):
            value, (first, last) = self.plain(left), self.span(right)
            if there:
                return f"{first} <= {value} && {value} <= {last}", AND
            return f"{value} < {first} || {last} < {value}", OR
        if isinstance(right.type, t.SetOf):
            return f"{negative}has({self.set_of(right)}, {self.spell(left)})", UNARY
        value = self.spell(left)
        return f"{negative}list_has(&{self.list_of(right)}, {value})", UNARY

    def plain(self, node: ir.Expr) -> str:
        """A value that may be written twice."""
        text, _ = self.value(node)
        if text.replace("_", "a").isalnum():
            return text
        name = self.fresh("value")
        self.writer.line(f"const {self.ctype(node.type)} {name} = {text};")
        return name

    def _builtin(self, name: str, args: tuple[ir.Expr, ...]) -> Spelt:
        match name:
            case "size":
                return self.size(args[0])
            case "odd" | "even":
                return f"{self.spell(args[0], PRODUCT)} % 2 {'!=' if name == 'odd' else '=='} 0", COMPARE
            case "abs":
                return f"absolute({self.spell(args[0])})", ATOM
            case "min" | "max":
                text, *more = (self.spell(a) for a in args)
                for other in more:
                    text = f"{'least' if name == 'min' else 'greatest'}({text}, {other})"
                return text, ATOM
            case "clamp":
                value, low, high = (self.spell(a) for a in args)
                return f"least(greatest({value}, {low}), {high})", ATOM
            case "left" | "right":
                steps = self.spell(args[1]) if len(args) > 1 else "1"
                return f"{name}({self.spell(args[0])}, {steps})", ATOM
            case "automaton":
                return f"{self.spell(args[0], SUM)} >= PLAYERS", COMPARE
            case "first" | "last":
                return self._end(name, args[0])
            case _:
                raise AssertionError(f"`{name}` is gone through, and never a value")

    def _end(self, name: str, of: ir.Expr) -> Spelt:
        if isinstance(of, ir.Read) and self.fields.all[of.name].form in ("line", "sorted"):
            row = self.read(of)
            return f"{row}.n > 0 ? {row}.item[{'0' if name == 'first' else f'{row}.n - 1'}] : NONE", TERNARY
        if isinstance(of, ir.Aggregate) and of.kind == "list" and of.over.key is not None:
            return self._extreme(name, of.body, of.over), ATOM
        return f"{name}_of(&{self.list_of(of)})", ATOM

    def _at_end(self, end: End, table: str = "") -> Spelt:
        """The first or last card of a zone in the order of its type, or what a table has for it; or NONE."""
        zone, write = self.read(end.zone), self.writer
        if self.fields.all[end.zone.name].form == "bits":
            there, card = f"{zone} != 0", f"{'highest' if end.last else 'lowest'}({zone})"
        else:
            there, card, kinds = f"{zone}.n > 0", self.fresh("last" if end.last else "first"), self._kinds(end.zone)
            write.line(f"int {card} = {f'{kinds} - 1' if end.last else 0};")
            with write.block(f"while ({card} {'>= 0' if end.last else f'< {kinds}'} && {zone}.of[{card}] == 0)"):
                write.line(f"{card}{'--' if end.last else '++'};")
        return f"{there} ? {f'{table}[{card}]' if table else card} : NONE", TERNARY

    def _most(self, node: ir.Aggregate) -> Spelt | None:
        """The least or greatest of an attribute, where the card that has it lies at an end of its zone."""
        if (found := self.ends.most(node)) is None:
            return None
        end, attribute = found
        assert isinstance(end.zone.type, t.ZoneOf)
        return self._at_end(end, self.names["attribute", end.zone.type.card.name, attribute])

    def _extreme(self, name: str, body: ir.Expr, over: ir.Gather) -> str:
        """The first or last of what is gathered by its key: of those with the least or greatest key the first, or the
        last, in the source's order."""
        write, key = self.writer, over.key
        assert key is not None
        found, best = self.fresh(name), self.fresh("best")
        write.line(f"int {found} = NONE, {best} = 0;")
        least = (name == "first") != over.down
        sign = ("<" if least else ">") + ("=" if name == "last" else "")
        none = self.fresh("none")
        write.line(f"bool {none} = true;")
        with self.gathered(over, body, ir.Local(over.name, over.item, over.span), repeats=False):
            value = self.plain(key)
            with write.block(f"if ({none} || {value} {sign} {best})"):
                write.line(f"{none} = false;")
                write.line(f"{best} = {value};")
                write.line(f"{found} = {self.spell(body)};")
        return found

    # ------------------------------------------------------------------------------ collections

    def size(self, of: ir.Expr) -> Spelt:
        if isinstance(of, ir.Read):
            text = self.read(of)
            match self.fields.all[of.name].form:
                case "slot":
                    return f"({text} == NONE ? 0 : 1)", ATOM
                case "bits" | "set":
                    return f"size_of({text})", ATOM
                case "pile" | "line" | "sorted":
                    return f"{text}.n", ATOM
        match of:
            case ir.Everything():
                low, high = self.span(of)
                return str(high - low + 1), ATOM
            case ir.Aggregate("list", body, over):
                return self._aggregate(ir.Aggregate("count", body, over, t.Int(0, t.most(of.type)), of.span))
        if isinstance(of.type, t.SetOf):
            return f"size_of({self.set_of(of)})", ATOM
        return f"{self.list_of(of)}.n", ATOM

    def span(self, node: ir.Everything) -> tuple[int, int]:
        """The numbers of the first and the last."""
        if node.of == "players":
            return 0, self.fields.players - 1
        kind = t.element(node.type)
        assert kind is not None
        return self.fields.bounds(kind)

    def set_of(self, node: ir.Expr) -> str:
        """A collection as a set."""
        if isinstance(node.type, t.SetOf):
            return self.value(node)[0]
        if isinstance(node, ir.Read) and self.fields.all[node.name].form == "bits":
            return self.read(node)
        if isinstance(node, ir.Aggregate) and node.kind == "list":
            return self._aggregate(ir.Aggregate("set", node.body, node.over, node.type, node.span))[0]
        if isinstance(node, ir.Everything):
            low, high = self.span(node)
            return self.sets.known(range(low, high + 1))
        name, write = self.fresh("found"), self.writer
        write.line(f"Set {self.sets.empty(name)}")
        item = self.fresh("more")
        with self.each(node, item, repeats=False):
            write.line(self.sets.put(name, item))
        return name

    def list_of(self, node: ir.Expr) -> str:
        """A collection as a list: the name of a variable that holds it."""
        write = self.writer
        match node:
            case ir.Local(name, t.ListOf()):
                return self.names.local(name)
            case ir.Call(called, args) if isinstance(node.type, t.ListOf):
                name = self.fresh("list")
                given = "".join(f", {self.spell(a)}" for a in args)
                write.line(f"const List {name} = {self.names['define', called]}(at{given});")
                return name
            case ir.Collection(_, items) if isinstance(node.type, t.ListOf):
                values = [self.spell(item) for item in items]
                name = self.fresh("list")
                write.line(f"const List {name} = {{{len(values)}, {{{', '.join(values) or '0'}}}}};")
                return name
            case ir.Aggregate("list", body, over):
                return self._listed(body, over)
            case ir.Choice(test, then, other):
                asked = self.spell(test)
                name = self.fresh("list")
                write.line(f"List {name};")
                for head, side in ((f"if ({asked})", then), ("else", other)):
                    with write.block(head):
                        write.line(f"{name} = {self.list_of(side)};")
                return name
            case _:
                self._lists(node)
                name = self.fresh("list")
                write.line(f"List {name};")
                write.line(f"{name}.n = 0;")
                item = self.fresh("more")
                with self.each(node, item):
                    write.line(f"push(&{name}, {item});")
                return name

    def _lists(self, source: ir.Expr) -> None:
        """A list has to have room for all of a collection."""
        most, kind = t.most(source.type), source.type
        if isinstance(kind, t.ZoneOf) and not kind.slot:
            most = self.fields.total(kind.card.name)
        self.list_most = max(self.list_most, most, self.fields.seats)
        if self.list_most > MOST_LISTED:
            raise NotYet(f"lists of {self.list_most:,} items", line=source.span.line)

    def _listed(self, body: ir.Expr, over: ir.Gather) -> str:
        write = self.writer
        self._lists(over.source)
        if over.key is not None:
            ordered = self.ordered(over)
            if isinstance(body, ir.Local) and body.name == over.name:
                return ordered
            name, place = self.fresh("list"), self.fresh("i")
            write.line(f"List {name};")
            write.line(f"{name}.n = 0;")
            with write.block(f"for (int {place} = 0; {place} < {ordered}.n; {place}++)"):
                if self.uses(body, over.name):
                    write.line(f"const int {self.names.local(over.name)} = {ordered}.item[{place}];")
                write.line(f"push(&{name}, {self.spell(body)});")
            return name
        name = self.fresh("list")
        write.line(f"List {name};")
        write.line(f"{name}.n = 0;")
        with self.gathered(over, body):
            write.line(f"push(&{name}, {self.spell(body)});")
        return name

    def ordered(self, over: ir.Gather) -> str:
        """What a gather gives, by its key, as a list; ties keep the source's order."""
        assert over.key is not None
        write = self.writer
        self._lists(over.source)
        order, keys = self.fresh("order"), self.fresh("keys")
        write.line(f"List {order}, {keys};")
        write.line(f"{order}.n = {keys}.n = 0;")
        verb = "insert_down" if over.down else "insert_up"
        with self.gathered(over, ir.Local(over.name, over.item, over.span)):
            write.line(f"{verb}(&{order}, &{keys}, {self.names.local(over.name)}, {self.spell(over.key)});")
        return order

    def filtered(self, over: ir.Gather) -> str:
        """What a gather gives, as a list, whatever changes afterwards."""
        if over.key is not None:
            return self.ordered(over)
        return self._listed(ir.Local(over.name, over.item, over.span), over)

    # ------------------------------------------------------------------------------ loops

    @contextmanager
    def gathered(self, over: ir.Gather, *parts: object, repeats: bool = True) -> Iterator[None]:
        """Once for each item that the test lets through, in the source's order; its name is there if `parts` use it."""
        needed = self.uses((over.test, over.key, *parts), over.name)
        with self.each(over.source, self.names.local(over.name), needed, repeats, over.name):
            if over.test is None:
                yield
            else:
                with self.writer.block(f"if ({self.spell(over.test)})"):
                    yield

    @contextmanager
    def _by_kind(self, over: ir.Gather, *parts: object) -> Iterator[str]:
        """As gathered, of a zone that counts its cards once for each kind: how many there are is what it gives."""
        source = over.source
        if not (isinstance(source, ir.Read) and self.fields.all[source.name].form == "pile"):
            with self.gathered(over, *parts):
                yield ""
            return
        zone, card = self.read(source), self.fresh("card")
        brief = is_brief((over.test, *parts))
        with (
            self.writer.block(f"for (int {card} = 0; {card} < {self._kinds(source)}; {card}++)"),
            nullcontext() if brief else self.writer.block(f"if ({zone}.of[{card}] > 0)"),
        ):
            if self.uses((over.test, *parts), over.name):
                self.writer.line(f"const int {self.names.local(over.name)} = {card};")
            with self.writer.block(f"if ({self.spell(over.test)})") if over.test is not None else nullcontext():
                yield f"{zone}.of[{card}]"

    @contextmanager
    def each(
        self, source: ir.Expr, item: str, needed: bool = True, repeats: bool = True, name: str = ""
    ) -> Iterator[None]:
        """One loop through a collection in its order, from which `break` leads out unless it `repeats` equal cards.
        What is gone through is settled before. `name` is the item's in the spec, which the source does not mean."""
        write = self.writer
        form = self.fields.all[source.name].form if isinstance(source, ir.Read) else ""
        if isinstance(source, ir.Everything):
            low, high = self.span(source)
            end = {"players": "PLAYERS", "seats": "SEATS"}.get(source.of, str(high + 1))
            with write.block(f"for (int {item} = {low}; {item} < {end}; {item}++)"):
                yield
        elif isinstance(source, ir.Builtin) and source.name == "range":
            low_, high_ = (self._bound(end, name) for end in source.args)
            with write.block(f"for (int {item} = {low_}; {item} <= {high_}; {item}++)"):
                yield
        elif isinstance(source, ir.Builtin) and source.name == "clockwise":
            seat, place = self.plain(source.args[0]), self.fresh("i")
            with write.block(f"for (int {place} = 0; {place} < PLAYERS; {place}++)"):
                if needed:
                    write.line(f"const int {item} = clockwise({seat}, {place});")
                yield
        elif form == "slot":
            assert isinstance(source, ir.Read)
            held = self.fresh("value")
            with write.block(f"for (int {held} = {self.read(source)}; {held} != NONE; {held} = NONE)"):
                if needed:
                    write.line(f"const int {item} = {held};")
                yield
        elif form == "pile":
            assert isinstance(source, ir.Read)
            zone, kinds = self.read(source), self._kinds(source)
            card = self.fresh("card")
            with write.block(f"for (int {card} = 0; {card} < {kinds}; {card}++)"):
                counter = self.fresh("i")
                head = f"for (int {counter} = {zone}.of[{card}]; {counter} > 0; {counter}--)"
                with write.block(head if repeats else f"if ({zone}.of[{card}] > 0)"):
                    if needed:
                        write.line(f"const int {item} = {card};")
                    yield
        elif form == "bits" or isinstance(source.type, t.SetOf):
            bits = self.fresh("bits")
            text = self.set_of(source)
            with write.block(self.sets.through(bits, text)):
                if needed:
                    write.line(f"const int {item} = lowest({bits});")
                yield
        else:
            if form in ("line", "sorted"):
                assert isinstance(source, ir.Read)
                row = self.read(source)
            else:  # a list, or one of two zones
                assert isinstance(source.type, t.ListOf) or isinstance(source, ir.Choice)
                row = self.list_of(source)
            place = self.fresh("i")
            with write.block(f"for (int {place} = 0; {place} < {row}.n; {place}++)"):
                if needed:
                    write.line(f"const int {item} = {row}.item[{place}];")
                yield

    def _bound(self, end: ir.Expr, name: str) -> str:
        if isinstance(end, ir.Const):
            return self.spell(end)
        if isinstance(end, ir.Local) and end.name != name:
            return self.spell(end)
        bound = self.fresh("bound")
        self.writer.line(f"const int {bound} = {self.spell(end)};")
        return bound

    def _kinds(self, zone: ir.Read) -> str:
        assert isinstance(zone.type, t.ZoneOf)
        return self.names["kinds", zone.type.card.name]

    # ------------------------------------------------------------------------------ aggregates

    def _aggregate(self, node: ir.Aggregate) -> Spelt:
        write, over, body = self.writer, node.over, node.body
        match node.kind:
            case "count" if over.test is None:
                return self.size(over.source)
            case "count":
                name = self.fresh("n_" + self.names.local(over.name))
                write.line(f"int {name} = 0;")
                with self._by_kind(over) as times:
                    write.line(f"{name} += {times};" if times else f"{name}++;")
            case "sum":
                name = self.fresh("total")
                write.line(f"int {name} = 0;")
                with self._by_kind(over, body) as times:
                    value = self.spell(body, PRODUCT if times else TERNARY)
                    write.line(f"{name} += {f'{times} * {value}' if times else value};")
            case "any" | "all":
                name, sought = self.fresh(node.kind), node.kind == "any"
                write.line(f"bool {name} = {'false' if sought else 'true'};")
                if self._brief(node):
                    with self.gathered(over, body):
                        write.line(f"{name} {'|=' if sought else '&='} {self.spell(body)};")
                    return name, ATOM
                with self.gathered(over, body, repeats=False):
                    found, ends = (
                        "true" if sought else "false",
                        (f"{name} = {'true' if sought else 'false'};", "break;"),
                    )
                    if isinstance(body, ir.Const) and self.constant(body.value, body.type) == found:
                        for line in ends:
                            write.line(line)
                    else:
                        test = self.spell(body) if sought else self._negated(body)[0]
                        with write.block(f"if ({test})"):
                            for line in ends:
                                write.line(line)
            case "min" | "max":
                name = self.fresh("best")
                write.line(f"int {name} = NONE;")
                with self.gathered(over, body, repeats=False):
                    value = self.plain(body)
                    with write.block(f"if ({name} == NONE || {value} {'<' if node.kind == 'min' else '>'} {name})"):
                        write.line(f"{name} = {value};")
            case "set":
                name = self.fresh("found")
                write.line(f"Set {self.sets.empty(name)}")
                with self.gathered(over, body, repeats=False):
                    write.line(self.sets.put(name, self.spell(body)))
            case _:
                raise AssertionError(node.kind)
        return name, ATOM

    def _brief(self, node: ir.Aggregate) -> bool:
        """Whether it is quicker to ask of all of a few than to stop at the first: such a loop has no branches."""
        return 0 < self._asked(node) <= MOST_AT_ONCE

    def _asked(self, node: ir.Aggregate) -> int:
        """How often a loop without branches would ask; 0 where it would have some, or asks too much."""
        if not isinstance(node.over.source, ir.Everything) or node.over.test is not None:
            return 0
        low, high = self.span(node.over.source)
        if high - low >= MOST_BRIEF:
            return 0
        if self.masks.asks(node.body):
            return high - low + 1
        if isinstance(node.body, ir.Aggregate) and node.body.kind in ("any", "all"):
            return (high - low + 1) * self._asked(node.body)
        inside = list(nodes(node.body))
        plain = all(isinstance(n, ir.Const | ir.Local | ir.Read | ir.Binary) for n in inside)
        return high - low + 1 if plain and len(inside) <= MOST_BRIEF else 0

    # ------------------------------------------------------------------------------ what a function returns

    def let(self, node: ir.Let) -> None:
        text = self.spell(node.value)
        self.writer.line(f"const {self.ctype(node.value.type)} {self.names.local(node.name)} = {text};")

    def returned(self, node: ir.Expr) -> None:
        """`return`, as soon as it is known what."""
        write = self.writer
        before = self.temporaries.copy()
        lines, (text, _) = self.aside(node)
        if not lines:
            write.line(f"return {text};")
            return
        self.temporaries = before
        match node:
            case ir.Binary("or" | "and" as op, left, right):
                self._escape(left, op == "or")
                self.returned(right)
            case ir.Aggregate("any" | "all" as kind):
                self._escape(node, kind == "any")
                write.line(f"return {'false' if kind == 'any' else 'true'};")
            case ir.Choice(test, then, other):
                with write.block(f"if ({self.spell(test)})"):
                    self.returned(then)
                self.returned(other)
            case _:
                write.line(f"return {self.spell(node)};")

    def _escape(self, node: ir.Expr, when: bool) -> None:
        """`return when` as soon as it is known that the test is so."""
        write = self.writer
        match node:
            case _ if self.masks.asks(node):
                test = self.spell(node) if when else self._negated(node)[0]
                with write.block(f"if ({test})"):
                    write.line(f"return {'true' if when else 'false'};")
            case ir.Aggregate("any" | "all" as kind, body, over) if (kind == "any") == when and not self._brief(node):
                with self.gathered(over, body, repeats=False):
                    self._escape(body, when)
            case ir.Binary("or" | "and" as op, left, right) if (op == "or") == when and self._long(node):
                self._escape(left, when)
                self._escape(right, when)
            case ir.Const(value) if value == when:
                write.line(f"return {'true' if when else 'false'};")
            case _:
                test = self.spell(node) if when else self._negated(node)[0]
                with write.block(f"if ({test})"):
                    write.line(f"return {'true' if when else 'false'};")

    def _long(self, node: ir.Expr) -> bool:
        """Whether a test needs statements."""
        before = self.temporaries.copy()
        lines, _ = self.aside(node)
        self.temporaries = before
        return bool(lines)


def is_brief(parts: object) -> bool:
    """Whether expressions cost less than a wrong guess of whether they are needed."""
    inside = [node for node in nodes(parts) if node is not None]
    plain = (ir.Const, ir.Local, ir.Read, ir.Lookup, ir.Attribute, ir.Unary, ir.Binary, ir.Labelled)
    return len(inside) <= MOST_ASKED and all(isinstance(node, plain) for node in inside)
