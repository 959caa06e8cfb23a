"""Quotas of organisations, as set by the operator of the installation."""

from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class Quota(Base):
    """Limits of an organisation; null or a missing row: no limit."""

    __tablename__ = "quota"
    __table_args__ = (
        CheckConstraint(
            "least(runs, stored_bytes, uploads_per_day, agents, requests_per_minute) >= 0",
            name="limits_count",
        ),
    )

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    runs: Mapped[int | None]
    stored_bytes: Mapped[int | None]
    """Bytes of uploaded files."""
    uploads_per_day: Mapped[int | None]
    agents: Mapped[int | None]
    """Number of enrolled agents, without removed agents."""
    requests_per_minute: Mapped[int | None]
    """Requests a minute in each API process, without those of agents that send results."""
