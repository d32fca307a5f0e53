"""The answers of `check --deep`: what was asked, in which setting, and what came of it, with the plays that show it.

An answer never claims more than was done. *proved*: all states were looked at, or an argument holds (`because` says
which). *found*: a play shows it. *not found*: so much was looked at (`because`), and nothing of the kind was there.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from aeronef.runtime import transcript
from aeronef.runtime.explore import Space
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE
from aeronef.runtime.laws import as_scenario
from aeronef.runtime.state import State

Answer = Literal["proved", "found", "not found"]
QUESTIONS: dict[str, tuple[str, ...]] = {  # what is asked, with the codes of what it can find
    "rules": ("AE714",),
    "dead ends": ("AE711",),
    "endings": ("AE710", "AE712", "AE721"),
    "ties": ("AE715",),
    "secrets": ("AE713",),
    "seats": ("AE718",),
    "use": ("AE716", "AE717", "AE719", "AE720"),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """The players and options of a game (as words), or of the game that `small:` makes of it. `label` names what of it
    is not the default."""

    players: int
    options: dict[str, Any]
    label: str
    small: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """A play that shows something. `steps` are its steps, each with its phase; from step `returns` on they lead back to
    where they began (None: they do not). `shortest`: no shorter play shows it, for all were looked at."""

    steps: tuple[tuple[str, str], ...]
    scenario: str
    transcript: str
    shortest: bool
    returns: int | None = None

    def lines(self, most: int | None = None) -> list[str]:
        """The steps, phase by phase; of a long play the last."""
        left_out = 0 if most is None else max(len(self.steps) - most, 0)
        parts = [self.steps] if self.returns is None else [self.steps[: self.returns], self.steps[self.returns :]]
        found = []
        if left_out:
            parts[0] = parts[0][left_out:]
            found.append(f"({left_out} steps before)")
        for k, part in enumerate(parts):
            if k:
                found.append("and then, again and again:")
            for phase, steps in groupby(part, lambda step: step[0]):
                found.append(f"{phase}: {', '.join(label for _, label in steps)}")
        return found

    def data(self) -> dict[str, Any]:
        return {
            "steps": [{"phase": phase, "step": step} for phase, step in self.steps], "returns": self.returns,
            "shortest": self.shortest, "scenario": self.scenario, "transcript": self.transcript,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was found: at which element of the spec, by a play (or two that differ for one seat) if play shows
    it. `accepted`: why the spec accepts it, where it does."""

    code: str
    element: str
    message: str
    hint: str = ""
    plays: tuple[Play, ...] = ()
    accepted: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one question in one setting. `looked_at` says how much was: `{"states": 480, "random games": 100}`
    (`because` says more). `notes` are what was learnt beside: arguments, each of some lines, and bounds."""

    question: str
    setting: Setting
    answer: Answer
    because: str
    looked_at: dict[str, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    notes: tuple[tuple[str, ...], ...] = ()


def played(game: Game, actions: list[int], name: str, shortest: bool, returns: int | None = None) -> Play:
    """A play of a game from its start, by its actions. The last may be one that breaks the rules: it is told, and what
    can be pasted ends before it."""
    state = game.new_initial_state()
    steps: list[tuple[str, str]] = []
    for action in actions:
        steps.append((state.phase, step_label(state, action)))
        try:
            state.apply_action(action)
        except Exception:
            break
    written = io.StringIO()
    transcript.write_state(state, written.write, left=True)
    text = as_scenario(state, name)
    if state.moves:
        text += f"      - expect: {{phase: {state.phase}}}\n"
    return Play(tuple(steps), text, written.getvalue(), shortest, returns)


def counted(number: int, what: str) -> str:
    """`3 states`, `1 state`, `2 pairs of worlds`, of what is given as several."""
    if number == 1:
        what = (
            what.removesuffix("ies") + "y" if what.endswith("ies") else what.replace("pairs", "pair").removesuffix("s")
        )
    return f"{number:,} {what}"


def step_label(state: State, action: int) -> str:
    who = "chance" if state.position.actor == CHANCE else str(state.position.actor)
    return f"{who} {state.action_to_string(state.position.actor, action)}"


def looked_at(space: Space) -> str:
    """How much was explored, in words."""
    if space.whole:
        return f"all {len(space):,} states"
    some = "" if space.each is None else f", of each kind of action {space.each}"
    return f"{space.explored:,} states{some}"
