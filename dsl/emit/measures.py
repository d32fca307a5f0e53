"""What is measured as methods: each gives the observations of one moment."""

from __future__ import annotations

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.expressions import ATOM
from aeronef.dsl.emit.phases import Phases
from aeronef.dsl.emit.writer import tuple_of
from aeronef.dsl.plan.hoist import hoisted


class Measures:
    def __init__(self, phases: Phases) -> None:
        self.phases, self.speller, self.writer = phases, phases.speller, phases.writer
        self.nodes = {p.name: p for p in phases.game.phases}
        for i, measure in enumerate(phases.game.measures):
            for moment in measure.moments:
                when = f"_{moment.name.replace('.', '_')}" if len(measure.moments) > 1 else ""
                self.speller.members.of(("measure", measure.name, moment.name), f"measure_{i}{when}")

    def member(self, measure: ir.Measure, moment: ir.Moment) -> str:
        return self.speller.members["measure", measure.name, moment.name]

    def measure(self, measure: ir.Measure) -> None:
        for moment in measure.moments:
            self._moment(measure, moment)

    def _moment(self, measure: ir.Measure, moment: ir.Moment) -> None:
        write, parts = self.writer, (moment.over, moment.value)
        phase = self.nodes.get(moment.phase)
        action = next((a for a in phase.actions if a.key == moment.action), None) if phase is not None else None
        values = self.phases.signature(action) if action is not None else ""
        with write.block(f"def {self.member(measure, moment)}(self{values}) -> list[tuple[int, ...]]:"):
            write.docstring(f"{measure.name}, at {moment.name}")
            write.cite(measure.by, measure.says)
            scope: dict[str, t.Type] = {"me": t.Seat()}
            self.phases.statements.body(self.phases.planned.observing(parts, phase, action))
            scope |= {p.name: p.type for p in action.params} if action is not None else {}
            write.line(f"return [{self._observations(measure, moment, scope)}]")
        write.line()

    def _observations(self, measure: ir.Measure, moment: ir.Moment, scope: dict[str, t.Type]) -> str:
        """The observations as a list is written out. What they would work out several times is worked out before."""
        value = moment.value if moment.value is not None else ir.Const(1, t.Int(1, 1), moment.span)
        node: ir.Expr = value
        for over in reversed(moment.over):  # a list of lists has the same names in the same places
            node = ir.Aggregate("list", node, over, t.ListOf(node.type, 0), moment.span)
        lets, node = hoisted(node, scope, self.phases.game)
        for let in lets:
            self.phases.statements.statement(let)
        loops, digits = "", []
        for kind in measure.each:
            assert isinstance(node, ir.Aggregate)
            loops += self.speller.comprehension("", node.over, ordered=False)
            digits.append(self.speller.digit((self.speller.local(node.over.name), ATOM), kind)[0])
            node = node.body
        return tuple_of([*digits, self.speller.spell(node)]) + loops
