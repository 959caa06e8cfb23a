"""The document `drive_counters` of a finish message, as docs/contracts/wire.md describes it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tailroom.domain.latency.interval import INT64_MAX

DRIVES_MOST = 256
"""Most drives of a run, and most paths of a drive."""
READINGS_MOST = 1_024
"""Most readings of a drive."""
VALUES_MOST = 160
"""Most counters, and most texts, of a reading."""
BINS_MOST = 64
"""Most ranges of a histogram."""

LINE_PATTERN = r"^[^\x00-\x1F\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]*\Z"
"""As `kit.outside_types.LINE_PATTERN`, which this room may not import."""

_Name = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[a-z0-9_.]+\Z")]
_Text = Annotated[str, Meta(max_length=500, pattern=LINE_PATTERN, extra_json_schema={"format": "line"})]
_Path = Annotated[str, Meta(max_length=4096, pattern=LINE_PATTERN, extra_json_schema={"format": "line"})]
_Value = Annotated[int, Meta(ge=0, le=INT64_MAX)]
_OffsetNs = Annotated[int, Meta(ge=-INT64_MAX, le=INT64_MAX)]
_Bin = tuple[_Value, _Value, _Value]
Moment = Literal["armed", "start", "minute", "end", "drained"]
"""Why a drive was read: before the load (`armed`), at the start and end of the measurement, every minute in
between, and when all operations had ended (`drained`).
"""


class DriveReading(Struct, frozen=True, omit_defaults=True):
    """The counters of a drive at one moment: numbers (`values`) and texts by counter name.

    `at_ns` counts from the start of the run, negative before it; reading took `took_ns`.
    """

    moment: Moment
    at_ns: _OffsetNs
    took_ns: _Value
    values: Annotated[dict[_Name, _Value], Meta(max_length=VALUES_MOST)]
    texts: Annotated[dict[_Name, _Text], Meta(max_length=VALUES_MOST)] = {}
    histograms: Annotated[
        dict[_Name, Annotated[list[_Bin], Meta(max_length=BINS_MOST)]], Meta(max_length=8)
    ] = {}
    """The drive's own histograms by name: lower and upper end of each range in µs, and the count."""


class MeasuredDrive(Struct, frozen=True):
    """The readings of a disk, in order of time."""

    devices: Annotated[list[_Path], Meta(min_length=1, max_length=DRIVES_MOST)]
    """Paths of the measured files and devices on the disk, as in the series."""
    disk: _Text
    readings: Annotated[list[DriveReading], Meta(max_length=READINGS_MOST)]
    absent: Annotated[dict[_Name, _Text], Meta(max_length=32)] = {}
    """Reason by source (log page or program) for each source without counters."""


class DriveCounters(Struct, frozen=True):
    """The counters of every measured drive."""

    version: Literal[1]
    drives: Annotated[list[MeasuredDrive], Meta(max_length=DRIVES_MOST)]
    without_disk: Annotated[list[_Path], Meta(max_length=DRIVES_MOST)] = []
    """Paths of measured files that lie on no disk with counters."""
