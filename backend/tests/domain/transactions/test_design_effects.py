"""Times at which design effects are computed: close to each other among the slowest operations."""

import numpy as np
import pytest

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions.design_effects import effect_times_ns


def test_times_are_at_the_slowest_operations_four_an_octave_and_at_every_128th() -> None:
    total = 1 << 17
    one_each = Counts(np.arange(total), np.ones(total, np.int64))
    record = LatencyDist(ExplicitLayout(tuple(range(1, total + 2))), one_each)
    times_ns = effect_times_ns(record)
    over = sorted(record.at_or_over(int(time_ns)).lower for time_ns in times_ns)
    assert over[:8] == list(range(8))
    assert over[8:36] == pytest.approx(8 * 2 ** (np.arange(28) / 4), abs=1)
    assert over[-127:] == list(range(1_024, total, 1_024))


def test_edges_next_to_no_rank_are_left_out() -> None:
    over = np.array([1 << 17, 3_000, 1_700, 1_600, 1_500, 900, 0])
    record = LatencyDist(ExplicitLayout(tuple(range(7))), Counts(np.arange(6), -np.diff(over)))
    assert effect_times_ns(record).tolist() == [1, 2, 4, 5, 6]


def test_a_record_without_operations_has_no_times() -> None:
    none = np.empty(0, np.int64)
    assert effect_times_ns(LatencyDist(ExplicitLayout((0, 5)), Counts(none, none))).size == 0
