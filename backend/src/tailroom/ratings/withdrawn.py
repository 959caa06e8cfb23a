"""Withdrawn tests: drive, capacity, load, source, time and reason, without figures."""

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
"""Maximum number of withdrawn tests in the list; older ones keep their own pages."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A withdrawn test: a run at a load in multiples of 1x, or a row of a publication."""

    drive: CatalogueDrive
    capacity_bytes: int | None
    load_multiple: float
    run_id: UUID | None
    publication_slug: str | None
    withdrawn_at: datetime | None
    """None for a row of a publication, which states no time."""
    reason: str | None


def withdrawn_tests(session: Session, drives: Mapping[str, CatalogueDrive]) -> tuple[Withdrawn, ...]:
    """Return the withdrawn tests of these drives (by slug), at most `MOST`: runs, latest first, then rows of
    publications.
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
