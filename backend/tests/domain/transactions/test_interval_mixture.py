"""The mixture over pieces: known answers, certain bounds in every piece, refinement, and what is refused."""

import numpy as np
import pytest
from backend.tests.domain.oracles import oracle
from backend.tests.domain.transactions.laws import MS
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions import piece_sums
from tailroom.domain.transactions.composition import transaction_within
from tailroom.domain.transactions.grid import TransactionInvalid
from tailroom.domain.transactions.interval_mixture import MixtureResult, PiecesInvalid, interval_mixture
from tailroom.domain.transactions.piece_laws import PieceLaws
from tailroom.domain.transactions.piece_sums import Group, transformed_bounds
from tailroom.domain.transactions.plan import OperationNotMeasured, Plan, RandomCount, Scheduling, Stage

SECOND = 1000 * MS
PLANS = [
    Plan((Stage("read", 30),)),
    Plan((Stage("read", 30, 1, Scheduling.PARALLEL),)),
    Plan((Stage("read", 30, 7, Scheduling.WAVES),)),
    Plan((Stage("read", 30, 4, Scheduling.POOL),)),
    Plan((Stage("read", 20), Stage("read", 8, 1, Scheduling.PARALLEL, 3 * MS))),
    Plan((Stage("read", 10), Stage("read", 12, 4, Scheduling.POOL))),
    Plan((Stage("read", RandomCount({5: 0.5, 40: 0.5})),)),
]


def records(pieces: list[LatencyDist], length_ns: int = 10**10) -> IntervalRecords:
    start = [length_ns * position for position in range(len(pieces))]
    return IntervalRecords.of(pieces, start, [length_ns] * len(pieces))


def piece(layout: ExplicitLayout, shares: list[float], count: int = 10_000, misses: int = 0) -> LatencyDist:
    amounts = np.array([round(share * count) for share in shares])
    filled = np.flatnonzero(amounts)
    return LatencyDist(layout, Counts(filled, amounts[filled]), misses=Misses(errors=misses))


