"""Queries about organisations, access tokens and sessions of browsers."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg import Connection
from sqlalchemy import Select, delete, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.access.caller import SignedIn
from tailroom.kit.db import psycopg_connection
from tailroom.kit.identifiers import new_id
from tailroom.storage.access_token import AccessToken, BrowserSession
from tailroom.storage.organisation import OPERATOR, Organisation
from tailroom.storage.quota import Quota
from tailroom.storage.run import AGENT, Run

_TOKENS = (
    "SELECT token.token_sha256, token.id, token.name, token.scope, organisation.id, organisation.name,"
    " token.revoked_at, token.last_used_at, quota.requests_per_minute, token.expires_at"
    " FROM access_token AS token JOIN organisation ON organisation.id = token.organisation_id"
    " LEFT JOIN quota ON quota.organisation_id = organisation.id"
    " WHERE token.token_sha256 = ANY(%(hashes)s)"
)
USE_RESOLUTION = timedelta(minutes=1)
"""`last_used_at` is written at most this often, so that reads do not become writes."""


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A stored token or session with its organisation, also if it is revoked or expired.

    `name` and `scope`: of the token; for a session of a person, their e-mail address and role.
    """

    token_id: UUID | None
    """None for people and for local access."""
    name: str
    scope: str
    organisation_id: UUID
    organisation_name: str
    revoked_at: datetime | None
    """None: it was not revoked. For a session of a token: that of the token."""
    last_used_at: datetime | None
    """Last use to the minute, of the token or the session of a person; None: not used yet."""
    requests_per_minute: int | None = None
    """Quota of the organisation; None: no limit."""
    expires_at: datetime | None = None
    """End of the session or of the token, whichever is first; None: it does not expire."""
    person: SignedIn | None = None
    """Person of a session that began with a password or the like; None for a token."""


def ensure_organisation(session: Session, name: str, now: datetime) -> Organisation:
    """Return the operator's organisation of that name; create it if missing."""
    organisation = find_organisation(session, name)
    if organisation is not None:
        return organisation
    row = {"id": new_id(), "name": name, "created_at": now, "made_by": OPERATOR}
    session.execute(insert(Organisation).values(row).on_conflict_do_nothing())
    return session.scalars(_select_of_operator(name)).one()


def find_organisation(session: Session, name_or_id: str) -> Organisation | None:
    """Return any organisation by its id, or the operator's organisation by its name; None if there is none.

    People may give their organisations equal names, so those have no look-up by name. A text in the form of a
    UUID is only an id.
    """
    with suppress(ValueError):
        return session.get(Organisation, UUID(name_or_id))
    return session.scalar(_select_of_operator(name_or_id))


def _select_of_operator(name: str) -> Select[Organisation]:
    return select(Organisation).where(Organisation.name == name, Organisation.made_by == OPERATOR)


def add_session(
    session: Session,
    sha256: bytes,
    organisation_id: UUID,
    token_id: UUID,
    *,
    now: datetime,
    length: timedelta,
) -> None:
    """Store a browser session of a token, or a short token of an agent, by its hash.

    `length`: time until it expires. Expired sessions of all tokens are deleted.
    """
    session.execute(delete(BrowserSession).where(BrowserSession.expires_at <= now))
    session.add(
        BrowserSession(
            session_sha256=sha256,
            organisation_id=organisation_id,
            token_id=token_id,
            created_at=now,
            expires_at=now + length,
        )
    )
    session.flush()


def find_tokens(connection: Connection[Any], hashes: Collection[bytes]) -> Mapping[bytes, TokenRecord]:
    """Return the tokens with these hashes, by hash, also revoked and expired tokens."""
    with connection.cursor(binary=True) as cursor:
        cursor.execute(_TOKENS, {"hashes": list(hashes)})
        return {row[0]: TokenRecord(*row[1:]) for row in cursor.fetchall()}


def find_token(session: Session, token_sha256: bytes) -> TokenRecord | None:
    """Return the token with that hash, also if it is revoked or expired; None if there is none."""
    return find_tokens(psycopg_connection(session), [token_sha256]).get(token_sha256)


