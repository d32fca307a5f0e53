"""The page that `check --deep --report` writes: what play says of the rules, for who knows nothing of programs.

One file of HTML, with nothing to load and nothing to run, and the same whenever the same was found.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from aeronef.deep.asked import asked
from aeronef.deep.examine import Examined
from aeronef.deep.markup import Html, element, prose, together
from aeronef.deep.shown import Shown, all_shown, article, badge, behind, labels, sentence
from aeronef.deep.style import STYLE
from aeronef.deep.verdicts import Setting, Verdict
from aeronef.dsl import ir
from aeronef.dsl.types import Bool, Enum

Key = TypeVar("Key")

LISTED = 12  # values of an option that are named one by one, at most


def page(path: Path, found: Examined) -> str:
    """The whole page; of the path only the file's name is on it."""
    shown = all_shown(found)
    name = found.game.name.replace("_", " ")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{name}: what play says of the rules"),
        element("style", Html(STYLE)),
    )
    main = element(
        "main", _looked_at(found), _summary(found, shown), _findings(found, shown), _proved(found), _unreached(found)
    )
    body = element("body", _header(path, found, shown, name), main, _footer(path))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en').text}\n"


def _header(path: Path, found: Examined, shown: list[Shown], name: str) -> Html:
    game = found.game
    left = sum(one.why is None for one in shown)
    counted = [f"{left} thing{'' if left == 1 else 's'} to look at" if left else "nothing to look at"]
    counted += [f"{len(shown) - left} accepted"] * (len(shown) > left)
    return element(
        "header",
        element("p", "What play says of the rules", class_="kind"),
        element("h1", f"{name[:1].upper()}{name[1:]}"),
        element("p", prose(game.says), class_="says") if game.says else None,
        element("p", element("code", path.name), f" · {_players(game)} · {', '.join(counted)}", class_="facts"),
    )


def _players(game: ir.Game) -> str:
    low, high = game.players
    return f"{_counted(low, 'player')}" if low == high else f"{low} to {high} players"


