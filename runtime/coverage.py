"""What of a variant is exercised, counted while it is played. The variant is one that counts itself: its compiled text
calls `mark`, `watch`, `reach`, `carried`, `altering` and `witness` with the numbers of its points, which are nothing to
this module but places in a table. A `Tally` keeps a table for each set of optional rules under which games are played.

Positions of `counting(…)` are of a class of their own, with such a table; no other position knows of it. Only what is
played counts: whoever probes a copy (to complete a row of choices, to find a round without an end) does so `aside`.
After each step everybody looks and the invariants are looked at, so that what only views, what is told or invariants
use is exercised too.

What is `shown` counts only there: while a player looks at a part that holds something, or is told of a step. Where it
is counted (`closely`), everybody looks before the first step too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from aeronef.runtime.combinations import Choice
from aeronef.runtime.description import Variable, Variant
from aeronef.runtime.endless import Watch, stop
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL, Owned, Position
from aeronef.runtime.rng import Rng
from aeronef.runtime.scenario import Document, Result, run
from aeronef.runtime.simulate import FaultInGame, pick
from aeronef.runtime.state import final_ranking, final_returns
from aeronef.runtime.views import Laid, layout, part, sees

PLAIN = ("everyone", "nobody")  # what needs no look: nothing counts there
Report = Callable[[int, int], None]  # (games played, games in all)
Facts = Mapping[str, Sequence[int]]  # the points of what a game has as a whole, by what `facts` calls it


class Table:
    """How often each point was reached. `now` is what counts: `aside` it is something that nobody looks at. `looking`
    counts what is shown; None while nobody looks at something."""

    def __init__(self, points: int, closely: bool = False) -> None:
        self.counts = [0] * points
        self._lost = [0] * points
        self.now = self.counts
        self.closely = closely
        self.looking: list[int] | None = None
        self.wanted: frozenset[str] | None = None

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Within it nothing counts."""
        before, self.now = self.now, self._lost
        try:
            yield
        finally:
            self.now = before


class Tally:
    """Tables by the optional rules that are on. `wanted` are the zones and variables that are still looked at after a
    step; None: all of them, and the invariants and the result."""

    def __init__(self, points: int, closely: bool = False) -> None:
        self.points = points
        self.closely = closely
        self.wanted: frozenset[str] | None = None
        self.tables: dict[frozenset[str], Table] = {}

    def of(self, game: Game) -> Table:
        """The table in which this game counts."""
        table = self.tables.setdefault(frozenset(game.overlays), Table(self.points, self.closely))
        table.wanted = self.wanted
        return table

    def counts(self) -> list[int]:
        """Of each point, whatever was on."""
        return [sum(row) for row in zip(*(table.counts for table in self.tables.values()), strict=True)] or (
            [0] * self.points
        )


@dataclass(frozen=True, slots=True)
class Played:
    """What random games came to; a choice of players and options in which the rules break is left there."""

    games: int
    steps: int
    choices: int
    faults: list[tuple[Choice, FaultInGame]]


def scenarios(document: Document, variant: Variant, known: Facts, tally: Tally) -> list[Result]:
    """Runs every scenario of a file on a variant that counts itself."""

    def load(players: int | None, options: dict[str, Any]) -> Game:
        game = Game(variant, players, options)
        return counting(game, known, tally.of(game))

    return run(document, load)


def play(
    variant: Variant,
    known: Facts,
    tally: Tally,
    choices: Sequence[Choice],
    games: int,
    seed: int = 0,
    report: Report | None = None,
    first: int = 0,
    late: Callable[[], bool] = lambda: False,
) -> Played:
    """So many random games (those of `Game.playouts`, from number `first` on) of each choice of players and options, on
    a variant that counts itself. Once it is `late`, no other game is begun."""
    played = steps = 0
    faults: list[tuple[Choice, FaultInGame]] = []
    for done, choice in enumerate(choices, 1):
        game = Game(variant, *choice)
        table = tally.of(game)
        for number in range(first, first + games):
            if late():
                break
            try:
                steps += play_game(counting(game, known, table), seed, number, table).steps
            except RuleFault as fault:
                faults.append((choice, FaultInGame(str(fault), fault.place, seed, number)))
                break
            finally:
                played += 1
        if report is not None:
            report(done * games, len(choices) * games)
    return Played(played, steps, len(choices), faults)


def play_game(game: Game, seed: int, number: int, table: Table) -> Position:
    """As `simulate.play_game`, with what is tried on copies left out of the count."""
    rng, watch = Rng.stream(seed, number), Watch(game)
    position = game.start()
    while position.actor != TERMINAL:
        action, ways = pick(position, rng)
        with table.aside():
            found = watch.look(position, ways)
        if found is not None:
            stop(position)
        else:
            position.apply(action)
    return position


