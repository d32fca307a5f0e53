"""Compiled games as games of OpenSpiel: its own conformance test passes, and its algorithms play them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aeronef
from aeronef.runtime.errors import BadInput, IllegalAction
from aeronef.runtime.tensors import information_state, observation
from aeronef.worth import all_is_open, worth

pyspiel = pytest.importorskip("pyspiel")
openspiel = pytest.importorskip("aeronef.openspiel")

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml") if "." not in path.stem)
SHIPPED = aeronef.shipped()


def example(name: str, players: int | None = None, **options: Any) -> Any:
    return openspiel.load(EXAMPLES / f"{name}.yaml", players, **options)


def random_states(game: Any, games: int, seed: int) -> Iterator[Any]:
    """The states of random games, each after the one before it (the same object)."""
    source = np.random.RandomState(seed)
    for _ in range(games):
        state = game.new_initial_state()
        yield state
        while not state.is_terminal():
            state.apply_action(int(source.choice(state.legal_actions())))
            yield state


# ------------------------------------------------------------------------------------------ OpenSpiel's own test


def spans() -> list[Any]:
    """Each shipped variant with each number of players; all but the fewest are left to the campaign."""
    found = []
    for name in SHIPPED:
        players = openspiel.load(name).get_type()
        for n in range(players.min_num_players, players.max_num_players + 1):
            marks = [pytest.mark.campaign] if n > players.min_num_players else []
            found.append(pytest.param(name, n, id=f"{name}-{n}", marks=marks))
    return found


@pytest.mark.parametrize(("name", "players"), spans())
def test_openspiels_own_test_passes_for_the_variants(name: str, players: int) -> None:
    openspiel.register()
    game = pyspiel.load_game(f"aeronef_{name}(players={players})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_openspiels_own_test_passes_for_the_examples(name: str) -> None:
    kind = example(name).get_type()
    for players in sorted({kind.min_num_players, kind.max_num_players}):
        pyspiel.random_sim_test(example(name, players), num_sims=2, serialize=True, verbose=False)


# ------------------------------------------------------------------------------------------ what it is told


def test_a_game_is_loaded_by_its_name_and_options() -> None:
    assert openspiel.register() == [f"aeronef_{name}" for name in SHIPPED]
    game = pyspiel.load_game("aeronef_balloon(players=4,takeoff_rule=literal,first=seat2)")
    assert game.num_players() == 4
    assert game.aeronef.options == {"first": 2, "mode": "normal", "first_card": "choose", "takeoff_rule": "literal"}
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(openspiel.load("balloon", 4, takeoff_rule="literal", first=2)) == str(game)


def test_a_spec_of_ones_own_is_registered_and_registered_anew(tmp_path: Path) -> None:
    path = tmp_path / "my_kuhn.yaml"
    text = (EXAMPLES / "kuhn_poker.yaml").read_text(encoding="utf-8").replace("game: kuhn_poker", "game: my_kuhn")
    path.write_text(text, encoding="utf-8")
    assert openspiel.register(path) == ["aeronef_my_kuhn"]
    assert pyspiel.load_game("aeronef_my_kuhn").max_utility() == 2
    path.write_text(text.replace("paid[me] := 2", "paid[me] := 3").replace("1..2", "1..3").replace("== 2", "== 3"))
    openspiel.register(path)
    assert pyspiel.load_game("aeronef_my_kuhn").max_utility() == 3


@pytest.mark.parametrize(("asked", "said"), [
    ("aeronef_balloon(players=9)", "for 2 to 6 players, not 9"),
    ("aeronef_balloon(takeoff_rule=lateral)", "takeoff_rule"),
    ("aeronef_balloon(first=seat4)", "a seat (0 to 1)"),
    ("aeronef_celestia(first=nobody)", "random"),
])  # fmt: skip
def test_a_bad_option_is_told_in_our_words(asked: str, said: str) -> None:
    openspiel.register()
    with pytest.raises(BadInput) as error:
        pyspiel.load_game(asked)
    assert said in str(error.value)


def test_an_option_that_is_not_there_is_told_in_openspiels_words() -> None:
    openspiel.register()
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'colour'"):
        pyspiel.load_game("aeronef_balloon(colour=red)")


@pytest.mark.parametrize("line", ["name: {type: bool, default: false}", 'speed: {type: ["1", "2"], default: "1"}'])
def test_an_option_that_openspiel_cannot_say_is_refused(line: str, tmp_path: Path) -> None:
    text = (EXAMPLES / "pig.yaml").read_text(encoding="utf-8").replace("options:\n", f"options:\n  {line}\n")
    path = tmp_path / "pig.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((BadInput, aeronef.SpecError)):
        openspiel.register(path)


def test_what_kind_of_game_it_is() -> None:
    kinds, chance = pyspiel.GameType.Information, pyspiel.GameType.ChanceMode
    zero, general = pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.GENERAL_SUM
    for name, information, random, utility in [
        ("tic_tac_toe", kinds.PERFECT_INFORMATION, chance.DETERMINISTIC, zero),
        ("kuhn_poker", kinds.IMPERFECT_INFORMATION, chance.EXPLICIT_STOCHASTIC, zero),
        ("leduc_poker", kinds.IMPERFECT_INFORMATION, chance.EXPLICIT_STOCHASTIC, zero),
        ("pig", kinds.PERFECT_INFORMATION, chance.EXPLICIT_STOCHASTIC, general),  # too long a game is cut: 0 to 0
    ]:
        kind = example(name).get_type()
        assert (kind.information, kind.chance_mode, kind.utility) == (information, random, utility), name
    game = example("leduc_poker")
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-13, 13, 0)


def test_of_a_game_too_large_to_explore_is_said_what_its_ranges_say() -> None:
    game = example("pig", goal=100)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, None)


def test_a_tensor_that_would_be_too_long_is_not_promised() -> None:
    game = openspiel.load("balloon", 3)
    kind = game.get_type()
    assert not kind.provides_information_state_tensor
    assert kind.provides_observation_tensor
    assert kind.provides_information_state_string
    with pytest.raises(BadInput, match="use observations"):
        game.new_initial_state().information_state_tensor(0)
    assert openspiel.load("montgolfiere_race", 2).get_type().provides_information_state_tensor


def test_what_a_game_is_worth_is_what_its_ends_say() -> None:
    """Explored whole, or told by the ranges of the rules: never narrower than what play shows."""
    for name in ("kuhn_poker", "leduc_poker", "goofspiel", "pig", "liars_dice"):
        game = aeronef.load(EXAMPLES / f"{name}.yaml")
        whole, told = worth(game), worth(game, states=2)
        assert not told.exact
        assert told.low <= whole.low <= whole.high <= told.high
        for k in range(30):
            returns = game.playouts(1, seed=5, first=k).returns[0]
            assert whole.low <= min(returns) <= max(returns) <= whole.high
            assert whole.total in (None, pytest.approx(sum(returns)))


def test_a_game_is_open_only_if_nothing_is_hidden(tmp_path: Path) -> None:
    path = tmp_path / "tic_tac_toe.yaml"
    text = (EXAMPLES / "tic_tac_toe.yaml").read_text(encoding="utf-8")
    for changed, open_ in [(text, True), (text.replace('"seat?", seen: everyone', '"seat?", seen: viewer == 0'), False),
                           (text.replace("told: everyone", "told: nobody"), False)]:  # fmt: skip
        path.write_text(changed, encoding="utf-8")
        assert all_is_open(aeronef.load(path)) is open_


# ------------------------------------------------------------------------------------------ states


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "liars_dice"])
def test_what_a_player_knows_is_what_aeronef_says(name: str) -> None:
    game = example(name)
    for k, state in enumerate(random_states(game, 5, 7)):
        own = state.aeronef
        for player in range(game.num_players()):
            assert state.information_state_string(player) == own.information_state_string(player)
            assert state.observation_string(player) == own.observation_string(player)
            assert state.observation_tensor(player) == observation(own, player).tolist()
            if k % 3 == 0:
                assert state.information_state_tensor(player) == information_state(own, player).tolist()
        assert state.history() == own.history()
        assert state.returns() == own.returns()


def test_a_state_is_copied_pickled_and_written() -> None:
    for name in SHIPPED:
        game = openspiel.load(name)
        for k, state in enumerate(random_states(game, 1, 3)):
            if k % 41:
                continue
            for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state)),
                          game.deserialize_state(state.serialize())):  # fmt: skip
                assert (str(other), other.history()) == (str(state), state.history())
                for player in range(game.num_players()):
                    assert other.information_state_string(player) == state.information_state_string(player)
            if not state.is_terminal():
                before, other = str(state), state.clone()
                other.apply_action(other.legal_actions()[0])
                assert str(state) == before


def test_an_illegal_action_is_refused_with_its_reason() -> None:
    state = example("leduc_poker").new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    fold = state.aeronef.string_to_action("fold()")
    with pytest.raises(IllegalAction, match="stakes"):
        state.apply_action(fold)
    assert len(state.history()) == 2
    with pytest.raises(pyspiel.SpielError):
        state.undo_action(0, 0)  # OpenSpiel has it for its own games only


def test_an_error_that_nobody_catches_ends_the_process_as_it_should() -> None:
    program = "import pyspiel, aeronef.openspiel as o; o.register(); pyspiel.load_game('aeronef_balloon(players=9)')"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert found.stderr.strip().splitlines()[-1].endswith("balloon is for 2 to 6 players, not 9")


def test_another_world_is_one_that_the_player_cannot_tell() -> None:
    moved = 0
    for name in ("kuhn_poker", "leduc_poker", "liars_dice"):
        for state in random_states(example(name), 4, 11):
            player = state.current_player()
            if player < 0:
                continue
            other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(1, 0.0, 1.0))
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.current_player() == player
            moved += other.history() != state.history()
    assert moved


# ------------------------------------------------------------------------------------------ algorithms


def test_mcts_finds_the_winning_mark() -> None:
    from open_spiel.python.algorithms import mcts

    game = example("tic_tac_toe")
    state = game.new_initial_state()
    for mark in ("mark(1, 1)", "mark(2, 1)", "mark(1, 2)", "mark(2, 2)"):
        state.apply_action(state.string_to_action(mark))
    evaluator = mcts.RandomRolloutEvaluator(2, np.random.RandomState(5))
    bot = mcts.MCTSBot(game, 2.0, 100, evaluator, random_state=np.random.RandomState(6))
    assert state.action_to_string(bot.step(state)) == "mark(1, 3)"


def test_minimax_draws_tic_tac_toe_from_two_marks_on() -> None:
    from open_spiel.python.algorithms import minimax

    state = example("tic_tac_toe").new_initial_state()
    for mark in ("mark(1, 1)", "mark(2, 2)", "mark(3, 3)"):
        state.apply_action(state.string_to_action(mark))
    value, _ = minimax.alpha_beta_search(state.get_game(), state=state, maximizing_player_id=0)
    assert value == 0


def test_mccfr_of_openspiel_runs() -> None:
    solver = pyspiel.OutcomeSamplingMCCFRSolver(example("kuhn_poker"))
    for _ in range(300):
        solver.run_iteration()
    assert pyspiel.nash_conv(example("kuhn_poker"), solver.average_policy()) < 1


def seats() -> list[Any]:
    return [
        pytest.param(name, n, marks=[pytest.mark.campaign] if n > 2 else [], id=f"{name}-{n}")
        for name in SHIPPED for n in (2, 4)
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "players"), seats())
def test_ismcts_plays(name: str, players: int) -> None:
    """OpenSpiel's own asserts that a resampled state has the same information state."""
    from open_spiel.python.algorithms import ismcts, mcts

    game = openspiel.load(name, players)
    luck, chance = np.random.RandomState(1), np.random.RandomState(3)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, luck), 2.0, 3, random_state=luck)
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal() and decisions < 5:
        if state.is_chance_node():
            actions, likely = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(chance.choice(actions, p=likely)))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(int(action))
            decisions += 1
    assert decisions == 5
