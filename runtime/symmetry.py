"""Whether the rules treat the seats alike: relabelling the players must relabel everything that follows.

Positions of play are relabelled (`turned`): then what can be done, and how likely what chance can do is, must be the
same relabelled; so must what every step leads to, who sees and hears what, and the results. What differs is settled by
the numbers of seats: a tie that the first in a list wins, a loop over the players whose order matters. It is no
question for games whose rules name a seat.

The order in which seats choose together, or in which chance comes to them, may follow their numbers. Of chance it is
tried that it makes no difference: two seats change places, and the same must be as likely.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from aeronef.runtime.endless import Watch, choices
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.explore import canonical
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL, Position
from aeronef.runtime.passed import Passed, passed
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick
from aeronef.runtime.state import final_ranking, final_returns
from aeronef.runtime.turned import Turn, Unlike, asked, element_of, held, unlike
from aeronef.runtime.views import parts, sees

EARLY = 300  # positions that are tried in breadth from the start, before random games
STEPS = 3  # steps that are tried from a position, at most
LONGEST_TURN = 60  # outcomes for one seat, at most, where two seats change places

Play = tuple[int, ...]
Turns = tuple[Position, list[int], Fraction]  # what came of the outcomes for a seat, these, and how likely they were


@dataclass(frozen=True, slots=True)
class Asymmetry:
    """Where seats are not treated alike: after `play`, whose last step is `step`, made in `phase`, `what` is `one` if
    the seats are relabelled after the step, and `other` if before it. (What can be done, who sees what and the results
    are compared at the end of the play.) Each player is moved `rotation` chairs on. `element` of the spec makes the
    difference."""

    element: str
    phase: str
    step: str
    what: str
    one: Any
    other: Any
    play: Play
    rotation: int


@dataclass(frozen=True, slots=True)
class Symmetry:
    """`asymmetries`: of each element, and of what differs there, that of the shortest play that was found, the shortest
    first; `positions`: how many were tried."""

    asymmetries: tuple[Asymmetry, ...]
    positions: int


def symmetry(
    game: Game, games: int, seed: int, seconds: float | None = None, look: Callable[[int], None] | None = None,
    start: bool = True, openings: Collection[str] = (),
) -> Symmetry:  # fmt: skip
    """Tries the first positions in breadth and those of so many random games, for so many seconds at most (None: as
    long as it takes). `look` is called now and then with how many there were. The same seed gives the same. One player
    is always treated alike. Where the rules break for any seat, a game is left. `start`: whether the position before
    the first step is to be alike, too; not so of rules that say with whom it begins. `openings` are phases of which
    they say that: a step that leads into one is not compared, and all in it is."""
    search = _Search(game, seed, [k for k, phase in enumerate(game.variant.phases) if phase.name in openings])
    if game.players < 2:
        return Symmetry((), 0)
    began = time.perf_counter()
    for _ in search.positions(games, start):
        if look is not None and search.tried % 64 == 0:
            look(search.tried)
        if seconds is not None and time.perf_counter() - began > seconds:
            break
    found = sorted(search.found.values(), key=lambda one: len(one.play))
    return Symmetry(tuple(found), search.tried)


class _Search:
    def __init__(self, game: Game, seed: int, openings: list[int]) -> None:
        self.game, self.seed, self.openings = game, seed, openings
        self.turns = [Turn(game, by) for by in range(1, game.players)]
        self.found: dict[tuple[str, str], Asymmetry] = {}
        self.tried = 0
        self.rng = Rng.stream(seed, 0)

    def positions(self, games: int, alike: bool) -> Iterator[None]:
        """Tries one position after the other; the start itself, where that should be `alike`."""
        start = self.game.start()
        for turn in self.turns if alike else ():
            if (found := unlike(self.game, turn.position(start), start)) is not None:
                self._note(found.element or f"phases.{self.game.phase_name(start)}", found, start, (), turn)
        yield from self._in_breadth(start)
        for number in range(games):
            self.rng = Rng.stream(self.seed, number + 1)
            yield from self._game()

    def _in_breadth(self, start: Position) -> Iterator[None]:
        key = canonical(self.game)
        known = {key(start)}
        waiting: deque[tuple[Position, Position, Play]] = deque([(start, start, ())])
        while waiting and self.tried < EARLY:
            before, position, play = waiting.popleft()
            for action, after in self._try(before, position, play):
                if after is not None and (place := key(after)) not in known:
                    known.add(place)
                    waiting.append((position, after, (*play, action)))
            yield

    def _game(self) -> Iterator[None]:
        before = position = self.game.start()
        watch, play = Watch(self.game), list[int]()
        while True:
            action = None
            if position.actor != TERMINAL:
                try:
                    action, several = pick(position, self.rng)
                except RuleFault:
                    return
                if watch.look(position, several) is not None:
                    return
            steps = self._try(before, position, tuple(play), action)
            yield
            if action is None or steps[0][1] is None:
                return
            play.append(action)
            before, position = position, steps[0][1]

    # ------------------------------------------------------------------------------ one position

    def _try(
        self, before: Position, position: Position, play: Play, first: int | None = None
    ) -> list[tuple[int, Position | None]]:
        """Compares what a position offers with what it offers relabelled, and some steps (`first`, if it is said, and
        others) from both. Gives these steps, each with what it leads to (None: the rules break)."""
        self.tried += 1
        turn = self.turns[self.rng.below(len(self.turns))]
        moved = turn.position(position)
        self._compare_views(position, moved, turn, before, play)
        if position.actor == TERMINAL:
            self._compare_results(position, moved, turn, before, play)
            return []
        try:
            offered = dict(self._offered(position))
            there = dict(self._offered(moved))
        except RuleFault:
            return [(first, None)] if first is not None else []
        chance = position.actor == CHANCE
        wanted = {turn.action(action, chance): weight for action, weight in offered.items()}
        if wanted != there:
            self._compare_offers(position, wanted, there, turn, before, play)
        some = [first] if first is not None else []
        others = [action for action in offered if action != first]
        while others and len(some) < STEPS:
            some.append(others.pop(self.rng.below(len(others))))
        steps: list[tuple[int, Position | None]] = []
        for action in some:
            after = None
            if turn.action(action, chance) in there:
                after = self._step(position, moved, action, turn, (*play, action))
            else:
                after = _applied(position, action)
            steps.append((action, after))
        return steps

    def _offered(self, position: Position) -> Iterator[tuple[int, int]]:
        for choice in choices(position):
            yield choice if position.actor == CHANCE else (choice, 1)

    def _step(self, position: Position, moved: Position, action: int, turn: Turn, play: Play) -> Position | None:
        """Makes a step in both, and compares what comes of it."""
        other = turn.action(action, position.actor == CHANCE)
        self._compare_hearing(position, moved, action, turn, play)
        after, there = _applied(position, action), _applied(moved, other)
        if after is None or there is None:
            if after is not there:
                found = Unlike("whether the rules break", "", *("no" if p else "yes" for p in (after, there)))
                self._note(self._element(position, action), found, position, play, turn)
            return after
        wanted = turn.position(after)
        found_ = unlike(self.game, wanted, there)
        if found_ is not None and self._opens(position, action):
            return after
        if found_ is not None:
            self._note(self._where(position, moved, action, other, turn), found_, position, play, turn)
        elif (wanted.me, wanted.queue) != (there.me, there.queue) and after.actor == CHANCE:
            self._change_places(after, position, play, turn)
        return after

    def _opens(self, position: Position, action: int) -> bool:
        """Whether a step leads into, or through, a phase that begins with a seat that the rules name."""
        way = passed(position, action) if self.openings else []
        return any(one.verb == "enters" and one.phase in self.openings for one in way)

    def _where(self, position: Position, moved: Position, action: int, other: int, turn: Turn) -> str:
        """The element from which on two steps differ: the action itself, or one of the phases that it leads by."""
        one, two = passed(position, action), passed(moved, other)
        same = 0
        while same < min(len(one), len(two)) and self._alike(one[same], two[same], turn):
            same += 1
        return (
            f"phases.{self.game.variant.phases[one[same - 1].phase].name}" if same else self._element(position, action)
        )

    def _alike(self, one: Passed, other: Passed, turn: Turn) -> bool:
        guest = None if one.guest is None else turn.seat(one.guest)
        return (one.verb, one.phase, guest) == (other.verb, other.phase, other.guest) and (
            held(self.game, turn.position(one.position), other.position) is None
        )

    # ------------------------------------------------------------------------------ what is compared

    def _compare_offers(
        self,
        position: Position,
        wanted: dict[int, int],
        there: dict[int, int],
        turn: Turn,
        before: Position,
        play: Play,
    ) -> None:
        chance = position.actor == CHANCE
        differ = sorted(a for a in {*wanted, *there} if wanted.get(a) != there.get(a))
        labels = self.game.chance_labels if chance else self.game.labels
        kind = (position.chances if chance else position.decisions)[differ[0]][0]
        described = (self.game.variant.outcomes if chance else self.game.variant.actions)[kind]
        element = f"phases.{self.game.phase_name(position)}.{'outcomes' if chance else 'actions'}.{described.key}"
        shown = ([(labels[a], m[a]) if chance else labels[a] for a in differ if a in m] for m in (wanted, there))
        what = "how likely it is" if chance else "what can be done"
        self._note(element, Unlike(what, element, *shown), before, play, turn)

    def _compare_views(self, position: Position, moved: Position, turn: Turn, before: Position, play: Play) -> None:
        """Of one seat, which parts it sees."""
        viewer = self.rng.below(self.game.players)
        for laid in parts(self.game):
            seat = None if laid.seat is None else turn.seat(laid.seat)
            mine = sees(position, laid.place, viewer, laid.seat)
            yours = sees(moved, laid.place, turn.seat(viewer), seat)
            if mine != yours:
                element = element_of(laid.place)
                found = Unlike(f"who sees `{laid.place.name}`", element, mine, yours)
                self._note(element, found, before, play, turn)
                return

    def _compare_hearing(self, position: Position, moved: Position, action: int, turn: Turn, play: Play) -> None:
        """Of one seat, what it is told of a step."""
        chance = position.actor == CHANCE
        kind, values = (position.chances if chance else position.decisions)[action]
        described = (self.game.variant.outcomes if chance else self.game.variant.actions)[kind]
        told = self.game.variant.phases[position.phase].told.get(described.key)
        if told is not None:
            viewer = self.rng.below(self.game.players)
            mine = tuple(told(position, viewer, *values))
            yours = tuple(told(moved, turn.seat(viewer), *turn.values(described, values)))
            if mine != yours:
                element = self._element(position, action)
                self._note(element, Unlike("who hears of it", element, mine, yours), position, play, turn)

    def _compare_results(self, position: Position, moved: Position, turn: Turn, before: Position, play: Play) -> None:
        if position.cut:
            return
        results: tuple[tuple[str, Callable[[Game, Position], Sequence[float]]], ...] = (
            ("how the seats rank", final_ranking), ("what the players get", final_returns),
        )  # fmt: skip
        for what, result in results:
            one, other = list(result(self.game, position)), list(result(self.game, moved))
            wanted = other[:]
            for seat, value in enumerate(one):
                wanted[turn.seat(seat)] = value
            if wanted != other:
                self._note("result", Unlike(what, "result", wanted, other), before, play, turn)

    def _change_places(self, position: Position, before: Position, play: Play, turn: Turn) -> None:
        """Chance comes to the seats by their numbers. That makes no difference if any two who follow each other can
        change places: the same falls to both as likely as before, and leads to the same."""
        at: Position | None = position
        while at is not None and (at.actor, at.phase, at.began) == (CHANCE, position.phase, position.began):
            first = self._turn_of(at, at.me, None)
            differs = None if first is None else self._changed(at, first)
            if differs is not None:
                what = "in which order chance comes to the seats"
                self._note(f"phases.{self.game.phase_name(position)}", Unlike(what, "", *differs), before, play, turn)
                return
            at = None if first is None else first[0]

    def _changed(self, position: Position, first: Turns) -> tuple[Any, Any] | None:
        """What differs where the seat of the next turn has its turn before the one whose turn it is (`first`)."""
        me = position.me
        stays = me in position.queue  # until it is done
        other, *rest = [seat for seat in position.queue if seat != me] or [me]
        if other == me or first[0].back != position.back:
            return None  # there is nobody else, or a detour comes between
        if (first[0].phase, first[0].began, first[0].me) != (position.phase, position.began, other):
            labels = [self.game.chance_labels[outcome] for outcome in first[1]]
            return (f"nothing for seat {other}", f"something, but for {labels}") if other in asked(position) else None
        second = self._turn_of(first[0], other, None)
        if second is None:
            return None
        changed = position.copy()
        changed.me, changed.queue = other, [*([other] if stays else []), me, *rest]
        early = self._turn_of(changed, other, second[1])
        late = None if early is None or early[0].me != me else self._turn_of(early[0], me, first[1])
        if late is None or early is None:
            return [self.game.chance_labels[outcome] for outcome in (*first[1], *second[1])], "it cannot be so"
        if early[2] * late[2] != first[2] * second[2]:
            return str(first[2] * second[2]), str(early[2] * late[2])
        differs = unlike(self.game, second[0], late[0])
        return None if differs is None else (differs.one, differs.other)

    def _turn_of(self, position: Position, seat: int, outcomes: list[int] | None) -> Turns | None:
        """What chance does for a seat until it comes to another: at random, or these outcomes. With how likely that is;
        None where it cannot be, or takes long."""
        at, made, likely = position, list[int](), Fraction(1)
        while at.actor == CHANCE and (at.phase, at.began, at.me) == (position.phase, position.began, seat):
            there = dict(at.outcomes())
            if len(made) == (LONGEST_TURN if outcomes is None else len(outcomes)) or not there:
                return None
            outcome = pick(at, self.rng)[0] if outcomes is None else outcomes[len(made)]
            if outcome not in there:
                return None
            likely *= Fraction(there[outcome], sum(there.values()))
            made.append(outcome)
            after = _applied(at, outcome)
            if after is None:
                return None
            at = after
        return (at, made, likely) if outcomes is None or len(made) == len(outcomes) else None

    # ------------------------------------------------------------------------------ findings

    def _element(self, position: Position, action: int) -> str:
        chance = position.actor == CHANCE
        kind = (position.chances if chance else position.decisions)[action][0]
        described = (self.game.variant.outcomes if chance else self.game.variant.actions)[kind]
        return f"phases.{self.game.phase_name(position)}.{'outcomes' if chance else 'actions'}.{described.key}"

    def _note(self, element: str, found: Unlike, before: Position, play: Play, turn: Turn) -> None:
        """Keeps a finding, if its play is the shortest so far. `before` is the position before the last step."""
        known = self.found.get((element, found.what))
        if known is not None and len(known.play) <= len(play):
            return
        step, phase = "", self.game.phase_name(before)
        if play:
            chance = before.actor == CHANCE
            label = (self.game.chance_labels if chance else self.game.labels)[play[-1]]
            step = f"{'chance' if chance else before.actor} {label}"
        one = Asymmetry(element, phase, step, found.what, found.one, found.other, play, turn.by)
        self.found[element, found.what] = one


def _applied(position: Position, action: int) -> Position | None:
    """The position after a step; None where the rules break."""
    after = position.copy()
    try:
        after.apply(action)
    except RuleFault:
        return None
    return after
