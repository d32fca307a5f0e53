"""The command line: what each command prints, and what every mistake looks like."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import aeronef
from aeronef.dsl.codes import CODES
from aeronef.loading import shipped
from aeronef.progress import Bar
from aeronef.runtime import machine
from tests.face.conftest import Cli, Result, command, environment
from tests.face.specs import ENDLESS, FAULTY, WRONG
from tests.games.specs import SPECS

RACE = "montgolfiere_race"
FERRY = SPECS["ferry"]
COMMANDS = (
    "list", "check", "compile", "diff", "explain", "run", "replay", "test", "coverage", "mutate", "new",
)  # fmt: skip


def write(path: str, text: str) -> str:
    Path(path).write_text(text, encoding="utf-8")
    return path


# ------------------------------------------------------------------------------------------ help


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_command_has_help_with_an_example(cli: Cli, name: str) -> None:
    for flag in ("--help", "-h"):
        result = cli(*([name] if name else []), flag)
        assert result.status == 0
        assert "Example" in result.out
        assert f"aeronef {name}" in result.out


def test_without_a_command_there_is_help(cli: Cli) -> None:
    assert cli() == cli("--help")


def test_the_version_is_said(cli: Cli) -> None:
    assert cli("--version").out.startswith("aeronef 0.")


# ------------------------------------------------------------------------------------------ list, explain


def test_list_shows_every_shipped_variant_with_its_options(cli: Cli) -> None:
    result = cli("list")
    assert result.status == 0
    assert f"{RACE}, 2 to 6 players" in result.out
    assert "ask, open, closed" in result.out
    assert [variant["name"] for variant in json.loads(cli("list", "--json").out)] == shipped()


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained_with_a_wrong_and_a_right_example(cli: Cli, code: str) -> None:
    result = cli("explain", code.lower())
    assert result.status == 0
    assert result.out.startswith(f"{code} ({CODES[code].level}): {CODES[code].title}\n")
    assert "wrong:" in result.out
    assert "right:" in result.out


def test_explain_without_a_code_lists_them_all(cli: Cli) -> None:
    assert [line.split()[0] for line in cli("explain").out.splitlines()] == list(CODES)


# ------------------------------------------------------------------------------------------ check


def test_check_of_a_clean_spec_finds_nothing(cli: Cli) -> None:
    result = cli("check", RACE)
    assert (result.status, result.err) == (0, "")


def test_check_shows_each_mistake_with_its_code_place_and_excerpt(cli: Cli) -> None:
    result = cli("check", write("wrong.yaml", WRONG))
    assert result.status == 1
    assert "wrong.yaml:11:24: error AE401: " in result.out
    excerpt = "    11 |           score[me] := skore[me]\n       |                        ^^^^^"
    assert excerpt in result.out
    assert "hint: did you mean `score`?" in result.out
    assert "wrong.yaml:4:43: error AE502: " in result.out


def test_check_as_json_holds_the_same(cli: Cli) -> None:
    found = json.loads(cli("check", "--json", write("wrong.yaml", WRONG)).out)
    assert found["ok"] is False
    assert [(d["code"], d["line"], d["column"]) for d in found["diagnostics"]] == [("AE502", 4, 43), ("AE401", 11, 24)]


def test_a_finding_alone_has_status_1_and_still_compiles(cli: Cli) -> None:
    write("endless.yaml", ENDLESS)
    result = cli("check", "endless.yaml")
    assert result.status == 1
    assert "finding AE703" in result.out
    assert cli("compile", "endless.yaml").status == 0


def test_check_plays_and_finds_what_may_not_end(cli: Cli) -> None:
    text = FERRY.read_text(encoding="utf-8").partition("accepts:")[0]
    result = cli("check", write("ferry.yaml", text))
    assert result.status == 1
    assert "finding AE710: `boarding` may go on for ever: in a random game (2 players, reading=literal" in result.out
    assert "accepts: [{finding: AE710, at: phases.boarding, why: …}]" in result.out
    [found] = json.loads(cli("check", "--json", "ferry.yaml").out)["diagnostics"]
    assert (found["code"], found["level"], found["element"]) == ("AE710", "finding", "phases.boarding")
    assert cli("compile", "ferry.yaml").err == ""


def test_check_ends_with_what_is_accepted(cli: Cli) -> None:
    result = cli("check", FERRY)
    assert result.status == 0
    message = (
        "`boarding` may go on for ever: in a random game (2 players, reading=literal, calm=false) the same 2 states"
        " return from step 12 on (boarding: 0 wave(), 1 wave())"
    )
    assert result.out.splitlines()[-2:] == [
        "accepted: AE710 at phases.boarding when reading == literal"
        " (The text taken at its word lets the porters wave for ever.)",
        f"          {message}",
    ]
    found = json.loads(cli("check", "--json", FERRY).out)
    assert (found["ok"], found["diagnostics"]) == (True, [])
    assert found["accepted"] == [{
        "code": "AE710", "element": "phases.boarding", "message": message, "when": "reading == literal",
        "why": "The text taken at its word lets the porters wave for ever.",
    }]  # fmt: skip


def test_an_acceptance_is_not_said_to_be_of_nothing_where_too_little_was_played(cli: Cli) -> None:
    text = ENDLESS.replace("longest: 30", "longest: 10000000")
    accepts = "accepts:\n  - {finding: AE703, at: phases.go, why: So be it.}\n"
    accepts += "  - {finding: AE710, at: phases.AT, why: So be it.}\n"
    assert cli("check", write("long.yaml", text + accepts.replace("AT", "go"))).status == 0
    result = cli("check", write("long.yaml", text + accepts.replace("AT", "gone")))
    assert (result.status, "finding AE708" in result.out) == (1, True)


def test_excerpts_show_no_control_characters(cli: Cli) -> None:
    result = cli("check", write("wrong.yaml", WRONG.replace("skore", "sk\u202eore")))
    assert "\u202e" not in result.out


# ------------------------------------------------------------------------------------------ compile


def test_the_shipped_variants_are_fresh(cli: Cli) -> None:
    result = cli("compile", "--check")
    assert result.status == 0, result.err
    assert result.out.count("is fresh") == len(shipped())


def test_compile_writes_beside_the_spec_or_where_it_is_told(cli: Cli) -> None:
    write("endless.yaml", ENDLESS)
    os.mkdir("built")
    assert cli("compile", "endless.yaml").status == 0
    assert cli("compile", "endless.yaml", "--output", "built").status == 0
    assert Path("endless.py").read_bytes() == Path("built/endless.py").read_bytes()
    assert cli("compile", "endless.yaml", "--emit", "python").out == Path("endless.py").read_text(encoding="utf-8")
    assert cli("compile", "endless.yaml", "--emit", "ir").out.startswith("game endless: 2..2")
    assert cli("compile", "endless.yaml", "--emit", "plan").out.startswith("phase ")


def test_compile_check_names_the_first_stale_line_and_writes_nothing(cli: Cli) -> None:
    write("endless.yaml", ENDLESS)
    missing = cli("compile", "--check", "endless.yaml")
    assert missing.status == 1
    assert "endless.py is missing" in missing.err
    assert not Path("endless.py").exists()
    cli("compile", "endless.yaml")
    stale = Path("endless.py").read_text(encoding="utf-8").splitlines(keepends=True)
    stale[4] = "something else\n"
    text = write("endless.py", "".join(stale)) and "".join(stale)
    result = cli("compile", "--check", "endless.yaml")
    assert result.status == 1
    assert "endless.py is stale, from line 5 on" in result.err
    assert Path("endless.py").read_text(encoding="utf-8") == text


def test_nothing_is_written_where_one_of_several_specs_does_not_compile(cli: Cli) -> None:
    result = cli("compile", write("endless.yaml", ENDLESS), write("wrong.yaml", WRONG))
    assert result.status == 1
    assert "AE401" in result.err
    assert not Path("endless.py").exists()


def test_two_specs_of_one_name_are_not_written_over_each_other(cli: Cli) -> None:
    write("a.yaml", ENDLESS)
    write("b.yaml", ENDLESS.replace("longest: 30", "longest: 31"))
    os.mkdir("out")
    for call in (("--output", "out"), ("--check",), ()):
        result = cli("compile", "a.yaml", "b.yaml", *call)
        assert (result.status, result.out) == (2, "")
        assert result.err.splitlines()[-1].startswith("error: `a.yaml` and `b.yaml` are both the game `endless`")
        assert os.listdir("out") == []
        assert not Path("endless.py").exists()
    assert cli("compile", "a.yaml", "./a.yaml", "--output", "out").status == 0
    assert cli("compile", "a.yaml", "b.yaml", "--emit", "ir").status == 0


# ------------------------------------------------------------------------------------------ diff


def test_diff_of_a_game_with_itself_finds_nothing(cli: Cli) -> None:
    result = cli("diff", RACE, RACE)
    assert (result.status, result.err) == (0, "")
    assert "the rules are the same" in result.out


def test_diff_of_one_game_under_two_options(cli: Cli) -> None:
    result = cli("diff", RACE, "-o", "squadron=ask", "--to", "squadron=closed")
    assert result.status == 1
    assert (
        result.out
        == """\
