"""Circles of phases end for the reasons that are given, and where there is none, none is given."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.compiler import Compilation, compile_text
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.mutate import candidates
from aeronef.dsl.proofs import Argument, Measure, told
from aeronef.dsl.ranking import arguments
from aeronef.dsl.settle import settle
from aeronef.dsl.specialise import Unfit
from aeronef.loading import execute
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL, Position
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from tests.games.specs import ROOT, SPECS, text_of


@cache
def compilation(name: str) -> Compilation:
    return compile_text(SPECS[name].name, text_of(name).encode(), SPECS[name].parent, ROOT / "variants")


def settled(name: str, players: int, **options: Any) -> ir.Game:
    return settle(compilation(name), options, players)


@cache
def argued(name: str, players: int, **options: Any) -> dict[str, Argument]:
    """The arguments of a game and those inside them, by their phases."""
    return by_phases(arguments(settled(name, players, **options)))


def by_phases(found: tuple[Argument, ...]) -> dict[str, Argument]:
    every: dict[str, Argument] = {}
    for argument in found:
        every[" ".join(argument.phases)] = argument
        every |= by_phases(argument.inside)
    return every


def tuple_of(argument: Argument) -> list[str]:
    return [f"{step.measure.kind} {' '.join(step.measure.names)}" for step in argument.steps]


# ------------------------------------------------------------------------------ the shipped variants


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("name", ["balloon", "flying_saucer"])
def test_the_boarding_ends(name: str, players: int) -> None:
    found = argued(name, players)
    boarding = found["boarding"]
    assert boarding.ended
    assert tuple_of(boarding) == ["cards hand", "false excused"]
    assert [step.lowered for step in boarding.steps] == [("boarding.board", "boarding.propose"), ("boarding.propose",)]
    assert [step.measure.most for step in boarding.steps] == [11 * players, players]
    assert boarding.circuit == "all(ready(p) for p in players)"
    assert found["pay"].ended


@pytest.mark.parametrize("players", [2, 6])
def test_the_boarding_with_powers_ends(players: int) -> None:
    balloon = argued("balloon", players, mode="advanced")["boarding double"]
    assert balloon.ended
    assert tuple_of(balloon) == ["cards hand aboard", "cards hand", "false excused"]
    saucer = argued("flying_saucer", players, asymmetric=True)["boarding double"]
    assert saucer.ended
    assert tuple_of(saucer) == ["true rampart_up", "cards hand", "false excused"]


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("name", ["balloon", "flying_saucer"])
def test_the_text_as_it_stands_has_no_argument(name: str, players: int) -> None:
    boarding = argued(name, players, takeoff_rule="literal")["boarding"]
    assert not boarding.ended
    assert boarding.stuck == ("boarding.propose",)


@pytest.mark.parametrize("players", [2, 6])
@pytest.mark.parametrize("name", ["balloon", "flying_saucer"])
def test_rounds_in_which_nobody_loses_may_repeat_for_ever(name: str, players: int) -> None:
    outer = argued(name, players)["build boarding takeoff pay clear"]
    assert not outer.ended
    assert outer.through == "build"


@pytest.mark.parametrize(("players", "baron"), [(2, False), (3, False), (6, False), (2, True), (5, True)])
@pytest.mark.parametrize("target", [0, 20])
def test_a_balloon_race_has_at_most_24_rounds(players: int, baron: bool, target: int) -> None:
    found = argued("montgolfiere_race", players, baron=baron, target=target)
    rounds = found["baron_draws show choose reveal hook move set_aside refill next_round"]
    assert rounds.ended
    assert dict(rounds.visits)["choose"] == 24
    if target:  # each game scores everybody a point
        match = next(argument for argument in found.values() if "new_game" in argument.phases)
        assert match.ended
        assert tuple_of(match) == ["up score"]


def test_an_argument_reads_like_this() -> None:
    game = settled("balloon", 2)
    boarding = by_phases(arguments(game))["boarding"]
    assert told(boarding, game) == (
        "boarding ends: the first of these that changes falls, once a circuit of the table at the latest",
        "  1. cards in `hand`, all seats together (at most 22): board, propose",
        "  2. seats whose `excused` is false (at most 2): propose",
        "  where nothing falls for a whole circuit, all(ready(p) for p in players) holds, and the phase is over",
    )
    game = settled("montgolfiere_race", 2)
    rounds = arguments(game)[1]
    assert told(rounds, game)[1:] == (
        "  1. cards in `pile` and `hand`, all seats together (at most 48): baron_draws.draw, choose.play",
        "  played at most 24 times: choose",
    )


def test_what_has_no_argument_says_so() -> None:
    game = settled("balloon", 3, takeoff_rule="literal")
    lines = told(arguments(game)[0], game)
    assert lines[0] == "build, boarding, takeoff, pay, clear: no argument that this circle ends"
    assert "    boarding: no argument that it ends" in lines
    assert "      of some of these nothing is known to fall: propose" in lines


def test_it_is_the_same_each_time() -> None:
    game = settled("flying_saucer", 4, asymmetric=True)
    assert arguments(game) == arguments(game)


def test_a_settled_game_has_no_options_left() -> None:
    game = settled("montgolfiere_race", 3, baron=True)
    assert (game.players, game.options, game.overlays) == ((3, 3), (), ())
    for wrong in ({"baron": True}, {"barons": True}, {"target": -1}):
        with pytest.raises(Unfit):
            settled("montgolfiere_race", 6, **wrong)


# ------------------------------------------------------------------------------ twins


def made(text: str, players: int = 2) -> dict[str, Argument]:
    return by_phases(arguments(game_of(text, players)))


def game_of(text: str, players: int = 2) -> ir.Game:
    return settle(compile_text("made.yaml", text.encode()), {}, players)


HEAD = """
game: made
players: 2..4
longest: 1000
cards: {Card: {kinds: [{label: a, copies: 6}, {label: b}]}}
zones:
  deck: {of: Card, starts: Card, seen: nobody}
  hand: {each: seat, of: Card, starts: Card, seen: everyone}
  discard: {each: seat, of: Card, seen: everyone}
