"""How a set stands in C: a bit for each value, in one word; in a game of which some set has more than 64 values, in as
many words as that takes.

The one word is a number, and what is done with it is written in place; several are a struct, and functions do it
(`prelude.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BITS = 64  # of a word
MOST_WORDS = 256


@dataclass(frozen=True, slots=True)
class Sets:
    """The sets of one game: what their lowest bit stands for, and how many words they have."""

    low: int
    words: int

    @property
    def one(self) -> bool:
        return self.words == 1

    @property
    def high(self) -> int:
        """The greatest value that fits."""
        return self.low + self.words * BITS - 1

    def of(self, items: Sequence[str]) -> str:
        """A set of values, as an expression."""
        bits = [f"bit({item})" for item in items]
        if len(bits) < 2:
            return bits[0] if bits else "(Set)0" if self.one else "(Set){{0}}"
        if self.one:
            return f"({' | '.join(bits)})"
        text = bits[0]
        for bit in bits[1:]:
            text = f"set_joined({text}, {bit})"
        return text

    def known(self, values: Iterable[int], inside: bool = False) -> str:
        """A set that is known, as an expression, or `inside` what a constant starts with."""
        bits = sum(1 << (value - self.low) for value in set(values))
        if self.one:
            return f"UINT64_C({bits})"
        words = [bits >> BITS * i & (1 << BITS) - 1 for i in range(self.words)]
        text = f"{{{{{', '.join(f'UINT64_C({word})' for word in words)}}}}}"
        return text if inside else f"(Set){text}"

    def empty(self, name: str) -> str:
        """A statement after which nothing is in it."""
        return f"{name} = 0;" if self.one else f"{name} = (Set){{{{0}}}};"

    def put(self, name: str, value: str) -> str:
        """A statement after which a value is in it too."""
        return f"{name} |= bit({value});" if self.one else f"set_put(&{name}, {value});"

    def through(self, name: str, text: str) -> str:
        """The head of a loop through a set, ascending: `lowest(name)` is the value at hand."""
        if self.one:
            return f"for (Set {name} = {text}; {name} != 0; {name} &= {name} - 1)"
        return f"for (Set {name} = {text}; set_more(&{name}); set_next(&{name}))"
