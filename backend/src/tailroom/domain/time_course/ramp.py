"""The warm-up of a run: the beginning that does not belong to the steady state.

MSER-5 cuts where the mean of the rest is known best: values are averaged in fives, and the cut minimises the
variance of the rest over its length, within the first half. At least ten minutes are cut and never more than
half of the run; a minimum at the half means that there is no steady state. Certification by ACT's rules must
not cut anything: both numbers are shown if they differ. Source: docs/method.md 3.2; White, Simulation 69
(1997) 323.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.confidence.effective_samples import check_series
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_MINUTE, duration_text

LEAST_CUT_NS = 10 * NS_PER_MINUTE
_BATCH = 5
_FEWEST_BATCHES = 4


@dataclass(frozen=True, slots=True)
class MserCut:
    """Number of values to leave out at the beginning. `at_half`: half of the series, so no part is steady."""

    values: int
    at_half: bool


@dataclass(frozen=True, slots=True)
class Ramp:
    """End of the warm-up in ns from the run's start; None, with a reason, if unknown. `mser_cut_ns`: what
    MSER-5 alone cuts, from the first interval; None if not computed.
    """

    cut_ns: int | None
    mser_cut_ns: int | None
    reason: str | None


def mser5(values: Floats) -> MserCut | None:
    """Return the first warm-up cut of least error by MSER-5, in values (whole fives, in the first half); None
    below 20. Raise SeriesInvalid without values or for values that are not finite.
    """
    check_series(values)
    count = values.size // _BATCH
    if count < _FEWEST_BATCHES:
        return None
    batches = values[: count * _BATCH].reshape(count, _BATCH).mean(axis=1)
    # About their mean, so that nothing cancels in the sums of squares.
    batches = batches - batches.mean()
    left = np.arange(count, 0, -1, dtype=np.float64)
    rest = np.cumsum(batches[::-1])[::-1]
    squares = np.cumsum(batches[::-1] ** 2)[::-1]
    score = np.maximum(0.0, squares - rest**2 / left) / left**2
    half = count // 2
    best = int(np.argmin(score[: half + 1]))
    return MserCut(best * _BATCH, best == half)


def ramp(intervals: IntervalRecords) -> Ramp:
    """Return the warm-up of a run by the mean latency of its intervals; unknown, with a reason, for runs
    below 20 minutes or fewer than 20 filled intervals, without sums of latencies, or without a steady state.
    """
    if not intervals.size:
        return Ramp(None, None, "nothing was measured")
    start_ns, end_ns = int(intervals.start_ns[0]), intervals.end_ns
    if end_ns - start_ns < 2 * LEAST_CUT_NS:
        reason = (
            f"{duration_text(end_ns - start_ns)} are too short: {duration_text(LEAST_CUT_NS)} are over half"
        )
        return Ramp(None, None, reason)
    filled = intervals.count > 0
    if (intervals.sum_ns[filled] < 0).any():
        return Ramp(None, None, "the sum of latencies is not on record")
    mean_ns = intervals.sum_ns[filled] / intervals.count[filled]
    cut = mser5(mean_ns) if mean_ns.size else None
    if cut is None:
        return Ramp(None, None, f"{mean_ns.size} intervals are too few to find a ramp in them")
    mser_cut_ns = int(intervals.start_ns[filled][cut.values]) - start_ns
    if cut.at_half or 2 * mser_cut_ns > end_ns - start_ns:
        return Ramp(None, mser_cut_ns, "no steady state: the mean still moves at half of the run")
    return Ramp(start_ns + max(LEAST_CUT_NS, mser_cut_ns), mser_cut_ns, None)
