"""Two games in lockstep: whether somebody could tell them apart, and by which play.

The second is played by the labels of the first. Compared are, in every position that both come to, the whole state,
what can be done (by chance: with its probabilities), what each player sees and heard of the last step, and the results.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aeronef.runtime import endless
from aeronef.runtime.description import Count, Tray, Variable
from aeronef.runtime.endless import Identity, Watch
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL
from aeronef.runtime.laws import as_scenario
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick
from aeronef.runtime.state import State
from aeronef.runtime.views import names, parts, sees

FAULTS = (
    RuleFault,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
Expected = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the second game is another than the first: the state of the first, what is otherwise, and what a scenario
    can expect there of the first (nothing, where a scenario cannot say it)."""

    state: State
    what: str
    expect: Expected

    def scenario(self, name: str) -> str:
        """The play that leads there, as a scenario that the first game passes and the second does not."""
        text = as_scenario(self.state, name)
        if not self.expect:
            return text
        if not self.state.moves:
            text = text.replace("    steps: []\n", "    steps:\n")
        return f"{text}      - expect: {json.dumps(self.expect, ensure_ascii=False)}\n"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many different positions were compared, whether these are all that there are, and the first difference: of
    the shortest play that leads to one."""

    states: int
    whole: bool
    difference: Difference | None = None


def compare(one: Game, other: Game, most: int) -> Comparison:
    """The two games by breadth, up to so many positions."""
    a, b, found = _begin(one, other)
    if a is None or b is None or found is not None:
        return Comparison(1, found is None, found)
    seen = {(identity(a), identity(b))}
    waiting = deque([(a, b)])
    while waiting:
        a, b = waiting.popleft()
        for action in a.legal_actions():
            pair = _step(a, b, action)
            if isinstance(pair, Difference):
                return Comparison(len(seen), False, pair)
            if pair is None:
                continue
            known = (key := (identity(pair[0]), identity(pair[1]))) in seen
            if (found := tell(*pair, known)) is not None:
                return Comparison(len(seen), False, found)
            if known:
                continue
            if len(seen) == most:
                return Comparison(most, False)
            seen.add(key)
            waiting.append(pair)
    return Comparison(len(seen), True)


def play(one: Game, other: Game, seed: int, number: int) -> Difference | None:
    """One random game of the first, with the second beside it, until they differ."""
    a, b, found = _begin(one, other)
    rng, watch = Rng.stream(seed, number), Watch(one)
    while a is not None and b is not None and found is None and a.position.actor != TERMINAL:
        try:
            action, choices = pick(a.position, rng)
            if watch.look(a.position, choices) is not None:
                return None
        except RuleFault:
            return None
        pair = _step(a, b, action)
        if pair is None or isinstance(pair, Difference):
            return pair
        a, b = pair
        found = tell(a, b)
    return found


def identity(state: State) -> str:
    """What tells a position from others, as text: all but counts and the number of steps; amid a choice together also
    what was chosen, and the picture of its beginning."""
    tells, began = _tells(state.game), state.frozen_at()
    text = repr((tells(state.position), state.position.cut))
    return text if began is None else f"{text} {state.moves[began:]} {tells(state.trail[began])}"


@lru_cache(maxsize=64)
def _tells(game: Game) -> Identity:
    return endless.identity(game.variant)


def _begin(one: Game, other: Game) -> tuple[State | None, State | None, Difference | None]:
    try:
        a = one.new_initial_state()
    except FAULTS:
        return None, None, None  # there is nothing to compare with
    try:
        b = other.new_initial_state()
    except FAULTS as fault:
        return a, None, Difference(a, f"it cannot start: {said(fault)}", {"phase": a.phase})
    return a, b, tell(a, b)


def _step(a: State, b: State, action: int) -> tuple[State, State] | Difference | None:
    """Both after an action of the first. None where the rules of both break."""
    actor = a.position.actor
    label = a.action_to_string(actor, action)
    try:
        after = a.clone()
        after.apply_action(action)
    except FAULTS:
        return None
    try:
        beside = b.clone()
        beside.apply_label(label)
    except FAULTS as fault:
        return Difference(after, f"`{label}` cannot be played: {said(fault)}", {"phase": after.phase})
    return after, beside


def tell(a: State, b: State, known: bool = False) -> Difference | None:
    """What is otherwise in the second of two states that the same play led to; of two that are `known` to look alike,
    in how they came about."""
    looks = _came_about if known else _looks
    if (_heard_alike if known else _alike)(a, b):
        return None
    try:
        mine = dict(looks(a))
    except FAULTS:
        return None
    try:
        for key, value in looks(b):
            if key not in mine or mine[key][0] != value[0]:
                was = mine[key][0] if key in mine else None
                what = f"{key} would be {_short(value[0])} instead of {_short(was)}"
                return Difference(a, what, mine[key][1] if key in mine else {})
    except FAULTS as fault:
        return Difference(a, f"the rules break: {said(fault)}", {"phase": a.phase})
    return None


def _alike(a: State, b: State) -> bool:
    """Whether two states surely look alike: they hold the same, and the same of it is seen. That is found sooner than
    what it looks like."""
    try:
        if _form(a.game) != _form(b.game) or identity(a) != identity(b) or _members(a) != _members(b):
            return False
        if a.is_terminal():
            return (a.ranking(), a.returns()) == (b.ranking(), b.returns()) and _sights(a) == _sights(b)
        if a.is_chance_node():
            offered = a.position.outcomes() == b.position.outcomes() and a.position.chances == b.position.chances
        else:
            offered = a.position.legal() == b.position.legal() and a.position.decisions == b.position.decisions
        return offered and _sights(a) == _sights(b) and dict(_heard(a)) == dict(_heard(b))
    except FAULTS:
        return False


def _heard_alike(a: State, b: State) -> bool:
    """The same of two states that are known to look alike, but for counts, and for what was heard last."""
    counts = [place.member for place in _counts(a.game)]
    try:
        counted = [[getattr(state.position, member) for member in counts] for state in (a, b)]
        return counted[0] == counted[1] and dict(_heard(a)) == dict(_heard(b))
    except FAULTS:
        return False


@lru_cache(maxsize=64)
def _form(game: Game) -> list[Any]:
    """What tells how a game's positions are spelled: where what lies, and the names of it."""
    places = [
        (place.name, place.member, place.each, place.domain if isinstance(place, Variable) else
         place.faces if isinstance(place, Tray) else place.cards.labels)
        for place in game.variant.places
    ]  # fmt: skip
    return [places, [phase.name for phase in game.variant.phases], game.labels, game.chance_labels]


