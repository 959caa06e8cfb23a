"""Pieces at their best: as many operations as before, none of them slow but what failed."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.at_best import at_best
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import BucketLayout, ExplicitLayout, HdrLayout, Pow2Layout

LAYOUTS: tuple[BucketLayout, ...] = (
    HdrLayout(1_000, 2),
    Pow2Layout(1_000_000),
    ExplicitLayout((1_000, 5_000, 9_000), open_ended=True),
)
PIECES = st.lists(
    st.tuples(
        st.dictionaries(st.integers(0, 2), st.integers(1, 50)),
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)),
        st.booleans(),
    ),
    min_size=1,
    max_size=10,
)


@given(PIECES, st.sampled_from(LAYOUTS))
@settings(deadline=None, max_examples=80)
def test_only_pieces_in_doubt_change_and_only_to_answers_at_once(
    pieces: list[tuple[dict[int, int], tuple[int, int, int], bool]], layout: BucketLayout
) -> None:
    least_ns, least_end_ns = (int(edge[0]) for edge in layout.edges_ns(np.zeros(1, np.int64)))
    dists = [
        LatencyDist(
            layout,
            Counts(
                np.array(sorted(filled), np.int64), np.array([filled[i] for i in sorted(filled)], np.int64)
            ),
            pins={least_end_ns: sum(n for i, n in filled.items() if i > 0)},
            misses=Misses(*misses),
        )
        for filled, misses, _ in pieces
    ]
    doubtful = np.array([one for _, _, one in pieces])
    number = np.arange(len(dists), dtype=np.int64)
    records = IntervalRecords.of(dists, number, np.ones(len(dists), np.int64), layout=layout)
    best = at_best(records, doubtful)
    assert best.totals.tolist() == records.totals.tolist()
    for row, is_unreliable in enumerate(doubtful):
        before, after = records.distribution(row), best.distribution(row)
        if not is_unreliable:
            assert after.counts.counts.tolist() == before.counts.counts.tolist()
            assert (after.pins, after.misses) == (before.pins, before.misses)
            continue
        assert after.misses == Misses(before.misses.errors, before.misses.timeouts)
        failed = before.misses.errors + before.misses.timeouts
        assert after.at_or_over(least_ns + 1).upper == failed
        if after.count:
            assert (after.sum_ns, after.min_ns, after.max_ns) == (after.count * least_ns, least_ns, least_ns)
    assert best.total().total == records.total().total


def test_nothing_in_doubt_changes_nothing() -> None:
    dist = LatencyDist(HdrLayout(), Counts(np.array([3]), np.array([5])), pins={1_000_000: 0})
    records = IntervalRecords.of([dist, dist], [0, 1], [1, 1])
    best = at_best(records, np.zeros(2, np.bool_))
    assert best.indices.tolist() == records.indices.tolist()
    assert best.pins.tolist() == records.pins.tolist()
