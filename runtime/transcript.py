"""Transcripts: a game as JSON Lines (format: docs/formats), written step by step and replayed line by line.

Writing and replaying share one source of lines, so a transcript that replays is the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from aeronef.runtime.endless import Endless, Watch, stop
from aeronef.runtime.errors import BadInput, IllegalAction, RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import Position
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick, why_cut
from aeronef.runtime.state import State, dump

FORMAT = "aeronef-transcript/1"

Data = dict[str, Any]
Load = Callable[[str, int, dict[str, Any]], Game]


# ------------------------------------------------------------------------------------------ the lines as data

LEFT = "it was left here"  # of a play that nobody went on with


def header(game: Game, seed: int | None, number: int | None) -> Data:
    return {
        "format": FORMAT, "variant": game.name, "spec": game.spec_digest, "players": game.players,
        "options": game.options, "seed": seed, "game": number,
    }  # fmt: skip


def step(state: State, action: str, full: bool) -> Data:
    """The line of a step that is about to be made: everything in it is as it is before the action."""
    actor = "chance" if state.is_chance_node() else state.current_player()
    line: Data = {"step": state.position.steps, "phase": state.phase, "actor": actor, "action": action}
    if full:
        line["legal"] = legal(state)
        line |= picture(state)
    return line


def legal(state: State) -> list[str] | dict[str, str]:
    """The labels of the legal actions; of a chance step each outcome with its exact probability."""
    if state.is_chance_node():
        return {state.action_to_string(o): str(probability) for o, probability in state.chance_distribution()}
    return [state.action_to_string(action) for action in state.legal_actions()]


def picture(state: State) -> Data:
    """The whole state, and what each player may see of it."""
    return {"state": state.to_dict(), "views": [state.view(player) for player in range(state.game.players)]}


def end(state: State, full: bool, caught: Endless | None = None) -> Data:
    """The last line: the result, or why the game was stopped."""
    if caught is not None or state.cut:
        why = str(caught) if caught is not None else why_cut(state.game, state.position)
        return {"cut": True, "steps": state.position.steps, "why": why}
    returns = [int(value) if value.is_integer() else value for value in state.returns()]
    line: Data = {"end": True, "steps": state.position.steps, "returns": returns, "ranking": state.ranking()}
    return line | picture(state) if full else line


def spell(line: Data) -> str:
    """A line's text, without its newline."""
    return json.dumps(line, ensure_ascii=False, separators=(", ", ": "))


# ------------------------------------------------------------------------------------------ writing


def write_state(state: State, write: Callable[[str], object], full: bool = False, left: bool = False) -> None:
    """The transcript of a state's history, however it was played. A game that is not over yet ends without an end
    line, unless it is caught in a round without an end, or it is said to be `left`: then it can be replayed as far.

    Raises BadInput where the state did not begin at the game's start.
    """
    replayed = state.game.new_initial_state()
    if dump(state.trail[0] if state.trail else state.position) != dump(replayed.position):
        raise BadInput("the transcript of a game begins at its start, and this state does not")
    write(spell(header(state.game, None, None)) + "\n")
    for _, action in state.moves:
        write(spell(step(replayed, replayed.action_to_string(action), full)) + "\n")
        replayed.apply_action(action)
    caught = None if replayed.is_terminal() else replayed.endless()
    if replayed.is_terminal() or caught is not None:
        write(spell(end(replayed, full, caught)) + "\n")
    elif left:
        write(spell(_left(replayed)) + "\n")


def _left(state: State) -> Data:
    return {"cut": True, "steps": state.position.steps, "why": LEFT}


def record(game: Game, seed: int, number: int, write: Callable[[str], object], full: bool = False) -> Position:
    """Plays game `number` of a seed exactly as `simulate.play_game` does, and writes its transcript. Gives its end.

    Raises RuleFault where the rules break; what was written so far ends with the step that broke them.
    """
    rng = Rng.stream(seed, number)
    state = game.new_initial_state()
    watch = Watch(game)
    write(spell(header(game, seed, number)) + "\n")
    while not state.is_terminal():
        action, choices = pick(state.position, rng)
        caught = watch.look(state.position, choices)
        if caught is not None:
            write(spell(end(state, full, caught)) + "\n")
            position = state.position.copy()
            stop(position)
            return position
        write(spell(step(state, state.action_to_string(action), full)) + "\n")
        state.apply_action(action)
    write(spell(end(state, full)) + "\n")
    return state.position