def hdr_piece(latencies_ns: np.ndarray[tuple[int, ...], np.dtype[np.int64]], digits: int = 3) -> LatencyDist:
    layout = HdrLayout(1000, digits)
    indices, amounts = np.unique(layout.index_of(latencies_ns // 1000), return_counts=True)
    return LatencyDist(layout, Counts(indices, amounts.astype(np.int64)))


def test_parallel_mixture_is_not_the_pooled_law() -> None:
    given_, expected, tolerance = oracle("mix-parallel")
    layout = ExplicitLayout((0, 10 * MS), open_ended=True)
    # Nine pieces with 1 in 10,000 reads over 10 ms, one with 100 in 10,000.
    pieces = [piece(layout, [1 - share, share]) for share in [given_["p"][0]] * 9 + [given_["p"][1]]]
    plan = Plan((Stage("read", given_["N"], 1, Scheduling.PARALLEL),))
    found = interval_mixture(plan, {"read": records(pieces)}, 10 * MS)
    mixture = 1.0 - np.array([found.p_upper, found.p_estimate, found.p_lower])
    assert mixture == pytest.approx([expected["mixture"]] * 3, abs=tolerance)
    pooled = transaction_within(plan, {"read": records(pieces).total().bounds()}, 10 * MS)
    assert 1.0 - np.array(pooled) == pytest.approx([expected["pooled_iid"]] * 3, abs=1e-11)
    assert found.worst_piece == 9


def test_sequential_mixture_is_not_the_pooled_law() -> None:
    # 90 % of the time reads take 1 ms, 10 % of the time 5 ms: 250 of them take 0.25 s or 1.25 s.
    layout = ExplicitLayout((MS - 1, MS, 5 * MS, 5 * MS + 1))
    pieces = [piece(layout, [1.0, 0.0, 0.0])] * 9 + [piece(layout, [0.0, 0.0, 1.0])]
    found = interval_mixture(Plan.sequential("read", 250), {"read": records(pieces)}, SECOND)
    assert 1.0 - found.p_upper == pytest.approx(0.1, abs=1e-9)
    assert 1.0 - found.p_lower == pytest.approx(0.1, abs=1e-9)
    pooled = transaction_within(
        Plan.sequential("read", 250), {"read": records(pieces).total().bounds()}, SECOND
    )
    assert pooled[0] > 1.0 - 2e-12
    compliance = found.compliance(0.999)
    assert (compliance.meeting_lower, compliance.meeting_upper) == (0.9, 0.9)
    assert (compliance.longest_run_missing, compliance.first_missing) == (1, 9)


def check_against_single_pieces(
    found: MixtureResult, plan: Plan, pieces: list[LatencyDist], window_ns: int, bins: int = 1 << 13
) -> None:
    """Bounds of both ways enclose the same truth; both estimates lie within the other's bounds."""
    for position, one in enumerate(pieces):
        lower, estimate, upper = transaction_within(
            plan, {"read": one.bounds()}, window_ns, bins, replications=500
        )
        assert found.lower[position] <= upper + 1e-9
        assert lower <= found.upper[position] + 1e-9
        assert lower - 0.05 <= found.estimate[position] <= upper + 0.05
        assert found.lower[position] <= found.estimate[position] <= found.upper[position]
        del estimate


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("digits", [1, 3])
def test_every_piece_agrees_with_the_plan_by_itself(plan: Plan, digits: int) -> None:
    rng = np.random.default_rng(11)
    pieces = [
        hdr_piece((rng.lognormal(np.log(median), 0.7, 3_000) * MS).astype(np.int64), digits)
        for median in (0.2, 1.0, 2.0, 3.0, 4.0, 8.0)
    ]
    window_ns = 90 * MS
    found = interval_mixture(plan, {"read": records(pieces)}, window_ns)
    check_against_single_pieces(found, plan, pieces, window_ns)
    assert found.p_lower <= found.p_estimate <= found.p_upper
    assert found.p_lower == pytest.approx(float(found.weights @ found.lower))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 30), min_size=8, max_size=8).filter(any), min_size=1, max_size=4),
    st.integers(1, 12),
    st.integers(5, 120),
    st.sampled_from([Scheduling.SEQUENTIAL, Scheduling.WAVES]),
    st.sampled_from([1 << 7, 1 << 9, 1 << 12]),
)
def test_the_truth_lies_between_the_bounds(
    amounts: list[list[int]], count: int, window_ms: int, scheduling: Scheduling, length: int
) -> None:
    """Latencies are whole milliseconds, recorded in buckets of 2.5 ms that know less; the truth is exact."""
    values_ms = [1, 3, 4, 6, 8, 11, 17, 18]
    layout = ExplicitLayout(tuple(round(2.5 * MS) * step for step in range(9)))
    plan = Plan((Stage("read", count, 3 if scheduling is Scheduling.WAVES else 1, scheduling),))
    window_ns = window_ms * MS + MS // 2
    exact = ExplicitLayout(tuple(edge for ms in values_ms for edge in (ms * MS, ms * MS + 1)))
    truths, pieces = [], []
    for row in amounts:
        dist = LatencyDist(
            exact, Counts(2 * np.flatnonzero(row), np.array([one for one in row if one], dtype=np.int64))
        )
        points = dist.bounds().early
        laws = {"read": type(dist.bounds())(points, points, points, continuous=False)}
        truths.append(transaction_within(plan, laws, window_ms * MS)[1])
        buckets = np.bincount([round(ms * MS) // round(2.5 * MS) for ms in values_ms], weights=row)
        pieces.append(
            LatencyDist(layout, Counts(np.flatnonzero(buckets), buckets[buckets > 0].astype(np.int64)))
        )
    laws_of_all = PieceLaws.of(records(pieces))
    # The core by itself at a length that is far too short, and the search around it.
    if scheduling is Scheduling.SEQUENTIAL:
        window = np.full(len(pieces), float(window_ns))
        core = transformed_bounds([Group(laws_of_all, count)], window, length)
        assert (core.lower <= np.array(truths) + 1e-12).all()
        assert (core.upper >= np.array(truths) - 1e-12).all()
    found = interval_mixture(plan, {"read": records(pieces)}, window_ns)
    assert (found.lower <= np.array(truths) + 1e-12).all()
    assert (found.upper >= np.array(truths) - 1e-12).all()


def test_a_step_that_all_edges_share_leaves_no_grid_error() -> None:
    layout = ExplicitLayout((0, MS, 8 * MS, 64 * MS), open_ended=True)
    pieces = [piece(layout, shares) for shares in ([0.95, 0.04, 0.009, 0.001], [0.9, 0.09, 0.009, 0.001])]
    found = interval_mixture(Plan.sequential("read", 250), {"read": records(pieces)}, SECOND)
    each = [
        transaction_within(Plan.sequential("read", 250), {"read": one.bounds()}, SECOND) for one in pieces
    ]
    assert found.lower == pytest.approx([one[0] for one in each], abs=1e-9)
    assert found.upper == pytest.approx([one[2] for one in each], abs=1e-9)
    assert found.lower[0] == pytest.approx(0.7786912243862698, abs=1e-9)


def test_slow_bulk_is_bounded_more_narrowly_than_by_rounding() -> None:
    rng = np.random.default_rng(3)
    pieces = [hdr_piece(rng.normal(3.98 * MS, 0.3 * MS, 20_000).astype(np.int64)) for _ in range(3)]
    plan = Plan.sequential("read", 250)
    found = interval_mixture(plan, {"read": records(pieces)}, SECOND)
    check_against_single_pieces(found, plan, pieces, SECOND, 1 << 17)
    rounded = transaction_within(plan, {"read": pieces[0].bounds()}, SECOND, 1 << 17)
    assert 0.02 < rounded[1] < 0.999
    assert found.upper[0] - found.lower[0] < rounded[2] - rounded[0]
    assert found.estimate[0] == pytest.approx(rounded[1], abs=2e-3)


def test_rare_stalls_are_seen_where_they_are() -> None:
    rng = np.random.default_rng(4)
    quiet = rng.lognormal(np.log(110_000), 0.4, 30_000).astype(np.int64)
    stalled = np.concatenate((quiet, rng.integers(300 * MS, 900 * MS, 150)))
    pieces = [hdr_piece(quiet)] * 19 + [hdr_piece(stalled)]
    found = interval_mixture(Plan.sequential("read", 250), {"read": records(pieces)}, SECOND)
    assert (found.lower[:19] > 1 - 1e-9).all()
    assert found.upper[19] < 0.95
    assert found.p_upper - found.p_lower < 1e-4
    assert found.worst_piece == 19
    check_against_single_pieces(found, Plan.sequential("read", 250), pieces, SECOND, 1 << 15)


def test_weights_are_operations_and_misses_count() -> None:
    layout = ExplicitLayout((0, MS))
    pieces = [piece(layout, [1.0], 900), piece(layout, [1.0], 50, misses=50), piece(layout, [0.0], 1)]
    found = interval_mixture(Plan.sequential("read", 3), {"read": records(pieces)}, SECOND)
    assert found.size == 2
    assert found.weights == pytest.approx([0.9, 0.1])
    assert found.p_lower == pytest.approx(0.9 + 0.1 * 0.5**3, abs=1e-9)
    assert found.p_upper == pytest.approx(found.p_lower, abs=1e-9)


def test_a_piece_without_a_needed_operation_says_nothing() -> None:
    layout = ExplicitLayout((0, MS))
    reads = records([piece(layout, [1.0])] * 4)
    writes = records([piece(layout, [1.0])] * 4).selected(np.array([0, 1, 3]))
    plan = Plan((Stage("read", 3), Stage("write", 1)))
    found = interval_mixture(plan, {"read": reads, "write": writes}, SECOND)
    assert found.lower == pytest.approx([1, 1, 0, 1], abs=1e-9)
    assert found.upper == pytest.approx([1, 1, 1, 1], abs=1e-9)
    assert found.p_lower == pytest.approx(0.75, abs=1e-9)


def test_a_smaller_budget_only_widens() -> None:
    rng = np.random.default_rng(8)
    pieces = [hdr_piece(rng.exponential(3.5 * MS, 5_000).astype(np.int64)) for _ in range(6)]
    plan = Plan.sequential("read", 250)
    wide = interval_mixture(plan, {"read": records(pieces)}, SECOND, points=1 << 16)
    narrow = interval_mixture(plan, {"read": records(pieces)}, SECOND)
    none = interval_mixture(plan, {"read": records(pieces)}, SECOND, points=0)
    assert none.refined_points == 0
    assert none.p_lower <= wide.p_lower <= narrow.p_lower <= narrow.p_upper <= wide.p_upper <= none.p_upper
    assert narrow.p_upper - narrow.p_lower < 0.5 * (wide.p_upper - wide.p_lower)
    again = interval_mixture(plan, {"read": records(pieces)}, SECOND)
    assert (again.p_lower, again.p_upper) == (narrow.p_lower, narrow.p_upper)


def test_overheads_shift_and_may_leave_nothing() -> None:
    layout = ExplicitLayout((0, MS))
    plan = Plan((Stage("read", 3, overhead_ns=5 * MS),))
    recorded = {"read": records([piece(layout, [1.0])] * 2)}
    assert interval_mixture(plan, recorded, 8 * MS).p_lower == pytest.approx(1.0, abs=1e-9)
    assert interval_mixture(plan, recorded, 5 * MS).p_upper == 0.0


def test_questions_without_an_answer() -> None:
    layout = ExplicitLayout((0, MS))
    empty = {"read": IntervalRecords.empty(layout)}
    full = {"read": records([piece(layout, [1.0])])}
    with pytest.raises(PiecesInvalid, match="no piece holds"):
        interval_mixture(Plan.sequential("read", 3), empty, SECOND)
    with pytest.raises(OperationNotMeasured):
        interval_mixture(Plan.sequential("scan", 3), full, SECOND)
    with pytest.raises(TransactionInvalid, match="window"):
        interval_mixture(Plan.sequential("read", 3), full, 0)
    with pytest.raises(PiecesInvalid, match="tolerance"):
        interval_mixture(Plan.sequential("read", 3), full, SECOND, tolerance=float("nan"))
    counts = RandomCount(dict.fromkeys(range(1, 301), 1 / 300))
    with pytest.raises(PiecesInvalid, match="combinations"):
        interval_mixture(Plan((Stage("read", counts),)), full, SECOND)


def test_limits_of_sums_of_independent_terms_hold() -> None:
    rng = np.random.default_rng(6)
    at = np.array([0.0, 1.0, 30.0])
    ratio = np.array([0.6, 0.37, 0.03])
    laws = PieceLaws(1, np.zeros(3, np.int64), at, at, ratio)
    terms = piece_sums._Terms.of([Group(laws, 50)], [at], np.full(1, 1e9))
    sums = rng.choice(at, (200_000, 50), p=ratio).sum(axis=1)
    for limit in (60.0, 100.0, 160.0):
        assert (sums > limit).mean() <= terms.chance_over(np.array([limit]))[0] + 1e-3
    for limit in (5.0, 12.0):
        assert (sums <= limit).mean() <= terms.chance_under(np.array([limit]))[0] + 1e-3
