"""What can go wrong with a running game."""

from __future__ import annotations


class AeronefError(Exception):
    """Base of the runtime's errors; the message is one clear line."""


class IllegalAction(AeronefError, ValueError):
    """The action is not legal here; the state is as it was.

    `reasons` are the tests that fail, as far as the actor may know.
    """

    def __init__(self, message: str, reasons: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons


class RuleFault(AeronefError):
    """The rules themselves went wrong in play: a value out of its range, a card that is not there, nothing to do.

    `place` is the spec's file and line.
    """

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place


class BadInput(AeronefError, ValueError):
    """Something handed to the runtime (an option, a position, a transcript) is not what it must be."""
