"""Options that make no difference: settled for each of its values, the game means the same.

What is measured or said is no part of the game.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator

from aeronef.deep.unplayed import Finding
from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.compiler import Compilation
from aeronef.dsl.differences import differences
from aeronef.dsl.evaluate import Given, evaluate
from aeronef.dsl.printer import print_game
from aeronef.dsl.specialise import Unfit, Value, specialise
from aeronef.dsl.walk import nodes, rules

MOST_SWITCHED = 64  # choices of the options that switch optional rules, for which an option is settled


def without_difference(run: Compilation, late: Callable[[], bool] = lambda: False) -> Iterator[Finding]:
    """The options of which each value gives the same game, for any number of players and whatever the others are. An
    option that no rule uses at all is AE707, and not told again."""
    assert run.game is not None
    unused = {d.element for d in run.report.diagnostics if d.code == "AE707"}
    unused |= {accepted.element for accepted in run.report.accepted if accepted.code == "AE707"}
    for option in run.game.options:
        element = f"options.{option.name}"
        if element not in unused and _all_same(run, option, late):
            words = "it makes no difference: each of its values gives the same game"
            yield Finding("difference", element, words, option.span, option.by)


def _all_same(run: Compilation, option: ir.OptionDecl, late: Callable[[], bool]) -> bool:
    """The others stay open, but those that switch optional rules: of these every choice is asked."""
    whole = run.game
    assert whole is not None
    games = {each.on: rules(game) for each, game in zip(run.combined, run.games, strict=True)}
    named = {node.name for overlay in run.overlays for node in nodes(overlay.when) if isinstance(node, ir.Option)}
    switches = [other for other in whole.options if other.name in named and other is not option]
    if math.prod(len(_values(other)) for other in switches) > MOST_SWITCHED:
        return False
    defaults = {other.name: other.default for other in whole.options}
    compared = False
    for players in range(whole.players[0], whole.players[1] + 1):
        for chosen in itertools.product(*map(_values, switches)):
            first: ir.Game | None = None
            for value in _values(option):
                if late():
                    return False
                settled = {option: value} | dict(zip(switches, chosen, strict=True))
                given = Given(whole, players, defaults | {o.name: v for o, v in settled.items()})
                game = games.get(frozenset(o.name for o in run.overlays if evaluate(o.when, given, {})))
                try:
                    made = (
                        specialise(game, {o.name: _word(o, v) for o, v in settled.items()}, players) if game else None
                    )
                except Unfit:  # these do not go together
                    continue
                if made is None:
                    continue
                if first is None:
                    first = made
                elif not _same(first, made):
                    return False
                else:
                    compared = True
    return compared


def _same(a: ir.Game, b: ir.Game) -> bool:
    """Whether two games are the same, whatever other options they would go with."""
    one, other = (print_game(dataclasses.replace(game, options=(), accepts=())) for game in (a, b))
    return one == other or all(d.topic == "options" for d in differences(a, b))


def _values(option: ir.OptionDecl) -> list[int | bool | None]:
    if isinstance(option.type, t.Bool):
        return [False, True]
    return [*([None] if option.word else []), *range(option.low, option.high + 1)]


def _word(option: ir.OptionDecl, value: int | bool | None) -> Value:
    kind = t.strip(option.type)
    return kind.values[value] if isinstance(kind, t.Enum) and value is not None else value
