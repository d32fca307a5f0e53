"""The pages say what is so: every spec on them compiles, every command shown gives what is shown, every link leads."""

from __future__ import annotations

import importlib.util
import json
import re
import runpy
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from aeronef.dsl.compiler import compile_file
from aeronef.dsl.diagnostics import Diagnostic, SpecError
from aeronef.loading import library, load_variant
from aeronef.runtime import scenario
from aeronef.runtime.game import Game
from aeronef.runtime.rng import Rng

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SPECCED = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "docs" / "language.md"]

# A piece of a spec, added to a game that knows nothing of it, is unreached and unused: no mistake of the piece.
LOOSE = {"AE702", "AE703", "AE705", "AE706", "AE707"}


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: where it stands, the words after its fence, and its text."""

    page: Path
    line: int
    info: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def _blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Block(page, text.count("\n", 0, match.start()) + 1, match[1], match[2])


def blocks(pages: list[Path], info: str) -> list[Block]:
    """The blocks whose info begins so."""
    return [block for page in pages for block in _blocks(page) if block.info.startswith(info)]


WHOLE = blocks(SPECCED, "yaml spec")
PIECES = blocks(SPECCED, "yaml add=")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with every whole spec of the pages, each in a file of its game's name, to be extended by others."""
    for block in WHOLE:
        (tmp_path / f"{_game(block)}.yaml").write_text(block.text, encoding="utf-8")
    return tmp_path


def _game(block: Block) -> str:
    found = re.match(r"game: (\w+)$", block.text, re.MULTILINE)
    assert found, f"{block}: a whole spec begins with its `game:`"
    return found[1]


def _found(path: Path) -> list[Diagnostic]:
    try:
        run = compile_file(path, library())
        if run.has_small:
            compile_file(path, library(), small=True)
        return run.report.in_order()
    except SpecError as error:
        return error.report.in_order()


def _said(found: list[Diagnostic]) -> str:
    return "\n".join(f"{d.span}: {d.code}: {d.message} ({d.hint})" for d in found)


@pytest.mark.parametrize("block", WHOLE, ids=str)
def test_a_whole_spec_compiles_without_findings(block: Block, folder: Path) -> None:
    found = _found(folder / f"{_game(block)}.yaml")
    assert not found, _said(found)


@pytest.mark.parametrize("block", PIECES, ids=str)
def test_a_piece_of_a_spec_fits_its_game(block: Block, folder: Path) -> None:
    base = block.info.partition("=")[2]
    indented = "".join(f"  {line}" if line.strip() else line for line in block.text.splitlines(keepends=True))
    path = folder / "piece.yaml"
    path.write_text(f"game: piece\nextends: {base}\nadd:\n{indented}", encoding="utf-8")
    found = [d for d in _found(path) if d.code not in LOOSE]
    assert not found, _said(found)


@pytest.mark.parametrize("block", WHOLE, ids=str)
def test_a_whole_spec_keeps_the_laws(block: Block, folder: Path, cli: Callable[..., Any]) -> None:
    name = _game(block)
    for path in folder.glob("*.yaml"):
        Path(path.name).write_bytes(path.read_bytes())
    result = cli("test", f"{name}.yaml", "-n", 3)
    assert result.status == 0, result.out + result.err


# ------------------------------------------------------------------------------------------ README


def test_the_piece_of_the_race_is_the_races() -> None:
    [block] = [b for b in blocks(SPECCED[:1], "yaml") if b.info == "yaml"]
    race = (library() / "montgolfiere_race.yaml").read_text(encoding="utf-8")
    shown, whole = yaml.safe_load(block.text), yaml.safe_load(race)
    for section, elements in shown.items():
        for name, element in elements.items():
            for key, value in element.items():
                assert whole[section][name][key] == value, f"{section}.{name}.{key}"


def test_the_commands_shown_give_what_is_shown(cli: Callable[..., Any]) -> None:
    cli("new", "lanterns")
    spec = Path("lanterns.yaml")
    spec.write_text(spec.read_text(encoding="utf-8").replace("min(score[p]", "min(scor[p]"), encoding="utf-8")
    shown = blocks(SPECCED[:1], "console")
    assert len(shown) == 2
    for block in shown:
        command, *expected = block.text.splitlines()
        program, *words = shlex.split(command.removeprefix("$ "))
        assert program == "aeronef"
        lines = [line.rstrip() for line in cli(*words).out.splitlines()]
        for line in expected:
            if line == "…":
                continue
            assert line.rstrip() in lines, f"{block}: {line}"


