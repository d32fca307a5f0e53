"""Findings: what compiles and is worth a look. One file a check. `EACH` is asked of the game under each combination of
its overlays, `WHOLE` of all of them as one."""

from collections.abc import Callable

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.lints.cards import check_cards
from aeronef.dsl.lints.clauses import check_clauses
from aeronef.dsl.lints.flow import check_flow
from aeronef.dsl.lints.ranges import check_ranges
from aeronef.dsl.lints.secrets import check_secrets
from aeronef.dsl.lints.unused import check_unused

EACH: tuple[Callable[[ir.Game, Report], None], ...] = (check_ranges, check_secrets, check_flow, check_cards)
WHOLE: tuple[Callable[[ir.Game, Report], None], ...] = (check_clauses, check_unused)
