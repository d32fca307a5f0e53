"""AE705: clauses of the table that no element of the rules cites."""

from __future__ import annotations

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report


def check_clauses(game: ir.Game, report: Report) -> None:
    # What is measured follows no rule: a clause that only a measure cites is not in the game.
    cited = {clause for clause, element, _ in game.citations if not element.startswith("measures.")}
    for clause in game.clauses:
        if clause.id not in cited:
            hint = "cite it with `by:` where the rule stands"
            report.add("AE705", clause.span, f"nothing cites {clause.id}", hint, element=f"clauses.{clause.id}")
