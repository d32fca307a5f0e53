"""What of a spec is of no use: rules that nothing ever exercises, variables that never change, information that reaches
nobody, options that make no difference.

The first three are looked for in play, on a variant that counts itself closely (`dsl/instrument.py`): by the scenarios,
by random games, and by exploring in breadth. Whoever has seen everything happen stops looking. What is missing is told
once: not what follows from it, such as the actions of a phase that is never played, and the variables that only they
change. The last is decided by the rules alone: settled for each of an option's values, the game means the same.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from aeronef.covered import OWNERS, Counting, around
from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.compiler import Compilation
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.differences import differences
from aeronef.dsl.evaluate import Given, evaluate
from aeronef.dsl.instrument import instrument
from aeronef.dsl.printer import print_game
from aeronef.dsl.specialise import Unfit, Value, specialise
from aeronef.dsl.switches import On
from aeronef.dsl.walk import called, nodes, reads, rules
from aeronef.runtime import coverage
from aeronef.runtime.combinations import MOST, Choice, few, pairwise
from aeronef.runtime.coverage import Tally
from aeronef.runtime.errors import BadInput, RuleFault
from aeronef.runtime.explore import Limits, explore
from aeronef.runtime.game import Game
from aeronef.runtime.scenario import Document

NEVER = {"phase": "it is never played", "action": "it is never done", "outcome": "it never happens"}
MORE = 4  # times as many games, while something is missing
MOST_SWITCHED = 64  # choices of the options that switch optional rules, for which an option is settled

Look = Callable[[int, int], None]  # (settings done, settings in all), of games and of exploring


@dataclass(frozen=True, slots=True)
class Finding:
    """`exercised`: it never happens; `changed`: it never changes; `shown`: it reaches nobody for one of its reasons;
    `difference`: every value of the option gives the same game. `element` is as `accepts: at:` names it."""

    kind: Literal["exercised", "changed", "shown", "difference"]
    element: str
    words: str
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """What was found, in the order of the spec, and what was played for it: so many `games` and `scenarios`, and so
    many `states` looked into. `proved`: all states that the settings can reach were, so that what is missing cannot
    happen with them. (What makes no difference is proved, whatever was played.)"""

    findings: list[Finding]
    proved: bool
    games: int
    states: int
    scenarios: int


def unused(
    run: Compilation,
    documents: list[Document],
    settings: list[Choice],
    games: int,
    states: int,
    seed: int,
    seconds: float | None,
    look: Look | None = None,
) -> Use:
    """Looks for what is of no use in a spec that compiles.

    All scenarios are run, and so many random games of each setting. While something is missing, as many are played of
    the other settings of `pairwise`, then up to four times as many of each, and up to so many states of the settings
    are explored, each its share. After `seconds` nothing more is begun. Raises BadInput where a document is of another
    variant.
    """
    hunt = _Hunt(run, settings, seed, None if seconds is None else time.monotonic() + seconds, look)
    scenarios = hunt.run(documents)
    for setting in settings:
        hunt.play(setting, games)
    missing = hunt.missing()
    more = [(setting, 0) for setting in hunt.others]
    more += [(setting, first) for first in range(1, MORE) for setting in settings]
    for setting, first in more:
        if missing and games:
            hunt.play(setting, games, first * games)
            missing = hunt.missing()
    whole = 0
    for i, setting in enumerate(settings):
        if missing:
            whole += hunt.explore(setting, (states - hunt.states) // (len(settings) - i))
            missing = hunt.missing()
    found = sorted([*missing, *without_difference(run, hunt.late)], key=_place)
    return Use(found, whole == len(settings), hunt.games, hunt.states, scenarios)


def _place(finding: Finding) -> tuple[str, int, int]:
    return finding.span.file, finding.span.line, finding.span.column


class _Hunt:
    """A variant that counts itself, and what it counted so far."""

    def __init__(
        self, run: Compilation, settings: list[Choice], seed: int, ends: float | None, look: Look | None
    ) -> None:  # fmt: skip
        self.counting = Counting(run, closely=True)
        self.tally = Tally(len(self.counting.game.points), closely=True)
        self.seed, self.ends, self.look = seed, ends, look
        self.games = self.states = self.steps = 0
        variant = self.counting.variant
        offered = _offered(variant)
        self.rules = _Rules(run, self.counting, settings, offered)
        self.others = [s for s in offered if s not in settings and self.rules.judges(s)]
        self.all = (MORE + 1) * len(settings) + len(self.others)

    def late(self) -> bool:
        return self.ends is not None and time.monotonic() > self.ends

    def missing(self) -> list[Finding]:
        """What is missing so far. From then on only what could still show that it is not is looked at."""
        found = _Missing(self.rules, self.tally).findings()
        parts = {finding.element for finding in found if finding.kind == "shown"}
        places: list[ir.Zone | ir.Variable] = [*self.rules.game.zones, *self.rules.game.variables]
        if not any(finding.element.startswith("clauses.") for finding in found):
            self.tally.wanted = frozenset(
                getattr(place, "called", "") or place.name
                for place in places
                if parts & {f"zones.{place.name}", f"vars.{place.name}"}
            )
        return found

    def run(self, documents: list[Document]) -> int:
        variant = self.counting.variant
        for document in documents:
            if document.variant != variant.name:
                raise BadInput(f"{document.file}: its variant is `{document.variant}`, not `{variant.name}`")
        known = self.counting.known
        return sum(len(coverage.scenarios(document, variant, known, self.tally)) for document in documents)

    def play(self, setting: Choice, games: int, first: int = 0) -> None:
        if not self.late():
            played = coverage.play(
                self.counting.variant, self.counting.known, self.tally, [setting], games, self.seed, first=first
            )
            self.games += played.games
        self._done()

    def explore(self, setting: Choice, states: int) -> bool:
        """Whether that was all that can be reached."""
        left = None if self.ends is None else self.ends - time.monotonic()
        if states < 1 or (left is not None and left <= 0):
            return False
        game = Game(self.counting.variant, *setting)
        try:
            counted = coverage.counting(game, self.counting.known, self.tally.of(game))
            space = explore(counted, Limits(states, left))
        except RuleFault:  # it cannot even start
            return False
        self.states += space.explored
        self._done()
        return space.whole

    def _done(self) -> None:
        self.steps += 1
        if self.look is not None:
            self.look(self.steps, self.all)


def _offered(variant: Any) -> list[Choice]:
    """The settings that show every pair of options' values, where these can be worked out."""
    many = math.prod(len(option.tries) for option in variant.options) * len(variant.players)
    return pairwise(variant) if many <= MOST else few(variant)


