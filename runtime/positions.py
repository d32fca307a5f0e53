"""A position that an author describes: the cards and values that matter, and the rest as the game would have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from aeronef.runtime.description import Tray, Zone
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import Owned, Position
from aeronef.runtime.state import State
from aeronef.runtime.views import by_seat, cards_in, names, part, path, put_part

Where = tuple[str, int | None]  # a name in data, and the seat


def describe_state(game: Game, given: Mapping[str, Any]) -> State:
    """The state in which `given["phase"]` begins: `vars` and `zones` as listed, `actor` moved to.

    Variables not listed are as after the automatic part of the setup; cards not listed lie where they start the
    game; zones of dice not listed are empty. Raises BadInput where a name, a value or the count of the cards is wrong.
    """
    phases = {phase.name: i for i, phase in enumerate(game.variant.phases)}
    phase = given.get("phase")
    for key in ("vars", "zones"):
        if not isinstance(given.get(key) or {}, Mapping):
            raise BadInput(f"`{key}:` is a mapping of names")
    if not isinstance(phase, str) or phase not in phases:
        raise BadInput(f"there is no phase `{phase}` (there is: {', '.join(phases)})")
    if hosts := game.variant.phases[phases[phase]].hosts:
        raise BadInput(f"`{phase}` is visited from {' or '.join(f'`{host}`' for host in hosts)}: begin there")
    position = game.start()
    zones = given.get("zones") or {}
    trays = {name for tray in game.variant.trays for name, _ in names(tray)}
    _lay_dice(game, position, {name: value for name, value in zones.items() if name in trays})
    _lay_cards(game, position, {name: value for name, value in zones.items() if name not in trays})
    _set_variables(game, position, given.get("vars") or {})
    for variable in game.variant.variables:
        if variable.name in game.variant.phases[phases[phase]].settled and part(position, variable, ()) is None:
            raise BadInput(f"`{variable.name}` is decided before the phase `{phase}`: list it under `vars`")
    position.cut = False
    position.row = []
    position.go(phases[phase])
    if "actor" in given:
        _move_to(game, position, given["actor"])
    state = State(game, position)
    if not state.is_terminal() and not state.legal_actions():
        who = "chance" if state.is_chance_node() else f"seat {state.current_player()}"
        raise BadInput(f"in this position there is nothing that {who} can do in the phase `{state.phase}`")
    return state


def _listed(game: Game, name: str, value: Any) -> list[tuple[int | None, Any]]:
    """The parts of an entry: one for each seat of what there is for each seat."""
    if not isinstance(value, list) or len(value) != game.seats:
        raise BadInput(f"`{name}` needs a list with one entry for each of the {game.seats} seats")
    return list(enumerate(value))


def _set_variables(game: Game, position: Position, listed: Mapping[str, Any]) -> None:
    known = {name: (variable, values) for variable in game.variant.variables for name, values in names(variable)}
    for name, value in listed.items():
        if name not in known:
            raise BadInput(f"there is no variable `{name}` (there is: {', '.join(known)})")
        variable, values = known[name]
        parts = _listed(game, name, value) if by_seat(variable) else [(None, value)]
        for seat, data in parts:
            try:
                found = variable.domain.parse(data, game.seats)
            except ValueError as error:
                raise BadInput(f"`{name}`: {error}") from None
            put_part(position, variable, path(variable, values, seat), found)


def _lay_cards(game: Game, position: Position, listed: Mapping[str, Any]) -> None:
    known = {name: (zone, values) for zone in game.variant.zones for name, values in names(zone)}
    wanted: dict[Where, list[Any]] = {}  # cards, or cards with their owners
    for name, value in listed.items():
        if name not in known:
            there = ", ".join([*known, *(other for tray in game.variant.trays for other, _ in names(tray))])
            raise BadInput(f"there is no zone `{name}` (there is: {there})")
        zone = known[name][0]
        for seat, labels in _listed(game, name, value) if by_seat(zone) else [(None, value)]:
            wanted[name, seat] = _parse_cards(game, zone, name, labels)
    fresh = game.position_class()
    lying: dict[Where, list[int]] = {}
    for name, (zone, values) in known.items():
        for seat in range(game.seats) if by_seat(zone) else [None]:
            lying[name, seat] = cards_in(part(fresh, zone, path(zone, values, seat)))
    _take_listed(known, lying, wanted)
    for (name, seat), cards in lying.items():
        zone, values = known[name]
        now = list(wanted.get((name, seat), cards))
        if zone.form == "unordered":
            now.sort()
        slot = now[0] if now else None
        put_part(position, zone, path(zone, values, seat), slot if zone.form == "slot" else now)


def _lay_dice(game: Game, position: Position, listed: Mapping[str, Any]) -> None:
    for tray in game.variant.trays:
        for name, values in names(tray):
            none: list[Any] = [[]] * game.seats if by_seat(tray) else []
            found = listed.get(name, none)
            for seat, data in _listed(game, name, found) if by_seat(tray) else [(None, found)]:
                faces = _parse_faces(game, tray, name, data)
                shown = sorted(faces) if tray.form == "unordered" else faces
                put_part(position, tray, path(tray, values, seat), shown)


def _parse_faces(game: Game, tray: Tray, name: str, data: Any) -> list[int]:
    if not isinstance(data, list):
        raise BadInput(f"`{name}` needs a list of what its dice show")
    if len(data) > tray.holds:
        raise BadInput(f"`{name}` holds at most {tray.holds} dice, and {len(data)} are listed")
    try:
        return [tray.faces.parse(face, game.seats) for face in data]
    except ValueError as error:
        raise BadInput(f"`{name}`: {error}") from None


def _parse_cards(game: Game, zone: Zone, name: str, labels: Any) -> list[Any]:
    if not isinstance(labels, list):
        raise BadInput(f"`{name}` needs a list of cards")
    if zone.form == "slot" and len(labels) > 1:
        raise BadInput(f"`{name}` holds one card at most")
    try:
        if zone.owned:
            return [_parse_entry(game, zone, entry) for entry in labels]
        cards = [zone.cards.parse(label, game.seats) for label in labels]
    except ValueError as error:
        raise BadInput(f"`{name}`: {error}") from None
    if zone.once and len(set(cards)) < len(cards):
        raise BadInput(f"`{name}` never holds two equal cards")
    return cards


def _parse_entry(game: Game, zone: Zone, entry: Any) -> Owned:
    """A card with its owner, written `[0, label]`. Raises ValueError."""
    if not isinstance(entry, list) or len(entry) != 2:
        raise ValueError(f"`{entry}` is no card with its owner, as in `[0, {zone.cards.labels[0]}]`")
    owner, label = entry
    if isinstance(owner, bool) or not isinstance(owner, int) or not 0 <= owner < game.seats:
        raise ValueError(f"there is no seat `{owner}` to own a card")
    return Owned(owner, zone.cards.parse(label, game.seats))


def _take_listed(
    known: Mapping[str, tuple[Zone, Any]], lying: dict[Where, list[int]], wanted: Mapping[Where, list[Any]]
) -> None:
    """Each listed card leaves the place where it starts: its own zone first, then its seat's, then a shared one. One
    that is listed with its owner leaves its owner's zones first."""
    missing: list[tuple[str, int | None, int]] = []  # where it is listed, for which seat, and the card
    for where, cards in wanted.items():
        name, seat = where
        if known[name][0].owned:
            missing += [(name, entry.owner, entry.card) for entry in cards]
            continue
        left = Counter(cards)
        kept = []
        for card in lying[where]:
            if left[card]:
                left[card] -= 1
            else:
                kept.append(card)
        lying[where] = kept
        missing += [(name, seat, card) for card in left.elements()]
    for name, seat, card in missing:
        zone = known[name][0]
        sources = [
            place for place, cards in lying.items()
            if card in cards and known[place[0]][0].cards is zone.cards and place[1] in (seat, None)
        ]  # fmt: skip
        if seat is None or zone.owned:
            sources += [
                place for place, cards in lying.items() if card in cards and known[place[0]][0].cards is zone.cards
            ]
        if not sources:
            raise BadInput(f"too many of the card `{zone.cards.data(card)}`: `{name}` lists one more than there is")
        sources.sort(key=lambda place: (zone.owned and place[1] != seat, place not in wanted, place[1] is None))
        lying[sources[0]].remove(card)
    for where in wanted:
        if lying[where]:
            label = known[where[0]][0].cards.data(lying[where][0])
            raise BadInput(
                f"the card `{label}` is listed nowhere: it starts in `{where[0]}`, which is listed without it"
            )


