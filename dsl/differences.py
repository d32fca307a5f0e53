"""What differs in meaning between two games, topic by topic.

What is said, cited, explained or measured, the order of declarations, and names of locals make no difference. What is
renamed is said once (`renamings.py` finds it) and then counts as equal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal, TypeVar

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.readings import (
    KINDS,
    held,
    read_action,
    read_anything,
    read_attributes,
    read_block,
    read_cards,
    read_define,
    read_faces,
    read_fact,
    read_keys,
    read_kind,
    read_labels,
    read_option,
    read_optional,
    read_params,
    read_phase,
    read_place,
    read_range,
    read_signature,
    read_starts,
    read_table,
    read_value,
    read_viewers,
    read_who,
)  # fmt: skip
from aeronef.dsl.renamings import (
    Place,
    Renamings,
    entry_env,
    lets_in,
    parameter_shape,
    printed_shape,
    sequence_shape,
    start_shape,
    statements,
    ways_shape,
)
from aeronef.dsl.shapes import Shape, Shapes, spell, spell_those, spell_ways
from aeronef.dsl.walk import element_id, rules

TOPICS = (
    "players", "options", "types", "cards", "dice", "tables", "zones", "variables", "visibility", "definitions",
    "phases", "actions", "conditions", "effects", "result", "invariants",
)  # fmt: skip
# What makes no difference, and what is compared in its own way; any other field of a declaration is compared as it is.
SAID = {"name", "span", "by", "says", "words", "when_words", "why", "called", "key", "decided", "settled"}
COMPARED: dict[type, set[str]] = {
    ir.Game: {"players", "automata", "longest", "clauses", "options", "enums", "numbers", "cards", "dice", "zones",
              "tables", "variables", "defines", "phases", "result", "invariants", "accepts", "citations",
              "overlays", "words_only", "measures", "points"},
    ir.OptionDecl: {"type", "low", "high", "default", "tries", "requires"},
    ir.CardType: {"attributes", "kinds"},
    ir.DiceType: {"face", "weights"},
    ir.Table: {"each", "sizes", "type", "values"},
    ir.Zone: {"each", "card", "ordered", "slot", "starts", "seen", "stock", "dice", "face", "holds"},
    ir.Variable: {"each", "type", "starts", "seen"},
    ir.Define: {"params", "body"},
    ir.Phase: {"kind", "effects", "over", "start", "until", "asks", "unasked", "actions", "then", "sequence"},
    ir.Action: {"params", "when", "effects", "visits", "guest", "then", "reopens"},
    ir.Parameter: {"kind", "source", "size", "size_most", "test", "dice", "type", "told"},
    ir.Result: {"rank", "lost", "returns", "parts"},
}  # fmt: skip
What = Literal["only in A", "only in B", "differs", "renamed"]
X = TypeVar("X")
Side = tuple[Shape, str]  # what it means, and how it reads
Env = Mapping[str, Shape]


@dataclass(frozen=True, slots=True)
class Difference:
    """`element` is a path of A, or of B where it is only there; `a` and `b` are spellings, of effects line by line."""

    topic: str
    element: str
    what: What
    a: str
    b: str
    span_a: Span | None
    span_b: Span | None


@dataclass(frozen=True, slots=True)
class _Named:
    """A part of a declaration that has a name but no place of its own."""

    name: str
    value: Any
    span: Span


def differences(a: ir.Game, b: ir.Game) -> tuple[Difference, ...]:
    """Sorted by topic, in each as A has it, then as B."""
    return tuple(sorted(_Comparer(rules(a), rules(b)).all(), key=lambda d: TOPICS.index(d.topic)))


class _Comparer:
    def __init__(self, a: ir.Game, b: ir.Game) -> None:
        self.a, self.b = a, b
        self.known = Renamings(a, b)
        self.one, self.other = self.known.one, self.known.other

    def all(self) -> Iterator[Difference]:
        for part in (self._players, self._options, self._types, self._cards, self._dice, self._tables, self._zones,
                     self._variables,
                     self._defines, self._phases, self._result, self._invariants):  # fmt: skip
            yield from part()

    # ------------------------------------------------------------------------------ what is compared how

    def differ(
        self, topic: str, element: str, x: X, y: X, side: Callable[[Shapes, X], Side], at: tuple[Any, Any] | None = None
    ) -> Iterator[Difference]:
        """One difference, if what `side` gives of both does not mean the same."""
        (shape, a), (other, b) = side(self.one, x), side(self.other, y)
        if shape != other:
            places = at or (x, y)
            yield Difference(topic, element, "differs", a, b, _span(places[0]), _span(places[1]))

    def tests(
        self, topic: str, element: str, x: ir.Expr | None, y: ir.Expr | None, without: str, at: tuple[Any, Any],
        envs: tuple[Env, Env] = ({}, {}),
    ) -> Iterator[Difference]:  # fmt: skip
        """As `differ`, of expressions; `without` is how it reads where there is none."""
        places = (at[0] if x is None else x, at[1] if y is None else y)
        yield from self.differ(
            topic, element, (x, envs[0]), (y, envs[1]), lambda s, n: (s.of(*n), read_optional(n[0], without)), places
        )

    def rest(self, topic: str, at: str, x: Any, y: Any, envs: tuple[Env, Env] = ({}, {})) -> Iterator[Difference]:
        """What a declaration says beside that which is compared in its own way."""
        for field in dataclasses.fields(x):
            if field.name not in SAID | COMPARED[type(x)]:
                ones, others = ((getattr(node, field.name), env) for node, env in zip((x, y), envs, strict=True))
                yield from self.differ(
                    topic, f"{at}.{field.name}", ones, others, lambda s, v: (s.of(*v), read_anything(v[0])), at=(x, y)
                )

    def pairs(
        self,
        topic: str,
        section: str,
        sort: str,
        ones: Iterable[Any],
        others: Iterable[Any],
        read: Callable[[Any], str],
    ) -> Iterator[tuple[Any, Any] | Difference]:
        """The elements that belong together; what is renamed or on one side only is a difference."""
        for x, y in self.known.pairs(sort, {element_id(x): x for x in ones}, {element_id(y): y for y in others}):
            one, other = (element_id(side) if side is not None else "" for side in (x, y))
            if x is not None and y is not None:
                seen, other_seen = (getattr(side, "called", "") or element_id(side) for side in (x, y))
                if seen != other_seen:
                    yield Difference(topic, f"{section}.{one}", "renamed", seen, other_seen, x.span, y.span)
                elif one != other:
                    yield Difference(topic, f"{section}.{one}", "renamed", one, other, x.span, y.span)
                yield x, y
            elif x is not None:
                yield Difference(topic, f"{section}.{one}", "only in A", read(x), "", x.span, None)
            elif y is not None:
                yield Difference(topic, f"{section}.{other}", "only in B", "", read(y), None, y.span)

    def each(
        self, topic: str, section: str, sort: str, ones: Iterable[Any], others: Iterable[Any],
        read: Callable[[Any], str], inside: Callable[[str, Any, Any], Iterator[Difference]],
    ) -> Iterator[Difference]:  # fmt: skip
        """All differences of a section: `inside` gives those of two elements that belong together."""
        for pair in self.pairs(topic, section, sort, ones, others, read):
            if isinstance(pair, Difference):
                yield pair
            else:
                yield from inside(f"{section}.{element_id(pair[0])}", *pair)

    # ------------------------------------------------------------------------------ declarations

    def _players(self) -> Iterator[Difference]:
        a, b = self.a, self.b
        yield from self.differ("players", "players", a, b, lambda _, g: (g.players, read_range(*g.players)))
        yield from self.tests("players", "automata", a.automata, b.automata, "none", (a, b))
        yield from self.rest("players", "players", a, b)

    def _options(self) -> Iterator[Difference]:
        yield from self.each("options", "options", "option", self.a.options, self.b.options, read_option, self._option)

        yield from self.each(
            "options", "overlays", "option", self.a.overlays, self.b.overlays, lambda o: f"when {spell(o.when)}",
            lambda at, x, y: self.tests("options", at, x.when, y.when, "", (x, y)),
        )  # fmt: skip

    def _option(self, at: str, x: ir.OptionDecl, y: ir.OptionDecl) -> Iterator[Difference]:
        if isinstance(x.type, t.Enum) and isinstance(y.type, t.Enum):
            yield from self._words("options", at, _Named(x.name, x.type.values, x.span),
                                   _Named(y.name, y.type.values, y.span))  # fmt: skip
        else:
            yield from self.differ("options", at, x, y, lambda s, o: (s.type(o.type), str(o.type)))
        yield from self.differ(
            "options", f"{at}.default", x, y, lambda s, o: (s.value(o.default, o.type), read_value(o.default, o.type))
        )
        yield from self.tests("options", f"{at}.requires", x.requires, y.requires, "nothing", (x, y))
        yield from self.rest("options", at, x, y)

    def _types(self) -> Iterator[Difference]:
        a, b = ([_Named(name, these, g.span) for name, these in g.enums] for g in (self.a, self.b))
        yield from self.each("types", "types", "type", a, b, lambda n: ", ".join(n.value),
                             lambda at, x, y: self._words("types", at, x, y))  # fmt: skip
        a, b = ([_Named(n, read_range(low, high), g.span) for n, low, high in g.numbers] for g in (self.a, self.b))
        yield from self.each("types", "types", "type", a, b, lambda n: str(n.value),
                             self._range)  # fmt: skip

    def _range(self, at: str, x: _Named, y: _Named) -> Iterator[Difference]:
        yield from self.differ("types", at, x, y, lambda _, n: (n.value, n.value))

    def _words(self, topic: str, at: str, x: _Named, y: _Named) -> Iterator[Difference]:
        """Which words are renamed, which are on one side only, and whether the others stand in another order."""
        sort, words, those = f"word {x.name}", x.value, y.value
        as_a = [self.known.names.get((sort, w), w) for w in those]
        if renamed := [(v, w) for v, w in zip(as_a, those, strict=True) if v != w]:
            old, new = (", ".join(side) for side in zip(*renamed, strict=True))
            yield Difference(topic, f"{at}.words", "renamed", old, new, x.span, y.span)
        if gone := [w for w in words if w not in as_a]:
            yield Difference(topic, f"{at}.words", "only in A", ", ".join(gone), "", x.span, None)
        if come := [w for w in as_a if w not in words]:
            yield Difference(topic, f"{at}.words", "only in B", "", ", ".join(come), None, y.span)
        orders = [w for w in words if w in as_a], [w for w in as_a if w in words]
        yield from self.differ(topic, f"{at}.order", *orders, lambda _, o: (o, ", ".join(o)), at=(x, y))

    def _cards(self) -> Iterator[Difference]:
        yield from self.each("cards", "cards", "type", self.a.cards, self.b.cards, read_cards, self._deck)

    def _deck(self, at: str, x: ir.CardType, y: ir.CardType) -> Iterator[Difference]:
        ones, others = ([_Named(name, kind, c.span) for name, kind in c.attributes] for c in (x, y))
        yield from self.each(
            "cards", at, f"attribute {x.name}", ones, others, lambda n: str(n.value),
            lambda at, v, w: self.differ("cards", at, v, w, lambda s, n: (s.type(n.value), str(n.value))),
        )  # fmt: skip
        yield from self._kinds(at, x, y)
        yield from self.rest("cards", at, x, y)

    def _kinds(self, at: str, x: ir.CardType, y: ir.CardType) -> Iterator[Difference]:
        """Which cards there are."""
        names = {n for n, _ in x.attributes}, {self.other.name(f"attribute {x.name}", n) for n, _ in y.attributes}
        common = names[0] & names[1]
        mine = {k.label: (printed_shape(self.one, x, k, common), k) for k in x.kinds}
        theirs = {k.label: (printed_shape(self.other, y, k, common), k) for k in y.kinds}
        partner = {self.other.name(f"label {x.name}", label): label for label in theirs}
        partner = {label: other for label, other in partner.items() if label in mine}
        left = [label for label in mine if label not in partner]
        kinds = f"{at}.kinds"
        both = [(mine[v], theirs[w]) for v, w in partner.items()]
        if renamed := [(v, w) for (_, v), (_, w) in both if v.label != self._label(w.label)]:
            texts = [", ".join(k.label for k in side) for side in zip(*renamed, strict=True)]
            yield Difference("cards", kinds, "renamed", texts[0], texts[1], renamed[0][0].span, renamed[0][1].span)
        if gone := [mine[v][1] for v in left]:
            yield Difference("cards", kinds, "only in A", read_labels(gone), "", gone[0].span, None)
        if come := [k for label, (_, k) in theirs.items() if label not in partner.values()]:
            yield Difference("cards", kinds, "only in B", "", read_labels(come), None, come[0].span)
        copies = [(v, w) for (_, v), (_, w) in both if v.copies != w.copies]
        for fewer, more in sorted({(v.copies, w.copies) for v, w in copies}):
            some = [(v, w) for v, w in copies if (v.copies, w.copies) == (fewer, more)]
            was, now = ([k.label for k in side] for side in zip(*some, strict=True))
            texts = [f"{fewer} × {', '.join(was)}", f"{more} × {', '.join(now)}"]
            yield Difference("cards", kinds, "differs", texts[0], texts[1], some[0][0].span, some[0][1].span)
        for (shape, v), (other, w) in both:
            if shape != other:
                texts = [read_attributes(x, v), read_attributes(y, w)]
                yield Difference("cards", f"{at}.{v.label}", "differs", texts[0], texts[1], v.span, w.span)

    def _label(self, label: str) -> str:
        """A label of B in the words of A."""
        renamed = {new: old for (sort, new), old in self.known.names.items() if sort.startswith("word ")}
        return " ".join(renamed.get(word, word) for word in label.split(" "))

    def _dice(self) -> Iterator[Difference]:
        yield from self.each("dice", "dice", "dice", self.a.dice, self.b.dice, read_faces, self._die)

    def _die(self, at: str, x: ir.DiceType, y: ir.DiceType) -> Iterator[Difference]:
        yield from self.differ("dice", at, x, y, lambda s, d: (_faces(s, d), read_faces(d)))
        yield from self.rest("dice", at, x, y)

    def _tables(self) -> Iterator[Difference]:
        yield from self.each("tables", "tables", "table", self.a.tables, self.b.tables, read_table, self._table)

    def _table(self, at: str, x: ir.Table, y: ir.Table) -> Iterator[Difference]:
        """Key by key, where both have the same keys."""
        if x.sizes != y.sizes or any(
            self.one.type(k) != self.other.type(m) for k, m in zip(x.each, y.each, strict=False)
        ):
            yield from self.differ("tables", at, x, y, lambda s, n: (n.span, read_table(n)))
            return
        for key, one, other in zip(read_keys(x, self.a), x.values, y.values, strict=True):
            yield from self.differ(
                "tables", f"{at}.{key}", (one, x.type), (other, y.type),
                lambda s, v: (fact_shape(s, *v), read_fact(*v)), at=(x, y),
            )  # fmt: skip
        yield from self.rest("tables", at, x, y)

    def _zones(self) -> Iterator[Difference]:
        inside = lambda at, x, y: self._place("zones", at, x, y)  # noqa: E731
        yield from self.each("zones", "zones", "place", self.a.zones, self.b.zones, read_place, inside)

    def _variables(self) -> Iterator[Difference]:
        inside = lambda at, x, y: self._place("variables", at, x, y)  # noqa: E731
        yield from self.each("variables", "vars", "place", self.a.variables, self.b.variables, read_place, inside)

    def _place(self, topic: str, at: str, x: Place, y: Place) -> Iterator[Difference]:
        yield from self.differ(topic, at, x, y, lambda s, p: (_form(s, p), read_kind(p)))
        yield from self.differ(topic, f"{at}.starts", x, y, lambda s, p: (start_shape(s, p), read_starts(p)))
        yield from self._seen(at, (x, x.seen, {}), (y, y.seen, {}))
        yield from self.rest(topic, at, x, y)

    def _seen(self, at: str, x: tuple[Any, ir.Visible, Env], y: tuple[Any, ir.Visible, Env]) -> Iterator[Difference]:
        yield from self.differ(
            "visibility", at, x, y, lambda s, v: (s.of(v[1].test, v[2]), read_viewers(v[1])), (x[0], y[0])
        )

    def _defines(self) -> Iterator[Difference]:
        yield from self.each(
            "definitions", "define", "define", self.a.defines, self.b.defines, read_define, self._define
        )

    def _define(self, at: str, x: ir.Define, y: ir.Define) -> Iterator[Difference]:
        yield from self.differ(
            "definitions", f"{at}.params", x, y, lambda s, d: (tuple(s.type(k) for _, k in d.params), read_params(d))
        )
        envs = [{name: ("param", i) for i, (name, _) in enumerate(d.params)} for d in (x, y)]
        yield from self.tests("definitions", at, x.body, y.body, "", (x, y), (envs[0], envs[1]))
        yield from self.rest("definitions", at, x, y)

    # ------------------------------------------------------------------------------ phases

    def _phases(self) -> Iterator[Difference]:
        a, b = self.a.phases, self.b.phases
        yield from self.differ("phases", "phases.first", a[0], b[0], lambda s, p: (s.name("phase", p.name), p.name))
        yield from self.each("phases", "phases", "phase", a, b, read_phase, self._phase)

    def _phase(self, at: str, x: ir.Phase, y: ir.Phase) -> Iterator[Difference]:
        both = (x, y)
        yield from self.differ("phases", at, x, y, lambda _, p: (p.kind, KINDS[p.kind]))
        yield from self.differ("phases", f"{at}.who", x, y, lambda s, p: (s.of(p.over), read_who(p)))
        yield from self.tests("phases", f"{at}.from", x.start, y.start, "nobody", both)
        yield from self.tests("phases", f"{at}.until", x.until, y.until, "once each", both)
        yield from self.tests("phases", f"{at}.asks", x.asks, y.asks, "everybody", both)
        yield from self.differ(
            "phases", f"{at}.sequence", x.sequence, y.sequence,
            lambda s, q: (sequence_shape(s, q), spell_those(q.entries) if q is not None else "one choice"), both,
        )  # fmt: skip
        yield from self.differ("phases", f"{at}.then", x.then, y.then, lambda s, g: (ways_shape(s, g), spell_ways(g)))
        yield from self.rest("phases", at, x, y)
        yield from self._effects(at, x.effects, y.effects)
        yield from self._effects(f"{at}.unasked", x.unasked, y.unasked)
        word = "outcomes" if x.kind == "chance" else "actions"
        yield from self.each(
            "actions", f"{at}.{word}", f"action {x.name}", x.actions, y.actions, read_action,
            lambda inner, i, j: self._action(inner, i, j, (entry_env(x), entry_env(y))),
        )  # fmt: skip

    def _action(self, at: str, x: ir.Action, y: ir.Action, entries: tuple[Env, Env]) -> Iterator[Difference]:
        same = _paired([p.name for p in x.params], [p.name for p in y.params])
        one: Env = {**{p.name: ("param", p.name) for p in x.params}, **entries[0]}
        other: Env = {**{p.name: ("param", same[p.name]) for p in y.params}, **entries[1]}
        envs = (one, other)
        if x.name != y.name and x.key == y.key:
            yield Difference("actions", at, "renamed", x.name, y.name, x.span, y.span)
        yield from self.differ(
            "actions", at, (x, one), (y, other), lambda s, i: (_params(s, *i), read_signature(i[0])), (x, y)
        )
        others = {same[p.name]: p for p in y.params}
        for p in x.params:
            if q := others.get(p.name):
                yield from self.tests("conditions", f"{at}.{p.name}", p.test, q.test, "any", (p, q), envs)
                yield from self._seen(f"{at}.{p.name}", (p, p.told, one), (q, q.told, other))
                yield from self.rest("actions", f"{at}.{p.name}", p, q, envs)
        yield from self.rest("actions", at, x, y, envs)
        yield from self.tests("conditions", at, x.when, y.when, "always", (x, y), envs)
        for word, ways in (("visits", (x.visits, y.visits)), ("then", (x.then, y.then))):
            yield from self.differ(
                "phases", f"{at}.{word}", (ways[0], one), (ways[1], other),
                lambda s, g: ((), "on") if g[0] is None else (ways_shape(s, g[0], g[1]), spell_ways(g[0])), (x, y),
            )  # fmt: skip
        yield from self.tests("phases", f"{at}.visits for", x.guest, y.guest, "who acts", (x, y), envs)
        yield from self.differ("phases", f"{at}.reopens", x, y, lambda _, a: (a.reopens, a.reopens or "nothing"))
        yield from self._effects(at, x.effects, y.effects, envs)

    def _effects(
        self, at: str, x: tuple[ir.Effect, ...], y: tuple[ir.Effect, ...], envs: tuple[Env, Env] = ({}, {})
    ) -> Iterator[Difference]:
        """Statement by statement: those on one side only, and those that stand in the place of others."""
        body, other = statements(x), statements(y)
        lets = _paired(lets_in(body), lets_in(other))
        ones, others = list(self.one.lines(body, envs[0], {})), list(self.other.lines(other, envs[1], lets))
        matcher = SequenceMatcher(None, [n.shape for n in ones], [n.shape for n in others], autojunk=False)
        for what, i, j, k, m in matcher.get_opcodes():
            gone, come = ones[i:j], others[k:m]
            kind: What = "only in B" if not gone else "only in A" if not come else "differs"
            if what != "equal":
                spans = [side[0].span if side else None for side in (gone, come)]
                yield Difference("effects", at, kind, read_block(gone), read_block(come), *spans)

    # ------------------------------------------------------------------------------ the end

    def _result(self) -> Iterator[Difference]:
        x, y = self.a.result, self.b.result
        yield from self.differ(
            "result", "result.rank", x, y,
            lambda s, r: (tuple(s.of(key) for key in r.rank), ", then ".join(map(spell, r.rank)) or "nobody"),
        )  # fmt: skip
        yield from self.tests("result", "result.lost", x.lost, y.lost, "never", (x, y))
        yield from self.tests("result", "result.returns", x.returns, y.returns, "by rank", (x, y))
        yield from self.tests("result", "result.parts", x.parts, y.parts, "1", (x, y))
        yield from self.rest("result", "result", x, y)
        yield from self.tests("result", "longest", self.a.longest, self.b.longest, "", (x, y))

    def _invariants(self) -> Iterator[Difference]:
        """What they promise counts; their names are words, but tell which has changed."""
        a = {i.name: (self.one.of(i.test), i) for i in self.a.invariants}
        b = {i.name: (self.other.of(i.test), i) for i in self.b.invariants}
        shapes, others = [shape for shape, _ in a.values()], [shape for shape, _ in b.values()]
        gone = {name: i for name, (shape, i) in a.items() if shape not in others}
        come = {name: i for name, (shape, i) in b.items() if shape not in shapes}
        for name, i in gone.items():
            at = f"invariants.{name}"
            if other := come.get(name):
                yield Difference("invariants", at, "differs", spell(i.test), spell(other.test), i.span, other.span)
            else:
                yield Difference("invariants", at, "only in A", spell(i.test), "", i.span, None)
        for name, i in come.items():
            if name not in gone:
                yield Difference("invariants", f"invariants.{name}", "only in B", "", spell(i.test), None, i.span)


# ------------------------------------------------------------------------------------------ shapes of parts


def _span(at: Any) -> Span | None:
    return getattr(at, "span", None)


def fact_shape(shapes: Shapes, value: ir.Fact, kind: t.Type) -> Shape:
    if isinstance(value, tuple):
        inner = t.element(kind) or kind
        return tuple(fact_shape(shapes, item, inner) for item in value)
    return shapes.value(value, t.strip(kind))


def _paired(ones: list[str], others: list[str]) -> dict[str, str]:
    """Locals of B by their names in A: the same name, or, of those left over, the same place."""
    left = [name for name in ones if name not in others]
    free = [name for name in others if name not in ones]
    return {name: name for name in others} | dict(zip(free, left, strict=False))


def _faces(shapes: Shapes, dice: ir.DiceType) -> Shape:
    return {(shapes.value(i, dice.face), n) for i, n in enumerate(dice.weights)}


def _form(shapes: Shapes, place: Place) -> Shape:
    form = (place.ordered, place.slot, place.holds) if isinstance(place, ir.Zone) else ()
    return tuple(map(shapes.type, place.each)), shapes.type(held(place)), form


def _params(shapes: Shapes, action: ir.Action, env: Env) -> Shape:
    return tuple((env[p.name], parameter_shape(shapes, p, env)) for p in action.params)
