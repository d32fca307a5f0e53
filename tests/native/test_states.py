"""A state of a native game is a state like any other: whatever is asked of it is answered as in Python."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
import pytest

from aeronef.runtime import tensors
from aeronef.runtime.errors import BadInput, IllegalAction, RuleFault
from aeronef.runtime.kernel import CHANCE
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from aeronef.runtime.state import State, dump
from tests.emit.c.native import Load
from tests.emit.c.test_same import alike
from tests.emit.c.test_sound import BREAKING
from tests.native.twins import GAMES, SEED, at_times, both, outcome, walk

EARLY = 60  # steps: what grows with every step is looked at among the first

every_game = pytest.mark.parametrize("name", GAMES)


def same(a: State, b: State) -> None:
    """All that is the same at a glance."""
    assert dump(b.position) == dump(a.position)
    assert b.full_history() == a.full_history()
    assert b.serialize() == a.serialize()


# ------------------------------------------------------------------------------------------ what is told of a state


@every_game
def test_whose_turn_it_is_and_what_there_is_to_do(native: Load, name: str) -> None:
    one, other = both(native, name)
    assert (other.num_distinct_actions(), other.max_chance_outcomes()) == (len(one.labels), len(one.chance_labels))
    assert (other.labels, other.chance_labels, other.measures) == (one.labels, one.chance_labels, one.measures)
    for a, b in walk(one, other, 0, 200):
        assert b.current_player() == a.current_player()
        assert (b.phase, b.cut, b.is_terminal(), b.is_chance_node()) == (
            a.phase, a.cut, a.is_terminal(), a.is_chance_node(),
        )  # fmt: skip
        assert b.legal_actions() == a.legal_actions()
        assert b.chance_distribution() == a.chance_distribution()
        assert b.chance_outcomes() == a.chance_outcomes()
        assert [b.action_to_string(i) for i in b.legal_actions()] == [a.action_to_string(i) for i in a.legal_actions()]
        assert (b.returns(), b.ranking()) == (a.returns(), a.ranking())
        assert (b.history(), b.full_history()) == (a.history(), a.full_history())
        for player in range(one.players):
            assert b.legal_actions(player) == a.legal_actions(player)
    for a, b in at_times(one, other, 0, 6, 200):
        for player in (None, CHANCE, *range(one.players)):
            assert b.legal_actions_mask(player) == a.legal_actions_mask(player)
        for action in b.legal_actions():
            assert b.string_to_action(b.action_to_string(action)) == a.string_to_action(a.action_to_string(action))


@every_game
def test_what_seats_see_and_have_seen(native: Load, name: str) -> None:
    one, other = both(native, name)
    for a, b in walk(one, other, 1, 60):
        assert b.to_dict() == a.to_dict()
        for player in range(one.players):
            assert b.view(player) == a.view(player)
            if a.moves:
                assert b.heard(player, len(b.moves) - 1) == a.heard(player, len(a.moves) - 1)
    for a, b in at_times(one, other, 1, 4, EARLY):
        assert str(b) == str(a)
        for player in range(one.players):
            assert b.observation_string(player) == a.observation_string(player)
            assert b.information_state_string(player) == a.information_state_string(player)


@every_game
def test_tensors(native: Load, name: str) -> None:
    one, other = both(native, name)
    for a, b in at_times(one, other, 2, 4):
        assert np.array_equal(tensors.whole(b), tensors.whole(a))
        for player in range(one.players):
            x, y = a.observation_tensor(player), b.observation_tensor(player)
            assert y.dtype == x.dtype
            assert np.array_equal(y, x)
    for a, b in at_times(one, other, 2, 2, EARLY):
        for player in range(one.players):
            x, y = (
                outcome(partial(a.information_state_tensor, player)),
                outcome(partial(b.information_state_tensor, player)),
            )
            assert type(y) is type(x)
            assert np.array_equal(y, x)  # of a long game both say that it is too long


@every_game
def test_a_saved_state_is_one_text_that_both_read(native: Load, name: str) -> None:
    """Read by the other back end it goes on as it would have."""
    one, other = both(native, name)
    for a, b in at_times(one, other, 3, 4):
        assert b.serialize() == a.serialize()
        crossed = one.deserialize_state(b.serialize()), other.deserialize_state(a.serialize())
        for c in crossed:
            same(a, c)
        for step in range(20):
            if crossed[0].is_terminal():
                break
            action = choose(crossed[0].position, Rng.stream(SEED, step))
            for c in crossed:
                c.apply_action(action)
            same(*crossed)


@every_game
def test_a_state_read_amid_a_game_starts_there(native: Load, name: str) -> None:
    """A state without its past, as a position described or cut off has none: it is saved as where it stands."""
    one, other = both(native, name)
    for a, b in at_times(one, other, 4, 5):
        if a.frozen_at() is not None:
            continue  # what the others do not know yet is in the past
        a, b = State(one, a.position), State(other, b.position)
        same(a, b)
        for game, state in ((one, b), (other, a)):
            same(a, game.deserialize_state(state.serialize()))


# ------------------------------------------------------------------------------------------ copies and undoing


@every_game
def test_copies_are_apart(native: Load, name: str) -> None:
    one, other = both(native, name)
    for a, b in at_times(one, other, 5, 4):
        if a.is_terminal():
            continue
        before = b.serialize(), dump(b.position)
        action = choose(a.position, Rng.stream(SEED, 5))
        for twin in (b.clone(), copy.deepcopy(b), copy.copy(b)):
            if type(twin) is State and twin.moves is b.moves:  # a copy of Python's own shares its lists
                twin = State(other, twin.position)
            twin.apply_action(action)
        for position in (b.position.copy(), copy.copy(b.position), copy.deepcopy(b.position)):
            position.apply(action)
            assert dump(position) != before[1]
        assert (b.serialize(), dump(b.position)) == before
        a.apply_action(action)
        b.apply_action(action)
        same(a, b)


@every_game
def test_undoing_goes_back_to_the_start(native: Load, name: str) -> None:
    one, other = both(native, name)
    (a, b), *_ = reversed(at_times(one, other, 6, 1, 200))
    player = SEED % one.players
    b.information_state_string(player)
    while a.moves:
        step = a.moves[-1]
        a.undo_action()
        b.undo_action(*step)
        assert dump(b.position) == dump(a.position)
        if len(a.moves) < EARLY and len(a.moves) % 7 == 0:
            assert b.information_state_string(player) == a.information_state_string(player)
    same(b, other.new_initial_state())
    assert outcome(b.undo_action) == outcome(a.undo_action)


# ------------------------------------------------------------------------------------------ what is refused


@every_game
def test_what_is_refused_is_refused_with_the_same_reasons(native: Load, name: str) -> None:
    one, other = both(native, name)
    rng = Rng.stream(SEED, 7)
    refused = 0
    for a, b in at_times(one, other, 7, 8, 400):
        before = b.serialize()
        size = len(one.chance_labels if a.is_chance_node() else one.labels)
        legal = set(a.legal_actions())
        some = [k for k in (rng.below(max(size, 1)) for _ in range(12)) if k not in legal]
        for action in (*some, -1, size, 2**40, True, 1.5, "1", None):
            expected = outcome(partial(a.apply_action, action))  # type: ignore[arg-type]
            assert expected[0] is IllegalAction
            assert outcome(partial(b.apply_action, action)) == expected  # type: ignore[arg-type]
            refused += 1
        for action in (*some, *list(legal)[:3]):
            for viewer in (a.current_player(), 0, one.players - 1, one.players):
                assert outcome(partial(b.why_illegal, action, viewer)) == outcome(
                    partial(a.why_illegal, action, viewer)
                )
        for label in (*(one.labels[k] for k in some if k < len(one.labels)), "nothing()"):
            if outcome(partial(a.clone().apply_label, label)) is not None:  # it may be another's, which is legal
                assert outcome(partial(b.apply_label, label)) == outcome(partial(a.apply_label, label))
        assert b.serialize() == before
    assert refused > 30


def test_a_state_whose_step_breaks_the_rules_is_left_as_it_was(native: Load, tmp_path: Any) -> None:
    path = tmp_path / "breaking.yaml"
    path.write_text(BREAKING, encoding="utf-8")
    games = native(path)
    a, b = (game.new_initial_state() for game in games)
    before, broke = b.serialize(), 0
    for action in a.legal_actions():
        expected = outcome(partial(a.clone().apply_action, action))
        assert outcome(partial(b.clone().apply_action, action)) == expected
        if expected is not None:
            assert expected[0] is RuleFault
            broke += 1
            assert outcome(partial(b.apply_action, action)) == expected
            assert b.serialize() == before
    assert broke == 8
    for state in (a, b):
        state.apply_label("fine()")
    same(a, b)


def test_a_round_without_an_end_is_told(native: Load) -> None:
    """`endless` looks at all of the past."""
    one, other = native("ferry", 2, reading="literal", calm=False)
    found = set()
    for number in range(6):
        *_, (a, b) = walk(one, other, number)
        for _ in range(8):  # the round that the game was left in, and once more
            assert b.endless() == a.endless()
            found.add(str(a.endless()))
            if a.is_terminal() or len(a.legal_actions()) != 1:
                break
            (action,) = a.legal_actions()
            a.apply_action(action)
            b.apply_action(action)
    assert any(text.startswith("endless: from step") for text in found)


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_told_apart_by_the_same(native: Load, name: str) -> None:
    """All that they hold but counts and numbers of steps; C says so without reading their parts."""
    one, other = both(native, name)
    states = [pair for number in range(2) for pair in at_times(one, other, number, 10)]
    found = set()
    for a, b in states:
        for a2, b2 in states:
            alike = b.position.is_like(b2.position)
            assert alike == (one.tells(a.position) == one.tells(a2.position))
            found.add(alike)
    assert found == {True, False}
    changed = states[0][1].position.copy()
    changed.began = changed.began  # from here on its parts are what counts
    assert changed.is_like(changed) is None


@pytest.mark.parametrize("name", ["leduc_poker", "goofspiel", "liars_dice", "phantom_ttt", "balloon", "tidewall"])
def test_another_world_for_a_seed_is_the_same_world(native: Load, name: str) -> None:
    one, other = both(native, name)
    changed = False
    for a, b in at_times(one, other, 8, 2, 30):
        for player in (0, one.players - 1):
            x, y = a.resample(player, SEED), b.resample(player, SEED)
            same(x, y)
            assert y.information_state_string(player) == b.information_state_string(player)
            changed |= x.history() != a.history()
    assert changed


# ------------------------------------------------------------------------------------------ positions and their parts


def test_a_position_that_is_changed_by_hand_counts_as_changed(native: Load) -> None:
    """A part that is set is the position's from then on, and what it has not is refused as by any object."""
    one, other = native("pig", 2)
    a, b = (cast(Any, game.start()) for game in (one, other))
    for position in (a, b):
        position.score = [10, 3]
        twin = position.copy()
        twin.score = [0, 19]
        assert position.score == [10, 3]
        with pytest.raises(AttributeError):
            position.nothing = 1
        with pytest.raises(AttributeError):
            _ = position.nothing
    for _ in range(30):
        assert dump(b) == dump(a)
        assert (b.legal(), b.outcomes()) == (a.legal(), a.outcomes())
        if a.actor == -4:
            break
        action = choose(a, Rng.stream(SEED, a.steps))
        a.apply(action)
        b.apply(action)
    assert a.score[0] >= 10


