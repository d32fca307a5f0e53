"""A game with some of its options settled: they stand in it as constants, and all that then is constant is folded.

One walk over the dataclasses of the IR copies what it does not know; each node that can be folded has a case of its
own. A test that is settled decides before its branches are looked at, so that nothing is worked out that the test was
there to prevent. Where a fold makes a type narrower, what bound a name to it and what joins it follow. What is measured
is left out: it is no rule of the game, old or new.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.evaluate import Given, evaluate
from aeronef.dsl.walk import Rewriter, by_use, locals_in, nodes, with_types

Value = int | bool | str | None  # of an option with a word beside its range: the word, or none
Known = dict[str, "ir.Const | tuple[t.Type, t.Type]"]  # a local's constant, or its type before and after
Node = TypeVar("Node")
FOLDED = ("odd", "even", "clamp", "abs", "min", "max")


class Unfit(ValueError):
    """The game has no such option or value, or they do not go together."""


def specialise(
    game: ir.Game, options: Mapping[str, Value], players: int | None = None, measured: bool = False
) -> ir.Game:
    """The game with these options (enumerations by word) as constants, and, where it is said, for so many players; with
    what it measures, if that is `measured`.

    The other options stay. Raises Unfit.
    """
    if players is not None and not game.players[0] <= players <= game.players[1]:
        raise Unfit(f"{game.name} is for {game.players[0]} to {game.players[1]} players, not {players}")
    specialiser = _Specialiser(game, indices(game, options), players)
    made = specialiser.game()
    if not measured:
        return made
    return dataclasses.replace(made, measures=tuple(specialiser.measure(m, made.phases) for m in game.measures))


def indices(game: ir.Game, options: Mapping[str, Value]) -> dict[str, int | bool | None]:
    """The values of options as the IR has them. Raises Unfit where there is no such option or value."""
    known = {o.name: o for o in game.options}
    for name in options:
        if name not in known:
            raise Unfit(f"{game.name} has no option `{name}` (there is: {', '.join(known) or 'none'})")
    return {name: _index(known[name], value) for name, value in options.items()}


def _index(option: ir.OptionDecl, value: Value) -> int | bool | None:
    kind = t.strip(option.type)
    if option.word and value in (None, option.word):
        return None
    match kind:
        case t.Enum(_, words) if value in words:
            return words.index(value)
        case t.Bool() if isinstance(value, bool):
            return value
        case t.Int() | t.Seat() if type(value) is int and option.low <= value <= option.high:
            return value
    offered = ", ".join(kind.values) if isinstance(kind, t.Enum) else "true, false" if kind == t.Bool() else str(kind)
    if isinstance(kind, t.Seat):
        offered = f"{option.low}..{option.high}"
    if option.word:
        offered = f"{option.word}, {offered}"
    raise Unfit(f"the option {option.name} cannot be `{value}` (there is: {offered})")


def is_const(node: Any, value: int | bool | None) -> bool:
    """Whether a node is this constant; false is not 0."""
    return isinstance(node, ir.Const) and node.value == value and type(node.value) is type(value)


def constant(value: int | bool | None, span: Span, kind: t.Type | None = None) -> ir.Const:
    """A constant of the kind of its value, or of an enumeration."""
    if value is None:
        return ir.Const(None, t.Nothing(), span)
    if isinstance(value, bool):
        return ir.Const(value, t.Bool(), span)
    inner = t.strip(kind) if kind is not None else None
    return ir.Const(value, inner if isinstance(inner, t.Enum | t.Seat) else t.Int(value, value), span)


class _Specialiser(Rewriter[Known]):
    def __init__(self, game: ir.Game, options: Mapping[str, int | bool | None], players: int | None) -> None:
        self.whole = game
        self.options = dict(options)
        self.players = players
        self.given = Given(dataclasses.replace(game, automata=None), game.players[0], options)
        self.automata = game.automata
        self.bodies = {d.name: d.body for d in game.defines}
        self.defines: dict[str, ir.Expr] = {}

    def game(self) -> ir.Game:
        whole = self.whole
        assert not whole.overlays, "a game of several is specialised as the one of them that its options switch on"
        automata = self.walk(whole.automata, {})
        self.automata = None if is_const(automata, 0) else automata
        in_order = by_use(whole.defines)
        assert not isinstance(in_order, str)
        for define in in_order:
            self.defines[define.name] = self.walk(define.body, {})
        low, high = (self.players, self.players) if self.players is not None else whole.players
        left, (low, high) = self._requires((low, high))
        changed = {
            f.name: self.walk(getattr(whole, f.name), {})
            for f in dataclasses.fields(whole)
            if f.name
            not in ("options", "automata", "defines", "invariants", "measures", "clauses", "citations", "dice")
        }
        defines = tuple(dataclasses.replace(d, body=self.defines[d.name]) for d in whole.defines)
        tests = [(i, self.walk(i.test, {})) for i in whole.invariants]
        kept = self.walk(tuple(dataclasses.replace(i, test=test) for i, test in tests if not is_const(test, True)), {})
        made = dataclasses.replace(
            whole, **changed | {
                "players": (low, high), "automata": self.automata, "options": left, "defines": defines,
                "invariants": kept, "measures": (),
            },
        )  # fmt: skip
        return self._with_words(made)

    def measure(self, measure: ir.Measure, phases: tuple[ir.Phase, ...]) -> ir.Measure:
        """A measure, without what can never be observed."""
        acts = {(phase.name, action.key) for phase in phases for action in phase.actions}
        there = {("", ""), *acts, *((phase.name, "") for phase in phases)}
        moments = []
        for moment in measure.moments:
            if (moment.phase, moment.action) not in there:
                continue
            known: Known = {}
            over = []
            for gather in moment.over:
                gather, known = self._gather(gather, known)
                over.append(gather)
            if not any(map(_is_empty, over)):
                value = self.walk(moment.value, known)
                moments.append(dataclasses.replace(moment, over=tuple(over), value=value))
        return dataclasses.replace(measure, moments=tuple(moments))

    def _requires(self, players: tuple[int, int]) -> tuple[tuple[ir.OptionDecl, ...], tuple[int, int]]:
        """The options that stay, and for how many players. What a settled option requires is asked of one that stays,
        or, where it names none, of the players."""
        left = {o.name: dataclasses.replace(o, requires=None) for o in self.whole.options if o.name not in self.options}
        seats = [self.options[o.name] for o in self.whole.options
                 if o.name in self.options and isinstance(t.strip(o.type), t.Seat)]  # fmt: skip
        fitting = [n for n in range(players[0], players[1] + 1) if all(seat is None or seat < n for seat in seats)]
        for option in self.whole.options:
            test = self.walk(option.requires, {})
            if test is None or is_const(test, True):
                continue
            named = [n.name for n in nodes(test) if isinstance(n, ir.Option)]
            if not named and option.name in self.options:
                fitting = [n for n in fitting if evaluate(test, self._seated(n), {})]
                continue
            owner = left[option.name if option.name in left else named[-1]]
            both = test if owner.requires is None else ir.Binary("and", owner.requires, test, t.Bool(), test.span)
            left[owner.name] = dataclasses.replace(owner, requires=both)
        if not fitting:
            raise Unfit(f"{self.whole.name}: these options do not go together, or not with so many players")
        return tuple(left.values()), (fitting[0], fitting[-1])

    def _seated(self, players: int) -> Given:
        settled = not any(isinstance(n, ir.Option) for n in nodes(self.automata))
        automata = self.automata if settled else None
        return Given(dataclasses.replace(self.whole, automata=automata), players, self.options)

    def _with_words(self, game: ir.Game) -> ir.Game:
        """The words of a settled option stay known where something still is one of them."""
        gone = {o.name for o in self.whole.options} - {o.name for o in game.options}
        parts = (game.defines, game.phases, game.result, game.invariants, game.variables, game.zones, game.longest)
        used = {kind for n in nodes(parts) if isinstance(kind := getattr(n, "type", None), t.Enum)}
        words = tuple((kind.name, kind.values) for kind in sorted(used, key=str) if kind.name in gone)
        return dataclasses.replace(game, enums=game.enums + words)

    # ------------------------------------------------------------------------------ the walk

    def walk(self, node: Any, known: Known) -> Any:
        """Any piece of IR, folded. `known` are the locals that became constants, or of another type."""
        match node:
            case ir.Option(name, kind, span) if name in self.options:
                return constant(self.options[name], span, kind)
            case ir.Local(name, kind):
                found = known.get(name)
                if isinstance(found, ir.Const):
                    return dataclasses.replace(found, span=node.span)
                return node if found is None else dataclasses.replace(node, type=_retold(kind, *found))
            case ir.Call(name, _, kind, span):
                return self._call(self.inside(node, known), self.bodies[name].type, self.defines.get(name))
            case ir.Choice():
                return self._choice(node, known)
            case ir.Unary():
                return _unary(self.inside(node, known))
            case ir.Binary():
                return self._binary(node, known)
            case ir.Builtin():
                return self._builtin(self.inside(node, known))
            case ir.Aggregate():
                return self._aggregate(node, known)
            case ir.Gather():
                return self._gather(node, known)[0]
            case ir.Goto(branches):
                return dataclasses.replace(node, branches=self._branches(branches))
            case ir.Effect(body):
                return dataclasses.replace(node, body=self.body(body, known))
            case ir.Visible(test, words):
                test = self.walk(test, known)
                spoken = "everyone" if is_const(test, True) else "nobody" if is_const(test, False) else words
                return dataclasses.replace(node, test=test, words=spoken)
            case ir.Zone():
                zone = self.inside(node, known)
                return dataclasses.replace(zone, starts=None) if _is_empty(zone.starts) else zone
            case ir.Phase():
                return self._phase(node)
            case ir.Action():
                return self._action(node, known)
            case ir.Result():
                result = self.inside(node, known)
                return dataclasses.replace(result, lost=None) if is_const(result.lost, False) else result
            case _:
                return self.rest(node, known)

    # ------------------------------------------------------------------------------ expressions

    def _call(self, node: ir.Call, before: t.Type, body: ir.Expr | None) -> ir.Expr:
        if body is None:
            return node
        if isinstance(body, ir.Const) and (body.value is not None or t.may_be_none(node.type)):
            return dataclasses.replace(body, span=node.span)
        return dataclasses.replace(node, type=_retold(node.type, before, body.type))

    def _choice(self, node: ir.Choice, known: Known) -> ir.Expr:
        test = self.walk(node.test, known)
        if isinstance(test, ir.Const):
            return cast(ir.Expr, self.walk(node.then if test.value else node.other, known))
        then, other = self.walk(node.then, known), self.walk(node.other, known)
        kind = t.join(then.type, other.type) or node.type
        return dataclasses.replace(node, test=test, then=then, other=other, type=kind)

    def _binary(self, node: ir.Binary, known: Known) -> ir.Expr:
        left: ir.Expr = self.walk(node.left, known)
        op = node.op
        if op in ("and", "or"):
            if isinstance(left, ir.Const):
                return left if left.value == (op == "or") else cast(ir.Expr, self.walk(node.right, known))
            right: ir.Expr = self.walk(node.right, known)
            if isinstance(right, ir.Const):
                return right if right.value == (op == "or") else left
            return dataclasses.replace(node, left=left, right=right)
        right = self.walk(node.right, known)
        made = dataclasses.replace(node, left=left, right=right)
        if op == "otherwise":
            if is_const(left, None):
                return right
            if not t.may_be_none(left.type):
                return left
            return dataclasses.replace(
                made, type=t.join(t.element(left.type) or t.strip(left.type), right.type) or node.type
            )
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            return self._worked_out(made)
        return _tidied(made)

    def _worked_out(self, node: ir.Expr) -> ir.Expr:
        """The value of a node of constants; a division by zero stays for the play to find."""
        try:
            return constant(evaluate(node, self.given, {}), node.span, node.type)
        except (ZeroDivisionError, TypeError):
            return node

    def _builtin(self, node: ir.Builtin) -> ir.Expr:
        if node.name in FOLDED and all(isinstance(a, ir.Const) for a in node.args):
            return self._worked_out(node)
        if node.name == "automaton" and self.automata is None:
            return constant(False, node.span)
        if node.name == "size":
            match node.args[0]:
                case ir.Collection(_, ()):
                    return constant(0, node.span)
                case ir.Everything("players") if self.players is not None:
                    return constant(self.players, node.span)
                case ir.Everything("seats") if self.players is not None and self.automata is None:
                    return constant(self.players, node.span)
                case ir.Everything("seats") if self.players is not None and isinstance(self.automata, ir.Const):
                    return constant(self.players + int(self.automata.value or 0), node.span)
        return node

    def _gather(self, node: ir.Gather, known: Known) -> tuple[ir.Gather, Known]:
        """A gather, and what is known where its name means something."""
        source = self.walk(node.source, known)
        item = t.element(source.type) or node.item
        known = with_types(known, node.name, node.item, item)
        test = self.walk(node.test, known)
        if is_const(test, False):
            return dataclasses.replace(node, source=source, test=test, key=None, down=False, item=item), known
        key = self.walk(node.key, known)
        if isinstance(key, ir.Const):  # all tie: the order of the source
            key = None
        kept = None if is_const(test, True) else test
        down = node.down and key is not None
        return dataclasses.replace(node, source=source, test=kept, key=key, down=down, item=item), known

    def _aggregate(self, node: ir.Aggregate, known: Known) -> ir.Expr:
        over, inner = self._gather(node.over, known)
        if _is_empty(over):
            match node.kind:
                case "list" | "set":
                    return ir.Collection(node.kind, (), node.type, node.span)
                case "count" | "sum":
                    return constant(0, node.span)
                case "any" | "all":
                    return constant(node.kind == "all", node.span)
                case "min" | "max":
                    return constant(None, node.span)
        body = self.walk(node.body, inner)
        if node.kind in ("any", "all") and is_const(body, node.kind == "all"):
            return cast(ir.Expr, body)
        kind = node.type
        if body.type != node.body.type:
            match node.kind, kind:
                case (("min" | "max"), _):
                    kind = t.Optional(body.type) if isinstance(kind, t.Optional) else body.type
                case (("list" | "set"), (t.ListOf() | t.SetOf())):
                    kind = dataclasses.replace(kind, of=body.type)
        return dataclasses.replace(node, body=body, over=over, type=kind)

    # ------------------------------------------------------------------------------ effects

    def body(self, statements: tuple[ir.Stmt, ...], known: Known) -> tuple[ir.Stmt, ...]:
        """Statements without those that do nothing, and without names for what is a constant, or used no more."""
        made: list[ir.Stmt] = []
        for node in statements:
            match node:
                case ir.Let(name, value):
                    new = self.walk(value, known)
                    if isinstance(new, ir.Const):
                        known = known | {name: new}
                    else:
                        known = with_types(known, name, value.type, new.type)
                        made.append(dataclasses.replace(node, value=new))
                case ir.If(branches, other):
                    made += self._if(branches, other, node.span, known)
                case ir.For(over, inner):
                    around, within = self._gather(over, known)
                    if not _is_empty(around) and (body := self.body(inner, within)):
                        made.append(dataclasses.replace(node, over=around, body=body))
                case ir.Assign():
                    new = self.inside(node, known)
                    guarded = node.guarded and not t.within(new.value.type, new.target.type)
                    made.append(dataclasses.replace(new, guarded=guarded))
                case _:
                    made.append(self.walk(node, known))
        return tuple(
            s for i, s in enumerate(made) if not (isinstance(s, ir.Let) and s.name not in locals_in(tuple(made[i:])))
        )

    def _if(
        self, branches: tuple[tuple[ir.Expr, tuple[ir.Stmt, ...]], ...], other: tuple[ir.Stmt, ...], span: Span,
        known: Known,
    ) -> tuple[ir.Stmt, ...]:  # fmt: skip
        left: list[tuple[ir.Expr, tuple[ir.Stmt, ...]]] = []
        for condition, then in branches:
            test = self.walk(condition, known)
            if is_const(test, False):
                continue
            if is_const(test, True):
                other = then
                break
            left.append((test, self.body(then, known)))
        rest = self.body(other, known)
        while left and not left[-1][1]:  # nothing is done there: what is else asks for the opposite
            test, _ = left.pop()
            if rest:
                left.append((_unary(ir.Unary("not", test, t.Bool(), test.span)), rest))
                rest = ()
        if not left:
            return rest
        # A branch in the middle that does nothing keeps the others away.
        for i, (test, then) in enumerate(left):
            if not then:
                inner = ir.If(tuple(left[i + 1 :]), rest, span)
                left[i:] = [(_unary(ir.Unary("not", test, t.Bool(), test.span)), (inner,))]
                return (ir.If(tuple(left), (), span),)
        return (ir.If(tuple(left), rest, span),)

    # ------------------------------------------------------------------------------ phases

    def _branches(self, branches: tuple[tuple[ir.Expr | None, str], ...]) -> tuple[tuple[ir.Expr | None, str], ...]:
        left: list[tuple[ir.Expr | None, str]] = []
        for condition, name in branches:
            test = self.walk(condition, {})
            if is_const(test, False):
                continue
            if test is None or is_const(test, True):
                left.append((None, name))
                break
            left.append((test, name))
        while len(left) > 1 and left[-2][1] == left[-1][1]:
            del left[-2]
        return tuple(left)

    def _phase(self, node: ir.Phase) -> ir.Phase:
        phase = self.inside(dataclasses.replace(node, actions=()), {})
        known: Known = {}
        if node.sequence is not None and phase.sequence is not None:
            before, after = (t.element(s.entries.type) for s in (node.sequence, phase.sequence))
            known = with_types(known, node.sequence.name, before or t.Nothing(), after or before or t.Nothing())
        phase = dataclasses.replace(phase, actions=tuple(self._action(action, known) for action in node.actions))
        if is_const(phase.asks, True):
            phase = dataclasses.replace(phase, asks=None, unasked=phase.unasked if phase.sequence is not None else ())
        if phase.kind != "chance":
            possible = tuple(a for a in phase.actions if not _never(a))
            phase = dataclasses.replace(phase, actions=possible or phase.actions)
        return dataclasses.replace(phase, effects=_doing(phase.effects), unasked=_doing(phase.unasked))

    def _action(self, node: ir.Action, known: Known) -> ir.Action:
        params: list[ir.Parameter] = []
        for p in node.params:
            source, size = self.walk(p.source, known), self.walk(p.size, known)
            kind = p.type
            if p.source is not None and source.type != p.source.type:
                inner = t.element(source.type) or t.Nothing()
                kind = source.type if p.kind == "given" else t.ListOf(inner, p.size_most) if p.kind == "some" else inner
            known = with_types(known, p.name, p.type, kind)
            test = self.walk(p.test, known)
            test = None if is_const(test, True) else test
            params.append(dataclasses.replace(p, source=source, size=size, test=test, type=kind))
        told = tuple(dataclasses.replace(p, told=self.walk(p.told, known)) for p in params)
        when = self.walk(node.when, known)
        effects = _doing(self.walk(node.effects, known))
        rest = self.inside(dataclasses.replace(node, params=(), when=None, effects=()), {})
        return dataclasses.replace(rest, params=told, when=None if is_const(when, True) else when, effects=effects)


# ------------------------------------------------------------------------------------------ small folds


def _retold(kind: t.Type, before: t.Type, after: t.Type) -> t.Type:
    """The type of a look at what was `before` and is `after`: as declared, or known not to be none."""
    return after if kind == before else t.strip(after)


def _is_empty(over: ir.Gather | None) -> bool:
    return over is not None and (
        is_const(over.test, False) or (isinstance(over.source, ir.Collection) and not over.source.items)
    )


def _doing(effects: tuple[ir.Effect, ...]) -> tuple[ir.Effect, ...]:
    return tuple(effect for effect in effects if effect.body)


def _never(action: ir.Action) -> bool:
    return is_const(action.when, False) or any(p.kind == "one" and is_const(p.test, False) for p in action.params)


def _unary(node: ir.Unary) -> ir.Expr:
    if isinstance(node.of, ir.Const) and node.of.value is not None:
        return constant(not node.of.value if node.op == "not" else -node.of.value, node.span)
    if node.op == "not" and isinstance(node.of, ir.Unary) and node.of.op == "not":
        return node.of.of
    return node


def _tidied(node: ir.Binary) -> ir.Expr:
    """What a constant on one side settles: `x == none` of what is never none, `x == true`, `x + 0`, `x * 1`."""
    for one, other, swapped in ((node.left, node.right, False), (node.right, node.left, True)):
        if node.op in ("==", "!=") and isinstance(other, ir.Const):
            if other.value is None and not t.may_be_none(one.type):
                return constant(node.op == "!=", node.span)
            if isinstance(other.value, bool) and one.type == t.Bool():
                same = other.value == (node.op == "==")
                return one if same else _unary(ir.Unary("not", one, t.Bool(), node.span))
        neutral = {"+": 0, "-": 0, "*": 1, "//": 1}.get(node.op)
        if neutral is not None and is_const(other, neutral) and (not swapped or node.op in ("+", "*")):
            return one
    if node.op in ("in", "not in") and isinstance(node.right, ir.Collection):
        items = node.right.items
        if not items:
            return constant(node.op == "not in", node.span)
        if isinstance(node.left, ir.Const) and all(isinstance(i, ir.Const) for i in items):
            found = any(is_const(i, node.left.value) for i in items)
            return constant(found == (node.op == "in"), node.span)
    return node
