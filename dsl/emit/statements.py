"""Effects of the IR as Python statements."""

from __future__ import annotations

from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.expressions import Speller
from aeronef.dsl.emit.names import local
from aeronef.dsl.emit.writer import Writer
from aeronef.dsl.walk import called, nodes, reads


class Statements:
    def __init__(self, speller: Speller, writer: Writer, source: str) -> None:
        self.speller = speller
        self.writer = writer
        self.source = source
        self.defines = {d.name: d for d in speller.game.defines}
        self.ordered = {z.name: z.ordered for z in speller.game.zones}

    def effects(self, effects: tuple[ir.Effect, ...]) -> None:
        for effect in effects:
            cites = ", ".join(effect.by)
            if cites or effect.says:
                self.writer.comment(": ".join(part for part in (cites, effect.says) if part))
            self.body(effect.body)

    def line(self, span: ir.Span) -> str:
        """Where a fault lies: the line of the spec, or file and line of another file."""
        return str(span.line) if span.file == self.source else f'"{span.file}:{span.line}"'

    def body(self, body: tuple[ir.Stmt, ...]) -> None:
        for node in body:
            self.statement(node)

    def statement(self, node: ir.Stmt) -> None:
        spell, write = self.speller.spell, self.writer
        match node:
            case ir.Assign(target, value, guarded, span):
                text = spell(value)
                kind = t.strip(target.type)
                if guarded and isinstance(kind, t.Int):
                    text = f"self.within({text}, {kind.low}, {kind.high}, {self.line(span)})"
                write.line(f"{spell(target)} = {text}")
            case ir.Step(target, by):
                write.line(f"{spell(target)} += {spell(by)}")
            case ir.Move():
                self.move(node)
            case ir.If(branches, other):
                for i, (test, then) in enumerate(branches):
                    with write.block(f"{'elif' if i else 'if'} {spell(test)}:"):
                        self.body(then)
                        if not then:
                            write.line("pass")
                if other:
                    with write.block("else:"):
                        self.body(other)
            case ir.For(over, body):
                self.loop(over, body)
            case ir.Let(name, value):
                write.line(f"{local(name)} = {spell(value)}")
            case _:
                assert_never(node)

    def loop(self, over: ir.Gather, body: tuple[ir.Stmt, ...]) -> None:
        """A loop goes through what was there before it: where its body changes what it goes through, a copy is taken."""
        write, speller = self.writer, self.speller
        name = local(over.name)
        looks = self.seen(over)
        changes = {
            target.name
            for n in nodes(body)
            for target in (
                (n.target,)
                if isinstance(n, ir.Assign | ir.Step)
                else (n.source, n.target)
                if isinstance(n, ir.Move)
                else ()
            )
        }
        if looks & changes and (over.test is not None or over.key is not None):
            gathered = ir.Aggregate(
                "list", ir.Local(over.name, over.item, over.span), over, t.ListOf(over.item, 0), over.span
            )
            head, test = speller.spell(gathered), None
        elif looks & changes:
            head, test = f"list({speller.items(over.source)})", None
        else:
            head, test = speller.source(over)
        with write.block(f"for {name} in {head}:"):
            if test is not None:
                with write.block(f"if {speller.spell(test)}:"):
                    self.body(body)
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
        write, spell = self.writer, self.speller.spell
        source, target, line = node.source, node.target, self.line(node.span)
        if node.card is None:
            self._move_all(source, target, line)
            return
        if t.element(node.card.type) is not None:
            name = "card" if not self.speller.uses(node, "card") else "each_card"
            with write.block(f"for {name} in {self.speller.items(node.card)}:"):
                self._move_one(name, source, target, line)
            return
        self._move_one(spell(node.card), source, target, line)

    @staticmethod
    def _slot(zone: ir.Read) -> bool:
        return isinstance(zone.type, t.ZoneOf) and zone.type.slot

    def _move_one(self, card: str, source: ir.Read, target: ir.Read, line: str) -> None:
        write, spell = self.writer, self.speller.spell
        start, end = spell(source), spell(target)
        taken = card
        if self._slot(source):
            if not card.isidentifier():
                write.line(f"card = {card}")
                card = taken = "card"
            write.line(f"{start} = self.vacate({start}, {card}, {line})")
        else:
            taken = f"self.take({start}, {card}, {line})"
        if self._slot(target):
            write.line(f"{end} = self.fill({end}, {taken}, {line})")
        elif self.ordered[target.name]:
            write.line(f"{end}.append({taken})")
        else:
            write.line(f"put({end}, {taken})")

    def _move_all(self, source: ir.Read, target: ir.Read, line: str) -> None:
        write, spell = self.writer, self.speller.spell
        start, end = spell(source), spell(target)
        if self._slot(source):
            with write.block(f"if {start} is not None:"):
                if self._slot(target):
                    write.line(f"{end} = self.fill({end}, {start}, {line})")
                elif self.ordered[target.name]:
                    write.line(f"{end}.append({start})")
                else:
                    write.line(f"put({end}, {start})")
                write.line(f"{start} = None")
        elif self._slot(target):
            with write.block(f"for card in {start}:"):
                write.line(f"{end} = self.fill({end}, card, {line})")
            write.line(f"{start}.clear()")
        else:
            write.line(f"{'pour_on' if self.ordered[target.name] else 'pour'}({start}, {end})")
