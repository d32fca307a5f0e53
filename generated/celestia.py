"""celestia: One airship, many captains. Stay aboard while the captain can answer the dice, or leave with what the city
offers. Compiled from celestia.yaml: edit that, never this.
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
    Several,
    Tray,
    Variable,
    Variant,
    Words,
    Zone,
    attribute,
)
from aeronef.runtime.kernel import CHANCE, NOBODY, copies, first_of, otherwise, pour, put, rolls, stocked
from aeronef.runtime.kernel import Position as Kernel

FOG, LIGHTNING, BIRDS, PIRATES, BLANK = EVERY_EVENT = range(5)
Event = Words("Event", ("fog", "lightning", "birds", "pirates", "blank"))

OPTIONAL, COMPULSORY = range(2)
Turbo = Words("turbo", ("optional", "compulsory"))

EVERY_CITY = range(1, 10)

# C1.5, CF2: label, copies, answers
CARD_TABLE = (
    ("compass", 20, FOG),
    ("rod", 18, LIGHTNING),
    ("horn", 16, BIRDS),
    ("cannon", 14, PIRATES),
    ("turbo", 8, None),
    ("eject", 2, None),
    ("reroute", 2, None),
    ("gust", 2, None),
    ("jetpack", 2, None),
)
Card = Cards(
    "Card",
    tuple([row[0] for row in CARD_TABLE]),
    tuple([row[1] for row in CARD_TABLE]),
    {
        5: lambda options: options["power_cards"],
        6: lambda options: options["power_cards"],
        7: lambda options: options["power_cards"],
        8: lambda options: options["power_cards"],
    },
)
TURBO, EJECT, REROUTE, GUST, JETPACK = 4, 5, 6, 7, 8
ANSWERS_OF = attribute([row[2] for row in CARD_TABLE])

# CF3: label, copies, points
TREASURE_TABLE = (
    ("1", 1, 1),
    ("2", 1, 2),
    ("3", 1, 3),
    ("4", 1, 4),
    ("5", 1, 5),
    ("6", 1, 6),
    ("7", 1, 7),
    ("8", 1, 8),
    ("9", 1, 9),
    ("10", 1, 10),
    ("12", 1, 12),
    ("13", 1, 13),
    ("15", 1, 15),
    ("20", 1, 20),
    ("25", 1, 25),
    ("spyglass", 1, 2),
)
Treasure = Cards("Treasure", tuple([row[0] for row in TREASURE_TABLE]), tuple([row[1] for row in TREASURE_TABLE]))
SPYGLASS = 15
POINTS_OF = attribute([row[2] for row in TREASURE_TABLE])

# CF1: how often each face is on it: fog, lightning, birds, pirates, blank
DIE = (1, 1, 1, 1, 2)

# How many dice are rolled on the way to a city.
# C1.1, C2.1, CF1: for each 2..9: 2..4
EVENTS: tuple[int, ...] = (2, 2, 2, 3, 3, 3, 4, 4)

# How many of each treasure lie beside a city.
# C1.2, CF3: for each 1..9, Treasure: 0..9
STOCK: tuple[tuple[int, ...], ...] = (
    (5, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
    (0, 5, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
    (0, 0, 0, 5, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
    (0, 0, 0, 0, 0, 5, 3, 1, 0, 0, 0, 0, 0, 0, 0, 1),
    (0, 0, 0, 0, 0, 0, 0, 0, 6, 3, 0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 3, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0),
)

(
    PHASE_LOTS,
    PHASE_DEAL,
    PHASE_ALONE,
    PHASE_EVENTS,
    PHASE_DECIDE,
    PHASE_TREASURE,
    PHASE_FACE,
    PHASE_PAY,
    PHASE_MOVE,
    PHASE_HAUL,
    PHASE_WRECK,
    PHASE_VOYAGE_OVER,
    PHASE_NEW_VOYAGE,
    PHASE_POWER,
    PHASE_ROLL_AGAIN,
    PHASE_ESCAPE,
    PHASE_RESCUE,
    PHASE_END,
    PHASE_BACK,
) = range(19)


class Position(Kernel):
    """Where a game of celestia stands, and its rules, phase by phase."""

    __slots__ = ("aboard", "captain", "city", "deck", "dice", "discard", "hand", "loot", "spent", "treasure", "voyage")

    powers: bool  # C2.3, CF4
    spyglass: bool  # CF5
    turbo: int  # C3.4, C-c
    first: int | Any  # C1.6
    power_cards: bool  # There are power cards, and a time to play them. (C2.3, CF4)
    spyglasses: bool  # A spyglass saves the airship. (CF5)
    every_card: list[int]
    deck: list[int]  # cards (C1.5, C-f)
    hand: list[list[int]]  # each seat: cards (C1.5)
    discard: list[int]  # cards (C3.2)
    treasure: list[list[int]]  # each 1..9: cards (C1.2)
    loot: list[list[int]]  # each seat: cards (C2.2)
    dice: list[int]  # what at most 4 Die show (C2.1)
    # Spyglasses that were given up.
    spent: list[int]  # cards (CF5)
    # Where the airship is.
    city: int  # 1..9 (C1.3)
    captain: int | Any  # seat? (C1.6, C5)
    voyage: int  # count (C6)
    aboard: list[bool]  # each seat: bool (C1.4, C2.2)
    id_fly_on: int  # 0
    id_land: int
    id_stay: int
    id_leave: int
    id_answer: int
    id_crash: int
    id_pay: int
    id_eject: int
    id_reroute: int
    id_gust: int
    id_pass: int
    id_jetpack: int
    id_spyglass: int
    id_first: int  # 0
    id_draw: int
    id_roll: int
    index_roll_es: dict[tuple[int, ...], int]
    id_treasure: int

    def start(self) -> None:
        self.deck = sorted([c for c in self.every_card for _ in range(Card.copies[c])])
        self.hand = [[] for _ in self.seats]
        self.discard = []
        self.treasure = [stocked(row) for row in STOCK]
        self.loot = [[] for _ in self.seats]
        self.dice = []
        self.spent = []
        self.city = 1
        self.captain = self.first
        self.voyage = 1
        self.aboard = [True for _ in self.seats]

    def copy(self) -> Self:
        new = Kernel.copy(self)
        new.deck = self.deck[:]
        new.hand = [part[:] for part in self.hand]
        new.discard = self.discard[:]
        new.treasure = [part[:] for part in self.treasure]
        new.loot = [part[:] for part in self.loot]
        new.dice = self.dice[:]
        new.spent = self.spent[:]
        new.city = self.city
        new.captain = self.captain
        new.voyage = self.voyage
        new.aboard = self.aboard[:]
        return new

    # ------------------------------------------------------------------------------------ what is computed

    def next_city(self) -> int | Any:
        # C1.1, C-e
        return first_of([c for c in range(2, 10) if c > self.city and len(self.treasure[c - 1]) > 0])

    def treasures_left(self) -> bool:
        # C-e
        return len(self.treasure[self.city - 1]) > 0

    def unrolled(self) -> int:
        # C2.1: Dice that are still to be rolled.
        return max(EVENTS[otherwise(self.next_city(), 9) - 2] - len(self.dice), 0)

    def missing(self, p: int) -> int:
        # C3.1: Symbols for which it has no equipment.
        return sum([max(self.shown(e) - self.matching(p, e), 0) for e in EVERY_EVENT if e != BLANK])

    def shown(self, e: int) -> int:
        return len([f for f in self.dice if f == e])

    def matching(self, p: int, e: int) -> int:
        return len([c for c in self.hand[p] if ANSWERS_OF[c] == e])

    def turbos(self, p: int) -> int:
        return len([c for c in self.hand[p] if c == TURBO])

    def total(self, p: int) -> int:
        # C0
        return sum([POINTS_OF[t] for t in self.loot[p]])

    # --------------------------------------------------------------------------------------- who sees what

    def everyone(self, viewer: int, owner: int | None = None) -> bool:
        """Everyone sees discard, dice, spent, city, captain, voyage, aboard."""
        return True

    def nobody(self, viewer: int, owner: int | None = None) -> bool:
        """Nobody sees deck, treasure."""
        return False

    def sees_hand(self, viewer: int, owner: int) -> bool:
        # C1.5
        return viewer == owner

    def sees_loot(self, viewer: int, owner: int) -> bool:
        # C2.2
        return viewer == owner

    # ------------------------------------------------------------------------------------------ lots: C1.6

    def enter_lots(self) -> int | None:
        return self.next_lots()

    def next_lots(self) -> int | None:
        if self.captain is None:
            self.me = NOBODY
            self.actor = CHANCE
            return None
        return PHASE_DEAL

    def chance_lots(self) -> list[tuple[int, int]]:
        return [(p, 1) for p in self.players]

    def do_lots_first(self, p: int) -> None:
        self.captain = p

    # ------------------------------------------------------------------------------------------ deal: C1.5

    def enter_deal(self) -> int | None:
        self.queue = list(self.players)
        return self.next_deal()

    def next_deal(self) -> int | None:
        while self.queue:
            me = self.me = self.queue[0]
            if len(self.hand[me]) != (8 if len(self.players) <= 3 else 6):
                # C1.5, C-f
                if len(self.deck) == 0:
                    pour(self.discard, self.deck)
                self.actor = CHANCE
                return None
            del self.queue[0]
        return PHASE_ALONE

    def chance_deal(self) -> list[tuple[int, int]]:
        me = self.me
        first = self.id_draw + me * len(self.every_card)
        return [(first + c, weight) for c, weight in copies(self.deck)]

    def do_deal_draw(self, me: int, c: int) -> None:
        self.deck.remove(c)
        put(self.hand[me], c)

    def told_deal_draw(self, viewer: int, me: int, c: int) -> tuple[bool, ...]:
        return (True, viewer == me)

    # ------------------------------------------------------------------------------------------ alone: C-a

    def enter_alone(self) -> int | None:
        self.queue = [self.captain]
        return self.next_alone()

    def next_alone(self) -> int | None:
        while self.queue:
            self.me = self.queue.pop(0)
            if all(p == self.captain for p in self.players if self.aboard[p]):
                self.actor = self.me
                return None
        return PHASE_EVENTS

    def legal_alone(self) -> list[int]:
        ids = [self.id_fly_on]
        if len(self.treasure[self.city - 1]) > 0:
            ids.append(self.id_land)
        return ids

    def do_alone_fly_on(self) -> None:
        """Nothing changes."""

    def do_alone_land(self) -> int:
        # C-a
        return self.leave(PHASE_HAUL)

    def why_alone_land(self) -> tuple[Any, ...]:
        return (("treasures_left", len(self.treasure[self.city - 1]) > 0, (("city", None),)),)

    # ---------------------------------------------------------------------------------------- events: C2.1

    def enter_events(self) -> int | None:
        self.me = NOBODY
        self.actor = CHANCE
        return None

    def next_events(self) -> int | None:
        return PHASE_DECIDE

    def chance_events(self) -> list[tuple[int, int]]:
        first = self.id_roll
        return [(first + self.index_roll_es[es], weight) for es, weight in rolls(DIE, self.unrolled())]

    def do_events_roll(self, es: tuple[int, ...]) -> None:
        self.lay(self.dice, es, 4, 132)

    # ---------------------------------------------------------------------------------------- decide: C2.2

    def enter_decide(self) -> int | None:
        self.queue = [p for p in self.clockwise(self.left(self.captain)) if self.aboard[p] and p != self.captain]
        return self.next_decide()

    def next_decide(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_POWER if self.power_cards else PHASE_FACE

    def legal_decide(self) -> list[int]:
        ids = [self.id_stay]
        if len(self.treasure[self.city - 1]) > 0:
            ids.append(self.id_leave)
        return ids

    def do_decide_stay(self) -> None:
        """Nothing changes."""

    def do_decide_leave(self) -> int:
        me = self.me
        # C2.2
        self.aboard[me] = False
        return self.visit(PHASE_TREASURE)

    def why_decide_leave(self) -> tuple[Any, ...]:
        return (("treasures_left", len(self.treasure[self.city - 1]) > 0, (("city", None),)),)

    # -------------------------------------------------------------------------------------- treasure: C2.2

    def enter_treasure(self) -> int | None:
        me = self.visitor()
        self.queue = [me]
        return self.next_treasure()

    def next_treasure(self) -> int | None:
        if self.queue:
            self.me = self.queue.pop(0)
            self.actor = CHANCE
            return None
        return PHASE_BACK

    def chance_treasure(self) -> list[tuple[int, int]]:
        me = self.me
        first = self.id_treasure + me * 16
        return [(first + t, weight) for t, weight in copies(self.treasure[self.city - 1])]

    def do_treasure_treasure(self, me: int, t: int) -> None:
        put(self.loot[me], self.take(self.treasure[self.city - 1], t, 153))

    def told_treasure_treasure(self, viewer: int, me: int, t: int) -> tuple[bool, ...]:
        return (True, viewer == me)

    # ------------------------------------------------------------------------------------------------ face

    def enter_face(self) -> int | None:
        self.queue = [self.captain]
        return self.next_face()

    def next_face(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_PAY

    def legal_face(self) -> list[int]:
        me = self.me
        ids: list[int] = []
        if self.missing(me) <= self.turbos(me):
            ids.append(self.id_answer)
        if self.missing(me) > (self.turbos(me) if self.turbo == COMPULSORY else 0):
            ids.append(self.id_crash)
        return ids

    def do_face_answer(self) -> None:
        """Nothing changes."""
        # C3.1

    def why_face_answer(self) -> tuple[Any, ...]:
        me = self.me
        return (("missing(me) <= turbos(me)", self.missing(me) <= self.turbos(me), (("dice", None), ("hand", me))),)

    def do_face_crash(self) -> int:
        # C3.3, C3.4, C-c
        return self.leave(PHASE_RESCUE if self.spyglasses else PHASE_WRECK)

    def why_face_crash(self) -> tuple[Any, ...]:
        me = self.me
        return (
            (
                "missing(me) > (turbos(me) if turbo == compulsory else 0)",
                self.missing(me) > (self.turbos(me) if self.turbo == COMPULSORY else 0),
                (("dice", None), ("hand", me)),
            ),
        )

    # ------------------------------------------------------------------------------------------- pay: C3.1

    def enter_pay(self) -> int | None:
        self.queue = [self.captain]
        return self.next_pay()

    def next_pay(self) -> int | None:
        del self.row[:1]
        while self.queue and not self.row:
            self.me = self.queue.pop(0)
            self.row = [e for e in self.dice if e != BLANK]
        if self.row:
            self.actor = self.me
            return None
        return PHASE_MOVE

    def legal_pay(self) -> list[int]:
        return self.completing(Position.choices_pay)

    def choices_pay(self) -> list[int]:
        me = self.me
        e = self.row[0]
        first = self.id_pay
        return [first + c for c in dict.fromkeys(self.hand[me]) if ANSWERS_OF[c] == e or c == TURBO]

    def rest_pay(self) -> tuple[Any, ...]:
        me = self.me
        return ("e in dice where e != blank", (("dice", None), ("hand", me)))

    def do_pay_pay(self, c: int) -> None:
        me = self.me
        # C3.1, C3.2
        self.hand[me].remove(c)
        put(self.discard, c)

    def why_pay_pay(self, c: int) -> tuple[Any, ...]:
        me = self.me
        e = self.row[0]
        return (
            ("c in hand[me]", c in self.hand[me], (("hand", me),)),
            ("c.answers == e or c == Card.turbo", ANSWERS_OF[c] == e or c == TURBO, ()),
        )

    # ------------------------------------------------------------------------------------------------ move

    def enter_move(self) -> int | None:
        # C3.2
        self.city = otherwise(self.next_city(), self.city)
        # C3.2
        self.dice.clear()
        # C5, C-b, C-d: Where the voyage goes on the next aboard to the left leads; an only one goes on leading.
        if self.next_city() is not None:
            self.captain = otherwise(
                first_of([p for p in self.clockwise(self.left(self.captain)) if self.aboard[p]]), self.captain
            )
        return PHASE_HAUL if self.next_city() is None else PHASE_ALONE

    # -------------------------------------------------------------------------------------- haul: C-a, C-d

    def enter_haul(self) -> int | None:
        self.queue = [p for p in self.clockwise(self.captain) if self.aboard[p]]
        return self.next_haul()

    def next_haul(self) -> int | None:
        while self.queue:
            self.me = self.queue.pop(0)
            if len(self.treasure[self.city - 1]) > 0:
                self.actor = CHANCE
                return None
        return PHASE_VOYAGE_OVER

    def chance_haul(self) -> list[tuple[int, int]]:
        me = self.me
        first = self.id_treasure + me * 16
        return [(first + t, weight) for t, weight in copies(self.treasure[self.city - 1])]

    def do_haul_treasure(self, me: int, t: int) -> None:
        put(self.loot[me], self.take(self.treasure[self.city - 1], t, 199))

    def told_haul_treasure(self, viewer: int, me: int, t: int) -> tuple[bool, ...]:
        return (True, viewer == me)

    # ----------------------------------------------------------------------------------------- wreck: C3.3

    def enter_wreck(self) -> int | None:
        """The airship is lost, and those aboard get nothing."""
        return PHASE_ESCAPE if self.power_cards else PHASE_VOYAGE_OVER

    # ------------------------------------------------------------------------------------- voyage_over: C7

    def enter_voyage_over(self) -> int | None:
        self.dice.clear()
        return PHASE_END if any(self.total(p) >= 50 for p in self.players) else PHASE_NEW_VOYAGE

    # --------------------------------------------------------------------------------- new_voyage: C6, C-f

    def enter_new_voyage(self) -> int | None:
        # C6
        self.city = 1
        for p in self.players:
            self.aboard[p] = True
        self.voyage += 1
        # C-g
        self.captain = self.left(self.captain)
        self.queue = self.clockwise(self.captain)
        return self.next_new_voyage()

    def next_new_voyage(self) -> int | None:
        while self.queue:
            self.me = self.queue.pop(0)
            if len(self.deck) > 0 or len(self.discard) > 0:
                # C1.5, C-f
                if len(self.deck) == 0:
                    pour(self.discard, self.deck)
                self.actor = CHANCE
                return None
        return PHASE_ALONE

    def chance_new_voyage(self) -> list[tuple[int, int]]:
        me = self.me
        first = self.id_draw + me * len(self.every_card)
        return [(first + c, weight) for c, weight in copies(self.deck)]

    def do_new_voyage_draw(self, me: int, c: int) -> None:
        self.deck.remove(c)
        put(self.hand[me], c)

    def told_new_voyage_draw(self, viewer: int, me: int, c: int) -> tuple[bool, ...]:
        return (True, viewer == me)

    # ------------------------------------------------------------------------------------ power: C2.3, C-h

    def enter_power(self) -> int | None:
        self.queue = self.asked_power()
        return self.next_power()

    def asked_power(self) -> list[int]:
        return self.clockwise(self.left(self.captain))

    def next_power(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_FACE

    def legal_power(self) -> list[int]:
        me = self.me
        ids: list[int] = []
        if EJECT in self.hand[me] and self.aboard[me] and len(self.treasure[self.city - 1]) > 0:
            first = self.id_eject
            ids += [first + p for p in self.players if self.aboard[p] and p != self.captain and p != me]
        if REROUTE in self.hand[me]:
            first = self.id_reroute
            ids += [first + e for e in dict.fromkeys(self.dice)]
        if GUST in self.hand[me] and BLANK in self.dice:
            ids.append(self.id_gust)
        ids.append(self.id_pass)
        return ids

    def do_power_eject(self, p: int) -> int:
        me = self.me
        # CF4
        put(self.discard, self.take(self.hand[me], EJECT, 250))
        self.aboard[p] = False
        self.queue = self.around(self.asked_power(), self.me, itself=True)
        return self.visit(PHASE_TREASURE, p)

    def why_power_eject(self, p: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("p in players", p in self.players, ()),
            (
                "aboard[p] and p != captain and p != me",
                self.aboard[p] and p != self.captain and p != me,
                (("aboard", None), ("captain", None)),
            ),
            (
                "Card.eject in hand[me] and aboard[me] and treasures_left",
                EJECT in self.hand[me] and self.aboard[me] and len(self.treasure[self.city - 1]) > 0,
                (("hand", me), ("aboard", me), ("city", None)),
            ),
        )

    def do_power_reroute(self, e: int) -> int:
        me = self.me
        # CF4
        put(self.discard, self.take(self.hand[me], REROUTE, 259))
        self.lift(self.dice, (e,), 260)
        self.queue = self.around(self.asked_power(), self.me, itself=True)
        return self.visit(PHASE_ROLL_AGAIN)

    def why_power_reroute(self, e: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("e in dice", e in self.dice, (("dice", None),)),
            ("Card.reroute in hand[me]", REROUTE in self.hand[me], (("hand", me),)),
        )

    def do_power_gust(self) -> int:
        me = self.me
        # CF4
        put(self.discard, self.take(self.hand[me], GUST, 267))
        self.lift(self.dice, [e for e in self.dice if e == BLANK], 268)
        self.queue = self.around(self.asked_power(), self.me, itself=True)
        return self.visit(PHASE_ROLL_AGAIN)

    def why_power_gust(self) -> tuple[Any, ...]:
        me = self.me
        return (
            (
                "Card.gust in hand[me] and blank in dice",
                GUST in self.hand[me] and BLANK in self.dice,
                (("hand", me), ("dice", None)),
            ),
        )

    def do_power_pass(self) -> None:
        """Nothing changes."""

    # ------------------------------------------------------------------------------------- roll_again: CF4

    def enter_roll_again(self) -> int | None:
        self.me = NOBODY
        self.actor = CHANCE
        return None

    def next_roll_again(self) -> int | None:
        return PHASE_BACK

    def chance_roll_again(self) -> list[tuple[int, int]]:
        first = self.id_roll
        return [(first + self.index_roll_es[es], weight) for es, weight in rolls(DIE, self.unrolled())]

    def do_roll_again_roll(self, es: tuple[int, ...]) -> None:
        self.lay(self.dice, es, 4, 279)

    # ----------------------------------------------------------------------------------------- escape: CF4

    def enter_escape(self) -> int | None:
        self.queue = [p for p in self.clockwise(self.left(self.captain)) if self.aboard[p]]
        return self.next_escape()

    def next_escape(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_VOYAGE_OVER

    def legal_escape(self) -> list[int]:
        me = self.me
        ids = [self.id_pass]
        if JETPACK in self.hand[me] and len(self.treasure[self.city - 1]) > 0:
            ids.append(self.id_jetpack)
        return ids

    def do_escape_jetpack(self) -> int:
        me = self.me
        # CF4
        put(self.discard, self.take(self.hand[me], JETPACK, 288))
        return self.visit(PHASE_TREASURE)

    def why_escape_jetpack(self) -> tuple[Any, ...]:
        me = self.me
        return (
            (
                "Card.jetpack in hand[me] and treasures_left",
                JETPACK in self.hand[me] and len(self.treasure[self.city - 1]) > 0,
                (("hand", me), ("city", None)),
            ),
        )

    def do_escape_pass(self) -> None:
        """Nothing changes."""

    # ----------------------------------------------------------------------------------------- rescue: CF5

    def enter_rescue(self) -> int | None:
        self.queue = [p for p in self.clockwise(self.left(self.captain)) if self.aboard[p]]
        return self.next_rescue()

    def next_rescue(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_WRECK

    def legal_rescue(self) -> list[int]:
        me = self.me
        ids = [self.id_pass]
        if SPYGLASS in self.loot[me]:
            ids.append(self.id_spyglass)
        return ids

    def do_rescue_pass(self) -> None:
        """Nothing changes."""

    def do_rescue_spyglass(self) -> int:
        me = self.me
        # CF5
        put(self.spent, self.take(self.loot[me], SPYGLASS, 311))
        return self.leave(PHASE_MOVE)

    def why_rescue_spyglass(self) -> tuple[Any, ...]:
        me = self.me
        return (("Treasure.spyglass in loot[me]", SPYGLASS in self.loot[me], (("loot", me),)),)

    # ------------------------------------------------------------------------------------------ the result

    def rank(self, me: int) -> tuple[int]:
        """The higher ranks first."""
        # C0, C7, C-g
        return (self.total(me),)

    def invariant_0(self) -> bool:
        """the captain is aboard"""
        return self.captain is None or self.aboard[self.captain]

    def invariant_1(self) -> bool:
        """somebody is aboard"""
        return any(self.aboard)

    def invariant_2(self) -> bool:
        """no more dice than the next city asks for"""
        return len(self.dice) <= EVENTS[otherwise(self.next_city(), 9) - 2]

    # ------------------------------------------------------------------------------------ what is measured

    def measure_0(self) -> list[tuple[int, ...]]:
        """voyages, at end"""
        return [(self.voyage,)]

    def measure_1_move(self) -> list[tuple[int, ...]]:
        """flights to a city that crash, at move"""
        # C3.3
        next_city = self.next_city()
        return [(destination - 1, False) for destination in EVERY_CITY if destination == next_city]

    def measure_1_wreck(self) -> list[tuple[int, ...]]:
        """flights to a city that crash, at wreck"""
        # C3.3
        next_city = self.next_city()
        return [(destination - 1, True) for destination in EVERY_CITY if destination == next_city]

    def measure_2_decide_stay(self) -> list[tuple[int, ...]]:
        """passengers who leave, at decide.stay"""
        # C2.2
        return [(stop - 1, False) for stop in EVERY_CITY if stop == self.city]

    def measure_2_decide_leave(self) -> list[tuple[int, ...]]:
        """passengers who leave, at decide.leave"""
        # C2.2
        return [(stop - 1, True) for stop in EVERY_CITY if stop == self.city]

    def measure_3(self) -> list[tuple[int, ...]]:
        """city at which a voyage ends, at voyage_over"""
        return [(self.city,)]

    def measure_4(self) -> list[tuple[int, ...]]:
        """points of a seat, at end"""
        return [(p, self.total(p)) for p in self.players]


def seats(players: range, options: dict[str, int | Any]) -> int:
    return len(players)


def longest(players: range, options: dict[str, int | Any]) -> int:
    return 50000


def overlays(players: range, options: dict[str, int | Any]) -> dict[str, bool]:
    return {"power_cards": bool(options["powers"]), "spyglasses": bool(options["spyglass"])}


def requires(players: range, options: dict[str, int | Any]) -> list[str]:
    return []


VARIANT = Variant(
    name="celestia",
    says="One airship, many captains. Stay aboard while the captain can answer the dice, or leave with what the city offers.",
    spec="sha256:4a3b589c76f3818cca848d99d9b9f7e401c8f11bece60ec22dca65f10a486541",
    source="celestia.yaml",
    players=range(2, 7),
    options=(
        Option("powers", BOOL, True, (False, True), "The eight power cards are in the deck.", "powers"),
        Option("spyglass", BOOL, False, (False, True), "A spyglass can be given up to save the airship.", "spyglass"),
        Option(
            "turbo",
            Turbo,
            OPTIONAL,
            (OPTIONAL, COMPULSORY),
            "Whether a captain must answer who can do so with turbos only.",
            "turbo",
        ),
        Option("first", Maybe(SEAT, "random"), None, (None, 1), "Who is captain at first.", "first"),
    ),
    seats=seats,
    longest=longest,
    requires=requires,
    overlays=overlays,
    position=Position,
    zones=(
        Zone("deck", "deck", (), Card, "unordered", Position.nobody),
        Zone("hand", "hand", (SEAT,), Card, "unordered", Position.sees_hand),
        Zone("discard", "discard", (), Card, "unordered", Position.everyone),
        Zone("treasure", "treasure", (Int(1, 9),), Treasure, "unordered", Position.nobody, stocked=True),
        Zone("loot", "loot", (SEAT,), Treasure, "unordered", Position.sees_loot),
        Zone(
            "spent", "spent", (), Treasure, "unordered", Position.everyone, only=lambda options: options["spyglasses"]
        ),
    ),
    trays=(Tray("dice", "dice", (), Event, 4, "unordered", Position.everyone),),
    variables=(
        Variable("city", "city", (), Int(1, 9), Position.everyone),
        Variable("captain", "captain", (), Maybe(SEAT), Position.everyone),
        Variable("voyage", "voyage", (), COUNT, Position.everyone),
        Variable("aboard", "aboard", (SEAT,), BOOL, Position.everyone),
    ),
    actions=(
        Action("fly_on", "id_fly_on"),
        Action("land", "id_land"),
        Action("stay", "id_stay"),
        Action("leave", "id_leave"),
        Action("answer", "id_answer"),
        Action("crash", "id_crash"),
        Action("pay", "id_pay", (Card,)),
        Action("eject", "id_eject", (SEAT,), only=lambda options: options["power_cards"]),
        Action("reroute", "id_reroute", (Event,), only=lambda options: options["power_cards"]),
        Action("gust", "id_gust", only=lambda options: options["power_cards"]),
        Action("pass", "id_pass", only=lambda options: options["power_cards"] or options["spyglasses"]),
        Action("jetpack", "id_jetpack", only=lambda options: options["power_cards"]),
        Action("spyglass", "id_spyglass", only=lambda options: options["spyglasses"]),
    ),
    outcomes=(
        Action("first", "id_first", (SEAT,)),
        Action("draw", "id_draw", (SEAT, Card)),
        Action("roll", "id_roll", (Several(Event, 4, ", "),), ("index_roll_es",)),
        Action("treasure", "id_treasure", (SEAT, Treasure)),
    ),
    phases=(
        Phase(
            "lots",
            "chance",
            Position.enter_lots,
            Position.next_lots,
            chance=Position.chance_lots,
            does={"first": Position.do_lots_first},
        ),
        Phase(
            "deal",
            "chance",
            Position.enter_deal,
            Position.next_deal,
            chance=Position.chance_deal,
            does={"draw": Position.do_deal_draw},
            told={"draw": Position.told_deal_draw},
            settled=("captain",),
        ),
        Phase(
            "alone",
            "turns",
            Position.enter_alone,
            Position.next_alone,
            legal=Position.legal_alone,
            does={"fly_on": Position.do_alone_fly_on, "land": Position.do_alone_land},
            why={"land": Position.why_alone_land},
            settled=("captain",),
        ),
        Phase(
            "events",
            "chance",
            Position.enter_events,
            Position.next_events,
            chance=Position.chance_events,
            does={"roll": Position.do_events_roll},
            settled=("captain",),
        ),
        Phase(
            "decide",
            "turns",
            Position.enter_decide,
            Position.next_decide,
            legal=Position.legal_decide,
            does={"stay": Position.do_decide_stay, "leave": Position.do_decide_leave},
            why={"leave": Position.why_decide_leave},
            settled=("captain",),
        ),
        Phase(
            "treasure",
            "chance",
            Position.enter_treasure,
            Position.next_treasure,
            chance=Position.chance_treasure,
            does={"treasure": Position.do_treasure_treasure},
            told={"treasure": Position.told_treasure_treasure},
            hosts=("decide", "power", "escape"),
            settled=("captain",),
        ),
        Phase(
            "face",
            "turns",
            Position.enter_face,
            Position.next_face,
            legal=Position.legal_face,
            does={"answer": Position.do_face_answer, "crash": Position.do_face_crash},
            why={"answer": Position.why_face_answer, "crash": Position.why_face_crash},
            settled=("captain",),
        ),
        Phase(
            "pay",
            "turns",
            Position.enter_pay,
            Position.next_pay,
            legal=Position.legal_pay,
            does={"pay": Position.do_pay_pay},
            why={"pay": Position.why_pay_pay},
            settled=("captain",),
            entries=Event,
            rest=Position.rest_pay,
        ),
        Phase("move", "automatic", Position.enter_move, settled=("captain",)),
        Phase(
            "haul",
            "chance",
            Position.enter_haul,
            Position.next_haul,
            chance=Position.chance_haul,
            does={"treasure": Position.do_haul_treasure},
            told={"treasure": Position.told_haul_treasure},
            settled=("captain",),
        ),
        Phase("wreck", "automatic", Position.enter_wreck, settled=("captain",)),
        Phase("voyage_over", "automatic", Position.enter_voyage_over, settled=("captain",)),
        Phase(
            "new_voyage",
            "chance",
            Position.enter_new_voyage,
            Position.next_new_voyage,
            chance=Position.chance_new_voyage,
            does={"draw": Position.do_new_voyage_draw},
            told={"draw": Position.told_new_voyage_draw},
            settled=("captain",),
        ),
        Phase(
            "power",
            "turns",
            Position.enter_power,
            Position.next_power,
            legal=Position.legal_power,
            does={
                "eject": Position.do_power_eject,
                "reroute": Position.do_power_reroute,
                "gust": Position.do_power_gust,
                "pass": Position.do_power_pass,
            },
            why={
                "eject": Position.why_power_eject,
                "reroute": Position.why_power_reroute,
                "gust": Position.why_power_gust,
            },
            settled=("captain",),
            only=lambda options: options["power_cards"],
        ),
        Phase(
            "roll_again",
            "chance",
            Position.enter_roll_again,
            Position.next_roll_again,
            chance=Position.chance_roll_again,
            does={"roll": Position.do_roll_again_roll},
            hosts=("power",),
            settled=("captain",),
            only=lambda options: options["power_cards"],
        ),
        Phase(
            "escape",
            "turns",
            Position.enter_escape,
            Position.next_escape,
            legal=Position.legal_escape,
            does={"jetpack": Position.do_escape_jetpack, "pass": Position.do_escape_pass},
            why={"jetpack": Position.why_escape_jetpack},
            settled=("captain",),
            only=lambda options: options["power_cards"],
        ),
        Phase(
            "rescue",
            "turns",
            Position.enter_rescue,
            Position.next_rescue,
            legal=Position.legal_rescue,
            does={"pass": Position.do_rescue_pass, "spyglass": Position.do_rescue_spyglass},
            why={"spyglass": Position.why_rescue_spyglass},
            settled=("captain",),
            only=lambda options: options["spyglasses"],
        ),
    ),
    switches={"power_cards": "power_cards", "spyglasses": "spyglasses"},
    partial=((Card, "every_card", "card_place"),),
    invariants=(
        ("the captain is aboard", Position.invariant_0),
        ("somebody is aboard", Position.invariant_1),
        ("no more dice than the next city asks for", Position.invariant_2),
    ),
    measures=(
        Measure("voyages", "number", (Moment("", "", Position.measure_0),)),
        Measure(
            "flights to a city that crash",
            "bool",
            (Moment("move", "", Position.measure_1_move), Moment("wreck", "", Position.measure_1_wreck)),
            (Int(1, 9),),
            ("destination",),
        ),
        Measure(
            "passengers who leave",
            "bool",
            (
                Moment("decide", "stay", Position.measure_2_decide_stay),
                Moment("decide", "leave", Position.measure_2_decide_leave),
            ),
            (Int(1, 9),),
            ("stop",),
        ),
        Measure("city at which a voyage ends", "number", (Moment("voyage_over", "", Position.measure_3),)),
        Measure("points of a seat", "number", (Moment("", "", Position.measure_4),), (SEAT,), ("p",)),
    ),
    accepts=(Accept("AE715", "result"),),
    clauses={
        "C0": "Whoever has gathered the most treasure points in the end has won.",
        "C1.1": "Nine cities lie in a row, from the poorest, worth 1, up to the richest, worth 25.",
        "C1.2": "Beside each city lies a pile of treasures of its own, shuffled and face down.",
        "C1.3": "The airship sets out from the first city.",
        "C1.4": "Everybody begins aboard.",
        "C1.5": "Equipment, power and turbo cards are one deck. Two or three players are dealt eight cards each, more of them six. A hand is its owner's secret; how many cards it has is not.",
        "C1.6": "One player is chosen to be the captain at first.",
        "C2.1": "The captain rolls the events that lie ahead, as many dice as the next city asks for, before anybody plays a card.",
        "C2.2": "Beginning at the captain's left, everybody else aboard declares in turn to stay or to leave. Whoever leaves draws a treasure of the city at which the airship is, keeps it secret and may look at it, and waits for the next voyage. The captain has to stay.",
        "C2.3": "Between the last declaration and the captain's answer anybody may play power cards, the captain included, more than one in a turn.",
        "C3.1": "The captain faces the dice with a fitting equipment card for each that shows a symbol; a turbo fits any of them.",
        "C3.2": "If every symbol is answered, the cards are spent and the airship flies on to the next city.",
        "C3.3": "If not, no equipment is spent; the airship is lost, those aboard get nothing, and another voyage starts.",
        "C3.4": "A captain who is able to answer has to.",
        "C5": "Whether the airship arrived or was lost, the role of captain passes to the nearest player aboard on the left; who has left cannot have it.",
        "C6": "A voyage starts with the airship at the first city and everybody aboard, and everybody draws a card.",
        "C7": "Between two voyages whoever has 50 points or more has to say so. That ends the game, and the highest total wins.",
        "C-a": "A captain with nobody else aboard may land instead of rolling, which is worth a treasure of the city and ends the voyage. After the roll it has to face the dice, even if all others have left by then. (Why: The text hints at one case in which a captain may give up the airship and does not say which; before the roll is the last moment at which nothing has been risked.)",
        "C-b": "A captain who is alone remains captain. (Why: There is nobody to hand over to.)",
        "C-c": "Who can answer with equipment alone must. Answering with turbos is a choice (turbo - optional), or is as compulsory as with equipment (turbo - compulsory). (Why: The text names equipment only where it says that the captain must play, and turbos where it says with what it succeeds; so both readings stand.)",
        "C-d": "A voyage ends at the last city, or at the last that has treasures left. Those aboard take one each, clockwise, the captain who flew there first, until there are none; then the totals are looked at. (Why: The text has no word for the end of the row, and there is nothing to fly to from there.)",
        "C-e": "The airship passes over cities that have no treasures left, and where there is none nobody can leave, land, be thrown out or escape. A voyage still starts at the first city. (Why: Leaving is drawing a treasure, so it needs one.)",
        "C-f": "When a card is to be drawn and none is left, what was discarded becomes the deck; if there is none either, nobody draws. The card for a new voyage may be of any sort, and is drawn clockwise from its captain on. (Why: The text calls it an equipment card, but there is one deck; and the order matters when cards run out.)",
        "C-g": "A new voyage is led by the seat to the left of the one that led at last. Equal totals share the win. (Why: Everybody is aboard again, so the nearest player to the left is the next seat.)",
        "C-h": "Every seat is asked whether it plays a power card, whether it is aboard and holds one or not, clockwise from the captain's left, and may always pass. After a card the next seat is asked; when all have passed in a row, who played last too, nobody is asked any more. (Why: If only those were asked who hold one, all would know who does.)",
        "CF1": "The cities are worth 1, 2, 4, 6, 9, 12, 15, 20 and 25; on the way to the second and each further one 2, 2, 2, 3, 3, 3, 4 and 4 dice are rolled. Two sides of a die are blank, the other four show fog, lightning, birds and pirates.",
        "CF2": "84 cards - 20 compasses against fog, 18 lightning rods, 16 horns against birds, 14 cannons against pirates, 8 turbos, and two each of the four powers.",
        "CF3": "78 treasures - 11 for each of the first two cities, 10 for the next two, 9 for the two after these, 6 for each of the last three. Their points are an estimate, most of them what the city is worth. The first four cities have a spyglass each, which is worth 2.",
        "CF4": "Power cards. With eject somebody aboard throws another passenger out, with a treasure; with reroute one die is rolled again, with gust all blank ones; with jetpack somebody aboard takes a treasure and gets away when the airship is lost.",
        "CF5": "A variant with spyglasses - when the airship is about to be lost, somebody aboard can give up a spyglass, and it flies on as if all had been answered.",
    },
)
