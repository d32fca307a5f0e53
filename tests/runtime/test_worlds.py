"""Two worlds that a seat may not tell apart: what a large game tells is found by its channel, at its element, and
games that keep their secrets tell nothing."""

from __future__ import annotations

import time

import pytest

from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, load_variant
from aeronef.runtime.channels import Leak, Secrecy
from aeronef.runtime.errors import IllegalAction
from aeronef.runtime.game import Game
from aeronef.runtime.leaks import leaks
from aeronef.runtime.state import State
from aeronef.runtime.worlds import worlds
from tests.games.specs import ROOT, SPECS, compiled, emitted

SEED = 20261130
LARGE = """
game: bluff
players: 2..4
longest: 300
cards:
  Card:
    attributes: {{high: bool, rank: 1..8}}
    kinds:
      - {{label: "low {{rank}}", high: false, rank: 1..8, copies: 2}}
      - {{label: "high {{rank}}", high: true, rank: 1..8, copies: 2}}
zones:
  pile: {{of: Card, starts: Card, seen: nobody}}
  hand: {{each: seat, of: Card, seen: viewer == owner}}
  away: {{of: Card, seen: nobody}}
vars:
  said: {{each: seat, type: 0..3, starts: 0, seen: everyone}}
  mark: {{each: seat, type: 0..3, starts: 0, seen: "{seen}"}}
phases:
  deal:
    chance: {{over: players, until: "size(hand[me]) == 3"}}
    outcomes:
      draw(me, c from pile):
        told: {{me: everyone, c: "{told}"}}
        do: move c from pile to hand[me]
    then: say
  say:
    turns: {turns}
    actions:
      say(n in 1..3):
        when: "{when}"
        told: everyone
        do: said[me] := n
      drop(c in hand[me]):
        told: viewer == me
        do: |
          {drop}
      pass(): {pass}
    then: "{then}"
  last:
    do: |
      {last}
    chance: {{over: players, until: "{until}"}}
    outcomes:
      draw(me, c from pile):
        told: {{me: everyone, c: viewer == me}}
        do: move c from pile to hand[me]
    then: answer
  answer:
    turns: players
    actions: {{pass(): {{}}}}
    then: end
result: {{rank: "said[me]"}}
"""
SOUND = {
    "seen": "viewer == owner", "told": "viewer == me", "turns": "players", "when": "said[me] == 0",
    "drop": "move c from hand[me] to away", "pass": "{}", "then": "last", "last": "mark[0] := 1",
    "until": "size(hand[me]) >= 4",
}  # fmt: skip
HIGH = "any(c.high for c in hand[{}])"
TELLING = {
    "who is asked": (
        {"turns": f"p in players where {HIGH.format('p')}"}, "whose turn it is", "phases.say"
    ),
    "who is skipped": (
        {"turns": f"{{over: players, asks: '{HIGH.format('me')}'}}"}, "whose turn it is", "phases.say"
    ),
    "how long it goes on": (
        {"turns": f"{{from: 0, until: '{HIGH.format('0')}'}}"}, "which phase it is", "phases.say"
    ),
    "how many choices follow": (
        {"turns": "{over: players, sequence: 'd in hand[me] where d.high'}"}, "whose turn it is", "phases.say"
    ),
    "who is asked again": (
        {"turns": f"{{over: players, asks: '{HIGH.format('me')}'}}", "pass": "{reopens: others}"},
        "whose turn it is", "phases.say",
    ),
    "how many are laid away": (
        {"last": "for p in players:\n        for c in hand[p] where c.high:\n          move c from hand[p] to away"},
        "how many cards lie in `away`", "zones.away",
    ),
    "how many are left": (
        {"drop": "for d in hand[me] where d.high == c.high:\n            move d from hand[me] to away"},
        "how many cards lie in `hand`", "zones.hand",
    ),
    "how many are drawn": (
        {"until": f"size(hand[me]) >= (5 if {HIGH.format('me')} else 4)"}, "whose turn it is", "phases.last"
    ),
    "what can be done": (
        {"when": HIGH.format("left(me)")}, "what can be done", "phases.say.actions.say"
    ),
    "what a label tells": (
        {"told": "everyone"}, "what a label tells", "phases.deal.outcomes.draw"
    ),
    "which phase follows": (
        {"then": f"answer if {HIGH.format('0')} else last"}, "which phase it is", "phases.say"
    ),
    "what is visited": (
        {"pass": f"{{then: 'answer if {HIGH.format('left(me)')} else last'}}"},
        "which phase it is", "phases.say.actions.pass",
    ),
    "who sees": (
        {"seen": f"viewer == owner or {HIGH.format('owner')}"}, "who sees `mark`", "vars.mark"
    ),
}  # fmt: skip


