"""The phases of a game as C functions: who acts, what is legal, what an action does.

A function that leads on gives the number of the phase that follows, NO_PHASE where somebody is to act (of an action:
where its phase goes on), or FAULTED where the rules broke.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.choices import Choices
from aeronef.dsl.emit.c.expressions import Lowering
from aeronef.dsl.emit.c.ids import Ids
from aeronef.dsl.emit.c.limits import NotYet, within
from aeronef.dsl.emit.c.numbering import Numbering
from aeronef.dsl.emit.c.statements import Statements
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.plan.phases import Phases as Planned

MOST_IN_ROW = 4096
MOST_STACK = 2**20  # bytes, of the positions and choices that trying out a row holds at once
ORDER = ("asked", "ask", "next", "enter")


class Phases:
    def __init__(self, lowering: Lowering, writer: Writer, statements: Statements, numbering: Numbering) -> None:
        self.game = lowering.game
        self.lowering, self.writer, self.statements = lowering, writer, statements
        self.fields, self.names = lowering.fields, lowering.names
        self.ids = Ids(lowering, numbering)
        self.planned = Planned(self.game, statements.planned)
        self.choices = Choices(lowering, writer, self.ids, self.planned)

    # ------------------------------------------------------------------------------ functions

    @contextmanager
    def function(self, head: str, *given: str, where: str = "") -> Iterator[None]:
        """A function; what it is given and does not use is named, so that a compiler knows."""
        write, low = self.writer, self.lowering
        low.temporaries.clear()
        with write.aside() as lines, within(where):
            yield
        text = "\n".join(line.split("//")[0] for _, line in lines)
        with write.block(head):
            for name in given:
                if not re.search(rf"(?<![>.\w]){name}\b", text):
                    write.line(f"(void){name};")
            write.put(lines, 1)
        write.line()

    def name(self, *key: str | int) -> str:
        return self.names[key]

    def phase(self, phase: ir.Phase) -> None:
        where = f"phases.{phase.called or phase.name}"
        for function in sorted(self.planned.functions(phase), key=lambda f: ORDER.index(f.verb)):  # each after its own
            self.writer.comment(function.says)
            head = f"static int {self.name(function.verb, phase.name)}(Position *at)"
            if function.verb == "asked":
                head = f"static Set {self.name('asked', phase.name)}(const Position *at)"
            elif function.first:
                head = head.replace("at)", "at, int seat)")
            with self.function(head, "at", *("seat",) * function.first, where=where):
                self.statements.body(function.body)
        if phase.kind == "automatic":
            return
        if phase.kind == "chance":
            head = f"static int {self.name('chance', phase.name)}(const Position *at, int32_t *ids, int64_t *weights)"
            with self.function(head, "at", "ids", "weights", where=where):
                self.known_to_chance(phase)
                self.choices.chance(phase)
        else:
            verb = "legal" if phase.sequence is None else "choices"
            head = f"static int {self.name(verb, phase.name)}(const Position *at, int32_t *ids)"
            with self.function(head, "at", where=where):
                self.statements.body(self.planned.known_in(phase))
                self.choices.legal(phase)
        for action in phase.actions:
            self._do(phase, action, f"{where}.{'outcomes' if phase.kind == 'chance' else 'actions'}.{action.key}")
        self._apply(phase)
        if phase.sequence is not None:
            self._completing(phase)

    def known_to_chance(self, phase: ir.Phase) -> None:
        """What is known where chance acts, as far as what can happen names it."""
        (action,) = phase.actions
        self.statements.body(self.planned.mine(tuple((p.source, p.size) for p in action.params)))

    def _do(self, phase: ir.Phase, action: ir.Action, where: str) -> None:
        function, names = self.planned.do(phase, action), [self.names.local(p.name) for p in action.params]
        kinds = ["List" if isinstance(p.type, t.ListOf) else "int" for p in action.params]
        given = "".join(f", {kind} {name}" for kind, name in zip(kinds, names, strict=True))
        self.writer.comment(function.says)
        self.writer.cite(function.by)
        head = f"static int {self.name('do', phase.name, action.key)}(Position *at{given})"
        with self.function(head, "at", *names, where=where):
            self.statements.body(function.body)

    # ------------------------------------------------------------------------------ choices by their ids

    def _completing(self, phase: ir.Phase) -> None:
        """Of the choices for the first entry of a row those after which all others can still be answered."""
        assert phase.sequence is not None
        where = f"phases.{phase.called or phase.name}"
        write, (choices, completes) = self.writer, (self.name(v, phase.name) for v in ("choices", "completes"))
        most = sum(self.ids.numbered(phase, action).many for action in phase.actions)
        if most > MOST_IN_ROW:
            raise NotYet(f"{most:,} choices for each of a row", where)
        if self.fields.row_most * (self.fields.many_bytes() + 4 * most) > MOST_STACK:
            raise NotYet(f"rows of {self.fields.row_most:,} choices in a game so large", where)
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
