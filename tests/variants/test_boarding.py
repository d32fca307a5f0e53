"""The two boarding games: who may see what, worked out by hand from their pages, against every view."""

from __future__ import annotations

from typing import Any

import pytest

import aeronef
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import State

GAMES = 200
SEED = 4

# Whose hint a seat looks at: so many places to its left (to its right where negative).
NUMBER = {
    "balloon": {3: (1,), 4: (1, -1), 5: (1, -1), 6: (1, 2, -1)},
    "flying_saucer": {3: (1,), 4: (1,), 5: (1,), 6: (1, 2)},
}
SHAPE = {
    "balloon": {3: (-1,), 4: (-1, -2), 5: (-1, -2, -3), 6: (-1, -2, -3)},
    "flying_saucer": {3: (-1,), 4: (-2,), 5: (-2, -3), 6: (-2, -3)},
}
EXPERT: dict[str, dict[str, Any]] = {"balloon": {"mode": "advanced"}, "flying_saucer": {"asymmetric": True}}
AFTER_TAKEOFF = ("lose_star", "develop", "end")  # from the takeoff to the end of the round everything is open


def looks(name: str, element: str, players: int, viewer: int, owner: int, state: dict[str, Any]) -> bool:
    """Whether a seat may look at another's construction, number or shape."""
    if viewer == owner or state["phase"] in AFTER_TAKEOFF:
        return True
    if element == "construction":  # beside the saucer's builder, from four players on, its left neighbour sees the card
        return name == "flying_saucer" and players >= 4 and viewer == (owner + 1) % players
    if owner in state["vars"].get("spying", [[]] * players)[viewer]:
        return True
    if players == 2:
        shower = state["vars"]["shape_shower"]
        return shower is not None and (owner == shower) == (element == "hint_shape")
    scheme = (NUMBER if element == "hint_number" else SHAPE)[name][players]
    return any(owner == (viewer + places) % players for places in scheme)


def expected(name: str, players: int, viewer: int, now: dict[str, Any], before: dict[str, Any]) -> dict[str, list[Any]]:
    """What a seat's view must hold; `before` is the state as others' parts are to be seen in it."""
    found: dict[str, list[Any]] = {"construction": [], "hint_number": [], "hint_shape": []}
    for owner in range(players):
        state = now if owner == viewer else before
        for element, parts in found.items():
            cards = element == "construction"
            value = state["zones" if cards else "vars"][element][owner]
            if not looks(name, element, players, viewer, owner, before | {"phase": now["phase"]}):
                value = {"hidden": len(value)} if cards else "?"
            parts.append(value)
    return found


@pytest.mark.parametrize("expert", [False, True], ids=["plain", "expert"])
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("name", ["balloon", "flying_saucer"])
def test_who_may_see_what_is_built_and_hinted(name: str, players: int, expert: bool) -> None:
    game = aeronef.load(name, players=players, **(EXPERT[name] if expert else {}))
    for number in range(GAMES // 2):  # half of them plain, half of them with powers
        state, rng = game.new_initial_state(), Rng.stream(SEED, number)
        began: tuple[str, int] | None = None
        before: dict[str, Any] = {}
        while True:
            now = state.to_dict()
            if (now["phase"], state.position.began) != began:
                began, before = (now["phase"], state.position.began), now
            together = now["phase"] in ("keep", "hide", "build", "lose_star", "develop")
            for viewer in range(players):
                wanted = expected(name, players, viewer, now, before if together else now)
                view = state.view(viewer)
                got = {e: view["zones" if e == "construction" else "vars"][e] for e in wanted}
                assert got == wanted, f"seed {SEED}, game {number}, step {len(state.moves)}, viewer {viewer}"
            if state.is_terminal():
                break
            state.apply_action(choose(state, rng))


def choose(state: State, rng: Rng) -> int:
    """At random; a proposal as often as everything else together, so that rounds end."""
    legal = state.legal_actions()
    return legal[rng.below(len(legal))]
