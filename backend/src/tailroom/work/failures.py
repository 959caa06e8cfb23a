"""Work that was given up, for the page of its subject and for the operator of the installation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from tailroom.storage.work import WorkRow

_OF_SUBJECTS = (
    select(WorkRow)
    .where(WorkRow.subject.in_(bindparam("subjects", expanding=True)), WorkRow.given_up_at.is_not(None))
    .order_by(WorkRow.subject, WorkRow.kind)
)


@dataclass(frozen=True, slots=True)
class Failure:
    """Work that failed too often; it is retried only at a person's request."""

    kind: str
    subject: UUID
    organisation_id: UUID
    lane: str
    attempts: int
    error: str
    given_up_at: datetime


def by_subject(session: Session, subjects: Sequence[UUID]) -> dict[UUID, list[Failure]]:
    """Return the given-up work by subject, ordered by kind; subjects without such work are left out."""
    failures: dict[UUID, list[Failure]] = {}
    if not subjects:
        return failures
    for row in session.scalars(_OF_SUBJECTS, {"subjects": subjects}):
        failures.setdefault(row.subject, []).append(_failure(row))
    return failures


def newest(session: Session, organisation_id: UUID | None, limit: int) -> list[Failure]:
    """Return the work that was given up last, newest first, at most `limit`.

    `organisation_id` None: of all organisations.
    """
    query = select(WorkRow).where(WorkRow.given_up_at.is_not(None))
    if organisation_id is not None:
        query = query.where(WorkRow.organisation_id == organisation_id)
    return [_failure(row) for row in session.scalars(query.order_by(WorkRow.given_up_at.desc()).limit(limit))]


def longest_due(session: Session, now: datetime, limit: int) -> list[WorkRow]:
    """Return due work of all lanes without a claim, the longest due first, at most `limit`."""
    query = select(WorkRow).where(
        WorkRow.given_up_at.is_(None), WorkRow.due_at <= now, WorkRow.claim_id.is_(None)
    )
    return list(session.scalars(query.order_by(WorkRow.due_at, WorkRow.subject).limit(limit)))


def _failure(row: WorkRow) -> Failure:
    assert row.given_up_at is not None  # noqa: S101 - the queries say so
    return Failure(
        row.kind, row.subject, row.organisation_id, row.lane, row.attempts, row.error or "", row.given_up_at
    )
