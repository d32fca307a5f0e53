"""Games in which one thing is otherwise: what tests of a rule text should notice.

`candidates` lists the changes that the operators offer, in the order of the spec. A candidate makes its game when it is
asked for; where the types do not allow the change (a number outside of its range, a name before it is there) it has
none, and is no mutant. Changes that surely make no difference are not offered: two effects are swapped only where one
looks at what the other changes. Options, invariants, acceptances, measures, `longest:` and words are no rules that a
test of the rules could notice, and stay.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.printer import gather, goto, spell, statements
from aeronef.dsl.retype import Unfit, retyped
from aeronef.dsl.verifier import Unsound, verify
from aeronef.dsl.walk import EXPRESSIONS, called, changed, looked_at, nodes, rules

OPERATORS = {
    "comparison": "a comparison is another one",
    "arithmetic": "`+` and `-`",
    "logic": "`and` and `or`; `not` left out",
    "extreme": "`min` and `max`, `any` and `all`, `first` and `last`",
    "number": "a number or seat is one more or one less",
    "word": "a word is the next of its type",
    "bool": "`true` and `false`",
    "direction": "`left` and `right`",
    "order": "what is gathered comes the other way round, or as it lies",
    "test": "a `where`, `when:`, `asks:`, `until:` or `lost:` left out",
    "dropped": "an effect left out",
    "swapped": "two effects in a row swapped",
    "branch": "a branch is always taken, or never",
    "visibility": "who sees it: everyone, nobody, the owner only",
    "told": "who is told: everyone, nobody",
    "way": "where a phase leads: two of its ways swapped",
    "reopened": "who is asked again: all, the others, nobody",
    "table": "a value of a table is another one",
    "copies": "a card more, or one less, of a kind",
    "dice": "a face of a die more, or one less",
    "result": "a key of the result turned round, left out, or swapped with the next",
}

COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
               "in": ("not in",), "not in": ("in",)}  # fmt: skip
OTHERS = {"min": "max", "max": "min", "any": "all", "all": "any", "first": "last", "last": "first"}
PARTS = (*EXPRESSIONS, ir.Assign, ir.Step, ir.Move, ir.Add, ir.Remove, ir.If, ir.For, ir.Let, ir.Gather, ir.Effect,
         ir.Goto, ir.Sequence, ir.Parameter, ir.Visible, ir.Action)  # fmt: skip
UNTOUCHED = ("type", "item", "span", "each", "only", "target_type")
SHORT = 64  # characters around a change that are shown with it

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: its element (as findings name it), its place, the operator, what was and what is, and the clauses
    that the rule cites. `id` names it as long as its element keeps its form."""

    id: str
    element: str
    operator: str
    span: Span
    was: str
    now: str
    by: tuple[str, ...]
    make: Callable[[], ir.Game]

    def game(self) -> ir.Game | None:
        """The changed game, verified; None where this is no game."""
        try:
            found = self.make()
            verify(found)
        except (Unfit, Unsound):
            return None
        return found


def candidates(game: ir.Game) -> Iterator[Mutant]:
    """Every change that the operators offer."""
    yield from _Mutator(rules(game)).all()


def mutants(game: ir.Game) -> Iterator[Mutant]:
    """Those of them that are games."""
    return (mutant for mutant in candidates(game) if mutant.game() is not None)


