"""Second factors: codes of an app, recovery codes, and passkeys (docs/adr/0130).

An app shares a secret with this server (RFC 6238: six digits, 30 s, SHA-1, which every app supports); ten
recovery codes replace a lost app. Each code is accepted once. Sessions here are not bound to an organisation.
"""

import base64
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import pyotp
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from tailroom.access.tokens import hash_token
from tailroom.kit.outside_types import is_digits
from tailroom.people.errors import SecondFactorNeeded, SecondFactorState, SecondFactorWrong
from tailroom.people.schemas import SecondFactorBegunOut, SecondFactorOut
from tailroom.storage.person import Passkey, RecoveryCode, SecondFactor

STEP_S = 30
CLOCK_STEPS = (-1, 0, 1)
"""Time steps whose code is accepted, relative to the present step: clocks differ, people type slowly."""
RECOVERY_CODES = 10
_RECOVERY_BYTES = 15
"""120 bits: so random a code needs no slow hash and no salt."""
_ISSUER = "Tailroom"


def is_app_code(code: str) -> bool:
    """Return whether a text has the form of an app's code: six digits; spaces and hyphens are ignored."""
    return is_digits(plain := _plain(code), 6) and len(plain) == 6


def state(session: Session, person_id: UUID) -> SecondFactorOut:
    """Return when an app of the account was confirmed, and the number of its recovery codes."""
    remaining = select(func.count()).select_from(RecoveryCode).where(RecoveryCode.person_id == person_id)
    return SecondFactorOut(
        confirmed_at=_confirmed_at(session, person_id), recovery_codes=session.scalar(remaining) or 0
    )


def has_factor(session: Session, person_id: UUID) -> bool:
    """Return whether the account has a second factor, which signing in then needs: an app or a passkey."""
    return bool(people_with(session, [person_id]))


def begin(session: Session, person_id: UUID, email: str, now: datetime) -> SecondFactorBegunOut:
    """Store and return a new secret for an app, which has no effect until `confirm`.

    It replaces an unconfirmed secret. Raise SecondFactorState if an app is confirmed.
    """
    if _confirmed_at(session, person_id) is not None:
        raise SecondFactorState("The account has a second factor. Turn it off before you set another.")
    secret = pyotp.random_base32()
    row = SecondFactor(person_id=person_id, secret=secret, created_at=now, confirmed_at=None, last_step=0)
    session.merge(row)
    session.flush()
    uri = pyotp.TOTP(secret, name=email, issuer=_ISSUER).provisioning_uri()
    return SecondFactorBegunOut(secret=secret, uri=uri)


def confirm(session: Session, person_id: UUID, code: str, now: datetime) -> list[str]:
    """Confirm the app with a code; return new recovery codes, which are shown only once.

    Raise SecondFactorState without an unconfirmed secret, SecondFactorWrong if the code is wrong.
    """
    factor = session.get(SecondFactor, person_id, with_for_update=True)
    if factor is None or factor.confirmed_at is not None:
        raise SecondFactorState("There is no second factor to confirm. Begin to set one.")
    if not _use_app_code(session, person_id, code, now):
        raise SecondFactorWrong(
            "The code is wrong. Type the newest one of the app, and check that the clock of its device is"
            " right."
        )
    factor.confirmed_at = now
    return new_recovery_codes(session, person_id)


def require(
    session: Session, person_id: UUID, code: str | None, now: datetime, *, passkey_of: UUID | None = None
) -> bool:
    """Check and use up a code of the account's second factor; return False if the account has none.

    `passkey_of`: owner of a verified passkey, in place of a code. Raise SecondFactorNeeded without either of
    them, SecondFactorWrong if the code is wrong or used, or the passkey is another person's.
    """
    if not has_factor(session, person_id):
        return False
    if passkey_of is not None:
        if passkey_of != person_id:
            raise SecondFactorWrong("The passkey belongs to another account.")
        return True
    if not code:
        raise SecondFactorNeeded("Type the code that your app shows, or a recovery code, or use a passkey.")
    if not (_use_app_code(session, person_id, code, now) or _use_recovery_code(session, person_id, code)):
        raise SecondFactorWrong(
            "The code is wrong, was used already, or is too old. Type the one that the app shows now, or a"
            " recovery code."
        )
    return True


def turn_off(session: Session, person_id: UUID) -> None:
    """Remove the app of an account; if it has no passkey, remove its recovery codes, too."""
    session.execute(delete(SecondFactor).where(SecondFactor.person_id == person_id))
    if not has_factor(session, person_id):
        session.execute(delete(RecoveryCode).where(RecoveryCode.person_id == person_id))


def reset(session: Session, person_id: UUID) -> None:
    """Remove all second factors: app, passkeys, recovery codes."""
    session.execute(delete(Passkey).where(Passkey.person_id == person_id))
    turn_off(session, person_id)


def new_recovery_codes(session: Session, person_id: UUID) -> list[str]:
    """Store ten new recovery codes in place of the previous codes, and return them as text."""
    codes = [
        base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode().lower() for _ in range(RECOVERY_CODES)
    ]
    session.execute(delete(RecoveryCode).where(RecoveryCode.person_id == person_id))
    session.add_all(RecoveryCode(person_id=person_id, code_sha256=hash_token(code)) for code in codes)
    session.flush()
    return [_grouped(code) for code in codes]


def people_with(session: Session, person_ids: Sequence[UUID]) -> set[UUID]:
    """Return the subset of these people who have a second factor: a confirmed app, or a passkey."""
    apps = select(SecondFactor.person_id).where(
        SecondFactor.person_id.in_(person_ids), SecondFactor.confirmed_at.is_not(None)
    )
    return set(
        session.scalars(apps.union(select(Passkey.person_id).where(Passkey.person_id.in_(person_ids))))
    )


def _confirmed_at(session: Session, person_id: UUID) -> datetime | None:
    """Return when an app of the account was confirmed; None if there is none, or it is unconfirmed."""
    return session.scalar(select(SecondFactor.confirmed_at).where(SecondFactor.person_id == person_id))


def _use_app_code(session: Session, person_id: UUID, code: str, now: datetime) -> bool:
    """Return whether an app code is right and later than the last accepted; store its time step.

    False without a secret. An unconfirmed secret counts, too.
    """
    secret = session.scalar(select(SecondFactor.secret).where(SecondFactor.person_id == person_id))
    if secret is None or not is_app_code(code):
        return False
    present, totp = int(now.timestamp()) // STEP_S, pyotp.TOTP(secret)
    matching_steps = [
        step
        for step in (present + shift for shift in CLOCK_STEPS)
        if secrets.compare_digest(totp.generate_otp(step), _plain(code))
    ]
    if not matching_steps:
        return False
    statement = (
        update(SecondFactor)
        .where(SecondFactor.person_id == person_id, SecondFactor.last_step < matching_steps[-1])
        .values(last_step=matching_steps[-1])
        .returning(SecondFactor.person_id)
    )
    return session.scalar(statement) is not None


def _use_recovery_code(session: Session, person_id: UUID, code: str) -> bool:
    """Delete the recovery code of the person and return True; return False if they have no such code."""
    statement = delete(RecoveryCode).where(
        RecoveryCode.person_id == person_id, RecoveryCode.code_sha256 == hash_token(_plain(code))
    )
    return session.scalar(statement.returning(RecoveryCode.person_id)) is not None


def _plain(code: str) -> str:
    return re.sub(r"[\s-]", "", code).lower()


def _grouped(code: str) -> str:
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))
