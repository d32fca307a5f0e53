"""Dice: what rolls can show, exactly; zones of dice in play, in views, in arrays, in positions, kept and resampled."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from fractions import Fraction
from math import factorial, prod
from typing import Any

import pytest

from aeronef import BadInput, RuleFault
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute
from aeronef.runtime import scenario
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, rolls
from aeronef.runtime.laws import Broken, walk
from aeronef.runtime.positions import describe_state
from aeronef.runtime.state import State
from tests.emit.test_meaning import game_of
from tests.games.specs import compiled
from tests.language.cases import FOLDER

# Of each kind of dice its faces with how often they are on it.
KINDS: dict[str, dict[str, int]] = {
    "Plain": {str(n): 1 for n in range(1, 7)},
    "Blanks": {"blank": 2, "fog": 1, "sun": 1, "rain": 1, "snow": 1},
}
ROLLED = """\
game: rolled
players: 1
longest: 9
types: {{Sky: [blank, fog, sun, rain, snow]}}
dice:
  Plain: {{faces: 1..6}}
  Blanks: {{faces: Sky, copies: {{blank: 2}}}}
zones:
  plain: {{of: Plain, holds: 4, seen: everyone}}
  blanks: {{of: Blanks, holds: 4, seen: everyone}}
phases:
  one:
    chance: once
    outcomes: {{plain(fs from {k} of Plain): {{told: everyone, do: add fs to plain}}}}
    then: two
  two:
    chance: once
    outcomes: {{blanks(fs from {k} of Blanks): {{told: everyone, do: add fs to blanks}}}}
    then: end
