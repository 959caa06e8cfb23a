"""A run by the counters of its drive: differences between the first and last reading, with bounds.

A figure is only given where both ends were read. Its bounds hold what the counter itself leaves open: NVMe
counts written data in units of 512,000 bytes, wear in whole per cent, throttling in whole seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tailroom.domain.latency.interval import INT64_MAX
from tailroom.domain.units import NS_PER_HOUR

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
"""Why a drive was read: before the load, at start or end of the measurement, every minute of it, or once all
operations had ended.
"""


class DriveReading(Struct, frozen=True, omit_defaults=True):
    """The counters of a drive at one moment: numbers (`values`) and texts by name of the counter.

    `at_ns` counts from the start of the run, negative before it; reading them took `took_ns`.
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


NVME_UNIT_BYTES = 512_000
"""Unit of the counts of data in NVMe's log page 02h; each count is rounded up."""
_NOT_BOTH_ENDS = "not read both before and after the measurement"
_WENT_BACK = "the counter went back, so it was reset in between"
_SATURATED = 255
"""The largest number of throttling events that page C0h can hold."""
_KELVIN = 273


@dataclass(frozen=True, slots=True)
class CounterFigure:
    """A figure between `lower` and `upper` in `unit`. Both are None if it is unknown, only `upper` if there
    is no upper bound, each for the `reason`. `source` is the log page or program that stated it.
    """

    key: str
    unit: str
    lower: float | None
    upper: float | None
    source: str | None = None
    reason: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether there is a lower bound."""
        return self.lower is not None


@dataclass(frozen=True, slots=True)
class DriveSummary:
    """The figures of a drive, in the order of display, from its reading at `from_ns` to that at `to_ns`, in
    ns since the start of the run, None without figures.
    """

    disk: str
    devices: tuple[str, ...]
    from_ns: int | None
    to_ns: int | None
    is_to_the_end: bool
    """Whether the last reading was made after all operations had ended."""
    figures: tuple[CounterFigure, ...]
    reason: str | None = None
    """Why there are no figures; None if there are."""

    def known(self, key: str) -> CounterFigure | None:
        """Return a figure by its key; None if it is missing or unknown."""
        return next((figure for figure in self.figures if figure.key == key and figure.is_known), None)


def summary_of(drive: MeasuredDrive, agent_bytes: tuple[int, int] | None, *, has_ramp: bool) -> DriveSummary:
    """Return the summary of a drive; without figures, but with a reason, if it was not read at both ends.
    `agent_bytes` bounds the bytes that the agent wrote meanwhile. With a ramp the load begins before the
    measurement, so the first reading used is that of the start.
    """
    ends = _first_and_last(drive.readings, has_ramp=has_ramp)
    if ends is None:
        reason = "the drive was not read both before and after the measurement"
        return DriveSummary(drive.disk, tuple(drive.devices), None, None, False, (), reason)
    differences = _Differences(drive, *ends)
    host = differences.first_figure("host_written_bytes", "bytes", _HOST_WRITTEN)
    kernel = differences.first_figure("kernel_written_bytes", "bytes", (("kernel.written_bytes", 0),))
    media = differences.first_figure("media_written_bytes", "bytes", (("extended.media_written_bytes", 0),))
    agent = _agent_written(agent_bytes)
    figures = (
        host,
        kernel,
        agent,
        _foreign_written(kernel, agent),
        media,
        amplification_of(media, host),
        _life_hours(differences, media, host),
        differences.sum("throttled_s", "s", _THROTTLED_S, slack=1),
        _throttling_count(differences),
        differences.sum("warning_minutes", "min", _WARNING_MINUTES, slack=1),
        _highest_temperature(drive.readings),
        differences.first_figure(
            "media_errors", "count", (("smart.media_errors", 0), ("ata.media_errors", 0))
        ),
        differences.first_figure("pcie_errors", "count", (("kernel.pcie_corrected_errors", 0),)),
        _link_ratio(differences),
        differences.at_end("wear_used_pct", "%", ("smart.percentage_used", "ata.percentage_used")),
        differences.at_end("available_spare_pct", "%", ("smart.available_spare_pct",)),
        differences.at_end("spare_threshold_pct", "%", ("smart.spare_threshold_pct",)),
        differences.at_end("critical_warning", "bits", ("smart.critical_warning",)),
        differences.sum("over_volume_limit_s", "s", _OVER_VOLUME_US, divisor=1e6),
        differences.sum("over_instance_limit_s", "s", _OVER_INSTANCE_US, divisor=1e6),
    )
    before, after = ends
    is_to_the_end = after.moment == "drained"
    return DriveSummary(drive.disk, tuple(drive.devices), before.at_ns, after.at_ns, is_to_the_end, figures)


_HOST_WRITTEN = (
    ("smart.host_written_bytes", NVME_UNIT_BYTES),
    ("volume.written_bytes", 0),
    ("ata.host_written_bytes", 0),
)
_TOTAL_WRITTEN = {
    "extended": "extended.media_written_bytes",
    "smart": "smart.host_written_bytes",
    "ata": "ata.host_written_bytes",
}
_THROTTLED_S = ("smart.thermal_management_1_s", "smart.thermal_management_2_s")
_WARNING_MINUTES = ("smart.warning_temperature_minutes", "smart.critical_temperature_minutes")
_OVER_VOLUME_US = ("volume.over_volume_operations_us", "volume.over_volume_throughput_us")
_OVER_INSTANCE_US = ("volume.over_instance_operations_us", "volume.over_instance_throughput_us")


def _first_and_last(
    readings: Sequence[DriveReading], *, has_ramp: bool
) -> tuple[DriveReading, DriveReading] | None:
    """Return the first reading that counts, `start` with a ramp, else `armed`, and the last reading."""
    first_moment = "start" if has_ramp else "armed"
    before = next((reading for reading in readings if reading.moment == first_moment), None)
    if before is None or len(readings) < 2 or readings[-1] is before:
        return None
    return before, readings[-1]


class _Differences:
    """Differences of counters between two readings of a drive, as figures with bounds."""

    def __init__(self, drive: MeasuredDrive, before: DriveReading, after: DriveReading) -> None:
        self.drive, self.before, self.after = drive, before, after

    def first_figure(self, key: str, unit: str, names: Sequence[tuple[str, int]]) -> CounterFigure:
        """Return the difference of the first counter in `names` that both readings have, widened by its
        rounding step; only a reason if there is none or it decreased.
        """
        for name, step in names:
            if name not in self.before.values or name not in self.after.values:
                continue
            difference = self.after.values[name] - self.before.values[name]
            if difference < 0:
                return CounterFigure(key, unit, None, None, _source(name), _WENT_BACK)
            return CounterFigure(key, unit, max(0, difference - step), difference + step, _source(name))
        return self._missing(key, unit, [name for name, _ in names])

    def sum(
        self, key: str, unit: str, names: Sequence[str], *, slack: float = 0, divisor: float = 1
    ) -> CounterFigure:
        """Return the sum of the counters' differences, each rounded by up to `slack`, over `divisor`; only a
        reason if a counter is missing or decreased.
        """
        if any(name not in reading.values for name in names for reading in (self.before, self.after)):
            return self._missing(key, unit, names)
        differences = [self.after.values[name] - self.before.values[name] for name in names]
        if min(differences) < 0:
            return CounterFigure(key, unit, None, None, _source(names[0]), _WENT_BACK)
        lower = sum(max(0, difference - slack) for difference in differences) / divisor
        upper = sum(difference + slack for difference in differences) / divisor
        return CounterFigure(key, unit, lower, upper, _source(names[0]))

    def at_end(self, key: str, unit: str, names: Sequence[str]) -> CounterFigure:
        """Return the last value of the first of these counters that it has, or a figure with a reason."""
        for name in names:
            if name in self.after.values:
                value = self.after.values[name]
                return CounterFigure(key, unit, value, value, _source(name))
        return self._missing(key, unit, names)

    def _missing(self, key: str, unit: str, names: Sequence[str]) -> CounterFigure:
        """Return a figure without bounds, for the drive's reason, or else that a reading is missing."""
        absent = self.drive.absent
        reasons = [absent[_source(name)] for name in names if _source(name) in absent]
        return CounterFigure(
            key, unit, None, None, reason="; ".join(dict.fromkeys(reasons)) or _NOT_BOTH_ENDS
        )


