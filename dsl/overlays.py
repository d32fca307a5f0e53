"""Variants as overlays: a spec that `extends:` another says only what differs, and names what it changes.

    extends: peaks
    change: {vars: {height: {starts: 8}}}       # of what is there: these keys are other ones
    add:    {invariants: {…}}                   # of what is not there yet
    remove: [phases.rest]                       # of what is there, with all that is in it

An *element* is what has a name in a section (`zones.hand`), and an action in a phase (`phases.show.actions.keep`).
Changing or removing an element that is not there is an error, and so is adding one that is. Inside an element any key
may be set. Every node keeps its own file and place, so that diagnostics point to where a thing was written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from aeronef.dsl.diagnostics import Report, nearest
from aeronef.dsl.reader import Mapping, Node, Scalar, Sequence, decode, read

SECTIONS = ("options", "types", "cards", "dice", "tables", "zones", "vars", "define", "phases", "invariants",
            "clauses")  # fmt: skip
INNER = ("actions", "outcomes")
OWN = ("extends", "change", "add", "remove")
DEEPEST = 8

Find = Callable[[str], Path | None]


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
            wanted = {"remove": Sequence, "extends": Scalar}.get(key.text, Mapping)
            if not isinstance(node, wanted):
                report.add(
                    "AE203", node.span, f"`{key.text}:` must be {'a list' if wanted is Sequence else 'a mapping'}"
                )
            continue
        if key.text in SECTIONS and base.get(key.text) is not None:
            hint = f"`add: {{{key.text}: …}}` or `change: {{{key.text}: …}}`"
            report.add("AE804", key.span, f"the base has `{key.text}:` already", hint)
            continue
        _put(whole, key, node)
    removed = overlay.get("remove")
    for item in removed.items if isinstance(removed, Sequence) else []:
        if isinstance(item, Scalar):
            _remove(whole, item, report)
        else:
            report.add("AE203", item.span, "this must be a text", "as in `remove: [phases.rest]`")
    for verb, adding in (("change", False), ("add", True)):
        part = overlay.get(verb)
        if isinstance(part, Mapping):
            _merge(whole, part, (), adding, report)
    return whole


def _put(target: Mapping, key: Scalar, node: Node) -> None:
    for i, (k, _) in enumerate(target.items):
        if k.text == key.text:
            target.items[i] = (key, node)
            return
    target.items.append((key, node))


def _copy(mapping: Mapping) -> Mapping:
    return Mapping(list(mapping.items), mapping.span)


def _names(path: tuple[str, ...]) -> bool:
    """Whether the keys at this path name elements."""
    return (len(path) == 1 and path[0] in SECTIONS) or (len(path) == 3 and path[0] == "phases" and path[2] in INNER)


def _signature(key: str) -> str:
    """An element's name: `play(c in hand[me])` is `play`."""
    return key.split("(", 1)[0].strip()


def _merge(target: Mapping, part: Mapping, path: tuple[str, ...], adding: bool, report: Report) -> None:
    elements = _names(path)
    for key, node in part:
        here = next((i for i, (k, _) in enumerate(target.items) if _same(k.text, key.text, elements)), None)
        where = ".".join((*path, _signature(key.text)))
        if here is None:
            if elements and not adding:
                known = [_signature(k.text) for k, _ in target]
                report.add(
                    "AE802",
                    key.span,
                    f"there is no `{where}` to change",
                    nearest(_signature(key.text), known) or "`add:` adds it",
                )
                continue
            target.items.append((key, node))
            continue
        old_key, old = target.items[here]
        if elements and adding and not _adds_inside(path, node):
            first = [(old_key.span, "it is here")]
            report.add("AE803", key.span, f"`{where}` is there already", "`change:` changes it", first)
            continue
        if isinstance(old, Mapping) and isinstance(node, Mapping):
            inner = _copy(old)
            target.items[here] = (key, inner)
            _merge(inner, node, (*path, _signature(key.text)), adding, report)
        else:
            target.items[here] = (key, node)


def _adds_inside(path: tuple[str, ...], node: Node) -> bool:
    """Whether what is added to a phase that is there are actions of it."""
    return path == ("phases",) and isinstance(node, Mapping) and all(key.text in INNER for key, _ in node)


def _same(one: str, other: str, elements: bool) -> bool:
    return one == other or (elements and _signature(one) == _signature(other))


def _remove(whole: Mapping, item: Scalar, report: Report) -> None:
    section = item.text.split(".", 1)
    parts = section if section[0] == "clauses" else item.text.split(".")  # a clause's id may hold a dot
    target = whole
    for depth, name in enumerate(parts):
        elements = _names(tuple(parts[:depth]))
        here = next((i for i, (k, _) in enumerate(target.items) if _same(k.text, name, elements)), None)
        if here is None:
            known = [_signature(k.text) for k, _ in target]
            report.add("AE802", item.span, f"there is no `{item.text}` to remove", nearest(name, known))
            return
        if depth == len(parts) - 1:
            del target.items[here]
            return
        key, below = target.items[here]
        if not isinstance(below, Mapping):
            report.add("AE802", item.span, f"there is no `{item.text}` to remove")
            return
        inner = _copy(below)
        target.items[here] = (key, inner)
        target = inner
