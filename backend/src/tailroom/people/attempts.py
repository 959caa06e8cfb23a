"""Sign-ins in two requests: begun in one, completed once in another within ten minutes."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.orm import Session

from tailroom.access.tokens import hash_token
from tailroom.people.errors import AttemptEnded
from tailroom.storage.person import SignInAttempt

AttemptKind = Literal["oidc", "passkey", "new-passkey", "local"]
"""Single sign-on, sign-in with a passkey, registration of a passkey, or the link of this machine."""
VALID_FOR = timedelta(minutes=10)


class StoredAttempt(NamedTuple):
    """A sign-in that has begun, by `person_id` (None: not yet known), with `details` to complete it."""

    person_id: UUID | None
    details: Mapping[str, Any]


def begin(
    session: Session,
    kind: AttemptKind,
    key: str,
    now: datetime,
    *,
    details: Mapping[str, Any] | None = None,
    person_id: UUID | None = None,
) -> None:
    """Store an attempt, delete expired ones. `key` is sent back to complete it with `details`."""
    session.execute(delete(SignInAttempt).where(SignInAttempt.expires_at <= now))
    session.add(
        SignInAttempt(
            key_sha256=hash_token(key),
            kind=kind,
            person_id=person_id,
            details=dict(details or {}),
            created_at=now,
            expires_at=now + VALID_FOR,
        )
    )
    session.flush()


def take(session: Session, kind: AttemptKind, key: str, now: datetime) -> StoredAttempt:
    """Delete the attempt of a key and return it. Raise AttemptEnded if it is unknown, used or expired.

    It needs a transaction of its own, so that a key is used up even if the sign-in then fails.
    """
    statement = delete(SignInAttempt).where(
        SignInAttempt.key_sha256 == hash_token(key),
        SignInAttempt.kind == kind,
        SignInAttempt.expires_at > now,
    )
    row = session.execute(statement.returning(SignInAttempt.person_id, SignInAttempt.details)).one_or_none()
    if row is None:
        raise AttemptEnded(
            "It was not begun here, has come back already, or took too long. Sign in once more."
        )
    return StoredAttempt(row.person_id, row.details)
