"""Answers of the API about searches for the highest load. Units: operations a second, integer nanoseconds."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.runs.verdict_schema import VerdictStrength, VerdictWord


class ProbeOut(BaseModel):
    """One probe: a run at a fixed load, judged by the objective of the search."""

    run_id: UUID
    step: int = Field(description="counts from 1")
    load_per_s: float
    state: Literal["running", "finishing", "finished"]
    outcome: Literal["completed", "stopped", "failed", "interrupted"] | None
    started_at: datetime
    measured_duration_ns: int | None
    visibility: Literal["private", "public", "retracted"]
    verdict: VerdictWord | None = Field(description="null while it is measured")
    strength: VerdictStrength | None
    words: str | None = Field(description="verdict and strength as a person reads them")
    reason_text: str | None
    quantile_lower_ns: int | None = Field(description="bounds of the objective's quantile in this run")
    quantile_upper_ns: int | None = Field(description="null: no upper bound, or nothing known")


class LoadSearchOut(BaseModel):
    """A search: its probes in order, and the bracket that their verdicts show together."""

    search_id: str = Field(description="the id of its first run")
    objective: str
    limit_ns: int = Field(description="the time of the objective")
    probes: list[ProbeOut] = Field(description="of somebody else's search: the published ones")
    passed_per_s: float | None = Field(
        description="highest load whose completed probe passed, below every load that failed; null: none did"
    )
    failed_per_s: float | None = Field(description="lowest load that failed; null: none did")
    is_whole: bool = Field(description="no probe before the last one is missing, and none was repeated")
    may_change: bool = Field(description="another probe may follow")