vars:
  done: {each: seat, type: bool, starts: false, seen: everyone}
  open: {type: bool, starts: true, seen: everyone}
  fuel: {each: seat, type: 0..9, starts: 9, seen: everyone}
  who: {type: "seat?", seen: everyone}
  resting: {type: set of seat, starts: "{}", seen: everyone}
result: {rank: "size(hand[me])"}
phases:
"""
TURNS = """
  go:
    turns: {from: 0, until: "all(done[p] for p in players)"}
    actions:
      play(c in hand[me]):
        told: everyone
        do: move c from hand[me] to discard[me]
      stop():
        do: done[me] := true
    then: end
"""
ROUNDS = """
  go:
    together: players
    actions:
      play(c in hand[me]):
        told: everyone
        do: move c from hand[me] to discard[me]
    then: tidy
  tidy:
    do: |
      for p in players:
        fuel[p] := fuel[p]
    then: end if all(size(hand[p]) == 0 for p in players) else go
"""
DRAWS = """
  go:
    chance: {until: not open}
    outcomes:
      draw(c from deck):
        told: everyone
        do: move c from deck to discard[0]
    then: end
"""
OVER = """
  go:
    turns: {over: players, until: "fuel[me] == 0"}
    actions:
      burn():
        do: fuel[me] := max(fuel[me] - 1, 0)
    then: end
"""
REACT = """
  go:
    turns: players
    actions:
      spend(c in hand[me]):
        told: everyone
        do: move c from hand[me] to discard[me]
        reopens: all
      pass(): {}
    then: end
