"""What the API says about runs. Units: integer nanoseconds; times are ISO 8601 in UTC."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.runs.verdict_schema import Verdict, VerdictReason, VerdictWord

RunState = Literal["running", "finishing", "finished"]
RunOutcome = Literal["completed", "stopped", "failed", "interrupted"]
Clock = Literal["response", "service", "queue", "operation"]
SeriesKind = Literal["tick", "histogram"]


class VerdictSummaryOut(BaseModel):
    """A verdict in a word, for lists."""

    budget_name: str
    budget_title: str
    verdict: VerdictWord
    reason: VerdictReason | None
    provisional: bool


class RunSummary(BaseModel):
    """A run in a list."""

    run_id: UUID
    title: str
    workload: str
    state: RunState
    outcome: RunOutcome | None
    started_at: datetime
    planned_duration_ns: int
    measured_duration_ns: int | None = Field(description="null until the agent has finished")
    host_name: str | None
    last_data_at: datetime | None = Field(description="when the last new interval was stored")
    verdicts: list[VerdictSummaryOut]


class RunPage(BaseModel):
    """A page of runs, newest first."""

    runs: list[RunSummary]
    next_cursor: str | None = Field(description="give it as `cursor` for the next page; null on the last one")
    total: int = Field(description="runs that match, on all pages")


class LayoutOut(BaseModel):
    """Bucket layout of a histogram series."""

    t: Literal["hdr"]
    unit_ns: int
    significant_digits: int


class SeriesOut(BaseModel):
    """A series and how far its intervals have arrived."""

    series_no: int
    operation: str
    clock: Clock
    kind: SeriesKind
    phase: str
    host: str
    device: str | None
    layout: LayoutOut | None
    pin_thresholds_ns: list[int]
    target_rate_per_s: float | None
    contiguous_seq: int = Field(description="up to here nothing is missing; −1 for none")
    received_count: int


class MissingRange(BaseModel):
    """Intervals that are known to exist and have not arrived."""

    series: int
    from_seq: int
    to_seq: int


class MissingDisclosure(BaseModel):
    """A required fact about the circumstances that the run does not state."""

    field: str
    label: str


class DisclosureOut(BaseModel):
    """How much of what must be disclosed was disclosed."""

    required_count: int
    given_count: int
    missing: list[MissingDisclosure]


class RunDetail(RunSummary):
    """Everything about one run except its distributions."""

    # The full verdicts take the place of the summaries.
    verdicts: list[Verdict]  # type: ignore[assignment]
    outcome_reason: str | None
    agent: dict[str, Any]
    host: dict[str, Any]
    plan: dict[str, Any]
    target_name: str | None = Field(description="the device or server that was measured")
    data_through_ns: int
    series: list[SeriesOut]
    missing: list[MissingRange]
    stop_requested_at: datetime | None
    disclosure: DisclosureOut
