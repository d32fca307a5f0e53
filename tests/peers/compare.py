"""Two implementations of one game side by side: ours, and OpenSpiel's under a label map.

Nodes are compared where somebody acts or the game is over; between them chance is compared by its distribution over
what it came to. What must be the same: who acts, what is legal, what chance does, what all get, and who knows what: two
histories share our information state of a player exactly when they share theirs.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
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
    Where chance does not do the same one step after the other, `came` says what a row of steps of it comes to, of our
    labels and of theirs: what comes to the same is the same. `unit`: so many of our points are one of theirs.
    """

    spec: str
    peer: str
    action: Callable[[int, str], str] = same_label
    outcome: Callable[[str], str] = str
    came: tuple[Callable[[list[str]], Hashable], Callable[[list[str]], Hashable]] | None = None
    players: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    unit: int = 1
    whole: bool = True  # small enough for the whole tree
    quick: bool = True  # so small that every test run compares it
    resamples: bool = True  # whether OpenSpiel has `resample_from_infostate` for the game
    watched: str = "actor"  # whose information states: of who acts, or of "everybody"

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


def node(match: Match, ours: State, theirs: Any, report: Report) -> list[tuple[int, int]]:
    """Compares a node where nobody or a player acts; gives its actions, ours beside theirs. Raises Differs."""
    report.nodes += 1
    if ours.is_terminal() != theirs.is_terminal():
        raise _differs(match, ours, theirs, f"over: {ours.is_terminal()} and {theirs.is_terminal()}")
    if ours.is_terminal():
        report.ends += 1
        wanted, found = theirs.returns(), [value / match.unit for value in ours.returns()]
        if len(wanted) != len(found) or any(abs(a - b) > CLOSE for a, b in zip(found, wanted, strict=True)):
            raise _differs(match, ours, theirs, f"returns: {found} and {wanted}")
        return []
    player = ours.current_player()
    if player != theirs.current_player():
        raise _differs(match, ours, theirs, f"who acts: {player} and {theirs.current_player()}")
    _knowledge(match, ours, theirs, report)
    mine = {match.action(player, ours.action_to_string(player, a)): a for a in ours.legal_actions()}
    other = {theirs.action_to_string(player, a): a for a in theirs.legal_actions()}
    if mine.keys() != other.keys() or len(mine) != len(ours.legal_actions()):
        raise _differs(match, ours, theirs, f"legal: {sorted(mine)} and {sorted(other)}")
    return [(action, other[label]) for label, action in mine.items()]


def _knowledge(match: Match, ours: State, theirs: Any, report: Report) -> None:
    """Two histories share our information state of a player exactly when they share theirs."""
    for player in range(ours.game.players) if match.watched == "everybody" else [ours.current_player()]:
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


# ------------------------------------------------------------------------------------------ chance

Way = tuple[list[str], float, Any]  # what happened, how likely, and the state after it


def _ways(state: Any, labels: list[str], likely: float) -> Iterator[Way]:
    """All that chance can do before somebody acts."""
    if not state.is_chance_node():
        yield labels, likely, state
        return
    for outcome, probability in state.chance_outcomes():
        after = state.clone()
        label = state.action_to_string(-1, outcome)
        after.apply_action(outcome)
        yield from _ways(after, [*labels, label], likely * probability)


def _gathered(ways: Iterable[Way], came: Callable[[list[str]], Hashable]) -> dict[Hashable, tuple[float, list[Any]]]:
    found: dict[Hashable, tuple[float, list[Any]]] = {}
    for labels, likely, state in ways:
        before, states = found.get(came(labels), (0.0, []))
        found[came(labels)] = before + likely, [*states, state]
    return found


def after_chance(match: Match, ours: State, theirs: Any) -> Iterator[tuple[State, Any]]:
    """The pairs of nodes that come after chance, if it is to act; each of ours and each of theirs in one at least.
    Raises Differs where the distributions differ."""
    if not ours.is_chance_node() and not theirs.is_chance_node():
        yield ours, theirs
        return
    came = match.came or (lambda labels: tuple(match.outcome(label) for label in labels), tuple)
    here, there = _gathered(_ways(ours, [], 1.0), came[0]), _gathered(_ways(theirs, [], 1.0), came[1])
    if here.keys() != there.keys():
        raise _differs(match, ours, theirs, f"chance: {sorted(map(str, here))} and {sorted(map(str, there))}")
    for key, (likely, mine) in here.items():
        wanted, other = there[key]
        if abs(likely - wanted) > CLOSE:
            raise _differs(match, ours, theirs, f"chance: {key} has {likely} and {wanted}")
        for k in range(max(len(mine), len(other))):
            yield mine[k % len(mine)], other[k % len(other)]


# ------------------------------------------------------------------------------------------ whole trees, random games


def whole_tree(match: Match) -> Report:
    """Compares every node. Raises Differs."""
    report = Report()
    waiting = list(after_chance(match, match.ours().new_initial_state(), match.theirs().new_initial_state()))
    while waiting:
        ours, theirs = waiting.pop()
        for mine, other in node(match, ours, theirs, report):
            after, there = ours.clone(), theirs.clone()
            after.apply_action(mine)
            there.apply_action(other)
            waiting += after_chance(match, after, there)
    return report


def random_games(match: Match, games: int, seed: int, worlds: int = 0) -> Report:
    """Compares the nodes of random games, stepped in both together. Where `came` says what chance comes to, all of its
    ways are looked at; else each step is compared by itself.

    So many times in all somebody is asked for another world that it cannot tell from the one at hand, ours and (where
    OpenSpiel has that of the game) theirs: it may not be able to tell it from it in the other game either. Raises
    Differs.
    """
    report, source = Report(), random.Random(seed)
    first, second = match.ours(), match.theirs()
    for _ in range(games):
        ours, theirs = first.new_initial_state(), second.new_initial_state()
        while True:
            if match.came is not None:
                ours, theirs = source.choice(list(after_chance(match, ours, theirs)))
            else:
                _chance_together(match, ours, theirs, source)
            pairs = node(match, ours, theirs, report)
            if not pairs:
                break
            if report.worlds < worlds and source.random() < 0.2:
                _other_worlds(match, ours, theirs, source.randrange(1 << 30))
                report.worlds += 1
            mine, other = source.choice(pairs)
            ours.apply_action(mine)
            theirs.apply_action(other)
    return report


def _chance_together(match: Match, ours: State, theirs: Any, source: random.Random) -> None:
    """Steps of chance, one beside the other, as long as it is to act."""
    while ours.is_chance_node() or theirs.is_chance_node():
        if not (ours.is_chance_node() and theirs.is_chance_node()):
            raise _differs(match, ours, theirs, "chance acts in one of them")
        chances = ours.chance_outcomes()
        mine = {match.outcome(ours.action_to_string(-1, outcome)): (outcome, p) for outcome, p in chances}
        other = {theirs.action_to_string(-1, outcome): (outcome, p) for outcome, p in theirs.chance_outcomes()}
        if mine.keys() != other.keys() or len(mine) != len(chances):
            raise _differs(match, ours, theirs, f"chance: {sorted(mine)} and {sorted(other)}")
        for label, (_, p) in mine.items():
            if abs(p - other[label][1]) > CLOSE:
                raise _differs(match, ours, theirs, f"chance: {label} has {p} and {other[label][1]}")
        label = source.choice(list(mine))
        ours.apply_action(mine[label][0])
        theirs.apply_action(other[label][0])


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
    """Their state after our history, where chance does the same one step after the other."""
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
