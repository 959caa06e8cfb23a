"""Slices: exact sums of the intervals of a histogram series over time, and how far they are computed.

An interval belongs to the minute, ten minutes and hour in which it starts; runs of earlier versions lack
ten-minute slices. The run's row of analysis_state is the lock for computing slices and judging the run.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Integer, text
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.domain.latency.interval import SLICE_COLUMNS
from tailroom.storage.base import Base, declare

MINUTE = "minute"
TEN_MINUTES = "ten"
HOUR = "hour"
RUN = "run"


class Slice(Base):
    """Sum of the intervals of a series that start inside a minute, ten minutes or an hour, or of all.

    `start_ns` is the start of its first interval, `duration_ns` the time from there to the latest end.
    """

    __tablename__ = "slice"
    __table_args__ = (CheckConstraint("width IN ('minute', 'ten', 'hour', 'run')", name="width_known"),)

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    series_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    width: Mapped[str] = mapped_column(primary_key=True)
    slice_no: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    organisation_id: Mapped[UUID]
    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a column of `SLICE_COLUMNS`, for type checkers only."""

    pins: Mapped[bytes]
    """One little-endian unsigned 64-bit count for each threshold of the series: latencies at or above it."""
    histogram: Mapped[bytes | None]
    """HdrHistogram V2, deflated; None without operations."""


declare(Slice, SLICE_COLUMNS)


class RollupState(Base):
    """The sequence number up to which the intervals of a series are in its slices; −1 for none."""

    __tablename__ = "rollup_state"

    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    series_no: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    organisation_id: Mapped[UUID]
    through_seq: Mapped[int]


class AnalysisState(Base):
    """State of the data from which the newest verdicts of a run were made."""

    __tablename__ = "analysis_state"
    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.run_id", ondelete="CASCADE"), primary_key=True)
    organisation_id: Mapped[UUID]
    method_version: Mapped[int] = mapped_column(Integer, default=0)
    """0 before the first analysis."""
    judged_intervals: Mapped[int] = mapped_column(default=0)
    """Number of intervals in the slices of the whole run at the judgement."""
    judged_state: Mapped[str | None]
    """State of the run at the judgement."""
    is_final: Mapped[bool] = mapped_column(default=False)
    """Whether the run was finished and complete at the judgement."""
    computed_at: Mapped[datetime | None]
    budgets_digest: Mapped[bytes | None]
    """Digest of the names and versions of the budgets that the run was judged by."""
    audit_version: Mapped[int] = mapped_column(Integer, default=0, server_default=text("0"))
    """Version of the plausibility checks that made the run's findings; 0: not audited yet."""
