"""A game that is asked questions: what was explored and played of it, once, for all of them.

First all its states are tried, up to a number. Where they are not all there is, it is gone through again with few
values of each kind of action, so that deep plays are met as well, and random games are played under the laws of
positions.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from aeronef.deep.verdicts import QUESTIONS, Answer, Finding, Play, Setting, Verdict, looked_at, played
from aeronef.dsl import ir
from aeronef.dsl.compiler import Compilation
from aeronef.dsl.proofs import Argument
from aeronef.dsl.ranking import arguments
from aeronef.dsl.settle import settle
from aeronef.files import read_bytes, write_bytes
from aeronef.runtime.description import Variant
from aeronef.runtime.endings import Endings, endings
from aeronef.runtime.endless import Watch, choices
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.explore import OVER, Limits, Space, explore, explore_on, uncut
from aeronef.runtime.explored import restore, save
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL, Position
from aeronef.runtime.laws import (
    LawBroken,
    cards_are_kept,
    dice_fit,
    every_outcome_has_a_weight,
    invariants_hold,
    labels_tell_apart,
    settled_is_settled,
)
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import has_lost, pick
from aeronef.runtime.state import State, final_ranking

LAWS = (cards_are_kept, settled_is_settled, dice_fit, every_outcome_has_a_weight, labels_tell_apart, invariants_hold)
SLICE = 20.0  # seconds, after which what was explored is kept
THIN = (1, 2, 4)  # values of each kind of action, in turn


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is looked at: `states` of each exploration, `games` at random, `pairs` of worlds, with a seed; and
    `seconds` for all questions to one game together (None: as long as it takes)."""

    states: int = 30_000
    games: int = 100
    pairs: int = 1_000
    seed: int = 0
    seconds: float | None = 40.0


