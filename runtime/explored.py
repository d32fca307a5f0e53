"""What was explored of a game, as a file: to stop, and to go on another day.

A line of JSON (which game it is, and the few states with which something is), then the arrays of the space, compressed.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from typing import Any

from aeronef.runtime.errors import BadInput
from aeronef.runtime.explore import Fault, Space
from aeronef.runtime.game import Game

FORMAT = "aeronef-states/1"
ARRAYS = ("came", "by", "first", "to", "via")
KEY = 12  # bytes of a state's digest
MOST = 1 << 32  # bytes that a file can come to


def save(space: Space) -> bytes:
    """The file of a space. What waits to be looked into is found again by its shortest play."""
    header = _about(space.game, space.each) | {
        "states": len(space),
        "explored": space.explored,
        "seconds": round(space.seconds, 3),
        "dead": space.dead,
        "marked": space.marked,
        "partial": sorted(space.partial),
        "faults": [[f.state, f.action, f.message] for f in space.faults],
        "broken": [[f.state, f.action, f.message] for f in space.broken],
        "lengths": [len(getattr(space, name)) for name in ARRAYS],
    }
    parts = [getattr(space, name).tobytes() for name in ARRAYS]
    whole = b"".join([*parts, bytes(space.kinds), *space.keys])
    return json.dumps(header, ensure_ascii=False).encode() + b"\n" + zlib.compress(whole, 1)


def restore(game: Game, raw: bytes, each: int | None = None) -> Space:
    """The space that a file holds. Raises BadInput where it is none, or of another game."""
    try:
        return _restored(game, raw, each)
    except BadInput:
        raise
    except (ValueError, KeyError, TypeError, IndexError, zlib.error):
        raise BadInput("this is no file of explored states, or it is damaged") from None


def _restored(game: Game, raw: bytes, each: int | None) -> Space:
    line, _, packed = raw.partition(b"\n")
    header = json.loads(line)
    if header["format"] != FORMAT:
        raise ValueError
    for name, value in _about(game, each).items():
        if header[name] != value:
            raise BadInput(f"these states are of another game: `{name}` is {header[name]} there, and {value} here")
    unpacker = zlib.decompressobj()
    whole = unpacker.decompress(packed, MOST)
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError
    space, at = Space(game, each=each), 0
    for name, length in zip(ARRAYS, header["lengths"], strict=True):
        found = array("q")
        found.frombytes(whole[at : at + 8 * length])
        at += 8 * length
        setattr(space, name, found)
    space.kinds = bytearray(whole[at : at + header["explored"]])
    at += header["explored"]
    keys = [whole[k : k + KEY] for k in range(at, len(whole), KEY)]
    space.keys = {key: number for number, key in enumerate(keys)}
    n = header["states"]
    sound = len(space.came) == len(space.by) == len(space.keys) == n and space.explored == header["explored"] <= n
    if not sound or len(space.first) != space.explored + 1 or len(space.to) != len(space.via):
        raise ValueError
    if any(not 0 <= other < n for other in space.to) or any(not -1 <= c < s for s, c in enumerate(space.came)):
        raise ValueError
    actions = range(-1, max(game.num_distinct_actions(), game.max_chance_outcomes()))
    if any(action not in actions for action in (*space.by, *space.via)):
        raise ValueError
    space.dead, space.marked, space.partial = header["dead"], header["marked"], set(header["partial"])
    space.faults, space.broken = ([Fault(*row) for row in header[name]] for name in ("faults", "broken"))
    space.seconds = float(header["seconds"])
    named = [*space.dead, *space.marked, *space.partial, *(f.state for f in (*space.faults, *space.broken))]
    if any(type(state) is not int or not 0 <= state < n for state in named):
        raise ValueError
    return space


def _about(game: Game, each: int | None) -> dict[str, Any]:
    options = {name: str(value).lower() if isinstance(value, bool) else value for name, value in game.options.items()}
    return {
        "format": FORMAT, "game": game.name, "digest": game.spec_digest, "players": game.players,
        "options": options, "each": each, "bytes": sys.byteorder,
    }  # fmt: skip
