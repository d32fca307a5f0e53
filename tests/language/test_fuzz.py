"""Mutated specs: whatever is in the file, the compiler answers in time, with diagnostics that point into it.

Every mutant is made from its number alone: `mutant(17)` gives the same bytes on every machine, and a failure names it.
"""

from __future__ import annotations

import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from aeronef.dsl import ir
from aeronef.dsl.codes import CODES
from aeronef.dsl.compiler import Compilation, compile_text
from aeronef.dsl.declarations import SECTIONS
from aeronef.dsl.diagnostics import Report, Span, SpecError
from aeronef.dsl.printer import digest
from aeronef.dsl.reader import Mapping
from tests.language.cases import FOLDER

VARIANTS = FOLDER.parents[1] / "variants"
SHIPPED = [path for path in sorted(VARIANTS.glob("*.yaml")) if path.name.count(".") == 1]
SMALL = [FOLDER / "base.yaml", *sorted((FOLDER / "right").glob("*.yaml"))]
TEXTS = {path: path.read_text(encoding="utf-8") for path in [*SHIPPED, *SMALL]}
LIMIT = 2.0

WORDS = """if elif else for in where by down not and or of from to set move let all any count sum min max size none true
    false otherwise me owner viewer players seats everyone nobody seat bool count left clamp 0 1 2 7 99 -1 999999999
    0..3 3..0 := += == != <= // % .. . , : ? ( ) [ ] { } + - * = | > # & * ! ' " @ ` ~ % --- << yes no on null 1:30 010
    once over until asks sequence unasked do told when then chance turns together actions outcomes starts type each
    holds order end first last owners kept""".split()  # noqa: SIM905
OPERATORS = re.compile(r" (?:[-+*%<>]|//|[=!<>]=|and|or|in|not in|otherwise|:=|\+=|-=|if|else|where|by|for|of) ")
CHARACTERS = "\t\n\r \x00\x07\x85\u2028\ufeff\u00e9\U0001f388'\"\\#:-{}[]|>&*!%@`?,.()=<>~^$;0a_"


def tokens(text: str) -> list[str]:
    return re.findall(r"\w+|[:+\-=!<>/.]+|[^\w\s]|[ \t]+|\n", text)


def _token(text: str, draw: random.Random, others: list[str]) -> str:
    parts = tokens(text)
    i, j = draw.randrange(len(parts)), draw.randrange(len(parts))
    match draw.randrange(6):
        case 0:
            del parts[i]
        case 1:
            parts.insert(i, parts[i])
        case 2:
            parts[i], parts[j] = parts[j], parts[i]
        case 3:
            parts[i] = draw.choice(WORDS)
        case 4:
            parts.insert(i, draw.choice(WORDS))
        case _:
            parts[i] = parts[j]
    return "".join(parts)


def _word(text: str, draw: random.Random, others: list[str]) -> str:
    """A word for another one: most of these still parse, and reach the later passes."""
    places = [match.span() for match in re.finditer(r"[A-Za-z_]\w*|\d+", text)]
    (start, end), (other, last) = draw.choice(places), draw.choice(places)
    return text[:start] + text[other:last] + text[end:]


def _character(text: str, draw: random.Random, others: list[str]) -> str:
    i = draw.randrange(len(text))
    return text[:i] + draw.choice(["", draw.choice(CHARACTERS), text[i] * 2]) + text[i + 1 :]


def _line(text: str, draw: random.Random, others: list[str]) -> str:
    lines = text.split("\n")
    i, j = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(5):
        case 0:
            del lines[i]
        case 1:
            lines.insert(i, lines[i])
        case 2:
            lines[i], lines[j] = lines[j], lines[i]
        case 3:
            lines.insert(i, lines[j])
        case _:
            del lines[min(i, j) : min(i, j) + draw.randrange(1, 12)]
    return "\n".join(lines) or " "


def _indent(text: str, draw: random.Random, others: list[str]) -> str:
    lines = text.split("\n")
    i = draw.randrange(len(lines))
    for k in range(i, min(i + draw.choice([1, 1, 2, 5]), len(lines))):
        lines[k] = draw.choice([" ", "  ", "\t"]) + lines[k] if draw.random() < 0.5 else lines[k][draw.choice([1, 2]) :]
    return "\n".join(lines) or " "


def _splice(text: str, draw: random.Random, others: list[str]) -> str:
    lines, other = text.split("\n"), draw.choice(others).split("\n")
    i, j = draw.randrange(len(lines)), draw.randrange(len(other))
    lines[i : i + draw.randrange(6)] = other[j : j + draw.randrange(1, 20)]
    return "\n".join(lines)


