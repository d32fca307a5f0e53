"""Which games of a variant to try: players and option values, all of them, or so that every pair of values meets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game

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


def _pairs(chosen: dict[str, Any]) -> set[Any]:
    items = list(chosen.items())
    if len(items) < 2:
        return {tuple(items)}
    return set(combinations(items, 2))


def _allowed(variant: Variant, players: int, chosen: dict[str, Any]) -> bool:
    try:
        Game(variant, players, chosen)
    except BadInput:
        return False
    return True
