"""Confidence limits of shares and quantiles, and the number of samples that a claim needs.

Verdicts use Clopper–Pearson limits (one-sided 95 % by default): their error is never larger than stated,
whatever the true share. Wilson is for display. All functions take *effective* samples, so counts may be
fractions. Source: docs/method.md sections 2.1 to 2.4; Clopper and Pearson, Biometrika 26 (1934) 404. scipy's
inverse incomplete beta functions hold 1e-7 relative up to 10^12 samples in well under a millisecond
(`test_limits_of_very_large_samples`), so that docs/method.md's shortcut for large samples is not needed.

A difference of shares (Newcombe, Statistics in Medicine 17 (1998) 873, method 10) orders two runs only if its
interval excludes 0 and it is at least 0.1 percentage points or a tenth of the larger share (docs/method.md
2.6). A quantile lies between two ranks of the sample, whatever the distribution, and a rank in the bucket
that holds it (2.2, 2.5).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from scipy.special import betainc, betainccinv, betaincinv, ndtri

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, TimeBounds
from tailroom.domain.units import ceil_div

ERROR_ONE_SIDED = 0.05
"""Chance of a one-sided verdict limit being wrong."""


@dataclass(frozen=True, slots=True)
class ShareLimits:
    """Lower and upper confidence limit of a share, or of the difference of two shares."""

    lower: float
    upper: float


class SampleInvalid(DomainError):
    """A count, sample size or confidence for which no limit exists."""


def share_upper(over: float, total: float, error: float = ERROR_ONE_SIDED) -> float:
    """Return the Clopper–Pearson upper limit of `over / total`, one-sided: wrong with a chance of at most
    `error`. Raise `SampleInvalid`, as all functions here do, without samples, unless 0 ≤ over ≤ total, and
    for an error outside 0 to 1.
    """
    _check(over, total, error)
    return 1.0 if over >= total else float(betainccinv(over + 1.0, total - over, error))


def share_lower(over: float, total: float, error: float = ERROR_ONE_SIDED) -> float:
    """Return the Clopper–Pearson lower limit of `over / total`, otherwise as `share_upper`."""
    _check(over, total, error)
    return 0.0 if over <= 0 else float(betaincinv(over, total - over + 1.0, error))


def clopper_pearson(over: float, total: float, error: float = 0.05) -> ShareLimits:
    """Return two-sided limits of `over / total`, each of them wrong with a chance of at most `error / 2`."""
    return ShareLimits(share_lower(over, total, error / 2.0), share_upper(over, total, error / 2.0))


def wilson(over: float, total: float, error: float = 0.05) -> ShareLimits:
    """Return Wilson's two-sided score interval of `over / total`, for display."""
    _check(over, total, error)
    z = float(-ndtri(error / 2.0))
    share = over / total
    centre = share + z * z / (2.0 * total)
    half = z * math.sqrt(share * (1.0 - share) / total + z * z / (4.0 * total * total))
    scale = 1.0 + z * z / total
    lower = 0.0 if over <= 0 else max(0.0, (centre - half) / scale)
    return ShareLimits(lower, 1.0 if over >= total else min(1.0, (centre + half) / scale))


@dataclass(frozen=True, slots=True)
class RankLimits:
    """Ranks (1 = smallest) around a quantile; `lower` 0 or `upper` None if the sample has no such limit."""

    lower: int
    upper: int | None


def quantile_ranks(total: int, quantile: float, error: float = 0.05) -> RankLimits:
    """Return the ranks (1 = smallest) in a sample of `total` that enclose a quantile with a chance of at
    least 1 − error, whatever the distribution (docs/method.md 2.2).
    """
    _check(0, total, error)
    if not 0.0 < quantile < 1.0:
        raise SampleInvalid(f"quantile {quantile} is not between 0 and 1")
    lower = _binomial_quantile(error / 2.0, total, quantile)
    upper = _binomial_quantile(1.0 - error / 2.0, total, quantile) + 1
    return RankLimits(lower, upper if upper <= total else None)


def curve_half_width(total: int, error: float = 0.05) -> float:
    """Return half the width of a band around the distribution function of `total` samples that holds the true
    function everywhere with a chance of at least 1 − error (Dvoretzky, Kiefer, Wolfowitz).
    """
    _check(0, total, error)
    return math.sqrt(math.log(2.0 / error) / (2.0 * total))


def samples_for_share(true_share: float, limit: float) -> int:
    """Return the number of samples whose upper confidence limit is at most `limit` if the share `true_share`
    of them is over (docs/method.md 2.4); a few more samples may show less.
    """
    if not 0.0 <= true_share < limit < 1.0:
        raise SampleInvalid(f"no sample shows a share below {limit} when it is {true_share}")
    return _fewest_samples(lambda total: share_upper(math.floor(total * true_share), total) <= limit)


