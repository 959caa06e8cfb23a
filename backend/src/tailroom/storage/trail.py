"""Audit trail of an organisation. Rows are added and never changed; each has the hash of its predecessor."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class TrailEvent(Base):
    """An event of the audit trail: who did what to which subject.

    `before` and `after` are its values around the action, None if it has none. The database role of
    organisations may only read and add rows.
    """

    __tablename__ = "trail_event"
    __table_args__ = (
        CheckConstraint("actor_kind IN ('person', 'token', 'local', 'operator')", name="actor_kind_known"),
        CheckConstraint("octet_length(previous_sha256) = 32", name="previous_sha256_length"),
        CheckConstraint("octet_length(sha256) = 32", name="sha256_length"),
    )

    organisation_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Number of the event in its trail, from 1, without gaps."""
    happened_at: Mapped[datetime]
    actor_kind: Mapped[str]
    actor: Mapped[str]
    """E-mail address of a person, or name of a token."""
    actor_id: Mapped[UUID | None]
    address: Mapped[str]
    """Network address of the actor."""
    action: Mapped[str]
    subject: Mapped[str]
    before: Mapped[dict[str, Any] | None]
    after: Mapped[dict[str, Any] | None]
    previous_sha256: Mapped[bytes]
    """SHA-256 of the event before; 32 zero bytes for the first."""
    sha256: Mapped[bytes]
    """SHA-256 of everything above."""
