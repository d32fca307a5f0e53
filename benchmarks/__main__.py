"""What things cost today: `make bench`, or `python -m benchmarks SUBJECT…` for some of it. Nothing here is asserted."""

from __future__ import annotations

import platform
import sys

from benchmarks import calls, compiling, environments, growth, memory, native, shipped, side_by_side, threads
from benchmarks.measuring import ROUNDS

SUBJECTS = {
    "side_by_side": side_by_side.main, "threads": threads.main, "native": native.main,
    "memory": memory.main, "growth": growth.main, "calls": calls.main, "shipped": shipped.main,
    "environments": environments.main, "compiling": compiling.main,
}  # fmt: skip


def main(names: list[str]) -> None:
    if unknown := [name for name in names if name not in SUBJECTS]:
        sys.exit(f"there is no subject {unknown[0]} (there is: {', '.join(SUBJECTS)})")
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}, "
        f"CPU time, median of {ROUNDS}\n"
    )
    for name in names or SUBJECTS:
        print(f"== {name}: {sys.modules[SUBJECTS[name].__module__].__doc__.strip().splitlines()[0]}\n")  # type: ignore[union-attr]
        SUBJECTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
