"""That a backup was made, so that whoever looks after the installation sees when the last one was."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class BackupMade(Base):
    """One backup that was written to its end. Where it is stays with whoever made it."""

    __tablename__ = "backup_made"

    made_at: Mapped[datetime] = mapped_column(primary_key=True)
    """The moment that it holds."""
    dump_bytes: Mapped[int]
    files_bytes: Mapped[int]
    files_missing: Mapped[int]
    """Uploaded files that the database names and the store did not have."""
