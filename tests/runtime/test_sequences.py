"""Choices in a row: one for each entry, each legal only while the rest can be completed."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from aeronef import BadInput, IllegalAction
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, load_variant
from aeronef.runtime.endless import identity
from aeronef.runtime.game import Game
from aeronef.runtime.laws import LawBroken, somebody_can_act
from aeronef.runtime.positions import describe_state
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import State
from aeronef.runtime.trial import try_laws
from tests.games.specs import ROOT, compiled

GAMES = ROOT / "tests" / "games"
ROWS = Path(__file__).parents[1] / "language" / "right" / "rows.yaml"
COLOURS = ("red", "blue", "green")
DECK = Counter(dict.fromkeys(COLOURS, 4) | {"joker": 6, "red or blue": 2, "red or green": 2, "blue or green": 2})


@cache
def game(name: str, players: int = 2) -> Game:
    return Game(load_variant(GAMES / f"{name}.yaml"), players)


def made(text: str, players: int = 2) -> Game:
    return Game(execute(emit_python(compiled(text), "made.yaml"), "made"), players)


def legal(state: State) -> set[str]:
    return {state.action_to_string(action) for action in state.legal_actions()}


def at_the_gates(
    tolls: list[str], *hands: list[str], actor: int = 0, travels: tuple[bool, ...] = (True, True)
) -> State:
    given: dict[str, Any] = {
        "phase": "pay",
        "actor": actor,
        "vars": {f"toll_{i}": toll for i, toll in enumerate(tolls, 1)} | {"travels": list(travels)},
        "zones": {"hand": [list(hand) for hand in hands]},
    }
    return describe_state(game("tolls"), given)


HANDS = (["red", "red or blue", "joker", "green", "green"], ["joker", "joker", "joker", "blue"])
TOLLS = ["red", "blue", "blue", "green"]


# ------------------------------------------------------------------------------------------ what is legal


def answers(ticket: str, toll: str) -> bool:
    return ticket == "joker" or toll in ticket.split(" or ")


def matched(tolls: list[str], hand: list[str]) -> bool:
    """Whether each toll can have a ticket of its own: by augmenting paths, which no spec and no kernel knows."""
    owner: dict[int, int] = {}

    def found(toll: int, tried: set[int]) -> bool:
        for i, ticket in enumerate(hand):
            if answers(ticket, tolls[toll]) and i not in tried:
                tried.add(i)
                if i not in owner or found(owner[i], tried):
                    owner[i] = toll
                    return True
        return False

    return all(found(toll, set()) for toll in range(len(tolls)))


def test_what_can_be_paid_is_what_leaves_a_perfect_matching() -> None:
    random, dead, tight = Random(20261130), 0, 0
    for _ in range(400):
        tolls = random.choices([*COLOURS, "free"], weights=[3, 3, 3, 1], k=4)
        hand = random.sample(list(DECK.elements()), random.randint(3, 6))
        if all(toll == "free" for toll in tolls):
            continue
        left = [(i, toll) for i, toll in enumerate(tolls, 1) if toll != "free"]
        if not matched([toll for _, toll in left], hand):
            with pytest.raises(BadInput, match="nothing that seat 0 can do"):
                at_the_gates(tolls, hand, [], travels=(True, False))
            dead += 1
            continue
        state = at_the_gates(tolls, hand, [], travels=(True, False))
        while left:
            (gate, toll), *left = left
            wanted = set()
            for ticket in set(hand):
                rest = list((Counter(hand) - Counter([ticket])).elements())
                if answers(ticket, toll) and matched([t for _, t in left], rest):
                    wanted.add(f"pay({gate}, {ticket})")
            assert (state.phase, state.current_player(), legal(state)) == ("pay", 0, wanted), (tolls, hand)
            tight += len(wanted) < len({ticket for ticket in hand if answers(ticket, toll)})
            label = random.choice(sorted(wanted))
            state.apply_label(label)
            hand = list((Counter(hand) - Counter([label.removesuffix(")").split(", ")[1]])).elements())
        assert state.phase != "pay"
    assert dead > 20  # both kinds of hands were met,
    assert tight > 50  # and often a ticket was needed later


ASCENT = """
game: ascent
players: 2
longest: 100
cards: {Card: {attributes: {rank: 1..12}, kinds: [{label: "{rank}", rank: 1..12}]}}
zones:
  pile: {of: Card, starts: Card, seen: everyone}
  row: {of: Card, order: kept, seen: everyone}
