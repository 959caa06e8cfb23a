"""Records of printed latencies: claims about an operation as bounds of its distribution.

A printed percentile or share is the interval of all numbers that round to it. Exceedances of ACT before 2.0
are differences of clocks that tick in whole milliseconds: label L counts differences of at least 2L. Nothing
is averaged, fitted or extrapolated beyond the last statement; a printed mean limits the tail. Source:
docs/method.md 1.2, 5.1, 6.3, 8.3; oracle `pbox-kioxia-A-read`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tailroom.domain.claims.claim import PublishedClaim
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.published import joined
from tailroom.domain.units import NS_PER_MS

BEFORE_2 = "before-2.0"
"""Generation of ACT whose clocks tick in whole milliseconds."""
_PERCENTILE = re.compile(r"p(\d{1,2}(?:\.\d+)?)")


class NoStatement(DomainError):
    """Claims that do not bound a distribution, or a part of the operations outside (0, 1]."""


def record_of_latencies(claims: Sequence[PublishedClaim]) -> KnotsRecord:
    """Return bounds of the distribution of an operation by its printed percentiles (`p95`), shares under
    thresholds and mean.

    Other claims, percentiles with an open bound and a mean without an upper bound are not used; of several
    shares under one threshold the last counts. Raise `NoStatement` without percentiles and shares,
    `StatementsContradict` for contradictions.
    """
    at_least: dict[int, Fraction] = {}
    at_most: dict[int, Fraction] = {}
    quantiles: list[tuple[float, int]] = []
    mean = None
    for claim in claims:
        printed = claim.printed
        match = _PERCENTILE.fullmatch(claim.statistic or "")
        if claim.quantity == "latency" and match and printed.lower is not None and printed.upper is not None:
            share = Fraction(match[1]) / 100
            first, end = math.ceil(printed.lower), math.floor(printed.upper) + 1
            at_least[end] = max(at_least.get(end, share), share)
            at_most[first] = min(at_most.get(first, share), share)
            quantiles.append((float(share), first))
        elif claim.quantity == "latency" and claim.statistic == "mean" and printed.lower is not None:
            mean = (printed.lower, math.inf if printed.upper is None else printed.upper)
        elif claim.quantity == "share_below" and claim.threshold_ns is not None:
            time_ns = claim.threshold_ns + bool(claim.conditions.get("threshold_included"))
            at_least[time_ns] = _share(printed.lower, 0)
            at_most[time_ns] = _share(printed.upper, 1)
    if not at_least:
        raise NoStatement("neither a percentile nor a share under a threshold is printed")
    limits = mean if mean is not None and math.isfinite(mean[1]) else None
    return KnotsRecord(joined(at_least, at_most), mean_limits_ns=limits, quantiles=tuple(sorted(quantiles)))


def record_of_exceedances(claims: Sequence[PublishedClaim], *, count: int | None = None) -> KnotsRecord:
    """Return bounds of the distribution by the printed exceedances (shares over thresholds) of a table row
    and metric class of ACT; other claims are not used. All must be of the same generation of ACT.

    `count` is the number of requests; None: unknown. Raise `NoStatement` without exceedances,
    `StatementsContradict` for contradictions.
    """
    at_least: dict[int, Fraction] = {}
    at_most: dict[int, Fraction] = {}
    legacy = False
    for claim in claims:
        if claim.quantity != "exceedance" or claim.threshold_ns is None or claim.printed.value is None:
            continue
        legacy = claim.conditions.get("generation") == BEFORE_2
        below_most, below_least = 1 - _share(claim.printed.lower, 0), 1 - _share(claim.printed.upper, 1)
        if legacy:
            at_least[2 * claim.threshold_ns] = below_least
            at_most[2 * claim.threshold_ns - NS_PER_MS + 1] = below_most
        else:
            at_least[claim.threshold_ns] = below_least
            at_most[claim.threshold_ns] = below_most
    if not at_least:
        raise NoStatement("no share over a threshold is printed")
    words = "ACT before 2.0: differences of whole-millisecond clocks" if legacy else ""
    return KnotsRecord(joined(at_least, at_most), count, semantics=words)


def bounds_of_part(record: KnotsRecord, part_ratio: float) -> KnotsRecord:
    """Return the bounds for one operation, given a record of several operations together.

    `part_ratio` is its share of all operations. With F as the share of all operations below a time, the share
    of the part below it is at least `1 − (1 − F) / part_ratio` (all slower operations are its own) and at
    most `F / part_ratio` (none are). Its mean is at most that of all, divided by `part_ratio`. Number of
    operations, misses, extremes and quantiles of `record` are dropped. Raise NoStatement for a ratio outside
    (0, 1].
    """
    if not 0.0 < part_ratio <= 1.0:
        raise NoStatement(f"a part of {part_ratio} of the operations is none")
    knots = tuple(
        (time_ns, max(0.0, 1.0 - (1.0 - lower) / part_ratio), min(1.0, upper / part_ratio))
        for time_ns, lower, upper in record.knots
    )
    mean = record.mean_limits_ns
    limits = None if mean is None else (0.0, mean[1] / part_ratio)
    return KnotsRecord(knots, mean_limits_ns=limits, semantics=record.semantics)


def by_operation(claims: Sequence[PublishedClaim]) -> Mapping[str, list[PublishedClaim]]:
    """Return the claims by operation, in document order; claims without an operation are left out."""
    groups: dict[str, list[PublishedClaim]] = {}
    for claim in claims:
        if claim.operation is not None:
            groups.setdefault(claim.operation, []).append(claim)
    return groups


def _share(value: float | None, unknown: int) -> Fraction:
    """Return a printed share as the fraction of its decimal form, limited to 0 to 1; `unknown` for None."""
    return Fraction(unknown) if value is None else min(Fraction(1), max(Fraction(0), Fraction(repr(value))))
