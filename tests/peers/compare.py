"""Two implementations of one game side by side: ours, and OpenSpiel's under a label map.

They go step by step together. In each node it must be the same who acts (a player, chance or nobody), what can be done,
how likely chance does it, what all get at the end, and who knows what: two histories share our information state of a
player exactly when they share theirs.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import aeronef
from aeronef.runtime.game import Game
from aeronef.runtime.state import State

EXAMPLES = Path(__file__).parents[2] / "examples"
CLOSE = 1e-9


class Differs(AssertionError):
    """The two games part here."""


def same_label(player: int, label: str) -> str:
    return label


@dataclass(frozen=True)
class Match:
    """One of our games and OpenSpiel's of the same rules.

    `action(player, label)` is what our action of a player is called there, `outcome(label)` our outcome of chance.
    `wrong` says of an end, ours, how much more than the rules say each gets there.
    """

    spec: str
    peer: str
    action: Callable[[int, str], str] = same_label
    outcome: Callable[[str], str] = str
    wrong: Callable[[State], list[float]] | None = None
    players: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    whole: bool = True  # small enough for the whole tree
    quick: bool = True  # so small that every test run compares it
    sample: int = 100  # so many random games in every test run where that is too much
    resamples: bool = True  # whether OpenSpiel has `resample_from_infostate` for the game, and it goes by the rules
    watched: str = "actor"  # whose information states: of who acts, of "everybody", or of "nobody" where there are none

    @property
    def title(self) -> str:
        given = {"players": self.players, **self.options} if self.players else self.options
        return f"{Path(self.spec).stem}({', '.join(f'{name}={value}' for name, value in given.items())})"

    def ours(self) -> Game:
        """Of an example by its name, or of the spec at a path."""
        path = self.spec if "/" in self.spec else EXAMPLES / f"{self.spec}.yaml"
        return aeronef.load(path, players=self.players, **self.options)

    def theirs(self) -> Any:
        """OpenSpiel's game; one of choices at once as one of turns."""
        import pyspiel

        game = pyspiel.load_game(self.peer)
        simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        return pyspiel.convert_to_turn_based(game) if simultaneous else game


@dataclass
class Report:
    """What was compared: nodes where a player acts or all is over, ends among them, worlds that a player cannot tell
    from one, and of each player the information states that were met (by their digests), ours and theirs."""

    nodes: int = 0
    ends: int = 0
    worlds: int = 0
    knows: dict[int, dict[bytes, bytes]] = field(default_factory=lambda: defaultdict(dict))
    known: dict[int, dict[bytes, bytes]] = field(default_factory=lambda: defaultdict(dict))

    @property
    def states(self) -> int:
        return sum(len(found) for found in self.knows.values())


# ------------------------------------------------------------------------------------------ one node

Step = tuple[int, int]  # our action or outcome, and theirs


def node(match: Match, ours: State, theirs: Any, report: Report) -> list[Step]:
    """Compares a node; gives all its steps. Raises Differs."""
    if ours.is_terminal() != theirs.is_terminal():
        raise _differs(match, ours, theirs, f"over: {ours.is_terminal()} and {theirs.is_terminal()}")
    who = ours.current_player()
    if who != theirs.current_player():
        raise _differs(match, ours, theirs, f"who acts: {who} and {theirs.current_player()}")
    if ours.is_chance_node():
        return _chance(match, ours, theirs)
    report.nodes += 1
    if ours.is_terminal():
        report.ends += 1
        _returns(match, ours, theirs)
        return []
    _knowledge(match, ours, theirs, report)
    return _alike(
        match, ours, theirs, "legal", partial(match.action, who), (ours.legal_actions(), theirs.legal_actions())
    )


def _alike(
    match: Match, ours: State, theirs: Any, what: str, name: Callable[[str], str], can: tuple[list[int], list[int]]
) -> list[Step]:
    """What can be done in both by its labels, which must be the same, and each another."""
    who, (here, there) = ours.current_player(), can
    mine = {name(ours.action_to_string(who, a)): a for a in here}
    other = {theirs.action_to_string(who, a): a for a in there}
    if mine.keys() != other.keys() or not len(mine) == len(here) == len(there):
        raise _differs(match, ours, theirs, f"{what}: {sorted(mine)} and {sorted(other)}")
    return [(action, other[label]) for label, action in mine.items()]


def _chance(match: Match, ours: State, theirs: Any) -> list[Step]:
    here, there = dict(ours.chance_outcomes()), dict(theirs.chance_outcomes())
    steps = _alike(match, ours, theirs, "chance", match.outcome, (list(here), list(there)))
    for mine, other in steps:
        if abs(here[mine] - there[other]) > CLOSE:
            label = theirs.action_to_string(-1, other)
            raise _differs(match, ours, theirs, f"chance: {label} has {here[mine]} and {there[other]}")
    return steps


def _returns(match: Match, ours: State, theirs: Any) -> None:
    wanted, found = theirs.returns(), ours.returns()
    if match.wrong is not None:
        found = [value + more for value, more in zip(found, match.wrong(ours), strict=True)]
    if len(wanted) != len(found) or any(abs(a - b) > CLOSE for a, b in zip(found, wanted, strict=True)):
        raise _differs(match, ours, theirs, f"returns: {found} and {wanted}")


