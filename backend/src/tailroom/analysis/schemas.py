"""What the API shows of a run: distributions over time and as a whole. Integer nanoseconds, ratios 0 to 1."""

from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.runs.schemas import Clock


class LimitOut(BaseModel):
    """A limit that a budget of the run sets for this operation."""

    threshold_ns: int
    limit_ratio: float


class TicksOut(BaseModel):
    """Columns of equal length, one entry for each stretch of time, in order."""

    start_ns: list[int]
    duration_ns: list[int]
    count: list[int]
    errors: list[int]
    timeouts: list[int]
    target_count: list[int | None]
    min_ns: list[int | None]
    max_ns: list[int | None]
    over: list[list[int]] = Field(
        description="for each threshold of `pin_thresholds_ns` the completed operations at or over it"
    )
    lateness_p99_ns: list[int | None] = Field(
        description="99th percentile of the lateness that the generator itself caused, the largest of an"
        " interval; this and what follows: null where unknown"
    )
    busy_ratio: list[float | None] = Field(
        description="processor time of the busiest measuring thread in the time that passed, the largest of"
        " an interval; a hair above 1 is possible"
    )
    in_flight: list[int | None] = Field(
        description="operations under way at the end of an interval, the most of any; how long these will"
        " take is not known"
    )
    oldest_in_flight_ns: list[int | None] = Field(
        description="age of the oldest of them since it was intended, the largest of any interval"
    )
    temperature_celsius: list[float | None] = Field(
        description="of the hottest measured device at the end of an interval, the largest of any"
    )


class PercentilePointOut(BaseModel):
    """Percentiles of one stretch of time; a quantile is null where it has too few operations to be one."""

    start_ns: int
    duration_ns: int
    count: int
    p50_lower_ns: int | None
    p50_upper_ns: int | None
    p99_lower_ns: int | None
    p99_upper_ns: int | None
    p999_lower_ns: int | None
    p999_upper_ns: int | None
    max_ns: int | None


class TimelineSeriesOut(BaseModel):
    """One operation on one clock over time."""

    operation: str
    clock: Clock
    pin_thresholds_ns: list[int]
    limits: list[LimitOut]
    ticks: TicksOut
    percentiles: list[PercentilePointOut]


class TimelineOut(BaseModel):
    """A run over time."""

    run_id: UUID
    series: list[TimelineSeriesOut]


class QuantilePointOut(BaseModel):
    """Between which latencies a quantile lies; no upper end where it falls among the misses."""

    quantile: float
    lower_ns: int
    upper_ns: int | None


class CurveOut(BaseModel):
    """Quantiles of one operation on one clock, dense towards 1, none beyond 1 − 1/n."""

    operation: str
    clock: Clock
    count: int | None = Field(description="null where the source does not say")
    miss_count: int
    max_ns: int | None
    points: list[QuantilePointOut]


class PercentilesOut(BaseModel):
    """Percentile curves of a run."""

    run_id: UUID
    curves: list[CurveOut]


class ExceedanceOut(BaseModel):
    """Share of operations at or over a threshold; misses count as over."""

    operation: str
    clock: Clock
    threshold_ns: int
    over_count: int = Field(description="most that the record allows")
    over_count_lower: int = Field(description="least that the record allows; equal where the count is exact")
    total_count: int
    ratio: float | None = Field(description="null where buckets leave it open")
    ratio_lower: float | None = Field(description="one-sided lower confidence limit")
    ratio_upper: float | None = Field(description="one-sided upper confidence limit")
    limit_ratio: float | None = Field(description="limit of the budget that judges this operation and clock")
    confidence: float


class ExceedancesOut(BaseModel):
    """Exceedance table of a run."""

    run_id: UUID
    rows: list[ExceedanceOut]
