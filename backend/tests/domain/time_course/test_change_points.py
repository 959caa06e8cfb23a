"""Change points of shares: the exact optimum, found in time, quiet where nothing changes."""

import math
import time
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from tailroom.domain.confidence.effective_samples import IntervalCountsInvalid, standardised_residuals
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.time_course import change_points as module
from tailroom.domain.time_course.change_points import ChangePoints, change_points, difference_phi, pelt


def cost(over: Floats, total: Floats, phi: float) -> float:
    """`−2 log L / φ` by scipy's binomial law, less the binomial coefficients, which no division changes."""
    share = over.sum() / total.sum()
    logs = binom.logpmf(over, total, share) - binom.logpmf(over, total, over / total)
    at_own = [
        float(k * math.log(k / n) if k else 0.0) + float((n - k) * math.log(1 - k / n) if k < n else 0.0)
        for k, n in zip(over, total, strict=True)
    ]
    return float(-2.0 * (logs.sum() + sum(at_own)) / phi)


def positions(found: ChangePoints) -> tuple[int, ...]:
    """First slice of every new level."""
    return tuple(segment.first for segment in found.segments[1:])


def best_division(over: Floats, total: Floats, phi: float, penalty: float) -> tuple[list[int], float]:
    """Optimal partitioning without any pruning."""
    size = over.size
    best, before = [-penalty] + [math.inf] * size, [0] * (size + 1)
    for end in range(2, size + 1):
        for start in (0, *range(2, end - 1)):
            value = best[start] + cost(over[start:end], total[start:end], phi) + penalty
            if value < best[end] - 1e-9:
                best[end], before[end] = value, start
    starts, at = [], before[size]
    while at > 0:
        starts.append(at)
        at = before[at]
    return starts[::-1], best[size]


def division_cost(over: Floats, total: Floats, starts: list[int], phi: float, penalty: float) -> float:
    bounds = [0, *starts, over.size]
    parts = [cost(over[a:b], total[a:b], phi) for a, b in pairwise(bounds)]
    return sum(parts) + penalty * len(starts)


@given(st.integers(0, 10**6), st.integers(4, 36), st.sampled_from([0.0, 0.5, 3.0, 10.0]))
@settings(max_examples=60, deadline=None)
def test_the_division_is_the_cheapest_of_all(seed: int, size: int, penalty: float) -> None:
    """Candidates are dropped as early as can be; slices jump about, so that single ones would pay."""
    rng = np.random.default_rng(seed)
    total = rng.integers(1, 2_000, size).astype(float) if seed % 2 else np.full(size, 500.0)
    level = np.repeat(
        rng.choice([0.0, 0.01, 0.02, 0.5, 1.0], size), rng.integers(1, 12 if seed % 3 else 2, size)
    )[:size]
    over = rng.binomial(total.astype(int), level).astype(float)
    if over.sum() in (0.0, total.sum()):
        return
    phi = difference_phi(over, total)
    with mock.patch.object(module, "_FIRST_PRUNING", 4):
        found = pelt(over, total, phi, penalty)
    _, least = best_division(over, total, phi, penalty)
    assert division_cost(over, total, found, phi, penalty) == pytest.approx(least, abs=1e-6)
    bounds = [0, *found, size]
    assert min(np.diff(bounds)) >= 2


