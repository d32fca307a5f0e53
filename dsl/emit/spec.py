"""A spec with its overlays laid over it, as one whole spec: plain YAML, with a remark where each part came from."""

from __future__ import annotations

import json
import re

from aeronef.dsl.diagnostics import Span
from aeronef.dsl.overlays import OWN
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence

# Words that YAML, or this project's reading of it, would take for something else, and what no plain text may hold.
OTHER = re.compile(r"(true|false|null|~|-?\d+)?|.*(: | #|:$).*|[\s\-?:,\[\]{}#&*!|>'\"%@`].*|.*\s")
FLAT = re.compile(r"\w[\w. \-]*|-\d+")  # what stands in a list of one line
REMARK, WIDTH = 60, 100  # the column of remarks, where the line is shorter; the longest list of one line
ORDER = ("options", "types", "cards", "dice", "tables", "zones", "vars", "define", "phases", "result", "invariants",
         "measures", "accepts", "clauses")  # fmt: skip


def emit_spec(root: Mapping, source: str, overlays: list[str]) -> str:
    """The text of the spec; it compiles to the game that `root` is. Every element says its file and line, and so does
    whatever does not stand where what is around it stands."""
    head = f"# {source}"
    head += f" with {', '.join(overlays)}" if overlays else ""
    kept = [(key, node) for key, node in root if key.text not in OWN and key.text != "overlays"]
    kept.sort(key=lambda item: ORDER.index(item[0].text) if item[0].text in ORDER else -1)
    lines = [f"{head}, as one spec."]
    for key, node in kept:
        lines += _entry(key, node, "", node.span)
        if isinstance(node, Mapping):
            lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _entry(key: Scalar, node: Node, indent: str, around: Span) -> list[str]:
    """A key and what it holds. `around` is the place of what is around it."""
    label = f"{indent}{_key(key)}:"
    element = len(indent) == 2
    if isinstance(node, Scalar):
        value, block = _text(node, indent)
        origin = node.span if element or _elsewhere(node, around) else None
        return [_remarked(f"{label} {value}".rstrip(), origin), *block]
    origin = _origin(key, node) if element or _elsewhere(node, around) else None
    if isinstance(node, Sequence):
        if (flat := _flat(node)) is not None and len(label) + len(flat) < WIDTH:
            return [_remarked(f"{label} {flat}", origin)]
        return [_remarked(label, origin), *_items(node, indent + "  ")]
    if isinstance(node, Broken) or not node.items:
        return [_remarked(f"{label} {{}}", origin)]
    lines = [_remarked(label, origin)]
    for inner, part in node:
        lines += _entry(inner, part, indent + "  ", node.span)
    return lines


def _origin(key: Scalar, node: Node) -> Span:
    """Where an entry stands: an overlay that replaces the whole of it leaves the key that the base has."""
    together = key.span.file == node.span.file and key.span.line <= node.span.line <= key.span.line + 1
    return key.span if together else node.span


def _elsewhere(node: Node, around: Span) -> bool:
    inside = around.line <= node.span.line and node.span.end_line <= around.end_line
    return node.span.file != around.file or not inside


def _flat(node: Sequence) -> str | None:
    """A list on one line: one of short texts that all come from one place."""
    if any(not isinstance(item, Scalar) or _elsewhere(item, node.span) for item in node):
        return None
    texts = [_text(item, "")[0] for item in node if isinstance(item, Scalar)]
    return f"[{', '.join(texts)}]" if all(FLAT.fullmatch(text) for text in texts) else None


def _items(node: Sequence, indent: str) -> list[str]:
    lines: list[str] = []
    for item in node:
        origin = item.span if _elsewhere(item, node.span) else None
        if isinstance(item, Scalar):
            value, block = _text(item, indent)
            lines += [_remarked(f"{indent}- {value}", origin), *block]
        elif isinstance(item, Mapping) and item.items:
            inner = [line for key, value in item for line in _entry(key, value, indent + "  ", item.span)]
            inner[0] = f"{indent}- {inner[0].lstrip()}"
            lines += [_remarked(inner[0], origin) if "  # " not in inner[0] else inner[0], *inner[1:]]
        elif isinstance(item, Sequence):
            lines += [f"{indent}-", *_items(item, indent + "  ")]
    return lines


def _key(key: Scalar) -> str:
    return key.text if _plain(key.text) else json.dumps(key.text, ensure_ascii=False)


def _plain(text: str) -> bool:
    """Whether a text reads as itself without quotes."""
    return text.isprintable() and not OTHER.fullmatch(text)


def _text(node: Scalar, indent: str) -> tuple[str, list[str]]:
    """A value: what stands behind the colon, and the lines below where it has several."""
    if _plain(node.text) or (node.plain and re.fullmatch(r"true|false|-?\d+|", node.text)):
        return node.text, []
    body = node.text.rstrip("\n").split("\n")
    if len(body) > 1 and body[0] == body[0].lstrip() and all(line.isprintable() for line in body):
        return ("|" if node.text.endswith("\n") else "|-"), [f"{indent}  {line}".rstrip() for line in body]
    return json.dumps(node.text, ensure_ascii=False), []


def _remarked(line: str, origin: Span | None) -> str:
    if origin is None:
        return line
    return f"{line:<{REMARK}}  # {origin.file}:{origin.line}"
