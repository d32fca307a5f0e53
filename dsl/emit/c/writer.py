"""Lines of C, indented; and lines that are kept aside until it is known where they belong."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

WIDTH = 120
BREAK = re.compile(r"(?:, | (?=&& |\|\| |\? |: |\+ ))")

Lines = list[tuple[int, str]]  # each with its depth


class Writer:
    def __init__(self) -> None:
        self.lines: Lines = []
        self.depth = 0

    def line(self, text: str = "") -> None:
        self.lines.append((self.depth, text))

    def verbatim(self, text: str) -> None:
        """Text that is the same in all files."""
        for line in text.rstrip("\n").split("\n"):
            depth = (len(line) - len(line.lstrip())) // 4
            self.lines.append((self.depth + depth, line.lstrip()))
        self.line()

    def comment(self, text: str) -> None:
        """Text of a spec never ends the comment that it stands in, nor does it go on in the next line."""
        text = " ".join(text.split()).rstrip("\\").replace("??", "? ?")
        if text:
            start = "// "
            for part in textwrap.wrap(text, WIDTH - 4 * self.depth - len(start), break_on_hyphens=False):
                self.line(start + part.rstrip("\\"))

    def cite(self, by: tuple[str, ...], says: str = "") -> None:
        """The clauses that the next lines come from, and what they say."""
        cites = ", ".join(by)
        self.comment(f"{cites}: {says}" if cites and says else cites or says)

    @contextmanager
    def block(self, head: str, tail: str = "}") -> Iterator[None]:
        """A compound statement. An `else` stands on the line of the brace before it."""
        if head.startswith("else") and self.lines and self.lines[-1] == (self.depth, "}"):
            self.lines.pop()
            head = f"}} {head}"
        self.line(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line(tail)

    @contextmanager
    def aside(self) -> Iterator[Lines]:
        """What is written here is kept, and not yet written."""
        before, self.lines = self.lines, []
        kept = self.lines
        try:
            yield kept
        finally:
            self.lines = before

    def put(self, lines: Lines, deeper: int = 0) -> None:
        """What was kept aside, here."""
        self.lines += [(depth + deeper, text) for depth, text in lines]

    def text(self) -> str:
        found: list[str] = []
        for depth, text in self.lines:
            found += _broken(" " * (4 * depth) + text) if text else [""]
        return "\n".join(found) + "\n"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?") + '"'


def _broken(line: str) -> list[str]:
    """A long line, broken where it can be read best. Comments and texts are broken before."""
    if len(line) <= WIDTH or line.lstrip().startswith(("//", "#")) or '"' in line:
        return [line]
    indent = len(line) - len(line.lstrip()) + 8
    found = []
    while len(line) > WIDTH:
        places = [m.end() for m in BREAK.finditer(line) if indent < m.end() <= WIDTH]
        if not places:
            break
        found.append(line[: places[-1]].rstrip())
        line = " " * indent + line[places[-1] :]
    return [*found, line]
