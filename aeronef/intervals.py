"""95 % intervals of what random games show."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

Z95 = 1.959963984540054

Interval = tuple[float, float]


def wilson(wins: int, games: int) -> Interval:
    """The 95 % interval (Wilson's score) of a share of which `wins` of `games` were seen."""
    share, z2 = wins / games, Z95 * Z95
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z95 * sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def of_ratio(games: int, number: int, total: int, numbers: int, crossed: int, squares: int) -> Interval | None:
    """The 95 % interval of `total / number`, of what was observed n times with the sum s in each of some games:
    `number` and `total` are the sums of n and s, `numbers`, `crossed` and `squares` those of n², n·s and s².

    Games are independent, what is observed in one game is not: so the variance is that of the ratio estimator, from
    what each game is off, s - mean·n. With one observation a game it is the usual one. None where it cannot be told.
    """
    if games < 2:
        return None
    off = number * number * squares - 2 * total * number * crossed + total * total * numbers  # exact, times number²
    half = Z95 * sqrt(Fraction(games * off, (games - 1) * number**4))
    mean = total / number
    return mean - half, mean + half
