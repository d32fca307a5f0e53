"""What our examples are called in OpenSpiel: the game with its parameters, and for each of our labels theirs.

Each game has a function of who acts and our label that gives the label of the same action there. `PAIRS` lists the
games that are compared: how ours is loaded, and OpenSpiel's text for the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Map = Callable[[int, str], str]


@dataclass(frozen=True, slots=True)
class Pair:
    """One game under both names. `simultaneous`: theirs has to be made turn-based before."""

    example: str
    theirs: str
    players: int
    label: Map
    options: dict[str, Any] = field(default_factory=dict)
    simultaneous: bool = False


def _values(label: str) -> list[str]:
    """The values in a label's brackets."""
    found = re.fullmatch(r"\w+\((.*)\)", label)
    assert found, label
    return [value.strip() for value in found[1].split(",")]


def goofspiel(actor: int, label: str) -> str:
    (card,) = _values(label)
    return f"[P{actor}]Bid: {card}" if actor >= 0 else f"Deal {card}"


def phantom_ttt(actor: int, label: str) -> str:
    row, column = (int(value) - 1 for value in _values(label))
    return f"{'xo'[actor]}({row},{column})"


def first_sealed_auction(actor: int, label: str) -> str:
    if label.startswith("sell"):
        return f"Chose winner {_values(label)[0]}"
    if label.startswith("value"):
        seat, worth = _values(label)
        return f"Player {seat} value: {worth}"
    return f"Player {actor} bid: {_values(label)[0]}"


def oh_hell(actor: int, label: str) -> str:
    value = _values(label)[-1]
    if " " not in value:
        return value  # a number of tricks, a dealer, a bid
    suit, rank = value.split()
    return suit[0].upper() + "23456789TJQKA"[int(rank) - 2]


def crazy_eights(actor: int, label: str) -> str:
    if label in ("draw()", "pass()"):
        return label.removesuffix("()").capitalize()
    name, value = label.partition("(")[0], _values(label)[-1]
    if name == "dealer":
        return f"Decide Player {value} to be the dealer"
    if name == "name":
        return f"Nominate suit {value[0].upper()}"
    suit, rank = value.split()
    return f"{'Play' if actor >= 0 else 'Deal'} {suit[0].upper()}{'23456789TJQKA'[int(rank) - 2]}"
