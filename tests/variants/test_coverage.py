"""The scenarios of the shipped variants exercise their rules."""

from pathlib import Path

import pytest

from aeronef.covered import Counting
from aeronef.loading import shipped, spec_path
from aeronef.runtime.scenario import read


@pytest.mark.parametrize("name", shipped())
def test_scenarios_exercise_every_clause_and_rule(name: str) -> None:
    path = Path(spec_path(name))
    beside = path.with_name(f"{name}.scenarios.yaml")
    found = Counting(path).cover([read(beside.read_text(encoding="utf-8"), str(beside))], games=0, seed=0)
    assert all(result.ok for result in found.results)
    assert found.in_no_scenario == []
    assert [f"{p.element}: {p.words} {how}" for p, how in found.missing()] == []
