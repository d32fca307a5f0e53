"""The one game that players and options make of a spec: with the optional rules that are on, and no option left."""

from __future__ import annotations

from collections.abc import Mapping

from aeronef.dsl import ir
from aeronef.dsl.compiler import Compilation
from aeronef.dsl.evaluate import Given, evaluate
from aeronef.dsl.specialise import Unfit, Value, indices, specialise
from aeronef.dsl.types import Enum


def switched(run: Compilation, options: Mapping[str, Value], players: int | None = None) -> ir.Game:
    """Of the games of a compilation, one for each set of optional rules, the one that these options (enumerations by
    word; others at their defaults) switch on. Raises Unfit."""
    whole = _whole(run)
    values = {o.name: o.default for o in whole.options} | indices(whole, options)
    given = Given(whole, players or whole.players[0], values)
    on = frozenset(o.name for o in run.overlays if evaluate(o.when, given, {}))
    found = next((game for each, game in zip(run.combined, run.games, strict=True) if each.on == on), None)
    if found is None:
        raise Unfit(f"{whole.name}: these options do not go together, or not with so many players")
    return found


def settle(run: Compilation, options: Mapping[str, Value], players: int, measured: bool = False) -> ir.Game:
    """That game for so many players, with all options as constants; with what it measures, if that is `measured`.
    Raises Unfit."""
    everything = {o.name: word(o) for o in _whole(run).options} | dict(options)
    return specialise(switched(run, everything, players), everything, players, measured)


def word(option: ir.OptionDecl) -> Value:
    """The default of an option, as it is given."""
    if isinstance(option.type, Enum) and option.default is not None:
        return option.type.values[int(option.default)]
    return option.word if option.default is None else option.default


def _whole(run: Compilation) -> ir.Game:
    if run.game is None:
        raise Unfit("the spec does not compile")
    return run.game
