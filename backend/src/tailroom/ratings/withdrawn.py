"""Tests that were public and are withdrawn: what is left of them where they stood.

Which drive, which load, when and why; no figure, and nothing else of the run.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import any_, literal, select
from sqlalchemy.orm import Session

from tailroom.ratings.drives import KnownDrive
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


def withdrawn_tests(session: Session, drives: Mapping[str, KnownDrive]) -> tuple[Withdrawn, ...]:
    """Return what is withdrawn of known drives: runs, the latest first, then rows of documents."""
    runs = (
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
        # Each once, however many clocks it was measured with.
        .distinct()
        .order_by(Run.retracted_at.desc(), Run.run_id, DriveTest.load_multiple)
        .limit(MOST)
    )
    of_documents = select(DriveTest).where(
        literal(RETRACTED) == any_(DriveTest.marks), DriveTest.publication_slug.is_not(None)
    )
    found = [
        Withdrawn(drives[slug], capacity_bytes, load, run_id, None, retracted_at, reason)
        for slug, capacity_bytes, load, run_id, retracted_at, reason in session.execute(runs)
        if slug in drives
    ]
    for test in session.scalars(of_documents.order_by(DriveTest.test_id)):
        if test.drive_slug in drives:
            notes = dict(zip(test.marks, test.mark_notes, strict=False))
            found.append(
                Withdrawn(
                    *(drives[test.drive_slug], test.capacity_bytes, test.load_multiple, None),
                    *(test.publication_slug, None, notes.get(RETRACTED)),
                )
            )
    return tuple(found)
