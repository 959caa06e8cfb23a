"""An interval: counts of a period of a series, as differences; columns as of `domain.latency.interval`.

The table has a partition for each day, by the time in the run id, and a default partition. Retention drops
partitions. There is no foreign key to series, because the check would cost too much at 20,000 rows a second.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.domain.latency.interval import COLUMNS
from tailroom.storage.base import Base, declare


class IntervalRow(Base):
    """Interval of one series; never changed once stored."""

    __tablename__ = "interval"
    __table_args__ = {"postgresql_partition_by": "RANGE (run_id)"}  # noqa: RUF012

    run_id: Mapped[UUID] = mapped_column(primary_key=True)
    series_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    organisation_id: Mapped[UUID]
    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a column of `COLUMNS`, for type checkers only."""

    pins: Mapped[bytes]
    """One little-endian unsigned 64-bit count for each threshold of the series: latencies at or above it."""
    histogram: Mapped[bytes | None]
    """Counts by bucket number as an HdrHistogram V2 payload; None for a `tick` series and without operations.

    Bounds of buckets follow from the layout of the series, not from the header of the payload.
    """
    received_at: Mapped[datetime]


declare(IntervalRow, COLUMNS)
