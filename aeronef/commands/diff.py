"""`aeronef diff`: what differs in the rules of two games, or of one game under two choices of options."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from aeronef.commands.common import Failed, options_text, parse_options, said_on_stderr
from aeronef.dsl.compiler import Compilation, compile_file
from aeronef.dsl.differences import Difference, differences
from aeronef.dsl.ir import Game, Option, OptionDecl
from aeronef.dsl.settle import switched
from aeronef.dsl.specialise import Unfit, Value, specialise
from aeronef.dsl.types import Enum
from aeronef.dsl.walk import nodes
from aeronef.files import shown
from aeronef.loading import is_path, library, spec_path
from aeronef.render import WIDTH, output, say, span_data
from aeronef.runtime.errors import BadInput
from aeronef.status import UNUSABLE

# The last part of an element's path, where it names a part of a declaration or of a phase.
PARTS = {
    "starts": "at the start", "default": "default", "requires": "requires", "order": "order of the words",
    "who": "who acts", "from": "who begins", "until": "until", "asks": "who is asked", "then": "what follows",
    "sequence": "choices in a row", "unasked": "who is not asked", "params": "of what", "only": "only there when",
}  # fmt: skip
HIDDEN = ("words", "kinds")  # of an enumeration, of cards: what is listed says it
WHOLE = {"players": "how many", "longest": "steps at most", "phases.first": "the first phase"}


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two games, with what is settled in it; `label` tells it from the other."""

    path: Path
    game: Game
    options: dict[str, Any]
    label: str = ""


def diff_specs(
    spec: str, other: str | None, players: int | None, given: list[str], to: list[str], as_json: bool
) -> int:
    """Raises BadInput; a spec that does not compile is said, and is status 2 here."""
    if other is None and not to:
        raise BadInput("with one spec only, say what to compare it with: another spec, or `--to NAME=VALUE`")
    options, others = parse_options(given), parse_options(to)
    try:
        one = _compiled(spec)
        two = one if other is None else _compiled(other)
    except Failed:
        return UNUSABLE
    if not to:  # what the other game has no option for is not asked of it
        others = {name: value for name, value in options.items() if name in {o.name for o in _game(two).options}}
    for option in _game(one).options:  # what one side settles the other has at its default
        if option.name in others and option.name not in options:
            options[option.name] = _word(option)
    left_out = [name for run, settled in ((one, options), (two, others)) for name in _unsettled(run, settled)]
    a, b = _labelled(_settled(one, players, options), _settled(two, players, others))
    found = differences(a.game, b.game)
    if as_json:
        data = {
            "a": _side_data(a, players),
            "b": _side_data(b, players),
            "differences": [_data(d, a, b) for d in found],
        }
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _show(found, a, b)
        if left_out:
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(left_out))
            say(f"\nOther optional rules are compared where you say so, with -o or --to: {names}.", console=output())
    return 1 if found else 0


def _compiled(spec: str) -> Compilation:
    path = spec_path(spec) if is_path(spec) else shown(spec_path(spec))
    with said_on_stderr(path):
        return compile_file(path, library())


def _game(run: Compilation) -> Game:
    assert run.game is not None
    return run.game


def _unsettled(run: Compilation, options: dict[str, str]) -> list[str]:
    """The options that switch optional rules, where nobody settled them: they are at their defaults then."""
    named = {node.name for overlay in run.overlays for node in nodes(overlay.when) if isinstance(node, Option)}
    return [option.name for option in _game(run).options if option.name in named and option.name not in options]


def _settled(run: Compilation, players: int | None, options: dict[str, str]) -> _Side:
    """The game with its options settled: of several combinations of optional rules, the one that they switch on."""
    whole = _game(run)
    known = {o.name: o for o in whole.options}
    values = {name: _value(known[name], text) if name in known else text for name, text in options.items()}
    path = Path(run.folder or "") / run.file
    try:
        game = switched(run, values, players)
        return _Side(path, specialise(game, values, players) if values or players is not None else game, values)
    except Unfit as error:
        raise BadInput(str(error)) from None


def _word(option: OptionDecl) -> str:
    """The default of an option, as a command line has it."""
    if option.default is None:
        return option.word
    if isinstance(option.type, Enum):
        return option.type.values[int(option.default)]
    return str(option.default).lower()


def _value(option: OptionDecl, text: str) -> Value:
    """What a word of the command line stands for; whether the option has it is asked later."""
    if isinstance(option.type, Enum):
        return text
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return int(text)
    except ValueError:
        return text


