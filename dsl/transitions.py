"""What can happen in a game of phases: the ways from one place to another, each with what it changes.

A place is a phase, and where in it: `enter` (nothing of its `do:` has happened), `act` (somebody, or chance, has to
choose), `next` (an action has ended, as where a detour comes back), `pass` (the next seat is looked for); with the
phases that are set aside for detours. An edge from `act` is one action or outcome, along one way through its effects
and what the phase asks after it. Each play of a game is a walk along these edges; not every walk is a play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.paths import GUEST, MANY, ME, OTHER, Change, Env, Way, What, coarse
from aeronef.dsl.refills import refills
from aeronef.dsl.symbolic import Budget, Choices, Impossible, Many, Num, Range, TooManyWays, Value, every
from aeronef.dsl.ways import BACK, END, ways_of
from aeronef.dsl.world import World

Spot = Literal["enter", "act", "next", "pass"]
MOST_WAYS = 3_000  # of one action
MOST_IN_ALL = 100_000


@dataclass(frozen=True, slots=True)
class Place:
    """`aside` are the phases that are set aside, the outermost first."""

    aside: tuple[str, ...]
    phase: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Edge:
    """`label` names the action, or the phase. `seats` says what becomes of the seats still to come in the phase that it
    starts from: fewer (-1), as many (0), or more (1). Where the turns of the phase go round until something holds of
    all players: `settled`, that it did of who acted, before; `keeps`, that it still does of all of whom it did."""

    source: Place
    target: Place
    label: str
    change: tuple[tuple[What, Range], ...]
    seats: int = 0
    settled: bool = False
    keeps: bool = False


# Where an edge leads, as long as it is not known what is set aside: to a spot of its own phase, into a phase, into one
# that is visited, or back.
Lead = tuple[Literal["stay"], Spot] | tuple[Literal["go", "visit", "back"], str]


@dataclass(frozen=True, slots=True)
class _Step:
    spot: Spot
    lead: Lead
    label: str
    change: tuple[tuple[What, Range], ...]
    seats: int
    settled: bool
    keeps: bool


@dataclass(frozen=True, slots=True)
class Circuit:
    """Of turns that go round until `test` holds of all players (of each as `name`)."""

    name: str
    test: ir.Expr
    but: ir.Expr | None  # the players of whom it is not asked are those of whom this does not hold


def circuit_of(phase: ir.Phase, world: World) -> Circuit | None:
    """What must hold of all players for the turns of a phase to end, if it is that (or that, or something else)."""
    if phase.kind != "turns" or phase.start is None or phase.asks is not None:
        return None
    todo = [phase.until]
    while todo:
        node = todo.pop()
        match node:
            case ir.Binary("or", left, right):
                todo += [right, left]
            case ir.Call(name, ()):
                todo.append(world.defines[name].body)
            case ir.Aggregate("all", body, ir.Gather(name, ir.Everything("players"), test)):
                return Circuit(name, body, test)
    return None


def turns_of(phase: ir.Phase, world: World) -> int | None:
    """How many seats act in a phase, each once, whenever it is played; None where that is not known."""
    if phase.over is None or phase.until is not None or phase.asks is not None or phase.sequence is not None:
        return None
    if any(action.then is not None or action.reopens for action in phase.actions):
        return None
    many = world.count(phase.over)
    if phase.kind == "together" and many is not None and not _apart(phase.over):  # who is named twice chooses once
        return min(many, 1)
    return many


def _apart(over: ir.Expr) -> bool:
    """Whether surely no seat is in it twice."""
    if isinstance(over, ir.Aggregate):
        return isinstance(over.body, ir.Local) and over.body.name == over.over.name and _apart(over.over.source)
    return isinstance(over, ir.Everything)


class Transitions:
    """All edges of a game that can be walked from its beginning; `edges` has them in a fixed order."""

    def __init__(self, game: ir.Game) -> None:
        self.game, self.world = game, World(game)
        self.phases = {phase.name: phase for phase in game.phases}
        self.ways = ways_of(game.phases)
        self.circuits = {name: circuit_of(phase, self.world) for name, phase in self.phases.items()}
        self.turns = {name: turns_of(phase, self.world) for name, phase in self.phases.items()}
        self.budget = Budget(MOST_IN_ALL)
        steps: dict[str, list[_Step]] = {}
        first = Place((), game.phases[0].name, "enter")
        found, todo = {first}, [first]
        self.first = first
        self.edges: list[Edge] = []
        while todo:
            place = todo.pop(0)
            if place.phase == END:
                continue
            if place.phase not in steps:
                steps[place.phase] = list(dict.fromkeys(self._steps(self.phases[place.phase])))
            for step in steps[place.phase]:
                target = self._led(place, step.lead) if step.spot == place.spot else None
                if target is None:
                    continue
                self.edges.append(
                    Edge(place, target, step.label, step.change, step.seats, step.settled, step.keeps)
                )  # fmt: skip
                if target not in found:
                    found.add(target)
                    todo.append(target)

    def _led(self, place: Place, lead: Lead) -> Place | None:
        match lead:
            case ("stay", spot):
                return replace(place, spot=spot)
            case ("go", name):
                return Place(place.aside if name != END else (), name, "enter")
            case ("visit", name):
                return Place((*place.aside, place.phase), name, "enter")
            case _:
                return Place(place.aside[:-1], place.aside[-1], "next") if place.aside else None

    # ------------------------------------------------------------------------------ one phase

    def _steps(self, phase: ir.Phase) -> Iterator[_Step]:
        yield from self._entering(phase)
        if phase.kind == "automatic":
            return
        for action in phase.actions:
            yield from self._acting(phase, action)
        yield from self._going_on(phase)
        if phase.over is not None or (phase.start is not None and phase.asks is not None):
            yield from self._passing(phase)

    def _env(self, phase: ir.Phase, me: Value) -> Env:
        return {"me": me} if me is not None else {}

    def _guest(self, phase: ir.Phase) -> Env:
        return {"me": GUEST} if phase.name in self.ways.guests else {}

    def _plays(self, phase: ir.Phase) -> bool:
        return phase.start is not None or self.world.seats == self.world.players

    def _ways(
        self, phase: ir.Phase, spot: Spot, label: str, go: Callable[[Way], tuple[Lead, int, bool, bool]],
        effects: object, leads: list[tuple[Lead, int]],
    ) -> Iterator[_Step]:  # fmt: skip
        """An edge for each way. Where there are too many, what could happen at most: the effects, and all leads."""

        def once(choices: Choices) -> tuple[Lead, Change, int, bool, bool]:
            way = Way(self.world, choices, self.budget, self._plays(phase))
            lead, seats, settled, keeps = go(way)
            return lead, way.change(), seats, settled, keeps

        try:
            ways = every(once, MOST_WAYS, self.budget)
        except TooManyWays:
            change = coarse(self.world, effects)
            ways = [(lead, change, seats, False, False) for lead, seats in leads]
        for lead, change, seats, settled, keeps in ways:
            yield _Step(spot, lead, label, tuple(sorted(change.items())), seats, settled, keeps)

    def _goto(self, way: Way, then: ir.Goto, env: Env) -> Lead:
        for test, name in then.branches:
            if test is None or way.holds(test, env):
                return _lead(name)
        raise Impossible

    def _leaving(self, phase: ir.Phase) -> list[tuple[Lead, int]]:
        return [(_lead(name), 0) for _, name in phase.then.branches]

    def _entering(self, phase: ir.Phase) -> Iterator[_Step]:
        """The phase's own effects, and what comes then."""
        env, refills = self._guest(phase), self._refills(phase)
        certain = self.turns[phase.name]
        leads: list[tuple[Lead, int]] = [(("stay", "act"), 1), (("stay", "pass"), 1), *self._leaving(phase)]

        def go(way: Way) -> tuple[Lead, int, bool, bool]:
            way.effects(phase.effects, env)
            if phase.kind == "automatic":
                return self._goto(way, phase.then, env), 0, False, False
            if phase.over is not None and not certain:
                return ("stay", "pass"), 1, False, False
            if phase.start is not None and phase.asks is not None:
                return ("stay", "pass"), 1, False, False
            if phase.over is None and phase.start is None and phase.until is not None and way.holds(phase.until, env):
                return self._goto(way, phase.then, env), 0, False, False
            way.body(refills, {"me": ME})
            return ("stay", "act"), 1, False, False

        yield from self._ways(phase, "enter", phase.name, go, (phase.effects, refills), leads)

    def _acting(self, phase: ir.Phase, action: ir.Action) -> Iterator[_Step]:
        """An action or outcome, and what the phase asks then."""
        alone = phase.kind == "chance" and phase.over is None
        circuit = self.circuits[phase.name]
        refills = self._refills(phase)
        leads = [(_lead(name), 0) for _, name in action.then.branches] if action.then is not None else []
        if action.visits is not None:
            leads += [(("visit", name), 1) for _, name in action.visits.branches]
        stays: tuple[Spot, Spot] = ("act", "pass")
        leads += [*self._leaving(phase), *((("stay", spot), 1) for spot in stays)]

        def go(way: Way) -> tuple[Lead, int, bool, bool]:
            env: dict[str, Value] = {} if alone else {"me": ME}
            if not refills:
                self._asked(way, phase, env)
            before = {}
            if circuit is not None:
                way.watching = (ME, OTHER) if self.world.players > 1 else (ME,)
                before = {seat: self._settled(way, circuit, seat) for seat in way.watching}
            self._chosen(way, phase, action, env)
            way.effects(action.effects, env)
            more = 1 if action.reopens else 0
            if action.visits is not None:
                branch = self._goto(way, action.visits, env)
                return ("visit", branch[1]), more, False, False
            if action.then is not None:
                return self._goto(way, action.then, env), 0, False, False
            keeps = all(self._settled(way, circuit, s) for s, held in before.items() if held) if circuit else False
            if action.reopens:
                return ("stay", "pass"), 1, False, False
            lead, seats = self._follow(way, phase, env, refills)
            return lead, seats, before.get(ME, False), keeps

        effects = (action.effects, refills)
        yield from self._ways(phase, "act", f"{phase.name}.{action.key}", go, effects, leads)

    def _asked(self, way: Way, phase: ir.Phase, env: Env) -> None:
        """What was asked just before it was somebody's turn."""
        again = phase.until is not None and phase.start is None
        if phase.asks is not None and not again and phase.sequence is None and not way.holds(phase.asks, env):
            raise Impossible
        if phase.until is not None and again and way.holds(phase.until, env):
            raise Impossible

    def _settled(self, way: Way, circuit: Circuit, seat: Value) -> bool:
        env = {circuit.name: seat}
        return (circuit.but is not None and not way.holds(circuit.but, env)) or way.holds(circuit.test, env)

    def _chosen(self, way: Way, phase: ir.Phase, action: ir.Action, env: dict[str, Value]) -> None:
        """What is known of the values of an action that is legal."""
        if phase.sequence is not None:
            env[phase.sequence.name] = way.fresh(t.element(phase.sequence.entries.type) or t.Nothing())
        for p in action.params:
            if p.kind == "given":
                assert p.source is not None
                env[p.name] = way.value(p.source, env)
            elif p.kind in ("some", "roll"):
                assert p.size is not None
                size = way.value(p.size, env)
                source = way.value(p.source, env) if p.source is not None else None
                if not isinstance(size, Num):
                    env[p.name] = way.fresh(p.type)
                    continue
                way.facts.within(size, 0, MANY)
                if isinstance(source, Many):
                    way.facts.narrow(source.size, size, 0, MANY)
                env[p.name] = Many(size)
            elif p.source is not None:
                env[p.name] = way.one_of(p.source, env, p.type)
            if p.test is not None and not way.holds(p.test, env):
                raise Impossible
        if action.when is not None and not way.holds(action.when, env):
            raise Impossible

    def _follow(self, way: Way, phase: ir.Phase, env: Env, refills: tuple[ir.Stmt, ...]) -> tuple[Lead, int]:
        """What comes when an action has ended."""
        leaving = self._guest(phase) if phase.over is not None or phase.start is not None else {}
        if phase.start is not None:
            if phase.until is not None and way.holds(phase.until, env):
                return self._goto(way, phase.then, leaving), 0
            return (("stay", "act"), 0) if phase.asks is None else (("stay", "pass"), 1)
        if phase.over is None:
            leaving = self._guest(phase)
            if phase.until is None or way.holds(phase.until, env):
                return self._goto(way, phase.then, leaving), 0
            way.body(refills, {})
            return ("stay", "act"), 0
        if phase.until is None:
            return ("stay", "pass"), 0
        if way.holds(phase.until, env):
            return ("stay", "pass"), -1
        way.body(refills, dict(env))
        return ("stay", "act"), 0

    def _going_on(self, phase: ir.Phase) -> Iterator[_Step]:
        """After a detour."""
        env: Env = {} if phase.kind == "chance" and phase.over is None else {"me": ME}
        refills = self._refills(phase)
        stays: tuple[Spot, Spot] = ("act", "pass")
        leads: list[tuple[Lead, int]] = [*self._leaving(phase), *((("stay", spot), 1) for spot in stays)]

        def go(way: Way) -> tuple[Lead, int, bool, bool]:
            lead, seats = self._follow(way, phase, env, refills)
            return lead, seats, False, False

        yield from self._ways(phase, "next", phase.name, go, refills, leads)

    def _passing(self, phase: ir.Phase) -> Iterator[_Step]:
        """The next seat acts, or is passed over; or there is none."""
        refills = self._refills(phase)
        env: dict[str, Value] = {"me": ME}

        def go(way: Way) -> tuple[Lead, int, bool, bool]:
            if way.facts.choices.pick(2) == 0:
                return self._goto(way, phase.then, self._guest(phase)), 0, False, False
            asked = phase.asks is None or way.holds(phase.asks, env)
            if asked and phase.sequence is not None:
                asked = way.facts.choices.pick(2) == 0
            if not asked:
                way.effects(phase.unasked, env)
                return ("stay", "pass"), -1, False, False
            if phase.start is None and phase.until is not None and way.holds(phase.until, env):
                return ("stay", "pass"), -1, False, False
            way.body(refills, dict(env))
            fewer = phase.start is None and phase.until is None
            return ("stay", "act"), -1 if fewer else 0, False, False

        leads: list[tuple[Lead, int]] = [*self._leaving(phase), (("stay", "act"), 0), (("stay", "pass"), -1)]
        yield from self._ways(phase, "pass", f"{phase.name} (passed over)", go, (phase.unasked, refills), leads)

    def _refills(self, phase: ir.Phase) -> tuple[ir.Stmt, ...]:
        return tuple(node for effect in refills(self.world.game, phase) for node in effect.body)


def _lead(name: str) -> Lead:
    return ("back", "") if name == BACK else ("go", name)
