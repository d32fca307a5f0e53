"""Limits: what is long, deep or much is answered in time, by its result or by a diagnostic that says so."""

from __future__ import annotations

import pytest

from aeronef.dsl.compiler import compile_text
from aeronef.dsl.diagnostics import MOST, Report, SpecError
from tests.language.cases import BASE
from tests.language.test_fuzz import LIMIT, limited


def with_(old: str, new: str) -> str:
    assert BASE.count(old) == 1
    return BASE.replace(old, new)


def defined(*lines: str) -> str:
    return with_("  best:", "".join(f"  {line}\n" for line in lines) + "  best:")


def effects(*lines: str) -> str:
    return with_("      round += 1\n", "".join(f"      {line}\n" for line in lines))


def when(text: str) -> str:
    return with_("then: gust if wind", f"then: gust if {text}")


def nested(opening: str, inner: str, closing: str, depth: int) -> str:
    return "".join(opening.replace("#", str(i)) for i in range(depth)) + inner + closing * depth


OPTIONS = [f"o{k}" for k in range(25)]
LONG_START = "c in Card where count(x in 0..9999 where count(y in 0..9999 where x == y) > 0) > 0"
SOUND = {
    "long blocks": effects(*(f"guess[{k % 2}] := {k % 6 + 1}" for k in range(600)), "round += 1"),
    "many branches": effects(
        "if wind:", "  round += 1", *(f"elif goal == {5 + k % 15}:\n        round += 2" for k in range(200))
    ),
    "chains of definitions": defined(*(f"d{k}: d{k + 1} + 1" for k in range(40)), "d40: 1"),
    "definitions that double": defined(*(f"d{k}: d{k + 1} + d{k + 1}" for k in range(38)), "d38: 1"),
    "long tests": when(" and ".join(["wind"] * 90)),
    "deep tests": when(nested("not ", "wind", "", 90)),
    "deep gatherings": when(nested("count(p# in players where ", "wind", ") > 0", 24)),
    "deep blocks": effects(*("  " * k + "if wind:" for k in range(40)), "  " * 40 + "round += 1"),
    "more options than can be tried": with_(
        "  goal:", "".join(f"  {option}: {{type: bool, default: false}}\n" for option in OPTIONS) + "  goal:"
    ).replace("starts: Card", f"starts: c in Card where {' or '.join(OPTIONS)}"),
    "starts that take long": with_("starts: Card", f"starts: {LONG_START}"),
}

LIMITED = {
    "too long a file": (BASE + "# " + "x" * 80_000, "AE101"),
    "too long a text": (when(" and ".join(["wind"] * 3_000)), "AE302"),
    "too long chains of definitions": (defined(*(f"d{k}: d{k + 1} + 1" for k in range(300)), "d300: 1"), "AE302"),
    "too long tests": (when(" and ".join(["wind"] * 200)), "AE302"),
    "too deep tests": (when(nested("not ", "wind", "", 200)), "AE302"),
    "too deep brackets": ("a: " + "[" * 5_000, "AE104"),
    "too deep blocks": (effects(*("  " * k + "if wind:" for k in range(90)), "  " * 90 + "round += 1"), "AE302"),
    "too many ways on": (with_("gust if wind else rest", "gust if wind else " * 150 + "rest"), "AE302"),
    "many anchors": ("".join(f"a{k}: &b{k} [1]\n" for k in range(4_000)), "AE104"),
    "many unknown keys": ("".join(f"k{k}: 1\n" for k in range(3_000)), "AE201"),
    "many unknown names": (defined(*(f"d{k}: nope{k}" for k in range(1_000))), "AE401"),
}


def report_of(text: str) -> Report:
    with limited(LIMIT):
        try:
            return compile_text("spec", text.encode()).report
        except SpecError as error:
            return error.report


@pytest.mark.parametrize("what", SOUND)
def test_sound(what: str) -> None:
    assert report_of(SOUND[what]).errors == []


@pytest.mark.parametrize("what", LIMITED)
def test_limited(what: str) -> None:
    text, code = LIMITED[what]
    report = report_of(text)
    assert code in {d.code for d in report.errors}
    assert len(report.errors) <= MOST
