"""API schemas of runs. Units: integer nanoseconds; times are ISO 8601 in UTC."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.kit.outside_types import TEXT, RequestBody
from tailroom.kit.private_names import Kind
from tailroom.runs.ladder_schemas import LadderMark, ProbeMark
from tailroom.runs.verdict_schemas import VerdictOut, VerdictReason, VerdictStrength, VerdictWord

_REASON_CHARACTERS = 500

RunState = Literal["running", "finishing", "finished"]
RunSort = Literal[
    "started",
    "-started",
    "title",
    "-title",
    "workload",
    "-workload",
    "state",
    "-state",
    "duration",
    "-duration",
    "verdict",
    "-verdict",
]
RunOutcome = Literal["completed", "stopped", "failed", "interrupted"]
SeriesKind = Literal["tick", "histogram", "statement"]
RunSource = Literal["agent", "upload"]
Scope = Literal["all", "public", "mine"]
Visibility = Literal["private", "public", "retracted"]
EndState = Literal[
    "finished", "device_too_slow", "generator_too_slow", "failed", "killed", "growing", "unknown"
]


class RoomOut(BaseModel):
    """The room left by a judged transaction: window less reserve less its time at the objective's quantile.

    `room_lower_ns` is null if that time has no upper bound; both bounds are null if the time is not known.
    `quantile_lower_ns`: lower bound of that time by the model, null without a model.
    """

    window_ns: int
    reserve_ns: int
    room_lower_ns: int | None
    room_upper_ns: int | None
    quantile_lower_ns: int | None


class VerdictSummaryOut(BaseModel):
    """Short form of a verdict by one budget, for lists; `provisional`: later data may change it."""

    budget_name: str
    budget_title: str
    verdict: VerdictWord
    strength: VerdictStrength | None = Field(None, description="null where undecided, or before method 8")
    words: str | None = Field(None, description="verdict and strength as a person reads them")
    reason: VerdictReason | None
    provisional: bool
    reason_text: str | None = Field(None, description="why, where the interval alone does not say it")
    headline: str | None = Field(None, description="one line: the interval and what was asked")
    room: RoomOut | None = Field(None, description="null where no transaction was judged")
    evidence_share: float | None = Field(
        None, description="of a verdict that is not proven: share of the needed evidence, 0 to 1"
    )
    evidence_unit: Literal["operations", "transactions"] | None = None
    slices: int | None = Field(None, description="of the judged operations; null where no latency was judged")
    unreliable_slices: int | None = Field(None, description="of these, because of the load generator")


class RunSummary(BaseModel):
    """A run in a list. `outcome` is null until the run has ended; `host_name`: null if it states none.

    `state`: `finishing` means that the run has ended and intervals are still missing.
    """

    run_id: UUID
    title: str
    workload: str
    state: RunState
    outcome: RunOutcome | None
    started_at: datetime
    planned_duration_ns: int
    planned_operations: int | None = Field(
        description="operations after which the run ends, as loading a database does; null where time ends it"
    )
    phase_kind: Literal["load", "warm-up"] | None = Field(
        description="of a database plan: fills the database or warms it up, and is not judged"
    )
    measured_duration_ns: int | None = Field(description="null until the agent has finished")
    host_name: str | None
    source: RunSource = Field(description="measured by an agent, or read from an uploaded file")
    simulated: bool = Field(
        description="simulated by an engine without a drive or server; never ranked or matched"
    )
    tool: str | None = Field(description="of an uploaded file; null for runs of agents")
    tool_version: str | None
    visibility: Visibility
    started_at_known: bool = Field(description="false: `started_at` is the time of the upload")
    closed_loop: bool = Field(description="each operation waited for the answer before it: no response times")
    last_data_at: datetime | None = Field(description="when the last new interval was stored")
    ladder: LadderMark | None = Field(description="null: the run is no step of a load ladder")
    probe: ProbeMark | None = Field(description="null: the run is no probe of a search for the highest load")
    verdicts: list[VerdictSummaryOut] = Field(description="the answer of the run first")


class RunPage(BaseModel):
    """A page of runs, in the requested order."""

    runs: list[RunSummary]
    next_cursor: str | None = Field(description="give it as `cursor` for the next page; null on the last one")
    total: int = Field(description="runs that match, on all pages; 10,000 where there are more")
    total_is_exact: bool = Field(description="false: more than `total` match")


class LayoutOut(BaseModel):
    """Bucket layout of a histogram series."""

    t: Literal["hdr", "pow2", "explicit"]
    unit_ns: int | None = Field(None, description="of `hdr` and `pow2`")
    significant_digits: int | None = Field(None, description="of `hdr`")
    edges_ns: list[int | None] | None = Field(
        None, description="of `explicit`: ascending; null at the end where the last bucket is open"
    )
    edge_tolerance_ns: int = Field(0, description="edges may in truth lie up to this much later")


class PeriodOut(BaseModel):
    """A period of an uploaded run of which the file states only quantiles, which cannot be added up."""

    start_ns: int
    duration_ns: int
    count: int | None = Field(description="null where the file does not state it")
    p50_lower_ns: int
    p50_upper_ns: int | None = Field(description="null: no upper end is known")
    p99_lower_ns: int
    p99_upper_ns: int | None
    p999_lower_ns: int
    p999_upper_ns: int | None


class SeriesOut(BaseModel):
    """A series, and how many of its intervals have arrived.

    `pin_thresholds_ns` are the times at or over which operations are counted exactly. Fields of uploaded
    files are null, 0 or empty for an agent's run.
    """

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
    contiguous_seq: int = Field(description="last interval before the first gap; −1: none")
    received_count: int
    semantics: str | None = Field(description="definition of the times in an uploaded file")
    source_name: str | None = Field(description="name in the uploaded file")
    target_count: int | None = Field(
        description="operations that the schedule of an uploaded run intended; null where that is not known"
    )
    missing_intervals: int = Field(description="intervals that an uploaded file numbers but does not contain")
    periods: list[PeriodOut] = Field(description="of an uploaded run whose file has no counts over time")


class MissingRange(BaseModel):
    """Intervals that exist but have not arrived; both ends included."""

    series: int
    from_seq: int
    to_seq: int


class MissingDisclosure(BaseModel):
    """A required fact that the run does not state."""

    field: str
    label: str


class DisclosedOut(BaseModel):
    """A fact that a person stated, because the run does not."""

    field: str
    label: str
    value: str | int | float | bool
    answered_at: datetime


class FileProblemOut(BaseModel):
    """A problem in an uploaded file; `file` is null if it concerns no single file."""

    file: str | None
    line: int | None = Field(description="counts from 1; null where it concerns the whole file")
    reason: str
    severity: Literal["note", "warning", "error"]


class SourceFileOut(BaseModel):
    """A file that a run was read from; `sha256` finds it under /api/v1/raw-files."""

    name: str
    sha256: str
    size_bytes: int
    read_at: datetime
    is_current: bool = Field(description="the longest copy: what is shown was read from it")


class DisclosureOut(BaseModel):
    """Facts that must be stated about a run, and which of them are.

    Of `required_count` facts the measurement or a person states `given_count`; `missing` are the others.
    `disclosed` also has answers to facts that are not required.
    """

    required_count: int
    given_count: int
    missing: list[MissingDisclosure]
    disclosed: list[DisclosedOut] = Field(description="added by a person, not stated by the measurement")


class GivenUpOut(BaseModel):
    """A calculation that failed too often; it is repeated only at a person's request."""

    work: str = Field(description="judge, audit, rate or draw")
    attempts: int
    error: str = Field(description="why the last attempt failed")
    given_up_at: datetime


