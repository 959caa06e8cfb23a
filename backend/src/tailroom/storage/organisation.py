"""Who owns what: every private row carries an organisation's id."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

LOCAL_ORGANISATION = "local"
"""Name of the organisation that owns what one machine measures for itself."""


class Organisation(Base):
    """An owner of runs, tokens and verdicts."""

    __tablename__ = "organisation"
    __table_args__ = (UniqueConstraint("name"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime]
