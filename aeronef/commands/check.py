"""`aeronef check`: everything that is wrong with a spec, or worth a look."""

from __future__ import annotations

import json

from rich.console import Console

from aeronef.dsl.diagnostics import Accepted, Report, SpecError
from aeronef.files import shown
from aeronef.loading import is_path, spec_path
from aeronef.play_check import check_file
from aeronef.render import counted, output, printable, report_data, say, show_report
from aeronef.runtime.errors import BadInput


def check_spec(spec: str, deeper: list[str], as_json: bool) -> int:
    """`deeper` are options that go with `--deep`, and were given without it. Raises BadInput for these, and where there
    is no such spec; OSError where it cannot be read."""
    if deeper:
        raise BadInput(f"{', '.join(deeper)} {'go' if len(deeper) > 1 else 'goes'} with --deep")
    path = spec_path(spec) if is_path(spec) else shown(spec_path(spec))
    try:
        report = check_file(path)
    except SpecError as error:
        report = error.report
    status = 1 if report.diagnostics else 0
    if as_json:
        data = {
            "spec": str(path), "ok": not status, "diagnostics": report_data(report, path.parent),
            "accepted": accepted_data(report),
        }  # fmt: skip
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return status
    out = output()
    show_report(report, path.parent, out)
    if status:
        codes = sorted({d.code for d in report.diagnostics})
        say(f"{path}: {counted(report)} (aeronef explain {codes[0]} says more)", console=out)
    else:
        say(f"{path}: nothing to report", console=out)
    for a in report.accepted:
        show_accepted(a, out)
    return status


def accepted_data(report: Report) -> list[dict[str, str]]:
    """What the spec accepts, as JSON data."""
    return [
        {"code": a.code, "element": a.element, "message": a.message, "when": a.when, "why": a.why}
        for a in report.accepted
    ]


def show_accepted(a: Accepted, out: Console) -> None:
    where = f" when {a.when}" if a.when else ""
    say(printable(f"accepted: {a.code} at {a.element}{where} ({a.why})"), console=out)
    say(printable(f"          {a.message}"), console=out)