@dataclass(slots=True)
class Games:
    """Random games: how many, the first in which the rules break (its actions, what breaks), the first that comes to a
    dead end, that is cut, and that ends with a tie; `steps` are those of the longest."""

    played: int = 0
    steps: int = 0
    broken: list[tuple[list[int], str]] = field(default_factory=list)
    stuck: list[list[int]] = field(default_factory=list)
    cut: list[list[int]] = field(default_factory=list)
    tied: list[list[int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Saved:
    """A file in which what was explored of a game is kept."""

    file: Path

    def space(self, game: Game) -> Space:
        """Raises BadInput where the file is of another game, or damaged."""
        return restore(game, read_bytes(self.file)) if self.file.exists() else Space(game)

    def keep(self, space: Space) -> Space:
        write_bytes(self.file, save(space))
        return space


class Subject:
    """`saved` is where what was explored of the game is kept."""

    def __init__(
        self, run: Compilation, variant: Variant, one: Setting, effort: Effort,
        saved: Saved | None = None,
    ) -> None:  # fmt: skip
        self.run, self.setting, self.effort = run, one, effort
        self.game = Game(variant, one.players, one.options)
        self.saved = saved
        self._began = time.perf_counter()
        self._rng = Rng.stream(effort.seed, 0)

    def seconds(self, part: float) -> float | None:
        """So much of the time that is left."""
        if self.effort.seconds is None:
            return None
        return max(0.1, part * (self.effort.seconds - (time.perf_counter() - self._began)))

    @cached_property
    def starts(self) -> str | None:
        """Why the game cannot even start, if it cannot."""
        try:
            self.game.start()
        except RuleFault as fault:
            return str(fault)
        return None

    @cached_property
    def whole(self) -> Space:
        """All states, as far as they were looked at."""
        if self.saved is None:
            part = 0.6 if self.setting.small else 0.2
            return self._explored(Space(self.game), Limits(self.effort.states, self.seconds(part)))
        return self._resumed(self.saved)

    def _resumed(self, saved: Saved) -> Space:
        """What was explored before, and more of it: kept every so often, and where it is interrupted."""
        space, ends = saved.space(self.game), self.seconds(0.8)
        began = time.perf_counter()
        try:
            while len(space) < self.effort.states and (space.explored < len(space) or not space.keys):
                left = None if ends is None else ends - (time.perf_counter() - began)
                if left is not None and left <= 0:
                    break
                slice_ = SLICE if left is None else min(left, SLICE)
                self._explored(space, Limits(self.effort.states, slice_))
                saved.keep(space)
        except KeyboardInterrupt:
            saved.keep(space)
            raise
        return space

    @cached_property
    def endings(self) -> Endings:
        """How games end, as all states tell."""
        return endings(self.whole)

    @property
    def ties(self) -> list[tuple[Space, int]]:
        """The ends with a tie that were met in exploring."""
        return [(space, state) for space in self.spaces for state in space.marked]

    @cached_property
    def spaces(self) -> list[Space]:
        """What was explored: all states, or some of them and then, with few values of each kind of action, deeper
        ones."""
        found = [self.whole]
        for each in () if self.whole.whole or self.whole.faults else THIN:
            limits = Limits(self.effort.states, self.seconds(0.3 if each == 1 else 0.15), each)
            found.append(self._explored(Space(self.game, each=each), limits))
        return found

    def _explored(self, space: Space, limits: Limits) -> Space:
        def judge(state: int, position: Position) -> str | None:
            if position.actor == TERMINAL and tied(self.game, position):
                space.marked.append(state)
            return self._wrong(position)

        explore_on(space, limits, None, judge)
        if self.saved is None or space.each is not None:
            space.waiting.clear()
            space.keys.clear()
        return space

    def _wrong(self, position: Position) -> str | None:
        """The law that a position breaks, if it does."""
        state = State(self.game, position)
        try:
            for law in LAWS:
                law(state, self._rng)
        except (LawBroken, RuleFault) as error:
            return str(error)
        return None

    @cached_property
    def games(self) -> Games:
        """Random games under the laws."""
        found, deadline = Games(), self.seconds(0.2)
        began = time.perf_counter()
        needless = self.whole.whole and (self.endings.longest is not None or self.endings.circles)
        for number in range(0 if needless else self.effort.games):
            if deadline is not None and time.perf_counter() - began > deadline:
                break
            self._play(Rng.stream(self.effort.seed, number), found)
            found.played += 1
        return found

    def _play(self, rng: Rng, found: Games) -> None:
        position, actions, watch = self.game.start(), list[int](), Watch(self.game)
        while position.actor != TERMINAL:
            try:
                offered = choices(position)
                if not offered:
                    found.stuck.append(actions)
                    return
                action, several = pick(position, rng, offered)
                if watch.look(position, several) is not None:
                    return  # it is caught in a round: that is another question
                actions.append(action)
                position.apply(action)
            except RuleFault as fault:
                found.broken.append((actions, str(fault)))
                return
            wrong = self._wrong(position)
            if wrong is not None:
                found.broken.append((actions, wrong))
                return
        found.steps = max(found.steps, position.steps)
        if position.cut:
            found.cut.append(actions)
        elif tied(self.game, position):
            found.tied.append(actions)

    def play(self, actions: list[int], name: str, among: str, returns: int | None = None) -> Play:
        """A play of the game, as it is shown."""
        return played(self.game, actions, name, among, returns, self.setting.small)

    def verdict(
        self,
        question: str,
        findings: Iterable[Finding] = (),
        notes: Iterable[tuple[str, ...]] = (),
        proof: str = "",
        complete: tuple[str, ...] | None = None,
        sure: bool = True,
    ) -> Verdict:
        """What exploring and random games showed, or that they did not: of all states, by a proof, or of so much as was
        looked at. `complete` are the codes of which these are all findings (default: all of the question, if all states
        were looked at). Where it is not `sure`, nothing is proved."""
        states, games = sum(space.explored for space in self.spaces), self.games.played
        parts = [looked_at(space) for space in self.spaces]
        parts += [f"{games:,} random games, seed {self.effort.seed}"] * bool(games and not self.whole.whole)
        found = tuple(findings)
        answer: Answer = "found" if found else "proved" if sure and (proof or self.whole.whole) else "not found"
        because = proof or "; ".join(parts)
        numbers = {"states": states, "random games": games}
        if complete is None:
            complete = QUESTIONS[question] if proof or self.whole.whole else ()
        return Verdict(question, self.setting, answer, because, numbers, found, tuple(notes), complete)

    @cached_property
    def rules(self) -> ir.Game:
        """The IR of the game, with its players and options settled."""
        return settle(self.run, self.setting.options, self.setting.players)

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Why its circles of phases end, where an argument was found."""
        return arguments(self.rules)

    def can_end(self, actions: list[int], states: int = 5_000) -> bool | None:
        """Whether a game can still end after these actions. None: so many states do not tell."""
        start = uncut(self.game, actions).position
        space = explore(self.game, Limits(states, self.seconds(0.1)), start=start)
        return True if OVER in space.kinds else False if space.whole else None


def tied(game: Game, position: Position) -> bool:
    """Whether several seats are first at the end of a game, and the rules do not say that all lose."""
    if game.variant.has_returns or position.cut or has_lost(game, position):
        return False
    return final_ranking(game, position).count(1) > 1
