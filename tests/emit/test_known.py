"""What is known before a game: options and tables, and names that are shared with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aeronef.cli import main
from aeronef.commands.list import _values
from aeronef.dsl.compiler import compile_file
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.evaluate import Given, evaluate
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
        state.apply_label(label)
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
        (3, "random, or a seat (0 to 2), not `1.0`", 1.0),
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


def test_the_values_of_such_options_are_listed() -> None:
    listed = [_values(option, 4) for option in load(RIGHT / "openers.yaml").variant.options]
    assert listed == ["random, 0, 1, 2, 3", "0, 1, 2, 3", "0, 1, 2, 3", "never, 3..12", "none_, 0, 1, 2"]


def test_a_transcript_and_the_command_line_know_such_options(tmp_path: Path) -> None:
    file = str(tmp_path / "games.jsonl")
    spec = str(RIGHT / "openers.yaml")
    given = ["--players", "3", "-o", "opener=2", "-o", "limit=never", "-o", "closer=1"]
    assert main(["run", spec, "--games", "2", *given, "--transcript", file]) == 0
    head = json.loads(Path(file).read_text(encoding="utf-8").splitlines()[0])
    assert head["options"] == {"opener": 2, "closer": 1, "again": 0, "limit": "never", "pause": 0}
    assert main(["replay", file, "--spec", spec]) == 0
    assert main(["run", spec, "--players", "3", "-o", "opener=3"]) != 0


def test_a_game_with_such_options_keeps_the_laws() -> None:
    trial = try_laws(load(RIGHT / "openers.yaml").variant, games=3, seed=20261130)
    assert [(f.law, f.reason, f.players, f.options) for f in trial.failures] == []


# ------------------------------------------------------------------------------------------ tables


@pytest.mark.parametrize(("players", "gone"), [(2, 4), (3, 3), (4, 2), (5, 1), (6, 0)])
def test_tables_are_read_before_the_game(players: int, gone: int) -> None:
    game = load(RIGHT / "facts.yaml", players)
    assert game.max_game_length() == 60 + gone
    assert game.start().gone == gone  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("players", "seen"),
    [(2, {0}), (3, {0, 1}), (4, {0, 1, 3}), (5, {0, 1, 4}), (6, {0, 1, 2, 5})],
)
def test_a_table_of_sets_says_who_is_seen(players: int, seen: set[int]) -> None:
    position = load(RIGHT / "facts.yaml", players).start()
    assert {owner for owner in range(players) if position.sees_shore(0, owner)} == seen  # type: ignore[attr-defined]


def test_a_value_of_a_table_is_found_by_its_keys() -> None:
    state = played(load(RIGHT / "facts.yaml"), "lay(chalk 2)", "lay(clay 1)", "pass()")
    # Clay follows chalk that is heavy, chalk follows clay that is not. A small stone brings clay 2's price.
    assert state.to_dict()["vars"] == {"next": "chalk", "gone": 4 + 1 + 1 + 4 + 1, "first": 0}
    assert state.legal_actions() == sorted(state.legal_actions())


WORTHS = {"chalk 1": 2, "chalk 2": 4, "clay 1": 1, "clay 2": 3, "ice 1": 0, "ice 2": 0}


def test_a_table_may_have_no_value_for_a_key() -> None:
    position: Any = load(RIGHT / "facts.yaml").start()
    labels = list(WORTHS)
    assert {label: position.worth(card) for card, label in enumerate(labels)} == WORTHS
    assert [position.sure(card) for card in range(6)] == [2, 4, 1, 3, 5, 6]


AROUND = """\
game: around
players: 3..4
automata: 1
longest: 9
tables:
  far: {each: -2..2, type: -9..9, is: {-2: -7, -1: -1, 0: 0, 1: 3, 2: 9}}
vars:
  at: {each: -2..2, type: seat, starts: "left(right(1, far[1]), 0)", seen: everyone}
phases:
  walk:
    turns: {from: 0, until: false}
    actions:
      walk(n in -2..2):
        told: everyone
        do: at[n] := left(at[n], far[n])
      back(n in -2..2):
        told: everyone
        do: at[n] := right(at[n], n * 2 - far[-n])
    then: end
result:
  rank: count(n in -2..2 where at[n] == me)
"""


@pytest.mark.parametrize("players", [3, 4])
def test_seats_so_far_to_the_left_and_right(players: int) -> None:
    game = game_of(AROUND, players)
    n, far = players + 1, dict(zip(range(-2, 3), (-7, -1, 0, 3, 9), strict=True))
    for key in far:
        state = played(game, f"walk({key})", f"back({key})")
        begun = (1 - 3) % n
        walked = (begun + far[key]) % n
        at: Any = state.position
        assert at.at[key + 2] == (walked - (key * 2 - far[-key])) % n


BEFORE = """\
game: before
players: 2..4
automata: 1
longest: 100 + (10 if left(0, size(players)) == right(0, far[size(players)]) else 0)
tables:
  far: {each: 2..4, type: -9..9, is: {2: 1, 3: 0, 4: -4}}
phases:
  walk:
    turns: {from: 0, until: false}
    actions: {walk(): {}}
    then: end
result: {rank: 0}
"""


def test_seats_are_counted_before_the_game_as_in_it() -> None:
    compiled_game = compiled(BEFORE)
    for players in (2, 3, 4):
        expected = evaluate(compiled_game.longest, Given(compiled_game, players, {}), {})
        assert game_of(BEFORE, players).max_game_length() == expected


def test_a_game_of_tables_keeps_the_laws() -> None:
    trial = try_laws(load(RIGHT / "facts.yaml").variant, games=2, seed=20261130)
    assert [(f.law, f.reason, f.players, f.options) for f in trial.failures] == []


# ------------------------------------------------------------------------------------------ topics


def test_a_base_cites_the_clauses_of_the_spec_that_extends_it(tmp_path: Path) -> None:
    base = AROUND.replace("game: around", "game: family").replace("phases:\n", "by: walking\nphases:\n")
    (tmp_path / "family.yaml").write_text(base)
    (tmp_path / "clauses.yaml").write_text(
        "A1: {says: Seats walk., on: walking}\nA2: There are seats.\nA3: {says: They walk far., on: [far, walking]}\n"
    )
    overlay = (
        "game: child\nextends: family\nclauses: clauses.yaml\nchange: {tables: {far: {by: [A2, far], is: {2: 8}}}}\n"
    )
    (tmp_path / "child.yaml").write_text(overlay)
    compilation = compile_file(tmp_path / "child.yaml")
    game = compilation.game
    assert game is not None
    assert compilation.report.diagnostics == []
    assert game.by == ("A1", "A3")
    assert (game.tables[0].by, game.tables[0].values) == (("A2", "A3"), (-7, -1, 0, 3, 8))
