"""Counters of changes, written only by the previous version during an upgrade."""

from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class TableRevision(Base):
    """The number of changes to a table, by the table's name."""

    __tablename__ = "table_revision"

    name: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int]
