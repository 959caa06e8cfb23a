"""Decides what is on record of who did what, and whether the record is whole (docs/adr/0085).

An event is added in the transaction of what it tells of: both are stored, or neither is. Each has the SHA-256
of the one before, so that a row that was changed, taken out or put between breaks the chain from there on.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.repository import lock_organisation
from tailroom.kit.clock import utc_now
from tailroom.storage.trail import TrailEvent

RECORDED = frozenset(
    {
        Capability.STOP,
        Capability.MANAGE_AGENTS,
        Capability.RUN_CAMPAIGNS,
        Capability.UPLOAD,
        Capability.PUBLISH,
        Capability.EDIT_BUDGETS,
        Capability.EDIT_CATALOGUE,
        Capability.WATCH,
        Capability.DELETE,
        Capability.RETRY,
        Capability.MANAGE_MEMBERS,
        Capability.MANAGE_ORGANISATION,
    }
)
"""Whoever changes something by one of these leaves an event. Agents that send do not: their runs are on
record. Tokens are changed in transactions that are nobody's, and leave their events there.
"""
_FIRST = bytes(32)
_NOTE = "tailroom.trail"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it, and from where."""

    kind: Literal["person", "token", "local", "operator"]
    name: str
    id: UUID | None = None
    address: str = ""


OPERATOR = Actor("operator", "command line")
"""Whoever runs the server."""


@dataclass(frozen=True, slots=True)
class Note:
    """What an endpoint says of its change, besides that it was asked for."""

    subject: str
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


def actor_of(caller: Caller, address: str) -> Actor:
    """The caller as the trail names them."""
    if caller.person is not None:
        return Actor("person", caller.person.email, caller.person.person_id, address)
    if caller.access == "local":
        return Actor("local", "this machine", None, address)
    return Actor("token", caller.token_name, caller.token_id, address)


def note(session: Session, subject: str, **changes: Mapping[str, Any] | None) -> None:
    """Says what the change of this transaction was: its subject, and values `before` and `after`."""
    session.info[_NOTE] = Note(subject, **changes)


def noted(session: Session) -> Note | None:
    """What was said of the change of this transaction."""
    found: Note | None = session.info.get(_NOTE)
    return found


def record(session: Session, organisation_id: UUID, actor: Actor, action: str, what: Note) -> None:
    """Adds an event. Whoever adds another to the same organisation waits until this transaction ends."""
    lock_organisation(session, organisation_id)
    last = session.execute(
        select(TrailEvent.number, TrailEvent.sha256)
        .where(TrailEvent.organisation_id == organisation_id)
        .order_by(TrailEvent.number.desc())
        .limit(1)
    ).one_or_none()
    event = TrailEvent(
        organisation_id=organisation_id,
        number=1 if last is None else last.number + 1,
        happened_at=utc_now(),
        actor_kind=actor.kind,
        actor=actor.name,
        actor_id=actor.id,
        address=actor.address,
        action=action,
        subject=what.subject,
        before=None if what.before is None else dict(what.before),
        after=None if what.after is None else dict(what.after),
        previous_sha256=_FIRST if last is None else last.sha256,
    )
    event.sha256 = hash_of(event)
    session.add(event)
    session.flush()


def hash_of(event: TrailEvent) -> bytes:
    """SHA-256 over everything else in the row, as JSON with sorted keys."""
    content = [
        str(event.organisation_id),
        event.number,
        event.happened_at.astimezone(UTC).isoformat(timespec="microseconds"),
        event.actor_kind,
        event.actor,
        None if event.actor_id is None else str(event.actor_id),
        event.address,
        event.action,
        event.subject,
        event.before,
        event.after,
        event.previous_sha256.hex(),
    ]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True, slots=True)
class Verified:
    """What a look at the whole trail of an organisation found."""

    events: int
    head: str
    """SHA-256 of the newest event: whoever wrote it down notices when later ones are taken away."""
    problem: str | None


def verify(session: Session, organisation_id: UUID) -> Verified:
    """Goes through every event of an organisation, from the first."""
    rows = session.scalars(
        select(TrailEvent)
        .where(TrailEvent.organisation_id == organisation_id)
        .order_by(TrailEvent.number)
        .execution_options(yield_per=1000)
    )
    previous, number = _FIRST, 0
    for event in rows:
        number += 1
        if event.number != number:
            return Verified(number - 1, previous.hex(), f"event {number} is missing")
        if event.previous_sha256 != previous:
            return Verified(number - 1, previous.hex(), f"event {number} does not follow the one before")
        if hash_of(event) != event.sha256:
            return Verified(number - 1, previous.hex(), f"event {number} was changed on {event.happened_at}")
        previous = event.sha256
    return Verified(number, previous.hex(), None)


def events(
    session: Session,
    organisation_id: UUID,
    *,
    below: int | None = None,
    actor: str | None = None,
    action: str | None = None,
    since: datetime | None = None,
    limit: int,
) -> list[TrailEvent]:
    """Events of an organisation, the newest first; with parts of the actor's name and of the action."""
    query = select(TrailEvent).where(TrailEvent.organisation_id == organisation_id)
    if below is not None:
        query = query.where(TrailEvent.number < below)
    if actor:
        query = query.where(TrailEvent.actor.icontains(actor, autoescape=True))
    if action:
        query = query.where(TrailEvent.action.icontains(action, autoescape=True))
    if since is not None:
        query = query.where(TrailEvent.happened_at >= since)
    return list(session.scalars(query.order_by(TrailEvent.number.desc()).limit(limit)))
