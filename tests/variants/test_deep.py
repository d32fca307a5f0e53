"""What `check --deep` says of the shipped variants: how games end in the literal reading and in the mended one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from aeronef.deep.ends import ends
from aeronef.deep.examine import Compiled, examine
from aeronef.deep.settings import holds, setting
from aeronef.deep.subject import Effort, Subject
from aeronef.deep.verdicts import Finding, Verdict
from aeronef.dsl.codes import IN_PLAY
from aeronef.loading import spec_path
from aeronef.play_check import check_file

WHOLE = Effort(states=30_000, games=0)  # enough for all states of the small games
SOME = Effort(states=4_000, games=3, pairs=3)


@lru_cache
def compiled(name: str, small: bool) -> Compiled:
    return Compiled.of(spec_path(name), small)


@lru_cache
def endings(name: str, players: int, small: bool = False, **options: Any) -> Verdict:
    """How the games of a setting end."""
    it = compiled(name, small)
    effort = replace(WHOLE if small else SOME, seconds=None)
    return ends(Subject(it.run, it.variant, setting(it.variant, players, options, small), effort))


def finding(found: Verdict, code: str) -> Finding:
    [one] = [f for f in found.findings if f.code == code]
    return one


def notes(found: Verdict) -> str:
    return "\n".join(line for note in found.notes for line in note)


def accepted(name: str, players: int, **options: Any) -> dict[tuple[str, str], str]:
    """What the spec accepts with these players and options, with the reasons."""
    it = compiled(name, False)
    assert it.run.game is not None
    where = setting(it.variant, players, options)
    pairs = zip([a for a in it.run.game.accepts if a.code in IN_PLAY], it.variant.accepts, strict=True)
    return {(a.code, a.at): a.why for a, known in pairs if holds(it.variant, known, where)}


# The text as it stands: six boarded and two discarded can never come to three (B-a), eight embarked to nothing (S-a).
LITERAL = {"balloon": 6, "flying_saucer": 8}


@pytest.mark.parametrize("name", LITERAL)
def test_the_literal_boarding_never_ends(name: str) -> None:
    found = endings(name, 2, takeoff_rule="literal")
    one = finding(found, "AE710")
    assert one.element == "phases.boarding"
    [play] = one.plays
    assert play.returns is not None
    before, around = play.steps[: play.returns], play.steps[play.returns :]
    assert {step for _, step in around} == {"0 propose()", "1 propose()"}
    boarded = [sum(step.startswith(f"{seat} board(") for _, step in before) for seat in (0, 1)]
    assert max(boarded) == LITERAL[name], "one of the seats boards what makes it endless, and no more"
    assert "boarding: no argument that it ends" in notes(found)


@pytest.mark.parametrize("name", LITERAL)
def test_the_shortest_endless_boarding_of_the_small_game(name: str) -> None:
    found = endings(name, 2, small=True, takeoff_rule="literal")
    assert finding(found, "AE710").plays[0].among == "of all"
    assert found.because.startswith("all ")


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", LITERAL)
def test_with_the_rulings_the_boarding_ends_and_it_says_why(name: str, players: int) -> None:
    found = endings(name, players)
    assert not any(f.code == "AE710" for f in found.findings)
    text = notes(found)
    assert "boarding ends: the first of these that changes falls, once a circuit of the table at the latest" in text
    assert "1. cards in `hand`, all seats together" in text
    assert "2. seats whose `excused` is false" in text


@pytest.mark.parametrize("name", LITERAL)
def test_rounds_without_a_loss_are_told_apart(name: str) -> None:
    one = finding(endings(name, 2), "AE712")
    assert one.element == "phases.build"
    [play] = one.plays
    assert not any("board(" in step for _, step in play.steps), "nobody boards, so nobody loses"


def test_what_is_found_is_what_a_ruling_accepts() -> None:
    for name, ruling in (("balloon", "B-i"), ("flying_saucer", "S-i")):
        mended, literal = accepted(name, 2), accepted(name, 2, takeoff_rule="literal")
        assert f"({ruling})" in mended["AE712", "phases.build"]
        assert ("AE710", "phases.boarding") not in mended
        assert ("AE710", "phases.boarding") in literal


@pytest.mark.parametrize("players", [2, 6])
def test_a_race_has_at_most_24_rounds(players: int) -> None:
    found = endings("montgolfiere_race", players)
    assert found.answer == "proved"
    assert "played at most 24 times: choose" in notes(found)


def test_the_airship_lands_with_probability_1() -> None:
    found = endings("celestia", 2, small=True)
    assert found.answer == "proved"
    assert "every game ends with probability 1" in notes(found)
    assert endings("celestia", 2).answer == "not found", "of the whole game nothing is claimed"


@pytest.mark.parametrize("name", ["balloon", "celestia", "flying_saucer", "montgolfiere_race"])
def test_nothing_is_found_by_default_that_no_ruling_accepts(name: str) -> None:
    path = spec_path(name)
    effort = Effort(states=600, games=3, pairs=4, seconds=None)
    for small in (False, True):
        wanted = [setting(compiled(name, small).variant, 2, {}, small)]
        report = examine(path, wanted, effort, 1, check_file(path), lambda done, of: None).report
        assert report.diagnostics == [], small
