"""Aeronef, a compiler for game rules: `load` a shipped variant, or a spec of your own, and play it.

Everything loads on first use: a compiled variant runs without the compiler.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aeronef.dsl.diagnostics import SpecError
    from aeronef.loading import load, shipped
    from aeronef.runtime.errors import AeronefError, BadInput, IllegalAction, RuleFault
    from aeronef.runtime.game import Game
    from aeronef.runtime.state import State

__version__ = "0.1.0"
__all__ = ["AeronefError", "BadInput", "Game", "IllegalAction", "RuleFault", "SpecError", "State", "load", "shipped"]

_HOMES = {
    "load": "aeronef.loading",
    "shipped": "aeronef.loading",
    "AeronefError": "aeronef.runtime.errors",
    "BadInput": "aeronef.runtime.errors",
    "IllegalAction": "aeronef.runtime.errors",
    "RuleFault": "aeronef.runtime.errors",
    "SpecError": "aeronef.dsl.diagnostics",
    "Game": "aeronef.runtime.game",
    "State": "aeronef.runtime.state",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'aeronef' has no attribute {name!r}")
