"""API schemas of qualification suites. Integer nanoseconds and bytes, ratios as parts of 1; null: unknown."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.analysis.drive_counters import CounterFigureOut
from tailroom.runs.verdict_schemas import VerdictWord

SteadyAnswer = Literal["steady", "throttled", "not_steady", "unsettled"]
PlotUnit = Literal["per_s", "bytes_per_s", "ns"]
PlotPlace = Literal["round", "bytes", "depth", "fills", "idle_s"]
"""`fills` are bytes written by the capacity of the drive."""


class SuiteFactOut(BaseModel):
    """A fact of device, host or preparation."""

    label: str
    text: str


class SuiteLatencyOut(BaseModel):
    """Latency of one operation in ns, as bounds by its buckets; null where it has too few samples."""

    operation: str
    count: int
    p50_lower_ns: int | None
    p50_upper_ns: int | None
    p99_lower_ns: int | None
    p99_upper_ns: int | None
    p999_lower_ns: int | None
    p999_upper_ns: int | None
    max_ns: int | None


class SuiteLoadOut(BaseModel):
    """A measured load, which is a run; rates are of completed operations in their measured time."""

    run_id: UUID
    number: int = Field(description="of the load or round in its step, from 1")
    block_bytes: int
    read_pct: int
    depth: int = Field(description="operations under way")
    access: Literal["random", "sequential"]
    idle_before_s: int = Field(description="idle time of the drive before it")
    text: str = Field(description="the load in words")
    per_s: float
    bytes_per_s: float
    written_bytes: int = Field(description="completed writes times their size")
    latencies: list[SuiteLatencyOut]
    counters: list[CounterFigureOut] = Field(description="counters of the drive over this run")


class SuiteWindowOut(BaseModel):
    """The rounds in which the rate was steady, or else the last rounds."""

    first_round: int
    last_round: int
    mean_per_s: float
    range_ratio: float | None = Field(description="largest less smallest rate, as a part of the mean")
    excursion_ratio: float | None = Field(
        description="rise or fall of the fitted line, as a part of the mean"
    )
    line_from_per_s: float = Field(description="line of least squares at the first round")
    line_to_per_s: float = Field(description="the same at the last round")
    write_amplification: CounterFigureOut = Field(description="over these rounds together")


class SuiteSteadyStateOut(BaseModel):
    """Whether the rate has settled. `window` has the rounds that show it, else the last rounds; null until
    all are measured.
    """

    answer: SteadyAnswer
    text: str
    throttled_rounds: list[int] = Field(description="rounds in which the drive slowed itself down by heat")
    window: SuiteWindowOut | None


class PlotPointOut(BaseModel):
    """A point of a curve: position on the horizontal axis, and bounds of its value on the vertical axis."""

    x: float
    lower: float
    upper: float


class PlotSeriesOut(BaseModel):
    """A curve: points joined by lines, or with `is_line` only a line."""

    label: str
    is_line: bool = False
    points: list[PlotPointOut]


class PlotOut(BaseModel):
    """A plot; its title states the result."""

    title: str
    note: str
    x_label: str
    x_kind: PlotPlace
    y_label: str
    y_unit: PlotUnit
    series: list[PlotSeriesOut]


class SuiteCacheEndOut(BaseModel):
    """Bounds of the bytes after which the rate of write saturation fell permanently."""

    lower_bytes: float
    upper_bytes: float
    before_bytes_per_s: float
    after_bytes_per_s: float


class SuiteRecoveryOut(BaseModel):
    """Recovery of the rate of sequential writes after random writes."""

    before_per_s: float
    first_ratio: float = Field(
        description="first round after the random writes, as a part of the rate before"
    )
    back_from_round: int | None = Field(
        description="first round with at least 0.9 of the rate before; null: none"
    )


class SuiteIdleGainOut(BaseModel):
    """Random writes after idle time, as a part of the rate of the round before."""

    idle_s: int
    ratio: float


class SuiteAnswerOut(BaseModel):
    """The verdict about a run of a step that has a budget."""

    run_id: UUID
    load: str
    question: str
    verdict: VerdictWord | None = Field(description="null: not judged yet")
    words: str | None = Field(description="verdict and strength as text")
    headline: str | None
    reason: str | None = Field(description="reason, where it is not part of the headline")


class SuiteStepOut(BaseModel):
    """A test of the standard; `measured` is the number of its measured loads."""

    step: str
    heading: str
    measured: int
    planned: int | None = Field(
        description="loads of the test; null for rounds, whose number is not known before"
    )
    missed: int = Field(description="operations that failed, timed out or did not end; not part of any rate")
    answers: list[SuiteAnswerOut] = Field(description="verdicts of steps with a budget")
    loads: list[SuiteLoadOut] = Field(description="empty for ACT, which has several kinds of operations")
    plots: list[PlotOut]
    counters: list[CounterFigureOut] = Field(description="bounds that hold for every run of the test")


class SuiteOut(BaseModel):
    """A qualification suite under the standard's headings."""

    suite_id: UUID
    title: str
    answer: str = Field(description="the result in a sentence")
    began_at: datetime
    is_complete: bool | None = Field(
        description="every requested step is measured; null: not stated by older agents"
    )
    unfinished: int = Field(description="runs without figures: cut off, unfinished or not judged yet")
    device: list[SuiteFactOut]
    host: list[SuiteFactOut]
    preparation: list[SuiteFactOut]
    steady_state: SuiteSteadyStateOut | None = Field(description="null: this suite has no such step")
    cache_end: SuiteCacheEndOut | None = Field(
        description="null: not measured, or the rate did not fall for good"
    )
    recovery: SuiteRecoveryOut | None = Field(description="null: not measured to its end")
    idle_gains: list[SuiteIdleGainOut]
    steps: list[SuiteStepOut]
    method_version: int


class SuiteSummaryOut(BaseModel):
    """A suite in a list."""

    suite_id: UUID
    title: str
    device: str
    began_at: datetime
    last_run_at: datetime = Field(description="start of its newest run")
    runs: int = Field(description="also those that were cut off")
    steps: list[str] = Field(description="all requested steps; empty: not stated by older agents")
    last_step: str = Field(description="of its newest run")


class SuiteListOut(BaseModel):
    """One page of suites, the newest first."""

    suites: list[SuiteSummaryOut]
    next_cursor: str | None = Field(description="null: there are no more")
