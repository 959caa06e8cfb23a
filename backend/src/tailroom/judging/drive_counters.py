"""Counters of the measured drives of a stored run, and what the agent itself wrote to each of them."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.domain.drive_counters.summary import DriveCounters, DriveSummary, MeasuredDrive, summary_of
from tailroom.domain.units import ceil_div
from tailroom.records import repository
from tailroom.storage.public_reading import names_of_series
from tailroom.storage.run import Run
from tailroom.storage.slices import RUN

_SECTOR_BYTES = 4_096
"""Largest sector: a written record may be rounded up to whole sectors."""


def read_drive_counters(session: Session, run: Run) -> dict[str, Any] | None:
    """Return the counters of a run's drives, with neutral names for other organisations, if any."""
    attached = session.scalar(select(Run).where(Run.run_id == run.run_id))
    if attached is None:
        return None
    names_of_series(session, [attached])
    session.refresh(attached, ["drive_counters"])
    return attached.drive_counters


def drive_counters_of(session: Session, run: Run) -> DriveCounters | None:
    """Return the counters of a run's drives; None if there are none."""
    document = read_drive_counters(session, run)
    return None if document is None else msgspec.convert(document, DriveCounters)


def drive_summaries(session: Session, run: Run) -> tuple[DriveSummary, ...]:
    """Return a summary of each measured drive from its counters; empty if the run has no counters."""
    counters = drive_counters_of(session, run)
    if counters is None:
        return ()
    plan = run.plan.get("act_storage")
    load = plan if isinstance(plan, dict) else {}
    return tuple(
        summary_of(drive, _agent_bytes(session, run, drive, load), has_ramp=bool(load.get("ramp_s")))
        for drive in counters.drives
    )


def _agent_bytes(
    session: Session, run: Run, drive: MeasuredDrive, load: Mapping[str, Any]
) -> tuple[int, int] | None:
    """Return the least and the most bytes that the agent wrote to a drive, 0 without writes; None if the plan
    (`load`) does not state the size of an operation. The most includes failed and unfinished operations,
    which may have been written.
    """
    sizes = _write_sizes(load)
    # Both clocks of an operation count the same operations.
    writes = {
        (series.operation, series.device): series
        for series, _ in reversed(repository.measured_series(session, run.run_id))
        if "write" in series.operation and series.device in drive.devices
    }
    least_bytes, most_bytes = 0, 0
    for series in writes.values():
        size = sizes.get(series.operation)
        if size is None:
            return None
        _, totals = repository.load_slice_columns(session, series, RUN, with_histograms=False)
        completed = int(totals.numbers["count"].sum())
        least_bytes += completed * size[0]
        most_bytes += (completed + int(totals.misses.sum())) * size[1]
    return least_bytes, most_bytes


def _write_sizes(load: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    sizes = {}
    block, record = load.get("large_block_bytes"), load.get("record_bytes")
    if isinstance(block, int):
        sizes["large-block-write"] = (block, block)
    if isinstance(record, int):
        longest = max(record, int(load.get("record_bytes_range_max") or 0))
        sizes["write"] = (record, ceil_div(longest, _SECTOR_BYTES) * _SECTOR_BYTES)
    return sizes
