"""Every expression and statement inside a piece of IR, for passes that look for something."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar, assert_never, cast

from aeronef.dsl import ir
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.types import Seat, Type

Node = TypeVar("Node")
Known = TypeVar("Known")
EXPRESSIONS = (ir.Const, ir.Local, ir.Option, ir.Everything, ir.Labelled, ir.Read, ir.Lookup, ir.Attribute, ir.Unary,
               ir.Binary, ir.Choice, ir.Call, ir.Builtin, ir.Aggregate, ir.Collection, ir.Watched)  # fmt: skip


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


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """The tree with `change` made to every node in it that `change` has something for, outermost first."""
    if isinstance(node, tuple):
        return tuple(rewritten(item, change) for item in node)
    if not dataclasses.is_dataclass(node) or isinstance(node, Span | type):
        return node
    other = change(node)
    if other is not None:
        return other
    fields = {f.name: getattr(node, f.name) for f in dataclasses.fields(node)}
    changed = {name: rewritten(value, change) for name, value in fields.items()}
    return dataclasses.replace(node, **{k: v for k, v in changed.items() if v is not fields[k]})


def looked_at(body: Iterable[ir.Stmt]) -> Iterator[Any]:
    """What effects look at, without what they only change."""
    for node in body:
        match node:
            case ir.Assign(target, value) | ir.Step(target, value):
                yield from (*target.index, value)
            case ir.Move(card, source, target):  # all of a zone are seen where they come to
                yield from (source if card is None else card, *source.index, *target.index)
            case ir.Add(faces, target):
                yield from (faces, *target.index)
            case ir.Remove(faces, source):
                yield from (source if faces is None else faces, *source.index)
            case ir.If(branches, other):
                for test, then in branches:
                    yield test
                    yield from looked_at(then)
                yield from looked_at(other)
            case ir.For(over, inner):
                yield over
                yield from looked_at(inner)
            case ir.Let(_, value):
                yield value
            case ir.Mark():
                pass
            case _:
                assert_never(node)


class Rewriter(Generic[Known]):
    """A pass that changes a tree by what is known of the names around each node. It says in `walk` what becomes of the
    nodes that it is about, and leaves the others to `rest`."""

    apart: ClassVar[tuple[str, ...]] = ()  # fields that are not looked into

    def walk(self, node: Any, known: Known) -> Any:
        return self.rest(node, known)

    def rest(self, node: Any, known: Known) -> Any:
        """The node with what stands in it changed; itself where nothing is."""
        if isinstance(node, tuple):
            made = tuple(self.walk(item, known) for item in node)
            return node if all(a is b for a, b in zip(made, node, strict=True)) else made
        return self.inside(node, known) if dataclasses.is_dataclass(node) and not isinstance(node, Span) else node

    def inside(self, node: Node, known: Known) -> Node:
        changed = {}
        for field in dataclasses.fields(cast(Any, node)):
            old = getattr(node, field.name)
            if field.name not in self.apart and (new := self.walk(old, known)) is not old:
                changed[field.name] = new
        return dataclasses.replace(cast(Any, node), **changed) if changed else node


def with_types(known: dict[str, Any], name: str, before: Type, after: Type) -> dict[str, Any]:
    """What is known of names where one more is: its type before a change and after, where these differ."""
    inner = {n: what for n, what in known.items() if n != name}
    return inner if before == after else inner | {name: (before, after)}


def changes(root: Any) -> Iterator[ir.Read]:
    """The variables and zones that effects change."""
    for node in nodes(root):
        match node:
            case ir.Assign(target) | ir.Step(target) | ir.Add(_, target):
                yield target
            case ir.Remove(_, source):
                yield source
            case ir.Move(_, source, target):
                yield source
                yield target


def changed(root: Any) -> set[str]:
    """Their names."""
    return {read.name for read in changes(root)}


def reads(root: Any) -> Iterator[ir.Read]:
    return (n for n in nodes(root) if isinstance(n, ir.Read))


def called(root: Any) -> set[str]:
    return {n.name for n in nodes(root) if isinstance(n, ir.Call)}


def locals_in(root: Any) -> set[str]:
    return {n.name for n in nodes(root) if isinstance(n, ir.Local)}


def element_id(element: Any) -> str:
    """What tells a declaration, an action or a kind of card from the others of its section."""
    if isinstance(element, ir.Action):
        return element.key
    return str(element.label if isinstance(element, ir.CardKind) else element.name)


def rules(game: ir.Game) -> ir.Game:
    """The game without what it measures, and without the definitions that only its measures use."""
    if not game.measures:
        return game
    bodies = {define.name: define.body for define in game.defines}

    def reached(root: Any) -> set[str]:
        found: set[str] = set()
        todo = called(root)
        while todo:
            found |= todo
            todo = {name for one in todo for name in called(bodies[one])} - found
        return found

    measuring = reached(game.measures)
    others = tuple(define for define in game.defines if define.name not in measuring)
    told = tuple(place.seen for places in (game.zones, game.variables) for place in places)
    kept = reached((others, game.phases, game.result, game.invariants, told))
    defines = tuple(define for define in game.defines if define.name not in measuring - kept)
    return dataclasses.replace(game, measures=(), defines=defines)


def by_use(defines: Iterable[ir.Define]) -> tuple[ir.Define, ...] | str:
    """The definitions, each after those that it uses; or the name of one that needs itself."""
    waiting = {define.name: define for define in defines}
    order: list[ir.Define] = []
    while waiting:
        ready = next((d for d in waiting.values() if not called(d.body) & waiting.keys()), None)
        if ready is None:
            return next(iter(waiting))
        order.append(waiting.pop(ready.name))
    return tuple(order)


Look = tuple[ir.Read, frozenset[str]]  # a read, and the names that mean the acting seat where it stands
Looks = dict[tuple[str, frozenset[str]], list[Look]]  # of each definition, by its values that mean that seat


def looks(node: Any, mine: frozenset[str], defines: Mapping[str, ir.Define], known: Looks) -> Iterator[Look]:
    """Every read, in definitions too, but the size of a zone, which is public.

    `mine` are the names that mean the acting seat; `known` is filled with what was worked out.
    """
    if node is None:
        return
    if isinstance(node, ir.Builtin) and node.name == "size" and isinstance(node.args[0], ir.Read):
        yield from looks(node.args[0].index, mine, defines, known)
        return
    if isinstance(node, ir.Read):
        yield node, mine
    if isinstance(node, ir.Call):
        define = defines[node.name]
        inside = handed_on(node, define, mine)
        if (node.name, inside) not in known:
            known[node.name, inside] = list(dict.fromkeys(looks(define.body, inside, defines, known)))
        yield from known[node.name, inside]
    for child in children(node):
        yield from looks(child, mine, defines, known)


def own_part(read: ir.Read, each: tuple[Type, ...], mine: frozenset[str]) -> bool:
    """Whether a look is surely at the acting seat's own part. `mine` are the names that mean that seat."""
    if Seat() not in each:
        return False
    index = read.index[each.index(Seat())]
    return isinstance(index, ir.Local) and index.name in mine


def handed_on(call: ir.Call, define: ir.Define, mine: frozenset[str]) -> frozenset[str]:
    """The values of a definition that mean the acting seat where it is called so."""
    return frozenset(
        name
        for (name, _), arg in zip(define.params, call.args, strict=True)
        if isinstance(arg, ir.Local) and arg.name in mine
    )
