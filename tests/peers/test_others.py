"""Examples that are OpenSpiel's games to the last node: who acts, what can be done, chance, returns, what is known."""

from __future__ import annotations

import dataclasses
import itertools
import random
from typing import Any

import pytest

from tests.peers.others import GAMES, LARGER, PHANTOM, TREES, TWO_TRICKS, Comparison, Pair

pyspiel: Any = pytest.importorskip("pyspiel")


def whole(pair: Pair) -> Comparison:
    found = Comparison(pair)
    found.tree(*pair.load(pyspiel)())
    return found


def played(pair: Pair, games: int, seed: int) -> Comparison:
    found, source, start = Comparison(pair), random.Random(seed), pair.load(pyspiel)
    for _ in range(games):
        for _ in found.game(*start(), source):
            pass
    return found


@pytest.mark.parametrize("pair", TREES, ids=str)
def test_the_trees_are_the_same(pair: Pair) -> None:
    found = whole(pair)
    assert found.differ == []
    assert found.ends > 0


@pytest.mark.campaign
@pytest.mark.parametrize("pair", LARGER, ids=str)
def test_larger_trees_are_the_same(pair: Pair) -> None:
    assert whole(pair).differ == []


@pytest.mark.parametrize("pair", GAMES, ids=str)
def test_random_games_go_in_step(pair: Pair) -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    assert played(pair, 4, seed).differ == []


@pytest.mark.campaign
@pytest.mark.parametrize("pair", GAMES, ids=str)
def test_ten_thousand_random_games_go_in_step(pair: Pair) -> None:
    assert played(dataclasses.replace(pair, known=False), 10_000, 20261130).ends == 10_000
    assert played(pair, 200, 20261130).differ == []


def windows(pair: Pair, games: int, deep: int, seed: int) -> Comparison:
    """Every history so many steps long, and so many from some node of each of several random games on."""
    found, source, start = Comparison(pair), random.Random(seed), pair.load(pyspiel)
    found.tree(*start(), deep)
    for _ in range(games):
        a, b = start()
        for _ in itertools.islice(found.game(a, b, source), source.randrange(1, 12)):
            pass
        found.tree(a, b.clone(), deep)
    return found


def test_what_is_known_in_the_dark_is_the_same() -> None:
    """Random games alone would hardly ever come to two histories that a player cannot tell apart."""
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    found = windows(PHANTOM, 5, 3, seed)
    assert found.differ == []
    assert len(found.theirs) < found.nodes / 4, "many histories share an information state"


@pytest.mark.campaign
def test_what_is_known_in_the_dark_is_the_same_in_many_games() -> None:
    found = windows(PHANTOM, 300, 4, 20261130)
    assert found.differ == []


def hands_of_two(deep: int) -> Comparison:
    """All that can be dealt of seven cards, and so many steps more."""
    found = Comparison(TWO_TRICKS)
    a, b = TWO_TRICKS.load(pyspiel)()
    for _ in ("how many cards", "who deals"):
        x, y = found.at(a, b)[0]
        a.apply_action(x)
        b.apply_action(y)
    found.tree(a, b, 7 + deep)
    return found


def test_nobody_knows_in_which_order_he_got_his_cards() -> None:
    found = hands_of_two(1)
    assert found.differ == []
    assert len(found.theirs) == 7 * 15 * 4, "the trump, two of the other six, and the first bid of three or none yet"


@pytest.mark.campaign
def test_what_is_known_at_the_bids_is_the_same() -> None:
    assert hands_of_two(4).differ == []


def test_a_difference_is_seen() -> None:
    """Of another order of the prizes, and of a game in which less is told."""
    other = TREES[0]
    wrong = Pair(other.example, other.theirs.replace("random", "descending"), 2, other.label, other.options, True)
    with pytest.raises(AssertionError):
        whole(wrong)
    silent = Pair("phantom_ttt", "phantom_ttt(obstype=reveal-nothing)", 2, PHANTOM.label)
    found = Comparison(silent)
    found.tree(*silent.load(pyspiel)(), 4)
    assert found.differ
