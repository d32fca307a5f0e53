"""Spec text to a tree of positioned nodes.

PyYAML's node graph is read instead of its Python objects: nodes keep their places, plain words stay words
(`on`, `yes` and `1:30` mean what they say), and what YAML allows but a spec must not hold (duplicate keys,
anchors, tags, several documents) is an error with a place.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from aeronef.dsl.diagnostics import Report, Span

DEEPEST = 40
LONGEST = 2_000_000


class Source:
    """The text of one file, with offsets turned into lines and columns."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._starts = [0] + [m.end() for m in re.finditer("\n", text)]

    def span(self, start: int, end: int) -> Span:
        line, column = self._place(start)
        end_line, end_column = self._place(max(start, end))
        return Span(self.file, line, column, end_line, end_column)

    def _place(self, offset: int) -> tuple[int, int]:
        offset = min(offset, len(self.text))
        row = bisect.bisect_right(self._starts, offset) - 1
        return row + 1, offset - self._starts[row] + 1


@dataclass(slots=True, eq=False)
class Scalar:
    """A word or a text. `text` is its value; `at(i, j)` is the place in the file of value[i:j]."""

    text: str
    plain: bool
    span: Span
    source: Source
    start: int
    end: int
    _map: list[int] | None = None

    def at(self, start: int, end: int) -> Span:
        offsets = self._offsets()
        first = offsets[min(start, len(offsets) - 1)]
        last = offsets[min(max(end - 1, start), len(offsets) - 1)] + 1
        return self.source.span(first, max(last, first + 1))

    def _offsets(self) -> list[int]:
        """For each character of the value its offset in the file: value and file are walked side by side, and
        what YAML leaves out (indentation, line folds, quotes, backslashes) is stepped over."""
        if self._map is None:
            raw, at, found = self.source.text, self.start, []
            if raw[at : at + 1] in ("|", ">"):
                at = raw.find("\n", at, self.end) + 1
            elif raw[at : at + 1] in ("'", '"') and not self.plain:
                at += 1
            for char in self.text:
                while at < self.end and raw[at] != char:
                    if char in " \n" and raw[at] in " \n\r\t":
                        break
                    at += 1
                found.append(min(at, self.end))
                at += 1
            self._map = found or [self.start]
        return self._map


@dataclass(slots=True, eq=False)
class Mapping:
    items: list[tuple[Scalar, Node]]
    span: Span

    def get(self, key: str) -> Node | None:
        for k, value in self.items:
            if k.text == key:
                return value
        return None

    def key(self, key: str) -> Scalar | None:
        for k, _ in self.items:
            if k.text == key:
                return k
        return None

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.items)


@dataclass(slots=True, eq=False)
class Sequence:
    items: list[Node]
    span: Span

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node = Scalar | Mapping | Sequence


def data(node: Node) -> Any:
    """The node as Python data, by YAML 1.2's plain rules: only `true` and `false` are booleans."""
    match node:
        case Mapping():
            return {key.text: data(value) for key, value in node}
        case Sequence():
            return [data(item) for item in node]
        case Scalar():
            if node.plain:
                if node.text in ("true", "false"):
                    return node.text == "true"
                if node.text in ("", "null", "~"):
                    return None
                if re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", node.text):
                    return int(node.text)
            return node.text


def find(node: Node, path: list[str | int]) -> Node:
    """The node at a path of keys and positions; the deepest that exists."""
    for part in path:
        below: Node | None = None
        if isinstance(node, Mapping):
            below = node.get(str(part))
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node.items):
            below = node.items[part]
        if below is None:
            return node
        node = below
    return node


