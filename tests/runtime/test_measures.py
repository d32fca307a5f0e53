"""What a spec measures is what happened: counted again from full transcripts, whoever plays and probes."""

from __future__ import annotations

import io
import json
import statistics
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import sqrt
from typing import Any

import pytest

from aeronef.dsl.compiler import compile_text
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.printer import digest
from aeronef.intervals import Z95, of_ratio, wilson
from aeronef.measured import MeasureTally
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL, Position
from aeronef.runtime.measures import Observed
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import Playouts, choose, play_out, playouts
from aeronef.runtime.state import State
from aeronef.runtime.transcript import record
from tests.language.cases import FOLDER

SPEC = (FOLDER / "right" / "measures.yaml").read_text(encoding="utf-8")
SEED, GAMES = 20261130, 60
TOWNS = ["ash", "birch", "cedar", "dam"]
Sums = dict[str, Counter[tuple[Any, ...]]]  # by measure: how often under each key, and the sum


@cache
def game(players: int, text: str = SPEC, **options: bool) -> Game:
    compiled = compile_text("spec.yaml", text.encode()).game
    assert compiled is not None
    module: dict[str, Any] = {"__name__": "compiled"}
    exec(compile(emit_python(compiled, "spec.yaml"), "compiled", "exec"), module)
    return Game(module["VARIANT"], players, options)


def recorded(played: Game) -> tuple[Playouts, list[list[dict[str, Any]]]]:
    """Random games, and the full transcript of each, line by line, with the last state."""
    written: list[io.StringIO] = []

    def play(game: Game, seed: int, number: int) -> Position:
        written.append(io.StringIO())
        end = record(game, seed, number, written[-1].write, full=True)
        written[-1].write(json.dumps(State(game, end).to_dict()))
        return end

    found = playouts(played, GAMES, SEED, play=play)
    return found, [[json.loads(line) for line in text.getvalue().splitlines()] for text in written]


def again(lines: list[dict[str, Any]], players: int, wet: bool) -> Iterator[tuple[str, tuple[Any, ...], int]]:
    """Every observation of one game of the spec, from its transcript: by hand, measure by measure."""

    def worth(state: dict[str, Any], seat: int) -> int:
        return sum(int(card.removeprefix("find ")) for card in state["zones"]["bag"][seat])

    _, *steps, end, state = lines
    rounds: set[int] = set()
    for line in steps:
        seat, (name, _, values) = line["actor"], line["action"][:-1].partition("(")
        at, now = line["state"]["vars"]["at"], line["state"]["vars"]["round"]
        if (
            line["phase"] == "run" and now not in rounds
        ):  # nothing happens between a phase's beginning and its first step
            rounds.add(now)
            if now > 1:
                yield "going on", (True,), 1
                yield "by round", (now,), max(worth(line["state"], p) for p in range(players))
        match name:
            case "go":
                yield "visits", (values,), 1
                yield "lookers", (seat,), 1
                yield "idle", (), int(at[seat] is None)
            case "rest":
                yield "idle", (), 1
            case "swim":
                yield "swims", (values,), 1
                yield "idle", (), int(at[seat] is None)
            case "find":
                who, card = values.split(", ")
                yield "finds", (int(who), at[int(who)]), int(card.removeprefix("find "))
                yield "kinds of finds", (card,), 1
    now = state["vars"]["round"]
    if now not in rounds:  # the night has come; then the game has ended, or was cut as another round began
        yield "going on", (True,), 1
        yield "by round", (now,), max(worth(state, p) for p in range(players))
    if "cut" in end:
        return
    yield "rounds", (), now
    yield "all are rich", (), int(all(worth(state, p) > 4 for p in range(players)))
    for p in range(players):
        yield "worth", (p,), worth(state, p) + (wet and state["vars"]["at"][p] == "dam")


