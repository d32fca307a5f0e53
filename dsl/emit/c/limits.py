"""What the native back end does not know yet, said as one clear error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class NotYet(ValueError):
    """The game needs something that the C emitter does not know: `what`. The message names it, and where it stands: in
    which `element` of the spec, and on which `line`, as far as these are known."""

    def __init__(self, what: str, element: str = "", line: int = 0) -> None:
        self.what, self.element, self.line = what, element, line
        where = ", ".join((element,) * bool(element) + (f"line {line}",) * bool(line))
        super().__init__(f"the native back end does not know {what} yet{f' (at {where})' if where else ''}")


@contextmanager
def within(element: str) -> Iterator[None]:
    """What is not known here is in this element ("" for none), if it is not known to be in one inside of it."""
    try:
        yield
    except NotYet as error:
        if not element or error.element:
            raise
        raise NotYet(error.what, element, error.line) from None
