"""Parts of a work by several threads: done in order, and an error as if one thread had met it."""

from __future__ import annotations

import signal
import threading
from typing import NoReturn

import pytest

from aeronef.native.pieces import each


@pytest.mark.parametrize("threads", [1, 2, 5, 40])
def test_what_is_done_comes_in_order(threads: int) -> None:
    assert each(lambda part: part * part, range(30), threads) == [part * part for part in range(30)]
    assert each(lambda part: part, [], threads) == []


def test_the_first_error_is_told_and_no_part_begins_after_it() -> None:
    later, begun = threading.Event(), []

    def do(part: int) -> None:
        begun.append(part)
        if part == 3:
            later.set()
            raise ValueError("the later one")
        if part == 2:
            assert later.wait(10)
            raise ValueError("the first one")

    with pytest.raises(ValueError, match="the first one"):
        each(do, range(1000), 3)
    assert len(begun) <= 6


def test_an_interrupt_ends_it_whatever_else_went_wrong() -> None:
    main = threading.main_thread()
    begun = []

    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    def do(part: int) -> None:
        begun.append(part)
        if part == 1:
            assert main.ident is not None
            signal.pthread_kill(main.ident, signal.SIGINT)
            raise ValueError("another fault")

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        with pytest.raises(KeyboardInterrupt):
            each(do, range(1000), 2)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(begun) < 1000
