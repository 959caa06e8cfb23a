"""Questions, shortlists, drives and runs that a person saved."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class SavedItemRow(Base):
    """A saved page of Tailroom, by its address."""

    __tablename__ = "saved_item"
    __table_args__ = (
        CheckConstraint("kind IN ('question', 'shortlist', 'drive', 'run')", name="kind_known"),
    )

    person_id: Mapped[UUID] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), primary_key=True)
    address: Mapped[str] = mapped_column(primary_key=True)
    """Path and query, without the host."""
    kind: Mapped[str]
    title: Mapped[str]
    saved_at: Mapped[datetime]