@pytest.mark.parametrize(("part", "value"), [
    ("queue", [0, 1] * 40), ("queue", [0] * 60), ("queue", [0] * 10), ("row", [0] * 40), ("row", ["x"]), ("me", 200),
    ("back", [[0, 0, [], 0, 0]] * 9), ("steps", 2**40), ("steps", 2**31), ("began", -1), ("phase", 99), ("cut", True),
])  # fmt: skip
@pytest.mark.parametrize("name", ["pig", "balloon", "tidewall"])
def test_a_saved_position_that_does_not_fit_is_refused(native: Load, name: str, part: str, value: Any) -> None:
    """Or it is one that both can have, and go on from alike. Nothing is ever written beyond where it lies."""
    one, other = both(native, name)
    saved = json.loads(one.new_initial_state().serialize())
    saved["start"][part] = value
    if part == "steps":
        saved["start"]["began"] = 0
    text = json.dumps(saved)
    found = outcome(partial(other.deserialize_state, text))
    if not isinstance(found, State):
        assert found[0] is BadInput
        return
    twin = one.deserialize_state(text)
    same(twin, found)
    action = twin.legal_actions()[0]
    assert found.legal_actions() == twin.legal_actions()
    for state in (twin, found):
        state.apply_action(action)
    same(twin, found)


