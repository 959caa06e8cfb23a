"""Queries about organisations and access tokens."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.kit.identifiers import new_id
from tailroom.storage.access_token import AccessToken
from tailroom.storage.organisation import Organisation

_USE_RESOLUTION = timedelta(minutes=1)
"""`last_used_at` is written at most this often, so that reading does not become writing."""


def ensure_organisation(session: Session, name: str, now: datetime) -> Organisation:
    """The organisation of that name, made where there is none; two at once get the same."""
    found = session.scalar(select(Organisation).where(Organisation.name == name))
    if found is not None:
        return found
    session.execute(
        insert(Organisation).values(id=new_id(), name=name, created_at=now).on_conflict_do_nothing()
    )
    return session.scalars(select(Organisation).where(Organisation.name == name)).one()


def find_organisation(session: Session, name: str) -> Organisation | None:
    """The organisation of that name."""
    return session.scalar(select(Organisation).where(Organisation.name == name))


def add_token(session: Session, token: AccessToken) -> None:
    """Stores a token."""
    session.add(token)
    session.flush()


def find_token_by_hash(session: Session, token_sha256: bytes) -> tuple[AccessToken, Organisation] | None:
    """The token with that hash and its organisation, revoked or not."""
    return _found(session, AccessToken.token_sha256 == token_sha256)


def find_token_by_id(session: Session, token_id: UUID) -> tuple[AccessToken, Organisation] | None:
    """The token with that id and its organisation, revoked or not."""
    return _found(session, AccessToken.id == token_id)


def _found(session: Session, condition: object) -> tuple[AccessToken, Organisation] | None:
    query = (
        select(AccessToken, Organisation)
        .join(Organisation, Organisation.id == AccessToken.organisation_id)
        .where(condition)  # type: ignore[arg-type]
    )
    row = session.execute(query).one_or_none()
    return None if row is None else (row[0], row[1])


def list_tokens(session: Session, organisation_id: UUID | None = None) -> Sequence[tuple[AccessToken, str]]:
    """Tokens with the names of their organisations, newest last."""
    query = (
        select(AccessToken, Organisation.name)
        .join(Organisation, Organisation.id == AccessToken.organisation_id)
        .order_by(AccessToken.created_at, AccessToken.id)
    )
    if organisation_id is not None:
        query = query.where(AccessToken.organisation_id == organisation_id)
    return [(token, name) for token, name in session.execute(query)]


def note_use(session: Session, token: AccessToken, now: datetime) -> None:
    """Remembers that the token was used, to the minute. Skips a row that somebody else is writing
    just now.
    """
    if token.last_used_at is not None and now - token.last_used_at < _USE_RESOLUTION:
        return
    free = (
        select(AccessToken.id)
        .where(AccessToken.id == token.id)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    session.execute(
        update(AccessToken)
        .where(AccessToken.id == free)
        .values(last_used_at=now)
        .execution_options(synchronize_session=False)
    )
