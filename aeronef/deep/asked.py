"""The questions of `check --deep` as a game designer asks them, and their answers in words.

A question that is not in the table is shown by its own name: a page never leaves an answer out.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """`title` is the question, `explains` says in one sentence what is meant; then what each answer says of the
    rules."""

    title: str
    explains: str
    found: str
    proved: str
    unseen: str


ASKED = {
    "rules": Asked(
        "Do the rules break?",
        "Whether a play that the rules allow comes to something that cannot be: a number out of its range, a card that "
        "is not where it is taken from, a promise of the rules that does not hold.",
        "yes", "never", "no such play was met",
    ),
    "dead ends": Asked(
        "Are there dead ends?",
        "Whether somebody has to act, can do nothing at all, and the game is not over.",
        "yes", "none", "none was met",
    ),
    "endings": Asked(
        "Does every game end?",
        "Whether play can go round and round: because nothing leads out, or because the players want it so.",
        "not every game", "always", "no endless play was met",
    ),
    "ties": Asked(
        "Are there ties?",
        "Whether a game can end with several players first, and nothing that tells them apart.",
        "yes", "never", "none was met",
    ),
    "secrets": Asked(
        "Do secrets get out?",
        "Whether somebody can tell, from what it may see and do, what the rules keep hidden from it.",
        "yes", "never", "none was met that does",
    ),
    "seats": Asked(
        "Are the seats alike?",
        "Whether the same play comes to the same end whoever sits where, or the number of a seat settles something.",
        "no", "yes", "no difference was met",
    ),
    "use": Asked(
        "Is every rule of use?",
        "Whether each rule is applied at some time, each value changes, each thing that is shown reaches somebody.",
        "not every rule", "every rule", "nothing idle was met",
    ),
}  # fmt: skip


def asked(question: str) -> Asked:
    """How a question is put. One that is not in the table has its own name for a title."""
    title = question[:1].upper() + question[1:]
    return ASKED.get(question) or Asked(title, "", "something", "nothing can be", "nothing was met")
