"""Whether games end: what a space of states proves, and the play that never has to end where there is one.

The analysis is that of Markov decision processes (L. de Alfaro, Formal Verification of Probabilistic Systems, 1997): an
*end component* is a set of states in which play can be kept for ever, whatever chance does: from each of them some step
of a seat stays inside, and of chance every one. Where there is none, every game ends with probability 1, however it is
played; where there is not even a circle, in so many steps at most.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from aeronef.runtime.explore import BY_CHANCE, OVER, SEAT, Space


@dataclass(frozen=True, slots=True)
class Circle:
    """Play that never has to end: `entry` is its first state on a shortest play, `states` those of a shortest round
    through it (the entry first). `closed`: nothing leads out of it any more."""

    entry: int
    states: tuple[int, ...]
    closed: bool
    size: int  # of its end component


@dataclass(frozen=True, slots=True)
class Endings:
    """`longest`: the most steps that a game can have, where no state can return. `circles`: the end components, the one
    that is reached first first."""

    circles: tuple[Circle, ...]
    longest: int | None
    whole: bool


def endings(space: Space) -> Endings:
    component = end_components(space)
    members: dict[int, list[int]] = {}
    for state, number in enumerate(component):
        if number >= 0:
            members.setdefault(number, []).append(state)
    circles = [_circle(space, component, states) for states in members.values()]
    longest = _longest(space) if space.whole else None
    return Endings(tuple(sorted(circles, key=lambda c: c.entry)), longest, space.whole)


def end_components(space: Space) -> list[int]:
    """Of each state that was looked into the number of its end component, -1 where it is in none.

    States that were not looked into count as ways out: what is found is surely there.
    """
    n = space.explored
    alive = bytearray(kind != OVER for kind in space.kinds)
    while True:
        component = _strong(space, alive)
        changed = False
        for state in range(n):
            if not alive[state]:
                continue
            inside = [other < n and alive[other] and component[other] == component[state]
                      for other in space.successors(state)]  # fmt: skip
            chance = space.kinds[state] == BY_CHANCE
            stays = all(inside) and state not in space.partial if chance else any(inside)
            if not stays or not inside:
                alive[state] = False
                changed = True
        if not changed:
            return [number if alive[state] else -1 for state, number in enumerate(component)]


def _strong(space: Space, alive: bytearray) -> list[int]:
    """The strongly connected components among the states that are alive (Tarjan's, without recursion)."""
    n = space.explored
    index, low, component = [-1] * n, [0] * n, [-1] * n
    stack: list[int] = []
    counter = components = 0
    for root in range(n):
        if not alive[root] or index[root] >= 0:
            continue
        work = [(root, 0)]
        index[root] = low[root] = counter
        counter += 1
        stack.append(root)
        while work:
            state, k = work.pop()
            successors = space.successors(state)
            while k < len(successors):
                other = successors[k]
                k += 1
                if other >= n or not alive[other]:
                    continue
                if index[other] < 0:
                    work.append((state, k))
                    index[other] = low[other] = counter
                    counter += 1
                    stack.append(other)
                    work.append((other, 0))
                    break
                if component[other] < 0:
                    low[state] = min(low[state], index[other])
            else:
                if low[state] == index[state]:
                    while True:
                        member = stack.pop()
                        component[member] = components
                        if member == state:
                            break
                    components += 1
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[state])
    return component


def _circle(space: Space, component: list[int], states: list[int]) -> Circle:
    entry = states[0]  # states are numbered in breadth: the first is the first that is reached
    number = component[entry]

    def inside(state: int) -> list[int]:
        return [s for s in space.successors(state) if s < len(component) and component[s] == number]

    breaking = {fault.state for fault in space.faults}  # a way out, of a kind
    closed = all(
        len(inside(s)) == len(space.successors(s)) and s not in space.partial and s not in breaking
        for s in states if space.kinds[s] == SEAT
    )  # fmt: skip
    came: dict[int, int] = {}
    waiting = deque([entry])
    while waiting:
        state = waiting.popleft()
        for other in inside(state):
            if other == entry:
                found = [state]
                while found[-1] != entry:
                    found.append(came[found[-1]])
                return Circle(entry, tuple(found[::-1]), closed, len(states))
            if other not in came:
                came[other] = state
                waiting.append(other)
    raise AssertionError("an end component has a round through each of its states")


def _longest(space: Space) -> int | None:
    """The most steps of a play, where no state returns; else None."""
    n = space.explored
    missing = [0] * n
    for other in space.to:
        missing[other] += 1
    steps = [0] * n
    ready = deque([0])
    done = 0
    while ready:
        state = ready.popleft()
        done += 1
        for other in space.successors(state):
            steps[other] = max(steps[other], steps[state] + 1)
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    return max(steps) if done == n else None
