"""Tokens that let an agent write or a viewer read. The token itself is not stored, only its SHA-256."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class AccessToken(Base):
    """One token of one organisation. A revoked token stays, so that its use can be explained later."""

    __tablename__ = "access_token"
    __table_args__ = (
        UniqueConstraint("token_sha256"),
        CheckConstraint("scope IN ('agent', 'viewer')", name="scope_known"),
        CheckConstraint("octet_length(token_sha256) = 32", name="token_sha256_length"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), index=True)
    name: Mapped[str]
    scope: Mapped[str]
    token_sha256: Mapped[bytes]
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
