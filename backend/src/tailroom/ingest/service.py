"""Accepting announcements, batches and finish messages of agents.

A batch is stored in one transaction; acknowledged intervals are durable. A change of a run holds the run's
lock, so batches of one run are serialised and batches of different runs are independent. Notifications are
returned, so that the caller sends them after the commit.
"""

from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID

import numpy as np
from msgspec import Struct
from sqlalchemy.orm import Session

from tailroom.ingest import lifecycle, store
from tailroom.ingest.announce import announce, define_series
from tailroom.ingest.decoding import batch_invalid
from tailroom.ingest.errors import IntervalConflict
from tailroom.ingest.store import RunHead, SeriesHead
from tailroom.ingest.validation import check_against_series, check_intervals, check_series
from tailroom.ingest.wire import (
    Announcement,
    AnnouncementAnswer,
    Batch,
    BatchAnswer,
    Finish,
    FinishAnswer,
    SeriesDefinition,
    tick_of,
)
from tailroom.kit.db import after_commit
from tailroom.kit.errors import LocatedProblem
from tailroom.kit.metrics import INTERVALS_REPEATED, INTERVALS_STORED
from tailroom.kit.notifier import Notifier, sse_frame
from tailroom.records.columns import Columns, Int64s
from tailroom.records.interval_rows import StoredIntervals, differing_positions, insert_intervals
from tailroom.runs.errors import RunAlreadyFinished
from tailroom.runs.gaps import contiguous_after
from tailroom.runs.service import lock_own_run, unknown_run
from tailroom.storage.run import AGENT, Run
from tailroom.storage.series import TICK
from tailroom.work.kinds import JUDGE
from tailroom.work.outbox import make_due, make_due_with_commit


@dataclass(slots=True)
class RunNotification:
    """Changes to report to live pages after the commit; `ticks` are new intervals of live counts."""

    run_id: UUID
    state: str
    state_changed: bool = False
    ticks: list[Struct] = field(default_factory=list)

    def publish(self, notifier: Notifier) -> None:
        """Publish the live ticks if there are any, and the state if it changed."""
        if self.ticks:
            content = {"run_id": str(self.run_id), "ticks": self.ticks}
            notifier.publish(self.run_id, sse_frame("ticks", content))
        if self.state_changed:
            notifier.changed(self.run_id, ["state"], self.state)


@dataclass(frozen=True, slots=True)
class CheckedBatch:
    """A batch that breaks no rule that is checked without the database, and its intervals as columns."""

    batch: Batch
    columns: Columns


def check_batch(batch: Batch) -> CheckedBatch:
    """Return the batch with its intervals as columns. Raise BatchInvalid if it breaks a rule that can be
    checked without the database.
    """
    columns = Columns.of(batch.intervals)
    problems = check_series(batch.series) + check_intervals(columns)
    if problems:
        raise batch_invalid(problems)
    return CheckedBatch(batch, columns)


def accept_announcement(
    session: Session, organisation_id: UUID, announcement: Announcement, now: datetime
) -> tuple[AnnouncementAnswer, bool, RunNotification]:
    """Store an announced run; return the answer, whether the run is new, and the notification. Raise the
    errors of `announce`.
    """
    run, is_new = announce(session, organisation_id, announcement, now)
    if is_new:
        make_due(session, JUDGE, run.run_id, organisation_id, now, reset=True)
    answer = AnnouncementAnswer(run_id=str(run.run_id), directive=lifecycle.directive_for(run))
    return answer, is_new, RunNotification(run.run_id, run.state, state_changed=is_new)