def _knowledge(match: Match, ours: State, theirs: Any, report: Report) -> None:
    """Two histories share our information state of a player exactly when they share theirs."""
    watched = {"nobody": [], "actor": [ours.current_player()], "everybody": list(range(ours.game.players))}
    for player in watched[match.watched]:
        here, there = ours.information_state_string(player), theirs.information_state_string(player)
        mine, other = _digest(here), _digest(there)
        if report.knows[player].setdefault(mine, other) != other:
            said = f"player {player} could not tell this from an earlier history, and can there:\n{here}\n{there}"
            raise _differs(match, ours, theirs, said)
        if report.known[player].setdefault(other, mine) != mine:
            said = f"player {player} can tell this from an earlier history, and could not there:\n{here}\n{there}"
            raise _differs(match, ours, theirs, said)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=12).digest()


def _differs(match: Match, ours: State, theirs: Any, what: str) -> Differs:
    history = [ours.action_to_string(actor, action) for actor, action in ours.full_history()]
    return Differs(f"{match.title} and {match.peer}: {what}\nafter {history}\nthere {theirs.history_str()}")


# ------------------------------------------------------------------------------------------ trees and games


def whole_tree(match: Match) -> Report:
    """Compares every node. Raises Differs."""
    report = Report()
    below(match, match.ours().new_initial_state(), match.theirs().new_initial_state(), report)
    return report


def below(match: Match, ours: State, theirs: Any, report: Report, deep: int = -1) -> None:
    """Compares a node and all after it, to so many steps from it (chance's are steps) or to the end. Raises Differs."""
    steps = node(match, ours, theirs, report)
    for mine, other in steps if deep else ():
        ours.apply_action(mine)
        below(match, ours, theirs.child(other), report, deep - 1)
        ours.undo_action()


def random_game(match: Match, ours: State, theirs: Any, report: Report, source: random.Random) -> Iterator[None]:
    """Plays both to the end, and compares their nodes. Before each step the caller may look. Raises Differs."""
    while steps := node(match, ours, theirs, report):
        yield
        mine, other = source.choice(steps)
        ours.apply_action(mine)
        theirs.apply_action(other)


def random_games(match: Match, games: int, seed: int, worlds: int = 0) -> Report:
    """Compares the nodes of random games.

    So many times in all somebody is asked for another world that it cannot tell from the one at hand, ours and (where
    OpenSpiel has that of the game) theirs: it may not be able to tell it from it in the other game either. Raises
    Differs.
    """
    report, source = Report(), random.Random(seed)
    first, second = match.ours(), match.theirs()
    asked = worlds if match.watched != "nobody" else 0
    for _ in range(games):
        ours, theirs = first.new_initial_state(), second.new_initial_state()
        for _ in random_game(match, ours, theirs, report, source):
            if report.worlds < asked and not ours.is_chance_node() and source.random() < 0.2:
                _other_worlds(match, ours, theirs, source.randrange(1 << 30))
                report.worlds += 1
    return report


def windows(match: Match, games: int, deep: int, seed: int) -> Report:
    """Compares all nodes to so many steps from the beginning, and from some node of each of so many random games: there
    many histories share an information state, as they hardly do in random games. Raises Differs."""
    report, source = Report(), random.Random(seed)
    first, second = match.ours(), match.theirs()
    below(match, first.new_initial_state(), second.new_initial_state(), report, deep)
    for _ in range(games):
        ours, theirs = first.new_initial_state(), second.new_initial_state()
        for _ in itertools.islice(random_game(match, ours, theirs, report, source), source.randrange(1, 12)):
            pass
        below(match, ours, theirs.clone(), report, deep)
    return report


# ------------------------------------------------------------------------------------------ other worlds


def _other_worlds(match: Match, ours: State, theirs: Any, seed: int) -> None:
    """What a player cannot tell apart here it cannot tell apart there, and the other way round."""
    import pyspiel

    player = ours.current_player()
    here, there = ours.information_state_string(player), theirs.information_state_string(player)
    world = ours.resample(player, seed)
    if theirs_after(match, world, theirs.get_game()).information_state_string(player) != there:
        raise _differs(match, world, theirs, f"player {player} cannot tell this from the history there, and can there")
    if not match.resamples:
        return
    other = theirs.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0))
    found = ours_after(match, other, ours.game)
    if found.information_state_string(player) != here:
        raise _differs(match, found, other, f"player {player} cannot tell this there from another, and can here")


def theirs_after(match: Match, ours: State, game: Any) -> Any:
    """Their state after our history."""
    theirs, before = game.new_initial_state(), ours.game.new_initial_state()
    for actor, action in ours.full_history():
        label = before.action_to_string(actor, action)
        wanted = match.outcome(label) if actor < 0 else match.action(actor, label)
        theirs.apply_action(_called(theirs, wanted))
        before.apply_action(action)
    return theirs


def ours_after(match: Match, theirs: Any, game: Game) -> State:
    """Our state after their history."""
    ours, before = game.new_initial_state(), theirs.get_game().new_initial_state()
    for action in theirs.history():
        wanted = before.action_to_string(before.current_player(), action)
        actor = ours.current_player()
        labels = {ours.action_to_string(actor, a): a for a in ours.legal_actions()}
        named = {match.outcome(one) if actor < 0 else match.action(actor, one): a for one, a in labels.items()}
        ours.apply_action(named[wanted])
        before.apply_action(action)
    return ours


def _called(state: Any, label: str) -> int:
    player = state.current_player()
    found: int = next(a for a in state.legal_actions() if state.action_to_string(player, a) == label)
    return found
