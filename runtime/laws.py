"""The laws that hold for every compiled variant, whatever its rules.

Each law takes a state (and a source of random choices) and raises `LawBroken`. `walk` plays one random game under
the laws; `machine.py` derives a Hypothesis state machine from the same ones.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from aeronef.runtime.description import Cards, Count, SetOf, Tray, Variable, Zone
from aeronef.runtime.endless import Watch, accepting, choices
from aeronef.runtime.errors import IllegalAction, RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, TERMINAL, Owned, Position
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import pick
from aeronef.runtime.state import State, dump
from aeronef.runtime.views import Laid, cards_in, entries_in, flat, part, parts, put_part, sees

Law = Callable[[State, Rng], None]


class LawBroken(AssertionError):
    """A law does not hold of a state: `law` is its name."""

    def __init__(self, law: str, message: str) -> None:
        super().__init__(f"{law}: {message}")
        self.law = law


# ------------------------------------------------------------------------------------------ of every position


def cards_are_kept(state: State, rng: Rng) -> None:
    """No card is made or lost."""
    start, now = _start_census(state.game), _census(state.game, state.position)
    if start != now:
        for cards, lying in now.items():
            gone, come = Counter(start[cards]), Counter(lying)
            for card in (gone - come) | (come - gone):
                raise LawBroken(
                    "cards are kept", f"there are {come[card]} of `{cards.data(card)}` and were {gone[card]}"
                )


def cards_are_apart(state: State, rng: Rng) -> None:
    """Where the rules never lay two equal cards, none do."""
    for zone in state.game.variant.zones:
        for cards in flat(getattr(state.position, zone.member), len(zone.each)) if zone.once else ():
            if len(set(cards)) < len(cards):
                raise LawBroken("cards are apart", f"`{zone.name}` holds {[zone.cards.data(card) for card in cards]}")


def _census(game: Game, position: Position) -> dict[Cards, list[int]]:
    """All cards of each type, sorted."""
    lying: dict[Cards, list[int]] = {}
    for zone in game.variant.zones:
        found = lying.setdefault(zone.cards, [])
        for cards in flat(getattr(position, zone.member), len(zone.each)):
            if zone.form != "slot":
                found += cards_in(cards) if zone.owned else cards
            elif cards is not None:
                found.append(cards)
    for found in lying.values():
        found.sort()
    return lying


@lru_cache(maxsize=64)
def _start_census(game: Game) -> dict[Cards, list[int]]:
    return _census(game, game.position_class())


@lru_cache(maxsize=64)
def _ranges(game: Game) -> list[tuple[Laid, frozenset[Any] | None]]:
    """Each variable's part with the values that it may hold (None: anything that its type parses)."""
    found: list[tuple[Laid, frozenset[Any] | None]] = []
    for laid in parts(game):
        if isinstance(laid.place, Variable):
            domain = laid.place.domain
            whole = not isinstance(domain, Count | SetOf)
            found.append((laid, frozenset(domain.values(game.seats)) if whole else None))
    return found


@lru_cache(maxsize=64)
def _listed(game: Game) -> dict[str, tuple[Variable, frozenset[Any]]]:
    """Of the variables whose values can all be listed each, by its member, with these."""
    ranges = [(laid.place, values) for laid, values in _ranges(game) if values is not None]
    return {place.member: (place, values) for place, values in ranges if isinstance(place, Variable)}


def ranges_are_kept(state: State, rng: Rng) -> None:
    """Every variable holds a value of its type."""
    listed = _listed(state.game)
    for variable, values in listed.values():
        found = flat(getattr(state.position, variable.member), len(variable.each))
        try:
            wrong = [] if values.issuperset(found) else [value for value in found if value not in values]
        except TypeError:  # what no set can hold is no value
            wrong = found
        if wrong:
            raise LawBroken("ranges are kept", f"`{variable.name}` holds {wrong[0]!r}, and is {variable.domain}")
    for laid, _ in _ranges(state.game):
        place = laid.place
        assert isinstance(place, Variable)
        if place.member in listed:
            continue
        value, domain = part(state.position, place, laid.where), place.domain
        try:
            sound = domain.parse(domain.data(value), state.game.seats) == value
        except (ValueError, IndexError, TypeError):
            sound = False
        if not sound:
            raise LawBroken("ranges are kept", f"`{place.name}` holds {value!r}, and is {domain}")


