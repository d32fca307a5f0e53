"""What must hold of every IR, whatever pass made it. Tests verify after each pass; a fault here is a compiler bug."""

from __future__ import annotations

from typing import Any

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.walk import called, children

Scope = frozenset[str]


class Unsound(AssertionError):
    """The IR breaks one of its own rules: a fault of the compiler, not of the spec."""


def verify(game: ir.Game) -> None:
    """Raises Unsound unless every name is resolved, every type is right, and definitions form no circle."""
    _Verifier(game).game()


class _Verifier:
    def __init__(self, game: ir.Game) -> None:
        self.whole = game
        self.types: dict[str, t.Type] = {v.name: v.type for v in game.variables}
        self.types |= {z.name: t.ZoneOf(t.Card(z.card), 0, z.slot) for z in game.zones}
        self.each = {v.name: v.each for v in game.variables} | {z.name: z.each for z in game.zones}
        self.defines = {d.name: d for d in game.defines}
        self.options = {o.name: o.type for o in game.options}
        self.cards = {c.name: dict(c.attributes) for c in game.cards}
        self.dice = {d.name for d in game.dice}
        self.phases = {p.name for p in game.phases} | {"end"}

    def fail(self, node: Any, why: str) -> None:
        raise Unsound(f"{getattr(node, 'span', '')}: {type(node).__name__}: {why}")

    def game(self) -> None:
        game = self.whole
        none: Scope = frozenset()
        me = frozenset({"me"})
        for zone in game.zones:
            self.walk(zone.starts, frozenset({"owner"}))
            self.test(zone.seen.test, frozenset({"viewer", "owner"}))
            if zone.card not in self.cards:
                self.fail(zone, f"no cards `{zone.card}`")
        for variable in game.variables:
            self.walk(variable.starts, frozenset({"owner"}))
            self.test(variable.seen.test, frozenset({"viewer", "owner"}))
            if not self.stores(variable.starts.type, variable.type) or not t.within(
                variable.starts.type, variable.type
            ):
                self.fail(variable, f"{variable.starts.type} into {variable.type}")
        for define in game.defines:
            self.walk(define.body, frozenset(name for name, _ in define.params))
        self.no_circle()
        for option in game.options:
            self.test(option.requires, none)
        self.walk((game.automata or (), game.longest), none)
        for phase in game.phases:
            self.phase(phase)
        self.walk(game.result.rank, me)
        self.walk(game.result.returns, me)
        self.test(game.result.lost, none)
        for invariant in game.invariants:
            self.test(invariant.test, none)

    def phase(self, phase: ir.Phase) -> None:
        none: Scope = frozenset()
        me = frozenset({"me"})
        self.walk((phase.effects, phase.over or (), phase.start or ()), none)
        self.test(phase.until, me)
        self.test(phase.asks, me)
        self.walk(phase.unasked, me)
        if (phase.kind == "automatic") == bool(phase.actions) or (phase.kind == "chance" and len(phase.actions) != 1):
            self.fail(phase, f"{phase.kind} with {len(phase.actions)} actions")
        for action in phase.actions:
            scope: Scope = me
            for p in action.params:
                self.walk((p.source or (), p.size or ()), scope)
                scope |= {p.name}
                self.test(p.test, scope)
                if (p.kind == "roll") != (p.dice in self.dice):
                    self.fail(p, f"no dice `{p.dice}`")
            for p in action.params:
                self.test(p.told.test, scope | {"viewer"})
            self.test(action.when, scope)
            self.walk(action.effects, scope)
        self.walk(phase.then, none)

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
        self.node(node, scope)
        match node:
            case ir.Aggregate(_, body, over):
                self.walk(over, scope)
                self.walk(body, scope | {over.name})
            case ir.Gather(name, source, test, key):
                self.walk(source, scope)
                self.test(test, scope | {name})
                self.walk(key, scope | {name})
            case ir.For(over, body):
                self.walk(over, scope)
                self.body(body, scope | {over.name})
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

    def body(self, statements: tuple[ir.Stmt, ...], scope: Scope) -> None:
        for statement in statements:
            self.walk(statement, scope)
            if isinstance(statement, ir.Let):
                scope |= {statement.name}

    def node(self, node: Any, scope: Scope) -> None:
        match node:
            case ir.Local(name) if name not in scope:
                self.fail(node, f"`{name}` is not in scope ({', '.join(sorted(scope))})")
            case ir.Option(name, kind) if self.options.get(name) != kind:
                self.fail(node, f"no option `{name}` of {kind}")
            case ir.Read(name, index, kind):
                if name not in self.each or len(index) != len(self.each[name]):
                    self.fail(node, f"`{name}` has another shape")
                for part, wanted in zip(index, self.each[name], strict=True):
                    if not (t.fits(part.type, wanted) and t.within(part.type, wanted)):
                        self.fail(node, f"`{name}` has parts {wanted}, not {part.type}")
                if not self.known_as(kind, self.types[name]):
                    self.fail(node, f"`{name}` is {self.types[name]}, not {kind}")
            case ir.Attribute(of, name, kind):
                card = of.type.card if isinstance(of.type, t.ZoneOf) else t.strip(of.type)
                found = self.cards.get(card.name, {}).get(name) if isinstance(card, t.Card) else None
                if found is None or t.strip(found) != t.strip(kind):
                    self.fail(node, f"{of.type} has no `{name}` of {kind}")
            case ir.Call(name, args, kind):
                define = self.defines.get(name)
                if define is None or len(args) != len(define.params):
                    self.fail(node, f"no such definition `{name}`")
                elif not self.known_as(kind, define.body.type):
                    self.fail(node, "its type is not that of its definition")
                else:
                    for arg, (_, wanted) in zip(args, define.params, strict=True):
                        if not (t.fits(arg.type, wanted) and t.within(arg.type, wanted)):
                            self.fail(node, f"{arg.type} for {wanted}")
            case ir.Choice(test, then, other, kind):
                if test.type != t.Bool() or t.join(then.type, other.type) != kind:
                    self.fail(node, f"{then.type} or {other.type} is not {kind}")
            case ir.Unary(op, of, kind) if (op == "not") != (of.type == kind == t.Bool()):
                self.fail(node, f"{op} of {of.type}")
            case ir.Binary("and" | "or", left, right) if not (left.type == right.type == t.Bool()):
                self.fail(node, "only yes-or-no values are joined")
            case ir.Binary("+" | "-" | "*" | "//" | "%" | "<" | "<=" | ">" | ">=", left, right):
                if not (isinstance(left.type, t.Int) and isinstance(right.type, t.Int)):
                    self.fail(node, "numbers are needed")
            case ir.Binary("==" | "!=" | "otherwise", left, right) if t.join(left.type, right.type) is None:
                self.fail(node, f"{left.type} and {right.type} have nothing in common")
            case ir.Binary("in" | "not in", left, right) if not t.fits(left.type, t.element(right.type) or t.Nothing()):
                self.fail(node, f"{left.type} in {right.type}")
            case ir.Gather(_, source, _, _, _, item) if t.element(source.type) != item:
                self.fail(node, f"{source.type} gives no {item}")
            case ir.Assign(target, value, guarded) if not isinstance(target.type, t.Count):
                if not self.stores(value.type, target.type):
                    self.fail(node, f"{value.type} into {target.type}")
                if not guarded and not t.within(value.type, target.type):
                    self.fail(node, f"{value.type} into {target.type}, unguarded")
            case ir.Step(target) if not isinstance(target.type, t.Count):
                self.fail(node, f"{target.type} is no count")
            case ir.Move(card, source, target):
                kinds = {z.type.card for z in (source, target) if isinstance(z.type, t.ZoneOf)}
                moved = {t.element(card.type) or card.type} if card is not None else kinds
                if len(kinds) != 1 or kinds != moved:
                    self.fail(node, f"moves {moved} between {source.type} and {target.type}")
            case ir.Goto(branches):
                if not branches or branches[-1][0] is not None or any(n not in self.phases for _, n in branches):
                    self.fail(node, "no way on")
                for way, _ in branches[:-1]:
                    self.test(way, scope)
            case _:
                pass

    @staticmethod
    def stores(value: t.Type, wanted: t.Type) -> bool:
        return isinstance(wanted, t.Count) or t.fits(value, wanted)

    @staticmethod
    def known_as(kind: t.Type, declared: t.Type) -> bool:
        """Whether a value of a declared type may be read as `kind`: as it is, or known not to be none."""
        if isinstance(declared, t.ZoneOf):
            if isinstance(kind, t.ZoneOf):
                return (kind.card, kind.slot) == (declared.card, declared.slot)
            return declared.slot and t.strip(kind) == declared.card
        return kind in (declared, t.strip(declared))
