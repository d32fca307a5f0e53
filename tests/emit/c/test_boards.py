"""Variables that are kept as boards, a bit for each part in the row of its value, come to the same as any others: what
is asked of many parts, or of one; what is put where; what is listed, seen, dumped and restored."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aeronef.runtime.errors import RuleFault
from aeronef.runtime.kernel import TERMINAL
from tests.emit.c.native import Load, c_of, game_of
from tests.emit.c.test_same import SEED, step_by_step
from tests.emit.c.test_sound import main_of

GAMES = 25
SECRET = 2  # the number of the phase in which all choose together

# Of a seat `p`: folds of every kind, inside each other, with holes, along what is known and what is only known in play.
TESTS = [
    "any(all(cell[r][c] == p for c in Column) for r in Row)",
    "all(cell[r][r] == p for r in Row where r != 2) or all(cell[r][5 - r] == p for r in Row)",
    "any(any(cell[r][c] == p for c in Column) for r in Row)",
    "all(all(cell[r][c] != none for c in Column) for r in Row)",
    "not any(any(cell[r][c] == none for c in Column where c > r) for r in Row)",
    "all(cell[1][c] != p and cell[3][c] != none for c in Column)",
    "any(cell[1][c] != p or cell[2][c] == p for c in 2..3)",
    "any(any(all(cell[r][c + i] == p for i in 0..1) for c in 1..3) for r in Row)",
    "any(any(all(cell[r + i][c + i] == p for i in 0..1) for c in 1..3) for r in 1..2)",
    "any(all(cell[spot + i][c - i] == p for i in 0..1) for c in 2..4)",
    "all(cell[spot][c] != none and cell[spot][c] in [p, left(p)] for c in Column)",
    "any(cell[spot][c] == none or cell[spot][c] not in [p, 0] for c in Column)",
    "all(cell[2][c] == cell[1][1] for c in 1..2)",
    "any(cell[r][1] == cell[r][2] for r in Row)",
    "all(all(cell[r][c] != taker for c in [1, 3]) for r in Row)",
    "any(q != p and all(cell[q_][1] == q for q_ in 1..2) for q in players)",
    "any(cell[near[i]][i] == p for i in Row)",
    "cell[1][1] == p and cell[1][2] == p and cell[1][3] == p",
    "cell[1][1] == p and (cell[2][2] == none or cell[3][3] == none or spot == 1)",
    "all(all(lit[r][c] for c in Column where r + c != 4) for r in Row)",
    "any(not lit[r][2] for r in Row) and not all(lit[1][c] for c in Column)",
    "lit[spot][2] == lit[1][3]",
    "all(lit[r][1] == true for r in 1..2) and any(lit[3][c] == false for c in 1..2)",
    "any(any(all(cube[i][j][k] == green for k in Row) for j in Row) for i in Row)",
    "all(cube[i][i][i] != red for i in Row) or all(cube[2][j][spot] == hue for j in Row)",
    "all(all(own[p][r][c] != none for c in 1..2) for r in Row)",
    "any(all(own[q][r][r] == 2 for r in 1..2) for q in players)",
    "any(any(own[left(p)][r][c] == spot for c in 1..2) for r in Row)",
    "all(all(wide[i][j] != 5 for j in Wide) for i in 1..4)",
    "any(any(wide[i][j] == spot + 4 for j in 7..8) for i in Wide)",
    "all(wide[i][1] != level for i in Wide)",
    "all(wide[i][1] != far for i in 5..8)",
]
NUMBERS = [
    "count(r in Row where cell[r][1] == p)",
    "sum(count(c in Column where cell[r][c] == none) for r in Row)",
    "sum(count(c in Column where lit[r][c] and c != r) for r in Row)",
    "count(c in Column where cell[spot][c] != p)",
    "count(i in Wide where wide[i][9 - i] == 6)",
    "count(c in Column where not lit[2][c])",
    "sum(count(c in 1..2 where own[p][r][c] == level - 4) for r in Row)",
]
SPEC = """\
game: boards
players: 2..3
longest: 90
types:
  Row: 1..3
  Column: 1..4
  Wide: 1..8
  Hue: [red, green, blue]
tables:
  near: {{each: Row, type: Row, is: {{1: 2, 2: 3, 3: 1}}}}
