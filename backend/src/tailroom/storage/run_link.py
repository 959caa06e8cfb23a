"""A secret link by which its holder reads one run, until it expires or its owner revokes it."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class RunLink(Base):
    """A secret link; of the secret in its address only the SHA-256 is stored."""

    __tablename__ = "run_link"
    __table_args__ = (Index("ix_run_link_secret_sha256", "secret_sha256"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    link_id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID]
    secret_sha256: Mapped[bytes]
    label: Mapped[str]
    """Text of the owner, such as the recipient."""
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
