"""The second factor of whoever is signed in: set it, get other recovery codes, turn it off."""

from collections.abc import Callable
from typing import TypeVar

from anyio import to_thread
from fastapi import APIRouter, BackgroundTasks, Request, Response, status
from sqlalchemy.orm import Session

from tailroom.access import person_sessions, trail
from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.people import accounts, mails, second_factors
from tailroom.people.account_endpoints import person_of, require_password
from tailroom.people.endpoints import base_of, guarded, in_nobodys, send_later, where_from
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

router = APIRouter(prefix="/api/v1/me/second-factor", tags=["people"], route_class=GuardedRoute)
_Result = TypeVar("_Result")
_REFUSALS = (SecondFactorState, SecondFactorNeeded, SecondFactorWrong, SignInsTooMany)


@router.get("", operation_id="get_second_factor", summary="My second factor")
@needs(Capability.OWN_ACCOUNT)
def get_second_factor(caller: CallerDep) -> SecondFactorOut:
    """Whether there is one, and how many recovery codes are left."""
    with caller.database.transaction() as session:
        found = second_factors.state(session, person_of(caller).person_id)
    return SecondFactorOut(confirmed_at=found.confirmed_at, recovery_codes=found.recovery_codes)


@router.post(
    "",
    operation_id="begin_second_factor",
    summary="Begin to set a second factor",
    responses=problem_responses(PasswordWrong, SecondFactorState, SignInsTooMany),
)
@needs(Capability.OWN_ACCOUNT)
async def begin_second_factor(body: PasswordIn, caller: CallerDep, request: Request) -> SecondFactorBegunOut:
    """A secret for an app. It counts for nothing until a code of it was right."""
    person = person_of(caller)
    await require_password(request, person, body.present.get_secret_value())

    def begin(session: Session) -> second_factors.Begun:
        accounts.lock(session, person.person_id)
        return second_factors.begin(session, person.person_id, person.email, utc_now())

    begun = await in_nobodys(request, begin)
    return SecondFactorBegunOut(secret=begun.secret, uri=begun.uri)


@router.put(
    "",
    operation_id="confirm_second_factor",
    summary="Turn the second factor on with a first code",
    responses=problem_responses(SecondFactorState, SecondFactorWrong),
)
@needs(Capability.OWN_ACCOUNT)
async def confirm_second_factor(
    body: SecondFactorCodeIn, caller: CallerDep, request: Request, background: BackgroundTasks
) -> RecoveryCodesOut:
    """From now on signing in asks for a code. Other sessions end, and the person gets a mail."""
    person, code = person_of(caller), body.code.get_secret_value()

    def confirm(session: Session) -> list[str]:
        codes = second_factors.confirm(session, person.person_id, code, utc_now())
        person_sessions.end_all(session, person.person_id, but=person.session_id)
        return codes

    codes = await _recorded(caller, request, "confirm_second_factor", confirm)
    send_later(background, request, mails.second_factor_changed(person.email, base_of(request), is_on=True))
    return RecoveryCodesOut(codes=codes)


@router.post(
    "/recovery-codes",
    operation_id="make_recovery_codes",
    summary="Get other recovery codes",
    responses=problem_responses(*_REFUSALS),
)
@needs(Capability.OWN_ACCOUNT)
async def make_recovery_codes(
    body: SecondFactorCodeIn, caller: CallerDep, request: Request
) -> RecoveryCodesOut:
    """The ones before do not hold any more."""
    person_id = person_of(caller).person_id

    def make(session: Session) -> list[str]:
        return second_factors.new_recovery_codes(session, person_id)

    codes = await _proven(caller, request, body.code.get_secret_value(), "make_recovery_codes", make)
    return RecoveryCodesOut(codes=codes)


@router.post(
    "/off",
    operation_id="turn_off_second_factor",
    summary="Turn the second factor off",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problem_responses(PasswordWrong, *_REFUSALS),
)
@needs(Capability.OWN_ACCOUNT)
async def turn_off_second_factor(
    body: SecondFactorOffIn, caller: CallerDep, request: Request, background: BackgroundTasks
) -> Response:
    """Takes password and code. The person gets a mail."""
    person = person_of(caller)
    await require_password(request, person, body.present.get_secret_value())

    def turn_off(session: Session) -> None:
        second_factors.turn_off(session, person.person_id)

    await _proven(caller, request, body.code.get_secret_value(), "turn_off_second_factor", turn_off)
    send_later(background, request, mails.second_factor_changed(person.email, base_of(request), is_on=False))
    return Response(status_code=status.HTTP_204_NO_CONTENT)


async def _proven(
    caller: Caller, request: Request, code: str, action: str, change: Callable[[Session], _Result]
) -> _Result:
    """Makes a change that a code of the second factor has to allow."""
    person = person_of(caller)
    found = await in_nobodys(request, lambda session: accounts.find(session, person.email))
    counted = await guarded(request, lambda guard: guard.take_code(found, code))

    def allowed(session: Session) -> _Result:
        if not second_factors.require(session, person.person_id, code, utc_now()):
            raise SecondFactorState("The account has no second factor.")
        return change(session)

    result = await _recorded(caller, request, action, allowed)
    if counted is not None:
        await to_thread.run_sync(counted.give_back)
    return result


async def _recorded(
    caller: Caller, request: Request, action: str, change: Callable[[Session], _Result]
) -> _Result:
    """Makes a change and leaves an event of it with each of the person's organisations."""

    def run(session: Session) -> _Result:
        accounts.lock(session, person_of(caller).person_id)
        result = change(session)
        actor = trail.actor_of(caller, where_from(request)["address"])
        accounts.record_everywhere(session, person_of(caller).person_id, actor, action)
        return result

    return await in_nobodys(request, run)
