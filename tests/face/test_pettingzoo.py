"""PettingZoo's own tests pass on every game, and what an environment says is what the game's state says."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box
from pettingzoo.test.api_test import api_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import parallel_seed_test, seed_test
from pettingzoo.test.state_test import test_parallel_env as parallel_state_test
from pettingzoo.test.state_test import test_state as state_test
from pettingzoo.test.state_test import test_state_space as state_space_test

import aeronef
from aeronef import pettingzoo as zoo
from aeronef.loading import load_variant, shipped
from aeronef.runtime.combinations import few, pairwise
from aeronef.runtime.errors import BadInput, IllegalAction
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose

ROOT = Path(__file__).parents[2]
EXAMPLES = [str(path) for path in sorted((ROOT / "examples").glob("*.yaml")) if "." not in path.stem]
AUTOMATA = str(ROOT / "tests" / "language" / "right" / "automata.yaml")  # a choice together in which seats choose often
RATION = str(ROOT / "tests" / "corpus" / "flour_ration.yaml")  # one choice a round, after chance
GOOFSPIEL = str(ROOT / "examples" / "goofspiel.yaml")
TOGETHER = [(GOOFSPIEL, {}), (RATION, {}), (AUTOMATA, {"players": 3, "speed": "wild", "helpers": False})]

# What PettingZoo says of every observation with an action mask, its own games' too (it knows them by their names).
MASKED = r"Observation is not a NumPy array|Observation space for each agent probably|Environment's maximum state space"

# Everything is always legal: PettingZoo's `max_cycles_test` looks at no mask.
FINGERS = """\
game: fingers
says: All show one or two fingers, a hundred times; who shows two alone gets a point.
players: 2..3
longest: 300
vars:
  shown: {each: seat, type: 0..2, starts: 0, seen: viewer == owner}
  points: {each: seat, type: 0..100, starts: 0, seen: everyone}
  left_over: {type: 0..100, starts: 100, seen: everyone}
phases:
  show:
    together: players
    actions:
      show(n in 1..2): {told: viewer == me, do: "shown[me] := n"}
    then: score
  score:
    do: |
      for p in players where all((shown[q] == 2) == (q == p) for q in players):
        points[p] := min(points[p] + 1, 100)
      left_over := max(left_over - 1, 0)
    then: show if left_over > 0 else end
result: {rank: "points[me]"}
"""

# All cards of two decks come to lie in one pile: of each more than a deck has.
HEAP = """\
game: heap
says: Lay your deck on the heap, card by card.
players: 2
longest: 20
cards:
  Card: {attributes: {number: 1..3}, kinds: [{label: "{number}", number: 1..3}]}
zones:
  hand: {each: seat, of: Card, starts: Card, seen: viewer == owner}
  heap: {of: Card, seen: everyone}
vars:
  laid: {type: count, starts: 1, seen: everyone}
phases:
  lay:
    turns: {from: 0, until: "all(size(hand[p]) == 0 for p in players)"}
    actions:
      lay(c in hand[me]):
        told: everyone
        do: |
          move c from hand[me] to heap
          laid += 100
    then: end
result: {rank: "size(hand[me])"}
"""

# Nobody can ever do anything else, or (`stay`) nobody ever must.
PASSING = """\
game: passing
says: Pass for ever.
players: 2
longest: 12
options:
  stay: {type: bool, default: false}
vars:
  passed: {each: seat, type: bool, starts: false, seen: everyone}
phases:
  pass:
    turns: players
    actions:
      pass(): {}
      stay(): {when: stay}
    then: pass
result: {rank: "passed[me]"}
"""


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        path = tmp_path / f"{text.split()[1]}.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def settings() -> Iterator[tuple[str, int]]:
    for spec in [*shipped(), *EXAMPLES]:
        yield from ((spec, players) for players in load_variant(spec).players)


def name_of(value: object) -> str:
    return Path(value).stem if isinstance(value, str) else str(value)


def conforms(make: Callable[..., Any], cycles: int) -> None:
    """PettingZoo's own tests, and no warning of theirs but those that every observation with a mask gets."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        api_test(make(), num_cycles=cycles)
        seed_test(make, num_cycles=cycles)
        state_space_test(make())
    strays = {str(warning.message) for warning in found if not re.match(MASKED, str(warning.message))}
    assert not strays


