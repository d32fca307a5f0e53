"""One random game as a text to review: some states in full, of every other step a line and a digest of all that is not
shown. So whatever changes in a game changes its text, and the text stays short.

The game is the one that `aeronef run` plays as game 0 of the seed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import aeronef
from aeronef.loading import is_path
from aeronef.runtime.endless import Watch
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick, why_cut
from aeronef.runtime.state import State
from aeronef.runtime.tensors import information_state_size, observation_size

MOST_LISTED = 12  # actions or outcomes of a state
MOST_SPELT = 800  # characters of an information state
MOST_NUMBERS = 20_000  # of an information state's tensor

Shown = dict[str, list[str]]  # the lines of each part of the state, as they were last shown


@dataclass(frozen=True, slots=True)
class Setting:
    """Which game is played: a shipped name or a path, with players and options where they are not the first ones."""

    spec: str
    players: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    seed: int = 1

    def __str__(self) -> str:
        """The name of its file."""
        name = Path(self.spec).stem if is_path(self.spec) else self.spec
        players = [] if self.players is None else [str(self.players)]
        return ".".join([name, *players, *(f"{option}={spelt(value)}" for option, value in self.options.items())])


def playthrough(setting: Setting) -> str:
    """The text of the setting's game."""
    game = aeronef.load(setting.spec, setting.players, **setting.options)
    return "".join(f"{line}\n" for line in [*_head(game, setting), *_steps(game, setting.seed)])


def _head(game: Game, setting: Setting) -> Iterator[str]:
    yield "# One random game. `pytest tests/playthroughs --update-golden` writes this file again."
    yield f"game: {game.name}"
    yield f"players: {game.players}"
    if game.seats != game.players:
        yield f"seats: {game.seats}"
    yield f"options: {', '.join(f'{name}={spelt(value)}' for name, value in game.options.items()) or 'none'}"
    yield f"overlays: {', '.join(game.overlays) or 'none'}"
    yield f"seed: {setting.seed}"
    yield f"actions: {game.num_distinct_actions()} {digest(game.labels)}"
    yield f"outcomes of chance: {game.max_chance_outcomes()} {digest(game.chance_labels)}"
    yield f"longest: {game.max_game_length()}"
    yield f"phases: {', '.join(f'{phase.name} ({phase.kind})' for phase in game.variant.phases)}"
    yield f"observation: {observation_size(game)} numbers"
    try:
        yield f"information state: {information_state_size(game)} numbers"
    except BadInput:
        yield "information state: no numbers, too long"


def _steps(game: Game, seed: int) -> Iterator[str]:
    state, rng, watch = game.new_initial_state(), Rng.stream(seed, 0), Watch(game)
    phases: set[str] = set()
    shown: Shown = {}
    in_full = True
    while not state.is_terminal():
        step = len(state.moves)
        action, number = pick(state.position, rng)
        caught = watch.look(state.position, number)
        if caught is not None:
            yield from ["", f"step {step}", *in_words(state, {}), f"cut: {caught}"]
            return
        before, in_full = in_full, is_shown(step) or state.phase not in phases
        phases.add(state.phase)
        phase, actor, label = state.phase, turn(state), state.action_to_string(action)
        everything = exactly(state)
        if in_full:
            yield from ["", f"step {step}", *in_words(state, shown)]
        state.apply_action(action)
        if in_full:
            yield from [f"-> {action} {label}", *heard(state)]
        else:
            yield from [""] if before else []
            yield f"{step} {phase}, {actor}: {action} {label} (of {number}) {digest([*everything, *heard(state)])}"
    yield from ["", f"step {len(state.moves)}", *in_words(state, {})]
    if state.cut:
        yield f"cut: {why_cut(game, state.position)}"
    yield f"returns: {', '.join(f'{value:g}' for value in state.returns())}"
    yield f"ranking: {', '.join(map(str, state.ranking()))}"


def is_shown(step: int) -> bool:
    """The first four, and then 4, 8, 16, …"""
    return step < 4 or step & (step - 1) == 0


def exactly(state: State) -> list[str]:
    """Everything that belongs to a state alone, to be digested."""
    players = range(state.game.players)
    return [
        state.phase,
        turn(state),
        str(state),
        *(str(state.view(player)) for player in players),
        *(state.observation_string(player) for player in players),
        *(_numbers(state.observation_tensor(player)) for player in players),
        *_offers(state),
    ]


