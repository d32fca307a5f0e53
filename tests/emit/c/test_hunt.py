"""Specs that nobody wrote mean the same in C: mutants of small specs that still compile, played step by step in both.

Each is made from its number alone: `mutant(17)` is the same text on every machine, and a failure names it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aeronef.c_source import c_source
from aeronef.dsl.compiler import Compilation, compile_text
from aeronef.dsl.diagnostics import SpecError
from aeronef.dsl.printer import digest
from aeronef.loading import execute, python_of
from aeronef.native.game import NativeGame
from aeronef.runtime.combinations import few
from aeronef.runtime.errors import BadInput, RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL
from aeronef.runtime.state import dump
from aeronef.runtime.tensors import whole
from tests.emit.c import test_meaning, test_rare
from tests.emit.c.native import strict
from tests.emit.c.test_same import alike
from tests.games.specs import ROOT
from tests.language.test_fuzz import MUTATIONS, limited

FOLDER = ROOT / "tests" / "language" / "right"
CORPUS = [path for path in sorted((ROOT / "tests" / "corpus").glob("*.yaml")) if "." not in path.stem]
TEXTS = test_meaning.SPECS | test_rare.SPECS | {path.stem: path.read_text(encoding="utf-8") for path in CORPUS}
RARELY_GAMES = ("_grow", "_indent", "_character")
MUTANTS = 20_000  # of which some in a hundred are games of their own
GAMES = 4
PATIENCE = 60  # seconds, of compiling and playing one


def mutant(number: int) -> tuple[str, str]:
    """The spec that a mutant was made from, and the mutant."""
    draw = random.Random(number)
    name = draw.choice(list(TEXTS))
    text, ways = TEXTS[name], [way for way in MUTATIONS if way.__name__ not in RARELY_GAMES]
    for _ in range(draw.choice([1, 1, 1, 2])):
        text = draw.choice(ways)(text, draw, list(TEXTS.values()))
    return name, text


@cache
def _digest(name: str) -> str:
    game = compile_text(f"{name}.yaml", TEXTS[name].encode(), FOLDER, ROOT / "variants").game
    assert game is not None
    return digest(game)


def compiled(number: int) -> Compilation | None:
    """A mutant that is a game, and another one than it was made from."""
    name, text = mutant(number)
    try:
        run = compile_text(f"{name}.yaml", text.encode("utf-8", "surrogatepass"), FOLDER, ROOT / "variants")
    except SpecError:
        return None
    return run if run.game is not None and digest(run.game) != _digest(name) else None


def hunted(number: int) -> bool:
    """Plays a mutant in both, if it is a game of its own that C knows. Whether it is."""
    run = compiled(number)
    if run is None or run.game is None:
        return False
    name, text = mutant(number)
    chance = random.Random(number)
    variant = execute(python_of(run, Path(f"{name}.yaml")), run.game.name)
    settings = few(variant)
    if not settings:
        return False
    players, options = chance.choice(settings)
    game = Game(variant, players, options)
    try:
        c_source(run, game)
    except BadInput as unknown:
        print(unknown)
        return False
    library = NativeGame(variant, players, options, text, lambda: run, strict())
    with limited(PATIENCE):
        for _ in range(GAMES):
            side_by_side(game, library, chance)
        seen_alike(game, library, chance)
        one, other = (told(each.playouts, GAMES, number) for each in (game, library))
        assert isinstance(other, str) == isinstance(one, str)
        if isinstance(one, str):
            assert other == one
        else:
            alike(one, other)
    return True


def side_by_side(game: Game, library: NativeGame, chance: random.Random) -> None:
    """One random game in both, to its end or to the same fault, wherever that comes."""
    position, at = told(game.start), told(library.start)
    while not isinstance(position, str):
        assert dump(at) == dump(position)
        legal, outcomes = told(position.legal), told(position.outcomes)
        assert told(at.legal) == legal
        assert told(at.outcomes) == outcomes
        offered = legal if position.actor != CHANCE else [outcome for outcome, _ in outcomes]
        if position.actor == TERMINAL or not offered or isinstance(legal, str):
            return
        action = chance.choice(offered)
        if (broke := told(position.apply, action)) is not None:
            assert told(at.apply, action) == broke
            return
        at.apply(action)
    assert at == position


def seen_alike(game: Game, library: NativeGame, chance: random.Random) -> None:
    """One random game in both, with what each player may know as numbers."""
    one, other = told(game.new_initial_state), told(library.new_initial_state)
    while not isinstance(one, str) and not one.is_terminal():
        assert (whole(other) == whole(one)).all()
        for player in range(game.players):
            assert (other.observation_tensor(player) == one.observation_tensor(player)).all()
        legal = told(one.legal_actions)
        if isinstance(legal, str) or not legal:
            return
        action = chance.choice(legal)
        broke = [isinstance(told(state.apply_action, action), str) for state in (one, other)]
        if any(broke):
            return


def told(call: Callable[..., Any], *given: Any) -> Any:
    """What a call gives, or of a fault the words."""
    try:
        return call(*given)
    except RuleFault as fault:
        return str(fault)


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(0, MUTANTS, 1000))
def test_mutants_mean_the_same(first: int, built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AERONEF_CACHE", str(built))
    played = 0
    for number in range(first, first + 1000):
        print(f"mutant {number}")
        played += hunted(number)
    assert played > 0
