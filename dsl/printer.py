"""The IR as text: one line for each declaration and statement. Equal games print alike; places are left out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl.types import Enum, Type, element, strip
from aeronef.dsl.walk import rules

LOOSE = {"or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "in": 4, "not in": 4, "otherwise": 5,
         "+": 7, "-": 7, "*": 8, "//": 8, "%": 8}  # fmt: skip


def spell(node: ir.Expr, around: int = 0) -> str:
    """An expression in the language's own spelling."""
    text, strength = _spell(node)
    return f"({text})" if strength < around else text


def _spell(node: ir.Expr) -> tuple[str, int]:
    match node:
        case ir.Const(value, Enum(name, values)) if value is not None:
            return f"{name}.{values[value]}" if node.apart else values[value], 10
        case ir.Const(value):
            return {None: "none", True: "true", False: "false"}.get(value, str(value)) if not isinstance(
                value, int
            ) or isinstance(value, bool) else str(value), 10
        case ir.Option(name) if node.apart:
            return f"options.{name}", 10
        case ir.Local(name) | ir.Option(name) | ir.Everything(name):
            return name, 10
        case ir.Labelled(of, label):
            return f"{of}.{label}", 10
        case ir.Read(name, index) | ir.Lookup(name, index):
            return name + "".join(f"[{spell(i)}]" for i in index), 10
        case ir.Attribute(of, name):
            return f"{spell(of, 10)}.{name}", 10
        case ir.Unary("not", of):
            return f"not {spell(of, 3)}", 3
        case ir.Unary(_, of):
            return f"-{spell(of, 9)}", 9
        case ir.Binary(op, left, right):
            own = LOOSE[op]
            comparing = own == 4
            return f"{spell(left, own + comparing)} {op} {spell(right, own + 1)}", own
        case ir.Choice(test, then, other):
            return f"{spell(then, 1)} if {spell(test, 1)} else {spell(other)}", 0
        case ir.Call(name, args) | ir.Builtin(name, args):
            if isinstance(node, ir.Builtin) and name == "range":
                return f"{spell(args[0], 7)}..{spell(args[1], 7)}", 6
            return (
                f"{name}({', '.join(spell(a) for a in args)})" if args or isinstance(node, ir.Builtin) else name
            ), 10
        case ir.Aggregate(kind, body, over):
            inner = gather(over) if isinstance(body, ir.Local) and body.name == over.name and kind in (
                "count", "list", "set",
            ) else f"{spell(body, 1)} for {gather(over)}"  # fmt: skip
            brackets = {"list": "[]", "set": "{}"}.get(kind)
            return (brackets[0] + inner + brackets[1] if brackets else f"{kind}({inner})"), 10
        case ir.Watched(_, of):
            return _spell(of)
        case ir.Collection(kind, items):
            opening, closing = ("[", "]") if kind == "list" else ("{", "}")
            return opening + ", ".join(spell(i) for i in items) + closing, 10
        case _:
            assert_never(node)


def gather(over: ir.Gather) -> str:
    text = f"{over.name} in {spell(over.source, 5)}"
    if over.test is not None:
        text += f" where {spell(over.test, 0)}"
    if over.key is not None:
        text += f" by {spell(over.key, 0)}" + (" down" if over.down else "")
    return text


def statements(body: tuple[ir.Stmt, ...], indent: str) -> Iterator[str]:
    for node in body:
        match node:
            case ir.Assign(target, value, guarded):
                yield f"{indent}{spell(target)} := {spell(value)}" + (f"  # checked: {target.type}" if guarded else "")
            case ir.Step(target, by):
                yield f"{indent}{spell(target)} += {spell(by)}"
            case ir.Move(card, source, target):
                yield f"{indent}move {spell(card) if card else 'all'} from {spell(source)} to {spell(target)}"
            case ir.Add(faces, target):
                yield f"{indent}add {spell(faces)} to {spell(target)}"
            case ir.Remove(faces, source):
                yield f"{indent}remove {spell(faces) if faces else 'all'} from {spell(source)}"
            case ir.If(branches, other):
                for i, (test, then) in enumerate(branches):
                    yield f"{indent}{'elif' if i else 'if'} {spell(test)}:"
                    yield from statements(then, indent + "  ")
                if other:
                    yield f"{indent}else:"
                    yield from statements(other, indent + "  ")
            case ir.For(over, inner):
                yield f"{indent}for {gather(over)}:"
                yield from statements(inner, indent + "  ")
            case ir.Let(name, value):
                yield f"{indent}let {name} = {spell(value)}"
            case ir.Mark():  # a game that counts itself is the same game
                pass
            case _:
                assert_never(node)


