"""Lines are broken as ruff breaks them: random statements of the kind that the emitter writes, in one run of ruff."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from aeronef.dsl.emit.layout import WIDTH, laid_out

ROOT = Path(__file__).parents[2]
NAMES = ("p", "me", "self.altitude", "self.rate", "self.players", "BALLAST", "self.a_rather_long_variable_name",
         "viewer", "KIND_OF", "self.squadron", "count_of_all", "None", "-1", "17", "True", '"a, (b"')  # fmt: skip
LIST = ("altitude", "rate", "table", "wall")


class Statements:
    """Random statements. `around` is how strongly an expression must hold together, as in the emitter."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def part(self, depth: int) -> str:
        return f"self.{self.random.choice(LIST)}[{self.expression(depth - 3, 7)}]"

    def several(self, depth: int, least: int, most: int, around: int = 0) -> list[str]:
        return [self.expression(depth, around) for _ in range(self.random.randint(least, most))]

    def comprehension(self, depth: int) -> str:
        test = f" if {self.expression(depth, 1)}" if self.random.random() < 0.6 else ""
        more = f" for c in {self.expression(depth - 1, 1)}" if self.random.random() < 0.2 else ""
        inner = f"{self.expression(depth)} for {self.random.choice('pqr')} in {self.expression(depth, 1)}{test}{more}"
        around = ("[{}]", "any({})", "sum({})", "tuple(sorted({{{}}}))", "len([{}])", "max(({}), default=None)")
        return self.random.choice(around).format(inner)

    def expression(self, depth: int, around: int = 0) -> str:
        text, strength = self.drawn(depth)
        return f"({text})" if strength < around else text

    def drawn(self, depth: int) -> tuple[str, int]:
        choose = self.random.choice
        if depth <= 0 or self.random.random() < 0.08:
            return choose(NAMES), 10
        depth -= 1
        match self.random.randrange(14):
            case 0:
                return " and ".join(self.several(depth, 2, 4, 3)), 2
            case 1:
                return " or ".join(self.several(depth, 2, 4, 3)), 1
            case 2:
                return f"not {self.expression(depth, 4)}", 3
            case 3 | 4:
                sign = choose(("==", "!=", "<=", ">", "in", "is not", "not in", "is"))
                return f"{self.expression(depth, 5)} {sign} {self.expression(depth, 5)}", 4
            case 5:
                rest = "".join(f" {choose('+-')} {term}" for term in self.several(depth, 1, 4, 8))
                return self.expression(depth, 7) + rest, 7
            case 6:
                return f"{self.expression(depth, 8)} {choose(('*', '//', '%'))} {self.expression(depth, 9)}", 8
            case 7:
                return f"{self.expression(depth, 1)} if {self.expression(depth, 1)} else {self.expression(depth)}", 0
            case 8:
                name = choose(("self.live", "self.a_longer_definition", "min", "otherwise", "pour"))
                return f"{name}({', '.join(self.several(depth, 0, 4))})", 10
            case 9 | 10:
                return self.comprehension(depth), 10
            case 11:
                return self.part(depth + 1), 10
            case 12:
                down = choose(("", ", reverse=True"))
                return f"sorted({self.expression(depth)}, key=lambda p: {self.expression(depth)}{down})", 10
            case _:
                items = self.several(depth, 1, 4)
                if self.random.random() < 0.5:
                    return f"[{', '.join(items)}]", 10
                return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})", 10

    def statement(self) -> str:
        depth = self.random.randint(2, 5)
        value = self.expression(depth)
        match self.random.randrange(10):
            case 0:
                return f"return {value}"
            case 1:
                return f"self.score = {value}"
            case 2:
                return f"{self.part(2)} = {value}"
            case 3:
                return f"ids += {value}"
            case 4:
                return f"if {value}:"
            case 5:
                return f"for p in {value}:"
            case 6:
                return f"put({self.expression(depth - 1)}, {value})"
            case 7:
                return f"{self.part(3)}.append({value})"
            case 8:
                return f"self.wall[{self.expression(1, 7)}] = self.within({value}, 0, 99, 12)"
            case _:
                params = "".join(f", {c}{'x' * self.random.randint(5, 30)}: int" for c in "abc")
                return f"def a_method_that_does_something(self, viewer: int{params}) -> tuple[bool, ...]:"


def long_statements(seed: int, number: int) -> list[tuple[str, int]]:
    """Statements too long for a line, and the columns at which they stand."""
    source = Statements(seed)
    found: list[tuple[str, int]] = []
    while len(found) < number:
        text, column = source.statement(), source.random.choice((4, 8, 12, 16))
        if WIDTH - column < len(text) < 420:
            found.append((text, column))
    return found


def function(number: int, statement: list[str], column: int) -> str:
    """A function around a statement that stands at the column."""
    heads = [f"def f{number}():", *(" " * at + "if True:" for at in range(4, column, 4))]
    tail = [" " * (column + 4) + "pass"] if statement[-1].endswith(":") else []
    return "\n".join([*heads, *statement, *tail])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_statements_are_broken_as_ruff_breaks_them(seed: int) -> None:
    cases = long_statements(seed, 400)
    raw = [function(i, [" " * column + text], column) for i, (text, column) in enumerate(cases)]
    ours = [function(i, laid_out(text, column), column) for i, (text, column) in enumerate(cases)]
    command = [str(Path(sys.executable).parent / "ruff"), "format", "--config", str(ROOT / "pyproject.toml"), "-"]
    done = subprocess.run(command, input="\n\n\n".join(raw), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # Empty lines are none of a statement's.
    theirs = [re.sub(r"\n\n+", "\n", part) for part in done.stdout.rstrip("\n").split("\n\n\n")]
    wrong = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    assert not wrong, f"{len(wrong)} of {len(cases)}, first:\n{wrong[0][0]}\n--- ruff:\n{wrong[0][1]}"


def test_what_cannot_be_broken_stays_on_its_line() -> None:
    name = "self." + "x" * 130
    assert laid_out(f"return {name}", 8) == [f"        return {name}"]
