"""What the native back end does not know yet, said as one clear error."""

from __future__ import annotations


class NotYet(ValueError):
    """The game needs something that the C emitter does not know. The message names it, and where it stands."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(f"the native back end does not know {what} yet{f' (at {where})' if where else ''}")
