"""API schemas of searches for the highest load.

Loads are operations per second, times integer nanoseconds.
"""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.domain.rating.load_search import BracketEffect, ProbeWord
from tailroom.runs.verdict_schemas import VerdictStrength, VerdictWord


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
    words: str | None = Field(description="verdict and strength as text")
    reason_text: str | None
    quantile_lower_ns: int | None = Field(description="bounds of the objective's quantile in this run")
    quantile_upper_ns: int | None = Field(description="null: no upper bound, or nothing known")
    is_limited: bool = Field(
        description="the load generator was late or busy, so the latencies are not those of this load"
    )
    late_share: float | None = Field(
        description="share of operations at or over the limit, misses included; null: it does not count for"
        " the bracket"
    )


class WordChangeOut(BaseModel):
    """A load with different results in two probes, by more than chance (scatter) explains.

    Each result is a word, such as `PASS`. `before_followed` and `after_followed` are the results of the
    probes directly before these two, at whatever load.
    """

    load_per_s: float
    before: ProbeWord
    before_followed: ProbeWord | None = Field(
        description="word of the probe before that one; null: the first"
    )
    after: ProbeWord
    after_followed: ProbeWord | None
    is_hysteresis: bool = Field(
        description="it held after a pass and failed after a failure, or the reverse: the server does not"
        " recover at once"
    )


class LoadSearchOut(BaseModel):
    """A search for the highest load: its probes in order, and the bracket (loads between which it lies)."""

    search_id: str = Field(description="the id of its first run")
    objective: str
    limit_ns: int = Field(description="the time of the objective")
    text: str = Field(description="the bracket in one sentence")
    probes: list[ProbeOut] = Field(description="of another organisation's search: the published ones")
    passed_per_s: float | None = Field(
        description="highest load that held, probes of one load counted together, below every load that"
        " failed; null: none did"
    )
    failed_per_s: float | None = Field(description="lowest load above it that failed; null: none did")
    limited_per_s: float | None = Field(
        description="load above it that the load generator could not make; null: another reason ended it"
    )
    surely_passed_per_s: float | None = Field(
        description="lower end of the stated bracket: it held by more than its scatter; null: open"
    )
    surely_failed_per_s: float | None = Field(description="upper end of the stated bracket; null: open")
    is_repeated: bool = Field(description="both ends were measured again, with the same word")
    changes: list[WordChangeOut]
    passes_above_failure: list[float] = Field(description="loads that held above one that failed")
    is_whole: bool = Field(description="no probe before the last one is missing, and none was repeated")
    may_change: bool = Field(description="another probe may follow")
    ended: str | None = Field(
        description="why the search has ended, as its agent states it: precision, generator, probes, time,"
        " top, no-pass, stopped or failed; null: not stated"
    )
    ended_text: str | None = Field(description="the same as a sentence")


class ComparedSearchOut(BaseModel):
    """The bracket of the highest load in a search, compared with that of the first search.

    The loads are defined in `LoadSearchOut`.
    """

    run_id: UUID = Field(description="the probe that was named")
    search_id: str
    objective: str
    text: str = Field(description="the bracket in one sentence")
    passed_per_s: float | None
    failed_per_s: float | None
    surely_passed_per_s: float | None
    surely_failed_per_s: float | None
    effect: BracketEffect | None = Field(
        description="lower: this stated bracket lies wholly below the first; null: the first, or another"
        " objective"
    )
    effect_text: str | None = Field(description="the same as a sentence, or why there is none")


class ComparedSearchesOut(BaseModel):
    """Searches for the highest load, compared with the first."""

    searches: list[ComparedSearchOut | None] = Field(
        description="in the order of the runs; null: the run is no probe of a search"
    )
