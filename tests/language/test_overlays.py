"""Optional rules: one game of several, which plays as each of them does."""

from __future__ import annotations

from pathlib import Path

import pytest

from aeronef.dsl.compiler import Compilation, compile_file, compile_text
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.emit.spec import emit_spec
from aeronef.dsl.printer import print_game
from aeronef.loading import execute, library
from aeronef.runtime.combinations import every_choice
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from tests.language.cases import FOLDER

ROOT = FOLDER.parents[1]
SPECS = [
    FOLDER / "right" / "overlays.yaml",
    FOLDER / "right" / "layers.yaml",
    *sorted((ROOT / "variants").glob("*.yaml")),
]
SWITCHED = [path for path in SPECS if path.name.count(".") == 1 and "overlays:" in path.read_text(encoding="utf-8")]


def compiled(path: Path) -> Compilation:
    return compile_file(path, library())


@pytest.mark.parametrize("path", SWITCHED, ids=lambda path: path.stem)
def test_the_whole_plays_as_the_spec_with_the_overlays_laid_over_it(path: Path) -> None:
    """Under the same options, step by step: the same labels are legal, the same is seen, and it ends the same."""
    run = compiled(path)
    assert run.game is not None
    whole = execute(emit_python(run.game, path.name), run.game.name)
    plain = {
        each.on: execute(emit_python(game, path.name), f"{game.name} with {'_'.join(sorted(each.on))}")
        for each, game in zip(run.combined, run.games, strict=True)
    }
    met = set()
    for players, choice in every_choice(whole):
        if players not in (whole.players.start, whole.players.stop - 1):
            continue
        game = Game(whole, players, choice)
        on = frozenset(game.overlays)
        met.add(on)
        other = Game(plain[on], players, choice)
        for number in range(4):
            side_by_side(game, other, Rng.stream(1, number))
    assert met == set(plain)


def side_by_side(game: Game, other: Game, rng: Rng) -> None:
    one, two = game.new_initial_state(), other.new_initial_state()
    while not one.is_terminal():
        assert one.to_dict() == two.to_dict()
        for player in range(game.players):
            assert one.view(player) == two.view(player)
        legal, others = one.legal_actions(), two.legal_actions()
        labels = [one.action_to_string(action) for action in legal]
        assert labels == [two.action_to_string(action) for action in others]
        chosen = rng.below(len(labels))
        one.apply_action(legal[chosen])
        two.apply_action(others[chosen])
    assert two.is_terminal()
    assert one.to_dict() == two.to_dict()
    assert (one.returns(), one.ranking()) == (two.returns(), two.ranking())


def test_a_game_has_only_what_its_options_give_it() -> None:
    run = compiled(SWITCHED[0])
    assert run.game is not None
    variant = execute(emit_python(run.game, "overlays.yaml"), "overlays")
    dry, wet = Game(variant, 2, {}), Game(variant, 2, {"wet": True})
    assert dry.labels == ["lay(sun 1)", "lay(sun 2)", "lay(rain 1)", "lay(rain 2)"]
    assert wet.labels == [*dry.labels, "lay(sea 1)", "lay(sea 2)", "wait()"]
    assert set(dry.new_initial_state().to_dict()["vars"]) == {"score"}
    assert set(wet.new_initial_state().to_dict()["vars"]) == {"score", "depth"}
    assert set(dry.new_initial_state().to_dict()["zones"]) == {"hand", "pile_sun", "pile_rain"}
    assert set(wet.new_initial_state().to_dict()["zones"]) == {"hand", "pile_sun", "pile_rain", "pile_sea"}


LAID = [*SPECS, *sorted((ROOT / "tests" / "games").glob("*.yaml"))]


@pytest.mark.parametrize("path", [path for path in LAID if path.name.count(".") == 1], ids=lambda path: path.stem)
def test_a_spec_written_as_one_is_the_same_game(path: Path) -> None:
    run = compiled(path)
    for each, game in zip(run.combined, run.games, strict=True):
        text = emit_spec(each.root, path.name, sorted(each.on))
        again = compile_text(path.name, text.encode(), path.parent, library())
        assert again.game is not None
        assert print_game(again.game) == print_game(game)


def test_a_spec_written_as_one_says_where_its_parts_come_from() -> None:
    run = compiled(SWITCHED[0])
    wet = next(each for each in run.combined if each.on == {"flood"})
    lines = {line.split("  # ")[0].rstrip(): line for line in emit_spec(wet.root, "x.yaml", ["flood"]).splitlines()}
    assert lines["  worth(Card c):"].endswith("# overlays.yaml:23")
    assert lines["  depth:"].endswith("# overlays.yaml:15")
    assert "#" not in lines["    attributes:"]