result: {{rank: size(plain) + size(blanks)}}
"""


def exactly(kind: dict[str, int], dice: int) -> dict[tuple[str, ...], Fraction]:
    """The probability of each outcome by the multinomial formula: k! / ∏ n_i! · ∏ p_i^n_i."""
    sides = sum(kind.values())
    found = {}
    for faces in itertools.combinations_with_replacement(kind, dice):
        times = Counter(faces)
        ways = Fraction(factorial(dice), prod(factorial(n) for n in times.values()))
        found[faces] = ways * prod(Fraction(kind[face], sides) ** n for face, n in times.items())
    return found


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("dice", [0, 1, 2, 3, 4])
def test_rolls_are_exactly_as_likely_as_dice_show_them(name: str, dice: int) -> None:
    kind = KINDS[name]
    expected = exactly(kind, dice)
    weights = tuple(kind.values())
    faces = list(kind)
    found = {tuple(faces[i] for i in shown): Fraction(w, sum(weights) ** dice) for shown, w in rolls(weights, dice)}
    assert sum(found.values()) == 1
    assert found == expected


@pytest.mark.parametrize("dice", [0, 1, 2, 3, 4])
def test_a_game_rolls_with_exactly_these_chances(dice: int) -> None:
    state = game_of(ROLLED.format(k=dice)).new_initial_state()
    for name, kind in (("plain", KINDS["Plain"]), ("blanks", KINDS["Blanks"])):
        found = {state.action_to_string(CHANCE, outcome): p for outcome, p in state.chance_distribution()}
        assert all(isinstance(p, Fraction) for p in found.values())
        assert sum(found.values()) == 1
        assert found == {f"{name}({', '.join(faces)})": p for faces, p in exactly(kind, dice).items()}
        state.apply_action(state.legal_actions()[-1])
    last = "snow" if dice else ""
    assert state.to_dict()["zones"] == {"plain": [6] * dice, "blanks": [last] * dice}


def test_the_roll_of_no_dice_is_one_outcome() -> None:
    state = game_of(ROLLED.format(k="size(plain)")).new_initial_state()
    assert [(state.action_to_string(CHANCE, i), p) for i, p in state.chance_distribution()] == [
        ("plain()", Fraction(1))
    ]


# ------------------------------------------------------------------------------------------ zones of dice

CUPS = (FOLDER / "right" / "cups.yaml").read_text(encoding="utf-8")
GAME = game_of(CUPS, 2)


def laid(phase: str = "lay", **zones: Any) -> State:
    return describe_state(GAME, {"phase": phase, "zones": zones})


def zones(state: State, *names: str) -> list[Any]:
    return [state.to_dict()["zones"][name] for name in names]


def test_dice_lie_in_the_order_of_their_faces_or_in_a_row() -> None:
    state = laid(cup=[["blank", "star", "wave"], ["star"]], tray=["wave", "star"], row=["blank", "star"])
    assert zones(state, "cup", "tray", "row") == [
        [["star", "wave", "blank"], ["star"]], ["star", "wave"], ["blank", "star"],
    ]  # fmt: skip
    state.apply_label("lay(wave)")
    assert zones(state, "cup", "row") == [[["star", "blank"], ["star"]], ["blank", "star", "wave"]]


def test_the_first_and_last_of_a_row_leave_it_where_they_are() -> None:
    state = laid(cup=[["blank", "wave"], ["star"]], row=["star", "blank", "star"])
    state.apply_label("lay(wave)")
    assert zones(state, "cup", "row", "tray") == [[["blank"], ["star"]], ["blank"], ["star"]]


def test_several_are_chosen_and_moved() -> None:
    state = laid(cup=[["star", "wave", "wave"], ["star"]])
    labels = [state.action_to_string(0, action) for action in state.legal_actions()]
    assert labels == ["lay(star)", "lay(wave)", "keep(star + wave)"]
    state.apply_label("keep(star + wave)")
    assert zones(state, "cup", "tray") == [[["wave"], ["star"]], ["star", "wave"]]


def test_chance_takes_each_die_as_likely() -> None:
    state = laid("take", tray=["blank", "star", "blank", "wave"], row=["wave"])
    found = {state.action_to_string(CHANCE, outcome): p for outcome, p in state.chance_distribution()}
    assert found == {"take(star)": Fraction(1, 4), "take(wave)": Fraction(1, 4), "take(blank)": Fraction(1, 2)}
    state.apply_label("take(blank)")
    assert zones(state, "tray", "row") == [["star", "wave", "wave", "wave", "blank"], []]


def test_hidden_dice_are_counted_and_not_shown() -> None:
    state = laid(cup=[["wave", "star"], ["blank"]])
    assert state.view(0)["zones"]["cup"] == [["star", "wave"], {"hidden": 1}]
    assert state.view(1)["zones"]["cup"] == [{"hidden": 2}, ["blank"]]


def test_arrays_count_faces_by_what_the_zone_holds() -> None:
    state = laid(cup=[["wave", "star"], ["blank"]], row=["wave", "blank", "wave"])
    found = [round(float(x), 4) for x in state.observation_tensor(0)]
    cups = [1, 0.5, 0.25, 0.25, 0, 0, 0.25, 0, 0, 0]
    row = [1, 1, 0, 0.6667, 0.3333, 0, 1, 0.5]
    at = len(found) - len(cups) - 5 - len(row) - 3 * 8
    assert found[at : at + 10] == cups
    assert found[at + 15 : at + 23] == row
    assert len(state.observation_tensor(1)) == len(found)


FAULTS = [
    ("add [star, star] to cup[me]", "5 dice come to lie in a zone that holds 4"),
    ("remove [wave, wave] from cup[me]", "a die is taken from a zone where none shows this face"),
    ("move blank from cup[me] to tray", "a die is taken from a zone where none shows this face"),
    ("move all from cup[me] to row", "4 dice come to lie in a zone that holds 3"),
]


@pytest.mark.parametrize(("effect", "message"), FAULTS, ids=[effect for effect, _ in FAULTS])
def test_what_cannot_be_stops_the_game_at_its_line(effect: str, message: str) -> None:
    old = "          points[me] := min(points[me] + 10, 99)"
    text = CUPS.replace(old, f"          {effect}")
    line = CUPS.splitlines().index(old) + 1
    cups = [["star", "star", "star", "wave"], ["star"]]
    state = describe_state(game_of(text, 2), {"phase": "lay", "zones": {"cup": cups}})
    before = state.serialize()
    with pytest.raises(RuleFault) as fault:
        state.apply_label("lay(wave)")
    assert str(fault.value) == f"spec.yaml:{line}: {message}"
    assert state.serialize() == before


WRONG = [
    ({"tray": ["star", "sun"]}, "`tray`: `sun` is not one of Sign (star, wave, blank)"),
    ({"row": ["star"] * 4}, "`row` holds at most 3 dice, and 4 are listed"),
    ({"cup": ["star", "star"]}, "`cup` needs a list of what its dice show"),
    ({"cup": [["star"]]}, "`cup` needs a list with one entry for each of the 2 seats"),
    ({"tray": "star"}, "`tray` needs a list of what its dice show"),
    ({"steps_star": [9]}, "`steps_star`: `9` is not within -1..4"),
    ({"heap": []}, "there is no zone `heap` (there is: cup, tray, row, steps_star, steps_wave, steps_blank)"),
]


@pytest.mark.parametrize(("given", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_position_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as wrong:
        laid(**given)
    assert str(wrong.value) == message


SCENARIO = """\
variant: cups
scenarios:
  - name: dice in any order
    players: 2
    given:
      phase: lay
      zones: {cup: [[wave, star, blank], [blank]], steps_wave: [-1]}
    steps:
      - expect: {zones: {cup: [[blank, wave, star], [blank]], tray: [], steps_wave: [-1]}}
      - 0 keep(star + wave)
      - expect: {zones: {tray: [wave, star]}, views: {1: {zones: {cup: [{hidden: 1}, [blank]]}}}}
