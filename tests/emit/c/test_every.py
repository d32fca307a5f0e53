"""Every spec of the project has its C: nothing that a spec of it says is unknown to the native back end."""

from __future__ import annotations

from pathlib import Path

import pytest

from aeronef.c_source import c_source
from aeronef.dsl.diagnostics import SpecError
from aeronef.runtime.combinations import few
from aeronef.runtime.game import Game
from tests.emit.c.native import Spec, compilation, variant
from tests.games.specs import ROOT, SPECS

RIGHT = sorted((ROOT / "tests" / "language" / "right").glob("*.yaml"))
CORPUS = sorted((ROOT / "tests" / "corpus").glob("*.yaml"))  # with the faults, as far as they compile
EVERY: list[Spec] = [*SPECS, *RIGHT, *CORPUS]


@pytest.mark.parametrize("spec", EVERY, ids=lambda spec: spec.stem if isinstance(spec, Path) else spec)
def test_it_has_its_c(spec: Spec) -> None:
    """In the least and the most of its settings that are looked at."""
    try:
        run = compilation(spec)
    except SpecError:
        assert isinstance(spec, Path), "a spec of the project compiles"
        assert spec.name.endswith(".fault.yaml")
        return
    settings = few(variant(spec))
    for players, options in (settings[0], settings[-1])[: len(settings)]:
        assert "aeronef_playouts" in c_source(run, Game(variant(spec), players, options))
