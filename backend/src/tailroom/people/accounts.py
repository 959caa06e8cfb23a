"""Decides how somebody gets an account, signs in, and gets a new password.

An account begins with the mailbox: whoever opens the link of a mail chooses the password, and only then is
there a person. Nobody can prepare an account for the address of somebody else, and no answer tells whether
an address has one, nor how long it takes: a code is stored where nobody is sent it, too. All of it works in
transactions that are nobody's.
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
from tailroom.access.tokens import SESSION_LENGTH, hash_token, make_session
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
_HOLDS = {SIGN_UP: timedelta(days=1), RESET: timedelta(hours=1)}


@dataclass(frozen=True, slots=True)
class Found:
    """Of an account what signing in needs."""

    person_id: UUID
    password_hash: str | None
    has_second_factor: bool
    addresses: frozenset[str]
    """From which the person is signed in now."""


def find(session: Session, email: str) -> Found | None:
    """The account of an address."""
    person = session.scalar(select(Person).where(Person.email == email))
    if person is None:
        return None
    addresses = session.scalars(select(PersonSession.address).where(PersonSession.person_id == person.id))
    asks = second_factors.asks(session, person.id)
    return Found(person.id, person.password_hash, asks, frozenset(addresses))


def lock(session: Session, person_id: UUID, *, to_delete: bool = False) -> Person:
    """Return a person, held until the transaction ends: every change of an account begins here, and so one
    follows the other (`access.repository.lock_organisation`). Raise AccountGone.
    """
    query = select(Person).where(Person.id == person_id).with_for_update(key_share=not to_delete)
    person = session.scalar(query.execution_options(populate_existing=True))
    if person is None:
        raise AccountGone("This account was deleted just now.")
    return person


def sign_up(session: Session, email: str, details: Mapping[str, Any], base: str, now: datetime) -> Mail:
    """The mail for whoever signs up: the way on, or that there is an account."""
    code = _new_code(session, email, SIGN_UP, dict(details), now)
    is_there = session.scalar(select(Person.id).where(Person.email == email)) is not None
    if is_there or email == LOCAL_OWNER:
        return mails.known_already(email, base)
    return mails.welcome(email, base, code)


def ask_reset(session: Session, email: str, base: str, now: datetime) -> Mail | None:
    """Return the mail for whoever forgot the password; None where no account has one. An account without a
    password is opened in other ways, and no mailbox adds one to it.
    """
    code = _new_code(session, email, RESET, None, now)
    has_password = exists().where(Person.email == email, Person.password_hash.is_not(None))
    if not session.scalar(select(has_password)):
        return None
    return mails.reset(email, base, code)


def email_of(session: Session, code: str, now: datetime) -> str:
    """Whose mailbox a code was sent to. Raises CodeUnknown."""
    return _code(session, code, now).email


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
    """Makes the account of a sign-up with its organisation, or gives an account a new password and ends its
    sessions, for which its second factor is needed as well: reading somebody's mail alone opens no account
    that has one. Whose it is, and the invitation that they signed up with. Raises CodeUnknown,
    SecondFactorNeeded, SecondFactorWrong.
    """
    # The person first, as everywhere (`lock`); the code is asked for again.
    owner = select(Person.id).where(Person.email == _code(session, code, now).email)
    if (owner_id := session.scalar(owner)) is not None:
        lock(session, owner_id)
    found = _spend(session, code, now)
    if found.purpose == RESET:
        has_password = Person.password_hash.is_not(None)
        person_id = session.scalar(select(Person.id).where(Person.email == found.email, has_password))
        if person_id is None:
            raise _ended()
        second_factors.require(session, person_id, second_factor, now, passkey_of=passkey_of)
        set_password(session, person_id, password_hash, now)
        person_sessions.end_all(session, person_id)
        return session.get_one(Person, person_id), None
    made = make_person(session, found.email, name, password_hash, now)
    organisation = (found.details or {}).get("organisation")
    if organisation:
        made_for = make_organisation(session, str(organisation), made, now)
        actor = trail.Actor("person", found.email, made, address)
        trail.record(session, made_for, actor, "make_organisation", trail.Note(str(organisation)))
    invitation = (found.details or {}).get("invitation")
    return session.get_one(Person, made), None if invitation is None else UUID(str(invitation))


def make_person(session: Session, email: str, name: str, password_hash: str | None, now: datetime) -> UUID:
    """A new person, whose mailbox is proven. Raises CodeUnknown where there is one already."""
    row = {
        "id": new_id(),
        "email": email,
        "name": name or email.partition("@")[0],
        "password_hash": password_hash,
        "created_at": now,
        "password_set_at": now,
    }
    made: UUID | None = session.scalar(
        insert(Person).values(row).on_conflict_do_nothing().returning(Person.id)
    )
    if made is None:  # two links of one sign-up, opened at once
        raise _ended()
    return made


def make_organisation(session: Session, name: str, person_id: UUID, now: datetime) -> UUID:
    """A new organisation with its first owner."""
    organisation = Organisation(id=new_id(), name=name, created_at=now, made_by=PERSON)
    session.add(organisation)
    session.flush()
    add_member(session, organisation.id, person_id, "owner", now)
    return organisation.id


def add_member(session: Session, organisation_id: UUID, person_id: UUID, role: str, now: datetime) -> bool:
    """Makes a person a member; False where they are one already, whose role stays."""
    person = session.get_one(Person, person_id)
    row = {
        "organisation_id": organisation_id,
        "person_id": person_id,
        "role": role,
        "email": person.email,
        "name": person.name,
        "joined_at": now,
    }
    made = insert(Membership).values(row).on_conflict_do_nothing().returning(Membership.person_id)
    return session.scalar(made) is not None


def require_way_in(session: Session, person_id: UUID) -> None:
    """Raise LastWayIn where nothing opens an account any more: no password, passkey or provider. The owner of
    this machine always has the link that `tailroom people link` prints.
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
    """Give a person another password. What was issued to the account or by it before ends: codes of mails,
    sign-ins under way, open invitations and enrolment codes.
    """
    person = lock(session, person_id)
    for organisation_id in sorted(one.organisation_id for one in memberships(session, person_id)):
        lock_organisation(session, organisation_id)
    end_codes(session, person.email)
    session.execute(delete(SignInAttempt).where(SignInAttempt.person_id == person_id))
    session.execute(
        update(Person).where(Person.id == person_id).values(password_hash=password_hash, password_set_at=now)
    )
    issuance.end_open(session, person_id, now)


