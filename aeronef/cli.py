"""The command line: what each command takes. The work is in `aeronef/commands/`, failures in `aeronef/status.py`.

Data goes to stdout, errors to stderr. Each command loads what it needs and no more: playing a shipped variant needs
no compiler.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from aeronef.status import (
    FINE,
    INTERRUPTED,
    UNUSABLE,
    complained,
    ended_by_signals,
    guarded,
    interrupted,
    pipe_closed,
    prepare_streams,
)

# Typer brings its own copy of click, or uses the other: what they share is the ancestry of BadParameter.
ClickException: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="aeronef",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# Where the default is worth showing, the help says it.
_argument = partial(typer.Argument, show_default=False)
_option = partial(typer.Option, show_default=False)

Spec = Annotated[str, _argument(metavar="SPEC", help="A shipped name, or the path of a spec.")]
Json = Annotated[bool, _option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Game k of seed s is the same game everywhere.")]

Deep = Annotated[bool, _option("--deep", help="Explore and play the games of the spec, and ask more of them.")]
DeepPlayers = Annotated[
    int | None,
    _option("--players", metavar="N", min=1, help="With --deep: how many play.  [default: several numbers in turn]"),
]
Small = Annotated[bool, _option("--small", help="With --deep: only the game that `small:` makes of it.")]
States = Annotated[
    int | None,
    _option("--states", metavar="N", min=2, help="With --deep: how many states of a game are kept.  [default: 30000]"),
]
DeepGames = Annotated[
    int | None,
    _option("-n", "--games", metavar="GAMES", min=0, help="With --deep: random games of each.  [default: 100]"),
]
DeepSeed = Annotated[int | None, _option("--seed", metavar="S", help="With --deep: the seed of these.  [default: 0]")]
Seconds = Annotated[
    float | None,
    _option("--seconds", metavar="T", min=0.1, help="With --deep: how long it takes, about.  [default: 40]"),
]
DeepJobs = Annotated[
    int | None,
    _option("--jobs", metavar="N", min=1, max=256, help="With --deep: how many processes.  [default: one a core]"),
]
Resume = Annotated[
    Path | None,
    _option("--resume", metavar="FILE", help="With --deep, of one game: keep what is explored, and go on from it."),
]
Page = Annotated[Path | None, _option("--report", metavar="FILE.html", help="With --deep: write a page to send.")]

Specs = Annotated[
    list[str] | None,
    _argument(metavar="SPEC", help="Shipped names or paths.  [default: all shipped variants]"),
]
Output = Annotated[
    Path | None,
    _option(
        "--output", metavar="DIR",
        help="Where the modules go.  [default: generated/ of the repository; of a path, beside the spec]",
    ),
]  # fmt: skip
Check = Annotated[bool, _option("--check", help="Write nothing; say which module is stale.")]
Emit = Annotated[
    str | None, _option("--emit", metavar="spec|ir|plan|python|c", help="Print this form, and write nothing.")
]

Code = Annotated[str | None, _argument(metavar="CODE", help="A diagnostic code.  [default: list them all]")]

Players = Annotated[int | None, _option("--players", metavar="N", min=1, help="How many play.  [default: the fewest]")]
Games = Annotated[int, typer.Option("-n", "--games", metavar="GAMES", min=1, help="How many games.")]
Options = Annotated[
    list[str] | None,
    _option("-o", "--option", metavar="NAME=VALUE", help="An option of the spec; repeat it for more."),
]
Other = Annotated[
    str | None,
    _argument(metavar="OTHER", help="The spec to compare with.  [default: SPEC with the options of --to]"),
]
Settled = Annotated[
    int | None,
    _option("--players", metavar="N", min=1, help="Compare for so many players.  [default: whatever their number]"),
]
SettledOptions = Annotated[
    list[str] | None,
    _option(
        "-o", "--option", metavar="NAME=VALUE",
        help="An option of SPEC, and without --to of OTHER; repeat it for more.  [default: whatever its value]",
    ),
]  # fmt: skip
OtherOptions = Annotated[
    list[str] | None,
    _option("--to", metavar="NAME=VALUE", help="An option of OTHER; repeat it for more."),
]
Transcript = Annotated[
    Path | None,
    _option("--transcript", metavar="FILE", help="Write every game, step by step, as JSON lines."),
]
Full = Annotated[
    bool,
    _option("--full", help="With --transcript: legal actions, state and views at each step too."),
]
Jobs = Annotated[
    int,
    typer.Option("--jobs", metavar="N", min=1, max=256, help="How many processes play; the results are the same."),
]
RunJobs = Annotated[
    int,
    typer.Option(
        "--jobs", metavar="N", min=1, max=256, help="How many processes or threads play; the results are the same."
    ),
]
Backend = Annotated[
    str,
    typer.Option(
        "--backend", metavar="python|native", help="What makes the steps. native: C, by a C compiler; the same games."
    ),
]

File = Annotated[Path, _argument(metavar="FILE", help="A transcript.")]
ReplaySpec = Annotated[
    str | None,
    _option("--spec", metavar="SPEC", help="The spec to replay on.  [default: the one that the file names]"),
]

Files = Annotated[
    list[str],
    _argument(metavar="FILE", help="Specs (a shipped name or a path), or files of scenarios."),
]
ScenarioSpec = Annotated[
    str | None,
    _option("--spec", metavar="SPEC", help="The spec of the scenarios.  [default: the one that the file names]"),
]
LawGames = Annotated[
    int | None,
    _option(
        "-n", "--games", metavar="GAMES", min=1,
        help="Of a spec: games under the laws, for each choice of players and options.  [default: 5]",
    ),
]  # fmt: skip
LawSeed = Annotated[
    int | None,
    _option("--seed", metavar="S", help="Of a spec: the seed of these games.  [default: 0]"),
]

ScenarioFiles = Annotated[
    list[Path] | None,
    _option(
        "--scenarios", metavar="FILE",
        help="A file of scenarios; repeat it for more.  [default: NAME.scenarios.yaml beside the spec]",
    ),
]  # fmt: skip
CoverGames = Annotated[
    int,
    typer.Option(
        "-n", "--games", metavar="GAMES", min=0,
        help="Random games for each choice of players and options; 0: the scenarios alone.",
    ),
]  # fmt: skip
Strict = Annotated[bool, _option("--strict", help="A clause that no scenario exercises is a finding too.")]
MutatedScenarios = Annotated[
    str | None,
    _option("--scenarios", metavar="FILE", help="Their scenarios.  [default: NAME.scenarios.yaml beside the spec]"),
]
MutatedAt = Annotated[
    str | None,
    _option("--at", metavar="ELEMENT", help="Only what stands there, as `phases.NAME`, or one change by its id."),
]
Limit = Annotated[
    int | None,
    _option("--limit", metavar="N", min=1, help="Try a random sample of so many changes.  [default: all]"),
]
MutantGames = Annotated[
    int,
    typer.Option(
        "-n", "--games", metavar="GAMES", min=0, help="Games under the laws, of each choice of players and options."
    ),
]
MutantStates = Annotated[
    int,
    typer.Option(
        "--states", metavar="N", min=1, help="Of what nothing notices: compare at most so many states with the game.",
    ),
]  # fmt: skip

Base = Annotated[
    str | None,
    _option("--from", metavar="SPEC", help="Write a variant of this spec: a few lines that say what differs."),
]
Name = Annotated[str, _argument(metavar="NAME", help="The game's name: small letters, digits and _.")]


@app.command(name="list")
def list_(as_json: Json = False) -> int:
    """List the shipped variants and their options.

    \b
    Example:
      aeronef list
    """
    from aeronef.commands.list import list_variants

    return guarded(lambda: list_variants(as_json))


@app.command()
def check(
    spec: Spec,
    deep: Deep = False,
    players: DeepPlayers = None,
    options: Options = None,
    small: Small = False,
    states: States = None,
    games: DeepGames = None,
    seed: DeepSeed = None,
    seconds: Seconds = None,
    jobs: DeepJobs = None,
    resume: Resume = None,
    page: Page = None,
    as_json: Json = False,
) -> int:
    """Say what is wrong in a spec, or worth a look.

    With --deep its games are explored and played: do the rules break, does every game end, does a seat learn what it
    should not? Each answer is proved, or found (with a play that shows it), or not found in what was looked at.

    \b
    Examples:
      aeronef check my_game.yaml
      aeronef check balloon --deep
      aeronef check balloon --deep --players 2 -o takeoff_rule=literal --report balloon.html
    """
    from aeronef.commands.check import check_spec

    if not deep:
        given = {
            "--players": players, "-o": options, "--small": small or None, "--states": states, "-n": games,
            "--seed": seed, "--seconds": seconds, "--jobs": jobs, "--resume": resume, "--report": page,
        }  # fmt: skip
        deeper = [name for name, value in given.items() if value is not None]
        return guarded(lambda: check_spec(spec, deeper, as_json))
    from aeronef.commands.deep import Call, examine_spec

    call = Call(spec, players, options or [], small, states, games, seed, seconds, jobs, resume, page, as_json)
    return guarded(lambda: examine_spec(call))


@app.command(name="compile")
def compile_(
    specs: Specs = None,
    output: Output = None,
    check: Check = False,
    emit: Emit = None,
    players: Players = None,
    options: Options = None,
) -> int:
    """Compile specs to Python modules.

    `--emit spec` prints a spec with everything that is laid over it as one, and where each part came from: its
    optional rules are those of the options. `--emit c` prints the C file of the game for these players and options,
    as the native back end compiles it.

    \b
    Examples:
      aeronef compile --check
      aeronef compile my_game.yaml --output build
      aeronef compile balloon --emit spec -o mode=advanced
      aeronef compile balloon --emit c --players 3
    """
    from aeronef.commands.compile import compile_specs

    return guarded(lambda: compile_specs(specs or [], output, check, emit, players, options or []))


@app.command()
def diff(
    spec: Spec,
    other: Other = None,
    players: Settled = None,
    options: SettledOptions = None,
    to: OtherOptions = None,
    as_json: Json = False,
) -> int:
    """Say what differs in the rules of two games, or of one under two options.

    What is only said in other words, or cited, makes no difference; what is renamed is said once.
    The exit status is 0 where nothing differs, 1 where something does.

    \b
    Examples:
      aeronef diff montgolfiere_race my_race.yaml
      aeronef diff montgolfiere_race -o squadron=ask --to squadron=closed
    """
    from aeronef.commands.diff import diff_specs

    return guarded(lambda: diff_specs(spec, other, players, options or [], to or [], as_json))


@app.command()
def explain(code: Code = None) -> int:
    """Explain a diagnostic code by examples.

    \b
    Example:
      aeronef explain AE701
    """
    from aeronef.commands.explain import explain_code

    return guarded(lambda: explain_code(code))


@app.command()
def run(
    spec: Spec,
    players: Players = None,
    games: Games = 100,
    seed: Seed = 0,
    options: Options = None,
    as_json: Json = False,
    transcript: Transcript = None,
    full: Full = False,
    jobs: RunJobs = 1,
    backend: Backend = "python",
) -> int:
    """Play many random games; print what they came to.

    \b
    Examples:
      aeronef run montgolfiere_race --players 4 -n 1000 --seed 1 -o squadron=open
      aeronef run my_game.yaml -n 10 --transcript games.jsonl --full
    """
    from aeronef.commands.run import run_games

    call = (spec, players, games, seed, options or [], as_json, transcript, full, jobs, backend)
    return guarded(lambda: run_games(*call))


@app.command()
def replay(file: File, spec: ReplaySpec = None, as_json: Json = False) -> int:
    """Replay transcripts; say where they part.

    The spec is the shipped variant of the name in the file, or NAME.yaml beside the file or here.

    \b
    Example:
      aeronef replay games.jsonl
    """
    from aeronef.commands.replay import replay_file

    return guarded(lambda: replay_file(file, spec, as_json))


@app.command(name="test")
def run_tests(
    files: Files, spec: ScenarioSpec = None, games: LawGames = None, seed: LawSeed = None, as_json: Json = False
) -> int:
    """Run scenarios, and games under the laws.

    A file of scenarios is run. A spec is tested by the scenarios beside it (NAME.scenarios.yaml), and by random
    games under the laws that hold for every variant; a game that breaks one is printed as a scenario to paste.

    \b
    Examples:
      aeronef test my_game.yaml
      aeronef test my_game.scenarios.yaml
    """
    from aeronef.commands.test import test_files

    return guarded(lambda: test_files(files, spec, games, seed, as_json))


@app.command()
def coverage(
    spec: Spec,
    scenarios: ScenarioFiles = None,
    games: CoverGames = 5,
    seed: Seed = 0,
    strict: Strict = False,
    as_json: Json = False,
) -> int:
    """Say which clauses and rules scenarios and random games exercise, and which never.

    The exit status is 1 where a clause is cited only by what was never exercised.

    \b
    Examples:
      aeronef coverage my_game.yaml
      aeronef coverage balloon -n 0 --strict
    """
    from aeronef.commands.coverage import cover_spec

    return guarded(lambda: cover_spec(spec, scenarios or [], games, seed, strict, as_json))


@app.command()
def mutate(
    spec: Spec,
    scenarios: MutatedScenarios = None,
    at: MutatedAt = None,
    limit: Limit = None,
    games: MutantGames = 2,
    states: MutantStates = 6000,
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> int:
    """Change one thing of the rules at a time; say which changes its scenarios and laws do not notice.

    Of what is not noticed, the shortest play that is found to tell the change from the game is printed as a scenario
    to paste; what is shown to be the same game does not count. The exit status is 1 where a change is not noticed.

    \b
    Examples:
      aeronef mutate my_game.yaml
      aeronef mutate my_game.yaml --limit 60 --jobs 2
      aeronef mutate my_game.yaml --at phases.climb
    """
    from aeronef.commands.mutate import mutate_spec

    return guarded(lambda: mutate_spec(spec, scenarios, at, limit, games, states, seed, jobs, as_json))


@app.command()
def new(name: Name, base: Base = None) -> int:
    """Write NAME.yaml: a small game to start from, or a variant of another.

    \b
    Examples:
      aeronef new my_game
      aeronef new my_variant --from flying_saucer
    """
    from aeronef.commands.new import new_spec

    return guarded(lambda: new_spec(name, base))


def _version(wanted: bool) -> None:
    if wanted:
        from aeronef import __version__

        typer.echo(f"aeronef {__version__}")
        raise typer.Exit


Version = Annotated[bool, _option("--version", help="Print the version.", is_eager=True, callback=_version)]


@app.callback()
def top(version: Version = False) -> None:
    """Aeronef checks rule variants of games and compiles them to games that run headless.

    \b
    Example:
      aeronef run montgolfiere_race --players 4 -n 1000 --seed 1
    """


def main(arguments: list[str] | None = None) -> int:
    """Runs one command line (default: the process's), and gives the exit status."""
    prepare_streams()
    heard: list[int] = []
    try:
        with ended_by_signals(heard):
            status = _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        status = INTERRUPTED
    return interrupted(heard) if status == INTERRUPTED else status


def _run(words: list[str]) -> int:
    command = typer.main.get_command(app)
    try:
        status = command.main(words or ["--help"], prog_name="aeronef", standalone_mode=False)
    except ClickException as error:
        return complained(error.format_message().rstrip("."), UNUSABLE)  # type: ignore[attr-defined]
    except typer.Abort:
        return INTERRUPTED
    except SystemExit:
        # The way out of a closed pipe of Typer, while it prints help, and of rich.
        return pipe_closed()
    return int(status or FINE)
