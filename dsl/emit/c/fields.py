"""How a position of one game is laid out in C: what form each zone and variable takes, how wide, and with what in it at
the start. Everything here is a constant of the game: its players and options are settled.

| what | form |
| --- | --- |
| a zone for one card | the card, or NONE |
| a zone without order, of cards that are there once, at most 64 kinds | a bit for each card |
| another zone without order | how many of each card |
| a zone that keeps its order | the cards in a row, and their number |
| a zone that keeps owners, a zone of dice | the same; without an order of its own, ascending |
| a card with its owner | owner * kinds + card, so that they ascend by owner, then by card |
| a set | a bit for each value (`sets.py`) |
| a number, a word, a seat, a bool | the narrowest signed integer that holds it (and NONE) |
| the same, of many parts that are asked about at once | a board: of each value a bit for each part (`boards.py`) |
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.boards import Board, Boards
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.masks import ATOM, flat, value_of
from aeronef.dsl.emit.c.sets import BITS, MOST_WORDS, Sets
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.expressions import Spelt, places
from aeronef.dsl.evaluate import Given, TooMuch, evaluate
from aeronef.dsl.printer import spell
from aeronef.dsl.walk import nodes, reads
from aeronef.dsl.ways import Ways, ways_of

WIDTHS = (("int8_t", 7), ("int16_t", 15), ("int32_t", 31))
LARGEST = 2**30
Part = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A zone or variable: `form` is scalar, board, set, count, slot, bits, pile, line or
    sorted (a line that ascends); `sizes` of how many parts."""

    place: ir.Zone | ir.Variable
    form: str
    sizes: tuple[int, ...]
    board: Board | None = None

    @property
    def parts(self) -> Iterator[Part]:
        return itertools.product(*(range(size) for size in self.sizes))

    def place_of(self, indices: list[str]) -> Spelt:
        """The place of a part among all."""
        return flat([(index, ATOM) for index in indices], self.sizes)


@contextmanager
def indices(write: Writer, field: Field) -> Iterator[list[str]]:
    """Loops through the parts of a field: their indices."""
    found = [f"i{i}" for i in range(len(field.sizes))]
    for name, size in zip(found, field.sizes, strict=True):
        write.line(f"for (int {name} = 0; {name} < {size}; {name}++) {{")
        write.depth += 1
    yield found
    for _ in found:
        write.depth -= 1
        write.line("}")


@contextmanager
def through(write: Writer, field: Field, *texts: str) -> Iterator[list[str]]:
    """Loops through the parts of a field: the texts, which spell it, each with the indices behind. A part of a board is
    a value that was read, which nothing can be put into."""
    with indices(write, field) as names:
        if field.board is None:
            yield ["".join((text, *(f"[{name}]" for name in names))) for text in texts]
            return
        (text,) = texts
        value, _ = value_of(field.board, text, field.place_of(names))
        write.line(f"const int held = {value};")
        yield ["held"]


