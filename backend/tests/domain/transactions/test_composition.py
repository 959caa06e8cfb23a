"""Plans of every scheduling: known answers, independent calculation, properties that hold for every law."""

import itertools
import math

import numpy as np
import pytest
from backend.bench.exact_plans.composition import transaction_curves, transaction_within
from backend.bench.exact_plans.sequential import sequential
from backend.bench.hdr_distributions import hdr_distribution
from backend.tests.domain.oracles import oracle
from backend.tests.domain.transactions.laws import (
    MS,
    act_drive,
    enumerated,
    exact_latency,
    exponential,
    points,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammainc
from scipy.stats import binom

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.grid import TransactionInvalid
from tailroom.domain.transactions.plan import OperationNotMeasured, Plan, RandomCount, Scheduling, Stage

TWO_POINTS = {"read": points([1, 8], [0.95, 0.05])}
ACT = {"read": act_drive().bounds()}
SECOND = 1000 * MS
SCHEDULINGS = st.sampled_from([Scheduling.SEQUENTIAL, Scheduling.PARALLEL, Scheduling.WAVES])
STEPS = st.lists(st.integers(1, 40), min_size=1, max_size=6)


def one(count: int | RandomCount, fan_out: int = 1, scheduling: Scheduling = Scheduling.SEQUENTIAL) -> Plan:
    return Plan((Stage("read", count, fan_out, scheduling),))


def hdr(latencies_ns: list[int], digits: int = 3) -> LatencyDist:
    layout = HdrLayout(1000, digits)
    indices, amounts = np.unique(layout.index_of(np.array(latencies_ns) // 1000), return_counts=True)
    return hdr_distribution(Counts(indices, amounts.astype(np.int64)), layout=layout)


@pytest.mark.parametrize("name", ["seq-twopoint-300", "seq-twopoint-400", "seq-twopoint-450"])
def test_two_points_at_the_grid_that_a_verdict_has(name: str) -> None:
    given_, expected, tolerance = oracle(name)
    found = transaction_within(one(given_["N"]), TWO_POINTS, given_["W_ms"] * MS)
    assert found == pytest.approx([expected["p_within"]] * 3, abs=tolerance)


@pytest.mark.parametrize(
    ("share", "slow_ms", "count", "window_ms"), [(0.02, 7, 100, 150), (0.3, 3, 40, 70), (0.001, 50, 500, 600)]
)
def test_two_points_are_binomial(share: float, slow_ms: int, count: int, window_ms: int) -> None:
    laws = {"read": points([1, slow_ms], [1 - share, share])}
    allowed = (window_ms - count) // (slow_ms - 1)
    truth = float(binom.cdf(allowed, count, share))
    assert transaction_within(one(count), laws, window_ms * MS) == pytest.approx([truth] * 3, abs=1e-10)


def test_a_drive_exactly_at_the_act_limits_without_any_grid_error() -> None:
    given_, expected, _ = oracle("seq-act-limit")
    lower, _, upper = transaction_within(one(given_["N"]), ACT, SECOND)
    assert lower == pytest.approx(expected["p_lower"], abs=2e-12)
    assert upper == pytest.approx(expected["p_upper"], abs=2e-12)
    # The same, counted: no open read, and N reads of 1, 8 and 64 ms that fit.
    assert lower < expected["no_open_bucket"]
    given_, expected, tolerance = oracle("par-act-limit")
    for window_ms, truth in zip((64, 8, 1), expected["p_within"], strict=True):
        found = transaction_within(one(250, 250, Scheduling.POOL), ACT, window_ms * MS)
        assert found == pytest.approx([truth] * 3, abs=tolerance)


def test_rounded_zeros_and_what_they_guarantee() -> None:
    laws = {"read": exact_latency([1.0], [1 - 0.00005])}
    found = transaction_within(one(250, 1, Scheduling.PARALLEL), laws, MS)
    assert found == pytest.approx([0.98758] * 3, abs=5e-6)
    assert transaction_within(one(250), laws, SECOND) == pytest.approx([(1 - 0.00005) ** 250] * 3, abs=1e-11)


def test_median_of_the_slowest_of_250_is_the_quantile_of_one() -> None:
    laws = {"read": exponential(MS)}
    at = -math.log1p(-(0.5 ** (1 / 250)))
    assert 1 - math.exp(-at) == pytest.approx(0.99723, abs=5e-6)
    lower, estimate, upper = transaction_within(one(250, 1, Scheduling.PARALLEL), laws, round(at * MS))
    assert lower <= 0.5 <= upper
    assert estimate == pytest.approx(0.5, abs=1e-3)


def test_erlang_between_its_bounds() -> None:
    laws = {"read": exponential(3_500_000)}
    truth = float(gammainc(250, 1e9 / 3.5e6))
    lower, estimate, upper = transaction_within(one(250), laws, SECOND)
    assert lower <= truth <= upper
    assert estimate == pytest.approx(truth, abs=2e-5)


@pytest.mark.parametrize(
    ("count", "fan_out", "windows_ms"), [(10, 5, (2, 9, 16)), (250, 10, (25, 60, 120, 200))]
)
def test_waves_of_two_points_are_binomial(count: int, fan_out: int, windows_ms: tuple[int, ...]) -> None:
    waves = count // fan_out
    slow = 1 - 0.95**fan_out
    for window_ms in windows_ms:
        truth = float(binom.cdf((window_ms - waves) // 7, waves, slow)) if window_ms >= waves else 0.0
        found = transaction_within(one(count, fan_out, Scheduling.WAVES), TWO_POINTS, window_ms * MS)
        assert found == pytest.approx([truth] * 3, abs=1e-10)


def test_a_last_wave_that_is_not_full() -> None:
    # 3 waves of 4 and one of 2: the two kinds of waves have different chances of a slow read.
    full, last = 1 - 0.95**4, 1 - 0.95**2
    for slow_waves in range(4):
        window_ms = 4 + 7 * slow_waves
        truth = float(binom.cdf(slow_waves, 3, full) * (1 - last) + binom.cdf(slow_waves - 1, 3, full) * last)
        found = transaction_within(one(14, 4, Scheduling.WAVES), TWO_POINTS, window_ms * MS)
        assert found == pytest.approx([truth] * 3, abs=1e-11)


@settings(max_examples=40, deadline=None)
@given(STEPS, st.integers(1, 4), st.integers(1, 5), st.integers(1, 160))
def test_small_plans_counted_one_by_one(steps: list[int], count: int, fan_out: int, window: int) -> None:
    laws = {"read": points(steps, [1 / len(steps)] * len(steps))}
    truth = float(enumerated(steps, count, window))
    assert transaction_within(one(count), laws, window * MS) == pytest.approx([truth] * 3, abs=1e-11)
    in_waves = float(enumerated(steps, count, window, fan_out))
    found = transaction_within(one(count, fan_out, Scheduling.WAVES), laws, window * MS)
    assert found == pytest.approx([in_waves] * 3, abs=1e-11)


@settings(max_examples=30, deadline=None)
@given(STEPS, STEPS, st.integers(1, 12), st.tuples(st.integers(1, 6), st.integers(0, 30)), SCHEDULINGS)
def test_the_order_of_stages_is_irrelevant_and_overheads_only_shift(
    reads: list[int], writes: list[int], count: int, shift: tuple[int, int], scheduling: Scheduling
) -> None:
    fan_out, overhead_ms = shift
    laws = {
        "read": points(reads, [1 / len(reads)] * len(reads)),
        "write": points(writes, [1 / len(writes)] * len(writes)),
    }
    fan_out = fan_out if scheduling is Scheduling.WAVES else 1
    first = Stage("read", count, fan_out, scheduling, overhead_ms * MS)
    plan, other = Plan((first, Stage("write", 3))), Plan((Stage("write", 3), first))
    window_ns = (100 + overhead_ms) * MS
    found = transaction_within(plan, laws, window_ns)
    assert found == pytest.approx(transaction_within(other, laws, window_ns), abs=1e-11)
    without = Plan((Stage("read", count, fan_out, scheduling), Stage("write", 3)))
    assert found == transaction_within(without, laws, 100 * MS)


@settings(max_examples=30, deadline=None)
@given(STEPS, st.integers(1, 9), st.integers(1, 9))
def test_two_stages_of_one_operation_are_one_stage(steps: list[int], first: int, second: int) -> None:
    laws = {"read": points(steps, [1 / len(steps)] * len(steps))}
    split = Plan((Stage("read", first), Stage("read", second)))
    whole = transaction_curves(one(first + second), laws, 200 * MS)
    assert transaction_curves(split, laws, 200 * MS).lower == pytest.approx(whole.lower, abs=1e-11)


@settings(max_examples=30, deadline=None)
@given(STEPS, st.lists(st.integers(1, 30), min_size=2, max_size=4, unique=True), SCHEDULINGS)
def test_random_counts_are_weighted(steps: list[int], counts: list[int], scheduling: Scheduling) -> None:
    laws = {"read": points(steps, [1 / len(steps)] * len(steps))}
    fan_out = 4 if scheduling is Scheduling.WAVES else 1
    weights = {count: 1 / len(counts) for count in counts}
    window_ns = 150 * MS
    found = transaction_within(one(RandomCount(weights), fan_out, scheduling), laws, window_ns)[0]
    each = [transaction_within(one(count, fan_out, scheduling), laws, window_ns)[0] for count in counts]
    assert found == pytest.approx(sum(each) / len(each), abs=1e-11)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 400 * MS), min_size=1, max_size=30), st.integers(1, 40), st.integers(1, 12))
def test_scheduling_at_once_is_never_slower(latencies: list[int], count: int, fan_out: int) -> None:
    laws = {"read": hdr(latencies).bounds()}
    window_ns = max(1, int(np.mean(latencies) * count / 2))
    plans = [
        one(count),
        one(count, fan_out, Scheduling.WAVES),
        one(count, fan_out, Scheduling.POOL),
        one(count, 1, Scheduling.PARALLEL),
    ]
    found = [transaction_within(plan, laws, window_ns, 1 << 11, replications=50) for plan in plans]
    for lower, estimate, upper in found:
        assert lower <= estimate <= upper
    for slower, faster in itertools.pairwise(found):
        assert slower[0] <= faster[0] + 1e-10
        assert slower[2] <= faster[2] + 1e-10


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 400 * MS), min_size=1, max_size=30), st.integers(1, 30), SCHEDULINGS)
def test_bounds_narrow_with_finer_buckets_and_follow_count_and_window(
    latencies: list[int], count: int, scheduling: Scheduling
) -> None:
    fan_out = 3 if scheduling is Scheduling.WAVES else 1
    coarse, fine = ({"read": hdr(latencies, digits).bounds()} for digits in (1, 3))
    horizon_ns, bins = 1000 * MS, 1 << 11
    wide = transaction_curves(one(count, fan_out, scheduling), coarse, horizon_ns, bins)
    narrow = transaction_curves(one(count, fan_out, scheduling), fine, horizon_ns, bins)
    more = transaction_curves(one(count + 1, fan_out, scheduling), fine, horizon_ns, bins)
    for curve in (narrow.lower, narrow.estimate, narrow.upper):
        assert (np.diff(curve) >= -1e-9).all()
    assert (narrow.lower >= wide.lower - 1e-11).all()
    assert (narrow.upper <= wide.upper + 1e-11).all()
    assert (more.lower <= narrow.lower + 1e-11).all()
    assert (more.upper <= narrow.upper + 1e-11).all()