def settled_is_settled(state: State, rng: Rng) -> None:
    """What is decided before a phase is not none in it."""
    phases, position = state.game.variant.phases, state.position
    if position.phase < len(phases):
        for variable in state.game.variant.variables:
            if variable.name in phases[position.phase].settled and part(position, variable, ()) is None:
                raise LawBroken("settled is settled", f"`{variable.name}` is none in phase {state.phase}")


def zones_are_in_order(state: State, rng: Rng) -> None:
    """Unordered zones lie in deck order, dice in the order of their faces, so that equal states print alike."""
    zones: list[Zone | Tray] = [*state.game.variant.zones, *state.game.variant.trays]
    for zone in zones:
        if zone.form == "unordered":
            for cards in flat(getattr(state.position, zone.member), len(zone.each)):
                if cards != sorted(cards):
                    raise LawBroken("zones are in order", f"`{zone.name}` is not")


def dice_fit(state: State, rng: Rng) -> None:
    """A zone of dice has no more than it holds, and each shows one of its faces."""
    for tray in state.game.variant.trays:
        faces = tray.faces.values(state.game.seats)
        for shown in flat(getattr(state.position, tray.member), len(tray.each)):
            if len(shown) > tray.holds:
                raise LawBroken("dice fit", f"{len(shown)} lie in `{tray.name}`, which holds {tray.holds}")
            for face in shown:
                if type(face) is not int or face not in faces:
                    raise LawBroken("dice fit", f"a die in `{tray.name}` shows {face!r}")


def owners_are_seats(state: State, rng: Rng) -> None:
    """Whoever a card in a zone that keeps owners belongs to is a seat of the game."""
    for zone in state.game.variant.zones:
        if zone.owned:
            for entries in flat(getattr(state.position, zone.member), len(zone.each)):
                for entry in entries_in(entries):
                    if type(entry.owner) is not int or entry.owner not in range(state.game.seats):
                        raise LawBroken("owners are seats", f"`{zone.name}` holds {entry!r}")


def somebody_can_act(state: State, rng: Rng) -> None:
    """Until it is over, a game offers something to somebody: distinct actions, as whole numbers, ascending."""
    legal = state.legal_actions()
    if state.is_terminal():
        if legal:
            raise LawBroken("the end is final", "there is something to do after the end")
        return
    if not legal:
        raise LawBroken("somebody can act", f"nothing can be done in phase {state.phase}")
    if legal != sorted(set(legal)) or any(type(action) is not int for action in legal):
        raise LawBroken("actions are distinct", f"the legal ids are {legal}")
    if not state.is_chance_node() and not 0 <= state.current_player() < state.game.players:
        raise LawBroken("players act", f"seat {state.current_player()} is asked")


def labels_tell_apart(state: State, rng: Rng) -> None:
    """No two legal actions have one label, though actions of one name may."""
    game, chance = state.game, state.is_chance_node()
    labels = game.chance_labels if chance else game.labels
    if len(game.chance_ids if chance else game.ids) == len(labels):
        return
    found = Counter(labels[action] for action in state.legal_actions())
    for label, times in found.items():
        if times > 1:
            raise LawBroken("labels tell apart", f"{times} legal actions are called `{label}`, in phase {state.phase}")


def every_outcome_has_a_weight(state: State, rng: Rng) -> None:
    """What can happen by chance has a weight, a whole number above 0."""
    for outcome, weight in state.position.outcomes():
        if weight <= 0:
            raise LawBroken("chances are positive", f"`{state.game.chance_labels[outcome]}` has the weight {weight}")


def chances_sum_to_one(state: State, rng: Rng) -> None:
    """The probabilities of chance are positive, and sum to exactly 1."""
    if state.is_chance_node():
        chances = [probability for _, probability in state.chance_distribution()]
        if any(p <= 0 for p in chances) or sum(chances, Fraction(0)) != 1:
            raise LawBroken("chances sum to one", f"they are {', '.join(map(str, chances))}")


def invariants_hold(state: State, rng: Rng) -> None:
    """What the spec itself says of every position."""
    for name, test in state.game.variant.invariants:
        if not test(state.position):
            raise LawBroken("invariant", name)


