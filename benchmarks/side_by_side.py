"""Ours beside games written by hand and those of others: random games, one thread, all in turn.

The same loop drives our states, OpenSpiel's in C++ and OpenSpiel's in Python; another one our positions and the games
written by hand in Python. Ours in C makes of each game what our playouts make in Python: what the players get, ranks,
winners, and whether it was caught in a round without an end; what is written by hand in C gives what the players get,
and how many steps there were. OpenSpiel's own C++ loop is the rollouts of its MCTS (one simulation of very many), which
begin at the first decision; whole games in C++ are those of its uniform random bots.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyspiel
from open_spiel.python.games import kuhn_poker, tic_tac_toe  # noqa: F401 (they register themselves)

import aeronef
from aeronef.loading import load_native
from aeronef.native.compiler import NoCompiler, find_compiler
from aeronef.native.game import NativeGame
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from benchmarks import c_by_hand, python_by_hand
from benchmarks.measuring import Contestant, contest, row

EXAMPLES = Path(__file__).parent.parent / "examples"
WIDTH = 46

GAMES: dict[str, tuple[str, dict[str, Any], str, str]] = {  # our spec and options, OpenSpiel's in C++ and in Python
    "tic_tac_toe": ("tic_tac_toe", {}, "tic_tac_toe", "python_tic_tac_toe"),
    "leduc_poker": ("leduc_poker", {}, "leduc_poker", ""),
    "goofspiel": ("goofspiel", {"cards": 13, "prizes": "random"}, "goofspiel(num_cards=13)", ""),
    "goofspiel_descending": ("goofspiel", {"cards": 13}, "goofspiel(num_cards=13,points_order=descending)", ""),
    "kuhn_poker": ("kuhn_poker", {}, "kuhn_poker", "python_kuhn_poker"),
}

BATCH, STATE = "ours: playouts", "ours: State, Python's random numbers"
POSITION, POSITION_QUICK = "ours: Position, our random numbers", "ours: Position, Python's random numbers"
OURS_C, OURS_C_STATE = "ours: C, playouts", "ours: C, State from Python"
PYTHON, PYTHON_QUICK = "by hand in Python, our random numbers", "by hand in Python, Python's random numbers"
C_INTERFACE, C_FUSED = "by hand in C, through an interface", "by hand in C, one loop"
SPIEL, SPIEL_PYTHON = "OpenSpiel's C++ from Python", "OpenSpiel's Python"
ROLLOUTS, BOTS = "OpenSpiel's C++ in C++, from the first decision", "OpenSpiel's C++ in C++, by its random bots"
RLCARD, RLCARD_RUN = "RLCard's env.step", "RLCard's env.run, by its random agents"

GAMES_A_SECOND, STEPS_A_SECOND, DECISIONS_A_SECOND = "playouts/s", "steps/s", "decisions/s"
TARGETS = [  # ours, what it is compared with, by what, and how many times as fast it should be at least
    *((ours, SPIEL_PYTHON, GAMES_A_SECOND, 3.0) for ours in (STATE, POSITION_QUICK)),
    *((ours, other, by, 3.0)  # whose games are shorter: one can fold where nothing is to pay
      for other in (RLCARD, RLCARD_RUN) for by in (GAMES_A_SECOND, DECISIONS_A_SECOND)
      for ours in (STATE, POSITION_QUICK)),
    (POSITION, PYTHON, GAMES_A_SECOND, 0.5),
    (POSITION_QUICK, PYTHON_QUICK, GAMES_A_SECOND, 0.5),
    (OURS_C, C_INTERFACE, GAMES_A_SECOND, 0.5),
    (OURS_C, ROLLOUTS, STEPS_A_SECOND, 5.0),  # which begin where the cards are dealt already
    (OURS_C, BOTS, GAMES_A_SECOND, 5.0),
]  # fmt: skip


def main() -> None:
    missing, with_c = [], True
    try:
        find_compiler()
    except NoCompiler as error:
        with_c = False
        missing.append(f"(without C: {error})")
    if importlib.util.find_spec("rlcard") is None:
        missing.append("(without RLCard, which is not installed)")
    for name in GAMES:
        found = contestants(name, with_c)
        contest(found)
        row(name, "playouts/s", "steps/s", first=WIDTH)
        for one in found:
            row("  " + one.name, f"{one.games_per_s:,.0f}", f"{one.steps_per_s:,.0f}", first=WIDTH)
        print()
        _ratios({one.name: one for one in found}, _decisions(name))
    print("\n".join(missing))


def _decisions(name: str) -> float:
    """Which part of the steps of our random games are decisions: the others are chance's."""
    spec, options, *_ = GAMES[name]
    game, made = aeronef.load(EXAMPLES / f"{spec}.yaml", 2, **options), [0, 0]
    for number in range(500):
        position, rng = game.start(), Rng.stream(1, number)
        while position.actor != TERMINAL:
            made[position.actor >= 0] += 1
            position.apply(choose(position, rng))
    return made[1] / sum(made)


def _ratios(found: dict[str, Contestant], decisions: float) -> None:
    """What is compared. RLCard's steps are decisions; of ours so many."""
    rows = [one for one in TARGETS if one[0] in found and one[1] in found]
    if rows:
        row("as a ratio", "by", "measured", "target", first=2 * WIDTH)
        for ours, other, by, target in rows:
            one, two = found[ours], found[other]
            ratio = one.games_per_s / two.games_per_s if by == GAMES_A_SECOND else one.steps_per_s / two.steps_per_s
            ratio *= decisions if by == DECISIONS_A_SECOND else 1
            row(f"  {ours} / {other}", by, f"{ratio:.2f}", f">= {target}", first=2 * WIDTH)
        print()


