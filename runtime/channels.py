"""What a seat may know of a step, and what it gets beside that: the channels by which it could learn what is hidden.

What it *may know* is what the spec declares: the values that `seen:` lets it see, what `told:` lets it hear, and its
own actions. What it *gets* must follow from that: which parts it sees (from what everybody sees alone), how many cards
lie hidden, the phase, whose turn it is, what it can do, and the reasons for what cannot be done. The whole of a view is
one or the other, and so are observations and information states, which are made of views and of what is heard.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from aeronef.runtime.description import Action, Cards, Domain, Seat, Several, Variable, Zone
from aeronef.runtime.errors import IllegalAction
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, Position
from aeronef.runtime.passed import done, passed
from aeronef.runtime.state import State
from aeronef.runtime.views import Data, cards_in, layout, part, parts, sees

PHASE = "which phase it is"
TURN = "whose turn it is"
CHOICES = "what can be done"
REASONS = "why something cannot be done"
REFUSALS = "what a refusal says"
LABELS = "what a label tells"


class Got(NamedTuple):
    """Something that a seat gets: by which channel, the element of the spec that gives it ("" for what `way` finds),
    and what it is."""

    channel: str
    element: str
    value: Any


@dataclass(frozen=True, slots=True)
class Leak:
    """Two plays that `viewer` may not tell apart, and what it gets that differs: `channel` says which, `one` and
    `other` what. `element` of the spec gives it. `step` is the label of the last step of the second play, `phase` the
    phase in which it was made."""

    channel: str
    element: str
    viewer: int
    phase: str
    step: str
    one: Any
    other: Any
    plays: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Secrecy:
    """`leaks`: for each channel and element that of the shortest play that was found; `histories`: how many were
    compared with another; `whole`: whether these are all that there are; `pairs`: of what was played in pairs, how
    many."""

    leaks: tuple[Leak, ...]
    histories: int
    whole: bool
    pairs: int = 0


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a seat may know of the last step: what it did itself, what it heard, what all see, and what it sees; and its
    view, of which these are parts."""

    own: int | None
    heard: list[str]
    view: Data
    public: list[Any]
    seen: list[Any]


def learnt(state: State, viewer: int, view: Data | None = None) -> Learnt:
    """Of the last step of a state. `view` is the viewer's, where it is known."""
    view = state.view(viewer) if view is None else view
    actor, action = state.moves[-1]
    public: list[Any] = []
    seen: list[Any] = []
    for place, name, entries in _entries(state.game, view):
        shown = ["hidden" if _is_hidden(place, entry) else entry for entry in entries]
        (public if place.sees.__name__ == "everyone" else seen).append((name, shown))
    own = action if actor == viewer else None
    return Learnt(own, state.heard(viewer, len(state.moves) - 1), view, public, seen)


def _entries(game: Game, view: Data) -> Iterator[tuple[Any, str, list[Any]]]:
    """Every element of a view with its parts."""
    for place, name, laid in layout(game):
        value = view["vars" if isinstance(place, Variable) else "zones"][name]
        yield place, name, [value] if laid[0].seat is None else value


def _is_hidden(place: Any, entry: Any) -> bool:
    return bool(entry == "?") if isinstance(place, Variable) else isinstance(entry, dict)


def _element(place: Any) -> str:
    return f"{'vars' if isinstance(place, Variable) else 'zones'}.{place.name}"


# ------------------------------------------------------------------------------------------ what a seat gets


def who_sees(state: State, view: Data) -> Iterator[Got]:
    """Which parts a seat sees, which must follow from what everybody sees."""
    for place, name, entries in _entries(state.game, view):
        yield Got(f"who sees `{name}`", _element(place), [_is_hidden(place, entry) for entry in entries])