def _footer(path: Path) -> Html:
    return element(
        "footer",
        element("p", "Written by ", element("code", f"aeronef check {path.name} --deep"),
                ". Seats are numbered from 0, clockwise. A step is one decision of a player or one outcome of chance.",
                class_="small"),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------ what was asked


def _looked_at(found: Examined) -> Html:
    effort, settings = found.effort, found.settings
    fixed = {name: value for name, value in (settings[0].options if settings else {}).items()
             if all(one.options.get(name) == value for one in settings)}  # fmt: skip
    free = list(dict.fromkeys(name for one in settings for name in one.options if name not in fixed))
    headings = ["game", "players", *free]
    rows = [
        [
            one.label,
            f"{one.players}{' (small)' if one.small else ''}",
            *(_value(one.options.get(name)) for name in free),
        ]
        for one in settings
    ]
    same = "; ".join(f"{name} = {_value(value)}" for name, value in fixed.items())
    small = "A small game has the same rules and less of everything, so that more of it can be looked at. "
    return element(
        "section",
        element("h2", "What was looked at"),
        element(
            "p",
            "A program played this game as its rules are written. In each of the games below it tried what can be "
            f"done, position by position, up to {_counted(effort.states, 'position')} (states) at a time, and where "
            f"that was not all, up to {_counted(effort.games, 'game')} at random (seed {effort.seed}). ",
            small if any(one.small for one in settings) else None,
        ),
        _table(headings, rows, "games"),
        element("p", f"In {'all of them' if len(settings) > 1 else 'it'}: {same}.", class_="small") if same else None,
    )  # fmt: skip


def _table(headings: list[str], rows: list[list[str]], name: str) -> Html:
    head = element("tr", (element("th", heading, scope="col") for heading in headings))
    body = (
        element("tr", element("th", first, scope="row"), (element("td", cell) for cell in rest))
        for first, *rest in rows
    )
    return element("div", element("table", element("thead", head), element("tbody", body), class_=name), class_="wide")


LEGEND = {
    ("found", "found"): "It can be so. A play that shows it is on this page, step by step.",
    ("accepted", "accepted"): "It can be so, and the rules mean it so: the spec says why.",
    ("proved", "proved"): "It is so in every play: all positions were looked at, or an argument holds.",
    ("unseen", "not found"): "Nothing of the kind was met in what was looked at. That is no proof.",
}


def _summary(found: Examined, shown: list[Shown]) -> Html:
    questions = dict.fromkeys(verdict.question for verdict in found.verdicts)
    rows = [_question(q, [v for v in found.verdicts if v.question == q], shown) for q in questions]
    legend = [
        together(element("dt", badge(kind, word)), element("dd", meaning))
        for (kind, word), meaning in LEGEND.items()
    ]  # fmt: skip
    head = element("tr", element("th", "question", scope="col"), element("th", "answer", scope="col"))
    table = element("table", element("thead", head), element("tbody", rows), class_="summary")
    return element("section", element("h2", "The answers"), element("dl", legend, class_="legend"), table)


def _question(question: str, verdicts: list[Verdict], shown: list[Shown]) -> Html:
    words = asked(question)
    left = [v for v in verdicts if v.answer == "found" and any(f.accepted is None for f in v.findings)]
    accepted = [v for v in verdicts if v.answer == "found" and v not in left]
    unseen = [v for v in verdicts if v.answer == "not found"]
    proved = [v for v in verdicts if v.answer == "proved"]
    answers = [
        ("found", "found", words.found, left), ("accepted", "accepted", words.found, accepted),
        ("proved", "proved", words.proved, proved), ("unseen", "not found", words.unseen, unseen),
    ]  # fmt: skip
    cells = [
        element(
            "div",
            badge(kind, word),
            element("span", said, class_="said"),
            element("span", _where(those, verdicts), class_="where"),
            _links(behind(shown, those)) if kind in ("found", "accepted") else None,
            class_="answer",
        )
        for kind, word, said, those in answers
        if those
    ]
    explains = element("span", words.explains, class_="explains") if words.explains else None
    return element("tr", element("th", element("span", words.title, class_="asks"), explains, scope="row"),
                   element("td", cells))  # fmt: skip


def _where(those: list[Verdict], every: list[Verdict]) -> str:
    if len(those) == len(every):
        return f"in all {len(every)} games" if len(every) > 1 else f"with {every[0].setting.label}"
    some = f"in {len(those)} of {len(every)} games"
    others = [v.setting for v in every if v not in those]
    if len(those) <= 3:
        return f"with {labels([v.setting for v in those])}"
    return f"{some}, all but {labels(others)}" if len(others) <= 3 else f"{some}: {labels([v.setting for v in those])}"


def _links(those: list[Shown]) -> Html:
    links = [together(", " if k else "", element("a", f"{one.number}", href=f"#{one.name}"))
             for k, one in enumerate(those)]  # fmt: skip
    return element("span", "see ", links, class_="where") if links else together()


# ------------------------------------------------------------------------------------------ what came of it


def _findings(found: Examined, shown: list[Shown]) -> Html:
    left, accepted = [one for one in shown if one.why is None], [one for one in shown if one.why is not None]
    nothing = element("p", "Nothing was found that the spec does not accept.")
    return together(
        element("section", element("h2", "What was found"), [article(one, found) for one in left] or nothing),
        element("section", element("h2", "What the spec accepts"), [article(one, found) for one in accepted])
        if accepted
        else None,
    )


def _proved(found: Examined) -> Html:
    """What is sure, and why: whole answers, and what was learnt beside the others."""
    topics = []
    for question in dict.fromkeys(verdict.question for verdict in found.verdicts):
        verdicts = [v for v in found.verdicts if v.question == question]
        whole = [v for v in verdicts if v.answer == "proved"]
        notes = _by((note, v.setting) for v in verdicts for note in v.notes if note)
        if not whole and not notes:
            continue
        words = asked(question)
        reasons = _by((v.because, v.setting) for v in whole)
        topics.append(
            element(
                "div",
                element("h3", words.title),
                element("p", badge("proved", "proved"), f" {words.proved}, of") if whole else None,
                element("ul", map(_reason, reasons.items())) if whole else None,
                element("p", "No whole proof, but this is known:") if not whole else None,
                [_argument(note, settings, len(verdicts)) for note, settings in notes.items()],
                class_="topic",
            )
        )
    nothing = element("p", "Nothing: no answer holds for every play.")
    return element("section", element("h2", "What was proved"), topics or nothing)


def _reason(known: tuple[str, list[Setting]]) -> Html:
    because, settings = known
    return element("li", f"{labels(settings)}: {because}")


def _argument(note: tuple[str, ...], settings: list[Setting], of: int) -> Html:
    where = "" if len(settings) == of else f" ({labels(settings)})"
    first, *rest = note
    lines = [element("p", prose(sentence(f"{first}{where}"))), *(element("p", prose(line)) for line in rest)]
    return element("div", lines, class_="argument")


def _by(pairs: Iterable[tuple[Key, Setting]]) -> dict[Key, list[Setting]]:
    found: dict[Key, list[Setting]] = {}
    for key, setting in pairs:
        found.setdefault(key, []).append(setting)
    return found


# ------------------------------------------------------------------------------------------ what was not reached


def _unreached(found: Examined) -> Html:
    items = [*_unasked(found), *_games_left(found)]
    open_: dict[tuple[str, str], list[str]] = {}
    for one in found.verdicts:
        if one.answer == "not found":
            open_.setdefault((one.setting.label, one.because), []).append(asked(one.question).title)
    rows = [[label, because, " ".join(questions)] for (label, because), questions in open_.items()]
    partial = (
        element("p", "In these games there is more than was looked at, so that for the questions beside them there may "
                "be something that nobody met. “Of each kind of action 2” means that of the actions of one kind only "
                "two were tried at each position, to come further."),
        _table(["game", "looked at", "open"], rows, "games"),
    ) if rows else element("p", "In the games that were looked at no question is open.")  # fmt: skip
    return element(
        "section",
        element("h2", "What was not reached"),
        partial,
        element("h4", "Games that were not looked at"),
        element("ul", (element("li", item) for item in items)),
    )


def _unasked(found: Examined) -> list[str]:
    """Questions that some games were asked and others were not."""
    every = dict.fromkeys(verdict.question for verdict in found.verdicts)
    lines = []
    for one in found.settings:
        there = {verdict.question for verdict in found.verdicts if verdict.setting.label == one.label}
        missing = [asked(question).title for question in every if question not in there]
        if missing:
            lines.append(f"{one.label} was not asked: {' '.join(missing)}")
    return lines


def _games_left(found: Examined) -> list[str]:
    """Numbers of players and values of options that no game had."""
    game, whole = found.game, [one for one in found.settings if not one.small]
    if not whole:
        return ["Only the small game was looked at, and nothing of the whole one."]
    lines = []
    players = [n for n in range(game.players[0], game.players[1] + 1) if all(one.players != n for one in whole)]
    if players:
        lines.append(f"Games with {_or([str(n) for n in players])} player{'' if players == [1] else 's'}.")
    for option in game.options:
        tried = list(dict.fromkeys(_value(one.options[option.name]) for one in whole if option.name in one.options))
        left = [value for value in _values(option) if value not in tried]
        if len(left) > LISTED:
            lines.append(f"Games with {option.name} other than {_or(tried)}.")
        elif left:
            lines.append(f"Games with {option.name} = {_or(left)}.")
    if len(game.options) + (game.players[0] < game.players[1]) > 1:
        lines.append("Other ways of putting players and options together.")
    return lines or ["None: the rules have no other players or options."]


def _values(option: ir.OptionDecl) -> list[str]:
    """What an option can be, as a spec writes it."""
    match option.type:
        case Bool():
            return ["false", "true"]
        case Enum(values=words):
            return list(words)
        case _:
            return [option.word] * bool(option.word) + [str(n) for n in range(option.low, option.high + 1)]


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _or(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