def _members(state: State) -> list[Any]:
    return [getattr(state.position, member) for member in type(state.position).members()]


def _sights(state: State) -> list[bool]:
    """Of each player and each part, whether it is seen."""
    found: list[bool] = []
    for player in range(state.game.players):
        known = state._known(player)
        found += [sees(known, laid.place, player, laid.seat) for laid in parts(state.game)]
    return found


def _looks(state: State) -> Iterator[tuple[str, tuple[Any, Expected]]]:
    """What can be known of a state, with how a scenario expects it, the plainest first."""
    data = state.to_dict()
    for key in ("phase", "actor"):
        yield key, (data[key], {key: data[key]})
    for part in ("vars", "zones"):
        for name, value in data[part].items():
            yield f"{part[:-1]} `{name}`", (value, {part: {name: value}})
    if state.is_terminal():
        yield "ranking", ((ranking := state.ranking()), {"ranking": ranking})
        yield "returns", ((returns := state.returns()), {"returns": returns})
    elif state.is_chance_node():
        chances = {state.action_to_string(CHANCE, k): str(p) for k, p in state.chance_distribution()}
        yield "chance", (chances, {"chance": chances})
    else:
        legal = sorted(state.action_to_string(action) for action in state.legal_actions())
        yield "legal", (legal, {"legal": legal})
    for player in range(state.game.players):
        view = state.view(player)
        for part in ("vars", "zones"):
            for name, value in view[part].items():
                yield f"player {player}'s view of `{name}`", (value, {"views": {str(player): {part: {name: value}}}})
    yield from _heard(state)


def _came_about(state: State) -> Iterator[tuple[str, tuple[Any, Expected]]]:
    """What is no part of a position's identity: what was counted, and heard."""
    data = state.to_dict()["vars"] if _counts(state.game) else {}
    for place in _counts(state.game):
        for name, _ in names(place):
            yield f"var `{name}`", (data[name], {"vars": {name: data[name]}})
    yield from _heard(state)


def _heard(state: State) -> Iterator[tuple[str, tuple[Any, Expected]]]:
    if state.moves:
        for player in range(state.game.players):
            heard = state.heard(player, len(state.moves) - 1)
            yield f"what player {player} hears", (heard, {"heard": {str(player): heard}})


def _counts(game: Game) -> list[Variable]:
    return [place for place in game.variant.variables if isinstance(place.domain, Count)]


def said(fault: BaseException) -> str:
    """A fault in words; of one that is no rule's own, its kind too."""
    return str(fault) if isinstance(fault, RuleFault) else f"{type(fault).__name__}: {fault}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else text[:99] + "…"
