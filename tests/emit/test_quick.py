"""What the emitter says in a quicker way means what the plain way means: chains for folds, list methods for rows, loops
for tests, named parts, choices one by one. Each pair of definitions differs only in what the emitter can know of it."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import aeronef
from aeronef.dsl.emit.python import emit_python
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL
from aeronef.runtime.laws import LawBroken, cards_are_apart
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import State, dump, restore
from tests.emit.test_meaning import game_of, labels
from tests.games.specs import SPECS, compiled, emitted

SEED = 20260301

# `rows` are all rows and `others` all players, but the emitter does not know it.
PAIRS = [
    ("any(all(cell[r][c] == p for c in Row) for r in Row) or any(all(cell[r][c] == p for r in Row) for c in Row)",
     "any(all(cell[r][c] == p for c in rows) for r in rows) or any(all(cell[r][c] == p for r in rows) for c in rows)"),
    ("all(cell[i][4 - i] == p for i in Row)", "all(cell[i][4 - i] == p for i in rows)"),
    ("all(cell[r][r] != none for r in Row where r != 2)", "all(cell[r][r] != none for r in rows where r != 2)"),
    ("any(true for r in Row where cell[r][1] == p)", "any(true for r in rows where cell[r][1] == p)"),
    ("sum(r * (2 if cell[r][2] == p else 1) for r in Row) > 7",
     "sum(r * (2 if cell[r][2] == p else 1) for r in rows) > 7"),
    ("max(left_over[p] * r for r in Row) > min(left_over[q] + 9 for q in players)",
     "(max(left_over[p] * r for r in rows) otherwise 0) > (min(left_over[q] + 9 for q in others) otherwise 0)"),
    ("max(left_over[q] for q in players) <= left_over[p]", "max(0 + left_over[q] for q in players) <= left_over[p]"),
    ("sum(left_over[q] for q in players) > 9", "sum(0 + left_over[q] for q in players) > 9"),
    ("all(left_over[q] <= left_over[p] for q in players)", "all(left_over[q] <= left_over[p] for q in others)"),
    ("any(left_over[p] > left_over[q] for q in players)", "any(left_over[p] > left_over[q] for q in others)"),
    ("all(left_over[p] < left_over[q] + 1 for q in players)", "all(left_over[p] < left_over[q] + 1 for q in others)"),
    ("any(left_over[q] == left_over[p] + 1 for q in players)", "any(left_over[q] == left_over[p] + 1 for q in others)"),
    ("all(chosen[q] != p for q in players)", "all(chosen[q] != p for q in others)"),
    ("any(chosen[q] == none for q in players)", "any(chosen[q] == none for q in others)"),
    ("any(out[q] for q in players)", "any(out[q] for q in others)"),
    ("all(out[q] for q in players)", "all(out[q] for q in others)"),
    ("any(not out[q] for q in players)", "any(not out[q] for q in others)"),
    ("all(not out[q] for q in players) or out[p]", "all(not out[q] for q in others) or out[p]"),
    ("count(q in players where out[q]) == 1", "count(q in others where out[q]) == 1"),
    ("count(q in players where not out[q]) == 1", "count(q in others where not out[q]) == 1"),
    ("count(q in players where left_over[q] == left_over[p]) > 1",
     "count(q in others where left_over[q] == left_over[p]) > 1"),
    ("not out[p] and all(worth(q) <= worth(p) for q in players where not out[q])",
     "(1 if out[p] or any(worth(q) > worth(p) for q in players where not out[q]) else 0) == 0"),
    ("out[p] or any(worth(q) > 6 for q in players where q != p)",
     "(1 if out[p] or not all(worth(q) <= 6 for q in players where q != p) else 0) == 1"),
    ("any(worth(q) > 8 for q in players) or any(cell[r][r] == none for r in rows) or out[p]",
     "count(q in players where worth(q) > 8) + count(r in rows where cell[r][r] == none) + (1 if out[p] else 0) > 0"),
    ("out[p] and any(worth(q) > 6 for q in players)", "(count(q in players where worth(q) > 6) if out[p] else 0) > 0"),
    ("(chosen[p] otherwise right(p)) == p", "(right(p) if chosen[p] == none else chosen[p]) == p"),
    ("first([q in players by left_over[q]]) == p", "first(rising) == p"),
    ("first([q in players by left_over[q] down]) == p", "first(falling) == p"),
    ("first([q in players by -left_over[q]]) == p", "first(falling) == p"),
    ("first([q in players by left_over[q] if out[p] else -left_over[q]]) == p",
     "(first(rising) if out[p] else first(falling)) == p"),
    ("all(merit(q) <= merit(p) for q in players where not out[q])",
     "all(merit(q) <= 0 + merit(p) for q in others where not out[q])"),
    ("any(merit(p) != merit(q) for q in players)", "any(merit(p) != 0 + merit(q) for q in others)"),
    ("any(merit(q) == merit(p) for q in players where out[q])",  # of itself it holds
     "any(merit(q) == 0 + merit(p) for q in others where out[q])"),
    ("count(q in players where leads(q)) > 1 and leads(p)",
     "count(r in others where all(left_over[q] <= left_over[r] for q in others)) > 1 and "
     "all(left_over[q] <= left_over[p] for q in others)"),
    ("cell[1][1] == p and out[p] or cell[2][2] == p or cell[1][1] == p and cell[2][2] == none or "
     "out[p] and cell[3][3] == p",
     "(1 if cell[1][1] == p and out[p] else 0) + (1 if cell[2][2] == p else 0) + "
     "(1 if cell[1][1] == p and cell[2][2] == none else 0) + (1 if out[p] and cell[3][3] == p else 0) > 0"),
    ("out[p] and cell[1][1] == p or out[p] or out[p] and cell[2][2] == p or cell[3][3] == p and cell[1][1] == p",
     "(1 if out[p] else 0) + (1 if cell[3][3] == p and cell[1][1] == p else 0) > 0"),
    # What stands before a test can be what gives it a sense, and stays before it.
    ("any(k == left_over[p] and cell[left_over[p]][1] == p for k in 1..3) or any(k == left_over[p] and "
     "cell[left_over[p]][1] == none for k in 1..2)",
     "count(k in 1..3 where k == left_over[p] and cell[left_over[p]][1] == p) + count(k in 1..2 where "
     "k == left_over[p] and cell[left_over[p]][1] == none) > 0"),
    ("chosen[p] == none or left_over[chosen[p]] == 1 and out[p] or left_over[chosen[p]] == 1 and not out[p] or "
     "left_over[chosen[p]] == 2",
     "(1 if chosen[p] == none else 1 if left_over[chosen[p]] == 1 else 1 if left_over[chosen[p]] == 2 else 0) == 1"),
    ("left_over[p] == 0 or 6 // left_over[p] == 2 and out[p] or 6 // left_over[p] == 2 and cell[1][1] == p or "
     "6 // left_over[p] == 1 and out[p]",
     "(1 if left_over[p] == 0 else (1 if out[p] or cell[1][1] == p else 0) if 6 // left_over[p] == 2 else "
     "(1 if out[p] else 0) if 6 // left_over[p] == 1 else 0) == 1"),
    ("merit(p) > doubled(p) + out_there", "merit(p) > left_over[p] * 2 + count(q in others where out[q])"),
]  # fmt: skip

BOARD = """\
game: board
players: {players}
longest: 999
types:
  Row: 1..3
