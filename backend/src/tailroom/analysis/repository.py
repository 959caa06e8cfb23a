"""What the analysis reads and writes. Every query names one run, found through its organisation or a task."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import (
    ColumnElement,
    LargeBinary,
    Text,
    Uuid,
    and_,
    case,
    column,
    delete,
    func,
    literal,
    or_,
    select,
    values,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.analysis.pieces import NUMBERS, UNKNOWN, Pieces, pieces_of, with_doubts
from tailroom.budgets.service import WorkloadDigests
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.storage.interval import Interval
from tailroom.storage.run import FINISHED, Run
from tailroom.storage.series import HISTOGRAM, STATEMENT, Series
from tailroom.storage.slices import RUN, AnalysisState, RollupState, Slice
from tailroom.storage.verdicts import VerdictRow

_OF_INTERVALS: dict[str, ColumnElement[Any]] = {
    "interval_count": literal(1),
    "busy_ppm": literal(0),
    "late_intervals": literal(0),
    "busy_intervals": literal(0),
    "doubtful_intervals": literal(0),
}
"""Numbers that intervals have no column for; all but the first are calculated when they are read."""
_INTERVAL_COLUMNS = tuple(
    _OF_INTERVALS[name] if name in _OF_INTERVALS else getattr(Interval, name) for name in NUMBERS
)
_SLICE_COLUMNS = tuple(getattr(Slice, name) for name in NUMBERS)


def lock_analysis(session: Session, run_id: UUID) -> tuple[Run, AnalysisState] | None:
    """The run and its analysis, which nobody else rolls up or judges until this transaction ends.

    None when there is no such run.
    """
    run = session.get(Run, run_id)
    if run is None:
        return None
    session.execute(
        insert(AnalysisState)
        .values(
            run_id=run_id,
            organisation_id=run.organisation_id,
            method_version=0,
            judged_intervals=0,
            is_final=False,
        )
        .on_conflict_do_nothing()
    )
    state = session.scalars(
        select(AnalysisState)
        .where(AnalysisState.run_id == run_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).one()
    # Read again under the lock: the run may have ended while another task held it.
    session.refresh(run)
    return run, state


def histogram_series(session: Session, run_id: UUID) -> list[tuple[Series, int]]:
    """Histogram series of a run and up to which sequence number they are rolled up."""
    return _with_watermarks(session, run_id, (HISTOGRAM,))


def measured_series(session: Session, run_id: UUID) -> list[tuple[Series, int]]:
    """Every series that holds latencies: histograms with how far they are rolled up, and statements."""
    return _with_watermarks(session, run_id, (HISTOGRAM, STATEMENT))


def _with_watermarks(session: Session, run_id: UUID, kinds: Sequence[str]) -> list[tuple[Series, int]]:
    rows = session.execute(
        select(Series, func.coalesce(RollupState.through_seq, -1))
        .outerjoin(
            RollupState, and_(RollupState.run_id == Series.run_id, RollupState.series_no == Series.series_no)
        )
        .where(Series.run_id == run_id, Series.kind.in_(kinds))
        .order_by(Series.series_no)
        .execution_options(populate_existing=True)
    )
    return [(series, through) for series, through in rows]


def series_of_kind(session: Session, run_id: UUID, kind: str) -> list[Series]:
    """Series of one kind in order of their numbers."""
    return list(
        session.scalars(
            select(Series).where(Series.run_id == run_id, Series.kind == kind).order_by(Series.series_no)
        )
    )


def intervals_between(
    session: Session, series: Series, after_seq: int, through_seq: int, *, with_histograms: bool = True
) -> Pieces:
    """Intervals of a series in `(after_seq, through_seq]`, in order of their sequence numbers."""
    histogram: ColumnElement[Any] = Interval.histogram if with_histograms else literal(None)  # type: ignore[assignment]
    rows = session.execute(
        select(*_INTERVAL_COLUMNS, Interval.pins, histogram, Interval.busy_ns)
        .where(
            Interval.run_id == series.run_id,
            Interval.series_no == series.series_no,
            Interval.seq > after_seq,
            Interval.seq <= through_seq,
        )
        .order_by(Interval.seq)
    ).all()
    pieces = pieces_of(rows, len(series.pin_thresholds_ns))
    busy_ns = np.array([UNKNOWN if row[-1] is None else row[-1] for row in rows], dtype=np.int64)
    return with_doubts(pieces, busy_ns, min(series.pin_thresholds_ns, default=None))


def has_intervals(session: Session, series: Sequence[Series]) -> bool:
    """Whether raw intervals of any of these series of one run are still stored."""
    if not series:
        return False
    numbers = [one.series_no for one in series]
    found = select(Interval.seq).where(Interval.run_id == series[0].run_id, Interval.series_no.in_(numbers))
    return bool(session.scalar(select(found.exists())))


def slices_of(
    session: Session, series: Series, width: str, numbers: Sequence[int] | None = None
) -> list[Slice]:
    """Slices of a series of one width in order of time, all or those with the given numbers."""
    query = select(Slice).where(
        Slice.run_id == series.run_id, Slice.series_no == series.series_no, Slice.width == width
    )
    if numbers is not None:
        query = query.where(Slice.slice_no.in_(numbers))
    return list(session.scalars(query.order_by(Slice.slice_no)))


def interval_histograms(
    session: Session, series: Series, through_seq: int, *, chunk: int
) -> Iterator[Sequence[bytes | None]]:
    """Histograms of the intervals of a series up to a sequence number, in their order, some at a time."""
    for begin in range(-1, through_seq, chunk):
        yield session.scalars(
            select(Interval.histogram)
            .where(
                Interval.run_id == series.run_id,
                Interval.series_no == series.series_no,
                Interval.seq > begin,
                Interval.seq <= min(begin + chunk, through_seq),
            )
            .order_by(Interval.seq)
        ).all()


def slice_histograms(
    session: Session, series: Series, width: str, *, chunk: int
) -> Iterator[Sequence[bytes | None]]:
    """Histograms of the slices of one width, in order of time, some at a time."""
    last = session.scalar(
        select(func.max(Slice.slice_no)).where(
            Slice.run_id == series.run_id, Slice.series_no == series.series_no, Slice.width == width
        )
    )
    for begin in range(0, 0 if last is None else last + 1, chunk):
        yield session.scalars(
            select(Slice.histogram)
            .where(
                Slice.run_id == series.run_id,
                Slice.series_no == series.series_no,
                Slice.width == width,
                Slice.slice_no >= begin,
                Slice.slice_no < begin + chunk,
            )
            .order_by(Slice.slice_no)
        ).all()


def slice_pieces(
    session: Session, series: Series, width: str, *, with_histograms: bool = True
) -> tuple[list[int], Pieces]:
    """Slices of one width as columns, with their numbers."""
    histogram: ColumnElement[Any] = Slice.histogram if with_histograms else literal(None)  # type: ignore[assignment]
    rows = session.execute(
        select(*_SLICE_COLUMNS, Slice.pins, histogram, Slice.slice_no)
        .where(Slice.run_id == series.run_id, Slice.series_no == series.series_no, Slice.width == width)
        .order_by(Slice.slice_no)
    ).all()
    return [row[-1] for row in rows], pieces_of(rows, len(series.pin_thresholds_ns))


def store_slices(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Writes slices, replacing those with the same key."""
    if not rows:
        return
    statement = insert(Slice)
    key = ("run_id", "series_no", "width", "slice_no")
    changed = {
        column.name: statement.excluded[column.name]
        for column in Slice.__table__.columns
        if column.name not in key
    }
    session.execute(statement.on_conflict_do_update(index_elements=key, set_=changed), rows)


