"""Tested loads of drives: a row for one load of one drive, under one set of conditions, from one source.

A row comes from a row of a publication and the timed part of a read (`metric_class`), or from a run and the
kind of time that it measured (`clock`). It is written again in the transaction that changes its source.
`rating_revision` counts changes, for everything public and for each organisation, to validate cached answers.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Double,
    ForeignKey,
    Index,
    Integer,
    Text,
    and_,
    func,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.orm import Mapped, Session, mapped_column

from tailroom.storage.base import Base
from tailroom.storage.run import PUBLIC, Run

PUBLIC_SCOPE = UUID(int=0)
"""The scope of everything public in `rating_revision`."""

_EMPTY = text("'{}'")


class DriveTest(Base):
    """A test of a drive at one load: a row of a publication, or a run, with its numbers."""

    __tablename__ = "drive_test"
    __table_args__ = (
        CheckConstraint("(run_id IS NULL) <> (publication_slug IS NULL)", name="one_source"),
        CheckConstraint("(run_id IS NULL) = (organisation_id IS NULL)", name="runs_have_owners"),
        CheckConstraint("visibility IN ('private', 'public', 'retracted')", name="visibility_known"),
        CheckConstraint("metric_class IN ('total', 'device', 'unstated')", name="metric_class_known"),
        CheckConstraint("op_class IN ('none', 'over_provisioned', 'unstated')", name="op_class_known"),
        CheckConstraint("generation IN ('before-2.0', '2-5', '6+', 'unstated')", name="generation_known"),
        CheckConstraint(
            "evidence IN ('measured_24h', 'measured', 'uploaded', 'third_party', 'vendor')",
            name="evidence_known",
        ),
        CheckConstraint("load_multiple > 0", name="load_counts"),
        CheckConstraint(
            "octet_length(ends) = 6 * octet_length(thresholds) AND octet_length(thresholds) % 8 = 0",
            name="ends_of_thresholds",
        ),
        CheckConstraint("octet_length(fingerprint) = 32", name="fingerprint_length"),
        Index("ix_drive_test_drive_slug", "drive_slug"),
        Index("ix_drive_test_run_id", "run_id"),
        Index("ix_drive_test_organisation_id", "organisation_id"),
    )

    test_id: Mapped[str] = mapped_column(primary_key=True)
    """`<publication>:<row>:<metric class>` or `<run id>:<operation>:<clock>`."""
    organisation_id: Mapped[UUID | None] = mapped_column(ForeignKey("organisation.id"))
    """Owner of the run; None for publications."""
    run_id: Mapped[UUID | None] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"))
    publication_slug: Mapped[str | None]
    publication_row: Mapped[str | None]
    claim_keys: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_EMPTY)
    source_title: Mapped[str]
    publisher: Mapped[str | None]
    visibility: Mapped[str]
    drive_slug: Mapped[str]
    """Slug of the catalogue's drive."""
    capacity_bytes: Mapped[int | None]
    op_class: Mapped[str]
    """Whether flash was left free for the drive itself: `none`, `over_provisioned`, or `unstated`."""
    usable_ratio: Mapped[float | None] = mapped_column(Double)
    """Usable share of the flash, of an over-provisioned drive (0 to 1); None if not stated."""
    op_as_printed: Mapped[str | None]
    metric_class: Mapped[str]
    """Timed part of a read: `total` from its scheduled start, `device` alone, or `unstated`."""
    generation: Mapped[str]
    """Generation of ACT with comparable results (`domain.rating.conditions.ActGeneration`)."""
    load_multiple: Mapped[float] = mapped_column(Double)
    """Load as a multiple of that of ACT at 1x."""
    load_as_printed: Mapped[str | None]
    duration_ns: Mapped[int | None]
    record_bytes: Mapped[int | None]
    write_ratio: Mapped[float | None] = mapped_column(Double)
    """Writes as a share of all operations; None if not stated."""
    preconditioned: Mapped[bool | None]
    tool: Mapped[str | None]
    tool_version: Mapped[str | None]
    evidence: Mapped[str]
    """Kind of source (`domain.rating.conditions.EvidenceClass`)."""
    withdrawn_at: Mapped[datetime | None]
    withdrawal_reason: Mapped[str | None]
    """Reason as in the run, which may be on another node."""
    tested_at: Mapped[str | None]
    """Time of the test as printed, or in ISO 8601."""
    operation: Mapped[str | None]
    """Tested operation of a run."""
    clock: Mapped[str | None]
    total_count: Mapped[int | None]
    """Number of reads behind the shares; None if unknown."""
    design_factor: Mapped[float] = mapped_column(Double, server_default=text("1"))
    """Reads per independent read (design effect), at the lowest threshold of the ACT limits."""
    exceedances: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'::jsonb"))
    """Shares at thresholds as printed or counted: ratings.sources.tested_load.share_document."""
    record: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """Bounds of the distribution of a published test, from which every budget is judged; None for a run."""
    missing_disclosure: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    """Number of undisclosed facts; a run that lacks any is not ranked."""
    firmware: Mapped[str | None]
    """Firmware of the drives of a run; None if they differ or it is unknown."""
    serials_sha256: Mapped[str | None]
    """Hashes of the serial numbers of a run's drives, separated by a blank; only counted and compared."""
    traits: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """Traits of the only drive of a run: domain.rating.variant."""
    counters: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB(none_as_null=True))
    """Figures of the drives' own counters: domain.drive_counters.of_test."""
    marks: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_EMPTY)
    mark_notes: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_EMPTY)
    """Note of each of `marks`, which reviewers put on a row of a publication (ratings.sources.marks)."""
    fingerprint: Mapped[bytes]
    """SHA-256 of everything above."""
    tries: Mapped[int | None] = mapped_column(Integer)
    """Number of the organisation's runs of the same plan and drive (`count_tries`); None if not published."""
    thresholds: Mapped[bytes] = mapped_column(server_default=text("''::bytea"))
    """Written only by the previous release during an upgrade, like the columns below."""
    ends: Mapped[bytes] = mapped_column(server_default=text("''::bytea"))
    as_printed: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    full_hours: Mapped[int | None] = mapped_column(Integer)
    doubt: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    doubt_text: Mapped[str | None]
    device_failed: Mapped[bool] = mapped_column(server_default=text("false"))


