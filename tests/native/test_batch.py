"""A batch is so many games side by side: each row is the game that it would be alone, with the chance of its number."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aeronef.native.batch import Batch
from aeronef.runtime.errors import BadInput, IllegalAction
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import FaultInGame, pick
from aeronef.runtime.state import State, dump
from tests.emit.c.native import Load
from tests.face.specs import FAULTY
from tests.games.specs import ROOT
from tests.native.twins import GAMES, SEED, both

ROWS = 5


class Beside:
    """Game `number` of a seed in Python, at its decisions: chance is drawn as random games draw it."""

    def __init__(self, game: Game, seed: int, number: int) -> None:
        self.state, self.rng, self.number = game.new_initial_state(), Rng.stream(seed, number), number
        self._settle()

    def play(self, action: int) -> None:
        self.state.apply_action(action)
        self._settle()

    def _settle(self) -> None:
        while self.state.is_chance_node():
            self.state.apply_action(pick(self.state.position, self.rng)[0])


def alike(batch: Batch, games: list[Beside]) -> None:
    """Everything that a batch tells is what the games beside it tell."""
    assert batch.games.tolist() == [game.number for game in games]
    assert batch.actors.tolist() == [game.state.current_player() for game in games]
    assert batch.done.tolist() == [game.state.is_terminal() for game in games]
    assert batch.legal.tolist() == [_mask(game.state) for game in games]
    assert batch.lengths().tolist() == [game.state.position.steps for game in games]
    assert batch.cut().tolist() == [game.state.cut for game in games]
    assert batch.returns().tolist() == [game.state.returns() for game in games]
    for k, game in enumerate(games):
        assert dump(batch.state(k).position) == dump(game.state.position)


def _mask(state: State) -> list[bool]:
    return [bool(bit) for bit in state.legal_actions_mask(0 if state.current_player() < 0 else None)]


def chosen(batch: Batch, chance: random.Random) -> list[int]:
    """A legal action for each row; for those that have ended any number."""
    some = [np.flatnonzero(row).tolist() for row in batch.legal]
    return [chance.choice(actions) if actions else chance.randrange(-5, 10**6) for actions in some]


@pytest.mark.parametrize("name", GAMES)
def test_each_row_is_the_game_that_it_is_alone(native: Load, name: str) -> None:
    """Also where the next game of the seed takes the row of one that has ended."""
    one, other = both(native, name)
    first = 11
    batch = other.batch(ROWS, SEED, first)  # type: ignore[attr-defined]
    games = [Beside(one, SEED, first + k) for k in range(ROWS)]
    chance = random.Random(SEED)
    alike(batch, games)
    following = first + ROWS
    for step in range(40):
        if step % 10 == 9:
            ended = batch.done.tolist()
            assert batch.restart().tolist() == ended
            for k in np.flatnonzero(ended):
                games[k] = Beside(one, SEED, following)
                following += 1
            assert not batch.done.any()
        actions = chosen(batch, chance)
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.state.is_terminal():
                game.play(action)
        alike(batch, games)


@pytest.mark.parametrize("name", ["pig", "leduc_poker", "balloon", "tidewall"])
def test_rows_go_to_their_ends(native: Load, name: str) -> None:
    """With what each player gets there; a row of a game that has ended stays as it is."""
    one, other = both(native, name)
    batch = other.batch(3, SEED)  # type: ignore[attr-defined]
    games = [Beside(one, SEED, k) for k in range(3)]
    chance = random.Random(SEED)
    while not batch.done.all():
        actions = chosen(batch, chance)
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.state.is_terminal():
                game.play(action)
    alike(batch, games)
    assert batch.actors.tolist() == [TERMINAL] * 3
    batch.step([99999, -1, 0])
    alike(batch, games)


CHANCE_ALONE = """\
game: chance_alone
players: 2
longest: 9
types:
  Face: 1..6
vars:
  shown: {type: 0..6, starts: 0, seen: everyone}
phases:
  roll:
    chance: {until: shown > 2}
    outcomes:
      roll(n from Face): {told: everyone, do: "shown := n"}
    then: end