def decode(file: str, raw: bytes, report: Report) -> Source:
    """The file's text. Raises SpecError where it is not UTF-8, or is too long to be a spec."""
    text = raw.decode("utf-8-sig", errors="replace")
    source = Source(file, text.replace("\r\n", "\n"))
    report.texts[file] = source.text
    if "\ufffd" in text and b"\xef\xbf\xbd" not in raw:
        at = source.text.index("\ufffd")
        report.add("AE101", source.span(at, at + 1), "this is not UTF-8 text", "save the file as UTF-8")
    if len(text) > LONGEST:
        report.add("AE101", source.span(0, 1), f"a spec is at most {LONGEST:,} characters long")
    report.stop_on_errors()
    return source


def read(source: Source, report: Report) -> Node:
    """The file as nodes. Raises SpecError where it is not YAML, or not the part of YAML that specs are written in."""
    try:
        _refuse_what_specs_leave_out(source, report)
        report.stop_on_errors()
        root = yaml.compose(source.text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = mark.index if mark else 0
        message = f"this is not YAML: {error.problem or error.context or 'it ends too early'}"
        report.add("AE102", source.span(at, at + 1), message, _yaml_hint(source, at, str(error)))
    except yaml.reader.ReaderError as error:
        message = "a character that YAML does not allow"
        report.add("AE102", source.span(error.position, error.position + 1), message)
    except (RecursionError, ValueError) as error:
        report.add("AE102", source.span(0, 1), f"this is not YAML: {str(error)[:80]}")
    report.stop_on_errors()
    if root is None:
        report.add("AE103", source.span(0, 1), "the file is empty", "`aeronef new NAME` writes a spec to start from")
        report.stop_on_errors()
    tree = _convert(root, source, report)
    return tree


def _refuse_what_specs_leave_out(source: Source, report: Report) -> None:
    depth = documents = 0
    for event in yaml.parse(source.text, Loader=yaml.SafeLoader):
        span = source.span(event.start_mark.index, event.end_mark.index)
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                report.add("AE103", span, "a second document starts here", "a spec is one document: take the `---` out")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            hint = "write it out, or give it a name under `define:`"
            report.add("AE104", span, "anchors and aliases (`&name`, `*name`) are not part of a spec", hint)
        elif getattr(event, "tag", None) and not isinstance(event, yaml.AliasEvent):
            report.add("AE104", span, "tags (`!name`) are not part of a spec", "leave the tag out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                report.add("AE104", span, f"nested more than {DEEPEST} deep")
                return
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _yaml_hint(source: Source, at: int, problem: str) -> str:
    line = source.text[source.text.rfind("\n", 0, at) + 1 :].split("\n", 1)[0]
    if "\\t" in problem or "\t" in line[: len(line) - len(line.lstrip())]:
        return "indent with spaces, not with tabs"
    if "{" in line or "flow" in problem:
        return (
            "inside { } YAML reads , : [ ] itself: put quotes around the text, or write each key on a line of its own"
        )
    if "mapping values are not allowed" in problem:
        return "a text with a colon and a space in it needs quotes, or a block (`|`) below"
    return ""


def _convert(node: yaml.Node, source: Source, report: Report) -> Node:
    start, end = node.start_mark.index, node.end_mark.index
    span = source.span(start, end)
    if isinstance(node, yaml.ScalarNode):
        return Scalar(node.value, node.style is None, span, source, start, end)
    if isinstance(node, yaml.SequenceNode):
        return Sequence([_convert(item, source, report) for item in node.value], span)
    items: list[tuple[Scalar, Node]] = []
    seen: dict[str, Scalar] = {}
    for key_node, value_node in node.value:
        key = _convert(key_node, source, report)
        if not isinstance(key, Scalar):
            report.add("AE104", key.span, "a key must be a word", "put quotes around it if it starts with [ or {")
            continue
        if key.text == "<<" and key.plain:
            report.add("AE104", key.span, "merge keys (`<<`) are not part of a spec", "use `extends:`")
            continue
        if key.text in seen:
            first = (seen[key.text].span, "first written here")
            report.add("AE105", key.span, f"`{key.text}` is written twice", "keep one of the two", [first])
            continue
        seen[key.text] = key
        items.append((key, _convert(value_node, source, report)))
    return Mapping(items, span)
