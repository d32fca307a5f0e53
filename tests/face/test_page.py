"""The page of `check --deep`: what was found is all on it, and it is sound and whole in itself."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from aeronef.deep.asked import ASKED
from aeronef.deep.examine import Examined
from aeronef.deep.markup import EMPTY, element, plain, prose
from aeronef.deep.page import page
from aeronef.deep.subject import Effort
from aeronef.deep.verdicts import QUESTIONS, Finding, Play, Setting, Verdict
from aeronef.dsl.compiler import compile_text
from aeronef.dsl.diagnostics import Accepted
from tests.face.conftest import Cli

# Whoever wants to can pass for ever, unless the game is quick; as many lamps as seats with 2 players, so they can tie.
LAMPS = """\
game: odd_lamps
says: 'A game of <script>alert("says")</script> & "lamps".'
players: 2..4
longest: 60
clauses:
  L1: 'Whoever acts turns a <b>lamp</b>, or "passes".'
  L2: {kind: ruling, says: The end is when all lamps are spent., why: The text 'forgets' to say so.}
  L3: Whoever holds most wins.
  L4: Whoever takes keeps.
options:
  quick: {type: bool, default: false, by: L2}
  pace: {type: [slow, fast], default: slow, by: L1}
cards:
  Lamp:
    attributes: {light: 1..2}
    kinds:
      - {label: '<script src="x">', light: 1}
      - {label: "it's & so", light: 2}
    by: L1
zones:
  shelf: {of: Lamp, starts: Lamp, seen: everyone}
  held: {each: seat, of: Lamp, seen: everyone}
phases:
  turn_about:
    by: L1
    turns: {over: players}
    actions:
      take(c in shelf):
        by: L4
        told: everyone
        do: move c from shelf to held[me]
      pass(): {when: pace == slow or size(shelf) == 0}
    then: end if size(shelf) == 0 or quick else turn_about
result:
  by: L3
  rank: "size(held[me])"
accepts:
  - {finding: AE715, at: result, why: 'Lamps are "shared" <by friends>.'}
"""

TWO = Setting(2, {"quick": False, "pace": "slow"}, "2 players")
QUICK = Setting(2, {"quick": True, "pace": "slow"}, "2 players, quick=true")
THREE = Setting(3, {"quick": False, "pace": "slow"}, "3 players")
STEPS = (("turn_about", '0 take(<script src="x">)'), ("turn_about", "1 pass()"), ("choose", "chance draw(0, ?)"))
PLAY = Play(STEPS, "variant: odd_lamps\nscenarios: <paste & go>\n", '{"format": "<transcript>"}\n', True, 1)


class Sound(HTMLParser):
    """Reads a page, and says where it is no sound one."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in EMPTY:
            self.open.append(tag)
        given = dict(attrs)
        assert len(given) == len(attrs), f"<{tag}> has an attribute twice"
        self.attributes |= set(given)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name == "href"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        """What is read, with every stretch of white space as one space."""
        return " ".join("".join(self.words).split())


def examined(*verdicts: Verdict, settings: list[Setting] | None = None, report: bool = True) -> Examined:
    """What `examine` gives, with a diagnostic for each finding that is not accepted, and the acceptances."""
    run = compile_text("odd_lamps.yaml", LAMPS.encode())
    assert run.game is not None
    for verdict in verdicts:
        for f in verdict.findings if report else ():
            if f.accepted is None:
                run.report.add(f.code, run.game.phases[0].span, f.message, f.hint, element=f.element)
            else:
                run.report.accepted.append(Accepted(f.code, f.element, f.accepted, f.message, "quick"))
    met = list(dict.fromkeys(verdict.setting.label for verdict in verdicts))
    every = {one.label: one for one in (TWO, QUICK, THREE)}
    chosen = settings if settings is not None else [every[label] for label in met]
    return Examined(run.report, chosen, list(verdicts), Effort(states=1234, games=56, seed=7), run.game)


def sound(found: Examined) -> Sound:
    return Sound(page(Path("/home/somebody/secret place/odd_lamps.yaml"), found))


