"""Compiled games as games of OpenSpiel (M. Lanctot et al., OpenSpiel: a framework for reinforcement learning in games,
2019): `register()`, then `pyspiel.load_game("aeronef_balloon(players=4)")`. Needs the extra `aeronef[openspiel]`.

A game is sequential, with explicit chance. Choices that are made at once are made one after the other, hidden from each
other, as the rest of Aeronef has them. OpenSpiel lets no Python game take a step back: `undo_action` raises its
SpielError. Options are parameters of the same names; one that is a word or a seat (`random | seat`) is a string there,
and `seat2` is seat 2 (of `never | 0..9`, `number2` is 2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError('OpenSpiel is not installed: pip install "aeronef[openspiel]"') from error

import aeronef
from aeronef.loading import load_variant, shipped
from aeronef.runtime.description import Int, Maybe, Option, Variant, Words
from aeronef.runtime.errors import BadInput
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import TERMINAL
from aeronef.runtime.resample import resample
from aeronef.runtime.state import State
from aeronef.runtime.tensors import Past, fill, information_state_size, observation, observation_size
from aeronef.worth import all_is_open, worth

PREFIX = "aeronef_"
NUMBERED = re.compile(r"(?:seat|number)(-?\d+)")

Parameters = dict[str, bool | int | str]


def register(spec: str | Path | None = None) -> list[str]:
    """Makes games known to OpenSpiel, and gives the names that they have there: of every shipped variant, or of one
    spec, by its shipped name or its path. A name that is there already gets the new rules.

    Raises BadInput where there is no such spec, or where OpenSpiel cannot have an option of it; SpecError where it does
    not compile.
    """
    return [_registered(name).name for name in (shipped() if spec is None else [spec])]


def load(spec: str | Path, players: int | None = None, *, backend: str = "python", **options: Any) -> OpenSpielGame:
    """A spec as a game of OpenSpiel, registered on the way; players, back end and options are those of `aeronef.load`.
    (What OpenSpiel loads or unpickles by itself is Python's: it is the same game.)

    Raises as `register` and `aeronef.load` do.
    """
    return _registered(spec).game(players, options, lambda asked: aeronef.load(spec, players, backend=backend, **asked))


def _registered(spec: str | Path) -> Entry:
    entry = Entry(load_variant(spec))

    def create(params: Mapping[str, Any]) -> OpenSpielGame:
        return entry.game(params["players"], {name: params[name] for name in params if name != "players"})

    # OpenSpiel lets go of it when Python is no more. In a circle it is not freed then, which would abort the process.
    create.__dict__["itself"] = create
    pyspiel.register_game(entry.kind(), create)
    return entry


class Entry:
    """A variant as OpenSpiel registers it: its parameters, and the games that were asked for."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.name = PREFIX + variant.name
        self._options = {option.name: option for option in variant.options}
        for option in variant.options:
            self._check(option)
        self._games: dict[tuple[Any, ...], tuple[Game, Any, Any]] = {}

    def _check(self, option: Option) -> None:
        """Raises BadInput where the words of OpenSpiel's game strings cannot name an option or its values."""
        words = option.domain.words if isinstance(option.domain, Words) else ()
        unsayable = [w for w in words if not re.fullmatch(r"\w*[A-Za-z_]\w*", w) or w.lower() in ("true", "false")]
        if option.name in ("name", "players") or unsayable:
            what = (
                f"the value `{unsayable[0]}` of the option {option.name}" if unsayable else f"an option {option.name}"
            )
            raise BadInput(f"OpenSpiel cannot have {what} of {self.variant.name} as a parameter")

    def game(
        self, players: int | None, options: Mapping[str, Any], make: Callable[[dict[str, Any]], Game] | None = None
    ) -> OpenSpielGame:
        """The game for players and options, which may be parameters of OpenSpiel; `make` gives it where it is not to be
        Python's. Raises BadInput."""
        asked = {name: self._value(name, given) for name, given in options.items()}
        game = make(asked) if make is not None else Game(self.variant, players, asked)
        parameters = self._parameters(game.players, game._values)
        key = (type(game), *parameters.items())
        if key not in self._games:
            self._games[key] = game, self.kind(game), _info(game)
        return OpenSpielGame(*self._games[key], parameters)

    def kind(self, game: Game | None = None) -> Any:
        """The GameType of a game; of none what holds for all players and options."""
        chance, utility = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
        total = worth(game).total if game is not None else None
        certain = game is not None and not game.max_chance_outcomes()
        open_ = game is not None and all_is_open(game)
        kinds = pyspiel.GameType.Information
        return pyspiel.GameType(
            short_name=self.name,
            long_name=f"Aeronef {self.variant.name.replace('_', ' ')}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=chance.DETERMINISTIC if certain else chance.EXPLICIT_STOCHASTIC,
            information=kinds.PERFECT_INFORMATION if open_ else kinds.IMPERFECT_INFORMATION,
            utility=utility.GENERAL_SUM if total is None else utility.CONSTANT_SUM if total else utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=self.variant.players.stop - 1,
            min_num_players=self.variant.players.start,
            provides_information_state_string=True,
            provides_information_state_tensor=game is not None and _has_tensor(game),
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification=self._parameters(
                self.variant.players.start, {name: option.default for name, option in self._options.items()}
            ),
        )

    def _parameters(self, players: int, values: Mapping[str, Any]) -> Parameters:
        return {"players": players, **{name: _said(o, values[name]) for name, o in self._options.items()}}

    def _value(self, name: str, given: Any) -> Any:
        """The value of an option that a parameter says."""
        option = self._options.get(name)
        if option is not None and isinstance(option.domain, Maybe) and isinstance(given, str):
            found = NUMBERED.fullmatch(given)
            return int(found[1]) if found else given
        return given


def _said(option: Option, value: Any) -> bool | int | str:
    """A value (inside: a bool, a number, the index of a word, None) as a parameter: of an option always of one type."""
    domain = option.domain
    if isinstance(domain, Maybe) and value is not None:
        return f"{'number' if isinstance(domain.of, Int) else 'seat'}{value}"
    data: bool | int | str = domain.data(value)
    return data


def _info(game: Game) -> Any:
    known = worth(game)
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_distinct_actions(),
        max_chance_outcomes=game.max_chance_outcomes(),
        num_players=game.players,
        min_utility=known.low,
        max_utility=max(known.high, known.low + 1),  # OpenSpiel wants them apart
        utility_sum=known.total,
        max_game_length=game.max_game_length(),
    )


