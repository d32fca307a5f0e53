"""A game's library is compiled once, and taken for no other's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import aeronef
from aeronef.kept import compiler_stamp
from aeronef.native import build as building
from aeronef.native import game as native_game
from aeronef.native.compiler import Compiler, find_compiler
from aeronef.native.game import NativeGame
from aeronef.runtime.errors import BadInput, RuleFault
from tests.games.specs import ROOT, SPECS

SMALL = SPECS["pig"].read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One of each test's own."""
    monkeypatch.setenv("AERONEF_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def kept(folder: Path) -> set[str]:
    """The libraries that are there. (What specs compile to is kept beside them: tests/face/test_kept.py.)"""
    return {path.name for path in folder.glob(f"*{building.SUFFIX}")}


def load(spec: Any, players: int | None = None, **options: Any) -> Any:
    return aeronef.load(spec, players, backend="native", **options)


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> Any:
    """From when it is called on, nothing can be compiled any more, neither a spec nor C."""

    def forbid() -> None:
        def fails(*_: Any) -> Any:
            raise AssertionError("it is compiled again")

        monkeypatch.setattr(building, "_compile", fails)
        monkeypatch.setattr("aeronef.c_source.c_source", fails)

    return forbid


def test_what_was_loaded_is_not_compiled_again(folder: Path, no_compiler: Any) -> None:
    first = load("montgolfiere_race", 3, squadron="open")
    no_compiler()
    again = load("montgolfiere_race", 3, squadron="open")
    assert isinstance(again, NativeGame)
    assert repr(again) == repr(first)
    assert again.playouts(20, 1).lengths.tolist() == first.playouts(20, 1).lengths.tolist()
    assert len(kept(folder)) == 1


def test_options_that_are_spelled_otherwise_are_the_same(tmp_path: Path, folder: Path, no_compiler: Any) -> None:
    """As words of the command line, and those that have their defaults."""
    path = tmp_path / "pig.yaml"
    path.write_text(SMALL, encoding="utf-8")
    first = load(path, 2, goal=100)
    no_compiler()
    for again in (load(str(path), goal="100"), load(path), load(path, 2, goal=100)):
        assert again.options == first.options
    assert len(kept(folder)) == 1


def test_a_comment_is_no_other_game_and_a_rule_is_one(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "pig.yaml"
    found = []
    for text in (SMALL, SMALL.replace("f == 1", "f == 2"), SMALL):
        path.write_text(text, encoding="utf-8")
        game = load(path)
        found.append((len(kept(folder)), game.playouts(50, 3).returns.tolist()))
        assert found[-1][1] == aeronef.load(path).playouts(50, 3).returns.tolist()
    assert [many for many, _ in found] == [1, 2, 2]
    assert found[0] != found[1]
    assert found[0][1] == found[2][1]


@pytest.mark.parametrize("change", ["players", "options", "emitter", "compiler", "name"])
def test_what_tells_games_apart_tells_their_libraries_apart(
    change: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pig.yaml"
    path.write_text(SMALL, encoding="utf-8")
    load(path, 2, goal=6)
    before = kept(folder)
    if change == "players":
        path = SPECS["kuhn_poker"]
        load(path, 2)
        before = kept(folder)
        load(path, 3)
    elif change == "options":
        load(path, 2, goal=7)
    elif change == "emitter":
        told = compiler_stamp()
        monkeypatch.setattr(native_game, "compiler_stamp", lambda: f"{told} and a line")
        load(path, 2, goal=6)
    elif change == "compiler":
        one = find_compiler()
        other = Compiler(one.command, f"{one.version} and a half", one.zig)
        monkeypatch.setattr(building, "find_compiler", lambda: other)
        monkeypatch.setattr(building, "candidates", lambda: iter((other,)))
        load(path, 2, goal=6)
    else:
        other_path = tmp_path / "sow.yaml"
        other_path.write_text(SMALL.replace("game: pig", "game: sow"), encoding="utf-8")
        assert load(other_path, 2, goal=6).name == "sow"
    assert len(kept(folder)) == len(before) + 1
    assert before < kept(folder)


def test_the_emitter_is_known_by_its_files() -> None:
    """Each file that the C of a game depends on is in what tells one emitter from another."""
    told = compiler_stamp()
    for path in (*sorted((ROOT / "dsl").rglob("*.py")), ROOT / "aeronef" / "c_source.py"):
        assert f"{path.name} {path.stat().st_size} {path.stat().st_mtime_ns}" in told


def test_a_library_that_was_damaged_is_made_again(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "pig.yaml"
    path.write_text(SMALL, encoding="utf-8")
    load(path)
    (name,) = kept(folder)
    (folder / name).unlink()  # this process has it open
    (folder / name).write_bytes(b"not any more")
    code = f"import aeronef; print(aeronef.load({str(path)!r}, backend='native').playouts(9, 1).lengths.sum())"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(found.stdout) == aeronef.load(path).playouts(9, 1).lengths.sum()
    (again,) = kept(folder)
    assert (folder / again).stat().st_size > 1000


def test_two_processes_load_the_same_game_at_once(tmp_path: Path, folder: Path) -> None:
    """Both are at it before either compiles; both play the same games, and one library is kept."""
    path = tmp_path / "pig.yaml"
    path.write_text(SMALL, encoding="utf-8")
    code = f"""
import pathlib, time, aeronef
from aeronef.native import build
compile = build._compile
def together(*call):
    pathlib.Path({str(tmp_path)!r}, "here-" + str(__import__("os").getpid())).touch()
    while len(list(pathlib.Path({str(tmp_path)!r}).glob("here-*"))) < 2:
        time.sleep(0.02)
    compile(*call)
build._compile = together
print(aeronef.load({str(path)!r}, backend="native").playouts(50, 7).lengths.tolist())
"""
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    outputs = [process.communicate(timeout=60) for process in both]
    expected = str(aeronef.load(path).playouts(50, 7).lengths.tolist())
    for output, errors in outputs:
        assert output.strip() == expected, errors
    assert len(kept(folder)) == 1


def test_a_back_end_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match=r"no back end `c` \(there is: python, native\)"):
        aeronef.load("balloon", backend="c")


STUCK = """\
game: stuck_at_once
players: 2
longest: 9
vars:
  n: {type: 0..3, starts: 3, seen: everyone}
phases:
  more: {do: n += 1, then: play}
  play:
    turns: {from: 0, until: false}
    actions:
      go(): {do: "n := 0"}
    then: end
result: {rank: n}
"""


def test_rules_that_break_before_the_first_step_break_when_a_game_starts(tmp_path: Path) -> None:
    path = tmp_path / "stuck.yaml"
    path.write_text(STUCK, encoding="utf-8")
    messages = []
    for backend in ("python", "native"):
        game = aeronef.load(path, backend=backend)
        for begin in (game.start, game.new_initial_state, lambda game=game: game.playouts(1)):
            with pytest.raises(RuleFault) as caught:
                begin()
            messages.append(str(caught.value))
    assert messages[:3] == messages[3:]
    assert "stuck.yaml:7: 4 is not within 0..3" in messages[0]
    with pytest.raises(RuleFault, match=r"stuck\.yaml:7"):
        load(path).batch(2)
