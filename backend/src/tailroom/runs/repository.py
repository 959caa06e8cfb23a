"""Queries about runs and series, each for one organisation, or for a run that such a query has returned.

Statements of lists are built once and executed with parameters, because building takes longer than executing.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session, defer

from tailroom.domain.verdicts.order import FIRST_FAIL
from tailroom.kit.db import show_runs
from tailroom.kit.pagination import KeyCursor, TimeCursor
from tailroom.storage.public_reading import names_of_series
from tailroom.storage.run import LADDER_ID, PRIVATE, PUBLIC, SUITE_ID, Run
from tailroom.storage.series import Series
from tailroom.storage.upload import RunSource

NEWEST_FIRST = "-started"
_CACHED_STATEMENTS = 256
_READER = bindparam("reader", type_=Run.organisation_id.type)
"""The organisation that reads."""
_RUN_ID = bindparam("run_id", type_=Run.run_id.type)
_LIMIT = bindparam("limit", type_=Integer())


class RunFilter(NamedTuple):
    """Filters and order of a list of runs; None: no such filter."""

    state: str | None = None
    workload: str | None = None
    text: str | None = None
    """Part of the title or host name, in upper or lower case."""
    scope: str = "mine"
    """`mine`: the organisation's own runs; `public`: published by any organisation; `all`: both."""
    run_ids: Collection[UUID] | None = None
    """Only these runs; None: all."""
    sort: str = NEWEST_FIRST
    """`started` or one of ORDERS; a leading minus is descending."""


class RunOrder(NamedTuple):
    """Sort key of a list of runs; runs with equal keys follow by id."""

    key: ColumnElement[Any]
    """SQL expression of the key, for the organisation that reads."""
    kind: type[str] | type[int]
    """Type of the key within a cursor."""


_IS_OWN = Run.organisation_id == _READER
_TITLE: ColumnElement[str] = case((_IS_OWN, Run.title), else_=func.coalesce(Run.public_title, Run.title))
"""The title that the organisation sees. Search and order must not disclose another title."""
_WORST = case((_IS_OWN, Run.worst_verdict), else_=Run.worst_built_in_verdict)
"""Rank of the worst verdict that the organisation sees."""
ORDERS: Mapping[str, RunOrder] = {
    "title": RunOrder(func.lower(_TITLE), str),
    "workload": RunOrder(Run.workload.expression, str),
    "state": RunOrder(Run.state.expression, str),
    "duration": RunOrder(func.coalesce(Run.measured_duration_ns, Run.planned_duration_ns), int),
    # Best first; a run without verdict is sorted before FAIL.
    "verdict": RunOrder(func.coalesce(2 * _WORST, 2 * FIRST_FAIL - 1), int),
}
"""Orders other than `started`, which has a `TimeCursor`."""
_FIND = select(Run).where(Run.run_id == _RUN_ID, or_(_IS_OWN, Run.visibility != PRIVATE))
_SERIES = (
    select(Series)
    .where(Series.run_id == _RUN_ID)
    .order_by(Series.series_no)
    .execution_options(populate_existing=True)
)
_UNUSED = tuple(
    defer(column) for column in (Run.agent, Run.finish, Run.claims, Run.problems, Run.missing, Run.disclosed)
)


def find_run(session: Session, organisation_id: UUID, run_id: UUID) -> Run | None:
    """Return the run if the organisation owns it, or if it is or was public; None otherwise.

    Hidden names of another's public run are replaced.
    """
    run = session.scalar(_FIND, {"run_id": run_id, "reader": organisation_id})
    return None if run is None else shown_runs(session, organisation_id, [run])[0]


def shown_runs(session: Session, organisation_id: UUID | None, runs: Sequence[Run]) -> Sequence[Run]:
    """Return the runs as the organisation sees them: hidden names in public runs of others are replaced.

    With `organisation_id` None, every run is another organisation's.
    """
    public = [
        run.run_id for run in runs if run.organisation_id != organisation_id and run.visibility == PUBLIC
    ]
    if public:
        show_runs(session, public)
    names_of_series(session, runs)
    return runs


