"""Our games are OpenSpiel's, node by node; and where two games part, the comparison finds it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.peers.compare import Differs, Match, Report, below, node, random_games, whole_tree, windows
from tests.peers.games import MATCHES, PHANTOM, oh_hell
from tests.peers.table import PAGE, SEED, compared, row, rows_of

pytest.importorskip("pyspiel")
openspiel = pytest.importorskip("aeronef.openspiel")

EXAMPLES = Path(__file__).parents[2] / "examples"
KUHN, LEDUC = (next(match for match in MATCHES if match.spec == name) for name in ("kuhn_poker", "leduc_poker"))
SMALL = [match for match in MATCHES if match.whole and match.quick]
LARGE = [match for match in MATCHES if not (match.whole and match.quick)]


def named(match: Match) -> str:
    return str(match.title)


def new_seed() -> int:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    return seed


@pytest.mark.parametrize("match", SMALL, ids=named)
def test_small_games_are_the_same_to_the_last_node(match: Match) -> None:
    assert row(match, whole_tree(match)) in rows_of(PAGE.read_text(encoding="utf-8")), "run python -m tests.peers.table"


@pytest.mark.parametrize("match", LARGE, ids=named)
def test_random_games_are_stepped_in_both(match: Match) -> None:
    worlds = min(match.sample // 3, 20)
    report = random_games(match, match.sample, new_seed(), worlds)
    assert report.ends == match.sample
    assert report.worlds == (0 if match.watched == "nobody" else worlds)


@pytest.mark.campaign
@pytest.mark.parametrize("match", LARGE, ids=named)
def test_large_games_are_the_same_as_the_page_says(match: Match) -> None:
    assert row(match, compared(match)) in rows_of(PAGE.read_text(encoding="utf-8")), "run python -m tests.peers.table"


def test_the_page_has_a_row_for_each_comparison_and_no_other() -> None:
    rows = rows_of(PAGE.read_text(encoding="utf-8"))
    assert [line.split(" | ")[:2] for line in rows] == [[f"| `{m.title}`", f"`{m.peer}`"] for m in MATCHES]


# ------------------------------------------------------------------------------------------ what is known


def test_what_is_known_in_the_dark_is_the_same() -> None:
    """Random games alone would hardly ever come to two histories that a player cannot tell apart."""
    report = windows(PHANTOM, 5, 3, new_seed())
    assert report.states < report.nodes / 4, "many histories share an information state"


@pytest.mark.campaign
def test_what_is_known_in_the_dark_is_the_same_in_many_games() -> None:
    windows(PHANTOM, 300, 4, SEED)


def hands_of_two(deep: int, watched: str) -> Report:
    """All that can be dealt of seven cards, and so many steps more."""
    match = oh_hell(3, 1, 7, 2, watched=watched)
    report, ours, theirs = Report(), match.ours().new_initial_state(), match.theirs().new_initial_state()
    for _ in ("how many cards", "who deals"):
        mine, other = node(match, ours, theirs, report)[0]
        ours.apply_action(mine)
        theirs.apply_action(other)
    below(match, ours, theirs, report, 7 + deep)
    return report


def test_nobody_knows_in_which_order_he_got_his_cards() -> None:
    states = hands_of_two(1, "actor").states
    assert states == 7 * 15 * 4, "the trump, two of the other six, and the first bid of three or none yet"


@pytest.mark.campaign
def test_what_is_known_at_the_bids_is_the_same() -> None:
    hands_of_two(4, "everybody")


# ------------------------------------------------------------------------------------------ known values


def test_kuhn_and_leduc_have_their_known_numbers_of_information_states() -> None:
    """12, 48 and 160 of who acts in Kuhn's game for 2, 3 and 4; 936 in Leduc."""
    for match, known in [*zip(MATCHES[:3], (12, 48, 160), strict=True), (LEDUC, 936)]:
        assert whole_tree(replace(match, watched="actor")).states == known, match.title


def loaded(match: Match) -> tuple[Any, Any]:
    return openspiel.load(EXAMPLES / f"{match.spec}.yaml", match.players, **match.options), match.theirs()


def test_the_first_player_of_kuhns_game_loses_an_eighteenth() -> None:
    """In the equilibrium of the literature nobody gains by another plan, as OpenSpiel's best response finds."""
    from open_spiel.python.algorithms import expected_game_score, exploitability
    from open_spiel.python.policy import TabularPolicy

    game, _ = loaded(KUHN)
    bets = ({0: (1 / 3, 0), 1: (0, 2 / 3), 2: (1, 1)}, {0: (1 / 3, 0), 1: (0, 1 / 3), 2: (1, 1)})
    plan = TabularPolicy(game)
    for state in plan.states:
        position = state.aeronef.position
        often = bets[position.actor][position.hand[position.actor]][position.bettor is not None]
        given = plan.policy_for_key(state.information_state_string())
        for action in state.legal_actions():
            given[action] = often if state.action_to_string(action) == "bet()" else 1 - often
    assert exploitability.nash_conv(game, plan) == pytest.approx(0, abs=1e-12)
    value = expected_game_score.policy_value(game.new_initial_state(), [plan, plan])
    assert value == pytest.approx([-1 / 18, 1 / 18], abs=1e-12)


