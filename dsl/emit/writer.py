"""Lines of Python, indented, as `ruff format` leaves them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

from aeronef.dsl.emit.layout import WIDTH, laid_out

# Words at the start of a comment that tools would take for theirs.
PRAGMAS = ("type:", "fmt:", "noqa", "ruff:", "mypy:", "pragma", "pyright:", "isort:", "yapf:", "!")


class Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def line(self, text: str = "") -> None:
        self.lines += laid_out(text, self.depth * 4) if text else [""]

    def verbatim(self, text: str) -> None:
        """One line as it is, however long."""
        self.lines.append(" " * (self.depth * 4) + text)

    def comment(self, text: str) -> None:
        start = " " * (self.depth * 4) + "# "
        text = " ".join(text.split())
        if text.lower().startswith(PRAGMAS):
            text = f"- {text}"
        self.lines += textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=start, break_on_hyphens=False)

    def cite(self, by: tuple[str, ...], says: str = "") -> None:
        """The clauses that the next lines come from, and what they say."""
        cites = ", ".join(by)
        if cites or says:
            self.comment(f"{cites}: {says}" if cites and says else cites or says)

    def docstring(self, text: str) -> None:
        indent = " " * (self.depth * 4)
        text = " ".join(text.split()).replace("\\", "\\\\").replace('"""', "'''")
        if text.startswith('"'):
            text = " " + text
        if text.endswith('"'):
            text += " "
        if len(indent) + len(text) + 6 <= WIDTH:
            self.lines.append(f'{indent}"""{text}"""')
        else:
            start = indent + '"""' + (" " if text.startswith(" ") else "")
            lines = textwrap.wrap(text, WIDTH, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False)
            self.lines += [*lines, f'{indent}"""']

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A compound statement; `pass` if nothing is written in it."""
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if head.endswith(":") and all(line.lstrip().startswith("#") for line in self.lines[before:]):
            self.line("pass")
        self.depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines).rstrip("\n") + "\n"


def quoted(text: str) -> str:
    """A string literal, in the quotes that `ruff format` prefers."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    found = []
    for char in text:
        if char == "\\" or char == quote:
            found.append("\\" + char)
        elif char.isprintable():
            found.append(char)
        else:
            found.append(char.encode("unicode_escape").decode())
    return quote + "".join(found) + quote


def tuple_of(items: list[str]) -> str:
    """A tuple written out."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
