"""PettingZoo's environments, against plain states."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import aeronef
from aeronef import pettingzoo as zoo
from aeronef.loading import load_native, shipped
from aeronef.native.compiler import NoCompiler
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from benchmarks.measuring import row, seconds

FEW = 5


def main() -> None:
    for name in shipped():
        environments(name)
        print()


def environments(name: str) -> None:
    """Random games in PettingZoo's loop, against the same on plain states: decisions a second."""
    row("decisions/s", "players", "State", "raw_env", "env", "raw_env, in C", "env, in C")
    for players in (2, 4, 6):
        game = aeronef.load(name, players)
        cells = []
        raw, wrapped = partial(_in_loop, make=zoo.raw_env), partial(_in_loop, make=zoo.env)
        ways: list[tuple[Callable[[Game], int], Game]] = [(_on_states, game), (raw, game), (wrapped, game)]
        with suppress(NoCompiler):
            in_c = load_native(name, players, {})
            ways += [(raw, in_c), (wrapped, in_c)]
        for play, played in ways:
            decisions = play(played)
            cells.append(f"{decisions / seconds(lambda p=play, g=played: p(g)):,.0f}")  # type: ignore[misc]
        row(name, players, *cells)


def _on_states(game: Game) -> int:
    decisions = 0
    for number in range(FEW):
        state, rng = game.new_initial_state(), Rng.stream(1, number)
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(choose(state.position, rng))
    return decisions


def _in_loop(game: Game, make: Callable[[Game], Any]) -> int:
    env, rng, decisions = make(game), Rng.stream(1, 0), 0
    for number in range(FEW):
        env.reset(seed=1, options={"game": number})
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[rng.below(len(legal))])
            decisions += 1
    return decisions
