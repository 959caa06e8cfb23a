"""Decides when an agent is who it says it is: by a signature of the key that its machine made to enrol.

The signature names a credential and a moment, and is good for one short token: a moment must be later than
the last one, and near our clock. What was seen on the way, or found in a log, lets nobody in again. Requests
then bring the short token, as any other, so that none of them costs a signature.
"""

import base64
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from tailroom.access import repository
from tailroom.access.errors import ProofStale, ProofWrong
from tailroom.access.tokens import SHORT_TOKEN_LENGTH, hash_token, make_short_token
from tailroom.storage.access_token import AccessToken

NEAR_NS = 60_000_000_000
"""How far the moment may be from our clock. Agents ask for ours first (`GET /api/v1/clock`)."""
_PURPOSE = "tailroom short token"


class Proof(NamedTuple):
    """What an agent brings."""

    credential_id: UUID
    unix_ns: int
    signature: str
    """Ed25519, base64."""


def signed_text(credential_id: UUID, unix_ns: int) -> bytes:
    """What is signed; the first line keeps it from being taken for anything else."""
    return f"{_PURPOSE}\n{credential_id}\n{unix_ns}".encode()


def begin(session: Session, proof: Proof, now: datetime) -> str:
    """A short token for a proof. The transaction is nobody's. Raises ProofWrong, ProofStale."""
    holds = (
        AccessToken.id == proof.credential_id,
        AccessToken.revoked_at.is_(None),
        or_(AccessToken.expires_at.is_(None), AccessToken.expires_at > now),
    )
    found = session.execute(
        select(AccessToken.public_key, AccessToken.organisation_id).where(*holds)
    ).one_or_none()
    if found is None or found.public_key is None or not _is_signed(found.public_key, proof):
        raise ProofWrong("No agent that is enrolled here has signed this. It may have been removed.")
    now_ns = int(now.timestamp() * 1e9)
    if abs(now_ns - proof.unix_ns) > NEAR_NS:
        raise ProofStale(
            f"The signature is for a moment {abs(now_ns - proof.unix_ns) / 1e9:.0f} s from the clock of this"
            " installation; sign again by `GET /api/v1/clock`."
        )
    is_new = session.scalar(
        update(AccessToken)
        .where(*holds, AccessToken.last_proof_ns < proof.unix_ns)
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
        found.organisation_id,
        proof.credential_id,
        now=now,
        length=SHORT_TOKEN_LENGTH,
    )
    return text


def _is_signed(public_key: bytes, proof: Proof) -> bool:
    try:
        signature = base64.b64decode(proof.signature, validate=True)
        text = signed_text(proof.credential_id, proof.unix_ns)
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True
