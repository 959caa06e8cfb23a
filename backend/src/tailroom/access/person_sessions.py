"""Browser sessions of people: a row for each browser until it ends.

Database sessions are bound to no organisation here.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from tailroom.access.caller import NO_ORGANISATION, SignedIn
from tailroom.access.repository import USE_RESOLUTION, TokenRecord
from tailroom.access.tokens import hash_token, make_session
from tailroom.kit.identifiers import new_id
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import Membership, Passkey, Person, PersonSession, SecondFactor
from tailroom.storage.quota import Quota

_BROWSER_CHARACTERS = 300
_NEEDS_FACTOR = (
    select(Organisation.id)
    .where(Organisation.id == Membership.organisation_id, Organisation.needs_second_factor)
    .correlate(Membership)
)
_HAS_APP = (
    select(SecondFactor.person_id)
    .where(SecondFactor.person_id == Membership.person_id, SecondFactor.confirmed_at.is_not(None))
    .correlate(Membership)
)
_HAS_PASSKEY = (
    select(Passkey.person_id).where(Passkey.person_id == Membership.person_id).correlate(Membership)
)
_MAY_ACT = (
    (Membership.person_id == PersonSession.person_id)
    & (Membership.organisation_id == PersonSession.chosen_organisation_id)
    & (~_NEEDS_FACTOR.exists() | _HAS_APP.exists() | _HAS_PASSKEY.exists())
)
"""Members act for the organisation that they chose, if they have the second factor that it requires."""


def begin(
    session: Session,
    person_id: UUID,
    now: datetime,
    *,
    organisation_id: UUID | None,
    browser: str,
    address: str,
    length: timedelta,
) -> str:
    """Store a new session of a person; return the value of its cookie, of which only the hash is stored.

    `organisation_id`: organisation to act for, None: none; `length`: lifetime. Expired sessions are deleted.
    """
    session.execute(delete(PersonSession).where(PersonSession.expires_at <= now))
    value = make_session()
    session.add(
        PersonSession(
            session_sha256=hash_token(value),
            session_id=new_id(),
            person_id=person_id,
            chosen_organisation_id=organisation_id,
            browser=browser[:_BROWSER_CHARACTERS],
            address=address,
            created_at=now,
            last_used_at=now,
            expires_at=now + length,
        )
    )
    session.flush()
    return value


def end(session: Session, value: str) -> None:
    """End the session of a person, given the value of its cookie, if there is one."""
    session.execute(delete(PersonSession).where(PersonSession.session_sha256 == hash_token(value)))


def end_one(session: Session, person_id: UUID, session_id: UUID) -> bool:
    """End a session of a person by its id, which is no secret; return whether they had such a session."""
    statement = delete(PersonSession).where(
        PersonSession.person_id == person_id, PersonSession.session_id == session_id
    )
    return bool(session.execute(statement.returning(PersonSession.session_id)).first())


def end_all(session: Session, person_id: UUID, *, but: UUID | None = None) -> None:
    """End every session of a person, except the session with the id `but`."""
    statement = delete(PersonSession).where(PersonSession.person_id == person_id)
    session.execute(statement if but is None else statement.where(PersonSession.session_id != but))


def sessions_of(session: Session, person_id: UUID, now: datetime) -> Sequence[PersonSession]:
    """Return the valid sessions of a person, the last used first."""
    query = select(PersonSession).where(PersonSession.person_id == person_id, PersonSession.expires_at > now)
    return session.scalars(query.order_by(PersonSession.last_used_at.desc(), PersonSession.session_id)).all()


def find(session: Session, hashes: Collection[bytes]) -> Mapping[bytes, TokenRecord]:
    """Return the sessions of people with these hashes, by hash, also if they have expired.

    Each has the person's role in the organisation that they chose. A person who is not a member of it, or
    lacks the required second factor, acts as a viewer for `NO_ORGANISATION`.
    """
    query = (
        select(
            PersonSession,
            Person,
            Organisation.id,
            Organisation.name,
            Membership.role,
            Quota.requests_per_minute,
        )
        .join(Person, Person.id == PersonSession.person_id)
        .outerjoin(Membership, _MAY_ACT)
        .outerjoin(Organisation, Organisation.id == Membership.organisation_id)
        .outerjoin(Quota, Quota.organisation_id == Organisation.id)
        .where(PersonSession.session_sha256.in_(hashes))
    )
    return {
        row.session_sha256: TokenRecord(
            None,
            person.email,
            role or "viewer",
            organisation_id or NO_ORGANISATION,
            name or "",
            None,
            row.last_used_at,
            requests_per_minute,
            row.expires_at,
            SignedIn(person.id, person.email, person.name, row.session_id),
        )
        for row, person, organisation_id, name, role, requests_per_minute in session.execute(query)
    }


def store_use(session: Session, sessions: Mapping[bytes, TokenRecord], now: datetime) -> None:
    """Store `now` as last use of sessions, unless used less than a minute before or locked by others."""
    due = [
        key
        for key, entry in sessions.items()
        if entry.last_used_at is not None and now - entry.last_used_at >= USE_RESOLUTION
    ]
    if due:
        free = select(PersonSession.session_sha256).where(PersonSession.session_sha256.in_(due))
        session.execute(
            update(PersonSession)
            .where(PersonSession.session_sha256.in_(free.with_for_update(skip_locked=True).scalar_subquery()))
            .values(last_used_at=now)
            .execution_options(synchronize_session=False)
        )


def valid_person_sessions(session: Session, hashes: Collection[bytes]) -> set[tuple[bytes, UUID | None]]:
    """Return pairs of the hash of a session that is still valid, and the organisation that it acts for.

    The organisation is None if the person may not act for the organisation that they chose.
    """
    if not hashes:
        return set()
    query = (
        select(PersonSession.session_sha256, Membership.organisation_id)
        .outerjoin(Membership, _MAY_ACT)
        .where(PersonSession.session_sha256.in_(hashes), PersonSession.expires_at > func.now())
    )
    return {(key, organisation_id) for key, organisation_id in session.execute(query)}