"""


def test_scenarios_lay_dice_and_expect_them_in_any_order() -> None:
    [result] = scenario.run(scenario.read(SCENARIO, "cups.yaml"), lambda players, options: GAME)
    assert (result.ok, result.message) == (True, "")


def test_saved_dice_come_back_and_wrong_ones_do_not() -> None:
    state = laid(cup=[["wave", "star"], ["blank"]], row=["star"])
    twin = GAME.deserialize_state(state.serialize())
    assert twin.to_dict() == state.to_dict()
    for member, value in (("row_", [0, 0, 0, 0]), ("tray", [3]), ("tray", ["star"]), ("cup", [[True], []])):
        found = json.loads(state.serialize())
        found["start"][member] = value
        with pytest.raises(BadInput):
            GAME.deserialize_state(json.dumps(found))


def test_hidden_dice_are_resampled_and_what_is_known_stays() -> None:
    state = GAME.new_initial_state()
    state.position.points = [99, 99]  # type: ignore[attr-defined]
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[3])
    cups = Counter()  # type: ignore[var-annotated]
    for seed in range(30):
        world = state.resample(0, seed)
        assert world.information_state_string(0) == state.information_state_string(0)
        assert zones(world, "cup")[0][0] == zones(state, "cup")[0][0]
        cups[tuple(zones(world, "cup")[0][1])] += 1
    assert len(cups) > 3


PLANTED = [
    ("a face that is none", "self.lay(self.cup[me], fs, 4,", "self.lay(self.cup[me], (9,), 4,", "dice fit"),
    ("too many dice", "(STAR,), 4,", "(STAR,) * 5, 99,", "dice fit"),
    (
        "dice as they come",
        "self.lay(self.cup[me], (STAR,)",
        "self.lay_on(self.cup[me], (BLANK, STAR)",
        "zones are in order",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "law"), [row[1:] for row in PLANTED], ids=[row[0] for row in PLANTED])
def test_a_planted_fault_breaks_its_law(right: str, wrong: str, law: str) -> None:
    code = emit_python(compiled(CUPS), "cups.yaml")
    assert right in code
    with pytest.raises(Broken, match=law):
        walk(Game(execute(code.replace(right, wrong), "broken"), 2), 7, 0)


OPTIONAL = (
    ROLLED.format(k=2)
    + """\
options: {cold: {type: bool, default: false}}
overlays:
  winter:
    when: cold
    add: {zones: {ice: {of: Blanks, holds: 1, seen: everyone}}}
    change: {phases: {two: {outcomes: {blanks: {do: "add fs to blanks\\nadd snow to ice"}}}}}
"""
)


@pytest.mark.parametrize(("cold", "expected"), [(False, None), (True, ["snow"])])
def test_a_zone_of_dice_that_an_overlay_brings_is_there_only_with_it(cold: bool, expected: Any) -> None:
    state = game_of(OPTIONAL, None, cold=cold).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.to_dict()["zones"].get("ice") == expected