"""
VISITS = """
  go:
    turns: {from: 0, until: "all(done[p] for p in players)"}
    actions:
      play(c in hand[me]):
        told: everyone
        do: move c from hand[me] to discard[me]
        visits: aside
      stop():
        do: done[me] := true
    then: end
  aside:
    do: fuel[me] := 0
    then: back
"""
BIDS = """
  go:
    turns: {from: 0, until: who != none}
    actions:
      bid(n in 0..9 where n > fuel[0] or (n == fuel[0] and open)):
        told: everyone
        do: |
          fuel[0] := n
          open := n > 20
      doubt():
        do: who := me
    then: end
"""
SETTLED = """
  go:
    turns: {from: 0, until: not open}
    actions:
      burn():
        do: |
          for k in 1..2:
            fuel[0] := fuel[0] - 1
    then: end
"""
RESTS = """
  go:
    turns:
      from: 0
      asks: me not in resting
      until: not open
    actions:
      rest():
        do: "resting := {p in players where p in resting or p == me}"
    then: end
"""
PAYS = """
  go:
    together:
      over: p in players where fuel[p] > 0
      until: fuel[me] == 0
    actions:
      pay(c in hand[me]):
        told: everyone
        do: fuel[me] := max(fuel[me] - 1, 0)
    then: end
"""
PLAYED = "move c from hand[me] to discard[me]\n"
IN_A_BLOCK = "|\n          "
UNDO = """      undo(p in players where p != me):
        told: everyone
        do: done[p] := false
"""
GIVEN_BACK = """
      if size(discard[p]) > 3:
        for c in discard[p]:
          move c from discard[p] to hand[p]""".replace("\n", "\n    ")
TWINS = {
    "a card comes back": (
        TURNS, f"do: {PLAYED}", f"do: {IN_A_BLOCK}{PLAYED}          move all from discard[me] to hand[me]\n",
    ),
    "an action changes nothing": (TURNS, "stop():", "wait(): {}\n      stop():"),
    "what has to hold can never be made to": (TURNS, "done[me] := true", "done[me] := size(hand[me]) > 90"),
    "who is done is undone by another": (TURNS, PLAYED, PLAYED + UNDO),
    "who is done undoes itself": (TURNS, "done[me] := true", "done[me] := not done[me]"),
    "who is done is undone in a loop": (
        TURNS, "done[me] := true", f"{IN_A_BLOCK}for p in players:\n            done[p] := p == me",
    ),
    "one circuit is not of all players": (TURNS, "for p in players)", "for p in players) and not open"),
    "cards are given back on the way": (ROUNDS, "fuel[p] := fuel[p]", "move all from discard[p] to hand[p]"),
    "some cards are given back on the way": (ROUNDS, "fuel[p] := fuel[p]", GIVEN_BACK),
    "somebody may not be able to": (ROUNDS, "together: players", "together: p in players where size(hand[p]) > 3"),
    "a pile is refilled": (DRAWS, "deck: {", "deck: {refill: 'discard[0]', "),
    "an end that no draw comes nearer to": (DRAWS, "do: move c from deck to discard[0]", "do: open := size(deck) > 3"),
    "fuel that does not fall at 5": (OVER, "max(fuel[me] - 1, 0)", "(5 if fuel[me] == 5 else max(fuel[me] - 1, 0))"),
    "fuel that starts again": (OVER, "max(fuel[me] - 1, 0)", "(fuel[me] - 1 if fuel[me] > 1 else 9)"),
    "the fuel of another": (OVER, "fuel[me] := max(fuel[me] - 1, 0)", "fuel[left(me)] := max(fuel[left(me)] - 1, 0)"),
    "a reaction that costs nothing": (REACT, PLAYED, "fuel[me] := 3\n"),
    "a pass that reopens": (REACT, "pass(): {}", "pass(): {reopens: others}"),
    "a detour that gives back": (VISITS, "do: fuel[me] := 0", "do: move all from discard[me] to hand[me]"),
    "a detour for nothing": (VISITS, f"        do: {PLAYED}", ""),
    "equal bids": (BIDS, "n > fuel[0] or", "n >= fuel[0] or"),
    "lower bids": (BIDS, "n > fuel[0] or", "n != fuel[0] or"),
    "equal bids as often as they like": (BIDS, "open := n > 20", "open := n < 20"),
    "who rests already may rest again": (RESTS, "asks: me not in resting\n      ", ""),
    "rest is for others": (RESTS, "p == me", "p == left(me)"),
    "rest is forgotten": (RESTS, "p in resting or p == me", "p in resting and p != left(me)"),
    "their neighbours rest, and they are taken for them": (
        RESTS, "asks: me not in resting", "asks: me not in [left(p) for p in resting]",
    ),
    "they pay until they have paid nothing": (PAYS, "until: fuel[me] == 0", "until: fuel[me] == 10 - fuel[me]"),
    "a loop that goes through what was there before": (
        SETTLED, "1..2:\n            fuel[0] := fuel[0] - 1",
        "1..2 where fuel[0] == 9:\n            fuel[0] := 8 if fuel[0] == 9 else 9",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TWINS)
def test_one_change_takes_the_argument_away(what: str) -> None:
    phases, old, new = TWINS[what]
    text = HEAD + phases
    assert old in text
    for players in (2, 4):
        right, wrong = made(text, players), made(text.replace(old, new), players)
        assert right
        assert all(argument.ended for argument in right.values()), right
        assert not all(argument.ended for argument in wrong.values()), wrong


def test_a_phase_that_several_visit_has_an_argument_for_each() -> None:
    game = game_of((ROOT / "tests/language/right/detours.yaml").read_text(encoding="utf-8"), 3)
    circle = next(argument for argument in arguments(game) if "boarding" in argument.phases)
    storms = [a for outer in (circle, *circle.inside) for a in outer.inside if a.phases == ("storm", "bailing")]
    assert [a.aside for a in storms] == [("boarding",), ("boarding", "double")]
    assert all(argument.ended for argument in storms)
    assert told(storms[1], game)[0] == "storm, bailing (visited from double) end: this falls, each time round"


def test_who_is_done_has_to_stay_done() -> None:
    """The circuit is part of the argument only where nothing but a pass is left."""
    assert made(HEAD + TURNS)["go"].circuit == "all(done[p] for p in players)"
    assert made(HEAD + VISITS)["go aside"].circuit == "all(done[p] for p in players)"
    assert tuple_of(made(HEAD + TURNS)["go"]) == ["cards hand", "false done"]


ONCE = """
  go:
    turns: players
    actions:
      pass(): {}
    then: end