def accept_batch(
    session: Session, organisation_id: UUID, run_id: UUID, checked: CheckedBatch, now: datetime
) -> tuple[BatchAnswer, RunNotification]:
    """Store a checked batch; return the answer and the notification. Intervals that are stored already are
    acknowledged again. Raise RunUnknown if the organisation has no such run, RunAlreadyFinished for an
    uploaded run or intervals after its end, SeriesConflict or IntervalConflict for other content than stored,
    BatchInvalid for a broken rule about series.
    """
    run, series = store.lock(session, organisation_id, run_id)
    if run is None:
        raise unknown_run(run_id)
    _refuse_upload(run)
    columns = checked.columns
    definitions, any_defined = define_series(session, run, series, checked.batch.series)
    problems = check_against_series(columns, definitions)
    if problems:
        raise batch_invalid(problems)
    numbers, inverse = np.unique(columns.series, return_inverse=True)
    last_of_batch = {int(number): int(columns.seq[inverse == k].max()) for k, number in enumerate(numbers)}
    lifecycle.refuse_beyond_finish(run, last_of_batch)
    if any_defined:
        series = store.list_series(session, run_id)
    by_number = {head.series_no: head for head in series}

    # Acknowledged intervals are only compared: retention may have removed their rows.
    acknowledged = store.acknowledged_mask(columns, {head.series_no: head.contiguous_seq for head in series})
    offered = np.flatnonzero(~acknowledged)
    stored = insert_intervals(session, run_id, columns, offered, now)
    if acknowledged.any() or sum(rows.added for rows in stored) != offered.size:
        _refuse_conflicts(session, run, columns)
    _advance(session, run, by_number, stored, now)
    missing = lifecycle.missing_intervals(session, run, series)
    ended = lifecycle.finish_if_complete(session, run, missing)
    just_ended = ended.state != run.state

    named = sorted(
        {int(number) for number in numbers} | {definition.series_no for definition in checked.batch.series}
    )
    answer = BatchAnswer(
        acknowledged={str(number): by_number[number].contiguous_seq for number in named},
        missing=missing,
        directive=lifecycle.directive_for(ended),
    )
    notification = RunNotification(run_id, ended.state, state_changed=just_ended)
    if just_ended:
        make_due(session, JUDGE, run_id, organisation_id, now, reset=True)
    elif stored:
        make_due_with_commit(session, JUDGE, run_id, organisation_id, now)
    if stored:
        notification.ticks = _ticks(checked.batch, definitions, offered)
    added = sum(rows.added for rows in stored)
    after_commit(session, partial(_count, added, columns.series.size - added))
    return answer, notification


def _count(stored: int, repeated: int) -> None:
    INTERVALS_STORED.inc(stored)
    INTERVALS_REPEATED.inc(repeated)


def accept_finish(
    session: Session, organisation_id: UUID, run_id: UUID, finish: Finish, now: datetime
) -> tuple[FinishAnswer, RunNotification]:
    """Store the finish message; return the answer and the notification. Raise RunUnknown if the organisation
    has no such run, RunAlreadyFinished for an uploaded run, and the errors of `lifecycle.finish_run`.
    """
    run = lock_own_run(session, organisation_id, run_id)
    _refuse_upload(run)
    missing, is_new = lifecycle.finish_run(session, run, finish)
    if is_new:
        make_due(session, JUDGE, run_id, organisation_id, now, reset=True)
    answer = FinishAnswer(complete=not missing, missing=missing, directive=lifecycle.directive_for(run))
    return answer, RunNotification(run_id, run.state, state_changed=is_new)


def _refuse_upload(run: Run | RunHead) -> None:
    """Raise RunAlreadyFinished for a run that was read from uploaded files."""
    if run.source != AGENT:
        raise RunAlreadyFinished(f"Run {run.run_id} was read from uploaded files; agents add nothing to it.")


def _refuse_conflicts(session: Session, run: RunHead, columns: Columns) -> None:
    """Raise IntervalConflict if any interval of the batch is stored with other content."""
    everything = np.arange(len(columns), dtype=np.int64)
    differing = differing_positions(session, run.run_id, columns, everything)
    if differing:
        raise IntervalConflict(
            f"{len(differing)} intervals of this batch are stored with other content in run {run.run_id};"
            " nothing of it was stored. A sequence number is used once, and its interval never changes.",
            [
                LocatedProblem(
                    series=int(columns.series[i]),
                    seq=int(columns.seq[i]),
                    field="seq",
                    reason="another interval with this sequence number was accepted before",
                )
                for i in differing
            ],
        )


def _advance(
    session: Session,
    run: RunHead,
    by_number: dict[int, SeriesHead],
    stored: list[StoredIntervals],
    now: datetime,
) -> None:
    """Update and store the progress of the run and its series in `by_number` after new intervals, if any."""
    if not stored:
        return
    for rows in stored:
        head = by_number[rows.series_no]
        head.max_seq = max(head.max_seq, rows.last_seq)
        head.received += rows.added
        if head.received == head.max_seq + 1:
            head.contiguous_seq = head.max_seq
        elif rows.first_seq == head.contiguous_seq + 1:
            head.contiguous_seq = contiguous_after(session, run.run_id, rows.series_no, head.contiguous_seq)
    advanced = [by_number[rows.series_no] for rows in stored]
    data_through_ns = max(run.data_through_ns, *(rows.end_ns for rows in stored))
    store.advance(session, run.run_id, advanced, data_through_ns, now)


def _ticks(batch: Batch, definitions: dict[int, SeriesDefinition], offered: Int64s) -> list[Struct]:
    """Return the offered intervals of tick series (live counts) in the form for live pages."""
    intervals = (batch.intervals[position] for position in offered.tolist())
    return [tick_of(interval) for interval in intervals if definitions[interval.series].kind == TICK]
