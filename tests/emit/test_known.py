"""What is known before a game: options and tables, and names that are shared with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, load
from aeronef.runtime.combinations import every_choice
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.state import State
from aeronef.runtime.trial import try_laws
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


# ------------------------------------------------------------------------------------------ options


@pytest.mark.parametrize("value", ["random", 0, 2, "2"])
def test_an_option_can_be_a_seat_or_a_word(value: object) -> None:
    game = load(RIGHT / "openers.yaml", 3, opener=value, closer=1, limit=4)
    state = game.new_initial_state()
    assert game.options["opener"] == ("random" if value == "random" else int(str(value)))
    assert state.is_chance_node() == (value == "random")
    if value != "random":
        assert state.current_player() == int(str(value))
    assert game.deserialize_state(state.serialize()).to_dict() == state.to_dict()


@pytest.mark.parametrize(
    ("players", "said", "value"),
    [
        (3, "random, or a seat (0 to 2), not `3`", 3),
        (1, "random, or a seat (0), not `1`", "1"),
        (3, "random, or a seat (0 to 2), not `Random`", "Random"),
        (3, "random, or a seat (0 to 2), not `None`", None),
        (3, "random, or a seat (0 to 2), not `True`", True),
    ],
)
def test_an_option_is_a_seat_that_plays(players: int, said: str, value: object) -> None:
    with pytest.raises(BadInput) as error:
        load(RIGHT / "openers.yaml", players, opener=value)
    assert str(error.value) == f"the option opener is {said}"


def test_a_seat_that_does_not_play_is_not_tried() -> None:
    variant = load(RIGHT / "openers.yaml").variant
    tried = {(players, chosen["again"]) for players, chosen in every_choice(variant)}
    assert tried == {(1, 0), (2, 0), (3, 0), (4, 0), (4, 3)}
    assert {chosen["opener"] for _, chosen in every_choice(variant)} == {"random", 0, 1}
    assert [option.tries for option in variant.options[:2]] == [(None, 0, 1), (0, 1)]


def test_a_game_with_such_options_keeps_the_laws() -> None:
    trial = try_laws(load(RIGHT / "openers.yaml").variant, games=3, seed=20261130)
    assert [(f.law, f.reason, f.players, f.options) for f in trial.failures] == []
