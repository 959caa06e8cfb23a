"""Queries about runs and series. Every one is scoped by organisation or by a run that was found through
one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    and_,
    case,
    func,
    literal,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session, defer

from tailroom.domain.verdicts.order import ORDER
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.kit.db import show_runs
from tailroom.kit.pagination import KeyCursor, TimeCursor
from tailroom.storage.public_reading import names_of_series
from tailroom.storage.run import LADDER_ID, PRIVATE, PUBLIC, Run
from tailroom.storage.series import Series
from tailroom.storage.upload import RunSource

NEWEST_FIRST = "-started"


class RunFilter(NamedTuple):
    """Which runs a list shows, in which order."""

    state: str | None = None
    workload: str | None = None
    text: str | None = None
    scope: str = "mine"
    """`mine`: the organisation's own; `public`: published by anybody; `all`: both."""
    run_ids: Collection[UUID] | None = None
    """Of these only; None: of all."""
    sort: str = NEWEST_FIRST
    """`started` or one of ORDERS; a leading minus is descending."""


class Order(NamedTuple):
    """By what a list of runs is ordered; runs that are equal in it follow by id."""

    key: Callable[[UUID], ColumnElement[Any]]
    """For the organisation that sees the list."""
    kind: type[str] | type[int]
    """Of the key within a cursor."""


def _by_verdict(organisation_id: UUID) -> ColumnElement[Any]:
    """By the worst verdict that the organisation sees, best first; not judged stands before FAIL."""
    seen = case((Run.organisation_id == organisation_id, Run.worst_verdict), else_=Run.worst_built_in_verdict)
    return func.coalesce(2 * seen, 2 * ORDER.index(Verdict.FAIL) - 1)


ORDERS: Mapping[str, Order] = {
    "title": Order(lambda asking: func.lower(_title(asking)), str),
    "workload": Order(lambda _: Run.workload.expression, str),
    "state": Order(lambda _: Run.state.expression, str),
    "duration": Order(lambda _: func.coalesce(Run.measured_duration_ns, Run.planned_duration_ns), int),
    "verdict": Order(_by_verdict, int),
}
"""Besides `started`, whose cursors are those of any list by time."""


def find_run(session: Session, organisation_id: UUID, run_id: UUID) -> Run | None:
    """The run, if it belongs to the organisation, or is or was public."""
    mine = Run.organisation_id == organisation_id
    run = session.scalar(select(Run).where(Run.run_id == run_id, or_(mine, Run.visibility != PRIVATE)))
    return None if run is None else _shown(session, organisation_id, [run])[0]