BIDS = """
game: bids
players: 2..3
longest: 60
types: {Bid: 1..4}
cards: {Card: {attributes: {rank: 1..4}, kinds: [{label: "{rank}", rank: 1..4, copies: 3}]}}
zones:
  pile: {of: Card, starts: Card, seen: nobody}
  hand: {each: seat, of: Card, seen: viewer == owner}
  laid: {each: seat, of: Card, seen: everyone}
vars:
  low: {each: seat, type: 0..4, starts: 0, seen: everyone}
  times: {each: seat, type: 0..2, starts: 0, seen: everyone}
phases:
  deal:
    chance: {over: players, until: "size(hand[me]) == 3"}
    outcomes:
      draw(me, c from pile): {told: {me: everyone, c: viewer == me}, do: "move c from pile to hand[me]"}
    then: bid
  bid:
    together: {over: players, until: "UNTIL"}
    actions:
      bid(n in Bid where n > low[me] or n == 4):
        told: everyone
        do: |
          low[me] := n
          times[me] += 1
      lay(c in hand[me]):
        told: TOLD
        do: |
          move c from hand[me] to TO[me]
          times[me] += 1
    then: end
result: {rank: "low[me]"}
"""


def bids(until: str = "times[me] == 2", told: str = "everyone", to: str = "laid") -> str:
    return BIDS.replace("UNTIL", until).replace("TOLD", told).replace("TO[", f"{to}[")


def text(**changes: str) -> str:
    return LARGE.format(**SOUND | changes)


def game_of(spec: str, players: int = 3) -> Game:
    return Game(execute(emit_python(compiled(spec), "spec.yaml"), "spec"), players)


def found(secrecy: Secrecy) -> set[tuple[str, str]]:
    return {(leak.channel, leak.element) for leak in secrecy.leaks}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_large_sound_game_tells_nothing(players: int) -> None:
    secrecy = worlds(game_of(text(), players), 150, SEED)
    assert secrecy.leaks == (), f"seed {SEED}"
    assert (secrecy.pairs, secrecy.whole) == (150, False)
    assert secrecy.histories > 450


@pytest.mark.parametrize("what", TELLING)
def test_what_a_large_game_tells_is_found_by_its_channel_at_its_element(what: str) -> None:
    changes, channel, element = TELLING[what]
    assert (channel, element) in found(worlds(game_of(text(**changes)), 200, SEED)), f"seed {SEED}"


WHY = "why something cannot be done"
REASON = '(("hand", me),)'  # what the emitted reason says that it looks at


def test_reasons_that_tell_what_they_look_at_are_found() -> None:
    sound = emit_python(compiled(text(when=HIGH.format("me"))), "spec.yaml")
    begin = sound.index("def why_say_say")
    assert REASON in sound[begin : begin + 400], "the emitted reasons look otherwise"
    telling = sound[:begin] + sound[begin:].replace(REASON, "()", 1)
    assert worlds(Game(execute(sound, "spec"), 3), 100, SEED).leaks == ()
    secrecy = worlds(Game(execute(telling, "spec"), 3), 100, SEED)
    assert found(secrecy) == {(WHY, "phases.say.actions.say")}, f"seed {SEED}"


def test_what_a_refusal_says_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    game, refused = game_of(text()), State._illegal

    def telling(state: State, action: object) -> IllegalAction:
        error = refused(state, action)
        next_hand = state.position.hand[(state.current_player() + 1) % 3]  # type: ignore[attr-defined]
        return IllegalAction(f"{error} {next_hand}", error.reasons)

    monkeypatch.setattr(State, "_illegal", telling)
    assert "what a refusal says" in {channel for channel, _ in found(worlds(game, 60, SEED))}


def test_what_a_seat_is_handed_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(text())
    monkeypatch.setattr(State, "information_state_string", lambda state, player: str(state.position.hand))
    assert "what `information_state_string` says" in {channel for channel, _ in found(worlds(game, 200, SEED))}


