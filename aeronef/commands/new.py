"""`aeronef new`: a small spec to start from, or a variant of another."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from aeronef.commands.common import said_on_stderr
from aeronef.dsl import ir
from aeronef.dsl.compiler import compile_file
from aeronef.dsl.printer import spell
from aeronef.dsl.reader import Mapping
from aeronef.dsl.types import Int
from aeronef.files import write_whole
from aeronef.loading import is_path, library, spec_path
from aeronef.render import output, say
from aeronef.runtime.errors import BadInput

PLACEHOLDER = re.compile(r"\bNAME\b")


def new_spec(name: str, base: str | None = None) -> int:
    """Raises BadInput where it is no name of a game, or there is such a file, or no such base; Failed where the base
    does not compile."""
    name = name.removesuffix(".yaml")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise BadInput(f"`{name}` cannot name a game: small letters, digits and _, a letter first")
    path = Path(f"{name}.yaml")
    if path.exists() or path.is_symlink():
        raise BadInput(f"there is a file `{path}` already")
    if base is None:
        template = resources.files("aeronef").joinpath("templates/new.yaml").read_text(encoding="utf-8")
        write_whole(path, PLACEHOLDER.sub(name, template))
    else:
        write_whole(path, _variant(name, base))
    out = output()
    say(f"{path} is written; now:", console=out)
    diff = [f"diff {base} {path}"] if base is not None else []
    for command in (f"check {path}", *diff, f"run {path} -n 1000", f"test {path}"):
        say(f"  aeronef {command}", console=out)
    return 0


def _variant(name: str, base: str) -> str:
    """An overlay over a spec: nothing is changed yet, and what could be stands there as a remark."""
    path = spec_path(base)
    if is_path(base) and path.resolve().parent not in (Path.cwd().resolve(), library().resolve()):
        raise BadInput(f"a spec extends a shipped one, or a file beside it: go to the folder of `{base}` first")
    if path.stem == name:
        raise BadInput(f"`{name}` cannot extend itself: choose another name")
    with said_on_stderr(path):
        run = compile_file(path, library())
    game, root = run.game, run.root
    assert game is not None
    assert isinstance(root, Mapping)
    lines = [
        f"# {name}: {game.name} with a difference. It says only what differs; what it does not name stays as it is.",
        f"game: {name}",
        f"extends: {path.stem}",
        f"says: {game.name}, with a difference.",
        "",
        "# Take the # away from what you change. `aeronef compile --emit spec` shows all that is there.",
        *_wishes(game, root),
    ]
    return "\n".join(lines) + "\n"


def _wishes(game: ir.Game, root: Mapping) -> list[str]:
    """Changes that the base could have: its numbers first, for they are what is tried first. `root` is the base without
    its optional rules, for what only these bring is not there to be changed."""
    defines, variables = (
        {key.text for key, _ in section} if isinstance(section := root.get(name), Mapping) else set()
        for name in ("define", "vars")
    )
    numbers = [
        (d.name, spell(d.body))
        for d in game.defines
        if not d.params and isinstance(d.body, ir.Const) and d.name in defines
    ]
    starts = [
        (v.name, spell(v.starts))
        for v in game.variables
        if isinstance(v.type, Int)
        and isinstance(v.starts, ir.Const)
        and v.starts.value is not None
        and v.name in variables
    ]
    found = ["# change:"]
    if numbers:
        found += ["#   define:", *(f"#     {name}: {{is: {value}}}" for name, value in numbers)]
    if starts:
        found += ["#   vars:", *(f"#     {name}: {{starts: {value}}}" for name, value in starts)]
    if game.options:
        option = game.options[0]
        found += ["#   options:", f"#     {option.name}: {{says: In your own words.}}"]
    return found