def store_hash(session: Session, person_id: UUID, before: str, password_hash: str) -> None:
    """Store the same password by newer parameters, unless it was changed meanwhile."""
    session.execute(
        update(Person)
        .where(Person.id == person_id, Person.password_hash == before)
        .values(password_hash=password_hash)
    )


def rename(session: Session, person_id: UUID, name: str) -> None:
    """Gives a person another name, as all their organisations see it."""
    lock(session, person_id)
    session.execute(update(Person).where(Person.id == person_id).values(name=name))
    session.execute(update(Membership).where(Membership.person_id == person_id).values(name=name))


def name_of(session: Session, person_id: UUID) -> str:
    """The name of a person. Raises AccountGone."""
    found = session.scalar(select(Person.name).where(Person.id == person_id))
    if found is None:
        raise AccountGone("This account was deleted just now.")
    return found


def record_everywhere(session: Session, person_id: UUID, actor: trail.Actor, action: str) -> None:
    """Leaves an event of what a person changed of their account with each of their organisations."""
    for organisation_id in sorted(one.organisation_id for one in memberships(session, person_id)):
        trail.record(session, organisation_id, actor, action, trail.Note(actor.name))


class Belonging(NamedTuple):
    """An organisation of a person."""

    organisation_id: UUID
    name: str
    role: Role
    needs_second_factor: bool
    deletion_due_at: datetime | None


def memberships(session: Session, person_id: UUID) -> list[Belonging]:
    """The organisations of a person, in the order in which they joined."""
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
        Belonging(one, name, cast(Role, role), needs, due_at)
        for one, name, role, needs, due_at in session.execute(query)
    ]


def begin_session(
    session: Session,
    person_id: UUID,
    now: datetime,
    *,
    browser: str,
    address: str,
    by: str,
    length: timedelta = SESSION_LENGTH,
) -> str:
    """Signs a person in, for the organisation that they chose last, or joined first, whose trail says `by`
    which proof; the cookie's value. Raises AccountGone.
    """
    lock(session, person_id)
    own = [one.organisation_id for one in memberships(session, person_id)]
    last = session.scalar(
        select(PersonSession.chosen_organisation_id)
        .where(PersonSession.person_id == person_id, PersonSession.chosen_organisation_id.in_(own))
        .order_by(PersonSession.last_used_at.desc())
        .limit(1)
    )
    chosen = last or (own[0] if own else None)
    if chosen is not None:
        person = session.get_one(Person, person_id)
        actor = trail.Actor("person", person.email, person_id, address)
        trail.record(session, chosen, actor, "sign_in", trail.Note(by))
    return person_sessions.begin(
        session,
        person_id,
        now,
        organisation_id=chosen,
        browser=browser,
        address=address,
        length=length,
    )


def _new_code(
    session: Session, email: str, purpose: str, details: dict[str, Any] | None, now: datetime
) -> str:
    """A fresh code for a mailbox; its older ones hold on, because mails overtake each other."""
    session.execute(delete(MailCode).where(MailCode.expires_at <= now))
    code = make_session()
    session.add(
        MailCode(
            code_sha256=hash_token(code),
            email=email,
            purpose=purpose,
            details=details,
            created_at=now,
            expires_at=now + _HOLDS[purpose],
        )
    )
    session.flush()
    return code


def _code(session: Session, code: str, now: datetime) -> MailCode:
    found = session.get(MailCode, hash_token(code))
    if found is None or found.expires_at <= now:
        raise _ended()
    return found


class _Spent(NamedTuple):
    """A code that was used just now."""

    email: str
    purpose: str
    details: dict[str, Any] | None


def _spend(session: Session, code: str, now: datetime) -> _Spent:
    """Use a code, with which all codes of its mailbox end, in one statement: of requests that come at once
    one finds it. Raise CodeUnknown.
    """
    code_sha256 = hash_token(code)
    mailbox = select(MailCode.email).where(MailCode.code_sha256 == code_sha256, MailCode.expires_at > now)
    gone = end_codes(session, mailbox.scalar_subquery())
    if (spent := gone.get(code_sha256)) is None:
        raise _ended()
    return spent


def end_codes(session: Session, email: str | ScalarSelect[str]) -> dict[bytes, _Spent]:
    """End every code of a mailbox. Rows are locked in one order, so that two of these never wait for each
    other.
    """
    locked = (
        select(MailCode.code_sha256)
        .where(MailCode.email == email)
        .order_by(MailCode.code_sha256)
        .with_for_update()
        .cte("locked")
    )
    gone = (
        delete(MailCode)
        .where(MailCode.code_sha256.in_(select(locked.c.code_sha256)))
        .returning(MailCode.code_sha256, MailCode.email, MailCode.purpose, MailCode.details)
        .execution_options(synchronize_session=False)
    )
    return {one.code_sha256: _Spent(one.email, one.purpose, one.details) for one in session.execute(gone)}


def _ended() -> CodeUnknown:
    return CodeUnknown(
        "The link was used already, is too old, or was not copied whole. Ask for another mail."
    )
