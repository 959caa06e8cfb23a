"""Queries about qualification suites: each is the runs that name it in their plan."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import Text, func, literal, select, tuple_
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from tailroom.kit.pagination import TimeCursor
from tailroom.storage.run import SUITE_ID, Run

_AN_ID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
"""Pattern of a suite's id. A plan may contain any text in its place."""


class StoredSuite(NamedTuple):
    """A suite by its id, with the start of its first run and the number of its runs."""

    suite_id: UUID
    began_at: datetime
    runs: int


def page_of_suites(
    session: Session, organisation_id: UUID, cursor: TimeCursor | None, most: int
) -> list[StoredSuite]:
    """Return at most `most` suites of an organisation after the cursor, or the first, by the start of their
    first run, the newest first. Ids that are no UUID are left out.
    """
    began_at = func.min(Run.started_at)
    query = (
        select(SUITE_ID.label("suite_id"), began_at.label("began_at"), func.count().label("runs"))
        .where(
            Run.organisation_id == organisation_id,
            SUITE_ID.is_not(None),
            SUITE_ID.regexp_match(_AN_ID),
        )
        .group_by(SUITE_ID)
        .order_by(began_at.desc(), SUITE_ID.desc())
        .limit(most)
    )
    if cursor is not None:
        beyond = tuple_(began_at, SUITE_ID) < tuple_(
            literal(cursor.moment), literal(str(cursor.identifier), Text)
        )
        query = query.having(beyond)
    return [StoredSuite(UUID(row.suite_id), row.began_at, row.runs) for row in session.execute(query)]


def newest_runs(session: Session, organisation_id: UUID, suite_ids: Collection[UUID]) -> Sequence[Run]:
    """Return the newest run of each of these suites of an organisation, ordered by suite id."""
    query = (
        select(Run)
        .ext(distinct_on(SUITE_ID))
        .where(
            Run.organisation_id == organisation_id, SUITE_ID.in_([str(suite_id) for suite_id in suite_ids])
        )
        .order_by(SUITE_ID, Run.started_at.desc(), Run.run_id.desc())
    )
    return session.scalars(query).all()
