"""Optional rules: overlays that an option switches, and the plain spec under each combination of them.

    overlays:
      flood:
        when: weather == wet
        after: dykes                       # where both are on, and change one thing
        change: …
        add: …
        remove: …

An overlay is *on* where its `when:` holds, which knows options and the number of players alone. `combinations` gives,
for every set of overlays that can be on together, the spec with just these laid over it: each is compiled like any
other spec, and `unite.py` makes one game of them all.

Where two overlays are on together and change the same thing, one must say that it comes `after:` the other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.declarations import Declarations
from aeronef.dsl.diagnostics import Report, Span, nearest
from aeronef.dsl.evaluate import Given, TooMuch, evaluate
from aeronef.dsl.expressions import BOOL
from aeronef.dsl.overlays import Where, brought, lay
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence
from aeronef.dsl.walk import nodes

On = frozenset[str]  # the names of the overlays that are on
MOST = 20_000
MOST_SETS = 64
BEFORE_OPTIONS = ("options", "overlays", "players", "automata")
KNOWN_BEFORE = ("game", "players", "automata", "options", "clauses")


@dataclass(slots=True)
class Combination:
    """The overlays that are on, the spec with them laid over it, which of them touched each of its parts, and which
    stretches of the files each of them is."""

    on: On
    root: Mapping
    touched: dict[Where, tuple[str, ...]]
    written: list[tuple[Span, str]]


def combinations(root: Mapping, report: Report) -> tuple[tuple[ir.Overlay, ...], list[Combination]]:
    """The overlays of a spec, in the order in which they are laid, and every combination that its options allow (one,
    of none, where there are no overlays). Mistakes are reported."""
    section = root.get("overlays")
    plain = Mapping([item for item in root.items if item[0].text != "overlays"], root.span)
    if not isinstance(section, Mapping):
        return (), [Combination(frozenset(), plain, {}, [])]
    report.brought = brought(section)
    switches = _Switches(plain, section, report)
    overlays = switches.overlays()
    after = {o.name: _all_after(o.name, switches.after) for o in overlays}
    laid = [_lay(on, plain, section, overlays, after, report) for on in switches.sets(overlays)]
    return overlays, laid


def _lay(
    on: On, plain: Mapping, section: Mapping, overlays: tuple[ir.Overlay, ...], after: dict[str, set[str]],
    report: Report,
) -> Combination:  # fmt: skip
    whole = Mapping(list(plain.items), plain.span)
    touches: list[tuple[Where, str, Span]] = []
    for overlay in overlays:
        node = section.get(overlay.name)
        if overlay.name not in on or not isinstance(node, Mapping):
            continue
        name = overlay.name

        def touch(where: Where, span: Span, name: str = name) -> None:
            for other, who, first in touches:
                same = other[: len(where)] == where[: len(other)]
                if same and who != name and who not in after[name]:
                    message = (
                        f"`{who}` and `{name}` both change `{'.'.join(where if len(where) <= len(other) else other)}`"
                    )
                    hint = f"say which comes first: `after: {who}` in `{name}`"
                    report.add("AE805", span, message, hint, [(first, f"`{who}` changes it here")])
            touches.append((where, name, span))

        lay(node, whole, report, touch, name)
    touched: dict[Where, tuple[str, ...]] = {}
    for where, name, _ in touches:
        for depth in range(1, len(where) + 1):
            there = touched.get(where[:depth], ())
            touched[where[:depth]] = there if name in there else (*there, name)
    written = [(span, name) for name in on for span in _stretches(section.get(name))]
    return Combination(on, whole, touched, written)


def _stretches(node: Node | None) -> Iterator[Span]:
    """Where the texts of a tree stand."""
    if isinstance(node, Mapping):
        for _, value in node:
            yield from _stretches(value)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _stretches(item)
    elif isinstance(node, Scalar):
        yield node.span


def _all_after(name: str, after: dict[str, tuple[str, ...]]) -> set[str]:
    """Every overlay that one comes after, however far before it."""
    found: set[str] = set()
    todo = list(after.get(name, ()))
    while todo:
        other = todo.pop()
        if other not in found:
            found.add(other)
            todo += after.get(other, ())
    return found


class _Switches(Declarations):
    """What a spec says before its overlays are laid: its options, and when each overlay is on."""

    def __init__(self, root: Mapping, section: Mapping, report: Report) -> None:
        super().__init__(Mapping([item for item in root.items if item[0].text in KNOWN_BEFORE], root.span), report)
        self.entries = [(key, node) for key, node in section if isinstance(node, Mapping)]
        self.after: dict[str, tuple[str, ...]] = {}
        list(self.declare_clauses())
        self.declare_players()
        self.options = self.declare_options(self.declare()["options"])
        self.automata = self.declare_automata()

    def overlays(self) -> tuple[ir.Overlay, ...]:
        """In order: each after those that it comes after, else as they are written."""
        found: list[ir.Overlay] = []
        names = [key.text for key, _ in self.entries]
        for key, node in self.entries:
            if key.text in self.world.options:
                first = [(self.world.options[key.text].span, "the option")]
                hint = "call one of them otherwise"
                self.report.add("AE403", key.span, f"an option is called `{key.text}` too", hint, first)
            self.after[key.text] = tuple(self._after(node.get("after"), key, names))
            when = self.expression(node.get("when"), {}, BOOL)
            if when is None or not self.stateless(when, seats=False):
                continue
            for part, said in self._unswitched(node, key):
                hint = (
                    "what is switched by an option cannot change which options there are"
                    if part in BEFORE_OPTIONS
                    else "it is the same whatever is on: say it outside `overlays:`"
                )
                self.wrong("AE806", said, f"an overlay that is switched cannot change `{part}:`", hint)
            by = self.cited(node.get("by"), f"overlays.{key.text}")
            found.append(ir.Overlay(key.text, when, by, self.text(node.get("says")), key.span))
        self.report.stop_on_errors()
        order: list[ir.Overlay] = []
        while found:
            ready = next((o for o in found if not any(other.name in self.after[o.name] for other in found)), None)
            if ready is None:
                circle = ", ".join(f"`{o.name}`" for o in found)
                self.wrong("AE805", found[0].span, f"{circle} come after each other", "take one `after:` out")
                self.report.stop_on_errors()
                break
            found.remove(ready)
            order.append(ready)
        return tuple(order)

    def _unswitched(self, node: Mapping, key: Scalar) -> Iterator[tuple[str, Span]]:
        """What an overlay says of parts that no option switches, and where. Clauses of its own it may add."""
        for part in (*BEFORE_OPTIONS, "game", "says", "clauses"):
            for verb in ("change", "add"):
                said = self.field(node.get(verb) or Broken(key.span), part)
                if said is not None and not isinstance(said, Broken) and (part, verb) != ("clauses", "add"):
                    yield part, said.span
            removed = node.get("remove")
            for item in removed.items if isinstance(removed, Sequence) else ():
                if isinstance(item, Scalar) and item.text.split(".")[0] == part:
                    yield part, item.span

    def _after(self, node: Node | None, key: Scalar, names: list[str]) -> Iterator[str]:
        for item in node.items if isinstance(node, Sequence) else [node]:
            if isinstance(item, Scalar) and item.text in names and item.text != key.text:
                yield item.text
            elif isinstance(item, Scalar):
                others = [name for name in names if name != key.text]
                hint, notes = nearest(item.text, others), []
                if (gone := self.report.removed.get(f"overlays.{item.text}")) is not None:
                    hint = f"take this out as well: `remove: [overlays.{key.text}.after]`, or all of `{key.text}`"
                    notes = [(gone, "it is removed here")]
                self.report.add("AE401", item.span, f"there is no other overlay `{item.text}`", hint, notes)

    def _with_requirements(self) -> list[ir.OptionDecl]:
        """The options with what they require, where that can be read already; mistakes in it are reported later."""
        said, quiet = self.report, Report()
        self.report = self.world.report = quiet
        options = list(self.require(self.options))
        self.report = self.world.report = said
        return options

    def sets(self, overlays: tuple[ir.Overlay, ...]) -> list[On]:
        """Every set of overlays that some options and number of players switch on, that of the defaults first."""
        if not overlays:  # those that there are are wrong, which was said
            return [frozenset()]
        self.options = self._with_requirements()
        used = {n.name for o in overlays for n in nodes((o.when, self.automata or ())) if isinstance(n, ir.Option)}
        options = [o for o in self.options if o.name in used]
        found: dict[On, None] = {}
        low, high = self.world.players
        game = cast(ir.Game, SimpleNamespace(automata=self.automata, cards=(), tables=()))
        for players in range(low, high + 1):
            values = [list(dict.fromkeys(_values(o, players))) for o in options]
            if math.prod(map(len, values)) > MOST:
                what = " and ".join(f"`{o.name}`" for o in options)
                self.wrong("AE806", overlays[0].span, f"overlays depend on too many values of {what}",
                           f"at most {MOST:,} combinations")  # fmt: skip
                self.report.stop_on_errors()
            for chosen in itertools.product(*values):
                settled = dict(zip((o.name for o in options), chosen, strict=True))
                given = Given(game, players, settled)
                try:
                    if all(_fulfilled(o, given) for o in options):
                        found[frozenset(o.name for o in overlays if evaluate(o.when, given, {}))] = None
                except TooMuch:
                    continue
        if len(found) > MOST_SETS:
            message = f"the options switch {len(found)} different sets of overlays on"
            self.wrong("AE806", overlays[0].span, message, f"at most {MOST_SETS}")
            self.report.stop_on_errors()
        for overlay in overlays:
            if not any(overlay.name in on for on in found):
                self.wrong("AE806", overlay.span, f"no options ever switch `{overlay.name}` on", "look at its `when:`")
        self.report.stop_on_errors()
        return list(found)


def _fulfilled(option: ir.OptionDecl, given: Given) -> bool:
    """Whether what an option requires holds, as far as the options that switch overlays tell."""
    if option.requires is None:
        return True
    named = {n.name for n in nodes(option.requires) if isinstance(n, ir.Option)}
    return not named <= given.options.keys() or bool(evaluate(option.requires, given, {}))


def _values(option: ir.OptionDecl, players: int) -> Iterator[Any]:
    """The values of an option, its default first."""
    kind = option.type
    yield option.default
    if isinstance(kind, t.Bool):
        yield not option.default
    elif isinstance(kind, t.Optional) or isinstance(t.strip(kind), t.Seat):
        if isinstance(kind, t.Optional):
            yield None
        yield from range(players) if isinstance(t.strip(kind), t.Seat) else range(option.low, option.high + 1)
    else:
        yield from range(option.low, option.high + 1)
