"""Record of the last backup, for the operator of the installation."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class BackupMade(Base):
    """A completed backup: its time, sizes in bytes and missing files. Its location is not stored."""

    __tablename__ = "backup_made"

    made_at: Mapped[datetime] = mapped_column(primary_key=True)
    """Time of the data in the backup."""
    dump_bytes: Mapped[int]
    files_bytes: Mapped[int]
    files_missing: Mapped[int]
    """Uploaded files that were missing in the store."""
