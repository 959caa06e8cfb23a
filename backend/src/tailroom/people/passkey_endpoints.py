"""Endpoints of passkeys: make one, name and remove it, sign in with it."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, BackgroundTasks, Path, Request, Response, status
from sqlalchemy.orm import Session

from tailroom.access import person_sessions
from tailroom.access.authenticator import refuse_foreign_origin
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, client_address, needs
from tailroom.access.schemas import SessionOut
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.people import accounts, attempts, passkeys, second_factors
from tailroom.people.account_endpoints import person_of, require_password, run_recorded
from tailroom.people.errors import (
    AttemptEnded,
    LastWayIn,
    PasskeyRefused,
    PasskeysTooMany,
    PasskeyUnknown,
    PasswordWrong,
    SignInsTooMany,
)
from tailroom.people.passkey_schemas import (
    PasskeyAnswerIn,
    PasskeyIn,
    PasskeyMadeOut,
    PasskeyNameIn,
    PasskeyOptionsOut,
    PasskeyOut,
    PasskeysOut,
)
from tailroom.people.schemas import PasswordIn
from tailroom.people.sign_in_steps import (
    begin_session,
    complete_sign_in,
    relying_party_of,
    run_unbound,
    send_notice,
    verify_passkey,
    with_guard,
)

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=GuardedRoute)
PasskeyPath = Annotated[UUID, Path(description="of the list of passkeys")]


@router.get("/me/passkeys", summary="My passkeys")
@needs(Capability.OWN_ACCOUNT)
def list_passkeys(caller: CallerDep) -> PasskeysOut:
    """Return the passkeys of the account, and when each was used last."""
    with caller.database.transaction() as session:
        return _passkeys(session, person_of(caller).person_id)


@router.post(
    "/me/passkey-challenge",
    summary="Begin to make a passkey",
    responses=problem_responses(PasswordWrong, SignInsTooMany),
)
@needs(Capability.OWN_ACCOUNT)
async def begin_passkey(body: PasswordIn, caller: CallerDep, request: Request) -> PasskeyOptionsOut:
    """Return the challenge for the device. Requires the password, if the account has one."""
    person, site, challenge = person_of(caller), relying_party_of(request), passkeys.new_challenge()
    await require_password(request, person, body.present.get_secret_value())

    def begin(session: Session) -> PasskeyOptionsOut:
        accounts.lock(session, person.person_id)
        attempts.begin(session, "new-passkey", challenge, utc_now(), person_id=person.person_id)
        existing = passkeys.passkeys_of(session, person.person_id)
        options = passkeys.options_to_make(
            site, challenge, person.person_id, person.email, person.name, existing
        )
        return PasskeyOptionsOut(options=options)

    return await run_unbound(request, begin)


@router.post(
    "/me/passkeys",
    summary="Store a new passkey",
    status_code=status.HTTP_201_CREATED,
    responses=problem_responses(AttemptEnded, PasskeyRefused, PasskeysTooMany),
)
@needs(Capability.OWN_ACCOUNT)
async def make_passkey(
    body: PasskeyIn, caller: CallerDep, request: Request, background: BackgroundTasks
) -> PasskeyMadeOut:
    """Add a passkey, with which the account opens without a password; a password alone is not enough then.

    If it is the first second factor, recovery codes are made and other sessions end. The person gets a mail.
    """
    person, site = person_of(caller), relying_party_of(request)
    challenge = passkeys.challenge_of(body.credential)
    attempt = await run_unbound(
        request, lambda session: attempts.take(session, "new-passkey", challenge, utc_now())
    )
    if attempt.person_id != person.person_id:
        raise AttemptEnded("It was begun by somebody else. Begin once more.")

    def add(session: Session) -> PasskeyMadeOut:
        is_first = not second_factors.has_factor(session, person.person_id)
        passkeys.add(session, site, challenge, body.credential, person.person_id, body.name, utc_now())
        codes = second_factors.new_recovery_codes(session, person.person_id) if is_first else []
        if is_first:
            person_sessions.end_all(session, person.person_id, but=person.session_id)
        shown = _passkeys(session, person.person_id)
        return PasskeyMadeOut(passkeys=shown.passkeys, recovery_codes=codes)

    result = await run_recorded(caller, request, "make_passkey", add)
    send_notice(background, request, person.email, f"The passkey “{body.name}”", is_new=True)
    return result


@router.patch(
    "/me/passkeys/{passkey_id}",
    summary="Rename a passkey",
    responses=problem_responses(PasskeyUnknown),
)
@needs(Capability.OWN_ACCOUNT)
def rename_passkey(passkey_id: PasskeyPath, body: PasskeyNameIn, caller: CallerDep) -> PasskeysOut:
    """Rename a passkey."""
    person = person_of(caller)
    with caller.database.transaction() as session:
        passkeys.rename(session, person.person_id, passkey_id, body.name)
        return _passkeys(session, person.person_id)


@router.post(
    "/me/passkeys/{passkey_id}/remove",
    summary="Remove a passkey",
    responses=problem_responses(PasskeyUnknown, PasswordWrong, LastWayIn, SignInsTooMany),
)
@needs(Capability.OWN_ACCOUNT)
async def remove_passkey(
    passkey_id: PasskeyPath,
    body: PasswordIn,
    caller: CallerDep,
    request: Request,
    background: BackgroundTasks,
) -> PasskeysOut:
    """Remove a passkey; without another second factor recovery codes end too. The person gets a mail.

    Requires the password, if the account has one.
    """
    person = person_of(caller)
    await require_password(request, person, body.present.get_secret_value())

    def remove(session: Session) -> PasskeysOut:
        passkeys.remove(session, person.person_id, passkey_id)
        accounts.require_sign_in_method(session, person.person_id)
        if not second_factors.has_factor(session, person.person_id):
            second_factors.turn_off(session, person.person_id)
        return _passkeys(session, person.person_id)

    remaining = await run_recorded(caller, request, "remove_passkey", remove)
    send_notice(background, request, person.email, "A passkey", is_new=False)
    return remaining


@router.post(
    "/session/passkey/challenge",
    summary="Begin to sign in with a passkey",
    responses=problem_responses(SignInsTooMany),
)
@needs(Capability.NONE)
async def begin_passkey_sign_in(request: Request) -> PasskeyOptionsOut:
    """Return the challenge for a passkey, alone or beside a password."""
    refuse_foreign_origin(request)
    address = client_address(request)
    await with_guard(request, lambda guard: guard.take_attempt(address))
    challenge = passkeys.new_challenge()
    await run_unbound(request, lambda session: attempts.begin(session, "passkey", challenge, utc_now()))
    return PasskeyOptionsOut(options=passkeys.options_to_use(relying_party_of(request), challenge))


@router.post(
    "/session/passkey",
    summary="Sign in with a passkey",
    responses=problem_responses(AttemptEnded, PasskeyRefused),
)
@needs(Capability.NONE)
async def sign_in_with_passkey(body: PasskeyAnswerIn, request: Request, response: Response) -> SessionOut:
    """Begin a session by a passkey, without a further factor: a device demands a finger, face or PIN."""
    refuse_foreign_origin(request)
    person_id = await verify_passkey(request, body.credential)

    def begin(session: Session) -> str:
        return begin_session(session, request, person_id, by="passkey")

    return await complete_sign_in(request, response, await run_unbound(request, begin))


def _passkeys(session: Session, person_id: UUID) -> PasskeysOut:
    rows = passkeys.passkeys_of(session, person_id)
    return PasskeysOut(passkeys=[PasskeyOut.model_validate(row, from_attributes=True) for row in rows])
