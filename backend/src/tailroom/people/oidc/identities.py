"""The account of a person who has signed in at the provider (docs/adr/0130).

The provider's id of the person (issuer and subject) decides. For the first sign-in an e-mail address leads to
an account, if the provider has verified it and the account has no second factor. That factor protects against
readers of the mailbox, and the provider may be one of them.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import delete, exists, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.access import issuance
from tailroom.kit.identifiers import new_id
from tailroom.kit.outside_types import EmailAddress, clean_text
from tailroom.people import accounts, second_factors
from tailroom.people.errors import (
    AttemptEnded,
    IdentityTaken,
    IdentityUnconnected,
    IdentityUnknown,
    MailUnproven,
    SignUpClosed,
)
from tailroom.people.schemas import NAME_CHARACTERS, OptionalName
from tailroom.storage.invitation import Invitation
from tailroom.storage.organisation import LOCAL_OWNER
from tailroom.storage.person import Person, PersonIdentity

_EMAIL: TypeAdapter[str] = TypeAdapter(EmailAddress)
_NAME: TypeAdapter[str] = TypeAdapter(OptionalName)


class SignedInAtProvider(NamedTuple):
    """The account of a person who signed in at the provider."""

    person_id: UUID
    email: str
    is_newly_connected: bool
    """Whether an existing account was connected by this sign-in; its owner then gets a mail."""


def sign_in(
    session: Session, issuer: str, claims: Mapping[str, Any], now: datetime, *, may_join: bool
) -> SignedInAtProvider:
    """Return the account of the person that the provider's claims are about.

    A missing account is created if `may_join` or the address is invited; else raise SignUpClosed. An existing
    account with this address is connected; raise IdentityUnconnected if it has a second factor, MailUnproven
    without a verified address. Raise AttemptEnded, CodeUnknown or AccountGone after a concurrent change.
    """
    identity = session.get(PersonIdentity, (issuer, claims["sub"]))
    if identity is not None:
        person = accounts.lock(session, identity.person_id)
        identity.last_used_at = now
        return SignedInAtProvider(person.id, person.email, False)
    email = _proven_email(claims)
    person_id = session.scalar(select(Person.id).where(Person.email == email))
    existed_before = person_id is not None
    if person_id is None:
        if not may_join and not _is_invited(session, email, now):
            raise SignUpClosed(
                "You have no account here, and none of your groups belongs to an organisation. Ask for an"
                " invitation, or whoever runs the server."
            )
        person_id = accounts.make_person(session, email, _name(claims), None, now)
    else:
        accounts.lock(session, person_id)
        if second_factors.has_factor(session, person_id):
            raise IdentityUnconnected(
                f"The account of {email} has a second factor. Sign in with it, then connect it in the"
                " settings."
            )
    if not _connect(session, issuer, claims, person_id, email, now):
        raise AttemptEnded("The provider’s account was connected just now. Sign in once more.")
    return SignedInAtProvider(person_id, email, existed_before)


def connect(session: Session, issuer: str, claims: Mapping[str, Any], person_id: UUID, now: datetime) -> bool:
    """Connect the provider's account to that of the signed-in person; return whether they were not connected.

    Raise IdentityTaken if the provider's account is connected to another person.
    """
    email = clean_text(str(claims.get("email") or claims["sub"]))[:254]
    is_new = _connect(session, issuer, claims, person_id, email, now)
    identity = session.get_one(PersonIdentity, (issuer, claims["sub"]), with_for_update=True)
    if identity.person_id != person_id:
        raise IdentityTaken("The provider’s account opens another account here. Disconnect it there first.")
    return is_new


def identities_of(session: Session, person_id: UUID) -> list[PersonIdentity]:
    """Return a person's connections to accounts of providers, the newest first."""
    query = select(PersonIdentity).where(PersonIdentity.person_id == person_id)
    return list(session.scalars(query.order_by(PersonIdentity.created_at.desc(), PersonIdentity.identity_id)))


def disconnect(session: Session, person_id: UUID, identity_id: UUID) -> None:
    """Remove a connection of a person. Raise IdentityUnknown if they have no such connection."""
    statement = delete(PersonIdentity).where(
        PersonIdentity.person_id == person_id, PersonIdentity.identity_id == identity_id
    )
    if session.scalar(statement.returning(PersonIdentity.identity_id)) is None:
        raise IdentityUnknown(f"Your account has no connection {identity_id}.")


def _connect(  # noqa: PLR0917 - columns of a row
    session: Session, issuer: str, claims: Mapping[str, Any], person_id: UUID, email: str, now: datetime
) -> bool:
    """Store a connection and return True; return False if the provider's account has one, to any person."""
    row = {
        "issuer": issuer,
        "subject": claims["sub"],
        "identity_id": new_id(),
        "person_id": person_id,
        "email": email,
        "created_at": now,
        "last_used_at": now,
    }
    statement = (
        insert(PersonIdentity).values(row).on_conflict_do_nothing().returning(PersonIdentity.identity_id)
    )
    return session.scalar(statement) is not None


def _proven_email(claims: Mapping[str, Any]) -> str:
    """Return the claimed mailbox in lower case. Raise MailUnproven if it is none, or not verified."""
    verified = claims.get("email_verified")
    if verified is not True and verified != "true":
        raise MailUnproven(
            "The provider does not say that your e-mail address is verified, so it cannot sign in here."
        )
    try:
        email = _EMAIL.validate_python(claims.get("email"))
    except ValidationError:
        email = LOCAL_OWNER
    if email == LOCAL_OWNER:  # it is not a mailbox
        raise MailUnproven("The provider names no e-mail address that can be used here.")
    return email


def _name(claims: Mapping[str, Any]) -> str:
    """Return the name in the claims, cut to 100 characters; empty if it is missing or cannot be a name."""
    try:
        return _NAME.validate_python(str(claims.get("name") or "")[:NAME_CHARACTERS])
    except ValidationError:
        return ""


def _is_invited(session: Session, email: str, now: datetime) -> bool:
    query = exists().where(
        Invitation.email == email,
        Invitation.accepted_at.is_(None),
        Invitation.revoked_at.is_(None),
        Invitation.expires_at > now,
        issuance.may_invite_as(now),
    )
    return bool(session.scalar(select(query)))