def by_key(game: Game, measures: dict[str, Observed], k: int) -> tuple[Sums, Sums]:
    """Of game k how often each key of each measure was observed, and the sums."""
    numbers: Sums = {name: Counter() for name in measures}
    totals: Sums = {name: Counter() for name in measures}
    for measure in game.variant.measures:
        found = measures[measure.name]
        for _, *place in zip(*found.number[k : k + 1].nonzero(), strict=True):
            key = tuple(d.data(d.valued(int(at))) for d, at in zip(measure.keys, place, strict=True))
            numbers[measure.name][key] = int(found.number[k, *place])
            totals[measure.name][key] = int(found.total[k, *place])
    return numbers, totals


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("options", [{}, {"wet": True}, {"dog": True}, {"wet": True, "dog": True}], ids=str)
@pytest.mark.parametrize("longest", [60, 6])
def test_what_is_measured_is_what_a_transcript_shows(players: int, options: dict[str, bool], longest: int) -> None:
    played = game(players, SPEC.replace("longest: 60", f"longest: {longest}"), **options)
    found, transcripts = recorded(played)
    assert found.cut.any() == (longest == 6)
    for k, lines in enumerate(transcripts):
        numbers: Sums = {name: Counter() for name in played.measures}
        totals: Sums = {name: Counter() for name in played.measures}
        for name, key, value in again(lines, players, options.get("wet", False)):
            numbers[name][key] += 1
            totals[name][key] += value
        got = by_key(played, found.measures, k)
        want = ({name: +counter for name, counter in numbers.items()}, totals)
        assert got[0] == want[0], k
        assert {n: +c for n, c in got[1].items()} == {n: +c for n, c in want[1].items()}, k


def same(one: dict[str, Observed], other: dict[str, Observed]) -> bool:
    return list(one) == list(other) and all(
        (one[name].number == other[name].number).all() and (one[name].total == other[name].total).all() for name in one
    )


def test_a_measure_is_there_where_its_overlay_is_on() -> None:
    assert "swims" not in game(2).measures
    assert "swims" in game(2, wet=True).measures
    assert game(2).playouts(2).measures["visits"].number.shape == (2, len(TOWNS))
    assert game(3, dog=True).playouts(2).measures["finds"].number.shape == (2, 4, len(TOWNS))
    assert game(2).playouts(2).measures["by round"].number.shape == (2, 8)
    assert game(2).playouts(2).measures["kinds of finds"].total.shape == (2, 3)


def test_recorded_games_measure_what_plain_ones_do() -> None:
    assert same(recorded(game(3))[0].measures, game(3).playouts(GAMES, SEED).measures)


def test_games_do_not_depend_on_whether_they_are_measured() -> None:
    measured, plain = game(3).playouts(GAMES, SEED), game(3).playouts(GAMES, SEED, measures=False)
    assert plain.measures == {}
    assert (measured.lengths == plain.lengths).all()
    assert (measured.ranking == plain.ranking).all()


def test_a_part_of_the_games_measures_a_part() -> None:
    whole, part = game(2).playouts(20, SEED), game(2).playouts(5, SEED, first=10)
    for name, found in part.measures.items():
        assert (whole.measures[name].total[10:15] == found.total).all()


def test_who_probes_copies_measures_nothing() -> None:
    """Looking ahead on copies, going back and trying again leaves no trace."""

    def probing(game: Game, seed: int, number: int) -> Position:
        rng, other = Rng.stream(seed, number), Rng.stream(seed + 1, number)
        state = game.new_initial_state()
        while not state.is_terminal():
            ahead = state.position.copy()
            play_out(game, ahead, other)
            assert ahead.actor == TERMINAL
            aside = State(game, state.position.copy())
            aside.apply_action(choose(aside.position, other))
            state.apply_action(choose(state.position, other))
            state.undo_action()
            state.clone().apply_action(choose(state.position, other))
            state.apply_action(choose(state.position, rng))
        return state.position

    probed = playouts(game(3, wet=True), 10, SEED, play=probing)
    assert same(probed.measures, game(3, wet=True).playouts(10, SEED).measures)


def test_positions_of_a_game_that_nobody_measures_keep_nothing() -> None:
    played = game(2)
    assert not hasattr(played.start(), "observed")
    assert played.position_class.entering == tuple(phase.enter for phase in played.variant.phases)
    bare = game(
        2,
        SPEC[: SPEC.index("measures:\n  rounds")].replace("      measures:\n", "      notes:\n").split("overlays:")[0],
    )
    assert bare.measuring is bare
    assert bare.playouts(3).measures == {}


