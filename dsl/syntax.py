"""Strings of a spec to Lark trees: one parser, several starts, errors as diagnostics with their place."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from importlib import resources
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter
from lark.lexer import PatternStr

from aeronef.dsl.diagnostics import Report, Span
from aeronef.dsl.reader import Scalar

STARTS = ("expression", "gathering", "goto", "visit", "block", "signature", "header", "type")
LONGEST_TEXT = 20_000
DEEPEST = 100

SPOKEN = {
    "_NL": "a new line", "_INDENT": "an indented block", "_DEDENT": "the end of the block", "$END": "the end",
    "NAME": "a name", "INT": "a number", "COMPARE": "a comparison", "QUESTION": "`?`", "MINUS": "`-`",
    "__ANON_0": "`..`", "__ANON_1": "`:=`", "__ANON_2": "`+=`", "__ANON_3": "`-=`", "__ANON_4": "`//`",
    "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`", "LBRACE": "`{`", "RBRACE": "`}`", "COMMA": "`,`",
    "COLON": "`:`", "DOT": "`.`", "PLUS": "`+`", "STAR": "`*`", "PERCENT": "`%`", "EQUAL": "`=`",
}  # fmt: skip
HABITS = {
    "=": "`==` compares two values", "&": "write `and`", "&&": "write `and`", "|": "write `or`", "||": "write `or`",
    "!": "write `not`", "/": "whole numbers divide with `//`", "'": "names are written without quotes",
    '"': "names are written without quotes", ";": "write each effect on a line of its own", "++": "write `+= 1`",
    "--": "write `-= 1`", "*=": "write `x := x * …`", "=>": "write `>=`", "=<": "write `<=`", "<>": "write `!=`",
    "?": "write `a if test else b`", "else if": "write `elif`",
    "else": "`else` belongs below an `if` of the same column",
    "while": "`for … in …:` goes through what there is; what goes on and on is a phase",
    "if": "write `a if test else b`", "is": "write `==`", "**": "there are no powers", "^": "there are no powers",
    "shuffle": "an unordered zone needs no shuffling: chance draws from it",
    "draw": "chance draws, in a phase with `chance:`",
    "deal": "chance deals, in a phase with `chance:`", "roll": "chance rolls, in a phase with `chance:`",
    "return": "effects return nothing: what is computed stands under `define:`",
}  # fmt: skip
NAMED = ("signature", "header", "goto", "visit")  # what starts with a name that no expression uses
FORMS = {
    "header": "as in `best`, or `level(seat a, seat b)`", "signature": "as in `pass()`, or `play(c in hand[me])`",
    "type": "as in `bool`, `0..9`, `seat?`, or `set of seat`",
}  # fmt: skip
OWN_LINE = "write each effect on a line of its own"


class _Glued(Exception):
    """Two words without a space between them: `5if`, `x inhand`."""

    def __init__(self, start: int) -> None:
        self.start = start


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012 (Lark's interface)
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        tokens: Iterator[Token] = super().process(_apart(stream))  # type: ignore[no-untyped-call]
        return tokens


def _apart(stream: Iterator[Token]) -> Iterator[Token]:
    before: Token | None = None
    for token in stream:
        if before and before.end_pos == token.start_pos and re.fullmatch(r"\w\w", before[-1] + token[0]):
            raise _Glued(before.start_pos or 0)
        before = token
        yield token


@functools.cache
def parser() -> Lark:
    grammar = resources.files("aeronef.dsl").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        start=list(STARTS),
        postlex=_Blocks(),
        propagate_positions=True,
        maybe_placeholders=False,
    )


@functools.cache
def keywords() -> frozenset[str]:
    """The words of the grammar itself (`if`, `where`, `none`, …)."""
    patterns = (terminal.pattern for terminal in parser().terminals)
    return frozenset(p.value for p in patterns if isinstance(p, PatternStr) and p.value.isalpha())


class Parsed:
    """A tree and the scalar it was read from: `span(node)` is a node's place in the file."""

    __slots__ = ("scalar", "text", "tree")

    def __init__(self, tree: Tree[Token], scalar: Scalar, text: str) -> None:
        self.tree, self.scalar, self.text = tree, scalar, text

    def span(self, node: Tree[Token] | Token) -> Span:
        if isinstance(node, Token):
            return self.scalar.at(node.start_pos or 0, node.end_pos or 1)
        meta: Any = node.meta
        if meta.empty:
            return self.scalar.span
        end = len(self.text[: meta.end_pos].rstrip())  # a block's last token is its line end
        return self.scalar.at(meta.start_pos, max(end, meta.start_pos + 1))

    def words(self, node: Tree[Token]) -> str:
        """The source text of a node, on one line."""
        meta: Any = node.meta
        return " ".join(self.text[meta.start_pos : meta.end_pos].split()) if not meta.empty else ""


def parse(scalar: Scalar, start: str, report: Report) -> Parsed | None:
    """The tree of a scalar's text, or None after reporting what is wrong with it."""
    text = scalar.text
    if not text.strip():
        report.add("AE301", scalar.span, "nothing is written here")
        return None
    if len(text) > LONGEST_TEXT:
        report.add("AE302", scalar.span, f"a text is at most {LONGEST_TEXT:,} characters long", "divide it")
        return None
    if start == "block":
        text = text.rstrip() + "\n"
        if (tab := re.search(r"^ *\t", text, re.M)) is not None:
            report.add("AE303", scalar.at(tab.end() - 1, tab.end()), "a tab in the indentation", "indent with spaces")
            return None
    else:  # one line, whatever YAML made of it; the same length, so that offsets stay
        text = re.sub(r"#[^\n]*", lambda m: " " * len(m.group()), text).replace("\n", " ")
    try:
        parsed = Parsed(parser().parse(text, start=start), scalar, text)
    except UnexpectedInput as error:
        _explain(error, scalar, text, start, report)
    except DedentError:
        at = _dedented(text)
        message = "this line is indented less than its block, and more than the one around it"
        report.add("AE303", scalar.at(at, at + 1), message, "lines of one block start in one column")
    except _Glued as error:
        word = re.compile(r"\w+").match(text, error.start)
        assert word is not None
        report.add("AE301", scalar.at(*word.span()), f"`{word[0]}` does not fit here", "is a space missing?")
    else:
        return parsed if _sound(parsed, report) else None
    return None


