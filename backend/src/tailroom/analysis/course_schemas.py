"""API schemas of the course of a run, which means its changes over time.

A figure that cannot be computed is null, and `reason` says why; else `reason` is null. Offsets count from the
start of the run, in nanoseconds; ratios go from 0 to 1.
"""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from tailroom.domain.verdicts.budget_kinds import Clock


class _CourseModel(BaseModel):
    """Base of schemas of the time course, which are read from attributes."""

    model_config = ConfigDict(from_attributes=True)


class SteadyWindowOut(_CourseModel):
    """Five rounds, tested by the rule of the SNIA performance test specification.

    `mean` is in operations per second for throughput, in ns for mean latency, else a ratio.
    """

    is_steady: bool
    mean: float
    range_ratio: float | None = Field(description="largest less smallest round, as a part of the mean")
    excursion_ratio: float | None = Field(description="of the fitted line, as a part of the mean")


class SeriesSteadinessOut(_CourseModel):
    """Steadiness of one quantity over the rounds, which are numbered from 0."""

    name: str
    first_round: int | None = Field(description="opens its first steady window")
    window: SteadyWindowOut | None
    reason: str | None


class SteadyStateOut(_CourseModel):
    """The first five rounds, numbered from 0, in which all quantities are steady.

    Without such rounds `first_round` and its times are null, and `reason` is set. `rounds` is the number of
    full rounds, `round_ns` their length.
    """

    round_ns: int
    rounds: int
    series: list[SeriesSteadinessOut]
    first_round: int | None
    start_ns: int | None
    end_ns: int | None
    reason: str | None


class RampOut(_CourseModel):
    """End of the warm-up (`cut_ns`), in ns from the start of the run; null, with a reason, if not shown.

    Verdicts do not leave out the time before it. `mser_cut_ns` is the end by the method MSER-5 alone.
    """

    cut_ns: int | None
    mser_cut_ns: int | None
    reason: str | None


class ShareLimitsOut(_CourseModel):
    """Two-sided 95 % limits of a share."""

    lower: float
    upper: float


class LevelOut(_CourseModel):
    """A period between two change points of a share, with the mean share."""

    start_ns: int
    end_ns: int
    ratio: float
    limits: ShareLimitsOut
    p_value: float | None = Field(None, description="of the step from the level before; null for the first")


class LevelsOut(_CourseModel):
    """Levels of a share over slices; every level but the first begins with a change."""

    slice_ns: int
    levels: list[LevelOut]
    reason: str | None


class StepOut(_CourseModel):
    """A change point of a quantity: its mean `before` and `after`, in operations per second or ns."""

    at_ns: int
    before: float
    after: float
    step_ratio: float | None = Field(description="larger of both relative steps; null from or to 0")
    p_value: float


class StepsOut(_CourseModel):
    """Change points of throughput (operations per second) or mean latency (ns), from slices of `slice_ns`."""

    quantity: str
    slice_ns: int
    steps: list[StepOut]
    reason: str | None


class DriftOut(_CourseModel):
    """Slow trend of a share in percentage points per hour, with two-sided 95 % limits."""

    slope_per_hour: float | None
    slope_lower: float | None
    slope_upper: float | None
    p_value: float | None
    is_shown: bool = Field(description="the trend is more than chance (p < 0.05)")
    reason: str | None


class DegradedLevelOut(_CourseModel):
    """The mean share in the period before or after a degradation."""

    start_ns: int
    end_ns: int
    ratio: float
    limits: ShareLimitsOut


class LateDegradationOut(_CourseModel):
    """Whether a later level is worse than the first steady level by more than the rule allows.

    `is_degraded` is null, with the reason, if that was not assessed. `changed_ns` is the start of the first
    worse level. `lasts`: the run ended on a worse level.
    """

    is_degraded: bool | None
    changed_ns: int | None
    before: DegradedLevelOut | None
    after: DegradedLevelOut | None
    p_value: float | None
    lasts: bool
    hours_until_failing: int | None = Field(description="full hours before the first that breaks the limit")
    recovery_ns: int | None = Field(description="period with which it comes and goes")
    reason: str | None


