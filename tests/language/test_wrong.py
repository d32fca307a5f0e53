"""Wrong specs, each beside the exact diagnostics that it gets. `pytest --update-golden` rewrites them for review."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aeronef.dsl.codes import CODES, DEEP
from aeronef.dsl.compiler import compile_text
from tests.language.cases import BASE, FOLDER, Case, read_cases, update

CASES = [case for file in sorted((FOLDER / "wrong").glob("*.txt")) for case in read_cases(file)]


def test_the_base_is_right() -> None:
    assert compile_text("base.yaml", BASE.encode()).report.diagnostics == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file.stem}-{case.name}")
def test_wrong(case: Case, tmp_path: Path, update_golden: bool) -> None:
    got = case.run(tmp_path)
    if update_golden:
        update(case.file, case.name, got)
    else:
        assert got == case.out


def test_every_case_has_its_own_name_and_finds_something() -> None:
    names = [case.name for case in CASES]
    assert len(names) >= 75
    assert sorted(set(names)) == sorted(names)
    assert [case.name for case in CASES if not case.out] == []


def test_every_code_has_a_case() -> None:
    """What only `check --deep` finds has a game in tests/corpus, which test_corpus.py sees to."""
    shown = {match[0] for case in CASES for line in case.out if (match := re.match(r"AE\d{3}", line))}
    assert shown == set(CODES) - set(DEEP)
