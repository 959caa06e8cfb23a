"""Queries about tested loads: everything public, and what the asking organisation owns."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Double,
    Row,
    Select,
    Subquery,
    Text,
    and_,
    any_,
    case,
    delete,
    false,
    func,
    literal,
    not_,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.verdict import Strength, Verdict
from tailroom.storage.base import upsert
from tailroom.storage.catalogue import CatalogueFact, CatalogueItem, PublicationRow
from tailroom.storage.drive_test import PUBLIC_SCOPE, DriveTest, RatedRun, RatingRevision, TestJudgementRow
from tailroom.storage.run import FINISHED, PUBLIC, RETRACTED, Run
from tailroom.storage.slices import AnalysisState
from tailroom.work.kinds import RATE
from tailroom.work.outbox import runs_without

DRIVE = "drive"
FORM = 6
"""Version of the way tests are made from runs; to be increased whenever that changes."""


def revisions(session: Session, organisation_id: UUID) -> tuple[int, ...]:
    """Return counters that ratings depend on: changes of public tests, changes of tests that the organisation
    owns, and its own drives. Cached ratings are valid while they are equal.
    """

    def of(scope_id: UUID) -> ColumnElement[int]:
        revision = select(RatingRevision.revision).where(RatingRevision.scope_id == scope_id)
        return func.coalesce(revision.scalar_subquery(), 0)

    own_drives = (
        select(func.count())
        .select_from(CatalogueItem)
        .where(CatalogueItem.kind == DRIVE, CatalogueItem.organisation_id == organisation_id)
    )
    query = select(of(PUBLIC_SCOPE), of(organisation_id), own_drives.scalar_subquery())
    return tuple(session.execute(query).one())


def visible(organisation_id: UUID | None) -> ColumnElement[bool]:
    """Return the SQL condition for tests that an organisation sees, for public tests if None."""
    if organisation_id is None:
        return DriveTest.visibility == PUBLIC
    return or_(DriveTest.visibility == PUBLIC, DriveTest.organisation_id == organisation_id)


def rateable(organisation_id: UUID | None) -> ColumnElement[bool]:
    """Return the SQL condition for tests that ratings include: `visible` and not withdrawn."""
    is_retracted = or_(DriveTest.visibility == RETRACTED, literal(RETRACTED) == any_(DriveTest.marks))
    return and_(visible(organisation_id), not_(is_retracted))


def has_id(test_ids: Sequence[str]) -> ColumnElement[bool]:
    """Return the SQL condition for tests with these ids."""
    return DriveTest.test_id == any_(literal(test_ids, ARRAY(Text)))


def tests(session: Session, *conditions: ColumnElement[bool]) -> Sequence[Row[Any]]:
    """Return all columns of the tests that meet the conditions, ordered by load, then id."""
    query = select(*DriveTest.__table__.columns).where(*conditions)
    return session.execute(query.order_by(DriveTest.load_multiple, DriveTest.test_id)).all()


def stored_judgements(budget: Budget) -> Subquery:
    """Return a subquery of the judgements stored for a budget and the current version of the method."""
    return (
        select(
            TestJudgementRow.test_id,
            TestJudgementRow.test_verdict,
            TestJudgementRow.strength,
            TestJudgementRow.late_lower,
            TestJudgementRow.late_upper,
        )
        .where(_budget_condition(budget))
        .subquery("judged")
    )


def judgements_in_memory(rows: Sequence[Sequence[Any]]) -> Subquery:
    """Return a subquery like `stored_judgements` over rows of (test id, verdict, strength, both bounds)."""
    columns = ("test_id", "test_verdict", "strength", "late_lower", "late_upper")
    types = (Text, Text, Text, Double, Double)
    values = zip(*rows, strict=True) if rows else [()] * len(columns)
    return select(
        *(
            func.unnest(literal(list(column), ARRAY(of)), type_=of()).label(name)
            for name, of, column in zip(columns, types, values, strict=True)
        )
    ).subquery("judged")


def results(
    session: Session, budgets: Sequence[Budget], test_ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the stored judgement documents of tests by name of the budget, then test id. Tests that the
    current version of the method has not judged are missing.
    """
    by_budget: dict[str, dict[str, Any]] = {budget.name: {} for budget in budgets}
    query = select(TestJudgementRow.budget_name, TestJudgementRow.test_id, TestJudgementRow.result).where(
        or_(*(_budget_condition(budget) for budget in budgets)),
        TestJudgementRow.test_id == any_(literal(list(test_ids), ARRAY(Text))),
    )
    for budget_name, test_id, result in session.execute(query):
        by_budget[budget_name][test_id] = result
    return by_budget


