"""AE705: clauses of the table that no element cites."""

from __future__ import annotations

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report


def check_clauses(game: ir.Game, report: Report) -> None:
    cited = {clause for clause, _, _ in game.citations}
    for clause in game.clauses:
        if clause.id not in cited:
            hint = "cite it with `by:` where the rule stands"
            report.add("AE705", clause.span, f"nothing cites {clause.id}", hint, element=f"clauses.{clause.id}")