def in_c(name: str) -> NativeGame:
    """A game of the table."""
    spec, options, *_ = GAMES[name]
    return load_native(EXAMPLES / f"{spec}.yaml", 2, options)


def contestants(name: str, with_c: bool) -> list[Contestant]:
    """All ways to play a game that are here."""
    spec, options, theirs, in_python = GAMES[name]
    game, quick = aeronef.load(EXAMPLES / f"{spec}.yaml", 2, **options), python_by_hand.quick_below()
    spiel = _sequential(theirs)
    found = [
        Contestant(BATCH, lambda n: int(game.playouts(n, seed=1, measures=False).lengths.sum())),
        Contestant(STATE, partial(_drive, game.new_initial_state)),
        Contestant(POSITION, partial(_positions, game, _our_numbers)),
        Contestant(POSITION_QUICK, partial(_positions, game, lambda _: quick)),
    ]
    if with_c:
        native = in_c(name)
        found += [
            Contestant(OURS_C, partial(_in_batches, partial(_lengths, native))),
            Contestant(OURS_C_STATE, partial(_drive, native.new_initial_state)),
        ]
    if name in python_by_hand.GAMES:
        found += [
            Contestant(PYTHON, lambda n: sum(steps for _, steps in python_by_hand.playouts(name, n, seed=1))),
            Contestant(PYTHON_QUICK, lambda n: sum(steps for _, steps in python_by_hand.other_playouts(name, n))),
        ]
        if with_c:
            found += [
                Contestant(title, partial(_in_batches, c_by_hand.ByHand(name, way).lengths))
                for title, way in zip((C_INTERFACE, C_FUSED), c_by_hand.WAYS, strict=True)
            ]
    found.append(Contestant(SPIEL, partial(_drive, spiel.new_initial_state)))
    found += [Contestant(ROLLOUTS, _rollouts(spiel)), Contestant(BOTS, _bots(spiel))]
    if in_python:
        found.append(Contestant(SPIEL_PYTHON, partial(_drive, pyspiel.load_game(in_python).new_initial_state)))
    if name == "leduc_poker" and importlib.util.find_spec("rlcard") is not None:
        found += [Contestant(RLCARD, _rlcard()), Contestant(RLCARD_RUN, _rlcard_run())]
    return found


# ------------------------------------------------------------------------------------------ loops


def _drive(begin: Callable[[], Any], n: int) -> int:
    """n random games on states, by what OpenSpiel's and ours have in common."""
    draw, steps = random.random, 0
    for _ in range(n):
        state = begin()
        while not state.is_terminal():
            if state.is_chance_node():
                point = draw()
                for outcome, probability in state.chance_outcomes():  # noqa: B007
                    point -= probability
                    if point < 0:
                        break
                state.apply_action(outcome)
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
            steps += 1
        state.returns()
    return steps


def _positions(game: Game, below: Callable[[int], Callable[[int], int]], n: int) -> int:
    """n games of ours in the loop of the games by hand. `below(k)` gives the random numbers of game k."""
    steps = 0
    for k in range(n):
        position: Any = game.start()
        steps += python_by_hand.play(position, below(k))
        position.returns(0), position.returns(1)
    return steps


def _our_numbers(k: int) -> Callable[[int], int]:
    return Rng.stream(1, k).below


def _in_batches(lengths: Callable[[int, int], Any], n: int) -> int:
    """n games in batches that stay in the processor's cache. `lengths(many, first)` plays some, and gives theirs."""
    return sum(int(lengths(min(10_000, n - first), first).sum()) for first in range(0, n, 10_000))


def _lengths(game: NativeGame, many: int, first: int) -> Any:
    return game.playouts(many, seed=1, first=first, measures=False).lengths


# ------------------------------------------------------------------------------------------ others


def _sequential(name: str) -> Any:
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    return game


def _rollouts(game: Any) -> Callable[[int], int]:
    """The rollouts of one simulation of MCTS. Its root cannot be a place of chance, so the cards are dealt before."""
    root = game.new_initial_state()
    while root.is_chance_node():
        root.apply_action(root.legal_actions()[0])
    mean = _mean_steps(root.clone)

    def play(n: int) -> int:
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(n, 1), 2.0, 1, 10, False, 1, False)
        assert bot.mcts_search(root).explore_count == 1
        return int(n * mean)

    return play


def _bots(game: Any) -> Callable[[int], int]:
    bots = [pyspiel.make_uniform_random_bot(player, 1) for player in range(2)]
    mean = _mean_steps(game.new_initial_state)

    def play(n: int) -> int:
        for seed in range(n):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return int(n * mean)

    return play


def _mean_steps(begin: Callable[[], Any]) -> float:
    """How long random games are, where the other side does not count."""
    return _drive(begin, 500) / 500


def _rlcard() -> Callable[[int], int]:
    import rlcard

    env = rlcard.make("leduc-holdem", config={"seed": 1})

    def play(n: int) -> int:
        steps = 0
        for _ in range(n):
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(random.random() * len(legal))])
                steps += 1
            env.get_payoffs()
        return steps

    return play


def _rlcard_run() -> Callable[[int], int]:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("leduc-holdem", config={"seed": 1})
    env.set_agents([RandomAgent(env.num_actions)] * 2)

    def play(n: int) -> int:
        # A trajectory has the states of a player and, between them, what it did.
        return sum(len(trajectory) // 2 for _ in range(n) for trajectory in env.run()[0])

    return play
