"""What is played by the native back end is written, printed and summed up as what is played in Python."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from aeronef.native import game as native_game
from aeronef.runtime.transcript import read, record, replay
from tests.emit.c.native import Load
from tests.face.conftest import Cli, cli, process
from tests.face.specs import ENDLESS, FAULTY, WRONG
from tests.games.specs import SPECS
from tests.native.twins import GAMES, SEED, both

__all__ = ["cli", "process"]

RACE = "montgolfiere_race"

# Its numbers do not fit 32 bits, which C does not know yet.
LARGE = """\
game: large
players: 2
longest: 9
vars:
  far: {type: 0..2000, starts: 1, seen: everyone}
phases:
  play:
    turns: {from: 0, until: far > 5}
    actions:
      jump(): {do: "far := min(far * far * far + 7, 2000)"}
    then: end
result: {rank: far}
"""


@pytest.fixture(autouse=True)
def folder(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AERONEF_CACHE", str(built))


def write(path: str, text: str) -> str:
    Path(path).write_text(text, encoding="utf-8")
    return path


# ------------------------------------------------------------------------------------------ transcripts


@pytest.mark.parametrize("name", GAMES)
def test_transcripts_are_equal_to_the_byte(native: Load, name: str) -> None:
    games = both(native, name)
    written: list[list[str]] = [[], []]
    for game, lines in zip(games, written, strict=True):
        for number in range(2):
            record(game, SEED, number, lines.append)
    assert written[1] == written[0]
    replayed = list(replay(read("".join(written[0]).encode()), lambda *_: games[1]))
    assert [(one.difference, one.steps > 0) for one in replayed] == [(None, True)] * 2


@pytest.mark.parametrize("name", ["liars_dice", "montgolfiere_race", "ladder"])
def test_full_transcripts_too(native: Load, name: str) -> None:
    written: list[list[str]] = [[], []]
    for game, lines in zip(both(native, name), written, strict=True):
        record(game, SEED, 3, lines.append, full=True)
    assert written[1] == written[0]
    assert '"views"' in written[0][1]


# ------------------------------------------------------------------------------------------ the command line

SPOKEN = [
    (RACE, "--players", 3, "-o", "squadron=open"),  # with measures
    (SPECS["pig"], "-o", "goal=7"),
    (SPECS["ferry"], "--players", 2, "-o", "reading=literal"),  # games that go round for ever
]


@pytest.mark.parametrize("words", SPOKEN, ids=lambda words: Path(words[0]).stem)
def test_a_run_prints_the_same(cli: Cli, words: tuple[Any, ...]) -> None:
    """Whatever the number of threads, and in JSON all but the name of the back end."""
    call = ("run", *words, "-n", 60, "--seed", 5)
    expected = cli(*call)
    data = json.loads(cli(*call, "--json").out)
    assert expected.status == 0
    assert data["backend"] == "python"
    for jobs in (1, 2):
        found = cli(*call, "--backend", "native", "--jobs", jobs)
        assert (found.status, found.out) == (0, expected.out)
        assert json.loads(cli(*call, "--backend", "native", "--jobs", jobs, "--json").out) == data | {
            "backend": "native"
        }


def test_a_run_measures_the_same(cli: Cli) -> None:
    found = [
        json.loads(cli("run", RACE, "-n", 40, "--json", "--backend", backend).out) for backend in ("python", "native")
    ]
    assert found[1]["measures"] == found[0]["measures"]
    assert len(found[0]["measures"]) > 3


@pytest.mark.parametrize("full", [(), ("--full",)])
def test_a_run_writes_the_same_transcripts(cli: Cli, full: tuple[str, ...]) -> None:
    """By several processes too; and `replay` takes them."""
    call = ("run", SPECS["pig"], "-n", 12, "--seed", 5, *full)
    outs = []
    for backend, jobs in (("python", 1), ("native", 1), ("native", 2)):
        name = f"{backend}{jobs}.jsonl"
        outs.append(cli(*call, "--transcript", name, "--backend", backend, "--jobs", jobs))
        assert outs[-1].status == 0, outs[-1].err
    assert outs[0].out == outs[1].out == outs[2].out
    expected = Path("python1.jsonl").read_bytes()
    assert expected.count(b"\n") > 100
    assert Path("native1.jsonl").read_bytes() == expected
    assert Path("native2.jsonl").read_bytes() == expected
    assert cli("replay", "native2.jsonl", "--spec", SPECS["pig"]).status == 0


def test_a_spec_of_ones_own_runs_by_its_path(cli: Cli) -> None:
    """Also where its file and its words have signs that mean something in C."""
    text = SPECS["pig"].read_text(encoding="utf-8").replace("game: pig", "game: my_pig")
    path = write('a "pig" %d ?? é.yaml', text)
    expected = cli("run", path, "-n", 30)
    found = cli("run", path, "-n", 30, "--backend", "native")
    assert (found.status, found.out) == (0, expected.out), found.err


def test_where_the_rules_break_a_run_says_the_same(cli: Cli) -> None:
    path = write("faulty%d.yaml", FAULTY)
    expected = cli("run", path, "-n", 50)
    assert expected.status == 1
    assert "faulty%d.yaml:10: 4 is not within 0..3" in expected.err
    for more in ((), ("--jobs", 2), ("--transcript", "out.jsonl"), ("--transcript", "out.jsonl", "--jobs", 2)):
        found = cli("run", path, "-n", 50, "--backend", "native", *more)
        assert (found.status, found.out, found.err) == (1, expected.out, expected.err)
        assert not Path("out.jsonl").exists()


def test_games_that_are_cut_are_told_alike(cli: Cli) -> None:
    path = write("endless.yaml", ENDLESS)
    expected = cli("run", path, "-n", 20)
    assert "cut at step 30" in expected.out
    assert cli("run", path, "-n", 20, "--backend", "native").out == expected.out


# ------------------------------------------------------------------------------------------ what is refused


def refused(result: Any, *words: str) -> None:
    """One clear line, and the status of bad input."""
    assert (result.status, result.out) == (2, "")
    (line,) = result.err.splitlines()
    assert line.startswith("error: ")
    for word in words:
        assert word in line


def test_a_back_end_that_is_none_is_refused(cli: Cli) -> None:
    refused(cli("run", RACE, "--backend", "fortran"), "no back end `fortran`", "python, native")


@pytest.mark.parametrize("named", ["no-such-compiler", "'", f"'{sys.executable}' -c 'raise SystemExit(1)'", "/"])
def test_a_compiler_that_is_none_is_refused(cli: Cli, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("CC", named)
    refused(cli("run", RACE, "--backend", "native"), f"CC is `{named}`", "no C compiler that runs here")


def test_without_any_compiler_it_is_said_what_to_install(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))  # of its own: what was found for a path is remembered
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    refused(cli("run", RACE, "-n", 5, "--backend", "native"), "there is none", "pip install 'aeronef[native]'")
    assert cli("run", RACE, "-n", 5).status == 0


def test_a_compiler_that_fails_is_shown(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there, and it is named: that is no bad input, but something that went wrong."""
    if os.name != "posix":
        pytest.skip("the compiler is a shell script")
    script = tmp_path / "full-cc"
    script.write_text('#!/bin/sh\n[ "$1" = --version ] && echo 1 && exit 0\necho the disk is full >&2; exit 1\n')
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    result = cli("run", SPECS["pig"], "-n", 5, "--backend", "native")
    assert result.status == 1
    assert "full-cc" in result.err
    assert "pig.c: the disk is full" in result.err