montgolfiere_race squadron=ask → montgolfiere_race squadron=closed

phases
  show, who acts: p in players where count(q in players where level(p, q)) >= 2 → nobody

invariants
  hands are shown only to those who may choose to
    squadron=ask: all(not shown[p] or not automaton(p) for p in seats)
    squadron=closed: all(not shown[p] for p in seats)
"""
    )


def test_diff_of_an_overlay_and_its_base(cli: Cli) -> None:
    games = Path(__file__).parents[1] / "games"
    result = cli("diff", games / "tidewall.yaml", games / "high_tide.yaml")
    assert result.status == 1
    assert (
        result.out
        == """\
tidewall → high_tide

players
  how many: 2..4 → 2..3

dice
  TideDie: 3 × ebb, 2 × swell, 1 × surge → 3 × ebb, 2 × swell, 2 × surge

variables
  water, at the start: size(players) → size(players) + 1

actions
  only in tidewall
    build: dump(cs in min(2, size(hand[me])) of hand[me]) when size(hand[me]) > 0
      move cs from hand[me] to sea
      water := max(water - 1, 0)
"""
    )
    found = json.loads(cli("diff", "--json", games / "tidewall.yaml", games / "high_tide.yaml").out)
    assert [(d["topic"], d["what"]) for d in found["differences"]] == [
        ("players", "differs"), ("dice", "differs"), ("variables", "differs"), ("actions", "only in A"),
    ]  # fmt: skip
    assert found["differences"][3]["place_b"] is None
    assert found["differences"][3]["place_a"]["file"].endswith("tidewall.yaml")


def test_diff_settles_options_of_the_other_game_too(cli: Cli) -> None:
    games = Path(__file__).parents[1] / "games"
    both = cli("diff", games / "tidewall.yaml", games / "high_tide.yaml", "-o", "mason=false", "--players", 3)
    assert both.status == 1
    assert "options" not in both.out
    assert "players" not in both.out
    assert "water, at the start: 3 → 4" in both.out
    one = cli("diff", games / "tidewall.yaml", games / "high_tide.yaml", "-o", "mason=false", "--to", "days=5")
    assert one.out.startswith("tidewall mason=false days=5 → high_tide days=5")  # the default of the one is settled too


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((RACE,), "say what to compare it with"),
        ((RACE, "nothing.yaml"), "there is no file `nothing.yaml`"),
        ((RACE, "--to", "wind=1"), "has no option `wind`"),
        ((RACE, "--to", "squadron=half"), "the option squadron cannot be `half` (there is: ask, open, closed)"),
        ((RACE, "--to", "target=many"), "the option target cannot be `many` (there is: 0..1000)"),
        ((RACE, "--to", "squadron"), "NAME=VALUE"),
        ((RACE, "--to", "squadron=ask", "--players", 7), "is for 2 to 6 players, not 7"),
        ((RACE, "--to", "baron=true", "--players", 6), "do not go together"),
    ],
)
def test_diff_of_bad_input_has_status_2(cli: Cli, words: tuple[str, ...], message: str) -> None:
    result = cli("diff", *words)
    assert (result.status, result.out) == (2, "")
    assert message in result.err


def test_diff_of_a_spec_that_does_not_compile_has_status_2(cli: Cli) -> None:
    result = cli("diff", RACE, write("wrong.yaml", WRONG))
    assert (result.status, result.out) == (2, "")
    assert "wrong.yaml:11:24: error AE401: " in result.err
    assert "does not compile" in result.err


# ------------------------------------------------------------------------------------------ run


def test_run_prints_the_same_table_on_every_run_whatever_the_jobs(process: Cli, tmp_path: Path) -> None:
    call = ("run", RACE, "--players", "4", "-n", "120", "--seed", "1", "-o", "baron=true")
    one = process(*call, "--transcript", "one.jsonl")
    two = process(*call, "--transcript", "two.jsonl", "--jobs", "2")
    assert one.status == two.status == 0
    assert one.out == two.out == process(*call).out
    assert "120 games of seed 1" in one.out
    assert "4 (automaton)" in one.out
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_run_as_json_is_one_object_that_adds_up(cli: Cli) -> None:
    found = json.loads(cli("run", RACE, "-n", "60", "--players", "3", "--seed", "2", "--json").out)
    assert (found["variant"], found["players"], found["games"], found["seed"]) == (RACE, 3, 60, 2)
    assert found["options"] == {"baron": False, "squadron": "ask", "target": 0}
    assert sum(found["ended"].values()) == 60
    assert sum(seat["wins"] for seat in found["seats"]) == found["ended"]["one_winner"]
    assert sum(seat["mean_return"] for seat in found["seats"]) == pytest.approx(1)
    for seat in found["seats"]:
        low, high = seat["interval_95"]
        assert low <= seat["wins"] / 60 <= high


def test_games_that_reach_the_longest_length_are_reported_as_cut(cli: Cli) -> None:
    write("endless.yaml", ENDLESS)
    result = cli("run", "endless.yaml", "-n", "20", "--transcript", "t.jsonl")
    assert result.status == 0
    assert "20 games were cut at step 30, the spec's `longest`: in phase go 20, first game 0" in result.out
    assert '{"cut": true, "steps": 30, "why": "' in Path("t.jsonl").read_text(encoding="utf-8")
    assert cli("replay", "t.jsonl").status == 0


COUNTING = """\
game: counting
players: 2
longest: 30
vars:
  n: {type: 0..99, starts: 0, seen: everyone}
