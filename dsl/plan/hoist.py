"""What an expression would work out several times is worked out once, before it, under the name of its definition.

Definitions have no effects and always end, so that it does not matter when, or whether, they are worked out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, TypeVar

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.printer import spell
from aeronef.dsl.walk import children, locals_in, nodes, rewritten

SETTLED = {"all": ("<=", ">=", "=="), "any": ("<", ">", "!=")}  # by what is compared with itself
Value = TypeVar("Value", bound="ir.Expr | tuple[ir.Expr, ...]")


def hoisted(node: Value, scope: dict[str, t.Type], game: ir.Game) -> tuple[list[ir.Let], Value]:
    """Lets for the calls that recur, or that a loop would repeat, and the expression that uses them.

    `scope` are the locals around the expression, as they are declared. In an instrumented game everything stays where
    the spec has it: what is counted is then what the spec says.
    """
    if game.points:
        return [], node
    node = _with_others(node)
    taken = set(scope) | {n.name for n in _gathers(node)}
    lets: list[ir.Let] = []
    while True:
        found: dict[str, list[tuple[ir.Call | ir.Attribute, bool, bool]]] = {}
        for call, sure, repeated in _calls(node, frozenset(), True, False):
            found.setdefault(spell(call), []).append((call, sure, repeated))
        worth = [
            uses for uses in found.values()
            if (len(uses) > 1 and any(sure for _, sure, _ in uses))
            or (any(repeated for _, _, repeated in uses) and _certain(uses[0][0], scope, game))
        ]  # fmt: skip
        if not worth:
            return lets, node
        call = max((uses[0][0] for uses in worth), key=lambda c: len(spell(c)))
        name = call.name
        while name in taken:
            name += "_"
        taken.add(name)
        lets.insert(0, ir.Let(name, call, call.span))
        node = _replaced(node, spell(call), name)


def _with_others(node: Value) -> Value:
    """Of `all(worth(q) <= worth(p) for q in players)`, the same for `q != p`: nothing is worked out to compare it with
    itself."""

    def change(inner: Any) -> Any:
        match inner:
            case ir.Aggregate("any" | "all" as kind, ir.Binary(op, left, right) as body, over) if op in SETTLED[kind]:
                pass
            case _:
                return None
        costly = any(over.name in locals_in(call) for call in nodes(body) if isinstance(call, ir.Call))
        if not costly or any(_gathers(body)):
            return None
        for other in (n for n in nodes(body) if isinstance(n, ir.Local) and n.name != over.name):
            one, two = (spell(_renamed(side, over.name, other.name)) for side in (left, right))
            if other.type == over.item and one == two:
                itself = ir.Local(over.name, over.item, over.span)
                apart: ir.Expr = ir.Binary("!=", itself, other, t.Bool(), over.span)
                if over.test is not None:
                    apart = ir.Binary("and", apart, over.test, t.Bool(), over.span)
                return dataclasses.replace(inner, over=dataclasses.replace(over, test=apart))
        return None

    found: Value = rewritten(node, change)
    return found


def _renamed(node: ir.Expr, name: str, other: str) -> ir.Expr:
    """The expression with another local for one."""

    def change(inner: Any) -> Any:
        return dataclasses.replace(inner, name=other) if isinstance(inner, ir.Local) and inner.name == name else None

    found: ir.Expr = rewritten(node, change)
    return found


Branches = tuple[tuple[ir.Expr, tuple[ir.Stmt, ...]], ...]


def asked_once(branches: Branches, names: set[str], game: ir.Game) -> tuple[list[ir.Let], Branches]:
    """Lets for the calls that the first test of an `if` makes, and what is done first where it holds makes again: in
    between nothing changes. `names` are those of all locals."""
    test, then = branches[0]
    first = then[0] if then else None
    match first:
        case ir.Move(ir.Binary() | ir.Call() | ir.Builtin() as value) | ir.Assign(_, value):
            pass
        case _:
            return [], branches
    nothing = ir.Const(None, t.Nothing(), test.span)
    lets, choice = hoisted(
        ir.Choice(test, value, nothing, value.type, test.span), dict.fromkeys(names, t.Nothing()), game
    )
    if not lets or not isinstance(choice, ir.Choice):
        return [], branches
    if isinstance(first, ir.Move):
        done: ir.Stmt = dataclasses.replace(first, card=choice.then)
    else:
        assert isinstance(first, ir.Assign)
        done = dataclasses.replace(first, value=choice.then)
    return lets, ((choice.test, (done, *then[1:])), *branches[1:])


def _certain(call: ir.Call | ir.Attribute, scope: dict[str, t.Type], game: ir.Game) -> bool:
    """Whether the call can be worked out anywhere: nothing it is given may be none, or of a larger range than it takes,
    whatever a test around it says."""
    kinds: dict[tuple[str, str], t.Type] = {("local", name): kind for name, kind in scope.items()}
    kinds |= {("read", v.name): v.type for v in game.variables}
    kinds |= {("lookup", table.name): table.type for table in game.tables}
    kinds |= {("option", o.name): o.type for o in game.options}
    kinds |= {("call", d.name): d.body.type for d in game.defines}
    if isinstance(call, ir.Attribute):  # quicker than a loop's overhead, and perhaps of no use
        return False
    for node in nodes(call.args):
        match node:
            case ir.Local(name):
                kind = kinds.get(("local", name))
            case ir.Option(name):
                kind = kinds.get(("option", name))
            case ir.Lookup(name):
                kind = kinds.get(("lookup", name))
            case ir.Read(name):
                kind = kinds.get(("read", name))
            case ir.Call(name):
                kind = kinds.get(("call", name))
            case ir.Attribute() | ir.Builtin("first" | "last"):
                kind = None
            case _:
                continue
        if kind is None or isinstance(kind, t.Optional | t.Nothing) or not t.within(kind, node.type):
            return False
    return True


def _gathers(node: Any) -> Iterator[ir.Gather]:
    if isinstance(node, ir.Gather):
        yield node
    for child in children(node):
        yield from _gathers(child)


def _calls(
    node: Any, bound: frozenset[str], sure: bool, repeated: bool
) -> Iterator[tuple[ir.Call | ir.Attribute, bool, bool]]:
    """Calls, and attributes of cards that lie somewhere, that need nothing bound inside the expression; whether they
    are surely worked out, and again and again."""
    match node:
        case ir.Attribute(ir.Read() as of, _) if not _is_owned(of.type):
            if not locals_in(node) & bound:
                yield node, sure, repeated
            yield from _calls(of, bound, sure, repeated)
        case ir.Call():
            if not locals_in(node) & bound:
                yield node, sure, repeated
            for arg in node.args:
                yield from _calls(arg, bound, sure, repeated)
        case ir.Choice(test, then, other):
            yield from _calls(test, bound, sure, repeated)
            yield from _calls(then, bound, False, repeated)
            yield from _calls(other, bound, False, repeated)
        case ir.Binary("and" | "or", left, right):
            yield from _calls(left, bound, sure, repeated)
            yield from _calls(right, bound, False, repeated)
        case ir.Aggregate(_, body, over):
            yield from _calls(over.source, bound, sure, repeated)
            for part in (over.test, over.key, body):
                if part is not None:
                    yield from _calls(part, bound | {over.name}, False, True)
        case _:
            for child in children(node):
                yield from _calls(child, bound, sure, repeated)


def _is_owned(kind: t.Type) -> bool:
    return isinstance(t.strip(kind), t.Owned) or (isinstance(kind, t.ZoneOf) and kind.owned)


def _replaced(node: Value, words: str, name: str) -> Value:
    """The node with a local for all that is spelt so; what is spelt by its names is the same if it is spelt alike."""

    def change(inner: Any) -> Any:
        if isinstance(inner, ir.Call | ir.Attribute) and spell(inner) == words:
            return ir.Local(name, inner.type, inner.span)
        return None

    found: Value = rewritten(node, change)
    return found
