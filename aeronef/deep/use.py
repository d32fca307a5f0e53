"""What of a spec is of no use: rules that nothing ever exercises, variables that never change, information that reaches
nobody, options that make no difference.

The first three are looked for in play, on a variant that counts itself closely (`dsl/instrument.py`): by the scenarios,
by random games, and by exploring in breadth. Whoever has seen everything happen stops looking. What is missing is told
once: not what follows from it, such as the actions of a phase that is never played, and the variables that only they
change. The last is decided by the rules alone: settled for each of an option's values, the game means the same.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aeronef.covered import Counting
from aeronef.deep.indifferent import without_difference
from aeronef.deep.unplayed import Finding, Missing, Rules
from aeronef.dsl import ir
from aeronef.dsl.compiler import Compilation
from aeronef.runtime import coverage
from aeronef.runtime.combinations import MOST, Choice, few, pairwise
from aeronef.runtime.coverage import Tally
from aeronef.runtime.errors import BadInput, RuleFault
from aeronef.runtime.explore import Limits, explore
from aeronef.runtime.game import Game
from aeronef.runtime.scenario import Document

MORE = 4  # times as many games, while something is missing

Look = Callable[[int, int], None]  # (settings done, settings in all), of games and of exploring


@dataclass(frozen=True, slots=True)
class Use:
    """What was found, in the order of the spec, and what was played for it: so many `games` and `scenarios`, and so
    many `states` looked into. `proved`: all states that the settings can reach were, so that what is missing cannot
    happen with them. (What makes no difference is proved, whatever was played.)"""

    findings: list[Finding]
    proved: bool
    games: int
    states: int
    scenarios: int


def unused(
    run: Compilation,
    documents: list[Document],
    settings: list[Choice],
    games: int,
    states: int,
    seed: int,
    seconds: float | None,
    look: Look | None = None,
) -> Use:
    """Looks for what is of no use in a spec that compiles.

    All scenarios are run, and so many random games of each setting. While something is missing, as many are played of
    the other settings of `pairwise`, then up to four times as many of each, and up to so many states of the settings
    are explored, each its share. After `seconds` nothing more is begun. Raises BadInput where a document is of another
    variant.
    """
    hunt = _Hunt(run, settings, seed, None if seconds is None else time.monotonic() + seconds, look)
    scenarios = hunt.run(documents)
    for setting in settings:
        hunt.play(setting, games)
    missing = hunt.missing()
    more = [(setting, 0) for setting in hunt.others]
    more += [(setting, first) for first in range(1, MORE) for setting in settings]
    for setting, first in more:
        if missing and games:
            hunt.play(setting, games, first * games)
            missing = hunt.missing()
    whole = 0
    for i, setting in enumerate(settings):
        if missing:
            whole += hunt.explore(setting, (states - hunt.states) // (len(settings) - i))
            missing = hunt.missing()
    found = sorted([*missing, *without_difference(run, hunt.late)], key=_place)
    return Use(found, whole == len(settings), hunt.games, hunt.states, scenarios)


def _place(finding: Finding) -> tuple[str, int, int]:
    return finding.span.file, finding.span.line, finding.span.column


class _Hunt:
    """A variant that counts itself, and what it counted so far."""

    def __init__(
        self, run: Compilation, settings: list[Choice], seed: int, ends: float | None, look: Look | None
    ) -> None:  # fmt: skip
        self.counting = Counting(run, closely=True)
        self.tally = Tally(len(self.counting.game.points), closely=True)
        self.seed, self.ends, self.look = seed, ends, look
        self.games = self.states = self.steps = 0
        variant = self.counting.variant
        offered = _offered(variant)
        self.rules = Rules(run, self.counting, settings, offered)
        self.others = [s for s in offered if s not in settings and self.rules.judges(s)]
        self.all = (MORE + 1) * len(settings) + len(self.others)

    def late(self) -> bool:
        return self.ends is not None and time.monotonic() > self.ends

    def missing(self) -> list[Finding]:
        """What is missing so far. From then on only what could still show that it is not is looked at."""
        found = Missing(self.rules, self.tally).findings()
        parts = {finding.element for finding in found if finding.kind == "shown"}
        places: list[ir.Zone | ir.Variable] = [*self.rules.game.zones, *self.rules.game.variables]
        if not any(finding.element.startswith("clauses.") for finding in found):
            self.tally.wanted = frozenset(
                getattr(place, "called", "") or place.name
                for place in places
                if parts & {f"zones.{place.name}", f"vars.{place.name}"}
            )
        return found

    def run(self, documents: list[Document]) -> int:
        variant = self.counting.variant
        for document in documents:
            if document.variant != variant.name:
                raise BadInput(f"{document.file}: its variant is `{document.variant}`, not `{variant.name}`")
        known = self.counting.known
        return sum(len(coverage.scenarios(document, variant, known, self.tally)) for document in documents)

    def play(self, setting: Choice, games: int, first: int = 0) -> None:
        variant, known = self.counting.variant, self.counting.known
        played = coverage.play(variant, known, self.tally, [setting], games, self.seed, first=first, late=self.late)
        self.games += played.games
        self._done()

    def explore(self, setting: Choice, states: int) -> bool:
        """Whether that was all that can be reached."""
        left = None if self.ends is None else self.ends - time.monotonic()
        if states < 1 or (left is not None and left <= 0):
            return False
        game = Game(self.counting.variant, *setting)
        try:
            counted = coverage.counting(game, self.counting.known, self.tally.of(game))
            space = explore(counted, Limits(states, left))
        except RuleFault:  # it cannot even start
            return False
        self.states += space.explored
        self._done()
        return space.whole

    def _done(self) -> None:
        self.steps += 1
        if self.look is not None:
            self.look(self.steps, self.all)


def _offered(variant: Any) -> list[Choice]:
    """The settings that show every pair of options' values, where these can be worked out."""
    many = math.prod(len(option.tries) for option in variant.options) * len(variant.players)
    return pairwise(variant) if many <= MOST else few(variant)
