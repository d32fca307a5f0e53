"""The C of a game breaks where the rules break, and nowhere else: faults have their lines, sanitizers find nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aeronef.c_observing import observing
from aeronef.c_source import numbering
from aeronef.dsl.emit.c import prelude
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.module import emit_c
from aeronef.dsl.emit.c.names import PRELUDE
from aeronef.dsl.instrument import instrument
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.simulate import FaultInGame
from tests.emit.c.native import Load, c_of, game_of, settled_of
from tests.emit.c.test_same import alike

BREAKING = """\
game: breaking
players: 2
longest: 9
cards:
  Card: {attributes: {n: 1..2}, kinds: [{label: "{n}", n: 1..2, copies: 2}]}
dice:
  Die: {faces: 1..3}
zones:
  heap: {of: Card, starts: Card, seen: everyone}
  row:  {of: Card, order: kept, seen: everyone}
  spot: {of: Card, holds: 1, seen: everyone}
  cup:  {of: Die, holds: 2, seen: everyone}
vars:
  a: {type: 0..5, starts: 5, seen: everyone}
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      over(): {do: "a += 1"}
      fill():
        do: |
          move all from heap to spot
      absent(c in Card): {told: everyone, do: "move c from row to heap"}
      slot(c in Card): {told: everyone, do: "move c from spot to heap"}
      lay(): {do: "add [1, 2, 3] to cup"}
      lift(): {do: "remove 1 from cup"}
      nowhere(): {then: wait}
      fine(): {}
    then: end
  wait:
    turns: "[p for p in players where a == 5]"
    actions:
      never():
        when: a != 5
    then: end
result: {rank: a}
"""


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spec") / "breaking.yaml"
    path.write_text(BREAKING, encoding="utf-8")
    return path


@pytest.fixture
def breaking(spec: Path, native: Load) -> Any:
    return native(spec)


def test_faults_say_what_and_where(breaking: Any) -> None:
    """Every step that breaks the rules does so in both, with one message and one line."""
    game, library = breaking
    broke = 0
    for action, label in enumerate(game.labels):
        if action not in game.start().legal():
            continue
        messages = []
        for position in (game.start(), library.start()):
            try:
                position.apply(action)
            except RuleFault as fault:
                messages.append(str(fault))
        assert len(messages) in (0, 2), label
        assert messages[:1] == messages[1:], label
        broke += len(messages) // 2
    assert broke == 8


def test_a_game_without_a_choice_is_a_fault(breaking: Any) -> None:
    game, library = breaking
    position, at = game.start(), library.start()
    (nowhere,) = game.ids["nowhere()"]
    position.apply(nowhere)
    at.apply(nowhere)
    assert at.legal() == position.legal() == []


def test_random_games_stop_at_the_first_fault(breaking: Any) -> None:
    """It is the same with its number and its message, whatever the number of threads."""
    game, library = breaking
    with pytest.raises(FaultInGame) as expected:
        game.playouts(50, 20261130)
    for threads in (1, 3):
        with pytest.raises(FaultInGame) as found:
            library.playouts(50, 20261130, threads=threads)
        assert found.value.number == expected.value.number
        assert (str(found.value), found.value.place) == (str(expected.value), expected.value.place)


# Random games, measured and not, are the same; what was dumped comes back; numbers that are none of a position are
# refused, or are a position, and nothing is written beyond it.
PLAY = """
static int played(void) {
    enum { GAMES = %(games)d };
    static double worth[GAMES * PLAYERS];
    static int16_t ranks[GAMES * SEATS], phases[GAMES];
    static int32_t lengths[GAMES], again[GAMES];
    static bool winners[GAMES * SEATS], cut[GAMES], endless[GAMES];
    Position broken;
    const int64_t ended = aeronef_playouts(
        20261130, 0, GAMES, worth, ranks, winners, lengths, cut, endless, phases, &broken%(unmeasured)s);
    %(measuring)s
    const int64_t once_more = aeronef_playouts(
        20261130, 0, GAMES, worth, ranks, winners, again, cut, endless, phases, &broken%(measured)s);
    %(measured_free)s
    return once_more != ended || memcmp(lengths, again, sizeof lengths) != 0 || (ended == GAMES) != %(ends)s;
}

