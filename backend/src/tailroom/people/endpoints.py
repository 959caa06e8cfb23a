"""Endpoints for signing up, signing in by e-mail, choosing a password, and mails stored on this machine."""

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
from tailroom.access.authenticator import FORWARDED_HEADERS, refuse_foreign_origin, session_cookie
from tailroom.access.capabilities import Capability
from tailroom.access.endpoints import session_out, set_session
from tailroom.access.errors import MailsTooMany, OriginForeign, TokenScope
from tailroom.access.guesses import rate_limit_key
from tailroom.access.routing import GuardedRoute, authenticator_of, client_address, needs, threads_of
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


@router.get("/sign-in-options", summary="Ways to sign in")
@needs(Capability.NONE)
async def get_sign_in_options(resources: ResourcesDep) -> OptionsOut:
    """Return how people sign in, whether anybody may sign up, and where mails go."""
    settings = resources.settings
    return OptionsOut(
        sign_up="open" if settings.open_sign_up else "invited",
        mail="stored" if resources.mailer.is_stored else "sent",
        least_characters=passwords.LEAST_CHARACTERS,
        single_sign_on=settings.oidc_name if settings.oidc_issuer is not None else None,
    )


@router.post(
    "/people",
    summary="Sign up",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problem_responses(SignUpClosed, InvitationEnded, InvitationForeign, MailsTooMany, *_ANY),
)
@needs(Capability.NONE)
async def sign_up(
    body: SignUpIn, request: Request, resources: ResourcesDep, background: BackgroundTasks
) -> AskedOut:
    """Mail a link to the address; the person who opens it chooses the password. The answer is the same where
    there is an account.
    """
    refuse_foreign_origin(request)
    details: dict[str, str] = {}
    if body.invitation is not None:
        code = body.invitation.get_secret_value()
        invited = await run_unbound(request, lambda session: members.look_up(session, code, utc_now()))
        if invited.invitation.email != body.email:
            raise InvitationForeign(f"The invitation is for {invited.invitation.email}.")
        details["invitation"] = str(invited.invitation.invitation_id)
    elif not resources.settings.open_sign_up:
        raise SignUpClosed(
            "People join this installation by invitation. Ask an owner or an admin of your organisation, or"
            " whoever runs the server."
        )
    asker = rate_limit_key(client_of(request)["address"])
    await with_guard(request, lambda guard: guard.take_mail("sign-up", body.email, asker))
    base = public_base_url(request)
    if body.organisation is not None and resources.settings.open_sign_up:
        details["organisation"] = body.organisation
    mail = await run_unbound(
        request, lambda session: accounts.sign_up(session, body.email, details, base, utc_now())
    )
    send_later(background, request, mail)
    return AskedOut(detail=f"A mail is on its way to {body.email}. Open its link to choose a password.")


@router.post(
    "/people/password-reset",
    summary="Ask for a new password",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problem_responses(MailsTooMany, *_ANY),
)
@needs(Capability.NONE)
async def ask_password_reset(body: EmailIn, request: Request, background: BackgroundTasks) -> AskedOut:
    """Mail a link to the address, if it has an account. The answer is the same without one."""
    refuse_foreign_origin(request)
    asker = rate_limit_key(client_of(request)["address"])
    await with_guard(request, lambda guard: guard.take_mail("reset", body.email, asker))
    base = public_base_url(request)
    mail = await run_unbound(
        request, lambda session: accounts.ask_reset(session, body.email, base, utc_now())
    )
    send_later(background, request, mail)
    return AskedOut(detail=f"If {body.email} has an account, a mail with a link is on its way.")


