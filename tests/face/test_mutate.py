"""`aeronef mutate`: what is noticed, what survives with a play that tells it, and what is the same game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aeronef.loading import load_variant
from aeronef.mutation import TimedOut, limited
from aeronef.runtime import scenario
from aeronef.runtime.game import Game
from tests.face.conftest import Cli
from tests.games.specs import SPECS

SPEC = """\
game: lamps
says: In turn, light a lamp or wait once; the third ends it, and who lit more wins.
players: 2
longest: 20
clauses:
  L1: Whose turn it is lights a lamp.
  L2: Everybody may wait once.
  L3: With the third lamp it is over.
  L4: Who lit more wins.
vars:
  lit: {each: seat, type: 0..3, starts: 0, seen: everyone, by: L1}
  waited: {each: seat, type: bool, starts: false, seen: viewer == owner, by: L2}
phases:
  light:
    by: L3
    turns:
      from: 0
      until: sum(lit[p] for p in players) >= 3
    actions:
      light():
        by: L1
        when: sum(lit[p] for p in players) < 3
        do: lit[me] := min(lit[me] + 1, 3)
      wait():
        by: L2
        when: not waited[me]
        do: waited[me] := true
    then: end
result:
  rank: lit[me]
  by: L4
"""
SCENARIOS = """\
variant: lamps
scenarios:
  - name: the third lamp ends it
    by: [L1, L3]
    steps:
      - expect: {phase: light, actor: 0, vars: {lit: [0, 0], waited: [false, false]}}
      - 0 light()
      - 1 light()
      - 0 light()
      - expect: {terminal: true, vars: {lit: [2, 1]}}
  - name: one may wait once
    by: L2
    steps:
      - 0 wait()
      - expect: {actor: 1, vars: {waited: [true, false]}}
      - 1 light()
      - expect: {legal: [light()]}
