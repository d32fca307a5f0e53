"""balloon: Balloons are built in secret and boarded by turns; overloaded ones and stragglers cost stars. Compiled from
balloon.yaml: edit that, never this.
"""

from __future__ import annotations

from typing import Any, Self

from aeronef.runtime.description import (
    BOOL,
    COUNT,
    SEAT,
    Accept,
    Action,
    Cards,
    Int,
    Maybe,
    Measure,
    Moment,
    Option,
    Phase,
    SetOf,
    Several,
    Variable,
    Variant,
    Words,
    Zone,
    attribute,
)
from aeronef.runtime.kernel import CHANCE, NOBODY, Owned, held, last_of, otherwise, pour, put, subsets
from aeronef.runtime.kernel import Position as Kernel

SQUARE, ROUND, SNOWY, BARE = range(4)
Shape = Words(
    "Shape",
    ("square", "round", "snowy", "bare"),
    {2: lambda options: options["advanced"], 3: lambda options: options["advanced"]},
)

RECALL_SQUARE, RECALL_ROUND, RAISE_SNOWY, RAISE_BARE, DOUBLE, SPY = EVERY_POWER = range(6)
Power = Words("Power", ("recall_square", "recall_round", "raise_snowy", "raise_bare", "double", "spy"))

NORMAL, ADVANCED = range(2)
Mode = Words("mode", ("normal", "advanced"))

CHOOSE, RANDOM = range(2)
First_card = Words("first_card", ("choose", "random"))

EXHAUSTED, LITERAL = range(2)
Takeoff_rule = Words("takeoff_rule", ("exhausted", "literal"))

# B1: label, copies, shape, number
CARD_TABLE = (
    ("0 square", 1, SQUARE, 0),
    ("1 square", 1, SQUARE, 1),
    ("2 square", 1, SQUARE, 2),
    ("3 square", 1, SQUARE, 3),
    ("4 square", 1, SQUARE, 4),
    ("0 round", 1, ROUND, 0),
    ("1 round", 1, ROUND, 1),
    ("2 round", 1, ROUND, 2),
    ("3 round", 1, ROUND, 3),
    ("4 round", 1, ROUND, 4),
    ("5", 1, None, 5),
    ("? square", 1, SQUARE, None),
    ("? round", 1, ROUND, None),
)
Card = Cards(
    "Card",
    tuple([row[0] for row in CARD_TABLE]),
    tuple([row[1] for row in CARD_TABLE]),
    {11: lambda options: options["advanced"], 12: lambda options: options["advanced"]},
)
SHAPE_OF = attribute([row[2] for row in CARD_TABLE])
NUMBER_OF = attribute([row[3] for row in CARD_TABLE])

# BF1: for each 2..6: set of -5..5
NUMBER_SEEN: tuple[tuple[int, ...], ...] = ((), (1,), (-1, 1), (-1, 1), (-1, 1, 2))

# BF1: for each 2..6: set of -5..5
SHAPE_SEEN: tuple[tuple[int, ...], ...] = ((), (-1,), (-2, -1), (-3, -2, -1), (-3, -2, -1))

# BF2: for each Card: Shape
SNOW: tuple[int, ...] = (SNOWY, BARE, SNOWY, BARE, SNOWY, SNOWY, BARE, SNOWY, BARE, SNOWY, BARE, SNOWY, BARE)

(
    PHASE_DRAW_FIRST,
    PHASE_BUILD,
    PHASE_BOARDING,
    PHASE_TAKEOFF,
    PHASE_PAY,
    PHASE_CLEAR,
    PHASE_KEEP,
    PHASE_DEAL,
    PHASE_DOUBLE,
    PHASE_PICK_POWER,
    PHASE_END,
    PHASE_BACK,
) = range(12)


