"""The space of a game's states, and what it proves: dead ends, endless play, and what seats learn."""

from __future__ import annotations

import json
import random
from array import array
from itertools import combinations
from typing import Any

import pytest

from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, load_variant
from aeronef.runtime.endings import end_components, endings
from aeronef.runtime.explore import BY_CHANCE, OVER, SEAT, Limits, Space, explore
from aeronef.runtime.game import Game
from aeronef.runtime.leaks import leaks
from tests.games.specs import ROOT, compiled


def example(name: str, players: int | None = None, **options: Any) -> Game:
    return Game(load_variant(ROOT / "examples" / f"{name}.yaml"), players, options)


def game_of(text: str, players: int = 2) -> Game:
    return Game(execute(emit_python(compiled(text), "spec.yaml"), "spec"), players)


def counted(game: Game) -> set[str]:
    """Every state that play can reach, one by one, by what it holds."""
    found: set[str] = set()
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        position = state.position
        text = json.dumps([state.to_dict(), position.queue, position.me])
        if text not in found:
            found.add(text)
            for action in state.legal_actions():
                other = state.clone()
                other.apply_action(action)
                waiting.append(other)
    return found


# ------------------------------------------------------------------------------------------ the states


def test_the_states_of_tic_tac_toe_are_those_that_everybody_counts() -> None:
    space = explore(example("tic_tac_toe"), Limits())
    assert (len(space), space.whole, endings(space).longest) == (5478, True, 9)


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe", "goofspiel"])
def test_exploring_finds_each_state_once(name: str) -> None:
    game = example(name)
    assert len(explore(game, Limits())) == len(counted(game))


def test_each_state_comes_with_a_shortest_play() -> None:
    space = explore(example("kuhn_poker", 3), Limits())
    for state in range(0, len(space), 7):
        found = space.at(state)
        assert len(found.moves) == len(space.path(state))
        assert found.is_terminal() == (space.kinds[state] == OVER)
        assert len(space.successors(state)) == len(found.legal_actions())
        for other in space.successors(state):
            assert len(space.path(other)) <= len(space.path(state)) + 1
            assert space.action(state, other) in found.legal_actions()


def test_exploring_stops_at_its_limit_and_says_so() -> None:
    space = explore(example("tic_tac_toe"), Limits(states=500))
    assert not space.whole
    assert space.explored < len(space) < 510
    assert endings(space).longest is None


# ------------------------------------------------------------------------------------------ how games end

LAMPS = """
game: lamps
players: 2
longest: 50
dice: {{Coin: {{faces: 0..1}}}}
vars:
  lit: {{each: seat, type: 0..3, starts: 0, seen: everyone}}
  done: {{type: bool, starts: false, seen: everyone}}
phases:
  light:
    turns: {{from: 0, until: "done or all(lit[p] == 3 for p in players)"}}
    actions:
      {actions}
    then: end
  toss:
    chance: once
    outcomes:
      toss(f from 1 of Coin): {{told: everyone, do: "done := sum(n for n in f) == 1"}}
    then: back
result: {{rank: "lit[me]"}}
"""
UP = "up(): {when: 'lit[me] < 3', do: 'lit[me] += 1'}"
WAIT = "wait(): {}"
FULL = "wait(): {when: 'lit[me] == 3'}"
TOSS = "toss(): {visits: toss}"


def lamps(*actions: str, longest: int = 50) -> Space:
    text = LAMPS.format(actions="\n      ".join(actions)).replace("longest: 50", f"longest: {longest}")
    if TOSS not in actions:
        text = text[: text.index("  toss:\n")] + text[text.index("result:") :]
        text = text.replace("dice: {Coin: {faces: 0..1}}\n", "")
    return explore(game_of(text), Limits())


def test_where_nothing_returns_a_game_has_so_many_steps_at_most() -> None:
    assert endings(lamps(UP, FULL)).longest == 6
    assert endings(lamps(UP, FULL)).circles == ()


def test_what_players_may_do_for_ever_is_found_by_its_shortest_play() -> None:
    space = lamps(UP, WAIT)
    first = endings(space).circles[0]
    assert (space.path(first.entry), len(first.states), first.closed) == ([], 2, False)


def test_a_state_that_lies_beyond_the_longest_game_is_shown_as_it_is() -> None:
    space = lamps(UP, WAIT, longest=3)
    last = endings(space).circles[-1]
    assert len(space.path(last.entry)) > 3
    assert len(space.at(last.entry).legal_actions()) == len(space.successors(last.entry))


def test_what_only_chance_ends_ends_with_probability_1() -> None:
    found = endings(lamps(TOSS))
    assert (found.circles, found.longest, found.whole) == ((), None, True)


def test_a_state_in_which_nothing_can_be_done_is_found() -> None:
    space = lamps(UP)
    assert space.dead == []
    space = lamps("up(): {when: 'lit[me] < 2', do: 'lit[me] += 1'}")
    assert [space.at(state).to_dict()["vars"]["lit"] for state in space.dead] == [[2, 2]]
    assert len(space.path(space.dead[0])) == 4


def test_a_round_that_nothing_leads_out_of_is_closed() -> None:
    space = lamps("up(): {when: 'lit[me] < 2', do: 'lit[me] += 1'}", "wait(): {when: 'lit[me] == 2'}")
    [circle] = endings(space).circles
    assert (len(space.path(circle.entry)), len(circle.states), circle.closed) == (4, 2, True)


