"""Types and ranges as diagnostics speak of them."""

from __future__ import annotations

from aeronef.dsl import types as t


def describe(kind: t.Type) -> str:
    match kind:
        case t.Bool():
            return "a bool (true or false)"
        case t.Int(low, high):
            return f"a number ({kind})" if low < high else f"a number ({low})"
        case t.Count():
            return "a count"
        case t.Seat():
            return "a seat"
        case t.Optional(of):
            return f"{describe(of)} or none"
        case t.Nothing():
            return "`none`"
        case t.ListOf(of) | t.SetOf(of):
            what = "list" if isinstance(kind, t.ListOf) else "set"
            of_ = (
                f"numbers ({of})" if isinstance(of, t.Int) else f"{of}s" if isinstance(of, t.Bool | t.Seat) else str(of)
            )
            return f"a {what} of {f'{of.card} with owners' if isinstance(of, t.Owned) else of_}"
        case t.ZoneOf(card):
            return f"a zone of {card}{' with owners' * kind.owned}"
        case t.Tray(dice):
            return f"a zone of dice ({dice})"
        case t.Owned(card):
            return f"{describe(card)} with its owner"
        case _:
            return article(str(kind))


def being(kind: t.Type) -> str:
    """`is 3`, or `can be 0..9`."""
    inner = t.strip(kind)
    return f"is {inner.low}" if isinstance(inner, t.Int) and inner.low == inner.high else f"can be {inner}"


def article(word: str) -> str:
    return f"{'an' if word[0] in 'AEIOUaeiou' else 'a'} {word}"
