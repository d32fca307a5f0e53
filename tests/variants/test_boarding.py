"""The two boarding games: worked examples and clauses, laws, the rounds that the literal texts never end, how little
each overlay says, and who may see what, worked out by hand from their pages, against every view."""

from __future__ import annotations

from typing import Any

import pytest

import aeronef
from aeronef.dsl.diagnostics import Report
from aeronef.dsl.reader import Mapping, Node, Scalar, Sequence, decode, read
from aeronef.loading import library, load_variant
from aeronef.play_check import check_file
from aeronef.runtime import scenario
from aeronef.runtime.combinations import Choice, every_choice, pairwise
from aeronef.runtime.rng import Rng
from aeronef.runtime.state import State
from tests.variants.keeping import SEED, examples, keep_the_laws, named

GAMES = 200
VARIANTS = {name: load_variant(name) for name in ("balloon", "flying_saucer")}

# ------------------------------------------------------------------------------------------ worked examples

EXAMPLES = {name: examples(name) for name in VARIANTS}


@pytest.mark.parametrize(
    ("name", "example"), [(name, e) for name, document in EXAMPLES.items() for e in document.scenarios],
    ids=lambda v: v if isinstance(v, str) else v.name,
)  # fmt: skip
def test_worked_example(name: str, example: scenario.Scenario) -> None:
    result = scenario.run_one(example, lambda players, options: aeronef.load(name, players, **options))
    assert result.ok, f"line {result.line}: {result.message}"


@pytest.mark.parametrize("name", VARIANTS)
def test_every_clause_has_a_worked_example(name: str) -> None:
    shown = {clause for example in EXAMPLES[name].scenarios for clause in example.by}
    assert set(VARIANTS[name].clauses) - shown == set()


# ------------------------------------------------------------------------------------------ laws


PAIRS = [(name, choice) for name, variant in VARIANTS.items() for choice in pairwise(variant)]
EVERY = [(name, choice) for name, variant in VARIANTS.items() for choice in every_choice(variant)]


@pytest.mark.parametrize(("name", "choice"), PAIRS, ids=lambda v: v if isinstance(v, str) else named(v))
def test_a_hundred_games_keep_the_laws(name: str, choice: Choice) -> None:
    keep_the_laws(VARIANTS[name], choice, 100)


@pytest.mark.campaign
@pytest.mark.parametrize(("name", "choice"), EVERY, ids=lambda v: v if isinstance(v, str) else named(v))
def test_a_hundred_games_of_every_combination_keep_the_laws(name: str, choice: Choice) -> None:
    keep_the_laws(VARIANTS[name], choice, 100)


# ------------------------------------------------------------------------------------------ the literal texts


@pytest.mark.parametrize("name", VARIANTS)
def test_a_random_player_gets_caught_in_the_round_that_the_text_never_ends(name: str) -> None:
    """B-a, S-a: who has nothing left to discard can only propose, and that changes nothing any more."""
    literal = aeronef.load(name, players=2, takeoff_rule="literal").playouts(400, seed=SEED)
    assert literal.endless.any(), f"seed {SEED}"
    assert not aeronef.load(name, players=2).playouts(400, seed=SEED).endless.any(), f"seed {SEED}"


@pytest.mark.parametrize("name", VARIANTS)
def test_check_names_that_round_and_the_spec_accepts_it(name: str) -> None:
    report = check_file(library() / f"{name}.yaml")
    assert report.diagnostics == []
    assert [(a.code, a.element, a.when) for a in report.accepted] == [
        ("AE710", "phases.boarding", "takeoff_rule == literal")
    ]


# ------------------------------------------------------------------------------------------ one family, two games


def rules(name: str) -> list[tuple[str, str]]:
    """What a file says, text by text: without clause tables, facts, what cards there are, and optional rules."""
    report = Report()
    raw = (library() / f"{name}.yaml").read_bytes()

    def texts(node: Node, path: str) -> list[tuple[str, str]]:
        if isinstance(node, Mapping):
            return [
                row for key, value in node for row in texts(value, f"{path}.{key.text}")
                if key.text not in ("overlays", "tables", "cards", "clauses", "accepts", "by", "says")
            ]  # fmt: skip
        if isinstance(node, Sequence):
            return [row for item in node for row in texts(item, path)]
        return [(path, " ".join(node.text.split()))] if isinstance(node, Scalar) else []

    return texts(read(decode(name, raw, report), report), "")


