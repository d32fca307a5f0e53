"""The IR of a game with its players and options settled as one C file: data, the position, the rules, then what calls
them: steps, random games."""

from __future__ import annotations

import re

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.c import prelude
from aeronef.dsl.emit.c.boards import Board
from aeronef.dsl.emit.c.driver import Driver
from aeronef.dsl.emit.c.expressions import Lowering
from aeronef.dsl.emit.c.fields import Field, Fields, Part
from aeronef.dsl.emit.c.interface import Interface
from aeronef.dsl.emit.c.measures import Measures
from aeronef.dsl.emit.c.names import CNames
from aeronef.dsl.emit.c.numbering import Numbered, Numbering
from aeronef.dsl.emit.c.observe import Observations, Observing
from aeronef.dsl.emit.c.phases import Phases
from aeronef.dsl.emit.c.statements import Statements
from aeronef.dsl.emit.c.writer import Writer
from aeronef.dsl.emit.expressions import places
from aeronef.dsl.emit.lines import Whole
from aeronef.dsl.walk import by_use, called, nodes
from aeronef.dsl.ways import BACK, END

SIZES = {"Set": 8, "uint64_t": 8, "int64_t": 8, "int32_t": 4, "int16_t": 2, "int8_t": 1, "bool": 1}


def emit_c(game: ir.Game, source: str, numbering: Numbering, observing: Observing, layout: str) -> str:
    """The file's text. `game` has its players and options settled (`settle.py`); `source` is the file name of the spec,
    for faults and the heading; `numbering` are the ids of all actions and outcomes; `observing` is where the numbers of
    an observation stand; `layout` is what the file tells of itself to who loads it.

    Raises NotYet where the game needs what the native back end does not know.
    """
    return _Module(game, source, numbering, observing, layout).text()