def test_spikes_that_would_pay_alone() -> None:
    """A slice that beats its neighbours must not drop what a segment of two slices will need."""
    for seed in range(150):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(6, 14))
        total = rng.integers(1, 200, size).astype(float)
        over = rng.binomial(total.astype(int), rng.choice([0.0, 0.02, 0.1, 0.9], size)).astype(float)
        if over.sum() in (0.0, total.sum()):
            continue
        penalty = float(rng.choice([0.0, 0.3, 2.0]))
        with mock.patch.object(module, "_FIRST_PRUNING", 2):
            found = pelt(over, total, 1.0, penalty)
        _, least = best_division(over, total, 1.0, penalty)
        assert division_cost(over, total, found, 1.0, penalty) == pytest.approx(least, abs=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_dropping_candidates_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    size = 700
    total = np.full(size, 10_000.0)
    kind = seed % 4
    share = {
        0: np.full(size, 0.003),
        1: np.repeat(rng.uniform(0.001, 0.004, 20), 35),
        2: np.linspace(0.001, 0.004, size),
        3: np.where(np.arange(size) < 600, 0.0, 0.002),
    }[kind]
    over = rng.binomial(10_000, share).astype(float)
    results = []
    for first_pruning in (4, 10**9):
        monkeypatch.setattr(module, "_FIRST_PRUNING", first_pruning)
        results.append(pelt(over, total, difference_phi(over, total), 3.0 * math.log(size)))
    assert results[0] == results[1]


def test_residuals_are_in_binomial_standard_deviations() -> None:
    residuals = standardised_residuals(np.array([1.0, 3.0]), np.array([10.0, 10.0]))
    assert residuals == pytest.approx([-1.0 / math.sqrt(1.6), 1.0 / math.sqrt(1.6)])


def test_known_changes_are_found() -> None:
    found_all = 0
    for seed in range(50):
        rng = np.random.default_rng(seed)
        share = np.repeat([0.002, 0.004, 0.0025], 48)
        wander = np.clip(share * np.exp(0.1 * rng.normal(size=share.size)), 0.0, 1.0)
        found = positions(change_points(rng.binomial(100_000, wander), np.full(share.size, 100_000)))
        found_all += len(found) == 2 and abs(found[0] - 48) <= 2 and abs(found[1] - 96) <= 2
    assert found_all >= 47


def test_quiet_where_nothing_changes() -> None:
    false_alarms = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        spread = 0.3 if seed % 2 else 0.0
        share = np.clip(0.002 * np.exp(spread * rng.normal(size=144)), 0.0, 1.0)
        false_alarms += bool(positions(change_points(rng.binomial(100_000, share), np.full(144, 100_000))))
    assert false_alarms <= 6


def test_a_jump_does_not_hide_in_the_scatter() -> None:
    """φ comes from differences of neighbours; distances from the mean would make the jump part of it."""
    rng = np.random.default_rng(1)
    over = rng.binomial(10_000, np.repeat([0.01, 0.05], 50)).astype(float)
    total = np.full(100, 10_000.0)
    residuals = standardised_residuals(over, total)
    by_hand = max(1.0, sum((b - a) ** 2 for a, b in pairwise(residuals)) / 99 / 2)
    assert difference_phi(over, total) == pytest.approx(by_hand)
    found = change_points(over.astype(np.int64), total.astype(np.int64))
    assert [(one.first, one.end) for one in found.segments] == [(0, 50), (50, 100)]
    assert found.segments[0].ratio == over[:50].sum() / 500_000
    assert found.segments[1].p_value is not None
    assert found.segments[1].p_value < 1e-6
    assert found.segments[0].limits.lower < 0.01 < found.segments[0].limits.upper
    assert found.segments[1].limits.lower < 0.05 < found.segments[1].limits.upper


def test_extremes() -> None:
    none_over = change_points(np.zeros(50, np.int64), np.full(50, 100))
    assert positions(none_over) == ()
    assert none_over.segments[0].ratio == 0.0
    assert positions(change_points(np.full(50, 100), np.full(50, 100))) == ()
    switched = change_points(np.repeat([0, 100], 20), np.full(40, 100))
    assert positions(switched) == (20,)
    assert positions(change_points(np.array([0, 0, 100, 100]), np.full(4, 100))) == (2,)
    assert change_points(np.array([1, 2, 3]), np.array([9, 9, 9])).reason is not None
    assert change_points(np.array([], dtype=np.int64), np.array([], dtype=np.int64)).reason is not None


def test_empty_slices_are_skipped() -> None:
    over, total = np.repeat([5, 500], 30), np.full(60, 1_000)
    plain = change_points(over, total)
    holes = np.zeros(10, np.int64)
    spaced = change_points(
        np.concatenate((over[:20], holes, over[20:])), np.concatenate((total[:20], holes, total[20:]))
    )
    assert positions(plain) == (30,)
    assert positions(spaced) == (40,)
    assert spaced.segments[-1].end == 70


@pytest.mark.parametrize("kind", ["no change", "nothing over at first", "rare", "constant", "drift"])
def test_ten_thousand_slices_take_no_second(kind: str) -> None:
    rng = np.random.default_rng(3)
    total = np.full(10_000, 1_200_000)
    share = {
        "no change": np.full(10_000, 0.001),
        "nothing over at first": np.where(np.arange(10_000) < 9_900, 0.0, 0.001),
        "rare": np.full(10_000, 1e-8),
        "constant": np.full(10_000, 0.001),
        "drift": np.linspace(0.001, 0.003, 10_000),
    }[kind]
    over = np.full(10_000, 1_200) if kind == "constant" else rng.binomial(total, share)
    begun = time.process_time()
    change_points(over, total)
    assert time.process_time() - begun < 1.0


@pytest.mark.parametrize(("over", "total"), [([11], [10]), ([-1], [5]), ([math.nan], [5]), ([1, 2], [5])])
def test_impossible_counts_are_refused(over: list[float], total: list[float]) -> None:
    with pytest.raises(IntervalCountsInvalid):
        change_points(np.array(over), np.array(total))
    with pytest.raises(IntervalCountsInvalid):
        pelt(np.ones(9), np.full(9, 5.0), math.nan, 1.0)