phases:
  climb:
    turns: {over: "[0]", sequence: k in 1..5}
    actions:
      lay(c in pile where c.rank > (last(row).rank otherwise 0) + 1):
        told: everyone
        do: move c from pile to row
    then: end
result: {rank: 0}
"""


def test_the_rest_depends_on_what_the_choices_before_did() -> None:
    """Five cards, each two higher at least than the one before, from 2 on: of 12 the first is 4 at most."""
    state, most = made(ASCENT).new_initial_state(), 4
    while not state.is_terminal():
        last = state.to_dict()["zones"]["row"][-1:]
        low = int(last[0]) + 2 if last else 2
        assert legal(state) == {f"lay({rank})" for rank in range(low, most + 1)}
        state.apply_label(f"lay({low})")
        most += 2
    assert len(state.moves) == 5


def test_what_cannot_be_completed_in_any_order_is_found_out_quickly() -> None:
    """Twelve different cards, and no answer to the last entry: the same cards in another order are tried once."""
    text = ASCENT.replace("row: {of: Card, order: kept,", "row: {of: Card,").replace("1..5", "1..9")
    test = "c.rank > (last(row).rank otherwise 0) + 1"
    assert test in text
    state = made(text.replace(test, "k < 9")).new_initial_state()
    assert state.legal_actions() == []
    with pytest.raises(LawBroken, match="nothing can be done in phase climb"):
        somebody_can_act(state, Rng(0))


# ------------------------------------------------------------------------------------------ whose turn it is


def test_each_has_its_own_row_and_an_empty_one_is_passed_over() -> None:
    state = Game(load_variant(ROWS), 3).new_initial_state()
    asked: list[tuple[str, int]] = []
    while not state.is_terminal():
        asked.append((state.phase, state.current_player()))
        labels = sorted(legal(state))
        state.apply_label(next((label for label in labels if label in ("point(true)", "keep()")), labels[0]))
    assert [seat for phase, seat in asked if phase == "hang"] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert Counter(phase for phase, _ in asked)["point"] == 6
    assert [seat for phase, seat in asked if phase == "answer"] == [0, 0, 1, 1, 2, 2]


def test_an_overlay_can_change_what_is_answered() -> None:
    state = Game(load_variant(ROWS), 2, {"gusty": True}).new_initial_state()
    assert state.position.row == [1, 3]
    assert Game(load_variant(ROWS), 2).new_initial_state().position.row == [1, 2, 3]


UNASKED = """
game: unasked
players: 3
longest: 20
vars:
  passed: {each: seat, type: bool, starts: false, seen: everyone}
phases:
  one:
    turns: {over: players, asks: me != 0, sequence: k in 1..(1 if me == 2 else 0)}
    actions:
      nod(k): {told: everyone}
    unasked: passed[me] := true
    then: end
