"""Seats are alike: positions relabelled by hand and by law, and rules that settle something by the numbers of seats."""

from __future__ import annotations

import random

import pytest

from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, load_variant
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL, Position
from aeronef.runtime.positions import describe_state
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from aeronef.runtime.state import dump
from aeronef.runtime.symmetry import Symmetry, symmetry
from aeronef.runtime.turned import Turn
from aeronef.runtime.views import state_data
from tests.games.specs import SPECS, compiled, emitted

SEED = 20261130

# ------------------------------------------------------------------------------------------ relabelling


def test_whatever_belongs_to_a_seat_goes_with_it() -> None:
    """By hand: parts of seats, sets of seats, a seat, owners of cards; the cat, an automaton, stays where it sits."""
    game = Game(execute(emitted("magpies"), "magpies"), 3)
    state = describe_state(game, {
        "phase": "fly",
        "vars": {"at": [3, 5, 1, 0], "first": 2, "caught": [1], "points": [6, 0, 7, 0]},
        "zones": {"nest": [["ring 1"], [], ["spoon 2"], []], "stall_ring": [[0, "ring 2"], [2, "ring 3"]]},
    })  # fmt: skip
    turned = Turn(game, 1).position(state.position)
    data = state_data(game, turned)
    assert data["vars"]["at"] == [1, 3, 5, 0]
    assert data["vars"]["first"] == 0
    assert data["vars"]["caught"] == [2]
    assert data["vars"]["points"] == [7, 6, 0, 0]
    assert data["zones"]["nest"] == [["spoon 2"], ["ring 1"], [], []]
    assert data["zones"]["stall_ring"] == [[1, "ring 2"], [0, "ring 3"]]
    assert (state.position.actor, turned.actor) == (2, 0)
    assert data["zones"]["path"] == state.to_dict()["zones"]["path"]


def test_seats_among_the_values_of_actions_are_relabelled() -> None:
    game = Game(load_variant("celestia"), 3)
    turn = Turn(game, 2)
    [first, eject, pay] = [game.chance_ids["first(1)"][0], game.ids["eject(2)"][0], game.ids["pay(cannon)"][0]]
    assert game.chance_labels[turn.action(first, chance=True)] == "first(0)"
    assert game.labels[turn.action(eject, chance=False)] == "eject(1)"
    assert turn.action(pay, chance=False) == pay


def met(game: Game, number: int) -> list[Position]:
    """The positions of a random game."""
    rng, position, found = Rng.stream(SEED, number), game.start(), list[Position]()
    while position.actor != TERMINAL and len(found) < 400:
        found.append(position.copy())
        position.apply(choose(position, rng))
    return [*found, position]


@pytest.mark.parametrize("name", sorted(SPECS.keys() - {"boarding.base", "market"}))
def test_turns_follow_each_other(name: str) -> None:
    """Turning by two and then by one is turning by three; once round is where it was."""
    variant = execute(emitted(name), name)
    players = variant.players.stop - 1
    game = Game(variant, players)
    one, two, all_round = Turn(game, 1), Turn(game, 2 % players), Turn(game, 3 % players)
    rng = random.Random(SEED)
    for position in rng.sample(found := met(game, 0), min(len(found), 40)):
        before = dump(position)
        assert dump(one.position(two.position(position))) == dump(all_round.position(position))
        back = position
        for _ in range(players):
            back = one.position(back)
        assert dump(back) == before == dump(position), f"seed {SEED}"
    for action in range(min(game.num_distinct_actions(), 300)):
        there = one.action(two.action(action, chance=False), chance=False)
        assert there == all_round.action(action, chance=False)


# ------------------------------------------------------------------------------------------ the search

