"""What a player may know is the same numbers from C: of one state, and of many at once, also amid a choice together."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aeronef.native.game import NativeGame
from aeronef.runtime.combinations import few
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick
from aeronef.runtime.state import State
from aeronef.runtime.tensors import cells, whole
from tests.emit.c.native import Load, variant
from tests.games.specs import SPECS

SEED = 20261130
STEPS = 60
GAMES = 3


def settled(game: Game, number: int) -> tuple[State, Rng]:
    state, rng = game.new_initial_state(), Rng.stream(SEED, number)
    settle(state, rng)
    return state, rng


def settle(state: State, rng: Rng) -> None:
    """Chance acts, with the random numbers that it has in a batch."""
    while state.is_chance_node():
        state.apply_action(pick(state.position, rng)[0])


@pytest.mark.parametrize("name", SPECS)
def test_observations_of_one_and_of_many_are_those_in_python(native: Load, name: str) -> None:
    players, options = few(variant(name))[-1]
    observed_alike(*native(name, players, **options))


def observed_alike(game: Game, library: NativeGame) -> None:
    """Some random games in both, with what each player may know before each step."""
    chance, players = random.Random(SEED), game.players
    batch = library.batch(GAMES, SEED)
    rows = [settled(game, number) for number in range(GAMES)]
    alone, _ = settled(library, 0)
    for step in range(STEPS):
        print(f"seed {SEED}, step {step}")
        for player in range(players):
            expected = np.stack([state.observation_tensor(player) for state, _ in rows])
            assert (batch.observations(player) == expected).all()
            assert (alone.observation_tensor(player) == expected[0]).all()
        assert (whole(alone) == whole(rows[0][0])).all()
        actors = [state.current_player() for state, _ in rows]
        of_actors = batch.observations()
        for k, (state, _) in enumerate(rows):
            expected = state.observation_tensor(actors[k]) if actors[k] >= 0 else np.zeros_like(of_actors[k])
            assert (of_actors[k] == expected).all()
        if all(state.is_terminal() for state, _ in rows):
            break
        actions = [0 if state.is_terminal() else chance.choice(state.legal_actions()) for state, _ in rows]
        batch.step(actions)
        for k, (state, rng) in enumerate(rows):
            if not state.is_terminal():
                before = len(state.moves)
                state.apply_action(actions[k])
                settle(state, rng)
                if k == 0:
                    for _, move in state.moves[before:]:
                        alone.apply_action(move)


WIDE = """\
game: wide
players: 2
longest: 9
vars:
  far: {type: 0..90000000, starts: 5, seen: everyone}
  low: {type: "-5..900000?", seen: everyone}
phases:
  play:
    turns: {from: 0, until: far > 90000}
    actions:
      go(n in 1..3): {told: everyone, do: "far := far * 10 + n\\nlow := n * 100 - 4"}
    then: end
result: {rank: far}
"""


def test_a_number_of_a_wide_range_is_scaled_and_its_values_are_never_listed(native: Load, tmp_path: Path) -> None:
    path = tmp_path / "wide.yaml"
    path.write_text(WIDE, encoding="utf-8")
    states = [game.new_initial_state() for game in native(path)]
    assert all(not cell.values for cell in cells(states[0].game))
    while not states[0].is_terminal():
        one, other = (state.observation_tensor(0) for state in states)
        assert (one == other).all()
        far = states[0].to_dict()["vars"]["far"]
        assert one[-5] == np.float32(far / 90_000_000)
        for state in states:
            state.apply_action(2)


def test_an_observation_is_of_a_player(native: Load) -> None:
    _, library = native("kuhn_poker")
    batch: Any = library.batch(2)
    with pytest.raises(BadInput, match=r"there is no player 2 \(they are 0 to 1\)"):
        batch.observations(2)
