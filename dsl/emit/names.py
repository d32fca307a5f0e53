"""Python names for what a spec names: close to the spec's own, and never one that something else has already."""

from __future__ import annotations

import builtins
import keyword
import re

# What a generated module can import, sorted as its imports are.
KERNEL_IMPORTS = (
    "CHANCE", "NOBODY", "Owned", "card_of", "copies", "emptied", "first_of", "held", "last_of", "otherwise",
    "owner_of", "pour", "pour_on", "put", "rolls", "stocked", "subsets",
)  # fmt: skip
DESCRIPTION_IMPORTS = (
    "BOOL", "COUNT", "SEAT", "Accept", "Action", "Cards", "Int", "Maybe", "Measure", "Moment", "Option", "Phase",
    "SetOf", "Several", "Tray", "Variable", "Variant", "Words", "Zone", "attribute",
)  # fmt: skip

# Keywords, builtins (the module calls some), and names that a style check takes for numbers.
PYTHON = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "l", "O", "I"}
MODULE = PYTHON | {*KERNEL_IMPORTS, *DESCRIPTION_IMPORTS, "Any", "Kernel", "Position", "Self", "Sequence", "VARIANT",
                   "annotations", "longest", "overlays", "requires", "seats"}  # fmt: skip
# What every position has (tests/emit compares it with the kernel), and what a generated one adds.
KERNEL = {
    "acting", "actor", "allowing", "apply", "around", "automaton", "back", "began", "chances", "chancing", "clockwise",
    "completing", "copy", "cut", "decisions", "doing", "end", "entering", "fault", "fill", "following", "go",
    "is_counted", "is_like", "lay", "lay_on", "leave", "left", "legal", "lift", "longest", "me", "members", "n",
    "numbers_for", "outcomes", "overfull", "phase", "players", "queue", "rank", "ranks_at_end", "right", "row", "seats",
    "seats_after", "source", "start", "steps", "take", "vacate", "visit", "visitor", "within", "worth_at_end",
}  # fmt: skip
MEMBERS = KERNEL | {*keyword.kwlist, *keyword.softkwlist, "l", "O", "I", "Any", "Self", "Sequence", "bool", "dict",
                    "int", "list", "tuple", "everyone", "lost", "nobody", "observed", "parts", "returns",
                    "altering", "carried", "mark", "reach", "watch", "witness"}  # fmt: skip

# What the emitter names in a method itself.
INSIDE = {"entry", "first", "ids", "moved", "options", "self", "target", "weight"}


class Names:
    """One scope of names: `of(key, wish)` gives each key one name, the wish if it can be had."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = set(taken)
        self.given: dict[object, str] = {}

    def of(self, key: object, wish: str) -> str:
        if key not in self.given:
            name = re.sub(r"[^A-Za-z0-9_]", "_", wish)
            if name.startswith("__"):  # Python would mangle it
                name = name.lstrip("_") or "_"
            if not name or name[0].isdigit():
                name = "_" + name
            while name in self.taken:
                name += "_"
            self.taken.add(name)
            self.given[key] = name
        return self.given[key]

    def __getitem__(self, key: object) -> str:
        return self.given[key]


class Locals:
    """Locals of the spec as Python locals. Different names stay different: `x_` steps aside where `x` has to."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = {name.rstrip("_") for name in taken} | {""}

    def __call__(self, name: str) -> str:
        return name + "_" if name.rstrip("_") in self.taken else name
