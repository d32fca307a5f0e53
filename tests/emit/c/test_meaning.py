"""What a spec says means the same in C: small specs, each with a construct of its own, played step by step in both."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.emit.c.native import Load
from tests.emit.c.test_same import SEED, step_by_step
from tests.emit.test_meaning import CARDS, LOOPS, OFTEN, SHARES

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
# What an index looks at may move, and then it means the zone as it was; `me` may be named by a refill alone.
SETTLING = """\
game: settling
players: 2
longest: 60
types:
  Side: 1..2
  Sign: [star, wave]
cards:
  Card:
    attributes: {n: 1..4}
    kinds: [{label: "{n}", n: 1..4}]
dice:
  Die: {faces: Sign}
zones:
  hand: {each: seat, of: Card, starts: c in Card where odd(c.n) == (owner == 0), seen: everyone}
  drawn: {each: seat, of: Card, refill: "hand[owner]", seen: everyone}
  lent: {of: Card, order: kept, owners: kept, seen: everyone}
  cup: {each: Side, of: Die, holds: 9, seen: everyone}
vars:
  turn: {type: seat, starts: 0, seen: everyone}
define:
  poor: first([p in seats by size(hand[p])])
  fuller: 1 if size(cup[1]) > size(cup[2]) else 2
phases:
  draw:
    chance: {over: players, asks: turn == 0 or turn == 1}
    outcomes:
      draw(me, c from drawn[me]):
        told: everyone
        do: |
          move c from drawn[me] to hand[me]
          turn := left(me)
    then: play
  play:
    turns: players
    actions:
      lend(c in hand[left(poor)]): {told: everyone, do: "move c from hand[left(poor)] to lent"}
      lend_all(): {do: "move all from hand[left(poor)] to lent"}
      lend_many(cs in 2 of hand[left(poor)]): {told: everyone, do: "move cs from hand[left(poor)] to lent"}
      back(): {when: "first(lent) != none", do: "move first(lent) from lent to hand[left(poor)]"}
      throw(): {do: "add [star, wave, star] to cup[3 - fuller]"}
      lift(): {when: "count(f in cup[fuller] where f == star) > 1", do: "remove [star, star] from cup[fuller]"}
      pass(): {do: "turn := left(turn)"}
    then: draw
result: {rank: "size(hand[me])"}
"""
SPECS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(RIGHT.glob("*.yaml"))}
SPECS |= {"moving": CARDS, "looping": LOOPS, "often": OFTEN, "numbering": NUMBERS, "settling": SETTLING,
          "shares": SHARES}  # fmt: skip


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