class RunDetail(RunSummary):
    """Everything about one run except its distributions.

    `agent`, `host` and `plan` are as the agent sent them, in part empty for an uploaded run.
    `data_through_ns` is the end of the last stored interval since the start of the run. Private fields are
    empty for other readers.
    """

    verdicts: list[VerdictOut] = Field(description="the answer of the run first")  # type: ignore[assignment]
    outcome_reason: str | None
    agent: dict[str, Any]
    host: dict[str, Any]
    plan: dict[str, Any]
    target_name: str | None = Field(description="the device or server that was measured")
    data_through_ns: int
    judged_at: datetime | None = Field(
        description="when the run was last judged, also where no budget applied"
    )
    removed: Literal["ticks", "intervals", "minutes"] | None = Field(
        description="what retention has removed last; without minutes there is no timeline"
    )
    series: list[SeriesOut]
    missing: list[MissingRange]
    stop_requested_at: datetime | None
    disclosure: DisclosureOut
    format: str | None = Field(description="importer and kind of file")
    end_state: EndState | None = Field(description="how the run ended, by the content of its file")
    problems: list[FileProblemOut]
    files: list[SourceFileOut] = Field(description="what an uploaded run was read from; private")
    published_at: datetime | None
    shown_names: list[Kind] = Field(description="kinds of names that others read as they are, once published")
    retracted_at: datetime | None
    retraction_reason: str | None
    is_own: bool = Field(description="owned by the reader's organisation, which may change or delete it")
    given_up: list[GivenUpOut] = Field(description="calculations that failed too often; for its owner")


class DisclosureIn(RequestBody):
    """Answers to facts that a run does not state, by the name of the fact."""

    answers: dict[str, str | int | float | bool | None] = Field(
        max_length=200, description="null withdraws an answer"
    )


class PublicationIn(RequestBody):
    """Kinds of names that others read unchanged once the run is published; others become neutral."""

    shown: list[Kind] = Field(
        default_factory=list, max_length=8, description="kinds of names that others read as they are"
    )


class RunNamesOut(BaseModel):
    """Private names of a run, by the kind under which a publication may show them."""

    hosts: list[str]
    devices: list[str]
    paths: list[str]
    notes: list[str]


class RetractionIn(RequestBody):
    """Reason for which a run is withdrawn."""

    reason: Annotated[str, TEXT] | None = Field(
        None, max_length=_REASON_CHARACTERS, description="shown to everybody"
    )