options:
  side: {{type: 1..3, default: 3, says: How much of the board counts.}}
vars:
  cell: {{each: [Row, Row], type: "seat?", seen: everyone}}
  left_over: {{each: seat, type: 0..9, starts: 0, seen: everyone}}
  chosen: {{each: seat, type: "seat?", seen: everyone}}
  out: {{each: seat, type: bool, starts: false, seen: everyone}}
define:
  rows: "[r in 1..side]"
  others: clockwise(0)
  rising: "[q in players by left_over[q]]"
  falling: "[q in players by left_over[q] down]"
  worth(seat p): left_over[p] + (1 if out[p] else 0)
  merit(seat p): left_over[p] + (3 if out[p] else 0) + (2 if chosen[p] == p else 0) + 1
  leads(seat p): all(left_over[q] <= left_over[p] for q in players)
  doubled(seat p): left_over[p] * 2
  out_there: count(q in players where out[q])
{defines}
phases:
  play:
    turns: {{from: 0, until: false}}
    actions:
      mark(r in Row, c in Row where cell[r][c] == none): {{told: everyone, do: "cell[r][c] := me"}}
      mark(r in 1..side, c in 1..side where cell[r][c] == none) as again: {{told: everyone, do: "cell[r][c] := me"}}
      wipe(r in Row): {{told: everyone, do: "for c in Row:\\n  cell[r][c] := none"}}
      count(k in 0..9): {{told: everyone, do: "left_over[me] := k"}}
      choose(p in players): {{told: everyone, do: "chosen[me] := p"}}
      leave(): {{do: "out[me] := not out[me]"}}
    then: end
