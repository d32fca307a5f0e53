"""The folder where what was made is kept: built libraries, compiled specs.

A file's name is what it was made of, then what it holds: `KEY-CONTENT.so`, both digests. So a file that was damaged is
known by its name, and is made again; and as files come to their names whole, by one rename, any number of processes can
make the same at once. What nobody has asked for in three months goes.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aeronef.files import said
from aeronef.runtime.errors import BadInput

DRAFT = ".draft-"
OURS = re.compile(r".+-[0-9a-f]{32}-[0-9a-f]{16}\.\w+")  # what is kept: the folder may have other files too
STALE_S = 3600.0  # a draft this old is of a process that was killed
UNUSED_S = 90 * 24 * 3600.0


def folder() -> Path:
    """AERONEF_CACHE, or else `aeronef` where this system keeps what can be made again."""
    if given := os.environ.get("AERONEF_CACHE"):
        return Path(given).expanduser().absolute()
    home, told = Path.home(), ""
    if sys.platform == "win32":
        usual, told = home / "AppData" / "Local", os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        usual = home / "Library" / "Caches"
    else:
        usual, told = home / ".cache", os.environ.get("XDG_CACHE_HOME", "")
    return (Path(told) if os.path.isabs(told) else usual) / "aeronef"  # XDG: a relative one is to be ignored


def find(key: str, suffix: str) -> Iterator[Path]:
    """What is kept under a key, as far as it is sound. Damaged files are removed."""
    for path in sorted(folder().glob(f"{glob.escape(key)}-*{suffix}")):
        try:
            sound = path.name == _name(key, path.read_bytes(), suffix)
        except OSError:
            continue
        with suppress(OSError):  # what belongs to somebody else can be read, and no more
            if sound:
                os.utime(path)
            else:
                path.unlink()
        if sound:
            yield path


def keep(key: str, made: Path, suffix: str) -> Path:
    """Gives a file that was made in a draft its name, and the path that it then has. Raises BadInput."""
    target = folder() / _name(key, made.read_bytes(), suffix)
    try:
        os.replace(made, target)
    except OSError as error:
        if target not in find(key, suffix):  # Windows does not replace what somebody has loaded
            raise _unusable(error) from None
    return target


@contextmanager
def draft() -> Iterator[Path]:
    """A folder to make something in, beside what is kept and gone afterwards, with what others have left.

    Raises BadInput where there is nowhere to write.
    """
    try:
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        _sweep()
        made = Path(tempfile.mkdtemp(prefix=DRAFT, dir=folder()))
    except OSError as error:
        raise _unusable(error) from None
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _sweep() -> None:
    for left in folder().glob(f"{DRAFT}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE_S:
                shutil.rmtree(left, ignore_errors=True)
    for kept in folder().iterdir():
        with suppress(OSError):
            if OURS.fullmatch(kept.name) and time.time() - kept.stat().st_mtime > UNUSED_S:
                kept.unlink()


def _name(key: str, content: bytes, suffix: str) -> str:
    return f"{key}-{hashlib.sha256(content).hexdigest()[:16]}{suffix}"


def _unusable(error: OSError) -> BadInput:
    return BadInput(f"cannot keep anything in `{folder()}` (AERONEF_CACHE names another folder): {said(error)}")
