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

from aeronef.runtime.endless import choices, identity
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL, Position
from aeronef.runtime.state import State

SEAT, BY_CHANCE, OVER = range(3)  # who acts in a state
EARLY = -1_000_000
Canonical = Callable[[Position], bytes]


@dataclass(frozen=True, slots=True)
class Limits:
    """`states`: how many are kept at most; `seconds`: how long is explored at most (None: as long as it takes)."""

    states: int = 200_000
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the rules break: the state and the action (None: asking what can be done) with the message."""

    state: int
    action: int | None
    message: str


@dataclass(slots=True)
class Space:
    """What was explored. State 0 is the start; `came` and `by` are of each state the one before it on a shortest play,
    and the action. The successors of state k are `to[first[k] : first[k + 1]]`, in the order of its actions."""

    game: Game
    came: array[int] = field(default_factory=lambda: array("q", [-1]))
    by: array[int] = field(default_factory=lambda: array("q", [-1]))
    kinds: bytearray = field(default_factory=bytearray)
    first: array[int] = field(default_factory=lambda: array("q", [0]))
    to: array[int] = field(default_factory=lambda: array("q"))
    dead: list[int] = field(default_factory=list)  # states that are not over and offer nothing
    faults: list[Fault] = field(default_factory=list)
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.came)

    @property
    def explored(self) -> int:
        """How many states were looked into."""
        return len(self.kinds)

    @property
    def whole(self) -> bool:
        """Whether that is all that can be reached."""
        return self.explored == len(self.came) and not self.faults

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
        """The state itself, with that play as its history."""
        found = self.game.new_initial_state()
        for action in self.path(state):
            found.apply_action(action)
        return found

    def action(self, state: int, other: int) -> int:
        """An action that leads from a state to another."""
        offered = choices(self.at(state).position)
        ids = [c[0] for c in offered] if self.kinds[state] == BY_CHANCE else offered
        return int(ids[list(self.successors(state)).index(other)])


def canonical(game: Game) -> Canonical:
    """What makes two positions one: a digest of all that rules can tell."""
    tells = identity(game.variant)

    def key(position: Position) -> bytes:
        return hashlib.blake2b(repr(tells(position)).encode(), digest_size=12).digest()

    return key


def explore(game: Game, limits: Limits, look: Callable[[Space], None] | None = None) -> Space:
    """Explores in breadth. `look` is called now and then, for a progress bar."""
    key, began = canonical(game), time.perf_counter()
    start = game.start()
    space, known = Space(game), {key(start): 0}
    waiting = deque([start])
    while waiting:
        state = space.explored
        if state % 256 == 0:
            space.seconds = time.perf_counter() - began
            if limits.seconds is not None and space.seconds > limits.seconds:
                break
            if look is not None:
                look(space)
        if len(known) >= limits.states:
            break
        for action, after in _steps(space, waiting.popleft()):
            number = known.setdefault(key(after), len(known))
            if number == len(space.came):
                space.came.append(state)
                space.by.append(action)
                waiting.append(after)
            space.to.append(number)
        space.first.append(len(space.to))
    space.seconds = time.perf_counter() - began
    return space


def _steps(space: Space, position: Position) -> Iterator[tuple[int, Position]]:
    """Looks into the next state: who acts in it, and where each action leads."""
    state = space.explored
    if position.actor == TERMINAL:
        space.kinds.append(OVER)
        return
    space.kinds.append(BY_CHANCE if position.actor == CHANCE else SEAT)
    try:
        offered = choices(position)
    except RuleFault as fault:
        space.faults.append(Fault(state, None, str(fault)))
        return
    if not offered:
        space.dead.append(state)
    for choice in offered:
        action = int(choice[0] if position.actor == CHANCE else choice)
        after = position.copy()
        after.steps = EARLY  # no play is too long here
        try:
            after.apply(action)
        except RuleFault as fault:
            space.faults.append(Fault(state, action, str(fault)))
        else:
            yield action, after
