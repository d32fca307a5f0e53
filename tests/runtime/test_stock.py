"""What lies in zones by a table: how many there are of each card is counted, not what a deck would have."""

from __future__ import annotations

from typing import Any

import pytest

import aeronef
from aeronef import BadInput
from aeronef.dsl.differences import differences
from aeronef.runtime.game import Game
from aeronef.runtime.laws import LawBroken, cards_are_kept
from aeronef.runtime.positions import describe_state
from aeronef.runtime.rng import Rng
from aeronef.runtime.trial import try_laws
from tests.emit.test_meaning import game_of
from tests.games.specs import ROOT, compiled

STOCK = """\
game: goods
players: 2
longest: 60
options: {wide: {type: bool, default: false}}
overlays:
  wider:
    when: wide
    add:
      types: {Town: [south]}
      cards: {Good: {kinds: [{label: amber}]}}
    change:
      tables: {stock: {is: {north: {salt: 5, silk: 1}, south: {amber: 2, salt: 1}}}}
types:
  Town: [north, west]
cards:
  Good: {kinds: [{label: salt, copies: 2}, {label: silk}]}
tables:
  stock: {each: [Town, Good], type: 0..9, otherwise: 0, is: {north: {salt: 5, silk: 1}}}
  purse: {each: Good, type: 0..1, otherwise: 0, is: {silk: 1}}
zones:
  store: {each: Town, of: Good, starts: stock, seen: everyone}
  bag: {each: seat, of: Good, starts: purse, seen: everyone}
phases:
  take:
    turns: {from: 0, until: "size(store[north]) == 0"}
    actions:
      take(c in store[north]):
        told: everyone
        do: move c from store[north] to bag[me]
      sell(cs in 3 of bag[me] where size(store[west]) == 0):
        told: everyone
        do: move cs from bag[me] to store[west]
    then: end
result: {rank: "count(c in bag[me] where c != Good.salt)"}
"""


def load(**options: Any) -> Game:
    return game_of(STOCK, 2, **options)


def test_the_table_says_what_lies_there_and_copies_nothing() -> None:
    zones = load().new_initial_state().to_dict()["zones"]
    salt = ["salt"] * 5
    assert zones == {"store_north": [*salt, "silk"], "store_west": [], "bag": [["silk"], ["silk"]]}


def test_with_an_overlay_there_are_other_places_and_cards() -> None:
    state = load(wide=True).new_initial_state()
    assert state.to_dict()["zones"]["store_south"] == ["salt", "amber", "amber"]
    assert load().new_initial_state().position.store == [[0, 0, 0, 0, 0, 1], [], []]  # type: ignore[attr-defined]


def test_sets_hold_as_many_as_there_are() -> None:
    labels = load().labels
    assert [label for label in labels if label.startswith("sell")] == [
        "sell()", "sell(salt)", "sell(silk)", "sell(salt + salt)", "sell(salt + silk)", "sell(silk + silk)",
        "sell(salt + salt + salt)", "sell(salt + salt + silk)", "sell(salt + silk + silk)", "sell(silk + silk + silk)",
    ]  # fmt: skip


def test_arrays_are_parts_of_what_there_is() -> None:
    game = load()
    state = describe_state(game, {"phase": "take", "zones": {"bag": [[*["salt"] * 4, "silk"], ["silk"]]}})
    found = [round(float(x), 4) for x in state.observation_tensor(0)]
    assert all(0 <= x <= 1 for x in found)
    assert found[-10:] == [1, 0.625, 0.8, 0.3333, 0, 1, 0.125, 0, 0.3333, 0]


def test_cards_are_counted_by_the_table() -> None:
    game = load()
    state = game.new_initial_state()
    state.position.bag[0].append(0)  # type: ignore[attr-defined]
    with pytest.raises(LawBroken):
        cards_are_kept(state, Rng(0))
    with pytest.raises(BadInput, match="too many of the card `salt`"):
        describe_state(game, {"phase": "take", "zones": {"store_west": ["salt"] * 6}})


def test_the_laws_hold_with_and_without_the_overlay() -> None:
    from aeronef.dsl.emit.python import emit_python
    from aeronef.loading import execute

    variant = execute(emit_python(compiled(STOCK), "goods.yaml"), "goods")
    trial = try_laws(variant, games=20, seed=5, choices=[(2, {}), (2, {"wide": True})])
    assert [failure.reason for failure in trial.failures] == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("c != Good.salt", "c != Good.silk", [("result.rank", "differs")]),
        ("Good.salt", "Good.sand", [("cards.Good.kinds", "renamed")]),
        ("salt: 5, silk: 1}}}\n  purse", "salt: 4, silk: 1}}}\n  purse", [("tables.stock.north.salt", "differs")]),
        ("starts: purse", "starts: Good", [("zones.bag.starts", "differs")]),
    ],
)
def test_two_games_differ_in_what_their_tables_and_labels_mean(old: str, new: str, expected: list[Any]) -> None:
    plain = STOCK[: STOCK.index("options:")] + STOCK[STOCK.index("types:\n") :]
    text = plain.replace(old, new)
    if new == "Good.sand":
        text = text.replace("salt", "sand")
    found = differences(compiled(plain), compiled(text))
    assert [(d.element, d.what) for d in found][: len(expected)] == expected


def test_the_shipped_games_count_decks_as_before() -> None:
    game = aeronef.load(ROOT / "examples" / "leduc_poker.yaml")
    assert all(not zone.cards.totals for zone in game.variant.zones)
