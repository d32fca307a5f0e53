"""What every part of the elaboration needs: sections, citations, and the texts of a spec typed where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Report, Span, nearest
from aeronef.dsl.expressions import BOOL, Checker, Locals
from aeronef.dsl.facts import NOTHING, Facts
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence
from aeronef.dsl.scope import World
from aeronef.dsl.spoken import describe
from aeronef.dsl.syntax import parse
from aeronef.dsl.walk import nodes

VISIBILITY = "(everyone, nobody, or a test over `viewer`)"


class Texts:
    """The spec, what is known of its names, and the report. Wherever a node is `Broken` nothing more is said."""

    def __init__(self, root: Mapping, report: Report) -> None:
        self.root = root
        self.report = report
        self.world = World(report)
        self.clauses: dict[str, ir.Clause] = {}
        self.topics: dict[str, list[str]] = {}  # the clauses that are on each, in the table's order
        self.citations: list[tuple[str, str, Span]] = []

    def wrong(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self.report.add(code, span, message, hint)

    def section(self, name: str) -> Iterator[tuple[Scalar, Node]]:
        node = self.root.get(name)
        if isinstance(node, Mapping):
            yield from node

    def text(self, node: Node | None, default: str = "") -> str:
        return " ".join(node.text.split()) if isinstance(node, Scalar) else default

    def field(self, node: Node, name: str) -> Node | None:
        return node if isinstance(node, Broken) else node.get(name) if isinstance(node, Mapping) else None

    def listed(self, node: Node, name: str) -> Iterator[tuple[Scalar, Node]]:
        """The items of a mapping that stands under a key."""
        inside = self.field(node, name)
        if isinstance(inside, Mapping):
            yield from inside

    def called(self, node: Node) -> str:
        """The name that an element has outside the spec, where it says one."""
        called = self.field(node, "called")
        if not isinstance(called, Scalar):
            return ""
        if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", called.text):
            self.wrong(
                "AE403", called.span, f"`{called.text}` cannot be a name", "letters, digits and _, a letter first"
            )
        return called.text

    def cited(self, node: Node | None, element: str) -> tuple[str, ...]:
        """The clause ids of a `by:`, for a topic those of its clauses; what is neither is reported."""
        items = node.items if isinstance(node, Sequence) else [node] if isinstance(node, Scalar) else []
        found: list[str] = []
        said: set[str] = set()
        for item in items:
            if not isinstance(item, Scalar):
                continue
            if item.text in said:
                self.wrong("AE105", item.span, f"`{item.text}` is cited twice", "keep one of the two")
            elif item.text in self.clauses or item.text in self.topics:
                meant = [item.text] if item.text in self.clauses else self.topics[item.text]
                found += [clause for clause in meant if clause not in found]
                self.citations += [(clause, element, item.span) for clause in meant]
            elif not isinstance(self.root.get("clauses"), Broken):
                known = [*self.clauses, *self.topics]
                hint = nearest(item.text, known) if known else "the spec has no `clauses:`"
                self.wrong("AE404", item.span, f"no clause{' or topic' * bool(self.topics)} `{item.text}`", hint)
            said.add(item.text)
        return tuple(found)

    def expression(
        self, node: Node | None, locals_: Locals, wanted: t.Type | None = None, what: str = "", facts: Facts = NOTHING
    ) -> ir.Expr | None:
        """The expression of a text, of a type that fits `wanted`, or (without it) of any type that is surely known."""
        if not isinstance(node, Scalar):
            return None
        parsed = parse(node, "expression", self.report)
        if parsed is None:
            return None
        checker = Checker(self.world, parsed, locals_)
        tree = parsed.tree.children[0]
        if wanted is None:
            return checker.sure(checker.check(tree, facts), tree)
        return checker.of_type(tree, wanted, facts, what)

    def gathered(self, node: Node | None, locals_: Locals, item: t.Type, what: str) -> ir.Expr | None:
        """A collection of `item`: an expression, or what is gathered (`p in players where …`)."""
        if not isinstance(node, Scalar):
            return None
        parsed = parse(node, "gathering", self.report)
        if parsed is None:
            return None
        checker = Checker(self.world, parsed, locals_)
        tree = cast("Tree[Token]", parsed.tree.children[0])
        result: ir.Expr | None
        if checker.gathers(tree):
            over = checker.gather(tree).node
            if over is None:
                return None
            itself = ir.Local(over.name, over.item, over.span)
            result = ir.Aggregate("list", itself, over, t.ListOf(over.item, t.most(over.source.type)), over.span)
        else:
            result = checker.check(tree, hint=t.ListOf(item, 0))
        if result is not None and t.element(result.type) != item:
            self.wrong("AE501", parsed.span(tree), f"{what}, and this is {describe(result.type)}")
            return None
        return result

    def visible(self, node: Node | None, locals_: Locals, place: Span, unsaid: str, element: str) -> ir.Visible | None:
        """The predicate of a `seen:` or `told:`. It is never implied: `unsaid` is what to say where there is none."""
        if node is None:
            key = "told" if "is told" in unsaid else "seen"
            self.report.add("AE601", place, unsaid, f"add `{key}:` {VISIBILITY}", element=element)
            return None
        if not isinstance(node, Scalar):
            return None
        word = node.text.strip()
        if word in ("everyone", "nobody"):
            return ir.Visible(ir.Const(word == "everyone", BOOL, node.span), word)
        test = self.expression(node, {"viewer": t.Seat(), **locals_}, BOOL)
        return None if test is None else ir.Visible(test, " ".join(word.split()))

    def stateless(self, node: ir.Expr, seats: bool = True) -> bool:
        """Whether an expression is known before the game starts: over options and players (and seats)."""
        for inner in nodes(node):
            if isinstance(inner, ir.Call):
                self.wrong("AE605", inner.span, f"the definition `{inner.name}` cannot be used here", "write it out")
            elif isinstance(inner, ir.Read):
                hint = "only options and the number of players are"
                if inner.name in self.world.options:
                    hint = f"the option is `options.{inner.name}`"
                self.wrong("AE605", inner.span, f"`{inner.name}` is not known before the game starts", hint)
            elif not seats and isinstance(inner, ir.Everything) and inner.of == "seats":
                self.wrong(
                    "AE605", inner.span, "`seats` counts the automata too, which are not known yet", "use `players`"
                )
            else:
                continue
            return False
        return True
