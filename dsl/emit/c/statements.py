"""Effects of the IR as C statements. Where the rules break the function returns at once, with a fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.emit.c.expressions import PRODUCT, Lowering
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.statements import changed
from aeronef.dsl.printer import spell as words
from aeronef.dsl.walk import called, reads

ABSENT, TAKEN, RANGE, ROUND, FULL, NO_DIE = "absent", "taken", "range", "round", "full", "no die"


@dataclass(frozen=True, slots=True)
class Fault:
    """A way in which the rules can break, and where."""

    kind: str
    span: Span | None
    low: int = 0
    high: int = 0


class Statements:
    def __init__(self, lowering: Lowering, writer: Writer) -> None:
        self.lowering, self.writer = lowering, writer
        self.fields, self.names = lowering.fields, lowering.names
        self.faults: list[Fault] = []

    def fault(self, fault: Fault, value: str = "0") -> None:
        """`return` with a fault."""
        self.writer.line(f"return fail(at, {self.number(fault)}, {value});")

    def number(self, fault: Fault | str) -> int:
        """The number of a fault, from 1 on; or of a kind of fault that has no line."""
        one = Fault(fault, None) if isinstance(fault, str) else fault
        if one not in self.faults:
            self.faults.append(one)
        return self.faults.index(one) + 1

    def effects(self, effects: tuple[ir.Effect, ...]) -> None:
        for effect in effects:
            self.writer.cite(effect.by, effect.says)
            self.body(effect.body)

    def body(self, body: tuple[ir.Stmt, ...]) -> None:
        for i, node in enumerate(body):
            if isinstance(node, ir.Let) and not self.lowering.uses(body[i + 1 :], node.name):
                continue
            self.statement(node)

    def statement(self, node: ir.Stmt) -> None:
        write, low = self.writer, self.lowering
        match node:
            case ir.Assign():
                self.assign(node)
            case ir.Step(target, by):
                write.line(f"{low.read(target)} += {low.spell(by)};")
            case ir.Move(_, ir.Read(_, _, t.Tray())):
                self.move_dice(node)
            case ir.Move():
                self.move(node)
            case ir.If(branches, other):
                self._if(branches, other)
            case ir.For(over, body):
                self.loop(over, body)
            case ir.Let():
                low.let(node)
            case ir.Add(faces, target):
                self._lay(self._faces(faces), target, self._place(target, set(), ""), node.span)
            case ir.Remove(None, source):
                write.line(f"{low.read(source)}.n = 0;")
            case ir.Remove(shown, source):
                assert shown is not None
                self._lift(shown, source, low.read(source), node.span, needed=False)
            case ir.Mark():
                raise NotYet("games that count what is exercised", f"line {node.span.line}")
            case _:
                assert_never(node)

    def _if(self, branches: tuple[tuple[ir.Expr, tuple[ir.Stmt, ...]], ...], other: tuple[ir.Stmt, ...]) -> None:
        """A test that needs statements stands in the `else` of those before it."""
        write, low = self.writer, self.lowering
        (test, then), *rest = branches
        with write.block(f"if ({low.spell(test)})"):
            self.body(then)
        if not rest:
            if other:
                with write.block("else"):
                    self.body(other)
            return
        before = low.temporaries.copy()
        lines, _ = low.aside(rest[0][0])
        low.temporaries = before
        if lines:
            with write.block("else"):
                self._if(tuple(rest), other)
        else:
            with write.aside() as lines:
                self._if(tuple(rest), other)
            depth, head = lines[0]
            assert write.lines[-1] == (depth, "}")
            write.lines[-1] = (depth, f"}} else {head}")
            write.put(lines[1:])

    def assign(self, node: ir.Assign) -> None:
        write, low = self.writer, self.lowering
        target, value, kind = low.read(node.target), node.value, t.strip(node.target.type)
        if node.guarded and isinstance(kind, t.Int):
            name = low.fresh("value")
            write.line(f"const int {name} = {low.spell(value)};")
            none = f"{name} != NONE && " if t.may_be_none(value.type) else ""
            outside = f"({name} < {kind.low} || {kind.high} < {name})"
            with write.block(f"if ({none}{outside})" if none else f"if {outside}"):
                self.fault(Fault(RANGE, node.span, kind.low, kind.high), name)
            write.line(f"{target} = {self._narrow(node.target, name)};")
        else:
            write.line(f"{target} = {self._narrow(node.target, low.spell(value))};")

    def _narrow(self, target: ir.Read, text: str) -> str:
        field = self.fields.all[target.name]
        if field.form != "scalar":
            return text
        assert isinstance(field.place, ir.Variable)
        width = self.fields.width(field.place.type)
        simple = text.replace("_", "a").isalnum() or text.lstrip("-").isdecimal()
        return text if width == "bool" or simple else f"({width})({text})"

    # ------------------------------------------------------------------------------ loops

    def loop(self, over: ir.Gather, body: tuple[ir.Stmt, ...]) -> None:
        """What a loop goes through is settled before it: where its body changes what that looks at, it is listed."""
        low, write = self.lowering, self.writer
        if over.key is None and not self.seen(over) & set(changed(body)):
            with low.gathered(over, body):
                self.body(body)
            return
        row, place = low.filtered(over), low.fresh("i")
        with write.block(f"for (int {place} = 0; {place} < {row}.n; {place}++)"):
            if low.uses(body, over.name):
                write.line(f"const int {self.names.local(over.name)} = {row}.item[{place}];")
            self.body(body)

    def seen(self, node: object) -> set[str]:
        """The variables and zones that a piece of IR looks at, through definitions too."""
        found = {r.name for r in reads(node)}
        for name in called(node):
            found |= self.seen(self.lowering.defines[name].body)
        return found

    # ------------------------------------------------------------------------------ moving cards

    def move(self, node: ir.Move) -> None:
        """Which card, and where from and to, is settled before anything moves."""
        source, target = node.source, node.target
        change = {source.name, target.name}
        start, end = self._place(source, change, "source"), self._place(target, change, "target")
        if node.card is None:
            self._move_all(source, start, target, end, node.span)
            return
        if t.element(node.card.type) is None or (isinstance(node.card.type, t.ZoneOf) and node.card.type.slot):
            self._move_one(node.card, source, start, target, end, node.span)
            return
        low, write = self.lowering, self.writer
        row = low.list_of(node.card)
        place, moved = low.fresh("i"), low.fresh("moved")
        with write.block(f"for (int {place} = 0; {place} < {row}.n; {place}++)"):
            write.line(f"const int {moved} = {row}.item[{place}];")
            self._take(moved, source, start, node.span)
            self._put(self._arriving(moved, source, target), target, end, node.span)

    def _form(self, zone: ir.Read) -> str:
        return self.fields.all[zone.name].form

    def _place(self, zone: ir.Read, change: set[str], name: str) -> str:
        """A zone or a part of it; an index that looks at what moves gets a name before the move."""
        low = self.lowering
        text = f"at->{self.names.fields[zone.name]}"
        for index, kind in zip(zone.index, low.each_of[zone.name], strict=True):
            digit = low.digit(index, kind)
            if self.seen(index) & change:
                settled = low.fresh(name)
                self.writer.line(f"const int {settled} = {digit};")
                digit = settled
            text += f"[{digit}]"
        return text

    def _move_one(
        self, card: ir.Expr, source: ir.Read, start: str, target: ir.Read, end: str, span: Span
    ) -> None:  # fmt: skip
        low, write = self.lowering, self.writer
        if isinstance(card, ir.Builtin) and card.name in ("first", "last") and words(card.args[0]) == words(source):
            moved = self._end(card.name, source, start, span)
        else:
            text = low.spell(card)
            if isinstance(card, ir.Local | ir.Labelled):
                moved = text
            else:
                moved = low.fresh("moved")
                write.line(f"const int {moved} = {text};")
            self._take(moved, source, start, span)
        self._put(self._arriving(moved, source, target), target, end, span)

    def _arriving(self, card: str, source: ir.Read, target: ir.Read) -> str:
        """What leaves a zone as it comes to another: with its owner, without it, or just as it is."""
        kinds = self.names["kinds", source.type.card.name]  # type: ignore[union-attr]
        if is_owned(source) and not is_owned(target):
            return f"{card} % {kinds}"
        if is_owned(target) and not is_owned(source):
            each = self.lowering.each_of[source.name]
            return f"{self.lowering.spell(source.index[each.index(t.Seat())], PRODUCT)} * {kinds} + {card}"
        return card

    def _end(self, name: str, source: ir.Read, start: str, span: Span, needed: bool = True) -> str:
        """The first or last of a row, which leaves it."""
        write = self.writer
        moved = self.lowering.fresh("moved")
        assert self._form(source) in ("line", "sorted")
        with write.block(f"if ({start}.n == 0)"):
            self.fault(Fault(NO_DIE if isinstance(source.type, t.Tray) else ABSENT, span))
        card = f"{start}.item[{'0' if name == 'first' else f'{start}.n - 1'}]"
        if needed:
            write.line(f"const int {moved} = {card};")
        if name == "first":
            write.line(f"{self._verb('pull', source)}(&{start}, {card});")
        else:
            write.line(f"{start}.n--;")
        return moved

    def _verb(self, verb: str, zone: ir.Read) -> str:
        if isinstance(zone.type, t.Tray):
            return self.names[verb, zone.type.dice]
        assert isinstance(zone.type, t.ZoneOf)
        return self.names[verb, zone.type.card.name]

    def _take(self, card: str, source: ir.Read, start: str, span: Span) -> None:
        """A card out of a zone; of equal ones the first."""
        form = self._form(source)
        missing = {"slot": f"{start} != {card}", "bits": f"!has({start}, {card})"}.get(
            form, f"!{self._verb('take' if form == 'pile' else 'pull', source)}(&{start}, {card})"
        )
        with self.writer.block(f"if ({missing})"):
            self.fault(Fault(ABSENT, span))
        if form == "slot":
            self.writer.line(f"{start} = NONE;")
        elif form == "bits":
            self.writer.line(f"{start} &= ~bit({card});")

    def _put(self, card: str, target: ir.Read, end: str, span: Span) -> None:
        write = self.writer
        match self._form(target):
            case "slot":
                with write.block(f"if ({end} != NONE)"):
                    self.fault(Fault(TAKEN, span))
                cast = f"({card})" if " " in card else card
                write.line(f"{end} = ({self.fields.width(target.type)}){cast};")
            case "bits":
                write.line(f"{end} |= bit({card});")
            case "pile":
                write.line(f"{self._verb('put', target)}(&{end}, {card});")
            case "sorted":
                write.line(f"{self._verb('slip', target)}(&{end}, {card});")
            case _:
                write.line(f"{self._verb('lay', target)}(&{end}, {card});")

    def _move_all(self, source: ir.Read, start: str, target: ir.Read, end: str, span: Span) -> None:
        """All cards, in the order of the zone that they leave. To the zone where they are nothing moves."""
        write, low = self.writer, self.lowering
        forms = self._form(source), self._form(target)
        if forms[0] == "slot":
            moved = low.fresh("moved")
            with write.block(f"if ({start} != NONE)"):
                write.line(f"const int {moved} = {start};")
                write.line(f"{start} = NONE;")
                self._put(self._arriving(moved, source, target), target, end, span)
            return
        if source.name == target.name:
            if start == end:
                return
            with write.block(f"if (&{start} != &{end})"):
                self._pour(forms, source, start, target, end, span)
        else:
            self._pour(forms, source, start, target, end, span)

    def _pour(
        self, forms: tuple[str, str], source: ir.Read, start: str, target: ir.Read, end: str, span: Span
    ) -> None:  # fmt: skip
        write, low = self.writer, self.lowering
        if forms == ("bits", "bits"):
            write.line(f"{end} |= {start};")
            write.line(f"{start} = 0;")
            return
        card = low.fresh("moved")
        assert isinstance(source.type, t.ZoneOf)
        if forms[0] == "pile":
            with write.block(f"for (int {card} = 0; {card} < {self.names['kinds', source.type.card.name]}; {card}++)"):
                if forms[1] == "pile":
                    write.line(f"{end}.of[{card}] = (int16_t)({end}.of[{card}] + {start}.of[{card}]);")
                    write.line(f"{start}.of[{card}] = 0;")
                else:
                    with write.block(f"for (; {start}.of[{card}] > 0; {start}.of[{card}]--)"):
                        self._put(self._arriving(card, source, target), target, end, span)
            if forms[1] == "pile":
                write.line(f"{end}.n = (int16_t)({end}.n + {start}.n);")
            write.line(f"{start}.n = 0;")
        elif forms[0] == "bits":
            bits = low.fresh("bits")
            with write.block(f"for (Set {bits} = {start}; {bits} != 0; {bits} &= {bits} - 1)"):
                write.line(f"const int {card} = lowest({bits});")
                self._put(self._arriving(card, source, target), target, end, span)
            write.line(f"{start} = 0;")
        else:
            place = low.fresh("i")
            with write.block(f"for (int {place} = 0; {place} < {start}.n; {place}++)"):
                write.line(f"const int {card} = {start}.item[{place}];")
                self._put(self._arriving(card, source, target), target, end, span)
            write.line(f"{start}.n = 0;")

    # ------------------------------------------------------------------------------ dice

    def move_dice(self, node: ir.Move) -> None:
        source, target, low = node.source, node.target, self.lowering
        change = {source.name, target.name}
        start, end = self._place(source, change, "source"), self._place(target, change, "target")
        if node.card is None:
            faces = low.list_of(source)
            self.writer.line(f"{start}.n = 0;")
        else:
            faces = self._lift(node.card, source, start, node.span)
        self._lay(faces, target, end, node.span)

    def _faces(self, faces: ir.Expr) -> str:
        """Faces as the name of a list."""
        low = self.lowering
        if t.element(faces.type) is not None:
            return low.list_of(faces)
        face, name = low.spell(faces), low.fresh("list")
        self.writer.line(f"const List {name} = {{1, {{{face}}}}};")
        return name

    def _lift(self, shown: ir.Expr, source: ir.Read, start: str, span: Span, needed: bool = True) -> str:
        """Dice that show these faces, out of a zone; their faces as the name of a list."""
        low, write = self.lowering, self.writer
        if isinstance(shown, ir.Builtin) and shown.name in ("first", "last") and words(shown.args[0]) == words(source):
            moved, name = self._end(shown.name, source, start, span, needed), low.fresh("list")
            if not needed:
                return ""
            write.line(f"const List {name} = {{1, {{{moved}}}}};")
            return name
        faces, place = self._faces(shown), low.fresh("i")
        with (
            write.block(f"for (int {place} = 0; {place} < {faces}.n; {place}++)"),
            write.block(f"if (!{self._verb('pull', source)}(&{start}, {faces}.item[{place}]))"),
        ):
            self.fault(Fault(NO_DIE, span))
        return faces

    def _lay(self, faces: str, target: ir.Read, end: str, span: Span) -> None:
        low, write = self.lowering, self.writer
        assert isinstance(target.type, t.Tray)
        most, place = target.type.most, low.fresh("i")
        with write.block(f"if ({end}.n + {faces}.n > {most})"):
            self.fault(Fault(FULL, span, 0, most), f"{end}.n + {faces}.n")
        verb = self._verb("slip" if self._form(target) == "sorted" else "lay", target)
        with write.block(f"for (int {place} = 0; {place} < {faces}.n; {place}++)"):
            write.line(f"{verb}(&{end}, {faces}.item[{place}]);")


def is_owned(zone: ir.Read) -> bool:
    return isinstance(zone.type, t.ZoneOf) and zone.type.owned
