"""Sessions of people: a row for each browser, which is gone when it has ended. For transactions that are
nobody's.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from tailroom.access.caller import SignedIn
from tailroom.access.repository import USE_RESOLUTION, FoundToken
from tailroom.access.tokens import SESSION_LENGTH, hash_token, make_session
from tailroom.kit.identifiers import new_id
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import Membership, Passkey, Person, PersonSession, SecondFactor

_BROWSER_CHARACTERS = 300
_ASKS_FOR_MORE = (
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
    & (~_ASKS_FOR_MORE.exists() | _HAS_APP.exists() | _HAS_PASSKEY.exists())
)
"""Members act for the organisation that they chose, if they have the second factor that it asks for."""


def begin(
    session: Session,
    person_id: UUID,
    now: datetime,
    *,
    organisation_id: UUID | None,
    browser: str,
    address: str,
    length: timedelta = SESSION_LENGTH,
) -> str:
    """Signs a person in; the value for the cookie, which is not kept anywhere. Forgets what has expired."""
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
    """Ends the session of a cookie. Harmless when there is none."""
    session.execute(delete(PersonSession).where(PersonSession.session_sha256 == hash_token(value)))


def end_one(session: Session, person_id: UUID, session_id: UUID) -> bool:
    """Ends a session of a person by its public id; False when there is none."""
    gone = delete(PersonSession).where(
        PersonSession.person_id == person_id, PersonSession.session_id == session_id
    )
    return bool(session.execute(gone.returning(PersonSession.session_id)).first())


def end_all(session: Session, person_id: UUID, *, but: UUID | None = None) -> None:
    """Ends every session of a person, but for one if somebody is to stay."""
    gone = delete(PersonSession).where(PersonSession.person_id == person_id)
    session.execute(gone if but is None else gone.where(PersonSession.session_id != but))


def sessions_of(session: Session, person_id: UUID, now: datetime) -> Sequence[PersonSession]:
    """Where a person is signed in, the last used first."""
    query = select(PersonSession).where(PersonSession.person_id == person_id, PersonSession.expires_at > now)
    return session.scalars(query.order_by(PersonSession.last_used_at.desc(), PersonSession.session_id)).all()


def find(session: Session, hashes: Collection[bytes], nobody: UUID) -> Mapping[bytes, FoundToken]:
    """The sessions with these hashes, each with the role in the organisation that was chosen; one statement.

    Whoever is no member of it, or lacks the second factor that it asks for, acts for `nobody`, which owns
    nothing, as a viewer.
    """
    query = (
        select(PersonSession, Person, Organisation.id, Organisation.name, Membership.role)
        .join(Person, Person.id == PersonSession.person_id)
        .outerjoin(
            Membership,
            _MAY_ACT,
        )
        .outerjoin(Organisation, Organisation.id == Membership.organisation_id)
        .where(PersonSession.session_sha256.in_(hashes))
    )
    return {
        row.session_sha256: FoundToken(
            None,
            person.email,
            role or "viewer",
            organisation_id or nobody,
            name or "",
            None,
            row.last_used_at,
            row.expires_at,
            SignedIn(person.id, person.email, person.name, row.session_id),
        )
        for row, person, organisation_id, name, role in session.execute(query)
    }


def note_use(session: Session, found: Mapping[bytes, FoundToken], now: datetime) -> None:
    """Remembers that sessions were used, to the minute. Skips rows that somebody else is writing just now."""
    due = [
        key
        for key, one in found.items()
        if one.last_used_at is not None and now - one.last_used_at >= USE_RESOLUTION
    ]
    if due:
        free = select(PersonSession.session_sha256).where(PersonSession.session_sha256.in_(due))
        session.execute(
            update(PersonSession)
            .where(PersonSession.session_sha256.in_(free.with_for_update(skip_locked=True).scalar_subquery()))
            .values(last_used_at=now)
            .execution_options(synchronize_session=False)
        )


def standing(session: Session, hashes: Collection[bytes]) -> set[tuple[bytes, UUID | None]]:
    """Of these sessions, those that stand, each with the organisation that its person acts for."""
    if not hashes:
        return set()
    query = (
        select(PersonSession.session_sha256, Membership.organisation_id)
        .outerjoin(
            Membership,
            _MAY_ACT,
        )
        .where(PersonSession.session_sha256.in_(hashes), PersonSession.expires_at > func.now())
    )
    return {(key, organisation_id) for key, organisation_id in session.execute(query)}
