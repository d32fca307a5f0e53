"""Whether a seat of a large game learns what it should not: two worlds side by side, which it may not tell apart.

One world is a random game. The other makes the same steps as far as a seat, the viewer, can hear them; where a step
sounds to the viewer like another that is possible there, the other world may take that one. As long as what the viewer
may know (`channels`) is the same in both, all that it gets must be the same. The worlds part where they see or hear
something else by the rules; the pair is given up where the other world has nothing that sounds the same.

What `leaks` does with all histories of a small game this does with some pairs of histories of any. What the results
tell is no leak: they are public.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from aeronef.runtime.channels import (
    PHASE,
    Got,
    Leak,
    Secrecy,
    asking,
    how_it_stands,
    leak,
    learnt,
    overheard,
    turn,
    what_can_be_done,
    who_sees,
    why_not,
)
from aeronef.runtime.endless import Watch, choices
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick
from aeronef.runtime.state import State

ASKED = 2  # actions of each name whose refusals are compared at a step
OFTEN = (1, 4, 24, 1000)  # one of so many steps that could be another is another, once the worlds differ
LONGEST_RECALL = 150  # information states are compared of so many steps at most: they grow with every one
KEPT_APART = 4  # of so many choices together one is made that will not sound the same in the end
MOST_BARREN = 200  # games without a second world, after which there is nothing to find one by


def worlds(
    game: Game, pairs: int, seed: int, seconds: float | None = None, look: Callable[[int], None] | None = None
) -> Secrecy:
    """Plays so many pairs, for so many seconds at most (None: as long as it takes). `look` is called after each game
    with how many pairs there were. The same seed gives the same pairs. Where the rules break, a game is left."""
    began = time.perf_counter()
    found: dict[tuple[str, str], Leak] = {}
    histories = played = number = barren = typical = 0
    while played < pairs and barren < MOST_BARREN:
        if seconds is not None and time.perf_counter() - began > seconds:
            break
        walk = _Walk(game, Rng.stream(seed, number), typical, pairs - played)
        with suppress(RuleFault):
            walk.play()
        typical = max(typical * 7 // 8, len(walk.one.moves))  # the length of the games of late
        number, played, histories = number + 1, played + walk.pairs, histories + walk.compared
        barren = 0 if walk.pairs else barren + 1
        for one in walk.leaks:
            known = found.setdefault((one.channel, one.element), one)
            if len(one.plays[1]) < len(known.plays[1]):
                found[one.channel, one.element] = one
        if look is not None:
            look(played)
    return Secrecy(tuple(sorted(found.values(), key=lambda one: len(one.plays[1]))), histories, False, played)


class _Walk:
    """A random game, `one`, and beside it `other` worlds, one after the other: where one parts from it or is given up,
    the next begins later. There is none before it differs."""

    def __init__(self, game: Game, rng: Rng, typical: int, most: int) -> None:
        self.game, self.rng, self.most = game, rng, most
        self.one = game.new_initial_state()
        self.other: State | None = None
        self.pairs = self.compared = 0
        self.leaks: list[Leak] = []
        self._begin(rng.below(typical) if typical and rng.below(2) else 0)

    def _begin(self, step: int) -> None:
        self.other = None
        self.viewer = self.rng.below(self.game.players)
        self.often = OFTEN[self.rng.below(len(OFTEN))]
        self.begin = step

    def play(self) -> None:
        """Until the game is over, or something was found."""
        one, watch = self.one, Watch(self.game)
        while one.position.actor != TERMINAL and not self.leaks:
            offered = choices(one.position)
            action, several = pick(one.position, self.rng, offered)
            if watch.look(one.position, several) is not None:
                break
            if not self._step(action, offered):
                if self.pairs >= self.most:
                    return
                self._begin(len(one.moves) + self.rng.below(4))
        if self.other is not None and not self.leaks:
            self._compare_all_it_is_handed(one, self.other)

    def _step(self, action: int, offered: Any) -> bool:
        """One step of the game, in both worlds where there are two. Whether they go on side by side."""
        one, other = self.one, self.other
        part = len(one.moves) >= self.begin and (other is None or self.rng.below(self.often) == 0)
        mate = self._mate(action, part, offered) if other is not None or part else action
        if mate is None:
            _do(one, action, offered)
            self._overhear(one)
            return False
        if other is None and mate != action:
            other = self.other = one.clone()
            self.pairs += 1
        before = (one.clone(), other.clone()) if other is not None and self.rng.below(16) == 0 else None
        _do(one, action, offered)
        self._overhear(one)
        if other is None:
            return True
        try:
            _do(other, mate)
        except RuleFault:
            return False
        self._overhear(other)
        self.compared += 1
        alike = self._alike(one, other)
        if not alike and not self.leaks and before is not None and before[0].position is not before[1].position:
            self._compare_all_it_is_handed(*before)
        return alike

    # ------------------------------------------------------------------------------ what the other world does

    def _mate(self, action: int, part: bool, offered: Any) -> int | None:
        """What the other world does where the first does `action`: if they shall `part`, something else that sounds the
        same, if there is anything. None where it has nothing."""
        one, other = self.one, self.other or self.one
        position, viewer = one.position, self.viewer
        there = _ids(other, offered if other is one else None)
        if position.actor == viewer:
            return action if action in there else None
        together = self.game.variant.phases[position.phase].kind == "together"
        if part and together and self.rng.below(KEPT_APART) == 0:
            return there[self.rng.below(len(there))]
        sound = one._label_for(viewer, position, position.actor, action)
        alike = [action] if action in there and self._sounds(other, action) == sound else []
        if (part or not alike) and self._may_be_another(sound):
            others = [a for a in there if a != action and self._sounds(other, a) == sound]
            if others and (part or not alike):
                return others[self.rng.below(len(others))]
        return alike[0] if alike else None

    def _sounds(self, world: State, action: int) -> str:
        return world._label_for(self.viewer, world.position, world.position.actor, action)

    def _may_be_another(self, sound: str) -> bool:
        """Whether there can be several actions that sound so: something of them is not heard, or they share a label."""
        game = self.game
        alone = len(game.ids) == len(game.labels) and len(game.chance_ids) == len(game.chance_labels)
        return "?" in sound or not alone

    # ------------------------------------------------------------------------------ what is compared

    def _overhear(self, world: State) -> None:
        for got, otherwise in overheard(world, self.viewer):
            self.leaks.append(leak(got, self.viewer, (otherwise, world), world))

    def _alike(self, one: State, other: State) -> bool:
        """Compares what the viewer gets after a step, as long as what it may know is the same. Whether all is."""
        viewer, step = self.viewer, len(one.moves) - 1
        if one.heard(viewer, step) != other.heard(viewer, step):
            return False
        view, another = one.view(viewer), other.view(viewer)
        if view != another or turn(one, viewer) != turn(other, viewer):
            knows, knew = learnt(one, viewer, view), learnt(other, viewer, another)
            if knows.public != knew.public:
                return False
            self._compare(one, other, who_sees(one, view), who_sees(other, another))
            if knows.seen != knew.seen:
                return False
            self._compare(one, other, how_it_stands(one, viewer, view), how_it_stands(other, viewer, another))
            if self.leaks:
                return False
        if one.position.actor == viewer:
            offered, there = one.legal_actions(), other.legal_actions()
            one._offered, other._offered = (one.position, offered), (other.position, there)
            if offered != there:
                self._compare(one, other, what_can_be_done(one), what_can_be_done(other))
        if one.position.actor >= 0:
            asked = self._asked()
            self._compare(one, other, why_not(one, viewer, asked), why_not(other, viewer, asked))
        return not self.leaks

    def _asked(self) -> list[tuple[str, list[int]]]:
        """Some actions of the phase at hand."""
        every = asking(self.game, self.one.position.phase, self.game.num_distinct_actions())
        return [(element, [ids[self.rng.below(len(ids))] for _ in range(ASKED)]) for element, ids in every]

    def _compare(self, one: State, other: State, gets: Iterable[Got], got: Iterable[Got]) -> None:
        """Of both worlds the same channels come in the same order."""
        for mine, yours in zip(gets, got, strict=True):
            if mine.value != yours.value:
                self.leaks.append(leak(yours, self.viewer, (mine.value, one), other))
                if mine.channel == PHASE:  # of that another turn is a consequence
                    return

    def _compare_all_it_is_handed(self, one: State, other: State) -> None:
        """Observations and information states are made of what is compared step by step, and of nothing else."""
        if not one.moves:
            return
        viewer, element = self.viewer, f"phases.{self.game.phase_name(one.trail[-1])}"
        handed = ["observation_string", "observation_tensor"]
        handed += ["information_state_string"] if len(one.moves) <= LONGEST_RECALL else []
        for name in handed:
            mine, yours = (_plain(getattr(world, name)(viewer)) for world in (one, other))
            if mine != yours:
                self.leaks.append(leak(Got(f"what `{name}` says", element, yours), viewer, (mine, one), other))


def _plain(handed: Any) -> Any:
    return handed if isinstance(handed, str) else handed.tolist()


def _ids(world: State, offered: Any) -> list[int]:
    """What can be done, or happen, in a world."""
    there = choices(world.position) if offered is None else offered
    return [outcome for outcome, _ in there] if world.position.actor == CHANCE else there


def _do(world: State, action: int, offered: Any = None) -> None:
    """One step that is known to be legal."""
    if offered is not None or world._offered is None or world._offered[0] is not world.position:
        world._offered = world.position, _ids(world, offered)
    world.apply_action(action)
