"""What all tests share: the flag that rewrites expected outputs, to be reviewed as a diff; games as C."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from aeronef.native.game import NativeGame
    from aeronef.runtime.game import Game


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what the tests got as what they expect")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where libraries are kept for one run of the tests. Skips where there is no C compiler."""
    from aeronef.native.compiler import NoCompiler, find_compiler

    try:
        find_compiler()
    except NoCompiler:
        pytest.skip("there is no C compiler")
    return tmp_path_factory.mktemp("native")


@pytest.fixture(scope="session")
def native(built: Path) -> Any:
    """A game by its spec, players and options, in Python and in C (strictly built, and kept for one run)."""
    from tests.emit.c.native import Spec, game_of, native_of

    def load(spec: Spec, players: int | None = None, **options: Any) -> tuple[Game, NativeGame]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AERONEF_CACHE", str(built))
            return game_of(spec, players, options), native_of(spec, players, options)

    return load