class Fields:
    def __init__(self, game: ir.Game) -> None:
        low, high = game.players
        assert low == high, "the players are settled"
        assert not game.options, "the options are settled"
        self.game = game
        self.players = high
        self.given = Given(game, high, {}, patience=5_000_000)
        self.seats = self.given.seats
        self.longest = int(evaluate(game.longest, self.given, {}))
        self.cards = {card.name: card for card in game.cards}
        self.dice = {dice.name: dice for dice in game.dice}
        self._check_numbers()
        self.starts = {z.name: self._zone_starts(z) for z in game.zones if not z.dice}
        self.totals = self._totals()
        self.boards = Boards(game, self.players, self.bounds)
        self.all = {place.name: self._field(place) for place in places(game)}

    @property
    def rules(self) -> tuple[object, ...]:
        """All that is worked out in play."""
        game = self.game
        seen = tuple(place.seen.test for place in places(game))
        refills = tuple(zone.refill for zone in game.zones)
        return game.defines, game.phases, game.variables, game.result, game.measures, seen, refills

    # ------------------------------------------------------------------------------ numbers

    def _check_numbers(self) -> None:
        """Every number fits 32 bits, so that no sum overflows, and none is a number that is compared with nothing that
        it could be taken for. Raises NotYet."""
        lows = [self.sets.low]
        for node in nodes(self.rules):
            kind = getattr(node, "type", None)
            inner = _number(kind)
            large = inner is not None and (inner.low < -LARGEST or inner.high > LARGEST)
            if large and not self._counts(node):  # a measure reads counts, which have 64 bits
                raise NotYet(f"numbers of {kind}", line=node.span.line)
            best = isinstance(node, ir.Aggregate) and node.kind in ("min", "max")
            if inner is not None and (best or (kind is not None and t.may_be_none(kind))):
                lows.append(inner.low)
            if isinstance(node, ir.Binary) and node.op in ("==", "!=", "in", "not in", "otherwise"):
                lows += [side.low for side in (_number(node.left.type), _number(node.right.type)) if side is not None]
        kinds = [kind for card in self.game.cards for _, kind in card.attributes]
        kinds += [*(v.type for v in self.game.variables), *(table.type for table in self.game.tables)]
        lows += [inner.low for kind in kinds if (inner := _number(kind)) is not None and t.may_be_none(kind)]
        self.none = min(lows) - 1

    def _counts(self, node: object) -> bool:
        counts = {variable.name for variable in self.game.variables if isinstance(variable.type, t.Count)}
        return any(read.name in counts for read in reads(node))

    @cached_property
    def sets(self) -> Sets:
        """From which value on a set has its bits, and in how many words. Raises NotYet where these are too many."""
        low, high = 0, 0
        kinds = [(kind, node.span.line) for node in nodes(self.rules) if (kind := getattr(node, "type", None))]
        kinds += [(table.type, table.span.line) for table in self.game.tables]
        for kind, line in kinds:
            if isinstance(kind, t.SetOf):
                least, greatest = self.bounds(kind.of)
                low, high = min(low, least), max(high, greatest)
                if high - low >= MOST_WORDS * BITS:
                    raise NotYet(f"sets of values from {low} to {high}", line=line)
        return Sets(low, (high - low) // BITS + 1)

    def bounds(self, kind: t.Type) -> tuple[int, int]:
        """The least and the greatest number that stands for a value; none apart."""
        match t.strip(kind):
            case t.Bool():
                return 0, 1
            case t.Int(low, high):
                return low, high
            case t.Enum(_, values):
                return 0, len(values) - 1
            case t.Seat():
                return 0, self.seats - 1
            case t.Owned(t.Card(name)) | t.ZoneOf(t.Card(name), owned=True):
                return 0, self.seats * len(self.cards[name].kinds) - 1
            case t.Card(name) | t.ZoneOf(t.Card(name)):
                return 0, len(self.cards[name].kinds) - 1
            case t.Nothing():
                return 0, 0
            case other:
                raise AssertionError(f"a {other} is no single value")

    def width(self, kind: t.Type) -> str:
        """The narrowest type that holds a value."""
        if isinstance(kind, t.Bool):
            return "bool"
        low, high = self.bounds(kind)
        low = min(low, self.none) if t.may_be_none(kind) else low
        return next(name for name, bits in WIDTHS if -(2**bits) <= low and high < 2**bits)

    def many(self, kind: t.Type) -> int:
        low, high = self.bounds(kind)
        return high - low + 1

    # ------------------------------------------------------------------------------ places

    def _field(self, place: ir.Zone | ir.Variable) -> Field:
        sizes = tuple(self.many(kind) for kind in place.each)
        if isinstance(place, ir.Variable):
            match place.type:
                case t.Count():
                    return Field(place, "count", sizes)
                case t.SetOf():
                    assert self.sets.low <= 0
                    return Field(place, "set", sizes)
                case _:
                    board = self.boards.known.get(place.name)
                    return Field(place, "scalar" if board is None else "board", sizes, board)
        low, high = self.bounds(place.face) if place.face is not None else self.bounds(place.holding)
        if low < -(2**15) or high >= 2**15:
            raise NotYet(f"dice with faces of {low}..{high}", f"zones.{place.name}")
        if place.slot:
            return Field(place, "slot", sizes)
        if place.ordered:
            return Field(place, "line", sizes)
        if place.owned or place.dice:
            return Field(place, "sorted", sizes)
        return Field(place, "bits" if place.name in self.distinct else "pile", sizes)

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The zones in which no two cards can be alike, of types that fit 64 bits."""
        return frozenset(
            zone.name
            for zones in self._apart()
            if self.sets.one
            and len(self.cards[zones[0].card].kinds) - self.sets.low <= BITS
            and max(self._together(zones), default=0) <= 1
            for zone in zones
        )

    def _apart(self) -> list[list[ir.Zone]]:
        """The zones of each type of cards, in groups between which no card moves, as the moves are written."""
        zones = {zone.name: zone for zone in self.game.zones if not zone.dice}
        groups = {name: {name} for name in zones}
        joined = [(node.source.name, node.target.name) for node in self._moves]
        joined += [(zone.name, read.name) for zone in zones.values() for read in reads(zone.refill)]
        for one, other in joined:
            if one in zones and other in zones and groups[one] is not groups[other]:
                groups[one] |= groups[other]
                groups.update(dict.fromkeys(groups[other], groups[one]))
        return [
            [zones[name] for name in zones if name in group] for group in {id(g): g for g in groups.values()}.values()
        ]

    @cached_property
    def _moves(self) -> list[ir.Move]:
        return [node for node in nodes(self.game.phases) if isinstance(node, ir.Move)]

    def _together(self, zones: list[ir.Zone]) -> Iterator[int]:
        """How many of a card can come to lie in one zone of a group: as many as there are, or, where cards never move
        from a seat's zones to another's, as one seat has."""
        of_seats = all(t.Seat() in zone.each and zone.refill is None and not zone.owned for zone in zones)
        known = {zone.name: zone for zone in zones}
        moves = [node for node in self._moves if node.source.name in known]
        of_seats = of_seats and all(_whose(node.source, known) == _whose(node.target, known) for node in moves)
        for seat in range(self.seats) if of_seats else (None,):
            found: Counter[int] = Counter()
            for zone in zones:
                for part, cards in self.starts[zone.name].items():
                    if seat is None or part[zone.each.index(t.Seat())] == seat:
                        found.update(cards)
            yield max(found.values(), default=0)

    def holds(self, zone: ir.Zone) -> int:
        """How much can lie in a zone."""
        return zone.holds if zone.dice else self.total(zone.card)

    def total(self, card: str) -> int:
        """How many cards of a type there are."""
        return sum(self.totals[card].values())

    def _totals(self) -> dict[str, Counter[int]]:
        found: dict[str, Counter[int]] = {name: Counter() for name in self.cards}
        for zone in self.game.zones:
            if not zone.dice:
                for cards in self.starts[zone.name].values():
                    found[zone.card].update(cards)
        for name, numbers in found.items():
            if sum(numbers.values()) > 32_000:
                raise NotYet(f"{sum(numbers.values()):,} cards of a type", f"cards.{name}")
        return found

    # ------------------------------------------------------------------------------ the start

    def _sizes(self, each: tuple[t.Type, ...]) -> list[range]:
        return [range(self.many(kind)) for kind in each]

    def _zone_starts(self, zone: ir.Zone) -> dict[Part, list[int]]:
        """The cards that lie in each part of a zone at the start, in its order."""
        found = {}
        for part in itertools.product(*self._sizes(zone.each)):
            cards = self._stocked(zone, part) if zone.stock else self._gathered(zone, part)
            found[part] = cards[:1] if zone.slot else cards
        return found

    def _stocked(self, zone: ir.Zone, part: Part) -> list[int]:
        table = next(table for table in self.game.tables if table.name == zone.stock)
        row = 0
        keys = [digit for digit, kind in zip(part, zone.each, strict=True) if kind != t.Seat()]
        for digit, size in zip(keys, table.sizes, strict=False):
            row = row * size + digit
        kinds = len(self.cards[zone.card].kinds)
        numbers = table.values[row * kinds : (row + 1) * kinds]
        return [card for card, number in enumerate(numbers) for _ in range(int(number))]  # type: ignore[arg-type]

    def _gathered(self, zone: ir.Zone, part: Part) -> list[int]:
        over = zone.starts
        if over is None:
            return []
        around, element = self._owner(zone, part), f"zones.{zone.name}"
        kinds = self.cards[zone.card].kinds
        cards = sorted(
            card
            for card in self._worked_out(over.source, around, element)
            if over.test is None or self._worked_out(over.test, {**around, over.name: card}, element)
            for _ in range(kinds[card].copies)
        )
        if over.key is not None and zone.ordered:
            keys = {c: self._worked_out(over.key, {**around, over.name: c}, element) for c in set(cards)}
            cards.sort(key=keys.__getitem__, reverse=over.down)
        return cards

    def value_at_start(self, variable: ir.Variable, part: Part) -> Any:
        return self._worked_out(variable.starts, self._owner(variable, part), f"vars.{variable.name}")

    @staticmethod
    def _owner(place: ir.Zone | ir.Variable, part: Part) -> dict[str, Any]:
        return {"owner": part[place.each.index(t.Seat())]} if t.Seat() in place.each else {}

    def _worked_out(self, node: ir.Expr, around: dict[str, Any], element: str) -> Any:
        try:
            return evaluate(node, self.given, around)
        except TooMuch:
            raise NotYet("starts that take so long to work out", element) from None

    # ------------------------------------------------------------------------------ bounds

    def many_bytes(self) -> int:
        """About how large a position is."""
        found = 0
        for field in self.all.values():
            place, most = field.place, 8
            if field.form == "set":
                most = self.sets.words * BITS // 8
            elif field.form == "pile":
                most = 2 * (1 + len(self.cards[place.card].kinds))  # type: ignore[union-attr]
            elif field.form in ("line", "sorted"):
                most = 2 * (1 + self.holds(place))  # type: ignore[arg-type]
            found += most * math.prod(field.sizes)
        return found + 4 * self.row_most + (1 + self.back_most) * self.queue_most

    @cached_property
    def ways(self) -> Ways:
        return ways_of(self.game.phases)

    @property
    def back_most(self) -> int:
        """How many phases can be set aside at once: detours do not go in a circle."""
        return len({host for hosts in self.ways.hosts.values() for host in hosts})

    @property
    def queue_most(self) -> int:
        return max([self.seats, *(self._most(p.over) for p in self.game.phases if p.over is not None)])

    @property
    def queue_width(self) -> str:
        """The narrowest type that holds how many seats are still to act."""
        return "int8_t" if self.queue_most < 2**7 else "int16_t"

    @property
    def row_width(self) -> str:
        """The narrowest type that holds an entry of a row, 16 bits or more."""
        entries = [t.element(p.sequence.entries.type) for p in self.game.phases if p.sequence is not None]
        wide = any(
            low < -(2**15) or high >= 2**15 for low, high in (self.bounds(kind or t.Nothing()) for kind in entries)
        )
        return "int32_t" if wide else "int16_t"

    @property
    def row_most(self) -> int:
        """How many entries a choice in a row has; 0 where there is none."""
        return max((t.most(p.sequence.entries.type) for p in self.game.phases if p.sequence is not None), default=0)

    @cached_property
    def list_most(self) -> int:
        """How many items a list of the rules can have, apart from what is only gone through."""
        most = [self.seats]
        for node in nodes(self.rules):
            kind = getattr(node, "type", None)
            if isinstance(kind, t.ListOf) and not isinstance(node, ir.Everything | ir.Builtin):
                most.append(self._most(node))
        return max(most)

    def _most(self, node: ir.Expr) -> int:
        """How many items a collection can have, with as many seats as there are here: its type counts the most."""
        most = t.most(node.type)
        match node:
            case ir.Everything("players") | ir.Builtin("clockwise"):
                return self.players
            case ir.Everything("seats"):
                return self.seats
            case ir.Aggregate("list" | "set", _, over):
                return min(most, self._most(over.source))
            case _:
                return most


def _number(kind: t.Type | None) -> t.Int | None:
    """The numbers that a value, or what a collection holds, can be."""
    inner = t.strip(kind) if kind is not None else None
    inner = t.element(inner) or inner if inner is not None else None
    return inner if isinstance(inner, t.Int) else None


def _whose(read: ir.Read, zones: Mapping[str, ir.Zone]) -> str:
    """The seat that a zone is of, as it is written: a name that is bound once, so that it means the same twice."""
    return spell(read.index[zones[read.name].each.index(t.Seat())])
