"""What a spec declares: options, types, cards, dice, zones, variables and definitions.

All names are declared first, so that a name that stands where it is not known yet is told apart from an unknown one.
A declaration with a mistake is reported and its name marked as broken: what names it is not reported again.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span, nearest
from aeronef.dsl.expressions import BOOL, Checker, article, being, describe
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence, data
from aeronef.dsl.scope import Place, reserved
from aeronef.dsl.syntax import Parsed, parse
from aeronef.dsl.texts import Texts

NAME = r"[A-Za-z_][A-Za-z_0-9]*"
SECTIONS = {"options": "option", "types": "type", "cards": "card type", "dice": "kind of dice", "zones": "zone",
            "vars": "variable", "define": "definition"}  # fmt: skip
MOST_PARTS = 10_000
MOST_KINDS = 1_000
MOST_FACES = 100
DEEPEST = 50
Declared = list[tuple[Scalar, Node]]


@dataclass(slots=True)
class _Head:
    """A definition before its body is typed; `params` and `body` are None after a mistake."""

    name: str
    key: Scalar
    node: Node
    params: tuple[tuple[str, t.Type], ...] | None
    body: Parsed | None
    uses: set[str]


class Declarations(Texts):
    # ------------------------------------------------------------------------------ names

    def declare(self) -> dict[str, Declared]:
        """The declarations of each section whose names can be had; the others are reported."""
        found: dict[str, Declared] = {}
        for section, what in SECTIONS.items():
            found[section] = []
            for key, node in self.section(section):
                name, span = key.text, key.span
                if section == "define":
                    parsed = parse(key, "header", self.report)
                    if parsed is None:
                        self.world.broken.update(re.findall(r"^\w+", key.text))
                        continue
                    token = cast(Token, parsed.tree.children[0])
                    name, span = str(token), parsed.span(token)
                if self._available(name, span, what):
                    self.world.declared[name] = (what, span)
                    found[section].append((key, node))
                elif name not in self.world.declared:
                    self.world.broken.add(name)
        return found

    def _available(self, name: str, span: Span, what: str) -> bool:
        if not re.fullmatch(NAME, name):
            self.wrong("AE403", span, f"`{name}` cannot be a name", "letters, digits and _, a letter first")
        elif reserved(name):
            self.wrong("AE403", span, f"`{name}` is a word of the language", "choose another name")
        elif name in self.world.declared:
            other, first = self.world.declared[name]
            notes = [(first, f"the {other} `{name}`")]
            self.report.add("AE403", span, f"`{name}` is declared twice", f"rename this {what}", notes)
        else:
            return True
        return False

    def _words(self, node: Sequence) -> tuple[str, ...]:
        """The words of an enumeration; those that cannot be had are reported."""
        found: list[str] = []
        for item in node:
            if not isinstance(item, Scalar):
                continue
            if item.text in found:
                self.wrong("AE403", item.span, f"`{item.text}` stands here twice", "take one out")
            else:
                self._available(item.text, item.span, "word")
                found.append(item.text)
        return tuple(found)

    # ------------------------------------------------------------------------------ clauses, players, options

    def declare_clauses(self) -> Iterator[ir.Clause]:
        for key, node in self.section("clauses"):
            kind = self.text(self.field(node, "kind"), "clause")
            says = self.text(node) or self.text(self.field(node, "says"))
            self.clauses[key.text] = clause = ir.Clause(key.text, kind, says, key.span)
            yield clause

    def declare_players(self) -> None:
        node = self.root.get("players")
        self.world.players = (12, 12)  # after a mistake: every seat that can be named is there
        if not isinstance(node, Scalar):
            return
        match = re.fullmatch(r"\s*([1-9]\d?)(?:\s*\.\.\s*([1-9]\d?))?\s*", node.text)
        low = int(match[1]) if match else 0
        high = int(match[2] or match[1]) if match else 0
        if 1 <= low <= high <= 12:
            self.world.players = (low, high)
        else:
            self.wrong("AE502", node.span, f"`{node.text}` is no number of players", "as in `2..6`, at most 12")

    def declare_options(self, declared: Declared) -> list[ir.OptionDecl]:
        found = []
        for key, node in declared:
            option = self._option(key, node)
            if option is None:
                self.world.broken.add(key.text)
            else:
                self.world.options[key.text] = option
                found.append(option)
        return found

    def _option(self, key: Scalar, node: Node) -> ir.OptionDecl | None:
        kind_node = self.field(node, "type")
        kind: t.Type | None = None
        if isinstance(kind_node, Sequence):
            words = self._words(kind_node)
            kind = t.Enum(key.text, words) if words else None
        elif isinstance(kind_node, Scalar):
            match = re.fullmatch(r"\s*(-?\d{1,6})\s*\.\.\s*(-?\d{1,6})\s*", kind_node.text)
            if match and int(match[1]) > int(match[2]):
                self.wrong(
                    "AE502", kind_node.span, "the range ends before it starts", f"as in `{match[2]}..{match[1]}`"
                )
            elif match:
                kind = t.Int(int(match[1]), int(match[2]))
            elif kind_node.text == "bool":
                kind = BOOL
            else:
                hint = "an option is a `bool`, a range like `0..9`, or a list of words"
                self.wrong("AE501", kind_node.span, f"`{kind_node.text}` is no type of an option", hint)
        by = self.cited(self.field(node, "by"), f"options.{key.text}")
        default = self._option_value(kind, self.field(node, "default"))
        tries_node = self.field(node, "try")
        tries = tries_node.items if isinstance(tries_node, Sequence) else []
        tried = [value for item in tries if (value := self._option_value(kind, item)) is not None]
        if kind is None:
            return None
        default = default if default is not None else kind.low if isinstance(kind, t.Int) else 0
        low, high = (kind.low, kind.high) if isinstance(kind, t.Int) else (0, t.count(kind) - 1)
        if not tried and isinstance(kind, t.Bool):
            tried = [False, True]
        elif not tried:
            tried = list(range(low, high + 1)) if high - low < 8 else sorted({low, int(default), high})
        says = self.text(self.field(node, "says"))
        return ir.OptionDecl(key.text, kind, low, high, default, tuple(tried), None, says, by, key.span)

    def _option_value(self, kind: t.Type | None, node: Node | None) -> int | bool | None:
        if not isinstance(node, Scalar) or kind is None:
            return None
        value = data(node)
        if isinstance(kind, t.Enum):
            if node.text in kind.values:
                return kind.values.index(node.text)
            self.wrong("AE401", node.span, f"the option has no value `{node.text}`", nearest(node.text, kind.values))
            return None
        if isinstance(kind, t.Bool) and isinstance(value, bool):
            return value
        if isinstance(kind, t.Int) and isinstance(value, int) and not isinstance(value, bool):
            if kind.low <= value <= kind.high:
                return value
            self.wrong("AE502", node.span, f"`{value}` is not within {kind}")
            return None
        hint = "write `true` or `false`, without quotes" if isinstance(kind, t.Bool) else "a number, without quotes"
        self.wrong("AE501", node.span, f"this must be {describe(kind)}, and is `{node.text}`", hint)
        return None

    def require(self, options: list[ir.OptionDecl]) -> Iterator[ir.OptionDecl]:
        """The options with what they require, which may look at all of them."""
        section = self.root.get("options")
        for o in options:
            node = self.field(cast(Node, self.field(section, o.name)), "requires") if section is not None else None
            requires = self.expression(node, {}, BOOL)
            if requires is not None and not self.stateless(requires):
                requires = None
            yield ir.OptionDecl(o.name, o.type, o.low, o.high, o.default, o.tries, requires, o.says, o.by, o.span)

    def declare_automata(self) -> ir.Expr | None:
        node = self.root.get("automata")
        found = self.expression(node, {}, t.Int(0, 8), "the number of automata")
        if node is None or found is None or not self.stateless(found, seats=False):
            return None
        kind = cast(t.Int, found.type)
        if not (kind.low >= 0 and kind.high <= 8):
            self.wrong("AE502", node.span, f"this {being(kind)}", "0 to 8 automata")
            return None
        self.world.most_automata = kind.high
        return found

    # ------------------------------------------------------------------------------ types

    def declare_types(self, declared: Declared) -> None:
        world = self.world
        for key, node in declared:
            kind: t.Type | None = None
            if isinstance(node, Sequence):
                words = self._words(node)
                kind = t.Enum(key.text, words) if words else None
            elif isinstance(node, Scalar):
                kind = self.type_of(node)
                if kind is not None and not isinstance(kind, t.Int):
                    self.wrong("AE501", node.span, "a type is a list of words, or a range like `1..3`")
            if isinstance(kind, t.Enum):
                world.enums[key.text] = kind
            elif isinstance(kind, t.Int):
                world.numbers[key.text] = kind
            else:
                world.broken.add(key.text)

    def type_of(self, node: Node | None) -> t.Type | None:
        if not isinstance(node, Scalar):
            return None
        parsed = parse(node, "type", self.report)
        return None if parsed is None else self._typed(parsed, parsed.tree)

    def _typed(self, parsed: Parsed, tree: Tree[Token]) -> t.Type | None:
        span = parsed.span(tree)
        if tree.data == "int_type":
            low, high = (int("".join(str(c) for c in cast("Tree[Token]", end).children)) for end in tree.children)
            if low > high:
                self.wrong("AE502", span, "the range ends before it starts", f"as in `{high}..{low}`")
                return None
            return t.Int(low, high)
        if tree.data == "named_type":
            name = str(tree.children[0])
            found = t.Count() if name == "count" else self.world.named_type(name)
            if found is None and name not in self.world.broken:
                what = self.world.declared.get(name, ("", span))[0]
                if what in ("", "type", "card type"):
                    self.wrong("AE401", span, f"unknown type `{name}`", nearest(name, self.world.type_names()))
                else:
                    self.wrong("AE501", span, f"`{name}` is {article(what)}, and no type", "types are under `types:`")
            return found
        inner = self._typed(parsed, cast("Tree[Token]", tree.children[0]))
        if inner is None or (tree.data != "set_type" and len(tree.children) == 1):
            return inner
        if not isinstance(inner, t.Plain):
            self.wrong("AE506", span, "a count is never none, and in no set", "give it a range instead of `count`")
            return None
        if tree.data != "set_type":
            return t.Optional(inner)
        most = self._how_many(inner)
        if most > MOST_KINDS:
            self.wrong("AE502", span, f"this set can hold {most:,} values", f"at most {MOST_KINDS:,}")
            return None
        return t.SetOf(inner, most)

    def _how_many(self, kind: t.Type) -> int:
        """How many values a type has."""
        if isinstance(kind, t.Seat):
            return self.world.most_seats
        return len(self.world.cards[kind.name].kinds) if isinstance(kind, t.Card) else t.count(kind)

    # ------------------------------------------------------------------------------ cards and dice

    def declare_cards(self, declared: Declared) -> Iterator[ir.CardType]:
        for key, node in declared:
            attributes: dict[str, t.Type | None] = {}
            for name, kind_node in self._named(node, "attributes"):
                kind = self.type_of(kind_node)
                if kind is not None and not isinstance(t.strip(kind), t.Bool | t.Int | t.Enum):
                    hint = "a bool, a range, or one of your types"
                    self.wrong("AE501", kind_node.span, f"an attribute cannot be {describe(kind)}", hint)
                    kind = None
                if not re.fullmatch(NAME, name.text) or name.text in ("label", "copies"):
                    self.wrong("AE403", name.span, f"`{name.text}` cannot be an attribute", "choose another name")
                    kind = None
                attributes[name.text] = kind
            kinds = tuple(itertools.islice(self._kinds(node, attributes), MOST_KINDS + 1))
            if len(kinds) > MOST_KINDS:
                self.wrong("AE502", key.span, f"there are more than {MOST_KINDS:,} kinds of `{key.text}`")
                kinds = kinds[:1]
            by = self.cited(self.field(node, "by"), f"cards.{key.text}")
            known = tuple((name, kind) for name, kind in attributes.items() if kind is not None)
            self.world.cards[key.text] = card = ir.CardType(key.text, known, kinds, by, key.span)
            if not kinds or len(known) != len(attributes):
                self.world.broken.add(key.text)
            yield card

    def _named(self, node: Node, name: str) -> Iterator[tuple[Scalar, Node]]:
        inside = self.field(node, name)
        if isinstance(inside, Mapping):
            yield from inside

    def _kinds(self, node: Node, attributes: dict[str, t.Type | None]) -> Iterator[ir.CardKind]:
        rows = self.field(node, "kinds")
        labels: dict[str, Span] = {}
        for row in rows if isinstance(rows, Sequence) else []:
            label = self.field(row, "label")
            if not isinstance(row, Mapping) or not isinstance(label, Scalar):
                continue
            copies_node = row.get("copies")
            copies = data(copies_node) if isinstance(copies_node, Scalar) else 1
            axes = self._axes(row, attributes)
            if axes is None:
                continue
            for combination in itertools.product(*axes.values()):
                has = dict(zip(axes, combination, strict=True))
                text = self._label(label, has, attributes)
                if text is None:
                    break
                if text in labels:
                    notes = [(labels[text], "the first is here")]
                    hint = "put what tells them apart in the label"
                    self.report.add("AE405", label.span, f"two cards are labelled `{text}`", hint, notes)
                labels.setdefault(text, label.span)
                yield ir.CardKind(text, tuple(has.get(n) for n in attributes), copies, row.span)

    def _axes(self, row: Mapping, attributes: dict[str, t.Type | None]) -> dict[str, list[int | bool | None]] | None:
        """For each attribute that a row of cards names, its values in order."""
        axes: dict[str, list[int | bool | None]] = {}
        sound = True
        for name, node in row:
            if name.text in ("label", "copies"):
                continue
            if name.text not in attributes:
                hint = nearest(name.text, attributes)
                self.wrong("AE401", name.span, f"cards have no attribute `{name.text}`", hint)
                sound = False
                continue
            kind = attributes[name.text]
            values = self._attribute_values(node, kind) if kind is not None else None
            sound = sound and values is not None
            axes[name.text] = values or []
        for name_, kind in attributes.items():
            if sound and name_ not in axes and kind is not None and not isinstance(kind, t.Optional):
                hint = "give it one, or make the attribute optional (`?`)"
                self.wrong("AE405", row.items[0][0].span, f"this card has no `{name_}`", hint)
                sound = False
        return axes if sound else None

    def _attribute_values(self, node: Node, kind: t.Type) -> list[int | bool | None] | None:
        inner = t.strip(kind)
        found: list[int | bool | None] = []
        for item in node.items if isinstance(node, Sequence) else [node]:
            if isinstance(item, Broken):
                return None
            text = item.text.strip() if isinstance(item, Scalar) else "[…]"
            if text == "none" and isinstance(kind, t.Optional):
                found.append(None)
            elif isinstance(inner, t.Enum) and text in inner.values:
                found.append(inner.values.index(text))
            elif isinstance(inner, t.Bool) and text in ("true", "false"):
                found.append(text == "true")
            elif isinstance(inner, t.Int) and (match := re.fullmatch(r"(-?\d{1,6})(?:\s*\.\.\s*(-?\d{1,6}))?", text)):
                low, high = int(match[1]), int(match[2] or match[1])
                if not inner.low <= low <= high <= inner.high:
                    self.wrong("AE502", item.span, f"`{text}` is not within {inner}")
                    return None
                found.extend(range(low, min(high, low + MOST_KINDS) + 1))
            else:
                known = inner.values if isinstance(inner, t.Enum) else ()
                self.wrong("AE501", item.span, f"this must be {describe(inner)}, and is `{text}`", nearest(text, known))
                return None
        return found

    def _label(
        self, label: Scalar, has: dict[str, int | bool | None], attributes: dict[str, t.Type | None]
    ) -> str | None:
        """A card's label: words in braces are replaced by its values."""
        for match in re.finditer(r"\{([^{}]*)\}", label.text):
            if match[1] not in attributes:
                hint = nearest(match[1], attributes)
                self.wrong("AE401", label.at(*match.span(1)), f"cards have no attribute `{match[1]}`", hint)
                return None

        def shown(match: re.Match[str]) -> str:
            value, kind = has.get(match[1]), attributes[match[1]]
            inner = t.strip(kind) if kind is not None else None
            if isinstance(inner, t.Enum) and value is not None:
                return inner.values[int(value)]
            return "" if value is None else str(value).lower()

        text = " ".join(re.sub(r"\{(\w+)\}", shown, label.text).split())
        if not text or not text.isprintable() or re.search(r"[(),+?{}]", text):
            hint = "one or more words, without ( ) , + ? { }"
            self.wrong("AE405", label.span, f"`{text}` cannot label a card" if text else "a card needs a label", hint)
            return None
        return text

    def declare_dice(self, declared: Declared) -> Iterator[ir.DiceType]:
        for key, node in declared:
            faces = self.field(node, "faces")
            face = self.type_of(faces)
            if face is not None and not isinstance(face, t.Enum | t.Int):
                self.wrong("AE501", cast(Node, faces).span, "the faces of dice are one of your types, or a range")
                face = None
            if isinstance(face, t.Int) and t.count(face) > MOST_FACES:
                self.wrong("AE502", cast(Node, faces).span, f"dice have at most {MOST_FACES} faces")
                face = None
            by = self.cited(self.field(node, "by"), f"dice.{key.text}")
            if not isinstance(face, t.Enum | t.Int):
                self.world.broken.add(key.text)
                continue
            names = list(face.values) if isinstance(face, t.Enum) else [str(v) for v in range(face.low, face.high + 1)]
            weights = dict.fromkeys(names, 1)
            for name, count in self._named(node, "copies"):
                if name.text not in weights:
                    hint = nearest(name.text, names)
                    self.wrong("AE401", name.span, f"the dice have no face `{name.text}`", hint)
                weights[name.text] = data(count)
            dice = ir.DiceType(key.text, face, tuple(weights[n] for n in names), by, key.span)
            self.world.dice[key.text] = dice
            yield dice

    # ------------------------------------------------------------------------------ zones and variables

    def declare_places(self, zones: Declared, variables: Declared) -> None:
        world = self.world
        each = {key.text: self._each(node) for key, node in (*zones, *variables)}
        most: dict[str, int] = {}  # of each type of cards, how many there are at most
        for key, node in zones:
            of = self.text(self.field(node, "of"))
            if self.field(node, "starts") is not None and of in world.cards:
                deck = sum(kind.copies for kind in world.cards[of].kinds)
                most[of] = most.get(of, 0) + deck * math.prod(self._how_many(kind) for kind in each[key.text] or ())
        for key, node in zones:
            card, parts = self._card(self.field(node, "of")), each[key.text]
            if card is None or parts is None:
                world.broken.add(key.text)
                continue
            slot = self.field(node, "holds") is not None
            world.places[key.text] = Place(parts, t.ZoneOf(card, 1 if slot else most.get(card.name, 0), slot))
            if slot and (order := self.field(node, "order")) is not None:
                self.wrong("AE610", order.span, "a zone for one card has no order", "take `order:` out")
        for key, node in variables:
            kind, parts = self.type_of(self.field(node, "type")), each[key.text]
            if kind is None or parts is None:
                world.broken.add(key.text)
            else:
                world.places[key.text] = Place(parts, kind)

    def _card(self, of: Node | None) -> t.Card | None:
        if not isinstance(of, Scalar) or of.text in self.world.broken:
            return None
        if of.text in self.world.cards:
            return t.Card(of.text)
        if of.text in self.world.declared:
            what = self.world.declared[of.text][0]
            message = f"`{of.text}` is {article(what)}, and no card type"
            self.wrong("AE501", of.span, message, "card types are under `cards:`")
        else:
            self.wrong("AE401", of.span, f"unknown card type `{of.text}`", nearest(of.text, self.world.cards))
        return None

    def _each(self, node: Node) -> tuple[t.Type, ...] | None:
        each = self.field(node, "each")
        if isinstance(each, Broken):
            return None
        found: list[t.Type] = []
        for item in each.items if isinstance(each, Sequence) else [each] if each is not None else []:
            kind = self.type_of(item)
            if kind is None:
                return None
            if not isinstance(kind, t.Seat | t.Enum | t.Int):
                hint = "`seat`, one of your types, or a range"
                self.wrong("AE501", item.span, f"there cannot be one for each {kind}", hint)
                return None
            if isinstance(kind, t.Seat) and kind in found:
                self.wrong("AE501", item.span, "`seat` stands here twice", "each has one owner")
                return None
            found.append(kind)
        parts = math.prod(self._how_many(kind) for kind in found)
        if each is not None and parts > MOST_PARTS:
            self.wrong("AE502", each.span, f"that would be {parts:,} of them", f"at most {MOST_PARTS:,}")
            return None
        return tuple(found)

    def _owner(self, place: Place) -> dict[str, t.Type]:
        return {"owner": t.Seat()} if t.Seat() in place.each else {}

    def zones(self, declared: Declared) -> Iterator[ir.Zone]:
        for key, node in declared:
            place = self.world.places.get(key.text)
            element = f"zones.{key.text}"
            by = self.cited(self.field(node, "by"), element)
            if place is None:
                continue
            kind = cast(t.ZoneOf, place.type)
            starts_node = self.field(node, "starts")
            starts = self._starts(starts_node, place, kind.card)
            unsaid = f"nobody says who sees the cards of `{key.text}`"
            seen = self.visible(self.field(node, "seen"), self._owner(place), key.span, unsaid, element)
            if seen is None or (starts is None and starts_node is not None):
                continue
            ordered = self.text(self.field(node, "order"), "none") == "kept"
            says = self.text(self.field(node, "says"))
            yield ir.Zone(
                key.text, place.each, kind.card.name, ordered, kind.slot, starts, seen, by, says, key.span
            )  # fmt: skip

    def _starts(self, node: Node | None, place: Place, card: t.Card) -> ir.Gather | None:
        what = f"these must be cards ({card})"
        found = self.gathered(node, self._owner(place), card, what)
        if found is None or not self.stateless(found):
            return None
        if isinstance(found, ir.Aggregate) and isinstance(found.body, ir.Local) and found.body.name == found.over.name:
            return found.over
        return ir.Gather("c", found, None, None, False, card, found.span)

    def variables(self, declared: Declared) -> Iterator[ir.Variable]:
        for key, node in declared:
            place = self.world.places.get(key.text)
            element = f"vars.{key.text}"
            by = self.cited(self.field(node, "by"), element)
            if place is None:
                continue
            starts = self._start(key, self.field(node, "starts"), place)
            unsaid = f"nobody says who sees `{key.text}`"
            seen = self.visible(self.field(node, "seen"), self._owner(place), key.span, unsaid, element)
            if starts is None or seen is None:
                continue
            says = self.text(self.field(node, "says"))
            yield ir.Variable(key.text, place.each, place.type, starts, seen, by, says, key.span)

    def _start(self, key: Scalar, node: Node | None, place: Place) -> ir.Expr | None:
        if node is None:
            if isinstance(place.type, t.Optional):
                return ir.Const(None, t.Nothing(), key.span)
            self.wrong("AE606", key.span, f"`{key.text}` has no value to start with", "add `starts:`")
            return None
        wanted = t.Int(0, 0) if isinstance(place.type, t.Count) else place.type
        starts = self.expression(node, self._owner(place), wanted, "the start")
        if starts is None or not self.stateless(starts):
            return None
        if not t.within(starts.type, place.type):
            self.wrong("AE502", node.span, f"this {being(starts.type)}, and `{key.text}` holds {place.type}")
            return None
        return starts

    # ------------------------------------------------------------------------------ definitions

    def definitions(self, declared: Declared) -> tuple[ir.Define, ...]:
        """Every definition without mistakes, typed after those that it uses."""
        waiting = {head.name: head for head in (self._head(key, node) for key, node in declared)}
        order = list(waiting)
        for head in waiting.values():
            head.uses &= waiting.keys()
        depth: dict[str, int] = {}
        while waiting:
            ready = [head for head in waiting.values() if not head.uses & waiting.keys()]
            if not ready:
                self._circle(waiting)
            for head in ready:
                del waiting[head.name]
                depth[head.name] = 1 + max((depth.get(name, 0) for name in head.uses), default=0)
                if depth[head.name] == DEEPEST:
                    self.wrong("AE302", head.key.span, f"definitions use each other {DEEPEST} deep")
                self._define(head)
        return tuple(self.world.defines[name] for name in order if name in self.world.defines)

    def _circle(self, waiting: dict[str, _Head]) -> None:
        """Some definition needs itself: reports the first circle, and takes its definitions out."""
        path = [next(iter(waiting))]
        while (following := min(waiting[path[-1]].uses & waiting.keys(), key=list(waiting).index)) not in path:
            path.append(following)
        circle = path[path.index(following) :]
        circle = (
            circle[(start := min(range(len(circle)), key=lambda i: list(waiting).index(circle[i]))) :] + circle[:start]
        )
        steps = list(itertools.pairwise([*circle, circle[0]]))
        notes = [(waiting[one].key.span, f"`{one}` uses `{other}`") for one, other in steps]
        message = f"`{circle[0]}` needs itself: {' → '.join([*circle, circle[0]])}"
        self.report.add("AE607", waiting[circle[0]].key.span, message, "break the circle", notes)
        for name in circle:
            self.world.broken.add(name)
            del waiting[name]

    def _head(self, key: Scalar, node: Node) -> _Head:
        parsed = parse(key, "header", self.report)
        assert parsed is not None  # it was read when its name was declared
        params: list[tuple[str, t.Type]] = []
        sound = True
        for child in parsed.tree.children[1:]:
            kind_tree, name = cast("Tree[Token]", child).children
            kind = self._typed(parsed, cast("Tree[Token]", kind_tree))
            param, span = str(name), parsed.span(name)
            if isinstance(kind, t.Count):
                hint = "give it a range instead of `count`"
                self.wrong("AE506", parsed.span(kind_tree), "a count is no value that rules work with", hint)
            elif (
                reserved(param)
                or param in self.world.declared
                or self.world.enum_values(param)
                or param in dict(params)
            ):
                self.wrong("AE403", span, f"`{param}` already means something", "choose another name")
            elif kind is not None:
                params.append((param, kind))
                continue
            sound = False
        text = self.field(node, "is") if isinstance(node, Mapping) else node
        body = parse(text, "expression", self.report) if isinstance(text, Scalar) else None
        named = body.tree.find_pred(lambda tree: tree.data in ("name", "call")) if body is not None else ()
        uses = {str(tree.children[0]) for tree in named}
        return _Head(str(parsed.tree.children[0]), key, node, tuple(params) if sound else None, body, uses)

    def _define(self, head: _Head) -> None:
        by = self.cited(self.field(head.node, "by") if isinstance(head.node, Mapping) else None, f"define.{head.name}")
        body: ir.Expr | None = None
        if head.params is not None and head.body is not None:
            tree = head.body.tree.children[0]
            checker = Checker(self.world, head.body, dict(head.params))
            body = checker.check(tree)
            if body is not None and isinstance(body.type, t.Count):
                body = checker.sure(body, tree)
            elif body is not None and isinstance(body.type, t.ZoneOf):
                body = checker.card_or_none(body, tree)
            elif body is not None and isinstance(body.type, t.Nothing):
                self.wrong("AE501", body.span, "a definition cannot be `none` alone")
                body = None
        if body is None or head.params is None or head.body is None:
            self.world.broken.add(head.name)
            return
        words = self.text(head.body.scalar)
        self.world.defines[head.name] = ir.Define(head.name, head.params, body, by, words, head.key.span)
