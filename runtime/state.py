"""The state of a game in play: a position and how it came about. The conventions are OpenSpiel's."""

from __future__ import annotations

import json
import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from aeronef.runtime import views
from aeronef.runtime.endless import Endless, of_state
from aeronef.runtime.errors import BadInput, IllegalAction, RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE, NOBODY, TERMINAL, Owned, Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = "aeronef-state/1"


class State:
    """`trail[k]` is the position before step k, `moves` the steps so far: (actor, id).

    A step that goes wrong leaves the state as it was, undoing is going back, and the past can be looked at: what a seat
    may see while others choose is what it saw when the choice began. So whoever was handed a position keeps it as it
    is: the next step works on a copy. As long as nobody looks, steps change the one position that there is; the past is
    then played again, once somebody asks for it, and kept from there on.
    """

    __slots__ = ("_keeps", "_mine", "_offered", "_position", "_seen", "_trail", "game", "moves")

    def __init__(self, game: Game, position: Position) -> None:
        self.game = game
        self._position = position
        self._mine = False  # whether nobody else has the position, so that a step may change it
        self._keeps = position.is_counted  # whether every step is to be made on a copy
        self._trail: list[Position | None] = []  # None where a position was not kept
        self.moves: list[tuple[int, int]] = []
        self._seen: dict[int, list[str]] = {}
        self._offered: tuple[Position, list[int]] | None = None  # what is legal there, once somebody has asked for it

    @classmethod
    def begun(cls, game: Game) -> Self:
        """The state before the first step."""
        state = cls(game, game.start())
        state._mine = True
        return state

    # ------------------------------------------------------------------------------ where it stands, and stood

    @property
    def position(self) -> Position:
        """Where the game stands. It stays as it is: what is handed out is not changed by later steps."""
        self._mine = False
        return self._position

    @position.setter
    def position(self, position: Position) -> None:
        self._mine, self._position = False, position

    @property
    def trail(self) -> list[Position]:
        """The position before each step."""
        trail = self._trail
        if not self._keeps:
            self._keeps = True
            for step, known in enumerate(trail):
                if known is None:
                    trail[step] = self._again(step)
        return trail  # type: ignore[return-value]

    @trail.setter
    def trail(self, trail: list[Position]) -> None:
        self._trail = trail  # type: ignore[assignment]

    def _start(self) -> Position:
        """The position that the state began with; not to be changed."""
        return (self._trail[0] or self.game.start()) if self._trail else self.position

    def _again(self, step: int) -> Position:
        """The position before a step, where the one before it is known: what was played is played again."""
        if step == 0:
            return self.game.start()
        before = self._trail[step - 1]
        assert before is not None
        after = before.copy()
        after.apply(self.moves[step - 1][1])
        return after

    # ------------------------------------------------------------------------------ whose turn, what is legal

    def current_player(self) -> int:
        """The seat to act, -1 for chance, -4 when the game is over."""
        return self._position.actor

    def is_chance_node(self) -> bool:
        return self._position.actor == CHANCE

    def is_terminal(self) -> bool:
        return self._position.actor == TERMINAL

    @property
    def cut(self) -> bool:
        """Whether the game was stopped because it reached its longest length."""
        return self.position.cut

    def endless(self) -> Endless | None:
        """The round without an end in which the game is caught, if it is: the state was there before, and since then
        nobody and no chance had anything to choose. It can be played on; random games are cut (`endless`)."""
        return of_state(self)

    @property
    def phase(self) -> str:
        return self.game.phase_name(self.position)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The ids of the legal actions, ascending (of chance: its possible outcomes); [] for who is not to act."""
        if player is not None and player != self._position.actor:
            return []
        return self._listed()[:]

    def _listed(self) -> list[int]:
        """The same, listed once for each position; not to be changed."""
        position, offered = self._position, self._offered
        if offered is not None and offered[0] is position:
            return offered[1]
        if position.actor == CHANCE:
            ids = [outcome for outcome, _ in position.outcomes()]
        else:
            ids = position.legal()
        self._offered = position, ids
        return ids

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """1 for each legal action's id, else 0: of a player's actions, or (with no player) of the actor's."""
        who = self.position.actor if player is None else player
        size = self.game.max_chance_outcomes() if who == CHANCE else self.game.num_distinct_actions()
        mask = [0] * size
        for action in self.legal_actions(who):
            mask[action] = 1
        return mask

    def chance_distribution(self) -> list[tuple[int, Fraction]]:
        """Each outcome with its exact probability, ascending; [] where chance is not to act."""
        outcomes = self.position.outcomes()
        total = sum(weight for _, weight in outcomes)
        return [(outcome, Fraction(weight, total)) for outcome, weight in outcomes]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each outcome with its probability as a float: the nearest to the exact one."""
        outcomes = self._position.outcomes()
        if outcomes:  # where a seat is to act there are none, and yet something is legal
            self._offered = self._position, [outcome for outcome, _ in outcomes]
        total = sum([weight for _, weight in outcomes])
        return [(outcome, weight / total) for outcome, weight in outcomes]

    def history(self) -> list[int]:
        """The ids of all steps so far, of chance too."""
        return [action for _, action in self.moves]

    def full_history(self) -> list[tuple[int, int]]:
        """All steps so far: (actor, id)."""
        return self.moves[:]

    # ------------------------------------------------------------------------------ labels

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """The label of an action; with one argument, of the actor's."""
        who, which = (self.position.actor, player) if action is None else (player, action)
        labels = self.game.chance_labels if who == CHANCE else self.game.labels
        if not 0 <= which < len(labels):
            raise BadInput(
                f"there is no {'outcome' if who == CHANCE else 'action'} {which} (they are 0 to {len(labels) - 1})"
            )
        return labels[which]

    def string_to_action(self, *args: Any) -> int:
        """The id of a label: `string_to_action(label)` of the actor's, or, as in OpenSpiel, `(player, label)`.

        Where several actions have it, the one that is legal now is meant, else the first. Raises BadInput where none
        has it.
        """
        label, who = (args[0], self.position.actor) if len(args) == 1 else (args[1], args[0])
        found = (self.game.chance_ids if who == CHANCE else self.game.ids).get(" ".join(label.split()))
        if found is None:
            raise BadInput(f"no {'outcome' if who == CHANCE else 'action'} is called `{label}`")
        if len(found) > 1:
            legal = set(self.legal_actions(who))
            return next((action for action in found if action in legal), found[0])
        return found[0]

    # ------------------------------------------------------------------------------ playing

    def apply_action(self, action: int) -> None:
        """One step. Where it is not legal (IllegalAction) or the rules break (RuleFault), nothing changes."""
        before, offered = self._position, self._offered
        listed = offered[1] if offered is not None and offered[0] is before else self._listed()
        if type(action) is not int or action not in listed:
            action = self.check_action(action)
        actor = before.actor
        if self._mine and not self._keeps:
            try:
                before.apply(action)
            except BaseException:
                self._offered = None
                self._position = self._again(len(self.trail))
                raise
            self._trail.append(None)
        else:
            after = before.copy()
            after.apply(action)
            self._trail.append(before)
            self._position, self._mine = after, True
        self._offered = None
        self.moves.append((actor, action))

    def check_action(self, action: int) -> int:
        """The action as a plain number. Raises IllegalAction, with the reason, where it is not legal."""
        if type(action) is not int:
            action = _plain(action)
        if type(action) is not int or action not in self._listed():
            raise self._illegal(action)
        return action

    def apply_label(self, label: str) -> None:
        """One step, by its label. Where several actions have it and none is legal, what is refused is the one that
        lacks least."""
        action = self.string_to_action(label)
        if self.position.actor >= 0 and action not in self.legal_actions():
            action = min(self.game.ids[" ".join(label.split())], key=self._lacking)
        self.apply_action(action)

    def _lacking(self, action: int) -> tuple[bool, int]:
        """How far an action is from being legal: whether it is of another phase, and how many tests fail."""
        position = self.position
        kind, _ = position.decisions[action]
        here = self.game.variant.actions[kind].key in self.game.variant.phases[position.phase].does
        return not here, len(self.why_illegal(action, position.actor))

    def undo_action(self, player: int | None = None, action: int | None = None) -> None:
        """Takes the last step back; as OpenSpiel has it, it can be named.

        Raises BadInput where it was another, or where there is none.
        """
        if not self.moves:
            raise BadInput("there is no step to take back")
        if player is not None and self.moves[-1] != (_plain(player), _plain(action)):
            raise BadInput(f"the last step was {self.moves[-1]}, not {(player, action)}")
        self.position = self.trail.pop()
        self.moves.pop()
        for seen in self._seen.values():
            del seen[len(self.moves) :]

    def clone(self) -> State:
        new = State(self.game, self.position)
        new._trail = list(self.trail)  # played again once here, and not by each clone that is asked for its past
        new.moves = self.moves[:]
        new._seen = {player: seen[:] for player, seen in self._seen.items()}
        return new

    def _illegal(self, action: object) -> IllegalAction:
        if self.is_terminal():
            return IllegalAction("the game is over")
        labels = self.game.chance_labels if self.is_chance_node() else self.game.labels
        if not isinstance(action, int) or not 0 <= action < len(labels):
            return IllegalAction(f"there is no action {action!r} (they are 0 to {len(labels) - 1})")
        reasons = tuple(self.why_illegal(action, self.position.actor))
        return IllegalAction(f"`{labels[action]}` is not legal here: {'; '.join(reasons)}", reasons)

    def why_illegal(self, action: int, viewer: int) -> list[str]:
        """The tests of the spec that an action of the actor fails, in its words; [] where all hold.

        A test that looks at what the viewer may not see is told as such, whether it holds or not. While several choose
        together, of others the tests are those of the beginning. Raises BadInput where there is no such action or
        player.
        """
        if self.is_terminal():
            return ["the game is over"]
        if self.is_chance_node():  # what can happen may be hidden from seats
            if viewer == CHANCE:
                return [] if action in self.legal_actions() else ["it is no possible outcome"]
            return ["it is chance's turn"]
        viewer, position = self._player(viewer), self.position
        if not 0 <= action < len(position.decisions):
            raise BadInput(f"there is no action {action!r} (they are 0 to {len(position.decisions) - 1})")
        phase = self.game.variant.phases[position.phase]
        kind, values = position.decisions[action]
        described = self.game.variant.actions[kind]
        key = described.key
        if key not in phase.does:
            return [f"`{described.title}` belongs to another phase than `{phase.name}`"]
        known = asked = self._known(viewer)
        if viewer == position.actor:
            asked = position
        elif known is not position:  # amid a choice together: as the actor stood when it began
            asked = known.copy()
            asked.me = position.me
        reasons = []
        for words, holds, looks in phase.why[key](asked, *values) if key in phase.why else ():
            if not all(self._may_see(known, viewer, place, seat) for place, seat in looks):
                reasons.append(UNSEEN)
            elif not holds:
                reasons.append(words)
        if phase.rest is not None and len(position.row) > 1:
            words, looks = phase.rest(position)
            if not all(self._may_see(known, viewer, place, seat) for place, seat in looks):
                reasons.append(UNSEEN)
            elif not reasons and action not in position.legal():
                reasons.append(f"then the rest could not be completed: {words}")
        return reasons

    def _may_see(self, known: Position, viewer: int, name: str, seat: int | None) -> bool:
        place = next((p for p in self.game.variant.places if p.name == name), None)
        if place is None:  # this game has it not: the test looks at it only where an optional rule is on
            return True
        if not views.by_seat(place):
            return views.sees(known, place, viewer, None)
        owners = [seat] if seat is not None else range(self.game.seats)
        return all(views.sees(known, place, viewer, owner) for owner in owners)

    # ------------------------------------------------------------------------------ results

    def returns(self) -> list[float]:
        """For each player what it got: 0 before the end, and in a game that was cut."""
        position = self._position
        if position.actor != TERMINAL or position.cut:
            return [0.0] * self.game.players
        return final_returns(self.game, position)

    def ranking(self) -> list[int]:
        """For each seat its rank, 1 the best, ties sharing one; final when the game is over."""
        return final_ranking(self.game, self.position)

    # ------------------------------------------------------------------------------ what seats know

    def _known(self, viewer: int, step: int | None = None) -> Position:
        """The position at a step as a seat may know it: in a choice together, with the others as at its beginning."""
        position = self.position if step is None or step >= len(self.trail) else self.trail[step]
        began = self.frozen_at(position)
        if began is not None:
            return views.as_frozen(self.game, self.trail[began], position, viewer)
        return position

    def frozen_at(self, position: Position | None = None) -> int | None:
        """Where in the trail the choice together began that a position (by default the one at hand) is amid."""
        here = self.position if position is None else position
        together = here.actor >= 0 and self.game.variant.phases[here.phase].kind == "together"
        return here.began - self._start().steps if together and here.steps > here.began else None

    def view(self, player: int) -> views.Data:
        """What a player may know of the state now, as data."""
        return views.view_data(self.game, self._known(self._player(player)), player)

    def to_dict(self) -> views.Data:
        """The whole state, as data."""
        return views.state_data(self.game, self.position)

    def observation_string(self, player: int) -> str:
        """The view, as one line of JSON."""
        return _line(self.view(player))

    def information_state_string(self, player: int) -> str:
        """All that a player has seen, heard and done, step by step (perfect recall), and its view now."""
        player = self._player(player)
        seen = self._seen.setdefault(player, [])
        for step in range(len(seen), len(self.moves)):
            seen.append(_line(views.view_data(self.game, self._known(player, step), player)))
        lines = []
        for step, view in enumerate(seen):
            lines.append(view)
            lines += self.heard(player, step)
        lines.append(self.observation_string(player))
        return "\n".join(lines)

    def heard(self, player: int, step: int) -> list[str]:
        """What a player hears at a step: `actor action(…)` with `?` for what it is not told.

        While several choose together it hears of others' steps only that they were made, and the rest once all have
        chosen; of its own it knows everything.
        """
        player = self._player(player)
        if not 0 <= step < len(self.moves):
            raise BadInput(f"there is no step {step} (there are {len(self.moves)}, from 0)")
        before = self.trail[step]
        after = self.trail[step + 1] if step + 1 < len(self.trail) else self.position
        kind = self.game.variant.phases[before.phase].kind
        actor, action = self.moves[step]
        if kind != "together":
            return [self._label_for(player, before, actor, action)]
        heard = [self._label_for(player, before, actor, action)] if actor == player else [f"{actor} ?"]
        closed = after.actor < 0 or after.phase != before.phase or after.began != before.began
        if closed:
            base = self.trail[0].steps
            for earlier in range(before.began - base, step + 1):
                who, what = self.moves[earlier]
                if who != player:
                    heard.append(self._label_for(player, self.trail[earlier], who, what))
        return heard

    def _label_for(self, player: int, before: Position, actor: int, action: int) -> str:
        phase = self.game.variant.phases[before.phase]
        actions = self.game.variant.outcomes if actor == CHANCE else self.game.variant.actions
        kind, values = (before.chances if actor == CHANCE else before.decisions)[action]
        described = actions[kind]
        told: Sequence[bool] = [True] * len(values)
        if actor != player and described.key in phase.told:
            told = phase.told[described.key](before, player, *values)
            alike = any(a.name == described.name and a is not described and a.key in phase.does for a in actions)
            if alike and not any(told):
                told = told[:1]  # how many values it has would tell which of them it was
        parts = [
            domain.label(value) if hears else "?"
            for domain, value, hears in zip(described.params, values, told, strict=False)
        ]
        return f"{'chance' if actor == CHANCE else actor} {described.name}({', '.join(parts)})"

    def _player(self, player: int) -> int:
        number = _plain(player)
        if not isinstance(number, int) or not 0 <= number < self.game.players:
            raise BadInput(f"there is no player {player!r} (they are 0 to {self.game.players - 1})")
        return number

    def observation_tensor(self, player: int) -> NDArray[Any]:
        """The view as numbers: a float32 array, as long for every state of the game (`tensors`)."""
        from aeronef.runtime.tensors import observation

        return observation(self, self._player(player))

    def information_state_tensor(self, player: int) -> NDArray[Any]:
        """All that a player has seen, heard and done as numbers: a float32 array, as long for every state of the game.

        Raises BadInput for games so long that it would have more than `tensors.MOST` numbers.
        """
        from aeronef.runtime.tensors import information_state

        return information_state(self, self._player(player))

    def resample(self, player: int, seed: int) -> State:
        """A state drawn from those that share the player's information state (`resample`)."""
        from aeronef.runtime.resample import resample

        return resample(self, self._player(player), seed)

    # ------------------------------------------------------------------------------ keeping

    def serialize(self) -> str:
        """The state as a text that `game.deserialize_state` reads: where it started, and every step."""
        return _line({
            "format": FORMAT, "spec": self.game.spec_digest, "players": self.game.players, "options": self.game.options,
            "start": dump(self._start()), "history": [action for _, action in self.moves],
        })  # fmt: skip

    @staticmethod
    def deserialize(game: Game, text: str) -> State:
        try:
            found = json.loads(text)
            if found["format"] != FORMAT:
                raise BadInput(f"this is no {FORMAT}")
            if (
                found["spec"] != game.spec_digest
                or found["players"] != game.players
                or found["options"] != game.options
            ):
                raise BadInput("this state is of another game, or of other options")
            state = State(game, restore(game, found["start"]))
            for action in found["history"]:
                state.apply_action(action)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, RuleFault) as error:
            if isinstance(error, BadInput | IllegalAction | RuleFault):
                raise BadInput(f"this state cannot be read: {error}") from None
            raise BadInput("this is no saved state") from None
        return state

    def __str__(self) -> str:
        return _line(self.to_dict())


