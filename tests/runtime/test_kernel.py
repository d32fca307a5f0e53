"""What generated code is made of: moving cards, counting them, rolling dice, asking in order."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod
from pathlib import Path

import pytest

import aeronef
from aeronef.runtime.kernel import Owned, card_of, copies, first_of, last_of, owner_of, pour, pour_on, rolls, subsets

SPEC = """
game: order
players: 3
longest: 50
vars: {x: {each: seat, type: 0..9, starts: 0, seen: everyone}}
phases:
  pick:
    chance: once
    outcomes:
      pick(n from [2, 1, 2]): {told: everyone, do: "x[2] := n"}
    then: choose
  choose:
    together: "[right(0), 1, 0]"
    actions:
      take(n in 1..2): {told: nobody, do: "x[me] := n"}
    then: end
result: {rank: "x[me]"}
"""


@pytest.mark.parametrize("move", [pour, pour_on])
def test_moving_all_to_where_they_lie_moves_nothing(move: object) -> None:
    zone = [1, 2, 2]
    move(zone, zone)  # type: ignore[operator]
    assert zone == [1, 2, 2]


def test_copies_are_counted_whatever_their_order() -> None:
    assert copies([3, 1, 3]) == [(1, 1), (3, 2)]


def test_the_ends_of_nothing_are_none() -> None:
    entries = [Owned(2, 5), Owned(0, 7)]
    assert (first_of(entries), last_of(range(3)), first_of([]), last_of(())) == (entries[0], 2, None, None)
    assert [(owner_of(e), card_of(e)) for e in (*entries, None)] == [(2, 5), (0, 7), (None, None)]


def test_subsets_of_equal_cards_are_one() -> None:
    assert subsets([1, 1, 2], 2) == [(1, 1), (1, 2)]


@pytest.mark.parametrize("dice", range(5))
def test_rolls_have_multinomial_probabilities(dice: int) -> None:
    weights = (2, 1, 3)
    found = rolls(weights, dice)
    assert sum(weight for _, weight in found) == sum(weights) ** dice
    for faces, weight in found:
        times = [faces.count(face) for face in range(3)]
        ways = factorial(dice) // prod(map(factorial, times))
        assert weight == ways * prod(w**n for w, n in zip(weights, times, strict=True))


def test_those_who_choose_together_are_asked_in_seat_order(tmp_path: Path) -> None:
    (tmp_path / "order.yaml").write_text(SPEC, encoding="utf-8")
    state = aeronef.load(tmp_path / "order.yaml").new_initial_state()
    assert state.chance_distribution() == [(0, Fraction(1, 3)), (1, Fraction(2, 3))]
    asked = []
    state.apply_action(0)
    while not state.is_terminal():
        asked.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert asked == [0, 1, 2]
