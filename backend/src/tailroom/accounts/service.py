"""Decides who a request speaks for: by bearer token, by session cookie, or, on one machine, by
being local.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.accounts import repository
from tailroom.accounts.errors import TokenMissing, TokenScope, TokenUnknown
from tailroom.accounts.session_cookie import SessionSigner
from tailroom.accounts.tokens import Scope, hash_token, looks_like_token, make_token
from tailroom.kit.identifiers import new_id
from tailroom.storage.access_token import AccessToken
from tailroom.storage.organisation import LOCAL_ORGANISATION, Organisation


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: an organisation, with what scope, known how."""

    organisation_id: UUID
    organisation_name: str
    scope: Scope
    access: Literal["local", "token"]
    token_id: UUID | None
    by_browser: bool
    """Known by a cookie or by being local, which a browser adds to requests of other sites' pages too."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request brought along."""

    authorization: str | None
    cookie: str | None


def identify(
    session: Session,
    credentials: Credentials,
    signer: SessionSigner,
    *,
    local_access: bool,
    now: datetime,
) -> Principal:
    """Who asks. A bearer token counts before a cookie, a cookie before being local.

    Raises TokenMissing when there is nothing to go by, TokenUnknown when what there is does not hold.
    """
    if credentials.authorization is not None:
        return _by_bearer(session, credentials.authorization, now)
    if credentials.cookie is not None:
        token_id = signer.read(credentials.cookie, now)
        found = None if token_id is None else repository.find_token_by_id(session, token_id)
        if found is not None and found[0].revoked_at is None:
            return _principal(*found, by_browser=True)
        if not local_access:
            raise TokenUnknown("The session has ended or its token was revoked; sign in again.")
    if local_access:
        organisation = repository.ensure_organisation(session, LOCAL_ORGANISATION, now)
        return Principal(organisation.id, organisation.name, "viewer", "local", None, by_browser=True)
    raise TokenMissing(
        "This endpoint needs `Authorization: Bearer <token>` or a session."
        " Make a token with `tailroom token create`."
    )


def may_be_token(authorization: str | None) -> bool:
    """Whether the header holds something of a token's shape; whether it is one only the database knows."""
    kind, _, text = (authorization or "").partition(" ")
    return kind.lower() == "bearer" and looks_like_token(text.strip())


def _by_bearer(session: Session, authorization: str, now: datetime) -> Principal:
    kind, _, text = authorization.partition(" ")
    text = text.strip()
    if kind.lower() != "bearer" or not text:
        raise TokenMissing("The Authorization header must read `Bearer <token>`.")
    found = repository.find_token_by_hash(session, hash_token(text)) if looks_like_token(text) else None
    if found is None:
        raise TokenUnknown(
            "No such access token. Check that it was copied whole, or make one with `tailroom token create`."
        )
    token, organisation = found
    if token.revoked_at is not None:
        raise TokenUnknown(
            f"The access token “{token.name}” was revoked on {token.revoked_at:%Y-%m-%d %H:%M} UTC;"
            " make another with `tailroom token create`."
        )
    repository.note_use(session, token, now)
    return _principal(token, organisation, by_browser=False)


def sign_in(session: Session, token_text: str, now: datetime) -> Principal:
    """The principal of a token that a person typed. Agents' tokens write and are not for browsers.

    Raises TokenUnknown, TokenScope.
    """
    principal = _by_bearer(session, f"Bearer {token_text}", now)
    if principal.scope != "viewer":
        raise TokenScope(
            "An agent's token cannot sign in to the pages; make a viewer's token with"
            " `tailroom token create --scope viewer`."
        )
    return principal


def require_agent(principal: Principal) -> Principal:
    """Lets agents through. Raises TokenScope for viewers, TokenMissing for local requests without a token."""
    if principal.access == "local":
        raise TokenMissing("Sending measurements needs an agent's token, also on this machine.")
    if principal.scope != "agent":
        raise TokenScope(
            "A viewer's token cannot send measurements; make an agent's token with"
            " `tailroom token create --scope agent`."
        )
    return principal


def create_token(
    session: Session, organisation_name: str, name: str, scope: Scope, now: datetime
) -> tuple[AccessToken, str]:
    """A new token of the organisation (made where there is none) and its text, which is not kept anywhere."""
    organisation = repository.ensure_organisation(session, organisation_name, now)
    text = make_token(scope)
    token = AccessToken(
        id=new_id(),
        organisation_id=organisation.id,
        name=name,
        scope=scope,
        token_sha256=hash_token(text),
        created_at=now,
    )
    repository.add_token(session, token)
    return token, text


def revoke_token(session: Session, token_id: UUID, now: datetime) -> AccessToken | None:
    """Ends a token and every session made with it. None when there is no such token; harmless when done
    twice.
    """
    found = repository.find_token_by_id(session, token_id)
    if found is None:
        return None
    token = found[0]
    if token.revoked_at is None:
        token.revoked_at = now
    return token


def _principal(token: AccessToken, organisation: Organisation, *, by_browser: bool) -> Principal:
    scope = cast("Scope", token.scope)
    return Principal(organisation.id, organisation.name, scope, "token", token.id, by_browser=by_browser)
