"""The graph of phases: AE702 unreachable, AE703 without a way to the end, AE704 circles in which nobody acts."""

from __future__ import annotations

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report


def check_flow(game: ir.Game, report: Report) -> None:
    ways = {p.name: [name for _, name in p.then.branches] for p in game.phases}
    spans = {p.name: p.span for p in game.phases}
    reached = _closure(ways, {game.phases[0].name})
    for phase in game.phases:
        if phase.name not in reached:
            message = f"no phase leads to `{phase.name}`"
            report.add(
                "AE702", phase.span, message, "name it in a `then:`, or take it out", element=f"phases.{phase.name}"
            )
    back: dict[str, list[str]] = {name: [] for name in [*ways, "end"]}
    for name, nexts in ways.items():
        for other in nexts:
            back[other].append(name)
    ending = _closure(back, {"end"})
    stuck = [p for p in game.phases if p.name not in ending and p.name in reached]
    if stuck:
        names = ", ".join(f"`{phase.name}`" for phase in stuck)
        hint = "some `then:` on the way must lead there"
        first = stuck[0]
        message = f"from {names} the game can never reach `end`"
        report.add("AE703", first.span, message, hint, element=f"phases.{first.name}")
    quiet = {p.name: ways[p.name] for p in game.phases if p.kind == "automatic"}
    for circle in _circles(quiet):
        message = "nobody ever acts in this circle: " + " → ".join([*circle, circle[0]])
        report.add(
            "AE704", spans[circle[0]], message, "let somebody act, or leave the circle", element=f"phases.{circle[0]}"
        )


def _closure(ways: dict[str, list[str]], found: set[str]) -> set[str]:
    todo = list(found)
    while todo:
        for other in ways.get(todo.pop(), []):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def _circles(ways: dict[str, list[str]]) -> list[list[str]]:
    """One circle through each phase that is in none found before, from its first phase in the spec's order."""
    circles: list[list[str]] = []
    done: set[str] = set()
    for start in ways:
        if start in done:
            continue
        came: dict[str, str] = {}
        todo = [start]
        while todo:
            name = todo.pop(0)
            for other in ways[name]:
                if other == start:
                    path = [name]
                    while path[0] != start:
                        path.insert(0, came[path[0]])
                    circles.append(path)
                    done.update(path)
                    todo = []
                    break
                if other in ways and other not in came:
                    came[other] = name
                    todo.append(other)
    return circles
