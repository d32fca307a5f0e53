"""AE707: options, cards, dice, tables, zones, variables and definitions that nothing uses, and values of actions."""

from __future__ import annotations

from collections.abc import Iterator

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report, Span
from aeronef.dsl.walk import locals_in, nodes

SPOKEN = {"options": "option", "cards": "card type", "dice": "dice", "tables": "table", "zones": "zone",
          "vars": "variable", "define": "definition"}  # fmt: skip

Declaration = ir.OptionDecl | ir.CardType | ir.DiceType | ir.Table | ir.Zone | ir.Variable | ir.Define


def check_unused(game: ir.Game, report: Report) -> None:
    declared: dict[str, tuple[Declaration, ...]] = {
        "options": game.options, "cards": game.cards, "dice": game.dice, "tables": game.tables,
        "zones": game.zones, "vars": game.variables, "define": game.defines,
    }  # fmt: skip
    used = set(_used(game))
    for section, declarations in declared.items():
        for declaration in declarations:
            name = declaration.name
            if (section, name) not in used:
                message = f"nothing uses the {SPOKEN[section]} `{name}`"
                report.add("AE707", declaration.span, message, "take it out", element=f"{section}.{name}")
    for element, part, names in _locals(game):
        for name, span in names:
            if name not in locals_in(part):
                report.add("AE707", span, f"nothing uses the value `{name}`", "take it out", element=element)


def _locals(game: ir.Game) -> Iterator[tuple[str, object, list[tuple[str, Span]]]]:
    """For each definition and action what it is about, and the values that it brings."""
    for define in game.defines:
        yield f"define.{define.name}", define.body, [(name, define.span) for name, _ in define.params]
    for phase in game.phases:
        kind = "outcomes" if phase.kind == "chance" else "actions"
        for action in phase.actions:
            params = tuple((p.source, p.size, p.test) for p in action.params)
            rules = (
                action.effects,
                action.when or (),
                (action.visits or (), action.guest or (), action.then or ()),
                params,
            )
            chosen = [(p.name, p.span) for p in action.params if p.kind != "given"]
            yield f"phases.{phase.name}.{kind}.{action.key}", rules, chosen


def _used(game: ir.Game) -> Iterator[tuple[str, str]]:
    parts = [game.automata, game.longest, game.zones, game.variables, game.defines, game.phases, game.result,
             game.invariants, game.measures, game.overlays]  # fmt: skip
    for part in parts:
        for node in nodes(part):
            match node:
                case ir.Option(name):
                    yield "options", name
                case ir.Read(name):
                    yield "zones", name
                    yield "vars", name
                case ir.Lookup(name):
                    yield "tables", name
                case ir.Call(name):
                    yield "define", name
                case ir.Parameter():
                    yield "dice", node.dice
                case ir.Zone():
                    yield "cards", node.card
                    yield "tables", node.stock
                    yield "dice", node.dice
                case ir.Everything(name):
                    yield "cards", name
                case _:
                    pass
    for option in game.options:  # what it requires of itself is no use of it
        for node in nodes(option.requires):
            if isinstance(node, ir.Lookup):
                yield "tables", node.name
            if isinstance(node, ir.Option) and node.name != option.name:
                yield "options", node.name
