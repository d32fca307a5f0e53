"""`aeronef check`: everything that is wrong with a spec, or worth a look."""

from __future__ import annotations

import json

from aeronef.dsl.compiler import compile_file
from aeronef.dsl.diagnostics import SpecError
from aeronef.files import shown
from aeronef.loading import is_path, library, spec_path
from aeronef.render import counted, output, report_data, say, show_report


def check_spec(spec: str, as_json: bool) -> int:
    """Raises BadInput where there is no such spec, OSError where it cannot be read."""
    path = spec_path(spec) if is_path(spec) else shown(spec_path(spec))
    try:
        report = compile_file(path, library()).report
    except SpecError as error:
        report = error.report
    status = 1 if report.diagnostics else 0
    if as_json:
        data = {"spec": str(path), "ok": not status, "diagnostics": report_data(report, path.parent)}
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return status
    out = output()
    show_report(report, path.parent, out)
    if status:
        codes = sorted({d.code for d in report.diagnostics})
        say(f"{path}: {counted(report)} (aeronef explain {codes[0]} says more)", console=out)
    else:
        say(f"{path}: nothing to report", console=out)
    return status