def _plain(number: Any) -> Any:
    """A whole number of any kind (NumPy's too) as an int; anything else as it is, but no bool."""
    if isinstance(number, bool):
        return repr(number)
    try:
        return operator.index(number)
    except TypeError:
        return number


KERNEL = ("actor", "back", "began", "cut", "me", "phase", "queue", "row", "steps")
UNSEEN = "a test that looks at what you may not see"


def dump(position: Position) -> dict[str, Any]:
    """Everything that a position holds, as JSON data."""
    members = [*KERNEL, *type(position).members()]
    return {name: getattr(position, name) for name in members}


def restore(game: Game, found: dict[str, Any]) -> Position:
    """The position that `dump` wrote."""
    fresh = game.start()
    names = [*KERNEL, *type(fresh).members()]
    if sorted(found) != sorted(names):
        raise BadInput("its position has other parts")
    for name in names:
        setattr(fresh, name, _like(getattr(fresh, name), found[name]))
    for zone in game.variant.zones:
        if zone.owned:
            setattr(fresh, zone.member, _with_owners(getattr(fresh, zone.member), len(zone.each)))
    fresh.back = tuple((phase, me, tuple(queue), began, guest) for phase, me, queue, began, guest in fresh.back)
    _check(game, fresh)
    return fresh


