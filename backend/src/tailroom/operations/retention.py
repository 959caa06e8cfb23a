"""Retention: removal of intervals, minutes and uploaded files whose storage time is over.

Intervals and minutes expire by the arrival of the last data of their run, files by their own arrival. Days
are the installation's, or fewer if an owner chose that (`operations.retention_days`). Intervals that are not
summed up in slices yet stay, and so do hours, whole runs and verdicts.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, Engine, Select, and_, delete, func, or_, select, update
from sqlalchemy.orm import Session

from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import Transactions
from tailroom.operations.removal import make_erasure_due
from tailroom.operations.retention_days import RetentionDays
from tailroom.storage.interval import IntervalRow
from tailroom.storage.organisation import RETENTION, Organisation
from tailroom.storage.partitions import drop_partition, ids_of, partition_days
from tailroom.storage.run import Run
from tailroom.storage.run_picture import RunPicture
from tailroom.storage.series import HISTOGRAM, TICK, Series
from tailroom.storage.slices import MINUTE, TEN_MINUTES, RollupState, Slice
from tailroom.storage.upload import RawFile, Upload, UploadFile

TICKS, INTERVALS, MINUTES = 1, 2, 3
"""Classes of data in the order of their removal; ticks are data of single seconds.

`run.expired_classes` is the last removed class.
"""
_RUNS_AT_ONCE = 50


@dataclass(slots=True)
class Expired:
    """Numbers of dropped partitions, of runs by class of removed data (ticks, …), and of removed files."""

    partitions: int = 0
    runs: int = 0
    files: int = 0


def expire(engine: Engine, transactions: Transactions, settings: Settings, now: datetime) -> Expired:
    """Remove all data past its retention; return how much was removed.

    It may be repeated after an interruption. `transactions` are bound to no organisation.
    """
    expired = Expired()
    oldest_raw = now - timedelta(days=max(settings.tick_retention_days, settings.interval_retention_days))
    with transactions() as session:
        days = [day for day in partition_days(session) if _has_expired(session, day, oldest_raw, now)]
    for day in days:
        if drop_partition(engine, day):
            expired.partitions += 1
    longest = RetentionDays.from_settings(settings)
    _expire_rows(transactions, longest, None, now, expired)
    with transactions() as session:
        organisations = session.scalars(select(Organisation).where(or_(*map(_is_set, RETENTION)))).all()
        chosen = [(organisation.id, RetentionDays.wanted_by(organisation)) for organisation in organisations]
    for organisation_id, wanted in chosen:
        _expire_rows(transactions, wanted.within(longest), organisation_id, now, expired)
    return expired


def _is_set(name: str) -> ColumnElement[bool]:
    column: ColumnElement[int | None] = Organisation.__table__.c[name]
    return column.is_not(None)


def _expire_rows(
    transactions: Transactions, days: RetentionDays, of: UUID | None, now: datetime, expired: Expired
) -> None:
    """Remove data older than `days` of the organisation `of` (None: of all), and add to `expired`.

    A class of data whose days are None stays.
    """
    for expiring, days_stored in (
        (TICKS, days.tick_days),
        (INTERVALS, days.interval_days),
        (MINUTES, days.minute_days),
    ):
        if days_stored is not None:
            expired.runs += _expire_class(transactions, expiring, now - timedelta(days=days_stored), of)
    if days.raw_file_days is not None:
        expired.files += _expire_files(transactions, now - timedelta(days=days.raw_file_days), of, now)


def _has_expired(session: Session, day: datetime, oldest: datetime, now: datetime) -> bool:
    """Return whether the partition of `day` can be dropped.

    The day must be over, and no run made on it may have data that arrived since `oldest`, or intervals that
    are not in its slices yet.
    """
    low, high = ids_of(day)
    if day + timedelta(days=1) > now:
        return False
    needing = select(Run.run_id).where(
        Run.run_id >= low, Run.run_id < high, (Run.last_data_at >= oldest) | is_behind()
    )
    return session.scalar(needing.limit(1)) is None


def is_behind() -> ColumnElement[bool]:
    """Return the SQL condition that a run has histogram intervals that are not in its slices yet."""
    return (
        select(Series.run_id)
        .outerjoin(
            RollupState, and_(RollupState.run_id == Series.run_id, RollupState.series_no == Series.series_no)
        )
        .where(
            Series.run_id == Run.run_id,
            Series.kind == HISTOGRAM,
            Series.max_seq > func.coalesce(RollupState.through_seq, -1),
        )
        .exists()
    )


def _expire_class(transactions: Transactions, expiring: int, oldest: datetime, of: UUID | None) -> int:
    """Remove a class of data of runs without data since `oldest`; return their number. `of` None: of all."""
    run_count = 0
    past = select(Run.run_id).where(Run.expired_classes == expiring - 1, Run.last_data_at < oldest)
    if of is not None:
        past = past.where(Run.organisation_id == of)
    if expiring > TICKS:
        past = past.where(~is_behind())
    while True:
        with transactions() as session:
            ids = session.scalars(past.order_by(Run.last_data_at).limit(_RUNS_AT_ONCE)).all()
            # Each run is checked again under its lock: it may have new data, or be deleted.
            removed = [_remove(session, expiring, past, run_id) for run_id in ids]
        run_count += sum(removed)
        if len(ids) < _RUNS_AT_ONCE or not any(removed):
            return run_count


def _remove(session: Session, expiring: int, past: Select[UUID], run_id: UUID) -> bool:
    """Remove a class of data of a run; return False if it is locked, or `past` no longer selects it."""
    is_held = past.where(Run.run_id == run_id).with_for_update(skip_locked=True)
    if session.scalar(is_held) is None:
        return False
    # Pictures are made again from the remaining data on demand.
    session.execute(delete(RunPicture).where(RunPicture.run_id == run_id))
    if expiring == MINUTES:
        shorter = Slice.width.in_((MINUTE, TEN_MINUTES))
        session.execute(delete(Slice).where(Slice.run_id == run_id, shorter))
    else:
        statement = delete(IntervalRow).where(IntervalRow.run_id == run_id)
        if expiring == TICKS:
            ticks = select(Series.series_no).where(Series.run_id == run_id, Series.kind == TICK)
            statement = statement.where(IntervalRow.series_no.in_(ticks))
        session.execute(statement)
    session.execute(update(Run).where(Run.run_id == run_id).values(expired_classes=expiring))
    return True


def _expire_files(transactions: Transactions, oldest: datetime, of: UUID | None, now: datetime) -> int:
    """Remove files from before `oldest` of an organisation, None: of all; return their number."""
    file_count = 0
    while True:
        with transactions() as session:
            rows = session.execute(_files_past(oldest, of).limit(_RUNS_AT_ONCE)).all()
            for organisation_id, sha256 in rows:
                condition = RawFile.organisation_id == organisation_id, RawFile.sha256 == sha256
                session.execute(delete(RawFile).where(*condition))
                make_erasure_due(session, organisation_id, new_id(), [sha256], now)
        file_count += len(rows)
        if len(rows) < _RUNS_AT_ONCE:
            return file_count


def _files_past(oldest: datetime, of: UUID | None) -> Select[UUID, bytes]:
    """Return a query for organisation and SHA-256 of files from before `oldest` that no unread upload has."""
    waited_for = (
        select(UploadFile.upload_id)
        .join(Upload, Upload.upload_id == UploadFile.upload_id)
        .where(
            UploadFile.organisation_id == RawFile.organisation_id,
            UploadFile.sha256 == RawFile.sha256,
            Upload.read_at.is_(None),
        )
        .exists()
    )
    past = select(RawFile.organisation_id, RawFile.sha256).where(RawFile.stored_at < oldest, ~waited_for)
    return past if of is None else past.where(RawFile.organisation_id == of)
