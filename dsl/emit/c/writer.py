"""Lines of C, indented; and how a text stands in C."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from aeronef.dsl.emit.lines import WIDTH, LineWriter, Whole

BREAK = re.compile(r"(?:, | (?=&& |\|\| |\? |: |\+ ))")


class Writer(LineWriter):
    remark = "// "

    def harmless(self, text: str) -> str:
        """Text of a spec never ends the comment that it stands in."""
        return text.replace("??", "? ?")

    def line(self, text: str = "") -> None:
        """One that ends in a remark never goes on in the next."""
        super().line(Whole(text.rstrip("\\")) if text.startswith(self.remark) else text)

    def verbatim(self, text: str) -> None:
        """Text that is the same in all files."""
        for line in text.rstrip("\n").split("\n"):
            depth = (len(line) - len(line.lstrip())) // 4
            self.lines.append((self.depth + depth, line.lstrip()))
        self.line()

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

    def broken(self, text: str, indent: int) -> list[str]:
        """A long line, broken where it can be read best. Texts and directives are not."""
        line, found = " " * indent + text, []
        places: list[int] = []
        while len(line) > WIDTH and '"' not in line and not text.startswith(("//", "#")):
            places = [m.end() for m in BREAK.finditer(line) if indent + 8 < m.end() <= WIDTH]
            if not places:
                break
            found.append(line[: places[-1]].rstrip())
            line = " " * (indent + 8) + line[places[-1] :]
        return [*found, line]


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?") + '"'
