"""What differs between two games is said once, what only looks different is not."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from aeronef.dsl import ir
from aeronef.dsl.differences import COMPARED, TOPICS, Difference, differences
from aeronef.dsl.specialise import specialise
from aeronef.dsl.walk import nodes, rules
from tests.games.specs import compiled, text_of
from tests.language.test_specialise import ir_of, plain_games

NAMES = list(plain_games())


def renamed(node: Any, names: dict[str, str]) -> Any:
    """The IR with other words for these names."""
    if isinstance(node, str):
        return names.get(node, node)
    if isinstance(node, tuple):
        return tuple(renamed(item, names) for item in node)
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        kept = ("name",) if isinstance(node, ir.Action) and node.name != node.key else ()  # the label of another form
        fields = [f.name for f in dataclasses.fields(node) if f.name not in kept]
        changed = {name: renamed(getattr(node, name), names) for name in fields}
        return dataclasses.replace(node, **changed)
    return node


def declared(game: ir.Game) -> list[str]:
    """Every name that an author chose, but for those that mean several things in the spec."""
    used = {n.name for n in nodes((game.defines, game.phases, game.variables, game.zones, game.longest))
            if isinstance(n, ir.Option)}  # fmt: skip
    things: tuple[Any, ...] = (
        *(o for o in game.options if o.name in used),  # others switch optional rules
        *game.cards,
        *game.dice,
        *game.zones,
        *game.variables,
        *game.defines,
        *game.phases,
    )
    found = [thing.name for thing in things] + [name for name, _ in game.enums] + [name for name, *_ in game.numbers]
    found += [phase.name for phase in game.phases]
    found += [word for _, words in game.enums for word in words]
    found += [name for card in game.cards for name, _ in card.attributes]
    found += [action.key for phase in game.phases for action in phase.actions]
    locals_ = {p.name for phase in game.phases for action in phase.actions for p in action.params}
    builtin = {n.name for n in nodes((game.defines, game.phases, game.variables)) if isinstance(n, ir.Builtin)}
    builtin |= {"end", "count", "given", "one", "some", "card", "roll"}  # and what the IR calls things
    labels = {kind.label for card in game.cards for kind in card.kinds}
    return sorted({name for name in found if found.count(name) == 1} - locals_ - builtin - labels)


def short(found: tuple[Difference, ...]) -> list[tuple[str, str, str, str, str]]:
    return [(d.topic, d.element, d.what, d.a, d.b) for d in found]


@pytest.mark.parametrize("name", NAMES)
def test_a_game_does_not_differ_from_itself(name: str) -> None:
    assert differences(ir_of(name), ir_of(name)) == ()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("high_tide", "no_mercy")])
def test_what_is_renamed_is_said_once(name: str) -> None:
    game = ir_of(name)
    for old in declared(rules(game)):  # what only measures use is no rule
        found = differences(game, renamed(game, {old: f"{old}_2"}))
        assert [d.what for d in found] == ["renamed"], (old, short(found))
        assert (found[0].a, found[0].b) == (old, f"{old}_2")


def test_what_is_measured_makes_no_difference() -> None:
    game = ir_of("montgolfiere_race")
    assert game.measures
    assert differences(game, dataclasses.replace(game, measures=())) == ()


def test_several_things_renamed_at_once() -> None:
    names = {"altitude": "height", "gas": "fumes", "storm": "gale", "cancelled": "asleep", "live": "alive",
             "set_aside": "clean_up", "next_round": "again", "spent": "used", "keep": "hide", "kind": "sort",
             "twins": "crew", "Kind": "Sort"}  # fmt: skip
    found = differences(ir_of("montgolfiere_race"), renamed(ir_of("montgolfiere_race"), names))
    assert {d.what for d in found} == {"renamed"}
    pairs = {pair for d in found for pair in zip(d.a.split(", "), d.b.split(", "), strict=True)}
    assert pairs == set(names.items())


GAME = """\
game: small
players: 2..3
longest: 99
types:
  Way: [high, low]
cards:
  Card:
    attributes: {rank: 1..3, way: Way}
    kinds: [{label: "{way} {rank}", rank: 1..3, way: [high, low]}]
