"""What can be done and what can happen, as C: the ids of legal actions, and outcomes with their weights."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.boards import Part
from aeronef.dsl.emit.c.expressions import ATOM, COMPARE, Lowering, is_brief
from aeronef.dsl.emit.c.ids import Ids
from aeronef.dsl.emit.c.sets import BITS
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.expressions import Spelt
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.phases import Phases as Planned
from aeronef.dsl.walk import locals_in


class Choices:
    def __init__(self, lowering: Lowering, writer: Writer, ids: Ids, planned: Planned) -> None:
        self.lowering, self.writer, self.ids, self.planned = lowering, writer, ids, planned
        self.fields, self.names = lowering.fields, lowering.names
        self.ascending = True  # whether the ids of the phase at hand come in their order

    def legal(self, phase: ir.Phase) -> None:
        """The ids of what is legal, ascending: actions in their order, where the values of each ascend."""
        write = self.writer
        write.line("int n = 0;")
        sources = [p.source for a in phase.actions for p in a.params if p.kind == "one" and p.source is not None]
        self.ascending = all(self._ascends(source) for source in sources)
        for action in sorted(phase.actions, key=lambda a: self.ids.order.index(a.key)):
            offer = self.planned.offer(action)
            with self._asked(offer.first):
                self._values(phase, action, list(offer.values), [])
        write.line("return n;")

    def _values(self, phase: ir.Phase, action: ir.Action, left: list[plan.Value], values: list[Spelt]) -> None:
        """Loops through the values that are left, and writes the id in the innermost."""
        low = self.lowering
        if not left:
            self._listed(phase, action, values, None)
            return
        if self._by_place(phase, action, [value.param for value in left], tuple(v.when for v in left), values):
            return
        (value, *rest), p = left, left[0].param
        assert p.source is not None
        if p.kind == "given":
            self._values(phase, action, rest, [*values, low.value(p.source)])
        elif p.kind == "some":
            self._several(phase, action, value, rest, values)
        elif rest or not self._in_passing(phase, action, value, values):
            over = ir.Gather(p.name, p.source, p.test, None, False, p.type, p.span)
            here, given = ir.Local(p.name, p.type, p.span), [*values, (self.names.local(p.name), ATOM)]
            with low.gathered(over, here, repeats=False):
                self._then(phase, action, value.when, rest, given)

    def _then(
        self, phase: ir.Phase, action: ir.Action, test: ir.Expr | None, rest: list[plan.Value], values: list[Spelt]
    ) -> None:  # fmt: skip
        """What is left where the test holds; of the innermost it is counted in."""
        if test is not None and not rest:
            self._listed(phase, action, values, self.lowering.spell(test))
        else:
            with self._asked(test):
                self._values(phase, action, rest, values)

    def _asked(self, test: ir.Expr | None) -> AbstractContextManager[None]:
        return self.writer.block(f"if ({self.lowering.spell(test)})") if test is not None else nullcontext()

    def _listed(self, phase: ir.Phase, action: ir.Action, values: list[Spelt], test: str | None) -> None:
        """Writes the id of an action with all its values, if it passes the test. It is written in any case, and only
        counted if it does: what is legal is as good as random, and a processor guesses wrong where it may not be so."""
        write, name = self.writer, self.ids.of(phase, action, values)
        if test is None:
            write.line(f"ids[n++] = {name};" if self.ascending else f"n = add_id(ids, n, {name});")
        elif self.ascending and phase.sequence is None:
            write.line(f"ids[n] = {name};")
            write.line(f"n += {test};")
        else:
            with write.block(f"if ({test})"):
                self._listed(phase, action, values, None)

    def _in_passing(self, phase: ir.Phase, action: ir.Action, value: plan.Value, values: list[Spelt]) -> bool:
        """The same of all values of the last parameter, where what there is to test is brief. Whether it is."""
        write, low, p = self.writer, self.lowering, value.param
        source, tests = p.source, [test for test in (p.test, value.when) if test is not None]
        if phase.sequence is not None or not self.ascending or not is_brief(tuple(tests)):
            return False
        name = self.names.local(p.name)
        given: list[Spelt] = [*values, (name, ATOM)]
        if isinstance(source, ir.Everything):
            if not tests:
                return False
            with low.each(source, name):
                self._listed(phase, action, given, " && ".join(low.spell(test, COMPARE) for test in tests))
        elif isinstance(source, ir.Read) and self.fields.all[source.name].form == "pile":
            kinds = self.names["kinds", source.type.card.name]  # type: ignore[union-attr]
            zone = low.read(source)
            with write.block(f"for (int {name} = 0; {name} < {kinds}; {name}++)"):
                held = f"{zone}.of[{name}] > 0"
                self._listed(phase, action, given, " && ".join([held, *(low.spell(t_, COMPARE) for t_ in tests)]))
        else:
            return False
        return True

    def _by_place(
        self, phase: ir.Phase, action: ir.Action, params: list[ir.Parameter], whens: tuple[ir.Expr | None, ...],
        values: list[Spelt],
    ) -> bool:  # fmt: skip
        """The same of all values that are left, where these are the places of a board, and all that there is to test is
        what such a part has: bit by bit. Whether it is."""
        write, low, tests = self.writer, self.lowering, [p.test for p in params if p.test is not None]
        tests += [when for when in whens if when is not None]
        if phase.sequence is not None or not self.ascending or len(tests) != 1:
            return False
        part, last = self.fields.boards.test(tests[0]), len(params)
        if not isinstance(part, Part) or last > len(part.rests):
            return False
        names, first = {p.name for p in params}, len(part.rests) - last
        if locals_in((part.value, tuple(rest for rest in part.rests[:first] if rest is not None))) & names:
            return False
        numbered = self.ids.numbered(phase, action)
        for i, p in enumerate(params):
            low_end, size = part.board.lows[first + i], part.board.sizes[first + i]
            rest = part.rests[first + i]
            direct = isinstance(rest, ir.Local) and rest.name == p.name and part.offsets[first + i] == -low_end
            every = isinstance(p.source, ir.Everything) and low.span(p.source) == (low_end, low_end + size - 1)
            values_of = self.ids.values(numbered, len(values) + i, p.type)
            if not (direct and every and p.kind == "one" and values_of == list(range(low_end, low_end + size))):
                return False
        bits = low.fresh("bits")
        text = low.masks.listed(part, last)
        with write.block(f"for (uint64_t {bits} = {text}; {bits} != 0; {bits} &= {bits} - 1)"):
            write.line(f"ids[n++] = {self.ids.of(phase, action, values, f'__builtin_ctzll({bits})')};")
        return True

    def _several(
        self, phase: ir.Phase, action: ir.Action, value: plan.Value, rest: list[plan.Value], values: list[Spelt]
    ) -> None:  # fmt: skip
        """A loop through all lists of so many cards that the source holds."""
        write, low, i, p = self.writer, self.lowering, len(values), value.param
        assert p.source is not None
        assert p.size is not None
        name, width, least = self.ids.followers(phase, action, i)
        size, some, place = low.plain(p.size), low.fresh("some"), low.fresh("k")
        most = len(self.ids.numbered(phase, action).domains[i][-1])  # type: ignore[arg-type]
        with write.block(f"if (0 <= {size} && {size} <= {most})"):
            write.line(f"Some {some};")
            write.line(f"{some}.n = 0;")
            self._hold(some, p.source, size, most, least)
            first = f"some_first(&{some}, {size}, {name}, {width})"
            with write.block(f"for (int {place} = {first}; {place} >= 0; {place} = some_next(&{some}))"):
                if low.uses((p.test, value, tuple(rest)), p.name):
                    rows = self.ids.rows(phase, action, i)
                    write.line(f"const List {self.names.local(p.name)} = listed({rows}[{place}]);")
                given: list[Spelt] = [*values, (place, ATOM)]
                if value.when is None:
                    self._then(phase, action, p.test, rest, given)
                else:
                    with self._asked(p.test):
                        self._then(phase, action, value.when, rest, given)

    def _hold(self, some: str, source: ir.Expr, size: str, most: int, least: int) -> None:
        """What a source holds, of each not more than what is chosen of all."""
        write, low = self.writer, self.lowering
        form = self.fields.all[source.name].form if isinstance(source, ir.Read) else ""
        card = low.fresh("card")
        value = low.counted((card, ATOM), t.Int(least, least))[0]
        if form == "pile":
            assert isinstance(source, ir.Read)
            zone, kind = low.read(source), source.type.card.name  # type: ignore[union-attr]
            held, copy = len(self.fields.cards[kind].kinds) * most, low.fresh("i")
            with (
                write.block(f"for (int {card} = 0; {card} < {self.names['kinds', kind]}; {card}++)"),
                write.block(f"for (int {copy} = least({zone}.of[{card}], {size}); {copy} > 0; {copy}--)"),
            ):
                write.line(f"{some}.held[{some}.n++] = {value};")
        elif form == "bits":
            held = BITS
            with low.each(source, card):
                write.line(f"{some}.held[{some}.n++] = {value};")
        else:  # a row, or one of two zones
            held = self._room(source)
            with low.each(source, card):
                write.line(f"hold(&{some}, {value});")
        self.ids.held_most = max(self.ids.held_most, held)

    def _room(self, source: ir.Expr) -> int:
        """How much can lie in a zone, or in the larger of two."""
        if isinstance(source, ir.Choice):
            return max(self._room(source.then), self._room(source.other))
        assert isinstance(source, ir.Read)
        return self.fields.holds(next(zone for zone in self.fields.game.zones if zone.name == source.name))

    def _ascends(self, source: ir.Expr) -> bool:
        """Whether a loop through a collection ascends without repeats."""
        if isinstance(source, ir.Read):
            return self.fields.all[source.name].form in ("bits", "pile", "slot", "set")
        if isinstance(source, ir.Everything) or (isinstance(source, ir.Builtin) and source.name == "range"):
            return True
        return isinstance(source.type, t.SetOf)

    def chance(self, phase: ir.Phase) -> None:
        """All that can happen, with its weights."""
        write, low = self.writer, self.lowering
        action, random, values = self._happening(phase)
        if random is None:
            write.line(f"ids[0] = {self.ids.of(phase, action, values)};")
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
            kinds = self.names["kinds", source.type.card.name]
            with write.block(f"for (int {name} = 0; {name} < {kinds}; {name}++)"):
                write.line(f"ids[n] = {self.ids.of(phase, action, values)};")
                write.line(f"weights[n] = {zone}.of[{name}];")
                write.line(f"n += {zone}.of[{name}] > 0;")
        elif self._ascends(source):
            with low.each(source, name, repeats=False):
                write.line(f"ids[n] = {self.ids.of(phase, action, values)};")
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
                    write.line(f"ids[n] = {self.ids.of(phase, action, values)};")
                    write.line(f"weights[n++] = {number};")
        write.line("return n;")

    def _happening(self, phase: ir.Phase) -> tuple[ir.Action, ir.Parameter | None, list[Spelt]]:
        """What happens in a phase of chance, what of it is random, and all its values."""
        (action,) = phase.actions
        values: list[Spelt] = []
        random: ir.Parameter | None = None
        for p in action.params:
            if p.kind == "given" and p.source is not None:
                values.append(self.lowering.value(p.source))
            else:
                random = p
                values.append((self.names.local(p.name), ATOM))
        return action, random, values

    def drawn(self, phase: ir.Phase) -> bool:
        """One of what can happen, at random, without a list of it all with its weights: `return` with its id, or -1
        where there is none; `choices` tells whether there was another. Whether there is such a way."""
        write, low = self.writer, self.lowering
        action, random, values = self._happening(phase)
        if random is None:
            write.line("*choices = 1;")
            write.line(f"return {self.ids.of(phase, action, values)};")
            return True
        source, name = random.source, self.names.local(random.name)
        if random.kind == "roll" or source is None:
            return False
        if isinstance(source, ir.Read) and self.fields.all[source.name].form == "pile":
            zone, point = low.read(source), low.fresh("point")
            with write.block(f"if ({zone}.n == 0)"):
                write.line("return -1;")
            write.line(f"int {point} = (int)below(random, (uint64_t){zone}.n);")
            write.line(f"int {name} = 0;")
            with write.block(f"while (({point} -= {zone}.of[{name}]) >= 0)"):
                write.line(f"{name}++;")
            write.line(f"*choices = {zone}.of[{name}] == {zone}.n ? 1 : 2;")
            write.line(f"return {self.ids.of(phase, action, values)};")
            return True
        if not self._ascends(source):
            return False
        write.line("int n = 0;")
        with low.each(source, name, repeats=False):
            write.line(f"ids[n++] = {self.ids.of(phase, action, values)};")
        write.line("*choices = n;")
        write.line("return n == 0 ? -1 : ids[below(random, (uint64_t)n)];")
        return True

    def _roll(self, phase: ir.Phase, action: ir.Action, random: ir.Parameter, values: list[Spelt]) -> None:
        """What so many like dice can show, with the multinomial weights."""
        write, low, i = self.writer, self.lowering, action.params.index(random)
        assert random.size is not None
        starts = self.ids.starts(phase, action, i)
        name = self.ids.weights(phase, action, self.fields.dice[random.dice], i)
        size, place = low.plain(random.size), low.fresh("k")
        write.line("int n = 0;")
        with write.block(f"for (int {place} = {starts}[{size}]; {place} < {starts}[{size} + 1]; {place}++)"):
            rolled: list[Spelt] = [*values[:i], (place, ATOM), *values[i + 1 :]]
            write.line(f"ids[n] = {self.ids.of(phase, action, rolled)};")
            write.line(f"weights[n++] = {name}[{place}];")
        write.line("return n;")
