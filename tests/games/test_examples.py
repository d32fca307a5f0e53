"""The examples are the games that everybody knows: their trees have the known sizes, their returns the known values.

Numbers that are not derived here are those of the literature, and of OpenSpiel's games of the same names.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import aeronef
from aeronef.loading import load_variant
from aeronef.runtime import scenario
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL, Position
from aeronef.runtime.state import State
from aeronef.runtime.trial import try_laws

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml") if "." not in path.stem)
DOCUMENTS = {
    path.name.removesuffix(".scenarios.yaml"): scenario.read(path.read_text(encoding="utf-8"), path.name)
    for path in sorted(EXAMPLES.glob("*.scenarios.yaml"))
}
WORKED = [(name, example) for name, document in DOCUMENTS.items() for example in document.scenarios]


def load(name: str, players: int | None = None, **options: Any) -> Game:
    return aeronef.load(EXAMPLES / f"{name}.yaml", players=players, **options)


def ends(state: State) -> Iterator[State]:
    """Every terminal history below a state, one after the other (the same object)."""
    if state.is_terminal():
        yield state
    for action in state.legal_actions():
        state.apply_action(action)
        yield from ends(state)
        state.undo_action()


def decisions(game: Game, tell: Callable[[State], Any]) -> Counter[Any]:
    """What `tell` says of each decision in the tree, with how often."""
    found: Counter[Any] = Counter()

    def visit(state: State) -> None:
        if state.current_player() >= 0:
            found[tell(state)] += 1
        for action in state.legal_actions():
            state.apply_action(action)
            visit(state)
            state.undo_action()

    visit(game.new_initial_state())
    return found


def information_states(game: Game) -> int:
    def tell(state: State) -> tuple[int, str]:
        player = state.current_player()
        return player, state.information_state_string(player)

    return len(decisions(game, tell))


@pytest.mark.parametrize("name", NAMES)
def test_the_laws_hold(name: str) -> None:
    trial = try_laws(load_variant(EXAMPLES / f"{name}.yaml"), games=10, seed=20261130)
    assert [(f.law, f.reason, f.players, f.options, f.number) for f in trial.failures] == []


@pytest.mark.parametrize(("name", "example"), WORKED, ids=[f"{name}: {example.name}" for name, example in WORKED])
def test_worked_example(name: str, example: scenario.Scenario) -> None:
    variant = load_variant(EXAMPLES / f"{name}.yaml")
    result = scenario.run_one(example, lambda players, options: Game(variant, players, options))
    assert result.ok, f"{name}.scenarios.yaml:{result.line}: {result.message}"


def test_the_page_of_the_examples_shows_each_as_it_is(update_golden: bool) -> None:
    page = EXAMPLES / "README.md"
    shown = page.read_text(encoding="utf-8")
    for name in NAMES:
        spec = (EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
        before, heading, after = shown.partition(f"## {name}\n")
        assert heading, f"examples/README.md has no section `{name}`"
        assert f"(#{name})" in before, f"its table has no row `{name}`"
        words, fence, rest = after.partition("```yaml\n")
        assert "\n## " not in words, f"the section `{name}` does not show its spec"
        shown = before + heading + words + fence + spec + "```" + rest.partition("```")[2]
    if update_golden:
        page.write_text(shown, encoding="utf-8")
    assert shown == page.read_text(encoding="utf-8"), "pytest tests/games/test_examples.py --update-golden copies them"


def test_tic_tac_toe_has_its_known_tree() -> None:
    """5478 positions and 255168 games, of which the first player wins 131184 and the second 77904."""
    game = load("tic_tac_toe")
    start: Any = game.start()

    @cache
    def games(cells: tuple[tuple[int | None, ...], ...], mover: int) -> tuple[int, int, int]:
        at = start.copy()
        at.cell, at.me, at.actor = [list(row) for row in cells], mover, mover
        total = [0, 0, 0]
        for action in at.legal():
            after = at.copy()
            after.apply(action)
            if after.actor == TERMINAL:
                positions.add(tuple(map(tuple, after.cell)))
                more = [int(after.returns(0) == value) for value in (1, -1, 0)]
            else:
                more = list(games(tuple(map(tuple, after.cell)), after.actor))
            total = [a + b for a, b in zip(total, more, strict=True)]
        positions.add(cells)
        return total[0], total[1], total[2]

    positions: set[Any] = set()
    won, lost, drawn = games(tuple(map(tuple, start.cell)), 0)
    assert (len(positions), won + lost + drawn, won, lost) == (5478, 255168, 131184, 77904)


@pytest.mark.parametrize(("players", "known", "leaves"), [(2, 12, 30), (3, 48, 312), (4, 160, 3960)])
def test_kuhn_poker_has_its_known_tree(players: int, known: int, leaves: int) -> None:
    """n + 1 cards are dealt to n players; n bettors with 2^(n-1) answers each, or none: 6 * 5, 24 * 13, 120 * 33.

    Of a player's decisions, before a bet there is one, and after one by the i-th other 2^(others between) each:
    2^(n-1) in all, of each of n + 1 cards by each of n players.
    """
    game = load("kuhn_poker", players)
    returns = [tuple(end.returns()) for end in ends(game.new_initial_state())]
    assert len(returns) == leaves
    assert all(sum(r) == 0 for r in returns)
    assert information_states(game) == known == players * (players + 1) * 2 ** (players - 1)


def test_kuhn_poker_has_its_known_value() -> None:
    """In equilibrium the first player loses 1/18 a game; when both toss coins it wins 1/8."""
    # How often each bets, by its card, before a bet and after one.
    plans = (
        {0: ("1/3", "0"), 1: ("0", "2/3"), 2: ("1", "1")},
        {0: ("1/3", "0"), 1: ("0", "1/3"), 2: ("1", "1")},
    )

    def equilibrium(position: Any) -> Fraction:
        who = position.actor
        return Fraction(plans[who][position.hand[who]][position.bettor is not None])

    def value(position: Any, bets: Callable[[Any], Fraction]) -> Fraction:
        if position.actor == TERMINAL:
            return Fraction(position.returns(0))
        weights: dict[int, Fraction] = dict(position.outcomes())
        if position.actor != CHANCE:
            weights = {0: 1 - bets(position), 1: bets(position)}
        total = Fraction(0)
        for action, weight in weights.items():
            after = position.copy()
            after.apply(action)
            total += weight * value(after, bets)
        return total / Fraction(sum(weights.values()))

    start = load("kuhn_poker", 2).start()
    assert value(start, equilibrium) == Fraction(-1, 18)
    assert value(start, lambda position: Fraction(1, 2)) == Fraction(1, 8)


def test_leduc_poker_has_its_known_tree() -> None:
    """A round of betting has 6 decisions, 4 ends by folding and 5 by calling: 6 * 6 + 5 * 6 * 30 information states."""
    game = load("leduc_poker")
    returns = [tuple(end.returns()) for end in ends(game.new_initial_state())]
    assert len(returns) == 30 * 4 + 5 * 120 * 9 == 5520
    assert all(sum(r) == 0 for r in returns)
    assert {abs(r[0]) for r in returns} == {0, 1, 3, 5, 7, 9, 11, 13}
    assert information_states(game) == 936


def test_goofspiel_is_won_by_the_higher_bids() -> None:
    """Every pair of orders in which four cards can be played, with the points counted here."""
    expected = {}
    for ours, theirs in itertools.product(itertools.permutations(range(1, 5)), repeat=2):
        prizes = list(zip(range(4, 0, -1), ours, theirs, strict=True))
        lead = sum(p for p, a, b in prizes if a > b) - sum(p for p, a, b in prizes if a < b)
        expected[ours, theirs] = (lead > 0) - (lead < 0)
    found = {}
    game = load("goofspiel", cards=4)
    for end in ends(game.new_initial_state()):
        bids = [int(game.labels[action].strip("bid()")) for _, action in end.moves]
        ours, theirs = ((*taken, 10 - sum(taken)) for taken in (bids[::2], bids[1::2]))  # nobody chooses the last card
        found[ours, theirs] = end.returns()[0]
        assert end.returns()[1] == -end.returns()[0]
    assert len(found) == 576
    assert found == expected


def test_goofspiel_shows_who_wins_a_prize_and_not_what_was_bid() -> None:
    """What a player knows at a bid: its own bids, and who won each prize."""
    known = set()
    for ours, theirs in itertools.product(itertools.permutations(range(1, 5)), repeat=2):
        for k in range(3):
            known.add((ours[:k], tuple((a > b) - (a < b) for a, b in zip(ours[:k], theirs[:k], strict=True))))
    assert information_states(load("goofspiel", cards=4)) == 2 * len(known)


def test_pig_is_worth_what_its_best_play_is_worth() -> None:
    """The chance that the first player wins when both play best, found on the compiled positions and by Bellman's
    equation for the scores alone."""
    goal = 6
    assert solved(load("pig", goal=goal)) == pytest.approx(bellman(goal), abs=1e-9)


def solved(game: Game) -> float:
    """By value iteration over the positions that can be reached; of each the chance that player 0 wins."""

    def key(position: Any) -> tuple[Any, ...]:
        return (position.phase, position.actor, tuple(position.score), position.turn, position.mover)

    steps: dict[tuple[Any, ...], tuple[int, list[tuple[float, tuple[Any, ...]]]]] = {}
    won: dict[tuple[Any, ...], float] = {}
    todo: list[Any] = [game.start()]
    start = key(todo[0])
    while todo:
        position = todo.pop()
        at = key(position)
        if at in steps or at in won:
            continue
        if position.actor == TERMINAL:
            won[at] = float(position.returns(0) == 1)
            continue
        choices = position.outcomes() or [(action, 1) for action in position.legal()]
        after: list[tuple[float, Position]] = [
            (weight / sum(w for _, w in choices), position.copy()) for _, weight in choices
        ]
        for (action, _), (_, following) in zip(choices, after, strict=True):
            following.steps = 0  # not cut
            following.apply(action)
        steps[at] = (position.actor, [(weight, key(following)) for weight, following in after])
        todo += [following for _, following in after]
    values = dict.fromkeys(steps, 0.5) | won
    for _ in range(400):
        for at, (actor, ways) in steps.items():
            if actor == CHANCE:
                values[at] = sum(weight * values[to] for weight, to in ways)
            else:
                values[at] = (max, min)[actor](values[to] for _, to in ways)
    return values[start]


def bellman(goal: int) -> float:
    """The value of (own score, other's score, points of this turn) for the player who is to act."""
    states = [(own, other, turn) for own in range(goal) for other in range(goal) for turn in range(goal + 1)]
    values = dict.fromkeys(states, 0.5)
    for _ in range(400):
        for own, other, turn in states:
            reached = min(own + turn, goal)
            hold = 1.0 if reached == goal else 1 - values[other, reached, 0]
            rolled = [values[own, other, min(turn + face, goal)] for face in range(2, 7)]
            values[own, other, turn] = max(hold, (sum(rolled) + 1 - values[other, own, 0]) / 6)
    return values[0, 0, 0]


def test_liars_dice_with_one_die_each_has_its_known_tree() -> None:
    """36 deals, each as likely, and after each one the 2^12 - 1 ascending rows of bids before a doubt."""
    state = load("liars_dice", dice=1).new_initial_state()
    for _ in range(2):
        assert [p for _, p in state.chance_distribution()] == [Fraction(1, 6)] * 6
        state.apply_action(state.legal_actions()[2])
    assert state.to_dict()["zones"]["cup"] == [[3], [3]]
    assert state.view(1)["zones"]["cup"] == [{"hidden": 1}, [3]]
    found = 0
    for end in ends(state):
        found += 1
        *_, bid, doubt = [(actor, end.action_to_string(actor, action)) for actor, action in end.full_history()]
        number, face = (int(n) for n in bid[1].removeprefix("bid(").removesuffix(")").split(", "))
        loser = doubt[0] if face == 3 else bid[0]  # both dice show it, and no other; neither is wild
        assert doubt[1] == "doubt()"
        assert end.returns() == [-1.0 if seat == loser else 1.0 for seat in (0, 1)]
        assert number <= 2
    assert found == 2**12 - 1


def test_in_liars_dice_the_highest_face_counts_as_any() -> None:
    for rolled, face, holds in ((4, 2, True), (3, 2, False), (2, 2, True)):
        state = load("liars_dice", dice=1, sides=4).new_initial_state()
        for label in (f"roll(0, {rolled})", "roll(1, 1)", f"bid(1, {face})", "doubt()"):
            state.apply_label(label)
        assert state.returns() == ([1.0, -1.0] if holds else [-1.0, 1.0])


def test_who_rolls_does_not_learn_in_which_order() -> None:
    known = set()
    for rolls in itertools.permutations((1, 2, 5)):
        state = load("liars_dice", dice=3).new_initial_state()
        for face in (*rolls, 4, 4, 6):
            state.apply_label(f"roll({len(state.moves) // 3}, {face})")
        known.add(state.information_state_string(0))
    assert len(known) == 1


@pytest.mark.parametrize("players", [2, 3])
def test_leduc_poker_pays_out_what_was_paid_in(players: int) -> None:
    """Also where two or three share the pot."""
    game, shared = load("leduc_poker", players), 0
    for number in range(300):
        state = game.new_initial_state()
        source = random.Random(number)
        while not state.is_terminal():
            legal = [a for a in state.legal_actions() if state.action_to_string(a) != "fold()"]
            state.apply_action(source.choice(legal))
        assert sum(state.returns()) == pytest.approx(0, abs=1e-9)
        paid = state.to_dict()["vars"]["paid"]
        won = [round(value + own, 9) for value, own in zip(state.returns(), paid, strict=True)]
        assert sorted({*won, 0.0}) == [0.0, max(won)]
        shared += sum(value > 0 for value in won) > 1
    assert shared


@pytest.mark.parametrize("most", [1, 4, 7])
def test_an_auction_of_two_has_a_node_for_each_way_to_bid(most: int) -> None:
    """x and y ways to bid for who values it x and y, and two ends where both bid the same: as often as min(x, y)."""
    worths = list(itertools.product(range(1, most + 1), repeat=2))
    found = [tuple(end.returns()) for end in ends(load("first_sealed_auction", most=most).new_initial_state())]
    assert len(found) == sum(x * y + min(x, y) for x, y in worths)
    assert information_states(load("first_sealed_auction", most=most)) == 2 * most


def test_oh_hell_with_a_card_each_has_its_known_tree() -> None:
    """3 dealers, 4 * 3 * 2 * 1 deals, and 5 ways to bid for one trick so that it does not come out even; the cards that
    are played are the only ones."""
    found = [end.returns() for end in ends(load("oh_hell", 3, suits=2, ranks=2).new_initial_state())]
    assert len(found) == 3 * 24 * 5
    assert all(sum(value % 10 for value in returns) == 1 for returns in found), "one trick is taken"


def test_phantom_ttt_is_tic_tac_toe_for_who_sees_all() -> None:
    """Random games, played once more on the board that all see, without the tries of cells that are taken."""
    dark, light = load("phantom_ttt"), load("tic_tac_toe")
    tried = 0
    for seed in range(60):
        rng = random.Random(seed)
        state, board = dark.new_initial_state(), light.new_initial_state()
        while not state.is_terminal():
            mover, action = state.current_player(), rng.choice(state.legal_actions())
            label = state.action_to_string(action).replace("try", "mark")
            assert mover == board.current_player()
            if board.string_to_action(label) in board.legal_actions():
                board.apply_label(label)
            else:
                tried += 1
            state.apply_action(action)
        assert board.is_terminal()
        assert state.returns() == board.returns()
    assert tried > 60
