"""Python names for what a spec names: close to the spec's own, never a keyword, a helper, or a name used already."""

from __future__ import annotations

import builtins
import keyword
import re

HELPERS = {"put", "pour", "pour_on", "held", "distinct", "copies", "subsets", "rolls", "otherwise", "attribute"}
KERNEL = {
    "actor", "began", "cut", "me", "phase", "queue", "steps", "n", "players", "seats", "longest", "source", "end",
    "decisions", "chances", "entering", "following", "allowing", "chancing", "doing", "start", "copy", "legal",
    "outcomes", "apply", "go", "left", "right", "clockwise", "automaton", "fault", "within", "take", "vacate", "fill",
    "game", "rank", "lost", "returns",
}  # fmt: skip
MODULE = HELPERS | {"CHANCE", "NOBODY", "Position", "Kernel", "self", "new", "ids", "Any", "Self"}


class Names:
    """One scope of names: `of(key, wish)` gives each key one name, the wish if it can be had."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = set(taken) | set(keyword.kwlist) | set(keyword.softkwlist)
        self.given: dict[object, str] = {}

    def of(self, key: object, wish: str) -> str:
        if key not in self.given:
            name = re.sub(r"\W", "_", wish)
            if not name or name[0].isdigit():
                name = "_" + name
            while name in self.taken:
                name += "_"
            self.taken.add(name)
            self.given[key] = name
        return self.given[key]


def local(name: str) -> str:
    """A local of the spec as a Python local; helpers and builtins that generated code calls stay reachable."""
    if keyword.iskeyword(name) or name in MODULE or hasattr(builtins, name):
        return name + "_"
    return name
