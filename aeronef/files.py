"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from aeronef.runtime.errors import BadInput


@contextmanager
def whole(path: Path) -> Iterator[TextIO]:
    """A text file to write to, which takes its place when the block ends well, and never was when it does not.

    Something that is no plain file (a pipe, a device) is written to directly. Raises BadInput where that fails.
    """
    with whole_bytes(path) as raw:
        stream = TextIOWrapper(raw, encoding="utf-8", newline="\n", write_through=True)
        yield stream
        stream.flush()
        stream.detach()


@contextmanager
def whole_bytes(path: Path) -> Iterator[BinaryIO]:
    """The same of a file of bytes."""
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise BadInput(f"cannot write `{path}`: it is a folder")
            with target.open("wb") as stream:
                yield stream
            return
        if target.exists() and not os.access(target, os.W_OK):
            raise BadInput(f"cannot write `{path}`: permission denied")
        draft = target.with_name(f".{target.name}.{os.getpid()}.part")
        stream = draft.open("xb")
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        with stream:
            yield stream
        os.replace(draft, target)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise _unwritable(path, error) from None
        raise


def write_whole(path: Path, text: str) -> None:
    """A whole file at once. Raises BadInput where it cannot be written."""
    with whole(path) as stream:
        stream.write(text)


def write_bytes(path: Path, raw: bytes) -> None:
    """The same of bytes."""
    with whole_bytes(path) as stream:
        stream.write(raw)


def read_text(path: Path) -> str:
    """Raises BadInput where the file cannot be read, or is no UTF-8 text."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"`{path}` is no UTF-8 text (byte {error.start})") from None


def read_bytes(path: Path) -> bytes:
    """Raises BadInput where the file cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read `{path}`: {said(error)}") from None


def shown(path: Path) -> Path:
    """A path as a person names it from here: relative, where it lies below the current folder."""
    relative = os.path.relpath(path.resolve())
    return path if relative.startswith("..") else Path(relative)


def said(error: OSError) -> str:
    """The system's reason, as part of a sentence."""
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]


def _unwritable(path: Path, error: OSError) -> BadInput:
    return BadInput(f"cannot write `{path}`: {said(error)}")