phases:
  go:
    turns: {from: 0, until: n == 99}
    actions:
      wait(): {do: "n := min(n + 1, 99)"}
    then: end
result: {rank: n}
measures:
  steps of a seat: {each: p in players where p == me, at: go.wait}
  never: {each: p in players where p == me and n > 99, at: go.wait}
  the end: 1
  halves: {at: go.wait, is: even(n)}
  numbers: {each: k in 0..99 where k == n, at: go.wait, is: n}
"""


def test_what_a_spec_measures_is_shown_in_tables(cli: Cli) -> None:
    """Of games that are all cut: nothing is observed at their end."""
    write("counting.yaml", COUNTING)
    result = cli("run", "counting.yaml", "-n", "20")
    assert result.status == 0
    shown = result.out[result.out.index("measure ") : result.out.index("20 games were cut")]
    assert (
        shown
        == """\
measure   observations    mean     95% interval   fewest   most
───────────────────────────────────────────────────────────────
the end              0       -                -        -      -
halves             600   50.0%   50.0% to 50.0%        -      -

steps of a seat
seat   observations   a game     95% interval
─────────────────────────────────────────────
0               300    15.00   15.00 to 15.00
1               300    15.00   15.00 to 15.00

never
  was never observed

numbers
k    observations   a game    mean     95% interval
───────────────────────────────────────────────────
0              20     1.00    0.00     0.00 to 0.00
1              20     1.00    1.00     1.00 to 1.00
2              20     1.00    2.00     2.00 to 2.00
3              20     1.00    3.00     3.00 to 3.00
4              20     1.00    4.00     4.00 to 4.00
5              20     1.00    5.00     5.00 to 5.00
6              20     1.00    6.00     6.00 to 6.00
7              20     1.00    7.00     7.00 to 7.00
8              20     1.00    8.00     8.00 to 8.00
9              20     1.00    9.00     9.00 to 9.00
10             20     1.00   10.00   10.00 to 10.00
11             20     1.00   11.00   11.00 to 11.00
12             20     1.00   12.00   12.00 to 12.00
13             20     1.00   13.00   13.00 to 13.00
14             20     1.00   14.00   14.00 to 14.00
15             20     1.00   15.00   15.00 to 15.00
16             20     1.00   16.00   16.00 to 16.00
17             20     1.00   17.00   17.00 to 17.00
18             20     1.00   18.00   18.00 to 18.00
19             20     1.00   19.00   19.00 to 19.00
20             20     1.00   20.00   20.00 to 20.00
21             20     1.00   21.00   21.00 to 21.00
22             20     1.00   22.00   22.00 to 22.00
23             20     1.00   23.00   23.00 to 23.00
24             20     1.00   24.00   24.00 to 24.00
25             20     1.00   25.00   25.00 to 25.00
26             20     1.00   26.00   26.00 to 26.00
27             20     1.00   27.00   27.00 to 27.00
28             20     1.00   28.00   28.00 to 28.00
29             20     1.00   29.00   29.00 to 29.00

