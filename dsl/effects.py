"""Trees of effects to typed statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.expressions import BOOL, Checker, Child, Facts, describe, facts_if
from aeronef.dsl.printer import spell


class EffectChecker(Checker):
    """Types the statements of one block, in order; what one of them settles the next may use."""

    def block(self, tree: Tree[Token]) -> tuple[ir.Stmt, ...]:
        return self._body(tree.children, frozenset())[0]

    def _body(self, trees: list[Child], facts: Facts) -> tuple[tuple[ir.Stmt, ...], Facts]:
        outer = self.locals
        self.locals = dict(outer)
        found: list[ir.Stmt] = []
        for tree in trees:
            if isinstance(tree, Token):
                continue
            node, facts = self._statement(tree, facts)
            if node is not None:
                found.append(node)
        self.locals = outer
        return tuple(found), facts

    def _suite(self, tree: Child, facts: Facts) -> tuple[tuple[ir.Stmt, ...], Facts]:
        assert isinstance(tree, Tree)
        return self._body(tree.children, facts)

    def _forget(self, facts: Facts, names: set[str]) -> Facts:
        gone = names | set(self.world.headers)
        return frozenset(f for f in facts if not gone & set(re.findall(r"\w+", f)))

    def _statement(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        match str(tree.data):
            case "assign":
                return self._assigned(tree, facts)
            case "increase" | "decrease":
                return self._stepped(tree, facts)
            case "move" | "move_all":
                return self._moved(tree, facts)
            case "let":
                return self._named(tree, facts)
            case "branch":
                return self._branched(tree, facts)
            case "loop":
                return self._looped(tree, facts)
            case _:
                raise AssertionError(tree.data)

    def _target(self, tree: Child, facts: Facts) -> ir.Read | None:
        node = self.check(tree, frozenset())
        if node is None:
            return None
        if not isinstance(node, ir.Read) or isinstance(node.type, t.ZoneOf):
            what = "cards are moved (`move … from … to …`)" if isinstance(node.type, t.ZoneOf) else "it is no variable"
            self.wrong("AE604", tree, f"`{spell(node)}` cannot be given a value: {what}", "variables are under `vars:`")
            return None
        return node

    def _assigned(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        target_tree, value_tree = tree.children
        target = self._target(target_tree, facts)
        if target is None:
            self.check(value_tree, facts)
            return None, facts
        if isinstance(target.type, t.Count):
            value = self._int(value_tree, facts)
            if value is not None and not isinstance(value, ir.Const):
                self.wrong("AE506", value_tree, "a count goes up (`+= 1`) or starts again from a fixed number")
                return None, facts
            return (ir.Assign(target, value, False, self.span(tree)) if value is not None else None), facts
        value = self.of_type(value_tree, target.type, facts, f"`{spell(target)}`")
        if value is None:
            return None, facts
        return self._store(target, value, value_tree, self.span(tree), facts)

    def _store(
        self, target: ir.Read, value: ir.Expr, value_tree: Child, span: object, facts: Facts
    ) -> tuple[ir.Stmt | None, Facts]:
        guarded = not t.within(value.type, target.type)
        inner, outer = t.strip(value.type), t.strip(target.type)
        if guarded and isinstance(inner, t.Int) and isinstance(outer, t.Int):
            if inner.high < outer.low or outer.high < inner.low:
                self.wrong("AE502", value_tree, f"this is {inner}, and `{spell(target)}` holds {outer}")
                return None, facts
        facts = self._forget(facts, {target.name})
        if isinstance(target.type, t.Optional) and not isinstance(value.type, t.Optional | t.Nothing | t.ZoneOf):
            facts |= {spell(target)}
        return ir.Assign(target, value, guarded, self.span_of(span)), facts

    @staticmethod
    def span_of(span: object) -> ir.Span:
        return cast(ir.Span, span)

    def _stepped(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        target_tree, by_tree = tree.children
        target, by = self._target(target_tree, facts), self._int(by_tree, facts)
        if target is None or by is None:
            return None, facts
        if isinstance(target.type, t.Count):
            if str(tree.data) == "decrease" or cast(t.Int, by.type).low < 0:
                self.wrong("AE506", tree, "a count never goes down")
                return None, facts
            return ir.Step(target, by, self.span(tree)), facts
        now = self._int(target_tree, facts)
        if now is None:
            return None, facts
        a, b = cast(t.Int, now.type), cast(t.Int, by.type)
        up = str(tree.data) == "increase"
        kind = t.Int(a.low + b.low, a.high + b.high) if up else t.Int(a.low - b.high, a.high - b.low)
        value = ir.Binary("+" if up else "-", now, by, kind, self.span(tree))
        return self._store(target, value, by_tree, self.span(tree), facts)

    def _zone(self, tree: Child) -> ir.Read | None:
        node = self.check(tree, frozenset())
        if node is None:
            return None
        if not isinstance(node, ir.Read) or not isinstance(node.type, t.ZoneOf):
            self.wrong(
                "AE604", tree, f"cards lie in zones, and this is {describe(node.type)}", "zones are under `zones:`"
            )
            return None
        return node

    def _moved(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        trees = [c for c in tree.children if not isinstance(c, Token)]
        source, target = self._zone(trees[-2]), self._zone(trees[-1])
        card: ir.Expr | None = None
        if str(tree.data) == "move":
            card = self.sure(self.check(trees[0], facts), trees[0])
            if card is None:
                return None, facts
        if source is None or target is None:
            return None, facts
        kind, other = cast(t.ZoneOf, source.type), cast(t.ZoneOf, target.type)
        if kind.card != other.card:
            self.wrong("AE501", trees[-1], f"`{spell(target)}` holds {other.card}, and these are {kind.card}")
            return None, facts
        if card is not None:
            moved = t.element(card.type) or card.type
            if isinstance(card.type, t.ZoneOf) and card.type.slot:
                self.undecided(card, trees[0])
                return None, facts
            if moved != kind.card:
                self.wrong("AE501", trees[0], f"`{spell(source)}` holds {kind.card}, and this is {describe(card.type)}")
                return None, facts
        facts = self._forget(facts, {source.name, target.name})
        return ir.Move(card, source, target, self.span(tree)), facts

    def _named(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        name = str(tree.children[0])
        clear = self.fresh(name, tree.children[0])
        value = self.check(tree.children[1], facts)
        if isinstance(value, ir.Read) and isinstance(value.type, t.ZoneOf):
            self.wrong("AE604", tree.children[1], "a zone needs no second name", "name one of its cards, or its size")
            value = None
        if value is None or not clear:
            return None, facts
        self.locals[name] = value.type
        return ir.Let(name, value, self.span(tree)), facts

    def _branched(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        branches: list[tuple[ir.Expr, tuple[ir.Stmt, ...]]] = []
        other: tuple[ir.Stmt, ...] = ()
        ends: list[Facts] = []
        known, bad = facts, False
        children = list(tree.children)
        while children:
            if len(children) == 1:
                other, end = self._suite(children.pop(0), known)
                ends.append(end)
                break
            test = self.of_type(children.pop(0), BOOL, known)
            inside = known | facts_if(test, True) if test is not None else known
            body, end = self._suite(children.pop(0), inside)
            ends.append(end)
            if test is None:
                bad = True
                continue
            branches.append((test, body))
            known |= facts_if(test, False)
        else:
            ends.append(known)
        after = frozenset.intersection(*ends)
        if bad:
            return None, after
        return ir.If(tuple(branches), other, self.span(tree)), after

    def _looped(self, tree: Tree[Token], facts: Facts) -> tuple[ir.Stmt | None, Facts]:
        over_tree, suite = tree.children
        steady = self._forget(facts, set(_written(suite)))
        found = self.gather(over_tree, facts)
        if found is None:
            return None, steady
        over, known = found
        outer = self.locals
        self.locals = {**outer, over.name: over.item}
        body, _ = self._suite(suite, self._forget(known, set(_written(suite))))
        self.locals = outer
        return ir.For(over, body, self.span(tree)), steady


def _written(tree: Child) -> Iterator[str]:
    """The variables and zones that a tree of effects may change."""
    if isinstance(tree, Token):
        return
    targets: list[Child] = []
    if tree.data in ("assign", "increase", "decrease"):
        targets = [tree.children[0]]
    elif tree.data in ("move", "move_all"):
        targets = tree.children[-2:]
    for target in targets:
        while isinstance(target, Tree) and target.data == "index":
            target = target.children[0]
        if isinstance(target, Tree) and target.data == "name":
            yield str(target.children[0])
    for child in tree.children:
        yield from _written(child)
