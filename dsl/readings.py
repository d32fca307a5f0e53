"""Declarations, phases and effects as a reader of rules has them: for the list of differences."""

from __future__ import annotations

import itertools
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.printer import gather
from aeronef.dsl.renamings import Place, statements
from aeronef.dsl.shapes import Line, Shapes, is_true, readable, spell, spell_those, spell_ways
from aeronef.dsl.walk import EXPRESSIONS

KINDS = {
    "automatic": "happens by itself", "together": "all choose at once", "turns": "one after the other",
    "chance": "chance decides",
}  # fmt: skip


def read_optional(node: ir.Expr | None, without: str) -> str:
    return without if node is None else spell(node)


def read_anything(value: Any) -> str:
    """A part of a declaration that has no reading of its own."""
    if isinstance(value, tuple):
        return ", ".join(map(read_anything, value)) or "nothing"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return spell(value) if isinstance(value, EXPRESSIONS) else str(value)


def read_range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}..{high}"


def read_value(value: int | bool | None, kind: t.Type) -> str:
    inner = t.strip(kind)
    if value is None:
        return "none"
    return inner.values[value] if isinstance(inner, t.Enum) else str(value).lower()


def read_option(option: ir.OptionDecl) -> str:
    kind = option.type
    values = ", ".join(kind.values) if isinstance(kind, t.Enum) else str(kind)
    return f"{values} (default: {read_value(option.default, kind)})"


def read_cards(card: ir.CardType) -> str:
    names = ", ".join(name for name, _ in card.attributes)
    return f"{sum(kind.copies for kind in card.kinds)} cards" + (f" with {names}" if names else "")


def read_labels(kinds: list[ir.CardKind]) -> str:
    return ", ".join(f"{kind.copies} × {kind.label}" if kind.copies > 1 else kind.label for kind in kinds)


def read_attributes(card: ir.CardType, kind: ir.CardKind) -> str:
    both = zip(card.attributes, kind.attributes, strict=True)
    only = f", only if {spell(kind.only)}" if kind.only is not None else ""
    return ", ".join(f"{name} {read_value(value, of)}" for (name, of), value in both) + only


def read_faces(dice: ir.DiceType) -> str:
    return ", ".join(f"{n} × {read_value(i, dice.face)}" for i, n in enumerate(dice.weights))


# ------------------------------------------------------------------------------------------ zones, variables


def held(place: Place) -> t.Type:
    if isinstance(place, ir.Variable):
        return place.type
    return place.holding if place.dice else t.Card(place.card)


def read_kind(place: Place) -> str:
    form, what = "", str(held(place))
    if isinstance(place, ir.Zone):
        form = "one " if place.slot else "a row of " if place.ordered else "any number of "
    if isinstance(place, ir.Zone) and place.dice:
        form = f"{'a row of ' if place.ordered else ''}at most {place.holds} "
        what = place.dice
    each = f", for each {' and '.join(map(str, place.each))}" if place.each else ""
    return f"{form}{what}{each}"


def read_starts(place: Place) -> str:
    if isinstance(place, ir.Variable):
        return spell(place.starts)
    return gather(readable(place.starts)) if place.starts is not None else place.stock or "empty"


def read_viewers(seen: ir.Visible) -> str:
    if isinstance(seen.test, ir.Const):
        return "everyone" if is_true(seen.test) else "nobody"
    return spell(seen.test)


def read_place(place: Place) -> str:
    return f"{read_kind(place)}; starts {read_starts(place)}; seen: {read_viewers(place.seen)}"


def read_params(define: ir.Define) -> str:
    return ", ".join(f"{kind} {name}" for name, kind in define.params) or "nothing"


def read_define(define: ir.Define) -> str:
    return (f"of {read_params(define)}: " if define.params else "") + spell(define.body)


# ------------------------------------------------------------------------------------------ tables


def read_fact(value: ir.Fact, kind: t.Type) -> str:
    if isinstance(value, tuple):
        inner = t.element(kind) or kind
        return ", ".join(read_fact(item, inner) for item in value) or "none"
    return read_value(value, kind)


def read_table(table: ir.Table) -> str:
    facts = "; ".join(read_fact(value, table.type) for value in table.values)
    return f"for each {', '.join(map(str, table.each))}: {facts}"


def read_keys(table: ir.Table, game: ir.Game) -> list[str]:
    """Each key as a spec writes it; of several, with dots between."""
    labels = {card.name: [kind.label for kind in card.kinds] for card in game.cards}

    def keys(kind: t.Type, size: int) -> list[str]:
        match kind:
            case t.Int(low, high):
                return [str(i) for i in range(low, high + 1)]
            case t.Enum(_, values):
                return list(values)
            case t.Card(name):
                return labels[name]
            case t.Bool():
                return ["false", "true"]
            case _:
                return [str(i) for i in range(size)]

    rows = [keys(kind, size) for kind, size in zip(table.each, table.sizes, strict=True)]
    return [".".join(row) for row in itertools.product(*rows)]


# ------------------------------------------------------------------------------------------ phases


def read_who(phase: ir.Phase) -> str:
    if phase.over is not None:
        return spell_those(phase.over)
    return "round and round" if phase.start is not None else "once" if phase.kind == "chance" else "nobody"


def read_parameter(p: ir.Parameter) -> str:
    source = spell(p.source) if p.source is not None else ""
    size = f"{spell(p.size)} " if p.size is not None else ""
    match p.kind:
        case "given":
            return p.name if source == p.name else f"{p.name} = {source}"
        case "some":
            return f"{p.name} in {size}of {source}"
        case "card":
            return f"{p.name} from {source}"
        case "roll":
            return f"{p.name} = {size}{p.dice}"
        case _:
            return f"{p.name} in {source}"


def read_signature(action: ir.Action) -> str:
    return f"{action.name}({', '.join(map(read_parameter, action.params))})"


def read_action(action: ir.Action) -> str:
    tests = [p.test for p in action.params if p.test is not None] + ([action.when] if action.when is not None else [])
    when = " and ".join(spell(test) for test in tests)
    head = read_signature(action) + (f" when {when}" if when else "")
    return "\n".join([head, *(f"  {line}" for line in read_effects(action.effects))])


def read_phase(phase: ir.Phase) -> str:
    lines = [KINDS[phase.kind] + (f": {read_who(phase)}" if phase.kind != "automatic" else "")]
    lines += read_effects(phase.effects)
    for word, part in (("from", phase.start), ("until", phase.until), ("asks", phase.asks)):
        lines += [f"{word} {spell(part)}"] if part is not None else []
    lines += [f"one choice for each of {spell_those(phase.sequence.entries)}"] if phase.sequence is not None else []
    lines += [line for action in phase.actions for line in read_action(action).split("\n")]
    return "\n".join([*lines, f"then {spell_ways(phase.then)}"])


def read_effects(effects: tuple[ir.Effect, ...]) -> list[str]:
    return [f"{'  ' * len(line.under)}{line.text}" for line in Shapes().lines(statements(effects), {}, {})]


def read_block(lines: list[Line]) -> str:
    """Statements, under the heads that they stand under."""
    if not lines:
        return ""
    heads = [f"{'  ' * i}{head}" for i, head in enumerate(lines[0].under)]
    return "\n".join(heads + [f"{'  ' * len(line.under)}{line.text}" for line in lines])
