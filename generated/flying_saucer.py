"""flying_saucer: Saucers are built half in secret and boarded by turns; overloaded ones and stragglers grow tentacles.
Compiled from flying_saucer.yaml: edit that, never this.
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
from aeronef.runtime.kernel import CHANCE, NOBODY, Owned, held, last_of, pour, put, subsets
from aeronef.runtime.kernel import Position as Kernel

OARS, SAILS = EVERY_SHAPE = range(2)
Shape = Words("Shape", ("oars", "sails"))

RECALL, DOUBLE, SPY, SWAP_LAST, SALVAGE, PASS = EVERY_POWER = range(6)
Power = Words("Power", ("recall", "double", "spy", "swap_last", "salvage", "pass"))

DECLARED, LITERAL = range(2)
Takeoff_rule = Words("takeoff_rule", ("declared", "literal"))

# S2, SF2: label, copies, shape, number
CARD_TABLE = (
    ("0 oars", 1, OARS, 0),
    ("1 oars", 1, OARS, 1),
    ("2 oars", 1, OARS, 2),
    ("3 oars", 1, OARS, 3),
    ("4 oars", 1, OARS, 4),
    ("0 sails", 1, SAILS, 0),
    ("1 sails", 1, SAILS, 1),
    ("2 sails", 1, SAILS, 2),
    ("3 sails", 1, SAILS, 3),
    ("4 sails", 1, SAILS, 4),
    ("5", 1, None, 5),
)
Card = Cards("Card", tuple([row[0] for row in CARD_TABLE]), tuple([row[1] for row in CARD_TABLE]))
SHAPE_OF = attribute([row[2] for row in CARD_TABLE])
NUMBER_OF = attribute([row[3] for row in CARD_TABLE])
EVERY_CARD = range(11)

# S4.2.3: for each 2..6: set of -5..5
NUMBER_SEEN: tuple[tuple[int, ...], ...] = ((), (1,), (1,), (1,), (1, 2))

# S4.2.4: for each 2..6: set of -5..5
SHAPE_SEEN: tuple[tuple[int, ...], ...] = ((), (-1,), (-2,), (-3, -2), (-3, -2))

# SF1: for each seat: Power
POWER_OF: tuple[int, ...] = (RECALL, DOUBLE, SPY, SWAP_LAST, SALVAGE, PASS)

(
    PHASE_DRAW_FIRST,
    PHASE_BUILD,
    PHASE_BOARDING,
    PHASE_TAKEOFF,
    PHASE_PAY,
    PHASE_CLEAR,
    PHASE_HIDE,
    PHASE_DOUBLE,
    PHASE_END,
    PHASE_BACK,
) = range(10)


class Position(Kernel):
    """Where a game of flying_saucer stands, and its rules, phase by phase."""

    __slots__ = (
        "aboard",
        "construction",
        "discard",
        "excused",
        "first",
        "hand",
        "hint_number",
        "hint_shape",
        "owed",
        "power",
        "rampart_up",
        "reserve",
        "revealed",
        "round",
        "shape_shower",
        "spying",
        "tentacles",
    )

    enough = 1  # S4.3.1
    at_once = 2  # S4.3.1.B, S-c
    each_has = 11  # S2

    option_first: int | Any  # S4.1.A
    asymmetric: bool  # S5
    takeoff_rule: int  # S4.3.1, S-a
    powers: bool  # Every rampart has a power, to be used while it lies on its face. (S5)
    hand: list[list[int]]  # each seat: cards (S2, SF2)
    reserve: list[list[int]]  # each seat: cards (S3, S-h)
    construction: list[int | Any]  # each seat: one card (S4.2.1, S4.2.5, S-f, S4.4.1)
    aboard: list[list[Owned]]  # each Shape: cards with their owners (S4.3.1)
    discard: list[list[int]]  # each seat: cards (S4.3.1.B, S-c, S-g)
    first: int | Any  # seat? (S4.1.A, S4.1.B)
    shape_shower: int | Any  # seat? (S4.1.A, S4.2.2, S-f)
    round: int  # count (S4.4.5, S-i)
    revealed: bool  # bool (S4.4.1)
    # The places that were built.
    hint_number: list[int | Any]  # each seat: 0..5? (S4.2.3, S4.2.5, S4.1.A, S4.2.2, S-f, S4.4.1, SF1)
    hint_shape: list[int | Any]  # each seat: Shape? (S4.2.4, S4.2.5, S4.1.A, S4.2.2, S-f, S4.4.1, SF1)
    # Counts as having discarded enough.
    excused: list[bool]  # each seat: bool (S-a, S-j)
    # Losses of this takeoff that are still to be taken.
    owed: list[int]  # each seat: 0..5 (S4.4.4, S-b, S-h)
    tentacles: list[int]  # each seat: 0..8 (S-b)
    power: list[int | Any]  # each seat: Power? (S5, SF1)
    # Whose hints it looks at.
    spying: list[tuple[int, ...]]  # each seat: set of seat (SF1)
    # On its face.
    rampart_up: list[bool]  # each seat: bool (S5)
    id_build: int  # 0
    id_board: int
    id_propose: int
    index_propose_cs: dict[tuple[int, ...], int]
    id_recall: int
    id_double: int
    id_spy: int
    id_swap_last: int
    id_salvage: int
    id_pass: int
    id_take: int
    id_hide: int
    id_first: int  # 0

    def start(self) -> None:
        self.hand = [list(Card.deck) for _ in self.seats]
        self.reserve = [[] for _ in self.seats]
        self.construction = [None for _ in self.seats]
        self.aboard = [[] for _ in range(2)]
        self.discard = [[] for _ in self.seats]
        self.first = self.option_first
        self.shape_shower = self.option_first if len(self.players) == 2 else None
        self.round = 1
        self.revealed = False
        self.hint_number = [None for _ in self.seats]
        self.hint_shape = [None for _ in self.seats]
        self.excused = [False for _ in self.seats]
        self.owed = [0 for _ in self.seats]
        self.tentacles = [1 for _ in self.seats]
        self.power = [POWER_OF[owner] for owner in self.seats]
        self.spying = [() for _ in self.seats]
        self.rampart_up = [True for _ in self.seats]

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
        new.tentacles = self.tentacles[:]
        new.power = self.power[:]
        new.spying = self.spying[:]
        new.rampart_up = self.rampart_up[:]
        return new

    # ------------------------------------------------------------------------------------ what is computed

    def number_shown(self, v: int, p: int) -> bool:
        # S4.2.3, S4.2.5, S4.1.A, S4.2.2, S-f
        for k in NUMBER_SEEN[len(self.players) - 2]:
            if p == self.left(v, k):
                return True
        return self.shape_shower is not None and p != self.shape_shower

    def shape_shown(self, v: int, p: int) -> bool:
        # S4.2.4, S4.2.5, S4.1.A, S4.2.2, S-f
        for k in SHAPE_SEEN[len(self.players) - 2]:
            if p == self.left(v, k):
                return True
        return p == self.shape_shower

    def shapes(self, c: int) -> tuple[int, ...]:
        # S4.2.1, S4.2.5, S-f
        return tuple([s for s in EVERY_SHAPE if SHAPE_OF[c] is None or s == SHAPE_OF[c]])

    def boards(self, c: int) -> tuple[int, ...]:
        # S4.3.1
        return self.shapes(c)

    def ready(self, p: int) -> bool:
        # S4.3.1, S-a, S-j
        return len(self.discard[p]) >= self.enough or self.excused[p]

    def places(self, b: int) -> int:
        # S4.4.2
        return sum([self.hint_number[p] or 0 for p in self.players if self.hint_shape[p] == b])

    def passengers(self, p: int, b: int) -> int:
        # S4.3.1
        return sum([NUMBER_OF[g.card] or 0 for g in self.aboard[b] if g.owner == p])

    def overloaded(self, b: int) -> bool:
        # S4.4.2
        return sum([self.passengers(p, b) for p in self.players]) > self.places(b)

    def answers(self, p: int, b: int) -> bool:
        # S4.4.2: Who boarded the last group of what is overloaded answers for it.
        return self.overloaded(b) and last_of(self.aboard[b]) is not None and last_of(self.aboard[b]).owner == p

    def groups(self, p: int, b: int) -> int:
        # S4.4.3, S-d
        return len([g for g in self.aboard[b] if g.owner == p])

    def groups_sent(self, p: int) -> int:
        # S4.4.3, S-d
        return sum([self.groups(p, b) for b in EVERY_SHAPE if not self.overloaded(b)])

    def sent(self, p: int) -> int:
        # S4.4.3, S-d
        return sum([self.passengers(p, b) for b in EVERY_SHAPE if not self.overloaded(b)])

    def boarded(self, p: int) -> int:
        # S4.4.4, S-j
        return self.passengers(p, OARS) + self.passengers(p, SAILS)

    def cannot_pay(self, p: int) -> bool:
        # S4.4.4, S-e
        return self.owed[p] > len(self.reserve[p])

    def grown(self, p: int) -> int:
        # S-b
        return max(3 - len(self.reserve[p]), 0)

    def overgrown(self, p: int) -> bool:
        # S4.4.4, S-b, S-e: It had a tentacle to take, and no card for it.
        return self.tentacles[p] > 3

    def lies_on(self, p: int, c: int, b: int) -> bool:
        # S5, SF1
        for g in self.aboard[b]:
            if g.owner == p and g.card == c:
                return True
        return False

    def may_use(self, p: int, w: int) -> bool:
        # S5
        return self.power[p] == w and self.rampart_up[p]

    # --------------------------------------------------------------------------------------- who sees what

    def everyone(self, viewer: int, owner: int | None = None) -> bool:
        """Everyone sees aboard, discard, first, shape_shower, round, revealed, excused, owed, tentacles, power, spying,
        rampart_up.
        """
        return True

    def sees_hand(self, viewer: int, owner: int) -> bool:
        # S2, SF2
        return viewer == owner

    def sees_reserve(self, viewer: int, owner: int) -> bool:
        # S3, S-h
        return viewer == owner

    def sees_construction(self, viewer: int, owner: int) -> bool:
        # S4.2.1, S4.2.5, S-f, S4.4.1
        return viewer == owner or self.revealed or (len(self.players) >= 4 and viewer == self.left(owner))

    def sees_hint_number(self, viewer: int, owner: int) -> bool:
        # S4.2.3, S4.2.5, S4.1.A, S4.2.2, S-f, S4.4.1, SF1
        if self.powers:
            return viewer == owner or self.revealed or self.number_shown(viewer, owner) or owner in self.spying[viewer]
        return viewer == owner or self.revealed or self.number_shown(viewer, owner)

    def sees_hint_shape(self, viewer: int, owner: int) -> bool:
        # S4.2.4, S4.2.5, S4.1.A, S4.2.2, S-f, S4.4.1, SF1
        if self.powers:
            return viewer == owner or self.revealed or self.shape_shown(viewer, owner) or owner in self.spying[viewer]
        return viewer == owner or self.revealed or self.shape_shown(viewer, owner)

    # ---------------------------------------------------------------------------------- draw_first: S4.1.A

    def enter_draw_first(self) -> int | None:
        return self.next_draw_first()

    def next_draw_first(self) -> int | None:
        if self.first is None:
            self.me = NOBODY
            self.actor = CHANCE
            return None
        return PHASE_HIDE

    def outcomes(self) -> list[tuple[int, int]]:
        if self.actor != CHANCE:
            return []
        return [(p, 1) for p in self.players]

    def do_draw_first_first(self, p: int) -> None:
        # S4.1.A
        self.first = p
        # S4.1.A, S4.2.2, S-f
        if len(self.players) == 2:
            self.shape_shower = p

    # -------------------------------------------------------------------------- build: S4.2.1, S4.2.5, S-f

    def enter_build(self) -> int | None:
        # S-b
        for p in self.players:
            self.tentacles[p] = max(3 - len(self.reserve[p]), 0)
        # S5
        if self.powers:
            if not any(self.rampart_up):
                for p in self.players:
                    self.rampart_up[p] = True
        self.queue = list(self.players)
        return self.next_build()

    def next_build(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_BOARDING

    def legal_build(self) -> list[int]:
        me = self.me
        return [c * 2 + s for c in dict.fromkeys(self.hand[me]) for s in self.shapes(c)]

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
        return (("c in hand[me]", c in self.hand[me], (("hand", me),)), ("s in shapes(c)", s in self.shapes(c), ()))

    # ------------------------------------------------------------------------------------ boarding: S4.3.1

    def enter_boarding(self) -> int | None:
        # S-b: Nothing has changed since the building; a position that starts here need not count the tentacles.
        for p in self.players:
            self.tentacles[p] = max(3 - len(self.reserve[p]), 0)
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
        ids = [first + c * 2 + b for c in dict.fromkeys(self.hand[me]) for b in self.boards(c)]
        first = self.id_propose
        ids += [
            first + self.index_propose_cs[cs] for cs in subsets(self.hand[me], min(self.at_once, len(self.hand[me])))
        ]
        if self.powers and self.may_use(me, RECALL):
            first = self.id_recall
            ids += [first + x for x in EVERY_CARD if self.lies_on(me, x, OARS) or self.lies_on(me, x, SAILS)]
        if self.powers and self.may_use(me, DOUBLE) and len(self.hand[me]) >= 2:
            ids.append(self.id_double)
        if self.powers and self.may_use(me, SPY):
            first = self.id_spy
            ids += [first + p for p in self.players if p != me]
        if self.powers and self.may_use(me, SWAP_LAST):
            first = self.id_swap_last
            if last_of(self.aboard[OARS]) is not None:
                ids.append(first)
            if last_of(self.aboard[SAILS]) is not None:
                ids.append(first + 1)
        if self.powers and self.may_use(me, SALVAGE):
            first = self.id_salvage
            ids += [first + x for x in dict.fromkeys(self.discard[me])]
        if self.powers and self.may_use(me, PASS):
            ids.append(self.id_pass)
        return ids

    def do_boarding_board(self, c: int, b: int) -> None:
        me = self.me
        # S4.3.1
        self.hand[me].remove(c)
        self.aboard[b].append(Owned(me, c))

    def why_boarding_board(self, c: int, b: int) -> tuple[Any, ...]:
        me = self.me
        return (("c in hand[me]", c in self.hand[me], (("hand", me),)), ("b in boards(c)", b in self.boards(c), ()))

    def do_boarding_propose(self, cs: tuple[int, ...]) -> None:
        me = self.me
        # S-a, S-j
        if len(self.hand[me]) < self.enough and self.takeoff_rule != LITERAL:
            self.excused[me] = True
        # S4.3.1.B, S-c, S-g
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

    def do_boarding_recall(self, x: int) -> None:
        me = self.me
        # SF1
        self.rampart_up[me] = False
        for b in EVERY_SHAPE:
            for g in [g for g in self.aboard[b] if g.owner == me and g.card == x]:
                put(self.hand[me], self.take(self.aboard[b], g, 67).card)

    def why_boarding_recall(self, x: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("x in Card", x in EVERY_CARD, ()),
            (
                "any(b in Shape where lies_on(me, x, b))",
                self.lies_on(me, x, OARS) or self.lies_on(me, x, SAILS),
                (("aboard", None),),
            ),
            ("may_use(me, recall)", self.may_use(me, RECALL), (("power", me), ("rampart_up", me))),
        )

    def do_boarding_double(self) -> int:
        me = self.me
        # SF1
        self.rampart_up[me] = False
        return self.visit(PHASE_DOUBLE)

    def why_boarding_double(self) -> tuple[Any, ...]:
        me = self.me
        return (
            (
                "may_use(me, double) and size(hand[me]) >= 2",
                self.may_use(me, DOUBLE) and len(self.hand[me]) >= 2,
                (("power", me), ("rampart_up", me)),
            ),
        )

    def do_boarding_spy(self, p: int) -> None:
        me = self.me
        # SF1
        self.rampart_up[me] = False
        self.spying[me] = tuple([q for q in self.players if q in self.spying[me] or q == p])

    def why_boarding_spy(self, p: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("p in players", p in self.players, ()),
            ("p != me", p != me, ()),
            ("may_use(me, spy)", self.may_use(me, SPY), (("power", me), ("rampart_up", me))),
        )

    def do_boarding_swap_last(self, b: int) -> None:
        me = self.me
        # SF1, S-j
        self.rampart_up[me] = False
        moving = last_of(self.aboard[b])
        for other in EVERY_SHAPE:
            if other != b:
                self.aboard[other].append(self.take(self.aboard[b], moving, 88))

    def why_boarding_swap_last(self, b: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("b in Shape", b in EVERY_SHAPE, ()),
            ("last(aboard[b]) != none", last_of(self.aboard[b]) is not None, (("aboard", None),)),
            ("may_use(me, swap_last)", self.may_use(me, SWAP_LAST), (("power", me), ("rampart_up", me))),
        )

    def do_boarding_salvage(self, x: int) -> None:
        me = self.me
        # SF1
        self.rampart_up[me] = False
        self.discard[me].remove(x)
        put(self.hand[me], x)

    def why_boarding_salvage(self, x: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("x in discard[me]", x in self.discard[me], (("discard", me),)),
            ("may_use(me, salvage)", self.may_use(me, SALVAGE), (("power", me), ("rampart_up", me))),
        )

    def do_boarding_pass(self) -> None:
        me = self.me
        # SF1
        self.rampart_up[me] = False

    def why_boarding_pass(self) -> tuple[Any, ...]:
        me = self.me
        return (("may_use(me, pass)", self.may_use(me, PASS), (("power", me), ("rampart_up", me))),)

    # --------------------------------------------------------------------------------------------- takeoff

    def enter_takeoff(self) -> int | None:
        # S4.4.1
        self.revealed = True
        # S4.4.2, S4.4.3, S-d, S4.4.4, S-b, S-h: Who answers for what is overloaded loses; so do those who sent the
        # fewest.
        most = max([self.groups_sent(p) for p in self.players])
        fewest = min([self.groups_sent(p) for p in self.players])
        least = min([self.sent(p) for p in self.players])
        for p in self.players:
            short = self.groups_sent(p) == fewest if fewest < most else most > 0 and self.sent(p) == least
            self.owed[p] = len([b for b in EVERY_SHAPE if self.answers(p, b)]) + (1 if short else 0)
        # S4.4.4, S-b, S-e: Where a card is lacking all that was owed has grown, and nobody takes any card any more.
        if any(self.owed[q] > len(self.reserve[q]) for q in self.players):
            for p in self.players:
                self.tentacles[p] = max(3 - len(self.reserve[p]), 0) + self.owed[p]
                self.owed[p] = 0
        return PHASE_END if any(self.tentacles[p] > 3 for p in self.players) else PHASE_PAY

    # ------------------------------------------------------------------------------- pay: S4.4.4, S-b, S-h

    def enter_pay(self) -> int | None:
        # S4.4.1: It still is; a position that starts here need not say so.
        self.revealed = True
        # S-b: As in boarding.
        for p in self.players:
            self.tentacles[p] = max(3 - len(self.reserve[p]), 0)
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
        return [first + c for c in dict.fromkeys(self.reserve[me])]

    def do_pay_take(self, c: int) -> None:
        me = self.me
        self.reserve[me].remove(c)
        put(self.hand[me], c)
        self.owed[me] -= 1
        self.tentacles[me] = max(3 - len(self.reserve[me]), 0)

    def told_pay_take(self, viewer: int, c: int) -> tuple[bool, ...]:
        me = self.me
        return (viewer == me,)

    def why_pay_take(self, c: int) -> tuple[Any, ...]:
        me = self.me
        return (("c in reserve[me]", c in self.reserve[me], (("reserve", me),)),)

    # ----------------------------------------------------------------------------------------------- clear

    def enter_clear(self) -> int | None:
        # S4.4.5, S-i: All cards that were played go back to whose they are.
        for b in EVERY_SHAPE:
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
        # S4.1.B: The next first is who has the least in reserve; of several the nearest clockwise, the last first at
        # the end.
        self.first = min(self.clockwise(self.left(self.first)), key=lambda p: len(self.reserve[p]), default=None)
        # S4.1.A, S4.2.2, S-f
        if self.shape_shower is not None:
            self.shape_shower = self.left(self.shape_shower)
        # SF1
        if self.powers:
            for p in self.players:
                self.spying[p] = ()
        return PHASE_BUILD

    # --------------------------------------------------------------------------------------- hide: S3, S-h

    def enter_hide(self) -> int | None:
        self.queue = list(self.players)
        return self.next_hide()

    def next_hide(self) -> int | None:
        while self.queue:
            me = self.me = self.queue[0]
            if len(self.reserve[me]) != 2:
                self.actor = self.me
                return None
            del self.queue[0]
        return PHASE_BUILD

    def legal_hide(self) -> list[int]:
        me = self.me
        first = self.id_hide
        return [first + c for c in dict.fromkeys(self.hand[me]) if NUMBER_OF[c] == 0 or NUMBER_OF[c] == 5]

    def do_hide_hide(self, c: int) -> None:
        me = self.me
        self.hand[me].remove(c)
        put(self.reserve[me], c)

    def told_hide_hide(self, viewer: int, c: int) -> tuple[bool, ...]:
        me = self.me
        return (viewer == me,)

    def why_hide_hide(self, c: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("c.number == 0 or c.number == 5", NUMBER_OF[c] == 0 or NUMBER_OF[c] == 5, ()),
        )

    # ----------------------------------------------------------------------------------------- double: SF1

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
        return [first + c * 2 + b for c in dict.fromkeys(self.hand[me]) for b in self.boards(c)]

    def rest_double(self) -> tuple[Any, ...]:
        me = self.me
        return ("group in 1..2", (("hand", me),))

    def do_double_board(self, c: int, b: int) -> None:
        me = self.me
        self.hand[me].remove(c)
        self.aboard[b].append(Owned(me, c))

    def why_double_board(self, c: int, b: int) -> tuple[Any, ...]:
        me = self.me
        return (("c in hand[me]", c in self.hand[me], (("hand", me),)), ("b in boards(c)", b in self.boards(c), ()))

    # ------------------------------------------------------------------------------------------ the result

    def rank(self, me: int) -> tuple[int, int]:
        """The higher ranks first."""
        # S4.4.4, S-e
        return (-self.tentacles[me], self.sent(me) if any(self.sent(p) > 0 for p in self.players) else self.boarded(me))

    def lost(self) -> bool:
        """All lose."""
        for p in self.players:
            if self.tentacles[p] <= 3:
                return False
        return True

    def invariant_0(self) -> bool:
        """every card is somewhere of its owner's or aboard"""
        return sum(
            [
                len(self.hand[p]) + len(self.reserve[p]) + len(held(self.construction[p])) + len(self.discard[p])
                for p in self.players
            ]
        ) + len(self.aboard[OARS]) + len(self.aboard[SAILS]) == self.each_has * len(self.players)

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

    def measure_2(self) -> list[tuple[int, ...]]:
        """nothing is overloaded, at takeoff"""
        return [(all(not self.overloaded(b) for b in EVERY_SHAPE),)]

    def measure_3(self) -> list[tuple[int, ...]]:
        """overloaded at the takeoff, at takeoff"""
        # S4.4.2
        return [(b, self.overloaded(b)) for b in EVERY_SHAPE]

    def measure_4(self) -> list[tuple[int, ...]]:
        """passengers at the takeoff, at takeoff"""
        return [(b, sum([self.passengers(p, b) for p in self.players])) for b in EVERY_SHAPE]

    def measure_5(self) -> list[tuple[int, ...]]:
        """places at the takeoff, at takeoff"""
        return [(b, self.places(b)) for b in EVERY_SHAPE]

    def measure_6(self) -> list[tuple[int, ...]]:
        """losses of a round, at pay"""
        # S4.4.4, S-b, S-h
        return [(p, self.owed[p]) for p in self.players]

    def measure_7(self) -> list[tuple[int, ...]]:
        """all are overgrown, at end"""
        return [(all(self.tentacles[p] > 3 for p in self.players),)]

    def measure_8(self) -> list[tuple[int, ...]]:
        """tentacles at the end, at end"""
        return [(p, self.tentacles[p]) for p in self.players]

    def measure_9_boarding_recall(self, x: int) -> list[tuple[int, ...]]:
        """powers used, at boarding.recall"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]

    def measure_9_boarding_double(self) -> list[tuple[int, ...]]:
        """powers used, at boarding.double"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]

    def measure_9_boarding_spy(self, p: int) -> list[tuple[int, ...]]:
        """powers used, at boarding.spy"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]

    def measure_9_boarding_swap_last(self, b: int) -> list[tuple[int, ...]]:
        """powers used, at boarding.swap_last"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]

    def measure_9_boarding_salvage(self, x: int) -> list[tuple[int, ...]]:
        """powers used, at boarding.salvage"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]

    def measure_9_boarding_pass(self) -> list[tuple[int, ...]]:
        """powers used, at boarding.pass"""
        me = self.me
        return [(w, 1) for w in EVERY_POWER if w == self.power[me]]


def seats(players: range, options: dict[str, int | Any]) -> int:
    return len(players)


def longest(players: range, options: dict[str, int | Any]) -> int:
    return 20000


def overlays(players: range, options: dict[str, int | Any]) -> dict[str, bool]:
    return {"powers": bool(options["asymmetric"])}


def requires(players: range, options: dict[str, int | Any]) -> list[str]:
    return []


def accepted_2(players: range, options: dict[str, int | Any]) -> bool:
    return options["takeoff_rule"] == LITERAL


VARIANT = Variant(
    name="flying_saucer",
    says="Saucers are built half in secret and boarded by turns; overloaded ones and stragglers grow tentacles.",
    spec="sha256:135afb1db1d3f7ce87b340bd919bed4293104a848d58d4f95b24f2a1e0664c50",
    source="flying_saucer.yaml",
    players=range(2, 7),
    options=(
        Option("first", Maybe(SEAT, "random"), None, (None, 1), "Who starts the first round.", "option_first"),
        Option("asymmetric", BOOL, False, (False, True), "Every rampart has a power.", "asymmetric"),
        Option(
            "takeoff_rule",
            Takeoff_rule,
            DECLARED,
            (DECLARED, LITERAL),
            "What ends the boarding - a proposal with an empty hand counts, or the text as it stands.",
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
        Zone("reserve", "reserve", (SEAT,), Card, "unordered", Position.sees_reserve),
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
        Variable("declared", "excused", (SEAT,), BOOL, Position.everyone),
        Variable("owed", "owed", (SEAT,), Int(0, 5), Position.everyone),
        Variable("tentacles", "tentacles", (SEAT,), Int(0, 8), Position.everyone),
        Variable("power", "power", (SEAT,), Maybe(Power), Position.everyone, only=lambda options: options["powers"]),
        Variable("spying", "spying", (SEAT,), SetOf(SEAT), Position.everyone, only=lambda options: options["powers"]),
        Variable("rampart_up", "rampart_up", (SEAT,), BOOL, Position.everyone, only=lambda options: options["powers"]),
    ),
    actions=(
        Action("build", "id_build", (Card, Shape)),
        Action("board", "id_board", (Card, Shape)),
        Action("propose", "id_propose", (Several(Card, 2),), ("index_propose_cs",)),
        Action("power", "id_recall", (Card,), key="recall", only=lambda options: options["powers"]),
        Action("power", "id_double", key="double", only=lambda options: options["powers"]),
        Action("power", "id_spy", (SEAT,), key="spy", only=lambda options: options["powers"]),
        Action("power", "id_swap_last", (Shape,), key="swap_last", only=lambda options: options["powers"]),
        Action("power", "id_salvage", (Card,), key="salvage", only=lambda options: options["powers"]),
        Action("power", "id_pass", key="pass", only=lambda options: options["powers"]),
        Action("take", "id_take", (Card,)),
        Action("hide", "id_hide", (Card,)),
    ),
    outcomes=(Action("first", "id_first", (SEAT,)),),
    phases=(
        Phase(
            "draw_first",
            "chance",
            Position.enter_draw_first,
            Position.next_draw_first,
            chance=Position.outcomes,
            does={"first": Position.do_draw_first_first},
        ),
        Phase(
            "build",
            "together",
            Position.enter_build,
            Position.next_build,
            legal=Position.legal_build,
            does={"build": Position.do_build_build},
            told={"build": Position.told_build_build},
            why={"build": Position.why_build_build},
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
                "swap_last": Position.do_boarding_swap_last,
                "salvage": Position.do_boarding_salvage,
                "pass": Position.do_boarding_pass,
            },
            why={
                "board": Position.why_boarding_board,
                "propose": Position.why_boarding_propose,
                "recall": Position.why_boarding_recall,
                "double": Position.why_boarding_double,
                "spy": Position.why_boarding_spy,
                "swap_last": Position.why_boarding_swap_last,
                "salvage": Position.why_boarding_salvage,
                "pass": Position.why_boarding_pass,
            },
            settled=("first",),
        ),
        Phase("takeoff", "automatic", Position.enter_takeoff, settled=("first",)),
        Phase(
            "develop",
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
            "hide",
            "together",
            Position.enter_hide,
            Position.next_hide,
            legal=Position.legal_hide,
            does={"hide": Position.do_hide_hide},
            told={"hide": Position.told_hide_hide},
            why={"hide": Position.why_hide_hide},
            settled=("first",),
        ),
        Phase(
            "double",
            "turns",
            Position.enter_double,
            Position.next_double,
            legal=Position.legal_double,
            does={"board": Position.do_double_board},
            why={"board": Position.why_double_board},
            hosts=("boarding",),
            settled=("first",),
            entries=Int(1, 2),
            rest=Position.rest_double,
            only=lambda options: options["powers"],
        ),
    ),
    switches={"powers": "powers"},
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
            ),
        ),
        Measure("nothing is overloaded", "bool", (Moment("takeoff", "", Position.measure_2),)),
        Measure("overloaded at the takeoff", "bool", (Moment("takeoff", "", Position.measure_3),), (Shape,), ("b",)),
        Measure("passengers at the takeoff", "number", (Moment("takeoff", "", Position.measure_4),), (Shape,), ("b",)),
        Measure("places at the takeoff", "number", (Moment("takeoff", "", Position.measure_5),), (Shape,), ("b",)),
        Measure("losses of a round", "number", (Moment("develop", "", Position.measure_6),), (SEAT,), ("p",)),
        Measure("all are overgrown", "bool", (Moment("", "", Position.measure_7),)),
        Measure("tentacles at the end", "number", (Moment("", "", Position.measure_8),), (SEAT,), ("p",)),
        Measure(
            "powers used",
            "count",
            (
                Moment("boarding", "recall", Position.measure_9_boarding_recall),
                Moment("boarding", "double", Position.measure_9_boarding_double),
                Moment("boarding", "spy", Position.measure_9_boarding_spy),
                Moment("boarding", "swap_last", Position.measure_9_boarding_swap_last),
                Moment("boarding", "salvage", Position.measure_9_boarding_salvage),
                Moment("boarding", "pass", Position.measure_9_boarding_pass),
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
        "S2": "Two to six play, each with a colour of its own: eight ordinary cards, three tentacle cards, eight small cards for the hints, and one rampart.",
        "S3": "Before the game everybody hides two of its tentacle cards behind its rampart without showing which, and holds the remaining one with the ordinary cards, nine in all.",
        "S4.1.A": "The first round is opened by whoever saw a flying saucer most recently. When two play, that player turns its pack of numbers and the other its pack of shapes.",
        "S4.1.B": "Each later round is opened by whoever has grown the most tentacles, which is to say keeps the fewest cards behind the rampart. Of several, the last round's first player yields, and the closest one clockwise from it is taken.",
        "S4.2.1": "Everybody builds with one hidden hand card; a 5 gets its saucer when the hint is laid. With two or three players only the builder may look at the card; with four to six it lies towards the left neighbour, who sees it too.",
        "S4.2.2": "When two play, a turned pack of numbers means that you show your shape this round, and a turned pack of shapes that you show your number. Afterwards each turns the pack it showed from, so the two change roles every round; in the first, the opening player shows its shape.",
        "S4.2.3": "The number built is shown openly when two play, and a builder of 5 then keeps the shape it chose hidden on its card. With three to five players the right neighbour sees the number; with six the first and second opponents to the right do.",
        "S4.2.4": "The shape built is shown openly when two play. With three players the left neighbour sees it; with four the second opponent to the left; with five or six the second and third.",
        "S4.2.5": "Whatever was laid in front of you or at your side is yours to inspect, as often as you wish.",
        "S4.3.1": "Clockwise from the first player, each either embarks a hand card openly on the saucer of its shape, a 5 on the saucer it likes, or proposes the takeoff. Embarking is over as soon as an activation ends with at least one card from each player in the discard.",
        "S4.3.1.B": "To propose the takeoff, throw away two hand cards of your choice if you can. With an empty hand, announce that you had nothing to throw.",
        "S4.4.1": "At the takeoff all see what everybody built, and for a 5 the saucer it was built for.",
        "S4.4.2": "A saucer is overloaded when its passengers outnumber its places. The owner of the latest group on it grows one tentacle, for every such saucer.",
        "S4.4.3": "A saucer that is not overloaded flies off and sends all its groups. Whoever sent the fewest groups, alone or with others, grows one tentacle; where all are level, passengers sent are compared in their place.",
        "S4.4.4": "A tentacle moves one card of your choice from behind your rampart to your hand; having to take one where none is left ends the game. The victory goes to the fewest tentacles, then to the most passengers sent in this last round (embarked, if no passenger at all was sent), and is shared if that is level too; should all lose at once, the monsters have won.",
        "S4.4.5": "Otherwise everybody recovers what it played, and another round starts.",
        "S5": "In the asymmetric game ramparts start face up. A face-up rampart offers its owner a power, and is flipped on its back once that is used; a round that would start with every rampart on its back flips all of them face up first.",
        "S-a": "Under takeoff_rule: declared, a proposal with an empty hand counts as a card in the discard. Under literal it does not, and the check has to find the endless round. (Why: Whoever has embarked its whole hand can never discard, so by the text alone the turns would not stop; and the text already makes that player announce it.)",
        "S-b": "The tentacles of a seat are 1 until all have hidden their cards, then 3 less the cards behind its rampart, plus those that could not be taken. (Why: The text reads tentacles off the cards behind the rampart, and the one in hand makes the first; so the fourth, at which its introduction ends the game, is the one that has no card left.)",
        "S-c": "A proposal with a single card in hand discards it. (Why: The text tells of two cards and of none; only who has discarded none must say so, so one card is to be used.)",
        "S-d": "If all are level in passengers as well as in groups, each grows a tentacle, except that none grows when no group whatever was sent. (Why: Where all are level all have the fewest, and the sibling game decides both cases in this way.)",
        "S-e": "As soon as a tentacle cannot be taken the game is over, and no card is chosen any more. All lose when every seat owed a tentacle that it had no card for; they then share rank 1. (Why: The text goes from the missing card straight to who wins, and the lack of a card is its only way to lose outright.)",
        "S-f": "Of two players, the one whose shape is shown picks the saucer of its 5 as well. (Why: The text grants the choice with that hint only to more than two, but the hint cannot be laid without it.)",
        "S-g": "Everyone can see which cards have been discarded. (Why: The text does not say how they lie, and the sibling game shows them.)",
        "S-h": "What is hidden behind the rampart, and what is taken from there, is chosen in secret and by all at the same time, a card each step. (Why: The first choice is secret by the text, the other goes into a hidden hand, and no order is named.)",
        "S-i": "Rounds in which no tentacle grows may follow one another without limit. (Why: As in balloon, nothing in the text limits them.)",
        "S-j": "Having declared holds even if salvage or recall later brings a card into the hand, and is never set under literal. In the tie-break none sent means no passenger of any player, so a group of 0 does not count, and only groups aboard at the takeoff are embarked; after swap_last the moved group is the latest where it now is, so that its owner pays if that saucer is overloaded. (Why: Nothing in the text takes a declaration back, its tie-break speaks of passengers, and a saucer is judged as it stands at the takeoff.)",
        "SF1": "One power each, by seat: 0 recall (take back an own group that is aboard), 1 double (embark two cards, one by one), 2 spy (see both hints of one opponent for the rest of the round), 3 swap_last (the last group of a saucer goes to the end of the other, whatever its shape), 4 salvage (take back a card of one's own discard), 5 pass (nothing). A power takes the place of the owner's action and needs its whole effect to be possible; with fewer players, only the powers of the seats that play are in use.",
        "SF2": "The cards match those of balloon: the ordinary ones are 1 to 4 in oars and in sails, the tentacle cards 0 oars, 0 sails and a 5 of no shape.",
    },
)
