"""Many games side by side, for learning: one decision in each at once, and chance in between, all in C."""

from __future__ import annotations

from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from aeronef.native.pieces import each, row_of
from aeronef.native.position import packed
from aeronef.runtime.errors import BadInput, IllegalAction
from aeronef.runtime.kernel import TERMINAL
from aeronef.runtime.simulate import FaultInGame
from aeronef.runtime.state import State

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from aeronef.native.game import NativeGame


LEAST_MADE = 64
MOST = 2**62  # so that all numbers of games fit, of those to come too


class Batch:
    """Games of a seed, each where a seat is to act or where it has ended. Chance acts by itself, with the random
    numbers that the game has anywhere.

    Arrays with one row a game, which steps write over: `games` (its number, int64), `actors` (the seat to act, or -4
    where it has ended; int8), `legal` (whether each action is legal; bool, num_distinct_actions() wide). A game that
    goes on for ever ends at its longest length. One whose rules break has ended, as if it was cut.
    """

    def __init__(self, game: NativeGame, n: int, seed: int, first: int, threads: int) -> None:
        if n < 1:
            raise BadInput(f"a batch has one game at least, not {n}")
        if first < 0:
            raise BadInput(f"games are counted from 0: there is no game {first}")
        if first + n > MOST:
            raise BadInput(f"a batch has games whose numbers are below {MOST}, not those from {first} on")
        if threads < 1:
            raise BadInput(f"a batch is stepped by one thread at least, not {threads}")
        self.game, self.seed, self.next_game = game, seed, first + n
        self.games: NDArray[Any] = np.arange(first, first + n, dtype=np.int64)
        self.actors: NDArray[Any] = np.zeros(n, np.int8)
        self.legal: NDArray[Any] = np.zeros((n, game.num_distinct_actions()), bool)
        self._states = np.zeros((n, game.library.size), np.uint8)
        self._randoms = np.zeros(n, np.uint64)
        together = any(phase.kind == "together" for phase in game.variant.phases)
        self._frozen = np.zeros_like(self._states) if together else None
        self._made: list[NDArray[Any]] = []  # the last steps, of all rows: what is chosen together has a past
        self._most_made = LEAST_MADE
        self._threads = threads
        self._move(np.ones(n, bool), None)

    def __len__(self) -> int:
        return len(self.games)

    @property
    def done(self) -> NDArray[Any]:
        """Which games have ended."""
        found: NDArray[Any] = self.actors == TERMINAL
        return found

    def step(self, actions: ArrayLike) -> None:
        """One decision in each game, up to the next: `actions` are ids, one for each game; of games that have ended
        they mean nothing.

        Raises IllegalAction, with the first game for which it is so, where an action is not legal, and then no game has
        moved; FaultInGame where the rules break in a game (the others have moved); BadInput for another number of
        actions, or what is none.
        """
        given = self._numbers(actions)
        going = ~self.done
        there = going & (given >= 0) & (given < self.legal.shape[1])
        chosen = np.where(there, given, 0).astype(np.int32)
        fine = np.zeros(len(self), bool)
        fine[there] = self.legal[there, chosen[there]]
        if (wrong := np.flatnonzero(going & ~fine)).size:
            k = int(wrong[0])
            try:
                self.state(k).check_action(int(given[k]))
            except IllegalAction as error:
                raise IllegalAction(f"row {k}, game {self.games[k]}: {error}", error.reasons) from None
        self._remember(chosen)
        self._move(None, chosen)

    def restart(self) -> NDArray[Any]:
        """Puts the next games of the seed where one has ended. Gives which rows these are."""
        ended = self.done
        many = int(ended.sum())
        self.games[ended] = np.arange(self.next_game, self.next_game + many)
        self.next_game += many
        self._move(ended, None)
        return ended

    def observations(self, player: int | None = None) -> NDArray[Any]:
        """For each game what a player may know, as `State.observation_tensor` has it: float32, games x numbers. Of
        nobody in particular it is what who acts may know, and zeros where the game has ended.

        Raises BadInput where there is no such player.
        """
        if player is not None:
            player = _within(player, self.game.players, "there is no player {} (they are 0 to {})")
        from aeronef.runtime.tensors import observation_size

        found = np.empty((len(self), observation_size(self.game)), np.float32)

        def observe(part: tuple[int, int]) -> None:
            first, many = part
            rows = (row_of(array, first) for array in (self._states, self._frozen, found))
            self.game.library.long["batch_observe"](many, -2 if player is None else player, *rows)

        each(observe, self._parts(), self._threads)
        return found

    def returns(self) -> NDArray[Any]:
        """What each player gets (games, players); 0 in a game that goes on or was cut."""
        return self._results()[0]

    def lengths(self) -> NDArray[Any]:
        """How many steps each game has had, those of chance too."""
        return self._results()[1]

    def cut(self) -> NDArray[Any]:
        """Which games were cut at their longest length."""
        return self._results()[2]

    def state(self, k: int) -> State:
        """Row k as a state of its own, from which one can look around. It has no past but, amid a choice together, from
        where that began: what seats know of it is what they knew then."""
        k = _within(k, len(self), "the batch has no row {} (they are 0 to {})")
        position = self._position(self._states, k)
        steps = self._amid(position)
        if not steps:
            return State(self.game, position)
        state = State(self.game, self._position(self._frozen, k))
        for made in self._made[-steps:]:
            state.apply_action(made[k])
        return state

    def _position(self, states: Any, k: int) -> Any:
        library = self.game.library
        return packed(self.game.position_class, library.copied(states[k].tobytes()))

    def _amid(self, position: Any) -> int:
        """How many choices were made in the choice together that a position is amid: each was the last of a step."""
        phases = self.game.variant.phases
        together = position.actor >= 0 and phases[position.phase].kind == "together"
        return position.steps - position.began if together else 0

    def _remember(self, chosen: NDArray[Any]) -> None:
        """Keeps a step for as long as a row is amid the choice together that it is of."""
        if self._frozen is None:
            return
        self._made.append(chosen)
        if len(self._made) > self._most_made:
            most = 1 + max(self._amid(self._position(self._states, k)) for k in range(len(self)))
            self._made = self._made[-most:]
            self._most_made = max(LEAST_MADE, 2 * most)

    def _numbers(self, actions: ArrayLike) -> NDArray[Any]:
        """A whole number for each game, of whatever width they come in. Raises BadInput."""
        wanted = f"a step takes an action for each of {len(self)} games"
        try:
            given = np.asarray(actions)
        except ValueError:
            raise BadInput(f"{wanted}, in a row") from None
        if given.shape != self.games.shape:
            raise BadInput(f"{wanted}, not {given.shape}")
        if given.dtype.kind not in "iu":
            raise BadInput(f"{wanted}, each a whole number, not {given.dtype}")
        return given

    # ------------------------------------------------------------------------------ calls

    def _move(self, begins: NDArray[Any] | None, actions: NDArray[Any] | None) -> None:
        """Begins the games of these rows, or makes a decision in each that goes on."""
        arrays = (self.games, begins, actions, self._states, self._randoms, self.actors, self.legal, self._frozen)
        for fault in each(partial(self._move_part, arrays), self._parts(), self._threads):
            if fault is not None:
                raise fault

    def _parts(self) -> list[tuple[int, int]]:
        """A piece for each thread."""
        n = len(self)
        size = -(-n // self._threads)
        return [(first, min(size, n - first)) for first in range(0, n, size)]

    def _move_part(self, arrays: tuple[Any, ...], part: tuple[int, int]) -> FaultInGame | None:
        """Gives the first fault of a part and raises none, so that all parts are moved."""
        first, many = part
        rows = (row_of(array, first) for array in arrays)
        broken = self.game.library.long["batch"](many, self.seed % 2**64, *rows)
        if broken < 0:
            raise MemoryError
        if broken == many:
            return None
        k = first + broken
        fault = self.game.library.fault(self.game.library.copied(self._states[k].tobytes()))
        return FaultInGame(str(fault), fault.place, self.seed, int(self.games[k]))

    def _results(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        n = len(self)
        returns, lengths, cut = np.zeros((n, self.game.players)), np.zeros(n, np.int32), np.zeros(n, bool)
        rows = (row_of(array, 0) for array in (self._states, returns, lengths, cut))
        self.game.library.long["batch_results"](n, *rows)
        return returns, lengths, cut


def _within(number: Any, end: int, says: str) -> int:
    """A whole number from 0 to end - 1. Raises BadInput, which `says` what there is."""
    try:
        found = index(number)
    except TypeError:
        found = -1
    if not 0 <= found < end:
        raise BadInput(says.format(repr(number), end - 1))
    return found
