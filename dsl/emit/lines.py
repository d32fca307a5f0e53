"""Lines of an emitted file, each with its depth: the writer that all targets share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

WIDTH = 120

Lines = list[tuple[int, str]]


class Whole(str):
    """A line that is not broken, however long."""


class LineWriter:
    """A language says what begins a `remark`, which words of it would mean more, and where long lines are broken."""

    remark = ""

    def __init__(self) -> None:
        self.lines: Lines = []
        self.depth = 0

    def harmless(self, text: str) -> str:
        raise NotImplementedError

    def broken(self, text: str, indent: int) -> list[str]:
        raise NotImplementedError

    def line(self, text: str = "") -> None:
        self.lines.append((self.depth, text))

    def comment(self, text: str) -> None:
        text = self.harmless(" ".join(text.split()))
        width = WIDTH - 4 * self.depth - len(self.remark)
        for part in textwrap.wrap(text, width, break_on_hyphens=False):
            self.line(Whole(self.remark + part))

    def cite(self, by: tuple[str, ...], says: str = "") -> None:
        """The clauses that the next lines come from, and what they say."""
        cites = ", ".join(by)
        self.comment(f"{cites}: {says}" if cites and says else cites or says)

    @contextmanager
    def aside(self) -> Iterator[Lines]:
        """What is written here is kept, and not yet written."""
        before, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = before

    def put(self, lines: Lines, deeper: int = 0) -> None:
        """What was kept aside, here."""
        self.lines += [(depth + deeper, text) for depth, text in lines]

    def text(self) -> str:
        found: list[str] = []
        for depth, text in self.lines:
            whole = isinstance(text, Whole) or 4 * depth + len(text) <= WIDTH
            found += [" " * (4 * depth) * bool(text) + text] if whole else self.broken(text, 4 * depth)
        return "\n".join(found).rstrip("\n") + "\n"
