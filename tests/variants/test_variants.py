"""A variant of a shipped game in a few lines: the change that an author has in mind is all that it says and changes."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from aeronef.dsl.compiler import compile_file
from aeronef.loading import library, load_variant
from aeronef.runtime import scenario
from aeronef.runtime.game import Game
from aeronef.runtime.trial import try_laws
from tests.face.conftest import cli

__all__ = ["cli"]

SPEC = Path(__file__).with_name("three_stars.yaml")
VARIANT = load_variant(SPEC)
LINES = 14  # under 15, remarks and all

EXAMPLES = """\
variant: three_stars
scenarios:
  - name: three cards stay beneath the counter
    players: 3
    steps:
      - chance first(2)
      - expect:
          phase: build
          actor: 0
          zones: {reserve: [[0 square, 0 round, "5"], [0 square, 0 round, "5"], [0 square, 0 round, "5"]]}

  - name: a group of 0 is not sent
    players: 3
    given:
      phase: takeoff
      vars: {first: 0, hint_number: [4, 4, 4], hint_shape: [round, round, round]}
      zones:
        hand:
          - [1 square, 2 square, 3 square, 4 square, 2 round, 3 round]
          - [1 square, 2 square, 3 square, 4 square, 1 round, 2 round, 3 round]
          - [1 square, 2 square, 3 square, 4 square, 2 round, 3 round]
        reserve: [[0 square, 0 round, "5"], [0 square, "5"], [0 square, 0 round, "5"]]
        construction: [[4 round], [4 round], [4 round]]
        aboard_round: [[0, 1 round], [1, 0 round], [2, 1 round]]
    steps:
      - expect: {phase: lose_star, actor: 1, vars: {owed: [0, 1, 0]}}

  - name: a group of 0 answers for nothing, even if it is the latest
    players: 3
    given:
      phase: takeoff
      vars: {first: 0, hint_number: [4, 4, 4], hint_shape: [round, round, round]}
      zones:
        hand:
          - [2 square, 3 square, 4 square, 1 round, 2 round, 3 round]
          - [1 square, 2 square, 3 square, 4 square, 1 round, 2 round, 3 round]
          - [1 square, 2 square, 3 square, 4 square, 1 round, 2 round, 3 round]
        reserve: [[0 square, 0 round, "5"], [0 round, "5"], [0 square, 0 round, "5"]]
        construction: [[4 round], [4 round], [4 round]]
        aboard_square: [[0, 1 square], [1, 0 square]]
    steps:
      - expect: {phase: lose_star, actor: 0, vars: {owed: [1, 0, 0]}}
"""


def test_it_is_under_15_lines_and_without_findings() -> None:
    assert len(SPEC.read_text(encoding="utf-8").splitlines()) <= LINES
    assert compile_file(SPEC, library()).report.diagnostics == []


def test_diff_lists_just_what_was_meant(cli: Any) -> None:
    result = cli("diff", "balloon", SPEC, "--json")
    assert result.status == 1
    found = [(d["what"], d["element"]) for d in json.loads(result.out)["differences"]]
    assert found == [
        ("only in A", "options.first_card"),
        ("differs", "define.answers"),
        ("differs", "define.groups"),
        ("differs", "phases.draw_first.then"),
        ("only in A", "phases.keep"),
        ("only in A", "phases.deal"),
    ]


@pytest.mark.parametrize(("players", "options"), [
    (2, {}),
    (3, {"mode": "advanced"}),
    (6, {"first": "1"}),
])  # fmt: skip
def test_it_keeps_the_laws(players: int, options: dict[str, Any]) -> None:
    trial = try_laws(VARIANT, games=3, choices=[(players, Game(VARIANT, players, options).options)])
    assert not trial.failures, trial.failures[0].scenario


def test_its_worked_examples() -> None:
    for result in scenario.run(scenario.read(EXAMPLES, "three_stars.scenarios.yaml"), partial(Game, VARIANT)):
        assert result.ok, f"line {result.line}: {result.message}"
