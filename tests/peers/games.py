"""Which of our games is which of OpenSpiel's, and how our actions are called there.

One entry is one row of docs/peers.md; `table.py` works it out.
"""

from __future__ import annotations

from tests.peers.compare import Match


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


DICE = {  # how many each has and how many sides they have: whether the tree is compared whole, and in every run
    (1, 2): (True, True), (1, 3): (True, True), (2, 2): (True, True), (1, 6): (True, False), (2, 3): (True, False),
    (3, 2): (True, False), (2, 6): (False, True), (5, 6): (False, True),
}  # fmt: skip
BIDDING = {"reset_face": "reset-face", "reset_number": "reset-quantity"}

MATCHES = [
    Match("kuhn_poker", "kuhn_poker", kuhn_action, kuhn_deal, players=2, watched="everybody"),
    Match("kuhn_poker", "kuhn_poker(players=3)", kuhn_action, kuhn_deal, players=3, watched="everybody"),
    Match("kuhn_poker", "kuhn_poker(players=4)", kuhn_action, kuhn_deal, players=4, watched="everybody"),
    Match("leduc_poker", "leduc_poker", leduc_action, leduc_card, players=2, watched="everybody"),
    Match("leduc_poker", "leduc_poker(players=3)", leduc_action, leduc_card, players=3, unit=6, quick=False),
    Match("tic_tac_toe", "tic_tac_toe", mark, quick=False, watched="everybody"),
    *(
        Match(
            "liars_dice", f"liars_dice(numdice={dice},dice_sides={sides},bidding_rule={theirs})", liars_bid, liars_roll,
            options={"dice": dice, "sides": sides, "bidding": ours}, whole=whole, quick=quick, resamples=False,
        )
        for (dice, sides), (whole, quick) in DICE.items()
        for ours, theirs in BIDDING.items()
    ),
]  # fmt: skip
