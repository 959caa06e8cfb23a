"""A series: one operation on one clock of one host or device inside a run, either live ticks or
histograms.
"""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Double, ForeignKey, Integer, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

TICK = "tick"
HISTOGRAM = "histogram"
STATEMENT = "statement"
"""Series without intervals: a statement about the whole run is in `statement`."""


class Series(Base):
    """Definition of a series and how far its intervals have arrived."""

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
    layout: Mapped[dict[str, Any] | None]
    """Buckets of the histograms: `{"t": "hdr", "unit_ns", "significant_digits"}`, or `pow2` and `explicit` as
    domain.latency.layouts writes them. In every layout a payload holds counts by bucket number.
    """
    pin_thresholds_ns: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    target_rate_per_s: Mapped[float | None] = mapped_column(Double)
    contiguous_seq: Mapped[int] = mapped_column(default=-1)
    """Highest sequence number up to which every interval is stored; −1 for none."""
    max_seq: Mapped[int] = mapped_column(default=-1)
    """Highest sequence number that is stored; −1 for none. Larger than contiguous_seq where there is a gap.
    """
    received: Mapped[int] = mapped_column(default=0)
    """How many intervals were ever stored; equals max_seq + 1 exactly when there is no gap."""
    statement: Mapped[dict[str, Any] | None]
    """A distribution document (domain.latency.document), for records without intervals: published
    percentiles, a table of shares, one histogram of a run.
    """
    semantics: Mapped[str | None]
    """The time that was measured, in words, and the rule by which values fall into buckets."""
    source_name: Mapped[str | None]
    """How the file itself calls the series."""
    target_count: Mapped[int | None]
    """Of an uploaded series: operations that the schedule intended; those of agents are in the intervals."""
    missing_intervals: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    """Of an uploaded series: numbered intervals that are missing in the file."""
    printed: Mapped[list[dict[str, Any]]] = mapped_column(
        JSONB, default=list, server_default=text("'[]'::jsonb")
    )
    """Latencies as the tool of an uploaded file prints them: `{quantity, printed, quantile, line}`, as claims
    of `importers.parsed_run`. Shown beside what the series supports, never calculated with.
    """
    periods: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB(none_as_null=True))
    """Consecutive intervals of which only statements are known, as runs.schemas.PeriodOut; shown, and
    never added up.
    """
