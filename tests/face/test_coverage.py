"""`aeronef coverage`: what of a spec is exercised, by numbers worked out by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.face.conftest import Cli
from tests.face.specs import FAULTY

# Everybody goes two fields, then seat 0 loads the light parcel. With a pace of 1: five steps (0, 1, 0, 1 go, 0 loads);
# with a pace of 2: three. Nobody comes to field 5 to shout, nobody is far when they go, and the heavy parcel stays.
ERRAND = """\
game: errand
says: Each in turn goes a pace on; who is there first loads a parcel.
players: 2
longest: 20
clauses:
  E1: Everybody stands on a field.
  E2: In turn, go on.
  E3: Who is very far may shout.
  E4: Who is far goes back.
  E5: The pace is agreed on.
  E6: There are two parcels.
  E7: Be nice to each other.
options:
  pace: {type: 1..2, default: 1, by: E5}
cards:
  Parcel:
    attributes: {weight: 1..2}
    kinds:
      - {label: light, weight: 1}
      - {label: heavy, weight: 2}
    by: E6
zones:
  shelf: {of: Parcel, starts: Parcel, seen: everyone}
  cart: {of: Parcel, seen: everyone}
vars:
  field: {each: seat, type: 0..6, starts: 0, seen: everyone, by: E1}
define:
  far(seat p): field[p] > 2
phases:
  walk:
    by: E2
    turns:
      from: 0
      until: size(cart) == 1
    actions:
      go():
        by: E2
        when: field[me] < 2
        do:
          - by: E4
            do: |
              if far(me):
                field[me] := 0
          - field[me] := min(field[me] + pace, 6)
      load(c in shelf where c.weight == 1):
        told: everyone
        when: field[me] == 2
        do: move c from shelf to cart
      shout():
        by: E3
        when: field[me] > 4
        do: field[me] := 5
    then: end
result:
  rank: field[me]
"""

GOES = """\
variant: errand
scenarios:
  - name: both go once
    steps:
      - 0 go()
      - 1 go()
