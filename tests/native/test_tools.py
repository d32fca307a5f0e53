"""What takes a game takes a native one: laws, machines, scenarios, described positions, explorers, environments."""

from __future__ import annotations

import copy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test

from aeronef import pettingzoo as zoo
from aeronef.episode import Episode
from aeronef.native.game import NativeGame
from aeronef.runtime import scenario
from aeronef.runtime.errors import BadInput
from aeronef.runtime.explore import Limits, explore
from aeronef.runtime.laws import walk as lawful
from aeronef.runtime.lockstep import compare, play
from aeronef.runtime.machine import search
from aeronef.runtime.positions import describe_state
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import dump
from aeronef.runtime.transcript import write_state
from tests.emit.c.native import Load, variant
from tests.face.test_pettingzoo import MASKED
from tests.games.specs import SPECS
from tests.native.twins import GAMES, SEED, at_times, both, outcome
from tests.native.twins import walk as beside

# ------------------------------------------------------------------------------------------ laws


@pytest.mark.parametrize("name", GAMES)
def test_the_laws_hold(native: Load, name: str) -> None:
    """In the same number of steps as in Python."""
    one, other = both(native, name)
    assert lawful(other, SEED, 1, looks=1) == lawful(one, SEED, 1, looks=0)


@pytest.mark.parametrize("name", ["balloon", "celestia", "tidewall", "goofspiel"])
def test_a_hypothesis_machine_finds_nothing(native: Load, name: str) -> None:
    _, other = both(native, name)
    assert search(other, 4, 12, SEED) is None


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "goofspiel", "tic_tac_toe", "ferry", "market"])
def test_nobody_could_tell_the_back_ends_apart_in_breadth(native: Load, name: str) -> None:
    one, other = native(name)
    found = compare(one, other, 150)
    assert found.difference is None
    assert found.whole or found.states == 150


@pytest.mark.parametrize("name", ["flying_saucer", "magpies", "ladder"])
def test_nobody_could_tell_them_apart_in_a_play(native: Load, name: str) -> None:
    assert play(*both(native, name), SEED, 1) is None


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_what_a_game_can_reach_is_the_same(native: Load, name: str) -> None:
    one, other = (explore(game, Limits(states=3000)) for game in native(name))
    assert len(one) > 50
    assert (other.came, other.by, other.to, other.via, other.kinds) == (
        one.came, one.by, one.to, one.via, one.kinds,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------ described positions

DOCUMENTS = [
    path
    for folder in ("variants", "examples", "tests/games")
    for path in sorted((SPECS["pig"].parents[1] / folder).glob("*.scenarios.yaml"))
]


def document(path: Path) -> tuple[str, list[scenario.Scenario]]:
    return path.name.removesuffix(".scenarios.yaml"), scenario.read(
        path.read_text(encoding="utf-8"), path.name
    ).scenarios


def settings(path: Path) -> tuple[str, dict[tuple[int, str], list[scenario.Scenario]]]:
    """The worked examples of a file by players and options."""
    name, scenarios = document(path)
    found: dict[tuple[int, str], list[scenario.Scenario]] = {}
    for one in scenarios:
        players = one.players if one.players is not None else variant(name).players[0]
        found.setdefault((players, repr(sorted(one.options.items()))), []).append(one)
    return name, found


def worked(native: Load, name: str, scenarios: list[scenario.Scenario]) -> None:
    """Examples of one setting: each comes out as it says, and begins in C as in Python."""
    one, other = native(name, scenarios[0].players, **scenarios[0].options)
    for example in scenarios:
        result = scenario.run_one(example, lambda *_: other)
        assert result.ok, f"{example.name}: {result.message}"
        if example.given is not None:
            a, b = describe_state(one, example.given), describe_state(other, example.given)
            assert dump(b.position) == dump(a.position)
            assert b.serialize() == a.serialize()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name.partition(".")[0])
def test_worked_examples(native: Load, path: Path) -> None:
    """Those of the setting that most are of."""
    name, found = settings(path)
    worked(native, name, max(found.values(), key=len))


@pytest.mark.campaign
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name.partition(".")[0])
def test_all_worked_examples(native: Load, path: Path) -> None:
    name, found = settings(path)
    for scenarios in found.values():
        worked(native, name, scenarios)


@pytest.mark.parametrize("given", [
    {"phase": "nowhere"}, {"phase": "play", "vars": {"score": [1]}}, {"phase": "play", "vars": {"score": [1, 500]}},
    {"phase": "play", "vars": {"colour": 1}}, {"phase": "play", "zones": {"hand": []}},
])  # fmt: skip
def test_a_position_that_is_described_wrongly_is_refused_alike(native: Load, given: dict[str, Any]) -> None:
    expected, found = (outcome(partial(describe_state, game, given)) for game in native("pig", 2))
    assert found == expected
    assert found[0] is BadInput


