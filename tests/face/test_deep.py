"""`aeronef check --deep`: proved, found with a play, or not found; what the spec accepts; limits; the small game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aeronef.loading import load_variant
from aeronef.runtime import scenario
from aeronef.runtime.game import Game
from aeronef.runtime.transcript import read, replay
from tests.face.conftest import Cli

# Two seats take one or two stones in turn; whoever takes the last one wins. They may pass where that is allowed.
STONES = """\
game: stones
says: Take one or two stones; the last one wins.
players: 2
longest: 40
options:
  passing: {type: bool, default: false}
vars:
  stones: {type: 0..7, starts: 7, seen: everyone}
  taken: {each: seat, type: 0..7, starts: 0, seen: everyone}
  last: {type: "seat?", seen: everyone}
phases:
  take:
    turns: {from: "left(last) if last != none else 0", until: stones == 0}
    actions:
      take(n in 1..2):
        told: everyone
        when: stones >= n
        do: |
          stones := max(stones - n, 0)
          taken[me] := min(taken[me] + n, 7)
          last := me
      pass():
        when: passing
    then: end
result:
  rank: 1 if last == me else 0
"""


def spec(text: str, name: str = "stones") -> str:
    Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    return f"{name}.yaml"


def deep(cli: Cli, *words: object, status: int = 0) -> dict[str, Any]:
    result = cli("check", *words, "--deep", "--json", "--jobs", 1)
    assert result.status == status, result.out + result.err
    data: dict[str, Any] = json.loads(result.out)
    return data


def answers(data: dict[str, Any], question: str) -> dict[str, str]:
    return {v["setting"]: v["answer"] for v in data["verdicts"] if v["question"] == question}


def findings(data: dict[str, Any]) -> list[tuple[str, str]]:
    return [(d["code"], d["element"]) for d in data["diagnostics"]]


def plays(data: dict[str, Any], code: str) -> list[dict[str, Any]]:
    return [p for v in data["verdicts"] for f in v["findings"] if f["code"] == code for p in f["plays"]]


# ------------------------------------------------------------------------------------------ the three answers


def test_where_all_states_were_looked_at_it_is_proved(cli: Cli) -> None:
    text = STONES.replace("options:\n  passing: {type: bool, default: false}\n", "")
    data = deep(cli, spec(text.replace("      pass():\n        when: passing\n", "")))
    for question in ("rules", "dead ends", "endings"):
        assert answers(data, question) == {"2 players": "proved"}
    assert data["verdicts"][2]["notes"][0] == "every game ends after 7 steps at most"


def test_what_is_found_comes_with_its_shortest_play(cli: Cli) -> None:
    data = deep(cli, spec(STONES), "-o", "passing=true", status=1)
    assert findings(data) == [("AE712", "phases.take")]
    [play] = plays(data, "AE712")
    assert [step["step"] for step in play["steps"]] == ["0 pass()", "1 pass()"]
    assert (play["returns"], play["among"]) == (0, "of all")


def test_a_play_can_be_pasted_and_replayed(cli: Cli) -> None:
    [play] = plays(deep(cli, spec(STONES), "-o", "passing=true", status=1), "AE712")
    variant = load_variant("stones.yaml")
    document = scenario.read(play["scenario"], "pasted.yaml")
    assert all(r.ok for r in scenario.run(document, lambda players, options: Game(variant, players, options)))
    games = read(play["transcript"].encode())
    results = list(replay(games, lambda name, players, options: Game(variant, players, options)))
    assert [one.difference for one in results] == [None]


def test_what_is_not_found_says_how_much_was_looked_at(cli: Cli) -> None:
    data = deep(cli, "montgolfiere_race", "--players", 2, "--states", 300, "-n", 3, "--seed", 5)
    [verdict] = [v for v in data["verdicts"] if v["question"] == "rules"]
    assert verdict["answer"] == "not found"
    assert "3 random games, seed 5" in verdict["because"]
    assert verdict["looked_at"]["random games"] == 3
    assert 0 < verdict["looked_at"]["states"] < 4 * 300


# ------------------------------------------------------------------------------------------ what the spec accepts

ACCEPTS = """
accepts:
  - {finding: AE712, at: phases.take, when: passing, why: Nobody has to take.}
