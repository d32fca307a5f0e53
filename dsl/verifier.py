"""What must hold of every IR, whatever pass made it. Tests verify after each pass; a fault here is a compiler bug."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.walk import called, children
from aeronef.dsl.ways import BACK, END, ways_of

Scope = dict[str, t.Type]
NOBODY: Scope = {}
ME: Scope = {"me": t.Seat()}
VIEWER: Scope = {"viewer": t.Seat()}


class Unsound(AssertionError):
    """The IR breaks one of its own rules: a fault of the compiler, not of the spec."""


def verify(game: ir.Game) -> None:
    """Raises Unsound unless every name is resolved, every type is right, and definitions form no circle."""
    _Verifier(game).game()


class _Verifier:
    def __init__(self, game: ir.Game) -> None:
        self.whole = game
        self.counting = False
        self.types: dict[str, t.Type] = {v.name: v.type for v in game.variables}
        self.types |= {z.name: z.holding for z in game.zones}
        self.each = {v.name: v.each for v in game.variables} | {z.name: z.each for z in game.zones}
        self.defines = {d.name: d for d in game.defines}
        self.tables = {table.name: table for table in game.tables}
        self.options = {o.name: o.type for o in game.options} | {o.name: t.Bool() for o in game.overlays}
        self.cards = {c.name: dict(c.attributes) for c in game.cards}
        self.labels = {c.name: {kind.label for kind in c.kinds} for c in game.cards}
        self.dice = {d.name: d.face for d in game.dice}
        self.phases = {p.name for p in game.phases}
        self.ways = ways_of(game.phases)
        self.all: dict[str, t.Type] = {"players": t.Seat(), "seats": t.Seat()}
        self.all |= {name: t.Enum(name, values) for name, values in game.enums}
        self.all |= {name: t.Int(low, high) for name, low, high in game.numbers}
        self.all |= {c.name: t.Card(c.name) for c in game.cards}

    def fail(self, node: Any, why: str) -> None:
        raise Unsound(f"{getattr(node, 'span', '')}: {type(node).__name__}: {why}")

    def game(self) -> None:
        game = self.whole
        places: list[ir.Zone | ir.Variable] = [*game.zones, *game.variables]
        for place in places:
            owner: Scope = {"owner": t.Seat()} if t.Seat() in place.each else {}
            self.walk(place.starts, owner)
            self.test(place.seen.test, VIEWER | owner)
        for zone in game.zones:
            if zone.dice:
                if zone.face != self.dice.get(zone.dice) or zone.holds < 1 or zone.card or zone.slot or zone.starts:
                    self.fail(zone, f"no zone of dice `{zone.dice}`")
            elif zone.card not in self.cards:
                self.fail(zone, f"no cards `{zone.card}`")
            if zone.owned and (zone.slot or zone.starts is not None or t.Seat() in zone.each):
                self.fail(zone, "it cannot keep owners")
            if zone.refill is not None:
                self.walk(zone.refill, {"owner": t.Seat()} if t.Seat() in zone.each else {})
                piles = {self.types[zone.name], self.types.get(zone.refill.name)}
                alike = all(isinstance(pile, t.ZoneOf) and pile.card.name == zone.card for pile in piles)
                if not alike or zone.owned or zone.slot or zone.refill.name == zone.name:
                    self.fail(zone, "it cannot be refilled so")
            if zone.stock:
                self.stock(zone)
        for table in game.tables:
            if len(table.values) != math.prod(table.sizes) or len(table.sizes) != len(table.each):
                self.fail(table, f"{len(table.values)} values for {table.sizes} keys")
            for value in table.values:
                self.fact(table, value)
        for v in game.variables:
            if not self.stores(v.starts.type, v.type) or not t.within(v.starts.type, v.type):
                self.fail(v, f"{v.starts.type} into {v.type}")
        for define in game.defines:
            self.walk(define.body, dict(define.params))
        self.no_circle()
        for option in game.options:
            self.test(option.requires, NOBODY)
        for overlay in game.overlays:
            self.test(overlay.when, NOBODY)
        partial = [*places, *game.phases, *(a for p in game.phases for a in p.actions), *game.invariants,
                   *game.measures, *(moment for measure in game.measures for moment in measure.moments)]  # fmt: skip
        for part in (*partial, *(kind for card in game.cards for kind in card.kinds)):
            self.test(part.only, NOBODY)
        for _, _, only in game.words_only:
            self.test(only, NOBODY)
        self.walk((game.automata or (), game.longest), NOBODY)
        for phase in game.phases:
            self.phase(phase)
        self.walk((game.result.rank, game.result.returns or ()), ME)
        self.test(game.result.lost, NOBODY)
        self.parts(game.result)
        for invariant in game.invariants:
            self.test(invariant.test, NOBODY)
        for accept in game.accepts:
            self.test(accept.when, NOBODY)
        self.counting = True  # measures may read counts
        for measure in game.measures:
            self.measure(measure)

    def parts(self, result: ir.Result) -> None:
        if result.parts is not None:
            self.walk(result.parts, NOBODY)
            kind = result.parts.type
            if result.returns is None or not isinstance(kind, t.Int) or kind.low < 1:
                self.fail(result, "returns are divided by what can be 0, or there are none")

    def phase(self, phase: ir.Phase) -> None:
        me = NOBODY if phase.kind == "chance" and phase.over is None else ME
        led = ME if phase.name in self.ways.guests else NOBODY
        on = self.phases | ({END, BACK} if phase.name in self.ways.hosts else {END})
        self.walk((phase.effects, phase.over or (), phase.start or ()), led)
        self.test(phase.until, NOBODY if phase.start is not None else me)
        self.test(phase.asks, me)
        self.walk(phase.unasked, me)
        if (phase.kind == "automatic") == bool(phase.actions) or (phase.kind == "chance" and len(phase.actions) != 1):
            self.fail(phase, f"{phase.kind} with {len(phase.actions)} actions")
        scope_of_all = me
        if phase.sequence is not None:
            self.walk(phase.sequence.entries, me)
            entry = self.entry(phase, phase.sequence)
            scope_of_all = me | {phase.sequence.name: entry}
        for action in phase.actions:
            scope = dict(scope_of_all)
            for p in action.params:
                self.walk((p.source or (), p.size or ()), scope)
                scope[p.name] = p.type
                self.test(p.test, scope)
                self.parameter(p)
            for p in action.params:
                self.test(p.told.test, scope | VIEWER)
            self.test(action.when, scope)
            self.walk(action.effects, scope)
            self.walk((action.visits or (), action.guest or (), action.then or ()), scope)
            if action.guest is not None and (action.guest.type != t.Seat() or action.visits is None):
                self.fail(action, f"a visit for {action.guest.type}")
            if action.visits is not None:
                self.leads(action.visits, self.phases)
            if action.then is not None:
                self.leads(action.then, on)
            out = action.visits or action.then or action.reopens
            if out and (phase.kind == "together" or phase.sequence is not None):
                self.fail(action, "a way out of a choice together, or of a sequence")
            if action.reopens and (phase.kind != "turns" or phase.over is None or phase.until is not None):
                self.fail(action, "turns that cannot be reopened")
        self.walk(phase.then, led)
        self.leads(phase.then, on)

    def entry(self, phase: ir.Phase, sequence: ir.Sequence) -> t.Type:
        """The type of what is answered."""
        item = t.element(sequence.entries.type)
        if (
            not isinstance(sequence.entries.type, t.ListOf)
            or not isinstance(item, t.Plain)
            or isinstance(item, t.Owned)
        ):
            self.fail(sequence, f"a sequence of {sequence.entries.type}")
        if phase.kind != "turns" or phase.over is None or phase.start is not None or phase.until is not None:
            self.fail(sequence, "a sequence is of turns once round")
        return item or t.Nothing()

    def measure(self, measure: ir.Measure) -> None:
        for moment in measure.moments:
            scope = self.scope(moment)
            if len(moment.over) != len(measure.each):
                self.fail(moment, f"{len(moment.over)} keys, not {len(measure.each)}")
            for over, kind in zip(moment.over, measure.each, strict=True):
                self.walk(over, scope)
                scope = scope | {over.name: over.item}
                if not isinstance(kind, t.Plain) or not (t.fits(over.item, kind) and t.within(over.item, kind)):
                    self.fail(over, f"{over.item} is no key of {kind}")
            self.walk(moment.value, scope)
            found = type(moment.value.type) if moment.value is not None else None
            if found != {"count": None, "number": t.Int, "bool": t.Bool}[measure.form]:
                self.fail(moment, f"this is no {measure.form}")

    def scope(self, moment: ir.Moment) -> Scope:
        """What is known at a moment."""
        if not moment.phase:
            return NOBODY
        phase = next((p for p in self.whole.phases if p.name == moment.phase), None)
        if phase is None:
            self.fail(moment, f"no phase `{moment.phase}`")
        assert phase is not None
        if not moment.action:
            return ME if phase.name in self.ways.guests else NOBODY
        action = next((a for a in phase.actions if a.key == moment.action), None)
        if action is None:
            self.fail(moment, f"no action `{moment.name}`")
        assert action is not None
        me = NOBODY if phase.kind == "chance" and phase.over is None else ME
        return me | {p.name: p.type for p in action.params}

    def leads(self, way: ir.Goto, names: set[str]) -> None:
        if not way.branches or way.branches[-1][0] is not None or any(name not in names for _, name in way.branches):
            self.fail(way, "no way on")

    def parameter(self, p: ir.Parameter) -> None:
        source = p.source.type if p.source is not None else t.Nothing()
        given = {"given": source, "some": t.ListOf(t.element(source) or t.Nothing(), p.size_most), "roll": p.type}
        if p.type != given.get(p.kind, t.element(source)):
            self.fail(p, f"{p.kind} of {source} is no {p.type}")
        if isinstance(t.element(p.type) or p.type, t.Owned):
            self.fail(p, f"no action has {p.type} as a value")
        if (p.kind == "roll") != (p.dice in self.dice):
            self.fail(p, f"no dice `{p.dice}`")

    def no_circle(self) -> None:
        done: set[str] = set()

        def visit(name: str, above: tuple[str, ...]) -> None:
            if name in above:
                raise Unsound(f"definitions in a circle: {' '.join((*above, name))}")
            if name not in done:
                for other in called(self.defines[name].body):
                    visit(other, (*above, name))
                done.add(name)

        for name in self.defines:
            visit(name, ())

    # ------------------------------------------------------------------------------ nodes

    def test(self, node: ir.Expr | None, scope: Scope) -> None:
        self.walk(node, scope)
        if node is not None and node.type != t.Bool():
            self.fail(node, "a test is a yes or no")

    def walk(self, node: Any, scope: Scope) -> None:
        """A node and all nodes inside it."""
        if node is None:
            return
        match node:
            case ir.Aggregate(_, body, over):
                self.walk(over, scope)
                self.walk(body, scope | {over.name: over.item})
            case ir.Gather(name, source, test, key, _, item):
                self.walk(source, scope)
                self.test(test, scope | {name: item})
                self.walk(key, scope | {name: item})
            case ir.For(over, body):
                self.walk(over, scope)
                self.body(body, scope | {over.name: over.item})
            case ir.If(branches, other):
                for test, then in branches:
                    self.test(test, scope)
                    self.body(then, scope)
                self.body(other, scope)
            case ir.Effect(body):
                self.body(body, scope)
            case _:
                for child in children(node):
                    self.walk(child, scope)
        self.expression(node, scope)
        self.statement(node, scope)

    def body(self, statements: tuple[ir.Stmt, ...], scope: Scope) -> None:
        for statement in statements:
            self.walk(statement, scope)
            if isinstance(statement, ir.Let):
                scope = scope | {statement.name: statement.value.type}

    def expression(self, node: Any, scope: Scope) -> None:
        match node:
            case ir.Const(value, kind):
                if not self.has(kind, value):
                    self.fail(node, f"{value} is no {kind}")
            case ir.Local(name, kind):
                if name not in scope or not self.known_as(kind, scope[name]):
                    self.fail(node, f"no `{name}` of {kind} among {sorted(scope)}")
            case ir.Option(name, kind):
                if name not in self.options or not self.known_as(kind, self.options[name]):
                    self.fail(node, f"no option `{name}` of {kind}")
            case ir.Everything(of, kind):
                if of not in self.all or not isinstance(kind, t.ListOf) or kind.of != self.all[of]:
                    self.fail(node, f"`{of}` is no {kind}")
            case ir.Labelled(of, label, kind):
                if kind != t.Card(of) or label not in self.labels.get(of, ()):
                    self.fail(node, f"no card `{label}` of {of}")
            case ir.Read(name, index, kind):
                counted = self.counting and self.types.get(name) == t.Count() and isinstance(kind, t.Int)
                if name not in self.each or not (counted or self.known_as(kind, self.types[name])):
                    self.fail(node, f"no `{name}` of {kind}")
                self.taken(node, index, self.each[name])
            case ir.Attribute(of, name, kind) if isinstance(entry := t.strip(of.type), t.Owned):
                if t.strip(kind) != {"owner": t.Seat(), "card": entry.card}.get(name):
                    self.fail(node, f"{of.type} has no `{name}` of {kind}")
            case ir.Lookup(name, keys, kind):
                if name not in self.tables or not self.known_as(kind, self.tables[name].type):
                    self.fail(node, f"no table `{name}` of {kind}")
                self.taken(node, keys, self.tables[name].each)
            case ir.Attribute(of, name, kind):
                card = of.type.card if isinstance(of.type, t.ZoneOf) else t.strip(of.type)
                found = self.cards.get(card.name, {}).get(name) if isinstance(card, t.Card) else None
                if found is None or not (t.strip(found) == t.strip(kind) or self.known_as(kind, found)):
                    self.fail(node, f"{of.type} has no `{name}` of {kind}")
            case ir.Call(name, args, kind):
                if name not in self.defines or not self.known_as(kind, self.defines[name].body.type):
                    self.fail(node, f"no definition `{name}` of {kind}")
                self.taken(node, args, tuple(wanted for _, wanted in self.defines[name].params))
            case ir.Choice(test, then, other, kind):
                if test.type != t.Bool() or t.join(then.type, other.type) != kind:
                    self.fail(node, f"{then.type} or {other.type} is not {kind}")
            case ir.Unary(op, of, kind):
                wanted = t.Bool if op == "not" else t.Int
                if not (isinstance(of.type, wanted) and isinstance(kind, wanted)):
                    self.fail(node, f"{op} of {of.type} is no {kind}")
            case ir.Binary():
                self.binary(node)
            case ir.Gather(_, source, _, key, _, item):
                if t.element(source.type) != item or (key is not None and not isinstance(key.type, t.Int)):
                    self.fail(node, f"{source.type} gives no {item}")
            case ir.Watched(point, of, sides, kind, _, unlike):
                if of.type != kind or (sides and kind != t.Bool()):
                    self.fail(node, f"{of.type} is watched as {kind}")
                if unlike is not None and (sides or t.join(of.type, unlike.type) is None):
                    self.fail(node, f"{of.type} is watched beside {unlike.type}")
                self.counts(node, point, sides or unlike is not None)
            case ir.Aggregate() | ir.Builtin() | ir.Collection():
                if not self.gives(node):
                    self.fail(node, f"this is no {node.type}")
            case _:
                pass

    def binary(self, node: ir.Binary) -> None:
        left, right, kind = node.left.type, node.right.type, node.type
        numbers = isinstance(left, t.Int) and isinstance(right, t.Int)
        match node.op:
            case "and" | "or":
                sound = left == right == kind == t.Bool()
            case "+" | "-" | "*" | "//" | "%":
                sound = numbers and isinstance(kind, t.Int)
            case "<" | "<=" | ">" | ">=":
                sound = numbers and kind == t.Bool()
            case "==" | "!=":
                sound = t.join(left, right) is not None and kind == t.Bool()
            case "in" | "not in":
                inner = t.element(right)
                sound = inner is not None and t.fits(left, inner) and kind == t.Bool()
            case "otherwise":
                sound = t.join(t.element(left) or t.strip(left), right) == kind
            case _:
                assert_never(node.op)
        if not sound:
            self.fail(node, f"{left} {node.op} {right} is no {kind}")

    @staticmethod
    def gives(node: ir.Aggregate | ir.Builtin | ir.Collection) -> bool:
        """Whether the type of a node is one that it can give."""
        kind = node.type
        match node:
            case ir.Aggregate("any" | "all", body):
                return body.type == kind == t.Bool()
            case ir.Aggregate("count"):
                return isinstance(kind, t.Int)
            case ir.Aggregate("sum", body):
                return isinstance(body.type, t.Int) and isinstance(kind, t.Int)
            case ir.Aggregate("min" | "max", body):
                return isinstance(body.type, t.Int) and t.strip(kind) == body.type
            case ir.Aggregate("list", body):
                return isinstance(kind, t.ListOf) and kind.of == body.type
            case ir.Aggregate("set", body):
                return isinstance(kind, t.SetOf) and kind.of == body.type
            case ir.Collection(form, items):
                wanted = t.ListOf if form == "list" else t.SetOf
                return isinstance(kind, wanted) and all(t.fits(item.type, kind.of) for item in items)
            case ir.Builtin("odd" | "even" | "automaton"):
                return kind == t.Bool()
            case ir.Builtin("left" | "right", (seat, *steps)):
                return kind == seat.type == t.Seat() and all(isinstance(step.type, t.Int) for step in steps)
            case ir.Builtin("clockwise"):
                return isinstance(kind, t.ListOf) and kind.of == t.Seat()
            case ir.Builtin("first" | "last", (of,)):
                ordered = isinstance(of.type, t.ListOf) or (isinstance(of.type, t.ZoneOf | t.Tray) and of.type.ordered)
                return ordered and t.strip(kind) == t.element(of.type)
            case ir.Builtin("range"):
                return isinstance(kind, t.ListOf) and isinstance(kind.of, t.Int)
            case _:
                return isinstance(kind, t.Int)

    def statement(self, node: Any, scope: Scope) -> None:
        match node:
            case ir.Assign(target, value, guarded) if not isinstance(target.type, t.Count):
                if not t.fits(target.type, self.types[target.name]) or not self.stores(value.type, target.type):
                    self.fail(node, f"{value.type} into {target.type}")
                if not guarded and not t.within(value.type, target.type):
                    self.fail(node, f"{value.type} into {target.type}, unguarded")
            case ir.Assign(target, value):
                if not (isinstance(value, ir.Const) and isinstance(value.type, t.Int)):
                    self.fail(node, "a count starts again from a fixed number")
            case ir.Step(target, by):
                if not isinstance(target.type, t.Count) or not isinstance(by.type, t.Int) or by.type.low < 0:
                    self.fail(node, f"{by.type} onto {target.type}")
            case ir.Add(faces, zone):
                self.shows(node, faces, zone)
            case ir.Remove(shown, zone):
                self.shows(node, shown, zone)
            case ir.Move(card, ir.Read(_, _, t.Tray(dice)) as source, target):
                if not (isinstance(target.type, t.Tray) and target.type.dice == dice):
                    self.fail(node, f"moves {source.type} to {target.type}")
                self.shows(node, card, source)
            case ir.Move(card, source, target):
                kinds = {z.type.card for z in (source, target) if isinstance(z.type, t.ZoneOf)}
                holds = t.element(source.type)
                moved = (t.element(card.type) or card.type) if card is not None else holds
                whole = all(isinstance(z.type, t.ZoneOf) for z in (source, target))
                if not whole or len(kinds) != 1 or moved != holds:
                    self.fail(node, f"moves {moved} between {source.type} and {target.type}")
                if self.keeps(target) and not self.keeps(source) and t.Seat() not in self.each[source.name]:
                    self.fail(node, f"nobody owns the cards of {source.name}")
            case ir.Goto(branches):
                for way, _ in branches[:-1]:
                    self.test(way, scope)
            case ir.Mark(point):
                self.counts(node, point, False)
            case _:
                pass

    def counts(self, node: ir.Mark | ir.Watched, point: int, sides: bool) -> None:
        """Whether a mark has its point, and a test (or what is compared) its two."""
        points = self.whole.points[point : point + 1 + sides] if point >= 0 else ()
        if [p.side for p in points] != (["true", "false"] if sides else [""]):
            self.fail(node, f"no point {point}")

    # ------------------------------------------------------------------------------ types

    def taken(self, node: Any, values: tuple[ir.Expr, ...], wanted: tuple[t.Type, ...]) -> None:
        """Whether indices or arguments are what is asked for."""
        if len(values) != len(wanted):
            self.fail(node, f"{len(values)} values, not {len(wanted)}")
        for value, kind in zip(values, wanted, strict=True):
            if not (t.fits(value.type, kind) and t.within(value.type, kind)):
                self.fail(node, f"{value.type} for {kind}")

    def stock(self, zone: ir.Zone) -> None:
        table = self.tables.get(zone.stock)
        wanted = (*(kind for kind in zone.each if kind != t.Seat()), t.Card(zone.card))
        if table is None or table.each != wanted or zone.starts is not None or zone.owned:
            self.fail(zone, f"no table `{zone.stock}` of {wanted}")
        elif not isinstance(table.type, t.Int) or table.type.low < 0:
            self.fail(zone, f"`{zone.stock}` counts no cards")

    def fact(self, table: ir.Table, value: ir.Fact) -> None:
        kind = t.element(table.type) or t.strip(table.type)
        if isinstance(value, tuple) != isinstance(table.type, t.SetOf):
            self.fail(table, f"{value} is no {table.type}")
        for v in value if isinstance(value, tuple) else (value,):
            sound = kind.low <= v <= kind.high if isinstance(kind, t.Int) and v is not None else True
            if isinstance(kind, t.Bool | t.Enum | t.Seat) and v is not None:
                sound = self.has(kind, v)
            if not sound or (v is None and not isinstance(table.type, t.Optional)):
                self.fail(table, f"{v} is no {kind}")

    @staticmethod
    def has(kind: t.Type, value: int | bool | None) -> bool:
        """Whether a constant is of a type."""
        if value is None or isinstance(value, bool):
            return kind == (t.Nothing() if value is None else t.Bool())
        if isinstance(kind, t.Int):
            return kind.low == kind.high == value
        return isinstance(kind, t.Seat) or (isinstance(kind, t.Enum) and 0 <= value < len(kind.values))

    @staticmethod
    def stores(value: t.Type, wanted: t.Type) -> bool:
        return isinstance(wanted, t.Count) or t.fits(value, wanted)

    def shows(self, node: Any, faces: ir.Expr | None, zone: ir.Read) -> None:
        """Whether these are faces of the dice that lie in a zone."""
        if not isinstance(zone.type, t.Tray):
            self.fail(node, f"no dice lie in {zone.type}")
        elif faces is not None:
            kind = t.element(faces.type) or faces.type
            if not (t.fits(kind, zone.type.face) and t.within(kind, zone.type.face)):
                self.fail(node, f"{faces.type} are no faces of {zone.type.dice}")

    @staticmethod
    def keeps(zone: ir.Read) -> bool:
        """Whether a zone keeps owners."""
        return isinstance(zone.type, t.ZoneOf) and zone.type.owned

    @staticmethod
    def known_as(kind: t.Type, declared: t.Type) -> bool:
        """Whether a value of a declared type may be read as `kind`: as it is, or known not to be none, or to lie in a
        smaller range."""
        if isinstance(declared, t.ZoneOf):
            if isinstance(kind, t.ZoneOf):
                return dataclasses.replace(kind, most=0) == dataclasses.replace(declared, most=0)
            return declared.slot and t.strip(kind) == declared.card
        if isinstance(declared, t.Tray):
            return kind == declared
        return kind != t.Nothing() and t.fits(kind, declared) and t.within(kind, declared)
