"""A series: latencies of one operation of a run, by host or device and by the way of timing (`clock`)."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Double, ForeignKey, Integer, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

TICK = "tick"
HISTOGRAM = "histogram"
STATEMENT = "statement"
"""Series without intervals: `statement` describes the whole run."""


class Series(Base):
    """Definition of a series, and the progress of its intervals."""

    __tablename__ = "series"
    __table_args__ = (
        CheckConstraint("kind IN ('tick', 'histogram', 'statement')", name="kind_known"),
        CheckConstraint("clock IN ('response', 'service', 'queue', 'operation')", name="clock_known"),
    )

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    series_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    organisation_id: Mapped[UUID]
    operation: Mapped[str]
    clock: Mapped[str]
    kind: Mapped[str]
    phase: Mapped[str]
    host: Mapped[str]
    device: Mapped[str | None]
    """Measured device; None: all devices together."""
    layout: Mapped[dict[str, Any] | None]
    """Buckets of the histograms, as a document of domain.latency.layouts."""
    pin_thresholds_ns: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    target_rate_per_s: Mapped[float | None] = mapped_column(Double)
    """Intended operations per second; None if not stated."""
    contiguous_seq: Mapped[int] = mapped_column(default=-1)
    """Highest sequence number up to which every interval is stored; −1 for none."""
    max_seq: Mapped[int] = mapped_column(default=-1)
    """Highest stored sequence number; −1 for none."""
    received: Mapped[int] = mapped_column(default=0)
    """Number of intervals ever stored; `max_seq + 1` without gaps."""
    statement: Mapped[dict[str, Any] | None]
    """A distribution document (domain.latency.document), for series without intervals."""
    semantics: Mapped[str | None]
    """Definition of the measured time and of the buckets, as text."""
    source_name: Mapped[str | None]
    """Name of the series in the file."""
    target_count: Mapped[int | None]
    """Intended operations of an uploaded series; those of agents are in the intervals."""
    missing_intervals: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    """Number of numbered intervals that are missing in an uploaded file."""
    printed: Mapped[list[dict[str, Any]]] = mapped_column(
        JSONB, default=list, server_default=text("'[]'::jsonb")
    )
    """Latencies printed in an uploaded file: `{quantity, printed, quantile, line}`; only shown."""
    periods: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB(none_as_null=True))
    """Consecutive periods with quantiles only, as runs.schemas.PeriodOut; only shown."""
