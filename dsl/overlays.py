"""Variants as overlays: a spec that `extends:` another says only what differs, and names what it changes.

    extends: peaks
    change: {vars: {height: {starts: 8}}}       # of what is there: these keys are other ones
    add:    {invariants: {…}}                   # of what is not there yet; to a list, at its end
    remove: [phases.rest]                       # of what is there, with all that is in it

An *element* is what has a name in a section (`zones.hand`), and an action in a phase (`phases.show.actions.keep`).
Changing or removing an element that is not there is an error, and so is adding one that is. Inside an element any key
may be changed. Every node keeps its own file and place, so that diagnostics point to where a thing was written.

The same three words lay an optional rule over the rest of a spec, where an option switches it (`overlays:`, see
`switches.py`): `lay` is what both have in common.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from aeronef.dsl.diagnostics import Report, Span, nearest
from aeronef.dsl.reader import Mapping, Node, Scalar, Sequence, decode, read

SECTIONS = ("options", "overlays", "types", "cards", "dice", "tables", "zones", "vars", "define", "phases",
            "invariants", "measures", "clauses")  # fmt: skip
INNER = ("actions", "outcomes")
TITLED = re.compile(r"\)\s*as\s+(\w+)\s*$")
OWN = ("extends", "change", "add", "remove")
APPENDED = ("do", "unasked", "by")  # texts that `add:` makes lists of
DEEPEST = 8

Find = Callable[[str], Path | None]
Where = tuple[str, ...]
Touch = Callable[[Where, Span], None]


def flatten(root: Mapping, find: Find, prepare: Callable[[Mapping, Path], None], report: Report) -> Mapping:
    """The spec with its bases laid under it. `find` gives the file of a base, `prepare` what each file needs first.

    Reports AE801 to AE804; the result is the base's tree where the overlay has mistakes.
    """
    chain: list[Mapping] = [root]
    files: list[Path] = []
    while (name := chain[-1].get("extends")) is not None:
        base = _base(name, find, files, report)
        if base is None:
            return chain[-1]
        if len(chain) > DEEPEST:
            report.add("AE801", name.span, f"more than {DEEPEST} specs extend each other", "extend one before it")
            return chain[-1]
        prepare(base, files[-1].parent)
        chain.append(base)
    whole = chain.pop()
    _strays(whole, report)
    while chain:
        whole = _laid(chain.pop(), whole, report)
    return whole


def _base(name: Node, find: Find, files: list[Path], report: Report) -> Mapping | None:
    if not isinstance(name, Scalar):
        return None
    path = find(name.text)
    if path is None:
        report.add(
            "AE801",
            name.span,
            f"there is no spec `{name.text}` to extend",
            "a shipped variant, or a file beside this one",
        )
        return None
    if path in files:
        report.add("AE801", name.span, f"`{name.text}` extends itself", "take one `extends:` out")
        return None
    files.append(path)
    base = read(decode(path.name, path.read_bytes(), report), report)
    if not isinstance(base, Mapping):
        report.add("AE203", base.span, "a spec is a mapping", "it starts with `game: NAME`")
        return None
    return base


def _strays(root: Mapping, report: Report) -> None:
    for key, _ in root:
        if key.text in OWN:
            report.add("AE801", key.span, f"`{key.text}:` needs `extends:`", "say first what is changed")


def _laid(overlay: Mapping, base: Mapping, report: Report) -> Mapping:
    """The base as the overlay has it. Its own top-level keys that are no sections replace the base's."""
    whole = Mapping(list(base.items), overlay.span)
    for key, node in overlay:
        if key.text in OWN:
            continue
        if key.text in SECTIONS and base.get(key.text) is not None:
            hint = f"`add: {{{key.text}: …}}` or `change: {{{key.text}: …}}`"
            report.add("AE804", key.span, f"the base has `{key.text}:` already", hint)
            continue
        _put(whole, key, node)
    lay(overlay, whole, report)
    return whole


def lay(
    overlay: Mapping, whole: Mapping, report: Report, touch: Touch = lambda where, span: None, name: str = ""
) -> None:
    """Does to the spec what an overlay's `remove:`, `change:` and `add:` say. `touch` hears of each thing that is
    changed, and where it is said. `name` is that of an optional rule."""
    for key, node in overlay:
        if key.text in OWN:
            wanted = {"remove": Sequence, "extends": Scalar}.get(key.text, Mapping)
            if not isinstance(node, wanted):
                message = f"`{key.text}:` must be {'a list' if wanted is Sequence else 'a mapping'}"
                report.add("AE203", node.span, message)
    if not name:
        report.brought = brought(whole.get("overlays"))
    removed = overlay.get("remove")
    for item in removed.items if isinstance(removed, Sequence) else []:
        if isinstance(item, Scalar):
            _remove(whole, item, report, touch, name)
            if not name:
                report.removed[item.text] = item.span
        else:
            report.add("AE203", item.span, "this must be a text", "as in `remove: [phases.rest]`")
    for verb, adding in (("change", False), ("add", True)):
        part = overlay.get(verb)
        if isinstance(part, Mapping):
            _merge(whole, part, (), adding, report, touch, name)


def _put(target: Mapping, key: Scalar, node: Node) -> None:
    for i, (k, _) in enumerate(target.items):
        if k.text == key.text:
            target.items[i] = (key, node)
            return
    target.items.append((key, node))


def _copy(mapping: Mapping) -> Mapping:
    return Mapping(list(mapping.items), mapping.span)


