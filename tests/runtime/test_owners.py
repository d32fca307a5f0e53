"""Zones that keep whose card it is: views, positions that authors describe, saving, undoing, the laws."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from aeronef import BadInput
from aeronef.runtime import scenario
from aeronef.runtime.description import Variant
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import Owned
from aeronef.runtime.positions import describe_state
from aeronef.runtime.state import State
from aeronef.runtime.trial import try_laws
from tests.emit.test_meaning import game_of
from tests.language.cases import FOLDER

GAME = game_of((FOLDER / "right" / "owners.yaml").read_text(encoding="utf-8"), 3)
SMALL = """\
game: small
players: 2
longest: 60
cards:
  Card: {kinds: [{label: ace}, {label: ten, copies: 2}]}
zones:
  hand: {each: seat, of: Card, starts: Card, seen: viewer == owner}
  heap: {of: Card, owners: kept, seen: viewer == 0}
  row: {of: Card, order: kept, owners: kept, seen: everyone}
phases:
  play:
    turns: {from: 0, until: "all(size(hand[p]) == 0 for p in players)"}
    actions:
      heap(c in hand[me]): {told: everyone, do: "move c from hand[me] to heap"}
      row(c in hand[me]): {told: everyone, do: "move c from hand[me] to row"}
      last():
        do: |
          if last(row) != none:
            move last(row) from row to hand[last(row).owner]
      back():
        do: |
          for g in row where g.owner == me:
            move g from row to hand[g.owner]
      over(): {do: "move all from row to heap"}
      pass(): {}
    then: end
