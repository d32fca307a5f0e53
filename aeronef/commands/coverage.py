"""`aeronef coverage`: which clauses, and what of the rules, scenarios and random games exercise, and what never."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from aeronef.commands.common import options_text, said_on_stderr
from aeronef.covered import OWNERS, Counting, Coverage, data
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.ir import Clause
from aeronef.files import read_text, said, shown
from aeronef.loading import is_path, spec_path
from aeronef.progress import progress
from aeronef.render import output, printable, say, span_data, table
from aeronef.runtime.errors import BadInput
from aeronef.runtime.scenario import Document, read

WORDS = 70  # of what is quoted in one line


def cover_spec(spec: str, files: list[Path], games: int, seed: int, strict: bool, as_json: bool) -> int:
    """Raises BadInput where there is no such spec or file, or it is broken; Failed where the spec does not compile."""
    path = spec_path(spec) if is_path(spec) else shown(spec_path(spec))
    beside = path.with_name(f"{path.stem}.scenarios.yaml")
    documents = [read(read_text(file), str(file)) for file in files or [beside] * beside.is_file()]
    if not documents and not games:
        raise BadInput(f"there are no scenarios beside `{path}`, and no games to play: nothing would be exercised")
    with said_on_stderr(path):
        try:
            counting = Counting(path)
        except OSError as error:
            raise BadInput(f"cannot read `{path}`: {said(error)}") from None
    with progress("playing") as bar:
        found = counting.cover(documents, games, seed, bar.reach)
    failed = [result for result in found.results if not result.ok]
    wanting = found.never or (strict and found.in_no_scenario)
    status = 1 if wanting or failed or found.played.faults else 0
    if as_json:
        _print_json(found, path, documents, seed, not status)
    else:
        _show(found, path, documents, seed, strict)
    return status


def _print_json(found: Coverage, path: Path, documents: list[Document], seed: int, ok: bool) -> None:
    failed = [{"name": r.name, "line": r.line, "message": r.message} for r in found.results if not r.ok]
    faults = [
        {"players": players, "options": options, "seed": fault.seed, "number": fault.number, "place": fault.place,
         "message": str(fault)}
        for (players, options), fault in found.played.faults
    ]  # fmt: skip
    whole = {
        "spec": str(path),
        "ok": ok,
        "scenarios": {"files": [d.file for d in documents], "run": len(found.results), "failed": failed},
        "play": {
            "games": found.played.games, "steps": found.played.steps, "choices": found.played.choices, "seed": seed,
            "faults": faults,
        },
        **data(found, lambda span: span_data(span, path.parent)),
    }  # fmt: skip
    print(json.dumps(whole, indent=2, ensure_ascii=False))


def _show(found: Coverage, path: Path, documents: list[Document], seed: int, strict: bool) -> None:
    out, played = output(), found.played

    def at(span: Span) -> str:
        place = span_data(span, path.parent)
        return f"{place['file']}:{place['line']}"

    failed = [result for result in found.results if not result.ok]
    bad = f" ({len(failed)} fail: aeronef test says why)" if failed else ""
    games = f"{played.games:,} random games of {played.choices} choices of players and options, seed {seed}"
    say(
        f"{path}: {_counted(len(found.results), 'scenario')}{bad}, {games if played.games else 'no games'}", console=out
    )
    rows = [[kind, *map(str, numbers)] for kind, *numbers in found.kinds()]
    out.print(table("", "all", "by scenarios", "by play", "exercised", rows=rows))
    if missing := list(found.missing()):
        say(f"never exercised: {len(missing)}", "bold", out)
    for point, how in missing:
        by = f" ({', '.join(point.by)})" if point.by else ""
        part = "" if point.kind in (*OWNERS, "result", "overlay") else f": {point.kind} `{_short(point.words)}`"
        say(printable(f"  {at(point.span)}: {point.element}{part} {how}{by}"), console=out)
    _show_clauses("clauses whose rules are never exercised", found.never, at)
    if strict:
        others = [clause for clause in found.in_no_scenario if clause not in found.never]
        _show_clauses("other clauses whose rules no scenario exercises", others, at)
    for (players, options), fault in played.faults:
        choice = f"{players} players {options_text(options)}".strip()
        say(printable(f"game {fault.number} of seed {fault.seed} ({choice}): {fault} ({fault.place})"), "bold red", out)
    if not (missing or found.never):
        say("everything is exercised", console=out)


def _show_clauses(heading: str, clauses: list[Clause], at: Callable[[Span], str]) -> None:
    out = output()
    if clauses:
        say(f"{heading}: {len(clauses)}", "bold red", out)
    for clause in clauses:
        say(printable(f"  {at(clause.span)}: {clause.id}: {_short(clause.says)}"), console=out)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= WORDS else plain[: WORDS - 1] + "…"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
