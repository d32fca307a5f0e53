"""Emitted code does what the language says: moves, loops, turns, ranges, and expressions as evaluated without it."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.evaluate import Given, evaluate
from aeronef.loading import execute
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.state import State
from tests.games.specs import compiled


def game_of(text: str, players: int | None = None, **options: Any) -> Game:
    game = compiled(text)
    return Game(execute(emit_python(game, "spec.yaml"), game.name), players, options)


def labels(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


# ------------------------------------------------------------------------------------------ moving cards

FROM, TO = ("heap", "row", "spot"), ("heap2", "row2", "spot2")
MOVES = "\n".join(
    f"""\
      one_{a}_{b}(c in {a}): {{told: everyone, do: "move c from {a} to {b}"}}
      all_{a}_{b}(): {{do: "move all from {a} to {b}"}}"""
    for a in FROM
    for b in TO
)
SETS = "\n".join(
    f"""\
      some_{a}_{b}(cs in 2 of {a}): {{told: everyone, do: "move cs from {a} to {b}"}}"""
    for a in ("heap", "row")
    for b in ("heap2", "row2")
)
CARDS = f"""\
game: moving
players: 1
longest: 9
types:
  Place: [heap_, row_, spot_, rest_]
  Box: 1..2
cards:
  Card:
    attributes: {{at: Place, n: 1..3}}
    kinds:
      - {{label: "heap {{n}}", at: heap_, n: 1..3}}
      - {{label: "row {{n}}", at: row_, n: [2, 1, 3]}}
      - {{label: "spot {{n}}", at: spot_, n: 1}}
      - {{label: "rest {{n}}", at: rest_, n: 1..3}}
zones:
  heap:  {{of: Card, starts: c in Card where c.at == heap_, seen: everyone}}
  row:   {{of: Card, order: kept, starts: c in Card where c.at == row_ by c.n, seen: everyone}}
  spot:  {{of: Card, holds: 1, starts: c in Card where c.at == spot_, seen: everyone}}
  heap2: {{of: Card, starts: c in Card where c.at == rest_ and c.n == 1, seen: everyone}}
  row2:  {{of: Card, order: kept, starts: c in Card where c.at == rest_ and c.n == 2, seen: everyone}}
  spot2: {{of: Card, holds: 1, seen: everyone}}
  pile:  {{each: Box, of: Card, starts: c in Card where c.at == rest_ and c.n == 3, seen: everyone}}
  box:   {{each: Box, of: Card, holds: 1, seen: everyone}}
phases:
  play:
    turns: {{from: 0, until: false}}
    actions:
{MOVES}
{SETS}
      gather(x in Box, y in Box): {{told: everyone, do: "move all from pile[x] to pile[y]"}}
      store(c in heap): {{told: everyone, do: "move c from heap to box[clamp(size(heap) - 1, 1, 2)]"}}
      heap_up(c in heap): {{told: everyone, do: "move c from heap to pile[clamp(size(heap) - 1, 1, 2)]"}}
      shift(x in Box, y in Box): {{told: everyone, do: "move all from box[x] to box[y]"}}
      pass_on(x in Box, y in Box):
        when: box[x] != none
        told: everyone
        do: move box[x] from box[x] to box[y]
      back(x in Box):
        told: everyone
        do: |
          if box[x] != none:
            move box[x] from box[x] to row
      away():
        do: |
          for c in row:
            move c from row to heap
          move [c in heap] from heap to row2
    then: end