def store_watermark(session: Session, series: Series, through_seq: int) -> None:
    """Notes up to which sequence number a series is in its slices."""
    statement = insert(RollupState).values(
        run_id=series.run_id,
        series_no=series.series_no,
        organisation_id=series.organisation_id,
        through_seq=through_seq,
    )
    session.execute(
        statement.on_conflict_do_update(
            index_elements=("run_id", "series_no"), set_={"through_seq": statement.excluded.through_seq}
        )
    )


def verdict_row(
    session: Session, run_id: UUID, budget_name: str, budget_version: int, method_version: int
) -> VerdictRow | None:
    """The verdict by these versions, if there is one."""
    return session.scalars(
        select(VerdictRow).where(
            VerdictRow.run_id == run_id,
            VerdictRow.budget_name == budget_name,
            VerdictRow.budget_version == budget_version,
            VerdictRow.method_version == method_version,
        )
    ).one_or_none()


def final_verdict_keys(session: Session, run_id: UUID, method_version: int) -> set[tuple[str, int]]:
    """Names and versions of the budgets that a run has final verdicts by."""
    rows = session.execute(
        select(VerdictRow.budget_name, VerdictRow.budget_version).where(
            VerdictRow.run_id == run_id,
            VerdictRow.method_version == method_version,
            ~VerdictRow.provisional,
        )
    )
    return {(name, version) for name, version in rows}


