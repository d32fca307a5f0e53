"""The statements of a plan in C. Where the rules break the function returns at once, with a fault."""

from __future__ import annotations

from contextlib import nullcontext
from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.expressions import ATOM, PRODUCT, Lowering, is_brief
from aeronef.dsl.emit.c.fields import LARGEST
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.statements import Statements as Planned
from aeronef.dsl.printer import spell

ROUND = "round"
SEATS = {
    "nobody": "NOBODY", "mine": "at->me", "head": "at->queue[0]", "popped": "queue_next(at)",
    "next": "(at->me + 1) % PLAYERS", "first": "seat", "visitor": "visitor(at)", "entry": "at->row[0]",
}  # fmt: skip
STANDING: dict[plan.Test, str] = {
    "queue": "at->queue_n > 0", "row": "at->row_n > 0", "no row": "at->row_n == 0",
    "queue, no row": "at->queue_n > 0 && at->row_n == 0",
}  # fmt: skip


class Statements:
    def __init__(self, lowering: Lowering, writer: Writer) -> None:
        self.lowering, self.writer = lowering, writer
        self.fields, self.names = lowering.fields, lowering.names
        self.planned = Planned(lowering.game)
        self.faults: list[plan.Fail] = []
        self.settled: dict[plan.Temp, str] = {}

    def fault(self, fault: plan.Fail, value: str = "0") -> None:
        """`return` with a fault."""
        self.writer.line(f"return fail(at, {self.number(fault)}, {value});")

    def number(self, fault: plan.Fail | str) -> int:
        """The number of a fault, from 1 on; or of a kind of fault that has no line."""
        one = plan.Fail(fault, None) if isinstance(fault, str) else fault
        if one not in self.faults:
            self.faults.append(one)
        return self.faults.index(one) + 1

    def returned(self, value: ir.Expr | tuple[ir.Expr, ...], scope: dict[str, t.Type]) -> None:
        self.body(self.planned.returned(value, scope))

    def body(self, body: plan.Body) -> None:
        for node in body:
            self.statement(node)

    def suite(self, head: str, body: plan.Body) -> None:
        with self.writer.block(head):
            self.body(body)

    def statement(self, node: plan.Stmt) -> None:
        write, low = self.writer, self.lowering
        match node:
            case ir.Let():
                low.let(node)
            case ir.Step(target, by):
                write.line(f"{low.read(target)} += {low.spell(by)};")
            case ir.Mark():
                raise NotYet("games that count what is exercised", line=node.span.line)
            case plan.Known(name, whose):
                write.line(f"const int {self.names.local(name)} = {SEATS[whose]};")
            case plan.Settle(temp, value, kind):
                digit, self.settled[temp] = low.digit(value, kind), low.fresh(temp.of)
                write.line(f"const int {self.settled[temp]} = {digit};")
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
                self._if(branches, other)
            case plan.While(test, body):
                self.suite(f"while ({self._test(test)})", body)
            case plan.For(over, body, listed):
                self._loop(over, body, listed)
            case plan.Round(body):
                with write.block("for (int asked = 0; asked < PLAYERS; asked++)"):
                    write.line(f"const int {self.names.local('me')} = clockwise({SEATS['first']}, asked);")
                    self.body(body)
            case plan.Queue() | plan.Reopen() | plan.Row() | plan.Drop() | plan.Turn():
                self._acting(node)
            case plan.Wait() | plan.Go() | plan.Run() | plan.Stay() | plan.Return() | plan.Seats():
                self._end(node)
            case _:
                assert_never(node)

    def _test(self, test: plan.Test) -> str:
        return STANDING[test] if isinstance(test, str) else self.lowering.spell(test)

    def _if(self, branches: tuple[tuple[plan.Test, plan.Body], ...], other: plan.Body) -> None:
        """A test that needs statements stands in the `else` of those before it."""
        write, low = self.writer, self.lowering
        (test, then), *rest = branches
        self.suite(f"if ({self._test(test)})", then)
        if not rest:
            if other:
                self.suite("else", other)
            return
        before = low.temporaries.copy()
        with write.aside() as lines:
            self._test(rest[0][0])
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

    def _is_step(self, node: plan.Assign, over: ir.Gather) -> bool:
        """Whether `x[p] += n` for some p can add 0 for the others: that costs less than a wrong guess of who is one."""
        match node.value:
            case ir.Binary("+", ir.Read() as own, by) if isinstance(over.source, ir.Everything):
                place = self.fields.all[own.name].place  # one side less than LARGEST: then the sum has 32 bits
                fits = isinstance(place, ir.Variable) and self.fields.bounds(place.type)[1] < LARGEST
                alike = spell(own) == spell(node.target)
                return fits and alike and self._there(own, over) and is_brief(by) and self._there(by, over)
        return False

    def _there(self, node: ir.Expr, over: ir.Gather) -> bool:
        """Whether an expression is some number, none beyond LARGEST, for every value of the loop's name. The loop's
        test, which is not asked first here, may be what keeps an index inside its place, or a product small."""
        match node:
            case ir.Const(value):
                return value is None or abs(value) <= LARGEST
            case ir.Local():
                return True
            case ir.Read(name, index):
                parts = zip(index, self.lowering.each_of[name], strict=True)
                single = self.fields.all[name].form in ("scalar", "slot")
                return single and all(self._within(part, kind, over) for part, kind in parts)
            case ir.Attribute(of):
                return t.may_be_none(of.type) and self._there(of, over)  # which is told from a card first
            case ir.Binary("otherwise", left, right):
                return self._there(left, over) and self._there(right, over)
        return False

    def _within(self, index: ir.Expr, kind: t.Type, over: ir.Gather) -> bool:
        """Whether an index is one of a place, whatever the loop's name is."""
        low, high = self.fields.bounds(kind)
        match index:
            case ir.Const(value):
                return value is not None and low <= value <= high
            case ir.Local(name) if name == over.name and isinstance(over.source, ir.Everything):
                first, last = self.lowering.span(over.source)
                return low <= first and last <= high
        return False

    def _assign(self, node: plan.Assign, where: ir.Expr | None = None) -> None:
        """What is assigned; `where` it is a step, to be made only where the test holds."""
        write, low, value, fail = self.writer, self.lowering, node.value, node.fail
        text = low.spell(value) if where is None else self._stepped(value, where)
        if fail is None:
            self._store(node.target, value, text)
            return
        name = low.fresh("value")
        write.line(f"const int {name} = {text};")
        none = f"{name} != NONE && " if t.may_be_none(value.type) else ""
        outside = f"({name} < {fail.low} || {fail.high} < {name})"
        with write.block(f"if ({none}{outside})" if none else f"if {outside}"):
            self.fault(fail, name)
        self._store(node.target, value, name)

    def _stepped(self, value: ir.Expr, where: ir.Expr) -> str:
        """`x + n` where a test holds, else x."""
        assert isinstance(value, ir.Binary)
        low = self.lowering
        by = low.spell(value.right, ATOM)
        return f"{low.spell(value.left)} + {low.spell(where, PRODUCT)}{'' if by == '1' else f' * {by}'}"

    def _store(self, target: ir.Read, value: ir.Expr, text: str) -> None:
        """A value in its place."""
        low = self.lowering
        if self.fields.all[target.name].form != "board":
            self.writer.line(f"{low.read(target)} = {self._narrow(target, text)};")
            return
        if t.may_be_none(value.type) and not isinstance(value, ir.Const) and not text.replace("_", "a").isalnum():
            name = low.fresh("value")  # it is written twice
            self.writer.line(f"const int {name} = {text};")
            text = name
        self.writer.line(low.masks.put(target, value, text))

    def _narrow(self, target: ir.Read, text: str) -> str:
        field = self.fields.all[target.name]
        if field.form != "scalar":
            return text
        assert isinstance(field.place, ir.Variable)
        width = self.fields.width(field.place.type)
        simple = text.replace("_", "a").isalnum() or text.lstrip("-").isdecimal()
        return text if width == "bool" or simple else f"({width})({text})"

    def _loop(self, over: ir.Gather, body: plan.Body, listed: bool) -> None:
        low, write = self.lowering, self.writer
        if over.key is None and not listed:
            match body:
                case (plan.Assign() as node,) if over.test is not None and self._is_step(node, over):
                    with low.each(over.source, self.names.local(over.name)):
                        self._assign(node, where=over.test)
                case _:
                    with low.gathered(over, body):
                        self.body(body)
            return
        row, place = low.filtered(over), low.fresh("i")
        with write.block(f"for (int {place} = 0; {place} < {row}.n; {place}++)"):
            if low.uses(body, over.name):
                write.line(f"const int {self.names.local(over.name)} = {row}.item[{place}];")
            self.body(body)

    # ------------------------------------------------------------------------------ who acts

    def seat(self, seat: plan.Seat, narrow: bool = False) -> str:
        """A seat; as a field of the position has it, `narrow`."""
        match seat:
            case str():
                text = SEATS[seat]
            case plan.Player(first):  # without automata every seat is a player's
                text = self.lowering.spell(first)
                text = text if self.fields.seats == self.fields.players else f"clockwise({text}, 0)"
            case _:
                text = self.lowering.spell(seat)
        own = text.replace("_", "a").isalnum() or text.startswith("queue_next") or seat == "head"
        return text if own or not narrow else f"(int8_t)({text})"

    def _acting(self, node: plan.Acting) -> None:
        write, low = self.writer, self.lowering
        match node:
            case plan.Queue(seats, ascending, _, knows):
                write.line("at->queue_n = 0;")
                with write.block("") if knows else nullcontext():
                    self.body(knows)
                    self._fill(seats, ascending)
            case plan.Reopen(over, asked, itself):
                text = f"{self.names['asked', asked]}(at)" if asked else low.set_of(over)
                write.line(f"around(at, {text}, at->me, {'true' if itself else 'false'});")
            case plan.Row(entries, test):
                with write.block(f"if ({low.spell(test)})" if test is not None else ""):
                    row, place = low.list_of(entries), low.fresh("i")
                    write.line(f"at->row_n = (int16_t){row}.n;")
                    with write.block(f"for (int {place} = 0; {place} < {row}.n; {place}++)"):
                        write.line(f"at->row[{place}] = ({self.fields.row_width}){row}.item[{place}];")
            case plan.Drop(of):
                write.line(f"{of}_next(at);")
            case plan.Turn(seat, named):
                write.line(f"at->me = {self.seat(seat, narrow=True)};")
                if named:
                    write.line(f"const int {self.names.local('me')} = at->me;")
            case _:
                assert_never(node)

    def _fill(self, over: ir.Expr, ascending: bool) -> None:
        write, low = self.writer, self.lowering
        if ascending and not isinstance(over, ir.Everything):
            bits, text = low.fresh("bits"), low.set_of(over)
            with write.block(low.sets.through(bits, text)):
                write.line(f"queue_push(at, lowest({bits}));")
        elif isinstance(over, ir.Aggregate) and over.kind == "list" and over.over.key is None:
            with low.gathered(over.over, over.body):
                write.line(f"queue_push(at, {low.spell(over.body)});")
        else:
            seat = low.fresh("seat")
            with low.each(over, seat):
                write.line(f"queue_push(at, {seat});")

    # ------------------------------------------------------------------------------ how a function ends

    def _end(self, node: plan.Ending) -> None:
        write, low = self.writer, self.lowering
        match node:
            case plan.Wait(seat):
                if seat is None:
                    write.line("at->actor = CHANCE;")
                else:
                    mine = "at->me = " if seat != "mine" else ""
                    write.line(f"{mine}at->actor = {self.seat(seat, narrow=True) if mine else SEATS['mine']};")
                write.line("return NO_PHASE;")
            case plan.Go(way, how, guest):
                if how == "detour":
                    write.line(f"visit(at, {low.spell(guest) if guest is not None else SEATS['mine']});")
                elif how == "end":
                    write.line("at->queue_n = 0;")
                for test, name in way.branches:
                    with write.block(f"if ({low.spell(test)})") if test is not None else nullcontext():
                        write.line(f"return {self.names['phase', name]};")
            case plan.Run(phase, verb, first):
                write.line(f"return {self.names[verb, phase]}(at{f', {self.seat(first)}' if first else ''});")
            case plan.Stay():
                write.line("return NO_PHASE;")
            case plan.Return(value):
                if isinstance(value, tuple):
                    for i, key in enumerate(value):
                        write.line(f"key[{i}] = {low.spell(key)};")
                else:
                    low.returned(value)
            case plan.Seats(of):
                write.line(f"return {low.set_of(of)};")
            case _:
                assert_never(node)

    # ------------------------------------------------------------------------------ moving cards

    def _move(self, node: plan.Move) -> None:
        low, write = self.lowering, self.writer
        start, end = self._place(node.source), self._place(node.target)
        if node.card is None:
            self._move_all(node, start, end)
        elif node.how == "each":
            row = low.list_of(node.card)
            place, moved = low.fresh("i"), low.fresh("moved")
            with write.block(f"for (int {place} = 0; {place} < {row}.n; {place}++)"):
                write.line(f"const int {moved} = {row}.item[{place}];")
                self._take(node, moved, start)
                self._put(node, moved, end)
        elif node.how == "one":
            moved = text = low.spell(node.card)
            if not isinstance(node.card, ir.Local | ir.Labelled):
                moved = low.fresh("moved")
                write.line(f"const int {moved} = {text};")
            self._take(node, moved, start)
            self._put(node, moved, end)
        else:
            self._put(node, self._popped(node.how, node.source, start, node.lacks), end)

    def _form(self, place: plan.Place) -> str:
        return self.fields.all[place.zone.name].form

    def _place(self, place: plan.Place) -> str:
        """A zone or a part of it."""
        kinds = self.lowering.each_of[place.zone.name]
        parts = "".join(f"[{self._index(node, kind)}]" for node, kind in zip(place.index, kinds, strict=True))
        return f"at->{self.names.fields[place.zone.name]}{parts}"

    def _index(self, node: ir.Expr | plan.Temp, kind: t.Type) -> str:
        return self.settled[node] if isinstance(node, plan.Temp) else self.lowering.digit(node, kind)

    def _verb(self, verb: str, place: plan.Place) -> str:
        kind = place.zone.type
        assert isinstance(kind, t.ZoneOf | t.Tray)
        return self.names[verb, kind.dice if isinstance(kind, t.Tray) else kind.card.name]

    def _popped(self, how: str, source: plan.Place, start: str, lacks: plan.Fail, needed: bool = True) -> str:
        """The first or last of a row, which leaves it."""
        write, moved = self.writer, self.lowering.fresh("moved")
        assert self._form(source) in ("line", "sorted")
        with write.block(f"if ({start}.n == 0)"):
            self.fault(lacks)
        card = f"{start}.item[{'0' if how == 'first' else f'{start}.n - 1'}]"
        if needed:
            write.line(f"const int {moved} = {card};")
        if how == "first":
            write.line(f"{self._verb('pull', source)}(&{start}, {card});")
        else:
            write.line(f"{start}.n--;")
        return moved

    def _take(self, node: plan.Move, card: str, start: str) -> None:
        """A card out of a zone; of equal ones the first."""
        form, write = self._form(node.source), self.writer
        missing = {"slot": f"{start} != {card}", "bits": f"!has({start}, {card})"}.get(
            form, f"!{self._verb('take' if form == 'pile' else 'pull', node.source)}(&{start}, {card})"
        )
        with write.block(f"if ({missing})"):
            self.fault(node.lacks)
        if form == "slot":
            write.line(f"{start} = NONE;")
        elif form == "bits":
            write.line(f"{start} &= ~bit({card});")

    def _put(self, node: plan.Move, card: str, end: str) -> None:
        """What leaves a zone comes to another: with its owner, without it, or just as it is."""
        write, target = self.writer, node.target
        kinds = self.names["kinds", target.zone.type.card.name]  # type: ignore[union-attr]
        if node.owner is not None:
            owner = self.settled[node.owner] if isinstance(node.owner, plan.Temp) else None
            card = f"{owner or self.lowering.spell(node.owner, PRODUCT)} * {kinds} + {card}"  # type: ignore[arg-type]
        card = f"{card} % {kinds}" if node.bare else card
        match self._form(target):
            case "slot":
                with write.block(f"if ({end} != NONE)"):
                    self.fault(node.taken)
                cast = f"({card})" if " " in card else card
                write.line(f"{end} = ({self.fields.width(target.zone.type)}){cast};")
            case "bits":
                write.line(f"{end} |= bit({card});")
            case form:
                verb = {"pile": "put", "sorted": "slip"}.get(form, "lay")
                write.line(f"{self._verb(verb, target)}(&{end}, {card});")

    def _move_all(self, node: plan.Move, start: str, end: str) -> None:
        """All cards, in the order of the zone that they leave. To the zone where they are nothing moves."""
        write, low = self.writer, self.lowering
        if self._form(node.source) == "slot":
            moved = low.fresh("moved")
            with write.block(f"if ({start} != NONE)"):
                write.line(f"const int {moved} = {start};")
                write.line(f"{start} = NONE;")
                self._put(node, moved, end)
        elif start != end:
            with write.block(f"if (&{start} != &{end})") if node.within else nullcontext():
                self._pour(node, start, end)

    def _pour(self, node: plan.Move, start: str, end: str) -> None:
        write, low = self.writer, self.lowering
        forms = self._form(node.source), self._form(node.target)
        if forms == ("bits", "bits"):
            write.line(f"{end} |= {start};")
            write.line(f"{start} = 0;")
            return
        card = low.fresh("moved")
        if forms[0] == "pile":
            kinds = self.names["kinds", node.source.zone.type.card.name]  # type: ignore[union-attr]
            with write.block(f"for (int {card} = 0; {card} < {kinds}; {card}++)"):
                if forms[1] == "pile":
                    write.line(f"{end}.of[{card}] = (int16_t)({end}.of[{card}] + {start}.of[{card}]);")
                    write.line(f"{start}.of[{card}] = 0;")
                else:
                    with write.block(f"for (; {start}.of[{card}] > 0; {start}.of[{card}]--)"):
                        self._put(node, card, end)
            if forms[1] == "pile":
                write.line(f"{end}.n = (int16_t)({end}.n + {start}.n);")
            write.line(f"{start}.n = 0;")
        elif forms[0] == "bits":
            bits = low.fresh("bits")
            with write.block(low.sets.through(bits, start)):
                write.line(f"const int {card} = lowest({bits});")
                self._put(node, card, end)
            write.line(f"{start} = 0;")
        else:
            place = low.fresh("i")
            with write.block(f"for (int {place} = 0; {place} < {start}.n; {place}++)"):
                write.line(f"const int {card} = {start}.item[{place}];")
                self._put(node, card, end)
            write.line(f"{start}.n = 0;")

    # ------------------------------------------------------------------------------ dice

    def _dice(self, node: plan.Dice) -> None:
        write, source, target, low = self.writer, node.source, node.target, self.lowering
        start, end = (self._place(place) if place is not None else "" for place in (source, target))
        faces = ""
        if source is None:
            assert node.faces is not None
            faces = self._faces(node.faces)
        elif node.faces is None:
            faces = low.list_of(source.zone) if target is not None else ""
            write.line(f"{start}.n = 0;")
        elif node.how in ("first", "last"):
            moved = self._popped(node.how, source, start, node.lacks, needed=target is not None)
            if target is not None:
                faces = low.fresh("list")
                write.line(f"const List {faces} = {{1, {{{moved}}}}};")
        else:
            faces, place = self._faces(node.faces), low.fresh("i")
            with (
                write.block(f"for (int {place} = 0; {place} < {faces}.n; {place}++)"),
                write.block(f"if (!{self._verb('pull', source)}(&{start}, {faces}.item[{place}]))"),
            ):
                self.fault(node.lacks)
        if target is not None:
            self._lay(node.full, faces, target, end)

    def _faces(self, faces: ir.Expr) -> str:
        """Faces as the name of a list."""
        low = self.lowering
        if t.element(faces.type) is not None:
            return low.list_of(faces)
        face, name = low.spell(faces), low.fresh("list")
        self.writer.line(f"const List {name} = {{1, {{{face}}}}};")
        return name

    def _lay(self, full: plan.Fail, faces: str, target: plan.Place, end: str) -> None:
        write, place = self.writer, self.lowering.fresh("i")
        with write.block(f"if ({end}.n + {faces}.n > {full.high})"):
            self.fault(full, f"{end}.n + {faces}.n")
        verb = self._verb("slip" if self._form(target) == "sorted" else "lay", target)
        with write.block(f"for (int {place} = 0; {place} < {faces}.n; {place}++)"):
            write.line(f"{verb}(&{end}, {faces}.item[{place}]);")
