"""Organisations: every private row has an organisation's id."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

LOCAL_OWNER = "owner@localhost"
"""The account that owns the local organisation; it has no password until its owner sets one."""

OPERATOR, PERSON = "operator", "person"

RETENTION = (
    "tick_retention_days",
    "interval_retention_days",
    "minute_retention_days",
    "raw_file_retention_days",
)
"""Columns with the retention of data in days, which owners may set."""


class Organisation(Base):
    """An owner of runs, tokens and verdicts.

    Only the names of the operator's organisations are unique. People may use any name, because a refusal
    would disclose the names of others.
    """

    __tablename__ = "organisation"
    __table_args__ = (
        Index(
            "uq_organisation_operator_name",
            "name",
            unique=True,
            postgresql_where=text("made_by = 'operator'"),
        ),
        CheckConstraint("made_by IN ('operator', 'person')", name="made_by_known"),
        CheckConstraint(f"least({', '.join(RETENTION)}) >= 1", name="retention_days_count"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime]
    needs_second_factor: Mapped[bool] = mapped_column(default=False, server_default=text("false"))
    """Whether only members who have a second factor may act for it."""
    deletion_due_at: Mapped[datetime | None]
    """When it is deleted, unless an owner cancels the deletion."""
    tick_retention_days: Mapped[int | None]
    """Days of retention chosen by its owners; None: those of the installation (operations.retention_days)."""
    interval_retention_days: Mapped[int | None]
    minute_retention_days: Mapped[int | None]
    raw_file_retention_days: Mapped[int | None]
    made_by: Mapped[str] = mapped_column(default=OPERATOR, server_default=text("'operator'"))
