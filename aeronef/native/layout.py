"""A position's numbers, as its C file writes and reads them, and the parts of a readable position."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from aeronef.runtime.description import BOOL, Count, Maybe, SetOf, Tray, Variable, Zone
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import Owned

NONE = -(2**31)
HALF, SIGN = 2**32 - 1, 2**31
Numbers = list[int]
Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A zone or variable: its parts in a dump's order, by their indices in nested lists; what each holds; and whether
    there are others beside, which this game has not."""

    member: str
    parts: tuple[Path, ...]
    many: bool  # with the number of values before them
    read: Callable[[int], Any]
    write: Callable[[Any], int]
    whole: Callable[[list[Any]], Any]  # the values of one part, as the position keeps them
    depth: int
    count: bool  # two halves of one number


class Layout:
    """How the numbers of a dump are the parts of a position of `game`: `told` is what the C file says of it
    (`c_layout.layout`)."""

    def __init__(self, game: Game, told: str) -> None:
        data = json.loads(told)
        places = {place.name: place for place in game.variant.places}
        end = len(game.variant.phases)
        self.head = tuple(data["head"])  # what every position has, as it stands before all else
        self.phases = [phase["number"] for phase in data["phases"]] + [end]
        self._numbers = {number: i for i, number in enumerate(self.phases)}
        entries = [phase.entries for phase in game.variant.phases]
        self._rows = [_codec(phase["row"], entries[phase["number"]]) for phase in data["phases"]]
        self._rows.append(_codec(None, None))
        self.measures: list[str] = data["measures"]
        self.fields = tuple(_field(places[found["name"]], found) for found in data["places"])
        self.members = tuple(dict.fromkeys(field.member for field in self.fields))
        fresh = game.position_class()
        # What a game has not is in its positions as at the start.
        self._fresh = {name: getattr(fresh, name) for name in type(fresh).members()}

    def read(self, numbers: Numbers) -> dict[str, Any]:
        """The parts of the position that was dumped, by their names."""
        at = iter(numbers)
        take = at.__next__
        found: dict[str, Any] = {name: take() for name in self.head}
        phase = found["phase"]
        found |= self._meant(found)
        found["queue"] = [take() for _ in range(take())]
        entry = self._rows[phase][0]
        found["row"] = [entry(take()) for _ in range(take())]
        found["back"] = tuple([self._aside(take) for _ in range(take())])
        found |= {name: _copied(value) for name, value in self._fresh.items()}
        for field in self.fields:
            if not field.depth:
                found[field.member] = _part(field, take)
                continue
            whole = found[field.member]
            for *outer, last in field.parts:
                inner = whole
                for index in outer:
                    inner = inner[index]
                inner[last] = _part(field, take)
        return found

    def head_of(self, numbers: Numbers) -> dict[str, Any]:
        """What stands first in a dump, by its names."""
        found = dict(zip(self.head, numbers, strict=True))
        return found | self._meant(found)

    def _meant(self, head: dict[str, int]) -> dict[str, Any]:
        return {"phase": self.phases[head["phase"]], "cut": bool(head["cut"])}

    def _aside(self, take: Callable[[], int]) -> tuple[int, int, tuple[int, ...], int, int]:
        phase, me, began, guest = take(), take(), take(), take()
        return self.phases[phase], me, tuple([take() for _ in range(take())]), began, guest

    def write(self, position: Any) -> Numbers | None:
        """The numbers that a dump of this position has; None where no position of a game has these parts."""
        try:
            return list(self._written(position))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            return None

    def _written(self, position: Any) -> Iterator[int]:
        phase = self._numbers[position.phase]
        yield from (phase if name == "phase" else int(getattr(position, name)) for name in self.head)
        yield from (len(position.queue), *position.queue)
        entry = self._rows[phase][1]
        yield from (len(position.row), *map(entry, position.row))
        yield len(position.back)
        for outer, me, queue, began, guest in position.back:
            yield from (self._numbers[outer], me, began, guest, len(queue), *queue)
        for field in self.fields:
            whole = getattr(position, field.member)
            for part in field.parts:
                value = whole
                for index in part:
                    value = value[index]
                if field.many:
                    yield len(value)
                    yield from map(field.write, value)
                elif field.count:
                    yield from (value >> 32, (value & HALF) - ((value & SIGN) << 1))
                else:
                    yield field.write(value)


def _part(field: Field, take: Callable[[], int]) -> Any:
    read = field.read
    if field.count:
        return take() << 32 | take() & HALF
    if not field.many:
        return read(take())
    return field.whole([read(take()) for _ in range(take())])


def _field(place: Any, found: dict[str, Any]) -> Field:
    parts = tuple(tuple(part) for part in found["parts"])
    many, whole = True, list
    match place:
        case Variable(domain=SetOf(of=of)):
            codec, whole = _codec(found["map"], of), tuple  # type: ignore[assignment]
        case Variable():
            codec, many = _codec(found["map"], place.domain), False
        case Tray():
            codec = _codec(found["map"], place.faces)
        case Zone(owned=True):
            codec = _owned(_codec(found["map"], place.cards), found["kinds"])
        case _:
            codec, many = _codec(found["map"], place.cards), place.form != "slot"
    count = isinstance(place, Variable) and isinstance(place.domain, Count)
    return Field(place.member, parts, many, *codec, whole, len(place.each), count)


Codec = tuple[Callable[[int], Any], Callable[[Any], int]]


def _codec(numbers: list[int] | None, domain: Any) -> Codec:
    """From a number to its value, and back. `numbers` are those that the values of this game have in the whole."""
    inner = domain.of if isinstance(domain, Maybe) else domain
    as_bool = inner == BOOL
    back = None if numbers is None else {value: i for i, value in enumerate(numbers)}

    def read(number: int) -> Any:
        if number == NONE:
            return None
        if numbers is not None:
            return numbers[number]
        return bool(number) if as_bool else number

    def write(value: Any) -> int:
        if value is None:
            return NONE
        return int(value) if back is None else back[value]

    return read, write


def _owned(codec: Codec, kinds: int) -> Codec:
    """A card with its owner is one number: the owner first."""
    read, write = codec
    return (
        lambda number: Owned(number // kinds, read(number % kinds)),
        lambda entry: entry.owner * kinds + write(entry.card),
    )


def _copied(value: Any) -> Any:
    return [_copied(inner) for inner in value] if isinstance(value, list) else value