def test_the_digest_is_of_the_rules_whatever_is_measured() -> None:
    """Nor do definitions count that only measures use."""

    def of(text: str) -> str:
        compiled = compile_text("spec.yaml", text.encode()).game
        assert compiled is not None
        return digest(compiled)

    bare, measures = SPEC.split("overlays:")[0], SPEC[SPEC.index("measures:\n  rounds") :]
    without = bare.replace("  rich(seat p): {is: worth(p) > 4, says: Only what is measured asks for it.}\n", "")
    assert without != bare
    assert of(without) == of(bare + measures)
    assert of(without) == of(bare + "measures:\n  any: any(rich(p) for p in players)\n")
    assert of(without) != of(bare + "invariants:\n  some: any(rich(p) or true for p in players)\n" + measures)


# ------------------------------------------------------------------------------------------ sums and intervals


def rows(found: list[tuple[int, int]], form: str) -> Any:
    """The row of a measure without keys that was observed n times with the sum s in each game."""
    import numpy as np

    tally = MeasureTally(game(2))
    name = {"number": "rounds", "bool": "idle", "count": "visits"}[form]
    sums = np.array(found, dtype=np.int64).reshape(len(found), 2)
    shape = (len(found), *(1,) * len(tally.measures[[m.name for m in tally.measures].index(name)].keys))
    for part in (slice(0, 2), slice(2, None)):  # as two chunks
        tally.add({name: Observed(sums[part, 0].reshape(-1, *shape[1:]), sums[part, 1].reshape(-1, *shape[1:]))})
    return next(result for result in tally.results(len(found)) if result.measure.name == name).rows[0]


def test_one_number_a_game_has_the_usual_interval() -> None:
    values = [3, 8, 8, 1, 5, 12]
    row = rows([(1, value) for value in values], "number")
    half = Z95 * statistics.stdev(values) / sqrt(len(values))
    assert (row.observations, row.a_game, row.fewest, row.most) == (6, 1.0, 1, 12)
    assert row.mean == pytest.approx(statistics.mean(values))
    assert row.interval == pytest.approx((row.mean - half, row.mean + half))


def test_what_a_game_shows_together_counts_as_one() -> None:
    """Ten equal observations in a game tell no more than one."""
    once, often = rows([(1, v) for v in (0, 1, 1, 5)], "number"), rows([(10, 10 * v) for v in (0, 1, 1, 5)], "number")
    assert often.mean == once.mean
    assert often.interval == pytest.approx(once.interval)
    assert (often.fewest, often.most) == (None, None)


def test_games_of_different_weight_make_a_ratio() -> None:
    row = rows([(1, 4), (3, 6), (0, 0), (2, 2)], "number")
    mean = 12 / 6
    off = [4 - mean, 6 - 3 * mean, 2 - 2 * mean]
    half = Z95 * sqrt(3 / 2 * sum(x * x for x in off)) / 6
    assert row.mean == mean
    assert row.interval == pytest.approx((mean - half, mean + half))


def test_a_test_once_a_game_has_wilsons_interval() -> None:
    row = rows([(1, 1), (1, 0), (1, 1), (0, 0)], "bool")
    assert (row.mean, row.interval) == (2 / 3, wilson(2, 3))
    assert (row.fewest, row.most) == (None, None)
    low, high = rows([(5, 5), (5, 5), (5, 1)], "bool").interval
    assert 0 <= low < high <= 1


def test_what_is_counted_is_of_every_game() -> None:
    row = rows([(2, 2), (0, 0), (0, 0), (6, 6)], "count")
    half = Z95 * statistics.stdev([2, 0, 0, 6]) / 2
    assert (row.observations, row.a_game, row.mean) == (8, 2.0, 2.0)
    assert row.interval == pytest.approx((max(0, 2 - half), 2 + half))
    assert (row.fewest, row.most) == (0, 6)


def test_one_game_has_no_interval() -> None:
    assert of_ratio(1, 1, 5, 1, 5, 25) is None
    assert rows([(1, 5), (0, 0), (0, 0)], "number").interval is None
    nothing = rows([(0, 0), (0, 0), (0, 0)], "number")
    assert (nothing.observations, nothing.mean, nothing.interval) == (0, None, None)