def _source(name: str) -> str:
    return name.partition(".")[0]


def _agent_written(agent_bytes: tuple[int, int] | None) -> CounterFigure:
    if agent_bytes is None:
        reason = "the plan does not state the size of every write"
        return CounterFigure("agent_written_bytes", "bytes", None, None, reason=reason)
    return CounterFigure("agent_written_bytes", "bytes", *agent_bytes, source="agent")


def _foreign_written(kernel: CounterFigure, agent: CounterFigure) -> CounterFigure:
    """Return the bytes that this machine wrote besides the measurement; unknown if a figure lacks a bound."""
    key = "foreign_written_bytes"
    if kernel.lower is None or kernel.upper is None or agent.lower is None or agent.upper is None:
        return CounterFigure(key, "bytes", None, None, reason=kernel.reason or agent.reason)
    lower, upper = max(0, kernel.lower - agent.upper), max(0, kernel.upper - agent.lower)
    return CounterFigure(key, "bytes", lower, upper, "kernel")


def amplification_of(media: CounterFigure, host: CounterFigure) -> CounterFigure:
    """Return the bytes written to the flash for each byte that hosts wrote, or why it is unknown."""
    key = "write_amplification_ratio"
    if media.lower is None or media.upper is None or host.lower is None or host.upper is None:
        return CounterFigure(key, "ratio", None, None, reason=media.reason or host.reason)
    if host.lower <= 0:
        reason = "the host wrote less than the drive's counter resolves"
        return CounterFigure(key, "ratio", None, None, media.source, reason)
    return CounterFigure(key, "ratio", media.lower / host.upper, media.upper / host.lower, media.source)


