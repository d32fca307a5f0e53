"""The phases of a spec: who acts, what they can do, what happens, and which phase follows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Literal, cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Report, Span, nearest
from aeronef.dsl.effects import EffectChecker
from aeronef.dsl.expressions import BOOL, LOST, Checker, Child, Locals
from aeronef.dsl.facts import NOTHING, Facts, facts_if
from aeronef.dsl.overlays import element_name
from aeronef.dsl.printer import spell
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence
from aeronef.dsl.scope import reserved
from aeronef.dsl.spoken import being, describe
from aeronef.dsl.syntax import Parsed, parse
from aeronef.dsl.texts import Texts
from aeronef.dsl.ways import BACK, END, Ways

MOST_IDS = 200_000
MOST_CHOSEN = 8
MOST_DICE = 10
Kind = Literal["automatic", "together", "turns", "chance"]
ACTING: tuple[Kind, ...] = ("together", "turns", "chance")


class Phases(Texts):
    ways: Ways  # as the texts have it, before they are checked: what `me` means in a phase depends on who leads there
    doubted: bool = False  # one of them is wrong, so that which phases are of detours is not known
    led: dict[str, Span]  # the phases that ask whom they are visited for

    def name_phases(self) -> None:
        for key, _ in self.section("phases"):
            if key.text in (END, BACK):
                what = "a game ends" if key.text == END else "a detour ends"
                message = f"`{key.text}` is where {what}, and needs no phase"
                self.wrong("AE403", key.span, message, "choose another name")
            elif not re.fullmatch(r"[a-z][A-Za-z_0-9]*", key.text):
                self.wrong(
                    "AE403",
                    key.span,
                    f"`{key.text}` cannot name a phase",
                    "letters, digits and _, a small letter first",
                )
            self.world.phases[key.text] = key.span
        self.ways, self.led = self._find_ways(), {}
        every = [*self.ways.ways.values(), *self.ways.visits.values()]
        known = {*self.world.phases, END, BACK}
        self.doubted = any(self.ways.visits.values()) and any(name not in known for names in every for name in names)

    def _find_ways(self) -> Ways:
        ways: dict[str, list[str]] = {}
        visits: dict[str, list[str]] = {}
        alone: list[str] = []
        for key, node in self.section("phases"):
            ways[key.text] = _named(self.field(node, "then"))
            listed = (*self.listed(node, "actions"), *self.listed(node, "outcomes"))
            ways[key.text] += [name for _, action in listed for name in _named(self.field(action, "then"))]
            led = [_visited(self.field(action, "visits")) for _, action in listed]
            visits[key.text] = [name for names, _ in led for name in names]
            chance = self.field(node, "chance")
            over = chance.get("over") if isinstance(chance, Mapping) else chance
            if chance is not None and (over is None or self.text(over) == "once") and not all(for_ for _, for_ in led):
                alone.append(key.text)
        return Ways(ways, visits, alone)

    def phases(self) -> Iterator[ir.Phase]:
        for key, node in self.section("phases"):
            self.world.settled = self.settled_in(key.text)
            phase = self._phase(key, node) if not isinstance(node, Broken) else None
            self.world.settled = frozenset()
            if phase is not None:
                self._decides(phase)
                yield phase

    def settled_in(self, phase: str) -> frozenset[str]:
        """The variables that are decided whenever a phase is played, or (of `end`) when the game is over."""
        decided = self.world.decided.items() if not self.doubted else ()
        return frozenset(name for name, by in decided if self.ways.follows(phase, by))

    def _phase(self, key: Scalar, node: Node) -> ir.Phase | None:
        element = f"phases.{key.text}"
        by = self.cited(self.field(node, "by"), element)
        led: dict[str, t.Type] = {"me": t.Seat()} if self.doubted or key.text in self.ways.guests else {}
        effects, _ = self._effects(self.field(node, "do"), led, (), element)
        kind = self._kind(key, node)
        me: dict[str, t.Type] = {"me": t.Seat()}
        over = start = until = asks = None
        sequence: ir.Sequence | None = None
        entry: Locals = {}  # what the actions know beside `me`
        order = self.field(node, kind)
        if isinstance(order, Mapping):
            if kind == "chance" and order.get("over") is None:
                me = {}
            over = self._seats(order.get("over"), led)
            start = self.expression(order.get("from"), led, t.Seat(), "the first seat")
            until = self.expression(order.get("until"), {} if order.get("from") is not None else me, BOOL)
            asks = self.expression(order.get("asks"), me, BOOL)
            if order.get("sequence") is not None:
                facts = facts_if(asks, True) if asks is not None else NOTHING
                sequence, entry = self._sequence(order.get("sequence"), me, facts)
        elif kind == "chance" and self.text(order) == "once":
            me = {}
        else:
            over = self._seats(order, led)
        if kind == "together" and isinstance(over, ir.Aggregate) and over.over.key is not None:
            message = "those who choose together have no order: all choose at once"
            self.report.add("AE609", over.over.span, message, "take `by …` out", element=element)
        if kind in ("together", "turns") and self.world.most_automata:
            self._players_only(key, over, start, asks)
        once = isinstance(order, Mapping) and order.get("over") is not None and order.get("from") is None
        again = once and (until is not None or bool(entry))  # who acts again is not asked again
        asked = facts_if(asks, True) if asks is not None and not again else NOTHING
        if until is not None and start is None:  # it is asked before each action
            asked |= facts_if(until, False)
        actions: list[ir.Action] = []
        names: dict[str, Span] = {}
        for action_key, action_node in self.listed(node, "outcomes" if kind == "chance" else "actions"):
            action = self._action(action_key, action_node, kind == "chance", {**me, **entry}, asked, element)
            name = element_name(action_key.text)
            if name in names:
                notes = [(names[name], "the first is here")]
                message = f"two of this phase are called `{name}`"
                hint = f"rename one, or tell it apart: `{name}(…) as OTHER`"
                self.report.add("AE403", action_key.span, message, hint, notes)
            names[name] = action_key.span
            self._ways_out(kind, key, order, action_node)
            if action is not None:
                actions.append(action)
        # An empty sequence passes a seat over that `asks:` let through.
        passed = facts_if(asks, False) if asks is not None and not entry else NOTHING
        unasked, _ = self._effects(self.field(node, "unasked"), me, (), element, passed)
        then = self._then(self.field(node, "then"), key, led, element)
        if then is None:
            return None
        says = self.text(self.field(node, "says"))
        settled = tuple(sorted(self.world.settled))
        return ir.Phase(
            key.text, kind, effects, over, start, until, asks, unasked, tuple(actions), then, by, says, key.span,
            self.called(node), settled=settled, sequence=sequence,
        )  # fmt: skip

    def _decides(self, phase: ir.Phase) -> None:
        """Reports AE503 where a phase may leave none what it is said to decide."""
        for name in (name for name, by in self.world.decided.items() if by == phase.name):
            held = phase.over is None and phase.asks is None and not any(a.then for a in phase.actions)
            drawn = (
                phase.kind == "chance" and phase.until is None and all(_sets(a.effects, name) for a in phase.actions)
            )
            asked = phase.until is not None and name in facts_if(phase.until, True)
            if not (_sets(phase.effects, name) or (held and (drawn or asked))):
                until = f"let chance or turns `from:` go on `until: {name} != none`"
                hint = f"give it a value in the phase's `do:`, or {until}"
                self.wrong("AE503", phase.span, f"`{name}` may still be none when `{phase.name}` ends", hint)

    def _sequence(self, node: Node | None, me: Locals, facts: Facts) -> tuple[ir.Sequence | None, Locals]:
        """What a seat has to answer one by one, and the name that the actions know an entry by, with its type."""
        parsed = parse(node, "gathering", self.report) if isinstance(node, Scalar) else None
        if parsed is None:
            return None, {LOST: None}
        checker = Checker(self.world, parsed, me)
        tree = cast("Tree[Token]", parsed.tree.children[0])
        if not checker.gathers(tree) or tree.data == "each":
            hint = "as in `k in 1..2`, or `c in hand[me] where …`"
            self.wrong("AE301", parsed.span(tree), "this must name what is answered by each choice", hint)
            return None, {LOST: None}
        found = checker.gather(tree, facts)
        over, entry = found.node, {found.name or LOST: found.item}
        if over is None:
            return None, entry
        if isinstance(over.item, t.Owned) or not isinstance(over.item, t.Plain):
            hint = f"as in `{over.name} in [x.card for x in {spell(over.source)}]`"
            hint = hint if isinstance(over.item, t.Owned) else ""
            message = f"what is answered is a single value, and this is {describe(over.item)}"
            self.wrong("AE501", over.span, message, hint)
            return None, {over.name: None}
        itself = ir.Local(over.name, over.item, over.span)
        entries = ir.Aggregate("list", itself, over, t.ListOf(over.item, t.most(over.source.type)), over.span)
        return ir.Sequence(over.name, entries, parsed.words(tree), over.span), entry

    def _seats(self, node: Node | None, led: Locals) -> ir.Expr | None:
        return self.gathered(node, led, t.Seat(), "these must be seats")

    # ------------------------------------------------------------------------------ who acts

    def _kind(self, key: Scalar, node: Node) -> Kind:
        """What kind of phase this is; what does not go together is reported."""
        said = {name for name in ("together", "turns", "chance", "actions", "outcomes", "unasked")
                if (value := self.field(node, name)) is not None and not isinstance(value, Broken)}  # fmt: skip
        unknown = any(isinstance(self.field(node, name), Broken) for name in ACTING)
        kinds: list[Kind] = [name for name in ACTING if name in said]
        kind: Kind = kinds[0] if kinds else "automatic"
        if unknown:
            return kind if kinds else "turns"
        order = self.field(node, kind)

        def at(name: str) -> Span:
            """The key of the phase, or of its order, that is meant."""
            for where in (node, order):
                for k, _ in where if isinstance(where, Mapping) else []:
                    if k.text == name:
                        return k.span
            return key.span

        if len(kinds) > 1:
            self.wrong("AE609", at(kinds[1]), f"a phase is `{kinds[0]}` or `{kinds[1]}`", "make two phases of it")
        wanted = "outcomes" if kind == "chance" else "actions"
        for name in ("actions", "outcomes"):
            if name in said and (kind == "automatic" or name != wanted):
                message = f"nobody acts in `{key.text}`" if kind == "automatic" else f"`{kind}` has no `{name}:`"
                hint = (
                    "say who: `together:` or `turns:`, or `chance:`" if kind == "automatic" else f"it has `{wanted}:`"
                )
                self.wrong("AE609", at(name), message, hint)
        listed = list(self.listed(node, wanted))
        unsaid = not ({"actions", "outcomes"} & said) and not isinstance(self.field(node, wanted), Broken)
        if kind != "automatic" and (unsaid or (wanted in said and not listed)):
            what = "nothing can happen" if kind == "chance" else "there is nothing to do"
            self.wrong("AE609", key.span, f"{what} in `{key.text}`", f"add `{wanted}:`")
        if kind == "chance" and len(listed) > 1:
            message = "chance has one kind of outcome in a phase"
            self.wrong("AE609", listed[1][0].span, message, "use two phases, or a die that says which")
        if kind == "turns" and isinstance(order, Mapping):
            self._round(order, at)
        if kind == "chance" and isinstance(order, Mapping) and order.get("asks") is not None and not order.get("over"):
            self.wrong("AE609", at("asks"), "nobody is asked here", "`asks:` goes with `over:`, the seats")
        passing = isinstance(order, Mapping) and any(order.get(name) is not None for name in ("asks", "sequence"))
        if "unasked" in said and not passing:
            hint = "`turns:` with `asks:` or `sequence:` passes seats over"
            self.wrong("AE610", at("unasked"), f"nobody is passed over in `{key.text}`", hint)
        return kind

    def _round(self, order: Mapping, at: Callable[[str], Span]) -> None:
        over, start, until, asks = (order.get(name) is not None for name in ("over", "from", "until", "asks"))
        if over and start:
            hint = "`over:` goes once through some seats, `from:` round and round through all players"
            self.wrong("AE609", at("from"), "turns go over seats, or round from one", hint)
        elif not over and not start:
            hint = "`over:` goes once through some seats, `from:` round and round through all players"
            self.wrong("AE609", at("turns"), "nobody says whose turns these are", hint)
        elif start and not until and not asks and order.get("sequence") is None:
            self.wrong("AE609", at("from"), "these turns go round for ever", "add `until:`, or `asks:`")
        if order.get("sequence") is not None:
            for name, said in (("from", start), ("until", until)):
                if said:
                    hint = "a seat makes one choice for each entry, and then the next has its turn: use `over:`"
                    self.wrong("AE609", at(name), f"turns with `sequence:` have no `{name}:`", hint)

    def _ways_out(self, kind: Kind, phase: Scalar, order: Node | None, action: Node) -> None:
        """Reports AE609 where an action cannot visit a phase, leave its own, or reopen the turns."""
        visits, then, reopens = (
            node if (node := self.field(action, name)) is not None and not isinstance(node, Broken) else None
            for name in ("visits", "then", "reopens")
        )
        out = visits or then or reopens
        if out is not None and isinstance(order, Mapping) and order.get("sequence") is not None:
            hint = "a choice has its own effects here; let the next phase lead on"
            self.wrong("AE609", out.span, f"`{phase.text}` goes on until its `sequence:` is answered", hint)
            return
        if kind == "together" and visits is not None:
            message = f"`{phase.text}` cannot be set aside while seats choose together"
            self.wrong("AE609", visits.span, message, "visit it from the next phase")
        elif kind == "together" and then is not None:
            message = f"`{phase.text}` goes on until all have chosen"
            self.wrong("AE609", then.span, message, "let the phase's own `then:` decide")
        elif then is not None and (other := visits or reopens) is not None:
            word = "visits a phase, and its own goes on" if visits is not None else "reopens the turns"
            self.wrong("AE609", other.span, f"this action {word}, or it ends its phase (`then:`)", "take one out")
        once = isinstance(order, Scalar) or (
            isinstance(order, Mapping) and order.get("over") is not None and order.get("until") is None
        )
        if reopens is not None and not (kind == "turns" and once):
            hint = "`turns:` with `over:` ask each once, and can be reopened"
            self.wrong("AE609", reopens.span, "there is nothing to reopen here", hint)

    def _players_only(self, key: Scalar, over: ir.Expr | None, start: ir.Expr | None, asks: ir.Expr | None) -> None:
        """Reports AE609 where the seat of an automaton could be asked."""
        round_ = start is not None and asks is not None  # which goes through the players alone
        chance = {k.text for k, node in self.section("phases") if self.field(node, "chance") is not None}
        led = not chance & set(self.ways.hosts.get(key.text, ()))  # by a player, if by anybody
        if round_ or _leaves_out_automata(asks, "me"):
            return
        if self._may_be_automaton(over or start, led):
            self._automaton_asked((over or start or key).span)
        elif self._may_be_automaton(over or start, False):
            self.led[key.text] = (over or start or key).span

    def _automaton_asked(self, span: Span) -> None:
        hint = "add `where not automaton(…)` to the seats, or `asks: not automaton(me)` to the turns"
        self.wrong("AE609", span, "automata take no decisions, and could be asked here", hint)

    def visited_for(self, phases: tuple[ir.Phase, ...]) -> None:
        """Reports AE609 where an action visits, for a seat that may be an automaton's, a phase that asks it."""
        for phase, action in ((p, a) for p in phases for a in p.actions if a.guest is not None):
            guest, chosen = action.guest, {p.name: p for p in action.params if p.kind == "one"}
            if isinstance(guest, ir.Local) and guest.name in chosen:
                p = chosen[guest.name]
                maybe = self._may_be_automaton(p.source, True) and not _leaves_out_automata(p.test, p.name)
            else:
                maybe = self._may_be_automaton(guest, phase.kind != "chance")
            for name in self.led if maybe else ():
                if phase.name in self.ways.hosts.get(name, ()):
                    self._automaton_asked(self.led[name])

    def _may_be_automaton(self, node: ir.Expr | None, led: bool) -> bool:
        """`led`: `me` is a player, whose action led to the phase."""
        match node:
            case ir.Local("me"):
                return not led
            case None | ir.Everything("players") | ir.Builtin("clockwise") | ir.Const() | ir.Option() | ir.Lookup():
                return False
            case ir.Aggregate("list" | "set", ir.Local(name), over) if name == over.name:
                return self._may_be_automaton(over.source, led) and not _leaves_out_automata(over.test, name)
            case ir.Call(name):
                return self._may_be_automaton(self.world.defines[name].body, led=False)
            case ir.Collection(_, items):
                return any(self._may_be_automaton(item, led) for item in items)
            case ir.Choice(_, then, other) | ir.Binary("otherwise", then, other):
                return self._may_be_automaton(then, led) or self._may_be_automaton(other, led)
            case _:
                return True

    # ------------------------------------------------------------------------------ effects and ways on

    def _effects(
        self, node: Node | None, locals_: Locals, by: tuple[str, ...], element: str, facts: Facts = NOTHING
    ) -> tuple[tuple[ir.Effect, ...], Facts]:
        found: list[ir.Effect] = []
        for item in node.items if isinstance(node, Sequence) else [node] if node is not None else []:
            text = self.field(item, "do") if isinstance(item, Mapping) else item
            cited = self.cited(self.field(item, "by"), element) if isinstance(item, Mapping) else by
            says = self.text(self.field(item, "says"))
            parsed = parse(text, "block", self.report) if isinstance(text, Scalar) else None
            if parsed is None:
                facts = NOTHING
                continue
            body, facts = EffectChecker(self.world, parsed, locals_).block(parsed.tree, facts)
            found.append(ir.Effect(body, cited, says, parsed.scalar.span))
        return tuple(found), facts

    def _then(self, node: Node | None, key: Scalar, led: Locals, element: str) -> ir.Goto | None:
        if node is None:
            message = f"the phase `{key.text}` has no way on"
            hint = "add `then:` with the next phase, or `end`"
            self.report.add("AE602", key.span, message, hint, element=element)
            return None
        return self._way_on(node, key.text, led, NOTHING)

    def _way_on(self, node: Node, phase: str, locals_: Locals, facts: Facts) -> ir.Goto | None:
        """Where a phase leads: another, the end, and of one that is visited back."""
        parsed = parse(node, "goto", self.report) if isinstance(node, Scalar) else None
        if parsed is None:
            return None
        if self.doubted or phase in self.ways.hosts:
            return self._goto(parsed, parsed.tree, locals_, facts, (END, BACK), "")
        unvisited, hint = f"nobody visits `{phase}`: there is no way back", "an action visits a phase, by its `visits:`"
        return self._goto(parsed, parsed.tree, locals_, facts, (END,), unvisited, hint)

    def _visit(self, node: Node, locals_: Locals, facts: Facts) -> tuple[ir.Goto, ir.Expr | None] | None:
        """The phase that an action visits, and the seat that it does so for."""
        parsed = parse(node, "visit", self.report) if isinstance(node, Scalar) else None
        if parsed is None:
            return None
        tree, *seats = parsed.tree.children
        unfit, hint = "an action visits a phase, and then its own goes on", "say it in the phase that is visited"
        way = self._goto(parsed, cast("Tree[Token]", tree), locals_, facts, (), unfit, hint)
        checker = Checker(self.world, parsed, locals_)
        found = [checker.of_type(seat, t.Seat(), facts, "who is visited for") for seat in seats if seat is not None]
        return None if way is None or None in found else (way, found[0] if found else None)

    def _goto(
        self, parsed: Parsed, tree: Tree[Token], locals_: Locals, facts: Facts, words: tuple[str, ...], unfit: str,
        hint: str = "",
    ) -> ir.Goto | None:  # fmt: skip
        """A way on, to phases or to one of the words; `unfit` is what to say of the others."""
        branches: list[tuple[ir.Expr | None, str]] = []
        checker = Checker(self.world, parsed, locals_)
        sound, rest = True, [tree]
        while rest:
            name, *parts = rest.pop().children
            if name in (END, BACK) and name not in words:
                self.wrong("AE609", checker.span(name), unfit, hint)
                sound = False
            elif name not in (*words, *self.world.phases):
                near = nearest(str(name), [*self.world.phases, *words])
                self.wrong("AE401", checker.span(name), f"unknown phase `{name}`", near)
                sound = False
            test = checker.of_type(parts[0], BOOL, facts) if parts else None
            if test is not None:
                facts |= facts_if(test, False)
            sound = sound and (test is not None or not parts)
            rest = [cast("Tree[Token]", part) for part in parts[1:]]
            branches.append((test, str(name)))
        return ir.Goto(tuple(branches), parsed.scalar.span) if sound else None

    # ------------------------------------------------------------------------------ actions and outcomes

    def _action(self, key: Scalar, node: Node, chance: bool, me: Locals, facts: Facts, phase: str) -> ir.Action | None:
        parsed = parse(key, "signature", self.report)
        if parsed is None:
            return None
        name, *rest = parsed.tree.children
        trees = [child for child in rest if isinstance(child, Tree)]
        title = str(rest[-1] if rest and isinstance(rest[-1], Token) else name)
        element = f"{phase}.{'outcomes' if chance else 'actions'}.{title}"
        by = self.cited(self.field(node, "by"), element)
        locals_ = dict(me)
        params: list[ir.Parameter] = []
        for place, tree in enumerate(trees, 1):
            checker = Checker(self.world, parsed, locals_)
            param, found = self._parameter(checker, tree, place, facts, chance)
            if found is not None and any(p.name == found.name for p in params):
                self.wrong("AE403", found.span, f"`{found.name}` stands here twice", "take one out")
                found = None
            elif param not in locals_ and (param or found is None):
                locals_[param or LOST] = found.type if found is not None else None
            if found is None:
                continue
            params.append(found)
            facts |= facts_if(found.test, True) if found.test is not None else NOTHING
        told_node = self.field(node, "told")
        if not trees and told_node is not None and not isinstance(told_node, Broken):
            self.wrong("AE610", told_node.span, f"`{title}` has no values to tell of", "take `told:` out")
        if chance and sum(p.kind != "given" for p in params) > 1:
            self.wrong("AE608", key.span, "an outcome has at most one value that chance decides", "use two phases")
        if len(params) == len(trees) and not self._told_names(told_node, params):
            told_node = Broken(key.span)  # what is not told may be what was misspelt
        told = [heard for p in params if (heard := self._told(p, told_node, locals_, element)) is not None]
        when_node = self.field(node, "when")
        when = self.expression(when_node, locals_, BOOL, facts=facts)
        facts |= facts_if(when, True) if when is not None else NOTHING
        effects, facts = self._effects(self.field(node, "do"), locals_, by, element, facts)
        visits = guest = then = None
        if (visits_node := self.field(node, "visits")) is not None:
            visit = self._visit(visits_node, locals_, facts)
            if visit is None:
                return None
            visits, guest = visit
        if (then_node := self.field(node, "then")) is not None:
            then = self._way_on(then_node, phase.removeprefix("phases."), locals_, facts)
            if then is None:
                return None
        if len(told) != len(trees) or (when is None and when_node is not None):
            return None
        says = self.text(self.field(node, "says"))
        reopens = cast(Literal["", "all", "others"], self.text(self.field(node, "reopens")))
        return ir.Action(
            str(name), title, tuple(told), when, self.text(when_node), effects, visits, guest, then, reopens, by, says,
            key.span,
        )  # fmt: skip

    def _parameter(
        self, checker: Checker, tree: Tree[Token], place: int, facts: Facts, chance: bool
    ) -> tuple[str, ir.Parameter | None]:
        """The name that a parameter brings ("" where it is given), and the parameter, None after a mistake."""
        form, head = str(tree.data), tree.children[0]
        if form in ("drawn_parameter", "rolled_parameter"):
            name = str(head)
            if not chance:
                hint = f"write `{name} in …`"
                self.wrong("AE608", checker.span(tree), "`from` is chance's word; a seat chooses", hint)
                return name, None
            clear = checker.fresh(name, head)
            make = self._rolled if form == "rolled_parameter" else self._drawn
            found = make(checker, tree, name, facts)
            return (name, found) if clear else ("", None)
        bare = str(head.children[0]) if isinstance(head, Tree) and head.data == "name" else "me"
        known = bare in checker.locals or bare in self.world.declared or self.world.enum_values(bare) or reserved(bare)
        if not known:
            hint = f"as in `{bare} in hand[me]`, or `{bare} in 1..6`"
            hint = f"as in `{bare} from pile`, or `{bare} from 2 of Die`" if chance else hint
            self.wrong("AE301", checker.span(tree), "this must say what is chosen, from where", hint)
            return bare, None
        if not checker.gathers(head):
            value = checker.plain(checker.check(head, facts), head, "an action is given single values")
            if value is None or self._with_owner(checker, head, value.type, value):
                return "", None
            if form != "plain_parameter" or not isinstance(
                value, ir.Local | ir.Read | ir.Call | ir.Builtin | ir.Const | ir.Labelled
            ):
                hint = "as in `c in hand[me]`, or `cs in 2 of hand[me]`"
                self.wrong("AE301", checker.span(tree), "this must say what is chosen, from where", hint)
                return "", None
            name = value.name if isinstance(value, ir.Local) else f"value{place}"
            return "", _parameter(checker, tree, name, "given", value.type, value)
        member = cast("Tree[Token]", head)
        if member.data != "member":
            hint = "as in `c in hand[me] where …`"
            self.wrong("AE301", checker.span(tree), "this must say what is chosen, from where", hint)
            return "", None
        token = cast("Tree[Token]", member.children[0]).children[0]
        name = str(token)
        if chance:
            self.wrong("AE608", checker.span(tree), "`in` is a seat's choice; chance takes", f"write `{name} from …`")
            return name, None
        if not checker.fresh(name, token):
            return "", None
        return name, self._chosen(checker, tree, member, name, facts)

    def _drawn(self, checker: Checker, tree: Tree[Token], name: str, facts: Facts) -> ir.Parameter | None:
        source = checker.check(tree.children[1], facts)
        if source is None:
            return None
        item = t.element(source.type)
        if not isinstance(item, t.Plain):
            message = f"chance picks from a collection, and this is {describe(source.type)}"
            self.wrong("AE501", checker.span(tree.children[1]), message)
            return None
        if self._with_owner(checker, tree.children[1], item, source, f"{name} from [x.card for x in {spell(source)}]"):
            return None
        kind: Literal["card", "uniform"] = "card" if isinstance(source.type, t.ZoneOf | t.Tray) else "uniform"
        return _parameter(checker, tree, name, kind, item, source)

    def _rolled(self, checker: Checker, tree: Tree[Token], name: str, facts: Facts) -> ir.Parameter | None:
        _, size_tree, dice_token = tree.children
        size = checker.number(size_tree, facts)
        dice = self.world.dice.get(str(dice_token))
        if dice is None and str(dice_token) not in self.world.broken:
            hint = nearest(str(dice_token), self.world.dice)
            self.wrong("AE401", checker.span(dice_token), f"unknown dice `{dice_token}`", hint)
        if size is None or dice is None or not self._within(checker, size_tree, size, MOST_DICE, "dice"):
            return None
        most = cast(t.Int, size.type).high
        return _parameter(checker, tree, name, "roll", t.ListOf(dice.face, most), None, size, dice=dice.name)

    def _chosen(
        self, checker: Checker, tree: Tree[Token], member: Tree[Token], name: str, facts: Facts
    ) -> ir.Parameter | None:
        some = str(tree.data) in ("some_parameter", "some_tested_parameter")
        size_tree, source_tree = (member.children[1], tree.children[1]) if some else (None, member.children[1])
        size = checker.number(size_tree, facts) if size_tree is not None else None
        source = checker.check(source_tree, facts)
        item = t.element(source.type) if source is not None else None
        kind: t.Type | None = item
        if source is not None and not isinstance(item, t.Plain):
            message = f"something is chosen from a collection, and this is {describe(source.type)}"
            hint = f"as in `{name} in 1..{source.type.high}`" if isinstance(source.type, t.Int) else ""
            self.wrong("AE501", checker.span(source_tree), message, hint)
            kind = None
        elif source is not None and self._with_owner(
            checker, source_tree, item, source, f"{name} in {{x.card for x in {spell(source)} where x.owner == me}}"
        ):
            kind = None
        elif (
            source is not None
            and some
            and not (isinstance(source.type, t.Tray) or (isinstance(source.type, t.ZoneOf) and not source.type.slot))
        ):
            self.wrong("AE501", checker.span(source_tree), "sets of cards are chosen from a zone")
            kind = None
        if size_tree is not None:
            if size is None or not self._within(checker, size_tree, size, MOST_CHOSEN, "cards"):
                kind = None
            elif kind is not None:
                kind = t.ListOf(kind, cast(t.Int, size.type).high)
        test = None
        if str(tree.data) in ("tested_parameter", "some_tested_parameter"):
            inner = Checker(self.world, checker.parsed, {**checker.locals, name: kind})
            test = inner.of_type(tree.children[-1], BOOL, facts)
            if test is None:
                return None
        if source is None or kind is None:
            return None
        return _parameter(checker, tree, name, "some" if some else "one", kind, source, size, test)

    def _with_owner(self, checker: Checker, tree: Child, kind: t.Type | None, of: ir.Expr, instead: str = "") -> bool:
        """Whether the value of an action would be a card with its owner, which has no label; that is reported."""
        if not isinstance(kind, t.Owned):
            return False
        hint = f"name the card: `{instead or f'{spell(of)}.card'}`"
        self.wrong("AE501", checker.span(tree), f"no action has {describe(kind)} as a value", hint)
        return True

    def _within(self, checker: Checker, tree: Child, size: ir.Expr, most: int, what: str) -> bool:
        kind = cast(t.Int, size.type)
        if kind.low >= 0 and kind.high <= most:
            return True
        hint = f"limit it, as in `clamp(…, 0, {most})`" if kind.low < 0 else f"limit it, as in `min({most}, …)`"
        self.wrong("AE502", checker.span(tree), f"this {being(kind)} {what}, and 0 to {most} are possible", hint)
        return False

    def _told(self, p: ir.Parameter, node: Node | None, locals_: Locals, element: str) -> ir.Parameter | None:
        """The parameter with the seats that are told of it."""
        said = node
        if isinstance(node, Mapping):
            said = node.get(_spoken(p))
        told = self.visible(said, locals_, p.span, f"nobody says who is told of `{_spoken(p)}`", element)
        if told is None:
            return None
        return ir.Parameter(
            p.name, p.kind, p.source, p.size, p.size_most, p.test, p.dice, p.type, told, p.words, p.span
        )

    def _told_names(self, node: Node | None, params: list[ir.Parameter]) -> bool:
        """Whether `told:` speaks of values that there are."""
        names = {_spoken(p) for p in params}
        unknown = [key for key, _ in node if key.text not in names] if isinstance(node, Mapping) else []
        for key in unknown:
            hint = nearest(key.text, names)
            self.wrong("AE401", key.span, f"there is no value `{key.text}`", hint)
        return not unknown

    # ------------------------------------------------------------------------------ all phases at once

    def same_actions(self, phases: tuple[ir.Phase, ...]) -> None:
        """An element's name means the same everywhere: an action of one name with the same kinds of values, whatever
        the phase; and all actions can be numbered."""
        first: dict[tuple[bool, str], ir.Action] = {}
        for phase in phases:
            for action in phase.actions:
                other = first.setdefault((phase.kind == "chance", action.key), action)
                if other in phase.actions and other is not action:
                    continue  # two of one phase: reported there
                same = len(other.params) == len(action.params) and all(
                    t.join(a.type, b.type) is not None and type(a.type) is type(b.type)
                    for a, b in zip(other.params, action.params, strict=True)
                )
                if not same or other.name != action.name:
                    notes = [(other.span, "the first is here")]
                    message = f"`{action.key}` has other values than in another phase"
                    if same:
                        message = f"`{action.title}` is `{other.title}` in another phase"
                    self.report.add("AE403", action.span, message, "rename one", notes)
                elif math.prod(self._labels(p.type) for p in action.params) > MOST_IDS:
                    many = math.prod(self._labels(p.type) for p in action.params)
                    hint = f"at most {MOST_IDS:,}: choose step by step"
                    self.wrong("AE502", action.span, f"`{action.key}` would be {many:,} different actions", hint)

    def _labels(self, kind: t.Type) -> int:
        """How many different values of a type a label can show."""
        if isinstance(kind, t.ListOf):
            return math.comb(self._labels(kind.of) + kind.most, kind.most)
        if isinstance(kind, t.Seat):
            return self.world.most_seats
        return len(self.world.cards[kind.name].kinds) if isinstance(kind, t.Card) else t.count(kind)