result: {{rank: 0}}
"""


def board(players: str) -> str:
    rows = [
        f"  d{i}_{side}(seat p): {text}" for i, pair in enumerate(PAIRS) for side, text in zip("ab", pair, strict=True)
    ]
    return BOARD.format(players=players, defines="\n".join(rows))


@pytest.mark.parametrize(("players", "playing"), [("2", 2), ("3", 3), ("2..4", 2), ("2..4", 4)])
def test_the_quick_way_means_what_the_plain_way_means(players: str, playing: int) -> None:
    game = game_of(board(players), playing)
    state, chance = game.new_initial_state(), random.Random(SEED)
    print("seed", SEED)
    seen: dict[int, set[bool]] = {i: set() for i in range(len(PAIRS))}
    for _ in range(250):
        position: Any = state.position
        for i, (quick, plain) in enumerate(PAIRS):
            for p in range(playing):
                value = getattr(position, f"d{i}_a")(p)
                assert value is getattr(position, f"d{i}_b")(p), (quick, plain, dump(position))
                seen[i].add(value)
        marks = [label for label in labels(state) if label.startswith("mark")]
        free = [f"mark({r}, {c})" for r in (1, 2, 3) for c in (1, 2, 3) if position.cell[r - 1][c - 1] is None]
        assert marks == free + free
        state.apply_action(chance.choice(state.legal_actions()))
    if playing == 2:  # with more a line of one player's marks is rare
        assert all(values == {True, False} for values in seen.values()), seen


def test_the_quick_way_is_taken() -> None:
    text = emit_python(compiled(board("2")), "spec.yaml")
    quick = {i: re.search(rf"def d{i}_a\(.*?\n\n", text, re.DOTALL) for i in range(len(PAIRS))}
    for i, found in quick.items():
        assert found is not None
        assert not re.search(r"(any|all)\([^()]+\bfor\b", found[0]), (PAIRS[i][0], found[0])
    assert "(self.cell[0][1] == p and self.cell[0][2] == p)" in text
    assert "if cell_3_3 is None:" in text
    assert "ids.append(8)" in text


def test_what_is_short_is_written_where_it_is_called_and_nothing_is_compared_with_itself() -> None:
    text = emit_python(compiled(board("2..4")), "spec.yaml")
    assert "return self.merit(p) > self.left_over[p] * 2 + self.out.count(True)" in text
    assert "if q != p and not self.out[q] and self.merit(q) > merit:" in text
    assert "if self.out[q] and self.merit(q) == merit:" in text  # of itself it decides something
    assert "len([q for q in self.players if self.leads(q)])" in text  # `q` would be another there


def test_a_test_that_alternatives_share_is_asked_once() -> None:
    text = emitted("tic_tac_toe")
    three = text[text.index("def three") : text.index("def full")]
    assert three.count("cell_2_2 == p") == 1  # four lines go through it
    assert three.count(" == p") == 19  # instead of 24


def test_the_only_phase_that_offers_something_says_when_it_does_not() -> None:
    text = emitted("goofspiel")
    assert "legal_bidding" not in text
    assert "chance_reveal" not in text
    position = aeronef.load(SPECS["goofspiel"], 2, prizes="random").start()
    while position.actor != TERMINAL:
        decides = position.actor >= 0
        assert (bool(position.legal()), bool(position.outcomes())) == (decides, not decides)
        position.apply(position.legal()[0] if decides else position.outcomes()[0][0])
    assert (position.legal(), position.outcomes()) == ([], [])


FIRST = """\
game: first
players: 2
longest: 40
vars:
  lit: {type: bool, starts: false, seen: everyone}
  told: {type: bool, starts: false, seen: everyone}
  n: {type: 0..5, starts: 0, seen: everyone}
