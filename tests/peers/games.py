"""Which of our games is which of OpenSpiel's, and how our actions are called there.

One entry is one row of docs/peers.md; `table.py` works it out.
"""

from __future__ import annotations

from typing import Any

from aeronef.runtime.state import State
from tests.peers.compare import Match

RANKS = "23456789TJQKA"
SUITS = ("clubs", "diamonds", "hearts", "spades")  # of Crazy Eights, in the order of OpenSpiel's numbers


def values(label: str) -> list[str]:
    """What stands in the brackets of one of our labels."""
    inside = label.partition("(")[2].removesuffix(")")
    return inside.split(", ") if inside else []


# ------------------------------------------------------------------------------------------ poker


def kuhn_action(player: int, label: str) -> str:
    return {"pass()": "Pass", "bet()": "Bet"}[label]


def kuhn_deal(label: str) -> str:
    _, card = values(label)
    return f"Deal:{card}"


def leduc_action(player: int, label: str) -> str:
    return {"fold()": "Fold", "call()": "Call", "raise()": "Raise"}[label]


def leduc_card(label: str) -> str:
    rank, suit = values(label)[-1].split()
    return f"Chance outcome:{2 * (int(rank) - 1) + ['hearts', 'spades'].index(suit)}"


# ------------------------------------------------------------------------------------------ boards and dice


def mark(player: int, label: str) -> str:
    row, column = (int(value) - 1 for value in values(label))
    return f"{'xo'[player]}({row},{column})"


def liars_bid(player: int, label: str) -> str:
    return "Liar" if label == "doubt()" else "-".join(values(label))


def liars_roll(label: str) -> str:
    return f"Roll {values(label)[1]}"


# ------------------------------------------------------------------------------------------ choices together


def goofspiel_bid(player: int, label: str) -> str:
    return f"[P{player}]Bid: {values(label)[0]}"


def goofspiel_prize(label: str) -> str:
    return f"Deal {values(label)[0]}"


def auction_bid(player: int, label: str) -> str:
    return f"Player {player} bid: {values(label)[0]}"


def auction_chance(label: str) -> str:
    if label.startswith("sell"):
        return f"Chose winner {values(label)[0]}"
    seat, worth = values(label)
    return f"Player {seat} value: {worth}"


# ------------------------------------------------------------------------------------------ cards


def card(text: str) -> str:
    suit, rank = text.split()
    return suit[0].upper() + RANKS[int(rank) - 2]


def oh_hell_chance(label: str) -> str:
    """A card, a number of tricks, or who deals."""
    value = values(label)[-1]
    return card(value) if " " in value else value


def oh_hell_action(player: int, label: str) -> str:
    return oh_hell_chance(label)


def eights_action(player: int, label: str) -> str:
    match label.partition("(")[0], values(label):
        case "play", [played]:
            return f"Play {card(played)}"
        case "name", [suit]:
            return f"Nominate suit {suit[0].upper()}"
        case name, _:
            return name.capitalize()


def eights_chance(label: str) -> str:
    value = values(label)[-1]
    return f"Decide Player {value} to be the dealer" if label.startswith("dealer") else f"Deal {card(value)}"


def numbers_for_ranks(end: State) -> list[float]:
    """What OpenSpiel's Crazy Eights takes beyond the rules for the cards that are left: of those from 2 to 10 it counts
    the card's number in its deck and 2, where the rules count the rank."""
    wrong = []
    for hand in end.to_dict()["zones"]["hand"]:
        cards = [(SUITS.index(suit), int(rank)) for suit, rank in map(str.split, hand)]
        wrong.append(float(-sum(4 * (rank - 2) + suit + 2 - rank for suit, rank in cards if rank <= 10 and rank != 8)))
    return wrong


# ------------------------------------------------------------------------------------------ the matches


def goofspiel(players: int, cards: int, prizes: str, counts: str = "win", **more: Any) -> Match:
    kinds = {"win": "win_loss", "margin": "point_difference", "total": "total_points"}
    peer = (
        f"goofspiel(imp_info=True,players={players},num_cards={cards},points_order={prizes},"
        f"returns_type={kinds[counts]})"
    )
    options = {"cards": cards, "prizes": prizes, "counts": counts}
    return Match(
        "goofspiel", peer, goofspiel_bid, goofspiel_prize, players=players, options=options,
        **{"resamples": False, "watched": "everybody", **more},
    )  # fmt: skip


def auction(players: int, most: int, **more: Any) -> Match:
    peer = f"first_sealed_auction(players={players},max_value={most})"
    options = {"most": most}
    return Match(
        "first_sealed_auction", peer, auction_bid, auction_chance, players=players, options=options,
        resamples=False, sample=200, **more,
    )  # fmt: skip


