"""Records of unequal layouts side by side: bounds of the sums, in any order of merging."""

import math
from fractions import Fraction

import numpy as np
import pytest
from backend.tests.domain.latency.samples import LAYOUTS, recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import (
    CountBounds,
    DistributionEmpty,
    LatencyDist,
    LatencyRecord,
    Misses,
    TimeBounds,
)
from tailroom.domain.latency.knots import CountsUnknown, KnotsRecord
from tailroom.domain.latency.layouts import BucketLayout, HdrLayout, Pow2Layout
from tailroom.domain.latency.merged_record import MergedPartsInvalid, MergedRecord
from tailroom.domain.latency.published import from_percentiles

MS = 1_000_000
LATENCIES = st.lists(st.integers(0, 5 * 10**9), min_size=1, max_size=40)
RECORDED = st.tuples(st.sampled_from([*LAYOUTS, None]), LATENCIES, st.integers(0, 2), st.booleans())
PARTS = st.lists(RECORDED, min_size=1, max_size=5)


def made(
    layout: BucketLayout | None, latencies: list[int], errors: int, more: bool
) -> LatencyDist | KnotsRecord:
    values = np.sort(np.array(latencies, dtype=np.int64))
    if layout is not None:
        return recorded(values, layout, (MS, 10**9), Misses(errors=errors), summed=more, ends=more)
    ranks = [max(1, math.ceil(Fraction(p) * values.size)) for p in ("0.5", "0.9", "0.99")]
    mean = float(values.mean())
    return from_percentiles(
        [(p, int(values[rank - 1])) for p, rank in zip(("0.5", "0.9", "0.99"), ranks, strict=True)],
        count=len(latencies),
        mean_limits_ns=(mean * (1 - 1e-12), mean * (1 + 1e-12)) if more else None,
        misses=Misses(errors=errors),
    )


def answers(record: MergedRecord, times: Int64s) -> list[object]:
    mean = record.mean_ns
    return [
        record.total,
        record.misses,
        None if mean is None else tuple(pytest.approx(end, rel=1e-12) for end in mean),
        [end.tolist() for end in record.below_each(times)],
        record.edges_ns().tolist(),
        [record.quantile_bounds(q) for q in (0.1, 0.5, 0.99, 1.0)],
    ]


@given(PARTS, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=80)
def test_merging_is_associative_and_commutative(
    parts: list[tuple[BucketLayout | None, list[int], int, bool]], random: object
) -> None:
    records: list[LatencyRecord] = [made(*part) for part in parts]
    times = np.array(sorted({at for part in parts for at in part[1][:5]} | {0, MS, 10**10}), dtype=np.int64)
    at_once = answers(MergedRecord.of(records), times)
    one_by_one = MergedRecord.of(records[:1])
    for record in records[1:]:
        one_by_one = MergedRecord.of([one_by_one, record])
    assert answers(one_by_one, times) == at_once
    random.shuffle(records)  # type: ignore[attr-defined]
    nested = MergedRecord.of(records[-1:])
    for record in reversed(records[:-1]):
        nested = MergedRecord.of([record, nested])
    assert answers(nested, times) == at_once
    layouts = [part.layout for part in nested.parts if isinstance(part, LatencyDist)]
    assert len(layouts) <= 2 * len(set(layouts))


@given(PARTS, st.lists(st.integers(0, 6 * 10**9), min_size=1, max_size=6))
@settings(deadline=None, max_examples=100)
def test_the_truth_lies_between_the_bounds(
    parts: list[tuple[BucketLayout | None, list[int], int, bool]], times: list[int]
) -> None:
    record = MergedRecord.of([made(*part) for part in parts])
    truth = np.sort(np.array([latency for part in parts for latency in part[1]], dtype=np.int64))
    misses = sum(part[2] for part in parts)
    tolerance_ns = record.edge_tolerance_ns
    assert record.total == truth.size + misses
    assert isinstance(record, LatencyRecord)
    for time_ns in [*times, int(truth[0]), int(truth[-1]) + 1]:
        below = record.below(time_ns)
        assert below.lower <= int((truth < time_ns + tolerance_ns).sum())
        assert int((truth < time_ns - tolerance_ns).sum()) <= below.upper
        lower, upper = record.cdf_bounds(time_ns)
        assert (lower, upper) == (below.lower / record.total, below.upper / record.total)
        assert record.at_or_over(time_ns) == CountBounds(
            record.total - below.upper, record.total - below.lower
        )
    for quantile in (0.01, 0.5, 0.9, 1.0):
        rank = max(1, math.ceil(Fraction(str(quantile)) * record.total))
        found = record.quantile_bounds(quantile)
        if rank > truth.size:
            assert found.upper_ns is None
            continue
        assert found.lower_ns <= int(truth[rank - 1])
        assert found.upper_ns is None or int(truth[rank - 1]) < found.upper_ns
    bounds = record.bounds()
    grid = np.unique(np.concatenate((truth, truth + 1, record.edges_ns())))
    exact = np.searchsorted(truth, grid, side="left") / record.total
    for law, sign in ((bounds.early, 1), (bounds.late, -1)):
        running = np.concatenate((np.zeros(1), np.cumsum(law.ratio)))
        drawn = running[np.searchsorted(law.at_ns, grid, side="left")]
        assert (sign * (drawn - exact) >= -1e-9).all()
    mean = record.mean_ns
    if mean is not None:
        assert mean[0] * (1 - 1e-9) <= float(truth.mean()) <= mean[1] * (1 + 1e-9)


def test_nothing_is_split_and_no_edge_is_lost() -> None:
    coarse = recorded(np.array([1_500_000, 3_000_000]), Pow2Layout(MS))
    fine = recorded(np.array([1_500_000, 3_000_000]), HdrLayout())
    both = MergedRecord.of([coarse, fine])
    assert both.below(1_600_000) == CountBounds(1, 2)
    assert both.cdf_bounds(2 * MS) == (0.5, 0.5)
    assert both.quantile_bounds(0.25) == TimeBounds(1_000_000, 1_501_000)
    assert both.quantile_bounds(0.5) == TimeBounds(1_500_000, 2_000_000)
    assert set(both.edges_ns().tolist()) >= set(coarse.edges_ns().tolist()) | set(fine.edges_ns().tolist())


def test_equal_layouts_are_added_up() -> None:
    one = recorded(np.array([MS]), HdrLayout(), (MS,))
    both = MergedRecord.of([one, MergedRecord.of([one, recorded(np.array([MS]), Pow2Layout(MS))])])
    assert len(both.parts) == 2
    assert both.total == 3
    # Records that counted other thresholds stay apart, so that no exact counter is lost.
    assert len(MergedRecord.of([one, recorded(np.array([MS]), HdrLayout(), (2 * MS,))]).parts) == 2


def test_what_has_no_weight_is_refused() -> None:
    one = recorded(np.array([MS]), HdrLayout())
    with pytest.raises(CountsUnknown, match="record 1"):
        MergedRecord.of([one, from_percentiles([("0.5", 100)])])
    with pytest.raises(DistributionEmpty, match="no record"):
        MergedRecord.of([])
    with pytest.raises(MergedPartsInvalid, match="int"):
        MergedRecord.of([5])  # type: ignore[list-item]
    empty = MergedRecord.of([recorded(np.empty(0, np.int64), HdrLayout())])
    assert (empty.total, empty.mean_ns) == (0, None)
    for ask in (empty.bounds, lambda: empty.cdf_bounds(1), lambda: empty.quantile_bounds(0.5)):
        with pytest.raises(DistributionEmpty):
            ask()
