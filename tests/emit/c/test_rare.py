"""What few games need means the same in C: each construct in a small spec of its own, played step by step in both; and
what C does not know is said, with its place.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aeronef.runtime.errors import BadInput
from tests.emit.c.native import Load, c_of, game_of
from tests.emit.c.test_observe import observed_alike
from tests.emit.c.test_same import SEED, alike, step_by_step
from tests.emit.c.test_sound import main_of

# An option settles that nothing is divided: the only action stays, with its division by 0, and is never legal.
DIVIDING = """\
game: dividing
players: 2
longest: 20
options:
  parts: {type: 0..3, default: 0}
vars:
  n: {type: 0..99, starts: 9, seen: everyone}
  low: {type: -9..9, starts: -9, seen: everyone}
define:
  share: parts * 2
phases:
  split:
    turns: {over: players, asks: share > 0}
    actions:
      split(k in 0..2): {when: share > 0, told: everyone, do: "n := (n // share + n % share + k) % 100"}
    unasked: low := min(low + 4, 9)
    then: end
result: {rank: n + low + (low // share if share > 0 else 1)}
"""
# Cards are chosen from one of two zones, in order or not; dice too; what is there twice is held twice.
CHOOSING = """\
game: choosing
players: 2
longest: 120
types:
  Face: -1..2
cards:
  Card:
    attributes: {n: 1..3}
    kinds: [{label: "{n}", n: 1..3, copies: 3}, {label: last, n: 3}]
dice:
  Die: {faces: Face}
zones:
  pile: {of: Card, starts: c in Card where c.n < 3, seen: everyone}
  row: {of: Card, starts: c in Card where c.n == 3, order: kept, seen: everyone}
  hand: {each: seat, of: Card, seen: everyone}
  spent: {of: Card, order: kept, seen: everyone}
  cup: {each: seat, of: Die, holds: 6, seen: everyone}
  line: {of: Die, holds: 60, order: kept, seen: everyone}
vars:
  odd_turn: {type: bool, starts: false, seen: everyone}
  n: {type: 0..99, starts: 0, seen: everyone}
define:
  many: size(row if odd_turn else pile)
  there(Card c): c in (row if odd_turn else pile)
phases:
  draw:
    chance: {over: players, asks: many > 0}
    outcomes:
      draw(me, c from (row if odd_turn else pile)):
        told: everyone
        do: |
          if odd_turn:
            move c from row to hand[me]
          else:
            move c from pile to hand[me]
    then: throw
  throw:
    chance: players
    outcomes:
      throw(fs from clamp(2 - size(cup[me]), 0, 2) of Die, me):
        told: everyone
        do: add fs to cup[me]
    then: play
  play:
    turns: players
    actions:
      take(cs in min(2, many) of (row if odd_turn else pile) where sum(c.n for c in cs) != 5):
        told: everyone
        do: |
          n := (n + sum(c.n for c in cs) + count(c in Card where there(c)) + 1) % 100
          if odd_turn:
            move cs from row to spent
          else:
            move cs from pile to spent
      swap(): {do: "odd_turn := not odd_turn"}
      drop(fs in min(2, size(cup[me])) of (cup[me] if odd_turn else line) where size(fs) == 0 or odd_turn):
        told: everyone
        do: |
          remove fs from cup[me]
          add fs to line
      lift(fs in min(1, size(line)) of line, c in (hand[me] if size(spent) < 4 else spent)):
        when: size(line) > 4
        told: everyone
        do: |
          remove fs from line
          n := (n + c.n * (2 if c == last(spent if size(spent) > 3 else row) else 1)) % 100
    then: draw
result: {rank: n}
"""
# Optional rules bring cards, words and actions, and take some away: of what there is several are chosen, under one
# number whatever is on.
LAYERED = """\
game: layered
players: 2
longest: 60
options:
  first: {type: bool, default: false}
  second: {type: bool, default: false}
types:
  Kind: [stone, leaf]
  Side: [dim, bright]
cards:
  Card:
    attributes: {kind: Kind}
    kinds: [{label: "{kind}", kind: [stone, leaf], copies: 2}]
dice:
  Die: {faces: Side}
zones:
  pile: {of: Card, starts: Card, seen: everyone}
  hand: {each: seat, of: Card, seen: everyone}
  cup: {of: Die, holds: 4, seen: everyone}
vars:
  wish: {type: "Kind?", seen: everyone}
  liked: {type: set of Kind, starts: "{}", seen: everyone}
overlays:
  early:
    when: first
    add:
      types: {Kind: [reed]}
      cards: {Card: {kinds: [{label: reed, kind: reed, copies: 2}]}}
      phases:
        play:
          actions:
            trade(cs in 2 of hand[me], k in Kind): {told: everyone, do: "move cs from hand[me] to pile\\nwish := k"}
  late:
    when: second
    after: early
    add:
      types: {Kind: [wood]}
      cards: {Card: {kinds: [{label: wood, kind: wood}]}}
      phases:
        play:
          actions:
            trade(k in Kind) as offer: {told: everyone, do: "liked := {j in Kind where j == k or j in liked}"}
    remove: [phases.play.actions.name]
phases:
  throw:
    chance: once
    outcomes:
      throw(fs from 2 of Die): {told: everyone, do: "remove all from cup\\nadd fs to cup"}
    then: play
  play:
    turns: players
    actions:
      take(cs in min(3, size(pile)) of pile): {told: everyone, do: "move cs from pile to hand[me]"}
      name(k in Kind where wish != k): {told: everyone, do: "wish := k"}
      give(c in hand[me] where c.kind in liked or bright in cup): {told: everyone, do: "move c from hand[me] to pile"}
      pass(): {}
    then: throw
result: {rank: "size(hand[me])"}
"""
# More than 512 items stand in a list, sorted and not.
LONG = """\
game: long
players: 2
longest: 6
types:
  Number: 1..700
cards:
  Card:
    attributes: {n: 1..700, half: 0..350}
    kinds: [{label: "{n}", n: 1..700, half: 5}]
zones:
  pile: {of: Card, starts: Card, seen: everyone}
  row: {of: Card, order: kept, seen: everyone}
vars:
  n: {type: 1..1009, starts: 3, seen: everyone}
define:
  squares: "[x * x % 1009 for x in Number where x % n != 2]"
phases:
  play:
    turns: players
    actions:
      all(): {do: "for c in pile by c.n % 7 down:\\n  move c from pile to row"}
      some(k in 1..9):
        told: everyone
        do: |
          n := clamp(n + (first([x in squares where x > 5 by x]) otherwise 0) + k, 1, 900)
          for x in [y in squares where y % 50 == k by y down]:
            n := (n + x) % 900 + 1
      member(x in 1..9 where x * x in squares): {told: everyone, do: "n := x"}
    then: play
result: {rank: n}
"""
# Sets of many values, of numbers below 0, of cards of many kinds; in variables, tables, definitions and on the way.
WIDE = """\
game: wide
players: 2..3
longest: 60
types:
  Score: -20..120
cards:
  Card:
    attributes: {n: 1..90}
    kinds: [{label: "{n}", n: 1..90}]
tables:
  primes: {each: 1..2, type: set of Score, is: {1: [-20, 2, 3, 63, 64, 120], 2: []}}
zones:
  pile: {of: Card, starts: Card, seen: everyone}
  hand: {each: seat, of: Card, seen: "viewer == owner or 90 in held"}
vars:
  seen_: {type: set of Score, starts: "{-20, 43, 44, 45}", seen: everyone}
  held: {type: set of 0..100, starts: "{}", seen: everyone}
  cards: {each: seat, type: set of Card, starts: "{}", seen: viewer == owner}
  friends: {each: seat, type: set of seat, starts: "{owner}", seen: everyone}
  n: {type: Score, starts: 0, seen: everyone}
define:
  all_of(seat p): "{c.n for c in hand[p]}"
  both: "{x in Score where x in seen_ and (x in held or x in primes[1])}"
  chosen(seat p): seen_ if p in friends[0] else held
phases:
  deal:
    chance: {over: players, until: "size(hand[me]) == 3"}
    outcomes:
      draw(me, c from pile): {told: everyone, do: "move c from pile to hand[me]"}
    then: play
  play:
    turns: {over: clockwise(0), asks: "size(hand[me]) > 0"}
    actions:
      show(c in hand[me]):
        told: everyone
        do: |
          held := {x for x in 0..100 where x in held or x == c.n}
          cards[me] := {d in Card where d in cards[me] or d == c}
          move c from hand[me] to pile
      note(x in chosen(me) where x not in held):
        told: everyone
        do: |
          seen_ := {x, n, 120} if seen_ == both else {y in seen_ where y != x}
          n := clamp(n + size(both) - size(cards[me]), -20, 120)
          friends[me] := {p in players where p != me}
      again(k in 1..2 where primes[k] != both): {told: everyone, do: "seen_ := primes[k]", reopens: all}
      name(c in cards[me]): {told: everyone, do: "n := clamp(c.n + n - 50, -20, 120)"}
      pass(): {}
    then: end if all_of(0) == all_of(1) else play
result: {rank: "n + size(friends[me]) + (1 if me in {p for p in players where n > 3} else 0)"}
measures:
  values: {each: x in Score where x in both, at: play}
"""
# A row may be of numbers that 16 bits do not hold.
ROWS = """\
game: rows
players: 2
longest: 30
vars:
  paid: {each: seat, type: 0..90000, starts: 0, seen: everyone}
  left_over: {each: seat, type: 0..3, starts: 3, seen: everyone}
phases:
  pay:
    turns: {over: players, sequence: "due in [40000, -40000, 7] where due < 0 or left_over[me] > 1"}
    actions:
      pay():
        when: left_over[me] > 0
        do: |
          paid[me] := min(paid[me] + abs(due) // 10, 90000)
          left_over[me] := max(left_over[me] - 1, 0)
      pass():
        when: due < 50
        do: paid[me] := max(paid[me] + min(due, 0) // 100, 0)
    then: end if all(left_over[p] == 0 for p in players) else pay
result: {rank: "paid[me]"}
"""
# More seats are still to act than a byte counts, and a row has as many entries; both are set aside by a detour.
QUEUES = """\
game: queues
players: 2
longest: 700
vars:
  n: {type: 0..400, starts: 0, seen: everyone}
phases:
  play:
    turns: {over: "[left(0, x * x // 3) for x in 1..200]"}
    actions:
      put(k in 0..1): {told: everyone, do: "n := (n + k) % 400"}
      look(): {when: n % 50 == 3, visits: look}
    then: sum_up
  look:
    turns: {over: "[me, left(me)]"}
    actions:
      see(): {do: "n := (n + 1) % 400"}
    then: back
  sum_up:
    turns: {over: "[0]", sequence: x in 1..150}
    actions:
      add(): {do: "n := (n + x) % 400"}
      keep(): {when: odd(x)}
    then: end
result: {rank: n}
"""
SPECS = {
    "dividing": DIVIDING,
    "choosing": CHOOSING,
    "layered": LAYERED,
    "long": LONG,
    "wide": WIDE,
    "rows": ROWS,
    "queues": QUEUES,
}
SETTINGS: list[tuple[str, int | None, dict[str, Any]]] = [
    *((name, None, {}) for name in SPECS),
    ("dividing", None, {"parts": 3}),
    ("layered", None, {"first": True}),
    ("layered", None, {"second": True}),
    ("layered", None, {"first": True, "second": True}),
    ("wide", 3, {}),
]


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


Written = Callable[[str, str], Path]


@pytest.mark.parametrize(("name", "players", "options"), SETTINGS)
def test_it_means_the_same(
    native: Load, written: Written, name: str, players: int | None, options: dict[str, Any]
) -> None:
    chance = random.Random(SEED)
    game, library = native(written(name, SPECS[name]), players, **options)
    for number in range(6):
        print(f"seed {SEED}, game {number}")
        step_by_step(game, library, chance)
    alike(game.playouts(20, SEED), library.playouts(20, SEED))
    observed_alike(game, library)


@pytest.mark.parametrize("name", ["choosing", "wide"])
def test_sanitizers_find_nothing(written: Written, sanitized: Callable[[str, str], None], name: str) -> None:
    path = written(name, SPECS[name])
    game = game_of(path)
    sanitized(c_of(path, game), main_of(game, 20, 100))


# ------------------------------------------------------------------------------------------ what stays unknown

LIMITED = """\
game: limited
players: 2
longest: 9
{parts}
vars:
  n: {{type: 0..99, starts: 0, seen: everyone}}{more}
phases:
  play:
    {kind}
    {acts}: {{act({values}): {{{told}do: "{do}"}}}}
    then: end
result: {{rank: n}}
"""
DECK = "cards: {{Card: {{attributes: {{n: 1..400}}, kinds: [{{label: '{{n}}', n: 1..400, copies: {copies}}}]}}}}\n" \
       "zones: {{pile: {{of: Card, starts: Card, seen: everyone}}}}"  # fmt: skip
DICE = "dice: {{Die: {{faces: {faces}, copies: {copies}}}}}\nzones: {{cup: {{of: Die, holds: 9, seen: everyone}}}}"
SLOW = "\n  slow: {each: Cell, type: 0..9, starts: count(x in 1..9999 where x % 7 == 1) % 9, seen: everyone}"
LIMITS: dict[str, tuple[dict[str, str], str]] = {
    "numbers": ({"do": "n := n * 99999 * 999 % 7"}, "numbers of 0..9890001099 yet (at line 10)"),
    "cards": ({"parts": DECK.format(copies=100)}, "40,000 cards of a type yet (at cards.Card)"),
    "lists": (
        {"parts": DECK.format(copies=50), "do": "n := sum(c.n for c in [d in pile by d.n]) % 9"},
        "lists of 20,000 items yet (at phases.play.actions.act, line 11)",
    ),
    "faces": (
        {"parts": DICE.format(faces="40000..40001", copies="{40000: 2}"), "do": "remove all from cup"},
        "dice with faces of 40000..40001 yet (at zones.cup)",
    ),
    "dice": (
        {"parts": DICE.format(faces="1..2", copies="{1: 100, 2: 99}"), "kind": "chance: once", "acts": "outcomes",
         "values": "fs from 10 of Die", "told": "told: everyone, ", "do": "add [1] to cup"},
        "chances as fine as so many dice have yet (at phases.play)",
    ),
    "sets": (
        {"do": "n := size({x in 20000..20009 where x % 2 == 0})"},
        "sets of values from 0 to 20009 yet (at line 10)",
    ),
    "starts": (
        {"parts": "types: {Cell: 1..900}", "more": SLOW}, "starts that take so long to work out yet (at vars.slow)"
    ),
    "rows": (
        {"kind": "turns: {over: players, sequence: k in 1..2}", "values": "x in 1..5000", "told": "told: everyone, ",
         "do": "n := x % 9"},
        "5,000 choices for each of a row yet (at phases.play)",
    ),
    "long rows": (
        {"kind": "turns: {over: players, sequence: k in 1..9000}", "do": "n := k % 9"},
        "rows of 9,000 choices in a game so large yet (at phases.play)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_what_is_not_known_is_said_with_its_place(written: Written, name: str) -> None:
    given, message = LIMITS[name]
    parts = {
        "parts": "",
        "more": "",
        "kind": "turns: players",
        "acts": "actions",
        "values": "",
        "told": "",
        "do": "n := 1",
    } | given
    path = written("limited", LIMITED.format(**parts))
    with pytest.raises(BadInput) as error:
        c_of(path, game_of(path))
    assert str(error.value) == f"limited: the native back end does not know {message}"
