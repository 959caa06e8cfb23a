"""Decides what a second factor is, and when a code is right (docs/adr/0130).

A factor is a secret that an app shares with this server (RFC 6238: six digits, 30 s, SHA-1, as every app has
it), and ten recovery codes of 80 bits for whoever loses the app. Each code is taken once. All of it works in
transactions that are nobody's.
"""

import base64
import re
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import pyotp
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from tailroom.access.tokens import hash_token
from tailroom.kit.outside_types import is_digits
from tailroom.people.errors import SecondFactorNeeded, SecondFactorState, SecondFactorWrong
from tailroom.storage.person import Passkey, RecoveryCode, SecondFactor

STEP_S = 30
CLOCK_STEPS = (-1, 0, 1)
"""A code of the step before and of the next one is right as well: clocks differ, people type slowly."""
RECOVERY_CODES = 10
_RECOVERY_BYTES = 15
"""120 bits: what is as random as that needs no slow hash and no salt."""
_ISSUER = "Tailroom"


class Begun(NamedTuple):
    """A factor that an app can take over now."""

    secret: str
    uri: str


class State(NamedTuple):
    """Of an account, what there is."""

    confirmed_at: datetime | None
    recovery_codes: int


def is_of_app(code: str) -> bool:
    """Whether it looks like a code of an app, and can be guessed at."""
    return is_digits(plain := _plain(code), 6) and len(plain) == 6


def state(session: Session, person_id: UUID) -> State:
    """Whether the account has a second factor, and how many recovery codes are left."""
    left = select(func.count()).select_from(RecoveryCode).where(RecoveryCode.person_id == person_id)
    return State(_confirmed_at(session, person_id), session.scalar(left) or 0)


def asks(session: Session, person_id: UUID) -> bool:
    """Whether a password alone does not open the account: it has an app, or a passkey."""
    return bool(people_with(session, [person_id]))


def begin(session: Session, person_id: UUID, email: str, now: datetime) -> Begun:
    """A new secret, which counts for nothing until a code of it was right. Raises SecondFactorState."""
    if _confirmed_at(session, person_id) is not None:
        raise SecondFactorState("The account has a second factor. Turn it off before you set another.")
    secret = pyotp.random_base32()
    row = SecondFactor(person_id=person_id, secret=secret, created_at=now, confirmed_at=None, last_step=0)
    session.merge(row)
    session.flush()
    return Begun(secret, pyotp.TOTP(secret, name=email, issuer=_ISSUER).provisioning_uri())


def confirm(session: Session, person_id: UUID, code: str, now: datetime) -> list[str]:
    """Turns the factor on with a first code; the recovery codes, which are told nobody again.

    Raises SecondFactorState, SecondFactorWrong.
    """
    factor = session.get(SecondFactor, person_id, with_for_update=True)
    if factor is None or factor.confirmed_at is not None:
        raise SecondFactorState("There is no second factor to confirm. Begin to set one.")
    if not _take_of_app(session, person_id, code, now):
        raise SecondFactorWrong(
            "The code is wrong. Type the newest one of the app, and check that the clock of its device is"
            " right."
        )
    factor.confirmed_at = now
    return new_recovery_codes(session, person_id)


def require(
    session: Session, person_id: UUID, code: str | None, now: datetime, *, passkey_of: UUID | None = None
) -> bool:
    """Whether the account has a second factor, for which the code is right then; it is used with that. Or a
    passkey has answered, of `passkey_of`.

    Raises SecondFactorNeeded without a code, SecondFactorWrong.
    """
    if not asks(session, person_id):
        return False
    if passkey_of is not None:
        if passkey_of != person_id:
            raise SecondFactorWrong("The passkey belongs to another account.")
        return True
    if not code:
        raise SecondFactorNeeded("Type the code that your app shows, or a recovery code, or use a passkey.")
    if not (_take_of_app(session, person_id, code, now) or _take_recovery(session, person_id, code)):
        raise SecondFactorWrong(
            "The code is wrong, was used already, or is too old. Type the one that the app shows now, or a"
            " recovery code."
        )
    return True


def turn_off(session: Session, person_id: UUID) -> None:
    """Takes the app away, and the recovery codes with the last factor."""
    session.execute(delete(SecondFactor).where(SecondFactor.person_id == person_id))
    if not asks(session, person_id):
        session.execute(delete(RecoveryCode).where(RecoveryCode.person_id == person_id))


def reset(session: Session, person_id: UUID) -> None:
    """Takes everything away that is asked for besides the password: app, passkeys, recovery codes."""
    session.execute(delete(Passkey).where(Passkey.person_id == person_id))
    turn_off(session, person_id)


def new_recovery_codes(session: Session, person_id: UUID) -> list[str]:
    """Ten others; the ones before do not hold any more."""
    codes = [
        base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode().lower() for _ in range(RECOVERY_CODES)
    ]
    session.execute(delete(RecoveryCode).where(RecoveryCode.person_id == person_id))
    session.add_all(RecoveryCode(person_id=person_id, code_sha256=hash_token(one)) for one in codes)
    session.flush()
    return [_grouped(one) for one in codes]


def people_with(session: Session, person_ids: Sequence[UUID]) -> set[UUID]:
    """Of these people, those who have a second factor: an app, or a passkey."""
    apps = select(SecondFactor.person_id).where(
        SecondFactor.person_id.in_(person_ids), SecondFactor.confirmed_at.is_not(None)
    )
    return set(
        session.scalars(apps.union(select(Passkey.person_id).where(Passkey.person_id.in_(person_ids))))
    )


def _confirmed_at(session: Session, person_id: UUID) -> datetime | None:
    return session.scalar(select(SecondFactor.confirmed_at).where(SecondFactor.person_id == person_id))


def _take_of_app(session: Session, person_id: UUID, code: str, now: datetime) -> bool:
    """Whether it is a code of the app that was not taken yet, nor one after it."""
    secret = session.scalar(select(SecondFactor.secret).where(SecondFactor.person_id == person_id))
    if secret is None or not is_of_app(code):
        return False
    present, totp = int(now.timestamp()) // STEP_S, pyotp.TOTP(secret)
    fitting = [
        step
        for step in (present + shift for shift in CLOCK_STEPS)
        if secrets.compare_digest(totp.generate_otp(step), _plain(code))
    ]
    if not fitting:
        return False
    taken = (
        update(SecondFactor)
        .where(SecondFactor.person_id == person_id, SecondFactor.last_step < fitting[-1])
        .values(last_step=fitting[-1])
        .returning(SecondFactor.person_id)
    )
    return session.scalar(taken) is not None


def _take_recovery(session: Session, person_id: UUID, code: str) -> bool:
    taken = delete(RecoveryCode).where(
        RecoveryCode.person_id == person_id, RecoveryCode.code_sha256 == hash_token(_plain(code))
    )
    return session.scalar(taken.returning(RecoveryCode.person_id)) is not None


def _plain(code: str) -> str:
    return re.sub(r"[\s-]", "", code).lower()


def _grouped(code: str) -> str:
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))