"""


def test_an_accepted_finding_is_listed_with_its_play(cli: Cli) -> None:
    result = cli("check", spec(STONES + ACCEPTS), "--deep")
    assert result.status == 0, result.out
    assert "accepted: AE712 at phases.take when passing (Nobody has to take.)" in result.out
    assert "again and again:\n          take: 0 pass(), 1 pass()" in result.out


def test_an_acceptance_of_what_is_proved_not_to_be_is_a_finding(cli: Cli) -> None:
    stale = ACCEPTS.replace("when: passing", "when: not passing")
    data = deep(cli, spec(STONES + stale), status=1)
    assert sorted(findings(data)) == [("AE708", "accepts"), ("AE712", "phases.take")]
    assert findings(deep(cli, spec(STONES + ACCEPTS), "-o", "passing=false")) == []


def test_what_may_be_there_where_nobody_looked_is_no_finding(cli: Cli) -> None:
    tie = "variants/balloon.yaml accepts ties, and few random games have one"
    data = deep(cli, "balloon", "--players", 3, "--states", 200, "-n", 2)
    assert findings(data) == [], tie


# ------------------------------------------------------------------------------------------ the small game

SMALL = """
small:
  change:
    vars: {stones: {starts: 3}}
"""


def test_the_small_game_is_looked_at_too(cli: Cli) -> None:
    data = deep(cli, spec(STONES + SMALL + ACCEPTS))
    longest = {v["setting"]: v["notes"] for v in data["verdicts"] if v["question"] == "endings"}
    assert longest["2 players"][0] == "every game ends after 7 steps at most"
    assert longest["2 players, small"][0] == "every game ends after 3 steps at most"
    assert "2 players, passing=true, small" in longest


def test_only_the_small_game_is_looked_at_where_that_is_asked(cli: Cli) -> None:
    data = deep(cli, spec(STONES + SMALL + ACCEPTS), "--small")
    assert [one["label"] for one in data["settings"]] == ["2 players, small"]
    assert "no `small:`" in cli("check", spec(STONES), "--deep", "--small").err


def test_a_small_game_that_is_none_is_an_error_of_the_spec(cli: Cli) -> None:
    result = cli("check", spec(STONES + SMALL.replace("stones:", "stoness:")))
    assert result.status == 1
    assert "there is no `vars.stoness` to change" in result.out


def test_the_compiled_game_knows_nothing_of_the_small_one(cli: Cli) -> None:
    one = load_variant(spec(STONES))
    assert load_variant(spec(STONES + SMALL, "other")).spec == one.spec


# ------------------------------------------------------------------------------------------ limits, files, the call


def test_exploring_goes_on_from_a_file(cli: Cli) -> None:
    call = ("montgolfiere_race", "--players", 2, "-n", 0, "--resume", "race.states")
    first = deep(cli, *call, "--states", 200)
    again = deep(cli, *call, "--states", 400)
    at_once = deep(cli, *call[:-1], "other.states", "--states", 400)
    explored = [d["verdicts"][0]["because"].split(" states")[0] for d in (first, again, at_once)]
    assert explored[1] == explored[2] != explored[0]


def test_a_file_of_another_game_is_refused(cli: Cli) -> None:
    deep(cli, "montgolfiere_race", "--players", 2, "--resume", "race.states", "--states", 50, "-n", 0)
    result = cli("check", "montgolfiere_race", "--deep", "--players", 3, "--resume", "race.states")
    assert result.status == 2
    assert "these states are of another game" in result.err
    assert "say which" in cli("check", "montgolfiere_race", "--deep", "--resume", "race.states").err


def test_options_of_deep_go_with_deep(cli: Cli) -> None:
    result = cli("check", spec(STONES), "--states", 10, "--report", "x.html")
    assert result.status == 2
    assert "--states, --report go with --deep" in result.err


@pytest.mark.parametrize("words", [["--players", 9], ["-o", "passing=maybe"], ["-o", "nothing=1"]])
def test_a_game_that_is_not_there_is_refused(cli: Cli, words: list[object]) -> None:
    result = cli("check", spec(STONES), "--deep", *words)
    assert result.status == 2
    assert result.err.startswith("error: ")


def test_a_spec_that_does_not_compile_is_said(cli: Cli) -> None:
    result = cli("check", spec(STONES.replace("stones >= n", "stones >= m")), "--deep")
    assert result.status == 1
    assert "AE401" in result.out


def test_processes_find_the_same(cli: Cli) -> None:
    words = ["check", spec(STONES + SMALL + ACCEPTS), "--deep", "--json", "--seconds", 1000]
    one, two = (json.loads(cli(*words, "--jobs", jobs).out) for jobs in (1, 2))
    assert one == two


def test_a_game_that_cannot_start_is_found(cli: Cli) -> None:
    text = STONES.replace("  take:\n", "  begin:\n    do: stones := taken[0] - 1\n    then: take\n  take:\n", 1)
    text += "accepts: [{finding: AE701, at: phases.begin, why: Nobody knows.}]\n"
    assert ("AE714", "phases.begin") in findings(deep(cli, spec(text), status=1))


# ------------------------------------------------------------------------------------------ what is not claimed

COIN = """\
game: coin
players: 2
longest: 2
vars:
  face: {type: 0..9, starts: 0, seen: everyone}