class WorstWindowOut(_CourseModel):
    """The hour with the largest upper bound of the share; of equal hours the first.

    `windows` is the number of hours compared. `over_lower` to `over_upper` of its `total` operations are at
    or over the threshold. The largest share of any hour lies between `worst_lower` and `worst_upper`. Without
    a full hour all but `reason` are null.
    """

    windows: int | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    over_lower: int | None = None
    over_upper: int | None = None
    total: int | None = None
    worst_lower: float | None = None
    worst_upper: float | None = None
    reason: str | None = None


class ComplianceOut(_CourseModel):
    """The number of full hours that stay below the limit; each hour is judged separately."""

    hours: int = Field(description="full hours with operations")
    kept_ratio: float | None = Field(description="share of these hours that keep the limit")
    first_violation_ns: int | None = Field(description="start of the first hour that does not")
    longest_violation_hours: int | None = Field(description="most hours in a row that do not")
    reason: str | None = Field(description="why nothing is known; else null")


class FastestBurnOut(_CourseModel):
    """The rolling window of one length that used the error budget fastest.

    `rate` is a multiple of the rate that uses the budget up exactly; null, with the reason, without a full
    window. `is_greyed`: fewer than 10 bad operations are expected in any window.
    """

    length_ns: int
    rate: float | None
    start_ns: int | None
    end_ns: int | None
    bad: int
    total: int
    is_greyed: bool
    reason: str | None


class BurnAlertOut(_CourseModel):
    """An alert rule of a long and a short window, and when it would have fired first (null: never).

    It fires while both windows burn at `rate` or faster; 1 uses the error budget up exactly. `reason` is why
    it could not fire.
    """

    severity: str
    rate: float
    long_ns: int
    short_ns: int
    fired_ns: int | None
    reason: str | None


class BurnOut(_CourseModel):
    """Use of the error budget: the operations that may be at or over the threshold in the whole run.

    `exhausted_ns` is null if it was not used up.
    """

    budget_count: float | None = Field(description="operations that may be bad")
    bad_count: int | None
    total_count: int | None
    rate: float | None = Field(description="1 uses the budget up exactly")
    exhausted_ns: int | None
    end_ns: list[int] = Field(description="thinned out; ends of slices")
    consumed_ratio: list[float] = Field(description="used up by then, as a part of the run's budget")
    fastest: list[FastestBurnOut]
    alerts: list[BurnAlertOut]
    reason: str | None


class ThresholdCourseOut(_CourseModel):
    """The share of operations at or over a threshold, over time. Failed or unfinished operations are over."""

    threshold_ns: int
    limit_ratio: float
    budget_name: str = Field(description="the budget that sets the limit")
    levels: LevelsOut
    drift: DriftOut
    late_degradation: LateDegradationOut
    worst_aligned_hour: WorstWindowOut
    worst_rolling_hour: WorstWindowOut
    compliance: ComplianceOut
    burn: BurnOut


class OperationCourseOut(_CourseModel):
    """The changes over time of one operation, by the kind of time that verdicts prefer, from its slices.

    `steady_state` and `ramp` are null only if its data contradict each other.
    """

    operation: str
    clock: Clock
    piece_count: int
    piece_duration_ns: int | None = Field(description="usual length of the slices behind this")
    steady_state: SteadyStateOut | None
    ramp: RampOut | None
    steps: list[StepsOut]
    thresholds: list[ThresholdCourseOut]
    reason: str | None = Field(description="why nothing is assessed for this operation")


class CourseOut(_CourseModel):
    """The course of a run, which means its changes over time, for each operation by one kind of time."""

    run_id: UUID
    method_version: int
    provisional: bool = Field(description="the run still goes on, or parts of it have not arrived")
    operations: list[OperationCourseOut]
