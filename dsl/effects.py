"""Trees of effects to typed statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.expressions import BOOL, Checker, Child
from aeronef.dsl.facts import NOTHING, Facts, facts_if, without
from aeronef.dsl.printer import spell
from aeronef.dsl.ranges import arithmetic
from aeronef.dsl.spoken import being, describe


class EffectChecker(Checker):
    """Types the statements of one block, in order; what one of them settles the next may use."""

    def block(self, tree: Tree[Token], facts: Facts = NOTHING) -> tuple[tuple[ir.Stmt, ...], Facts]:
        """The statements, and what is known after them."""
        return self._body(tree.children, facts)

    def _body(self, trees: list[Child], facts: Facts) -> tuple[tuple[ir.Stmt, ...], Facts]:
        outer = self.locals
        self.locals = dict(outer)
        found: list[ir.Stmt] = []
        for tree in trees:
            if isinstance(tree, Tree):
                node, facts = self._statement(tree, facts)
                if node is not None:
                    found.append(node)
        facts = without(facts, self.locals.keys() - outer.keys())
        self.locals = outer
        return tuple(found), facts

    def _suite(self, tree: Child, facts: Facts) -> tuple[tuple[ir.Stmt, ...], Facts]:
        return self._body(cast("Tree[Token]", tree).children, facts)

    def _forget(self, facts: Facts, names: set[str]) -> Facts:
        """What is still known after these have changed; a definition may look at anything."""
        return without(facts, names | set(self.world.defines))

    def _statement(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        match str(tree.data):
            case "assign":
                return self._assigned(tree, facts)
            case "increase" | "decrease":
                return self._stepped(tree, facts)
            case "move" | "move_all":
                return self._moved(tree, facts)
            case "add_dice" | "remove_dice" | "remove_all":
                return self._come_or_gone(tree, facts)
            case "let":
                return self._named(tree, facts)
            case "branch":
                return self._branched(tree, facts)
            case "loop":
                return self._looped(tree, facts)
            case _:
                raise AssertionError(tree.data)

    # ------------------------------------------------------------------------------ variables

    def _target(self, tree: Child, facts: Facts) -> ir.Read | None:
        """The variable (or the part of one) that is given a value; its type is the declared one."""
        node = self.check(tree, facts)
        if node is None:
            return None
        if not isinstance(node, ir.Read) or isinstance(self.world.places[node.name].type, t.ZoneOf | t.Tray):
            cards = isinstance(node, ir.Read) or isinstance(node.type, t.ZoneOf)
            hint = "cards are moved: `move … from … to …`" if cards else "only what stands under `vars:` changes"
            hint = "dice come and go: `add … to …`, `remove … from …`" if isinstance(node.type, t.Tray) else hint
            hint = "a table holds for the whole game" if isinstance(node, ir.Lookup) else hint
            self.wrong("AE604", tree, f"`{spell(node)}` cannot be given a value", hint)
            return None
        return ir.Read(node.name, node.index, self.world.places[node.name].type, node.span)

    def _assigned(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        target_tree, value_tree = tree.children
        target = self._target(target_tree, facts)
        if target is None:
            self.check(value_tree, facts)
            return None, facts
        span = self.span(tree)
        if isinstance(target.type, t.Count):
            value = self.number(value_tree, facts)
            if value is not None and not isinstance(value, ir.Const):
                hint = "what a rule computes with needs a range"
                self.wrong("AE506", value_tree, "a count goes up (`+= 1`) or starts again from a fixed number", hint)
                return None, facts
            return (ir.Assign(target, value, False, span) if value is not None else None), facts
        value = self.of_type(value_tree, target.type, facts, f"`{spell(target)}`")
        if value is None:
            return None, self._forget(facts, {target.name})
        return self._store(target, value, value_tree, span, facts)

    def _store(
        self, target: ir.Read, value: ir.Expr, value_tree: Child, span: Span, facts: Facts
    ) -> tuple[ir.Stmt | None, Facts]:
        guarded = not t.within(value.type, target.type)
        decided = self.world.decided.get(target.name)
        if decided is not None and (t.may_be_none(value.type) or isinstance(value.type, t.Nothing)):
            hint = f"say what counts instead: `({spell(value)} otherwise …)`"
            hint = "it always has a value then" if isinstance(value, ir.Const) else hint
            message = f"`{target.name}` is decided from `{decided}` on, and this may be none"
            self.wrong("AE503", value_tree, message, hint)
            return None, facts
        facts = self._forget(facts, {target.name})
        inner, outer = t.strip(value.type), t.strip(target.type)
        if guarded and isinstance(inner, t.Int) and isinstance(outer, t.Int):
            if inner.high < outer.low or outer.high < inner.low:
                self.wrong("AE502", value_tree, f"this {being(inner)}, and `{spell(target)}` holds {outer}")
                return None, facts
        elif guarded:
            hint = f"go through what it can hold: `{{x in {outer.of} where …}}`" if isinstance(outer, t.SetOf) else ""
            self.wrong("AE502", value_tree, f"this is {describe(inner)}, and `{spell(target)}` a {outer}", hint)
            return None, facts
        if t.may_be_none(target.type) and not t.may_be_none(value.type) and not isinstance(value.type, t.Nothing):
            index: Facts = frozenset(spell(i) for i in target.index)
            if without(index, [target.name]) == index:  # else it may be another part from now on
                facts |= {spell(target)}
        return ir.Assign(target, value, guarded, span), facts

    def _stepped(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        target_tree, by_tree = tree.children
        target, by = self._target(target_tree, facts), self.number(by_tree, facts)
        if target is None or by is None:
            return None, facts
        up, span = str(tree.data) == "increase", self.span(tree)
        if isinstance(target.type, t.Count):
            if not up or cast(t.Int, by.type).low < 0:
                hint = "it starts again with `:=`; what goes up and down needs a range"
                self.wrong("AE506", tree, "a count never goes down", hint)
                return None, facts
            return ir.Step(target, by, span), facts
        now = self.number(target_tree, facts)
        if now is None:
            return None, facts
        a, b = cast(t.Int, now.type), cast(t.Int, by.type)
        op: Literal["+", "-"] = "+" if up else "-"
        return self._store(target, ir.Binary(op, now, by, arithmetic(op, a, b), span), tree, span, facts)

    def _named(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        name_token, value_tree = cast(Token, tree.children[0]), tree.children[1]
        name = str(name_token)
        clear = self.fresh(name, name_token)
        value = self.check(value_tree, facts)
        if value is not None and isinstance(value.type, t.Count):
            value = self.sure(value, value_tree)
        elif value is not None and isinstance(value.type, t.ZoneOf | t.Tray):
            value = self.card_or_none(value, value_tree)
        if clear:
            self.locals[name] = value.type if value is not None else None
        if value is None or not clear:
            return None, facts
        return ir.Let(name, value, self.span(tree)), without(facts, [name])

    # ------------------------------------------------------------------------------ cards

    def _zone(self, tree: Child, facts: Facts) -> ir.Read | None:
        node = self.check(tree, facts)
        if node is None:
            return None
        place = self.world.places[node.name] if isinstance(node, ir.Read) else None
        if not isinstance(node, ir.Read) or place is None or not isinstance(place.type, t.ZoneOf | t.Tray):
            hint = "zones are under `zones:`"
            self.wrong("AE604", tree, f"cards lie in zones, and this is {describe(node.type)}", hint)
            return None
        return ir.Read(node.name, node.index, place.type, node.span)

    def _moved(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        trees: list[Child] = [c for c in tree.children if not isinstance(c, Token)]
        one = str(tree.data) == "move"
        if self._is_tray(trees[-2]) or self._is_tray(trees[-1]):
            return self._moved_dice(tree, trees, facts)
        card = self.sure(self.check(trees[0], facts), trees[0]) if one else None
        source, target = self._zone(trees[-2], facts), self._zone(trees[-1], facts)
        if source is None or target is None:
            return None, facts
        facts = self._forget(facts, {source.name, target.name})
        kind, other = cast(t.ZoneOf, source.type), cast(t.ZoneOf, target.type)
        moved = (t.element(card.type) or card.type) if card is not None else None
        if kind.card != other.card:
            self.wrong("AE501", trees[-1], f"`{spell(target)}` holds {other.card}, and these are {kind.card}")
        elif spell(source) == spell(target):
            self.wrong("AE604", tree, "cards are moved from a zone to another one")
        elif card is not None and isinstance(card.type, t.ZoneOf):
            hint = f"write `move all from {spell(source)} to {spell(target)}`"
            self.wrong("AE501", trees[0], f"this must be cards, and is {describe(card.type)}", hint)
        elif card is not None and moved != t.element(kind):
            hint = f"name its card: `{spell(card)}.card`" if card.type == t.Owned(kind.card) else ""
            if kind.owned and moved == kind.card:
                hint = f"name its entry: `for g in {spell(source)} where g.card == …:` and `move g from …`"
            holds = f"{kind.card}{' with owners' * kind.owned}"
            self.wrong("AE501", trees[0], f"`{spell(source)}` holds {holds}, and this is {describe(card.type)}", hint)
        elif other.owned and not kind.owned and t.Seat() not in self.world.places[source.name].each:
            hint = f"`{target.name}` takes cards from zones with `each: seat`, or with `owners: kept`"
            self.wrong("AE604", trees[-2], f"nobody owns the cards of `{spell(source)}`", hint)
        elif not (one and card is None):
            return ir.Move(card, source, target, self.span(tree)), facts
        return None, facts

    # ------------------------------------------------------------------------------ dice

    def _moved_dice(
        self, tree: Tree[Token], trees: list[Child], facts: Facts
    ) -> tuple[ir.Stmt | None, Facts]:  # fmt: skip
        source, target = self._zone(trees[-2], facts), self._zone(trees[-1], facts)
        if source is None or target is None:
            return None, facts
        kind, other = source.type, target.type
        faces = None
        if not (isinstance(kind, t.Tray) and isinstance(other, t.Tray)):
            hint = "cards lie in zones of cards, and dice come with `add … to …`"
            message = f"`{spell(target)}` is {describe(other)}, and `{spell(source)}` {describe(kind)}"
            self.wrong("AE501", trees[-1], message, hint)
            return None, facts
        if str(tree.data) == "move":
            faces = self._faces(trees[0], kind, facts, f"`move all from {spell(source)} to {spell(target)}`")
            if faces is None:
                return None, facts
        facts = self._forget(facts, {source.name, target.name})
        if kind.dice != other.dice:
            self.wrong("AE501", trees[-1], f"`{spell(target)}` holds {other.dice}, and these are {kind.dice}")
        elif spell(source) == spell(target):
            self.wrong("AE604", tree, "dice are moved from a zone to another one")
        else:
            return ir.Move(faces, source, target, self.span(tree)), facts
        return None, facts

    def _is_tray(self, tree: Child) -> bool:
        """Whether a tree names a zone of dice."""
        name = next(_named(tree), "")
        return name in self.world.places and isinstance(self.world.places[name].type, t.Tray)

    def _come_or_gone(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        """Dice that are added to a zone, or removed from it."""
        word = "add" if str(tree.data) == "add_dice" else "remove"
        zone = self._tray(tree.children[-1], facts, word)
        if zone is None or not isinstance(zone.type, t.Tray):
            return None, facts
        span, after = self.span(tree), self._forget(facts, {zone.name})
        if str(tree.data) == "remove_all":
            return ir.Remove(None, zone, span), after
        hint = (
            f"`remove all from {spell(zone)}`"
            if word == "remove"
            else f"dice are moved: `move all from … to {spell(zone)}`"
        )
        faces = self._faces(tree.children[0], zone.type, facts, hint)
        if faces is None:
            return None, after
        return (ir.Add(faces, zone, span) if word == "add" else ir.Remove(faces, zone, span)), after

    def _tray(self, tree: Child, facts: Facts, word: str) -> ir.Read | None:
        node = self.check(tree, facts)
        if node is None:
            return None
        place = self.world.places[node.name] if isinstance(node, ir.Read) else None
        if isinstance(node, ir.Read) and place is not None and isinstance(place.type, t.Tray):
            return ir.Read(node.name, node.index, place.type, node.span)
        hint = "zones of dice are under `zones:`, with `of:` a kind of dice"
        if place is not None and isinstance(place.type, t.ZoneOf):
            hint = "cards are never made or lost: `move … from … to …`"
        self.wrong(
            "AE604", tree, f"`{word}` is for dice, and this is {describe(place.type if place else node.type)}", hint
        )
        return None

    def _faces(self, tree: Child, zone: t.Tray, facts: Facts, whole: str) -> ir.Expr | None:
        """A face of dice, or several; `whole` is what to write for all dice of a zone."""
        several = isinstance(tree, Tree) and tree.data in ("list", "set")
        node = self.sure(self.check(tree, facts, t.ListOf(zone.face, 0) if several else zone.face), tree)
        if node is None:
            return None
        kind = t.element(node.type) or node.type
        if isinstance(node.type, t.Tray | t.ZoneOf) or not t.fits(kind, zone.face):
            what = f"this must be faces of {zone.dice}, {describe(zone.face)} each"
            hint = whole if isinstance(node.type, t.Tray) else ""
            self.wrong("AE501", tree, f"{what}, and is {describe(node.type)}", hint)
        elif not t.within(kind, zone.face):
            self.wrong("AE502", tree, f"this {being(kind)}, and {zone.dice} has the faces {zone.face}")
        else:
            return node
        return None

    # ------------------------------------------------------------------------------ branches and loops

    def _branched(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        branches: list[tuple[ir.Expr, tuple[ir.Stmt, ...]]] = []
        other: tuple[ir.Stmt, ...] = ()
        ends: list[Facts] = []
        known, bad = facts, False
        children = list(tree.children)
        while len(children) > 1:
            test = self.of_type(children.pop(0), BOOL, known)
            inside = known | facts_if(test, True) if test is not None else known
            body, end = self._suite(children.pop(0), inside)
            ends.append(end)
            if test is None:
                bad = True
            else:
                branches.append((test, body))
                known |= facts_if(test, False)
        if children:
            other, known = self._suite(children[0], known)
        after = frozenset.intersection(known, *ends)
        return (None if bad else ir.If(tuple(branches), other, self.span(tree))), after

    def _looped(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        over_tree, suite = tree.children
        written = set(_written(suite))
        steady = self._forget(facts, written) if written else facts
        found = self.gather(over_tree, facts)
        known = self._forget(found.facts, written) if written else found.facts
        outer = self.locals
        self.locals = {**outer, found.name: found.item} if found.name else outer
        body, _ = self._suite(suite, known)
        self.locals = outer
        return (ir.For(found.node, body, self.span(tree)) if found.node is not None else None), steady


def _written(tree: Child) -> Iterator[str]:
    """The variables and zones that a tree of effects may change."""
    if isinstance(tree, Token):
        return
    targets: list[Child] = []
    if tree.data in ("assign", "increase", "decrease"):
        targets = [tree.children[0]]
    elif tree.data in ("move", "move_all"):
        targets = tree.children[-2:]
    elif tree.data in ("add_dice", "remove_dice", "remove_all"):
        targets = tree.children[-1:]
    for target in targets:
        yield from _named(target)
    for child in tree.children:
        yield from _written(child)


def _named(target: Child) -> Iterator[str]:
    """The variable or zone of which a tree is a part."""
    while isinstance(target, Tree) and target.data == "index":
        target = target.children[0]
    if isinstance(target, Tree) and target.data == "name":
        yield str(target.children[0])
