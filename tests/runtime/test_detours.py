"""Detours: a phase is set aside for others, and then goes on exactly as if its action had just ended."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aeronef import BadInput
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, load_variant
from aeronef.runtime import transcript
from aeronef.runtime.game import Game
from aeronef.runtime.laws import _another_world, walk
from aeronef.runtime.machine import search
from aeronef.runtime.positions import describe_state
from aeronef.runtime.resample import resample
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import play_game
from aeronef.runtime.state import State, dump
from aeronef.runtime.tensors import information_state
from aeronef.runtime.trial import try_laws
from tests.games.specs import compiled

SPEC = Path(__file__).parents[1] / "language" / "right" / "detours.yaml"
BOARDING: dict[str, Any] = {
    "phase": "boarding",
    "zones": {"hand": [["1", "1", "2"], ["2", "3", "3"], ["1", "2", "3"]]},
}


@cache
def game(players: int = 3) -> Game:
    return Game(load_variant(SPEC), players)


def played(*labels: str, **given: Any) -> State:
    state = describe_state(game(), BOARDING | given)
    for label in labels:
        state.apply_label(label)
    return state


def at(state: State) -> tuple[str, int]:
    return state.phase, state.current_player()


def aside(state: State) -> list[tuple[str, int]]:
    return [(game().variant.phases[phase].name, me) for phase, me, *_ in state.position.back]


def test_the_laws_hold() -> None:
    trial = try_laws(load_variant(SPEC), games=20, seed=20261130)
    assert [(f.law, f.reason, f.players, f.number) for f in trial.failures] == []
    assert search(game(), examples=15, steps=12, seed=4) is None


def test_the_turn_goes_on_where_it_was() -> None:
    state = played("board(1)", "power(plank)")
    assert at(state) == ("double", 1)
    assert aside(state) == [("boarding", 1)]
    state.apply_label("board(2)")
    assert at(state) == ("double", 1)
    state.apply_label("board(3)")
    assert (at(state), aside(state)) == (("boarding", 2), [])


def test_until_is_asked_when_the_phase_goes_on() -> None:
    zones = {"hand": [["1", "1", "2"], [], []], "ferry": [["3", "3"], [], []]}
    state = played("power(plank)", "board(1)", "board(1)", zones=zones)
    assert at(state) == ("landing", -1)


def test_detours_nest() -> None:
    state = played("power(plank)", "shove(1)")
    assert (at(state), aside(state)) == (("storm", -1), [("boarding", 0), ("double", 0)])
    state.apply_label("blow(0, 1)")
    assert (at(state), aside(state)) == (("bailing", 1), [("boarding", 0), ("double", 0), ("storm", 0)])
    for label in ("bail()", "bail()", "lose(1)"):
        state.apply_label(label)
    assert (at(state), aside(state)) == (("double", 0), [("boarding", 0)])
    state.apply_label("board(2)")
    assert (at(state), aside(state)) == (("boarding", 1), [])


def test_me_is_who_led_there() -> None:
    state = played("board(1)", "power(rope)")
    assert at(state) == ("throwing", 0)
    assert state.to_dict()["vars"]["led"] == [1]
    for label in ("throw(2)", "throw(1)"):
        state.apply_label(label)
    assert at(state) == ("boarding", 2)
    assert state.to_dict()["zones"]["water"] == ["2", "1"]
    full = [["1"] * 2, ["2", "3", "3", "3"], ["1", "2", "3"]]
    state = played("board(1)", "power(rope)", "throw(1)", "throw(2)", zones={"hand": full})
    assert state.to_dict()["zones"]["hand"] == [[], ["1", "2", "2", "3", "3", "3"], ["1", "3"]]


def test_the_game_can_end_in_a_detour() -> None:
    state = played(
        "power()", "blow(0, 2)", "bail()", "bail()", zones=BOARDING["zones"] | {"water": ["1"] * 4 + ["2"] * 5}
    )
    state.apply_label("lose(1)")
    assert at(state) == ("boarding", 1)
    state = played("power()", "blow(0, 2)", zones=BOARDING["zones"] | {"water": ["1"] * 4 + ["2"] * 5})
    for label in ("lose(2)", "lose(1)", "lose(1)"):
        state.apply_label(label)
    assert (state.is_terminal(), state.phase, state.position.back) == (True, "end", ())
    state.undo_action()
    assert aside(state) == [("boarding", 0), ("storm", 0)]


def test_detours_of_an_outcome() -> None:
    state = played(phase="landing")
    state.apply_label("land(0)")
    assert (at(state), state.to_dict()["vars"]["gusts"]) == (("landing", -1), 1)
    state.apply_label("land(2)")
    assert (at(state), aside(state)) == (("spray", 0), [("landing", -1)])
    for label in ("duck()", "stand()", "duck()"):
        state.apply_label(label)
    assert at(state) == ("landing", -1)
    state.apply_label("land(1)")
    assert state.is_terminal()


def test_undo_and_saving_keep_what_is_set_aside() -> None:
    labels = [
        "power(plank)",
        "shove(1)",
        "blow(0, 0)",
        "bail()",
        "bail()",
        "bail()",
        "board(1)",
        "power(rope)",
        "throw(2)",
    ]
    state = played()
    seen = []
    for label in labels:
        seen.append((dump(state.position), state.information_state_string(1)))
        state.apply_label(label)
        twin = game().deserialize_state(state.serialize())
        assert (dump(twin.position), twin.history()) == (dump(state.position), state.history())
        begun = game().deserialize_state(State(game(), state.position).serialize())
        assert dump(begun.position) == dump(state.position)
        assert begun.legal_actions() == state.legal_actions()
    for before in reversed(seen):
        state.undo_action()
        assert (dump(state.position), state.information_state_string(1)) == before


def test_views_of_a_choice_together_are_frozen_in_a_detour_and_open_after_it() -> None:
    state = played("power(rope)")
    assert state.frozen_at() is None
    state.apply_label("throw(3)")
    assert state.frozen_at() == 1
    assert state.view(2)["zones"]["hand"][1] == {"hidden": 3}
    assert state.view(1)["zones"]["hand"][1] == ["2", "3"]
    assert state.heard(2, 1) == ["1 ?"]
    state.apply_label("throw(1)")
    assert (at(state), state.frozen_at()) == (("boarding", 1), None)
    assert state.view(2)["zones"]["hand"][1] == {"hidden": 2}
    assert state.heard(0, 2) == ["2 ?", "1 throw(?)", "2 throw(?)"]
    other = _another_world(state, 0, Rng(1))
    assert other.view(0) == state.view(0)


def test_positions_with_detours_that_cannot_be_are_refused() -> None:
    saved = json.loads(State(game(), played("power(plank)", "shove(1)").position).serialize())
    whole = saved["start"]["back"]
    assert [frame[1] for frame in whole] == [0, 0]
    for back in (
        "back", [], whole[1:], whole[::-1], [*whole, whole[0]], [[99, *whole[0][1:]]], [whole[0], 3],
        [whole[0], [1, 2]],
        [whole[0], whole[1][:4]], [whole[0], [whole[1][0], 7, *whole[1][2:]]], [whole[0], [*whole[1][:2], ["a"], 0, 0]],
        [whole[0], [*whole[1][:3], 99, 0]], [whole[0], [*whole[1][:4], 7]], [whole[0], [*whole[1][:4], True]],
        [whole[0], [*whole[1][:4], 0.0]], [whole[0], [*whole[1][:2], [-1], *whole[1][3:]]],
    ):  # fmt: skip
        broken = saved | {"start": saved["start"] | {"back": back}}
        with pytest.raises(BadInput):
            game().deserialize_state(json.dumps(broken))
    plain = json.loads(State(game(), played().position).serialize())
    plain["start"]["back"] = whole[:1]
    with pytest.raises(BadInput, match="`boarding` is not visited from `boarding`"):
        game().deserialize_state(json.dumps(plain))


def test_a_scenario_begins_where_the_detour_begins() -> None:
    with pytest.raises(BadInput, match="`double` is visited from `boarding`: begin there"):
        played(phase="double")
    with pytest.raises(BadInput, match="`storm` is visited from `boarding` or `double`: begin there"):
        played(phase="storm")


def test_transcripts_replay() -> None:
    for number in range(5):
        lines: list[str] = []
        transcript.record(game(), 3, number, lines.append, full=True)
        [found] = transcript.replay(transcript.read("".join(lines).encode()), lambda *_: game())
        assert found.difference is None


def test_what_is_resampled_is_known_alike() -> None:
    state = game().new_initial_state()
    rng = Rng(9)
    while len(state.moves) < 40 and not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[rng.below(len(legal))])
    for seed in range(3):
        world = resample(state, 1, seed)
        assert world.information_state_string(1) == state.information_state_string(1)
        assert (information_state(world, 1) == information_state(state, 1)).all()


def test_a_game_can_be_cut_in_a_detour() -> None:
    text = SPEC.read_text(encoding="utf-8").replace("longest: 400", "longest: 14")
    short = Game(execute(emit_python(compiled(text), "spec.yaml"), "spec"), 3)
    state = short.new_initial_state()
    while state.phase == "deal":
        state.apply_action(state.legal_actions()[0])
    for label in ("power()", "blow(0, 0)"):
        state.apply_label(label)
    assert (state.cut, state.is_terminal(), state.returns(), len(state.position.back)) == (True, True, [0.0] * 3, 2)
    assert game().deserialize_state(game().new_initial_state().serialize()).position.back == ()
    assert short.deserialize_state(state.serialize()).position.back == state.position.back


def test_random_games_end_with_nothing_aside() -> None:
    for number in range(10):
        walk(game(), 11, number)
        assert play_game(game(), 11, number).back == ()
