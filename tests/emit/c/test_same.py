"""The C of a game is the same game: step by step beside the readable back end, and random game by random game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from aeronef.runtime.combinations import few
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.kernel import CHANCE, TERMINAL
from aeronef.runtime.state import final_ranking, final_returns
from tests.emit.c.conftest import Load
from tests.emit.c.native import Native, Reader, settled_of, variant
from tests.games.specs import SPECS

# All settings of the games that everybody knows and of a shipped variant; of the other specs of the project one each.
WHOLE = ("goofspiel", "kuhn_poker", "leduc_poker", "montgolfiere_race", "pig", "tic_tac_toe")
ONCE = [name for name in SPECS if name not in (*WHOLE, "made_by_new")]
CHOICES = [(name, players, options) for name in WHOLE for players, options in few(variant(name))]
CHOICES += [(name, *few(variant(name))[-1]) for name in ONCE]
SEED = 20261130


def words(choice: Any) -> str:
    return "-".join(map(str, (choice if not isinstance(choice, dict) else choice.values()))) \
        if isinstance(choice, tuple | dict) else str(choice)  # fmt: skip


def step_by_step(game: Any, native: Native, reader: Reader, chance: random.Random) -> None:
    """One random game in both, compared before each step and at the end, or to the same fault."""
    position, at = game.start(), native.start()
    while True:
        assert native.dump(at) == reader.numbers(position)
        assert native.legal(at) == position.legal()
        assert native.outcomes(at) == position.outcomes()
        if position.actor == TERMINAL:
            break
        offered = [o for o, _ in position.outcomes()] if position.actor == CHANCE else position.legal()
        if not offered:
            break
        action = chance.choice(offered)
        broke = ""
        try:
            position.apply(action)
        except RuleFault as fault:
            broke = str(fault)
        assert bool(native.apply(at, action)) == bool(broke)
        if broke:
            assert native.fault(at) == broke
            return
    if position.actor == TERMINAL and not position.cut:
        assert native.ranking(at) == final_ranking(game, position)
        assert native.returns(at) == final_returns(game, position)


@pytest.mark.parametrize(("name", "players", "options"), CHOICES, ids=words)
def test_every_step_is_the_same(native: Load, name: str, players: int, options: dict[str, Any]) -> None:
    game, library = native(name, players, **options)
    reader = Reader(game, settled_of(name, game))
    chance = random.Random(SEED)
    for number in range(3):
        print(f"seed {SEED}, game {number}")
        step_by_step(game, library, reader, chance)


@pytest.mark.parametrize(("name", "players", "options"), CHOICES, ids=words)
def test_a_random_game_is_the_same_game(native: Load, name: str, players: int, options: dict[str, Any]) -> None:
    game, library = native(name, players, **options)
    reader = Reader(game, settled_of(name, game))
    n, first = (20, 7) if game.max_game_length() > 500 else (100, 7)
    expected, found = game.playouts(n, SEED, first, measures=False), library.playouts(n, SEED, first)
    assert found["ended"] == n
    for what in ("returns", "ranking", "lengths", "cut", "endless"):
        assert (getattr(expected, what) == found[what]).all(), what
    ends = [reader.phases.get(int(phase), len(reader.settled.phases)) for phase in expected.phases]
    assert ends == found["phases"].tolist()
