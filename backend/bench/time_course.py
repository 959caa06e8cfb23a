"""Measure the analyses of a run over time: change points, bootstrap, drift, worst rolling hour, burn rates.

Sizes are those of the longest runs: 10,000 slices (69 days of ten minutes), 8,640 intervals (a day of ten
seconds) resampled 2,000 times, 86,400 slices (a day of seconds). Change points are also searched in data
without changes, for which the textbook algorithm is slowest. Print medians; with `--json`, one JSON object.
"""

import argparse
import json
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from tailroom.domain.confidence.bootstrap import bootstrap_ratio
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.time_course.burn_rate import SloCourse, burn_alerts, fastest_burns
from tailroom.domain.time_course.change_points import change_points
from tailroom.domain.time_course.drift import drift_of_share
from tailroom.domain.time_course.e_divisive import e_divisive
from tailroom.domain.time_course.late_degradation import late_degradation
from tailroom.domain.time_course.steady_state import steady_state
from tailroom.domain.time_course.worst_hour import worst_aligned, worst_rolling

SLICES = 10_000
OPERATIONS = 1_200_000
PIECES = 86_400
THRESHOLD_NS = 8_000_000
LAYOUT = HdrLayout()


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--repeat", type=int, default=5, help="medians are over this many attempts")
    arguments = parser.parse_args()
    figures = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        **_bootstrapping(arguments.repeat),
        **_changes(arguments.repeat),
        **_pieces(arguments.repeat),
    }
    if arguments.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for name, value in figures.items():
        shown = value if isinstance(value, str) else f"{value:,.3f}".rstrip("0").rstrip(".")
        sys.stdout.write(f"{name:65} {shown}\n")


def _bootstrapping(repeat: int) -> dict[str, float]:
    """Return the time and the additional memory of a bootstrap over a day."""
    rng = np.random.default_rng(1)
    total = np.full(8_640, 20_000.0)
    over = rng.binomial(20_000, 0.001 * np.exp(0.3 * rng.normal(size=8_640))).astype(float)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    figures = {
        "seconds to resample a share over 8,640 intervals 2,000 times": _median(
            lambda: bootstrap_ratio(over, total), repeat
        ),
    }
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    figures["MiB more in memory at most while resampling"] = more / 1024
    return figures


def _changes(repeat: int) -> dict[str, float]:
    """Return the times of change points, E-divisive and drift on 10,000 slices."""
    rng = np.random.default_rng(2)
    total = np.full(SLICES, OPERATIONS)
    courses = {
        "no change": np.full(SLICES, 0.001),
        "no change, far more scatter than by chance": 0.001 * np.exp(0.3 * rng.normal(size=SLICES)),
        "nothing over until the end": np.where(np.arange(SLICES) < SLICES - 100, 0.0, 0.001),
        "100 changes": np.repeat(0.001 * np.exp(rng.normal(size=100)), SLICES // 100),
        "a drift": np.linspace(0.001, 0.003, SLICES),
    }
    counts: dict[str, Int64s] = {name: rng.binomial(total, share) for name, share in courses.items()}
    figures = {
        f"seconds for change points of 10,000 slices ({name})": _median(
            lambda over=over: change_points(over, total),  # type: ignore[misc]
            repeat,
        )
        for name, over in counts.items()
    }
    plain = counts["no change"]
    figures["seconds for E-divisive on 10,000 slices"] = _median(lambda: e_divisive(plain / total), repeat)
    figures["seconds for the drift of 10,000 slices"] = _median(
        lambda: drift_of_share(plain, total, np.arange(SLICES) / 6.0), repeat
    )
    return figures


def _pieces(repeat: int) -> dict[str, float]:
    """Return the times of analyses of a day in slices of a second."""
    records = _day_of_seconds()
    over, _ = records.over(THRESHOLD_NS)
    course = SloCourse(records.start_ns, records.duration_ns, over, records.totals, 0.999)
    return {
        "seconds for the worst rolling hour of 86,400 pieces": _median(
            lambda: worst_rolling(records, THRESHOLD_NS), repeat
        ),
        "seconds for the worst aligned hour of 86,400 pieces": _median(
            lambda: worst_aligned(records, THRESHOLD_NS), repeat
        ),
        "seconds for burn rates of 86,400 pieces": _median(
            lambda: (fastest_burns(course), burn_alerts(course)), repeat
        ),
        "seconds for the steady state of 86,400 pieces, 3 thresholds": _median(
            lambda: steady_state(records, {1_000_000: 0.05, THRESHOLD_NS: 0.01, 64_000_000: 0.001}), repeat
        ),
        "seconds for late degradation in 86,400 pieces": _median(
            lambda: late_degradation(records, THRESHOLD_NS, 0.01), repeat
        ),
    }


def _day_of_seconds() -> IntervalRecords:
    """Return a day in slices of a second, with about 40 filled buckets each."""
    rng = np.random.default_rng(3)
    at_us = np.unique(np.geomspace(80, 40_000, 40).astype(np.int64))
    buckets = np.unique(LAYOUT.index_of(at_us))
    counts = rng.poisson(1.0 + 2_000.0 / np.arange(1, buckets.size + 1) ** 2, (PIECES, buckets.size))
    filled = counts > 0
    unknown, none = np.full(PIECES, -1, np.int64), np.zeros(PIECES, np.int64)
    second = 10**9
    middle_ns = np.array(LAYOUT.edges_ns(buckets)).mean(axis=0).astype(np.int64)
    return IntervalRecords(
        layout=LAYOUT,
        start_ns=np.arange(PIECES) * second,
        duration_ns=np.full(PIECES, second),
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(filled.sum(axis=1)))),
        indices=np.tile(buckets, (PIECES, 1))[filled],
        counts=counts[filled],
        errors=none,
        timeouts=none,
        unfinished=none,
        sum_ns=counts @ middle_ns,
        min_ns=unknown,
        max_ns=unknown,
    )


def _median(action: Callable[[], object], repeat: int) -> float:
    """Return the median seconds of `repeat` calls, after a first call that is not counted."""
    action()
    seconds = []
    for _ in range(repeat):
        begun = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