def samples_to_decide(share: float, limit: float) -> float | None:
    """Return the number of independent samples that shows on which side of a limit a share lies, with a
    chance of error of at most 5 %. Within a thousandth of the limit it is by the normal distribution,
    within a millionth (both relative) it is None.
    """
    if not 0.0 < limit < 1.0 or not 0.0 <= share <= 1.0:
        raise SampleInvalid(f"no sample puts a share of {share} on one side of {limit}")
    if math.isclose(share, limit, rel_tol=1e-6):
        return None
    gap = abs(share - limit)
    if gap <= 1e-3 * limit:
        z = float(ndtri(ERROR_ONE_SIDED))
        return z * z * limit * (1.0 - limit) / (gap * gap)

    def is_shown(total: int) -> bool:
        if share < limit:
            return share_upper(share * total, total) <= limit
        return share_lower(share * total, total) > limit

    return float(_fewest_samples(is_shown))


def _fewest_samples(are_enough: Callable[[int], bool]) -> int:
    high = 1
    while not are_enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if are_enough(middle) else (middle, high)
    return high


def _binomial_quantile(level: float, trials: int, share: float) -> int:
    """Return the smallest k with P(Bin(trials, share) ≤ k) ≥ level, by exact bisection."""
    low, high = -1, trials
    while high - low > 1:
        middle = (low + high) // 2
        reached = float(betainc(trials - middle, middle + 1.0, 1.0 - share)) >= level
        low, high = (low, middle) if reached else (middle, high)
    return high


def _check(over: float, total: float, error: float) -> None:
    if not 0.0 < total < math.inf:
        raise SampleInvalid(f"a share of {total} samples does not exist")
    if not 0.0 <= over <= total:
        raise SampleInvalid(f"{over} of {total} samples cannot lie over")
    if not 0.0 < error < 1.0:
        raise SampleInvalid(f"the chance of error must lie between 0 and 1, not at {error}")


SMALLEST_POINTS_RATIO = 0.001
"""Smallest difference of two shares that ranks them: 0.1 percentage points."""
SMALLEST_RELATIVE_RATIO = 0.1
"""Smallest difference of two shares that ranks them, as a ratio of the larger share."""
LOAD_TOLERANCE_RATIO = 0.01
"""Largest difference of the loads of two comparable runs, as a ratio of the larger load."""


def newcombe(
    first_over: float, first_total: float, second_over: float, second_total: float, error: float = 0.05
) -> ShareLimits:
    """Return the two-sided limits of the first share less the second, by Newcombe's method."""
    first, second = wilson(first_over, first_total, error), wilson(second_over, second_total, error)
    p, q = first_over / first_total, second_over / second_total
    return ShareLimits(
        max(-1.0, p - q - math.hypot(p - first.lower, second.upper - q)),
        min(1.0, p - q + math.hypot(first.upper - p, q - second.lower)),
    )


class SampleSizeUnknown(DomainError):
    """Confidence limits need the number of operations, which the source does not state."""


def quantile_interval(
    record: LatencyRecord,
    quantile: float,
    *,
    error: float = 0.05,
    effect_at: Callable[[int], DesignEffect] | None = None,
) -> TimeBounds:
    """Return two-sided limits of a quantile in ns, 0 and None if there are none; misses count as slower than
    any latency. `effect_at` is the design effect at a time in ns; the larger at both ends of the bucket that
    holds the quantile counts. Raise `SampleSizeUnknown` if the number of operations is unknown.
    """
    total = known_total(record)
    factor = 1.0
    if effect_at is not None:
        at = record.quantile_bounds(quantile)
        factor = max(effect_at(end).factor for end in (at.lower_ns, at.upper_ns) if end is not None)
    _check(0, total, error)
    # Ranks of the independent samples are scaled to all operations, rounded outward.
    effective = max(1, int(total / factor))
    ranks = quantile_ranks(effective, quantile, error)
    lower = ranks.lower * total // effective
    upper = None if ranks.upper is None else min(total, ceil_div(ranks.upper * total, effective))
    lower_ns = rank_bounds(record, lower).lower_ns if lower else 0
    return TimeBounds(lower_ns, None if upper is None else rank_bounds(record, upper).upper_ns)


def rank_bounds(record: LatencyRecord, rank: int) -> TimeBounds:
    """Return bounds in ns of the latency with this rank (1 = fastest; misses rank last); None without an
    upper bound. Raise `SampleSizeUnknown` if the number of operations is unknown, another `DomainError` for a
    rank out of range.
    """
    if isinstance(record, LatencyDist):
        return record.rank_bounds(rank)
    # Half a rank less asks for the same operation, and cannot be rounded up to the next one.
    return record.quantile_bounds((rank - 0.5) / known_total(record))


def known_total(record: LatencyRecord) -> int:
    """Return the number of operations, misses included. Raise `SampleSizeUnknown` if it is not stated."""
    if record.total is None:
        raise SampleSizeUnknown("the source does not say how many operations there were: no limits")
    return record.total
