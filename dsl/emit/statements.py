"""The statements of a plan in Python."""

from __future__ import annotations

from contextlib import nullcontext
from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.apart import taken_apart
from aeronef.dsl.emit.expressions import ATOM, COMPARE, OR, Speller, Spelt
from aeronef.dsl.emit.returned import answered
from aeronef.dsl.emit.writer import Writer, tuple_of
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.statements import Statements as Planned
from aeronef.dsl.plan.statements import is_owned, is_slot
from aeronef.dsl.printer import spell as words

SEATS = {
    "nobody": "NOBODY", "mine": "self.me", "head": "self.queue[0]", "popped": "self.queue.pop(0)",
    "next": "(self.me + 1) % len(self.players)", "first": "first", "visitor": "self.visitor()",
    "entry": "self.row[0]",
}  # fmt: skip
STANDING: dict[plan.Test, str] = {
    "queue": "self.queue", "row": "self.row", "no row": "not self.row", "queue, no row": "self.queue and not self.row",
}  # fmt: skip


class Statements:
    def __init__(self, speller: Speller, writer: Writer, source: str) -> None:
        self.speller, self.writer, self.source = speller, writer, source
        self.planned = Planned(speller.game)
        self.ordered = {z.name for z in speller.game.zones if z.ordered}
        self.carried: dict[str, int] = {}  # of an instrumented game: the point of each type's first card
        for number, point in enumerate(speller.game.points):
            if point.kind == "card":
                self.carried.setdefault(point.element.removeprefix("cards."), number)

    def returned(self, value: ir.Expr | tuple[ir.Expr, ...], scope: dict[str, t.Type]) -> None:
        self._answer(self.planned.returned(value, scope))

    def _answer(self, body: plan.Body) -> None:
        """What is asked of overlays first, then the value, with what it needs before it."""
        *before, end = body
        if isinstance(body[0], plan.If):
            ((test, then),) = body[0].branches
            with self.writer.block(f"if {self._test(test)}:"):
                self._answer(then)
            self._answer(body[1:])
            return
        assert isinstance(end, plan.Return)
        with taken_apart(self.speller, self.writer, end.value):
            if isinstance(end.value, tuple):
                self.body(body)
            else:
                answered(self.speller, self.writer, end.value, [let for let in before if isinstance(let, ir.Let)])

    def line(self, fail: plan.Fail) -> str:
        """Where a fault lies: the line of the spec, or file and line of another file."""
        span = fail.span
        assert span is not None
        return str(span.line) if span.file == self.source else f'"{span.file}:{span.line}"'

    def body(self, body: plan.Body) -> None:
        for node in body:
            self.statement(node)

    def suite(self, head: str, body: plan.Body) -> None:
        with self.writer.block(head):
            self.body(body)

    def statement(self, node: plan.Stmt) -> None:
        spell, write, speller = self.speller.spell, self.writer, self.speller
        match node:
            case ir.Let(name, value):
                write.line(f"{speller.local(name)} = {spell(value)}")
            case ir.Step(target, by):
                write.line(f"{spell(target)} += {spell(by)}")
            case ir.Mark(point):
                write.line(f"self.mark({point})")
            case plan.Known(name, whose):
                write.line(f"{speller.local(name)} = {SEATS[whose]}")
            case plan.Settle(temp, value):
                write.line(f"{_named(temp)} = {spell(value)}")
            case plan.Assign():
                self._assign(node)
            case plan.Move():
                self._move(node)
            case plan.Dice():
                self._dice(node)
            case plan.Rule(by, says, body):
                write.cite(by, says)
                self.body(body)
            case plan.If(branches, other):
                for i, (test, then) in enumerate(branches):
                    self.suite(f"{'elif' if i else 'if'} {self._test(test)}:", then)
                if other:
                    self.suite("else:", other)
            case plan.While(test, body):
                self.suite(f"while {self._test(test)}:", body)
            case plan.For():
                self._loop(node)
            case plan.Round(body):
                self.suite(f"for {speller.local('me')} in self.clockwise({SEATS['first']}):", body)
            case plan.Queue() | plan.Reopen() | plan.Row() | plan.Drop() | plan.Turn():
                self._acting(node)
            case plan.Wait() | plan.Go() | plan.Run() | plan.Stay() | plan.Return() | plan.Seats():
                self._end(node)
            case _:
                assert_never(node)

    def _assign(self, node: plan.Assign) -> None:
        spell, target, value, fail = self.speller.spell, node.target, node.value, node.fail
        text, sign = spell(value), ""
        if fail is not None:
            text = f"self.within({text}, {fail.low}, {fail.high}, {self.line(fail)})"
            if isinstance(value.type, t.Optional):
                text = f"None if {spell(value, COMPARE + 1)} is None else {text}"
        elif isinstance(value, ir.Binary) and value.op in ("+", "-") and words(value.left) == words(target):
            text, sign = spell(value.right), value.op
        self.writer.line(f"{spell(target)} {sign}= {text}")

    def _test(self, test: plan.Test) -> str:
        return STANDING[test] if isinstance(test, str) else self.speller.spell(test)

    def _loop(self, node: plan.For) -> None:
        speller, over = self.speller, node.over
        name = speller.local(over.name)
        head, test = speller.source(over)
        if node.listed:
            if over.test is not None and over.key is None:
                head = f"[{speller.comprehension(name, over, ordered=True)}]"
            elif over.key is None and is_pile(over.source):
                head = f"list({head})"
            test = None
        if not speller.uses((test, node.body), over.name):
            name = "_"
        self.suite(f"for {name} in {head}:", (plan.If(((test, node.body),), ()),) if test is not None else node.body)

    # ------------------------------------------------------------------------------ who acts

    def seat(self, seat: plan.Seat) -> str:
        match seat:
            case "next" if self.speller.known.seats:
                return SEATS[seat].replace("len(self.players)", str(self.speller.known.seats))
            case str():
                return SEATS[seat]
            case plan.Player(first):
                return f"self.clockwise({self.speller.spell(first)})[0]"
            case _:
                return self.speller.spell(seat)

    def _asked(self, phase: str) -> str:
        return f"self.{self.speller.members['asked', phase]}()"

    def _seats(self, over: ir.Expr, ascending: bool = False) -> str:
        """The seats as a list of the position's own."""
        text = self.speller.spell(over)
        if ascending and not self.speller.ascends(over):
            return f"sorted(set({text}))"
        fresh = isinstance(over, ir.Aggregate | ir.Collection) and isinstance(over.type, t.ListOf)
        fresh = fresh or (isinstance(over, ir.Builtin) and over.name == "clockwise")
        return text if fresh else f"list({text})"

    def _acting(self, node: plan.Acting) -> None:
        write, spell = self.writer, self.speller.spell
        match node:
            case plan.Queue(seats, ascending, asked):
                write.line(f"self.queue = {self._asked(asked) if asked else self._seats(seats, ascending)}")
            case plan.Reopen(seats, asked, itself):
                text = self._asked(asked) if asked else spell(seats)
                write.line(f"self.queue = self.around({text}, self.me, itself={itself})")
            case plan.Row(entries, None):
                write.line(f"self.row = {spell(entries)}")
            case plan.Row(entries, test):
                assert test is not None
                write.line(f"self.row = {spell(entries, OR)} if {spell(test, OR)} else []")
            case plan.Drop(of):  # a row is empty as its phase begins
                write.line(f"del self.{of}[{'0' if of == 'queue' else ':1'}]")
            case plan.Turn(seat, named):
                write.line(f"{'me = ' if named else ''}self.me = {self.seat(seat)}")
            case _:
                assert_never(node)

    # ------------------------------------------------------------------------------ how a function ends

    def _end(self, node: plan.Ending) -> None:
        write, spell = self.writer, self.speller.spell
        match node:
            case plan.Wait(seat):
                if seat is None:
                    write.line("self.actor = CHANCE")
                else:
                    mine = "self.me = " if seat != "mine" else ""
                    write.line(f"{mine}self.actor = {self.seat(seat)}")
                write.line("return None")
            case plan.Go(way, "detour", guest):
                write.line(f"return self.visit({self._way(way)}{f', {spell(guest)}' if guest is not None else ''})")
            case plan.Go(way, how):
                write.line(f"return {self._way(way)}" if how == "then" else f"return self.leave({self._way(way)})")
            case plan.Run(phase, verb, first):
                write.line(f"return self.{self.speller.members[verb, phase]}({self.seat(first) if first else ''})")
            case plan.Return(value):
                text = tuple_of([spell(item) for item in value]) if isinstance(value, tuple) else spell(value)
                write.line(f"return {text}")
            case plan.Seats(of):
                write.line(f"return {self._seats(of)}")
            case plan.Stay():
                pass
            case _:
                assert_never(node)

    def _way(self, then: ir.Goto) -> str:
        *tested, (_, last) = then.branches
        phases, spell = self.speller.constants, self.speller.spell
        choice = [f"{phases['phase', name]} if {spell(test, OR)} else " for test, name in tested if test is not None]
        return f"{''.join(choice)}{phases['phase', last]}"

    # ------------------------------------------------------------------------------ moves

    def _place(self, place: plan.Place) -> str:
        return self.speller.read(place.zone, [self._index(node) for node in place.index])

    def _index(self, node: ir.Expr | plan.Temp) -> Spelt:
        return (_named(node), ATOM) if isinstance(node, plan.Temp) else self.speller.spelt(node)

    def _move(self, node: plan.Move) -> None:
        start, end = self._place(node.source), self._place(node.target)
        if node.card is None:
            self._move_all(node, start, end)
        elif node.how == "each":
            cards = self.speller.items(node.card)
            if is_pile(node.card):
                cards = f"list({cards})"
            with self.writer.block(f"for {_item(node)} in {cards}:"):
                self._move_one(node, _item(node), start, end)
        else:
            self._move_one(node, node.card, start, end)

    def _move_one(self, node: plan.Move, card: ir.Expr | str, start: str, end: str) -> None:
        """A card, or what a loop calls it. Of equal ones the first goes, unless the rules say `last(…)`."""
        write, line = self.writer, self.line(node.lacks)
        text = card if isinstance(card, str) else self.speller.spell(card)
        if not is_slot(node.source.zone):
            taken = _popped(node, start) or f"self.take({start}, {text}, {line})"
            if node.sure:
                write.line(f"{start}.remove({text})")
                taken = text
            elif not self.carried and is_slot(node.target.zone) and isinstance(card, ir.Local) and node.how == "one":
                write.line(taken)
                taken = text
            self._put(node, self._counted(node, taken), end)
            return
        if not isinstance(card, str | ir.Local | ir.Labelled) and (node.within or text != start):
            write.line(f"moved = {text}")
            text = "moved"
        if text != start:
            write.line(f"self.vacate({start}, {text}, {line})")
        if node.within:  # perhaps the very same slot: empty it first
            write.line(f"{start} = None")
        self._put(node, self._counted(node, text), end)
        if not node.within:
            write.line(f"{start} = None")

    def _move_all(self, node: plan.Move, start: str, end: str) -> None:
        write, moved = self.writer, self._counted(node, start)
        if is_slot(node.source.zone):
            with write.block(f"if {start} is not None:"):
                if node.within:  # perhaps the very same slot
                    write.line(f"moved = {moved}")
                    write.line(f"{start} = None")
                    self._put(node, "moved", end)
                else:
                    self._put(node, moved, end)
                    write.line(f"{start} = None")
        elif is_slot(node.target.zone) or node.bare or node.owner is not None:
            with write.block(f"for {_item(node)} in {moved}:"):
                self._put(node, _item(node), end)
            write.line(f"{start}.clear()")
        else:
            with write.block(f"if {start} is not {end}:") if node.within else nullcontext():
                write.line(f"{'pour_on' if node.target.zone.name in self.ordered else 'pour'}({moved}, {end})")

    def _counted(self, node: plan.Move, cards: str) -> str:
        """A card, or the cards of a zone, that move: an instrumented game counts them."""
        kind = node.source.zone.type
        assert isinstance(kind, t.ZoneOf)
        return f"self.carried({self.carried[kind.card.name]}, {cards})" if self.carried else cards

    def _put(self, node: plan.Move, card: str, end: str) -> None:
        """What leaves a zone comes to another: with its owner, without it, or just as it is."""
        if node.owner is not None:
            card = f"Owned({self._index(node.owner)[0]}, {card})"
        card = f"{card}.card" if node.bare else card
        if is_slot(node.target.zone):
            line = self.line(node.taken)
            if card.isidentifier():
                self.writer.line(f"{end} = {card} if {end} is None else self.overfull({line})")
            else:
                self.writer.line(f"{end} = self.fill({end}, {card}, {line})")
        elif node.target.zone.name in self.ordered:
            self.writer.line(f"{end}.append({card})")
        else:
            self.writer.line(f"put({end}, {card})")

    def _dice(self, node: plan.Dice) -> None:
        start, faces = self._place(node.source) if node.source is not None else "", ""
        if node.faces is not None:
            text = self.speller.spell(node.faces)
            faces = f"({text},)" if node.how == "one" else text
        if node.source is not None and node.faces is not None:
            popped = _popped(node, start)
            lifted = popped or f"self.lift({start}, {faces}, {self.line(node.lacks)})"
            faces = f"({popped},)" if popped and node.target is not None else lifted
        elif node.source is not None:
            faces = f"emptied({start})" if node.target is not None else f"{start}.clear()"
        if node.target is not None:
            lay = "lay_on" if node.target.zone.name in self.ordered else "lay"
            end, holds, line = self._place(node.target), node.full.high, self.line(node.full)
            faces = f"self.{lay}({end}, {faces}, {holds}, {line})"
        self.writer.line(faces)


def _named(temp: plan.Temp) -> str:
    return f"{'first' if temp.of == 'source' else 'target'}{temp.place or ''}"


def _item(node: plan.Move) -> str:
    """What a card that moves is called in a loop."""
    return "entry" if is_owned(node.source.zone) else "moved"


def _popped(node: plan.Move | plan.Dice, start: str) -> str:
    """The first or last of a row; "" where it is another."""
    return f"{start}.pop({'0' * (node.how == 'first')})" if node.how in ("first", "last") else ""


def is_pile(node: ir.Expr) -> bool:
    """Whether a collection is a zone's own list, which moves change; all others are values."""
    return isinstance(node.type, t.Tray) or (isinstance(node.type, t.ZoneOf) and not node.type.slot)
