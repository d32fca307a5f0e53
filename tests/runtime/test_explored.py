"""Explored states as a file, and games gone through with few values of each kind of action."""

from __future__ import annotations

import json

import pytest

from aeronef.runtime.endings import endings
from aeronef.runtime.errors import BadInput
from aeronef.runtime.explore import OVER, Limits, Space, explore, explore_on
from aeronef.runtime.explored import restore, save
from tests.runtime.test_explore import example


def same(one: Space, other: Space) -> bool:
    arrays = ("came", "by", "kinds", "first", "to", "via", "partial", "dead", "keys")
    return all(getattr(one, name) == getattr(other, name) for name in arrays)


@pytest.mark.parametrize("each", [None, 2])
def test_what_was_explored_in_two_parts_is_what_is_explored_at_once(each: int | None) -> None:
    game = example("tic_tac_toe")
    at_once = explore(game, Limits(each=each))
    half = explore(game, Limits(states=300, each=each))
    raw = save(half)
    later = explore_on(restore(game, raw, each), Limits(each=each))
    assert same(later, at_once)
    assert save(restore(game, raw, each)) == raw


def test_a_file_is_of_one_game() -> None:
    raw = save(explore(example("kuhn_poker"), Limits(states=20)))
    with pytest.raises(BadInput, match="`players` is 2 there, and 3 here"):
        restore(example("kuhn_poker", 3), raw)
    with pytest.raises(BadInput, match="`game` is kuhn_poker there"):
        restore(example("tic_tac_toe"), raw)


@pytest.mark.parametrize("cut", [0, 10, -40])
def test_a_damaged_file_is_refused(cut: int) -> None:
    game = example("tic_tac_toe")
    raw = save(explore(game, Limits(states=200)))
    with pytest.raises(BadInput, match="no file of explored states"):
        restore(game, raw[:cut] if cut else b"")


def test_a_file_that_names_states_that_are_not_there_is_refused() -> None:
    game = example("tic_tac_toe")
    line, _, packed = save(explore(game, Limits(states=200))).partition(b"\n")
    header = json.loads(line)
    for key, value in (("states", 10), ("explored", 10_000), ("lengths", [1, 1, 1, 1, 1])):
        with pytest.raises(BadInput, match="no file of explored states"):
            restore(game, json.dumps(header | {key: value}).encode() + b"\n" + packed)


def test_few_values_of_each_action_come_far_and_prove_nothing() -> None:
    game = example("goofspiel")
    thin = explore(game, Limits(each=1))
    assert OVER in thin.kinds
    assert not thin.whole
    assert endings(thin).longest is None
    assert len(thin) < len(explore(game, Limits(20 * len(thin)))), "the game itself has many more states"


def test_a_play_of_few_values_is_a_play_of_the_game() -> None:
    space = explore(example("leduc_poker"), Limits(each=1))
    for state in range(0, len(space), 5):
        found = space.at(state)
        assert found.is_terminal() == (state < space.explored and space.kinds[state] == OVER)
        for action, other in zip(
            space.via[space.first[state] : space.first[state + 1]], space.successors(state), strict=True
        ):
            assert action in found.legal_actions()
            assert space.action(state, other) in found.legal_actions()


def test_a_judge_is_asked_of_each_state_once() -> None:
    asked: list[int] = []

    def judge(state: int, position: object) -> str | None:
        asked.append(state)
        return "odd" if state == 7 else None

    space = explore(example("kuhn_poker"), Limits(), judge=judge)
    assert asked == list(range(len(space)))
    assert [(fault.state, fault.message) for fault in space.broken] == [(7, "odd")]
