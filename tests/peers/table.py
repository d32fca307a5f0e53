"""The table of docs/peers.md: what was compared with what. `python -m tests.peers.table` compares and writes it."""

from __future__ import annotations

from pathlib import Path

from tests.peers.compare import Match, Report, random_games, whole_tree
from tests.peers.games import MATCHES

PAGE = Path(__file__).parents[2] / "docs" / "peers.md"
HEAD = (
    "| our game | OpenSpiel's | compared | nodes | games | information states | of |\n|---|---|---|--:|--:|--:|---|\n"
)
GAMES = 10_000
SEED = 20261130


def compared(match: Match) -> Report:
    """The whole tree, or that many random games. Raises Differs."""
    return whole_tree(match) if match.whole else random_games(match, GAMES, SEED, worlds=200)


def row(match: Match, report: Report) -> str:
    others = f", and {report.worlds} other worlds" if report.worlds else ""
    what = "whole tree" if match.whole else f"random games{others}"
    watched = {"everybody": "everybody", "actor": "who acts", "nobody": "nobody"}[match.watched]
    numbers = " | ".join(f"{n:,}" for n in (report.nodes, report.ends, report.states))
    return f"| `{match.title}` | `{match.peer}` | {what} | {numbers} | {watched} |"


def rows_of(page: str) -> list[str]:
    """The rows of the table on the page."""
    return [line for line in page.partition(HEAD)[2].partition("\n\n")[0].splitlines() if line]


def main() -> None:
    made = []
    for match in MATCHES:
        made.append(row(match, compared(match)))
        print(made[-1], flush=True)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(HEAD)
    after = rest.partition("\n\n")[2]
    PAGE.write_text(before + HEAD + "\n".join(made) + "\n\n" + after, encoding="utf-8")


if __name__ == "__main__":
    main()
