"""Made-up games, some of them with a variant, that use what the shipped ones do not. Their specs lie here, in another
folder than the shipped ones, and must compile, play and test as those do."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from aeronef.loading import load_variant
from aeronef.runtime import scenario
from aeronef.runtime.description import Variant
from aeronef.runtime.game import Game
from aeronef.runtime.trial import try_laws

HERE = Path(__file__).parent
GAMES = ("ladder", "magpies", "tidewall", "tolls")
VARIANTS = ("high_tide", "no_mercy")
SMALL = ("ferry",)  # it shows a round without an end (tests/runtime/test_endless.py)
DOCUMENTS = {
    name: scenario.read((HERE / f"{name}.scenarios.yaml").read_text(encoding="utf-8"), f"{name}.scenarios.yaml")
    for name in GAMES
}


EXAMPLES = [(name, example) for name in GAMES for example in DOCUMENTS[name].scenarios]


@cache
def variant(name: str) -> Variant:
    return load_variant(HERE / f"{name}.yaml")


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[f"{name}: {example.name}" for name, example in EXAMPLES])
def test_worked_example(name: str, example: scenario.Scenario) -> None:
    result = scenario.run_one(example, lambda players, options: Game(variant(name), players, options))
    assert result.ok, f"{name}.scenarios.yaml:{result.line}: {result.message}"


@pytest.mark.parametrize("name", GAMES)
def test_every_clause_has_a_worked_example(name: str) -> None:
    shown = {clause for example in DOCUMENTS[name].scenarios for clause in example.by}
    assert set(variant(name).clauses) == shown


@pytest.mark.parametrize("name", [*GAMES, *VARIANTS, *SMALL])
def test_the_laws_hold(name: str) -> None:
    trial = try_laws(variant(name), games=12, seed=20261130)
    assert [(f.law, f.reason, f.players, f.options, f.number) for f in trial.failures] == []


@pytest.mark.parametrize(
    ("name", "players"),
    [("magpies", 2), ("magpies", 5), ("tidewall", 2), ("tidewall", 4), ("high_tide", 3), ("no_mercy", 3)],
)
def test_random_games_end(name: str, players: int) -> None:
    """None is cut, and sometimes all lose, but not always."""
    played = Game(variant(name), players).playouts(120, seed=5)
    assert not played.cut.any()
    won = sum(bool(winners.any()) for winners in played.winners)
    assert 0 < won < 120
