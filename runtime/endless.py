"""Games that cannot end: the same states return for ever, and nobody has a choice that leads out.

A game is caught for certain, never on suspicion: a state comes back, and every step since it was there before was
forced (one legal action, or one outcome, whoever acts). What does not tell states apart cannot change what follows:
counts, which no rule reads, and how many steps were made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from aeronef.runtime.description import Accept, Count, Variable, Variant
from aeronef.runtime.kernel import CHANCE, TERMINAL, Position

if TYPE_CHECKING:
    from aeronef.runtime.game import Game
    from aeronef.runtime.state import State

FINDING = "AE710"  # the code under which a spec accepts it
SHOWN = 6

Identity = Callable[[Position], Any]
Choices = list[Any]


@dataclass(frozen=True, slots=True)
class Endless:
    """A round without an end. `since` is the step from which its states return; `moves` are its steps, each with its
    phase and its label: `("trade", "0 pass()")`."""

    since: int
    moves: tuple[tuple[str, str], ...]

    @property
    def states(self) -> int:
        """How many different states return."""
        return len(self.moves)

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases in which the round stops to ask, each once."""
        return tuple(dict.fromkeys(phase for phase, _ in self.moves))

    @property
    def round(self) -> str:
        """The steps as `trade: 0 pass(), 1 pass()`; of a long round the first."""
        parts = [
            f"{phase}: {', '.join(label for _, label in moves)}"
            for phase, moves in groupby(self.moves[:SHOWN], lambda move: move[0])
        ]
        more = f" and {self.states - SHOWN} more" if self.states > SHOWN else ""
        return "; ".join(parts) + more

    def __str__(self) -> str:
        return f"endless: from step {self.since} the same {_states(self.states)} for ever ({self.round})"

    def data(self) -> dict[str, Any]:
        """As JSON data."""
        moves = [{"phase": phase, "step": label} for phase, label in self.moves[:SHOWN]]
        return {"since": self.since, "states": self.states, "phases": list(self.phases), "moves": moves}


def _states(number: int) -> str:
    return "state returns" if number == 1 else f"{number} states return"


def identity(variant: Variant) -> Identity:
    """What tells the states of a game apart: everything that they hold but counts and the numbers of steps."""
    kept = [p.member for p in variant.places if not (isinstance(p, Variable) and isinstance(p.domain, Count))]
    held = attrgetter("phase", "actor", "me", "queue", "row", *kept)

    def tells(position: Position) -> Any:
        aside = [(phase, me, queue, guest) for phase, me, queue, _, guest in position.back]
        return held(position), aside

    return tells


class Watch:
    """Sees the positions of a game as they come, and says when it is caught in a round without an end.

    Brent's way: in a row of forced steps one position is kept, and after 1, 2, 4, … more steps a later one in its
    stead. So a look costs one comparison, and a round of n states is caught within a few times n steps.
    """

    __slots__ = ("_first", "_kept", "_power", "_steps", "_told", "game", "tells")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.tells = game.tells
        self._first: Position | None = None  # where the row of forced steps began
        self._kept: Position | None = None
        self._told: Any = None  # what tells the one that is kept apart, once that was asked
        self._steps = 0  # since the one that is kept
        self._power = 1

    def look(self, position: Position, choices: int) -> Endless | None:
        """To be called once before each step (its calls count the steps), with the number of actions or outcomes that
        there are to choose from."""
        if choices != 1:
            self._first = None
            return None
        if self._first is None:
            self._first = self._kept = position.copy()
            self._told, self._steps, self._power = None, 0, 1
            return None
        self._steps += 1
        if self._is_kept(position):
            return self._caught(self._steps)
        if self._steps == self._power:
            self._kept, self._told, self._steps, self._power = position.copy(), None, 0, 2 * self._power
        return None

    def _is_kept(self, position: Position) -> bool:
        """Whether the one that is kept came back."""
        assert self._kept is not None
        alike = position.is_like(self._kept)
        if alike is None:
            if self._told is None:
                self._told = self.tells(self._kept)
            alike = self.tells(position) == self._told
        return alike

    def _caught(self, states: int) -> Endless:
        """The round, from its first state on: all steps since the row began are forced, so they can be made again."""
        assert self._first is not None
        back, front = self._first.copy(), self._first.copy()
        for _ in range(states):
            front.apply(_forced(front))
        while self.tells(back) != self.tells(front):
            back.apply(_forced(back))
            front.apply(_forced(front))
        return _round(self.game, back, states)


def stop(position: Position) -> None:
    """The game ends here, cut."""
    position.actor, position.cut = TERMINAL, True


def stopped(position: Position) -> bool:
    """Whether a game was cut because it was caught, and not because it reached its longest length."""
    return position.cut and position.steps < position.longest


def choices(position: Position) -> Choices:
    """What there is to choose from, for seats or for chance."""
    return position.outcomes() if position.actor == CHANCE else position.legal()


def of_state(state: State) -> Endless | None:
    """The round in which a state's history is caught, if its position was there before and all since was forced."""
    tells = identity(state.game.variant)
    trail = [*state.trail, state.position]
    if state.position.cut:
        trail.pop()  # the position before the cut says whose turn it was
    last = len(trail) - 1
    if last < 0 or trail[last].actor == TERMINAL:
        return None
    now, first, states = tells(trail[last]), last, 0
    while first > 0 and len(choices(trail[first - 1])) == 1:
        first -= 1
        if not states and tells(trail[first]) == now:
            states = last - first
    if not states:
        return None
    while tells(trail[first]) != tells(trail[first + states]):
        first += 1
    return _round(state.game, trail[first].copy(), states)


def at(variant: Variant, found: Endless) -> str:
    """The element of the spec at which a round is reported and accepted: of its phases the first in the spec."""
    return next(f"phases.{phase.name}" for phase in variant.phases if phase.name in found.phases)


def accepting(game: Game, found: Endless) -> list[Accept]:
    """The acceptances of the spec that hold for the round, with the players and options at hand."""
    where = at(game.variant, found)
    return [a for a in game.variant.accepts if a.code == FINDING and a.at == where and game.accepts(a)]


def _forced(position: Position) -> int:
    (choice,) = choices(position)
    return int(choice[0] if position.actor == CHANCE else choice)


def _round(game: Game, position: Position, states: int) -> Endless:
    """The round that begins at a position. The position is played on."""
    since, moves = position.steps, []
    for _ in range(states):
        action, chance = _forced(position), position.actor == CHANCE
        label = f"chance {game.chance_labels[action]}" if chance else f"{position.actor} {game.labels[action]}"
        moves.append((game.phase_name(position), label))
        position.apply(action)
    return Endless(since, tuple(moves))
