"""Accounts: sign-up, sign-in, and new passwords.

A person is stored only after the link in a mail was opened, so no account can be prepared for another
person's address. A code is stored for any address, so neither an answer nor its time shows whether the
address has an account. Sessions here are not bound to an organisation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy import ScalarSelect, delete, exists, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.access import issuance, person_sessions, trail
from tailroom.access.capabilities import Role
from tailroom.access.repository import lock_organisation
from tailroom.access.tokens import hash_token, make_session
from tailroom.kit.identifiers import new_id
from tailroom.people import mails, second_factors
from tailroom.people.errors import AccountGone, CodeUnknown, LastWayIn
from tailroom.people.mails import Mail
from tailroom.storage.organisation import LOCAL_OWNER, PERSON, Organisation
from tailroom.storage.person import (
    MailCode,
    Membership,
    Passkey,
    Person,
    PersonIdentity,
    PersonSession,
    SignInAttempt,
)

SIGN_UP, RESET = "sign-up", "reset"
_LINK_VALID_FOR = {SIGN_UP: timedelta(days=1), RESET: timedelta(hours=1)}
"""Time until a code of a mail expires, by purpose."""


@dataclass(frozen=True, slots=True)
class SignInAccount:
    """Data of an account that signing in needs; `password_hash` is None if it has no password."""

    person_id: UUID
    password_hash: str | None
    has_second_factor: bool
    addresses: frozenset[str]
    """Network addresses from which the person began the sessions that are stored."""


def find(session: Session, email: str) -> SignInAccount | None:
    """Return the account of an e-mail address; None if there is none."""
    person = session.scalar(select(Person).where(Person.email == email))
    if person is None:
        return None
    addresses = session.scalars(select(PersonSession.address).where(PersonSession.person_id == person.id))
    has_factor = second_factors.has_factor(session, person.id)
    return SignInAccount(person.id, person.password_hash, has_factor, frozenset(addresses))


def lock(session: Session, person_id: UUID, *, to_delete: bool = False) -> Person:
    """Return a person, locked until the transaction ends. Raise AccountGone if there is no such person.

    Every change of an account begins with this lock. `to_delete` prevents new references to the person as
    well.
    """
    query = select(Person).where(Person.id == person_id).with_for_update(key_share=not to_delete)
    person = session.scalar(query.execution_options(populate_existing=True))
    if person is None:
        raise AccountGone("This account was deleted just now.")
    return person


def sign_up(session: Session, email: str, details: Mapping[str, Any], base: str, now: datetime) -> Mail:
    """Store a code; return the mail with its link, or a notice by mail if the account exists.

    The address of the owner of this machine counts as an account, even if there is none. `details`: name of a
    new organisation, or id of an invitation; `base`: address of this installation.
    """
    code = _new_code(session, email, SIGN_UP, dict(details), now)
    exists_already = session.scalar(select(Person.id).where(Person.email == email)) is not None
    if exists_already or email == LOCAL_OWNER:
        return mails.account_exists(email, base)
    return mails.welcome(email, base, code)


def ask_reset(session: Session, email: str, base: str, now: datetime) -> Mail | None:
    """Store a code; return the mail with its link, None if the address has no account with a password.

    Without a password, access to the mailbox alone must not open the account.
    """
    code = _new_code(session, email, RESET, None, now)
    has_password = exists().where(Person.email == email, Person.password_hash.is_not(None))
    if not session.scalar(select(has_password)):
        return None
    return mails.reset(email, base, code)


def email_of(session: Session, code: str, now: datetime) -> str:
    """Return the e-mail address that a code was sent to. Raise CodeUnknown if it is unknown or expired."""
    return _find_code(session, code, now).email


def choose_password(
    session: Session,
    code: str,
    *,
    name: str,
    password_hash: str,
    second_factor: str | None,
    passkey_of: UUID | None,
    address: str,
    now: datetime,
) -> tuple[Person, UUID | None]:
    """Use the code of a mail: create an account, or set a new password and end the sessions.

    A new account gets its organisation, if the sign-up names one. A new password needs the account's second
    factor too: a code, or `passkey_of`, the owner of a verified passkey. Return the person, and the id of the
    invitation used for the sign-up or None. Raise CodeUnknown if the code has ended, or the account exists
    (sign-up) or has no password (reset); SecondFactorNeeded or SecondFactorWrong without the right factor;
    AccountGone if it is deleted meanwhile.
    """
    # The person is locked first, as everywhere (`lock`), so the code is read again after that.
    owner = select(Person.id).where(Person.email == _find_code(session, code, now).email)
    if (owner_id := session.scalar(owner)) is not None:
        lock(session, owner_id)
    spent = _spend_code(session, code, now)
    if spent.purpose == RESET:
        has_password = Person.password_hash.is_not(None)
        person_id = session.scalar(select(Person.id).where(Person.email == spent.email, has_password))
        if person_id is None:
            raise _code_unknown()
        second_factors.require(session, person_id, second_factor, now, passkey_of=passkey_of)
        set_password(session, person_id, password_hash, now)
        person_sessions.end_all(session, person_id)
        return session.get_one(Person, person_id), None
    person_id = make_person(session, spent.email, name, password_hash, now)
    organisation = (spent.details or {}).get("organisation")
    if organisation:
        organisation_id = make_organisation(session, str(organisation), person_id, now)
        actor = trail.Actor("person", spent.email, person_id, address)
        trail.record(session, organisation_id, actor, "make_organisation", trail.Note(str(organisation)))
    invitation = (spent.details or {}).get("invitation")
    return session.get_one(Person, person_id), None if invitation is None else UUID(str(invitation))


def make_person(session: Session, email: str, name: str, password_hash: str | None, now: datetime) -> UUID:
    """Store a person whose e-mail address is proven, and return the id.

    An empty `name` becomes the part of the address before the @. Raise CodeUnknown if the address has a
    person.
    """
    row = {
        "id": new_id(),
        "email": email,
        "name": name or email.partition("@")[0],
        "password_hash": password_hash,
        "created_at": now,
        "password_set_at": now,
    }
    person_id: UUID | None = session.scalar(
        insert(Person).values(row).on_conflict_do_nothing().returning(Person.id)
    )
    if person_id is None:  # two links of one sign-up were opened at the same time
        raise _code_unknown()
    return person_id


def make_organisation(session: Session, name: str, person_id: UUID, now: datetime) -> UUID:
    """Store an organisation with this person as its owner, and return its id."""
    organisation = Organisation(id=new_id(), name=name, created_at=now, made_by=PERSON)
    session.add(organisation)
    session.flush()
    add_member(session, organisation.id, person_id, "owner", now)
    return organisation.id


def add_member(session: Session, organisation_id: UUID, person_id: UUID, role: str, now: datetime) -> bool:
    """Make a person a member in this role; return False, without a change, if they are a member already."""
    person = session.get_one(Person, person_id)
    row = {
        "organisation_id": organisation_id,
        "person_id": person_id,
        "role": role,
        "email": person.email,
        "name": person.name,
        "joined_at": now,
    }
    inserted = insert(Membership).values(row).on_conflict_do_nothing().returning(Membership.person_id)
    return session.scalar(inserted) is not None


def require_sign_in_method(session: Session, person_id: UUID) -> None:
    """Raise LastWayIn if the account has no password, passkey or account at the provider.

    The owner of this machine passes: the link that `tailroom people link` prints always remains.
    """
    ways = or_(
        Person.email == LOCAL_OWNER,
        Person.password_hash.is_not(None),
        exists().where(Passkey.person_id == Person.id),
        exists().where(PersonIdentity.person_id == Person.id),
    )
    if not session.scalar(select(exists().where(Person.id == person_id, ways))):
        raise LastWayIn("It is the last way into your account. Choose a password in the settings first.")


def set_password(session: Session, person_id: UUID, password_hash: str, now: datetime) -> None:
    """Store the hash of a new password. Raise AccountGone if there is no such person.

    Codes of mails, unfinished sign-ins, open invitations and enrolment codes of the person end. Sessions and
    tokens stay; the caller ends the sessions.
    """
    person = lock(session, person_id)
    organisation_ids = sorted(row.organisation_id for row in memberships(session, person_id))
    for organisation_id in organisation_ids:
        lock_organisation(session, organisation_id)
    end_codes(session, person.email)
    session.execute(delete(SignInAttempt).where(SignInAttempt.person_id == person_id))
    session.execute(
        update(Person).where(Person.id == person_id).values(password_hash=password_hash, password_set_at=now)
    )
    issuance.end_open(session, person_id, now)


def store_hash(session: Session, person_id: UUID, before: str, password_hash: str) -> None:
    """Store a new hash of the same password, unless the stored hash is not `before` any more."""
    session.execute(
        update(Person)
        .where(Person.id == person_id, Person.password_hash == before)
        .values(password_hash=password_hash)
    )


def rename(session: Session, person_id: UUID, name: str) -> None:
    """Change a person's name, also in all their organisations. Raise AccountGone without such a person."""
    lock(session, person_id)
    session.execute(update(Person).where(Person.id == person_id).values(name=name))
    session.execute(update(Membership).where(Membership.person_id == person_id).values(name=name))