BIDS = """
game: bids
players: 2..4
longest: 200
cards: {{Card: {{attributes: {{rank: 1..4}}, kinds: [{{label: "{{rank}}", rank: 1..4, copies: {copies}}}]}}}}
zones:
  pile: {{of: Card, starts: Card, seen: nobody}}
  hand: {{each: seat, of: Card, seen: viewer == owner}}
  stack: {{of: Card, {order} seen: everyone}}
vars:
  bid: {{each: seat, type: 0..4, starts: 0, seen: everyone}}
  points: {{each: seat, type: 0..9, starts: 0, seen: everyone}}
  leader: {{type: "seat?", seen: everyone, decided: lots}}
  tally: {{type: 0..99, starts: 0, seen: "{seen}"}}
phases:
  lots:
    chance: {{until: "leader != none"}}
    outcomes: {{first(p from players): {{told: everyone, do: "leader := p"}}}}
    then: deal
  deal:
    chance: {{over: players, until: "size(hand[me]) == 2 or size(pile) == 0"}}
    outcomes:
      draw(me, c from pile): {{told: {{me: everyone, c: viewer == me}}, do: "move c from pile to hand[me]"}}
    then: bid
  bid:
    together: players
    actions:
      bid(n in 1..4): {{told: "{told}", do: "bid[me] := n"}}
    then: award
  award:
    do: |
      {award}
    then: discard
  discard:
    do: |
      for p in players:
        move all from hand[p] to stack
    then: ask
  ask:
    turns: {turns}
    actions:
      take(): {{when: "{when}", do: "points[me] := min(points[me] + 1, 9)"}}
      leave(): {{}}
    then: end
result: {{rank: "{rank}"}}
"""
FIRST = "first([p in players by bid[p] down])"
ALIKE = {
    "copies": "4", "order": "", "seen": "everyone", "told": "everyone", "turns": "clockwise(leader)",
    "when": "bid[me] > 1", "rank": "points[me]",
    "award": "for p in players where all(bid[q] < bid[p] or q == p for q in players):\n        points[p] += 3",
}  # fmt: skip
BY_NUMBER = {
    "a tie that the first in a list wins": (
        {"award": "let best = first([p in players by bid[p] down])\n      points[best] += 3"},
        "`points`", "phases.award",
    ),
    "an order of players that matters": ({"order": "order: kept,"}, "`stack`", "phases.discard"),
    "a running total in the order of players": (
        {"award": "for p in players:\n        tally := (tally * 3 + bid[p]) % 50"}, "`tally`", "phases.award"
    ),
    "a pile that is too small for all": (
        {"copies": "1"}, "in which order chance comes to the seats", "phases.deal"
    ),
    "turns by the numbers of those who are equal": (
        {"turns": "p in players by bid[p]"}, "whose turn it is", "phases.ask"
    ),
    "what only the first of equals can do": (
        {"when": f"me == {FIRST} or bid[me] == 1"}, "what can be done", "phases.ask.actions.take"
    ),
    "what only the first of equals sees": ({"seen": f"viewer == {FIRST}"}, "who sees `tally`", "vars.tally"),
    "what only the first of equals hears": (
        {"told": "viewer == me or viewer == first([p in players by points[p]])"}, "who hears of it",
        "phases.bid.actions.bid",
    ),
    "a result that the first of equals wins": (
        {"rank": f"1 if me == {FIRST} else 0"}, "how the seats rank", "result"
    ),
}  # fmt: skip


def bids(players: int = 3, **changes: str) -> Game:
    text = BIDS.format(**ALIKE | changes)
    return Game(execute(emit_python(compiled(text), "spec.yaml"), "spec"), players)


def found(symmetry: Symmetry) -> set[tuple[str, str]]:
    return {(one.what, one.element) for one in symmetry.asymmetries}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rules_that_compare_seats_fairly_are_symmetric(players: int) -> None:
    result = symmetry(bids(players), 12, SEED)
    assert result.asymmetries == (), f"seed {SEED}"
    assert result.positions > 400


@pytest.mark.parametrize("how", BY_NUMBER)
def test_what_is_settled_by_the_numbers_of_seats_is_found(how: str) -> None:
    changes, what, element = BY_NUMBER[how]
    assert (what, element) in found(symmetry(bids(3, **changes), 20, SEED)), f"seed {SEED}"


