"""Endpoints of a person's own account: name, password, sessions, saved items."""

from collections.abc import Callable
from typing import Annotated, TypeVar
from uuid import UUID

from anyio import to_thread
from fastapi import APIRouter, BackgroundTasks, Path, Request, status
from fastapi.responses import Response
from sqlalchemy.orm import Session

from tailroom.access import person_sessions, trail
from tailroom.access.caller import Caller, SignedIn
from tailroom.access.capabilities import Capability
from tailroom.access.endpoints import forget_session
from tailroom.access.routing import CallerDep, GuardedRoute, client_address, needs, threads_of
from tailroom.access.schemas import PersonOut
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.people import account_removal, accounts, mails, passwords, saved
from tailroom.people.errors import (
    LastOwner,
    PasswordWeak,
    PasswordWrong,
    SavedTooMany,
    SessionUnknown,
    SignInsTooMany,
)
from tailroom.people.schemas import (
    AccountOut,
    MembershipOut,
    PasswordChangeIn,
    PasswordIn,
    PersonSessionOut,
    PersonSessionsOut,
    ProfileIn,
    SavedChangeIn,
    SavedOut,
)
from tailroom.people.sign_in_steps import (
    hash_new_password,
    public_base_url,
    run_unbound,
    send_later,
    with_guard,
)

_Result = TypeVar("_Result")
router = APIRouter(prefix="/api/v1/me", tags=["people"], route_class=GuardedRoute)


@router.get("", summary="My account and my organisations")
@needs(Capability.OWN_ACCOUNT)
def get_account(caller: CallerDep) -> AccountOut:
    """Return the account of the signed-in person."""
    return account_out(caller, caller.organisation_id)


@router.patch("", summary="Change my name")
@needs(Capability.OWN_ACCOUNT)
def change_profile(body: ProfileIn, caller: CallerDep) -> AccountOut:
    """Rename the signed-in person and return the account; other members see the new name."""
    with caller.database.transaction() as session:
        accounts.rename(session, person_of(caller).person_id, body.name)
    return account_out(caller, caller.organisation_id)


@router.put(
    "/password",
    summary="Change my password",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problem_responses(PasswordWrong, PasswordWeak, SignInsTooMany),
)
@needs(Capability.OWN_ACCOUNT)
async def change_password(
    body: PasswordChangeIn, caller: CallerDep, request: Request, background: BackgroundTasks
) -> Response:
    """Change the password, end every other session of the person, and report it by mail."""
    person = person_of(caller)
    await require_password(request, person, body.present.get_secret_value())
    hashed = await hash_new_password(request, body.password.get_secret_value(), (person.email, person.name))

    def change(session: Session) -> None:
        accounts.set_password(session, person.person_id, hashed, utc_now())
        person_sessions.end_all(session, person.person_id, but=person.session_id)

    await run_recorded(caller, request, "change_password", change)
    send_later(background, request, mails.password_changed(person.email, public_base_url(request)))
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post(
    "/delete",
    summary="Delete my account",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problem_responses(PasswordWrong, LastOwner, SignInsTooMany),
)
@needs(Capability.OWN_ACCOUNT)
async def delete_account(
    body: PasswordIn, caller: CallerDep, request: Request, background: BackgroundTasks
) -> Response:
    """Delete the account and all that is stored about the person, except in audit trails; send a last mail.

    Requires the password, if the account has one. The last owner of an organisation transfers it first.
    """
    person, actor = person_of(caller), trail.actor_of(caller, client_address(request))
    await require_password(request, person, body.present.get_secret_value())
    await run_unbound(
        request, lambda session: account_removal.remove(session, person.person_id, actor, utc_now())
    )
    send_later(background, request, mails.account_deleted(person.email, public_base_url(request)))
    response = Response(status_code=status.HTTP_204_NO_CONTENT)
    forget_session(request, response)
    return response


@router.get("/saved", summary="What I have saved")
@needs(Capability.OWN_ACCOUNT)
def list_saved(caller: CallerDep) -> SavedOut:
    """Return the caller's saved questions, shortlists, drives and runs, the newest first."""
    return _saved(caller)


@router.patch("/saved", summary="Save, and forget what was saved", responses=problem_responses(SavedTooMany))
@needs(Capability.OWN_ACCOUNT)
def change_saved(body: SavedChangeIn, caller: CallerDep) -> SavedOut:
    """Add and remove saved items, and return all that are then saved. An existing item does not change."""
    with caller.database.transaction() as session:
        saved.change(session, person_of(caller).person_id, body.add, body.remove, utc_now())
    return _saved(caller)


