"""The airship voyage: its worked examples, its laws, its dice, and that the window of power cards does not tell who
holds one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import aeronef
from aeronef.loading import execute, load_variant
from aeronef.runtime import scenario
from aeronef.runtime.combinations import Choice, every_choice, pairwise
from aeronef.runtime.game import Game
from aeronef.runtime.laws import _another_world
from aeronef.runtime.positions import describe_state
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose
from aeronef.runtime.state import State
from tests.variants.keeping import SEED, examples, keep_the_laws, named

VARIANT = load_variant("celestia")
DOCUMENT = examples("celestia")

# ------------------------------------------------------------------------------------------ worked examples


@pytest.mark.parametrize("example", DOCUMENT.scenarios, ids=lambda s: s.name)
def test_worked_example(example: scenario.Scenario) -> None:
    result = scenario.run_one(example, lambda players, options: aeronef.load("celestia", players, **options))
    assert result.ok, f"line {result.line}: {result.message}"


def test_every_clause_has_a_worked_example() -> None:
    shown = {clause for example in DOCUMENT.scenarios for clause in example.by}
    assert set(VARIANT.clauses) - shown == set()


# ------------------------------------------------------------------------------------------ laws


@pytest.mark.parametrize("choice", pairwise(VARIANT), ids=named)
def test_games_keep_the_laws(choice: Choice) -> None:
    keep_the_laws(VARIANT, choice, 20)


@pytest.mark.campaign
@pytest.mark.parametrize("choice", list(every_choice(VARIANT)), ids=named)
def test_two_hundred_games_of_every_combination_keep_the_laws(choice: Choice) -> None:
    keep_the_laws(VARIANT, choice, 200)


# ------------------------------------------------------------------------------------------ dice

SIDES = ("fog", "lightning", "birds", "pirates", "blank", "blank")  # CF1


@pytest.mark.parametrize(("city", "dice"), [(1, 2), (4, 3), (7, 4)])
def test_a_roll_is_as_likely_as_its_dice_fall_that_way(city: int, dice: int) -> None:
    """C2.1, CF1: every way in which six-sided dice can fall, counted out."""
    order = SIDES[:5]
    falls = Counter(tuple(sorted(fall, key=order.index)) for fall in product(SIDES, repeat=dice))
    state = describe_state(aeronef.load("celestia", 2), {"phase": "events", "vars": {"city": city, "captain": 0}})
    chances = {state.action_to_string(roll): chance for roll, chance in state.chance_distribution()}
    assert chances == {f"roll({', '.join(fall)})": Fraction(n, 6**dice) for fall, n in falls.items()}
    assert sum(chances.values()) == 1


@pytest.mark.parametrize("kept", range(4))
def test_dice_that_are_rolled_again_fall_as_any(kept: int) -> None:
    """CF4: a gust rolls all blank dice again, and no other."""
    order = SIDES[:5]
    dice = ["fog", "birds", "pirates"][:kept] + ["blank"] * (4 - kept)
    falls = Counter(tuple(sorted(fall, key=order.index)) for fall in product(SIDES, repeat=4 - kept))
    given = {
        "phase": "power", "vars": {"city": 7, "captain": 1}, "zones": {"hand": [["gust"], []], "dice": dice},
    }  # fmt: skip
    state = describe_state(aeronef.load("celestia", 2), given)
    state.apply_label("gust()")
    chances = {state.action_to_string(roll): chance for roll, chance in state.chance_distribution()}
    assert chances == {f"roll({', '.join(fall)})": Fraction(n, 6 ** (4 - kept)) for fall, n in falls.items()}


# ------------------------------------------------------------------------------------------ the window of powers


def windows(game: Game, games: int) -> Iterator[tuple[State, Rng]]:
    """Positions of random games at which the first seat is asked for a power card, one of each game."""
    for number in range(games):
        rng = Rng.stream(SEED, number)
        state = game.new_initial_state()
        found: list[State] = []
        while not state.is_terminal():
            before = state.phase
            state.apply_action(choose(state.position, rng))
            if state.phase == "power" and before == "decide":
                found.append(state.clone())
        if found:
            yield found[rng.below(len(found))], rng


def given_to(state: State, viewer: int) -> dict[str, Any]:
    """All that a seat gets now: its view (with whose turn it is), what it can do, and why it cannot do the rest."""
    every = range(state.game.num_distinct_actions())
    return {
        "view": state.view(viewer),
        "legal": state.legal_actions(viewer),
        "observed": state.observation_string(viewer),
        "numbers": state.observation_tensor(viewer).tolist(),
        "heard": state.heard(viewer, len(state.moves) - 1),
        "reasons": [state.why_illegal(action, viewer) for action in every],
    }


def common_step(one: State, other: State, rng: Rng) -> bool:
    """Does in both worlds what is possible in both, if anything is."""
    both = sorted(set(one.legal_actions()) & set(other.legal_actions()))
    if both:
        action = both[rng.below(len(both))]
        one.apply_action(action)
        other.apply_action(action)
    return bool(both)


def holders(state: State) -> list[bool]:
    """Whether each seat holds a power card."""
    hands = state.to_dict()["zones"]["hand"]
    return [any(card in ("eject", "reroute", "gust", "jetpack") for card in hand) for hand in hands]


def two_worlds(game: Game, games: int) -> tuple[int, int, list[str]]:
    """Plays windows twice, in worlds that differ in what a seat cannot see, with the same steps. Gives how many moments
    were compared, how many of the pairs differ in who else holds a power card, and what the seat got that differed."""
    moments = pairs = 0
    leaks: list[str] = []
    for state, rng in windows(game, games):
        viewer = rng.below(game.players)
        for _ in range(6):
            one, other = state.clone(), _another_world(state, viewer, rng)
            pairs += holders(one)[:viewer] + holders(one)[viewer + 1 :] != (
                holders(other)[:viewer] + holders(other)[viewer + 1 :]
            )
            window = True
            while window:
                now, then = given_to(one, viewer), given_to(other, viewer)
                leaks += [f"player {viewer} gets other {what}" for what in now if now[what] != then[what]]
                moments += 1
                window = one.phase in ("power", "roll_again") and not leaks and common_step(one, other, rng)
    return moments, pairs, leaks


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_who_holds_a_power_card_changes_nothing_that_another_seat_gets(players: int) -> None:
    """C-h: throughout the window, and as it closes, whatever is played in it."""
    moments, pairs, leaks = two_worlds(aeronef.load("celestia", players), 12)
    assert leaks == [], f"seed {SEED}"
    assert moments > 200
    assert pairs > 20


@pytest.mark.parametrize(("right", "wrong"), [
    ("return self.clockwise(self.left(self.captain))", # only holders are asked
     "return [p for p in self.clockwise(self.left(self.captain)) if any(c > TURBO for c in self.hand[p])]"),
    ("ids.append(self.id_gust)", "ids.append(self.id_gust)\n            self.captain = self.me"),
])  # fmt: skip
def test_windows_that_tell_are_found(right: str, wrong: str) -> None:
    code = Path(aeronef.__file__).parent.joinpath("generated", "celestia.py").read_text(encoding="utf-8")
    assert right in code, f"the emitted code no longer holds `{right}`"
    game = Game(execute(code.replace(right, wrong), "telling"), 3)
    assert two_worlds(game, 12)[2] != []


@pytest.mark.parametrize("players", range(2, 7))
def test_a_window_in_which_all_pass_asks_each_seat_once(players: int) -> None:
    for state, _ in windows(aeronef.load("celestia", players), 6):
        first = (state.to_dict()["vars"]["captain"] + 1) % players
        asked = []
        while state.phase == "power":
            asked.append(state.current_player())
            state.apply_label("pass()")
        assert asked == [(first + k) % players for k in range(players)]
        assert state.phase == "face"
