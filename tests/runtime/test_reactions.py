"""Reactions: turns that are reopened, actions that end their phase or visit one for another seat, piles that are
refilled when a card is to be drawn."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aeronef import BadInput
from aeronef.loading import load_variant
from aeronef.runtime.game import Game
from aeronef.runtime.machine import search
from aeronef.runtime.positions import describe_state
from aeronef.runtime.state import State
from aeronef.runtime.trial import try_laws
from tests.emit.test_meaning import game_of

SPEC = Path(__file__).parents[1] / "language" / "right" / "reactions.yaml"
HANDS: dict[str, Any] = {"hand": [["1", "3"], ["2", "3"], ["1"], []], "pile": [], "spent": ["2"]}


@cache
def game() -> Game:
    return Game(load_variant(SPEC), 4)


def talk(**more: Any) -> State:
    """Seat 2 has spoken: 3 is asked first, and 2 last."""
    given = {"phase": "talk", "vars": {"speaker": 2, **more}, "zones": HANDS}
    return describe_state(game(), given)


def polled(state: State, *labels: str) -> list[int]:
    """Who is asked from here on, if they do this and all then are silent."""
    asked = []
    wanted = list(labels)
    while state.phase == "talk":
        asked.append(state.current_player())
        state.apply_label(wanted.pop(0) if wanted else "hush()")
    return asked


def test_the_laws_hold() -> None:
    trial = try_laws(load_variant(SPEC), games=20, seed=20261130)
    assert [(f.law, f.reason, f.players, f.number) for f in trial.failures] == []
    assert search(game(), examples=10, steps=12, seed=4) is None


def test_without_a_reaction_each_is_asked_once() -> None:
    assert polled(talk()) == [3, 0, 1, 2]


def test_after_a_reaction_all_are_asked_again_who_reacted_last() -> None:
    assert polled(talk(), "hush()", "answer(1)") == [3, 0, 1, 2, 3, 0]


def test_a_reaction_can_leave_out_who_made_it() -> None:
    assert polled(talk(), "hush()", "outbid(3)") == [3, 0, 1, 2, 3]


def test_each_reaction_reopens_the_turns() -> None:
    assert polled(talk(), "hush()", "outbid(3)", "answer(2)") == [3, 0, 1, 2, 3, 0, 1]


def test_who_is_asked_again_is_worked_out_anew() -> None:
    state = talk()
    state.apply_label("send(0)")
    assert polled(state) == [1, 2, 3]


def test_an_action_ends_its_phase_whoever_is_still_to_act() -> None:
    state = talk(offers=3)
    state.apply_label("storm()")
    assert state.phase == "deal"
    assert state.to_dict()["vars"]["speaker"] == 0  # the next to the left of 3, who stormed
    assert [label for label, _ in labelled(state)] == ["draw(0, 2)"]


def test_an_action_can_end_the_game() -> None:
    state = talk(offers=6)
    state.apply_label("storm()")
    assert state.is_terminal()


def test_a_phase_is_visited_for_the_seat_that_is_named() -> None:
    zones = HANDS | {"pile": [], "spare": [["1"], [], [], []], "hand": [["3"], ["2", "3"], ["1"], []]}
    state = describe_state(game(), {"phase": "talk", "vars": {"speaker": 2}, "zones": zones})
    state.apply_label("send(0)")
    assert (state.phase, state.is_chance_node()) == ("parting", True)
    assert [label for label, _ in labelled(state)] == ["draw(0, 1)"]  # from its own pile, which was filled again
    state.apply_label("draw(0, 1)")
    assert (state.phase, state.current_player()) == ("talk", 1)


def labelled(state: State) -> list[tuple[str, Any]]:
    return [(state.action_to_string(action), chance) for action, chance in state.chance_distribution()]


def test_a_pile_is_refilled_when_a_card_is_to_be_drawn_and_not_before() -> None:
    zones = {"pile": ["2"], "spent": ["1", "3", "3"], "hand": [["1"], ["2"], [], []]}
    state = describe_state(game(), {"phase": "deal", "vars": {"speaker": 0}, "zones": zones})
    assert [label for label, _ in labelled(state)] == ["draw(0, 2)"]
    assert state.to_dict()["zones"]["spent"] == ["1", "3", "3"]
    state.apply_label("draw(0, 2)")
    assert {label: str(p) for label, p in labelled(state)} == {"draw(1, 1)": "1/3", "draw(1, 3)": "2/3"}
    assert state.to_dict()["zones"]["spent"] == []


PILES = """\
game: piles
players: 2
longest: 60
types: {Suit: [sun, moon]}
cards: {Card: {attributes: {suit: Suit}, kinds: [{label: "{suit}", suit: [sun, moon], copies: 6}]}}
zones:
  pile: {each: [Suit, seat], of: Card, refill: "spent[sun][owner]", seen: nobody}
  spent: {each: [Suit, seat], of: Card, starts: Card, seen: everyone}
  hand: {each: seat, of: Card, seen: everyone}
