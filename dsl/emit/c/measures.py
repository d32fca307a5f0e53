"""What is measured as C: a function for each moment of each measure, and what calls them on the way of a game.

Each observation adds to two numbers of its game: how many there were under its keys, and their total. Where nobody
measures, `seen` is NULL, and nothing is looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.expressions import ATOM, PRODUCT, SUM
from aeronef.dsl.emit.c.numbering import Numbering
from aeronef.dsl.emit.c.phases import Phases
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.expressions import Spelt, wrapped

Found = list[tuple[int, int, ir.Moment]]  # the numbers of a measure and of its moment


class Measures:
    def __init__(self, phases: Phases, numbering: Numbering) -> None:
        self.phases, self.names, self.lowering = phases, phases.names, phases.lowering
        self.measures, self.numbered = phases.game.measures, numbering.measures
        self.nodes = {phase.name: phase for phase in phases.game.phases}

    def __bool__(self) -> bool:
        return bool(self.measures)

    @property
    def parameter(self) -> str:
        """What functions that can be measured are given."""
        return ", const Seen *seen" if self.measures else ""

    @property
    def argument(self) -> str:
        return ", seen" if self.measures else ""

    @property
    def nobody(self) -> str:
        """What is handed to them where nobody measures."""
        return ", NULL" if self.measures else ""

    def at(self, belongs: Callable[[ir.Moment], bool]) -> Found:
        return [
            (i, j, moment)
            for i, measure in enumerate(self.measures)
            for j, moment in enumerate(measure.moments)
            if belongs(moment)
        ]

    # ------------------------------------------------------------------------------ what is observed

    def functions(self, write: Writer) -> None:
        if not self.measures:
            return
        write.line(f"// {'-' * 90} what is measured")
        write.line()
        write.comment("Of each measure how many observations there were in a game, and their total, by their keys.")
        with write.block("typedef struct", "} Seen;"):
            write.line("int64_t *number[MEASURES];")
            write.line("int64_t *total[MEASURES];")
        write.line()
        with write.block("static const int64_t MEASURE_KEYS[MEASURES] =", "};"):
            for measure, numbered in zip(self.measures, self.numbered, strict=True):
                write.line(f"{numbered.many},  // {measure.name}".rstrip("\\"))
        write.line()
        for i, j, moment in self.at(lambda _: True):
            self._moment(write, i, j, moment)
        self._begins(write)
        self._acts(write)
        self._ends(write)

    def _moment(self, write: Writer, i: int, j: int, moment: ir.Moment) -> None:
        measure, parts = self.measures[i], (moment.over, moment.value)
        phase = self.nodes.get(moment.phase)
        action = next((a for a in phase.actions if a.key == moment.action), None) if phase is not None else None
        names = [self.names.local(p.name) for p in action.params] if action is not None else []
        kinds = ["List" if isinstance(p.type, t.ListOf) else "int" for p in action.params] if action is not None else []
        given = "".join(f", {kind} {name}" for kind, name in zip(kinds, names, strict=True))
        write.comment(f"{measure.name}, at {moment.name}")
        write.cite(measure.by, measure.says)
        head = f"static void {self.names['observe', i, j]}(const Position *at{given}, const Seen *seen)"
        with self.phases.function(head, "at", *names, where=f"measures.{measure.name}"):
            self.phases.statements.body(self.phases.planned.observing(parts, phase, action))
            self._observed(write, i, j, moment, list(moment.over), [])

    def _observed(
        self, write: Writer, i: int, j: int, moment: ir.Moment, left: list[ir.Gather], digits: list[Spelt]
    ) -> None:
        """Loops through the keys that are left, and what is observed in the innermost."""
        low = self.lowering
        if left:
            over, *rest = left
            with low.gathered(over, tuple(rest), moment.value, ir.Local(over.name, over.item, over.span)):
                value = (self.names.local(over.name), ATOM)
                digit = self._digit(i, j, len(digits), over.item, value)
                self._observed(write, i, j, moment, rest, [*digits, digit])
            return
        row: Spelt = ("0", ATOM)
        for k, place in enumerate(digits):
            many = len(self.numbered[i].domains[k])
            row = place if k == 0 else (f"{wrapped(row, PRODUCT)} * {many} + {wrapped(place, SUM)}", SUM)
        observed = low.spell(moment.value) if moment.value is not None else "1"
        key = row[0]
        if len(digits) > 1:
            key = low.fresh("key")
            write.line(f"const int {key} = {row[0]};")
        write.line(f"seen->number[{i}][{key}]++;")
        write.line(f"seen->total[{i}][{key}] += {observed};")

    def _digit(self, i: int, j: int, k: int, kind: t.Type, value: Spelt) -> Spelt:
        """The place of a key's value among all that its type has, with the words and cards of other games."""
        domain = self.phases.ids.values(self.numbered[i], k, kind)
        if domain and domain[0] is not None and domain == list(range(domain[0], domain[0] + len(domain))):
            return self.lowering.counted(value, t.Int(domain[0], domain[0]))
        low, high = self.phases.fields.bounds(kind)
        name = self.names["key", i, j, k]
        self.phases.ids.table(name, [domain.index(v) if v in domain else 0 for v in range(low, high + 1)])
        return f"{name}[{self.lowering.counted(value, t.Int(low, low))[0]}]", ATOM

    # ------------------------------------------------------------------------------ when

    def _begins(self, write: Writer) -> None:
        found = self.at(lambda moment: bool(moment.phase) and not moment.action)
        head = "static void begins(const Position *at, int phase, const Seen *seen)"
        with self.phases.function(head, "at", "seen"), write.block("switch (phase)"):
            for name in dict.fromkeys(moment.phase for _, _, moment in found):
                write.line(f"case {self.names['phase', name]}:")
                for i, j, moment in found:
                    if moment.phase == name:
                        write.line(f"    {self.names['observe', i, j]}(at, seen);")
                write.line("    break;")
            write.line("default:")
            write.line("    break;")

    def _acts(self, write: Writer) -> None:
        found = self.at(lambda moment: bool(moment.action))
        head = "static void acts(const Position *at, int32_t id, const Seen *seen)"
        with self.phases.function(head, "at", "id", "seen"), write.block("switch (at->phase)"):
            for name in dict.fromkeys(moment.phase for _, _, moment in found):
                phase = self.nodes[name]
                write.line(f"case {self.names['phase', name]}:")
                write.depth += 1
                for action in phase.actions:
                    here = [(i, j) for i, j, m in found if (m.phase, m.action) == (name, action.key)]
                    if here:
                        self._acted(write, phase, action, here)
                write.line("break;")
                write.depth -= 1
            write.line("default:")
            write.line("    break;")

    def _acted(self, write: Writer, phase: ir.Phase, action: ir.Action, here: list[tuple[int, int]]) -> None:
        ids = self.phases.ids
        first, many = ids.name("id", phase, action), ids.numbered(phase, action).many
        given = "".join(f", {value}" for value in ids.decoded(phase, action))
        with write.block(f"if (id >= {first} && id < {first} + {many})"):
            for i, j in here:
                write.line(f"{self.names['observe', i, j]}(at{given}, seen);")

    def _ends(self, write: Writer) -> None:
        with self.phases.function("static void ends(const Position *at, const Seen *seen)", "at", "seen"):
            for i, j, _ in self.at(lambda moment: not moment.phase):
                write.line(f"{self.names['observe', i, j]}(at, seen);")