def test_a_folder_that_is_none_is_refused(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AERONEF_CACHE", write("file", ""))
    refused(cli("run", RACE, "--backend", "native"), "cannot keep anything in `", "file`", "AERONEF_CACHE")


def test_what_c_does_not_know_yet_is_named(cli: Cli) -> None:
    path = write("large.yaml", LARGE)
    assert cli("run", path, "-n", 5).status == 0
    refused(
        cli("run", path, "-n", 5, "--backend", "native"),
        "large: the native back end does not know numbers of 7..8000000007 yet (at line 10)",
    )


def test_players_options_and_specs_are_refused_as_ever(cli: Cli) -> None:
    for words in (
        (RACE, "--players", 9), (RACE, "-o", "squadron=none"), (RACE, "-o", "colour=red"), ("nowhere",),
        ("nowhere.yaml",), (write("wrong.yaml", WRONG),),
    ):  # fmt: skip
        expected, found = (cli("run", *words, "--backend", backend) for backend in ("python", "native"))
        assert expected.status in (1, 2)
        assert (found.status, found.out, found.err) == (expected.status, expected.out, expected.err)


def test_a_shipped_variant_whose_code_is_old_is_not_mixed_up(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of one version would be taken for those of another."""
    monkeypatch.setattr(native_game, "find", lambda *_, **__: None)
    monkeypatch.setattr("aeronef.dsl.printer.digest", lambda game: "sha256:newer")
    refused(cli("run", RACE, "--backend", "native"), "montgolfiere_race", "aeronef compile")
