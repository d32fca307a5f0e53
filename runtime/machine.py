"""A Hypothesis state machine for any compiled variant, and the search for a shortest play that breaks a law.

Not a line here knows a game: the machine plays legal actions, skips ahead through random ones, undoes, saves and
restores, and after each rule the laws of `laws` are checked.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from aeronef.runtime.errors import RuleFault
from aeronef.runtime.game import Game
from aeronef.runtime.laws import AT_THE_END, EVERY_STEP, SOMETIMES, Broken, check, ends_within_its_bound
from aeronef.runtime.rng import Rng
from aeronef.runtime.simulate import choose

LONGEST_SKIP = 40


def machine(game: Game) -> type[RuleBasedStateMachine]:
    """The state machine class of a game; `broken` on the class is the last state in which a law did not hold."""

    class Machine(RuleBasedStateMachine):
        broken: Broken | None = None

        @initialize(seed=st.integers(0, 2**32))
        def start(self, seed: int) -> None:
            self.state = game.new_initial_state()
            self.rng = Rng.stream(seed, 0)

        @rule(which=st.integers(0, 2**16))
        def step(self, which: int) -> None:
            """Any legal action, the first for 0."""
            legal = self.state.legal_actions()
            if legal:
                self._guard(lambda: self.state.apply_action(legal[which % len(legal)]))

        @rule(steps=st.integers(1, LONGEST_SKIP), seed=st.integers(0, 2**32))
        def skip(self, steps: int, seed: int) -> None:
            """Some random steps, so that late positions are reached."""
            rng = Rng.stream(seed, 1)
            for _ in range(steps):
                if self.state.is_terminal():
                    return
                self._guard(lambda: self.state.apply_action(choose(self.state.position, rng)))
                self._check(EVERY_STEP)

        @rule(steps=st.integers(1, 5))
        def undo(self, steps: int) -> None:
            for _ in range(min(steps, len(self.state.moves))):
                self.state.undo_action()

        @rule()
        def save_and_restore(self) -> None:
            self.state = game.deserialize_state(self.state.serialize())

        @rule()
        def look_closely(self) -> None:
            self._check(AT_THE_END if self.state.is_terminal() else SOMETIMES)

        @invariant()
        def laws_hold(self) -> None:
            if hasattr(self, "state"):
                self._check((*EVERY_STEP, ends_within_its_bound))

        def _check(self, laws: Any) -> None:
            try:
                check(self.state, laws, self.rng)
            except Broken as broken:
                Machine.broken = broken
                raise

        def _guard(self, action: Any) -> None:
            try:
                action()
            except RuleFault as fault:
                Machine.broken = Broken(self.state, fault)
                raise Machine.broken from None

    return Machine


def search(game: Game, examples: int, steps: int, seed: int) -> Broken | None:
    """The play that breaks a law, made as short as Hypothesis can, or None where none was found."""
    found = machine(game)
    chosen = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, database=None, print_blob=False,
        suppress_health_check=list(HealthCheck), phases=(Phase.generate, Phase.shrink), report_multiple_bugs=False,
    )  # fmt: skip
    found.TestCase.settings = chosen
    seeded = hypothesis.seed(seed)(found)
    try:
        with _whatever_is_loaded():
            _quietly(lambda: run_state_machine_as_test(seeded, settings=chosen))
    except Broken as broken:
        last: Broken | None = getattr(found, "broken", None)
        return last or broken
    return None


@contextlib.contextmanager
def _whatever_is_loaded() -> Iterator[None]:
    """Hypothesis also tries constants that stand in the modules that happen to be loaded, so that one seed would find
    one thing here and another there. Where this version of it can be told not to, it does not."""
    names = ("_get_local_constants", "CONSTANTS_CACHE")
    if not all(hasattr(providers, name) for name in (*names, "Constants")):
        yield
        return
    kept = {name: getattr(providers, name) for name in names}
    none_of_them: dict[str, Any] = {"_get_local_constants": vars(providers)["Constants"], "CONSTANTS_CACHE": {}}
    for name, other in none_of_them.items():
        setattr(providers, name, other)
    try:
        yield
    finally:
        for name, own in kept.items():
            setattr(providers, name, own)


def _quietly(run: Any) -> None:
    """Hypothesis prints its own account of a failure; the scenario says the same in the author's words."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        run()
