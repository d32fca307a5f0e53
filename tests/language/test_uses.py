"""No construct of the language serves one game only, and no name of a game is in the compiler or the runtime.

A spec counts once for each construct, however often it uses it. A spec that extends another is a variant of the same
game: only the keys that it writes itself count. A base that is no game itself (`family.base.yaml`) counts for each
game that is laid over it.
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import yaml
from lark import Token, Tree

from aeronef.dsl import ir, scope, syntax
from aeronef.dsl import types as t
from aeronef.dsl.walk import nodes
from aeronef.dsl.ways import BACK
from aeronef.loading import shipped
from tests.games.specs import ROOT, SPECS, compiled, text_of

LEAST = 2
SCHEMA = json.loads((ROOT / "dsl" / "schema.json").read_text(encoding="utf-8"))


@cache
def raw(name: str) -> Any:
    """A spec as YAML data; every scalar is a string. The clauses' file stands in its place."""
    root = yaml.load(text_of(name), Loader=yaml.BaseLoader)
    if isinstance(root.get("clauses"), str):
        text = SPECS[name].with_name(root["clauses"]).read_text(encoding="utf-8")
        root["clauses"] = yaml.load(text, Loader=yaml.BaseLoader)
    return root


def base_of(name: str) -> Any:
    """The base of a family as YAML data, where a spec is one of its games."""
    file = SPECS[name].with_name(f"{raw(name).get('extends')}.yaml")
    if not file.name.endswith(".base.yaml"):
        return None
    return yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


GAMES = [name for name in SPECS if "extends" not in raw(name) or base_of(name) is not None]


@cache
def game(name: str) -> ir.Game:
    return compiled(text_of(name), SPECS[name].name, SPECS[name].parent)


