"""The state machine under every compiled variant.

A generated file derives `Position` and fills in, for each phase: `enter_…` (its effects, and who is to act),
`next_…` (who acts now: None, or the number of the phase that follows), `legal_…` or `chance_…`, and one method
for each action (it gives the number of a phase where it leads to one: on a detour, or for good). `Position.apply`
runs them: one step, and everything automatic after it.

A position is flat (numbers, and lists of them) and knows no history: copies are cheap, and batches of games pay
for nothing else. History, views, undo and information states live beside it, in `state.State`.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, TypeVar

from aeronef.runtime.errors import RuleFault

CHANCE = -1
TERMINAL = -4
NOBODY = -1
MOST_HOPS = 10_000

# A phase, with its `me`, its `queue` and when it `began`, and the seat of the detour that it is set aside for.
Aside = tuple[int, int, tuple[int, ...], int, int]
Outcomes = list[tuple[int, int]]  # (id of the outcome, weight)
Method = Callable[..., "int | None"]
Step = Callable[[Any], "int | None"]


class Owned(NamedTuple):
    """A card and the seat that it came from: what lies in a zone that keeps owners."""

    owner: int
    card: int


class Steps(dict[int, "Step"]):
    """What a phase does with an action or outcome, by its id. An entry is made when it is first asked for.

    `methods` are those of the phase, None where it has not the kind of action; `numbered` is what the ids mean."""

    __slots__ = ("methods", "numbered")

    def __init__(self, methods: Sequence[Method | None], numbered: Sequence[tuple[int, tuple[Any, ...]]]) -> None:
        self.methods = methods
        self.numbered = numbered

    def __missing__(self, action: int) -> Step:
        kind, values = self.numbered[action]
        method = self.methods[kind]
        assert method is not None, "an action of another phase"
        self[action] = step = _step(method, values)
        return step


def _step(method: Method, values: tuple[Any, ...]) -> Step:
    """The method with its values. (Written out, since `*values` costs as much as two calls.)"""
    match values:
        case ():
            return method
        case (a,):
            return lambda position: method(position, a)
        case (a, b):
            return lambda position: method(position, a, b)
        case _:
            return lambda position: method(position, *values)


_new = object.__new__
Value = TypeVar("Value")
Entry = TypeVar("Entry", int, Owned)  # what lies in a zone


class Position:
    """Where a game stands. `actor` is the seat to act, CHANCE or TERMINAL; `me` the seat that the step is about;
    `queue` the seats still to come in this phase; `row` the entries of a sequence that it has still to answer, this one
    included; `began` the step at which the phase was entered; `back` the phases that are set aside for detours, the
    innermost last (amid a row none is)."""

    __slots__ = ("actor", "back", "began", "cut", "me", "phase", "queue", "row", "steps")

    actor: int
    back: tuple[Aside, ...]
    began: int
    cut: bool
    me: int
    phase: int
    queue: list[int]
    row: list[Any]
    steps: int

    # Set by game.Game on a class of its own for these players and options.
    n: ClassVar[int]
    players: ClassVar[tuple[int, ...]]  # a range would be slower to go through
    seats: ClassVar[tuple[int, ...]]
    is_counted: ClassVar[bool] = False  # whether steps are counted (`coverage`), so that none is made just to look back
    longest: ClassVar[int]
    source: ClassVar[str]
    end: ClassVar[int]
    decisions: ClassVar[list[tuple[int, tuple[Any, ...]]]]
    chances: ClassVar[list[tuple[int, tuple[Any, ...]]]]
    entering: ClassVar[tuple[Method, ...]]
    following: ClassVar[tuple[Method, ...]]
    allowing: ClassVar[tuple[Callable[..., list[int]] | None, ...]]
    chancing: ClassVar[tuple[Callable[..., Outcomes] | None, ...]]
    doing: ClassVar[tuple[Steps, ...]]
    acting: ClassVar[tuple[tuple[Steps, Method, int], ...]]  # all that a step of each phase needs of the above
    # The players clockwise from the left of each seat, without it and with it at the end.
    seats_after: ClassVar[tuple[list[list[int]], list[list[int]]]]

    def __init__(self) -> None:
        self.actor = CHANCE
        self.back = ()
        self.began = 0
        self.cut = False
        self.me = NOBODY
        self.phase = 0
        self.queue = []
        self.row = []
        self.steps = 0
        self.start()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if hasattr(cls, "doing"):
            each = zip(cls.doing, cls.following, strict=True)
            cls.acting = tuple((steps, following, cls.longest) for steps, following in each)

    @classmethod
    def members(cls) -> tuple[str, ...]:
        """The names of the variables and zones: what the generated class adds to this one."""
        generated = cls.__mro__[cls.__mro__.index(Position) - 1]
        return tuple(generated.__slots__)  # type: ignore[attr-defined]

    def start(self) -> None:
        """Puts every variable and zone to where the game starts."""
        raise NotImplementedError

    def copy(self) -> Self:
        new: Self = _new(self.__class__)
        new.actor = self.actor
        new.back = self.back
        new.began = self.began
        new.cut = self.cut
        new.me = self.me
        new.phase = self.phase
        new.queue = self.queue and self.queue[:]  # nothing is ever added to them, so that empty ones can be shared
        new.row = self.row and self.row[:]
        new.steps = self.steps
        return new

    def legal(self) -> list[int]:
        """The ids of the legal actions, ascending; [] where no seat is to act."""
        if self.actor < 0:
            return []
        return self.allowing[self.phase](self)  # type: ignore[misc]

    def outcomes(self) -> Outcomes:
        """The outcomes of chance with their weights, ascending; [] where it is not chance's turn."""
        if self.actor != CHANCE:
            return []
        return self.chancing[self.phase](self)  # type: ignore[misc]

    def rank(self, me: int) -> tuple[int, ...]:
        """What a seat ranks by, the higher first: what it got, unless the rules say more."""
        return (self.returns(me),)  # type: ignore[attr-defined]

    def apply(self, action: int) -> None:
        """One step, and everything automatic that follows it. The action must be legal."""
        doing, following, longest = self.acting[self.phase]
        self.steps = steps = self.steps + 1
        phase = doing[action](self)
        if phase is None:
            phase = following(self)
        if phase is not None:
            self.go(phase)
        elif steps >= longest:
            self.actor, self.cut = TERMINAL, True

    def go(self, phase: int | None) -> None:
        """Enters a phase, and the ones after it, until somebody is to act or the game is over."""
        hops, end = 0, self.end
        while phase is not None:
            hops += 1
            if hops > MOST_HOPS and phase != end:
                raise RuleFault("the phases go round without anybody to act", self.source)
            if phase < end:
                self.phase = phase
                self.began = self.steps
                phase = self.entering[phase](self)
            elif phase == end:
                self.phase, self.actor, self.me, self.queue, self.back = phase, TERMINAL, NOBODY, [], ()
                return
            else:  # back: the phase set aside goes on as if its action had just ended
                *rest, (self.phase, self.me, queue, self.began, _) = self.back
                self.back, self.queue = tuple(rest), list(queue)
                phase = self.following[self.phase](self)
        if self.steps >= self.longest:
            self.actor, self.cut = TERMINAL, True

    # ------------------------------------------------------------------------------ for other back ends

    def ranks_at_end(self) -> list[int] | None:
        """The rank of each seat at the end, where a back end has worked it out; None: the rules tell (`state`)."""
        return None

    def worth_at_end(self) -> list[float] | None:
        """What each player gets at the end of a game that was not cut; or None, as `ranks_at_end`."""
        return None

    def is_like(self, other: Position) -> bool | None:
        """Whether nothing tells it from another (`endless.identity`), where a back end can say so at once; or None."""
        return None

    def numbers_for(self, player: int | None, frozen: Position | None = None) -> Any:
        """What a player may know (None: all that there is) as numbers; or None: the parts tell (`tensors`). Amid a
        choice together `frozen` is the position at its beginning."""
        return None

    # ------------------------------------------------------------------------------ for generated code

    def left(self, seat: int, steps: int = 1) -> int:
        return (seat + steps) % self.n

    def right(self, seat: int, steps: int = 1) -> int:
        return (seat - steps) % self.n

    def clockwise(self, seat: int) -> list[int]:
        """The players from a seat on, clockwise."""
        return [*range(seat, len(self.players)), *range(min(seat, len(self.players)))]

    def automaton(self, seat: int) -> bool:
        return seat >= len(self.players)

    def visit(self, phase: int, seat: int | None = None) -> int:
        """Sets the phase at hand aside for a detour to another, of a seat (of who acts)."""
        self.back = (
            *self.back,
            (self.phase, self.me, tuple(self.queue), self.began, self.me if seat is None else seat),
        )
        return phase

    def completing(self, choices: Callable[[Any], list[int]]) -> list[int]:
        """Of the choices for the first entry of the row those after which all others can still be answered.

        What is done is done on copies, one for each way to begin; only the first way to complete it is looked for.
        """
        if len(self.row) < 2:
            return choices(self)
        members = type(self).members()
        dead: set[tuple[int, str]] = set()  # where the same choices lead in another order

        def completes(action: int, before: Position) -> bool:
            after = before.copy()
            after.doing[after.phase][action](after)
            del after.row[0]
            offered = choices(after)
            if len(after.row) == 1 or not offered:
                return bool(offered)
            place = len(after.row), repr([getattr(after, member) for member in members])
            if place in dead:
                return False
            if any(completes(other, after) for other in offered):
                return True
            dead.add(place)
            return False

        return [action for action in choices(self) if completes(action, self)]

    def visitor(self) -> int:
        """The seat that the detour at hand is of."""
        return self.back[-1][4]

    def leave(self, phase: int) -> int:
        """Ends the phase at hand, whoever is still to act in it."""
        self.queue = []
        return phase

    def around(self, seats: Sequence[int], seat: int, itself: bool) -> list[int]:
        """These seats clockwise from the left of one, which comes last or is left out."""
        if seats is self.players:
            return self.seats_after[itself][seat][:]
        there = (*range(seat + 1, self.n), *range(seat + itself))
        return [p for p in there if p in seats]

    def fault(self, message: str, line: int | str) -> RuleFault:
        return RuleFault(message, f"{self.source}:{line}" if isinstance(line, int) else line)

    def within(self, value: int, low: int, high: int, line: int | str) -> int:
        """The value, if it is in the variable's range."""
        if low <= value <= high:
            return value
        raise self.fault(f"{value} is not within {low}..{high}", line)

    def take(self, zone: list[Entry], card: Entry, line: int | str) -> Entry:
        """The card, out of the zone."""
        try:
            zone.remove(card)
        except ValueError:
            raise self.fault("a card is moved from a zone that does not hold it", line) from None
        return card

    def vacate(self, held: int | None, card: int, line: int | str) -> None:
        """What a slot holds once the card has left it."""
        if held != card:
            raise self.fault("a card is moved from a zone that does not hold it", line)

    def fill(self, held: int | None, card: int, line: int | str) -> int:
        """What a slot holds once the card has come."""
        return card if held is None else self.overfull(line)

    def overfull(self, line: int | str) -> NoReturn:
        """A place for one card has one."""
        raise self.fault("a second card is moved to a zone that holds one", line)

    def lay(self, zone: list[int], faces: Iterable[int], holds: int, line: int | str) -> None:
        """Dice to an unordered zone, which is kept in the order of the faces."""
        self.lay_on(zone, faces, holds, line)
        zone.sort()

    def lay_on(self, zone: list[int], faces: Iterable[int], holds: int, line: int | str) -> None:
        """Dice to the end of an ordered zone."""
        zone += faces
        if len(zone) > holds:
            raise self.fault(f"{len(zone)} dice come to lie in a zone that holds {holds}", line)

    def lift(self, zone: list[int], faces: Iterable[int], line: int | str) -> tuple[int, ...]:
        """Dice that show these faces, out of a zone."""
        lifted = tuple(faces)
        for face in lifted:
            if face not in zone:
                raise self.fault("a die is taken from a zone where none shows this face", line)
            zone.remove(face)
        return lifted