def able(variant: Variant) -> Variant:
    """A variant that counts itself, whose positions stand on their own too: where nobody counts, nothing is counted.
    (A game asks a position for how many cards there are before anybody plays it.)"""

    def passed(self: Any, *values: Any) -> Any:
        return values[-1]

    names = ("mark", "watch", "reach", "carried", "altering", "witness")
    base = variant.position
    members = {"__slots__": (), "__module__": base.__module__, "__doc__": base.__doc__, **dict.fromkeys(names, passed)}
    return replace(variant, position=type("Position", (base,), members))


def facts(game: Game) -> Iterator[str]:
    """What a game has as a whole: that it is played, its players, its options, the optional rules that are on, and what
    is there to play with."""
    variant = game.variant
    yield "game"
    yield f"players={game.players}"
    for name, value in game.options.items():
        yield f"{name}={str(value).lower() if isinstance(value, bool) else 'none' if value is None else value}"
    yield from (f"overlays.{name}" for name in game.overlays)
    yield from (f"zones.{zone.name}" for zone in variant.zones)
    yield from (f"zones.{tray.name}" for tray in variant.trays)
    yield from (f"vars.{variable.name}" for variable in variant.variables)
    yield from (f"invariants.{row[0]}" for row in variant.invariants)


def counting(game: Game, known: Facts, table: Table) -> Game:
    """The same game, about to be played once; its positions count in a table what is exercised."""
    for fact in facts(game):
        for point in known.get(fact, ()):
            table.counts[point] += 1
    counted = copy(game)
    counted.position_class = _class(game, table)
    return counted


def _class(game: Game, table: Table) -> type[Position]:
    base, variant = game.position_class, game.variant
    wanted = table.wanted
    hidden = [
        laid for place, _, parts in layout(game) for laid in parts
        if place.sees.__name__ not in PLAIN and (wanted is None or place.name in wanted)
    ]  # fmt: skip
    tests = [row[1] for row in variant.invariants]

    def mark(self: Any, point: int) -> None:
        table.now[point] += 1

    def watch(self: Any, point: int, test: bool) -> bool:
        table.now[point if test else point + 1] += 1
        return test

    def reach(self: Any, point: int, value: Any) -> Any:
        table.now[point] += 1
        return value

    def carried(self: Any, first: int, moved: Any) -> Any:
        for card in moved if isinstance(moved, list) else (moved,):
            table.now[first + (card.card if isinstance(card, Owned) else card)] += 1
        return moved

    def altering(self: Any, point: int, before: Any, value: Any) -> Any:
        table.now[point if value != before else point + 1] += 1
        return value

    def witness(self: Any, point: int, test: bool) -> bool:
        if table.looking is not None:
            table.looking[point if test else point + 1] += 1
        return test

    def completing(self: Any, choices: Callable[[Any], list[int]]) -> list[int]:
        if len(self.row) < 2:
            return base.completing(self, choices)
        choices(self)
        with table.aside():
            return base.completing(self, choices)

    def apply(self: Any, action: int) -> None:
        kind, values = self.decisions[action] if self.actor >= 0 else self.chances[action]
        kinds = variant.actions if self.actor >= 0 else variant.outcomes
        told = variant.phases[self.phase].told.get(kinds[kind].key)
        if told is not None:
            table.looking = table.now
            for viewer in self.players:
                told(self, viewer, *values)
            table.looking = None
        base.apply(self, action)
        look(self)

    def go(self: Any, phase: int | None) -> None:
        base.go(self, phase)
        if table.closely and self.steps == 0:
            counts = table.now
            with table.aside():
                see(self, counts)

    def see(position: Any, counts: list[int]) -> None:
        for laid in hidden:
            table.looking = counts if table.closely and _holds(position, laid) else None
            for viewer in position.players:
                sees(position, laid.place, viewer, laid.seat)
        table.looking = None

    def look(position: Any) -> None:
        see(position, table.now)
        if wanted is not None:
            return
        for test in tests:
            test(position)
        if position.actor == TERMINAL and not position.cut:
            final_ranking(game, position)
            if variant.has_returns:
                final_returns(game, position)

    members = {
        "__slots__": (), "__module__": base.__module__, "__doc__": base.__doc__, "mark": mark, "watch": watch,
        "reach": reach, "carried": carried, "altering": altering, "witness": witness,
        "completing": completing, "apply": apply, "go": go, "is_counted": True,
    }  # fmt: skip
    return type("Position", (base,), members)


def _holds(position: Position, laid: Laid) -> bool:
    """Whether there is something to see in a part: a card, dice, a value that is not none."""
    value = part(position, laid.place, laid.where)
    return value is not None and (isinstance(laid.place, Variable) or value != [])