def how_it_stands(state: State, viewer: int, view: Data) -> Iterator[Got]:
    """The rest of a view: how much lies where it is hidden, the phase, and whose turn it is."""
    for place, name, entries in _entries(state.game, view):
        if not isinstance(place, Variable):
            counts = [entry["hidden"] if isinstance(entry, dict) else None for entry in entries]
            yield Got(f"how many cards lie in `{name}`", _element(place), counts)
    yield Got(PHASE, "", view["phase"])
    yield Got(TURN, "", turn(state, viewer))


def turn(state: State, viewer: int) -> Any:
    """Whose turn it is. Where chance acts for one seat after the other, and its labels tell for which: for whom."""
    position = state.position
    if position.actor != CHANCE:
        return position.actor
    outcomes, phase = state.legal_actions(), state.game.variant.phases[position.phase]
    if not outcomes:
        return "chance"
    kind, values = position.chances[outcomes[0]]
    described = state.game.variant.outcomes[kind]
    if not described.params or not isinstance(described.params[0], Seat) or values[0] != position.me:
        return "chance"
    told = phase.told[described.key](position, viewer, *values) if described.key in phase.told else (True,)
    return f"chance for {position.me}" if told[0] else "chance"


def what_can_be_done(state: State) -> Iterator[Got]:
    """To whom acts: of each action of the phase what is legal. Of actions that share a label each is told apart."""
    legal = set(state.legal_actions())
    for element, ids in _actions(state.game, state.position.phase):
        yield Got(CHOICES, element, tuple(called(state.game, action) for action in ids if action in legal))


def why_not(state: State, viewer: int, asked: list[tuple[str, list[int]]]) -> Iterator[Got]:
    """The reasons for what cannot be done, of the actions that are `asked` (`asking`); and to whom acts what an attempt
    at what is not legal says."""
    if state.is_terminal() or state.is_chance_node():
        return
    for element, ids in asked:
        yield Got(REASONS, element, tuple(tuple(state.why_illegal(action, viewer)) for action in ids))
    if state.current_player() == viewer:
        legal = set(state.legal_actions())
        for element, ids in asked:
            yield Got(REFUSALS, element, tuple(_refusal(state, action) for action in ids if action not in legal))


def _refusal(state: State, action: int) -> tuple[str, tuple[str, ...]]:
    try:
        state.apply_action(action)
    except IllegalAction as error:
        return str(error), error.reasons
    raise AssertionError(f"`{state.game.labels[action]}` was done, and is not legal")


