"""Queries about tested loads. What a question sees: everything public, and what its organisation owns."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Text,
    any_,
    case,
    delete,
    func,
    literal,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.orm import Session
from sqlalchemy.types import NullType

from tailroom.storage.catalogue import CatalogueAlias, CatalogueFact, CatalogueItem
from tailroom.storage.drive_test import PUBLIC_SCOPE, DriveTest, RatedRun, RatingRevision
from tailroom.storage.run import FINISHED, PUBLIC, Run
from tailroom.storage.slices import AnalysisState
from tailroom.work.kinds import RATE
from tailroom.work.outbox import runs_without

DRIVE = "drive"
FORM = 1
"""Counted up when tests are made from the same runs in another way."""


class Revisions(NamedTuple):
    """How often what an organisation sees has changed; each number only grows."""

    public: int
    own: int
    """Of tests that the organisation owns; 0 where it never had any."""
    own_drives: int
    """Drives that only the organisation sees."""


def revisions(session: Session, organisation_id: UUID | None) -> Revisions:
    """The state of everything that a board rests on, in one statement; none: what everybody sees."""

    def of(scope_id: UUID) -> ColumnElement[int]:
        found = select(RatingRevision.revision).where(RatingRevision.scope_id == scope_id)
        return func.coalesce(found.scalar_subquery(), 0)

    if organisation_id is None:
        return Revisions(session.execute(select(of(PUBLIC_SCOPE))).scalar_one(), 0, 0)
    own_drives = (
        select(func.count())
        .select_from(CatalogueItem)
        .where(CatalogueItem.kind == DRIVE, CatalogueItem.organisation_id == organisation_id)
    )
    query = select(of(PUBLIC_SCOPE), of(organisation_id), own_drives.scalar_subquery())
    return Revisions(*session.execute(query).one())


def visible(organisation_id: UUID | None) -> ColumnElement[bool]:
    """Tests that an organisation may see with their figures; none: that everybody may."""
    if organisation_id is None:
        return DriveTest.visibility == PUBLIC
    return or_(DriveTest.visibility == PUBLIC, DriveTest.organisation_id == organisation_id)


def tests(
    session: Session, organisation_id: UUID | None, known: Mapping[str, Row[Any]]
) -> Sequence[Row[Any]]:
    """Every visible test in the order of their names: the columns of the table, `as_printed` as JSON text.

    Of tests that are `known` as they are, only names and fingerprints are read.
    """
    table = DriveTest.__table__.c
    if not known:
        query = select(*_test_columns()).where(visible(organisation_id)).order_by(table.test_id)
        return session.connection().execute(query).all()
    named = (
        session.connection()
        .execute(
            select(table.test_id, table.fingerprint, table.visibility)
            .where(visible(organisation_id))
            .order_by(table.test_id)
        )
        .all()
    )
    found: dict[str, Row[Any]] = {}
    for test_id, fingerprint, visibility in named:
        one = known.get(test_id)
        # A fingerprint says nothing of who sees the test.
        if one is not None and one.fingerprint == fingerprint and one.visibility == visibility:
            found[test_id] = one
    fresh = [test_id for test_id, *_ in named if test_id not in found]
    if fresh:
        query = select(*_test_columns()).where(
            visible(organisation_id), table.test_id == any_(literal(fresh, ARRAY(Text)))
        )
        found.update({one.test_id: one for one in session.connection().execute(query)})
    # One that has gone between the two statements is not there any more.
    return [found[test_id] for test_id, *_ in named if test_id in found]


def _test_columns() -> list[ColumnElement[Any]]:
    """As the driver gives them: what is printed is seldom looked at, and lists of text are lists already."""
    found: list[ColumnElement[Any]] = []
    for column in DriveTest.__table__.columns:
        if isinstance(column.type, JSONB):
            found.append(column.cast(Text).label(column.name))
        elif isinstance(column.type, ARRAY):
            found.append(type_coerce(column, NullType()).label(column.name))
        else:
            found.append(column)
    return found


def fingerprints(session: Session, *conditions: ColumnElement[bool]) -> dict[str, bytes]:
    """Fingerprints by test of those that meet the conditions."""
    query = select(DriveTest.test_id, DriveTest.fingerprint).where(*conditions)
    return dict(session.execute(query).all())


def store(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Writes tests, replacing those of the same name."""
    if not rows:
        return
    statement = insert(DriveTest)
    changed = {
        column.name: statement.excluded[column.name]
        for column in DriveTest.__table__.columns
        if column.name != "test_id"
    }
    session.execute(statement.on_conflict_do_update(index_elements=("test_id",), set_=changed), list(rows))


def remove(session: Session, test_ids: Collection[str]) -> None:
    """Takes tests away whose source does not hold them any more."""
    if test_ids:
        session.execute(delete(DriveTest).where(DriveTest.test_id.in_(test_ids)))


def of_run(run_id: UUID) -> ColumnElement[bool]:
    """Tests of a run."""
    return DriveTest.run_id == run_id


def of_publications() -> ColumnElement[bool]:
    """Tests that were published in documents."""
    return DriveTest.publication_slug.is_not(None)


