"""`aeronef check`: everything that is wrong with a spec, or worth a look."""

from __future__ import annotations

import json

from aeronef.dsl.diagnostics import SpecError
from aeronef.files import shown
from aeronef.loading import is_path, spec_path
from aeronef.play_check import check_file
from aeronef.render import counted, output, printable, report_data, say, show_report


def check_spec(spec: str, as_json: bool) -> int:
    """Raises BadInput where there is no such spec, OSError where it cannot be read."""
    path = spec_path(spec) if is_path(spec) else shown(spec_path(spec))
    try:
        report = check_file(path)
    except SpecError as error:
        report = error.report
    status = 1 if report.diagnostics else 0
    if as_json:
        accepted = [
            {"code": a.code, "element": a.element, "message": a.message, "when": a.when, "why": a.why}
            for a in report.accepted
        ]
        data = {
            "spec": str(path), "ok": not status, "diagnostics": report_data(report, path.parent), "accepted": accepted,
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
        where = f" when {a.when}" if a.when else ""
        say(printable(f"accepted: {a.code} at {a.element}{where} ({a.why})"), console=out)
        say(printable(f"          {a.message}"), console=out)
    return status