def sources_of(session: Session, run_id: UUID) -> list[RunSource]:
    """The files that a run was read from, the longest first."""
    return list(
        session.scalars(
            select(RunSource)
            .where(RunSource.run_id == run_id)
            .order_by(RunSource.content_bytes.desc(), RunSource.read_at.desc())
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
    session: Session,
    organisation_id: UUID,
    chosen: RunFilter,
    cursor: TimeCursor | KeyCursor | None,
    limit: int,
) -> Sequence[Run]:
    """At most `limit` runs after the cursor."""
    name, descending = chosen.sort.removeprefix("-"), chosen.sort.startswith("-")
    key = Run.started_at.expression if name == "started" else ORDERS[name].key(organisation_id)
    order = (key.desc(), Run.run_id.desc()) if descending else (key.asc(), Run.run_id.asc())
    beyond = []
    if cursor is not None:
        place, after = tuple_(key, Run.run_id), tuple_(literal(cursor[0]), literal(cursor.identifier))
        beyond.append(place < after if descending else place > after)
    query = select(Run).where(Run.run_id.in_(_ids(organisation_id, chosen, limit, order, beyond)))
    unused = (Run.agent, Run.finish, Run.claims, Run.problems, Run.missing, Run.disclosed)
    found = session.scalars(query.options(*map(defer, unused)).order_by(*order).limit(limit)).all()
    return _shown(session, organisation_id, found)


def key_of(session: Session, organisation_id: UUID, run_id: UUID, name: str) -> str | int:
    """Where a run stands in an order other than by time, as the database compares it."""
    query = select(ORDERS[name].key(organisation_id)).where(Run.run_id == run_id)
    key: str | int = session.execute(query).scalar_one()
    return key


def count_runs(session: Session, organisation_id: UUID, chosen: RunFilter, most: int) -> int:
    """How many runs match; where there are `most` or more, `most`."""
    ids = _ids(organisation_id, chosen, most).subquery()
    return min(most, int(session.scalar(select(func.count(ids.c.run_id.distinct()))) or 0))


def runs_of_ladder(
    session: Session, organisation_id: UUID, ladder_id: str, *, only_public: bool
) -> Sequence[Run]:
    """The organisation's runs whose plans name this ladder, in no order."""
    query = select(Run).where(Run.organisation_id == organisation_id, LADDER_ID.in_([ladder_id]))
    if only_public:
        query = query.where(Run.visibility == PUBLIC)
    found = session.scalars(query.options(defer(Run.agent), defer(Run.host), defer(Run.finish))).all()
    return found if not only_public else _shown(session, None, found)


def plans_of_ladders(
    session: Session, organisation_id: UUID, ladder_ids: Collection[str]
) -> Sequence[Mapping[str, Any]]:
    """The plans of all the organisation's runs that name one of these ladders."""
    return session.scalars(
        select(Run.plan).where(Run.organisation_id == organisation_id, LADDER_ID.in_(ladder_ids))
    ).all()


def _shown(session: Session, organisation_id: UUID | None, runs: Sequence[Run]) -> Sequence[Run]:
    """The same, with what belongs to public runs of others readable from now on."""
    public = [
        one.run_id for one in runs if one.organisation_id != organisation_id and one.visibility == PUBLIC
    ]
    if public:
        show_runs(session, public)
    names_of_series(session, runs)
    return runs


def _ids(
    organisation_id: UUID,
    chosen: RunFilter,
    limit: int,
    order: Sequence[ColumnElement[Any]] = (),
    beyond: Sequence[ColumnElement[bool]] = (),
) -> Select[UUID] | CompoundSelect[UUID]:
    """Ids of the first `limit` runs that match, of the organisation's own and of public ones each: two walks
    along an index, where one condition with OR would sort everything. A run may be named twice.
    """
    mine, public = Run.organisation_id == organisation_id, Run.visibility == PUBLIC
    scopes = {"mine": [mine], "public": [public], "all": [mine, public]}[chosen.scope]
    conditions = [*_conditions(organisation_id, chosen), *beyond]
    parts = [select(Run.run_id).where(one, *conditions).order_by(*order).limit(limit) for one in scopes]
    if len(parts) == 1:
        return parts[0]
    return union_all(*(select(part.subquery().c.run_id) for part in parts))


def _title(organisation_id: UUID) -> ColumnElement[str]:
    """As the organisation reads it: nothing may be found, or put in order, by what it does not see."""
    return case(
        (Run.organisation_id == organisation_id, Run.title), else_=func.coalesce(Run.public_title, Run.title)
    )


def _conditions(organisation_id: UUID, chosen: RunFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if chosen.run_ids is not None:
        conditions.append(Run.run_id.in_(chosen.run_ids))
    if chosen.state is not None:
        conditions.append(Run.state == chosen.state)
    if chosen.workload is not None:
        conditions.append(Run.workload == chosen.workload)
    if chosen.text:
        conditions.append(
            or_(
                _title(organisation_id).icontains(chosen.text, autoescape=True),
                and_(
                    or_(Run.organisation_id == organisation_id, Run.shown_names.contains(["hosts"])),
                    Run.host["hostname"].astext.icontains(chosen.text, autoescape=True),
                ),
            )
        )
    return conditions
