"""AE706: kinds of cards that start the game nowhere, whatever the options, players and seats."""

from __future__ import annotations

import itertools

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.evaluate import Given, gathered
from aeronef.dsl.types import Seat


def check_cards(game: ir.Game, report: Report) -> None:
    used: dict[str, set[int]] = {c.name: set() for c in game.cards}
    option_values = [o.tries for o in game.options]
    names = [o.name for o in game.options]
    combinations = itertools.islice(itertools.product(*option_values), 512)
    for values in combinations:
        for players in range(game.players[0], game.players[1] + 1):
            given = Given(game, players, dict(zip(names, values, strict=True)))
            for zone in game.zones:
                if zone.starts is None:
                    continue
                owners = range(given.seats) if Seat() in zone.each else [0]
                for owner in owners:
                    used[zone.card].update(int(c) for c in gathered(zone.starts, given, {"owner": owner}))
    for card in game.cards:
        for index, kind in enumerate(card.kinds):
            if index not in used[card.name]:
                hint = "name it in the `starts:` of a zone, or take it out"
                report.add(
                    "AE706", kind.span, f"`{kind.label}` starts the game nowhere", hint, element=f"cards.{card.name}"
                )
