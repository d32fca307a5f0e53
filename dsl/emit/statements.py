"""Effects of the IR as Python statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.emit.apart import taken_apart
from aeronef.dsl.emit.expressions import Speller, Spelt
from aeronef.dsl.emit.hoist import asked_once, hoisted
from aeronef.dsl.emit.returned import answered
from aeronef.dsl.emit.writer import Writer, tuple_of
from aeronef.dsl.printer import spell as words
from aeronef.dsl.walk import called, nodes, reads


class Statements:
    def __init__(self, speller: Speller, writer: Writer, source: str) -> None:
        self.speller = speller
        self.writer = writer
        self.source = source
        self.defines = {d.name: d for d in speller.game.defines}
        self.ordered = {z.name for z in speller.game.zones if z.ordered}
        self.names = {
            n.name for n in nodes(speller.game) if isinstance(n, ir.Local | ir.Gather | ir.Let | ir.Parameter)
        }
        self.carried: dict[str, int] = {}  # of an instrumented game: the point of each type's first card
        for number, point in enumerate(speller.game.points):
            if point.kind == "card":
                self.carried.setdefault(point.element.removeprefix("cards."), number)

    def effects(self, effects: tuple[ir.Effect, ...]) -> None:
        for effect in effects:
            self.writer.cite(effect.by, effect.says)
            self.body(effect.body)

    def returned(self, value: ir.Expr | tuple[ir.Expr, ...], scope: dict[str, t.Type]) -> None:
        """`return value`, after what it would work out more than once. What an overlay decides is decided first."""
        if isinstance(value, ir.Choice) and isinstance(value.test, ir.Option) and self.speller.switches(value.test):
            with self.writer.block(f"if {self.speller.spell(value.test)}:"):
                self.returned(value.then, scope)
            self.returned(value.other, scope)
            return
        lets, value = hoisted(value, scope, self.speller.game)
        spell = self.speller.spell
        with taken_apart(self.speller, self.writer, value):
            if isinstance(value, tuple):
                for let in lets:
                    self.statement(let)
                self.writer.line(f"return {tuple_of([spell(item) for item in value])}")
            else:
                answered(self.speller, self.writer, value, lets)

    def line(self, span: Span) -> str:
        """Where a fault lies: the line of the spec, or file and line of another file."""
        return str(span.line) if span.file == self.source else f'"{span.file}:{span.line}"'

    def body(self, body: tuple[ir.Stmt, ...]) -> None:
        for i, node in enumerate(body):
            if isinstance(node, ir.Let) and not self.speller.uses(body[i + 1 :], node.name):
                continue
            self.statement(node)

    def suite(self, head: str, body: tuple[ir.Stmt, ...]) -> None:
        with self.writer.block(head):
            self.body(body)

    def statement(self, node: ir.Stmt) -> None:
        spell, write = self.speller.spell, self.writer
        match node:
            case ir.Assign():
                self.assign(node)
            case ir.Step(target, by):
                write.line(f"{spell(target)} += {spell(by)}")
            case ir.Move(_, ir.Read(_, _, t.Tray())):
                self.move_dice(node)
            case ir.Move():
                self.move(node)
            case ir.Add(faces, target):
                self.lay(self._shown(faces), target, self.speller.read(target), self.line(node.span))
            case ir.Remove(None, source):
                write.line(f"{self.speller.read(source)}.clear()")
            case ir.Remove(shown, source):
                assert shown is not None
                start = self.speller.read(source)
                write.line(self._popped(shown, source, start) or self._lifted(shown, start, self.line(node.span)))
            case ir.If(branches, other):
                lets, branches = asked_once(branches, self.names, self.speller.game)
                for let in lets:
                    self.statement(let)
                for i, (test, then) in enumerate(branches):
                    self.suite(f"{'elif' if i else 'if'} {spell(test)}:", then)
                if other:
                    self.suite("else:", other)
            case ir.For(over, body):
                self.loop(over, body)
            case ir.Let(name, value):
                write.line(f"{self.speller.local(name)} = {spell(value)}")
            case ir.Mark(point):
                write.line(f"self.mark({point})")
            case _:
                assert_never(node)

    def assign(self, node: ir.Assign) -> None:
        spell, write = self.speller.spell, self.writer
        target, value, kind = node.target, node.value, t.strip(node.target.type)
        if node.guarded and isinstance(kind, t.Int):
            checked = f"self.within({spell(value)}, {kind.low}, {kind.high}, {self.line(node.span)})"
            if isinstance(value.type, t.Optional):
                checked = f"None if {spell(value, 5)} is None else {checked}"
            write.line(f"{spell(target)} = {checked}")
        elif isinstance(value, ir.Binary) and value.op in ("+", "-") and words(value.left) == words(target):
            write.line(f"{spell(target)} {value.op}= {spell(value.right)}")
        else:
            write.line(f"{spell(target)} = {spell(value)}")

    # ------------------------------------------------------------------------------ loops

    def loop(self, over: ir.Gather, body: tuple[ir.Stmt, ...]) -> None:
        """What a loop goes through is settled before it: where its body changes what that looks at, it is listed."""
        speller = self.speller
        name = speller.local(over.name)
        head, test = speller.source(over)
        if self.seen(over) & set(changed(body)):
            if over.test is not None and over.key is None:
                head = f"[{speller.comprehension(name, over, ordered=True)}]"
            elif over.key is None and is_pile(over.source):
                head = f"list({head})"
            test = None
        if not speller.uses((test, body), over.name):
            name = "_"
        with self.writer.block(f"for {name} in {head}:"):
            if test is not None:
                self.suite(f"if {speller.spell(test)}:", body)
            else:
                self.body(body)

    def seen(self, node: object) -> set[str]:
        """The variables and zones that a piece of IR looks at, through definitions too."""
        found = {r.name for r in reads(node)}
        for name in called(node):
            found |= self.seen(self.defines[name].body)
        return found

    # ------------------------------------------------------------------------------ moving cards

    def move(self, node: ir.Move) -> None:
        """Which card, and where from and to, is settled before anything moves."""
        source, target, line = node.source, node.target, self.line(node.span)
        change = {source.name, target.name}
        index, ends = self._settled(source, change, "first"), self._settled(target, change, "target")
        start, end = self.speller.read(source, index), self.speller.read(target, ends)
        arrives = self._arrival(source, index, target)
        if node.card is None:
            self._move_all(source, start, target, end, arrives, line)
        elif t.element(node.card.type) is None:
            self._move_one(node.card, source, start, target, end, arrives, line)
        else:
            speller = self.speller
            cards = speller.items(node.card)
            if is_pile(node.card):
                cards = f"list({cards})"
            moved = "entry" if is_owned(source) else "moved"
            with self.writer.block(f"for {moved} in {cards}:"):
                self._move_one(moved, source, start, target, end, arrives, line)

    def _arrival(self, source: ir.Read, index: list[Spelt], target: ir.Read) -> str:
        """How what leaves a zone comes to another: with its owner, without it, or just as it is."""
        if is_owned(source) == is_owned(target):
            return "{}"
        if is_owned(source):
            return "{}.card"
        owner, _ = index[self.speller.each[source.name].index(t.Seat())]
        return f"Owned({owner}, {{}})"

    def _settled(self, zone: ir.Read, change: set[str], name: str) -> list[Spelt]:
        """The indices of a zone; one that looks at what moves gets a name before the move."""
        index: list[Spelt] = []
        for i, node in enumerate(zone.index):
            if self.seen(node) & change:
                at = name if i == 0 else f"{name}{i}"
                self.writer.line(f"{at} = {self.speller.spell(node)}")
                index.append((at, 10))
            else:
                index.append(self.speller.spelt(node))
        return index

    def _move_one(
        self, card: ir.Expr | str, source: ir.Read, start: str, target: ir.Read, end: str, arrives: str, line: str
    ) -> None:
        write = self.writer
        text = card if isinstance(card, str) else self.speller.spell(card)
        if not is_slot(source):
            taken = arrives.format(self._counted(self._taken(card, text, source, start, line), source))
            if is_slot(target):
                write.line(f"{end} = self.fill({end}, {taken}, {line})")
            else:
                self._drop(taken, target, end)
            return
        if not isinstance(card, str | ir.Local | ir.Labelled) and (source.name == target.name or text != start):
            write.line(f"moved = {text}")
            text = "moved"
        if text != start:
            write.line(f"self.vacate({start}, {text}, {line})")
        if source.name == target.name:  # perhaps the very same slot: empty it first
            write.line(f"{start} = None")
        text = self._counted(text, source)
        if is_slot(target):
            write.line(f"{end} = self.fill({end}, {text}, {line})")
        else:
            self._drop(arrives.format(text), target, end)
        if source.name != target.name:
            write.line(f"{start} = None")

    def _counted(self, cards: str, source: ir.Read) -> str:
        """A card, or the cards of a zone, that move: an instrumented game counts them."""
        if not self.carried:
            return cards
        assert isinstance(source.type, t.ZoneOf)
        return f"self.carried({self.carried[source.type.card.name]}, {cards})"

    def _taken(self, card: ir.Expr | str, text: str, source: ir.Read, start: str, line: str) -> str:
        """A card out of a zone: of equal ones the first, unless the rules say `last(…)`."""
        if isinstance(card, ir.Builtin) and card.name in ("first", "last") and words(card.args[0]) == words(source):
            return f"{start}.pop({'0' * (card.name == 'first')})"
        return f"self.take({start}, {text}, {line})"

    def _drop(self, card: str, target: ir.Read, end: str) -> None:
        if target.name in self.ordered:
            self.writer.line(f"{end}.append({card})")
        else:
            self.writer.line(f"put({end}, {card})")

    def _move_all(self, source: ir.Read, start: str, target: ir.Read, end: str, arrives: str, line: str) -> None:
        write = self.writer
        if is_slot(source):
            with write.block(f"if {start} is not None:"):
                if source.name == target.name:  # perhaps the very same slot
                    write.line(f"moved = {self._counted(start, source)}")
                    write.line(f"{start} = None")
                    write.line(f"{end} = self.fill({end}, moved, {line})")
                    return
                moved = self._counted(start, source)
                if is_slot(target):
                    write.line(f"{end} = self.fill({end}, {moved}, {line})")
                else:
                    self._drop(arrives.format(moved), target, end)
                write.line(f"{start} = None")
        elif is_slot(target) or is_owned(source) != is_owned(target):
            moved = "entry" if is_owned(source) else "moved"
            with write.block(f"for {moved} in {self._counted(start, source)}:"):
                if is_slot(target):
                    write.line(f"{end} = self.fill({end}, {arrives.format(moved)}, {line})")
                else:
                    self._drop(arrives.format(moved), target, end)
            write.line(f"{start}.clear()")
        elif source.name == target.name:
            with write.block(f"if {start} is not {end}:"):
                self._pour(self._counted(start, source), target, end)
        else:
            self._pour(self._counted(start, source), target, end)

    def _pour(self, start: str, target: ir.Read, end: str) -> None:
        self.writer.line(f"{'pour_on' if target.name in self.ordered else 'pour'}({start}, {end})")

    # ------------------------------------------------------------------------------ dice

    def move_dice(self, node: ir.Move) -> None:
        source, target, line = node.source, node.target, self.line(node.span)
        change = {source.name, target.name}
        start = self.speller.read(source, self._settled(source, change, "first"))
        end = self.speller.read(target, self._settled(target, change, "target"))
        if node.card is None:
            self.lay(f"emptied({start})", target, end, line)
        elif popped := self._popped(node.card, source, start):
            self.lay(f"({popped},)", target, end, line)
        else:
            self.lay(self._lifted(node.card, start, line), target, end, line)

    def lay(self, faces: str, target: ir.Read, end: str, line: str) -> None:
        assert isinstance(target.type, t.Tray)
        how = "lay_on" if target.name in self.ordered else "lay"
        self.writer.line(f"self.{how}({end}, {faces}, {target.type.most}, {line})")

    def _shown(self, faces: ir.Expr) -> str:
        """Faces, as something to go through."""
        text = self.speller.spell(faces)
        return text if t.element(faces.type) is not None else f"({text},)"

    def _lifted(self, faces: ir.Expr, start: str, line: str) -> str:
        return f"self.lift({start}, {self._shown(faces)}, {line})"

    def _popped(self, face: ir.Expr, source: ir.Read, start: str) -> str:
        """The first or last of a row; "" where it is another die."""
        if isinstance(face, ir.Builtin) and face.name in ("first", "last") and words(face.args[0]) == words(source):
            return f"{start}.pop({'0' * (face.name == 'first')})"
        return ""


def is_pile(node: ir.Expr) -> bool:
    """Whether a collection is a zone's own list, which moves change; all others are values."""
    return isinstance(node.type, t.Tray) or (isinstance(node.type, t.ZoneOf) and not node.type.slot)


def is_slot(zone: ir.Read) -> bool:
    return isinstance(zone.type, t.ZoneOf) and zone.type.slot


def is_owned(zone: ir.Read) -> bool:
    return isinstance(zone.type, t.ZoneOf) and zone.type.owned


def changed(node: object) -> Iterator[str]:
    """The variables and zones that effects change."""
    for inner in nodes(node):
        if isinstance(inner, ir.Assign | ir.Step | ir.Add):
            yield inner.target.name
        elif isinstance(inner, ir.Remove):
            yield inner.source.name
        elif isinstance(inner, ir.Move):
            yield inner.source.name
            yield inner.target.name
