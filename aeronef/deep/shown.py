"""A finding as the page of `check --deep` shows it: what is said, the spec and the clauses there, and the plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePath

from aeronef.deep.elements import cited, spans_of
from aeronef.deep.examine import Examined
from aeronef.deep.markup import Html, element, prose, together
from aeronef.deep.verdicts import Finding, Play, Setting, Verdict
from aeronef.dsl import ir
from aeronef.dsl.codes import CODES
from aeronef.dsl.diagnostics import Report, Span

BODY = 7  # lines of an element that an excerpt shows, at most


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that the page tells of: a diagnostic, or what the spec accepts (`why`, and `when` where it is not
    everywhere). `met` is where play showed it."""

    number: int
    code: str
    element: str
    message: str
    span: Span
    hint: str
    notes: tuple[tuple[Span, str], ...]
    why: str | None
    when: str
    met: tuple[tuple[Setting, Finding], ...]

    @property
    def name(self) -> str:
        """Its id on the page."""
        return f"finding-{self.number}"


def all_shown(found: Examined) -> list[Shown]:
    """What is not accepted, in the order of the report, then what is."""
    every = [
        Shown(0, d.code, d.element, d.message, d.span, d.hint, d.notes, None, "", _met(found, d.code, d.element, None))
        for d in found.report.in_order()
    ]
    spans = spans_of(found.game)
    every += [
        Shown(0, a.code, a.element, a.message, spans.get(a.element, found.game.span), "", (), a.why, a.when,
              _met(found, a.code, a.element, a.why))
        for a in found.report.accepted
    ]  # fmt: skip
    return [
        Shown(n, s.code, s.element, s.message, s.span, s.hint, s.notes, s.why, s.when, s.met)
        for n, s in enumerate(every, 1)
    ]


def _met(found: Examined, code: str, where: str, why: str | None) -> tuple[tuple[Setting, Finding], ...]:
    return tuple(
        (verdict.setting, finding)
        for verdict in found.verdicts
        for finding in verdict.findings
        if (finding.code, finding.element, finding.accepted) == (code, where, why)
    )


def behind(shown: list[Shown], verdicts: list[Verdict]) -> list[Shown]:
    """Those that tell of a finding of these verdicts."""
    theirs = {(f.code, f.element, f.accepted) for verdict in verdicts for f in verdict.findings}
    return [one for one in shown if one.met and (one.code, one.element, one.why) in theirs]


def article(one: Shown, found: Examined) -> Html:
    """Everything about a finding."""
    title = CODES[one.code].title
    sign = badge("accepted", "accepted") if one.why is not None else badge("found", "found")
    return element(
        "article",
        sign,
        element("h3", element("span", f"{one.number}.", class_="number"), f"{title[:1].upper()}{title[1:]}"),
        _message(one.message),
        _ruling(one),
        element("p", element("strong", "What helps: "), prose(sentence(one.hint)), class_="hint") if one.hint else None,
        element("h4", "In the spec"),
        _excerpt(one.span, found.report),
        [(element("p", prose(message), class_="small"), _excerpt(span, found.report)) for span, message in one.notes],
        _clauses(one.element, found.game),
        _plays(one),
        _acceptance(one),
        id=one.name,
    )


SIGNS = {"found": "▲", "accepted": "■", "proved": "●", "unseen": "○"}


def badge(kind: str, words: str) -> Html:
    """The sign and the word of an answer."""
    return element("span", f"{SIGNS[kind]} {words}", class_=f"verdict {kind}")


def labels(settings: list[Setting]) -> str:
    return "; ".join(dict.fromkeys(one.label for one in settings))


def _message(text: str) -> Html:
    return element("p", prose(sentence(text)))


def sentence(text: str) -> str:
    """As a sentence begins, unless it begins with code."""
    return text[:1].upper() + text[1:]


def _ruling(one: Shown) -> Html | None:
    """Why it is right as it is, in the words of the spec."""
    if one.why is None:
        return None
    when = together(", when ", element("code", one.when)) if one.when else None
    return element("blockquote", prose(one.why), element("footer", "The spec accepts it", when, "."), class_="ruling")


def _acceptance(one: Shown) -> Html | None:
    if one.why is not None or not one.element or one.element == "accepts":
        return None
    entry = f"accepts: [{{finding: {one.code}, at: {one.element}, why: …}}]"
    return element("p", "If it is right as it is, the spec can say so, and why: ", element("code", entry),
                   class_="small")  # fmt: skip


# ------------------------------------------------------------------------------------------ the spec


