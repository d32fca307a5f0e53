"""The phases of a game as methods: who acts, what is legal, what an action does and who hears of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.annotations import parameter, size_of
from aeronef.dsl.emit.apart import taken_apart
from aeronef.dsl.emit.choices import Merged, each_choice, once
from aeronef.dsl.emit.expressions import ATOM, COMPARE, OR, PRODUCT, SUM, Speller, Spelt, wrapped
from aeronef.dsl.emit.statements import Statements
from aeronef.dsl.emit.writer import Writer, quoted, tuple_of
from aeronef.dsl.plan import nodes as plan
from aeronef.dsl.plan.phases import Phases as Planned
from aeronef.dsl.printer import spell as spell_words
from aeronef.dsl.walk import Looks, looked_at, looks, nodes, own_part


def merged(phases: Iterable[ir.Phase]) -> dict[str, Merged]:
    """The actions by their elements' names, in order of appearance."""
    found: dict[str, Merged] = {}
    for phase in phases:
        role = "outcome" if phase.kind == "chance" else "action"
        for action in phase.actions:
            params = [(p.name, p.type) for p in action.params]
            only = phase.only if action.only is None else action.only
            if phase.only is not None and action.only is not None:
                only = ir.Binary("and", phase.only, action.only, t.Bool(), action.span)
            if action.key in found:
                before = found[action.key]
                params = [(n, t.join(k, other) or k) for (n, k), (_, other) in zip(before.params, params, strict=True)]
                only = either(before.only, only)
            found[action.key] = Merged(action.name, action.key, tuple(params), role, only)
    return found


SEVERAL = 4  # parts of a place that are worth their names, though each is looked at once


