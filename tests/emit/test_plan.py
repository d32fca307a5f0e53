"""What holds of every plan: what a statement uses is there, every way through a function ends it, and nothing follows
an end. Both printers rely on it, and neither would notice."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from aeronef.dsl import ir
from aeronef.dsl.instrument import instrument
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.phases import Phases
from aeronef.dsl.plan.printer import print_plan
from aeronef.dsl.plan.statements import Statements
from aeronef.dsl.walk import children, nodes
from tests.games.specs import SPECS, compiled, text_of

RIGHT = Path(__file__).parents[1] / "language" / "right"
FILES = {path.stem: path for path in sorted(RIGHT.glob("*.yaml"))}
ENDS = (plan.Wait, plan.Go, plan.Run, plan.Stay, plan.Return, plan.Seats)


def free(node: Any, bound: frozenset[str] = frozenset()) -> Iterator[str]:
    """The names that an expression does not bind itself."""
    match node:
        case None:
            return
        case ir.Local(name):
            yield from {name} - bound
        case ir.Aggregate(_, body, over):
            yield from free(over, bound)
            yield from free(body, bound | {over.name})
        case ir.Gather(name, source):
            yield from free(source, bound)
            yield from free((node.test, node.key), bound | {name})
        case _:
            for child in children(node):
                yield from free(child, bound)


def ends(body: plan.Body, known: set[str], faults: list[str]) -> bool:
    """Whether the last statement is reached by nobody who goes on. `known` are names, and temporaries as they print."""
    known, done = set(known), False

    def used(*parts: Any) -> None:
        faults.extend(f"{name} is not there" for part in parts for name in free(part) if name not in known)
        temps = {str(n) for part in parts for n in nodes(part) if isinstance(n, plan.Temp)}
        faults.extend(f"{temp} is not settled" for temp in temps - known)

    for node in body:
        if done:
            faults.append(f"nobody comes to {node}")
        match node:
            case ir.Let(name, value):
                used(value)
                known.add(name)
            case plan.Known(name):
                known.add(name)
            case plan.Settle(temp, value):
                used(value)
                known.add(str(temp))
            case plan.Turn(seat, named):
                used(*(() if isinstance(seat, str) else (seat,)))
                known |= {"me"} if named else set()
            case plan.Queue():
                inner = {*known, *(k.name for k in node.knows)}
                faults.extend(f"{name} is not there" for name in free(node.seats) if name not in inner)
            case plan.Rule():
                done = ends(node.body, known, faults)
            case plan.If(branches, other):
                used(*(test for test, _ in branches if not isinstance(test, str)))
                ways = [ends(then, known, faults) for then in (*(then for _, then in branches), other)]
                done = all(ways)
            case plan.While(test, inside):
                used(*(() if isinstance(test, str) else (test,)))
                ends(inside, known, faults)
            case plan.For(over, inside):
                used(over)
                ends(inside, {*known, over.name}, faults)
            case plan.Round(inside):
                ends(inside, {*known, "me"}, faults)
            case plan.Wait(seat) | plan.Run(_, _, seat):
                used(*(() if seat is None or isinstance(seat, str) else (seat,)))
                done = True
            case _:
                used(node)
                done = isinstance(node, ENDS)
    return done


def faults(function: plan.Function) -> list[str]:
    found: list[str] = []
    given = {p.name for p in function.action.params} if function.action is not None else set()
    if not ends(function.body, given, found):
        found.append(f"{function.verb} of {function.phase.name} does not end")
    return found


def functions(game: ir.Game) -> Iterator[plan.Function]:
    phases = Phases(game, Statements(game))
    for phase in game.phases:
        yield from phases.functions(phase)
        yield from (phases.do(phase, action) for action in phase.actions)


@cache
def game_of(name: str) -> ir.Game:
    path = FILES.get(name) or SPECS[name]
    text = path.read_text(encoding="utf-8") if name in FILES else text_of(name)
    return compiled(text, path.name, path.parent)


@pytest.mark.parametrize("name", [*SPECS, *FILES])
@pytest.mark.parametrize("seen", [lambda game: game, instrument], ids=["plain", "instrumented"])
def test_every_function_knows_what_it_uses_and_ends(name: str, seen: Callable[[ir.Game], ir.Game]) -> None:
    for function in functions(seen(game_of(name))):
        assert faults(function) == [], f"{function.verb} of {function.phase.name}"


@pytest.mark.parametrize("name", ["cups", "detours", "owners", "reactions", "rows"])
def test_the_plan_is_as_reviewed(name: str, update_golden: bool) -> None:
    golden, text = Path(__file__).parent / "plans" / f"{name}.plan", print_plan(game_of(name))
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_every_statement_is_in_some_plan() -> None:
    games = [game_of(name) for name in (*SPECS, *FILES)]
    made = [n for game in (*games, instrument(games[0])) for f in functions(game) for n in nodes(f.body)]
    found = {type(node) for node in made} | {plan.Return}  # of definitions
    assert not [kind.__name__ for kind in get_args(plan.Stmt) if kind not in found]


def test_definitions_return_a_value_on_every_way() -> None:
    for name in SPECS:
        game = game_of(name)
        for define in game.defines:
            found: list[str] = []
            scope = dict(define.params)
            assert ends(Statements(game).returned(define.body, scope), set(scope), found)
            assert found == []


@pytest.mark.parametrize("kind", [plan.Known, plan.Settle, plan.Wait, plan.Go])
def test_a_plan_without_one_of_its_statements_is_found_out(kind: type) -> None:
    """That the checks above can fail."""

    def without(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(without(item) for item in node if not isinstance(item, kind))
        if isinstance(node, plan.Rule | plan.If | plan.While | plan.For | plan.Round):
            return dataclasses.replace(node, **{k: without(getattr(node, k)) for k in ("branches", "other", "body")
                                                if hasattr(node, k)})  # fmt: skip
        return node

    made = [f for name in FILES for f in functions(game_of(name))]
    assert any(faults(dataclasses.replace(f, body=without(f.body))) for f in made)
