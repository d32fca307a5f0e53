"""One game of the games that a spec is under each set of its overlays (`switches.py`).

Every combination was compiled by itself, so what each says is known to be right. Here they are laid side by side:
what all agree on stays as it is, and where they differ the overlays decide. An expression becomes a choice, effects
stand under an `if`, ways on get the test before them; an element (a zone, an action, a word, a card …) that not all
of them have says with which overlays it is there (`only`). AE806 where they differ in what cannot be decided so.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any, TypeVar, cast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.alike import ALIKE, aligned, all_of, both, joined, meaning, merged, words_of
from aeronef.dsl.codes import IN_PLAY
from aeronef.dsl.diagnostics import Report, Span
from aeronef.dsl.expressions import BOOL
from aeronef.dsl.overlays import Where
from aeronef.dsl.switches import Combination, On
from aeronef.dsl.walk import by_use, element_id, rewritten
from aeronef.dsl.ways import closure, ways_of

Thing = TypeVar("Thing")
Variants = dict[On, Thing]
NOWHERE = Span("", 1, 1, 1, 1)


def unite(
    overlays: tuple[ir.Overlay, ...], combined: Sequence[Combination], games: Sequence[ir.Game], report: Report
) -> ir.Game:
    """The game that is each of `games` under its combination. Reports AE806."""
    if len(games) == 1 and not overlays:
        return games[0]
    united = _Unite(overlays, combined, report)
    before = {c.on: game for c, game in zip(combined, games, strict=True)}
    game = united.game({c.on: game for c, game in zip(combined, aligned(games), strict=True)}, before)
    for name, _ in game.enums:
        united.in_order(("types", name), {on: dict(g.enums).get(name, ()) for on, g in before.items()}, game.span)
    there = {c.on: {name: set(values) for name, values in g.enums} for c, g in zip(combined, games, strict=True)}
    words = [
        (
            name,
            word,
            united.only(("types", name), {on: word in enums[name] for on, enums in there.items() if name in enums}),
        )
        for name, values in game.enums
        for word in values
    ]
    return _retyped(dataclasses.replace(game, words_only=tuple(row for row in words if row[2] is not None)))


def _retyped(game: ir.Game) -> ir.Game:
    """The game with the types that declarations have now wherever they are used; what was known not to be none stays
    so."""
    kinds: dict[tuple[type, str], t.Type] = {(ir.Call, d.name): d.body.type for d in game.defines}
    kinds |= {(ir.Read, v.name): v.type for v in game.variables}
    kinds |= {(ir.Lookup, table.name): table.type for table in game.tables}

    def change(node: Any) -> Any:
        wanted = kinds.get((type(node), getattr(node, "name", ""))) if not isinstance(node, type) else None
        if wanted is None:
            return None
        if not isinstance(node.type, t.Optional) and isinstance(wanted, t.Optional):
            wanted = wanted.of
        if isinstance(node.type, t.Int):  # which a test may have narrowed
            wanted = node.type
        fields = {f.name: rewritten(getattr(node, f.name), change) for f in dataclasses.fields(node)}
        return dataclasses.replace(node, **fields | {"type": wanted})

    return cast(ir.Game, rewritten(game, change))


# ------------------------------------------------------------------------------------------ side by side


class _Unite:
    def __init__(
        self, overlays: tuple[ir.Overlay, ...], combined: Sequence[Combination], report: Report
    ) -> None:  # fmt: skip
        self.overlays = overlays
        self.report = report
        self.written = [(span, name) for c in combined for span, name in c.written]
        self.all = frozenset(c.on for c in combined)
        self.touched: dict[Where, list[str]] = {}
        for c in combined:
            for where, names in c.touched.items():
                there = self.touched.setdefault(where, [])
                there += [name for name in names if name not in there]

    def game(self, games: Variants[ir.Game], before: Variants[ir.Game]) -> ir.Game:
        first = next(iter(games.values()))

        def of(part: Callable[[ir.Game], Thing]) -> Variants[Thing]:
            return {on: part(game) for on, game in games.items()}

        self._first_phase(of(lambda g: [p.name for p in g.phases]), first)
        cards = tuple(self._elements("cards", of(lambda g: g.cards), self._card_type))
        tables = of(lambda g: g.tables)
        stocks = {zone.stock for game in games.values() for zone in game.zones}
        clauses = {c.id: c for game in games.values() for c in game.clauses}
        citations = dict.fromkeys(c for game in games.values() for c in game.citations)
        citations |= {(cited, f"overlays.{o.name}", o.span): None for o in self.overlays for cited in o.by}
        return dataclasses.replace(
            first,
            longest=self.expr(("longest",), of(lambda g: g.longest), first.span),
            by=tuple(dict.fromkeys(b for g in games.values() for b in g.by)),
            clauses=tuple(clauses.values()),
            numbers=self._numbers(of(lambda g: g.numbers), first.span),
            cards=cards,
            tables=tuple(self._elements("tables", tables, lambda w, v: self._table(w, v, before, cards, stocks))),
            dice=tuple(self._elements("dice", of(lambda g: g.dice), self._same)),
            zones=tuple(self._elements("zones", of(lambda g: g.zones), self._zone)),
            variables=tuple(self._elements("vars", of(lambda g: g.variables), self._variable)),
            defines=self._uncircled(tuple(self._elements("define", of(lambda g: g.defines), self._define))),
            phases=self._of_one_kind(tuple(self._elements("phases", of(lambda g: g.phases), self._phase))),
            result=self._result(of(lambda g: g.result)),
            invariants=tuple(self._elements("invariants", of(lambda g: g.invariants), self._invariant)),
            measures=tuple(self._elements("measures", of(lambda g: g.measures), self._measure)),
            accepts=tuple(self._accepts(of(lambda g: g.accepts))),
            citations=tuple(citations),
            overlays=self.overlays,
        )

    def _numbers(
        self, variants: Variants[tuple[tuple[str, int, int], ...]], span: Span
    ) -> tuple[tuple[str, int, int], ...]:  # fmt: skip
        found: dict[str, tuple[str, int, int]] = {}
        for row in (row for rows in variants.values() for row in rows):
            if found.setdefault(row[0], row) != row:
                where = ("types", row[0])
                self.wrong(where, span, f"the type `{row[0]}` does not always have one range", "add another type")
        return tuple(found[name] for name in merged([row[0] for row in rows] for rows in variants.values()))

    def _accepts(self, variants: Variants[tuple[ir.Accept, ...]]) -> Iterator[ir.Accept]:
        """A finding of play is accepted under the overlays under which the spec accepts it."""
        forms = {(a.code, a.at, meaning(a.when)): a for accepts in variants.values() for a in accepts}
        for key, accept in forms.items():
            there = {on: any((a.code, a.at, meaning(a.when)) == key for a in v) for on, v in variants.items()}
            only = self.only(("accepts",), there) if accept.code in IN_PLAY else None
            when = accept.when if only is None else only
            if only is not None and accept.when is not None:
                when = ir.Binary("and", only, accept.when, BOOL, accept.span)
            yield dataclasses.replace(accept, when=when)

    def _uncircled(self, defines: tuple[ir.Define, ...]) -> tuple[ir.Define, ...]:
        """Reports definitions that need themselves: with one overlay one may use what with another uses it."""
        found = by_use(defines)
        if isinstance(found, str):
            span = next(d.span for d in defines if d.name == found)
            self.wrong(
                ("define", found), span, f"`{found}` uses what uses it, if not at once", "add another definition"
            )
        return defines

    # ------------------------------------------------------------------------------ who decides

    def wrong(self, where: Where, span: Span, what: str, hint: str) -> None:
        names = " and ".join(f"`{name}`" for name in self.touched.get(where, [o.name for o in self.overlays]))
        self.report.add("AE806", span, f"{what}, and whether {names} is on cannot decide it", hint)

    def _flag(self, where: Where, variants: Mapping[On, Any]) -> str:
        """An overlay that divides the combinations: first of those that touched this element."""
        near = [name for depth in range(len(where), 0, -1) for name in self.touched.get(where[:depth], [])]
        for name in (*near, *(o.name for o in self.overlays)):
            on = sum(name in combination for combination in variants)
            if 0 < on < len(variants):
                return name
        raise AssertionError("combinations differ by an overlay")

    def _split(self, where: Where, variants: Variants[Thing]) -> tuple[str, Variants[Thing], Variants[Thing]]:
        flag = self._flag(where, variants)
        on = {c: v for c, v in variants.items() if flag in c}
        return flag, on, {c: v for c, v in variants.items() if flag not in c}

    def _named(self, flag: str, variants: Mapping[On, Any], span: Span) -> str:
        """The overlay that wrote what stands at a place, where it divides the combinations as `flag` does."""
        for stretch, name in self.written:
            same = stretch.file == span.file and stretch.line <= span.line and span.end_line <= stretch.end_line
            if same and all((name in on) == (flag in on) for on in variants):
                return name
        return flag

    def expr(self, where: Where, variants: Mapping[On, ir.Expr], span: Span) -> ir.Expr:
        """The expression that is each of the variants under its combination."""
        values = list(variants.values())
        if all(meaning(v) == meaning(values[0]) for v in values):
            return cast(ir.Expr, all_of(values))
        flag, on, off = self._split(where, dict(variants))
        then, other = self.expr(where, on, span), self.expr(where, off, span)
        if meaning(then) == meaning(other):  # it was another overlay that made the difference
            return cast(ir.Expr, both(then, other))
        kind = t.join(then.type, other.type)
        if kind is None:
            self.wrong(where, span, f"`{'.'.join(where)}` is of two types", "both must be of one type")
            return then
        test = ir.Option(self._named(flag, variants, then.span), BOOL, span)
        if not then.type == other.type == BOOL:
            return ir.Choice(test, then, other, kind, then.span)
        if isinstance(other, ir.Const) and isinstance(then, ir.Const) and isinstance(then.value, bool):
            return test if then.value else ir.Unary("not", test, BOOL, span)
        if isinstance(other, ir.Const) and isinstance(other.value, bool):
            no = ir.Unary("not", test, BOOL, span)
            return ir.Binary("or", no, then, BOOL, span) if other.value else ir.Binary("and", test, then, BOOL, span)
        if isinstance(then, ir.Const) and isinstance(then.value, bool):
            no = ir.Unary("not", test, BOOL, span)
            return ir.Binary("or", test, other, BOOL, span) if then.value else ir.Binary("and", no, other, BOOL, span)
        return ir.Choice(test, then, other, kind, then.span)

    def only(self, where: Where, there: Variants[bool]) -> ir.Only:
        """The test over overlays that tells where something is; None where it always is."""
        span = self.overlays[0].span if self.overlays else NOWHERE
        consts: Variants[ir.Expr] = {on: ir.Const(value, BOOL, NOWHERE) for on, value in there.items()}
        return None if all(there.values()) else self.expr(where, consts, span)

    def maybe(
        self, where: Where, variants: Variants[ir.Expr | None], span: Span, absent: bool | None = None
    ) -> ir.Expr | None:
        """As `expr`, of what may be left out; then it is as if `absent` stood there."""
        if all(v is None for v in variants.values()):
            return None
        if any(v is None for v in variants.values()) and absent is None:
            self.wrong(where, span, f"`{'.'.join(where)}` is not always there", "say it in the base too")
            return next(v for v in variants.values() if v is not None)
        filled = {on: ir.Const(bool(absent), BOOL, span) if v is None else v for on, v in variants.items()}
        return self.expr(where, filled, span)

    def visible(self, where: Where, variants: Variants[ir.Visible], span: Span) -> ir.Visible:
        return ir.Visible(self.expr(where, {on: v.test for on, v in variants.items()}, span), words_of(variants))

    def effects(self, where: Where, variants: Variants[tuple[ir.Effect, ...]]) -> tuple[ir.Effect, ...]:
        """What all do, and under an `if` what only some do, in the order that it has in each."""
        values = list(variants.values())
        if all(meaning(v) == meaning(values[0]) for v in values):
            return cast(tuple[ir.Effect, ...], all_of(values))
        flag, on_, off_ = self._split(where, variants)
        on, off = self.effects(where, on_), self.effects(where, off_)
        if meaning(on) == meaning(off):
            return cast(tuple[ir.Effect, ...], both(on, off))
        found: list[ir.Effect] = []
        keys = [[(meaning(e.body), e.says) for e in side] for side in (on, off)]
        for verb, i1, i2, j1, j2 in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
            if verb == "equal":
                found += [both(a, b) for a, b in zip(on[i1:i2], off[j1:j2], strict=True)]
                continue
            yes, no = on[i1:i2], off[j1:j2]
            if len(yes) == len(no) == 1 and (yes[0].says == no[0].says or yes[0].by == no[0].by):
                by = tuple(dict.fromkeys((*no[0].by, *yes[0].by)))
                test = ir.Option(self._named(flag, variants, yes[0].span), BOOL, yes[0].span)
                either = ir.If(((test, yes[0].body),), no[0].body, yes[0].span)
                found.append(ir.Effect((either,), by, no[0].says or yes[0].says, yes[0].span))
                continue
            found += [self._under(self._named(flag, variants, e.span), True, e) for e in yes]
            found += [self._under(flag, False, e) for e in no]
        return tuple(found)

    @staticmethod
    def _under(flag: str, on: bool, effect: ir.Effect) -> ir.Effect:
        test: ir.Expr = ir.Option(flag, BOOL, effect.span)
        if not on:
            test = ir.Unary("not", test, BOOL, effect.span)
        body = ir.If(((test, effect.body),), (), effect.span)
        return dataclasses.replace(effect, body=(body,))

    def goto(self, where: Where, variants: Variants[ir.Goto]) -> ir.Goto:
        values = list(variants.values())
        if all(meaning(v) == meaning(values[0]) for v in values):
            return cast(ir.Goto, all_of(values))
        flag, on_, off_ = self._split(where, variants)
        on, off = self.goto(where, on_), self.goto(where, off_)
        if meaning(on) == meaning(off):
            return cast(ir.Goto, both(on, off))
        test = ir.Option(self._named(flag, variants, on.span), BOOL, on.span)
        first = tuple(
            (test if other is None else ir.Binary("and", test, other, BOOL, on.span), name)
            for other, name in on.branches
        )
        return ir.Goto((*first, *off.branches), on.span)

    # ------------------------------------------------------------------------------ elements

    def _elements(
        self, section: str, variants: Variants[tuple[Any, ...]], unite: Callable[[Where, Variants[Any]], Any],
        within: Where = (),
    ) -> Iterator[Any]:  # fmt: skip
        """The elements of all, each as one, in the order that they have."""
        names = merged([element_id(e) for e in elements] for elements in variants.values())
        for name in names:
            there = {on: e for on, elements in variants.items() for e in elements if element_id(e) == name}
            found = unite((*within, section, name), there)
            if len(there) < len(variants) and any(f.name == "only" for f in dataclasses.fields(found)):
                found = dataclasses.replace(
                    found, only=self.only((*within, section, name), {o: o in there for o in variants})
                )
            yield found

    def _fixed(self, where: Where, variants: Variants[Any], names: Sequence[str], hint: str) -> Any:
        """The first of the variants, if they agree on what cannot be decided."""
        first = next(iter(variants.values()))
        for name in names:
            if any(meaning(getattr(v, name)) != meaning(getattr(first, name)) for v in variants.values()):
                spoken = {
                    "start": "from:",
                    "ordered": "order:",
                    "slot": "holds:",
                    "card": "of:",
                    "owned": "owners:",
                    "stock": "starts:",
                    "dice": "of:",
                }.get(name, f"{name}:")
                last = list(variants.values())[-1]
                self.wrong(where, last.span, f"`{spoken}` of `{'.'.join(where)}` is not always the same", hint)
        cites = tuple(dict.fromkeys(b for v in variants.values() for b in v.by)) if hasattr(first, "by") else None
        return dataclasses.replace(first, by=cites) if cites is not None else first

    def in_order(self, where: Where, variants: Mapping[On, Sequence[str]], span: Span) -> None:
        """What rules go through one by one is in one order for all."""
        whole = merged(variants.values())
        if any(list(names) != [name for name in whole if name in names] for names in variants.values()):
            self.wrong(where, span, f"`{'.'.join(where)}` is not always in one order", "keep the order of the base")

    def _first_phase(self, variants: Variants[list[str]], game: ir.Game) -> None:
        """A game starts with the first of its phases: of all of them, the first that is there."""
        whole = merged(variants.values())
        for names in variants.values():
            found = next(name for name in whole if name in names)
            if found != names[0]:
                hint = "begin with a phase that decides by `then:`"
                self.wrong(("phases", names[0]), game.span, f"`{names[0]}` is not always the first phase", hint)

    def _of_one_kind(self, phases: tuple[ir.Phase, ...]) -> tuple[ir.Phase, ...]:
        """Reports phases that are of a detour with one overlay, and of the game's own way without it."""
        graph = ways_of(phases)
        plain = closure(graph.ways, {phases[0].name}) if phases else set()
        for phase in phases:
            if phase.name in plain and phase.name in graph.hosts:
                what = f"`{phase.name}` is of a detour, and sometimes reached without it"
                self.wrong(("phases", phase.name), phase.span, what, "make two phases of it")
        return phases

    def _same(self, where: Where, variants: Variants[Any]) -> Any:
        names = [f.name for f in dataclasses.fields(next(iter(variants.values()))) if f.name not in ALIKE]
        return self._fixed(where, variants, names, "add another one")

    def _card_type(self, where: Where, variants: Variants[ir.CardType]) -> ir.CardType:
        first = self._fixed(where, variants, (), "")
        attributes: dict[str, t.Type] = {}
        for card in variants.values():
            for name, kind in card.attributes:
                if name in attributes and t.join(attributes[name], kind) is None:
                    self.wrong(where, card.span, f"the attribute `{name}` is of two types", "add another attribute")
                attributes[name] = t.join(attributes.get(name, kind), kind) or kind
        facts: dict[
            tuple[str, str], int | bool | None
        ] = {}  # of an attribute that is new, those that the cards will have
        for card in variants.values():
            for row in card.kinds:
                for (name, _), value in zip(card.attributes, row.attributes, strict=True):
                    facts.setdefault((row.label, name), value)
        rows: dict[On, tuple[ir.CardKind, ...]] = {}
        for on, card in variants.items():
            has = [name for name, _ in card.attributes]
            rows[on] = tuple(
                dataclasses.replace(row, attributes=tuple(
                    row.attributes[has.index(name)] if name in has else facts.get((row.label, name))
                    for name in attributes
                ))
                for row in card.kinds
            )  # fmt: skip
        self.in_order(where, {on: [row.label for row in card.kinds] for on, card in variants.items()}, first.span)
        kinds = tuple(self._elements("kinds", rows, self._same, where))
        return cast(ir.CardType, dataclasses.replace(first, attributes=tuple(attributes.items()), kinds=kinds))

    def _table(
        self,
        where: Where,
        variants: Variants[ir.Table],
        before: Variants[ir.Game],
        cards: tuple[ir.CardType, ...],
        stocks: set[str],
    ) -> ir.Table:
        """A table with the keys of all. A key that is nowhere with another has some value, which nobody looks up, or
        0 where it says what lies in a zone."""
        table = cast(ir.Table, self._fixed(where, variants, (), "add another table"))
        forms = {(*map(_form, v.each), _form(v.type)) for v in variants.values()}
        if len(forms) > 1:
            self.wrong(where, table.span, f"`{table.name}` has other keys, or is of another type", "add another table")
            return table
        each = tuple(joined(kinds) for kinds in zip(*(v.each for v in variants.values()), strict=True))
        table = dataclasses.replace(table, each=each, type=joined(v.type for v in variants.values()))
        labels = {card.name: [kind.label for kind in card.kinds] for card in cards}
        facts: dict[tuple[str, ...], ir.Fact] = {}
        for on, v in variants.items():
            own = {card.name: [kind.label for kind in card.kinds] for card in before[on].cards}
            old = next(other for other in before[on].tables if other.name == v.name)
            kind = t.element(old.type) or t.strip(old.type)

            def moved(value: Any, kind: t.Type = kind, own: dict[str, list[str]] = own) -> Any:
                """The value as all have it: a word or a card may have another number."""
                if isinstance(value, tuple):
                    return tuple(sorted(moved(item) for item in value))
                wider = t.element(table.type) or t.strip(table.type)
                if value is None or not isinstance(kind, t.Enum | t.Card):
                    return value
                if isinstance(kind, t.Card):
                    return labels[kind.name].index(own[kind.name][value])
                return cast(t.Enum, wider).values.index(kind.values[value])

            keys = itertools.product(*(_keys(each, own, size) for each, size in zip(old.each, old.sizes, strict=True)))
            for key, value in zip(keys, old.values, strict=True):
                if facts.setdefault(key, moved(value)) != moved(value):
                    self.wrong(where, v.span, f"`{v.name}` of {', '.join(key)} is not always the same",
                               "add another table, and let a definition choose")  # fmt: skip
        most = [max(sizes) for sizes in zip(*(v.sizes for v in variants.values()), strict=True)]
        rows = [_keys(each, labels, size) for each, size in zip(table.each, most, strict=True)]
        other = next(iter(facts.values()))
        keys_of_all = list(itertools.product(*rows))
        if table.name in stocks and len(facts) < len(keys_of_all):
            other, table = 0, dataclasses.replace(table, type=joined((table.type, t.Int(0, 0))))
        values = tuple(facts.get(key, other) for key in keys_of_all)
        return dataclasses.replace(table, sizes=tuple(len(row) for row in rows), values=values)

    def _zone(self, where: Where, variants: Variants[ir.Zone]) -> ir.Zone:
        fixed = [f.name for f in dataclasses.fields(ir.Zone) if f.name not in (*ALIKE, "starts", "seen", "only")]
        zone = self._fixed(where, variants, fixed, "add another zone")
        seen = self.visible((*where, "seen"), {on: v.seen for on, v in variants.items()}, zone.span)
        starts = {on: v.starts for on, v in variants.items()}
        gathers = [g for g in starts.values() if g is not None]
        found = zone.starts
        if any(meaning(g) != meaning(zone.starts) for g in starts.values()):
            heads = {meaning((g.name, g.source, g.key, g.down)) for g in gathers}
            if len(heads) > 1 or len(gathers) < len(starts):
                self.wrong((*where, "starts"), zone.span, f"`starts:` of `{zone.name}` is not always of one form",
                           "write the same `c in … where …` in both")  # fmt: skip
            else:
                test = self.maybe((*where, "starts"), {on: g.test for on, g in starts.items() if g}, zone.span, True)
                found = dataclasses.replace(gathers[0], test=test)
        return cast(ir.Zone, dataclasses.replace(zone, seen=seen, starts=found))

    def _variable(self, where: Where, variants: Variants[ir.Variable]) -> ir.Variable:
        variable = self._fixed(where, variants, ("each", "called", "decided"), "add another variable")
        kind = variable.type
        for v in variants.values():
            wider = t.join(kind, v.type) if type(kind) is type(v.type) else None
            if wider is None:
                self.wrong((*where, "type"), v.span, f"`{v.name}` is of two types", "add another variable")
            kind = wider or kind
        starts = self.expr((*where, "starts"), {on: v.starts for on, v in variants.items()}, variable.span)
        seen = self.visible((*where, "seen"), {on: v.seen for on, v in variants.items()}, variable.span)
        return cast(ir.Variable, dataclasses.replace(variable, type=kind, starts=starts, seen=seen))

    def _define(self, where: Where, variants: Variants[ir.Define]) -> ir.Define:
        define = self._fixed(where, variants, (), "")
        heads = {tuple(name for name, _ in v.params) for v in variants.values()}
        if len(heads) > 1:
            self.wrong(where, define.span, f"`{define.name}` takes other values", "add another definition")
            return cast(ir.Define, define)
        params = tuple(
            (rows[0][0], joined(kind for _, kind in rows))
            for rows in zip(*(v.params for v in variants.values()), strict=True)
        )
        body = self.expr(where, {on: v.body for on, v in variants.items()}, define.span)
        return cast(ir.Define, dataclasses.replace(define, params=params, body=body, words=words_of(variants)))

    def _invariant(self, where: Where, variants: Variants[ir.Invariant]) -> ir.Invariant:
        first = self._fixed(where, variants, (), "")
        test = self.expr(where, {on: v.test for on, v in variants.items()}, first.span)
        return cast(ir.Invariant, dataclasses.replace(first, test=test, words=words_of(variants)))

    def _measure(self, where: Where, variants: Variants[ir.Measure]) -> ir.Measure:
        hint = "add another measure"
        measure = self._fixed(where, variants, (), "")
        forms = {(v.form, *map(_form, v.each)) for v in variants.values()}
        if len(forms) > 1:
            message = f"`{measure.name}` has other keys, or does not always measure what is alike"
            self.wrong(where, list(variants.values())[-1].span, message, hint)
            return cast(ir.Measure, measure)
        each = tuple(joined(kinds) for kinds in zip(*(v.each for v in variants.values()), strict=True))
        rows = {on: v.moments for on, v in variants.items()}
        moments = tuple(self._elements("at", rows, self._moment, where))
        return cast(ir.Measure, dataclasses.replace(measure, each=each, moments=moments))

    def _moment(self, where: Where, variants: Variants[ir.Moment]) -> ir.Moment:
        moment = next(iter(variants.values()))
        names = {tuple(over.name for over in v.over) for v in variants.values()}
        if len(names) > 1:
            message = f"the keys of `{where[1]}` do not always have the same names"
            self.wrong(where, list(variants.values())[-1].span, message, "call them the same in `each:`")
            return moment
        over = tuple(self._key(where, {on: v.over[i] for on, v in variants.items()}) for i in range(len(moment.over)))
        value = self.maybe(where, {on: v.value for on, v in variants.items()}, moment.span)
        return dataclasses.replace(moment, over=over, value=value)

    def _key(self, where: Where, variants: Variants[ir.Gather]) -> ir.Gather:
        first = next(iter(variants.values()))
        source = self.expr(where, {on: g.source for on, g in variants.items()}, first.span)
        test = self.maybe(where, {on: g.test for on, g in variants.items()}, first.span, True)
        return dataclasses.replace(first, source=source, test=test, item=t.element(source.type) or first.item)

    def _phase(self, where: Where, variants: Variants[ir.Phase]) -> ir.Phase:
        hint = "add another phase, and let `then:` decide between the two"
        phase = self._fixed(where, variants, ("kind", "called"), hint)

        def of(name: str) -> Variants[Any]:
            return {on: getattr(v, name) for on, v in variants.items()}

        alone = phase.kind == "chance" and not any(of("over").values())
        return cast(
            ir.Phase,
            dataclasses.replace(
                phase,
                effects=self.effects((*where, "do"), of("effects")),
                over=self.maybe((*where, "over"), of("over"), phase.span),
                start=self.maybe((*where, "from"), of("start"), phase.span),
                until=self.maybe((*where, "until"), of("until"), phase.span),
                asks=self.maybe((*where, "asks"), of("asks"), phase.span, True),
                unasked=self.effects((*where, "unasked"), of("unasked")),
                sequence=self._sequence((*where, "sequence"), of("sequence"), phase),
                actions=tuple(self._elements("actions", of("actions"), partial(self._action, alone=alone), where)),
                then=self.goto((*where, "then"), of("then")),
                settled=tuple(sorted(set.intersection(*(set(settled) for settled in of("settled").values())))),
            ),
        )

    def _sequence(self, where: Where, variants: Variants[ir.Sequence | None], phase: ir.Phase) -> ir.Sequence | None:
        there = {on: v for on, v in variants.items() if v is not None}
        hint = "add another phase, and let `then:` decide between the two"
        if len(there) not in (0, len(variants)):
            self.wrong(where, phase.span, f"`sequence:` of `{phase.name}` is not always there", hint)
        if not there:
            return None
        first, *others = there.values()
        if other := next((v for v in others if v.name != first.name), None):
            what = f"an entry of `{phase.name}` is called `{first.name}` or `{other.name}`"
            self.wrong(where, other.span, what, "give it one name")
            return first
        entries = self.expr(where, {on: v.entries for on, v in there.items()}, phase.span)
        return dataclasses.replace(first, entries=entries, words=words_of(there))

    def _action(self, where: Where, variants: Variants[ir.Action], alone: bool = False) -> ir.Action:
        hint = "what it takes is fixed: add another form of it, `… as NAME`"
        united = (*ALIKE, "params", "when", "effects", "only", "visits", "guest", "then", "reopens", "key")
        fixed = [f.name for f in dataclasses.fields(ir.Action) if f.name not in united]
        action = self._fixed(where, variants, fixed, hint)
        rows = [v.params for v in variants.values()]
        heads = {tuple((p.name, p.kind, meaning((p.source, p.dice))) for p in row) for row in rows}
        if len(heads) > 1:
            self.wrong(where, list(variants.values())[-1].span, f"`{action.name}` takes other values", hint)
            return cast(ir.Action, action)
        params = tuple(
            self._parameter(where, {on: v.params[i] for on, v in variants.items()}) for i in range(len(rows[0]))
        )
        when = self.maybe((*where, "when"), {on: v.when for on, v in variants.items()}, action.span, True)
        effects = self.effects((*where, "do"), {on: v.effects for on, v in variants.items()})
        ways = {word: self._way_out(where, word, variants, action, hint) for word in ("visits", "then")}
        if len({v.reopens for v in variants.values()}) > 1:
            self.wrong((*where, "reopens"), action.span, f"`{action.key}` does not always reopen the same", hint)
        guests = {on: v.guest for on, v in variants.items()}
        if alone and any(guests.values()) and not all(guests.values()):
            message = f"`{action.key}`, which is nobody's, does not always say whom it visits for"
            self.wrong((*where, "visits"), action.span, message, "say `for SEAT` in the base too")
            guests = dict.fromkeys(guests)
        elif any(guests.values()):  # who acts, where it says nobody else
            own: ir.Expr = ir.Local("me", t.Seat(), action.span)
            guests = {on: guest or own for on, guest in guests.items()}
        guest = self.maybe((*where, "visits"), guests, action.span)
        changes: dict[str, Any] = {"params": params, "when": when, "effects": effects}
        changes["when_words"] = words_of(variants, "when_words")
        return cast(ir.Action, dataclasses.replace(action, guest=guest, **ways, **changes))

    def _way_out(
        self, where: Where, word: str, variants: Variants[ir.Action], action: ir.Action, hint: str
    ) -> ir.Goto | None:
        """The `visits:` or `then:` of an action, which all of them have or none."""
        ways = {on: way for on, v in variants.items() if (way := getattr(v, word)) is not None}
        if len(ways) not in (0, len(variants)):
            self.wrong((*where, word), action.span, f"`{word}:` of `{action.key}` is not always there", hint)
        return self.goto((*where, word), ways) if len(ways) == len(variants) else getattr(action, word)

    def _parameter(self, where: Where, variants: Variants[ir.Parameter]) -> ir.Parameter:
        values = list(variants.values())
        first = dataclasses.replace(values[0], source=all_of([p.source for p in values]))
        size = self.maybe(where, {on: p.size for on, p in variants.items()}, first.span)
        test = self.maybe(where, {on: p.test for on, p in variants.items()}, first.span, True)
        told = self.visible((*where, "told"), {on: p.told for on, p in variants.items()}, first.span)
        kind, most = joined(p.type for p in values), max(p.size_most for p in values)
        return dataclasses.replace(
            first, size=size, size_most=most, test=test, told=told, type=kind, words=words_of(variants)
        )

    def _result(self, variants: Variants[ir.Result]) -> ir.Result:
        first = self._fixed(("result",), variants, (), "")
        if len({len(v.rank) for v in variants.values()}) > 1:
            self.wrong(("result", "rank"), first.span, "there are not always as many keys in `rank:`",
                       "give it as many, with 0 where one means nothing")  # fmt: skip
            return cast(ir.Result, first)
        rank = tuple(
            self.expr(("result", "rank"), {on: v.rank[i] for on, v in variants.items()}, first.span)
            for i in range(len(first.rank))
        )
        lost = self.maybe(("result", "lost"), {on: v.lost for on, v in variants.items()}, first.span, False)
        returns = self.maybe(("result", "returns"), {on: v.returns for on, v in variants.items()}, first.span)
        parts = None
        if any(v.parts is not None for v in variants.values()):
            whole = ir.Const(1, t.Int(1, 1), first.span)
            found = {on: whole if v.parts is None else v.parts for on, v in variants.items()}
            parts = self.expr(("result", "parts"), found, first.span)
        return cast(ir.Result, dataclasses.replace(first, rank=rank, lost=lost, returns=returns, parts=parts))


def _keys(kind: t.Type, cards: Mapping[str, list[str]], size: int) -> list[str]:
    """The keys that a table has for a type, in order."""
    if isinstance(kind, t.Card):
        return cards[kind.name]
    low = kind.low if isinstance(kind, t.Int) else 0
    high = kind.high if isinstance(kind, t.Int) else size - 1
    return list(kind.values) if isinstance(kind, t.Enum) else [str(i) for i in range(low, high + 1)]


def _form(kind: t.Type) -> Any:
    """What a type is, whatever its range and words."""
    inner = t.element(kind) or t.strip(kind)
    return type(kind), type(inner), getattr(inner, "name", "")
