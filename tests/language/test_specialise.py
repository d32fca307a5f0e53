"""A specialised game is sound, has no trace of its options, and plays as the original does with them."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import Any

import pytest

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.compiler import compile_file
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.printer import print_game
from aeronef.dsl.specialise import Unfit, specialise
from aeronef.dsl.verifier import verify
from aeronef.dsl.walk import nodes
from aeronef.loading import execute
from aeronef.runtime.game import Game
from aeronef.runtime.state import State
from tests.games.specs import ROOT, SPECS, compilation, compiled

RIGHT = {path.stem: path for path in sorted((ROOT / "tests/language/right").glob("*.yaml"))}


@cache
def plain_games() -> dict[str, ir.Game]:
    """Every spec of the project under each set of its optional rules: `tidewall`, `balloon with advanced, powers`."""
    found = {}
    for name, path in [*SPECS.items(), *RIGHT.items()]:
        run = compilation(name) if name in SPECS else compile_file(path, ROOT / "variants")
        for each, game in zip(run.combined, run.games, strict=True):
            found[f"{name} with {', '.join(sorted(each.on))}" if each.on else name] = game
    return found


def ir_of(name: str) -> ir.Game:
    return plain_games()[name]


def played(game: ir.Game, players: int | None, options: dict[str, Any]) -> Game:
    return Game(execute(emit_python(game, "spec.yaml"), game.name), players, options)


def some_options(game: ir.Game) -> list[dict[str, Any]]:
    """Every value of small options, and those of others that are worth a try."""
    choices = [
        list(o.type.values) if isinstance(o.type, t.Enum) else [False, True] if o.type == t.Bool() else [*o.tries]
        for o in game.options
    ]
    return [dict(zip([o.name for o in game.options], values, strict=True)) for values in product(*choices)]


def labels(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def seen(state: State) -> dict[str, Any]:
    found = state.to_dict()
    return {key: value for key, value in found.items() if key not in ("options", "spec", "digest")}


def side_by_side(one: Game, other: Game, games: int, seed: int) -> None:
    for number in range(games):
        choose = random.Random(f"{seed} {number}")
        a, b = one.new_initial_state(), other.new_initial_state()
        while not a.is_terminal():
            assert labels(a) == labels(b)
            assert seen(a) == seen(b)
            label = choose.choice(labels(a))
            a.apply_label(label)
            b.apply_label(label)
        assert b.is_terminal()
        assert (seen(a), a.returns()) == (seen(b), b.returns())


RACE = [
    {"squadron": "ask"}, {"squadron": "open"}, {"squadron": "closed"}, {"baron": True}, {"baron": False},
    {"baron": True, "squadron": "closed", "target": 0}, {"baron": False, "squadron": "open", "target": 20},
]  # fmt: skip


@pytest.mark.parametrize("options", RACE, ids=str)
def test_it_plays_as_the_original_with_these_options(options: dict[str, Any]) -> None:
    game = ir_of("montgolfiere_race")
    made = specialise(game, options)
    verify(made)
    short = {"target": 0} | options
    rest = {name: value for name, value in short.items() if name not in options}
    side_by_side(played(game, 3, short), played(made, 3, rest), 10, 5)


@pytest.mark.parametrize("options", [{"mason": True}, {"mason": False, "days": 4}], ids=str)
def test_a_game_with_dice_and_sets_too(options: dict[str, Any]) -> None:
    game = ir_of("tidewall")
    made = specialise(game, options, 3)
    verify(made)
    rest = {name: 3 for name in ("days",) if name not in options}
    side_by_side(played(game, 3, options | rest), played(made, 3, rest), 10, 3)


@pytest.mark.parametrize("options", some_options(ir_of("automata")), ids=str)
def test_options_of_every_kind(options: dict[str, Any]) -> None:
    game = ir_of("automata")
    whole = played(game, None, {})
    options = {"goal": 5} | options
    made = specialise(game, options)
    verify(made)
    for players in range(made.players[0], made.players[1] + 1):
        few = specialise(game, options, players)
        verify(few)
        original = Game(whole.variant, players, options)
        side_by_side(original, played(made, players, {}), 2, 7)
        side_by_side(original, played(few, players, {}), 2, 7)


@pytest.mark.parametrize("name", plain_games())
def test_no_trace_is_left_and_the_result_is_sound(name: str) -> None:
    game = ir_of(name)
    for options in some_options(game)[:12]:
        try:
            made = specialise(game, options, game.players[1])
        except Unfit:
            made = specialise(game, options)
        verify(made)
        assert not made.options
        parts = (made.defines, made.phases, made.result, made.invariants, made.longest, made.automata or ())
        assert not [n for n in nodes(parts) if isinstance(n, ir.Option)]
        assert print_game(specialise(made, {})) == print_game(made)


def test_one_option_alone_leaves_the_others() -> None:
    made = specialise(ir_of("montgolfiere_race"), {"baron": True})
    assert [o.name for o in made.options] == ["squadron", "target"]
    assert made.players == (2, 5)


def test_what_does_not_go_together_is_unfit() -> None:
    race = ir_of("montgolfiere_race")
    for options, players, message in (
        ({"squadron": "half"}, None, "cannot be `half`"),
        ({"target": True}, None, "cannot be `True`"),
        ({"target": 1001}, None, "cannot be `1001`"),
        ({"baron": 1}, None, "there is: true, false"),
        ({"wind": 1}, None, "has no option `wind`"),
        ({}, 7, "2 to 6 players, not 7"),
        ({"baron": True}, 6, "do not go together"),
    ):
        with pytest.raises(Unfit, match=message):
            specialise(race, options, players)


FOLDS = """\
game: folds
players: 1..3
longest: 60
options:
  mode: {type: [plain, rich, odd_one], default: plain}
  extra: {type: bool, default: false}
  size_of_it: {type: 0..3, default: 1}
