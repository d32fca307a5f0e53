"""A compiled variant for a number of players and options: numbering, and the positions' class."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from functools import cached_property
from itertools import product
from operator import index
from typing import TYPE_CHECKING, Any

from aeronef.runtime.description import Accept, Action, Option, Several, Totals, Variant, Words
from aeronef.runtime.errors import BadInput, RuleFault
from aeronef.runtime.kernel import Position, Steps
from aeronef.runtime.measures import observing
from aeronef.runtime.views import lying

if TYPE_CHECKING:
    from aeronef.runtime.endless import Identity
    from aeronef.runtime.simulate import Playouts
    from aeronef.runtime.state import State
    from aeronef.runtime.views import Laid, Place

MOST_IDS = 2_000_000
Numbered = list[tuple[int, tuple[Any, ...]]]


class Game:
    """The rules of one game, ready to play.

    `options` are given by name, as Python values or as the words of the spec; the others have their defaults.
    Raises BadInput where there is no such option or value, or the players do not fit.
    """

    def __init__(self, variant: Variant, players: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        self.variant = variant
        self.name = variant.name
        self.spec_digest = variant.spec
        count = variant.players.start if players is None else players
        if isinstance(count, bool) or not isinstance(count, int) or count not in variant.players:
            low, high = variant.players.start, variant.players.stop - 1
            raise BadInput(f"{variant.name} is for {low} to {high} players, not {count}")
        self.players = count
        self._values = self._settle(options or {})
        span = range(count)
        self._values |= variant.overlays(span, self._values)
        self.variant = variant.under(self._values)
        for name in variant.requires(span, self._values):
            raise BadInput(
                f"{variant.name}: the option {name}={self.options[name]} does not go with {count} players "
                "and the other options"
            )
        self.seats: int = variant.seats(span, self._values)
        self._longest: int = variant.longest(span, self._values)
        if totals := self._totals():
            self.variant = self.variant.counting(totals)
        self.position_class = self._specialise()
        self._first: Position | None = None  # the position before the first step, once somebody has asked for it
        self.laid: list[tuple[Place, str, list[Laid]]] | None = None  # views.layout works it out once

    def _settle(self, options: Mapping[str, Any]) -> dict[str, Any]:
        known = {option.name: option for option in self.variant.options}
        for name in options:
            if name not in known:
                there = ", ".join(known) or "none"
                raise BadInput(f"{self.name} has no option `{name}` (there is: {there})")
        return {
            name: parse_option(option, options[name], self.players) if name in options else option.default
            for name, option in known.items()
        }

    def _totals(self) -> Totals:
        """How many of each card there are, of those types of which other numbers than decks lie somewhere."""
        zones = [zone for zone in self.variant.zones if zone.stocked]
        names = {zone.cards.name: len(zone.cards.labels) for zone in zones}
        found = {name: [0] * many for name, many in names.items()}
        start = type("Position", (self.variant.position,), self._members())() if found else None
        for zone in self.variant.zones:
            if start is not None and zone.cards.name in found:
                for card in lying(start, zone):
                    found[zone.cards.name][card] += 1
        return {name: tuple(numbers) for name, numbers in found.items()}

    def _members(self) -> dict[str, Any]:
        """What positions know of the players and options."""
        return {
            "__slots__": (), "__module__": self.variant.position.__module__, "__doc__": self.variant.position.__doc__,
            "n": self.seats, "players": tuple(range(self.players)), "seats": tuple(range(self.seats)),
            "longest": self._longest, "source": self.variant.source, "seats_after": (self._round(0), self._round(1)),
            **self.variant.members(self._values),
        }  # fmt: skip

    def _round(self, itself: int) -> list[list[int]]:
        """The players clockwise from the left of each seat, with it at the end or without."""
        return [[*range(seat + 1, self.players), *range(seat + itself)] for seat in range(self.seats)]

    def _specialise(self) -> type[Position]:
        """A class of positions that knows the players, the options and the numbers of the actions."""
        variant = self.variant
        decisions, decision_ids, indices = _number(variant.actions, self.seats)
        chances, chance_ids, more = _number(variant.outcomes, self.seats)
        order = [action.key for action in variant.actions]
        chance_order = [action.key for action in variant.outcomes]
        doing: list[Steps] = []
        for phase in variant.phases:
            chance = phase.kind == "chance"
            keys = chance_order if chance else order
            methods = [phase.does.get(key) for key in keys]
            doing.append(Steps(methods, chances if chance else decisions))
        members: dict[str, Any] = {
            **self._members(), "end": len(variant.phases), "decisions": decisions, "chances": chances,
            "entering": tuple(phase.enter for phase in variant.phases),
            "following": tuple(phase.next for phase in variant.phases),
            "allowing": tuple(phase.legal for phase in variant.phases),
            "chancing": tuple(phase.chance for phase in variant.phases),
            "doing": tuple(doing),
            **decision_ids, **chance_ids, **indices, **more,
        }  # fmt: skip
        return type("Position", (variant.position,), members)

    # ------------------------------------------------------------------------------ what OpenSpiel asks

    def num_players(self) -> int:
        return self.players

    def num_distinct_actions(self) -> int:
        """How many ids actions of seats have: 0 … n-1."""
        return len(self.position_class.decisions)

    def max_chance_outcomes(self) -> int:
        """How many ids outcomes of chance have: 0 … n-1, apart from those of actions."""
        return len(self.position_class.chances)

    def max_game_length(self) -> int:
        """The most steps that a game can have, steps of chance included; one that reaches it is cut."""
        return self._longest

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its value, words as words."""
        return {o.name: o.domain.data(self._values[o.name]) for o in self.variant.options}

    @property
    def overlays(self) -> list[str]:
        """The optional rules that are on."""
        return [name for name in self.variant.switches if self._values[name]]

    @property
    def measures(self) -> list[str]:
        """The names of what the spec measures in this game."""
        return [measure.name for measure in self.variant.measures]

    @cached_property
    def measuring(self) -> Game:
        """The same game, whose positions keep what is observed on their way; itself where nothing is measured."""
        if not self.variant.measures:
            return self
        game = copy(self)
        game.position_class = observing(self.position_class, self.variant)
        return game

    @cached_property
    def tells(self) -> Identity:
        """What tells its states apart (`endless.identity`)."""
        from aeronef.runtime.endless import identity

        return identity(self.variant)

    def accepts(self, accept: Accept) -> bool:
        """Whether an acceptance of the spec holds for the players and options at hand."""
        return accept.when is None or bool(accept.when(range(self.players), self._values))

    @cached_property
    def _state_class(self) -> type[State]:
        """To import it for each new state would take a tenth of a short game."""
        from aeronef.runtime.state import State

        return State

    def new_initial_state(self) -> State:
        return self._state_class.begun(self)

    def deserialize_state(self, text: str) -> State:
        """The state that `State.serialize` wrote. Raises BadInput where it is not one of this game."""
        return self._state_class.deserialize(self, text)

    def playouts(
        self, n: int, seed: int = 0, first: int = 0, measures: bool = True, threads: int = 1
    ) -> Playouts:  # fmt: skip
        """n random games (numbers first … first + n - 1 of the seed), each decision uniform over the legal actions.
        Without `measures`, what the spec measures is left out (and costs nothing). Several `threads` play in C only."""
        from aeronef.runtime.simulate import playouts

        n, seed, first = index(n), index(seed), index(first)
        if threads != 1:
            raise BadInput("Python plays by one thread: backend='native' takes several, `aeronef run --jobs` processes")
        if n < 0 or first < 0:
            raise BadInput(f"games are counted from 0: there are no {n} games from game {first} on")
        return playouts(self, n, seed, first, measures=measures)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"aeronef.load({self.name!r}, players={self.players}{options})"

    # ------------------------------------------------------------------------------ positions and labels

    def start(self) -> Position:
        """The position before the first step. Raises RuleFault where the rules cannot even start."""
        if self._first is None or type(self._first) is not self.position_class:  # the class is changed on a copy
            self._first = self.begin()
        return self._first.copy()

    def begin(self) -> Position:
        """The same, by the rules and not from what is remembered."""
        position = self.position_class()
        phases = self.variant.phases
        position.go(next(i for i, p in enumerate(phases) if p.only is None or p.only(self._values)))
        return position

    @cached_property
    def labels(self) -> list[str]:
        """The label of each action of seats, by id."""
        return _labels(self.variant.actions, self.position_class.decisions)

    @cached_property
    def chance_labels(self) -> list[str]:
        return _labels(self.variant.outcomes, self.position_class.chances)

    @cached_property
    def ids(self) -> dict[str, list[int]]:
        """The actions of seats by label; several actions of one name can share one."""
        return _by_label(self.labels)

    @cached_property
    def chance_ids(self) -> dict[str, list[int]]:
        return _by_label(self.chance_labels)

    def phase_name(self, position: Position) -> str:
        phases = self.variant.phases
        return phases[position.phase].name if position.phase < len(phases) else "end"


