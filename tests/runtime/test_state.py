"""The public API of games and states: OpenSpiel's conventions, perfect recall, secrets kept."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest

import aeronef
from aeronef import BadInput, IllegalAction
from aeronef.runtime.positions import describe_state
from aeronef.runtime.state import State

SEED = 5


def played(steps: int, players: int = 3, seed: int = SEED, **options: Any) -> State:
    state = aeronef.load("montgolfiere_race", players, **options).new_initial_state()
    rng = random.Random(seed)
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def at_choose(altitude: list[int], hands: list[list[str]], **options: Any) -> State:
    game = aeronef.load("montgolfiere_race", len(hands), **options)
    given = {"phase": "choose", "vars": {"altitude": altitude}, "zones": {"hand": hands}}
    return describe_state(game, given)


def test_players_are_numbered_as_in_openspiel() -> None:
    state = played(0)
    assert state.current_player() == -1
    assert state.is_chance_node()
    state = played(21, squadron="closed")
    assert state.current_player() == 0
    end = played(10_000)
    assert (end.current_player(), end.is_terminal(), end.legal_actions()) == (-4, True, [])


def test_chance_is_explicit_and_exact() -> None:
    state = played(0)
    chances = dict(state.chance_distribution())
    assert sum(chances.values()) == 1
    assert chances[state.string_to_action("draw(0, hook)")] == Fraction(4, 24)
    assert state.chance_outcomes()[0][1] == pytest.approx(1 / 24)


def test_asking_for_chance_where_a_seat_is_to_act_changes_nothing() -> None:
    for steps, legal in ((21, True), (10_000, False)):
        state = played(steps, squadron="closed")
        expected = state.clone().legal_actions()
        assert (state.chance_outcomes(), state.chance_distribution()) == ([], [])
        assert state.legal_actions() == expected
        assert bool(expected) == legal
    state = played(21, squadron="closed")
    state.chance_outcomes()
    state.apply_action(played(21, squadron="closed").legal_actions()[0])


def test_chance_outcomes_are_numbered_apart_from_actions() -> None:
    game = aeronef.load("montgolfiere_race", 2)
    state = game.new_initial_state()
    assert game.num_distinct_actions() == 2 + 19 + 4
    assert game.max_chance_outcomes() == 2 * 19
    assert state.action_to_string(-1, 0) == "draw(0, ballast 1)"
    assert state.action_to_string(0, 0) == "show()"


def test_the_mask_marks_the_legal_actions() -> None:
    state = played(25)
    mask = state.legal_actions_mask()
    assert [i for i, legal in enumerate(mask) if legal] == state.legal_actions()


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    state = at_choose([5, 5], [["gas"], ["storm"]])
    before = state.serialize()
    with pytest.raises(IllegalAction, match="c in hand"):
        state.apply_label("play(storm)")
    for nonsense in (-1, 10**9, True, "play(gas)"):
        with pytest.raises(IllegalAction):
            state.apply_action(nonsense)  # type: ignore[arg-type]
    assert state.serialize() == before


def test_why_illegal_tells_a_viewer_no_more_than_it_may_know() -> None:
    state = at_choose([5, 9], [["gas"], ["storm"]], squadron="closed")
    action = state.string_to_action("play(storm)")
    assert state.why_illegal(action, 0) == ["c in hand[me]"]
    assert state.why_illegal(state.string_to_action("play(gas)"), 0) == []
    for card in ("storm", "gas"):  # legal or not, the other seat hears the same
        action = state.string_to_action(f"play({card})")
        assert state.why_illegal(action, 1) == ["a test that looks at what you may not see"]
    for nonsense in ((999, 0), (-1, 0), (0, 7), (0, -2)):
        with pytest.raises(BadInput):
            state.why_illegal(*nonsense)
    assert state.why_illegal(state.string_to_action("show()"), 1) == ["`show` belongs to another phase than `choose`"]


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy as np

    state = played(21, squadron="closed")
    state.apply_action(np.random.default_rng(1).choice(state.legal_actions()))
    assert state.view(np.int64(0)) == state.view(0)  # type: ignore[arg-type]
    assert all(type(action) is int for action in state.history())


def test_openspiels_way_of_naming_works_too() -> None:
    state = played(0)
    assert state.string_to_action(-1, "draw(0, gas)") == state.string_to_action("draw(0, gas)")
    assert len(state.legal_actions_mask(0)) == state.game.num_distinct_actions()
    state.apply_label("draw(0, gas)")
    assert state.full_history() == [(-1, state.history()[0])]


def test_undo_gives_back_the_state_before() -> None:
    state = played(60)
    seen = [state.clone()]
    for _ in range(30):
        state.apply_action(state.legal_actions()[0])
        seen.append(state.clone())
    for earlier in reversed(seen[:-1]):
        state.undo_action()
        assert state.serialize() == earlier.serialize()
        assert state.information_state_string(1) == earlier.information_state_string(1)


def test_undo_of_another_step_is_refused() -> None:
    state = played(30)
    with pytest.raises(BadInput):
        state.undo_action(0, 999)
    with pytest.raises(BadInput):
        aeronef.load("montgolfiere_race").new_initial_state().undo_action()


def test_a_saved_state_comes_back() -> None:
    state = played(100, baron=True)
    twin = state.game.deserialize_state(state.serialize())
    assert twin.to_dict() == state.to_dict()
    assert [twin.information_state_string(p) for p in range(3)] == [state.information_state_string(p) for p in range(3)]


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"format": "aeronef-state/1"}', "nonsense"])
def test_what_is_no_saved_state_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        aeronef.load("montgolfiere_race").deserialize_state(text)


def test_a_saved_state_of_another_game_is_refused() -> None:
    saved = played(10).serialize()
    with pytest.raises(BadInput, match="another game"):
        aeronef.load("montgolfiere_race", 3, baron=True).deserialize_state(saved)
    tampered = json.loads(saved)
    tampered["history"][0] = 999
    with pytest.raises(BadInput):
        aeronef.load("montgolfiere_race", 3).deserialize_state(json.dumps(tampered))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("actor", 99),
        ("altitude", [99, 99, 99]),
        ("hand", [[0, 0], [0], [0]]),
        ("phase", 77),
        ("pile", None),
        ("queue", 3),
    ],
)
def test_a_saved_position_that_cannot_be_is_refused(part: str, value: object) -> None:
    tampered = json.loads(played(0).serialize())
    tampered["start"][part] = value
    with pytest.raises(BadInput):
        aeronef.load("montgolfiere_race", 3).deserialize_state(json.dumps(tampered))
    with pytest.raises(BadInput):
        aeronef.load("montgolfiere_race", 3).deserialize_state("[" * 100_000)


def test_clones_are_apart() -> None:
    state = played(50)
    before = state.serialize()
    copy = state.clone()
    while not copy.is_terminal():
        copy.apply_action(copy.legal_actions()[-1])
    assert state.serialize() == before


def test_nobody_hears_a_choice_before_all_have_chosen() -> None:
    state = at_choose([5, 5, 9], [["gas", "hook"], ["storm", "hook"], ["engine", "hook"]], squadron="open")
    others = [state.view(1), state.view(2)]
    state.apply_label("play(gas)")
    for player, before in ((1, others[0]), (2, others[1])):
        after = state.view(player)
        assert (after["vars"], after["zones"]) == (before["vars"], before["zones"])
        assert state.heard(player, 0) == ["0 ?"]
    assert state.view(0)["zones"]["committed"][0] == ["gas"]
    assert state.heard(0, 0) == ["0 play(gas)"]


@pytest.mark.parametrize(("player", "step"), [(0, -1), (0, 3), (3, 0), (-1, 0)])
def test_there_is_nothing_to_hear_by_nobody_or_of_a_step_that_was_not_made(player: int, step: int) -> None:
    with pytest.raises(BadInput, match="there is no"):
        played(3).heard(player, step)


def test_once_all_have_chosen_each_hears_what_it_is_told() -> None:
    state = at_choose([5, 9], [["gas", "hook"], ["storm", "hook"]], squadron="closed")
    state.apply_label("play(gas)")
    state.apply_label("play(storm)")
    assert state.heard(0, 1) == ["1 ?", "1 play(?)"]
    assert state.heard(1, 1) == ["1 play(storm)", "0 play(?)"]


def test_draws_are_told_to_their_seat_alone() -> None:
    state = played(0)
    state.apply_label("draw(0, gas)")
    assert state.heard(0, 0) == ["chance draw(0, gas)"]
    assert state.heard(1, 0) == ["chance draw(0, ?)"]


def test_the_barons_card_is_told_to_the_players_on_his_space() -> None:
    """R8: who shares his space may look at it; the others hear that a card was drawn."""
    game = aeronef.load("montgolfiere_race", 2, baron=True, squadron="closed")
    state = describe_state(game, {"phase": "baron_draws", "vars": {"altitude": [6, 5, 6]}})
    state.apply_label("draw(2, storm)")
    assert state.heard(0, 0) == ["chance draw(2, storm)"]
    assert state.heard(1, 0) == ["chance draw(2, ?)"]


def test_a_drawn_card_is_told_to_its_player_alone() -> None:
    game = aeronef.load("montgolfiere_race", 2, squadron="closed")
    state = describe_state(game, {"phase": "refill"})
    state.apply_label("draw(0, storm)")
    assert state.heard(0, 0) == ["chance draw(0, storm)"]
    assert state.heard(1, 0) == ["chance draw(0, ?)"]


def test_information_states_of_indistinguishable_worlds_are_equal() -> None:
    """Seat 1 cannot tell which card seat 0 drew."""
    one, other = played(0), played(0)
    one.apply_label("draw(0, gas)")
    other.apply_label("draw(0, hook)")
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert list(one.information_state_tensor(1)) == list(other.information_state_tensor(1))
    assert list(one.information_state_tensor(0)) != list(other.information_state_tensor(0))


@pytest.mark.parametrize("steps", [21, 60, 150])
def test_resampled_states_share_the_information_state(steps: int) -> None:
    state = played(steps, squadron="ask", baron=True)
    known = state.information_state_string(1)
    worlds = [state.resample(1, seed) for seed in range(4)]
    assert all(world.information_state_string(1) == known for world in worlds)
    assert any(world.to_dict() != state.to_dict() for world in worlds)


def test_resampling_follows_the_probabilities() -> None:
    """Of the 24 cards, 7 are in the other's hand: a single ballast card is there with 7/24."""
    state = played(14, players=2, squadron="closed")
    there = sum("ballast 15" in state.resample(0, seed).to_dict()["zones"]["hand"][1] for seed in range(300))
    assert abs(there / 300 - 7 / 24) < 0.1, f"{there} of 300"


