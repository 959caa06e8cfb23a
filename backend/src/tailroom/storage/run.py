"""A run: one execution of one workload on one configuration, as its agent announced it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

RUNNING = "running"
FINISHING = "finishing"
FINISHED = "finished"


class Run(Base):
    """State goes running → finishing (the agent is done, something is missing) → finished (everything is
    there).
    """

    __tablename__ = "run"
    __table_args__ = (
        CheckConstraint("state IN ('running', 'finishing', 'finished')", name="state_known"),
        CheckConstraint("outcome IN ('completed', 'stopped', 'failed', 'interrupted')", name="outcome_known"),
        Index("ix_run_organisation_id_started_at_run_id", "organisation_id", "started_at", "run_id"),
        Index("ix_run_state", "state", postgresql_where="state <> 'finished'"),
    )

    run_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"))
    title: Mapped[str]
    workload: Mapped[str]
    state: Mapped[str] = mapped_column(default=RUNNING)
    outcome: Mapped[str | None]
    outcome_reason: Mapped[str | None]
    started_at: Mapped[datetime]
    started_at_unix_ns: Mapped[int]
    planned_duration_ns: Mapped[int]
    measured_duration_ns: Mapped[int | None]
    agent: Mapped[dict[str, Any]]
    host: Mapped[dict[str, Any]]
    plan: Mapped[dict[str, Any]]
    content_sha256: Mapped[bytes]
    """Of the announcement, in canonical form: tells the same announcement from another one under the same
    id.
    """
    finish: Mapped[dict[str, Any] | None]
    """The finish message as it was taken: outcome, reason, duration_ns, last_seq."""
    stop_requested_at: Mapped[datetime | None]
    last_data_at: Mapped[datetime | None]
    """When the last new interval was stored."""
    data_through_ns: Mapped[int] = mapped_column(default=0)
    """Largest end of a stored interval, as offset from the start of the run."""
    created_at: Mapped[datetime]
