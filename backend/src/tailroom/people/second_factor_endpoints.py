"""Endpoints of a person's second factor: set it, get other recovery codes, turn it off."""

from collections.abc import Callable
from typing import TypeVar

from anyio import to_thread
from fastapi import APIRouter, BackgroundTasks, Request, Response, status
from sqlalchemy.orm import Session

from tailroom.access import person_sessions
from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.people import accounts, mails, second_factors
from tailroom.people.account_endpoints import person_of, require_password, run_recorded
from tailroom.people.errors import (
    PasswordWrong,
    SecondFactorNeeded,
    SecondFactorState,
    SecondFactorWrong,
    SignInsTooMany,
)
from tailroom.people.schemas import (
    PasswordIn,
    RecoveryCodesOut,
    SecondFactorBegunOut,
    SecondFactorCodeIn,
    SecondFactorOffIn,
    SecondFactorOut,
)
from tailroom.people.sign_in_steps import public_base_url, run_unbound, send_later, with_guard

router = APIRouter(prefix="/api/v1/me/second-factor", tags=["people"], route_class=GuardedRoute)
_Result = TypeVar("_Result")
_REFUSALS = (SecondFactorState, SecondFactorNeeded, SecondFactorWrong, SignInsTooMany)


@router.get("", summary="My second factor")
@needs(Capability.OWN_ACCOUNT)
def get_second_factor(caller: CallerDep) -> SecondFactorOut:
    """Return when an app was confirmed as second factor, and the number of recovery codes left."""
    with caller.database.transaction() as session:
        return second_factors.state(session, person_of(caller).person_id)


@router.post(
    "",
    summary="Begin to set a second factor",
    responses=problem_responses(PasswordWrong, SecondFactorState, SignInsTooMany),
)
@needs(Capability.OWN_ACCOUNT)
async def begin_second_factor(body: PasswordIn, caller: CallerDep, request: Request) -> SecondFactorBegunOut:
    """Return a secret for an app. It has no effect until it is confirmed with a code of the app."""
    person = person_of(caller)
    await require_password(request, person, body.present.get_secret_value())

    def begin(session: Session) -> SecondFactorBegunOut:
        accounts.lock(session, person.person_id)
        return second_factors.begin(session, person.person_id, person.email, utc_now())

    return await run_unbound(request, begin)


@router.put(
    "",
    summary="Turn the second factor on with a first code",
    responses=problem_responses(SecondFactorState, SecondFactorWrong),
)
@needs(Capability.OWN_ACCOUNT)
async def confirm_second_factor(
    body: SecondFactorCodeIn, caller: CallerDep, request: Request, background: BackgroundTasks
) -> RecoveryCodesOut:
    """Activate the app as second factor, which signing in then needs, and return recovery codes.

    Other sessions end, and the person gets a mail.
    """
    person, code = person_of(caller), body.code.get_secret_value()

    def confirm(session: Session) -> list[str]:
        codes = second_factors.confirm(session, person.person_id, code, utc_now())
        person_sessions.end_all(session, person.person_id, but=person.session_id)
        return codes

    codes = await run_recorded(caller, request, "confirm_second_factor", confirm)
    send_later(
        background, request, mails.second_factor_changed(person.email, public_base_url(request), is_on=True)
    )
    return RecoveryCodesOut(codes=codes)


@router.post("/recovery-codes", summary="Get other recovery codes", responses=problem_responses(*_REFUSALS))
@needs(Capability.OWN_ACCOUNT)
async def make_recovery_codes(
    body: SecondFactorCodeIn, caller: CallerDep, request: Request
) -> RecoveryCodesOut:
    """Return new recovery codes, given a code of the second factor. Earlier recovery codes end."""
    person_id = person_of(caller).person_id

    def make(session: Session) -> list[str]:
        return second_factors.new_recovery_codes(session, person_id)

    codes = await _run_with_code(caller, request, body.code.get_secret_value(), "make_recovery_codes", make)
    return RecoveryCodesOut(codes=codes)


@router.post(
    "/off",
    summary="Turn the second factor off",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problem_responses(PasswordWrong, *_REFUSALS),
)
@needs(Capability.OWN_ACCOUNT)
async def turn_off_second_factor(
    body: SecondFactorOffIn, caller: CallerDep, request: Request, background: BackgroundTasks
) -> Response:
    """Remove the app as second factor; without a passkey recovery codes end too. The person gets a mail."""
    person = person_of(caller)
    await require_password(request, person, body.present.get_secret_value())

    def turn_off(session: Session) -> None:
        second_factors.turn_off(session, person.person_id)

    await _run_with_code(caller, request, body.code.get_secret_value(), "turn_off_second_factor", turn_off)
    send_later(
        background, request, mails.second_factor_changed(person.email, public_base_url(request), is_on=False)
    )
    return Response(status_code=status.HTTP_204_NO_CONTENT)


async def _run_with_code(
    caller: Caller, request: Request, code: str, action: str, change: Callable[[Session], _Result]
) -> _Result:
    """Check a code of the second factor, make the change and record it as `action`; return its result.

    Raise SecondFactorState if the account has no second factor, SecondFactorNeeded if the code is empty,
    SecondFactorWrong if it is wrong or used, SignInsTooMany after too many guesses.
    """
    person = person_of(caller)
    account = await run_unbound(request, lambda session: accounts.find(session, person.email))
    guess = await with_guard(request, lambda guard: guard.take_code(account, code))

    def change_if_allowed(session: Session) -> _Result:
        if not second_factors.require(session, person.person_id, code, utc_now()):
            raise SecondFactorState("The account has no second factor.")
        return change(session)

    result = await run_recorded(caller, request, action, change_if_allowed)
    if guess is not None:
        await to_thread.run_sync(guess.give_back)
    return result
