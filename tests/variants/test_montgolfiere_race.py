"""The balloon race: its worked examples, its laws for every pair of option values, its clauses."""

from __future__ import annotations

from typing import Any

import pytest

import aeronef
from aeronef.loading import load_variant
from aeronef.runtime import scenario
from aeronef.runtime.combinations import Choice, every_choice, pairwise
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import play_out
from tests.variants.keeping import SEED, examples, keep_the_laws, named

VARIANT = load_variant("montgolfiere_race")
DOCUMENT = examples("montgolfiere_race")


@pytest.mark.parametrize("example", DOCUMENT.scenarios, ids=lambda s: s.name)
def test_worked_example(example: scenario.Scenario) -> None:
    result = scenario.run_one(example, lambda players, options: aeronef.load("montgolfiere_race", players, **options))
    assert result.ok, f"line {result.line}: {result.message}"


def test_every_clause_has_a_worked_example() -> None:
    shown = {clause for example in DOCUMENT.scenarios for clause in example.by}
    assert set(VARIANT.clauses) - shown == set()


def test_pairs_cover_every_pair_of_option_values() -> None:
    tried = pairwise(VARIANT)
    for players, options in every_choice(VARIANT):
        items = list(options.items())
        for i, one in enumerate(items):
            for other in items[i + 1 :]:
                assert any(p == players and one in o.items() and other in o.items() for p, o in tried)


@pytest.mark.parametrize("choice", pairwise(VARIANT), ids=named)
def test_two_hundred_games_keep_the_laws(choice: Choice) -> None:
    keep_the_laws(VARIANT, choice, 200)


@pytest.mark.campaign
@pytest.mark.parametrize("choice", list(every_choice(VARIANT)), ids=named)
def test_two_hundred_games_of_every_combination_keep_the_laws(choice: Choice) -> None:
    keep_the_laws(VARIANT, choice, 200)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_game_without_the_moon_has_24_rounds_and_plays_every_card(players: int) -> None:
    """R2.1, R4.2: the piles are drawn to the last card, and the hands are played out."""
    game = aeronef.load("montgolfiere_race", players)
    without = 0
    for number in range(60):
        position: Any = game.start()
        play_out(game, position, Rng.stream(SEED, number))
        if 15 in position.altitude:
            assert position.round <= 24
            continue
        without += 1
        assert position.round == 24
        assert [len(spent) for spent in position.spent] == [24] * players
    assert without > 0, f"seed {SEED}"


def test_the_baron_needs_a_spare_seat() -> None:
    with pytest.raises(aeronef.BadInput, match="baron"):
        aeronef.load("montgolfiere_race", 6, baron=True)