"""


@pytest.fixture
def spec(cli: Cli) -> str:
    Path("errand.yaml").write_text(ERRAND, encoding="utf-8")
    Path("errand.scenarios.yaml").write_text(GOES, encoding="utf-8")
    return "errand.yaml"


def counts(data: dict[str, Any], by: str) -> dict[str, int]:
    return {
        " ".join(filter(None, (point["element"], point["words"], point["side"]))): point[by]
        for point in data["points"]
        if point["kind"] not in ("declared", "effect")
    }


def test_play_is_counted(cli: Cli, spec: str) -> None:
    """One game of each pace: six times go, twice load, eight steps; each step ends with `until`."""
    data = json.loads(cli("coverage", spec, "-n", 1, "--json").out)
    assert data["play"] == {"games": 2, "steps": 8, "choices": 2, "seed": 0, "faults": []}
    walk = "phases.walk"
    assert counts(data, "play") == {
        "define.far far": 6,
        f"{walk} walk": 2,
        f"{walk} until size(cart) == 1 true": 2,
        f"{walk} until size(cart) == 1 false": 6,
        f"{walk}.actions.go go": 6,
        f"{walk}.actions.go when field[me] < 2 true": 6,
        f"{walk}.actions.go when field[me] < 2 false": 2,
        f"{walk}.actions.go if far(me) true": 0,
        f"{walk}.actions.go if far(me) false": 6,
        f"{walk}.actions.load load": 2,
        f"{walk}.actions.load when field[me] == 2 true": 2,
        f"{walk}.actions.load when field[me] == 2 false": 6,
        f"{walk}.actions.load where c.weight == 1 true": 2,
        f"{walk}.actions.load where c.weight == 1 false": 2,
        f"{walk}.actions.shout shout": 0,
        f"{walk}.actions.shout when field[me] > 4 true": 0,
        f"{walk}.actions.shout when field[me] > 4 false": 8,
        "result result": 4,  # two seats in two games
        "cards.Parcel light": 2,
        "cards.Parcel heavy": 0,
        "players players=2": 2,
        "options.pace pace=1": 1,
        "options.pace pace=2": 1,
    }
    # E2 is cited by the phase (2) and by `go` (6), E4 by what changes nothing; nothing cites E7.
    clauses = {clause["id"]: clause["play"] for clause in data["clauses"]}
    assert clauses == {"E1": 2, "E2": 8, "E3": 0, "E4": 0, "E5": 2, "E6": 2}
    assert data["uncited"] == ["E7"]


def test_scenarios_are_counted(cli: Cli, spec: str) -> None:
    data = json.loads(cli("coverage", spec, "-n", 0, "--json").out)
    assert data["scenarios"] == {"files": ["errand.scenarios.yaml"], "run": 1, "failed": []}
    found = counts(data, "scenarios")
    assert found["phases.walk walk"] == 1
    assert found["phases.walk.actions.go go"] == found["define.far far"] == 2
    assert found["options.pace pace=1"] == 1
    assert not any(found[name] for name in ("phases.walk.actions.load load", "cards.Parcel light", "result result"))
    assert not any(counts(data, "play").values())
    clauses = {clause["id"]: clause["scenarios"] for clause in data["clauses"]}
    assert clauses == {"E1": 1, "E2": 3, "E3": 0, "E4": 0, "E5": 1, "E6": 0}


def test_exactly_what_never_happened_is_listed(cli: Cli, spec: str) -> None:
    """What follows from another line (of `shout`, its effect and its test) has no line of its own."""
    done = cli("coverage", spec)
    assert done.status == 1
    tail = done.out[done.out.index("never exercised") :]
    assert tail == (
        "never exercised: 3\n"
        "  errand.yaml:20: cards.Parcel: card `heavy` never moves (E6)\n"
        "  errand.yaml:42: phases.walk.actions.go: test `if far(me)` is never true (E4)\n"
        "  errand.yaml:49: phases.walk.actions.shout is never reached (E3)\n"
        "clauses whose rules are never exercised: 2\n"
        "  errand.yaml:8: E3: Who is very far may shout.\n"
        "  errand.yaml:9: E4: Who is far goes back.\n"
    )


def test_the_scenarios_alone_are_asked_for_with_no_games(cli: Cli, spec: str) -> None:
    done = cli("coverage", spec, "-n", 0)
    missing = [line.partition(": ")[2] for line in done.out.splitlines() if line.startswith("  errand.yaml")]
    assert missing == [
        "options.pace: option `pace=2` is never played (E5)",
        "cards.Parcel: card `light` never moves (E6)",
        "cards.Parcel: card `heavy` never moves (E6)",
        "phases.walk: test `until size(cart) == 1` is never true (E2)",
        "phases.walk.actions.go: test `when field[me] < 2` is never false (E2)",
        "phases.walk.actions.go: test `if far(me)` is never true (E4)",
        "phases.walk.actions.load is never reached (E2)",
        "phases.walk.actions.shout is never reached (E3)",
        "result is never worked out",
        "E3: Who is very far may shout.",
        "E4: Who is far goes back.",
        "E6: There are two parcels.",
    ]


def test_strict_asks_scenarios_for_every_clause(cli: Cli, spec: str) -> None:
    """Without the rules that nothing exercises play finds nothing; no scenario moves a parcel."""
    plain = ERRAND.replace("        by: E3\n", "").replace("by: E4", "by: E2").replace("  E3: ", "  F3: ")
    Path("errand.yaml").write_text(plain.replace("  E4: ", "  F4: "), encoding="utf-8")
    done = cli("coverage", spec)
    assert done.status == 0
    assert "clauses whose" not in done.out
    strict = cli("coverage", spec, "--strict")
    assert strict.status == 1
    assert "other clauses whose rules no scenario exercises: 1\n  errand.yaml:11: E6: There are two" in strict.out


def test_other_scenarios_can_be_named(cli: Cli, spec: str) -> None:
    Path("more.yaml").write_text(GOES.replace("once", "twice") + "      - 0 go()\n      - 1 go()\n", encoding="utf-8")
    both = ("--scenarios", "errand.scenarios.yaml", "--scenarios", "more.yaml")
    data = json.loads(cli("coverage", spec, "-n", 0, "--json", *both).out)
    assert counts(data, "scenarios")["phases.walk.actions.go go"] == 2 + 4
    other = cli("coverage", "pig.yaml", "--scenarios", "more.yaml")
    assert (other.status, other.out) == (2, "")
    Path("more.yaml").write_text(GOES.replace("errand", "parcels"), encoding="utf-8")
    wrong = cli("coverage", spec, "--scenarios", "more.yaml")
    assert wrong.status == 2
    assert "more.yaml: its variant is `parcels`, not `errand`" in wrong.err


def test_a_scenario_that_fails_and_rules_that_break_are_said(cli: Cli, spec: str) -> None:
    Path("errand.scenarios.yaml").write_text(GOES + "      - 1 go()\n", encoding="utf-8")
    done = cli("coverage", spec, "-n", 1)
    assert done.status == 1
    assert "1 scenario (1 fail: aeronef test says why)" in done.out
    Path("faulty.yaml").write_text(FAULTY, encoding="utf-8")
    broken = cli("coverage", "faulty.yaml")
    assert broken.status == 1
    assert "4 is not within 0..3 (faulty.yaml:10)" in broken.out
    assert len(json.loads(cli("coverage", "faulty.yaml", "--json").out)["play"]["faults"]) == 1


def test_there_must_be_something_to_count(cli: Cli, spec: str) -> None:
    Path("errand.scenarios.yaml").unlink()
    done = cli("coverage", spec, "-n", 0)
    assert done.status == 2
    assert "nothing would be exercised" in done.err
    assert cli("coverage", "no_such_game").status == 2


STORMS = """\
game: storms
players: 2
longest: 9
clauses: {K1: A step goes up., K2: "In a storm, a step goes down.", K3: There are storms.}
options:
  expert: {type: bool, default: false}
vars:
  height: {each: seat, type: 0..3, starts: 1, seen: everyone}
phases:
  climb:
    turns: players
    actions:
      climb():
        do:
          - by: K1
            do: height[me] := 2
    then: end
overlays:
  storm:
    when: expert
    by: K3
    change:
      phases:
        climb:
          actions:
            climb:
              do:
                - by: K2
                  do: height[me] := 0
result:
  rank: height[me]
"""


@pytest.mark.parametrize(("expert", "exercised"), [("false", {"K1": 1}), ("true", {"K2": 1, "K3": 1})])
def test_a_clause_is_exercised_under_the_optional_rules_that_cite_it(
    cli: Cli, expert: str, exercised: dict[str, int]
) -> None:
    """One action, whose effect is another one in a storm, and cites another clause."""
    Path("storms.yaml").write_text(STORMS, encoding="utf-8")
    Path("storms.scenarios.yaml").write_text(
        f"variant: storms\nscenarios: [{{name: up, options: {{expert: {expert}}}, steps: [0 climb()]}}]\n"
    )
    data = json.loads(cli("coverage", "storms.yaml", "-n", 0, "--json").out)
    assert data["scenarios"]["failed"] == []
    assert {c["id"]: c["scenarios"] for c in data["clauses"] if c["scenarios"]} == exercised
    assert cli("coverage", "storms.yaml", "-n", 1).status == 0
