"""Mutants: each operator changes what it says, every mutant is a sound game, and the types follow the change."""

from __future__ import annotations

import sys
from textwrap import indent

import pytest

from aeronef.dsl import ir
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.mutate import OPERATORS, Mutant, candidates, mutants
from aeronef.dsl.printer import print_game
from aeronef.dsl.retype import retyped
from aeronef.dsl.verifier import verify
from aeronef.dsl.walk import nodes, rules
from aeronef.loading import execute
from aeronef.runtime.game import Game
from tests.games.specs import SPECS, compiled, text_of

EVERY = 40  # of how many mutants one is loaded

# Each operator has something to change here.
SPEC = """\
game: orchard
players: 2..3
longest: 90
clauses: {O1: Baskets are filled., O2: The basket is turned., O3: Whoever has most leads.}
types: {Fruit: [apple, pear, plum]}
cards:
  Card: {attributes: {fruit: Fruit}, kinds: [{label: "{fruit}", fruit: [apple, pear, plum], copies: 2}]}
dice:
  Die: {faces: 1..3, copies: {2: 2}}
tables:
  worth: {each: Fruit, type: 0..4, is: {apple: 1, pear: 4, plum: 0}}
zones:
  tree: {of: Card, starts: Card, seen: nobody}
  basket: {each: seat, of: Card, order: kept, seen: viewer == owner}
vars:
  round: {type: 0..3, starts: 0, seen: everyone}
  lead: {type: seat, starts: 0, seen: everyone}
  tired: {each: seat, type: bool, starts: false, seen: everyone}
define:
  full(seat p): sum(worth[c.fruit] for c in basket[p]) + round > 3 and not tired[p]
  top(seat p): last(basket[p]) != none and last(basket[p]).fruit == plum
  unused: 1 + 2
phases:
  pick:
    by: O1
    chance: {over: players, asks: size(tree) > 0}
    outcomes:
      pick(me, c from tree):
        told: {me: everyone, c: viewer == me}
        do: move c from tree to basket[me]
    then: turn
  turn:
    turns:
      over: clockwise(lead)
      asks: not full(me)
    actions:
      rest():
        when: not tired[me]
        reopens: others
        do:
          - by: O2
            do: |
              tired[me] := true
              lead := left(me)
          - lead := me
      give(p in players where p != me and not top(p)):
        told: everyone
        do: |
          for c in basket[me] where c.fruit == pear:
            move c from basket[me] to basket[p]
          if size(basket[p]) > 2:
            tired[p] := false
          else:
            tired[me] := true
      pass(): {}
    unasked: tired[me] := false
    then: roll
  roll:
    chance: once
    outcomes:
      roll(n from 1 of Die):
        told: everyone
        do: round := min(round + sum(k for k in n), 3)
    then: end if round == 3 else lead
  lead:
    by: O3
    do: |
      for p in players by size(basket[p]) down:
        lead := p
    then: pick if size(tree) > 0 else end
result:
  rank: ["size(basket[me])", "1 if tired[me] else 0"]
  lost: all(tired[p] for p in players)
"""


@pytest.fixture(scope="module")
def orchard() -> ir.Game:
    return compiled(SPEC)


@pytest.fixture(scope="module")
def found(orchard: ir.Game) -> list[Mutant]:
    return list(mutants(orchard))


def test_each_operator_makes_mutants(found: list[Mutant]) -> None:
    assert {mutant.operator for mutant in found} == set(OPERATORS)


def test_ids_are_the_same_each_time_and_no_two_are_alike(orchard: ir.Game) -> None:
    ids = [mutant.id for mutant in candidates(orchard)]
    assert len(set(ids)) == len(ids)
    assert ids == [mutant.id for mutant in candidates(compiled(SPEC))]
    longer = SPEC.replace("\nzones:", "\n# a line more\nzones:").replace("starts: 0, seen", "starts: 1, seen", 1)
    other = [mutant.id for mutant in candidates(compiled(longer))]
    assert [i for i in ids if not i.startswith("vars.round")] == [i for i in other if not i.startswith("vars.round")]


