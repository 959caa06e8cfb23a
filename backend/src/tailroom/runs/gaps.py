"""Missing intervals of a series, and the sequence number up to which it is complete.

A gap exists below the highest stored sequence number and, once the run has been finished, below the last
number in the finish message. Only series whose counters show a gap are read in detail.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tailroom.storage.interval import IntervalRow

RANGES_NAMED = 1000
"""Most missing ranges of one series in an answer; the others follow when these have been filled."""


class SeriesProgress(Protocol):
    """Progress of a series in ingest. `contiguous_seq` is the last sequence number before the first missing
    interval, `max_seq` the highest stored number; −1: none.
    """

    @property
    def run_id(self) -> UUID: ...
    @property
    def series_no(self) -> int: ...
    @property
    def contiguous_seq(self) -> int: ...
    @property
    def max_seq(self) -> int: ...


class Gap(NamedTuple):
    """Missing sequence numbers of one series, both ends included."""

    series: int
    from_seq: int
    to_seq: int


def missing_ranges(
    session: Session, series: Sequence[SeriesProgress], last_seq: Mapping[int, int] | None
) -> list[Gap]:
    """Return the missing ranges of the given series of one run, sorted by series and number.

    `last_seq` has the last sequence number of each series by the finish message; it is None before that
    message. A series that only `last_seq` names is missing completely. At most `RANGES_NAMED` gaps between
    stored intervals of a series are returned.
    """
    ends = dict(last_seq or {})
    gaps: list[Gap] = []
    for row in series:
        end = max(row.max_seq, ends.pop(row.series_no, -1))
        if row.contiguous_seq >= end:
            continue
        if row.max_seq > row.contiguous_seq:
            gaps.extend(_inner_gaps(session, row))
        if end > row.max_seq:
            gaps.append(Gap(row.series_no, row.max_seq + 1, end))
    gaps.extend(Gap(number, 0, end) for number, end in ends.items() if end >= 0)
    return sorted(_merged(gaps))


def contiguous_after(session: Session, run_id: UUID, series_no: int, contiguous_seq: int) -> int:
    """Return the last sequence number before the first gap above `contiguous_seq`.

    That is `contiguous_seq` itself if the next number is missing.
    """
    # The n-th stored number above it is `contiguous_seq` plus n as long as none is missing.
    above = (
        select(
            IntervalRow.seq,
            (IntervalRow.seq - func.row_number().over(order_by=IntervalRow.seq)).label("island"),
        )
        .where(
            IntervalRow.run_id == run_id, IntervalRow.series_no == series_no, IntervalRow.seq > contiguous_seq
        )
        .subquery()
    )
    highest = session.scalar(select(func.max(above.c.seq)).where(above.c.island == contiguous_seq))
    return contiguous_seq if highest is None else int(highest)


def _inner_gaps(session: Session, series: SeriesProgress) -> list[Gap]:
    """Return the first gaps between stored intervals above `contiguous_seq`, at most `RANGES_NAMED`."""
    previous = func.lag(IntervalRow.seq, 1, series.contiguous_seq).over(order_by=IntervalRow.seq)
    pairs = (
        select(IntervalRow.seq, previous.label("previous"))
        .where(
            IntervalRow.run_id == series.run_id,
            IntervalRow.series_no == series.series_no,
            IntervalRow.seq > series.contiguous_seq,
        )
        .subquery()
    )
    query = (
        select(pairs.c.previous + 1, pairs.c.seq - 1)
        .where(pairs.c.seq > pairs.c.previous + 1)
        .order_by(pairs.c.seq)
        .limit(RANGES_NAMED)
    )
    return [Gap(series.series_no, start, end) for start, end in session.execute(query)]


def _merged(gaps: Sequence[Gap]) -> list[Gap]:
    """Return the sorted ranges; ranges of a series that touch or overlap become one."""
    merged: list[Gap] = []
    for gap in sorted(gaps):
        if merged and merged[-1].series == gap.series and merged[-1].to_seq + 1 >= gap.from_seq:
            merged[-1] = Gap(gap.series, merged[-1].from_seq, max(merged[-1].to_seq, gap.to_seq))
        else:
            merged.append(gap)
    return merged
