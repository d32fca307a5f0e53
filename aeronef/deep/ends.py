"""Does every game end? Circles that play need not leave, arguments why others run out, and how long a game can be."""

from __future__ import annotations

from itertools import pairwise

from aeronef.deep.subject import Subject
from aeronef.deep.verdicts import Finding, Verdict, among, counted
from aeronef.dsl.proofs import told
from aeronef.runtime.endings import Circle, Endings, endings
from aeronef.runtime.endless import Endless, at
from aeronef.runtime.explore import Space
from aeronef.runtime.kernel import CHANCE

ENDLESS = ("AE710", "AE712")
Found = tuple[Circle, Endless, Space]


def ends(subject: Subject) -> Verdict:
    """AE710: play that can never end any more; AE712: play that need not; AE721: games longer than `longest:`."""
    every = [(subject.endings if space is subject.whole else endings(space), space) for space in subject.spaces]
    best: dict[tuple[str, str], Found] = {}
    for found, space in every:
        firsts: dict[tuple[str, bool], Circle] = {}
        for circle in found.circles:
            firsts.setdefault((at(subject.game.variant, _round(space, circle)), circle.closed), circle)
        for (element, closed), circle in firsts.items():
            code = "AE710" if closed or subject.can_end(space.path(circle.entry)) is False else "AE712"
            if (code, element) not in best:
                best[code, element] = circle, _round(space, circle), space
    findings = [_finding(subject, code, element, *found) for (code, element), found in best.items()]
    notes: list[tuple[str, ...]] = []
    whole: Endings = subject.endings
    if whole.longest is not None:
        notes.append((_at_most(subject, whole.longest),))
        if whole.longest > subject.game.max_game_length():
            findings.append(_cut(subject, whole.longest))
    elif subject.games.cut and not findings:  # where play may go on for ever, that is why
        findings.append(_was_cut(subject, min(subject.games.cut, key=len)))
    elif whole.whole and not whole.circles:
        what = "no play can be kept up for ever" if subject.whole.dead else "every game ends with probability 1"
        notes.append((f"{what}: how long it takes is up to chance",))
    if whole.whole:
        complete = ENDLESS if whole.longest is None else (*ENDLESS, "AE721")
        return subject.verdict("endings", findings, notes, complete=complete, sure=not subject.whole.dead)
    arguments = subject.arguments
    notes += [told(argument, subject.rules) for argument in arguments]
    ended = all(argument.ended for argument in arguments)
    if not ended and not findings and subject.games.played:
        every_one = f"all {counted(subject.games.played, 'random games')} ended, and no play was met that need not end"
        notes.append((every_one,))
    return subject.verdict("endings", findings, notes, "by argument" if ended else "", ENDLESS if ended else None)


def _at_most(subject: Subject, steps: int) -> str:
    if subject.whole.dead:
        return f"no play goes on for ever: after {counted(steps, 'steps')} at the latest it is over, or in a dead end"
    return f"every game ends after {counted(steps, 'steps')} at most"


def _round(space: Space, circle: Circle) -> Endless:
    """The steps of a circle, from its entry on."""
    state = space.at(circle.entry)
    since, moves = len(state.moves), []
    states = [*circle.states, circle.entry]
    for here, there in pairwise(states):
        action = space.action(here, there)
        who = "chance" if state.position.actor == CHANCE else str(state.position.actor)
        moves.append((state.phase, f"{who} {state.action_to_string(state.position.actor, action)}"))
        state.apply_action(action)
    return Endless(since, tuple(moves))


def _finding(subject: Subject, code: str, element: str, circle: Circle, found: Endless, space: Space) -> Finding:
    path = space.path(circle.entry)
    around = [*circle.states, circle.entry]
    actions = [*path, *(space.action(a, b) for a, b in pairwise(around))]
    phases = [f"`{name}`" for name in found.phases]
    own = phases.index(f"`{element.removeprefix('phases.')}`")
    names = [*phases[own:], *phases[:own]]
    where = names[0] if len(names) == 1 else " → ".join([*names, names[0]])
    same = "state returns" if found.states == 1 else f"{found.states} states return"
    if code == "AE710":
        message = (
            f"{where} never ends: from step {found.since} on the same {same}, and no way out leads to an end"
            f" ({found.round})"
        )
        hint = "something on the way must lead out when nobody has a choice left"
    else:
        message = f"{where} may go on for ever: if the seats want it, the same {same} ({found.round})"
        hint = "something must run out each time, or accept it where the rules mean it"
    play = subject.play(actions, f"{where.replace('`', '')} without an end", among(space), len(path))
    return Finding(code, element, message, hint, (play,))


def _was_cut(subject: Subject, actions: list[int]) -> Finding:
    cut = subject.game.max_game_length()
    message = f"a random game is not over after {cut} steps, and is cut"
    play = subject.play(actions, "a game that is cut", "")
    return Finding("AE721", "longest", message, "a larger `longest:`, or something that runs out sooner", (play,))


def _cut(subject: Subject, longest: int) -> Finding:
    """The longest play is not kept: the finding says how long it is."""
    cut = subject.game.max_game_length()
    message = f"a game can have {longest} steps, and is cut after {cut}"
    return Finding("AE721", "longest", message, f"`longest: {longest}` or more")
