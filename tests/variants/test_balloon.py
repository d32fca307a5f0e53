"""The balloons: their worked examples, their clauses."""

from __future__ import annotations

from pathlib import Path

import pytest

import aeronef
from aeronef.loading import load_variant
from aeronef.runtime import scenario

VARIANT = load_variant("balloon")
DOCUMENT = scenario.read(
    Path(str(aeronef.loading.library() / "balloon.scenarios.yaml")).read_text(encoding="utf-8"),
    "balloon.scenarios.yaml",
)


@pytest.mark.parametrize("example", DOCUMENT.scenarios, ids=lambda s: s.name)
def test_worked_example(example: scenario.Scenario) -> None:
    result = scenario.run_one(example, lambda players, options: aeronef.load("balloon", players, **options))
    assert result.ok, f"line {result.line}: {result.message}"


def test_every_clause_has_a_worked_example() -> None:
    shown = {clause for example in DOCUMENT.scenarios for clause in example.by}
    assert set(VARIANT.clauses) - shown == set()
