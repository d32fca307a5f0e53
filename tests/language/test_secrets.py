"""What is no secret: the lint of secrets (AE709) is silent about sizes, and about what a seat sees itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from aeronef.dsl.compiler import compile_text

BASE = (Path(__file__).parent / "base.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("then: gust if wind else rest", "then: gust if wind and size(pile) > 3 else rest"),
        ("pass(): {do:", 'pass(): {when: "any(c.colour == red for c in hand[me]) or size(hand[me]) == 0", do:'),
    ],
)
def test_what_is_seen_may_decide(was: str, now: str) -> None:
    assert was in BASE
    report = compile_text("base.yaml", BASE.replace(was, now).encode()).report
    assert [d.code for d in report.diagnostics if d.code == "AE709"] == []