result: {{rank: size(heap)}}
"""
ZONES = {
    "heap": ["heap 1", "heap 2", "heap 3"], "row": ["row 1", "row 2", "row 3"], "spot": ["spot 1"], "heap2": ["rest 1"],
    "row2": ["rest 2"], "spot2": [], "pile_1": ["rest 3"], "pile_2": ["rest 3"], "box_1": [], "box_2": [],
}  # fmt: skip


@pytest.fixture(scope="module")
def moving() -> Game:
    return game_of(CARDS)


def after(game: Game, *steps: str) -> dict[str, list[str]]:
    """The zones that differ from the start after these steps."""
    state = game.new_initial_state()
    assert state.to_dict()["zones"] == ZONES
    for step in steps:
        state.apply_label(step)
    found: dict[str, list[str]] = state.to_dict()["zones"]
    return {name: cards for name, cards in found.items() if cards != ZONES[name]}


def moved(zone: str, cards: list[str]) -> list[str]:
    """What a target holds: unordered zones in deck order, an ordered one with what came at its end."""
    order = ["heap 1", "heap 2", "heap 3", "row 2", "row 1", "row 3", "spot 1", "rest 1", "rest 2", "rest 3"]
    return ZONES[zone] + cards if zone == "row2" else sorted(ZONES[zone] + cards, key=order.index)


@pytest.mark.parametrize("target", TO)
@pytest.mark.parametrize("source", FROM)
def test_one_card_moves(moving: Game, source: str, target: str) -> None:
    for card in ZONES[source]:
        left = [c for c in ZONES[source] if c != card]
        assert after(moving, f"one_{source}_{target}({card})") == {source: left, target: moved(target, [card])}


@pytest.mark.parametrize("target", TO)
@pytest.mark.parametrize("source", FROM)
def test_all_cards_move(moving: Game, source: str, target: str) -> None:
    if target == "spot2" and source != "spot":
        with pytest.raises(RuleFault, match=r"^spec.yaml:\d+: a second card is moved to a zone that holds one"):
            after(moving, f"all_{source}_{target}()")
    else:
        assert after(moving, f"all_{source}_{target}()") == {source: [], target: moved(target, ZONES[source])}
    assert after(
        moving, f"one_{source}_row2({ZONES[source][0]})", "all_spot_heap2()"
    )  # and an empty slot gives nothing


@pytest.mark.parametrize("target", ["heap2", "row2"])
@pytest.mark.parametrize("source", ["heap", "row"])
def test_sets_of_cards_move(moving: Game, source: str, target: str) -> None:
    chosen = ["heap 1", "heap 3"] if source == "heap" else ["row 2", "row 3"]
    left = [c for c in ZONES[source] if c not in chosen]
    found = after(moving, f"some_{source}_{target}({' + '.join(chosen)})")
    assert found == {source: left, target: moved(target, chosen)}


def test_moving_a_zone_onto_itself_changes_nothing(moving: Game) -> None:
    assert after(moving, "gather(1, 1)") == {}
    assert after(moving, "gather(1, 2)") == {"pile_1": [], "pile_2": ["rest 3", "rest 3"]}
    stored = after(moving, "store(heap 1)")
    assert after(moving, "store(heap 1)", "shift(2, 2)", "pass_on(2, 2)") == stored
    assert after(moving, "store(heap 1)", "pass_on(2, 1)") == {"heap": ["heap 2", "heap 3"], "box_1": ["heap 1"]}
    assert after(moving, "store(heap 1)", "shift(2, 1)") == {"heap": ["heap 2", "heap 3"], "box_1": ["heap 1"]}
    with pytest.raises(RuleFault, match="a second card"):
        after(moving, "store(heap 1)", "store(heap 2)", "shift(1, 2)")


def test_where_a_card_goes_is_settled_before_it_moves(moving: Game) -> None:
    """With three cards in the heap the place is 2, although two are left once one has gone."""
    assert after(moving, "store(heap 1)") == {"heap": ["heap 2", "heap 3"], "box_2": ["heap 1"]}
    assert after(moving, "heap_up(heap 1)") == {"heap": ["heap 2", "heap 3"], "pile_2": ["heap 1", "rest 3"]}


def test_a_slot_gives_its_own_card(moving: Game) -> None:
    assert after(moving, "store(heap 1)", "back(2)") == {
        "heap": ["heap 2", "heap 3"], "row": [*ZONES["row"], "heap 1"]
    }  # fmt: skip


def test_a_zone_can_be_emptied_while_it_is_gone_through(moving: Game) -> None:
    gone = [*ZONES["heap"], "row 2", "row 1", "row 3"]  # the heap was in deck order when it was emptied
    assert after(moving, "away()") == {"heap": [], "row": [], "row2": moved("row2", gone)}


# ------------------------------------------------------------------------------------------ loops

LOOPS = """\
game: looping
players: 4
longest: 9
vars:
  a: {each: seat, type: 0..9, starts: START, seen: everyone}
  b: {each: seat, type: 0..9, starts: 0, seen: everyone}
  chosen: {type: set of seat, starts: "{0, 2}", seen: everyone}
  n: {type: 0..9, starts: 0, seen: everyone}
