"""What of a spec is of no use: each kind of finding with a planted fault, and nothing where all is well."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any, cast

import pytest

from aeronef.covered import Counting
from aeronef.deep.indifferent import without_difference
from aeronef.deep.use import Use, unused
from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.compiler import Compilation, compile_file, compile_text
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.instrument import instrument
from aeronef.dsl.printer import digest, print_game
from aeronef.dsl.verifier import Unsound, verify
from aeronef.dsl.walk import rewritten
from aeronef.loading import execute, library, shipped, spec_path
from aeronef.runtime.combinations import few
from aeronef.runtime.coverage import Tally, counting, play
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.scenario import Document, read
from aeronef.runtime.transcript import record
from tests.games.specs import SPECS, TEMPLATE, compiled, text_of

SETTINGS = [(2, {"pace": 1, "night": False}), (2, {"pace": 2, "night": False}), (2, {"pace": 1, "night": True})]

# Everybody lays the card of its hand, and all are shown; then all take theirs back, and the next seat begins. At night
# one can look at what was laid instead of laying.
CARDS = """\
game: cards
says: Lay a card, see all, take it back.
players: 2
longest: 60
clauses:
  C1: Each lays a card.
  C2: Then all are shown.
  C3: The next one begins.
  C4: Who wishes stops.
  C5: At night one may peep.
  C6: A pace is agreed on.
options:
  pace: {type: 1..2, default: 1, by: C6}
  night: {type: bool, default: false}
cards:
  Card: {kinds: [{label: red}, {label: blue}]}
zones:
  hand: {each: seat, of: Card, starts: Card, seen: viewer == owner, by: C1}
  table: {each: seat, of: Card, seen: viewer == owner or open, by: [C1, C2]}
vars:
  first: {type: seat, starts: 0, seen: everyone, by: C3}
  open: {type: bool, starts: false, seen: everyone, by: C2}
  walked: {each: seat, type: 0..9, starts: 0, seen: everyone, by: C6}
  turns: {type: count, starts: 0, seen: everyone}
define:
  next: {is: left(first), by: C3}
phases:
  lay:
    by: C1
    turns: {over: clockwise(first)}
    actions:
      lay(c in hand[me]):
        by: C1
        told: viewer == me or open
        do: |
          move c from hand[me] to table[me]
          walked[me] := min(walked[me] + pace, 9)
          turns += 1
    then: show
  show:
    by: C2
    do: "open := true"
    turns: p in players where size(table[p]) > 0
    actions:
      take(c in table[me]):
        told: viewer == me or open
        do: move c from table[me] to hand[me]
    then: stop
  stop:
    by: C4
    do:
      - {by: C3, do: "first := next"}
    turns: "[first]"
    actions:
      on(): {do: "open := first == 0"}
      enough(): {by: C4, then: end}
    then: lay
overlays:
  dark:
    when: night
    by: C5
    add:
      vars:
        peeper: {type: "seat?", seen: everyone, by: C5}
      phases:
        lay:
          actions:
            peep():
              by: C5
              when: peeper == none
              do: peeper := me
    change:
      zones:
        table: {seen: viewer == owner or open or viewer == peeper}
result:
  rank: walked[me]
