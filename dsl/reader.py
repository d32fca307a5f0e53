"""Spec text to a tree of positioned nodes.

PyYAML's node graph is read instead of its Python objects: nodes keep their places, plain words stay words
(`on`, `yes` and `1:30` mean what they say), and what YAML allows but a spec must not hold (duplicate keys,
anchors, tags, several documents) is an error with a place.
"""

from __future__ import annotations

import bisect
import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from aeronef.dsl.diagnostics import Report, Span

DEEPEST = 40
LONGEST = 80_000
BLANK = " \t\n"
ALIAS = "alias"
ESCAPES = {"x": 4, "u": 6, "U": 10}  # how long `\x41` is; all others are two characters


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
    """A word or a text. `text` is its value; `at(i, j)` is the place in the file of value[i:j].

    `style` is YAML's: empty (plain), a quote, `|` or `>`.
    """

    text: str
    style: str
    span: Span
    source: Source
    start: int
    end: int
    _map: list[int] | None = None

    @property
    def plain(self) -> bool:
        return not self.style

    def at(self, start: int, end: int) -> Span:
        if self._map is None:
            self._map = list(self._block() if self.style in ("|", ">") else self._flow()) or [self.start]
        offsets = self._map
        first = offsets[min(start, len(offsets) - 1)]
        last = offsets[min(max(end - 1, start), len(offsets) - 1)] + 1
        return self.source.span(first, max(last, first + 1))

    def _flow(self) -> Iterator[int]:
        """For each character of the value its offset in the file. Value and file are walked side by side; line folds
        are stepped over, and what a backslash stands for is where the backslash is."""
        raw, at = self.source.text, self.start + len(self.style)

        def escaped() -> bool:
            return self.style == '"' and raw[at] == "\\" and raw[at + 1 : at + 2] != "\n"

        for char in self.text:
            while at < self.end and raw[at] != char and not escaped() and not (char in BLANK and raw[at] in BLANK):
                at += 1
            yield min(at, self.end)
            if at < self.end:
                doubled = self.style == "'" and char == "'"
                at += ESCAPES.get(raw[at + 1 : at + 2], 2) if escaped() else 1 + doubled

    def _block(self) -> Iterator[int]:
        """As _flow, for `|` and `>`: indentation and (in `>`) line ends are stepped over."""
        raw = self.source.text
        at = raw.find("\n", self.start, self.end) + 1 or self.end
        indented = re.compile(r"(?:[ ]*\n)*([ ]*)").match(raw, at, self.end)
        own = len(self.text.lstrip("\n")) - len(self.text.lstrip("\n "))
        depth = max(len(indented[1]) - own, 0) if indented else 0

        def begun(at: int) -> int:
            start = at
            while at < self.end and at - start < depth and raw[at] == " ":
                at += 1
            return at

        at = begun(at)
        for char in self.text:
            while at < self.end and raw[at] != char and not (char == " " and raw[at] == "\n"):
                at = begun(at + 1) if raw[at] == "\n" else at + 1
            yield min(at, self.end)
            if at < self.end:
                at = begun(at + 1) if raw[at] == "\n" else at + 1


@dataclass(slots=True, eq=False)
class Mapping:
    items: list[tuple[Scalar, Node]]
    span: Span

    def get(self, key: str) -> Node | None:
        for k, value in self.items:
            if k.text == key:
                return value
        return None

    def add(self, key: str, value: Node) -> None:
        """Gives it a key that is not in the file."""
        self.items.append((Scalar(key, "", value.span, Source("", ""), 0, 0), value))

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.items)


@dataclass(slots=True, eq=False)
class Sequence:
    items: list[Node]
    span: Span

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


@dataclass(slots=True, eq=False)
class Broken:
    """Stands where a mistake was reported, so that nothing more is said about it."""

    span: Span


Node = Scalar | Mapping | Sequence | Broken


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
        case Broken():
            return None


def decode(file: str, raw: bytes, report: Report) -> Source:
    """The file's text. Raises SpecError where it is not UTF-8, or is too long to be a spec."""
    raw = raw.removeprefix(codecs.BOM_UTF8)
    text = raw.decode("utf-8", errors="replace")
    source = Source(file, text.replace("\r\n", "\n").replace("\r", "\n"))
    report.texts[file] = source.text
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8").replace("\r\n", "\n")
        report.add("AE101", source.span(len(before), len(before) + 1), "this is not UTF-8 text", "save it as UTF-8")
    if len(text) > LONGEST:
        report.add("AE101", source.span(0, 1), f"a spec is at most {LONGEST:,} characters long")
    report.stop_on_errors()
    return source


def read(source: Source, report: Report) -> Node:
    """The file as nodes. Raises SpecError where it is not YAML; what YAML allows and a spec does not is reported."""
    root = None
    try:
        root = _Composer(source, report).document()
    except yaml.reader.ReaderError as error:
        at = error.position
        report.add("AE102", source.span(at, at + 1), f"the character U+{ord(source.text[at]):04X} cannot stand in YAML")
    except yaml.MarkedYAMLError as error:
        _explain(error, source, report)
    except ValueError as error:  # an escape beyond Unicode, say
        report.add("AE102", source.span(0, 1), f"this is not YAML: {str(error)[:80]}")
    if root is None:
        if not report.errors:
            report.add(
                "AE103", source.span(0, 1), "the file is empty", "`aeronef new NAME` writes a spec to start from"
            )
        report.stop_on_errors()
        raise AssertionError("a file without a root has errors")
    return _convert(root, source, report)