define:
  low(seat p): b[p] == 0
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      filter(): {do: "for p in players where b[p] == 0:\\n  b[left(p)] := min(b[left(p)] + 1, 9)"}
      through_a_name(): {do: "for p in players where low(p):\\n  b[left(p)] := min(b[left(p)] + 1, 9)"}
      key():
        do: |
          for p in players by a[p] down:
            n := min(n * 2 + a[p], 9)
            for q in players:
              a[q] := 0
      own(): {do: "for p in chosen:\\n  chosen := {}\\n  b[p] := 1"}
      ties():
        do: |
          for p in players by a[p]:
            b[p] := n
            n := min(n + 1, 9)
      nested():
        do: |
          for p in players where b[p] == 0:
            for q in players where b[q] == 0:
              b[q] := 1
              n := min(n + 1, 9)
      unused(): {do: "for p in players:\\n  n := min(n + 1, 9)"}
    then: end
result: {rank: n}
""".replace("START", "3 if owner == 1 else 2 if owner == 3 else 1")


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("filter", {"b": [1, 1, 1, 1]}),
        ("through_a_name", {"b": [1, 1, 1, 1]}),
        ("key", {"n": 9, "a": [0, 0, 0, 0]}),  # 3, and then twice as much for each of the others, at most 9
        ("own", {"b": [1, 0, 1, 0], "chosen": []}),
        ("ties", {"b": [0, 3, 1, 2], "n": 4}),
        ("nested", {"b": [1, 1, 1, 1], "n": 4}),
        ("unused", {"n": 4}),
    ],
)
def test_what_a_loop_goes_through_is_settled_before_it(action: str, expected: dict[str, Any]) -> None:
    state = game_of(LOOPS).new_initial_state()
    state.apply_label(f"{action}()")
    found = state.to_dict()["vars"]
    assert {name: found[name] for name in expected} == expected


# ------------------------------------------------------------------------------------------ once is enough

OFTEN = """\
game: often
players: 2..3
longest: 9
vars:
  n: {each: seat, type: 0..9, starts: 3 if owner == 0 else 1, seen: everyone}
  keeper: {type: "seat?", seen: everyone}
define:
  twice(seat p): n[p] + (n[p] if n[p] < 9 or keeper != none else 9)
  recurs(seat p): twice(p) if twice(p) > 2 else 0
  loops(seat q): count(p in players where n[p] < twice(q))
  tested(seat q): keeper != none and any(p in players where n[p] < twice(keeper))
  seldom(seat q): 0 if n[q] > 3 else twice(q) if n[q] > 1 else twice(q) + 1
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      keep(): {do: "keeper := me"}
    then: end
result: {rank: "recurs(me) + loops(me) + seldom(me) + (1 if tested(me) else 0)"}
"""


def test_what_recurs_is_worked_out_once() -> None:
    """And never where it could not be: `twice(keeper)` while there is no keeper."""
    text = emit_python(compiled(OFTEN), "spec.yaml")
    assert "twice = self.twice(p)\n        return twice if twice > 2 else 0" in text
    assert "twice = self.twice(q)\n        return len([p for p in self.players if self.n_[p] < twice])" in text
    assert "return self.keeper is not None and min(self.n_) < self.twice(self.keeper)" in text
    assert "return 0 if self.n_[q] > 3 else self.twice(q) if self.n_[q] > 1 else self.twice(q) + 1" in text
    state = game_of(OFTEN).new_initial_state()
    assert [state.position.rank(seat) for seat in (0, 1)] == [(6 + 2 + 6 + 0,), (0 + 1 + 3 + 0,)]
    state.apply_label("keep()")
    assert [state.position.rank(seat) for seat in (0, 1)] == [(15,), (5,)]


SHARES = """\
game: shares
players: 2
longest: 40
types:
  Small: 1..3
