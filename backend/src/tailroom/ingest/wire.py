"""The messages of an agent as types: field by field what docs/contracts/wire.md says, for JSON and
MessagePack alike.

msgspec checks types and ranges while it decodes, so that a batch of hundreds of intervals costs well under
a millisecond. What involves two fields or a histogram is checked in `validation`. Unknown fields are
ignored, so that a newer agent can talk to an older backend.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

INT64_MAX = 2**63 - 1
SERIES_NO_MAX = 65_535
PINS_MAX = 16

Count = Annotated[int, Meta(ge=0, le=INT64_MAX)]
Positive = Annotated[int, Meta(ge=1, le=INT64_MAX)]
SeriesNo = Annotated[int, Meta(ge=0, le=SERIES_NO_MAX)]
_NO_NUL = r"^[^\x00]*\Z"
ShortText = Annotated[str, Meta(min_length=1, max_length=200, pattern=_NO_NUL)]
Millicelsius = Annotated[int, Meta(ge=-100_000, le=200_000)]
LongText = Annotated[str, Meta(max_length=2000, pattern=_NO_NUL)]
Outcome = Literal["completed", "stopped", "failed", "interrupted"]
Directive = Literal["continue", "stop"]


class AgentVersion(Struct, frozen=True):
    """Which agent measured."""

    version: ShortText
    commit: Annotated[str, Meta(max_length=200, pattern=_NO_NUL)] | None = None


class Announcement(Struct, frozen=True):
    """Body of `POST /api/v1/runs`."""

    run_id: Annotated[str, Meta(pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")]
    title: ShortText
    workload: Literal["act-storage", "fraud-transaction"]
    started_at_unix_ns: Annotated[int, Meta(ge=0, le=INT64_MAX)]
    planned_duration_ns: Positive
    agent: AgentVersion
    host: dict[str, Any]
    plan: dict[str, Any]


class Layout(Struct, frozen=True):
    """Bucket layout of a histogram series; there is one so far."""

    t: Literal["hdr"]
    unit_ns: Literal[1000]
    significant_digits: Literal[3]


class SeriesDefinition(Struct, frozen=True):
    """What a series number stands for."""

    series_no: SeriesNo
    operation: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}\Z")]
    clock: Literal["response", "service", "queue", "operation"]
    kind: Literal["tick", "histogram"]
    host: ShortText
    pin_thresholds_ns: Annotated[list[Positive], Meta(max_length=PINS_MAX)]
    phase: ShortText = "main"
    device: LongText | None = None
    layout: Layout | None = None
    target_rate_per_s: Annotated[float, Meta(ge=0)] | None = None


class Interval(Struct, frozen=True, gc=False):
    """What happened inside one stretch of one series."""

    series: SeriesNo
    seq: Count
    start_ns: Count
    duration_ns: Positive
    count: Count
    errors: Count
    timeouts: Count
    unfinished: Count
    sum_ns: Count
    lateness_max_ns: Count
    pins: Annotated[list[Count], Meta(max_length=PINS_MAX)]
    min_ns: Count | None = None
    max_ns: Count | None = None
    target_count: Count | None = None
    histogram: bytes | None = None
    lateness_p99_ns: Count | None = None
    busy_ns: Count | None = None
    in_flight: Count | None = None
    oldest_in_flight_ns: Count | None = None
    temperature_millicelsius: Millicelsius | None = None


class Batch(Struct, frozen=True):
    """Body of `POST /api/v1/runs/{run_id}/intervals`."""

    series: list[SeriesDefinition]
    intervals: list[Interval]


class Finish(Struct, frozen=True):
    """Body of `POST /api/v1/runs/{run_id}/finish`."""

    outcome: Outcome
    duration_ns: Count
    last_seq: dict[str, Annotated[int, Meta(ge=-1, le=INT64_MAX)]]
    reason: LongText | None = None


class Missing(Struct, frozen=True):
    """Intervals that are known to exist and have not arrived; both ends included."""

    series: int
    from_seq: int
    to_seq: int


class AnnouncementAnswer(Struct, frozen=True):
    """Answer to an announcement."""

    run_id: str
    directive: Directive


class BatchAnswer(Struct, frozen=True):
    """Answer to a batch: what is durable, what is missing, and whether to go on."""

    acknowledged: dict[str, int]
    missing: list[Missing]
    directive: Directive


class FinishAnswer(Struct, frozen=True):
    """Answer to a finish: whether everything has arrived."""

    complete: bool
    missing: list[Missing]
    directive: Directive


class Tick(Struct, frozen=True, omit_defaults=True):
    """An interval of a tick series, as live pages get it; what is not known about the generator and the
    drive is left out.
    """

    series_no: int
    seq: int
    start_ns: int
    duration_ns: int
    count: int
    errors: int
    timeouts: int
    unfinished: int
    sum_ns: int
    min_ns: int | None
    max_ns: int | None
    pins: list[int]
    target_count: int | None
    lateness_max_ns: int
    lateness_p99_ns: int | None = None
    busy_ns: int | None = None
    in_flight: int | None = None
    oldest_in_flight_ns: int | None = None
    temperature_millicelsius: int | None = None
