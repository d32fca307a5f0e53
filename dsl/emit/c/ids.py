"""Dense ids in C: from an action and its values to its id, and back; and the tables that this takes."""

from __future__ import annotations

from math import comb, prod

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.expressions import ATOM, PRODUCT, SUM, Lowering
from aeronef.dsl.emit.c.limits import NotYet
from aeronef.dsl.emit.c.numbering import Datum, Numbered, Numbering
from aeronef.dsl.emit.expressions import Spelt, wrapped


class Ids:
    """`tables` are those that the ids which were spelt need, by name, in C."""

    def __init__(self, lowering: Lowering, numbering: Numbering) -> None:
        self.lowering, self.fields, self.names = lowering, lowering.fields, lowering.names
        self.actions = {n.key: n for n in numbering.actions}
        self.outcomes = {n.key: n for n in numbering.outcomes}
        self.order = [n.key for n in numbering.actions]
        self.tables: dict[str, list[str]] = {}
        self.held_most = self.some_most = 1  # of what several are chosen, and how many

    def name(self, what: str, phase: ir.Phase, action: ir.Action, *i: int) -> str:
        return self.names[(what, self.role(phase), action.key, *i)]

    def numbered(self, phase: ir.Phase, action: ir.Action) -> Numbered:
        return (self.outcomes if phase.kind == "chance" else self.actions)[action.key]

    def role(self, phase: ir.Phase) -> str:
        return "outcome" if phase.kind == "chance" else "action"

    def values(self, numbered: Numbered, i: int, kind: t.Type) -> list[int | None]:
        """The values that a part of an id runs through, as this game has them: None for one that it has not."""
        return [self._value(datum, kind) for datum in numbered.domains[i]]

    def _value(self, datum: Datum, kind: t.Type) -> int | None:
        inner = t.strip(kind)
        match inner:
            case t.Enum(_, words):
                return words.index(str(datum)) if datum in words else None
            case t.Card(name):
                labels = [kind.label for kind in self.fields.cards[name].kinds]
                return labels.index(str(datum)) if datum in labels else None
            case t.Bool() | t.Int() | t.Seat():
                return int(datum) if isinstance(datum, int) else None
            case other:
                raise AssertionError(f"no action has a {other} as a value")

    def of(self, phase: ir.Phase, action: ir.Action, values: list[Spelt], place: str = "") -> str:
        """The dense id of an action with these values: its first id, and its values as digits. `place` is that of the
        values that are left, among all that they can be."""
        numbered, total = self.numbered(phase, action), None
        for i, value in enumerate(values):
            if isinstance(action.params[i].type, t.ListOf):  # it is its place already
                many = len(numbered.domains[i])
                total = value if total is None else (f"{wrapped(total, PRODUCT)} * {many} + {value[0]}", SUM)
                continue
            domain = self.values(numbered, i, action.params[i].type)
            digit = self.digit(phase, action, i, domain, value)
            many = len(domain)
            total = digit if total is None else (f"{wrapped(total, PRODUCT)} * {many} + {wrapped(digit, SUM)}", SUM)
        if place:
            many = prod(len(domain) for domain in numbered.domains[len(values) :])
            total = (place, ATOM) if total is None else (f"{wrapped(total, PRODUCT)} * {many} + {place}", SUM)
        base = self.name("id", phase, action)
        return base if total is None else f"{base} + {wrapped(total, SUM)}"

    def digit(
        self, phase: ir.Phase, action: ir.Action, i: int, domain: list[int | None], value: Spelt
    ) -> Spelt:  # fmt: skip
        if domain and domain[0] is not None and domain == list(range(domain[0], domain[0] + len(domain))):
            return self.lowering.counted(value, t.Int(domain[0], domain[0]))
        low, high = self.fields.bounds(action.params[i].type)
        name = self.name("place", phase, action, i)
        self.table(name, [domain.index(v) if v in domain else -1 for v in range(low, high + 1)])
        return f"{name}[{self.lowering.counted(value, t.Int(low, low))[0]}]", ATOM

    def rows(self, phase: ir.Phase, action: ir.Action, i: int) -> str:
        """The table of what several cards or dice can be, each with its number before it."""
        name, domain = self.name("values", phase, action, i), self.lists(phase, action, i)
        table = [f"    {{{', '.join(map(str, (len(row), *row)))}}}," for row in domain]
        most = max(map(len, domain))
        self.tables[name] = [f"static const int16_t {name}[{len(domain)}][{most + 1}] = {{", *table, "};"]
        return name

    def starts(self, phase: ir.Phase, action: ir.Action, i: int) -> str:
        """The table of where in it those of each number start."""
        starts, domain = self.name("from", phase, action, i), self.lists(phase, action, i)
        most = max(map(len, domain))
        first = [next((k for k, row in enumerate(domain) if len(row) >= size), len(domain)) for size in range(most + 2)]
        self.tables[starts] = [f"static const int32_t {starts}[{most + 2}] = {{{', '.join(map(str, first))}}};"]
        return starts

    def lists(self, phase: ir.Phase, action: ir.Action, i: int) -> list[list[int]]:
        """What a part of an id that is several cards or dice runs through."""
        kind = action.params[i].type
        assert isinstance(kind, t.ListOf)
        found = []
        for datum in self.numbered(phase, action).domains[i]:
            assert isinstance(datum, tuple)
            values = [self._value(item, kind.of) for item in datum]
            assert None not in values, "what is chosen is of the game at hand"
            found.append([value for value in values if value is not None])
        return found

    def followers(self, phase: ir.Phase, action: ir.Action, i: int) -> tuple[str, int, int]:
        """The table of what follows a part of several cards: its name, how many values there are, and the least. The
        parts of lists of so many start at the row of their number less one; a value of a row is that of a longer part,
        or the place of a list that is whole; -1 where there is none."""
        kind = action.params[i].type
        assert isinstance(kind, t.ListOf)
        low, high = self.fields.bounds(kind.of)
        name, width, lists = self.name("next", phase, action, i), high - low + 1, self.lists(phase, action, i)
        most = max(map(len, lists))
        self.some_most = max(self.some_most, most)
        table = [[-1] * width for _ in range(most)]
        for place, values in enumerate(lists):
            part = len(values) - 1
            for k, value in enumerate(values):
                if k + 1 == len(values):
                    table[part][value - low] = place
                elif table[part][value - low] < 0:
                    table[part][value - low] = part = len(table)
                    table.append([-1] * width)
                else:
                    part = table[part][value - low]
        rows = [f"    {', '.join(map(str, row))}," for row in table]
        self.tables[name] = [f"static const int32_t {name}[{len(table) * width}] = {{", *rows, "};"]
        return name, width, low

    def decoded(self, phase: ir.Phase, action: ir.Action) -> list[str]:
        """The values of an action, from its `id`."""
        numbered = self.numbered(phase, action)
        rest = f"(id - {self.name('id', phase, action)})"
        if numbered.first == 0:
            rest = "id"
        values: list[str] = []
        below, more = numbered.many, numbered.many
        for i, p in enumerate(action.params):
            several = isinstance(p.type, t.ListOf)
            domain = self.values(numbered, i, p.type) if not several else list(range(len(numbered.domains[i])))
            below //= len(domain)
            digit = rest if below == 1 else f"{rest} / {below}"
            if more > below * len(domain):
                digit = f"{digit} % {len(domain)}"
            if several:
                values.append(f"listed({self.rows(phase, action, i)}[{digit}])")
            elif domain[0] is not None and domain == list(range(domain[0], domain[0] + len(domain))):
                values.append(f"{digit} + {domain[0]}" if domain[0] > 0 else
                              f"{digit} - {-domain[0]}" if domain[0] < 0 else digit)  # fmt: skip
            else:
                name = self.name("values", phase, action, i)
                self.table(name, [0 if v is None else v for v in domain])
                values.append(f"{name}[{digit}]")
        return values

    def table(self, name: str, numbers: list[int]) -> None:
        """A table of numbers that the file needs."""
        self.tables[name] = [f"static const int32_t {name}[{len(numbers)}] = {{{', '.join(map(str, numbers))}}};"]

    def weights(self, phase: ir.Phase, action: ir.Action, dice: ir.DiceType, i: int) -> str:
        """The table of how likely it is that dice show what the ids say."""
        first, _ = self.fields.bounds(dice.face)
        found = [_multinomial(row, dice.weights, first) for row in self.lists(phase, action, i)]
        name = self.name("weights", phase, action, i)
        self.tables[name] = [f"static const int64_t {name}[{len(found)}] = {{{', '.join(map(str, found))}}};"]
        return name


def _multinomial(faces: list[int], weights: tuple[int, ...], first: int) -> int:
    """How likely it is that like dice show these faces, as parts of all that they can show."""
    found, left = 1, len(faces)
    for face in set(faces):
        times = faces.count(face)
        place = face - first
        found *= comb(left, times) * (weights[place] if 0 <= place < len(weights) else 0) ** times
        left -= times
    if found * len(weights) ** len(faces) >= 2**62:
        raise NotYet("chances as fine as so many dice have")
    return found
