"""Steps that endpoints of people share: guards against guesses, passkeys, mails, and sessions of browsers."""

from collections.abc import Callable
from datetime import timedelta
from ipaddress import ip_address
from typing import Any, TypeVar
from uuid import UUID

from anyio import to_thread
from fastapi import BackgroundTasks, Request, Response
from sqlalchemy.orm import Session

from tailroom.access.authenticator import FORWARDED_HEADERS, session_cookie
from tailroom.access.endpoints import session_out, set_session
from tailroom.access.errors import TokenScope
from tailroom.access.routing import authenticator_of, client_address, threads_of
from tailroom.access.schemas import SessionOut
from tailroom.kit.clock import utc_now
from tailroom.kit.resources import resources_of
from tailroom.people import accounts, attempts, mails, passkeys, passwords
from tailroom.people.errors import PasswordWeak
from tailroom.people.guard import SignInGuard
from tailroom.people.mails import Mail

_Result = TypeVar("_Result")


async def with_guard(request: Request, count: Callable[[SignInGuard], _Result]) -> _Result:
    """Return the result of `count`, called in a thread with the guard of the process, or raise its error."""
    guard = guard_of(request)
    return await to_thread.run_sync(lambda: count(guard))


def guard_of(request: Request) -> SignInGuard:
    """Return the guard of the process, which limits guesses, sign-ins and mails."""
    guard = request.app.state.sign_in_guard
    assert isinstance(guard, SignInGuard)  # noqa: S101 - set by the application factory
    return guard


def public_base_url(request: Request) -> str:
    """Return the address that links in mails begin with, without a slash at its end.

    It is the setting, or else that of the request, whose host the middleware has checked.
    """
    return (resources_of(request).settings.public_url or str(request.base_url)).rstrip("/")


def require_this_machine(request: Request) -> None:
    """Raise TokenScope unless local access is on and the request comes from this machine, without a proxy."""
    client = client_address(request)
    try:
        is_loopback = ip_address(client).is_loopback
    except ValueError:
        is_loopback = False
    is_forwarded = any(name in request.headers for name in FORWARDED_HEADERS)
    if not is_loopback or is_forwarded or not resources_of(request).settings.local_access:
        raise TokenScope("This link works on the machine alone that Tailroom runs on.")


def relying_party_of(request: Request) -> passkeys.RelyingParty:
    """Return the site that passkeys are made for, by its public address."""
    return passkeys.RelyingParty(public_base_url(request))


async def verify_passkey(request: Request, answer: dict[str, Any]) -> UUID:
    """Return the owner of the passkey that answered a challenge of this installation; use the challenge up.

    Raise AttemptEnded if the challenge is unknown, used or expired, PasskeyRefused if the passkey is unknown
    or its answer not valid.
    """
    challenge = passkeys.challenge_of(answer)
    await run_unbound(request, lambda session: attempts.take(session, "passkey", challenge, utc_now()))
    site = relying_party_of(request)
    return await run_unbound(
        request, lambda session: passkeys.verify(session, site, challenge, answer, utc_now())
    )


def session_length(request: Request) -> timedelta:
    """Return how long a session of a person lasts by the settings."""
    return timedelta(hours=resources_of(request).settings.session_hours)


def send_later(background: BackgroundTasks, request: Request, mail: Mail | None) -> None:
    """Send a mail after the answer, so that the time of the answer reveals nothing; None: send nothing."""
    if mail is not None:
        background.add_task(resources_of(request).mailer.send, *mail)


def send_notice(
    background: BackgroundTasks, request: Request, email: str, name: str, *, is_new: bool
) -> None:
    """Mail the owner of an account that `name` opens it from now on, or does not any more."""
    base = public_base_url(request)
    send_later(background, request, mails.sign_in_method_changed(email, base, name, is_new=is_new))


async def run_unbound(request: Request, work: Callable[[Session], _Result]) -> _Result:
    """Return the result of `work`, called in a thread with a session that is bound to no organisation.

    Its transaction is committed, or rolled back if `work` raises an error.
    """

    def run() -> _Result:
        with resources_of(request).database.transaction() as session:
            return work(session)

    return await threads_of(request, "pages").run(run)


async def hash_new_password(request: Request, password: str, public_facts: tuple[str, ...]) -> str:
    """Return the hash of a new password. Raise PasswordWeak if it is too short, too long or easy to guess.

    `public_facts`: texts that others know of its owner, such as name and e-mail address.
    """

    def check() -> str:
        weakness = passwords.weakness(password, public_facts)
        if weakness is not None:
            raise PasswordWeak(weakness)
        return passwords.hash_password(password)

    return await threads_of(request, "passwords").run(check)


def begin_session(
    session: Session, request: Request, person_id: UUID, *, by: str, length: timedelta | None = None
) -> str:
    """Begin a session of a person, in place of the browser's, and return the value of its cookie.

    `by`: kind of proof; `length`: lifetime, None for the setting. Raise AccountGone without such a person.
    """
    return accounts.begin_session(
        session,
        person_id,
        utc_now(),
        previous=request.cookies.get(session_cookie(request)),
        by=by,
        length=length or session_length(request),
        browser=request.headers.get("user-agent", ""),
        address=client_address(request),
    )


async def complete_sign_in(
    request: Request, response: Response, value: str, length: timedelta | None = None
) -> SessionOut:
    """Set the cookie of a session that has just begun, and return the session as the API shows it.

    `length`: lifetime of the cookie, None for the setting.
    """
    set_session(request, response, value, length or session_length(request))
    return session_out(await authenticator_of(request).with_session(value))
