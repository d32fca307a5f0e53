"""`aeronef list`: what is there to play."""

from __future__ import annotations

import json

from aeronef.commands.common import Source, option_text, variant_of
from aeronef.loading import shipped
from aeronef.runtime.description import Option, Variant
from aeronef.runtime.errors import BadInput


def list_variants(as_json: bool) -> int:
    """Raises BadInput where a shipped variant was not compiled yet."""
    found: list[Variant] = []
    for name in shipped():
        found.append(variant_of(Source(name)))
    if not found:
        raise BadInput("no variants are installed")
    if as_json:
        print(json.dumps([_data(variant) for variant in found], indent=2, ensure_ascii=False))
        return 0
    from aeronef.render import output, say, table

    out = output()
    for i, variant in enumerate(found):
        if i:
            out.print()
        fewest, most = variant.players.start, variant.players.stop - 1
        say(f"{variant.name}, {fewest if fewest == most else f'{fewest} to {most}'} players", "bold", out)
        if variant.says:
            out.print(variant.says)
        if variant.options:
            rows = [[o.name, _values(o, most), option_text(o.domain.data(o.default)), o.says] for o in variant.options]
            out.print(table("option", "values", "default", "", rows=rows, left=True))
    return 0


def _values(option: Option, players: int) -> str:
    """All values that so many players can choose from, or their range."""
    values = option.domain.values(players)
    data = [option.domain.data(value) for value in values]
    words = [data.pop(0)] if values[0] is None else []
    if len(data) > 8 and all(isinstance(value, int) for value in data):
        return ", ".join([*words, f"{data[0]}..{data[-1]}"])
    return ", ".join(option_text(value) for value in words + data)


def _data(variant: Variant) -> dict[str, object]:
    options = [
        {
            "name": o.name,
            "values": _values(o, variant.players.stop - 1),
            "default": o.domain.data(o.default),
            "says": o.says,
        }
        for o in variant.options
    ]
    return {
        "name": variant.name, "says": variant.says, "spec": variant.spec,
        "players": [variant.players.start, variant.players.stop - 1], "options": options,
    }  # fmt: skip
