"""The course of a run: when it was steady, when it changed, which hour was the worst, how its budget went.

Told from intervals, or from minutes where a run is long or retention has taken its intervals. Each part says
by itself why it cannot be told.
"""

import math
from collections.abc import Sequence

import numpy as np

from tailroom.analysis.course_schemas import (
    BurnOut,
    ComplianceOut,
    CourseOut,
    DriftOut,
    LateDegradationOut,
    LevelOut,
    LevelsOut,
    OperationCourseOut,
    RampOut,
    SteadyStateOut,
    StepOut,
    StepsOut,
    ThresholdCourseOut,
    WorstWindowOut,
)
from tailroom.analysis.limits import ShareLimit, limits_of
from tailroom.analysis.reading import Reading
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.time_course import burn_rate
from tailroom.domain.time_course.change_points import change_points
from tailroom.domain.time_course.compliance import compliance
from tailroom.domain.time_course.drift import drift_of_share
from tailroom.domain.time_course.e_divisive import e_divisive
from tailroom.domain.time_course.late_degradation import SLICE_NS, late_degradation
from tailroom.domain.time_course.ramp import ramp
from tailroom.domain.time_course.steady_state import steady_state
from tailroom.domain.time_course.worst_hour import NoWindow, worst_aligned, worst_rolling
from tailroom.domain.units import NS_PER_HOUR, duration_text
from tailroom.records import repository
from tailroom.records.courses import load_slices, together
from tailroom.records.run_record import OperationRecord
from tailroom.storage.slices import MINUTE

_MOST_PIECES = 1_500
"""Runs with more intervals are told from their minutes."""
_BURN_POINTS = 300


def course_of(reading: Reading) -> CourseOut:
    """The course of every operation of a run, on the clock that verdicts prefer."""
    record, budgets = reading.record()
    names = list(dict.fromkeys(one.operation for one in record.operations))
    chosen = [one for one in (record.of(name) for name in names) if one is not None]
    return CourseOut(
        run_id=reading.run_id,
        method_version=METHOD_VERSION,
        provisional=not record.is_final,
        operations=[_operation(reading, one, limits_of(budgets, one.operation)) for one in chosen],
    )


def _operation(reading: Reading, record: OperationRecord, limits: Sequence[ShareLimit]) -> OperationCourseOut:
    try:
        intervals = _pieces(reading, record)
        return _told(record, intervals, limits)
    except DomainError as error:
        return OperationCourseOut(
            operation=record.operation,
            clock=record.clock,
            piece_count=0,
            piece_duration_ns=None,
            steady_state=None,
            ramp=None,
            steps=[],
            thresholds=[],
            reason=f"the data contradict themselves: {error}",
        )


def _pieces(reading: Reading, record: OperationRecord) -> IntervalRecords:
    if not record.has_course or max(part.pieces.size for part in record.parts) <= _MOST_PIECES:
        return record.intervals if record.has_course else record.parts[0].intervals
    minutes = []
    for part in record.parts:
        with reading.transactions() as session:
            slice_nos, numbers = repository.slice_pieces(session, part.series, MINUTE, with_histograms=False)
        minutes.append(load_slices(reading.transactions, part.series, slice_nos, numbers, MINUTE))
    return together(minutes)


def _told(
    record: OperationRecord, intervals: IntervalRecords, limits: Sequence[ShareLimit]
) -> OperationCourseOut:
    usual_ns = int(np.median(intervals.duration_ns)) if intervals.size else None
    shares: dict[int, float | None] = {limit.threshold_ns: limit.ratio for limit in limits}
    return OperationCourseOut(
        operation=record.operation,
        clock=record.clock,
        piece_count=intervals.size,
        piece_duration_ns=usual_ns,
        steady_state=SteadyStateOut.model_validate(steady_state(intervals, shares)),
        ramp=RampOut.model_validate(ramp(intervals)),
        steps=_steps(intervals),
        thresholds=[_threshold(intervals, limit) for limit in limits],
        reason=_no_course(record) if not intervals.size else None,
    )


def _no_course(record: OperationRecord) -> str:
    if record.has_course:
        return "nothing was measured yet"
    return "the file describes the whole run only, not its course"


def _threshold(intervals: IntervalRecords, limit: ShareLimit) -> ThresholdCourseOut:
    at = limit.threshold_ns
    return ThresholdCourseOut(
        threshold_ns=at,
        limit_ratio=limit.ratio,
        budget_name=limit.budget_name,
        levels=_levels(intervals, at),
        drift=_drift(intervals, at),
        late_degradation=LateDegradationOut.model_validate(late_degradation(intervals, at, limit.ratio)),
        worst_aligned_hour=WorstWindowOut.model_validate(worst_aligned(intervals, at)),
        worst_rolling_hour=WorstWindowOut.model_validate(worst_rolling(intervals, at)),
        compliance=_compliance(intervals, limit),
        burn=_burn(intervals, limit),
    )


def _slices(intervals: IntervalRecords) -> IntervalRecords | NoWindow:
    """Full slices of ten minutes with operations in them."""
    try:
        slices = intervals.sliced(SLICE_NS, full_only=True)
    except SliceTooShort as error:
        return NoWindow(str(error))
    filled = np.flatnonzero(slices.totals > 0)
    if not filled.size:
        return NoWindow(f"no full {duration_text(SLICE_NS)} with operations is on record")
    return slices.selected(filled)


