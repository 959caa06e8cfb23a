"""Decides how long a way of signing in that has begun is waited for, and that it comes back once at most."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.orm import Session

from tailroom.access.tokens import hash_token
from tailroom.people.errors import AttemptEnded
from tailroom.storage.person import SignInAttempt

Kind = Literal["oidc", "passkey", "new-passkey", "local"]
HOLDS = timedelta(minutes=10)


class Taken(NamedTuple):
    """What was remembered."""

    person_id: UUID | None
    details: Mapping[str, Any]


def begin(
    session: Session,
    kind: Kind,
    key: str,
    now: datetime,
    *,
    details: Mapping[str, Any] | None = None,
    person_id: UUID | None = None,
) -> None:
    """Remembers an attempt under a random value that goes out; forgets what has expired."""
    session.execute(delete(SignInAttempt).where(SignInAttempt.expires_at <= now))
    session.add(
        SignInAttempt(
            key_sha256=hash_token(key),
            kind=kind,
            person_id=person_id,
            details=dict(details or {}),
            created_at=now,
            expires_at=now + HOLDS,
        )
    )
    session.flush()


def take(session: Session, kind: Kind, key: str, now: datetime) -> Taken:
    """Takes it, for a transaction of its own: what comes twice finds nothing, even where the first failed.

    Raises AttemptEnded.
    """
    gone = delete(SignInAttempt).where(
        SignInAttempt.key_sha256 == hash_token(key),
        SignInAttempt.kind == kind,
        SignInAttempt.expires_at > now,
    )
    found = session.execute(gone.returning(SignInAttempt.person_id, SignInAttempt.details)).one_or_none()
    if found is None:
        raise AttemptEnded(
            "It was not begun here, has come back already, or took too long. Sign in once more."
        )
    return Taken(found.person_id, found.details)