@pytest.mark.parametrize(
    ("operator", "was", "now"),
    [
        ("comparison", "size(tree) > 0", "size(tree) >= 0"),
        ("comparison", "p != me", "p == me"),
        ("arithmetic", "round := min(round + sum(k for k in n), 3)", "round := min(round - sum(k for k in n), 3)"),
        ("logic", "p != me and not top(p)", "p != me or not top(p)"),
        ("logic", "not full(me)", "full(me)"),
        ("extreme", "min(", "max("),
        ("extreme", "all(", "any("),
        ("extreme", "last(", "first("),
        ("number", "round == 3", "round == 2"),
        ("number", "0", "1"),
        ("word", "c.fruit == pear", "c.fruit == plum"),
        ("bool", "tired[me] := true", "tired[me] := false"),
        ("direction", "lead := left(me)", "lead := right(me)"),
        ("order", "by size(basket[p]) down", "by size(basket[p])"),
        ("order", "p in players by size(basket[p]) down", "p in players"),
        ("test", "c in basket[me] where c.fruit == pear", "c in basket[me]"),
        ("test", "when: not tired[me]", "(nothing)"),
        ("test", "asks: not full(me)", "(nothing)"),
        ("test", "where p != me and not top(p)", "(nothing)"),
        ("test", "lost: all(tired[p] for p in players)", "(nothing)"),
        ("dropped", "move c from tree to basket[me]", "(nothing)"),
        ("swapped", "tired[me] := true … before lead := me", "lead := me before tired[me] := true …"),
        ("branch", "if size(basket[p]) > 2", "if false"),
        ("visibility", "seen: viewer == owner", "seen: everyone"),
        ("visibility", "seen: everyone", "seen: viewer == owner"),
        ("told", "told c viewer == me", "told c nobody"),
        ("way", "then: end if round == 3 else lead", "then: lead if round == 3 else end"),
        ("reopened", "reopens: others", "reopens: all"),
        ("table", "worth[apple]: 1", "worth[apple]: 2"),
        ("copies", "plum, copies: 2", "plum, copies: 3"),
        ("dice", "2 on 2", "2 on 1"),
        ("result", "size(basket[me])", "-size(basket[me])"),
        ("result", "rank: 1 if tired[me] else 0", "(nothing)"),
    ],
)
def test_what_was_and_what_is(found: list[Mutant], operator: str, was: str, now: str) -> None:
    mine = [mutant for mutant in found if mutant.operator == operator]
    assert any(was in mutant.was and now in mutant.now for mutant in mine), [(m.was, m.now) for m in mine]


def test_places_and_clauses(found: list[Mutant]) -> None:
    by = {mutant.was: (mutant.by, SPEC.splitlines()[mutant.span.line - 1].strip()) for mutant in found}
    assert by["move c from tree to basket[me]"] == (("O1",), "do: move c from tree to basket[me]")
    assert by["tired[me] := true"][0] in (("O2",), ())
    assert by["lead := left(me)"] == (("O2",), "lead := left(me)")
    assert by["reopens: others"][1] == "rest():"


def test_what_nothing_uses_is_left_as_it_is(orchard: ir.Game) -> None:
    assert not any(mutant.element == "define.unused" for mutant in candidates(orchard))


def test_what_makes_no_difference_by_the_language_is_not_offered() -> None:
    """Who acts knows a value anyway; a table that says what lies in a zone makes copies idle; the first or the last is
    there or not at once."""
    stocked = SPEC.replace("tree: {of: Card, starts: Card,", "tree: {of: Card, starts: worth_of_trees,")
    stocked = stocked.replace(
        "zones:\n", "  worth_of_trees: {each: Card, type: 0..2, otherwise: 2, is: {plum: 1}}\nzones:\n"
    )
    assert not any(m.operator == "copies" for m in candidates(compiled(stocked)))
    told = SPEC.replace(
        "give(p in players where p != me and not top(p)):\n        told: everyone",
        "give(p in players where p != me and not top(p)):\n        told: viewer == me",
    )
    mine = {(m.element, m.now) for m in candidates(compiled(told)) if m.operator == "told"}
    assert ("phases.turn.actions.give", "told p everyone") in mine
    assert ("phases.turn.actions.give", "told p nobody") not in mine
    assert ("phases.pick.outcomes.pick", "told c nobody") in mine
    assert not any("first(basket[p]) != none" in m.now for m in candidates(compiled(SPEC)))


def test_what_does_not_meet_is_not_swapped(found: list[Mutant]) -> None:
    """`tired[me] := true` and `lead := left(me)` are the same either way."""
    assert not any(m.operator == "swapped" and m.was.endswith("before lead := left(me)") for m in found)


