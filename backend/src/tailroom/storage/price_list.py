"""Price list of an organisation: price, power and endurance by drive and capacity."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, Double, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base


class PriceListRow(Base):
    """Price of one drive in one capacity, as an organisation stated it. A later entry replaces it."""

    __tablename__ = "price_list"
    __table_args__ = (
        CheckConstraint("price > 0", name="price_is_positive"),
        CheckConstraint("per = 'hour'", name="per_known"),
    )

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    drive_slug: Mapped[str] = mapped_column(primary_key=True)
    capacity_bytes: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """0: every capacity."""
    price: Mapped[float] = mapped_column(Double)
    currency: Mapped[str]
    """ISO 4217."""
    per: Mapped[str | None]
    """`hour`: price of an hour's rent; None: price of purchase."""
    power_w: Mapped[float | None] = mapped_column(Double)
    """Electrical power of a drive, in watts; None if not stated."""
    dwpd: Mapped[float | None] = mapped_column(Double)
    """Drive writes per day."""
    stated_on: Mapped[date]
    source: Mapped[str]
    stored_at: Mapped[datetime]
