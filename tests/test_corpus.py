"""The corpus: small games in two specs each, one that is sound and one with a fault that an author could make.

A fault's first line says what the deep examination must find, and where; the second what is wrong. Of a sound game it
must find nothing, and of a fault nothing else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

from aeronef.deep.examine import examine
from aeronef.deep.subject import Effort
from aeronef.dsl.codes import DEEP
from aeronef.dsl.diagnostics import SpecError
from aeronef.play_check import check_file

FOLDER = Path(__file__).parent / "corpus"
FAULT = ".fault.yaml"
GAMES = sorted(p.stem for p in FOLDER.glob("*.yaml") if not p.name.endswith(FAULT))
FAULTS = sorted(p.name.removesuffix(FAULT) for p in FOLDER.glob(f"*{FAULT}"))
EFFORT = Effort(states=4_000, games=30, seconds=None)
MOST_LINES = 6  # that a fault changes

Found = tuple[str, str]  # the code and the element


def found(path: Path) -> set[Found]:
    """What the check and the deep examination say of a spec."""
    try:
        report = check_file(path)
        report = examine(path, None, EFFORT, 1, report, lambda done, of: None).report
    except SpecError as error:
        report = error.report
    return {(d.code, "" if d.is_error else d.element) for d in report.errors or report.diagnostics}


@lru_cache
def lines(name: str) -> tuple[str, ...]:
    return tuple((FOLDER / f"{name}{FAULT}").read_text(encoding="utf-8").splitlines())


def expected(name: str) -> set[Found]:
    """`# expect: CODE at ELEMENT, …` (of an error the code alone)."""
    first = lines(name)[0]
    assert first.startswith("# expect: "), first
    each = [part.partition(" at ") for part in first.removeprefix("# expect: ").split(", ")]
    return {(code, element) for code, _, element in each}


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_found_of_a_sound_game(name: str) -> None:
    assert found(FOLDER / f"{name}.yaml") == set()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_and_nothing_else(name: str) -> None:
    assert found(FOLDER / f"{name}{FAULT}") == expected(name)


def test_every_game_has_a_fault_and_every_fault_a_game() -> None:
    assert GAMES == FAULTS
    assert len(GAMES) >= 36


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_its_game_but_for_a_few_lines(name: str) -> None:
    first, why, *rest = lines(name)
    assert re.fullmatch(r"# expect: AE\d{3}( at [\w.]+)?(, AE\d{3}( at [\w.]+)?)*", first)
    assert re.fullmatch(r"# [A-Z].*\.", why)
    assert rest[:2] == [f"game: {name}_fault", f"extends: {name}"]
    assert 0 < len(rest[2:]) <= MOST_LINES


def test_the_corpus_has_a_fault_of_everything_that_is_looked_for() -> None:
    codes = {code for name in FAULTS for code, _ in expected(name)}
    assert set(DEEP) <= codes
    assert {"AE603", "AE710", "AE805"} <= codes
