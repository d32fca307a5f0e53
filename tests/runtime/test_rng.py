"""The laws of the random numbers: published vectors, exact rejection, uniformity, a stream for each game."""

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aeronef.runtime import rng as module
from aeronef.runtime.rng import GAMMA, Rng, streams

WORD = 2**64
SEED = 20260101


def chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def before(output: int) -> Rng:
    """The generator whose next output is `output`: SplitMix64 run backwards."""

    def unshift(z: int, by: int) -> int:
        x = z
        for _ in range(64 // by):
            x = z ^ (x >> by)
        return x

    z = unshift(output, 31) * pow(0x94D049BB133111EB, -1, WORD) % WORD
    z = unshift(z, 27) * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD
    return Rng(unshift(z, 30) - GAMMA)


def below_as_documented(rng: Rng, n: int) -> int:
    if n == 1:
        return 0
    while (x := rng.next64()) >= WORD - WORD % n:
        pass
    return x % n


def test_published_vector() -> None:
    rng = Rng(1234567)
    assert [rng.next64() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize(
    ("seed", "game", "outputs"),
    [
        (0, 0, [2558736989570252433, 17913671590881668180]),
        (1, 0, [12793040940332582595, 17925934194126948328]),
        (1, 1, [11446999876264359965, 9047282882916087253]),
        (7, 999, [8465034122143363942, 4652173599614474893]),
        (-1, 0, [18159682518515982810, 5274705146620883111]),
        (2**64 - 1, 2**32, [16220415675853264730, 6863936741091125470]),
    ],
)
def test_streams_are_the_same_everywhere(seed: int, game: int, outputs: list[int]) -> None:
    """Frozen: a change here changes every game ever played from a seed, in every back end."""
    rng = Rng.stream(seed, game)
    assert [rng.next64() for _ in outputs] == outputs


def test_stream_is_an_output_of_a_generator_of_the_seed() -> None:
    """The documented derivation, said another way: the (game + 1)-th output after the seed's first one."""
    games = Rng(Rng(7).next64())
    assert [Rng.stream(7, game).state for game in range(20)] == [games.next64() for _ in range(20)]


def test_streams_differ() -> None:
    states = {Rng.stream(seed, game).state for seed in range(-50, 50) for game in range(100)}
    assert len(states) == 100 * 100


@given(st.integers(), st.integers(0, 2**40))
def test_any_integer_is_a_seed_modulo_a_word(seed: int, game: int) -> None:
    state = Rng.stream(seed, game).state
    assert 0 <= state < WORD
    assert state == Rng.stream(seed % WORD, game).state


@given(st.integers(0, WORD - 1), st.lists(st.integers(1, 60) | st.integers(1, WORD), min_size=1, max_size=20))
def test_below_is_as_documented(state: int, sizes: list[int]) -> None:
    rng, reference = Rng(state), Rng(state)
    for n in sizes:
        assert rng.below(n) == below_as_documented(reference, n)
        assert rng.state == reference.state


@pytest.mark.parametrize("n", [2, 3, 7, 1000, 2**32 - 1, 2**32, 2**32 + 1, 3 << 62, WORD - 1, WORD])
@pytest.mark.parametrize("offset", [-1, 0])
def test_below_rejects_from_its_limit_on(n: int, offset: int) -> None:
    x = WORD - WORD % n + offset
    if x == WORD:
        return  # nothing to reject
    rng = before(x)
    after_one = Rng(rng.state + GAMMA).state
    result = rng.below(n)
    if offset < 0:
        assert (result, rng.state) == (x % n, after_one)
    else:
        assert rng.state != after_one


def test_below_one_draws_nothing() -> None:
    rng = Rng(SEED)
    assert rng.below(1) == 0
    assert rng.state == SEED


@pytest.mark.parametrize("n", [0, -1, -WORD, WORD + 1])
def test_below_refuses_what_it_cannot_choose_from(n: int) -> None:
    rng = Rng(SEED)
    with pytest.raises(ValueError, match=r"expected 1 <= n <= 2\*\*64"):
        rng.below(n)
    assert rng.state == SEED


# Bounds: the 99.9 % quantiles of chi-square. The last n is one that rejects a draw in four; without the rejection,
# its lowest third would come up twice as often as the others.
@pytest.mark.parametrize(
    ("n", "bins", "bound"), [(2, 2, 10.83), (6, 6, 20.52), (7, 7, 22.46), (52, 52, 87.97), (3 << 62, 3, 13.82)]
)
def test_below_is_uniform(n: int, bins: int, bound: float) -> None:
    print(f"seed {SEED}")
    rng, draws = Rng.stream(SEED, n), 20_000
    counts = Counter(rng.below(n) * bins // n for _ in range(draws))
    assert chi_square((counts[b] for b in range(bins)), draws / bins) < bound


def test_first_draws_of_the_games_are_uniform() -> None:
    """Across the games of a seed as well as within one: what a run of many games averages over."""
    print(f"seed {SEED}")
    counts = Counter(Rng.stream(SEED, game).below(10) for game in range(20_000))
    assert chi_square((counts[b] for b in range(10)), 2_000) < 27.88


@given(st.integers(0, WORD - 1), st.lists(st.integers(0, 9), min_size=1).filter(any))
def test_pick_is_the_first_index_whose_running_sum_exceeds_the_draw(state: int, weights: list[int]) -> None:
    r = Rng(state).below(sum(weights))
    expected = next(i for i in range(len(weights)) if sum(weights[: i + 1]) > r)
    rng = Rng(state)
    assert rng.pick(weights, sum(weights)) == expected
    assert weights[expected] > 0


def test_pick_follows_its_weights() -> None:
    print(f"seed {SEED}")
    rng, weights = Rng.stream(SEED, 0), [1, 0, 4, 15]
    counts = Counter(rng.pick(weights, 20) for _ in range(20_000))
    assert counts[1] == 0
    assert sum((counts[i] - 1000 * w) ** 2 / (1000 * w) for i, w in enumerate(weights) if w) < 13.82


def test_pick_of_one_certain_outcome_draws_nothing() -> None:
    rng = Rng(SEED)
    assert rng.pick([0, 1, 0], 1) == 1
    assert rng.state == SEED


def test_pick_refuses_weights_that_miss_their_total() -> None:
    with pytest.raises(ValueError, match="less than their total 5"):
        Rng(SEED).pick([0, 0], 5)


# ------------------------------------------------------------------------------------------ many games at once


@pytest.mark.parametrize("sure", [module.SURE, WORD // 2, 0])
def test_what_is_drawn_ahead_is_what_each_game_would_draw(sure: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much each game draws, and in whatever way; with numbers that do not surely pass, too."""
    monkeypatch.setattr(module, "SURE", sure)
    chance = random.Random(SEED)
    print("seed", SEED)
    for seed, first, n in ((0, 0, 1), (7, 3, 700), (-5, 2**40, 60), (2**70, 0, 25)):
        for k, rng in enumerate(streams(seed, first, n)):
            alone = Rng.stream(seed, first + k)
            for _ in range(chance.choice((0, 1, 5, 12, 40))):
                high = chance.choice((1, 2, 9, 2**32, 2**32 + 1, 2**64))
                if chance.random() < 0.1:
                    assert rng.next64() == alone.next64()
                assert rng.below(high) == alone.below(high)


def test_no_more_streams_than_games() -> None:
    assert [len(list(streams(1, 0, n))) for n in (0, 1, 8, 9, 1000)] == [0, 1, 8, 9, 1000]
