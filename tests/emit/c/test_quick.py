"""What the C emitter does otherwise to be quick comes to the same: sets of cards by what is held, the first by a key
without an order, cards counted by kind, bits where no two cards of a zone can be alike, chance without a list."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.emit.c.native import Load, c_of, game_of
from tests.emit.c.test_same import SEED, alike, step_by_step
from tests.emit.c.test_sound import main_of

ENDS = Path(__file__).parent.parent / "ends.yaml"

# Keys have ties, both ways; cards are held more than once, in a pile and in a row, and have to be chosen by 0, 1, 2, 3.
QUICK = """\
game: quick
players: 2
longest: 60
cards:
  Card:
    attributes: {n: 1..4, tie: 0..1}
    kinds: [{label: "{n}", n: 1..4, tie: 0, copies: 3}, {label: "t{n}", n: 1..4, tie: 1}]
zones:
  deck: {of: Card, starts: Card, seen: everyone}
  hand: {each: seat, of: Card, seen: everyone}
  row:  {of: Card, order: kept, seen: everyone}
vars:
  seen: {type: 0..999, starts: 0, seen: everyone}
define:
  low(seat p): first([c in hand[p] by c.tie])
  low_down(seat p): first([c in hand[p] by -c.tie])
  high(seat p): last([c in hand[p] by c.tie])
  ends(seat p): (low(p).n otherwise 0) + 5 * (low_down(p).n otherwise 0) + 25 * (high(p).n otherwise 0)
  laid: last([c in row where c.n > 1 by c.tie])
  worth(seat p): sum(c.n for c in hand[p] where c.tie == 0) + 5 * count(c in hand[p] where c.n > 2)
  held(seat p): sum(worth(p) for c in hand[p])
phases:
  deal:
    chance: {over: players, until: "size(hand[me]) == 5"}
    outcomes:
      draw(c from deck): {told: everyone, do: "move c from deck to hand[me]"}
    then: play
  play:
    turns: {from: 0, until: false}
    actions:
      lay(cs in min(size(hand[me]), size(row) % 4) of hand[me]):
        told: everyone
        do: |
          move cs from hand[me] to row
          seen := (seen + worth(me) + 7 * held(left(me))) % 1000
      lift(cs in min(2, size(row)) of row):
        told: everyone
        do: move cs from row to hand[me]
      push(c in hand[me]):
        when: c.n + seen % 3 > 2
        told: everyone
        do: |
          move c from hand[me] to row
          seen := (seen * 3 + ends(me) + 125 * (laid.n otherwise 0)) % 1000
    then: end
result: {rank: "seen if me == 0 else size(hand[me])"}
"""


@pytest.fixture
def quick(tmp_path: Path) -> Path:
    path = tmp_path / "quick.yaml"
    path.write_text(QUICK, encoding="utf-8")
    return path


def test_what_is_quick_means_the_same(native: Load, quick: Path) -> None:
    chance = random.Random(SEED)
    games = native(quick)
    for number in range(20):
        print(f"seed {SEED}, game {number}")
        step_by_step(*games, chance)
    alike(games[0].playouts(50, SEED), games[1].playouts(50, SEED))


@pytest.mark.parametrize(
    ("spec", "players", "bits"),
    [
        ("goofspiel", 3, {"hand", "gone", "stack", "past"}),  # each has its own cards, and they keep them
        ("leduc_poker", 2, {"deck"}),
        ("oh_hell", 4, {"deck", "hand"}),
        ("celestia", 3, set()),  # of the cards that all draw there are several
    ],
)
def test_zones_are_bits_only_where_no_two_cards_can_be_alike(spec: str, players: int, bits: set[str]) -> None:
    text = c_of(spec, game_of(spec, players))
    position = text[text.index("typedef struct {\n", text.index("// Where a game stands")) : text.index("} Position;")]
    assert set(re.findall(r"^    Set (\w+)[;\[]", position, re.MULTILINE)) >= bits
    if not bits:
        assert not re.search(r"^    Set hand\b", position, re.MULTILINE)


def test_what_lies_at_an_end_is_what_a_search_finds(native: Load) -> None:
    chance = random.Random(SEED)
    games = native(ENDS, 2)
    for number in range(10):
        print(f"seed {SEED}, game {number}")
        step_by_step(*games, chance)
    text = c_of(ENDS, games[0])
    assert "while (last >= 0 && at->hand[p].of[last] == 0)" in text
    assert "at->stack != 0 ? highest(at->stack) : NONE" in c_of("goofspiel", game_of("goofspiel", 2))


OPS = ("==", "!=", "<", "<=", ">", ">=")
FEW = """\
game: few
players: 2
longest: 60
cards:
  Card: {{attributes: {{n: 1..4}}, kinds: [{{label: "{{n}}", n: 1..4}}]}}