def random_steps(env: Any, seed: int) -> Iterator[str]:
    """Plays an episode at random: the agent whose turn it is, before each decision."""
    rng = Rng.stream(seed, 0)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        yield agent
        legal = observation["action_mask"].nonzero()[0]
        env.step(legal[rng.below(len(legal))])


# ------------------------------------------------------------------------------------------ PettingZoo's tests


@pytest.mark.parametrize(("spec", "players"), list(settings()), ids=name_of)
def test_every_game_passes_pettingzoos_tests(spec: str, players: int) -> None:
    conforms(partial(zoo.env, spec, players), cycles=40)


@pytest.mark.campaign
@pytest.mark.parametrize("spec", [*shipped(), *EXAMPLES], ids=name_of)
def test_every_game_passes_pettingzoos_tests_with_every_pair_of_options(spec: str) -> None:
    for players, options in pairwise(load_variant(spec)):
        conforms(partial(zoo.env, spec, players, **options), cycles=1000)


@pytest.mark.parametrize(("spec", "options"), TOGETHER, ids=name_of)
def test_a_game_of_choices_together_passes_the_tests_of_parallel_environments(
    spec: str, options: dict[str, Any]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(zoo.parallel_env(spec, **options), num_cycles=100)
    parallel_state_test(zoo.parallel_env(spec, **options))


def test_max_cycles_and_seeds_pass_pettingzoos_tests(written: Callable[[str], str]) -> None:
    spec = written(FINGERS)
    for players in (2, 3):
        max_cycles_test(
            SimpleNamespace(env=partial(zoo.env, spec, players), parallel_env=partial(zoo.parallel_env, spec, players))
        )
        parallel_seed_test(partial(zoo.parallel_env, spec, players))
        state_test(zoo.env(spec, players), num_cycles=10)


# ------------------------------------------------------------------------------------------ turns


@pytest.mark.parametrize("spec", [*shipped(), *EXAMPLES], ids=name_of)
def test_what_is_observed_is_what_the_state_says(spec: str) -> None:
    """At each decision: the views as numbers, within their space; what is legal, for who is to choose alone."""
    variant = load_variant(spec)
    for players, options in few(variant)[:: max(1, len(few(variant)) // 3)]:
        env = zoo.raw_env(Game(variant, players, options), max_cycles=25)
        env.reset(seed=20261130)
        for agent in random_steps(env, seed=20261130):
            state = env.game_state
            assert agent == f"player_{state.current_player()}"
            for player, other in enumerate(env.possible_agents):
                seen = env.observe(other)
                assert env.observation_space(other).contains(seen)
                assert seen["observation"].tolist() == state.observation_tensor(player).tolist()
                assert seen["action_mask"].tolist() == state.legal_actions_mask(player)
            assert env.state_space.contains(env.state())


def test_an_observation_keeps_its_bounds_where_decks_come_together(written: Callable[[str], str]) -> None:
    env = zoo.raw_env(written(HEAP))
    env.reset(seed=1)
    most = np.zeros_like(env.state())
    for agent in random_steps(env, seed=1):
        most = np.maximum(most, env.observe(agent)["observation"])
    most = np.maximum(most, env.state())
    bounds = env.state_space
    assert isinstance(bounds, Box)
    assert (most <= bounds.high).all()
    assert most.max() > 1
    assert [2.0, np.inf] == sorted(set(bounds.high.tolist()) - {1.0})
    assert max(value for value, bound in zip(most, bounds.high, strict=True) if np.isfinite(bound)) == 2


def test_the_whole_state_tells_what_no_agent_sees() -> None:
    env = zoo.raw_env(str(ROOT / "examples" / "kuhn_poker.yaml"))
    env.reset(seed=3)
    state = env.game_state
    assert [state.to_dict()["zones"]["hand"][p] != state.view(1 - p)["zones"]["hand"][p] for p in (0, 1)] == [True] * 2
    views = [env.observe(agent)["observation"] for agent in env.agents]
    assert (env.state() >= np.maximum(*views)).all()  # both hands, and the deck, which neither sees
    assert env.state().sum() > np.maximum(*views).sum()


@pytest.mark.parametrize("name", shipped())
def test_rewards_are_the_returns_at_the_end(name: str) -> None:
    for seed in range(3):
        env = zoo.raw_env(name, 3)
        env.reset(seed=seed)
        totals = dict.fromkeys(env.agents, 0.0)
        rng = Rng.stream(seed, 99)
        while not env.game_state.is_terminal():
            legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0]
            env.step(legal[rng.below(len(legal))])
            for agent, reward in env.rewards.items():
                totals[agent] += reward
        state = env.game_state
        assert list(totals.values()) == state.returns()
        assert sum(totals.values()) > 0
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        assert [info["ranking"] for info in env.infos.values()] == state.ranking()[:3]


def test_an_episode_is_a_game_of_a_seed() -> None:
    """A seed begins with its game 0, and each reset after it is the next game; any can be asked for."""

    def dealt(env: zoo.raw_env) -> str:
        return env.game_state.serialize()

    env = zoo.raw_env("balloon", 4)
    env.reset(seed=7)
    first = [dealt(env)]
    assert env.episode == (7, 0)
    for _ in range(5):
        env.reset()
        first.append(dealt(env))
    assert env.episode == (7, 5)
    assert len(set(first)) > 1
    other = zoo.raw_env("balloon", 4)
    for number in (3, 0, 5):
        other.reset(seed=7, options={"game": number})
        assert dealt(other) == first[number]
    other.reset(seed=8)
    ours, theirs = zoo.raw_env("balloon", 4), zoo.raw_env("balloon", 4)
    ours.reset()
    theirs.reset()
    assert ours.episode != theirs.episode  # no seed: no two alike


def test_chance_is_that_of_the_games_own_streams() -> None:
    """The steps of chance are drawn as everywhere in the project, from stream(seed, game)."""
    env, rng = zoo.raw_env("celestia", 3), Rng.stream(11, 2)
    env.reset(seed=11, options={"game": 2})
    state = aeronef.load("celestia", 3).new_initial_state()
    for _ in range(60):
        while state.is_chance_node():
            state.apply_action(choose(state.position, rng))
        assert state.history() == env.game_state.history()
        action = state.legal_actions()[-1]
        state.apply_action(action)
        env.step(action)


# ------------------------------------------------------------------------------------------ the end before the end


def test_who_would_decide_too_often_ends_the_episode() -> None:
    env = zoo.env("flying_saucer", 3, max_cycles=4)
    env.reset(seed=2)
    decided = dict.fromkeys(env.agents, 0)
    for agent in random_steps(env, seed=2):
        assert not any(env.truncations.values())
        decided[agent] += 1
    assert max(decided.values()) == 4
    env.reset(seed=2)
    for _ in random_steps(env, seed=2):
        pass
    assert not env.agents


def test_an_episode_that_is_left_has_no_rewards_and_says_why(written: Callable[[str], str]) -> None:
    for made, why in (
        (zoo.raw_env(written(PASSING)), "endless: from step 0 the same 2 states return for ever"),
        (zoo.raw_env(written(PASSING), stay=True), "it reached 12 steps (the spec's `longest`), in phase pass"),
        (zoo.raw_env("celestia", 2, max_cycles=3), "has decided 3 times (`max_cycles`)"),
    ):
        made.reset(seed=5)
        while not any(made.truncations.values()):
            made.step(int(made.observe(made.agent_selection)["action_mask"].nonzero()[0][0]))
        assert all(made.truncations.values())
        assert not any(made.terminations.values())
        assert set(made.rewards.values()) == {0.0}
        assert all(why in info["cut"] for info in made.infos.values())
        assert not made.observe(made.agent_selection)["action_mask"].any()


def test_an_illegal_action_ends_the_episode_for_who_chose_it() -> None:
    spec = str(ROOT / "examples" / "tic_tac_toe.yaml")
    env = zoo.env(spec, illegal_reward=-5)
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 0, "player_1": -5.0}
    assert all(env.terminations.values())
    env.reset()
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(9)
    with pytest.raises(AttributeError, match="before reset"):
        _ = zoo.env(spec).agents

    raw = zoo.raw_env(spec)
    raw.reset()
    raw.step(4)
    before = raw.game_state.serialize()
    with pytest.raises(IllegalAction, match=r"mark\(2, 2\)"):
        raw.step(4)
    assert (raw.game_state.serialize(), raw.agent_selection) == (before, "player_1")


# ------------------------------------------------------------------------------------------ how it looks


def test_rendering_passes_pettingzoos_test(capsys: pytest.CaptureFixture[str]) -> None:
    make: Any = partial(zoo.env, "flying_saucer", 3)
    render_test(make)
    assert "as player_0 sees it" in capsys.readouterr().out


def test_what_is_rendered_is_the_view_of_who_is_to_choose() -> None:
    env = zoo.env(str(ROOT / "examples" / "kuhn_poker.yaml"), render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == (
        "kuhn_poker, step 2, phase betting, as player_0 sees it: player_0 to choose\n"
        "  paid: [1, 1]\n  bettor: null\n"
        f'  deck: {{"hidden": 1}}\n  hand: [{hand(env)}, {{"hidden": 1}}]'
    )
    for _ in random_steps(env, seed=1):
        pass
    returns = env.unwrapped.game_state.returns()  # type: ignore[attr-defined]
    assert f": over, player_0 {returns[0]:g}, player_1 {returns[1]:g}\n" in str(env.render())


def hand(env: Any) -> str:
    return str(env.unwrapped.game_state.view(0)["zones"]["hand"][0]).replace("'", '"')


def test_without_a_mode_nothing_is_rendered() -> None:
    env = zoo.raw_env("balloon")
    env.reset()
    with pytest.warns(UserWarning, match="render mode"):
        assert env.render() is None


# ------------------------------------------------------------------------------------------ parallel


@pytest.mark.parametrize(("spec", "options"), TOGETHER, ids=name_of)
def test_in_parallel_it_is_the_same_game(spec: str, options: dict[str, Any]) -> None:
    """Each agent sees, can do and gets what it does where all choose one after the other."""
    for number in range(5):
        together, turns = zoo.parallel_env(spec, **options), zoo.raw_env(spec, **options)
        seen, _ = together.reset(seed=4, options={"game": number})
        turns.reset(seed=4, options={"game": number})
        rng = Rng.stream(4, number)
        plans: dict[str, list[tuple[dict[str, Any], int]]] = {agent: [] for agent in together.agents}
        rewards: dict[str, float] = {}
        while together.agents:
            actions = {}
            for agent in together.agents:
                legal = seen[agent]["action_mask"].nonzero()[0]
                actions[agent] = int(legal[rng.below(len(legal))]) if len(legal) else 0
                if len(legal):
                    plans[agent].append((seen[agent], actions[agent]))
            seen, rewards, terminated, truncated, infos = together.step(actions)
        while not turns.terminations[turns.agent_selection]:
            agent = turns.agent_selection
            saw, action = plans[agent].pop(0)
            now = turns.observe(agent)
            assert now["observation"].tolist() == saw["observation"].tolist()
            assert now["action_mask"].tolist() == saw["action_mask"].tolist()
            turns.step(action)
        assert not any(plans.values())
        assert rewards == turns.rewards
        assert (terminated, truncated, infos) == (turns.terminations, turns.truncations, turns.infos)
        assert together.game_state.history() == turns.game_state.history()


def test_a_step_in_parallel_is_made_whole_or_not_at_all() -> None:
    env = zoo.parallel_env(GOOFSPIEL, cards=4)
    seen, _ = env.reset(seed=1)
    high, low = seen["player_0"]["action_mask"].nonzero()[0][[-1, 0]]
    before = env.state().tolist()
    with pytest.raises(BadInput, match="player_1 is to choose, and hands in nothing"):
        env.step({"player_0": low})
    env.step({"player_0": low, "player_1": high})
    middle = env.state().tolist()
    assert middle != before
    with pytest.raises(IllegalAction, match=r"c in hand\[me\]"):
        env.step({"player_0": high, "player_1": high})
    assert env.state().tolist() == middle
    env.step({"player_0": high, "player_1": low})


def test_in_parallel_all_are_shown() -> None:
    env = zoo.parallel_env(GOOFSPIEL, render_mode="ansi")
    env.reset(seed=1)
    text = str(env.render())
    assert re.findall(r"as (player_\d) sees it: (.*)$", text, re.MULTILINE) == [
        ("player_0", "player_0, player_1 to choose"),
        ("player_1", "player_0, player_1 to choose"),
    ]


def test_a_game_with_turns_is_no_parallel_environment() -> None:
    with pytest.raises(BadInput, match="flying_saucer has turns, in phase `boarding`"):
        zoo.parallel_env("flying_saucer")


# ------------------------------------------------------------------------------------------ copies


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_goes_on_like_its_original(copied: Callable[[Any], Any]) -> None:
    env: Any = zoo.env("celestia", 3, spyglass=True, max_cycles=30)
    env.reset(seed=9)
    for done, _ in enumerate(random_steps(env, seed=9)):
        if done == 40:
            break
    twin = copied(env)
    here, there = env.unwrapped, twin.unwrapped
    assert not any(here.truncations.values())
    rng = Rng.stream(9, 1)
    while not any(here.truncations.values()):
        legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0]
        action = legal[rng.below(len(legal))]
        before = there.game_state.serialize()
        env.step(action)
        assert there.game_state.serialize() == before  # neither is the other
        twin.step(action)
        assert here.game_state.serialize() == there.game_state.serialize()
    assert there.truncations == here.truncations
    assert there.infos == here.infos


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_in_parallel_knows_who_has_chosen(copied: Callable[[Any], Any]) -> None:
    env = zoo.parallel_env(AUTOMATA, players=2)
    seen, _ = env.reset(seed=1)
    actions = {agent: int(seen[agent]["action_mask"].nonzero()[0][0]) for agent in env.agents}
    env.step(actions)  # a mile: both are to choose again
    twin = copied(env)
    assert str(twin.step(actions)) == str(env.step(actions))
    assert twin.game_state.history() == env.game_state.history()


def test_an_environment_of_a_game_at_hand_is_copied_but_not_pickled() -> None:
    env = zoo.raw_env(aeronef.load("celestia", 3))
    assert copy.deepcopy(env).game is env.game
    with pytest.raises(BadInput, match="cannot be pickled"):
        pickle.dumps(env)


# ------------------------------------------------------------------------------------------ what is wrong


@pytest.mark.parametrize(
    ("spec", "given", "message"),
    [
        ("ballon", {}, "there is no variant `ballon`"),
        ("balloon", {"players": 9}, "balloon is for 2 to 6 players, not 9"),
        ("balloon", {"speed": 3}, "balloon has no option `speed`"),
        ("balloon", {"mode": "hard"}, "the option mode is"),
        ("balloon", {"max_cycles": 0}, "max_cycles is how often an agent may decide, 1 or more, not 0"),
        ("balloon", {"render_mode": "rgb_array"}, "there is no render_mode 'rgb_array' (there is: ansi, human)"),
    ],
)
def test_what_there_is_not_is_said(spec: str, given: dict[str, Any], message: str) -> None:
    for make in (zoo.raw_env, zoo.env):
        with pytest.raises(BadInput, match=re.escape(message)):
            make(spec, **given)


def test_a_game_is_asked_for_by_a_number() -> None:
    env = zoo.raw_env("balloon")
    with pytest.raises(BadInput, match="there is no game -1"):
        env.reset(seed=1, options={"game": -1})


def test_a_game_at_hand_has_its_players_and_options() -> None:
    game = aeronef.load("balloon", 3)
    assert zoo.raw_env(game).game is game
    with pytest.raises(BadInput, match="already"):
        zoo.raw_env(game, 3)


def test_where_all_is_left_to_chance_there_is_no_environment(written: Callable[[str], str]) -> None:
    text = (
        "game: lots\nsays: Draw one.\nplayers: 2\nlongest: 3\nvars:\n  lot: {type: 1..3, starts: 1, seen: everyone}\n"
        "phases:\n  lots:\n    chance: once\n    outcomes:\n      lot(n from 1..3): {told: everyone, do: 'lot := n'}\n"
        "    then: end\nresult: {rank: lot}\n"
    )
    with pytest.raises(BadInput, match="nothing to decide"):
        zoo.raw_env(written(text))


def test_pettingzoo_is_loaded_only_when_asked_for() -> None:
    code = (
        "import sys, aeronef; aeronef.load('balloon').playouts(1)\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('pettingzoo', 'gymnasium')])\n"
        "sys.modules['pettingzoo'] = None\n"
        "try:\n    import aeronef.pettingzoo\nexcept ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "aeronef.pettingzoo needs pettingzoo: pip install 'aeronef[pettingzoo]'"]