def test_one_operation_is_decided_by_one_exact_counter() -> None:
    layout = ExplicitLayout((0, 4 * MS, 10 * MS, 50 * MS))
    laws = {"read": LatencyDist(layout, Counts(np.arange(3), np.array([70, 20, 10]))).bounds()}
    for plan in (one(1), one(1, 1, Scheduling.PARALLEL), one(1, 7, Scheduling.POOL)):
        assert transaction_within(plan, laws, 10 * MS) == pytest.approx([0.9] * 3, abs=1e-12)
        lower, _, upper = transaction_within(plan, laws, 20 * MS)
        assert (lower, upper) == pytest.approx((0.9, 1.0), abs=1e-12)


def test_sequential_plans_agree_with_sequential() -> None:
    bounds = exponential(3_000_000, 5_000)
    plain = sequential(bounds, 50, 200 * MS, 1 << 12)
    plan = transaction_curves(one(50), {"read": bounds}, 200 * MS, 1 << 12)
    if plan.bins == plain.bins:
        assert plan.lower == pytest.approx(plain.lower, abs=1e-12)
    assert plan.within(200 * MS)[0] >= plain.within(200 * MS)[0] - 1e-9


def test_quantiles_and_times_with_overheads() -> None:
    plan = Plan((Stage("read", 250, overhead_ns=30 * MS),))
    curves = transaction_curves(plan, TWO_POINTS, SECOND)
    found = curves.quantile_bounds(0.999)
    assert (found.lower_ns, found.upper_ns) == (448 * MS, 448 * MS)
    assert curves.within(29 * MS) == (0.0, 0.0, 0.0)
    assert curves.times_ns[0] == 30 * MS
    assert curves.times_ns[-1] == SECOND
    beyond = transaction_curves(plan, TWO_POINTS, 300 * MS).quantile_bounds(0.999)
    assert (beyond.lower_ns, beyond.upper_ns) == (300 * MS, None)