def _with_owners(value: Any, depth: int) -> Any:
    """JSON turns the entries of zones that keep owners to lists of two."""
    return [_with_owners(inner, depth - 1) for inner in value] if depth else [Owned(*entry) for entry in value]


def _check(game: Game, position: Position) -> None:
    """Raises BadInput where no game can stand so: another count of the cards, values out of their ranges."""
    from aeronef.runtime.laws import (
        LawBroken,
        cards_are_apart,
        cards_are_kept,
        dice_fit,
        owners_are_seats,
        ranges_are_kept,
        settled_is_settled,
    )
    from aeronef.runtime.rng import Rng

    _check_turn(game, position)
    _check_detours(game, position)
    _check_row(game, position)
    state = State(game, position)
    try:
        cards_are_kept(state, Rng(0))
        cards_are_apart(state, Rng(0))
        ranges_are_kept(state, Rng(0))
        owners_are_seats(state, Rng(0))
        settled_is_settled(state, Rng(0))
        dice_fit(state, Rng(0))
        state.to_dict()
        legal, known = state.legal_actions(), position.chances if state.is_chance_node() else position.decisions
        if not state.is_terminal() and not legal:
            raise BadInput("its position offers nothing to do")
        if any(not 0 <= i < len(known) or position.doing[position.phase].methods[known[i][0]] is None for i in legal):
            raise BadInput("its position is none of this game")
    except LawBroken as broken:
        raise BadInput(f"its position breaks a law: {broken}") from None


