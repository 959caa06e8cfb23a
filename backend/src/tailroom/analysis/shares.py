"""A run as a whole: percentile curves and the shares at or over every threshold."""

from collections.abc import Mapping
from math import isfinite

import numpy as np

from tailroom.analysis.limits import limits_of
from tailroom.analysis.reading import Reading
from tailroom.analysis.schemas import (
    CurveOut,
    ExceedanceOut,
    ExceedancesOut,
    PercentilesOut,
    PrintedOut,
    QuantilePointOut,
)
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.verdicts.exceedance import CONFIDENCE_RATIO, exceedance
from tailroom.kit.deadlines import check
from tailroom.records.run_record import OperationRecord

_POINTS_PER_NINE = 25
_ASKED_OF_UNCOUNTED = 100_000
"""Quantiles up to 99.999 % are shown of statements that do not say of how many operations they speak."""
_MAIN_PHASE = "main"
_BODY_QUANTILES = (0.0, 0.001, 0.01, 0.05)


def percentiles_of(reading: Reading) -> PercentilesOut:
    """Percentile curves of everything that is rolled up."""
    record, _ = reading.record()
    return PercentilesOut(
        run_id=reading.run_id, curves=[_curve(one) for one in record.operations if one.dist.total != 0]
    )


def exceedances_of(reading: Reading) -> ExceedancesOut:
    """Every operation and clock at every exact counter."""
    record, budgets = reading.record()
    rows: list[ExceedanceOut] = []
    for one in record.operations:
        judged = record.of(one.operation) is one
        limits = limits_of(budgets, one.operation) if judged else []
        rows += _rows(one, {limit.threshold_ns: limit.ratio for limit in limits})
    return ExceedancesOut(run_id=reading.run_id, rows=rows)


def quantile_points(record: LatencyRecord) -> list[QuantilePointOut]:
    """Quantiles of any record, even on the scale of nines, as far as its operations reach."""
    points: list[QuantilePointOut] = []
    for quantile in _quantiles(record.total or _ASKED_OF_UNCOUNTED):
        bounds = record.quantile_bounds(quantile)
        points.append(QuantilePointOut(quantile=quantile, lower_ns=bounds.lower_ns, upper_ns=bounds.upper_ns))
    return points


def _curve(record: OperationRecord) -> CurveOut:
    check()
    dist = record.dist
    return CurveOut.model_validate(
        {
            "operation": record.operation,
            "clock": record.clock,
            "count": None if dist.total is None else dist.total - dist.misses.total,
            "miss_count": dist.misses.total,
            "max_ns": getattr(dist, "max_ns", None),
            "points": quantile_points(dist),
            "printed": _printed(record),
        }
    )


def _printed(record: OperationRecord) -> list[PrintedOut]:
    """What the tool prints of each series, in the order of the file, with what the same series supports."""
    found: list[PrintedOut] = []
    for part in record.parts:
        series = part.series
        names = [name for name in (series.device, series.phase) if name and name != _MAIN_PHASE]
        for claim in series.printed:
            statistic = claim["quantity"].removeprefix("latency_").removesuffix("_ns")
            lower, upper = _supported(part.dist, statistic, claim["quantile"])
            found.append(
                PrintedOut(
                    statistic=statistic,
                    quantile=claim["quantile"],
                    printed=claim["printed"],
                    lower_ns=lower,
                    upper_ns=upper,
                    line=claim["line"],
                    part=" · ".join(names) if names and len(record.parts) > 1 else None,
                )
            )
    return found


def _supported(
    dist: LatencyRecord, statistic: str, quantile: float | None
) -> tuple[float | None, float | None]:
    """Between which times the statistic lies, by the stored distribution; nothing where it has none."""
    if dist.total == 0:
        return None, None
    if statistic == "mean":
        lower, upper = dist.mean_ns or (None, None)
        return lower, upper if upper is not None and isfinite(upper) else None
    at = {"min": 0.0, "max": 1.0, "quantile": quantile}.get(statistic)
    if at is None or not 0.0 <= at <= 1.0:
        return None, None
    bounds = dist.quantile_bounds(at)
    return bounds.lower_ns, bounds.upper_ns


def _quantiles(total: int) -> list[float]:
    """Even on the scale of nines, up to the share that the largest of `total` operations stands for."""
    last = 1.0 - 1.0 / total
    nines = np.arange(1, int(np.log10(max(total, 10)) * _POINTS_PER_NINE) + 1) / _POINTS_PER_NINE
    even = (round(float(1.0 - 10.0**-step), 12) for step in nines)
    named = (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999)
    return sorted({q for q in (*_BODY_QUANTILES, *even, *named, round(last, 12)) if q <= last})


def _rows(one: OperationRecord, limits: Mapping[int, float]) -> list[ExceedanceOut]:
    rows: list[ExceedanceOut] = []
    pins = one.dist.pins if isinstance(one.dist, LatencyDist) else {}
    for threshold_ns in sorted(pins.keys() | limits.keys()):
        share = exceedance(one.dist, threshold_ns, one.effect_at)
        counted = share.total > 0
        known = counted or not share.is_counted
        exact = counted and share.over_lower == share.over_upper
        rows.append(
            ExceedanceOut.model_validate(
                {
                    "operation": one.operation,
                    "clock": one.clock,
                    "threshold_ns": threshold_ns,
                    "over_count": share.over_upper,
                    "over_count_lower": share.over_lower,
                    "total_count": share.total,
                    "ratio": share.ratio if exact else None,
                    "ratio_lower": (share.ratio_lower if counted else share.share_lower) if known else None,
                    "ratio_upper": (share.ratio_upper if counted else share.share_upper) if known else None,
                    "limit_ratio": limits.get(threshold_ns),
                    "confidence": CONFIDENCE_RATIO,
                }
            )
        )
    return rows
