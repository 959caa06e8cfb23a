"""Counters of changes, written only by processes of the version before during an upgrade.

A later version drops the table.
"""

from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class TableRevision(Base):
    """The number of changes to a table, by the table's name."""

    __tablename__ = "table_revision"

    name: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int]