"""


def run(text: str) -> Compilation:
    return compile_text("cards.yaml", text.encode())


def found(text: str, settings: Any = None, documents: list[Document] | None = None, states: int = 0) -> Use:
    return unused(run(text), documents or [], SETTINGS if settings is None else settings, 30, states, 1, None)


def kinds(use: Use) -> list[tuple[str, str]]:
    return [(finding.kind, finding.element) for finding in use.findings]


def planted(*pairs: tuple[str, str], **more: Any) -> Use:
    text = CARDS
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return found(text, **more)


# ------------------------------------------------------------------------------------------ sound


def test_nothing_is_found_where_everything_is_of_use() -> None:
    use = found(CARDS)
    assert use.findings == []
    assert (use.games, use.states, use.scenarios) == (90, 0, 0)


@pytest.mark.parametrize("name", shipped())
def test_everything_in_the_shipped_variants_is_of_use(name: str) -> None:
    path = spec_path(name)
    beside = path.with_name(f"{name}.scenarios.yaml")
    compilation = compile_file(path, library())
    assert compilation.game is not None
    variant = execute(emit_python(compilation.game, path.name), name)
    document = read(beside.read_text(encoding="utf-8"), str(beside))
    use = unused(compilation, [document], few(variant), 10, 3000, 0, None)
    assert use.findings == []
    assert use.scenarios == len(document.scenarios)


# ------------------------------------------------------------------------------------------ never exercised


def test_an_action_that_is_never_done_is_found_once() -> None:
    """Not what follows from it: its clause, the variable that only it changes, whoever sees by that."""
    use = planted(("when: peeper == none", "when: peeper == none and walked[me] > 9"))
    (finding,) = use.findings
    assert (finding.kind, finding.element, finding.clauses) == (
        "exercised", "phases.lay.actions.peep", ("C5",),
    )  # fmt: skip
    assert finding.words == "it is never done"
    assert not use.proved


def test_a_phase_that_is_never_played_is_found_without_what_is_in_it() -> None:
    use = planted(("    then: show\n", "    then: show if walked[0] < 0 else stop\n"))
    elements = [element for kind, element in kinds(use) if kind == "exercised"]
    assert elements == ["phases.show"]


def test_a_clause_whose_branch_is_never_taken_is_found() -> None:
    use = planted(
        ('      - {by: C3, do: "first := next"}\n', '      - {by: C3, do: "if walked[0] < 0:\\n  first := next"}\n'),
        ("first: {type: seat, starts: 0, seen: everyone, by: C3}", "first: {type: seat, starts: 0, seen: everyone}"),
        ("next: {is: left(first), by: C3}", "next: left(first)"),
    )
    (finding,) = (finding for finding in use.findings if finding.kind in ("exercised", "changed"))
    assert (finding.kind, finding.element, finding.clauses) == ("exercised", "clauses.C3", ("C3",))
    assert "`phases.stop`" in finding.words
    assert finding.span.line == 8


def test_what_only_an_overlay_has_is_not_missed_where_it_is_off() -> None:
    use = found(CARDS.replace("when: peeper == none", "when: walked[me] > 9"), [(2, {"night": False})])
    assert use.findings == []


def test_an_overlay_that_no_setting_to_try_switches_on_is_found() -> None:
    text = CARDS.replace("pace: {type: 1..2", "pace: {type: 1..3, try: [1, 2]").replace(
        "when: night", "when: pace == 3"
    )
    use = found(text, [(2, {"pace": 1}), (2, {"pace": 2})])
    assert ("exercised", "overlays.dark") in kinds(use)
    assert not any("peep" in element for _, element in kinds(use))


def test_a_scenario_shows_what_play_does_not() -> None:
    text = CARDS.replace(
        "enough(): {by: C4, then: end}", "enough(): {by: C4, when: 'walked[0] < walked[1] - 3', then: end}"
    )
    assert kinds(found(text)) == [("exercised", "phases.stop.actions.enough")]
    document = read(
        "variant: cards\nscenarios:\n  - name: far\n    given: {phase: stop, vars: {walked: [1, 9], first: 1}}\n"
        "    steps: [0 enough()]\n",
        "cards.scenarios.yaml",
    )
    assert found(text, documents=[document]).findings == []


def test_what_cannot_be_reached_is_proved_where_all_states_are_seen() -> None:
    use = planted(("when: peeper == none", "when: peeper == none and walked[me] > 9"), states=20_000)
    assert use.proved
    assert kinds(use) == [("exercised", "phases.lay.actions.peep")]
    assert use.states > 100


def test_exploring_finds_what_random_games_miss() -> None:
    """Of a hundred doors in a row one is the right one each time."""
    text = """\
game: doors
players: 1
longest: 10
vars: {place: {type: 0..2, starts: 0, seen: everyone}}
phases:
  go:
    turns: {from: 0, until: place == 2}
    actions:
      open(n in 0..99):
        told: everyone
        do: |
          if n == 7:
            place := min(place + 1, 2)
          else:
            place := 0
      leave(): {then: end}
      shout(): {when: place == 1}
    then: end
