"""A variant under its laws: random games of many choices of players and options, failures as scenarios to paste."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aeronef.runtime.combinations import Choice, pairwise
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.laws import Broken, LawBroken, as_scenario, walk
from aeronef.runtime.machine import search

EXAMPLES, STEPS = 5, 15  # of the Hypothesis machine, for each choice

Report = Callable[[int, int], None]  # (games played, games in all)


@dataclass(frozen=True, slots=True)
class Failure:
    """`scenario` is the shortest play that was found, as YAML; `seed` and `number` give the random game that failed
    first, `also` how many other choices of players and options break the same law."""

    law: str
    reason: str
    players: int
    options: dict[str, Any]
    seed: int
    number: int
    scenario: str
    also: int = 0


@dataclass(frozen=True, slots=True)
class Trial:
    games: int
    steps: int
    choices: int
    failures: list[Failure]


def try_laws(
    variant: Variant,
    games: int = 50,
    seed: int = 0,
    report: Report | None = None,
    choices: Sequence[Choice] | None = None,
) -> Trial:
    """Plays `games` random games of each choice of players and options (default: every pair of option values) under
    the laws, and lets the Hypothesis machine try each. A choice that breaks one is shrunk to a short play and left."""
    tried = pairwise(variant) if choices is None else list(choices)
    failures: dict[str, Failure] = {}
    steps = played = 0
    for players, options in tried:
        game = Game(variant, players, options)
        for number in range(games):
            try:
                if number == 0 and (found := search(game, EXAMPLES, STEPS, seed)) is not None:
                    raise found
                steps += walk(game, seed, number)
            except (Broken, RuleFault) as broken:
                law = _law(broken)
                if law in failures:
                    failures[law] = replace(failures[law], also=failures[law].also + 1)
                else:
                    failures[law] = _failure(game, _shortest(game, broken, seed), seed, number)
                break
            finally:
                played += 1
                if report is not None:
                    report(played, games * len(tried))
    return Trial(played, steps, len(tried), list(failures.values()))


def _law(broken: Broken | RuleFault) -> str:
    reason = broken.reason if isinstance(broken, Broken) else broken
    return reason.law if isinstance(reason, LawBroken) else "the rules hold in play"


def _shortest(game: Game, broken: Broken | RuleFault, seed: int) -> Broken | RuleFault:
    """As short a play as Hypothesis finds that breaks the same law; at least the one at hand."""
    if isinstance(broken, RuleFault) or len(broken.state.moves) <= STEPS:
        return broken
    shorter = search(game, 3 * EXAMPLES, STEPS, seed)
    if shorter is None or _law(shorter) != _law(broken) or len(shorter.state.moves) > len(broken.state.moves):
        return broken
    return shorter


def _failure(game: Game, broken: Broken | RuleFault, seed: int, number: int) -> Failure:
    reason = str(broken.reason) if isinstance(broken, Broken) else str(broken)
    scenario = as_scenario(broken.state, reason.replace('"', "'")) if isinstance(broken, Broken) else ""
    return Failure(_law(broken), reason, game.players, game.options, seed, number, scenario)
