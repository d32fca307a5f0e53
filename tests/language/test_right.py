"""Right specs: their IR is as reviewed, uses every node there is, and the verifier tells it from a broken one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from aeronef.dsl import ir
from aeronef.dsl import types as t
from aeronef.dsl.compiler import compile_file, compile_text
from aeronef.dsl.diagnostics import Span
from aeronef.dsl.instrument import instrument
from aeronef.dsl.printer import digest, print_game
from aeronef.dsl.verifier import Unsound, verify
from aeronef.dsl.walk import EXPRESSIONS, nodes
from tests.language.cases import BASE, FOLDER

RIGHT = sorted((FOLDER / "right").glob("*.yaml"))
SHIPPED = [path for path in sorted((FOLDER.parents[1] / "variants").glob("*.yaml")) if path.name.count(".") == 1]
EXAMPLES = [path for path in sorted((FOLDER.parents[1] / "examples").glob("*.yaml")) if path.name.count(".") == 1]
OTHERS = [FOLDER / "base.yaml", *EXAMPLES]


def game_of(path: Path) -> ir.Game:
    game = compile_file(path, SHIPPED[0].parent).game
    assert game is not None
    return game


class Compiled(Mapping[str, ir.Game]):
    """The games of these files by their names, each compiled when it is asked for."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.paths = {path.stem: path for path in paths}
        self.games: dict[str, ir.Game] = {}

    def __getitem__(self, name: str) -> ir.Game:
        if name not in self.games:
            self.games[name] = game_of(self.paths[name])
        return self.games[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


GAMES = Compiled([*RIGHT, *OTHERS, *SHIPPED])
OURS = Compiled(RIGHT)


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_the_ir_is_as_reviewed(path: Path, update_golden: bool) -> None:
    compilation = compile_file(path)
    assert compilation.report.diagnostics == []
    assert compilation.game is not None
    golden = path.with_suffix(".ir")
    if update_golden:
        golden.write_text(print_game(compilation.game), encoding="utf-8")
    assert print_game(compilation.game) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_the_verifier_is_content(name: str) -> None:
    verify(GAMES[name])


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("players: 2..4", "players:   2 .. 4   # seats", True),
        ("says: Seats lift", "says: They lift", True),
        ("[slow, fast]", "[calm, fast]", False),
        ("seen: nobody", "seen: everyone", False),
        ("goal: {type: 5..20", "goal: {type: 5..21", False),
        ("copies: 2", "copies: 3", False),
        ("height[me] - 1, 0, 20", "height[me] - 2, 0, 20", False),
    ],
)
def test_the_digest_is_of_the_meaning(old: str, new: str, same: bool) -> None:
    text = BASE.replace(old, new).replace("default: slow", "default: fast") if "slow" in old else BASE.replace(old, new)
    game = compile_text("base.yaml", text.encode()).game
    assert game is not None
    assert (digest(game) == digest(GAMES["base"])) == same


# ------------------------------------------------------------------------------------------ every node


def inside(value: Any) -> Iterator[Any]:
    """Every dataclass of the IR in a value."""
    for node in nodes(value):
        if not isinstance(node, Span):
            yield node


def test_every_node_is_used() -> None:
    counting = [instrument(game) for game in OURS.values()]
    found = {type(node) for game in (*OURS.values(), *counting) for node in inside(game)}
    every = {cls for cls in vars(ir).values() if dataclasses.is_dataclass(cls) and cls.__module__ == ir.__name__}
    assert every - found == set()


@pytest.mark.parametrize("name", sorted(OURS.paths))
def test_a_game_that_counts_itself_is_sound_and_prints_alike(name: str) -> None:
    made = instrument(OURS[name])
    verify(made)
    assert print_game(made) == print_game(OURS[name])


