"""Another world that a player cannot tell from the one at hand.

A Markov chain over histories (Metropolis–Hastings), begun at the actual one: a proposal swaps two hidden steps, or
takes another outcome for one; it is kept if every view and everything heard by the player stays the same, in
proportion to the probability of the history (chance as it is, hidden decisions uniform). Each world it visits is
consistent with all that the player knows, whatever the game; how close a draw comes to the exact posterior grows with
`sweeps`.
"""

from __future__ import annotations

from fractions import Fraction

from aeronef.runtime.errors import AeronefError
from aeronef.runtime.kernel import CHANCE, Position
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import State, dump
from aeronef.runtime.views import view_data


def resample(state: State, player: int, seed: int, sweeps: int = 8) -> State:
    """A state that shares the player's information state. `sweeps` is how often each hidden step is tried anew."""
    rng = Rng.stream(seed, player)
    world = state.clone()
    hidden = [k for k in range(len(state.moves)) if _is_hidden(state, player, k)]
    for _ in range(sweeps * len(hidden)):
        world = _proposed(world, player, hidden, rng) or world
    world._seen = {}
    return world


def _is_hidden(state: State, player: int, step: int) -> bool:
    """Whether a step can have been another one, for all that the player heard of it."""
    actor, action = state.moves[step]
    if actor == player:
        return False
    before = state.trail[step]
    return "?" in state._label_for(player, before, actor, action) or _together(state, before)


def _together(state: State, before: Position) -> bool:
    return state.game.variant.phases[before.phase].kind == "together"


def _proposed(world: State, player: int, hidden: list[int], rng: Rng) -> State | None:
    """The world after one proposal, or None where it is not kept."""
    first = hidden[rng.below(len(hidden))]
    second = first if rng.below(2) else hidden[rng.below(len(hidden))]
    first, second = min(first, second), max(first, second)
    changes: dict[int, int] = {}
    actor, action = world.moves[first]
    options = [a for a, _ in _weighted(world.trail[first])]
    if first == second:
        changes[first] = options[rng.below(len(options))]
    else:
        other_actor, other = world.moves[second]
        if (actor == CHANCE) != (other_actor == CHANCE):
            return None
        changes = {first: _same_place(world, action, other, actor), second: _same_place(world, other, action, actor)}
    if changes[first] not in options or changes[first] == action:
        return None
    return _replayed(world, player, changes, first, rng)


def _same_place(world: State, mine: int, other: int, actor: int) -> int:
    """The action with the other's values where the player does not hear them, and with its own seat: `draw(0, red)`
    for `draw(0, blue)` and `draw(1, red)`. -1 where the two are of different kinds."""
    table = world.position.chances if actor == CHANCE else world.position.decisions
    kind, values = table[mine]
    other_kind, others = table[other]
    if kind != other_kind or len(values) == 0:
        return other if kind != other_kind else mine
    wanted = (*values[:-1], others[-1])
    return mine + _places(world, actor, kind, wanted) - _places(world, actor, kind, values)


def _places(world: State, actor: int, kind: int, values: tuple[object, ...]) -> int:
    described = (world.game.variant.outcomes if actor == CHANCE else world.game.variant.actions)[kind]
    place = 0
    for domain, value in zip(described.params, values, strict=True):
        every = domain.values(world.game.seats)
        place = place * len(every) + every.index(value)
    return place


def _weighted(position: Position) -> list[tuple[int, int]]:
    return position.outcomes() if position.actor == CHANCE else [(action, 1) for action in position.legal()]


def _replayed(world: State, player: int, changes: dict[int, int], first: int, rng: Rng) -> State | None:
    new = world.clone()
    for _ in range(len(world.moves) - first):
        new.undo_action()
    new._seen = {}
    ratio = Fraction(1)
    last = max(changes)
    for step in range(first, len(world.moves)):
        before, was = new.position, world.trail[step]
        actor, old = world.moves[step]
        action = changes.get(step, old)
        if before.actor != actor:
            return None
        weights, old_weights = dict(_weighted(before)), dict(_weighted(was))
        if action not in weights:
            return None
        ratio *= Fraction(weights[action], sum(weights.values())) / Fraction(
            old_weights[old], sum(old_weights.values())
        )
        try:
            new.apply_action(action)
        except AeronefError:
            return None
        if new.heard(player, step) != world.heard(player, step) or not _looks_alike(new, world, player, step + 1):
            return None
        if step >= last and dump(new.position) == dump(_at(world, step + 1)):
            new.trail += world.trail[step + 1 :]
            new.moves += world.moves[step + 1 :]
            new.position = world.position
            break
    if ratio < 1 and rng.below(1 << 30) >= ratio * (1 << 30):
        return None
    return new


def _at(state: State, step: int) -> Position:
    return state.trail[step] if step < len(state.trail) else state.position


def _looks_alike(new: State, world: State, player: int, step: int) -> bool:
    game = new.game
    return view_data(game, new._known(player, step), player) == view_data(game, world._known(player, step), player)