zones:
  deck: {of: Card, starts: Card, seen: nobody}
  hand: {each: seat, of: Card, seen: viewer == owner}
vars:
  score: {each: seat, type: 0..9, starts: 0, seen: everyone}
  last: {type: "seat?", seen: everyone}
define:
  best: max(score[p] for p in players)
phases:
  deal:
    chance:
      over: players
      until: size(hand[me]) == 2
    outcomes:
      draw(me, c from deck):
        told: {me: everyone, c: viewer == me}
        do: move c from deck to hand[me]
    then: play
  play:
    turns:
      from: 0
      until: any(size(hand[p]) == 0 for p in players)
    actions:
      play(c in hand[me] where c.rank > 1):
        told: everyone
        when: size(hand[me]) >= 1 and last != me
        do: |
          let gain = c.rank
          for p in players where p != me:
            score[p] := max(score[p] - gain, 0)
          score[me] := min(score[me] + gain, 9)
          last := me
          move c from hand[me] to deck
      pass():
        do: last := none
    then: end if best > 3 else play
result:
  rank: score[me]
invariants:
  six cards: size(deck) + sum(size(hand[p]) for p in players) == 6
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("game: small", "game: small\nsays: A small game."),
        ("for p in players where p != me:\n            score[p] := max(score[p]",
         "for rival in players where me != rival:\n            score[rival] := max(score[rival]"),
        ("let gain = c.rank\n", "let loss = c.rank\n"),
        ("size(hand[me]) >= 1 and last != me", "last != me and 1 <= size(hand[me])"),
        ("six cards:", "no card is lost:"),
        ("any(size(hand[p]) == 0 for p in players)", "any(p in players where size(hand[p]) == 0)"),
        ("score: {each: seat, type: 0..9, starts: 0, seen: everyone}\n  last: {type: \"seat?\", seen: everyone}",
         "last: {type: \"seat?\", seen: everyone}\n  score: {each: seat, type: 0..9, starts: 0, seen: everyone}"),
    ],
)  # fmt: skip
def test_what_means_the_same_makes_no_difference(old: str, new: str) -> None:
    text = GAME.replace(old, new)
    if "loss" in new:
        text = re.sub(r"\bgain\b", "loss", text)
    assert text != GAME
    assert differences(compiled(GAME), compiled(text)) == ()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("2..3\n", "2..4\n", [("players", "players", "differs", "2..3", "2..4")]),
        ("high, low]\n", "high, low, off]\n", [("types", "types.Way.words", "only in B", "", "off")]),
        ("seen: viewer == owner}", "seen: everyone}",
         [("visibility", "zones.hand", "differs", "viewer == owner", "everyone")]),
        ("c: viewer == me}", "c: nobody}",
         [("visibility", "phases.deal.outcomes.draw.c", "differs", "viewer == me", "nobody")]),
        ("seen: nobody}", "order: kept, seen: nobody}",
         [("zones", "zones.deck", "differs", "any number of Card", "a row of Card")]),
        ("starts: 0, seen", "starts: 1, seen", [("variables", "vars.score.starts", "differs", "0", "1")]),
        ("best: max(", "best: min(",
         [("definitions", "define.best", "differs", "max(score[p] for p in players)",
           "min(score[p] for p in players)")]),
        ("from: 0", "from: last otherwise 0", [("phases", "phases.play.from", "differs", "0", "last otherwise 0")]),
        ("best > 3 else play", "best > 3 else deal",
         [("phases", "phases.play.then", "differs", "end if best > 3 else play", "end if best > 3 else deal")]),
        ("where c.rank > 1)", "where c.rank > 2)",
         [("conditions", "phases.play.actions.play.c", "differs", "c.rank > 1", "c.rank > 2")]),
        (">= 1 and last != me", ">= 1",
         [("conditions", "phases.play.actions.play", "differs", "size(hand[me]) >= 1 and last != me",
           "size(hand[me]) >= 1")]),
        ("- gain, 0)", "- 1, 0)",
         [("effects", "phases.play.actions.play", "differs",
           "for p in players where p != me:\n  score[p] := max(score[p] - gain, 0)",
           "for p in players where p != me:\n  score[p] := max(score[p] - 1, 0)")]),
        ("          last := me\n", "", [("effects", "phases.play.actions.play", "only in A", "last := me", "")]),
        ("rank: score[me]\n", "rank: -score[me]\n",
         [("result", "result.rank", "differs", "score[me]", "-score[me]")]),
        ("== 6", "<= 6", [("invariants", "invariants.six cards", "differs",
                           "size(deck) + sum(size(hand[p]) for p in players) == 6",
                           "size(deck) + sum(size(hand[p]) for p in players) <= 6")]),
        ("way: [high, low]}]", "way: [high, low]}, {label: joker, rank: 1, way: high, copies: 2}]",
         [("cards", "cards.Card.kinds", "only in B", "", "2 × joker")]),
        ("      pass():\n        do: last := none\n", "",
         [("actions", "phases.play.actions.pass", "only in A", "pass()\n  last := none", "")]),
    ],
)  # fmt: skip
def test_each_topic(old: str, new: str, expected: list[tuple[str, str, str, str, str]]) -> None:
    assert old in GAME
    found = differences(compiled(GAME), compiled(GAME.replace(old, new)))
    assert short(found) == expected
    back = differences(compiled(GAME.replace(old, new)), compiled(GAME))
    turned = {"only in A": "only in B", "only in B": "only in A"}
    assert short(back) == [(t, e, turned.get(w, w), b, a) for t, e, w, a, b in expected]