def judged_by_all(session: Session, budgets: Sequence[Budget]) -> frozenset[str]:
    """Return the ids of tests that each of these budgets has judged by the current version of the method."""
    query = select(TestJudgementRow.test_id).where(or_(*(_budget_condition(budget) for budget in budgets)))
    query = query.group_by(TestJudgementRow.test_id).having(func.count() == len(budgets))
    return frozenset(session.scalars(query))


def _budget_condition(budget: Budget) -> ColumnElement[bool]:
    return and_(
        TestJudgementRow.budget_name == budget.name,
        TestJudgementRow.budget_version == budget.version,
        TestJudgementRow.method_version == METHOD_VERSION,
    )


def cells(
    session: Session,
    organisation_id: UUID | None,
    judged: Subquery,
    *,
    evidence: Collection[str] = (),
    run_id: UUID | None = None,
) -> Sequence[Any]:
    """Return the combined results of tests, a row for each drive, capacity, firmware, load and set of stated
    conditions. `judged` is a subquery of judgements. `shortest_ns` and `undisclosed` concern the deciding
    tests. `counted_*` concern tests that state a number of reads: bounds of shares, and the fewest reads
    divided by the design factor. `has_run`: a test is of the run `run_id`.
    """
    test, verdict = DriveTest, judged.c.test_verdict
    passes, fails = verdict == Verdict.PASS.value, verdict == Verdict.FAIL.value
    decided = or_(passes, fails)
    is_proven, is_counted = judged.c.strength == Strength.PROVEN.value, test.total_count > 0
    keys = (
        test.drive_slug,
        test.capacity_bytes,
        test.metric_class,
        test.op_class,
        test.generation,
        test.usable_ratio,
        test.record_bytes,
        (test.visibility != PUBLIC).label("is_private"),
        test.firmware,
        test.load_multiple,
    )

    def some(condition: ColumnElement[bool], name: str) -> ColumnElement[bool]:
        return func.coalesce(func.bool_or(condition), false()).label(name)

    query = (
        select(
            *keys,
            some(passes, "some_passed"),
            some(fails, "some_failed"),
            some(and_(passes, is_proven), "proven_pass"),
            some(and_(fails, is_proven), "proven_fail"),
            func.min(judged.c.late_lower).label("lower"),
            func.max(judged.c.late_upper).label("upper"),
            func.min(judged.c.late_lower).filter(is_counted).label("counted_lower"),
            func.max(judged.c.late_upper).filter(is_counted).label("counted_upper"),
            func.min(test.total_count / func.greatest(test.design_factor, 1.0))
            .filter(is_counted)
            .label("counted_total"),
            func.min(test.duration_ns).filter(decided).label("shortest_ns"),
            func.max(test.duration_ns).label("longest_ns"),
            func.array_agg(test.tested_at.distinct()).label("tested_at"),
            func.array_agg(PublicationRow.date_as_printed.distinct()).label("published_at"),
            some(and_(decided, test.missing_disclosure > 0), "undisclosed"),
            func.count().label("tests"),
            func.array_agg(test.evidence.distinct()).label("evidence"),
            some(test.run_id == run_id if run_id else false(), "has_run"),
        )
        .outerjoin(judged, judged.c.test_id == test.test_id)
        .outerjoin(PublicationRow, PublicationRow.slug == test.publication_slug)
        .where(rateable(organisation_id), *([test.evidence.in_(evidence)] if evidence else []))
        .group_by(*keys)
        .order_by(*keys)
    )
    return session.execute(query).all()