FOUND = Finding("AE712", "phases.turn_about", "`turn_about` may go on <for ever>", "something must run out", (PLAY,))
SHARED = Finding("AE715", "result", '0 & 1 share the "first" place', "", (replace(PLAY, returns=None),), "Friends!")
VERDICTS = (
    Verdict("rules", TWO, "proved", "all 17 states"),
    Verdict("endings", TWO, "found", "all 17 states", {"states": 17}, findings=(FOUND,)),
    Verdict("ties", TWO, "found", "all 17 states", {"states": 17}, findings=(SHARED,)),
    Verdict("rules", THREE, "not found", "1,234 states; 56 random games, seed 7", {"states": 1234, "random games": 56}),
    Verdict("endings", THREE, "proved", "by argument", {"states": 1234, "random games": 56}, notes=(
        ("`shelf` runs out:", "  take(<c>) moves a card from it", "  nothing moves one there"),
        ("every game ends after 12 steps at most",),
    )),
    Verdict("ties", THREE, "not found", "1,234 states; 56 random games, seed 7", {"states": 1234, "random games": 56}),
)  # fmt: skip


@pytest.fixture(scope="module")
def whole() -> tuple[str, Sound]:
    text = page(Path("/home/somebody/secret place/odd_lamps.yaml"), examined(*VERDICTS))
    return text, Sound(text)


def test_every_element_is_closed_and_every_id_is_of_one(whole: tuple[str, Sound]) -> None:
    _, read = whole
    assert not read.open
    assert len(set(read.ids)) == len(read.ids) == 2
    assert {link.removeprefix("#") for link in read.links} == set(read.ids)


def test_nothing_is_loaded_and_nothing_runs(whole: tuple[str, Sound]) -> None:
    text, read = whole
    assert not read.tags & {"script", "link", "img", "iframe", "object", "base", "form", "svg"}
    assert not read.attributes & {"src", "style", "srcset", "action", "data"}
    assert not [name for name in read.attributes if name.startswith("on")]
    assert all(link.startswith("#") for link in read.links)
    assert not re.search(r"https?:|url\(|@import|@font-face", text)


def test_texts_of_the_spec_are_shown_and_never_obeyed(whole: tuple[str, Sound]) -> None:
    text, read = whole
    for said in (
        '<script>alert("says")</script> & "lamps"', '<script src="x">', 'a <b>lamp</b>, or "passes"', "<for ever>",
        'share the "first" place', "<paste & go>", '"<transcript>"', "take(<c>)",
    ):  # fmt: skip
        assert said in read.text
    assert "<script" not in text
    assert "<b>" not in text


def test_what_is_not_accepted_comes_first_then_what_is_with_its_reason(whole: tuple[str, Sound]) -> None:
    _, read = whole
    first, second = read.text.index("turn_about may go on <for ever>"), read.text.index("Friends!")
    assert first < read.text.index("Something must run out") < second
    assert "The spec accepts it, when quick." in read.text
    assert "accepts: [{finding: AE712, at: phases.turn_about, why: …}]" in read.text
    assert "finding: AE715, at: result, why: …" not in read.text


def test_the_excerpt_underlines_what_is_meant_and_shows_what_is_in_it(whole: tuple[str, Sound]) -> None:
    text, read = whole
    line = LAMPS.splitlines().index("  turn_about:") + 1
    assert f"odd_lamps.yaml, line {line} {line} turn_about: {line + 1} by: L1" in read.text
    assert "<mark>turn_about</mark>:" in text


def test_clauses_of_the_element_and_of_what_is_in_it_are_told_and_no_others(whole: tuple[str, Sound]) -> None:
    _, read = whole
    inside = read.text.partition("The rules that it follows")[2].partition("play that shows it")[0]
    assert 'L1Whoever acts turns a <b>lamp</b>, or "passes".' in inside
    assert "L4Whoever takes keeps." in inside
    assert "L2" not in inside
    assert "L3" not in inside


