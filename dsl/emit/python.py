"""The IR of a game as one Python module: data first, then the position, its rules phase by phase, then the tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.emit.expressions import Speller
from aeronef.dsl.emit.names import local
from aeronef.dsl.emit.statements import Statements
from aeronef.dsl.emit.writer import Writer
from aeronef.dsl.printer import digest
from aeronef.dsl.walk import called, locals_in, nodes

NOTHING = ("True", "False")


def emit_python(game: ir.Game, source: str) -> str:
    """The module's text. `source` is the file name of the spec, for faults and the heading."""
    return _Module(game, source).text()


class _Module:
    def __init__(self, game: ir.Game, source: str) -> None:
        self.game = game
        self.source = source
        self.speller = Speller(game)
        self.writer = Writer()
        self.statements = Statements(self.speller, self.writer, source)
        self.actions = _merged(p for p in game.phases if p.kind != "chance")
        self.outcomes = _merged(p for p in game.phases if p.kind == "chance")
        names = self.speller.constants
        self.types = {name: names.of(("type", name), name[:1].upper() + name[1:]) for name in self.speller.enums()}
        self.types |= {c.name: names.of(("type", c.name), c.name[:1].upper() + c.name[1:]) for c in game.cards}
        self.phases = {p.name: names.of(("phase", p.name), f"PHASE_{p.name.upper()}") for p in game.phases}
        self.phases["end"] = names.of(("phase", "end"), "PHASE_END")
        members = self.speller.members
        for zone in (*game.zones, *game.variables):
            members.of(("sees", zone.name), f"sees_{zone.name}")
        for phase in game.phases:
            for verb in ("enter", "next", "legal", "chance"):
                members.of((verb, phase.name), f"{verb}_{phase.name}")
            for action in phase.actions:
                for verb in ("do", "told", "why"):
                    members.of((verb, phase.name, action.name), f"{verb}_{phase.name}_{action.name}")

    def member(self, *key: str) -> str:
        return self.speller.members.given[key]

    def text(self) -> str:
        write, game = self.writer, self.game
        head = f"{game.name}: {game.says}" if game.says else game.name
        write.docstring(f"{head} Compiled from {self.source}: edit that, never this.")
        write.line()
        write.line("from __future__ import annotations")
        write.line()
        body = Writer()
        self.writer, outer = body, self.writer
        self.statements.writer = body
        self._data()
        self._position()
        self._tables()
        self.writer = outer
        self._imports(re.sub(r'"[^"]*"', '""', body.text()))
        outer.lines += body.lines
        return outer.text()

    def _imports(self, body: str) -> None:
        write = self.writer
        words = set(re.findall(r"\b\w+\b", body))
        kernel = [
            n
            for n in (
                "CHANCE",
                "NOBODY",
                "copies",
                "distinct",
                "held",
                "otherwise",
                "pour",
                "pour_on",
                "put",
                "rolls",
                "subsets",
            )
            if n in words
        ]
        described = [
            n
            for n in (
                "BOOL",
                "COUNT",
                "SEAT",
                "Action",
                "Cards",
                "Int",
                "Maybe",
                "Option",
                "Phase",
                "SetOf",
                "Several",
                "Variable",
                "Variant",
                "Words",
                "Zone",
                "attribute",
            )
            if n in words
        ]
        if "Any" in words:
            write.line("from typing import Any")
            write.line()
        for module, wanted in (("description", described), ("kernel", kernel)):
            line = f"from aeronef.runtime.{module} import {', '.join(wanted)}"
            if len(line) <= 120:
                write.line(line)
            else:
                write.lines += [line[: line.index("import ") + 7] + "(", *(f"    {n}," for n in wanted), ")"]
        if kernel:
            write.line("from aeronef.runtime.kernel import Position as Kernel")
        write.line()

    # ------------------------------------------------------------------------------ data

    def _data(self) -> None:
        write, speller = self.writer, self.speller
        for name, values in speller.enums().items():
            constants = ", ".join(speller.value(name, v) for v in values)
            words = ", ".join(f'"{v}"' for v in values)
            trailing = "," if len(values) == 1 else ""
            write.line(f"{constants}{trailing} = range({len(values)})")
            write.line(f'{self.types[name]} = Words("{name}", ({words}{trailing}))')
            write.line()
        for card in self.game.cards:
            if card.by:
                write.comment(", ".join(card.by))
            labels = ", ".join(_quoted(k.label) for k in card.kinds)
            copies = ", ".join(str(k.copies) for k in card.kinds)
            trailing = "," if len(card.kinds) == 1 else ""
            write.line(f'{self.types[card.name]} = Cards("{card.name}", ({labels}{trailing}), ({copies}{trailing}))')
            for i, (name, kind) in enumerate(card.attributes):
                values = [self._constant(k.attributes[i], kind) for k in card.kinds]
                write.line(f"{speller.attribute(card.name, name)} = attribute([{', '.join(values)}])")
            write.line()
        for dice in self.game.dice:
            names = speller.constants
            write.line(
                f"{names.of(('dice', dice.name), dice.name.upper())} = ({', '.join(map(str, dice.weights))},)  # {_faces(dice)}"
            )
            write.line()
        names_line = ", ".join(self.phases.values())
        if len(names_line) < 100:
            write.line(f"{names_line} = range({len(self.phases)})")
        else:
            write.lines += ["(", *(f"    {name}," for name in self.phases.values()), f") = range({len(self.phases)})"]
        write.line()
        write.line()

    def _constant(self, value: int | bool | None, kind: t.Type) -> str:
        inner = t.strip(kind)
        if isinstance(inner, t.Enum) and value is not None:
            return self.speller.value(inner.name, inner.values[int(value)])
        return str(value)

    def domain(self, kind: t.Type) -> str:
        match kind:
            case t.Bool():
                return "BOOL"
            case t.Int(low, high):
                return f"Int({low}, {high})"
            case t.Count():
                return "COUNT"
            case t.Seat():
                return "SEAT"
            case t.Enum(name) | t.Card(name):
                return self.types[name]
            case t.Optional(of):
                return f"Maybe({self.domain(of)})"
            case t.SetOf(of):
                return f"SetOf({self.domain(of)})"
            case t.ListOf(of, most):
                return f"Several({self.domain(of)}, {most})"
            case _:
                raise AssertionError(kind)

    # ------------------------------------------------------------------------------ the position

    def _position(self) -> None:
        write, game, speller = self.writer, self.game, self.speller
        places = [*game.zones, *game.variables]
        with write.block("class Position(Kernel):"):
            slots = ", ".join(f'"{speller.place(p.name)}"' for p in sorted(places, key=lambda p: speller.place(p.name)))
            write.line(f"__slots__ = ({slots}{',' if len(places) == 1 else ''})")
            write.line()
            for option in game.options:
                write.line(f"{speller.option(option.name)}: {'bool' if isinstance(option.type, t.Bool) else 'int'}")
            for place in places:
                cites = f"  # {', '.join(place.by)}" if place.by else ""
                write.line(f"{speller.place(place.name)}: {_annotation(place)}{cites}")
            for action in (*self.actions.values(), *self.outcomes.values()):
                write.line(f"{self.base(action)}: int")
                for i, (_, kind) in enumerate(action[1]):
                    if isinstance(kind, t.ListOf):
                        write.line(f"{self.index(action, i)}: dict[tuple[int, ...], int]")
            write.line()
            self._start()
            self._copy()
            if game.defines:
                self._heading("what is computed")
                for define in game.defines:
                    self._define(define)
            self._heading("who sees what")
            for place in places:
                self._sees(place)
            for phase in game.phases:
                self._heading(phase.name)
                self._phase(phase)
            self._heading("the result")
            self._result()

    def _heading(self, text: str) -> None:
        self.writer.line(f"# {'-' * (100 - len(text))} {text}")
        self.writer.line()

    def _start(self) -> None:
        write, speller = self.writer, self.speller
        with write.block("def start(self) -> None:"):
            for zone in self.game.zones:
                if zone.starts is None:
                    value = "None" if zone.slot else "[]"
                else:
                    over = zone.starts
                    name = local(over.name)
                    source, test = speller.source(over)
                    condition = f" if {speller.spell(test, 1)}" if test is not None else ""
                    whole = isinstance(over.source, ir.Everything) and over.key is None
                    if whole and not condition:
                        value = f"list({self.types[zone.card]}.deck)"
                    elif whole:
                        value = f"[{name} for {name} in {self.types[zone.card]}.deck{condition}]"
                    else:
                        repeat = f"range({self.types[zone.card]}.copies[{name}])"
                        value = f"[{name} for {name} in {source}{condition} for _ in {repeat}]"
                    if not zone.ordered and over.key is not None:
                        value = f"sorted({value})"
                    if zone.slot:
                        value = f"next(iter({value}), None)"
                write.line(f"self.{speller.place(zone.name)} = {self._each(zone.each, value, zone.starts)}")
            for variable in self.game.variables:
                value = speller.spell(variable.starts)
                write.line(f"self.{speller.place(variable.name)} = {self._each(variable.each, value, variable.starts)}")
        write.line()

    def _each(self, each: tuple[t.Type, ...], value: str, node: object) -> str:
        for kind in reversed(each):
            if isinstance(kind, t.Seat):
                owner = "owner" if node is not None and "owner" in locals_in(node) else "_"
                value = f"[{value} for {owner} in self.seats]"
            else:
                value = f"[{value} for _ in range({_size(kind)})]"
        return value

    def _copy(self) -> None:
        write, speller = self.writer, self.speller
        with write.block("def copy(self) -> Position:"):
            write.line("new = Kernel.copy(self)")
            for zone in self.game.zones:
                name = speller.place(zone.name)
                depth = len(zone.each) + (not zone.slot)
                write.line(f"new.{name} = {_copied(f'self.{name}', depth)}")
            for variable in self.game.variables:
                name = speller.place(variable.name)
                write.line(f"new.{name} = {_copied(f'self.{name}', len(variable.each))}")
            write.line("return new")
        write.line()

    def _define(self, define: ir.Define) -> None:
        write = self.writer
        params = "".join(f", {local(n)}: {_python(kind)}" for n, kind in define.params)
        with write.block(f"def {self.speller.define(define.name)}(self{params}) -> {_python(define.body.type)}:"):
            if define.by:
                write.comment(", ".join(define.by))
            write.line(f"return {self.speller.spell(define.body)}")
        write.line()

    def _sees(self, place: ir.Zone | ir.Variable) -> None:
        write = self.writer
        owner = ", owner: int" if t.Seat() in place.each else ""
        with write.block(f"def {self.member('sees', place.name)}(self, viewer: int{owner}) -> bool:"):
            write.line(f"return {self.speller.spell(place.seen.test)}")
        write.line()

    # ------------------------------------------------------------------------------ phases

    def _phase(self, phase: ir.Phase) -> None:
        write, spell = self.writer, self.speller.spell
        enter, following = self.member("enter", phase.name), self.member("next", phase.name)
        with write.block(f"def {enter}(self) -> int | None:"):
            if phase.says:
                write.docstring(phase.says)
            if phase.by:
                write.comment(", ".join(phase.by))
            self.statements.effects(phase.effects)
            if phase.kind == "automatic":
                self._goto(phase.then)
            elif phase.start is not None:
                write.line(f"self.me = {spell(phase.start)}")
                self._ask_round(phase)
            else:
                seats = spell(phase.over) if phase.over is not None else "[NOBODY]"
                if phase.over is not None and not seats.startswith(("[", "sorted(", "list(")):
                    seats = f"list({seats})"
                write.line(f"self.queue = {seats}")
                write.line(f"return self.{following}()")
        write.line()
        if phase.kind == "automatic":
            return
        with write.block(f"def {following}(self) -> int | None:"):
            self._next(phase)
        write.line()
        if phase.kind == "chance":
            self._chance(phase)
        else:
            self._legal(phase)
        for action in phase.actions:
            self._do(phase, action)
            self._told(phase, action)
            if phase.kind != "chance":
                self._why(phase, action)

    def _goto(self, then: ir.Goto) -> None:
        *tested, (_, last) = then.branches
        choice = "".join(
            f"{self.phases[name]} if {self.speller.spell(test, 1)} else " for test, name in tested if test is not None
        )
        self.writer.line(f"return {choice}{self.phases[last]}")

    def _ask_round(self, phase: ir.Phase) -> None:
        """The next seat clockwise from `me` on that is to be asked."""
        write, spell = self.writer, self.speller.spell
        if phase.asks is None:
            write.line("self.actor = self.me")
            write.line("return None")
            return
        with write.block("for me in self.clockwise(self.me):"):
            with write.block(f"if {spell(phase.asks)}:"):
                write.line("self.me = self.actor = me")
                write.line("return None")
            self.statements.effects(phase.unasked)
        self._goto(phase.then)

    def _next(self, phase: ir.Phase) -> None:
        write, spell = self.writer, self.speller.spell
        actor = "CHANCE" if phase.kind == "chance" else "me"
        if phase.start is not None:
            if phase.until is not None:
                with write.block(f"if {spell(phase.until)}:"):
                    self._goto(phase.then)
            write.line("self.me = self.clockwise(self.me)[1 % len(self.players)]")
            self._ask_round(phase)
            return
        if phase.until is not None:  # the first in the queue acts until it is done
            with write.block("while self.queue:"):
                write.line("me = self.me = self.queue[0]")
                test = phase.until
                if phase.asks is None:
                    with write.block(
                        f"if not ({spell(test)}):"
                        if not isinstance(test, ir.Call | ir.Local | ir.Read)
                        else f"if not {spell(test)}:"
                    ):
                        write.line(f"self.actor = {actor}")
                        write.line("return None")
                else:
                    with write.block(f"if {spell(phase.asks, 3)} and not ({spell(test)}):"):
                        write.line(f"self.actor = {actor}")
                        write.line("return None")
                self.statements.effects(phase.unasked)
                write.line("del self.queue[0]")
            self._goto(phase.then)
            return
        uses_me = phase.asks is not None or phase.kind != "chance" or bool(phase.unasked)
        with write.block("while self.queue:" if phase.asks is not None else "if self.queue:"):
            if uses_me:
                write.line(
                    "me = self.me = self.queue.pop(0)"
                    if phase.asks is not None
                    else "self.me = self.actor = self.queue.pop(0)"
                )
            else:
                write.line("self.me = self.queue.pop(0)")
            if phase.asks is None:
                if phase.kind == "chance":
                    write.line("self.actor = CHANCE")
                write.line("return None")
            else:
                with write.block(f"if {spell(phase.asks)}:"):
                    write.line(f"self.actor = {actor}")
                    write.line("return None")
                self.statements.effects(phase.unasked)
        self._goto(phase.then)

    # ------------------------------------------------------------------------------ actions

    def base(self, action: _Merged) -> str:
        return self.speller.members.of(("id", action[2], action[0]), f"id_{action[0]}")

    def index(self, action: _Merged, i: int) -> str:
        return self.speller.members.of(("index", action[2], action[0], i), f"index_{action[0]}_{action[1][i][0]}")

    def _id(self, action: _Merged, parts: list[str]) -> str:
        """The dense id of an action with these values: its first id, and its values as digits."""
        text = ""
        for i, (part, (_, kind)) in enumerate(zip(parts, action[1], strict=True)):
            if isinstance(kind, t.ListOf):
                digit, size = f"self.{self.index(action, i)}[{part}]", f"len(self.{self.index(action, i)})"
            elif isinstance(kind, t.Int) and kind.low:
                digit, size = f"{part} {'-' if kind.low > 0 else '+'} {abs(kind.low)}", str(_size(kind))
            else:
                digit, size = part, self._many(kind)
            if not text:
                text = digit
            else:
                text = f"({text}) * {size} + {digit}" if " " in text else f"{text} * {size} + {digit}"
        return f"self.{self.base(action)}" + (f" + {text}" if text else "")

    def _many(self, kind: t.Type) -> str:
        if isinstance(kind, t.Seat):
            return "self.n"
        if isinstance(kind, t.Card):
            return str(next(len(c.kinds) for c in self.game.cards if c.name == kind.name))
        return str(_size(kind))

    def _me(self, parts: object, action: ir.Action | None = None) -> None:
        given = [p.name for p in action.params] if action is not None else []
        if self.speller.uses(parts, "me") and "me" not in given:
            self.writer.line("me = self.me")

    def _legal(self, phase: ir.Phase) -> None:
        write, spell = self.writer, self.speller.spell
        with write.block(f"def {self.member('legal', phase.name)}(self) -> list[int]:"):
            self._me(tuple((a.when, *((p.source, p.size, p.test) for p in a.params)) for a in phase.actions))
            parts: list[tuple[str, str]] = []
            ascending = True
            for action in phase.actions:
                merged = self.actions[action.name]
                loops, values = "", []
                for p in action.params:
                    text, value, sorted_ = self._choices(p)
                    ascending = ascending and sorted_
                    loops += text
                    values.append(value)
                ids = f"[{self._id(merged, values)}{loops}]"
                parts.append((ids, spell(action.when, 1) if action.when is not None else ""))
            ascending = (
                ascending and len(parts) == 1 or all(not a.params for a in phase.actions) and self._in_order(phase)
            )
            if len(parts) == 1 and not parts[0][1]:
                write.line(f"return {parts[0][0]}" if ascending else f"return sorted(set({parts[0][0]}))")
            elif all(not when for _, when in parts) and all(not a.params for a in phase.actions):
                inner = ", ".join(ids[1:-1] for ids, _ in parts)
                write.line(f"return [{inner}]" if ascending else f"return sorted([{inner}])")
            else:
                write.line("ids: list[int] = []")
                for ids, when in parts:
                    if when:
                        with write.block(f"if {when}:"):
                            write.line(f"ids += {ids}")
                    else:
                        write.line(f"ids += {ids}")
                write.line("return sorted(set(ids))")
        write.line()

    def _in_order(self, phase: ir.Phase) -> bool:
        order = list(self.actions)
        places = [order.index(a.name) for a in phase.actions]
        return places == sorted(places)

    def _choices(self, p: ir.Parameter) -> tuple[str, str, bool]:
        """The part of a comprehension that goes through a parameter's values, its name, and whether they ascend."""
        spell = self.speller.spell
        name = local(p.name)
        test = f" if {spell(p.test, 1)}" if p.test is not None else ""
        assert p.source is not None
        if p.kind == "given":
            return "", spell(p.source), True
        if p.kind == "some":
            assert p.size is not None
            return f" for {name} in subsets({spell(p.source)}, {spell(p.size)}){test}", name, False
        kind = p.source.type
        if isinstance(kind, t.ZoneOf):
            source = f"held({spell(p.source)})" if kind.slot else f"distinct({spell(p.source)})"
            ordered = not kind.slot and isinstance(p.source, ir.Read) and self.statements.ordered[p.source.name]
            return f" for {name} in {source}{test}", name, not ordered
        ascending = isinstance(kind, t.SetOf) or isinstance(p.source, ir.Everything) or (
            isinstance(p.source, ir.Builtin) and p.source.name == "range"
        )  # fmt: skip
        return f" for {name} in {spell(p.source)}{test}", name, ascending

    def _chance(self, phase: ir.Phase) -> None:
        write, spell = self.writer, self.speller.spell
        with write.block(f"def {self.member('chance', phase.name)}(self) -> list[tuple[int, int]]:"):
            self._me(tuple((p.source, p.size) for a in phase.actions for p in a.params))
            for action in phase.actions:
                merged = self.outcomes[action.name]
                values = [
                    spell(p.source) if p.kind == "given" and p.source is not None else local(p.name)
                    for p in action.params
                ]
                ids = self._id(merged, values)
                random = next((p for p in action.params if p.kind != "given"), None)
                if random is None:
                    write.line(f"return [({ids}, 1)]")
                elif random.kind == "card":
                    assert random.source is not None and isinstance(random.source.type, t.ZoneOf)
                    zone = spell(random.source)
                    zone = f"held({zone})" if random.source.type.slot else zone
                    write.line(f"return [({ids}, weight) for {local(random.name)}, weight in copies({zone})]")
                elif random.kind == "uniform":
                    assert random.source is not None
                    write.line(f"return sorted([({ids}, 1) for {local(random.name)} in {spell(random.source)}])")
                else:
                    assert random.size is not None
                    dice = next(d for d in self.game.dice if d.name == random.dice)
                    name = local(random.name)
                    weights = self.speller.constants.of(("dice", dice.name), dice.name.upper())
                    low = dice.face.low if isinstance(dice.face, t.Int) else 0
                    write.line(
                        f"return sorted([({ids}, weight) for {name}, weight in rolls({weights}, {spell(random.size)}, {low})])"
                    )
        write.line()

    def _signature(self, action: ir.Action) -> str:
        return "".join(f", {local(p.name)}: {_python(p.type)}" for p in action.params)

    def _do(self, phase: ir.Phase, action: ir.Action) -> None:
        write = self.writer
        with write.block(f"def {self.member('do', phase.name, action.name)}(self{self._signature(action)}) -> None:"):
            if action.says:
                write.docstring(action.says)
            if action.by and not any(e.by for e in action.effects):
                write.comment(", ".join(action.by))
            self._me(action.effects, action)
            self.statements.effects(action.effects)
            if not any(e.body for e in action.effects):
                write.line("pass")
        write.line()

    def _told(self, phase: ir.Phase, action: ir.Action) -> None:
        if all(p.told.words == "everyone" for p in action.params):
            return
        write = self.writer
        head = f"def {self.member('told', phase.name, action.name)}(self, viewer: int{self._signature(action)}) -> tuple[bool, ...]:"
        with write.block(head):
            self._me(tuple(p.told.test for p in action.params), action)
            told = ", ".join(self.speller.spell(p.told.test) for p in action.params)
            write.line(f"return ({told}{',' if len(action.params) == 1 else ''})")
        write.line()

    def _why(self, phase: ir.Phase, action: ir.Action) -> None:
        tests = list(self._tests(action))
        if not tests:
            return
        write = self.writer
        signature = self._signature(action)
        with write.block(f"def {self.member('why', phase.name, action.name)}(self{signature}) -> tuple[Any, ...]:"):
            self._me(tuple(node for _, _, node in tests), action)
            items = [f"({_quoted(words)}, {test}, {self._looks(node)})" for words, test, node in tests]
            write.line(f"return ({', '.join(items)}{',' if len(items) == 1 else ''})")
        write.line()

    def _tests(self, action: ir.Action) -> Iterator[tuple[str, str, object]]:
        """What makes an action legal: the words of the spec, the test, and what it looks at."""
        spell = self.speller.spell
        for p in action.params:
            name = local(p.name)
            if p.kind == "given" and p.source is not None:
                yield f"{p.words}", f"{name} == {spell(p.source, 5)}", p.source
            elif p.kind == "some" and p.source is not None and p.size is not None:
                yield p.words, f"{name} in subsets({spell(p.source)}, {spell(p.size)})", (p.source, p.size)
            elif p.source is not None:
                yield (
                    p.words,
                    f"{name} in {self.speller.items(p.source) if ' ' not in self.speller.items(p.source) else '(' + self.speller.items(p.source) + ')'}",
                    p.source,
                )
            if p.test is not None:
                yield p.words, spell(p.test), p.test
        if action.when is not None:
            yield action.when_words, spell(action.when), action.when

    def _looks(self, node: object) -> str:
        """What a test reads, as (place, seat): the seat None where it may be anybody's."""
        each = {p.name: p.each for p in (*self.game.zones, *self.game.variables)}
        found: dict[str, None] = {}
        for inner in nodes(node):
            if isinstance(inner, ir.Read):
                kinds = each[inner.name]
                seat = inner.index[kinds.index(t.Seat())] if t.Seat() in kinds else None
                whose = "me" if isinstance(seat, ir.Local) and seat.name == "me" else "None"
                found[f'("{inner.name}", {whose})'] = None
        for name in called(node):
            for place in sorted(self.statements.seen(self.statements.defines[name].body)):
                found[f'("{place}", None)'] = None
        return f"({', '.join(found)}{',' if len(found) == 1 else ''})"

    # ------------------------------------------------------------------------------ result and tables

    def _result(self) -> None:
        write, spell, result = self.writer, self.speller.spell, self.game.result
        keys = result.rank or ((result.returns,) if result.returns is not None else ())
        with write.block("def rank(self, me: int) -> tuple[int, ...]:"):
            if result.by:
                write.comment(", ".join(result.by))
            inner = ", ".join(spell(key) for key in keys if key is not None)
            write.line(f"return ({inner}{',' if len(keys) == 1 else ''})")
        write.line()
        if result.lost is not None:
            with write.block("def lost(self) -> bool:"):
                write.line(f"return {spell(result.lost)}")
            write.line()
        if result.returns is not None:
            with write.block("def returns(self, me: int) -> int:"):
                write.line(f"return {spell(result.returns)}")
            write.line()
        for i, invariant in enumerate(self.game.invariants):
            with write.block(f"def invariant_{i}(self) -> bool:"):
                write.docstring(invariant.name)
                if invariant.by:
                    write.comment(", ".join(invariant.by))
                write.line(f"return {spell(invariant.test)}")
            write.line()

    def _tables(self) -> None:
        write, game = self.writer, self.game
        write.line()
        self._function(
            "seats", "int", f"{self._stateless(game.automata) if game.automata is not None else '0'}", add_players=True
        )
        self._function("longest", "int", self._stateless(game.longest))
        self._requires()
        with write.block("VARIANT = Variant("):
            write.line(f'name="{game.name}",')
            write.lines += _field("says", _quoted(game.says))
            write.line(f'spec="{digest(game)}",')
            write.line(f"source={_quoted(self.source)},")
            write.line(f"players=range({game.players[0]}, {game.players[1] + 1}),")
            self._table("options", [self._option(o) for o in game.options])
            write.line("seats=seats,")
            write.line("longest=longest,")
            write.line("requires=requires,")
            write.line("position=Position,")
            self._table("zones", [self._zone(z) for z in game.zones])
            self._table("variables", [self._variable(v) for v in game.variables])
            self._table("actions", [self._action(a) for a in self.actions.values()])
            self._table("outcomes", [self._action(a) for a in self.outcomes.values()])
            self._table("phases", [*[self._phase_row(p) for p in game.phases]])
            self._table(
                "invariants", [f"({_quoted(v.name)}, Position.invariant_{i})" for i, v in enumerate(game.invariants)]
            )
            if game.clauses:
                write.line("clauses={")
                write.depth += 1
                for clause in game.clauses:
                    write.lines.append(" " * (write.depth * 4) + f"{_quoted(clause.id)}: {_quoted(clause.says)},")
                write.depth -= 1
                write.line("},")
        write.line(")")

    def _stateless(self, node: ir.Expr | None) -> str:
        assert node is not None
        text = self.speller.spell(node)
        for option in self.game.options:
            text = text.replace(f"self.{self.speller.option(option.name)}", f'options["{option.name}"]')
        return text.replace("self.players", "players").replace("self.seats", "players")

    def _function(self, name: str, kind: str, body: str, add_players: bool = False) -> None:
        write = self.writer
        with write.block(f"def {name}(players: range, options: dict[str, Any]) -> {kind}:"):
            if add_players:
                write.line(
                    "return len(players)"
                    if body == "0"
                    else f"return len(players) + ({body})"
                    if " " in body
                    else f"return len(players) + {body}"
                )
            else:
                write.line(f"return {body}")
        write.line()
        write.line()

    def _requires(self) -> None:
        write = self.writer
        with write.block("def requires(players: range, options: dict[str, Any]) -> list[str]:"):
            needs = [(o.name, o.requires) for o in self.game.options if o.requires is not None]
            if not needs:
                write.line("return []")
            else:
                write.line("failed = []")
                for name, test in needs:
                    assert test is not None
                    with write.block(f"if not ({self._stateless(test)}):"):
                        write.line(f'failed.append("{name}")')
                write.line("return failed")
        write.line()
        write.line()

    def _table(self, name: str, rows: list[str]) -> None:
        write = self.writer
        if not rows:
            write.line(f"{name}=(),")
            return
        if len(rows) == 1 and len(rows[0]) + len(name) + 10 <= 120:
            write.line(f"{name}=({rows[0]},),")
            return
        write.line(f"{name}=(")
        write.depth += 1
        for row in rows:
            write.line(row + ",")
        write.depth -= 1
        write.line("),")

    def _option(self, o: ir.OptionDecl) -> str:
        domain = self.domain(o.type)
        tries = ", ".join(self._constant(v, o.type) for v in o.tries)
        trailing = "," if len(o.tries) == 1 else ""
        return f'Option("{o.name}", {domain}, {self._constant(o.default, o.type)}, ({tries}{trailing}), {_quoted(o.says)}, "{self.speller.option(o.name)}")'

    def _tuple(self, each: tuple[t.Type, ...]) -> str:
        inner = ", ".join(self.domain(k) for k in each)
        return f"({inner}{',' if len(each) == 1 else ''})"

    def _zone(self, z: ir.Zone) -> str:
        form = "slot" if z.slot else "ordered" if z.ordered else "unordered"
        return f'Zone("{z.name}", "{self.speller.place(z.name)}", {self._tuple(z.each)}, {self.types[z.card]}, "{form}", Position.{self.member("sees", z.name)})'

    def _variable(self, v: ir.Variable) -> str:
        return f'Variable("{v.name}", "{self.speller.place(v.name)}", {self._tuple(v.each)}, {self.domain(v.type)}, Position.{self.member("sees", v.name)})'

    def _action(self, a: _Merged) -> str:
        parts = [f'"{a[0]}"', f'"{self.base(a)}"']
        if a[1]:
            parts.append(self._tuple(tuple(k for _, k in a[1])))
        if any(isinstance(k, t.ListOf) for _, k in a[1]):
            names = [f'"{self.index(a, i)}"' for i in range(len(a[1]))]
            parts.append(f"({', '.join(names)}{',' if len(names) == 1 else ''})")
        return f"Action({', '.join(parts)})"

    def _phase_row(self, p: ir.Phase) -> str:
        def method(*key: str) -> str:
            return f"Position.{self.member(*key)}"

        parts = [f'"{p.name}"', f'"{p.kind}"', method("enter", p.name)]
        if p.kind == "automatic":
            return f"Phase({', '.join(parts)})"
        parts.append(method("next", p.name))
        parts.append(f"chance={method('chance', p.name)}" if p.kind == "chance" else f"legal={method('legal', p.name)}")
        tables = {"does": [], "told": [], "why": []}  # type: dict[str, list[str]]
        for a in p.actions:
            tables["does"].append(f'"{a.name}": {method("do", p.name, a.name)}')
            if not all(x.told.words == "everyone" for x in a.params):
                tables["told"].append(f'"{a.name}": {method("told", p.name, a.name)}')
            if p.kind != "chance" and list(self._tests(a)):
                tables["why"].append(f'"{a.name}": {method("why", p.name, a.name)}')
        parts += [f"{name}={{{', '.join(rows)}}}" for name, rows in tables.items() if rows]
        return f"Phase({', '.join(parts)})"