def _check_turn(game: Game, position: Position) -> None:
    """Raises BadInput where nobody's turn can be so."""
    numbers = (position.phase, position.steps, position.began, position.actor, position.me)
    sound = (
        all(type(number) is int for number in numbers)
        and type(position.cut) is bool
        and 0 <= position.phase <= position.end
        and 0 <= position.began <= position.steps
        and (position.actor in (CHANCE, TERMINAL) or 0 <= position.actor < game.players)
        and (position.actor == TERMINAL) == (position.cut or position.phase == position.end)
        and NOBODY <= position.me < game.seats
        and (position.actor < 0 or position.me == position.actor)
        and _are_seats(game, position.queue)
    )
    if not sound:
        raise BadInput("its position is none of this game")


def _are_seats(game: Game, queue: Any) -> bool:
    return isinstance(queue, list | tuple) and all(type(seat) is int and 0 <= seat < game.seats for seat in queue)


def _check_row(game: Game, position: Position) -> None:
    """Raises BadInput where what is still to be answered is nothing that the phase asks of a seat."""
    phases = game.variant.phases
    entries = phases[position.phase].entries if position.phase < len(phases) else None
    values = entries.values(game.seats) if entries is not None else []
    kinds = {type(value) for value in values}
    if not isinstance(position.row, list) or any(type(v) not in kinds or v not in values for v in position.row):
        raise BadInput("its position is none of this game")
    if entries is not None and not position.row and position.actor >= 0:
        raise BadInput(f"`{phases[position.phase].name}` asks nothing of anybody in its position")


