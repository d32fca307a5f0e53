"""Findings: what compiles and is worth a look. One file a check; `CHECKS` runs them in order."""

from collections.abc import Callable

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.lints.cards import check_cards
from aeronef.dsl.lints.clauses import check_clauses
from aeronef.dsl.lints.flow import check_flow
from aeronef.dsl.lints.ranges import check_ranges
from aeronef.dsl.lints.secrets import check_secrets
from aeronef.dsl.lints.unused import check_unused

CHECKS: tuple[Callable[[ir.Game, Report], None], ...] = (
    check_ranges,
    check_secrets,
    check_flow,
    check_clauses,
    check_cards,
    check_unused,
)
