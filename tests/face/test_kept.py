"""What a spec compiled to is kept as long as compiling it again would give the same, and never longer."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from aeronef import cache, kept
from aeronef.dsl import compiler
from aeronef.dsl.diagnostics import SpecError
from aeronef.loading import library, load, load_variant

BASE = """\
game: base
players: 2
longest: 4
clauses: base.clauses.yaml
vars:
  score: {each: seat, type: 0..9, starts: 0, seen: everyone, by: C1}
phases:
  play:
    turns: {from: 0, until: "sum(score[p] for p in players) >= 4"}
    actions:
      take(n in 1..2): {told: everyone, do: "score[me] += n"}
    then: end
result: {rank: "score[me]"}
"""
SPEC = """\
game: mine
extends: base
change:
  vars:
    score: {starts: 1}
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AERONEF_CACHE", str(tmp_path / "kept"))
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "base.yaml").write_text(BASE, encoding="utf-8")
    (folder / "base.clauses.yaml").write_text("C1: The only clause.\n", encoding="utf-8")
    path = folder / "mine.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return path


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The specs that were compiled meanwhile."""
    found: list[str] = []
    really = compiler.compile_file

    def noted(path: Path, library: Path | None = None, small: bool = False) -> compiler.Compilation:
        found.append(path.name)
        return really(path, library, small)

    monkeypatch.setattr(compiler, "compile_file", noted)
    return found


def scores(spec: Path) -> list[int]:
    found: list[int] = load(spec).new_initial_state().to_dict()["vars"]["score"]
    return found


def test_a_spec_is_compiled_once(spec: Path, compiles: list[str]) -> None:
    one, other = load_variant(spec), load_variant(spec)
    assert compiles == ["mine.yaml"]
    assert one.spec == other.spec
    assert scores(spec) == [1, 1]


@pytest.mark.parametrize("file", ["mine.yaml", "base.yaml", "base.clauses.yaml"])
def test_a_change_of_any_of_its_files_is_seen(spec: Path, compiles: list[str], file: str) -> None:
    load_variant(spec)
    changed = spec.parent / file
    changed.write_text(changed.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    load_variant(spec)
    assert compiles == ["mine.yaml", "mine.yaml"]
    changed.write_text(changed.read_text(encoding="utf-8").removesuffix("# changed\n"), encoding="utf-8")
    load_variant(spec)
    assert compiles == ["mine.yaml", "mine.yaml"]  # what was kept first is right again


def test_the_same_text_beside_another_base_is_another_game(spec: Path, tmp_path: Path) -> None:
    assert scores(spec) == [1, 1]
    other = tmp_path / "others"
    shutil.copytree(spec.parent, other)
    (other / "mine.yaml").write_text(SPEC, encoding="utf-8")
    (other / "base.yaml").write_text(BASE.replace("0..9", "0..7"), encoding="utf-8")
    assert load_variant(spec).spec != load_variant(other / "mine.yaml").spec


def test_a_file_that_comes_before_a_shipped_one_is_seen(spec: Path, compiles: list[str]) -> None:
    """A spec beside it goes before a shipped one of the same name."""
    spec.write_text("game: mine\nextends: montgolfiere_race\n", encoding="utf-8")
    before = load_variant(spec)
    text = (library() / "montgolfiere_race.yaml").read_text(encoding="utf-8")
    (spec.parent / "montgolfiere_race.yaml").write_text(text.replace("starts: 5", "starts: 6"), encoding="utf-8")
    shutil.copy(library() / "montgolfiere_race.clauses.yaml", spec.parent)
    assert load_variant(spec).spec != before.spec
    assert len(compiles) == 2


def test_another_compiler_compiles_again(
    spec: Path, compiles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    load_variant(spec)
    monkeypatch.setattr(kept, "compiler_stamp", lambda: "another")
    load_variant(spec)
    assert compiles == ["mine.yaml", "mine.yaml"]


def test_a_compiler_is_known_by_all_that_numbers_a_game_in_c() -> None:
    """A kept library is one whose numbers this compiler would give too."""
    stamp = kept.compiler_stamp()
    for name in ("module.py", "grammar.lark", "c_source.py", "c_layout.py", "c_observing.py", "tensors.py"):
        assert f"{name} " in stamp


def test_a_mistake_is_told_each_time(spec: Path) -> None:
    spec.write_text(SPEC.replace("score: {starts: 1}", "score: {starts: one}"), encoding="utf-8")
    for _ in range(2):
        with pytest.raises(SpecError):
            load_variant(spec)


def test_a_damaged_file_is_made_again(spec: Path, compiles: list[str], tmp_path: Path) -> None:
    load_variant(spec)
    (file,) = (tmp_path / "kept").glob("mine-*.json")
    file.write_bytes(file.read_bytes()[:-9])
    load_variant(spec)
    assert compiles == ["mine.yaml", "mine.yaml"]
    assert scores(spec) == [1, 1]


def test_where_nothing_can_be_kept_all_goes_on(
    spec: Path, compiles: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("AERONEF_CACHE", str(tmp_path / "file"))
    assert scores(spec) == scores(spec) == [1, 1]
    assert compiles == ["mine.yaml", "mine.yaml"]


def test_a_spec_that_is_saved_while_it_compiles_is_not_kept(
    spec: Path, compiles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """What was compiled is no longer what the file says."""
    really = compiler.compile_file

    def slowly(path: Path, library: Path | None = None, small: bool = False) -> compiler.Compilation:
        run = really(path, library, small)
        spec.write_text(SPEC.replace("starts: 1", "starts: 2"), encoding="utf-8")
        return run

    monkeypatch.setattr(compiler, "compile_file", slowly)
    assert scores(spec) == [1, 1]
    monkeypatch.setattr(compiler, "compile_file", really)
    assert scores(spec) == [2, 2]


def test_files_of_others_stay_in_the_folder_however_old(spec: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    load_variant(spec)
    (ours,) = folder.iterdir()
    theirs = [folder / name for name in ("report-2024-01.pdf", "thesis-final-v2.tex", "a-b-c.so")]
    long_ago = time.time() - cache.UNUSED_S - 60
    for file in (*theirs, ours):
        file.touch()
        os.utime(file, (long_ago, long_ago))
    spec.write_text(SPEC.replace("starts: 1", "starts: 3"), encoding="utf-8")
    load_variant(spec)
    assert all(file.exists() for file in theirs)
    assert not ours.exists()


def test_a_folder_may_be_named_from_here(spec: Path, compiles: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(spec.parent)
    monkeypatch.setenv("AERONEF_CACHE", ".")
    assert cache.folder() == spec.parent
    load_variant(spec)
    load_variant(spec)
    assert compiles == ["mine.yaml"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user who may not write everywhere")
def test_what_can_only_be_read_is_found(spec: Path, compiles: list[str], tmp_path: Path) -> None:
    load_variant(spec)
    (tmp_path / "kept").chmod(0o500)
    load_variant(spec)
    (tmp_path / "kept").chmod(0o700)
    assert compiles == ["mine.yaml"]


def test_a_name_that_looks_like_a_pattern_is_a_name(spec: Path, compiles: list[str]) -> None:
    odd = spec.with_name("my[1].yaml")
    odd.write_text(SPEC, encoding="utf-8")
    load_variant(odd)
    load_variant(odd)
    assert compiles == ["my[1].yaml"]
