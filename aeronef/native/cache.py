"""The folder where built libraries are kept.

A library's file name is what it was built of, then what it holds: `KEY-CONTENT.so`, both digests. So a file that was
damaged is known by its name, and is made again; and as files come to their names whole, by one rename, any number of
processes can build the same at once.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aeronef.files import said
from aeronef.runtime.errors import BadInput

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
DRAFT = ".draft-"
STALE_S = 3600.0  # a draft this old is of a process that was killed


def folder() -> Path:
    """AERONEF_CACHE, or else `aeronef` where this system keeps what can be made again."""
    if given := os.environ.get("AERONEF_CACHE"):
        return Path(given)
    home, told = Path.home(), ""
    if sys.platform == "win32":
        usual, told = home / "AppData" / "Local", os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        usual = home / "Library" / "Caches"
    else:
        usual, told = home / ".cache", os.environ.get("XDG_CACHE_HOME", "")
    return (Path(told) if os.path.isabs(told) else usual) / "aeronef"  # XDG: a relative one is to be ignored


def find(key: str) -> Path | None:
    """The library of a key, if there is one that is sound. Damaged ones are removed."""
    for path in sorted(folder().glob(f"{key}-*{SUFFIX}")):
        with suppress(OSError):
            if path.name == _name(key, path.read_bytes()):
                return path
            path.unlink()
    return None


def keep(key: str, built: Path) -> Path:
    """Gives a library that was built in a draft its name, and the path that it then has. Raises BadInput."""
    target = folder() / _name(key, built.read_bytes())
    try:
        os.replace(built, target)
    except OSError as error:
        if find(key) != target:  # Windows does not replace what somebody has loaded
            raise _unusable(error) from None
    return target


@contextmanager
def draft() -> Iterator[Path]:
    """A folder to build in, beside the libraries and gone afterwards, with what others have left.

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


def _name(key: str, content: bytes) -> str:
    return f"{key}-{hashlib.sha256(content).hexdigest()[:16]}{SUFFIX}"


def _unusable(error: OSError) -> BadInput:
    return BadInput(f"cannot keep libraries in `{folder()}` (AERONEF_CACHE names another folder): {said(error)}")
