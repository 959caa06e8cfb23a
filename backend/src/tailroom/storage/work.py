"""Due work: a row for each kind of work on one subject, written in the transaction that makes it due."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, Integer, text
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class WorkRow(Base):
    """Due work, deleted when it is done. `due_at` is also the end of a claim."""

    __tablename__ = "work"
    __table_args__ = (
        CheckConstraint("lane IN ('judging', 'renewal', 'uploads', 'housekeeping')", name="lane_known"),
        CheckConstraint("(claim_id IS NULL) = (claimed_until IS NULL)", name="claims_end"),
        Index(
            "ix_work_due",
            "lane",
            "organisation_id",
            "due_at",
            text("subject DESC"),
            postgresql_where="given_up_at IS NULL",
        ),
        Index("ix_work_claimed", "lane", "organisation_id", postgresql_where="claim_id IS NOT NULL"),
        Index(
            "ix_work_given_up", "organisation_id", "given_up_at", postgresql_where="given_up_at IS NOT NULL"
        ),
    )

    subject: Mapped[UUID] = mapped_column(primary_key=True)
    """Id of the run, upload or other object."""
    kind: Mapped[str] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID]
    """Organisation that the work is done for; lanes serve organisations in rotation."""
    lane: Mapped[str]
    due_at: Mapped[datetime]
    revision: Mapped[int] = mapped_column(default=1, server_default=text("1"))
    """Incremented whenever the work becomes due again, also during its execution."""
    attempts: Mapped[int] = mapped_column(Integer, default=0, server_default=text("0"))
    """Number of attempts since the work became due, each counted at its start."""
    claim_id: Mapped[UUID | None]
    claimed_until: Mapped[datetime | None]
    error: Mapped[str | None]
    """Error of the last failed attempt."""
    given_up_at: Mapped[datetime | None]
    details: Mapped[dict[str, Any] | None]
    """Arguments of the work, by its kind; None without any."""


class WorkTurn(Base):
    """Time at which a lane last served an organisation; the longest-waiting organisation is next."""

    __tablename__ = "work_turn"

    organisation_id: Mapped[UUID] = mapped_column(primary_key=True)
    lane: Mapped[str] = mapped_column(primary_key=True)
    served_at: Mapped[datetime]
