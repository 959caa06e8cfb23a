"""A run as a whole: percentile curves and the shares at or over every threshold."""

from collections.abc import Mapping

import numpy as np
from sqlalchemy.orm import Session

from tailroom.analysis.limits import limits_of
from tailroom.analysis.record import OperationRecord, load_record
from tailroom.analysis.schemas import (
    CurveOut,
    ExceedanceOut,
    ExceedancesOut,
    PercentilesOut,
    QuantilePointOut,
)
from tailroom.budgets.service import budgets_for_runs
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.verdicts.exceedance import CONFIDENCE_RATIO, exceedance
from tailroom.storage.run import Run

_POINTS_PER_NINE = 25
_ASKED_OF_UNCOUNTED = 100_000
"""Quantiles up to 99.999 % are shown of statements that do not say of how many operations they speak."""
_BODY_QUANTILES = (0.0, 0.001, 0.01, 0.05)


def percentiles_of(session: Session, run: Run) -> PercentilesOut:
    """Percentile curves of everything that is rolled up."""
    record = load_record(session, run)
    return PercentilesOut(
        run_id=run.run_id, curves=[_curve(one) for one in record.operations if one.dist.total != 0]
    )


def exceedances_of(session: Session, run: Run) -> ExceedancesOut:
    """Every operation and clock at every exact counter."""
    record = load_record(session, run)
    budgets = budgets_for_runs(session, run.organisation_id, run.workload).budgets
    rows: list[ExceedanceOut] = []
    for one in record.operations:
        judged = record.of(one.operation) is one
        limits = limits_of(budgets, one.operation) if judged else []
        rows += _rows(one, {limit.threshold_ns: limit.ratio for limit in limits})
    return ExceedancesOut(run_id=run.run_id, rows=rows)


def _curve(record: OperationRecord) -> CurveOut:
    dist = record.dist
    points: list[QuantilePointOut] = []
    for quantile in _quantiles(dist.total or _ASKED_OF_UNCOUNTED):
        bounds = dist.quantile_bounds(quantile)
        points.append(QuantilePointOut(quantile=quantile, lower_ns=bounds.lower_ns, upper_ns=bounds.upper_ns))
    return CurveOut.model_validate(
        {
            "operation": record.operation,
            "clock": record.clock,
            "count": None if dist.total is None else dist.total - dist.misses.total,
            "miss_count": dist.misses.total,
            "max_ns": getattr(dist, "max_ns", None),
            "points": points,
        }
    )


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
