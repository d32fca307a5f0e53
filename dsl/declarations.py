"""What a spec declares: all names, then clauses, players, options and types.

All names are declared first, so that a name that stands where it is not known yet is told apart from an unknown one.
A declaration with a mistake is reported and its name marked as broken: what names it is not reported again.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import cast

from lark import Token, Tree

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.diagnostics import Span, nearest
from aeronef.dsl.expressions import BOOL
from aeronef.dsl.reader import Node, Scalar, Sequence, data
from aeronef.dsl.scope import reserved
from aeronef.dsl.spoken import article, being, describe
from aeronef.dsl.syntax import Parsed, parse
from aeronef.dsl.texts import Texts

NAME = r"[A-Za-z_][A-Za-z_0-9]*"
SECTIONS = {"options": "option", "types": "type", "cards": "card type", "dice": "kind of dice", "tables": "table",
            "zones": "zone", "vars": "variable", "define": "definition"}  # fmt: skip
HABITS = {
    "int": "write a range, as in `0..9`", "integer": "write a range, as in `0..9`", "player": "write `seat`",
    "number": "write a range, as in `0..9`", "string": "words stand under `types:`, as in `Suit: [sun, rain]`",
}  # fmt: skip
# What may have the name of what: the type that is wanted tells a word, and `options.NAME` is the option.
SHARED = {("variable", "option"), *(("word", what) for what in ("variable", "zone", "option", "card type"))}
MOST_IN_SET = 1_000
Declared = list[tuple[Scalar, Node]]


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
        elif name in self.world.declared and (what, self.world.declared[name][0]) not in SHARED:
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
            why = self.text(self.field(node, "why"))
            self.clauses[key.text] = clause = ir.Clause(key.text, kind, says, key.span, why)
            yield clause
        for key, node in self.section("clauses"):
            on = self.field(node, "on")
            for item in on.items if isinstance(on, Sequence) else [on]:
                if isinstance(item, Scalar):
                    self._topic(key, item)

    def _topic(self, key: Scalar, item: Scalar) -> None:
        """A clause is on a topic, which stands for all clauses that are on it."""
        clauses = self.topics.setdefault(item.text, [])
        if item.text in self.clauses:
            del self.topics[item.text]
            notes = [(self.clauses[item.text].span, f"the clause `{item.text}`")]
            message = f"`{item.text}` is a clause, and no topic"
            self.report.add("AE403", item.span, message, "call the topic by another name", notes)
        elif key.text in clauses:
            self.wrong("AE105", item.span, f"`{item.text}` stands here twice", "take one out")
        else:
            clauses.append(key.text)

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
        word = ""
        if isinstance(kind_node, Sequence):
            words = self._words(kind_node)
            kind = t.Enum(key.text, words) if words else None
        elif isinstance(kind_node, Scalar):
            word, kind = self._option_type(kind_node)
        by = self.cited(self.field(node, "by"), f"options.{key.text}")
        default = self._option_values(kind, word, [self.field(node, "default")], default=True)
        tries_node = self.field(node, "try")
        tried = self._option_values(kind, word, tries_node.items if isinstance(tries_node, Sequence) else [])
        if kind is None:
            return None
        inner = t.strip(kind)
        low, high = (inner.low, inner.high) if isinstance(inner, t.Int) else (0, self.how_many(inner) - 1)
        if isinstance(inner, t.Seat):
            high = self.world.players[1] - 1
        first = default[0] if default else None if word else low
        if not tried and isinstance(inner, t.Bool):
            tried = [False, True]
        elif not tried:
            numbers = list(range(low, high + 1)) if high - low < 8 else sorted({low, int(first or low), high})
            if isinstance(inner, t.Seat):
                numbers = [seat for seat in (0, 1) if seat <= high]
            tried = [*[None] * bool(word), *numbers]
        says = self.text(self.field(node, "says"))
        return ir.OptionDecl(key.text, kind, low, high, first, tuple(tried), None, says, by, key.span, word)

    def _option_type(self, node: Scalar) -> tuple[str, t.Type | None]:
        """What stands before the `|` ("" where there is none), and the type with it."""
        word, bar, rest = (part.strip() for part in node.text.rpartition("|"))
        match = re.fullmatch(r"(-?\d{1,6})\s*\.\.\s*(-?\d{1,6})", rest)
        kind: t.Type | None = None
        if match and int(match[1]) > int(match[2]):
            self.wrong("AE502", node.span, "the range ends before it starts", f"as in `{match[2]}..{match[1]}`")
        elif match:
            kind = t.Int(int(match[1]), int(match[2]))
        elif rest == "seat":
            kind = t.Seat()
        elif rest == "bool" and not bar:
            kind = BOOL
        elif re.fullmatch(NAME, word) and not reserved(word):
            hint = "after the `|` stands `seat`, or a range like `0..9`; a list of words is `[fast, slow]`"
            self.wrong("AE501", node.span, f"`{rest}` is no type beside a word", hint)
        else:
            hint = "an option is a `bool`, a range like `0..9`, a `seat`, or a list of words"
            hint = "as in `random | seat`, or `never | 1..9`" if bar else hint
            self.wrong("AE501", node.span, f"`{node.text}` is no type of an option", hint)
        if kind is None or not bar:
            return "", kind
        if not re.fullmatch(NAME, word) or reserved(word):
            what = f"`{word}` is a word of the language" if reserved(word) else f"`{word}` is no word"
            self.wrong("AE403", node.span, what, "one word stands before the `|`, as in `random | seat`")
            return "", None
        assert isinstance(kind, t.Plain)
        return word, t.Optional(kind)

    def _option_values(
        self, kind: t.Type | None, word: str, items: list[Node] | list[Node | None], default: bool = False
    ) -> list[int | bool | None]:
        """The values that are written; those that the option cannot have are reported. The word is None."""
        found: list[int | bool | None] = []
        inner = t.strip(kind) if kind is not None else None
        low, most = self.world.players
        for node in items:
            if not isinstance(node, Scalar) or inner is None:
                continue
            value = data(node)
            number = isinstance(value, int) and not isinstance(value, bool)
            if word and node.text == word:
                found.append(None)
            elif isinstance(inner, t.Enum):
                if node.text in inner.values:
                    found.append(inner.values.index(node.text))
                    continue
                hint = nearest(node.text, inner.values)
                self.wrong("AE401", node.span, f"the option has no value `{node.text}`", hint)
            elif isinstance(inner, t.Bool) and isinstance(value, bool):
                found.append(value)
            elif isinstance(inner, t.Int) and number:
                if inner.low <= value <= inner.high:
                    found.append(value)
                else:
                    self.wrong("AE502", node.span, f"`{value}` is not within {inner}")
            elif isinstance(inner, t.Seat) and number:
                if 0 <= value < (low if default else most):
                    found.append(value)
                elif 0 <= value < most:
                    hint = f"as few as {low} play, so only seats 0 to {low - 1} are always there"
                    self.wrong("AE502", node.span, f"there is not always a seat {value}", hint)
                else:
                    self.wrong("AE502", node.span, f"there is never a seat {value}", f"seats are 0 to {most - 1}")
            else:
                hint = "write `true` or `false`, without quotes" if isinstance(inner, t.Bool) else ""
                what = f"`{word}`, or {describe(inner)}" if word else describe(inner)
                hint = hint or (f"as in `{word}`, or `1`" if word else "a number, without quotes")
                self.wrong("AE501", node.span, f"this must be {what}, and is `{node.text}`", hint)
        return found

    def require(self, options: list[ir.OptionDecl]) -> Iterator[ir.OptionDecl]:
        """The options with what they require, which may look at all of them."""
        section = self.root.get("options")
        for o in options:
            node = self.field(cast(Node, self.field(section, o.name)), "requires") if section is not None else None
            requires = self.expression(node, {}, BOOL)
            if requires is not None and not self.stateless(requires):
                requires = None
            yield dataclasses.replace(o, requires=requires)

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
        return None if parsed is None else self.typed(parsed, parsed.tree)

    def typed(self, parsed: Parsed, tree: Tree[Token]) -> t.Type | None:
        span = parsed.span(tree)
        if tree.data == "int_type":
            low, high = (int("".join(str(c) for c in cast("Tree[Token]", end).children)) for end in tree.children)
            if low > high:
                self.wrong("AE502", span, "the range ends before it starts", f"as in `{high}..{low}`")
                return None
            return t.Int(low, high)
        if tree.data == "named_type":
            name = str(tree.children[0])
            self.world.used.add(name)
            found = t.Count() if name == "count" else self.world.named_type(name)
            if found is None and name not in self.world.broken:
                what = self.world.declared.get(name, ("", span))[0]
                if what in ("", "type", "card type"):
                    hint = HABITS.get(name) or nearest(name, self.world.type_names())
                    self.wrong("AE401", span, f"unknown type `{name}`", hint)
                else:
                    self.wrong("AE501", span, f"`{name}` is {article(what)}, and no type", "types are under `types:`")
            return found
        inner = self.typed(parsed, cast("Tree[Token]", tree.children[0]))
        if inner is None or (tree.data != "set_type" and len(tree.children) == 1):
            return inner
        if not isinstance(inner, t.Plain):
            self.wrong("AE506", span, "a count is never none, and in no set", "give it a range instead of `count`")
            return None
        if tree.data != "set_type":
            return t.Optional(inner)
        most = self.how_many(inner)
        if most > MOST_IN_SET:
            self.wrong("AE502", span, f"this set can hold {most:,} values", f"at most {MOST_IN_SET:,}")
            return None
        return t.SetOf(inner, most)

    def how_many(self, kind: t.Type) -> int:
        """How many values a type has."""
        if isinstance(kind, t.Seat):
            return self.world.most_seats
        return len(self.world.cards[kind.name].kinds) if isinstance(kind, t.Card) else t.count(kind)