result: {rank: place}
"""
    text = text.replace("rank: place", 'rank: "place"')
    blind = unused(run(text), [], [(1, {})], 1, 0, 0, None)
    assert ("exercised", "phases.go.actions.shout") in kinds(blind)
    assert unused(run(text), [], [(1, {})], 1, 1000, 0, None).findings == []


# ------------------------------------------------------------------------------------------ never changes


def test_a_variable_that_never_changes_is_found_though_it_is_assigned() -> None:
    use = planted(("first := next", "first := first(clockwise(first))"), ("is: left(first)", "is: first"))
    changed = [finding for finding in use.findings if finding.kind == "changed"]
    assert [finding.element for finding in changed] == ["vars.first"]
    assert changed[0].words == "it never changes: it always gets the value that it has"
    assert changed[0].clauses == ("C3",)


def test_an_assignment_that_never_changes_its_variable_is_found_beside_others() -> None:
    use = planted(
        ('      - {by: C3, do: "first := next"}\n', '      - {by: C3, do: "first := first(clockwise(first))"}\n'),
        ('on(): {do: "open := first == 0"}', 'on(): {do: "open := first == 0\\nfirst := next"}'),
    )
    changed = [finding for finding in use.findings if finding.kind == "changed"]
    assert [(finding.element, finding.words) for finding in changed] == [
        ("vars.first", "`first := first(clockwise(first))` never changes it (`phases.stop`)")
    ]


def test_a_variable_whose_assignments_never_happen_is_found() -> None:
    use = planted(("first := next", "if walked[0] < 0:\\n  first := next"), ("- {by: C3, do", "- {do"))
    assert ("changed", "vars.first") in kinds(use)


def test_what_changes_and_is_set_back_at_once_has_changed() -> None:
    use = planted(
        ('      - {by: C3, do: "first := next"}\n', '      - {by: C3, do: "first := next\\nfirst := left(first)"}\n'),
    )
    assert ("changed", "vars.first") not in kinds(use)


@pytest.mark.parametrize(("step", "changes"), [("1", True), ("size(hand[me]) // 9", False)])
def test_a_count_changes_by_a_step_that_is_not_0(step: str, changes: bool) -> None:
    use = planted(("turns += 1", f"turns += {step}"))
    assert (("changed", "vars.turns") in kinds(use)) is not changes


# ------------------------------------------------------------------------------------------ never shown


def test_what_nobody_ever_sees_for_one_of_its_reasons_is_found() -> None:
    """It is open only once nothing lies there."""
    use = planted(("table: {each: seat, of: Card, seen: viewer == owner or open,",
                   "table: {each: seat, of: Card, seen: 'viewer == owner or (open and size(table[owner]) == 0)',"),
                  ("viewer == owner or open or viewer == peeper", "viewer == owner or viewer == peeper"))  # fmt: skip
    (finding,) = use.findings
    assert (finding.kind, finding.element, finding.clauses) == ("shown", "zones.table", ("C1", "C2"))
    assert finding.words == (
        "`table` is said to be seen when `open and size(table[owner]) == 0`, but nobody has ever looked at it then"
    )


def test_a_reason_that_another_always_forestalls_is_found() -> None:
    use = planted(("seen: viewer == owner, by: C1}", "seen: viewer == owner or viewer == owner and open, by: C1}"))
    assert kinds(use) == [("shown", "zones.hand")]
    other = planted(("seen: viewer == owner, by: C1}", "seen: viewer != owner or viewer == owner, by: C1}"))
    assert other.findings == []


def test_a_zone_that_is_empty_whenever_anybody_looks_is_found() -> None:
    use = planted(
        ("vars:\n  first", "  box: {of: Card, seen: viewer == 0}\nvars:\n  first"),
        ("result:\n", "invariants: {the box is empty: size(box) == 0}\nresult:\n"),
    )
    assert kinds(use) == [("shown", "zones.box")]
    assert use.findings[0].words == "`box` is empty whenever anybody looks"


def test_what_nobody_is_ever_told_is_found() -> None:
    """Everything is closed again before anybody takes a card."""
    use = planted(('do: "open := true"', 'do: "open := false"'), ("open := first == 0", "open := false"))
    assert ("changed", "vars.open") in kinds(use)
    assert ("shown", "zones.table") not in kinds(use)  # it follows
    told = planted(
        (
            "        told: viewer == me or open\n        do: move",
            "        told: viewer == me or walked[me] < 0\n        do: move",
        )
    )
    assert kinds(told) == [("shown", "phases.show.actions.take")]
    assert told.findings[0].words.endswith("but nobody was ever told then")
    assert told.findings[0].words.startswith("`c` is said to be told when")


# ------------------------------------------------------------------------------------------ makes no difference


def same(text: str) -> list[str]:
    return [finding.element for finding in without_difference(run(text))]


def test_an_option_of_which_every_value_gives_the_same_game_is_found() -> None:
    assert same(CARDS) == []
    assert same(CARDS.replace("walked[me] + pace,", "walked[me] + (1 if walked[me] < 20 + pace else 0),")) == []
    assert same(CARDS.replace("walked[me] + pace,", "walked[me] + (1 if pace == 1 else 1),")) == ["options.pace"]
    assert same(CARDS.replace("walked[me] + pace,", "walked[me] + max(min(pace, 1), 1),")) == ["options.pace"]


def test_an_option_that_only_measures_and_words_use_makes_no_difference() -> None:
    text = CARDS.replace("walked[me] + pace,", "walked[me] + 1,")
    assert same(text) == []  # nothing uses it: AE707
    assert same(text + "measures: {pace: pace}\n") == ["options.pace"]


def test_what_an_option_requires_of_another_is_no_difference_of_the_game() -> None:
    text = CARDS.replace("walked[me] + pace,", "walked[me] + 1,")
    assert same(text.replace("default: false}", "default: false, requires: pace == 1 or not night}")) == [
        "options.pace"
    ]


def test_an_option_that_switches_rules_makes_a_difference_where_they_do() -> None:
    assert "options.night" not in same(CARDS)
    head, _, rest = CARDS.partition("    add:\n      vars:")
    plain = head + '    change:\n      phases: {lay: {says: "At night, too."}}\n' + rest[rest.index("result:") :]
    assert same(plain) == ["options.night"]


# ------------------------------------------------------------------------------------------ the game that counts


@pytest.mark.parametrize("name", [name for name, path in SPECS.items() if path != TEMPLATE])
def test_a_game_that_is_looked_at_closely_is_the_same_game(name: str) -> None:
    game = compiled(text_of(name), SPECS[name].name, SPECS[name].parent)
    made = instrument(game, closely=True)
    verify(made)
    assert print_game(made) == print_game(game)
    assert digest(made) == digest(game)
    plain: Variant = execute(emit_python(game, "spec.yaml"), name)
    close = Counting(compile_file(SPECS[name], library()), closely=True)
    for players, options in (few(plain)[0], few(plain)[-1]):
        tally = Tally(len(close.game.points), closely=True)
        written: list[list[str]] = [[], []]
        other = Game(close.variant, players, options)
        for lines, each in zip(
            written, (Game(plain, players, options), counting(other, close.known, tally.of(other))), strict=True
        ):
            record(each, 5, 0, lines.append, full=True)
        assert written[0] == written[1]


def test_only_a_close_look_has_points_of_change_and_of_what_is_shown() -> None:
    plain, close = instrument(compiled(CARDS)), instrument(compiled(CARDS), closely=True)
    assert {point.kind for point in close.points} - {point.kind for point in plain.points} == {"change", "shown"}
    assert not re.search(r"self\.(altering|witness)\(", emit_python(plain, "cards.yaml"))
    kept = [point for point in close.points if point.kind not in ("change", "shown")]
    assert set(kept) == set(plain.points)


def test_the_verifier_knows_what_is_compared_with_another_kind() -> None:
    def wrong(node: Any) -> Any:
        if isinstance(node, ir.Watched) and node.unlike is not None:
            return dataclasses.replace(node, unlike=ir.Everything("players", t.ListOf(t.Seat(), 2), node.span))
        return None

    made = instrument(compiled(CARDS), closely=True)
    with pytest.raises(Unsound, match="is watched beside"):
        verify(cast(ir.Game, rewritten(made, wrong)))


def test_only_looking_at_something_counts_as_being_shown() -> None:
    """A view of an empty table, and what is asked between the steps, count nothing."""
    close = Counting(run(CARDS), closely=True)
    tally = Tally(len(close.game.points), closely=True)
    game = Game(close.variant, 2, {})
    counted = counting(game, close.known, tally.of(game))
    state = counted.new_initial_state()
    before = tally.counts()
    for viewer in (0, 1):
        state.view(viewer)
    shown = [i for i, point in enumerate(close.game.points) if point.kind == "shown"]
    assert [tally.counts()[i] for i in shown] == [before[i] for i in shown]
    owners = {(p.element, p.words): before[i] for i, p in enumerate(close.game.points) if p.side == "true"}
    assert owners["zones.hand", "viewer == owner"] == 2  # before the first step, each at its own
    assert owners["zones.table", "viewer == owner"] == 0


def test_another_variants_scenarios_are_refused() -> None:
    document = read("variant: pig\nscenarios: []\n", "pig.scenarios.yaml")
    with pytest.raises(BadInput, match="its variant is `pig`, not `cards`"):
        found(CARDS, documents=[document])


def test_coverage_works_where_a_stocked_game_starts_by_a_test() -> None:
    path = Path(__file__).parents[1] / "language" / "right" / "stock.yaml"
    close = Counting(path)
    assert not play(close.variant, close.known, Tally(len(close.game.points)), few(close.variant), 1).faults
