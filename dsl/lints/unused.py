"""AE707: options, types, cards, dice, zones, variables and definitions that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Report, Span
from aeronef.dsl.walk import nodes


def check_unused(game: ir.Game, report: Report) -> None:
    used = set(_used(game))
    for what, name, span in _declared(game):
        if (what, name) not in used:
            element = {"option": "options", "type": "types", "zone": "zones", "variable": "vars"}.get(what, what)
            report.add(
                "AE707", span, f"nothing uses the {_spoken(what)} `{name}`", "take it out", element=f"{element}.{name}"
            )


def _spoken(what: str) -> str:
    return {"define": "definition", "cards": "card type"}.get(what, what)


def _declared(game: ir.Game) -> Iterator[tuple[str, str, Span]]:
    yield from (("option", o.name, o.span) for o in game.options)
    yield from (("zone", z.name, z.span) for z in game.zones)
    yield from (("variable", v.name, v.span) for v in game.variables)
    yield from (("define", d.name, d.span) for d in game.defines)
    yield from (("cards", c.name, c.span) for c in game.cards)
    yield from (("dice", d.name, d.span) for d in game.dice)


def _used(game: ir.Game) -> Iterator[tuple[str, str]]:
    parts = [game.automata, game.longest, game.options, game.zones, game.variables, game.defines, game.phases, game.result,
             game.invariants]  # fmt: skip
    for part in parts:
        for node in nodes(part):
            match node:
                case ir.Option(name):
                    yield "option", name
                case ir.Read(name):
                    yield "zone", name
                    yield "variable", name
                case ir.Assign(target) | ir.Step(target) if isinstance(target.type, t.Count):
                    yield "variable", target.name
                case ir.Call(name):
                    yield "define", name
                case ir.Parameter():
                    yield "dice", node.dice
                case ir.Zone():
                    yield "cards", node.card
                case _:
                    pass