def test_who_begins_may_be_said_where_all_else_is_alike() -> None:
    text = BIDS.format(**ALIKE).replace("seen: everyone, decided: lots", "starts: 1, seen: everyone")
    game = Game(execute(emit_python(compiled(text.replace("clockwise(leader)", "clockwise(leader otherwise 0)")),
                                    "spec.yaml"), "spec"), 3)  # fmt: skip
    assert found(symmetry(game, 12, SEED)) == {("`leader`", "vars.leader")}
    assert symmetry(game, 12, SEED, start=False).asymmetries == ()


def test_a_finding_is_a_play_that_shows_it() -> None:
    """Replayed, and played once more with every seat moved on: the totals differ as the finding says."""
    game = bids(3, **BY_NUMBER["a running total in the order of players"][0])
    [one] = [one for one in symmetry(game, 10, SEED).asymmetries if one.what == "`tally`"]
    state, turn = game.new_initial_state(), Turn(game, one.rotation)
    for action in one.play[:-1]:
        state.apply_action(action)
    moved, last = turn.position(state.position), one.play[-1]
    moved.apply(turn.action(last, state.is_chance_node()))
    actor = state.current_player()
    assert one.step == f"{'chance' if actor < 0 else actor} {state.action_to_string(last)}"
    assert one.phase == state.phase
    state.apply_action(last)
    assert state.to_dict()["vars"]["tally"] == one.one != one.other == state_data(game, moved)["vars"]["tally"]


def test_shorter_plays_come_first() -> None:
    result = symmetry(
        bids(3, **BY_NUMBER["a result that the first of equals wins"][0] | {"order": "order: kept,"}), 10, SEED
    )
    lengths = [len(one.play) for one in result.asymmetries]
    assert len(lengths) > 1
    assert lengths == sorted(lengths)


def test_the_order_in_which_cards_are_dealt_makes_no_difference() -> None:
    """Seat by seat, from a pile that has enough: 2 cards for each of 4, and 8 there."""
    assert symmetry(bids(4, copies="2"), 12, SEED).asymmetries == ()
    assert symmetry(bids(3, copies="1"), 12, SEED).asymmetries != ()


def test_the_same_seed_finds_the_same_and_time_is_kept() -> None:
    game = bids(order="order: kept,")
    assert symmetry(game, 5, SEED) == symmetry(game, 5, SEED)
    assert 0 < symmetry(game, 10**9, SEED, seconds=0.2).positions < 10**6


def test_one_player_is_treated_alike() -> None:
    spec = BIDS.replace("players: 2..4", "players: 1..4").format(**ALIKE)
    assert symmetry(Game(execute(emit_python(compiled(spec), "spec.yaml"), "spec"), 1), 5, SEED) == Symmetry((), 0)


# ------------------------------------------------------------------------------------------ the variants

# R-f settles hooks of equal height "by seat": who chooses first among them is the one with the lower number.
RULED = {"montgolfiere_race": {("whose turn it is", "phases.hook")}}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", ["balloon", "celestia", "flying_saucer", "montgolfiere_race"])
def test_the_variants_are_symmetric(name: str, players: int) -> None:
    result = symmetry(Game(load_variant(name), players), 4, SEED)
    assert found(result) <= RULED.get(name, set()), f"seed {SEED}"
    assert result.positions > 400


def test_hooks_of_equal_height_are_settled_by_seat() -> None:
    """R-f, as the search finds it."""
    game = Game(load_variant("montgolfiere_race"), 6)
    assert found(symmetry(game, 40, SEED)) == RULED["montgolfiere_race"], f"seed {SEED}"


def test_games_that_begin_with_a_seat_are_not() -> None:
    assert ("whose turn it is", "phases.play") in found(symmetry(Game(load_variant(SPECS["tic_tac_toe"]), 2), 2, SEED))
