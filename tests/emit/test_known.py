"""What is known before a game: options and tables, and names that are shared with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, load
from aeronef.runtime.game import Game
from aeronef.runtime.state import State
from tests.games.specs import compiled

RIGHT = Path(__file__).parents[1] / "language" / "right"


def game_of(text: str, players: int | None = None, **options: Any) -> Game:
    game = compiled(text)
    return Game(execute(emit_python(game, "spec.yaml"), game.name), players, options)


def played(game: Game, *labels: str) -> State:
    state = game.new_initial_state()
    for label in labels:
        state.apply_action(game.ids[label])
    return state


# ------------------------------------------------------------------------------------------ shared names


def test_a_word_and_what_has_its_name_are_apart() -> None:
    state = played(load(RIGHT / "names.yaml"), "put(square)", "rest()")
    assert state.to_dict()["vars"] == {
        "first": 0, "round": 1, "last": "square", "shape_round": "first", "shape_square": "Tile",
        "shape_first": "square", "shape_Tile": "round",
    }  # fmt: skip


def test_a_variable_and_the_option_of_its_name_are_apart() -> None:
    starts = [load(RIGHT / "names.yaml", 3, first=first).start() for first in (False, True)]
    assert [(start.first, start.option_first) for start in starts] == [(2, False), (1, True)]  # type: ignore[attr-defined]
