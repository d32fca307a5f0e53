"""What things cost today: `make bench`. CPU time, the median of several runs; nothing here is asserted.

A machine's speed changes from run to run; compare figures of one run only.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import aeronef
from aeronef import pettingzoo as zoo
from aeronef.dsl.compiler import compile_file
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, library, shipped, spec_path
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from aeronef.runtime.state import State

ROUNDS = 5
GAMES = 150
FEW = 5


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median CPU time of one call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def row(*cells: object) -> None:
    print("".join(f"{cell:>16}" if i else f"{cell:<34}" for i, cell in enumerate(cells)))


def playouts(name: str) -> None:
    low, *_, high = [*aeronef.load(name).variant.players, aeronef.load(name).variant.players.stop - 1]
    row("random playouts", "players", "playouts/s", "steps/s", "steps/game")
    for players in sorted({low, (low + high) // 2, high}):
        game = aeronef.load(name, players)
        lengths = game.playouts(GAMES, seed=1, measures=False).lengths
        cost = seconds(lambda game=game: game.playouts(GAMES, seed=1, measures=False))  # type: ignore[misc]
        row(name, players, f"{GAMES / cost:,.0f}", f"{lengths.sum() / cost:,.0f}", f"{lengths.mean():.1f}")


def states(name: str) -> None:
    """One state half-way through a game: what looking at it, copying it and moving on cost, in microseconds."""
    row("one state", "players", "µs")
    for players in (2, 4, 6):
        game = aeronef.load(name, players)
        state, rng = game.new_initial_state(), Rng.stream(1, 0)
        for _ in range(game.playouts(1, seed=1).lengths[0] // 2):
            state.apply_action(choose(state.position, rng))
        while state.is_chance_node():
            state.apply_action(choose(state.position, rng))
        for what, work in _looks(state).items():
            cost = seconds(lambda work=work: [work() for _ in range(300)]) / 300  # type: ignore[misc]
            row(f"{name}: {what}", players, f"{cost * 1e6:,.1f}")


def _looks(state: State) -> dict[str, Callable[[], object]]:
    action = state.legal_actions()[0]

    def step() -> None:
        state.apply_action(action)
        state.undo_action()

    return {
        "legal_actions": state.legal_actions, "apply_action and undo": step, "clone": state.clone,
        "position.copy": state.position.copy, "view": lambda: state.view(0), "serialize": state.serialize,
    }  # fmt: skip


def environments(name: str) -> None:
    """Random games in PettingZoo's loop, against the same on plain states: decisions a second."""
    row("decisions/s", "players", "State", "raw_env", "env")
    for players in (2, 4, 6):
        game = aeronef.load(name, players)
        cells = []
        for play in (_on_states, partial(_in_loop, make=zoo.raw_env), partial(_in_loop, make=zoo.env)):
            decisions = play(game)
            cells.append(f"{decisions / seconds(lambda play=play, game=game: play(game)):,.0f}")  # type: ignore[misc]
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


def compiling(name: str) -> None:
    row("compiling", "", "ms")
    path = spec_path(name)
    run = compile_file(path, library())
    assert run.game is not None
    game = run.game
    text = emit_python(game, path.name)
    row(f"{name}: spec to IR, with findings", "", f"{seconds(lambda: compile_file(path, library())) * 1e3:,.1f}")
    row(f"{name}: IR to Python", "", f"{seconds(lambda: emit_python(game, path.name)) * 1e3:,.1f}")
    row(f"{name}: Python to game", "", f"{seconds(lambda: execute(text, name)) * 1e3:,.1f}")


def main() -> None:
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, "
        f"CPU time, median of {ROUNDS}\n"
    )
    for name in shipped():
        playouts(name)
        print()
        states(name)
        print()
        environments(name)
        print()
        compiling(name)
        print()


if __name__ == "__main__":
    main()