@pytest.mark.parametrize(
    ("cls", "name"),
    [
        (ir.Unary, "op"),
        (ir.Binary, "op"),
        (ir.Aggregate, "kind"),
        (ir.Collection, "kind"),
        (ir.Parameter, "kind"),
        (ir.Phase, "kind"),
        (ir.Measure, "form"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_every_kind_of_a_node_is_used(cls: type[Any], name: str) -> None:
    found = {getattr(node, name) for game in OURS.values() for node in inside(game) if isinstance(node, cls)}
    assert set(get_args(get_type_hints(cls)[name])) - found == set()


# ------------------------------------------------------------------------------------------ broken ones


def changed(value: Any, old: Any, new: Any) -> Any:
    """The value with one node in it (by identity) replaced; None takes it out of its tuple."""
    if value is old:
        return new
    if isinstance(value, tuple):
        parts = [changed(part, old, new) for part in value]
        return tuple(part for part, before in zip(parts, value, strict=True) if part is not None or before is None)
    if not dataclasses.is_dataclass(value) or isinstance(value, type | Span):
        return value
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    after = {name: changed(part, old, new) for name, part in fields.items()}
    return value if all(after[name] is fields[name] for name in fields) else dataclasses.replace(value, **after)


def retyped(node: Any) -> Any:
    return dataclasses.replace(node, type=t.Int(0, 1) if t.strip(node.type) == t.Bool() else t.Bool())


@pytest.mark.parametrize("name", OURS)
def test_no_expression_can_be_of_another_type(name: str) -> None:
    game = OURS[name]
    for node in [node for node in inside(game) if isinstance(node, EXPRESSIONS)]:
        with pytest.raises(Unsound):
            verify(changed(game, node, retyped(node)))


def first(game: ir.Game, cls: type[Any], wanted: Callable[[Any], bool] = lambda node: True) -> Any:
    return next(node for node in inside(game) if isinstance(node, cls) and wanted(node))


def broken() -> Iterator[tuple[str, ir.Game]]:
    """Games that are each broken in one way."""
    names = ("cards", "dice", "board", "automata", "sets", "owners", "rows", "measures")
    cards, dice, board, robots, sets, owners, rows, measured = (OURS[name] for name in names)

    def replaced(game: ir.Game, node: Any, **fields: Any) -> ir.Game:
        result = changed(game, node, dataclasses.replace(node, **fields))
        assert isinstance(result, ir.Game)
        return result

    for define in (*cards.defines, *board.defines, *sets.defines):
        owner = next(game for game in (cards, board, sets) if define in game.defines)
        yield f"without the definition {define.name}", changed(owner, define, None)
    for zone in cards.zones:
        yield f"without the zone {zone.name}", changed(cards, zone, None)
    for variable in robots.variables:
        yield f"without the variable {variable.name}", changed(robots, variable, None)
    yield "without an option", changed(robots, robots.options[0], None)
    facts = OURS["facts"]
    for table in facts.tables:
        yield f"without the table {table.name}", changed(facts, table, None)
    yield "a value too few", replaced(facts, facts.tables[0], values=facts.tables[0].values[1:])
    yield "a set for a number", replaced(facts, facts.tables[2], values=((1,), *facts.tables[2].values[1:]))
    yield "a value out of range", replaced(facts, facts.tables[2], values=(5, *facts.tables[2].values[1:]))
    yield "nothing for a number", replaced(facts, facts.tables[2], values=(None, *facts.tables[2].values[1:]))
    yield "a key too few", replaced(facts, first(facts, ir.Lookup, lambda n: n.name == "weight"), keys=())
    yield "without a card type", changed(cards, cards.cards[0], None)
    yield "without a kind of dice", changed(dice, dice.dice[0], None)
    yield "without a phase", changed(dice, dice.phases[1], None)
    yield "without actions", replaced(dice, dice.phases[4], actions=())
    yield "with two outcomes", replaced(dice, dice.phases[0], actions=dice.phases[0].actions * 2)
    yield "without a parameter", replaced(dice, first(dice, ir.Action, lambda a: a.params), params=())
    yield "without a way on", replaced(dice, dice.phases[0].then, branches=())
    yield (
        "with an open way on",
        replaced(
            robots, robots.phases[0].then, branches=((first(robots, ir.Const, lambda c: c.value is True), "choose"),)
        ),
    )
    yield "unguarded", replaced(dice, first(dice, ir.Assign, lambda a: a.guarded), guarded=False)
    step = first(dice, ir.Step)
    yield "a step of a range", replaced(dice, step, target=first(dice, ir.Assign, lambda a: a.guarded).target)
    yield "a step back", replaced(dice, step, by=ir.Const(-1, t.Int(-1, -1), step.span))
    move = first(cards, ir.Move, lambda m: m.card is not None)
    yield "a moved number", replaced(cards, move, card=ir.Const(1, t.Int(1, 1), move.span))
    yield "a move to a variable", replaced(cards, move, target=first(cards, ir.Read, lambda r: r.name == "given"))
    yield "a local that is not there", replaced(cards, first(cards, ir.Local), name="nowhere")
    yield "a loop whose variable is another", replaced(cards, first(cards, ir.For).over, name="nobody")
    yield "a let of another name", replaced(cards, first(cards, ir.Let), name="nobody")
    yield "an index too many", replaced(cards, first(cards, ir.Read), index=(first(cards, ir.Const),) * 3)
    yield (
        "an index out of range",
        replaced(board, first(board, ir.Read, lambda r: r.name == "border"), index=(first(board, ir.Local),) * 2),
    )
    yield "an argument too few", replaced(board, first(board, ir.Call, lambda c: len(c.args) == 2), args=())
    yield "an attribute that is not there", replaced(cards, first(cards, ir.Attribute), name="weight")
    yield (
        "a key that is no number",
        replaced(
            cards, first(cards, ir.Gather, lambda g: g.key), key=first(cards, ir.Const, lambda c: c.value is False)
        ),
    )
    yield "a start out of range", replaced(dice, dice.variables[1], type=t.Int(5, 9))
    yield (
        "a read of another range",
        replaced(dice, first(dice, ir.Read, lambda r: r.type == t.Int(0, 99)), type=t.Int(0, 100)),
    )
    yield "roll of other dice", replaced(dice, first(dice, ir.Parameter, lambda p: p.dice), dice="Cuboid")
    hang, build = rows.phases[0], rows.phases[1]
    assert hang.sequence is not None
    yield "a sequence again and again", replaced(rows, hang, until=build.asks)
    yield "a sequence of nobody", replaced(rows, hang, over=None)
    yield "a sequence of another name", replaced(rows, hang.sequence, name="nothing")
    yield "a sequence of one thing", replaced(rows, hang.sequence, entries=first(rows, ir.Const))
    yield "a detour amid a sequence", replaced(rows, hang.actions[0], then=build.then)
    lend = first(owners, ir.Move, lambda m: isinstance(m.target.type, t.ZoneOf) and m.target.type.owned)
    back = first(owners, ir.Move, lambda m: m.card is not None and isinstance(m.card.type, t.Owned))
    pile = first(owners, ir.Read, lambda r: r.name == "pile")
    yield "a move of what nobody owns", replaced(owners, lend, source=pile)
    yield "a card with its owner out of a hand", replaced(owners, back, source=lend.source)
    yield "a card without its owner out of a shared row", replaced(owners, back, card=lend.card)
    yield (
        "an owner of a card alone",
        replaced(owners, first(owners, ir.Attribute, lambda a: a.name == "owner"), of=lend.card),
    )
    yield "the first of a heap", replaced(owners, first(owners, ir.Builtin, lambda b: b.name == "first"), args=(pile,))
    yield "owners of what is each seat's", replaced(owners, owners.zones[1], owned=True)
    lent = first(owners, ir.Parameter, lambda p: p.kind == "one")
    yield (
        "an action about a card with its owner",
        replaced(owners, lent, source=back.source, type=t.Owned(t.Card("Card"))),
    )
    parley = OURS["reactions"]
    pile, own = parley.zones[0], first(parley, ir.Zone, lambda z: z.name == "own")
    yield "a zone that refills itself", replaced(parley, pile.refill, name="pile")
    yield "one zone refilled by many", replaced(parley, pile.refill, name="spare", index=own.refill.index)
    send = first(parley, ir.Action, lambda a: a.guest is not None)
    yield "a guest and no visit", replaced(parley, send, visits=None)
    yield "a visit to the end", replaced(parley, send.visits, branches=((None, "end"),))
    yield (
        "an action that goes nowhere",
        replaced(parley, first(parley, ir.Action, lambda a: a.then is not None).then, branches=((None, "nowhere"),)),
    )
    once = first(parley, ir.Phase, lambda p: p.name == "talk")
    yield "reopened by chance", replaced(parley, once, kind="chance", actions=once.actions[:1])
    finds = next(measure for measure in measured.measures if measure.name == "finds")
    yield "a measure with a key too few", replaced(measured, finds, each=finds.each[1:])
    yield "a measure with keys of other types", replaced(measured, finds, each=finds.each[::-1])
    yield "a measure of another form", replaced(measured, finds, form="bool")
    yield "a measure without a value", replaced(measured, finds.moments[0], value=None)
    yield "a measure at no phase", replaced(measured, finds.moments[0], phase="nowhere")
    yield "a measure at no action", replaced(measured, finds.moments[0], action="nothing")
    yield "a measure of who acts at the end", replaced(measured, finds.moments[0], phase="", action="")
    counted = next(moment.value for m in measured.measures for moment in m.moments if m.name == "rounds")
    yield "a count that a rule reads", replaced(measured, measured.result, rank=(counted,))
    pot = OURS["parts"]
    yield "returns divided by what can be 0", replaced(pot, pot.result, parts=ir.Const(0, t.Int(0, 3), pot.result.span))
    yield "parts of no returns", replaced(pot, pot.result, returns=None)
    yield (
        "words for a definition in a circle",
        replaced(board, board.defines[0], body=first(board, ir.Call, lambda c: c.name == board.defines[0].name)),
    )


BROKEN = dict(broken())


@pytest.mark.parametrize("how", BROKEN)
def test_the_verifier_finds(how: str) -> None:
    with pytest.raises(Unsound):
        verify(BROKEN[how])