def ends_within_its_bound(state: State, rng: Rng) -> None:
    """No game reaches its longest length without an end, or could go on for ever (unless the spec accepts that)."""
    caught = state.endless()
    if caught is not None:
        if not accepting(state.game, caught):
            raise LawBroken("the game ends", str(caught))
    elif state.cut:
        raise LawBroken("the game ends", f"it was cut after {len(state.moves)} steps, its longest length")


def results_are_sound(state: State, rng: Rng) -> None:
    """Ranks are 1 and up, ties share; the first share 1 as their returns (unless the spec says otherwise)."""
    if not state.is_terminal() or state.cut:
        if state.returns() != [0.0] * state.game.players:
            raise LawBroken("returns are final", f"{state.returns()} before the end")
        return
    ranks, returns = state.ranking(), state.returns()
    if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks) and not _all_lose(state):
        raise LawBroken("ranks are sound", str(ranks))
    if state.game.variant.has_returns:
        return
    winners = ranks.count(1)
    fair = [0.0 if rank > 1 or _all_lose(state) else 1 / winners for rank in ranks[: state.game.players]]
    if returns != fair:
        raise LawBroken("returns are shares", f"{returns} for the ranks {ranks}")


def _all_lose(state: State) -> bool:
    return state.game.variant.has_lost and bool(state.position.lost())  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------------ of actions


def listed_actions_apply(state: State, rng: Rng) -> None:
    """Every listed action applies, to a copy; the state itself stays as it is."""
    before = dump(state.position)
    for action in _some(state.legal_actions(), rng, 4):
        copy = state.clone()
        copy.apply_action(action)
        if len(copy.moves) != len(state.moves) + 1:
            raise LawBroken("a step is a step", state.action_to_string(action))
    if dump(state.position) != before:
        raise LawBroken("copies are apart", "a step of a copy changed the original")


def unlisted_actions_change_nothing(state: State, rng: Rng) -> None:
    """Every unlisted action raises IllegalAction with a reason, and changes nothing."""
    before = dump(state.position)
    legal = set(state.legal_actions())
    size = state.game.max_chance_outcomes() if state.is_chance_node() else state.game.num_distinct_actions()
    others = [action for action in range(size) if action not in legal]
    for action in [*_some(others, rng, 4), -1, size]:
        try:
            state.apply_action(action)
        except IllegalAction as error:
            if not str(error):
                raise LawBroken("refusals say why", f"action {action}") from None
        else:
            raise LawBroken("unlisted actions are refused", f"action {action} was applied")
    if dump(state.position) != before:
        raise LawBroken("refusals change nothing", "the state is another now")


def _some(items: list[int], rng: Rng, most: int) -> list[int]:
    if len(items) <= most:
        return items
    return sorted({items[rng.below(len(items))] for _ in range(most)})


# ------------------------------------------------------------------------------------------ of histories


LONGEST_RECALL = 150  # what a seat knows is looked at in the first steps: it grows with every one


def _recalled(state: State, player: int) -> str:
    return state.information_state_string(player) if len(state.moves) <= LONGEST_RECALL else ""


def undo_goes_back(state: State, rng: Rng) -> None:
    """After a step and its undoing everything is as before, what seats know included."""
    if state.is_terminal():
        return
    copy = state.clone()
    player = rng.below(state.game.players)
    before, known = dump(copy.position), _recalled(copy, player)
    actions = copy.legal_actions()
    actor, action = copy.current_player(), actions[rng.below(len(actions))]
    copy.apply_action(action)
    _recalled(copy, player)
    copy.undo_action(actor, action)
    if dump(copy.position) != before or _recalled(copy, player) != known or copy.moves != state.moves:
        raise LawBroken("undo goes back", f"not from {copy.action_to_string(actor, action)}")


def saved_states_are_the_same(state: State, rng: Rng) -> None:
    """What is serialized comes back: the same position, the same knowledge, the same future."""
    twin = state.game.deserialize_state(state.serialize())
    if dump(twin.position) != dump(state.position) or twin.serialize() != state.serialize():
        raise LawBroken("saved states are the same", "the position is another")
    for player in range(state.game.players):
        if twin.view(player) != state.view(player):
            raise LawBroken("saved states are the same", f"player {player} sees something else")


