"""Overview for the operator: work, partitions, storage by organisation, versions of agents, the last backup.

`concerns` states what needs attention. Figures cover all organisations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, null, select, true
from sqlalchemy.orm import Session

from tailroom.operations.figures import InstallationFigures, figures
from tailroom.storage.backup_made import BackupMade
from tailroom.storage.campaign import ServingAgent
from tailroom.storage.interval import IntervalRow
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import Membership
from tailroom.storage.quota import Quota
from tailroom.storage.run import AGENT, FINISHED, Run
from tailroom.storage.sizes import part_sizes
from tailroom.storage.upload import RawFile, Upload
from tailroom.work import failures

LAGS_AFTER_S = 120.0
"""Work that has waited longer is a concern."""
FEWEST_PARTITION_DAYS = 2
"""Fewer partitions for coming days are a concern."""
TRANSACTION_TOO_LONG_S = 300.0
"""Older open transactions are a concern; equal to backend/deploy/monitoring/alerts.yml."""
BACKUP_TOO_OLD = timedelta(days=2)
MOST_WORKS = 50
"""Limit of the listed due works, and of the listed given-up works."""
MOST_ORGANISATIONS = 200
_AGENT_USE_PERIOD = timedelta(days=30)
"""Versions of agents are listed if they were used within this time."""
_NOTHING, _EVERY = null(), true()


@dataclass(frozen=True, slots=True)
class Work:
    """Work that is due or was given up, with its organisation."""

    kind: str
    """Kind of work, such as `judge` or `read_upload`."""
    subject: UUID
    """Id of the run, upload or organisation that it is about."""
    lane: str
    """Queue of the work, whose workers do it."""
    organisation_id: UUID
    organisation: str
    attempts: int
    error: str
    """Error of the last failed attempt; empty if none failed."""
    at: datetime
    """Since when it is due, or when it was given up."""


@dataclass(frozen=True, slots=True)
class StorageUse:
    """Numbers of objects of one organisation, the size of its uploaded files, and its limits."""

    organisation_id: UUID
    name: str
    members: int
    runs: int
    running: int
    """Runs that are not finished."""
    uploads: int
    raw_files: int
    raw_bytes: int
    """Total size of its uploaded files."""
    last_run_at: datetime | None
    """Start of the latest run; None without runs."""
    limits: Quota
    """Quota of the organisation; without limits if none is set."""


@dataclass(frozen=True, slots=True)
class AgentVersionUse:
    """Use of one version of the agent in the last 30 days."""

    version: str
    serving: int
    """Number of agents that asked for work, without removed agents."""
    runs: int
    """Number of runs that agents of this version measured."""
    last_at: datetime
    """Latest run or request for work."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Overview of the installation at one moment."""

    now: datetime
    figures: InstallationFigures
    due: Sequence[Work]
    """Due works that no worker has claimed, longest due first; at most `MOST_WORKS`."""
    given_up: Sequence[Work]
    """Works that were given up, newest first; at most `MOST_WORKS`."""
    organisations: Sequence[StorageUse]
    """Storage by organisation, largest first; at most `MOST_ORGANISATIONS`."""
    organisation_count: int
    """Number of all organisations."""
    agents: Sequence[AgentVersionUse]
    """Use by version of the agent, latest use first."""
    partitions: Sequence[tuple[str, int]]
    """Name and size in bytes of each partition of intervals."""
    backup: BackupMade | None
    """The last backup; None if none was made."""

    @property
    def concerns(self) -> list[str]:
        """Sentences about what needs attention, most urgent first; empty if nothing does."""
        concerns = []
        given_up = sum(lane.given_up for lane in self.figures.lanes)
        if given_up:
            concerns.append(f"{given_up} works failed too often and wait for a retry.")
        concerns += [
            f"Work of the lane {lane.lane} has waited for {lane.oldest_due_s / 60:.0f} minutes."
            for lane in self.figures.lanes
            if lane.oldest_due_s > LAGS_AFTER_S
        ]
        if self.figures.partition_days_ahead < FEWEST_PARTITION_DAYS:
            concerns.append("Partitions for the coming days are missing: housekeeping does not run.")
        if self.figures.oldest_transaction_s > TRANSACTION_TOO_LONG_S:
            concerns.append(
                f"A transaction has been open for {self.figures.oldest_transaction_s / 60:.0f} minutes."
            )
        if self.backup is None:
            concerns.append("No backup was made yet.")
        elif self.now - self.backup.made_at > BACKUP_TOO_OLD:
            concerns.append(f"The last backup is {(self.now - self.backup.made_at).days} days old.")
        elif self.backup.files_missing:
            concerns.append(f"The last backup misses {self.backup.files_missing} uploaded files.")
        return concerns


