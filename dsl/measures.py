"""What random games report: at which moments something is observed, of which keys, and what.

Each moment is typed by itself: what is known then (`me`, the values of an action) is not the same everywhere. Measures
read everything, counts too, and change nothing.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span, nearest
from aeronef.dsl.expressions import Checker, Locals
from aeronef.dsl.facts import NOTHING, Facts, facts_if
from aeronef.dsl.overlays import element_name
from aeronef.dsl.phases import Phases
from aeronef.dsl.printer import spell
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence
from aeronef.dsl.spoken import describe
from aeronef.dsl.syntax import Parsed, parse
from aeronef.dsl.ways import END

MOST_KEYS = 10_000


@dataclasses.dataclass(frozen=True, slots=True)
class _At:
    """A moment as the spec has it: its name, and the text of what is measured then (None where it is counted)."""

    name: str
    span: Span
    value: Node | None


@dataclasses.dataclass(frozen=True, slots=True)
class _Known:
    """What a moment is, and what is known then."""

    phase: str
    action: str
    locals: Locals
    facts: Facts


class Measures(Phases):
    def measures(self, phases: tuple[ir.Phase, ...]) -> Iterator[ir.Measure]:
        """Every measure without mistakes. `phases` are those without; of the others nothing more is said."""
        there = {phase.name: phase for phase in phases}
        for key, node in self.section("measures"):
            if not key.text.isprintable() or key.text.strip() != key.text or not key.text:
                self.wrong("AE403", key.span, "this cannot name a measure", "one or more words on one line")
            elif not isinstance(node, Broken):
                measure = self._measure(key, node, there)
                if measure is not None:
                    yield measure

    def _measure(self, key: Scalar, node: Node, there: dict[str, ir.Phase]) -> ir.Measure | None:
        by = self.cited(self.field(node, "by"), f"measures.{key.text}")
        ats = list(self._ats(key, node))
        each = self.field(node, "each")
        keys: list[Node] = [*each.items] if isinstance(each, Sequence) else [each] if each is not None else []
        moments: list[ir.Moment] = []
        said: dict[str, Span] = {}
        for at in ats:
            if at.name in said:
                self.wrong("AE105", at.span, f"`{at.name}` is named twice", "keep one of the two")
            said[at.name] = at.span
            known = self._known(at, there)
            moment = self._moment(at, known, keys, there, ats) if known is not None else None
            if moment is not None:
                moments.append(moment)
        if not ats or len(moments) != len(ats):
            return None
        kinds = self._key_types(key, moments)
        if kinds is None or not self._of_one_form(moments):
            return None
        value = moments[0].value
        form = "count" if value is None else "bool" if isinstance(value.type, t.Bool) else "number"
        says = self.text(self.field(node, "says"))
        return ir.Measure(key.text, form, kinds, tuple(moments), by, says, key.span)  # type: ignore[arg-type]

    # ------------------------------------------------------------------------------ when

    def _ats(self, key: Scalar, node: Node) -> Iterator[_At]:
        """The moments that a measure names; none after a mistake."""
        if not isinstance(node, Mapping):
            yield _At(END, key.span, node)
            return
        at, value = node.get("at"), node.get("is")
        if isinstance(at, Broken) or isinstance(value, Broken) or isinstance(node.get("each"), Broken):
            return
        if isinstance(at, Mapping):
            if value is not None:
                hint = "take `is:` out, or make a list of the moments"
                self.wrong("AE610", value.span, "each moment under `at:` says itself what is measured", hint)
            for moment, text in at:
                yield _At(moment.text, moment.span, text)
        elif at is not None:
            items = at.items if isinstance(at, Sequence) else [at]
            yield from (_At(item.text, item.span, value) for item in items if isinstance(item, Scalar))
        elif value is None and node.get("each") is None:
            hint = "add `is:` (what is measured), or `at:` (to count how often that happens)"
            self.wrong("AE606", key.span, f"nothing says what `{key.text}` measures", hint)
        else:
            yield _At(END, key.span, value)

    def _known(self, at: _At, there: dict[str, ir.Phase]) -> _Known | None:
        """What is known at a moment; None where it is unknown, or its phase has mistakes."""
        if at.name == END:
            return _Known("", "", {}, NOTHING)
        name, dot, act = at.name.partition(".")
        acts = {key.text: set(self._acts(node)) for key, node in self.section("phases")}
        if name not in acts or (dot and act not in acts[name] and not self._broken(name)):
            moments = [END, *acts, *(f"{phase}.{action}" for phase in acts for action in acts[phase])]
            inside = [f"phases.{name}.{part}.{act}" for part in ("actions", "outcomes")]
            brought = self.report.brought
            who = next((brought[element] for element in (*inside, f"phases.{name}") if element in brought), None)
            hint = nearest(at.name, moments)
            if who is not None:
                hint = f"the optional rule `{who}` adds it: observe it there, under its `add:`"
            self.wrong("AE401", at.span, f"there is no moment `{at.name}`", hint)
            return None
        phase = there.get(name)
        if phase is None:
            return None
        me: Locals = {"me": t.Seat()}
        if not dot:
            return _Known(name, "", me if self.doubted or name in self.ways.guests else {}, NOTHING)
        action = next((a for a in phase.actions if a.key == act), None)
        if action is None:
            return None
        locals_ = {} if phase.kind == "chance" and phase.over is None else dict(me)
        locals_ |= {p.name: p.type for p in action.params if p.kind != "given"}
        facts = NOTHING
        for test in (*(p.test for p in action.params), action.when):
            facts |= facts_if(test, True) if test is not None else NOTHING
        return _Known(name, act, locals_, facts)

    def _acts(self, phase: Node) -> Iterator[str]:
        for key, _ in (*self.listed(phase, "actions"), *self.listed(phase, "outcomes")):
            yield element_name(key.text)

    def _broken(self, name: str) -> bool:
        """Whether it is not known which actions a phase has."""
        node = next(node for key, node in self.section("phases") if key.text == name)
        return isinstance(node, Broken) or any(
            isinstance(self.field(node, part), Broken) for part in ("actions", "outcomes")
        )

    # ------------------------------------------------------------------------------ what

    def _moment(
        self, at: _At, known: _Known, keys: list[Node], there: dict[str, ir.Phase], ats: list[_At]
    ) -> ir.Moment | None:
        """One moment; what several share is typed by what is decided at all of them."""
        shared = frozenset.intersection(*(self.settled_in(other.name.partition(".")[0]) for other in ats))
        alone = sum(other.value is at.value for other in ats) == 1
        self.world.settled = shared
        try:
            over = self._keyed(at, known, keys, there)
            if over is None:
                return None
            self.world.settled = self.settled_in(at.name.partition(".")[0]) if alone else shared
            return self._observed(at, known, *over)
        finally:
            self.world.settled = frozenset()

    def _keyed(
        self, at: _At, known: _Known, keys: list[Node], there: dict[str, ir.Phase]
    ) -> tuple[tuple[ir.Gather, ...], Locals, Facts, set[str]] | None:
        """The keys of what is observed, and what is known beside them: names, facts, and names that others know."""
        values = {"me", *(p.name for phase in there.values() for a in phase.actions for p in a.params)}
        values -= known.locals.keys()
        locals_, facts = dict(known.locals), known.facts
        over: list[ir.Gather] = []
        for node in keys:
            parsed = parse(node, "gathering", self.report) if isinstance(node, Scalar) else None
            if parsed is None or not self._now(parsed, at, values - locals_.keys()):
                return None
            checker = Checker(self.world, parsed, locals_, counting=True)
            tree = cast("Tree[Token]", parsed.tree.children[0])
            found = checker.gather(tree, facts)
            if found.node is None or not self._is_key(found.node):
                return None
            over.append(found.node)
            locals_[found.name] = found.item
            facts = found.facts
        return tuple(over), locals_, facts, values - locals_.keys()

    def _observed(
        self, at: _At, known: _Known, over: tuple[ir.Gather, ...], locals_: Locals, facts: Facts, others: set[str]
    ) -> ir.Moment | None:
        if at.value is None:
            return ir.Moment(known.phase, known.action, over, None, at.span)
        parsed = parse(at.value, "expression", self.report) if isinstance(at.value, Scalar) else None
        if parsed is None or not self._now(parsed, at, others):
            return None
        checker = Checker(self.world, parsed, locals_, counting=True)
        body = parsed.tree.children[0]
        value = checker.sure(checker.check(body, facts), body)
        if value is not None and not isinstance(value.type, t.Int | t.Bool):
            message = f"a number is measured, or a yes or no, and this is {describe(value.type)}"
            self.wrong("AE501", value.span, message, "as in `size(…)`, or a test")
            return None
        return None if value is None else ir.Moment(known.phase, known.action, over, value, at.span)

    def _now(self, parsed: Parsed, at: _At, values: set[str]) -> bool:
        """Whether a text names nothing that is known at other moments only."""
        names = [tree for tree in parsed.tree.iter_subtrees() if tree.data == "name"]
        heads = [tree.children[0] for tree in parsed.tree.iter_subtrees() if tree.data == "member"]
        bound = {str(head.children[0]) for head in heads if isinstance(head, Tree) and head.data == "name"}
        for tree in names:
            name = str(tree.children[0])
            elsewhere = name in values and name not in bound and name not in self.world.declared
            if elsewhere and not self.world.enum_values(name):
                what = "who acts is" if name == "me" else "what an action takes is"
                hint = f"{what} known at the action: `at: PHASE.ACTION`"
                self.wrong("AE401", parsed.span(tree), f"`{name}` is not known at `{at.name}`", hint)
                return False
        return True

    def _is_key(self, over: ir.Gather) -> bool:
        if isinstance(over.item, t.Owned):
            hint = f"name the card: `{over.name} in [g.card for g in {spell(over.source)}]`"
            self.wrong("AE501", over.span, f"no key is {describe(over.item)}", hint)
            return False
        if over.key is not None:
            self.wrong("AE610", over.span, "the keys of a measure have an order of their own", "take `by …` out")
            return False
        return True

    def _key_types(self, key: Scalar, moments: list[ir.Moment]) -> tuple[t.Type, ...] | None:
        """The types of the keys, each of all moments together."""
        found: list[t.Type] = []
        for overs in zip(*(moment.over for moment in moments), strict=True):
            kind: t.Type | None = overs[0].item
            for over, moment in zip(overs, moments, strict=True):
                kind = t.join(kind, over.item) if kind is not None and type(kind) is type(over.item) else None
                if kind is None:
                    message = f"at `{moment.name}` this is {describe(over.item)}, at `{moments[0].name}` it is not"
                    self.wrong("AE501", over.span, message, "make two measures of it")
                    return None
            assert kind is not None
            found.append(kind)
        many = math.prod(self._labels(kind) for kind in found)
        if many > MOST_KEYS:
            hint = f"at most {MOST_KEYS:,}: gather from a range, as in `n in 1..24 where n == …`"
            self.wrong("AE502", (moments[0].over or [key])[0].span, f"`{key.text}` would have {many:,} keys", hint)
            return None
        return tuple(found)

    def _of_one_form(self, moments: list[ir.Moment]) -> bool:
        first = moments[0]
        for moment in moments[1:]:
            one, other = first.value, moment.value
            if one is not None and other is not None and type(one.type) is not type(other.type):
                message = f"this is {describe(other.type)}, and at `{first.name}` it is {describe(one.type)}"
                self.wrong("AE501", other.span, message, "make two measures of it")
                return False
        return True
