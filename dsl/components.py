"""What lies on the table: cards, dice, zones, variables."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from typing import cast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.declarations import NAME, Declarations, Declared
from aeronef.dsl.diagnostics import Span, nearest
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence, data
from aeronef.dsl.scope import Place
from aeronef.dsl.spoken import article, being, describe

MOST_PARTS = 10_000
MOST_KINDS = 1_000
MOST_FACES = 100
MOST_CARDS = 10_000


class Components(Declarations):
    # ------------------------------------------------------------------------------ cards and dice

    def declare_cards(self, declared: Declared) -> Iterator[ir.CardType]:
        for key, node in declared:
            attributes: dict[str, t.Type | None] = {}
            for name, kind_node in self.listed(node, "attributes"):
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
            says = self.text(self.field(node, "says"))
            self.world.cards[key.text] = card = ir.CardType(key.text, known, kinds, by, key.span, says)
            if not kinds or len(known) != len(attributes):
                self.world.broken.add(key.text)
            yield card

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
        if not text or not text.isprintable() or re.search(r"[(),+{}]", text) or text == "?":
            hint = "one or more words, without ( ) , + { }"
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
            for name, count in self.listed(node, "copies"):
                if name.text not in weights:
                    hint = nearest(name.text, names)
                    self.wrong("AE401", name.span, f"the dice have no face `{name.text}`", hint)
                weights[name.text] = data(count)
            says = self.text(self.field(node, "says"))
            dice = ir.DiceType(key.text, face, tuple(weights[n] for n in names), by, key.span, says)
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
                most[of] = most.get(of, 0) + self._number_at_start(node, of, each[key.text] or ())
        for key, node in zones:
            parts = each[key.text]
            if self.text(self.field(node, "of")) in world.dice:
                tray = self._tray(key, node)
                if tray is None or parts is None:
                    world.broken.add(key.text)
                else:
                    world.places[key.text] = Place(parts, tray)
                continue
            card = self._card(self.field(node, "of"))
            if card is None or parts is None:
                world.broken.add(key.text)
                continue
            slot = self.field(node, "holds") is not None
            if (holds := self.field(node, "holds")) is not None and isinstance(holds, Scalar) and data(holds) != 1:
                hint = "`holds: 1`; without `holds:` it holds any number"
                self.wrong("AE502", holds.span, "a zone of cards holds one card, or any number", hint)
            owned = self._owned(key, node, card, parts)
            ordered = not slot and self.text(self.field(node, "order"), "none") == "kept"
            kind = t.ZoneOf(card, 1 if slot else most.get(card.name, 0), slot, ordered, owned)
            world.places[key.text] = Place(parts, kind)
            if slot and (order := self.field(node, "order")) is not None:
                self.wrong("AE610", order.span, "a zone for one card has no order", "take `order:` out")
        for key, node in variables:
            held, parts = self.type_of(self.field(node, "type")), each[key.text]
            if held is None or parts is None:
                world.broken.add(key.text)
            else:
                world.places[key.text] = Place(parts, held)

    def _tray(self, key: Scalar, node: Node) -> t.Tray | None:
        """What a zone of dice is; what it cannot have is reported."""
        dice = self.world.dice[self.text(self.field(node, "of"))]
        holds = self.field(node, "holds")
        if (owners := self.field(node, "owners")) is not None:
            self.wrong("AE610", owners.span, "dice have no owners", "take `owners:` out")
        if (starts := self.field(node, "starts")) is not None:
            hint = "take `starts:` out: dice come with `add … to …`"
            self.wrong("AE610", starts.span, "a zone of dice starts empty", hint)
        if holds is None:
            self.wrong(
                "AE606", key.span, f"`{key.text}` does not say how many dice it holds", "add `holds:`, as in `holds: 5`"
            )
        if not isinstance(holds, Scalar) or not isinstance(dice.face, t.Int | t.Enum):
            return None
        ordered = self.text(self.field(node, "order"), "none") == "kept"
        return t.Tray(dice.name, dice.face, data(holds), ordered)

    def _number_at_start(self, node: Node, of: str, each: tuple[t.Type, ...]) -> int:
        """The most cards that can lie in all parts of a zone at the start."""
        table = self.world.facts.get(self._stock_named(self.field(node, "starts")))
        if table is None:
            deck = sum(kind.copies for kind in self.world.cards[of].kinds)
            return deck * math.prod(self.how_many(kind) for kind in each)
        numbers = sum(value for value in table.values if isinstance(value, int))
        return numbers * (self.world.most_seats if t.Seat() in each else 1)

    def _stock_named(self, starts: Node | None) -> str:
        """The table that a `starts:` names; "" where it is no table."""
        name = starts.text.strip() if isinstance(starts, Scalar) else ""
        return name if self.world.declared.get(name, ("",))[0] == "table" else ""

    def _owned(self, key: Scalar, node: Node, card: t.Card, parts: tuple[t.Type, ...]) -> bool:
        """Whether a zone keeps whose its cards are; where it cannot, that is reported."""
        owners = self.field(node, "owners")
        if not isinstance(owners, Scalar):
            return False
        if self.field(node, "holds") is not None:
            self.wrong("AE610", owners.span, "a zone for one card keeps no owner", "take `owners:` out")
            return False
        if t.Seat() in parts:
            message = f"`{key.text}` keeps its owner anyway: there is one for each seat"
            self.wrong("AE610", owners.span, message, "take `owners:` out")
            return False
        if (starts := self.field(node, "starts")) is not None and not isinstance(starts, Broken):
            self.wrong("AE610", starts.span, "nobody owns these cards at the start", "take `starts:` or `owners:` out")
        for name in self.world.attributes(card):
            if name in ("owner", "card"):
                message = f"`{card}` has an attribute `{name}`, and so has each card of `{key.text}` with its owner"
                self.wrong("AE403", owners.span, message, "rename the attribute")
        return True

    def _card(self, of: Node | None) -> t.Card | None:
        if not isinstance(of, Scalar) or of.text in self.world.broken:
            return None
        if of.text in self.world.cards:
            return t.Card(of.text)
        if of.text in self.world.declared:
            what = self.world.declared[of.text][0]
            message = f"`{of.text}` is {article(what)}, and no card type"
            self.wrong("AE501", of.span, message, "card types are under `cards:`, kinds of dice under `dice:`")
        else:
            known = (*self.world.cards, *self.world.dice)
            self.wrong("AE401", of.span, f"unknown card type `{of.text}`", nearest(of.text, known))
        return None

    def _each(self, node: Node, table: bool = False) -> tuple[t.Type, ...] | None:
        """What there is one for each of; the keys of a table can be cards and bools too."""
        each = self.field(node, "each")
        if isinstance(each, Broken):
            return None
        found: list[t.Type] = []
        for item in each.items if isinstance(each, Sequence) else [each] if each is not None else []:
            kind = self.type_of(item)
            if kind is None:
                return None
            if not isinstance(kind, t.Seat | t.Enum | t.Int) and not (table and isinstance(kind, t.Card | t.Bool)):
                hint = "`seat`, one of your types, or a range"
                self.wrong("AE501", item.span, f"there cannot be one for each {kind}", hint)
                return None
            if isinstance(kind, t.Seat) and kind in found and not table:
                self.wrong("AE501", item.span, "`seat` stands here twice", "each has one owner")
                return None
            found.append(kind)
        parts = math.prod(self.how_many(kind) for kind in found)
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
            if isinstance(place.type, t.Tray):
                yield from self._dice_zone(key, node, place, place.type, by)
                continue
            kind = cast(t.ZoneOf, place.type)
            starts_node = self.field(node, "starts")
            stock = self._stock_named(starts_node)
            starts = self._starts(starts_node, place, kind.card) if not stock else None
            stocked = not stock or self._is_stock(stock, cast(Scalar, starts_node), key.text, place, kind.card)
            unsaid = f"nobody says who sees the cards of `{key.text}`"
            seen = self.visible(self.field(node, "seen"), self._owner(place), key.span, unsaid, element)
            refill_node = self.field(node, "refill")
            refill = self._refill(key.text, refill_node, place, kind)
            sound = stocked and (stock or (starts is None) == (starts_node is None))
            if seen is None or not sound or (refill is None) != (refill_node is None):
                continue
            says = self.text(self.field(node, "says"))
            yield ir.Zone(
                key.text, place.each, kind.card.name, kind.ordered, kind.slot, starts, seen, by, says, key.span,
                kind.owned, refill=refill, stock=stock,
            )  # fmt: skip

    def _refill(self, name: str, node: Node | None, place: Place, kind: t.ZoneOf) -> ir.Read | None:
        """The zone that refills another: of the same cards, and for a seat's part perhaps its own part of it."""
        found = self.expression(node, self._owner(place))
        if node is None or found is None:
            return None
        if kind.slot or kind.owned:
            what = "holds one card" if kind.slot else "keeps owners"
            self.wrong("AE604", node.span, f"`{name}` {what}, and chance draws from piles", "take `refill:` out")
        elif not isinstance(found, ir.Read) or not isinstance(found.type, t.ZoneOf) or found.name == name:
            self.wrong("AE604", node.span, "a zone is refilled from another one", "name it, as in `refill: discard`")
        elif found.type.card != kind.card:
            message = f"`{name}` holds {kind.card}, and this is {describe(found.type)}"
            self.wrong("AE501", node.span, message, "it is refilled with cards of its own type")
        elif any(not isinstance(index, ir.Local | ir.Const) for index in found.index):
            self.wrong("AE604", node.span, "this must be one zone, whatever the state", "as in `discard[owner]`")
        else:
            return found
        return None

    def _dice_zone(self, key: Scalar, node: Node, place: Place, kind: t.Tray, by: tuple[str, ...]) -> Iterator[ir.Zone]:
        unsaid = f"nobody says who sees the dice of `{key.text}`"
        seen = self.visible(self.field(node, "seen"), self._owner(place), key.span, unsaid, f"zones.{key.text}")
        if seen is not None:
            says = self.text(self.field(node, "says"))
            yield ir.Zone(
                key.text, place.each, "", kind.ordered, False, None, seen, by, says, key.span, dice=kind.dice,
                face=kind.face, holds=kind.most,
            )  # fmt: skip

    def _is_stock(self, name: str, node: Scalar, zone: str, place: Place, card: t.Card) -> bool:
        """Whether a table says how many of each card lie in each part of a zone; what it lacks is reported."""
        table = self.world.facts.get(name)
        if table is None:
            return False
        wanted = (*(kind for kind in place.each if kind != t.Seat()), card)
        if table.each != wanted:
            keys, asked = (", ".join(map(str, kinds)) for kinds in (table.each, wanted))
            hint = f"`each: [{asked}]`" if len(wanted) > 1 else f"`each: {asked}`"
            if t.Seat() in table.each:
                hint += "; all seats start with the same"
            self.wrong("AE501", node.span, f"`{name}` has the keys {keys}, and `{zone}` needs {asked}", hint)
        elif not isinstance(table.type, t.Int):
            message = f"`{name}` says how many of each card lie in `{zone}`, and gives {describe(table.type)}"
            self.wrong("AE501", node.span, message, "its values are numbers, as in `type: 0..9`")
        elif table.type.low < 0:
            message = f"`{name}` says how many of each card lie in `{zone}`, and {being(table.type)}"
            self.wrong("AE502", node.span, message, f"its values are 0 and up: `type: 0..{table.type.high}`")
        elif (number := sum(value for value in table.values if isinstance(value, int))) > MOST_CARDS:
            self.wrong("AE502", node.span, f"`{zone}` would start with {number:,} cards", f"at most {MOST_CARDS:,}")
        else:
            return True
        return False

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
            called = self.called(node)
            decided = self._decided(key, self.field(node, "decided"), place)
            yield ir.Variable(
                key.text, place.each, place.type, starts, seen, by, says, key.span, called, decided=decided
            )

    def _decided(self, key: Scalar, node: Node | None, place: Place) -> str:
        """The phase that decides a variable, which is none before."""
        if not isinstance(node, Scalar):
            return ""
        if node.text not in self.world.phases:
            self.wrong("AE401", node.span, f"unknown phase `{node.text}`", nearest(node.text, self.world.phases))
        elif place.each or not isinstance(place.type, t.Optional):
            what = "there is one for each" if place.each else f"it is a {place.type}, and never none"
            hint = "a single variable with `?` can be undecided at first"
            self.wrong("AE610", node.span, f"`{key.text}` needs no deciding: {what}", hint)
        else:
            self.world.decided[key.text] = node.text
            return node.text
        return ""

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
