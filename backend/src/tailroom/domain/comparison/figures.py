"""Compared quantities of one operation: bounds by the record, and confidence limits.

Bounds by the record (buckets, printed digits) and confidence limits are separate: the bounds hold for
certain, the limits with a chance of error. Limits use effective samples (docs/method.md 2.5) where a course
(counts over time) shows how slow operations cluster, and assume independent operations elsewhere. A quantity
without limits is shown as a number and never as a finding. Sources: docs/method.md 1.5, 2.2, 2.5, 2.6.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from tailroom.domain import act
from tailroom.domain.comparison.spread import spread_over_parts
from tailroom.domain.confidence.bootstrap import bootstrap_ratio
from tailroom.domain.confidence.effective_samples import SeriesInvalid, design_effect
from tailroom.domain.confidence.shares import clopper_pearson, quantile_interval, share_lower, share_upper
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget_kinds import OPERATIONS_PER_S
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence

QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999)
THROUGHPUT, MEAN, MISSES = "throughput_ops_per_s", "latency_mean_ns", "miss_ratio"
THRESHOLDS_NS = act.LIMITS_NS
"""Shares at or over these are compared too: coarse buckets that end there know them exactly."""
COUNT = len(QUANTILES) + len(THRESHOLDS_NS) + 3
"""Quantities compared at once: each gets this part of the chance of error."""
ERROR = 0.01
"""Chance that two runs of the same thing are called different, over all quantities together."""


_LEAST_FREEDOM = 3.0
"""Degrees of freedom below which a figure has no limits."""
_TOO_FEW_STRETCHES = "too few independent stretches of time"


class Better(StrEnum):
    """The better direction of a quantity."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Figure:
    """One quantity of a measurement, in the unit of its name. `lower` and `upper` are bounds by the record,
    None if open; the confidence limits lie around them, None if unknown, for the reason `why_no_limits`.
    """

    quantity: str
    lower: float
    upper: float | None
    lower_limit: float | None = None
    upper_limit: float | None = None
    why_no_limits: str = ""
    spread: float | None = None
    """Standard deviation over parts of the run, of the logarithm except for shares; None without parts."""

    @property
    def middle(self) -> float:
        """The geometric mean of both bounds, for display and effect sizes, never for significance. It is the
        lower bound if the upper is open, and the arithmetic mean if the lower is 0.
        """
        if self.upper is None or self.lower <= 0.0:
            return self.lower if self.upper is None else (self.lower + self.upper) / 2.0
        return math.sqrt(self.lower * self.upper)


def better(quantity: str) -> Better:
    """Return the better direction of a quantity: higher for throughput, lower for all others."""
    return Better.HIGHER if quantity == THROUGHPUT else Better.LOWER


def share_name(threshold_ns: int) -> str:
    """Return the name of the share at or over a threshold in whole ms, as `share_over_8_ms`."""
    return f"share_over_{threshold_ns // NS_PER_MS}_ms"


def is_share(quantity: str) -> bool:
    """Return whether a quantity is a share of all operations, which may be 0."""
    return quantity == MISSES or quantity.startswith("share_over_")


def quantile_name(quantile: float) -> str:
    """Return the name of a quantile: `latency_p99.9_ns`."""
    return f"latency_p{quantile * 100:.4f}".rstrip("0").rstrip(".") + "_ns"


def in_flight(
    run: RunEvidence, operation: OperationEvidence, figures: Iterable[Figure]
) -> tuple[float, float] | None:
    """Return bounds of the mean number of operations in flight, by Little's law; None if rate or mean latency
    is unknown or has no upper bound. A rate that the source states counts all operations together, so the
    mean latency then lies between those of its fastest and its slowest operation.
    """
    rate = next((figure for figure in figures if figure.quantity == THROUGHPUT), None)
    ends = (
        operation.record.mean_ns if operation.course is not None else run.mean_bounds_ns.get(operation.clock)
    )
    if rate is None or rate.upper is None or ends is None:
        return None
    least, most = ends
    return (rate.lower * least / NS_PER_S, rate.upper * most / NS_PER_S) if math.isfinite(most) else None


