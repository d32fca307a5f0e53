"""Every game is played as it was when somebody looked at it: one random game of each, line by line.

`pytest tests/playthroughs --update-golden` writes the files again; read the diff like any other change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aeronef
from aeronef.loading import shipped
from aeronef.runtime.state import State
from tests.playthroughs.playthrough import Setting, first_difference, playthrough

FOLDER = Path(__file__).parent
EXAMPLES = FOLDER.parents[1] / "examples"
MOST_BYTES = 60_000

# Every game with its fewest players and its defaults, and these.
MORE = [
    Setting("balloon", 4, {"mode": "advanced"}),
    Setting("balloon", 3, {"first_card": "random", "takeoff_rule": "literal"}),
    Setting("celestia", 4, {"powers": False, "turbo": "compulsory"}),
    Setting("celestia", 3, {"spyglass": True}, seed=10),
    Setting("flying_saucer", 4, {"asymmetric": True}),
    Setting("flying_saucer", 3, {"takeoff_rule": "literal", "first": 1}),
    Setting("montgolfiere_race", 4, {"baron": True, "squadron": "open"}),
    Setting("montgolfiere_race", 3, {"squadron": "closed", "target": 20}),
    Setting(str(EXAMPLES / "kuhn_poker.yaml"), 4),
]
SETTINGS = [
    *(Setting(name) for name in shipped()),
    *(Setting(str(path)) for path in sorted(EXAMPLES.glob("*.yaml")) if "." not in path.stem),
    *MORE,
]


def file_of(setting: Setting) -> Path:
    return FOLDER / f"{setting}.txt"


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_game_is_played_as_reviewed(setting: Setting, update_golden: bool) -> None:
    path, text = file_of(setting), playthrough(setting)
    if update_golden:
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{setting} has no playthrough yet: --update-golden writes it"
    assert len(text.encode()) < MOST_BYTES
    difference = first_difference(path.read_text(encoding="utf-8"), text)
    assert difference is None, f"{path.name}: {difference}"


def test_no_playthrough_is_of_no_game(update_golden: bool) -> None:
    strays = set(FOLDER.glob("*.txt")) - {file_of(setting) for setting in SETTINGS}
    if update_golden:
        for stray in strays:
            stray.unlink()
        strays = set()
    assert not strays


@pytest.mark.parametrize("setting", MORE[:4], ids=str)
def test_the_game_is_the_one_that_run_plays(setting: Setting) -> None:
    played = aeronef.load(setting.spec, setting.players, **setting.options).playouts(1, setting.seed)
    lines = file_of(setting).read_text(encoding="utf-8").splitlines()
    assert f"step {played.lengths[0]}" in lines
    assert f"returns: {', '.join(f'{value:g}' for value in played.returns[0])}" in lines
    assert f"ranking: {', '.join(map(str, played.ranking[0]))}" in lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("seen: viewer == owner or doubter != none", "seen: viewer == owner"),
        ("fs: viewer == me", "fs: nobody"),
        ("starts: dice, seen: everyone", "starts: dice, seen: viewer == owner"),
        ("n > number or (n == number and f > face)", "n > number"),
        ("max(left_over[me] - 1, 0)", "max(left_over[me] - 2, 0)"),
        ("when: bidder != none", "when: number > 1"),
        ("rank: left_over[me]", "rank: 0 - left_over[me]"),
        ("+ 2)", "+ 3)"),
    ],
)
def test_another_rule_is_another_text(old: str, new: str, tmp_path: Path) -> None:
    spec = FOLDER.parent / "games" / "dudo.yaml"
    text = spec.read_text(encoding="utf-8")
    assert text.count(old) == 1
    other = tmp_path / spec.name
    other.write_text(text.replace(old, new), encoding="utf-8")
    assert playthrough(Setting(str(other))) != playthrough(Setting(str(spec)))


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ("to_dict", lambda data: {**data, "vars": {**data["vars"], "city": 99}}),
        ("view", lambda data: {**data, "zones": {**data["zones"], "deck": ["joker"]}}),
        ("observation_string", lambda text: text + " "),
        ("observation_tensor", lambda numbers: numbers + 0.5),
        ("heard", lambda lines: [*lines, "chance laughs"]),
        ("chance_distribution", lambda offers: [(i, part / 2) for i, part in offers]),
        ("legal_actions", lambda actions: [*actions, 0]),
    ],
)
def test_what_is_not_shown_is_in_the_digest(
    asked: str, wrong: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one thing is otherwise at one step that has but a line, that line is another; and what they know of it."""
    setting = Setting("celestia")
    path = file_of(setting)
    lines = path.read_text(encoding="utf-8").splitlines()
    kind = "chance" if asked == "chance_distribution" else "player"
    number, step = next((i, int(row.split()[0])) for i, row in enumerate(lines) if re.match(rf"3\d\d \w+, {kind}", row))
    right = getattr(State, asked)

    def asked_otherwise(self: State, *args: Any) -> Any:
        found = right(self, *args)
        here = args[1] if asked == "heard" else len(self.moves)
        return wrong(found) if here == step else found

    monkeypatch.setattr(State, asked, asked_otherwise)
    now = playthrough(setting).splitlines()
    first, *others = [i for i, (old, new) in enumerate(zip(lines, now, strict=True)) if old != new]
    assert first == number
    assert all(lines[i].startswith("  knows") for i in others)
    assert bool(others) == (asked == "heard")
