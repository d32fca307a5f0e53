"""The tables of a compiled variant: at the top its words, cards and dice, at the end its description."""

from __future__ import annotations

from typing import cast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.codes import IN_PLAY
from aeronef.dsl.emit.annotations import plain
from aeronef.dsl.emit.choices import Merged
from aeronef.dsl.emit.expressions import BeforeSpeller, Speller
from aeronef.dsl.emit.measures import Measures
from aeronef.dsl.emit.phases import Phases, hears_differ
from aeronef.dsl.emit.writer import Writer, quoted, tuple_of
from aeronef.dsl.ways import BACK, END


class Tables:
    def __init__(
        self, speller: Speller, writer: Writer, phases: Phases, measures: Measures, source: str, spec: str
    ) -> None:
        self.game, self.speller, self.writer, self.phases = speller.game, speller, writer, phases
        self.measures = measures
        self.source = source
        self.spec = spec  # its digest

    # ------------------------------------------------------------------------------ at the top

    def data(self) -> None:
        write, names = self.writer, self.speller.constants
        every = {key[1]: name for key, name in names.given.items() if isinstance(key, tuple) and key[0] == "every"}
        for name, values in self.speller.enums().items():
            constants = [names["value", name, v] for v in values]
            everything = f" = {every[name]}" if name in every else ""
            write.line(f"{_targets(constants)}{everything} = range({len(values)})")
            only = {i: test for i, value in enumerate(values) for n, word, test in self.game.words_only
                    if (n, word) == (name, value)}  # fmt: skip
            words = tuple_of([quoted(v) for v in values])
            write.line(f'{names["type", name]} = Words("{name}", {words}{self._rows_only(only)})')
            write.line()
        ranges = [(every[name], low, high) for name, low, high in self.game.numbers if name in every]
        for constant, low, high in ranges:
            write.line(f"{constant} = range({low}, {high + 1})" if low else f"{constant} = range({high + 1})")
        if ranges:
            write.line()
        for card in self.game.cards:
            self._cards(card)
            if card.name in every:
                write.line(f"{every[card.name]} = range({len(card.kinds)})")
            write.line()
        for dice in self.game.dice:
            if dice.says:
                write.comment(dice.says)
            write.cite(dice.by, f"how often each face is on it: {_faces(dice.face)}")
            write.line(f"{names['dice', dice.name]} = {tuple_of([str(w) for w in dice.weights])}")
            write.line()
        for table in self.game.tables:
            self._facts(table)
        back = (BACK,) if self.phases.ways.hosts else ()
        phases = [names["phase", p] for p in (*(p.name for p in self.game.phases), END, *back)]
        write.line(f"{_targets(phases)} = range({len(phases)})")
        write.line()
        write.line()

    def _cards(self, card: ir.CardType) -> None:
        write, speller = self.writer, self.speller
        table = speller.constants["table", card.name]
        if card.says:
            write.comment(card.says)
        write.cite(card.by, ", ".join(("label", "copies", *(name for name, _ in card.attributes))))
        with write.block(f"{table} = ("):
            for kind in card.kinds:
                values = [speller.constant(v, k) for v, (_, k) in zip(kind.attributes, card.attributes, strict=True)]
                write.verbatim(f"({', '.join([quoted(kind.label), str(kind.copies), *values])}),")
        write.line(")")
        write.line(
            f'{speller.constants["type", card.name]} = Cards("{card.name}", '
            f"tuple([row[0] for row in {table}]), tuple([row[1] for row in {table}])"
            f"{self._rows_only({i: kind.only for i, kind in enumerate(card.kinds) if kind.only is not None})})"
        )
        self._named_cards(card)
        for i, (name, _) in enumerate(card.attributes):
            write.line(
                f"{speller.constants['attribute', card.name, name]} = attribute([row[{i + 2}] for row in {table}])"
            )

    def _named_cards(self, card: ir.CardType) -> None:
        """Constants for the cards that the rules name: their places in deck order."""
        labels = [kind.label for kind in card.kinds]
        named = [label for of, label in self.speller.named_cards() if of == card.name]
        names = [self.speller.constants["card", card.name, label] for label in named]
        places = [str(labels.index(label)) for label in named]
        if len(", ".join(names + places)) < 100:
            names, places = [", ".join(names)] * bool(names), [", ".join(places)]
        for name, place in zip(names, places, strict=False):
            self.writer.line(f"{name} = {place}")

    def _facts(self, table: ir.Table) -> None:
        """Tuples in tuples, one level for each key, counted from 0."""
        write, kind = self.writer, table.type
        if table.says:
            write.comment(table.says)
        write.cite(table.by, f"for each {', '.join(str(key) for key in table.each)}: {kind}")
        inner = t.element(kind) or kind
        rows = [
            (tuple_of([self.speller.constant(v, inner) for v in value]) if value else "()")
            if isinstance(value, tuple) else self.speller.constant(value, kind)
            for value in table.values
        ]  # fmt: skip
        annotation = plain(kind)
        for size in reversed(table.sizes):
            rows = [tuple_of(rows[i : i + size]) for i in range(0, len(rows), size)]
            annotation = f"tuple[{annotation}, ...]"
        write.line(f"{self.speller.constants['facts', table.name]}: {annotation} = {rows[0]}")
        write.line()

    def _rows_only(self, only: dict[int, ir.Only]) -> str:
        """Of those values of a type that not every game has, the test that tells."""
        rows = [f"{i}: {self._test(test)}" for i, test in only.items() if test is not None]
        return f", {{{', '.join(rows)}}}" if rows else ""

    def _test(self, only: ir.Expr) -> str:
        return f"lambda options: {BeforeSpeller(self.game, self.speller, '').spell(only)}"

    def _only(self, only: ir.Only) -> str:
        return f", only={self._test(only)}" if only is not None else ""

    # ------------------------------------------------------------------------------ at the end

    def functions(self) -> None:
        game, speller = self.game, self.speller
        alone = BeforeSpeller(game, speller, "len(players)")
        automata = f" + {alone.spell(game.automata, 7)}" if game.automata is not None else ""
        self._function("seats", "int", f"return len(players){automata}")
        before = BeforeSpeller(game, speller, "seats(players, options)" if automata else "len(players)")
        self._function("longest", "int", f"return {before.spell(game.longest)}")
        if game.overlays:
            flags = [f'"{o.name}": {before.verdict(o.when)}' for o in game.overlays]
            self._function("overlays", "dict[str, bool]", f"return {{{', '.join(flags)}}}")
        needs = [(o.name, o.requires) for o in game.options if o.requires is not None]
        failed = [
            f"if {before.spell(ir.Unary('not', test, t.Bool(), test.span))}:\nfailed.append({quoted(name)})"
            for name, test in needs
        ]
        self._function(
            "requires", "list[str]", *(["failed = []", *failed, "return failed"] if needs else ["return []"])
        )

        for i, accept in enumerate(self.accepts):
            if accept.when is not None:
                self._function(f"accepted_{i}", "bool", f"return {before.verdict(accept.when)}")

    @property
    def accepts(self) -> list[ir.Accept]:
        """The acceptances that play needs to know."""
        return [accept for accept in self.game.accepts if accept.code in IN_PLAY]

    def _function(self, name: str, kind: str, *lines: str) -> None:
        write = self.writer
        values = "int | Any" if any(o.word for o in self.game.options) else "int"
        with write.block(f"def {name}(players: range, options: dict[str, {values}]) -> {kind}:"):
            for line in lines:
                head, _, inner = line.partition("\n")
                if inner:
                    with write.block(head):
                        write.line(inner)
                else:
                    write.line(head)
        write.line()
        write.line()

    def variant(self) -> None:
        write, game = self.writer, self.game
        with write.block("VARIANT = Variant("):
            write.verbatim(f'name="{game.name}",')
            write.verbatim(f"says={quoted(game.says)},")
            write.verbatim(f'spec="{self.spec}",')
            write.verbatim(f"source={quoted(self.source)},")
            write.line(f"players=range({game.players[0]}, {game.players[1] + 1}),")
            self._table("options", [self._option(o) for o in game.options])
            for name in ("seats", "longest", "requires", *("overlays",) * bool(game.overlays)):
                write.line(f"{name}={name},")
            write.line("position=Position,")
            self._table("zones", [self._zone(z) for z in game.zones if not z.dice])
            if any(z.dice for z in game.zones):
                self._table("trays", [self._tray(z) for z in game.zones if z.dice])
            self._table("variables", [self._variable(v) for v in game.variables])
            self._table("actions", [self._action(a) for a in self.phases.actions.values()])
            self._table("outcomes", [self._action(a) for a in self.phases.outcomes.values()])
            self._table("phases", [self._phase(p) for p in game.phases])
            if game.overlays:
                members = [f'"{o.name}": "{self.speller.members["option", o.name]}"' for o in game.overlays]
                write.line(f"switches={{{', '.join(members)}}},")
            if self.speller.partial:
                rows = [f'({self.speller.constants["type", name]}, "{self.speller.members["every", name]}", '
                        f'"{self.speller.members["place in", name]}")' for name in self.speller.partial]  # fmt: skip
                self._table("partial", rows)
            invariants = [
                f"({quoted(v.name)}, Position.invariant_{i}{', ' + self._test(v.only) if v.only is not None else ''})"
                for i, v in enumerate(game.invariants)
            ]
            self._table("invariants", invariants)
            if game.result.returns is not None:
                worth = cast(t.Int, game.result.returns.type)
                write.line(f"worth=({worth.low}, {worth.high}),")
            if game.measures:
                self._table("measures", [self._measure(m) for m in game.measures])
            if self.accepts:
                self._table("accepts", [self._accept(i, accept) for i, accept in enumerate(self.accepts)])
            if game.clauses:
                with write.block("clauses={"):
                    for clause in game.clauses:
                        write.verbatim(f"{quoted(clause.id)}: {quoted(_told(clause))},")
                write.line("},")
        write.line(")")

    def _table(self, name: str, rows: list[str]) -> None:
        if len(rows) < 2:
            self.writer.line(f"{name}=({f'{rows[0]},' if rows else ''}),")
            return
        with self.writer.block(f"{name}=("):
            for row in rows:
                self.writer.line(f"{row},")
        self.writer.line("),")

    def domain(self, kind: t.Type) -> str:
        match kind:
            case t.Bool():
                return "BOOL"
            case t.Int(low, high):
                return f"Int({low}, {high})"
            case t.Count():
                return "COUNT"
            case t.Seat():
                return "SEAT"
            case t.Enum(name) | t.Card(name):
                return self.speller.constants["type", name]
            case t.Optional(of):
                return f"Maybe({self.domain(of)})"
            case t.SetOf(of):
                return f"SetOf({self.domain(of)})"
            case t.ListOf(of, most):
                return f"Several({self.domain(of)}, {most})"
            case _:
                raise AssertionError(kind)

    def _domains(self, kinds: tuple[t.Type, ...]) -> str:
        return tuple_of([self.domain(k) for k in kinds]) if kinds else "()"

    def _option(self, o: ir.OptionDecl) -> str:
        constant = self.speller.constant
        tries = tuple_of([constant(v, o.type) for v in o.tries])
        member = self.speller.members["option", o.name]
        default = constant(o.default, o.type)
        domain = self.domain(o.type)
        if o.word:
            domain = f'Maybe({self.domain(t.strip(o.type))}, "{o.word}")'
        return f'Option("{o.name}", {domain}, {default}, {tries}, {quoted(o.says)}, "{member}")'

    def _accept(self, number: int, accept: ir.Accept) -> str:
        when = f", accepted_{number}" if accept.when is not None else ""
        called = {f"phases.{p.name}": f"phases.{p.called}" for p in self.game.phases if p.called}
        return f"Accept({quoted(accept.code)}, {quoted(called.get(accept.at, accept.at))}{when})"

    def _place(self, place: ir.Zone | ir.Variable) -> str:
        return f'"{self.speller.called(place.name)}", "{self.speller.place(place.name)}", {self._domains(place.each)}'

    def _sees(self, place: ir.Zone | ir.Variable) -> str:
        return f"Position.{self.speller.members['sees', place.name]}"

    def _zone(self, z: ir.Zone) -> str:
        form = "slot" if z.slot else "ordered" if z.ordered else "unordered"
        owned = ", owned=True" * z.owned + ", stocked=True" * bool(z.stock)
        owned += ", once=True" * (z.name in self.phases.once) + self._only(z.only)
        return f'Zone({self._place(z)}, {self.domain(t.Card(z.card))}, "{form}", {self._sees(z)}{owned})'

    def _tray(self, z: ir.Zone) -> str:
        assert z.face is not None
        form = "ordered" if z.ordered else "unordered"
        rest = f'{self.domain(z.face)}, {z.holds}, "{form}", {self._sees(z)}{self._only(z.only)}'
        return f"Tray({self._place(z)}, {rest})"

    def _variable(self, v: ir.Variable) -> str:
        return f"Variable({self._place(v)}, {self.domain(v.type)}, {self._sees(v)}{self._only(v.only)})"

    def _action(self, a: Merged) -> str:
        parts = [f'"{a.name}"', f'"{self.phases.base(a)}"']
        if a.params:
            domains = [self.domain(k) for _, k in a.params]
            if a.role == "outcome":  # what is rolled stands in a row, what is chosen as a set
                domains = [f'{d[:-1]}, ", ")' if d.startswith("Several(") else d for d in domains]
            parts.append(tuple_of(domains))
        if any(isinstance(k, t.ListOf) for _, k in a.params):
            parts.append(tuple_of([f'"{self.phases.index(a, i)}"' for i in range(len(a.params))]))
        if a.key != a.name:
            parts.append(f'key="{a.key}"')
        return f"Action({', '.join(parts)}{self._only(a.only)})"

    def _measure(self, m: ir.Measure) -> str:
        called = {p.name: p.called or p.name for p in self.game.phases}
        moments = [
            f'Moment("{called.get(moment.phase, "")}", "{moment.action}", '
            f"Position.{self.measures.member(m, moment)}{self._only(moment.only)})"
            for moment in m.moments
        ]
        parts = [quoted(m.name), f'"{m.form}"', tuple_of(moments)]
        if m.each:
            parts.append(self._domains(m.each))
            parts.append(tuple_of([quoted(over.name) for over in m.moments[0].over]))
        says = f", says={quoted(m.says)}" if m.says else ""
        return f"Measure({', '.join(parts)}{says}{self._only(m.only)})"

    def _phase(self, p: ir.Phase) -> str:
        def method(*key: str) -> str:
            return f"Position.{self.phases.member(*key)}"

        parts = [f'"{p.called or p.name}"', f'"{p.kind}"', method("enter", p.name)]
        if p.kind != "automatic":
            parts.append(method("next", p.name))
            choosing = "chance" if p.kind == "chance" else "legal"
            parts.append(f"{choosing}={method(choosing, p.name)}")
        tables: dict[str, list[str]] = {"does": [], "told": [], "why": []}
        for a in p.actions:
            tables["does"].append(f'"{a.key}": {method("do", p.name, a.key)}')
            if hears_differ(a):
                tables["told"].append(f'"{a.key}": {method("told", p.name, a.key)}')
            if p.kind != "chance" and list(self.phases.tests(a)):
                tables["why"].append(f'"{a.key}": {method("why", p.name, a.key)}')
        parts += [f"{name}={{{', '.join(rows)}}}" for name, rows in tables.items() if rows]
        if hosts := self.phases.ways.hosts.get(p.name):
            parts.append(f"hosts={tuple_of([quoted(host) for host in hosts])}")
        if p.settled:
            settled = [quoted(self.speller.called(name)) for name in p.settled]
            parts.append(f"settled={tuple_of(settled)}")
        if p.sequence is not None:
            entry = t.element(p.sequence.entries.type)
            assert entry is not None
            parts += [f"entries={self.domain(entry)}", f"rest={method('rest', p.name)}"]
        return f"Phase({', '.join(parts)}{self._only(p.only)})"


def _targets(names: list[str]) -> str:
    """Names that are given values in one row; in brackets where they are too many for one line."""
    if len(names) == 1:
        return f"({names[0]},)"
    row = ", ".join(names)
    return row if len(row) < 100 else f"({row})"


def _faces(kind: t.Type) -> str:
    match kind:
        case t.Enum(_, values):
            return ", ".join(values)
        case t.Int(low, high):
            return ", ".join(str(v) for v in range(low, high + 1))
        case _:
            raise AssertionError(kind)


def _told(clause: ir.Clause) -> str:
    """What a clause says, and why a ruling is as it is."""
    return f"{clause.says} (Why: {clause.why})" if clause.why else clause.says
