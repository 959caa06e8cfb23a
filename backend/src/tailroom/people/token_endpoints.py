"""Endpoints of an organisation's access tokens, and of its audit trail."""

import csv
import io
import json
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from sqlalchemy.orm import Session

from tailroom.access import issuance, repository, service, trail
from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, client_address, needs
from tailroom.kit.clock import utc_now
from tailroom.kit.encodings import csv_text
from tailroom.kit.errors import RequestInvalid, problem_responses
from tailroom.kit.limits import ACCESS_TOKENS, TRAIL_EXPORT_EVENTS
from tailroom.kit.outside_types import LookupText
from tailroom.people import members
from tailroom.people.errors import AccessTokensTooMany, AccessTokenUnknown
from tailroom.people.member_schemas import (
    RotationIn,
    TokenIn,
    TokenMadeOut,
    TokenOut,
    TokensOut,
    TrailEventOut,
    TrailOut,
)
from tailroom.storage.access_token import AccessToken
from tailroom.storage.trail import TrailEvent

router = APIRouter(prefix="/api/v1", tags=["organisation"], route_class=GuardedRoute)
_PAGE = 100
_CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
_COLUMNS = ("number", "time", "kind", "who", "address", "action", "subject", "before", "after", "sha256")
TokenPath = Annotated[UUID, Path(description="of the list of tokens")]
Part = Annotated[LookupText | None, Query(max_length=100)]


@router.get("/tokens", summary="Access tokens of the organisation")
@needs(Capability.MANAGE_TOKENS)
def list_tokens(caller: CallerDep) -> TokensOut:
    """Return the tokens without their texts, also revoked and expired tokens."""
    with caller.database.transaction() as session:
        return _tokens(session, caller)


@router.post(
    "/tokens",
    summary="Make an access token",
    status_code=201,
    responses=problem_responses(AccessTokensTooMany),
)
@needs(Capability.MANAGE_TOKENS)
def make_token(body: TokenIn, caller: CallerDep, request: Request) -> TokenMadeOut:
    """Create a token. Its text is shown this once."""
    now = utc_now()
    expires_at = None if body.days is None else now + timedelta(days=body.days)
    with caller.database.transaction() as session:
        _lock_and_authorise(session, caller)
        token, text = _add_token(session, caller, body.name, body.scope, now=now, expires_at=expires_at)
        after = {"name": body.name, "scope": body.scope, "days": body.days}
        _record(session, caller, request, "make_token", trail.Note(str(token.id), after=after))
        result = _tokens(session, caller)
    return TokenMadeOut(tokens=result.tokens, text=text)


@router.post(
    "/tokens/{token_id}/rotate",
    summary="Replace an access token",
    status_code=201,
    responses=problem_responses(AccessTokenUnknown, AccessTokensTooMany),
)
@needs(Capability.MANAGE_TOKENS)
def rotate_token(token_id: TokenPath, body: RotationIn, caller: CallerDep, request: Request) -> TokenMadeOut:
    """Replace a token by a new one of the same name, scope and length of validity.

    The old token ends at once, or after the overlap.
    """
    now = utc_now()
    with caller.database.transaction() as session:
        _lock_and_authorise(session, caller)
        old = _own_token(session, caller, token_id)
        if not old.is_valid(now):
            raise AccessTokenUnknown("This token has ended already; make a new one.")
        if old.public_key is not None:
            raise AccessTokenUnknown(
                "This is the key of an agent, and nothing here can replace it: enrol the agent again on its"
                " machine, then remove the one before under Agents."
            )
        expires_at = None if old.expires_at is None else now + (old.expires_at - old.created_at)
        if body.overlap_hours:
            overlap_end = now + timedelta(hours=body.overlap_hours)
            old.expires_at = overlap_end if old.expires_at is None else min(old.expires_at, overlap_end)
        else:
            old.revoked_at = now
        session.flush()
        token, text = _add_token(session, caller, old.name, old.scope, now=now, expires_at=expires_at)
        after = {"token": str(token.id), "overlap_hours": body.overlap_hours}
        _record(session, caller, request, "rotate_token", trail.Note(str(token_id), after=after))
        result = _tokens(session, caller)
    return TokenMadeOut(tokens=result.tokens, text=text)


@router.delete(
    "/tokens/{token_id}",
    summary="Revoke an access token",
    responses=problem_responses(AccessTokenUnknown),
)
@needs(Capability.MANAGE_TOKENS)
def revoke_token(token_id: TokenPath, caller: CallerDep, request: Request) -> TokensOut:
    """Revoke a token from the next request on, with its sessions. Harmless if repeated."""
    with caller.database.transaction() as session:
        _lock_and_authorise(session, caller)
        old = _own_token(session, caller, token_id)
        old.revoked_at = old.revoked_at or utc_now()
        session.flush()
        before = {"name": old.name, "scope": old.scope}
        _record(session, caller, request, "revoke_token", trail.Note(str(token_id), before=before))
        return _tokens(session, caller)


