"""Strings of a spec to Lark trees: one parser, several starts, errors as diagnostics with their place."""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter

from aeronef.dsl.diagnostics import Report, Span
from aeronef.dsl.reader import Scalar

STARTS = ("expression", "gathering", "block", "signature", "header", "type")
LONGEST_TEXT = 20_000
DEEPEST = 60

SPOKEN = {
    "_NL": "a new line", "_INDENT": "an indented block", "_DEDENT": "the end of the block", "$END": "the end",
    "NAME": "a name", "INT": "a number", "COMPARE": "a comparison", "QUESTION": "`?`", "MINUS": "`-`",
    "__ANON_0": "`..`", "__ANON_1": "`:=`", "__ANON_2": "`+=`", "__ANON_3": "`-=`", "__ANON_4": "`//`",
    "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`", "RSQB": "`]`", "LBRACE": "`{`", "RBRACE": "`}`", "COMMA": "`,`",
    "COLON": "`:`", "DOT": "`.`", "PLUS": "`+`", "STAR": "`*`", "PERCENT": "`%`", "EQUAL": "`=`",
}  # fmt: skip
PYTHONISMS = {
    "=": "`==` compares, `:=` gives a variable a value",
    "&": "write `and`", "|": "write `or`", "!": "write `not`", "/": "whole numbers divide with `//`",
    '"': "names are written without quotes", "'": "names are written without quotes",
}  # fmt: skip


class _Blocks(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012 (Lark's interface)
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


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


class Parsed:
    """A tree and the scalar it was read from: `span(node)` is a node's place in the file."""

    __slots__ = ("scalar", "text", "tree")

    def __init__(self, tree: Tree[Token], scalar: Scalar, text: str) -> None:
        self.tree, self.scalar, self.text = tree, scalar, text

    def span(self, node: Tree[Token] | Token | None = None) -> Span:
        if node is None:
            return self.scalar.at(0, len(self.scalar.text))
        if isinstance(node, Token):
            return self.scalar.at(node.start_pos or 0, node.end_pos or 1)
        meta: Any = node.meta
        if meta.empty:
            return self.scalar.span
        return self.scalar.at(meta.start_pos, meta.end_pos)

    def words(self, node: Tree[Token]) -> str:
        """The source text of a node, on one line."""
        meta: Any = node.meta
        return " ".join(self.text[meta.start_pos : meta.end_pos].split()) if not meta.empty else ""


def parse(scalar: Scalar, start: str, report: Report) -> Parsed | None:
    """The tree of a scalar's text, or None after reporting what is wrong with it."""
    text = scalar.text
    if len(text) > LONGEST_TEXT or _depth(text) > DEEPEST:
        report.add("AE302", scalar.span, "this text is too long or too deeply nested", "use `define:` for its parts")
        return None
    if start == "block":
        text = text.rstrip() + "\n"
        if (tab := re.search(r"^ *\t", text, re.M)) is not None:
            report.add("AE303", scalar.at(tab.start(), tab.end()), "a tab in the indentation", "indent with spaces")
            return None
    else:  # one line, whatever YAML made of it; the same length, so that offsets stay
        text = re.sub(r"#[^\n]*", lambda m: " " * len(m.group()), text).replace("\n", " ")
    if not text.strip():
        report.add("AE301", scalar.span, "nothing is written here")
        return None
    try:
        return Parsed(parser().parse(text, start=start), scalar, text)
    except UnexpectedInput as error:
        _explain(error, scalar, text, report)
    except DedentError:
        report.add("AE303", scalar.span, "a line is indented less than its block, and more than the one around it")
    except RecursionError:
        report.add("AE302", scalar.span, "this text is too deeply nested", "use `define:` for its parts")
    return None


def _depth(text: str) -> int:
    depth = deepest = 0
    for char in text:
        if char in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in ")]}":
            depth -= 1
    words = len(re.findall(r"\bnot\b|\belse\b|-", text))
    return deepest + words // 40


def _explain(error: UnexpectedInput, scalar: Scalar, text: str, report: Report) -> None:
    at = error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(text)
    expected: set[str] = set()
    hint = ""
    if isinstance(error, UnexpectedToken):
        expected = set(error.accepts or error.expected)
        token = error.token
        at = token.start_pos if token.start_pos is not None else at
        length = max(1, len(token.rstrip()))
        if token.type == "$END" or not token.strip():
            message, at, length = "this ends too early", max(len(text.rstrip()) - 1, 0), 1
            if token.type == "_INDENT" or (token.type == "_NL" and "_INDENT" not in expected and token.strip(" ")):
                message = "the line ends too early"
                at = max((token.start_pos or 1) - 1, 0)
            if token.type in ("_INDENT", "_DEDENT"):
                message = "this line's indentation does not fit"
        else:
            message = f"`{token}` does not fit here"
            hint = PYTHONISMS.get(str(token), "")
            if str(token) == "=" and "__ANON_1" not in expected:
                hint = "`==` compares two values"
    elif isinstance(error, UnexpectedCharacters):
        char = text[at] if at < len(text) else ""
        message, length = f"`{char}` means nothing here", 1
        hint = PYTHONISMS.get(char, "")
    else:
        message, length = "this does not read", 1
    spoken = sorted({SPOKEN.get(name, f"`{name.lower()}`") for name in expected})
    if not hint and 0 < len(spoken) <= 8:
        hint = "here could stand: " + ", ".join(spoken)
    report.add("AE301", scalar.at(at, at + length), message, hint)
