"""Which games of a variant to try: players and option values, all of them, or so that every pair of values meets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import prod
from typing import Any

from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import parse_option

MOST = 1000  # combinations, for `few`
Choice = tuple[int, dict[str, Any]]  # players, options as words


def every_choice(variant: Variant) -> Iterator[Choice]:
    """Every number of players with every combination of the options' `try` values that the options allow."""
    options = variant.options
    for players in variant.players:
        for values in product(*(option.tries for option in options)):
            chosen = {o.name: o.domain.data(v) for o, v in zip(options, values, strict=True)}
            if _allowed(variant, players, chosen):
                yield players, chosen


def pairwise(variant: Variant) -> list[Choice]:
    """For each number of players as few combinations as (greedily) show every pair of option values together."""
    found: list[Choice] = []
    for players in variant.players:
        candidates = [chosen for count, chosen in every_choice(variant) if count == players]
        missing = set().union(*map(_pairs, candidates)) if candidates else set()
        while missing:
            best = max(candidates, key=lambda chosen: len(_pairs(chosen) & missing))
            missing -= _pairs(best)
            found.append((players, best))
    return found


def few(variant: Variant) -> list[Choice]:
    """As pairwise, for the fewest and the most players; where there are too many combinations to look at, every value
    of each option beside the defaults of the others."""
    ends = (variant.players[0], variant.players[-1])
    if prod(len(option.tries) for option in variant.options) * len(variant.players) <= MOST:
        return [choice for choice in pairwise(variant) if choice[0] in ends]
    default = {option.name: option.domain.data(option.default) for option in variant.options}
    singles = [{**default, o.name: o.domain.data(value)} for o in variant.options for value in o.tries]
    return [
        (players, chosen)
        for players in sorted(set(ends))
        for i, chosen in enumerate(singles)
        if chosen not in singles[:i] and _allowed(variant, players, chosen)
    ]


def _pairs(chosen: dict[str, Any]) -> set[Any]:
    items = list(chosen.items())
    if len(items) < 2:
        return {tuple(items)}
    return set(combinations(items, 2))


def _allowed(variant: Variant, players: int, chosen: dict[str, Any]) -> bool:
    try:
        values = {option.name: parse_option(option, chosen[option.name], players) for option in variant.options}
    except BadInput:  # a seat that does not play
        return False
    return not variant.requires(range(players), values)
