"""Watched configurations, the verdicts on their runs, and alerts about changes."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, Integer, text
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class Watch(Base):
    """Filter for the runs of one configuration, the budget that judges them, and the recipients of alerts."""

    __tablename__ = "watch"

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    watch_id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    run_title: Mapped[str | None]
    host_name: Mapped[str | None]
    target_name: Mapped[str | None]
    """Target of the selected runs; None: any. Title and host likewise."""
    budget_name: Mapped[str]
    webhook_url: Mapped[str | None]
    webhook_secret: Mapped[str | None]
    """Key that signs alerts; stored in clear, because both sides need it."""
    email: Mapped[str | None]
    known_verdict: Mapped[str | None]
    """Verdict of the latest run with a result; an alert is sent when it changes. None: no result yet."""
    created_at: Mapped[datetime]


class WatchResult(Base):
    """The verdict on one run of a watched configuration, with its headline."""

    __tablename__ = "watch_result"
    __table_args__ = (
        CheckConstraint("strength IN ('proven', 'observed')", name="strength_known"),
        Index("ix_watch_result_organisation_id_watch_id", "organisation_id", "watch_id"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    watch_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID]
    started_at: Mapped[datetime]
    verdict: Mapped[str]
    strength: Mapped[str | None]
    """`proven` or `observed`; None if the verdict is INDETERMINATE, and by a method before version 8."""
    words: Mapped[str | None]
    """Verdict and strength as text; None in old results."""
    method_version: Mapped[int | None] = mapped_column(Integer)
    """None in old results."""
    statement: Mapped[str]
    """The headline of the verdict; without a headline its reason, or without a reason its word."""
    noted_at: Mapped[datetime]


class Alert(Base):
    """A notification of a change by one channel, with the attempts to deliver it."""

    __tablename__ = "alert"
    __table_args__ = (
        CheckConstraint("channel IN ('webhook', 'email')", name="channel_known"),
        ForeignKeyConstraint(
            ["organisation_id", "watch_id"], ["watch.organisation_id", "watch.watch_id"], ondelete="CASCADE"
        ),
        Index("ix_alert_organisation_id_watch_id", "organisation_id", "watch_id"),
    )

    organisation_id: Mapped[UUID] = mapped_column(primary_key=True)
    alert_id: Mapped[UUID] = mapped_column(primary_key=True)
    watch_id: Mapped[UUID]
    channel: Mapped[str]
    message: Mapped[dict[str, Any]]
    """The message as it is sent (`watches.results.message_of`); its `text` can be read alone."""
    created_at: Mapped[datetime]
    attempts: Mapped[int] = mapped_column(Integer, default=0, server_default=text("0"))
    delivered_at: Mapped[datetime | None]
    error: Mapped[str | None]
    """Reason why the last attempt failed; None: no failed attempt."""
