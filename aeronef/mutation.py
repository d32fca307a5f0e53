"""What the scenarios and laws of a variant make of its mutants, one by one: in this process, or in several with the
same result."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.mutate import Mutant, candidates
from aeronef.loading import execute
from aeronef.parallel import in_processes
from aeronef.runtime import lockstep, scenario
from aeronef.runtime.combinations import few
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import AeronefError
from aeronef.runtime.game import Game
from aeronef.runtime.laws import Broken, LawBroken, walk
from aeronef.runtime.lockstep import FAULTS, said

AT_LEAST, TIMES = 10.0, 20.0  # seconds of computing that a mutant has, and how often what the game itself takes
FIRST = 200  # states of each choice that are compared before any game is played
PLAYS = 2  # random games of each choice in lockstep, where breadth finds no difference

Killer = Literal["", "scenario", "law", "fault", "timeout"]


@dataclass(frozen=True, slots=True)
class Task:
    """What is tried. `file` names the spec, `games` are random games under the laws of each choice of players and
    options, `states` the positions that are compared in all, `seconds` what a mutant may take."""

    game: ir.Game
    file: str
    scenarios: tuple[scenario.Scenario, ...]
    games: int
    seed: int
    states: int
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Compared:
    """How a mutant was compared with the game: for these players and options, so many positions, and whether these
    are all that there are."""

    players: int
    options: dict[str, Any]
    states: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant. killed: `killer` is what noticed it, and `what` says how. equal: it is the same game, in
    all positions of every choice that is `compared`. survived: nothing noticed it; where it was seen to differ, `what`
    says in what, and `play` is a scenario that notices."""

    id: str
    element: str
    operator: str
    span: Span
    was: str
    now: str
    by: tuple[str, ...]
    verdict: Literal["killed", "equal", "survived"]
    killer: Killer = ""
    what: str = ""
    play: str = ""
    compared: tuple[Compared, ...] = field(default=())


class Unready(Exception):
    """The game itself does not pass what its mutants are to fail; the message says what."""


def ready(task: Task) -> float:
    """The seconds of computing that a mutant may take. Raises Unready."""
    began = time.process_time()
    bench = _Bench(task)
    killer, what = bench.judge(bench.variant, task.scenarios)
    if killer:
        raise Unready(what)
    return AT_LEAST + TIMES * (time.process_time() - began)


def attempt(task: Task, numbers: list[int], jobs: int) -> Generator[Verdict | None, None, None]:
    """The verdict of each candidate of these numbers, in their order; None of one that is no game."""
    if jobs == 1 or len(numbers) < 2:
        bench = _Bench(task)
        for number in numbers:
            yield bench.verdict(number)
        return
    yield from in_processes(partial(_benched, task), numbers, min(jobs, len(numbers)))


def _benched(task: Task) -> Callable[[int], Verdict | None]:
    return _Bench(task).verdict


