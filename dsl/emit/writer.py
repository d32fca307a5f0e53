"""Lines of Python, indented, as `ruff format` leaves them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

from aeronef.dsl.emit.layout import laid_out
from aeronef.dsl.emit.lines import WIDTH, LineWriter, Whole

# Words at the start of a comment that tools would take for theirs.
PRAGMAS = ("type:", "fmt:", "noqa", "ruff:", "mypy:", "pragma", "pyright:", "isort:", "yapf:", "!")


class Writer(LineWriter):
    remark = "# "

    def harmless(self, text: str) -> str:
        return f"- {text}" if text.lower().startswith(PRAGMAS) else text

    def broken(self, text: str, indent: int) -> list[str]:
        return laid_out(text, indent)

    def verbatim(self, text: str) -> None:
        """One line as it is, however long."""
        self.line(Whole(text))

    def docstring(self, text: str) -> None:
        text = " ".join(text.split()).replace("\\", "\\\\").replace('"""', "'''")
        if text.startswith('"'):
            text = " " + text
        if text.endswith('"'):
            text += " "
        width = WIDTH - 4 * self.depth
        if len(text) + 6 <= width:
            self.verbatim(f'"""{text}"""')
        else:
            start = '"""' + (" " if text.startswith(" ") else "")
            for line in (*textwrap.wrap(text, width, initial_indent=start, break_on_hyphens=False), '"""'):
                self.verbatim(line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A compound statement; `pass` if nothing is written in it."""
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if head.endswith(":") and all(line.startswith(self.remark) for _, line in self.lines[before:]):
            self.line("pass")
        self.depth -= 1


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