put = insort  # a card into an unordered zone, which is kept in deck order


def stocked(numbers: Sequence[int]) -> list[int]:
    """Of each card so many, in deck order."""
    return [card for card, number in enumerate(numbers) for _ in range(number)]


def pour(source: list[Entry], target: list[Entry]) -> None:
    """All cards, into an unordered zone."""
    if source is not target:
        target += source
        target.sort()
        source.clear()


def pour_on(source: list[Entry], target: list[Entry]) -> None:
    """All cards, to the end of an ordered zone."""
    if source is not target:
        target += source
        source.clear()


def emptied(zone: list[int]) -> list[int]:
    """All dice, out of a zone."""
    faces = zone[:]
    zone.clear()
    return faces


def held(card: int | None) -> tuple[int, ...]:
    """The cards of a slot."""
    return () if card is None else (card,)


def copies(zone: Sequence[int]) -> Outcomes:
    """The different cards of a zone with their numbers, ascending."""
    numbers: dict[int, int] = {}
    for card in zone:
        numbers[card] = numbers.get(card, 0) + 1
    return sorted(numbers.items())


def subsets(zone: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """The different sets of so many cards of a zone, each ascending."""
    found = list(combinations(sorted(zone), size))
    return found if len(set(zone)) == len(zone) else list(dict.fromkeys(found))


@lru_cache(maxsize=1024)
def rolls(weights: tuple[int, ...], size: int, low: int = 0) -> tuple[tuple[tuple[int, ...], int], ...]:
    """What so many like dice can show, as ascending faces, each with its multinomial weight.

    The weights are parts of sum(weights)^size; `low` is the value of the first face.
    """
    found: list[tuple[tuple[int, ...], int]] = []

    def extend(face: int, left: int, chosen: tuple[int, ...], weight: int) -> None:
        if face == len(weights):
            if left == 0:
                found.append((chosen, weight))
            return
        for times in range(left, -1, -1):
            extend(
                face + 1,
                left - times,
                chosen + (face + low,) * times,
                weight * comb(left, times) * weights[face] ** times,
            )

    extend(0, size, (), 1)
    return tuple(found)


def first_of(items: Sequence[Value]) -> Value | Any:
    """The first of a collection; of an empty one None."""
    return items[0] if items else None


def last_of(items: Sequence[Value]) -> Value | Any:
    """The last of a collection; of an empty one None."""
    return items[-1] if items else None


def owner_of(entry: Owned | None) -> int | Any:
    """Whose a card is; of no card None."""
    return None if entry is None else entry.owner


def card_of(entry: Owned | None) -> int | Any:
    """A card without its owner; of no card None."""
    return None if entry is None else entry.card


def otherwise(value: Any, fallback: Value) -> Value:
    """The value, or the fallback where it is none."""
    return fallback if value is None else value
