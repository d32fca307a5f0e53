"""docs/authoring.md is a walk: here it is walked. Files that it tells to write are written, each of its commands is
run, in order, and what it shows is compared with what there is.

A fenced block is one of these; any other is a mistake of the page:

    ```console              commands after `$ `, each with what it prints; `status=1` says how they end, where not well
    ```yaml FILE            a file to write
    ```text FILE            what is in a file by now

In what is shown a line `…` stands for any lines, and `…` in a line for any text.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.face.conftest import Cli

PAGE = Path(__file__).parents[2] / "docs" / "authoring.md"
LINES = PAGE.read_text(encoding="utf-8").splitlines()


@dataclass(slots=True)
class Command:
    """One command of the page, and what it shows of its output."""

    line: int
    words: list[str]
    status: int
    shown: list[str] = field(default_factory=list)


@dataclass(slots=True)
class File:
    """A file that the page tells to write, or of which it shows something."""

    line: int
    name: str
    write: bool
    text: list[str]


def steps_of(lines: list[str]) -> tuple[list[Command | File], list[str]]:
    """What the page has a reader do, in order, and its lines outside of blocks."""
    steps: list[Command | File] = []
    prose: list[str] = []
    block: list[str] | None = None
    info, began = "", 0
    for number, line in enumerate(lines, start=1):
        if not line.lstrip().startswith("```"):
            (prose if block is None else block).append(line)
        elif block is None:
            assert re.match(r"```\S", line), f"line {number}: every block says what it is, and is not indented"
            info, began, block = line.removeprefix("```"), number, []
        else:
            assert line == "```", f"line {number}: a block ends with ``` alone"
            steps += _block(info, began, block)
            block = None
    assert block is None, f"line {began}: a block that does not end"
    return steps, prose


def _block(info: str, line: int, text: list[str]) -> list[Command | File]:
    if found := re.fullmatch(r"(yaml|text) ([\w.]+)", info):
        return [File(line, found[2], found[1] == "yaml", text)]
    found = re.fullmatch(r"console(?: status=(\d+))?", info)
    assert found, f"line {line}: there is no block of the kind `{info}`"
    commands: list[Command] = []
    for number, shown in enumerate(text, start=line + 1):
        if shown.startswith("$"):
            assert shown.startswith("$ aeronef "), f"line {number}: only aeronef is run here"
            commands.append(Command(number, shlex.split(shown)[2:], int(found[1] or 0)))
        else:
            assert commands, f"line {number}: a console begins with a command"
            commands[-1].shown.append(shown)
    assert commands, f"line {line}: a console without a command"
    return list(commands)


def pattern(shown: list[str]) -> str:
    """The expression that what is shown stands for."""
    parts = [r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n" for line in shown]
    return "".join(parts)


def compare(shown: list[str], there: str, what: str) -> None:
    there = "".join(f"{line.rstrip()}\n" for line in there.rstrip().splitlines())
    if not re.fullmatch(pattern(shown), there):
        wrong = next(
            (line for n, line in enumerate(shown, start=1) if not re.match(pattern(shown[:n]), there)), "its end"
        )
        pytest.fail(f"{what}: what is shown is not so, from `{wrong}` on; there is\n{there}")


STEPS, PROSE = steps_of(LINES)
COMMANDS = [step for step in STEPS if isinstance(step, Command)]


def test_the_page_is_so(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant in ("EXAMPLES", "STEPS"):  # a shorter search for what breaks a law
        monkeypatch.setattr(f"aeronef.runtime.trial.{constant}", 2)
    for step in STEPS:
        where = f"authoring.md:{step.line}"
        if isinstance(step, Command):
            result = cli(*step.words)
            assert result.status == step.status, f"{where}: {result.out}{result.err}"
            compare(step.shown, result.out + result.err, where)
        elif step.write:
            Path(step.name).write_text("\n".join(step.text) + "\n", encoding="utf-8")
        else:
            compare(step.text, Path(step.name).read_text(encoding="utf-8"), where)


def test_a_command_that_the_page_names_is_one_that_it_runs() -> None:
    run = [" ".join(["aeronef", *command.words]) for command in COMMANDS]
    text = "\n".join(PROSE)
    spans = re.findall(r"`([^`]+)`", text)
    named = [span for span in spans if span.startswith("aeronef")]
    for span in named:
        assert any(f"{command} ".startswith(f"{span} ") for command in run), f"`{span}` is not run"
    assert re.findall(r"\baeronef\b", re.sub(r"`[^`]+`", "", text)) == [], "outside of `…`"
    indented = [line for line in PROSE if re.match(r" {4}|\t|~~~", line)]
    assert indented == [], "a block that no test reads"


def test_every_command_that_an_author_needs_is_on_the_page() -> None:
    wanted = {"list", "new", "compile", "check", "explain", "diff", "run", "test", "replay"}
    assert {command.words[0] for command in COMMANDS} == wanted


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["```sh", "aeronef list", "```"], "no block of the kind `sh`"),
        (["```console", "$ ls", "```"], "only aeronef is run"),
        (["```console", "some output", "```"], "begins with a command"),
        (["  ```console", "$ aeronef list", "  ```"], "is not indented"),
        (["```console", "$ aeronef list"], "does not end"),
    ],
)
def test_what_the_walk_could_not_run_is_refused(lines: list[str], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        steps_of(lines)


@pytest.mark.parametrize(
    ("shown", "same"),
    [
        (["one", "two", "three"], True),
        (["one", "…"], True),
        (["…", "th…e"], True),
        (["one", "three"], False),
        (["one", "…", "two"], False),
    ],
)
def test_what_is_left_out_is_said(shown: list[str], same: bool) -> None:
    assert bool(re.fullmatch(pattern(shown), "one\ntwo\nthree\n")) == same
