"""Which element of one game is which of another: by its name, or, where no name fits, by what it means.

Elements of one name belong together. Of those left over in a section, two belong together where their bodies are equal
under the renamings found so far; this goes on until nothing more is found. What a body tells little about (a word, a
variable, a zone, an option) must also be used in the same elements; of variables and zones this is enough, where they
are of one kind. The words of an enumeration go in their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.shapes import Names, Shape, Shapes
from aeronef.dsl.walk import nodes

X = TypeVar("X")
Path = tuple[tuple[str, str], ...]  # of an element: its section and name, and in a phase the action
Place = ir.Zone | ir.Variable


class Renamings:
    """`names` gives, by sort and name in B, the name in A of what is renamed."""

    def __init__(self, a: ir.Game, b: ir.Game) -> None:
        self.a, self.b = a, b
        self.names: Names = {}
        self.one, self.other = Shapes(), Shapes(self.names)
        self.used = {id(game): _uses(game) for game in (a, b)}
        self.sections = {id(game): _sections(game) for game in (a, b)}
        found = -1
        while found != len(self.names):
            found = len(self.names)
            self._types()
            self._places()
            self._phases()

    def of(self, sort: str) -> list[tuple[str, str]]:
        """The renamed of a sort: the names in A and in B."""
        return [(old, new) for (kind, new), old in self.names.items() if kind == sort]

    def pairs(self, sort: str, ones: Mapping[str, X], others: Mapping[str, X]) -> list[tuple[X | None, X | None]]:
        """Elements that belong together, those of A alone, then those of B alone."""
        by_name = {self.other.name(sort, name): thing for name, thing in others.items()}
        both: list[tuple[X | None, X | None]] = [(thing, by_name.get(name)) for name, thing in ones.items()]
        return both + [(None, thing) for name, thing in by_name.items() if name not in ones]

    # ------------------------------------------------------------------------------ section by section

    def _match(self, sort: str, ones: Mapping[str, X], others: Mapping[str, X], alike: Callable[[X, X], bool]) -> None:
        taken = {old for (kind, _), old in self.names.items() if kind == sort}
        left = [name for name in ones if name not in others and name not in taken]
        for new in others:
            if new in ones or (sort, new) in self.names:
                continue
            for old in left:
                self.names[sort, new] = old  # a body may name itself
                if alike(ones[old], others[new]):
                    left.remove(old)
                    break
                del self.names[sort, new]

    def _types(self) -> None:
        a, b = self.a, self.b
        self._match("type", dict(a.enums), dict(b.enums), self._same_words)
        self._match("type", {n: (n, r) for n, *r in a.numbers}, {n: (n, r) for n, *r in b.numbers}, _same_range)
        cards, others = {c.name: c for c in a.cards}, {c.name: c for c in b.cards}
        self._match(
            "type", cards, others, lambda x, y: self._attributes(self.one, x) == self._attributes(self.other, y)
        )
        self._match("dice", {d.name: d for d in a.dice}, {d.name: d for d in b.dice}, self._same_dice)
        self._match("option", {o.name: o for o in a.options}, {o.name: o for o in b.options}, self._same_option)
        for x, y in self.pairs("type", enums(a), enums(b)):
            if x is not None and y is not None:
                self._words(x, y)
        for card, other in self.pairs("type", cards, others):
            if card is not None and other is not None:
                sort = f"attribute {card.name}"
                mine, theirs = dict(card.attributes), dict(other.attributes)
                self._match(sort, {n: (n, k, card) for n, k in mine.items()},
                            {n: (n, k, other) for n, k in theirs.items()}, self._same_attribute)  # fmt: skip
                self._labels(card, other)

    def _labels(self, card: ir.CardType, other: ir.CardType) -> None:
        """Cards of other labels are the same ones where all attributes are, and have the same values."""
        names = {n for n, _ in card.attributes}
        if names == {self.other.name(f"attribute {card.name}", n) for n, _ in other.attributes}:
            self._match(
                f"label {card.name}", {k.label: k for k in card.kinds}, {k.label: k for k in other.kinds},
                lambda x, y: printed_shape(self.one, card, x, names) == printed_shape(self.other, other, y, names),
            )  # fmt: skip

    def _same_words(self, x: tuple[str, ...], y: tuple[str, ...]) -> bool:
        if x == y:
            return True
        names = [next(n for n, words in enums(game).items() if words[1] == these)
                 for game, these in ((self.a, x), (self.b, y))]  # fmt: skip
        return len(x) == len(y) and self._together(("type", names[0]), ("type", names[1]))

    def _words(self, x: tuple[str, tuple[str, ...]], y: tuple[str, tuple[str, ...]]) -> None:
        """As many words on both sides: those left over belong together in their order, if they are used alike."""
        (one, words), (other, those) = x, y
        sort = f"word {one}"
        old = [w for w in words if w not in those]
        new = [w for w in those if w not in words]
        if len(words) == len(those) and all(
            self._together((sort, v), (f"word {other}", w)) for v, w in zip(old, new, strict=True)
        ):
            self.names |= {(sort, w): v for v, w in zip(old, new, strict=True)}

    def _attributes(self, shapes: Shapes, card: ir.CardType) -> Shape:
        return {
            (shapes.name(f"attribute {shapes.type_name(card.name)}", n), shapes.type(k)) for n, k in card.attributes
        }

    def _same_attribute(self, x: tuple[str, t.Type, ir.CardType], y: tuple[str, t.Type, ir.CardType]) -> bool:
        used = self._together((f"attribute {x[2].name}", x[0]), (f"attribute {y[2].name}", y[0]))
        return used and self.one.type(x[1]) == self.other.type(y[1])

    def _same_dice(self, x: ir.DiceType, y: ir.DiceType) -> bool:
        return (self.one.type(x.face), x.weights) == (self.other.type(y.face), y.weights)

    def _same_option(self, x: ir.OptionDecl, y: ir.OptionDecl) -> bool:
        ones, others = self._paths(("option", x.name), ("option", y.name))
        used = bool(_known(ones & others))
        words = [o.type.values if isinstance(o.type, t.Enum) else o.type for o in (x, y)]
        return used and words[0] == words[1] and x.default == y.default

    def _places(self) -> None:
        a, b = self.a, self.b
        for ones, others in ((a.zones, b.zones), (a.variables, b.variables)):
            mine: dict[str, Place] = {p.name: p for p in ones}
            for alike in (self._same_place, self._same_use):
                self._match("place", mine, {p.name: p for p in others}, alike)
        defines, others_ = ({d.name: d for d in game.defines} for game in (a, b))
        self._match("define", defines, others_, lambda x, y: define_shape(self.one, x) == define_shape(self.other, y))

    def _same_place(self, x: Place, y: Place) -> bool:
        return place_shape(self.one, x) == place_shape(self.other, y) and self._together(
            ("place", x.name), ("place", y.name), mostly=True
        )

    def _same_use(self, x: Place, y: Place) -> bool:
        """One kind of place, used in the same two elements or more, and mostly in these: its range, start or viewers
        may differ."""
        if form_shape(self.one, x) != form_shape(self.other, y):
            return False
        ones, others = self._paths(("place", x.name), ("place", y.name))
        common = _known(ones & others)
        both = len(self.used[id(self.a)]["place", x.name]), len(self.used[id(self.b)]["place", y.name])
        return len(common) >= 2 and 2 * len(common) >= max(both)

    def _phases(self) -> None:
        a, b = {p.name: p for p in self.a.phases}, {p.name: p for p in self.b.phases}
        # A way to another phase that is left over tells nothing yet.
        taken = {old for old, _ in self.of("phase")}
        unknown: Names = {("phase", n): "?" for n in a if n not in b and n not in taken}
        one, other = Shapes(unknown), Shapes({("phase", n): "?" for n in b if n not in a} | self.names)
        self._match("phase", a, b, lambda x, y: phase_shape(one, x) == phase_shape(other, y))
        for x, y in self.pairs("phase", a, b):
            if x is not None and y is not None:
                actions, others = ({i.key: (i, entry_env(p)) for i in p.actions} for p in (x, y))
                self._match(
                    f"action {x.name}", actions, others,
                    lambda i, j: action_shape(self.one, *i) == action_shape(self.other, *j),
                )  # fmt: skip

    # ------------------------------------------------------------------------------ who is used where

    def _together(self, one: tuple[str, str], other: tuple[str, str], mostly: bool = False) -> bool:
        """Whether two are used in the same elements: in one at least, or (`mostly`) in half of all. Elements that may
        be the same, for all that is known, are not enough: then all must be so."""
        x, y = self._paths(one, other)
        if not x and not y:
            return True
        if not mostly:
            return bool(x & y)
        if _known(x & y):
            return 2 * len(x & y) >= len(x | y)
        return x == y and len(self.used[id(self.a)][one]) == len(self.used[id(self.b)][other])

    def _paths(self, one: tuple[str, str], other: tuple[str, str]) -> tuple[set[Path], set[Path]]:
        return (
            {self._common(path, self.one, self.b) for path in self.used[id(self.a)][one]},
            {self._common(path, self.other, self.a) for path in self.used[id(self.b)][other]},
        )

    def _common(self, path: Path, shapes: Shapes, game: ir.Game) -> Path:
        """A path by names of A; what the other game does not have (yet) is known by its section alone."""
        found: list[tuple[str, str]] = []
        for sort, name in path:
            inside = f"action {found[0][1]}" if sort == "action" else sort
            there = shapes.name(inside, name)
            taken = (inside, name) in self.names if shapes is self.other else (inside, name) in self._old()
            found.append((sort, there if taken or name in self.sections[id(game)][sort] else "?"))
        return tuple(found)

    def _old(self) -> set[tuple[str, str]]:
        return {(sort, old) for (sort, _), old in self.names.items()}


def _known(paths: set[Path]) -> set[Path]:
    return {path for path in paths if all(name != "?" for _, name in path)}


def enums(game: ir.Game) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Of each enumeration, and each option that is one, the name and the words."""
    found = {name: (name, words) for name, words in game.enums}
    return found | {o.name: (o.name, o.type.values) for o in game.options if isinstance(o.type, t.Enum)}