def _named(node: Node | None) -> list[str]:
    """The phases that a `then:` names; "" where it cannot be read."""
    parsed = parse(node, "goto", Report()) if isinstance(node, Scalar) else None
    return [""] if node is not None and parsed is None else _names(parsed.tree) if parsed is not None else []


def _visited(node: Node | None) -> tuple[list[str], bool]:
    """The phases that a `visits:` names, and whether it says for whom."""
    parsed = parse(node, "visit", Report()) if isinstance(node, Scalar) else None
    if parsed is None:
        return ([""] if node is not None else []), True
    tree, *seats = parsed.tree.children
    return _names(cast("Tree[Token]", tree)), any(seat is not None for seat in seats)


def _names(tree: Tree[Token]) -> list[str]:
    found: list[str] = []
    rest = [tree]
    while rest:
        name, *parts = rest.pop().children
        found.append(str(name))
        rest = [cast("Tree[Token]", part) for part in parts[1:]]
    return found


def _sets(effects: tuple[ir.Effect, ...], name: str) -> bool:
    """Whether effects surely give a variable a value."""
    return any(isinstance(s, ir.Assign) and s.target.name == name for effect in effects for s in effect.body)


def _leaves_out_automata(test: ir.Expr | None, name: str) -> bool:
    """Whether a test holds of no automaton."""
    match test:
        case ir.Binary("and", left, right):
            return _leaves_out_automata(left, name) or _leaves_out_automata(right, name)
        case ir.Unary("not", ir.Builtin("automaton", (ir.Local(other),))):
            return other == name
        case _:
            return False


def _spoken(p: ir.Parameter) -> str:
    """How `told:` names a value: a given one that is no name by its words."""
    return p.words if p.kind == "given" else p.name


def _parameter(
    checker: Checker, tree: Tree[Token], name: str, kind: Literal["given", "one", "some", "card", "uniform", "roll"],
    type_: t.Type, source: ir.Expr | None, size: ir.Expr | None = None, test: ir.Expr | None = None, dice: str = "",
) -> ir.Parameter:  # fmt: skip
    span = checker.span(tree)
    nobody = ir.Visible(ir.Const(False, BOOL, span), "nobody")
    most = cast(t.Int, size.type).high if size is not None else 0
    return ir.Parameter(name, kind, source, size, most, test, dice, type_, nobody, checker.parsed.words(tree), span)
