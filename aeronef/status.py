"""What every failure looks like: one clear line on stderr, and an exit status.

0 fine, 1 the thing checked is wrong, 2 the call or the input is wrong or nobody reads the output, 128+n ended by
signal n (130 interrupted, 143 terminated).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from aeronef.commands.common import Failed
from aeronef.files import said
from aeronef.runtime.errors import AeronefError, BadInput

FINE, WRONG, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

# What ends a process beside an interrupt (SIGHUP: its terminal is gone), as far as the system has it.
ENDING = [number for number in signal.Signals if number.name in ("SIGTERM", "SIGHUP")]


def prepare_streams() -> None:
    """Output that a terminal's encoding does not have is escaped; that for which there is no stream is dropped."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def guarded(command: Callable[[], int]) -> int:
    """Runs a command; whatever goes wrong with the rules or the input becomes a line and a status."""
    try:
        status = command()
        sys.stdout.flush()
        return status
    except Failed:
        return WRONG
    except BadInput as error:
        return complained(str(error), UNUSABLE)
    except AeronefError as error:
        return complained(str(error), WRONG)
    except BrokenPipeError:
        return pipe_closed()
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        what = f"`{error.filename}`" if error.filename else "the output"
        return complained(f"cannot use {what}: {said(error)}", UNUSABLE)


@contextmanager
def ended_by_signals(heard: list[int]) -> Iterator[None]:
    """Within it, the first signal that ends the process is noted and raises KeyboardInterrupt, so that what runs cleans
    up. What comes after it belongs to the same end. A signal that the caller ignores or handles stays the caller's."""

    def end(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        if len(heard) == 1:
            raise KeyboardInterrupt

    ours = [number for number in ENDING if signal.getsignal(number) == signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        ours = []  # only the main thread may set handlers
    try:
        for number in ours:
            signal.signal(number, end)
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def complained(message: str, status: int) -> int:
    from aeronef.render import complain

    with suppress(OSError, SystemExit):  # rich leaves a closed pipe by SystemExit
        complain(message)
    _forget_output()
    return status


def interrupted(heard: list[int]) -> int:
    """The end by the first signal of `heard`, or else by an interrupt."""
    number = signal.Signals(heard[0] if heard else signal.SIGINT)
    with suppress(OSError):
        print("interrupted" if number == signal.SIGINT else f"stopped by {number.name}", file=sys.stderr)
    _forget_output()
    return 128 + number


def pipe_closed() -> int:
    return complained("the reader closed the pipe", UNUSABLE)


def _forget_output() -> None:
    """What cannot be written any more is dropped, or the interpreter would complain at its end."""
    with open(os.devnull, "w") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                with suppress(OSError, ValueError):
                    os.dup2(nowhere.fileno(), stream.fileno())