def _life_hours(differences: _Differences, media: CounterFigure, host: CounterFigure) -> CounterFigure:
    """Return the hours until 100 % wear at this run's rate of writes, to the flash if known, else by hosts.
    The drive states its wear in whole per cent, rounded either way; below 2 % there is no upper bound.
    """
    key, unit = "life_at_this_load_hours", "h"
    written = media if media.is_known else host
    used = differences.at_end(key, unit, ("smart.percentage_used", "ata.percentage_used"))
    total = differences.after.values.get(_TOTAL_WRITTEN.get(written.source or "", ""))
    if written.lower is None or written.upper is None or used.lower is None or total is None:
        return CounterFigure(key, unit, None, None, reason=written.reason or used.reason or _NOT_BOTH_ENDS)
    hours = (differences.after.at_ns - differences.before.at_ns) / NS_PER_HOUR
    if written.lower <= 0 or hours <= 0:
        reason = "less was written than the drive's counter resolves"
        return CounterFigure(key, unit, None, None, written.source, reason)
    most_used, least_used = used.lower + 1, used.lower - 1
    left_least = max(0.0, total * (100 - most_used) / most_used)
    lower = left_least / (written.upper / hours)
    if least_used <= 0:
        reason = "the drive states less than 2 % of wear, so there is no upper bound"
        return CounterFigure(key, unit, lower, None, written.source, reason)
    left_most = max(0.0, total * (100 - least_used) / least_used)
    return CounterFigure(key, unit, lower, left_most / (written.lower / hours), written.source)


def _throttling_count(differences: _Differences) -> CounterFigure:
    """Return how often the drive slowed down because of heat, the larger of the counts of its health page and
    its extended page. Unknown without both, without an upper bound if the extended count is at its end, 255.
    """
    names = ("smart.thermal_management_1_count", "smart.thermal_management_2_count")
    health = differences.sum("throttling_count", "count", names)
    extended = differences.sum("throttling_count", "count", ("extended.throttling_events",))
    if extended.lower is None or (health.lower or 0) >= extended.lower:
        return health if health.is_known else extended
    if differences.after.values["extended.throttling_events"] >= _SATURATED:
        reason = "the drive counts to 255, so there may be more"
        return CounterFigure("throttling_count", "count", extended.lower, None, "extended", reason)
    return extended


def _highest_temperature(readings: Sequence[DriveReading]) -> CounterFigure:
    """Return the highest temperature in °C of all readings; unknown if no reading has one."""
    names = ("smart.temperature_k", "ata.temperature_k")
    seen = [reading.values[name] for reading in readings for name in names if name in reading.values]
    if not seen:
        reason = "the drive states no temperature"
        return CounterFigure("temperature_max_c", "°C", None, None, reason=reason)
    highest = max(seen) - _KELVIN
    return CounterFigure("temperature_max_c", "°C", highest, highest)


def _link_ratio(differences: _Differences) -> CounterFigure:
    """Return the smallest speed × lanes of the link under load, as a ratio of what drive and slot can do. An
    idle link may be slow to save power.
    """
    names = [f"kernel.link_{word}" for word in ("mt_per_s", "lanes", "possible_mt_per_s", "possible_lanes")]

    def ratio(reading: DriveReading) -> float | None:
        """Return speed × lanes as a ratio of the possible; None if a possible number is missing or 0."""
        speed, lanes, most_speed, most_lanes = (reading.values.get(name, 0) for name in names)
        return speed * lanes / (most_speed * most_lanes) if most_speed * most_lanes else None

    loaded = [reading for reading in differences.drive.readings if reading.moment in {"minute", "end"}]
    ratios = [share for share in map(ratio, loaded) if share is not None]
    if not ratios:
        reason = "the kernel stated no link while it was measured"
        return CounterFigure("link_ratio", "ratio", None, None, reason=reason)
    return CounterFigure("link_ratio", "ratio", min(ratios), min(ratios), "kernel")
