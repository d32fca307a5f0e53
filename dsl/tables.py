"""Tables of facts: constants that depend on keys, with one value for every key."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.components import Components
from aeronef.dsl.declarations import Declared
from aeronef.dsl.diagnostics import nearest
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence
from aeronef.dsl.scope import Place
from aeronef.dsl.spoken import describe

Plain = int | bool
Found = tuple[ir.Fact, ...] | None  # None after a mistake, which is reported


class Tables(Components):
    def tables(self, declared: Declared) -> Iterator[ir.Table]:
        for key, node in declared:
            by = self.cited(self.field(node, "by"), f"tables.{key.text}")
            each, kind = self._each(node, table=True), self._fact_type(self.field(node, "type"))
            cards = {str(t.element(k) or t.strip(k)) for k in (*(each or ()), kind) if k is not None}
            if each is None or kind is None or cards & self.world.broken:
                self.world.broken.add(key.text)
                continue
            self.world.tables[key.text] = Place(each, kind)
            other = self._fact(self.field(node, "otherwise"), kind)
            if other is None and self.field(node, "otherwise") is not None:
                continue
            values = self._level(key, self.field(node, "is"), each, kind, other)
            if values is not None:
                sizes = tuple(self.how_many(k) for k in each)
                says = self.text(self.field(node, "says"))
                table = ir.Table(key.text, each, sizes, kind, values, by, says, key.span)
                self.world.facts[key.text] = table
                yield table

    def _fact_type(self, node: Node | None) -> t.Type | None:
        kind = self.type_of(node)
        if node is not None and isinstance(kind, t.Count):
            self.wrong("AE506", node.span, "a table never changes, and a count does", "give it a range")
            return None
        return kind

    def _level(
        self, key: Scalar, node: Node | None, each: tuple[t.Type, ...], kind: t.Type, other: tuple[ir.Fact] | None
    ) -> Found:
        """The values under a key of the mapping above (or under the table's name), in the order of their keys; `other`
        is that of the keys that are not listed."""
        if not each:
            value = self._fact(node, kind)
            return None if value is None else (value[0],)
        if isinstance(node, Broken) or node is None:
            return None
        if not isinstance(node, Mapping):
            hint = f"as in `{{{self._keys(each[0])[0]}: …}}`"
            self.wrong("AE203", node.span, f"this must be a mapping with a value for each {each[0]}", hint)
            return None
        keys = self._keys(each[0])
        parts: dict[str, Found] = {}
        sound = True
        for inner, below in node:
            if inner.text in keys:
                parts[inner.text] = self._level(inner, below, each[1:], kind, other)
                continue
            sound = False
            if isinstance(each[0], t.Int | t.Seat):
                self.wrong("AE502", inner.span, f"`{inner.text}` is not within {keys[0]}..{keys[-1]}")
            else:
                hint = nearest(inner.text, keys)
                self.wrong("AE401", inner.span, f"`{inner.text}` is not {describe(each[0])}", hint)
        missing = [name for name in keys if name not in parts]
        if other is not None:
            below_ = math.prod(self.how_many(k) for k in each[1:])
            parts |= dict.fromkeys(missing, other * below_)
        elif missing:
            some = ", ".join(f"`{name}`" for name in missing[:3]) + (", …" if len(missing) > 3 else "")
            hint = "every key has a value" + (", which may be `none`" if isinstance(kind, t.Optional) else "")
            hint += "; `otherwise:` gives it to all that are not listed"
            self.wrong("AE606", key.span, f"`{key.text}` has no value for {some}", hint)
            sound = False
        found: list[ir.Fact] = []
        for name in keys if sound else ():
            part = parts[name]
            if part is None:
                return None
            found += part
        return tuple(found) if sound else None

    def _keys(self, kind: t.Type) -> list[str]:
        """The values of a type as keys of a mapping, in order."""
        match kind:
            case t.Int(low, high):
                return [str(number) for number in range(low, high + 1)]
            case t.Enum(_, values):
                return list(values)
            case t.Card(name):
                return [card.label for card in self.world.cards[name].kinds]
            case t.Bool():
                return ["false", "true"]
            case _:
                return [str(seat) for seat in range(self.world.most_seats)]

    def _fact(self, node: Node | None, kind: t.Type) -> tuple[ir.Fact] | None:
        """One value, in a tuple because it may be none."""
        if node is None or isinstance(node, Broken):
            return None
        if not isinstance(kind, t.SetOf):
            if isinstance(node, Scalar) and node.text == "none" and isinstance(kind, t.Optional):
                return (None,)
            single = self._plain(node, t.strip(kind), kind)
            return None if single is None else (single,)
        if not isinstance(node, Sequence):
            self.wrong("AE501", node.span, f"this must be {describe(kind)}", "write a list: `[]`, or `[1, 2]`")
            return None
        found: list[Plain] = []
        for item in node:
            value = self._plain(item, kind.of, kind.of)
            if value is None:
                return None
            if value in found:
                assert isinstance(item, Scalar)
                self.wrong("AE105", item.span, f"`{item.text}` stands here twice", "take one out")
                return None
            found.append(value)
        return (tuple(sorted(found)),)

    def _plain(self, node: Node, kind: t.Type, wanted: t.Type) -> Plain | None:
        """A single value that is not none."""
        text = node.text.strip() if isinstance(node, Scalar) else "[…]" if isinstance(node, Sequence) else "{…}"
        number = int(text) if re.fullmatch(r"-?\d{1,13}", text) else None
        words = self._keys(kind) if isinstance(kind, t.Enum | t.Card | t.Bool) else []
        if text in words:
            return text == "true" if isinstance(kind, t.Bool) else words.index(text)
        if number is not None and isinstance(kind, t.Int):
            if kind.low <= number <= kind.high:
                return number
            self.wrong("AE502", node.span, f"`{text}` is not within {kind}")
        elif number is not None and isinstance(kind, t.Seat):
            low = self.world.players[0]
            if 0 <= number < low:
                return number
            hint = f"as few as {low} play, so only seats 0 to {low - 1} are always there"
            self.wrong("AE502", node.span, f"there is not always a seat {text}", hint)
        else:
            self.wrong("AE501", node.span, f"this must be {describe(wanted)}, and is `{text}`", nearest(text, words))
        return None