def test_quantiles_of_one_operation_lie_in_its_bucket() -> None:
    dist = hdr([1_000_000, 2_000_000, 3_000_000, 70_000_000])
    curves = transaction_curves(one(1), {"read": dist.bounds()}, 100 * MS, 1 << 12)
    found = curves.quantile_bounds(0.7)
    assert found.lower_ns <= 3_000_000
    assert found.upper_ns is not None
    assert found.upper_ns >= 3_000_000


def test_overheads_that_leave_nothing() -> None:
    plan = Plan((Stage("read", 5, overhead_ns=10 * MS),))
    assert transaction_within(plan, TWO_POINTS, 9 * MS) == (0.0, 0.0, 0.0)
    assert transaction_within(plan, TWO_POINTS, 10 * MS) == (0.0, 0.0, 0.0)
    at_zero = {"read": exact_latency([0.0, 5.0], [0.5, 0.5])}
    assert transaction_within(plan, at_zero, 10 * MS) == pytest.approx([0.5**5] * 3)
    with pytest.raises(TransactionInvalid, match="leave nothing"):
        transaction_curves(plan, TWO_POINTS, 10 * MS)


def test_batches_are_never_derived_from_single_reads() -> None:
    plan = Plan((Stage("batch-25", 10),))
    with pytest.raises(OperationNotMeasured, match="batch-25"):
        transaction_within(plan, TWO_POINTS, SECOND)


@pytest.mark.parametrize("window_ns", [0, -5])
def test_windows_that_are_none(window_ns: int) -> None:
    with pytest.raises(TransactionInvalid, match="longer than 0"):
        transaction_within(one(5), TWO_POINTS, window_ns)