def name_of(session: Session, person_id: UUID) -> str:
    """Return the name of a person. Raise AccountGone if there is no such person."""
    name = session.scalar(select(Person.name).where(Person.id == person_id))
    if name is None:
        raise AccountGone("This account was deleted just now.")
    return name


def record_everywhere(session: Session, person_id: UUID, actor: trail.Actor, action: str) -> None:
    """Record an action in the audit trail of each of the person's organisations."""
    for organisation_id in sorted(row.organisation_id for row in memberships(session, person_id)):
        trail.record(session, organisation_id, actor, action, trail.Note(actor.name))


class PersonOrganisation(NamedTuple):
    """An organisation of a person, with their role in it; `deletion_due_at` None: no deletion is planned."""

    organisation_id: UUID
    name: str
    role: Role
    needs_second_factor: bool
    deletion_due_at: datetime | None


def memberships(session: Session, person_id: UUID) -> list[PersonOrganisation]:
    """Return the organisations of a person, in the order in which they joined."""
    query = (
        select(
            Organisation.id,
            Organisation.name,
            Membership.role,
            Organisation.needs_second_factor,
            Organisation.deletion_due_at,
        )
        .join(Membership, Membership.organisation_id == Organisation.id)
        .where(Membership.person_id == person_id)
        .order_by(Membership.joined_at, Organisation.id)
    )
    return [
        PersonOrganisation(organisation_id, name, cast(Role, role), needs, due_at)
        for organisation_id, name, role, needs, due_at in session.execute(query)
    ]


