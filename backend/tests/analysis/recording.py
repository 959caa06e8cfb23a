"""Runs for the tests of analysis and workers: latencies in, stored series and intervals out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.judging.judgement import audit, judge
from tailroom.judging.renewal import make_stale_due
from tailroom.kit.identifiers import new_id
from tailroom.kit.transactions import same_transaction
from tailroom.storage.interval import IntervalRow
from tailroom.storage.organisation import Organisation
from tailroom.storage.run import Run
from tailroom.storage.series import Series
from tailroom.storage.work import WorkRow
from tailroom.work.kinds import AUDIT, JUDGE
from tailroom.work.outbox import make_due

LIVE_PAUSE = timedelta(seconds=2)
"""The default of `Settings.live_verdict_pause_s`."""
MOMENT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LAYOUT = HdrLayout()
ACT_PINS = (1_000_000, 8_000_000, 64_000_000)


@dataclass
class SeriesSpec:
    """One series: the latencies (ns) of each interval, and what went wrong in it."""

    operation: str
    latencies: Sequence[npt.NDArray[np.int64]]
    clock: str = "response"
    kind: str = "histogram"
    pins: tuple[int, ...] = ACT_PINS
    interval_ns: int = 10 * NS_PER_S
    misses: Mapping[int, int] = field(default_factory=dict)
    target_counts: Sequence[int] | None = None
    conditions: Sequence[Mapping[str, int | None]] = ()
    """What each interval says about the generator and the drive; nothing where there are fewer."""
    device: str | None = None


def organisation_of(session: Session, name: str = "local") -> UUID:
    """Id of an organisation, made when it is not there."""
    found = session.scalar(select(Organisation.id).where(Organisation.name == name))
    if found is not None:
        return found
    organisation = Organisation(id=new_id(), name=name, created_at=MOMENT)
    session.add(organisation)
    session.flush()
    return organisation.id


def add_run(
    session: Session,
    specs: Sequence[SeriesSpec],
    *,
    workload: str = "act-storage",
    plan: Mapping[str, Any] | None = None,
    state: str = "running",
    organisation: str = "local",
) -> UUID:
    """A run with its series, without intervals yet."""
    run_id, organisation_id = new_id(), organisation_of(session, organisation)
    last = {str(number): len(spec.latencies) - 1 for number, spec in enumerate(specs)}
    session.add(
        Run(
            run_id=run_id,
            organisation_id=organisation_id,
            title="a run",
            workload=workload,
            state=state,
            started_at=MOMENT,
            started_at_unix_ns=int(MOMENT.timestamp()) * NS_PER_S,
            planned_duration_ns=30 * NS_PER_S,
            agent={"version": "0.1.0", "commit": None},
            host={"hostname": "here"},
            plan=dict(plan or {}),
            content_sha256=bytes(32),
            finish=None if state == "running" else {"last_seq": last},
            data_through_ns=0,
            created_at=MOMENT,
        )
    )
    session.flush()
    for number, spec in enumerate(specs):
        session.add(
            Series(
                run_id=run_id,
                series_no=number,
                organisation_id=organisation_id,
                operation=spec.operation,
                clock=spec.clock,
                kind=spec.kind,
                phase="main",
                host="here",
                device=spec.device,
                layout={"t": "hdr", "unit_ns": 1000, "significant_digits": 3}
                if spec.kind == "histogram"
                else None,
                pin_thresholds_ns=list(spec.pins),
                target_rate_per_s=None,
            )
        )
    session.flush()
    return run_id


def add_intervals(
    session: Session, run_id: UUID, specs: Sequence[SeriesSpec], first: int = 0, last: int | None = None
) -> None:
    """Stores the intervals `first … last` of every series and moves the series' ends."""
    for number, spec in enumerate(specs):
        series = session.get_one(Series, (run_id, number))
        end = len(spec.latencies) if last is None else min(last + 1, len(spec.latencies))
        for seq in range(first, end):
            session.add(_interval(series, spec, seq))
        series.max_seq = max(series.max_seq, end - 1)
        series.contiguous_seq = series.max_seq
        series.received = series.max_seq + 1
    session.flush()


