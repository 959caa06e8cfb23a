"""What is compared of one operation: each quantity with what its record says and with its confidence limits.

Ends by the record alone (buckets, printed digits) and limits by chance are kept apart: the first hold for
certain, the second with the error asked for, on effective samples (docs/method.md 2.5) where a course over
time shows how slow operations clump, and on operations taken as independent where there is none. A quantity
without limits takes part as a number and never as a finding. Sources: docs/method.md 1.5, 2.2, 2.5, 2.6.
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
from tailroom.domain.confidence.quantiles import quantile_interval
from tailroom.domain.confidence.shares import clopper_pearson, share_lower, share_upper
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


_FEWEST_STRETCHES = 3.0
_TOO_FEW_STRETCHES = "too few independent stretches of time"


class Better(StrEnum):
    """Which way of a quantity is the good one."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Figure:
    """One quantity of one side. `lower` and `upper` hold by the record (`upper` none: open);
    `lower_limit` and `upper_limit` enclose them with chance, none where nothing can be said.
    """

    quantity: str
    lower: float
    upper: float | None
    lower_limit: float | None = None
    upper_limit: float | None = None
    why_no_limits: str = ""
    spread: float | None = None
    """How much it differs between parts of the run: a standard deviation, of a share directly, else on the
    logarithm; none where the run is short or has no course."""

    @property
    def middle(self) -> float:
        """Geometric middle of both ends; for display and for how large a difference is, never for whether."""
        if self.upper is None or self.lower <= 0.0:
            return self.lower if self.upper is None else (self.lower + self.upper) / 2.0
        return math.sqrt(self.lower * self.upper)


def better(quantity: str) -> Better:
    """Throughput is better when it is higher, everything else when it is lower."""
    return Better.HIGHER if quantity == THROUGHPUT else Better.LOWER


def share_name(threshold_ns: int) -> str:
    """`share_over_8_ms`."""
    return f"share_over_{threshold_ns // NS_PER_MS}_ms"


def is_share(quantity: str) -> bool:
    """Whether it is a part of all operations, which may well be 0."""
    return quantity == MISSES or quantity.startswith("share_over_")


def quantile_name(quantile: float) -> str:
    """`latency_p99.9_ns`."""
    return f"latency_p{quantile * 100:.4f}".rstrip("0").rstrip(".") + "_ns"


def in_flight(
    run: RunEvidence, one: OperationEvidence, figures: Iterable[Figure]
) -> tuple[float, float] | None:
    """Between which the mean number of operations in flight lies, by Little's law; none where rate or mean is
    open. A stated rate is that of all operations, whose shares nobody states: their mean lies between the
    least and the greatest of them.
    """
    rate = next((figure for figure in figures if figure.quantity == THROUGHPUT), None)
    ends = one.record.mean_ns if one.course is not None else run.mean_ends_ns.get(one.clock)
    if rate is None or rate.upper is None or ends is None:
        return None
    least, most = ends
    return (rate.lower * least / NS_PER_S, rate.upper * most / NS_PER_S) if math.isfinite(most) else None


def figures_of(run: RunEvidence, one: OperationEvidence, error: float) -> list[Figure]:
    """Every quantity that the evidence has; `error` is the two-sided chance of each pair of limits.

    Where stretches are in doubt because of the generator, the figures enclose what they would be with these
    at their best: what a late generator did proves no difference.
    """
    found = _of_record(run, one, error)
    if one.at_best is one:
        return found
    best = {figure.quantity: figure for figure in _of_record(run, one.at_best, error)}
    return [_enclosing(figure, best[figure.quantity]) for figure in found if figure.quantity in best]


def _enclosing(first: Figure, second: Figure) -> Figure:
    """From the lower of both lower ends to the higher of both upper ones; open where either is."""
    return Figure(
        first.quantity,
        min(first.lower, second.lower),
        _outer(first.upper, second.upper, max),
        _outer(first.lower_limit, second.lower_limit, min),
        _outer(first.upper_limit, second.upper_limit, max),
        first.why_no_limits or second.why_no_limits,
        _outer(first.spread, second.spread, max),
    )


def _outer(one: float | None, other: float | None, choose: Callable[[float, float], float]) -> float | None:
    return None if one is None or other is None else choose(one, other)


def _of_record(run: RunEvidence, one: OperationEvidence, error: float) -> list[Figure]:
    found = [_throughput(run, one, error), _mean(one, error)]
    found += [_quantile(one, quantile, error) for quantile in QUANTILES]
    found += [_share_over(one, threshold_ns, error) for threshold_ns in THRESHOLDS_NS]
    found.append(_misses(one, error))
    spreads = _spreads(one)
    return [replace(figure, spread=spreads.get(figure.quantity)) for figure in found if figure is not None]


def _spreads(one: OperationEvidence) -> dict[str, float]:
    """Return how much each quantity differs between parts of the run."""
    found = spread_over_parts(
        one,
        {quantile_name(quantile): quantile for quantile in QUANTILES},
        {share_name(threshold_ns): threshold_ns for threshold_ns in THRESHOLDS_NS},
    )
    names = {"rate": THROUGHPUT, "mean": MEAN, "misses": MISSES}
    return {names.get(name, name): spread for name, spread in found.items()}


def _throughput(run: RunEvidence, one: OperationEvidence, error: float) -> Figure | None:
    course = one.course
    if course is not None and course.size > 1:
        counted, lasted_s = course.count.astype(np.float64), course.duration_ns / NS_PER_S
        rate = _ratio(counted, lasted_s, error)
        if not one.load.closed_loop and rate is not None and _never_varied(counted, lasted_s):
            return Figure(THROUGHPUT, rate.estimate, rate.estimate, rate.estimate, rate.estimate)
        return None if rate is None else rate.figure(THROUGHPUT)
    stated = run.rates.get(OPERATIONS_PER_S)
    if stated is None:
        return None
    why = "no course over time: how much the rate varies is not known"
    return Figure(THROUGHPUT, stated.lower, stated.upper, why_no_limits=why)


