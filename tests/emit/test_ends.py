"""What lies at an end of a zone in deck order is taken from there, and is what a search would find."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from aeronef.dsl.emit.python import emit_python
from aeronef.runtime.state import dump
from tests.emit.test_meaning import game_of
from tests.games.specs import compiled

SEED = 20261130
SPEC = (Path(__file__).parent / "ends.yaml").read_text(encoding="utf-8")
PAIRS = [(f"a{i}", f"b{i}") for i in range(13)] + [(f"m{i}", f"n{i}") for i in range(8)]


def test_what_lies_at_an_end_is_what_a_search_finds() -> None:
    game, chance = game_of(SPEC, 2), random.Random(SEED)
    print("seed", SEED)
    seen: dict[str, set[Any]] = {quick: set() for quick, _ in PAIRS}
    for _ in range(15):
        state = game.new_initial_state()
        while not state.is_terminal():
            position: Any = state.position
            for quick, plain in PAIRS:
                for p in range(2):
                    value = getattr(position, quick)(p)
                    assert value == getattr(position, plain)(p), (quick, p, dump(position))
                    seen[quick].add(value)
            state.apply_action(chance.choice(state.legal_actions()))
    assert all(len(values) > 1 for values in seen.values()), seen


def test_nobody_looks_for_it() -> None:
    text = emit_python(compiled(SPEC), "spec.yaml")
    ways = dict(re.findall(r"def (\w+)\(self, p: int\)[^\n]*\n(.*?)\n\n", text, re.DOTALL))
    sought = {name for name, body in ways.items() if re.search(r"\b(min|max|sorted)\(", body)}
    quick = {f"a{i}" for i in range(9)} | {"m0", "m1", "m2", "m3", "m7"}
    assert not quick & sought
    assert {"a9", "a10", "a11", "m4", "m5", "m6"} | {plain for _, plain in PAIRS} - {"b6"} <= sought
    assert "return self.hand[p][-1] if self.hand[p] else None" in ways["a1"]
    assert "return FALL_OF[self.hand[p][-1]] if self.hand[p] else self.noted % 7" in ways["m1"]
