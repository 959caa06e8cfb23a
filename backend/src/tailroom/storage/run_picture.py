"""Stored API answers about finished runs ("pictures"), which take long to compute and do not change."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Integer, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class RunPicture(Base):
    """A stored API answer, valid while `judged_at`, `expired_classes` and `budget_count` are current."""

    __tablename__ = "run_picture"

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    """Name of a picture (`analysis.pictures`): `timeline`, `heatmap`, …"""
    organisation_id: Mapped[UUID]
    form: Mapped[bytes]
    """Digest of the method version and the picture's schema (`Picture.schema_digest`)."""
    judged_at: Mapped[datetime]
    """`computed_at` of the analysis behind it."""
    expired_classes: Mapped[int] = mapped_column(SmallInteger)
    """`Run.expired_classes` when it was made."""
    budget_count: Mapped[int] = mapped_column(Integer)
    """Number of stored budget versions of the organisation when it was made."""
    body: Mapped[bytes]
    """JSON."""
