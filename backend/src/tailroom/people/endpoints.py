"""Endpoints for signing up, signing in by e-mail, choosing a password, and mails stored on this machine."""

from contextlib import suppress

from anyio import to_thread
from fastapi import APIRouter, BackgroundTasks, Request, Response, status
from pydantic import SecretStr
from sqlalchemy.orm import Session

from tailroom.access import trail
from tailroom.access.authenticator import refuse_foreign_origin
from tailroom.access.capabilities import Capability
from tailroom.access.errors import MailsTooMany, TokenScope
from tailroom.access.guesses import rate_limit_key
from tailroom.access.routing import GuardedRoute, client_address, needs, threads_of
from tailroom.access.schemas import SessionOut
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.kit.resources import ResourcesDep, resources_of
from tailroom.people import accounts, attempts, members, passwords, second_factors
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
from tailroom.people.sign_in_steps import (
    begin_session,
    complete_sign_in,
    hash_new_password,
    public_base_url,
    require_this_machine,
    run_unbound,
    send_later,
    verify_passkey,
    with_guard,
)

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=GuardedRoute)


@router.get("/sign-in-options", summary="Ways to sign in")
@needs(Capability.NONE)
async def get_sign_in_options(resources: ResourcesDep) -> OptionsOut:
    """Return how people sign in, whether sign-up is open, and whether mails are sent or stored."""
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
    responses=problem_responses(SignUpClosed, InvitationEnded, InvitationForeign, MailsTooMany, AccountGone),
)
@needs(Capability.NONE)
async def sign_up(
    body: SignUpIn, request: Request, resources: ResourcesDep, background: BackgroundTasks
) -> AskedOut:
    """Mail a link to choose a password. The answer is the same if the address has an account."""
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
    asker = rate_limit_key(client_address(request))
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
    responses=problem_responses(MailsTooMany, AccountGone),
)
@needs(Capability.NONE)
async def ask_password_reset(body: EmailIn, request: Request, background: BackgroundTasks) -> AskedOut:
    """Mail a link to choose a password, if the address has an account with one. The answer never shows it."""
    refuse_foreign_origin(request)
    asker = rate_limit_key(client_address(request))
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
        AccountGone,
    ),
)
@needs(Capability.NONE)
async def choose_password(body: NewPasswordIn, request: Request, response: Response) -> SessionOut:
    """Finish signing up, or set another password and end the account's sessions; then sign in.

    Another password needs the second factor, if the account has one.
    """
    refuse_foreign_origin(request)
    code, password = body.code.get_secret_value(), body.password.get_secret_value()
    second_factor = _plain(body.second_factor)

    def find_account(session: Session) -> tuple[str, accounts.SignInAccount | None]:
        email = accounts.email_of(session, code, utc_now())
        return email, accounts.find(session, email)

    email, account = await run_unbound(request, find_account)
    password_hash = await hash_new_password(request, password, (email, body.name))
    guess = await with_guard(request, lambda guard: guard.take_code(account, second_factor))
    passkey_of = None if body.passkey is None else await verify_passkey(request, body.passkey)

    def begin(session: Session) -> str:
        now, address = utc_now(), client_address(request)
        person, invitation_id = accounts.choose_password(
            session,
            code,
            name=body.name,
            password_hash=password_hash,
            second_factor=second_factor,
            passkey_of=passkey_of,
            address=address,
            now=now,
        )
        actor = trail.Actor("person", person.email, person.id, address)
        if invitation_id is not None:
            # An invitation that was revoked meanwhile leaves the account without a membership.
            with suppress(InvitationEnded):
                open_invitation = members.look_up_id(session, invitation_id, now)
                joined = members.accept(session, open_invitation, person.id, person.email, now)
                trail.record(session, joined, actor, "accept_invitation", trail.Note(person.email))
        if account is not None:
            accounts.record_everywhere(session, person.id, actor, "choose_password")
        return begin_session(session, request, person.id, by="link of a mail")

    value = await run_unbound(request, begin)
    if guess is not None:
        await to_thread.run_sync(guess.give_back)
    return await complete_sign_in(request, response, value)


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
        AccountGone,
    ),
)
@needs(Capability.NONE)
async def sign_in(body: PasswordSignIn, request: Request, response: Response) -> SessionOut:
    """Begin a session and set its cookie. The second factor is needed too, if the account has one."""
    refuse_foreign_origin(request)
    password, address = body.password.get_secret_value(), client_address(request)
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
    passkey_of = None if body.passkey is None else await verify_passkey(request, body.passkey)
    new_hash = None
    if stored_hash is not None and passwords.needs_rehash(stored_hash):
        new_hash = await hashing.run(lambda: passwords.hash_password(password))

    def begin(session: Session) -> str:
        accounts.lock(session, account.person_id)
        if new_hash is not None and stored_hash is not None:
            accounts.store_hash(session, account.person_id, stored_hash, new_hash)
        used_factor = second_factors.require(
            session, account.person_id, second_factor, utc_now(), passkey_of=passkey_of
        )
        by = "password and second factor" if used_factor else "password"
        return begin_session(session, request, account.person_id, by=by)

    value = await run_unbound(request, begin)
    if code_guess is not None:
        await to_thread.run_sync(code_guess.give_back)
    return await complete_sign_in(request, response, value)


@router.post(
    "/session/local",
    summary="Sign in with the link that `make up` printed",
    responses=problem_responses(AttemptEnded, TokenScope, AccountGone),
)
@needs(Capability.NONE)
async def enter_as_owner(body: LocalCodeIn, request: Request, response: Response) -> SessionOut:
    """Sign in the owner of this machine, from this machine only. A link works once, for ten minutes."""
    refuse_foreign_origin(request)
    require_this_machine(request)
    code = body.code.get_secret_value()
    attempt = await run_unbound(request, lambda session: attempts.take(session, "local", code, utc_now()))

    def begin(session: Session) -> str:
        if attempt.person_id is None:
            raise AttemptEnded("The account is gone.")
        return begin_session(session, request, attempt.person_id, by="link of this machine")

    return await complete_sign_in(request, response, await run_unbound(request, begin))


@router.get(
    "/mail",
    summary="Mails that were stored instead of sent",
    responses=problem_responses(TokenScope),
)
@needs(Capability.READ_MAIL)
def list_stored_mail(request: Request) -> MailsOut:
    """Return the 50 newest mails that are stored instead of sent, for people at this machine."""
    stored = resources_of(request).mailer.stored()
    return MailsOut(mails=[MailOut(**mail._asdict()) for mail in stored])


def _plain(secret: SecretStr | None) -> str | None:
    return None if secret is None else secret.get_secret_value()
