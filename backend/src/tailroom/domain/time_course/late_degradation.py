"""Late degradation of a run: drives may get worse after hours, as the authors of ACT saw after some eight.

Levels of the share over a threshold come from change points on slices of ten minutes. The first level that
holds a steady window is what the run promises; a later level is *late degradation* when it is higher by a
factor of 1.25 and by a tenth of the limit, with p < 0.001. Beside it: when, from what to what, and how long
it took until a full hour failed. Recovery, as by garbage collection that comes and goes, shows as the first
peak of the autocorrelation. Source: docs/method.md 3.4.

Compliance: whether the intervals kept a limit one by one, since a good average can hide a bad hour. An
interval without operations neither keeps nor breaks the limit, and does not end a run of violations. Source:
docs/method.md 1.9.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.special import ndtri

from tailroom.domain.confidence.effective_samples import (
    autocorrelations,
    check_counts,
    check_series,
    design_effect,
)
from tailroom.domain.confidence.shares import ShareLimits
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.time_course.change_points import ChangePoints, Segment, change_points, step_p_value
from tailroom.domain.time_course.steady_state import first_steady_window
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE, latency_text


class LimitInvalid(DomainError):
    """A limit of a share outside 0 to 1."""


@dataclass(frozen=True, slots=True)
class Compliance:
    """How many of the `intervals` kept a limit, as a share of those with operations (`kept_ratio`). `first`
    is the position of the first violation, `longest` the most violations in a row. If all intervals are
    `empty`, all else is None.
    """

    intervals: int
    empty: int
    kept_ratio: float | None = None
    first: int | None = None
    longest: int | None = None


def compliance(bad: Int64s, total: Int64s, limit_ratio: float) -> Compliance:
    """Return which intervals kept the limit, as in ACT's rules: the share of bad operations is less than
    `limit_ratio`. Raise LimitInvalid for a limit outside 0 to 1, IntervalCountsInvalid unless 0 ≤ bad ≤
    total.
    """
    bad, total = np.asarray(bad), np.asarray(total)
    check_counts(bad, total)
    if not 0.0 < limit_ratio < 1.0:
        raise LimitInvalid(f"the limit of a share must lie between 0 and 1, not at {limit_ratio}")
    filled = np.flatnonzero(total > 0)
    empty = int(total.size - filled.size)
    if not filled.size:
        return Compliance(int(total.size), empty)
    broken = _breaks_limit(bad[filled], total[filled], limit_ratio)
    violations = np.flatnonzero(broken)
    return Compliance(
        int(total.size),
        empty,
        1.0 - violations.size / filled.size,
        int(filled[violations[0]]) if violations.size else None,
        _longest_run(broken),
    )


def _breaks_limit(bad: Int64s, total: Int64s, limit_ratio: float) -> np.typing.NDArray[np.bool_]:
    """Return whether each pair of counts breaks the limit, by exact decimals if doubles are too near."""
    allowed = limit_ratio * total
    broken = bad >= allowed
    exact = Fraction(str(limit_ratio))
    for at in np.flatnonzero(np.abs(bad - allowed) <= 1e-9 * np.maximum(allowed, 1.0)):
        broken[at] = int(bad[at]) >= exact * int(total[at])
    return np.asarray(broken, dtype=np.bool_)


def _longest_run(broken: np.typing.NDArray[np.bool_]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate(([False], broken, [False]))))
    return int((edges[1::2] - edges[::2]).max(initial=0))


SLICE_NS = 10 * NS_PER_MINUTE
"""Length of the slices among which change points are found."""
SMALLEST_FACTOR = 1.25
"""Smallest ratio of a worse level to the steady level."""
SMALLEST_OF_LIMIT = 0.1
"""Smallest difference of a worse level from the steady level, as a ratio of the limit."""
LARGEST_P = 0.001
"""p-value below which a level is worse."""


@dataclass(frozen=True, slots=True)
class Level:
    """A stretch of slices with its share at or over the threshold and two-sided 95 % limits."""

    start_ns: int
    end_ns: int
    ratio: float
    limits: ShareLimits


@dataclass(frozen=True, slots=True)
class LateDegradation:
    """Late degradation at a threshold, from the steady level `before` to the first worse level `after`, which
    begins at `changed_ns`. `is_degraded` is None, with a reason, if undecided. `lasts`: the run ended on a
    worse level. `hours_until_failing` is the number of hours before the first full hour that breaks the
    limit, None if none does. `recovery_ns` is the period of a recovery that comes and goes, or None.
    """

    is_degraded: bool | None = None
    changed_ns: int | None = None
    before: Level | None = None
    after: Level | None = None
    p_value: float | None = None
    lasts: bool = False
    hours_until_failing: int | None = None
    recovery_ns: int | None = None
    reason: str | None = None


def late_degradation(intervals: IntervalRecords, threshold_ns: int, limit_ratio: float) -> LateDegradation:
    """Return the late degradation at a threshold. It is undecided if intervals are too long for slices of 10
    minutes, a slice has no exact count, slices are too few, or no level is steady. Raise LimitInvalid for a
    limit outside 0 to 1.
    """
    try:
        slices = intervals.sliced(SLICE_NS, full_only=True)
    except SliceTooShort as too_short:
        return LateDegradation(reason=str(too_short))
    slices = slices.selected(np.flatnonzero(slices.totals > 0))
    lower, upper = slices.over(threshold_ns)
    if (lower != upper).any():
        at = latency_text(threshold_ns)
        return LateDegradation(reason=f"no bucket edge and no exact counter at {at}")
    failing = hours_until_failing(intervals, threshold_ns, limit_ratio)
    levels = change_points(lower, slices.totals)
    if levels.reason is not None:
        return LateDegradation(hours_until_failing=failing, reason=levels.reason)
    ratios = lower / slices.totals
    steady_no = next(
        (
            number
            for number, segment in enumerate(levels.segments)
            if first_steady_window(ratios[segment.first : segment.end], limit_ratio) is not None
        ),
        None,
    )
    if steady_no is None:
        reason = "no level of the run holds a steady window"
        return LateDegradation(hours_until_failing=failing, reason=reason)
    steady, later = levels.segments[steady_no], levels.segments[steady_no + 1 :]
    least_step = SMALLEST_OF_LIMIT * limit_ratio * (1.0 - 1e-9)
    worse = [
        (segment, p_value)
        for segment in later
        if segment.ratio >= SMALLEST_FACTOR * steady.ratio
        and segment.ratio - steady.ratio >= least_step
        and (p_value := _p_value(levels, steady, segment, lower, slices.totals)) < LARGEST_P
    ]
    first, first_p = worse[0] if worse else (None, None)
    period = recovery_slices(ratios)
    return LateDegradation(
        first is not None,
        None if first is None else int(slices.start_ns[first.first]),
        _level(steady, slices),
        None if first is None else _level(first, slices),
        first_p,
        bool(worse) and worse[-1][0] is levels.segments[-1],
        failing,
        None if period is None else period * SLICE_NS,
    )


def hours_until_failing(intervals: IntervalRecords, threshold_ns: int, limit_ratio: float) -> int | None:
    """Return the hours before the first full hour whose slow share certainly reaches the limit, or None."""
    try:
        hours = intervals.sliced(NS_PER_HOUR, full_only=True)
    except SliceTooShort:
        return None
    certain, _ = hours.over(threshold_ns)
    first = compliance(certain, hours.totals, limit_ratio).first
    return None if first is None else int(hours.start_ns[first]) // NS_PER_HOUR


def recovery_slices(values: Floats) -> int | None:
    """Return the period of a series in slices: the lag of the first significant peak of its autocorrelation
    after a dip below 0. None for a constant series, or without a peak. Significant means above the
    simultaneous 95 % limit by Bartlett's variance. Raise SeriesInvalid without values or if one is not
    finite.
    """
    series = np.asarray(values, dtype=np.float64)
    check_series(series)
    rho = autocorrelations(series)
    if rho is None:
        return None
    # Beyond half of the series too few pairs are left to speak of a period.
    rho = rho[: series.size // 2]
    dips = np.flatnonzero(rho < 0.0)
    if not dips.size:
        return None
    rest = rho[int(dips[0]) :]
    peaks = np.flatnonzero((rest[1:-1] > rest[:-2]) & (rest[1:-1] >= rest[2:])) + 1
    deviation = math.sqrt((1.0 + 2.0 * float((rho[1 : int(dips[0])] ** 2).sum())) / series.size)
    high = peaks[rest[peaks] > -float(ndtri(0.05 / rho.size)) * deviation]
    return int(high[0]) + int(dips[0]) if high.size else None


def _p_value(levels: ChangePoints, steady: Segment, later: Segment, over: Int64s, total: Int64s) -> float:
    """Return the p-value of two segments having the same share; `over` and `total` are by slice."""
    parts = [slice(segment.first, segment.end) for segment in (steady, later)]
    phi = max(levels.phi, *(design_effect(over[part], total[part]).factor for part in parts))
    filled = [np.flatnonzero(total[part] > 0) + part.start for part in parts]
    k, n = over.astype(np.float64), total.astype(np.float64)
    counts = [values[slices] for slices in filled for values in (k, n)]
    return step_p_value(*counts, phi=phi, degrees=filled[0].size + filled[1].size - 2)


def _level(segment: Segment, slices: IntervalRecords) -> Level:
    last = segment.end - 1
    end_ns = int(slices.start_ns[last] + slices.duration_ns[last])
    return Level(int(slices.start_ns[segment.first]), end_ns, segment.ratio, segment.limits)
