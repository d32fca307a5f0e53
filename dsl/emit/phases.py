"""The phases of a game as methods: who acts, what is legal, what an action does and who hears of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from functools import partial

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.annotations import parameter, size_of
from aeronef.dsl.emit.choices import Merged, both, chosen, each_choice, once
from aeronef.dsl.emit.expressions import ATOM, COMPARE, OR, PRODUCT, SUM, Speller, Spelt, wrapped
from aeronef.dsl.emit.statements import Statements
from aeronef.dsl.emit.writer import Writer, quoted, tuple_of
from aeronef.dsl.printer import spell as spell_words
from aeronef.dsl.walk import Looks, locals_in, looked_at, looks, nodes, own_part, reads, rewritten
from aeronef.dsl.ways import ways_of


def merged(phases: Iterable[ir.Phase]) -> dict[str, Merged]:
    """The actions by their elements' names, in order of appearance."""
    found: dict[str, Merged] = {}
    for phase in phases:
        role = "outcome" if phase.kind == "chance" else "action"
        for action in phase.actions:
            params = [(p.name, p.type) for p in action.params]
            only = phase.only if action.only is None else action.only
            if phase.only is not None and action.only is not None:
                only = ir.Binary("and", phase.only, action.only, t.Bool(), action.span)
            if action.key in found:
                before = found[action.key]
                params = [(n, t.join(k, other) or k) for (n, k), (_, other) in zip(before.params, params, strict=True)]
                only = either(before.only, only)
            found[action.key] = Merged(action.name, action.key, tuple(params), role, only)
    return found


