"""Counters of changes that processes of the version before still write during an upgrade; nothing else uses
them, and a later version drops the table.
"""

from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class TableRevision(Base):
    """The number of changes to one table."""

    __tablename__ = "table_revision"

    name: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int]
