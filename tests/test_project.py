"""The repository keeps its own promises: who imports whom, what is on the map, what is shipped."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from aeronef.loading import shipped

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {"dsl": {"aeronef.dsl"}, "runtime": {"aeronef.runtime"}, "generated": {"aeronef.runtime"}}


def modules(folder: str) -> list[Path]:
    return [
        path
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name != "__init__.py" and "__pycache__" not in path.parts
    ]


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports give a module two names"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("folder", sorted(MAY_IMPORT))
def test_each_half_imports_only_what_it_may(folder: str) -> None:
    for path in modules(folder):
        ours = {name for name in imports(path) if name.split(".")[0] == "aeronef"}
        allowed = MAY_IMPORT[folder]
        strays = {name for name in ours if not any(name == a or name.startswith(a + ".") for a in allowed)}
        assert not strays, f"{path.relative_to(ROOT)} imports {strays}"


@pytest.mark.parametrize("folder", ["dsl", "runtime", "aeronef"])
def test_every_module_is_on_the_map(folder: str) -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    missing = [
        str(path.relative_to(ROOT))
        for path in modules(folder)
        if f"`{path.name}`" not in page and path.name not in page
    ]
    assert not missing, f"ARCHITECTURE.md does not name {missing}"


def test_every_shipped_spec_has_its_code_and_its_scenarios() -> None:
    for name in shipped():
        assert (ROOT / "generated" / f"{name}.py").is_file()
        assert (ROOT / "variants" / f"{name}.scenarios.yaml").is_file()


def test_a_compiled_variant_runs_without_the_compiler() -> None:
    code = (
        "import sys, aeronef; aeronef.load('montgolfiere_race', 3).playouts(2); "
        "print([m for m in sys.modules if m.startswith('aeronef.dsl') or m in ('lark', 'jsonschema', 'hypothesis')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_files_stay_readable() -> None:
    """About 500 lines is where a file starts to want splitting; twice that is too long."""
    long = {
        str(p.relative_to(ROOT)): n
        for f in ("dsl", "runtime", "aeronef")
        for p in modules(f)
        if (n := len(p.read_text().splitlines())) > 1000
    }
    assert not long


def test_every_package_is_installed() -> None:
    """A folder of modules that the build does not list would be missing from the wheel alone."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    tops = {"dsl": "aeronef.dsl", "runtime": "aeronef.runtime", "generated": "aeronef.generated", "aeronef": "aeronef"}
    found = {"aeronef.variants"}
    for top, name in tops.items():
        for path in (ROOT / top).rglob("__init__.py"):
            inside = path.parent.relative_to(ROOT / top).parts
            if not any(part in tops or part == "variants" for part in inside):  # the links in aeronef/
                found.add(".".join((name, *inside)))
    assert set(listed) == found
