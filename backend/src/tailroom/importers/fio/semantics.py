"""The meaning of fio's latencies, open or closed loop, and the required facts that a result leaves open."""

from collections.abc import Mapping, Sequence

from tailroom.catalogue.disclosure import STARTED_AT
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.disclosure import TOOL_VERSION, open_device_fields
from tailroom.importers.statements import MAX_TIME_NS

_SLACK_MS = 60_000
"""Operations that began before the end may end after it."""
_MANY = 10
_COMMON = (
    "fio's bins have 64 steps an octave (1.6 %); percentiles are middles of bins. The clock does not begin "
    "at a schedule: an I/O that fio could not send in time because the queue was full is not late"
)
LATENCIES = ("lat", "clat", "slat")
"""Latencies that fio measures of each operation; `sync` operations have one of their own."""
CLOCKS = {"lat": "operation", "clat": "service", "slat": "queue", "sync": "operation"}
LOGGED_DIRECTIONS = {0: "read", 1: "write", 2: "trim"}
"""Directions by the number of each in a log."""
SEMANTICS = {
    "lat": f"lat: from the creation of the I/O in fio to its completion (slat + clat). {_COMMON}",
    "clat": "clat: from the submission to the kernel or engine to the completion; with a synchronous engine "
    f"the whole call. {_COMMON}",
    "slat": f"slat: from the creation of the I/O in fio to the end of its submission. {_COMMON}",
    "sync": f"lat of fsync, fdatasync and sync_file_range. {_COMMON}",
    "unknown": "a latency of which the file does not say whether it is slat, clat or lat",
}
_BY_OPTION = {
    "direct": "plan.act_storage.direct_io",
    "bs": "plan.act_storage.record_bytes",
    "blocksize": "plan.act_storage.record_bytes",
    "bssplit": "plan.act_storage.record_bytes",
    "size": "plan.act_storage.file_size_bytes",
    "filesize": "plan.act_storage.file_size_bytes",
    "io_size": "plan.act_storage.file_size_bytes",
}
_DOES_NOT_APPLY = "plan.act_storage.load_multiple"


def closed_loop(options: Mapping[str, str]) -> bool:
    """Return whether operations wait for answers; false only at a rate with `io_submit_mode=offload`."""
    has_rate = bool({"rate", "rate_iops"} & options.keys())
    return not (has_rate and options.get("io_submit_mode") == "offload")


def is_unmeasured(times_ns: Sequence[float], runtime_ms: int) -> bool:
    """Return whether times are those that fio prints of a latency that it did not measure (`disable_clat`).

    A time is then impossible, or, with a `runtime_ms` over 0, the first (the smallest) exceeds ten times the
    running time + 1 min.
    """
    if any(time_ns >= MAX_TIME_NS for time_ns in times_ns):
        return True
    longest_ns = _MANY * (runtime_ms + _SLACK_MS) * NS_PER_MS
    return runtime_ms > 0 and bool(times_ns) and times_ns[0] > longest_ns


def not_stated(
    options: Mapping[str, str], *, started: bool = False, version: bool = False
) -> tuple[str, ...]:
    """Return the names of disclosure fields that `options` and a stated start or version leave open."""
    stated = {field for option, field in _BY_OPTION.items() if option in options}
    if options.get("filename", "").startswith("/dev/"):
        stated.add("host.file_systems.*.type")
    facts_of_run = [*(() if started else (STARTED_AT,)), *(() if version else (TOOL_VERSION,))]
    return (*facts_of_run, *open_device_fields(stated | {_DOES_NOT_APPLY}))
