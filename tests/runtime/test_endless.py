"""Games that cannot end are caught, and no others: where a choice remains, or chance, a game goes on."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from aeronef.loading import load_variant
from aeronef.runtime.endless import Endless, Watch, choices, identity
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL, Position
from aeronef.runtime.laws import Broken, LawBroken, walk
from aeronef.runtime.machine import search
from aeronef.runtime.probe import probe
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose, play_game, play_out, why_endless
from aeronef.runtime.state import State, dump
from aeronef.runtime.transcript import read, record, replay, write_state
from aeronef.runtime.trial import try_laws
from tests.games.specs import SPECS

FERRY = SPECS["ferry"]
SEED = 5

# One seat that walks round and round: a lead-in of `lead` steps, then a round of `ring`.
WALK = """
game: walk
players: 1
longest: 5000
options:
  lead: {type: 0..200, default: 0}
  ring: {type: 1..200, default: 1}
  free: {type: 0..400, default: 400}
vars:
  at: {type: 0..400, starts: 0, seen: everyone}
  rounds: {type: count, starts: 0, seen: everyone}
phases:
  walk:
    turns: {from: 0, until: at == 400}
    actions:
      go():
        do: |
          rounds += 1
          at := at + 1 if at + 1 < lead + ring else lead
      leave():
        when: at == free
        do: at := 400
    then: end
result: {rank: at}
"""
# The same with two outcomes of chance in place of the seat, one of which leads out.
CHANCE = """
game: toss
players: 1
longest: 300
vars:
  out: {type: bool, starts: false, seen: everyone}
  rounds: {type: count, starts: 0, seen: everyone}
phases:
  toss:
    chance: {until: out}
    outcomes:
      toss(n from OUTCOMES):
        told: everyone
        do: |
          rounds += 1
          out := n == 2
    then: end
