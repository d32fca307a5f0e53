"""The same games in both back ends, many of them: every variant and example, in all settings that its tests have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aeronef.native.game import NativeGame
from aeronef.runtime.combinations import few
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL
from aeronef.runtime.lockstep import play
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import dump
from tests.emit.c.native import compilation, variant
from tests.emit.c.test_same import alike
from tests.games.specs import SPECS
from tests.native.twins import SEED

GAMES = 10_000  # random games of each spec, over its settings
STEP_BY_STEP = 300  # of these step by step, each part compared
LOOKED_AT = 20  # and so many by all that anybody could tell

NAMES = [name for name in SPECS if name != "made_by_new"]
CHOICES = [(name, *choice, len(few(variant(name)))) for name in NAMES for choice in few(variant(name))]


def words(value: Any) -> str | None:
    return "-".join(map(str, value.values())) if isinstance(value, dict) else None


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "players", "options", "settings"), CHOICES, ids=words)
def test_ten_thousand_games(
    name: str, players: int, options: dict[str, Any], settings: int, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Built as users build it. Each setting has its part of the games, and other ones than the next."""
    monkeypatch.setenv("AERONEF_CACHE", str(built))
    n = -(-GAMES // settings)
    one = Game(variant(name), players, options)
    other = NativeGame(variant(name), players, options, name, lambda: compilation(name))
    alike(one.playouts(n, SEED), other.playouts(n, SEED, threads=2))
    steps = sum(in_step(one, other, number) for number in range(-(-STEP_BY_STEP // settings)))
    assert steps > 0
    for number in range(max(1, LOOKED_AT // settings)):
        print(f"seed {SEED}, game {number}")
        assert play(one, other, SEED, number) is None


def in_step(one: Game, other: Game, number: int) -> int:
    """One game by uniform choices, of chance too, so that what is rare is played. Gives how many steps it had."""
    print(f"seed {SEED}, game {number}")
    rng, most = Rng.stream(SEED ^ 1, number), one.max_game_length()
    a, b = one.start(), other.start()
    while True:
        assert dump(b) == dump(a)
        legal, outcomes = a.legal(), a.outcomes()
        assert b.legal() == legal
        assert b.outcomes() == outcomes
        if a.actor == TERMINAL or a.steps >= min(most, 3000):
            return a.steps
        offered = [outcome for outcome, _ in outcomes] if a.actor == CHANCE else legal
        action = offered[rng.below(len(offered))]
        a.apply(action)
        b.apply(action)
