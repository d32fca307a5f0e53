"""What a method returns. Where that is a test of one thing after another, it is a plain loop: `any(…)` and `all(…)`
start a generator, which costs as much as going through a handful of things."""

from __future__ import annotations

from typing import Literal

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.chains import chain, sides
from aeronef.dsl.emit.expressions import Speller
from aeronef.dsl.emit.folds import along
from aeronef.dsl.emit.writer import Writer
from aeronef.dsl.plan.phases import both
from aeronef.dsl.walk import locals_in


def answered(speller: Speller, write: Writer, value: ir.Expr, lets: list[ir.Let]) -> None:
    """`return value`, as loops where it is a chain of tests with such folds in it. Each of the `lets` that it uses is
    written before what uses it first."""
    waiting = lets[:]

    def need(node: object) -> None:
        used = locals_in(node)
        for let in reversed(waiting):
            used |= locals_in(let.value) if let.name in used else set()
        for let in [let for let in waiting if let.name in used]:
            write.line(f"{speller.local(let.name)} = {speller.spell(let.value)}")
            waiting.remove(let)

    op = value.op if isinstance(value, ir.Binary) and value.op in ("and", "or") else None
    tests = sides(value, op) if op else [value]
    looped = [test for test in tests if isinstance(test, ir.Aggregate) and _is_loop(test, speller)]
    # One of an `any` decides an `or`, one of an `all` an `and`; another fold has to be the last.
    deciding = {"or": "any", "and": "all"}.get(op or "")
    stuck = any(fold.kind != deciding for fold in looped if fold is not tests[-1])
    if not looped or stuck or speller.game.points:
        need(value)
        write.line(f"return {speller.spell(value)}")
        return
    aside: list[ir.Expr] = []
    for test in tests:
        if test not in looped:
            aside.append(test)
            continue
        if aside and op is not None:
            need(tuple(aside))
            _decided(speller, write, chain(op, aside, t.Bool()), op == "or")
            aside = []
        assert isinstance(test, ir.Aggregate)
        need(test)
        _loop(speller, write, test)
    if aside and op is not None:
        need(tuple(aside))
        write.line(f"return {speller.spell(chain(op, aside, t.Bool()))}")
    else:
        write.line(f"return {looped[-1].kind == 'all'}")


def _is_loop(node: ir.Aggregate, speller: Speller) -> bool:
    return node.kind in ("any", "all") and along(node, speller) is None


def _decided(speller: Speller, write: Writer, test: ir.Expr, verdict: bool) -> None:
    """Returns the verdict where the test has it."""
    holds = test if verdict else negated(test)
    with write.block(f"if {speller.spell(holds)}:"):
        write.line(f"return {verdict}")


def negated(node: ir.Expr) -> ir.Expr:
    """The opposite of a test; of a chain the chain of the opposites."""
    if isinstance(node, ir.Binary) and node.op in ("and", "or"):
        op: Literal["and", "or"] = "or" if node.op == "and" else "and"
        return ir.Binary(op, negated(node.left), negated(node.right), node.type, node.span)
    return ir.Unary("not", node, t.Bool(), node.span)


def _loop(speller: Speller, write: Writer, node: ir.Aggregate) -> None:
    over, verdict = node.over, node.kind == "any"
    body = node.body if verdict else negated(node.body)
    if verdict and over.test is not None and isinstance(body, ir.Const):
        test: ir.Expr = over.test
    else:
        test = body if over.test is None else both(over.test, body)
    name = speller.local(over.name) if speller.uses(test, over.name) else "_"
    with (
        write.block(f"for {name} in {speller.unordered(over.source)}:"),
        write.block(f"if {speller.spell(test)}:"),
    ):
        write.line(f"return {verdict}")
