"""How a statement of Python that is too long is broken: as `ruff format` breaks it, so that generated files need no
second pass.

Three steps, each a small model of ruff's own. The text is read into a tree of brackets, operators and clauses (only
what the emitter writes). The tree becomes a document: texts, places where a line may end, groups. The printer keeps a
group on one line if it fits, and else ends the lines in it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from aeronef.dsl.emit.trees import (
    CLOSING,
    LEVELS,
    Atom,
    Bracket,
    Choice,
    Comprehension,
    Operation,
    Postfix,
    Prefix,
    Reader,
    Tree,
)

WIDTH = 120

# ------------------------------------------------------------------------------------------ the document


@dataclass(frozen=True, slots=True)
class Line:
    """A place where a line may end; `flat` stands there if it does not."""

    flat: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """On one line if it fits, else all its own lines end. With `only_in`, a group only if that one is broken."""

    of: Doc
    id: int = 0
    only_in: int = 0


@dataclass(frozen=True, slots=True)
class Indent:
    """One step in; with `only_in`, only if that group is broken."""

    of: Doc
    only_in: int = 0


@dataclass(frozen=True, slots=True)
class IfBroken:
    """One thing if the group (`id`, or the one around) is broken, another if not."""

    broken: Doc
    flat: Doc = ""
    id: int = 0


@dataclass(frozen=True, slots=True)
class Roomy:
    """Brackets that may be broken without breaking the group `id` around them."""

    of: Doc
    id: int


Doc = str | Line | Group | Indent | IfBroken | Roomy | tuple["Doc", ...]

# Where an expression stands: OPEN, outside all brackets, a line cannot end at an operator; INSIDE it can; a positive
# number is the group of brackets that are put around the expression only if it is broken.
OPEN, INSIDE = 0, -1
_ids = itertools.count(1)


def _line(where: int) -> Doc:
    if where == INSIDE:
        return Line(" ")
    return IfBroken(Line(" "), " ", where) if where else " "


def _group(where: int, doc: Doc) -> Doc:
    if where == INSIDE:
        return Group(doc)
    return Group(doc, only_in=where) if where else doc


def _bracket(where: int, opening: str, inner: Doc, closing: str) -> Doc:
    doc = Group((opening, Indent((Line(), inner)), Line(), closing))
    return Roomy(doc, where) if where > 0 else doc


def _joined(docs: Iterable[Doc], between: Doc) -> Doc:
    found: list[Doc] = []
    for doc in docs:
        if found:
            found.append(between)
        found.append(doc)
    return tuple(found)


def _doc(tree: Tree, where: int) -> Doc:
    match tree:
        case Atom(text):
            return text
        case Bracket(opening, items, kind):
            return _bracketed(opening, items, kind, where)
        case Postfix(head, parts):
            return (_doc(head, where), *(_doc(part, where) for part in parts))
        case Prefix(word, of, kind):
            if kind == "lambda" and isinstance(of, Operation | Choice | Prefix):
                return (word, _in_brackets(_doc(of, INSIDE)))
            return (word, _doc(of, where))
        case Operation():
            (_, first), *others = _operands(tree)
            docs = [_doc(first, where)]
            for operator, operand in others:
                docs += [_line(where), f"{operator} ", _doc(operand, where)]
            return _group(where, tuple(docs))
        case Choice():
            return _group(where, _chosen(tree, where))
        case Comprehension(element, clauses):
            rows: list[Doc] = [Group(_doc(element, where)), *((word, _doc(of, where)) for word, of in clauses)]
            return Group(_joined(rows, _line(where)))


def _operands(tree: Operation) -> Iterator[tuple[str, Tree]]:
    """Each operand with the operator before it; `and` and `or` count as equally strong."""
    for operator, operand in zip(("", *tree.operators), tree.operands, strict=True):
        if isinstance(operand, Operation) and operand.operators[0] == "and":
            (_, first), *others = _operands(operand)
            yield operator, first
            yield from others
        else:
            yield operator, operand


def _chosen(tree: Choice, where: int) -> Doc:
    other = _chosen(tree.other, where) if isinstance(tree.other, Choice) else _doc(tree.other, where)
    return (_doc(tree.then, where), _line(where), "if ", _doc(tree.test, where), _line(where), "else ", other)


def _bracketed(opening: str, items: tuple[Tree, ...], kind: str, where: int) -> Doc:
    closing = CLOSING[opening]
    if not items:
        return opening + closing
    docs: Doc = _joined((_doc(item, INSIDE) for item in items), (",", Line(" ")))
    if kind == "display" and opening == "(" and len(items) == 1:
        docs = (docs, ",")
    elif len(items) > 1:
        docs = (docs, IfBroken(","))
    return _bracket(where, opening, Group(docs) if kind == "call" else docs, closing)


# ------------------------------------------------------------------------------------------ statements


def _value(tree: Tree) -> Doc:
    """An expression at the end of a statement: brackets are put around it where none of its own can be broken."""
    if not _splits(tree):
        return _doc(tree, OPEN)
    id_ = next(_ids)
    where = id_ if _keeps_open(tree) else INSIDE
    inner = _doc(tree, where)
    if where == INSIDE:
        return _in_brackets(inner)
    return Group((IfBroken("("), Indent((Line(), inner), only_in=id_), Line(), IfBroken(")")), id=id_)


def _in_brackets(doc: Doc) -> Doc:
    """With brackets around it if it does not fit on one line."""
    return Group((IfBroken("("), Indent((Line(), doc)), Line(), IfBroken(")")))


def _splits(tree: Tree) -> bool:
    match tree:
        case Operation() | Choice():
            return True
        case Prefix(_, of, "unary"):
            return not (isinstance(of, Bracket) and of.kind == "paren")
        case _:
            return False


def _keeps_open(tree: Tree) -> bool:
    """Whether the expression may do without brackets around it, because it starts or ends with some of its own."""
    if isinstance(tree, Choice):
        return False
    operations = list(_operations(tree))
    if operations:
        lowest = min(level for level, _ in operations)
        if sum(count for level, count in operations if level == lowest) > 1:
            return False
    if not any(isinstance(t, Bracket) for t in _flat(tree)):
        return False
    first: Tree = tree
    last: Tree = tree
    while isinstance(first, Operation | Postfix):
        first = first.operands[0] if isinstance(first, Operation) else first.head
    while isinstance(last, Operation | Prefix):
        last = last.operands[-1] if isinstance(last, Operation) else last.of
    if isinstance(last, Postfix):
        last = last.parts[-1]
    return any(isinstance(end, Bracket) and end.kind != "index" and end.items for end in (first, last))


def _operations(tree: Tree) -> Iterator[tuple[int, int]]:
    """The strength and number of the operators that are outside brackets."""
    if isinstance(tree, Operation):
        level = next(i for i, level in enumerate(LEVELS) if tree.operators[0] in level)
        yield (max(level, 1), len(tree.operators))
        for operand in tree.operands:
            yield from _operations(operand)
    elif isinstance(tree, Prefix):
        yield from _operations(tree.of)


def _flat(tree: Tree) -> Iterator[Tree]:
    yield tree
    if isinstance(tree, Operation):
        for operand in tree.operands:
            yield from _flat(operand)
    elif isinstance(tree, Prefix):
        yield from _flat(tree.of)
    elif isinstance(tree, Postfix):
        yield from _flat(tree.head)
        yield from tree.parts


HEADS = re.compile(r"(return|if|elif|while|for [\w, ]+? in) ")


def laid_out(text: str, indent: int) -> list[str]:
    """The lines of a statement that starts at a column; also of `expression,` as it stands in a table."""
    if indent + len(text) <= WIDTH:
        return [" " * indent + text]
    if text.startswith("def "):
        name, rest = text[:-1].split("(", 1)
        inside, _, returned = rest.rpartition(") -> ")
        items = tuple(Atom(part) for part in _parameters(inside))
        doc: Doc = (f"{name}", _bracketed("(", items, "call", OPEN), f" -> {returned}:")
    elif text.endswith(","):
        doc = (_doc(Reader(text[:-1]).whole(), INSIDE), ",")
    else:
        tail = ":" if text.endswith(":") else ""
        head = match[0] if (match := HEADS.match(text)) else ""
        body = text[len(head) : len(text) - len(tail)]
        targets: list[Doc] = []
        while not head and (at := _assignment(body)):
            target = body[: at[0]]
            annotated = re.match(r"\w+: ", target)
            targets += [target if annotated else _doc(Reader(target).whole(), OPEN), body[at[0] : at[1]]]
            body = body[at[1] :]
        value = Reader(body).whole()
        doc = (head, *targets, _value(value), tail)
        start = text[: len(text) - len(body)] if targets else ""
        lines = _printed(doc, indent)
        if (
            start
            and not _splits(value)
            and not lines[0].strip().startswith(start.strip())
            and indent + len(start) < WIDTH
        ):
            # Rather than the target, the value is put on lines of its own.
            return _printed((start, "(", Indent((Line(), _doc(value, INSIDE))), Line(), ")"), indent)
        return lines
    return _printed(doc, indent)


def _parameters(text: str) -> list[str]:
    """The parameters of a `def`, at the commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text)]


