"""The agent's messages as types, as in docs/contracts/wire.md, for JSON and MessagePack alike.

msgspec checks types and ranges while it decodes; `validation` checks rules about several fields. Unknown
fields are ignored, so that a newer agent works with an older backend.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, defstruct

from tailroom.domain.drive_counters.summary import DriveCounters
from tailroom.domain.latency.interval import (
    COLUMNS,
    INT64_MAX,
    PINS_MAX,
    Count,
    Interval,
    Positive,
    SeriesNo,
)
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.kit.limits import BATCH_INTERVALS, BATCH_SERIES
from tailroom.kit.outside_types import LINE, LINE_PATTERN, NO_CONTROL, TEXT

ShortText = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=LINE_PATTERN, extra_json_schema={"format": LINE.kind}),
]
LongText = Annotated[str, Meta(max_length=2000, pattern=NO_CONTROL, extra_json_schema={"format": TEXT.kind})]
Outcome = Literal["completed", "stopped", "failed", "interrupted"]
Directive = Literal["continue", "stop"]


class AgentVersion(Struct, frozen=True):
    """Version of the measuring agent."""

    version: ShortText
    commit: (
        Annotated[str, Meta(max_length=200, pattern=LINE_PATTERN, extra_json_schema={"format": LINE.kind})]
        | None
    ) = None


class Announcement(Struct, frozen=True, omit_defaults=True):
    """Body of `POST /api/v1/runs`; its canonical form leaves out default values."""

    run_id: Annotated[str, Meta(pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")]
    title: ShortText
    workload: Literal[
        "act-storage", "fraud-transaction", "fraud", "keyvalue", "ycsb", "sync-write", "qualify"
    ]
    started_at_unix_ns: Annotated[int, Meta(ge=0, le=INT64_MAX)]
    planned_duration_ns: Positive
    agent: AgentVersion
    host: dict[str, Any]
    plan: dict[str, Any]
    started_at_uncertainty_ns: Count | None = None


class Layout(Struct, frozen=True):
    """Bucket layout of a histogram series."""

    t: Literal["hdr"]
    unit_ns: Literal[1000]
    significant_digits: Literal[3]


class SeriesDefinition(Struct, frozen=True):
    """Definition of a numbered series of a run: operation, clock (kind of time), thresholds and buckets."""

    series_no: SeriesNo
    operation: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}\Z")]
    clock: Clock
    kind: Literal["tick", "histogram"]
    host: ShortText
    pin_thresholds_ns: Annotated[list[Positive], Meta(max_length=PINS_MAX)]
    phase: ShortText = "main"
    device: LongText | None = None
    layout: Layout | None = None
    target_rate_per_s: Annotated[float, Meta(ge=0)] | None = None


class Batch(Struct, frozen=True):
    """Body of `POST /api/v1/runs/{run_id}/intervals`: new definitions of series, and intervals."""

    series: Annotated[list[SeriesDefinition], Meta(max_length=BATCH_SERIES)]
    intervals: Annotated[list[Interval], Meta(max_length=BATCH_INTERVALS)]


class Finish(Struct, frozen=True):
    """Body of `POST /api/v1/runs/{run_id}/finish`; `last_seq` has each series' last number (−1: none)."""

    outcome: Outcome
    duration_ns: Count
    last_seq: dict[str, Annotated[int, Meta(ge=-1, le=INT64_MAX)]]
    reason: LongText | None = None
    drive_counters: DriveCounters | None = None
    search_ended: Annotated[str, Meta(pattern=r"^[a-z-]{1,40}\Z")] | None = None
    """`domain.rating.load_search.SearchEnd`, or a word of a newer agent."""


class Missing(Struct, frozen=True):
    """Intervals that exist but have not arrived; both ends included."""

    series: int
    from_seq: int
    to_seq: int


class AnnouncementAnswer(Struct, frozen=True):
    """Answer to the announcement of a run: its id, and whether the agent continues or stops."""

    run_id: str
    directive: Directive


class BatchAnswer(Struct, frozen=True):
    """Answer to a batch: last acknowledged sequence number by series, missing intervals, directive."""

    acknowledged: dict[str, int]
    missing: list[Missing]
    directive: Directive


class FinishAnswer(Struct, frozen=True):
    """Answer to a finish: whether every interval has arrived, missing intervals, directive."""

    complete: bool
    missing: list[Missing]
    directive: Directive


def _tick_fields() -> list[tuple[str, Any] | tuple[str, Any, Any]]:
    """Return names, types and defaults of the fields of `Tick`; one with a default is omitted if unknown."""
    always: list[tuple[str, Any] | tuple[str, Any, Any]] = [("series_no", int), ("seq", int)]
    later: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for column in COLUMNS:
        if not column.optional:
            always.append((column.name, int))
        elif column.storage.always_sent:
            always.append((column.name, int | None))
        else:
            later.append((column.name, int | None, None))
    return [*always, ("pins", list[int]), *later]


Tick = defstruct(
    "Tick",
    _tick_fields(),
    frozen=True,
    omit_defaults=True,
    namespace={
        "__doc__": "An interval of a tick series for live pages; unknown values of the generator are omitted."
    },
)


def tick_of(interval: Interval) -> Struct:
    """Return an interval in the form for live pages, without its histogram."""
    numbers = {column.name: getattr(interval, column.name) for column in COLUMNS}
    return Tick(series_no=interval.series, seq=interval.seq, pins=interval.pins, **numbers)
