"""The command line: what each command takes, and what every failure looks like. The work is in `aeronef/commands/`.

Exit status: 0 fine, 1 the thing checked is wrong, 2 the call or the input is wrong. Data on stdout, errors on
stderr. Each command loads what it needs and no more: playing a shipped variant needs no compiler.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from aeronef.commands.common import Failed
from aeronef.files import said
from aeronef.runtime.errors import AeronefError, BadInput

FINE, WRONG, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

# Typer brings its own copy of click, or uses the other: what they share is the ancestry of BadParameter.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]
ClickException: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="aeronef",
    help="Aeronef checks rule variants of games and compiles them to games that run headless.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Spec = Annotated[str, typer.Argument(metavar="SPEC", help="A shipped name, or the path of a spec.", show_default=False)]
Options = Annotated[
    list[str],
    typer.Option(
        "-o", "--option", metavar="NAME=VALUE", help="An option of the spec; repeat it for more.", show_default=False
    ),
]
Players = Annotated[
    int | None,
    typer.Option("--players", metavar="N", min=1, help="How many play.  [default: the fewest]", show_default=False),
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Game k of seed s is the same game everywhere.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.", show_default=False)]


@app.command(name="list")
def list_(as_json: Json = False) -> int:
    """List the shipped variants and their options.

    \b
    Example:
      aeronef list
    """
    from aeronef.commands.list import list_variants

    return _guarded(lambda: list_variants(as_json))


@app.command()
def check(spec: Spec, as_json: Json = False) -> int:
    """Say what is wrong in a spec, or worth a look.

    \b
    Example:
      aeronef check my_game.yaml
    """
    from aeronef.commands.check import check_spec

    return _guarded(lambda: check_spec(spec, as_json))


@app.command(name="compile")
def compile_(
    specs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SPEC]...", help="Shipped names or paths.  [default: all shipped variants]", show_default=False
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="Where the compiled files go.  [default: generated/ of the repository, or beside the spec]",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say which compiled file is stale.", show_default=False)
    ] = False,
    emit: Annotated[
        str | None,
        typer.Option(
            "--emit", metavar="ir|python", help="Print this form instead of writing a file.", show_default=False
        ),
    ] = None,
) -> int:
    """Compile specs to Python modules.

    \b
    Examples:
      aeronef compile --check
      aeronef compile my_game.yaml -o build
      aeronef compile montgolfiere_race --emit ir
    """
    from aeronef.commands.compile import compile_specs

    return _guarded(lambda: compile_specs(specs or [], output, check, emit))


@app.command()
def explain(
    code: Annotated[
        str | None,
        typer.Argument(metavar="[CODE]", help="A diagnostic code.  [default: list them all]", show_default=False),
    ] = None,
) -> int:
    """Explain a diagnostic code by examples.

    \b
    Example:
      aeronef explain AE701
    """
    from aeronef.commands.explain import explain_code

    return _guarded(lambda: explain_code(code))


@app.command()
def run(
    variant: Annotated[
        str, typer.Argument(metavar="VARIANT", help="A shipped name, or the path of a spec.", show_default=False)
    ],
    players: Players = None,
    games: Annotated[int, typer.Option("-n", "--games", metavar="GAMES", min=1, help="How many games.")] = 100,
    seed: Seed = 0,
    options: Options = [],  # noqa: B006
    as_json: Json = False,
    transcript: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write every game, step by step, as JSON lines.", show_default=False),
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="With --transcript: legal actions, state and views at each step too.", show_default=False
        ),
    ] = False,
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many processes play; the results are the same.")
    ] = 1,
    backend: Annotated[str, typer.Option(metavar="python|native", help="The back end.")] = "python",
) -> int:
    """Play many random games; print what they came to.

    \b
    Examples:
      aeronef run montgolfiere_race --players 4 -n 1000 --seed 1 -o squadron=open
      aeronef run my_game.yaml -n 10 --transcript games.jsonl --full
    """
    from aeronef.commands.run import run as play

    return _guarded(lambda: play(variant, players, games, seed, options, as_json, transcript, full, jobs, backend))


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.", show_default=False)],
    spec: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="The spec to replay on.  [default: the shipped variant, or NAME.yaml beside the file or here]",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Replay transcripts; say where they part.

    \b
    Example:
      aeronef replay games.jsonl
    """
    from aeronef.commands.replay import replay_file

    return _guarded(lambda: replay_file(file, spec, as_json))


@app.command()
def test(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="SPEC|SCENARIOS...",
            help="Specs (a shipped name or a path), or files of scenarios.",
            show_default=False,
        ),
    ],
    spec: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="The spec that the scenarios are about.  [default: their `variant:`]",
            show_default=False,
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "-n",
            "--games",
            metavar="GAMES",
            min=1,
            help="How many random games each choice of players and options plays under the laws.",
        ),
    ] = 5,
    seed: Seed = 0,
    as_json: Json = False,
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

    return _guarded(lambda: test_files(files, spec, games, seed, as_json))


@app.command()
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The game's name: small letters, digits and _.", show_default=False)
    ],
) -> int:
    """Write NAME.yaml: a small game to start from.

    \b
    Example:
      aeronef new my_game
    """
    from aeronef.commands.new import new_spec

    return _guarded(lambda: new_spec(name))


@app.callback()
def _top(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=lambda v: _version(v), show_default=False)] = False,
) -> None:  # fmt: skip
    pass


def _version(wanted: bool) -> None:
    if wanted:
        from aeronef import __version__

        typer.echo(f"aeronef {__version__}")
        raise typer.Exit


# ------------------------------------------------------------------------------------------ failures


def main(arguments: list[str] | None = None) -> int:
    """Runs one command line (default: the process's), and gives the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if arguments is None else arguments
    command = typer.main.get_command(app)
    try:
        return int(command.main(words or ["--help"], prog_name="aeronef", standalone_mode=False) or FINE)
    except ClickException as error:
        said_what = error.format_message()  # type: ignore[attr-defined]
        return _complain(said_what if said_what.endswith((".", "?", ")")) else f"{said_what}.")
    except typer.Abort:
        return _interrupted()
    except SystemExit:
        # Typer's own way out of a closed pipe, while it prints help.
        return _pipe_closed()


def _guarded(command: Callable[[], int]) -> int:
    """Runs a command; whatever goes wrong becomes one clear line and a status."""
    try:
        status = command()
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except Failed:
        return WRONG
    except BadInput as error:
        return _complain(str(error))
    except AeronefError as error:
        _complain(str(error))
        return WRONG
    except BrokenPipeError:
        return _pipe_closed()
    except KeyboardInterrupt:
        return _interrupted()
    except OSError as error:
        where = f" `{error.filename}`" if error.filename else " the output"
        return _complain(f"cannot use{where}: {said(error)}")


def _complain(message: str) -> int:
    from aeronef.render import complain

    try:
        complain(message)
    except OSError:
        pass
    return UNUSABLE


def _interrupted() -> int:
    print("interrupted", file=sys.stderr)
    return INTERRUPTED


def _pipe_closed() -> int:
    """Nobody reads any more: say nothing, and leave nothing for the interpreter to write at its end."""
    with open(os.devnull, "w") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                os.dup2(nowhere.fileno(), stream.fileno())
    return UNUSABLE