def test_differences_are_sorted_by_topic_and_have_their_places() -> None:
    found = differences(ir_of("kuhn_poker"), ir_of("leduc_poker"))
    assert [TOPICS.index(d.topic) for d in found] == sorted(TOPICS.index(d.topic) for d in found)
    for d in found:
        assert (d.span_a is None) == (d.what == "only in B")
        assert (d.span_b is None) == (d.what == "only in A")
        assert d.span_a is None or d.span_a.file == "kuhn_poker.yaml"


def test_options_settled_in_two_ways() -> None:
    race = ir_of("montgolfiere_race")
    found = differences(specialise(race, {"squadron": "ask"}), specialise(race, {"squadron": "open"}))
    assert [(d.topic, d.element) for d in found] == [
        ("phases", "phases.show.who"), ("effects", "phases.choose"),
    ]  # fmt: skip


def test_whatever_a_declaration_says_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A field that nobody thought of here is compared as it is."""
    zones, phases = COMPARED[ir.Zone] - {"ordered"}, COMPARED[ir.Phase] - {"until"}
    monkeypatch.setitem(COMPARED, ir.Zone, zones)
    monkeypatch.setitem(COMPARED, ir.Phase, phases)
    other = GAME.replace("seen: nobody}", "order: kept, seen: nobody}").replace("== 2\n", "== 3\n")
    found = short(differences(compiled(GAME), compiled(other)))
    assert ("zones", "zones.deck.ordered", "differs", "no", "yes") in found
    assert found.count(("phases", "phases.deal.until", "differs", "size(hand[me]) == 2", "size(hand[me]) == 3")) == 2
    fields = {kind: {f.name for f in dataclasses.fields(kind)} for kind in COMPARED}
    assert all(names <= fields[kind] for kind, names in COMPARED.items())


def test_choices_in_a_row_differ_in_what_is_answered_not_in_its_name() -> None:
    text = text_of("tolls")
    other = text.replace("k in Gate where toll[k] != free", "at in Gate where toll[at] != free")
    other = other.replace(
        "pay(k, c in hand[me] where answers(c, toll[k]", "pay(at, c in hand[me] where answers(c, toll[at]"
    )
    assert other != text
    assert differences(compiled(text), compiled(other)) == ()
    down = text.replace("k in Gate where toll[k] != free", "k in Gate where toll[k] != free by k down")
    head = "k in Gate where toll[k] != free"
    assert short(differences(compiled(text), compiled(down))) == [
        ("phases", "phases.pay.sequence", "differs", head, f"{head} by k down")
    ]
    once = text.replace(f"sequence: {head}", "asks: true").replace("pay(k, c in", "pay(k in Gate, c in")
    found = short(differences(compiled(text), compiled(once)))
    assert ("phases", "phases.pay.sequence", "differs", head, "one choice") in found
