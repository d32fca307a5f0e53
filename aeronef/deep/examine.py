"""All questions to a spec, in every setting, in several processes; what comes of it as one report.

A finding is one for all settings in which it is made. The spec may accept it in some of them (`accepts:`), and an
acceptance of what nobody finds, where it could be found, is a finding itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path

from aeronef.deep.breaks import breaks, stuck, ties
from aeronef.deep.elements import cited, own_name, spans_of
from aeronef.deep.ends import ends
from aeronef.deep.idle import TOGETHER, idle
from aeronef.deep.seats import seats
from aeronef.deep.secrets import secrets
from aeronef.deep.settings import holds, settings
from aeronef.deep.subject import Effort, Saved, Subject
from aeronef.deep.verdicts import Finding, Setting, Verdict
from aeronef.dsl import ir
from aeronef.dsl.codes import DEEP, IN_PLAY
from aeronef.dsl.compiler import Compilation, accepted, compile_file, not_found
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.emit.python import emit_python
from aeronef.loading import execute, library
from aeronef.parallel import in_processes
from aeronef.runtime.combinations import every_choice
from aeronef.runtime.description import Accept, Variant

Question = Callable[[Subject], Verdict]
QUESTIONS: tuple[Question, ...] = (breaks, stuck, ends, ties, secrets, seats)
Task = Setting | None  # a game that is asked all of them; None: the question to all games together
MOST_GAMES = 200  # choices of players and options of which it can be known that all were looked at
LEAST = 0.5  # seconds for all questions to a game, however late it is
Reach = Callable[[int, int], None]  # (settings done, of so many)


@dataclass(frozen=True, slots=True)
class Examined:
    """`verdicts` are those of each setting, question by question."""

    report: Report
    settings: list[Setting]
    verdicts: list[Verdict]
    effort: Effort
    game: ir.Game


@dataclass(frozen=True, slots=True)
class Compiled:
    """A spec as it is played: the whole game, or the one that its `small:` makes of it."""

    run: Compilation
    variant: Variant

    @staticmethod
    def of(path: Path, small: bool = False) -> Compiled:
        run = compile_file(path, library(), small)
        assert run.game is not None
        return Compiled(run, execute(emit_python(run.game, run.file), run.game.name))


def examine(
    path: Path,
    wanted: list[Setting] | None,
    effort: Effort,
    jobs: int,
    report: Report,
    reach: Reach,
    saved: Saved | None = None,
    began: float | None = None,
) -> Examined:
    """Asks everything in the settings that are wanted (None: those that `settings` chooses), and adds to a report of
    the same spec what was found. The time that the effort allows is counted from when it `began` (default: now), as the
    clock says.

    Raises SpecError, OSError, AeronefError where a process is stopped from outside.
    """
    whole = Compiled.of(path)
    small = Compiled.of(path, small=True) if whole.run.has_small else None
    chosen = settings(whole.variant, small.variant if small else None) if wanted is None else wanted
    tasks: list[Task] = [*chosen, *([None] if wanted is None else [])]
    until = None if effort.seconds is None else (time.time() if began is None else began) + effort.seconds
    share = ceil(len(tasks) / min(jobs, len(tasks)))
    examiner = Examiner(path, chosen, effort, until, share, saved, {False: whole})
    verdicts: list[Verdict] = []
    for done, found in enumerate(_answers(examiner, tasks, jobs), 1):
        verdicts += found
        reach(done, len(tasks))
    verdicts = [_accepting(verdict, whole) for verdict in verdicts]
    _tell(verdicts, whole, report)
    assert whole.run.game is not None
    return Examined(report, chosen, verdicts, effort, whole.run.game)


def _answers(examiner: Examiner, tasks: list[Task], jobs: int) -> Iterator[list[Verdict]]:
    """Of each task its verdicts, in order."""
    if jobs == 1 or len(tasks) == 1:
        yield from map(examiner.answer, tasks)
        return
    begin = partial(_asker, examiner.path, examiner.settings, examiner.effort, examiner.until, examiner.left)
    with closing(in_processes(begin, tasks, min(jobs, len(tasks)))) as answers:
        yield from answers


def _asker(
    path: Path, settings: list[Setting], effort: Effort, until: float | None, share: int
) -> Callable[[Task], list[Verdict]]:
    return Examiner(path, settings, effort, until, share).answer


@dataclass(slots=True)
class Examiner:
    """Answers for a spec, which it compiles when it is first asked of it. `left` tasks are still to come to this
    process, and at `until` (as the clock says) it should be done."""

    path: Path
    settings: list[Setting]
    effort: Effort
    until: float | None
    left: int
    saved: Saved | None = None
    known: dict[bool, Compiled] = field(default_factory=dict)

    def answer(self, task: Task) -> list[Verdict]:
        """All that is asked of one game, or of all together, in its share of the time that is left."""
        compiled = self._compiled(task is not None and task.small)
        seconds = None if self.until is None else max(LEAST, (self.until - time.time()) / max(self.left, 1))
        self.left -= 1
        effort = replace(self.effort, seconds=seconds)
        if task is None:
            return idle(compiled.run, compiled.variant, self.path, self.settings, effort, seconds)
        subject = Subject(compiled.run, compiled.variant, task, effort, self.saved)
        if subject.starts is not None:
            return [breaks(subject)]
        return [question(subject) for question in QUESTIONS]

    def _compiled(self, small: bool) -> Compiled:
        if small not in self.known:
            self.known[small] = Compiled.of(self.path, small)
        return self.known[small]


# ------------------------------------------------------------------------------------------ what the spec accepts


def _accepting(verdict: Verdict, whole: Compiled) -> Verdict:
    """The verdict, with what the spec accepts marked so."""
    assert whole.run.game is not None
    named = partial(own_name, whole.run.game)
    findings = []
    for finding in verdict.findings:
        for accept, known in _acceptances(whole):
            same = accept.code == finding.code and named(accept.at) == named(finding.element)
            anywhere = verdict.setting == TOGETHER  # such a finding is of no one game
            if same and (known.when is None if anywhere else holds(whole.variant, known, verdict.setting)):
                finding = replace(finding, accepted=accept.why)
        by = tuple(clause.id for clause in cited(whole.run.game, finding.element))
        findings.append(replace(finding, by=by))
    return replace(verdict, findings=tuple(findings))


def _acceptances(whole: Compiled) -> list[tuple[ir.Accept, Accept]]:
    """What the spec accepts of what play finds, as the rules have it and as the compiled variant has it."""
    assert whole.run.game is not None
    of_play = [accept for accept in whole.run.game.accepts if accept.code in IN_PLAY]
    return list(zip(of_play, whole.variant.accepts, strict=True))


def _tell(verdicts: list[Verdict], whole: Compiled, report: Report) -> None:
    """Findings that are not accepted become diagnostics, one for each element; acceptances are listed, or found to be
    of nothing."""
    game = whole.run.game
    assert game is not None
    met: dict[tuple[str, str], list[tuple[Setting, Finding]]] = {}
    for verdict in verdicts:
        for finding in verdict.findings:
            met.setdefault((finding.code, own_name(game, finding.element)), []).append((verdict.setting, finding))
    spans = spans_of(game)
    said = {(d.code, own_name(game, d.element)) for d in report.diagnostics}
    for (code, element), those in met.items():
        left = [(one, finding) for one, finding in those if finding.accepted is None]
        if left and (code, element) not in said:
            finding = left[0][1]
            report.add(code, spans.get(element, game.span), finding.message + _where(left), finding.hint,
                       element=element)  # fmt: skip
    known = {(a.code, a.element, a.when) for a in report.accepted}
    for accept, of_play in _acceptances(whole):
        there = [(s, f) for s, f in met.get((accept.code, own_name(game, accept.at)), []) if f.accepted is not None]
        if there:
            told = accepted(accept, there[0][1].message + _where(there))
            if (told.code, told.element, told.when) not in known:
                report.accepted.append(told)
        elif accept.code in DEEP and (
            own_name(game, accept.at) not in spans or _surely_not(accept, of_play, verdicts, whole)
        ):
            not_found(accept, report)


def _surely_not(accept: ir.Accept, of_play: Accept, verdicts: list[Verdict], whole: Compiled) -> bool:
    """Whether it is known that there is nothing of what is accepted in any game in which it would be accepted."""
    if any(v.setting == TOGETHER and accept.code in v.complete for v in verdicts):
        return True
    every = [(p, o) for p, o in islice(every_choice(whole.variant), MOST_GAMES + 1)
             if holds(whole.variant, of_play, Setting(p, o, ""))]  # fmt: skip
    if not every or len(every) > MOST_GAMES:
        return False
    complete = [(v.setting.players, v.setting.options) for v in verdicts
                if accept.code in v.complete and not v.setting.small and v.setting != TOGETHER]  # fmt: skip
    return all(choice in complete for choice in every)


def _where(met: list[tuple[Setting, Finding]]) -> str:
    """In which games something was found."""
    names = list(dict.fromkeys(setting.label for setting, _ in met if setting != TOGETHER))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f" ({'; '.join(names[:3])}{more})" if names else ""
