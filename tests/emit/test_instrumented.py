"""A game that counts itself is the same game, and counts what is played."""

import dataclasses
import re
from collections import Counter

import pytest

from aeronef.covered import Counting
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.instrument import instrument
from aeronef.dsl.printer import digest, print_game
from aeronef.dsl.verifier import Unsound, verify
from aeronef.loading import execute
from aeronef.runtime.combinations import few
from aeronef.runtime.coverage import Tally, counting, play
from aeronef.runtime.description import Variant
from aeronef.runtime.game import Game
from aeronef.runtime.transcript import record
from tests.games.specs import SPECS, TEMPLATE, compiled, emitted, text_of

NAMES = [name for name, path in SPECS.items() if path != TEMPLATE]


def transcripts(game: Game, games: int) -> str:
    written: list[str] = []
    for number in range(games):
        record(game, 7, number, written.append, full=True)
    return "".join(written)


@pytest.mark.parametrize("name", NAMES)
def test_its_random_games_are_those_of_the_plain_one(name: str) -> None:
    plain: Variant = execute(emitted(name), name)
    made = Counting(SPECS[name])
    choices = few(plain)
    for players, options in (choices[0], choices[-1]):
        tally = Tally(len(made.game.points))
        counted = counting(Game(made.variant, players, options), made.known, tally)
        assert transcripts(counted, 2) == transcripts(Game(plain, players, options), 2)
        assert sum(tally.counts) > 0


@pytest.mark.parametrize("name", NAMES)
def test_its_rules_print_as_the_plain_ones_do(name: str) -> None:
    """So that it has their digest, and transcripts replay on both."""
    game = compiled(text_of(name), SPECS[name].name, SPECS[name].parent)
    made = instrument(game)
    verify(made)
    assert print_game(made) == print_game(game)
    assert digest(made) == digest(game)
    assert not re.search(r"self\.(mark|watch|reach|carried)\(", emit_python(game, "spec.yaml"))


@pytest.mark.parametrize("name", ["tolls", "ladder", "celestia", "kuhn_poker", "balloon"])
def test_each_step_counts_its_action_once(name: str) -> None:
    """Also where rows of choices are tried on copies (tolls, ladder, celestia)."""
    made = Counting(SPECS[name])
    tally = Tally(len(made.game.points))
    played = play(made.variant, made.known, tally, few(made.variant), games=2, seed=3)
    kinds: Counter[str] = Counter()
    for point, times in zip(made.game.points, tally.counts, strict=True):
        kinds[point.kind] += times
    assert not played.faults
    assert kinds["action"] + kinds["outcome"] == played.steps
    assert kinds["players"] == played.games


def test_the_verifier_knows_a_mark_without_its_point() -> None:
    made = instrument(compiled(text_of("pig"), "pig.yaml", SPECS["pig"].parent))
    with pytest.raises(Unsound, match="no point"):
        verify(dataclasses.replace(made, points=made.points[:1]))