"""
DROPPED = "phases.light.actions.light:test:1"  # what it asks is what `until:` asked: the same game without it


@pytest.fixture
def lamps(tmp_path: Path) -> str:
    (tmp_path / "lamps.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "lamps.scenarios.yaml").write_text(SCENARIOS, encoding="utf-8")
    return "lamps.yaml"


def told(cli: Cli, *words: object) -> dict[str, Any]:
    result = cli("mutate", *words, "--json")
    data: dict[str, Any] = json.loads(result.out)
    assert result.status == (0 if data["ok"] else 1)
    return data


def by_id(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {verdict["id"]: verdict for verdict in data["verdicts"]}


def test_what_a_scenario_asks_is_noticed(cli: Cli, lamps: str) -> None:
    found = by_id(told(cli, lamps))
    end = found["phases.light:number:2"]  # `until: … >= 2`
    assert (end["was"], end["now"]) == (
        "sum(lit[p] for p in players) >= 3",
        "sum(lit[p] for p in players) >= 2",
    )
    assert (end["verdict"], end["killer"], end["by"]) == ("killed", "scenario", ["L3"])
    assert end["what"].startswith("the third lamp ends it: ")
    assert end["line"] == 18
    once = found["phases.light.actions.wait:test:1"]
    assert (once["verdict"], once["killer"]) == ("killed", "scenario")
    assert once["what"].startswith("one may wait once: "), "those that cite the clause come first"


def test_without_scenarios_the_laws_notice_what_breaks_them(cli: Cli, lamps: str, tmp_path: Path) -> None:
    (tmp_path / "lamps.scenarios.yaml").unlink()
    data = told(cli, lamps)
    assert data["scenarios"] == 0
    found = by_id(data)
    assert found["phases.light.actions.light:comparison:2"]["killer"] == "law"
    assert found["phases.light.actions.light:arithmetic:1"]["killer"] == "fault"
    assert found["phases.light:number:2"]["verdict"] == "survived"


def test_a_survivor_comes_with_a_scenario_that_notices_it(cli: Cli, lamps: str, tmp_path: Path) -> None:
    """No scenario looks at the result, or at what others see."""
    data = told(cli, lamps)
    survivors = [verdict for verdict in data["verdicts"] if verdict["verdict"] == "survived"]
    assert {v["id"] for v in survivors} >= {"result:result:1", "vars.waited:visibility:1"}
    text = "".join(v["scenario"].partition("scenarios:\n")[2] for v in survivors)
    more = SCENARIOS + text
    (tmp_path / "lamps.scenarios.yaml").write_text(more, encoding="utf-8")
    document = scenario.read(more, "lamps.scenarios.yaml")
    variant = load_variant(tmp_path / lamps)
    results = scenario.run(document, lambda players, options: Game(variant, players, options))
    assert [result.message for result in results if not result.ok] == []
    better = told(cli, lamps)
    assert better["survived"] == 0
    assert better["score"] == 1.0
    assert better["equal"] == data["equal"]


def test_what_makes_no_difference_is_shown_to_be_the_same(cli: Cli, lamps: str) -> None:
    found = by_id(told(cli, lamps))[DROPPED]
    assert found["verdict"] == "equal"
    (compared,) = found["compared"]
    assert compared["whole"]
    assert compared["players"] == 2
    few = by_id(told(cli, lamps, "--states", 3))[DROPPED]
    assert (few["verdict"], few["compared"][0]["whole"]) == ("survived", False)


def test_what_is_the_same_game_for_few_players_only_is_not_the_same_game(cli: Cli) -> None:
    """The card 3 of Kuhn poker is dealt only where four play."""
    (more,) = told(cli, SPECS["kuhn_poker"], "--at", "cards.Card:copies:4")["verdicts"]
    assert more["verdict"] == "survived"
    assert "players: 4" in more["scenario"]
    words = (SPECS["kuhn_poker"], "--at", "define.rank:number:1", "--states", 500)
    (idle,) = told(cli, *words)["verdicts"]  # nobody is without a card when hands are compared
    assert idle["verdict"] == "survived", "of four players not all is seen"
    assert [(one["players"], one["whole"]) for one in idle["compared"]] == [(2, True), (4, False)]


def test_the_result_is_the_same_for_any_number_of_processes(cli: Cli, lamps: str) -> None:
    words = ("mutate", lamps, "--limit", 8, "--seed", 3)
    one, again, two = cli(*words), cli(*words), cli(*words, "--jobs", 2)
    assert one == again
    assert (two.status, two.out) == (one.status, one.out)
    assert cli("mutate", lamps, "--limit", 8, "--seed", 4).out != one.out


def test_a_sample_and_an_element(cli: Cli, lamps: str) -> None:
    data = told(cli, lamps, "--limit", 5)
    assert data["mutants"] == 5
    assert data["possible"] > 5
    only = told(cli, lamps, "--at", "phases.light.actions")
    assert {v["element"] for v in only["verdicts"]} == {"phases.light.actions.light", "phases.light.actions.wait"}
    (one,) = told(cli, lamps, "--at", DROPPED)["verdicts"]
    assert one["id"] == DROPPED


def test_the_text_says_what_was_what_is_and_where(cli: Cli, lamps: str) -> None:
    result = cli("mutate", lamps)
    assert result.status == 1
    lines = [line.strip() for line in result.out.splitlines()]
    assert lines[0].startswith("lamps.yaml: ")
    assert "2 scenarios of lamps.scenarios.yaml" in lines[0]
    at = lines.index("SURVIVES result:result:1 (L4)")
    assert lines[at + 1] == "lamps.yaml:30:9: lit[me] → -lit[me]"
    assert lines[at + 2] == "ranking would be [2, 1] instead of [1, 2], after:"
    assert "- 0 light()" in lines[at : at + 12]
    assert any(line.startswith(f"{DROPPED}: when: ") and "all " in line for line in lines)
    assert "are noticed" in lines[-1]


def test_a_game_that_fails_its_own_scenarios_is_not_mutated(cli: Cli, lamps: str, tmp_path: Path) -> None:
    (tmp_path / "lamps.scenarios.yaml").write_text(SCENARIOS.replace("lit: [2, 1]", "lit: [1, 2]"), encoding="utf-8")
    result = cli("mutate", lamps)
    assert result.status == 1
    assert result.out == ""
    assert result.err.startswith("lamps.yaml: the game itself fails: the third lamp ends it: ")


def test_bad_calls_are_one_line(cli: Cli, lamps: str, tmp_path: Path) -> None:
    nowhere = cli("mutate", lamps, "--at", "phases.dark")
    assert (nowhere.status, nowhere.out) == (2, "")
    assert "nothing can be changed at `phases.dark`" in nowhere.err
    (tmp_path / "other.yaml").write_text(SCENARIOS.replace("variant: lamps", "variant: candles"), encoding="utf-8")
    other = cli("mutate", lamps, "--scenarios", "other.yaml")
    assert other.status == 2
    assert "its variant is `candles`, and the spec is `lamps`" in other.err
    assert cli("mutate", lamps, "--scenarios", "none.yaml").status == 2
    assert cli("mutate", "none.yaml").status == 2
    (tmp_path / "wrong.yaml").write_text(SPEC.replace("lit[me] + 1", "lamp"), encoding="utf-8")
    assert cli("mutate", "wrong.yaml").status == 1


def test_what_does_not_end_is_timed_out() -> None:
    def endless() -> None:
        with limited(0.05):
            while True:
                pass

    with pytest.raises(TimedOut):
        endless()
    with limited(5):
        pass
