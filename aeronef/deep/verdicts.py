"""The answers of `check --deep`: what was asked, in which setting, and what came of it, with the plays that show it.

An answer never claims more than was done. *proved*: all states were looked at, or an argument holds (`because` says
which). *found*: a play shows it. *not found*: so much was looked at (`because`), and nothing of the kind was there.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from aeronef.runtime import transcript
from aeronef.runtime.description import Count
from aeronef.runtime.errors import IllegalAction, RuleFault
from aeronef.runtime.explore import Space
from aeronef.runtime.game import Game
from aeronef.runtime.kernel import CHANCE
from aeronef.runtime.laws import as_scenario
from aeronef.runtime.state import State

Answer = Literal["proved", "found", "not found"]
ALL = "of all"
SHOWN = 80  # characters of a value in a message
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
    where they began (None: they do not). It is a shortest one `among` those that it says ("" where nobody looked for
    the shortest)."""

    steps: tuple[tuple[str, str], ...]
    scenario: str
    transcript: str
    among: str
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

    @property
    def title(self) -> str:
        """`the shortest play`, or what it is."""
        if self.among == ALL:
            return "the shortest play"
        return f"the shortest play {self.among}" if self.among else "a play"

    def data(self) -> dict[str, Any]:
        return {
            "steps": [{"phase": phase, "step": step} for phase, step in self.steps], "returns": self.returns,
            "among": self.among, "scenario": self.scenario, "transcript": self.transcript,
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
    by: tuple[str, ...] = ()  # the clauses that the element cites


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
    complete: tuple[str, ...] = ()  # codes of which it is known that these findings are all there are


def played(
    game: Game, actions: list[int], name: str, among: str, returns: int | None = None, small: bool = False
) -> Play:
    """A play of a game from its start, by its actions. The last may be one that breaks the rules: it is told, and what
    can be pasted ends before it. What is to be expected at its end says what it shows: the ranks, or that nothing can
    be done, or (of one that `returns`) what there is in the same words as before."""
    state = game.new_initial_state()
    steps: list[tuple[str, str]] = []
    before = _line(state) if returns == 0 else ""
    for action in actions:
        steps.append((state.phase, step_label(state, action)))
        try:
            state.apply_action(action)
        except (RuleFault, IllegalAction):  # what breaks the rules, or comes after the game was cut
            break
        if len(steps) == returns:
            before = _line(state)
    written = io.StringIO()
    transcript.write_state(state, written.write, left=True)
    text = as_scenario(state, name)
    if before and returns is not None and len(state.moves) > returns:
        lines = text.splitlines(keepends=True)
        lines.insert(len(lines) - len(state.moves) + returns, before)
        text = "".join(lines)
    if state.moves:
        text += _line(state, returns is not None)
    if small:
        text = f"# Of the game that `small:` makes of it: not for the scenarios of the whole game.\n{text}"
    return Play(tuple(steps), text, written.getvalue(), among, returns)


def _line(state: State, returns: bool = True) -> str:
    """What there is, as a line of a scenario."""
    return f"      - expect: {json.dumps(_expected(state, returns), ensure_ascii=False)}\n"


def _expected(state: State, returns: bool) -> dict[str, Any]:
    data = state.to_dict()
    expected: dict[str, Any] = {"phase": state.phase}
    if state.is_terminal():
        return expected if state.cut else expected | {"ranking": state.ranking()}
    if returns:
        counts = {v.name for v in state.game.variant.variables if isinstance(v.domain, Count)}
        return expected | {
            "actor": data["actor"], "vars": {k: v for k, v in data["vars"].items() if k not in counts},
            "zones": data["zones"],
        }  # fmt: skip
    try:
        return expected if state.is_chance_node() or state.legal_actions() else expected | {"legal": []}
    except RuleFault:
        return expected


def short(value: Any) -> str:
    """A value as text, of a long one the beginning."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def apart(one: Any, other: Any) -> tuple[str, str]:
    """Two values as text; of two long lists what only one of them has."""
    texts = short(one), short(other)
    if max(map(len, texts)) < SHOWN or not (isinstance(one, list | tuple) and isinstance(other, list | tuple)):
        return texts
    mine, others = ([x for x in a if x not in b] for a, b in ((one, other), (other, one)))
    return f"also {short(mine)}" if mine else "nothing more", f"also {short(others)}" if others else "nothing more"


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


def among(space: Space) -> str:
    """Of which plays those that lead to its states are the shortest."""
    if space.each is None:
        return ALL
    return f"with {counted(space.each, 'values')} of each kind of action"


def looked_at(space: Space) -> str:
    """How much was explored, in words."""
    if space.whole:
        return f"all {counted(len(space), 'states')}" if len(space) > 1 else "the only state"
    some = "" if space.each is None else f", of each kind of action {space.each}"
    return f"{counted(space.explored, 'states')}{some}"
