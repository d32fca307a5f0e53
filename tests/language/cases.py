"""Case files: several small wrong specs in one text file, each beside the diagnostics that it must get.

    [case a_name]
    = do: |                     a line of base.yaml that stays (the changes below stand after it)
    -   leader := p             a line of base.yaml that goes
    +   leader := q             a line that comes
    [out]
    AE401 76:19-20 unknown name `q` | did you mean `p`?

`[spec]` instead of changes gives a whole file, `[bytes]` one with Python's escapes, `[file NAME]` one that lies beside
it. An output line is `CODE line:column-column message | hint` (`line:column-line:column` where it spans lines, `FILE:`
before it where it is in another file); a line `note` belongs to the one above. The cases of played.txt are
played too, as `aeronef check` plays them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from aeronef.dsl.compiler import compile_text
from aeronef.dsl.diagnostics import Report, Span, SpecError
from aeronef.play_check import check_play

FOLDER = Path(__file__).parent
BASE = (FOLDER / "base.yaml").read_text(encoding="utf-8")
SECTION = re.compile(r"\[(spec|bytes|out|file [\w.]+)\]")


@dataclass(slots=True)
class Case:
    """One case of a file; `out` is what it must get."""

    file: Path
    name: str
    line: int
    changes: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    out: list[str] = field(default_factory=list)

    @property
    def spec(self) -> bytes:
        return self.files["spec"] if "spec" in self.files else _changed(self).encode()

    def run(self, folder: Path) -> list[str]:
        """Its diagnostics, as a case file spells them."""
        for name, raw in self.files.items():
            if name != "spec":
                (folder / name).write_bytes(raw)
        try:
            run = compile_text("spec", self.spec, folder)
            if self.file.stem == "played":
                check_play(run)
            report = run.report
        except SpecError as error:
            report = error.report
        return list(spelled(report))


def spelled(report: Report) -> list[str]:
    found = []
    for d in report.in_order():
        found.append(f"{d.code} {_place(d.span)} {d.message}" + (f" | {d.hint}" if d.hint else ""))
        found += [f"  note {_place(span)} {message}" for span, message in d.notes]
    return found


def _place(span: Span) -> str:
    file = "" if span.file == "spec" else f"{span.file}:"
    end = f"{span.end_line}:" if span.end_line != span.line else ""
    return f"{file}{span.line}:{span.column}-{end}{span.end_column}"


def _changed(case: Case) -> str:
    """The base with the changes of a case."""
    lines, at = BASE.split("\n"), 0
    for change in case.changes:
        sign, line = change[0], change[2:]
        if sign == "+":
            lines.insert(at, line)
            at += 1
            continue
        places = [i for i in range(at, len(lines)) if lines[i] == line]
        assert places, f"{case.file.name}:{case.line}: [{case.name}]: base.yaml has no line `{line}` from {at + 1} on"
        at = places[0] + (sign == "=")
        if sign == "-":
            del lines[at]
    return "\n".join(lines)


def read_cases(file: Path) -> list[Case]:
    """The cases of a file, in order."""
    found: list[Case] = []
    section, body = "", list[str]()

    def close() -> None:
        text = "\n".join(body).rstrip("\n") + "\n"
        if section in ("spec", "bytes"):
            raw = text.encode() if section == "spec" else text[:-1].encode().decode("unicode_escape").encode("latin-1")
            found[-1].files["spec"] = raw
        elif section.startswith("file"):
            found[-1].files[section.split()[1]] = text.encode()
        elif section == "out":
            found[-1].out = [line for line in body if line]
        elif section == "case":
            found[-1].changes = [line for line in body if line]

    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        if (case := re.fullmatch(r"\[case (\w+)\]", line)) is not None:
            close()
            found.append(Case(file, case[1], number))
            section, body = "case", []
        elif (other := SECTION.fullmatch(line)) is not None:
            close()
            section, body = other[1], []
        else:
            body.append(line)
    close()
    return found


def update(file: Path, name: str, out: list[str]) -> None:
    """Writes what a case of a file got into it."""
    text = file.read_text(encoding="utf-8")
    pattern = re.compile(rf"(\[case {name}\]\n(?:(?!\[case ).*\n)*?\[out\]\n)(?:(?!\[case ).+\n)*")
    text, count = pattern.subn(lambda match: match[1] + "".join(f"{line}\n" for line in out), text)
    assert count == 1, f"{file.name}: [case {name}] has no [out]"
    file.write_text(text, encoding="utf-8")
