"""Overview for the operator: work, partitions, storage by organisation, versions of agents, the last backup.

Figures cover all organisations.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, null, select, true
from sqlalchemy.orm import Session

from tailroom.operations.figures import InstallationFigures, figures
from tailroom.operations.installation_schemas import (
    AgentVersionOut,
    BackupOut,
    OverviewOut,
    PartitionOut,
    StoredOut,
    WorkOut,
)
from tailroom.operations.schemas import LimitsOut
from tailroom.storage.backup_made import BackupMade
from tailroom.storage.campaign import ServingAgent
from tailroom.storage.interval import IntervalRow
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import Membership
from tailroom.storage.quota import Quota
from tailroom.storage.run import AGENT, FINISHED, Run
from tailroom.storage.sizes import part_sizes
from tailroom.storage.upload import RawFile, Upload
from tailroom.storage.work import WorkRow
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
_MOST_TABLES = 12
_AGENT_USE_PERIOD = timedelta(days=30)
"""Versions of agents are listed if they were used within this time."""
_NOTHING, _EVERY = null(), true()


def overview(session: Session, now: datetime) -> OverviewOut:
    """Return the overview of all organisations; `session` is bound to no organisation."""
    names = {row.id: row.name for row in session.execute(select(Organisation.id, Organisation.name))}
    current = figures(session, now)
    backup = session.scalar(select(BackupMade).order_by(BackupMade.made_at.desc()).limit(1))
    due = failures.longest_due(session, now, MOST_WORKS)
    given_up = failures.newest(session, None, MOST_WORKS)
    return OverviewOut(
        now=now,
        concerns=_concerns(current, backup, now),
        lanes=current.lanes,
        due=[_work(row, row.due_at, names) for row in due],
        given_up=[_work(failure, failure.given_up_at, names) for failure in given_up],
        partition_days_ahead=current.partition_days_ahead,
        partitions=_partitions(session),
        tables=current.tables[:_MOST_TABLES],
        database_bytes=current.database_bytes,
        raw_file_bytes=current.raw_file_bytes,
        raw_files=current.raw_files,
        oldest_transaction_s=current.oldest_transaction_s,
        organisations=_stored(session, names)[:MOST_ORGANISATIONS],
        organisation_count=len(names),
        agents=_agents(session, now),
        backup=None if backup is None else BackupOut.model_validate(backup, from_attributes=True),
    )


def _work(row: failures.Failure | WorkRow, at: datetime, names: Mapping[UUID, str]) -> WorkOut:
    return WorkOut(
        kind=row.kind,
        subject=row.subject,
        lane=row.lane,
        organisation_id=row.organisation_id,
        organisation=names.get(row.organisation_id, "deleted"),
        attempts=row.attempts,
        error=row.error or "",
        at=at,
    )


def _concerns(current: InstallationFigures, backup: BackupMade | None, now: datetime) -> list[str]:
    """Return sentences about what needs attention, most urgent first; empty if nothing does."""
    concerns = []
    given_up = sum(lane.given_up for lane in current.lanes)
    if given_up:
        concerns.append(f"{given_up} works failed too often and wait for a retry.")
    concerns += [
        f"Work of the lane {lane.lane} has waited for {lane.oldest_due_s / 60:.0f} minutes."
        for lane in current.lanes
        if lane.oldest_due_s > LAGS_AFTER_S
    ]
    if current.partition_days_ahead < FEWEST_PARTITION_DAYS:
        concerns.append("Partitions for the coming days are missing: housekeeping does not run.")
    if current.oldest_transaction_s > TRANSACTION_TOO_LONG_S:
        concerns.append(f"A transaction has been open for {current.oldest_transaction_s / 60:.0f} minutes.")
    if backup is None:
        concerns.append("No backup was made yet.")
    elif now - backup.made_at > BACKUP_TOO_OLD:
        concerns.append(f"The last backup is {(now - backup.made_at).days} days old.")
    elif backup.files_missing:
        concerns.append(f"The last backup misses {backup.files_missing} uploaded files.")
    return concerns


def _stored(session: Session, names: dict[UUID, str]) -> list[StoredOut]:
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
        StoredOut(
            organisation_id=organisation_id,
            name=name,
            members=members.get(organisation_id, nothing)[0],
            runs=runs.get(organisation_id, nothing)[0],
            running=running.get(organisation_id, nothing)[0],
            uploads=uploads.get(organisation_id, nothing)[0],
            raw_files=files.get(organisation_id, nothing)[0],
            raw_bytes=int(files.get(organisation_id, nothing)[1] or 0),
            last_run_at=runs.get(organisation_id, nothing)[1],
            limits=LimitsOut.model_validate(limits.get(organisation_id, Quota())),
        )
        for organisation_id, name in names.items()
    ]
    return sorted(
        stored, key=lambda organisation: (-organisation.raw_bytes, -organisation.runs, organisation.name)
    )


def _agents(session: Session, now: datetime) -> list[AgentVersionOut]:
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
    versions = {
        str(name): AgentVersionOut(version=str(name), serving=0, runs=count, last_at=at)
        for name, count, at in measured
    }
    for name, count, at in serving:
        nothing = AgentVersionOut(version=str(name), serving=0, runs=0, last_at=at)
        use = versions.setdefault(str(name), nothing)
        use.serving, use.last_at = count, max(at, use.last_at)
    return sorted(versions.values(), key=lambda version: version.last_at, reverse=True)


def _partitions(session: Session) -> list[PartitionOut]:
    """Return the partitions of intervals, newest day first, the default last."""
    days = [
        PartitionOut(name=part.part, size_bytes=part.size_bytes)
        for part in part_sizes(session)
        if part.table == IntervalRow.__tablename__
    ]
    days.sort(key=lambda day: day.name, reverse=True)
    return sorted(days, key=lambda day: day.name == "interval_default")
