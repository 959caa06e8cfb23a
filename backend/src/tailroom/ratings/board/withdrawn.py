"""Tests that were public and are withdrawn: what is left of them where they stood.

Which drive, which load, when and why; no figure, and nothing else of the run.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from tailroom.ratings.board.drives import KnownDrive
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import RETRACTED, Run

MOST = 100
"""The latest ones; older ones answer on their own pages."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A run at one load, or a row of a document, that counts for nothing any more."""

    drive: KnownDrive
    capacity_bytes: int | None
    load_multiple: float
    run_id: UUID | None
    publication_slug: str | None
    withdrawn_at: datetime | None
    """None of a document: nobody stated when."""
    reason: str | None


def withdrawn_runs(session: Session) -> list[Row[Any]]:
    """Each once, however many clocks and operations it was measured with; the latest first."""
    query = (
        select(
            DriveTest.drive_slug,
            DriveTest.capacity_bytes,
            DriveTest.load_multiple,
            Run.run_id,
            Run.retracted_at,
            Run.retraction_reason,
        )
        .join(Run, Run.run_id == DriveTest.run_id)
        .where(DriveTest.visibility == RETRACTED, Run.visibility == RETRACTED)
        .distinct()
        .order_by(Run.retracted_at.desc(), Run.run_id, DriveTest.load_multiple)
        .limit(MOST)
    )
    return list(session.execute(query))


def withdrawn_of(
    runs: Iterable[Row[Any]], tests: Iterable[Row[Any]], drives: Mapping[str, KnownDrive]
) -> tuple[Withdrawn, ...]:
    """Of drives that whoever asks may see: withdrawn runs, then rows of documents that are marked so."""
    found = [
        Withdrawn(
            drives[one.drive_slug],
            one.capacity_bytes,
            one.load_multiple,
            one.run_id,
            None,
            one.retracted_at,
            one.retraction_reason,
        )
        for one in runs
        if one.drive_slug in drives
    ]
    found += [
        Withdrawn(
            drives[one.drive_slug],
            one.capacity_bytes,
            one.load_multiple,
            None,
            one.publication_slug,
            None,
            next(
                (note for mark, note in zip(one.marks, one.mark_notes, strict=False) if mark == RETRACTED),
                None,
            ),
        )
        for one in tests
        if RETRACTED in one.marks and one.publication_slug is not None and one.drive_slug in drives
    ]
    return tuple(found)