def fingerprints(session: Session, *conditions: ColumnElement[bool]) -> dict[str, bytes]:
    """Return the fingerprints of the tests that meet the conditions, by test id."""
    query = select(DriveTest.test_id, DriveTest.fingerprint).where(*conditions)
    return dict(session.execute(query).all())


def remove_tests(session: Session, test_ids: Collection[str]) -> None:
    """Delete tests by id; ids that do not exist are ignored."""
    if test_ids:
        session.execute(delete(DriveTest).where(DriveTest.test_id.in_(test_ids)))


def drives(
    session: Session, organisation_id: UUID | None, slugs: Collection[str] | None = None
) -> Sequence[Row[UUID, str, str, str]]:
    """Return id, slug, vendor and name of the drives that an organisation sees; `slugs` None: all of them."""
    query = select(CatalogueItem.item_id, CatalogueItem.slug, CatalogueItem.vendor, CatalogueItem.name).where(
        CatalogueItem.kind == DRIVE,
        or_(CatalogueItem.organisation_id.is_(None), CatalogueItem.organisation_id == organisation_id),
    )
    if slugs is not None:
        query = query.where(CatalogueItem.slug.in_(slugs))
    return session.execute(query).all()


def facts(
    session: Session, fields: Collection[str], item_ids: Collection[UUID] | None = None
) -> Sequence[Row[Any]]:
    """Return the facts of drives (None: all) in these fields, by drive and in order."""
    query = select(*CatalogueFact.__table__.columns).select_from(CatalogueFact)
    query = query.join(CatalogueItem, CatalogueItem.item_id == CatalogueFact.item_id)
    query = query.where(CatalogueItem.kind == DRIVE, CatalogueFact.field.in_(fields))
    if item_ids is not None:
        query = query.where(CatalogueFact.item_id.in_(item_ids))
    return session.execute(query.order_by(CatalogueFact.item_id, CatalogueFact.position)).all()


def capacities(session: Session, slug: str) -> list[int]:
    """Return the capacities in bytes that sources state for a drive (slug); may repeat or be empty."""
    query = (
        select(CatalogueFact.value_number)
        .join(CatalogueItem, CatalogueItem.item_id == CatalogueFact.item_id)
        .where(CatalogueItem.slug == slug, CatalogueFact.field == "capacity", CatalogueFact.unit == "bytes")
    )
    return [round(value) for value in session.scalars(query) if value is not None]


def source_key(run_id: UUID) -> ColumnElement[str]:
    """Return the SQL expression of a hash of everything that the tests of a run depend on, for queries from
    `Run` and `AnalysisState`. For a run without tests that includes the newest drive of the catalogue.
    """
    newest_drive = select(func.max(CatalogueItem.created_at)).scalar_subquery()
    # The id is a parameter and not a join: on Citus, runs may be on another node than tests.
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
    """Return a query for id and organisation of the finished, judged runs of a workload whose tests were
    never made, or by another version of `FORM`. Runs that are due for rating are left out.
    """
    return (
        _rateable_runs(workload)
        .outerjoin(RatedRun, RatedRun.run_id == Run.run_id)
        .where(or_(RatedRun.run_id.is_(None), RatedRun.form != FORM))
    )


def untested_runs(workload: str) -> Select[UUID, UUID]:
    """Return a query for id and organisation of a workload's rated runs that have no test."""
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
    """Return the current key of a run, see `source_key`; None if the run is not finished and judged."""
    query = (
        select(source_key(run_id))
        .select_from(Run)
        .join(AnalysisState, AnalysisState.run_id == Run.run_id)
        .where(Run.run_id == run_id, Run.state == FINISHED, AnalysisState.is_final)
    )
    return session.scalar(query)


def rated_key(session: Session, run_id: UUID) -> str | None:
    """Return the key that a run had when its tests were last made; None if they never were."""
    return session.scalar(select(RatedRun.source_key).where(RatedRun.run_id == run_id))


def set_rated(session: Session, run_id: UUID, organisation_id: UUID, key: str) -> None:
    """Store the key of a run for which its tests were made, with the version `FORM`."""
    values = {"run_id": run_id, "organisation_id": organisation_id, "source_key": key, "form": FORM}
    upsert(session, RatedRun, [values], keep=("organisation_id",))