def _excerpt(span: Span, report: Report) -> Html | None:
    """The line with what is meant underlined, and what of its element stands right below."""
    lines = [line.rstrip("\r") for line in report.texts.get(span.file, "").split("\n")]
    if not 1 <= span.line <= len(lines):
        return None
    line = lines[span.line - 1]
    start = min(span.column - 1, len(line))
    stop = max(start, min(span.end_column - 1 if span.end_line == span.line else len(line), len(line)))
    meant = element("mark", line[start:stop]) if stop > start else None
    shown: list[Html] = [together(_number(span.line), line[:start], meant, line[stop:])]
    body = list(_body(lines, span))
    shown += [together("\n", _number(number), text) for number, text in body[:BODY]]
    if len(body) > BODY:
        shown.append(together("\n", _number(None), "…"))
    caption = f"{PurePath(span.file).name}, line {span.line}"
    pre = element("pre", shown, class_="excerpt")
    return element("figure", element("figcaption", caption), pre)


def _number(number: int | None) -> Html:
    return element("span", f"{'' if number is None else number:>4}  ", class_="line")


def _body(lines: list[str], span: Span) -> Iterator[tuple[int, str]]:
    """The lines below the first: those that are meant too, and those that are further in than all of these."""
    depth = _depth(lines[span.line - 1])
    last = span.end_line if span.end_column > 1 else span.end_line - 1
    for number, text in enumerate(lines[span.line :], span.line + 1):
        if number > last and (not text.strip() or _depth(text) <= depth):
            return
        yield number, text


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _clauses(where: str, game: ir.Game) -> Html | None:
    """The clauses that the element and what is in it cite, with what they say."""
    found = cited(game, where)
    if not found:
        return None
    return together(element("h4", "The rules that it follows"), element("dl", map(_clause, found), class_="clauses"))


def _clause(clause: ir.Clause) -> Html:
    kind = None if clause.kind == "clause" else element("em", f"{clause.kind}: ")
    why = element("span", prose(clause.why), class_="why") if clause.why else None
    return together(element("dt", clause.id), element("dd", kind, prose(clause.says), why))


# ------------------------------------------------------------------------------------------ the plays


def _plays(one: Shown) -> Html | None:
    """The shortest plays in full, rather of the whole game than of the small one; those of other games folded away."""
    with_plays = [(setting, finding) for setting, finding in one.met if finding.plays]
    met = sorted(with_plays, key=lambda m: (m[0].small, sum(len(play.steps) for play in m[1].plays)))
    if not met:
        return None
    setting, first = met[0]
    return together(
        _of_finding(setting, first),
        [
            element(
                "details",
                element("summary", f"The same in another game: {other.label}"),
                element("div", _message(finding.message), _of_finding(other, finding), class_="inner"),
                class_="other",
            )
            for other, finding in met[1:]
        ],
    )


def _of_finding(setting: Setting, finding: Finding) -> Html:
    several = len(finding.plays) > 1
    return together(_play(play, setting, k if several else None) for k, play in enumerate(finding.plays))


def _play(play: Play, setting: Setting, number: int | None) -> Html:
    steps = f"{len(play.steps):,} step{'' if len(play.steps) == 1 else 's'}"
    which = f"{play.title[0].upper()}{play.title[1:]} that shows it"
    if number is not None:
        which = f"Play {number + 1} of those that differ"
    cut = len(play.steps) if play.returns is None else play.returns
    again = play.steps[cut:]
    return together(
        element("h4", f"{which}: {setting.label}, {steps}"),
        _phases(play.steps[:cut], 1) if cut else None,
        element("div", element("p", "↻ and then, again and again"), _phases(again, cut + 1), class_="again")
        if again
        else None,
        _folded("As a scenario, to paste beside the spec", play.scenario),
        _folded("As a transcript, for programs", play.transcript),
    )


def _phases(steps: tuple[tuple[str, str], ...], first: int) -> Html:
    """The steps phase by phase, with their numbers."""
    rows = []
    for phase, group in groupby(steps, lambda step: step[0]):
        those = [label for _, label in group]
        last = first + len(those) - 1
        numbers = f"step {first}" if last == first else f"steps {first}–{last}"
        rows.append(
            element(
                "li",
                element("div", phase, " ", element("small", numbers), class_="phase"),
                element("ol", map(_step, those), class_="steps"),
            )
        )
        first = last + 1
    return element("ol", rows, class_="play")


def _step(label: str) -> Html:
    who, _, what = label.partition(" ")
    name = f"seat {who}" if who.isdecimal() else who
    return element("li", element("span", name, class_="who"), " ", element("span", what))


def _folded(title: str, text: str) -> Html | None:
    return element("details", element("summary", title), element("pre", text), class_="data") if text else None