class _Composer(yaml.BaseLoader):
    """PyYAML's composer, without what specs leave out: an alias is an empty word, so nothing can grow or recur."""

    peek_event: Callable[[], Any]
    get_event: Callable[[], Any]
    compose_document: Callable[[], yaml.Node]

    def __init__(self, source: Source, report: Report) -> None:
        super().__init__(source.text)
        self.source = source
        self.report = report
        self.depth = 0
        self.aliases: set[str | None] = set()

    def document(self) -> yaml.Node | None:
        self.get_event()  # the stream's start
        if self.check_event(yaml.StreamEndEvent):
            return None
        root = self.compose_document()
        if not self.check_event(yaml.StreamEndEvent):
            hint = "a spec is one document: take the `---` out"
            self._refuse("AE103", self.peek_event(), "a second document starts here", hint)
        return root

    def _refuse(self, code: str, event: Any, message: str, hint: str) -> None:
        at = event.start_mark.index
        self.report.add(code, self.source.span(at, max(event.end_mark.index, at + 1)), message, hint)

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()
        sign = self.source.span(event.start_mark.index, event.start_mark.index + 1)
        if isinstance(event, yaml.AliasEvent):
            hint = "write it out, or give it a name under `define:`"
            if event.anchor not in self.aliases:
                self.aliases.add(event.anchor)
                self._refuse("AE104", event, f"`*{event.anchor}` (YAML's alias) is not part of a spec", hint)
            alias = self.get_event()
            return yaml.ScalarNode(ALIAS, "", alias.start_mark, alias.end_mark)
        if event.anchor:
            self.report.add("AE104", sign, f"`&{event.anchor}` (YAML's anchor) is not part of a spec", "leave it out")
            event.anchor = None
        elif self.source.text.startswith("!", event.start_mark.index):
            hint = "leave it out, or put quotes around the text"
            self.report.add("AE104", sign, "`!name` (YAML's tag) is not part of a spec", hint)
        if self.depth > DEEPEST:
            self._refuse("AE104", event, f"nested more than {DEEPEST} deep", "")
            self.report.stop_on_errors()
        self.depth += 1
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node


PROBLEMS = (  # what PyYAML says, what a spec's author reads, and what to do
    (r"mapping values are not allowed here", "a colon followed by a space stands inside a text",
     "put quotes around the text, or check the column of this line"),
    (r"could not find expected ':'", "this is no `key: value`", "check the lines before it"),
    (r"expected <block end>, but found .*", "this does not fit the lines above",
     "check its column, and the quotes before it"),
    (r"expected ',' or '(.)', but got .*", r"here only `,` or `\1` can stand",
     "inside { } and [ ] YAML reads , : ? [ ] { } itself: put quotes around a text that has them"),
    (r"found character '\\t' .*", "a tab in the indentation", "indent with spaces"),
    (r"found character '(.)' .*", r"a text cannot start with `\1`", "put quotes around it"),
    (r"found unexpected end of stream|.*document separator", "this quote is not closed", ""),
    (r"found unknown escape character '(.)'", r"`\\\1` means nothing in double quotes", r"`\\` is a backslash"),
)  # fmt: skip


def _explain(error: yaml.MarkedYAMLError, source: Source, report: Report) -> None:
    mark = error.problem_mark or error.context_mark
    at = min(mark.index if mark else 0, len(source.text))
    problem = error.problem or error.context or "it ends too early"
    message, hint = f"this is not YAML: {problem}", ""
    for pattern, says, advice in PROBLEMS:
        if match := re.fullmatch(pattern, problem):
            message, hint = match.expand(says), advice
    if message == "this quote is not closed" and error.context_mark is not None:
        at = error.context_mark.index
    report.add("AE102", source.span(at, at + 1), message, hint)


def _convert(node: yaml.Node, source: Source, report: Report) -> Node:
    start, last = node.start_mark.index, node
    while isinstance(last, yaml.CollectionNode) and last.value and not last.flow_style:
        last = last.value[-1][1] if isinstance(last, yaml.MappingNode) else last.value[-1]
    end = start + len(source.text[start : last.end_mark.index].rstrip())
    span = source.span(start, end)
    if node.tag == ALIAS:
        return Broken(span)
    if isinstance(node, yaml.ScalarNode):
        return Scalar(node.value, node.style or "", span, source, start, end)
    if isinstance(node, yaml.SequenceNode):
        return Sequence([_convert(item, source, report) for item in node.value], span)
    items: list[tuple[Scalar, Node]] = []
    seen: dict[str, tuple[Scalar, Node]] = {}
    for key_node, value_node in node.value:
        key = _convert(key_node, source, report)
        if isinstance(key, Broken):
            continue
        if not isinstance(key, Scalar):
            report.add("AE104", key.span, "a key must be a word", "put quotes around it if it starts with [ or {")
            continue
        if key.text == "<<" and key.plain:
            report.add("AE104", key.span, "`<<` (YAML's merge key) is not part of a spec", "write the keys out")
            continue
        if key.text in seen:
            first, kept = seen[key.text]
            notes = [(first.span, "first written here")]
            report.add("AE105", key.span, f"`{key.text}` is written twice", "keep one of the two", notes)
            value = _convert(value_node, source, report)
            if isinstance(kept, Mapping) and isinstance(value, Mapping):  # what names it has is known then
                kept.items += [item for item in value if kept.get(item[0].text) is None]
            continue
        seen[key.text] = (key, _convert(value_node, source, report))
        items.append(seen[key.text])
    return Mapping(items, span)