def oh_hell(
    players: int, suits: int, ranks: int, hands: int = -1, penalty: bool = False, per_trick: int = 1, **more: Any
) -> Match:
    peer = (
        f"oh_hell(players={players},num_suits={suits},num_cards_per_suit={ranks},num_tricks_fixed={hands},"
        f"off_bid_penalty={penalty},points_per_trick={per_trick})"
    )
    options = {
        "suits": suits, "ranks": ranks, "hands": "random" if hands < 0 else hands, "penalty": penalty,
        "per_trick": per_trick,
    }  # fmt: skip
    return Match(
        "oh_hell", peer, oh_hell_action, oh_hell_chance, players=players, options=options,
        **{"resamples": False, "watched": "everybody", **more},
    )  # fmt: skip


def crazy_eights(players: int, draws: int = 5, plays: int = 100) -> Match:
    return Match(
        "crazy_eights", f"crazy_eights(players={players},max_draw_cards={draws},max_turns={plays})",
        eights_action, eights_chance, numbers_for_ranks, players=players, options={"draws": draws, "plays": plays},
        whole=False, watched="nobody",
    )  # fmt: skip


def pig(goal: int) -> Match:
    there = {"roll()": "roll", "hold()": "stop"}
    return Match(
        "pig", f"pig(winscore={goal})", lambda player, label: there[label], lambda label: f"Roll {values(label)[0]}",
        options={"goal": goal}, whole=False, watched="nobody",
    )  # fmt: skip


DICE = {  # how many each has and how many sides they have: whether the tree is compared whole, and in every run
    (1, 2): (True, True), (1, 3): (True, True), (2, 2): (True, True), (1, 6): (True, False), (2, 3): (True, False),
    (3, 2): (True, False), (2, 6): (False, True), (5, 6): (False, True),
}  # fmt: skip
WIDE: Any = {"whole": False, "watched": "actor"}
LONG: Any = {**WIDE, "sample": 4}
BIDDING = {"reset_face": "reset-face", "reset_number": "reset-quantity"}

PHANTOM = Match("phantom_ttt", "phantom_ttt(obstype=reveal-numturns)", mark, whole=False, resamples=False)
MATCHES = [
    Match("kuhn_poker", "kuhn_poker", kuhn_action, kuhn_deal, players=2, watched="everybody"),
    Match("kuhn_poker", "kuhn_poker(players=3)", kuhn_action, kuhn_deal, players=3, watched="everybody"),
    Match("kuhn_poker", "kuhn_poker(players=4)", kuhn_action, kuhn_deal, players=4, watched="everybody"),
    Match("leduc_poker", "leduc_poker", leduc_action, leduc_card, players=2, watched="everybody"),
    Match("leduc_poker", "leduc_poker(players=3)", leduc_action, leduc_card, players=3, quick=False),
    Match("tic_tac_toe", "tic_tac_toe", mark, quick=False, watched="everybody"),
    *(
        Match(
            "liars_dice", f"liars_dice(numdice={dice},dice_sides={sides},bidding_rule={theirs})", liars_bid, liars_roll,
            options={"dice": dice, "sides": sides, "bidding": ours}, whole=whole, quick=quick, resamples=False,
            watched="everybody",
        )
        for (dice, sides), (whole, quick) in DICE.items()
        for ours, theirs in BIDDING.items()
    ),
    *(goofspiel(2, 3, prizes, counts) for prizes in ("random", "descending", "ascending") for counts in
      ("win", "margin", "total")),
    goofspiel(2, 2, "random"), goofspiel(2, 4, "descending"), goofspiel(2, 4, "ascending"), goofspiel(3, 3, "random"),
    goofspiel(3, 3, "descending", "margin"), goofspiel(4, 3, "descending"),
    goofspiel(2, 4, "random", quick=False), goofspiel(2, 5, "descending", quick=False),
    goofspiel(3, 4, "ascending", quick=False),
    *(goofspiel(2, 13, prizes, **LONG) for prizes in ("random", "descending", "ascending")),
    goofspiel(7, 13, "random", **LONG), goofspiel(5, 6, "random", "margin", **WIDE),
    PHANTOM,
    auction(2, 1), auction(2, 4), auction(3, 3), auction(4, 2),
    auction(2, 10, quick=False), auction(3, 6, quick=False), auction(2, 20, whole=False), auction(10, 20, whole=False),
    oh_hell(3, 2, 2), oh_hell(3, 1, 5, penalty=True, per_trick=3), oh_hell(3, 2, 2, 1),
    oh_hell(3, 2, 3, 1, quick=False), oh_hell(3, 1, 6, quick=False), oh_hell(4, 1, 5, quick=False),
    oh_hell(3, 4, 13, **LONG), oh_hell(7, 3, 13, penalty=True, per_trick=2, **LONG),
    oh_hell(5, 4, 13, 10, **LONG), oh_hell(3, 4, 13, 17, **LONG),
    crazy_eights(2), crazy_eights(3, draws=1), crazy_eights(4, plays=20), crazy_eights(5),
    pig(100), pig(20),
]  # fmt: skip