class _Bench:
    """The game beside which mutants are tried."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.variant = self._loaded(task.game)
        self.choices = few(self.variant)
        self.games: dict[int, Game] = {}
        self.mutants = list(candidates(task.game))

    def _loaded(self, game: ir.Game) -> Variant:
        return execute(emit_python(game, self.task.file), game.name)

    def verdict(self, number: int) -> Verdict | None:
        mutant = self.mutants[number]
        game = mutant.game()
        if game is None:
            return None
        cited = set(mutant.by)
        first = sorted(self.task.scenarios, key=lambda one: cited.isdisjoint(one.by))
        try:
            variant = self._loaded(game)
        except FAULTS as fault:
            return _verdict(mutant, "killed", "fault", f"it cannot be loaded: {said(fault)}")
        try:
            with limited(self.task.seconds):
                killer, what = self.judge(variant, tuple(first))
        except TimedOut:
            killer, what = "timeout", f"it was not done after {self.task.seconds:.0f} s of computing"
        if killer:
            _forget(variant)
            return _verdict(mutant, "killed", killer, what)
        found = self.compare(mutant, variant)
        _forget(variant)
        return found

    # ------------------------------------------------------------------------------ scenarios and laws

    def judge(self, variant: Variant, scenarios: tuple[scenario.Scenario, ...]) -> tuple[Killer, str]:
        """What the variant fails first, and how; nothing where it passes."""
        games: dict[str, Game] = {}

        def load(players: int | None, options: dict[str, Any]) -> Game:
            key = repr((players, sorted(options.items())))
            if key not in games:
                games[key] = Game(variant, players, options)
            return games[key]

        for one in scenarios:
            try:
                result = scenario.run_one(one, load)
            except FAULTS as fault:
                return "scenario", f"{one.name}: {said(fault)}"
            if not result.ok:
                return "scenario", f"{one.name}: {result.message}"
        for choice in self.choices:
            try:
                game = Game(variant, *choice)
                for number in range(self.task.games):
                    walk(game, self.task.seed, number, 1)
            except Broken as broken:
                law = isinstance(broken.reason, LawBroken)
                return ("law" if law else "fault"), str(broken.reason)
            except FAULTS as fault:
                return "fault", said(fault)
        return "", ""

    # ------------------------------------------------------------------------------ survivors

    def compare(self, mutant: Mutant, variant: Variant) -> Verdict:
        """Of one that nothing noticed: whether it is the same game, for the fewest players and for the most."""
        others: dict[int, Game] = {}
        for i, choice in enumerate(self.choices):
            try:
                others[i] = Game(variant, *choice)
            except (AeronefError, *FAULTS) as fault:
                return _verdict(mutant, "killed", "fault", said(fault))
        compared, difference = self._by_breadth(others, min(FIRST * len(others), self.task.states))
        if difference is not None:
            return _told(mutant, difference, compared)
        if not all(one.whole for one in compared):  # plays are cheaper than many states, and may tell more
            for i, other in others.items():
                for number in range(PLAYS):
                    difference = lockstep.play(self._game(i), other, self.task.seed, number)
                    if difference is not None:
                        return _told(mutant, difference, compared)
            compared, difference = self._by_breadth(others, self.task.states)
            if difference is not None:
                return _told(mutant, difference, compared)
        whole = all(one.whole for one in compared)
        return _verdict(mutant, "equal" if whole else "survived", compared=tuple(compared))

    def _by_breadth(self, others: dict[int, Game], states: int) -> tuple[list[Compared], lockstep.Difference | None]:
        """The games of these choices compared, up to so many states in all: what one does not need is the next's."""
        compared: list[Compared] = []
        for i, other in others.items():
            share = max(1, states // (len(others) - i))
            found = lockstep.compare(self._game(i), other, share)
            states -= found.states
            compared.append(Compared(self.choices[i][0], self._game(i).options, found.states, found.whole))
            if found.difference is not None:
                return compared, found.difference
        return compared, None

    def _game(self, number: int) -> Game:
        """The game itself for a choice."""
        if number not in self.games:
            self.games[number] = Game(self.variant, *self.choices[number])
        return self.games[number]


def _verdict(
    mutant: Mutant, verdict: Literal["killed", "equal", "survived"], killer: Killer = "", what: str = "",
    play: str = "", compared: tuple[Compared, ...] = (),
) -> Verdict:  # fmt: skip
    return Verdict(
        mutant.id, mutant.element, mutant.operator, mutant.span, mutant.was, mutant.now, mutant.by, verdict, killer,
        what, play, compared,
    )  # fmt: skip


def _told(mutant: Mutant, difference: lockstep.Difference, compared: list[Compared]) -> Verdict:
    name = f"tells {mutant.id}"
    return _verdict(mutant, "survived", "", difference.what, difference.scenario(name), tuple(compared))


def _forget(variant: Variant) -> None:
    """A module that is needed no more, so that many do not fill the memory."""
    sys.modules.pop(variant.position.__module__, None)


# ------------------------------------------------------------------------------------------ time


class TimedOut(BaseException):
    """A mutant does not come to an end. No error: nothing that handles errors may take it for its own."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Within it, TimedOut is raised after so many seconds of this process's computing (where the system can measure
    them; a game is bounded by its longest length anyway)."""
    able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not able or seconds <= 0:
        yield
        return

    def over(_: int, __: object) -> None:
        raise TimedOut

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
