"""Three questions that states answer one by one: do the rules break, is there a dead end, are there ties?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aeronef.deep.subject import Subject
from aeronef.deep.verdicts import Finding, Verdict, among
from aeronef.runtime.errors import RuleFault
from aeronef.runtime.explore import Fault, Space, uncut

Shown = tuple[list[int], str, str]  # the actions of a play, what it shows, among which plays it is a shortest one


def breaks(subject: Subject) -> Verdict:
    """AE714: a fault in play, a law of positions or an invariant that does not hold."""
    if subject.starts is not None:
        message = f"the game cannot start: {subject.starts}"
        return Verdict("rules", subject.setting, "found", "", findings=(Finding("AE714", _first(subject), message),))
    shown = [
        (space.path(f.state) + ([f.action] if f.action is not None else []), f.message, among(space))
        for space in subject.spaces
        for f in (*space.faults, *_first_broken(space))
    ]
    shown += [(actions, message, "") for actions, message in subject.games.broken]
    findings = _by_element(subject, shown, "AE714", "the rules break", "what breaks them must not be possible")
    return subject.verdict("rules", findings)


def _first_broken(space: Space) -> Iterator[Fault]:
    """The states that break something that holds in the state before them."""
    broken = {f.state: f.message for f in space.broken}
    return (f for f in space.broken if broken.get(space.came[f.state]) != f.message)


def stuck(subject: Subject) -> Verdict:
    """AE711: a state that is not over and offers nothing."""
    shown = [
        (space.path(state), "nothing can be done", among(space)) for space in subject.spaces for state in space.dead
    ]
    shown += [(actions, "nothing can be done", "") for actions in subject.games.stuck]
    hint = "give it something that can always be done, or do not ask then (`asks:`)"
    return subject.verdict("dead ends", _by_element(subject, shown, "AE711", "a dead end", hint))


def ties(subject: Subject) -> Verdict:
    """AE715: a game that ends with several seats first, of rules that rank seats."""
    if subject.game.variant.has_returns:
        return subject.verdict("ties", proof="the rules say what everybody gets, and rank nobody")
    shown = [(space.path(state), among(space)) for space, state in subject.ties]
    shown += [(actions, "") for actions in subject.games.tied]
    if not shown:
        return subject.verdict("ties")
    actions, plays = min(shown, key=lambda one: len(one[0]))
    play = subject.play(actions, "a tie", plays)
    first = [seat for seat, rank in enumerate(uncut(subject.game, actions).ranking()) if rank == 1]
    names = f"{', '.join(map(str, first[:-1]))} and {first[-1]}"
    message = f"seats {names} share the first place, and nothing tells them apart"
    hint = "add a key to `rank:`, or accept it where the rules let them share"
    return subject.verdict("ties", [Finding("AE715", "result", message, hint, (play,))])


def _by_element(subject: Subject, shown: Iterable[Shown], code: str, what: str, hint: str) -> tuple[Finding, ...]:
    """For each phase the shortest play that shows it."""
    best: dict[str, Shown] = {}
    for one in shown:
        phase = _phase_after(subject, one[0])
        if phase not in best or len(one[0]) < len(best[phase][0]):
            best[phase] = one
    return tuple(_findings(subject, best, code, what, hint))


def _findings(subject: Subject, best: dict[str, Shown], code: str, what: str, hint: str) -> Iterator[Finding]:
    for phase, (actions, message, plays) in best.items():
        play = subject.play(actions, f"{what} in {phase}", plays)
        yield Finding(code, f"phases.{phase}", f"{what} in `{phase}`: {message}", hint, (play,))


def _phase_after(subject: Subject, actions: list[int]) -> str:
    """The phase that a play comes to; of one whose last step breaks, the phase of that step."""
    state = uncut(subject.game, [])
    for action in actions:
        phase = state.phase
        try:
            state.apply_action(action)
        except RuleFault:
            return phase
    return state.phase


def _first(subject: Subject) -> str:
    return f"phases.{subject.game.variant.phases[0].name}"
