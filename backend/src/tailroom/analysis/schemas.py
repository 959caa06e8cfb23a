"""API schemas of a run's distributions, over time and as a whole. Integer nanoseconds, ratios 0 to 1."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.domain.verdicts.budget_kinds import Clock


class LimitOut(BaseModel):
    """A limit that a budget of the run sets for this operation."""

    threshold_ns: int
    limit_ratio: float


class TicksOut(BaseModel):
    """Counts over time as columns of equal length; entry i of each belongs to period i, in order of time."""

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
    """Percentiles of one period in ns; q is null for fewer than 1/(1 − q) operations.

    All are null, and `max_ns` too, if the stored buckets contradict the sums. `count` has the completed
    operations.
    """

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
    """One operation by one clock (kind of measured time) over time.

    At the thresholds `pin_thresholds_ns` (ns), slow operations were counted exactly.
    """

    operation: str
    clock: Clock
    pin_thresholds_ns: list[int]
    limits: list[LimitOut]
    ticks: TicksOut
    percentiles: list[PercentilePointOut]


class TimelineOut(BaseModel):
    """A run over time, for each operation and clock (kind of time) in order of their names."""

    run_id: UUID
    series: list[TimelineSeriesOut]


class QuantilePointOut(BaseModel):
    """Bounds of a latency quantile; `upper_ns` is null among failed operations, which have no latency."""

    quantile: float
    lower_ns: int
    upper_ns: int | None


class PrintedOut(BaseModel):
    """A latency as the tool printed it, and the bounds of the same statistic by the stored distribution."""

    statistic: Literal["quantile", "mean", "min", "max", "deviation"]
    quantile: float | None = Field(description="of `quantile`")
    printed: str = Field(description="as it stands in the file, with its unit where the file has one")
    lower_ns: float | None = Field(description="null: nothing is known, as of every `deviation`")
    upper_ns: float | None = Field(description="null: no upper end is known; misses have none")
    line: int | None = Field(description="of the file, from 1")
    part: str | None = Field(description="phase or device, where the curve is made of several series")


class CurveOut(BaseModel):
    """Quantiles of one operation by one clock (kind of measured time), dense towards 1, none beyond 1 − 1/n.

    `count` has the completed operations, `miss_count` errors, time-outs and unfinished operations.
    """

    operation: str
    clock: Clock
    count: int | None = Field(description="null where the source does not say")
    miss_count: int
    measured_ns: int | None = Field(
        None, description="time over which they were counted, also of a live run; null where not known"
    )
    max_ns: int | None
    points: list[QuantilePointOut]
    printed: list[PrintedOut] = Field(description="of uploaded files: what their tool says of it")


class PercentilesOut(BaseModel):
    """Percentile curves of a run, for each operation and clock (kind of time) that has operations."""

    run_id: UUID
    curves: list[CurveOut]


class ExceedanceOut(BaseModel):
    """Share of operations at or over a threshold; failed and unfinished operations are a part of these.

    `ratio` is null unless the count is exact. Without operations it and both limits are null. If the source
    states no number of operations, counts are 0, `ratio` is null, and the limits are bounds of the share by
    the stored distribution.
    """

    operation: str
    clock: Clock
    threshold_ns: int
    over_count: int = Field(description="most that the record allows")
    over_count_lower: int = Field(description="least that the record allows; equal where the count is exact")
    total_count: int
    ratio: float | None = Field(description="null where buckets leave it open")
    ratio_lower: float | None = Field(description="one-sided lower confidence limit")
    ratio_upper: float | None = Field(description="one-sided upper confidence limit")
    limit_ratio: float | None = Field(
        description="limit of the budget that judges this operation and clock; null: none sets a limit here"
    )
    confidence: float


class ExceedancesOut(BaseModel):
    """Shares of slow operations of a run: a row for each operation, clock (kind of time) and threshold."""

    run_id: UUID
    rows: list[ExceedanceOut]


class HeatmapRowOut(BaseModel):
    """A range of latencies, `[lower_ns, upper_ns)`; its ends are edges of buckets."""

    lower_ns: int
    upper_ns: int | None = Field(description="null: no upper end")
    count: int = Field(description="operations in the whole extent")


class HeatmapColumnOut(BaseModel):
    """A period with the operations in each latency range; `counts[i]` belongs to row `first_row + i`."""

    start_ns: int
    duration_ns: int
    count: int = Field(description="completed operations")
    miss_count: int = Field(description="errors, time-outs and unfinished operations: they are in no range")
    first_row: int = Field(description="row of the first entry of `counts`; rows outside it hold none")
    counts: list[int]


class HeatmapOut(BaseModel):
    """Latencies of one operation by one clock (kind of time); a period without a column has no data."""

    run_id: UUID
    operation: str
    clock: Clock
    from_ns: int
    to_ns: int
    rows: list[HeatmapRowOut] = Field(description="ascending, each begins where the one before ends")
    columns: list[HeatmapColumnOut] = Field(description="in order of time")
