"""A game in play for those who decide: chance is played inside, by a generator of its own."""

from __future__ import annotations

import copy
from typing import Self

from aeronef.runtime.endless import Watch, choices
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick, why_cut
from aeronef.runtime.state import State


class Episode:
    """Begins at a state. `stopped` says why the game was left before its end, if it was."""

    def __init__(self, state: State, rng: Rng) -> None:
        self.state = state
        self.rng = rng
        self.stopped: str | None = None
        self._watch = Watch(state.game)
        self._to_decision()

    def play(self, action: int) -> None:
        """A decision, and chance after it. Raises IllegalAction, and nothing changes then."""
        self.state.apply_action(action)
        self._to_decision()

    def _to_decision(self) -> None:
        """Plays chance until somebody is to choose, or the game is over, or caught in a round without an end."""
        state = self.state
        while not self.over:
            offered = choices(state.position)
            caught = self._watch.look(state.position, len(offered))
            if caught is not None:
                self.stopped = str(caught)
            elif not state.is_chance_node():
                return
            else:
                state.apply_action(pick(state.position, self.rng, offered)[0])
        if state.cut:
            self.stopped = why_cut(state.game, state.position)

    @property
    def over(self) -> bool:
        return self.state.is_terminal() or self.stopped is not None

    def clone(self) -> Self:
        new = copy.copy(self)
        new.state, new.rng, new._watch = self.state.clone(), Rng(self.rng.state), copy.copy(self._watch)
        return new

    def kept(self) -> tuple[str, int, str | None]:
        """All of it as plain data."""
        return self.state.serialize(), self.rng.state, self.stopped

    @classmethod
    def restored(cls, game: Game, kept: tuple[str, int, str | None]) -> Self:
        """What `kept` gave. Raises BadInput where it is of another game."""
        text, generator, stopped = kept
        episode = object.__new__(cls)
        episode.state, episode.rng, episode.stopped = game.deserialize_state(text), Rng(generator), stopped
        episode._watch = Watch(game)
        for position in [*episode.state.trail, episode.state.position]:
            episode._watch.look(position, len(choices(position)))
        return episode
