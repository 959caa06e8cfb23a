"""Links to private runs: each gives access to the report and chart of one run until it expires or is revoked.

The address contains the secret, is shown once, and is stored as its SHA-256. An ended link discloses only
that it has ended. Verdicts are those by built-in budgets, as for a published run: an organisation's own
budgets stay private.
"""

import hashlib
import re
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import RUN_LINKS
from tailroom.reports.errors import LinksTooMany, LinkUnknown
from tailroom.runs.service import lock_own_run
from tailroom.storage.run_link import RunLink
from tailroom.storage.tombstone import Tombstone, link_subject

PLACE = "/shared"
_SHAPE = re.compile(r"[A-Za-z0-9_-]{43}")


class LinkTarget(NamedTuple):
    """The run that a link gives access to (UUID 0 if deleted), its owner, and whether the link has ended."""

    organisation_id: UUID
    run_id: UUID
    has_ended: bool


def links_of(session: Session, organisation_id: UUID, run_id: UUID) -> list[RunLink]:
    """Return the links of a run, newest first, ended links included.

    Raise RunUnknown if the organisation does not own the run.
    """
    lock_own_run(session, organisation_id, run_id)
    return list(
        session.scalars(
            select(RunLink)
            .where(RunLink.run_id == run_id, RunLink.organisation_id == organisation_id)
            .order_by(RunLink.created_at.desc(), RunLink.link_id)
        )
    )


def make_link(
    session: Session, organisation_id: UUID, run_id: UUID, *, label: str, days: int, now: datetime
) -> str:
    """Store a new link that expires after `days`; return its path, which is not stored.

    Raise RunUnknown if the organisation does not own the run, LinksTooMany if it has `RUN_LINKS` links, ended
    links included.
    """
    lock_own_run(session, organisation_id, run_id)
    count = session.scalar(select(func.count()).select_from(RunLink).where(RunLink.run_id == run_id))
    if (count or 0) >= RUN_LINKS:
        raise LinksTooMany(f"The run has {RUN_LINKS} links already, ended ones among them. No more are made.")
    secret = secrets.token_urlsafe(32)
    link = RunLink(
        run_id=run_id,
        link_id=new_id(),
        organisation_id=organisation_id,
        secret_sha256=_hash(secret),
        label=label,
        created_at=now,
        expires_at=now + timedelta(days=days),
        revoked_at=None,
    )
    session.add(link)
    session.flush()
    return f"{PLACE}/{secret}"


def revoke(session: Session, organisation_id: UUID, run_id: UUID, link_id: UUID, now: datetime) -> None:
    """End a link; a revoked link does not change.

    Raise RunUnknown if the organisation does not own the run, LinkUnknown if the run has no such link.
    """
    lock_own_run(session, organisation_id, run_id)
    link = session.get(RunLink, (run_id, link_id))
    if link is None or link.organisation_id != organisation_id:
        raise LinkUnknown(f"Run {run_id} has no link {link_id}.")
    link.revoked_at = link.revoked_at or now
    session.flush()


def follow(session: Session, secret: str, now: datetime) -> LinkTarget | None:
    """Return the target of a link by its secret, also of an ended link; None if there is no such link.

    The session must not be bound to an organisation.
    """
    if _SHAPE.fullmatch(secret) is None:
        return None
    link = session.scalar(select(RunLink).where(RunLink.secret_sha256 == _hash(secret)))
    if link is None:
        tombstone = session.get(Tombstone, link_subject(_hash(secret)))
        return (
            None if tombstone is None else LinkTarget(tombstone.organisation_id, UUID(int=0), has_ended=True)
        )
    return LinkTarget(
        link.organisation_id, link.run_id, link.revoked_at is not None or link.expires_at <= now
    )


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
