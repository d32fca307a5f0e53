"""`aeronef run`: many random games of one variant, and what they came to."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing, nullcontext, suppress
from pathlib import Path

from aeronef.commands.common import Failed, options_text, parse_options, source_of, variant_of
from aeronef.files import whole
from aeronef.parallel import Plan, play
from aeronef.progress import progress
from aeronef.runtime.endless import Endless
from aeronef.runtime.errors import BadInput, RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.simulate import FaultInGame, why_endless
from aeronef.summary import Summary, Tally

SHOWN_STEPS = 6


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
    if backend not in ("python", "native"):
        raise BadInput(f"there is no back end `{backend}` (there is: python)")
    if backend == "native":
        raise BadInput("this version has the Python back end only: leave --backend out, or say --backend python")
    if full and transcript is None:
        raise BadInput("--full says what is in a transcript: it goes with --transcript FILE")
    given = parse_options(options)
    source = source_of(spec)
    game = Game(variant_of(source), players, given)
    plan = Plan(source, game.players, given, games, seed, transcript is not None, full)
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
        print(json.dumps(_data(game, seed, summary, caught), indent=2, ensure_ascii=False))
    else:
        _show(game, seed, summary, caught)
    sys.stdout.flush()
    # Not on stdout: what stands there is the same on every run.
    rate, step_rate = summary.games / seconds, summary.steps / seconds
    played = f"{summary.games:,} game{'s' if summary.games > 1 else ''}"
    print(f"{played} in {seconds:.1f} s ({rate:,.0f} games/s, {step_rate:,.0f} steps/s)", file=sys.stderr)
    return 0


# ------------------------------------------------------------------------------------------ results


def _data(game: Game, seed: int, summary: Summary, caught: Endless | None) -> dict[str, object]:
    example = None if caught is None else {"game": summary.endless, "seed": seed, **caught.data()}
    return {
        "variant": game.name, "spec": game.spec_digest, "players": game.players, "options": game.options,
        "seed": seed, "games": summary.games, "backend": "python", **summary.data(),
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


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


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