def figures_of(run: RunEvidence, operation: OperationEvidence, error: float) -> list[Figure]:
    """Return every known quantity of an operation; `error` is the chance of error of each pair of limits. If
    the load generator was late in some slices, each figure also encloses its value as if these had been as
    fast as possible. A quantity without that value is left out.
    """
    figures = _record_figures(run, operation, error)
    if operation.at_best is operation:
        return figures
    best = {figure.quantity: figure for figure in _record_figures(run, operation.at_best, error)}
    return [_enclose(figure, best[figure.quantity]) for figure in figures if figure.quantity in best]


def _enclose(first: Figure, second: Figure) -> Figure:
    """Return the smallest figure around both, with the larger spread; None for what either lacks."""
    return Figure(
        first.quantity,
        min(first.lower, second.lower),
        _combine_known(first.upper, second.upper, max),
        _combine_known(first.lower_limit, second.lower_limit, min),
        _combine_known(first.upper_limit, second.upper_limit, max),
        first.why_no_limits or second.why_no_limits,
        _combine_known(first.spread, second.spread, max),
    )


def _combine_known(
    value: float | None, other: float | None, choose: Callable[[float, float], float]
) -> float | None:
    return None if value is None or other is None else choose(value, other)


def _record_figures(run: RunEvidence, operation: OperationEvidence, error: float) -> list[Figure]:
    """Return every known quantity of an operation; `error` is the chance of error of each pair of limits."""
    computed = [_throughput(run, operation, error), _mean(operation, error)]
    computed += [_quantile(operation, quantile, error) for quantile in QUANTILES]
    computed += [_share_over(operation, threshold_ns, error) for threshold_ns in THRESHOLDS_NS]
    computed.append(_miss_share(operation, error))
    spreads = _spreads(operation)
    return [replace(figure, spread=spreads.get(figure.quantity)) for figure in computed if figure is not None]


def _spreads(operation: OperationEvidence) -> dict[str, float]:
    spreads = spread_over_parts(
        operation,
        {quantile_name(quantile): quantile for quantile in QUANTILES},
        {share_name(threshold_ns): threshold_ns for threshold_ns in THRESHOLDS_NS},
    )
    names = {"rate": THROUGHPUT, "mean": MEAN, "misses": MISSES}
    return {names.get(name, name): spread for name, spread in spreads.items()}


def _throughput(run: RunEvidence, operation: OperationEvidence, error: float) -> Figure | None:
    """Return the operations per second with limits by the counts over time, else the stated rate, if any."""
    course = operation.course
    if course is not None and course.size > 1:
        counted, lasted_s = course.count.astype(np.float64), course.duration_ns / NS_PER_S
        rate = _ratio(THROUGHPUT, counted, lasted_s, error)
        if not operation.load.closed_loop and rate is not None and _never_varied(counted, lasted_s):
            return Figure(THROUGHPUT, rate.lower, rate.upper, rate.lower, rate.upper)
        return rate
    stated = run.rates.get(OPERATIONS_PER_S)
    if stated is None:
        return None
    why = "no course over time: how much the rate varies is not known"
    return Figure(THROUGHPUT, stated.lower, stated.upper, why_no_limits=why)


def _never_varied(counted: Floats, lasted_s: Floats) -> bool:
    """Return whether all intervals have one rate, as in an open loop on schedule; false without any."""
    rates = counted[lasted_s > 0.0] / lasted_s[lasted_s > 0.0]
    return bool(rates.size) and float(np.ptp(rates)) <= 1e-9 * float(rates.max())


def _mean(operation: OperationEvidence, error: float) -> Figure | None:
    """Return the mean latency in ns, with limits if sums or the whole distribution are known, if any."""
    ends = operation.record.mean_ns
    if ends is None:
        return None
    lower, upper = ends
    course = operation.course
    if course is not None and course.size > 1:
        filled = course.count > 0
        sums_ns, counts = course.sum_ns[filled], course.count[filled]
        if lower != upper or (sums_ns < 0).any():
            return Figure(MEAN, lower, upper, why_no_limits="the sum of the latencies is not known")
        return _ratio(MEAN, sums_ns.astype(np.float64), counts.astype(np.float64), error)
    if not operation.record.total:
        return Figure(MEAN, lower, upper, why_no_limits="the number of operations is not known")
    law = operation.record.bounds().late
    if float(law.ratio.sum()) < 1.0 - 1e-9:
        return Figure(MEAN, lower, upper, why_no_limits="the slowest operations are in an open bucket")
    half = float(-ndtri(error / 2.0)) * math.sqrt(law.variance_ns2() / operation.record.total)
    return Figure(MEAN, lower, upper, max(0.0, lower - half), upper + half)


