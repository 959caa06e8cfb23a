"""An interval: counts of one stretch of time of one series, as differences, never running totals.

Its numbers are those that `domain.latency.interval` declares.

The table is partitioned by run id, whose leading bits are a time: one partition for each day on which runs
began, and a default one. Retention drops partitions. There is no foreign key to series: an interval is only
ever inserted by a statement that selects from series, and a check on each of 20,000 rows a second would cost
more than it gains.
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
            """Return the declared numbers."""

    pins: Mapped[bytes]
    """One little-endian unsigned 64-bit count for each threshold of the series: latencies at or above it."""
    histogram: Mapped[bytes | None]
    """Counts by bucket number as an HdrHistogram V2 payload, as sent; None for ticks and for intervals
    without operations. The layout of the series defines the bounds of a bucket: in layouts other than `hdr`
    the header of the payload has no meaning.
    """
    received_at: Mapped[datetime]


declare(IntervalRow, COLUMNS)
