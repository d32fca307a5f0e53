"""`aeronef explain`: what a diagnostic code means."""

from __future__ import annotations

import textwrap

from aeronef.dsl.codes import CODES
from aeronef.dsl.diagnostics import nearest
from aeronef.render import output, say
from aeronef.runtime.errors import BadInput


def explain_code(code: str | None) -> int:
    """Raises BadInput where there is no such code."""
    out = output()
    if code is None:
        for known in CODES.values():
            say(f"{known.id}  {known.level:<7}  {known.title}", console=out)
        return 0
    found = CODES.get(code.upper())
    if found is None:
        raise BadInput(f"there is no code `{code}`: {nearest(code.upper(), CODES) or '`aeronef explain` lists them'}")
    say(f"{found.id} ({found.level}): {found.title}", "bold", out)
    out.print()
    out.print(found.explanation)
    for heading, example in (("wrong", found.wrong), ("right", found.right)):
        out.print()
        say(f"{heading}:", "red" if heading == "wrong" else "green", out)
        say(textwrap.indent(example, "    "), console=out)
    return 0
