"""Queries for the series, intervals and slices of one run."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from psycopg.errors import LockNotAvailable
from sqlalchemy import ARRAY, BigInteger, and_, any_, func, literal, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from tailroom.domain.latency.interval import COLUMNS, SLICE_COLUMNS
from tailroom.kit.db import psycopg_connection
from tailroom.kit.raw_rows import read_rows
from tailroom.kit.transactions import ChangedMeanwhile, Transactions, same_transaction
from tailroom.records.columns import stored_sql
from tailroom.records.slice_columns import SliceColumns, with_unreliable_counts
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.storage.series import HISTOGRAM, STATEMENT, Series
from tailroom.storage.slices import RUN, AnalysisState, RollupState, Slice

_INTERVAL_NUMBERS, _SLICE_NUMBERS = stored_sql(COLUMNS), stored_sql(SLICE_COLUMNS)
_THROUGH_SEQ = func.coalesce(RollupState.through_seq, -1)
_STATE_OF_SERIES = and_(RollupState.run_id == Series.run_id, RollupState.series_no == Series.series_no)

_HISTOGRAMS = (
    "SELECT seq, histogram FROM interval WHERE run_id = %(run_id)s AND series_no = %(series_no)s"
    " AND seq > %(after)s AND seq <= %(through)s ORDER BY seq LIMIT %(most)s"
)


class SlicesVanished(RuntimeError):
    """Slices were removed between two reads of the same series: a retry helps."""


def measured_series(
    session: Session, run_id: UUID, kinds: Sequence[str] = (HISTOGRAM, STATEMENT)
) -> list[tuple[Series, int]]:
    """Return a run's series of these kinds, by number, each with its last number in slices (−1: none). Series
    that the session has loaded are read again.
    """
    rows = session.execute(
        select(Series, _THROUGH_SEQ)
        .outerjoin(RollupState, _STATE_OF_SERIES)
        .where(Series.run_id == run_id, Series.kind.in_(kinds))
        .order_by(Series.series_no)
        .execution_options(populate_existing=True)
    )
    return [(series, through) for series, through in rows]


def ends_of_series(session: Session, run_ids: Sequence[UUID]) -> dict[UUID, list[tuple[int, int, int]]]:
    """Return by run id the number of each histogram series, its last sequence number in slices (−1: none),
    and its number of received intervals.
    """
    ends: dict[UUID, list[tuple[int, int, int]]] = {}
    rows = session.execute(
        select(Series.run_id, Series.series_no, _THROUGH_SEQ, Series.received)
        .outerjoin(RollupState, _STATE_OF_SERIES)
        .where(Series.run_id.in_(run_ids), Series.kind == HISTOGRAM)
        .order_by(Series.run_id, Series.series_no)
    )
    for run_id, series_no, through_seq, received in rows:
        ends.setdefault(run_id, []).append((series_no, through_seq, int(received)))
    return ends


def measured_operations(session: Session, run_ids: Sequence[UUID]) -> dict[UUID, tuple[str, ...]]:
    """Return by run id the sorted names of the measured operations: those of statements, and those of
    histogram series with any rolled-up operation, even a failed one.
    """
    columns = Slice.__table__.c
    counted = columns.count + columns.errors + columns.timeouts + columns.unfinished
    rows = session.execute(
        select(Series.run_id, Series.operation)
        .outerjoin(
            Slice,
            and_(Slice.run_id == Series.run_id, Slice.series_no == Series.series_no, Slice.width == RUN),
        )
        .where(
            Series.run_id.in_(run_ids),
            or_(Series.kind == STATEMENT, and_(Series.kind == HISTOGRAM, counted > 0)),
        )
        .group_by(Series.run_id, Series.operation)
        .order_by(Series.run_id, Series.operation)
    )
    operations: dict[UUID, tuple[str, ...]] = {}
    for run_id, operation in rows:
        operations[run_id] = (*operations.get(run_id, ()), operation)
    return operations


def series_of_kind(session: Session, run_id: UUID, kind: str) -> list[Series]:
    """Return the series of a run of one kind, in order of their numbers."""
    return list(
        session.scalars(
            select(Series).where(Series.run_id == run_id, Series.kind == kind).order_by(Series.series_no)
        )
    )


def intervals_between(
    session: Session, series: Series, after_seq: int, through_seq: int, *, with_histograms: bool = True
) -> SliceColumns:
    """Return the intervals of a series in `(after_seq, through_seq]` in order; without `with_histograms`
    every histogram is None. Raise SlicesVanished if intervals were removed between the reads.
    """
    thresholds_ns = list(series.pin_thresholds_ns)
    numbers, pins = read_rows(
        session,
        f"SELECT {_INTERVAL_NUMBERS}, pins FROM interval WHERE run_id = %(run_id)s"  # noqa: S608 - our names
        " AND series_no = %(series_no)s AND seq > %(after)s AND seq <= %(through)s ORDER BY seq",
        {**_key(series), "after": after_seq, "through": through_seq},
        len(COLUMNS),
        len(thresholds_ns),
    )
    columns = dict(zip((column.name for column in COLUMNS), numbers, strict=True))
    size = numbers.shape[1]
    histograms: tuple[bytes | None, ...] = (None,) * size
    if with_histograms:
        chunks = interval_histograms(same_transaction(session), series, through_seq, after_seq)
        histograms = tuple(payload for chunk in chunks for payload in chunk)
    if len(histograms) != size:
        raise SlicesVanished(
            f"series {series.series_no} of run {series.run_id} had {size} intervals, now {len(histograms)}"
        )
    return SliceColumns(with_unreliable_counts(columns, thresholds_ns), pins, histograms)


def _key(series: Series) -> dict[str, Any]:
    """Return the key of a series as query parameters."""
    return {"run_id": series.run_id, "series_no": series.series_no}


class IntervalSpan(NamedTuple):
    """Number of the stored intervals of a series, and of those (`inside`) that begin in a period."""

    stored: int
    inside: int
    after_seq: int
    """Sequence number before the first interval in the period; −1 if there is none."""
    last_seq: int
    """Sequence number of the last interval in the period; −1 if there is none."""


def interval_span(session: Session, series: Series, from_ns: int, to_ns: int | None) -> IntervalSpan:
    """Return how many intervals are stored, and which begin in `[from_ns, to_ns)` of the run (None: end)."""
    start_ns = IntervalRow.__table__.c.start_ns
    inside = and_(start_ns >= from_ns, *(() if to_ns is None else (start_ns < to_ns,)))
    stored, count, first, last = session.execute(
        select(
            func.count(),
            func.count().filter(inside),
            func.min(IntervalRow.seq).filter(inside),
            func.max(IntervalRow.seq).filter(inside),
        ).where(IntervalRow.run_id == series.run_id, IntervalRow.series_no == series.series_no)
    ).one()
    return IntervalSpan(stored, count, -1, -1) if not count else IntervalSpan(stored, count, first - 1, last)


def has_intervals(session: Session, series: Sequence[Series]) -> bool:
    """Return whether intervals of any of these series, all of one run, are stored; False without series."""
    if not series:
        return False
    numbers = [row.series_no for row in series]
    stored = select(IntervalRow.seq).where(
        IntervalRow.run_id == series[0].run_id, IntervalRow.series_no.in_(numbers)
    )
    return bool(session.scalar(select(stored.exists())))


def interval_histograms(
    transactions: Transactions, series: Series, through_seq: int, after_seq: int = -1, *, chunk: int = 2_000
) -> Iterator[Sequence[bytes | None]]:
    """Yield lists of up to `chunk` packed histograms (or None) of the intervals in `(after_seq,
    through_seq]`, each read in a transaction of its own.
    """
    after, size = after_seq, chunk
    while size == chunk:
        parameters = {**_key(series), "after": after, "through": through_seq, "most": chunk}
        with transactions() as session:
            session.flush()
            with psycopg_connection(session).cursor(binary=True) as cursor:
                rows = cursor.execute(_HISTOGRAMS, parameters).fetchall()
        size = len(rows)
        if rows:
            after = rows[-1][0]
            yield [histogram for _, histogram in rows]


def slice_histograms(
    transactions: Transactions, series: Series, width: str, numbers: Sequence[int], *, chunk: int = 2_000
) -> Iterator[Sequence[bytes | None]]:
    """Yield lists of the packed histograms (or None) of the existing slices of each `chunk` numbers, in order
    of time, each read in a transaction of its own.
    """
    for begin in range(0, len(numbers), chunk):
        query = (
            select(Slice.histogram)
            .where(
                Slice.run_id == series.run_id,
                Slice.series_no == series.series_no,
                Slice.width == width,
                Slice.slice_no == any_(literal(list(numbers[begin : begin + chunk]), ARRAY(BigInteger))),
            )
            .order_by(Slice.slice_no)
        )
        with transactions() as session:
            payloads = session.scalars(query).all()
        yield payloads


def load_slice_columns(
    session: Session,
    series: Series,
    width: str,
    numbers: Sequence[int] | None = None,
    *,
    with_histograms: bool = True,
) -> tuple[list[int], SliceColumns]:
    """Return numbers and columns of the stored slices of one width in order of time, of those in `numbers`
    (None: all). One statement reads both, because slices of a live run change between statements.
    """
    words = len(series.pin_thresholds_ns)
    selected = None if numbers is None else list(numbers)
    parameters = {**_key(series), "width": width, "numbers": selected}
    columns = 1 + len(SLICE_COLUMNS)
    if with_histograms:
        with psycopg_connection(session).cursor(binary=True) as cursor:
            rows = cursor.execute(_slice_query(", histogram"), parameters).fetchall()
        table = np.array([row[:columns] for row in rows], dtype=np.int64).reshape(len(rows), columns).T
        packed_pins = b"".join(row[columns] for row in rows)
        pins = np.frombuffer(packed_pins, dtype="<i8").astype(np.int64).reshape(len(rows), words)
        histograms = tuple(row[-1] for row in rows)
    else:
        table, pins = read_rows(session, _slice_query(), parameters, columns, words)
        histograms = (None,) * table.shape[1]
    by_name = dict(zip((column.name for column in SLICE_COLUMNS), table[1:], strict=True))
    return table[0].tolist(), SliceColumns(by_name, pins, histograms)


def _slice_query(more_columns: str = "") -> str:
    """Return the query of slices of one width. `more_columns` is SQL after the pins, with a leading comma."""
    return (
        f"SELECT slice_no, {_SLICE_NUMBERS}, pins{more_columns} FROM slice"  # noqa: S608 - our names
        " WHERE run_id = %(run_id)s AND series_no = %(series_no)s AND width = %(width)s"
        " AND (%(numbers)s::bigint[] IS NULL OR slice_no = ANY(%(numbers)s)) ORDER BY slice_no"
    )


def ensure_state(session: Session, run_id: UUID) -> bool:
    """Insert an unjudged analysis state of a run unless it has one; return whether the run exists."""
    organisation_id = session.scalar(select(Run.organisation_id).where(Run.run_id == run_id))
    if organisation_id is None:
        return False
    values = {"run_id": run_id, "organisation_id": organisation_id}
    new = insert(AnalysisState).values(**values, method_version=0, judged_intervals=0, is_final=False)
    session.execute(new.on_conflict_do_nothing())
    return True


def hold_state(session: Session, run_id: UUID) -> AnalysisState:
    """Lock the analysis state of a run until this transaction ends, and return it. Raise RunInUse if it is
    locked, or gone because the run is being re-read or was deleted.
    """
    query = select(AnalysisState).where(AnalysisState.run_id == run_id).with_for_update(nowait=True)
    try:
        state = session.scalar(query.execution_options(populate_existing=True))
    except OperationalError as error:
        if isinstance(error.orig, LockNotAvailable):
            raise RunInUse(f"another process works on run {run_id}") from None
        raise
    if state is None:
        raise RunInUse(f"the analysis of run {run_id} has gone")
    return state


class RunInUse(ChangedMeanwhile):
    """Another process changes the run at the same time; nothing was written."""


def watermark_of(session: Session, series: Series) -> int:
    """Return the last sequence number of a series that is rolled up (added to slices); −1: none."""
    query = select(RollupState.through_seq).where(
        RollupState.run_id == series.run_id, RollupState.series_no == series.series_no
    )
    watermark = session.scalar(query)
    return -1 if watermark is None else watermark


def store_watermark(session: Session, series: Series, through_seq: int) -> None:
    """Store the last sequence number of a series that is rolled up, in place of the previous number."""
    statement = insert(RollupState).values(
        **_key(series), organisation_id=series.organisation_id, through_seq=through_seq
    )
    session.execute(
        statement.on_conflict_do_update(
            index_elements=("run_id", "series_no"), set_={"through_seq": statement.excluded.through_seq}
        )
    )
