"""Lines of Python, indented, and broken the way that `ruff format` breaks them (120 columns, trailing commas)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

WIDTH = 120
OPENING = {"(": ")", "[": "]", "{": "}"}


class Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def line(self, text: str = "") -> None:
        self.lines += broken(text, self.depth * 4) if text else [""]

    def comment(self, text: str) -> None:
        indent = " " * (self.depth * 4)
        self.lines += textwrap.wrap(text, WIDTH, initial_indent=indent + "# ", subsequent_indent=indent + "# ")

    def docstring(self, text: str) -> None:
        indent = " " * (self.depth * 4)
        text = text.replace("\\", "\\\\").replace('"""', "'''")
        if text.endswith('"'):
            text += " "
        if len(indent) + len(text) + 6 <= WIDTH:
            self.lines.append(f'{indent}"""{text}"""')
        else:
            body = textwrap.wrap(text, WIDTH, initial_indent=indent + '"""', subsequent_indent=indent)
            self.lines += [*body, f'{indent}"""']

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        self.depth += 1
        yield
        self.depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines).rstrip("\n") + "\n"


def broken(text: str, indent: int) -> list[str]:
    """A statement as one line if it fits, else split at its brackets, as ruff splits it."""
    pad = " " * indent
    if indent + len(text) <= WIDTH or not any(c in text for c in "([{"):
        return [pad + text] if indent + len(text) <= WIDTH else _wrapped(text, indent)
    pairs = _pairs(text)
    outer = [(i, j) for i, j in pairs if not any(a < i and j < b for a, b in pairs)]
    # A statement without brackets around its right side gets some.
    right = text[len("return ") :] if text.startswith("return ") else ""
    assigned = _assigned(text)
    if assigned:
        right = text[assigned:]
    if right and not _is_one(right):
        return _wrapped(text, indent)
    statement = text.endswith(":") or bool(right) or text.startswith("def ")
    if not statement and not text.endswith(",") and len(parts := _operators(text)) > 1:
        return [line for part in parts for line in broken(part, indent)]
    if text.endswith(":") and text.startswith(("if ", "elif ")) and not _is_one(text.split(" ", 1)[1].rstrip(":")):
        return _wrapped(text, indent)
    i, j = outer[-1]
    return _split(text[: i + 1], text[i + 1 : j], text[j:], indent)


def _split(head: str, body: str, tail: str, indent: int) -> list[str]:
    pad = " " * indent
    inner = " " * (indent + 4)
    commas = _at_top(body, ", ")
    if len(inner) + len(body) <= WIDTH and not (commas and head.endswith(("[", "{"))) and not body.endswith(","):
        return [pad + head, inner + body, pad + tail]
    lines = [pad + head]
    parts = _comprehension(body)
    if len(parts) == 1 and commas:
        for part in _cut(body, commas, 2):
            lines += broken(part + ",", indent + 4)
    elif len(parts) > 1:
        for part in parts:
            lines += broken(part, indent + 4)
    else:
        for part in _operators(body):
            lines += broken(part, indent + 4)
    return [*lines, pad + tail]


def _wrapped(text: str, indent: int) -> list[str]:
    """Brackets put around the value of `return …`, `x = …`, `if …:`."""
    for keyword in ("return ", "if ", "elif "):
        if text.startswith(keyword):
            body = text[len(keyword) :].rstrip(":")
            return _split(keyword + "(", body, "):" if keyword != "return " else ")", indent)
    at = _assigned(text)
    if at:
        return _split(text[:at] + "(", text[at:], ")", indent)
    parts = _operators(text)
    if len(parts) > 1:
        return [" " * indent + part for part in parts]
    return [" " * indent + text]


def _assigned(text: str) -> int:
    """Where the value of `x = …` or `x += …` starts; 0 in other texts."""
    if text.startswith(("for ", "if ", "elif ", "while ", "def ", "return ")):
        return 0
    places = [i + len(op) for op in (" = ", " += ") for i in _at_top(text, op)]
    return min(places, default=0)


def _pairs(text: str) -> list[tuple[int, int]]:
    stack: list[int] = []
    pairs: list[tuple[int, int]] = []
    quote = ""
    for i, char in enumerate(text):
        if quote:
            if char == quote and text[i - 1] != "\\":
                quote = ""
        elif char in "\"'":
            quote = char
        elif char in OPENING:
            stack.append(i)
        elif char in ")]}" and stack:
            pairs.append((stack.pop(), i))
    return pairs


def _is_one(text: str) -> bool:
    """Whether an expression is one name, call, or bracket, so that it can be split inside its last brackets."""
    pairs = _pairs(text)
    if not pairs or pairs[-1][1] != len(text) - 1:
        return False
    return not any(_at_top(text, op) for op in (" ", "-"))


def _at_top(text: str, what: str) -> list[int]:
    inside = _pairs(text)
    quoted = _quoted(text)
    return [
        i for i in range(len(text))
        if text.startswith(what, i) and not any(a < i < b for a, b in inside) and not any(a < i < b for a, b in quoted)
    ]  # fmt: skip


def _quoted(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = -1
    for i, char in enumerate(text):
        if char in "\"'":
            if start < 0:
                start = i
            elif text[start] == char and text[i - 1] != "\\":
                found.append((start, i))
                start = -1
    return found


def _cut(text: str, places: list[int], width: int) -> list[str]:
    found, last = [], 0
    for at in places:
        found.append(text[last:at])
        last = at + width
    found.append(text[last:])
    return [part for part in found if part]


def _comprehension(body: str) -> list[str]:
    fors = _at_top(body, " for ")
    if not fors or _at_top(body, "lambda"):
        return [body]
    places = sorted([*fors, *[i for i in _at_top(body, " if ") if i > fors[0]]])
    return _cut(body, places, 1)


def _operators(body: str) -> list[str]:
    ifs = [i for i in _at_top(body, " if ")]
    if ifs:
        return _cut(body, sorted([*ifs, *_at_top(body, " else ")]), 1)
    if body.startswith("for "):
        return [body]
    for operators in (
        (" or ",),
        (" and ",),
        (" == ", " != ", " <= ", " >= ", " < ", " > ", " in ", " not in ", " + ", " - "),
    ):
        places = sorted(i for op in operators for i in _at_top(body, op))
        if places:
            return _cut(body, places, 1)
    return [body]
