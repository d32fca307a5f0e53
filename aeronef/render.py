"""How the command line looks: diagnostics with their excerpt, tables, colours on terminals only."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from aeronef.files import shown
from aeronef.loading import library

if TYPE_CHECKING:
    from aeronef.dsl.diagnostics import Diagnostic, Report, Span

WIDTH = 100  # where there is no terminal: the same output everywhere
EXCERPT = 100
LEVELS = {"error": "bold red", "finding": "bold yellow"}


def output() -> Console:
    return _console(error=False)


def errors() -> Console:
    return _console(error=True)


def _console(error: bool) -> Console:
    stream = sys.stderr if error else sys.stdout
    return Console(stderr=error, highlight=False, markup=False, emoji=False, width=None if stream.isatty() else WIDTH)


def say(text: str, style: str = "", console: Console | None = None) -> None:
    """One paragraph of plain text, never wrapped."""
    (console or output()).print(Text(text, style), soft_wrap=True)


def complain(message: str) -> None:
    """One line on stderr."""
    line = Text("error: ", "bold red")
    line.append(" ".join(message.split()), "not bold default")
    errors().print(line, soft_wrap=True)


def table(*headings: str, rows: list[list[str]], left: bool = False, keys: int = 1) -> Table:
    """A table: numbers to the right of their column, its first columns (`keys`) and (`left`) texts to the left."""
    made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for i, heading in enumerate(headings):
        made.add_column(heading, justify="left" if left or i < keys else "right", overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


# ------------------------------------------------------------------------------------------ diagnostics


def show_report(report: Report, folder: Path, console: Console) -> None:
    """Every diagnostic of a run, errors first. `folder` is where the spec's files lie."""
    for diagnostic in report.in_order():
        console.print(diagnostic_text(diagnostic, report, folder), soft_wrap=True)


def counted(report: Report) -> str:
    """`2 errors, 1 finding`, or ``."""
    numbers = ((len(report.errors), "error"), (len(report.findings), "finding"))
    return ", ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in numbers if n)


def report_data(report: Report, folder: Path) -> list[dict[str, Any]]:
    """The diagnostics as JSON data."""
    return [
        {
            "code": d.code, "level": "error" if d.is_error else "finding", "message": d.message,
            **span_data(d.span, folder), "hint": d.hint, "element": d.element,
            "notes": [{**span_data(span, folder), "message": message} for span, message in d.notes],
        }
        for d in report.in_order()
    ]  # fmt: skip


def span_data(span: Span, folder: Path) -> dict[str, Any]:
    """A place as JSON data."""
    return {
        "file": _file(span, folder), "line": span.line, "column": span.column,
        "end_line": span.end_line, "end_column": span.end_column,
    }  # fmt: skip


def diagnostic_text(diagnostic: Diagnostic, report: Report, folder: Path) -> Text:
    """A diagnostic with its place, an excerpt, and what to do about it."""
    level = "error" if diagnostic.is_error else "finding"
    text = Text(f"{_place(diagnostic.span, folder)}: ", "bold")
    text.append(f"{level} {diagnostic.code}: ", LEVELS[level])
    text.append(f"{printable(diagnostic.message)}\n", "bold")
    _excerpt(text, diagnostic.span, report, LEVELS[level])
    if diagnostic.hint:
        text.append("        hint: ", "cyan").append(printable(diagnostic.hint) + "\n")
    if not diagnostic.is_error and diagnostic.element and diagnostic.element != "accepts":
        entry = f"{{finding: {diagnostic.code}, at: {diagnostic.element}, why: …}}"
        text.append("        if it is right as it is: ", "cyan").append(f"accepts: [{printable(entry)}]\n")
    for span, message in diagnostic.notes:
        text.append(f"  {_place(span, folder)}: note: ", "cyan").append(printable(message) + "\n")
        _excerpt(text, span, report, "cyan")
    return text


def _place(span: Span, folder: Path) -> str:
    return f"{_file(span, folder)}:{span.line}:{span.column}"


def _file(span: Span, folder: Path) -> str:
    """The path of a file that a spec consists of: it lies beside the spec, or, if that extends it, in the library."""
    beside = folder / span.file
    shipped = library() / span.file
    return str(shown(shipped) if shipped.is_file() and not beside.is_file() else beside)


def _excerpt(text: Text, span: Span, report: Report, style: str) -> None:
    """The line with what is meant underlined; of several lines the first, of a long one the part around it."""
    lines = report.texts.get(span.file, "").split("\n")
    if not 1 <= span.line <= len(lines):
        return
    line = lines[span.line - 1].rstrip("\r")
    start = min(span.column - 1, len(line))
    stop = span.end_column - 1 if span.end_line == span.line else len(line)
    stop = max(min(stop, len(line)), start)
    cut = max(0, min(start - EXCERPT // 4, len(line) - EXCERPT))
    shown = printable(line[cut : cut + EXCERPT])
    before, meant = printable(line[cut:start]), printable(line[start : min(stop, cut + EXCERPT)])
    lead, tail = ("…" if cut else ""), ("…" if cut + EXCERPT < len(line) else "")
    text.append(f"{span.line:>6} | ", "dim").append(f"{lead}{shown}{tail}\n")
    text.append("       | ", "dim").append(" " * _cells(lead + before)).append(
        "^" * max(_cells(meant), 1) + "\n", style
    )


def printable(text: str) -> str:
    """The text with a sign of its own for each character that a terminal would obey or hide, one for one."""
    return "".join(" " if c == "\t" else c if c.isprintable() else "�" for c in text)


def _cells(text: str) -> int:
    """How many columns a text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
