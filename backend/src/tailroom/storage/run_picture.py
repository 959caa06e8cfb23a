"""Pictures of finished runs, as the API sends them: made once, because they take long and do not change."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Integer, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class RunPicture(Base):
    """Stored picture of a run, valid while the state that it names is current."""

    __tablename__ = "run_picture"

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    """Name of a picture (`analysis.pictures`): `timeline`, `heatmap`, …"""
    organisation_id: Mapped[UUID]
    form: Mapped[bytes]
    """Hash of the method and of the picture's schema."""
    judged_at: Mapped[datetime]
    """`computed_at` of the analysis that it was made after."""
    expired_classes: Mapped[int] = mapped_column(SmallInteger)
    """How much retention had taken of the run."""
    budget_count: Mapped[int] = mapped_column(Integer)
    """Versions of budgets that the organisation had: they are only ever added."""
    body: Mapped[bytes]
    """JSON."""
