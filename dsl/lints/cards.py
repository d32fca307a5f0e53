"""AE706: kinds of cards that start the game nowhere, whatever the options, players and seats.

And AE502, an error: a zone for one card that starts with more.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.evaluate import PATIENCE, Given, TooMuch, gathered
from aeronef.dsl.types import Seat, strip
from aeronef.dsl.walk import nodes


def check_cards(game: ir.Game, report: Report) -> None:
    used: dict[str, set[int]] = {c.name: set() for c in game.cards}
    full: set[str] = set()
    try:
        for zone, cards in _starts(game):
            used[zone.card].update(card for card, number in cards.items() if number)
            if zone.slot and sum(cards.values()) > 1 and zone.name not in full:
                full.add(zone.name)
                message = f"`{zone.name}` holds one card, and starts with more"
                hint = "one card for each part" if zone.stock else "as in `c in Card where …`"
                span = zone.starts.span if zone.starts is not None else zone.span
                report.add("AE502", span, message, hint, element=f"zones.{zone.name}")
    except TooMuch:
        return
    for card in game.cards:
        for index, kind in enumerate(card.kinds):
            if index not in used[card.name]:
                hint = "name it in the `starts:` of a zone, or take it out"
                message = f"`{kind.label}` starts the game nowhere"
                report.add("AE706", kind.span, message, hint, element=f"cards.{card.name}")


def _starts(game: ir.Game) -> Iterator[tuple[ir.Zone, dict[int, int]]]:
    """The cards that each zone starts with and how many of each: for each part, number of players and value of the
    options that matter."""
    patience = PATIENCE
    copies = {c.name: [kind.copies for kind in c.kinds] for c in game.cards}
    for zone in game.zones:
        if zone.stock:
            table = next(table for table in game.tables if table.name == zone.stock)
            numbers = [value for value in table.values if isinstance(value, int)]
            many = len(copies[zone.card])
            yield from ((zone, dict(enumerate(numbers[i : i + many]))) for i in range(0, len(numbers), many))
        if zone.starts is None:
            continue
        names = {node.name for node in nodes((zone.starts, game.automata or ())) if isinstance(node, ir.Option)}
        options = [o for o in game.options if o.name in names]
        for values in itertools.product(*(_values(o) for o in options)):
            chosen = dict(zip((o.name for o in options), values, strict=True))
            seats = [value for o, value in zip(options, values, strict=True) if isinstance(strip(o.type), Seat)]
            fewest = max([game.players[0], *(seat + 1 for seat in seats if seat is not None)])
            for players in range(fewest, game.players[1] + 1):
                given = Given(game, players, chosen, patience)
                for owner in range(given.seats) if Seat() in zone.each else [0]:
                    cards = gathered(zone.starts, given, {"owner": owner})
                    yield zone, {int(card): copies[zone.card][card] for card in cards}
                patience = given.patience


def _values(option: ir.OptionDecl) -> list[int | bool | None]:
    if isinstance(option.default, bool):
        return [False, True]
    return [*[None] * bool(option.word), *range(option.low, option.high + 1)]
