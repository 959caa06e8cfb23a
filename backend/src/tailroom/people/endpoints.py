"""Signing up, signing in by e-mail, choosing a password, and the mails that stay on this machine."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_address
from typing import Any, TypedDict, TypeVar

from anyio import to_thread
from fastapi import APIRouter, BackgroundTasks, Request, Response, status
from pydantic import SecretStr
from sqlalchemy.orm import Session

from tailroom.access import person_sessions, trail
from tailroom.access.capabilities import Capability
from tailroom.access.door import FORWARDED_HEADERS, refuse_foreign_origin, session_cookie
from tailroom.access.endpoints import session_out, set_session
from tailroom.access.errors import MailsTooMany, OriginForeign, TokenScope
from tailroom.access.guesses import network_of
from tailroom.access.routing import GuardedRoute, door_of, needs, threads_of
from tailroom.access.schemas import SessionOut
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.resources import ResourcesDep, resources_of
from tailroom.kit.threads import Busy
from tailroom.people import accounts, attempts, members, passkeys, passwords, second_factors
from tailroom.people.errors import (
    AccountGone,
    AttemptEnded,
    CodeUnknown,
    InvitationEnded,
    InvitationForeign,
    PasskeyRefused,
    PasswordWeak,
    SecondFactorNeeded,
    SecondFactorWrong,
    SignInRefused,
    SignInsTooMany,
    SignUpClosed,
)
from tailroom.people.guard import SignInGuard
from tailroom.people.mails import Mail
from tailroom.people.schemas import (
    AskedOut,
    EmailIn,
    LocalCodeIn,
    MailOut,
    MailsOut,
    NewPasswordIn,
    OptionsOut,
    PasswordSignIn,
    SignUpIn,
)

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=GuardedRoute)
_Result = TypeVar("_Result")
_ANY = (AccountGone, OriginForeign, RequestInvalid, Busy, StorageUnavailable)


@router.get(
    "/sign-in-options",
    operation_id="get_sign_in_options",
    summary="Ways to sign in",
)
@needs(Capability.NONE)
async def get_sign_in_options(resources: ResourcesDep) -> OptionsOut:
    """Whether anybody may sign up, and where mails go."""
    settings = resources.settings
    return OptionsOut(
        sign_up="open" if settings.open_sign_up else "invited",
        mail="stored" if resources.mailer.is_stored else "sent",
        least_characters=passwords.LEAST_CHARACTERS,
        single_sign_on=settings.oidc_name if settings.oidc_issuer is not None else None,
    )


@router.post(
    "/people",
    operation_id="sign_up",
    summary="Sign up",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problem_responses(SignUpClosed, InvitationEnded, InvitationForeign, MailsTooMany, *_ANY),
)
@needs(Capability.NONE)
async def sign_up(
    body: SignUpIn, request: Request, resources: ResourcesDep, background: BackgroundTasks
) -> AskedOut:
    """Sends a link to the address; whoever opens it chooses the password. Says the same where there is an
    account.
    """
    refuse_foreign_origin(request)
    details: dict[str, str] = {}
    if body.invitation is not None:
        code = body.invitation.get_secret_value()
        found = await in_nobodys(request, lambda session: members.look_up(session, code, utc_now()))
        if found.invitation.email != body.email:
            raise InvitationForeign(f"The invitation is for {found.invitation.email}.")
        details["invitation"] = str(found.invitation.invitation_id)
    elif not resources.settings.open_sign_up:
        raise SignUpClosed(
            "People join this installation by invitation. Ask an owner or an admin of your organisation, or"
            " whoever runs the server."
        )
    asker = network_of(where_from(request)["address"])
    await guarded(request, lambda guard: guard.take_mail("sign-up", body.email, asker))
    base = base_of(request)
    if body.organisation is not None and resources.settings.open_sign_up:
        details["organisation"] = body.organisation
    mail = await in_nobodys(
        request, lambda session: accounts.sign_up(session, body.email, details, base, utc_now())
    )
    send_later(background, request, mail)
    return AskedOut(detail=f"A mail is on its way to {body.email}. Open its link to choose a password.")


@router.post(
    "/people/password-reset",
    operation_id="ask_password_reset",
    summary="Ask for a new password",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problem_responses(MailsTooMany, *_ANY),
)
@needs(Capability.NONE)
async def ask_password_reset(body: EmailIn, request: Request, background: BackgroundTasks) -> AskedOut:
    """Sends a link to the address, if it has an account. The answer is the same without one."""
    refuse_foreign_origin(request)
    asker = network_of(where_from(request)["address"])
    await guarded(request, lambda guard: guard.take_mail("reset", body.email, asker))
    base = base_of(request)
    mail = await in_nobodys(request, lambda session: accounts.ask_reset(session, body.email, base, utc_now()))
    send_later(background, request, mail)
    return AskedOut(detail=f"If {body.email} has an account, a mail with a link is on its way.")


@router.put(
    "/people/password",
    operation_id="choose_password",
    summary="Choose a password with the code of a mail",
    responses=problem_responses(
        CodeUnknown,
        PasswordWeak,
        SecondFactorNeeded,
        SecondFactorWrong,
        PasskeyRefused,
        AttemptEnded,
        SignInsTooMany,
        *_ANY,
    ),
)
@needs(Capability.NONE)
async def choose_password(body: NewPasswordIn, request: Request, response: Response) -> SessionOut:
    """Finishes signing up, or gives an account another password and ends its sessions; then signs in."""
    refuse_foreign_origin(request)
    code, password = body.code.get_secret_value(), body.password.get_secret_value()
    given = _secret(body.second_factor)

    def look(session: Session) -> tuple[str, accounts.Found | None]:
        email = accounts.email_of(session, code, utc_now())
        return email, accounts.find(session, email)

    email, known = await in_nobodys(request, look)
    hashed = await hash_checked(request, password, (email, body.name))
    counted = await guarded(request, lambda guard: guard.take_code(known, given))
    passkey_of = None if body.passkey is None else (await proven_by_passkey(request, body.passkey)).person_id

    def choose(session: Session) -> str:
        now, place = utc_now(), where_from(request)
        person, invitation_id = accounts.choose_password(
            session,
            code,
            name=body.name,
            password_hash=hashed,
            second_factor=given,
            passkey_of=passkey_of,
            address=place["address"],
            now=now,
        )
        actor = trail.Actor("person", person.email, person.id, place["address"])
        if invitation_id is not None:
            # One that was taken back meanwhile leaves the account, and lets nobody in.
            with suppress(InvitationEnded):
                found = members.look_up_id(session, invitation_id, now)
                joined = members.accept(session, found, person.id, person.email, now)
                trail.record(session, joined, actor, "accept_invitation", trail.Note(person.email))
        if known is not None:
            accounts.record_everywhere(session, person.id, actor, "choose_password")
        end_before(session, request)
        return accounts.begin_session(
            session,
            person.id,
            now,
            by="link of a mail",
            length=session_length(request),
            **place,
        )

    value = await in_nobodys(request, choose)
    if counted is not None:
        await to_thread.run_sync(counted.give_back)
    return await enter(request, response, value)


@router.post(
    "/session/person",
    operation_id="sign_in",
    summary="Sign in with e-mail address and password",
    responses=problem_responses(
        SignInRefused,
        SecondFactorNeeded,
        SecondFactorWrong,
        PasskeyRefused,
        AttemptEnded,
        SignInsTooMany,
        *_ANY,
    ),
)
@needs(Capability.NONE)
async def sign_in(body: PasswordSignIn, request: Request, response: Response) -> SessionOut:
    """Begins a session that this server holds; the browser gets its cookie."""
    refuse_foreign_origin(request)
    password, address = body.password.get_secret_value(), where_from(request)["address"]
    found = await in_nobodys(request, lambda session: accounts.find(session, body.email))
    is_known_here = found is not None and address in found.addresses
    taken = await guarded(request, lambda guard: guard.take(body.email, address, is_known_here=is_known_here))
    stored = None if found is None else found.password_hash
    hashing = threads_of(request, "passwords")
    is_right = await hashing.run(lambda: passwords.is_right(stored, password))
    if found is None or not is_right:
        raise SignInRefused("There is no account with this e-mail address and password.")
    await to_thread.run_sync(taken.give_back)
    given = _secret(body.second_factor)
    code = await guarded(request, lambda guard: guard.take_code(found, given))
    passkey_of = None if body.passkey is None else (await proven_by_passkey(request, body.passkey)).person_id
    anew = None
    if stored is not None and passwords.needs_rehash(stored):
        anew = await hashing.run(lambda: passwords.hash_password(password))

    def begin(session: Session) -> str:
        now = utc_now()
        accounts.lock(session, found.person_id)
        if anew is not None and stored is not None:
            accounts.store_hash(session, found.person_id, stored, anew)
        proven = second_factors.require(session, found.person_id, given, now, passkey_of=passkey_of)
        end_before(session, request)
        by = "password and second factor" if proven else "password"
        return accounts.begin_session(
            session, found.person_id, now, by=by, length=session_length(request), **where_from(request)
        )

    value = await in_nobodys(request, begin)
    if code is not None:
        await to_thread.run_sync(code.give_back)
    return await enter(request, response, value)


@router.post(
    "/session/local",
    operation_id="enter_as_owner",
    summary="Sign in with the link that `make up` printed",
    responses=problem_responses(AttemptEnded, TokenScope, *_ANY),
)
@needs(Capability.NONE)
async def enter_as_owner(body: LocalCodeIn, request: Request, response: Response) -> SessionOut:
    """Once, within ten minutes, from this machine."""
    refuse_foreign_origin(request)
    require_this_machine(request)
    code = body.code.get_secret_value()
    taken = await in_nobodys(request, lambda session: attempts.take(session, "local", code, utc_now()))

    def begin(session: Session) -> str:
        if taken.person_id is None:
            raise AttemptEnded("The account is gone.")
        accounts.lock(session, taken.person_id)
        end_before(session, request)
        by = "link of this machine"
        return accounts.begin_session(
            session, taken.person_id, utc_now(), by=by, length=session_length(request), **where_from(request)
        )

    return await enter(request, response, await in_nobodys(request, begin))


@router.get(
    "/mail",
    operation_id="list_stored_mail",
    summary="Mails that were stored instead of sent",
    responses=problem_responses(TokenScope),
)
@needs(Capability.READ_MAIL)
def list_stored_mail(request: Request) -> MailsOut:
    """Where no mail server is set, links in mails are read here by whoever is at this machine."""
    stored = resources_of(request).mailer.stored()
    return MailsOut(mails=[MailOut(**one._asdict()) for one in stored])


async def guarded(request: Request, count: Callable[[SignInGuard], _Result]) -> _Result:
    """Counts something, in a thread: Valkey is asked. Raises what the guard raises."""
    guard = guard_of(request)
    return await to_thread.run_sync(lambda: count(guard))


def guard_of(request: Request) -> SignInGuard:
    """What slows down guesses."""
    guard = request.app.state.sign_in_guard
    assert isinstance(guard, SignInGuard)  # noqa: S101 - set by the application factory
    return guard


def base_of(request: Request) -> str:
    """What links in mails begin with; the host of the request is one of this installation."""
    return (resources_of(request).settings.public_url or str(request.base_url)).rstrip("/")


def require_this_machine(request: Request) -> None:
    """Raises TokenScope for whoever comes over a network, or through a proxy that says so."""
    client = "" if request.client is None else request.client.host
    try:
        is_near = ip_address(client).is_loopback
    except ValueError:
        is_near = False
    through = any(name in request.headers for name in FORWARDED_HEADERS)
    if not is_near or through or not resources_of(request).settings.local_access:
        raise TokenScope("This link works on the machine alone that Tailroom runs on.")


def place_of(request: Request) -> passkeys.Place:
    """Where passkeys belong to."""
    return passkeys.Place(base_of(request))


async def proven_by_passkey(request: Request, answer: dict[str, Any]) -> passkeys.Proven:
    """Whose passkey has answered to a challenge of this installation, which is taken with that.

    Raises AttemptEnded, PasskeyRefused.
    """
    challenge = passkeys.challenge_of(answer)
    await in_nobodys(request, lambda session: attempts.take(session, "passkey", challenge, utc_now()))
    place = place_of(request)
    return await in_nobodys(
        request, lambda session: passkeys.prove(session, place, challenge, answer, utc_now())
    )


class Where(TypedDict):
    """What a session remembers of whoever signed in."""

    browser: str
    address: str


def session_length(request: Request) -> timedelta:
    """How long somebody stays signed in."""
    return timedelta(hours=resources_of(request).settings.session_hours)


def where_from(request: Request) -> Where:
    """What a session remembers of whoever signed in."""
    address = "" if request.client is None else request.client.host
    return {"browser": request.headers.get("user-agent", ""), "address": address}


def send_later(background: BackgroundTasks, request: Request, mail: Mail | None) -> None:
    """Sends a mail after the answer, whose time then tells nothing."""
    if mail is not None:
        background.add_task(resources_of(request).mailer.send, *mail)


async def in_nobodys(request: Request, work: Callable[[Session], _Result]) -> _Result:
    """Works in a transaction that is nobody's, in a thread."""

    def run() -> _Result:
        with resources_of(request).database.transaction() as session:
            return work(session)

    return await threads_of(request, "pages").run(run)


async def hash_checked(request: Request, password: str, known: tuple[str, ...]) -> str:
    """The hash of a new password. Raises PasswordWeak."""

    def check() -> str:
        weakness = passwords.weakness(password, known)
        if weakness is not None:
            raise PasswordWeak(weakness)
        return passwords.hash_password(password)

    return await threads_of(request, "passwords").run(check)


def end_before(session: Session, request: Request) -> None:
    """Ends the session that the browser has: whoever signs in begins a new one."""
    before = request.cookies.get(session_cookie(request))
    if before is not None:
        person_sessions.end(session, before)


def _secret(given: SecretStr | None) -> str | None:
    return None if given is None else given.get_secret_value()


async def enter(request: Request, response: Response, value: str) -> SessionOut:
    """Signs the browser in with a session that has just begun."""
    set_session(request, response, value)
    return session_out(await door_of(request).with_session(value))