phases:
  toss:
    chance: once
    outcomes:
      fall(k from [false, true]): {told: everyone, do: "lit := k"}
    then: play
  play:
    turns: {from: 0, until: n == 5}
    actions:
      set(k in [false, true]): {told: everyone, do: "lit := k"}
      tell(lit): {told: everyone, do: "told := lit"}
      up(k in 1..2): {told: everyone, do: "n := min(n + k, 5)"}
    then: end
result: {rank: n}
"""


def test_ids_are_numbers_also_where_what_they_are_of_is_not() -> None:
    state = game_of(FIRST).new_initial_state()
    assert [type(outcome) for outcome, _ in state.position.outcomes()] == [int, int]
    state.apply_action(state.legal_actions()[1])
    assert labels(state) == ["set(false)", "set(true)", "tell(true)", "up(1)", "up(2)"]
    for action in state.legal_actions():
        assert type(action) is int
        state.clone().apply_action(action)


# ------------------------------------------------------------------------------------------ cards that lie apart

CARDS = """\
game: apart
players: 2
longest: 9
cards:
  Card: {attributes: {n: 1..3}, kinds: [{label: "{n}", n: 1..3}]}
zones:
  hand: {each: seat, of: Card, starts: c in Card, seen: everyone}
  pile: {of: Card, seen: everyone}
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      play(c in hand[me]): {told: everyone, do: "move c from hand[me] to pile"}
      gather(c in pile): {told: everyone, do: "for d in pile where d == c:\\n  pass_on := d"}
    then: end
vars:
  pass_on: {type: "Card?", seen: everyone}
result: {rank: 0}
"""


@pytest.fixture(scope="module")
def apart() -> Game:
    return game_of(CARDS)


def test_where_equal_cards_can_come_they_are_one_choice(apart: Game) -> None:
    text = emit_python(compiled(CARDS), "spec.yaml")
    assert "[*self.hand[me]]" in text
    assert "[first + c for c in dict.fromkeys(self.pile)]" in text
    state = apart.new_initial_state()
    for label in ("play(2)", "play(2)"):
        state.apply_label(label)
    assert labels(state) == ["play(1)", "play(3)", "gather(2)"]


def test_where_none_can_come_none_is_laid(apart: Game) -> None:
    state = apart.new_initial_state()
    position: Any = state.position.copy()
    position.hand = [[0, 0, 1], [1, 2, 2]]
    with pytest.raises(LawBroken, match=r"cards are apart: `hand` holds \['1', '1', '2'\]"):
        cards_are_apart(State(apart, position), Rng(SEED))
    with pytest.raises(BadInput, match="cards are apart"):
        restore(apart, dump(position))