vars:
  x: {type: 0..3, starts: 0, seen: everyone}
  row: {each: seat, type: 0..9, starts: 5, seen: everyone}
  some: {type: set of Small, starts: "{}", seen: everyone}
  hits: {type: 0..9, starts: 0, seen: everyone}
define:
  share(Small d): 12 // d
  tested: count(p in players where x > 0 and share(x) > row[p])
  few: size(some)
  counted: count(p in players where few > 0 and share(few) > row[p])
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      put(n in 0..3): {told: everyone, do: "x := n"}
      low(n in 0..2): {told: everyone, do: "row[me] := n"}
      try(): {when: tested > 0, do: "hits := min(hits + 1, 9)\\nsome := {1, 2}"}
    then: end
result: {rank: hits + counted}
"""


def test_what_divides_is_not_worked_out_before_the_test_that_it_is_not_0() -> None:
    """A definition takes numbers of a range: where only a test has told that one lies in it, it is asked after that."""
    state = game_of(SHARES).new_initial_state()
    assert labels(state) == ["put(0)", "put(1)", "put(2)", "put(3)", "low(0)", "low(1)", "low(2)"]
    state.apply_label("put(1)")
    assert labels(state)[-1] == "try()"
    state.apply_label("put(3)")
    assert labels(state)[-1] == "low(2)"
    assert state.position.rank(0) == (0,)
    state.apply_label("put(2)")
    state.apply_label("try()")
    assert state.position.rank(0) == (3,)


# ------------------------------------------------------------------------------------------ who acts

ORDER = """\
game: ordering
players: 3
automata: {automata}
longest: 40
vars:
  left_over: {{each: seat, type: 0..9, starts: 2, seen: everyone}}
  high: {{each: seat, type: 0..2, starts: 0 if owner == 0 else 1 if owner == 1 else 2, seen: everyone}}
  passed: {{each: seat, type: 0..9, starts: 0, seen: everyone}}
phases:
  play:
    turns:
{turns}
{unasked}
    actions:
      go(): {{do: "left_over[me] := max(left_over[me] - 1, 0)"}}
    then: end
result: {{rank: "left_over[me]"}}
"""
UNASKED = '    unasked: "passed[me] := min(passed[me] + 1, 9)"'


def order(turns: str, automata: int = 0, unasked: bool = False) -> tuple[str, list[int]]:
    """The seats that act, in order (at most 12), and how often each was passed over."""
    lines = "\n".join(f"      {line}" for line in turns.split("; "))
    text = ORDER.format(turns=lines, automata=automata, unasked=UNASKED if unasked else "")
    state = game_of(text).new_initial_state()
    seats = ""
    while not state.is_terminal() and len(seats) < 12:
        seats += str(state.current_player())
        state.apply_label("go()")
    return seats, state.to_dict()["vars"]["passed"]


def test_turns_go_round_until_a_condition() -> None:
    assert order("from: 0; until: left_over[1] == 0")[0] == "01201"
    assert order("from: left(1); until: left_over[1] == 0")[0] == "20120" + "1"
    assert order("from: 2; until: false")[0] == "201201201201"


def test_rounds_ask_players_only() -> None:
    assert order("from: right(0); until: left_over[1] == 0; asks: not automaton(me)", automata=1)[0] == "01201"


def test_those_passed_over_are_told_apart() -> None:
    turns = "from: 1; until: all(left_over[p] == 0 for p in players); asks: left_over[me] > high[me]"
    assert order(turns, unasked=True) == ("100", [1, 2, 3])


def test_seats_in_a_row_act_once() -> None:
    assert order("over: p in players by high[p] down")[0] == "210"
    assert order("over: p in players by high[p] down; asks: me != 1", unasked=True) == ("20", [0, 1, 0])


def test_seats_in_a_row_act_until_they_are_done() -> None:
    assert order("over: players; until: left_over[me] == 0")[0] == "001122"
    turns = "over: players; until: left_over[me] == 0; asks: me != 1"
    assert order(turns)[0] == "0022"
    assert order(turns, unasked=True) == ("0022", [0, 1, 0])


# ------------------------------------------------------------------------------------------ ranges

FAULTS = """\
game: faulty
players: 2
longest: 20
vars:
  n: {type: 0..3, starts: 0, seen: everyone}
  maybe: {type: "1..3?", seen: everyone}
  other: {type: "0..9?", seen: everyone}
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      up(): {do: n += 1}
      set(k in 0..9): {told: everyone, do: "other := k"}
      take():
        do: |
          maybe := other
    then: end