zones:
  hand: {{each: seat, of: Card, starts: Card, seen: everyone}}
  gone: {{each: seat, of: Card, seen: everyone}}
vars:
  seen: {{type: 0..999, starts: 0, seen: everyone}}
define:
  few(seat p): {few}
phases:
  play:
    turns: {{from: 0, until: false}}
    actions:
      lay(c in hand[me]): {{told: everyone, do: "move c from hand[me] to gone[me]"}}
      lift(c in gone[me]): {{told: everyone, do: "move c from gone[me] to hand[me]"}}
      note(): {{do: "seen := (seen * 7 + few(me)) % 1000"}}
    then: end
result: {{rank: seen}}
"""


def test_a_few_bits_are_not_counted(native: Load, tmp_path: Path) -> None:
    tests = [f"size(hand[p]) {op} {number}" for number in range(4) for op in OPS]
    few = " + ".join(f"({3 * i + 1} if {test} else 0)" for i, test in enumerate(tests))
    path = tmp_path / "few.yaml"
    path.write_text(FEW.format(few=few), encoding="utf-8")
    chance, games = random.Random(SEED), native(path, 2)
    for number in range(10):
        print(f"seed {SEED}, game {number}")
        step_by_step(*games, chance)
    text = c_of(path, games[0])
    body = text[text.index("int few(") :]
    assert "(at->hand[p] & (at->hand[p] - 1)) != 0" in body
    assert body[: body.index("\n}\n")].count("size_of(") == 14  # exactly 1, and what asks for other numbers


# What is added to some, where all can have 0 added to them, and where only those may be touched that are meant.
ADDED = """\
game: added
players: 2..3
longest: 60
types: {Space: 1..12, Low: 1..5}
vars:
  points: {each: seat, type: 0..40, starts: 0, seen: everyone}
  rounds: {each: seat, type: count, starts: 0, seen: everyone}
  rival: {each: seat, type: "seat?", seen: everyone}
  gift: {type: "1..3?", seen: everyone}
  low: {each: Low, type: 0..9, starts: 0, seen: everyone}
  wide: {each: Space, type: 50..100, starts: 50, seen: everyone}
  great: {each: seat, type: 0..1000000, starts: 7, seen: everyone}
tables:
  prize: {each: 1..3, type: 0..9, is: {1: 5, 2: 6, 3: 7}}
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      set(): {do: "for p in players where rival[p] != none: points[p] += 1"}
      other(): {do: "for p in players where p != me: points[p] += gift otherwise 0"}
      count(): {do: "for p in players where rival[p] != none: rounds[p] += 1"}
      theirs(): {do: "for p in players where rival[p] != none: points[rival[p]] += 1"}
      worth(): {do: "for p in players where gift != none: points[p] += prize[gift]"}
      half(): {do: "for p in players where points[p] < 9: points[p] += 9 // (points[p] + 1)"}
      rivals(): {do: "for p in players: rival[p] := left(p) if rival[p] == none else none"}
      give(n in 1..3): {told: everyone, do: "gift := n"}
      keep(): {do: "gift := none"}
      lower(): {do: "for s in Space where s <= 5: low[s] += 1"}
      widen(): {do: "for s in Space where s <= 5: wide[s] += low[s]"}
      square(): {do: "for p in players where great[p] <= 100: points[p] += great[p] * great[p]"}
      grow(): {do: "great[me] := 1000000 if great[me] == 7 else 7"}
    then: end
result: {rank: "points[me]"}
"""


def test_what_is_added_to_some_leaves_the_others_as_they_are(
    native: Load, sanitized: Callable[[str, str], None], tmp_path: Path
) -> None:
    path = tmp_path / "added.yaml"
    path.write_text(ADDED, encoding="utf-8")
    chance = random.Random(SEED)
    for players in (2, 3):
        games = native(path, players)
        for number in range(20):
            print(f"seed {SEED}, game {number}")
            step_by_step(*games, chance)
    text = c_of(path, games[0])
    assert "at->points[p] + (at->rival[p] != NONE);" in text
    assert "at->points[p] + (p != me) * otherwise(at->gift, 0);" in text
    assert len(re.findall(r"(points|rounds|low|wide)\[\w.*\] \+ \(", text)) == 2  # nothing else is there in any case
    sanitized(text, main_of(games[0], 50, 0, ends=False))
