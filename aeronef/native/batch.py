"""Many games side by side, for learning: one decision in each at once, and chance in between, all in C."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from aeronef.native.playouts import each
from aeronef.native.position import packed
from aeronef.runtime.errors import BadInput, IllegalAction
from aeronef.runtime.kernel import TERMINAL
from aeronef.runtime.simulate import FaultInGame
from aeronef.runtime.state import State

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from aeronef.native.game import NativeGame


class Batch:
    """Games of a seed, each where a seat is to act or where it has ended. Chance acts by itself, with the random
    numbers that the game has anywhere.

    Arrays with one row a game, which steps write over: `games` (its number, int64), `actors` (the seat to act, or -4
    where it has ended; int8), `legal` (whether each action is legal; bool, num_distinct_actions() wide). A game that
    goes on for ever ends at its longest length.
    """

    def __init__(self, game: NativeGame, n: int, seed: int, first: int, threads: int) -> None:
        if n < 1 or first < 0:
            raise BadInput(f"games are counted from 0, and a batch has one at least: not {n} from game {first} on")
        if threads < 1:
            raise BadInput(f"a batch is stepped by one thread at least, not {threads}")
        self.game, self.seed, self.next_game = game, seed, first + n
        self.games: NDArray[Any] = np.arange(first, first + n, dtype=np.int64)
        self.actors: NDArray[Any] = np.zeros(n, np.int8)
        self.legal: NDArray[Any] = np.zeros((n, game.num_distinct_actions()), bool)
        self._states = np.zeros((n, game.library.words), np.uint64)
        self._randoms = np.zeros(n, np.uint64)
        together = any(phase.kind == "together" for phase in game.variant.phases)
        self._frozen = np.zeros_like(self._states) if together else None
        self._threads = threads
        self._begin(np.ones(n, bool))

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
        moved; FaultInGame where the rules break in a game (the others may have moved); BadInput for another number of
        actions.
        """
        chosen = np.ascontiguousarray(actions, np.int32)
        if chosen.shape != self.games.shape:
            raise BadInput(f"a step takes an action for each of {len(self)} games, not {chosen.shape}")
        going = ~self.done
        there = going & (chosen >= 0) & (chosen < self.legal.shape[1])
        fine = np.zeros(len(self), bool)
        fine[there] = self.legal[there, chosen[there]]
        if (wrong := np.flatnonzero(going & ~fine)).size:
            k = int(wrong[0])
            try:
                self.state(k).check_action(int(chosen[k]))
            except IllegalAction as error:
                raise IllegalAction(f"row {k}, game {self.games[k]}: {error}", error.reasons) from None
        self._call("batch_step", lambda a: (_at(chosen, a), *self._of(a)))

    def restart(self) -> NDArray[Any]:
        """Puts the next games of the seed where one has ended. Gives which rows these are."""
        ended = self.done
        many = int(ended.sum())
        self.games[ended] = np.arange(self.next_game, self.next_game + many)
        self.next_game += many
        self._begin(ended)
        return ended

    def observations(self, player: int | None = None) -> NDArray[Any]:
        """For each game what a player may know, as `State.observation_tensor` has it: float32, games x numbers. Of
        nobody in particular it is what who acts may know, and zeros where the game has ended.

        Raises BadInput where there is no such player.
        """
        if player is not None and not 0 <= player < self.game.players:
            raise BadInput(f"there is no player {player!r} (they are 0 to {self.game.players - 1})")
        from aeronef.runtime.tensors import observation_size

        found = np.empty((len(self), observation_size(self.game)), np.float32)

        def observe(part: tuple[int, int]) -> None:
            first, many = part
            rows = (_at(array, first) for array in (self._states, self._frozen, found))
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
        """Row k as a state of its own, from which one can look around; it has no past."""
        if not 0 <= k < len(self):
            raise BadInput(f"the batch has rows 0 to {len(self) - 1}, not {k}")
        at = self.game.library.Buffer.from_buffer_copy(self._states[k].tobytes())
        return State(self.game, packed(self.game.position_class, at, int(self.actors[k])))

    # ------------------------------------------------------------------------------ calls

    def _begin(self, wanted: NDArray[Any]) -> None:
        seed = self.seed % 2**64
        self._call("batch_start", lambda a: (seed, _at(self.games, a), _at(wanted, a), *self._of(a)))

    def _of(self, row: int) -> tuple[int | None, ...]:
        given = (self._states, self._randoms, self.actors, self.legal, self._frozen)
        return tuple(_at(array, row) for array in given)

    def _call(self, name: str, given: Any) -> None:
        each(partial(self._call_part, name, given), self._parts(), self._threads)

    def _parts(self) -> list[tuple[int, int]]:
        """A piece for each thread."""
        n = len(self)
        size = -(-n // self._threads)
        return [(first, min(size, n - first)) for first in range(0, n, size)]

    def _call_part(self, name: str, given: Any, part: tuple[int, int]) -> None:
        first, many = part
        broken = self.game.library.long[name](many, *given(first))
        if broken < 0:
            raise MemoryError
        if broken < many:
            k = first + broken
            at = self.game.library.Buffer.from_buffer_copy(self._states[k].tobytes())
            fault = self.game.library.fault(at)
            raise FaultInGame(str(fault), fault.place, self.seed, int(self.games[k])) from fault

    def _results(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        n = len(self)
        returns, lengths, cut = np.zeros((n, self.game.players)), np.zeros(n, np.int32), np.zeros(n, bool)
        rows = (_at(array, 0) for array in (self._states, returns, lengths, cut))
        self.game.library.long["batch_results"](n, *rows)
        return returns, lengths, cut


def _at(array: Any, row: int) -> int | None:
    """Where a row of an array lies."""
    return None if array is None else int(array.ctypes.data + row * array.strides[0])