@pytest.mark.parametrize(
    ("basket", "effects", "swapped"),
    [
        ("order: kept, ", ("move all from tree to basket[me]", "move all from bin to basket[me]"), True),
        ("", ("move all from tree to basket[me]", "move all from bin to basket[me]"), False),
        ("", ("move all from tree to basket[me]", "move all from basket[me] to bin"), True),
        ("", ("move all from tree to basket[me]", "if size(basket[me]) > 1:\n  tired[me] := true"), True),
        ("", ("lead := left(me)", "lead := right(me)"), True),
    ],
)
def test_what_both_only_put_cards_into_meets_where_it_keeps_their_order(
    basket: str, effects: tuple[str, str], swapped: bool
) -> None:
    text = SPEC.replace("order: kept, ", basket).replace("last(basket[p]) != none and last(basket[p]).fruit", "plum")
    text = text.replace("\nvars:", "\n  bin: {of: Card, seen: everyone}\nvars:")
    text = text.replace("pass(): {}", "pass():\n        do: |\n" + indent("\n".join(effects), " " * 10))
    mine = [m for m in candidates(compiled(text)) if m.element == "phases.turn.actions.pass"]
    assert mine
    assert any(m.operator == "swapped" for m in mine) == swapped


def test_a_rule_is_not_played_without_the_overlay_that_has_what_it_names() -> None:
    text = SPEC.replace("\ntypes:", """
options:
  rain: {type: bool, default: false}
overlays:
  wet:
    when: rain
    add:
      vars: {drops: {each: seat, type: 0..9, starts: 0, seen: everyone}}
    change:
      define:
        full: {is: "drops[p] + round > 3"}
      phases:
        turn: {actions: {rest: {when: round < 2}}}
types:""", 1)  # fmt: skip
    mine = {(m.was, m.now) for m in candidates(compiled(text)) if m.operator == "branch" and "wet" in m.was}
    assert any(now.startswith("drops[p] + round > 3 if false else") for _, now in mine)
    assert not any(now.startswith("drops[p] + round > 3 if true else") for _, now in mine)
    assert any(" if true else " in now for _, now in mine), "the other needs nothing that is not there"


def test_the_types_follow_a_number() -> None:
    text = SPEC.replace("full(seat p):", "most: 2\n  full(seat p):").replace(
        "when: not tired[me]", "when: round < most"
    )
    text = text.replace(
        "pass(): {}", "take(n in 1..most):\n        told: everyone\n        do: round := n\n      pass(): {}"
    )
    changes = {m.now: m for m in candidates(compiled(text)) if m.element == "define.most"}
    more, fewer = changes["3"].game(), changes["1"].game()
    assert more is not None
    assert fewer is not None
    for game, high in ((more, 3), (fewer, 1)):
        (take,) = [a for phase in game.phases for a in phase.actions if a.key == "take"]
        assert str(take.params[0].type) == f"1..{high}"
        assert [str(n.type) for n in nodes(take.effects) if isinstance(n, ir.Local)] == [f"1..{high}"]


def test_what_leaves_its_range_is_no_mutant_or_is_checked(orchard: ir.Game) -> None:
    starts = {m.now: m.game() for m in candidates(orchard) if m.id.startswith("vars.round:number")}
    assert starts["1"] is not None
    assert starts["-1"] is None
    more = next(m.game() for m in candidates(orchard) if m.was.startswith("round := min") and m.now.endswith(", 4)"))
    assert more is not None
    assert [n.guarded for n in nodes(more.phases) if isinstance(n, ir.Assign) and n.target.name == "round"] == [True]


@pytest.mark.parametrize("name", SPECS)
def test_without_a_change_the_types_stay(name: str) -> None:
    game = rules(compiled(text_of(name), SPECS[name].name, SPECS[name].parent))
    again = retyped(game, game)
    verify(again)

    def plain(printed: ir.Game) -> list[str]:
        return [line.partition("  # checked")[0] for line in print_game(printed).splitlines()]

    assert plain(again) == plain(game)


@pytest.mark.parametrize("name", SPECS)
def test_mutants_of_every_spec_are_games(name: str) -> None:
    game = compiled(text_of(name), SPECS[name].name, SPECS[name].parent)
    offered = list(candidates(game))
    assert len({mutant.id for mutant in offered}) == len(offered)
    assert all(mutant.was != mutant.now for mutant in offered)
    loaded = 0
    for mutant in offered[::EVERY]:
        if (changed := mutant.game()) is not None:
            variant = execute(emit_python(changed, "spec.yaml"), game.name)
            Game(variant)
            sys.modules.pop(variant.position.__module__)
            loaded += 1
    assert loaded