def _levels(intervals: IntervalRecords, threshold_ns: int) -> LevelsOut:
    slices = _slices(intervals)
    if isinstance(slices, NoWindow):
        return LevelsOut(slice_ns=SLICE_NS, levels=[], reason=slices.reason)
    found = change_points(slices.over(threshold_ns)[1], slices.totals)
    ends = slices.start_ns + slices.duration_ns
    levels = [
        LevelOut.model_validate(
            {
                "start_ns": int(slices.start_ns[one.first]),
                "end_ns": int(ends[one.end - 1]),
                "ratio": one.ratio,
                "limits": one.limits,
                "p_value": one.p_value,
            }
        )
        for one in found.segments
    ]
    return LevelsOut(slice_ns=SLICE_NS, levels=levels, reason=found.reason)


def _steps(intervals: IntervalRecords) -> list[StepsOut]:
    slices = _slices(intervals)
    if isinstance(slices, NoWindow):
        return [_no_steps(quantity, slices.reason) for quantity in ("throughput", "mean latency")]
    rate = slices.count / (slices.duration_ns / 1e9)
    found = [_steps_of("throughput", rate, slices)]
    if (slices.sum_ns < 0).any() or (slices.count == 0).any():
        found.append(_no_steps("mean latency", "the sum of latencies is not on record in every slice"))
    else:
        found.append(_steps_of("mean latency", slices.sum_ns / slices.count, slices))
    return found


def _steps_of(quantity: str, values: Floats, slices: IntervalRecords) -> StepsOut:
    found = e_divisive(values)
    steps = [
        StepOut(
            at_ns=int(slices.start_ns[one.position]),
            before=one.before,
            after=one.after,
            step_ratio=one.step_ratio if math.isfinite(one.step_ratio) else None,
            p_value=one.p_value,
        )
        for one in found.changes
    ]
    return StepsOut(quantity=quantity, slice_ns=SLICE_NS, steps=steps, reason=found.reason)


def _no_steps(quantity: str, reason: str) -> StepsOut:
    return StepsOut(quantity=quantity, slice_ns=SLICE_NS, steps=[], reason=reason)


def _drift(intervals: IntervalRecords, threshold_ns: int) -> DriftOut:
    slices = _slices(intervals)
    if isinstance(slices, NoWindow):
        return DriftOut(
            slope_per_hour=None,
            slope_lower=None,
            slope_upper=None,
            p_value=None,
            is_shown=False,
            reason=slices.reason,
        )
    found = drift_of_share(slices.over(threshold_ns)[1], slices.totals, slices.start_ns / NS_PER_HOUR)
    return DriftOut(
        slope_per_hour=found.slope_per_hour,
        slope_lower=found.slope_lower,
        slope_upper=found.slope_upper,
        p_value=found.test.p_correlated if found.test else None,
        is_shown=found.is_shown,
        reason=found.reason,
    )


def _compliance(intervals: IntervalRecords, limit: ShareLimit) -> ComplianceOut:
    nothing = ComplianceOut(
        hours=0, kept_ratio=None, first_violation_ns=None, longest_violation_hours=None, reason=None
    )
    try:
        hours = intervals.sliced(NS_PER_HOUR, full_only=True)
    except SliceTooShort as error:
        return nothing.model_copy(update={"reason": str(error)})
    found = compliance(hours.over(limit.threshold_ns)[1], hours.totals, limit.ratio, strict=True)
    if found.kept_ratio is None:
        return nothing.model_copy(update={"reason": "no full hour with operations is on record"})
    return ComplianceOut(
        hours=found.intervals - found.empty,
        kept_ratio=found.kept_ratio,
        first_violation_ns=None if found.first is None else int(hours.start_ns[found.first]),
        longest_violation_hours=found.longest,
        reason=None,
    )


def _burn(intervals: IntervalRecords, limit: ShareLimit) -> BurnOut:
    bad = intervals.over(limit.threshold_ns)[1]
    course = burn_rate.SloCourse(
        intervals.start_ns, intervals.duration_ns, bad, intervals.totals, 1.0 - limit.ratio
    )
    used = burn_rate.budget_course(course)
    points = _thinned(0 if used is None else used.end_ns.size)
    alerts = [
        {
            "severity": one.rule.severity,
            "rate": one.rule.rate,
            "long_ns": one.rule.long_ns,
            "short_ns": one.rule.short_ns,
            "fired_ns": one.fired_ns,
            "reason": one.reason,
        }
        for one in burn_rate.burn_alerts(course)
    ]
    return BurnOut.model_validate(
        {
            "budget_count": used.budget if used else None,
            "bad_count": used.bad if used else None,
            "total_count": used.total if used else None,
            "rate": used.rate if used else None,
            "exhausted_ns": used.exhausted_ns if used else None,
            "end_ns": used.end_ns[points].tolist() if used else [],
            "consumed_ratio": used.consumed_ratio[points].tolist() if used else [],
            "fastest": list(burn_rate.fastest_burns(course)),
            "alerts": alerts,
            "reason": None if used else "no operation is on record",
        }
    )


def _thinned(size: int) -> list[int]:
    """Positions of at most so many pieces, evenly, the last one among them."""
    if size <= _BURN_POINTS:
        return list(range(size))
    positions: list[int] = np.unique(np.linspace(0, size - 1, _BURN_POINTS).astype(np.int64)).tolist()
    return positions
