"""Our examples and OpenSpiel's games of the same names, compared node by node.

Each game has a function that gives, for who acts and a label of ours, OpenSpiel's label of the same action. `TREES` are
pairs that are small enough to be compared to the last node, `GAMES` those of which random games are played in step.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aeronef
from aeronef.runtime.state import State

EXAMPLES = Path(__file__).parents[2] / "examples"
RANKS = "23456789TJQKA"
SUITS = ("clubs", "diamonds", "hearts", "spades")  # of Crazy Eights, in the order of OpenSpiel's numbers
EXACT = 1e-9
Map = Callable[[int, str], str]
Correction = Callable[[State], list[float]]


def _values(label: str) -> list[str]:
    """The values in a label's brackets."""
    found = re.fullmatch(r"\w+\((.*)\)", label)
    assert found, label
    return [value.strip() for value in found[1].split(",")]


def _card(text: str) -> str:
    suit, rank = text.split()
    return suit[0].upper() + RANKS[int(rank) - 2]


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
    return _card(value) if " " in value else value  # a number of tricks, a dealer, a bid


def crazy_eights(actor: int, label: str) -> str:
    if label in ("draw()", "pass()"):
        return label.removesuffix("()").capitalize()
    name, value = label.partition("(")[0], _values(label)[-1]
    match name:
        case "dealer":
            return f"Decide Player {value} to be the dealer"
        case "name":
            return f"Nominate suit {value[0].upper()}"
        case _:
            return f"{'Play' if actor >= 0 else 'Deal'} {_card(value)}"


def pig(actor: int, label: str) -> str:
    if actor >= 0:
        return {"roll()": "roll", "hold()": "stop"}[label]
    return f"Roll {_values(label)[0]}"


def numbers_for_ranks(state: State) -> list[float]:
    """What OpenSpiel's Crazy Eights takes beyond the rules for the cards that are left: of those from 2 to 10 it counts
    the card's number in its deck and 2, where the rules count the rank."""
    wrong = []
    for hand in state.to_dict()["zones"]["hand"]:
        cards = [(SUITS.index(suit), int(rank)) for suit, rank in map(str.split, hand)]
        wrong.append(float(-sum(4 * (rank - 2) + suit + 2 - rank for suit, rank in cards if rank <= 10 and rank != 8)))
    return wrong


@dataclass(frozen=True, slots=True)
class Pair:
    """One game under both names. `together`: theirs has to be made turn-based before. `known`: they tell what a player
    knows, by perfect recall. `wrong`: by how much their returns are other than the rules say."""

    example: str
    theirs: str
    players: int
    label: Map
    options: dict[str, Any] = field(default_factory=dict)
    together: bool = False
    known: bool = True
    wrong: Correction | None = None

    def __str__(self) -> str:
        return self.theirs

    def load(self, pyspiel: Any) -> Callable[[], tuple[State, Any]]:
        """What gives both at their beginning."""
        theirs = pyspiel.load_game(self.theirs)
        if self.together:
            theirs = pyspiel.convert_to_turn_based(theirs)
        ours = aeronef.load(EXAMPLES / f"{self.example}.yaml", players=self.players, **self.options)
        return lambda: (ours.new_initial_state(), theirs.new_initial_state())


@dataclass(slots=True)
class Comparison:
    """Two games walked through together. It stops (AssertionError) at the first node at which they differ: in who acts,
    what can be done, how likely chance does it, what each gets. Information states are kept and told: of every history
    at which a player acts, which of ours goes with which of theirs."""

    pair: Pair
    nodes: int = 0
    ends: int = 0
    theirs: dict[tuple[int, str], str] = field(default_factory=dict)  # of each of our information states
    ours: dict[tuple[int, str], str] = field(default_factory=dict)
    differ: list[tuple[int, str, str]] = field(default_factory=list)

    def at(self, a: State, b: Any) -> list[tuple[int, int]]:
        """Compares one node; each action of ours with theirs."""
        self.nodes += 1
        who = a.current_player()
        assert who == b.current_player(), (who, b.current_player(), str(b))
        if a.is_terminal():
            self.ends += 1
            wrong = [0.0] * self.pair.players if self.pair.wrong is None else self.pair.wrong(a)
            expected = [value + more for value, more in zip(a.returns(), wrong, strict=True)]
            apart = [abs(x - y) for x, y in zip(expected, b.returns(), strict=True)]
            assert max(apart) < EXACT, (expected, b.returns(), str(b))
            return []
        mine = {self.pair.label(who, a.action_to_string(who, x)): x for x in a.legal_actions()}
        yours = {b.action_to_string(who, x): x for x in b.legal_actions()}
        assert (len(mine), len(yours)) == (len(a.legal_actions()), len(b.legal_actions())), "labels are not alike"
        assert set(mine) == set(yours), (sorted(set(mine) ^ set(yours)), str(b))
        if a.is_chance_node():
            weights, others = dict(a.chance_outcomes()), dict(b.chance_outcomes())
            assert max(abs(weights[mine[k]] - others[yours[k]]) for k in mine) < EXACT, (weights, others, str(b))
        elif self.pair.known:
            one, other = a.information_state_string(who), b.information_state_string(who)
            if self.theirs.setdefault((who, one), other) != other or self.ours.setdefault((who, other), one) != one:
                self.differ.append((who, one, other))
        return [(mine[k], yours[k]) for k in mine]

    def tree(self, a: State, b: Any, deep: int = -1) -> None:
        """All below a node, so many steps deep, or to the end."""
        pairs = self.at(a, b)
        for x, y in pairs if deep else ():
            a.apply_action(x)
            self.tree(a, b.child(y), deep - 1)
            a.undo_action()

    def game(self, a: State, b: Any, source: random.Random) -> Iterator[None]:
        """One random game; before each step the caller may look."""
        while pairs := self.at(a, b):
            yield
            x, y = source.choice(pairs)
            a.apply_action(x)
            b.apply_action(y)