@router.put(
    "/people/password",
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
    """Finish signing up, or set another password and end the account's sessions; then sign in."""
    refuse_foreign_origin(request)
    code, password = body.code.get_secret_value(), body.password.get_secret_value()
    second_factor = _plain(body.second_factor)

    def find_account(session: Session) -> tuple[str, accounts.SignInAccount | None]:
        email = accounts.email_of(session, code, utc_now())
        return email, accounts.find(session, email)

    email, account = await run_unbound(request, find_account)
    password_hash = await hash_new_password(request, password, (email, body.name))
    guess = await with_guard(request, lambda guard: guard.take_code(account, second_factor))
    passkey_of = None if body.passkey is None else (await verify_passkey(request, body.passkey)).person_id

    def begin(session: Session) -> str:
        now, client = utc_now(), client_of(request)
        person, invitation_id = accounts.choose_password(
            session,
            code,
            name=body.name,
            password_hash=password_hash,
            second_factor=second_factor,
            passkey_of=passkey_of,
            address=client["address"],
            now=now,
        )
        actor = trail.Actor("person", person.email, person.id, client["address"])
        if invitation_id is not None:
            # An invitation that was revoked meanwhile leaves the account without a membership.
            with suppress(InvitationEnded):
                open_invitation = members.look_up_id(session, invitation_id, now)
                joined = members.accept(session, open_invitation, person.id, person.email, now)
                trail.record(session, joined, actor, "accept_invitation", trail.Note(person.email))
        if account is not None:
            accounts.record_everywhere(session, person.id, actor, "choose_password")
        end_previous_session(session, request)
        return accounts.begin_session(
            session,
            person.id,
            now,
            by="link of a mail",
            length=session_length(request),
            **client,
        )

    value = await run_unbound(request, begin)
    if guess is not None:
        await to_thread.run_sync(guess.give_back)
    return await complete_sign_in(request, response, value, session_length(request))


@router.post(
    "/session/person",
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
    """Begin a session of a person, which the server stores; the browser gets its cookie."""
    refuse_foreign_origin(request)
    password, address = body.password.get_secret_value(), client_of(request)["address"]
    account = await run_unbound(request, lambda session: accounts.find(session, body.email))
    is_known_here = account is not None and address in account.addresses
    guess = await with_guard(
        request, lambda guard: guard.take(body.email, address, is_known_here=is_known_here)
    )
    stored_hash = None if account is None else account.password_hash
    hashing = threads_of(request, "passwords")
    is_right = await hashing.run(lambda: passwords.is_right(stored_hash, password))
    if account is None or not is_right:
        raise SignInRefused("There is no account with this e-mail address and password.")
    await to_thread.run_sync(guess.give_back)
    second_factor = _plain(body.second_factor)
    code_guess = await with_guard(request, lambda guard: guard.take_code(account, second_factor))
    passkey_of = None if body.passkey is None else (await verify_passkey(request, body.passkey)).person_id
    new_hash = None
    if stored_hash is not None and passwords.needs_rehash(stored_hash):
        new_hash = await hashing.run(lambda: passwords.hash_password(password))

    def begin(session: Session) -> str:
        now = utc_now()
        accounts.lock(session, account.person_id)
        if new_hash is not None and stored_hash is not None:
            accounts.store_hash(session, account.person_id, stored_hash, new_hash)
        used_factor = second_factors.require(
            session, account.person_id, second_factor, now, passkey_of=passkey_of
        )
        end_previous_session(session, request)
        by = "password and second factor" if used_factor else "password"
        return accounts.begin_session(
            session, account.person_id, now, by=by, length=session_length(request), **client_of(request)
        )

    value = await run_unbound(request, begin)
    if code_guess is not None:
        await to_thread.run_sync(code_guess.give_back)
    return await complete_sign_in(request, response, value, session_length(request))


@router.post(
    "/session/local",
    summary="Sign in with the link that `make up` printed",
    responses=problem_responses(AttemptEnded, TokenScope, *_ANY),
)
@needs(Capability.NONE)
async def enter_as_owner(body: LocalCodeIn, request: Request, response: Response) -> SessionOut:
    """Sign the owner of this machine in, once, within ten minutes, from this machine."""
    refuse_foreign_origin(request)
    require_this_machine(request)
    code = body.code.get_secret_value()
    attempt = await run_unbound(request, lambda session: attempts.take(session, "local", code, utc_now()))

    def begin(session: Session) -> str:
        if attempt.person_id is None:
            raise AttemptEnded("The account is gone.")
        accounts.lock(session, attempt.person_id)
        end_previous_session(session, request)
        by = "link of this machine"
        return accounts.begin_session(
            session, attempt.person_id, utc_now(), by=by, length=session_length(request), **client_of(request)
        )

    return await complete_sign_in(
        request, response, await run_unbound(request, begin), session_length(request)
    )


@router.get(
    "/mail",
    summary="Mails that were stored instead of sent",
    responses=problem_responses(TokenScope),
)
@needs(Capability.READ_MAIL)
def list_stored_mail(request: Request) -> MailsOut:
    """Return the mails stored without a mail server; people at this machine read their links here."""
    stored = resources_of(request).mailer.stored()
    return MailsOut(mails=[MailOut(**mail._asdict()) for mail in stored])


async def with_guard(request: Request, count: Callable[[SignInGuard], _Result]) -> _Result:
    """Return the result of `count`, in a thread because it asks Valkey. Raise what the guard raises."""
    guard = guard_of(request)
    return await to_thread.run_sync(lambda: count(guard))


def guard_of(request: Request) -> SignInGuard:
    """Return the guard that limits guesses."""
    guard = request.app.state.sign_in_guard
    assert isinstance(guard, SignInGuard)  # noqa: S101 - set by the application factory
    return guard


def public_base_url(request: Request) -> str:
    """Return the base of links in mails; the host of the request was checked to be one of this
    installation.
    """
    return (resources_of(request).settings.public_url or str(request.base_url)).rstrip("/")


def require_this_machine(request: Request) -> None:
    """Raise TokenScope if the request comes over a network or through a proxy."""
    client = client_address(request)
    try:
        is_loopback = ip_address(client).is_loopback
    except ValueError:
        is_loopback = False
    is_forwarded = any(name in request.headers for name in FORWARDED_HEADERS)
    if not is_loopback or is_forwarded or not resources_of(request).settings.local_access:
        raise TokenScope("This link works on the machine alone that Tailroom runs on.")


def relying_party_of(request: Request) -> passkeys.RelyingParty:
    """Return the site that passkeys are made for."""
    return passkeys.RelyingParty(public_base_url(request))


async def verify_passkey(request: Request, answer: dict[str, Any]) -> passkeys.VerifiedPasskey:
    """Return the passkey that answered a challenge of this installation; the challenge is used up by that.

    Raise AttemptEnded, PasskeyRefused.
    """
    challenge = passkeys.challenge_of(answer)
    await run_unbound(request, lambda session: attempts.take(session, "passkey", challenge, utc_now()))
    site = relying_party_of(request)
    return await run_unbound(
        request, lambda session: passkeys.verify(session, site, challenge, answer, utc_now())
    )


class ClientInfo(TypedDict):
    """Browser and address of a client, as stored with a session."""

    browser: str
    address: str


def session_length(request: Request) -> timedelta:
    """Return how long a session of a person lasts by the settings."""
    return timedelta(hours=resources_of(request).settings.session_hours)


def client_of(request: Request) -> ClientInfo:
    """Return browser and address of the client."""
    address = client_address(request)
    return {"browser": request.headers.get("user-agent", ""), "address": address}


def send_later(background: BackgroundTasks, request: Request, mail: Mail | None) -> None:
    """Send a mail after the answer, so that its time reveals nothing."""
    if mail is not None:
        background.add_task(resources_of(request).mailer.send, *mail)


async def run_unbound(request: Request, work: Callable[[Session], _Result]) -> _Result:
    """Return the result of `work`, in a thread and in a transaction that is not bound to an organisation."""

    def run() -> _Result:
        with resources_of(request).database.transaction() as session:
            return work(session)

    return await threads_of(request, "pages").run(run)


async def hash_new_password(request: Request, password: str, public_facts: tuple[str, ...]) -> str:
    """Return the hash of a new password; `public_facts` are texts others know of its owner. Raise
    PasswordWeak.
    """

    def check() -> str:
        weakness = passwords.weakness(password, public_facts)
        if weakness is not None:
            raise PasswordWeak(weakness)
        return passwords.hash_password(password)

    return await threads_of(request, "passwords").run(check)


def end_previous_session(session: Session, request: Request) -> None:
    """End the session of the browser's cookie, because signing in begins a new session."""
    cookie = request.cookies.get(session_cookie(request))
    if cookie is not None:
        person_sessions.end(session, cookie)


def _plain(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value()


async def complete_sign_in(request: Request, response: Response, value: str, length: timedelta) -> SessionOut:
    """Set the cookie of a session of that length that has just begun, and return the session."""
    set_session(request, response, value, length)
    return session_out(await authenticator_of(request).with_session(value))