def find_sessions(session: Session, hashes: Collection[bytes]) -> Mapping[bytes, TokenRecord]:
    """Return the browser sessions and short tokens with these hashes, by hash, also if revoked or expired.

    Sessions of people are in `person_sessions`.
    """
    query = (
        _tokens(BrowserSession.session_sha256, func.least(BrowserSession.expires_at, AccessToken.expires_at))
        .join(BrowserSession, BrowserSession.token_id == AccessToken.id)
        .where(BrowserSession.session_sha256.in_(hashes))
    )
    return {row[0]: TokenRecord(*row[1:]) for row in session.execute(query)} if hashes else {}


def _tokens(key: Any, *further: Any) -> Select[Any]:
    return (
        select(
            key,
            AccessToken.id,
            AccessToken.name,
            AccessToken.scope,
            Organisation.id,
            Organisation.name,
            AccessToken.revoked_at,
            AccessToken.last_used_at,
            Quota.requests_per_minute,
            *further,
        )
        .join(Organisation, Organisation.id == AccessToken.organisation_id)
        .outerjoin(Quota, Quota.organisation_id == Organisation.id)
    )


def lock_organisation(session: Session, organisation_id: UUID) -> None:
    """Lock an organisation until the transaction ends. No effect if there is none of this id.

    Locks are taken in one order, to avoid deadlocks: the person, organisations by id, and then everything
    else, runs before due work.
    """
    session.execute(
        select(Organisation.id).where(Organisation.id == organisation_id).with_for_update(key_share=True)
    )


def list_tokens(session: Session, organisation_id: UUID | None = None) -> Sequence[tuple[AccessToken, str]]:
    """Return tokens, also revoked and expired, with the names of their organisations, the newest last.

    `organisation_id` None: of all organisations.
    """
    query = (
        select(AccessToken, Organisation.name)
        .join(Organisation, Organisation.id == AccessToken.organisation_id)
        .order_by(AccessToken.created_at, AccessToken.id)
    )
    if organisation_id is not None:
        query = query.where(AccessToken.organisation_id == organisation_id)
    return [(token, name) for token, name in session.execute(query)]


def count_valid_tokens(session: Session, organisation_id: UUID, now: datetime) -> int:
    """Return the number of an organisation's tokens that are neither revoked nor expired."""
    query = select(func.count()).where(
        AccessToken.organisation_id == organisation_id, AccessToken.valid_at(now)
    )
    return session.scalar(query) or 0


def due_for_use(tokens: Collection[TokenRecord], now: datetime) -> set[UUID | None]:
    """Return the ids of unrevoked tokens whose stored last use is missing or at least a minute old."""
    return {
        token.token_id
        for token in tokens
        if token.revoked_at is None
        and (token.last_used_at is None or now - token.last_used_at >= USE_RESOLUTION)
    }


def store_use(session: Session, due: Collection[UUID | None], now: datetime) -> None:
    """Store `now` as the time of last use of the tokens with the ids `due`, unless locked by others."""
    free = select(AccessToken.id).where(AccessToken.id.in_(due)).with_for_update(skip_locked=True)
    session.execute(
        update(AccessToken)
        .where(AccessToken.id.in_(free.scalar_subquery()))
        .values(last_used_at=now)
        .execution_options(synchronize_session=False)
    )


def valid_tokens(session: Session, token_ids: Collection[UUID]) -> set[UUID]:
    """Return the subset of these token ids whose tokens are neither revoked nor expired."""
    query = select(AccessToken.id).where(AccessToken.id.in_(token_ids), AccessToken.valid_at(func.now()))
    return set(session.scalars(query)) if token_ids else set()


def valid_token_sessions(session: Session, hashes: Collection[bytes]) -> set[bytes]:
    """Return the subset of these hashes of browser sessions, signed in by a token, that are stored and not
    expired.
    """
    query = select(BrowserSession.session_sha256).where(
        BrowserSession.session_sha256.in_(hashes), BrowserSession.expires_at > func.now()
    )
    return set(session.scalars(query)) if hashes else set()


def is_agents_run(session: Session, organisation_id: UUID, run_id: UUID) -> bool:
    """Return whether the run belongs to the organisation and was sent by an agent."""
    query = exists().where(Run.run_id == run_id, Run.organisation_id == organisation_id, Run.source == AGENT)
    return bool(session.scalar(select(query)))