# ------------------------------------------------------------------------------------------ what the rules say


class _Rules:
    """What of a spec is there in the settings at hand, what fills and changes what, and what uses what."""

    def __init__(self, run: Compilation, counting: Counting, settings: list[Choice], offered: list[Choice]) -> None:
        assert run.game is not None
        self.game = run.game
        self.counting = counting
        self.points = counting.game.points
        self.sets = {self._on(setting) for setting in settings}
        ever = self.sets | {self._on(setting) for setting in offered}
        self.never_on = [o for o in self.game.overlays if not any(o.name in on for on in ever)]
        self.there: set[tuple[Any, ...]] = set()
        for each, game in zip(run.combined, run.games, strict=True):
            if each.on in self.sets:
                for p in instrument(game, closely=True).points:
                    self.there |= {(p.kind, p.element, p.span), (p.kind, p.element, p.words)}
        self.callers, self.fillers = self._uses()
        self.reasons = {
            (element, node.span): node for element, test in self._visible() for node in nodes(test)
        }  # fmt: skip
        self.constants = {  # assignments of a constant
            node.span for node in nodes(self.game.phases)
            if isinstance(node, ir.Assign) and all(isinstance(n, ir.Const | ir.Collection) for n in nodes(node.value))
        }  # fmt: skip
        self.bodies = {d.name: d.body for d in self.game.defines}
        self.chosen = {
            point for setting in offered for fact in coverage.facts(Game(counting.variant, *setting))
            for point in counting.known.get(fact, ())
        }  # fmt: skip

    def _on(self, setting: Choice) -> On:
        return frozenset(Game(self.counting.variant, *setting).overlays)

    def judges(self, setting: Choice) -> bool:
        """Whether a setting has the optional rules of one of those at hand."""
        return self._on(setting) in self.sets

    def exists(self, point: ir.Point) -> bool:
        """Whether a game of the settings has it."""
        key = (point.kind, point.element)
        return (*key, point.span) in self.there or (*key, point.words) in self.there

    def cites(self, clause: str) -> bool:
        """Whether a rule of the settings cites a clause."""
        return any(clause == cited for on in self.sets for cited, _ in self.counting.citations[on])

    def looks(self, node: Any) -> set[str]:
        """The variables and zones that an expression looks at, in definitions too."""
        found = {read.name for read in reads(node)}
        todo, done = called(node), set[str]()
        while todo:
            done |= todo
            found |= {read.name for name in todo for read in reads(self.bodies[name])}
            todo = {inner for name in todo for inner in called(self.bodies[name])} - done
        return found

    def _elements(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Every element of the rules, and what is in it but in none of the elements inside it."""
        game = self.game
        yield "game", (game.automata, game.longest)
        yield from ((f"zones.{z.name}", (z.starts, z.seen, z.refill)) for z in game.zones)
        yield from ((f"vars.{v.name}", (v.starts, v.seen)) for v in game.variables)
        yield from ((f"define.{d.name}", (d.body,)) for d in game.defines)
        for phase in game.phases:
            element = f"phases.{phase.name}"
            yield element, (phase.effects, phase.over, phase.start, phase.until, phase.asks, phase.unasked,
                            phase.sequence, phase.then)  # fmt: skip
            kind = "outcomes" if phase.kind == "chance" else "actions"
            yield from ((f"{element}.{kind}.{action.key}", (action,)) for action in phase.actions)
        yield "result", (game.result.rank, game.result.lost, game.result.returns)
        yield "invariants", (game.invariants,)

    def _uses(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """Of each definition the elements that use it; of each zone those that bring something to it."""
        callers: dict[str, set[str]] = {d.name: set() for d in self.game.defines}
        fillers: dict[str, set[str]] = {z.name: {"start"} if z.starts or z.stock else set() for z in self.game.zones}
        for zone in self.game.zones:
            if zone.refill is not None:
                fillers[zone.name].add("start")
        for element, inner in self._elements():
            for part in inner:
                for name in called(part):
                    callers[name].add(element)
                for node in nodes(part):
                    if isinstance(node, ir.Move | ir.Add):
                        fillers[node.target.name].add(element)
        return callers, fillers

    def _visible(self) -> Iterator[tuple[str, ir.Expr]]:
        for element, inner in self._elements():
            for node in (node for part in inner for node in nodes(part)):
                if isinstance(node, ir.Visible):
                    yield element, node.test


# ------------------------------------------------------------------------------------------ what play leaves out


class _Missing:
    """What a tally leaves out, each cause once."""

    def __init__(self, about: _Rules, tally: Tally) -> None:
        self.rules = about
        self.points = about.points
        self.counts = tally.counts()
        self.gone = self._gone()
        self.clauses = self._clauses(tally)
        self.still: set[str] = {  # variables and zones in which nothing ever happens, for a reason that is told
            zone for zone, elements in about.fillers.items() if elements and elements <= self.gone
        }  # fmt: skip

    def findings(self) -> list[Finding]:
        changed = list(self.changed())  # first: the others ask what it says
        return [*self.exercised(), *changed, *self.shown()]

    def _gone(self) -> set[str]:
        """The phases, actions and outcomes that are never played, and the definitions that only they use."""
        owners = (p for p, times in zip(self.points, self.counts, strict=True) if p.kind in NEVER and not times)
        gone = {point.element for point in owners}
        while True:
            more = {f"define.{name}" for name, users in self.rules.callers.items() if users <= gone} - gone
            if not more:
                return gone
            gone |= more

    def follows(self, point: ir.Point) -> bool:
        """Whether a point lies in something that is never played."""
        return (point.kind in OWNERS and point.element in self.gone) or any(e in self.gone for e in around(point))

    def judged(self, kind: str) -> Iterator[tuple[int, ir.Point]]:
        for number, point in enumerate(self.points):
            if point.kind == kind and point.side != "false" and self.rules.exists(point):
                yield number, point

    # ------------------------------------------------------------------------------ exercised

    def exercised(self) -> Iterator[Finding]:
        for overlay in self.rules.never_on:
            words = "no setting that is tried switches it on"
            yield Finding("exercised", f"overlays.{overlay.name}", words, overlay.span, overlay.by)
        for kind, words in NEVER.items():
            for number, point in self.judged(kind):
                if not self.counts[number] and not any(element in self.gone for element in around(point)):
                    yield Finding("exercised", point.element, words, point.span, point.by)
        known = {clause.id: clause for clause in self.rules.game.clauses}
        for (first, *_), those in self.clauses.items():
            clause, at = known[those[0]], self.points[first].element
            words = f"nothing that cites it ever happens (`{at}`)"
            yield Finding("exercised", f"clauses.{clause.id}", words, clause.span, those)

    def _clauses(self, tally: Tally) -> dict[tuple[int, ...], tuple[str, ...]]:
        """The clauses that are never exercised, by the points that cite them."""
        times = self.rules.counting.exercised(tally)
        found: dict[tuple[int, ...], tuple[str, ...]] = {}
        for clause in (clause.id for clause in self.rules.game.clauses):
            citing = tuple(i for i, point in enumerate(self.points) if clause in point.cites)
            if times[clause] or not citing or not self.rules.cites(clause):
                continue
            if any(i in self.rules.chosen for i in citing) or all(self.follows(self.points[i]) for i in citing):
                continue
            found[citing] = (*found.get(citing, ()), clause)
        return found

    # ------------------------------------------------------------------------------ changed

    def changed(self) -> Iterator[Finding]:
        assigned: dict[str, list[int]] = {}
        for number, point in self.judged("change"):
            assigned.setdefault(point.part, []).append(number)
        declared = {f"vars.{variable.name}": variable for variable in self.rules.game.variables}
        for element, numbers in assigned.items():
            variable = declared[element]
            if any(p.part == element and p.side == "true" and times for p, times in self._counted()):
                yield from self._idle(variable, numbers)
                continue
            self.still.add(variable.name)
            tried = any(self.counts[number + 1] for number in numbers)
            if tried or not all(self.follows(self.points[i]) or self._in_clause(self.points[i]) for i in numbers):
                words = "it always gets the value that it has" if tried else "nothing that assigns it ever happens"
                yield Finding("changed", element, f"it never changes: {words}", variable.span, variable.by)

    def _idle(self, variable: ir.Variable, numbers: list[int]) -> Iterator[Finding]:
        """The assignments of a variable that work something out, and always come to the value that is there. (What sets
        it to a constant may well make sure of what is so already.)"""
        for number in numbers:
            point = self.points[number]
            if self.counts[number + 1] and not self.counts[number] and point.span not in self.rules.constants:
                words = f"`{point.words}` never changes it (`{point.element}`)"
                yield Finding("changed", f"vars.{variable.name}", words, point.span, point.by)

    def _counted(self) -> Iterable[tuple[ir.Point, int]]:
        return zip(self.points, self.counts, strict=True)

    def _in_clause(self, point: ir.Point) -> bool:
        """Whether an assignment stands in an effect whose clause is never exercised."""
        missing = {clause for those in self.clauses.values() for clause in those}
        return any(
            effect.kind == "effect" and missing.intersection(effect.by) and _within(point.span, effect.span)
            for effect in self.points
        )

    # ------------------------------------------------------------------------------ shown

    def shown(self) -> Iterator[Finding]:
        groups: dict[tuple[str, str], dict[tuple[str, Span], int]] = {}
        for number, point in self.judged("shown"):
            if not self.follows(point):
                groups.setdefault((point.element, point.part), {})[point.words, point.span] = number
        for (element, part), numbers in groups.items():
            name = part.rpartition(".")[2]
            asked = [i for i in numbers.values() if self.counts[i] or self.counts[i + 1]]
            if not asked:
                if name not in self.still:
                    point = self.points[next(iter(numbers.values()))]
                    yield Finding("shown", element, f"`{name}` is empty whenever anybody looks", point.span, point.by)
                continue
            told = set[str]()
            for (words, _), number in numbers.items():
                point = self.points[number]
                if self.counts[number] or words in told or self._still(point):
                    continue
                told.add(words)
                yield Finding("shown", element, self._why(name, number), point.span, point.by)

    def _why(self, name: str, number: int) -> str:
        point = self.points[number]
        how = "seen" if point.part == point.element else "told"
        if not self.counts[number + 1]:
            but = "for whoever could, something else always holds before"
        elif how == "seen":
            but = "nobody has ever looked at it then"
        else:
            but = "nobody was ever told then"
        return f"`{name}` is said to be {how} when `{point.words}`, but {but}"

    def _still(self, point: ir.Point) -> bool:
        """Whether a reason waits for what never changes."""
        node = self.rules.reasons.get((point.element, point.span))
        return node is not None and bool(self.rules.looks(node) & self.still)


def _within(inner: Span, outer: Span) -> bool:
    return (
        inner.file == outer.file
        and (outer.line, outer.column) <= (inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )


# ------------------------------------------------------------------------------------------ what makes no difference


def without_difference(run: Compilation, late: Callable[[], bool] = lambda: False) -> Iterator[Finding]:
    """The options of which each value gives the same game, for any number of players and whatever the others are. An
    option that no rule uses at all is AE707, and not told again."""
    assert run.game is not None
    unused = {d.element for d in run.report.diagnostics if d.code == "AE707"}
    unused |= {accepted.element for accepted in run.report.accepted if accepted.code == "AE707"}
    for option in run.game.options:
        element = f"options.{option.name}"
        if element not in unused and _all_same(run, option, late):
            words = "it makes no difference: each of its values gives the same game"
            yield Finding("difference", element, words, option.span, option.by)


def _all_same(run: Compilation, option: ir.OptionDecl, late: Callable[[], bool]) -> bool:
    """The others stay open, but those that switch optional rules: of these every choice is asked."""
    whole = run.game
    assert whole is not None
    games = {each.on: rules(game) for each, game in zip(run.combined, run.games, strict=True)}
    named = {node.name for overlay in run.overlays for node in nodes(overlay.when) if isinstance(node, ir.Option)}
    switches = [other for other in whole.options if other.name in named and other is not option]
    if math.prod(len(_values(other)) for other in switches) > MOST_SWITCHED:
        return False
    defaults = {other.name: other.default for other in whole.options}
    compared = False
    for players in range(whole.players[0], whole.players[1] + 1):
        for chosen in itertools.product(*map(_values, switches)):
            first: ir.Game | None = None
            for value in _values(option):
                if late():
                    return False
                settled = {option: value} | dict(zip(switches, chosen, strict=True))
                given = Given(whole, players, defaults | {o.name: v for o, v in settled.items()})
                game = games.get(frozenset(o.name for o in run.overlays if evaluate(o.when, given, {})))
                try:
                    made = (
                        specialise(game, {o.name: _word(o, v) for o, v in settled.items()}, players) if game else None
                    )
                except Unfit:  # these do not go together
                    continue
                if made is None:
                    continue
                if first is None:
                    first = made
                elif not _same(first, made):
                    return False
                else:
                    compared = True
    return compared


def _same(a: ir.Game, b: ir.Game) -> bool:
    """Whether two games are the same, whatever other options they would go with."""
    one, other = (print_game(dataclasses.replace(game, options=(), accepts=())) for game in (a, b))
    return one == other or all(d.topic == "options" for d in differences(a, b))


def _values(option: ir.OptionDecl) -> list[int | bool | None]:
    if isinstance(option.type, t.Bool):
        return [False, True]
    return [*([None] if option.word else []), *range(option.low, option.high + 1)]


def _word(option: ir.OptionDecl, value: int | bool | None) -> Value:
    kind = t.strip(option.type)
    return kind.values[value] if isinstance(kind, t.Enum) and value is not None else value
