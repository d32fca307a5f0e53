"""What `together` promises, checked: no choice can depend on, or touch, another seat's choice in the same phase.

An element is *at stake* in a phase when one of its actions changes it. Actions may change only the acting seat's
own part (`x[me]`), and read no other part of what is at stake; then the order in which choices arrive cannot
matter, and nothing has to be kept from anybody who chooses later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report, Span
from aeronef.dsl.walk import changes, children, handed_on, own_part

ME = frozenset({"me"})
APART = "everybody chooses at once: look only at the part `[me]`, or at what no choice of this phase changes"


def check_together(game: ir.Game, report: Report) -> None:
    """Reports AE603 for every look or reach at another seat's part."""
    for phase in game.phases:
        if phase.kind == "together":
            _Together(game, phase, report).check()


class _Together:
    def __init__(self, game: ir.Game, phase: ir.Phase, report: Report) -> None:
        self.each = {z.name: z.each for z in game.zones} | {v.name: v.each for v in game.variables}
        self.defines = {d.name: d for d in game.defines}
        self.phase = phase
        self.report = report
        self.at_stake = {read.name for action in phase.actions for read in changes(action.effects)}
        self.known: dict[tuple[str, frozenset[str]], ir.Read | None] = {}

    def check(self) -> None:
        element = f"phases.{self.phase.name}"
        for action in self.phase.actions:
            inside = f"{element}.actions.{action.key}"
            for read in changes(action.effects):
                if not own_part(read, self.each[read.name], ME):
                    what = f"`{action.title}` changes `{read.name}`, which is not the chooser's own"
                    hint = "change only the part `[me]` here, and the rest in the next phase"
                    self.report.add("AE603", read.span, what, hint, element=inside)
            self._look(action, inside)
        for part in (self.phase.until, self.phase.asks):
            self._look(part, element)

    def _look(self, part: Any, element: str) -> None:
        changed = {read.span for read in changes(part)}
        for span, read, through in self._looks(part, ME):
            if span not in changed:  # `x[p] += 1` looks where it changes
                what = f"this looks at others' `{read.name}` while they choose"
                notes = [(read.span, "it is looked at here")] if through else []
                self.report.add("AE603", span, what, APART, notes, element=element)

    def _looks(self, node: Any, mine: frozenset[str]) -> Iterator[tuple[Span, ir.Read, str]]:
        """Each look at another's part: its place, the look itself, and the definition it goes through. `mine` are the
        names that mean the acting seat."""
        if node is None or isinstance(node, ir.Visible):
            return
        if isinstance(node, ir.Read) and node.name in self.at_stake and not own_part(node, self.each[node.name], mine):
            yield node.span, node, ""
        if isinstance(node, ir.Call):
            define = self.defines[node.name]
            read = self._through(define, handed_on(node, define, mine))
            if read is not None:
                yield node.span, read, node.name
        for child in children(node):
            yield from self._looks(child, mine)

    def _through(self, define: ir.Define, mine: frozenset[str]) -> ir.Read | None:
        """The first look of a definition at another's part."""
        key = (define.name, mine)
        if key not in self.known:
            self.known[key] = next((read for _, read, _ in self._looks(define.body, mine)), None)
        return self.known[key]
