"""Decides when a passkey is whose it says it is: made for this place and this challenge, and no copy.

A passkey asks its owner for a finger, a face or a PIN (user verification), so it signs in by itself; beside a
password it is a second factor (docs/adr/0130). Challenges count once. py_webauthn checks what devices answer.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
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
"""What a message that was put together by hand can make the library raise."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where passkeys belong to: a device gives one to no other."""

    origin: str

    @property
    def host(self) -> str:
        """The name that passkeys are made for."""
        return urlsplit(self.origin).hostname or ""


class Proven(NamedTuple):
    """Whose passkey it was."""

    passkey_id: UUID
    person_id: UUID


def new_challenge() -> str:
    """256 random bits, as browsers send them back."""
    return secrets.token_urlsafe(32)


def options_to_make(  # noqa: PLR0917 - what a device is told
    place: Place, challenge: str, person_id: UUID, email: str, name: str, known: Sequence[Passkey]
) -> dict[str, Any]:
    """What a browser needs to make a passkey."""
    options = webauthn.generate_registration_options(
        rp_id=place.host,
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
        exclude_credentials=[PublicKeyCredentialDescriptor(id=one.credential_id) for one in known],
    )
    return dict(options_to_json_dict(options))


def options_to_use(place: Place, challenge: str) -> dict[str, Any]:
    """What a browser needs to use one; the device knows whose it is, and nobody is told who has one."""
    options = webauthn.generate_authentication_options(
        rp_id=place.host,
        challenge=webauthn.base64url_to_bytes(challenge),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(options_to_json_dict(options))


def challenge_of(answer: Mapping[str, Any]) -> str:
    """Which challenge an answer is to. Raises PasskeyRefused."""
    try:
        data = webauthn.helpers.parse_client_data_json(
            webauthn.base64url_to_bytes(answer["response"]["clientDataJSON"])
        )
        return webauthn.helpers.bytes_to_base64url(data.challenge)
    except _BROKEN as error:
        raise _refused(error) from None


def add(  # noqa: PLR0917 - where, what, whose
    session: Session,
    place: Place,
    challenge: str,
    answer: Mapping[str, Any],
    person_id: UUID,
    name: str,
    now: datetime,
) -> None:
    """Stores a new passkey, when its device answers to this challenge at this place.

    Raises PasskeyRefused, PasskeysTooMany.
    """
    try:
        verified = webauthn.verify_registration_response(
            credential=dict(answer),
            expected_challenge=webauthn.base64url_to_bytes(challenge),
            expected_rp_id=place.host,
            expected_origin=place.origin,
            require_user_verification=True,
        )
    except _BROKEN as error:
        raise _refused(error) from None
    known = passkeys_of(session, person_id)
    if len(known) >= PASSKEYS:
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


def prove(session: Session, place: Place, challenge: str, answer: Mapping[str, Any], now: datetime) -> Proven:
    """Whose passkey has answered to this challenge at this place; it is used with that.

    Raises PasskeyRefused.

    A counter that does not go on is the mark of a copy. It is compared and stored in one statement.
    """
    try:
        credential_id = webauthn.base64url_to_bytes(answer["id"])
        found = session.get(Passkey, credential_id)
        if found is None:
            raise PasskeyRefused("This passkey is not known here, or was removed.")
        verified = webauthn.verify_authentication_response(
            credential=dict(answer),
            expected_challenge=webauthn.base64url_to_bytes(challenge),
            expected_rp_id=place.host,
            expected_origin=place.origin,
            credential_public_key=found.public_key,
            credential_current_sign_count=found.uses,
            require_user_verification=True,
        )
        handle = answer["response"].get("userHandle")
        if handle is not None and webauthn.base64url_to_bytes(handle) != found.person_id.bytes:
            raise PasskeyRefused("The passkey and the account do not belong together.")
    except _BROKEN as error:
        raise _refused(error) from None
    count = verified.new_sign_count
    # Devices that do not count say 0 for ever.
    goes_on = Passkey.uses == 0 if count == 0 else Passkey.uses < count
    used = (
        update(Passkey)
        .where(Passkey.credential_id == credential_id, goes_on)
        .values(uses=count, last_used_at=now, is_synced=verified.credential_backed_up)
        .returning(Passkey.passkey_id)
    )
    if session.scalar(used) is None:
        raise PasskeyRefused("The passkey’s counter went back: there may be a copy of it.")
    return Proven(found.passkey_id, found.person_id)


def passkeys_of(session: Session, person_id: UUID) -> Sequence[Passkey]:
    """Of a person, the newest first."""
    query = select(Passkey).where(Passkey.person_id == person_id)
    return session.scalars(query.order_by(Passkey.created_at.desc(), Passkey.passkey_id)).all()


def rename(session: Session, person_id: UUID, passkey_id: UUID, name: str) -> None:
    """Gives a passkey another name. Raises PasskeyUnknown."""
    changed = update(Passkey).where(Passkey.person_id == person_id, Passkey.passkey_id == passkey_id)
    if session.scalar(changed.values(name=name).returning(Passkey.passkey_id)) is None:
        raise _unknown(passkey_id)


def remove(session: Session, person_id: UUID, passkey_id: UUID) -> None:
    """Takes a passkey away: it opens nothing from now on. Raises PasskeyUnknown."""
    gone = delete(Passkey).where(Passkey.person_id == person_id, Passkey.passkey_id == passkey_id)
    if session.scalar(gone.returning(Passkey.passkey_id)) is None:
        raise _unknown(passkey_id)


def _unknown(passkey_id: UUID) -> PasskeyUnknown:
    return PasskeyUnknown(f"Your account has no passkey {passkey_id}.")


def _refused(error: BaseException) -> PasskeyRefused:
    said = str(error).partition("\n")[0][:200] or type(error).__name__
    return PasskeyRefused(f"The passkey’s answer is not valid ({said}).")
