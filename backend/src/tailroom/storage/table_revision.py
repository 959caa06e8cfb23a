"""Revisions: counters of changes to tables that seldom change, incremented in the transactions that change
them.
"""

from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class TableRevision(Base):
    """One table; see `tailroom.kit.revisions`."""

    __tablename__ = "table_revision"

    name: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int]
