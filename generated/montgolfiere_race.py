"""montgolfiere_race: A balloon race to the Moon. Everybody plays a card unseen; gas, storms, ballast, engines and hooks
decide who climbs. Compiled from montgolfiere_race.yaml: edit that, never this.
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
    Variable,
    Variant,
    Words,
    Zone,
    attribute,
)
from aeronef.runtime.kernel import CHANCE, copies, held, pour, put
from aeronef.runtime.kernel import Position as Kernel

BALLAST, HOOK, GAS, STORM, ENGINE = range(5)
Kind = Words("Kind", ("ballast", "hook", "gas", "storm", "engine"))

ASK, OPEN, CLOSED = range(3)
Squadron = Words("squadron", ("ask", "open", "closed"))

# R1: label, copies, kind, weight
CARD_TABLE = (
    ("ballast 1", 1, BALLAST, 1),
    ("ballast 2", 1, BALLAST, 2),
    ("ballast 3", 1, BALLAST, 3),
    ("ballast 4", 1, BALLAST, 4),
    ("ballast 5", 1, BALLAST, 5),
    ("ballast 6", 1, BALLAST, 6),
    ("ballast 7", 1, BALLAST, 7),
    ("ballast 8", 1, BALLAST, 8),
    ("ballast 9", 1, BALLAST, 9),
    ("ballast 10", 1, BALLAST, 10),
    ("ballast 11", 1, BALLAST, 11),
    ("ballast 12", 1, BALLAST, 12),
    ("ballast 13", 1, BALLAST, 13),
    ("ballast 14", 1, BALLAST, 14),
    ("ballast 15", 1, BALLAST, 15),
    ("hook", 4, HOOK, None),
    ("gas", 2, GAS, None),
    ("storm", 2, STORM, None),
    ("engine", 1, ENGINE, None),
)
Card = Cards("Card", tuple([row[0] for row in CARD_TABLE]), tuple([row[1] for row in CARD_TABLE]))
KIND_OF = attribute([row[2] for row in CARD_TABLE])
WEIGHT_OF = attribute([row[3] for row in CARD_TABLE])

(
    PHASE_DEAL,
    PHASE_BARON_DRAWS,
    PHASE_SHOW,
    PHASE_CHOOSE,
    PHASE_REVEAL,
    PHASE_HOOK,
    PHASE_MOVE,
    PHASE_SET_ASIDE,
    PHASE_REFILL,
    PHASE_NEXT_ROUND,
    PHASE_FINISH,
    PHASE_NEW_GAME,
    PHASE_END,
) = range(13)


class Position(Kernel):
    """Where a game of montgolfiere_race stands, and its rules, phase by phase."""

    __slots__ = (
        "altitude",
        "cancelled",
        "committed",
        "game",
        "hand",
        "pile",
        "rate",
        "round",
        "score",
        "shown",
        "spent",
        "table",
    )

    baron: bool  # R8
    squadron: int  # R7.1, R7.2
    target: int  # R2.2
    pile: list[list[int]]  # each seat: cards (R1, R3)
    hand: list[list[int]]  # each seat: cards (R3, R7.1)
    committed: list[int | Any]  # each seat: one card (R4.1, R8)
    table: list[int | Any]  # each seat: one card (R4.1)
    spent: list[list[int]]  # each seat: cards (R4.2)
    altitude: list[int]  # each seat: 1..15 (R1, R3)
    shown: list[bool]  # each seat: bool (R7.1)
    cancelled: list[bool]  # each seat: bool (R5.2)
    # The movement this round once it is settled.
    rate: list[int | Any]  # each seat: -1..2? (R-e)
    score: list[int]  # each seat: 0..1019 (R2.2)
    round: int  # count (R4.2)
    game: int  # count (R2.2)
    id_show: int  # 0
    id_keep: int
    id_play: int
    id_hook: int
    id_draw: int  # 0

    def start(self) -> None:
        self.pile = [list(Card.deck) for _ in self.seats]
        self.hand = [[] for _ in self.seats]
        self.committed = [None for _ in self.seats]
        self.table = [None for _ in self.seats]
        self.spent = [[] for _ in self.seats]
        self.altitude = [5 for _ in self.seats]
        self.shown = [False for _ in self.seats]
        self.cancelled = [False for _ in self.seats]
        self.rate = [None for _ in self.seats]
        self.score = [0 for _ in self.seats]
        self.round = 1
        self.game = 1

    def copy(self) -> Self:
        new = Kernel.copy(self)
        new.pile = [part[:] for part in self.pile]
        new.hand = [part[:] for part in self.hand]
        new.committed = self.committed[:]
        new.table = self.table[:]
        new.spent = [part[:] for part in self.spent]
        new.altitude = self.altitude[:]
        new.shown = self.shown[:]
        new.cancelled = self.cancelled[:]
        new.rate = self.rate[:]
        new.score = self.score[:]
        new.round = self.round
        new.game = self.game
        return new

    # ------------------------------------------------------------------------------------ what is computed

    def level(self, a: int, b: int) -> bool:
        return self.altitude[a] == self.altitude[b]

    def live(self, p: int, k: int) -> bool:
        # R5.2
        return KIND_OF[self.table[p]] == k and not self.cancelled[p]

    def twins(self, p: int) -> int:
        # R7.3, R7.4
        return len(
            [
                q
                for q in self.seats
                if self.altitude[p] == self.altitude[q]
                and self.live(q, BALLAST)
                and WEIGHT_OF[self.table[q]] == WEIGHT_OF[self.table[p]]
            ]
        )

    def strength(self, p: int) -> int:
        # R7.3
        twins = self.twins(p)
        return (WEIGHT_OF[self.table[p]] or 0) + (twins if twins >= 2 else 0)

    def strongest(self) -> int:
        # R5.4
        return max([self.strength(p) for p in self.seats if self.live(p, BALLAST)], default=0)

    def storm_blows(self) -> bool:
        # R5.3
        return len([p for p in self.seats if self.live(p, STORM)]) % 2 == 1

    def rates_above(self, p: int) -> tuple[int, ...]:
        # R5.6, R-a
        return tuple(
            sorted(
                {
                    self.rate[q]
                    for q in self.seats
                    if self.altitude[q] == self.altitude[p] + 1 and self.rate[q] is not None
                }
            )
        )

    def moon(self) -> bool:
        return 15 in self.altitude

    # --------------------------------------------------------------------------------------- who sees what

    def everyone(self, viewer: int, owner: int | None = None) -> bool:
        """Everyone sees table, spent, altitude, shown, cancelled, rate, score, round, game."""
        return True

    def nobody(self, viewer: int, owner: int | None = None) -> bool:
        """Nobody sees pile."""
        return False

    def sees_hand(self, viewer: int, owner: int) -> bool:
        # R3, R7.1
        return viewer == owner or (self.shown[owner] and self.altitude[viewer] == self.altitude[owner])

    def sees_committed(self, viewer: int, owner: int) -> bool:
        # R4.1, R8
        return viewer == owner or (self.automaton(owner) and self.altitude[viewer] == self.altitude[owner])

    # -------------------------------------------------------------------------------------------- deal: R3

    def enter_deal(self) -> int | None:
        """Seven cards a player, seat by seat."""
        self.queue = list(self.players)
        return self.next_deal()

    def next_deal(self) -> int | None:
        while self.queue:
            me = self.me = self.queue[0]
            if len(self.hand[me]) != 7:
                self.actor = CHANCE
                return None
            del self.queue[0]
        return PHASE_BARON_DRAWS

    def chance_deal(self) -> list[tuple[int, int]]:
        me = self.me
        first = me * 19
        return [(first + c, weight) for c, weight in copies(self.pile[me])]

    def do_deal_draw(self, me: int, c: int) -> None:
        self.pile[me].remove(c)
        put(self.hand[me], c)

    def told_deal_draw(self, viewer: int, me: int, c: int) -> tuple[bool, ...]:
        return (True, viewer == me)

    # -------------------------------------------------------------------------------- baron_draws: R8, R-h

    def enter_baron_draws(self) -> int | None:
        self.queue = [p for p in self.seats if self.automaton(p)]
        return self.next_baron_draws()

    def next_baron_draws(self) -> int | None:
        if self.queue:
            self.me = self.queue.pop(0)
            self.actor = CHANCE
            return None
        return PHASE_SHOW

    def chance_baron_draws(self) -> list[tuple[int, int]]:
        me = self.me
        first = me * 19
        return [(first + c, weight) for c, weight in copies(self.pile[me])]

    def do_baron_draws_draw(self, me: int, c: int) -> None:
        self.pile[me].remove(c)
        self.committed[me] = c if self.committed[me] is None else self.overfull(102)

    def told_baron_draws_draw(self, viewer: int, me: int, c: int) -> tuple[bool, ...]:
        return (True, self.altitude[viewer] == self.altitude[me])

    # ------------------------------------------------------------------------------- show: R7.1, R7.2, R-g

    def enter_show(self) -> int | None:
        """Those who share a space with another player may show it their hand."""
        self.queue = [
            p
            for p in self.players
            if self.squadron == ASK and len([q for q in self.players if self.altitude[p] == self.altitude[q]]) >= 2
        ]
        return self.next_show()

    def next_show(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_CHOOSE

    def legal_show(self) -> list[int]:
        return [self.id_show, self.id_keep]

    def do_show_show(self) -> None:
        me = self.me
        self.shown[me] = True

    def do_show_keep(self) -> None:
        """Nothing changes."""

    # ---------------------------------------------------------------------------------------- choose: R4.1

    def enter_choose(self) -> int | None:
        # R7.1
        if self.squadron == OPEN:
            for p in self.players:
                self.shown[p] = True
        self.queue = list(self.players)
        return self.next_choose()

    def next_choose(self) -> int | None:
        if self.queue:
            self.me = self.actor = self.queue.pop(0)
            return None
        return PHASE_REVEAL

    def legal_choose(self) -> list[int]:
        me = self.me
        first = self.id_play
        return [first + c for c in dict.fromkeys(self.hand[me])]

    def do_choose_play(self, c: int) -> None:
        me = self.me
        # R4.1, R5.1
        self.hand[me].remove(c)
        self.committed[me] = c if self.committed[me] is None else self.overfull(128)

    def told_choose_play(self, viewer: int, c: int) -> tuple[bool, ...]:
        me = self.me
        return (viewer == me,)

    def why_choose_play(self, c: int) -> tuple[Any, ...]:
        me = self.me
        return (("c in hand[me]", c in self.hand[me], (("hand", me),)),)

    # ---------------------------------------------------------------------------------------------- reveal

    def enter_reveal(self) -> int | None:
        # R4.1: All cards are turned over at once.
        for p in self.seats:
            if self.committed[p] is not None:
                self.table[p] = self.fill(self.table[p], self.committed[p], 137)
                self.committed[p] = None
        # R5.0, R5.2, R-a, R-c: Gas, from the highest space down, puts everybody on the space just below to sleep, save
        # engines.
        for p in sorted(self.seats, key=lambda p: self.altitude[p], reverse=True):
            if self.live(p, GAS):
                for q in self.seats:
                    if self.altitude[q] == self.altitude[p] - 1 and KIND_OF[self.table[q]] != ENGINE:
                        self.cancelled[q] = True
        # R5.3, R5.4, R7.3: The strongest ballast climbs one space, in a storm it sinks one; other ballast stays.
        lift = -1 if self.storm_blows() else 1
        best = self.strongest()
        for p in self.seats:
            if self.live(p, BALLAST):
                self.rate[p] = lift if self.strength(p) == best else 0
        # R5.5: Engines climb two spaces, in a storm one.
        for p in self.seats:
            if self.live(p, ENGINE):
                self.rate[p] = 1 if self.storm_blows() else 2
        # R5.1, R5.2, R-e: Nothing else moves a balloon, but for the hooks, which come last.
        for p in [p for p in self.seats if self.rate[p] is None and not self.live(p, HOOK)]:
            self.rate[p] = 0
        return PHASE_HOOK

    # ------------------------------------------------------------------------------------- hook: R5.6, R-f

    def enter_hook(self) -> int | None:
        """From the highest space down, each hook takes the rate of those just above; where they differ, a player
        chooses.
        """
        self.queue = sorted([p for p in self.seats if self.live(p, HOOK)], key=lambda p: self.altitude[p], reverse=True)
        return self.next_hook()

    def next_hook(self) -> int | None:
        while self.queue:
            me = self.me = self.queue.pop(0)
            if len(self.rates_above(me)) >= 2 and not self.automaton(me):
                self.actor = self.me
                return None
            # R-e, R-f
            self.rate[me] = max(self.rates_above(me), default=0)
        return PHASE_MOVE

    def legal_hook(self) -> list[int]:
        me = self.me
        first = self.id_hook
        return [first + r + 1 for r in self.rates_above(me)]

    def do_hook_hook(self, r: int) -> None:
        me = self.me
        self.rate[me] = r

    def why_hook_hook(self, r: int) -> tuple[Any, ...]:
        me = self.me
        return (
            ("r in rates_above(me)", r in self.rates_above(me), (("rate", None), ("altitude", None), ("altitude", me))),
        )

    # ------------------------------------------------------------------------------------------------ move

    def enter_move(self) -> int | None:
        # R-b, R-c: All move at once; the bottom is space 1, the Moon space 15.
        for p in self.seats:
            self.altitude[p] = min(max(self.altitude[p] + (self.rate[p] or 0), 1), 15)
            self.shown[p] = False
            self.cancelled[p] = False
            self.rate[p] = None
        return PHASE_FINISH if 15 in self.altitude else PHASE_SET_ASIDE

    # ------------------------------------------------------------------------------------- set_aside: R4.2

    def enter_set_aside(self) -> int | None:
        for p in self.seats:
            if self.table[p] is not None:
                put(self.spent[p], self.table[p])
                self.table[p] = None
        return PHASE_REFILL

    # ---------------------------------------------------------------------------------------- refill: R4.2

    def enter_refill(self) -> int | None:
        self.queue = [p for p in self.players if len(self.pile[p]) > 0]
        return self.next_refill()

    def next_refill(self) -> int | None:
        if self.queue:
            self.me = self.queue.pop(0)
            self.actor = CHANCE
            return None
        return PHASE_FINISH if all(len(self.hand[p]) == 0 for p in self.players) else PHASE_NEXT_ROUND

    def chance_refill(self) -> list[tuple[int, int]]:
        me = self.me
        first = me * 19
        return [(first + c, weight) for c, weight in copies(self.pile[me])]

    def do_refill_draw(self, me: int, c: int) -> None:
        self.pile[me].remove(c)
        put(self.hand[me], c)

    def told_refill_draw(self, viewer: int, me: int, c: int) -> tuple[bool, ...]:
        return (True, viewer == me)

    # ------------------------------------------------------------------------------------ next_round: R4.2

    def enter_next_round(self) -> int | None:
        self.round += 1
        return PHASE_BARON_DRAWS

    # ---------------------------------------------------------------------------------------------- finish

    def enter_finish(self) -> int | None:
        # R2.2, R-d: Everybody scores the space it is on, and 5 more on the Moon.
        for p in self.seats:
            self.score[p] = self.within(
                self.score[p] + self.altitude[p] + (5 if self.altitude[p] == 15 else 0), 0, 1019, 218
            )
        return PHASE_END if self.target == 0 or max(self.score) >= self.target else PHASE_NEW_GAME

    # -------------------------------------------------------------------------------------- new_game: R2.2

    def enter_new_game(self) -> int | None:
        """Only the score and the number of the game carry over."""
        for p in self.seats:
            pour(self.hand[p], self.pile[p])
            if self.table[p] is not None:
                put(self.pile[p], self.table[p])
                self.table[p] = None
            pour(self.spent[p], self.pile[p])
            self.altitude[p] = 5
        self.round = 1
        self.game += 1
        return PHASE_DEAL

    # ------------------------------------------------------------------------------------------ the result

    def rank(self, me: int) -> tuple[int]:
        """The higher ranks first."""
        # R2.1, R2.2, R-d, R-i
        return (self.score[me],)

    def invariant_0(self) -> bool:
        """every card of a player is somewhere of his own"""
        for p in self.seats:
            if (
                len(self.pile[p])
                + len(self.hand[p])
                + len(held(self.committed[p]))
                + len(held(self.table[p]))
                + len(self.spent[p])
                != 24
            ):
                return False
        return True

    def invariant_1(self) -> bool:
        """nobody holds more than seven cards"""
        for p in self.seats:
            if len(self.hand[p]) > 7:
                return False
        return True

    def invariant_2(self) -> bool:
        """the Baron holds no cards"""
        for p in self.seats:
            if len(self.hand[p]) != 0 and self.automaton(p):
                return False
        return True

    def invariant_3(self) -> bool:
        """hands are shown only to those who may choose to"""
        for p in self.seats:
            if self.shown[p] and (self.squadron == CLOSED or self.automaton(p)):
                return False
        return True

    def invariant_4(self) -> bool:
        """only a card on the table can be cancelled"""
        for p in self.seats:
            if self.cancelled[p] and self.table[p] is None:
                return False
        return True

    # ------------------------------------------------------------------------------------ what is measured

    def measure_0(self) -> list[tuple[int, ...]]:
        """rounds, at choose"""
        return [(1,)]

    def measure_1(self) -> list[tuple[int, ...]]:
        """a balloon reaches the Moon, at finish"""
        # R2.1
        return [(15 in self.altitude,)]

    def measure_2(self) -> list[tuple[int, ...]]:
        """a storm blows, at hook"""
        # R5.3: Two storms that are awake cancel each other out.
        return [(self.storm_blows(),)]

    def measure_3(self, r: int) -> list[tuple[int, ...]]:
        """hooks with a choice, at hook.hook"""
        # R5.6
        return [(1,)]

    def measure_4(self) -> list[tuple[int, ...]]:
        """cards put to sleep, at hook"""
        return [
            (k, 1)
            for k in [KIND_OF[self.table[p]] for p in self.seats if self.table[p] is not None and self.cancelled[p]]
        ]

    def measure_5(self) -> list[tuple[int, ...]]:
        """altitude at the finish, at finish"""
        return [(p, self.altitude[p]) for p in self.seats]

    def measure_6(self) -> list[tuple[int, ...]]:
        """highest balloon by round, at choose"""
        return [(n - 1, max(self.altitude)) for n in range(1, 25) if n == self.round]


def seats(players: range, options: dict[str, int]) -> int:
    return len(players) + (1 if options["baron"] else 0)


def longest(players: range, options: dict[str, int]) -> int:
    return 700 * max(options["target"], 1)


def requires(players: range, options: dict[str, int]) -> list[str]:
    failed = []
    if not (len(players) <= 5 or not options["baron"]):
        failed.append("baron")
    return failed


VARIANT = Variant(
    name="montgolfiere_race",
    says="A balloon race to the Moon. Everybody plays a card unseen; gas, storms, ballast, engines and hooks decide who climbs.",
    spec="sha256:2f8a015915ce2806251680c4b4af23700521f201645ee55c5c6b47961c5310b5",
    source="montgolfiere_race.yaml",
    players=range(2, 7),
    options=(
        Option("baron", BOOL, False, (False, True), "The Black Baron flies along.", "baron"),
        Option(
            "squadron",
            Squadron,
            ASK,
            (ASK, OPEN, CLOSED),
            "Whether those on one space show each other their hands - each decides each round, always, or never.",
            "squadron",
        ),
        Option("target", Int(0, 1000), 0, (0, 20), "A match to so many points; 0 is a single game.", "target"),
    ),
    seats=seats,
    longest=longest,
    requires=requires,
    position=Position,
    zones=(
        Zone("pile", "pile", (SEAT,), Card, "unordered", Position.nobody),
        Zone("hand", "hand", (SEAT,), Card, "unordered", Position.sees_hand),
        Zone("committed", "committed", (SEAT,), Card, "slot", Position.sees_committed),
        Zone("table", "table", (SEAT,), Card, "slot", Position.everyone),
        Zone("spent", "spent", (SEAT,), Card, "unordered", Position.everyone),
    ),
    variables=(
        Variable("altitude", "altitude", (SEAT,), Int(1, 15), Position.everyone),
        Variable("shown", "shown", (SEAT,), BOOL, Position.everyone),
        Variable("cancelled", "cancelled", (SEAT,), BOOL, Position.everyone),
        Variable("rate", "rate", (SEAT,), Maybe(Int(-1, 2)), Position.everyone),
        Variable("score", "score", (SEAT,), Int(0, 1019), Position.everyone),
        Variable("round", "round", (), COUNT, Position.everyone),
        Variable("game", "game", (), COUNT, Position.everyone),
    ),
    actions=(
        Action("show", "id_show"),
        Action("keep", "id_keep"),
        Action("play", "id_play", (Card,)),
        Action("hook", "id_hook", (Int(-1, 2),)),
    ),
    outcomes=(Action("draw", "id_draw", (SEAT, Card)),),
    phases=(
        Phase(
            "deal",
            "chance",
            Position.enter_deal,
            Position.next_deal,
            chance=Position.chance_deal,
            does={"draw": Position.do_deal_draw},
            told={"draw": Position.told_deal_draw},
        ),
        Phase(
            "baron_draws",
            "chance",
            Position.enter_baron_draws,
            Position.next_baron_draws,
            chance=Position.chance_baron_draws,
            does={"draw": Position.do_baron_draws_draw},
            told={"draw": Position.told_baron_draws_draw},
        ),
        Phase(
            "show",
            "together",
            Position.enter_show,
            Position.next_show,
            legal=Position.legal_show,
            does={"show": Position.do_show_show, "keep": Position.do_show_keep},
        ),
        Phase(
            "choose",
            "together",
            Position.enter_choose,
            Position.next_choose,
            legal=Position.legal_choose,
            does={"play": Position.do_choose_play},
            told={"play": Position.told_choose_play},
            why={"play": Position.why_choose_play},
        ),
        Phase("reveal", "automatic", Position.enter_reveal),
        Phase(
            "hook",
            "turns",
            Position.enter_hook,
            Position.next_hook,
            legal=Position.legal_hook,
            does={"hook": Position.do_hook_hook},
            why={"hook": Position.why_hook_hook},
        ),
        Phase("move", "automatic", Position.enter_move),
        Phase("set_aside", "automatic", Position.enter_set_aside),
        Phase(
            "refill",
            "chance",
            Position.enter_refill,
            Position.next_refill,
            chance=Position.chance_refill,
            does={"draw": Position.do_refill_draw},
            told={"draw": Position.told_refill_draw},
        ),
        Phase("next_round", "automatic", Position.enter_next_round),
        Phase("finish", "automatic", Position.enter_finish),
        Phase("new_game", "automatic", Position.enter_new_game),
    ),
    invariants=(
        ("every card of a player is somewhere of his own", Position.invariant_0),
        ("nobody holds more than seven cards", Position.invariant_1),
        ("the Baron holds no cards", Position.invariant_2),
        ("hands are shown only to those who may choose to", Position.invariant_3),
        ("only a card on the table can be cancelled", Position.invariant_4),
    ),
    measures=(
        Measure("rounds", "count", (Moment("choose", "", Position.measure_0),)),
        Measure("a balloon reaches the Moon", "bool", (Moment("finish", "", Position.measure_1),)),
        Measure(
            "a storm blows",
            "bool",
            (Moment("hook", "", Position.measure_2),),
            says="Two storms that are awake cancel each other out.",
        ),
        Measure("hooks with a choice", "count", (Moment("hook", "hook", Position.measure_3),)),
        Measure("cards put to sleep", "count", (Moment("hook", "", Position.measure_4),), (Kind,), ("k",)),
        Measure("altitude at the finish", "number", (Moment("finish", "", Position.measure_5),), (SEAT,), ("p",)),
        Measure(
            "highest balloon by round", "number", (Moment("choose", "", Position.measure_6),), (Int(1, 24),), ("n",)
        ),
    ),
    accepts=(
        Accept("AE718", "phases.hook"),
        Accept("AE715", "result"),
    ),
    clauses={
        "R1": "The track has 15 spaces. Each seat owns one pawn and 24 cards: one ballast of every weight from 1 to 15, four hooks, two gas, two storms, one engine.",
        "R2.1": "Whoever gets to the Moon before the others has won, there and then. Failing that, the winner is the highest pawn once every card has been used.",
        "R2.2": "A match goes to a number of points agreed beforehand. Each game is worth the number of your space, with 5 on top for the Moon, which stops the game; the match goes to the first to have enough.",
        "R3": "Pawns begin on space 5. Every player shuffles its deck and takes seven cards from it in secret.",
        "R4.1": "A round begins with one hidden card from each player; they are revealed together.",
        "R4.2": "After the balloons have moved, used cards are put away and each player refills by one card. Once there is nothing to draw, the players use up what they hold.",
        "R5.0": "Cards take effect kind by kind: gas (top space first), storm, ballast, engine, hook.",
        "R5.1": "You may throw a card away by playing it where it can do nothing.",
        "R5.2": "Gas puts every card one space beneath its thrower to sleep, except engines, and reaches no other space. Gas that is itself asleep has no effect.",
        "R5.3": "When the storms still awake are odd in number, whoever would have climbed by ballast sinks one space instead. When they are even, it is as if there were none.",
        "R5.4": "The heaviest ballast awake lifts its owner one space, or sinks it one in a storm; equals move together. Lighter ballast does nothing.",
        "R5.5": "An engine lifts its owner two spaces whatever ballast is played, and one in a storm. No gas stops it.",
        "R5.6": "A hook copies the movement of a balloon one space higher, downward in a storm too, and may hang from another hook. If those balloons differ, the hook's owner picks one of their rates.",
        "R7.1": "A squadron is all the seats on one space; its members may let one another look into their hands while the rest see nothing.",
        "R7.2": "Nobody has to show its hand, or to keep a promise about its card.",
        "R7.3": "Two or more equal ballasts on one space gain as many points each as there are of them.",
        "R7.4": "Being in a squadron leaves the cards other than ballast as they are. The game starts with everybody in one.",
        "R8": "If a deck is spare, the Black Baron may fly with it as an automaton that plays its top card each round under the same rules. Players who share his space may peek at that card.",
        "R-a": "Above and below mean the very next space, occupied or not. (Why: The text speaks of the space next to yours, not of the next balloon; an empty space in between protects.)",
        "R-b": "The Moon is space 15, and nobody leaves the track: a move beyond either end stops at 15 or at 1. (Why: The text's own sum for reaching the Moon starts from 15, and it names no space beyond the fifteen.)",
        "R-c": "Who is above, below or level is judged by where everybody stood when the round began; then all move together. (Why: Chained balloons are said to move at the same time, and no order of moving is given.)",
        "R-d": "Several seats that land on the Moon together all take the bonus and share the win; equals at the top share it too when nobody lands there. A match that several finish together goes to the most points, equals sharing. (Why: Only a single winner is described, while moving together makes several possible.)",
        "R-e": "A hook that sleeps or finds nobody one space up has the rate 0, and 0 counts among the rates to choose from. The rate is what the card grants, not how far the ends of the track let the pawn go. (Why: A balloon that stands still is on the space above like any other, and a hook that holds nothing cannot pull.)",
        "R-f": "A hook's owner chooses openly after the reveal, and only between rates that really differ. Higher hooks are settled first, then by seat; the Baron always takes the largest. (Why: The choice needs the revealed cards, a lower hook needs the rate of the upper one, and an automaton cannot be asked.)",
        "R-g": "Under squadron: ask, those who share a space with another player say, all at the same moment and before any card is committed, whether they show their hand this round. The Baron is no company for this. (Why: The text lets players show at will; one simultaneous question a round keeps that without a back and forth, and the Baron holds no hand to look at.)",
        "R-h": "The Baron's card leaves his pile before anything else happens in the round. (Why: Those on his space may look at it before they choose, so it has to be settled by then.)",
        "R-i": "The Baron can win, alone or with others, and collects points in a match. He is ranked, but receives no return. (Why: He follows the usual rules, but nobody plays for him.)",
        "R-j": "Two to six players. (Why: The box holds six decks and the text sets no lower bound; squadrons and ballast need company.)",
    },
)
