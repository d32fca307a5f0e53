"""What `aeronef check` finds by playing: AE710, rounds without an end, less those that the spec accepts."""

from __future__ import annotations

from pathlib import Path

from aeronef.dsl import ir
from aeronef.dsl.codes import IN_PLAY, PLAYED
from aeronef.dsl.compiler import Compilation, accepted, compile_file, not_found
from aeronef.dsl.diagnostics import Report, Span, SpecError
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, library
from aeronef.runtime.description import Variant
from aeronef.runtime.endless import FINDING
from aeronef.runtime.probe import Probe, Round, probe


def check_file(path: Path) -> Report:
    """Everything there is to say about a spec. Raises SpecError where it does not compile, OSError where it cannot be
    read."""
    run = compile_file(path, library())
    if run.has_small:
        _check_small(path, run.report)
    check_play(run)
    return run.report


def _check_small(path: Path, report: Report) -> None:
    """What `small:` makes of the game must be a game; what is found of it is not asked here."""
    try:
        compile_file(path, library(), small=True)
    except SpecError as error:
        report.diagnostics += [d for d in error.report.errors if d not in report.diagnostics]


def check_play(run: Compilation) -> None:
    """Plays some games of a spec that compiles, and adds to its report what they show."""
    assert run.game is not None
    variant = execute(emit_python(run.game, run.file), run.game.name)
    found = probe(variant)
    spans = {f"phases.{phase.called or phase.name}": phase.span for phase in run.game.phases}
    rounds: dict[str, list[Round]] = {}
    for one in found.rounds:
        if not one.accepted:
            rounds.setdefault(one.at, []).append(one)
    for element, those in rounds.items():
        _report(those, spans[element], run.report)
    _accept(run.game, variant, found, run.report)


def _report(rounds: list[Round], span: Span, report: Report) -> None:
    """One finding for all choices in which the same phase does not end."""
    hint = "something on the way must lead out when nobody has a choice left"
    report.add(FINDING, span, _message(rounds), hint, element=rounds[0].at)


def _message(rounds: list[Round]) -> str:
    """The circle of phases, and the game in which it was met."""
    first = rounds[0]
    phases = [f"`{name}`" for name in first.found.phases]
    own = phases.index(f"`{first.at.removeprefix('phases.')}`")
    circle = [*phases[own:], *phases[:own]]
    where = circle[0] if len(circle) == 1 else " → ".join([*circle, circle[0]])
    same = "state returns" if first.found.states == 1 else f"{first.found.states} states return"
    others = len(rounds) - 1
    more = f"; so with {others} other choice{'s' if others > 1 else ''} of players and options" if others else ""
    return (
        f"{where} may go on for ever: in a random game ({_settings(first)}) the same {same} from step"
        f" {first.found.since} on ({first.found.round}){more}"
    )


def _settings(one: Round) -> str:
    options = "".join(
        f", {name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in one.options.items()
    )
    return f"{one.players} player{'s' if one.players > 1 else ''}{options}"


def _accept(game: ir.Game, variant: Variant, found: Probe, report: Report) -> None:
    """An acceptance of nothing is a finding, unless too little was played to say so."""
    those = [a for a in game.accepts if a.code in IN_PLAY]
    for accept, known in zip(those, variant.accepts, strict=True):
        if accept.code not in PLAYED:
            continue
        met = [one for one in found.rounds if any(other is known for other in one.accepted)]
        if met:
            report.accepted.append(accepted(accept, _message(met)))
        elif found.whole or not any(phase.name == accept.at.removeprefix("phases.") for phase in game.phases):
            not_found(accept, report)