def overview(session: Session, now: datetime) -> Overview:
    """Return the overview of all organisations; `session` is bound to no organisation."""
    names = {row.id: row.name for row in session.execute(select(Organisation.id, Organisation.name))}

    def work(entry: Any, at: datetime | None) -> Work:
        name = names.get(entry.organisation_id, "deleted")
        assert at is not None  # noqa: S101 - the queries say so
        error = entry.error or ""
        return Work(
            entry.kind, entry.subject, entry.lane, entry.organisation_id, name, entry.attempts, error, at
        )

    stored = _stored(session, names)
    return Overview(
        now=now,
        figures=figures(session, now),
        due=[work(row, row.due_at) for row in failures.longest_due(session, now, MOST_WORKS)],
        given_up=[work(row, row.given_up_at) for row in failures.newest(session, None, MOST_WORKS)],
        organisations=stored[:MOST_ORGANISATIONS],
        organisation_count=len(names),
        agents=_agents(session, now),
        partitions=_partitions(session),
        backup=session.scalar(select(BackupMade).order_by(BackupMade.made_at.desc()).limit(1)),
    )


def _stored(session: Session, names: dict[UUID, str]) -> list[StorageUse]:
    """Return the use of storage of each organisation in `names` (names by id), largest first."""

    def counts_of(table: Any, further: Any = _NOTHING, *, where: Any = _EVERY) -> dict[UUID, tuple[int, Any]]:
        query = select(table.organisation_id, func.count(), further).where(where)
        return {
            organisation_id: (count, value)
            for organisation_id, count, value in session.execute(query.group_by(table.organisation_id))
        }

    nothing = (0, None)
    runs = counts_of(Run, func.max(Run.started_at))
    running = counts_of(Run, where=Run.state != FINISHED)
    files = counts_of(RawFile, func.sum(RawFile.size_bytes))
    uploads = counts_of(Upload)
    members = counts_of(Membership)
    limits = {quota.organisation_id: quota for quota in session.scalars(select(Quota))}
    stored = [
        StorageUse(
            organisation_id=organisation_id,
            name=name,
            members=members.get(organisation_id, nothing)[0],
            runs=runs.get(organisation_id, nothing)[0],
            running=running.get(organisation_id, nothing)[0],
            uploads=uploads.get(organisation_id, nothing)[0],
            raw_files=files.get(organisation_id, nothing)[0],
            raw_bytes=int(files.get(organisation_id, nothing)[1] or 0),
            last_run_at=runs.get(organisation_id, nothing)[1],
            limits=limits.get(organisation_id) or Quota(organisation_id=organisation_id),
        )
        for organisation_id, name in names.items()
    ]
    return sorted(
        stored, key=lambda organisation: (-organisation.raw_bytes, -organisation.runs, organisation.name)
    )


def _agents(session: Session, now: datetime) -> list[AgentVersionUse]:
    """Return versions of the agent that measured or asked for work in the last 30 days, latest use first."""
    version = Run.agent["version"].astext
    since = now - _AGENT_USE_PERIOD
    measured = session.execute(
        select(version, func.count(), func.max(Run.created_at))
        .where(Run.source == AGENT, Run.created_at >= since)
        .group_by(version)
    ).all()
    agent_version = ServingAgent.version["version"].astext
    serving = session.execute(
        select(agent_version, func.count(), func.max(ServingAgent.seen_at))
        .where(ServingAgent.removed_at.is_(None), ServingAgent.seen_at >= since)
        .group_by(agent_version)
    ).all()
    versions: dict[str, AgentVersionUse] = {}
    for name, count, at in measured:
        versions[str(name)] = AgentVersionUse(str(name), 0, count, at)
    for name, count, at in serving:
        of_runs = versions.get(str(name))
        last_at = at if of_runs is None else max(at, of_runs.last_at)
        versions[str(name)] = AgentVersionUse(
            str(name), count, 0 if of_runs is None else of_runs.runs, last_at
        )
    return sorted(versions.values(), key=lambda version: version.last_at, reverse=True)


def _partitions(session: Session) -> list[tuple[str, int]]:
    """Return name and size in bytes of each partition of intervals, newest day first, the default last."""
    days = [
        (part.part, part.size_bytes)
        for part in part_sizes(session)
        if part.table == IntervalRow.__tablename__
    ]
    days.sort(reverse=True)
    return sorted(days, key=lambda day: day[0] == "interval_default")
