"""The mixture on a grid: certain where the narrow mixture is, exact where the truth is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.grid import TransactionInvalid
from tailroom.domain.transactions.interval_mixture import PiecesInvalid, interval_mixture
from tailroom.domain.transactions.mixture_grid import WIDENING, MixtureGrid
from tailroom.domain.transactions.plan import OperationNotMeasured, Plan, RandomCount, Scheduling, Stage
from tailroom.domain.transactions.sequential import LargestCount

MS = 1_000_000
LAYOUT = HdrLayout()


def pieces(*amounts: dict[int, int], misses: tuple[int, ...] = ()) -> IntervalRecords:
    """Latencies in µs and how often each was seen, for each piece of 10 s."""
    found = []
    for position, one in enumerate(amounts):
        at = np.array(sorted(one), dtype=np.int64)
        counts = Counts(LAYOUT.index_of(at), np.array([one[int(value)] for value in at], dtype=np.int64))
        lost = misses[position] if misses else 0
        found.append(LatencyDist(LAYOUT, counts, misses=Misses(errors=lost)))
    start_ns = [position * 10_000 * MS for position in range(len(amounts))]
    return IntervalRecords.of(found, start_ns, [10_000 * MS] * len(amounts))


def plan(count: int, fan_out: int = 1, scheduling: Scheduling = Scheduling.SEQUENTIAL) -> Plan:
    return Plan((Stage("read", count, fan_out, scheduling),))


PLANS = (
    plan(20),
    plan(20, 4, Scheduling.WAVES),
    plan(20, 4, Scheduling.POOL),
    plan(20, 20, Scheduling.PARALLEL),
    Plan((Stage("read", 5), Stage("read", 6, 3, Scheduling.WAVES, 2 * MS))),
)


def test_a_slow_tenth_of_the_time_is_a_tenth_of_the_transactions() -> None:
    # METHOD.md 1.5, `mix-sequential`: nine pieces at 1 ms, one at 5 ms, 250 reads in 1 s.
    records = pieces(*[{1_000: 1_000}] * 9, {5_000: 1_000})
    grid = MixtureGrid(Plan.sequential("read", 250), {"read": records}, 1_000 * MS, 1 << 12)
    found = grid.at_horizon()
    assert found.p_lower == pytest.approx(0.9, abs=1e-6)
    assert found.p_upper == pytest.approx(0.9, abs=1e-6)
    assert found.worst_piece == 9


@pytest.mark.parametrize("asked", PLANS)
@settings(deadline=None, max_examples=15)
@given(
    st.lists(
        st.dictionaries(st.integers(50, 60_000), st.integers(1, 500), min_size=1, max_size=5),
        min_size=1,
        max_size=5,
    ),
    st.integers(3, 400),
)
def test_its_bounds_contain_what_the_narrow_mixture_says(
    asked: Plan, amounts: list[dict[int, int]], window_ms: int
) -> None:
    records = pieces(*amounts)
    narrow = interval_mixture(asked, {"read": records}, window_ms * MS, tolerance=1e-9)
    grid = MixtureGrid(asked, {"read": records}, window_ms * MS, 1 << 10)
    wide = grid.at_horizon()
    assert wide.p_lower <= narrow.p_upper + 1e-9
    assert wide.p_upper >= narrow.p_lower - 1e-9
    assert (wide.lower <= narrow.upper + 1e-9).all()
    assert (wide.upper >= narrow.lower - 1e-9).all()
    curves = grid.curves()
    for rows in (curves.lower, curves.estimate, curves.upper):
        assert (np.diff(rows) >= -2e-7).all()
    assert (curves.lower <= curves.estimate).all()
    assert (curves.estimate <= curves.upper).all()
    assert curves.within(window_ms * MS) == pytest.approx((wide.p_lower, wide.p_estimate, wide.p_upper))


@pytest.mark.parametrize("asked", PLANS[:4])
def test_one_question_agrees_with_the_whole_curve(asked: Plan) -> None:
    records = pieces({1_000: 900, 3_000: 100}, {1_500: 1_000}, {900: 990, 40_000: 10}, misses=(0, 1, 0))
    grid = MixtureGrid(asked, {"read": records}, 45 * MS, 1 << 11)
    whole, lower, upper = grid.at_horizon(), *grid.within(20)
    assert lower >= whole.p_lower - WIDENING
    assert upper <= whole.p_upper + WIDENING


@pytest.mark.parametrize("asked", PLANS[:4])
def test_the_largest_count_lies_between_certain_ends(asked: Plan) -> None:
    records = pieces(*[{1_000: 900, 3_000: 100}, {1_500: 1_000}, {900: 10_000, 40_000: 1}] * 2)
    for guess in (LargestCount(1, 1), LargestCount(30, 40), LargestCount(0, None)):
        grid = MixtureGrid(asked, {"read": records}, 60 * MS, 1 << 11)
        found = grid.largest(0.99, guess)
        assert found.possible is None or found.guaranteed <= found.possible

        def within(count: int) -> tuple[float, float]:
            one = asked.with_count(count)
            answer = interval_mixture(one, {"read": records}, 60 * MS, tolerance=1e-9)
            return answer.p_lower, answer.p_upper

        if found.guaranteed:
            assert within(found.guaranteed)[1] >= 0.99
        if found.possible is not None and found.possible < 10_000:
            assert within(found.possible + 1)[0] < 0.99


def test_fast_reads_have_a_largest_count_that_is_of_use() -> None:
    records = pieces(*[{100: 9_900, 1_000: 100}] * 12)
    grid = MixtureGrid(plan(250), {"read": records}, 1_000 * MS, 1 << 12)
    found = grid.largest(0.999, LargestCount(250, None))
    assert found.possible is not None
    assert 8_000 < found.guaranteed <= found.possible < 9_500


def test_misses_and_open_buckets_are_never_within() -> None:
    layout = ExplicitLayout((0, MS), open_ended=True)
    dist = LatencyDist(layout, Counts(np.array([0, 1]), np.array([90, 5])), misses=Misses(timeouts=5))
    records = IntervalRecords.of([dist, dist], [0, MS], [MS, MS])
    found = MixtureGrid(plan(1), {"read": records}, 2 * MS, 1 << 8).at_horizon()
    assert found.p_lower == pytest.approx(0.9, abs=1e-6)
    assert found.p_upper == pytest.approx(0.95, abs=1e-6)


def test_what_cannot_be_mixed_is_refused() -> None:
    records = pieces({1_000: 5}, {1_000: 5})
    with pytest.raises(TransactionInvalid):
        MixtureGrid(plan(2), {"read": records}, 0, 64)
    with pytest.raises(TransactionInvalid):
        MixtureGrid(Plan((Stage("read", 2, overhead_ns=MS),)), {"read": records}, MS, 64)
    with pytest.raises(OperationNotMeasured):
        MixtureGrid(plan(2), {"write": records}, MS, 64)
    with pytest.raises(PiecesInvalid, match="random"):
        MixtureGrid(Plan((Stage("read", RandomCount({2: 1.0})),)), {"read": records}, MS, 64)
    with pytest.raises(PiecesInvalid):
        MixtureGrid(plan(2), {"read": IntervalRecords.empty(LAYOUT)}, MS, 64)
    both = Plan((Stage("read", 2), Stage("write", 2)))
    with pytest.raises(PiecesInvalid, match="write"):
        MixtureGrid(both, {"read": records, "write": pieces({1_000: 5})}, MS, 64)
