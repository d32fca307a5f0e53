"""Nobody has to look at a state for its past to be there: it is the past that somebody sees who always looks."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from aeronef.covered import Counting
from aeronef.loading import execute
from aeronef.runtime.coverage import Tally, counting
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import Position
from aeronef.runtime.state import State, dump
from tests.emit.test_meaning import game_of
from tests.games.specs import SPECS, emitted

SEED = 20261130
GAMES = [("montgolfiere_race", 3), ("balloon", 2), ("celestia", 2), ("goofspiel", 2), ("crazy_eights", 2)]

TO_TEN = """\
game: to_ten
players: 2
longest: 99
vars:
  total: {type: 0..10, starts: 0, seen: everyone}
phases:
  play:
    turns: {from: 0, until: total == 10}
    actions:
      add(k in 1..5): {told: everyone, do: "total := total + 1\\ntotal := total + k - 1"}
    then: end
result: {rank: 0}
accepts:
  - {finding: AE701, at: phases.play.actions.add, why: Who adds too much breaks the rules.}
"""


@cache
def game(name: str, players: int | None = None) -> Game:
    return Game(execute(emitted(name), name), players)


def watched(state: State, seed: int, steps: int = 10_000) -> list[dict[str, Any]]:
    """Random steps, with a look at each position before the next; how each stood then."""
    rng, seen = random.Random(seed), list[dict[str, Any]]()
    while not state.is_terminal() and len(seen) < steps:
        seen.append(dump(state.position))
        state.apply_action(rng.choice(state.legal_actions()))
    return seen


def unwatched(state: State, seed: int, steps: int = 10_000) -> State:
    """The same steps, and nobody looks."""
    rng = random.Random(seed)
    while not state.is_terminal() and len(state.moves) < steps:
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_past_is_played_again_as_it_was(name: str, players: int) -> None:
    one = game(name, players)
    for number in range(3):
        print("seed", SEED + number)
        seen = watched(one.new_initial_state(), SEED + number)
        state, looked = unwatched(one.new_initial_state(), SEED + number), one.new_initial_state()
        watched(looked, SEED + number)
        assert [dump(position) for position in state.trail] == seen
        for player in range(players):
            assert unwatched(one.new_initial_state(), SEED + number).information_state_string(
                player
            ) == looked.information_state_string(player)


def test_what_was_handed_out_stays_as_it_is() -> None:
    state, rng = game("celestia", 2).new_initial_state(), random.Random(SEED)
    print("seed", SEED)
    kept: list[tuple[Position, dict[str, Any]]] = []
    for _ in range(300):
        if state.is_terminal():
            break
        if rng.random() < 0.4:
            kept.append((state.position, dump(state.position)))
        state.apply_action(rng.choice(state.legal_actions()))
    assert all(dump(position) == then for position, then in kept)


def test_undoing_and_clones_need_no_look_before() -> None:
    one = game("crazy_eights", 2)
    seen = watched(one.new_initial_state(), SEED, 40)
    state = unwatched(one.new_initial_state(), SEED, 40)
    twin, now = state.clone(), dump(state.clone().position)
    unwatched(twin, SEED + 1, 60)
    assert dump(state.position) == now
    for before in reversed(seen[20:]):
        state.undo_action()
        assert dump(state.position) == before
    assert [dump(position) for position in state.trail] == seen[:20]
    assert [dump(position) for position in twin.trail][:40] == seen


def sum_of(position: Any) -> int:
    return int(position.total)


@pytest.fixture(scope="module")
def to_ten() -> Game:
    return game_of(TO_TEN)


@pytest.mark.parametrize("looks", [False, True])
@pytest.mark.parametrize("adds", [(5, 3), (4, 1, 2, 1), (1,) * 7])
def test_a_step_that_goes_wrong_changes_nothing(to_ten: Game, adds: tuple[int, ...], looks: bool) -> None:
    """Even where half of it was done."""
    state, total = to_ten.new_initial_state(), sum(adds)
    for k in adds:
        state.apply_label(f"add({k})")
    before = dump(state.position) if looks else None
    moves = state.full_history()
    with pytest.raises(RuleFault, match=r"is not within 0\.\.10"):
        state.apply_label("add(5)")
    assert state.full_history() == moves
    assert sum_of(state.position) == total
    assert before is None or dump(state.position) == before
    state.apply_label(f"add({10 - total})")
    assert state.is_terminal()
    assert [sum_of(position) for position in state.trail] == [sum(adds[:k]) for k in range(len(adds) + 1)]


def test_first_steps_that_go_wrong_change_nothing() -> None:
    text = TO_TEN.replace("starts: 0", "starts: 8")
    state = game_of(text).new_initial_state()
    with pytest.raises(RuleFault):
        state.apply_label("add(3)")
    assert (state.moves, state.trail, sum_of(state.position)) == ([], [], 8)
    state.apply_label("add(2)")
    assert state.is_terminal()


def test_every_spec_has_such_a_past() -> None:
    """A few steps of each, so that no construct is left out."""
    for name in SPECS:
        one = game(name)
        seen = watched(one.new_initial_state(), SEED, 25)
        assert [dump(position) for position in unwatched(one.new_initial_state(), SEED, 25).trail] == seen, name


def test_what_is_counted_is_not_played_again() -> None:
    made = Counting(SPECS["celestia"])
    tally, one = Tally(len(made.game.points)), Game(made.variant, 2)
    state = unwatched(counting(one, made.known, tally.of(one)).new_initial_state(), SEED, 200)
    counted = tally.counts()
    assert len(state.trail) == 200
    assert sum(counted) > 0
    assert tally.counts() == counted
