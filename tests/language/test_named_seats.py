"""Where rules name a seat, and that those which only compare seats do not."""

from __future__ import annotations

from typing import Any

import pytest

from aeronef.dsl import ir
from aeronef.dsl.compiler import compile_text
from aeronef.dsl.named_seats import named_seats
from aeronef.dsl.specialise import specialise
from tests.games.specs import ROOT, SPECS, compiled, text_of

GAME = """
game: pins
players: 2..4
longest: 50
types: {Colour: [red, blue]}
OPTIONS
tables:
  strength: {each: seat, type: 0..3, is: {0: STRENGTH, 1: 2, 2: 2, 3: 2}}
vars:
  pins: {each: seat, type: 0..9, starts: 0, seen: SEEN}
  leader: {type: "seat?", starts: LEADER, seen: everyone}
phases:
  play:
    turns: {over: "OVER"}
    actions:
      take(): {when: "WHEN", do: "pins[me] += strength[me] % 2 + 1"}
    then: END
  last: {do: "leader := EFFECT", then: end}
result: {rank: "RANK"}
"""
NOBODY = {
    "OPTIONS": "options: {calm: {type: bool, default: true, says: Calm.}}", "STRENGTH": "2", "SEEN": "everyone",
    "LEADER": "none", "OVER": "p in players by pins[p]", "WHEN": "pins[me] < 9", "END": "last",
    "EFFECT": "first([p in players by pins[p]])", "RANK": "pins[me]",
}  # fmt: skip
SOMEBODY = {
    "a table with another value for one": ("STRENGTH", "3", "tables.strength"),
    "who may see": ("SEEN", "viewer == 0", "vars.pins"),
    "what a variable starts with": ("LEADER", "1", "vars.leader"),
    "an option that is a seat": ("LEADER", "options.starter", "vars.leader"),
    "turns of all by their numbers": ("OVER", "players", "phases.play"),
    "turns of all by their numbers, written out": ("OVER", "[p for p in players]", "phases.play"),
    "turns of some by their numbers": ("OVER", "p in players where pins[p] < 5", "phases.play"),
    "turns from one on": ("OVER", "clockwise(1)", "phases.play"),
    "what can be done": ("WHEN", "me != 0", "phases.play.actions.take"),
    "which phase follows": ("END", "last if pins[1] > 2 else end", "phases.play"),
    "what happens": ("EFFECT", "0", "phases.last"),
    "the first of all": ("EFFECT", "first(players)", "phases.last"),
    "who ranks first": ("RANK", "1 if me == 1 else 0", "result"),
}  # fmt: skip


def pins(**changes: str) -> ir.Game:
    text = GAME
    for name, words in (NOBODY | changes).items():
        text = text.replace(name, words)
    return compiled(text)


def test_rules_that_compare_seats_name_none() -> None:
    assert named_seats(pins()) == ()


@pytest.mark.parametrize("how", SOMEBODY)
def test_a_seat_that_is_named_is_found_where_it_stands(how: str) -> None:
    name, words, element = SOMEBODY[how]
    changes = {name: words}
    if "options" in words:
        changes["OPTIONS"] = "options: {starter: {type: seat, default: 1, says: Who starts.}}"
    game = pins(**changes)
    [(found, span)] = named_seats(game)
    assert found == element
    assert span.line > 0


def test_what_there_is_at_the_start_can_be_left_out() -> None:
    assert named_seats(pins(LEADER="1"), start=False) == ()
    assert named_seats(pins(LEADER="1", EFFECT="0"), start=False) != ()


@pytest.mark.parametrize(("name", "element"), [
    ("kuhn_poker", "phases.betting"), ("tic_tac_toe", "phases.play"), ("liars_dice", "phases.bid"),
])  # fmt: skip
def test_examples_begin_with_a_seat(name: str, element: str) -> None:
    assert [found for found, _ in named_seats(compiled(text_of(name)))] == [element]


def settled(name: str, **changes: Any) -> ir.Game:
    """The game of a variant with its options as they are by default, but for some."""
    run = compile_text(f"{name}.yaml", SPECS[name].read_bytes(), ROOT / "variants", ROOT / "variants")
    assert run.game is not None
    options: dict[str, Any] = {}
    for option in run.game.options:
        words = getattr(getattr(option.type, "of", option.type), "values", None)
        index = option.default
        options[option.name] = words[index] if words and isinstance(index, int) else index
    options |= changes
    on = next(game for each, game in zip(run.combined, run.games, strict=True) if each.on == overlays(name, options))
    return specialise(on, options, 4)


def overlays(name: str, options: dict[str, Any]) -> frozenset[str]:
    """The optional rules that these options switch on."""
    switched = {
        "celestia": {"power_cards": options.get("powers"), "spyglasses": options.get("spyglass")},
        "balloon": dict.fromkeys(("powers", "advanced"), options.get("mode") == "advanced"),
        "flying_saucer": {"powers": options.get("asymmetric")},
    }
    return frozenset(overlay for overlay, on in switched.get(name, {}).items() if on)


@pytest.mark.parametrize("name", ["balloon", "celestia", "flying_saucer", "montgolfiere_race"])
def test_the_variants_name_no_seat_unless_an_option_does(name: str) -> None:
    assert named_seats(settled(name)) == ()


@pytest.mark.parametrize(("name", "options", "element"), [
    ("celestia", {"first": 1}, "vars.captain"),
    ("balloon", {"first": 2}, "vars.first"),
    ("flying_saucer", {"asymmetric": True}, "tables.power_of"),
])  # fmt: skip
def test_options_of_the_variants_that_name_a_seat(name: str, options: dict[str, Any], element: str) -> None:
    assert element in [found for found, _ in named_seats(settled(name, **options))]
