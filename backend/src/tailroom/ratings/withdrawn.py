"""Withdrawn tests: drive, load, time and reason; no figure, and nothing else of the run."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import any_, literal, or_, select
from sqlalchemy.orm import Session

from tailroom.ratings.drives import CatalogueDrive
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import RETRACTED

MOST = 100
"""Only the latest are listed; the pages of older tests still answer."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A withdrawn test: a run at one load, or a row of a document."""

    drive: CatalogueDrive
    capacity_bytes: int | None
    load_multiple: float
    run_id: UUID | None
    publication_slug: str | None
    withdrawn_at: datetime | None
    """None for a document, which does not state when."""
    reason: str | None


def withdrawn_tests(session: Session, drives: Mapping[str, CatalogueDrive]) -> tuple[Withdrawn, ...]:
    """Return the withdrawn tests of these drives, at most `MOST`: runs, latest first, then rows of documents.

    `drives` by slug; tests of other drives are left out.
    """
    is_marked = literal(RETRACTED) == any_(DriveTest.marks)
    query = select(DriveTest).where(or_(DriveTest.visibility == RETRACTED, is_marked))
    query = query.order_by(DriveTest.withdrawn_at.desc().nulls_last(), DriveTest.test_id)
    by_source: dict[tuple[UUID | str | None, float, str], Withdrawn] = {}
    for test in session.scalars(query):
        if test.drive_slug in drives:
            notes = dict(zip(test.marks, test.mark_notes, strict=False))
            # A run is listed once, however many clocks it was measured with.
            key = (test.run_id or test.test_id, test.load_multiple, test.drive_slug)
            by_source[key] = Withdrawn(
                drives[test.drive_slug],
                test.capacity_bytes,
                test.load_multiple,
                test.run_id,
                test.publication_slug,
                test.withdrawn_at,
                test.withdrawal_reason if test.run_id else notes.get(RETRACTED),
            )
    return tuple(by_source.values())[:MOST]