def test_the_commands_to_start_with_work(cli: Callable[..., Any]) -> None:
    lines = [line for block in blocks(SPECCED[:1], "sh") for line in block.text.splitlines()]
    commands = [line for line in lines if line.startswith("aeronef")]
    assert commands
    for command in commands:
        result = cli(*shlex.split(command, comments=True)[1:])
        assert result.status == 0, f"{command}\n{result.out}{result.err}"


def test_every_command_is_in_the_table(cli: Callable[..., Any]) -> None:
    listed = re.findall(r"^  (\w+)  ", cli("--help").out.partition("Commands:")[2], re.MULTILINE)
    table = re.findall(r"^\| `aeronef (\w+)", SPECCED[0].read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(table) == sorted(listed)


def test_the_python_shown_runs(capsys: pytest.CaptureFixture[str]) -> None:
    shown = blocks(SPECCED[:1], "python")
    programs = [block for block in shown if re.match(r"import ", block.text)]
    assert programs
    for block in programs:
        if "pyspiel" in block.text and importlib.util.find_spec("pyspiel") is None:
            continue
        exec(compile(block.text, str(block), "exec"), {})
        assert capsys.readouterr().out, f"{block}: this prints nothing"
    generated = (ROOT / "generated" / "montgolfiere_race.py").read_text(encoding="utf-8")
    for block in shown:
        assert block in programs or block.text in generated, f"{block}: this is not what the compiler writes"


# ------------------------------------------------------------------------------------------ the other pages


def test_every_module_is_on_the_page_of_the_architecture() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for half in ("dsl", "runtime", "aeronef"):
        section = page.partition(f"### `{half}/`")[2]
        for path in sorted((ROOT / half).rglob("*.py")):
            if path.is_symlink() or any(parent.is_symlink() for parent in path.parents):
                continue
            name = path.relative_to(ROOT / half).as_posix()
            assert f"| `{name}` |" in section, f"ARCHITECTURE.md does not say what {half}/{name} is for"


def test_no_module_on_the_page_is_gone() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    names = re.findall(r"^\| `([\w/]+\.(?:py|lark|json))` \|", page.partition("## Every module")[2], re.MULTILINE)
    for name in names:
        assert any((ROOT / half / name).is_file() for half in ("dsl", "runtime", "aeronef")), name


def test_the_passes_on_the_page_are_the_compilers() -> None:
    from aeronef.dsl.compiler import PASSES

    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+_pass)` \|", page, re.MULTILINE) == [step.__name__ for step in PASSES]


def test_the_page_of_codes_is_fresh() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "make_codes.py"))["page"]()
    assert (ROOT / "docs" / "codes.md").read_text(encoding="utf-8") == page, "run docs/make_codes.py"


def test_the_scenario_shown_passes() -> None:
    shown = [block for block in blocks([ROOT / "docs" / "formats.md"], "yaml") if block.text.startswith("variant:")]
    assert shown
    for block in shown:
        document = scenario.read(block.text, str(block))
        variant = load_variant(document.variant)
        for result in scenario.run(document, partial(Game, variant)):
            assert result.ok, f"{block}, line {result.line}: {result.message}"


def test_the_json_shown_is_json() -> None:
    for block in blocks(PAGES, "json"):
        try:
            json.loads(block.text)
        except ValueError:
            for line in block.text.splitlines():
                json.loads(line)


def test_the_numbers_of_the_generator_are_right() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:stream\((\d+), (\d+)\)|state 0) \| `(\w+)` \| `(\w+)` `(\w+)` \|$", page, re.MULTILINE)
    assert len(rows) == 5
    for seed, game, state, first, second in rows:
        rng = Rng.stream(int(seed), int(game)) if seed else Rng(0)
        assert rng.state == int(state, 16)
        assert [rng.next64(), rng.next64()] == [int(first, 16), int(second, 16)]
    found = re.search(r"from stream\(1, 0\) gives ([\d ]+)\.", page)
    assert found
    rng = Rng.stream(1, 0)
    assert [int(word) for word in found[1].split()] == [rng.below(6) for _ in range(12)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in _anchors(path), f"{page.name}: {target}"


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
