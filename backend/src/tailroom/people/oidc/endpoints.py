"""Endpoints for signing in at the provider, and for connecting an account with it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, BackgroundTasks, Path, Request, Response
from sqlalchemy.orm import Session

from tailroom.access import trail
from tailroom.access.authenticator import refuse_foreign_origin, session_cookie
from tailroom.access.capabilities import Capability
from tailroom.access.endpoints import session_out
from tailroom.access.routing import (
    CallerDep,
    GuardedRoute,
    authenticator_of,
    client_address,
    needs,
    threads_of,
)
from tailroom.access.schemas import SessionOut
from tailroom.access.tokens import hash_token, make_session
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import HttpProblem, problem_responses
from tailroom.kit.resources import resources_of
from tailroom.people import accounts, attempts
from tailroom.people.account_endpoints import person_of, require_password, run_recorded
from tailroom.people.errors import (
    AttemptEnded,
    IdentityTaken,
    IdentityUnconnected,
    IdentityUnknown,
    LastWayIn,
    MailUnproven,
    PasswordWrong,
    ProviderUnavailable,
    SignInsTooMany,
    SignUpClosed,
    SingleSignOnOff,
    SingleSignOnRefused,
)
from tailroom.people.oidc import groups, identities
from tailroom.people.oidc.provider import Attempt, Provider
from tailroom.people.schemas import ElsewhereOut, IdentitiesOut, IdentityOut, PasswordIn, ReturnIn
from tailroom.people.sign_in_steps import (
    begin_session,
    complete_sign_in,
    public_base_url,
    run_unbound,
    send_notice,
    session_length,
    with_guard,
)

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=GuardedRoute)
ATTEMPT_COOKIE = "tailroom_attempt"
"""Cookie that binds an attempt to its browser."""
LONGEST_SESSION = timedelta(hours=12)
"""Then the provider checks again whether the person still belongs to it and to its groups."""
_BEGIN: tuple[type[HttpProblem], ...] = (SingleSignOnOff, ProviderUnavailable, SignInsTooMany)


@router.post(
    "/session/oidc",
    summary="Begin to sign in at the provider",
    responses=problem_responses(*_BEGIN),
)
@needs(Capability.NONE)
async def begin_single_sign_on(request: Request, response: Response) -> ElsewhereOut:
    """Return the provider's address for the browser; the provider sends it back to `/sign-in/return`."""
    refuse_foreign_origin(request)
    return await _begin(request, response, None)


@router.post(
    "/me/identities",
    summary="Begin to connect my account with the provider",
    responses=problem_responses(PasswordWrong, *_BEGIN),
)
@needs(Capability.OWN_ACCOUNT)
async def begin_connection(
    body: PasswordIn, caller: CallerDep, request: Request, response: Response
) -> ElsewhereOut:
    """Return the provider's address. The accounts are connected when the browser comes back from there.

    Requires the password, if the account has one, so that access to an open browser is not sufficient.
    """
    await require_password(request, person_of(caller), body.present.get_secret_value())
    return await _begin(request, response, person_of(caller).person_id)


@router.post(
    "/session/oidc/return",
    summary="Come back from the provider",
    responses=problem_responses(
        AttemptEnded,
        SingleSignOnOff,
        SingleSignOnRefused,
        ProviderUnavailable,
        MailUnproven,
        IdentityUnconnected,
        IdentityTaken,
        SignUpClosed,
    ),
)
@needs(Capability.NONE)
async def finish_single_sign_on(
    body: ReturnIn, request: Request, response: Response, background: BackgroundTasks
) -> SessionOut:
    """Begin a session of at most twelve hours, or connect the account of the person who began the attempt."""
    refuse_foreign_origin(request)
    provider, state = _provider(request), body.state.get_secret_value()
    stored_attempt = await run_unbound(
        request, lambda session: attempts.take(session, "oidc", state, utc_now())
    )
    cookie = request.cookies.get(ATTEMPT_COOKIE, "")
    if hash_token(cookie).hex() != stored_attempt.details["browser_sha256"]:
        raise AttemptEnded("It was begun in another browser. Sign in once more in this one.")
    if body.iss is not None and body.iss != provider.issuer:
        raise SingleSignOnRefused("The answer comes from another provider than the one that was asked.")
    details = stored_attempt.details
    attempt = Attempt(state, details["nonce"], details["verifier"], details["redirect_uri"])
    code = body.code.get_secret_value()
    claims = await threads_of(request, "provider").run(lambda: provider.claims(attempt, code))
    settings = resources_of(request).settings
    response.delete_cookie(ATTEMPT_COOKIE, path="/", httponly=True, samesite="strict")
    if stored_attempt.person_id is not None:
        return await _connect_signed_in(request, background, stored_attempt.person_id, claims)

    length = min(LONGEST_SESSION, session_length(request))

    def sign_in(session: Session) -> tuple[str, identities.SignedInAtProvider]:
        now = utc_now()
        listed_groups = claims.get(settings.oidc_groups_claim)
        may_join = settings.open_sign_up or bool(groups.roles_of(listed_groups, settings.oidc_roles))
        signed_in = identities.sign_in(session, provider.issuer, claims, now, may_join=may_join)
        groups.apply(
            session,
            signed_in.person_id,
            signed_in.email,
            claims,
            settings.oidc_groups_claim,
            settings.oidc_roles,
            address=client_address(request),
            now=now,
        )
        if signed_in.is_newly_connected:
            actor = trail.Actor("person", signed_in.email, signed_in.person_id, client_address(request))
            accounts.record_everywhere(session, signed_in.person_id, actor, "connect_identity")
        value = begin_session(session, request, signed_in.person_id, by=settings.oidc_name, length=length)
        return value, signed_in

    value, signed_in = await run_unbound(request, sign_in)
    if signed_in.is_newly_connected:
        _send_notice(background, request, signed_in.email, is_new=True)
    return await complete_sign_in(request, response, value, length)


