"""The tree of a spec to the typed IR: declarations in dependency order, each text typed where it stands.

The order: clauses, options, types, cards and dice, then what the state holds, then definitions (typed when first
used, which finds those that need themselves), then phases, result and invariants. A declaration with a mistake is
reported and left out; what names it is not reported again.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Literal, cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Report, Span, nearest
from aeronef.dsl.effects import EffectChecker
from aeronef.dsl.expressions import AGGREGATES, BOOL, BUILTINS, Checker, Facts, describe, facts_if
from aeronef.dsl.reader import Mapping as Map
from aeronef.dsl.reader import Node, Scalar, Sequence, data
from aeronef.dsl.scope import Place, World
from aeronef.dsl.syntax import Parsed, parse

END = "end"
RESERVED = {
    "me",
    "viewer",
    "owner",
    "players",
    "seats",
    "everyone",
    "nobody",
    "count",
    "seat",
    "bool",
    *BUILTINS,
    *AGGREGATES,
}
MOST_COMBINATIONS = 200_000


def elaborate(root: Map, report: Report) -> ir.Game | None:
    """The IR of a spec whose structure is sound; None if it has mistakes, which are then in the report."""
    return _Elaborator(root, report).game()


class _Elaborator:
    def __init__(self, root: Map, report: Report) -> None:
        self.root = root
        self.report = report
        self.world = World(report)
        self.world.define = self.define
        self.clauses: dict[str, ir.Clause] = {}
        self.citations: list[tuple[str, str, Span]] = []
        self.headers: dict[str, tuple[tuple[tuple[str, t.Type], ...], Node, Scalar]] = {}
        self.defines: dict[str, ir.Define | None] = {}
        self.open_defines: list[str] = []

    # ------------------------------------------------------------------------------ small helpers

    def section(self, name: str) -> Iterator[tuple[Scalar, Node]]:
        node = self.root.get(name)
        if isinstance(node, Map):
            yield from node

    def text(self, node: Node | None, default: str = "") -> str:
        return " ".join(node.text.split()) if isinstance(node, Scalar) else default

    def field(self, node: Node, name: str) -> Node | None:
        return node.get(name) if isinstance(node, Map) else None

    def cited(self, node: Node | None, element: str) -> tuple[str, ...]:
        """The clause ids of a `by:`; those that are not in the clause table are reported."""
        items = node.items if isinstance(node, Sequence) else [node] if isinstance(node, Scalar) else []
        found = []
        for item in items:
            if not isinstance(item, Scalar):
                continue
            if item.text not in self.clauses:
                hint = nearest(item.text, self.clauses) if self.clauses else "the spec has no `clauses:`"
                self.report.add("AE404", item.span, f"no clause `{item.text}`", hint)
                continue
            found.append(item.text)
            self.citations.append((item.text, element, item.span))
        return tuple(found)

    def declare(self, name: Scalar, what: str) -> bool:
        world = self.world
        if not re.fullmatch(r"[A-Za-z_]\w*", name.text):
            self.report.add(
                "AE403", name.span, f"`{name.text}` cannot be a name", "letters, digits and _, a letter first"
            )
            return False
        if name.text in RESERVED:
            self.report.add("AE403", name.span, f"`{name.text}` is a word of the language", "choose another name")
            return False
        if name.text in world.declared:
            first = (world.declared[name.text], "first declared here")
            self.report.add("AE403", name.span, f"`{name.text}` is declared twice", f"rename this {what}", [first])
            return False
        world.declared[name.text] = name.span
        return True

    def expression(
        self, node: Node | None, locals_: Mapping[str, t.Type], wanted: t.Type | None = None, what: str = "",
        facts: Facts = frozenset(),
    ) -> ir.Expr | None:  # fmt: skip
        if not isinstance(node, Scalar):
            return None
        parsed = parse(node, "expression", self.report)
        if parsed is None:
            return None
        checker = Checker(self.world, parsed, locals_)
        tree = parsed.tree.children[0]
        if wanted is None:
            return checker.check(tree, facts)
        return checker.of_type(tree, wanted, facts, what)

    def seats(self, node: Node | None, locals_: Mapping[str, t.Type]) -> ir.Expr | None:
        """A list of seats: an expression, or what is gathered (`p in players where …`)."""
        if not isinstance(node, Scalar):
            return None
        parsed = parse(node, "gathering", self.report)
        if parsed is None:
            return None
        checker = Checker(self.world, parsed, locals_)
        tree = cast("Tree[Token]", parsed.tree.children[0])
        if checker._gathers(tree):
            found = checker.gather(tree)
            if found is None:
                return None
            over = found[0]
            result: ir.Expr | None = ir.Aggregate(
                "list",
                ir.Local(over.name, over.item, over.span),
                over,
                t.ListOf(over.item, t.most(over.source.type)),
                over.span,
            )
        else:
            result = checker.check(tree)
        if result is None:
            return None
        if t.element(result.type) != t.Seat():
            self.report.add("AE501", node.span, f"these must be seats, and this is {describe(result.type)}")
            return None
        return result

    def visible(
        self, node: Node | None, locals_: Mapping[str, t.Type], place: Span, what: str, element: str
    ) -> ir.Visible | None:
        """The predicate of a `seen:` or `told:`; it is never implied."""
        if node is None:
            self.report.add(
                "AE601", place, f"nobody says who may know {what}", "add `seen:` (everyone, nobody, or a test over `viewer`)"
                if "told" not in what else "add `told:` (everyone, nobody, or a test over `viewer`)", element=element,
            )  # fmt: skip
            return None
        if not isinstance(node, Scalar):
            return None
        word = node.text.strip()
        if word in ("everyone", "nobody"):
            return ir.Visible(ir.Const(word == "everyone", BOOL, node.span), word)
        test = self.expression(node, {"viewer": t.Seat(), **locals_}, BOOL)
        return None if test is None else ir.Visible(test, " ".join(word.split()))

    # ------------------------------------------------------------------------------ the whole

    def game(self) -> ir.Game | None:
        root, report = self.root, self.report
        name = cast(Scalar, root.get("game"))
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name.text):
            report.add("AE403", name.span, f"`{name.text}` cannot name a game", "small letters, digits and _")
        clauses = tuple(self._clauses())
        by = self.cited(root.get("by"), "game")
        self._players()
        options = tuple(self._options())
        automata = self._automata()
        enums, numbers = self._types()
        cards = tuple(self._cards())
        dice = tuple(self._dice())
        zone_parts, variable_parts = self._places()
        self._headers()
        self._phase_names()
        zones = tuple(z for part in zone_parts if (z := self._zone(*part)) is not None)
        variables = tuple(v for part in variable_parts if (v := self._variable(*part)) is not None)
        options = tuple(self._requirements(options))
        defines = tuple(d for n in self.headers if (d := self.define(n)) is not None)
        phases = tuple(p for p in (self._phase(key, node) for key, node in self.section("phases")) if p is not None)
        longest = self._longest()
        result = self._result()
        invariants = tuple(self._invariants())
        accepts = tuple(self._accepts())
        self._same_actions(phases)
        if report.errors or result is None or longest is None:
            return None
        return ir.Game(
            name.text, self.text(root.get("says")), self.world.players, automata, longest, by, clauses, options, enums,
            numbers, cards, dice, zones, variables, defines, phases, result, invariants, accepts, name.span,
            tuple(self.citations),
        )  # fmt: skip

    def _clauses(self) -> Iterator[ir.Clause]:
        for key, node in self.section("clauses"):
            kind = self.text(self.field(node, "kind"), "clause")
            says = self.text(node) or self.text(self.field(node, "says"))
            clause = ir.Clause(key.text, kind, says, key.span)
            self.clauses[key.text] = clause
            yield clause

    def _players(self) -> None:
        node = cast(Scalar, self.root.get("players"))
        match = re.fullmatch(r"\s*(\d{1,2})(?:\s*\.\.\s*(\d{1,2}))?\s*", node.text)
        low = int(match[1]) if match else 0
        high = int(match[2] or match[1]) if match else 0
        if not (1 <= low <= high <= 12):
            self.report.add("AE502", node.span, f"`{node.text}` is no number of players", "as in `2..6`, at most 12")
            low, high = 1, 1
        self.world.players = (low, high)

    def _options(self) -> Iterator[ir.OptionDecl]:
        for key, node in self.section("options"):
            if not self.declare(key, "option"):
                continue
            option = self._option(key, node)
            if option is not None:
                self.world.options[key.text] = option
                yield option

    def _option(self, key: Scalar, node: Node) -> ir.OptionDecl | None:
        kind_node = self.field(node, "type")
        kind: t.Type
        low, high = 0, 1
        if isinstance(kind_node, Sequence):
            values = tuple(item.text for item in kind_node if isinstance(item, Scalar))
            kind, high = t.Enum(key.text, values), len(values) - 1
        elif isinstance(kind_node, Scalar) and (match := re.fullmatch(r"(-?\d{1,6})\.\.(-?\d{1,6})", kind_node.text)):
            low, high = int(match[1]), int(match[2])
            kind = t.Int(low, high)
            if low > high:
                self.report.add("AE502", kind_node.span, "the range ends before it starts")
                return None
        elif isinstance(kind_node, Scalar) and kind_node.text == "bool":
            kind = BOOL
        else:
            span = kind_node.span if kind_node is not None else key.span
            self.report.add("AE501", span, "an option is a `bool`, a range like `0..9`, or a list of words")
            return None
        default = self._option_value(kind, self.field(node, "default"))
        tries_node = self.field(node, "try")
        tries: list[int | bool] = []
        for item in tries_node.items if isinstance(tries_node, Sequence) else []:
            value = self._option_value(kind, item)
            if value is not None:
                tries.append(value)
        if default is None:
            return None
        if not tries:
            if isinstance(kind, t.Bool):
                tries = [False, True]
            else:
                tries = list(range(low, high + 1)) if high - low < 8 else sorted({low, int(default), high})
        by = self.cited(self.field(node, "by"), f"options.{key.text}")
        return ir.OptionDecl(
            key.text, kind, low, high, default, tuple(tries), None, self.text(self.field(node, "says")), by, key.span
        )

    def _option_value(self, kind: t.Type, node: Node | None) -> int | bool | None:
        if not isinstance(node, Scalar):
            return None
        value = data(node)
        if isinstance(kind, t.Enum):
            if node.text in kind.values:
                return kind.values.index(node.text)
            self.report.add(
                "AE401", node.span, f"the option has no value `{node.text}`", nearest(node.text, kind.values)
            )
            return None
        if isinstance(kind, t.Bool) and isinstance(value, bool):
            return value
        if (
            isinstance(kind, t.Int)
            and isinstance(value, int)
            and not isinstance(value, bool)
            and kind.low <= value <= kind.high
        ):
            return value
        hint = "write `true` or `false`" if isinstance(kind, t.Bool) else ""
        self.report.add("AE501", node.span, f"this must be {describe(kind)}, and is `{node.text}`", hint)
        return None

    def _requirements(self, options: tuple[ir.OptionDecl, ...]) -> Iterator[ir.OptionDecl]:
        for option in options:
            node = self.field(cast(Map, self.root.get("options")).get(option.name) or self.root, "requires")
            requires = self.expression(node, {}, BOOL) if node is not None else None
            if requires is not None and not self._stateless(requires, node):
                requires = None
            yield ir.OptionDecl(
                option.name, option.type, option.low, option.high, option.default, option.tries, requires, option.says,
                option.by, option.span,
            )  # fmt: skip

    def _stateless(self, node: ir.Expr, at: Node | None) -> bool:
        from aeronef.dsl.walk import nodes

        for inner in nodes(node):
            if isinstance(inner, ir.Read | ir.Call):
                span = at.span if at is not None else inner.span
                self.report.add(
                    "AE605", span, f"`{inner.name}` is not known before the game starts", "options and players are"
                )
                return False
        return True

    def _automata(self) -> ir.Expr | None:
        node = self.root.get("automata")
        if node is None:
            return None
        found = self.expression(node, {}, t.Int(0, 8), "the number of automata")
        if found is None or not self._stateless(found, node):
            return None
        kind = cast(t.Int, found.type)
        if not (kind.low >= 0 and kind.high <= 8):
            self.report.add("AE502", node.span, f"this can be {kind}", "0 to 8 automata")
            return None
        self.world.most_automata = kind.high
        return found

    def _longest(self) -> ir.Expr | None:
        node = self.root.get("longest")
        found = self.expression(node, {}, t.Int(1, 1), "`longest`")
        if found is not None and (not self._stateless(found, node) or cast(t.Int, found.type).low < 1):
            if isinstance(node, Scalar) and cast(t.Int, found.type).low < 1:
                self.report.add("AE502", node.span, f"this can be {found.type}", "a game has at least one step")
            return None
        return found

    def _types(self) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[tuple[str, int, int], ...]]:
        world = self.world
        for key, node in self.section("types"):
            if not self.declare(key, "type"):
                continue
            if isinstance(node, Sequence):
                values: list[str] = []
                for item in node:
                    if not isinstance(item, Scalar) or not re.fullmatch(r"[A-Za-z_]\w*", item.text):
                        self.report.add("AE403", item.span, "a value of a type must be a word")
                    elif item.text in RESERVED:
                        self.report.add(
                            "AE403", item.span, f"`{item.text}` is a word of the language", "choose another word"
                        )
                    elif item.text in values:
                        self.report.add("AE403", item.span, f"`{item.text}` stands twice in `{key.text}`")
                    else:
                        values.append(item.text)
                world.enums[key.text] = t.Enum(key.text, tuple(values))
            elif isinstance(node, Scalar):
                kind = self._type(node)
                if isinstance(kind, t.Int):
                    world.numbers[key.text] = kind
                elif kind is not None:
                    self.report.add("AE501", node.span, "a type is a list of words, or a range like `1..3`")
        return (
            tuple((n, e.values) for n, e in world.enums.items()),
            tuple((n, i.low, i.high) for n, i in world.numbers.items()),
        )

    def _type(self, node: Node | None) -> t.Type | None:
        if not isinstance(node, Scalar):
            return None
        parsed = parse(node, "type", self.report)
        return None if parsed is None else self._typed(parsed, parsed.tree)

    def _typed(self, parsed: Parsed, tree: Tree[Token]) -> t.Type | None:
        if tree.data == "int_type":
            ends = [int("".join(str(c) for c in cast("Tree[Token]", child).children)) for child in tree.children]
            if ends[0] > ends[1]:
                self.report.add("AE502", parsed.span(tree), "the range ends before it starts")
                return None
            return t.Int(ends[0], ends[1])
        if tree.data == "named_type":
            name = str(tree.children[0])
            if name == "count":
                return t.Count()
            found = self.world.named_type(name)
            if found is None and name not in self.world.declared:
                self.report.add(
                    "AE401", parsed.span(tree), f"unknown type `{name}`", nearest(name, self.world.type_names())
                )
            return found
        inner = self._typed(parsed, cast("Tree[Token]", tree.children[0]))
        if tree.data == "set_type":
            if inner is None or not isinstance(inner, t.Bool | t.Int | t.Enum | t.Seat | t.Card):
                return None
            return t.SetOf(inner, self._how_many(inner))
        if len(tree.children) == 1 or inner is None:
            return inner
        if isinstance(inner, t.Count):
            self.report.add("AE506", parsed.span(tree), "a count is never none")
            return None
        return t.Optional(cast(t.Plain, inner))

    def _how_many(self, kind: t.Type) -> int:
        match kind:
            case t.Bool():
                return 2
            case t.Int(low, high):
                return high - low + 1
            case t.Enum(_, values):
                return len(values)
            case t.Seat():
                return self.world.most_seats
            case t.Card(name):
                return len(self.world.cards[name].kinds)
            case _:
                return 0

    # ------------------------------------------------------------------------------ cards and dice

    def _cards(self) -> Iterator[ir.CardType]:
        for key, node in self.section("cards"):
            if not self.declare(key, "card type"):
                continue
            attributes: list[tuple[str, t.Type]] = []
            declared = self.field(node, "attributes")
            for name, kind_node in declared if isinstance(declared, Map) else []:
                kind = self._type(kind_node)
                if kind is not None and isinstance(t.strip(kind), t.Bool | t.Int | t.Enum):
                    attributes.append((name.text, kind))
                elif kind is not None:
                    self.report.add("AE501", kind_node.span, "an attribute is a bool, a range, or one of your types")
            kinds = tuple(self._kinds(node, dict(attributes)))
            labels: dict[str, Span] = {}
            for kind_decl in kinds:
                if kind_decl.label in labels:
                    first = (labels[kind_decl.label], "first here")
                    message = f"two cards are labelled `{kind_decl.label}`"
                    self.report.add("AE405", kind_decl.span, message, "put what tells them apart in the label", [first])
                labels[kind_decl.label] = kind_decl.span
            by = self.cited(self.field(node, "by"), f"cards.{key.text}")
            card = ir.CardType(key.text, tuple(attributes), kinds, by, key.span)
            self.world.cards[key.text] = card
            yield card

    def _kinds(self, node: Node, attributes: dict[str, t.Type]) -> Iterator[ir.CardKind]:
        rows = self.field(node, "kinds")
        for row in rows if isinstance(rows, Sequence) else []:
            if not isinstance(row, Map):
                continue
            label = cast(Scalar, row.get("label"))
            copies_node = row.get("copies")
            copies = data(copies_node) if copies_node is not None else 1
            axes: list[tuple[str, list[int | bool | None]]] = []
            sound = True
            for name, value_node in row:
                if name.text in ("label", "copies"):
                    continue
                if name.text not in attributes:
                    self.report.add(
                        "AE401", name.span, f"cards have no attribute `{name.text}`", nearest(name.text, attributes)
                    )
                    sound = False
                    continue
                values = self._attribute_values(value_node, attributes[name.text])
                sound = sound and values is not None
                axes.append((name.text, values or []))
            missing = [n for n, k in attributes.items() if n not in dict(axes) and not isinstance(k, t.Optional)]
            if missing:
                self.report.add(
                    "AE405",
                    row.span,
                    f"this card has no `{missing[0]}`",
                    "give it one, or make the attribute optional (`?`)",
                )
                sound = False
            if not sound:
                continue
            for combination in itertools.product(*(values for _, values in axes)):
                has = dict(zip((n for n, _ in axes), combination, strict=True))
                text = self._label(label, has, attributes)
                if text is None:
                    break
                yield ir.CardKind(text, tuple(has.get(n) for n in attributes), copies, row.span)

    def _attribute_values(self, node: Node, kind: t.Type) -> list[int | bool | None] | None:
        inner = t.strip(kind)
        found: list[int | bool | None] = []
        for item in node.items if isinstance(node, Sequence) else [node]:
            text = item.text.strip() if isinstance(item, Scalar) else ""
            if text == "none" and isinstance(kind, t.Optional):
                found.append(None)
            elif isinstance(inner, t.Enum) and text in inner.values:
                found.append(inner.values.index(text))
            elif isinstance(inner, t.Bool) and text in ("true", "false"):
                found.append(text == "true")
            elif isinstance(inner, t.Int) and (match := re.fullmatch(r"(-?\d{1,6})(?:\.\.(-?\d{1,6}))?", text)):
                low, high = int(match[1]), int(match[2] or match[1])
                if not inner.low <= low <= high <= inner.high or high - low > 1000:
                    self.report.add("AE502", item.span, f"`{text}` is not within {inner}")
                    return None
                found.extend(range(low, high + 1))
            else:
                known = inner.values if isinstance(inner, t.Enum) else ()
                self.report.add("AE501", item.span, f"`{text}` is not {describe(inner)}", nearest(text, known))
                return None
        return found

    def _label(self, label: Scalar, has: dict[str, int | bool | None], attributes: dict[str, t.Type]) -> str | None:
        def shown(match: re.Match[str]) -> str:
            name = match[1]
            if name not in attributes:
                raise KeyError(match)
            value, kind = has.get(name), t.strip(attributes[name])
            if value is None:
                return ""
            if isinstance(kind, t.Enum):
                return kind.values[int(value)]
            return str(value).lower()

        try:
            text = re.sub(r"\{(\w+)\}", shown, label.text)
        except KeyError as error:
            match = cast("re.Match[str]", error.args[0])
            self.report.add(
                "AE401",
                label.at(match.start(1), match.end(1)),
                f"cards have no attribute `{match[1]}`",
                nearest(match[1], attributes),
            )
            return None
        text = " ".join(text.split())
        if not text or re.search(r"[(),+]", text):
            self.report.add("AE405", label.span, f"`{text}` cannot label a card", "no brackets, commas or + in a label")
            return None
        return text

    def _dice(self) -> Iterator[ir.DiceType]:
        for key, node in self.section("dice"):
            if not self.declare(key, "kind of dice"):
                continue
            face = self._type(self.field(node, "faces"))
            if face is not None and not isinstance(face, t.Enum | t.Int):
                self.report.add("AE501", key.span, "the faces of dice are one of your types, or a range")
                face = None
            if face is None:
                continue
            names = list(face.values) if isinstance(face, t.Enum) else [str(v) for v in range(face.low, face.high + 1)]
            weights = dict.fromkeys(names, 1)
            copies = self.field(node, "copies")
            for name, count in copies if isinstance(copies, Map) else []:
                if name.text not in weights:
                    self.report.add(
                        "AE401", name.span, f"the dice have no face `{name.text}`", nearest(name.text, names)
                    )
                weights[name.text] = cast(int, data(count))
            by = self.cited(self.field(node, "by"), f"dice.{key.text}")
            dice = ir.DiceType(key.text, face, tuple(weights[n] for n in names), by, key.span)
            self.world.dice[key.text] = dice
            yield dice

    # ------------------------------------------------------------------------------ zones and variables

    def _places(self) -> tuple[list[tuple[Scalar, Node, Place]], list[tuple[Scalar, Node, Place]]]:
        zones: list[tuple[Scalar, Node, Place]] = []
        for key, node in self.section("zones"):
            if not self.declare(key, "zone"):
                continue
            each = self._each(node)
            of = self.field(node, "of")
            if isinstance(of, Scalar) and of.text not in self.world.cards:
                if of.text not in self.world.declared:
                    self.report.add(
                        "AE401", of.span, f"unknown card type `{of.text}`", nearest(of.text, self.world.cards)
                    )
                else:
                    self.report.add("AE501", of.span, f"`{of.text}` is no card type", "card types are under `cards:`")
                continue
            if not isinstance(of, Scalar) or each is None:
                continue
            holds = self.field(node, "holds")
            slot = isinstance(holds, Scalar) and holds.text == "1"
            most = 1 if slot else self.world.copies(of.text)
            place = Place(each, t.ZoneOf(t.Card(of.text), most, slot), True, key.span)
            self.world.places[key.text] = place
            zones.append((key, node, place))
        variables: list[tuple[Scalar, Node, Place]] = []
        for key, node in self.section("vars"):
            if not self.declare(key, "variable"):
                continue
            each, kind = self._each(node), self._type(self.field(node, "type"))
            if kind is None or each is None:
                continue
            place = Place(each, kind, False, key.span)
            self.world.places[key.text] = place
            variables.append((key, node, place))
        return zones, variables

    def _each(self, node: Node) -> tuple[t.Type, ...] | None:
        each = self.field(node, "each")
        found: list[t.Type] = []
        for item in each.items if isinstance(each, Sequence) else [each] if isinstance(each, Scalar) else []:
            kind = self._type(item)
            if kind is None:
                return None
            if not isinstance(kind, t.Seat | t.Enum | t.Int) or kind in found and isinstance(kind, t.Seat):
                self.report.add(
                    "AE501", item.span, f"there cannot be one for each {kind}", "each: seat, or one of your types"
                )
                return None
            found.append(kind)
        return tuple(found)

    def _owner(self, place: Place) -> dict[str, t.Type]:
        return {"owner": t.Seat()} if t.Seat() in place.each else {}

    def _zone(self, key: Scalar, node: Node, place: Place) -> ir.Zone | None:
        element = f"zones.{key.text}"
        kind = cast(t.ZoneOf, place.type)
        starts: ir.Gather | None = None
        starts_node = self.field(node, "starts")
        if isinstance(starts_node, Scalar):
            starts = self._starts(starts_node, place, kind.card)
        seen = self.visible(
            self.field(node, "seen"), self._owner(place), key.span, f"the cards of `{key.text}`", element
        )
        by = self.cited(self.field(node, "by"), element)
        if seen is None or (starts is None and starts_node is not None):
            return None
        ordered = self.text(self.field(node, "order"), "none") == "kept"
        return ir.Zone(
            key.text,
            place.each,
            kind.card.name,
            ordered,
            kind.slot,
            starts,
            seen,
            by,
            self.text(self.field(node, "says")),
            key.span,
        )

    def _starts(self, node: Scalar, place: Place, card: t.Card) -> ir.Gather | None:
        parsed = parse(node, "gathering", self.report)
        if parsed is None:
            return None
        checker = Checker(self.world, parsed, self._owner(place))
        tree = cast("Tree[Token]", parsed.tree.children[0])
        if checker._gathers(tree):
            found = checker.gather(tree)
            gather = found[0] if found is not None else None
        else:
            source = checker.check(tree)
            gather = None
            if source is not None:
                inner = t.element(source.type)
                if inner is None:
                    self.report.add("AE501", node.span, f"this must be cards, and is {describe(source.type)}")
                else:
                    gather = ir.Gather("c", source, None, None, False, inner, node.span)
        if gather is None:
            return None
        if gather.item != card:
            self.report.add("AE501", node.span, f"the zone holds {card}, and these are {describe(gather.item)}")
            return None
        if not self._stateless(
            ir.Aggregate("list", ir.Local(gather.name, card, node.span), gather, t.ListOf(card, 1), node.span), node
        ):
            return None
        return gather

    def _variable(self, key: Scalar, node: Node, place: Place) -> ir.Variable | None:
        element = f"vars.{key.text}"
        starts_node = self.field(node, "starts")
        starts: ir.Expr | None = None
        if starts_node is None and isinstance(place.type, t.Optional):
            starts = ir.Const(None, t.Nothing(), key.span)
        elif starts_node is None:
            self.report.add("AE606", key.span, f"`{key.text}` has no value to start with", "add `starts:`")
        else:
            wanted = t.Int(0, 0) if isinstance(place.type, t.Count) else place.type
            starts = self.expression(starts_node, self._owner(place), wanted, "the start")
            if starts is not None and not t.within(starts.type, place.type):
                self.report.add(
                    "AE502", starts_node.span, f"this can be {starts.type}, and `{key.text}` holds {place.type}"
                )
                starts = None
            if starts is not None and not self._stateless(starts, starts_node):
                starts = None
        seen = self.visible(self.field(node, "seen"), self._owner(place), key.span, f"`{key.text}`", element)
        by = self.cited(self.field(node, "by"), element)
        if starts is None or seen is None:
            return None
        return ir.Variable(
            key.text, place.each, place.type, starts, seen, by, self.text(self.field(node, "says")), key.span
        )

    # ------------------------------------------------------------------------------ definitions

    def _headers(self) -> None:
        for key, node in self.section("define"):
            parsed = parse(key, "header", self.report)
            if parsed is None:
                continue
            name = str(parsed.tree.children[0])
            if name in RESERVED or name in self.world.declared:
                if name in RESERVED:
                    self.report.add("AE403", key.span, f"`{name}` is a word of the language", "choose another name")
                else:
                    first = (self.world.declared[name], "first declared here")
                    self.report.add("AE403", key.span, f"`{name}` is declared twice", "rename this definition", [first])
                continue
            self.world.declared[name] = key.span
            params: list[tuple[str, t.Type]] = []
            sound = True
            for child in parsed.tree.children[1:]:
                formal = cast("Tree[Token]", child)
                kind = self._typed(parsed, cast("Tree[Token]", formal.children[0]))
                param = str(formal.children[1])
                if kind is None:
                    sound = False
                elif (
                    param in RESERVED
                    or param in self.world.declared
                    or param in dict(params)
                    or self.world.enum_values(param)
                ):
                    self.report.add(
                        "AE403", parsed.span(formal), f"`{param}` already means something", "choose another name"
                    )
                    sound = False
                else:
                    params.append((param, kind))
            self.world.headers[name] = key.span
            self.headers[name] = (tuple(params), node, key)
            if not sound:
                self.defines[name] = None

    def define(self, name: str) -> ir.Define | None:
        """A definition, typed on first use; None if it has mistakes, which are reported once."""
        if name in self.defines:
            return self.defines[name]
        params, node, key = self.headers[name]
        if name in self.open_defines:
            circle = [*self.open_defines[self.open_defines.index(name) :], name]
            notes = [(self.headers[n][2].span, f"`{n}` uses `{m}`") for n, m in itertools.pairwise(circle)]
            self.report.add(
                "AE607", key.span, f"`{name}` needs itself: " + " → ".join(circle), "break the circle", notes
            )
            for other in circle:
                self.defines[other] = None
            return None
        self.open_defines.append(name)
        body_node = self.field(node, "is") if isinstance(node, Map) else node
        body = self.expression(body_node, dict(params))
        self.open_defines.pop()
        by = self.cited(self.field(node, "by"), f"define.{name}")
        if name in self.defines:
            return self.defines[name]
        found = None
        if body is not None:
            if isinstance(body.type, t.ZoneOf | t.Nothing | t.Count):
                self.report.add("AE501", key.span, f"a definition cannot be {describe(body.type)}")
            else:
                found = ir.Define(name, params, body, by, self.text(body_node), key.span)
        self.defines[name] = found
        return found

    # ------------------------------------------------------------------------------ phases

    def _phase_names(self) -> None:
        for key, _ in self.section("phases"):
            if key.text == END:
                self.report.add(
                    "AE403", key.span, "`end` is where a game ends, and needs no phase", "choose another name"
                )
            elif not re.fullmatch(r"[a-z]\w*", key.text):
                self.report.add("AE403", key.span, f"`{key.text}` cannot name a phase", "small letters, digits and _")
            else:
                self.world.phases[key.text] = key.span

    def _effects(
        self, node: Node | None, locals_: Mapping[str, t.Type], by: tuple[str, ...], element: str
    ) -> tuple[ir.Effect, ...]:
        found: list[ir.Effect] = []
        for item in node.items if isinstance(node, Sequence) else [node] if node is not None else []:
            text = self.field(item, "do") if isinstance(item, Map) else item
            cited = self.cited(self.field(item, "by"), element) if isinstance(item, Map) else by
            says = self.text(self.field(item, "says"))
            if not isinstance(text, Scalar):
                continue
            parsed = parse(text, "block", self.report)
            if parsed is None:
                continue
            body = EffectChecker(self.world, parsed, locals_).block(parsed.tree)
            found.append(ir.Effect(body, cited, says, text.span))
        return tuple(found)

    def _phase(self, key: Scalar, node: Node) -> ir.Phase | None:
        element = f"phases.{key.text}"
        me: dict[str, t.Type] = {"me": t.Seat()}
        by = self.cited(self.field(node, "by"), element)
        effects = self._effects(self.field(node, "do"), {}, (), element)
        present = [kind for kind in ("together", "turns", "chance") if self.field(node, kind) is not None]
        kind = cast(Literal["automatic", "together", "turns", "chance"], present[0] if present else "automatic")
        over = start = until = asks = None
        if kind != "automatic":
            order = self.field(node, kind)
            if isinstance(order, Map):
                over = self.seats(order.get("over"), {}) if order.get("over") is not None else None
                start = (
                    self.expression(order.get("from"), {}, t.Seat(), "the first seat") if order.get("from") else None
                )
                until = (
                    self.expression(order.get("until"), me if start is None else {}, BOOL)
                    if order.get("until")
                    else None
                )
                asks = self.expression(order.get("asks"), me, BOOL) if order.get("asks") else None
            elif not (kind == "chance" and self.text(order) == "once"):
                over = self.seats(order, {})
            else:
                me = {}
        actions_node = self.field(node, "outcomes" if kind == "chance" else "actions")
        actions: list[ir.Action] = []
        for action_key, action_node in actions_node if isinstance(actions_node, Map) else []:
            action = self._action(action_key, action_node, kind == "chance", me, element)
            if action is not None:
                if any(a.name == action.name for a in actions):
                    self.report.add(
                        "AE403", action_key.span, f"two actions of this phase are called `{action.name}`", "rename one"
                    )
                actions.append(action)
        unasked = self._effects(self.field(node, "unasked"), me, (), element)
        then = self._then(self.field(node, "then"), key, element)
        if then is None:
            return None
        return ir.Phase(
            key.text, kind, effects, over, start, until, asks, unasked, tuple(actions), then, by,
            self.text(self.field(node, "says")), key.span,
        )  # fmt: skip

    def _then(self, node: Node | None, key: Scalar, element: str) -> ir.Goto | None:
        if node is None:
            message = f"the phase `{key.text}` has no way on"
            self.report.add("AE602", key.span, message, "add `then:` with the next phase, or `end`", element=element)
            return None
        if not isinstance(node, Scalar):
            return None
        parsed = parse(node, "expression", self.report)
        if parsed is None:
            return None
        branches: list[tuple[ir.Expr | None, str]] = []
        checker = Checker(self.world, parsed, {})
        sound = True
        tree = cast("Tree[Token]", parsed.tree.children[0])
        while True:
            head, test = (
                (tree, None) if tree.data != "choice" else (cast("Tree[Token]", tree.children[0]), tree.children[1])
            )
            name = str(head.children[0]) if head.data == "name" else ""
            if not name:
                parsed_span = parsed.span(head)
                self.report.add(
                    "AE301", parsed_span, "a phase must stand here", "as in `then: move if storm else rest`"
                )
                sound = False
            elif name != END and name not in self.world.phases:
                self.report.add(
                    "AE401", parsed.span(head), f"unknown phase `{name}`", nearest(name, [*self.world.phases, END])
                )
                sound = False
            condition = checker.of_type(test, BOOL) if test is not None else None
            if test is not None and condition is None:
                sound = False
            branches.append((condition, name))
            if test is None:
                break
            tree = cast("Tree[Token]", tree.children[2])
        return ir.Goto(tuple(branches), node.span) if sound else None

    def _action(self, key: Scalar, node: Node, chance: bool, me: dict[str, t.Type], phase: str) -> ir.Action | None:
        parsed = parse(key, "signature", self.report)
        if parsed is None:
            return None
        name = str(parsed.tree.children[0])
        element = f"{phase}.{'outcomes' if chance else 'actions'}.{name}"
        by = self.cited(self.field(node, "by"), element)
        locals_ = dict(me)
        facts: Facts = frozenset()
        params: list[ir.Parameter] = []
        sound = True
        told_node = self.field(node, "told")
        trees = [cast("Tree[Token]", child) for child in parsed.tree.children[1:]]
        for tree in trees:
            checker = Checker(self.world, parsed, locals_)
            found = self._parameter(checker, tree, facts, chance)
            if found is None:
                sound = False
                continue
            params.append(found)
            if found.kind != "given":
                locals_[found.name] = found.type
            if found.test is not None:
                facts |= facts_if(found.test, True)
        if sound:
            params = self._told(params, told_node, locals_, key, element)
            sound = len(params) == len(trees)
        when_node = self.field(node, "when")
        when = self.expression(when_node, locals_, BOOL, facts=facts) if when_node is not None else None
        if when_node is not None and when is None:
            sound = False
        effects = self._effects(self.field(node, "do"), locals_, by, element)
        if chance and sum(p.kind != "given" for p in params) > 1:
            self.report.add("AE608", key.span, "an outcome has at most one value that chance decides", "use two phases")
            sound = False
        if not sound:
            return None
        return ir.Action(
            name, tuple(params), when, self.text(when_node), effects, by, self.text(self.field(node, "says")), key.span
        )

    def _parameter(self, checker: Checker, tree: Tree[Token], facts: Facts, chance: bool) -> ir.Parameter | None:
        span, words, form = checker.span(tree), checker.parsed.words(tree), str(tree.data)
        nobody = ir.Visible(ir.Const(False, BOOL, span), "nobody")

        def built(
            name: str, kind: str, source: ir.Expr | None, kind_type: t.Type, size: ir.Expr | None = None, most: int = 0,
            test: ir.Expr | None = None, dice: str = "",
        ) -> ir.Parameter:  # fmt: skip
            return ir.Parameter(name, kind, source, size, most, test, dice, kind_type, nobody, words, span)  # type: ignore[arg-type]

        if form in ("drawn_parameter", "rolled_parameter"):
            name = str(tree.children[0])
            if not chance:
                self.report.add("AE608", span, "`from` is chance's word; a seat chooses", f"write `{name} in …`")
                return None
            if not checker.fresh(name, tree.children[0]):
                return None
            if form == "rolled_parameter":
                size = checker._int(tree.children[1], facts)
                dice = self.world.dice.get(str(tree.children[2]))
                if dice is None:
                    self.report.add(
                        "AE401",
                        checker.span(tree.children[2]),
                        f"unknown dice `{tree.children[2]}`",
                        nearest(str(tree.children[2]), self.world.dice),
                    )
                if size is None or dice is None:
                    return None
                most = cast(t.Int, size.type).high
                if most > 10 or cast(t.Int, size.type).low < 0:
                    self.report.add(
                        "AE502", checker.span(tree.children[1]), f"this rolls {size.type} dice", "0 to 10 at once"
                    )
                    return None
                return built(name, "roll", None, t.ListOf(dice.face, most), size, most, dice=dice.name)
            source = checker.check(tree.children[1], facts)
            if source is None:
                return None
            item = t.element(source.type)
            if not isinstance(item, t.Bool | t.Int | t.Enum | t.Seat | t.Card):
                self.report.add(
                    "AE501",
                    checker.span(tree.children[1]),
                    f"chance picks from a collection, and this is {describe(source.type)}",
                )
                return None
            return built(name, "card" if isinstance(source.type, t.ZoneOf) else "uniform", source, item)

        head = tree.children[0]
        if not checker._gathers(head):
            value = checker.sure(checker.check(head, facts), head)
            if value is None:
                return None
            if form != "plain_parameter" or not isinstance(value.type, t.Bool | t.Int | t.Enum | t.Seat | t.Card):
                self.report.add("AE301", span, "this must say what is chosen, from where", "as in `c in hand[me]`")
                return None
            name = value.name if isinstance(value, ir.Local) else f"value{tree.meta.start_pos}"
            return built(name, "given", value, value.type)
        if chance:
            self.report.add("AE608", span, "`in` is a seat's choice; chance takes", "write `… from …`")
            return None
        some = form in ("some_parameter", "some_tested_parameter")
        member = cast("Tree[Token]", head)
        if member.data != "member":
            self.report.add("AE301", span, "this must say what is chosen, from where", "as in `c in hand[me] where …`")
            return None
        name = str(cast("Tree[Token]", member.children[0]).children[0])
        if not checker.fresh(name, member.children[0]):
            return None
        size = None
        if some:
            size = checker._int(member.children[1], facts)
            source = checker.check(tree.children[1], facts)
        else:
            source = checker.check(member.children[1], facts)
        if source is None or (some and size is None):
            return None
        item = t.element(source.type)
        if not isinstance(item, t.Bool | t.Int | t.Enum | t.Seat | t.Card):
            self.report.add(
                "AE501", span, f"something is chosen from a collection, and this is {describe(source.type)}"
            )
            return None
        kind_type: t.Type = item
        most = 0
        if some and size is not None:
            if not isinstance(source.type, t.ZoneOf) or source.type.slot:
                self.report.add("AE501", checker.span(tree.children[1]), "sets of cards are chosen from a zone")
                return None
            most = cast(t.Int, size.type).high
            if most > 8 or cast(t.Int, size.type).low < 0:
                hint = "limit it, as in `min(3, size(hand[me]))`"
                self.report.add(
                    "AE502",
                    checker.span(member.children[1]),
                    f"this can be {size.type} cards, and a choice has 0 to 8",
                    hint,
                )
                return None
            kind_type = t.ListOf(item, most)
        test_tree = tree.children[-1] if form in ("tested_parameter", "some_tested_parameter") else None
        test = None
        if test_tree is not None:
            checker.locals[name] = kind_type
            test = checker.of_type(test_tree, BOOL, facts)
            if test is None:
                return None
        return built(name, "some" if some else "one", source, kind_type, size, most, test)

    def _told(
        self, params: list[ir.Parameter], node: Node | None, locals_: dict[str, t.Type], key: Scalar, element: str
    ) -> list[ir.Parameter]:
        """Each parameter with the seats that are told of it."""
        found: list[ir.Parameter] = []
        if isinstance(node, Map):
            names = {p.name for p in params}
            for name, _ in node:
                if name.text not in names:
                    self.report.add("AE401", name.span, f"the action has no `{name.text}`", nearest(name.text, names))
        for p in params:
            told = node.get(p.name) if isinstance(node, Map) else node
            if isinstance(node, Map) and told is None and p.kind == "given":
                told = None
            visible = self.visible(told, locals_, key.span, f"`{p.name}` when it is told", element)
            if visible is None:
                continue
            found.append(
                ir.Parameter(
                    p.name, p.kind, p.source, p.size, p.size_most, p.test, p.dice, p.type, visible, p.words, p.span
                )
            )
        return found

    def _same_actions(self, phases: tuple[ir.Phase, ...]) -> None:
        """An action's name means the same everywhere: the same kinds of values, whatever the phase."""
        first: dict[tuple[bool, str], ir.Action] = {}
        for phase in phases:
            for action in phase.actions:
                other = first.setdefault((phase.kind == "chance", action.name), action)
                same = len(other.params) == len(action.params) and all(
                    t.join(a.type, b.type) is not None and type(a.type) is type(b.type)
                    for a, b in zip(other.params, action.params, strict=False)
                )
                if not same:
                    notes = [(other.span, "first declared here")]
                    self.report.add(
                        "AE403",
                        action.span,
                        f"`{action.name}` has other values than in another phase",
                        "rename one",
                        notes,
                    )

    # ------------------------------------------------------------------------------ result, invariants, acceptances

    def _result(self) -> ir.Result | None:
        node = self.root.get("result")
        if not isinstance(node, Map):
            return None
        me: dict[str, t.Type] = {"me": t.Seat()}
        keys: list[ir.Expr] = []
        rank = node.get("rank")
        for item in rank.items if isinstance(rank, Sequence) else [rank] if rank is not None else []:
            key = self.expression(item, me)
            if key is None:
                continue
            if not isinstance(key.type, t.Int | t.Bool):
                self.report.add("AE501", item.span, f"seats are ranked by numbers, and this is {describe(key.type)}")
                continue
            keys.append(key)
        lost = self.expression(node.get("lost"), {}, BOOL) if node.get("lost") is not None else None
        returns = (
            self.expression(node.get("returns"), me, t.Int(0, 0), "a return")
            if node.get("returns") is not None
            else None
        )
        if rank is None and returns is None:
            self.report.add("AE606", node.span, "nothing says who wins", "add `rank:` (higher is better) or `returns:`")
        return ir.Result(tuple(keys), lost, returns, self.cited(node.get("by"), "result"), node.span)

    def _invariants(self) -> Iterator[ir.Invariant]:
        for key, node in self.section("invariants"):
            body = self.field(node, "is") if isinstance(node, Map) else node
            test = self.expression(body, {}, BOOL)
            by = self.cited(self.field(node, "by"), f"invariants.{key.text}")
            if test is not None:
                yield ir.Invariant(key.text, test, by, self.text(body), key.span)

    def _accepts(self) -> Iterator[ir.Accept]:
        node = self.root.get("accepts")
        for item in node.items if isinstance(node, Sequence) else []:
            if isinstance(item, Map):
                yield ir.Accept(
                    self.text(item.get("finding")), self.text(item.get("at")), self.text(item.get("why")), item.span
                )
