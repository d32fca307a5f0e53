"""Every expression and statement inside a piece of IR, for passes that look for something."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Span

EXPRESSIONS = (ir.Const, ir.Local, ir.Option, ir.Everything, ir.Read, ir.Attribute, ir.Unary, ir.Binary, ir.Choice,
               ir.Call, ir.Builtin, ir.Aggregate, ir.Collection)  # fmt: skip


def children(node: Any) -> Iterator[Any]:
    """The nodes directly inside a node."""
    if isinstance(node, tuple):
        for item in node:
            if isinstance(item, tuple) or (dataclasses.is_dataclass(item) and not isinstance(item, Span)):
                yield item
        return
    for field in dataclasses.fields(node):
        if field.name in ("type", "item", "span", "attributes", "each"):
            continue
        value = getattr(node, field.name)
        if isinstance(value, tuple) or (dataclasses.is_dataclass(value) and not isinstance(value, Span)):
            yield value


def nodes(root: Any) -> Iterator[Any]:
    """The node and all nodes inside it, outermost first."""
    if root is None:
        return
    stack = [root]
    while stack:
        node = stack.pop()
        if not isinstance(node, tuple):
            yield node
        stack.extend(reversed(list(children(node))))


def reads(root: Any) -> Iterator[ir.Read]:
    return (n for n in nodes(root) if isinstance(n, ir.Read))


def called(root: Any) -> set[str]:
    return {n.name for n in nodes(root) if isinstance(n, ir.Call)}


def locals_in(root: Any) -> set[str]:
    return {n.name for n in nodes(root) if isinstance(n, ir.Local)}
