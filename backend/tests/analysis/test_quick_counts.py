"""Quick counts are the counts of the records."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.records.quick_counts import QuickCounts

LAYOUT = HdrLayout()
PIECE = st.lists(st.integers(0, 5_000), max_size=30)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(PIECE, max_size=6), st.lists(st.integers(0, 6_000_000), min_size=1, max_size=8), st.booleans()
)
def test_they_equal_the_counts_of_the_records(
    latencies_us: list[list[int]], thresholds_ns: list[int], with_pins: bool
) -> None:
    pieces = []
    for position, one in enumerate(latencies_us):
        taken_ns = np.array(one, dtype=np.int64) * 1000 + 7
        indices, counts = np.unique(LAYOUT.index_of(taken_ns // 1000), return_counts=True)
        pins = {pin: int((taken_ns >= pin).sum()) for pin in (1_000_000, 1_000_003)} if with_pins else {}
        known = {"min_ns": int(taken_ns.min()), "max_ns": int(taken_ns.max())} if one else {}
        pieces.append(
            LatencyDist(LAYOUT, Counts(indices, counts), pins=pins, misses=Misses(position), **known)
        )
    start_ns = [position * 10 for position in range(len(pieces))]
    records = IntervalRecords.of(pieces, start_ns, [10] * len(pieces), layout=LAYOUT)
    quick = QuickCounts(records)
    for at in (*thresholds_ns, 1_000_000, 1_000_001, 1_000_003, 0):
        assert quick.over(at).tolist() == records.over(at)[1].tolist(), at
    many = np.unique(np.array([*thresholds_ns, 1_000_000, 1_000_001, 1_000_003, 0]))
    assert records.most_over(many).tolist() == [records.over(at)[1].tolist() for at in many.tolist()]
