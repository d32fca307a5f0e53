"""Definitions: each is typed after those that it uses, and none may need itself."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.declarations import Declarations, Declared
from aeronef.dsl.expressions import Checker
from aeronef.dsl.reader import Mapping, Node, Scalar
from aeronef.dsl.scope import reserved
from aeronef.dsl.syntax import Parsed, parse

DEEPEST = 50


@dataclass(slots=True)
class _Head:
    """A definition before its body is typed; `params` and `body` are None after a mistake."""

    name: str
    key: Scalar
    node: Node
    params: tuple[tuple[str, t.Type], ...] | None
    body: Parsed | None
    uses: set[str]


class Definitions(Declarations):
    def definitions(self, declared: Declared) -> tuple[ir.Define, ...]:
        """Every definition without mistakes, typed after those that it uses."""
        waiting = {head.name: head for head in (self._head(key, node) for key, node in declared)}
        order = list(waiting)
        for head in waiting.values():
            head.uses &= waiting.keys()
        depth: dict[str, int] = {}
        while waiting:
            ready = [head for head in waiting.values() if not head.uses & waiting.keys()]
            if not ready:
                self._circle(waiting)
            for head in ready:
                del waiting[head.name]
                depth[head.name] = 1 + max((depth.get(name, 0) for name in head.uses), default=0)
                if depth[head.name] == DEEPEST:
                    self.wrong("AE302", head.key.span, f"definitions use each other {DEEPEST} deep")
                self._define(head)
        return tuple(self.world.defines[name] for name in order if name in self.world.defines)

    def _circle(self, waiting: dict[str, _Head]) -> None:
        """Some definition needs itself: reports the first circle, and takes its definitions out."""
        path = [next(iter(waiting))]
        while (following := min(waiting[path[-1]].uses & waiting.keys(), key=list(waiting).index)) not in path:
            path.append(following)
        order, circle = list(waiting), path[path.index(following) :]
        first = circle.index(min(circle, key=order.index))
        circle = circle[first:] + circle[:first]
        steps = list(itertools.pairwise([*circle, circle[0]]))
        notes = [(waiting[one].key.span, f"`{one}` uses `{other}`") for one, other in steps]
        message = f"`{circle[0]}` needs itself: {' → '.join([*circle, circle[0]])}"
        self.report.add("AE607", waiting[circle[0]].key.span, message, "break the circle", notes)
        for name in circle:
            self.world.broken.add(name)
            del waiting[name]

    def _head(self, key: Scalar, node: Node) -> _Head:
        parsed = parse(key, "header", self.report)
        assert parsed is not None  # it was read when its name was declared
        params: list[tuple[str, t.Type]] = []
        sound = True
        for child in parsed.tree.children[1:]:
            kind_tree, name = cast("Tree[Token]", child).children
            kind = self.typed(parsed, cast("Tree[Token]", kind_tree))
            param, span = str(name), parsed.span(name)
            if isinstance(kind, t.Count):
                hint = "give it a range instead of `count`"
                self.wrong("AE506", parsed.span(kind_tree), "a count is no value that rules work with", hint)
            elif (
                reserved(param)
                or param in self.world.declared
                or self.world.enum_values(param)
                or param in dict(params)
            ):
                self.wrong("AE403", span, f"`{param}` already means something", "choose another name")
            elif kind is not None:
                params.append((param, kind))
                continue
            sound = False
        text = self.field(node, "is") if isinstance(node, Mapping) else node
        body = parse(text, "expression", self.report) if isinstance(text, Scalar) else None
        named = body.tree.find_pred(lambda tree: tree.data in ("name", "call")) if body is not None else ()
        uses = {str(tree.children[0]) for tree in named}
        return _Head(str(parsed.tree.children[0]), key, node, tuple(params) if sound else None, body, uses)

    def _define(self, head: _Head) -> None:
        by = self.cited(self.field(head.node, "by") if isinstance(head.node, Mapping) else None, f"define.{head.name}")
        body: ir.Expr | None = None
        if head.params is not None and head.body is not None:
            tree = head.body.tree.children[0]
            checker = Checker(self.world, head.body, dict(head.params))
            body = checker.check(tree)
            if body is not None and isinstance(body.type, t.Count):
                body = checker.sure(body, tree)
            elif body is not None and isinstance(body.type, t.ZoneOf | t.Tray):
                body = checker.card_or_none(body, tree)
            elif body is not None and isinstance(body.type, t.Nothing):
                self.wrong("AE501", body.span, "a definition cannot be `none` alone")
                body = None
        if body is None or head.params is None or head.body is None:
            self.world.broken.add(head.name)
            return
        words = self.text(head.body.scalar)
        says = self.text(self.field(head.node, "says")) if isinstance(head.node, Mapping) else ""
        self.world.defines[head.name] = ir.Define(head.name, head.params, body, by, words, head.key.span, says)