def _by(by: tuple[str, ...]) -> str:
    return f"  by {', '.join(by)}" if by else ""


def _only(only: ir.Only) -> str:
    return f"  only if {spell(only)}" if only is not None else ""


def _called(element: ir.Variable | ir.Phase) -> str:
    return f" called {element.called}" if element.called else ""


def _effects(label: str, effects: tuple[ir.Effect, ...], indent: str) -> Iterator[str]:
    for effect in effects:
        if effect.body and all(isinstance(node, ir.Mark) for node in effect.body):
            continue
        yield f"{indent}{label}{_by(effect.by)}"
        yield from statements(effect.body, indent + "  ")


def goto(then: ir.Goto) -> str:
    parts = [name if test is None else f"{name} if {spell(test, 1)}" for test, name in then.branches]
    return " else ".join(parts)


def print_game(game: ir.Game) -> str:
    """The whole IR of a game as text."""
    return "\n".join(_lines(game)) + "\n"


def digest(game: ir.Game) -> str:
    """The identity of a game's meaning: `sha256:…` of its rules as printed IR. Comments, layout and what is measured do
    not change it."""
    return "sha256:" + hashlib.sha256(print_game(rules(game)).encode()).hexdigest()


def _lines(game: ir.Game) -> Iterator[str]:
    yield f"game {game.name}: {game.players[0]}..{game.players[1]} players{_by(game.by)}"
    if game.automata is not None:
        yield f"automata {spell(game.automata)}"
    yield f"longest {spell(game.longest)}"
    for clause in game.clauses:
        yield f"clause {clause.id} ({clause.kind})"
    for o in game.options:
        requires = f" requires {spell(o.requires)}" if o.requires is not None else ""
        offered = ", ".join(o.type.values) if isinstance(o.type, Enum) else strip(o.type)
        offered = f"{o.word} | {offered}" if o.word else offered
        default = o.word if o.default is None else o.default
        yield f"option {o.name}: {offered} = {default}{requires}{_by(o.by)}"
    for overlay in game.overlays:
        yield f"overlay {overlay.name} when {spell(overlay.when)}{_by(overlay.by)}"
    for name, values in game.enums:
        yield f"enum {name}: {', '.join(values)}"
    for name, word, only in game.words_only:
        yield f"  {name}.{word}{_only(only)}"
    for name, low, high in game.numbers:
        yield f"numbers {name}: {low}..{high}"
    for c in game.cards:
        yield f"cards {c.name}({', '.join(f'{n}: {t}' for n, t in c.attributes)}){_by(c.by)}"
        for kind in c.kinds:
            yield f"  {kind.label} x{kind.copies}: {kind.attributes}{_only(kind.only)}"
    for d in game.dice:
        yield f"dice {d.name}: {d.face} {d.weights}{_by(d.by)}"
    for table in game.tables:
        facts = ", ".join(_fact(value, table.type) for value in table.values)
        yield f"table {table.name}[{', '.join(map(str, table.each))}]: {table.type} = {facts}{_by(table.by)}"
    for z in game.zones:
        form = "slot" if z.slot else "ordered" if z.ordered else "unordered"
        starts = f" starts {gather(z.starts)}" if z.starts else f" starts {z.stock}" if z.stock else ""
        each = ", ".join(map(str, z.each))
        owned = "owned " if z.owned else ""
        refill = f" refill {spell(z.refill)}" if z.refill is not None else ""
        what = f"dice {z.dice} holds {z.holds}" if z.dice else z.card
        seen = f"seen {spell(z.seen.test)}{_by(z.by)}{_only(z.only)}"
        yield f"zone {z.name}[{each}]: {form} {owned}{what}{starts}{refill}; {seen}"
    for v in game.variables:
        starts = f"starts {spell(v.starts)}" + (f" decided {v.decided}" if v.decided else "")
        seen = f"seen {spell(v.seen.test)}{_by(v.by)}{_only(v.only)}"
        yield f"var {v.name}{_called(v)}[{', '.join(map(str, v.each))}]: {v.type} {starts}; {seen}"
    for define in game.defines:
        params = ", ".join(f"{n}: {t}" for n, t in define.params)
        yield f"define {define.name}({params}): {define.body.type} = {spell(define.body)}{_by(define.by)}"
    for phase in game.phases:
        yield from _phase(phase)
    for key in game.result.rank:
        yield f"rank {spell(key)}{_by(game.result.by)}"
    if game.result.lost is not None:
        yield f"lost {spell(game.result.lost)}"
    if game.result.returns is not None:
        yield f"returns {spell(game.result.returns)}"
    if game.result.parts is not None:
        yield f"parts {spell(game.result.parts)}"
    for invariant in game.invariants:
        yield f"invariant {invariant.name}: {spell(invariant.test)}{_by(invariant.by)}{_only(invariant.only)}"
    for measure in game.measures:
        each = ", ".join(map(str, measure.each))
        yield f"measure {measure.name}[{each}]: {measure.form}{_by(measure.by)}{_only(measure.only)}"
        for moment in measure.moments:
            parts = [f"at {moment.name}:", *([spell(moment.value)] if moment.value is not None else [])]
            parts += [f"for {gather(over)}" for over in moment.over]
            yield f"  {' '.join(parts)}{_only(moment.only)}"
    for accept in game.accepts:
        when = f" when {spell(accept.when)}" if accept.when is not None else ""
        yield f"accepts {accept.code} at {accept.at}{when}"