def test_a_play_is_told_step_by_step_with_what_returns_apart(whole: tuple[str, Sound]) -> None:
    text, read = whole
    told = read.text.partition("The shortest play that shows it: 2 players, 3 steps")[2]
    before, _, again = told.partition("again and again")
    assert 'turn_about step 1seat 0 take(<script src="x">)' in before
    assert again.startswith("turn_about step 2seat 1 pass()choose step 3chance draw(0, ?)")
    assert text.count('class="again"') == 1, "only one of the two plays returns"
    assert text.count("<details") == 4


def test_proofs_arguments_and_bounds_are_told_with_their_games(whole: tuple[str, Sound]) -> None:
    _, read = whole
    proved = read.text.partition("What was proved")[2].partition("What was not reached")[0]
    for said in ("2 players: all 17 states", "3 players: by argument", "shelf runs out:",
                 "nothing moves one there", "Every game ends after 12 steps at most (3 players)"):  # fmt: skip
        assert said in proved


def test_what_was_not_reached_is_told(whole: tuple[str, Sound]) -> None:
    _, read = whole
    rest = read.text.partition("What was not reached")[2]
    assert "3 players1,234 states; 56 random games, seed 7Do the rules break? Are there ties?" in rest
    assert "Games with 4 players." in rest
    assert "Games with quick = true." in rest
    assert "Games with pace = fast." in rest


def test_the_games_and_the_effort_are_told(whole: tuple[str, Sound]) -> None:
    _, read = whole
    looked = read.text.partition("What was looked at")[2].partition("The answers")[0]
    assert "1,234 positions" in looked
    assert "56 games at random (seed 7)" in looked
    assert "2 players2" in looked
    assert "quick = false; pace = slow" in looked


def test_every_question_has_its_answer_for_each_game() -> None:
    answers = [Verdict("rules", TWO, "found", "", findings=(FOUND,)), Verdict("rules", QUICK, "proved", "all 3 states"),
               Verdict("rules", THREE, "not found", "9 states")]  # fmt: skip
    table = sound(examined(*answers)).text.partition("answer")[2].partition("What was found")[0]
    asked = ASKED["rules"]
    assert table.partition("Do the rules break?")[2]
    for sign, word, said, where in (("▲", "found", asked.found, "with 2 players"),
                                    ("●", "proved", asked.proved, "with 2 players, quick=true"),
                                    ("○", "not found", asked.unseen, "with 3 players")):  # fmt: skip
        assert f"{sign} {word}{said}{where}" in table


def test_a_question_that_nobody_described_is_there_by_its_name() -> None:
    read = sound(examined(Verdict("odd <winds>", TWO, "found", "", findings=(FOUND,)),
                          Verdict("odd <winds>", THREE, "proved", "as the wind blows")))  # fmt: skip
    assert "Odd <winds>▲ foundsomethingwith 2 players" in read.text
    assert "nothing can be, of3 players: as the wind blows" in read.text


def test_every_question_that_is_asked_is_described() -> None:
    assert set(ASKED) == set(QUESTIONS)
    for asked in ASKED.values():
        assert asked.title.endswith("?")
        assert asked.explains.endswith(".")


def test_the_shortest_play_is_open_and_those_of_other_games_are_folded() -> None:
    longer = replace(FOUND, message="`turn_about` again", plays=(replace(PLAY, steps=(*STEPS, ("end", "0 rest()"))),))
    found = examined(Verdict("endings", TWO, "found", "", findings=(longer,)),
                     Verdict("endings", THREE, "found", "", findings=(FOUND,)), report=False)  # fmt: skip
    found.report.add("AE712", found.game.span, "both", element=FOUND.element)
    read = sound(found)
    opened, _, folded = read.text.partition("The same in another game: 2 players")
    assert "shows it: 3 players, 3 steps" in opened
    assert "rest()" not in opened
    assert "seat 0 rest()" in folded


