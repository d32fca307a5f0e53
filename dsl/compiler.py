"""The passes, in order. Each takes the compilation as the one before left it, and reports what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from aeronef.dsl import ir
from aeronef.dsl.codes import IN_PLAY
from aeronef.dsl.declarations import SECTIONS
from aeronef.dsl.diagnostics import Accepted, Report
from aeronef.dsl.elaborate import elaborate
from aeronef.dsl.lints import EACH, WHOLE
from aeronef.dsl.overlays import flatten, lay
from aeronef.dsl.printer import spell
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, decode, read
from aeronef.dsl.structure import check_structure
from aeronef.dsl.switches import Combination, combinations
from aeronef.dsl.together import check_together
from aeronef.dsl.unite import unite
from aeronef.dsl.verifier import verify


@dataclass(slots=True)
class Compilation:
    """One run of the compiler: what is known so far, and everything there is to say about it."""

    file: str
    raw: bytes
    folder: Path | None
    library: Path | None = None
    small: bool = False  # whether it is the game that `small:` makes of it
    report: Report = field(default_factory=Report)
    root: Node | None = None
    has_small: bool = False
    overlays: tuple[ir.Overlay, ...] = ()
    combined: list[Combination] = field(default_factory=list)
    games: list[ir.Game] = field(default_factory=list)  # one for each combination of overlays
    game: ir.Game | None = None  # all of them as one

    def find(self, name: str) -> Path | None:
        """The file of a spec that another extends: beside it, or in the library."""
        file = name if name.endswith((".yaml", ".yml")) else f"{name}.yaml"
        if Path(file).name != file:
            return None
        for folder in (self.folder, self.library):
            if folder is not None and (folder / file).is_file():
                return folder / file
        return None


def read_pass(run: Compilation) -> None:
    run.root = read(decode(run.file, run.raw, run.report), run.report)
    if not isinstance(run.root, Mapping):
        run.report.add("AE203", run.root.span, "a spec is a mapping", "it starts with `game: NAME`")
        run.report.stop_on_errors()


def overlay_pass(run: Compilation) -> None:
    """`extends:` is replaced by the whole spec, `clauses: FILE` by the mapping that the file holds, and (where that is
    asked for) the game by what `small:` makes of it."""
    assert isinstance(run.root, Mapping)
    _include(run.root, run.folder, run.report)
    run.root = flatten(run.root, run.find, lambda root, folder: _include(root, folder, run.report), run.report)
    small = run.root.get("small")
    run.has_small = small is not None
    if run.small and isinstance(small, Mapping):
        run.root = Mapping([item for item in run.root.items if item[1] is not small], run.root.span)
        lay(small, run.root, run.report)
    if any(error.code.startswith("AE8") for error in run.report.errors):
        run.report.stop_on_errors()


def _include(root: Mapping, folder: Path | None, report: Report) -> None:
    for i, (key, node) in enumerate(root.items):
        if key.text != "clauses" or not isinstance(node, Scalar) or not node.text:
            continue
        try:
            if folder is None or Path(node.text).name != node.text:
                raise FileNotFoundError(node.text)
            raw = (folder / node.text).read_bytes()
        except (OSError, ValueError):
            report.add("AE106", node.span, f"there is no file `{node.text}` beside the spec")
            root.items[i] = (key, Broken(node.span))
            continue
        root.items[i] = (key, read(decode(node.text, raw, report), report))


def switch_pass(run: Compilation) -> None:
    """From here on there is one spec for each combination of overlays that options switch on (most have only one)."""
    assert isinstance(run.root, Mapping)
    section = run.root.get("overlays")
    if section is not None:
        before = len(run.report.errors)
        check_structure(Mapping([item for item in run.root.items if item[1] is section], section.span), run.report,
                        ("overlays",))  # fmt: skip
        if len(run.report.errors) > before:
            run.report.stop_on_errors()
    run.overlays, run.combined = combinations(run.root, run.report)
    if any(error.code.startswith("AE8") for error in run.report.errors):
        run.report.stop_on_errors()


def structure_pass(run: Compilation) -> None:
    for each in _each(run):
        check_structure(each.root, run.report)
        if any(isinstance(each.root.get(section), Broken) for section in (*SECTIONS, "phases")):
            run.report.stop_on_errors()  # no name could be known


def elaborate_pass(run: Compilation) -> None:
    games = [elaborate(each.root, run.report) for each in _each(run)]
    run.games = [game for game in games if game is not None]


def together_pass(run: Compilation) -> None:
    for _, game in zip(_each(run), run.games, strict=True):
        check_together(game, run.report)


def unite_pass(run: Compilation) -> None:
    run.game = unite(run.overlays, run.combined, run.games, run.report)


def verify_pass(run: Compilation) -> None:
    assert run.game is not None
    for game in (*run.games, run.game):
        verify(game)


def lint_pass(run: Compilation) -> None:
    assert run.game is not None
    for _, game in zip(_each(run), run.games, strict=True):
        for check in EACH:
            check(game, run.report)
    for check in WHOLE:
        check(run.game, run.report)
    _accept(run.game, run.report)


def _each(run: Compilation) -> Iterator[Combination]:
    """Each combination in turn; what is reported meanwhile is reported of it."""
    names = [", ".join(f"`{o.name}`" for o in run.overlays if o.name in each.on) for each in run.combined]
    for name, each in zip(names, run.combined, strict=True):
        run.report.about = name
        yield each
    run.report.about = None
    run.report.tell_apart(names)


def _accept(game: ir.Game, report: Report) -> None:
    """Findings that the spec accepts go; an acceptance of nothing is a finding itself. What is found in play is not
    known here: `check` plays."""
    for accept in game.accepts:
        if accept.code in IN_PLAY:
            continue
        kept = [d for d in report.diagnostics if not (d.code == accept.code and d.element == accept.at)]
        if len(kept) == len(report.diagnostics):
            not_found(accept, report)
        else:
            gone = next(d for d in report.diagnostics if d not in kept)
            report.diagnostics[:] = kept
            report.accepted.append(accepted(accept, gone.message))


def not_found(accept: ir.Accept, report: Report) -> None:
    """Reports an acceptance of nothing."""
    message = f"there is no finding {accept.code} at `{accept.at}` to accept"
    report.add("AE708", accept.span, message, "take the acceptance out", element="accepts")


def accepted(accept: ir.Accept, message: str) -> Accepted:
    """How a report tells of an acceptance that was needed."""
    when = spell(accept.when) if accept.when is not None else ""
    return Accepted(accept.code, accept.at, accept.why, message, when)


Pass = Callable[[Compilation], None]
PASSES: tuple[Pass, ...] = (
    read_pass, overlay_pass, switch_pass, structure_pass, elaborate_pass, together_pass, unite_pass, verify_pass,
    lint_pass,
)  # fmt: skip
FORGIVING = (read_pass, overlay_pass, switch_pass, structure_pass)  # after their mistakes there is a spec to look at


def compile_text(
    file: str, raw: bytes, folder: Path | None = None, library: Path | None = None, small: bool = False
) -> Compilation:
    """Compiles a spec's text. `file` names it in diagnostics; files that it names are looked for in `folder`, specs
    that it extends in `library` too. With `small` it is the game that its `small:` makes of it.

    Raises SpecError with every independent error; `.report` of the result holds the findings.
    """
    run = Compilation(file, raw, folder, library, small)
    for step in PASSES:
        step(run)
        if step not in FORGIVING:
            run.report.stop_on_errors()
    return run


def compile_file(path: Path, library: Path | None = None, small: bool = False) -> Compilation:
    """As compile_text. Raises OSError where the file cannot be read."""
    return compile_text(path.name, path.read_bytes(), path.parent, library, small)
