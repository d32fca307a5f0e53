"""The graph of phases: AE702 unreachable, AE703 without a way to the end, AE704 circles in which nobody acts."""

from __future__ import annotations

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.ways import BACK, END, backward, circles, closure, ways_of


def check_flow(game: ir.Game, report: Report) -> None:
    graph = ways_of(game.phases)
    ways, visits = graph.ways, graph.visits
    spans = {p.name: p.span for p in game.phases}
    reached = closure({name: [*ways[name], *visits[name]] for name in ways}, {game.phases[0].name})
    for phase in game.phases:
        if phase.name not in reached:
            message = f"no phase leads to `{phase.name}`"
            report.add(
                "AE702", phase.span, message, "name it in a `then:`, or take it out", element=f"phases.{phase.name}"
            )
    ending = closure(backward(ways, visits), {END}) | closure(backward(ways), {BACK})
    stuck = [p for p in game.phases if p.name not in ending and p.name in reached]
    if stuck:
        names = ", ".join(f"`{phase.name}`" for phase in stuck)
        hint = "some `then:` on the way must lead there"
        first = stuck[0]
        message = f"from {names} the game can never reach `end`"
        report.add("AE703", first.span, message, hint, element=f"phases.{first.name}")
    quiet = {p.name: ways[p.name] for p in game.phases if p.kind == "automatic"}
    for circle in circles(quiet):
        message = "nobody ever acts in this circle: " + " → ".join([*circle, circle[0]])
        report.add(
            "AE704", spans[circle[0]], message, "let somebody act, or leave the circle", element=f"phases.{circle[0]}"
        )