result: {rank: count(g in heap where g.owner == me)}
"""


def laid(**zones: Any) -> State:
    """A position of the game with these zones, at the phase in which everybody may lend."""
    return describe_state(GAME, {"phase": "lend", "zones": zones})


def zones(state: State, *names: str) -> list[Any]:
    return [state.to_dict()["zones"][name] for name in names]


def test_an_entry_is_its_owner_and_its_card() -> None:
    state = laid(hand=[["4 square"], [], []], lent_square=[[1, "2 square"], [2, "1 square"]], deep=[[2, "marked 1"]])
    assert state.position.lent[0] == [Owned(1, 1), Owned(2, 0)]  # type: ignore[attr-defined]
    assert zones(state, "lent_square", "deep") == [[[1, "2 square"], [2, "1 square"]], [[2, "marked 1"]]]
    state.apply_label("lend(4 square)")
    assert zones(state, "lent_square", "deep") == [
        [[2, "1 square"], [0, "4 square"]],
        [[1, "2 square"], [2, "marked 1"]],
    ]


def test_who_may_not_see_a_zone_sees_neither_cards_nor_owners() -> None:
    state = laid(deep=[[0, "marked 1"], [2, "2 round"]], lent_round=[[1, "4 round"]])
    for player in range(3):
        view = state.view(player)["zones"]
        assert view["deep"] == {"hidden": 2}
        assert view["lent_round"] == [[1, "4 round"]]


def test_arrays_tell_whose_a_card_is() -> None:
    first, second = laid(lent_round=[[1, "4 round"]]), laid(lent_round=[[2, "4 round"]])
    assert len(first.observation_tensor(0)) == len(second.observation_tensor(0))
    assert first.observation_tensor(0).tolist() != second.observation_tensor(0).tolist()
    hidden = [laid(deep=[[owner, "4 round"]]).observation_tensor(0).tolist() for owner in (1, 2)]
    assert hidden[0] == hidden[1]


def test_cards_come_from_the_zones_of_their_owner_first() -> None:
    game = game_of(SMALL)
    state = describe_state(game, {"phase": "play", "zones": {"row": [[1, "ten"], [0, "ace"]], "heap": [[1, "ten"]]}})
    assert zones(state, "hand", "heap") == [[["ten", "ten"], ["ace"]], [[1, "ten"]]]
    many = describe_state(game, {"phase": "play", "zones": {"row": [[1, "ace"], [1, "ace"]]}})
    assert zones(many, "hand", "row") == [[["ten", "ten"], ["ten", "ten"]], [[1, "ace"], [1, "ace"]]]


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        (["4 round"], "`lent_round`: `4 round` is no card with its owner, as in `[0, 1 square]`"),
        ([[1, "4 round", 2]], "`lent_round`: `[1, '4 round', 2]` is no card with its owner"),
        ([["4 round", 1]], "`lent_round`: there is no seat `4 round` to own a card"),
        ([[3, "4 round"]], "`lent_round`: there is no seat `3` to own a card"),
        ([[True, "4 round"]], "`lent_round`: there is no seat `True` to own a card"),
        ([[1, "5 round"]], "`lent_round`: there is no card `5 round`"),
        ([[1, ["4 round"]]], "`lent_round`: there is no card `['4 round']`"),
        ({"1": "4 round"}, "`lent_round` needs a list of cards"),
        (
            [[0, "marked 1"], [1, "marked 1"]],
            "too many of the card `marked 1`: `lent_round` lists one more",
        ),
    ],
)
def test_what_cannot_lie_there_is_refused(listed: Any, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        laid(lent_round=listed)
    assert str(caught.value).startswith(message)


def test_the_last_of_a_row_leaves_its_end_even_where_an_equal_one_lies_before() -> None:
    state = describe_state(game_of(SMALL), {"phase": "play", "zones": {"row": [[0, "ten"], [1, "ten"], [0, "ten"]]}})
    state.apply_label("last()")
    assert zones(state, "row", "hand") == [[[0, "ten"], [1, "ten"]], [["ace", "ten"], ["ace", "ten"]]]
    state.apply_label("back()")
    assert zones(state, "row", "hand") == [[[0, "ten"]], [["ace", "ten"], ["ace", "ten", "ten"]]]
    state.apply_label("over()")
    assert zones(state, "row", "heap") == [[], [[0, "ten"]]]


def play(game: Game, steps: int, seed: int) -> State:
    state, draw = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal() and len(state.moves) < steps:
        state.apply_action(draw.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("seed", range(5))
def test_saved_and_undone_it_is_the_same(seed: int) -> None:
    state = play(GAME, 25, seed)
    twin = GAME.deserialize_state(state.serialize())
    assert twin.position.lent == state.position.lent  # type: ignore[attr-defined]
    amid = State(GAME, state.position)  # a state that begins here: its position is saved, not its history
    back = GAME.deserialize_state(amid.serialize())
    assert (back.to_dict(), back.serialize()) == (state.to_dict(), amid.serialize())
    assert all(isinstance(entry, Owned) for row in back.position.lent for entry in row)  # type: ignore[attr-defined]
    before = [play(GAME, k, seed).to_dict() for k in range(len(state.moves))]
    for k in reversed(range(len(state.moves))):
        state.undo_action()
        assert state.to_dict() == before[k]


@pytest.mark.parametrize("entry", [[0], [0, 1, 2], [7, 1], [-1, 1], [True, 1], ["a", 1], [0, "a"], 3, None, [0, 99]])
def test_a_broken_saved_state_is_refused(entry: Any) -> None:
    state = laid(lent_square=[[1, "2 square"]])
    data = json.loads(State(GAME, state.position).serialize())
    data["start"]["lent"][0] = [entry]
    with pytest.raises(BadInput):
        GAME.deserialize_state(json.dumps(data))


def test_a_scenario_lists_owners() -> None:
    text = """\
variant: small
scenarios:
  - name: unordered zones in any order
    given: {phase: play, zones: {heap: [[1, ten], [0, ten], [0, ace]], row: [[1, ace], [1, ten]]}}
    steps:
      - expect:
          zones: {heap: [[0, ace], [0, ten], [1, ten]], row: [[1, ace], [1, ten]]}
          views: {0: {zones: {heap: [[1, ten], [0, ten], [0, ace]]}}, 1: {zones: {heap: {hidden: 3}}}}
      - expect: {zones: {row: [[1, ten], [1, ace]]}}
"""
    [result] = scenario.run(scenario.read(text, "small.yaml"), lambda players, options: game_of(SMALL))
    assert (result.line, result.message) == (9, "zones, row[0][1]: expected ten, found ace")


@pytest.mark.parametrize("variant", [GAME.variant, game_of(SMALL).variant], ids=["owners", "small"])
def test_the_laws_hold(variant: Variant) -> None:
    trial = try_laws(variant, games=15, seed=20261130)
    assert [(f.law, f.reason, f.players, f.number) for f in trial.failures if f.law != "the game ends"] == []
