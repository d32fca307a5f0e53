"""docs/mutation.md says which changes of the shipped variants nothing notices: they are changes that are made."""

import re
from pathlib import Path

import pytest

from aeronef.dsl.compiler import compile_file
from aeronef.dsl.mutate import candidates
from aeronef.loading import library, shipped, spec_path

PAGE = Path(__file__).parents[2] / "docs" / "mutation.md"
TEXT = PAGE.read_text(encoding="utf-8").partition("\n## The four variants\n")[2].partition("\n## ")[0]
COUNTS = {
    name: (int(changes), int(noticed), int(equal), int(survive), score)
    for name, changes, noticed, equal, survive, score in re.findall(
        r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| ([\d.]+ %) \|$", TEXT, re.MULTILINE
    )
}
LISTED = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| `(.+?)` → `(.+?)` \| .+ \|$", TEXT, re.MULTILINE)


def test_every_shipped_variant_is_counted() -> None:
    assert set(COUNTS) == set(shipped())
    for changes, noticed, equal, survive, score in COUNTS.values():
        assert changes == noticed + equal + survive
        assert score == f"{100 * noticed / (noticed + survive):.1f} %"
        assert noticed / (noticed + survive) >= 0.95


@pytest.mark.parametrize("name", shipped())
def test_each_survivor_is_listed_as_it_is_made(name: str) -> None:
    game = compile_file(spec_path(name), library()).game
    assert game is not None
    mutants = {m.id: (m.was, m.now) for m in candidates(game)}
    mine = [(id_, was, now) for variant, id_, was, now in LISTED if variant == name]
    assert len(mine) == len({id_ for id_, _, _ in mine}) == COUNTS[name][3]
    assert [(id_, *mutants[id_]) for id_, _, _ in mine] == mine