def labels_name_actions(state: State, rng: Rng) -> None:
    """A label leads back to its action."""
    for action in _some(state.legal_actions(), rng, 8):
        if state.string_to_action(state.action_to_string(action)) != action:
            raise LawBroken("labels name actions", state.action_to_string(action))


# ------------------------------------------------------------------------------------------ of what seats know


def views_keep_secrets(state: State, rng: Rng) -> None:
    """Two states that differ only in what a seat may not see look the same to it, offer it the same, and give it the
    same reasons for what they do not offer."""
    size = state.game.num_distinct_actions()
    asked = [rng.below(size) for _ in range(3)] if size else []
    for viewer in range(state.game.players):
        other = _another_world(state, viewer, rng)
        if other.view(viewer) != state.view(viewer):
            raise LawBroken(
                "views keep secrets", f"player {viewer} sees what is hidden from it, in phase {state.phase}"
            )
        if state.current_player() == viewer and other.legal_actions() != state.legal_actions():
            raise LawBroken(
                "choices keep secrets",
                f"what player {viewer} can do tells what is hidden from it, in phase {state.phase}",
            )
        for action in asked:
            if other.why_illegal(action, viewer) != state.why_illegal(action, viewer):
                raise LawBroken(
                    "reasons keep secrets",
                    f"why player {viewer} could not do `{state.game.labels[action]}` tells what is hidden from it, "
                    f"in phase {state.phase}",
                )


def _another_world(state: State, viewer: int, rng: Rng) -> State:
    """The state with everything that the viewer may not see dealt and set anew; of a choice together also the picture
    of its beginning."""
    other, known = state.clone(), state._known(viewer)
    other._seen = {}
    began = state.frozen_at()
    if began is not None:
        other.trail[began] = _scrambled(state.game, state.trail[began], known, viewer, rng)
    other.position = _scrambled(state.game, state.position, known, viewer, rng)
    return other


def _scrambled(game: Game, position: Position, known: Position, viewer: int, rng: Rng) -> Position:
    world = position.copy()
    hidden: dict[str, list[tuple[Zone, tuple[int, ...], int]]] = {}
    pool: dict[str, list[int]] = {}
    for laid in parts(game):
        zone, where = laid.place, laid.where
        if isinstance(zone, Zone) and not sees(known, zone, viewer, laid.seat):
            cards = cards_in(part(world, zone, where))
            hidden.setdefault(zone.cards.name, []).append((zone, where, len(cards)))
            pool.setdefault(zone.cards.name, []).extend(cards)
        elif isinstance(zone, Tray) and not sees(known, zone, viewer, laid.seat):
            faces = zone.faces.values(game.seats)
            shown = [faces[rng.below(len(faces))] for _ in part(world, zone, where)]
            put_part(world, zone, where, sorted(shown) if zone.form == "unordered" else shown)
    for name, places in hidden.items():
        cards = pool[name]
        for i in range(len(cards) - 1, 0, -1):
            j = rng.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        for zone, where, size in places:
            dealt, cards = cards[:size], cards[size:]
            entries: list[Any] = [Owned(rng.below(game.seats), card) for card in dealt] if zone.owned else dealt
            if zone.form == "slot":
                put_part(world, zone, where, entries[0] if entries else None)
            else:
                put_part(world, zone, where, sorted(entries) if zone.form == "unordered" else entries)
    phases = game.variant.phases
    settled = phases[position.phase].settled if position.phase < len(phases) else ()
    for laid, allowed in _ranges(game):
        if allowed is not None and not sees(known, laid.place, viewer, laid.seat):
            values = sorted(allowed, key=lambda value: (value is not None, value))
            values = values[1:] if values[0] is None and laid.place.name in settled else values
            put_part(world, laid.place, laid.where, values[rng.below(len(values))])
    return world


def knowledge_grows(state: State, rng: Rng) -> None:
    """Perfect recall: what a seat knew before the last step is the beginning of what it knows now."""
    if not state.moves or state.is_terminal() or len(state.moves) > LONGEST_RECALL:
        return
    player = rng.below(state.game.players)
    now = state.information_state_string(player)
    earlier = state.clone()
    earlier.undo_action()
    if not now.startswith(earlier.information_state_string(player)):
        raise LawBroken("knowledge grows", f"player {player} forgot something")