def _move_to(game: Game, position: Position, actor: Any) -> None:
    """Moves the turn to a seat: those before it in the phase's order are passed over."""
    if position.actor == actor or (actor == "chance" and position.actor < 0):
        return
    phase = game.phase_name(position)
    if isinstance(actor, bool) or not isinstance(actor, int) or not 0 <= actor < game.players:
        raise BadInput(f"there is no player {actor!r} to act")
    if game.variant.phases[position.phase].kind == "together":
        raise BadInput(
            f"`{phase}` is a choice together that begins with seat {position.actor}; others follow in their turn"
        )
    if position.row:  # what the seat has to answer is worked out when its turn comes
        if actor in position.queue:
            position.queue, position.row = position.queue[position.queue.index(actor) :], []
            after = game.variant.phases[position.phase].next
            assert after is not None
            if after(position) is not None or position.actor != actor:
                raise BadInput(f"seat {actor} has nothing to choose in the phase `{phase}` here")
            return
        raise BadInput(f"seat {actor} does not act in the phase `{phase}` here")
    if actor in position.queue:
        position.queue = position.queue[position.queue.index(actor) + 1 :]
    elif position.queue or game.variant.phases[position.phase].kind != "turns":
        raise BadInput(f"seat {actor} does not act in the phase `{phase}` here")
    position.me = position.actor = actor
