"""The states that a game can reach, in breadth: each once, with a shortest play that leads there.

States are one where nothing that rules can tell differs (`canonical`): unordered zones lie in their order, cards of one
kind are one, counts and numbers of steps are left out. Exploration is bounded by how many states it keeps and by time;
what it did not get to is told.
"""

from __future__ import annotations

import hashlib
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from aeronef.runtime.endless import choices, identity
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL, Position
from aeronef.runtime.state import State

SEAT, BY_CHANCE, OVER = range(3)  # who acts in a state
EARLY = -1_000_000
Canonical = Callable[[Position], bytes]
Judge = Callable[[int, Position], str | None]  # what is wrong with a state, if something is
Look = Callable[["Space"], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """`states`: how many are kept at most; `seconds`: how long is explored at most (None: as long as it takes). `each`:
    of each kind of action or outcome only so many values are tried in a state (None: all). Then far fewer states are
    met, and much deeper ones: each play that is found is one of the game, and the shortest of those that were tried."""

    states: int = 200_000
    seconds: float | None = None
    each: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the rules break: the state and the action (None: asking what can be done) with the message."""

    state: int
    action: int | None
    message: str


@dataclass(slots=True)
class Space:
    """What was explored. State 0 is the start; `came` and `by` are of each state the one before it on a shortest play,
    and the action. The successors of state k are `to[first[k] : first[k + 1]]`, and `via` are the actions that lead
    there. In `partial` are the states of which not every action was tried (`each` of a kind at most)."""

    game: Game
    came: array[int] = field(default_factory=lambda: array("q", [-1]))
    by: array[int] = field(default_factory=lambda: array("q", [-1]))
    kinds: bytearray = field(default_factory=bytearray)
    first: array[int] = field(default_factory=lambda: array("q", [0]))
    to: array[int] = field(default_factory=lambda: array("q"))
    via: array[int] = field(default_factory=lambda: array("q"))
    partial: set[int] = field(default_factory=set)
    each: int | None = None
    start: Position | None = None  # state 0, where that is not the game's start
    marked: list[int] = field(default_factory=list)  # states that a judge has marked
    dead: list[int] = field(default_factory=list)  # states that are not over and offer nothing
    faults: list[Fault] = field(default_factory=list)
    broken: list[Fault] = field(default_factory=list)  # states with which something is wrong, as a judge says
    seconds: float = 0.0
    keys: dict[bytes, int] = field(default_factory=dict)  # the number of each state, by its digest
    waiting: deque[Position] = field(default_factory=deque)  # of the states that are still to be looked into the last

    def __len__(self) -> int:
        return len(self.came)

    @property
    def explored(self) -> int:
        """How many states were looked into."""
        return len(self.kinds)

    @property
    def whole(self) -> bool:
        """Whether that is all that can be reached."""
        return self.explored == len(self.came) and not self.faults and not self.partial

    def successors(self, state: int) -> array[int]:
        if state >= self.explored:
            return array("q")
        return self.to[self.first[state] : self.first[state + 1]]

    def path(self, state: int) -> list[int]:
        """The actions of a shortest play that leads to a state."""
        found = []
        while state:
            found.append(self.by[state])
            state = self.came[state]
        return found[::-1]

    def at(self, state: int) -> State:
        """The state itself, with that play as its history. However long it is, it is not cut."""
        return uncut(self.game, self.path(state), self.start)

    def action(self, state: int, other: int) -> int:
        """An action that leads from a state to another."""
        return self.via[self.to.index(other, self.first[state], self.first[state + 1])]


def uncut(game: Game, actions: list[int], start: Position | None = None) -> State:
    """The state to which a play leads, from a position (default: the game's start). However long it is, it is not
    cut."""
    position = game.start() if start is None else start.copy()
    position.began += EARLY - position.steps
    position.steps = EARLY
    state = State(game, position)
    for action in actions:
        state.apply_action(action)
    return state


def canonical(game: Game) -> Canonical:
    """What makes two positions one: a digest of all that rules can tell."""
    tells = identity(game.variant)

    def key(position: Position) -> bytes:
        return hashlib.blake2b(repr(tells(position)).encode(), digest_size=12).digest()

    return key


def explore(
    game: Game, limits: Limits, look: Look | None = None, judge: Judge | None = None, start: Position | None = None
) -> Space:
    """Explores in breadth, from a position (default: the game's start). `look` is called now and then, for a progress
    bar; `judge` is asked of each state once.

    Raises RuleFault where the game cannot even start.
    """
    return explore_on(Space(game, each=limits.each, start=start), limits, look, judge)


def explore_on(space: Space, limits: Limits, look: Look | None = None, judge: Judge | None = None) -> Space:
    """Goes on from what was explored of a game; the limits hold for all of it, the time for what is new.

    As many values of each kind are tried as before. The states that wait to be looked into are played anew, each from
    the start, where that was in another process.
    """
    key, began, before = canonical(space.game), time.perf_counter(), space.seconds
    if not space.keys:
        start = space.game.start() if space.start is None else space.start
        space.keys[key(start)] = 0
        _judge(judge, space, 0, start)
        space.waiting.append(start)
    while space.explored < len(space):
        state = space.explored
        if state % 256 == 0:
            space.seconds = before + time.perf_counter() - began
            if limits.seconds is not None and space.seconds - before > limits.seconds:
                break
            if look is not None:
                look(space)
        if len(space) >= limits.states:
            break
        ready = state == len(space) - len(space.waiting)
        position = space.waiting.popleft() if ready else space.at(state).position
        for action, after in _steps(space, position, space.each):
            number = space.keys.setdefault(key(after), len(space))
            if number == len(space):
                space.came.append(state)
                space.by.append(action)
                _judge(judge, space, number, after)
                space.waiting.append(after)
            space.to.append(number)
            space.via.append(action)
        space.first.append(len(space.to))
    space.seconds = before + time.perf_counter() - began
    return space


def _judge(judge: Judge | None, space: Space, state: int, position: Position) -> None:
    wrong = judge(state, position) if judge is not None else None
    if wrong is not None:
        space.broken.append(Fault(state, None, wrong))


def _steps(space: Space, position: Position, each: int | None) -> Iterator[tuple[int, Position]]:
    """Looks into the next state: who acts in it, and where each action leads."""
    state = space.explored
    if position.actor == TERMINAL:
        space.kinds.append(OVER)
        return
    space.kinds.append(BY_CHANCE if position.actor == CHANCE else SEAT)
    try:
        offered = [int(c[0] if position.actor == CHANCE else c) for c in choices(position)]
    except RuleFault as fault:
        space.faults.append(Fault(state, None, str(fault)))
        return
    if not offered:
        space.dead.append(state)
    tried = offered if each is None else _some(position, offered, each)
    if len(tried) < len(offered):
        space.partial.add(state)
    for action in tried:
        after = position.copy()
        after.steps = EARLY  # no play is too long here
        try:
            after.apply(action)
        except RuleFault as fault:
            space.faults.append(Fault(state, action, str(fault)))
        else:
            yield action, after


def _some(position: Position, offered: list[int], each: int) -> list[int]:
    """Of each kind so many, from all over its values."""
    kinds = position.chances if position.actor == CHANCE else position.decisions
    found: list[int] = []
    for _, same in groupby(offered, lambda action: kinds[action][0]):
        actions = list(same)
        n = min(each, len(actions))
        found += [actions[k * (len(actions) - 1) // max(n - 1, 1)] for k in range(n)]
    return found
