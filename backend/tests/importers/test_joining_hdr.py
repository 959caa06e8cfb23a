"""Logs of several clients that the HdrHistogram library wrote: the join equals its sum, count by count."""

import numpy as np
from hdrh.histogram import HdrHistogram

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.importers.joining import joined_files
from tailroom.importers.registry import read_together
from tailroom.importers.source import from_bytes

CLIENTS, SECONDS = 8, 12
_HEAD = "#[Logging for: READ]\n#[Histogram log format version 1.3]\n#[StartTime: 1790000000 (seconds)]\n"


def _histogram() -> HdrHistogram:
    return HdrHistogram(1, 3_600_000_000, 3)


def test_the_sum_of_the_library_is_the_join_count_by_count() -> None:
    rng = np.random.default_rng(38)
    together, files = _histogram(), []
    for client in range(CLIENTS):
        rows = [_HEAD]
        for second in range(SECONDS):
            of_second = _histogram()
            for latency_us in (rng.lognormal(7, 2, 40) + 1).astype(np.int64).tolist():
                of_second.record_value(min(latency_us, 3_000_000_000))
            together.add(of_second)
            rows.append(
                f"{second}.000,1.000,{of_second.get_max_value()}.000,{of_second.encode().decode('ascii')}\n"
            )
        files.append(from_bytes(f"client{client}.hdr", "".join(rows).encode()))
    record = joined_files(list(read_together(files))).series[0].record
    assert isinstance(record, LatencyDist)
    assert record.total == together.get_total_count() == CLIENTS * SECONDS * 40
    held = {
        value.value_iterated_to: value.count_at_value_iterated_to
        for value in together.get_recorded_iterator()
    }
    assert isinstance(record.layout, HdrLayout)
    _, upper_us = record.layout.edges_units(record.counts.indices)
    assert dict(zip((upper_us - 1).tolist(), record.counts.counts.tolist(), strict=True)) == held
