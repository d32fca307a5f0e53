"""`aeronef compile`: specs to Python modules, written whole, or proven fresh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from itertools import zip_longest
from pathlib import Path

from aeronef.c_source import c_source
from aeronef.commands.common import Failed, parse_options, said_on_stderr
from aeronef.dsl.compiler import Compilation, compile_file
from aeronef.dsl.emit.python import emit_python
from aeronef.dsl.emit.spec import emit_spec
from aeronef.dsl.ir import Game
from aeronef.dsl.plan.printer import print_plan
from aeronef.dsl.printer import print_game
from aeronef.files import read_text, shown, write_whole
from aeronef.loading import execute, is_path, library, shipped, spec_path
from aeronef.render import counted, errors, output, say
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game as Played


@dataclass(frozen=True, slots=True)
class _Work:
    """A compiled spec, and where its module belongs."""

    path: Path
    run: Compilation
    target: Path

    @property
    def game(self) -> Game:
        assert self.run.game is not None
        return self.run.game

    def text(self) -> str:
        return emit_python(self.game, self.path.name)

    def spec(self, players: int | None, options: list[str]) -> str:
        """The spec as one, with the overlays that the options switch on. Raises BadInput."""
        on = self._played(players, options).overlays
        root = next(each.root for each in self.run.combined if each.on == frozenset(on))
        return emit_spec(root, self.path.name, on)

    def c(self, players: int | None, options: list[str]) -> str:
        """The C file of the game for these players and options. Raises BadInput."""
        return c_source(self.run, self._played(players, options))

    def _played(self, players: int | None, options: list[str]) -> Played:
        return Played(execute(self.text(), self.game.name), players, parse_options(options))


PRINTED: dict[str, Callable[[_Work], str]] = {
    "ir": lambda work: print_game(work.game), "plan": lambda work: print_plan(work.game), "python": _Work.text,
}  # fmt: skip


def compile_specs(
    specs: list[str], folder: Path | None, check: bool, emit: str | None, players: int | None, options: list[str]
) -> int:
    """Raises BadInput; Failed where a spec does not compile, or `check` finds a stale file."""
    if emit is not None and emit not in (*PRINTED, "spec", "c"):
        raise BadInput(f"--emit is spec, plan, ir, python or c, not `{emit}`")
    if emit not in ("spec", "c") and (players is not None or options):
        raise BadInput("a module is for all players and options: --players and -o go with --emit spec or c")
    if emit is not None and (check or folder is not None):
        raise BadInput("--emit prints and writes nothing: it goes with neither --check nor --output")
    names = specs or shipped()
    if folder is not None and not folder.is_dir():
        raise BadInput(f"there is no folder `{folder}`")
    # Every call is looked at, and everything compiled, before the first file is written.
    paths = [spec_path(name) if is_path(name) else shown(spec_path(name)) for name in names]
    targets = [_folder(name, path, folder, emit is not None) for name, path in zip(names, paths, strict=True)]
    works, failed = [], False
    for path, target in zip(paths, targets, strict=True):
        try:
            works.append(_compiled(path, target))
        except Failed:
            failed = True
    if failed:
        raise Failed
    if emit is not None:
        for work in works:
            if emit == "spec":
                print(work.spec(players, options), end="")
            elif emit == "c":
                print(work.c(players, options), end="")
            else:
                print(PRINTED[emit](work), end="")
        return 0
    _refuse_collisions(works)
    if check:
        return 1 if [work for work in works if not _is_fresh(work)] else 0
    for work in works:
        _write(work)
    return 0


def _compiled(path: Path, folder: Path) -> _Work:
    with said_on_stderr(path):
        run = compile_file(path, library())
    assert run.game is not None
    if run.report.findings:
        say(f"{path}: {counted(run.report)} (aeronef check {path})", console=errors())
    return _Work(path, run, folder / f"{run.game.name}.py")


# ------------------------------------------------------------------------------------------ where it goes


def _folder(name: str, path: Path, given: Path | None, prints: bool) -> Path:
    """Where the module of a spec goes: as said, else generated/ for a shipped variant, else beside the spec."""
    if given is not None or prints:
        return given or Path()
    if not is_path(name) or path.resolve().parent == _folder_of("variants"):
        return shown(_folder_of("generated"))
    return path.parent


def _refuse_collisions(works: list[_Work]) -> None:
    """Raises BadInput where the modules of two specs would be one file. The same spec may be named twice."""
    first: dict[Path, _Work] = {}
    for work in works:
        other = first.setdefault(work.target.resolve(), work)
        if other.path.resolve() != work.path.resolve():
            raise BadInput(
                f"`{other.path}` and `{work.path}` are both the game `{work.game.name}`: one of their modules would"
                f" overwrite the other, as `{work.target}`"
            )


def _folder_of(half: str) -> Path:
    return Path(str(resources.files(f"aeronef.{half}"))).resolve()


# ------------------------------------------------------------------------------------------ fresh or written


def _is_fresh(work: _Work) -> bool:
    if not work.target.is_file():
        say(f"{work.target} is missing: aeronef compile {work.path}", console=errors())
        return False
    wanted, there = work.text(), read_text(work.target)
    if wanted == there:
        say(f"{work.target} is fresh", console=output())
        return True
    lines = zip_longest(there.split("\n"), wanted.split("\n"))
    number, (found, expected) = next((i, pair) for i, pair in enumerate(lines, start=1) if pair[0] != pair[1])
    say(f"{work.target} is stale, from line {number} on (aeronef compile {work.path}):", console=errors())
    say(f"  there stands  {'the end of the file' if found is None else found}", console=errors())
    say(f"  expected      {'the end of the file' if expected is None else expected}", console=errors())
    return False


def _write(work: _Work) -> None:
    target, text = work.target, work.text()
    if target.is_file() and read_text(target) == text:
        say(f"{target} is fresh", console=output())
        return
    shipped_modules = _folder_of("generated")
    if target.resolve().parent == shipped_modules and not (shipped_modules.parent / "pyproject.toml").is_file():
        raise BadInput(
            f"`{work.game.name}` is part of the installed package: it is compiled again in a checkout of the repository"
            " only (--output DIR writes elsewhere)"
        )
    write_whole(target, text)
    say(f"{target} is written", console=output())