def _labelled(a: _Side, b: _Side) -> tuple[_Side, _Side]:
    """By the names of the games, else by the options that differ, else by the files."""
    labels = [a.game.name, b.game.name]
    if labels[0] == labels[1]:
        both = a.options.items() & b.options.items()
        labels = [options_text(dict(side.options.items() - both)) for side in (a, b)]
        labels = [label or a.game.name for label in labels]
    if labels[0] == labels[1]:
        labels = [str(a.path), str(b.path)] if a.path != b.path else ["the first", "the second"]
    return _Side(a.path, a.game, a.options, labels[0]), _Side(b.path, b.game, b.options, labels[1])


# ------------------------------------------------------------------------------------------ as data


def _side_data(side: _Side, players: int | None) -> dict[str, Any]:
    return {"spec": str(side.path), "game": side.game.name, "players": players, "options": side.options}


def _data(d: Difference, a: _Side, b: _Side) -> dict[str, Any]:
    places = {
        name: span_data(span, side.path.parent) if span is not None else None
        for name, span, side in (("place_a", d.span_a, a), ("place_b", d.span_b, b))
    }
    return {"topic": d.topic, "element": d.element, "what": d.what, "a": d.a, "b": d.b, **places}


# ------------------------------------------------------------------------------------------ as a list to read


def _show(found: tuple[Difference, ...], a: _Side, b: _Side) -> None:
    out = output()
    names = [" ".join(filter(None, (side.game.name, options_text(side.options)))) for side in (a, b)]
    if names[0] == names[1]:
        names = [str(side.path) for side in (a, b)]
    say(f"{names[0]} → {names[1]}", "bold", out)
    if not found:
        say("the rules are the same", console=out)
    for topic, group in groupby(found, key=lambda d: d.topic):
        out.print()
        say(topic, "bold", out)
        ordered = sorted(group, key=lambda d: _alone(d, a.label, b.label))
        for alone, those in groupby(ordered, key=lambda d: _alone(d, a.label, b.label)[1]):
            if alone:
                say(f"  only in {alone}", console=out)
            for difference in those:
                for line in _lines(difference, a.label, b.label):
                    say(f"  {'  ' if alone else ''}{line}", console=out)


def _alone(d: Difference, a: str, b: str) -> tuple[int, str]:
    """Whole elements of one game stand together, after all else: their order, and in which game they are."""
    if not d.what.startswith("only") or _partial(d):
        return 0, ""
    return (1, a) if d.what == "only in A" else (2, b)


def _partial(d: Difference) -> bool:
    """Whether it is about a part of something that both have."""
    return d.topic == "effects" or d.element.rpartition(".")[2] in HIDDEN


def _lines(d: Difference, a: str, b: str) -> list[str]:
    """A difference: on one line where it fits, else each side below its name."""
    name = _name(d.element)
    if d.what == "renamed":
        short = name.rpartition(".")[2] == d.a
        return [f"{name} → {d.b} (renamed)" if short else f"{name}: {d.a} → {d.b} (renamed)"]
    if d.what == "differs":
        one, two = d.a.split("\n"), d.b.split("\n")
        if one[:-1] == two[:-1]:  # of effects: a statement each, under the same heads
            around = " ".join(head.strip() for head in one[:-1])
            line = f"{name}: {around}{' ' if around else ''}{one[-1].strip()} → {two[-1].strip()}"
            if len(line) < WIDTH:
                return [line]
        return [name, *_side(a, d.a, "  "), *_side(b, d.b, "  ")]
    label, text = (a, d.a) if d.what == "only in A" else (b, d.b)
    if _partial(d):
        return _side(f"{name}, only in {label}", text)
    if d.topic == "actions":  # the text begins with its name
        first, *rest = text.split("\n")
        return [f"{name.rpartition('.')[0]}: {first}", *rest]
    if d.topic == "definitions" and text.startswith("of "):
        return [f"{name} {text}"]
    return _side(name, text)


def _side(label: str, text: str, indent: str = "") -> list[str]:
    if "\n" not in text:
        return [f"{indent}{label}: {text}"]
    return [f"{indent}{label}:", *(f"{indent}  {line}" for line in text.split("\n"))]


def _name(element: str) -> str:
    """An element as a reader finds it: `betting.raise`, `betting, what follows`."""
    if element in WHOLE:
        return WHOLE[element]
    section, _, path = element.partition(".")
    if not path:
        return element
    parts = [path] if section == "invariants" else path.split(".")
    if section == "phases":
        if len(parts) == 2:
            return f"{parts[0]}, {PARTS.get(parts[1], parts[1])}"
        return ".".join(parts[:1] + parts[2:])
    if len(parts) == 2 and parts[1] in HIDDEN:
        return parts[0]
    if len(parts) == 2 and parts[1] in PARTS and section != "cards":
        return f"{parts[0]}, {PARTS[parts[1]]}"
    return ".".join(parts)
