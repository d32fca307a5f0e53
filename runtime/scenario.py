"""Worked examples that run: "in this position, after these steps, that must hold" (format: docs/formats)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import yaml

from aeronef.runtime.description import Tray, Zone
from aeronef.runtime.errors import BadInput, IllegalAction, RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE
from aeronef.runtime.positions import describe_state
from aeronef.runtime.state import State, dump
from aeronef.runtime.views import names

Load = Callable[[int | None, dict[str, Any]], Game]
QUICK = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as quick, where PyYAML was built with it
KEYS = ("name", "by", "players", "options", "given", "steps")
EXPECTS = ("phase", "actor", "vars", "zones", "legal", "chance", "views", "heard", "terminal", "returns", "ranking")


class Lined(dict[str, Any]):
    """A mapping of the file that knows the lines of its keys."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    line: int
    by: tuple[str, ...]
    players: int | None
    options: dict[str, Any]
    given: Lined | None
    steps: list[tuple[int, Any]]


@dataclass(frozen=True, slots=True)
class Document:
    file: str
    variant: str
    scenarios: list[Scenario]


@dataclass(frozen=True, slots=True)
class Result:
    """`line` is where it went wrong (or where the scenario stands), `message` what was expected and what was there."""

    name: str
    line: int
    ok: bool
    message: str = ""
    by: tuple[str, ...] = field(default=())


