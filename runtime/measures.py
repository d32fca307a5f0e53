"""What a spec measures, observed while a game is played.

Nothing here touches the positions of a game that nobody measures: those of `Game.measuring` are of a class of their
own, which looks before it enters a phase or does an action. What a position has seen is a chain that its copies share
and go on by themselves. So whoever probes a copy (to look ahead, to find a round without an end) adds nothing to what
the game that is really played has seen.

The definition, for any back end: an *observation* is a key for each `each:` of its measure, and a whole number (of a
bool 0 or 1; of a count 1). It is made at a moment: as a phase begins, after the way to it was chosen and before its
effects; before the effects of an action or outcome that was chosen; and as the game ends, after all effects, if it was
not cut. Of one measure, in one game, under one key, the observations are numbered and added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aeronef.runtime.description import Measure, Variant
from aeronef.runtime.kernel import Position, Steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from aeronef.runtime.game import Game

Look = tuple[int, Callable[..., list[tuple[int, ...]]]]  # the number of a measure, and what observes it
Method = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Observed:
    """Of one measure, arrays (int64) with a row for each game and an axis for each key: how many observations there
    were, and their `total`. A key's place on its axis is that of its value among all that its type has: of a seat or
    word its number, of a number how far it is above the lowest, of false 0 and true 1."""

    number: NDArray[Any]
    total: NDArray[Any]


def shape(measure: Measure, seats: int) -> tuple[int, ...]:
    """How many places each key has."""
    return tuple(domain.size(seats) for domain in measure.keys)


def collecting(game: Game, n: int | None) -> tuple[dict[str, Observed], Callable[[int, Position], None]]:
    """Arrays for n games (None: of nothing), and what adds to them what the end of game k tells."""
    import numpy as np

    measures = game.variant.measures if n is not None else ()
    found = {}
    for measure in measures:
        size = (n or 0, *shape(measure, game.seats))
        found[measure.name] = Observed(np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64))
    arrays = list(found.values())

    def collect(k: int, end: Position) -> None:
        for number, observations in observed(end, measures):
            for *keys, value in observations:
                place = (k, *map(int, keys))
                arrays[number].number[place] += 1
                arrays[number].total[place] += int(value)

    return found, collect


def observed(end: Position, measures: tuple[Measure, ...]) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """What the way to the end of a game, and the end itself, show: of each moment the number of the measure and its
    observations, in no order that means anything."""
    if not measures:
        return
    if not end.cut:
        for number, measure in enumerate(measures):
            for moment in measure.moments:
                if not moment.phase:
                    yield number, moment.observe(end)
    chain = end.observed  # type: ignore[attr-defined]
    while chain is not None:
        chain, number, observations = chain
        yield number, observations


def observing(base: type[Position], variant: Variant) -> type[Position]:
    """The class of positions that also keep what they see at the moments of measures."""
    phases = {phase.name: i for i, phase in enumerate(variant.phases)}
    entering: list[Method | None] = list(base.entering)
    doing: list[list[Method | None]] = [list(steps.methods) for steps in base.doing]
    begins: dict[int, list[Look]] = {}
    acts: dict[tuple[int, int], list[Look]] = {}
    for number, measure in enumerate(variant.measures):
        for moment in measure.moments:
            if not moment.phase:
                continue
            at = phases[moment.phase]
            if not moment.action:
                begins.setdefault(at, []).append((number, moment.observe))
                continue
            kinds = variant.outcomes if variant.phases[at].kind == "chance" else variant.actions
            kind = next(i for i, action in enumerate(kinds) if action.key == moment.action)
            acts.setdefault((at, kind), []).append((number, moment.observe))
    for at, looks in begins.items():
        entering[at] = _looking(looks, entering[at])
    for (at, kind), looks in acts.items():
        doing[at][kind] = _looking(looks, doing[at][kind])

    def start(self: Any) -> None:
        self.observed = None
        base.start(self)

    def copy(self: Any) -> Any:
        new = base.copy(self)
        new.observed = self.observed
        return new

    members = {
        "__slots__": ("observed",), "__module__": base.__module__, "__doc__": base.__doc__,
        "entering": tuple(entering), "start": start, "copy": copy,
        "doing": tuple(Steps(row, steps.numbered) for row, steps in zip(doing, base.doing, strict=True)),
    }  # fmt: skip
    return type("Position", (base,), members)


def _looking(looks: list[Look], then: Method | None) -> Method | None:
    """A method that looks first."""
    if then is None:
        return None

    def method(position: Any, *values: Any) -> Any:
        for number, observe in looks:
            if found := observe(position, *values):
                position.observed = (position.observed, number, found)
        return then(position, *values)

    return method
