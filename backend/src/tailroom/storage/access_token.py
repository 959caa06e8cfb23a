"""Access tokens, and the browser sessions and short tokens that were made with them.

Only the SHA-256 of a token is stored. An enrolled agent has a key instead of a token.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ColumnElement, ForeignKey, UniqueConstraint, and_, or_
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class AccessToken(Base):
    """A token of an organisation with its scope. The row of a revoked token stays."""

    __tablename__ = "access_token"
    __table_args__ = (
        UniqueConstraint("token_sha256"),
        CheckConstraint("scope IN ('agent', 'viewer', 'engineer')", name="scope_known"),
        CheckConstraint("octet_length(token_sha256) = 32", name="token_sha256_length"),
        CheckConstraint("octet_length(public_key) = 32", name="public_key_length"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), index=True)
    name: Mapped[str]
    scope: Mapped[str]
    token_sha256: Mapped[bytes]
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None]
    public_key: Mapped[bytes | None]
    """Ed25519 public key, whose holder signs requests for short tokens; such a credential has no token."""
    last_proof_ns: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    """Time in the last accepted signature, in Unix ns; earlier or equal times are refused."""
    issuer_id: Mapped[UUID | None] = mapped_column(index=True)
    """Person or token that issued it, with whose right it ends (`access.issuance`). None: the operator."""

    def is_valid(self, now: datetime) -> bool:
        """Return whether it is neither revoked nor expired at `now`."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)

    @classmethod
    def valid_at(cls, now: datetime | ColumnElement[datetime]) -> ColumnElement[bool]:
        """Return the query condition that a token is neither revoked nor expired at a time."""
        return and_(cls.revoked_at.is_(None), or_(cls.expires_at.is_(None), cls.expires_at > now))


class BrowserSession(Base):
    """A browser that is signed in, or a short token of an agent with a key. Signing out deletes the row."""

    __tablename__ = "browser_session"
    __table_args__ = (CheckConstraint("octet_length(session_sha256) = 32", name="session_sha256_length"),)

    session_sha256: Mapped[bytes] = mapped_column(primary_key=True)
    """SHA-256 of the value of the cookie, or of the short token."""
    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"))
    token_id: Mapped[UUID] = mapped_column(ForeignKey("access_token.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