class TestJudgementRow(Base):
    """Judgement of a test by a version of a budget and of the method."""

    __test__ = False
    __tablename__ = "test_judgement"
    __table_args__ = (
        CheckConstraint("test_verdict IN ('PASS', 'FAIL', 'INDETERMINATE')", name="verdict_known"),
        CheckConstraint("strength IN ('proven', 'observed')", name="strength_known"),
        CheckConstraint(
            "(test_verdict = 'INDETERMINATE') = (strength IS NULL)", name="strength_where_decided"
        ),
        CheckConstraint("visibility IN ('private', 'public', 'retracted')", name="visibility_known"),
    )

    test_id: Mapped[str] = mapped_column(
        ForeignKey("drive_test.test_id", ondelete="CASCADE"), primary_key=True
    )
    budget_name: Mapped[str] = mapped_column(primary_key=True)
    budget_version: Mapped[int] = mapped_column(Integer, primary_key=True)
    method_version: Mapped[int] = mapped_column(Integer, primary_key=True)
    organisation_id: Mapped[UUID | None]
    """Owner of the test, whose `visibility` is copied too."""
    visibility: Mapped[str]
    test_verdict: Mapped[str]
    strength: Mapped[str | None]
    late_lower: Mapped[float | None] = mapped_column(Double)
    late_upper: Mapped[float | None] = mapped_column(Double)
    """Bounds of the share of slow reads at the first limit; None where unknown."""
    result: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """The result on the leaderboard: ratings.judgements.judge_test."""


class RatingRevision(Base):
    """Number of changes to tests that an organisation sees, or that all see (`PUBLIC_SCOPE`)."""

    __tablename__ = "rating_revision"

    scope_id: Mapped[UUID] = mapped_column(primary_key=True)
    revision: Mapped[int]


class RatedRun(Base):
    """State of a run when its tests were last made; also stored for a run without tests."""

    __tablename__ = "rated_run"

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    organisation_id: Mapped[UUID]
    source_key: Mapped[str]
    """Hash of everything that the tests depend on (ratings.repository.source_key)."""
    form: Mapped[int] = mapped_column(Integer, server_default=text("1"))
    """Version of the tests that are made from runs (ratings.repository.FORM)."""


def count_change(session: Session, scope_id: UUID) -> None:
    """Add 1 to the revision of a scope: an organisation, or `PUBLIC_SCOPE`. The first change makes it 1.

    Concurrent changes of a scope wait for each other.
    """
    statement = insert(RatingRevision).values(scope_id=scope_id, revision=1)
    session.execute(
        statement.on_conflict_do_update(
            index_elements=("scope_id",), set_={"revision": RatingRevision.revision + 1}
        )
    )


_SAME_PLAN = (
    *("organisation_id", "drive_slug", "capacity_bytes", "op_class", "usable_ratio", "metric_class"),
    *("generation", "load_multiple", "record_bytes"),
)
"""Columns in which tests of the same plan and drive are equal."""


def count_tries(session: Session, organisation_id: UUID, drive_slugs: Sequence[str]) -> bool:
    """Store the number of runs of the same plan as `tries` of each published test of these drives.

    They are the organisation's runs, private and withdrawn runs included. Return whether any number changed.
    """
    is_own = and_(DriveTest.organisation_id == organisation_id, DriveTest.drive_slug.in_(drive_slugs))
    columns = [DriveTest.__table__.c[name] for name in _SAME_PLAN]
    made = (
        select(*columns, func.count(DriveTest.run_id.distinct()).label("tries"))
        .where(is_own)
        .group_by(*columns)
        .subquery("made")
    )
    is_same = and_(*(made.c[column.name].is_not_distinct_from(column) for column in columns))
    changed = session.execute(
        update(DriveTest)
        .where(is_own, DriveTest.visibility == PUBLIC, is_same)
        .where(DriveTest.tries.is_distinct_from(made.c.tries))
        .values(tries=made.c.tries)
        .returning(DriveTest.test_id)
        .execution_options(synchronize_session=False)
    )
    return bool(changed.all())


def follow_visibility(session: Session, run: Run, title: str) -> None:
    """Copy visibility, title and withdrawal of a run to its tests and judgements.

    Tries are counted again, and the revisions of the organisation and of everything public increase.
    """
    changed = {
        "visibility": run.visibility,
        "source_title": title,
        "withdrawn_at": run.retracted_at,
        "withdrawal_reason": run.retraction_reason,
    }
    tests = session.scalars(
        update(DriveTest).where(DriveTest.run_id == run.run_id).values(changed).returning(DriveTest.test_id)
    ).all()
    slugs = session.scalars(select(DriveTest.drive_slug).where(DriveTest.run_id == run.run_id)).all()
    count_tries(session, run.organisation_id, slugs)
    session.execute(
        update(TestJudgementRow)
        .where(TestJudgementRow.test_id.in_(tests))
        .values(visibility=run.visibility)
        .execution_options(synchronize_session=False)
    )
    count_change(session, run.organisation_id)
    count_change(session, PUBLIC_SCOPE)