class Phases:
    def __init__(self, speller: Speller, writer: Writer, statements: Statements) -> None:
        self.game = game = speller.game
        self.speller, self.writer, self.statements = speller, writer, statements
        self.ways = ways_of(game.phases)
        self.known: Looks = {}
        self.once = once(game)
        self.actions = merged(p for p in game.phases if p.kind != "chance")
        self.outcomes = merged(p for p in game.phases if p.kind == "chance")
        members = speller.members
        for action in (*self.actions.values(), *self.outcomes.values()):
            members.of(("id", action.role, action.key), f"id_{action.key}")
            for i, (name, _) in enumerate(action.params):
                members.of(("index", action.role, action.key, i), f"index_{action.key}_{name}")
        for phase in game.phases:
            for verb in ("enter", "asked", "ask", "next", "legal", "chance", "choices", "rest"):
                members.of((verb, phase.name), f"{verb}_{phase.name}")
            for act in phase.actions:
                for verb in ("do", "told", "why"):
                    members.of((verb, phase.name, act.key), f"{verb}_{phase.name}_{act.key}")

    def member(self, *key: str | int) -> str:
        return self.speller.members[key]

    def base(self, action: Merged) -> str:
        return self.member("id", action.role, action.key)

    def index(self, action: Merged, i: int) -> str:
        return self.member("index", action.role, action.key, i)

    def merged(self, phase: ir.Phase, action: ir.Action) -> Merged:
        return (self.outcomes if phase.kind == "chance" else self.actions)[action.key]

    def phase(self, phase: ir.Phase) -> None:
        write, following = self.writer, self.member("next", phase.name)
        with write.block(f"def {self.member('enter', phase.name)}(self) -> int | None:"):
            if phase.says:
                write.docstring(phase.says)
            reopens = self._is_asked_again(phase)
            over = phase.over if not reopens else ()
            self.led(phase, (phase.effects, over, phase.start, phase.then if phase.kind == "automatic" else ()))
            self.statements.effects(phase.effects)
            if phase.kind == "automatic":
                self._goto(phase.then)
            elif phase.start is not None:
                self._enter_round(phase)
            elif phase.over is not None:
                queue = f"self.{self.member('asked', phase.name)}()" if reopens else self._queue(phase, phase.over)
                write.line(f"self.queue = {queue}")
                asking = phase.asks is not None and phase.until is not None
                write.line(f"return self.{self.member('ask', phase.name) if asking else following}()")
            elif phase.until is not None:
                write.line(f"return self.{following}()")
            else:
                self._act(phase, "NOBODY")
        write.line()
        if phase.kind == "automatic":
            return
        if phase.over is not None and self._is_asked_again(phase):
            with write.block(f"def {self.member('asked', phase.name)}(self) -> list[int]:"):
                self.led(phase, phase.over)
                write.line(f"return {self._queue(phase, phase.over)}")
            write.line()
        with write.block(f"def {following}(self) -> int | None:"):
            if phase.start is not None:
                self._follow_round(phase)
            elif phase.over is None:
                self._next_once(phase)
            elif phase.sequence is not None:
                self._next_in_row(phase, phase.sequence)
            elif phase.until is None:
                self._next_once_each(phase)
            else:
                self._next_until(phase)
        write.line()
        if phase.start is not None and phase.asks is not None:
            self._ask_round(phase)
        if phase.over is not None and phase.until is not None and phase.asks is not None:
            self._ask_until(phase)
        if phase.kind == "chance":
            self._chance(phase)
        else:
            self._legal(phase)
        if phase.sequence is not None:
            self._rest(phase, phase.sequence)
        for action in phase.actions:
            self._do(phase, action)
            self._told(phase, action)
            if phase.kind != "chance":
                self._why(phase, action)

    # ------------------------------------------------------------------------------ who acts

    def led(self, phase: ir.Phase, parts: object) -> None:
        """`me`, where the parts name it: of a phase of a detour, who led there."""
        if phase.name in self.ways.guests and self.speller.uses(parts, "me"):
            self.writer.line("me = self.visitor()")

    @staticmethod
    def _is_asked_again(phase: ir.Phase) -> bool:
        """Whether it is worked out more than once who is asked: where that is not just everybody, and some action
        opens the phase again."""
        everybody = isinstance(phase.over, ir.Everything) and phase.over.of == "players"
        return not everybody and any(action.reopens for action in phase.actions)

    def _leave(self, phase: ir.Phase) -> None:
        self.led(phase, phase.then)
        self._goto(phase.then)

    def _goto(self, then: ir.Goto) -> None:
        self.writer.line(f"return {self._way(then)}")

    def _way(self, then: ir.Goto) -> str:
        *tested, (_, last) = then.branches
        phases = self.speller.constants
        choice = "".join(
            f"{phases['phase', name]} if {self.speller.spell(test, OR)} else "
            for test, name in tested
            if test is not None
        )
        return f"{choice}{phases['phase', last]}"

    def _queue(self, phase: ir.Phase, over: ir.Expr) -> str:
        """The seats as a list of the position's own; those who choose together are asked in seat order."""
        text = self.speller.spell(over)
        if phase.kind == "together" and not self.speller.ascends(over):
            return f"sorted(set({text}))"
        fresh = isinstance(over, ir.Aggregate | ir.Collection) and isinstance(over.type, t.ListOf)
        fresh = fresh or (isinstance(over, ir.Builtin) and over.name == "clockwise")
        return text if fresh else f"list({text})"

    def _act(self, phase: ir.Phase, seat: str) -> None:
        """It is this seat's turn (or chance's, about this seat)."""
        if phase.kind == "chance":
            refills = self._refills(phase)
            if seat != "self.me":
                self.writer.line(f"{self._named(refills)} = {seat}")
            self.statements.effects(refills)
            self.writer.line("self.actor = CHANCE")
        elif seat == "self.me":
            self.writer.line("self.actor = self.me")
        else:
            self.writer.line(f"self.me = self.actor = {seat}")
        self.writer.line("return None")

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
                if filled:
                    return (ir.If(((test, filled),), instead, source.span),)
                return (ir.If(((self._negated(test), instead),), (), source.span),) if instead else ()
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

    def _enter_round(self, phase: ir.Phase) -> None:
        assert phase.start is not None
        start = self.speller.spell(phase.start)
        if phase.asks is not None:
            self.writer.line(f"return self.{self.member('ask', phase.name)}({start})")
        else:  # the first seat may be an automaton's: players take turns
            self._act(phase, start if self.game.automata is None else f"self.clockwise({start})[0]")

    def _follow_round(self, phase: ir.Phase) -> None:
        if phase.until is not None:
            with self.writer.block(f"if {self.speller.spell(phase.until)}:"):
                self._leave(phase)
        seats = self.speller.known.seats
        follower = f"(self.me + 1) % {seats or 'len(self.players)'}"
        if phase.asks is not None:
            self.writer.line(f"return self.{self.member('ask', phase.name)}({follower})")
        else:
            self._act(phase, follower)

    def _ask_round(self, phase: ir.Phase) -> None:
        write, asks = self.writer, phase.asks
        assert asks is not None
        with write.block(f"def {self.member('ask', phase.name)}(self, first: int) -> int | None:"):
            write.docstring("The next who is to be asked, clockwise.")
            with write.block("for me in self.clockwise(first):"):
                with write.block(f"if {self.speller.spell(asks)}:"):
                    self._act(phase, "me")
                self.statements.effects(phase.unasked)
            self._leave(phase)
        write.line()

    def _next_once(self, phase: ir.Phase) -> None:
        if phase.until is not None:
            with self.writer.block(f"if {self._not(phase.until)}:"):
                self._act(phase, "NOBODY")
        self._leave(phase)

    def _next_once_each(self, phase: ir.Phase) -> None:
        write, asks = self.writer, phase.asks
        with write.block(f"{'if' if asks is None else 'while'} self.queue:"):
            if asks is None:
                self._act(phase, "self.queue.pop(0)")
            else:
                write.line(f"{self._named(asks, phase.unasked)} = self.queue.pop(0)")
                with write.block(f"if {self.speller.spell(asks)}:"):
                    self._act(phase, "self.me")
                self.statements.effects(phase.unasked)
        self._leave(phase)

    def _next_in_row(self, phase: ir.Phase, sequence: ir.Sequence) -> None:
        """A seat chooses for each entry of its row; then the next has its turn."""
        write, spell = self.writer, self.speller.spell
        write.line("del self.row[:1]")
        with write.block("while self.queue and not self.row:"):
            write.line(f"{self._named(phase.asks, sequence.entries, phase.unasked)} = self.queue.pop(0)")
            if phase.asks is None:
                write.line(f"self.row = {spell(sequence.entries)}")
            else:
                write.line(f"self.row = {spell(sequence.entries, OR)} if {spell(phase.asks, OR)} else []")
            if phase.unasked:
                with write.block("if not self.row:"):
                    self.statements.effects(phase.unasked)
        with write.block("if self.row:"):
            self._act(phase, "self.me")
        self._leave(phase)

    def _next_until(self, phase: ir.Phase) -> None:
        """The first of the queue acts until it is done."""
        write = self.writer
        assert phase.until is not None
        if phase.asks is None:
            with write.block("while self.queue:"):
                write.line(f"{self._named(phase.until)} = self.queue[0]")
                with write.block(f"if {self._not(phase.until)}:"):
                    self._act(phase, "self.me")
                write.line("del self.queue[0]")
            self._leave(phase)
            return
        self.me(phase.until)
        with write.block(f"if {self._not(phase.until)}:"):
            self._act(phase, "self.me")
        write.line("del self.queue[0]")
        write.line(f"return self.{self.member('ask', phase.name)}()")

    def _ask_until(self, phase: ir.Phase) -> None:
        write = self.writer
        assert phase.until is not None
        assert phase.asks is not None
        with write.block(f"def {self.member('ask', phase.name)}(self) -> int | None:"):
            write.docstring("The next who is to be asked.")
            with write.block("while self.queue:"):
                write.line(f"{self._named(phase.asks, phase.until, phase.unasked)} = self.queue[0]")
                if phase.unasked:
                    with write.block(f"if {self._not(phase.asks)}:"):
                        self.statements.effects(phase.unasked)
                    head = f"elif {self._not(phase.until)}:"
                else:
                    head = f"if {self.speller.spell(phase.asks, 2)} and {self._not(phase.until, 2)}:"
                with write.block(head):
                    self._act(phase, "self.me")
                write.line("del self.queue[0]")
            self._leave(phase)
        write.line()

    def _named(self, *parts: object) -> str:
        """The target that names who acts: `me` too, where the parts use it."""
        return "me = self.me" if self.speller.uses(parts, "me") else "self.me"

    def _not(self, test: ir.Expr, around: int = 0) -> str:
        return self.speller.spell(self._negated(test), around)

    @staticmethod
    def _negated(test: ir.Expr) -> ir.Expr:
        return ir.Unary("not", test, t.Bool(), test.span)

    def me(self, parts: object, action: ir.Action | None = None, phase: ir.Phase | None = None) -> None:
        """`me`, and the entry of the phase's sequence that is answered, where the parts name it and it is no value of
        the action."""
        given = [p.name for p in action.params] if action is not None else []
        if self.speller.uses(parts, "me") and "me" not in given:
            self.writer.line("me = self.me")
        entry = phase.sequence.name if phase is not None and phase.sequence is not None else "me"
        if entry != "me" and self.speller.uses(parts, entry) and entry not in given:
            self.writer.line(f"{self.speller.local(entry)} = self.row[0]")

    # ------------------------------------------------------------------------------ what can be done

    def _id(self, action: Merged, values: list[Spelt], first: str = "") -> str:
        """The dense id of an action with these values: its first id (as it is spelt), and its values as digits."""
        total: Spelt | None = None
        for i, value in enumerate(values):
            digit, size = self._digit(action, i, value)
            total = digit if total is None else (f"{wrapped(total, PRODUCT)} * {size} + {wrapped(digit, SUM)}", SUM)
        start = first or f"self.{self.base(action)}"
        return f"{start} + {wrapped(total, SUM)}" if total is not None else start

    def _digit(self, action: Merged, i: int, value: Spelt) -> tuple[Spelt, str]:
        """A value's place among all that it could be, and how many these are."""
        _, kind = action.params[i]
        if isinstance(kind, t.ListOf):
            table = f"self.{self.index(action, i)}"
            return (f"{table}[{value[0]}]", ATOM), f"len({table})"
        name = kind.name if isinstance(kind, t.Enum | t.Card) else ""
        if name in self.speller.partial and not self.speller.partial[name]:
            value = f"self.{self.speller.members['place in', name]}[{value[0]}]", ATOM
        return self.speller.digit(value, kind), self._many(kind)

    def _many(self, kind: t.Type) -> str:
        if isinstance(kind, t.Enum | t.Card) and kind.name in self.speller.partial:
            return f"len({self.speller.every(kind.name)})"
        if isinstance(kind, t.Seat):
            return "self.n"
        if isinstance(kind, t.Card):
            return str(next(len(c.kinds) for c in self.game.cards if c.name == kind.name))
        return str(size_of(kind))

    def _legal(self, phase: ir.Phase) -> None:
        """The ids of what is legal, ascending: actions in their order, where the values of each ascend."""
        write = self.writer
        order = list(self.actions)
        actions = sorted(phase.actions, key=lambda a: order.index(a.key))
        rows = [(*self._ids(self.merged(phase, a), a), self._first(a)) for a in actions]
        each = [each_choice(self.speller.known, self.merged(phase, a), a) for a in actions]
        verb = "legal"
        if phase.sequence is not None:
            verb = "choices"
            with write.block(f"def {self.member('legal', phase.name)}(self) -> list[int]:"):
                write.line(f"return self.completing(Position.{self.member('choices', phase.name)})")
            write.line()
        with write.block(f"def {self.member(verb, phase.name)}(self) -> list[int]:"):
            parts = tuple((a.when, *((p.source, p.size, p.test) for p in a.params)) for a in phase.actions)
            self.me(parts, phase=phase)
            if len(rows) == 1 and not rows[0][2] and not each[0]:
                ids, ascending, _ = rows[0]
                self._counting(actions[0], ids)
                write.line(f"return [{ids}]" if ascending else f"return sorted({{{ids}}})")
            elif not any(when or " for " in ids for ids, _, when in rows):
                write.line(f"return [{', '.join(ids for ids, _, _ in rows)}]")
            else:
                self._legal_rows(rows, each, actions)
        write.line()

    def _counting(self, action: ir.Action, ids: str) -> None:
        """What the ids of many choices are counted from."""
        if " for " in ids:
            self.writer.line(f"first = self.{self.base(self.actions[action.key])}")

    def _first(self, action: ir.Action) -> str:
        """What must hold for an action, whatever its values."""
        when = action.when if action.when is not None and not chosen(action) else None
        if when is not None and action.only is not None:
            return self.speller.spell(both(action.only, when))
        test = when or action.only
        return self.speller.spell(test) if test is not None else ""

    def _legal_rows(
        self, rows: list[tuple[str, bool, str]], each: list[list[tuple[ir.Expr, int]]], actions: list[ir.Action]
    ) -> None:
        write = self.writer
        if rows[0][2] or each[0]:
            write.line("ids: list[int] = []")
        for i, (ids, _, when) in enumerate(rows):
            with write.block(f"if {when}:") if when else nullcontext():
                self._counting(actions[i], ids)
                for test, place in each[i]:
                    with write.block(f"if {self.speller.spell(test)}:"):
                        write.line(f"ids.append(first + {place})" if place else "ids.append(first)")
                if not each[i]:
                    begins = not i and not when
                    many = begins or " for " in ids
                    write.line(f"ids {'' if begins else '+'}= [{ids}]" if many else f"ids.append({ids})")
        write.line("return ids" if all(ascending for _, ascending, _ in rows) else "return sorted(set(ids))")

    def _ids(self, action: Merged, node: ir.Action) -> tuple[str, bool]:
        """The ids of an action's choices, and whether they ascend."""
        loops, ascending = "", True
        values: list[Spelt] = []
        when = node.when if chosen(node) else None
        missing = {p.name for p in node.params if p.kind != "given"} & locals_in(when)
        for p in node.params:
            assert p.source is not None
            if p.kind == "given":
                values.append(self.speller.spelt(p.source))
                continue
            source, sorted_ = self._choices(p)
            ascending = ascending and sorted_
            loops += f" for {self.speller.local(p.name)} in {source}"
            loops += f" if {self.speller.spell(p.test, OR)}" if p.test is not None else ""
            values.append((self.speller.local(p.name), ATOM))
            missing -= {p.name}
            if when is not None and not missing:  # as early as it can be asked
                loops += f" if {self.speller.spell(when, OR)}"
                when = None
        return (self._id(action, values, "first") + loops if loops else self._id(action, values)), ascending

    def _choices(self, p: ir.Parameter) -> tuple[str, bool]:
        """The values of a parameter, and whether they ascend."""
        spell, source = self.speller.spell, p.source
        assert source is not None
        if p.kind == "some":
            assert p.size is not None
            return f"subsets({spell(source)}, {spell(p.size)})", True
        if isinstance(source.type, t.ZoneOf | t.Tray):
            if isinstance(source.type, t.ZoneOf) and source.type.slot:
                return f"held({spell(source)})", True
            kept = {n.name for n in nodes(source) if isinstance(n, ir.Read)} & self.statements.ordered
            if isinstance(source, ir.Read) and source.name in self.once:
                return spell(source), not kept
            return f"dict.fromkeys({spell(source)})", not kept
        return spell(source, OR), self.speller.ascends(source)

    def _chance(self, phase: ir.Phase) -> None:
        write = self.writer
        with write.block(f"def {self.member('chance', phase.name)}(self) -> list[tuple[int, int]]:"):
            self.me(tuple((p.source, p.size) for a in phase.actions for p in a.params))
            for action in phase.actions:
                self._outcomes(self.merged(phase, action), action)
        write.line()

    def _outcomes(self, action: Merged, node: ir.Action) -> None:
        write, spell, local = self.writer, self.speller.spell, self.speller.local
        values: list[Spelt] = []
        random: ir.Parameter | None = None
        for p in node.params:
            if p.kind == "given" and p.source is not None:
                values.append(self.speller.spelt(p.source))
            else:
                random = p
                values.append((local(p.name), ATOM))
        ids = self._id(action, values)
        if random is None:
            write.line(f"return [({ids}, 1)]")
            return
        name = local(random.name)
        if len(values) > 1 and node.params[-1] is random:  # what does not vary is worked out once
            digit, size = self._digit(action, len(values) - 1, values[-1])
            fixed = self._id(action, values[:-1]).removeprefix(f"self.{self.base(action)} + ")
            write.line(f"first = self.{self.base(action)} + {f'({fixed})' if ' ' in fixed else fixed} * {size}")
            ids = f"first + {wrapped(digit, SUM)}"
        else:
            write.line(f"first = self.{self.base(action)}")
            ids = self._id(action, values, "first")
        if random.kind == "card":
            assert random.source is not None
            zone = self.speller.items(random.source)
            if isinstance(random.source, ir.Read) and random.source.name in self.once:
                ascending = f"sorted({zone})" if random.source.name in self.statements.ordered else zone
                write.line(f"return [({ids}, 1) for {name} in {ascending}]")
            else:
                write.line(f"return [({ids}, weight) for {name}, weight in copies({zone})]")
        elif random.kind == "uniform":
            assert random.source is not None
            if self.speller.ascends(random.source):
                write.line(f"return [({ids}, 1) for {name} in {spell(random.source, OR)}]")
            else:  # what stands twice in a list is twice as likely
                write.line(f"return [({ids}, weight) for {name}, weight in copies({spell(random.source)})]")
        else:
            assert random.size is not None
            dice = next(d for d in self.game.dice if d.name == random.dice)
            low = f", {dice.face.low}" if isinstance(dice.face, t.Int) and dice.face.low else ""
            thrown = f"rolls({self.speller.constants['dice', dice.name]}, {spell(random.size)}{low})"
            write.line(f"return [({ids}, weight) for {name}, weight in {thrown}]")

    # ------------------------------------------------------------------------------ what an action does

    def signature(self, action: ir.Action) -> str:
        return "".join(f", {self.speller.local(p.name)}: {parameter(p.type)}" for p in action.params)

    def _do(self, phase: ir.Phase, action: ir.Action) -> None:
        write, leads = self.writer, action.visits is not None or action.then is not None
        gives = "int" if leads else "None"
        with write.block(f"def {self.member('do', phase.name, action.key)}(self{self.signature(action)}) -> {gives}:"):
            if action.says:
                write.docstring(action.says)
            elif not any(e.body for e in action.effects) and not leads and not action.reopens:
                write.docstring("Nothing changes.")
            if not any(e.by == action.by for e in action.effects):
                write.cite(action.by)
            self.me((action.effects, action.visits or (), action.guest or (), action.then or ()), action, phase)
            self.statements.effects(action.effects)
            if action.reopens:
                asked, itself = self.member("asked", phase.name), action.reopens == "all"
                seats = f"self.{asked}()" if self._is_asked_again(phase) else "self.players"
                write.line(f"self.queue = self.around({seats}, self.me, itself={itself})")
            if action.visits is not None:
                guest = f", {self.speller.spell(action.guest)}" if action.guest is not None else ""
                write.line(f"return self.visit({self._way(action.visits)}{guest})")
            elif action.then is not None:
                write.line(f"return self.leave({self._way(action.then)})")
        write.line()

    def _told(self, phase: ir.Phase, action: ir.Action) -> None:
        if not hears_differ(action):
            return
        write = self.writer
        name = self.member("told", phase.name, action.key)
        with write.block(f"def {name}(self, viewer: int{self.signature(action)}) -> tuple[bool, ...]:"):
            self.me(tuple(p.told.test for p in action.params), action, phase)
            write.line(f"return {tuple_of([self.speller.spell(p.told.test) for p in action.params])}")
        write.line()

    def _why(self, phase: ir.Phase, action: ir.Action) -> None:
        tests = list(self.tests(action))
        if not tests:
            return
        write, name = self.writer, self.member("why", phase.name, action.key)
        with write.block(f"def {name}(self{self.signature(action)}) -> tuple[Any, ...]:"):
            self.me(tuple(node for _, _, node in tests), action, phase)
            items = [f"({quoted(words)}, {test}, {self._looks(node)})" for words, test, node in tests]
            write.line(f"return {tuple_of(items)}")
        write.line()

    def _rest(self, phase: ir.Phase, sequence: ir.Sequence) -> None:
        """What tells whether the rest of a sequence can be completed: what its actions ask, and what they do."""
        write = self.writer
        asked = tuple((a.when, *((p.source, p.size, p.test) for p in a.params)) for a in phase.actions)
        done = tuple(part for a in phase.actions for effect in a.effects for part in looked_at(effect.body))
        looks = self._looks((sequence.entries, asked, done))
        with write.block(f"def {self.member('rest', phase.name)}(self) -> tuple[Any, ...]:"):
            if ", me)" in looks:
                write.line("me = self.me")
            write.line(f"return ({quoted(sequence.words)}, {looks})")
        write.line()

    def tests(self, action: ir.Action) -> Iterator[tuple[str, str, object]]:
        """What makes an action legal: the words of the spec, the test, and what it looks at."""
        speller = self.speller
        for p in action.params:
            name = speller.local(p.name)
            assert p.source is not None
            choice, test = _halves(p.words)
            if p.kind == "given":
                fixed = speller.spell(p.source, COMPARE + 1)
                if isinstance(p.source, ir.Local) and p.source.name == p.name:  # the value has its name here
                    fixed = "self.me" if p.name == "me" else "self.row[0]"
                yield p.words, f"{name} == {fixed}", p.source
            elif p.kind == "some":
                assert p.size is not None
                yield (
                    choice,
                    f"{name} in subsets({speller.spell(p.source)}, {speller.spell(p.size)})",
                    (p.source, p.size),
                )
            else:
                yield choice, f"{name} in {speller.unordered(p.source, COMPARE + 1)}", p.source
            if p.test is not None:
                yield test, speller.spell(p.test), p.test
        if action.when is not None:
            yield action.when_words, speller.spell(action.when), action.when

    def _looks(self, node: object) -> str:
        """What a test reads, as (place, seat): the seat None where it may be anybody's."""
        found: dict[str, None] = {}
        for read, mine in looks(node, frozenset({"me"}), self.statements.defines, self.known):
            whose = "me" if own_part(read, self.speller.each[read.name], mine) else "None"
            found[f'("{self.speller.called(read.name)}", {whose})'] = None
        return tuple_of(list(found)) if found else "()"


def _instead(node: object, seat: ir.Expr | None) -> ir.Expr | None:
    """The seat that a zone's part is of, for the `owner` of its declaration."""
    return seat if isinstance(node, ir.Local) else None


def either(one: ir.Only, other: ir.Only) -> ir.Only:
    """Where one of two is there."""
    if one is None or other is None:
        return None
    return one if spell_words(one) == spell_words(other) else ir.Binary("or", one, other, t.Bool(), one.span)


def _halves(words: str) -> tuple[str, str]:
    """A parameter's own words, before and after the `where` that is outside brackets."""
    depth = 0
    for i, char in enumerate(words):
        depth += (char in "([{") - (char in ")]}")
        if not depth and words.startswith(" where ", i):
            return words[:i], words[i + len(" where ") :]
    return words, words


def hears_differ(action: ir.Action) -> bool:
    """Whether somebody may not hear all of an action."""
    return not all(p.told.words == "everyone" for p in action.params)