def asking(game: Game, phase: int, most: int) -> list[tuple[str, list[int]]]:
    """The actions of a phase by their elements, `most` of each at most, from all over the ids."""
    return [(element, list(ids[:: -(-len(ids) // most)])) for element, ids in _actions(game, phase)]


@lru_cache(maxsize=1024)
def _actions(game: Game, phase: int) -> list[tuple[str, range]]:
    """The actions of seats in a phase: their elements and ids."""
    found: list[tuple[str, range]] = []
    if phase >= len(game.variant.phases) or game.variant.phases[phase].kind == "chance":
        return found
    described = game.variant.phases[phase]
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for action, (kind, _) in enumerate(game.position_class.decisions):
        first.setdefault(kind, action)
        last[kind] = action
    for kind, one in enumerate(game.variant.actions):
        if one.key in described.does and kind in first:
            found.append((f"phases.{described.name}.actions.{one.key}", range(first[kind], last[kind] + 1)))
    return found


def called(game: Game, action: int) -> str:
    """The label of an action, with its own name where another has the label too."""
    label = game.labels[action]
    if len(game.ids[label]) == 1:
        return label
    return f"{label} as {game.variant.actions[game.position_class.decisions[action][0]].key}"


# ------------------------------------------------------------------------------------------ labels


def overheard(state: State, viewer: int) -> Iterator[tuple[Got, str]]:
    """The cards that labels tell, of those that are heard at the last step, and that the seat sees neither before nor
    after it: as if it were another in a world. Each comes with what the label would be then."""
    for step in _heard_steps(state, viewer):
        actor, action = state.moves[step]
        before, described, values = _done(state, step)
        told = state.game.variant.phases[before.phase].told
        hears = told[described.key](before, viewer, *values) if described.key in told else (True,) * len(values)
        for domain, value, heard in zip(described.params, values, hears, strict=True):
            for cards, card in _cards_of(domain, value) if heard else ():
                if not _sees_card(state, viewer, step, cards, card):
                    got = Got(LABELS, element_of_step(state, step), state.action_to_string(actor, action))
                    yield got, f"the same with another card than `{cards.data(card)}`"


def _heard_steps(state: State, viewer: int) -> list[int]:
    """The others' steps of which a seat hears at the last: that one, or of choices together all, once they are made."""
    last, before, after = len(state.moves) - 1, state.trail[-1], state.position
    steps = [last]
    if state.game.variant.phases[before.phase].kind == "together":
        amid = after.actor >= 0 and (after.phase, after.began) == (before.phase, before.began)
        steps = [] if amid else list(range(before.began - state.trail[0].steps, last + 1))
    return [step for step in steps if state.moves[step][0] != viewer]


def _done(state: State, step: int) -> tuple[Position, Action, tuple[Any, ...]]:
    """The position before a step, and the action or outcome with its values."""
    (actor, action), before, variant = state.moves[step], state.trail[step], state.game.variant
    kind, values = (before.chances if actor == CHANCE else before.decisions)[action]
    return before, (variant.outcomes if actor == CHANCE else variant.actions)[kind], values


def element_of_step(state: State, step: int = -1) -> str:
    """The action or outcome of a step (of the last), as findings name it."""
    before, described, _ = _done(state, step)
    which = "outcomes" if state.moves[step][0] == CHANCE else "actions"
    return f"phases.{state.game.phase_name(before)}.{which}.{described.key}"


def _cards_of(domain: Domain, value: Any) -> list[tuple[Cards, int]]:
    if isinstance(domain, Cards):
        return [(domain, value)]
    if isinstance(domain, Several) and isinstance(domain.of, Cards):
        return [(domain.of, card) for card in dict.fromkeys(value)]
    return []


def _sees_card(state: State, viewer: int, step: int, cards: Cards, card: int) -> bool:
    for known in _pictures(state, viewer, step):
        for laid in parts(state.game):
            zone = laid.place
            if isinstance(zone, Zone) and zone.cards.name == cards.name:
                there = card in cards_in(part(known, zone, laid.where))
                if there and sees(known, zone, viewer, laid.seat):
                    return True
    return False


def _pictures(state: State, viewer: int, step: int) -> Iterator[Position]:
    """What a seat may know around a step that it hears of now: now, before it, and between the last step and what
    follows that by itself (a pile may be refilled then)."""
    yield state._known(viewer)
    yield state._known(viewer, step)
    yield done(state.trail[-1], state.moves[-1][1])


# ------------------------------------------------------------------------------------------ what leads where


def way(one: State, other: State) -> str:
    """The element that led the last steps of two plays to different phases, or to different seats: the action, where it
    chose itself; else the last phase that both came by."""
    first, second = ([step[:3] for step in passed(s.trail[-1], s.moves[-1][1])] for s in (one, other))
    common = 0
    while common < min(len(first), len(second)) and first[common] == second[common]:
        common += 1
    return f"phases.{one.game.variant.phases[first[common - 1][1]].name}" if common else element_of_step(one)


def leak(got: Got, viewer: int, first: tuple[Any, State], state: State) -> Leak:
    """That a seat gets something else at the end of `state` than what it got at the end of another play."""
    one, other = first
    element = got.element or way(other, state)
    actor, action = state.moves[-1]
    who = "chance" if actor == CHANCE else actor
    step = f"{who} {state.action_to_string(actor, action)}"
    plays = tuple(other.history()), tuple(state.history())
    return Leak(got.channel, element, viewer, state.game.phase_name(state.trail[-1]), step, one, got.value, plays)