@router.get("/sessions", summary="Where I am signed in")
@needs(Capability.OWN_ACCOUNT)
def list_sessions(caller: CallerDep) -> PersonSessionsOut:
    """Return the sessions of the person in all browsers, the last used first."""
    return _sessions(caller)


@router.delete(
    "/sessions/{session_id}",
    summary="Sign out a browser",
    responses=problem_responses(SessionUnknown),
)
@needs(Capability.OWN_ACCOUNT)
def end_session(
    session_id: Annotated[UUID, Path(description="of the list of sessions")], caller: CallerDep
) -> PersonSessionsOut:
    """End a session, and with it every copy of its cookie; return the sessions left."""
    with caller.database.transaction() as session:
        if not person_sessions.end_one(session, person_of(caller).person_id, session_id):
            raise SessionUnknown(f"You have no session {session_id}; it may have ended.")
    return _sessions(caller)


@router.delete("/sessions", summary="Sign out everywhere else")
@needs(Capability.OWN_ACCOUNT)
def end_other_sessions(caller: CallerDep) -> PersonSessionsOut:
    """End all sessions of the person except that of the request, and return that session."""
    person = person_of(caller)
    with caller.database.transaction() as session:
        person_sessions.end_all(session, person.person_id, but=person.session_id)
    return _sessions(caller)


async def run_recorded(
    caller: Caller, request: Request, action: str, change: Callable[[Session], _Result]
) -> _Result:
    """Make a change, record it as `action` in all organisations of the person, and return its result.

    `change` is called with a session that is bound to no organisation and has locked the person. Raise
    AccountGone if the account was deleted.
    """

    def run(session: Session) -> _Result:
        accounts.lock(session, person_of(caller).person_id)
        result = change(session)
        actor = trail.actor_of(caller, client_address(request))
        accounts.record_everywhere(session, person_of(caller).person_id, actor, action)
        return result

    return await run_unbound(request, run)


async def require_password(request: Request, person: SignedIn, present: str) -> accounts.SignInAccount:
    """Check the password of a person, if the account has one, and return the account.

    Raise PasswordWrong if it is wrong or the account was deleted; this counts as a guess. Raise
    SignInsTooMany, without a check, after too many guesses.
    """
    address = client_address(request)
    guess = await with_guard(request, lambda guard: guard.take(person.email, address, is_known_here=True))
    account = await run_unbound(request, lambda session: accounts.find(session, person.email))
    stored = None if account is None else account.password_hash
    is_right = await threads_of(request, "passwords").run(lambda: passwords.is_right(stored, present))
    if account is None or not (is_right or stored is None):
        raise PasswordWrong("The present password is not right; nothing was changed.")
    await to_thread.run_sync(guess.give_back)
    return account


def person_of(caller: Caller) -> SignedIn:
    """Return the person who sends the request. Only for endpoints with a capability that only people have."""
    assert caller.person is not None  # noqa: S101 - the capability belongs to people only
    return caller.person


def account_out(caller: Caller, current: UUID) -> AccountOut:
    """Return the caller's account. `current`: the organisation that the session acts for from now on."""
    with caller.database.transaction() as session:
        return account_in(session, person_of(caller), current)


def account_in(session: Session, person: SignedIn, current: UUID) -> AccountOut:
    """Return the account of a person. Raise AccountGone if it was deleted.

    `current`: organisation that the person acts for. The database session must be bound to no organisation.
    """
    memberships = accounts.memberships(session, person.person_id)
    name = accounts.name_of(session, person.person_id)
    return AccountOut(
        person=PersonOut(email=person.email, name=name),
        organisations=[
            MembershipOut(
                id=membership.organisation_id,
                name=membership.name,
                role=membership.role,
                is_current=membership.organisation_id == current,
                needs_second_factor=membership.needs_second_factor,
                deletion_due_at=membership.deletion_due_at,
            )
            for membership in memberships
        ],
    )


def _saved(caller: Caller) -> SavedOut:
    with caller.database.transaction() as session:
        return SavedOut(items=saved.saved_of(session, person_of(caller).person_id))


def _sessions(caller: Caller) -> PersonSessionsOut:
    person = person_of(caller)
    with caller.database.transaction() as session:
        sessions = person_sessions.sessions_of(session, person.person_id, utc_now())
    return PersonSessionsOut(
        sessions=[
            PersonSessionOut(
                session_id=entry.session_id,
                browser=entry.browser,
                address=entry.address,
                created_at=entry.created_at,
                last_used_at=entry.last_used_at,
                expires_at=entry.expires_at,
                is_current=entry.session_id == person.session_id,
            )
            for entry in sessions
        ]
    )