static int dumped(void) {
    const int32_t wrong[] = {INT32_MIN, -1000, -1, 0, 1, 2, 5, 64, 1000, INT32_MAX};
    const size_t room = 2 * (size_t)aeronef_dump_most() + 200;
    int32_t *numbers = calloc(room, sizeof *numbers), *begun = calloc(room, sizeof *begun);
    Position *at = malloc(sizeof *at), *other = malloc(sizeof *other);
    if (aeronef_start(at) == BROKEN) {
        return 1;
    }
    const int many = aeronef_dump(at, numbers);
    int failed = many <= 0 || many > aeronef_dump_most() || !aeronef_restore(other, numbers) || !same(at, other) ||
        aeronef_dump(other, numbers) != many;
    for (int i = 0; i < many && i < 600; i++) {
        const int32_t right = numbers[i];
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            numbers[i] = begun[i] = wrong[k];
            aeronef_restore(other, numbers);
            aeronef_restore(other, begun);  // and nothing but zeros after it
        }
        numbers[i] = begun[i] = right;
    }
    failed = failed || !aeronef_restore(other, numbers) || !same(at, other);
    free(numbers);
    free(begun);
    free(at);
    free(other);
    return failed;
}

static int stepped(void) {
    enum { ROWS = 6 };
    Position *states = malloc(ROWS * sizeof *states), *frozen = malloc(ROWS * sizeof *frozen);
    uint64_t randoms[ROWS], random = stream(20261130, 99);
    int64_t games[ROWS] = {0, 1, 2, 3, 4, 5}, next = ROWS;
    int32_t actions[ROWS], lengths[ROWS];
    int8_t actors[ROWS];
    bool *masks = malloc(ROWS * ACTIONS), wanted[ROWS], cut[ROWS];
    double worth[ROWS * PLAYERS];
    float *shown = malloc(ROWS * SHOWN_SIZE * sizeof *shown);
    memset(wanted, true, sizeof wanted);
    int failed = aeronef_batch(ROWS, 20261130, games, wanted, NULL, states, randoms, actors, masks, frozen) != ROWS;
    for (int step = 0; !failed && step < %(steps)d; step++) {
        for (int k = 0; k < ROWS; k++) {
            int n = 0;
            for (int i = 0; i < ACTIONS; i++) {
                n += masks[k * ACTIONS + i];
            }
            failed = failed || (n == 0) != (actors[k] == TERMINAL);
            actions[k] = -7;
            int left = n == 0 ? 0 : (int)below(&random, (uint64_t)n) + 1;
            for (int i = 0; left > 0; i++) {
                left -= masks[k * ACTIONS + i];
                actions[k] = i;
            }
        }
        failed = failed ||
            aeronef_batch(ROWS, 20261130, games, NULL, actions, states, randoms, actors, masks, frozen) != ROWS;
        if (step %% 8 == 0) {
            for (int player = -2; player < PLAYERS; player++) {
                aeronef_batch_observe(ROWS, player, states, frozen, shown);
            }
            aeronef_batch_results(ROWS, states, worth, lengths, cut);
            for (int k = 0; k < ROWS; k++) {
                wanted[k] = actors[k] == TERMINAL;
                games[k] = wanted[k] ? next++ : games[k];
            }
            failed = failed ||
                aeronef_batch(ROWS, 20261130, games, wanted, NULL, states, randoms, actors, masks, frozen) != ROWS;
        }
    }
    free(states);
    free(frozen);
    free(masks);
    free(shown);
    return failed;
}