phases:
  throw:
    chance: once
    outcomes:
      show(n from 0..9): {told: everyone, do: "face := n"}
    then: end if face == 9 else throw
result:
  returns: face
"""
STUCK = """\
game: stuck
players: 2
longest: 30
vars:
  heap: {type: 0..5, starts: 5, seen: everyone}
phases:
  take:
    turns: {from: 0, until: "false"}
    actions:
      take(n in 1..2 where n <= heap):
        told: everyone
        do: heap := max(heap - n, 0)
    then: end
result:
  returns: heap
"""
BIDS = """\
game: bids
players: 2..4
longest: 20
vars:
  bid: {each: seat, type: 0..4, starts: 0, seen: everyone}
phases:
  bid:
    turns: {from: 0, until: "all(bid[p] > 0 for p in players)"}
    actions:
      bid(n in 1..4):
        when: all(bid[p] != n for p in players) or size(players) == 3
        told: everyone
        do: bid[me] := n
    then: end
result:
  rank: bid[me]
"""
TIE = "accepts:\n  - {finding: AE715, at: result, why: With three a tie is shared.}\n"
CUT = "accepts:\n  - {finding: AE721, at: longest, why: Nobody throws for ever.}\n"


def test_where_chance_ends_a_game_it_may_still_be_cut(cli: Cli) -> None:
    assert findings(deep(cli, spec(COIN, "coin"), status=1)) == [("AE721", "longest")]
    data = deep(cli, spec(COIN + CUT, "coin"))
    assert [a["code"] for a in data["accepted"]] == ["AE721"]


def test_a_dead_end_is_no_end(cli: Cli) -> None:
    data = deep(cli, spec(STUCK, "stuck"), status=1)
    assert findings(data) == [("AE711", "phases.take")]
    assert answers(data, "endings") == {"2 players": "not found"}
    [play] = plays(data, "AE711")
    assert '"legal": []' in play["scenario"]


def test_what_was_not_looked_at_is_not_missing(cli: Cli) -> None:
    """Ties are with three players, and the fewest and the most are looked at."""
    assert findings(deep(cli, spec(BIDS + TIE, "bids"))) == []
    data = deep(cli, spec(BIDS + TIE, "bids"), "--players", 3)
    assert [a["code"] for a in data["accepted"]] == ["AE715"]
    [play] = plays(data, "AE715")
    assert '"ranking": [1, 1, ' in play["scenario"]


def test_an_acceptance_of_nowhere_is_a_finding(cli: Cli) -> None:
    text = BIDS + TIE + "  - {finding: AE711, at: phases.nowhere, why: Nobody knows.}\n"
    assert findings(deep(cli, spec(text, "bids"), status=1)) == [("AE708", "accepts")]


def test_ties_are_remembered_with_the_states(cli: Cli) -> None:
    call = (spec(BIDS + TIE, "bids"), "--players", 3, "--resume", "bids.states")
    first, again = deep(cli, *call), deep(cli, *call)
    assert answers(first, "ties") == answers(again, "ties") == {"3 players": "found"}


def test_who_begins_is_told_from_who_wins(cli: Cli) -> None:
    award = (
        "  award:\n    do: |\n      let w = first([p in players by bid[p] down])\n      bid[w] := 0\n    then: end\n"
    )
    text = BIDS.replace("    then: end\n", "    then: award\n" + award, 1).replace("rank: bid", "returns: bid")
    assert findings(deep(cli, spec(text, "bids"), "--players", 3, status=1)) == [("AE718", "phases.award")]


def test_a_play_of_the_small_game_says_so(cli: Cli) -> None:
    data = deep(cli, spec(STONES + SMALL + ACCEPTS), "--small", "-o", "passing=true")
    [play] = plays(data, "AE712")
    assert play["scenario"].startswith("# Of the game that `small:` makes of it")


def test_a_file_that_cannot_be_written_is_said_first(cli: Cli) -> None:
    for words in (["--report", "nowhere/x.html"], ["--players", 2, "--resume", "nowhere/x"]):
        result = cli("check", spec(STONES), "--deep", *words)
        assert (result.status, result.out) == (2, "")
        assert "there is no such folder" in result.err
