"""What `together` promises, checked: no choice can depend on, or touch, another seat's choice in the same phase.

An element is *at stake* in a phase when one of its actions changes it. Actions may change only the acting seat's
own part (`x[me]`), and read no other part of what is at stake; then the order in which choices arrive cannot
matter, and nothing has to be kept from anybody who chooses later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.types import Seat
from aeronef.dsl.walk import children, nodes


def check_together(game: ir.Game, report: Report) -> None:
    """Reports AE603 for every look or reach at another seat's part."""
    each = {z.name: z.each for z in game.zones} | {v.name: v.each for v in game.variables}
    defines = {d.name: d for d in game.defines}
    for phase in game.phases:
        if phase.kind != "together":
            continue
        written = [(read, action) for action in phase.actions for read in _targets(action.effects)]
        at_stake = {read.name for read, _ in written}
        for read, action in written:
            if not _mine(read, each[read.name], {"me"}):
                what = f"`{action.name}` changes `{read.name}`, which is not the chooser's own"
                hint = "change only the part `[me]` here, and the rest in the next phase"
                report.add("AE603", read.span, what, hint, element=f"phases.{phase.name}.actions.{action.name}")
        parts: list[tuple[Any, str]] = [(a, f"phases.{phase.name}.actions.{a.name}") for a in phase.actions]
        parts += [(phase.until, f"phases.{phase.name}"), (phase.asks, f"phases.{phase.name}")]
        for part, element in parts:
            for read, place in _looks(part, {"me"}, defines):
                if read.name in at_stake and not _mine(read, each[read.name], {"me"} | place):
                    what = f"this looks at others' `{read.name}` while they choose"
                    hint = "everybody chooses at once: look only at the part `[me]`, or at what no choice of this phase changes"
                    report.add("AE603", read.span, what, hint, element=element)


def _targets(effects: tuple[ir.Effect, ...]) -> Iterator[ir.Read]:
    for node in nodes(effects):
        if isinstance(node, ir.Assign | ir.Step):
            yield node.target
        elif isinstance(node, ir.Move):
            yield node.source
            yield node.target


def _mine(read: ir.Read, each: tuple[Any, ...], mine: set[str]) -> bool:
    if Seat() not in each:
        return False
    index = read.index[each.index(Seat())]
    return isinstance(index, ir.Local) and index.name in mine


def _looks(node: Any, mine: set[str], defines: dict[str, ir.Define]) -> Iterator[tuple[ir.Read, set[str]]]:
    """Every read of the state, with the names that mean the acting seat where it stands."""
    if node is None:
        return
    if isinstance(node, ir.Read):
        yield node, mine
    if isinstance(node, ir.Call):
        define = defines[node.name]
        inside = {
            name for (name, _), arg in zip(define.params, node.args, strict=True)
            if isinstance(arg, ir.Local) and arg.name in mine
        }  # fmt: skip
        yield from _looks(define.body, inside, defines)
    if isinstance(node, ir.Visible):
        return
    for child in children(node):
        yield from _looks(child, mine, defines)
