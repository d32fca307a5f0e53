"""The laws of transcripts: what each line holds, that they replay to the same bytes, and where they part."""

import io
import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import aeronef
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.simulate import play_game
from aeronef.runtime.state import dump
from aeronef.runtime.transcript import Replayed, differences, read, record, replay, write_state

VARIANT = "montgolfiere_race"
Line = dict[str, Any]


def load(variant: str, players: int, options: dict[str, Any]) -> Game:
    return aeronef.load(variant, players, **options)


def written(seed: int = 7, games: int = 1, full: bool = False, players: int = 3, **options: Any) -> str:
    stream = io.StringIO()
    game = load(VARIANT, players, options)
    for number in range(games):
        record(game, seed, number, stream.write, full)
    return stream.getvalue()


def lines(text: str) -> list[Line]:
    return [json.loads(line) for line in text.splitlines()]


def replayed(text: str, rules: Callable[[str, int, dict[str, Any]], Game] = load) -> list[Replayed]:
    return list(replay(read(text.encode()), rules))


def changed(text: str, number: int, change: Callable[[Line], object]) -> str:
    """The text with line `number` (from 1) changed as data."""
    split = text.splitlines()
    line = json.loads(split[number - 1])
    change(line)
    split[number - 1] = json.dumps(line, ensure_ascii=False)
    return "\n".join(split) + "\n"


def where(text: str) -> tuple[int, str]:
    """The line and the field at which the one game of a text parts."""
    (one,) = replayed(text)
    assert one.difference is not None
    return one.difference.line, one.difference.field


# ------------------------------------------------------------------------------------------ what is written


def test_the_first_line_says_the_game_with_every_option_written_out() -> None:
    game = load(VARIANT, 3, {})
    first = lines(written())[0]
    assert list(first.items()) == [
        ("format", "aeronef-transcript/1"), ("variant", VARIANT), ("spec", game.spec_digest), ("players", 3),
        ("options", {"baron": False, "squadron": "ask", "target": 0}), ("seed", 7), ("game", 0),
    ]  # fmt: skip
    assert first["spec"].startswith("sha256:")


def test_a_step_line_says_its_number_phase_actor_and_action() -> None:
    steps = lines(written())[1:-1]
    assert [line["step"] for line in steps] == list(range(len(steps)))
    assert all(list(line) == ["step", "phase", "actor", "action"] for line in steps)
    assert steps[0] | {"action": ""} == {"step": 0, "phase": "deal", "actor": "chance", "action": ""}
    assert steps[21]["phase"] == "show"
    assert steps[21]["actor"] == 0


def test_the_end_line_says_the_result_in_whole_numbers_where_they_are_whole() -> None:
    text = written(games=30)
    ends = [line for line in text.splitlines() if line.startswith('{"end"')]
    assert len(ends) == 30
    assert any('"returns": [0, 1, 0]' in line for line in ends)
    assert any('"returns": [0.5, ' in line for line in ends)
    assert list(json.loads(ends[0])) == ["end", "steps", "returns", "ranking"]


def test_full_lines_hold_legal_actions_state_and_views_before_the_action() -> None:
    game = load(VARIANT, 3, {})
    state = game.new_initial_state()
    all_lines = lines(written(full=True))
    for line in all_lines[1:-1]:
        if state.is_chance_node():
            assert sum(map(Fraction, line["legal"].values())) == 1
            assert all(
                Fraction(p) == q for p, (_, q) in zip(line["legal"].values(), state.chance_distribution(), strict=True)
            )
            assert line["action"] in line["legal"]
        else:
            assert line["legal"] == [state.action_to_string(action) for action in state.legal_actions()]
        assert line["state"] == state.to_dict()
        assert line["views"] == [state.view(player) for player in range(3)]
        state.apply_label(line["action"])
    assert all_lines[-1]["state"] == state.to_dict()
    assert all_lines[-1]["views"] == [state.view(player) for player in range(3)]
    assert all_lines[1]["legal"]["draw(0, ballast 7)"] == "1/24"


def test_a_recorded_game_is_the_game_that_is_played_without_recording() -> None:
    game = load(VARIANT, 4, {"baron": True})
    for number in range(5):
        assert dump(record(game, 3, number, io.StringIO().write)) == dump(play_game(game, 3, number))


def test_a_game_that_is_cut_ends_with_the_reason(cut_game: Game) -> None:
    stream = io.StringIO()
    record(cut_game, 0, 0, stream.write, full=True)
    last = lines(stream.getvalue())[-1]
    assert list(last) == ["cut", "steps", "why"]
    assert last["cut"] is True
    assert last["steps"] == 40
    assert "40 steps" in last["why"]
    assert replayed(stream.getvalue(), lambda *_: cut_game)[0].difference is None


@pytest.fixture
def cut_game() -> Game:
    game = load(VARIANT, 3, {})
    game.position_class.longest = 40
    game._longest = 40
    return game


# ------------------------------------------------------------------------------------------ replaying


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("options", [{}, {"baron": True, "squadron": "open"}, {"target": 20}])
def test_what_is_written_replays(full: bool, options: dict[str, Any]) -> None:
    results = replayed(written(games=3, full=full, **options))
    assert [one.number for one in results] == [0, 1, 2]
    assert all(one.difference is None and one.other_spec is None and one.steps > 0 for one in results)


def test_a_game_of_no_seed_replays_by_its_actions() -> None:
    state = load(VARIANT, 2, {}).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    stream = io.StringIO()
    write_state(state, stream.write, full=True)
    assert lines(stream.getvalue())[0]["seed"] is None
    assert replayed(stream.getvalue())[0].difference is None