def _goofspiel(players: int, cards: int, prizes: str, counts: str = "win") -> Pair:
    kinds = {"win": "win_loss", "margin": "point_difference", "total": "total_points"}
    theirs = (
        f"goofspiel(imp_info=True,players={players},num_cards={cards},points_order={prizes},"
        f"returns_type={kinds[counts]})"
    )
    options = {"cards": cards, "prizes": prizes, "counts": counts}
    return Pair("goofspiel", theirs, players, goofspiel, options, together=True)


def _auction(players: int, most: int) -> Pair:
    theirs = f"first_sealed_auction(players={players},max_value={most})"
    return Pair("first_sealed_auction", theirs, players, first_sealed_auction, {"most": most})


def _oh_hell(players: int, suits: int, ranks: int, hands: int = -1, penalty: bool = False, per_trick: int = 1) -> Pair:
    theirs = (
        f"oh_hell(players={players},num_suits={suits},num_cards_per_suit={ranks},num_tricks_fixed={hands},"
        f"off_bid_penalty={penalty},points_per_trick={per_trick})"
    )
    options = {
        "suits": suits, "ranks": ranks, "hands": "random" if hands < 0 else hands, "penalty": penalty,
        "per_trick": per_trick,
    }  # fmt: skip
    return Pair("oh_hell", theirs, players, oh_hell, options)


def _crazy_eights(players: int, draws: int = 5, plays: int = 100) -> Pair:
    theirs = f"crazy_eights(players={players},max_draw_cards={draws},max_turns={plays})"
    options = {"draws": draws, "plays": plays}
    return Pair("crazy_eights", theirs, players, crazy_eights, options, known=False, wrong=numbers_for_ranks)


TWO_TRICKS = _oh_hell(3, 1, 7, 2)
PIG = Pair("pig", "pig(winscore=100)", 2, pig, known=False)
QUICK_PIG = Pair("pig", "pig(winscore=20)", 2, pig, {"goal": 20}, known=False)
PHANTOM = Pair("phantom_ttt", "phantom_ttt(obstype=reveal-numturns)", 2, phantom_ttt)
TREES = (
    *(_goofspiel(2, 3, prizes, counts) for prizes in ("random", "descending", "ascending") for counts in
      ("win", "margin", "total")),
    _goofspiel(2, 2, "random"), _goofspiel(2, 4, "descending"), _goofspiel(2, 4, "ascending"),
    _goofspiel(3, 3, "random"), _goofspiel(3, 3, "descending", "margin"), _goofspiel(4, 3, "descending"),
    _auction(2, 1), _auction(2, 4), _auction(3, 3), _auction(4, 2),
    _oh_hell(3, 2, 2), _oh_hell(3, 1, 5, penalty=True, per_trick=3), _oh_hell(3, 2, 2, 1),
)  # fmt: skip
LARGER = (
    _goofspiel(2, 4, "random"), _goofspiel(2, 5, "descending"), _goofspiel(3, 4, "ascending"), _auction(2, 10),
    _auction(3, 6), _oh_hell(3, 2, 3, 1), _oh_hell(3, 1, 6), _oh_hell(4, 1, 5),
)  # fmt: skip
GAMES = (
    *(_goofspiel(2, 13, prizes) for prizes in ("random", "descending", "ascending")), _goofspiel(7, 13, "random"),
    _goofspiel(5, 6, "random", "margin"), PHANTOM, _auction(2, 20), _auction(10, 20), _oh_hell(3, 4, 13),
    _oh_hell(7, 3, 13, penalty=True, per_trick=2), _oh_hell(5, 4, 13, 10), _oh_hell(3, 4, 13, 17), _crazy_eights(2),
    _crazy_eights(3, draws=1), _crazy_eights(4, plays=20), _crazy_eights(5), PIG, QUICK_PIG,
)  # fmt: skip
