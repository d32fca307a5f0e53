"""Boarding the flying saucers: its worked examples and its clauses."""

from __future__ import annotations

from pathlib import Path

import pytest

import aeronef
from aeronef.loading import load_variant
from aeronef.runtime import scenario

VARIANT = load_variant("flying_saucer")
DOCUMENT = scenario.read(
    Path(str(aeronef.loading.library() / "flying_saucer.scenarios.yaml")).read_text(encoding="utf-8"),
    "flying_saucer.scenarios.yaml",
)


@pytest.mark.parametrize("example", DOCUMENT.scenarios, ids=lambda s: s.name)
def test_worked_example(example: scenario.Scenario) -> None:
    result = scenario.run_one(example, lambda players, options: aeronef.load("flying_saucer", players, **options))
    assert result.ok, f"line {result.line}: {result.message}"


def test_every_clause_has_a_worked_example() -> None:
    shown = {clause for example in DOCUMENT.scenarios for clause in example.by}
    assert set(VARIANT.clauses) - shown == set()
