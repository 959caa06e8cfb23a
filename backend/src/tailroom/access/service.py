"""Creation and revocation of access tokens and of sessions of browsers."""

from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.orm import Session

from tailroom.access import repository
from tailroom.access.caller import Caller
from tailroom.access.capabilities import Scope
from tailroom.access.errors import TokenScope
from tailroom.access.tokens import SESSION_LENGTH, hash_token, make_session, make_token
from tailroom.kit.identifiers import new_id
from tailroom.storage.access_token import AccessToken, BrowserSession


def begin_session(session: Session, caller: Caller, now: datetime) -> str:
    """Begin a browser session with the caller's token; return the value of its cookie.

    Only its hash is stored. Raise TokenScope for an agent's token, and for a caller without a token.
    """
    if caller.scope == "agent" or caller.token_id is None:
        raise TokenScope(
            "An agent's token cannot sign in to the pages; make a viewer's or an engineer's token with"
            " `tailroom token create --scope viewer`."
        )
    value = make_session()
    repository.add_session(
        session, hash_token(value), caller.organisation_id, caller.token_id, now=now, length=SESSION_LENGTH
    )
    return value


def end_session(session: Session, value: str) -> None:
    """End the session of a token, given the value of its cookie, if there is one."""
    session.execute(delete(BrowserSession).where(BrowserSession.session_sha256 == hash_token(value)))


def create_token(
    session: Session, organisation_name: str, name: str, scope: Scope, now: datetime
) -> tuple[AccessToken, str]:
    """Store a new token of the operator's organisation of this name; return its row and its text.

    The organisation is created if missing. Only the hash of the text is stored.
    """
    organisation = repository.ensure_organisation(session, organisation_name, now)
    return add_token(session, organisation.id, name, scope, now)


def add_token(
    session: Session,
    organisation_id: UUID,
    name: str,
    scope: str,
    now: datetime,
    *,
    expires_at: datetime | None = None,
    issuer_id: UUID | None = None,
) -> tuple[AccessToken, str]:
    """Store a new token of an existing organisation; return its row and its text.

    `expires_at` None: it does not expire; `issuer_id`: person or token that made it, None: the operator. Only
    the hash of the text is stored.
    """
    text = make_token(cast(Scope, scope))
    token = AccessToken(
        id=new_id(),
        organisation_id=organisation_id,
        name=name,
        scope=scope,
        token_sha256=hash_token(text),
        created_at=now,
        expires_at=expires_at,
        issuer_id=issuer_id,
    )
    session.add(token)
    session.flush()
    return token, text


def revoke_token(session: Session, token_id: UUID, now: datetime) -> AccessToken | None:
    """Revoke a token, which ends its sessions too, and return it; None if there is no such token.

    A token that was revoked before is returned unchanged.
    """
    token = session.get(AccessToken, token_id)
    if token is not None and token.revoked_at is None:
        token.revoked_at = now
    return token
