"""What fio's three latencies are, and when its load is a closed loop."""

from collections.abc import Mapping

_COMMON = (
    "fio's bins have 64 steps an octave (1.6 %); percentiles are middles of bins. The clock does not begin "
    "at a schedule: an I/O that fio could not send in time because the queue was full is not late"
)
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


def closed_loop(options: Mapping[str, str]) -> bool:
    """Return whether each operation waits for an answer: fio keeps `iodepth` in flight at any rate.

    Only with a rate and submission by threads of its own (`io_submit_mode=offload`) does it not wait.
    """
    has_rate = bool({"rate", "rate_iops"} & options.keys())
    return not (has_rate and options.get("io_submit_mode") == "offload")
