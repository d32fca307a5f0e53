"""A game that counts itself is the same game, and counts what is played."""

import dataclasses
import re
from collections import Counter
from typing import cast

import pytest

from aeronef.covered import Counting
from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.instrument import instrument
from aeronef.dsl.printer import digest, print_game
from aeronef.dsl.verifier import Unsound, verify
from aeronef.dsl.walk import rewritten
from aeronef.loading import execute
from aeronef.runtime.combinations import few
from aeronef.runtime.coverage import Tally, counting, play
from aeronef.runtime.description import Variant
from aeronef.runtime.game import Game
from aeronef.runtime.transcript import record
from tests.games.specs import SPECS, TEMPLATE, compiled, emitted, text_of

NAMES = [name for name, path in SPECS.items() if path != TEMPLATE]


def transcripts(game: Game, games: int) -> str:
    written: list[str] = []
    for number in range(games):
        record(game, 7, number, written.append, full=True)
    return "".join(written)


@pytest.mark.parametrize("name", NAMES)
def test_its_random_games_are_those_of_the_plain_one(name: str) -> None:
    plain: Variant = execute(emitted(name), name)
    made = Counting(SPECS[name])
    choices = few(plain)
    for players, options in (choices[0], choices[-1]):
        tally = Tally(len(made.game.points))
        game = Game(made.variant, players, options)
        counted = counting(game, made.known, tally.of(game))
        assert transcripts(counted, 2) == transcripts(Game(plain, players, options), 2)
        assert sum(tally.counts()) > 0


@pytest.mark.parametrize("name", NAMES)
def test_its_rules_print_as_the_plain_ones_do(name: str) -> None:
    """So that it has their digest, and transcripts replay on both."""
    game = compiled(text_of(name), SPECS[name].name, SPECS[name].parent)
    made = instrument(game)
    verify(made)
    assert print_game(made) == print_game(game)
    assert digest(made) == digest(game)
    assert not re.search(r"self\.(mark|watch|reach|carried)\(", emit_python(game, "spec.yaml"))


@pytest.mark.parametrize("name", ["tolls", "ladder", "celestia", "kuhn_poker", "balloon"])
def test_each_step_counts_its_action_once(name: str) -> None:
    """Also where rows of choices are tried on copies (tolls, ladder, celestia)."""
    made = Counting(SPECS[name])
    tally = Tally(len(made.game.points))
    played = play(made.variant, made.known, tally, few(made.variant), games=2, seed=3)
    kinds: Counter[str] = Counter()
    for point, times in zip(made.game.points, tally.counts(), strict=True):
        kinds[point.kind] += times
    assert not played.faults
    assert kinds["action"] + kinds["outcome"] == played.steps
    assert kinds["players"] == played.games


def test_the_verifier_knows_a_mark_without_its_point() -> None:
    made = instrument(compiled(text_of("pig"), "pig.yaml", SPECS["pig"].parent))
    with pytest.raises(Unsound, match="no point"):
        verify(dataclasses.replace(made, points=made.points[:1]))
    with pytest.raises(Unsound, match="is watched as"):
        verify(
            cast(
                ir.Game,
                rewritten(
                    made,
                    lambda n: dataclasses.replace(n, sides=True, type=t.Seat()) if isinstance(n, ir.Watched) else None,
                ),
            )
        )


STORMS = """\
game: storms
players: 2
longest: 9
clauses: {K1: Climb., K2: A storm throws back., K3: "In storms, nobody climbs from 1.", K4: A storm counts.}
options:
  expert: {type: bool, default: false}
vars:
  height: {each: seat, type: 0..3, starts: 0, seen: everyone}
define:
  step: {is: 1, by: K1}
phases:
  climb:
    turns: players
    actions:
      climb():
        by: K1
        when: height[me] < 3
        do: height[me] := min(height[me] + step, 3)
      stay(): {}
    then: end
overlays:
  storm:
    when: expert
    by: K4
    change:
      phases:
        climb:
          actions:
            climb: {when: "height[me] < 3 and height[me] != 1"}
    add:
      phases:
        climb:
          do:
            - by: K2
              do: height[0] := 1
result:
  rank: height[me]
"""


def test_what_overlays_decide_is_no_test_and_their_effects_count_where_they_are_on() -> None:
    game = instrument(compiled(STORMS))
    variant: Variant = execute(emit_python(game, "storms.yaml"), "storms")
    tests = [(p.element, p.words) for p in game.points if p.side == "true"]
    assert tests == [
        ("phases.climb.actions.climb", "when height[me] < 3 and height[me] != 1"),
        ("phases.climb.actions.climb", "when height[me] < 3"),
    ]
    known = {p.words: (i,) for i, p in enumerate(game.points) if p.kind in ("option", "overlay", "declared")}
    found = {}
    for expert in (False, True):
        tally = Tally(len(game.points))
        play(variant, known, tally, [(2, {"expert": expert})], games=3)
        found[expert] = {
            (p.kind, p.words): n
            for p, n in zip(game.points, tally.counts(), strict=True)
            if "K2" in p.cites or p.kind in ("overlay", "option")
        }
    effect = ("effect", "height[0] := 1")
    assert found[False] == {
        effect: 0,
        ("option", "expert=false"): 3,
        ("option", "expert=true"): 0,
        ("overlay", "overlays.storm"): 0,
    }
    assert found[True] == {
        effect: 3,
        ("option", "expert=false"): 0,
        ("option", "expert=true"): 3,
        ("overlay", "overlays.storm"): 3,
    }


REPEATED = """\
game: repeated
players: 2
longest: 40
vars:
  h: {each: seat, type: 0..9, starts: 0, seen: everyone}
  n: {type: 0..9, starts: 0, seen: everyone}
define:
  d: h[0] == 1 and n == 1 or h[0] == 1 and n == 2 or h[0] == 1 and n == 3 or h[0] == 1 and n == 4
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      give(k in 0..9): {told: everyone, do: "n := k"}
      up(): {when: d or n == 0, do: "h[me] := 1"}
    then: end
result: {rank: "h[me]"}
"""


def test_each_test_counts_for_itself_also_where_another_is_the_same() -> None:
    game = compiled(REPEATED)
    text = emit_python(instrument(game), "spec.yaml")
    assert text.count("self.h[0] == 1") == 4
    assert emit_python(game, "spec.yaml").count("self.h[0] == 1") == 1
