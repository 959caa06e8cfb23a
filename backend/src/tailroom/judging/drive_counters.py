"""Counters of the measured drives of a stored run, and what the agent itself wrote to each of them."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.domain.drive_counters.document import DriveCounters, MeasuredDrive
from tailroom.domain.drive_counters.summary import DriveSummary, summary_of
from tailroom.domain.units import ceil_div
from tailroom.records import repository
from tailroom.storage.public_reading import names_of_series
from tailroom.storage.run import Run
from tailroom.storage.slices import RUN

_SECTOR_BYTES = 4_096
"""A record may be rounded up to whole sectors when it is written; the largest are so long."""


def read_drive_counters(session: Session, run: Run) -> dict[str, Any] | None:
    """Return the document of counters of a run as it was sent; None if there is none.

    Other organisations than the owner get it with neutral names.
    """
    attached = session.scalar(select(Run).where(Run.run_id == run.run_id))
    if attached is None:
        return None
    names_of_series(session, [attached])
    session.refresh(attached, ["drive_counters"])
    return attached.drive_counters


def drive_counters_of(session: Session, run: Run) -> DriveCounters | None:
    """Return the counters of a run; None if there are none."""
    document = read_drive_counters(session, run)
    return None if document is None else msgspec.convert(document, DriveCounters)


def drive_summaries(session: Session, run: Run) -> tuple[DriveSummary, ...]:
    """Return a summary of each measured drive from its counters; empty without counters."""
    counters = drive_counters_of(session, run)
    if counters is None:
        return ()
    plan = run.plan.get("act_storage")
    load = plan if isinstance(plan, dict) else {}
    has_ramp = bool(load.get("ramp_s"))
    return tuple(
        summary_of(drive, _agent_bytes(session, run, drive, load), has_ramp=has_ramp)
        for drive in counters.drives
    )


def _agent_bytes(
    session: Session, run: Run, drive: MeasuredDrive, load: Mapping[str, Any]
) -> tuple[int, int] | None:
    """Return the least and the most bytes that the agent wrote to a drive; None where a size is not stated.

    `load`: the load in the plan. An operation that failed, or was under way at the end, may have been written
    or not.
    """
    sizes = _sizes(load)
    parts: list[tuple[int, int]] = []
    # Both clocks of an operation count the same operations.
    seen: set[tuple[str, str | None]] = set()
    for series, _ in repository.measured_series(session, run.run_id):
        if "write" not in series.operation or series.device not in drive.devices:
            continue
        if (series.operation, series.device) in seen:
            continue
        seen.add((series.operation, series.device))
        size = sizes.get(series.operation)
        if size is None:
            return None
        _, totals = repository.load_slice_columns(session, series, RUN, with_histograms=False)
        least = int(totals.numbers["count"].sum())
        most = least + int(totals.misses.sum())
        parts.append((least * size[0], most * size[1]))
    return sum(least for least, _ in parts), sum(most for _, most in parts)


def _sizes(load: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """Return for each write operation of a plan the least and the most bytes that a write has."""
    sizes = {}
    block, record = load.get("large_block_bytes"), load.get("record_bytes")
    if isinstance(block, int):
        sizes["large-block-write"] = (block, block)
    if isinstance(record, int):
        longest = max(record, int(load.get("record_bytes_range_max") or 0))
        sizes["write"] = (record, ceil_div(longest, _SECTOR_BYTES) * _SECTOR_BYTES)
    return sizes
