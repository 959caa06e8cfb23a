"""API schemas of load ladders, which are runs of one drive at rising loads. Units: loads as multiples of
ACT's 1x, integer nanoseconds.
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.runs.verdict_schemas import ExceedanceRowOut, VerdictReason, VerdictStrength, VerdictWord

StepKind = Literal["raise", "hold", "stress"]


class LadderMark(BaseModel):
    """The place of a run as a step of a load ladder."""

    ladder_id: str = Field(description="the same for all runs of a ladder: the id of its first run")
    step: int = Field(description="counts from 1")
    kind: StepKind
    load_multiple: float | None = Field(description="per device; null where the plan names no multiple")
    step_count: int | None = Field(description="steps so far; null for somebody else's run")


class ProbeMark(BaseModel):
    """The place of a run as a probe of a search for the highest load."""

    search_id: str = Field(description="the same for all probes of a search: the id of its first run")
    step: int = Field(description="counts from 1")
    load_per_s: float
    objective: str


class LadderStepOut(BaseModel):
    """A run of a ladder with its verdict on ACT's limits; without a verdict, its fields are null or empty."""

    run_id: UUID
    step: int
    kind: StepKind
    load_multiple: float | None
    state: Literal["running", "finishing", "finished"]
    outcome: Literal["completed", "stopped", "failed", "interrupted"] | None
    started_at: datetime
    planned_duration_ns: int
    measured_duration_ns: int | None
    visibility: Literal["private", "public", "retracted"]
    verdict: VerdictWord | None = Field(description="of this run alone; null until there is one")
    strength: VerdictStrength | None = Field(description="null where undecided, or by a method before 8")
    words: str | None = Field(description="verdict and strength as a person reads them")
    reason: VerdictReason | None
    reason_text: str | None
    provisional: bool
    rows: list[ExceedanceRowOut] = Field(description="each limit beside what was measured")
    certification: VerdictWord | None = Field(description="whether this run certifies its load")


class LadderOut(BaseModel):
    """A load ladder: its steps in order, and what their final verdicts show. Loads: multiples of ACT's 1x."""

    ladder_id: str
    budget_name: str = Field(description="budget whose limits the steps are judged by")
    steps: list[LadderStepOut] = Field(description="of somebody else's ladder: the published ones")
    is_whole: bool = Field(description="no step is missing before the last")
    kept_load_multiple: float | None = Field(
        description="highest load whose completed run passed, below every load that failed; null: none did"
    )
    broken_load_multiple: float | None = Field(description="lowest load that failed; null: none did")
    certified_load_multiple: float | None = Field(
        description="highest kept load that was held as long as a certification takes, and passed it"
    )
    certification_duration_ns: int = Field(description="how long a certification takes at one load")
    every_step_passed: bool = Field(
        description="all steps up to `kept_load_multiple` are present, and the judged ones passed"
    )
    held_load_multiple: float | None = Field(
        description="highest load of a step of kind `hold`: the agent repeats the highest load that passed"
    )
    may_change: bool = Field(description="a verdict or another step may follow")
