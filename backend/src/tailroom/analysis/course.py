"""Changes of a run over time: when it was steady, when it changed, its worst hour, its use of the error
budget.

Computed from intervals, or from minutes if a run is long or retention has removed its intervals. Each part
that cannot be computed has a reason.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from tailroom.analysis import course_schemas as schemas
from tailroom.analysis.limits import ShareLimit, limits_of
from tailroom.analysis.run_reader import RunReader
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.time_course import burn_rate
from tailroom.domain.time_course.change_points import change_points
from tailroom.domain.time_course.drift import Drift, drift_of_share
from tailroom.domain.time_course.e_divisive import e_divisive
from tailroom.domain.time_course.late_degradation import SLICE_NS, compliance, late_degradation
from tailroom.domain.time_course.steady_state import ramp, steady_state
from tailroom.domain.time_course.worst_hour import NoWindow, worst_aligned, worst_rolling
from tailroom.domain.units import NS_PER_HOUR, duration_text
from tailroom.records import repository
from tailroom.records.courses import load_slices, merged
from tailroom.records.run_record import OperationRecord
from tailroom.storage.slices import MINUTE

_MOST_INTERVALS = 1_500
"""Changes over time of runs with more intervals are computed from minutes."""
_BURN_POINTS = 300
"""Most points of the curve of the used error budget in an answer."""


def course_of(reader: RunReader) -> schemas.CourseOut:
    """Return the changes of a run over time, of every operation by the clock that verdicts prefer."""
    record, budgets = reader.record()
    names = list(dict.fromkeys(operation.operation for operation in record.operations))
    chosen = [operation for operation in map(record.of, names) if operation is not None]
    return schemas.CourseOut(
        run_id=reader.run_id,
        method_version=METHOD_VERSION,
        provisional=not record.is_final,
        operations=[
            _operation(reader, operation, limits_of(budgets, operation.operation)) for operation in chosen
        ],
    )


def _operation(
    reader: RunReader, record: OperationRecord, limits: Sequence[ShareLimit]
) -> schemas.OperationCourseOut:
    """Return the changes over time of one operation; only a `reason` if its data contradict each other."""
    try:
        intervals = _course_intervals(reader, record)
        return _assess(record, intervals, limits)
    except DomainError as error:
        return schemas.OperationCourseOut(
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


def _course_intervals(reader: RunReader, record: OperationRecord) -> IntervalRecords:
    """Return an operation's intervals over all series; minutes if a series has over `_MOST_INTERVALS`."""
    if not record.has_course:
        return record.parts[0].intervals
    if max(part.slices.size for part in record.parts) <= _MOST_INTERVALS:
        return record.intervals
    minutes = []
    for part in record.parts:
        with reader.transactions() as session:
            slice_nos, numbers = repository.load_slice_columns(
                session, part.series, MINUTE, with_histograms=False
            )
        minutes.append(load_slices(reader.transactions, part.series, slice_nos, numbers, MINUTE))
    return merged(minutes)


def _assess(
    record: OperationRecord, intervals: IntervalRecords, limits: Sequence[ShareLimit]
) -> schemas.OperationCourseOut:
    """Return the changes over time of an operation; `limits` are those of budgets for it."""
    usual_ns = int(np.median(intervals.duration_ns)) if intervals.size else None
    shares: dict[int, float | None] = {limit.threshold_ns: limit.ratio for limit in limits}
    reason = "nothing was measured yet"
    if not record.has_course:
        reason = "the file describes the whole run only, not its course"
    return schemas.OperationCourseOut(
        operation=record.operation,
        clock=record.clock,
        piece_count=intervals.size,
        piece_duration_ns=usual_ns,
        steady_state=schemas.SteadyStateOut.model_validate(steady_state(intervals, shares)),
        ramp=schemas.RampOut.model_validate(ramp(intervals)),
        steps=_steps(intervals),
        thresholds=[_threshold(intervals, limit) for limit in limits],
        reason=None if intervals.size else reason,
    )


def _threshold(intervals: IntervalRecords, limit: ShareLimit) -> schemas.ThresholdCourseOut:
    """Return the changes over time of the share of operations at or over the threshold of a limit."""
    at = limit.threshold_ns
    return schemas.ThresholdCourseOut(
        threshold_ns=at,
        limit_ratio=limit.ratio,
        budget_name=limit.budget_name,
        levels=_levels(intervals, at),
        drift=_drift(intervals, at),
        late_degradation=schemas.LateDegradationOut.model_validate(
            late_degradation(intervals, at, limit.ratio)
        ),
        worst_aligned_hour=schemas.WorstWindowOut.model_validate(worst_aligned(intervals, at)),
        worst_rolling_hour=schemas.WorstWindowOut.model_validate(worst_rolling(intervals, at)),
        compliance=_compliance(intervals, limit),
        burn=_burn(intervals, limit),
    )


def _slices(intervals: IntervalRecords) -> IntervalRecords | NoWindow:
    """Return the full slices of ten minutes that have operations, or why there are none."""
    try:
        slices = intervals.sliced(SLICE_NS, full_only=True)
    except SliceTooShort as error:
        return NoWindow(str(error))
    filled = np.flatnonzero(slices.totals > 0)
    if not filled.size:
        return NoWindow(f"no full {duration_text(SLICE_NS)} with operations is on record")
    return slices.selected(filled)