def sources_of(session: Session, run_id: UUID) -> list[RunSource]:
    """Return the files that a run was read from, the longest (uncompressed) first."""
    return list(
        session.scalars(
            select(RunSource)
            .where(RunSource.run_id == run_id)
            .order_by(RunSource.content_bytes.desc(), RunSource.read_at.desc())
        )
    )


def lock_run(session: Session, organisation_id: UUID, run_id: UUID) -> Run | None:
    """Return an organisation's own run, locked until the transaction ends; None if it has no such run."""
    return session.scalar(
        select(Run)
        .where(Run.run_id == run_id, Run.organisation_id == organisation_id)
        .with_for_update(key_share=True)
        .options(defer(Run.agent), defer(Run.host), defer(Run.plan))
        .execution_options(populate_existing=True)
    )


def list_series(session: Session, run_id: UUID) -> list[Series]:
    """Return the series of a run in order of their numbers, as stored now."""
    return list(session.scalars(_SERIES, {"run_id": run_id}))


def page_of_runs(
    session: Session,
    organisation_id: UUID,
    run_filter: RunFilter,
    cursor: TimeCursor | KeyCursor | None,
    limit: int,
) -> Sequence[Run]:
    """Return up to `limit` matching runs after the cursor; without a cursor, from the beginning.

    The rest of the transaction may read these runs, also public ones of other organisations, whose hidden
    names are replaced. Columns that lists do not use are loaded on access.
    """
    values = _values(organisation_id, run_filter, limit)
    if cursor is not None:
        values |= {"after_key": cursor[0], "after_id": cursor.identifier}
    statement = _page(_statement_key(run_filter), has_cursor=cursor is not None)
    runs = session.scalars(statement, values).all()
    return shown_runs(session, organisation_id, runs)


@lru_cache(_CACHED_STATEMENTS)
def _page(run_filter: RunFilter, *, has_cursor: bool) -> Select[Run]:
    """Return the statement of a page. Its parameters are those of `_values`; with `has_cursor` also
    `after_key` and `after_id`, the sort key and the id of the run before the page.
    """
    name, descending = run_filter.sort.removeprefix("-"), run_filter.sort.startswith("-")
    key = Run.started_at.expression if name == "started" else ORDERS[name].key
    order = (key.desc(), Run.run_id.desc()) if descending else (key.asc(), Run.run_id.asc())
    after_cursor = []
    if has_cursor:
        position = tuple_(key, Run.run_id)
        kind = BigInteger() if isinstance(key.type, Integer) else key.type
        after = tuple_(bindparam("after_key", type_=kind), bindparam("after_id", type_=Run.run_id.type))
        after_cursor.append(position < after if descending else position > after)
    query = select(Run).where(Run.run_id.in_(_ids(run_filter, order, after_cursor)))
    return query.options(*_UNUSED).order_by(*order).limit(_LIMIT)


def key_of(session: Session, organisation_id: UUID, run_id: UUID, name: str) -> str | int:
    """Return a run's sort key in the order `name` of `ORDERS`, as the database compares it."""
    query = select(ORDERS[name].key).where(Run.run_id == _RUN_ID)
    key: str | int = session.execute(query, {"run_id": run_id, "reader": organisation_id}).scalar_one()
    return key


def count_runs(session: Session, organisation_id: UUID, run_filter: RunFilter, limit: int) -> int:
    """Return the number of runs that match the filter, at most `limit`."""
    values = _values(organisation_id, run_filter, limit)
    return min(limit, int(session.scalar(_count(_statement_key(run_filter)), values) or 0))


@lru_cache(_CACHED_STATEMENTS)
def _count(run_filter: RunFilter) -> Select[int]:
    ids = _ids(run_filter).subquery()
    return select(func.count(ids.c.run_id.distinct()))


