"""What a player may know as numbers, for learning: the arrays of the runtime (`tensors.py`), filled in C.

Where each number of an array stands, and what it is measured by, is the runtime's to say: `Observing` hands it in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c.boards import Board
from aeronef.dsl.emit.c.fields import Field, indices, through
from aeronef.dsl.emit.c.masks import ATOM
from aeronef.dsl.emit.c.phases import Phases
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.expressions import wrapped

Form = Literal["cards", "dice", "value", "scaled", "set", "count"]


@dataclass(frozen=True, slots=True)
class Cells:
    """Where the numbers of a zone's or variable's parts begin, in the order of the parts, and what they are.

    cards, dice: 1 if it is seen, how many (of `room`), and of each thing that can lie there how many, of so many as
    `measures` says by its number in this game; of an ordered one from `many` on the places from the end. value: a 1 at
    the place of the value. scaled: how far it is between `low` and `low + room`, and that there is one. set: a 1 at the
    place of each value. count: of `room`. `places` are those of values and things, by their numbers from `first` on;
    `none` is that of none.
    """

    form: Form
    at: tuple[int, ...]
    room: int
    places: tuple[int, ...] = ()
    first: int = 0
    none: int = 0
    many: int = 0
    measures: tuple[int, ...] = ()
    low: int = 0


@dataclass(frozen=True, slots=True)
class Observing:
    """An array has `size` numbers: a 1 at the phase's (`phases`, by its number, the end last), a 1 at the actor's, from
    `actor` on (chance's and nobody's behind the seats'), and the `cells` of each zone and variable, in their order."""

    size: int
    phases: tuple[int, ...]
    actor: int
    cells: tuple[Cells, ...]


class Observations:
    def __init__(self, phases: Phases, observing: Observing) -> None:
        self.phases, self.observing = phases, observing
        self.fields, self.names, self.lowering = phases.fields, phases.names, phases.lowering

    @property
    def together(self) -> bool:
        """Whether there are choices together, amid which the others are known as they were at the beginning."""
        return any(phase.kind == "together" for phase in self.phases.game.phases)

    def functions(self, write: Writer) -> None:
        write.line(f"// {'-' * 90} who sees what")
        write.line()
        fields = list(self.fields.all.values())
        for field in fields:
            self._sees(write, field)
        for field, cells in zip(fields, self.observing.cells, strict=True):
            self._tables(write, field, cells)
        self._observe(write, fields)

    def _sees(self, write: Writer, field: Field) -> None:
        test, seat = field.place.seen.test, t.Seat() in field.place.each
        if isinstance(test, ir.Const):
            return
        viewer, owner = (self.names.local(name) for name in ("viewer", "owner"))
        given = f", int {owner}" if seat else ""
        write.comment(f"{field.place.name}: {field.place.seen.words}")
        head = f"static bool {self.names['sees', field.place.name]}(const Position *at, int {viewer}{given})"
        with self.phases.function(head, "at", viewer, *((owner,) if seat else ()), where=_element(field.place)):
            self.phases.statements.returned(test, dict.fromkeys(("viewer", "owner") if seat else ("viewer",), t.Seat()))

    def _tables(self, write: Writer, field: Field, cells: Cells) -> None:
        write.comment(f"{field.place.name}: where its numbers stand, and what they are")
        self._table(write, self.names["SHOWN", field.place.name], cells.at)
        if cells.places and not _in_a_row(cells.places):
            self._table(write, self.names["PLACES", field.place.name], cells.places)
        if cells.measures:
            self._table(write, self.names["MEASURES", field.place.name], cells.measures)
        write.line()

    @staticmethod
    def _table(write: Writer, name: str, numbers: tuple[int, ...]) -> None:
        write.line(f"static const int32_t {name}[{len(numbers)}] = {{{', '.join(map(str, numbers))}}};")

    def _observe(self, write: Writer, fields: list[Field]) -> None:
        shown = self.observing
        self.phases.ids.table("SHOWN_PHASES", list(shown.phases))
        write.comment(
            "What a player may know, or (-1) all that there is, as numbers. Amid a choice together `frozen` is the "
            "position at its beginning: of that, with what is the player's own as it is now."
        )
        if self.together:
            self._amid(write)
        head = "static void observe(const Position *at, const Position *frozen, int player, float *out)"
        with self.phases.function(head, "frozen", "player"):
            write.line("memset(out, 0, SHOWN_SIZE * sizeof *out);")
            write.line("out[SHOWN_PHASES[at->phase]] = 1;")
            write.line(f"out[{shown.actor} + (at->actor >= 0 ? at->actor : SEATS)] = 1;")
            if self.together:
                write.line("Position known;")
                with write.block("if (frozen != NULL && player >= 0 && amid(at))"):
                    write.line("known = *frozen;")
                    for name in ("phase", "actor"):
                        write.line(f"known.{name} = at->{name};")
                    for field in fields:
                        self._own(write, field)
                    write.line("at = &known;")
            for field, cells in zip(fields, shown.cells, strict=True):
                self._cells(write, field, cells)

    def _amid(self, write: Writer) -> None:
        """Whether some have chosen already, of several who choose together."""
        phases = [self.names["phase", p.name] for p in self.phases.game.phases if p.kind == "together"]
        with write.block("static bool amid(const Position *at)"):
            among = " || ".join(f"at->phase == {phase}" for phase in phases)
            write.line(f"return at->actor >= 0 && at->steps > at->began && ({among});")
        write.line()

    def _own(self, write: Writer, field: Field) -> None:
        if t.Seat() not in field.place.each:
            return
        seat = field.place.each.index(t.Seat())
        name = self.names.fields[field.place.name]
        if field.board is not None:
            self._own_of_board(write, field, field.board, seat, name)
            return
        with (
            through(write, field, f"known.{name}", f"at->{name}") as (mine, now),
            write.block(f"if (i{seat} == player)"),
        ):
            write.line(f"{mine} = {now};")

    @staticmethod
    def _own_of_board(write: Writer, field: Field, board: Board, seat: int, name: str) -> None:
        with indices(write, field) as found, write.block(f"if ({found[seat]} == player)"):
            write.line(f"const uint64_t part = UINT64_C(1) << {wrapped(field.place_of(found), ATOM)};")
            rows = [name] if board.truth else [f"{name}[{row}]" for row in range(board.rows)]
            for row in rows:
                write.line(f"known.{row} = (known.{row} & ~part) | (at->{row} & part);")

    def _cells(self, write: Writer, field: Field, cells: Cells) -> None:
        name = self.names.fields[field.place.name]
        with through(write, field, f"at->{name}") as (part,):
            place = "0"
            for k, size in enumerate(field.sizes):
                place = f"i{k}" if k == 0 else f"({place}) * {size} + i{k}"
            with write.block(""):
                write.line(f"float *const cell = &out[{self.names['SHOWN', field.place.name]}[{place}]];")
                write.line(f"const bool open = {self._open(field)};")
                write.line("cell[0] = open;")
                self._content(write, field, cells, part)

    def _open(self, field: Field) -> str:
        test, each = field.place.seen.test, field.place.each
        if isinstance(test, ir.Const):
            return "true" if test.value else "player < 0"
        owner = f", i{each.index(t.Seat())}" if t.Seat() in each else ""
        return f"player < 0 || {self.names['sees', field.place.name]}(at, player{owner})"

    def _place(self, field: Field, cells: Cells, number: str, before: int) -> str:
        """Where the number for a value or thing stands, behind so many others: by a sum where the places ascend as the
        values do, else by the table."""
        if not _in_a_row(cells.places):
            return f"{before} + {self.names['PLACES', field.place.name]}[{_plus(number, -cells.first)}]"
        return _plus(number, before + cells.places[0] - cells.first)

    def _content(self, write: Writer, field: Field, cells: Cells, part: str) -> None:
        match cells.form:
            case "cards" | "dice":
                self._lying(write, field, cells, part)
                return
            case "count":
                shown = [f"cell[1] = (float)((double){part} / {cells.room});"]
            case "set":
                shown = [f"{self.lowering.sets.through('bits', part)} {{",
                         f"    cell[{self._place(field, cells, 'lowest(bits)', 1)}] = 1;", "}"]  # fmt: skip
            case "value":
                place = self._place(field, cells, part, 1)
                if isinstance(field.place, ir.Variable) and t.may_be_none(field.place.type):
                    place = f"{part} == NONE ? {1 + cells.none} : {place}"
                shown = [f"cell[{place}] = 1;"]
            case "scaled":
                value = self._place(field, cells, part, 0) if cells.places else part
                shown = [f"cell[1] = (float)((double)({_plus(value, -cells.low)}) / {cells.room});", "cell[2] = 1;"]
                if isinstance(field.place, ir.Variable) and t.may_be_none(field.place.type):
                    shown = [f"if ({part} != NONE) {{", *(f"    {line}" for line in shown), "}"]
        with write.block("if (open)"):
            for line in shown:
                depth = (len(line) - len(line.lstrip())) // 4
                write.lines.append((write.depth + depth, line.lstrip()))

    def _lying(self, write: Writer, field: Field, cells: Cells, part: str) -> None:
        """How much lies there, and of each thing how many."""
        measures = self.names["MEASURES", field.place.name]
        match field.form:
            case "slot":
                write.line(f"cell[1] = (float)(({part} != NONE) / {_real(cells.room)});")
                with write.block(f"if (open && {part} != NONE)"):
                    write.line(f"cell[{self._place(field, cells, part, 2)}] = (float)(1 / (double){measures}[{part}]);")
            case "bits":
                write.line(f"cell[1] = (float)(size_of({part}) / {_real(cells.room)});")
                with (
                    write.block("if (open)"),
                    write.block(self.lowering.sets.through("bits", part)),
                ):
                    write.line("const int card = lowest(bits);")
                    write.line(f"cell[{self._place(field, cells, 'card', 2)}] = (float)(1 / (double){measures}[card]);")
            case "pile":
                assert isinstance(field.place, ir.Zone)
                kinds = self.names["kinds", field.place.card]
                write.line(f"cell[1] = (float)({part}.n / {_real(cells.room)});")
                with (
                    write.block("if (open)"),
                    write.block(f"for (int card = 0; card < {kinds}; card++)"),
                    write.block(f"if ({part}.of[card] > 0)"),
                ):
                    number = f"{part}.of[card] / (double){measures}[card]"
                    write.line(f"cell[{self._place(field, cells, 'card', 2)}] = (float)({number});")
            case _:
                write.line(f"cell[1] = (float)({part}.n / {_real(cells.room)});")
                with write.block("if (open)"), write.block(f"for (int k = 0; k < {part}.n; k++)"):
                    write.line(f"const int item = {part}.item[k];")
                    write.line("int number = 0;")
                    with write.block(f"for (int other = 0; other < {part}.n; other++)"):
                        write.line(f"number += {part}.item[other] == item;")
                    share = f"number / (double){measures}[{_plus('item', -cells.first)}]"
                    write.line(f"cell[{self._place(field, cells, 'item', 2)}] = (float)({share});")
                    if field.form == "line":
                        end = f"(float)(1 / (double)({part}.n - k))"
                        write.line(f"cell[{self._place(field, cells, 'item', 2 + cells.many)}] = {end};")


def _element(place: ir.Zone | ir.Variable) -> str:
    return f"{'vars' if isinstance(place, ir.Variable) else 'zones'}.{place.name}"


def _in_a_row(places: tuple[int, ...]) -> bool:
    return places == tuple(range(places[0], places[0] + len(places)))


def _plus(number: str, more: int) -> str:
    return number if more == 0 else f"{number} {'+' if more > 0 else '-'} {abs(more)}"


def _real(number: int) -> str:
    return f"{number}.0"