def test_the_whole_game_is_shown_rather_than_the_small_one() -> None:
    small = Setting(2, {"quick": False, "pace": "slow"}, "2 players, small", small=True)
    longer = replace(FOUND, plays=(replace(PLAY, steps=(*STEPS, ("end", "0 rest()"))),))
    verdicts = [
        Verdict("endings", small, "found", "", findings=(FOUND,)),
        Verdict("endings", TWO, "found", "", findings=(longer,)),
    ]
    found = examined(*verdicts, settings=[TWO, small], report=False)
    found.report.add("AE712", found.game.span, "both", element=FOUND.element)
    opened, _, folded = sound(found).text.partition("The same in another game: 2 players, small")
    assert "shows it: 2 players, 4 steps" in opened
    assert "shows it: 2 players, small, 3 steps" in folded


def test_two_plays_that_a_seat_should_not_tell_apart_are_both_told() -> None:
    other = replace(PLAY, steps=(("turn_about", "0 take(it's & so)"),), returns=None)
    leak = Finding("AE713", "zones.held", "seat 1 can tell", "", (PLAY, other))
    text = sound(examined(Verdict("secrets", TWO, "found", "", findings=(leak,)))).text
    assert "Play 1 of those that differ: 2 players, 3 steps" in text
    assert "Play 2 of those that differ: 2 players, 1 step" in text
    assert "take(it's & so)" in text


def test_a_finding_without_a_play_is_told_too() -> None:
    cut = Finding("AE721", "longest", "a game can have 70 steps, and is cut after 60", "`longest: 70` or more")
    text = sound(examined(Verdict("endings", TWO, "found", "", findings=(cut,)))).text
    assert "A game can have 70 steps, and is cut after 60" in text
    assert "play that shows it:" not in text


def test_a_game_that_was_not_asked_everything_is_named() -> None:
    broken = Verdict("rules", QUICK, "found", "", findings=(Finding("AE714", "phases.turn_about", "cannot start"),))
    text = sound(examined(*VERDICTS, broken)).text
    assert "2 players, quick=true was not asked: Does every game end? Are there ties?" in text


def test_a_page_with_nothing_on_it_says_so() -> None:
    text = sound(examined(settings=[])).text
    assert "Nothing was found that the spec does not accept." in text
    assert "Nothing: no answer holds for every play." in text


def test_a_small_game_is_told_from_the_whole_one() -> None:
    small = Setting(2, {"quick": True, "pace": "slow"}, "2 players, small", small=True)
    text = sound(examined(Verdict("rules", small, "proved", "all 3 states"), settings=[small])).text
    assert "2 (small)" in text
    assert "Only the small game was looked at, and nothing of the whole one." in text


def test_a_page_tells_no_place_of_the_machine_and_is_always_the_same(whole: tuple[str, Sound]) -> None:
    text, read = whole
    assert "somebody" not in text
    assert "odd_lamps.yaml" in read.text
    assert page(Path("elsewhere/odd_lamps.yaml"), examined(*VERDICTS)) == text


def test_text_is_text_and_markup_is_what_was_built() -> None:
    assert element("p", '<&"', element("em", "x"), None, ["y", ["z"]], class_='a"b', id=None).text == (
        '<p class="a&quot;b">&lt;&amp;&quot;<em>x</em>yz</p>'
    )
    assert prose("`a<b` and `c").text == "<code>a&lt;b</code> and `c"
    assert plain("a\x00b\x1b[1m\u202ec\ud800\n\td é 🂡") == "a�b�[1m�c�\n\td é 🂡"


def test_the_command_writes_the_page(cli: Cli, tmp_path: Path) -> None:
    Path("odd_lamps.yaml").write_text(LAMPS, encoding="utf-8")
    words = ("check", tmp_path / "odd_lamps.yaml", "--deep", "--players", 2, "--states", 200, "-n", 2, "--jobs", 1)
    assert cli(*words, "--report", "first.html").status == 1
    cli(*words, "--report", "second.html")
    text = Path("first.html").read_text(encoding="utf-8")
    assert text == Path("second.html").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    read = Sound(text)
    assert not read.open
    for said in ("may go on for ever", "and then, again and again", 'Lamps are "shared" <by friends>.',
                 "L3Whoever holds most wins.", "variant: odd_lamps", '"format": "aeronef-transcript/1"'):  # fmt: skip
        assert said in read.text
