"""`aeronef replay`: transcripts played again, and where they part."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from aeronef.commands.common import find_source, variant_of
from aeronef.files import read_bytes
from aeronef.render import output, say
from aeronef.runtime.description import Variant
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.transcript import Replayed, read, replay

SHOWN = 5


def replay_file(file: Path, spec: str | None, as_json: bool) -> int:
    """Raises BadInput where the file cannot be read, or its variant is not there."""
    games = _reading(file, lambda: read(read_bytes(file)))

    @lru_cache
    def variant(name: str) -> Variant:
        return variant_of(find_source(name, spec, file.parent))

    @lru_cache
    def game(name: str, players: int, options: str) -> Game:
        return Game(variant(name), players, json.loads(options))

    def load(name: str, players: int, options: dict[str, Any]) -> Game:
        return game(name, players, json.dumps(options))

    replayed: list[Replayed] = _reading(file, lambda: list(replay(games, load)))
    parted = [one for one in replayed if one.difference is not None]
    if as_json:
        data = {"file": str(file), "ok": not parted, "games": [_data(one) for one in replayed]}
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _show(file, replayed, parted)
    return 1 if parted else 0


def _reading(file: Path, work: Any) -> Any:
    """What is wrong with the file names it."""
    try:
        return work()
    except BadInput as error:
        message = str(error)
        raise BadInput(f"{file}: {message}" if message.startswith("line ") else message) from None


def _show(file: Path, replayed: list[Replayed], parted: list[Replayed]) -> None:
    out = output()
    for recorded, ours in dict.fromkeys(one.other_spec for one in replayed if one.other_spec):
        say(f"{file}: the spec differs: these games were played on {recorded}, this is {ours}", "yellow", out)
    for one in parted[:SHOWN]:
        number = f"game {one.number}" if one.number is not None else f"the game of line {one.first}"
        say(f"{file}: {number} parts at {one.difference}", "red", out)
    if len(parted) > SHOWN:
        say(f"{file}: {len(parted) - SHOWN} more games part", "red", out)
    games = f"{len(replayed):,} game{'s' if len(replayed) > 1 else ''}"
    if parted:
        say(f"{file}: {len(replayed) - len(parted):,} of {games} replay", console=out)
    else:
        verb = "replay" if len(replayed) > 1 else "replays"
        say(f"{file}: {games} {verb}, {sum(one.steps for one in replayed):,} steps", console=out)


def _data(one: Replayed) -> dict[str, Any]:
    difference, other = one.difference, one.other_spec
    return {
        "line": one.first, "game": one.number, "steps": one.steps,
        "other_spec": other and {"recorded": other[0], "here": other[1]},
        "difference": difference and {
            "line": difference.line, "field": difference.field,
            "found": difference.found, "expected": difference.expected,
        },
    }  # fmt: skip
