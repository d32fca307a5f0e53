"""A plan as text: one line for each statement, under the functions of each phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.phases import Phases
from aeronef.dsl.plan.statements import Statements
from aeronef.dsl.printer import gather, goto, spell


def print_plan(game: ir.Game) -> str:
    """The plan of a game's phases as text."""
    return "\n".join(_lines(game)) + "\n"


def _lines(game: ir.Game) -> Iterator[str]:
    phases = Phases(game, Statements(game))
    for phase in game.phases:
        yield f"phase {phase.name}: {phase.kind}"
        for function in (*phases.functions(phase), *(phases.do(phase, action) for action in phase.actions)):
            given = [p.name for p in function.action.params] if function.action is not None else []
            key = f" {function.action.key}" if function.action is not None else ""
            yield f"  {function.verb}{key}({', '.join(['first'] if function.first else given)}):" + _cited(function.by)
            yield from statements(function.body, "    ")
        for offer in map(phases.offer, phase.actions):
            yield f"  choices of {offer.action.key}{_when(offer.first)}"
            for p, when in ((value.param, value.when) for value in offer.values):
                source = f" {spell(p.source)}" if p.source is not None else ""
                yield f"    {p.name}: {p.kind}{source}{_when(p.test)}{_when(when)}"


def _cited(by: tuple[str, ...]) -> str:
    return f"  # {', '.join(by)}" if by else ""


def _when(test: ir.Expr | None) -> str:
    return f" if {spell(test)}" if test is not None else ""


def _words(value: plan.Seat | plan.Test | plan.Temp | None) -> str:
    match value:
        case str():
            return value
        case None:
            return "chance"
        case plan.Player(seat):
            return f"the first player from {spell(seat)}"
        case plan.Temp(of, place):
            return f"{of}.{place}"
        case _:
            return spell(value)


def _moved(how: plan.How, what: ir.Expr | None) -> str:
    return f"{how} {spell(what)}" if what is not None and how in ("one", "each") else how


def _place(place: plan.Place | None) -> str:
    return place.zone.name + "".join(f"[{_words(node)}]" for node in place.index) if place is not None else "nothing"


def statements(body: plan.Body, indent: str) -> Iterator[str]:
    """The lines of a body; what statements hold is further in."""
    for node in body:
        text, inner = _statement(node)
        yield f"{indent}{text}"
        for head, held in inner:
            yield from [f"{indent}{head}"] * bool(head)
            yield from statements(held, indent + "  ")


def _statement(node: plan.Stmt) -> tuple[str, list[tuple[str, plan.Body]]]:
    """A line, and what is under it, each with a line before it or none."""
    match node:
        case ir.Let(name, value):
            return f"let {name} = {spell(value)}", []
        case ir.Step(target, by):
            return f"{spell(target)} += {spell(by)}", []
        case ir.Mark(point):
            return f"mark {point}", []
        case plan.Known(name, whose):
            return f"let {name} = ({whose})", []
        case plan.Settle(temp, value):
            return f"settle {_words(temp)} = {spell(value)}", []
        case plan.Assign(target, value, fail):
            checked = f", or fail: not within {fail.low}..{fail.high}" if fail is not None else ""
            return f"{spell(target)} := {spell(value)}{checked}", []
        case plan.Move(how, what, source, target, owner, bare):
            kept = f", with its owner {_words(owner)}" if owner is not None else ", without its owner" * bare
            return f"move {_moved(how, what)} from {_place(source)} to {_place(target)}{kept}", []
        case plan.Dice(how, what, source, target):
            return f"dice {_moved(how, what)} from {_place(source)} to {_place(target)}", []
        case plan.Queue(seats, ascending, asked):
            return f"queue {spell(seats)}{', ascending' * ascending}{', as asked' * bool(asked)}", []
        case plan.Reopen(_, _, itself):
            return f"reopen{', itself too' * itself}", []
        case plan.Row(entries, test):
            return f"row {spell(entries)}{_when(test)}", []
        case plan.Drop(of):
            return f"drop {of}", []
        case plan.Turn(seat, named):
            return f"turn {_words(seat)}{', me' * named}", []
        case plan.Rule(by, says, body):
            return f"rule{_cited(by)}{f': {says}' if says else ''}", [("", body)]
        case plan.If(((first, then), *rest), other):
            inner = [("", then), *((f"elif {_words(test)}", held) for test, held in rest)]
            return f"if {_words(first)}", [*inner, *[("else", other)] * bool(other)]
        case plan.While(test, body):
            return f"while {_words(test)}", [("", body)]
        case plan.For(over, body, listed):
            return f"for {gather(over)}{', listed' * listed}", [("", body)]
        case plan.Round(body):
            return "for me round from first", [("", body)]
        case plan.Wait(seat):
            return f"wait {_words(seat)}", []
        case plan.Go(way, how, guest):
            return f"{how} {goto(way)}{f' for {spell(guest)}' if guest is not None else ''}", []
        case plan.Run(_, verb, seat):
            return f"run {verb}{f' {_words(seat)}' if seat is not None else ''}", []
        case plan.Stay():
            return "stay", []
        case plan.Return(value):
            return f"return {', '.join(map(spell, value)) if isinstance(value, tuple) else spell(value)}", []
        case plan.Seats(of):
            return f"return seats {spell(of)}", []
        case plan.If():
            raise AssertionError("an if has a branch")
        case _:
            assert_never(node)
