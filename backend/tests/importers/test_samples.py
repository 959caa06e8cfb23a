"""Single latencies are counted exactly, in whatever order and however few rows the memory holds."""

from collections import Counter

import numpy as np
import pytest

from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers import samples
from tailroom.importers.samples import Samples

_LAYOUT = HdrLayout(NS_PER_US, 5)
_END_NS = 1_000 * NS_PER_S


def _counted(intervals: IntervalRecords) -> dict[tuple[int, int], int]:
    pieces = np.repeat(intervals.start_ns, np.diff(intervals.offsets)).tolist()
    rows = zip(pieces, intervals.indices.tolist(), intervals.counts.tolist(), strict=True)
    return {(start_ns // NS_PER_S, index): count for start_ns, index, count in rows}


@pytest.mark.parametrize(("most_rows", "waiting_rows"), [(1 << 20, 1 << 19), (2_000, 300), (500, 50)])
def test_every_latency_is_in_its_piece(
    most_rows: int, waiting_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "_MAX_ROWS", most_rows)
    monkeypatch.setattr(samples, "_WAITING_ROWS", waiting_rows)
    rng = np.random.default_rng(5)
    group: list[Samples] = []
    held = {most_us: Samples(_LAYOUT, NS_PER_US, group) for most_us in (50, 400_000)}
    expected = {most_us: Counter[tuple[int, int]]() for most_us in held}
    for block in range(60):
        begin_s = int(rng.integers(0, 300)) if block % 7 == 0 else 3 * block
        for most_us, each in held.items():
            at_s, latency_us = begin_s + rng.integers(0, 4, 200), rng.integers(0, most_us, 200)
            each.add(at_s, latency_us)
            expected[most_us].update(zip(at_s.tolist(), _LAYOUT.index_of(latency_us).tolist(), strict=True))
    held[50].miss(7, errors=3)
    for most_us, each in held.items():
        intervals = each.intervals(0, _END_NS)
        of_pieces = Counter[tuple[int, int]]()
        for (second, index), count in expected[most_us].items():
            of_pieces[second // each.interval_s * each.interval_s, index] += count
        assert _counted(intervals) == of_pieces
        assert intervals.errors.sum() == (3 if most_us == 50 else 0)
    assert (held[400_000].interval_s > 1) is (most_rows < 1 << 20)
    assert held[50].interval_s <= held[400_000].interval_s


def test_no_latencies_are_no_pieces() -> None:
    assert Samples(_LAYOUT, NS_PER_US).intervals(0, _END_NS).counts.size == 0
