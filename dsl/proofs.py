"""Arguments that circles of phases end: measures, and what is said of a circle; and all that as text.

`ranking.py` finds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.printer import spell
from aeronef.dsl.symbolic import Range
from aeronef.dsl.transitions import Circuit, Edge

Kind = Literal["cards", "true", "false", "none", "some", "down", "up", "fewer", "more", "room", "seats"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that is never below 0.

    cards: how many lie in the zones `names`, in all parts together; room: how many more could. Of all parts of the
    variable `names[0]`: true, false, none, some (not none): of how many it is that; down: their sum above what is
    least; up: the sum's distance from what is most; fewer, more: how many things the sets hold, or could hold besides.
    seats: how many seats have still to act in the phase `names[0]`. `most` is the greatest it can be, where that is
    known.
    """

    kind: Kind
    names: tuple[str, ...]
    most: int | None

    def by(self, edge: Edge) -> Range:
        """Between what an edge changes it."""
        low = high = 0
        for (what, one, other), (least, greatest) in edge.change:
            match self.kind, what:
                case (("cards" | "room"), "cards"):
                    sign = (other in self.names) - (one in self.names)
                    sign = -sign if self.kind == "room" else sign
                case ("true", "true") | ("none", "none") | ("down", "sum") | ("fewer", "size"):
                    sign = int(one == self.names[0])
                case ("false", "true") | ("some", "none") | ("up", "sum") | ("more", "size"):
                    sign = -int(one == self.names[0])
                case _:
                    sign = 0
            if sign:
                low, high = low + (least if sign > 0 else -greatest), high + (greatest if sign > 0 else -least)
        if self.kind == "seats" and edge.source.phase == self.names[0] and edge.seats:
            return (-MANY, -1) if edge.seats < 0 else (0, MANY)
        return low, high


MANY = 1 << 41


@dataclass(frozen=True, slots=True)
class Step:
    """One measure of the tuple: what surely lowers it (`PHASE.ACTION`, or a phase), and whether it always does."""

    measure: Measure
    lowered: tuple[str, ...]
    least: int  # by which it falls then


@dataclass(frozen=True, slots=True)
class Argument:
    """Of one circle of phases: why it ends, or (`ended` is false) that no argument was found.

    `steps` are the measures in their order. With `circuit` (a test over a player) the turns go round until it holds of
    all: they end once a whole circuit has gone by in which nothing fell. `visits` are phases with how often they can be
    played at most, in the whole game (`inside` another: as long as nothing of that one falls). `inside` are arguments
    of circles within, where what the steps leave of the circle falls apart. An argument that is not `ended` has a
    `through`: between two visits to this phase all ends, by the arguments inside (without it, they are of the circles
    within its phases); `stuck` are the actions that lower nothing that nothing raises. `aside` are the phases that are
    set aside all the while: one that several visit has an argument for each.
    """

    phases: tuple[str, ...]
    ended: bool
    steps: tuple[Step, ...] = ()
    circuit: str = ""
    visits: tuple[tuple[str, int], ...] = ()
    inside: tuple[Argument, ...] = ()
    through: str = ""
    stuck: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


def spelt(circuit: Circuit) -> str:
    """The test that ends turns which go round, as a spec has it."""
    if circuit.but is None:
        return f"all({spell(circuit.test)} for {circuit.name} in players)"
    return f"all({spell(circuit.test)} for {circuit.name} in players where {spell(circuit.but)})"


# ------------------------------------------------------------------------------------------ as text


def told(argument: Argument, game: ir.Game) -> tuple[str, ...]:
    """An argument as a few lines, indented by two spaces for what is inside. `game` is the game that it is of."""
    return tuple(_lines(argument, game))


def _lines(argument: Argument, game: ir.Game) -> Iterator[str]:
    whole, alone = ", ".join(argument.phases), len(argument.phases) == 1
    whole += f" (visited from {argument.aside[-1]})" if argument.aside else ""
    if not argument.ended:
        yield f"{whole}: no argument that {'it' if alone else 'this circle'} ends"
        if argument.stuck:
            yield f"  of some of these nothing is known to fall: {_labels(argument.stuck, alone)}"
        if argument.through:
            yield f"  but it always comes back to {argument.through} or ends" + ":" * bool(argument.inside)
        elif argument.inside:
            yield "  within its phases:"
        for inner in argument.inside:
            yield from (f"    {line}" for line in _lines(inner, game))
        return
    often = "once a circuit of the table at the latest" if argument.circuit else "each time round"
    first = "this falls" if len(argument.steps) == 1 else "the first of these that changes falls"
    yield f"{whole} {'ends' if alone else 'end'}" + (f": {first}, {often}" if argument.steps else "")
    for i, step in enumerate(argument.steps):
        most = f" (at most {step.measure.most})" if step.measure.most is not None else ""
        by = f": {_labels(step.lowered, alone)}" if step.measure.kind != "seats" else ""
        yield f"  {i + 1}. {measured(step.measure, game)}{most}{by}"
    if argument.circuit:
        unless = "where nothing falls for a whole circuit" if argument.steps else "after a whole circuit"
        yield f"  {unless}, {argument.circuit} holds, and the phase is over"
    if argument.visits:
        fewest = min(times for _, times in argument.visits)
        names = [name for name, times in argument.visits if times == fewest]
        yield f"  played at most {fewest} times: {', '.join(names)}"
    for inner in argument.inside:
        yield from (f"  within: {line}" if i == 0 else f"  {line}" for i, line in enumerate(_lines(inner, game)))


def _labels(labels: Iterable[str], alone: bool) -> str:
    """Actions, named by their element alone where there is one phase only."""
    return ", ".join(dict.fromkeys(label.split(".")[-1] if alone else label for label in labels))


def measured(measure: Measure, game: ir.Game) -> str:
    """A measure in words, with the names of the spec."""
    name = measure.names[0]
    if measure.kind == "seats":
        return f"seats still to come in `{name}`"
    if measure.kind in ("cards", "room"):
        zones = [zone for zone in game.zones if zone.name in measure.names]
        things = "dice" if all(zone.dice for zone in zones) else "cards"
        shared = ", all seats together" if any(t.Seat() in zone.each for zone in zones) else ""
        there = " and ".join(filter(None, (", ".join(f"`{z.name}`" for z in zones[:-1]), f"`{zones[-1].name}`")))
        return f"{things if measure.kind == 'cards' else f'room for {things}'} in {there}{shared}"
    variable = next(v for v in game.variables if v.name == name)
    is_ = {"true": "is true", "false": "is false", "none": "is none", "some": "is not none"}.get(measure.kind)
    if is_ is not None:
        of = "seats whose" if variable.each == (t.Seat(),) else "parts whose" if variable.each else "whether"
        return f"{of} `{name}` {is_}"
    together = ", all together" if variable.each else ""
    match measure.kind:
        case "down":
            return f"`{name}`{together}"
        case "up":
            return f"what `{name}` can still rise{together}"
        case "fewer":
            return f"things in `{name}`{together}"
        case _:
            return f"things that `{name}` can still take{together}"