def _never_varied(counted: Floats, lasted_s: Floats) -> bool:
    """Whether every piece has the rate of the schedule: an open loop that kept it throughout."""
    rates = counted[lasted_s > 0.0] / lasted_s[lasted_s > 0.0]
    return bool(rates.size) and float(np.ptp(rates)) <= 1e-9 * float(rates.max())


def _mean(one: OperationEvidence, error: float) -> Figure | None:
    ends = one.record.mean_ns
    if ends is None:
        return None
    lower, upper = ends
    course = one.course
    if course is not None and course.size > 1:
        filled = course.count > 0
        sums_ns, counts = course.sum_ns[filled], course.count[filled]
        if lower != upper or (sums_ns < 0).any():
            return Figure(MEAN, lower, upper, why_no_limits="the sum of the latencies is not known")
        found = _ratio(sums_ns.astype(np.float64), counts.astype(np.float64), error)
        return None if found is None else found.figure(MEAN)
    if not one.record.total:
        return Figure(MEAN, lower, upper, why_no_limits="the number of operations is not known")
    law = one.record.bounds().late
    if float(law.ratio.sum()) < 1.0 - 1e-9:
        return Figure(MEAN, lower, upper, why_no_limits="the slowest operations are in an open bucket")
    half = float(-ndtri(error / 2.0)) * math.sqrt(law.variance_ns2() / one.record.total)
    return Figure(MEAN, lower, upper, max(0.0, lower - half), upper + half)


@dataclass(frozen=True, slots=True)
class _Ratio:
    estimate: float
    lower: float | None
    upper: float | None
    why: str

    def figure(self, quantity: str) -> Figure:
        return Figure(quantity, self.estimate, self.estimate, self.lower, self.upper, self.why)


def _ratio(top: Floats, bottom: Floats, error: float) -> _Ratio | None:
    try:
        found = bootstrap_ratio(top, bottom, error=error)
    except SeriesInvalid:
        return None
    if found.lower is None or found.upper is None:
        return _Ratio(found.estimate, None, None, str(found.reason))
    return _Ratio(found.estimate, found.lower, found.upper, "")


def _quantile(one: OperationEvidence, quantile: float, error: float) -> Figure | None:
    if one.record.total == 0:
        return None
    at = one.record.quantile_bounds(quantile)
    name = quantile_name(quantile)
    ends = (float(at.lower_ns), None if at.upper_ns is None else float(at.upper_ns))
    if one.record.total is None:
        return Figure(name, *ends, why_no_limits="the number of operations is not known")
    times_ns = [end for end in (at.lower_ns, at.upper_ns) if end is not None]
    wider = min(_error(one, time_ns, error) for time_ns in times_ns)
    if wider <= 0.0:
        return Figure(name, *ends, why_no_limits=_TOO_FEW_STRETCHES)
    effect = one.effect_at if one.has_course else None
    limits = quantile_interval(one.record, quantile, error=wider, effect_at=effect)
    why = "too few operations for an upper limit" if limits.upper_ns is None else ""
    upper = None if limits.upper_ns is None else float(limits.upper_ns)
    return Figure(name, *ends, float(limits.lower_ns), upper, why)


def _share_over(one: OperationEvidence, threshold_ns: int, error: float) -> Figure | None:
    """Share at or over a threshold, misses among them. Where the number of operations is not known it is a
    number without limits, and nothing unless the source states it at that threshold.
    """
    if not one.record.total:
        if one.record.total == 0 or threshold_ns not in one.record.edges_ns():
            return None
        below = one.record.cdf_bounds(threshold_ns)
        why = "the number of operations is not known"
        return Figure(share_name(threshold_ns), 1.0 - below[1], 1.0 - below[0], why_no_limits=why)
    total, over = one.record.total, one.record.at_or_over(threshold_ns)
    factor, wider = one.effect_at(threshold_ns).factor, _error(one, threshold_ns, error)
    if wider <= 0.0:
        ends = over.lower / total, over.upper / total
        return Figure(share_name(threshold_ns), *ends, 0.0, 1.0, _TOO_FEW_STRETCHES)
    lower = share_lower(over.lower / factor, total / factor, wider / 2.0)
    upper = share_upper(over.upper / factor, total / factor, wider / 2.0)
    return Figure(share_name(threshold_ns), over.lower / total, over.upper / total, lower, upper)


def _error(one: OperationEvidence, time_ns: int, error: float) -> float:
    """The chance of error that limits by the normal law need so that limits by Student's law have `error`.

    How much operations clump is itself estimated, from as many stretches as the course holds independent
    ones. 0 where these are too few for any limit.
    """
    tau = one.effect_at(time_ns).tau
    if one.course is None or tau is None:
        return error
    freedom = one.course.size / max(1.0, tau) / 2.0
    if freedom < _FEWEST_STRETCHES:
        return 0.0
    return float(2.0 * ndtr(stdtrit(freedom, error / 2.0)))


def _misses(one: OperationEvidence, error: float) -> Figure | None:
    total = one.record.total
    if not total:
        return None
    count = one.record.misses.total
    course, factor = one.course, 1.0
    if course is not None and count:
        factor = design_effect(course.misses, course.totals).factor
    limits = clopper_pearson(count / factor, total / factor, error)
    return Figure(MISSES, count / total, count / total, limits.lower, limits.upper)
