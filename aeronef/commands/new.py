"""`aeronef new`: a small spec to start from."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from aeronef.files import write_whole
from aeronef.render import output, say
from aeronef.runtime.errors import BadInput

PLACEHOLDER = re.compile(r"\bNAME\b")


def new_spec(name: str) -> int:
    """Raises BadInput where it is no name of a game, or there is such a file."""
    name = name.removesuffix(".yaml")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise BadInput(f"`{name}` cannot name a game: small letters, digits and _, a letter first")
    path = Path(f"{name}.yaml")
    if path.exists() or path.is_symlink():
        raise BadInput(f"there is a file `{path}` already")
    template = resources.files("aeronef").joinpath("templates/new.yaml").read_text(encoding="utf-8")
    write_whole(path, PLACEHOLDER.sub(name, template))
    out = output()
    say(f"{path} is written; now:", console=out)
    for command in ("check {}", "run {} -n 1000", "test {}"):
        say(f"  aeronef {command.format(path)}", console=out)
    return 0
