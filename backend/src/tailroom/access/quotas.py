"""Quotas of an organisation: runs, bytes of uploaded files, uploads a day, agents, requests.

Only new work is refused. Data of an announced run are accepted, so that a measurement reaches its end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from tailroom.access.capabilities import Capability
from tailroom.kit.errors import HttpProblem
from tailroom.storage.base import Base
from tailroom.storage.campaign import ServingAgent
from tailroom.storage.quota import Quota
from tailroom.storage.run import Run
from tailroom.storage.upload import RawFile, Upload

DAY = timedelta(days=1)
NOT_COUNTED = frozenset({Capability.SEND, Capability.SERVE, Capability.OPERATE, Capability.NONE})
"""Capabilities whose requests are not counted; those of agents, so that a measurement reaches its end."""


class QuotaReached(HttpProblem, status=409, title="The organisation's quota is reached"):
    """The request would exceed a quota of the organisation."""


class RequestsTooMany(HttpProblem, status=429, title="Too many requests", headers={"Retry-After": "5"}):
    """An organisation, a token, a person or an address exceeds its requests per minute."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Usage of an organisation.

    `stored_bytes`: of uploaded files; `uploads_per_day`: in the last 24 hours; `agents`: not removed.
    """

    runs: int
    stored_bytes: int
    uploads_per_day: int
    agents: int


def quota_of(session: Session, organisation_id: UUID) -> Quota:
    """Return the quota of an organisation; if none is stored, a quota without limits."""
    return session.get(Quota, organisation_id) or Quota(organisation_id=organisation_id)


def usage_of(session: Session, organisation_id: UUID, now: datetime) -> Usage:
    """Return the present usage of an organisation; uploads are those of the last 24 hours."""
    return Usage(
        _count_runs(session, organisation_id),
        _stored_bytes(session, organisation_id),
        _count_uploads(session, organisation_id, now),
        _count_agents(session, organisation_id),
    )


def require_run(session: Session, organisation_id: UUID, *, new: int) -> None:
    """Raise QuotaReached if the runs of the organisation and `new` further runs exceed its quota."""
    limit = quota_of(session, organisation_id).runs
    if limit is not None and (count := _count_runs(session, organisation_id)) + new > limit:
        raise QuotaReached(
            f"The organisation may have {limit:,} runs, and has {count:,}. Delete runs that nobody needs, or"
            " ask an operator for more."
        )


def require_upload(
    session: Session, organisation_id: UUID, sizes: Mapping[bytes, int], now: datetime
) -> None:
    """Raise QuotaReached if an upload exceeds the quota of runs, stored bytes or uploads in 24 hours.

    `sizes`: bytes of its files, by SHA-256. Files that are stored already are not counted; if all are,
    nothing is checked.
    """
    quota = quota_of(session, organisation_id)
    if quota.runs is None and quota.stored_bytes is None and quota.uploads_per_day is None:
        return
    stored_hashes = select(RawFile.sha256).where(
        RawFile.organisation_id == organisation_id, RawFile.sha256.in_(list(sizes))
    )
    new = set(sizes) - set(session.scalars(stored_hashes))
    if not new:
        return
    require_run(session, organisation_id, new=1)
    limit, size = quota.stored_bytes, sum(sizes[sha256] for sha256 in new)
    if limit is not None and (stored := _stored_bytes(session, organisation_id)) + size > limit:
        raise QuotaReached(
            f"The organisation may store {_mebibytes(limit)} of files and has {_mebibytes(stored)}; these are"
            f" {_mebibytes(size)}. Delete uploads that nobody needs, or ask an operator for more."
        )
    limit = quota.uploads_per_day
    if limit is not None and _count_uploads(session, organisation_id, now) >= limit:
        raise QuotaReached(
            f"The organisation may send {limit:,} uploads in 24 hours, and has. Send these later, several"
            " files in one upload, or ask an operator for more."
        )


def require_agent(session: Session, organisation_id: UUID) -> None:
    """Raise QuotaReached if the organisation has as many agents as its quota allows."""
    limit = quota_of(session, organisation_id).agents
    if limit is not None and (count := _count_agents(session, organisation_id)) >= limit:
        raise QuotaReached(
            f"The organisation may have {limit:,} agents, and has {count:,}. Remove one under Agents, or ask"
            " an operator for more."
        )


def _count(session: Session, table: type[Base], *conditions: ColumnElement[bool]) -> int:
    return session.scalar(select(func.count()).select_from(table).where(*conditions)) or 0


def _count_runs(session: Session, organisation_id: UUID) -> int:
    return _count(session, Run, Run.organisation_id == organisation_id)


def _stored_bytes(session: Session, organisation_id: UUID) -> int:
    query = select(func.sum(RawFile.size_bytes)).where(RawFile.organisation_id == organisation_id)
    return int(session.scalar(query) or 0)


def _count_uploads(session: Session, organisation_id: UUID, now: datetime) -> int:
    return _count(session, Upload, Upload.organisation_id == organisation_id, Upload.created_at > now - DAY)


def _count_agents(session: Session, organisation_id: UUID) -> int:
    return _count(
        session,
        ServingAgent,
        ServingAgent.organisation_id == organisation_id,
        ServingAgent.removed_at.is_(None),
    )


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MiB"
