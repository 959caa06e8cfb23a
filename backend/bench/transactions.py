"""Measure the computation of transactions: bounds of plans at a window, and models of a day.

`figures(repeat)` returns the figures; the script prints them.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from backend.bench.hdr_distributions import hdr_distribution

from tailroom.domain.latency.bounds import Floats, Int64s, LatencyBounds
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.transactions.group_distributions import GroupDistributions
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.transactions.plan_bounds import PlanBounds
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.verdicts.budget import FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.plan_model import model_of

LAYOUT = HdrLayout()
PIECES = 8_640
READS_PER_PIECE = 120_000
SECOND_NS = 1_000_000_000
SEQUENTIAL = Plan.sequential("read", 250)
WAVES = Plan((Stage("read", 250, 10, Scheduling.WAVES),))
POOL = Plan((Stage("read", 250, 10, Scheduling.POOL),))


def figures(repeat: int = 5) -> dict[str, float]:
    """Return seconds by name: medians of `repeat` attempts, or a single attempt for days."""
    groups = {"read": GroupDistributions.from_bounds(_record_bounds())}
    seconds: dict[str, float] = {}
    for name, plan in (("in sequence", SEQUENTIAL), ("in waves of 10", WAVES), ("by a pool of 10", POOL)):
        for bins in (FULL_BINS, 1 << 12):
            seconds[f"seconds for bounds of 250 reads {name} on {bins} steps"] = _median(
                partial(_bounds_at_window, groups, plan, bins), repeat
            )
    for name, quick, slow, share in DAYS:
        course = _day(quick, slow, share)
        operation = OperationEvidence("read", "response", course.total(), course, measured_ns=course.end_ns)
        for kind in ("the first question", "a further one"):
            begun = time.perf_counter()
            lower, _, upper = model_of(FRAUD_250_SEQUENTIAL_1, {"read": operation}).at_window
            seconds[f"seconds for {kind} about 8,640 pieces, {name}"] = time.perf_counter() - begun
        seconds[f"width that it leaves open, {name}"] = upper - lower
    return seconds


def _bounds_at_window(groups: Mapping[str, GroupDistributions], plan: Plan, bins: int) -> None:
    """Compute both bounds of a plan at a window of one second."""
    bounds = PlanBounds(groups, np.ones(1), bins)
    bounds.lower(plan, SECOND_NS)
    bounds.upper(plan, SECOND_NS)


def _lognormal(median_us: float, spread: float) -> Callable[[Floats], Floats]:
    """Return the density of a log-normal distribution, up to a factor."""

    def density(at_us: Floats) -> Floats:
        return np.asarray(np.exp(-0.5 * (np.log(at_us / median_us) / spread) ** 2) / at_us)

    return density


def _stalls(at_us: Floats) -> Floats:
    """Return the density of stalls between 50 and 300 ms, up to a factor."""
    return np.where((at_us > 50_000) & (at_us < 300_000), 1.0, 0.0)


DAYS: tuple[tuple[str, Callable[[Floats], Floats], Callable[[Floats], Floats], float], ...] = (
    ("reads of 0.1 ms", _lognormal(110.0, 0.4), _stalls, 0.0),
    ("reads of 0.1 ms with stalls in every twentieth ten minutes", _lognormal(110.0, 0.4), _stalls, 0.003),
    ("reads that take nearly the whole window", _lognormal(3_900.0, 0.1), _stalls, 0.0),
)


def _record_bounds() -> LatencyBounds:
    """Return the bounds of a histogram of exponential latencies."""
    latencies = np.random.default_rng(2).exponential(3_500, 1_000_000).astype(np.int64)
    indices, counts = np.unique(LAYOUT.index_of(latencies), return_counts=True)
    return hdr_distribution(Counts(indices, counts.astype(np.int64))).bounds()


def _day(
    usual: Callable[[Floats], Floats], slow: Callable[[Floats], Floats], share: float
) -> IntervalRecords:
    """Return a day of independent reads.

    The count of every bucket is drawn from a Poisson distribution, which is faster than drawing every read.
    """
    rng = np.random.default_rng(3)
    indices = np.arange(int(LAYOUT.index_of(np.array([1_500_000]))[0]))
    lower, upper = LAYOUT.edges_ns(indices)
    middle_us = (lower + upper) / 2_000.0
    width = (upper - lower).astype(np.float64)
    quick = usual(middle_us) * width
    quick /= quick.sum()
    stalled = slow(middle_us) * width
    stalled /= stalled.sum()
    offsets, used, amounts = [0], [], []
    for position in range(PIECES):
        law = (1.0 - share) * quick + share * stalled if position // 60 % 20 == 7 else quick
        counts: Int64s = rng.poisson(law * READS_PER_PIECE)
        filled = np.flatnonzero(counts)
        used.append(indices[filled])
        amounts.append(counts[filled])
        offsets.append(offsets[-1] + filled.size)
    none, unknown = np.zeros(PIECES, np.int64), np.full(PIECES, -1, np.int64)
    length_ns = 10 * SECOND_NS
    return IntervalRecords(
        LAYOUT,
        np.arange(PIECES) * length_ns,
        np.full(PIECES, length_ns),
        np.array(offsets),
        np.concatenate(used),
        np.concatenate(amounts),
        none,
        none,
        none,
        unknown,
        unknown,
        unknown,
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


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--repeat", type=int, default=5, help="medians are over this many attempts")
    arguments = parser.parse_args()
    seconds = figures(arguments.repeat)
    if arguments.json:
        sys.stdout.write(json.dumps(seconds) + "\n")
        return
    for name, value in seconds.items():
        sys.stdout.write(f"{name:85} {value:.3g}\n")


if __name__ == "__main__":
    main()
