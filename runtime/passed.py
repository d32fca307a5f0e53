"""What a step leads by: which phases are entered, or asked who is next, and how the position stood then."""

from __future__ import annotations

from typing import Any, NamedTuple

from aeronef.runtime.kernel import Position


class Passed(NamedTuple):
    """`verb`: whether the phase is entered, or asked who is next; `guest`: the seat that a detour is of, if it is on
    one; `position`: how it stood before that. After the last the step was over."""

    verb: str
    phase: int
    guest: int | None
    position: Position


def passed(before: Position, action: int) -> list[Passed]:
    """All that a step leads by, in order. The step is made on a copy. Raises what the step raises."""
    way: list[Passed] = []

    def noting(verb: str, methods: tuple[Any, ...]) -> tuple[Any, ...]:
        def noted(phase: int, method: Any) -> Any:
            def run(position: Position) -> Any:
                then = position.copy()
                then.__class__ = base
                way.append(Passed(verb, phase, position.back[-1][4] if position.back else None, then))
                return method(position)

            return run

        return tuple(noted(phase, method) for phase, method in enumerate(methods))

    base = type(before)
    members = {"entering": noting("enters", base.entering), "following": noting("asks", base.following)}
    position = before.copy()
    position.__class__ = type("Position", (base,), {"__slots__": (), "__module__": base.__module__, **members})
    position.apply(action)
    return way


def done(before: Position, action: int) -> Position:
    """The position right after what an action does by itself, before anything follows. Made on a copy."""
    amid = before.copy()
    amid.doing[amid.phase][action](amid)
    return amid