phases:
  deal:
    chance: players
    outcomes:
      draw(me, c from SOURCE):
        told: everyone
        do: move c from SOURCE to hand[me]
    then: end
result: {rank: "size(hand[me])"}
"""


def after_draws(spec: str) -> dict[str, Any]:
    state = game_of(spec).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    zones: dict[str, Any] = state.to_dict()["zones"]
    return {name: [len(pile) for pile in piles] for name, piles in zones.items()}


def test_a_seats_pile_is_refilled_from_its_own_whatever_it_is_told_apart_by_first() -> None:
    sizes = after_draws(PILES.replace("SOURCE", "pile[moon][me]"))
    assert sizes == {
        "pile_sun": [0, 0], "pile_moon": [11, 11], "spent_sun": [0, 0], "spent_moon": [12, 12], "hand": [1, 1],
    }  # fmt: skip


def test_the_pile_that_chance_draws_from_is_the_one_that_is_refilled() -> None:
    whole = PILES.replace("draw(me, c from SOURCE)", "draw(me, c from (pile[sun][me] if me == 0 else pile[moon][me]))")
    move = """|
          if me == 0:
            move c from pile[sun][me] to hand[me]
          else:
            move c from pile[moon][me] to hand[me]"""
    sizes = after_draws(whole.replace("move c from SOURCE to hand[me]", move))
    assert sizes == {
        "pile_sun": [11, 0], "pile_moon": [0, 11], "spent_sun": [0, 0], "spent_moon": [12, 12], "hand": [1, 1],
    }  # fmt: skip


def test_where_nothing_is_left_chance_passes_over_the_seats() -> None:
    zones = {"pile": [], "spent": ["1"], "hand": [["1"], ["2"], ["2"], ["3", "3"]]}
    state = describe_state(game(), {"phase": "deal", "vars": {"speaker": 1}, "zones": zones})
    state.apply_label("draw(1, 1)")
    assert (state.phase, state.to_dict()["vars"]["offers"]) == ("talk", 3)


def test_a_position_lists_what_is_decided_before_it() -> None:
    with pytest.raises(BadInput, match="`speaker` is decided before the phase `talk`: list it under `vars`"):
        describe_state(game(), {"phase": "talk", "zones": HANDS})


VOTE = """\
game: vote
players: 2..4
longest: 60
vars:
  chair: {type: "seat?", decided: vote, seen: everyone}
  spoke: {each: seat, type: 0..9, starts: 0, seen: everyone}
phases:
  vote:
    turns: {from: 0, until: chair != none}
    actions:
      take(): {do: chair := me}
      wait(): {}
    then: speak
  speak:
    turns: clockwise(chair)
    actions:
      speak(): {do: "spoke[me] := min(spoke[me] + 1, 9)"}
    then: end
result: {rank: "spoke[me]"}
"""


def test_turns_that_go_on_until_then_decide() -> None:
    state = game_of(VOTE, 3).new_initial_state()
    for label in ("wait()", "wait()", "wait()", "wait()", "take()"):
        state.apply_label(label)
    assert (state.phase, state.current_player()) == ("speak", 1)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("until: chair != none", 'until: chair != none, asks: "spoke[me] > 0"'),
        ("wait(): {}", "wait(): {then: speak}"),
        ("from: 0, until: chair != none", "over: players, until: chair != none"),
    ],
)
def test_turns_that_may_end_before_decide_nothing(was: str, now: str) -> None:
    with pytest.raises(AssertionError, match="`chair` may still be none when `vote` ends"):
        game_of(VOTE.replace(was, now))


def test_saved_in_a_detour_it_goes_on_the_same() -> None:
    zones = HANDS | {"pile": [], "spare": [["1"], [], [], []], "hand": [["3"], ["2", "3"], ["1"], []]}
    state = describe_state(game(), {"phase": "talk", "vars": {"speaker": 2}, "zones": zones})
    state.apply_label("send(0)")
    twin = state.clone()
    twin.position = twin.position.copy()
    assert twin.position.back == state.position.back != ()
    assert twin.position.visitor() == 0
