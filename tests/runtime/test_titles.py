"""Several actions of one name: one label can mean several of them, and the legal one is meant."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from aeronef import BadInput, IllegalAction
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, load_variant
from aeronef.runtime import scenario, transcript
from aeronef.runtime.game import Game
from aeronef.runtime.laws import LawBroken, labels_tell_apart
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import State
from aeronef.runtime.tensors import information_state
from aeronef.runtime.trial import try_laws
from tests.games.specs import compiled

SPEC = Path(__file__).parents[1] / "language" / "right" / "titles.yaml"
DEAL = ["draw(0, 1)", "draw(0, 1)", "draw(1, 2)", "draw(1, 3)"]


@cache
def game(players: int = 2) -> Game:
    return Game(load_variant(SPEC), players)


def played(*labels: str) -> State:
    state = game().new_initial_state()
    for label in (*DEAL, *labels):
        state.apply_label(label)
    return state


def test_the_laws_hold() -> None:
    trial = try_laws(load_variant(SPEC), games=20, seed=20261130)
    assert [(f.law, f.reason, f.players, f.number) for f in trial.failures] == []


def test_each_element_has_ids_of_its_own() -> None:
    assert game().num_distinct_actions() == 4 + 4 + 2 + 4 + 1
    assert game().labels[:6] == ["power(1)", "power(2)", "power(3)", "power(4)", "power(1)", "power(2)"]
    assert [action.title for action in game().variant.actions][:2] == ["power as trade", "power as train"]
    assert game().max_chance_outcomes() == 2 * (2 * 4)


def test_a_label_means_what_is_legal() -> None:
    look = played()
    assert look.string_to_action("power(1)") == 8 + 1
    train = played("power(1)", "power(0)")
    assert train.string_to_action("power(1)") == 4
    assert train.string_to_action("power(3)") == 6
    trade = played("power(1)", "power(0)", "power(3)", "power(1)")
    assert trade.string_to_action("power(1)") == 0
    assert trade.string_to_action(1, "power(1)") == 0  # of who is not to act the first
    with pytest.raises(BadInput):
        trade.string_to_action("power(9)")


def test_what_is_refused_is_told_by_its_own_name() -> None:
    state = played()
    with pytest.raises(IllegalAction) as refused:
        state.apply_label("power(4)")
    assert refused.value.reasons == ("role[me] == scout and watch[me] != none",)  # the one that lacks least
    assert state.why_illegal(6, 0) == ["role[me] == scout and watch[me] != none"]
    assert played(*["drop(1)", "drop(2)", "drop(1)", "drop(3)", "draw(0, 1)", "draw(1, 2)"]).why_illegal(4, 0) == [
        "`power as train` belongs to another phase than `last`"
    ]


def test_what_is_heard_is_the_name_alone() -> None:
    """To the string as to the array a training and a look are a power."""
    state = played("power(1)", "power(0)", "power(4)")
    assert state.heard(1, 6) == ["0 power(?)"]
    assert state.heard(0, 6) == ["0 power(4)"]
    assert len(information_state(state, 1)) == len(information_state(played(), 1))


def test_how_many_values_there_are_is_not_heard_either() -> None:
    text = SPEC.read_text(encoding="utf-8").replace("power(n in 1..4) as train", "power(n in 1..4, m in 1..2) as train")
    text = text.replace("watch[me] == none\n        told: everyone", "watch[me] == none\n        told: nobody")
    wide = Game(execute(emit_python(compiled(text), "spec.yaml"), "spec"), 2)
    state = wide.new_initial_state()
    for label in (*DEAL, "power(1)", "power(0)", "power(4, 2)"):
        state.apply_label(label)
    assert state.heard(1, 4) == ["0 power(?)"]
    assert state.heard(1, 6) == ["0 power(?)"]
    assert state.heard(0, 6) == ["0 power(4, 2)"]


def test_a_transcript_replays() -> None:
    lines: list[str] = []
    transcript.record(game(), 3, 1, lines.append, full=True)
    [found] = transcript.replay(transcript.read("".join(lines).encode()), lambda *_: game())
    assert found.difference is None
    lines = []
    transcript.write_state(played("power(1)", "power(0)", "power(3)", "power(1)", "power(1)"), lines.append)
    assert '"power(1)"' in lines[-1]


def test_a_scenario_names_them() -> None:
    text = """
variant: couriers
scenarios:
  - name: powers
    players: 2
    given: {phase: spend, vars: {role: [smith, scout], watch: [1, null]}, zones: {hand: [["1"], ["2", "3"]]}}
    steps:
      - expect: {legal: [power(1), drop(1)]}
      - refused: 0 power(2)
      - 0 power(1)
      - 1 power(0)
      - 1 power(1)
"""
    [result] = scenario.run(scenario.read(text, "powers.yaml"), lambda *_: game())
    assert result.ok, result.message


def test_two_legal_actions_of_one_label_break_a_law() -> None:
    text = SPEC.read_text(encoding="utf-8").replace(" and watch[me] == none", "").replace(" and watch[me] != none", "")
    wrong = Game(execute(emit_python(compiled(text), "spec.yaml"), "spec"), 2)
    state = wrong.new_initial_state()
    for label in DEAL:
        labels_tell_apart(state, Rng(0))
        state.apply_label(label)
    with pytest.raises(LawBroken, match="labels tell apart: 2 legal actions are called `power"):
        labels_tell_apart(state, Rng(0))


def test_an_overlay_keeps_the_values_of_an_action_that_it_names_alone(tmp_path: Path) -> None:
    base = tmp_path / "couriers.yaml"
    base.write_text(SPEC.read_text(encoding="utf-8"), encoding="utf-8")
    over = tmp_path / "late.yaml"
    over.write_text(
        "game: late\nextends: couriers\nchange:\n  phases:\n    spend:\n      actions:\n"
        "        look: {told: nobody}\n        power(n in 2..4) as train: {told: nobody}\n"
        "remove: [phases.spend.actions.trade]\n",
        encoding="utf-8",
    )
    late = Game(load_variant(over), 2)
    assert [action.title for action in late.variant.actions] == [
        "power as train", "power as look", "drop", "power as trade", "keep",
    ]  # fmt: skip
    assert late.labels[:5] == ["power(2)", "power(3)", "power(4)", "power(0)", "power(1)"]
