"""AE701: assignments whose value the types cannot keep within the variable's range."""

from __future__ import annotations

from collections.abc import Iterator

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.printer import spell
from aeronef.dsl.types import Int, strip
from aeronef.dsl.walk import nodes


def check_ranges(game: ir.Game, report: Report) -> None:
    for element, effects in _blocks(game):
        for node in nodes(effects):
            if isinstance(node, ir.Assign) and node.guarded:
                target = spell(node.target)
                message = f"`{target}` holds {node.target.type}, and this can be {strip(node.value.type)}"
                kind = strip(node.target.type)
                ends = f"{kind.low}, {kind.high}" if isinstance(kind, Int) else "…"
                hint = f"`clamp({spell(node.value)}, {ends})`, or `accepts:` with the reason why it cannot"
                report.add("AE701", node.span, message, hint, element=element)


def _blocks(game: ir.Game) -> Iterator[tuple[str, tuple[ir.Effect, ...]]]:
    for phase in game.phases:
        yield f"phases.{phase.name}", phase.effects + phase.unasked
        for action in phase.actions:
            kind = "outcomes" if phase.kind == "chance" else "actions"
            yield f"phases.{phase.name}.{kind}.{action.key}", action.effects
