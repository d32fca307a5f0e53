"""Scenario files, however broken, are answered with a line, never with a traceback."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import aeronef
from aeronef import BadInput
from aeronef.loading import library
from aeronef.runtime import scenario
from aeronef.runtime.game import Game

TEXT = Path(str(library() / "montgolfiere_race.scenarios.yaml")).read_text(encoding="utf-8")
WORDS = [
    "3",
    "null",
    "[1]",
    "{a: 1}",
    "true",
    "phase",
    "hand",
    "chance",
    "1/3",
    "1e99",
    "-1",
    "gas",
    '"',
    ":",
    "[",
    "}",
]
SEED = 11


def load(players: int | None, options: dict[str, Any]) -> Game:
    return aeronef.load("montgolfiere_race", players, **options)


def mutant(number: int) -> str:
    """A few scenarios with one or two words replaced, dropped or doubled."""
    draw = random.Random(SEED * 1_000_003 + number)
    _, *items = re.split(r"(?m)^(?=  - name:)", TEXT)
    parts = re.findall(r"\w+|\s+|[^\w\s]", draw.choice(items))
    for _ in range(draw.randint(1, 2)):
        i = draw.randrange(len(parts))
        parts[i] = draw.choice([draw.choice(WORDS), "", parts[i] * 2, draw.choice(parts)])
    return "variant: montgolfiere_race\nscenarios:\n" + "".join(parts)


def test_a_broken_file_is_answered_with_a_line() -> None:
    answers = {"passed": 0, "failed": 0, "refused": 0}
    for number in range(1500):
        text = mutant(number)
        try:
            results = scenario.run(scenario.read(text, "mutant.yaml"), load)
        except BadInput:
            answers["refused"] += 1
            continue
        except Exception as error:
            pytest.fail(f"mutant {number} of seed {SEED}: {error!r}\n{text}")
        answers["passed" if all(result.ok for result in results) else "failed"] += 1
        assert all(result.ok or (result.message and result.line > 0) for result in results)
    assert min(answers.values()) > 0, f"{answers}, seed {SEED}"


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ('{0: ["chance draw(0, gas)"], 1: ["chance  draw(0, ?)"]}', ""),
        (
            '{1: ["chance draw(0, gas)"]}',
            "heard by 1[0]: expected chance draw(0, gas), found chance draw(0, ?)",
        ),
        ('["chance draw(0, ?)"]', "`heard` is a mapping: seat → list of what it hears of the last step"),
        ('{1: "chance draw(0, ?)"}', "`heard` is a mapping: seat → list of what it hears of the last step"),
        ("{2: []}", "there is no player `2`"),
    ],
)
def test_what_is_heard_of_the_last_step(expected: str, message: str) -> None:
    text = (
        "variant: montgolfiere_race\nscenarios:\n  - name: heard\n    steps:\n"
        f"      - chance draw(0, gas)\n      - expect: {{heard: {expected}}}\n"
    )
    (result,) = scenario.run(scenario.read(text, "heard.yaml"), load)
    assert (result.ok, result.message) == (not message, message)


def test_nothing_is_heard_before_the_first_step() -> None:
    text = "variant: montgolfiere_race\nscenarios:\n  - {name: none, steps: [{expect: {heard: {0: []}}}]}\n"
    (result,) = scenario.run(scenario.read(text, "heard.yaml"), load)
    assert result.message == "nothing is heard before the first step"
