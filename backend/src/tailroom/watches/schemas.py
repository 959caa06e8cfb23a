"""API schemas of watched configurations."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field, StringConstraints

from tailroom.analysis.figures import FigureOut
from tailroom.comparison.schemas import ComparisonOut
from tailroom.domain.comparison.comparison import Outcome
from tailroom.kit.outside_types import LINE, EmailAddress, Lookup, Name, RequestBody, WebUrl
from tailroom.runs.verdict_schemas import VerdictStrength, VerdictWord

_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), LINE]
Strength = Annotated[VerdictStrength | None, Field(description="null: undecided, or by a method before 8")]


class WatchIn(RequestBody):
    """Which runs a watch selects, by which budget, and where its alerts go."""

    name: Name
    run_title: _Line | None = Field(None, description="of the runs to watch; null: any")
    host_name: _Line | None = None
    target_name: _Line | None = Field(None, description="the device or server that was measured")
    budget_name: Lookup = Field(
        description="`highest-load`: searches for the highest load, none less than before"
    )
    webhook_url: WebUrl | None = None
    email: EmailAddress | None = None


class WatchResultOut(BaseModel):
    """A run of the configuration, with its verdict."""

    run_id: UUID
    started_at: datetime
    verdict: VerdictWord
    strength: Strength
    words: str = Field(description="verdict and strength as a person reads them")
    statement: str


class AlertOut(BaseModel):
    """An alert, and the state of its delivery; `delivered_at` is null until it is delivered."""

    alert_id: UUID
    channel: Literal["webhook", "email"]
    created_at: datetime
    text: str
    attempts: int
    delivered_at: datetime | None
    error: str | None = Field(description="why the last attempt failed")


class WatchOut(BaseModel):
    """A watched configuration, with its latest results and alerts."""

    watch_id: UUID
    name: str
    run_title: str | None
    host_name: str | None
    target_name: str | None
    budget_name: str
    webhook_host: str | None = Field(description="where its webhook goes; its address is not given again")
    email: str | None
    verdict: VerdictWord | None = Field(description="of the latest run; null: none yet")
    strength: Strength
    words: str | None = Field(description="verdict and strength of the latest run as a person reads them")
    created_at: datetime
    results: list[WatchResultOut] = Field(description="the latest runs, the oldest first")
    alerts: list[AlertOut] = Field(description="the latest, the newest first")


class WatchesOut(BaseModel):
    """The watches of an organisation, by name."""

    watches: list[WatchOut]


class WatchMadeOut(WatchOut):
    """A new watch, with the secret that signs its webhook."""

    webhook_secret: str | None = Field(
        description="the receiver checks `Tailroom-Signature` with it; it is not given again"
    )


class FactChangeOut(BaseModel):
    """A fact that differs from the previous run; an empty value is not stated."""

    name: str
    before: str
    after: str


class TrendPointOut(BaseModel):
    """A run of a trend, with its verdict and figures."""

    run_id: UUID
    title: str
    started_at: datetime
    verdict: VerdictWord
    strength: Strength
    words: str = Field(description="verdict and strength as a person reads them")
    strength_changed: bool = Field(description="the word is that of the run before, its strength is not")
    figures: list[FigureOut]
    facts_changed: list[FactChangeOut] = Field(description="against the run before; at most 20")
    facts_changed_count: int


class LevelStepOut(BaseModel):
    """A change of level: the first run after it, and the geometric means of the runs before and after."""

    quantity: str
    run_id: UUID
    before: float
    after: float
    p_value: float


class UndecidedOut(BaseModel):
    """A quantity with too few or unsuitable figures to detect changes of level, with the reason."""

    quantity: str
    reason: str


class TrendOut(BaseModel):
    """The latest runs of a configuration, oldest first, with changes of level."""

    watch_id: UUID
    name: str
    operation: str | None
    clock: str | None
    points: list[TrendPointOut]
    steps: list[LevelStepOut]
    undecided: list[UndecidedOut]


class AgainstOut(BaseModel):
    """A quantity of the new run compared with the range of the earlier runs."""

    quantity: str
    value: float
    lower: float = Field(description="lower end of the range that chance allows")
    upper: float
    runs: int = Field(description="of the present level")
    effect: Literal["better", "worse", "same", "open"]


class BaselineComparisonOut(BaseModel):
    """A run compared with the runs of a branch."""

    branch: str
    watch_id: UUID
    base_run_id: UUID = Field(description="the latest run of the branch")
    verdict: Outcome
    headline: str = Field(description="the answer in a sentence")
    basis: Literal["history", "runs", "latest_run"] = Field(description="what the verdict rests on")
    history: list[AgainstOut] = Field(description="empty: too few runs, or ones that timed something else")
    comparison: ComparisonOut = Field(description="against the latest run alone")
