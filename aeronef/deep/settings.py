"""Which games of a variant `check --deep` looks at, where nobody says so."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from aeronef.commands.common import options_text
from aeronef.deep.verdicts import Setting
from aeronef.dsl.codes import IN_PLAY
from aeronef.runtime.combinations import Choice, every_choice
from aeronef.runtime.description import Accept, Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game

MOST_LOOKS = 2_000  # combinations that are looked at for one in which an acceptance holds


def setting(variant: Variant, players: int, options: dict[str, Any], small: bool = False) -> Setting:
    """Raises BadInput where there is no such game."""
    game = Game(variant, players, options)
    default = {o.name: o.domain.data(o.default) for o in variant.options}
    others = {name: value for name, value in game.options.items() if value != default[name]}
    words = [f"{players} player{'s' if players > 1 else ''}", *([options_text(others)] if others else [])]
    return Setting(players, dict(game.options), ", ".join([*words, *(["small"] if small else [])]), small)


def settings(variant: Variant, small: Variant | None) -> list[Setting]:
    """The defaults with the fewest players and with the most; with the fewest, each other value that an option should
    be tried with; for each finding that the spec accepts a game in which it does; and the small game."""
    default = {o.name: o.domain.data(o.default) for o in variant.options}
    fewest, most = variant.players[0], variant.players[-1]
    choices: list[Choice] = [(fewest, default)]
    for option in variant.options:
        choices += [(fewest, {**default, option.name: option.domain.data(v)}) for v in option.tries]
    choices.append((most, default))
    found = _sound(variant, choices, False)
    for accept in variant.accepts:
        if accept.code in IN_PLAY and not any(holds(variant, accept, s) for s in found):
            every = _sound(variant, islice(every_choice(variant), MOST_LOOKS), False)
            found += [s for s in every if holds(variant, accept, s)][:1]
    if small is not None:
        usual = {o.name: o.domain.data(o.default) for o in small.options}
        accepting = [s for s in found if _accepting(variant, s)]
        others = [{n: v for n, v in s.options.items() if v != default[n] and n in usual} for s in accepting]
        found += _sound(small, [(small.players[0], usual | chosen) for chosen in ({}, *others)], True)
    return found


def _sound(variant: Variant, choices: Any, small: bool) -> list[Setting]:
    """Those of the choices that are games, each once."""

    def each() -> Iterator[Setting]:
        for players, options in choices:
            try:
                yield setting(variant, players, options, small)
            except BadInput:
                continue

    found: list[Setting] = []
    for one in each():
        if all(one.label != other.label for other in found):
            found.append(one)
    return found


def holds(variant: Variant, accept: Accept, one: Setting) -> bool:
    """Whether the spec accepts a finding with these players and options. (The small game may be for fewer or more.)"""
    try:
        return Game(variant, one.players, one.options).accepts(accept)
    except BadInput:
        return accept.when is None


def _accepting(variant: Variant, one: Setting) -> bool:
    """Whether something is accepted there that is not accepted everywhere."""
    return any(a.when is not None and holds(variant, a, one) for a in variant.accepts if a.code in IN_PLAY)
