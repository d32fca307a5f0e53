"""Writes docs/codes.md from the table of codes: `python docs/make_codes.py`. A test asserts that it is fresh."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from aeronef.dsl.codes import CODES, Code

PAGE = Path(__file__).with_name("codes.md")
GROUPS = {
    "AE1": "The file",
    "AE2": "Its structure",
    "AE3": "The spelling of a text",
    "AE4": "Names",
    "AE5": "Types and ranges",
    "AE6": "Rules of the language",
    "AE7": "Findings",
    "AE8": "Overlays",
}
HEAD = """\
# Codes

Every error and finding of `aeronef check`, made from `dsl/codes.py` by `docs/make_codes.py`: edit that, never this.
`aeronef explain CODE` says the same in the terminal. An error keeps a spec from compiling. A finding does not: it is
worth a look, and `accepts:` takes it out with a reason.
"""


def page() -> str:
    """The text of docs/codes.md."""
    parts = [HEAD]
    for group, codes in groupby(CODES.values(), key=lambda code: code.id[:3]):
        parts.append(f"## {GROUPS[group]}\n")
        parts += [_entry(code) for code in codes]
    return "\n".join(parts)


def _entry(code: Code) -> str:
    return (
        f"### {code.id}: {code.title}\n\n"
        f"{code.explanation}\n\n"
        f"Wrong:\n\n{_example(code.wrong)}\n"
        f"Right:\n\n{_example(code.right)}"
    )


def _example(text: str) -> str:
    return f"```yaml\n{text}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