# ------------------------------------------------------------------------------------------ reading


@dataclass(slots=True)
class Recorded:
    """One game of a file: its lines, the first of which is line `first` of the file."""

    first: int
    lines: list[str]
    full: bool = False


def read(raw: bytes) -> list[Recorded]:
    """The games of a file. Raises BadInput, with the line, where it is no transcript or breaks off."""
    games: list[Recorded] = []
    texts = raw.split(b"\n")
    whole = not texts[-1]
    if whole:
        texts.pop()
    open_game: Recorded | None = None
    full_lines = 0
    for number, text in enumerate(texts, start=1):
        kind, line, is_full = _kind(text, number, last=number == len(texts) and not whole)
        if kind == "header":
            if open_game is not None:
                raise BadInput(
                    f"line {number}: the next game begins here, and that of line {open_game.first} has no end line"
                )
            open_game = Recorded(number, [line])
            full_lines = 0
            continue
        if open_game is None:
            raise BadInput(f"line {number}: a transcript begins with a line that has `format`, and this has none")
        open_game.lines.append(line)
        full_lines += is_full
        if kind == "end":
            # One line that was tampered with must not change how the others are read.
            open_game.full = 2 * full_lines >= len(open_game.lines)
            games.append(open_game)
            open_game = None
    if open_game is not None:
        raise BadInput(
            f"line {len(texts)}: the file breaks off here: the game of line {open_game.first} has no end line"
        )
    if not games:
        raise BadInput("line 1: the file is empty")
    return games


def _kind(raw: bytes, number: int, last: bool) -> tuple[str, str, bool]:
    """What a line is (header, step or end), its text, and whether it has what `--full` adds."""
    try:
        text = raw.decode("utf-8")
        data = json.loads(text)
    except (ValueError, RecursionError):
        what = "the file breaks off in the middle of this line" if last and raw.startswith(b"{") else "this is not JSON"
        raise BadInput(f"line {number}: {what}") from None
    if not isinstance(data, dict):
        raise BadInput(f"line {number}: a line of a transcript is a JSON object")
    is_full = "state" in data
    if "format" in data:
        _check_header(data, number)
        return "header", text, is_full
    if "end" in data or "cut" in data:
        return "end", text, is_full
    if not isinstance(data.get("action"), str):
        raise BadInput(f"line {number}: this is neither a step (it has no `action`) nor an end")
    return "step", text, is_full


def _check_header(data: Data, number: int) -> None:
    if data["format"] != FORMAT:
        raise BadInput(f"line {number}: the format is {_show(data['format'])}; this version reads {FORMAT}")
    wanted = {"variant": str, "spec": str, "players": int, "options": dict}
    for key, kind in wanted.items():
        if not isinstance(data.get(key), kind) or isinstance(data[key], bool):
            raise BadInput(f"line {number}: the first line of a game says its `{key}`")
    for key in ("seed", "game"):
        value = data.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise BadInput(f"line {number}: `{key}` is a whole number, or null")


