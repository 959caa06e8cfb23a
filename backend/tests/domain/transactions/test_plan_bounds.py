"""Bounds of plans of every scheduling: known answers, enumeration, and properties of every record."""

import itertools
import math

import numpy as np
import pytest
from backend.tests.domain.oracles import oracle
from backend.tests.domain.transactions.latencies import (
    MS,
    STEP_NS,
    act_drive,
    enumerated,
    exact_latency,
    exponential,
    list_schedule,
    on_grid,
    plan_bounds,
    points,
    share_within,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from scipy.special import gammainc
from scipy.stats import binom

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout, HdrLayout
from tailroom.domain.transactions.group_distributions import power_of_shares
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.verdicts.plan_words import share_over_allowed

SECOND = 1000 * MS
WIDENING = 1e-6
"""Bounds are widened by this or less for rounding errors."""
SCHEDULINGS = st.sampled_from([Scheduling.SEQUENTIAL, Scheduling.PARALLEL, Scheduling.WAVES])
STEPS = st.lists(st.integers(1, 40), min_size=1, max_size=6)
LATENCIES_NS = st.lists(st.integers(1, 400 * MS), min_size=1, max_size=40)


def plan_of(
    count: int | RandomCount, fan_out: int = 1, scheduling: Scheduling = Scheduling.SEQUENTIAL
) -> Plan:
    return Plan((Stage("read", count, fan_out, scheduling),))


def hdr(latencies_ns: list[int], digits: int = 3) -> LatencyDist:
    layout = HdrLayout(1000, digits)
    indices, amounts = np.unique(layout.index_of(np.array(latencies_ns) // 1000), return_counts=True)
    return LatencyDist(layout, Counts(indices, amounts.astype(np.int64)))


class TestKnownAnswers:
    @pytest.mark.parametrize("name", ["seq-twopoint-300", "seq-twopoint-400", "seq-twopoint-450"])
    def test_two_latencies(self, name: str) -> None:
        question, expected, _ = oracle(name)
        latency = exact_latency([STEP_NS, 8 * STEP_NS], question["probs"])
        shares = share_within(plan_of(question["N"]), {"read": latency}, question["W_ms"] * STEP_NS)
        assert shares == pytest.approx([expected["p_within"]] * 3, abs=WIDENING)

    def test_the_quantile_of_a_sum_of_two_latencies(self) -> None:
        question, expected, _ = oracle("seq-quantile")
        latency = exact_latency([STEP_NS, 8 * STEP_NS], question["probs"])
        before, at = (
            share_within(plan_of(question["N"]), {"read": latency}, steps * STEP_NS)
            for steps in (expected["q999_ms"] - 1, expected["q999_ms"])
        )
        assert max(before) < question["q"] <= min(at)
        assert question["W_ms"] - expected["q999_ms"] == expected["compute_left_ms"]

    @pytest.mark.parametrize(("window", "most"), [(350, 203), (500, 304), (1000, 644)])
    def test_the_largest_sum_of_two_latencies_in_a_window(self, window: int, most: int) -> None:
        latency = exact_latency([STEP_NS, 8 * STEP_NS], [0.95, 0.05])
        fits, beyond = (
            share_within(plan_of(count), {"read": latency}, window * STEP_NS) for count in (most, most + 1)
        )
        assert max(beyond) < 0.999 <= min(fits)

    @pytest.mark.parametrize(
        ("late", "slow", "count", "window"), [(0.02, 7, 100, 150), (0.3, 3, 40, 70), (0.001, 50, 500, 600)]
    )
    def test_two_latencies_are_binomial(self, late: float, slow: int, count: int, window: int) -> None:
        latency = exact_latency([STEP_NS, slow * STEP_NS], [1 - late, late])
        truth = float(binom.cdf((window - count) // (slow - 1), count, late))
        shares = share_within(plan_of(count), {"read": latency}, window * STEP_NS)
        assert shares == pytest.approx([truth] * 3, abs=WIDENING)

    def test_a_drive_at_the_act_limits(self) -> None:
        reads = {"read": act_drive().bounds()}
        question, expected, _ = oracle("seq-act-limit")
        lower, _, upper = share_within(plan_of(question["N"]), reads, SECOND)
        assert expected["p_lower"] - 1e-4 < lower < expected["p_lower"] + WIDENING
        assert upper == pytest.approx(expected["p_upper"], abs=WIDENING)
        question, expected, tolerance = oracle("par-act-limit")
        for window_ms, truth in zip((64, 8, 1), expected["p_within"], strict=True):
            shares = share_within(plan_of(250, 250, Scheduling.POOL), reads, window_ms * MS)
            assert shares == pytest.approx([truth] * 3, abs=tolerance)

    def test_shares_of_parallel_operations(self) -> None:
        question, expected, tolerance = oracle("par-need")
        allowed = [share_over_allowed(reads, question["q"]) for reads in question["N"]]
        assert allowed == pytest.approx(expected["p"], abs=tolerance)
        question, expected, tolerance = oracle("mix-parallel")
        shares = np.array(question["p"])
        late = 1.0 - power_of_shares(1.0 - shares, shares, question["N"])
        assert float(np.array(question["w"]) @ late) == pytest.approx(expected["mixture"], abs=tolerance)

    def test_the_median_of_the_slowest_of_250(self) -> None:
        at_ms = -math.log1p(-(0.5 ** (1 / 250)))
        lower, estimate, upper = share_within(
            plan_of(250, 1, Scheduling.PARALLEL), {"read": exponential(MS)}, round(at_ms * MS)
        )
        assert lower <= 0.5 <= upper
        assert estimate == pytest.approx(0.5, abs=1e-3)

    @pytest.mark.parametrize(("count", "time_ms"), [(2, 1), (2, 3), (20, 15), (20, 30), (250, 280)])
    def test_a_sum_of_exponentials_is_a_gamma_distribution(self, count: int, time_ms: int) -> None:
        truth = float(gammainc(count, time_ms))
        lower, estimate, upper = share_within(plan_of(count), {"read": exponential(MS)}, time_ms * MS)
        assert lower <= truth <= upper
        assert estimate == pytest.approx(truth, abs=1e-3)

    def test_stages_of_two_operations_are_a_sum(self) -> None:
        plan = Plan((Stage("read", 3), Stage("write", 2)))
        latencies = {"read": exponential(MS), "write": points([1], [1.0])}
        lower, estimate, upper = share_within(plan, latencies, 5 * MS)
        assert lower <= gammainc(3, 3) <= upper
        assert estimate == pytest.approx(gammainc(3, 3), abs=1e-3)

    def test_stages_of_two_operations_are_a_sum_on_the_longest_grid(self) -> None:
        plan, latency = Plan((Stage("read", 150), Stage("write", 100))), exponential(MS)
        lower, estimate, upper = share_within(plan, {"read": latency, "write": latency}, 260 * MS, FULL_BINS)
        assert lower <= gammainc(250, 260) <= upper < lower + 0.03
        assert estimate == pytest.approx(gammainc(250, 260), abs=1e-4)

    @pytest.mark.parametrize(
        ("count", "fan_out", "windows"), [(10, 5, (2, 9, 16)), (250, 10, (25, 60, 120, 200))]
    )
    def test_waves_of_two_latencies_are_binomial(
        self, count: int, fan_out: int, windows: tuple[int, ...]
    ) -> None:
        latencies = {"read": exact_latency([STEP_NS, 8 * STEP_NS], [0.95, 0.05])}
        waves, slow = count // fan_out, 1 - 0.95**fan_out
        for window in windows:
            truth = float(binom.cdf((window - waves) // 7, waves, slow)) if window >= waves else 0.0
            shares = share_within(plan_of(count, fan_out, Scheduling.WAVES), latencies, window * STEP_NS)
            assert shares == pytest.approx([truth] * 3, abs=WIDENING)

    @pytest.mark.parametrize("time_ms", [24, 27, 31])
    def test_a_pool_of_exponentials(self, time_ms: int) -> None:
        """Its time is Erlang(N − k, k) + Σ Exp(i), i = 1 … k: a chain that ends one operation at a time."""
        rates = [10.0] * 240 + [float(rate) for rate in range(10, 0, -1)]
        generator = np.diag([-rate for rate in rates]) + np.diag(rates[:-1], 1)
        truth = 1.0 - float(expm(generator * time_ms)[0].sum())
        lower, estimate, upper = share_within(
            plan_of(250, 10, Scheduling.POOL), {"read": exponential(MS)}, time_ms * MS
        )
        assert lower <= truth <= upper
        assert lower <= estimate <= upper

    def test_a_pool_is_guaranteed_much_more_than_waves(self) -> None:
        latencies = {"read": exponential(MS)}
        assert share_within(plan_of(250, 10, Scheduling.WAVES), latencies, 40 * MS)[0] < WIDENING
        assert share_within(plan_of(250, 10, Scheduling.POOL), latencies, 40 * MS)[0] > 0.94

    def test_a_pool_is_in_time_only_without_an_operation_longer_than_that(self) -> None:
        latencies = {"read": exact_latency([STEP_NS, 100 * STEP_NS], [0.99, 0.01])}
        lower, _, upper = share_within(plan_of(20, 4, Scheduling.POOL), latencies, 60 * STEP_NS)
        assert lower <= 0.99**20 + WIDENING
        assert upper == pytest.approx(0.99**20, abs=WIDENING)
        assert share_within(plan_of(20, 4, Scheduling.POOL), latencies, 130 * STEP_NS)[2] > 0.99

    def test_a_single_operation_is_decided_by_an_exact_counter(self) -> None:
        layout = ExplicitLayout((0, 4 * MS, 10 * MS, 50 * MS))
        latencies = {"read": LatencyDist(layout, Counts(np.arange(3), np.array([70, 20, 10]))).bounds()}
        for plan in (plan_of(1), plan_of(1, 1, Scheduling.PARALLEL), plan_of(1, 7, Scheduling.POOL)):
            assert share_within(plan, latencies, 10 * MS) == pytest.approx([0.9] * 3, abs=1e-12)
            lower, _, upper = share_within(plan, latencies, 20 * MS)
            assert (lower, upper) == pytest.approx((0.9, 1.0), abs=1e-12)

    def test_operations_that_never_end_are_never_in_time(self) -> None:
        latencies = {"read": exact_latency([STEP_NS], [0.9])}
        for plan in (plan_of(5), plan_of(5, 2, Scheduling.WAVES), plan_of(5, 2, Scheduling.POOL)):
            lower, _, upper = share_within(plan, latencies, SECOND)
            assert lower == pytest.approx(0.9**5, abs=WIDENING)
            assert lower <= upper + WIDENING
            assert plan_bounds(latencies).ending(plan) == pytest.approx([0.9**5], abs=1e-12)

    def test_overheads_shorten_the_time(self) -> None:
        plan = Plan((Stage("read", 5, overhead_ns=10 * MS),))
        latencies = {"read": exact_latency([0.0, 5.0], [0.5, 0.5])}
        assert share_within(plan, latencies, 9 * MS) == (0.0, 0.0, 0.0)
        lower, _, upper = share_within(plan, latencies, 10 * MS)
        assert lower == 0.0
        assert upper >= 0.5**5
        without = share_within(plan_of(5), latencies, 20 * MS)
        assert share_within(plan, latencies, 30 * MS) == without


class TestBands:
    def test_a_band_of_operations_at_once_is_exact_at_each_time(self) -> None:
        bounds = plan_bounds({"read": exact_latency([STEP_NS, 8 * STEP_NS], [0.95, 0.05])})
        times_ns = np.array([0, 1, 7, 8, 9]) * STEP_NS
        band = bounds.band(plan_of(20, 1, Scheduling.PARALLEL), times_ns, np.ones(1), times_ns[-1:])
        for shares in band:
            assert shares == pytest.approx([0.0, 0.95**20, 0.95**20, 1.0, 1.0])

    def test_a_band_is_as_narrow_at_the_window_as_the_bounds_there(self) -> None:
        plan = Plan((Stage("read", 20, overhead_ns=900 * MS),))
        window_ns = np.array([920 * MS])
        latencies = {"read": exponential(MS)}
        lower, _, upper = plan_bounds(latencies).band(plan, window_ns, np.ones(1), window_ns)
        alone = share_within(plan, latencies, 920 * MS)
        assert (lower[0], upper[0]) == pytest.approx((alone[0], alone[2]), abs=WIDENING)


class TestEveryRecord:
    @settings(max_examples=60, deadline=None)
    @given(STEPS, st.integers(1, 4), st.integers(1, 5), st.integers(1, 160))
    def test_small_plans_are_enumerated(
        self, steps: list[int], count: int, fan_out: int, window: int
    ) -> None:
        latencies = {"read": on_grid(steps)}
        for plan, truth in (
            (plan_of(count), enumerated(steps, count, window)),
            (plan_of(count, fan_out, Scheduling.WAVES), enumerated(steps, count, window, fan_out)),
        ):
            shares = share_within(plan, latencies, window * STEP_NS)
            assert shares == pytest.approx([float(truth)] * 3, abs=WIDENING)

    @settings(max_examples=30, deadline=None)
    @given(STEPS, STEPS, st.integers(1, 12), st.tuples(st.integers(1, 6), st.integers(0, 30)), SCHEDULINGS)
    def test_the_order_of_stages_is_irrelevant_and_overheads_only_shift(
        self,
        reads: list[int],
        writes: list[int],
        count: int,
        shift: tuple[int, int],
        scheduling: Scheduling,
    ) -> None:
        fan_out, overhead = shift
        latencies = {"read": on_grid(reads), "write": on_grid(writes)}
        fan_out = fan_out if scheduling is Scheduling.WAVES else 1
        first = Stage("read", count, fan_out, scheduling, overhead * STEP_NS)
        second, without = Stage("write", 3), Stage("read", count, fan_out, scheduling)
        window_ns = (100 + overhead) * STEP_NS
        shares = share_within(Plan((first, second)), latencies, window_ns)
        assert shares == pytest.approx(
            share_within(Plan((second, first)), latencies, window_ns), abs=WIDENING
        )
        assert shares == share_within(Plan((without, second)), latencies, 100 * STEP_NS)

    @settings(max_examples=30, deadline=None)
    @given(STEPS, st.integers(1, 9), st.integers(1, 9), st.integers(1, 200))
    def test_two_stages_of_an_operation_are_a_single_stage(
        self, steps: list[int], first: int, second: int, window: int
    ) -> None:
        latencies = {"read": on_grid(steps)}
        split = Plan((Stage("read", first), Stage("read", second)))
        joined = share_within(plan_of(first + second), latencies, window * STEP_NS)
        assert share_within(split, latencies, window * STEP_NS) == pytest.approx(joined, abs=WIDENING)

    @settings(max_examples=30, deadline=None)
    @given(STEPS, st.lists(st.integers(1, 30), min_size=2, max_size=4, unique=True), SCHEDULINGS)
    def test_random_counts_are_weighted(
        self, steps: list[int], counts: list[int], scheduling: Scheduling
    ) -> None:
        latencies = {"read": on_grid(steps)}
        fan_out = 4 if scheduling is Scheduling.WAVES else 1
        random = RandomCount({count: 1 / len(counts) for count in counts})
        shares = share_within(plan_of(random, fan_out, scheduling), latencies, 150 * STEP_NS)
        by_count = [
            share_within(plan_of(count, fan_out, scheduling), latencies, 150 * STEP_NS) for count in counts
        ]
        assert shares == pytest.approx(np.mean(by_count, axis=0), abs=WIDENING)

    @settings(max_examples=60, deadline=None)
    @given(LATENCIES_NS, st.integers(1, 60), st.integers(1, 9), st.sampled_from([2, 3]))
    def test_bounds_enclose_drawn_transactions(
        self, latencies_ns: list[int], count: int, fan_out: int, digits: int
    ) -> None:
        latencies = {"read": hdr(latencies_ns, digits).bounds()}
        drawn = np.random.default_rng(7).choice(np.array(latencies_ns), (1_000, count))
        times = {
            plan_of(count): drawn.sum(axis=1),
            plan_of(count, fan_out, Scheduling.POOL): np.array(
                [list_schedule(row, fan_out) for row in drawn.tolist()]
            ),
        }
        for plan, time_ns in times.items():
            window_ns = int(np.quantile(time_ns, 0.6)) + 1
            lower, estimate, upper = share_within(plan, latencies, window_ns, 1 << 12)
            assert lower <= estimate <= upper
            share, error = float((time_ns <= window_ns).mean()), 5.0 * math.sqrt(0.25 / 1_000)
            assert lower - error <= share <= upper + error

    @settings(max_examples=25, deadline=None)
    @given(LATENCIES_NS, st.integers(1, 40), st.integers(1, 12))
    def test_more_at_once_is_never_slower(self, latencies_ns: list[int], count: int, fan_out: int) -> None:
        latencies = {"read": hdr(latencies_ns).bounds()}
        window_ns = max(1, int(np.mean(latencies_ns) * count / 2))
        shares = [
            share_within(plan, latencies, window_ns, 1 << 11)
            for plan in (
                plan_of(count),
                plan_of(count, fan_out, Scheduling.WAVES),
                plan_of(count, fan_out, Scheduling.POOL),
                plan_of(count, 1, Scheduling.PARALLEL),
            )
        ]
        for (slower, _, slower_upper), (faster, _, faster_upper) in itertools.pairwise(shares):
            assert slower <= faster + WIDENING
            assert slower_upper <= faster_upper + WIDENING

    @given(
        st.lists(st.integers(1, 40), min_size=1, max_size=6),
        st.integers(1, 60),
        st.integers(1, 12),
        st.integers(1, 12),
        st.integers(1, 500),
    )
    def test_more_workers_never_lower_the_bound(
        self, steps: list[int], count: int, fewer: int, more: int, window: int
    ) -> None:
        fewer, more = sorted((fewer, more))
        bounds = plan_bounds({"read": on_grid(steps)})

        def lower(fan_out: int, scheduling: Scheduling) -> float:
            return float(bounds.lower(plan_of(count, fan_out, scheduling), window * STEP_NS)[0])

        pool = lower(more, Scheduling.POOL)
        assert pool >= lower(fewer, Scheduling.POOL) - WIDENING
        assert pool >= lower(fewer, Scheduling.WAVES) - WIDENING
        assert lower(more, Scheduling.WAVES) >= lower(fewer, Scheduling.WAVES) - WIDENING

    @settings(max_examples=25, deadline=None)
    @given(LATENCIES_NS, st.integers(1, 30), SCHEDULINGS, st.integers(1, 1_000))
    def test_bounds_narrow_with_finer_buckets_and_follow_count_and_time(
        self, latencies_ns: list[int], count: int, scheduling: Scheduling, window_ms: int
    ) -> None:
        fan_out = 3 if scheduling is Scheduling.WAVES else 1
        coarse, fine = ({"read": hdr(latencies_ns, digits).bounds()} for digits in (1, 3))
        plan, bins, window_ns = plan_of(count, fan_out, scheduling), 1 << 11, window_ms * MS
        lower, _, upper = share_within(plan, fine, window_ns, bins)
        wide_lower, _, wide_upper = share_within(plan, coarse, window_ns, bins)
        assert lower >= wide_lower - WIDENING
        assert upper <= wide_upper + WIDENING
        more_lower, _, more_upper = share_within(
            plan_of(count + 1, fan_out, scheduling), fine, window_ns, bins
        )
        assert more_lower <= lower + WIDENING
        assert more_upper <= upper + WIDENING
        later_lower, _, later_upper = share_within(plan, fine, window_ns + MS, bins)
        assert later_lower >= lower - WIDENING
        assert later_upper >= upper - WIDENING

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=40), st.integers(1, 12))
    def test_a_pool_ends_between_the_times_of_its_bounds(self, latencies: list[float], workers: int) -> None:
        time, total, slowest = list_schedule(latencies, workers), sum(latencies), max(latencies)
        waves = sum(max(latencies[at : at + workers]) for at in range(0, len(latencies), workers))
        rounding = 1e-9 * total
        assert max(total / workers, slowest) <= time + rounding
        assert time <= waves + rounding
        assert time <= total / workers + (1 - 1 / workers) * slowest + rounding
