"""The tree of a Python expression, read from its text: brackets, operators, clauses. Only what the emitter writes."""

from __future__ import annotations

import re
from dataclasses import dataclass

CLOSING = {"(": ")", "[": "]", "{": "}"}
LEVELS = (("or",), ("and",), ("in", "not in", "is", "is not", "==", "!=", "<=", ">=", "<", ">"), ("|",), ("+", "-"),
          ("*", "//", "%"), ("**",))  # fmt: skip
TOKENS = re.compile(
    r"""\s*(?: (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
             | (?P<word>[^\W\d]\w*|\d+|\.\.\.)
             | (?P<mark>:=|->|//|\*\*|[-+*/%=!<>]=|[-+*%<>=|.,:()\[\]{}]) )""",
    re.X,
)


@dataclass(frozen=True, slots=True)
class Atom:
    text: str


@dataclass(frozen=True, slots=True)
class Bracket:
    """`( … )` and its like. `kind`: call, index, paren (around one expression), or display (list, set, dict, tuple)."""

    opening: str
    items: tuple[Tree, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Postfix:
    """A name or bracket, and what hangs on it: `.name`, `( … )`, `[ … ]`."""

    head: Tree
    parts: tuple[Bracket | Atom, ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    """`not x`, `-x`, `*x`, `name=x`, `key: x`, `lambda p: x`, `name := x`."""

    word: str
    of: Tree
    kind: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Operators of one strength between operands."""

    operands: tuple[Tree, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """`then if test else other`."""

    then: Tree
    test: Tree
    other: Tree


@dataclass(frozen=True, slots=True)
class Comprehension:
    """`element for … in … if …`; a clause is its word or words, and an expression."""

    element: Tree
    clauses: tuple[tuple[str, Tree], ...]


Tree = Atom | Bracket | Postfix | Prefix | Operation | Choice | Comprehension


class Reader:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(text):
            match = TOKENS.match(text, at)
            if match is None or match.end() == at:
                if text[at:].strip():
                    raise ValueError(f"no token of emitted code: {text[at : at + 20]!r}")
                break
            self.tokens.append(match[0].strip())
            at = match.end()
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise ValueError(f"{wanted or 'a token'} expected, not {token!r}, in {' '.join(self.tokens)}")
        self.at += 1
        return token

    def whole(self) -> Tree:
        tree = self.item()
        if self.peek():
            raise ValueError(f"{self.peek()!r} is left over in {' '.join(self.tokens)}")
        return tree

    def item(self) -> Tree:
        """What stands between commas."""
        if self.peek() in ("*", "**"):
            return Prefix(self.take(), self.expression(), "star")
        if self.peek(1) == "=":
            name = self.take() + self.take()
            return Prefix(name, self.expression(), "keyword")
        tree = self.expression()
        if self.peek() == ":":
            self.take()
            key = tree.text if isinstance(tree, Atom) else ""
            return Prefix(f"{key}: ", self.expression(), "pair")
        if self.peek() == "for":
            clauses: list[tuple[str, Tree]] = []
            while self.peek() in ("for", "if"):
                if self.take() == "if":
                    clauses.append(("if ", self.level(0)))
                else:
                    names = [self.take()]
                    while self.peek() == ",":
                        self.take()
                        names.append(self.take())
                    self.take("in")
                    clauses.append((f"for {', '.join(names)} in ", self.level(0)))
            return Comprehension(tree, tuple(clauses))
        return tree

    def expression(self) -> Tree:
        if self.peek() == "lambda":
            self.take()
            name = self.take()
            self.take(":")
            return Prefix(f"lambda {name}: ", self.expression(), "lambda")
        if self.peek(1) == ":=":
            name = self.take()
            self.take()
            return Prefix(f"{name} := ", self.expression(), "named")
        then = self.level(0)
        if self.peek() != "if":
            return then
        self.take()
        test = self.level(0)
        self.take("else")
        return Choice(then, test, self.expression())

    def operator(self, level: int) -> str:
        token = self.peek()
        if token in ("not", "is") and level == 2:
            two = f"{token} {self.peek(1)}"
            if two in LEVELS[level]:
                self.at += 2
                return two
        if token in LEVELS[level]:
            self.at += 1
            return token
        return ""

    def level(self, level: int) -> Tree:
        if level == len(LEVELS):
            return self.unary()
        if level == 2 and self.peek() == "not":
            self.take()
            return Prefix("not ", self.level(2), "unary")
        operands = [self.level(level + 1)]
        operators: list[str] = []
        while operator := self.operator(level):
            operators.append(operator)
            operands.append(self.level(level + 1))
        return Operation(tuple(operands), tuple(operators)) if operators else operands[0]

    def unary(self) -> Tree:
        if self.peek() in ("-", "+"):
            return Prefix(self.take(), self.unary(), "unary")
        return self.postfix()

    def postfix(self) -> Tree:
        head: Tree
        if self.peek() in CLOSING:
            head = self.bracket("display")
        else:
            head = Atom(self.take())
        parts: list[Bracket | Atom] = []
        while True:
            if self.peek() == ".":
                self.take()
                parts.append(Atom("." + self.take()))
            elif self.peek() in ("(", "["):
                parts.append(self.bracket("call" if self.peek() == "(" else "index"))
            else:
                return Postfix(head, tuple(parts)) if parts else head

    def bracket(self, kind: str) -> Bracket:
        opening = self.take()
        items: list[Tree] = []
        comma = False
        while self.peek() != CLOSING[opening]:
            comma = False
            if self.peek() == ":":  # a slice of everything
                items.append(Atom(self.take()))
            else:
                items.append(self.item())
            if self.peek() == ",":
                self.take()
                comma = True
        self.take()
        if kind == "display" and opening == "(" and len(items) == 1 and not comma:
            kind = "paren"
        return Bracket(opening, tuple(items), kind)
