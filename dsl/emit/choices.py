"""What an action is to those who list its choices: its values, and what must hold for each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.annotations import size_of
from aeronef.dsl.emit.unroll import Known, with_value
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.phases import both
from aeronef.dsl.walk import nodes

MOST_CHOICES = 12


@dataclass(frozen=True, slots=True)
class Merged:
    """An action as all phases that have it see it: each value with the widest of its ranges."""

    name: str
    key: str
    params: tuple[tuple[str, t.Type], ...]
    role: str  # action or outcome
    only: ir.Only


def each_choice(known: Known, action: Merged, offer: plan.Offer) -> list[tuple[ir.Expr, int]]:
    """Each choice that an action can be, with what must hold for it and its place among the ids of the action, where
    its values are the same in every game and not many, and something must hold for them; else [].
    """
    node, values = offer.action, offer.values
    tests = [test for test in (*(v.param.test for v in values), *(v.when for v in values)) if test is not None]
    if not tests or not all(p.kind == "one" for p in node.params):
        return []
    rows = [known.values(p.source) if p.source is not None else [] for p in node.params]
    sizes = [_many(known, kind) for _, kind in action.params]
    total = 1
    for row, size in zip(rows, sizes, strict=True):
        numbers = [const.value or 0 for const in row]
        total *= len(row) if size and numbers == sorted(set(numbers)) else 0
    if not 0 < total <= MOST_CHOICES:
        return []
    found = []
    for choice in product(*rows):
        place = 0
        holds = tests
        for p, (_, kind), size, value in zip(node.params, action.params, sizes, choice, strict=True):
            low = kind.low if isinstance(kind, t.Int) else 0
            place = place * size + int(value.value or 0) - low
            holds = [with_value(test, p.name, value) for test in holds]
        first, *others = holds
        for other in others:
            first = both(first, other)
        found.append((first, place))
    return found


def _many(known: Known, kind: t.Type) -> int:
    """How many values a type has in every game; 0 where that depends on it."""
    match kind:
        case t.Seat():
            return known.seats or 0
        case t.Enum(name) if name not in known.partial:
            return size_of(kind)
        case t.Int() | t.Bool():
            return size_of(kind)
        case _:
            return 0


def once(game: ir.Game) -> set[str]:
    """The zones in which no two equal cards can lie: of cards of which there is one each, or where none ever comes."""
    reached = {move.target.name for move in nodes(game.phases) if isinstance(move, ir.Move)}
    found = set()
    for card in game.cards:
        zones = [zone for zone in game.zones if zone.card == card.name]
        homes = [zone for zone in zones if zone.starts is not None or zone.stock]
        if any(kind.copies != 1 for kind in card.kinds) or not all(map(_whole, homes)):
            continue
        alone = len(homes) == 1 and not homes[0].each
        found |= {
            zone.name for zone in zones
            if not (zone.slot or zone.owned)
            and (alone or (zone.name not in reached and zone.refill is None))
        }  # fmt: skip
    return found


def _whole(zone: ir.Zone) -> bool:
    """Whether what a zone starts with is a selection of all cards."""
    return not zone.stock and zone.starts is not None and isinstance(zone.starts.source, ir.Everything)
