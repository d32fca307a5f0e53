"""Games written by hand in Python, to be quick: the interface of our positions, and no more."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from aeronef.runtime.rng import Rng

CHANCE, TERMINAL = -1, -4
Outcomes = list[tuple[int, int]]


class Position(Protocol):
    """What ours have too."""

    actor: int

    def legal(self) -> list[int]: ...
    def outcomes(self) -> Outcomes: ...
    def apply(self, action: int) -> None: ...


class Game(Position, Protocol):
    def returns(self) -> tuple[int, int]: ...


LINES = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]
LINES_OF = [[line for line in LINES if line >> cell & 1] for cell in range(9)]


class TicTacToe:
    __slots__ = ("actor", "empty", "marks", "won")

    def __init__(self) -> None:
        self.actor = 0
        self.empty = list(range(9))
        self.marks = [0, 0]
        self.won = 0

    def legal(self) -> list[int]:
        return self.empty[:]

    def outcomes(self) -> Outcomes:
        return []

    def apply(self, action: int) -> None:
        me = self.actor
        self.empty.remove(action)
        marks = self.marks[me] = self.marks[me] | 1 << action
        for line in LINES_OF[action]:
            if marks & line == line:
                self.won = -1 if me else 1
                self.actor = TERMINAL
                return
        self.actor = 1 - me if self.empty else TERMINAL

    def returns(self) -> tuple[int, int]:
        return self.won, -self.won


FOLD, CALL, RAISE = range(3)


class Leduc:
    """Card // 2 is the rank."""

    __slots__ = ("actor", "board", "deck", "folded", "hand", "me", "paid", "raises", "to_come")

    def __init__(self) -> None:
        self.actor = CHANCE
        self.me = 0
        self.deck = list(range(6))
        self.hand: list[int] = []
        self.board: int | None = None
        self.paid = [1, 1]
        self.folded: int | None = None
        self.raises = self.to_come = 0

    def legal(self) -> list[int]:
        me = self.me
        actions = [FOLD, CALL] if self.paid[me] < self.paid[1 - me] else [CALL]
        if self.raises < 2:
            actions.append(RAISE)
        return actions

    def outcomes(self) -> Outcomes:
        return [(card, 1) for card in self.deck]

    def apply(self, action: int) -> None:
        if self.actor == CHANCE:
            self.deck.remove(action)
            if len(self.hand) < 2:
                self.hand.append(action)
            else:
                self.board = action
            if len(self.hand) == 2:
                self.raises, self.to_come, self.me, self.actor = 0, 2, 0, 0
            return
        me = self.me
        self.to_come -= 1
        if action == FOLD:
            self.folded = me
            self.actor = TERMINAL
            return
        paid = self.paid
        paid[me] = max(paid)
        if action == RAISE:
            paid[me] += 2 if self.board is None else 4
            self.raises += 1
            self.to_come = 1
        if self.to_come:
            self.me = self.actor = 1 - me
        else:
            self.actor = CHANCE if self.board is None else TERMINAL

    def returns(self) -> tuple[int, int]:
        if self.folded is not None:
            won = -self.paid[0] if self.folded == 0 else self.paid[1]
        else:
            assert self.board is not None
            mine, other = (card // 2 + (6 if card // 2 == self.board // 2 else 0) for card in self.hand)
            won = self.paid[1] if mine > other else -self.paid[0] if mine < other else 0
        return won, -won


class Goofspiel:
    """13 cards, the prizes at random; nobody chooses the last card, nor the last prize. Card c is worth c + 1."""

    __slots__ = ("actor", "bid", "hands", "points", "prize", "stack")

    def __init__(self) -> None:
        self.actor = CHANCE
        self.stack = list(range(13))
        self.hands = [list(range(13)), list(range(13))]
        self.bid = self.prize = 0
        self.points = [0, 0]

    def legal(self) -> list[int]:
        return self.hands[self.actor][:]

    def outcomes(self) -> Outcomes:
        return [(card, 1) for card in self.stack]

    def apply(self, action: int) -> None:
        if self.actor == CHANCE:
            self.stack.remove(action)
            self.prize = action + 1
            self.actor = 0
            return
        self.hands[self.actor].remove(action)
        if self.actor == 0:
            self.bid = action
            self.actor = 1
            return
        self.actor = CHANCE
        self.award(self.bid, action)
        if len(self.stack) == 1:
            self.prize = self.stack[0] + 1
            self.last()

    def last(self) -> None:
        self.award(self.hands[0][0], self.hands[1][0])
        self.actor = TERMINAL

    def award(self, mine: int, other: int) -> None:
        if mine != other:
            self.points[other > mine] += self.prize

    def returns(self) -> tuple[int, int]:
        mine, other = self.points
        won = (mine > other) - (mine < other)
        return won, -won


class DescendingGoofspiel(Goofspiel):
    """The same, with the prizes from the highest down."""

    __slots__ = ()

    def __init__(self) -> None:
        self.actor = 0
        self.hands = [list(range(13)), list(range(13))]
        self.bid = 0
        self.points = [0, 0]
        self.prize = 13

    def apply(self, action: int) -> None:
        self.hands[self.actor].remove(action)
        if self.actor == 0:
            self.bid = action
            self.actor = 1
            return
        self.actor = 0
        self.award(self.bid, action)
        self.prize -= 1
        if self.prize == 1:
            self.last()


GAMES: dict[str, Callable[[], Game]] = {
    "tic_tac_toe": TicTacToe, "leduc_poker": Leduc, "goofspiel": Goofspiel, "goofspiel_descending": DescendingGoofspiel,
}  # fmt: skip
Ended = tuple[tuple[int, int], int]  # what the players get, and the steps


def play(position: Position, below: Callable[[int], int]) -> int:
    """Random steps to the end; gives their number. `below(n)` is a random number from 0 to n - 1."""
    steps = 0
    while position.actor != TERMINAL:
        if position.actor == CHANCE:
            outcomes = position.outcomes()
            point = below(sum([weight for _, weight in outcomes]))
            for outcome, weight in outcomes:  # noqa: B007
                point -= weight
                if point < 0:
                    break
            position.apply(outcome)
        else:
            legal = position.legal()
            position.apply(legal[below(len(legal))])
        steps += 1
    return steps


def playouts(name: str, n: int, seed: int = 0, first: int = 0) -> list[Ended]:
    """Games first … first + n - 1 of a seed: the games that our playouts play."""
    return [ended(GAMES[name](), Rng.stream(seed, first + k).below) for k in range(n)]


def other_playouts(name: str, n: int) -> list[Ended]:
    """n games with random numbers that Python makes in C."""
    below = quick_below()
    return [ended(GAMES[name](), below) for _ in range(n)]


def ended(position: Game, below: Callable[[int], int]) -> Ended:
    steps = play(position, below)
    return position.returns(), steps


def quick_below() -> Callable[[int], int]:
    """As Rng.below, with Python's own generator."""
    draw = Random(1).random
    return lambda many: int(draw() * many)
