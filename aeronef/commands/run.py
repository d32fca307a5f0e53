"""`aeronef run`: many random games of one variant, and what they came to."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from pathlib import Path

from aeronef.commands.common import Failed, game_of, options_text, parse_options, source_of
from aeronef.files import whole
from aeronef.loading import BACKENDS
from aeronef.parallel import Plan, play
from aeronef.progress import progress
from aeronef.runtime.endless import Endless
from aeronef.runtime.errors import BadInput, RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.simulate import FaultInGame, why_endless
from aeronef.summary import Summary, Tally

SHOWN_STEPS = 6
SHOWN_KEYS = 30


def run_games(
    spec: str,
    players: int | None,
    games: int,
    seed: int,
    options: list[str],
    as_json: bool,
    transcript: Path | None,
    full: bool,
    jobs: int,
    backend: str,
) -> int:
    """Raises BadInput, Failed."""
    if backend not in BACKENDS:
        raise BadInput(f"there is no back end `{backend}` (there is: {', '.join(BACKENDS)})")
    if full and transcript is None:
        raise BadInput("--full says what is in a transcript: it goes with --transcript FILE")
    given = parse_options(options)
    source = source_of(spec)
    game = game_of(source, players, given, backend)
    plan = Plan(source, game.players, given, games, seed, transcript is not None, full, backend)
    tally = Tally(game)
    began = time.perf_counter()
    try:
        with (
            whole(transcript) if transcript else nullcontext() as stream,
            progress("playing", games) as bar,
            closing(play(plan, game, jobs)) as chunks,
        ):
            for chunk in chunks:
                tally.add(chunk.results)
                if stream is not None:
                    stream.write(chunk.transcripts)
                bar.advance(len(chunk.results.lengths))
    except FaultInGame as fault:
        _report_fault(game, fault)
        raise Failed from None
    seconds = time.perf_counter() - began
    summary = tally.summary()
    caught = None if summary.endless is None else why_endless(game, seed, summary.endless)
    if as_json:
        print(json.dumps(_data(game, seed, backend, summary, caught), indent=2, ensure_ascii=False))
    else:
        _show(game, seed, summary, caught)
    sys.stdout.flush()
    # Not on stdout: what stands there is the same on every run.
    rate, step_rate = summary.games / seconds, summary.steps / seconds
    played = f"{summary.games:,} game{'s' if summary.games > 1 else ''}"
    print(f"{played} in {seconds:.1f} s ({rate:,.0f} games/s, {step_rate:,.0f} steps/s)", file=sys.stderr)
    return 0


# ------------------------------------------------------------------------------------------ results


def _data(game: Game, seed: int, backend: str, summary: Summary, caught: Endless | None) -> dict[str, object]:
    example = None if caught is None else {"game": summary.endless, "seed": seed, **caught.data()}
    return {
        "variant": game.name, "spec": game.spec_digest, "players": game.players, "options": game.options,
        "seed": seed, "games": summary.games, "backend": backend, **summary.data(),
        "endless": example,
    }  # fmt: skip


def _show(game: Game, seed: int, summary: Summary, caught: Endless | None) -> None:
    from aeronef.render import output, say, table

    out, n = output(), summary.games
    options = options_text(game.options)
    games = f"{n:,} game{'s' if n > 1 else ''}"
    say(f"{game.name}, {game.players} players{', ' if options else ''}{options}: {games} of seed {seed}", "bold", out)
    out.print()
    rows = []
    for seat in summary.seats:
        low, high = seat.interval
        rows.append([
            f"{seat.seat}{' (automaton)' if seat.automaton else ''}", f"{seat.wins:,}", _percent(seat.wins / n),
            f"{_percent(low)} to {_percent(high)}", f"{seat.shared:,}",
            "-" if seat.mean_return is None else f"{seat.mean_return:.4f}",
        ])  # fmt: skip
    out.print(table("seat", "wins", "share", "95% interval", "shared wins", "mean return", rows=rows))
    out.print()
    words = {"one_winner": "one winner", "shared_win": "a shared win", "no_player_won": "no player won", "cut": "cut"}
    words["endless"] = "endless"
    ended = [[words[how], f"{count:,}", _percent(count / n)] for how, count in summary.ended.items()]
    out.print(table("games ended with", "games", "share", rows=ended))
    out.print()
    steps = summary.lengths
    out.print(table("", "mean", "fewest", "median", "most", rows=[
        ["steps a game", f"{steps['mean']:,.1f}", f"{steps['min']:,}", f"{steps['median']:,.1f}", f"{steps['max']:,}"],
    ]))  # fmt: skip
    _show_measures(game, summary)
    if summary.cut:
        out.print()
        where = "; ".join(
            f"in phase {phase} {count:,}, first game {first}" for phase, (count, first) in summary.cut.items()
        )
        verb = "game was" if summary.ended["cut"] == 1 else "games were"
        say(
            f"{summary.ended['cut']:,} {verb} cut at step {game.max_game_length():,}, the spec's `longest`: {where}",
            "yellow",
            out,
        )
    if caught is not None:
        out.print()
        verb = "game was" if summary.ended["endless"] == 1 else "games were"
        example = f"game {summary.endless} of seed {seed} is {caught}"
        say(
            f"{summary.ended['endless']:,} {verb} cut because nothing could end them any more: {example}", "yellow", out
        )


def _show_measures(game: Game, summary: Summary) -> None:
    """One table of what has no keys, and a table for each measure that has."""
    from aeronef.render import output, printable, say, table

    out = output()
    alone = [result for result in summary.measures if not result.measure.keys]
    if alone:
        rows = []
        for result in alone:
            (row,), form = result.rows, result.measure.form
            value = _value(form, row.mean)
            rows.append([printable(result.measure.name), f"{row.observations:,}", value(row.mean),
                         _range(value, row.interval), _whole(row.fewest), _whole(row.most)])  # fmt: skip
        out.print()
        out.print(table("measure", "observations", "mean", "95% interval", "fewest", "most", rows=rows))
    for result in summary.measures:
        if not result.measure.keys:
            continue
        counted = result.measure.form == "count"
        what = [] if counted else ["share" if result.measure.form == "bool" else "mean"]
        rows = []
        for row in result.rows[:SHOWN_KEYS]:
            value = _value(result.measure.form, row.mean)
            mean = [] if counted else [value(row.mean)]
            a_game = _value("number", row.a_game)(row.a_game)
            numbers = [f"{row.observations:,}", a_game, *mean, _range(value, row.interval)]
            rows.append([*result.labels(row, game.players), *numbers])
        out.print()
        say(printable(result.measure.name), "bold", out)
        if not rows:
            say("  was never observed", console=out)
            continue
        heads = [*result.heads(), "observations", "a game", *what, "95% interval"]
        out.print(table(*heads, rows=rows, keys=len(result.measure.keys)))
        if len(result.rows) > SHOWN_KEYS:
            say(f"  and {len(result.rows) - SHOWN_KEYS:,} more (--json has all)", console=out)


def _value(form: str, mean: float | None) -> Callable[[float | None], str]:
    """How a mean and the ends of its interval are written: small ones with more digits."""
    if form == "bool":
        return _percent
    digits = 4 if mean and abs(mean) < 0.1 else 2
    return lambda number: "-" if number is None else f"{number:,.{digits}f}"


def _range(value: Callable[[float | None], str], interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else f"{value(interval[0])} to {value(interval[1])}"


def _whole(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}%"


# ------------------------------------------------------------------------------------------ faults


def _report_fault(game: Game, fault: FaultInGame) -> None:
    """Plays the game again, up to the step that broke the rules."""
    from aeronef.render import complain, errors, say
    from aeronef.runtime.transcript import record

    lines: list[str] = []
    with suppress(RuleFault):
        record(game, fault.seed, fault.number, lines.append)
    complain(f"the rules break in game {fault.number} of seed {fault.seed}: {fault}")
    steps = [json.loads(line) for line in lines[1:]]
    settings = options_text(game.options)
    say(f"  {game.name}, {game.players} players{', ' if settings else ''}{settings}", console=errors())
    if not steps:
        say("  before the first step", console=errors())
    for step in steps[-SHOWN_STEPS:]:
        say(f"  step {step['step']}, phase {step['phase']}: {step['actor']} {step['action']}", console=errors())
