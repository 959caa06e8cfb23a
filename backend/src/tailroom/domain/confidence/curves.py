"""Bands in which a whole distribution function lies, for the sample and the buckets together.

The Dvoretzky–Kiefer–Wolfowitz band has one width everywhere: good for pictures, far too wide for tails. The
simultaneous band has a Clopper–Pearson limit at each of K times, with error a/K: that one may be used for
verdicts. Source: METHOD.md 2.3; Massart, Annals of Probability 18 (1990) 1269.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tailroom.domain.confidence.quantiles import known_total
from tailroom.domain.confidence.shares import SampleInvalid, curve_half_width, share_lower, share_upper
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.latency.record import LatencyRecord


@dataclass(frozen=True, slots=True, eq=False)
class CurveBand:
    """Lower and upper limit of the share strictly below each time."""

    times_ns: tuple[int, ...]
    lower: Floats
    upper: Floats


def dkw_band(record: LatencyRecord, times_ns: Sequence[int], error: float = 0.05) -> CurveBand:
    """Band that holds at all times together, two-sided; for pictures. Needs a known number of operations."""
    half = curve_half_width(known_total(record), error)
    ends = np.array([record.cdf_bounds(at) for at in times_ns], dtype=np.float64).reshape(-1, 2)
    return CurveBand(tuple(times_ns), np.maximum(0.0, ends[:, 0] - half), np.minimum(1.0, ends[:, 1] + half))


def simultaneous_band(
    record: LatencyRecord, times_ns: Sequence[int], error: float = 0.05, design_factor: float = 1.0
) -> CurveBand:
    """Limits at ascending times; all lower ones hold together with 1 − error, and all upper ones do."""
    if not times_ns or any(later <= earlier for earlier, later in pairwise(times_ns)):
        raise SampleInvalid("the times of a band must ascend, and there must be at least one")
    total = known_total(record) / design_factor
    over = [record.at_or_over(at) for at in times_ns]
    share = error / len(times_ns)
    lower = np.array([1.0 - share_upper(one.upper / design_factor, total, share) for one in over])
    upper = np.array([1.0 - share_lower(one.lower / design_factor, total, share) for one in over])
    # Shares never fall with time, so a limit at one time is also one at every later (or earlier) time.
    return CurveBand(
        tuple(times_ns), np.maximum.accumulate(lower), np.minimum.accumulate(upper[::-1])[::-1].copy()
    )