def _levels(intervals: IntervalRecords, threshold_ns: int) -> schemas.LevelsOut:
    """Return the levels of the share at or over the threshold, at most, between its change points."""
    slices = _slices(intervals)
    if isinstance(slices, NoWindow):
        return schemas.LevelsOut(slice_ns=SLICE_NS, levels=[], reason=slices.reason)
    changes = change_points(slices.over(threshold_ns)[1], slices.totals)
    ends_ns = slices.start_ns + slices.duration_ns
    levels = [
        schemas.LevelOut.model_validate(
            {
                "start_ns": int(slices.start_ns[segment.first]),
                "end_ns": int(ends_ns[segment.end - 1]),
                "ratio": segment.ratio,
                "limits": segment.limits,
                "p_value": segment.p_value,
            }
        )
        for segment in changes.segments
    ]
    return schemas.LevelsOut(slice_ns=SLICE_NS, levels=levels, reason=changes.reason)


def _steps(intervals: IntervalRecords) -> list[schemas.StepsOut]:
    """Return the change points of throughput and of mean latency, each with a reason if not computed."""
    slices = _slices(intervals)
    if isinstance(slices, NoWindow):
        return [_no_steps(quantity, slices.reason) for quantity in ("throughput", "mean latency")]
    rate = slices.count / (slices.duration_ns / 1e9)
    steps = [_steps_of("throughput", rate, slices)]
    if (slices.sum_ns < 0).any() or (slices.count == 0).any():
        steps.append(_no_steps("mean latency", "the sum of latencies is not on record in every slice"))
    else:
        steps.append(_steps_of("mean latency", slices.sum_ns / slices.count, slices))
    return steps


def _steps_of(quantity: str, values: Floats, slices: IntervalRecords) -> schemas.StepsOut:
    """Return the change points of a quantity; `values` has an entry for each slice, in operations/s or ns."""
    result = e_divisive(values)
    steps = [
        schemas.StepOut(
            at_ns=int(slices.start_ns[change.position]),
            before=change.before,
            after=change.after,
            step_ratio=change.step_ratio if math.isfinite(change.step_ratio) else None,
            p_value=change.p_value,
        )
        for change in result.changes
    ]
    return schemas.StepsOut(quantity=quantity, slice_ns=SLICE_NS, steps=steps, reason=result.reason)


def _no_steps(quantity: str, reason: str) -> schemas.StepsOut:
    """Return no change points of a quantity, with the reason."""
    return schemas.StepsOut(quantity=quantity, slice_ns=SLICE_NS, steps=[], reason=reason)


def _drift(intervals: IntervalRecords, threshold_ns: int) -> schemas.DriftOut:
    """Return the trend of the share at or over the threshold, at most, in percentage points per hour."""
    slices = _slices(intervals)
    if isinstance(slices, NoWindow):
        return schemas.DriftOut.model_validate(Drift(reason=slices.reason))
    hours = slices.start_ns / NS_PER_HOUR
    return schemas.DriftOut.model_validate(drift_of_share(slices.over(threshold_ns)[1], slices.totals, hours))


def _compliance(intervals: IntervalRecords, limit: ShareLimit) -> schemas.ComplianceOut:
    """Return how many full hours stay below the limit, the first that does not, and most such in a row."""
    reason = None
    try:
        hours = intervals.sliced(NS_PER_HOUR, full_only=True)
    except SliceTooShort as error:
        hours, reason = IntervalRecords.empty(intervals.layout), str(error)
    result = compliance(hours.over(limit.threshold_ns)[1], hours.totals, limit.ratio)
    if result.kept_ratio is None:
        reason = reason or "no full hour with operations is on record"
    return schemas.ComplianceOut(
        hours=result.intervals - result.empty,
        kept_ratio=result.kept_ratio,
        first_violation_ns=None if result.first is None else int(hours.start_ns[result.first]),
        longest_violation_hours=result.longest,
        reason=reason,
    )


def _burn(intervals: IntervalRecords, limit: ShareLimit) -> schemas.BurnOut:
    """Return the use of a limit's error budget over time, and the alerts that would have fired."""
    bad = intervals.over(limit.threshold_ns)[1]
    course = burn_rate.SloCourse(
        intervals.start_ns, intervals.duration_ns, bad, intervals.totals, 1.0 - limit.ratio
    )
    used = burn_rate.budget_course(course)
    points = _thin_positions(0 if used is None else used.end_ns.size)
    alerts = [
        {**asdict(alert.rule), "fired_ns": alert.fired_ns, "reason": alert.reason}
        for alert in burn_rate.burn_alerts(course)
    ]
    return schemas.BurnOut.model_validate(
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


def _thin_positions(size: int) -> list[int]:
    """Return at most `_BURN_POINTS` evenly spaced positions from 0 to `size` − 1, both included."""
    if size <= _BURN_POINTS:
        return list(range(size))
    positions: list[int] = np.unique(np.linspace(0, size - 1, _BURN_POINTS).astype(np.int64)).tolist()
    return positions