def came_to(do: Callable[[], Any]) -> Any:
    """What comes of it; of whatever error its kind."""
    try:
        return do()
    except Exception as error:  # of parts that make no sense, anything
        return type(error)


@pytest.mark.parametrize(("name", "part", "value"), [
    ("pig", "score", [-1, 0]), ("pig", "turn", 2**33), ("pig", "score", ["a", "b"]), ("pig", "score", [1]),
    ("tidewall", "cart", 99), ("tidewall", "sea", [3] * 200), ("tidewall", "quarry", [7, 3]), ("pig", "actor", 9),
    ("crazy_eights", "hand", [[0, 0], [], []]), ("crazy_eights", "hand", [[-1], [], []]), ("pig", "queue", None),
    ("goofspiel", "hand", [[0, 0, 1], [1, 1, 2]]),
])  # fmt: skip
def test_a_position_that_holds_what_none_can_goes_on_in_python(
    native: Load, name: str, part: str, value: Any
) -> None:  # fmt: skip
    """C asks before it believes a position that was put together by hand. The laws put such together: hidden cards that
    lie anywhere."""
    one, other = both(native, name)
    positions = [game.start() for game in (one, other)]
    for position in positions:
        setattr(position, part, copy.deepcopy(value))
    for act in ("legal", "outcomes", "apply"):
        given = (0,) if act == "apply" else ()
        expected, found = (came_to(partial(getattr(position, act), *given)) for position in positions)
        assert found == expected
    assert {member: getattr(positions[1], member) for member in type(positions[0]).members()} == {
        member: getattr(positions[0], member) for member in type(positions[0]).members()
    }