vars:
  cell: {{each: [Row, Column], type: "seat?", seen: everyone}}
  lit: {{each: [Row, Column], type: bool, starts: false, seen: everyone}}
  cube: {{each: [Row, Row, Row], type: Hue, starts: green, seen: viewer == 0}}
  own: {{each: [seat, Row, 1..2], type: "1..3?", seen: viewer == owner}}
  wide: {{each: [Wide, Wide], type: 5..7, starts: 6, seen: everyone}}
  spot: {{type: 1..2, starts: 1, seen: everyone}}
  taker: {{type: "seat?", seen: everyone}}
  hue: {{type: Hue, starts: green, seen: everyone}}
  level: {{type: 5..7, starts: 6, seen: everyone}}
  far: {{type: 0..9, starts: 1, seen: everyone}}
  done: {{each: seat, type: bool, starts: false, seen: everyone}}
  mover: {{type: seat, starts: 0, seen: everyone}}
  said: {{each: 0..{last}, type: 0..99, starts: 0, seen: everyone}}
define:
{defines}
phases:
  note:
    do: |
      mover := left(mover)
{notes}
    then: play
  play:
    turns: "[mover]"
    actions:
      mark(r in Row, c in Column where cell[r][c] == none): {{told: everyone, do: "cell[r][c] := me"}}
      wipe(r in Row, c in Column where cell[r][c] != none): {{told: everyone, do: "cell[r][c] := none"}}
      turn(r in Row, c in 2..3):
        told: everyone
        do: |
          taker := cell[r][c]
          cell[r][c] := cell[r][c + 1]
          cell[r][c + 1] := taker
      row(q in players, r in Row): {{told: everyone, do: "for c in Column:\\n  cell[r][c] := q"}}
      column(q in players, c in Column): {{told: everyone, do: "for r in Row:\\n  cell[r][c] := q"}}
      flat(n in 5..7):
        told: everyone
        do: |
          for i in Wide:
            for j in Wide:
              wide[i][j] := n
      fill(r in Row): {{told: everyone, do: "for c in Column:\\n  cell[r][c] := taker"}}
      light(r in Row, c in Column where not lit[r][c]):
        told: everyone
        do: |
          lit[r][c] := cell[r][c] != none or lit[r][1] or spot == 1
          lit[r][1] := not lit[r][c]
      all_lit(): {{do: "for r in Row:\\n  for c in Column:\\n    lit[r][c] := r + c != 4 or spot == 2"}}
      paint(i in Row, j in Row, h in Hue where cube[i][j][spot] != h):
        told: everyone
        do: |
          for k in Row:
            cube[i][j][k] := h
          cube[spot][1][2] := cube[j][2][i]
          hue := cube[i][j][3]
      dye(h in Hue):
        told: everyone
        do: |
          for i in Row:
            for j in Row:
              for k in Row:
                cube[i][j][k] := h
      up(i in Wide, j in Wide where wide[i][j] == 5):
        told: everyone
        do: |
          wide[i][j] := wide[i][j] + 1
          level := wide[j][i]
          wide[j][1] := level if far > 2 else 7 if lit[1][1] else 5
      over(i in Wide where wide[i][i] != 5):
        when: spot == 1 and far < 4
        told: everyone
        do: wide[i][i] := wide[i][i] + far % 3
      down(n in 0..9):
        told: everyone
        do: |
          for i in Wide:
            wide[i][1] := level
          far := n
      step(): {{do: "spot := 3 - spot"}}
    then: secret
  secret:
    together: {{over: players, until: "done[me]"}}
    actions:
      choose(r in Row, c in 1..2 where own[me][r][c] == none):
        told: viewer == me
        do: |
          own[me][r][c] := r
          done[me] := true
      lose(r in Row, c in 1..2): {{told: viewer == me, do: "own[me][r][c] := none\\ndone[me] := true"}}
      twos():
        do: |
          for r in Row:
            own[me][r][spot] := 2
          done[me] := true
    then: again
  again:
    do: |
      for p in players:
        done[p] := false
    then: note
result: {{rank: "sum(count(c in Column where cell[r][c] == me) for r in Row)"}}
"""


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    asked = [f"1 if {test} else 0" for test in TESTS] + NUMBERS
    path = tmp_path_factory.mktemp("spec") / "boards.yaml"
    text = SPEC.format(
        last=len(asked) - 1,
        defines="\n".join(f'  d{i}(seat p): "{text}"' for i, text in enumerate(asked)),
        notes="\n".join(f"      said[{i}] := d{i}(mover)" for i in range(len(asked))),
    )
    path.write_text(text, encoding="utf-8")
    return path


def position_of(text: str) -> str:
    """The declaration of a position in a game's C."""
    begins = text.index("typedef struct {\n", text.index("// Where a game stands"))
    return text[begins : text.index("} Position;")]


def kept_as_boards(text: str) -> dict[str, str]:
    """The variables that are kept so, each with its number of rows."""
    return dict(re.findall(r"^    uint64_t (\w+)((?:\[\w+\])?);", position_of(text), re.MULTILINE))


