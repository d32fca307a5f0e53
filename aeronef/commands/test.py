"""`aeronef test`: scenarios that run, and random games under the laws of every variant."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aeronef.commands.common import Source, find_source, option_text, source_of, variant_of
from aeronef.files import read_text, shown
from aeronef.loading import is_path, spec_path
from aeronef.progress import progress
from aeronef.render import output, say
from aeronef.runtime import scenario
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.trial import Failure, try_laws

GAMES, SEED = 5, 0  # where the call does not say

SCENARIOS = re.compile(r"^['\"]?scenarios['\"]?\s*:", re.MULTILINE)


@dataclass(slots=True)
class _Outcome:
    """What was tested, and what failed: name, place, message, and (of a law) a scenario to paste."""

    scenarios: int = 0
    games: int = 0
    failures: list[dict[str, str]] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)


def test_files(files: list[str], spec: str | None, games: int | None, seed: int | None, as_json: bool) -> int:
    """Raises BadInput where a file is not there or is broken; Failed where a spec does not compile."""
    outcome = _Outcome()
    texts = [_scenarios(name) for name in files]
    unused = [flag for flag, value in (("-n", games), ("--seed", seed)) if value is not None]
    if unused and None not in texts:
        verb = "goes" if len(unused) == 1 else "go"
        raise BadInput(
            f"{' and '.join(unused)} {verb} with a spec, for its random games: a scenario is played as written"
        )
    for name, scenarios in zip(files, texts, strict=True):
        if scenarios is not None:
            document = scenario.read(scenarios, name)
            _run_scenarios(document, variant_of(find_source(document.variant, spec, Path(name).parent)), outcome)
        elif spec is not None:
            raise BadInput(f"--spec says whose scenarios are run, and `{name}` has none (no `scenarios:`)")
        else:
            _test_spec(name, GAMES if games is None else games, SEED if seed is None else seed, outcome)
    if as_json:
        data = {
            "ok": not outcome.failures,
            "scenarios": outcome.scenarios,
            "games": outcome.games,
            "failures": outcome.failures,
        }
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _show(outcome)
    return 1 if outcome.failures else 0


def _scenarios(name: str) -> str | None:
    """The text of a file of scenarios; None of a spec."""
    if not is_path(name):
        return None
    text = read_text(spec_path(name))
    return text if SCENARIOS.search(text) else None


def _test_spec(name: str, games: int, seed: int, outcome: _Outcome) -> None:
    source, path = source_of(name), spec_path(name)
    variant = variant_of(source)
    beside = path.with_name(f"{path.stem}.scenarios.yaml")
    if beside.is_file():
        file = str(shown(beside))
        document = scenario.read(read_text(beside), file)
        if document.variant != variant.name:
            raise BadInput(f"{file}: its variant is `{document.variant}`, and the spec beside it is `{variant.name}`")
        _run_scenarios(document, variant, outcome)
    _run_laws(source, variant, str(shown(path)), games, seed, outcome)


def _run_scenarios(document: scenario.Document, variant: Variant, outcome: _Outcome) -> None:
    if not document.scenarios:
        raise BadInput(f"{document.file}: there are no scenarios in it")

    def load(players: int | None, options: dict[str, Any]) -> Game:
        return Game(variant, players, options)

    results = scenario.run(document, load)
    outcome.scenarios += len(results)
    failed = [result for result in results if not result.ok]
    for result in failed:
        place = f"{document.file}:{result.line}"
        outcome.failures.append({"name": result.name, "place": place, "message": result.message})
    outcome.summaries.append(f"{document.file}: {len(results) - len(failed)} of {len(results)} scenarios pass")


def _run_laws(source: Source, variant: Variant, file: str, games: int, seed: int, outcome: _Outcome) -> None:
    with progress("playing") as bar:
        trial = try_laws(variant, games=games, seed=seed, report=bar.reach)
    outcome.games += trial.games
    outcome.failures += [_failure(source, file, failure) for failure in trial.failures]
    choices = f"{trial.choices} choice{'s' if trial.choices > 1 else ''} of players and options"
    games_played = f"{trial.games:,} random game{'s' if trial.games > 1 else ''} ({trial.steps:,} steps)"
    # A choice is left at the first law that it breaks: each counts once.
    held = trial.choices - sum(1 + failure.also for failure in trial.failures)
    holds = f"{held} of {trial.choices}" if trial.failures else "all"
    outcome.summaries.append(f"{file}: {choices}, each searched, and {games_played}: the laws hold in {holds}")


def _failure(source: Source, file: str, failure: Failure) -> dict[str, str]:
    options = "".join(f" -o {name}={option_text(value)}" for name, value in failure.options.items())
    # The search of a choice belongs to its game 0: "at" is true of both.
    name = f"with --players {failure.players}{options}, at game {failure.number} of seed {failure.seed}"
    message = failure.reason
    if failure.also:
        more = "1 other choice" if failure.also == 1 else f"{failure.also} other choices"
        verb = "breaks" if failure.also == 1 else "break"
        message += f" (and {more} of players and options {verb} the same law)"
    return {"name": name, "place": file, "message": message, "scenario": failure.scenario}


def _show(outcome: _Outcome) -> None:
    out = output()
    for failure in outcome.failures:
        say(f"FAILED {failure['name']}", "bold red", out)
        say(f"  {failure['place']}: {failure['message']}", console=out)
        if failure.get("scenario"):
            say("  as a scenario:", console=out)
            say("".join(f"    {line}\n" for line in failure["scenario"].splitlines()), console=out)
    for summary in outcome.summaries:
        say(summary, console=out)
    if outcome.failures:
        say(f"{len(outcome.failures)} failed", "bold red", out)
