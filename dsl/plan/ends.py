"""What is sought among the cards of a zone by an attribute, and lies at an end of it.

Cards that lie without an order are kept in the order of their type. Where an attribute ascends in that order, the card
with the most of it is the last that is there, and nobody has to look for it: of `max(c.value for c in hand[me])` the
value of the last card, of `first([c in stack by -c.value])` that card. So it is of one that descends, the other way.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from aeronef.dsl import ir
from aeronef.dsl import types as t


@dataclass(frozen=True, slots=True)
class End:
    """The first or the last card of a zone in the order of its type; none of an empty one."""

    zone: ir.Read
    last: bool


class Ends:
    """Finds them in the rules of a game; in an instrumented one nothing, for it counts what the spec says."""

    def __init__(self, game: ir.Game) -> None:
        self.zones = {zone.name for zone in game.zones if not (zone.ordered or zone.owned or zone.dice or zone.slot)}
        self.rows = {
            (card.name, name): tuple(kind.attributes[i] for kind in card.kinds)
            for card in game.cards
            for i, (name, _) in enumerate(card.attributes)
        }
        if game.points:
            self.zones.clear()

    def card(self, node: ir.Expr) -> End | None:
        """Of `first([c in zone by c.attribute])`, and `last(…)`, either way up, or without a key."""
        match node:
            case ir.Builtin("first" | "last" as name, (ir.Aggregate("list", ir.Local(item), over),)):
                pass
            case _:
                return None
        zone = self._whole(over)
        if zone is None or item != over.name:
            return None
        if over.key is None:
            return End(zone, name == "last")
        key, down = over.key, over.down
        while isinstance(key, ir.Unary) and key.op == "-":
            key, down = key.of, not down
        if not isinstance(key, ir.Attribute) or (row := self._row(key, over)) is None:
            return None
        if _ascends(row, down, strictly=False):  # ties keep the order of the zone
            return End(zone, name == "last")
        return End(zone, name == "first") if _ascends(row, not down, strictly=True) else None

    def most(self, node: ir.Expr) -> tuple[End, str] | None:
        """Of `max(c.attribute for c in zone)`, and `min(…)`, the card that has it, and the attribute."""
        match node:
            case ir.Aggregate("min" | "max" as kind, ir.Attribute(_, name) as body, over):
                zone, row = self._whole(over), self._row(body, over)
            case _:
                return None
        if zone is None or row is None:
            return None
        for down in (False, True):
            if _ascends(row, down, strictly=False):
                return End(zone, (kind == "max") != down), name
        return None

    def _whole(self, over: ir.Gather) -> ir.Read | None:
        """The zone, if all of its cards are gone through."""
        source = over.source
        whole = isinstance(source, ir.Read) and source.name in self.zones and over.test is None
        return source if whole else None  # type: ignore[return-value]

    def _row(self, node: ir.Attribute, over: ir.Gather) -> tuple[int, ...] | None:
        """What the attribute of what is gone through is, of each card of the type; None where some have none."""
        kind = t.strip(node.of.type)
        if not (isinstance(node.of, ir.Local) and node.of.name == over.name and isinstance(kind, t.Card)):
            return None
        row = self.rows.get((kind.name, node.name), (None,))
        return None if None in row else tuple(int(value or 0) for value in row)


def _ascends(row: tuple[int, ...], down: bool, strictly: bool) -> bool:
    """Whether the values go up (`down`: down) in the order of the cards."""
    pairs = itertools.pairwise(row[::-1] if down else row)
    return all(one < other if strictly else one <= other for one, other in pairs)
