"""The shipped variants: random games, and one state half-way through a game."""

from __future__ import annotations

from collections.abc import Callable

import aeronef
from aeronef.loading import load_native, shipped
from aeronef.native.compiler import NoCompiler
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from aeronef.runtime.state import State
from benchmarks.measuring import row, seconds

GAMES, MORE_GAMES = 150, 10_000


def main() -> None:
    for name in shipped():
        playouts(name)
        print()
        states(name)
        print()


def playouts(name: str) -> None:
    low, *_, high = [*aeronef.load(name).variant.players, aeronef.load(name).variant.players.stop - 1]
    row("random playouts", "players", "playouts/s", "steps/s", "steps/game", "in C, steps/s", "times as fast")
    for players in sorted({low, (low + high) // 2, high}):
        game = aeronef.load(name, players)
        lengths = game.playouts(GAMES, seed=1, measures=False).lengths
        cost = seconds(lambda game=game: game.playouts(GAMES, seed=1, measures=False))  # type: ignore[misc]
        in_c = _in_c(name, players)
        row(
            name, players, f"{GAMES / cost:,.0f}", f"{lengths.sum() / cost:,.0f}", f"{lengths.mean():.1f}",
            *((f"{in_c:,.0f}", f"{in_c * cost / lengths.sum():.0f}") if in_c else ("", "")),
        )  # fmt: skip


def _in_c(name: str, players: int) -> float:
    """The steps a second of the same in C; 0 without a C compiler."""
    try:
        game = load_native(name, players, {})
    except NoCompiler:
        return 0.0
    steps = int(game.playouts(MORE_GAMES, seed=1, measures=False).lengths.sum())
    return steps / seconds(lambda: game.playouts(MORE_GAMES, seed=1, measures=False))


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