result: {rank: "shown if me == 0 else 3"}
"""


def test_a_game_in_which_nobody_decides_is_over_as_it_begins(native: Load, tmp_path: Path) -> None:
    path = tmp_path / "chance_alone.yaml"
    path.write_text(CHANCE_ALONE, encoding="utf-8")
    one, other = native(path)
    batch = other.batch(20, SEED)
    assert batch.done.all()
    assert batch.legal.shape == (20, 0)
    batch.step([0] * 20)
    played = one.playouts(20, SEED)
    assert batch.returns().tolist() == played.returns.tolist()
    assert batch.lengths().tolist() == played.lengths.tolist()
    assert batch.restart().all()
    assert batch.returns().tolist() == one.playouts(20, SEED, 20).returns.tolist()


AUTOMATA = ROOT / "tests" / "language" / "right" / "automata.yaml"  # in its choice together seats choose often


@pytest.mark.parametrize(("spec", "players"), [("goofspiel", 3), ("balloon", 3), ("tidewall", 3), (AUTOMATA, 3)])
def test_a_row_amid_a_choice_together_can_be_looked_at(native: Load, spec: Any, players: int) -> None:
    """What its seats know is what they knew as the choice began, so its state has the choices since."""
    one, other = native(spec, players)
    batch = other.batch(ROWS, SEED)
    games = [Beside(one, SEED, k) for k in range(ROWS)]
    chance = random.Random(SEED)
    amid = 0
    for _ in range(40):
        for k, game in enumerate(games):
            if game.state.frozen_at() is None:
                continue
            amid += 1
            state = batch.state(k)
            for player in range(players):
                assert state.view(player) == game.state.view(player)
                assert np.array_equal(state.observation_tensor(player), game.state.observation_tensor(player))
                assert state.heard(player, len(state.moves) - 1) == game.state.heard(player, len(game.state.moves) - 1)
            illegal = np.flatnonzero(~batch.legal[k])
            if illegal.size:
                with pytest.raises(IllegalAction) as expected:
                    game.state.apply_action(int(illegal[0]))
                actions = legal_of(batch)
                actions[k] = illegal[0]
                with pytest.raises(IllegalAction) as caught:
                    batch.step(actions)
                assert str(caught.value) == f"row {k}, game {k}: {expected.value}"
            assert dump(other.deserialize_state(state.serialize()).position) == dump(game.state.position)
        actions = chosen(batch, chance)
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.state.is_terminal():
                game.play(action)
        alike(batch, games)
    assert amid > 5


LONG_TOGETHER = """\
game: long_together
players: 2
longest: 2000
vars:
  n: {each: seat, type: 0..9, starts: 0, seen: everyone}
  made: {each: seat, type: 0..999, starts: 0, seen: viewer == owner}
phases:
  all_day:
    together: {over: players, until: "made[me] == 300"}
    actions:
      put(k in 0..9):
        told: everyone
        do: |
          n[me] := k
          made[me] += 1
    then: end
