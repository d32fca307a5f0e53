"""What play leaves out of a spec, each cause once: what is never exercised, what never changes, what nobody is shown.

A tally says how often each point of a variant that counts itself closely was reached; the rules say what follows from
what: in a phase that is never played its actions are not, what only they use is not worked out, what only they change
does not change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from aeronef.covered import OWNERS, Counting, around
from aeronef.dsl import ir
from aeronef.dsl.compiler import Compilation
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.instrument import instrument
from aeronef.dsl.switches import On
from aeronef.dsl.walk import called, nodes, reads
from aeronef.runtime import coverage
from aeronef.runtime.combinations import Choice
from aeronef.runtime.coverage import Tally
from aeronef.runtime.game import Game

NEVER = {"phase": "it is never played", "action": "it is never done", "outcome": "it never happens"}


@dataclass(frozen=True, slots=True)
class Finding:
    """`exercised`: it never happens; `changed`: it never changes; `shown`: it reaches nobody for one of its reasons;
    `difference`: every value of the option gives the same game. `element` is as `accepts: at:` names it."""

    kind: Literal["exercised", "changed", "shown", "difference"]
    element: str
    words: str
    span: Span
    clauses: tuple[str, ...]


class Rules:
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
                    self.there.add(self._key(p))
        self.callers, self.fillers = self._uses()
        self.reasons = {
            (element, node.span): node for element, test in self._visible() for node in nodes(test)
        }  # fmt: skip
        self.values = {node.span: node.value for node in nodes(self.game.phases) if isinstance(node, ir.Assign)}
        self.constants = {  # assignments of a constant
            span for span, value in self.values.items()
            if all(isinstance(node, ir.Const | ir.Collection) for node in nodes(value))
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
        return self._key(point) in self.there

    @staticmethod
    def _key(point: ir.Point) -> tuple[Any, ...]:
        return (point.kind, point.element) if point.kind in NEVER else (point.kind, point.element, point.span)

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
        yield "result", (game.result.rank, game.result.lost, game.result.returns, game.result.parts)
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


class Missing:
    """What a tally leaves out, each cause once."""

    def __init__(self, about: Rules, tally: Tally) -> None:
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
        changes = {
            p.part
            for p, n in zip(self.points, self.counts, strict=True)
            if p.kind == "change" and p.side == "true" and n
        }
        self.still |= {declared[element].name for element in assigned.keys() - changes}
        for element, numbers in assigned.items():
            variable = declared[element]
            if element in changes:
                yield from self._idle(variable, numbers)
                continue
            tried = [number for number in numbers if self.counts[number + 1]]
            worked_out = any(self.points[number].span not in self.rules.constants for number in tried)
            told = any(self.follows(self.points[i]) or self._in_clause(self.points[i]) for i in numbers)
            if worked_out or not told:
                words = "it always gets the value that it has" if tried else "nothing that assigns it ever happens"
                yield Finding("changed", element, f"it never changes: {words}", variable.span, variable.by)

    def _idle(self, variable: ir.Variable, numbers: list[int]) -> Iterator[Finding]:
        """The assignments of a variable that work something out, and always come to the value that is there. (What sets
        it to a constant may well make sure of what is so already, and what never changes gives no other values.)"""
        for number in numbers:
            point = self.points[number]
            if not self.counts[number + 1] or self.counts[number] or point.span in self.rules.constants:
                continue
            value = self.rules.values.get(point.span)
            if value is None or not self.rules.looks(value) & self.still:
                words = f"`{point.words}` never changes it (`{point.element}`)"
                yield Finding("changed", f"vars.{variable.name}", words, point.span, point.by)

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