COUNTING = """\
game: counting
players: 2
longest: 12
vars:
  far: {type: count, starts: 0, seen: everyone}
  near: {each: seat, type: count, starts: 7, seen: everyone}
  rest: {type: 0..9, starts: 9, seen: everyone}
measures:
  far away: {at: end, is: far}
  nearer: {each: p in players, at: end, is: "near[p]"}
phases:
  play:
    turns: {from: 0, until: rest == 0}
    actions:
      jump():
        do: |
          far += 999999999
          rest -= 1
      step():
        do: |
          near[me] += 999999999
          far += 1
          rest -= 1
    then: end
result: {rank: "rest"}
"""


def test_counts_are_as_large_as_they_come(native: Load, tmp_path: Any) -> None:
    """They alone have no range: 32 bits do not hold them."""
    path = tmp_path / "counting.yaml"
    path.write_text(COUNTING, encoding="utf-8")
    one, other = native(path)
    for number in range(5):
        *_, (a, b) = walk(one, other, number)
        same(a, b)
        same(a, other.deserialize_state(a.serialize()))
        far = State(other, b.position)
        same(far, other.deserialize_state(far.serialize()))
        assert a.to_dict()["vars"]["far"] > 2**31
    alike(one.playouts(50, SEED), other.playouts(50, SEED))
