"""Suggestions of organisations for the shared catalogue; a moderator decides."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

OPEN = "open"
ACCEPTED = "accepted"
REFUSED = "refused"
WITHDRAWN = "withdrawn"
TAKEN_BACK = "taken-back"
"""States: the organisation withdraws an open suggestion, a moderator takes an accepted one back."""
DRIVE = "drive"
FACT = "fact"
"""Kinds: a drive that an organisation has added; a fact about a shared item."""


class CatalogueSuggestion(Base):
    """A suggestion and its decision. An accepted suggestion outlives its organisation."""

    __tablename__ = "catalogue_suggestion"
    __table_args__ = (
        CheckConstraint(
            "state IN ('open', 'accepted', 'refused', 'withdrawn', 'taken-back')", name="state_known"
        ),
        CheckConstraint("kind IN ('drive', 'fact')", name="kind_known"),
        Index("ix_catalogue_suggestion_organisation_id", "organisation_id", "suggested_at"),
        Index("ix_catalogue_suggestion_state", "state", "suggested_at"),
    )

    suggestion_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID | None] = mapped_column(ForeignKey("organisation.id"))
    """None after the organisation was deleted."""
    kind: Mapped[str]
    slug: Mapped[str]
    """Slug of the item."""
    name: Mapped[str]
    """Name of the item, with its vendor."""
    facts: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    """Rows of facts that become visible to all organisations."""
    kept_back: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    """Facts of a suggested drive that only the organisation sees: prices."""
    suggested_by: Mapped[str]
    suggested_at: Mapped[datetime]
    state: Mapped[str]
    decided_by: Mapped[str | None]
    decided_at: Mapped[datetime | None]
    reason: Mapped[str | None]
