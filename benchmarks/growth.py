"""How the cost of random games in C grows: with the players, with the cards, with each option of a variant."""

from __future__ import annotations

from typing import Any

from aeronef.loading import load_native, load_variant, shipped
from aeronef.native.game import NativeGame
from benchmarks.measuring import Contestant, contest, row
from benchmarks.side_by_side import EXAMPLES

SIZES: list[tuple[str, int, str, list[int]]] = [  # of an example: the players, the option, its values
    ("goofspiel", 2, "cards", [4, 7, 10, 13]),
    ("oh_hell", 4, "ranks", [4, 7, 10, 13]),
    ("liars_dice", 2, "dice", [1, 2, 3, 4, 5]),
    ("liars_dice", 2, "sides", [2, 4, 6]),
    ("crazy_eights", 3, "plays", [20, 50, 100]),
    ("pig", 2, "goal", [10, 30, 100]),
]
MANY_PLAYERS = ("goofspiel", "oh_hell", "crazy_eights")  # examples


def main() -> None:
    for name in shipped():
        _together(name, [(f"{players} players", _native(name, players, {})) for players in load_variant(name).players])
    for name in MANY_PLAYERS:
        numbers = load_variant(EXAMPLES / f"{name}.yaml").players
        _together(name, [(f"{players} players", _native(name, players, {})) for players in numbers])
    for name, many, option, values in SIZES:
        _together(name, [(f"{option}={value}", _native(name, many, {option: value})) for value in values])
    for name in shipped():
        _together(f"{name}, 4 players", [("defaults", _native(name, 4, {})), *_options(name)])


def _options(name: str) -> list[tuple[str, NativeGame]]:
    """Each value of each option that is not its default, beside the defaults of the others."""
    found = []
    for option in load_variant(name).options:
        for value in option.tries:
            if value != option.default:
                said = option.domain.data(value)
                found.append((f"{option.name}={said}", _native(name, 4, {option.name: said})))
    return found


def _native(name: str, players: int, options: dict[str, Any]) -> NativeGame:
    return load_native(name if name in shipped() else EXAMPLES / f"{name}.yaml", players, options)


def _together(title: str, games: list[tuple[str, NativeGame]]) -> None:
    def play(game: NativeGame) -> Contestant:
        return Contestant("", lambda n: int(game.playouts(n, seed=1, measures=False).lengths.sum()))

    found = [play(game) for _, game in games]
    contest(found)
    row(title, "playouts/s", "steps/s", "steps a game", "ns a step", "bytes")
    for (said, game), one in zip(games, found, strict=True):
        row(
            f"  {said}", f"{one.games_per_s:,.0f}", f"{one.steps_per_s:,.0f}",
            f"{one.steps_per_s / one.games_per_s:.1f}", f"{1e9 / one.steps_per_s:.0f}",
            game.library.quick["position_size"](),
        )  # fmt: skip
    print()