result: {rank: 0}
"""


def loaded(folder: Path, text: str, players: int | None = None, **options: Any) -> Game:
    path = folder / "spec.yaml"
    path.write_text(text, encoding="utf-8")
    return Game(load_variant(path), players, options)


@pytest.fixture(scope="module")
def ferry() -> Game:
    return Game(load_variant(FERRY), 2, {"reading": "literal"})


@pytest.fixture(scope="module")
def caught(ferry: Game) -> tuple[int, Endless]:
    """The first game of the ferry that is caught, and how."""
    return next((k, found) for k in range(100) if (found := why_endless(ferry, SEED, k)) is not None)


def by_hand(game: Game, number: int) -> State:
    """A game of the seed as a state, up to where it is caught."""
    state, rng = game.new_initial_state(), Rng.stream(SEED, number)
    end = play_game(game, SEED, number).steps
    while state.position.steps < end:
        state.apply_action(choose(state.position, rng))
    return state


# ------------------------------------------------------------------------------------------ what is caught


def test_a_round_is_told_by_its_first_step_its_states_and_its_steps(ferry: Game, caught: tuple[int, Endless]) -> None:
    number, found = caught
    assert str(found) == (
        f"endless: from step {found.since} the same 2 states return for ever (boarding: 0 wave(), 1 wave())"
    ) or str(found).endswith("(boarding: 1 wave(), 0 wave())")
    assert (found.states, found.phases) == (2, ("boarding",))
    state = by_hand(ferry, number)
    tells = identity(ferry.variant)
    positions = [tells(position) for position in [*state.trail, state.position]]
    assert positions[found.since] == positions[found.since + 2] != positions[found.since + 1]
    assert positions[found.since - 1] not in positions[found.since :]


@pytest.mark.parametrize(("lead", "ring"), [(0, 1), (0, 2), (1, 1), (3, 5), (17, 4), (64, 64), (2, 127), (200, 200)])
def test_any_round_is_caught_in_a_few_times_its_length(tmp_path: Path, lead: int, ring: int) -> None:
    game = loaded(tmp_path, WALK, lead=lead, ring=ring)
    position = game.start()
    found = play_out(game, position, Rng.stream(SEED, 0))
    assert found is not None
    assert (found.since, found.states, found.phases) == (lead, ring, ("walk",))
    assert position.cut
    assert position.steps <= 3 * (lead + ring) + 1


def test_a_long_round_is_told_by_its_beginning(tmp_path: Path) -> None:
    found = why_endless(loaded(tmp_path, WALK, ring=9), SEED, 0)
    assert str(found) == (
        "endless: from step 0 the same 9 states return for ever (walk: "
        "0 go(), 0 go(), 0 go(), 0 go(), 0 go(), 0 go() and 3 more)"
    )


def test_one_state_that_returns_is_told_so(tmp_path: Path) -> None:
    found = why_endless(loaded(tmp_path, WALK), SEED, 0)
    assert str(found) == "endless: from step 0 the same state returns for ever (walk: 0 go())"


# ------------------------------------------------------------------------------------------ what is not


@pytest.mark.parametrize("free", [0, 3, 9])
def test_a_round_with_a_choice_is_not_caught(tmp_path: Path, free: int) -> None:
    """However often the same states return: in one of them there is a way out."""
    game = loaded(tmp_path, WALK, ring=10, free=free)
    played = game.playouts(50, seed=SEED)
    assert not played.cut.any()
    assert played.lengths.max() > 25


def test_a_round_with_chance_is_not_caught(tmp_path: Path) -> None:
    played = loaded(tmp_path, CHANCE.replace("OUTCOMES", "[1, 1, 1, 1, 2]")).playouts(50, seed=SEED)
    assert not played.cut.any()
    assert played.lengths.max() > 8


def test_chance_with_a_single_outcome_is_forced(tmp_path: Path) -> None:
    game = loaded(tmp_path, CHANCE.replace("OUTCOMES", "[1]"))
    assert str(why_endless(game, SEED, 0)) == (
        "endless: from step 0 the same state returns for ever (toss: chance toss(1))"
    )


def test_what_changes_besides_counts_is_another_state(tmp_path: Path) -> None:
    """A number that rules can read goes up: the game ends when it is high enough."""
    text = WALK.replace("rounds: {type: count", "rounds: {type: 0..300").replace("rounds += 1", "rounds := rounds + 1")
    game = loaded(tmp_path, text.replace("until: at == 400", "until: at == 400 or rounds == 300"), ring=3)
    assert game.playouts(3, seed=SEED).lengths.tolist() == [300] * 3


def test_the_mended_reading_always_ends() -> None:
    for players in (2, 3, 4):
        assert not Game(load_variant(FERRY), players).playouts(100, seed=SEED).cut.any()


def test_games_that_reach_their_longest_first_are_cut_by_length(tmp_path: Path) -> None:
    game = loaded(tmp_path, WALK.replace("longest: 5000", "longest: 30"), lead=20, ring=20)
    played = game.playouts(2, seed=SEED)
    assert (played.cut.tolist(), played.endless.tolist(), played.lengths.tolist()) == (
        [True] * 2,
        [False] * 2,
        [30, 30],
    )


# ------------------------------------------------------------------------------------------ results and states


def test_playouts_tell_the_endless_from_the_others(ferry: Game, caught: tuple[int, Endless]) -> None:
    played = ferry.playouts(caught[0] + 1, seed=SEED)
    assert played.endless.tolist() == [False] * caught[0] + [True]
    assert played.cut[-1]
    assert played.returns[-1].tolist() == [0, 0]
    assert not played.winners[-1].any()


def test_a_state_says_from_the_first_return_on_that_it_is_caught(ferry: Game, caught: tuple[int, Endless]) -> None:
    number, found = caught
    state = by_hand(ferry, number)
    assert state.endless() == found
    assert not state.is_terminal()
    while state.position.steps > found.since + found.states:
        state.undo_action()
        assert (state.endless() is not None) == (state.position.steps >= found.since + found.states)
    state.undo_action()
    assert state.endless() is None


def test_a_state_that_is_caught_can_be_played_on(ferry: Game, caught: tuple[int, Endless]) -> None:
    """To the longest length, and it still says what it is caught in."""
    state = by_hand(ferry, caught[0])
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert (state.cut, len(state.moves)) == (True, 400)
    assert state.endless() == caught[1]


def test_saved_states_are_caught_as_well(ferry: Game, caught: tuple[int, Endless]) -> None:
    state = by_hand(ferry, caught[0])
    assert ferry.deserialize_state(state.serialize()).endless() == caught[1]


def test_a_look_changes_nothing(ferry: Game, caught: tuple[int, Endless]) -> None:
    position, watch, rng = ferry.start(), Watch(ferry), Rng.stream(SEED, caught[0])
    while position.actor != TERMINAL:
        before = dump(position)
        found = watch.look(position, len(choices(position)))
        assert dump(position) == before
        if found is not None:
            assert found == caught[1]
            return
        position.apply(choose(position, rng))
    pytest.fail("it was not caught")


# ------------------------------------------------------------------------------------------ transcripts


def load(game: Game) -> Any:
    return lambda variant, players, options: game


@pytest.mark.parametrize("full", [False, True])
def test_the_transcript_of_a_caught_game_replays(ferry: Game, caught: tuple[int, Endless], full: bool) -> None:
    number, found = caught
    stream = io.StringIO()
    end: Position = record(ferry, SEED, number, stream.write, full)
    assert dump(end) == dump(play_game(ferry, SEED, number))
    last = stream.getvalue().splitlines()[-1]
    assert json.loads(last) == {"cut": True, "steps": end.steps, "why": str(found)}
    assert [one.difference for one in replay(read(stream.getvalue().encode()), load(ferry))] == [None]


def test_a_transcript_that_goes_on_or_says_otherwise_parts_there(ferry: Game, caught: tuple[int, Endless]) -> None:
    stream = io.StringIO()
    record(ferry, SEED, caught[0], stream.write)
    lines = stream.getvalue().splitlines()
    tampered = "\n".join([*lines[:-1], lines[-1].replace("2 states", "3 states")]) + "\n"
    (one,) = replay(read(tampered.encode()), load(ferry))
    assert one.difference is not None
    assert (one.difference.line, one.difference.field) == (len(lines), "why")
    longer = "\n".join([*lines[:-1], lines[-2], lines[-1]]) + "\n"
    (one,) = replay(read(longer.encode()), load(ferry))
    assert one.difference is not None
    assert (one.difference.found, one.difference.expected) == ("a step", "the end of the game")


def test_the_transcript_of_a_state_that_is_caught_has_an_end_and_replays(
    ferry: Game, caught: tuple[int, Endless]
) -> None:
    stream = io.StringIO()
    write_state(by_hand(ferry, caught[0]), stream.write)
    assert json.loads(stream.getvalue().splitlines()[-1])["why"] == str(caught[1])
    assert [one.difference for one in replay(read(stream.getvalue().encode()), load(ferry))] == [None]


# ------------------------------------------------------------------------------------------ laws


def test_a_caught_game_breaks_the_law_that_games_end_unless_it_is_accepted(ferry: Game, tmp_path: Path) -> None:
    number = next(k for k in range(100) if why_endless(ferry, SEED, k) is not None)
    assert walk(ferry, SEED, number) == play_game(ferry, SEED, number).steps
    text = FERRY.read_text(encoding="utf-8")
    for wrong in ("reading == mended", "reading == literal and size(players) > 2"):
        game = loaded(
            tmp_path, text.replace("when: reading == literal, why", f"when: {wrong}, why"), 2, reading="literal"
        )
        with pytest.raises(Broken) as broken:
            walk(game, SEED, number)
        assert isinstance(broken.value.reason, LawBroken)
        assert broken.value.reason.law == "the game ends"
        assert "the same 2 states return for ever" in str(broken.value)


def test_the_laws_are_tried_under_both_readings(tmp_path: Path) -> None:
    assert try_laws(load_variant(FERRY), games=20, seed=SEED).failures == []
    text = FERRY.read_text(encoding="utf-8").partition("accepts:")[0]
    variant = loaded(tmp_path, text).variant
    failures = try_laws(variant, games=20, seed=SEED).failures
    assert [(f.law, f.options["reading"]) for f in failures] == [("the game ends", "literal")]


def test_an_accepted_round_does_not_excuse_a_game_that_is_cut_by_length(tmp_path: Path) -> None:
    text = FERRY.read_text(encoding="utf-8").replace("longest: 400", "longest: 8")
    game = loaded(tmp_path, text, 2, reading="literal")
    with pytest.raises(Broken, match="it was cut after 8 steps"):
        walk(game, SEED, 0)


def test_the_machine_finds_it(tmp_path: Path) -> None:
    found = search(loaded(tmp_path, WALK, ring=2), examples=5, steps=10, seed=SEED)
    assert found is not None
    assert "endless: from step 0 the same 2 states return for ever" in str(found)
    assert len(found.state.moves) == 2


# ------------------------------------------------------------------------------------------ the short look


def test_a_short_look_says_in_which_choices_a_round_is_found_and_what_accepts_it() -> None:
    variant = load_variant(FERRY)
    found = probe(variant)
    assert found.whole
    assert found == probe(variant)
    assert {(one.at, one.options["reading"], one.accepted) for one in found.rounds} == {
        ("phases.boarding", "literal", variant.accepts)
    }


def test_a_short_look_is_short_whatever_the_length_of_the_games(tmp_path: Path) -> None:
    text = CHANCE.replace("OUTCOMES", "[1, 3]").replace("longest: 300", "longest: 100000000")
    found = probe(loaded(tmp_path, text).variant)
    assert (found.rounds, found.whole) == ([], False)


def test_a_choice_in_which_alone_an_acceptance_holds_is_looked_at(tmp_path: Path) -> None:
    """Three options with three values each are tried in pairs; the acceptance needs three of them together."""
    options = "options:\n" + "".join(f"  o{k}: {{type: 0..2, default: 0, try: [0, 1, 2]}}\n" for k in range(3))
    text = WALK.partition("options:")[0] + options + "vars:" + WALK.partition("vars:")[2]
    text = text.replace("at + 1 < lead + ring else lead", "o0 + o1 + o2 == 6 else 0").replace("at == free", "true")
    text = text.replace("at + 1 if o0", "o0 if o0").replace("when: true", "when: not (o0 == 1 and o1 == 1 and o2 == 1)")
    text += "accepts:\n  - {finding: AE710, at: phases.walk, when: o0 == 1 and o1 == 1 and o2 == 1, why: So it is.}\n"
    variant = loaded(tmp_path, text).variant
    assert [(one.options, one.accepted) for one in probe(variant).rounds] == [
        ({"o0": 1, "o1": 1, "o2": 1}, variant.accepts)
    ]


def test_an_acceptance_that_an_overlay_takes_out_is_one_where_the_overlay_is_off(tmp_path: Path) -> None:
    options = "options: {short: {type: bool, default: true}}\n"
    text = WALK.partition("options:")[0] + options + "vars:" + WALK.partition("vars:")[2]
    text = text.replace("at + 1 if at + 1 < lead + ring else lead", "0").replace("at == free", "at == 400")
    text += "accepts: [{finding: AE710, at: phases.walk, why: So it is.}]\n"
    text += "overlays:\n  brief:\n    when: short\n    change:\n      accepts: []\n"
    text += "      phases: {walk: {actions: {leave: {when: at == 0}}}}\n"
    variant = loaded(tmp_path, text).variant
    assert [(one.options, one.accepted) for one in probe(variant).rounds] == [({"short": False}, variant.accepts)]