result: {rank: "n[me]"}
"""


def test_a_choice_together_may_be_as_long_as_it_likes(native: Load, tmp_path: Path) -> None:
    path = tmp_path / "long_together.yaml"
    path.write_text(LONG_TOGETHER, encoding="utf-8")
    one, other = native(path)
    batch = other.batch(2, SEED)
    games = [Beside(one, SEED, k) for k in range(2)]
    chance = random.Random(SEED)
    for step in range(400):
        actions = chosen(batch, chance)
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            game.play(action)
        if step % 50 == 49:
            alike(batch, games)
            for k in range(2):
                assert batch.state(k).full_history() == games[k].state.full_history()
                assert batch.state(k).view(1) == games[k].state.view(1)


@pytest.mark.parametrize("threads", [2, 3, 50])
def test_threads_change_nothing(native: Load, threads: int) -> None:
    _, other = both(native, "montgolfiere_race")
    one, several = (other.batch(37, SEED, threads=n) for n in (1, threads))  # type: ignore[attr-defined]
    chance = random.Random(SEED)
    for step in range(120):
        if step % 30 == 29:
            assert one.restart().tolist() == several.restart().tolist()
        for found in ("games", "actors", "legal"):
            assert np.array_equal(getattr(one, found), getattr(several, found)), found
        assert np.array_equal(one._states, several._states)
        actions = chosen(one, chance)
        one.step(actions)
        several.step(actions)
    assert np.array_equal(one.returns(), several.returns())
    assert np.array_equal(one.lengths(), several.lengths())
    assert one.lengths().max() > 60


# ------------------------------------------------------------------------------------------ what is refused


def legal_of(batch: Batch) -> Any:
    return np.argmax(batch.legal, axis=1)


@pytest.mark.parametrize("wrong", [-1, 10**6, 2**31, 2**32, 2**62, -(2**63)])
def test_one_illegal_action_refuses_the_whole_step(native: Load, wrong: int) -> None:
    """Also one that is legal but for 32 of its bits."""
    one, other = both(native, "crazy_eights")
    batch = other.batch(4, SEED)  # type: ignore[attr-defined]
    games = [Beside(one, SEED, k) for k in range(4)]
    actions = legal_of(batch).astype(np.int64)
    actions[2] = wrong + (actions[2] if wrong > 0 else 0)
    with pytest.raises(IllegalAction, match=rf"row 2, game 2: there is no action {actions[2]} ") as caught:
        batch.step(actions)
    alike(batch, games)
    illegal = int(np.flatnonzero(~batch.legal[1])[0])
    actions = legal_of(batch)
    actions[1] = illegal
    with pytest.raises(IllegalAction, match="row 1, game 1: `") as caught:
        batch.step(actions)
    with pytest.raises(IllegalAction) as expected:
        games[1].state.apply_action(illegal)
    assert str(caught.value) == f"row 1, game 1: {expected.value}"
    assert caught.value.reasons == expected.value.reasons
    alike(batch, games)
    batch.step(legal_of(batch))


@pytest.mark.parametrize("wrong", [
    [0.5, 1.0, 2.0], ["a", "b", "c"], [None] * 3, [True] * 3, [2**80] * 3, [[0], [0], [0]], [0, 0], [], 0,
    [[0], [0, 0], [0]],
])  # fmt: skip
def test_what_is_no_action_for_each_game_is_refused(native: Load, wrong: Any) -> None:
    one, other = both(native, "pig")
    batch = other.batch(3, SEED)  # type: ignore[attr-defined]
    with pytest.raises(BadInput, match="a step takes"):
        batch.step(wrong)
    alike(batch, [Beside(one, SEED, k) for k in range(3)])


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int64, np.uint64])
def test_actions_are_whole_numbers_of_any_kind(native: Load, kind: Any) -> None:
    one, other = both(native, "pig")
    batch = other.batch(3, SEED)  # type: ignore[attr-defined]
    games = [Beside(one, SEED, k) for k in range(3)]
    actions = legal_of(batch)
    batch.step(actions.astype(kind))
    for game, action in zip(games, actions, strict=True):
        game.play(action)
    alike(batch, games)


def test_what_is_no_batch_is_refused(native: Load) -> None:
    _, other = both(native, "pig")
    for asked in ((0,), (-1,), (1, 0, -1), (1, 0, 2**63), (1, 0, 0, 0)):
        with pytest.raises(BadInput):
            other.batch(*asked)  # type: ignore[attr-defined]
    batch = other.batch(2)  # type: ignore[attr-defined]
    for row in (-1, 2):
        with pytest.raises(BadInput, match=r"no row -?\d \(they are 0 to 1\)"):
            batch.state(row)


@pytest.mark.parametrize("seed", [0, -1, 2**64 - 1, 2**70 + 3, np.int64(-7), np.uint8(200)])
def test_any_whole_number_is_a_seed(native: Load, seed: Any) -> None:
    one, other = both(native, "pig")
    batch = other.batch(np.int64(3), seed, np.int32(2))  # type: ignore[attr-defined]
    chance = random.Random(SEED)
    games = [Beside(one, int(seed), 2 + k) for k in range(3)]
    for _ in range(30):
        actions = chosen(batch, chance)
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.state.is_terminal():
                game.play(action)
    alike(batch, games)


@pytest.mark.parametrize("threads", [1, 3])
def test_where_the_rules_break_it_is_said_in_which_game(native: Load, tmp_path: Path, threads: int) -> None:
    """That game is over then, as if it was cut; the others have moved, and go on."""
    path = tmp_path / "faulty.yaml"
    path.write_text(FAULTY, encoding="utf-8")
    one, other = native(path)
    batch = other.batch(4, SEED, 5, threads)
    (up,), (stay,) = one.ids["up()"], one.ids["stay()"]
    games = [Beside(one, SEED, 5 + k) for k in range(4)]
    for step in range(6):  # its first player goes up to 3
        actions = [stay, stay, (up, stay)[step % 2], stay]
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            game.play(action)
    alike(batch, games)
    with pytest.raises(FaultInGame, match=r"faulty\.yaml:10: 4 is not within 0\.\.3") as caught:
        batch.step([stay, stay, up, stay])
    assert (caught.value.seed, caught.value.number) == (SEED, 7)
    assert batch.done.tolist() == batch.cut().tolist() == [False, False, True, False]
    batch.step([stay, stay, up, stay])
    for k in (0, 1, 3):
        games[k].play(stay)
        games[k].play(stay)
        assert dump(batch.state(k).position) == dump(games[k].state.position)
        assert batch.legal[k].all()
    assert batch.restart().tolist() == [False, False, True, False]
    assert batch.games.tolist() == [5, 6, 9, 8]
    assert not batch.done.any()