def _check_detours(game: Game, position: Position) -> None:
    """Raises BadInput where the phases set aside are not what their detours are visited from."""
    phases, inner = game.variant.phases, position.phase
    for phase, me, queue, began, guest in reversed(position.back):
        numbers = all(type(number) is int for number in (phase, me, began, guest))
        seats = numbers and _are_seats(game, queue) and all(NOBODY <= seat < game.seats for seat in (me, guest))
        if not seats or not 0 <= began <= position.steps or not 0 <= phase < len(phases) or inner == len(phases):
            raise BadInput("its position is none of this game")
        if phases[phase].name not in phases[inner].hosts:
            raise BadInput(f"`{phases[inner].name}` is not visited from `{phases[phase].name}`")
        inner = phase
    if inner < len(phases) and phases[inner].hosts:
        raise BadInput(f"`{phases[inner].name}` is visited, and nothing is set aside for it")


def _like(model: Any, value: Any) -> Any:
    """JSON turns tuples to lists; the parts of a position that are sets become tuples again."""
    if isinstance(model, tuple):
        return tuple(value)
    if isinstance(model, list) and not isinstance(value, list):
        raise BadInput("its position has other parts")
    if isinstance(model, list) and len(model) == len(value):
        return [_like(m, v) for m, v in zip(model, value, strict=True)]
    return value