def _assignment(text: str) -> tuple[int, int] | None:
    """Where the first `=` or `+=` outside brackets and quotes starts and ends, with the spaces around it."""
    depth = 0
    for match in re.finditer(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[(\[{]|[)\]}]| [-+]?= """, text):
        found = match[0]
        if found in CLOSING:
            depth += 1
        elif found in (")", "]", "}"):
            depth -= 1
        elif found[0] == " " and not depth:
            return match.span()
    return None


# ------------------------------------------------------------------------------------------ the printer

FLAT, BROKEN = False, True


def _printed(doc: Doc, indent: int) -> list[str]:
    lines, line = [], " " * indent
    modes: dict[int, bool] = {}
    stack: list[tuple[bool, int, Doc]] = [(BROKEN, indent, doc)]
    while stack:
        mode, inset, node = stack.pop()
        match node:
            case str():
                line += node
            case tuple():
                stack += [(mode, inset, part) for part in reversed(node)]
            case Line(flat):
                if mode == FLAT:
                    line += flat
                else:
                    lines.append(line.rstrip())
                    line = " " * inset
            case Group(of, id_, only_in):
                if only_in and modes.get(only_in) != BROKEN:
                    stack.append((mode, inset, of))
                    continue
                if mode == BROKEN:
                    modes[id_] = FLAT
                    mode = not _fits(of, id_, inset, len(line), stack, modes)
                modes[id_] = mode
                stack.append((mode, inset, of))
            case Indent(of, only_in):
                step = 4 if not only_in or modes.get(only_in) == BROKEN else 0
                stack.append((mode, inset + step, of))
            case IfBroken(broken, flat, id_):
                stack.append((mode, inset, broken if (modes[id_] if id_ else mode) == BROKEN else flat))
            case Roomy(of, id_):
                stack.append((BROKEN if modes.get(id_) == FLAT else mode, inset, of))
    return [*lines, line.rstrip()]


def _fits(
    of: Doc, id_: int, inset: int, column: int, rest: list[tuple[bool, int, Doc]], outer: dict[int, bool]
) -> bool:
    """Whether the group, flat, and what follows it up to the next end of a line stay within the width."""
    modes = {**outer, id_: FLAT}
    todo: list[tuple[bool, int, Doc, bool]] = [(FLAT, inset, of, False)]
    after = len(rest)
    while True:
        if not todo:
            if not after:
                return True
            after -= 1
            todo.append((*rest[after], False))
        mode, step, node, every_line = todo.pop()
        match node:
            case str():
                column += len(node)
                if column > WIDTH:
                    return False
            case tuple():
                todo += [(mode, step, part, every_line) for part in reversed(node)]
            case Line(flat):
                if mode == FLAT:
                    column += len(flat)
                elif every_line:
                    column = step
                else:
                    return True
            case Group(inner, other, only_in):
                modes[other] = mode
                todo.append((mode, step, inner, every_line))
            case Indent(inner, only_in):
                deeper = 4 if not only_in or modes.get(only_in) == BROKEN else 0
                todo.append((mode, step + deeper, inner, every_line))
            case IfBroken(broken, flat_doc, other):
                todo.append(
                    (mode, step, broken if (modes[other] if other else mode) == BROKEN else flat_doc, every_line)
                )
            case Roomy(inner, other):
                if mode == FLAT and modes.get(other) == FLAT:
                    todo.append((BROKEN, step, inner, True))
                else:
                    todo.append((mode, step, inner, every_line))