@dataclass(frozen=True, slots=True)
class _Site:
    """A node in its element: where it stands, and what it stands in, outermost first."""

    path: Path
    node: Any
    around: tuple[_Site, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    """What an operator makes of a place: the node at `path` becomes another one (`was` and `now` where the spelling of
    the nodes would not tell)."""

    operator: str
    path: Path
    new: Any
    was: str = ""
    now: str = ""


class _Mutator:
    def __init__(self, game: ir.Game) -> None:
        self.whole = game
        self.bodies = {d.name: d.body for d in game.defines}
        self.enums = dict(game.enums)
        parts: list[ir.Zone | ir.Variable] = [*game.zones, *game.variables]
        self.only = {part.name: spell(part.only) for part in parts if part.only is not None}
        self.unordered = {zone.name for zone in game.zones if not zone.ordered}
        self.numbers: Counter[tuple[str, str]] = Counter()
        self.chance = False  # whether what stands in the phase at hand is chance's

    def all(self) -> Iterator[Mutant]:
        game = self.whole
        for i, card in enumerate(game.cards):
            if any(zone.card == card.name and zone.starts is not None for zone in game.zones):  # else a table counts
                yield from self._of(f"cards.{card.name}", ("cards", i), card.by, self._copies(card))
        for i, die in enumerate(game.dice):
            yield from self._of(f"dice.{die.name}", ("dice", i), die.by, self._dice(die))
        for i, table in enumerate(game.tables):
            yield from self._of(f"tables.{table.name}", ("tables", i), table.by, self._table(table))
        for i, zone in enumerate(game.zones):
            yield from self._inside(f"zones.{zone.name}", ("zones", i), zone, zone.by)
        for i, variable in enumerate(game.variables):
            yield from self._inside(f"vars.{variable.name}", ("variables", i), variable, variable.by)
        used = self._used()
        for i, define in enumerate(game.defines):
            if define.name in used:
                yield from self._inside(f"define.{define.name}", ("defines", i), define, define.by)
        for i, phase in enumerate(game.phases):
            path: Path = ("phases", i)
            yield from self._inside(f"phases.{phase.name}", path, dataclasses.replace(phase, actions=()), phase.by)
            self.chance = phase.kind == "chance"
            section = "outcomes" if self.chance else "actions"
            for k, action in enumerate(phase.actions):
                name = f"phases.{phase.name}.{section}.{action.key}"
                yield from self._inside(name, (*path, "actions", k), action, action.by or phase.by)
        yield from self._inside("result", ("result",), game.result, game.result.by)

    def _used(self) -> set[str]:
        """The definitions that the rules use, others' and the invariants' left out."""
        game = self.whole
        roots = (game.phases, game.result, tuple(p.seen for ps in (game.zones, game.variables) for p in ps))
        found: set[str] = set()
        todo = called(roots)
        while todo:
            found |= todo
            todo = {name for one in todo for name in called(self.bodies[one])} - found
        return found

    # ------------------------------------------------------------------------------ making

    def _inside(self, element: str, path: Path, root: Any, by: tuple[str, ...]) -> Iterator[Mutant]:
        for site in _sites(root):
            cited = next((s.node.by for s in reversed((*site.around, site)) if isinstance(s.node, ir.Effect)), ())
            yield from self._of(element, path, cited or by, self._changes(site), (*site.around, site))

    def _of(
        self, element: str, path: Path, by: tuple[str, ...], changes: Iterator[_Change], sites: tuple[_Site, ...] = ()
    ) -> Iterator[Mutant]:
        root = sites[0].node if sites else _at(self.whole, path)
        for change in changes:
            self.numbers[element, change.operator] += 1
            was, now = (change.was, change.now) if change.was else _shown(root, sites, change)
            yield Mutant(
                f"{element}:{change.operator}:{self.numbers[element, change.operator]}",
                element, change.operator, _span(root, sites, change), was, now, by, self._maker(path, change),
            )  # fmt: skip

    def _maker(self, path: Path, change: _Change) -> Callable[[], ir.Game]:
        def make() -> ir.Game:
            made = cast(ir.Game, _put(self.whole, (*path, *change.path), change.new))
            return retyped(self.whole, made)

        return make

    # ------------------------------------------------------------------------------ operators

    def _changes(self, site: _Site) -> Iterator[_Change]:
        node, path = site.node, site.path
        above = site.around[-1].node if site.around else None
        match node:
            case ir.Const():
                if not isinstance(above, ir.Visible) and not _implied(above, node):
                    same = _boundary(above, node)
                    yield from (change for change in self._constants(node, path) if change.new.value != same)
            case ir.Binary():
                yield from self._binary(node, path)
            case ir.Unary("not", of):
                yield _Change("logic", path, of)
            case ir.Choice(test, then):
                yield from _either(test, (*path, "test"), self._never_without(test, then))
            case ir.Builtin("left" | "right" as name):
                yield _Change("direction", path, dataclasses.replace(node, name={"left": "right"}.get(name, "left")))
            case ir.Builtin(name) if name in OTHERS and not _asks_for_any(above, name):
                yield _Change("extreme", path, dataclasses.replace(node, name=OTHERS[name]))
            case ir.Aggregate(kind, body) if kind in OTHERS and not isinstance(body, ir.Const):
                yield _Change("extreme", path, dataclasses.replace(node, kind=OTHERS[kind]))  # type: ignore[arg-type]
            case ir.Gather():
                yield from _gathered(node, path)
            case ir.If(branches):
                bare = [self._never_without(test, then) for test, then in branches]
                yield from _branches(node, path, bare)
            case ir.Visible():
                yield from (change for change in _visible(node, path, above) if not self._known_anyway(node, change))
            case ir.Goto(branches):
                for i in range(len(branches) - 1):
                    (test, one), (next_, two) = branches[i : i + 2]
                    if one != two:
                        ways = (*branches[:i], (test, two), (next_, one), *branches[i + 2 :])
                        yield _Change("way", path, dataclasses.replace(node, branches=ways))
            case ir.Parameter(_, _, _, _, _, test) if test is not None:
                yield _Change("test", (*path, "test"), None, f"where {spell(test)}", "(nothing)")
            case ir.Action(when=when):
                if when is not None:
                    yield _Change("test", (*path, "when"), None, f"when: {spell(when)}", "(nothing)")
                yield from _reopened(node, path)
            case ir.Phase():
                yield from _asked(node, path)
            case ir.Result():
                yield from _result(node, path)
            case _:
                pass
        yield from self._effects(node, path)

    def _known_anyway(self, node: ir.Visible, change: _Change) -> bool:
        """Whether a value is told to nobody that was told to who acts: who acts knows it anyway."""
        seen = change.new.test
        nobody = isinstance(seen, ir.Const) and not seen.value
        return change.operator == "told" and nobody and not self.chance and spell(node.test) == "viewer == me"

    def _binary(self, node: ir.Binary, path: Path) -> Iterator[_Change]:
        for other in COMPARISONS.get(node.op, ()):
            yield _Change("comparison", path, dataclasses.replace(node, op=cast(Any, other)))
        if node.op in ("+", "-"):
            yield _Change("arithmetic", path, dataclasses.replace(node, op="-" if node.op == "+" else "+"))
        if node.op in ("and", "or"):
            yield _Change("logic", path, dataclasses.replace(node, op="or" if node.op == "and" else "and"))

    def _constants(self, node: ir.Const, path: Path) -> Iterator[_Change]:
        value = node.value
        match node.type:
            case t.Bool():
                yield _Change("bool", path, dataclasses.replace(node, value=not value))
            case t.Int() if value is not None:
                for other in (value + 1, value - 1):
                    yield _Change("number", path, dataclasses.replace(node, value=other, type=t.Int(other, other)))
            case t.Seat() if value is not None:
                for other in (value + 1, value - 1):
                    if 0 <= other < self.whole.players[0]:
                        yield _Change("number", path, dataclasses.replace(node, value=other))
            case t.Enum(_, words) if value is not None and len(words) > 1:
                yield _Change("word", path, dataclasses.replace(node, value=(value + 1) % len(words)))

    def _effects(self, node: Any, path: Path) -> Iterator[_Change]:
        """Left out, or swapped with the next, in whatever holds effects."""
        for name, block in _blocks(node):
            here = (*path, *name)
            for i, one in enumerate(block):
                rest = (*block[:i], *block[i + 1 :])
                if isinstance(one, ir.Effect):
                    if len(one.body) > 1:
                        yield _Change("dropped", here, rest, _text(one.body), "(nothing)")
                elif _left_out(one) and (rest or isinstance(node, ir.Effect | ir.If)):
                    yield _Change("dropped", here, rest, _text((one,)), "(nothing)")
            for i, (one, two) in enumerate(itertools.pairwise(block)):
                if self._meet(one, two):
                    swapped = (*block[:i], two, one, *block[i + 2 :])
                    was, now = (f"{_text((a,))} before {_text((b,))}" for a, b in ((one, two), (two, one)))
                    yield _Change("swapped", here, swapped, was, now)

    def _meet(self, one: Any, two: Any) -> bool:
        """Whether one of two effects looks at or changes what the other changes. What both only put cards into, in no
        order, is the same afterwards."""
        both = (changed(one) & changed(two)) - ((_filled(one) & _filled(two)) & self.unordered)
        return bool(both) or any(changed(a) & self._looks(b) for a, b in ((one, two), (two, one)))

    def _looks(self, node: Any) -> set[str]:
        """What a piece of IR looks at; where a card is put is not looked at."""
        body = node.body if isinstance(node, ir.Effect) else (node,)
        return {found.name for found in self._within(looked_at(body)) if isinstance(found, ir.Read)}

    def _within(self, roots: Iterable[Any]) -> Iterator[Any]:
        """Every node of these, and of the definitions that they use."""
        for root in roots:
            yield from nodes(root)
            for name in called(root):
                yield from self._within((self.bodies[name],))

    def _never_without(self, test: ir.Expr, then: Any) -> bool:
        """Whether what stands under an overlay names what is there with this overlay only. Without the overlay it means
        nothing."""
        names = {n.name for n in self._within((then,)) if isinstance(n, ir.Read)}
        return any(self.only.get(name) == spell(test) for name in names)

    @staticmethod
    def _copies(card: ir.CardType) -> Iterator[_Change]:
        for i, kind in enumerate(card.kinds):
            for copies in (kind.copies + 1, kind.copies - 1):
                if copies >= 1:
                    new = dataclasses.replace(kind, copies=copies)
                    yield _Change(
                        "copies", ("kinds", i), new, *(f"{kind.label}, copies: {n}" for n in (kind.copies, copies))
                    )

    @staticmethod
    def _dice(die: ir.DiceType) -> Iterator[_Change]:
        faces = die.face.values if isinstance(die.face, t.Enum) else range(cast(t.Int, die.face).low, die.face.high + 1)  # type: ignore[union-attr]
        for i, (weight, face) in enumerate(zip(die.weights, faces, strict=True)):
            for other in (weight + 1, weight - 1):
                if other >= 0 and sum(die.weights) - weight + other > 0:
                    yield _Change("dice", ("weights", i), other, f"{face} on {weight}", f"{face} on {other}")

    @staticmethod
    def _table(table: ir.Table) -> Iterator[_Change]:
        kind = t.strip(table.type)
        for i, value in enumerate(table.values):
            others: list[int | bool] = []
            match kind:
                case t.Bool() if value is not None:
                    others = [not value]
                case t.Int(low, high) if isinstance(value, int):
                    others = [n for n in (value + 1, value - 1) if low <= n <= high]
                case t.Enum(_, words) if isinstance(value, int) and len(words) > 1:
                    others = [(value + 1) % len(words)]
            for other in others:
                at = "".join(f"[{key}]" for key in _key(table, i))
                was, now = (_word(kind, v) for v in (value, other))
                yield _Change("table", ("values", i), other, f"{table.name}{at}: {was}", f"{table.name}{at}: {now}")


# ------------------------------------------------------------------------------------------ operators of one node


def _either(test: ir.Expr, path: Path, bare: bool) -> Iterator[_Change]:
    """A test that always holds (but where what it guards is nothing without it: `bare`), and one that never does."""
    for value in (False,) if bare else (True, False):
        if not (isinstance(test, ir.Const) and test.value == value):
            yield _Change("branch", path, ir.Const(value, t.Bool(), test.span))


def _branches(node: ir.If, path: Path, bare: Sequence[bool]) -> Iterator[_Change]:
    for i, (test, _) in enumerate(node.branches):
        for value in (False,) if bare[i] else (True, False):
            new = ir.Const(value, t.Bool(), test.span)
            word = "elif" if i else "if"
            yield _Change("branch", (*path, "branches", i, 0), new, f"{word} {spell(test)}", f"{word} {spell(new)}")


def _gathered(node: ir.Gather, path: Path) -> Iterator[_Change]:
    if node.test is not None:
        yield _Change("test", path, dataclasses.replace(node, test=None))
    if node.key is not None:
        yield _Change("order", path, dataclasses.replace(node, down=not node.down))
        yield _Change("order", path, dataclasses.replace(node, key=None, down=False))


def _visible(node: ir.Visible, path: Path, above: Any) -> Iterator[_Change]:
    told, span = isinstance(above, ir.Parameter), node.test.span
    ways: list[tuple[str, ir.Expr]] = [
        ("everyone", ir.Const(True, t.Bool(), span)),
        ("nobody", ir.Const(False, t.Bool(), span)),
    ]
    if not told and t.Seat() in above.each:
        viewer, owner = (ir.Local(name, t.Seat(), span) for name in ("viewer", "owner"))
        ways.append(("viewer == owner", ir.Binary("==", viewer, owner, t.Bool(), span)))
    was = {"true": "everyone", "false": "nobody"}.get(spell(node.test), spell(node.test))
    of = f"{above.name} " if told else ""
    for words, test in ways:
        if words != was:
            key = f"told {of}" if told else "seen: "
            yield _Change(
                "told" if told else "visibility", path, ir.Visible(test, words), f"{key}{was}", f"{key}{words}"
            )


def _reopened(node: ir.Action, path: Path) -> Iterator[_Change]:
    if node.reopens:
        for other in ("all", "others", ""):
            if other != node.reopens:
                was, now = (f"reopens: {word}" if word else "(nothing)" for word in (node.reopens, other))
                yield _Change("reopened", (*path, "reopens"), other, was, now)


def _asked(node: ir.Phase, path: Path) -> Iterator[_Change]:
    if node.asks is not None:
        unasked = node.unasked if node.sequence is not None else ()
        new = dataclasses.replace(node, asks=None, unasked=unasked)
        yield from _keys(new, node, path, ("asks", "unasked"), f"asks: {spell(node.asks)}")
    if node.until is not None and node.over is not None and node.start is None:
        yield _Change("test", (*path, "until"), None, f"until: {spell(node.until)}", "(nothing)")


def _keys(new: ir.Phase, old: ir.Phase, path: Path, keys: tuple[str, ...], was: str) -> Iterator[_Change]:
    """Several keys of an element at once; its actions, which stand apart, stay."""
    changed = {key: getattr(new, key) for key in keys if getattr(new, key) != getattr(old, key)}
    yield _Change("test", path, _Keys(changed), was, "(nothing)")


@dataclass(frozen=True, slots=True)
class _Keys:
    """New values of some keys of a node."""

    values: dict[str, Any]


def _result(node: ir.Result, path: Path) -> Iterator[_Change]:
    rank = node.rank
    for i, key in enumerate(rank):
        yield _Change("result", (*path, "rank", i), _turned(key))
        if len(rank) > 1:
            rest = (*rank[:i], *rank[i + 1 :])
            yield _Change("result", (*path, "rank"), rest, f"rank: {spell(key)}", "(nothing)")
        if i + 1 < len(rank):
            new = (*rank[:i], rank[i + 1], key, *rank[i + 2 :])
            was, now = (f"rank: {spell(a)}, then {spell(b)}" for a, b in ((key, rank[i + 1]), (rank[i + 1], key)))
            yield _Change("result", (*path, "rank"), new, was, now)
    if node.lost is not None:
        yield _Change("test", (*path, "lost"), None, f"lost: {spell(node.lost)}", "(nothing)")
    if node.returns is not None:
        yield _Change("result", (*path, "returns"), _turned(node.returns))
    if node.parts is not None:
        yield _Change("result", (*path, "parts"), None, f"parts: {spell(node.parts)}", "(nothing)")


def _turned(key: ir.Expr) -> ir.Expr:
    if isinstance(key.type, t.Int):
        return ir.Unary("-", key, t.Int(-key.type.high, -key.type.low), key.span)
    return ir.Unary("not", key, t.Bool(), key.span)


def _boundary(above: Any, node: ir.Const) -> int | None:
    """The number that would say the same as another comparison does: `x < 4` is `x <= 3`."""
    if not isinstance(above, ir.Binary) or above.op not in ("<", "<=", ">", ">=") or node.value is None:
        return None
    up = (above.op in ("<", ">=")) == (above.right is node)
    return node.value + (1 if up else -1)


def _asks_for_any(above: Any, name: str) -> bool:
    """Whether it is only asked if there is a first (or last) at all, which is one question."""
    none = isinstance(above, ir.Binary) and any(
        isinstance(side, ir.Const) and side.value is None for side in (above.left, above.right)
    )
    return name in ("first", "last") and none


def _implied(above: Any, node: ir.Const) -> bool:
    """Whether a constant stands nowhere in the text: what `any(p in … where …)` asks of each."""
    return isinstance(above, ir.Aggregate) and above.body is node


# ------------------------------------------------------------------------------------------ blocks of effects


def _blocks(node: Any) -> Iterator[tuple[Path, tuple[Any, ...]]]:
    match node:
        case ir.Effect(body) | ir.For(_, body):
            yield ("body",), body
        case ir.If(branches, other):
            for i, (_, then) in enumerate(branches):
                if then:
                    yield ("branches", i, 1), then
            if other:
                yield ("other",), other
        case ir.Action():
            yield ("effects",), node.effects
        case ir.Phase():
            yield ("effects",), node.effects
            yield ("unasked",), node.unasked
        case _:
            pass


def _left_out(node: ir.Stmt) -> bool:
    """Whether an effect can be left out and that is no other operator's: a name would be missing, and a single branch
    is also never taken."""
    if isinstance(node, ir.If):
        return len(node.branches) > 1 or bool(node.other)
    return not isinstance(node, ir.Let)


def _filled(node: Any) -> set[str]:
    """The zones that cards or dice are only put into."""
    inside = list(nodes(node))
    taken = {inner.source.name for inner in inside if isinstance(inner, ir.Move | ir.Remove)}
    return {inner.target.name for inner in inside if isinstance(inner, ir.Move | ir.Add)} - taken


# ------------------------------------------------------------------------------------------ paths


def _sites(root: Any) -> Iterator[_Site]:
    """Every part of an element, outermost first."""

    def below(value: Any, path: Path, around: tuple[_Site, ...]) -> Iterator[_Site]:
        if isinstance(value, tuple):
            for i, item in enumerate(value):
                yield from below(item, (*path, i), around)
        elif isinstance(value, PARTS):
            yield from visit(_Site(path, value, around))

    def visit(site: _Site) -> Iterator[_Site]:
        yield site
        around = (*site.around, site)
        for field in dataclasses.fields(site.node):
            if field.name not in UNTOUCHED:
                yield from below(getattr(site.node, field.name), (*site.path, field.name), around)

    yield from visit(_Site((), root, ()))


def _at(node: Any, path: Path) -> Any:
    for step in path:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    return node


def _put(node: Any, path: Path, new: Any) -> Any:
    """The tree with another node at a path."""
    if not path:
        return dataclasses.replace(node, **new.values) if isinstance(new, _Keys) else new
    step, *rest = path
    if isinstance(step, int):
        return (*node[:step], _put(node[step], tuple(rest), new), *node[step + 1 :])
    return dataclasses.replace(node, **{step: _put(getattr(node, step), tuple(rest), new)})


# ------------------------------------------------------------------------------------------ words


def _shown(root: Any, sites: tuple[_Site, ...], change: _Change) -> tuple[str, str]:
    """What stands there, with as much around it as is short, and what stands there now."""
    found: tuple[str, str] | None = None
    changed = _put(root, change.path, change.new)
    for site in sorted((s for s in sites if s.path == change.path[: len(s.path)]), key=lambda s: -len(s.path)):
        words = _words(site.node)
        if words is None or (found is not None and len(words) > SHORT):
            if found is not None:
                break
            continue
        now = _words(_at(changed, site.path))
        if now is None or now == words:
            continue
        found = words, now
    if found is None:
        found = tuple(_words(_at(tree, change.path)) or "" for tree in (root, changed))  # type: ignore[assignment]
    assert found is not None
    return found


def _words(node: Any) -> str | None:
    match node:
        case ir.Gather():
            return gather(node)
        case ir.Goto():
            return f"then: {goto(node)}"
        case ir.Assign() | ir.Step() | ir.Move() | ir.Add() | ir.Remove() | ir.Let():
            return _text((node,))
        case _ if isinstance(node, EXPRESSIONS):
            return spell(node)
        case _:
            return None


def _text(body: tuple[Any, ...]) -> str:
    """The first line of effects, without what a printed IR adds to it."""
    body = body[0].body if body and isinstance(body[0], ir.Effect) else body
    lines = [line.partition("  # checked")[0] for line in statements(body, "")]
    return lines[0] + (" …" if len(lines) > 1 else "")


def _span(root: Any, sites: tuple[_Site, ...], change: _Change) -> Span:
    """The place of the innermost node around a change that has one."""
    for at in range(len(change.path), -1, -1):
        node = _at(root, change.path[:at])
        if at == len(change.path) and isinstance(change.new, tuple) and isinstance(node, tuple):
            gone = [a for a, b in zip(node, (*change.new, None), strict=False) if a is not b]
            node = gone[0] if gone else node
        if isinstance(node, ir.Effect) and node.body:
            return node.body[0].span
        if isinstance(span := getattr(node, "span", None), Span):
            return span
    return cast(Span, root.span)


def _key(table: ir.Table, number: int) -> list[str]:
    """The keys of a value, as numbers from the first on where they are no words."""
    found: list[str] = []
    for kind, size in reversed(list(zip(table.each, table.sizes, strict=True))):
        number, place = divmod(number, size)
        match kind:
            case t.Int(low, _):
                found.append(str(low + place))
            case t.Enum(_, words):
                found.append(words[place])
            case _:
                found.append(str(place))
    return found[::-1]


def _word(kind: t.Type, value: Any) -> str:
    if isinstance(kind, t.Enum):
        return str(kind.values[value])
    return str(value).lower()
