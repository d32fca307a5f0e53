"""Emitted modules: as ruff wants them, typed, the same every time, with any names, and meaning what the spec says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from aeronef.dsl.emit.names import KERNEL
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute
from aeronef.runtime.kernel import Position
from aeronef.runtime.trial import try_laws
from tests.emit.test_meaning import CARDS, LOOPS, Expressions, spec_of
from tests.games.specs import ROOT, SPECS, compiled, emitted

ODD = Path(__file__).with_name("odd_names.yaml")
OWNERS = ROOT / "tests" / "language" / "right" / "owners.yaml"
BIN = Path(sys.executable).parent


@cache
def modules() -> dict[str, str]:
    """The emitted module of every spec of the project, and of some that are odd."""
    odd = {"odd_names": ODD.read_text(encoding="utf-8"), "moving": CARDS, "looping": LOOPS}
    odd["owners"] = OWNERS.read_text(encoding="utf-8")
    more = {name: emit_python(compiled(text, f"{name}.yaml"), f"{name}.yaml") for name, text in odd.items()}
    return {**{name: emitted(name) for name in SPECS}, **more}


def random_modules() -> dict[str, str]:
    """Modules with long and deep expressions that make no sense."""
    found = {}
    for seed in range(4):
        source = Expressions(100 + seed)
        text = spec_of([(source.number if i % 2 else source.test)(4) for i in range(25)])
        found[f"random_{seed}"] = emit_python(compiled(text), "spec.yaml")
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the project's settings, and `generated/` as in the project."""
    place = tmp_path_factory.mktemp("emitted")
    (place / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (place / "generated").mkdir()
    for name, text in (modules() | random_modules()).items():
        (place / "generated" / f"{name}.py").write_text(text, encoding="utf-8")
    return place


def run(*command: str, cwd: Path, **env: str) -> str:
    """What a command says; it must succeed."""
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_ruff_has_nothing_to_change(folder: Path) -> None:
    run(str(BIN / "ruff"), "format", "--diff", "generated", cwd=folder)
    run(str(BIN / "ruff"), "check", "generated", cwd=folder)


def test_the_types_are_right(folder: Path) -> None:
    """Under the project's strict settings."""
    cache, files = str(folder / "cache"), [f"generated/{name}.py" for name in modules()]
    command = (sys.executable, "-m", "mypy", "--cache-dir", cache, "--follow-imports", "silent", *files)
    run(*command, cwd=folder, MYPYPATH=str(ROOT))


@pytest.mark.parametrize("name", sorted({*SPECS, "odd_names"}))
def test_it_loads(name: str) -> None:
    assert execute(modules()[name], name).name == name


@pytest.mark.parametrize("path", sorted((ROOT / "generated").glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_what_is_shipped_is_what_the_emitter_gives(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == modules()[path.stem], "run `aeronef compile`"


def test_emitting_is_deterministic() -> None:
    """Whatever the order in which Python's sets and hashes come."""
    code = (
        "import hashlib; from tests.games.specs import SPECS, emitted; "
        "print([hashlib.sha256(emitted(name).encode()).hexdigest() for name in SPECS])"
    )
    said = {run(sys.executable, "-c", code, cwd=ROOT, PYTHONHASHSEED=seed) for seed in ("1", "2")}
    assert len(said) == 1


def test_taking_back_reads_as_it_is_said() -> None:
    """What everybody has lent goes back to its owner: no helper stands between the rule and its words."""
    text = re.sub(r"(self\.take\(.*), \d+\)", r"\1, LINE)", modules()["owners"])
    back = """\
        for b in EVERY_SHAPE:
            for g in list(self.lent[b]):
                put(self.hand[g.owner], self.take(self.lent[b], g, LINE).card)
"""
    lend = "        self.hand[me].remove(c)\n        self.lent[SHAPE_OF[c]].append(Owned(me, c))\n"
    last = "            put(self.kept[LAST_][target1], self.lent[ROUND].pop(0).card)\n"
    assert [part for part in (back, lend, last) if part not in text] == []


def test_names_of_python_and_of_the_kernel_can_be_used() -> None:
    trial = try_laws(execute(modules()["odd_names"], "odd_names"), games=6, seed=20261130)
    assert [(f.law, f.reason, f.players, f.options, f.number) for f in trial.failures] == []


def test_the_emitter_knows_the_names_of_the_kernel() -> None:
    there = {name for name in (*dir(Position), *Position.__annotations__) if not name.startswith("__")}
    assert there == KERNEL