int main(void) {
    return played() + 2 * dumped() + 4 * (%(ends)s && stepped());
}
"""
MEASURING = """\
int64_t *numbers[MEASURES], *totals[MEASURES];
    for (int i = 0; i < MEASURES; i++) {
        numbers[i] = calloc(GAMES * (size_t)MEASURE_KEYS[i], sizeof *numbers[i]);
        totals[i] = calloc(GAMES * (size_t)MEASURE_KEYS[i], sizeof *totals[i]);
    }"""
MEASURED = """\
for (int i = 0; i < MEASURES; i++) {
        free(numbers[i]);
        free(totals[i]);
    }"""


def main_of(game: Game, games: int, steps: int, ends: bool = True) -> str:
    given = (", NULL, NULL", MEASURING, ", numbers, totals", MEASURED) if game.measures else ("", "", "", "")
    return PLAY % {
        "games": games, "steps": steps, "unmeasured": given[0], "measuring": given[1], "measured": given[2],
        "measured_free": given[3],
        "ends": str(ends).lower(),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["balloon", "celestia", "goofspiel", "leduc_poker", "liars_dice", "montgolfiere_race",
                                  "tic_tac_toe", "tidewall", "tolls"])  # fmt: skip
def test_sanitizers_find_nothing(sanitized: Callable[[str, str], None], name: str) -> None:
    """Not in random games, nor in those of a batch; with detours, rows, choices together, and what is measured."""
    game = game_of(name)
    sanitized(c_of(name, game), main_of(game, 20, 200))


def test_sanitizers_find_nothing_where_the_rules_break(spec: Path, sanitized: Callable[[str, str], None]) -> None:
    game = game_of(spec)
    sanitized(c_of(spec, game), main_of(game, 50, 0, ends=False))


def test_what_a_file_has_of_itself_is_no_name_of_a_spec() -> None:
    text = "".join(piece for _, piece in (*prelude.PIECES, *prelude.KERNEL)) + prelude.RANDOM
    text += c_of("celestia", game_of("celestia")).split("- steps")[1]
    found = set(re.findall(r"^(?:static|API)[\w \*]*?\b(\w+)\(", text, re.MULTILINE))
    assert len(found) > 30
    assert {name for name in found if not name.startswith("aeronef_")} <= PRELUDE


MACROS = """\
game: macros
players: 2
longest: 4
types:
  Odd: [bufsiz, rand_max, size_max, seek_set, int8_max, exit_failure, tmp_max, eof]
vars:
  word: {type: "Odd?", seen: everyone}
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      take(o in Odd): {told: everyone, do: "word := o"}
    then: end
result: {rank: "1 if word == rand_max else 0"}
"""


def test_words_that_headers_have_too_are_words(tmp_path: Path, native: Load) -> None:
    path = tmp_path / "macros.yaml"
    path.write_text(MACROS, encoding="utf-8")
    game, library = native(path)
    alike(game.playouts(20, 20261130), library.playouts(20, 20261130))


def test_what_is_not_known_is_an_error_that_names_it() -> None:
    """Only the readable back end counts what of a game is exercised."""
    game = game_of("pig")
    settled = settled_of("pig", game)
    with pytest.raises(NotYet, match=r"the native back end does not know .* yet \(at .*\)"):
        emit_c(instrument(settled), "pig.yaml", numbering(game, settled), observing(game, settled), "")


CIRCLING = """\
game: circling
players: 2
longest: 500
vars:
  far: {type: 0..40, starts: 0, seen: everyone}
  n: {type: 0..99, starts: 0, seen: everyone}
  rounds: {type: count, starts: 0, seen: everyone}
phases:
  play:
    turns: {from: 0, until: false}
    actions:
      begin(k in 1..40):
        when: far == 0
        told: everyone
        do: far := k
      go():
        when: far > 0
        do: |
          n := n + 1 if n < far + 5 else 5
          rounds += 1
      out():
        when: n == 38
        do: n := 90
    then: end
result: {rank: n}
"""


def test_a_round_without_an_end_is_caught_at_the_same_step(tmp_path: Path, native: Load) -> None:
    """Whatever its length: every position since it was there before was forced, and counts tell nothing apart."""
    path = tmp_path / "circling.yaml"
    path.write_text(CIRCLING, encoding="utf-8")
    game, library = native(path)
    expected = game.playouts(200, 20261130)
    assert expected.endless.any()
    assert len(set(expected.lengths.tolist())) > 20
    alike(expected, library.playouts(200, 20261130))