@pytest.mark.parametrize("players", [2, 3])
def test_boards_come_to_the_same_as_in_python(boards: Path, native: Load, players: int) -> None:
    chance = random.Random(SEED)
    games = native(boards, players)
    for number in range(GAMES):
        print(f"seed {SEED}, game {number}")
        step_by_step(*games, chance)


def test_what_is_asked_of_boards_is_sometimes_so_and_sometimes_not(boards: Path) -> None:
    """In games like those that are compared, of which some break the rules."""
    game, chance = game_of(boards, 2), random.Random(SEED)
    print("seed", SEED)
    found: list[set[int]] = [set() for _ in range(len(TESTS) + len(NUMBERS))]
    broke = 0
    for _ in range(GAMES):
        position: Any = game.start()
        while position.actor != TERMINAL:
            for values, value in zip(found, position.said, strict=True):
                values.add(value)
            try:
                position.apply(chance.choice(position.legal()))
            except RuleFault:
                broke += 1
                break
    assert 0 < broke < GAMES
    always = [text for text, values in zip(TESTS + NUMBERS, found, strict=True) if len(values) < 2]
    assert not always


def test_what_is_seen_of_boards_is_the_same(boards: Path, native: Load) -> None:
    """Also amid a choice together, where the others' parts are as they were."""
    game, library = native(boards, 3)
    chance, amid = random.Random(SEED), 0
    print("seed", SEED)
    state, batch = game.new_initial_state(), library.batch(1, SEED)
    while not state.is_terminal():
        for player in range(3):
            assert (batch.observations(player)[0] == state.observation_tensor(player)).all()
        amid += state.position.steps > state.position.began and state.position.phase == SECRET
        actions = [a for a in state.legal_actions() if not game.labels[a].startswith("over")]
        action = chance.choice(actions)
        state.apply_action(action)
        batch.step([action])
    assert amid


def test_sanitizers_find_nothing(boards: Path, tmp_path: Path, sanitized: Callable[[str, str], None]) -> None:
    """Neither where the rules break nor where they do not."""
    game = game_of(boards, 3)
    sanitized(c_of(boards, game), main_of(game, 200, 0, ends=False))
    whole = tmp_path / "whole.yaml"
    whole.write_text(
        boards.read_text(encoding="utf-8").replace("wide[i][i] + far % 3", "5 + far % 3"), encoding="utf-8"
    )
    game = game_of(whole, 2)
    sanitized(c_of(whole, game), main_of(game, 20, 200))


def test_which_variables_are_boards(boards: Path) -> None:
    assert kept_as_boards(c_of(boards, game_of(boards, 2))) == {
        "cell": "[3]", "lit": "", "cube": "[3]", "own": "[4]", "wide": "[3]",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("tic_tac_toe", {"cell": "[3]"}),
        ("phantom_ttt", {"cell": "[3]"}),  # `known` is never asked of many parts
        ("goofspiel", {}),
        ("montgolfiere_race", {}),
        ("balloon", {}),
    ],
)
def test_games_have_boards_where_they_ask_of_many_parts(spec: str, found: dict[str, str]) -> None:
    assert kept_as_boards(c_of(spec, game_of(spec))) == found


APART = """\
game: apart
players: 2
longest: 9
types:
  Row: 1..3
vars:
  few: {each: Row, type: "seat?", seen: everyone}
  many: {each: [1..9, 1..8], type: bool, starts: false, seen: everyone}
  various: {each: [Row, Row], type: 1..5, starts: 1, seen: everyone}
  looked_at: {each: [Row, Row], type: 1..3, starts: 1, seen: everyone}
  unasked: {each: [Row, Row], type: 1..3, starts: 1, seen: everyone}
define:
  all_few: all(few[r] == 1 for r in Row)
  all_many: all(all(many[a][b] for b in 1..8) for a in 1..9)
  all_various: all(all(various[r][c] == 1 for c in Row) for r in Row)
  all_looked_at: all(all(looked_at[r][c] == 1 for c in Row) for r in Row)
  total: sum(sum(looked_at[r][c] for c in Row) for r in Row)
phases:
  play:
    turns: {from: 0, until: all_few or all_many or all_various or all_looked_at and total == 9}
    actions:
      set(r in Row, c in Row where unasked[r][c] == 1 and various[r][c] != 2):
        told: everyone
        do: |
          few[r] := me
          many[r][c] := true
          various[r][c] := 2
          looked_at[r][c] := 3
          unasked[r][c] := 2
    then: end
result: {rank: 0}
"""


def test_others_are_what_they_were(tmp_path: Path) -> None:
    """Where there are too few parts, too many, too many values; where values are looked at; where nobody asks."""
    path = tmp_path / "apart.yaml"
    path.write_text(APART, encoding="utf-8")
    assert kept_as_boards(c_of(path, game_of(path))) == {}
