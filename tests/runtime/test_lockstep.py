"""Two games in lockstep: the same is known to be the same, and what differs is told by the shortest play."""

from __future__ import annotations

import pytest

from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute
from aeronef.runtime import lockstep, scenario
from aeronef.runtime.game import Game
from tests.games.specs import compiled

SPEC = """\
game: draws
players: 2
longest: 40
cards:
  Card: {kinds: [{label: ace}, {label: king, copies: 2}]}
zones:
  deck: {of: Card, starts: Card, seen: nobody}
  hand: {each: seat, of: Card, seen: viewer == owner}
vars:
  round: {type: count, starts: 1, seen: nobody}
  bold: {each: seat, type: bool, starts: false, seen: everyone}
phases:
  draw:
    chance: "[0]"
    outcomes:
      draw(me, c from deck):
        told: {me: everyone, c: viewer == me}
        do: move c from deck to hand[me]
    then: choose
  choose:
    together: players
    actions:
      dare():
        do: bold[me] := true
      wait(): {}
    then: again
  again:
    do: |
      round += 1
      for p in players:
        move all from hand[p] to deck
    then: end if bold[0] and bold[1] else draw
result: {rank: "1 if bold[me] else 0"}
"""


def game(old: str = "", new: str = "") -> Game:
    assert old in SPEC
    return Game(execute(emit_python(compiled(SPEC.replace(old, new) if old else SPEC), "spec.yaml"), "draws"))


def test_a_game_is_the_same_as_itself_though_it_may_go_on_for_ever() -> None:
    found = lockstep.compare(game(), game(), 1000)
    assert found.whole
    assert found.difference is None
    assert 10 < found.states < 200
    assert not lockstep.compare(game(), game(), 5).whole


@pytest.mark.parametrize(
    ("old", "new", "moves", "what"),
    [
        ("copies: 2", "copies: 3", 0, "zone `deck`"),
        ("rank: \"1 if bold[me] else 0\"", "rank: \"0 if bold[me] else 1\"", 99, ""),
        ("seen: viewer == owner", "seen: everyone", 0, "player 0's view of `hand`"),
        ("c: viewer == me", "c: everyone", 1, "what player 1 hears"),
        ("seen: nobody}\n  bold", "seen: everyone}\n  bold", 0, "player 0's view of `round`"),
        ("round += 1", "round += 2", 3, "var `round`"),
        ("bold[0] and bold[1]", "bold[0] or bold[1]", 3, "phase"),
        ("bold[me] := true", "bold[me] := not bold[me]", 5, "var `bold`"),
        ("from deck to hand[me]", "from hand[me] to deck", 1, "cannot be played"),
    ],
)  # fmt: skip
def test_the_shortest_play_tells(old: str, new: str, moves: int, what: str) -> None:
    one, other = game(), game(old, new)
    found = lockstep.compare(one, other, 1000)
    if moves == 99:  # both dared: whoever counts, they are equal at the end
        assert found.whole
        assert found.difference is None
        return
    assert found.difference is not None
    assert len(found.difference.state.moves) == moves
    assert what in found.difference.what
    text = found.difference.scenario("it tells")
    for loaded, passes in ((one, True), (other, False)):
        (result,) = scenario.run(scenario.read(text, "told.yaml"), lambda players, options, g=loaded: g)  # type: ignore[misc]
        assert result.ok == passes, (text, result.message)


def test_a_random_play_tells_too() -> None:
    assert lockstep.play(game(), game(), 1, 0) is None
    found = [lockstep.play(game(), game("bold[0] and bold[1]", "bold[0] or bold[1]"), 1, k) for k in range(5)]
    assert any(found)
