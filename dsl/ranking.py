"""Why circles of phases end: a tuple of measures that falls, lexicographically, again and again.

A *measure* is a number of a position that cannot fall for ever: how many cards lie in some zones, of how many seats a
variable is false. Of the edges of a circle (`transitions.py`) one measure is looked for that none of them raises and
some surely lower. A play that stays in the circle for ever would take these only so often; so they are taken out, and
what is left of the circle is asked again, until there is no way round any more. Turns that go round until something
holds of all players end besides if every edge that is left is of a seat of which it holds already, and leaves it so.

What comes of this is a proof, for every play in which each variable stays within its declared range (play stops with a
fault where it would not). Where no argument is found there may be one all the same.

Source: the lexicographic ranking of transition systems, and its greedy search, are those of Alias, Darte, Feautrier and
Gonnord (SAS 2010), here without linear programming, since the measures are given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.proofs import MANY, Argument, Measure, Step, spelt
from aeronef.dsl.transitions import Edge, Place, Transitions
from aeronef.dsl.world import World


def arguments(game: ir.Game) -> tuple[Argument, ...]:
    """Of each circle of the phases of a game (a phase that repeats is one), in the order of the spec. Turns that only
    go once round are no circle. The game has no options and no overlays left, and one number of players.

    An argument that is given is a proof for all plays in which variables stay within their ranges.
    """
    return _Search(Transitions(game)).all()


# ------------------------------------------------------------------------------------------ the search


class _Search:
    def __init__(self, known: Transitions) -> None:
        self.known, self.world = known, known.world
        self.order = {phase.name: i for i, phase in enumerate(known.game.phases)}
        self.fixed = tuple(_of_variables(self.world))

    def all(self) -> tuple[Argument, ...]:
        return tuple(self._told(circles(self.known.edges)))

    def _told(self, parts: list[list[Edge]]) -> Iterator[Argument]:
        for part in sorted(parts, key=self._place):
            if not self._once(part):
                found = self.proved(part)
                yield found if isinstance(found, Argument) else self._failed(part, found)

    def _once(self, part: list[Edge]) -> bool:
        """Whether it only goes round as each of some seats has its turn."""
        for phase in self.phases(part):
            changes = [Measure("seats", (phase,), None).by(edge)[1] for edge in part]
            if max(changes) <= 0 and min(changes) < 0:
                left = circles([edge for edge, high in zip(part, changes, strict=True) if high == 0])
                return all(self._once(each) for each in left)
        return False

    def _place(self, part: list[Edge]) -> tuple[int, ...]:
        return tuple(sorted({self.order[edge.source.phase] for edge in part}))

    def phases(self, part: Iterable[Edge]) -> tuple[str, ...]:
        return tuple(sorted({edge.source.phase for edge in part}, key=lambda name: self.order[name]))

    def proved(self, part: list[Edge]) -> Argument | list[Edge]:
        """The argument of a circle; where there is none, what is left of it that nothing lowers.

        A measure joins the tuple if nothing raises it that none before it falls with; otherwise (something on the way
        from one part of what is left to another may) it begins the tuple of an argument inside.
        """
        steps: list[Step] = []
        phases, left, level = self.phases(part), part, part
        while True:
            circuit = self._circuit(left)
            if circuit is not None:
                return Argument(phases, True, tuple(steps), circuit, self._visits(part, steps), aside=aside(part))
            step = self._step(left)
            if step is None:
                return left
            steps.append(step)
            level = [edge for edge in level if step.measure.by(edge)[1] >= 0]
            parts = circles([edge for edge in left if step.measure.by(edge)[1] >= 0])
            parts = sorted((each for each in parts if not self._once(each)), key=self._place)
            if len(parts) == 1 and self._joins(parts[0], level):
                left = parts[0]
                continue
            inside: list[Argument] = []
            for each in parts:
                found = self.proved(each)
                if not isinstance(found, Argument):
                    return found
                inside.append(found)
            visits = self._visits(part, steps)
            return Argument(phases, True, tuple(steps), "", visits, tuple(inside), aside=aside(part))

    def _joins(self, part: list[Edge], level: list[Edge]) -> bool:
        step = self._step(part) if self._circuit(part) is None else None
        return step is None or all(step.measure.by(edge)[1] <= 0 for edge in level)

    def _circuit(self, part: list[Edge]) -> str | None:
        """Whether all that is left is turns of seats of which it holds already what has to hold of all."""
        place = part[0].source
        circuit = self.known.circuits[place.phase]
        if circuit is None or place.spot != "act":
            return None
        settled = all(e.source == e.target == place and e.settled and e.keeps for e in part)
        return spelt(circuit) if settled else None

    def _step(self, part: list[Edge]) -> Step | None:
        """The measure that leaves least of a circle; of several the one by which it is played least often, of fewest
        zones, the first."""
        ranks: dict[Measure, tuple[int, int, int]] = {}
        for i, measure in enumerate(self._measures(part)):
            changes = [measure.by(edge)[1] for edge in part]
            if max(changes) <= 0 and min(changes) < 0:
                left = [edge for edge, high in zip(part, changes, strict=True) if high == 0]
                ranks[measure] = sum(len(each) for each in circles(left)), len(measure.names), i
        if not ranks:
            return None
        least = min(left for left, _, _ in ranks.values())
        best = [measure for measure, (left, _, _) in ranks.items() if left == least]
        if len(best) > 1:
            often = {m: min((times for _, times in self._played(part, m)), default=MANY) for m in best}
            best.sort(key=lambda m: (often[m], ranks[m]))
        falls = [(edge.label, -high) for edge in part if (high := best[0].by(edge)[1]) < 0]
        return Step(best[0], tuple(dict.fromkeys(label for label, _ in falls)), min(by for _, by in falls))

    def _measures(self, part: list[Edge]) -> Iterator[Measure]:
        """Zones alone, and each with all from which cards come there in this circle; variables; seats still to come."""
        came = self._sources(part)
        sets: list[tuple[str, ...]] = [(zone,) for zone in self.world.zones]
        sets += [tuple(z for z in self.world.zones if z in closed(zone, came)) for zone in self.world.zones]
        everywhere = self._sources(self.known.edges)
        for zones in dict.fromkeys(sets):
            yield Measure("cards", zones, self._most(zones, everywhere))
            if all(self.world.zones[zone].dice for zone in zones):
                holds = sum(self.world.holding[z] * self.world.parts(self.world.zones[z].each) for z in zones)
                yield Measure("room", zones, holds)
        yield from self.fixed
        for phase in self.phases(part):
            yield Measure("seats", (phase,), None)

    def _sources(self, edges: Iterable[Edge]) -> dict[str, set[str]]:
        """From where cards come to each zone."""
        found: dict[str, set[str]] = {}
        for edge in edges:
            for (what, one, other), _ in edge.change:
                if what == "cards":
                    found.setdefault(other, set()).add(one)
        return found

    def _most(self, zones: tuple[str, ...], came: dict[str, set[str]]) -> int:
        """How many cards or dice can lie in these zones."""
        every = set().union(*(closed(zone, came) for zone in zones))
        room = sum(self.world.holding[z] * self.world.parts(self.world.zones[z].each) for z in zones)
        if any(self.world.zones[z].dice for z in zones):
            return room
        return min(room, sum(self.world.lying[z] for z in every if z))

    # ------------------------------------------------------------------------------ how often

    def _visits(self, part: list[Edge], steps: list[Step]) -> tuple[tuple[str, int], ...]:
        return tuple(self._played(part, steps[0].measure)) if steps else ()

    def _played(self, part: list[Edge], measure: Measure) -> Iterator[tuple[str, int]]:
        """How often a phase can be played before a measure is used up.

        The v-th time it begins, v - 1 ways round lie behind, each of which lowered the measure by as much as the
        cheapest one; and it is still to be lowered by what the phase itself takes at the least.
        """
        if measure.most is None:
            return
        round_, whole = self._costs(part, measure), self._costs(self.known.edges, measure)
        for phase in self.phases(part):
            enter = Place((), phase, "enter")
            if around := cheapest(round_, enter, {enter}):
                out = {e.target for e in self.known.edges if phase not in (e.target.phase, *e.target.aside)}
                through = cheapest(whole, enter, out)
                yield phase, (measure.most + around - through) // around

    def _costs(self, edges: Sequence[Edge], measure: Measure) -> dict[Place, list[tuple[Place, int]]]:
        """By how much each edge lowers the measure at the least. Where it is known how many seats act in a phase, they
        are all reckoned where it is left."""
        costs: dict[Place, list[tuple[Place, int]]] = {}
        falls = {edge: -measure.by(edge)[1] for edge in self.known.edges}
        for edge in edges:
            own, place = max(falls[edge], 0), edge.source
            times = self.known.turns[place.phase]
            if times is not None and place.spot == "act":
                own = 0
            elif times is not None and place.spot == "pass" and edge.target != Place(place.aside, place.phase, "act"):
                acts = [by for e, by in falls.items() if e.source == Place(place.aside, place.phase, "act")]
                own += times * max(min(acts, default=0), 0)
            costs.setdefault(place, []).append((edge.target, own))
        return costs

    # ------------------------------------------------------------------------------ where there is none

    def _failed(self, part: list[Edge], stuck: list[Edge]) -> Argument:
        """What can be said of a circle without an argument: whether all ends between two visits to one of its phases;
        and of the circles within each of its phases."""
        phases = self.phases(part)
        entered = [p for p in phases if any(e.target == Place((), p, "enter") for e in part)]
        for name in entered:
            left = circles([edge for edge in part if edge.target != Place((), name, "enter")])
            if all(isinstance(self.proved(each), Argument) for each in left if not self._once(each)):
                return Argument(phases, False, inside=tuple(self._told(left)), through=name, aside=aside(part))
        left = circles([edge for edge in part if edge.target.spot != "enter" or edge.target.aside])
        actions = tuple(dict.fromkeys(edge.label for edge in stuck if edge.source.spot == "act"))
        inside = () if left == [part] else tuple(self._told(left))
        return Argument(phases, False, inside=inside, stuck=actions, aside=aside(part))


def _of_variables(world: World) -> Iterator[Measure]:
    for variable in world.game.variables:
        parts, names = world.parts(variable.each), (variable.name,)
        match variable.type:
            case t.Bool():
                yield Measure("true", names, parts)
                yield Measure("false", names, parts)
            case t.Optional():
                yield Measure("none", names, parts)
                yield Measure("some", names, parts)
            case t.Int(low, high):
                yield Measure("down", names, (high - low) * parts)
                yield Measure("up", names, (high - low) * parts)
            case t.SetOf(_, most):
                yield Measure("fewer", names, most * parts)
                yield Measure("more", names, most * parts)


# ------------------------------------------------------------------------------------------ graphs


def aside(part: Sequence[Edge]) -> tuple[str, ...]:
    """The phases that are set aside in every place of a circle."""
    return min((edge.source.aside for edge in part), key=len)


def closed(name: str, came: dict[str, set[str]]) -> set[str]:
    """A zone and all from which something comes there, however far."""
    found, todo = {name}, [name]
    while todo:
        for other in came.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def circles(edges: Sequence[Edge]) -> list[list[Edge]]:
    """The edges from which a walk can come back to itself, by strongly connected part, each in the order given."""
    ways: dict[Place, list[Place]] = {}
    for edge in edges:
        ways.setdefault(edge.source, []).append(edge.target)
    part = _parts(ways)
    found: dict[int, list[Edge]] = {}
    for edge in edges:
        if part.get(edge.source, -1) == part.get(edge.target, -2):
            found.setdefault(part[edge.source], []).append(edge)
    return list(found.values())


def _parts(ways: dict[Place, list[Place]]) -> dict[Place, int]:
    """The number of the strongly connected part of each place that has ways out (Tarjan, without recursion)."""
    index: dict[Place, int] = {}
    low: dict[Place, int] = {}
    part: dict[Place, int] = {}
    stack: list[Place] = []
    for start in ways:
        if start in index:
            continue
        todo = [(start, iter(ways[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        while todo:
            place, rest = todo[-1]
            other = next((o for o in rest if o not in part), None)
            if other is None:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[place])
                if low[place] == index[place]:
                    number = len(part)
                    while True:
                        member = stack.pop()
                        part[member] = number
                        if member == place:
                            break
            elif other in index:
                low[place] = min(low[place], index[other])
            else:
                index[other] = low[other] = len(index)
                stack.append(other)
                todo.append((other, iter(ways.get(other, ()))))
    return part


def cheapest(costs: dict[Place, list[tuple[Place, int]]], start: Place, ends: set[Place]) -> int:
    """The least that a walk of one step or more costs from a place to one of others; 0 where there is none."""
    done: set[Place] = set()
    count = 0
    todo = [(0, count, start)]
    while todo:
        cost, at, place = heappop(todo)
        if at > 0 and place in ends:
            return cost
        if at > 0 and place in done:
            continue
        done.add(place)
        for other, more in costs.get(place, ()):
            count += 1
            heappush(todo, (cost + more, count, other))
    return 0
