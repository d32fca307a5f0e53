"""Any compiled game as an environment of PettingZoo: `aeronef.pettingzoo.env("balloon", players=4, mode="advanced")`.

An agent observes its view as numbers, and which actions are legal for it. Chance is played inside, by the project's own
generator: an episode is game k of seed s, and the same everywhere. Rewards are the game's returns, at its end. This
module needs the extra `aeronef[pettingzoo]`, and nothing else imports it.
"""

from __future__ import annotations

import copy
import json
import operator
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aeronef.episode import Episode
from aeronef.loading import load
from aeronef.runtime import apart
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import State
from aeronef.runtime.tensors import observation_bounds, whole

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"aeronef.pettingzoo needs {missing.name}: pip install 'aeronef[pettingzoo]'", name=missing.name
    ) from None

if TYPE_CHECKING:
    from numpy.typing import NDArray

Spec = str | Path | Game
Observation = dict[str, Any]  # "observation": float32, "action_mask": int8
RENDER_MODES = ["ansi", "human"]


def env(
    spec: Spec,
    players: int | None = None,
    *,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    illegal_reward: float = -1.0,
    **options: Any,
) -> AECEnv[str, Observation, int]:
    """The game as an AEC environment, in the wrappers that PettingZoo's own card and board games have: an agent that
    chooses an illegal action gets `illegal_reward` and ends the episode, an action that is none is an AssertionError,
    and so is what comes before `reset`. Everything else is as in `raw_env`."""
    made: Any = raw_env(spec, players, max_cycles=max_cycles, render_mode=render_mode, **options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=illegal_reward)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class _Env:
    """What both kinds of environments share: the game, its spaces, its episodes, how it looks."""

    metadata: dict[str, Any]
    agents: list[str]
    _cycles: dict[str, int]  # how often each agent has decided
    _episode: Episode

    def __init__(
        self, spec: Spec, players: int | None, max_cycles: int | None, render_mode: str | None, options: dict[str, Any]
    ) -> None:
        super().__init__()
        self._made = (spec, players, options)
        self.game = _game(spec, players, options)
        _check(self.game, max_cycles, render_mode)
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.metadata = {"name": self.game.name, "render_modes": RENDER_MODES, "render_fps": 1, **self.metadata}
        self.possible_agents = [f"player_{player}" for player in range(self.game.players)]
        self.agents = self.possible_agents[:]
        high, actions = observation_bounds(self.game), self.game.num_distinct_actions()
        low = np.zeros_like(high)
        self.observation_spaces: dict[str, gymnasium.Space[Observation]] = {
            agent: Dict({"observation": Box(low, high), "action_mask": Box(0, 1, (actions,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, gymnasium.Space[Any]] = {
            agent: Discrete(actions) for agent in self.possible_agents
        }
        self.state_space = Box(low, high)
        self._seed: int | None = None
        self._number = -1

    def observation_space(self, agent: str) -> gymnasium.Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    @property
    def game_state(self) -> State:
        """The state of the game at hand, with all that is hidden: for tools and tests, not for agents."""
        return self._episode.state

    @property
    def episode(self) -> tuple[int, int]:
        """The seed and the number of the game at hand: `reset(seed=…, options={"game": …})` begins it again."""
        assert self._seed is not None, "reset first"
        return self._seed, self._number

    def action_label(self, action: int) -> str:
        """What an action is called."""
        return self.game.labels[action]

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """Game 0 of the seed, or without one the next game; `options` may name another (`{"game": 7}`)."""
        if seed is not None:
            self._seed, self._number = operator.index(seed), -1
        elif self._seed is None:
            self._seed = secrets.randbits(64)
        number = (options or {}).get("game", self._number + 1)
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise BadInput(f"games are counted from 0: there is no game {number!r}")
        self._number = number
        self._episode = Episode(self.game.new_initial_state(), Rng.stream(self._seed, number))
        self.agents = self.possible_agents[:]
        self._cycles = dict.fromkeys(self.agents, 0)

    def _observation(self, state: State, agent: str, chooses: bool) -> Observation:
        mask = np.zeros(self.game.num_distinct_actions(), dtype=np.int8)
        player = self.possible_agents.index(agent)
        if chooses:
            mask[state.legal_actions(player)] = 1
        return {"observation": state.observation_tensor(player), "action_mask": mask}

    def _ending(self) -> tuple[list[float], bool, dict[str, dict[str, Any]]]:
        """Of an episode that is over: the rewards, whether it was left before its end, and the infos."""
        state, stopped = self._episode.state, self._episode.stopped
        if stopped is not None:
            return [0.0] * self.game.players, True, {agent: {"cut": stopped} for agent in self.possible_agents}
        ranks = dict(zip(self.possible_agents, state.ranking(), strict=False))
        return state.returns(), False, {agent: {"ranking": rank} for agent, rank in ranks.items()}

    def _may_decide(self, agent: str) -> None:
        """Leaves an episode in which an agent has decided as often as it may."""
        if self._cycles[agent] == self.max_cycles:
            self._episode.stopped = f"{agent} has decided {self.max_cycles} times (`max_cycles`)"

    def state(self) -> NDArray[Any]:
        """The whole state as numbers, what is hidden too: for critics that see everything, not for agents."""
        return whole(self._episode.state)

    def _text(self, state: State, agent: str, turn: str) -> str:
        """What the agent may see, one line for each part of the state."""
        view = state.view(self.possible_agents.index(agent))
        lines = [f"{self.game.name}, step {state.position.steps}, phase {state.phase}, as {agent} sees it: {turn}"]
        parts: dict[str, Any] = view["vars"] | view["zones"]
        lines += [f"  {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in parts.items()]
        return "\n".join(lines)

    def _result(self) -> str:
        if self._episode.stopped is not None:
            return f"left, {self._episode.stopped}"
        rewards = zip(self.possible_agents, self._episode.state.returns(), strict=True)
        return "over, " + ", ".join(f"{agent} {reward:g}" for agent, reward in rewards)

    def _shown(self) -> str:
        raise NotImplementedError

    def render(self) -> str | None:
        """In mode "ansi" the text; in mode "human" it is printed (by `reset` and `step` too)."""
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode.")
            return None
        if self.render_mode == "ansi":
            return self._shown()
        print(self._shown())
        return None

    def close(self) -> None:
        """There is nothing to release."""

    # ------------------------------------------------------------------------------ copies

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        memo[id(self.game)] = self.game  # the rules never change
        new = memo[id(self)] = object.__new__(type(self))
        for name, value in vars(self).items():
            setattr(new, name, self._copied(name, value, memo))
        return new

    def _copied(self, name: str, value: Any, memo: dict[int, Any]) -> Any:
        if name == "_made":
            return value
        return value.clone() if name == "_episode" else copy.deepcopy(value, memo)

    def __getstate__(self) -> dict[str, Any]:
        if isinstance(self._made[0], Game):
            raise BadInput("an environment of a `Game` cannot be pickled: make it of the game's name, or of a path")
        kept = {name: value for name, value in vars(self).items() if name != "game"}
        if "_episode" in kept:
            kept["_episode"] = self._episode.kept()
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.game = _game(*self._made)
        if "_episode" in kept:
            self._episode = Episode.restored(self.game, kept["_episode"])


class raw_env(_Env, AECEnv[str, Observation, int]):  # the name that PettingZoo's modules give it
    """The game as an AEC environment, one decision after the other.

    `spec` is a shipped name, the path of a spec, or a `Game`; players and options are as in `aeronef.load`. Agents are
    `player_0`, …; seats of automata are none. `reset(seed=s)` begins game 0 of a seed, each `reset()` after it the
    next, and `options={"game": k}` game k; what else is in `options` is not looked at. An illegal action raises
    IllegalAction, and the environment stays as it was.

    Rewards are 0 before the end and then the returns; the infos have each agent's rank then. An episode is truncated,
    without rewards, where the rules stop a game (`longest:`), where it is caught in a round without an end, and where
    an agent would decide more often than `max_cycles`; the infos say why.

    Raises BadInput where there is no such game, option, value or mode; SpecError where a spec does not compile.
    """

    metadata: dict[str, Any] = {"is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        spec: Spec,
        players: int | None = None,
        *,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        _Env.__init__(self, spec, players, max_cycles, render_mode, options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self.agent_selection = self.agents[0]
        self._turn()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What the agent may see, and what is legal for it: nothing, where it is not to choose."""
        chooses = agent == self.agent_selection and not self._episode.over
        return self._observation(self._episode.state, agent, chooses)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type]
            return
        self._episode.play(action)  # type: ignore[arg-type]
        self._cycles[agent] += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        """Whose turn it is now; or the end."""
        if not self._episode.over:
            self.agent_selection = self.possible_agents[self._episode.state.current_player()]
            self._may_decide(self.agent_selection)
        if self._episode.over:
            rewards, left, self.infos = self._ending()
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, not left)
            self.truncations = dict.fromkeys(self.agents, left)
            self.agent_selection = self.agents[0]
        if self.render_mode == "human":
            self.render()

    def _shown(self) -> str:
        turn = self._result() if self._episode.over else f"{self.agent_selection} to choose"
        return self._text(self._episode.state, self.agent_selection, turn)


class parallel_env(_Env, ParallelEnv[str, Observation, int]):
    """A game in which all choose together, always, as a parallel environment: each step is one choice of each agent.

    Where a choice does not ask an agent, or has asked it often enough, its mask is all 0, and what it hands in is not
    looked at. A step in which an action is illegal or missing raises IllegalAction or BadInput, and the environment
    stays as it was. Everything else is as in `raw_env`.

    Raises BadInput where the game has turns: `env` plays every game.
    """

    metadata: dict[str, Any] = {"is_parallelizable": True}  # noqa: RUF012

    def __init__(
        self,
        spec: Spec,
        players: int | None = None,
        *,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        _Env.__init__(self, spec, players, max_cycles, render_mode, options)
        turns = [phase.name for phase in self.game.variant.phases if phase.kind == "turns"]
        if turns:
            raise BadInput(
                f"{self.game.name} has turns, in phase `{turns[0]}`: only a game in which all choose together, always, "
                "is a parallel environment (`env` is for every game)"
            )

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self._begin(seed, options)
        self._open()
        observations = self._observations()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self._episode.over:
            _, _, infos = self._ending()
            self.agents = []
        return observations, infos

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        stepping = self.agents
        for player in self._asked:
            agent = self.possible_agents[player]
            if agent not in actions:
                raise BadInput(f"{agent} is to choose, and hands in nothing")
            self._own[player].check_action(actions[agent])
        for agent in stepping:
            self._cycles[agent] += 1
        for player in sorted(self._asked):
            action = operator.index(actions[self.possible_agents[player]])
            self._chosen[player].append(action)
            if not apart.choose(self._own[player], action):
                self._asked.remove(player)
        if stepping and not self._asked:
            self._play_choices()
        if stepping and not self._episode.over:
            self._may_decide(stepping[0])
        rewards, left = [0.0] * self.game.players, False
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in stepping}
        over = self._episode.over
        if over:
            rewards, left, infos = self._ending()
            self._asked.clear()
            self.agents = []
        if self.render_mode == "human":
            self.render()
        everybody = dict(zip(self.possible_agents, rewards, strict=True))
        return (
            {agent: self._observe(agent) for agent in stepping},
            {agent: everybody[agent] for agent in stepping},
            dict.fromkeys(stepping, over and not left),
            dict.fromkeys(stepping, over and left),
            {agent: infos[agent] for agent in stepping},
        )

    def _open(self) -> None:
        """Each agent that is asked gets a state of its own, in which nobody else has chosen yet."""
        self._own = {} if self._episode.over else apart.asked(self._episode.state)
        self._asked = set(self._own)
        self._chosen: dict[int, list[int]] = {player: [] for player in self._own}

    def _play_choices(self) -> None:
        """All have chosen: the choices are made, in the order of the seats."""
        while any(self._chosen.values()) and not self._episode.over:
            self._episode.play(self._chosen[self._episode.state.current_player()].pop(0))
        self._open()

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observe(agent) for agent in self.agents}

    def _observe(self, agent: str) -> Observation:
        player = self.possible_agents.index(agent)
        return self._observation(self._own.get(player, self._episode.state), agent, player in self._asked)

    def _copied(self, name: str, value: Any, memo: dict[int, Any]) -> Any:
        if name == "_own":
            return {player: own.clone() for player, own in value.items()}
        return super()._copied(name, value, memo)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_own"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        if "_episode" in kept:
            self._own = {} if self._episode.over else apart.asked(self._episode.state)
            for player, actions in self._chosen.items():
                for action in actions:
                    apart.choose(self._own[player], action)

    def _shown(self) -> str:
        chooses = ", ".join(self.possible_agents[player] for player in sorted(self._asked))
        turn = self._result() if self._episode.over else f"{chooses} to choose"
        return "\n".join(
            self._text(self._own.get(player, self._episode.state), agent, turn)
            for player, agent in enumerate(self.possible_agents)
        )


def _game(spec: Spec, players: int | None, options: dict[str, Any]) -> Game:
    if not isinstance(spec, Game):
        return load(spec, players, **options)
    if players is not None or options:
        raise BadInput("a `Game` has its players and options already")
    return spec


def _check(game: Game, max_cycles: int | None, render_mode: str | None) -> None:
    if max_cycles is not None and (isinstance(max_cycles, bool) or not isinstance(max_cycles, int) or max_cycles < 1):
        raise BadInput(f"max_cycles is how often an agent may decide, 1 or more, not {max_cycles!r}")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise BadInput(f"there is no render_mode {render_mode!r} (there is: {', '.join(RENDER_MODES)})")
    if game.num_distinct_actions() == 0:
        raise BadInput(f"{game.name} leaves everything to chance: there is nothing to decide")