def test_of_a_seed_a_changed_action_shows_where_it_stands() -> None:
    text = written()
    number = next(n for n, line in enumerate(lines(text), start=1) if line.get("action") == "keep()")
    assert where(changed(text, number, lambda line: line.update(action="show()"))) == (number, "action")


def test_without_a_seed_an_action_that_is_not_legal_shows_where_it_stands() -> None:
    text = changed(written(), 1, lambda line: line.update(seed=None, game=None))
    number = next(n for n, line in enumerate(lines(text), start=1) if line.get("phase") == "choose")
    for action in ("keep()", "play(nothing)", "draw(0, gas)"):
        assert where(changed(text, number, lambda line, a=action: line.update(action=a))) == (number, "action")  # type: ignore[misc]


@pytest.mark.parametrize(
    ("number", "change", "field"),
    [
        (2, lambda line: line.update(phase="show"), "phase"),
        (2, lambda line: line.update(actor=0), "actor"),
        (3, lambda line: line.update(step=7), "step"),
        (30, lambda line: line["state"]["vars"]["altitude"].__setitem__(2, 15), "state.vars.altitude[2]"),
        (30, lambda line: line["views"][1]["zones"]["hand"].__setitem__(1, []), "views[1].zones.hand[1][0]"),
        (30, lambda line: line["legal"].update(gas="1/2"), "legal.gas"),
        (26, lambda line: line["legal"].pop(), "legal[4]"),
        (30, lambda line: line.pop("views"), "views"),
        (30, lambda line: line.update(extra=1), "extra"),
        (31, lambda line: line["state"]["vars"]["shown"].__setitem__(0, 0), "state.vars.shown[0]"),
        (-1, lambda line: line.update(steps=1), "steps"),
        (-1, lambda line: line["returns"].__setitem__(0, 0.25), "returns[0]"),
    ],
)
def test_a_changed_field_is_pinpointed(number: int, change: Callable[[Line], object], field: str) -> None:
    text = written(full=True)
    number = number if number > 0 else len(text.splitlines())
    line, found = where(changed(text, number, change))
    assert (line, found) == (number, field)


def test_other_options_part_where_they_first_matter() -> None:
    text = changed(written(), 1, lambda line: line["options"].update(squadron="open"))
    first = next(n for n, line in enumerate(lines(text), start=1) if line.get("phase") == "show")
    assert where(text) == (first, "phase")


def test_a_step_too_many_and_a_step_too_few_are_pinpointed() -> None:
    split = written().splitlines(keepends=True)
    assert where("".join(split[:50] + split[51:])) == (51, "step")
    end = len(split)
    assert where("".join([*split[:-2], split[-1]])) == (end - 1, "")
    assert where("".join([*split[:-1], split[-2], split[-1]])) == (end, "")


def test_the_same_data_written_otherwise_is_a_difference() -> None:
    text = written()
    split = text.splitlines()
    split[4] = json.dumps(json.loads(split[4]), separators=(",", ":"))
    assert where("\n".join(split) + "\n") == (5, "")


def test_each_game_of_a_file_is_replayed_after_one_that_parts() -> None:
    text = written(games=3)
    starts = [n for n, line in enumerate(lines(text), start=1) if "format" in line]
    results = replayed(changed(text, starts[1] + 3, lambda line: line.update(phase="?")))
    assert [one.difference is None for one in results] == [True, False, True]
    assert results[1].difference is not None
    assert results[1].difference.line == starts[1] + 3


def test_another_spec_is_said_and_the_game_followed_by_its_actions() -> None:
    text = changed(written(), 1, lambda line: line.update(spec="sha256:0"))
    (one,) = replayed(text)
    assert one.other_spec == ("sha256:0", load(VARIANT, 3, {}).spec_digest)
    assert one.difference is None
    assert where(changed(text, 25, lambda line: line.update(phase="?"))) == (25, "phase")


# ------------------------------------------------------------------------------------------ files that are none


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("\n", 1),
        ("nonsense\n", 1),
        ("[1]\n", 1),
        ("\x00\n", 1),
        ("[" * 100_000 + "\n", 1),
        ('{"step": 0, "phase": "deal", "actor": "chance", "action": "x()"}\n', 1),
        ('{"format": "aeronef-transcript/2"}\n', 1),
        ('{"format": "aeronef-transcript/1"}\n', 1),
        (written(players=2).replace('"players": 2', '"players": true', 1), 1),
        (written(players=2).replace('"players": 2', '"players": 12', 1), 1),
        (written(players=2).replace('"target": 0', '"target": []', 1), 1),
        (written(players=2).replace('"seed": 7', '"seed": "7"', 1), 1),
        ("\n".join(written(players=2).splitlines()[:10]) + "\n", 10),
        ("\n".join(written(players=2).splitlines()[:10])[:-9], 10),
        ("\n".join(written(players=2).splitlines()[:10]) + "\n" + written(players=2), 11),
        (written(players=2) + "{}\n", len(written(players=2).splitlines()) + 1),
        ("\n".join(written(players=2).splitlines()[:10]) + '\n{"step": 9}\n', 11),
    ],
)
def test_a_file_that_is_no_transcript_or_breaks_off_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(BadInput, match=rf"^line {line}: [^\n]+$"):
        replayed(text)


def test_bytes_that_are_no_text_are_refused_with_their_line() -> None:
    with pytest.raises(BadInput, match=r"^line 1: "):
        read(b"\xff\xfe\n")


def test_differences_know_a_number_from_a_truth_value_and_whole_from_not() -> None:
    assert [path for path, _, _ in differences({"a": 1, "b": [True]}, {"a": 1.0, "b": [1]})] == ["a", "b[0]"]