@router.get("/trail", summary="Who did what in the organisation", responses=problem_responses(RequestInvalid))
@needs(Capability.READ_TRAIL)
def read_trail(
    caller: CallerDep,
    session: SessionDep,
    below: Annotated[int | None, Query(ge=1, lt=2**62, description="only events before this number")] = None,
    actor: Part = None,
    action: Part = None,
) -> TrailOut:
    """Return at most 100 events of the audit trail, the newest first, filtered by parts of names."""
    events = trail.events(
        session, caller.organisation_id, below=below, actor=actor, action=action, limit=_PAGE + 1
    )
    shown = events[:_PAGE]
    return TrailOut(
        events=[TrailEventOut.model_validate(event, from_attributes=True) for event in shown],
        next_below=shown[-1].number if len(events) > _PAGE else None,
    )


@router.get(
    "/trail.csv",
    summary="Who did what in the organisation, as CSV",
    response_class=Response,
    responses=_CSV | problem_responses(RequestInvalid),
)
@needs(Capability.READ_TRAIL)
def export_trail(caller: CallerDep, session: SessionDep, actor: Part = None, action: Part = None) -> Response:
    """Return the newest events that pass the filter as CSV, at most 50,000."""
    events = trail.events(
        session, caller.organisation_id, actor=actor, action=action, limit=TRAIL_EXPORT_EVENTS
    )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    writer.writerows([csv_text(value) for value in _row(event)] for event in events)
    headers = {"Content-Disposition": 'attachment; filename="trail.csv"', "Cache-Control": "no-store"}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def _record(session: Session, caller: Caller, request: Request, action: str, what: trail.Note) -> None:
    actor = trail.actor_of(caller, client_address(request))
    trail.record(session, caller.organisation_id, actor, action, what)


def _row(event: TrailEvent) -> tuple[str, ...]:
    moment: datetime = event.happened_at
    changes = (
        "" if change is None else json.dumps(change, sort_keys=True) for change in (event.before, event.after)
    )
    return (
        str(event.number),
        moment.isoformat(),
        event.actor_kind,
        event.actor,
        event.address,
        event.action,
        event.subject,
        *changes,
        event.sha256.hex(),
    )


def _lock_and_authorise(session: Session, caller: Caller) -> None:
    """Lock the caller's organisation. Raise TokenScope if the caller may not manage tokens any more."""
    repository.lock_organisation(session, caller.organisation_id)
    issuance.present_role(session, caller, Capability.MANAGE_TOKENS)


def _add_token(
    session: Session, caller: Caller, name: str, scope: str, *, now: datetime, expires_at: datetime | None
) -> tuple[AccessToken, str]:
    """Store a token that the caller issues; return it and its text.

    Raise AccessTokensTooMany if the organisation, which is locked, has too many valid tokens.
    """
    if repository.count_valid_tokens(session, caller.organisation_id, now) >= ACCESS_TOKENS:
        raise AccessTokensTooMany(f"{ACCESS_TOKENS} tokens hold. Revoke one that nobody needs first.")
    issuer_id = issuance.issuer_of(caller)
    return service.add_token(
        session, caller.organisation_id, name, scope, now, expires_at=expires_at, issuer_id=issuer_id
    )


def _own_token(session: Session, caller: Caller, token_id: UUID) -> AccessToken:
    """Return a token of the organisation, locked, also if it has ended. Raise AccessTokenUnknown."""
    token = session.get(AccessToken, token_id, with_for_update=True)
    if token is None or token.organisation_id != caller.organisation_id:
        raise AccessTokenUnknown(f"The organisation has no token {token_id}.")
    return token


def _tokens(session: Session, caller: Caller) -> TokensOut:
    now = utc_now()
    members_by_id = {
        member.person_id: member.email for member in members.members_of(session, caller.organisation_id)
    }
    return TokensOut(
        tokens=[
            TokenOut(
                token_id=row.id,
                name=row.name,
                scope=row.scope,
                created_at=row.created_at,
                expires_at=row.expires_at,
                last_used_at=row.last_used_at,
                revoked_at=row.revoked_at,
                holds=row.is_valid(now),
                issued_by=None if row.issuer_id is None else members_by_id.get(row.issuer_id),
                is_key=row.public_key is not None,
            )
            for row, _ in reversed(repository.list_tokens(session, caller.organisation_id))
        ]
    )
