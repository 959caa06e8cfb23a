"""Percentile curves of a whole run, and the shares of its operations at or over every threshold."""

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from tailroom.analysis.limits import limits_of
from tailroom.analysis.schemas import (
    CurveOut,
    ExceedanceOut,
    ExceedancesOut,
    PercentilesOut,
    PrintedOut,
    QuantilePointOut,
)
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.verdicts.exceedance import CONFIDENCE_RATIO, exceedance
from tailroom.kit.deadlines import check

if TYPE_CHECKING:
    # Reports of files need no database, whose modules take a third of the time that their process starts in.
    from tailroom.analysis.run_reader import RunReader
    from tailroom.records.run_record import OperationRecord

_POINTS_PER_NINE = 25
"""Points of a curve for each nine of the quantile, such as from 90 % to 99 %."""
_ASSUMED_COUNT = 100_000
"""Number of operations assumed for distributions without a count, which shows quantiles up to 99.999 %."""
_MAIN_PHASE = "main"
_BODY_QUANTILES = (0.0, 0.001, 0.01, 0.05)


def percentiles_of(reader: "RunReader") -> PercentilesOut:
    """Return the percentile curve of every operation by each clock (kind of time), unless its count is 0."""
    record, _ = reader.record()
    return PercentilesOut(
        run_id=reader.run_id,
        curves=[_curve(operation) for operation in record.operations if operation.dist.total != 0],
    )


def exceedances_of(reader: "RunReader") -> ExceedancesOut:
    """Return for every operation and clock the shares at or over its thresholds; limits of budgets are set
    only for the clock that verdicts prefer.
    """
    record, budgets = reader.record()
    rows: list[ExceedanceOut] = []
    for operation in record.operations:
        judged = record.of(operation.operation) is operation
        limits = limits_of(budgets, operation.operation) if judged else []
        rows += _rows(operation, {limit.threshold_ns: limit.ratio for limit in limits})
    return ExceedancesOut(run_id=reader.run_id, rows=rows)


def quantile_points(record: LatencyRecord) -> list[QuantilePointOut]:
    """Return the bounds (ns) of quantiles in even steps of nines (90 %, 99 %, …) and at usual percentiles, up
    to 1 − 1/n for n operations (`_ASSUMED_COUNT` if unknown or 0).
    """
    points: list[QuantilePointOut] = []
    for quantile in _quantiles(record.total or _ASSUMED_COUNT):
        bounds = record.quantile_bounds(quantile)
        points.append(QuantilePointOut(quantile=quantile, lower_ns=bounds.lower_ns, upper_ns=bounds.upper_ns))
    return points


def _curve(record: "OperationRecord") -> CurveOut:
    """Return the percentile curve of an operation by a clock (kind of time)."""
    check()
    dist = record.dist
    return CurveOut.model_validate(
        {
            "operation": record.operation,
            "clock": record.clock,
            "count": None if dist.total is None else dist.total - dist.misses.total,
            "miss_count": dist.misses.total,
            "measured_ns": record.measured_ns,
            "max_ns": getattr(dist, "max_ns", None),
            "points": quantile_points(dist),
            "printed": _printed_statistics(record),
        }
    )


def _printed_statistics(record: "OperationRecord") -> list[PrintedOut]:
    """Return the statistics that the tool printed of each series, with bounds by the stored distribution."""
    statistics: list[PrintedOut] = []
    for part in record.parts:
        series = part.series
        names = [name for name in (series.device, series.phase) if name and name != _MAIN_PHASE]
        for claim in series.printed:
            statistic = claim["quantity"].removeprefix("latency_").removesuffix("_ns")
            lower, upper = _bounds(part.dist, statistic, claim["quantile"])
            statistics.append(
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
    return statistics


def _bounds(dist: LatencyRecord, statistic: str, quantile: float | None) -> tuple[float | None, float | None]:
    """Return bounds in ns of a mean, min, max or quantile by the stored distribution; None if open."""
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
    """Return ascending quantiles in even steps of nines and at usual percentiles, up to 1 − 1/total."""
    last = 1.0 - 1.0 / total
    nines = np.arange(1, int(np.log10(max(total, 10)) * _POINTS_PER_NINE) + 1) / _POINTS_PER_NINE
    even = (round(float(1.0 - 10.0**-step), 12) for step in nines)
    named = (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999)
    return sorted({q for q in (*_BODY_QUANTILES, *even, *named, round(last, 12)) if q <= last})


def _rows(record: "OperationRecord", limits: Mapping[int, float]) -> list[ExceedanceOut]:
    """Return a row for each threshold (ns) that was counted exactly or has a limit (a share), ascending."""
    rows: list[ExceedanceOut] = []
    pins = record.dist.pins if isinstance(record.dist, LatencyDist) else {}
    for threshold_ns in sorted(pins.keys() | limits.keys()):
        share = exceedance(record.dist, threshold_ns, record.effect_at)
        lower, upper = None, None
        if share.total > 0:
            lower, upper = share.ratio_lower, share.ratio_upper
        elif not share.is_counted:
            lower, upper = share.share_lower, share.share_upper
        is_exact = share.total > 0 and share.over_lower == share.over_upper
        rows.append(
            ExceedanceOut.model_validate(
                {
                    "operation": record.operation,
                    "clock": record.clock,
                    "threshold_ns": threshold_ns,
                    "over_count": share.over_upper,
                    "over_count_lower": share.over_lower,
                    "total_count": share.total,
                    "ratio": share.share_upper if is_exact else None,
                    "ratio_lower": lower,
                    "ratio_upper": upper,
                    "limit_ratio": limits.get(threshold_ns),
                    "confidence": CONFIDENCE_RATIO,
                }
            )
        )
    return rows
