"""Random numbers: SplitMix64, with a stream of its own for each game of each seed.

Every back end draws the same numbers, so that game k of seed s is the same game everywhere. In unsigned 64-bit
arithmetic the generator is

    mix(z):   z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
              z = (z ^ (z >> 27)) * 0x94D049BB133111EB
              return z ^ (z >> 31)
    next64(): state += 0x9E3779B97F4A7C15
              return mix(state)

(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, Self

GAMMA: Final = 0x9E3779B97F4A7C15
MASK: Final = 0xFFFFFFFFFFFFFFFF
SURE: Final = 0xFFFFFFFF00000000  # what is less passes for every n up to 2**32
MOST_DRAWN: Final = 1 << 15  # numbers of a block
MOST_GAMES: Final = 512
_STEPS: Final = pow(GAMMA, -1, 1 << 64)  # how many draws a state is further than another: their difference times this


def _mix(z: int) -> int:
    """The finalizer of SplitMix64, a permutation of the 64-bit integers."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


@lru_cache(maxsize=64)
def _run(seed: int) -> int:
    """Where the streams of a seed begin."""
    return _mix((seed + GAMMA) & MASK)


class Rng:
    """A SplitMix64 generator. `state`, 0 <= state < 2**64, is all there is to it."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state & MASK

    @classmethod
    def stream(cls, seed: int, game: int) -> Self:
        """The generator of game number `game` of a run with `seed`.

        Its state is

            mix(mix(seed + GAMMA) + (game + 1) * GAMMA)

        modulo 2**64, so any integer will do for a seed. `mix` is a permutation: two games of one seed never share a
        state. The inner `mix` keeps neighbouring seeds from sharing games, the outer one keeps the streams of
        neighbouring games from being one stream read one step apart.
        """
        return cls(_mix(_run(seed) + (game + 1) * GAMMA & MASK))

    def next64(self) -> int:
        """The next 64 random bits."""
        self.state = (self.state + GAMMA) & MASK
        return _mix(self.state)

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n - 1.

        Draws x = next64() until x < 2**64 - (2**64 % n), and returns x % n. (In C: until x <= UINT64_MAX - -n % n.)
        Where n is 1 there is nothing to choose: the answer is 0, and nothing is drawn.

        Raises ValueError unless 1 <= n <= 2**64.
        """
        if n < 2 or n > 0x10000000000000000:
            if n == 1:
                return 0
            raise ValueError(f"below({n}): expected 1 <= n <= 2**64")
        while True:
            # next64() written out, with the constants as literals: calling it would cost a sixth more.
            self.state = x = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
            x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
            x = (x ^ (x >> 27)) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
            x ^= x >> 31
            # The limit of an n up to 2**32 exceeds 2**64 - 2**32, so nearly every draw passes without working it out.
            if (x < 0xFFFFFFFF00000000 and n <= 0x100000000) or x < 0x10000000000000000 - 0x10000000000000000 % n:
                return x % n

    def pick(self, weights: Iterable[int], total: int) -> int:
        """The index of a weighted choice; `weights` are non-negative integers, and `total` is their sum.

        Draws r = below(total) and returns the first index at which the running sum of the weights exceeds r. A weight
        of 0 is never chosen.

        Raises ValueError where the total is less than 1 or r reaches the sum of the weights.
        """
        r = self.below(total)
        for index, weight in enumerate(weights):
            r -= weight
            if r < 0:
                return index
        raise ValueError(f"pick: the weights sum to less than their total {total}")


class Ahead(Rng):
    """A generator whose next numbers were drawn before, with those of other games: `ahead`, the next one last, all of
    them less than SURE. `state` is as it will be after them."""

    __slots__ = ("ahead",)

    def __init__(self, state: int, ahead: list[int]) -> None:
        self.state = state
        self.ahead = ahead

    def below(self, n: int) -> int:
        """As `Rng.below`."""
        if self.ahead and 1 < n <= 0x100000000:
            return self.ahead.pop() % n
        if n != 1 and self.ahead:
            self._give_back()
        return Rng.below(self, n)

    def next64(self) -> int:
        """As `Rng.next64`."""
        self._give_back()
        return Rng.next64(self)

    def _give_back(self) -> None:
        self.state = (self.state - len(self.ahead) * GAMMA) & MASK
        self.ahead.clear()


def streams(seed: int, first: int, n: int) -> Iterator[Rng]:
    """`Rng.stream(seed, first)` … of n games, with the numbers of many games drawn at once. Each game is to have drawn
    its numbers before the next is asked for: how many are drawn ahead goes by what the games before needed."""
    width, games = 8, 8
    while n > 0:
        games = min(games, n)
        used = []
        for rng in _block(seed, first, games, width):
            after = rng.state
            yield rng
            used.append(width - len(rng.ahead) + (rng.state - after) * _STEPS & MASK)
        first, n = first + games, n - games
        width = max(1, sorted(used)[games * 4 // 5])
        games = max(1, min(MOST_GAMES, 4 * games, MOST_DRAWN // width))


def _block(seed: int, first: int, games: int, width: int) -> list[Ahead]:
    """The generators of so many games, with so many numbers of each."""
    import numpy as np

    numbers = np.array([(first + game + 1) * GAMMA + _run(seed) & MASK for game in range(games)], dtype=np.uint64)
    states = _mixed(numbers)
    steps = np.arange(width, 0, -1, dtype=np.uint64) * np.uint64(GAMMA)
    drawn = _mixed(states[:, None] + steps)
    after = (states + steps[0]).tolist()
    found = [Ahead(state, ahead) for state, ahead in zip(after, drawn.tolist(), strict=True)]
    for game in np.flatnonzero((drawn >= np.uint64(SURE)).any(axis=1)):  # one of 2**32: these are drawn one by one
        found[game]._give_back()
    return found


def _mixed(z: Any) -> Any:
    """As `_mix`, of an array."""
    import numpy as np

    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
