"""What of a game never changes: how many parts, seats and cards there are, for so many players and settled options."""

from __future__ import annotations

from collections.abc import Iterable

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.evaluate import Given, TooMuch, evaluate, gathered
from aeronef.dsl.walk import nodes


class World:
    """What does not change: the declarations of a game with settled options, for so many players."""

    def __init__(self, game: ir.Game) -> None:
        assert game.players[0] == game.players[1], "one number of players"
        assert not game.options, "options are settled"
        self.game = game
        self.given = Given(game, game.players[0], {})
        self.players, self.seats = self.given.players, self.given.seats
        self.zones = {zone.name: zone for zone in game.zones}
        self.variables = {variable.name: variable for variable in game.variables}
        self.defines = {define.name: define for define in game.defines}
        self.tables = {table.name: table for table in game.tables}
        self.kinds = {card.name: card.kinds for card in game.cards}
        self.of_players = {v.name for v in game.variables if self._of_players(v)}
        self.lying = {zone.name: self._lying(zone) for zone in game.zones}
        self.holding = {zone.name: self._holding(zone) for zone in game.zones}

    def many(self, kind: t.Type) -> int:
        """How many values an index can have."""
        match kind:
            case t.Seat():
                return self.seats
            case t.Card(name):
                return len(self.kinds[name])
            case _:
                return t.count(kind)

    def parts(self, each: Iterable[t.Type]) -> int:
        many = 1
        for kind in each:
            many *= self.many(kind)
        return many

    def _of_players(self, variable: ir.Variable) -> bool:
        """Whether a set of seats never holds an automaton's: no value that it is ever given can."""
        if self.seats == self.players:
            return True
        values = [
            n.value for n in nodes(self.game.phases) if isinstance(n, ir.Assign) and n.target.name == variable.name
        ]
        for value in (variable.starts, *values):
            match value:
                case ir.Collection(_, ()):
                    pass
                case ir.Aggregate("set", ir.Local(name), ir.Gather(over, ir.Everything("players"))) if name == over:
                    pass
                case _:
                    return False
        return True

    def _lying(self, zone: ir.Zone) -> int:
        """How many cards lie in all parts of a zone at the start."""
        rest = self.parts(kind for kind in zone.each if kind != t.Seat())
        seats = range(self.seats) if t.Seat() in zone.each else range(1)
        if zone.stock:
            values = self.tables[zone.stock].values
            return sum(v for v in values if isinstance(v, int)) * len(seats)
        if zone.starts is None:
            return 0
        copies = [kind.copies for kind in self.kinds[zone.card]]
        try:
            cards: list[int] = [c for seat in seats for c in gathered(zone.starts, self.given, {"owner": seat})]
        except (TooMuch, AssertionError, KeyError):
            cards = list(range(len(copies))) * len(seats)
        return sum(copies[card] for card in cards) * rest

    def _holding(self, zone: ir.Zone) -> int:
        """How many cards a part of a zone can hold, for certain."""
        if zone.dice:
            return zone.holds
        return 1 if zone.slot else sum(self.lying[z.name] for z in self.zones.values() if z.card == zone.card)

    def count(self, source: ir.Expr) -> int | None:
        """How many things are gathered, where that is known before the game."""
        if any(isinstance(n, ir.Read | ir.Call) for n in nodes(source)):
            return self.players if isinstance(source, ir.Builtin) and source.name == "clockwise" else None
        match source:
            case ir.Collection("list", items):
                return len(items)
            case ir.Builtin("clockwise"):
                return self.players
        try:
            return len(list(evaluate(source, self.given, {})))
        except (TooMuch, AssertionError, KeyError, ZeroDivisionError, TypeError):
            return None
