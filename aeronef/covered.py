"""Coverage by clause: what of a spec its scenarios and random games exercise, and what they never do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl.compiler import Compilation, compile_file
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.instrument import instrument
from aeronef.loading import execute, library
from aeronef.runtime import coverage
from aeronef.runtime.combinations import pairwise
from aeronef.runtime.coverage import Facts, Played, Report, Tally
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.scenario import Document, Result

WHOLE = ("players", "option", "overlay", "declared")  # points that a game has as a whole, whatever happens in it
OWNERS = ("phase", "action", "outcome", "definition")  # in which nothing is exercised where they are not


@dataclass(frozen=True, slots=True)
class Counted:
    """How often something was exercised."""

    scenarios: int
    play: int

    @property
    def never(self) -> bool:
        return not (self.scenarios or self.play)


@dataclass(frozen=True, slots=True)
class Coverage:
    """`points` and `clauses` (those that the rules cite) with how often each was exercised; `uncited` are the clauses
    that no rule cites, of which `aeronef check` speaks."""

    points: list[tuple[ir.Point, Counted]]
    clauses: list[tuple[ir.Clause, Counted]]
    uncited: list[ir.Clause]
    results: list[Result]
    played: Played

    @property
    def never(self) -> list[ir.Clause]:
        return [clause for clause, counted in self.clauses if counted.never]

    @property
    def in_no_scenario(self) -> list[ir.Clause]:
        return [clause for clause, counted in self.clauses if not counted.scenarios]

    def missing(self) -> Iterator[tuple[ir.Point, str]]:
        """What was never exercised, in the order of the spec, and how it is told; nothing that follows from another. (A
        test that was never asked stands once, and what is in an element that was never reached not at all.)"""
        at = {point.element: counted for point, counted in self.points if point.kind in OWNERS}
        unreached = {element for element, counted in at.items() if counted.never}
        found: list[tuple[ir.Point, str]] = []
        for i, (point, counted) in enumerate(self.points):
            if not counted.never or point.kind == "declared":
                continue
            if any(element in unreached for element in around(point)):
                continue
            if point.side:
                twin = self.points[i + 1 if point.side == "true" else i - 1][1]
                if not twin.never:
                    found.append((point, f"is never {point.side}"))
                elif point.side == "true":
                    found.append((point, "is never asked"))
            else:
                found.append((point, _told(point.kind)))
        yield from sorted(found, key=lambda row: (row[0].span.file, row[0].span.line, row[0].span.column))

    def kinds(self) -> list[tuple[str, int, int, int, int]]:
        """Of each kind of point (declarations aside), and of the clauses: how many there are, how many of these
        scenarios, play, and any of both exercised."""
        rows: dict[str, list[Counted]] = {}
        for point, counted in self.points:
            if point.kind != "declared":
                rows.setdefault(point.kind, []).append(counted)
        rows = {kind: rows[kind] for kind in _KINDS if kind in rows}
        if self.clauses:
            rows["clause"] = [counted for _, counted in self.clauses]
        return [
            (_KINDS[kind], len(row), sum(c.scenarios > 0 for c in row), sum(c.play > 0 for c in row),
             sum(not c.never for c in row))
            for kind, row in rows.items()
        ]  # fmt: skip


_KINDS = {
    "phase": "phases", "action": "actions", "outcome": "outcomes", "effect": "effects", "loop": "loops",
    "test": "sides of tests", "definition": "definitions", "result": "results", "card": "kinds of cards",
    "players": "numbers of players", "option": "values of options", "overlay": "optional rules", "clause": "clauses",
}  # fmt: skip


def around(point: ir.Point) -> Iterator[str]:
    """The elements in which a point is reached."""
    if point.kind not in OWNERS:
        yield point.element
    for word in (".actions.", ".outcomes."):
        phase, inside, _ = point.element.partition(word)
        if inside:
            yield phase


def _told(kind: str) -> str:
    match kind:
        case "card":
            return "never moves"
        case "definition" | "result":
            return "is never worked out"
        case "players" | "option":
            return "is never played"
        case "overlay":
            return "is never on"
        case _:
            return "is never reached"


class Counting:
    """A spec (its file, or what the compiler made of it) as a variant that counts itself; `closely` as of `instrument`.
    Raises SpecError where it does not compile, OSError where it cannot be read."""

    def __init__(self, spec: Path | Compilation, closely: bool = False) -> None:
        run = compile_file(spec, library()) if isinstance(spec, Path) else spec
        assert run.game is not None
        self.game = instrument(run.game, closely)
        self.variant: Variant = coverage.able(execute(emit_python(self.game, run.file), run.game.name))
        self.citations = {
            each.on: {(clause, element) for clause, element, _ in game.citations}
            for each, game in zip(run.combined, run.games, strict=True)
        }
        known: dict[str, list[int]] = {}
        for number, point in enumerate(self.game.points):
            if point.kind in WHOLE:
                known.setdefault(point.words, []).append(number)
        self.known: Facts = known

    def cover(
        self, documents: Sequence[Document], games: int, seed: int, report: Report | None = None
    ) -> Coverage:  # fmt: skip
        """Runs the scenarios of all documents, and so many random games of each choice of players and options.

        Raises BadInput where a document is of another variant.
        """
        for document in documents:
            if document.variant != self.variant.name:
                raise BadInput(f"{document.file}: its variant is `{document.variant}`, not `{self.variant.name}`")
        told, seen = Tally(len(self.game.points)), Tally(len(self.game.points))
        results = [
            result for document in documents for result in coverage.scenarios(document, self.variant, self.known, told)
        ]
        choices = pairwise(self.variant) if games else []
        played = coverage.play(self.variant, self.known, seen, choices, games, seed, report)
        points = [
            (point, Counted(*counts))
            for point, *counts in zip(self.game.points, told.counts(), seen.counts(), strict=True)
        ]
        return Coverage(points, *self._clauses(told, seen), results, played)

    def _clauses(self, told: Tally, seen: Tally) -> tuple[list[tuple[ir.Clause, Counted]], list[ir.Clause]]:
        scenarios, play = self.exercised(told), self.exercised(seen)
        cited = {clause for point in self.game.points for clause in point.cites}
        rows = [(c, Counted(scenarios[c.id], play[c.id])) for c in self.game.clauses if c.id in cited]
        return rows, [clause for clause in self.game.clauses if clause.id not in cited]

    def exercised(self, tally: Tally) -> Counter[str]:
        """How often each clause was exercised. An element of a united game has the clauses that it cites under any
        optional rules: one counts where it is cited under those that were on."""
        found: Counter[str] = Counter()
        for on, table in tally.tables.items():
            for point, times in zip(self.game.points, table.counts, strict=True):
                for clause in point.cites if times else ():
                    if point.kind == "overlay" or (clause, point.element) in self.citations[on]:
                        found[clause] += times
        return found


def data(found: Coverage, place: Any) -> dict[str, Any]:
    """As JSON data; `place(span)` is that of a place."""
    return {
        "points": [
            {
                "kind": point.kind, "element": point.element, "words": point.words, "side": point.side or None,
                "by": list(point.by), "cites": list(point.cites), **place(point.span), "scenarios": counted.scenarios,
                "play": counted.play,
            }
            for point, counted in found.points
        ],
        "clauses": [
            {"id": clause.id, "kind": clause.kind, "says": clause.says, **place(clause.span),
             "scenarios": counted.scenarios, "play": counted.play}
            for clause, counted in found.clauses
        ],
        "uncited": [clause.id for clause in found.uncited],
    }  # fmt: skip