_Merged = tuple[str, list[tuple[str, t.Type]], str]  # name, parameters, "action" or "outcome"


def _merged(phases: Iterator[ir.Phase]) -> dict[str, _Merged]:
    """The actions by name, in order of appearance; values of one action in several phases take the wider range."""
    found: dict[str, _Merged] = {}
    for phase in phases:
        for action in phase.actions:
            params = [(p.name, p.type) for p in action.params]
            if action.name in found:
                before = found[action.name][1]
                params = [(n, t.join(k, other) or k) for (n, k), (_, other) in zip(before, params, strict=True)]
            found[action.name] = (action.name, params, "outcome" if phase.kind == "chance" else "action")
    return found


def _size(kind: t.Type) -> int:
    match kind:
        case t.Bool():
            return 2
        case t.Int(low, high):
            return high - low + 1
        case t.Enum(_, values):
            return len(values)
        case _:
            raise AssertionError(kind)


def _copied(text: str, depth: int) -> str:
    if depth == 0:
        return text
    if depth == 1:
        return f"{text}[:]"
    return f"[{_copied('part', depth - 1)} for part in {text}]"


def _annotation(place: ir.Zone | ir.Variable) -> str:
    inner = ("Any" if place.slot else "list[int]") if isinstance(place, ir.Zone) else _python(place.type)
    for _ in place.each:
        inner = f"list[{inner}]"
    return inner


def _python(kind: t.Type) -> str:
    match kind:
        case t.Bool():
            return "bool"
        case t.Optional() | t.Nothing():
            return "Any"
        case t.SetOf():
            return "tuple[int, ...]"
        case t.ListOf():
            return "tuple[int, ...]" if isinstance(kind.of, t.Card | t.Enum | t.Int) else "Any"
        case _:
            return "int"


def _quoted(text: str) -> str:
    inside = text.replace("\\", "\\\\")
    if '"' in inside and "'" not in inside:
        return f"'{inside}'"
    return '"' + inside.replace('"', '\\"') + '"'


def _field(name: str, value: str) -> list[str]:
    return [f"    {name}={value},"]


def _faces(dice: ir.DiceType) -> str:
    kind = dice.face
    names = (
        kind.values
        if isinstance(kind, t.Enum)
        else [str(v) for v in range(kind.low, kind.high + 1)]
        if isinstance(kind, t.Int)
        else []
    )
    return "how often each face: " + ", ".join(names)