class _Module:
    def __init__(
        self, game: ir.Game, source: str, numbering: Numbering, observing: Observing, layout: str
    ) -> None:  # fmt: skip
        self.game, self.source, self.numbering, self.layout = game, source, numbering, layout
        self.fields = Fields(game)
        self.names = CNames(game)
        self.writer = Writer()
        self.lowering = Lowering(game, self.fields, self.names, self.writer)
        self.statements = Statements(self.lowering, self.writer)
        self.phases = Phases(self.lowering, self.writer, self.statements, numbering)
        self.measures = Measures(self.phases, numbering)
        self.observations = Observations(self.phases, observing)

    def text(self) -> str:
        """The rules come first, for what they use tells which data and helpers there have to be."""
        rules_ = self._rules()
        driver = Driver(self.game, self.fields, self.names, self.statements, self.phases, self.measures)
        interface = Interface(
            self.source, self.fields, self.names, self.statements, self.measures, self.observations, self.layout
        )
        calls = "\n".join((driver.text(), interface.text()))
        position = self._position()
        used = rules_ + calls
        kernel = prelude.pieces_for(used, prelude.KERNEL)
        used += kernel
        data = self._data(used)
        cards = self._cards(used + position)
        used += position + cards + data
        helpers = prelude.pieces_for(used, prelude.pieces(self.fields.sets.one))
        heading = self._heading()
        parts = (heading, self._constants(), helpers, data, cards, position, kernel, rules_, prelude.RANDOM, calls)
        return "\n".join(part.strip("\n") + "\n" for part in parts if part.strip())

    # ------------------------------------------------------------------------------ data

    def _heading(self) -> str:
        write, game = Writer(), self.game
        says = f"{game.name}: {game.says}" if game.says else game.name
        write.comment(f"{says.rstrip('.')}. For {self.fields.players} players. Compiled from {self.source}: "
                      "edit that, never this.")  # fmt: skip
        write.line()
        for header in ("stdbool", "stddef", "stdint", "stdio", "stdlib", "string"):
            write.line(f"#include <{header}.h>")
        write.line()
        for line in ("#ifdef _WIN32", "#define API __declspec(dllexport)", "#else", "#define API", "#endif"):
            write.line(line)
        return write.text()

    def _constants(self) -> str:
        fields, write = self.fields, Writer()
        numbers = {
            "PLAYERS": fields.players, "SEATS": fields.seats, "LONGEST": fields.longest, "NONE": fields.none,
            "NOBODY": -1, "CHANCE": -1, "TERMINAL": -4, "NO_PHASE": -1, "FAULTED": -2, "BROKEN": -100,
            "MOST_HOPS": 10_000, "SET_LOW": fields.sets.low, "LIST_MOST": self.lowering.list_most,
            "QUEUE_MOST": fields.queue_most, "ROW_MOST": max(fields.row_most, 1), "BACK_MOST": max(fields.back_most, 1),
            "ACTIONS": _end(self.numbering.actions), "MEASURES": len(self.game.measures),
            "IDS_MOST": max(_end(self.numbering.actions), _end(self.numbering.outcomes)) + 1,
            "HELD_MOST": self.phases.ids.held_most, "SOME_MOST": self.phases.ids.some_most,
            "SHOWN_SIZE": self.observations.observing.size,
        }  # fmt: skip
        if not fields.sets.one:
            numbers["SET_WORDS"] = fields.sets.words
        for card in self.game.cards:
            numbers[self.names["kinds", card.name]] = len(card.kinds)
        with write.block("enum", "};"):
            for name, value in numbers.items():
                write.line(f"{name} = {value},")
        for role, numbered in (("action", self.numbering.actions), ("outcome", self.numbering.outcomes)):
            here = {a.key for p in self.game.phases for a in p.actions if (p.kind == "chance") == (role == "outcome")}
            known = [n for n in numbered if n.key in here]
            if known:
                write.line()
                with write.block("enum", "};"):
                    for n in known:
                        write.line(f"{self.names['id', role, n.key]} = {n.first},")
        for name, values in self.names.enums().items():
            write.line()
            write.comment(name)
            write.line(f"enum {{ {', '.join(self.names['value', name, v] for v in values)} }};")
        write.line()
        names = [self.names["phase", p] for p in (*(p.name for p in self.game.phases), END, BACK)]
        with write.block("enum", "};"):
            for name in names:
                write.line(f"{name},")
        return write.text()

    def _data(self, used: str) -> str:
        """The tables that are used: attributes of cards, the tables of the spec, places of values in ids."""
        write = Writer()
        for card in self.game.cards:
            for i, (name, kind) in enumerate(card.attributes):
                table, safe = self.names["attribute", card.name, name], self.names["attribute or none", card.name, name]
                if not _uses(used, table) and not _uses(used, safe):
                    continue
                values = [self.lowering.constant(k.attributes[i], kind) for k in card.kinds]
                write.cite(card.by)
                self._row(write, self._width(kind), f"{table}[{len(values)}]", values)
                if _uses(used, safe):
                    with write.block(f"static inline int {safe}(int card)"):
                        write.line(f"return card == NONE ? NONE : {table}[card];")
                write.line()
            labels = [kind.label for kind in card.kinds]
            named = {label: self.names["card", card.name, label] for label in labels}
            here = [f"{name} = {labels.index(label)}" for label, name in named.items() if _uses(used, name)]
            if here:
                write.line(f"enum {{ {', '.join(here)} }};")
                write.line()
        for facts in self.game.tables:
            name = self.names["facts", facts.name]
            if _uses(used, name):
                self._facts(write, facts, name)
        for text in self.phases.ids.tables.values():
            for line in text:
                write.line(line)
            write.line()
        return write.text() if write.lines else ""

    def _width(self, kind: t.Type) -> str:
        return "Set" if isinstance(kind, t.SetOf) else self.fields.width(kind)

    def _facts(self, write: Writer, table: ir.Table, name: str) -> None:
        write.comment(table.says)
        write.cite(table.by, f"for each {', '.join(str(key) for key in table.each)}: {table.type}")
        rows = [self._fact(value, table.type) for value in table.values]
        for size in reversed(table.sizes[1:]):
            rows = [f"{{{', '.join(rows[i : i + size])}}}" for i in range(0, len(rows), size)]
        self._row(write, self._width(table.type), name + "".join(f"[{size}]" for size in table.sizes), rows)
        write.line()

    def _fact(self, value: ir.Fact, kind: t.Type) -> str:
        if isinstance(value, tuple):
            return self.fields.sets.known(map(int, value), inside=True)
        return self.lowering.constant(value, kind)

    @staticmethod
    def _row(write: Writer, kind: str, name: str, values: list[str]) -> None:
        line = f"static const {kind} {name} = {{{', '.join(values)}}};"
        write.line(line)

    # ------------------------------------------------------------------------------ the position

    def _cards(self, used: str) -> str:
        """The zones of each type of cards, and what moves cards, as far as they are used."""
        found = []
        for card in self.game.cards:
            verbs = {verb: self.names[verb, card.name] for verb in ("take", "put", "pull", "lay", "slip")}
            found.append(prelude.cards(card.name, self.names["pile", card.name], self.names["kinds", card.name], verbs,
                                       used))  # fmt: skip
            most = max(self.fields.total(card.name), 1)
            found.append(prelude.line(card.name, self.names["line", card.name], most, verbs, used))
        for dice in self.game.dice:
            verbs = {verb: self.names[verb, dice.name] for verb in ("pull", "lay", "slip")}
            most = max((zone.holds for zone in self.game.zones if zone.dice == dice.name), default=0)
            found.append(prelude.line(dice.name, self.names["line", dice.name], max(most, 1), verbs, used))
        return "\n".join(part for part in found if part)

    def ctype(self, field: Field) -> str:
        place = field.place
        match field.form:
            case "count":
                return "int64_t"
            case "board":
                return "uint64_t"
            case "set" | "bits":
                return "Set"
            case "slot":
                return self.fields.width(place.holding)  # type: ignore[union-attr]
            case "pile":
                return self.names["pile", place.card]  # type: ignore[union-attr]
            case "line" | "sorted":
                return self.names["line", place.card or place.dice]  # type: ignore[union-attr]
            case _:
                return self.fields.width(place.type)  # type: ignore[union-attr]

    def _position(self) -> str:
        write, names = Writer(), self.names
        if self.fields.back_most:
            write.comment("A phase that is set aside for a detour, of the seat `guest`.")
            with write.block("typedef struct", "} Aside;"):
                for line in ("int32_t began;", "int16_t phase;", "int8_t me;", "int8_t guest;",
                             f"{self.fields.queue_width} queue_n;", "int8_t queue[QUEUE_MOST];"):  # fmt: skip
                    write.line(line)
            write.line()
        write.comment(
            "Where a game stands. `actor` is the seat to act, CHANCE or TERMINAL; `me` the seat that the step is "
            "about; "
            "`queue` the seats still to come in this phase; `began` the step at which the phase was entered; `fault` "
            "how the rules broke."
        )
        rows = sorted(self.fields.all.values(), key=lambda field: -SIZES.get(self.ctype(field), 2))
        with write.block("typedef struct", "} Position;"):
            early = True
            for field in rows:
                if early and SIZES.get(self.ctype(field), 2) < 8:
                    early = False
                    self._kept(write)
                place = field.place
                write.comment(place.says)
                sizes = field.sizes if field.board is None else () if field.board.truth else (field.board.rows,)
                parts = "".join(f"[{size}]" for size in sizes)
                declared = f"{self.ctype(field)} {names.fields[place.name]}{parts};"
                write.line(Whole(f"{declared}  // {_remark(place, field.board)}"))
            if early:
                self._kept(write)
        write.line()
        with write.block("static const Position START =", "};"):
            write.line(".actor = CHANCE,")
            write.line(".me = NOBODY,")
            for field in self.fields.all.values():
                write.line(f".{names.fields[field.place.name]} = {self._start(field, field.sizes, ())},")
        return write.text()

    def _kept(self, write: Writer) -> None:
        for line in ("int32_t steps;", "int32_t began;", "int32_t fault_value;", "int16_t phase;", "int16_t fault;"):
            write.line(line)
        queue_n = f"{self.fields.queue_width} queue_n;"
        for line in ("int8_t actor;", "int8_t me;", "bool cut;", queue_n, "int8_t queue[QUEUE_MOST];"):
            write.line(line)
        if self.fields.row_most:
            write.line("int16_t row_n;")
            write.line(f"{self.fields.row_width} row[ROW_MOST];")
        if self.fields.back_most:
            write.line("int8_t back_n;")
            write.line("Aside back[BACK_MOST];")

    def _start(self, field: Field, sizes: tuple[int, ...], part: Part) -> str:
        """What is in a field, or a part of it, at the start."""
        if field.board is not None:
            return self._start_of_board(field, field.board)
        if sizes:
            return f"{{{', '.join(self._start(field, sizes[1:], (*part, i)) for i in range(sizes[0]))}}}"
        place = field.place
        if isinstance(place, ir.Variable):
            value = self.fields.value_at_start(place, part)
            if field.form == "set":
                return self._fact(tuple(value), place.type)
            return self.lowering.constant(value, place.type)
        cards = self.fields.starts[place.name][part] if not place.dice else []
        assert not (place.owned and cards), "nobody owns what lies there at the start"
        match field.form:
            case "slot":
                return str(cards[0]) if cards else "NONE"
            case "bits":
                return self._fact(tuple(cards), t.Nothing())
            case "pile":
                kinds = range(len(self.fields.cards[place.card].kinds))
                return f"{{{len(cards)}, {{{', '.join(str(cards.count(kind)) for kind in kinds)}}}}}"
            case _:
                return f"{{{len(cards)}, {{{', '.join(map(str, cards)) or '0'}}}}}"

    def _start_of_board(self, field: Field, board: Board) -> str:
        assert isinstance(field.place, ir.Variable)
        rows = [0] * board.rows
        for i, part in enumerate(field.parts):
            value = self.fields.value_at_start(field.place, part)
            if board.truth:
                rows[0] |= int(value) << i
            else:
                rows[board.row(value) or 0] |= 1 << i
        texts = [f"UINT64_C({row:#x})" if row else "0" for row in rows]
        return texts[0] if board.truth else f"{{{', '.join(texts)}}}"

    # ------------------------------------------------------------------------------ the rules

    def _rules(self) -> str:
        write, game = self.writer, self.game
        wanted = called(
            (
                game.phases,
                game.result,
                tuple(z.refill for z in game.zones),
                game.measures,
                tuple(place.seen for place in places(game)),
            )
        )
        in_order = by_use(game.defines)
        assert not isinstance(in_order, str)
        for define in reversed(in_order):
            if define.name in wanted:
                wanted |= called(define.body)
        for define in in_order:
            if define.name in wanted and not isinstance(define.body, ir.Const):
                self._define(define)
        for phase in game.phases:
            title = ": ".join((phase.called or phase.name, *(", ".join(phase.by),) * bool(phase.by)))
            write.line(f"// {'-' * max(100 - len(title), 2)} {title}")
            write.line()
            self.phases.phase(phase)
        self._result()
        self.measures.functions(write)
        self.observations.functions(write)
        return write.text()

    def _define(self, define: ir.Define) -> None:
        write, low = self.writer, self.lowering
        names = [self.names.local(name) for name, _ in define.params]
        kinds = [low.ctype(kind) for _, kind in define.params]
        given = "".join(f", {kind} {name}" for kind, name in zip(kinds, names, strict=True))
        write.cite(define.by, define.says)
        kind = f"{'inline ' if _is_short(define.body) else ''}{low.ctype(define.body.type)}"
        head = f"static {kind} {self.names['define', define.name]}(const Position *at{given})"
        with self.phases.function(head, "at", *names, where=f"define.{define.name}"):
            self.statements.returned(define.body, dict(define.params))

    def _result(self) -> None:
        write, result = self.writer, self.game.result
        scope: dict[str, t.Type] = {"me": t.Seat()}
        me = self.names.local("me")
        write.line(f"// {'-' * 90} the result")
        write.line()
        write.cite(result.by)
        if result.returns is not None:
            with self.phases.function(f"static int returns(const Position *at, int {me})", "at", me, where="result"):
                self.statements.returned(result.returns, scope)
        if result.parts is not None:
            write.comment("What is returned counts so many parts of one.")
            with self.phases.function("static int parts(const Position *at)", "at", where="result"):
                self.statements.returned(result.parts, {})
        if result.rank:
            write.comment("The keys by which a seat ranks: higher is better, the first most.")
            with self.phases.function(
                f"static void rank(const Position *at, int {me}, int *key)", "at", me, where="result"
            ):
                self.statements.returned(result.rank, scope)
        if result.lost is not None:
            write.comment("All lose.")
            with self.phases.function("static bool lost(const Position *at)", "at", where="result"):
                self.statements.returned(result.lost, {})


def _is_short(body: ir.Expr) -> bool:
    """Whether a definition only looks at a few parts of the position, so that a compiler had better work it out where
    it is asked for: what is asked of a part twice, it then asks once."""
    inside = list(nodes(body))
    loops = [node.source for node in inside if isinstance(node, ir.Gather)]
    return not any(isinstance(n, ir.Call) for n in inside) and all(isinstance(s, ir.Everything) for s in loops)


def _end(numbered: tuple[Numbered, ...]) -> int:
    return max([1, *(n.first + n.many for n in numbered)])


def _uses(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def _remark(place: ir.Zone | ir.Variable, board: Board | None) -> str:
    """What the declaration does not tell: for each of what there is one, and what it holds; and the clauses."""
    each = f"each {', '.join(str(kind) for kind in place.each)}: " if place.each else ""
    held = str(place.type) if isinstance(place, ir.Variable) else "one card" if place.slot else "cards"
    cites = f" ({', '.join(place.by)})" if place.by else ""
    if board is not None:
        held += ", a bit for each" + ("" if board.truth else " in the row of its value")
    return f"{each}{held}{cites}".rstrip("\\")
