"""From the phases of the IR to functions of a plan: who acts, who is asked next, and what an action does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.statements import Statements
from aeronef.dsl.printer import spell
from aeronef.dsl.refills import refills
from aeronef.dsl.walk import locals_in
from aeronef.dsl.ways import ways_of


class Phases:
    def __init__(self, game: ir.Game, statements: Statements) -> None:
        self.game, self.effects = game, statements.effects
        self.ways = ways_of(game.phases)

    def functions(self, phase: ir.Phase) -> Iterator[plan.Function]:
        """Those of the phase itself."""

        def function(verb: plan.Verb, body: plan.Body, says: str = "") -> plan.Function:
            return plan.Function(verb, phase, None, says, (), body)

        yield function("enter", self._enter(phase), phase.says)
        if phase.kind == "automatic":
            return
        if phase.over is not None and _reopens(phase):
            yield function("asked", (*self.led(phase, phase.over), plan.Seats(phase.over)))
        yield function("next", self._next(phase))
        if phase.asks is not None and phase.start is not None:
            yield function("ask", self._ask_round(phase, phase.asks), "The next who is to be asked, clockwise.")
        elif phase.asks is not None and phase.over is not None and phase.until is not None:
            yield function("ask", self._ask_until(phase, phase.asks, phase.until), "The next who is to be asked.")

    # ------------------------------------------------------------------------------ what is known

    def led(self, phase: ir.Phase, parts: object) -> tuple[plan.Known, ...]:
        """`me`, where the parts name it: of a phase of a detour, who led there."""
        known = phase.name in self.ways.guests and "me" in locals_in(parts)
        return (plan.Known("me", "visitor"),) if known else ()

    @staticmethod
    def mine(
        parts: object, action: ir.Action | None = None, phase: ir.Phase | None = None
    ) -> tuple[plan.Known, ...]:  # fmt: skip
        """`me`, and the entry of the phase's sequence that is answered, where the parts name it and it is no value of
        the action."""
        named = locals_in(parts) - {p.name for p in (action.params if action is not None else ())}
        found = (plan.Known("me", "mine"),) if "me" in named else ()
        entry = phase.sequence.name if phase is not None and phase.sequence is not None else "me"
        return (*found, plan.Known(entry, "entry")) if entry != "me" and entry in named else found

    def observing(
        self, parts: object, phase: ir.Phase | None, action: ir.Action | None
    ) -> tuple[plan.Known, ...]:  # fmt: skip
        """What is known where something is measured: before an action, as a phase begins, or at the end."""
        if action is not None:
            return self.mine(parts, action, phase)
        return self.led(phase, parts) if phase is not None else ()

    # ------------------------------------------------------------------------------ who acts

    def _enter(self, phase: ir.Phase) -> plan.Body:
        over, effects = phase.over if not _reopens(phase) else None, self.effects(phase.effects)
        if phase.kind == "automatic":
            return (*self.led(phase, (effects, phase.then)), *effects, plan.Go(phase.then))
        begun = (*self.led(phase, (effects, over, phase.start)), *effects)
        if phase.start is not None and phase.asks is not None:
            return (*begun, plan.Run(phase.name, "ask", phase.start))
        if phase.start is not None:  # the first seat may be an automaton's: players take turns
            first = phase.start if self.game.automata is None else plan.Player(phase.start)
            return (*begun, *self._act(phase, first))
        if phase.over is not None:
            queue = plan.Queue(phase.over, phase.kind == "together")
            if over is None:
                queue = replace(queue, asked=phase.name, knows=self.led(phase, phase.over))
            asking = phase.asks is not None and phase.until is not None
            return (*begun, queue, plan.Run(phase.name, "ask" if asking else "next"))
        if phase.until is not None:
            return (*begun, plan.Run(phase.name, "next"))
        return (*begun, *self._act(phase, "nobody"))

    def _next(self, phase: ir.Phase) -> plan.Body:
        until, asks, leave = phase.until, phase.asks, self._leave(phase)
        if phase.start is not None:
            over = (plan.If(((until, leave),), ()),) if until is not None else ()
            on = self._act(phase, "next") if asks is None else (plan.Run(phase.name, "ask", "next"),)
            return (*over, *on)
        if phase.over is None:
            return (*((_unless(until, self._act(phase, "nobody")),) if until is not None else ()), *leave)
        act, unasked = self._act(phase, "mine"), self.effects(phase.unasked)
        if phase.sequence is not None:  # a seat chooses for each entry of its row; then the next has its turn
            passed = (plan.If((("no row", unasked),), ()),) if unasked else ()
            rows = _turn("popped", plan.Row(phase.sequence.entries, asks), *passed)
            return (plan.Drop("row"), plan.While("queue, no row", rows), plan.If((("row", act),), ()), *leave)
        if until is None and asks is None:
            return (plan.If((("queue", self._act(phase, "popped")),), ()), *leave)
        if until is None:
            assert asks is not None
            return (plan.While("queue", _turn("popped", plan.If(((asks, act),), ()), *unasked)), *leave)
        again = (_unless(until, act), plan.Drop("queue"))
        if asks is None:
            return (plan.While("queue", _turn("head", *again)), *leave)
        return (*self.mine(again), *again, plan.Run(phase.name, "ask"))

    def _ask_round(self, phase: ir.Phase, asks: ir.Expr) -> plan.Body:
        act = self._act(phase, ir.Local("me", t.Seat(), phase.span))
        return (plan.Round((plan.If(((asks, act),), ()), *self.effects(phase.unasked))), *self._leave(phase))

    def _ask_until(self, phase: ir.Phase, asks: ir.Expr, until: ir.Expr) -> plan.Body:
        """The first of the queue acts until it is done."""
        act, unasked = self._act(phase, "mine"), self.effects(phase.unasked)
        if unasked:
            asked = plan.If(((_not(asks), unasked), (_not(until), act)), ())
        else:
            asked = plan.If(((ir.Binary("and", asks, _not(until), t.Bool(), asks.span), act),), ())
        return (plan.While("queue", _turn("head", asked, plan.Drop("queue"))), *self._leave(phase))

    def _act(self, phase: ir.Phase, seat: plan.Seat) -> plan.Body:
        """It is this seat's turn (or chance's, about this seat)."""
        if phase.kind != "chance":
            return (plan.Wait(seat),)
        filled = (*self.effects(refills(self.game, phase)), plan.Wait(None))
        return _turn(seat, *filled) if seat != "mine" else filled

    def _leave(self, phase: ir.Phase) -> plan.Body:
        return (*self.led(phase, phase.then), plan.Go(phase.then))

    # ------------------------------------------------------------------------------ what can be done, and what it does

    def offer(self, action: ir.Action) -> plan.Offer:
        """An action's `when` is asked before anything is chosen, or as early as all that it is about is known."""
        missing = {p.name for p in action.params if p.kind != "given"} & locals_in(action.when)
        first = action.when if not missing else None
        if action.only is not None:
            first = both(action.only, first) if first is not None else action.only
        values = []
        for p in action.params:
            last = missing == {p.name}
            missing -= {p.name}
            values.append(plan.Value(p, action.when if last else None))
        return plan.Offer(action, first, tuple(values))

    def known_in(self, phase: ir.Phase) -> tuple[plan.Known, ...]:
        """What is known where it is asked what can be done in a phase."""
        parts = tuple((a.when, *((p.source, p.size, p.test) for p in a.params)) for a in phase.actions)
        return self.mine(parts, phase=phase)

    def do(self, phase: ir.Phase, action: ir.Action) -> plan.Function:
        effects = self._sure(self.effects(action.effects), action)
        known = self.mine((effects, action.visits, action.guest, action.then), action, phase)
        reopen: plan.Body = ()
        if action.reopens and phase.over is not None:
            asked = phase.name if _reopens(phase) else ""
            reopen = (plan.Reopen(phase.over, asked, action.reopens == "all"),)
        end: plan.Stmt = plan.Stay()
        if action.visits is not None:
            end = plan.Go(action.visits, "detour", action.guest)
        elif action.then is not None:
            end = plan.Go(action.then, "end")
        by = action.by if not any(effect.by == action.by for effect in action.effects) else ()
        body = (*known, *effects, *reopen, end)
        return plan.Function("do", phase, action, action.says, by, body)

    def _sure(self, effects: plan.Body, action: ir.Action) -> plan.Body:
        """The effects, in which a card that was chosen from a zone, and leaves it before it changes, is there."""
        chosen = {p.name: spell(p.source) for p in action.params if p.kind in ("one", "card") and p.source is not None}
        seen: set[str] = set()

        def look(node: plan.Stmt) -> plan.Stmt:
            match node:
                case ir.Let(name):
                    chosen.pop(name, None)
                case plan.Rule(_, _, body):
                    return replace(node, body=tuple(look(inner) for inner in body))
                case plan.Move("one", ir.Local(name), plan.Place(zone)) if chosen.get(name) == spell(zone):
                    fixed = all(isinstance(index, ir.Local | ir.Const) for index in zone.index)
                    node = replace(node, sure=fixed and zone.name not in seen)
            seen.update(changed_by(node))
            return node

        return effects if self.game.points else tuple(look(node) for node in effects)


