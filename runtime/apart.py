"""Choices together, each made apart: how a game stands for each seat while it alone has chosen.

A choice together is played one seat after the other, and no choice depends on another (AE603). So each seat that is
asked can be given a state of its own, in which nobody else has chosen yet; what it sees there and what is legal is
what it sees, and what is legal, when its turn comes.
"""

from __future__ import annotations

from aeronef.runtime.errors import BadInput
from aeronef.runtime.state import State


def asked(state: State) -> dict[int, State]:
    """For each seat that a choice together asks a state of its own, in which it is to choose.

    Raises BadInput where no choice together begins.
    """
    begun = state.position
    phase = state.game.variant.phases[begun.phase] if begun.actor >= 0 else None
    if phase is None or phase.kind != "together" or begun.steps != begun.began:
        raise BadInput(f"no choice together begins in phase `{state.phase}`")
    found = {}
    for seat in dict.fromkeys([begun.actor, *begun.queue]):  # where each chooses once, the first has left the queue
        own = begun.copy()
        own.queue = [seat]
        if own.following[own.phase](own) is None:
            found[seat] = state.clone()
            found[seat].position = own
    return found


def choose(own: State, action: int) -> bool:
    """A seat's choice, in its own state: whether it is to choose again. Raises IllegalAction; nothing changes then."""
    action = own.check_action(action)
    before = own.position
    after = before.copy()
    step = after.doing[after.phase][action]
    after.steps += 1
    step(after)
    again = after.following[after.phase](after) is None
    own.trail.append(before)
    own.moves.append((before.actor, action))
    own.position = after
    return again
