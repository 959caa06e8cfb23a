"""People: their sign-in, sessions and memberships."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

ROLES_KNOWN = "role IN ('owner', 'admin', 'engineer', 'viewer')"


class Person(Base):
    """A person with a verified mailbox, who is a member of organisations."""

    __tablename__ = "person"
    __table_args__ = (UniqueConstraint("email"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    email: Mapped[str]
    """E-mail address in lower case."""
    name: Mapped[str]
    password_hash: Mapped[str | None]
    """Argon2id with its parameters and salt, as text. None: no password."""
    created_at: Mapped[datetime]
    password_set_at: Mapped[datetime]


class PersonSession(Base):
    """A browser in which a person is signed in. Ending the session deletes the row."""

    __tablename__ = "person_session"
    __table_args__ = (
        UniqueConstraint("session_id"),
        CheckConstraint("octet_length(session_sha256) = 32", name="session_sha256_length"),
    )

    session_sha256: Mapped[bytes] = mapped_column(primary_key=True)
    """SHA-256 of the value of the cookie."""
    session_id: Mapped[UUID]
    """Id by which the API names the session."""
    person_id: Mapped[UUID] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), index=True)
    chosen_organisation_id: Mapped[UUID | None]
    """Organisation for which the person acts here, while they are a member."""
    browser: Mapped[str]
    """User agent of the browser."""
    address: Mapped[str]
    """Network address that signed in."""
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class Membership(Base):
    """Membership of a person in an organisation, with copies of e-mail address and name for other members."""

    __tablename__ = "membership"
    __table_args__ = (CheckConstraint(ROLES_KNOWN, name="role_known"),)

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    person_id: Mapped[UUID] = mapped_column(
        ForeignKey("person.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    role: Mapped[str]
    email: Mapped[str]
    name: Mapped[str]
    joined_at: Mapped[datetime]
    by_groups: Mapped[bool] = mapped_column(server_default=false())
    """Whether the groups at the provider of single sign-on decide about it at each sign-in."""


class SecondFactor(Base):
    """A second factor: time-based codes of an app."""

    __tablename__ = "second_factor"

    person_id: Mapped[UUID] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), primary_key=True)
    secret: Mapped[str]
    """Base32. Transactions of organisations cannot read it."""
    created_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    """Time of the first right code; the factor is unused before."""
    last_step: Mapped[int] = mapped_column(BigInteger)
    """Time step (30 s) of the last accepted code; none is accepted twice."""


class RecoveryCode(Base):
    """A recovery code for a lost app; deleted when used. Only its SHA-256 is stored."""

    __tablename__ = "recovery_code"
    __table_args__ = (CheckConstraint("octet_length(code_sha256) = 32", name="code_sha256_length"),)

    person_id: Mapped[UUID] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), primary_key=True)
    code_sha256: Mapped[bytes] = mapped_column(primary_key=True)


class PersonIdentity(Base):
    """A person's account at the provider of single sign-on."""

    __tablename__ = "person_identity"
    __table_args__ = (UniqueConstraint("identity_id"),)

    issuer: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    """Subject at the provider, which stays when the address changes."""
    identity_id: Mapped[UUID]
    """Id by which the API names it."""
    person_id: Mapped[UUID] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), index=True)
    email: Mapped[str]
    """E-mail address at the provider when it was connected."""
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime]


class Passkey(Base):
    """The public key of a passkey, whose private key is on a device of the person."""

    __tablename__ = "passkey"
    __table_args__ = (UniqueConstraint("passkey_id"),)

    credential_id: Mapped[bytes] = mapped_column(primary_key=True)
    """Id that the device gave the credential."""
    passkey_id: Mapped[UUID]
    """Id by which the API names it."""
    person_id: Mapped[UUID] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    public_key: Mapped[bytes]
    """COSE key from the device."""
    uses: Mapped[int] = mapped_column(BigInteger)
    """Signature counter of the device; 0: the device does not count."""
    is_synced: Mapped[bool]
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]


class SignInAttempt(Base):
    """A sign-in that was begun, with the values to verify at its end. It can be ended once."""

    __tablename__ = "sign_in_attempt"
    __table_args__ = (
        CheckConstraint("octet_length(key_sha256) = 32", name="key_sha256_length"),
        CheckConstraint("kind IN ('oidc', 'passkey', 'new-passkey', 'local')", name="kind_known"),
    )

    key_sha256: Mapped[bytes] = mapped_column(primary_key=True)
    """SHA-256 of a random value that the answer must return."""
    kind: Mapped[str]
    person_id: Mapped[UUID | None] = mapped_column(ForeignKey("person.id", ondelete="CASCADE"), index=True)
    """Person whose account it is for; None if not yet known."""
    details: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class MailCode(Base):
    """A code sent by mail to verify a mailbox. Only its SHA-256 is stored."""

    __tablename__ = "mail_code"
    __table_args__ = (
        CheckConstraint("octet_length(code_sha256) = 32", name="code_sha256_length"),
        CheckConstraint("purpose IN ('sign-up', 'reset')", name="purpose_known"),
    )

    code_sha256: Mapped[bytes] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(index=True)
    purpose: Mapped[str]
    details: Mapped[dict[str, Any] | None]
    """For a sign-up: the name of the new organisation, or the accepted invitation."""
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
