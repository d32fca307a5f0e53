"""A game that counts what of its rules is exercised: the same game, with marks in its IR (`aeronef coverage`).

Each phase, action, outcome, effect, loop, test, definition and kind of card gets a *point*, a test two: one for each
side. A `Mark` counts where effects are reached, a `Watched` where an expression is worked out; cards count as they
move. What a game has as a whole (its players, the values of its options, the optional rules that are on, what is
declared) are points without a mark, which whoever plays counts. A united game may hold the same text of a spec
several times, once for each set of overlays: it is one point. What only the overlays decide is no test of the text,
and is not watched.

A clause is exercised where an element that cites it is: a phase or action that is played, an effect that changes
something, a definition that is worked out, an optional rule that is on, an option that is true (or, of other types,
has a value), a card that moves. Of the rest, such as a zone, it is enough that a game is played that has it.

Looked at `closely`, a game also counts whether what is assigned is another value than the one there, and which of the
reasons for which something is seen or told (the operands of the `or` in `seen:` or `told:`) are ever the first to hold.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.printer import gather, spell, statements
from aeronef.dsl.walk import nodes, rewritten

Kind = Literal["phase", "action", "outcome", "effect", "loop", "test", "definition", "result", "card", "players",
               "option", "overlay", "declared", "change", "shown"]  # fmt: skip
TWO_SIDED = ("test", "change", "shown")
Node = TypeVar("Node")


def instrument(game: ir.Game, closely: bool = False) -> ir.Game:
    """The game with its points, and the marks that count them. It must have none. `closely` adds the points of kind
    `change` and `shown`."""
    made = _Instrument(game, closely)
    counting = dataclasses.replace(
        game,
        zones=tuple(made.zone(zone) for zone in game.zones),
        variables=tuple(made.variable(variable) for variable in game.variables),
        defines=tuple(made.define(define) for define in game.defines),
        phases=tuple(made.phase(phase) for phase in game.phases),
        result=made.result(game.result),
        invariants=tuple(made.invariant(invariant) for invariant in game.invariants),
    )
    made.whole()
    return dataclasses.replace(counting, points=_with_cites(made.points, made.cites))


def _with_cites(points: list[ir.Point], cites: dict[int, dict[str, None]]) -> tuple[ir.Point, ...]:
    return tuple(dataclasses.replace(point, cites=tuple(cites.get(i, ()))) for i, point in enumerate(points))


class _Instrument:
    def __init__(self, game: ir.Game, closely: bool) -> None:
        self.game = game
        self.closely = closely
        self.overlays = {overlay.name for overlay in game.overlays}
        self.points: list[ir.Point] = []
        self.known: dict[tuple[str, str, str, Span], int] = {}
        self.cites: dict[int, dict[str, None]] = {}  # of each point the clauses that it shows to be exercised

    def point(
        self, kind: Kind, element: str, words: str, by: tuple[str, ...], span: Span, part: str = ""
    ) -> int:  # fmt: skip
        """The number of a point; of a test that of the side where it holds."""
        key = (kind, element, words, span)
        if key not in self.known:
            self.known[key] = len(self.points)
            sides: tuple[Literal["", "true", "false"], ...] = ("true", "false") if kind in TWO_SIDED else ("",)
            self.points += [ir.Point(kind, element, words, by, (), span, side, part) for side in sides]
        return self.known[key]

    def cited(self, by: tuple[str, ...], *points: int) -> None:
        """Clauses are exercised where any of these points is."""
        for point in points:
            self.cites.setdefault(point, {}).update(dict.fromkeys(by))

    def settled(self, test: ir.Expr) -> bool:
        """Whether a test is none of the text: a constant, or what overlays decide."""
        inner = [n for n in nodes(test) if not isinstance(n, ir.Unary | ir.Binary | ir.Const)]
        return all(isinstance(n, ir.Option) and n.name in self.overlays for n in inner)

    # ------------------------------------------------------------------------------ declarations

    def zone(self, zone: ir.Zone) -> ir.Zone:
        part = _Part(self, f"zones.{zone.name}", zone.by)
        self.declared(part.element, part.element, zone.by, zone.span)
        return dataclasses.replace(zone, starts=part.inside(zone.starts), seen=part.visible(zone.seen, part.element))

    def variable(self, variable: ir.Variable) -> ir.Variable:
        part = _Part(self, f"vars.{variable.name}", variable.by)
        self.declared(part.element, f"vars.{variable.called or variable.name}", variable.by, variable.span)
        seen = part.visible(variable.seen, part.element)
        return dataclasses.replace(variable, starts=part.inside(variable.starts), seen=seen)

    def define(self, define: ir.Define) -> ir.Define:
        part = _Part(self, f"define.{define.name}", define.by)
        if all(isinstance(n, ir.Const | ir.Collection) for n in nodes(define.body)):
            self.declared(part.element, "game", define.by, define.span)
            return define
        number = part.point("definition", define.name, define.span)
        self.cited(define.by, number)
        return dataclasses.replace(define, body=_reached(number, part.inside(define.body)))

    def invariant(self, invariant: ir.Invariant) -> ir.Invariant:
        part = _Part(self, f"invariants.{invariant.name}", invariant.by)
        self.declared(part.element, part.element, invariant.by, invariant.span)
        return dataclasses.replace(invariant, test=part.inside(invariant.test))

    def declared(self, element: str, words: str, by: tuple[str, ...], span: Span) -> None:
        self.cited(by, self.point("declared", element, words, by, span))

    def whole(self) -> None:
        """What a game has as a whole, and every citation that nothing else accounts for."""
        game = self.game
        for card in game.cards:
            for kind in card.kinds:  # one after the other: the emitter counts on it
                self.cited(card.by, self.point("card", f"cards.{card.name}", kind.label, card.by, kind.span))
        for players in range(game.players[0], game.players[1] + 1):
            self.point("players", "players", f"players={players}", game.by, game.span)
        for option in game.options:
            for value in option.tries:
                word = option.word if value is None else spell(ir.Const(value, t.strip(option.type), option.span))
                text = f"{option.name}={word}"
                number = self.point("option", f"options.{option.name}", text, option.by, option.span)
                if value is not False:
                    self.cited(option.by, number)
        for overlay in game.overlays:
            element = f"overlays.{overlay.name}"
            self.cited(overlay.by, self.point("overlay", element, element, overlay.by, overlay.span))
        accounted = (
            "zones.", "vars.", "define.", "invariants.", "phases.", "cards.", "options.", "overlays.", "measures.",
        )  # fmt: skip
        for clause, element, span in game.citations:
            if element != "result" and not element.startswith(accounted):
                self.declared(element, "game", (clause,), span)

    # ------------------------------------------------------------------------------ phases and the result

    def phase(self, phase: ir.Phase) -> ir.Phase:
        part = _Part(self, f"phases.{phase.name}", phase.by)
        number = part.point("phase", phase.name, phase.span)
        self.cited(phase.by, number)
        return dataclasses.replace(
            phase,
            effects=(_entry(number, phase.span), *part.effects(phase.effects)),
            over=part.inside(phase.over),
            start=part.inside(phase.start),
            until=part.test(phase.until, "until"),
            asks=part.test(phase.asks, "asks"),
            unasked=part.effects(phase.unasked),
            sequence=part.inside(phase.sequence),
            actions=tuple(self.action(phase, action) for action in phase.actions),
            then=part.inside(phase.then),
        )

    def action(self, phase: ir.Phase, action: ir.Action) -> ir.Action:
        kind: Kind = "outcome" if phase.kind == "chance" else "action"
        part = _Part(self, f"phases.{phase.name}.{kind}s.{action.key}", action.by or phase.by)
        number = part.point(kind, action.title, action.span)
        self.cited(action.by, number)
        params = tuple(
            dataclasses.replace(
                p, source=part.inside(p.source), size=part.inside(p.size), test=part.test(p.test, "where"),
                told=part.visible(p.told, p.name),
            )
            for p in action.params
        )  # fmt: skip
        return dataclasses.replace(
            action,
            params=params,
            when=part.test(action.when, "when"),
            effects=(_entry(number, action.span), *part.effects(action.effects)),
            visits=part.inside(action.visits),
            guest=part.inside(action.guest),
            then=part.inside(action.then),
        )

    def result(self, result: ir.Result) -> ir.Result:
        part = _Part(self, "result", result.by)
        number = part.point("result", "result", result.span)
        self.cited(result.by, number)
        rank = tuple(part.inside(key) for key in result.rank)
        returns = part.inside(result.returns)
        if rank:
            rank = (_reached(number, rank[0]), *rank[1:])
        elif returns is not None:
            returns = _reached(number, returns)
        lost, parts = part.test(result.lost, "lost"), part.inside(result.parts)
        return dataclasses.replace(result, rank=rank, lost=lost, returns=returns, parts=parts)


@dataclass(frozen=True, slots=True)
class _Part:
    """An element, and the clauses of what is in it."""

    made: _Instrument
    element: str
    by: tuple[str, ...]

    def point(self, kind: Kind, words: str, span: Span, part: str = "") -> int:
        return self.made.point(kind, self.element, words, self.by, span, part)

    def test(self, test: ir.Expr | None, word: str) -> Any:
        """A test with its two points. Of what overlays decide together with the text only the text's part is one."""
        settled = self.made.settled
        match test:
            case None:
                return None
            case _ if settled(test):
                return test
            case ir.Binary("and" | "or", left, right) if settled(left):
                return dataclasses.replace(test, right=self.test(right, word))
            case ir.Binary("and" | "or", left, right) if settled(right):
                return dataclasses.replace(test, left=self.test(left, word))
            case ir.Choice(decides, then, other) if settled(decides):
                return dataclasses.replace(test, then=self.test(then, word), other=self.test(other, word))
        number = self.point("test", f"{word} {spell(test)}", test.span)
        return ir.Watched(number, self.inside(test), True, test.type, test.span)

    def visible(self, seen: ir.Visible, part: str) -> ir.Visible:
        """Who sees, or is told, a part. Looked at closely each reason for it is counted."""
        return dataclasses.replace(seen, test=self.reason(seen.test, part)) if self.made.closely else self.inside(seen)

    def reason(self, test: ir.Expr, part: str) -> Any:
        settled = self.made.settled
        match test:
            case _ if settled(test):
                return test
            case ir.Choice(decides, then, other) if settled(decides):
                return dataclasses.replace(test, then=self.reason(then, part), other=self.reason(other, part))
            case ir.Binary("or", left, right):
                return dataclasses.replace(test, left=self.reason(left, part), right=self.reason(right, part))
            case ir.Binary("and", left, right) if settled(left):
                return dataclasses.replace(test, right=self.reason(right, part))
            case ir.Binary("and", left, right) if settled(right):
                return dataclasses.replace(test, left=self.reason(left, part))
        number = self.point("shown", spell(test), test.span, part)
        return ir.Watched(number, self.inside(test), True, test.type, test.span)

    def inside(self, node: Node) -> Node:
        """The node with the tests of its branches, ways and gatherings."""

        def change(inner: Any) -> Any:
            match inner:
                case ir.Choice(test, then, other):
                    watched = self.test(test, "if")
                    return dataclasses.replace(inner, test=watched, then=self.inside(then), other=self.inside(other))
                case ir.Gather(_, source, test, key):
                    fields = {"source": self.inside(source), "test": self.test(test, "where"), "key": self.inside(key)}
                    return dataclasses.replace(inner, **fields)
                case ir.Goto(branches):
                    ways = tuple((self.test(test, f"{name} if"), name) for test, name in branches)
                    return dataclasses.replace(inner, branches=ways)
            return None

        return cast(Node, rewritten(node, change))

    # ------------------------------------------------------------------------------ effects

    def effects(self, effects: tuple[ir.Effect, ...]) -> tuple[ir.Effect, ...]:
        return tuple(self.effect(effect) for effect in effects)

    def effect(self, effect: ir.Effect) -> ir.Effect:
        if not effect.body:
            return effect
        part = _Part(self.made, self.element, effect.by or self.by)
        number = part.point("effect", effect.says or self.words(effect.body), effect.span)
        body = part.body(effect.body)
        if effect.by != self.by:  # else what it is part of cites them
            self.made.cited(effect.by, *(dict.fromkeys(_changing(body, number)) or (number,)))
        return dataclasses.replace(effect, body=self.begun(body, number, effect.span))

    def words(self, body: tuple[ir.Stmt, ...]) -> str:
        """The first line of an effect as the text has it."""
        match body:
            case (ir.If(((test, then),), _),) if then and self.made.settled(test):
                return self.words(then)
        return next(statements(body, ""))

    def begun(self, body: tuple[ir.Stmt, ...], number: int, span: Span) -> tuple[ir.Stmt, ...]:
        """The body with the effect's mark: inside what overlays decide about all of it."""
        match body:
            case (ir.If(((test, then),), other) as decides,) if self.made.settled(test):
                branches = ((test, self.begun(then, number, span)),)
                return (dataclasses.replace(decides, branches=branches, other=self.begun(other, number, span)),)
            case ():
                return ()
        return (ir.Mark(number, span), *body)

    def body(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        return tuple(self.statement(node) for node in body)

    def statement(self, node: ir.Stmt) -> ir.Stmt:
        match node:
            case ir.If(branches, other):
                tested = tuple(
                    (self.test(test, "elif" if i else "if"), self.body(then)) for i, (test, then) in enumerate(branches)
                )
                return dataclasses.replace(node, branches=tested, other=self.body(other))
            case ir.For(over, body):
                number = self.point("loop", f"for {gather(over)}", node.span)
                inner = (ir.Mark(number, node.span), *self.body(body))
                return dataclasses.replace(node, over=self.inside(over), body=inner)
            case ir.Assign(target, value) if self.made.closely and not isinstance(target.type, t.Count):
                return dataclasses.replace(self.inside(node), value=self.change(node, value, target))
            case ir.Step(_, by) if self.made.closely:
                return dataclasses.replace(
                    self.inside(node), by=self.change(node, by, ir.Const(0, t.Int(0, 0), by.span))
                )
            case _:
                return self.inside(node)

    def change(self, node: ir.Assign | ir.Step, value: ir.Expr, before: ir.Expr) -> ir.Expr:
        """What is assigned or added, and whether that makes it another value. (A count that starts again does so from
        a constant; it is its steps that count.)"""
        number = self.point("change", next(statements((node,), "")), node.span, f"vars.{node.target.name}")
        return ir.Watched(number, self.inside(value), False, value.type, value.span, before)


def _entry(number: int, span: Span) -> ir.Effect:
    return ir.Effect((ir.Mark(number, span),), (), "", span)


def _reached(number: int, of: ir.Expr) -> ir.Expr:
    return ir.Watched(number, of, False, of.type, of.span)


def _changing(body: tuple[ir.Stmt, ...], here: int) -> Iterator[int]:
    """The points of an instrumented body at which something changes; `here` is that of the body."""
    for node in body:
        match node:
            case ir.If(branches, other):
                sides: list[int] = []
                for test, then in branches:
                    sides.append(test.point if isinstance(test, ir.Watched) else here)
                    yield from _changing(then, sides[-1])
                yield from _changing(other, here if sides[-1] == here else sides[-1] + 1)
            case ir.For(_, (ir.Mark(number), *inner)):
                yield from _changing(tuple(inner), number)
            case ir.Let() | ir.Mark():
                pass
            case _:
                yield here