def in_words(state: State, shown: Shown) -> Iterator[str]:
    """A state to be read: what there is and who sees it otherwise, what each player knows by now, and what can happen.

    Parts that are as in the last state that was shown are but named, and long lists are cut. A digest has the rest."""
    yield f"phase: {state.phase}"
    yield f"turn: {turn(state)}"
    views = [_parts(state.view(player)) for player in range(state.game.players)]
    same = []
    for name, value in _parts(state.to_dict()).items():
        lines = [f"  {name}: {spelt(value)}"]
        seen: dict[str, list[str]] = {}
        for player, view in enumerate(views):
            if view[name] != value:
                seen.setdefault(spelt(view[name]), []).append(str(player))
        lines += [f"    seen by {', '.join(players)} as {words}" for words, players in seen.items()]
        if shown.get(name) == lines:
            same.append(name)
        else:
            yield from lines
        shown[name] = lines
    if same:
        yield f"  as above: {', '.join(same)}"
    for player in range(state.game.players):
        numbers = _numbers(state.observation_tensor(player))
        yield f"player {player} sees {digest([state.observation_string(player)])}, as numbers {numbers}"
        yield from _knows(state, player)
    yield from listed(_offers(state))


def _parts(data: dict[str, Any]) -> dict[str, Any]:
    return {**data["vars"], **data["zones"]}


def _knows(state: State, player: int) -> Iterator[str]:
    text = state.information_state_string(player)
    numbers = ""
    with suppress(BadInput):
        if information_state_size(state.game) <= MOST_NUMBERS:
            numbers = f", as numbers {_numbers(state.information_state_tensor(player))}"
    if state.moves and len(text) <= MOST_SPELT:
        yield f"  knows{numbers}"
        yield from (f"    {row}" for row in text.splitlines())
    else:
        yield f"  knows {digest([text])} ({len(text.splitlines())} lines){numbers}"


def _offers(state: State) -> list[str]:
    if state.is_chance_node():
        return [f"{i} {state.action_to_string(i)} {part}" for i, part in state.chance_distribution()]
    return [f"{i} {state.action_to_string(i)}" for i in state.legal_actions()]


def listed(offers: list[str]) -> Iterator[str]:
    if offers:
        yield f"can happen: {len(offers)}"
        yield from (f"  {offer}" for offer in offers[:MOST_LISTED])
        if len(offers) > MOST_LISTED:
            yield f"  … and {len(offers) - MOST_LISTED} more {digest(offers[MOST_LISTED:])}"


def heard(state: State) -> Iterator[str]:
    """What each player heard of the last step; those who heard the same together."""
    told: dict[str, list[str]] = {}
    for player in range(state.game.players):
        told.setdefault("; ".join(state.heard(player, len(state.moves) - 1)), []).append(str(player))
    for words, players in told.items():
        yield f"  heard by {', '.join(players)}: {words}"


def turn(state: State) -> str:
    return (
        "nobody" if state.is_terminal() else "chance" if state.is_chance_node() else f"player {state.current_player()}"
    )


def spelt(value: Any) -> str:
    """A value in few words: `[ace × 3, king]` for three aces and a king."""
    if isinstance(value, list):
        if not all(isinstance(entry, str) for entry in value):
            return f"[{', '.join(map(spelt, value))}]"
        runs = [(words, len([*run])) for words, run in groupby(value)]
        return f"[{', '.join(words if many == 1 else f'{words} × {many}' for words, many in runs)}]"
    if isinstance(value, dict):
        return f"({value['hidden']} hidden)"
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _numbers(values: Iterable[float]) -> str:
    return digest([f"{value:.6g}" for value in values])


def digest(lines: Iterable[str]) -> str:
    return "#" + hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def first_difference(old: str, new: str) -> str | None:
    """Where two texts part, with the line before; None where they are the same."""
    olds, news = [*old.splitlines(), "(the end)"], [*new.splitlines(), "(the end)"]
    for number, (was, now) in enumerate(zip(olds, news, strict=False), start=1):
        if was != now:
            above = next((row for row in reversed(olds[:number]) if re.match(r"(step )?\d+\b", row)), "the head")
            return f"line {number}, in {above!r}:\n  was {was}\n  now {now}"
    return None
