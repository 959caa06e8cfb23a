"""Tombstones of deleted runs, uploads, organisations and links: id and date of deletion."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

RUN = "run"
UPLOAD = "upload"
ORGANISATION = "organisation"
LINK = "link"
"""Kinds of deleted objects. For a link to a run, `subject` is the first half of the SHA-256 of its secret."""


class Tombstone(Base):
    """A deleted object, without its name and content."""

    __tablename__ = "tombstone"
    __table_args__ = (
        CheckConstraint("kind IN ('run', 'upload', 'organisation', 'link')", name="kind_known"),
    )

    subject: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    organisation_id: Mapped[UUID]
    was_public: Mapped[bool] = mapped_column(default=False, server_default=text("false"))
    """Whether readers with its address are shown that it was deleted."""
    deleted_at: Mapped[datetime]


def link_subject(secret_sha256: bytes) -> UUID:
    """Return the subject of a link's tombstone: the first half of the SHA-256 of its secret, as a UUID."""
    return UUID(bytes=secret_sha256[:16])
