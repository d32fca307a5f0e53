"""Whether a seat learns what it should not: worlds that differ only in what the spec hides from it must treat it alike.

What a seat *may know* is what the spec declares: the values of variables and zones that their `seen:` lets it see, step
by step, what `told:` lets it hear of each step, and its own actions. What it *gets* beside that must follow from what
it may know: whose turn it is and in which phase, how many cards lie hidden, what it can do, and the reasons for what it
cannot; and which parts it sees must follow from what everybody sees. So histories are grouped by what a seat may know,
and whatever differs within a group is a leak: non-interference (J. Goguen and J. Meseguer, 1982), tried on all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from aeronef.runtime.description import Cards, Zone
from aeronef.runtime.explore import canonical
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE
from aeronef.runtime.state import State
from aeronef.runtime.views import Data

REASONS = 200  # actions whose refusals are compared, at most


@dataclass(frozen=True, slots=True)
class Leak:
    """Two plays that `viewer` may not tell apart, and what it gets that differs: `channel` says which, `one` and
    `other` what. `step` is the label of the last step of the second play, `phase` the phase in which it was made."""

    channel: str
    viewer: int
    phase: str
    step: str
    one: Any
    other: Any
    plays: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Secrecy:
    """`leaks`: for each channel and phase the first that was found; `histories`: how many were compared; `whole`:
    whether these are all that there are."""

    leaks: tuple[Leak, ...]
    histories: int
    whole: bool


@dataclass(slots=True)
class _World:
    state: State
    known: tuple[int, ...]  # for each player the group of histories that it may not tell apart


Seen = dict[Any, tuple[Any, State]]  # what was got in a group first, and where


def leaks(game: Game, most: int = 20_000, look: Callable[[int], None] | None = None) -> Secrecy:
    """Compares histories in breadth, `most` at most."""
    key = canonical(game)
    start = game.new_initial_state()
    level = [_World(start, (0,) * game.players)]
    found: dict[tuple[str, str], Leak] = {}
    histories = 1
    while level:
        groups: list[dict[Any, int]] = [{} for _ in range(game.players)]
        got: list[Seen] = [{} for _ in range(game.players)]
        following: dict[Any, _World] = {}
        for world in level:
            for after in _after(world.state):
                if histories >= most:
                    return Secrecy(tuple(found.values()), histories, False)
                histories += 1
                if look is not None and histories % 256 == 0:
                    look(histories)
                known = []
                for viewer in range(game.players):
                    before, group, gets = _told(world, after, viewer)
                    known.append(groups[viewer].setdefault(group, len(groups[viewer])))
                    for channel, within, value in _given(after, viewer, before, group, gets):
                        first = got[viewer].setdefault((channel, within), (value, after))
                        if first[0] != value:
                            leak = _leak(channel, viewer, first, value, after)
                            found.setdefault((channel, leak.phase), leak)
                amid = after.frozen_at() is not None  # what was chosen before is not all in the position
                place = (key(after.position), tuple(known), id(after) if amid else 0)
                following.setdefault(place, _World(after, tuple(known)))
        level = [world for world in following.values() if not world.state.is_terminal()]
    return Secrecy(tuple(found.values()), histories, True)


def _after(state: State) -> Iterator[State]:
    for action in state.legal_actions():
        other = state.clone()
        other.apply_action(action)
        yield other


def _told(world: _World, after: State, viewer: int) -> tuple[Any, Any, Data]:
    """What a seat may know after a step: with what everybody sees alone, with all that it sees, and its view."""
    view = after.view(viewer)
    actor, action = after.moves[-1]
    own = action if actor == viewer else None
    heard = tuple(after.heard(viewer, len(after.moves) - 1))
    everyone = {place.name for place in after.game.variant.places if place.sees.__name__ == "everyone"}
    public: list[tuple[str, Any]] = []
    seen: list[tuple[str, Any]] = []
    for kind in ("vars", "zones"):
        for name, value in view[kind].items():
            entry = (name, _shown(value))
            (public if any(name == e or name.startswith(f"{e}_") for e in everyone) else seen).append(entry)
    before = (world.known[viewer], heard, own, repr(public))
    return before, (*before, repr(seen)), view


def _shown(value: Any) -> Any:
    """A value of a view without how many cards are hidden."""
    if isinstance(value, dict):
        return "hidden"
    return [_shown(v) for v in value] if isinstance(value, list) else value


def _hidden(value: Any) -> Any:
    """Of a value of a view which parts are hidden."""
    if isinstance(value, list) and any(isinstance(v, list | dict) or v == "?" for v in value):
        return [_hidden(v) for v in value]
    return isinstance(value, dict) or value == "?"


def _counts(value: Any) -> Any:
    if isinstance(value, dict):
        return value["hidden"]
    return [_counts(v) for v in value] if isinstance(value, list) else None


def _given(after: State, viewer: int, before: Any, group: Any, view: Data) -> Iterator[tuple[str, Any, Any]]:
    """What a seat gets, each with the group of histories within which it must be the same."""
    for kind in ("vars", "zones"):
        for name, value in view[kind].items():
            yield f"who sees `{name}`", before, _hidden(value)
    for name, value in view["zones"].items():
        yield f"how many cards lie in `{name}`", group, _counts(value)
    yield "which phase it is", group, view["phase"]
    yield "whose turn it is", group, view["actor"]
    if after.current_player() == viewer:
        yield "what can be done", group, tuple(map(after.action_to_string, after.legal_actions()))
    if not after.is_terminal():
        some = range(min(after.game.num_distinct_actions(), REASONS))
        yield "why something cannot be done", group, tuple(tuple(after.why_illegal(a, viewer)) for a in some)
    yield from _overheard(after, viewer, view)


def _overheard(after: State, viewer: int, view: Data) -> Iterator[tuple[str, Any, Any]]:
    """A card that a label tells, and that the seat sees neither before nor after: as if it were another in a world."""
    actor, action = after.moves[-1]
    if actor == viewer:
        return
    before = after.trail[-1]
    described = after.game.variant.outcomes if actor == CHANCE else after.game.variant.actions
    kind, values = (before.chances if actor == CHANCE else before.decisions)[action]
    phase = after.game.variant.phases[before.phase]
    told = phase.told[described[kind].key](before, viewer, *values) if described[kind].key in phase.told else None
    for i, (domain, value) in enumerate(zip(described[kind].params, values, strict=True)):
        if isinstance(domain, Cards) and (told is None or told[i]) and not _sees_card(after, viewer, domain, value):
            label = after.action_to_string(actor, action)
            yield "what a label tells", (len(after.moves), id(after), i), label
            yield "what a label tells", (len(after.moves), id(after), i), None


def _sees_card(after: State, viewer: int, cards: Cards, card: int) -> bool:
    label = cards.data(card)
    earlier = after.clone()
    earlier.undo_action()
    zones = [p.name for p in after.game.variant.places if isinstance(p, Zone) and p.cards.name == cards.name]
    for view in (after.view(viewer), earlier.view(viewer)):
        for name, value in view["zones"].items():
            if any(name == z or name.startswith(f"{z}_") for z in zones) and label in _flat(value):
                return True
    return False


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return []
    return [x for v in value for x in _flat(v)] if isinstance(value, list) else [value]


def _leak(channel: str, viewer: int, first: tuple[Any, State], value: Any, after: State) -> Leak:
    actor, action = after.moves[-1]
    phase = after.game.phase_name(after.trail[-1])
    who = "chance" if actor == CHANCE else actor
    plays = tuple(tuple(a for _, a in state.moves) for state in (first[1], after))
    step = f"{who} {after.action_to_string(actor, action)}"
    return Leak(channel, viewer, phase, step, first[0], value, (plays[0], plays[1]))
