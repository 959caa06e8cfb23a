"""Editions of the leaderboard. A row is written once and never changed."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Integer
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class BoardEdition(Base):
    """The public board as it was at one moment."""

    __tablename__ = "board_edition"
    __table_args__ = (CheckConstraint("octet_length(content_sha256) = 32", name="content_sha256_length"),)

    name: Mapped[str] = mapped_column(primary_key=True)
    """Year and quarter, such as `2026-Q4`."""
    made_at: Mapped[datetime]
    method_version: Mapped[int] = mapped_column(Integer)
    row_count: Mapped[int] = mapped_column(Integer)
    content: Mapped[bytes]
    """The answer of the API as JSON, byte for byte."""
    content_sha256: Mapped[bytes]