def test_choices_together_are_hidden_until_all_have_chosen() -> None:
    assert worlds(game_of(bids()), 200, SEED).leaks == ()


def test_how_long_a_seat_chooses_tells_what_it_chose() -> None:
    secrecy = worlds(game_of(bids(until="times[me] == 2 or low[me] == 4")), 200, SEED)
    assert found(secrecy) == {("whose turn it is", "phases.bid")}, f"seed {SEED}"


def test_reasons_amid_choices_together_are_those_of_the_beginning() -> None:
    state = game_of(bids(), 2).new_initial_state()
    while state.phase != "bid":
        state.apply_action(state.legal_actions()[0])
    state.apply_label("bid(3)")
    assert state.current_player() == 0
    action = state.string_to_action("bid(2)")
    assert state.why_illegal(action, 0) == ["n > low[me] or n == 4"]
    assert state.why_illegal(action, 1) == []


def test_a_card_that_a_label_tells_and_nobody_sees_is_found() -> None:
    """Of a choice together too, once all have chosen."""
    spec = bids(told="everyone", to="hidden").replace("  laid: {each: seat, of: Card, seen: everyone}",
                                                      "  hidden: {each: seat, of: Card, seen: nobody}")  # fmt: skip
    assert ("what a label tells", "phases.bid.actions.lay") in found(worlds(game_of(spec), 100, SEED))


def test_a_finding_is_a_pair_of_plays_that_shows_it() -> None:
    game = game_of(text(**TELLING["who is asked"][0]))
    leak = next(one for one in worlds(game, 60, SEED).leaks if one.channel == "whose turn it is")
    one, other = (played(game, leak, k) for k in (0, 1))
    last = len(one.moves) - 1
    for step in range(last):
        assert one.heard(leak.viewer, step) == other.heard(leak.viewer, step)
    assert one.view(leak.viewer)["actor"] == leak.one != leak.other == other.view(leak.viewer)["actor"]
    assert (other.game.phase_name(other.trail[-1]), leak.step) == (leak.phase, step_of(other))


def played(game: Game, leak: Leak, which: int) -> State:
    state = game.new_initial_state()
    for action in leak.plays[which]:
        state.apply_action(action)
    return state


def step_of(state: State) -> str:
    actor, action = state.moves[-1]
    return f"{'chance' if actor < 0 else actor} {state.action_to_string(actor, action)}"


def test_the_same_seed_finds_the_same() -> None:
    game = game_of(text(**TELLING["what can be done"][0]))
    assert worlds(game, 40, SEED) == worlds(game, 40, SEED)


def test_searches_stop_in_time() -> None:
    game, began = game_of(text()), time.perf_counter()
    secrecy = worlds(game, 10**9, SEED, seconds=0.2)
    assert 0 < secrecy.pairs < 10**6
    assert not leaks(game, 10**9, seconds=0.2).whole
    assert time.perf_counter() - began < 5


def test_a_game_without_secrets_has_no_pairs() -> None:
    assert worlds(Game(load_variant(SPECS["tic_tac_toe"])), 50, SEED) == Secrecy((), 0, False, 0)


# ------------------------------------------------------------------------------------------ the specs of the project

# How long a seat of these watches depends on what it did before, while the others still choose.
TELL = {name: {("whose turn it is", "phases.watch")} for name in ("tidewall", "high_tide")}
# That the game goes on tells that nobody has three in a row in the dark, and who tries again has found a cell taken.
TELL["phantom_ttt"] = {("which phase it is", "phases.play"), ("whose turn it is", "phases.play")}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", ["balloon", "celestia", "flying_saucer", "montgolfiere_race"])
def test_the_variants_keep_their_secrets(name: str, players: int) -> None:
    secrecy = worlds(Game(load_variant(name), players), 40, SEED)
    assert secrecy.leaks == (), f"seed {SEED}"
    assert secrecy.histories > 80


@pytest.mark.parametrize("name", sorted(set(SPECS) - {path.stem for path in (ROOT / "variants").glob("*.yaml")}))
def test_the_specs_of_the_project_keep_their_secrets(name: str) -> None:
    variant = execute(emitted(name), name)
    secrecy = worlds(Game(variant, min(3, variant.players.stop - 1)), 60, SEED)
    assert found(secrecy) <= TELL.get(name, set()), f"seed {SEED}"
