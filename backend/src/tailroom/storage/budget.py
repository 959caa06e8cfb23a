"""Budgets of organisations: a row for each version, which never changes."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Integer, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class BudgetRow(Base):
    """A version of a budget. Runs are judged by the newest version of a name."""

    __tablename__ = "budget"
    __table_args__ = (
        CheckConstraint("version >= 1", name="version_counts"),
        CheckConstraint("octet_length(content_sha256) = 32", name="content_sha256_length"),
    )

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    document: Mapped[dict[str, Any]]
    """The budget document in its complete form, defaults written out."""
    applies_to: Mapped[list[str]] = mapped_column(ARRAY(Text))
    """Workloads whose runs are judged by it; empty: it is only for questions."""
    content_sha256: Mapped[bytes]
    """SHA-256 of document and workloads in canonical form, by which a repetition is recognised."""
    created_at: Mapped[datetime]