def final_result(game: Game, position: Any) -> tuple[list[int], list[float], bool]:
    """How a game ended, each part of the rules asked once: the rank of each seat and what each player got, as `State`
    says them, and whether the rules say that all lose."""
    variant, players = game.variant, range(game.players)
    lost = variant.has_lost and bool(position.lost())
    worth: list[int] | None = None
    if variant.has_returns and not (position.cut and variant.has_rank):
        worth = [position.returns(player) for player in players]
    if lost:
        ranking = [1] * game.seats
    elif worth is not None and not variant.has_rank and game.seats == game.players:
        ranking = _ranks(worth)
    else:
        ranking = _ranks([position.rank(seat) for seat in range(game.seats)])
    if position.cut or (lost and worth is None):
        return ranking, [0.0] * game.players, lost
    if worth is None:
        share = 1 / ranking.count(1)
        return ranking, [share if ranking[player] == 1 else 0.0 for player in players], lost
    parts = position.parts() if variant.has_parts else 1
    return ranking, [part / parts for part in worth], lost


def _ranks(keys: list[Any]) -> list[int]:
    """The rank of each key: how many are greater, and 1."""
    falling = sorted(keys, reverse=True)
    return [1 + falling.index(key) for key in keys]


def final_ranking(game: Game, position: Any) -> list[int]:
    """For each seat its rank: 1 for those with the best keys; all 1 where the rules say that all lose."""
    found: list[int] | None = position.ranks_at_end()
    if found is not None:
        return found
    if game.variant.has_lost and position.lost():
        return [1] * game.seats
    return _ranks([position.rank(seat) for seat in range(game.seats)])


def final_returns(game: Game, position: Any) -> list[float]:
    """For each player its part of 1, shared by the seats that rank first; or what the spec's `returns` says."""
    found: list[float] | None = position.worth_at_end()
    if found is not None:
        return found
    if game.variant.has_returns:
        parts = position.parts() if game.variant.has_parts else 1
        return [position.returns(player) / parts for player in range(game.players)]
    return final_result(game, position)[1]


def _line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))