def drives(session: Session, organisation_id: UUID | None) -> Sequence[Row[UUID, str, str, str]]:
    """Items of the catalogue that are drives, as far as they are visible."""
    query = select(CatalogueItem.item_id, CatalogueItem.slug, CatalogueItem.vendor, CatalogueItem.name).where(
        CatalogueItem.kind == DRIVE,
        or_(CatalogueItem.organisation_id.is_(None), CatalogueItem.organisation_id == organisation_id),
    )
    return session.execute(query).all()


def vendors(session: Session) -> dict[str, str]:
    """Vendors by the slugs of public drives."""
    return {row.slug: row.vendor for row in drives(session, None)}


def facts(session: Session, fields: Collection[str]) -> Sequence[Row[Any]]:
    """Facts of drives in their order, of some fields: the columns, which outlive the session."""
    query = select(*CatalogueFact.__table__.columns).select_from(CatalogueFact)
    query = query.join(CatalogueItem, CatalogueItem.item_id == CatalogueFact.item_id)
    query = query.where(CatalogueItem.kind == DRIVE, CatalogueFact.field.in_(fields))
    return session.execute(query.order_by(CatalogueFact.item_id, CatalogueFact.position)).all()


def capacities(session: Session, slug: str) -> list[int]:
    """Capacities in bytes that sources name for a drive."""
    query = (
        select(CatalogueFact.value_number)
        .join(CatalogueItem, CatalogueItem.item_id == CatalogueFact.item_id)
        .where(CatalogueItem.slug == slug, CatalogueFact.field == "capacity", CatalogueFact.unit == "bytes")
    )
    return [round(value) for value in session.scalars(query) if value is not None]


def aliases(session: Session, item_id: UUID) -> list[str]:
    """What a drive is also called, as printed."""
    query = select(CatalogueAlias.as_printed).where(CatalogueAlias.item_id == item_id)
    return sorted(set(session.scalars(query)))


def source_key(run_id: UUID) -> ColumnElement[str]:
    """Everything that the tests of a run depend on, over `Run` and its `AnalysisState`.

    A run whose drive nobody knows is looked at again when the catalogue has got another drive.
    """
    newest_drive = select(func.max(CatalogueItem.created_at)).scalar_subquery()
    # Named and not looked up in the run: runs may lie on another node than tests.
    has_tests = select(DriveTest.test_id).where(DriveTest.run_id == run_id).exists()
    return func.md5(
        func.concat_ws(
            "|",
            str(FORM),
            Run.state,
            Run.outcome,
            Run.end_state,
            Run.visibility,
            Run.title,
            Run.started_at.cast(Text),
            Run.disclosed.cast(Text),
            AnalysisState.method_version.cast(Text),
            AnalysisState.judged_intervals.cast(Text),
            AnalysisState.is_final.cast(Text),
            case((has_tests, ""), else_=newest_drive.cast(Text)),
        )
    )


def unrated_runs(workload: str) -> Select[UUID, UUID]:
    """Runs that are finished and judged, and whose tests were never made or in another form."""
    return (
        _rateable_runs(workload)
        .outerjoin(RatedRun, RatedRun.run_id == Run.run_id)
        .where(or_(RatedRun.run_id.is_(None), RatedRun.form != FORM))
    )


def untested_runs(workload: str) -> Select[UUID, UUID]:
    """Runs whose tests were made and are none."""
    tested = select(DriveTest.run_id).distinct().subquery()
    return (
        _rateable_runs(workload)
        .join(RatedRun, RatedRun.run_id == Run.run_id)
        .outerjoin(tested, tested.c.run_id == Run.run_id)
        .where(tested.c.run_id.is_(None))
    )


def _rateable_runs(workload: str) -> Select[UUID, UUID]:
    return (
        runs_without(RATE)
        .join(AnalysisState, AnalysisState.run_id == Run.run_id)
        .where(Run.workload == workload, Run.state == FINISHED, AnalysisState.is_final)
    )


def key_of_run(session: Session, run_id: UUID) -> str | None:
    """The key of a run that is finished and judged; none of one that is not."""
    query = (
        select(source_key(run_id))
        .select_from(Run)
        .join(AnalysisState, AnalysisState.run_id == Run.run_id)
        .where(Run.run_id == run_id, Run.state == FINISHED, AnalysisState.is_final)
    )
    return session.scalar(query)


def rated_key(session: Session, run_id: UUID) -> str | None:
    """The key of the state that the tests of a run were made from."""
    return session.scalar(select(RatedRun.source_key).where(RatedRun.run_id == run_id))


def set_rated(session: Session, run_id: UUID, organisation_id: UUID, key: str) -> None:
    """Notes from which state the tests of a run were made."""
    values = {"run_id": run_id, "organisation_id": organisation_id, "source_key": key, "form": FORM}
    statement = insert(RatedRun).values(values)
    changed = {name: statement.excluded[name] for name in ("source_key", "form")}
    session.execute(statement.on_conflict_do_update(index_elements=("run_id",), set_=changed))