result: {rank: 0}
"""


def test_whoever_has_nothing_to_answer_is_unasked() -> None:
    """Seat 0 is not asked, seat 1 has an empty row."""
    state = made(UNASKED, 3).new_initial_state()
    assert (state.current_player(), legal(state), state.to_dict()["vars"]) == (
        2,
        {"nod(1)"},
        {"passed": [True, True, False]},
    )
    state.apply_label("nod(1)")
    assert state.is_terminal()
    assert state.to_dict()["vars"] == {"passed": [True, True, False]}


def test_forced_choices_in_a_row_are_no_round_without_an_end() -> None:
    state = made(
        UNASKED.replace("1..(1 if me == 2 else 0)", "1..8").replace("nod(k): {told: everyone}", "nod(): {}"), 3
    ).new_initial_state()
    tells = identity(state.game.variant)
    for _ in range(7):
        before = tells(state.position)
        state.apply_label("nod()")
        assert state.endless() is None
        assert tells(state.position) != before


@pytest.mark.parametrize("name", ["tolls", "ladder"])
def test_the_laws_hold_of_games_in_rows(name: str) -> None:
    trial = try_laws(load_variant(GAMES / f"{name}.yaml"), games=4, seed=7)
    assert [(f.law, f.reason, f.players, f.number) for f in trial.failures] == []


# ------------------------------------------------------------------------------------------ a row that has begun


def test_a_scenario_can_begin_with_another_seat() -> None:
    state = at_the_gates(TOLLS, *HANDS, actor=1)
    assert (state.current_player(), state.position.row) == (1, [1, 2, 3, 4])
    assert legal(state) == {"pay(1, joker)"}
    with pytest.raises(BadInput, match="seat 1 does not act in the phase `pay` here"):
        at_the_gates(TOLLS, *HANDS, actor=1, travels=(True, False))


def test_a_scenario_cannot_begin_with_a_seat_that_is_passed_over() -> None:
    given = {"phase": "one", "actor": 1}
    spec = made(
        UNASKED.replace("1..(1 if me == 2 else 0)", "1..(0 if me == 1 else 1)").replace("asks: me != 0, ", ""), 3
    )
    assert describe_state(spec, {"phase": "one", "actor": 2}).current_player() == 2
    with pytest.raises(BadInput, match="seat 1 has nothing to choose in the phase `one` here"):
        describe_state(spec, given)


def test_a_scenario_elsewhere_keeps_no_row_of_the_first_phase() -> None:
    state = describe_state(Game(load_variant(ROWS), 2), {"phase": "point"})
    assert state.position.row == [1]


def test_undo_and_saved_states_keep_the_row() -> None:
    state = at_the_gates(TOLLS, *HANDS)
    before = state.serialize()
    state.apply_label("pay(1, red)")
    twin = game("tolls").deserialize_state(state.serialize())
    assert twin.position.row == state.position.row == [2, 3, 4]
    assert legal(twin) == legal(state) == {"pay(2, red or blue)", "pay(2, joker)"}
    state.undo_action()
    assert state.serialize() == before
    assert state.position.row == [1, 2, 3, 4]


@pytest.mark.parametrize("row", [[9], [True, "x"], [], None, 3, [[1]], [True], [1.0, 2]])
def test_a_saved_row_that_cannot_be_is_refused(row: Any) -> None:
    data = json.loads(at_the_gates(TOLLS, *HANDS).serialize())
    data["start"]["row"] = row
    with pytest.raises(BadInput):
        game("tolls").deserialize_state(json.dumps(data))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("me", 1), ("me", -1), ("actor", -1), ("actor", -2), ("actor", -4), ("cut", True), ("phase", 1.0),
        ("steps", None), ("steps", -1),
        ("steps", 1.5), ("steps", []), ("queue", {}), ("queue", [1.0]), ("queue", [-1]), ("queue", [True]), ("cut", 0),
        ("began", 99), ("began", "x"),
    ],
)  # fmt: skip
def test_a_saved_turn_that_cannot_be_is_refused(part: str, value: Any) -> None:
    data = json.loads(at_the_gates(TOLLS, *HANDS).serialize())
    data["start"][part] = value
    with pytest.raises(BadInput):
        game("tolls").deserialize_state(json.dumps(data))


def test_a_saved_row_where_nobody_answers_is_refused() -> None:
    data = json.loads(game("tolls").new_initial_state().serialize())
    data["start"]["row"] = [1]
    with pytest.raises(BadInput, match="none of this game"):
        game("tolls").deserialize_state(json.dumps(data))


# ------------------------------------------------------------------------------------------ why not


def test_a_choice_that_spoils_the_rest_is_refused_with_the_reason() -> None:
    state = at_the_gates(TOLLS, *HANDS)
    with pytest.raises(IllegalAction) as refused:
        state.apply_label("pay(1, joker)")
    assert refused.value.reasons == ("then the rest could not be completed: k in Gate where toll[k] != free",)
    with pytest.raises(IllegalAction) as refused:
        state.apply_label("pay(1, green)")
    assert refused.value.reasons == ("answers(c, toll[k] otherwise free)",)
    with pytest.raises(IllegalAction) as refused:
        state.apply_label("pay(2, red)")
    assert refused.value.reasons[0] == "k"
    assert state.why_illegal(state.string_to_action("pay(1, red)"), 0) == []


def test_the_reason_tells_others_nothing_of_a_hand() -> None:
    state = at_the_gates(TOLLS, *HANDS)
    reasons = {tuple(state.why_illegal(state.string_to_action(f"pay(1, {ticket})"), 1)) for ticket in ("red", "joker")}
    assert reasons == {("a test that looks at what you may not see",) * 2}


def test_the_last_of_a_row_has_no_rest() -> None:
    state = at_the_gates(["free", "free", "free", "red"], *HANDS)
    assert legal(state) == {"pay(4, red)", "pay(4, red or blue)", "pay(4, joker)"}
    green = state.string_to_action("pay(4, green)")
    assert state.why_illegal(green, 0) == ["answers(c, toll[k] otherwise free)"]
