"""The phases of a game as C functions: who acts, what is legal, what an action does.

A function that leads on gives the number of the phase that follows, NO_PHASE where somebody is to act (of an action:
where its phase goes on), or FAULTED where the rules broke.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from math import comb

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.expressions import ATOM, PRODUCT, SUM, Lowering
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.numbering import Datum, Numbered, Numbering
from aeronef.dsl.emit.c.statements import Statements
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.expressions import Spelt, wrapped
from aeronef.dsl.emit.phases import chosen
from aeronef.dsl.walk import locals_in, reads, rewritten

MOST_IN_ROW = 4096


class Phases:
    def __init__(self, lowering: Lowering, writer: Writer, statements: Statements, numbering: Numbering) -> None:
        self.game = lowering.game
        self.lowering, self.writer, self.statements = lowering, writer, statements
        self.fields, self.names = lowering.fields, lowering.names
        self.actions = {n.key: n for n in numbering.actions}
        self.outcomes = {n.key: n for n in numbering.outcomes}
        self.order = [n.key for n in numbering.actions]
        self.places: dict[str, list[int]] = {}  # of values that are no range: their places among all that are there
        self.rows: dict[str, list[str]] = {}  # tables of what several cards or dice can be
        self.ascending = True  # whether the ids of the phase at hand come in their order

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
                self._chance(phase)
        else:
            verb = "legal" if phase.sequence is None else "choices"
            head = f"static int {self.name(verb, phase.name)}(const Position *at, int32_t *ids)"
            with self.function(head, "at", where=where):
                self._legal(phase)
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
        write, (choices, completes) = self.writer, (self.name(v, phase.name) for v in ("choices", "completes"))
        most = sum(self.numbered(phase, action).many for action in phase.actions)
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
            with write.block("for (int i = 0; i < n && at->fault == 0; i++)"):
                with write.block(f"if ({completes}(at, at, ids[i]))"):
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

    def _mine(self, parts: object, action: ir.Action | None = None, phase: ir.Phase | None = None) -> None:
        """`me`, and the entry of the phase's row that is answered, where the parts name it and it is no value of the
        action."""
        given = [p.name for p in action.params] if action is not None else []
        if self.lowering.uses(parts, "me") and "me" not in given:
            self.writer.line(f"const int {self.me} = at->me;")
        entry = phase.sequence.name if phase is not None and phase.sequence is not None else "me"
        if entry != "me" and self.lowering.uses(parts, entry) and entry not in given:
            self.writer.line(f"const int {self.names.local(entry)} = at->row[0];")

    # ------------------------------------------------------------------------------ ids

    def numbered(self, phase: ir.Phase, action: ir.Action) -> Numbered:
        return (self.outcomes if phase.kind == "chance" else self.actions)[action.key]

    def role(self, phase: ir.Phase) -> str:
        return "outcome" if phase.kind == "chance" else "action"

    def values(self, numbered: Numbered, i: int, kind: t.Type) -> list[int | None]:
        """The values that a part of an id runs through, as this game has them: None for one that it has not."""
        return [self._value(datum, kind) for datum in numbered.domains[i]]

    def _value(self, datum: Datum, kind: t.Type) -> int | None:
        inner = t.strip(kind)
        match inner:
            case t.Enum(_, words):
                return words.index(str(datum)) if datum in words else None
            case t.Card(name):
                labels = [kind.label for kind in self.fields.cards[name].kinds]
                return labels.index(str(datum)) if datum in labels else None
            case t.Bool() | t.Int() | t.Seat():
                return int(datum) if isinstance(datum, int) else None
            case other:
                raise NotYet(f"choices of a {other}")

    def _id(self, phase: ir.Phase, action: ir.Action, values: list[Spelt]) -> str:
        """The dense id of an action with these values: its first id, and its values as digits."""
        numbered, total = self.numbered(phase, action), None
        for i, value in enumerate(values):
            if isinstance(action.params[i].type, t.ListOf):  # it is its place already
                many = len(numbered.domains[i])
                total = value if total is None else (f"{wrapped(total, PRODUCT)} * {many} + {value[0]}", SUM)
                continue
            domain = self.values(numbered, i, action.params[i].type)
            digit = self._digit(phase, action, i, domain, value)
            many = len(domain)
            total = digit if total is None else (f"{wrapped(total, PRODUCT)} * {many} + {wrapped(digit, SUM)}", SUM)
        base = self.name("id", self.role(phase), action.key)
        return base if total is None else f"{base} + {wrapped(total, SUM)}"

    def _digit(
        self, phase: ir.Phase, action: ir.Action, i: int, domain: list[int | None], value: Spelt
    ) -> Spelt:  # fmt: skip
        if domain and domain[0] is not None and domain == list(range(domain[0], domain[0] + len(domain))):
            return self.lowering.counted(value, t.Int(domain[0], domain[0]))
        low, high = self.fields.bounds(action.params[i].type)
        name = self.name("place", self.role(phase), action.key, i)
        self.places[name] = [domain.index(v) if v in domain else -1 for v in range(low, high + 1)]
        return f"{name}[{self.lowering.counted(value, t.Int(low, low))[0]}]", ATOM

    # ------------------------------------------------------------------------------ what can be done

    def _legal(self, phase: ir.Phase) -> None:
        """The ids of what is legal, ascending: actions in their order, where the values of each ascend."""
        write = self.writer
        parts = tuple((a.when, *((p.source, p.size, p.test) for p in a.params)) for a in phase.actions)
        self._mine(parts, phase=phase)
        write.line("int n = 0;")
        sources = [p.source for a in phase.actions for p in a.params if p.kind == "one" and p.source is not None]
        self.ascending = all(self._ascends(source) for source in sources)
        for action in sorted(phase.actions, key=lambda a: self.order.index(a.key)):
            self._choices(phase, action)
        write.line("return n;")

    def _choices(self, phase: ir.Phase, action: ir.Action) -> None:
        """The ids of one action."""
        write, low = self.writer, self.lowering
        when = action.when
        first = when if when is not None and not chosen(action) else None
        when = None if first is not None else when
        if first is not None:
            with write.block(f"if ({low.spell(first)})"):
                self._values(phase, action, list(action.params), [], None)
        else:
            self._values(phase, action, list(action.params), [], when)

    def _values(
        self, phase: ir.Phase, action: ir.Action, left: list[ir.Parameter], values: list[Spelt], when: ir.Expr | None
    ) -> None:
        """Loops through the values that are left, and writes the id in the innermost."""
        write, low = self.writer, self.lowering
        missing = {p.name for p in left if p.kind != "given"} & locals_in(when)
        if when is not None and not missing:  # as early as it can be asked
            with write.block(f"if ({low.spell(when)})"):
                self._values(phase, action, left, values, None)
            return
        if not left:
            name = self._id(phase, action, values)
            write.line(f"ids[n++] = {name};" if self.ascending else f"n = add_id(ids, n, {name});")
            return
        p, *rest = left
        assert p.source is not None
        if p.kind == "given":
            self._values(phase, action, rest, [*values, low.value(p.source)], when)
            return
        if p.kind == "some":
            self._several(phase, action, p, rest, values, when)
            return
        over = ir.Gather(p.name, p.source, p.test, None, False, p.type, p.span)
        later = tuple((q.source, q.test) for q in rest)
        with low.gathered(over, ir.Local(p.name, p.type, p.span), later, when, repeats=False):
            self._values(phase, action, rest, [*values, (self.names.local(p.name), ATOM)], when)

    def _several(
        self, phase: ir.Phase, action: ir.Action, p: ir.Parameter, rest: list[ir.Parameter], values: list[Spelt],
        when: ir.Expr | None,
    ) -> None:  # fmt: skip
        """A loop through all sets of so many cards, for those that the source holds."""
        write, low, i = self.writer, self.lowering, len(values)
        assert p.source is not None
        assert p.size is not None
        rows, starts = self._listed(phase, action, i)
        size, place = low.plain(p.size), low.fresh("k")
        source = p.source
        form = self.fields.all[source.name].form if isinstance(source, ir.Read) else ""
        if form == "pile":
            assert isinstance(source, ir.Read)
            kind = source.type.card.name  # type: ignore[union-attr]
            there = f"{self.names['holds', kind]}(&{low.read(source)}, {rows}[{place}])"
        elif form == "bits" or isinstance(source.type, t.SetOf):
            held = low.set_of(source)
            there = f"({self._bits(phase, action, i)}[{place}] & ~{wrapped((held, SUM), ATOM)}) == 0"
        elif form in ("line", "sorted") and not (isinstance(source.type, t.ZoneOf) and source.type.owned):
            assert isinstance(source, ir.Read)
            zone = low.read(source)
            there = f"row_holds({zone}.item, {zone}.n, {rows}[{place}])"
        else:
            raise NotYet(f"several of a {source.type}")
        most = len(self.numbered(phase, action).domains[i][-1])  # type: ignore[arg-type]
        with (
            write.block(f"if (0 <= {size} && {size} <= {most})"),
            write.block(f"for (int {place} = {starts}[{size}]; {place} < {starts}[{size} + 1]; {place}++)"),
            write.block(f"if ({there})"),
        ):
            if low.uses((p.test, tuple((q.source, q.size, q.test) for q in rest), when), p.name):
                write.line(f"const List {self.names.local(p.name)} = listed({rows}[{place}]);")
            with write.block(f"if ({low.spell(p.test)})" if p.test is not None else ""):
                self._values(phase, action, rest, [*values, (place, ATOM)], when)

    def _listed(self, phase: ir.Phase, action: ir.Action, i: int) -> tuple[str, str]:
        """The tables of what several cards or dice can be, each with its number before it, and of where those of each
        number start."""
        rows, starts = (self.name(what, self.role(phase), action.key, i) for what in ("values", "from"))
        domain = self.lists(phase, action, i)
        most = max(map(len, domain))
        table = [f"    {{{', '.join(map(str, (len(row), *row)))}}}," for row in domain]
        self.rows[rows] = [f"static const int16_t {rows}[{len(domain)}][{most + 1}] = {{", *table, "};"]
        first = [next((k for k, row in enumerate(domain) if len(row) >= size), len(domain)) for size in range(most + 2)]
        self.rows[starts] = [f"static const int32_t {starts}[{most + 2}] = {{{', '.join(map(str, first))}}};"]
        return rows, starts

    def lists(self, phase: ir.Phase, action: ir.Action, i: int) -> list[list[int]]:
        """What a part of an id that is several cards or dice runs through."""
        kind = action.params[i].type
        assert isinstance(kind, t.ListOf)
        found = []
        for datum in self.numbered(phase, action).domains[i]:
            assert isinstance(datum, tuple)
            values = [self._value(item, kind.of) for item in datum]
            if None in values:
                raise NotYet("sets of cards that not every game of the spec has")
            found.append([value for value in values if value is not None])
        return found

    def _bits(self, phase: ir.Phase, action: ir.Action, i: int) -> str:
        """The table of the same as sets. Equal cards are no part of a set: they have a bit that no set has."""
        name = self.name("bits", self.role(phase), action.key, i)
        low = self.fields.set_low
        masks = [
            sum(1 << (v - low) for v in row) if len(set(row)) == len(row) else 2**64 - 1
            for row in self.lists(phase, action, i)
        ]
        table = [f"    UINT64_C({mask})," for mask in masks]
        self.rows[name] = [f"static const Set {name}[{len(masks)}] = {{", *table, "};"]
        return name

    def _roll(self, phase: ir.Phase, action: ir.Action, random: ir.Parameter, values: list[Spelt]) -> None:
        """What so many like dice can show, with the multinomial weights."""
        write, low, i = self.writer, self.lowering, len(action.params) - 1
        if action.params[i] is not random:
            raise NotYet("values after several dice")
        assert random.size is not None
        _, starts = self._listed(phase, action, i)
        dice = self.fields.dice[random.dice]
        first, _ = self.fields.bounds(dice.face)
        weights = [_multinomial(row, dice.weights, first) for row in self.lists(phase, action, i)]
        name = self.name("weights", self.role(phase), action.key, i)
        self.rows[name] = [f"static const int64_t {name}[{len(weights)}] = {{{', '.join(map(str, weights))}}};"]
        size, place = low.plain(random.size), low.fresh("k")
        write.line("int n = 0;")
        with write.block(f"for (int {place} = {starts}[{size}]; {place} < {starts}[{size} + 1]; {place}++)"):
            write.line(f"ids[n] = {self._id(phase, action, [*values[:-1], (place, ATOM)])};")
            write.line(f"weights[n++] = {name}[{place}];")
        write.line("return n;")

    def _ascends(self, source: ir.Expr) -> bool:
        """Whether a loop through a collection ascends without repeats."""
        if isinstance(source, ir.Read):
            return self.fields.all[source.name].form in ("bits", "pile", "slot", "set")
        if isinstance(source, ir.Everything) or (isinstance(source, ir.Builtin) and source.name == "range"):
            return True
        return isinstance(source.type, t.SetOf)

    def _chance(self, phase: ir.Phase) -> None:
        write, low = self.writer, self.lowering
        (action,) = phase.actions
        self._mine(tuple((p.source, p.size) for p in action.params))
        values: list[Spelt] = []
        random: ir.Parameter | None = None
        for p in action.params:
            if p.kind == "given" and p.source is not None:
                values.append(low.value(p.source))
            else:
                random = p
                values.append((self.names.local(p.name), ATOM))
        if random is None:
            write.line(f"ids[0] = {self._id(phase, action, values)};")
            write.line("weights[0] = 1;")
            write.line("return 1;")
            return
        if random.kind == "roll":
            self._roll(phase, action, random, values)
            return
        assert random.source is not None
        source, name = random.source, self.names.local(random.name)
        write.line("int n = 0;")
        form = self.fields.all[source.name].form if isinstance(source, ir.Read) else ""
        if form == "pile":
            assert isinstance(source, ir.Read)
            zone = low.read(source)
            assert isinstance(source.type, t.ZoneOf)
            with write.block(f"for (int {name} = 0; {name} < {self.names['kinds', source.type.card.name]}; {name}++)"):
                with write.block(f"if ({zone}.of[{name}] > 0)"):
                    write.line(f"ids[n] = {self._id(phase, action, values)};")
                    write.line(f"weights[n++] = {zone}.of[{name}];")
        elif self._ascends(source):
            with low.each(source, name, repeats=False):
                write.line(f"ids[n] = {self._id(phase, action, values)};")
                write.line("weights[n++] = 1;")
        else:  # what is there twice is twice as likely
            low_, high = self.fields.bounds(random.type)
            times, item = low.fresh("times"), low.fresh("more")
            write.line(f"int {times}[{high - low_ + 1}] = {{0}};")
            with low.each(source, item):
                write.line(f"{times}[{low.counted((item, ATOM), t.Int(low_, low_))[0]}]++;")
            with write.block(f"for (int {name} = {low_}; {name} <= {high}; {name}++)"):
                number = f"{times}[{low.counted((name, ATOM), t.Int(low_, low_))[0]}]"
                with write.block(f"if ({number} > 0)"):
                    write.line(f"ids[n] = {self._id(phase, action, values)};")
                    write.line(f"weights[n++] = {number};")
        write.line("return n;")

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
            self._mine((action.effects, action.visits or (), action.guest or (), action.then or ()), action, phase)
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
        actions = sorted(phase.actions, key=lambda a: -self.numbered(phase, a).first)
        with self.function(f"static int {self.name('apply', phase.name)}(Position *at, int id)", "id"):
            for i, action in enumerate(actions):
                if i + 1 < len(actions):
                    with write.block(f"if (id >= {self.name('id', self.role(phase), action.key)})"):
                        self._decoded(phase, action)
                else:
                    self._decoded(phase, action)

    def _decoded(self, phase: ir.Phase, action: ir.Action) -> None:
        numbered = self.numbered(phase, action)
        rest = f"(id - {self.name('id', self.role(phase), action.key)})"
        if numbered.first == 0:
            rest = "id"
        values: list[str] = []
        below, more = numbered.many, numbered.many
        for i, p in enumerate(action.params):
            several = isinstance(p.type, t.ListOf)
            domain = self.values(numbered, i, p.type) if not several else list(range(len(numbered.domains[i])))
            below //= len(domain)
            digit = rest if below == 1 else f"{rest} / {below}"
            if more > below * len(domain):
                digit = f"{digit} % {len(domain)}"
            if several:
                values.append(f"listed({self._listed(phase, action, i)[0]}[{digit}])")
            elif domain[0] is not None and domain == list(range(domain[0], domain[0] + len(domain))):
                values.append(f"{digit} + {domain[0]}" if domain[0] > 0 else
                              f"{digit} - {-domain[0]}" if domain[0] < 0 else digit)  # fmt: skip
            else:
                name = self.name("values", self.role(phase), action.key, i)
                self.places[name] = [0 if v is None else v for v in domain]
                values.append(f"{name}[{digit}]")
        given = "".join(f", {value}" for value in values)
        self.writer.line(f"return {self.name('do', phase.name, action.key)}(at{given});")


def _instead(node: object, seat: ir.Expr | None) -> ir.Expr | None:
    """The seat that a zone's part is of, for the `owner` of its declaration."""
    return seat if isinstance(node, ir.Local) else None


def _multinomial(faces: list[int], weights: tuple[int, ...], first: int) -> int:
    """How likely it is that like dice show these faces, as parts of all that they can show."""
    found, left = 1, len(faces)
    for face in set(faces):
        times = faces.count(face)
        place = face - first
        found *= comb(left, times) * (weights[place] if 0 <= place < len(weights) else 0) ** times
        left -= times
    if found * len(weights) ** len(faces) >= 2**62:
        raise NotYet(f"{len(faces)} dice at once")
    return found