EVERY_STEP: tuple[Law, ...] = (
    cards_are_kept,
    cards_are_apart,
    ranges_are_kept,
    settled_is_settled,
    zones_are_in_order,
    dice_fit,
    owners_are_seats,
    somebody_can_act,
    labels_tell_apart,
    every_outcome_has_a_weight,
    invariants_hold,
)
SOMETIMES: tuple[Law, ...] = (
    listed_actions_apply, unlisted_actions_change_nothing, undo_goes_back, saved_states_are_the_same,
    labels_name_actions, chances_sum_to_one, views_keep_secrets, knowledge_grows, results_are_sound,
)  # fmt: skip
AT_THE_END: tuple[Law, ...] = (
    ends_within_its_bound,
    results_are_sound,
    somebody_can_act,
    unlisted_actions_change_nothing,
    views_keep_secrets,
)


# ------------------------------------------------------------------------------------------ random games under the laws


class Broken(Exception):
    """A game that breaks a law: `state` is where, `reason` the law or the fault."""

    def __init__(self, state: State, reason: LawBroken | RuleFault) -> None:
        super().__init__(str(reason))
        self.state = state
        self.reason = reason


def check(state: State, laws: tuple[Law, ...], rng: Rng) -> None:
    """Raises Broken where a law does not hold."""
    for law in laws:
        try:
            law(state, rng)
        except (LawBroken, RuleFault) as error:
            raise Broken(state, error) from None


def walk(game: Game, seed: int, number: int, looks: int = 2) -> int:
    """One random game under the laws; the costly ones are looked at up to `looks` times, and at the end. A game that is
    caught in a round without an end is left there.

    The looks are at random steps of the game that was played. Gives the number of steps. Raises Broken.
    """
    rng = Rng.stream(seed, number)
    doubts = Rng.stream(seed ^ 0x5EED, number)
    state = game.new_initial_state()
    watch = Watch(game)
    steps = 0
    while state.position.actor != TERMINAL:
        try:
            offered = choices(state.position)
        except RuleFault as fault:
            raise Broken(state, fault) from None
        chance = state.position.actor == CHANCE
        state._offered = state.position, [outcome for outcome, _ in offered] if chance else offered
        check(state, EVERY_STEP, doubts)
        try:
            action, several = pick(state.position, rng, offered)
            if watch.look(state.position, several) is not None:
                break
            before = state.position
            after = before.copy()
            after.apply(action)
        except RuleFault as fault:
            raise Broken(state, fault) from None
        state.trail.append(before)
        state.moves.append((before.actor, action))
        state.position = after
        steps += 1
    check(state, (*EVERY_STEP, *AT_THE_END), doubts)
    for _ in range(looks):
        check(_at(state, doubts.below(steps + 1)), SOMETIMES, doubts)
    return steps


def _at(state: State, step: int) -> State:
    """The state as it was before a step (at the end, after all)."""
    if step == len(state.trail):
        return state
    earlier = State(state.game, state.trail[step])
    earlier.trail, earlier.moves = state.trail[:step], state.moves[:step]
    return earlier


PLAIN = r"[\w .,()+?-]*"


def _quoted(text: str) -> str:
    """A text in quotes that YAML reads as it is."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def as_scenario(state: State, name: str) -> str:
    """The play that led to a state, as a scenario that can be pasted into a file."""
    options = ", ".join(f"{k}: {str(v).lower() if isinstance(v, bool) else v}" for k, v in state.game.options.items())
    lines = [f"  - name: {_quoted(name)}", f"    players: {state.game.players}"]
    if options:
        lines.append(f"    options: {{{options}}}")
    lines.append("    steps:" if state.moves else "    steps: []")
    for actor, action in state.moves:
        who = "chance" if actor < 0 else str(actor)
        step = f"{who} {state.action_to_string(actor, action)}"
        lines.append(f"      - {step if re.fullmatch(PLAIN, step) else _quoted(step)}")
    return "\n".join([f"variant: {state.game.name}", "scenarios:", *lines]) + "\n"
