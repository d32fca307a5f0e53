"""Definitions so short that they are written where they are called: of `staying > 1`, `self.folded.count(False) > 1`.

A call costs as much as what they do. They keep their methods, for those who ask a position.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from aeronef.dsl import ir
from aeronef.dsl.plan.hoist import hoisted
from aeronef.dsl.walk import nodes, rewritten

MOST_LETTERS = 40


class Short:
    """`spelt` is how an expression is written, where Python has something quicker for each fold in it than a loop; else
    "". An instrumented game has no short definitions, so that it counts what the spec says."""

    def __init__(self, game: ir.Game, spelt: Callable[[ir.Expr], str]) -> None:
        self.known: dict[str, ir.Define] = {}
        for define in game.defines if not game.points else ():
            plain = not any(isinstance(node, ir.Call) for node in nodes(define.body))
            if plain and 0 < len(spelt(define.body)) <= MOST_LETTERS and not hoisted(define.body, {}, game)[0]:
                self.known[define.name] = define

    def of(self, call: ir.Call) -> ir.Expr | None:
        """What a call is of, with its values; None where it stays a call."""
        define = self.known.get(call.name)
        if define is None or not all(isinstance(arg, ir.Local | ir.Const) for arg in call.args):
            return None
        given = dict(zip((name for name, _ in define.params), call.args, strict=True))
        bound = {node.name for node in nodes(define.body) if isinstance(node, ir.Gather)}
        if bound & ({*given} | {arg.name for arg in call.args if isinstance(arg, ir.Local)}):
            return None

        def change(node: Any) -> Any:
            return given.get(node.name) if isinstance(node, ir.Local) else None

        body: ir.Expr = rewritten(define.body, change)
        return dataclasses.replace(body, type=call.type)
