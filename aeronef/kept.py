"""What a spec compiles to, kept until one of its files or the compiler is another.

What comes of a spec depends on the compiler, on its text, and on the files that it extends or names, which lie beside
it or among the shipped specs. So with the module each file's name and digest is kept, for both places, of a file that
is not there too: while all are as they were, compiling would give the same.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cache as once
from pathlib import Path
from typing import Any

from aeronef import cache
from aeronef.runtime.errors import BadInput

SUFFIX = ".json"


@once
def compiler_stamp() -> str:
    """What tells this compiler from an older or a changed one: the sizes and times of its files, and of those that tell
    a game in C how its actions, positions and observations are numbered."""
    home = Path(__file__).parent
    numbering = [home / "runtime" / f"{name}.py" for name in ("description", "game", "tensors")]
    files = [*sorted((home / "dsl").rglob("*.*")), *sorted(home.glob("c_*.py")), *numbering]
    told = [(file.name, file.stat()) for file in files if file.suffix in (".py", ".lark", ".json")]
    return "\0".join(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in told)


def find(path: Path, library: Path) -> tuple[str, str] | None:
    """The name of the game of the spec at a path, and the text of its module, if they are kept.

    Raises OSError where the spec cannot be read.
    """
    key = _key(path)
    for found in cache.find(key, SUFFIX):
        with suppress(OSError, ValueError):
            kept = json.loads(found.read_text(encoding="utf-8"))
            if kept["files"] == _states(kept["files"], path.parent, library):
                return kept["name"], kept["text"]
    return None


def keep(path: Path, library: Path, files: list[str], name: str, text: str) -> None:
    """Keeps what the spec at a path compiled to, which read files of these names. Where nothing can be kept, nothing
    is."""
    kept = {"files": _states(files, path.parent, library), "name": name, "text": text}
    with suppress(BadInput, OSError), cache.draft() as folder:
        made = folder / "module.json"
        made.write_text(json.dumps(kept), encoding="utf-8")
        cache.keep(_key(path), made, SUFFIX)


def _key(path: Path) -> str:
    told = b"\0".join((path.name.encode(), path.read_bytes(), compiler_stamp().encode()))
    return f"{path.stem}-{hashlib.sha256(told).hexdigest()[:32]}"


def _states(files: Any, *folders: Path) -> dict[str, list[str | None]]:
    """For each name the digests of the files that have it."""
    return {name: [_digest(folder / name) for folder in folders] for name in sorted(files)}


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
