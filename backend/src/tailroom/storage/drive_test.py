"""Tested loads of drives: one row per drive, load, set of conditions and source.

A row comes from a row of a publication (once per timed quantity) or from a run (once per clock), and is
rewritten in the transaction that changes its source. `rating_revision` counts changes, once for all public
rows and once per organisation, so that a cache of rows is validated by one query.
"""

from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Double, ForeignKey, Index, Integer, Text, text, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.orm import Mapped, Session, mapped_column

from tailroom.storage.base import Base

PUBLIC_SCOPE = UUID(int=0)
"""Scope of all public rows in `rating_revision`."""

_EMPTY = text("'{}'")


class DriveTest(Base):
    """A result printed or counted at one load."""

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
    """Owner of the run; none for what is published in a document."""
    run_id: Mapped[UUID | None] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"))
    publication_slug: Mapped[str | None]
    publication_row: Mapped[str | None]
    claim_keys: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_EMPTY)
    source_title: Mapped[str]
    publisher: Mapped[str | None]
    visibility: Mapped[str]
    drive_slug: Mapped[str]
    """Of the catalogue's item."""
    capacity_bytes: Mapped[int | None]
    op_class: Mapped[str]
    usable_ratio: Mapped[float | None] = mapped_column(Double)
    op_as_printed: Mapped[str | None]
    metric_class: Mapped[str]
    generation: Mapped[str]
    load_multiple: Mapped[float] = mapped_column(Double)
    load_as_printed: Mapped[str | None]
    duration_ns: Mapped[int | None]
    record_bytes: Mapped[int | None]
    write_ratio: Mapped[float | None] = mapped_column(Double)
    preconditioned: Mapped[bool | None]
    tool: Mapped[str | None]
    tool_version: Mapped[str | None]
    evidence: Mapped[str]
    tested_at: Mapped[str | None]
    """As printed, or ISO 8601."""
    operation: Mapped[str | None]
    """Of a run."""
    clock: Mapped[str | None]
    total_count: Mapped[int | None]
    """Reads behind the shares; none where the source does not say."""
    design_factor: Mapped[float] = mapped_column(Double, server_default=text("1"))
    """How many reads are worth one independent one, at the lowest threshold of the ACT limits."""
    full_hours: Mapped[int | None] = mapped_column(Integer)
    """Full hours that were counted; none without a course over time."""
    doubt: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    """domain.rating.judging.Doubt."""
    doubt_text: Mapped[str | None]
    device_failed: Mapped[bool] = mapped_column(server_default=text("false"))
    thresholds: Mapped[bytes]
    """Thresholds in ns, ascending: little-endian signed 64-bit numbers."""
    ends: Mapped[bytes]
    """Six little-endian doubles for each threshold: domain.rating.judging.Knots.ends, row after row."""
    as_printed: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    """By threshold: the share as it was printed."""
    missing_disclosure: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    """Facts that the run must disclose and does not; a run that lacks any is not ranked."""
    marks: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_EMPTY)
    mark_notes: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_EMPTY)
    fingerprint: Mapped[bytes]
    """SHA-256 of everything above."""


class RatingRevision(Base):
    """Counter of changes to the tests of one organisation, or to the public ones (`PUBLIC_SCOPE`)."""

    __tablename__ = "rating_revision"

    scope_id: Mapped[UUID] = mapped_column(primary_key=True)
    revision: Mapped[int]


class RatedRun(Base):
    """From which state of a run its tests were made, also where it has none."""

    __tablename__ = "rated_run"

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    organisation_id: Mapped[UUID]
    source_key: Mapped[str]
    """Of everything that the tests depend on (ratings.repository.source_key)."""
    form: Mapped[int] = mapped_column(Integer, server_default=text("1"))
    """Of the tests that are made from runs (ratings.repository.FORM)."""


def count_change(session: Session, scope_id: UUID) -> None:
    """Count a change in the transaction that makes it. Concurrent changes of the same scope wait for each
    other.
    """
    statement = insert(RatingRevision).values(scope_id=scope_id, revision=1)
    session.execute(
        statement.on_conflict_do_update(
            index_elements=("scope_id",), set_={"revision": RatingRevision.revision + 1}
        )
    )


def follow_visibility(
    session: Session, run_id: UUID, organisation_id: UUID, visibility: str, title: str
) -> None:
    """Make the tests of a run as visible to other organisations as the run, from the same moment."""
    changed = {"visibility": visibility, "source_title": title}
    session.execute(update(DriveTest).where(DriveTest.run_id == run_id).values(changed))
    count_change(session, organisation_id)
    count_change(session, PUBLIC_SCOPE)