def finish(session: Session, run_id: UUID, specs: Sequence[SeriesSpec]) -> None:
    """The finish message has come, and everything is there."""
    run = session.get_one(Run, run_id)
    run.state, run.outcome = "finished", "completed"
    run.finish = {"last_seq": {str(number): len(spec.latencies) - 1 for number, spec in enumerate(specs)}}
    session.flush()


def add_ended_run(session: Session, specs: Sequence[SeriesSpec], **of_run: Any) -> UUID:
    """A run that has sent everything and finished."""
    run_id = add_run(session, specs, **of_run)
    add_intervals(session, run_id, specs)
    finish(session, run_id, specs)
    return run_id


@dataclass(frozen=True)
class Looked:
    """What a worker would have changed by now."""

    rolled_up: int
    judged: bool
    audited: bool

    @property
    def changed(self) -> list[str]:
        return [*["slices"] * bool(self.rolled_up), *["verdicts"] * (self.judged or self.audited)]


def look_at_run(session: Session, run_id: UUID, now: datetime) -> Looked | None:
    """Does what workers do about a run, in the transaction of a test: judges it, and audits it where that is
    due.
    """
    judged = judge(same_transaction(session), run_id, now, live_pause=LIVE_PAUSE)
    if judged is None:
        return None
    session.execute(delete(WorkRow).where(WorkRow.subject == run_id, WorkRow.kind == JUDGE.name))
    if judged.again_at is not None:
        organisation_id = session.get_one(Run, run_id).organisation_id
        make_due(session, JUDGE, run_id, organisation_id, judged.again_at)
    is_due = delete(WorkRow).where(WorkRow.subject == run_id, WorkRow.kind == AUDIT.name)
    audited = session.execute(is_due.returning(WorkRow.subject)).first() is not None
    if audited:
        audit(same_transaction(session), run_id)
    return Looked(judged.rolled_up, judged.judged, audited)


def due_runs(session: Session, now: datetime) -> list[UUID]:
    """Runs that workers would look at by now, also those that only the hourly statement finds."""
    make_stale_due(session, now)
    kinds = (JUDGE.name, AUDIT.name)
    due = select(WorkRow.subject).where(WorkRow.kind.in_(kinds), WorkRow.due_at <= now).distinct()
    return list(session.scalars(due.order_by(WorkRow.subject.desc())))


def steady(
    count: int, intervals: int, latency_ns: int = 400_000, seed: int = 1
) -> list[npt.NDArray[np.int64]]:
    """Latencies of a well-behaved device: log-normal with little spread."""
    rng = np.random.default_rng(seed)
    return [
        np.maximum(1_000, rng.lognormal(np.log(latency_ns), 0.1, count)).astype(np.int64)
        for _ in range(intervals)
    ]


def payload_of(latencies: npt.NDArray[np.int64]) -> bytes:
    """HdrHistogram of latencies in whole microseconds."""
    indices, counts = np.unique(LAYOUT.index_of(latencies // 1000), return_counts=True)
    return encode(Counts(indices, counts.astype(np.int64)), LAYOUT)


def _interval(series: Series, spec: SeriesSpec, seq: int) -> IntervalRow:
    latencies = spec.latencies[seq]
    misses = spec.misses.get(seq, 0)
    pins = [int((latencies >= at).sum()) for at in spec.pins]
    return IntervalRow(
        run_id=series.run_id,
        series_no=series.series_no,
        seq=seq,
        organisation_id=series.organisation_id,
        start_ns=seq * spec.interval_ns,
        duration_ns=spec.interval_ns,
        count=latencies.size,
        errors=misses,
        timeouts=0,
        unfinished=0,
        sum_ns=int(latencies.sum()),
        min_ns=int(latencies.min()) if latencies.size else None,
        max_ns=int(latencies.max()) if latencies.size else None,
        target_count=spec.target_counts[seq] if spec.target_counts else latencies.size + misses,
        lateness_max_ns=0,
        pins=np.array(pins, dtype="<u8").tobytes(),
        histogram=payload_of(latencies) if spec.kind == "histogram" and latencies.size else None,
        received_at=MOMENT,
        **(spec.conditions[seq] if seq < len(spec.conditions) else {}),
    )
