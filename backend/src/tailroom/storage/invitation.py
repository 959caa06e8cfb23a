"""An invitation to an organisation, for one mailbox and one use, until it expires or is revoked."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base
from tailroom.storage.person import ROLES_KNOWN


class Invitation(Base):
    """An invitation; of the code in its link only the SHA-256 is stored."""

    __tablename__ = "invitation"
    __table_args__ = (
        Index("ix_invitation_code_sha256", "code_sha256"),
        CheckConstraint(ROLES_KNOWN, name="role_known"),
        CheckConstraint("octet_length(code_sha256) = 32", name="code_sha256_length"),
    )

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    invitation_id: Mapped[UUID] = mapped_column(primary_key=True)
    code_sha256: Mapped[bytes]
    email: Mapped[str]
    role: Mapped[str]
    invited_by: Mapped[str]
    """E-mail address of the inviting member, or another name to show."""
    issuer_id: Mapped[UUID | None] = mapped_column(index=True)
    """The inviting person, with whose right it ends (`access.issuance`); None: the operator."""
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    accepted_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
