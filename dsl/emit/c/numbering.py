"""Which ids actions and outcomes have. Ids are numbered where a game is loaded, so the emitter is told."""

from __future__ import annotations

from dataclasses import dataclass

Datum = int | bool | str | tuple["Datum", ...] | None  # words and cards by their names, so that any game can read them


@dataclass(frozen=True, slots=True)
class Numbered:
    """An action or outcome by its element's name: its ids run from `first` through all combinations of the values of
    `domains`, the last one fastest."""

    key: str
    first: int
    domains: tuple[tuple[Datum, ...], ...]

    @property
    def many(self) -> int:
        found = 1
        for domain in self.domains:
            found *= len(domain)
        return found


@dataclass(frozen=True, slots=True)
class Numbering:
    """Those of the seats, and apart from them those of chance, each in the order of their ids; and in the same way,
    each for itself, the places of what is measured: of each measure by its keys."""

    actions: tuple[Numbered, ...]
    outcomes: tuple[Numbered, ...]
    measures: tuple[Numbered, ...] = ()
