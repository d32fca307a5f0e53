"""What every failure looks like: one clear line on stderr, and an exit status.

0 fine, 1 the thing checked is wrong, 2 the call or the input is wrong, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

from aeronef.commands.common import Failed
from aeronef.files import said
from aeronef.runtime.errors import AeronefError, BadInput

FINE, WRONG, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


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


def complained(message: str, status: int) -> int:
    from aeronef.render import complain

    with suppress(OSError):
        complain(message)
    _forget_output()
    return status


def interrupted() -> int:
    with suppress(OSError):
        print("interrupted", file=sys.stderr)
    _forget_output()
    return INTERRUPTED


def pipe_closed() -> int:
    """Nobody reads any more: nothing is said."""
    _forget_output()
    return UNUSABLE


def _forget_output() -> None:
    """What cannot be written any more is dropped, or the interpreter would complain at its end."""
    with open(os.devnull, "w") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                with suppress(OSError, ValueError):
                    os.dup2(nowhere.fileno(), stream.fileno())