@pytest.mark.parametrize(("match", "iterations"), [
    pytest.param(KUHN, 30, id="kuhn-2"),
    pytest.param(MATCHES[1], 2, id="kuhn-3"),
    pytest.param(MATCHES[1], 30, id="kuhn-3-long", marks=pytest.mark.campaign),
    pytest.param(LEDUC, 10, id="leduc-2", marks=pytest.mark.campaign),
])  # fmt: skip
def test_counterfactual_regret_goes_the_same_way_in_both(match: Match, iterations: int) -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    games = loaded(match)
    solvers = [cfr.CFRSolver(game) for game in games]
    for _ in range(iterations):
        for solver in solvers:
            solver.evaluate_and_update_policy()
        ours, theirs = (
            exploitability.nash_conv(game, solver.average_policy()) for game, solver in zip(games, solvers, strict=True)
        )
        assert ours == pytest.approx(theirs, abs=1e-9)
    assert ours > 0


# ------------------------------------------------------------------------------------------ what is found


def changed(tmp_path: Path, match: Match, old: str, new: str) -> Match:
    """The comparison with one rule of our game otherwise."""
    text = (EXAMPLES / f"{match.spec}.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / f"{match.spec}.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return replace(match, spec=str(path))


@pytest.mark.parametrize(("old", "new", "said"), [
    ("when: bettor == none", "when: bettor == none and me == 0", "legal: "),
    ("rank(q) <= rank(p)", "rank(q) >= rank(p)", "returns: "),
    ("turns: players", "turns: clockwise(1)", "who acts: "),
    ("holds: 1, seen: viewer == owner", "holds: 1, seen: everyone", "could not there"),
    ("c.rank <= size(players)", "c.rank < 4", "chance: "),
    ("reopens: others", "reopens: all", "over: False and True"),
])  # fmt: skip
def test_a_rule_that_is_otherwise_is_found(old: str, new: str, said: str, tmp_path: Path) -> None:
    match = changed(tmp_path, KUHN, old, new)
    for compare in (whole_tree, lambda match: random_games(match, 300, 1, worlds=50)):
        with pytest.raises(Differs) as found:
            compare(match)
        if compare is whole_tree:
            assert said in str(found.value)


def test_a_player_who_knows_too_little_is_found(tmp_path: Path) -> None:
    match = changed(tmp_path, KUHN, "c: viewer == me", "c: nobody")
    spec = Path(match.spec)
    spec.write_text(spec.read_text(encoding="utf-8").replace("seen: viewer == owner", "seen: nobody"), encoding="utf-8")
    for compare in (whole_tree, lambda match: random_games(match, 300, 1)):
        with pytest.raises(Differs, match="could not tell this"):
            compare(match)


def test_a_chance_that_is_otherwise_is_found(tmp_path: Path) -> None:
    match = next(m for m in MATCHES if m.spec == "liars_dice")
    with pytest.raises(Differs, match="chance: "):
        whole_tree(changed(tmp_path, match, "f from 1..sides", "f from (1..sides if size(cup[me]) > 9 else 1..1)"))


def test_a_label_that_is_another_there_is_found() -> None:
    there = {"fold()": "Call", "call()": "Fold", "raise()": "Raise"}
    swapped = replace(LEDUC, action=lambda player, label: there[label])
    with pytest.raises(Differs, match="legal: "):
        whole_tree(swapped)


def test_prizes_in_another_order_are_found() -> None:
    match = next(m for m in MATCHES if m.spec == "goofspiel" and m.options["prizes"] == "random")
    with pytest.raises(Differs, match="who acts: "):
        whole_tree(replace(match, peer=match.peer.replace("random", "descending")))


def test_a_game_that_tells_less_is_found() -> None:
    """Where nobody hears how often the other tried."""
    silent = replace(PHANTOM, peer="phantom_ttt(obstype=reveal-nothing)")
    with pytest.raises(Differs, match="can tell this from an earlier history, and could not there"):
        windows(silent, 0, 4, 1)


def test_returns_are_corrected_by_what_is_wrong_and_no_more() -> None:
    match = next(m for m in MATCHES if m.spec == "crazy_eights")
    with pytest.raises(Differs, match="returns: "):
        random_games(replace(match, wrong=None), 20, new_seed())
