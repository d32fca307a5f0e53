"""What can be done and what can happen, as C: the ids of legal actions, and outcomes with their weights."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.expressions import ATOM, Lowering
from aeronef.dsl.emit.c.ids import Ids
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.expressions import Spelt
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.phases import Phases as Planned


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
        write, low = self.writer, self.lowering
        if not left:
            name = self.ids.of(phase, action, values)
            write.line(f"ids[n++] = {name};" if self.ascending else f"n = add_id(ids, n, {name});")
            return
        (value, *rest), p = left, left[0].param
        assert p.source is not None
        if p.kind == "given":
            self._values(phase, action, rest, [*values, low.value(p.source)])
        elif p.kind == "some":
            self._several(phase, action, value, rest, values)
        else:
            over = ir.Gather(p.name, p.source, p.test, None, False, p.type, p.span)
            here = ir.Local(p.name, p.type, p.span)
            with low.gathered(over, here, repeats=False), self._asked(value.when):
                self._values(phase, action, rest, [*values, (self.names.local(p.name), ATOM)])

    def _asked(self, test: ir.Expr | None) -> AbstractContextManager[None]:
        return self.writer.block(f"if ({self.lowering.spell(test)})") if test is not None else nullcontext()

    def _several(
        self, phase: ir.Phase, action: ir.Action, value: plan.Value, rest: list[plan.Value], values: list[Spelt]
    ) -> None:  # fmt: skip
        """A loop through all sets of so many cards, for those that the source holds."""
        write, low, i, p = self.writer, self.lowering, len(values), value.param
        assert p.source is not None
        assert p.size is not None
        rows, starts = self.ids.listed(phase, action, i)
        size, place = low.plain(p.size), low.fresh("k")
        source = p.source
        form = self.fields.all[source.name].form if isinstance(source, ir.Read) else ""
        row = f"{rows}[{place}]"
        if form == "pile":
            assert isinstance(source, ir.Read)
            kind = source.type.card.name  # type: ignore[union-attr]
            lacks = f"{self.names['lacks', kind]}(&{low.read(source)}, {row})"
        elif form == "bits" or isinstance(source.type, t.SetOf):
            lacks = f"set_lacks({low.set_of(source)}, {row})"
        elif form in ("line", "sorted") and not (isinstance(source.type, t.ZoneOf) and source.type.owned):
            assert isinstance(source, ir.Read)
            zone = low.read(source)
            lacks = f"row_lacks({zone}.item, {zone}.n, {row})"
        else:
            raise NotYet(f"several of a {source.type}")
        most = len(self.ids.numbered(phase, action).domains[i][-1])  # type: ignore[arg-type]
        missing, skips = low.fresh("missing"), self.ids.skips(phase, action, i)
        with (
            write.block(f"if (0 <= {size} && {size} <= {most})"),
            write.block(f"for (int {place} = {starts}[{size}]; {place} < {starts}[{size} + 1];)"),
        ):
            write.line(f"const int {missing} = {lacks};")
            with write.block(f"if ({missing} > 0)"):
                write.line(f"{place} = {skips}[{place}][{missing} - 1];")
                write.line("continue;")
            if low.uses((p.test, value, tuple(rest)), p.name):
                write.line(f"const List {self.names.local(p.name)} = listed({row});")
            with self._asked(p.test), self._asked(value.when):
                self._values(phase, action, rest, [*values, (place, ATOM)])
            write.line(f"{place}++;")

    def _ascends(self, source: ir.Expr) -> bool:
        """Whether a loop through a collection ascends without repeats."""
        if isinstance(source, ir.Read):
            return self.fields.all[source.name].form in ("bits", "pile", "slot", "set")
        if isinstance(source, ir.Everything) or (isinstance(source, ir.Builtin) and source.name == "range"):
            return True
        return isinstance(source.type, t.SetOf)

    def chance(self, phase: ir.Phase) -> None:
        write, low = self.writer, self.lowering
        (action,) = phase.actions
        values: list[Spelt] = []
        random: ir.Parameter | None = None
        for p in action.params:
            if p.kind == "given" and p.source is not None:
                values.append(low.value(p.source))
            else:
                random = p
                values.append((self.names.local(p.name), ATOM))
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
            with (
                write.block(f"for (int {name} = 0; {name} < {kinds}; {name}++)"),
                write.block(f"if ({zone}.of[{name}] > 0)"),
            ):
                write.line(f"ids[n] = {self.ids.of(phase, action, values)};")
                write.line(f"weights[n++] = {zone}.of[{name}];")
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

    def _roll(self, phase: ir.Phase, action: ir.Action, random: ir.Parameter, values: list[Spelt]) -> None:
        """What so many like dice can show, with the multinomial weights."""
        write, low, i = self.writer, self.lowering, len(action.params) - 1
        if action.params[i] is not random:
            raise NotYet("values after several dice")
        assert random.size is not None
        _, starts = self.ids.listed(phase, action, i)
        name = self.ids.weights(phase, action, self.fields.dice[random.dice], i)
        size, place = low.plain(random.size), low.fresh("k")
        write.line("int n = 0;")
        with write.block(f"for (int {place} = {starts}[{size}]; {place} < {starts}[{size} + 1]; {place}++)"):
            write.line(f"ids[n] = {self.ids.of(phase, action, [*values[:-1], (place, ATOM)])};")
            write.line(f"weights[n++] = {name}[{place}];")
        write.line("return n;")