def _fact(value: ir.Fact, kind: Type) -> str:
    """A value of a table; a card by its place in deck order."""
    if isinstance(value, tuple):
        return "{" + ", ".join(_fact(v, element(kind) or kind) for v in value) + "}"
    inner = strip(kind)
    if isinstance(inner, Enum) and value is not None:
        return inner.values[value]
    return "none" if value is None else str(value).lower()


def _phase(phase: ir.Phase) -> Iterator[str]:
    yield f"phase {phase.name}{_called(phase)}: {phase.kind}{_by(phase.by)}{_only(phase.only)}"
    yield from _effects("do", phase.effects, "  ")
    for name in ("over", "start", "until", "asks"):
        value = getattr(phase, name)
        if value is not None:
            yield f"  {name} {spell(value)}"
    if phase.sequence is not None:
        yield f"  sequence {phase.sequence.name}: {spell(phase.sequence.entries)}"
    for action in phase.actions:
        role = "outcome" if phase.kind == "chance" else "action"
        yield f"  {role} {action.title}{_by(action.by)}{_only(action.only)}"
        for p in action.params:
            parts = [p.kind, f"{p.name}: {p.type}"]
            parts += [f"size {spell(p.size)} (at most {p.size_most})"] if p.size is not None else []
            parts += [f"of {p.dice}"] if p.dice else []
            parts += [f"in {spell(p.source)}"] if p.source is not None else []
            parts += [f"where {spell(p.test)}"] if p.test is not None else []
            yield f"    {' '.join(parts)}; told {spell(p.told.test)}"
        if action.when is not None:
            yield f"    when {spell(action.when)}"
        yield from _effects("do", action.effects, "    ")
        if action.visits is not None:
            guest = f" for {spell(action.guest)}" if action.guest is not None else ""
            yield f"    visits {goto(action.visits)}{guest}"
        if action.then is not None:
            yield f"    then {goto(action.then)}"
        if action.reopens:
            yield f"    reopens {action.reopens}"
    yield from _effects("unasked", phase.unasked, "  ")
    yield f"  then {goto(phase.then)}"