result: {rank: n}
"""


def test_what_is_out_of_its_range_is_an_error_at_the_specs_line() -> None:
    state = game_of(FAULTS).new_initial_state()
    for _ in range(3):
        state.apply_label("up()")
    with pytest.raises(RuleFault, match=r"^spec.yaml:12: 4 is not within 0..3$"):
        state.apply_label("up()")
    state.apply_label("take()")
    assert state.to_dict()["vars"]["maybe"] is None
    state.apply_label("set(3)")
    state.apply_label("take()")
    assert state.to_dict()["vars"]["maybe"] == 3
    state.apply_label("set(0)")
    with pytest.raises(RuleFault, match=r"^spec.yaml:16: 0 is not within 1..3$"):
        state.apply_label("take()")


# ------------------------------------------------------------------------------------------ expressions


class Expressions:
    """Random expressions over options, players and seats, by type."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = iter(f"x{i}" for i in range(10_000))

    def number(self, depth: int, scope: tuple[str, ...] = ()) -> str:
        pick = self.random.choice
        if depth <= 0:
            return pick(["k", "m", "0", "1", "7", *scope])
        a, b, c = partial(self.number, depth - 1, scope), partial(self.seats, depth - 1), next(self.names)
        inner = (*scope, c)
        match self.random.randrange(14):
            case 0:
                return f"({a()}) {pick('+-')} ({a()})"
            case 1:
                return f"({a()}) * ({a()}) % 11"
            case 2:
                return f"({a()}) // {pick('23')} - ({a()})"
            case 3:
                return f"-({a()})"
            case 4:
                return f"({a()} if {self.test(depth - 1, scope)} else {a()})"
            case 5:
                return f"{pick(('min', 'max'))}({a()}, {a()})"
            case 6:
                return f"abs({a()})"
            case 7:
                return f"clamp({a()}, -3, 5)"
            case 8:
                return f"count({c} in {self.numbers(depth - 1, scope)} where {self.test(depth - 1, inner)})"
            case 9:
                return f"sum({self.number(depth - 1, inner)} for {c} in {self.numbers(depth - 1, scope)})"
            case 10:
                gather = f"for {c} in {self.numbers(depth - 1, scope)} where {self.test(depth - 1, inner)}"
                return f"({pick(('min', 'max'))}({self.number(depth - 1, inner)} {gather}) otherwise {a()})"
            case 11:
                return f"size({pick((b(), self.numbers(depth - 1, scope)))})"
            case 12:
                gather = f"for {c} in {self.numbers(depth - 1, scope)} where {self.test(depth - 1, inner)}"
                listed = f"[{self.number(depth - 1, inner)} {gather}]"
                return f"({pick(('first', 'last'))}({listed}) otherwise {a()})"
            case _:
                d, numbers = next(self.names), self.numbers(depth - 1, scope)
                return f"sum({d} for {d} in {{{self.number(depth - 1, inner)} for {c} in {numbers}}})"

    def numbers(self, depth: int, scope: tuple[str, ...]) -> str:
        low = f"clamp({self.number(depth - 1, scope)}, -4, 4)"
        name = next(self.names)
        match self.random.randrange(6):
            case 0:
                return f"({low})..({low} + 2)"
            case 1:
                return f"[{low}, {low}, 2]"
            case 2:
                return f"{{{low}, {low}, 2}}"
            case 3:
                return (
                    f"[{name} in Small where {self.test(depth - 1, (name,))} by {self.number(depth - 1, (name,))} down]"
                )
            case 4:
                return f"{{{name} in Small where {self.test(depth - 1, (name,))}}}"
            case _:
                return "Small"

    def seats(self, depth: int) -> str:
        name = next(self.names)
        return self.random.choice(
            (
                "players",
                "seats",
                "clockwise(0)",
                f"[{name} in seats where not automaton({name})]",
                "[left(0), right(0)]",
            )
        )

    def test(self, depth: int, scope: tuple[str, ...] = ()) -> str:
        pick, name = self.random.choice, next(self.names)
        if depth <= 0:
            return pick(("flag", "flag == false", "k >= m", "w == two", "true != flag"))
        a, n = partial(self.test, depth - 1, scope), partial(self.number, depth - 1, scope)
        match self.random.randrange(9):
            case 0:
                return f"({a()}) {pick(('and', 'or'))} ({a()}) {pick(('and', 'or'))} ({a()})"
            case 1 | 2:
                return f"not ({a()})"
            case 3:
                return f"{n()} {pick(('==', '!=', '<', '<=', '>', '>='))} {n()}"
            case 4:
                return f"({n()}) {pick(('in', 'not in'))} {self.numbers(depth - 1, scope)}"
            case 5:
                gathered = f"{self.test(depth - 1, (*scope, name))} for {name} in {self.numbers(depth - 1, scope)}"
                return f"{pick(('any', 'all'))}({gathered})"
            case 6:
                return f"any({name} in {self.numbers(depth - 1, scope)} where {self.test(depth - 1, (*scope, name))})"
            case 7:
                return f"{pick(('odd', 'even'))}({n()})"
            case _:
                return f"({a()}) == ({a()})"


