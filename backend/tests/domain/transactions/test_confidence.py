"""Confidence limits of plans: how often they hold, and that they reduce to what is known."""

import numpy as np
import pytest
from backend.bench.exact_plans.composition import transaction_within
from backend.tests.domain.transactions.laws import MS
from tailroom.domain.transactions.confidence import (
    p_within_lower,
    p_within_upper,
    plan_within_lower,
    plan_within_upper,
)

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import share_lower, share_upper
from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.plan import OperationNotMeasured, Plan, RandomCount, Scheduling, Stage

SECOND = 1000 * MS
SEQUENTIAL = Plan.sequential("read", 20)
PARALLEL = Plan((Stage("read", 20, 1, Scheduling.PARALLEL),))
PLANS = [
    SEQUENTIAL,
    PARALLEL,
    Plan((Stage("read", 20, 5, Scheduling.WAVES),)),
    Plan((Stage("read", 20, 5, Scheduling.POOL),)),
    Plan((Stage("read", 15, overhead_ns=3 * MS), Stage("read", 5, 1, Scheduling.PARALLEL))),
    Plan((Stage("read", RandomCount({10: 0.5, 20: 0.5})),)),
]


def dist_of(latencies_ns: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> LatencyDist:
    layout = HdrLayout(1000, 3)
    indices, amounts = np.unique(layout.index_of(latencies_ns // 1000), return_counts=True)
    return LatencyDist(layout, Counts(indices, amounts.astype(np.int64)))


def two_buckets(over: int, total: int) -> LatencyDist:
    layout = ExplicitLayout((0, 50 * MS), open_ended=True)
    counted = np.array([total - over, over])
    filled = np.flatnonzero(counted)
    return LatencyDist(layout, Counts(filled, counted[filled]))


def test_sequential_plans_get_the_limits_of_sequential_reads() -> None:
    dist = dist_of((np.random.default_rng(1).exponential(2.0, 400_000) * MS).astype(np.int64))
    records = {"read": dist}
    window_ns = 100 * MS
    assert plan_within_lower(SEQUENTIAL, records, window_ns, 0.99, bins=1 << 13) == pytest.approx(
        p_within_lower(dist, 20, window_ns, 0.99, bins=1 << 13), abs=1e-11
    )
    assert plan_within_upper(SEQUENTIAL, records, window_ns, bins=1 << 13) == pytest.approx(
        p_within_upper(dist, 20, window_ns, bins=1 << 13), abs=1e-11
    )


def test_all_at_once_needs_one_edge() -> None:
    dist = two_buckets(4, 50_000)
    lower = plan_within_lower(PARALLEL, {"read": dist}, 50 * MS, 0.99)
    assert lower == pytest.approx((1.0 - share_upper(4, 50_000)) ** 20, abs=1e-12)
    upper = plan_within_upper(PARALLEL, {"read": dist}, 50 * MS)
    assert upper == pytest.approx((1.0 - share_lower(4, 50_000)) ** 20, abs=1e-12)
    clumped = {"read": lambda _: DesignEffect(phi=4.0)}
    wider = plan_within_lower(PARALLEL, {"read": dist}, 50 * MS, 0.99, effects=clumped)
    assert wider == pytest.approx((1.0 - share_upper(1, 12_500)) ** 20, abs=1e-12)


@pytest.mark.parametrize("plan", PLANS)
def test_limits_lie_around_the_bounds_and_close_in(plan: Plan) -> None:
    rng = np.random.default_rng(2)
    window_ns, ends = 70 * MS, []
    for size in (2_000, 200_000):
        dist = dist_of((rng.exponential(2.0, size) * MS).astype(np.int64))
        bounds = transaction_within(plan, {"read": dist.bounds()}, window_ns, 1 << 12, replications=200)
        lower = plan_within_lower(plan, {"read": dist}, window_ns, 0.9, bins=1 << 12)
        upper = plan_within_upper(plan, {"read": dist}, window_ns, bins=1 << 12)
        assert 0.0 <= lower <= bounds[0] + 1e-9
        assert bounds[2] - 1e-9 <= upper <= 1.0
        ends.append((lower, upper))
    assert ends[1][0] >= ends[0][0]


def test_the_error_is_split_between_operations() -> None:
    plan = Plan((Stage("read", 20, 1, Scheduling.PARALLEL), Stage("write", 1)))
    records = {"read": two_buckets(4, 50_000), "write": two_buckets(0, 50_000)}
    both = plan_within_lower(plan, records, SECOND, 0.9)
    alone = plan_within_lower(PARALLEL, records, SECOND, 0.9)
    assert 0.0 < both < alone


def test_no_sample_proves_nothing() -> None:
    empty = LatencyDist(ExplicitLayout((0, MS)), Counts(np.empty(0, np.int64), np.empty(0, np.int64)))
    assert plan_within_lower(SEQUENTIAL, {"read": empty}, SECOND, 0.9) == 0.0
    assert plan_within_upper(SEQUENTIAL, {"read": empty}, SECOND) == pytest.approx(1.0)
    only_misses = LatencyDist(
        ExplicitLayout((0, MS)),
        Counts(np.empty(0, np.int64), np.empty(0, np.int64)),
        misses=Misses(errors=50),
    )
    assert plan_within_upper(SEQUENTIAL, {"read": only_misses}, SECOND) < 1e-9
    with pytest.raises(OperationNotMeasured):
        plan_within_lower(SEQUENTIAL, {"write": empty}, SECOND, 0.9)
    late = Plan((Stage("read", 2, overhead_ns=SECOND + 1),))
    assert plan_within_lower(late, {"read": two_buckets(0, 10)}, SECOND, 0.9) == 0.0
    assert plan_within_upper(late, {"read": two_buckets(0, 10)}, SECOND) == 0.0


def test_two_sided_limits_at_once_cover_95_per_cent() -> None:
    """One exact counter, one edge: not conservative but for the steps of a binomial law, so close to 95 %."""
    rng = np.random.default_rng(20)
    covered, draws = 0, 2_000
    for _ in range(draws):
        share = float(rng.uniform(0.005, 0.03))
        truth = (1.0 - share) ** 20
        dist = two_buckets(int(rng.binomial(40_000, share)), 40_000)
        lower = plan_within_lower(PARALLEL, {"read": dist}, 50 * MS, 0.5, error=0.025, bins=64)
        upper = plan_within_upper(PARALLEL, {"read": dist}, 50 * MS, error=0.025, bins=64)
        covered += lower <= truth <= upper
    assert 0.93 <= covered / draws <= 0.97


def test_one_sided_limits_of_sums_are_never_wrong_more_often_than_stated() -> None:
    """Several edges at once are conservative by construction: wrong in at most 5 % of samples."""
    rng = np.random.default_rng(21)
    at = np.array([1, 2, 4, 9, 20, 45]) * MS
    wrong_low = wrong_high = 0
    draws = 150
    for _ in range(draws):
        ratio = rng.dirichlet([8.0, 4.0, 2.0, 0.5, 0.1, 0.05])
        truth_law = {"read": LatencyBounds.from_points(at.tolist(), ratio.tolist())}
        truth = transaction_within(SEQUENTIAL, truth_law, 80 * MS)[1]
        sample = dist_of(np.repeat(at, rng.multinomial(20_000, ratio)))
        wrong_low += (
            plan_within_lower(SEQUENTIAL, {"read": sample}, 80 * MS, 0.9, bins=1 << 11) > truth + 1e-9
        )
        wrong_high += plan_within_upper(SEQUENTIAL, {"read": sample}, 80 * MS, bins=1 << 11) < truth - 1e-9
    assert wrong_low / draws <= 0.05 + 0.04
    assert wrong_high / draws <= 0.05 + 0.04