@router.get("/me/identities", summary="Accounts elsewhere that open mine")
@needs(Capability.OWN_ACCOUNT)
def list_identities(caller: CallerDep) -> IdentitiesOut:
    """Return the accounts at the single sign-on provider that open this account."""
    with caller.database.transaction() as session:
        return _identities(session, person_of(caller).person_id)


@router.delete(
    "/me/identities/{identity_id}",
    summary="Disconnect an account elsewhere",
    responses=problem_responses(IdentityUnknown, LastWayIn),
)
@needs(Capability.OWN_ACCOUNT)
async def disconnect_identity(
    identity_id: Annotated[UUID, Path(description="of the list of identities")],
    caller: CallerDep,
    request: Request,
    background: BackgroundTasks,
) -> IdentitiesOut:
    """Disconnect an account elsewhere, which then does not open this account any more.

    Refused if nothing else opens it: choose a password first.
    """
    person = person_of(caller)

    def disconnect(session: Session) -> IdentitiesOut:
        identities.disconnect(session, person.person_id, identity_id)
        accounts.require_sign_in_method(session, person.person_id)
        return _identities(session, person.person_id)

    remaining = await run_recorded(caller, request, "disconnect_identity", disconnect)
    _send_notice(background, request, person.email, is_new=False)
    return remaining


async def _begin(request: Request, response: Response, person_id: UUID | None) -> ElsewhereOut:
    """Store an attempt, set its cookie and return the address of the provider.

    `person_id`: signed-in person whose account is to be connected; None: to sign in. Raise SingleSignOnOff if
    no provider is set, ProviderUnavailable without a usable answer of the provider, SignInsTooMany beyond the
    limit of the network, AccountGone if the person was deleted.
    """
    provider = _provider(request)
    address = client_address(request)
    await with_guard(request, lambda guard: guard.take_attempt(address))
    attempt, browser = Attempt.begin(f"{public_base_url(request)}/sign-in/return"), make_session()
    address = await threads_of(request, "provider").run(lambda: provider.address(attempt))
    details = {
        "nonce": attempt.nonce,
        "verifier": attempt.verifier,
        "redirect_uri": attempt.redirect_uri,
        "browser_sha256": hash_token(browser).hex(),
    }

    def begin(session: Session) -> None:
        if person_id is not None:
            accounts.lock(session, person_id)
        attempts.begin(session, "oidc", attempt.state, utc_now(), details=details, person_id=person_id)

    await run_unbound(request, begin)
    response.set_cookie(
        ATTEMPT_COOKIE,
        browser,
        max_age=int(attempts.VALID_FOR.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/",
    )
    return ElsewhereOut(address=address)


async def _connect_signed_in(
    request: Request, background: BackgroundTasks, person_id: UUID, claims: Mapping[str, Any]
) -> SessionOut:
    """Connect the account of a person with that of the provider; return the session of the browser.

    Raise AttemptEnded if another person is signed in in this browser, TokenUnknown if no person is, and
    IdentityTaken if the provider's account opens another account here.
    """
    caller = await authenticator_of(request).with_session(request.cookies.get(session_cookie(request), ""))
    if caller.person is None or caller.person.person_id != person_id:
        raise AttemptEnded("Somebody else has signed in since. Nothing was connected.")
    actor, issuer = trail.actor_of(caller, client_address(request)), _provider(request).issuer

    def connect(session: Session) -> bool:
        accounts.lock(session, person_id)
        is_new = identities.connect(session, issuer, claims, person_id, utc_now())
        if is_new:
            accounts.record_everywhere(session, person_id, actor, "connect_identity")
        return is_new

    if await run_unbound(request, connect):
        _send_notice(background, request, caller.person.email, is_new=True)
    return session_out(caller)


def _send_notice(background: BackgroundTasks, request: Request, email: str, *, is_new: bool) -> None:
    """Mail the owner of an account that an account at the provider opens it, or does not any more."""
    name = f"An account at {resources_of(request).settings.oidc_name}"
    send_notice(background, request, email, name, is_new=is_new)


def _provider(request: Request) -> Provider:
    provider = request.app.state.provider
    if provider is None:
        raise SingleSignOnOff("No provider is set. Sign in with e-mail address and password.")
    assert isinstance(provider, Provider)  # noqa: S101 - set by the application factory
    return provider


def _identities(session: Session, person_id: UUID) -> IdentitiesOut:
    rows = identities.identities_of(session, person_id)
    return IdentitiesOut(identities=[IdentityOut.model_validate(row, from_attributes=True) for row in rows])
