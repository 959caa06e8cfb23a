"""Passkeys: registration and verification, bound to this site and to a challenge that is valid once.

A passkey asks its owner for a finger, a face or a PIN (user verification), so it signs in by itself; beside a
password it is a second factor (docs/adr/0130). py_webauthn verifies the answers of devices.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import webauthn
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session
from webauthn.helpers import options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import PASSKEYS
from tailroom.people.errors import PasskeyRefused, PasskeysTooMany, PasskeyUnknown
from tailroom.storage.person import Passkey

_NAME = "Tailroom"
_BROKEN = (
    WebAuthnException,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    OverflowError,
    RecursionError,
)
"""Exceptions that py_webauthn raises for forged messages."""


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The site that passkeys are made for (WebAuthn), by its origin. They work on no other site."""

    origin: str

    @property
    def host(self) -> str:
        """Host name of the site."""
        return urlsplit(self.origin).hostname or ""


def new_challenge() -> str:
    """Return 256 random bits as base64url text without padding, as browsers send it back."""
    return secrets.token_urlsafe(32)


def options_to_make(  # noqa: PLR0917 - fields of the WebAuthn options
    site: RelyingParty, challenge: str, person_id: UUID, email: str, name: str, existing: Sequence[Passkey]
) -> dict[str, Any]:
    """Return the WebAuthn options to make a passkey; devices with a passkey in `existing` are excluded."""
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name=_NAME,
        user_id=person_id.bytes,
        user_name=email,
        user_display_name=name,
        challenge=webauthn.base64url_to_bytes(challenge),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            require_resident_key=True,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=passkey.credential_id) for passkey in existing],
    )
    return dict(options_to_json_dict(options))


def options_to_use(site: RelyingParty, challenge: str) -> dict[str, Any]:
    """Return the WebAuthn options with which a browser uses a passkey. They reveal nothing about accounts."""
    options = webauthn.generate_authentication_options(
        rp_id=site.host,
        challenge=webauthn.base64url_to_bytes(challenge),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(options_to_json_dict(options))


def challenge_of(answer: Mapping[str, Any]) -> str:
    """Return the challenge that a device's answer refers to. Raise PasskeyRefused if it is malformed."""
    try:
        data = webauthn.helpers.parse_client_data_json(
            webauthn.base64url_to_bytes(answer["response"]["clientDataJSON"])
        )
        return webauthn.helpers.bytes_to_base64url(data.challenge)
    except _BROKEN as error:
        raise _refused(error) from None


def add(  # noqa: PLR0917 - site, answer and owner
    session: Session,
    site: RelyingParty,
    challenge: str,
    answer: Mapping[str, Any],
    person_id: UUID,
    name: str,
    now: datetime,
) -> None:
    """Store a new passkey, given the answer of its device.

    Raise PasskeyRefused if the answer does not fit challenge and site, or the passkey is stored already;
    PasskeysTooMany if the person has 20.
    """
    try:
        verified = webauthn.verify_registration_response(
            credential=dict(answer),
            expected_challenge=webauthn.base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except _BROKEN as error:
        raise _refused(error) from None
    existing = passkeys_of(session, person_id)
    if len(existing) >= PASSKEYS:
        raise PasskeysTooMany(f"You have {PASSKEYS} passkeys. Remove one that you do not use first.")
    if session.get(Passkey, verified.credential_id) is not None:
        raise PasskeyRefused("This passkey is known already.")
    session.add(
        Passkey(
            credential_id=verified.credential_id,
            passkey_id=new_id(),
            person_id=person_id,
            name=name,
            public_key=verified.credential_public_key,
            uses=verified.sign_count,
            is_synced=verified.credential_backed_up,
            created_at=now,
            last_used_at=None,
        )
    )
    session.flush()


def verify(
    session: Session, site: RelyingParty, challenge: str, answer: Mapping[str, Any], now: datetime
) -> UUID:
    """Return the owner of the passkey that gave this answer; store its counter and its time of use.

    Raise PasskeyRefused if the passkey is unknown or another person's, the answer does not fit challenge and
    site, or the counter is not greater than before, which indicates a copy.
    """
    try:
        credential_id = webauthn.base64url_to_bytes(answer["id"])
        passkey = session.get(Passkey, credential_id)
        if passkey is None:
            raise PasskeyRefused("This passkey is not known here, or was removed.")
        verified = webauthn.verify_authentication_response(
            credential=dict(answer),
            expected_challenge=webauthn.base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.uses,
            require_user_verification=True,
        )
        handle = answer["response"].get("userHandle")
        if handle is not None and webauthn.base64url_to_bytes(handle) != passkey.person_id.bytes:
            raise PasskeyRefused("The passkey and the account do not belong together.")
    except _BROKEN as error:
        raise _refused(error) from None
    count = verified.new_sign_count
    # Devices without a counter always send 0.
    is_newer = Passkey.uses == 0 if count == 0 else Passkey.uses < count
    statement = (
        update(Passkey)
        .where(Passkey.credential_id == credential_id, is_newer)
        .values(uses=count, last_used_at=now, is_synced=verified.credential_backed_up)
        .returning(Passkey.passkey_id)
    )
    if session.scalar(statement) is None:
        raise PasskeyRefused("The passkey’s counter went back: there may be a copy of it.")
    return passkey.person_id


def passkeys_of(session: Session, person_id: UUID) -> Sequence[Passkey]:
    """Return the passkeys of a person, the newest first."""
    query = select(Passkey).where(Passkey.person_id == person_id)
    return session.scalars(query.order_by(Passkey.created_at.desc(), Passkey.passkey_id)).all()


def rename(session: Session, person_id: UUID, passkey_id: UUID, name: str) -> None:
    """Change the name of a passkey. Raise PasskeyUnknown if the person has no such passkey."""
    statement = update(Passkey).where(Passkey.person_id == person_id, Passkey.passkey_id == passkey_id)
    if session.scalar(statement.values(name=name).returning(Passkey.passkey_id)) is None:
        raise _unknown(passkey_id)


def remove(session: Session, person_id: UUID, passkey_id: UUID) -> None:
    """Remove a passkey. Raise PasskeyUnknown if the person has no such passkey."""
    statement = delete(Passkey).where(Passkey.person_id == person_id, Passkey.passkey_id == passkey_id)
    if session.scalar(statement.returning(Passkey.passkey_id)) is None:
        raise _unknown(passkey_id)


def _unknown(passkey_id: UUID) -> PasskeyUnknown:
    return PasskeyUnknown(f"Your account has no passkey {passkey_id}.")


def _refused(error: BaseException) -> PasskeyRefused:
    message = str(error).partition("\n")[0][:200] or type(error).__name__
    return PasskeyRefused(f"The passkey’s answer is not valid ({message}).")
