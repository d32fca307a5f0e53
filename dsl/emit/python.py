"""The IR of a game as one Python module: data first, then the position, its rules phase by phase, then the tables."""

from __future__ import annotations

import ast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.annotations import member, parameter, plain, size_of
from aeronef.dsl.emit.expressions import OR, Speller, capitals, places
from aeronef.dsl.emit.measures import Measures
from aeronef.dsl.emit.names import DESCRIPTION_IMPORTS, KERNEL_IMPORTS
from aeronef.dsl.emit.phases import Phases
from aeronef.dsl.emit.statements import Statements
from aeronef.dsl.emit.tables import Tables
from aeronef.dsl.emit.unroll import written_out
from aeronef.dsl.emit.writer import Writer, tuple_of
from aeronef.dsl.printer import digest
from aeronef.dsl.printer import spell as spell_words
from aeronef.dsl.walk import locals_in


def emit_python(game: ir.Game, source: str) -> str:
    """The module's text. `source` is the file name of the spec, for faults and the heading."""
    return _Module(game, source).text()


class _Module:
    def __init__(self, game: ir.Game, source: str) -> None:
        spec = digest(game)
        self.game = game = written_out(game)
        self.source = source
        self.speller = Speller(game)
        self.writer = Writer()
        self.statements = Statements(self.speller, self.writer, source)
        self.phases = Phases(self.speller, self.writer, self.statements)
        self.measures = Measures(self.phases)
        self.tables = Tables(self.speller, self.writer, self.phases, self.measures, source, spec)
        for place in places(game):
            self._name_sight(place)

    def _name_sight(self, place: ir.Zone | ir.Variable) -> None:
        """What everybody or nobody sees shares a method."""
        members, words = self.speller.members, place.seen.words
        if words in ("everyone", "nobody"):
            members.given["sees", place.name] = words
        else:
            members.of(("sees", place.name), f"sees_{place.name}")

    def text(self) -> str:
        self.tables.data()
        self._position()
        self.tables.functions()
        self.tables.variant()
        body = self.writer.text()
        head = Writer()
        game = self.game
        says = f"{game.name}: {game.says}" if game.says else game.name
        head.docstring(f"{says.rstrip('.')}. Compiled from {self.source}: edit that, never this.")
        head.line()
        head.line("from __future__ import annotations")
        head.line()
        names = (node for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name))
        _imports(head, {node.id for node in names if isinstance(node.ctx, ast.Load)})
        return head.text() + "\n" + body

    # ------------------------------------------------------------------------------ the position

    def _position(self) -> None:
        write, game, speller = self.writer, self.game, self.speller
        with write.block("class Position(Kernel):"):
            write.docstring(f"Where a game of {game.name} stands, and its rules, phase by phase.")
            write.line()
            slots = sorted(f'"{speller.place(p.name)}"' for p in places(game))
            write.line(f"__slots__ = {tuple_of(slots) if slots else '()'}")
            write.line()
            for define in speller.fixed.values():
                fixed, cites = speller.members["define", define.name], ", ".join(define.by)
                if define.says:
                    write.comment(define.says)
                write.verbatim(f"{fixed} = {speller.spell(define.body)}{f'  # {cites}' if cites else ''}")
            if speller.fixed:
                write.line()
            for option in game.options:
                name, cites = speller.members["option", option.name], ", ".join(option.by)
                write.verbatim(f"{name}: {plain(option.type)}{f'  # {cites}' if cites else ''}")
            for overlay in game.overlays:
                remark = overlay.says or spell_words(overlay.when)
                write.verbatim(f"{speller.members['option', overlay.name]}: bool  # {remark}{_by(overlay.by)}")
            for name, at_end in speller.partial.items():
                write.line(f"{speller.members['every', name]}: list[int]")
                if not at_end:
                    write.line(f"{speller.members['place in', name]}: dict[int, int]")
            for place in places(game):
                if place.says:
                    write.comment(place.says)
                write.verbatim(f"{speller.place(place.name)}: {member(place)}{_remark(place)}")
            for action in (*self.phases.actions.values(), *self.phases.outcomes.values()):
                write.line(f"{self.phases.base(action)}: int{'  # 0' if self.phases.is_first(action) else ''}")
                for i, (_, kind) in enumerate(action.params):
                    if isinstance(kind, t.ListOf):
                        write.line(f"{self.phases.index(action, i)}: dict[{parameter(kind)}, int]")
            write.line()
            self._start()
            self._copy()
            if len(game.defines) > len(speller.fixed):
                self._heading("what is computed")
                for define in game.defines:
                    if define.name not in speller.fixed:
                        self._define(define)
            self._heading("who sees what")
            self._sights()
            for phase in game.phases:
                self._heading(": ".join((phase.name, *(", ".join(phase.by),) * bool(phase.by))))
                self.phases.phase(phase)
            self._heading("the result")
            self._result()
            if game.measures:
                self._heading("what is measured")
                for measure in game.measures:
                    self.measures.measure(measure)
        if not write.lines[-1][1]:
            write.lines.pop()
        write.line()
        write.line()

    def _heading(self, text: str) -> None:
        self.writer.verbatim(f"# {'-' * max(100 - len(text), 2)} {text}")
        self.writer.line()

    def _start(self) -> None:
        write, speller = self.writer, self.speller
        with write.block("def start(self) -> None:"):
            for zone in self.game.zones:
                cards = self._stocked(zone) if zone.stock else self._each(zone.each, self._cards(zone), zone.starts)
                write.line(f"self.{speller.place(zone.name)} = {cards}")
            for variable in self.game.variables:
                value = speller.spell(variable.starts)
                write.line(f"self.{speller.place(variable.name)} = {self._each(variable.each, value, variable.starts)}")
        write.line()

    def _cards(self, zone: ir.Zone) -> str:
        """What is in a zone at the start."""
        over, speller = zone.starts, self.speller
        if over is None:
            return "None" if zone.slot else "[]"
        name, cards = speller.local(over.name), speller.constants["type", zone.card]
        test = f" if {speller.spell(over.test, OR)}" if over.test is not None else ""
        if isinstance(over.source, ir.Everything) and over.source.of not in speller.partial:
            value = f"[{name} for {name} in {cards}.deck{test}]" if test else f"list({cards}.deck)"
        else:
            each = f"for _ in range({cards}.copies[{name}])"
            value = f"sorted([{name} for {name} in {speller.items(over.source, OR)}{test} {each}])"
        if over.key is not None and zone.ordered:
            down = ", reverse=True" if over.down else ""
            value = f"sorted({value}, key=lambda {name}: {speller.spell(over.key)}{down})"
        return f"next(iter({value}), None)" if zone.slot else value

    def _stocked(self, zone: ir.Zone) -> str:
        """What a table says is in a zone at the start."""

        speller, there = self.speller, self.speller.partial
        card = speller.every(zone.card) if zone.card in there else ""

        def level(each: tuple[t.Type, ...], row: str) -> str:
            if not each:
                cards = f"[card for card in {card} for _ in range({row}[card])]" if card else f"stocked({row})"
                return f"next(iter({cards}), None)" if zone.slot else cards
            kind, *rest = each
            if isinstance(kind, t.Seat):
                return f"[{level(tuple(rest), row)} for _ in self.seats]"
            left = sum(kind != t.Seat() for kind in each)
            inner = "row" if left == 1 else "rows" if left == 2 else f"rows{left}"
            parts = level(tuple(rest), inner)
            if not (isinstance(kind, t.Enum) and kind.name in there):
                return f"[{parts} for {inner} in {row}]"
            word = speller.local(f"a_{capitals(kind.name).lower()}")
            return f"[{parts} if {word} in {speller.every(kind.name)} else [] for {word}, {inner} in enumerate({row})]"

        return level(zone.each, self.speller.constants["facts", zone.stock])

    def _each(self, each: tuple[t.Type, ...], value: str, node: object) -> str:
        for kind in reversed(each):
            if isinstance(kind, t.Seat):
                owner = "owner" if node is not None and "owner" in locals_in(node) else "_"
                value = f"[{value} for {owner} in self.seats]"
            else:
                value = f"[{value} for _ in range({size_of(kind)})]"
        return value

    def _copy(self) -> None:
        write, speller = self.writer, self.speller
        with write.block("def copy(self) -> Self:"):
            write.line("new = Kernel.copy(self)")
            for place in places(self.game):
                name = speller.place(place.name)
                depth = len(place.each) + (isinstance(place, ir.Zone) and not place.slot)
                write.line(f"new.{name} = {_copied(f'self.{name}', depth)}")
            write.line("return new")
        write.line()

    def _define(self, define: ir.Define) -> None:
        write, speller = self.writer, self.speller
        params = "".join(f", {speller.local(n)}: {plain(kind)}" for n, kind in define.params)
        name = speller.members["define", define.name]
        with write.block(f"def {name}(self{params}) -> {plain(define.body.type)}:"):
            write.cite(define.by, define.says)
            self.statements.returned(define.body, dict(define.params))
        write.line()

    def _sights(self) -> None:
        write = self.writer
        for whose, answer in (("everyone", True), ("nobody", False)):
            names = [p.name for p in places(self.game) if p.seen.words == whose]
            if names:
                with write.block(f"def {whose}(self, viewer: int, owner: int | None = None) -> bool:"):
                    write.docstring(f"{whose.capitalize()} sees {', '.join(names)}.")
                    write.line(f"return {answer}")
                write.line()
        for place in places(self.game):
            if place.seen.words in ("everyone", "nobody"):
                continue
            owned = t.Seat() in place.each
            owner = ", owner: int" if owned else ""
            with write.block(f"def {self.speller.members['sees', place.name]}(self, viewer: int{owner}) -> bool:"):
                write.cite(place.by)
                self.statements.returned(place.seen.test, dict.fromkeys(("viewer", "owner"), t.Seat()))
            write.line()

    # ------------------------------------------------------------------------------ the result

    def _result(self) -> None:
        write, result = self.writer, self.game.result
        me: dict[str, t.Type] = {"me": t.Seat()}
        if result.rank:
            with write.block(f"def rank(self, me: int) -> tuple[{', '.join('int' for _ in result.rank)}]:"):
                write.docstring("The higher ranks first.")
                write.cite(result.by)
                self.statements.returned(result.rank, me)
            write.line()
        if result.lost is not None:
            with write.block("def lost(self) -> bool:"):
                write.docstring("All lose.")
                self.statements.returned(result.lost, {})
            write.line()
        if result.returns is not None:
            with write.block("def returns(self, me: int) -> int:"):
                write.docstring("What a player gets.")
                if not result.rank:
                    write.cite(result.by)
                self.statements.returned(result.returns, me)
            write.line()
        if result.parts is not None:
            with write.block("def parts(self) -> int:"):
                write.docstring("What the returns are divided by.")
                self.statements.returned(result.parts, {})
            write.line()
        for i, invariant in enumerate(self.game.invariants):
            with write.block(f"def invariant_{i}(self) -> bool:"):
                write.docstring(invariant.name)
                write.cite(invariant.by)
                self.statements.returned(invariant.test, {})
            write.line()