def too_few(wanted: set[str], found: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    """The constructs that fewer specs use than should, with those that do. What is found must be known."""
    uses: dict[str, set[str]] = defaultdict(set)
    for construct, name in found:
        uses[construct].add(name)
    assert set(uses) <= wanted, f"not in the list of constructs: {set(uses) - wanted}"
    return {construct: sorted(uses[construct]) for construct in sorted(wanted) if len(uses[construct]) < LEAST}


# ------------------------------------------------------------------------------------------ the grammar


def tokens_of_grammar() -> set[str]:
    """What stands in trees besides names and numbers: `<=`, `down`, `?`, …"""
    parser = syntax.parser()
    named = {str(rule_symbol.name) for rule in parser.rules for rule_symbol in rule.expansion if rule_symbol.is_term}
    comparisons = {f"COMPARE {sign}" for sign in ("==", "!=", "<=", ">=", "<", ">")}
    kept = {name for name in named if name in ("ALL", "DOWN", "MINUS", "QUESTION")}
    return {f"token {word}" for word in kept | comparisons}


def rules_of_grammar() -> set[str]:
    """The names of the nodes that the parser can make."""
    found = set()
    for rule in syntax.parser().rules:
        name = rule.alias or str(rule.origin.name)
        if not name.startswith("_") and (rule.alias or not rule.options.expand1):
            found.add(name)
    return found


def parsed(name: str) -> list[Tree[Token]]:
    """Every tree that is read when a spec is compiled."""
    trees: list[Tree[Token]] = []
    parser = syntax.parser()
    syntax.keywords()

    class Recorder:
        def parse(self, text: str, start: str) -> Tree[Token]:
            tree = parser.parse(text, start=start)
            trees.append(tree)
            return tree

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(syntax, "parser", Recorder)
        compiled(text_of(name), SPECS[name].name, SPECS[name].parent)
    return trees


def grammar_uses() -> Iterator[tuple[str, str]]:
    for name in GAMES:
        for tree in parsed(name):
            for node in tree.iter_subtrees():
                yield str(node.data), name
                for child in node.children:
                    if isinstance(child, Token) and child.type not in ("NAME", "INT", "_NL"):
                        value = f" {child}" if child.type == "COMPARE" else ""
                        yield f"token {child.type}{value}", name


def test_every_rule_of_the_grammar_is_used_by_several_games() -> None:
    assert too_few(rules_of_grammar() | tokens_of_grammar(), grammar_uses()) == {}


# ------------------------------------------------------------------------------------------ the IR

KINDS = {
    "phase": {"automatic", "together", "turns", "chance"},
    "order": {"over", "round", "once", "until", "asks", "sequence"},
    "action": {"titled", "aside"},
    "way": {"on", "back"},
    "parameter": {"given", "one", "some", "card", "uniform", "roll"},
    "zone": {"unordered", "ordered", "slot", "with owners", "by a table", "of dice"},
    "each": {"Seat", "Int", "Enum", "two"},
    "aggregate": {*scope.AGGREGATES, "list", "set"},
    "collection": {"list", "set"},
    "builtin": {*scope.BUILTINS, *scope.ENDS, "min", "max", "range"},
    "operator": {"+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in", "otherwise"},
    "everything": {"players", "seats", "words", "numbers", "cards"},
    "branch": {"if", "elif", "else"},
    "move": {"one", "several", "all"},
    "measure": {"count", "number", "bool"},
    "moment": {"end", "phase", "action", "several", "mapped"},
    "result": {"rank", "rank of several", "lost", "returns", "parts"},
}  # fmt: skip
COUNTING = {ir.Mark, ir.Point, ir.Watched}  # no constructs: what a game has that counts itself
NODES = {
    found.__name__
    for found in vars(ir).values()
    if isinstance(found, type)
    and dataclasses.is_dataclass(found)
    and found.__module__ == ir.__name__
    and found not in COUNTING
}
TYPES = {"Bool", "Int", "Count", "Enum", "Seat", "Card", "Owned", "Optional", "ListOf", "SetOf", "ZoneOf",
         "Tray"}  # fmt: skip


def constructs(node: Any) -> Iterator[str]:
    """What an IR node is a use of, besides its class."""
    match node:
        case ir.Phase():
            yield f"phase {node.kind}"
            if node.kind != "automatic":
                yield f"order {'round' if node.start is not None else 'over' if node.over is not None else 'once'}"
                yield from ["order until"] * (node.until is not None) + ["order asks"] * (node.asks is not None)
                yield from ["order sequence"] * (node.sequence is not None)
            yield "way back" if any(name == BACK for _, name in node.then.branches) else "way on"
        case ir.Action():
            yield from ["action titled"] * (node.key != node.name) + ["action aside"] * (node.then is not None)
        case ir.Parameter():
            yield f"parameter {node.kind}"
        case ir.Zone():
            yield f"zone {'slot' if node.slot else 'ordered' if node.ordered else 'unordered'}"
            yield from ["zone with owners"] * node.owned + ["zone by a table"] * bool(node.stock)
            yield from ["zone of dice"] * bool(node.dice)
            yield from each(node.each)
        case ir.Variable():
            yield from each(node.each)
        case ir.Aggregate() | ir.Collection():
            yield f"{type(node).__name__.lower()} {node.kind}"
        case ir.Builtin():
            yield f"builtin {node.name}"
        case ir.Binary():
            yield f"operator {node.op}"
        case ir.Everything(of, kind):
            inner = type(t.element(kind)).__name__
            named = {"Seat": of, "Enum": "words", "Int": "numbers", "Card": "cards"}[inner]
            yield f"everything {named}"
        case ir.If(branches, other):
            yield "branch if"
            yield from ["branch elif"] * (len(branches) > 1) + ["branch else"] * bool(other)
        case ir.Move(card):
            yield f"move {'all' if card is None else 'several' if t.element(card.type) is not None else 'one'}"
        case ir.Measure():
            yield f"measure {node.form}"
            yield from ["moment several"] * (len(node.moments) > 1)
            yield from ["moment mapped"] * (len({moment.value for moment in node.moments}) > 1)
        case ir.Moment():
            yield f"moment {'action' if node.action else 'phase' if node.phase else 'end'}"
        case ir.Result():
            yield from ["result rank"] * bool(node.rank) + ["result rank of several"] * (len(node.rank) > 1)
            yield from ["result lost"] * (node.lost is not None) + ["result returns"] * (node.returns is not None)
            yield from ["result parts"] * (node.parts is not None)
        case _:
            pass


def each(kinds: tuple[t.Type, ...]) -> Iterator[str]:
    yield from (f"each {type(kind).__name__}" for kind in kinds)
    if len(kinds) == 2:
        yield "each two"


def types_in(node: Any) -> Iterator[t.Type]:
    for field in ("type", "item", "params", "attributes", "each", "holding"):
        todo = [getattr(node, field, None)]
        while todo:
            found = todo.pop()
            if isinstance(found, t.Type):
                yield found
                todo.append(getattr(found, "of", None))
            elif isinstance(found, tuple):
                todo.extend(found)


def ir_uses() -> Iterator[tuple[str, str]]:
    for name in GAMES:
        for node in (n for n in nodes(game(name)) if type(n).__name__ in NODES):
            yield type(node).__name__, name
            yield from ((construct, name) for construct in constructs(node))
            yield from (
                (f"type {type(kind).__name__}", name) for kind in types_in(node) if not isinstance(kind, t.Nothing)
            )


def test_every_node_and_type_and_builtin_is_used_by_several_games() -> None:
    wanted = (
        NODES | {f"type {name}" for name in TYPES} | {f"{what} {k}" for what, kinds in KINDS.items() for k in kinds}
    )
    assert too_few(wanted, ir_uses()) == {}


def test_the_kinds_listed_here_are_those_of_the_ir() -> None:
    hints = {"phase": ir.Phase, "parameter": ir.Parameter, "aggregate": ir.Aggregate, "collection": ir.Collection}
    for what, cls in hints.items():
        assert set(get_args(get_type_hints(cls)["kind"])) == KINDS[what]
    assert set(get_args(get_type_hints(ir.Binary)["op"])) == KINDS["operator"]


# ------------------------------------------------------------------------------------------ the keys


def below(path: str, key: str) -> str:
    """Where the keys inside a key are counted: parts of effects are the same wherever they stand."""
    return "effects." if key in ("do", "unasked") else f"{path}{key}."


def named(path: str, key: str) -> str:
    """How a key is counted: what an overlay does to a spec is one thing, whether an option switches it or not."""
    return key if path == "overlays." and key in ("change", "add", "remove") else path + key


def keys_of_schema(schema: Any, path: str = "") -> Iterator[str]:
    for key, inner in schema.get("properties", {}).items():
        yield named(path, key)
        yield from keys_of_schema(inner, below(path, key))
    for word in ("additionalProperties", "items"):
        if isinstance(schema.get(word), dict):
            yield from keys_of_schema(schema[word], path)


def keys_of(node: Any, schema: Any, path: str = "") -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from keys_of(item, schema.get("items", {}), path)
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        inner = schema.get("properties", {}).get(key)
        if inner is not None:
            yield named(path, key)
            whole = path in ("", "overlays.") and key in ("change", "add")  # what an overlay changes: keys of a spec
            yield from keys_of(value, SCHEMA if whole else inner, "" if whole else below(path, key))
        elif isinstance(schema.get("additionalProperties"), dict):
            yield from keys_of(value, schema["additionalProperties"], path)


def test_every_key_is_used_by_several_specs() -> None:
    found = ((key, name) for name in SPECS for root in (raw(name), base_of(name)) for key in keys_of(root, SCHEMA))
    assert too_few(set(keys_of_schema(SCHEMA)), found) == {}


# ------------------------------------------------------------------------------------------ no game's names

# Words of the shipped games that are the language's or the runtime's own, or everyday words of any card table, which
# messages and examples use. A word that only one game could have belongs into no list.
ORDINARY = {
    # the language's own: `cards:`, `game:`, `move c from …`, a game is played
    "card", "game", "move", "play", "declared", "first", "number", "numbers", "places", "up",
    # a kind of phase; levels of operators; turns go round; the target of an effect; the weight of an outcome
    "kind", "level", "round", "target", "weight",
    # any program's: rng.choose, a closed bracket, open a file, how an operator binds, a table of codes, show a diff
    "choose", "closed", "open", "show", "shown", "strength", "table", "clear", "double", "groups", "hide", "literal",
    "mode", "pass", "pick", "random", "ready", "recall", "shape", "shapes", "take",
    # any program's: an event of a log, a missing key, an optional value, a total, a phase that a test leaves
    "alone", "event", "leave", "missing", "optional", "points", "stay", "total",
    # dice and piles, which the language has: faces, blank ones, a roll, a deck, a discard; chance decides, seats answer
    "answer", "blank", "decide", "deck", "dice", "die", "discard", "face", "refill", "roll",
    # game programs' bit boards
    "boards",
    # YAML's escapes, and that there are no powers of numbers
    "escape", "powers",
    # plain English in comments: whom to ask, to keep a value, where the rules live
    "ask", "bare", "enough", "keep", "live", "pay", "power",
    # any card game's, in messages and examples: `draw(me, c from pile[me])`, `c in hand[me]`, `score[me]`, a deal
    "board", "deal", "draw", "hand", "pile", "score",
}  # fmt: skip


def names_of(name: str) -> Iterator[str]:
    """The names that a spec declares, the words on its cards, and its own."""
    found = game(name)
    yield found.name
    for enum, values in found.enums:
        yield from (enum, *values)
    for number, _, _ in found.numbers:
        yield number
    for option in found.options:
        yield from (option.name, *(option.type.values if isinstance(option.type, t.Enum) else ()))
    yield from (zone.name for zone in found.zones)
    yield from (variable.name for variable in found.variables)
    yield from (define.name for define in found.defines)
    yield from (phase.name for phase in found.phases)
    yield from (dice.name for dice in found.dice)
    for card in found.cards:
        yield card.name
        yield from (attribute for attribute, _ in card.attributes)
        yield from (word for kind in card.kinds for word in re.findall(r"[A-Za-z]\w+", kind.label))
    for phase in found.phases:
        yield from (action.name for action in phase.actions)


def words_in(path: Path) -> Iterator[tuple[str, int]]:
    """The words of a file with their lines: of Python its names, texts and comments."""
    text = path.read_text(encoding="utf-8")
    pieces = [(line, i) for i, line in enumerate(text.splitlines(), 1)]
    if path.suffix == ".py":
        wanted = (tokenize.NAME, tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1))
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        pieces = [(token.string, token.start[0]) for token in tokens if token.type in wanted]
    for piece, line in pieces:
        for match in re.finditer(r"[A-Za-z]+(?:_[A-Za-z]+)*", piece):
            yield match[0].lower(), line + piece.count("\n", 0, match.start())


@pytest.mark.parametrize("folder", ["dsl", "runtime"])
def test_no_name_of_a_game_is_in_the_compiler_or_the_runtime(folder: str) -> None:
    """Not even in an example: whoever reads the compiler should think of no one game."""
    names = {word.lower() for name in shipped() for word in names_of(name)} - ORDINARY
    files = [p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in (".py", ".lark", ".json")]
    assert files
    offending = [
        f"{path.relative_to(ROOT)}:{line}: {word}" for path in files for word, line in words_in(path) if word in names
    ]
    assert offending == []
