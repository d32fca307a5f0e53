"""The graph of phases: where each leads, which phases an action visits, and what is set aside meanwhile.

An action with `visits:` sets its phase aside: a *detour* begins, in which the phase that is named, and all that follow
it, are played until one goes `back`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report

END, BACK = "end", "back"

Graph = Mapping[str, Collection[str]]


@dataclass(slots=True)
class Ways:
    """`ways` are where phases lead, by themselves or by an action that ends them; `visits` are the phases that their
    actions visit. `alone` are the phases of chance that are nobody's, and visit others for nobody."""

    ways: Graph
    visits: Graph
    alone: Collection[str]
    hosts: dict[str, list[str]] = field(init=False)  # of each phase of a detour, those that are set aside for it

    def __post_init__(self) -> None:
        self.hosts = {}
        for host in self.ways:
            for name in self.inside(host):
                self.hosts.setdefault(name, []).append(host)

    def inside(self, host: str) -> set[str]:
        """The phases of the detours that begin in a phase, without those of the detours within."""
        return closure(self.ways, set(self.visits.get(host, ()))) & set(self.ways)

    def follows(self, name: str, phase: str) -> bool:
        """Whether a phase is played only once another has ended."""
        first = next(iter(self.ways))
        every = {host: [*self.ways[host], *self.visits.get(host, ())] for host in self.ways if host != phase}
        return name not in closure(every, {first}) and name not in self.inside(phase) | {phase, first}

    @property
    def guests(self) -> set[str]:
        """The phases in which `me` is who led there."""
        return {name for name, hosts in self.hosts.items() if not set(hosts) & set(self.alone)}


def ways_of(phases: tuple[ir.Phase, ...]) -> Ways:
    visits = {p.name: [name for a in p.actions if a.visits for _, name in a.visits.branches] for p in phases}
    ways = {p.name: [name for way in ways_on(p) for _, name in way.branches] for p in phases}
    alone = [p for p in phases if p.kind == "chance" and p.over is None and not all(a.guest for a in p.actions)]
    return Ways(ways, visits, [p.name for p in alone])


def ways_on(phase: ir.Phase) -> list[ir.Goto]:
    """Its own, and those of the actions that end it."""
    return [phase.then, *(action.then for action in phase.actions if action.then is not None)]


def check_detours(phases: tuple[ir.Phase, ...], report: Report) -> None:
    """Reports AE609 where detours go in a circle, or a phase is both of a detour and of the game's own way."""
    graph, spans = ways_of(phases), {p.name: p.span for p in phases}
    for circle in circles({host: graph.inside(host) for host in graph.ways}):
        message = "these detours begin each other: " + " → ".join([*circle, circle[0]])
        report.add("AE609", spans[circle[0]], message, "a phase that is set aside cannot be visited")
    plain = closure(graph.ways, {phases[0].name}) if phases else set()
    for phase in phases:
        if phase.name not in plain:
            continue
        visits = [a.visits for p in phases for a in p.actions if a.visits is not None and _leads(a.visits, phase)]
        leading = [(p, way) for p in phases for way in ways_on(p) if _leads(way, phase)]
        inner = [way for p, way in leading if p.name in graph.hosts and p.name not in plain]
        outer = [way for p, way in leading if p.name in plain]
        if visits or inner:  # else it follows one that is reported
            notes = [((visits or inner)[0].span, "a detour leads here")]
            notes += [(way.span, "this is no detour") for way in outer[:1]]
            message = f"`{phase.name}` is of a detour, and reached without it"
            report.add("AE609", phase.span, message, "make two phases of it", notes)


def _leads(way: ir.Goto, phase: ir.Phase) -> bool:
    return any(name == phase.name for _, name in way.branches)


def closure(ways: Graph, found: set[str]) -> set[str]:
    todo = list(found)
    while todo:
        for other in ways.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def backward(*graphs: Graph) -> dict[str, list[str]]:
    """From where each phase is reached."""
    found: dict[str, list[str]] = {}
    for graph in graphs:
        for name, nexts in graph.items():
            for other in nexts:
                found.setdefault(other, []).append(name)
    return found


def circles(ways: Graph) -> Iterator[list[str]]:
    """One circle through each phase that is in none found before, from its first phase in the spec's order."""
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
                    yield path
                    done.update(path)
                    todo = []
                    break
                if other in ways and other not in came:
                    came[other] = name
                    todo.append(other)