def spec_of(expressions: list[str]) -> str:
    defines = "\n".join(f"  d{i}: {{is: '{text}'}}" for i, text in enumerate(expressions))
    return f"""\
game: expressions
players: 1..3
automata: 1 if flag else 0
longest: 9
options:
  flag: {{type: bool, default: true}}
  k: {{type: 0..5, default: 3}}
  m: {{type: -2..2, default: 0}}
  w: {{type: [one, two], default: two}}
types:
  Small: -1..3
define:
{defines}
phases:
  only: {{then: end}}
result: {{rank: "1 if {" and ".join(f"d{i} == d{i}" for i in range(len(expressions)))} else 0"}}
"""


@pytest.mark.parametrize("seed", range(6))
def test_expressions_have_the_value_that_the_language_gives_them(seed: int) -> None:
    """Random definitions, with several options and players, against dsl/evaluate.py."""
    source = Expressions(seed)
    texts = [(source.number if i % 2 else source.test)(3) for i in range(40)]
    game = compiled(spec_of(texts))
    variant = execute(emit_python(game, "spec.yaml"), game.name)
    for players, options in (
        (1, {"flag": False, "k": 0, "m": -2, "w": 0}),
        (3, {"flag": True, "k": 5, "m": 2, "w": 1}),
        (2, {"flag": True, "k": 3, "m": 0, "w": 1}),
    ):
        words = {**options, "w": ("one", "two")[int(options["w"])]}
        position: Any = Game(variant, players, words).start()
        given = Given(game, players, options)
        for i, (text, define) in enumerate(zip(texts, game.defines, strict=True)):
            assert getattr(position, f"d{i}")() == evaluate(define.body, given, {}), text