def _imports(write: Writer, used: set[str]) -> None:
    """What the module needs of others, sorted as ruff sorts it."""
    for module, wanted in (("collections.abc", ("Sequence",)), ("typing", ("Any", "Self"))):
        if names := [n for n in wanted if n in used]:
            write.line(f"from {module} import {', '.join(names)}")
    write.line()
    kernel = [n for n in KERNEL_IMPORTS if n in used]
    rows = [
        ("description", [n for n in DESCRIPTION_IMPORTS if n in used]),
        ("kernel", kernel),
        ("kernel", ["Position as Kernel"]),
    ]
    if kernel and kernel[0].islower():  # constants, classes, functions
        rows[1:] = rows[:0:-1]
    for module, names in rows:
        line = f"from aeronef.runtime.{module} import {', '.join(names)}"
        if names and len(line) <= 120:
            write.line(line)
        elif names:
            with write.block(f"from aeronef.runtime.{module} import ("):
                for name in names:
                    write.line(f"{name},")
            write.line(")")


def _remark(place: ir.Zone | ir.Variable) -> str:
    """What the annotation does not tell: for each of what there is one, and what it holds; and the clauses."""
    each = f"each {', '.join(str(kind) for kind in place.each)}: " if place.each else ""
    if isinstance(place, ir.Variable):
        held = str(place.type)
    elif place.dice:
        held = f"what at most {place.holds} {place.dice} show"
    else:
        held = "one card" if place.slot else "cards" + " with their owners" * place.owned
    return f"  # {each}{held}{_by(place.by)}"


def _by(by: tuple[str, ...]) -> str:
    return f" ({', '.join(by)})" if by else ""


def _copied(text: str, depth: int) -> str:
    """A copy of lists in lists, as deep as they go."""
    if depth == 0:
        return text
    if depth == 1:
        return f"{text}[:]"
    part = "part" if depth == 2 else f"part{depth}"
    return f"[{_copied(part, depth - 1)} for {part} in {text}]"
