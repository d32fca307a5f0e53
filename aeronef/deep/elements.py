"""The elements of a spec that findings name: their own names, where they stand, and the clauses that they cite."""

from __future__ import annotations

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Span


def own_name(game: ir.Game, element: str) -> str:
    """An element by its own name in the spec, where findings of play have the one of `called:`."""
    section, _, rest = element.partition(".")
    name, dot, inside = rest.partition(".")
    those: tuple[ir.Phase, ...] | tuple[ir.Variable, ...] = game.phases if section == "phases" else game.variables
    own = next((one.name for one in those if one.called == name), name) if section in ("phases", "vars") else name
    return f"{section}.{own}{dot}{inside}" if rest else element


def spans_of(game: ir.Game) -> dict[str, Span]:
    """Where the elements of a spec stand, by the names that findings have for them."""
    found = {"result": game.result.span, "longest": game.longest.span, "players": game.span}
    for phase in game.phases:
        for name in {phase.name, phase.called or phase.name}:
            found[f"phases.{name}"] = phase.span
            for action in phase.actions:
                kind = "outcomes" if phase.kind == "chance" else "actions"
                found[f"phases.{name}.{kind}.{action.key}"] = action.span
    for zone in game.zones:
        found[f"zones.{zone.name}"] = zone.span
    for variable in game.variables:
        for name in {variable.name, variable.called or variable.name}:
            found[f"vars.{name}"] = variable.span
    for option in game.options:
        found[f"options.{option.name}"] = option.span
    for table in game.tables:
        found[f"tables.{table.name}"] = table.span
    for define in game.defines:
        found[f"define.{define.name}"] = define.span
    for clause in game.clauses:
        found[f"clauses.{clause.id}"] = clause.span
    return found


def cited(game: ir.Game, element: str) -> tuple[ir.Clause, ...]:
    """The clauses that an element and what is in it cite, each once. Of a clause that is named itself, this one."""
    name = own_name(game, element)
    ids = [clause for clause, at, _ in game.citations if at == name or at.startswith(f"{name}.")]
    known = {clause.id: clause for clause in game.clauses}
    ids += [name.removeprefix("clauses.")] * name.startswith("clauses.")
    return tuple(known[one] for one in dict.fromkeys(ids) if one in known)
