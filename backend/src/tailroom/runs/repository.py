"""Queries about runs and series. Every one is scoped by organisation or by a run that was found through
one.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session, defer

from tailroom.kit.pagination import TimeCursor
from tailroom.storage.run import LADDER_ID, PRIVATE, PUBLIC, Run
from tailroom.storage.series import Series
from tailroom.storage.upload import RunSource


class RunFilter(NamedTuple):
    """Which runs a list shows."""

    state: str | None = None
    workload: str | None = None
    text: str | None = None
    scope: str = "mine"
    """`mine`: the organisation's own; `public`: published by anybody; `all`: both."""


def find_run(session: Session, organisation_id: UUID, run_id: UUID) -> Run | None:
    """The run, if it belongs to the organisation, or is or was public."""
    mine = Run.organisation_id == organisation_id
    return session.scalar(select(Run).where(Run.run_id == run_id, or_(mine, Run.visibility != PRIVATE)))


def sources_of(session: Session, run_id: UUID) -> list[RunSource]:
    """The files that a run was read from, the longest first."""
    return list(
        session.scalars(
            select(RunSource)
            .where(RunSource.run_id == run_id)
            .order_by(RunSource.size_bytes.desc(), RunSource.read_at.desc())
        )
    )


def lock_run(session: Session, organisation_id: UUID, run_id: UUID) -> Run | None:
    """The run, held until the transaction ends: whoever changes a run or its series waits in line here."""
    return session.scalar(
        select(Run)
        .where(Run.run_id == run_id, Run.organisation_id == organisation_id)
        .with_for_update(key_share=True)
        .options(defer(Run.agent), defer(Run.host), defer(Run.plan))
        .execution_options(populate_existing=True)
    )


def list_series(session: Session, run_id: UUID) -> list[Series]:
    """The series of a run in order of their numbers, as they are now."""
    return list(
        session.scalars(
            select(Series)
            .where(Series.run_id == run_id)
            .order_by(Series.series_no)
            .execution_options(populate_existing=True)
        )
    )


def page_of_runs(
    session: Session, organisation_id: UUID, chosen: RunFilter, cursor: TimeCursor | None, limit: int
) -> Sequence[Run]:
    """At most `limit` runs after the cursor, newest first."""
    query = select(Run).where(*_conditions(organisation_id, chosen))
    if cursor is not None:
        position = tuple_(literal(cursor.moment), literal(cursor.identifier))
        query = query.where(tuple_(Run.started_at, Run.run_id) < position)
    return session.scalars(query.order_by(Run.started_at.desc(), Run.run_id.desc()).limit(limit)).all()


def count_runs(session: Session, organisation_id: UUID, chosen: RunFilter) -> int:
    """How many runs match."""
    query = select(func.count()).select_from(Run).where(*_conditions(organisation_id, chosen))
    return int(session.scalar(query) or 0)


def runs_of_ladder(
    session: Session, organisation_id: UUID, ladder_id: str, *, only_public: bool
) -> Sequence[Run]:
    """The organisation's runs whose plans name this ladder, in no order."""
    query = select(Run).where(Run.organisation_id == organisation_id, LADDER_ID.in_([ladder_id]))
    if only_public:
        query = query.where(Run.visibility == PUBLIC)
    return session.scalars(query.options(defer(Run.agent), defer(Run.host), defer(Run.finish))).all()


def plans_of_ladders(
    session: Session, organisation_id: UUID, ladder_ids: Collection[str]
) -> Sequence[Mapping[str, Any]]:
    """The plans of all the organisation's runs that name one of these ladders."""
    return session.scalars(
        select(Run.plan).where(Run.organisation_id == organisation_id, LADDER_ID.in_(ladder_ids))
    ).all()


def _conditions(organisation_id: UUID, chosen: RunFilter) -> list[ColumnElement[bool]]:
    mine, public = Run.organisation_id == organisation_id, Run.visibility == PUBLIC
    conditions = [{"mine": mine, "public": public, "all": or_(mine, public)}[chosen.scope]]
    if chosen.state is not None:
        conditions.append(Run.state == chosen.state)
    if chosen.workload is not None:
        conditions.append(Run.workload == chosen.workload)
    if chosen.text:
        conditions.append(
            or_(
                Run.title.icontains(chosen.text, autoescape=True),
                Run.host["hostname"].astext.icontains(chosen.text, autoescape=True),
            )
        )
    return conditions