@pytest.mark.parametrize("name", ["balloon", "celestia", "tidewall", "pig"])
def test_a_states_history_is_written_alike(native: Load, name: str) -> None:
    a, b = at_times(*both(native, name), 3, 2, 120)[1]
    written: list[list[str]] = [[], []]
    for state, lines in zip((a, b), written, strict=True):
        write_state(state, lines.append, left=True)
    assert written[1] == written[0]


# ------------------------------------------------------------------------------------------ environments


@pytest.mark.parametrize("name", ["pig", "leduc_poker", "ferry", "montgolfiere_race"])
def test_an_episode_draws_the_same_chance(native: Load, name: str) -> None:
    one, other = (Episode(game.new_initial_state(), Rng.stream(SEED, 4)) for game in both(native, name))
    for step in range(400):
        assert (other.over, other.stopped) == (one.over, one.stopped)
        assert dump(other.state.position) == dump(one.state.position)
        if one.over:
            break
        legal = one.state.legal_actions()
        for episode in (one, other):
            episode.play(legal[step % len(legal)])
    assert Episode.restored(other.state.game, other.kept()).state.serialize() == other.state.serialize()


@pytest.mark.parametrize("name", ["leduc_poker", "montgolfiere_race", "goofspiel"])
def test_an_environment_of_a_native_game_is_the_same_environment(native: Load, name: str) -> None:
    one, other = (zoo.raw_env(game) for game in both(native, name))
    rng = np.random.default_rng(SEED)
    for seed in (SEED, None):
        one.reset(seed=seed)
        other.reset(seed=seed)
        twin = None
        for step in range(150):
            assert other.agents == one.agents
            if not one.agents:
                break
            assert (other.agent_selection, other.rewards, other.terminations, other.truncations) == (
                one.agent_selection, one.rewards, one.terminations, one.truncations,
            )  # fmt: skip
            x, y = one.observe(one.agent_selection), other.observe(other.agent_selection)
            assert np.array_equal(y["observation"], x["observation"])
            assert np.array_equal(y["action_mask"], x["action_mask"])
            assert np.array_equal(other.state(), one.state())
            over = one.terminations[one.agent_selection] or one.truncations[one.agent_selection]
            action = None if over else int(rng.choice(np.flatnonzero(x["action_mask"])))
            if step == 5 and not over:
                twin = copy.deepcopy(other)
                twin.step(action)
            one.step(action)
            other.step(action)
            if step == 5 and twin is not None:
                assert np.array_equal(twin.state(), other.state())


@pytest.mark.filterwarnings(f"ignore:{MASKED}:UserWarning")
def test_pettingzoos_own_tests_pass(native: Load) -> None:
    api_test(zoo.env(both(native, "leduc_poker")[1]), num_cycles=60)
    parallel_api_test(zoo.parallel_env(both(native, "goofspiel")[1]), num_cycles=60)


@pytest.mark.parametrize("name", ["leduc_poker", "goofspiel", "pig"])
def test_a_native_game_of_openspiel_is_the_same_game(built: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Its own test passes too."""
    pyspiel = pytest.importorskip("pyspiel")
    openspiel = pytest.importorskip("aeronef.openspiel")
    monkeypatch.setenv("AERONEF_CACHE", str(built))
    one, other = (openspiel.load(SPECS[name], 2, backend=backend) for backend in ("python", "native"))
    assert isinstance(other.aeronef, NativeGame)
    pyspiel.random_sim_test(other, num_sims=2, serialize=True, verbose=False)
    a, b = one.new_initial_state(), other.new_initial_state()
    rng = np.random.default_rng(SEED)
    for _ in range(60):
        assert (b.current_player(), b.legal_actions(), str(b)) == (a.current_player(), a.legal_actions(), str(a))
        if a.is_terminal():
            break
        if a.current_player() >= 0:
            for player in range(2):
                assert b.observation_string(player) == a.observation_string(player)
                assert b.information_state_string(player) == a.information_state_string(player)
        action = int(rng.choice(a.legal_actions()))
        twin = copy.deepcopy(b)
        for state in (a, b, twin):
            state.apply_action(action)
        assert str(twin) == str(b)
    assert b.returns() == a.returns()


@pytest.mark.parametrize("name", ["celestia"])
def test_random_games_end_as_in_play(native: Load, name: str) -> None:
    """What `playouts` says of a game is how it ends step by step."""
    one, other = both(native, name)
    played = other.playouts(3, SEED)
    for number in range(3):
        *_, (_, b) = beside(one, other, number)
        assert played.lengths[number] == b.position.steps
        assert played.returns[number].tolist() == b.returns()
        assert played.ranking[number].tolist() == b.ranking()