def _ratio(quantity: str, top: Floats, bottom: Floats, error: float) -> Figure | None:
    """Return sum(`top`) / sum(`bottom`), both by interval, with bootstrap limits; None for invalid series."""
    try:
        interval = bootstrap_ratio(top, bottom, error=error)
    except SeriesInvalid:
        return None
    ends = (interval.estimate, interval.estimate)
    if interval.lower is None or interval.upper is None:
        return Figure(quantity, *ends, why_no_limits=str(interval.reason))
    return Figure(quantity, *ends, interval.lower, interval.upper)


def _quantile(operation: OperationEvidence, quantile: float, error: float) -> Figure | None:
    """Return the bounds of a quantile in ns with limits, or why there are none; None without operations."""
    if operation.record.total == 0:
        return None
    at = operation.record.quantile_bounds(quantile)
    name = quantile_name(quantile)
    ends = (float(at.lower_ns), None if at.upper_ns is None else float(at.upper_ns))
    if operation.record.total is None:
        return Figure(name, *ends, why_no_limits="the number of operations is not known")
    times_ns = [end for end in (at.lower_ns, at.upper_ns) if end is not None]
    wider = min(_normal_error(operation, time_ns, error) for time_ns in times_ns)
    if wider <= 0.0:
        return Figure(name, *ends, why_no_limits=_TOO_FEW_STRETCHES)
    effect = operation.effect_at if operation.has_course else None
    limits = quantile_interval(operation.record, quantile, error=wider, effect_at=effect)
    why = "too few operations for an upper limit" if limits.upper_ns is None else ""
    upper = None if limits.upper_ns is None else float(limits.upper_ns)
    return Figure(name, *ends, float(limits.lower_ns), upper, why)


def _share_over(operation: OperationEvidence, threshold_ns: int, error: float) -> Figure | None:
    """Return the share of operations at or over a threshold, failed ones included, as far as it is known."""
    if not operation.record.total:
        if operation.record.total == 0 or threshold_ns not in operation.record.edges_ns():
            return None
        below = operation.record.cdf_bounds(threshold_ns)
        why = "the number of operations is not known"
        return Figure(share_name(threshold_ns), 1.0 - below[1], 1.0 - below[0], why_no_limits=why)
    total, over = operation.record.total, operation.record.at_or_over(threshold_ns)
    factor, wider = operation.effect_at(threshold_ns).factor, _normal_error(operation, threshold_ns, error)
    if wider <= 0.0:
        ends = over.lower / total, over.upper / total
        return Figure(share_name(threshold_ns), *ends, 0.0, 1.0, _TOO_FEW_STRETCHES)
    lower = share_lower(over.lower / factor, total / factor, wider / 2.0)
    upper = share_upper(over.upper / factor, total / factor, wider / 2.0)
    return Figure(share_name(threshold_ns), over.lower / total, over.upper / total, lower, upper)


def _normal_error(operation: OperationEvidence, time_ns: int, error: float) -> float:
    """Return the chance of error at which normal limits are as wide as Student's limits at `error`, for the
    few independent stretches behind the clustering; 0 if these are too few for any limit.
    """
    tau = operation.effect_at(time_ns).tau
    if operation.course is None or tau is None:
        return error
    freedom = operation.course.size / max(1.0, tau) / 2.0
    if freedom < _LEAST_FREEDOM:
        return 0.0
    return float(2.0 * ndtr(stdtrit(freedom, error / 2.0)))


def _miss_share(operation: OperationEvidence, error: float) -> Figure | None:
    """Return the share of operations that failed or did not end; None if their number is unknown or 0."""
    total = operation.record.total
    if not total:
        return None
    count = operation.record.misses.total
    course, factor = operation.course, 1.0
    if course is not None and count:
        factor = design_effect(course.misses, course.totals).factor
    limits = clopper_pearson(count / factor, total / factor, error)
    return Figure(MISSES, count / total, count / total, limits.lower, limits.upper)