def _names(path: Where) -> bool:
    """Whether the keys at this path name elements."""
    return (len(path) == 1 and path[0] in SECTIONS) or (len(path) == 3 and path[0] == "phases" and path[2] in INNER)


def element_name(key: str) -> str:
    """An element's name: `play(c in hand[me])` is `play`, `play(c in hand[me]) as open` is `open`."""
    titled, valued = TITLED.search(key), re.match(r"(\w+)\(", key)
    return titled[1] if titled else valued[1] if valued else key.strip()


def _merge(
    target: Mapping, part: Mapping, path: Where, adding: bool, report: Report, touch: Touch, overlay: str
) -> None:
    elements = _names(path)
    for key, node in part:
        name = element_name(key.text) if elements else key.text
        here = next((i for i, (k, _) in enumerate(target.items) if _same(k.text, key.text, elements)), None)
        inside = (*path, name)
        where = ".".join(inside)
        if here is None:
            if elements and not adding:
                known = [element_name(k.text) for k, _ in target]
                hint = _brought_by(where, report, overlay) or nearest(name, known) or "`add:` adds it"
                notes: list[tuple[Span, str]] = []
                if overlay and where in report.removed:  # the author may not know that optional rule
                    hint = f"take the change out as well: `remove: [overlays.{overlay}.change.{where}]`"
                    notes = [(report.removed[where], "it is removed here")]
                report.add("AE802", key.span, f"there is no `{where}` to change", hint, notes)
                continue
            touch(inside, key.span)
            target.items.append((key, node))
            continue
        old_key, old = target.items[here]
        other = elements and "(" in key.text and key.text != old_key.text  # with values of its own
        if adding and (other or ((elements or not isinstance(node, Mapping)) and not _adds(key.text, old, node))):
            first = [(old_key.span, "it is here")]
            report.add("AE803", key.span, f"`{where}` is there already", "`change:` changes it", first)
            continue
        kept = key if "(" in key.text else old_key  # an action that is named without its values keeps those of the base
        if isinstance(old, Mapping) and isinstance(node, Mapping):
            if kept.text != old_key.text:
                touch(inside, key.span)
            inner = _copy(old)
            target.items[here] = (kept, inner)
            _merge(inner, node, inside, adding, report, touch, overlay)
        elif adding:
            touch(inside, key.span)
            target.items[here] = (kept, Sequence([*_items(old), *_items(node)], old.span))
        else:
            touch(inside, key.span)
            target.items[here] = (kept if elements else key, node)


def _items(node: Node) -> list[Node]:
    return node.items if isinstance(node, Sequence) else [node]


def _adds(key: str, old: Node, node: Node) -> bool:
    """Whether a node adds to what is there without changing it: to a list, or keys that are not there."""
    if isinstance(old, Mapping) and isinstance(node, Mapping):
        inner = [(k.text, old.get(k.text), value) for k, value in node]
        return all(there is None or _adds(name, there, value) for name, there, value in inner)
    return isinstance(old, Sequence) or key in APPENDED


def _same(one: str, other: str, elements: bool) -> bool:
    return one == other or (elements and element_name(one) == element_name(other))


def brought(overlays: Node | None) -> dict[str, str]:
    """The elements that optional rules add, with the name of one that does."""
    found: dict[str, str] = {}
    for overlay, node in overlays if isinstance(overlays, Mapping) else ():
        todo: list[tuple[Where, Node | None]] = [((), node.get("add"))] if isinstance(node, Mapping) else []
        while todo:
            path, part = todo.pop()
            for key, below in part if isinstance(part, Mapping) else ():
                elements = _names(path)
                inside = (*path, element_name(key.text) if elements else key.text)
                if elements:
                    found.setdefault(".".join(inside), overlay.text)
                todo.append((inside, below))
    return found


def _brought_by(where: str, report: Report, overlay: str) -> str:
    """What to do about an element that is not there, where an optional rule brings it; `overlay` is the one at hand."""
    who = report.brought.get(where)
    if who is None:
        return ""
    if overlay == who:
        return f"`{who}` itself adds it: say it there, under its `add:`"
    if overlay:
        return f"`{who}` adds it: come `after: {who}`, and be on only where it is"
    return f"the optional rule `{who}` adds it: `overlays.{who}.add.{where}`"


def _remove(whole: Mapping, item: Scalar, report: Report, touch: Touch, overlay: str) -> None:
    section = item.text.split(".", 1)
    parts = section if section[0] == "clauses" else item.text.split(".")  # a clause's id may hold a dot
    if section[0] == "measures" and len(parts) > 3:  # and so does a moment: `measures.NAME.at.PHASE.ACTION`
        parts = [*parts[:3], ".".join(parts[3:])]
    target = whole
    for depth, name in enumerate(parts):
        elements = _names(tuple(parts[:depth]))
        here = next((i for i, (k, _) in enumerate(target.items) if _same(k.text, name, elements)), None)
        if here is None:
            known = [element_name(k.text) for k, _ in target]
            hint = _brought_by(item.text, report, overlay) or nearest(name, known)
            report.add("AE802", item.span, f"there is no `{item.text}` to remove", hint)
            return
        if depth == len(parts) - 1:
            touch(tuple(parts), item.span)
            del target.items[here]
            return
        key, below = target.items[here]
        if not isinstance(below, Mapping):
            report.add("AE802", item.span, f"there is no `{item.text}` to remove")
            return
        inner = _copy(below)
        target.items[here] = (key, inner)
        target = inner