def changed_by(node: plan.Stmt) -> set[str]:
    """The zones that a statement changes, or one inside it."""
    match node:
        case plan.Move(_, _, source, target):
            return {source.zone.name, target.zone.name}
        case plan.Rule(_, _, body) | plan.For(_, body):
            return {name for inner in body for name in changed_by(inner)}
        case plan.If(branches, other):
            bodies = (*(then for _, then in branches), other)
            return {name for body in bodies for inner in body for name in changed_by(inner)}
    return set()


def both(first: ir.Expr, then: ir.Expr) -> ir.Expr:
    """`first and then`, whose own `and`s need no brackets."""
    if isinstance(then, ir.Binary) and then.op == "and":
        return ir.Binary("and", both(first, then.left), then.right, t.Bool(), then.span)
    return ir.Binary("and", first, then, t.Bool(), then.span)


def _reopens(phase: ir.Phase) -> bool:
    """Whether it is worked out more than once who is asked: where that is not just everybody, and some action opens the
    phase again."""
    everybody = isinstance(phase.over, ir.Everything) and phase.over.of == "players"
    return not everybody and any(action.reopens for action in phase.actions)


def _not(test: ir.Expr) -> ir.Expr:
    return ir.Unary("not", test, t.Bool(), test.span)


def _turn(seat: plan.Seat, *body: plan.Stmt) -> plan.Body:
    """These statements, about this seat."""
    return (plan.Turn(seat, "me" in locals_in(body)), *body)


def _unless(test: ir.Expr, body: plan.Body) -> plan.If:
    return plan.If(((_not(test), body),), ())
