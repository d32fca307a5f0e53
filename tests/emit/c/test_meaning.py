"""What a spec says means the same in C: small specs, each with a construct of its own, played step by step in both."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.emit.c.native import Load
from tests.emit.c.test_same import SEED, step_by_step
from tests.emit.test_meaning import CARDS, LOOPS, OFTEN

RIGHT = Path(__file__).parents[2] / "language" / "right"

# None is no number, whatever numbers there are; and // and % go down, as in Python.
NUMBERS = """\
game: numbering
players: 2
longest: 40
types:
  Low: -3..4
vars:
  maybe: {type: "-3..4?", seen: everyone}
  a: {type: -9..9, starts: 0, seen: everyone}
  low: {type: set of Low, starts: "{}", seen: everyone}
  hits: {type: 0..99, starts: 0, seen: everyone}
define:
  best: max(x for x in Low where x < a)
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      put(x in Low): {told: everyone, do: "maybe := x\\nlow := {x, a // 3}"}
      drop(): {do: "maybe := none"}
      add(x in Low):
        told: everyone
        do: |
          if maybe == clamp(a, -9, -4) or best == maybe or (maybe != none and (maybe in {a, x} or maybe in [a, x])):
            hits := (hits + 1) % 100
          a := clamp(a * 2 + x, -9, 9)
          hits := (hits + a // 4 * (a % 5) + (a - 9) // 2 + (best otherwise -4) + 40) % 100
      some(x in low): {told: everyone, do: "a := clamp(a - x, -9, 9)"}
    then: end
result: {rank: "hits if me == 0 else a"}
"""
SPECS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(RIGHT.glob("*.yaml"))}
SPECS |= {"moving": CARDS, "looping": LOOPS, "often": OFTEN, "numbering": NUMBERS}


@pytest.mark.parametrize("name", SPECS)
def test_it_means_the_same(native: Load, tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.yaml"
    path.write_text(SPECS[name], encoding="utf-8")
    for other in RIGHT.glob("*.yaml"):  # which it may extend
        if other.stem != name:
            (tmp_path / other.name).write_text(other.read_text(encoding="utf-8"), encoding="utf-8")
    chance = random.Random(SEED)
    games = native(path)
    for number in range(10):
        print(f"seed {SEED}, game {number}")
        step_by_step(*games, chance)
