"""Objections of accounts to public tests of drives; a moderator answers and publishes them, or refuses."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

OPEN = "open"
PUBLISHED = "published"
REFUSED = "refused"
WITHDRAWN = "withdrawn"
"""States. Other organisations see an objection only while it is published, with its answer."""


class Objection(Base):
    """An objection and its answer. A published objection outlives its organisation."""

    __tablename__ = "objection"
    __table_args__ = (
        CheckConstraint("state IN ('open', 'published', 'refused', 'withdrawn')", name="state_known"),
        CheckConstraint("state <> 'published' OR answer IS NOT NULL", name="published_has_answer"),
        Index("ix_objection_drive_slug", "drive_slug", "made_at"),
        Index("ix_objection_organisation_id", "organisation_id"),
    )

    objection_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID | None] = mapped_column(ForeignKey("organisation.id"))
    """None after the organisation was deleted."""
    drive_slug: Mapped[str]
    test_id: Mapped[str]
    """Id of the test, which may have been withdrawn."""
    about: Mapped[str]
    """The load and the source of the test, as they were."""
    reason: Mapped[str]
    made_by: Mapped[str]
    """Shown only to the organisation and to moderators."""
    made_at: Mapped[datetime]
    state: Mapped[str]
    answer: Mapped[str | None]
    decided_by: Mapped[str | None]
    decided_at: Mapped[datetime | None]