def _value(text: str, draw: random.Random, others: list[str]) -> str:
    """What stands under one key for what stands under another one, here or in another spec."""
    wanted = re.compile(r"(?<=: )[^\n{}]*[^\n{}, ](?=[,}]|$)", re.M)
    places, source = [match.span() for match in wanted.finditer(text)], draw.choice([text, draw.choice(others)])
    start, end = draw.choice(places) if places else (0, 0)
    return f"{text[:start]}{draw.choice(wanted.findall(source) or [''])}{text[end:]}"


def _operator(text: str, draw: random.Random, others: list[str]) -> str:
    places = [match.span() for match in OPERATORS.finditer(text)]
    start, end = draw.choice(places) if places else (0, 0)
    return f"{text[:start]}{draw.choice(OPERATORS.findall(draw.choice(others)))}{text[end:]}"


def _grow(text: str, draw: random.Random, others: list[str]) -> str:
    """A part, many times over: depth and length are limited, and the limits are found in time."""
    parts = tokens(text)
    i = draw.randrange(len(parts))
    parts[i] = "".join(parts[i : i + draw.randrange(1, 4)]) * draw.choice([20, 200, 2000])
    return "".join(parts)


MUTATIONS: list[Callable[[str, random.Random, list[str]], str]] = [
    _token, _word, _word, _word, _word, _value, _value, _operator, _operator, _character, _line, _indent, _splice,
    _grow,
]  # fmt: skip


def mutant(number: int) -> tuple[Path, bytes]:
    """The spec that a mutant was made from, and the mutant."""
    draw = random.Random(number)
    path = draw.choice(SHIPPED) if draw.random() < 0.3 else draw.choice(SMALL)
    text = TEXTS[path]
    for _ in range(draw.choice([1, 1, 1, 2, 2, 3, 6])):
        text = draw.choice(MUTATIONS)(text, draw, list(TEXTS.values()))
    raw = text.encode("utf-8", "surrogatepass")
    if draw.random() < 0.05:
        at = draw.randrange(len(raw))
        raw = raw[:at] + bytes([draw.randrange(256)]) + raw[at + draw.randrange(2) :]
    return path, raw


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TimeoutError where this takes more of the processor's time, whatever else it is busy with."""

    def ring(signal_number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"longer than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def check(number: int) -> tuple[float, bool]:
    """Compiles a mutant: how long it took, and whether it is a right spec."""
    path, raw = mutant(number)
    start = time.perf_counter()
    run = None
    try:
        with limited(LIMIT):
            run = compile_text(path.name, raw, path.parent, VARIANTS)
        report = run.report
    except SpecError as error:
        report = error.report
    taken = time.perf_counter() - start
    for diagnostic in report.diagnostics:
        assert diagnostic.code in CODES
        assert diagnostic.message
        for span in [diagnostic.span, *(span for span, _ in diagnostic.notes)]:
            _inside(span, report)
    if run is None:
        assert report.errors
    else:
        assert not report.errors
        _whole(run)
    return taken, run is not None


def _inside(span: Span, report: Report) -> None:
    lines = report.texts[span.file].split("\n")
    assert 1 <= span.line <= span.end_line <= len(lines)
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 1
    assert (span.line, span.column) <= (span.end_line, span.end_column)


def _whole(run: Compilation) -> None:
    """Nothing that the spec says, whatever overlays are on, is missing from its IR."""
    assert run.game is not None
    assert digest(run.game)
    for each, game in zip(run.combined, run.games, strict=True):
        _all_there(each.root, game)


def _all_there(root: Mapping, game: ir.Game) -> None:
    declared = {"options": game.options, "cards": game.cards, "dice": game.dice, "tables": game.tables,
                "zones": game.zones, "vars": game.variables, "define": game.defines, "phases": game.phases,
                "clauses": game.clauses, "invariants": game.invariants, "measures": game.measures,
                "types": game.enums + game.numbers}  # fmt: skip
    assert set(SECTIONS) <= set(declared)
    for section, found in declared.items():
        node = root.get(section)
        assert len(found) == len(node.items if isinstance(node, Mapping) else []), section
    phases = root.get("phases")
    assert isinstance(phases, Mapping)
    for phase, (_, node) in zip(game.phases, phases, strict=True):
        assert isinstance(node, Mapping)
        actions = node.get("outcomes" if phase.kind == "chance" else "actions")
        assert len(phase.actions) == len(actions.items if isinstance(actions, Mapping) else [])


def survey(numbers: range) -> None:
    slowest, right = (0.0, 0), 0
    for number in numbers:
        try:
            taken, sound = check(number)
        except BaseException as error:
            error.add_note(f"mutant({number})")
            raise
        slowest = max(slowest, (taken, number))
        right += sound
    print(f"{len(numbers)} mutants, {right} of them right; the slowest, mutant({slowest[1]}), took {slowest[0]:.2f} s")


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_mutants(first: int) -> None:
    survey(range(first, first + 100))


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(1_000, 11_000, 500))
def test_many_mutants(first: int) -> None:
    survey(range(first, first + 500))
