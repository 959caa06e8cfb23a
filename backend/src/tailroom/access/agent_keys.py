"""Authentication of agents by a signature with the key that their machine made to enrol.

The signature names a credential and a time, and is valid for one short token (15 minutes): the time must be
near the server's clock, and later than the last. So a signature that was intercepted or logged cannot be
reused. Later requests have the short token only, because signatures cost time.
"""

import base64
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tailroom.access import repository
from tailroom.access.errors import ProofStale, ProofWrong
from tailroom.access.tokens import SHORT_TOKEN_LENGTH, hash_token, make_short_token
from tailroom.kit.clock import unix_ns
from tailroom.storage.access_token import AccessToken

NEAR_NS = 60_000_000_000
"""Largest difference in ns to the server's clock. Agents ask for its time first (`GET /api/v1/clock`)."""
_PURPOSE = "tailroom short token"


class Proof(NamedTuple):
    """Signature of an agent for a credential and a time in ns since 1970."""

    credential_id: UUID
    unix_ns: int
    signature: str
    """Ed25519, base64."""


def signed_text(credential_id: UUID, unix_ns: int) -> bytes:
    """Return the bytes that an agent signs; the first line prevents use for another purpose."""
    return f"{_PURPOSE}\n{credential_id}\n{unix_ns}".encode()


def begin(session: Session, proof: Proof, now: datetime) -> str:
    """Store and return a short token for the agent that made this proof, which is accepted once.

    The session must be bound to no organisation. Raise ProofWrong for an unknown or revoked credential or a
    wrong signature, ProofStale if the time is over 60 s from `now`, or not later than that of the last proof.
    """
    is_valid = (AccessToken.id == proof.credential_id, AccessToken.valid_at(now))
    credential = session.execute(
        select(AccessToken.public_key, AccessToken.organisation_id).where(*is_valid)
    ).one_or_none()
    if credential is None or credential.public_key is None or not _is_signed(credential.public_key, proof):
        raise ProofWrong("No agent that is enrolled here has signed this. It may have been removed.")
    away_ns = abs(unix_ns(now) - proof.unix_ns)
    if away_ns > NEAR_NS:
        raise ProofStale(
            f"The signature is for a moment {away_ns / 1e9:.0f} s from the clock of this"
            " installation; sign again by `GET /api/v1/clock`."
        )
    is_new = session.scalar(
        update(AccessToken)
        .where(*is_valid, AccessToken.last_proof_ns < proof.unix_ns)
        .values(last_proof_ns=proof.unix_ns, last_used_at=now)
        .returning(AccessToken.id)
        .execution_options(synchronize_session=False)
    )
    if is_new is None:
        raise ProofStale("This signature, or a later one, came before; sign again.")
    text = make_short_token()
    repository.add_session(
        session,
        hash_token(text),
        credential.organisation_id,
        proof.credential_id,
        now=now,
        length=SHORT_TOKEN_LENGTH,
    )
    return text


def _is_signed(public_key: bytes, proof: Proof) -> bool:
    """Return whether the signature of a proof is valid; False also if it is malformed."""
    try:
        signature = base64.b64decode(proof.signature, validate=True)
        text = signed_text(proof.credential_id, proof.unix_ns)
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True