class Phases:
    def __init__(self, speller: Speller, writer: Writer, statements: Statements) -> None:
        self.game = game = speller.game
        self.speller, self.writer, self.statements = speller, writer, statements
        self.planned = Planned(game, statements.planned)
        self.ways = self.planned.ways
        self.known: Looks = {}
        self.once = once(game)
        self.actions = merged(p for p in game.phases if p.kind != "chance")
        self.outcomes = merged(p for p in game.phases if p.kind == "chance")
        members = speller.members
        for action in (*self.actions.values(), *self.outcomes.values()):
            members.of(("id", action.role, action.key), f"id_{action.key}")
            for i, (name, _) in enumerate(action.params):
                members.of(("index", action.role, action.key, i), f"index_{action.key}_{name}")
        for phase in game.phases:
            for verb in ("enter", "asked", "ask", "next", "legal", "chance", "choices", "rest"):
                members.of((verb, phase.name), f"{verb}_{phase.name}")
            for act in phase.actions:
                for verb in ("do", "told", "why"):
                    members.of((verb, phase.name, act.key), f"{verb}_{phase.name}_{act.key}")
        # Where one phase alone lists something, what it lists is what any position does: the kernel need not look up
        # whose turn to list it is. (An instrumented game stays as it is.)
        self.alone: set[str] = set()
        for chance, verb, asked in ((True, "chance", "outcomes"), (False, "legal", "legal")):
            listing = [p.name for p in game.phases if p.kind != "automatic" and (p.kind == "chance") == chance]
            if len(listing) == 1 and not game.points:
                members.given[verb, listing[0]] = asked
                self.alone.add(asked)

    def member(self, *key: str | int) -> str:
        return self.speller.members[key]

    def base(self, action: Merged) -> str:
        return self.member("id", action.role, action.key)

    def index(self, action: Merged, i: int) -> str:
        return self.member("index", action.role, action.key, i)

    def merged(self, phase: ir.Phase, action: ir.Action) -> Merged:
        return (self.outcomes if phase.kind == "chance" else self.actions)[action.key]

    def phase(self, phase: ir.Phase) -> None:
        for function in self.planned.functions(phase):
            first = ", first: int" if function.first else ""
            gives = "list[int]" if function.verb == "asked" else "int | None"
            self._function(function, f"def {self.member(function.verb, phase.name)}(self{first}) -> {gives}:")
        if phase.kind == "automatic":
            return
        if phase.kind == "chance":
            self._chance(phase)
        else:
            self._legal(phase)
        if phase.sequence is not None:
            self._rest(phase, phase.sequence)
        for action in phase.actions:
            self._do(phase, action)
            self._told(phase, action)
            if phase.kind != "chance":
                self._why(phase, action)

    def _function(self, function: plan.Function, head: str) -> None:
        write = self.writer
        with write.block(head):
            if function.says:
                write.docstring(function.says)
            elif function.verb == "do" and all(isinstance(node, plan.Stay) for node in function.body):
                write.docstring("Nothing changes.")
            write.cite(function.by)
            self.statements.body(function.body)
        write.line()

    def mine(self, parts: object, action: ir.Action | None = None, phase: ir.Phase | None = None) -> None:
        self.statements.body(self.planned.mine(parts, action, phase))

    # ------------------------------------------------------------------------------ what can be done

    def _id(self, action: Merged, values: list[Spelt], first: str = "") -> str:
        """The dense id of an action with these values: its first id (as it is spelt, if it is not 0), and its values as
        digits."""
        total: Spelt | None = None
        for i, value in enumerate(values):
            digit, size = self._digit(action, i, value)
            total = digit if total is None else (f"{wrapped(total, PRODUCT)} * {size} + {wrapped(digit, SUM)}", SUM)
        if total is not None and self.is_first(action):
            return total[0]
        start = first or f"self.{self.base(action)}"
        return f"{start} + {wrapped(total, SUM)}" if total is not None else start

    def is_first(self, action: Merged) -> bool:
        """Whether an action is the first of all, so that its ids count from 0; unless its one value is a bool, which is
        a number only where something is added to it."""
        kinds = [kind for _, kind in action.params]
        others = self.actions if action.role == "action" else self.outcomes
        return action is next(iter(others.values())) and kinds != [t.Bool()]

    def _digit(self, action: Merged, i: int, value: Spelt) -> tuple[Spelt, str]:
        """A value's place among all that it could be, and how many these are."""
        _, kind = action.params[i]
        if isinstance(kind, t.ListOf):
            table = f"self.{self.index(action, i)}"
            return (f"{table}[{value[0]}]", ATOM), f"len({table})"
        name = kind.name if isinstance(kind, t.Enum | t.Card) else ""
        if name in self.speller.partial and not self.speller.partial[name]:
            value = f"self.{self.speller.members['place in', name]}[{value[0]}]", ATOM
        return self.speller.digit(value, kind), self._many(kind)

    def _many(self, kind: t.Type) -> str:
        if isinstance(kind, t.Enum | t.Card) and kind.name in self.speller.partial:
            return f"len({self.speller.every(kind.name)})"
        if isinstance(kind, t.Seat):
            return "self.n"
        if isinstance(kind, t.Card):
            return str(next(len(c.kinds) for c in self.game.cards if c.name == kind.name))
        return str(size_of(kind))

    def _nothing_else(self, asked: str, test: str) -> None:
        """What any position is asked for lists nothing where the test holds; what one phase is asked for is not asked
        there."""
        if asked in self.alone:
            with self.writer.block(f"if {test}:"):
                self.writer.line("return []")

    def _legal(self, phase: ir.Phase) -> None:
        """The ids of what is legal, ascending: actions in their order, where the values of each ascend."""
        write = self.writer
        order = list(self.actions)
        actions = sorted(phase.actions, key=lambda a: order.index(a.key))
        offers = [self.planned.offer(action) for action in actions]
        firsts = [self.speller.spell(offer.first) if offer.first is not None else "" for offer in offers]
        rows = [(*self._ids(self.merged(phase, o.action), o), first) for o, first in zip(offers, firsts, strict=True)]
        each = [each_choice(self.speller.known, self.merged(phase, o.action), o) for o in offers]
        verb = "legal"
        if phase.sequence is not None:
            verb = "choices"
            with write.block(f"def {self.member('legal', phase.name)}(self) -> list[int]:"):
                self._nothing_else("legal", "self.actor < 0")
                write.line(f"return self.completing(Position.{self.member('choices', phase.name)})")
            write.line()
        with write.block(f"def {self.member(verb, phase.name)}(self) -> list[int]:"):
            if verb == "legal":
                self._nothing_else("legal", "self.actor < 0")
            self.statements.body(self.planned.known_in(phase))
            if len(rows) == 1 and not rows[0][2] and not each[0]:
                ids, ascending, _ = rows[0]
                self._counting(actions[0], ids)
                write.line(f"return [{ids}]" if ascending else f"return sorted({{{ids}}})")
            elif not any(when or _is_many(ids) for ids, _, when in rows):
                write.line(f"return [{', '.join(ids for ids, _, _ in rows)}]")
            else:
                self._legal_rows(rows, each, actions)
        write.line()

    def _counting(self, action: ir.Action, ids: str) -> None:
        """What the ids of many choices are counted from."""
        if _is_many(ids) and not self.is_first(self.actions[action.key]):
            self.writer.line(f"first = self.{self.base(self.actions[action.key])}")

    def _legal_rows(
        self, rows: list[tuple[str, bool, str]], each: list[list[tuple[ir.Expr, int]]], actions: list[ir.Action]
    ) -> None:
        write = self.writer
        if rows[0][2] or each[0]:
            write.line("ids: list[int] = []")
        for i, (ids, _, when) in enumerate(rows):
            with write.block(f"if {when}:") if when else nullcontext():
                self._counting(actions[i], ids)
                often = 1 if len(each[i]) >= SEVERAL else len(each[i])  # all are asked
                zero = self.is_first(self.actions[actions[i].key])
                with taken_apart(self.speller, write, tuple(test for test, _ in each[i]), often):
                    for test, place in each[i]:
                        with write.block(f"if {self.speller.spell(test)}:"):
                            text = f"{place}" if zero else f"first + {place}" if place else "first"
                            write.line(f"ids.append({text})")
                if not each[i]:
                    begins = not i and not when
                    many = begins or _is_many(ids)
                    write.line(f"ids {'' if begins else '+'}= [{ids}]" if many else f"ids.append({ids})")
        write.line("return ids" if all(ascending for _, ascending, _ in rows) else "return sorted(set(ids))")

    def _ids(self, action: Merged, offer: plan.Offer) -> tuple[str, bool]:
        """The ids of an action's choices, and whether they ascend."""
        loops, ascending = "", True
        values: list[Spelt] = []
        for value in offer.values:
            p = value.param
            assert p.source is not None
            if p.kind == "given":
                values.append(self.speller.spelt(p.source))
                continue
            source, sorted_ = self._choices(p)
            ascending = ascending and sorted_
            loops += f" for {self.speller.local(p.name)} in {source}"
            loops += "".join(f" if {self.speller.spell(test, OR)}" for test in (p.test, value.when) if test is not None)
            values.append((self.speller.local(p.name), ATOM))
        ids = self._id(action, values, "first" if loops else "")
        alone = f" for {ids} in "
        if loops.startswith(alone) and loops.count(" for ") == 1 and " if " not in loops:
            return f"*{loops.removeprefix(alone)}", ascending
        return ids + loops, ascending

    def _choices(self, p: ir.Parameter) -> tuple[str, bool]:
        """The values of a parameter, and whether they ascend."""
        spell, source = self.speller.spell, p.source
        assert source is not None
        if p.kind == "some":
            assert p.size is not None
            return f"subsets({spell(source)}, {spell(p.size)})", True
        if isinstance(source.type, t.ZoneOf | t.Tray):
            if isinstance(source.type, t.ZoneOf) and source.type.slot:
                return f"held({spell(source)})", True
            kept = {n.name for n in nodes(source) if isinstance(n, ir.Read)} & self.statements.ordered
            if isinstance(source, ir.Read) and source.name in self.once:
                return spell(source), not kept
            return f"dict.fromkeys({spell(source)})", not kept
        return spell(source, OR), self.speller.ascends(source)

    def _chance(self, phase: ir.Phase) -> None:
        write = self.writer
        with write.block(f"def {self.member('chance', phase.name)}(self) -> list[tuple[int, int]]:"):
            self._nothing_else("outcomes", "self.actor != CHANCE")
            self.mine(tuple((p.source, p.size) for a in phase.actions for p in a.params))
            for action in phase.actions:
                self._outcomes(self.merged(phase, action), action)
        write.line()

    def _outcomes(self, action: Merged, node: ir.Action) -> None:
        write, spell, local = self.writer, self.speller.spell, self.speller.local
        values: list[Spelt] = []
        random: ir.Parameter | None = None
        for p in node.params:
            if p.kind == "given" and p.source is not None:
                values.append(self.speller.spelt(p.source))
            else:
                random = p
                values.append((local(p.name), ATOM))
        ids = self._id(action, values)
        if random is None:
            write.line(f"return [({ids}, 1)]")
            return
        name = local(random.name)
        if len(values) > 1 and node.params[-1] is random:  # what does not vary is worked out once
            digit, size = self._digit(action, len(values) - 1, values[-1])
            base = "" if self.is_first(action) else f"self.{self.base(action)} + "
            fixed = self._id(action, values[:-1]).removeprefix(base)
            write.line(f"first = {base}{f'({fixed})' if ' ' in fixed else fixed} * {size}")
            ids = f"first + {wrapped(digit, SUM)}"
        else:
            if not self.is_first(action):
                write.line(f"first = self.{self.base(action)}")
            ids = self._id(action, values, "first")
        if random.kind == "card":
            assert random.source is not None
            zone = self.speller.items(random.source)
            if isinstance(random.source, ir.Read) and random.source.name in self.once:
                ascending = f"sorted({zone})" if random.source.name in self.statements.ordered else zone
                write.line(f"return [({ids}, 1) for {name} in {ascending}]")
            else:
                write.line(f"return [({ids}, weight) for {name}, weight in copies({zone})]")
        elif random.kind == "uniform":
            assert random.source is not None
            if self.speller.ascends(random.source):
                write.line(f"return [({ids}, 1) for {name} in {spell(random.source, OR)}]")
            else:  # what stands twice in a list is twice as likely
                write.line(f"return [({ids}, weight) for {name}, weight in copies({spell(random.source)})]")
        else:
            assert random.size is not None
            dice = next(d for d in self.game.dice if d.name == random.dice)
            low = f", {dice.face.low}" if isinstance(dice.face, t.Int) and dice.face.low else ""
            thrown = f"rolls({self.speller.constants['dice', dice.name]}, {spell(random.size)}{low})"
            write.line(f"return [({ids}, weight) for {name}, weight in {thrown}]")

    # ------------------------------------------------------------------------------ what an action does

    def signature(self, action: ir.Action) -> str:
        return "".join(f", {self.speller.local(p.name)}: {parameter(p.type)}" for p in action.params)

    def _do(self, phase: ir.Phase, action: ir.Action) -> None:
        gives = "int" if action.visits is not None or action.then is not None else "None"
        head = f"def {self.member('do', phase.name, action.key)}(self{self.signature(action)}) -> {gives}:"
        self._function(self.planned.do(phase, action), head)

    def _told(self, phase: ir.Phase, action: ir.Action) -> None:
        if not hears_differ(action):
            return
        write = self.writer
        name = self.member("told", phase.name, action.key)
        with write.block(f"def {name}(self, viewer: int{self.signature(action)}) -> tuple[bool, ...]:"):
            self.mine(tuple(p.told.test for p in action.params), action, phase)
            write.line(f"return {tuple_of([self.speller.spell(p.told.test) for p in action.params])}")
        write.line()

    def _why(self, phase: ir.Phase, action: ir.Action) -> None:
        tests = list(self.tests(action))
        if not tests:
            return
        write, name = self.writer, self.member("why", phase.name, action.key)
        with write.block(f"def {name}(self{self.signature(action)}) -> tuple[Any, ...]:"):
            self.mine(tuple(node for _, _, node in tests), action, phase)
            items = [f"({quoted(words)}, {test}, {self._looks(node)})" for words, test, node in tests]
            write.line(f"return {tuple_of(items)}")
        write.line()

    def _rest(self, phase: ir.Phase, sequence: ir.Sequence) -> None:
        """What tells whether the rest of a sequence can be completed: what its actions ask, and what they do."""
        write = self.writer
        asked = tuple((a.when, *((p.source, p.size, p.test) for p in a.params)) for a in phase.actions)
        done = tuple(part for a in phase.actions for effect in a.effects for part in looked_at(effect.body))
        looks = self._looks((sequence.entries, asked, done))
        with write.block(f"def {self.member('rest', phase.name)}(self) -> tuple[Any, ...]:"):
            if ", me)" in looks:
                write.line("me = self.me")
            write.line(f"return ({quoted(sequence.words)}, {looks})")
        write.line()

    def tests(self, action: ir.Action) -> Iterator[tuple[str, str, object]]:
        """What makes an action legal: the words of the spec, the test, and what it looks at."""
        speller = self.speller
        for p in action.params:
            name = speller.local(p.name)
            assert p.source is not None
            choice, test = _halves(p.words)
            if p.kind == "given":
                fixed = speller.spell(p.source, COMPARE + 1)
                if isinstance(p.source, ir.Local) and p.source.name == p.name:  # the value has its name here
                    fixed = "self.me" if p.name == "me" else "self.row[0]"
                yield p.words, f"{name} == {fixed}", p.source
            elif p.kind == "some":
                assert p.size is not None
                yield (
                    choice,
                    f"{name} in subsets({speller.spell(p.source)}, {speller.spell(p.size)})",
                    (p.source, p.size),
                )
            else:
                yield choice, f"{name} in {speller.unordered(p.source, COMPARE + 1)}", p.source
            if p.test is not None:
                yield test, speller.spell(p.test), p.test
        if action.when is not None:
            yield action.when_words, speller.spell(action.when), action.when

    def _looks(self, node: object) -> str:
        """What a test reads, as (place, seat): the seat None where it may be anybody's."""
        found: dict[str, None] = {}
        for read, mine in looks(node, frozenset({"me"}), self.statements.planned.defines, self.known):
            whose = "me" if own_part(read, self.speller.each[read.name], mine) else "None"
            found[f'("{self.speller.called(read.name)}", {whose})'] = None
        return tuple_of(list(found)) if found else "()"


def _is_many(ids: str) -> bool:
    """Whether ids stand for those of many choices."""
    return " for " in ids or ids.startswith("*")


def either(one: ir.Only, other: ir.Only) -> ir.Only:
    """Where one of two is there."""
    if one is None or other is None:
        return None
    return one if spell_words(one) == spell_words(other) else ir.Binary("or", one, other, t.Bool(), one.span)


def _halves(words: str) -> tuple[str, str]:
    """A parameter's own words, before and after the `where` that is outside brackets."""
    depth = 0
    for i, char in enumerate(words):
        depth += (char in "([{") - (char in ")]}")
        if not depth and words.startswith(" where ", i):
            return words[:i], words[i + len(" where ") :]
    return words, words


def hears_differ(action: ir.Action) -> bool:
    """Whether somebody may not hear all of an action."""
    return not all(p.told.words == "everyone" for p in action.params)