def _same_range(x: tuple[str, list[Any]], y: tuple[str, list[Any]]) -> bool:
    return x[1] == y[1]


def _uses(game: ir.Game) -> dict[tuple[str, str], set[Path]]:
    """Of every name, the elements that use it."""
    found: dict[tuple[str, str], set[Path]] = defaultdict(set)
    for path, part in elements(game):
        for node in nodes(part):
            for used in _named(node):
                found[used].add(path)
    for card in game.cards:
        for i, (_, kind) in enumerate(card.attributes):
            inner = t.strip(kind)
            if isinstance(inner, t.Enum):
                found["type", inner.name].add((("type", card.name),))
                for value in {k.attributes[i] for k in card.kinds} - {None}:
                    found[f"word {inner.name}", inner.values[int(value or 0)]].add((("type", card.name),))
    for die in game.dice:
        if isinstance(die.face, t.Enum):
            found["type", die.face.name].add((("dice", die.name),))
            for word in die.face.values:
                found[f"word {die.face.name}", word].add((("dice", die.name),))
    return found


def _sections(game: ir.Game) -> dict[str, set[str]]:
    """The names of the elements, by section."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, _ in elements(game):
        for sort, name in path:
            found[sort].add(name)
    found["type"] |= {card.name for card in game.cards}
    found["dice"] |= {dice.name for dice in game.dice}
    return found


def elements(game: ir.Game) -> Iterator[tuple[Path, Any]]:
    places: tuple[Place, ...] = (*game.zones, *game.variables)
    for place in places:
        yield (("place", place.name),), place
    for define in game.defines:
        yield (("define", define.name),), define
    for phase in game.phases:
        inside = (phase.effects, phase.over or (), phase.start or (), phase.until or (), phase.asks or ())
        yield (("phase", phase.name),), (*inside, phase.sequence or (), phase.unasked, phase.then)
        for action in phase.actions:
            yield (("phase", phase.name), ("action", action.key)), action
    yield (("result", ""),), game.result
    yield (("automata", ""),), game.automata
    yield (("longest", ""),), game.longest
    for option in game.options:
        yield (("option", option.name),), option.requires
    for overlay in game.overlays:
        yield (("overlay", overlay.name),), overlay.when
    for invariant in game.invariants:
        yield (("invariant", invariant.name),), invariant


def _named(node: Any) -> Iterator[tuple[str, str]]:
    match node:
        case ir.Const(value, t.Enum(name, words)) if value is not None:
            yield f"word {name}", words[value]
        case ir.Read(name):
            yield "place", name
        case ir.Call(name):
            yield "define", name
        case ir.Option(name):
            yield "option", name
        case ir.Attribute(of, name):
            yield f"attribute {_innermost(of.type)}", name
        case ir.Labelled(of):
            yield "type", of
        case ir.Variable(_, each, kind):
            used: list[t.Type] = [*each, kind]
            yield from (("type", inner.name) for inner in map(_innermost, used) if isinstance(inner, t.Enum | t.Card))
        case ir.Zone(_, each, card):
            yield ("dice", node.dice) if node.dice else ("type", card)
            yield from (("type", inner.name) for inner in each if isinstance(inner, t.Enum))


def _innermost(kind: t.Type) -> t.Type:
    return t.strip(t.element(kind) or kind)


# ------------------------------------------------------------------------------------------ whole elements


def printed_shape(shapes: Shapes, card: ir.CardType, kind: ir.CardKind, common: set[str]) -> Shape:
    """What is on a card, of these attributes."""
    sort = f"attribute {shapes.type_name(card.name)}"
    named = [(shapes.name(sort, name), of, value)
             for (name, of), value in zip(card.attributes, kind.attributes, strict=True)]  # fmt: skip
    return {(name, shapes.value(value, of)) for name, of, value in named if name in common} | {
        ("", shapes.of(kind.only))
    }


def place_shape(shapes: Shapes, place: Place) -> Shape:
    each = tuple(shapes.type(kind) for kind in place.each)
    seen = shapes.of(place.seen.test)
    if isinstance(place, ir.Zone):
        form = (place.ordered, place.slot, place.holds)
        return "zone", each, shapes.type(place.holding), form, start_shape(shapes, place), seen
    return "var", each, shapes.type(place.type), start_shape(shapes, place), seen


def start_shape(shapes: Shapes, place: Place) -> Shape:
    stock = place.stock if isinstance(place, ir.Zone) else ""
    return ("stock", shapes.name("table", stock)) if stock else shapes.of(place.starts)


def form_shape(shapes: Shapes, place: Place) -> Shape:
    each = tuple(shapes.type(kind) for kind in place.each)
    if isinstance(place, ir.Zone):
        return "zone", each, shapes.type(place.holding)
    kind = t.strip(place.type)
    return "var", each, "number" if isinstance(kind, t.Int) else shapes.type(kind)


def define_shape(shapes: Shapes, define: ir.Define) -> Shape:
    env = {name: ("param", i) for i, (name, _) in enumerate(define.params)}
    return tuple(shapes.type(kind) for _, kind in define.params), shapes.of(define.body, env)


def entry_env(phase: ir.Phase) -> Mapping[str, Shape]:
    """What the actions of a phase know beside `me`: the entry that is answered, whatever its name."""
    return {phase.sequence.name: ("entry",)} if phase.sequence is not None else {}


def action_shape(shapes: Shapes, action: ir.Action, entry: Mapping[str, Shape]) -> Shape:
    names = {p.name: ("param", i) for i, p in enumerate(action.params) if p.name != "me" and p.name not in entry}
    env = {**entry, **names}
    params = tuple((parameter_shape(shapes, p, env), shapes.of(p.test, env), shapes.of(p.told.test, env))
                   for p in action.params)  # fmt: skip
    ways = tuple(() if way is None else ways_shape(shapes, way, env) for way in (action.visits, action.then))
    doing = (effects_shape(shapes, action.effects, env), shapes.of(action.guest, env), action.reopens)
    return params, shapes.of(action.when, env), doing, ways


def parameter_shape(shapes: Shapes, p: ir.Parameter, env: Mapping[str, Shape]) -> Shape:
    return p.kind, shapes.of(p.source, env), shapes.of(p.size, env), shapes.name("dice", p.dice), p.name == "me"


def effects_shape(shapes: Shapes, effects: Iterable[ir.Effect], env: Mapping[str, Shape]) -> Shape:
    body = statements(effects)
    lets = {name: str(i) for i, name in enumerate(lets_in(body))}
    return tuple(line.shape for line in shapes.lines(body, env, lets))


def statements(effects: Iterable[ir.Effect]) -> tuple[ir.Stmt, ...]:
    return tuple(statement for effect in effects for statement in effect.body)


def lets_in(body: tuple[ir.Stmt, ...]) -> list[str]:
    return list(dict.fromkeys(node.name for node in nodes(body) if isinstance(node, ir.Let)))


def phase_shape(shapes: Shapes, phase: ir.Phase) -> Shape:
    parts = tuple(shapes.of(part) for part in (phase.over, phase.start, phase.until, phase.asks))
    inner = f"action {shapes.name('phase', phase.name)}"
    entry = entry_env(phase)
    actions = {(shapes.name(inner, action.key), action_shape(shapes, action, entry)) for action in phase.actions}
    doing = (effects_shape(shapes, phase.effects, {}), effects_shape(shapes, phase.unasked, {}))
    return phase.kind, parts, sequence_shape(shapes, phase.sequence), doing, actions, ways_shape(shapes, phase.then)


def sequence_shape(shapes: Shapes, sequence: ir.Sequence | None) -> Shape:
    return shapes.of(sequence.entries) if sequence is not None else None


def ways_shape(shapes: Shapes, then: ir.Goto, env: Mapping[str, Shape] | None = None) -> Shape:
    return tuple((shapes.of(test, env or {}), shapes.name("phase", name)) for test, name in then.branches)
