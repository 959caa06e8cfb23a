"""The lines of a result file as types, with the keys of docs/contracts/wire.md.

Intervals are those of the wire (domain.latency.interval). Unknown keys are ignored, so that a newer agent's
file can be read. Rules about two fields or a histogram are checked in `series_intervals`.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from tailroom.domain.latency.interval import Interval
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.importers.printed import MAX_COUNT

_Time = Annotated[int, Meta(ge=0, lt=1 << 62)]
_Length = Annotated[int, Meta(gt=0, lt=1 << 62)]


class Agent(Struct):
    """The agent that measured the run."""

    version: str


class AnnouncementLine(Struct):
    """Description of the run at its start: title, workload, facts about the machine, and plan of the load."""

    title: str
    workload: str
    started_at_unix_ns: _Time
    agent: Agent
    host: dict[str, Any]
    plan: dict[str, Any]
    run_id: str | None = None


class LayoutLine(Struct):
    """Buckets of a histogram series: those of an HdrHistogram with this unit and these significant digits."""

    t: Literal["hdr"]
    unit_ns: int
    significant_digits: int


class SeriesLine(Struct):
    """Definition of the series with a number; `kind` is `tick` for the counts of the live display.

    `pin_thresholds_ns`: latencies over which operations are also counted exactly. `layout` is required for
    histograms.
    """

    series_no: int
    operation: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,40}\Z")]
    clock: Clock
    kind: Literal["tick", "histogram"]
    pin_thresholds_ns: Annotated[list[_Length], Meta(max_length=16)]
    phase: str = "main"
    device: str | None = None
    layout: LayoutLine | None = None


class FinishLine(Struct):
    """How the run ended; `last_seq` is the last sequence number of each series, by the number of the series.

    The sequence number is −1 for a series without intervals.
    """

    outcome: Literal["completed", "stopped", "failed", "interrupted"]
    duration_ns: _Time
    last_seq: dict[int, Annotated[int, Meta(ge=-1, lt=MAX_COUNT)]]
    reason: str | None = None


class ResultLine(Struct):
    """A line of the file. The agent sets one of its fields; no field and several fields can be read too."""

    announce: AnnouncementLine | None = None
    series: list[SeriesLine] | None = None
    intervals: list[Interval] | None = None
    finish: FinishLine | None = None
