"""What the tests of the shipped variants share: their worked examples, and games under the laws."""

from __future__ import annotations

import pytest

from aeronef.loading import library
from aeronef.runtime import scenario
from aeronef.runtime.combinations import Choice
from aeronef.runtime.description import Variant
from aeronef.runtime.game import Game
from aeronef.runtime.laws import Broken, as_scenario, walk

SEED = 20261130


def examples(name: str) -> scenario.Document:
    """The worked examples of a shipped variant."""
    file = f"{name}.scenarios.yaml"
    return scenario.read((library() / file).read_text(encoding="utf-8"), file)


def named(choice: Choice) -> str:
    players, options = choice
    return "-".join([f"{players}p", *(f"{name}={value}" for name, value in options.items())])


def keep_the_laws(variant: Variant, choice: Choice, games: int) -> None:
    """Plays; what breaks a law fails the test, with the play as a scenario."""
    game = Game(variant, *choice)
    for number in range(games):
        try:
            walk(game, SEED, number, looks=1)
        except Broken as broken:
            pytest.fail(f"seed {SEED}, game {number}: {broken}\n{as_scenario(broken.state, str(broken))}")