def runs_of_ladder(
    session: Session, organisation_id: UUID, ladder_id: str, *, only_public: bool
) -> Sequence[Run]:
    """Return the organisation's runs of a ladder, unsorted.

    With `only_public`, return only published runs, with hidden names replaced.
    """
    query = select(Run).where(Run.organisation_id == organisation_id, LADDER_ID.in_([ladder_id]))
    if only_public:
        query = query.where(Run.visibility == PUBLIC)
    runs = session.scalars(query.options(defer(Run.agent), defer(Run.host), defer(Run.finish))).all()
    return runs if not only_public else shown_runs(session, None, runs)


def runs_of_suite(session: Session, organisation_id: UUID, suite_id: UUID) -> Sequence[Run]:
    """Return the organisation's runs of a qualification suite, in order of time.

    Without any, return the published runs of that organisation whose published run started first: any plan
    may contain this id. The result is empty if there are none.
    """
    of_suite = select(Run).where(SUITE_ID.in_([str(suite_id)])).order_by(Run.started_at, Run.run_id)
    own = session.scalars(of_suite.where(Run.organisation_id == organisation_id)).all()
    if own:
        return own
    public = session.scalars(of_suite.where(Run.visibility == PUBLIC)).all()
    return shown_runs(
        session, organisation_id, [run for run in public if run.organisation_id == public[0].organisation_id]
    )


def plans_of_ladders(
    session: Session, organisation_id: UUID, ladder_ids: Collection[str]
) -> Sequence[Mapping[str, Any]]:
    """Return the plans of all the organisation's runs that name one of these ladders."""
    return session.scalars(
        select(Run.plan).where(Run.organisation_id == organisation_id, LADDER_ID.in_(ladder_ids))
    ).all()


def _statement_key(run_filter: RunFilter) -> RunFilter:
    """Return the filter with its ids emptied, because statements depend only on whether it has any."""
    return run_filter._replace(run_ids=None if run_filter.run_ids is None else ())


def _values(organisation_id: UUID, run_filter: RunFilter, limit: int) -> dict[str, Any]:
    values: dict[str, Any] = {"reader": organisation_id, "limit": limit}
    return values if run_filter.run_ids is None else values | {"run_ids": list(run_filter.run_ids)}


def _ids(
    run_filter: RunFilter,
    order: Sequence[ColumnElement[Any]] = (),
    after_cursor: Sequence[ColumnElement[bool]] = (),
) -> Select[UUID] | CompoundSelect[UUID]:
    """Return a query for the ids of the first matching runs, at most the parameter `limit`.

    An id may occur twice. Own and public runs are two queries along an index: a condition with OR would sort
    the whole table.
    """
    public = Run.visibility == PUBLIC
    scopes = {"mine": [_IS_OWN], "public": [public], "all": [_IS_OWN, public]}[run_filter.scope]
    conditions = [*_conditions(run_filter), *after_cursor]
    parts = [select(Run.run_id).where(scope, *conditions).order_by(*order).limit(_LIMIT) for scope in scopes]
    if len(parts) == 1:
        return parts[0]
    return union_all(*(select(part.subquery().c.run_id) for part in parts))


def _conditions(run_filter: RunFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if run_filter.run_ids is not None:
        conditions.append(Run.run_id.in_(bindparam("run_ids", expanding=True)))
    if run_filter.state is not None:
        conditions.append(Run.state == run_filter.state)
    if run_filter.workload is not None:
        conditions.append(Run.workload == run_filter.workload)
    if run_filter.text:
        conditions.append(
            or_(
                _TITLE.icontains(run_filter.text, autoescape=True),
                and_(
                    or_(_IS_OWN, Run.shown_names.contains(["hosts"])),
                    Run.host["hostname"].astext.icontains(run_filter.text, autoescape=True),
                ),
            )
        )
    return conditions
