"""A progress bar on stderr, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Silent:
    """No bar."""

    def advance(self, games: int) -> None:
        """So many games more are played."""

    def reach(self, done: int, total: int) -> None:
        """So many games of so many are played."""


class Bar(Silent):
    def __init__(self, doing: str, games: int | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        # On the stderr of now: Hypothesis runs with another one, while the bar is drawn on.
        self.progress = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        self.task = self.progress.add_task("", total=games)

    def advance(self, games: int) -> None:
        self.progress.advance(self.task, games)

    def reach(self, done: int, total: int) -> None:
        self.progress.update(self.task, completed=done, total=total)


@contextmanager
def progress(doing: str, games: int | None = None) -> Iterator[Silent]:
    if not sys.stderr.isatty():
        yield Silent()
        return
    bar = Bar(doing, games)
    with bar.progress:
        yield bar