"""
    )
    many = cli("run", write("many.yaml", COUNTING.replace("longest: 30", "longest: 90")), "-n", "2")
    assert "and 60 more (--json has all)" in many.out


def test_what_a_spec_measures_is_in_the_json(cli: Cli) -> None:
    write("counting.yaml", COUNTING)
    found = json.loads(cli("run", "counting.yaml", "-n", "20", "--json").out)["measures"]
    assert list(found) == ["steps of a seat", "never", "the end", "halves", "numbers"]
    assert found["the end"] == {
        "form": "number", "observations": 0, "a_game": 0.0, "mean": None, "interval_95": None, "fewest": None,
        "most": None,
    }  # fmt: skip
    assert found["never"] == {"form": "count", "keys": ["seat"], "rows": []}
    assert found["halves"]["mean"] == 0.5
    assert len(found["numbers"]["rows"]) == 30
    assert found["numbers"]["rows"][7] == {
        "key": [7], "observations": 20, "a_game": 1.0, "mean": 7.0, "interval_95": [7.0, 7.0],
    }  # fmt: skip


def test_games_that_nothing_can_end_are_counted_and_one_is_shown(cli: Cli) -> None:
    call = ("run", FERRY, "-n", "60", "-o", "reading=literal")
    result = cli(*call, "--transcript", "t.jsonl")
    assert result.status == 0
    found = json.loads(cli(*call, "--json").out)
    example, number = found["endless"], found["ended"]["endless"]
    assert (number > 0, found["ended"]["cut"], found["cut"]) == (True, 0, {})
    why = f"endless: from step {example['since']} the same 2 states return for ever (boarding: "
    assert f"{number} games were cut because nothing could end them any more: game {example['game']} of" in result.out
    assert why in result.out
    assert re.search(rf"^endless +{number} ", result.out, re.MULTILINE)
    assert Path("t.jsonl").read_text(encoding="utf-8").count('"why": "endless: ') == number
    assert cli("replay", "t.jsonl", "--spec", FERRY).status == 0
    assert json.loads(cli("run", FERRY, "-n", "20", "--json").out)["endless"] is None


def test_endless_games_are_the_same_whatever_the_jobs(process: Cli) -> None:
    call = ("run", FERRY, "-n", "60", "-o", "reading=literal")
    assert process(*call).out == process(*call, "--jobs", "2").out


def test_rules_that_break_in_play_are_reported_with_their_place_and_game(cli: Cli) -> None:
    write("faulty.yaml", FAULTY)
    results = [cli("run", "faulty.yaml", "-n", "50", "--transcript", "t.jsonl", "--jobs", jobs) for jobs in (1, 2)]
    for result in results:
        assert result.status == 1
        assert result.err.startswith("error: the rules break in game ")
        assert "of seed 0: faulty.yaml:10: " in result.err
        assert "phase go: " in result.err
        assert os.listdir() == ["faulty.yaml"]
    assert results[0] == results[1]


def test_run_of_a_spec_that_does_not_compile_shows_why(cli: Cli) -> None:
    result = cli("run", write("wrong.yaml", WRONG))
    assert (result.status, result.out) == (1, "")
    assert "wrong.yaml:11:24: error AE401: " in result.err


# ------------------------------------------------------------------------------------------ transcripts


def test_a_transcript_replays_and_a_changed_line_is_pinpointed(cli: Cli) -> None:
    cli("run", RACE, "--players", "3", "-n", "3", "--transcript", "t.jsonl", "--full")
    good = cli("replay", "t.jsonl")
    assert (good.status, good.err) == (0, "")
    assert "3 games replay" in good.out
    split = Path("t.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    line = json.loads(split[40])
    line["state"]["vars"]["altitude"][1] = 15
    split[40] = json.dumps(line, ensure_ascii=False) + "\n"
    write("t.jsonl", "".join(split))
    bad = cli("replay", "t.jsonl")
    assert bad.status == 1
    assert "t.jsonl: game 0 parts at line 41: state.vars.altitude[1]: there stands 15, expected " in bad.out
    assert "2 of 3 games replay" in bad.out
    found = json.loads(cli("replay", "t.jsonl", "--json").out)
    assert [game["difference"] and game["difference"]["line"] for game in found["games"]] == [41, None, None]


def test_a_transcript_of_another_spec_is_said_first(cli: Cli) -> None:
    write("endless.yaml", ENDLESS)
    cli("run", "endless.yaml", "-n", "2", "--transcript", "t.jsonl")
    write(
        "endless.yaml", ENDLESS.replace("      stay(): {}\n", "").replace("go:", "on:").replace("then: go", "then: on")
    )
    result = cli("replay", "t.jsonl")
    assert result.status == 1
    first, second, *_ = result.out.splitlines()
    assert "the spec differs" in first
    assert 'line 2: phase: there stands "go", expected "on"' in second


def test_a_transcript_finds_its_spec_beside_it_or_where_it_is_told(cli: Cli) -> None:
    os.mkdir("there")
    write("there/endless.yaml", ENDLESS)
    cli("run", "there/endless.yaml", "-n", "1", "--transcript", "there/t.jsonl")
    assert cli("replay", "there/t.jsonl").status == 0
    os.rename("there/t.jsonl", "t.jsonl")
    assert cli("replay", "t.jsonl").status == 2
    assert cli("replay", "t.jsonl", "--spec", "there/endless.yaml").status == 0


# ------------------------------------------------------------------------------------------ test, new


def test_what_new_writes_has_no_findings_plays_and_passes_its_tests(cli: Cli) -> None:
    assert cli("new", "firefly").status == 0
    text = Path("firefly.yaml").read_text(encoding="utf-8")
    assert "game: firefly" in text
    assert "NAME" not in text
    assert cli("check", "firefly.yaml").status == 0
    assert cli("run", "firefly.yaml", "--players", "4", "-n", "20").status == 0
    assert cli("test", "firefly.yaml", "-n", "2").status == 0


def test_a_variant_that_new_writes_is_its_base_until_something_is_changed(cli: Cli) -> None:
    assert cli("new", "firefly", "--from", RACE).status == 0
    path = Path("firefly.yaml")
    assert len(path.read_text(encoding="utf-8").splitlines()) < 20
    assert cli("check", "firefly.yaml").status == 0
    whole = cli("compile", "firefly.yaml", "--emit", "spec").out
    assert "extends" not in whole
    assert f"# {RACE}.yaml:" in whole
    changed = "change:\n  vars:\n    altitude: {starts: 7}\n"
    path.write_text(path.read_text(encoding="utf-8") + changed, encoding="utf-8")
    assert cli("check", "firefly.yaml").status == 0
    assert "starts: 7" in cli("compile", "firefly.yaml", "--emit", "spec").out


@pytest.mark.parametrize("base", shipped())
def test_every_change_that_new_offers_can_be_made(cli: Cli, base: str) -> None:
    assert cli("new", "firefly", "--from", base).status == 0
    path = Path("firefly.yaml")
    offered = re.sub(r"^# (?=change:|  )", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert "\nchange:\n  " in offered
    path.write_text(offered, encoding="utf-8")
    result = cli("check", "firefly.yaml")
    assert result.status == 0, result.out


def test_new_overwrites_nothing(cli: Cli) -> None:
    write("mine.yaml", "precious")
    assert cli("new", "mine").status == 2
    assert Path("mine.yaml").read_text(encoding="utf-8") == "precious"


SCENARIOS = """\
variant: endless
scenarios:
  - name: going up
    steps:
      - 0 up()
      - 1 stay()
      - expect: {vars: {score: [1, 0]}}
  - name: going down
    steps:
      - 0 up()
      - expect: {vars: {score: [0, 0]}}