def test_observations_have_one_shape_and_tell_views_apart() -> None:
    game = aeronef.load("montgolfiere_race", 3)
    shapes: set[tuple[int, ...]] = set()
    seen: dict[bytes, set[str]] = {}
    for steps in range(0, 80, 7):
        state = played(steps)
        for player in range(3):
            tensor = state.observation_tensor(player)
            shapes.add(tensor.shape)
            seen.setdefault(tensor.tobytes(), set()).add(json.dumps(state.view(player)["zones"]))
    assert len(shapes) == 1
    assert all(len(views) == 1 for views in seen.values())
    assert game.new_initial_state().observation_tensor(0).shape in shapes


def test_playouts_are_the_same_game_by_game() -> None:
    game = aeronef.load("montgolfiere_race", 4)
    whole, part = game.playouts(20, seed=3), game.playouts(5, seed=3, first=10)
    assert (whole.returns[10:15] == part.returns).all()
    assert (whole.lengths[10:15] == part.lengths).all()


@pytest.mark.parametrize(("n", "first"), [(-1, 0), (1, -1)])
def test_there_are_no_games_before_the_first(n: int, first: int) -> None:
    with pytest.raises(BadInput, match="counted from 0"):
        played(0).game.playouts(n, first=first)


def test_returns_are_shares_of_one_and_the_baron_counts() -> None:
    game = aeronef.load("montgolfiere_race", 2, baron=True, squadron="closed")
    found = game.playouts(60, seed=SEED)
    for returns, ranking in zip(found.returns, found.ranking, strict=True):
        winners = sum(rank == 1 for rank in ranking)
        assert list(returns) == [1 / winners if rank == 1 else 0 for rank in ranking[:2]]


@pytest.mark.parametrize(
    ("players", "options"),
    [(1, {}), (7, {}), (6, {"baron": True}), (3, {"target": 1001}), (3, {"target": -1}), (3, {"squadron": "opne"}),
     (3, {"barron": True}), (3, {"baron": 3}), (3, {"target": True})],
)  # fmt: skip
def test_what_does_not_fit_is_refused(players: int, options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        aeronef.load("montgolfiere_race", players, **options)


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(BadInput, match="montgolfiere_race"):
        aeronef.load("montgolfiere")
    with pytest.raises(BadInput):
        aeronef.load("./nowhere.yaml")