class _Failed(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


# ------------------------------------------------------------------------------------------ reading


def read(text: str, file: str) -> Document:
    """The scenarios of a file. Raises BadInput, with the line, where it is not such a file."""
    try:
        try:
            root = _composed(text, file, QUICK)
        except yaml.YAMLError:  # said as PyYAML itself says it
            root = _composed(text, file, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadInput(f"{file}:{line}: this is not YAML: {error.problem}") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise BadInput(f"{file}: this is not YAML: {error}") from None
    found = _data(root, file) if root is not None else None
    if (
        not isinstance(found, Lined)
        or not isinstance(found.get("scenarios"), list)
        or not isinstance(found.get("variant"), str)
    ):
        raise BadInput(f"{file}: a scenario file has `variant: NAME` and a list of `scenarios:`")
    return Document(file, found["variant"], [_scenario(item, file) for item in found["scenarios"]])


def _composed(text: str, file: str, loader: Any) -> yaml.Node | None:
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
        raise BadInput(f"{file}: anchors and aliases are not part of a scenario file")
    root: yaml.Node | None = yaml.compose(text, Loader=loader)
    return root


def _data(node: yaml.Node, file: str) -> Any:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        found = Lined(line)
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in found:
                raise BadInput(f"{file}:{key_node.start_mark.line + 1}: `{key}` is written twice")
            found[key] = _data(value_node, file)
            found.lines[key] = key_node.start_mark.line + 1
        return found
    if isinstance(node, yaml.SequenceNode):
        return _Items([(item.start_mark.line + 1, _data(item, file)) for item in node.value])
    assert isinstance(node, yaml.ScalarNode)
    text: str = node.value
    if not node.style:  # plain
        if text in ("true", "false"):
            return text == "true"
        if text in ("null", "~", ""):
            return None
        if re.fullmatch(r"-?\d{1,18}", text):
            return int(text)
        if re.fullmatch(r"-?\d+\.\d+", text):
            return float(text)
    return text


class _Items(list[Any]):
    """A list of the file that knows the lines of its items."""

    def __init__(self, items: list[tuple[int, Any]]) -> None:
        super().__init__(value for _, value in items)
        self.lines = [line for line, _ in items]


def _scenario(item: Any, file: str) -> Scenario:
    if not isinstance(item, Lined):
        raise BadInput(f"{file}: a scenario is a mapping with `name:` and `steps:`")
    for key in item:
        if key not in KEYS:
            raise BadInput(f"{file}:{item.lines[key]}: a scenario has no `{key}:` (it has {', '.join(KEYS)})")
    name, steps, given, options = (
        item.get("name"),
        item.get("steps"),
        item.get("given"),
        item.get("options") or Lined(item.line),
    )
    players = item.get("players")
    if not isinstance(name, str | int) or not isinstance(steps, _Items) or not isinstance(options, Lined):
        raise BadInput(f"{file}:{item.line}: a scenario has a `name:`, a list of `steps:`, and `options:` by name")
    if not (given is None or isinstance(given, Lined)) or not (players is None or isinstance(players, int)):
        raise BadInput(f"{file}:{item.line}: `given:` is a mapping, `players:` a number")
    for key in given or ():
        if key not in ("phase", "actor", "vars", "zones"):
            raise BadInput(f"{file}:{item.lines['given']}: `given:` has no `{key}:` (it has phase, actor, vars, zones)")
    by = item.get("by") or []
    cited = tuple(str(clause) for clause in (by if isinstance(by, list) else [by]))
    return Scenario(
        str(name), item.line, cited, players, dict(options), given, list(zip(steps.lines, steps, strict=True))
    )


# ------------------------------------------------------------------------------------------ running


def run(document: Document, load: Load) -> list[Result]:
    """Runs every scenario; `load(players, options)` gives the game."""
    return [run_one(scenario, load) for scenario in document.scenarios]


def run_one(scenario: Scenario, load: Load) -> Result:
    def failed(line: int, message: str) -> Result:
        return Result(scenario.name, line, False, message, scenario.by)

    try:
        game = load(scenario.players, scenario.options)
        unknown = [clause for clause in scenario.by if game.variant.clauses and clause not in game.variant.clauses]
        if unknown:
            return failed(scenario.line, f"there is no clause `{unknown[0]}`")
        state = describe_state(game, scenario.given) if scenario.given is not None else game.new_initial_state()
        for line, step in scenario.steps:
            _step(state, line, step)
    except _Failed as error:
        return failed(error.line, str(error))
    except (BadInput, RuleFault) as error:
        return failed(scenario.line, str(error))
    return Result(scenario.name, scenario.line, True, "", scenario.by)


def _step(state: State, line: int, step: Any) -> None:
    if isinstance(step, str):
        _play(state, line, step)
    elif isinstance(step, Lined) and list(step) == ["refused"]:
        _refused(state, line, str(step["refused"]))
    elif isinstance(step, Lined) and list(step) == ["expect"] and isinstance(step["expect"], Lined):
        _expect(state, step["expect"])
    else:
        raise _Failed(line, "a step is `SEAT action(…)`, `chance outcome(…)`, `refused: …` or `expect: …`")


def _split(line: int, text: str) -> tuple[int, str]:
    match = re.fullmatch(r"\s*(chance|\d+)\s+(.+?)\s*", text, re.S)
    if not match:
        raise _Failed(line, f"`{text}` is no step: it starts with a seat, or `chance`")
    return (CHANCE if match[1] == "chance" else int(match[1])), " ".join(match[2].split())


def _who(seat: int) -> str:
    return {CHANCE: "chance", -4: "nobody, the game is over"}.get(seat, f"seat {seat}")


def _play(state: State, line: int, text: str) -> None:
    actor, label = _split(line, text)
    if state.current_player() != actor:
        raise _Failed(line, f"`{text}`: it is {_who(state.current_player())} to act, in phase {state.phase}")
    try:
        state.apply_label(label)
    except (IllegalAction, BadInput) as error:
        legal = ", ".join(_labels(state)) or "nothing"
        raise _Failed(line, f"`{text}`: {error} (legal: {legal})") from None
    except RuleFault as error:
        raise _Failed(line, f"`{text}`: {error}") from None


def _refused(state: State, line: int, text: str) -> None:
    actor, label = _split(line, text)
    before = dump(state.position)
    if state.current_player() == actor:
        try:
            state.clone().apply_label(label)
        except (IllegalAction, BadInput):
            pass
        else:
            raise _Failed(line, f"`{text}` is legal here, and must be refused")
    if dump(state.position) != before:
        raise _Failed(line, f"`{text}` was refused, and yet something changed")


def _labels(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


# ------------------------------------------------------------------------------------------ expectations


def _expect(state: State, wanted: Lined) -> None:
    data = state.to_dict()
    for key, value in wanted.items():
        line = wanted.lines[key]
        if key not in EXPECTS:
            raise _Failed(line, f"`expect:` has no `{key}:` (it has {', '.join(EXPECTS)})")
        match key:
            case "phase" | "actor":
                _same(line, key, value, data[key])
            case "vars" | "zones":
                _part(state.game, line, key, value, data[key])
            case "legal" | "returns" | "ranking" if not isinstance(value, list):
                raise _Failed(line, f"`{key}` is a list")
            case "views" if not isinstance(value, Lined):
                raise _Failed(line, "`views` is a mapping: seat → part of its view")
            case "heard" if not isinstance(value, Lined) or not all(isinstance(v, list) for v in value.values()):
                raise _Failed(line, "`heard` is a mapping: seat → list of what it hears of the last step")
            case "legal":
                found = [] if state.is_chance_node() else _labels(state)
                _same(line, key, sorted(" ".join(str(v).split()) for v in value), sorted(found))
            case "chance":
                _chances(state, line, value)
            case "views":
                for seat, part in value.items():
                    at = value.lines[seat]
                    _view(state.game, at, _player(state.game, at, seat), part, state.view(int(seat)))
            case "heard":
                if not state.moves:
                    raise _Failed(line, "nothing is heard before the first step")
                for seat, lines in value.items():
                    at = value.lines[seat]
                    heard = state.heard(_player(state.game, at, seat), len(state.moves) - 1)
                    _same(at, f"heard by {seat}", [" ".join(str(v).split()) for v in lines], heard)
            case "terminal":
                _same(line, key, value, state.is_terminal())
            case "returns":
                expected = [float(_number(line, v)) for v in value]
                found_returns = state.returns()
                if len(expected) != len(found_returns) or any(
                    abs(a - b) > 1e-9 for a, b in zip(expected, found_returns, strict=True)
                ):
                    raise _Failed(line, f"returns: expected {expected}, found {found_returns}")
            case "ranking":
                _same(line, key, list(value), state.ranking())


def _player(game: Game, line: int, seat: str) -> int:
    if not seat.isdecimal() or int(seat) >= game.players:
        raise _Failed(line, f"there is no player `{seat}`")
    return int(seat)


def _view(game: Game, line: int, seat: int, wanted: Any, found: Mapping[str, Any]) -> None:
    if not isinstance(wanted, Lined):
        raise _Failed(line, "a view is a mapping, as a state is")
    for key, value in wanted.items():
        at = wanted.lines[key]
        if key in ("vars", "zones"):
            _part(game, at, f"view of {seat}, {key}", value, found[key])
        elif key in ("phase", "actor"):
            _same(at, f"view of {seat}, {key}", value, found[key])
        else:
            raise _Failed(at, f"a view has no `{key}:`")


def _part(game: Game, line: int, what: str, wanted: Any, found: Mapping[str, Any]) -> None:
    if not isinstance(wanted, Lined):
        raise _Failed(line, f"`{what}` is a mapping")
    unordered = {name: zone for zone in game.variant.zones if zone.form == "unordered" for name, _ in names(zone)}
    trays = {name: tray for tray in game.variant.trays if tray.form == "unordered" for name, _ in names(tray)}
    for name, value in wanted.items():
        at = wanted.lines[name]
        if name not in found:
            raise _Failed(at, f"there is no `{name}` (there is: {', '.join(found)})")
        expected = _in_deck_order(unordered[name], value) if name in unordered else value
        expected = _by_face(trays[name], value) if name in trays else expected
        _same(at, f"{what}, {name}", expected, found[name])


def _in_deck_order(zone: Zone, value: Any) -> Any:
    """An unordered zone may be written in any order."""
    if isinstance(value, list) and zone.owned:
        known = zone.cards.index
        pairs = all(isinstance(v, list) and len(v) == 2 and isinstance(v[0], int) and str(v[1]) in known for v in value)
        return sorted(value, key=lambda v: (v[0], known[str(v[1])])) if pairs else value
    if isinstance(value, list):
        if value and all(isinstance(v, str) and v in zone.cards.index for v in value):
            return sorted(value, key=lambda v: zone.cards.index[v])
        return [_in_deck_order(zone, v) for v in value]
    return value


def _by_face(tray: Tray, value: Any) -> Any:
    """An unordered zone of dice may be written in any order."""
    faces = [tray.faces.data(face) for face in tray.faces.values(0)]
    if isinstance(value, list) and all(face in faces for face in value):
        return sorted(value, key=faces.index)
    return [_by_face(tray, part) for part in value] if isinstance(value, list) else value


def _chances(state: State, line: int, wanted: Any) -> None:
    if not isinstance(wanted, Lined):
        raise _Failed(line, "`chance` is a mapping: outcome → probability")
    found = {state.action_to_string(CHANCE, outcome): p for outcome, p in state.chance_distribution()}
    for label, value in wanted.items():
        at = wanted.lines[label]
        clean = " ".join(label.split())
        if clean not in found:
            raise _Failed(at, f"`{clean}` is no outcome here (there is: {', '.join(found) or 'none'})")
        expected = _number(at, value)
        if abs(float(expected) - float(found[clean])) > 1e-9:
            raise _Failed(at, f"{clean}: expected {value}, found {found[clean]}")
    for label in found:
        if label not in {" ".join(key.split()) for key in wanted}:
            raise _Failed(line, f"the outcome `{label}` ({found[label]}) is not listed")


def _number(line: int, value: Any) -> Fraction:
    text = str(value)
    if not re.fullmatch(r"-?\d{1,18}(\.\d{1,18}|/[1-9]\d{0,17})?", text):
        raise _Failed(line, f"`{text}` is no number")
    return Fraction(text)


def _same(line: int, what: str, wanted: Any, found: Any) -> None:
    for where, expected, there in _differences(wanted, found):
        raise _Failed(line, f"{what}{where}: expected {_shown(expected)}, found {_shown(there)}")


def _differences(wanted: Any, found: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for i, (a, b) in enumerate(zip(wanted, found, strict=True)):
            yield from _differences(a, b, f"{where}[{i}]")
    elif wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        yield where, wanted, found


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_shown(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_shown(v)}" for k, v in value.items()) + "}"
    return (
        {None: "null", True: "true", False: "false"}.get(value, str(value))
        if isinstance(value, bool | None)
        else str(value)
    )
