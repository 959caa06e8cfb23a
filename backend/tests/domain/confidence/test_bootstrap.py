"""Block bootstrap: the same every time, honest about what it cannot say, and covering."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from backend.tests.domain.courses import following
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.confidence.bootstrap import (
    REPLICATIONS,
    SEED,
    BootstrapInterval,
    BootstrapInvalid,
    NoInterval,
    _blocks,
    _check,
    _draws,
    _interval,
    _limit_widening,
    bootstrap_ratio,
    mean_block_length,
)
from tailroom.domain.confidence.effective_samples import SeriesInvalid, autocorrelation_time, check_series
from tailroom.domain.latency.bounds import Floats, Int64s


def bootstrap(
    functional: Callable[[Floats], Floats],
    series: Floats,
    *,
    error: float = 0.05,
    replications: int = REPLICATIONS,
    seed: int = SEED,
) -> BootstrapInterval:
    """Return limits of any figure of per-interval arrays by the definition, as a reference for the fast way.

    `functional` gets a matrix of how often each interval is taken; `series` is one value per interval that
    follows the figure's ups and downs, from which the block length is taken.
    """
    follows = np.asarray(series, dtype=np.float64)
    check_series(follows)
    _check(error, replications)
    size = follows.size
    estimate = float(functional(np.ones((1, size)))[0])
    block, reason = _blocks(follows - follows.mean(), float(np.abs(follows).max()))
    none = BootstrapInterval(estimate, None, None, reason, size, block, replications, seed)
    if reason is not None:
        return none
    rows = max(1, 1_000_000 // size)
    values = np.concatenate(
        [
            np.asarray(functional(_times_taken(starts[at : at + rows], lengths[at : at + rows], size)))
            for starts, lengths in _draws(size, block, replications, seed)
            for at in range(0, starts.shape[0], rows)
        ]
    )
    return _interval(values, none, error, _limit_widening(follows, block))


def _times_taken(starts: Int64s, lengths: Int64s, size: int) -> Floats:
    """Return how often each interval is in the blocks of each row."""
    width = 2 * size + 1
    rows = np.arange(starts.shape[0])[:, None] * width
    cells = starts.shape[0] * width
    opened = np.bincount((rows + starts).ravel(), minlength=cells)
    closed = np.bincount((rows + starts + lengths).ravel(), minlength=cells)
    inside = np.cumsum((opened - closed).reshape(-1, width), axis=1, dtype=np.float64)
    times: Floats = inside[:, :size] + inside[:, size : 2 * size]
    return times


def test_the_same_input_gives_the_same_interval() -> None:
    rng = np.random.default_rng(1)
    total = np.full(500, 1000.0)
    over = rng.binomial(1000, 0.01, 500).astype(float)
    first, second = bootstrap_ratio(over, total), bootstrap_ratio(over, total)
    assert first == second
    assert first.replications == 2_000
    assert bootstrap_ratio(over, total, seed=7) != first
    assert first.lower is not None
    assert first.upper is not None
    assert first.lower < first.estimate < first.upper


def test_any_figure_gives_what_the_fast_way_gives() -> None:
    rng = np.random.default_rng(2)
    total = rng.integers(500, 1500, 300).astype(float)
    over = rng.binomial(total.astype(int), 0.02).astype(float)
    fast = bootstrap_ratio(over, total)
    slow = bootstrap(lambda taken: (taken @ over) / (taken @ total), over - fast.estimate * total)
    assert slow.mean_block == fast.mean_block
    assert [slow.lower, slow.upper] == pytest.approx([fast.lower, fast.upper], rel=1e-9)


def test_the_interval_mixture() -> None:
    """Σ w P / Σ w: bounds of P give bounds of the interval, repetition by repetition."""
    rng = np.random.default_rng(9)
    weight = rng.integers(1, 50, 400).astype(float)
    lower = rng.beta(50.0, 2.0, 400)
    upper = np.minimum(1.0, lower + 0.01)
    low, high = bootstrap_ratio(weight * lower, weight), bootstrap_ratio(weight * upper, weight)
    assert low.estimate == pytest.approx(np.average(lower, weights=weight))
    assert low.lower is not None
    assert low.upper is not None
    assert high.lower is not None
    assert high.upper is not None
    assert low.lower < high.lower
    assert low.upper < high.upper


def test_every_course_is_as_long_as_the_record() -> None:
    sizes: list[np.typing.NDArray[np.float64]] = []

    def count(taken: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
        sizes.append(taken.sum(axis=1))
        assert (taken >= 0).all()
        return taken[:, 0]

    bootstrap(count, np.random.default_rng(3).normal(size=211), replications=250)
    assert set(np.concatenate(sizes[1:]).tolist()) == {211}


def share_covered(size: int, persistence: float, attempts: int) -> float:
    """How often the interval holds the true share, when it wanders from interval to interval."""
    inside = 0
    for seed in range(attempts):
        rng = np.random.default_rng(100_000 + seed)
        wander = np.exp(0.5 * following(size, persistence, rng) - 0.125)
        over = rng.binomial(2_000, 0.01 * wander).astype(float)
        found = bootstrap_ratio(over, np.full(size, 2_000.0), replications=400, seed=seed)
        assert found.lower is not None
        assert found.upper is not None
        inside += found.lower <= 0.01 <= found.upper
    return inside / attempts


@pytest.mark.parametrize(("size", "persistence"), [(1_440, 0.0), (3_000, 0.85)])
def test_intervals_cover(size: int, persistence: float) -> None:
    """95 % intervals hold the truth 93 to 97 times of 100, also where intervals follow each other closely."""
    assert 0.93 <= share_covered(size, persistence, 300) <= 0.97


def test_scatter_that_blocks_lose_is_what_their_repetitions_show() -> None:
    """Against the repetitions themselves: their variance is that of the formula."""
    series = following(2_000, 0.8, np.random.default_rng(11))
    found = bootstrap(lambda taken: taken @ series / series.size, series, replications=4_000)
    means: list[np.typing.NDArray[np.float64]] = []

    def keep(taken: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
        means.append(taken @ series / series.size)
        return means[-1]

    bootstrap(keep, series, replications=4_000)
    tau_of_repetitions = np.concatenate(means[1:]).var() * series.size / series.var()
    expected = math.sqrt(max(1.0, autocorrelation_time(series) / tau_of_repetitions))
    assert _limit_widening(series, found.mean_block) == pytest.approx(expected, rel=0.03)


def test_lost_scatter_by_the_definition() -> None:
    """Lemma 1 of Politis and Romano, with circular autocorrelations."""
    series, block = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 9.0, 6.0, 7.0]), 2
    centred, size = series - series.mean(), series.size
    circular = [centred @ np.roll(centred, lag) / (centred @ centred) for lag in range(size)]
    held = sum((1 - lag / size) * (1 - 1 / block) ** lag * circular[lag] for lag in range(1, size))
    expected = math.sqrt(autocorrelation_time(series) / (1.0 + 2.0 * held))
    assert expected > 1.0
    assert _limit_widening(series, block) == pytest.approx(expected)


def test_limits_stay_within_what_intervals_show() -> None:
    rng = np.random.default_rng(12)
    over = (following(3_000, 0.9, rng) > 1.5).astype(float)
    found = bootstrap_ratio(over, np.ones(3_000))
    assert found.lower is not None
    assert found.upper is not None
    assert 0.0 <= found.lower < found.estimate < found.upper <= 1.0


def test_clumps_make_the_interval_wider() -> None:
    rng = np.random.default_rng(4)
    total = np.full(2_000, 1000.0)
    over = np.sort(rng.binomial(1000, 0.01, 2_000)).reshape(-1, 10)
    clumped = over[rng.permutation(200)].ravel().astype(float)
    loose = rng.permutation(clumped)
    wide, narrow = bootstrap_ratio(clumped, total), bootstrap_ratio(loose, total)
    assert wide.lower is not None
    assert wide.upper is not None
    assert narrow.lower is not None
    assert narrow.upper is not None
    assert wide.upper - wide.lower > 1.5 * (narrow.upper - narrow.lower)


def test_too_few_blocks_and_no_scatter_are_named() -> None:
    rng = np.random.default_rng(5)
    few = bootstrap_ratio(rng.random(50), np.ones(50))
    assert (few.lower, few.upper, few.reason) == (None, None, NoInterval.TOO_FEW_BLOCKS)
    rising = bootstrap_ratio(np.arange(1000.0), np.ones(1000))
    assert rising.reason is NoInterval.TOO_FEW_BLOCKS
    none_over = bootstrap_ratio(np.zeros(1000), np.full(1000, 50.0))
    assert (none_over.estimate, none_over.lower, none_over.reason) == (0.0, None, NoInterval.NO_SCATTER)
    assert NoInterval.TOO_FEW_BLOCKS.value == "too few blocks"


def test_twenty_blocks_are_enough() -> None:
    values = np.random.default_rng(6).normal(10.0, 1.0, 2_000)
    for size in (80, 100, 120, 500):
        found = bootstrap_ratio(values[:size], np.ones(size), replications=10)
        assert (found.reason is None) == (size >= 20 * found.mean_block)


@given(st.integers(8, 400), st.integers(0, 10))
@settings(max_examples=60, deadline=None)
def test_blocks_are_at_least_the_cube_root(size: int, seed: int) -> None:
    length = mean_block_length(np.random.default_rng(seed).normal(size=size))
    assert length**3 >= size
    assert length <= size
    assert mean_block_length(np.full(size, 3.0)) == min(b for b in range(1, 9) if b**3 >= size)


def test_empty_intervals_are_left_out() -> None:
    rng = np.random.default_rng(7)
    over, total = rng.binomial(500, 0.02, 400).astype(float), np.full(400, 500.0)
    gaps = np.zeros(40)
    assert bootstrap_ratio(np.concatenate((over, gaps)), np.concatenate((total, gaps))) == bootstrap_ratio(
        over, total
    )


@pytest.mark.parametrize(
    ("top", "bottom"),
    [([1.0, math.nan], [1.0, 1.0]), ([1.0], [1.0, 2.0]), ([], []), ([0.0], [0.0]), ([1.0, 1.0], [1.0, -1.0])],
)
def test_impossible_series_are_refused(top: list[float], bottom: list[float]) -> None:
    with pytest.raises(SeriesInvalid):
        bootstrap_ratio(np.array(top), np.array(bottom))


def test_impossible_questions_are_refused() -> None:
    values = np.random.default_rng(8).random(500)
    for error, replications in ((0.0, 10), (1.0, 10), (math.nan, 10), (0.05, 0)):
        with pytest.raises(BootstrapInvalid):
            bootstrap_ratio(values, np.ones(500), error=error, replications=replications)
    with pytest.raises(BootstrapInvalid):
        bootstrap(lambda taken: np.full(taken.shape[0], math.nan), values)
