"""The C of a game is the same game: step by step beside the readable back end, and random game by random game."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

import pytest

from aeronef.native.game import NativeGame
from aeronef.runtime.combinations import few
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL
from aeronef.runtime.simulate import Playouts
from aeronef.runtime.state import dump
from tests.emit.c.native import Load, variant
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


def step_by_step(game: Game, native: NativeGame, chance: random.Random) -> None:
    """One random game in both, compared before each step and at the end, or to the same fault."""
    position, at = game.start(), native.start()
    while True:
        assert dump(at) == dump(position)
        assert at.legal() == position.legal()
        assert at.outcomes() == position.outcomes()
        if position.actor == TERMINAL:
            break
        offered = [o for o, _ in position.outcomes()] if position.actor == CHANCE else position.legal()
        assert all(type(action) is int for action in offered)
        if not offered:
            break
        action = chance.choice(offered)
        broke = []
        for one in (position, at):
            try:
                one.apply(action)
            except RuleFault as fault:
                broke.append(str(fault))
        if broke:
            assert len(broke) == 2
            assert broke[0] == broke[1]
            return


@pytest.mark.parametrize(("name", "players", "options"), CHOICES, ids=words)
def test_every_step_is_the_same(native: Load, name: str, players: int, options: dict[str, Any]) -> None:
    chance = random.Random(SEED)
    for number in range(3):
        print(f"seed {SEED}, game {number}")
        step_by_step(*native(name, players, **options), chance)


@pytest.mark.parametrize(("name", "players", "options"), CHOICES, ids=words)
def test_a_random_game_is_the_same_game(native: Load, name: str, players: int, options: dict[str, Any]) -> None:
    """With all that it came to and all that was measured on its way."""
    game, library = native(name, players, **options)
    n, first = (20, 7) if game.max_game_length() > 500 else (100, 7)
    alike(game.playouts(n, SEED, first), library.playouts(n, SEED, first))


def alike(expected: Playouts, found: Playouts) -> None:
    """The same results, to the last number and the type of the arrays."""
    for column in fields(Playouts):
        one, other = getattr(expected, column.name), getattr(found, column.name)
        if column.name == "measures":
            assert list(one) == list(other)
            for name, measure in one.items():
                assert (measure.number == other[name].number).all(), name
                assert (measure.total == other[name].total).all(), name
        else:
            assert one.dtype == other.dtype, column.name
            assert (one == other).all(), column.name