types:
  Word: [a, b, c]
vars:
  x: {each: seat, type: 0..9, starts: 2 if extra else size_of_it, seen: everyone}
  y: {type: "0..9?", seen: everyone}
  w: {type: Word, starts: b if mode == rich else a, seen: everyone}
  told: {each: seat, type: bool, starts: false, seen: extra or viewer == owner}
  n: {type: 0..30, starts: 0, seen: everyone}
define:
  bonus: 2 if mode == rich else size_of_it
  maybe(seat p): (x[p] if extra else none) otherwise bonus
  never: none if mode == plain else 3 if extra else y
  steps: "{k for k in 0..size_of_it where k > 0 or extra}"
phases:
  play:
    turns: {from: 0, until: n >= 9}
    actions:
      add(k in 0..3 where k in steps or not extra):
        told: everyone
        when: mode != odd_one or odd(n)
        do: |
          let more = 3 if mode == plain else x[me]
          let same = mode
          let twice = min(more, bonus) * 2
          if mode == plain and extra:
            n := clamp(n + k, 0, 30)
          elif extra:
            x[me] := clamp(x[me] + twice, 0, 9)
          elif odd(n):
            if mode == odd_one:
              y := 1
          elif same == rich:
            y := clamp(more, 0, 9)
          else:
            y := none
          for q in players where x[q] < 9 or mode == rich by size_of_it:
            x[q] := min(x[q] + (1 if extra else 0), 9)
          if never != none:
            y := clamp(never + 1, 0, 9)
          told[me] := odd(size_of_it)
          n := min(n + 1, 30)
      swap():
        when: mode == rich and size_of_it in {1, 2}
        do: |
          w := a if w == c else c
          n := min(n + 1 + maybe(me), 30)
      wait():
        do: n := min(n + 1, 30)
    then: end if extra or mode == plain else last if mode == rich else end
  last:
    do: |
      if mode == rich:
        n := 0
    then: end
result:
  rank: ["x[me] + bonus", "maybe(me)"]
  lost: extra and mode == odd_one
invariants:
  fine: n <= 30 or extra
accepts: []
"""


def test_every_fold_keeps_the_meaning() -> None:
    game = compiled(FOLDS)
    variant = played(game, None, {}).variant
    for mode, extra, size in product(["plain", "rich", "odd_one"], [False, True], range(4)):
        options: dict[str, Any] = {"mode": mode, "extra": extra, "size_of_it": size}
        made = specialise(game, options)
        verify(made)
        assert not [n for n in nodes((made.defines, made.phases, made.variables)) if isinstance(n, ir.Option)]
        side_by_side(Game(variant, 2, options), played(made, 2, {}), 3, 11)
        few = {name: value for name, value in options.items() if name != "extra"}
        made = specialise(game, few)
        verify(made)
        side_by_side(Game(variant, 2, options), played(made, 2, {"extra": extra}), 2, 13)
