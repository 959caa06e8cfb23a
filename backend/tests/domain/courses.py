"""Courses over time for tests: pieces with given counts below and over thresholds."""

from collections.abc import Sequence

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S

THRESHOLD_NS = 8 * NS_PER_MS
"""An edge of the buckets of `course`."""

INSIDE_NS = 20 * NS_PER_MS
"""A time inside a bucket of `course`, where its counts have two ends."""

_LAYOUT = ExplicitLayout((0, 1 * NS_PER_MS, THRESHOLD_NS, 64 * NS_PER_MS))


def course(
    over: Sequence[int] | Int64s,
    total: Sequence[int] | Int64s,
    *,
    piece_s: int = 60,
    mean_ms: Sequence[float] | Floats | None = None,
    starts_s: Sequence[int] | Int64s | None = None,
    errors: Sequence[int] | Int64s | None = None,
) -> IntervalRecords:
    """Pieces of one length with counts at or over 8 ms; errors come on top of `total`."""
    slow, all_of = np.asarray(over, dtype=np.int64), np.asarray(total, dtype=np.int64)
    size = slow.size
    table = np.stack((all_of - slow, slow), axis=1)
    filled = table > 0
    none = np.zeros(size, np.int64)
    starts = np.arange(size) * piece_s if starts_s is None else np.asarray(starts_s)
    if mean_ms is None:
        sums = np.full(size, -1, np.int64)
    else:
        sums = (np.asarray(mean_ms) * NS_PER_MS * all_of).astype(np.int64)
    return IntervalRecords(
        layout=_LAYOUT,
        start_ns=starts.astype(np.int64) * NS_PER_S,
        duration_ns=np.full(size, piece_s * NS_PER_S, np.int64),
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(filled.sum(axis=1)))),
        indices=np.tile(np.array([1, 2]), (size, 1))[filled],
        counts=table[filled],
        errors=none if errors is None else np.asarray(errors, dtype=np.int64),
        timeouts=none,
        unfinished=none,
        sum_ns=sums,
        min_ns=np.full(size, -1, np.int64),
        max_ns=np.full(size, -1, np.int64),
    )


def following(size: int, persistence: float, rng: np.random.Generator) -> Floats:
    """Standard normal values, each of which follows the one before it."""
    noise = rng.normal(size=size) * np.sqrt(1.0 - persistence**2)
    series = np.empty(size)
    series[0] = rng.normal()
    for at in range(1, size):
        series[at] = persistence * series[at - 1] + noise[at]
    return series