def parse_option(option: Option, value: Any, players: int) -> Any:
    """An option's value from Python or from a command line. Raises BadInput."""
    seen = value
    if isinstance(value, str) and not isinstance(option.domain, Words):
        seen = {"true": True, "false": False}.get(value.lower(), value)
        with suppress(ValueError):
            seen = int(seen) if isinstance(seen, str) else seen
    try:
        return option.domain.parse(seen, players)
    except ValueError:
        raise BadInput(f"the option {option.name} is {option.domain.spoken(players)}, not `{value}`") from None


def _number(actions: tuple[Action, ...], seats: int) -> tuple[Numbered, dict[str, int], dict[str, Any]]:
    """Dense ids: for each action in turn, each combination of its values in ascending order."""
    numbered: Numbered = []
    firsts: dict[str, int] = {}
    indices: dict[str, Any] = {}
    for kind, action in enumerate(actions):
        firsts[action.id_name] = len(numbered)
        domains = [domain.values(seats) for domain in action.params]
        size = 1
        for i, (domain, values) in enumerate(zip(action.params, domains, strict=True)):
            size *= len(values)
            if isinstance(domain, Several):
                indices[action.index_names[i]] = {value: place for place, value in enumerate(values)}
        if len(numbered) + size > MOST_IDS:
            raise RuleFault(
                f"`{action.title}` has {size:,} combinations of values; more than {MOST_IDS:,} actions are too many"
            )
        numbered += [(kind, values) for values in product(*domains)]
    return numbered, firsts, indices


def _by_label(labels: list[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        found.setdefault(label, []).append(i)
    return found


def _labels(actions: tuple[Action, ...], numbered: Numbered) -> list[str]:
    return [
        f"{actions[kind].name}({', '.join(d.label(v) for d, v in zip(actions[kind].params, values, strict=True))})"
        for kind, values in numbered
    ]