def begin_session(
    session: Session,
    person_id: UUID,
    now: datetime,
    *,
    previous: str | None,
    browser: str,
    address: str,
    by: str,
    length: timedelta,
) -> str:
    """Begin a session of a person; return the value of its cookie. Raise AccountGone without such a person.

    It acts for the organisation that the person used last, or joined first, and none without a membership.
    That organisation's audit trail records `by`, the kind of proof. `previous`: cookie of the session to
    replace; `length`: lifetime.
    """
    person = lock(session, person_id)
    if previous is not None:
        person_sessions.end(session, previous)
    own_ids = [membership.organisation_id for membership in memberships(session, person_id)]
    last_id = session.scalar(
        select(PersonSession.chosen_organisation_id)
        .where(PersonSession.person_id == person_id, PersonSession.chosen_organisation_id.in_(own_ids))
        .order_by(PersonSession.last_used_at.desc())
        .limit(1)
    )
    organisation_id = last_id or (own_ids[0] if own_ids else None)
    if organisation_id is not None:
        actor = trail.Actor("person", person.email, person_id, address)
        trail.record(session, organisation_id, actor, "sign_in", trail.Note(by))
    return person_sessions.begin(
        session,
        person_id,
        now,
        organisation_id=organisation_id,
        browser=browser,
        address=address,
        length=length,
    )


def _new_code(
    session: Session, email: str, purpose: str, details: dict[str, Any] | None, now: datetime
) -> str:
    """Store a new code for an e-mail address and return it; `purpose` is `SIGN_UP` or `RESET`.

    Expired codes are deleted. Earlier codes of the address stay valid, because mails may arrive late.
    """
    session.execute(delete(MailCode).where(MailCode.expires_at <= now))
    code = make_session()
    session.add(
        MailCode(
            code_sha256=hash_token(code),
            email=email,
            purpose=purpose,
            details=details,
            created_at=now,
            expires_at=now + _LINK_VALID_FOR[purpose],
        )
    )
    session.flush()
    return code


def _find_code(session: Session, code: str, now: datetime) -> MailCode:
    row = session.get(MailCode, hash_token(code))
    if row is None or row.expires_at <= now:
        raise _code_unknown()
    return row


class _DeletedCode(NamedTuple):
    """A code of a mail that was deleted in this transaction; `details` as in `sign_up`, None for `RESET`."""

    email: str
    purpose: str
    details: dict[str, Any] | None


def _spend_code(session: Session, code: str, now: datetime) -> _DeletedCode:
    """Return the details of a valid code and delete all codes of its e-mail address.

    Of several concurrent requests only one succeeds. Raise CodeUnknown, and delete nothing, if the code is
    unknown, used or expired.
    """
    code_sha256 = hash_token(code)
    mailbox = select(MailCode.email).where(MailCode.code_sha256 == code_sha256, MailCode.expires_at > now)
    ended = end_codes(session, mailbox.scalar_subquery())
    if (spent := ended.get(code_sha256)) is None:
        raise _code_unknown()
    return spent


def end_codes(session: Session, email: str | ScalarSelect[str]) -> dict[bytes, _DeletedCode]:
    """Delete all codes of an e-mail address, also expired codes; return them by the SHA-256 of the code."""
    locked = (
        select(MailCode.code_sha256)
        .where(MailCode.email == email)
        .order_by(MailCode.code_sha256)
        .with_for_update()
        .cte("locked")
    )
    statement = (
        delete(MailCode)
        .where(MailCode.code_sha256.in_(select(locked.c.code_sha256)))
        .returning(MailCode.code_sha256, MailCode.email, MailCode.purpose, MailCode.details)
        .execution_options(synchronize_session=False)
    )
    return {
        row.code_sha256: _DeletedCode(row.email, row.purpose, row.details)
        for row in session.execute(statement)
    }


def _code_unknown() -> CodeUnknown:
    return CodeUnknown(
        "The link was used already, is too old, or was not copied whole. Ask for another mail."
    )