"""


def test_scenarios_run_and_a_failure_shows_name_place_and_message(cli: Cli) -> None:
    write("endless.yaml", ENDLESS)
    result = cli("test", write("endless.scenarios.yaml", SCENARIOS))
    assert result.status == 1
    assert "FAILED going down\n  endless.scenarios.yaml:11: " in result.out
    assert "1 of 2 scenarios pass" in result.out
    good = write("good.yaml", SCENARIOS.split("  - name: going down")[0])
    assert cli("test", good).status == 0


def test_a_spec_is_tested_by_the_scenarios_beside_it_and_by_the_laws(cli: Cli) -> None:
    write("endless.yaml", ENDLESS)
    write("endless.scenarios.yaml", SCENARIOS)
    result = cli("test", "endless.yaml", "-n", "1")
    assert result.status == 1
    assert "FAILED going down" in result.out
    assert "FAILED with --players 2, at game 0 of seed 0\n" in result.out
    assert "as a scenario:" in result.out


def test_what_the_laws_find_names_the_law_and_where_it_breaks_and_leaves_no_files(cli: Cli) -> None:
    result = cli("test", write("endless.yaml", ENDLESS), "-n", "2", "--seed", "4")
    assert result.status == 1
    assert "FAILED with --players 2, at game 0 of seed 4\n" in result.out
    assert "endless.yaml: 1 choice of players and options, each searched, and 1 random game (" in result.out
    assert "): the laws hold in 0 of 1\n" in result.out
    assert os.listdir() == ["endless.yaml"]


def test_every_choice_that_breaks_a_law_is_counted(cli: Cli) -> None:
    write("endless.yaml", ENDLESS.replace("players: 2", "players: 2..4"))
    result = cli("test", "endless.yaml", "-n", "1")
    assert "(and 2 other choices of players and options break the same law)" in result.out
    assert "the laws hold in 0 of 3" in result.out


def test_a_bar_keeps_its_terminal_while_others_redirect_the_output(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, other = io.StringIO(), io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    bar = Bar("playing", 2)
    monkeypatch.setattr(sys, "stderr", other)
    with bar.progress:
        bar.advance(1)
        bar.progress.refresh()
    assert "playing" in terminal.getvalue()
    assert other.getvalue() == ""


# ------------------------------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("bogus", "No such command"),
        ("run", "Missing argument"),
        ("run nope", "there is no variant `nope`"),
        ("run nope.yaml", "there is no file `nope.yaml`"),
        ("run endless", "did you mean the file `endless.yaml`?"),
        ("run ./", "there is no file"),
        (f"run {RACE} extra", "extra"),
        (f"run {RACE} --bogus", "--bogus"),
        (f"run {RACE} -n 0", "-n"),
        (f"run {RACE} -n many", "-n"),
        (f"run {RACE} --seed 1.5", "--seed"),
        (f"run {RACE} --jobs 0", "--jobs"),
        (f"run {RACE} --players 0", "--players"),
        (f"run {RACE} --players 7", "2 to 6 players, not 7"),
        (f"run {RACE} --players 6 -o baron=true", "baron"),
        (f"run {RACE} -o altitude=3", "no option `altitude`"),
        (f"run {RACE} -o squadron", "NAME=VALUE"),
        (f"run {RACE} -o squadron=shut", "not `shut`"),
        (f"run {RACE} -o target=1001", "0..1000, not `1001`"),
        (f"run {RACE} -o target=--1", "0..1000"),
        (f"run {RACE} -o baron=1", "true or false"),
        (f"run {RACE} -o target=1 -o target=2", "twice"),
        (f"run {RACE} --backend cobol", "no back end"),
        (f"run {RACE} --full", "--transcript"),
        (f"run {RACE} -n 1 --transcript nowhere/t.jsonl", "cannot write `nowhere/t.jsonl`"),
        (f"run {RACE} -n 1 --transcript .", "is a folder"),
        ("check nope.yaml", "there is no file `nope.yaml`"),
        ("compile nope", "there is no variant `nope`"),
        ("compile endless.yaml --output nowhere", "there is no folder `nowhere`"),
        ("compile --emit cobol", "ir, python or c"),
        ("compile --emit ir --check", "--emit"),
        ("explain AE999", "there is no code `AE999`"),
        ("replay nope.jsonl", "cannot read `nope.jsonl`"),
        ("replay endless.yaml", "endless.yaml: line 1: "),
        ("replay cut.jsonl", "cut.jsonl: line 3: the file breaks off in the middle of this line"),
        ("replay short.jsonl", "short.jsonl: line 2: the file breaks off here"),
        ("replay lost.jsonl", "there is no variant `../lost`"),
        ("replay cut.jsonl --spec nope.yaml", "cut.jsonl: line 3"),
        ("test nope.yaml", "there is no file `nope.yaml`"),
        ("test lost.scenarios.yaml", "there is no variant `lost`"),
        ("test broken.scenarios.yaml", "broken.scenarios.yaml:3"),
        ("test none.scenarios.yaml", "none.scenarios.yaml: there are no scenarios in it"),
        ("test one.scenarios.yaml -n 99", "-n goes with a spec"),
        ("test one.scenarios.yaml --seed 0", "--seed goes with a spec"),
        ("test one.scenarios.yaml one.scenarios.yaml -n 5 --seed 0", "-n and --seed go with a spec"),
        ("new", "Missing argument"),
        ("new Bad-Name", "cannot name a game"),
        ("new mine --from nothing", "there is no variant `nothing`"),
        (f"new {RACE} --from {RACE}", "cannot extend itself"),
        (f"compile {RACE} --emit ir -o baron=true", "go with --emit spec"),
        ("new ../out", "cannot name a game"),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2_and_writes_nothing(cli: Cli, call: str, said: str) -> None:
    write("endless.yaml", ENDLESS)
    first = '{"format": "aeronef-transcript/1", "variant": "endless", "spec": "", "players": 2, "options": {}'
    step = '{"step": 0, "phase": "go", "actor": 0, "action": "up()"}'
    write("cut.jsonl", f"{first}}}\n{step}\n{step[:20]}")
    write("short.jsonl", f"{first}}}\n{step}\n")
    write("lost.jsonl", f'{first}}}\n{step}\n{{"end": true}}\n'.replace("endless", "../lost"))
    write("lost.scenarios.yaml", "variant: lost\nscenarios: []\n")
    write("none.scenarios.yaml", "variant: endless\nscenarios: []\n")
    write("one.scenarios.yaml", SCENARIOS)
    write("broken.scenarios.yaml", "variant: endless\nscenarios: [\n")
    before = sorted(os.listdir())
    result = cli(*call.split())
    assert result.status == 2, result
    assert result.out == ""
    assert result.err.startswith("error: ")
    assert said in result.err
    assert result.err.count("\n") == 1
    assert sorted(os.listdir()) == before


# ------------------------------------------------------------------------------------------ as a process


@pytest.mark.parametrize(
    "call", ["list", "list --json", f"run {RACE} -n 2", f"run {RACE} -n 2 --json", "explain", "--help", "--version"]
)
def test_a_closed_pipe_is_one_clear_line(tmp_path: Path, call: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    for stderr in (subprocess.PIPE, writer):
        done = subprocess.run(command(*call.split()), cwd=tmp_path, env=environment(), stdout=writer, stderr=stderr)
        assert done.returncode == 2
        assert done.stderr == (b"error: the reader closed the pipe\n" if stderr == subprocess.PIPE else None)
    os.close(writer)
    assert list(tmp_path.iterdir()) == []


def test_a_mistake_that_nobody_reads_still_has_its_status(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command("run", "nope"), cwd=tmp_path, env=environment(), stdout=writer, stderr=writer)
    os.close(writer)
    assert done.returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command("explain"), cwd=tmp_path, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "error: cannot use the output: no space left on device\n"


ENDS = [
    (signal.SIGINT, "interrupted"),
    *((number, f"stopped by {number.name}") for number in signal.Signals if number.name in ("SIGTERM", "SIGHUP")),
]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("number", "said"), ENDS)
def test_a_signal_that_ends_it_says_so_and_leaves_nothing_behind(
    tmp_path: Path, number: signal.Signals, said: str, jobs: int
) -> None:
    call = command("run", RACE, "-n", "1000000", "--jobs", jobs, "--transcript", "t.jsonl")
    running = subprocess.Popen(
        call, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # tests in the background ignore interrupts
    )  # fmt: skip
    for _ in range(200):
        drafts = list(tmp_path.iterdir())
        if drafts and drafts[0].stat().st_size > 0:
            break
        time.sleep(0.05)
    running.send_signal(number)
    if number != signal.SIGINT:
        running.send_signal(number)  # as `timeout` does
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (128 + number, b"", f"{said}\n".encode())
    assert list(tmp_path.iterdir()) == []


def test_a_signal_ends_the_search_under_the_laws_too(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    monkeypatch.setattr(machine, "check", lambda *_: signal.raise_signal(signal.SIGTERM))
    assert cli("test", RACE) == Result(143, "", "stopped by SIGTERM\n")
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs SIGHUP")
def test_a_hangup_that_was_ignored_from_the_start_stays_ignored(tmp_path: Path) -> None:
    hangs_up = (
        "import os, signal, sys\n"
        "from aeronef.cli import main\n"
        "from aeronef.commands import list as command\n"
        "command.shipped = lambda: os.kill(os.getpid(), signal.SIGHUP) or []\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "sys.exit(main(['list']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", hangs_up], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (2, "error: no variants are installed\n")


# ------------------------------------------------------------------------------------------ from Python


def test_a_spec_that_does_not_compile_is_caught_by_a_public_name(cli: Cli) -> None:
    with pytest.raises(aeronef.SpecError) as caught:
        aeronef.load(write("wrong.yaml", WRONG))
    assert [diagnostic.code for diagnostic in caught.value.report.errors] == ["AE502", "AE401"]


def test_the_package_says_what_it_offers() -> None:
    assert aeronef.__doc__ is not None
    for name in aeronef.__all__:
        assert getattr(aeronef, name).__name__ == name
    for name in re.findall(r"`(\w+)`", aeronef.__doc__):
        assert name in aeronef.__all__


PLAYS = f"""
import sys
import aeronef
from aeronef.cli import main
aeronef.load("{RACE}", players=3, baron=True).playouts(2)
assert main(["run", "{RACE}", "-n", "2", "--transcript", "t.jsonl", "--full"]) == 0
assert main(["replay", "t.jsonl"]) == 0
found = [name for name in ("aeronef.dsl", "lark", "jsonschema", "yaml", "hypothesis") if name in sys.modules]
assert not found, found
"""


def test_a_shipped_variant_plays_without_the_compiler(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PLAYS], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
