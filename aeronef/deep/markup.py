"""HTML, element by element: what is a text is escaped, and only what was built here is taken for markup."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

EMPTY = ("meta", "br")  # elements that have no end tag
OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # they turn round what stands after them


@dataclass(frozen=True, slots=True)
class Html:
    """Markup that is sound already."""

    text: str


Inside = str | Html | None | Iterable["Inside"]


def element(name: str, /, *inside: Inside, **attributes: str | None) -> Html:
    """An element with what is in it, in order. An attribute that is a word of Python ends with `_`; one that is None is
    left out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(plain(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in EMPTY:
        return Html(f"<{name}{given}>")
    return Html(f"<{name}{given}>{together(*inside).text}</{name}>")


def together(*inside: Inside) -> Html:
    """One after the other, texts escaped."""
    return Html("".join(_each(inside)))


def _each(inside: Iterable[Inside]) -> Iterable[str]:
    for one in inside:
        if isinstance(one, Html):
            yield one.text
        elif isinstance(one, str):
            yield html.escape(plain(one))
        elif one is not None:
            yield from _each(one)


def prose(text: str) -> Html:
    """A message or hint: what stands in backticks there is code."""
    parts = re.split(r"`([^`]+)`", text)
    return together(element("code", part) if k % 2 else part for k, part in enumerate(parts))


def plain(text: str) -> str:
    """The text with a sign of its own for each character that a browser would not show or would obey."""
    return "".join(c if c in "\n\t" or _shows(c) else "\ufffd" for c in text)


def _shows(c: str) -> bool:
    return unicodedata.category(c) not in ("Cc", "Cs", "Cn") and c not in OVERRIDES
