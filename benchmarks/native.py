"""From a spec to a game whose steps are made in C: built cold, and found among what is kept, in a new process.

Cold is from the spec's text on, with an empty cache: the readable module (of a spec by its path), the C text, and the C
compiler. Kept is what `aeronef.load` takes after `import aeronef`, in a new process with all of Python's own caches.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from aeronef.c_source import c_source
from aeronef.loading import compiled, load_variant, shipped, spec_path
from aeronef.native.compiler import NoCompiler, find_compiler
from aeronef.runtime.game import Game
from benchmarks.measuring import ROUNDS, row, seconds
from benchmarks.side_by_side import EXAMPLES

LARGEST = {"balloon": {"mode": "advanced"}}  # each other variant: with its defaults
LOADING = """
import json, resource, sys, time
import aeronef
def spent(): return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
name, players, options = json.loads(sys.argv[1])
before = spent(), time.perf_counter()
aeronef.load(name, players, backend="native", **options)
print(spent() - before[0], time.perf_counter() - before[1])
"""


def main() -> None:
    try:
        find_compiler()
    except NoCompiler as error:
        print(f"(without C: {error})")
        return
    subjects: list[tuple[str, dict[str, Any]]] = [(name, LARGEST.get(name, {})) for name in shipped()]
    subjects += [(str(EXAMPLES / "goofspiel.yaml"), {"cards": 13}), (str(spec_path("balloon")), LARGEST["balloon"])]
    row("ms of CPU time", "players", "cold", "by the clock", "emitting C", "kept", "by the clock", "C lines")
    with tempfile.TemporaryDirectory() as folder:
        for name, options in subjects:
            _subject(Path(folder), name, options)
    print()


def _subject(folder: Path, name: str, options: dict[str, Any]) -> None:
    players = load_variant(name).players[-1]
    runs = ROUNDS if Path(name).suffix else 3
    cold = [_loaded(folder / f"{Path(name).name}-{k}", name, players, options) for k in range(runs)]
    kept = [_loaded(folder / f"{Path(name).name}-0", name, players, options) for _ in range(2 * ROUNDS)]
    path = spec_path(name)
    run, game = compiled(path), Game(load_variant(name), players, options)
    emitting = seconds(lambda: c_source(run, game))
    said = [path.stem + (" by its path" if Path(name).suffix else ""), *map(str, options.values())]
    row(
        ", ".join(said), players,
        *(f"{statistics.median(times) * 1e3:,.0f}" for times in zip(*cold, strict=True)), f"{emitting * 1e3:,.0f}",
        *(f"{statistics.median(times) * 1e3:,.1f}" for times in zip(*kept[1:], strict=True)),
        len(c_source(run, game).splitlines()),
    )  # fmt: skip


def _loaded(cache: Path, name: str, players: int, options: dict[str, Any]) -> tuple[float, float]:
    """The CPU time that loading takes, with what it starts, and the time by the clock."""
    changed = {
        "AERONEF_CACHE": str(cache),
        "PYTHONPYCACHEPREFIX": str(cache.parent / "pyc"),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    ran = subprocess.run(
        [sys.executable, "-c", LOADING, json.dumps([name, players, options])],
        env=os.environ | changed, capture_output=True, text=True, check=True,
    )  # fmt: skip
    spent, clock = map(float, ran.stdout.split())
    return spent, clock