def test_the_two_games_together_say_less_than_their_base_and_repeat_nothing_of_it() -> None:
    base, balloon, saucer = (rules(name) for name in ("boarding.base", "balloon", "flying_saucer"))
    assert len(balloon) + len(saucer) < len(base)
    said = {text for _, text in base if len(text) > 20}
    for path, text in (*balloon, *saucer):
        assert text not in said, f"{path}: {text}"


# ------------------------------------------------------------------------------------------ who sees what

# Whose hint a seat looks at: so many places to its left (to its right where negative).
NUMBER = {
    "balloon": {3: (1,), 4: (1, -1), 5: (1, -1), 6: (1, 2, -1)},
    "flying_saucer": {3: (1,), 4: (1,), 5: (1,), 6: (1, 2)},
}
SHAPE = {
    "balloon": {3: (-1,), 4: (-1, -2), 5: (-1, -2, -3), 6: (-1, -2, -3)},
    "flying_saucer": {3: (-1,), 4: (-2,), 5: (-2, -3), 6: (-2, -3)},
}
EXPERT: dict[str, dict[str, Any]] = {"balloon": {"mode": "advanced"}, "flying_saucer": {"asymmetric": True}}
AFTER_TAKEOFF = ("lose_star", "develop", "end")  # from the takeoff to the end of the round everything is open


def looks(name: str, element: str, players: int, viewer: int, owner: int, state: dict[str, Any]) -> bool:
    """Whether a seat may look at another's construction, number or shape."""
    if viewer == owner or state["phase"] in AFTER_TAKEOFF:
        return True
    if element == "construction":  # beside the saucer's builder, from four players on, its left neighbour sees the card
        return name == "flying_saucer" and players >= 4 and viewer == (owner + 1) % players
    if owner in state["vars"].get("spying", [[]] * players)[viewer]:
        return True
    if players == 2:
        shower = state["vars"]["shape_shower"]
        return shower is not None and (owner == shower) == (element == "hint_shape")
    scheme = (NUMBER if element == "hint_number" else SHAPE)[name][players]
    return any(owner == (viewer + places) % players for places in scheme)


def expected(name: str, players: int, viewer: int, now: dict[str, Any], before: dict[str, Any]) -> dict[str, list[Any]]:
    """What a seat's view must hold; `before` is the state as others' parts are to be seen in it."""
    found: dict[str, list[Any]] = {"construction": [], "hint_number": [], "hint_shape": []}
    for owner in range(players):
        state = now if owner == viewer else before
        for element, parts in found.items():
            cards = element == "construction"
            value = state["zones" if cards else "vars"][element][owner]
            if not looks(name, element, players, viewer, owner, before | {"phase": now["phase"]}):
                value = {"hidden": len(value)} if cards else "?"
            parts.append(value)
    return found


@pytest.mark.parametrize("expert", [False, True], ids=["plain", "expert"])
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("name", ["balloon", "flying_saucer"])
def test_who_may_see_what_is_built_and_hinted(name: str, players: int, expert: bool) -> None:
    game = aeronef.load(name, players=players, **(EXPERT[name] if expert else {}))
    for number in range(GAMES // 2):  # half of them plain, half of them with powers
        state, rng = game.new_initial_state(), Rng.stream(SEED, number)
        began: tuple[str, int] | None = None
        before: dict[str, Any] = {}
        while True:
            now = state.to_dict()
            if (now["phase"], state.position.began) != began:
                began, before = (now["phase"], state.position.began), now
            together = now["phase"] in ("keep", "hide", "build", "lose_star", "develop")
            for viewer in range(players):
                wanted = expected(name, players, viewer, now, before if together else now)
                view = state.view(viewer)
                got = {e: view["zones" if e == "construction" else "vars"][e] for e in wanted}
                assert got == wanted, f"seed {SEED}, game {number}, step {len(state.moves)}, viewer {viewer}"
            if state.is_terminal():
                break
            state.apply_action(rng_choice(state, rng))


def rng_choice(state: State, rng: Rng) -> int:
    legal = state.legal_actions()
    return legal[rng.below(len(legal))]
