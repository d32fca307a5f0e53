"""The phases of a game as C functions: who acts, what is legal, what an action does.

A function that leads on gives the number of the phase that follows, NO_PHASE where somebody is to act (of an action:
where its phase goes on), or FAULTED where the rules broke.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.choices import Choices
from aeronef.dsl.emit.c.expressions import Lowering
from aeronef.dsl.emit.c.ids import Ids
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.numbering import Numbering
from aeronef.dsl.emit.c.statements import Statements
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.walk import reads, rewritten

MOST_IN_ROW = 4096


class Phases:
    def __init__(self, lowering: Lowering, writer: Writer, statements: Statements, numbering: Numbering) -> None:
        self.game = lowering.game
        self.lowering, self.writer, self.statements = lowering, writer, statements
        self.fields, self.names = lowering.fields, lowering.names
        self.ids = Ids(lowering, numbering)
        self.choices = Choices(lowering, writer, self.ids)

    # ------------------------------------------------------------------------------ functions

    @contextmanager
    def function(self, head: str, *given: str, where: str = "") -> Iterator[None]:
        """A function; what it is given and does not use is named, so that a compiler knows."""
        write, low = self.writer, self.lowering
        low.temporaries.clear()
        with write.aside() as lines:
            try:
                yield
            except NotYet as error:
                if where and " (at phases" not in str(error):
                    raise NotYet(str(error).split(" know ", 1)[1].split(" yet", 1)[0], where) from None
                raise
        text = "\n".join(line.split("//")[0] for _, line in lines)
        with write.block(head):
            for name in given:
                if not re.search(rf"(?<![>.\w]){name}\b", text):
                    write.line(f"(void){name};")
            write.put(lines, 1)
        write.line()

    def name(self, *key: str | int) -> str:
        return self.names[key]

    def leading(self, verb: str, phase: ir.Phase, more: str = "") -> str:
        return f"static int {self.name(verb, phase.name)}(Position *at{more})"

    def phase(self, phase: ir.Phase) -> None:
        where = f"phases.{phase.called or phase.name}"
        write = self.writer
        reopens = any(action.reopens for action in phase.actions)
        if reopens and phase.over is not None:
            with self.function(f"static Set {self.name('asked', phase.name)}(const Position *at)", "at", where=where):
                self.led(phase, phase.over)
                write.line(f"return {self.lowering.set_of(phase.over)};")
        if phase.kind != "automatic":
            if phase.start is not None and phase.asks is not None:
                self._ask_round(phase, where)
            if phase.over is not None and phase.until is not None and phase.asks is not None:
                self._ask_until(phase, where)
            with self.function(self.leading("next", phase), "at", where=where):
                self._next(phase)
        write.comment(phase.says)
        with self.function(self.leading("enter", phase), "at", where=where):
            self._enter(phase)
        if phase.kind == "automatic":
            return
        if phase.kind == "chance":
            with self.function(
                f"static int {self.name('chance', phase.name)}(const Position *at, int32_t *ids, int64_t *weights)",
                "at", "ids", "weights", where=where,
            ):  # fmt: skip
                self.choices.chance(phase)
        else:
            verb = "legal" if phase.sequence is None else "choices"
            head = f"static int {self.name(verb, phase.name)}(const Position *at, int32_t *ids)"
            with self.function(head, "at", where=where):
                self.choices.legal(phase)
        for action in phase.actions:
            self._do(phase, action, f"{where}.{'outcomes' if phase.kind == 'chance' else 'actions'}.{action.key}")
        self._apply(phase)
        if phase.sequence is not None:
            self._completing(phase)

    # ------------------------------------------------------------------------------ who acts

    def led(self, phase: ir.Phase, parts: object) -> None:
        """`me`, where the parts name it: of a phase of a detour, who led there."""
        if phase.name in self.fields.ways.guests and self.lowering.uses(parts, "me"):
            self.writer.line(f"const int {self.me} = visitor(at);")

    @property
    def me(self) -> str:
        return self.names.local("me")

    def _enter(self, phase: ir.Phase) -> None:
        write = self.writer
        then = phase.then if phase.kind == "automatic" else ()
        self.led(phase, (phase.effects, phase.over or (), phase.start or (), then))
        self.statements.effects(phase.effects)
        if phase.kind == "automatic":
            self._goto(phase.then)
        elif phase.start is not None:
            start = self.lowering.spell(phase.start)
            if phase.asks is not None:
                write.line(f"return {self.name('ask', phase.name)}(at, {start});")
            else:  # the first seat may be an automaton's: players take turns
                self._act(phase, start if self.fields.seats == self.fields.players else f"clockwise({start}, 0)")
        elif phase.over is not None:
            self._fill_queue(phase, phase.over)
            asking = phase.asks is not None and phase.until is not None
            write.line(f"return {self.name('ask' if asking else 'next', phase.name)}(at);")
        elif phase.until is not None:
            write.line(f"return {self.name('next', phase.name)}(at);")
        else:
            self._act(phase, "NOBODY")

    def _fill_queue(self, phase: ir.Phase, over: ir.Expr) -> None:
        """Those who choose together are asked in seat order, each once."""
        write, low = self.writer, self.lowering
        write.line("at->queue_n = 0;")
        if phase.kind == "together" and not isinstance(over, ir.Everything):
            bits, text = low.fresh("bits"), low.set_of(over)
            with write.block(f"for (Set {bits} = {text}; {bits} != 0; {bits} &= {bits} - 1)"):
                write.line(f"queue_push(at, lowest({bits}));")
            return
        if isinstance(over, ir.Aggregate) and over.kind == "list" and over.over.key is None:
            with low.gathered(over.over, over.body):
                write.line(f"queue_push(at, {low.spell(over.body)});")
            return
        seat = low.fresh("seat")
        with low.each(over, seat):
            write.line(f"queue_push(at, {seat});")

    def _goto(self, then: ir.Goto) -> None:
        write = self.writer
        for test, name in then.branches:
            if test is None:
                write.line(f"return {self.name('phase', name)};")
            else:
                with write.block(f"if ({self.lowering.spell(test)})"):
                    write.line(f"return {self.name('phase', name)};")

    def _leave(self, phase: ir.Phase) -> None:
        self.led(phase, phase.then)
        self._goto(phase.then)

    def _act(self, phase: ir.Phase, seat: str) -> None:
        """It is this seat's turn (or chance's, about this seat)."""
        write = self.writer
        if phase.kind == "chance":
            refills = self._refills(phase)
            if seat != "at->me":
                write.line(f"at->me = {self._seat(seat)};")
            if refills:
                with write.block(""):
                    self._named(refills)
                    self.statements.effects(refills)
            write.line("at->actor = CHANCE;")
        elif seat == "at->me":
            write.line("at->actor = at->me;")
        else:
            write.line(f"at->me = at->actor = {self._seat(seat)};")
        write.line("return NO_PHASE;")

    @staticmethod
    def _seat(text: str) -> str:
        return text if text.replace("_", "a").isalnum() or text.startswith("queue_next") else f"(int8_t)({text})"

    def _refills(self, phase: ir.Phase) -> tuple[ir.Effect, ...]:
        """What chance is to draw from comes from its `refill:` where there is nothing."""
        found = []
        for p in (p for action in phase.actions for p in action.params if p.kind == "card"):
            zones = [z for z in self.game.zones if any(z.name == read.name for read in reads(p.source))]
            if body := self._refill(p.source):
                by = tuple(dict.fromkeys(clause for zone in zones if zone.refill is not None for clause in zone.by))
                found.append(ir.Effect(body, by, "", p.span))
        return tuple(found)

    def _refill(self, source: ir.Expr | None) -> tuple[ir.Stmt, ...]:
        """Fills what is drawn from: a zone, or one or another."""
        match source:
            case ir.Choice(test, then, other):
                filled, instead = self._refill(then), self._refill(other)
                if filled or instead:
                    return (ir.If(((test, filled),), instead, source.span),)
                return ()
            case ir.Read(name, index):
                zone = next((z for z in self.game.zones if z.name == name), None)
                if zone is None or zone.refill is None:
                    return ()
                seat = index[zone.each.index(t.Seat())] if t.Seat() in zone.each else None
                pile = rewritten(zone.refill, partial(_instead, seat=seat))
                size = ir.Builtin("size", (source,), t.Int(0, 1), zone.span)
                empty = ir.Binary("==", size, ir.Const(0, t.Int(0, 0), zone.span), t.Bool(), zone.span)
                return (ir.If(((empty, (ir.Move(None, pile, source, zone.span),)),), (), zone.span),)
            case _:
                return ()

    def _next(self, phase: ir.Phase) -> None:
        write, low = self.writer, self.lowering
        if phase.start is not None:
            if phase.until is not None:
                with write.block(f"if ({low.spell(phase.until)})"):
                    self._leave(phase)
            follower = "(at->me + 1) % PLAYERS"
            if phase.asks is not None:
                write.line(f"return {self.name('ask', phase.name)}(at, {follower});")
            else:
                self._act(phase, follower)
        elif phase.over is None:
            if phase.until is not None:
                with write.block(f"if ({self._not(phase.until)})"):
                    self._act(phase, "NOBODY")
            self._leave(phase)
        elif phase.sequence is not None:
            self._next_in_row(phase, phase.sequence)
        elif phase.until is None:
            self._next_once_each(phase)
        elif phase.asks is None:
            with write.block("while (at->queue_n > 0)"):
                write.line("at->me = at->queue[0];")
                self._named(phase.until)
                with write.block(f"if ({self._not(phase.until)})"):
                    self._act(phase, "at->me")
                write.line("queue_next(at);")
            self._leave(phase)
        else:
            self._named(phase.until)
            with write.block(f"if ({self._not(phase.until)})"):
                self._act(phase, "at->me")
            write.line("queue_next(at);")
            write.line(f"return {self.name('ask', phase.name)}(at);")

    def _next_once_each(self, phase: ir.Phase) -> None:
        write, asks = self.writer, phase.asks
        if asks is None:
            with write.block("if (at->queue_n > 0)"):
                self._act(phase, "queue_next(at)")
            self._leave(phase)
            return
        with write.block("while (at->queue_n > 0)"):
            write.line("at->me = queue_next(at);")
            self._named(asks, phase.unasked)
            with write.block(f"if ({self.lowering.spell(asks)})"):
                self._act(phase, "at->me")
            self.statements.effects(phase.unasked)
        self._leave(phase)

    def _next_in_row(self, phase: ir.Phase, sequence: ir.Sequence) -> None:
        """A seat chooses for each entry of its row; then the next has its turn."""
        write, low = self.writer, self.lowering
        write.line("row_next(at);")
        with write.block("while (at->queue_n > 0 && at->row_n == 0)"):
            write.line("at->me = queue_next(at);")
            self._named(phase.asks, sequence.entries, phase.unasked)
            with write.block(f"if ({low.spell(phase.asks)})" if phase.asks is not None else ""):
                row, place = low.list_of(sequence.entries), low.fresh("i")
                write.line(f"at->row_n = (int16_t){row}.n;")
                with write.block(f"for (int {place} = 0; {place} < {row}.n; {place}++)"):
                    write.line(f"at->row[{place}] = (int16_t){row}.item[{place}];")
            if phase.unasked:
                with write.block("if (at->row_n == 0)"):
                    self.statements.effects(phase.unasked)
        with write.block("if (at->row_n > 0)"):
            self._act(phase, "at->me")
        self._leave(phase)

    def _completing(self, phase: ir.Phase) -> None:
        """Of the choices for the first entry of a row those after which all others can still be answered."""
        assert phase.sequence is not None
        low, high = self.fields.bounds(t.element(phase.sequence.entries.type) or t.Nothing())
        if low < -(2**15) or high >= 2**15:
            raise NotYet(f"rows of {low}..{high}", f"phases.{phase.called or phase.name}")
        write, (choices, completes) = self.writer, (self.name(v, phase.name) for v in ("choices", "completes"))
        most = sum(self.ids.numbered(phase, action).many for action in phase.actions)
        if most > MOST_IN_ROW:
            raise NotYet(f"choices in a row of {most} each", f"phases.{phase.called or phase.name}")
        write.comment("Whether the rest of the row can be answered after a choice. What is done is done on a copy.")
        with self.function(f"static bool {completes}(Position *first, const Position *before, int id)"):
            write.line("Position at = *before;")
            with write.block(f"if ({self.name('apply', phase.name)}(&at, id) == FAULTED)"):
                write.line("first->fault = at.fault;")
                write.line("first->fault_value = at.fault_value;")
                write.line("return false;")
            write.line("row_next(&at);")
            write.line(f"int32_t ids[{most}];")
            write.line(f"const int n = {choices}(&at, ids);")
            with write.block("if (at.row_n == 1 || n == 0)"):
                write.line("return n > 0;")
            with write.block("for (int i = 0; i < n; i++)"):
                with write.block(f"if ({completes}(first, &at, ids[i]))"):
                    write.line("return true;")
                with write.block("if (first->fault != 0)"):
                    write.line("return false;")
            write.line("return false;")
        with self.function(f"static int {self.name('legal', phase.name)}(Position *at, int32_t *ids)"):
            write.line(f"const int n = {choices}(at, ids);")
            with write.block("if (at->row_n < 2)"):
                write.line("return n;")
            write.line("int kept = 0;")
            with (
                write.block("for (int i = 0; i < n && at->fault == 0; i++)"),
                write.block(f"if ({completes}(at, at, ids[i]))"),
            ):
                write.line("ids[kept++] = ids[i];")
            write.line("return kept;")

    def _ask_round(self, phase: ir.Phase, where: str) -> None:
        write, asks = self.writer, phase.asks
        assert asks is not None
        write.comment("The next who is to be asked, clockwise.")
        with self.function(self.leading("ask", phase, ", int seat"), "at", "seat", where=where):
            with write.block("for (int asked = 0; asked < PLAYERS; asked++)"):
                write.line(f"const int {self.me} = clockwise(seat, asked);")
                with write.block(f"if ({self.lowering.spell(asks)})"):
                    self._act(phase, self.me)
                self.statements.effects(phase.unasked)
            self._leave(phase)

    def _ask_until(self, phase: ir.Phase, where: str) -> None:
        write = self.writer
        assert phase.until is not None
        assert phase.asks is not None
        write.comment("The next who is to be asked.")
        with self.function(self.leading("ask", phase), "at", where=where):
            with write.block("while (at->queue_n > 0)"):
                write.line("at->me = at->queue[0];")
                self._named(phase.asks, phase.until, phase.unasked)
                with write.block(f"if ({self._not(phase.asks)})"):
                    self.statements.effects(phase.unasked)
                with write.block("else"), write.block(f"if ({self._not(phase.until)})"):
                    self._act(phase, "at->me")
                write.line("queue_next(at);")
            self._leave(phase)

    def _named(self, *parts: object) -> None:
        if self.lowering.uses(parts, "me"):
            self.writer.line(f"const int {self.me} = at->me;")

    def _not(self, test: ir.Expr) -> str:
        return self.lowering.spell(ir.Unary("not", test, t.Bool(), test.span))

    # ------------------------------------------------------------------------------ what an action does

    def _do(self, phase: ir.Phase, action: ir.Action, where: str) -> None:
        write, low = self.writer, self.lowering
        kinds = ["List" if isinstance(p.type, t.ListOf) else "int" for p in action.params]
        given = "".join(f", {k} {self.names.local(p.name)}" for k, p in zip(kinds, action.params, strict=True))
        write.comment(action.says)
        if not any(e.by == action.by for e in action.effects):
            write.cite(action.by)
        names = [self.names.local(p.name) for p in action.params]
        head = f"static int {self.name('do', phase.name, action.key)}(Position *at{given})"
        with self.function(head, "at", *names, where=where):
            self.choices.mine(
                (action.effects, action.visits or (), action.guest or (), action.then or ()), action, phase
            )
            self.statements.effects(action.effects)
            if action.reopens:
                itself = "true" if action.reopens == "all" else "false"
                write.line(f"around(at, {self.name('asked', phase.name)}(at), at->me, {itself});")
            if action.visits is not None:
                guest = low.spell(action.guest) if action.guest is not None else "at->me"
                write.line(f"visit(at, {guest});")
                self._goto(action.visits)
            elif action.then is not None:
                self.writer.line("at->queue_n = 0;")
                self._goto(action.then)
            else:
                write.line("return NO_PHASE;")

    def _apply(self, phase: ir.Phase) -> None:
        """From an id to its action and values."""
        write = self.writer
        actions = sorted(phase.actions, key=lambda a: -self.ids.numbered(phase, a).first)
        with self.function(f"static int {self.name('apply', phase.name)}(Position *at, int id)", "id"):
            for i, action in enumerate(actions):
                if i + 1 < len(actions):
                    with write.block(f"if (id >= {self.ids.name('id', phase, action)})"):
                        self._act_by_id(phase, action)
                else:
                    self._act_by_id(phase, action)

    def _act_by_id(self, phase: ir.Phase, action: ir.Action) -> None:
        given = "".join(f", {value}" for value in self.ids.decoded(phase, action))
        self.writer.line(f"return {self.name('do', phase.name, action.key)}(at{given});")


def _instead(node: object, seat: ir.Expr | None) -> ir.Expr | None:
    """The seat that a zone's part is of, for the `owner` of its declaration."""
    return seat if isinstance(node, ir.Local) else None
