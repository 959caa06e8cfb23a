"""Audit trail of an organisation: a chain of events (docs/adr/0085).

An event is added in the transaction of the change. Each has the SHA-256 of the event before it, so that a row
that was changed, removed or inserted breaks the chain from there on.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
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
        Capability.OBJECT,
        Capability.WATCH,
        Capability.DELETE,
        Capability.RETRY,
        Capability.MANAGE_MEMBERS,
        Capability.MANAGE_ORGANISATION,
    }
)
"""Capabilities whose changes the routes record. The endpoints of tokens record their changes themselves."""
_FIRST = bytes(32)
_NOTE = "tailroom.trail"


@dataclass(frozen=True, slots=True)
class Actor:
    """Person or program that made a change, and its network address (empty if unknown).

    `id`: of the person or token; None for local access and for operators without an account.
    """

    kind: Literal["person", "token", "local", "operator"]
    name: str
    id: UUID | None = None
    address: str = ""


OPERATOR = Actor("operator", "command line")
"""The operator, who uses the command line."""


@dataclass(frozen=True, slots=True)
class Note:
    """Details that an endpoint adds to the event of a change: subject, values before and after."""

    subject: str
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


def actor_of(caller: Caller, address: str) -> Actor:
    """Return the caller as the actor of an event: a person, this machine, or a token."""
    if caller.person is not None:
        return Actor("person", caller.person.email, caller.person.person_id, address)
    if caller.access == "local":
        return Actor("local", "this machine", None, address)
    return Actor("token", caller.token_name, caller.token_id, address)


def operator_of(caller: Caller, address: str) -> Actor:
    """Return the caller as an operator, as organisations see them in their audit trail."""
    if caller.person is None:
        return Actor("operator", "operator's token", None, address)
    return Actor("operator", caller.person.email, caller.person.person_id, address)


def note(session: Session, subject: str, **changes: Mapping[str, Any] | None) -> None:
    """Set the details of the change in this transaction, for `record`; earlier details are replaced."""
    session.info[_NOTE] = Note(subject, **changes)


def noted(session: Session) -> Note | None:
    """Return the details of the change in this transaction; None if no endpoint set them."""
    details: Note | None = session.info.get(_NOTE)
    return details


def record(session: Session, organisation_id: UUID, actor: Actor, action: str, details: Note) -> None:
    """Add an event to the trail of an organisation, and lock the organisation until the transaction ends."""
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
        subject=details.subject,
        before=None if details.before is None else dict(details.before),
        after=None if details.after is None else dict(details.after),
        previous_sha256=_FIRST if last is None else last.sha256,
    )
    event.sha256 = hash_of(event)
    session.add(event)
    session.flush()


def hash_of(event: TrailEvent) -> bytes:
    """Return the SHA-256 of an event over all its other columns, as JSON."""
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
class TrailVerification:
    """Result of verifying the trail of an organisation.

    `events`: number of valid events before the first problem; `problem`: its description, None if all are
    valid.
    """

    events: int
    head: str
    """SHA-256 of the last valid event, in hexadecimal; a stored copy reveals a later removal of events."""
    problem: str | None


def verify(session: Session, organisation_id: UUID) -> TrailVerification:
    """Verify an organisation's events, from the first up to the first problem; return the result.

    Removal of the newest events is not noticed. Without events: 0 events, and a head of 64 zeros.
    """
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
            return TrailVerification(number - 1, previous.hex(), f"event {number} is missing")
        if event.previous_sha256 != previous:
            return TrailVerification(
                number - 1, previous.hex(), f"event {number} does not follow the one before"
            )
        if hash_of(event) != event.sha256:
            return TrailVerification(
                number - 1, previous.hex(), f"event {number} was changed on {event.happened_at}"
            )
        previous = event.sha256
    return TrailVerification(number, previous.hex(), None)


def events(
    session: Session,
    organisation_id: UUID,
    *,
    below: int | None = None,
    actor: str | None = None,
    action: str | None = None,
    limit: int,
) -> list[TrailEvent]:
    """Return events of an organisation, the newest first, at most `limit`.

    `below`: with smaller numbers than this; `actor`, `action`: with this text in that column, in any case.
    None: no restriction.
    """
    query = select(TrailEvent).where(TrailEvent.organisation_id == organisation_id)
    if below is not None:
        query = query.where(TrailEvent.number < below)
    if actor:
        query = query.where(TrailEvent.actor.icontains(actor, autoescape=True))
    if action:
        query = query.where(TrailEvent.action.icontains(action, autoescape=True))
    return list(session.scalars(query.order_by(TrailEvent.number.desc()).limit(limit)))
