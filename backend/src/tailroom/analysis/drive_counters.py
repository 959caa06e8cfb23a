"""The counters of a run's drives for its page: figures with bounds, readings over time, absent sources."""

from dataclasses import asdict
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from tailroom.analysis.run_reader import RunReader
from tailroom.domain.drive_counters.summary import CounterFigure, DriveSummary, MeasuredDrive
from tailroom.domain.drive_counters.words import LABELS, text_of
from tailroom.judging.drive_counters import drive_counters_of, drive_summaries

_NO_COUNTERS = (
    "No counters of drives came with this run: it measured no drive of this machine, it was read from a file,"
    " it has not ended, or its agent is older."
)


class _CountersOut(BaseModel):
    """Base of schemas of drive counters, which are read from attributes."""

    model_config = ConfigDict(from_attributes=True)


class CounterFigureOut(_CountersOut):
    """A figure between two bounds in `unit`; null, with the `reason`, if a bound is unknown.

    `source` is the page or program of the drive that stated it.
    """

    key: str
    label: str
    text: str = Field(description="the bounds with their unit, rounded outward, or why it is not known")
    unit: str
    lower: float | None
    upper: float | None
    source: str | None
    reason: str | None


class DriveReadingOut(_CountersOut):
    """The counters that a drive reported `at_ns` after the start of the run, by name: numbers and texts."""

    moment: str
    at_ns: int
    values: dict[str, int]
    texts: dict[str, str]


class AbsentSourceOut(_CountersOut):
    """A source of counters that the drive or system does not have, and the reason."""

    source: str = Field(description="smart, extended, latency_monitor, volume, ata or kernel")
    reason: str


class MeasuredDriveOut(_CountersOut):
    """A disk with its counters between the first reading that is used and the last."""

    disk: str
    devices: list[str] = Field(description="measured files and devices on it")
    from_ns: int | None = Field(description="when the first reading that is used began")
    to_ns: int | None = Field(description="when the last reading began")
    is_to_the_end: bool = Field(description="the last reading was made after the last operation had ended")
    figures: list[CounterFigureOut]
    reason: str | None = Field(description="why there are no figures")
    readings: list[DriveReadingOut]
    absent: list[AbsentSourceOut]


class DriveCountersOut(_CountersOut):
    """The counters of all drives of a run. Without counters there are no drives, but a `reason`."""

    run_id: UUID
    drives: list[MeasuredDriveOut]
    without_disk: list[str] = Field(description="measured files without a disk of their own below them")
    reason: str | None = Field(description="why there are no counters")


def drive_counters_out(reader: RunReader) -> DriveCountersOut:
    """Return figures and readings of a run's measured drives; without counters no drives, but a reason."""
    with reader.transactions() as session:
        counters = drive_counters_of(session, reader.run)
        summaries = drive_summaries(session, reader.run)
    if counters is None:
        return DriveCountersOut(run_id=reader.run_id, drives=[], without_disk=[], reason=_NO_COUNTERS)
    drives = [_drive_out(drive, summary) for drive, summary in zip(counters.drives, summaries, strict=True)]
    return DriveCountersOut(
        run_id=reader.run_id, drives=drives, without_disk=list(counters.without_disk), reason=None
    )


def _drive_out(drive: MeasuredDrive, summary: DriveSummary) -> MeasuredDriveOut:
    """Return the counters of a drive for the API."""
    return MeasuredDriveOut(
        disk=drive.disk,
        devices=list(drive.devices),
        from_ns=summary.from_ns,
        to_ns=summary.to_ns,
        is_to_the_end=summary.is_to_the_end,
        figures=[figure_out(figure) for figure in summary.figures],
        reason=summary.reason,
        readings=[DriveReadingOut.model_validate(reading) for reading in drive.readings],
        absent=[
            AbsentSourceOut(source=source, reason=reason) for source, reason in sorted(drive.absent.items())
        ],
    )


def figure_out(figure: CounterFigure) -> CounterFigureOut:
    """Return a figure for the API, with its label, and as text its bounds or why it is unknown."""
    return CounterFigureOut(**asdict(figure), label=LABELS[figure.key], text=text_of(figure))