def _sound(parsed: Parsed, report: Report) -> bool:
    """Whether no keyword stands for a name (an action may be called `move`), and nothing lies too deep."""
    todo: list[tuple[Tree[Token], int]] = [(parsed.tree, 0)]
    while todo:
        node, depth = todo.pop()
        if depth > DEEPEST:
            report.add("AE302", parsed.span(node), "this is too deeply nested", "use `define:` for its parts")
            return False
        for i, child in enumerate(node.children):
            if isinstance(child, Tree):
                todo.append((child, depth + 1))
            elif child.type == "NAME" and child in keywords() and not _apart_from_values(node, i):
                message = f"`{child}` does not fit here"
                report.add("AE301", parsed.span(child), message, HABITS.get(child, "it is a word of the language"))
                return False
    return True


def _apart_from_values(node: Tree[Token], i: int) -> bool:
    """Whether a name stands where no value can be meant: an action's, and its element's."""
    return (i == 0 and node.data in NAMED) or node.data == "signature"


def _dedented(text: str) -> int:
    """The first character of the first line whose indentation belongs to no block."""
    columns = [0]
    for line in re.finditer(r"^( *)(?=[^ #\n])", text, re.M):
        depth = len(line[1])
        while columns[-1] > depth:
            columns.pop()
            if columns[-1] < depth:
                return line.end()
        if columns[-1] < depth:
            columns.append(depth)
    return 0


def _explain(error: UnexpectedInput, scalar: Scalar, text: str, start: str, report: Report) -> None:
    """AE301, or AE303 where it is the indentation."""
    at = error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(text)
    expected: set[str] = set()
    if isinstance(error, UnexpectedToken):
        token = error.token
        expected = set(error.accepts or error.expected)
        at = len(text) if token.type == "$END" or token.start_pos is None else token.start_pos
        if token.type == "_INDENT":
            at = len(text) - len(text[at:].lstrip())
            hint = "lines of one block start in one column; what an `if` or `for` does stands further in"
            report.add("AE303", scalar.at(at, at + 1), "this line is indented further than the one above", hint)
            return
    elif isinstance(error, UnexpectedCharacters):
        expected = set(error.allowed or ())
    line = text[text.rfind("\n", 0, at) + 1 : at]
    bracket = _unclosed(text[:at])
    word = re.match(r"\w+|[<>=!]=|&&|\|\||[:*]=|=[><]|<>|[^\s\w]", text[at:])
    before = re.search(r"(?:\b(while|return|else|if|shuffle|draw|deal|roll)\s*|[-+*])$", line)
    if before and (before[1] or (word and before[0] + word[0] in HABITS)):  # what was taken for a name, or for a sign
        together = f"{before[0]}{word[0]}" if word else before[0].strip()
        found = together if together in HABITS else before[0].strip()
        at -= len(before[0])
    else:
        found = word[0] if word else ""
    if found:
        message, hint = f"`{found}` does not fit here", _advice(found, line, start, expected, scalar)
    else:
        message, hint = "this ends too early", FORMS.get(start) or _expected(expected)
        at, found = len(text[:at].rstrip()) - 1, "."
        if start == "block" and "==" in line and "__ANON_1" in expected:
            hint = "`==` compares two values; `:=` gives a variable a value"
    if bracket is not None and (message == "this ends too early" or "\n" in text[bracket:at]):
        hint = f"the `{text[bracket]}` before is not closed"
    report.add("AE301", scalar.at(at, at + len(found)), message, hint)


def _advice(found: str, line: str, start: str, expected: set[str], scalar: Scalar) -> str:
    if found == "=" and "__ANON_1" in expected and start == "block":
        return "`:=` gives a variable a value"
    if "_INDENT" in expected:
        return _expected(expected)
    if found in HABITS and start not in ("header", "type"):
        return HABITS[found]
    if found.isdecimal():
        decimal = re.search(r"\d\.$", line)
        return "whole numbers only" if decimal else "a number has at most 9 digits" if len(found) > 9 else ""
    if start == "block" and "_NL" in expected and found[0].isalpha():
        joined = scalar.style != "|" and "\n" in scalar.source.text[scalar.start : scalar.end]
        return "YAML joins these lines into one: start the text with `|`" if joined else OWN_LINE
    if re.fullmatch("[<>=!]=|[<>]", found) and "`and`" in _expected(expected):
        return "one comparison at a time: `a < b and b < c`"
    if "ELSE" in expected and re.search(r"\bfor\b.*\bif\b", line):
        return "the test of what is gathered stands after `where`"
    return FORMS.get(start) or _expected(expected)


def _unclosed(text: str) -> int | None:
    opened: list[int] = []
    for i, char in enumerate(text):
        if char in "([{":
            opened.append(i)
        elif char in ")]}" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _expected(expected: set[str]) -> str:
    spoken = sorted({SPOKEN.get(name, f"`{name.lower()}`") for name in expected})
    if spoken in (["the end"], ["a new line"]):
        return "nothing more can stand here"
    return "here could stand: " + ", ".join(spoken) if 0 < len(spoken) <= 8 else ""