def _has_tensor(game: Game) -> bool:
    try:
        information_state_size(game)
    except BadInput:
        return False
    return True


# ------------------------------------------------------------------------------------------ games and states


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A compiled game for OpenSpiel. `aeronef` is the game itself."""

    def __init__(self, game: Game, kind: Any, info: Any, parameters: Parameters) -> None:
        super().__init__(kind, info, parameters)
        self.aeronef = game
        self.start = game.start()

    def new_initial_state(self) -> OpenSpielState:
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """As many as there can be steps, or none where there is no chance."""
        return self.aeronef.max_game_length() if self.aeronef.max_chance_outcomes() else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        """What OpenSpiel calls an observation (the view) and an information state (all that was seen, heard and done).

        Raises BadInput for other mixtures of what is public and private: a view is what one seat may know.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise BadInput(f"observations of {self.aeronef.name} take no parameters, and these are given: {params}")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise BadInput(
                "an observation is what one player may know: public, and its own; nothing else is told apart"
            )
        return OpenSpielObserver(self.aeronef, kind.perfect_recall)


class Held:
    """A state of Aeronef, as OpenSpiel keeps it: it copies what a Python state holds, and pickles it."""

    __slots__ = ("state",)

    def __init__(self, state: State) -> None:
        self.state = state

    def __deepcopy__(self, memo: object) -> Held:
        return Held(self.state.clone())

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (self.state.serialize(),)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state for OpenSpiel. `aeronef` is the state itself: to look at; steps are made here."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.held = Held(State(game.aeronef, game.start))

    @property
    def held(self) -> Held:
        found: Held = self.__dict__["held"]
        return found

    @held.setter
    def held(self, found: Held | str) -> None:
        """What was copied, or (as a text) pickled."""
        if isinstance(found, str):
            found = Held(self.aeronef.game.deserialize_state(found))
        self.__dict__["held"] = found

    @property
    def aeronef(self) -> State:
        return self.held.state

    def current_player(self) -> int:
        return self.aeronef.position.actor

    def is_terminal(self) -> bool:
        return self.aeronef.position.actor == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.aeronef.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.aeronef.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.aeronef.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.aeronef.action_to_string(player, action)

    def returns(self) -> list[float]:
        return self.aeronef.returns()

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> OpenSpielState:
        """A state that the player cannot tell from this one (`runtime/resample.py`), drawn with the sampler's luck."""
        seed = int(probability_sampler() * (1 << 53))
        world = resample(self.aeronef, player_id, seed)
        found: OpenSpielState = self.get_game().new_initial_state()
        for _, action in world.moves:
            found.apply_action(action)
        return found

    def __str__(self) -> str:
        return str(self.aeronef)


class OpenSpielObserver:
    """What one player may know of a state, as a text and as numbers: now, or (with `recall`) of all steps so far."""

    def __init__(self, game: Game, recall: bool) -> None:
        self.recall = recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        self._pasts = [Past(player) for player in range(game.players)]
        now = observation_size(game)
        if not recall:
            self.tensor = np.zeros(now, np.float32)
            self.dict = {"now": self.tensor}
        elif _has_tensor(game):
            self.tensor = np.zeros(information_state_size(game), np.float32)
            self.dict = {"now": self.tensor[:now], "past": self.tensor[now:].reshape(game.max_game_length(), -1)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Puts what the player knows into `tensor`. Raises BadInput where it would be too long (`tensors.MOST`)."""
        if not self.recall:
            self.tensor[:] = observation(state.aeronef, player)
        elif self.tensor is not None:
            fill(self.tensor, state.aeronef, self._pasts[player])
        else:
            information_state_size(state.aeronef.game)  # says why there is none

    def string_from(self, state: OpenSpielState, player: int) -> str:
        known = state.aeronef
        return known.information_state_string(player) if self.recall else known.observation_string(player)