def remove_verdicts(session: Session, run_id: UUID, budgets: Sequence[Budget]) -> None:
    """Takes away verdicts of budgets that a run is not judged by any more, whatever the method."""
    for budget in budgets:
        session.execute(
            delete(VerdictRow).where(
                VerdictRow.run_id == run_id,
                VerdictRow.budget_name == budget.name,
                VerdictRow.budget_version == budget.version,
            )
        )


def runs_to_look_at(
    session: Session, versions: tuple[int, int], digests: WorkloadDigests, quiet_before: datetime, limit: int
) -> list[UUID]:
    """Runs whose data lie beyond the watermark, whose verdicts are older than data, state, method or budgets,
    or whose findings are older than the checks. `versions`: of the method, and of the checks.

    A run that is still going and was judged after `quiet_before` is left alone for a moment.
    """
    behind = (
        select(Series.run_id)
        .outerjoin(
            RollupState, and_(RollupState.run_id == Series.run_id, RollupState.series_no == Series.series_no)
        )
        .where(
            Series.run_id == Run.run_id,
            Series.kind == HISTOGRAM,
            Series.contiguous_seq > func.coalesce(RollupState.through_seq, -1),
        )
        .exists()
    )
    # What the verdicts rest on, against what the slices hold by now.
    rolled = (
        select(func.coalesce(func.sum(Slice.interval_count), 0))
        .where(Slice.run_id == Run.run_id, Slice.width == RUN)
        .scalar_subquery()
    )
    stale = or_(
        AnalysisState.run_id.is_(None),
        AnalysisState.method_version != versions[0],
        AnalysisState.audit_version != versions[1],
        AnalysisState.budgets_digest.is_distinct_from(_digest_of_run(digests)),
        and_(~AnalysisState.is_final, AnalysisState.judged_state.is_distinct_from(Run.state)),
        and_(
            ~AnalysisState.is_final,
            or_(behind, AnalysisState.judged_intervals != rolled),
            or_(Run.state == FINISHED, AnalysisState.computed_at < quiet_before),
        ),
    )
    return list(
        session.scalars(
            select(Run.run_id)
            .outerjoin(AnalysisState, AnalysisState.run_id == Run.run_id)
            .where(stale)
            .order_by(Run.run_id.desc())
            .limit(limit)
        )
    )


def _digest_of_run(digests: WorkloadDigests) -> ColumnElement[bytes]:
    """What a run's analysis must have been judged by, as an expression over `Run`."""
    plain: ColumnElement[bytes] = literal(digests.of_none, LargeBinary)
    if digests.plain:
        plain = case(digests.plain, value=Run.workload, else_=plain)
    if not digests.own:
        return plain
    own = values(
        column("organisation_id", Uuid),
        column("workload", Text),
        column("digest", LargeBinary),
        name="own",
    ).data(
        [(organisation_id, workload, digest) for (organisation_id, workload), digest in digests.own.items()]
    )
    found = (
        select(own.c.digest)
        .where(own.c.organisation_id == Run.organisation_id, own.c.workload == Run.workload)
        .scalar_subquery()
    )
    return func.coalesce(found, plain)