def made_up(rng: random.Random, game: Game) -> Space:
    """A space of a few states that is no game's."""
    n = rng.randint(2, 6)
    space = Space(game, array("q", [-1] * n), array("q", [-1] * n))
    for _ in range(n):
        kind = rng.choice((SEAT, SEAT, BY_CHANCE, OVER))
        space.kinds.append(kind)
        to = [] if kind == OVER else [rng.randrange(n) for _ in range(rng.randint(1, 3))]
        space.to.extend(to)
        space.first.append(len(space.to))
    return space


def is_end_component(space: Space, states: tuple[int, ...]) -> bool:
    """By the definition: everybody can stay inside, and each is reached from each."""
    inside = {s: [o for o in space.successors(s) if o in states] for s in states}
    for s in states:
        out = len(inside[s]) < len(space.successors(s))
        if not inside[s] or space.kinds[s] == OVER or (space.kinds[s] == BY_CHANCE and out):
            return False
    for s in states:
        reached, todo = {s}, [s]
        while todo:
            for o in inside[todo.pop()]:
                if o not in reached:
                    reached.add(o)
                    todo.append(o)
        if reached != set(states):
            return False
    return True


@pytest.mark.parametrize("seed", range(8))
def test_end_components_are_those_of_the_definition(seed: int) -> None:
    rng, game = random.Random(seed), example("tic_tac_toe")
    for _ in range(60):
        space = made_up(rng, game)
        n = space.explored
        every = [c for k in range(1, n + 1) for c in combinations(range(n), k) if is_end_component(space, c)]
        largest = {c for c in every if not any(set(c) < set(other) for other in every)}
        found: dict[int, list[int]] = {}
        for state, number in enumerate(end_components(space)):
            if number >= 0:
                found.setdefault(number, []).append(state)
        assert {tuple(states) for states in found.values()} == largest, f"seed {seed}"


# ------------------------------------------------------------------------------------------ what seats learn

BLUFF = """
game: bluff
players: 3
longest: 20
cards:
  Card:
    attributes: {{high: bool}}
    kinds: [{{label: low, high: false, copies: 3}}, {{label: high, high: true, copies: 2}}]
zones:
  pile: {{of: Card, starts: Card, seen: nobody}}
  hand: {{each: seat, of: Card, seen: viewer == owner}}
vars:
  said: {{each: seat, type: 0..2, starts: 0, seen: everyone}}
phases:
  deal:
    chance: players
    outcomes:
      draw(me, c from pile):
        told: {{me: everyone, c: {told}}}
        do: move c from pile to hand[me]
    then: say
  say:
    turns: {turns}
    actions:
      say(n in 1..2):
        told: everyone
        do: said[me] := n
      pass():
        when: {when}
    then: end
result: {{rank: "said[me]"}}
"""
SOUND = {"told": "viewer == me", "turns": "players", "when": "said[me] == 0"}
LEAKS = {
    "whose turn it is": {"turns": "p in players where any(c.high for c in hand[p])"},
    "what a label tells": {"told": "everyone"},
    "what can be done": {"when": "any(c.high for c in hand[left(me)])"},
}


def secrecy(**changes: str) -> set[str]:
    found = leaks(game_of(BLUFF.format(**SOUND | changes), 3), 4000)
    assert found.whole
    return {leak.channel for leak in found.leaks}


def test_a_sound_game_tells_nothing() -> None:
    assert secrecy() == set()


@pytest.mark.parametrize("channel", LEAKS)
def test_what_a_game_tells_is_found_by_its_channel(channel: str) -> None:
    assert channel in secrecy(**LEAKS[channel])


def test_where_the_rules_break_nothing_more_is_learnt() -> None:
    breaking = BLUFF.format(**SOUND).replace("type: 0..2, starts: 0", "type: 0..1, starts: 0")
    assert {step for _, step in told_of(breaking)} == set()
    leaky = BLUFF.format(**SOUND | LEAKS["whose turn it is"]).replace("type: 0..2, starts: 0", "type: 0..1, starts: 0")
    assert "whose turn it is" in {channel for channel, _ in told_of(leaky)}


def told_of(text: str) -> set[tuple[str, str]]:
    return {(leak.channel, leak.step) for leak in leaks(game_of(text, 3), 4000).leaks}


LETTERS = """
game: letters
players: 4
longest: 9
vars:
  stamps: {each: seat, type: 0..1, starts: 1, seen: everyone}
phases:
  write:
    turns: players
    actions:
      write(p in players where p != me): {told: viewer == p, do: "stamps[me] := 0", visits: answer for p}
    then: end
  answer:
    turns: "[me]"
    actions:
      send_back(): {when: "stamps[me] > 0"}
      keep(): {}
    then: back
result: {rank: "stamps[me]"}
"""


def test_what_only_follows_from_whose_turn_it_is_is_no_leak_of_its_own() -> None:
    assert {leak.channel for leak in leaks(game_of(LETTERS, 4), 4000).leaks} == {"whose turn it is"}


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel"])
def test_the_examples_keep_their_secrets(name: str) -> None:
    assert leaks(example(name), 3000).leaks == ()
