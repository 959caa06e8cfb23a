"""Rights of live streams: a stream stays open as long as a new request for it would be allowed.

They are checked each second; streams stay open while the database is unavailable.
"""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select

from tailroom.access import person_sessions, repository
from tailroom.access.caller import NO_ORGANISATION, Caller
from tailroom.kit.db import Database
from tailroom.storage.run import PUBLIC, Run


@dataclass(frozen=True, slots=True)
class StreamRight:
    """Grounds of a stream's right: its run, and the caller's organisation, token and browser session.

    Without a token or session, that part of the right is not checked.
    """

    run_id: UUID
    organisation_id: UUID
    token_id: UUID | None
    session_sha256: bytes | None

    @classmethod
    def of(cls, caller: Caller, run_id: UUID) -> "StreamRight":
        """Return the right of an authenticated caller to stream this run."""
        return cls(run_id, caller.organisation_id, caller.token_id, caller.session_sha256)


def valid_rights(database: Database, rights: Collection[StreamRight]) -> set[StreamRight]:
    """Return those of the rights that a new request would have now. Raise a database error if that fails."""
    tokens = {right.token_id for right in rights if right.token_id is not None}
    sessions = {right.session_sha256 for right in rights if right.session_sha256 is not None}
    with database.transaction() as session:
        valid_tokens = repository.valid_tokens(session, tokens)
        valid_sessions = repository.valid_token_sessions(session, sessions)
        # A caller who has switched to another organisation, or left it, has lost the right.
        people = person_sessions.valid_person_sessions(session, sessions - valid_sessions)
        query = select(Run.run_id, Run.organisation_id, Run.visibility).where(
            Run.run_id.in_({right.run_id for right in rights})
        )
        runs = {run_id: (owner, visibility) for run_id, owner, visibility in session.execute(query)}

    def is_signed_in(right: StreamRight) -> bool:
        """Return whether the right has no browser session, or a valid one of its organisation."""
        organisation_id = None if right.organisation_id == NO_ORGANISATION else right.organisation_id
        return (
            right.session_sha256 is None
            or right.session_sha256 in valid_sessions
            or (right.session_sha256, organisation_id) in people
        )

    def may_read(right: StreamRight) -> bool:
        owner, visibility = runs.get(right.run_id, (None, None))
        return owner == right.organisation_id or visibility == PUBLIC

    return {
        right
        for right in rights
        if (right.token_id is None or right.token_id in valid_tokens)
        and is_signed_in(right)
        and may_read(right)
    }