"""
LOTS = """
  go:
    chance: {until: who != none}
    outcomes:
      first(p from players):
        told: everyone
        do: who := p
    then: end
"""


@pytest.mark.parametrize("phases", [ONCE, LOTS])
def test_what_happens_once_is_no_circle(phases: str) -> None:
    """Turns once round are none, nor is chance whose outcome makes true what it waits for."""
    assert made(HEAD + phases) == {}


# ------------------------------------------------------------------------------ what is argued, in play


def value_of(measure: Measure, game: ir.Game, at: Position) -> int:
    """What a measure is in a position (less what is always the same)."""
    if measure.kind == "seats":
        phase = [each.name for each in game.phases].index(measure.names[0])
        aside = [len(queue) * 1000 for number, _, queue, _, _ in at.back if number == phase]
        return sum(aside) + (len(at.queue) * 1000 + len(at.row) if at.phase == phase else 0)
    if measure.kind in ("cards", "room"):
        zones = [zone for zone in game.zones if zone.name in measure.names]
        lying = sum(sum(_held(part, zone) for part in _parts(getattr(at, zone.name), zone.each)) for zone in zones)
        return lying if measure.kind == "cards" else (measure.most or 0) - lying
    variable = next(v for v in game.variables if v.name == measure.names[0])
    parts = list(_parts(getattr(at, variable.name), variable.each))
    match measure.kind:
        case "true":
            return parts.count(True)
        case "false":
            return parts.count(False)
        case "none":
            return parts.count(None)
        case "some":
            return len(parts) - parts.count(None)
        case "down" | "up":
            assert isinstance(variable.type, t.Int)
            low: int = sum(part - variable.type.low for part in parts)
            return low if measure.kind == "down" else (measure.most or 0) - low
        case "fewer" | "more":
            held: int = sum(len(part) for part in parts)
            return held if measure.kind == "fewer" else (measure.most or 0) - held
        case _:
            raise AssertionError(measure.kind)


def _held(part: Any, zone: ir.Zone) -> int:
    return int(part is not None) if zone.slot else len(part)


def _parts(value: Any, each: tuple[t.Type, ...]) -> list[Any]:
    return [value] if not each else [part for inner in value for part in _parts(inner, each[1:])]


class Play:
    """A random play, with the phases that each step enters."""

    def __init__(self, game: ir.Game) -> None:
        self.game = game
        self.names = [phase.name for phase in game.phases]
        self.play = Game(execute(emit_python(game, "made.yaml"), game.name), game.players[0], {})
        cls = self.play.position_class
        self.entered: list[str] = []
        cls.entering = tuple(
            self._noted(name, enter) for name, enter in zip([*self.names, ""], cls.entering, strict=False)
        )

    def _noted(self, name: str, enter: Any) -> Any:
        def noted(position: Position) -> Any:
            self.entered.append(name)
            return enter(position)

        return noted

    def steps(self, seed: int, most: int) -> Any:
        """Who stood where (phase, seat, what is set aside), the phases entered then, and the position after it."""
        self.entered.clear()
        rng, position = Rng.stream(seed, 0), self.play.begin()
        yield (), list(self.entered), position
        for _ in range(most):
            if position.actor == TERMINAL:
                return
            at = (
                self.names[position.phase],
                position.me,
                len(position.row),
                tuple((b[0], b[1]) for b in position.back),
            )
            self.entered.clear()
            try:
                position.apply(choose(position, rng))
            except RuleFault:  # what the rules cannot do ends a play, as far as arguments go
                return
            yield at, list(self.entered), position


class Watch:
    """That of an argument's tuple, and of those inside it, the first that changes falls, and often enough: without a
    fall nobody stands twice in one place of the circle, and no phase is entered twice."""

    def __init__(self, argument: Argument, game: ir.Game, through: str = "") -> None:
        self.argument, self.game, self.through = argument, game, through
        self.inside = [Watch(each, game, argument.through) for each in argument.inside]
        self.before: list[int] = []
        self.seen: set[Any] = set()
        self.falls = 0
        self.visits: dict[str, int] = {}

    def look(self, at: Any, entered: list[str], position: Position, names: list[str], around: bool = False) -> bool:
        """Whether anything fell with this step (`around`: of what this is inside of). Raises AssertionError."""
        values = [value_of(step.measure, self.game, position) for step in self.argument.steps]
        assert all(0 <= v <= (s.measure.most or v) for v, s in zip(values, self.argument.steps, strict=True)), values
        outside = {*names} - {*self.argument.phases}
        if around:
            self.visits.clear()
        for name in entered if not around else ():
            if name in outside or name == self.through:
                self.visits.clear()
            self.visits[name] = self.visits.get(name, 0) + 1
        assert all(self.visits.get(name, 0) <= most for name, most in self.argument.visits), self.visits
        now = names[position.phase] if position.phase < len(names) else "end"
        known = bool(self.before or self.seen) and at and at[0] in self.argument.phases and now in self.argument.phases
        if around or not known or self.through in entered or outside & {*entered}:
            self.before, self.seen, fell, known = values, set(), False, False
        else:
            changed = [(a, b) for a, b in zip(self.before, values, strict=True) if a != b]
            fell = bool(changed)
            if self.argument.ended and changed:
                assert changed[0][1] < changed[0][0], (self.argument, self.before, values, at, entered)
            self.before = values
        inside = [inner.look(at, entered, position, names, around or fell) for inner in self.inside]
        fell = fell or any(inside)
        if self.argument.ended:
            self.falls += fell
            if fell or not known:
                self.seen = set()
            places = [at, *(("enter", name) for name in entered if not position.back)]
            for place in places if known and not fell else ():
                assert place not in self.seen, (self.argument, place)
                self.seen.add(place)
            self.seen.add("begun")
        return fell


def watched(game: ir.Game, seeds: range, most: int = 400) -> int:
    """Plays under the arguments of a game; how many falls there were. Raises AssertionError where one is wrong."""
    every_one = arguments(game)
    endless = {phase for argument in every_one if not argument.ended for phase in argument.phases}
    found = [a for a in every_one if not a.ended or not endless & {*a.phases}]  # phases tell circles apart, mostly
    play = Play(game)
    falls = 0
    for seed in seeds:
        watches = [Watch(argument, game) for argument in found]
        todo = list(watches)
        for at, entered, position in play.steps(seed, most):
            for watch in watches:
                watch.look(at, entered, position, play.names)
        while todo:
            watch = todo.pop()
            falls += watch.falls
            todo += watch.inside
    return falls


def samples(name: str, source: random.Random, number: int) -> list[ir.Game]:
    """Some choices of players and options."""
    run = compilation(name)
    assert run.game is not None
    found: list[ir.Game] = []
    for _ in range(50):
        if len(found) < number:
            options = {o.name: _worded(o, source.choice(_tried(o))) for o in run.game.options}
            try:
                found.append(settle(run, options, source.randint(*run.game.players)))
            except Unfit:
                continue
    return found


def _tried(option: ir.OptionDecl) -> list[Any]:
    if isinstance(option.type, t.Enum):
        return list(range(len(option.type.values)))
    return [False, True] if option.type == t.Bool() else list(option.tries) or [option.default]


def _worded(option: ir.OptionDecl, value: Any) -> Any:
    return option.type.values[value] if isinstance(option.type, t.Enum) and value is not None else value


@pytest.mark.parametrize("name", sorted(SPECS))
def test_what_is_argued_is_so_in_play(name: str) -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    for game in samples(name, random.Random(seed), 1):
        watched(game, range(seed, seed + 3))


def test_falls_are_seen() -> None:
    """The plays above do look at something."""
    assert watched(settled("balloon", 3), range(2)) > 30
    assert watched(settled("montgolfiere_race", 2), range(2)) > 30


SMALL = ("ferry", "goofspiel", "kuhn_poker", "leduc_poker", "liars_dice", "made_by_new", "market", "tolls")


def test_what_is_argued_of_mutants_is_so_in_play() -> None:
    """Games in which one rule is otherwise, many of which end for other reasons, or for none."""
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    source = random.Random(seed)
    for name in source.sample(SMALL, 4):
        (game,) = samples(name, source, 1)
        offered = [m for m in candidates(game) if m.operator not in ("visibility", "told", "result")]
        for mutant in source.sample(offered, 5):
            changed = mutant.game()
            if changed is not None:
                with suppress(TypeError, KeyError):  # what is no game at all shows in play only
                    watched(changed, range(seed, seed + 2), 200)


def test_a_wrong_argument_would_be_noticed() -> None:
    game = settled("balloon", 3)
    boarding = by_phases(arguments(game))["boarding"]
    hand, excused = boarding.steps
    spent = replace(hand, measure=Measure("cards", ("discard",), None))
    for wrong in (replace(boarding, steps=(excused,)), replace(boarding, steps=(spent, excused))):
        play, noticed = Play(game), False
        for seed in range(30):
            watch = Watch(wrong, game)
            try:
                for at, entered, position in play.steps(seed, 400):
                    watch.look(at, entered, position, play.names)
            except AssertionError:
                noticed = True
        assert noticed, wrong
