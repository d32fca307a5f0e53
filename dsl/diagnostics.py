"""What the compiler has to say: data only. Codes live in `codes.py`; the face renders (`aeronef/render.py`)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from aeronef.dsl.codes import CODES

MOST = 100


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file; lines and columns count from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong (or, a finding, worth a look): where, what, and what to do about it."""

    code: str
    message: str
    span: Span
    hint: str = ""
    notes: tuple[tuple[Span, str], ...] = ()
    element: str = ""  # the path of the spec's element, which `accepts:` names

    @property
    def is_error(self) -> bool:
        return CODES[self.code].level == "error"


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that the spec accepts: its element, why, what was found, and (of one found in play) under which
    options it is accepted."""

    code: str
    element: str
    why: str
    message: str
    when: str = ""


class SpecError(Exception):
    """A spec does not compile. `report` holds every diagnostic of the run."""

    def __init__(self, report: Report) -> None:
        errors = report.errors
        first = f"{errors[0].span}: {errors[0].message}" if errors else "the spec does not compile"
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(first + more)
        self.report = report


@dataclass(slots=True)
class Report:
    """Collects the diagnostics of one run, and the texts they point into. Raises SpecError when there are too many.

    `about` says which overlays are on in the spec that is looked at, where there are several (`compiler.py`);
    `removed`, where a variant takes out what its base has; `brought`, which optional rule adds an element.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    about: str | None = None
    accepted: list[Accepted] = field(default_factory=list)
    removed: dict[str, Span] = field(default_factory=dict)
    brought: dict[str, str] = field(default_factory=dict)
    _said: dict[Diagnostic, list[str | None]] = field(default_factory=dict)

    def add(
        self,
        code: str,
        span: Span,
        message: str,
        hint: str = "",
        notes: Iterable[tuple[Span, str]] = (),
        element: str = "",
    ) -> None:
        assert code in CODES, code
        found = Diagnostic(code, message, span, hint, tuple(notes), element)
        if found in self._said:
            self._said[found].append(self.about)
            return
        self._said[found] = [self.about]
        self.diagnostics.append(found)
        if found.is_error and len(self.diagnostics) >= MOST:
            raise SpecError(self)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.diagnostics if d.is_error]

    @property
    def findings(self) -> list[Diagnostic]:
        return [d for d in self.diagnostics if not d.is_error]

    def in_order(self) -> list[Diagnostic]:
        return sorted(self.diagnostics, key=lambda d: (not d.is_error, d.span, d.code))

    def tell_apart(self, combinations: list[str]) -> None:
        """Says of what was found only with some overlays on with which. A type that one of them uses is used."""
        for i, found in reversed(list(enumerate(self.diagnostics))):
            where = set(self._said.get(found, [None]))
            if None in where or where >= set(combinations):
                continue
            if found.code == "AE707":
                del self.diagnostics[i]
                continue
            first = next(name for name in combinations if name in where)
            note = f"with {first} on" if first else "with no overlay on"
            self.diagnostics[i] = told = replace(found, message=f"{found.message} ({note})")
            self._said[told] = [None]

    def stop_on_errors(self) -> None:
        """Raises SpecError if an error was reported."""
        if self.errors:
            raise SpecError(self)


def close(name: str, known: Iterable[str]) -> str | None:
    """The known name that a misspelt one was meant to be, if there is one."""
    return next(iter(difflib.get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)), None)


def nearest(name: str, known: Iterable[str]) -> str:
    """The hint for a misspelt name: 'did you mean …?', or what there is, or nothing."""
    names = sorted(set(known))
    found = close(name, names)
    if found:
        return f"did you mean `{found}`?"
    if names and len(names) <= 12:
        return "there is: " + ", ".join(f"`{n}`" for n in names)
    return ""
