"""Whether a seat learns what it should not: worlds that differ only in what the spec hides from it must treat it alike.

Histories are grouped by what a seat may know, and whatever it gets (`channels`) that differs within a group is a leak:
non-interference (J. Goguen and J. Meseguer, 1982), tried on all pairs. Of games that are too large for that `worlds`
plays pairs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from aeronef.runtime.channels import (
    Got,
    Leak,
    Learnt,
    Secrecy,
    asking,
    how_it_stands,
    leak,
    learnt,
    overheard,
    what_can_be_done,
    who_sees,
    why_not,
)
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.explore import canonical
from aeronef.runtime.game import Game
from aeronef.runtime.state import State

__all__ = ["Leak", "Secrecy", "leaks"]

ASKED = 100  # actions of one name whose refusals are compared, at most


@dataclass(slots=True)
class _World:
    state: State
    known: tuple[int, ...]  # for each player the group of histories that it may not tell apart


Seen = dict[Any, tuple[Any, State]]  # what was got in a group first, and where


def leaks(
    game: Game, most: int = 20_000, look: Callable[[int], None] | None = None, seconds: float | None = None
) -> Secrecy:
    """Compares histories in breadth, `most` at most, for so many seconds at most (None: as long as it takes). `look` is
    called now and then with how many there were."""
    key, began = canonical(game), time.perf_counter()
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
                late = seconds is not None and time.perf_counter() - began > seconds
                if histories >= most or late:
                    return Secrecy(tuple(found.values()), histories, False)
                histories += 1
                if look is not None and histories % 256 == 0:
                    look(histories)
                known = []
                for viewer in range(game.players):
                    knows = learnt(after, viewer)
                    public = (world.known[viewer], tuple(knows.heard), knows.own, repr(knows.public))
                    group = (*public, repr(knows.seen))
                    known.append(groups[viewer].setdefault(group, len(groups[viewer])))
                    for within, what in _given(after, viewer, knows, public, group):
                        first = got[viewer].setdefault((what.channel, what.element, within), (what.value, after))
                        if first[0] != what.value:
                            one = leak(what, viewer, first, after)
                            found.setdefault((one.channel, one.element), one)
                    for what, otherwise in overheard(after, viewer):
                        one = leak(what, viewer, (otherwise, after), after)
                        found.setdefault((one.channel, one.element), one)
                amid = after.frozen_at() is not None  # what was chosen before is not all in the position
                place = (key(after.position), tuple(known), id(after) if amid else 0)
                following.setdefault(place, _World(after, tuple(known)))
        level = [world for world in following.values() if not world.state.is_terminal()]
    return Secrecy(tuple(found.values()), histories, not _sampled(game))


def _sampled(game: Game) -> bool:
    """Whether the refusals of some actions only are compared, as there are too many."""
    phases = range(len(game.variant.phases))
    return any(asking(game, phase, ASKED) != asking(game, phase, game.num_distinct_actions() + 1) for phase in phases)


def _after(state: State) -> Iterator[State]:
    """What each step leads to. Where the rules break nothing follows: that is another question."""
    with suppress(RuleFault):
        for action in state.legal_actions():
            other = state.clone()
            try:
                other.apply_action(action)
            except RuleFault:
                continue
            yield other


def _given(after: State, viewer: int, knows: Learnt, public: Any, group: Any) -> Iterator[tuple[Any, Got]]:
    """What a seat gets, each with the group of histories within which it must be the same."""
    for got in who_sees(after, knows.view):
        yield public, got
    for got in how_it_stands(after, viewer, knows.view):
        yield group, got
    if after.current_player() == viewer:
        for got in what_can_be_done(after):
            yield group, got
    for got in why_not(after, viewer, asking(after.game, after.position.phase, ASKED)):
        yield (group, after.position.actor), got  # whose turn it is was asked: that the reasons differ then follows
