"""The tree of a spec to the typed IR: declarations in dependency order, each text typed where it stands.

The order: clauses, the names of everything, options, types, cards and dice, tables, then the shape of what the
state holds, then definitions (each after those that it uses), then who sees what, phases, result, invariants and what
is measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.codes import IN_PLAY
from aeronef.dsl.definitions import Definitions
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.expressions import BOOL
from aeronef.dsl.measures import Measures
from aeronef.dsl.reader import Mapping, Node, Scalar, Sequence
from aeronef.dsl.spoken import being, describe
from aeronef.dsl.tables import Tables
from aeronef.dsl.ways import check_detours

GAME = r"[a-z][a-z0-9_]*"


def elaborate(root: Mapping, report: Report) -> ir.Game | None:
    """The IR of a spec whose structure was checked; None if it has mistakes, which are then in the report."""
    return _Elaborator(root, report).game()


class _Elaborator(Tables, Definitions, Measures):
    def game(self) -> ir.Game | None:
        root, report, world = self.root, self.report, self.world
        name = root.get("game")
        if isinstance(name, Scalar) and not re.fullmatch(GAME, name.text):
            self.wrong("AE403", name.span, f"`{name.text}` cannot name a game", "small letters, digits and _")
        clauses = tuple(self.declare_clauses())
        by = self.cited(root.get("by"), "game")
        self.declare_players()
        declared = self.declare()
        options = self.declare_options(declared["options"])
        automata = self.declare_automata()
        self.declare_types(declared["types"])
        cards = tuple(self.declare_cards(declared["cards"]))
        dice = tuple(self.declare_dice(declared["dice"]))
        tables = tuple(self.tables(declared["tables"]))
        self.declare_places(declared["zones"], declared["vars"])
        self.name_phases()
        defines = self.definitions(declared["define"])
        zones = tuple(self.zones(declared["zones"]))
        variables = tuple(self.variables(declared["vars"]))
        options = list(self.require(options))
        phases = tuple(self.phases())
        self.same_actions(phases)
        self.visited_for(phases)
        check_detours(phases, report)
        longest = self._longest()
        result = self._result()
        invariants = tuple(self._invariants())
        measures = tuple(self.measures(phases))
        accepts = tuple(self._accepts())
        if report.errors:
            return None
        for key, _ in declared["types"]:
            if key.text not in world.used:
                message = f"nothing uses the type `{key.text}`"
                report.add("AE707", key.span, message, "take it out", element=f"types.{key.text}")
        assert isinstance(name, Scalar)
        assert longest is not None
        assert result is not None
        enums = tuple((n, e.values) for n, e in world.enums.items())
        numbers = tuple((n, i.low, i.high) for n, i in world.numbers.items())
        return ir.Game(
            name.text, self.text(root.get("says")), world.players, automata, longest, by, clauses, tuple(options),
            enums, numbers, cards, dice, zones, variables, defines, phases, result, invariants, accepts, name.span,
            tuple(self.citations), tables=tables, measures=measures,
        )  # fmt: skip

    def _longest(self) -> ir.Expr | None:
        node = self.root.get("longest")
        found = self.expression(node, {}, t.Int(1, 1), "`longest`")
        if node is None or found is None or not self.stateless(found):
            return None
        if cast(t.Int, found.type).low < 1:
            self.wrong("AE502", node.span, f"this {being(found.type)}", "a game has at least one step")
        return found

    def _result(self) -> ir.Result | None:
        node = self.root.get("result")
        if not isinstance(node, Mapping):
            return None
        me: dict[str, t.Type] = {"me": t.Seat()}
        keys: list[ir.Expr] = []
        rank, returns = node.get("rank"), node.get("returns")
        for item in rank.items if isinstance(rank, Sequence) else [rank] if rank is not None else []:
            key = self.expression(item, me)
            if key is not None and not isinstance(key.type, t.Int | t.Bool):
                self.wrong("AE501", key.span, f"seats are ranked by numbers, and this is {describe(key.type)}")
            elif key is not None:
                keys.append(key)
        lost = self.expression(node.get("lost"), {}, BOOL)
        returned = self.expression(returns, me, t.Int(0, 0), "a return")
        if rank is None and returns is None:
            self.wrong("AE606", node.span, "nothing says who wins", "add `rank:` (higher is better) or `returns:`")
        parts = self._parts(node.get("parts"), returns)
        return ir.Result(tuple(keys), lost, returned, self.cited(node.get("by"), "result"), node.span, parts)

    def _parts(self, node: Node | None, returns: Node | None) -> ir.Expr | None:
        """What the returns are divided by."""
        found = self.expression(node, {}, t.Int(1, 1), "the parts of a return")
        if node is None or found is None:
            return None
        if returns is None:
            self.wrong("AE606", node.span, "nothing says how many of these parts each gets", "add `returns:`")
        if cast(t.Int, found.type).low < 1:
            self.wrong("AE502", node.span, f"this {being(found.type)}", "as in `max(…, 1)`: returns are divided by it")
        return found

    def _invariants(self) -> Iterator[ir.Invariant]:
        for key, node in self.section("invariants"):
            body = self.field(node, "is") if isinstance(node, Mapping) else node
            test = self.expression(body, {}, BOOL)
            by = self.cited(self.field(node, "by"), f"invariants.{key.text}")
            if test is not None:
                yield ir.Invariant(key.text, test, by, self.text(body), key.span)

    def _accepts(self) -> Iterator[ir.Accept]:
        node = self.root.get("accepts")
        for item in node.items if isinstance(node, Sequence) else []:
            finding, at, why = (self.text(self.field(item, name)) for name in ("finding", "at", "why"))
            yield ir.Accept(finding, at, why, self._accepted_when(item, finding), item.span)

    def _accepted_when(self, item: Node, finding: str) -> ir.Expr | None:
        node = self.field(item, "when")
        test = self.expression(node, {}, BOOL)
        if node is not None and finding not in IN_PLAY:
            message = f"{finding} is found in the spec itself, whatever the options"
            hint = f"`when` goes with what is found in play ({IN_PLAY[0]} to {IN_PLAY[-1]})"
            self.wrong("AE610", node.span, message, hint)
            return None
        return test if test is not None and self.stateless(test) else None
