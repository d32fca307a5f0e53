"""Effects along one way through them, with what is known of the position on the way, and what changes.

Nothing is known of the position at the beginning but the ranges that the spec declares. Each part of a variable or
zone that is asked for is a number (or a thing) from then on, until something may change it. A loop is gone through
once, for any of its things, and what it does counts as often as it may be done. What is written down of a way is its
`Change`: how many cards go from which zone to which, and by how much variables change, all parts together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.evaluate import evaluate
from aeronef.dsl.symbolic import (
    ZERO,
    Budget,
    Choices,
    Facts,
    Impossible,
    Many,
    Num,
    Range,
    Thing,
    TooManyWays,
    Value,
    every,
    num,
)
from aeronef.dsl.walk import changes, locals_in, nodes
from aeronef.dsl.world import World

What = tuple[str, str, str]  # cards (from, to; "" of dice: from nowhere), sum, true, none or size (of a variable, "")
Change = dict[What, Range]
Env = Mapping[str, Value]
Key = tuple[object, ...]

ME, OTHER, GUEST = Thing("me"), Thing("other"), Thing("guest")
MOST_IN_LOOP = 200
MOST_ITEMS = 6
MANY = 1 << 41  # more than any number of the language


class Way:
    """One way through effects and tests. `plays` says that `me` is one of the players."""

    def __init__(self, world: World, choices: Choices, whole: Budget, plays: bool) -> None:
        self.world, self.whole, self.plays = world, whole, plays
        self.facts = Facts(choices)
        self.values: dict[tuple[str, Key], Value] = {}  # of parts of variables
        self.sizes: dict[tuple[str, Key], Num] = {}  # of parts of zones
        self.attributes: dict[tuple[object, str], Value] = {}
        self.members: dict[tuple[int, object], bool] = {}  # whether a thing is in a set
        self.moved: list[tuple[What, Num]] = []
        self.watching: tuple[Thing, ...] = ()  # seats of which a test over all players is asked

    def _inside(self, choices: Choices) -> Way:
        new = Way(self.world, choices, self.whole, self.plays)
        new.facts = self.facts.copy(choices)
        new.values, new.sizes, new.attributes = dict(self.values), dict(self.sizes), dict(self.attributes)
        new.members = dict(self.members)
        new.watching = self.watching
        return new

    def change(self) -> Change:
        """What has changed so far."""
        found: Change = {}
        for what, by in self.moved:
            low, high = self.facts.range(by)
            was = found.get(what, (0, 0))
            found[what] = was[0] + low, was[1] + high
        return {what: by for what, by in found.items() if by != (0, 0)}

    # ------------------------------------------------------------------------------ parts

    def key(self, read: ir.Read, env: Env) -> Key:
        place = (self.world.zones.get(read.name) or self.world.variables[read.name]).each
        return tuple(self._index(self.value(i, env), kind) for i, kind in zip(read.index, place, strict=True))

    def _index(self, value: Value, kind: t.Type) -> object:
        match value:
            case Thing(name):
                return name
            case Num(base, low, high):
                known = self.facts.known(value)
                if known is not None:
                    return ("seat", known) if kind == t.Seat() else (None, known)
                return (base, low) if low == high else self.facts.fresh()
            case _:
                return self.facts.fresh()

    def _apart(self, a: object, b: object) -> bool:
        """Whether two indices are surely not the same."""
        if {a, b} == {"me", "other"}:
            return True
        if isinstance(a, tuple) and isinstance(b, tuple):
            return bool(a[0] == b[0] and a[1] != b[1])
        return False

    def _forget(self, name: str, key: Key | None = None) -> None:
        """What the parts of a variable or zone are is no longer known, but for those that are surely not this one."""
        for place in [p for p in (*self.values, *self.sizes) if p[0] == name]:
            if key is None or not any(self._apart(a, b) for a, b in zip(place[1], key, strict=True)):
                self.values.pop(place, None)
                self.sizes.pop(place, None)

    def size(self, name: str, key: Key) -> Num:
        if (name, key) not in self.sizes:
            self.sizes[name, key] = self.facts.number(0, self.world.holding[name])
        return self.sizes[name, key]

    def part(self, name: str, key: Key) -> Value:
        if (name, key) not in self.values:
            kind = self.world.variables[name].type
            value = self.values[name, key] = self.fresh(kind)
            if isinstance(value, Many) and isinstance(kind, t.SetOf):
                self.facts.within(value.size, 0, kind.most)
        return self.values[name, key]

    def fresh(self, kind: t.Type) -> Value:
        """Any value of a type."""
        facts = self.facts
        match kind:
            case t.Nothing():
                return None
            case t.Optional(of):
                return None if facts.choices.pick(2) == 0 else self.fresh(of)
            case t.Bool():
                return facts.number(0, 1)
            case t.Int(low, high):
                return facts.number(low, high)
            case t.Enum(_, words):
                return facts.number(0, len(words) - 1)
            case t.Count():
                return Num(None, -MANY, MANY)
            case t.Seat() | t.Card() | t.Owned():
                return facts.thing()
            case t.SetOf():
                return Many(facts.number(0, MANY), facts.fresh())
            case t.ListOf() | t.ZoneOf() | t.Tray():
                return Many(facts.number(0, MANY))
            case _:
                assert_never(kind)

    # ------------------------------------------------------------------------------ expressions

    def value(self, node: ir.Expr, env: Env) -> Value:
        match node:
            case ir.Const(value, kind):
                if value is None:
                    return None
                return Thing(("seat", int(value))) if kind == t.Seat() else num(int(value))
            case ir.Local(name):
                return env[name] if name in env else self.fresh(node.type)
            case ir.Option() | ir.Lookup():
                return self._looked_up(node, env)
            case ir.Everything():
                size = self.world.count(node)
                return Many(num(size)) if size is not None else self.fresh(node.type)
            case ir.Labelled(of, label):
                return Thing(f"{of}.{label}")
            case ir.Read():
                return self._read(node, env)
            case ir.Attribute(of, name):
                return self._attribute(self.value(of, env), name, node.type)
            case ir.Unary("-", of):
                inside = self.value(of, env)
                return self.facts.minus(ZERO, inside) if isinstance(inside, Num) else self.fresh(node.type)
            case ir.Binary("+" | "-" | "*" | "//" | "%" | "otherwise"):
                return self._worked_out(node, env)
            case ir.Unary() | ir.Binary():
                return num(int(self.holds(node, env)))
            case ir.Choice(test, then, other):
                return self.value(then if self.holds(test, env) else other, env)
            case ir.Call(name, args):
                define = self.world.defines[name]
                values = [self.value(arg, env) for arg in args]
                inner = {n: v for (n, _), v in zip(define.params, values, strict=True)}
                return self._told(self.value(define.body, inner), node.type)
            case ir.Builtin():
                return self._builtin(node, env)
            case ir.Aggregate("any" | "all"):
                return num(int(self.holds(node, env)))
            case ir.Aggregate("list" | "set"):
                return self._listed(node, env)
            case ir.Aggregate():
                return self.fresh(node.type)
            case ir.Collection(kind, items):
                return Many(num(len(items)) if kind == "list" else Num(None, min(1, len(items)), len(items)))
            case ir.Watched(_, of):
                return self.value(of, env)
            case _:
                assert_never(node)

    def _told(self, value: Value, kind: t.Type) -> Value:
        """A value where a test has told that it is not none. (What tests tell of ranges is worked out here anew.)"""
        if value is None and not t.may_be_none(kind) and kind != t.Nothing():
            raise Impossible
        return value

    def _looked_up(self, node: ir.Option | ir.Lookup, env: Env) -> Value:
        if isinstance(node, ir.Lookup):
            keys = [self.value(key, env) for key in node.keys]
            if all(isinstance(key, Num) and self.facts.known(key) is not None for key in keys):
                consts = tuple(
                    ir.Const(self.facts.known(key), t.Int(0, 0), node.span) for key in keys if isinstance(key, Num)
                )
                value = evaluate(ir.Lookup(node.name, consts, node.type, node.span), self.world.given, {})
                if isinstance(value, tuple):
                    return Many(num(len(value)))
                if not isinstance(t.strip(node.type), t.Seat | t.Card):
                    return None if value is None else num(int(value))
        return self.fresh(node.type)

    def _read(self, node: ir.Read, env: Env) -> Value:
        key = self.key(node, env)
        zone = self.world.zones.get(node.name)
        if zone is None:
            return self._told(self.part(node.name, key), node.type)
        size = self.size(node.name, key)
        if not zone.slot:
            return Many(size)
        if self.facts.at_most(size, ZERO):
            if not t.may_be_none(node.type):
                raise Impossible
            return None
        return self.facts.thing()

    def _attribute(self, of: Value, name: str, kind: t.Type) -> Value:
        if not isinstance(of, Thing):
            return None if of is None and t.may_be_none(kind) else self.fresh(kind)
        if (of.name, name) not in self.attributes:
            self.attributes[of.name, name] = self.fresh(kind)
        return self._told(self.attributes[of.name, name], kind)

    def _worked_out(self, node: ir.Binary, env: Env) -> Value:
        left = self.value(node.left, env)
        if node.op == "otherwise":
            return self.value(node.right, env) if left is None else left
        right = self.value(node.right, env)
        if not isinstance(left, Num) or not isinstance(right, Num):
            return self.fresh(node.type)
        if node.op in ("+", "-"):
            return self.facts.plus(left, right) if node.op == "+" else self.facts.minus(left, right)
        a, b = self.facts.known(left), self.facts.known(right)
        if a is not None and b is not None and (node.op == "*" or b != 0):
            return num(a * b if node.op == "*" else a // b if node.op == "//" else a % b)
        return self.fresh(node.type)

    def _listed(self, node: ir.Aggregate, env: Env) -> Value:
        source = self.value(node.over.source, env)
        if not isinstance(source, Many):
            return self.fresh(node.type)
        if node.kind == "list" and node.over.test is None:
            itself = isinstance(node.body, ir.Local) and node.body.name == node.over.name
            return source if itself else Many(source.size)  # as many, but others
        most = self.facts.range(source.size)[1]
        return Many(self.facts.number(0, most))

    def _builtin(self, node: ir.Builtin, env: Env) -> Value:
        facts = self.facts
        if node.name == "size":
            if isinstance(node.args[0], ir.Read) and node.args[0].name in self.world.zones:
                return self.size(node.args[0].name, self.key(node.args[0], env))
            value = self.value(node.args[0], env)
            return self._told(value.size if isinstance(value, Many) else self.fresh(node.type), node.type)
        values = [self.value(arg, env) for arg in node.args]
        if node.name == "clockwise":
            return Many(num(self.world.players))
        if node.name in ("first", "last"):
            if isinstance(values[0], Many) and facts.at_most(values[0].size, ZERO):
                return self._told(None, node.type)
            return self.one_of(node.args[0], env, t.strip(node.type))
        numbers = [v for v in values if isinstance(v, Num)]
        if node.name == "range" and len(numbers) == 2:
            first, last = (facts.known(v) for v in numbers)
            if first is not None and last is not None:
                return Many(num(max(last - first + 1, 0)))
        if len(numbers) == len(values) and node.name in ("min", "max", "clamp"):
            if node.name == "clamp":
                value, low, high = numbers
                return self._least(self._greatest(value, low), high)
            found = numbers[0]
            for other in numbers[1:]:
                found = self._least(found, other) if node.name == "min" else self._greatest(found, other)
            return found
        if node.name == "automaton" and self.world.seats == self.world.players:
            return num(0)
        return self.fresh(node.type)

    def one_of(self, source: ir.Expr, env: Env, kind: t.Type) -> Value:
        """Any of the things of a collection, which are of this type. Raises Impossible where there is none."""
        match source:
            case ir.Call(name, args):
                define = self.world.defines[name]
                values = [self.value(arg, env) for arg in args]
                inner = {n: v for (n, _), v in zip(define.params, values, strict=True)}
                return self._told(self.one_of(define.body, inner, kind), kind)
            case ir.Choice(test, then, other):
                return self.one_of(then if self.holds(test, env) else other, env, kind)
            case ir.Aggregate("list" | "set", body, over):
                inner = {**env, over.name: self.one_of(over.source, env, over.item)}
                if over.test is not None and not self.holds(over.test, inner):
                    raise Impossible
                return self._told(self.value(body, inner), kind)
            case ir.Builtin("range", (first, last)):
                low, high, value = self.value(first, env), self.value(last, env), self.fresh(kind)
                if isinstance(low, Num) and isinstance(high, Num) and isinstance(value, Num):
                    self.facts.narrow(value, low, 0, MANY)
                    self.facts.narrow(high, value, 0, MANY)
                return value
            case ir.Collection(_, items) if 0 < len(items) <= MOST_ITEMS:
                item = items[self.facts.choices.pick(len(items))] if len(items) > 1 else items[0]
                return self._told(self.value(item, env), kind)
        many = self.value(source, env)
        if isinstance(many, Many):
            self.facts.within(many.size, 1, MANY)
        return self.fresh(kind)

    def _least(self, a: Num, b: Num) -> Num:
        return a if self.facts.at_most(a, b) else b

    def _greatest(self, a: Num, b: Num) -> Num:
        return b if self.facts.at_most(a, b) else a

    # ------------------------------------------------------------------------------ tests

    def holds(self, node: ir.Expr, env: Env) -> bool:
        """Whether a test holds: both ways, where it is not known. What it tells is known from there on."""
        match node:
            case ir.Unary("not", of):
                return not self.holds(of, env)
            case ir.Binary("and", left, right):
                return self.holds(left, env) and self.holds(right, env)
            case ir.Binary("or", left, right):
                return self.holds(left, env) or self.holds(right, env)
            case ir.Binary("in" | "not in", left, ir.Collection(_, items)) if len(items) <= MOST_ITEMS:
                value = self.value(left, env)
                return any(self._same(value, self.value(item, env)) for item in items) == (node.op == "in")
            case ir.Binary("==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in", left, right):
                return self._compared(node.op, self.value(left, env), self.value(right, env))
            case ir.Choice(test, then, other):
                return self.holds(then if self.holds(test, env) else other, env)
            case ir.Aggregate("any" | "all", body, over):
                return self._of_all(node.kind == "all", body, over, env)
        value = self.value(node, env)
        return isinstance(value, Num) and self.facts.sign(value, num(1)) == 0

    def _compared(self, op: str, a: Value, b: Value) -> bool:
        facts = self.facts
        if op in ("in", "not in"):
            return self._holds_one(a, b) == (op == "in")
        if op in ("==", "!="):
            return self._same(a, b) == (op == "==")
        if not isinstance(a, Num) or not isinstance(b, Num):
            return facts.choices.pick(2) == 0
        match op:
            case "<=":
                return facts.at_most(a, b)
            case ">":
                return not facts.at_most(a, b)
            case "<":
                return facts.at_most(a, b, -1)
            case _:
                return not facts.at_most(a, b, -1)

    def _holds_one(self, a: Value, b: Value) -> bool:
        """Whether a thing is in a collection."""
        if not isinstance(b, Many):
            return self.facts.choices.pick(2) == 0
        place = (b.name, self._exactly(a)) if b.name is not None else None
        if place is not None and place in self.members:
            return self.members[place]
        found = self.facts.range(b.size)[1] > 0 and self.facts.choices.pick(2) == 0
        if found:
            self.facts.within(b.size, 1, MANY)
        if place is not None and place[1] is not None:
            self.members[place] = found
        return found

    def _exactly(self, value: Value) -> object:
        """What is the same for the same thing, or number; None where it is not known which that is."""
        match value:
            case Thing(name):
                return name
            case Num(base, low, high) if low == high:
                known = self.facts.known(value)
                return (base, low) if known is None else (None, known)
            case _:
                return None

    def _same(self, a: Value, b: Value) -> bool:
        if a is None or b is None:
            return a is b
        if isinstance(a, Num) and isinstance(b, Num):
            return self.facts.sign(a, b) == 0
        if isinstance(a, Thing) and isinstance(b, Thing):
            if a == b:
                return True
            if self._apart(a.name, b.name):
                return False
        return self.facts.choices.pick(2) == 0

    def _of_all(self, wanted: bool, body: ir.Expr, over: ir.Gather, env: Env) -> bool:
        """`all` (or `any`, where `wanted` is false): one seat of which it does not hold (it holds) is enough."""
        source = self.value(over.source, env)
        if isinstance(source, Many) and self.facts.range(source.size)[1] == 0:
            return wanted
        of = over.source.of if isinstance(over.source, ir.Everything) else ""
        seats = [*self.watching]
        if "me" in env and env["me"] == ME and ME not in seats and (of == "seats" or self.plays):
            seats.append(ME)
        for seat in seats if of in ("players", "seats") else ():
            inner = {**env, over.name: seat}
            if over.test is not None and not self.holds(over.test, inner):
                continue
            if self.holds(body, inner) != wanted:
                return not wanted
        return self.facts.choices.pick(2) == 0

    # ------------------------------------------------------------------------------ effects

    def effects(self, effects: tuple[ir.Effect, ...], env: Env) -> None:
        for effect in effects:
            self.body(effect.body, dict(env))

    def body(self, statements: tuple[ir.Stmt, ...], env: dict[str, Value]) -> None:
        for node in statements:
            match node:
                case ir.Assign():
                    self._assign(node, env)
                case ir.Step() | ir.Mark():
                    pass
                case ir.Move(card, source, target):
                    many = self._many(card, source, env)
                    self._move((source, target), many, env)
                case ir.Add(faces, target):
                    self._move((None, target), self._many(faces, None, env), env)
                case ir.Remove(faces, source):
                    self._move((source, None), self._many(faces, source, env), env)
                case ir.Let(name, value):
                    env[name] = self.value(value, env)
                case ir.If(branches, other):
                    taken = next((then for test, then in branches if self.holds(test, env)), other)
                    self.body(taken, dict(env))
                case ir.For(over, inner):
                    self._loop(over, inner, env)
                case _:
                    assert_never(node)

    def _many(self, what: ir.Expr | None, source: ir.Read | None, env: Env) -> Num:
        """How many cards or dice go."""
        if what is None:
            assert source is not None
            return self.size(source.name, self.key(source, env))
        value = self.value(what, env)
        if value is None:
            raise Impossible
        return value.size if isinstance(value, Many) else num(1)

    def _move(self, between: tuple[ir.Read | None, ir.Read | None], many: Num, env: Env) -> None:
        source, target = ((read.name, self.key(read, env)) if read is not None else None for read in between)
        names = [place[0] if place is not None else "" for place in (source, target)]
        if source is not None:
            self.facts.narrow(self.size(*source), many, 0, MANY)
        self.moved.append((("cards", names[0], names[1]), many))
        if source == target:
            return
        for place, sign in ((source, -1), (target, 1)):
            if place is not None:
                before = self.size(*place)
                after = self.facts.minus(before, many) if sign < 0 else self.facts.plus(before, many)
                self.facts.within(after, 0, self.world.holding[place[0]])
                self._forget(*place)
                self.sizes[place] = after

    def _assign(self, node: ir.Assign, env: Env) -> None:
        name, kind = node.target.name, self.world.variables[node.target.name].type
        key, inner = self.key(node.target, env), t.strip(kind)
        altered = self._altered(node, kind, key, env) if isinstance(kind, t.SetOf) else None
        new = self.value(node.value, env) if altered is None else altered
        if isinstance(inner, t.Int) and isinstance(new, Num):
            self.facts.within(new, inner.low, inner.high)
        match kind:
            case t.Optional():
                old = self.part(name, key)
                self.moved.append((("none", name, ""), num((new is None) - (old is None))))
            case t.Bool() | t.Int():
                old = self.part(name, key)
                if isinstance(old, Num) and isinstance(new, Num):
                    self.facts.sign(new, old)
                    by = Num(None, *self.facts.gap(new, old))
                    self.moved.append((("true" if kind == t.Bool() else "sum", name, ""), by))
            case t.SetOf():
                old = self.part(name, key)
                if isinstance(old, Many) and isinstance(new, Many):
                    self.facts.within(new.size, 0, kind.most)
                    by = Num(None, *self.facts.gap(new.size, old.size))
                    self.moved.append((("size", name, ""), by))
        self._forget(name, key)
        self.values[name, key] = new

    def _altered(self, node: ir.Assign, kind: t.SetOf, key: Key, env: Env) -> Many | None:
        """A set that is given one thing more, or less, as specs write it: `{p in players where p in x or p == me}`."""
        match node.value:
            case ir.Aggregate(
                "set", ir.Local(name), ir.Gather(over, ir.Everything(of) as source, ir.Binary(op, one, other))
            ) if name == over and op in ("or", "and"):
                pass
            case _:
                return None
        if t.element(source.type) != kind.of or (of == "players" and node.target.name not in self.world.of_players):
            return None
        for within, apart in ((one, other), (other, one)):
            match within, apart:
                case ir.Binary("in", ir.Local(x), ir.Read() as read), ir.Binary(compared, ir.Local(y), thing):
                    fits = x == y == name and compared == ("==" if op == "or" else "!=")
                    fits = fits and read.name == node.target.name and name not in locals_in((read.index, thing))
                    if fits and self.key(read, env) == key:
                        return self._with(self.part(read.name, key), self.value(thing, env), op == "or")
        return None

    def _with(self, old: Value, thing: Value, more: bool) -> Many | None:
        """A set with a thing, or without it."""
        if not isinstance(old, Many) or thing is None:
            return None
        if self._holds_one(thing, old) == more:
            return old
        new = Many(self.facts.plus(old.size, num(1 if more else -1)), self.facts.fresh())
        if new.name is not None and (which := self._exactly(thing)) is not None:
            self.members[new.name, which] = more
        return new

    def _loop(self, over: ir.Gather, body: tuple[ir.Stmt, ...], env: Env) -> None:
        """The body for any of what is gathered, as often as there may be things. What it changes is not known then."""
        source = self.value(over.source, env)
        low, high = self.facts.range(source.size) if isinstance(source, Many) else (0, MANY)
        if high == 0:
            return
        written = list(dict.fromkeys(read.name for read in changes(body)))

        def once(choices: Choices) -> Change | None:
            way = self._inside(choices)
            inner = {**env, over.name: way.one_of(over.source, env, over.item)}
            if over.test is not None and not way.holds(over.test, inner):
                return None
            for name in written:  # what the loop goes through was settled before it
                way._forget(name)
            way.body(body, inner)
            return way.change()

        try:
            ways = every(once, MOST_IN_LOOP, self.whole)
        except TooManyWays:
            if self.whole.ways < 0:
                raise
            ways = [None, self.coarse(body)]
        found = [way for way in ways if way is not None]
        if len(found) < len(ways):
            low = 0
        if not found:  # nothing can be done there, or nothing is gathered
            high = 0
            if low > 0:
                raise Impossible
        for what in dict.fromkeys(what for way in found for what in way):
            least = min(way.get(what, (0, 0))[0] for way in found)
            most = max(way.get(what, (0, 0))[1] for way in found)
            times = (low, min(high, MANY))
            self.moved.append((what, Num(None, min(least * n for n in times), max(most * n for n in times))))
        for name in written:
            self._forget(name)

    def coarse(self, body: object) -> Change:
        """The most that effects can do, whatever they look at."""
        return coarse(self.world, body)


def coarse(world: World, body: object) -> Change:
    """The most that effects can do, whatever they look at and however often they do it."""
    found: Change = {}
    for node in nodes(body):
        match node:
            case ir.Move(_, source, target):
                found["cards", source.name, target.name] = (0, MANY)
            case ir.Add(_, target):
                found["cards", "", target.name] = (0, MANY)
            case ir.Remove(_, source):
                found["cards", source.name, ""] = (0, MANY)
            case ir.Assign(target):
                kind = world.variables[target.name].type
                what = {t.Bool: "true", t.Int: "sum", t.Optional: "none", t.SetOf: "size"}.get(type(kind))
                if what is not None:
                    found[what, target.name, ""] = (-MANY, MANY)
    return found
