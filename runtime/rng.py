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

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Self

GAMMA: Final = 0x9E3779B97F4A7C15
MASK: Final = 0xFFFFFFFFFFFFFFFF


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
