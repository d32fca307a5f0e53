"""What a spec compiles to, kept until one of its files or the compiler is another.

What comes of a spec depends on the compiler, on its text, and on the files that it extends or names, which lie beside
it or among the shipped specs. So with the module each file's name and digest is kept, for both places, of a file that
is not there too: while all are as they were, compiling would give the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from functools import cache as once
from pathlib import Path
from typing import TYPE_CHECKING

from aeronef import cache
from aeronef.runtime.errors import BadInput

if TYPE_CHECKING:
    from aeronef.dsl.compiler import Compilation

SUFFIX = ".json"


@once
def compiler_stamp() -> str:
    """What tells this compiler from an older or a changed one: the sizes and times of its files, and of those that
    number what it compiles."""
    home = Path(__file__).parent
    files = [
        *sorted((home / "dsl").rglob("*.*")),
        *sorted((home / "runtime").glob("*.py")),
        *sorted(home.glob("c_*.py")),
    ]
    told = [(file.name, file.stat()) for file in files if file.suffix in (".py", ".lark", ".json")]
    return "\0".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in told)


def find(path: Path, library: Path) -> tuple[str, str] | None:
    """The name of the game of the spec at a path, and the text of its module, if they are kept.

    Raises OSError where the spec cannot be read.
    """
    key = _key(path.name, path.read_bytes())
    for found in cache.find(key, SUFFIX):
        with suppress(OSError, ValueError):
            kept = json.loads(found.read_text(encoding="utf-8"))
            if kept["files"] == _digests(_contents(kept["files"], path.parent, library)):
                return kept["name"], kept["text"]
    return None


def keep(path: Path, library: Path, run: Compilation, name: str, text: str) -> None:
    """Keeps what the spec at a path compiled to in `run`. Where nothing can be kept, or a file is no longer what was
    compiled, nothing is."""
    contents = _contents(run.report.texts, path.parent, library)
    for file, found in contents.items():
        if all(raw is None or _text(raw) != run.report.texts[file] for raw in found):
            return
    kept = {"files": _digests(contents), "name": name, "text": text}
    with suppress(BadInput, OSError), cache.draft() as folder:
        made = folder / "module.json"
        made.write_text(json.dumps(kept), encoding="utf-8")
        cache.keep(_key(path.name, run.raw), made, SUFFIX)


def _key(name: str, raw: bytes) -> str:
    told = b"\0".join((name.encode(), raw, compiler_stamp().encode()))
    return f"{Path(name).stem}-{hashlib.sha256(told).hexdigest()[:32]}"


Contents = dict[str, list[bytes | None]]


def _contents(files: Iterable[str], *folders: Path) -> Contents:
    """For each name what is in the files that have it."""
    return {name: [_read(folder / name) for folder in folders] for name in sorted(files)}


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _digests(contents: Contents) -> dict[str, list[str | None]]:
    return {
        name: [None if raw is None else hashlib.sha256(raw).hexdigest() for raw in found]
        for name, found in contents.items()
    }


def _text(raw: bytes) -> str:
    """As the compiler reads it."""
    from aeronef.dsl.diagnostics import Report, SpecError
    from aeronef.dsl.reader import decode

    try:
        return decode("", raw, Report()).text
    except SpecError:
        return ""