# ------------------------------------------------------------------------------------------ replaying


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a game parts: the file's line, the field (`state.vars.score[2]`; empty: the whole line), what stands
    there, and what was expected."""

    line: int
    field: str
    found: str
    expected: str

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        return f"line {self.line}: {where}there stands {self.found}, expected {self.expected}"


@dataclass(frozen=True, slots=True)
class Replayed:
    """How a game replayed: its first line in the file, its number, the steps that agree, the first difference, and
    where it was played on another spec the digests of that and of ours."""

    first: int
    number: int | None
    steps: int
    other_spec: tuple[str, str] | None = None
    difference: Difference | None = None


def replay(games: list[Recorded], load: Load) -> Iterator[Replayed]:
    """Replays each game and compares it line by line with what is expected.

    `load(variant, players, options)` gives the game's rules. Raises BadInput, with the line, where it cannot.
    """
    for recorded in games:
        yield _replay(recorded, load)


class _Parts(Exception):
    def __init__(self, difference: Difference) -> None:
        super().__init__()
        self.difference = difference


def _replay(recorded: Recorded, load: Load) -> Replayed:
    said = json.loads(recorded.lines[0])
    try:
        game = load(said["variant"], said["players"], said["options"])
    except BadInput as error:
        raise BadInput(f"line {recorded.first}: {error}") from None
    other = None if said["spec"] == game.spec_digest else (said["spec"], game.spec_digest)
    steps = 0
    try:
        expected = header(game, said.get("seed"), said.get("game"))
        if other:
            expected["spec"] = said["spec"]
        _compare(recorded.first, recorded.lines[0], expected)
        steps = _replay_steps(recorded, game, said if other is None else {})
    except _Parts as parts:
        return Replayed(recorded.first, said.get("game"), steps, other, parts.difference)
    return Replayed(recorded.first, said.get("game"), steps, other)


def _replay_steps(recorded: Recorded, game: Game, said: Data) -> int:
    """Plays the recorded actions. Where the game was drawn from a seed, each must be what the seed draws, so that a
    changed action shows where it stands, and not only where its consequences do."""
    seed, number = said.get("seed"), said.get("game")
    rng = Rng.stream(seed, number) if seed is not None and number is not None else None
    state, watch = game.new_initial_state(), Watch(game)
    for place, text in enumerate(recorded.lines[1:], start=recorded.first + 1):
        found = json.loads(text)
        try:
            action, caught = 0, None
            if rng is not None and not state.is_terminal():
                action, choices = pick(state.position, rng)
                caught = watch.look(state.position, choices)
            elif "action" not in found and not state.is_terminal():
                caught = state.endless()
            if state.is_terminal() or caught is not None:
                if "action" in found:
                    raise _Parts(Difference(place, "", "a step", "the end of the game"))
                _compare(place, text, end(state, recorded.full, caught))
                continue
            if rng is None and found.get("why") == LEFT:
                _compare(place, text, _left(state))
                continue
            if "action" not in found:
                wanted = f"a step of {_actor(state)} in phase {state.phase}"
                raise _Parts(Difference(place, "", "the end of the game", wanted))
            if rng is not None:
                _compare(place, text, step(state, state.action_to_string(action), recorded.full))
            else:
                expected = step(state, found["action"], recorded.full)
                _compare(place, text, expected)
                action = state.string_to_action(found["action"])
                _compare(place, text, expected | {"action": state.action_to_string(action)})
            state.apply_action(action)
        except (IllegalAction, BadInput) as error:
            raise _Parts(Difference(place, "action", f"{_show(found['action'])} ({error})", _choices(state))) from None
        except RuleFault as error:
            raise _Parts(Difference(place, "", "a step", f"a fault of the rules: {error}")) from None
    return state.position.steps


def _actor(state: State) -> str:
    return "chance" if state.is_chance_node() else f"seat {state.current_player()}"


def _choices(state: State) -> str:
    labels = [_show(state.action_to_string(action)) for action in state.legal_actions()]
    return "one of " + ", ".join(labels[:8]) + (f" and {len(labels) - 8} more" if len(labels) > 8 else "")


def _compare(line: int, text: str, expected: Data) -> None:
    """Raises _Parts with the first field that differs."""
    if text == spell(expected):
        return
    path, found, wanted = next(differences(json.loads(text), expected), ("", text, spell(expected)))
    if not path:
        found, wanted = "the same data written otherwise (spaces, or the order of the fields)", wanted
        raise _Parts(Difference(line, "", found, wanted if len(wanted) <= 200 else wanted[:200] + " …"))
    raise _Parts(Difference(line, path, found, wanted))


def differences(found: Any, expected: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """The fields in which two data differ: path, what stands there, what was expected, as JSON."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            inner = f"{path}.{key}" if path else key
            if key not in found:
                yield inner, "nothing", _show(expected[key])
            elif key not in expected:
                yield inner, _show(found[key]), "nothing"
            else:
                yield from differences(found[key], expected[key], inner)
    elif isinstance(found, list) and isinstance(expected, list):
        for index in range(max(len(found), len(expected))):
            inner = f"{path}[{index}]"
            if index >= len(found):
                yield inner, "nothing", _show(expected[index])
            elif index >= len(expected):
                yield inner, _show(found[index]), "nothing"
            else:
                yield from differences(found[index], expected[index], inner)
    elif type(found) is not type(expected) or found != expected:
        yield path, _show(found), _show(expected)


def _show(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + " …"
