"""`aeronef mutate`: which changes of the rules the scenarios and laws of a variant do not notice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from aeronef.commands.common import Failed, option_text, said_on_stderr
from aeronef.dsl import ir
from aeronef.dsl.compiler import compile_file
from aeronef.dsl.mutate import OPERATORS, Mutant, candidates
from aeronef.files import read_text, shown
from aeronef.loading import is_path, library, spec_path
from aeronef.mutation import Task, Unready, Verdict, attempt, ready
from aeronef.progress import progress
from aeronef.render import errors, output, printable, say, span_data, table
from aeronef.runtime import scenario
from aeronef.runtime.errors import BadInput
from aeronef.runtime.rng import Rng


def mutate_spec(
    spec: str, scenarios: str | None, at: str | None, limit: int | None, games: int, states: int, seed: int, jobs: int,
    as_json: bool,
) -> int:  # fmt: skip
    """1 where a change is not noticed. Raises BadInput; Failed where the spec does not compile, or where the game fails
    what its changes are to fail."""
    path = spec_path(spec) if is_path(spec) else shown(spec_path(spec))
    game = _compiled(path)
    document = _document(path, scenarios, game.name)
    found = list(candidates(game))
    numbers = [i for i, mutant in enumerate(found) if at is None or _stands_in(mutant, at)]
    if at is not None and not numbers:
        raise BadInput(f"nothing can be changed at `{at}` (elements are named as in findings: `phases.NAME`)")
    possible = len(numbers)
    if limit is not None and limit < possible:
        numbers = _sample(found, numbers, limit, seed)
    task = Task(game, path.name, tuple(document.scenarios) if document is not None else (), games, seed, states)
    try:
        task = replace(task, seconds=ready(task))
    except Unready as error:
        say(f"{path}: the game itself fails: {error} (`aeronef test` says more)", console=errors())
        raise Failed from None
    verdicts: list[Verdict] = []
    with progress("trying", len(numbers)) as bar, closing(attempt(task, numbers, jobs)) as tried:
        for verdict in tried:
            if verdict is not None:
                verdicts.append(verdict)
            bar.advance(1)
    if as_json:
        print(json.dumps(_data(path, task, possible, verdicts), indent=2, ensure_ascii=False))
    else:
        _show(path, document, task, possible if limit is not None and limit < possible else None, verdicts)
    return 1 if any(verdict.verdict == "survived" for verdict in verdicts) else 0


def _compiled(path: Path) -> ir.Game:
    with said_on_stderr(path):
        game = compile_file(path, library()).game
    assert game is not None
    return game


def _document(path: Path, given: str | None, name: str) -> scenario.Document | None:
    """The scenarios of the spec: those that are given, or those beside it, if there are any."""
    beside = path.with_name(f"{path.stem}.scenarios.yaml")
    if given is None and not beside.is_file():
        return None
    file = given if given is not None else str(shown(beside))
    document = scenario.read(read_text(Path(file) if given is not None else beside), file)
    if document.variant != name:
        raise BadInput(f"{file}: its variant is `{document.variant}`, and the spec is `{name}`")
    return document


def _stands_in(mutant: Mutant, at: str) -> bool:
    """Whether a change is the one that is named, or stands in the element that is."""
    return mutant.id == at or mutant.element == at or mutant.element.startswith(f"{at}.")


def _sample(found: Sequence[Mutant], numbers: list[int], limit: int, seed: int) -> list[int]:
    """So many of these that are games, at random, in the order of the spec."""
    rng, rest = Rng.stream(seed, 0), numbers[:]
    chosen: list[int] = []
    while rest and len(chosen) < limit:
        k = rng.below(len(rest))
        rest[k], rest[-1] = rest[-1], rest[k]
        number = rest.pop()
        if found[number].game() is not None:
            chosen.append(number)
    return sorted(chosen)


# ------------------------------------------------------------------------------------------ results


def _counts(verdicts: Sequence[Verdict]) -> dict[str, int]:
    return {
        "mutants": len(verdicts), **{word: sum(v.verdict == word for v in verdicts)
                                     for word in ("killed", "equal", "survived")},
    }  # fmt: skip


def _score(counts: dict[str, int]) -> float | None:
    """The part of those that are another game that is noticed."""
    other = counts["killed"] + counts["survived"]
    return counts["killed"] / other if other else None


def _data(path: Path, task: Task, possible: int, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    counts = _counts(verdicts)
    return {
        "spec": str(path), "ok": not counts["survived"], "scenarios": len(task.scenarios), "games": task.games,
        "seed": task.seed, "states": task.states, "possible": possible, **counts, "score": _score(counts),
        "operators": {
            name: _counts(mine) for name in OPERATORS if (mine := [v for v in verdicts if v.operator == name])
        },
        "verdicts": [_verdict_data(verdict, path.parent) for verdict in verdicts],
    }  # fmt: skip


def _verdict_data(v: Verdict, folder: Path) -> dict[str, Any]:
    return {
        "id": v.id, "element": v.element, "operator": v.operator, **span_data(v.span, folder), "was": v.was,
        "now": v.now, "by": list(v.by), "verdict": v.verdict, "killer": v.killer, "what": v.what, "scenario": v.play,
        "compared": [
            {"players": c.players, "options": c.options, "states": c.states, "whole": c.whole} for c in v.compared
        ],
    }  # fmt: skip


def _show(
    path: Path, document: scenario.Document | None, task: Task, possible: int | None, verdicts: Sequence[Verdict]
) -> None:
    out, counts = output(), _counts(verdicts)
    scenarios = f"{len(task.scenarios)} scenarios of {document.file}" if document is not None else "no scenarios"
    of = f" (of about {possible} that are possible, by seed {task.seed})" if possible is not None else ""
    say(f"{path}: {counts['mutants']} changes{of}, tried by {scenarios} and the laws", "bold", out)
    out.print()
    rows = []
    for name, words in OPERATORS.items():
        if mine := [verdict for verdict in verdicts if verdict.operator == name]:
            rows.append([f"{name}: {words}", *(str(n) for n in _counts(mine).values())])
    out.print(table("operator", "changes", "noticed", "equal", "survive", rows=rows))
    out.print()
    for verdict in verdicts:
        if verdict.verdict == "survived":
            _show_survivor(verdict, path.parent)
    equal = [verdict for verdict in verdicts if verdict.verdict == "equal"]
    if equal:
        say("the same game, whatever is played:", console=out)
        for verdict in equal:
            say(printable(f"  {verdict.id}: {verdict.was} → {verdict.now} ({_how(verdict)})"), console=out)
        out.print()
    score = _score(counts)
    killed, other = counts["killed"], counts["killed"] + counts["survived"]
    part = "" if score is None else f", {score:.1%}"
    say(f"{killed} of {other} are noticed{part}; {counts['equal']} more are the same game", "bold", out)


def _show_survivor(verdict: Verdict, folder: Path) -> None:
    out = output()
    place = span_data(verdict.span, folder)
    by = f" ({', '.join(verdict.by)})" if verdict.by else ""
    say(printable(f"SURVIVES {verdict.id}{by}"), "bold red", out)
    say(printable(f"  {place['file']}:{place['line']}:{place['column']}: {verdict.was} → {verdict.now}"), console=out)
    if not verdict.play:
        say(f"  no play was found that tells it from the game: {_how(verdict)}", console=out)
        out.print()
        return
    say(printable(f"  {verdict.what}, after:"), console=out)
    say("".join(f"    {line}\n" for line in verdict.play.splitlines()), console=out)


def _how(verdict: Verdict) -> str:
    """How a mutant was compared, in words."""
    parts = []
    for one in verdict.compared:
        options = "".join(f" -o {name}={option_text(value)}" for name, value in one.options.items())
        states = f"all {one.states:,} states" if one.whole else f"the first {one.states:,} states"
        parts.append(f"{states} with --players {one.players}{options}")
    if len(parts) > 3:
        whole = sum(one.whole for one in verdict.compared)
        total = sum(one.states for one in verdict.compared)
        return f"{total:,} states of {len(parts)} choices of options, {whole} of them whole"
    return "; ".join(parts)
