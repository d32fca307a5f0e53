"""Positions whose steps are made in C, and which are otherwise like all others.

A native position holds the C struct of its game as a buffer, and beside it `actor`. Its parts (zones, variables, what
every position has) are read out of the buffer when somebody asks for one: so views, tensors, transcripts and reasons,
which are derived from parts by the same code for any back end, need no code of their own here. Who changes a part
thaws the position: from then on the parts are what counts, until the next step, which packs them again.
"""

from __future__ import annotations

from ctypes import c_int32
from typing import Any

from aeronef.native.library import BROKEN, Library
from aeronef.runtime.kernel import Position

NOTHING, SOME, ALL = range(3)  # how much of the buffer has been read


def native_class(base: type[Position], library: Library) -> type[Any]:
    """The class of a game's positions, of which `base` is the readable one."""
    layout = library.layout
    head = layout.head
    members = (*head, "back", "queue", "row", *base.members())
    slots = {name: _slot(base, name) for name in members}
    put = {name: slot.__set__ for name, slot in slots.items()}
    put_actor = put["actor"]
    quick, scratch, Buffer = library.quick, library.scratch, library.Buffer
    copied = Buffer.from_buffer_copy
    c_apply, c_legal, c_outcomes, c_head = quick["apply"], quick["legal"], quick["outcomes"], quick["head"]
    c_observe = quick["observe"]
    c_ranking, c_returns, c_same = quick["ranking"], quick["returns"], quick["same"]

    class Native(base):  # type: ignore[valid-type, misc]
        __slots__ = ("_at", "_read")

        # ---------------------------------------------------------------------- parts

        def __getattr__(self, name: str) -> Any:
            """A part that has not been read yet. (What has been is found before this is asked.)"""
            if name == "_at":  # of one that nobody has packed
                return None
            if name == "_read":
                return NOTHING
            if name not in slots or self._at is None:
                raise AttributeError(f"a position has no `{name}`")
            if name in head:
                c_head(self._at, scratch.numbers)
                found = layout.head_of(scratch.numbers[: len(head)])
                set_read(self, max(SOME, self._read))
            else:
                n = quick["dump"](self._at, scratch.numbers)
                found = layout.read(scratch.numbers[:n])
                set_read(self, ALL)
            for part, value in found.items():
                put[part](self, value)
            return found[name]

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in slots:
                raise AttributeError(f"a position has no `{name}`")
            if self._at is not None:
                if self._read != ALL:
                    self.__getattr__("queue")
                set_at(self, None)
            put[name](self, value)

        def _packed(self) -> Any:
            """The buffer: of one that was thawed, of its parts as they are now. None where C has no room for them, as
            no play leads to them: such a position is put together by hand, and goes on in Python."""
            if self._at is not None:
                return self._at
            numbers = layout.write(self)
            if numbers is not None:
                at = Buffer()
                if quick["restore"](at, (c_int32 * len(numbers))(*numbers)):
                    n = quick["dump"](at, scratch.numbers)
                    if scratch.numbers[:n] == numbers:  # else they did not fit
                        return at
            return None

        # ---------------------------------------------------------------------- what is made in C

        def ranks_at_end(self) -> list[int] | None:
            if self._at is None:
                return None
            c_ranking(self._at, scratch.ranks)
            return scratch.ranks[:]

        def worth_at_end(self) -> list[float] | None:
            if self._at is None or self.cut:
                return None
            c_returns(self._at, scratch.worth)
            return scratch.worth[:]

        def numbers_for(self, player: int | None, frozen: Any = None) -> Any:
            """What a player may know (None: all that there is) as `tensors` has it; None where parts were changed."""
            then = None if frozen is None else frozen._at
            if self._at is None or (frozen is not None and then is None):
                return None
            import numpy as np

            found = np.empty(library.shown, np.float32)
            c_observe(self._at, then, -1 if player is None else player, found.ctypes.data)
            return found

        def is_like(self, other: Any) -> bool | None:
            if self._at is None or other._at is None:
                return None
            alike: bool = c_same(self._at, other._at)
            return alike

        def copy(self) -> Any:
            at = self._at
            if at is None:
                return base.copy(self)
            new = object.__new__(Native)
            set_at(new, copied(at))
            set_read(new, NOTHING)
            put_actor(new, self.actor)
            return new

        def __copy__(self) -> Any:
            return self.copy()

        def __deepcopy__(self, memo: object) -> Any:
            return self.copy()

        def legal(self) -> list[int]:
            if self.actor < 0:
                return []
            at, ids = self._packed(), scratch.ids
            if at is None:
                return base.legal(self)
            n = c_legal(at, ids)
            if n == BROKEN:
                raise library.fault(at)
            found: list[int] = ids[:n]
            return found

        def outcomes(self) -> list[tuple[int, int]]:
            if self.actor != -1:
                return []
            at, ids, weights = self._packed(), scratch.ids, scratch.weights
            if at is None:
                return base.outcomes(self)
            n = c_outcomes(at, ids, weights)
            return list(zip(ids[:n], weights[:n], strict=True))

        def apply(self, action: int) -> None:
            at = self._at
            if at is None:
                at = self._packed()
                if at is None:
                    base.apply(self, action)
                    return
                set_at(self, at)
                set_read(self, ALL)
            actor = c_apply(at, action)
            if actor == BROKEN:
                raise library.fault(at)
            if self._read:
                for name in head if self._read == SOME else members:
                    slots[name].__delete__(self)
                set_read(self, NOTHING)
            put_actor(self, actor)

    set_at, set_read = Native.__dict__["_at"].__set__, Native.__dict__["_read"].__set__
    Native.__name__ = Native.__qualname__ = "Position"
    Native.__module__, Native.__doc__ = base.__module__, base.__doc__
    return Native


def started(position_class: type[Any], library: Library) -> Any:
    """The position before the first step. Raises RuleFault where the rules cannot even start."""
    at = library.Buffer()
    actor = library.quick["start"](at)
    if actor == BROKEN:
        raise library.fault(at)
    return packed(position_class, at, actor)


def packed(position_class: type[Any], at: Any, actor: int | None = None) -> Any:
    """The position of a buffer; who acts is read out of it, if the caller does not know."""
    new = object.__new__(position_class)
    position_class.__dict__["_at"].__set__(new, at)
    position_class.__dict__["_read"].__set__(new, NOTHING)
    if actor is not None:
        Position.__dict__["actor"].__set__(new, actor)
    return new


def _slot(base: type[Position], name: str) -> Any:
    return next(kind.__dict__[name] for kind in base.__mro__ if name in kind.__dict__)