class Position(Kernel):
    """Where a game of balloon stands, and its rules, phase by phase."""

    __slots__ = (
        "aboard",
        "bare_up",
        "construction",
        "discard",
        "excused",
        "fallen",
        "first",
        "hand",
        "hint_number",
        "hint_shape",
        "joker_round",
        "joker_square",
        "owed",
        "power",
        "reserve",
        "revealed",
        "round",
        "shape_shower",
        "snowy_up",
        "spying",
    )

    enough = 3  # B3.2.0
    at_once = 3  # B3.2.B
    numbers = (1, 2, 4, 5)  # B4.2

    option_first: int | Any  # B2.6
    mode: int  # B4
    first_card: int  # B2.4
    takeoff_rule: int  # B3.2.0, B-a
    powers: bool  # Everybody has chosen a power. (B4.3)
    advanced: bool  # Snowy and bare balloons, and cards whose number is chosen. (B4)
    every_card: list[int]
    every_shape: list[int]
    hand: list[list[int]]  # each seat: cards (B1)
    reserve: list[list[int]]  # each seat: cards (B2.1, B-g)
    construction: list[int | Any]  # each seat: one card (B3.1.1, B3.3.1)
    aboard: list[list[Owned]]  # each Shape: cards with their owners (B3.2.A)
    discard: list[list[int]]  # each seat: cards (B3.2.B)
    first: int | Any  # seat? (B2.6, B3.3.6)
    shape_shower: int | Any  # seat? (B2.7, B3.1.2, B3.3.7)
    round: int  # count (B3.3.6, B-i, B-j)
    revealed: bool  # bool (B3.3.1)
    # The places that were built.
    hint_number: list[int | Any]  # each seat: 0..5? (B3.1.3, BF1, B2.7, B3.1.2, B3.3.7, B3.3.1, BF3)
    hint_shape: list[int | Any]  # each seat: Shape? (B3.1.3, BF1, B2.7, B3.1.2, B3.3.7, B3.3.1, BF3)
    # Counts as having discarded enough.
    excused: list[bool]  # each seat: bool (B-a, B-j)
    # Losses of this takeoff that are still to be taken.
    owed: list[int]  # each seat: 0..5 (B3.3.4, B4.8, B-h)
    # The star counter is turned over.
    fallen: list[bool]  # each seat: bool (B3.3.5)
    power: list[int | Any]  # each seat: Power? (B4.3, BF3)
    # Whose hints it looks at.
    spying: list[tuple[int, ...]]  # each seat: set of seat (BF3)
    snowy_up: bool  # bool (B4.7)
    bare_up: bool  # bool (B4.7)
    # The passengers of its ? square card.
    joker_square: list[int | Any]  # each seat: 1..5? (B4.2)
    # The passengers of its ? round card.
    joker_round: list[int | Any]  # each seat: 1..5? (B4.2)
    id_build: int  # 0
    id_build_joker: int
    id_board: int
    id_propose: int
    index_propose_cs: dict[tuple[int, ...], int]
    id_recall: int
    id_double: int
    id_spy: int
    id_board_joker: int
    id_raise: int
    id_take: int
    id_keep: int
    id_pick: int
    id_first: int  # 0
    id_keep_: int

    def start(self) -> None:
        self.hand = [
            sorted(
                [
                    c
                    for c in self.every_card
                    if NUMBER_OF[c] is not None and 1 <= NUMBER_OF[c] <= 4
                    for _ in range(Card.copies[c])
                ]
            )
            for _ in self.seats
        ]
        self.reserve = [
            sorted(
                [
                    c
                    for c in self.every_card
                    if NUMBER_OF[c] is None or NUMBER_OF[c] == 0 or NUMBER_OF[c] == 5
                    for _ in range(Card.copies[c])
                ]
            )
            for _ in self.seats
        ]
        self.construction = [None for _ in self.seats]
        self.aboard = [[] for _ in range(4)]
        self.discard = [[] for _ in self.seats]
        self.first = self.option_first
        self.shape_shower = self.option_first if len(self.players) == 2 else None
        self.round = 1
        self.revealed = False
        self.hint_number = [None for _ in self.seats]
        self.hint_shape = [None for _ in self.seats]
        self.excused = [False for _ in self.seats]
        self.owed = [0 for _ in self.seats]
        self.fallen = [False for _ in self.seats]
        self.power = [None for _ in self.seats]
        self.spying = [() for _ in self.seats]
        self.snowy_up = False
        self.bare_up = False
        self.joker_square = [None for _ in self.seats]
        self.joker_round = [None for _ in self.seats]

    def copy(self) -> Self:
        new = Kernel.copy(self)
        new.hand = [part[:] for part in self.hand]
        new.reserve = [part[:] for part in self.reserve]
        new.construction = self.construction[:]
        new.aboard = [part[:] for part in self.aboard]
        new.discard = [part[:] for part in self.discard]
        new.first = self.first
        new.shape_shower = self.shape_shower
        new.round = self.round
        new.revealed = self.revealed
        new.hint_number = self.hint_number[:]
        new.hint_shape = self.hint_shape[:]
        new.excused = self.excused[:]
        new.owed = self.owed[:]
        new.fallen = self.fallen[:]
        new.power = self.power[:]
        new.spying = self.spying[:]
        new.snowy_up = self.snowy_up
        new.bare_up = self.bare_up
        new.joker_square = self.joker_square[:]
        new.joker_round = self.joker_round[:]
        return new

    # ------------------------------------------------------------------------------------ what is computed

    def number_shown(self, v: int, p: int) -> bool:
        # B3.1.3, BF1, B2.7, B3.1.2, B3.3.7
        for k in NUMBER_SEEN[len(self.players) - 2]:
            if p == self.left(v, k):
                return True
        return self.shape_shower is not None and p != self.shape_shower

    def shape_shown(self, v: int, p: int) -> bool:
        # B3.1.3, BF1, B2.7, B3.1.2, B3.3.7
        for k in SHAPE_SEEN[len(self.players) - 2]:
            if p == self.left(v, k):
                return True
        return p == self.shape_shower

    def shapes(self, c: int) -> tuple[int, ...]:
        # B3.1.1
        if self.advanced:
            return tuple(
                [s for s in self.every_shape if s in (SQUARE, ROUND) and (SHAPE_OF[c] is None or s == SHAPE_OF[c])]
            )
        return tuple([s for s in self.every_shape if SHAPE_OF[c] is None or s == SHAPE_OF[c]])

    def boards(self, c: int) -> tuple[int, ...]:
        # B3.2.A, B4.4, B4.7
        if self.advanced:
            shapes = self.shapes(c)
            return tuple([b for b in self.every_shape if b in shapes or (self.up(b) and b == SNOW[c])])
        return self.shapes(c)

    def ready(self, p: int) -> bool:
        # B3.2.0, B-a, B-j
        return len(self.discard[p]) >= self.enough or self.excused[p]

    def places(self, b: int) -> int:
        # B3.3.2, B-b, B4.4
        if self.advanced:
            return sum(
                [
                    self.hint_number[p] or 0
                    for p in self.players
                    if self.hint_shape[p] == b or (self.construction[p] is not None and SNOW[self.construction[p]] == b)
                ]
            )
        return sum([self.hint_number[p] or 0 for p in self.players if self.hint_shape[p] == b])

    def passengers(self, p: int, b: int) -> int:
        # B3.2.A, B4.2
        if self.advanced:
            return sum(
                [otherwise(NUMBER_OF[g.card], self.joker(p, g.card) or 0) for g in self.aboard[b] if g.owner == p]
            )
        return sum([NUMBER_OF[g.card] or 0 for g in self.aboard[b] if g.owner == p])

    def overloaded(self, b: int) -> bool:
        # B3.3.2, B-b
        return sum([self.passengers(p, b) for p in self.players]) > self.places(b)

    def answers(self, p: int, b: int) -> bool:
        # B3.3.2, B-b: Who boarded the last group of what is overloaded answers for it.
        return self.overloaded(b) and last_of(self.aboard[b]) is not None and last_of(self.aboard[b]).owner == p

    def groups(self, p: int, b: int) -> int:
        # B3.3.3, B4.8, B-b, B-c, B-d
        return len([g for g in self.aboard[b] if g.owner == p])

    def groups_sent(self, p: int) -> int:
        # B3.3.3, B4.8, B-b, B-c, B-d
        return sum([self.groups(p, b) for b in self.every_shape if not self.overloaded(b)])

    def sent(self, p: int) -> int:
        # B3.3.3, B4.8, B-b, B-c, B-d
        return sum([self.passengers(p, b) for b in self.every_shape if not self.overloaded(b)])

    def boarded(self, p: int) -> int:
        # B3.3.5, B-f, B-j
        return sum([self.passengers(p, b) for b in self.every_shape])

    def cannot_pay(self, p: int) -> bool:
        # B3.3.5, B-e
        return self.owed[p] > len(self.reserve[p])

    def each_has(self) -> int:
        # B1
        if self.advanced:
            return 13
        return 11

    def stars(self, p: int) -> int:
        # B3.3.5, B-e
        return max(len(self.reserve[p]) - self.owed[p], 0)

    def lies_on(self, p: int, c: int, b: int) -> bool:
        # B4.3, BF3
        for g in self.aboard[b]:
            if g.owner == p and g.card == c:
                return True
        return False

    def recalls(self, p: int, c: int) -> bool:
        # B4.5, BF3: A card without a shape has that of the balloon that it is aboard.
        return (
            self.power[p] == RECALL_SQUARE
            and (SHAPE_OF[c] == SQUARE or (SHAPE_OF[c] is None and self.lies_on(p, c, SQUARE)))
        ) or (
            self.power[p] == RECALL_ROUND
            and (SHAPE_OF[c] == ROUND or (SHAPE_OF[c] is None and self.lies_on(p, c, ROUND)))
        )

    def up(self, b: int) -> bool:
        # B4.7
        return (b == SNOWY and self.snowy_up) or (b == BARE and self.bare_up)

    def joker(self, p: int, c: int) -> int | Any:
        # B4.2
        return self.joker_square[p] if SHAPE_OF[c] == SQUARE else self.joker_round[p]

    # --------------------------------------------------------------------------------------- who sees what

    def everyone(self, viewer: int, owner: int | None = None) -> bool:
        """Everyone sees aboard, discard, first, shape_shower, round, revealed, excused, owed, fallen, power, spying,
        snowy_up, bare_up, joker_square, joker_round.
        """
        return True

    def sees_hand(self, viewer: int, owner: int) -> bool:
        # B1
        return viewer == owner

    def sees_reserve(self, viewer: int, owner: int) -> bool:
        # B2.1, B-g
        return viewer == owner

    def sees_construction(self, viewer: int, owner: int) -> bool:
        # B3.1.1, B3.3.1
        return viewer == owner or self.revealed

    def sees_hint_number(self, viewer: int, owner: int) -> bool:
        # B3.1.3, BF1, B2.7, B3.1.2, B3.3.7, B3.3.1, BF3
        if self.powers:
            return viewer == owner or self.revealed or self.number_shown(viewer, owner) or owner in self.spying[viewer]
        return viewer == owner or self.revealed or self.number_shown(viewer, owner)

    def sees_hint_shape(self, viewer: int, owner: int) -> bool:
        # B3.1.3, BF1, B2.7, B3.1.2, B3.3.7, B3.3.1, BF3
        if self.powers:
            return viewer == owner or self.revealed or self.shape_shown(viewer, owner) or owner in self.spying[viewer]
        return viewer == owner or self.revealed or self.shape_shown(viewer, owner)

    # ------------------------------------------------------------------------------------ draw_first: B2.6

    def enter_draw_first(self) -> int | None:
        return self.next_draw_first()

    def next_draw_first(self) -> int | None:
        if self.first is None:
            self.me = NOBODY
            self.actor = CHANCE
            return None
        return PHASE_DEAL if self.first_card == RANDOM else PHASE_KEEP

    def chance_draw_first(self) -> list[tuple[int, int]]:
        return [(p, 1) for p in self.players]

    def do_draw_first_first(self, p: int) -> None:
        # B2.6
        self.first = p
        # B2.7, B3.1.2, B3.3.7
        if len(self.players) == 2:
            self.shape_shower = p

    # --------------------------------------------------------------------------------------- build: B3.1.1

    def enter_build(self) -> int | None:
        self.queue = list(self.players)
        return self.next_build()

    def next_build(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_BOARDING

    def legal_build(self) -> list[int]:
        me = self.me
        ids = [
            c * len(self.every_shape) + s
            for c in dict.fromkeys(self.hand[me])
            if not self.advanced or NUMBER_OF[c] is not None
            for s in self.shapes(c)
        ]
        if self.advanced:
            first = self.id_build_joker
            ids += [
                first + (c * len(self.every_shape) + s) * 5 + n - 1
                for c in dict.fromkeys(self.hand[me])
                if NUMBER_OF[c] is None
                for s in self.shapes(c)
                for n in self.numbers
            ]
        return ids

    def do_build_build(self, c: int, s: int) -> None:
        me = self.me
        self.hand[me].remove(c)
        self.construction[me] = c if self.construction[me] is None else self.overfull("boarding.base.yaml:160")
        self.hint_number[me] = NUMBER_OF[c]
        self.hint_shape[me] = s

    def told_build_build(self, viewer: int, c: int, s: int) -> tuple[bool, ...]:
        me = self.me
        return (viewer == me, viewer == me)

    def why_build_build(self, c: int, s: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("s in shapes(c)", s in self.shapes(c), ()),
            ("c.number != none", not self.advanced or NUMBER_OF[c] is not None, ()),
        )

    def do_build_build_joker(self, c: int, s: int, n: int) -> None:
        me = self.me
        # B4.2
        self.hand[me].remove(c)
        self.construction[me] = c if self.construction[me] is None else self.overfull(184)
        self.hint_number[me] = n
        self.hint_shape[me] = s

    def told_build_build_joker(self, viewer: int, c: int, s: int, n: int) -> tuple[bool, ...]:
        me = self.me
        return (viewer == me, viewer == me, viewer == me)

    def why_build_build_joker(self, c: int, s: int, n: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("c.number == none", NUMBER_OF[c] is None, ()),
            ("s in shapes(c)", s in self.shapes(c), ()),
            ("n in numbers", n in self.numbers, ()),
        )

    # ------------------------------------------------------------------------------------ boarding: B3.2.0

    def enter_boarding(self) -> int | None:
        self.me = self.actor = self.first
        return None

    def next_boarding(self) -> int | None:
        if all(self.ready(p) for p in self.players):
            return PHASE_TAKEOFF
        self.me = self.actor = (self.me + 1) % len(self.players)
        return None

    def legal_boarding(self) -> list[int]:
        me = self.me
        first = self.id_board
        ids = [
            first + c * len(self.every_shape) + b
            for c in dict.fromkeys(self.hand[me])
            if not self.advanced or NUMBER_OF[c] is not None
            for b in self.boards(c)
        ]
        first = self.id_propose
        ids += [
            first + self.index_propose_cs[cs] for cs in subsets(self.hand[me], min(self.at_once, len(self.hand[me])))
        ]
        if self.powers and (self.power[me] == RECALL_SQUARE or self.power[me] == RECALL_ROUND):
            first = self.id_recall
            ids += [
                first + c * len(self.every_card) + x
                for c in dict.fromkeys(self.hand[me])
                for x in self.every_card
                if self.recalls(me, x) and any(self.lies_on(me, x, b) for b in self.every_shape)
            ]
        if self.powers and self.power[me] == DOUBLE and len(self.hand[me]) >= 3:
            first = self.id_double
            ids += [first + c for c in dict.fromkeys(self.hand[me])]
        if self.powers and self.power[me] == SPY:
            first = self.id_spy
            ids += [first + c * self.n + p for c in dict.fromkeys(self.hand[me]) for p in self.players if p != me]
        if self.advanced:
            first = self.id_board_joker
            ids += [
                first + (c * len(self.every_shape) + b) * 5 + n - 1
                for c in dict.fromkeys(self.hand[me])
                if NUMBER_OF[c] is None
                for b in self.boards(c)
                for n in self.numbers
            ]
        if self.advanced and (
            (self.power[me] == RAISE_SNOWY and not self.snowy_up) or (self.power[me] == RAISE_BARE and not self.bare_up)
        ):
            first = self.id_raise
            ids += [first + c for c in dict.fromkeys(self.hand[me])]
        return ids

    def do_boarding_board(self, c: int, b: int) -> None:
        me = self.me
        # B3.2.A
        self.hand[me].remove(c)
        self.aboard[b].append(Owned(me, c))

    def why_boarding_board(self, c: int, b: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("b in boards(c)", b in self.boards(c), (("snowy_up", None), ("bare_up", None))),
            ("c.number != none", not self.advanced or NUMBER_OF[c] is not None, ()),
        )

    def do_boarding_propose(self, cs: tuple[int, ...]) -> None:
        me = self.me
        # B-a, B-j
        if len(self.hand[me]) < self.enough and self.takeoff_rule != LITERAL:
            self.excused[me] = True
        # B3.2.B
        for moved in cs:
            put(self.discard[me], self.take(self.hand[me], moved, "boarding.base.yaml:180"))

    def why_boarding_propose(self, cs: tuple[int, ...]) -> tuple[Any, ...]:
        me = self.me
        return (
            (
                "cs in min(at_once, size(hand[me])) of hand[me]",
                cs in subsets(self.hand[me], min(self.at_once, len(self.hand[me]))),
                (("hand", me),),
            ),
        )

    def do_boarding_recall(self, c: int, x: int) -> None:
        me = self.me
        # B4.3, B4.5, BF3
        self.hand[me].remove(c)
        put(self.discard[me], c)
        for b in self.every_shape:
            for g in [g for g in self.aboard[b] if g.owner == me and g.card == x]:
                put(self.hand[me], self.take(self.aboard[b], g, 64).card)
        # B4.2
        if NUMBER_OF[x] is None and SHAPE_OF[x] == SQUARE:
            self.joker_square[me] = None
        elif NUMBER_OF[x] is None:
            self.joker_round[me] = None

    def why_boarding_recall(self, c: int, x: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("x in Card", x in self.every_card, ()),
            (
                "recalls(me, x) and any(b in Shape where lies_on(me, x, b))",
                self.recalls(me, x) and any(self.lies_on(me, x, b) for b in self.every_shape),
                (("power", me), ("aboard", None)),
            ),
            (
                "power[me] == recall_square or power[me] == recall_round",
                self.power[me] == RECALL_SQUARE or self.power[me] == RECALL_ROUND,
                (("power", me),),
            ),
        )

    def do_boarding_double(self, c: int) -> int:
        me = self.me
        # B4.3, BF3
        self.hand[me].remove(c)
        put(self.discard[me], c)
        return self.visit(PHASE_DOUBLE)

    def why_boarding_double(self, c: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            (
                "power[me] == double and size(hand[me]) >= 3",
                self.power[me] == DOUBLE and len(self.hand[me]) >= 3,
                (("power", me),),
            ),
        )

    def do_boarding_spy(self, c: int, p: int) -> None:
        me = self.me
        # B4.3, BF3
        self.hand[me].remove(c)
        put(self.discard[me], c)
        self.spying[me] = tuple([q for q in self.players if q in self.spying[me] or q == p])

    def why_boarding_spy(self, c: int, p: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("p in players", p in self.players, ()),
            ("p != me", p != me, ()),
            ("power[me] == spy", self.power[me] == SPY, (("power", me),)),
        )

    def do_boarding_board_joker(self, c: int, b: int, n: int) -> None:
        me = self.me
        # B4.2
        if SHAPE_OF[c] == SQUARE:
            self.joker_square[me] = n
        else:
            self.joker_round[me] = n
        self.hand[me].remove(c)
        self.aboard[b].append(Owned(me, c))

    def why_boarding_board_joker(self, c: int, b: int, n: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("c.number == none", NUMBER_OF[c] is None, ()),
            ("b in boards(c)", b in self.boards(c), (("snowy_up", None), ("bare_up", None))),
            ("n in numbers", n in self.numbers, ()),
        )

    def do_boarding_raise(self, c: int) -> None:
        me = self.me
        # B4.3, B4.6, BF3
        self.hand[me].remove(c)
        put(self.discard[me], c)
        if self.power[me] == RAISE_SNOWY:
            self.snowy_up = True
        else:
            self.bare_up = True

    def why_boarding_raise(self, c: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            (
                "(power[me] == raise_snowy and not snowy_up) or (power[me] == raise_bare and not bare_up)",
                (self.power[me] == RAISE_SNOWY and not self.snowy_up)
                or (self.power[me] == RAISE_BARE and not self.bare_up),
                (("power", me), ("snowy_up", None), ("bare_up", None)),
            ),
        )

    # --------------------------------------------------------------------------------------------- takeoff

    def enter_takeoff(self) -> int | None:
        # B3.3.1
        self.revealed = True
        # B3.3.2, B-b, B3.3.3, B4.8, B-c, B-d, B3.3.4, B-h: Who answers for what is overloaded loses; so do those who
        # sent the fewest.
        most = max([self.groups_sent(p) for p in self.players])
        fewest = min([self.groups_sent(p) for p in self.players])
        least = min([self.sent(p) for p in self.players])
        for p in self.players:
            short = self.groups_sent(p) == fewest if fewest < most else most > 0 and self.sent(p) == least
            self.owed[p] = len([b for b in self.every_shape if self.answers(p, b)]) + (1 if short else 0)
        # B3.3.5
        for p in self.players:
            self.fallen[p] = self.owed[p] > len(self.reserve[p])
        return PHASE_END if any(self.owed[p] > len(self.reserve[p]) for p in self.players) else PHASE_PAY

    # ------------------------------------------------------------------------------ pay: B3.3.4, B4.8, B-h

    def enter_pay(self) -> int | None:
        # B3.3.1: It still is; a position that starts here need not say so.
        self.revealed = True
        self.queue = [p for p in self.players if self.owed[p] > 0]
        return self.next_pay()

    def next_pay(self) -> int | None:
        while self.queue:
            me = self.me = self.queue[0]
            if self.owed[me] != 0:
                self.actor = self.me
                return None
            del self.queue[0]
        return PHASE_CLEAR

    def legal_pay(self) -> list[int]:
        me = self.me
        first = self.id_take
        return [first + c for c in self.reserve[me]]

    def do_pay_take(self, c: int) -> None:
        me = self.me
        self.reserve[me].remove(c)
        put(self.hand[me], c)
        self.owed[me] -= 1

    def told_pay_take(self, viewer: int, c: int) -> tuple[bool, ...]:
        me = self.me
        return (viewer == me,)

    def why_pay_take(self, c: int) -> tuple[Any, ...]:
        me = self.me
        return (("c in reserve[me]", c in self.reserve[me], (("reserve", me),)),)

    # ----------------------------------------------------------------------------------------------- clear

    def enter_clear(self) -> int | None:
        # B3.3.6, B-i, B-j: All cards that were played go back to whose they are.
        for b in self.every_shape:
            for g in list(self.aboard[b]):
                put(self.hand[g.owner], self.take(self.aboard[b], g, "boarding.base.yaml:219").card)
        for p in self.players:
            pour(self.discard[p], self.hand[p])
            if self.construction[p] is not None:
                put(self.hand[p], self.construction[p])
                self.construction[p] = None
            self.hint_number[p] = None
            self.hint_shape[p] = None
            self.excused[p] = False
        self.revealed = False
        self.round += 1
        # B3.3.6: The next first is who has the least in reserve; of several the nearest clockwise, the last first at
        # the end.
        self.first = min(self.clockwise(self.left(self.first)), key=lambda p: len(self.reserve[p]), default=None)
        # B2.7, B3.1.2, B3.3.7
        if self.shape_shower is not None:
            self.shape_shower = self.left(self.shape_shower)
        # BF3
        if self.powers:
            for p in self.players:
                self.spying[p] = ()
        # B4.2, B4.7, B-j
        if self.advanced:
            self.snowy_up = False
            self.bare_up = False
            for p in self.players:
                self.joker_square[p] = None
                self.joker_round[p] = None
        return PHASE_BUILD

    # ------------------------------------------------------------------------------------- keep: B2.4, B-g

    def enter_keep(self) -> int | None:
        self.queue = list(self.players)
        return self.next_keep()

    def next_keep(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_PICK_POWER if self.powers else PHASE_BUILD

    def legal_keep(self) -> list[int]:
        me = self.me
        first = self.id_keep
        return [first + c for c in self.reserve[me] if NUMBER_OF[c] is not None]

    def do_keep_keep(self, c: int) -> None:
        me = self.me
        self.reserve[me].remove(c)
        put(self.hand[me], c)

    def told_keep_keep(self, viewer: int, c: int) -> tuple[bool, ...]:
        me = self.me
        return (viewer == me,)

    def why_keep_keep(self, c: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in reserve[me]", c in self.reserve[me], (("reserve", me),)),
            ("c.number != none", NUMBER_OF[c] is not None, ()),
        )

    # ------------------------------------------------------------------------------------------ deal: B2.4

    def enter_deal(self) -> int | None:
        self.queue = list(self.players)
        return self.next_deal()

    def next_deal(self) -> int | None:
        if self.queue:
            self.me = self.queue.pop(0)
            self.actor = CHANCE
            return None
        return PHASE_PICK_POWER if self.powers else PHASE_BUILD

    def chance_deal(self) -> list[tuple[int, int]]:
        me = self.me
        first = self.id_keep_ + me * len(self.every_card)
        return [(first + c, 1) for c in tuple(sorted({c for c in self.reserve[me] if NUMBER_OF[c] is not None}))]

    def do_deal_keep(self, me: int, c: int) -> None:
        put(self.hand[me], self.take(self.reserve[me], c, 129))

    def told_deal_keep(self, viewer: int, me: int, c: int) -> tuple[bool, ...]:
        return (True, viewer == me)

    # ----------------------------------------------------------------------------------------- double: BF3

    def enter_double(self) -> int | None:
        me = self.visitor()
        self.queue = [me]
        return self.next_double()

    def next_double(self) -> int | None:
        del self.row[:1]
        while self.queue and not self.row:
            self.me = self.queue.pop(0)
            self.row = list(range(1, 3))
        if self.row:
            self.actor = self.me
            return None
        return PHASE_BACK

    def legal_double(self) -> list[int]:
        return self.completing(Position.choices_double)

    def choices_double(self) -> list[int]:
        me = self.me
        first = self.id_board
        ids = [
            first + c * len(self.every_shape) + b
            for c in dict.fromkeys(self.hand[me])
            if NUMBER_OF[c] is not None
            for b in self.boards(c)
        ]
        first = self.id_board_joker
        ids += [
            first + (c * len(self.every_shape) + b) * 5 + n - 1
            for c in dict.fromkeys(self.hand[me])
            if NUMBER_OF[c] is None
            for b in self.boards(c)
            for n in self.numbers
        ]
        return ids

    def rest_double(self) -> tuple[Any, ...]:
        me = self.me
        return ("group in 1..2", (("hand", me), ("snowy_up", None), ("bare_up", None)))

    def do_double_board(self, c: int, b: int) -> None:
        me = self.me
        self.hand[me].remove(c)
        self.aboard[b].append(Owned(me, c))

    def why_double_board(self, c: int, b: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("b in boards(c)", b in self.boards(c), (("snowy_up", None), ("bare_up", None))),
            ("c.number != none", NUMBER_OF[c] is not None, ()),
        )

    def do_double_board_joker(self, c: int, b: int, n: int) -> None:
        me = self.me
        # B4.2
        if SHAPE_OF[c] == SQUARE:
            self.joker_square[me] = n
        else:
            self.joker_round[me] = n
        self.hand[me].remove(c)
        self.aboard[b].append(Owned(me, c))

    def why_double_board_joker(self, c: int, b: int, n: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("c.number == none", NUMBER_OF[c] is None, ()),
            ("b in boards(c)", b in self.boards(c), (("snowy_up", None), ("bare_up", None))),
            ("n in numbers", n in self.numbers, ()),
        )

    # ------------------------------------------------------------------------------------ pick_power: B4.1

    def enter_pick_power(self) -> int | None:
        self.queue = [self.right(self.first, k) for k in range(1, len(self.players) + 1)]
        return self.next_pick_power()

    def next_pick_power(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_BUILD

    def legal_pick_power(self) -> list[int]:
        ids: list[int] = []
        first = self.id_pick
        if RECALL_SQUARE not in self.power:
            ids.append(first)
        if RECALL_ROUND not in self.power:
            ids.append(first + 1)
        if RAISE_SNOWY not in self.power:
            ids.append(first + 2)
        if RAISE_BARE not in self.power:
            ids.append(first + 3)
        if DOUBLE not in self.power:
            ids.append(first + 4)
        if SPY not in self.power:
            ids.append(first + 5)
        return ids

    def do_pick_power_pick(self, w: int) -> None:
        me = self.me
        self.power[me] = w

    def why_pick_power_pick(self, w: int) -> tuple[Any, ...]:
        return (
            ("w in Power", w in EVERY_POWER, ()),
            ("all(power[p] != w for p in players)", w not in self.power, (("power", None),)),
        )

    # ------------------------------------------------------------------------------------------ the result

    def rank(self, me: int) -> tuple[int, int, int]:
        """The higher ranks first."""
        # B3.3.5, B-e
        return (not self.fallen[me], self.stars(me), self.boarded(me))

    def lost(self) -> bool:
        """All lose."""
        return all(self.fallen)

    def invariant_0(self) -> bool:
        """every card is somewhere of its owner's or aboard"""
        return sum(
            [
                len(self.hand[p]) + len(self.reserve[p]) + len(held(self.construction[p])) + len(self.discard[p])
                for p in self.players
            ]
        ) + sum([len(self.aboard[b]) for b in self.every_shape]) == (13 if self.advanced else 11) * len(self.players)

    def invariant_1(self) -> bool:
        """what is built has its hints"""
        for p in self.players:
            if (self.hint_number[p] is None) != (self.construction[p] is None):
                return False
        return True

    def invariant_2(self) -> bool:
        """nobody owes before the takeoff"""
        if self.revealed:
            return True
        for p in self.players:
            if self.owed[p] != 0:
                return False
        return True

    # ------------------------------------------------------------------------------------ what is measured

    def measure_0(self) -> list[tuple[int, ...]]:
        """rounds, at end"""
        return [(self.round,)]

    def measure_1_boarding_board(self, c: int, b: int) -> list[tuple[int, ...]]:
        """groups boarded, at boarding.board"""
        return [(1,)]

    def measure_1_double_board(self, c: int, b: int) -> list[tuple[int, ...]]:
        """groups boarded, at double.board"""
        return [(1,)]

    def measure_1_boarding_board_joker(self, c: int, b: int, n: int) -> list[tuple[int, ...]]:
        """groups boarded, at boarding.board_joker"""
        return [(1,)]

    def measure_1_double_board_joker(self, c: int, b: int, n: int) -> list[tuple[int, ...]]:
        """groups boarded, at double.board_joker"""
        return [(1,)]

    def measure_2(self) -> list[tuple[int, ...]]:
        """nothing is overloaded, at takeoff"""
        return [(all(not self.overloaded(b) for b in self.every_shape),)]

    def measure_3(self) -> list[tuple[int, ...]]:
        """overloaded at the takeoff, at takeoff"""
        # B3.3.2, B-b
        return [(b, self.overloaded(b)) for b in self.every_shape]

    def measure_4(self) -> list[tuple[int, ...]]:
        """passengers at the takeoff, at takeoff"""
        return [(b, sum([self.passengers(p, b) for p in self.players])) for b in self.every_shape]

    def measure_5(self) -> list[tuple[int, ...]]:
        """places at the takeoff, at takeoff"""
        return [(b, self.places(b)) for b in self.every_shape]

    def measure_6(self) -> list[tuple[int, ...]]:
        """losses of a round, at pay"""
        # B3.3.4, B4.8, B-h
        return [(p, self.owed[p]) for p in self.players]

    def measure_7(self) -> list[tuple[int, ...]]:
        """all fall, at end"""
        return [(all(self.fallen),)]

    def measure_8(self) -> list[tuple[int, ...]]:
        """stars at the end, at end"""
        return [(p, self.stars(p)) for p in self.players]

    def measure_9_boarding_recall(self, c: int, x: int) -> list[tuple[int, ...]]:
        """powers used, at boarding.recall"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]

    def measure_9_boarding_double(self, c: int) -> list[tuple[int, ...]]:
        """powers used, at boarding.double"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]

    def measure_9_boarding_spy(self, c: int, p: int) -> list[tuple[int, ...]]:
        """powers used, at boarding.spy"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]

    def measure_9_boarding_raise(self, c: int) -> list[tuple[int, ...]]:
        """powers used, at boarding.raise"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]


def seats(players: range, options: dict[str, int | Any]) -> int:
    return len(players)


def longest(players: range, options: dict[str, int | Any]) -> int:
    return 20000


def overlays(players: range, options: dict[str, int | Any]) -> dict[str, bool]:
    return {"powers": options["mode"] == ADVANCED, "advanced": options["mode"] == ADVANCED}


def requires(players: range, options: dict[str, int | Any]) -> list[str]:
    return []


def accepted_2(players: range, options: dict[str, int | Any]) -> bool:
    return options["takeoff_rule"] == LITERAL


VARIANT = Variant(
    name="balloon",
    says="Balloons are built in secret and boarded by turns; overloaded ones and stragglers cost stars.",
    spec="sha256:b5ff1b8d61d74f2e79e382fd6b379fb8a76d32fe1f1bae545783b69e0f9e2109",
    source="balloon.yaml",
    players=range(2, 7),
    options=(
        Option("first", Maybe(SEAT, "random"), None, (None, 1), "Who starts the first round.", "option_first"),
        Option("mode", Mode, NORMAL, (NORMAL, ADVANCED), "With or without snow and powers.", "mode"),
        Option(
            "first_card",
            First_card,
            CHOOSE,
            (CHOOSE, RANDOM),
            "Whether the card to start with is chosen, or drawn as in a first game.",
            "first_card",
        ),
        Option(
            "takeoff_rule",
            Takeoff_rule,
            EXHAUSTED,
            (EXHAUSTED, LITERAL),
            "What ends the boarding - a proposal with too few cards counts, or the text as it stands.",
            "takeoff_rule",
        ),
    ),
    seats=seats,
    longest=longest,
    requires=requires,
    overlays=overlays,
    position=Position,
    zones=(
        Zone("hand", "hand", (SEAT,), Card, "unordered", Position.sees_hand),
        Zone("reserve", "reserve", (SEAT,), Card, "unordered", Position.sees_reserve, once=True),
        Zone("construction", "construction", (SEAT,), Card, "slot", Position.sees_construction),
        Zone("aboard", "aboard", (Shape,), Card, "ordered", Position.everyone, owned=True),
        Zone("discard", "discard", (SEAT,), Card, "unordered", Position.everyone),
    ),
    variables=(
        Variable("first", "first", (), Maybe(SEAT), Position.everyone),
        Variable("shape_shower", "shape_shower", (), Maybe(SEAT), Position.everyone),
        Variable("round", "round", (), COUNT, Position.everyone),
        Variable("revealed", "revealed", (), BOOL, Position.everyone),
        Variable("hint_number", "hint_number", (SEAT,), Maybe(Int(0, 5)), Position.sees_hint_number),
        Variable("hint_shape", "hint_shape", (SEAT,), Maybe(Shape), Position.sees_hint_shape),
        Variable("exhausted", "excused", (SEAT,), BOOL, Position.everyone),
        Variable("owed", "owed", (SEAT,), Int(0, 5), Position.everyone),
        Variable("fallen", "fallen", (SEAT,), BOOL, Position.everyone),
        Variable("power", "power", (SEAT,), Maybe(Power), Position.everyone, only=lambda options: options["powers"]),
        Variable("spying", "spying", (SEAT,), SetOf(SEAT), Position.everyone, only=lambda options: options["powers"]),
        Variable("snowy_up", "snowy_up", (), BOOL, Position.everyone, only=lambda options: options["advanced"]),
        Variable("bare_up", "bare_up", (), BOOL, Position.everyone, only=lambda options: options["advanced"]),
        Variable(
            "joker_square",
            "joker_square",
            (SEAT,),
            Maybe(Int(1, 5)),
            Position.everyone,
            only=lambda options: options["advanced"],
        ),
        Variable(
            "joker_round",
            "joker_round",
            (SEAT,),
            Maybe(Int(1, 5)),
            Position.everyone,
            only=lambda options: options["advanced"],
        ),
    ),
    actions=(
        Action("build", "id_build", (Card, Shape)),
        Action(
            "build",
            "id_build_joker",
            (Card, Shape, Int(1, 5)),
            key="build_joker",
            only=lambda options: options["advanced"],
        ),
        Action("board", "id_board", (Card, Shape)),
        Action("propose", "id_propose", (Several(Card, 3),), ("index_propose_cs",)),
        Action("power", "id_recall", (Card, Card), key="recall", only=lambda options: options["powers"]),
        Action("power", "id_double", (Card,), key="double", only=lambda options: options["powers"]),
        Action("power", "id_spy", (Card, SEAT), key="spy", only=lambda options: options["powers"]),
        Action(
            "board",
            "id_board_joker",
            (Card, Shape, Int(1, 5)),
            key="board_joker",
            only=lambda options: options["advanced"] or options["powers"],
        ),
        Action("power", "id_raise", (Card,), key="raise", only=lambda options: options["advanced"]),
        Action("take", "id_take", (Card,)),
        Action("keep", "id_keep", (Card,)),
        Action("pick", "id_pick", (Power,), only=lambda options: options["powers"]),
    ),
    outcomes=(
        Action("first", "id_first", (SEAT,)),
        Action("keep", "id_keep_", (SEAT, Card)),
    ),
    phases=(
        Phase(
            "draw_first",
            "chance",
            Position.enter_draw_first,
            Position.next_draw_first,
            chance=Position.chance_draw_first,
            does={"first": Position.do_draw_first_first},
        ),
        Phase(
            "build",
            "together",
            Position.enter_build,
            Position.next_build,
            legal=Position.legal_build,
            does={"build": Position.do_build_build, "build_joker": Position.do_build_build_joker},
            told={"build": Position.told_build_build, "build_joker": Position.told_build_build_joker},
            why={"build": Position.why_build_build, "build_joker": Position.why_build_build_joker},
            settled=("first",),
        ),
        Phase(
            "boarding",
            "turns",
            Position.enter_boarding,
            Position.next_boarding,
            legal=Position.legal_boarding,
            does={
                "board": Position.do_boarding_board,
                "propose": Position.do_boarding_propose,
                "recall": Position.do_boarding_recall,
                "double": Position.do_boarding_double,
                "spy": Position.do_boarding_spy,
                "board_joker": Position.do_boarding_board_joker,
                "raise": Position.do_boarding_raise,
            },
            why={
                "board": Position.why_boarding_board,
                "propose": Position.why_boarding_propose,
                "recall": Position.why_boarding_recall,
                "double": Position.why_boarding_double,
                "spy": Position.why_boarding_spy,
                "board_joker": Position.why_boarding_board_joker,
                "raise": Position.why_boarding_raise,
            },
            settled=("first",),
        ),
        Phase("takeoff", "automatic", Position.enter_takeoff, settled=("first",)),
        Phase(
            "lose_star",
            "together",
            Position.enter_pay,
            Position.next_pay,
            legal=Position.legal_pay,
            does={"take": Position.do_pay_take},
            told={"take": Position.told_pay_take},
            why={"take": Position.why_pay_take},
            settled=("first",),
        ),
        Phase("clear", "automatic", Position.enter_clear, settled=("first",)),
        Phase(
            "keep",
            "together",
            Position.enter_keep,
            Position.next_keep,
            legal=Position.legal_keep,
            does={"keep": Position.do_keep_keep},
            told={"keep": Position.told_keep_keep},
            why={"keep": Position.why_keep_keep},
            settled=("first",),
        ),
        Phase(
            "deal",
            "chance",
            Position.enter_deal,
            Position.next_deal,
            chance=Position.chance_deal,
            does={"keep": Position.do_deal_keep},
            told={"keep": Position.told_deal_keep},
            settled=("first",),
        ),
        Phase(
            "double",
            "turns",
            Position.enter_double,
            Position.next_double,
            legal=Position.legal_double,
            does={"board": Position.do_double_board, "board_joker": Position.do_double_board_joker},
            why={"board": Position.why_double_board, "board_joker": Position.why_double_board_joker},
            hosts=("boarding",),
            settled=("first",),
            entries=Int(1, 2),
            rest=Position.rest_double,
            only=lambda options: options["powers"],
        ),
        Phase(
            "pick_power",
            "turns",
            Position.enter_pick_power,
            Position.next_pick_power,
            legal=Position.legal_pick_power,
            does={"pick": Position.do_pick_power_pick},
            why={"pick": Position.why_pick_power_pick},
            settled=("first",),
            only=lambda options: options["powers"],
        ),
    ),
    switches={"powers": "powers", "advanced": "advanced"},
    partial=(
        (Card, "every_card", "card_place"),
        (Shape, "every_shape", "shape_place"),
    ),
    invariants=(
        ("every card is somewhere of its owner's or aboard", Position.invariant_0),
        ("what is built has its hints", Position.invariant_1),
        ("nobody owes before the takeoff", Position.invariant_2),
    ),
    measures=(
        Measure("rounds", "number", (Moment("", "", Position.measure_0),)),
        Measure(
            "groups boarded",
            "count",
            (
                Moment("boarding", "board", Position.measure_1_boarding_board),
                Moment("double", "board", Position.measure_1_double_board, only=lambda options: options["powers"]),
                Moment(
                    "boarding",
                    "board_joker",
                    Position.measure_1_boarding_board_joker,
                    only=lambda options: options["powers"],
                ),
                Moment(
                    "double",
                    "board_joker",
                    Position.measure_1_double_board_joker,
                    only=lambda options: options["powers"],
                ),
            ),
        ),
        Measure("nothing is overloaded", "bool", (Moment("takeoff", "", Position.measure_2),)),
        Measure("overloaded at the takeoff", "bool", (Moment("takeoff", "", Position.measure_3),), (Shape,), ("b",)),
        Measure("passengers at the takeoff", "number", (Moment("takeoff", "", Position.measure_4),), (Shape,), ("b",)),
        Measure("places at the takeoff", "number", (Moment("takeoff", "", Position.measure_5),), (Shape,), ("b",)),
        Measure("losses of a round", "number", (Moment("lose_star", "", Position.measure_6),), (SEAT,), ("p",)),
        Measure("all fall", "bool", (Moment("", "", Position.measure_7),)),
        Measure("stars at the end", "number", (Moment("", "", Position.measure_8),), (SEAT,), ("p",)),
        Measure(
            "powers used",
            "count",
            (
                Moment("boarding", "recall", Position.measure_9_boarding_recall),
                Moment("boarding", "double", Position.measure_9_boarding_double),
                Moment("boarding", "spy", Position.measure_9_boarding_spy),
                Moment("boarding", "raise", Position.measure_9_boarding_raise),
            ),
            (Power,),
            ("w",),
            only=lambda options: options["powers"],
        ),
    ),
    accepts=(
        Accept("AE712", "phases.build"),
        Accept("AE715", "result"),
        Accept("AE710", "phases.boarding", accepted_2),
    ),
    clauses={
        "B1": "Two to six play. Each owns eight ordinary cards (1 to 4, once square and once round), three extraordinary ones (0 square, 0 round and a 5 of no shape), a set of hint cards and a star counter; the advanced mode gives each another two extraordinary cards (? square, ? round), and adds a snowy balloon, a bare one and six powers.",
        "B2.1": "Your extraordinary cards start hidden beneath your star counter, and your ordinary cards form your hand.",
        "B2.4": "One of the three cards beneath the counter joins your hand, by your own choice; beginners draw it blindly.",
        "B2.6": "Whoever saw a cloud most recently is the first to act.",
        "B2.7": "When two play, the Duel card starts with its shapes pointing at the player who acts first, so its numbers point at the other.",
        "B3.1.1": "All players secretly set aside one card from the hand as what they build, with the hints of its number and its shape. For a 5, the builder picks the shape.",
        "B3.1.2": "When two play, the one at whom the Duel card points its shapes reveals its shape hint, and the other reveals its number hint.",
        "B3.1.3": "When three or more play, each peeks at some hints of others: the screen shows whose number and whose shape, and it depends on how many play.",
        "B3.2.0": "Players act in turn, clockwise from the first, doing one thing each time. Boarding is over as soon as an activation ends with three or more discarded cards from each of them.",
        "B3.2.A": "To board, play a hand card openly as the latest group on the balloon of its shape; a 5 may go to whichever you like.",
        "B3.2.B": "To propose the takeoff, openly throw away three cards of your choice from your hand, or your whole hand if it is smaller.",
        "B3.3.1": "At the takeoff all see what everybody built, and for a 5 the shape it was built in.",
        "B3.3.2": "A balloon is overloaded when its passengers outnumber its places, and stays down. The owner of the latest group on it pays one star, for every such balloon.",
        "B3.3.3": "A balloon that is not overloaded sends all its groups. Seats are compared by their groups sent on all balloons together, and those at the bottom pay a star if anybody is above them; if all are level above zero, passengers sent decide who is at the bottom, and a tie of all in those too costs each a star.",
        "B3.3.4": "Every star you lose moves one card, which you choose, from beneath your counter to your hand, where it remains for the rest of the game.",
        "B3.3.5": "A player who owes a star and has none flips its counter, which is the end. The victory goes to the most stars, then to the most passengers boarded in this last round, and is shared if that is level too; when all counters are flipped, nobody wins.",
        "B3.3.6": "If the game goes on, everybody recovers what it played in the round, and whoever has the fewest stars acts first in the next. Of several, the last round's first player yields, and the closest one clockwise from it is taken.",
        "B3.3.7": "When two play, the Duel card is rotated after the round, so that they swap which hint they reveal.",
        "B4": "There is an advanced mode, which the players may choose: two more balloons, two more cards each, and powers.",
        "B4.1": "In the advanced mode both ? cards start hidden beneath the counter too. Then everybody takes a different power, beginning at the right of the first player and going round counter-clockwise.",
        "B4.2": "Whoever builds a ? card settles on 1, 2, 4 or 5 places with its number hint, shown at the takeoff. Whoever boards one settles on as many passengers (1, 2, 4 or 5), and cannot change that afterwards.",
        "B4.3": "Using your power is a third thing you may do when you act, in place of the other two. It is open to you only if you have a card to discard and its whole effect is possible.",
        "B4.4": "The other two balloons follow the same rules. What is built gives places twice, to the balloon of its shape and to the snowy or bare one; a group has to pick one of the two that suit it.",
        "B4.5": "A power that fetches a group of a given shape can also fetch it from the snowy or the bare balloon, provided the group has that shape.",
        "B4.6": "The power of the snowy balloon works at most once in a round, and so does that of the bare one.",
        "B4.7": "Until a power builds it, nobody may board the snowy or the bare balloon, not even with 0 passengers. From then on it is there for everybody, for the rest of the round.",
        "B4.8": "With four balloons a player can lose as many as four stars in one round, and its groups sent are added up over all four.",
        "B-a": "Under takeoff_rule: exhausted, a proposal made with fewer than three cards in hand counts, until the round is over, as having three in the discard. Under literal it does not, and the check has to find the endless round. (Why: Whoever boards six or more of its eight cards can never have three in the discard, so by the text alone the turns would go round for ever with empty hands.)",
        "B-b": "Nought passengers still make a group: it may be the latest one on a balloon, and it counts among those sent. (Why: The text itself speaks of boarding a group of 0, and makes no exception for it.)",
        "B-c": "A balloon that nobody boarded goes up, even if it has no place at all, and sends no group. (Why: Overload needs more passengers than places, which an empty balloon cannot have.)",
        "B-d": "When no player has sent any group, the comparison of what was sent costs nobody a star. (Why: The text goes on to compare passengers only where the equal number of groups is more than 0.)",
        "B-e": "All losses of a takeoff are counted before it is judged who falls, and no card is taken once somebody has. Whoever owes more stars than it has falls with 0 stars and ranks beneath all who stand; the fallen are ordered by passengers boarded, and if everybody falls, all share rank 1 and get a return of 0. (Why: The losses of a takeoff come together, the text stops the game at the first star that cannot be paid, and it does not say how losers stand to each other.)",
        "B-f": "For the tie-break every passenger whom a player has on any balloon at the takeoff counts, whether the balloon goes up or not. (Why: The text says boarded here, where elsewhere it says sent.)",
        "B-g": "In the advanced mode, too, the card to start with is one of the first three; both ? cards lie in the reserve from the outset and stay, which makes four stars. (Why: The text adds them to what is beneath the counter and leaves the earlier choice alone; that four stars can be lost in a round fits.)",
        "B-h": "Which card is taken for a lost star stays secret; those who owe take theirs at the same time, a card each step. (Why: The card goes into a hidden hand, and the text names no order.)",
        "B-i": "Rounds that cost nobody a star may come one after another without limit. Each round ends, and with random play the game does so with probability 1; the check keeps the two questions apart. (Why: If everyone only proposes, nothing is lost, and the text sets no limit to how often.)",
        "B-j": "Being exhausted, spying and the raised balloons stop when the cards return to the hands. For the tie-break a group fetched back before the takeoff is not boarded. (Why: The text lets what a power built stand for the round, which the return of the cards closes; a group that is off the balloon at the takeoff takes no part in it.)",
        "BF1": "The screen. With 3 players you see the number of your left neighbour and the shape of your right one; with 4, the numbers of both neighbours and the shapes of the first and second to the right; with 5, the same numbers and the shapes of the first three to the right; with 6, the numbers of the first two to the left and the first to the right, and the shapes of the first three to the right.",
        "BF2": "Snow: even numbers and ? square are snowy; odd numbers, the 5 among them, and ? round are bare.",
        "BF3": "Every power costs one hand card of the player's choice, which goes to the discard. recall_square and recall_round fetch an own group whose card has that shape from whichever balloon it is aboard (a 5 has the shape of the square or round balloon it is aboard, elsewhere none); raise_snowy and raise_bare build that balloon unless it is up; double boards two cards, one by one, in the same activation, so it needs three in hand, the discarded one included; spy shows both hints of one opponent for the rest of the round.",
    },
)
