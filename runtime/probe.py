"""A short look at a variant in play: random games of few choices of players and options, for what only play shows.

The same variant always gives the same. How much is played is bounded by work, not by time: a step costs more the more
there is to choose from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from aeronef.runtime.combinations import Choice, every_choice, few
from aeronef.runtime.description import Accept, Variant
from aeronef.runtime.endless import FINDING, Endless, Watch, accepting, at
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game, parse_option
from aeronef.runtime.kernel import TERMINAL
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick

GAMES, SEED = 40, 0  # of each choice
WORK = 60_000  # steps in all, where there is little to choose from
GAMES_ON, WORK_ON = 1_000, 240_000  # of the choices in which something accepted was not met
A_STEP = 16  # so many choices of one step are as much work as a step
AN_ID = 64  # so many numbered actions of a game are as much work as a step
MOST_LOOKS = 2_000  # combinations that are looked at for one in which an acceptance holds


@dataclass(frozen=True, slots=True)
class Round:
    """A round without an end in game `number`: the element at which it is reported, and the acceptances of
    the spec that hold for it."""

    at: str
    players: int
    options: dict[str, object]
    number: int
    found: Endless
    accepted: tuple[Accept, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """`rounds`: for each choice the first of each element. `whole`: whether every choice got all of its games."""

    rounds: list[Round]
    whole: bool


def probe(variant: Variant) -> Probe:
    """Plays. Where the rules break, the game is left: `aeronef test` and `run` report that."""
    tried = few(variant)
    tried += [choice for choice in _accepting(variant, tried) if choice not in tried]
    rounds: list[Round] = []
    left, whole = WORK, True
    for k, (players, options) in enumerate(tried):
        try:
            game = Game(variant, players, options)
        except RuleFault:
            whole = False
            continue
        left -= (game.num_distinct_actions() + game.max_chance_outcomes()) // AN_ID
        if left <= 0:
            return Probe(rounds, False)
        share = left // (len(tried) - k)  # what a choice does not use is the next ones'
        left -= share
        seen: set[str] = set()
        for number in range(GAMES):
            try:
                found, share = _play(game, number, share)
            except RuleFault:
                continue
            if found is not None and (where := at(variant, found)) not in seen:
                seen.add(where)
                rounds.append(Round(where, players, game.options, number, found, tuple(accepting(game, found))))
            if share <= 0:
                whole = False
                break
        left += max(share, 0)
    for accept in variant.accepts:
        if accept.code == FINDING and not any(accept in one.accepted for one in rounds):
            one, enough = _play_on(variant, accept, [c for c in tried if _holds(variant, accept, c)])
            rounds += [one] if one is not None else []
            whole = whole and enough
    return Probe(rounds, whole)


def _play_on(variant: Variant, accept: Accept, choices: list[Choice]) -> tuple[Round | None, bool]:
    """What the spec accepts may be rare: more games, where it could be met. And whether all of them were played."""
    left = WORK_ON
    for number in range(GAMES, GAMES_ON):
        for players, options in choices:
            try:
                game = Game(variant, players, options)
                found, left = _play(game, number, left)
            except RuleFault:
                continue
            if found is not None and accept in (accepted := tuple(accepting(game, found))):
                return Round(at(variant, found), players, game.options, number, found, accepted), True
            if left <= 0:
                return None, False
    return None, True


def _accepting(variant: Variant, tried: list[Choice]) -> Iterator[Choice]:
    """For each acceptance that holds in no choice that is tried, the first in which it does."""
    for accept in variant.accepts:
        if accept.code == FINDING and not any(_holds(variant, accept, choice) for choice in tried):
            looked_at = islice(every_choice(variant), MOST_LOOKS)
            yield from islice((choice for choice in looked_at if _holds(variant, accept, choice)), 1)


def _holds(variant: Variant, accept: Accept, choice: Choice) -> bool:
    players, chosen = choice
    values = {option.name: parse_option(option, chosen[option.name], players) for option in variant.options}
    values |= variant.overlays(range(players), values)
    return accept.when is None or bool(accept.when(range(players), values))


def _play(game: Game, number: int, work: int) -> tuple[Endless | None, int]:
    """How a game is caught, if it is, and how much work is left. It is left where none is."""
    position, rng, watch = game.start(), Rng.stream(SEED, number), Watch(game)
    while position.actor != TERMINAL and work > 0:
        action, choices = pick(position, rng)
        if (found := watch.look(position, choices)) is not None:
            return found, work
        work -= 1 + choices // A_STEP
        position.apply(action)
    return None, work
